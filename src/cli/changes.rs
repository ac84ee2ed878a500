//! What differs between versions of LLVM in a replay: one line a case, by ledger entry.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Out;
use vop3p::assembling::JudgedText;
use vop3p::campaign::replay::{Replayed, ReplayedText};
use vop3p::case::Case;
use vop3p::judge::{Explained, Judged};
use vop3p::oracle::llvm::Assembled as Theirs;
use vop3p::report::finding::answer_text;
use vop3p::report::names::outcome_name;
use vop3p::text_case::TextCase;

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
    outcome: String,
    llvm_mc: String,
}

impl Answers {
    fn of(version: &str, judged: &Judged) -> Self {
        Self {
            llvm: vec![version.to_owned()],
            outcome: outcome_name(judged.outcome).to_owned(),
            llvm_mc: answer_text(&judged.pair.mc),
        }
    }

    fn of_text(version: &str, judged: &JudgedText) -> Self {
        Self {
            llvm: vec![version.to_owned()],
            outcome: judged.outcome.to_string(),
            llvm_mc: text_answer(&judged.theirs),
        }
    }
}

/// LLVM's answer to a text, in a few words.
pub fn text_answer(theirs: &Theirs) -> String {
    match theirs {
        Theirs::Bytes { .. } => theirs.window().map_or("no VOP3P word".to_owned(), |window| window.to_string()),
        Theirs::Unresolved { .. } => "a symbol for the linker".to_owned(),
        Theirs::Refused { message, .. } => format!("refuses: {message}"),
        Theirs::Dead(death) => format!("dies ({death})"),
        Theirs::NotAsked(why) => format!("not asked: {why}"),
    }
}

/// The cases whose outcome or answer is not the same on every version that knows the processor.
pub fn changes(replays: &[(String, Vec<Replayed<'_>>, Vec<ReplayedText<'_>>)]) -> Vec<Change> {
    let Some((_, windows, texts)) = replays.first() else { return Vec::new() };
    let mut changes = Vec::new();
    for (place, one) in windows.iter().enumerate() {
        let answers = replays.iter().filter_map(|(version, windows, _)| {
            let judged = windows.get(place)?.judged.as_ref()?;
            Some((Answers::of(version, judged), &judged.findings[..]))
        });
        let located = one.located;
        changes.extend(change(&located.file, located.line, bare(&located.case).to_string(), answers));
    }
    for (place, one) in texts.iter().enumerate() {
        let answers = replays.iter().filter_map(|(version, _, texts)| {
            let judged = texts.get(place)?.judged.as_ref()?;
            Some((Answers::of_text(version, judged), &judged.findings[..]))
        });
        let located = one.located;
        let case = TextCase::new(located.case.target, &located.case.text);
        changes.extend(change(&located.file, located.line, case.to_string(), answers));
    }
    changes
}

fn change<'a>(
    file: &str,
    line: usize,
    case: String,
    all: impl Iterator<Item = (Answers, &'a [Explained])>,
) -> Option<Change> {
    let mut answers: Vec<Answers> = Vec::new();
    let mut entries = BTreeSet::new();
    for (new, findings) in all {
        entries.extend(findings.iter().filter_map(|explained| explained.entry.clone()));
        match answers.iter_mut().find(|old| (&old.outcome, &old.llvm_mc) == (&new.outcome, &new.llvm_mc)) {
            Some(old) => old.llvm.extend(new.llvm),
            None => answers.push(new),
        }
    }
    let entries = entries.into_iter().collect();
    (answers.len() > 1).then(|| Change { file: file.to_owned(), line, case, entries, answers })
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
