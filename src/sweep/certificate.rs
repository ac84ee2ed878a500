//! What a sweep covered, so that "no difference" is a statement and not a hope.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file::Sweep;
use super::record::{Alike, Choice, Counts, SCHEMA, Tools, as_text, as_texts};
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
    /// Of the opcodes of which a sample was judged: the targets that stand for this one, as our tables say the same of
    /// both, and whether LLVM answers alike. Everything else of the target was judged whole.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub alike: Vec<Alike>,
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

impl Certificate {
    /// Of a sweep; `None` unless it is complete and no shard of another.
    #[must_use]
    pub fn of(sweep: &Sweep) -> Option<Self> {
        let header = &sweep.header;
        if !sweep.is_complete() || header.shard.of != 1 {
            return None;
        }
        let mut rows: Vec<TargetRow> = Vec::new();
        let mut total = Counts::default();
        for unit in &sweep.units {
            total += unit.counts;
            let place = rows.iter().position(|row| row.target == unit.target).unwrap_or_else(|| {
                let row = TargetRow {
                    target: unit.target,
                    alike: Vec::new(),
                    counts: Counts::default(),
                    spaces: BTreeMap::new(),
                };
                rows.push(row);
                rows.len() - 1
            });
            let Some(row) = rows.get_mut(place) else { continue };
            row.counts += unit.counts;
            for (name, count) in &unit.spaces {
                *row.spaces.entry(name.clone()).or_default() += count;
            }
            if let Some(alike) = &unit.alike {
                join(&mut row.alike, alike);
            }
        }
        Some(Self {
            schema: SCHEMA,
            vop3p: header.vop3p.clone(),
            llvm: header.llvm.clone(),
            against: header.against.clone(),
            ledger: header.ledger.clone(),
            choice: header.choice.clone(),
            units: header.units,
            targets: rows,
            unknown: header.unknown.clone(),
            total,
            entries: entries(sweep),
        })
    }

    /// Whether there is no difference that the ledger does not know, and every target that another one stands for is
    /// answered alike.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let alike = self.targets.iter().flat_map(|row| &row.alike).all(|alike| alike.differ == 0);
        alike && self.total.new == 0 && self.total.texts_new == 0
    }
}

fn join(all: &mut Vec<Alike>, one: &Alike) {
    match all.iter_mut().find(|other| other.like == one.like) {
        Some(other) => {
            other.windows += one.windows;
            other.differ += one.differ;
            other.first = other.first.take().or_else(|| one.first.clone());
        }
        None => all.push(one.clone()),
    }
}

fn entries(sweep: &Sweep) -> Vec<EntryRow> {
    let mut rows: BTreeMap<&str, EntryRow> = BTreeMap::new();
    for seen in &sweep.seen {
        let Some(id) = &seen.entry else { continue };
        let row = rows.entry(id).or_insert_with(|| EntryRow { id: id.clone(), findings: 0, targets: Vec::new() });
        row.findings += seen.count;
        if !row.targets.contains(&seen.target) {
            row.targets.push(seen.target);
        }
    }
    rows.into_values().collect()
}
