//! What a sweep covered, so that "no difference" is a statement and not a hope.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::{Alike, Choice, Counts, Tools, as_text, as_texts};
use crate::isa::Target;

/// What was covered, target by target, and with which tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Version of the format.
    pub schema: u32,
    /// Version of this crate.
    pub vop3p: String,
    /// The LLVM.
    pub llvm: Tools,
    /// The LLVM that was held against that one, in our place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub against: Option<Tools>,
    /// SHA-256 of the ledger.
    pub ledger: String,
    /// What was chosen.
    pub choice: Choice,
    /// Units of the sweep.
    pub units: u64,
    /// One row a target, in the order of the sweep.
    pub targets: Vec<TargetRow>,
    /// Targets that this LLVM does not know.
    #[serde(with = "as_texts")]
    pub unknown: Vec<Target>,
    /// All targets together.
    pub total: Counts,
    /// The ledger entries that explain something, by id.
    pub entries: Vec<EntryRow>,
}

/// What was covered of a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetRow {
    /// The target.
    #[serde(with = "as_text")]
    pub target: Target,
    /// For a target of which a sample was judged: the one that stands for it, and whether LLVM answers alike.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alike: Option<Alike>,
    /// What became of its windows.
    pub counts: Counts,
    /// Windows by what was varied.
    pub spaces: BTreeMap<String, u64>,
}

/// How often an entry explains something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRow {
    /// Its id.
    pub id: String,
    /// Findings that it explains.
    pub findings: u64,
    /// Targets on which it does.
    #[serde(with = "as_texts")]
    pub targets: Vec<Target>,
}
