//! A cause, ready to be filed: as an issue for LLVM, as lines for its tests, as a line of the corpus.

mod case;
mod issue;
mod lit;
mod stock;

pub use case::case_lines;
pub use issue::issue;
pub use lit::{Form, LitFile, lit_files};

use crate::codec::Window;
use crate::isa::Target;
use crate::ledger::{Entry, Sign, SignKind, Status, Verdict};
use crate::sweep::certificate::Certificate;
use crate::sweep::record::Direction;
use crate::triage::cluster::{Cluster, label};
use crate::triage::probe::text_of;

/// What is filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Of the ledger entry or the cluster.
    pub id: String,
    /// Whether the ledger has it.
    pub is_known: bool,
    /// One line.
    pub title: String,
    /// Whose fault.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Where the rule comes from.
    pub citations: Vec<String>,
    /// The ways in which it shows; at least one.
    pub parts: Vec<Part>,
}

/// One way in which it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What is particular to it.
    pub note: Option<String>,
    /// Whether it is about what LLVM prints being assembled by it.
    pub direction: Direction,
    /// Whether the lengths differ, so that what follows counts.
    pub is_of_length: bool,
    /// The targets that show it.
    pub targets: Vec<Target>,
    /// The versions that show it.
    pub fires: Vec<String>,
    /// Those that were looked at and do not.
    pub silent: Vec<String>,
    /// Cases.
    pub shots: Vec<Shot>,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// The target.
    pub target: Target,
    /// The word; of a text that has none, nothing.
    pub window: Option<Window>,
    /// Whether fixed padding follows it.
    pub padded: bool,
    /// The text that is assembled.
    pub text: Option<String>,
}

impl Subject {
    /// A cause of these sweeps.
    #[must_use]
    pub fn of_cluster(cluster: &Cluster, sweeps: &[Certificate]) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let targets = cluster.targets();
        let looked_at = |sweep: &&Certificate| targets.iter().any(|target| sweep.choice.targets.contains(target));
        let (fires, silent): (Vec<&Certificate>, Vec<&Certificate>) =
            sweeps.iter().filter(looked_at).partition(|sweep| cluster.count_on(&label(sweep)) > 0);
        let names = |sweeps: Vec<&Certificate>| sweeps.into_iter().map(|sweep| sweep.llvm.version.clone()).collect();
        let (fires, silent): (Vec<String>, Vec<String>) = (names(fires), names(silent));
        for witness in &cluster.witnesses {
            let Some(target) = witness.targets.first() else { continue };
            let shot = Shot {
                target: *target,
                window: Some(witness.window),
                padded: witness.padded,
                text: witness.text.clone().filter(|_| witness.direction == Direction::Assemble),
            };
            match parts.iter_mut().find(|part| part.direction == witness.direction) {
                Some(part) => part.shots.push(shot),
                None => parts.push(Part {
                    note: None,
                    direction: witness.direction,
                    is_of_length: cluster.kind == crate::compare::Kind::Length,
                    targets: targets.clone(),
                    fires: fires.clone(),
                    silent: silent.clone(),
                    shots: vec![shot],
                }),
            }
        }
        Self {
            id: cluster.id.clone(),
            is_known: cluster.entry.is_some(),
            title: cluster.title.clone(),
            verdict: cluster.proposal.verdict,
            reason: cluster.proposal.reason.clone(),
            citations: cluster.proposal.citations.clone(),
            parts,
        }
    }

    /// An entry of the ledger, with those signs that show something on this version: all, or one of this name.
    #[must_use]
    pub fn of_entry(entry: &Entry, sign: Option<&str>, version: &str) -> Self {
        let is_meant = |one: &&Sign| {
            let is_named = sign.is_none_or(|name| entry.name_of(one) == name);
            is_named && one.kind.has_findings() && one.status(version) != Status::Silent
        };
        Self {
            id: entry.id.clone(),
            is_known: true,
            title: entry.title.clone(),
            verdict: entry.verdict,
            reason: entry.reason.clone(),
            citations: entry.all_citations(),
            parts: entry.signs.iter().filter(is_meant).map(part).collect(),
        }
    }
}

fn part(sign: &Sign) -> Part {
    // A ledger that loaded has witnesses that parse.
    let words = sign.cases().unwrap_or_default().into_iter().map(|case| Shot {
        target: case.target,
        window: Some(case.window),
        padded: case.padded,
        text: None,
    });
    let texts = sign.text_cases().unwrap_or_default().into_iter().map(|case| Shot {
        target: case.target,
        window: None,
        padded: true,
        text: Some(case.text),
    });
    Part {
        note: sign.note.clone(),
        direction: match sign.kind {
            SignKind::Assembling | SignKind::Encoding => Direction::Assemble,
            SignKind::Reassembly => Direction::Reassemble,
            _ => Direction::Decode,
        },
        is_of_length: sign.kind == SignKind::Length,
        targets: Target::distinct().filter(|target| sign.may_hold_on(*target)).collect(),
        fires: sign.fires.clone(),
        silent: sign.silent.clone(),
        shots: words.chain(texts).collect(),
    }
}

impl Shot {
    /// The text that is assembled: its own, or what we print for the word.
    #[must_use]
    pub fn our_text(&self) -> Option<String> {
        self.text.clone().or_else(|| text_of(self.target, &self.window?))
    }
}
