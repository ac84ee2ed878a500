//! What the lines of both kinds of cases share: `TARGET … [=> EXPECTATION[; EXPECTATION…]] [# source]`.

use std::fmt;

use crate::case::CaseError;
use crate::isa::{Rule, Target};

/// A line taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    line: &'a str,
    /// What stands before `=>`.
    pub head: &'a str,
    /// What stands between `=>` and `#`.
    pub tail: Option<&'a str>,
    /// What stands behind `#`, trimmed.
    pub source: &'a str,
}

impl<'a> Line<'a> {
    /// `None` for a blank line or one that is only a comment.
    pub fn new(line: &'a str) -> Option<Self> {
        let (body, source) = line.split_once('#').map_or((line, ""), |(body, comment)| (body, comment.trim()));
        let (head, tail) = body.split_once("=>").map_or((body, None), |(head, tail)| (head, Some(tail)));
        (!body.trim().is_empty()).then_some(Self { line, head, tail, source })
    }

    /// What is wrong at a byte of the line.
    pub fn fail(&self, at: usize, message: impl fmt::Display) -> CaseError {
        CaseError { column: self.column(at), message: message.to_string() }
    }

    /// The column of a byte: characters before it, plus one.
    pub fn column(&self, at: usize) -> usize {
        self.line[..at].chars().count() + 1
    }

    /// The target, and the byte where it ends.
    pub fn target(&self) -> Result<(Target, usize), CaseError> {
        let start = self.head.len() - self.head.trim_start().len();
        let end = self.head[start..].find(char::is_whitespace).map_or(self.head.len(), |at| start + at);
        let target = self.head[start..end].parse().map_err(|error| self.fail(start, error))?;
        Ok((target, end))
    }

    /// What is expected: `parse` reads one expectation from its name and what follows the colon.
    pub fn expectations<E>(
        &self,
        parse: impl Fn(&str, Option<&str>) -> Result<E, String>,
    ) -> Result<Vec<E>, CaseError> {
        let mut expectations = Vec::new();
        let mut at = self.head.len() + 2;
        for item in self.tail.into_iter().flat_map(|tail| tail.split(';')) {
            let text = item.trim();
            let (name, value) =
                text.split_once(':').map_or((text, None), |(name, value)| (name.trim(), Some(value.trim())));
            let place = at + item.len() - item.trim_start().len();
            expectations.push(parse(name, value).map_err(|message| self.fail(place, message))?);
            at += item.len() + 1;
        }
        Ok(expectations)
    }
}

/// The rule of this id.
pub(crate) fn rule(id: &str) -> Result<Rule, String> {
    Rule::from_id(id.trim()).ok_or_else(|| format!("`{}` is no rule id", id.trim()))
}

/// Rules separated by commas; `none` for none.
pub(crate) fn rules(ids: &str) -> Result<Vec<Rule>, String> {
    if ids == "none" { Ok(Vec::new()) } else { ids.split(',').map(rule).collect() }
}

/// As [`rules`] reads them.
pub(crate) fn show_rules(rules: &[Rule]) -> String {
    let ids: Vec<_> = rules.iter().map(|rule| rule.id()).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

/// Ids of ledger entries, separated by commas.
pub(crate) fn entries(ids: &str) -> Vec<String> {
    ids.split(',').map(|id| id.trim().to_owned()).collect()
}

/// The message for an expectation that is none of these.
pub(crate) fn unknown(name: &str, value: Option<&str>, known: &str) -> String {
    let value = value.map_or_else(String::new, |value| format!(": {value}"));
    format!("`{name}{value}` is no expectation: {known}")
}

/// Writes what follows the head of a line.
pub(crate) fn write_tail(f: &mut fmt::Formatter<'_>, expectations: &[impl fmt::Display], source: &str) -> fmt::Result {
    for (index, expectation) in expectations.iter().enumerate() {
        write!(f, "{} {expectation}", if index == 0 { " =>" } else { ";" })?;
    }
    if source.is_empty() { Ok(()) } else { write!(f, "  # {source}") }
}
