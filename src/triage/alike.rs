//! Targets that another one stands for: a sweep judges a sample of their windows, so that a cause may not have been met.

use std::collections::BTreeSet;

use super::cluster::{Cell, Cluster};
use super::witness::Request;
use crate::isa::Target;
use crate::sweep::certificate::Certificate;

/// A target of a sweep, and one that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    sweep: usize,
    target: Target,
    like: Target,
}

/// The targets that others stand for.
pub fn alike<'a>(sweeps: impl Iterator<Item = &'a Certificate>) -> Vec<Alike> {
    let rows = sweeps.enumerate().flat_map(|(sweep, one)| one.targets.iter().map(move |row| (sweep, row)));
    rows.flat_map(|(sweep, row)| row.alike.iter().map(move |one| Alike { sweep, target: row.target, like: one.like }))
        .collect()
}

/// Has a cause asked about on the targets that others stand for which show it.
pub fn widen(request: &mut Request, alike: &[Alike]) {
    for one in alike {
        if request.targets.get(&one.like.place()).is_some_and(|(_, sweeps)| sweeps.contains(&one.sweep)) {
            request.shows(one.target, one.sweep);
        }
    }
}

/// Adds what its witnesses show on such targets to what a cause covers, for the opcodes of those that stand for them.
pub fn fill(cluster: &mut Cluster, alike: &[Alike], labels: &[String]) {
    let shown: BTreeSet<usize> =
        cluster.witnesses.iter().flat_map(|one| &one.targets).map(|target| target.place()).collect();
    let mut more: Vec<Cell> = Vec::new();
    for one in alike.iter().filter(|one| shown.contains(&one.target.place())) {
        let label = &labels[one.sweep];
        for cell in cluster.cells.iter().filter(|cell| cell.target == one.like && cell.llvm == *label) {
            let is_same =
                |other: &&Cell| (&other.llvm, other.target, &other.opcode) == (&cell.llvm, one.target, &cell.opcode);
            if !cluster.cells.iter().chain(&more).any(|other| is_same(&other)) {
                more.push(Cell { target: one.target, count: 0, ..cell.clone() });
            }
        }
    }
    if !more.is_empty() {
        cluster.cells.extend(more);
        let place = |label: &String| labels.iter().position(|other| other == label);
        cluster.cells.sort_by_key(|cell| (place(&cell.llvm), cell.target.place(), cell.opcode.clone()));
    }
}
