//! A text to assemble, as one line.
//!
//! ```text
//! TARGET asm: TEXT [=> EXPECTATION[; EXPECTATION…]] [# source]
//! gfx900 asm: v_pk_fma_f16 v0, s1, s2, v3 => refused: scalar-limit; agree  # bus limit of gfx9
//! gfx1100 asm: v_pk_add_f16 v0, 1.0, v1 => word: cc0f4000 180202f2; agree
//! ```
//!
//! What [`crate::case`] is to decoding.

use std::fmt;

use crate::case::CaseError;
use crate::case_line::{Line, entries, rule, rules, show_rules, unknown, write_tail};
use crate::codec::Window;
use crate::isa::{Rule, Target};

/// A target and a text, with what is expected of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCase {
    /// The target.
    pub target: Target,
    /// One instruction.
    pub text: String,
    /// What is expected.
    pub expectations: Vec<TextExpectation>,
    /// Where the case comes from; empty if the line does not say.
    pub source: String,
}

/// What a line expects, and of whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextExpectation {
    /// `word: …`: our assembler writes these dwords.
    Word(Window),
    /// `sp3: …`: and these in AMD's style.
    Sp3(Window),
    /// `refused` or `refused: ID`: our assembler refuses the text, for this rule.
    Refused(Option<Rule>),
    /// `rule: ID, ID`: it assembles with exactly these notes; `rule: none` for none.
    Rules(Vec<Rule>),
    /// `agree`: LLVM does the same.
    Agree,
    /// `known: ID, ID`: the findings are those of these ledger entries.
    Known(Vec<String>),
}

impl TextCase {
    /// A case without expectations.
    #[must_use]
    pub fn new(target: Target, text: &str) -> Self {
        Self { target, text: text.to_owned(), expectations: Vec::new(), source: String::new() }
    }

    /// Whether a line is one of this kind: its second word is `asm:`.
    #[must_use]
    pub fn is_one(line: &str) -> bool {
        line.split_whitespace().nth(1) == Some("asm:")
    }

    /// Reads one line; `None` for a blank line or one that is only a comment.
    ///
    /// # Errors
    /// Says what is wrong and in which column.
    pub fn parse(line: &str) -> Result<Option<Self>, CaseError> {
        let Some(line) = Line::new(line) else { return Ok(None) };
        let (target, target_end) = line.target()?;
        let text = line.head[target_end..]
            .trim()
            .strip_prefix("asm:")
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .ok_or_else(|| line.fail(target_end, "`asm: TEXT` is wanted here"))?;
        let expectations = line.expectations(TextExpectation::parse)?;
        Ok(Some(Self { target, text: text.to_owned(), expectations, source: line.source.to_owned() }))
    }
}

impl TextExpectation {
    fn parse(name: &str, value: Option<&str>) -> Result<Self, String> {
        let window = |text: &str| text.parse().map_err(|error| format!("{error}"));
        match (name, value) {
            ("word", Some(dwords)) => window(dwords).map(Self::Word),
            ("sp3", Some(dwords)) => window(dwords).map(Self::Sp3),
            ("refused", id) => id.map(rule).transpose().map(Self::Refused),
            ("rule", Some(ids)) => rules(ids).map(Self::Rules),
            ("agree", None) => Ok(Self::Agree),
            ("known", Some(ids)) => Ok(Self::Known(entries(ids))),
            _ => Err(unknown(
                name,
                value,
                "`word: …`, `sp3: …`, `refused[: rule]`, `rule: id, …`, `agree`, `known: id, …`",
            )),
        }
    }
}

impl fmt::Display for TextExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(window) => write!(f, "word: {window}"),
            Self::Sp3(window) => write!(f, "sp3: {window}"),
            Self::Refused(None) => f.write_str("refused"),
            Self::Refused(Some(rule)) => write!(f, "refused: {rule}"),
            Self::Rules(rules) => write!(f, "rule: {}", show_rules(rules)),
            Self::Agree => f.write_str("agree"),
            Self::Known(ids) => write!(f, "known: {}", ids.join(", ")),
        }
    }
}

/// The line.
impl fmt::Display for TextCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} asm: {}", self.target, self.text)?;
        write_tail(f, &self.expectations, &self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_they_print() {
        for line in [
            "gfx900 asm: v_pk_add_f16 v0, v1, v2",
            "gfx900 asm: v_pk_fma_f16 v0, s1, s2, v3 => refused: scalar-limit; agree  # bus limit",
            "gfx1100 asm: v_pk_add_f16 v0, 1.0, v1 => word: cc0f4000 180202f2; sp3: cc0f0000 180202f2; rule: none; known: a, b",
        ] {
            assert!(TextCase::is_one(line));
            assert_eq!(TextCase::parse(line).unwrap().unwrap().to_string(), line);
        }
        assert!(!TextCase::is_one("gfx900 d3a00005 040e0480"));
        assert_eq!(TextCase::parse("  # only a comment"), Ok(None));
    }

    #[test]
    fn what_is_wrong_and_where() {
        let fails = |line: &str| TextCase::parse(line).unwrap_err().to_string();
        assert_eq!(fails("gfx900 v_pk_add_f16 v0, v1, v2"), "column 7: `asm: TEXT` is wanted here");
        assert_eq!(fails("gfx900 asm: v_x => refused: nope"), "column 20: `nope` is no rule id");
        assert!(fails("gfx803 asm: v_x").starts_with("column 1: `gfx803` has no VOP3P"));
    }
}
