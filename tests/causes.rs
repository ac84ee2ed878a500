//! Each ledger entry is a cause, not a symptom: of the windows it speaks of, setting the fields that its predicate
//! names to plain values removes the disagreement. A window under several entries agrees once all are so treated.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;

use vop3p::campaign::{Draw, Generator};
use vop3p::case::Case;
use vop3p::codec::{Window, fields_of};
use vop3p::compare::as_read;
use vop3p::isa::Target;
use vop3p::judge::{Judge, Outcome};
use vop3p::ledger::{Applicable, Entry, EntryKind, Ledger, Status};

/// Windows looked at under each entry.
const PER_ENTRY: usize = 1000;

/// Windows under an entry whose windows kill LLVM.
const PER_CRASH: usize = 12;

/// Windows drawn of each target in search of them; entries that are drawn more rarely have their witnesses varied.
const DRAWN: usize = 200_000;

/// Entries that only a window without padding shows.
const UNPADDED: &[&str] = &["truncated-literal-crash"];

/// The window with everything plain that any entry's predicate names.
fn treated(judge: &Judge<'_>, target: Target, window: &Window) -> Window {
    let entries = judge.ledger.on(target, &judge.version());
    let mut plain = *window;
    for _ in 0..16 {
        let mut changed = None;
        for m in entries.matching(&as_read(&plain, true)) {
            let next = m.plain(target, &plain);
            // An entry of notes alone may hold of the plain word, too: OP_SEL_HI of CDNA5's WMMA.
            let notes_only = matches!(m.entry.kind, EntryKind::Permissive | EntryKind::Refused);
            assert!(next != plain || notes_only, "{target} {window}: {} has nothing to set plain", m.entry.id);
            if next != plain {
                changed = Some(next);
                break;
            }
        }
        let Some(next) = changed else { break };
        plain = next;
    }
    plain
}

/// Judges windows of a target, and again with their causes treated.
fn hold(judge: &Judge<'_>, target: Target, under: &[Window]) {
    for chunk in under.chunks(4000) {
        let plain: Vec<Window> = chunk.iter().map(|window| treated(judge, target, window)).collect();
        for (judged, before) in judge.judge(target, &plain).unwrap().iter().zip(chunk) {
            let agrees = matches!(judged.outcome, Outcome::Agreed | Outcome::Noted);
            assert!(agrees, "{target} {before} treated to {}: {:?}", judged.window, judged.findings);
        }
        for judged in judge.judge(target, chunk).unwrap() {
            assert_ne!(judged.outcome, Outcome::New, "{target} {}: {:?}", judged.window, judged.findings);
        }
    }
}

/// Windows under a rarely drawn entry: its witnesses, with fields that the entry may not need taken from drawn windows.
fn varied(entries: &Applicable<'_>, entry: &Entry, case: &Case, count: usize) -> Vec<Window> {
    let generator = Generator::new(case.target);
    let mut draw = Draw::new(815);
    let mut under = Vec::new();
    for _ in 0..count * 100 {
        let donor = generator.window(&mut draw);
        let mut window = case.window;
        for field in fields_of(case.target, &window) {
            if draw.chance(40) {
                window = field.set(window, field.get(&donor));
            }
        }
        let matching: Vec<_> = entries.matching(&as_read(&window, true)).map(|m| m.entry).collect();
        let is_deadly = entry.kind != EntryKind::Crash && matching.iter().any(|e| e.kind == EntryKind::Crash);
        if under.len() < count && !is_deadly && matching.iter().any(|e| e.id == entry.id) {
            under.push(window);
        }
    }
    under
}

#[test]
fn treating_the_cause_removes_the_disagreement() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    let judge = Judge::new(&llvm, &ledger);
    let wanted = |kind| if kind == EntryKind::Crash { PER_CRASH } else { PER_ENTRY };
    let held: Vec<&Entry> = ledger
        .entries()
        .iter()
        .filter(|entry| entry.kind != EntryKind::Document && !entry.kind.is_of_assembler())
        .filter(|entry| entry.status(&judge.version()) != Status::Silent)
        .collect();
    let mut seen: BTreeMap<&str, usize> = held.iter().map(|entry| (entry.id.as_str(), 0)).collect();
    for target in Target::distinct() {
        let entries = ledger.on(target, &judge.version());
        let generator = Generator::new(target);
        let mut draw = Draw::new(4711 + target.place() as u64);
        let mut under = Vec::new();
        let applicable: Vec<_> = held.iter().filter(|e| e.may_hold_on(target)).collect();
        for _ in 0..DRAWN {
            if applicable.iter().all(|e| UNPADDED.contains(&e.id.as_str()) || seen[e.id.as_str()] >= wanted(e.kind)) {
                break;
            }
            let window = generator.window(&mut draw);
            let matching: Vec<_> = entries.matching(&as_read(&window, true)).map(|m| m.entry).collect();
            // A window for every entry that has too few yet; rare entries come from few targets.
            if matching.iter().any(|entry| seen[entry.id.as_str()] < wanted(entry.kind)) {
                // Deadly windows are slow: none for the sake of another entry.
                if matching.iter().any(|e| e.kind == EntryKind::Crash && seen[e.id.as_str()] >= PER_CRASH) {
                    continue;
                }
                for entry in matching {
                    *seen.entry(&entry.id).or_default() += 1;
                }
                under.push(window);
            }
        }
        hold(&judge, target, &under);
    }
    for entry in &held {
        for case in entry.cases().unwrap().iter().filter(|case| case.padded) {
            let missing = wanted(entry.kind).saturating_sub(seen[entry.id.as_str()]);
            let entries = ledger.on(case.target, &judge.version());
            let under = varied(&entries, entry, case, missing);
            hold(&judge, case.target, &under);
            *seen.entry(&entry.id).or_default() += under.len();
        }
    }
    println!("{seen:#?}");
    for entry in &held {
        let count = seen[entry.id.as_str()];
        let enough = if UNPADDED.contains(&entry.id.as_str()) { count == 0 } else { count >= wanted(entry.kind) };
        assert!(enough, "{}: {count} windows", entry.id);
    }
}
