//! One entry of the ledger: the cause of known disagreements, whose fault it is, and the ways in which it shows.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::sign::{Sign, SignKind, Status};

/// The id under which deaths that are not a VOP3P word's are counted; no entry may have it.
pub const RESYNC: &str = "resync";

/// Whose fault a disagreement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Verdict {
    LlvmWrong,
    /// Its disassembler shows what its assembler refuses: policy, not a bug to file.
    LlvmPermissive,
    /// AMD's XML is wrong.
    SpecWrong,
    /// AMD's manual is wrong.
    ProseWrong,
    BothAllowed,
    Ambiguous,
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LlvmWrong => "llvm-wrong",
            Self::LlvmPermissive => "llvm-permissive",
            Self::SpecWrong => "spec-wrong",
            Self::ProseWrong => "prose-wrong",
            Self::BothAllowed => "both-allowed",
            Self::Ambiguous => "ambiguous",
            Self::Unknown => "unknown",
        })
    }
}

/// A cause of known disagreements.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    /// Its stable id.
    pub id: String,
    /// One line for people.
    pub title: String,
    /// Whose fault: the same for every sign, or they are two causes.
    pub verdict: Verdict,
    /// Why that is the verdict.
    pub reason: String,
    /// Manual and section, XML field, issue; where there are none, each sign has its own.
    #[serde(default)]
    pub citations: Vec<String>,
    /// The ways in which it shows; at least one.
    #[serde(rename = "sign", default)]
    pub signs: Vec<Sign>,
}

impl Entry {
    /// The full name of one of its signs: `dot-op-sel/refused`; of a sign without an id, the entry's.
    #[must_use]
    pub fn name_of(&self, sign: &Sign) -> String {
        match &sign.id {
            Some(id) => format!("{}/{id}", self.id),
            None => self.id.clone(),
        }
    }

    /// What it rests on, with what its signs do, each once.
    #[must_use]
    pub fn all_citations(&self) -> Vec<String> {
        let mut citations: Vec<String> = Vec::new();
        for citation in self.citations.iter().chain(self.signs.iter().flat_map(|sign| &sign.citations)) {
            if !citations.contains(citation) {
                citations.push(citation.clone());
            }
        }
        citations
    }

    /// The kinds of its signs, each once, in their order.
    #[must_use]
    pub fn kinds(&self) -> Vec<SignKind> {
        let mut kinds = Vec::new();
        for sign in &self.signs {
            if !kinds.contains(&sign.kind) {
                kinds.push(sign.kind);
            }
        }
        kinds
    }

    /// Whether it fires on this version of LLVM where only the signs matter that `speaks` holds for; if it holds for
    /// none, where all do. It fires if one of them does, and is silent if all are.
    #[must_use]
    pub fn status(&self, version: &str, speaks: impl Fn(&Sign) -> bool) -> Status {
        let mut signs: Vec<&Sign> = self.signs.iter().filter(|sign| speaks(sign)).collect();
        if signs.is_empty() {
            signs.extend(&self.signs);
        }
        let is_any = |status| signs.iter().any(|sign| sign.status(version) == status);
        [Status::Fires, Status::Untested].into_iter().find(|status| is_any(*status)).unwrap_or(Status::Silent)
    }

    /// What is missing or contradictory, if anything, with the name of what has the flaw.
    #[must_use]
    pub fn flaw(&self) -> Option<(String, String)> {
        let of_entry = |flaw: &str| Some((self.id.clone(), flaw.to_owned()));
        if self.id.is_empty() || self.id == RESYNC || self.id.contains('/') {
            return of_entry("the id is empty or taken, or has a `/`");
        }
        if self.signs.is_empty() {
            return of_entry("an entry needs `[[entry.sign]]`");
        }
        let is_cited = !self.citations.is_empty() || self.signs.iter().all(|sign| !sign.citations.is_empty());
        if self.reason.trim().is_empty() || !is_cited {
            return of_entry("an entry needs a reason and a citation");
        }
        if self.signs.len() > 1 && self.signs.iter().any(|sign| sign.id.is_none()) {
            return of_entry("of several signs each needs an `id`");
        }
        let is_taken =
            |(place, sign): &(usize, &Sign)| self.signs[..*place].iter().any(|earlier| earlier.id == sign.id);
        if let Some((_, sign)) = self.signs.iter().enumerate().find(is_taken) {
            return Some((self.name_of(sign), "the id is taken".to_owned()));
        }
        self.signs.iter().find_map(|sign| Some((self.name_of(sign), sign.flaw()?)))
    }
}
