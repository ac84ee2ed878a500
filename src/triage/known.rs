//! What the ledger explains: one cause an entry.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster::{Cell, Cluster, Need, Proposal, Witness};
use super::collect::Known;
use super::lane::{Lane, Subject};
use super::witness::{Candidate, Request};
use crate::codec::fields_of;
use crate::isa::{Generation, Target};
use crate::ledger::Ledger;
use crate::oracle::llvm::LlvmError;
use crate::plain::plain_value;
use crate::sweep::record::Direction;

/// The entries that explain something.
#[derive(Debug, Default)]
pub struct Entries {
    by_id: BTreeMap<String, Entry>,
    /// What has been minimised.
    small: BTreeSet<(String, Direction, Generation)>,
}

#[derive(Debug, Default)]
struct Entry {
    /// The field of the first finding.
    field: String,
    cells: BTreeMap<(usize, usize, String), (Target, u64)>,
    request: Request,
    /// As they were found, to be used where no minimal one shows.
    raw: Vec<Candidate>,
}

impl Entries {
    /// Notes what is known of a target. Of each entry, direction and generation one window is minimised.
    ///
    /// # Errors
    /// If a tool cannot be run.
    pub fn add(&mut self, lane: &mut Lane<'_>, sweep: usize, known: Vec<Known>) -> Result<(), LlvmError> {
        let target = lane.target;
        let mut large: Vec<(String, Subject)> = Vec::new();
        let mut once = BTreeSet::new();
        for one in known {
            let Known { entry: id, subject, field, opcode, count } = one;
            let direction = subject.way.direction;
            let entry = self.by_id.entry(id.clone()).or_insert_with(|| Entry { field, ..Entry::default() });
            entry.cells.entry((sweep, target.place(), opcode)).or_insert((target, 0)).1 += count;
            entry.request.shows(target, sweep);
            if once.insert((id.clone(), direction)) {
                entry.raw.push(Candidate { target, subject: subject.clone() });
            }
            let is_first = self.small.insert((id.clone(), direction, target.generation()));
            if is_first && !subject.is_costly() {
                large.push((id, subject));
            }
        }
        let subjects: Vec<Subject> = large.iter().map(|(_, subject)| subject.clone()).collect();
        for ((id, _), subject) in large.into_iter().zip(lane.shrink(&subjects)?) {
            if let Some(entry) = self.by_id.get_mut(&id) {
                entry.request.candidates.push(Candidate { target, subject });
            }
        }
        Ok(())
    }

    /// The entries by id, with what their witnesses may be.
    #[must_use]
    pub fn requests(&self) -> Vec<(String, Request)> {
        let request = |(id, entry): (&String, &Entry)| {
            let mut request = entry.request.clone();
            request.candidates.sort_by_key(|candidate| candidate.subject.way.direction);
            request.candidates.extend(entry.raw.iter().cloned());
            (id.clone(), request)
        };
        self.by_id.iter().map(request).collect()
    }

    /// The cause that an entry is.
    #[must_use]
    pub fn cluster(&self, id: &str, ledger: &Ledger, labels: &[String], witnesses: Vec<Witness>) -> Option<Cluster> {
        let (entry, known) = (self.by_id.get(id)?, ledger.get(id)?);
        let first = entry.raw.first()?;
        let cell = |((sweep, _, opcode), (target, count)): (&(usize, usize, String), &(Target, u64))| Cell {
            llvm: labels[*sweep].clone(),
            target: *target,
            opcode: opcode.clone(),
            count: *count,
        };
        Some(Cluster {
            id: id.to_owned(),
            entry: Some(id.to_owned()),
            title: known.title.clone(),
            direction: first.subject.way.direction,
            kind: first.subject.wanted.kind(),
            field: super::class::without_slot(&entry.field).to_owned(),
            needs: witnesses.first().map_or_else(Vec::new, needs),
            cells: entry.cells.iter().map(cell).collect(),
            witnesses,
            proposal: Proposal {
                verdict: known.verdict,
                decided: true,
                reason: known.reason.clone(),
                citations: known.all_citations(),
            },
        })
    }
}

/// What a minimal window has away from plain.
fn needs(witness: &Witness) -> Vec<Need> {
    let Some(target) = witness.targets.first() else { return Vec::new() };
    let away = fields_of(*target, &witness.window).into_iter().filter_map(|field| {
        let value = field.get(&witness.window);
        let bits = u32::MAX >> (32 - field.width());
        (value != plain_value(*target, &witness.window, field)).then(|| Need {
            field: field.name().to_owned(),
            bits,
            values: value.to_string(),
        })
    });
    away.collect()
}
