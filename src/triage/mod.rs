//! From findings to causes: what a sweep found, minimised, put together by cause, with a proposed verdict.
//!
//! In reading order: `probe` asks about a window again; `class` says what sort of answers they are, by which differences
//! are told apart; `lane` asks about one target and makes windows small; `values` and `prove` say which values of which
//! fields a small one needs, `form` what it explains; `collect` finds a form for each finding, `cause` puts forms together
//! that have one cause. `title`, `verdict` and `witness` say what there is to say about it, and `known` does so for what
//! the ledger has. `draft` makes an entry of the ledger of a new one.

mod alike;
pub mod between;
mod cause;
mod class;
pub mod cluster;
mod collect;
pub mod draft;
mod form;
mod known;
mod lane;
pub mod probe;
mod prove;
mod title;
mod values;
mod verdict;
mod witness;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use alike::{alike, fill, widen};
use cause::{Cause, causes};
use cluster::{Cell, Cluster, SCHEMA, Triage, label};
use collect::{Forms, Item, sort};
use form::Form;
use known::Entries;
use lane::Lane;
use probe::Probe;
pub use title::one as need_text;
use witness::{Asked, Candidate, Request, witnesses};

use crate::isa::Target;
use crate::ledger::Ledger;
use crate::oracle::llvm::LlvmError;
use crate::sweep::certificate::Certificate;
use crate::sweep::record::Seen;

/// A sweep, and whoever answers for its tools.
pub struct Sweep<'a> {
    /// What was covered.
    pub certificate: Certificate,
    /// What was seen.
    pub seen: Vec<Seen>,
    /// Asks the same tools.
    pub probe: &'a dyn Probe,
}

impl std::fmt::Debug for Sweep<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sweep").field("label", &label(&self.certificate)).field("seen", &self.seen.len()).finish()
    }
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Findings that are explained.
    pub done: usize,
    /// All.
    pub of: usize,
    /// Minimal forms found.
    pub forms: usize,
}

/// What triage came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The causes.
    pub triage: Triage,
    /// Findings of the files that these tools and this ledger show no longer.
    pub lost: u64,
}

/// The causes of what these sweeps saw.
///
/// # Errors
/// If a tool cannot be run.
pub fn triage(sweeps: &[Sweep<'_>], ledger: &Ledger, progress: &mut dyn FnMut(Progress)) -> Result<Outcome, LlvmError> {
    let labels: Vec<String> = sweeps.iter().map(|sweep| label(&sweep.certificate)).collect();
    let asked: Vec<Asked<'_>> = sweeps
        .iter()
        .zip(&labels)
        .map(|(sweep, label)| {
            let Certificate { llvm, against, .. } = &sweep.certificate;
            let between = against.as_ref().map(|against| [llvm.version.as_str(), against.version.as_str()]);
            Asked { label, probe: sweep.probe, between }
        })
        .collect();
    let of: usize = sweeps.iter().map(|sweep| sweep.seen.len()).sum();
    let (mut forms, mut entries) = (Forms::default(), Entries::default());
    let mut items: Vec<(usize, Target, Item)> = Vec::new();
    let (mut lost, mut done) = (0, 0);
    let hash = ledger.hash();
    for (number, sweep) in sweeps.iter().enumerate() {
        for (target, seen) in by_target(&sweep.seen) {
            let mut lane = Lane::new(sweep.probe, target);
            let sorted = sort(&mut lane, &seen, ledger, sweep.certificate.ledger != hash)?;
            lost += sorted.lost;
            entries.add(&mut lane, number, sorted.known)?;
            let mut new = sorted.new;
            let so_far = forms.all.len();
            forms.collect(&mut lane, number, &mut new, &mut |explained| {
                progress(Progress { done: done + explained, of, forms: so_far });
            })?;
            done += seen.len();
            items.extend(new.into_iter().map(|item| (number, target, item)));
            progress(Progress { done, of, forms: forms.all.len() });
        }
    }
    let own = (0..forms.all.len()).filter(|place| !forms.folded.contains_key(place));
    let causes = causes(&forms.all, own);
    let alike = alike(sweeps.iter().map(|sweep| &sweep.certificate));
    let mut requests: Vec<Request> = causes.iter().map(|cause| request(cause, &forms.all)).collect();
    let (ids, known): (Vec<String>, Vec<Request>) = entries.requests().into_iter().unzip();
    requests.extend(known);
    requests.iter_mut().for_each(|request| widen(request, &alike));
    let mut shown = witnesses(&asked, &requests)?.into_iter();
    let mut clusters: Vec<Cluster> = Vec::new();
    for cause in &causes {
        let mut cluster = cluster(cause, &forms.all, cells(cause, &items, &labels), ledger, &asked);
        cluster.witnesses = shown.next().unwrap_or_default();
        fill(&mut cluster, &alike, &labels);
        cluster.title = titled(cause, &forms.all, &cluster, &asked);
        clusters.push(cluster);
    }
    clusters.sort_by_key(|cluster| (std::cmp::Reverse(cluster.count()), cluster.id.clone()));
    for (id, witnesses) in ids.iter().zip(shown) {
        let mut cluster = entries.cluster(id, ledger, &labels, witnesses);
        cluster.iter_mut().for_each(|cluster| fill(cluster, &alike, &labels));
        clusters.extend(cluster);
    }
    let sweeps = sweeps.iter().map(|sweep| sweep.certificate.clone()).collect();
    Ok(Outcome { triage: Triage { schema: SCHEMA, sweeps, clusters }, lost })
}

/// What was seen of each target, in the order of the targets.
fn by_target(seen: &[Seen]) -> Vec<(Target, Vec<&Seen>)> {
    let mut by_target: BTreeMap<usize, (Target, Vec<&Seen>)> = BTreeMap::new();
    for one in seen {
        by_target.entry(one.target.place()).or_insert((one.target, Vec::new())).1.push(one);
    }
    by_target.into_values().collect()
}

fn request(cause: &Cause, all: &[Form]) -> Request {
    let mut request = Request::default();
    let mut once = BTreeSet::new();
    for form in cause.forms.iter().map(|place| &all[*place]) {
        request.shows(form.target, form.sweep);
        if once.insert(form.target.place()) {
            let subject = form.subject.clone();
            request.candidates.push(Candidate { target: form.target, subject });
        }
    }
    request
}

/// How often a cause was seen, by target, opcode and sweep.
fn cells(cause: &Cause, items: &[(usize, Target, Item)], labels: &[String]) -> Vec<Cell> {
    let mut cells: BTreeMap<(usize, usize, &str), (Target, u64)> = BTreeMap::new();
    for (sweep, target, item) in items {
        // What is folded is counted where it was folded into.
        if cause.forms.contains(&item.form) {
            let key = (*sweep, target.place(), item.opcode.as_str());
            cells.entry(key).or_insert((*target, 0)).1 += item.count;
        }
    }
    let cell = |((sweep, _, opcode), (target, count)): ((usize, usize, &str), (Target, u64))| Cell {
        llvm: labels[sweep].clone(),
        target,
        opcode: opcode.to_owned(),
        count,
    };
    cells.into_iter().map(cell).collect()
}

fn cluster(cause: &Cause, all: &[Form], cells: Vec<Cell>, ledger: &Ledger, asked: &[Asked<'_>]) -> Cluster {
    let forms: Vec<&Form> = cause.forms.iter().map(|place| &all[*place]).collect();
    let between = forms.first().and_then(|first| asked[first.sweep].between);
    Cluster {
        id: cause.id.clone(),
        entry: None,
        title: String::new(),
        direction: cause.signature.direction,
        kind: cause.signature.kind,
        field: cause.signature.field.clone(),
        needs: cause.needs.clone(),
        cells,
        witnesses: Vec::new(),
        proposal: verdict::propose(&forms, ledger, between),
    }
}

/// What it is in one line.
fn titled(cause: &Cause, all: &[Form], cluster: &Cluster, asked: &[Asked<'_>]) -> String {
    let Some(first) = cause.forms.first().map(|place| &all[*place]) else { return String::new() };
    let between = asked[first.sweep].between;
    title::title(first, &cluster.needs, &cluster.opcodes(), &cluster.targets(), between)
}
