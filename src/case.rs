//! A case: one thing to judge, one line of text.
//!
//! ```text
//! TARGET WINDOW [pad=none] [=> EXPECTATION[; EXPECTATION…]] [# source]
//! gfx942 d38f4000 180202ff => undefined: literal-before-gfx10; known: literal-crash  # llvm/llvm-project#170318
//! ```
//!
//! The same grammar serves the corpus, the witnesses of the ledger, the replay line of a finding and
//! `vop3p replay`. Windows are written as the notation of [`Window`] allows. `pad=none` says that nothing follows the
//! window, where otherwise fixed padding does.

use std::fmt;

use crate::case_line::{Line, entries, rules, show_rules, unknown, write_tail};
use crate::codec::Window;
use crate::isa::{Rule, Target};

/// A target and a window, with what is expected of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The target.
    pub target: Target,
    /// The window.
    pub window: Window,
    /// Whether fixed padding follows the window when tools read it.
    pub padded: bool,
    /// What is expected.
    pub expectations: Vec<Expectation>,
    /// Where the case comes from; empty if the line does not say.
    pub source: String,
}

/// What a case line expects, and of whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// `text: …`: our decoder prints this.
    Text(String),
    /// `size: N`: our decoder takes N bytes.
    Size(u8),
    /// `undefined` or `undefined: ID`: our decoder finds no instruction, for this reason.
    Undefined(Option<String>),
    /// `rule: ID, ID`: our decoder notes exactly these rules; `rule: none` for none.
    Rules(Vec<Rule>),
    /// `agree`: LLVM and we agree.
    Agree,
    /// `known: ID, ID`: the findings are those of these ledger entries.
    Known(Vec<String>),
}

/// What is wrong with a case line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for CaseError {}

impl Case {
    /// A bare case: padded, nothing expected.
    #[must_use]
    pub fn new(target: Target, window: Window) -> Self {
        Self { target, window, padded: true, expectations: Vec::new(), source: String::new() }
    }

    /// Reads one line; `None` for a blank line or one that is only a comment.
    ///
    /// # Errors
    /// Says what is wrong and in which column.
    pub fn parse(line: &str) -> Result<Option<Self>, CaseError> {
        let Some(line) = Line::new(line) else { return Ok(None) };
        let Line { head, source, .. } = line;
        let (target, target_end) = line.target()?;

        let mut padded = true;
        let mut window_end = head.len();
        if let Some(at) = head.find("pad=") {
            let value = head[at + 4..].trim();
            if value != "none" {
                return Err(line.fail(at, format_args!("`pad={value}`: the only value is `none`")));
            }
            padded = false;
            window_end = at;
        }
        let window = head[target_end..window_end].trim_end().parse().map_err(|error: crate::codec::WindowError| {
            let column = line.column(target_end) + error.column - 1;
            let message = error.to_string();
            CaseError { column, message: message.split_once(": ").map_or(message.clone(), |(_, m)| m.to_owned()) }
        })?;

        let expectations = line.expectations(Expectation::parse)?;
        Ok(Some(Self { target, window, padded, expectations, source: source.to_owned() }))
    }
}

impl Expectation {
    fn parse(name: &str, value: Option<&str>) -> Result<Self, String> {
        let needs = |what: &str| format!("`{name}:` needs {what}");
        match (name, value) {
            ("text", Some(text)) if !text.is_empty() => Ok(Self::Text(text.to_owned())),
            ("text", _) => Err(needs("the instruction")),
            ("size", Some(size)) => size.parse().map(Self::Size).map_err(|_| needs("a number of bytes")),
            ("undefined", reason) => Ok(Self::Undefined(reason.map(str::to_owned))),
            ("rule", Some(ids)) => rules(ids).map(Self::Rules),
            ("agree", None) => Ok(Self::Agree),
            ("known", Some(ids)) => Ok(Self::Known(entries(ids))),
            _ => Err(unknown(
                name,
                value,
                "`text: …`, `size: N`, `undefined[: id]`, `rule: id, …`, `agree`, `known: id, …`",
            )),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "text: {text}"),
            Self::Size(size) => write!(f, "size: {size}"),
            Self::Undefined(None) => f.write_str("undefined"),
            Self::Undefined(Some(reason)) => write!(f, "undefined: {reason}"),
            Self::Rules(rules) => write!(f, "rule: {}", show_rules(rules)),
            Self::Agree => f.write_str("agree"),
            Self::Known(ids) => write!(f, "known: {}", ids.join(", ")),
        }
    }
}

/// The line.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.target, self.window)?;
        f.write_str(if self.padded { "" } else { " pad=none" })?;
        write_tail(f, &self.expectations, &self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_they_print() {
        for line in [
            "gfx900 d3a00005 040e0480",
            "gfx900 d3a00005 040e0480 => text: v_mad_mix_f32 v5, 0, v2, v3; size: 8; rule: none; agree",
            "gfx1030 cc0f4000 180202ff pad=none => undefined: cut-short  # llvm/llvm-project#214909",
            "gfx1100:w64 cc0f60e0 180207e0 => rule: unused-source; known: a, b",
        ] {
            assert_eq!(Case::parse(line).unwrap().unwrap().to_string(), line);
        }
        assert_eq!(Case::parse("  # only a comment"), Ok(None));
        assert_eq!(Case::parse(""), Ok(None));
    }

    #[test]
    fn what_is_wrong_and_where() {
        let fails = |line: &str| Case::parse(line).unwrap_err().to_string();
        assert!(fails("gfx803 d3a00005 040e0480").starts_with("column 1: `gfx803` has no VOP3P"));
        assert_eq!(fails("gfx900 d3a00005 040e048z"), "column 24: `040e048z` is not hexadecimal");
        assert!(fails("gfx900").contains("nothing here"));
        assert_eq!(fails("gfx900 d3a00005 040e0480 => rule: nope"), "column 29: `nope` is no rule id");
        // 28 characters up to the expectations, then 7 and 9 with what separates them.
        let third = "gfx900 d3a00005 040e0480 => agree; size: 8; rule: nope";
        assert_eq!(fails(third), "column 45: `nope` is no rule id");
        assert!(fails("gfx900 d3a00005 040e0480 => nonsense").starts_with("column 29: `nonsense` is no expectation"));
        assert_eq!(fails("gfx900 d3a00005 040e0480 pad=all"), "column 26: `pad=all`: the only value is `none`");
    }
}
