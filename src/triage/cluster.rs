//! A cause, as triage sees it: what `vop3p triage` writes, and reports are made of.

use serde::{Deserialize, Serialize};

use crate::codec::Window;
use crate::compare::Kind;
use crate::isa::Target;
use crate::ledger::Verdict;
use crate::sweep::certificate::Certificate;
use crate::sweep::record::{Direction, as_text, as_texts};

/// Version of the format.
pub const SCHEMA: u32 = 1;

/// What came of one or several sweeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Triage {
    /// [`SCHEMA`].
    pub schema: u32,
    /// One a sweep: what was covered, with which LLVM. Clusters name them by [`label`].
    pub sweeps: Vec<Certificate>,
    /// The causes: new ones first, then those of the ledger by id.
    pub clusters: Vec<Cluster>,
}

/// What clusters call a sweep: `22.1.8`, or `22.1.8 against 19.1.7`.
#[must_use]
pub fn label(sweep: &Certificate) -> String {
    match &sweep.against {
        None => sweep.llvm.version.clone(),
        Some(against) => format!("{} against {}", sweep.llvm.version, against.version),
    }
}

/// A cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Of a known one the id of its ledger entry; of a new one a name made of what it is, the same in every run.
    pub id: String,
    /// The ledger entry that explains it.
    pub entry: Option<String>,
    /// One line for people.
    pub title: String,
    /// Which way it was seen first.
    pub direction: Direction,
    /// What kind of difference; of a known one that its entry shows in several ways, the first.
    pub kind: Kind,
    /// The field that differs: `clamp`, `src`, `word`, ...
    pub field: String,
    /// What a word must have to show it, everything else being plain.
    pub needs: Vec<Need>,
    /// How often it was seen, by target, opcode and sweep.
    pub cells: Vec<Cell>,
    /// One minimal case a group of targets that answer the same.
    pub witnesses: Vec<Witness>,
    /// Whose fault it is.
    pub proposal: Proposal,
}

/// A field that a word must have away from its plainest value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// Its name; `src` where it may be any source.
    pub field: String,
    /// The bits of the field that matter, as a mask.
    pub bits: u32,
    /// What they hold: `1`, `209-229`.
    pub values: String,
}

/// How often a cause was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The sweep, by [`label`].
    pub llvm: String,
    /// The target.
    #[serde(with = "as_text")]
    pub target: Target,
    /// AMD's name of the opcode, or `#17`.
    pub opcode: String,
    /// Windows or texts. 0 where the sweep judged a sample that did not meet it, and a witness shows it.
    pub count: u64,
}

/// A minimal case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The targets that it stands for; it is a case of the first.
    #[serde(with = "as_texts")]
    pub targets: Vec<Target>,
    /// The sweeps that show it, by [`label`].
    pub llvms: Vec<String>,
    /// Which way.
    pub direction: Direction,
    /// The window.
    #[serde(with = "as_text")]
    pub window: Window,
    /// Whether fixed padding follows it.
    pub padded: bool,
    /// The text that is assembled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// What we say of the whole; of two LLVMs, what the first says.
    pub ours: String,
    /// What LLVM says of the whole.
    pub theirs: String,
    /// How `vop3p` shows it again.
    pub replay: String,
    /// How stock tools show it.
    pub stock: String,
}

/// A verdict, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The ledger's verdict, or the one that is proposed.
    pub verdict: Verdict,
    /// Whether it is the ledger's, which a person has decided.
    pub decided: bool,
    /// Why.
    pub reason: String,
    /// Manual and section, XML field, issue: where the rule comes from.
    pub citations: Vec<String>,
}

impl Cluster {
    /// The opcodes that show it, each once, in order.
    #[must_use]
    pub fn opcodes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.cells.iter().map(|cell| cell.opcode.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The targets that show it, each once, in the order of [`Target::distinct`].
    #[must_use]
    pub fn targets(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = self.cells.iter().map(|cell| cell.target).collect();
        targets.sort_by_key(|target| target.place());
        targets.dedup();
        targets
    }

    /// How often it was seen.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }

    /// How often it was seen on this sweep, named by [`label`].
    #[must_use]
    pub fn count_on(&self, llvm: &str) -> u64 {
        self.cells.iter().filter(|cell| cell.llvm == llvm).map(|cell| cell.count).sum()
    }
}
