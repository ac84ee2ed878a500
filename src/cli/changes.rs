//! What differs between versions of LLVM in a replay: one line a case, by ledger entry.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Out;
use vop3p::campaign::replay::Replayed;
use vop3p::case::Case;
use vop3p::judge::Judged;
use vop3p::report::finding::answer_text;
use vop3p::report::names::outcome_name;

/// A case on which versions differ.
#[derive(Serialize)]
pub struct Change {
    file: String,
    line: usize,
    case: String,
    /// The entries that some version shows.
    entries: Vec<String>,
    answers: Vec<Answers>,
}

/// What some versions say.
#[derive(PartialEq, Eq, Serialize)]
struct Answers {
    llvm: Vec<String>,
    outcome: &'static str,
    llvm_mc: String,
}

impl Answers {
    fn of(version: &str, judged: &Judged) -> Self {
        Self {
            llvm: vec![version.to_owned()],
            outcome: outcome_name(judged.outcome),
            llvm_mc: answer_text(&judged.pair.mc),
        }
    }
}

/// The cases whose outcome or text is not the same on every version that knows the processor.
pub fn changes(replays: &[(String, Vec<Replayed<'_>>)]) -> Vec<Change> {
    let Some((_, first)) = replays.first() else { return Vec::new() };
    let mut changes = Vec::new();
    for (place, one) in first.iter().enumerate() {
        let mut answers: Vec<Answers> = Vec::new();
        let mut entries = BTreeSet::new();
        for (version, replayed) in replays {
            let Some(judged) = replayed.get(place).and_then(|one| one.judged.as_ref()) else { continue };
            entries.extend(judged.findings.iter().filter_map(|explained| explained.entry.clone()));
            let new = Answers::of(version, judged);
            match answers.iter_mut().find(|old| (old.outcome, &old.llvm_mc) == (new.outcome, &new.llvm_mc)) {
                Some(old) => old.llvm.extend(new.llvm),
                None => answers.push(new),
            }
        }
        if answers.len() > 1 {
            let located = one.located;
            changes.push(Change {
                file: located.file.clone(),
                line: located.line,
                case: bare(&located.case).to_string(),
                entries: entries.into_iter().collect(),
                answers,
            });
        }
    }
    changes
}

/// The case without what is expected of it.
fn bare(case: &Case) -> Case {
    Case { padded: case.padded, ..Case::new(case.target, case.window) }
}

/// One line a case, under the entries that the cases have in common.
pub fn show(changes: &[Change], out: &mut Out) {
    let mut groups: BTreeMap<String, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        let ids = if change.entries.is_empty() { "no ledger entry".to_owned() } else { change.entries.join(", ") };
        groups.entry(ids).or_default().push(change);
    }
    let plural = if changes.len() == 1 { "" } else { "s" };
    out.line(format_args!("changes between versions: {} case{plural}", changes.len()));
    for (ids, changes) in groups {
        out.line(format_args!("  {ids}: {}", changes.len()));
        for change in changes {
            let answer = |one: &Answers| format!("{} {}: {}", one.llvm.join(", "), one.outcome, one.llvm_mc);
            let answers: Vec<String> = change.answers.iter().map(answer).collect();
            out.line(format_args!("    {}  | {}", change.case, answers.join(" | ")));
        }
    }
}
