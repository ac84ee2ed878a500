//! Each sign of the ledger is one of a cause, not of a symptom: of the windows it speaks of, setting the fields that its
//! predicate names to plain values removes the disagreement. A window under several signs agrees once all are so treated.

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
use vop3p::ledger::{Applicable, Ledger, Match, Sign, SignKind, Status};

/// Windows looked at under each sign.
const PER_SIGN: usize = 1000;

/// Windows under a sign whose windows kill LLVM.
const PER_CRASH: usize = 12;

/// Windows drawn of each target in search of them; signs that are drawn more rarely have their witnesses varied.
const DRAWN: usize = 200_000;

/// Signs that only a window without padding shows.
const UNPADDED: &[&str] = &["literal-crash/cut-short"];

fn kills(m: &Match<'_>) -> bool {
    m.sign.kind == SignKind::Crash
}

/// The window with everything plain that any sign's predicate names.
fn treated(judge: &Judge<'_>, target: Target, window: &Window) -> Window {
    let signs = judge.ledger.on(target, &judge.version());
    let mut plain = *window;
    for _ in 0..16 {
        let mut changed = None;
        for m in signs.matching(&as_read(&plain, true)) {
            let next = m.plain(target, &plain);
            // A sign of notes alone may hold of the plain word, too: OP_SEL_HI of CDNA5's WMMA.
            let notes_only = matches!(m.sign.kind, SignKind::Permissive | SignKind::Refused);
            assert!(next != plain || notes_only, "{target} {window}: {} has nothing to set plain", m.name());
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

/// Windows under a rarely drawn sign: its witnesses, with fields that the sign may not need taken from drawn windows.
fn varied(signs: &Applicable<'_>, name: &str, sign: &Sign, case: &Case, count: usize) -> Vec<Window> {
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
        let matching: Vec<Match<'_>> = signs.matching(&as_read(&window, true)).collect();
        let is_deadly = sign.kind != SignKind::Crash && matching.iter().any(kills);
        if under.len() < count && !is_deadly && matching.iter().any(|m| m.name() == name) {
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
    let wanted = |kind| if kind == SignKind::Crash { PER_CRASH } else { PER_SIGN };
    let held: Vec<(String, &Sign)> = ledger
        .signs()
        .filter(|(_, sign)| sign.kind != SignKind::Document && !sign.kind.is_of_assembler())
        .filter(|(_, sign)| sign.status(&judge.version()) != Status::Silent)
        .map(|(entry, sign)| (entry.name_of(sign), sign))
        .collect();
    let mut seen: BTreeMap<String, usize> = held.iter().map(|(name, _)| (name.clone(), 0)).collect();
    for target in Target::distinct() {
        let signs = ledger.on(target, &judge.version());
        let generator = Generator::new(target);
        let mut draw = Draw::new(4711 + target.place() as u64);
        let mut under = Vec::new();
        let applicable: Vec<_> = held.iter().filter(|(_, sign)| sign.may_hold_on(target)).collect();
        for _ in 0..DRAWN {
            let is_full = |name: &str, sign: &Sign| UNPADDED.contains(&name) || seen[name] >= wanted(sign.kind);
            if applicable.iter().all(|(name, sign)| is_full(name, sign)) {
                break;
            }
            let window = generator.window(&mut draw);
            let matching: Vec<Match<'_>> = signs.matching(&as_read(&window, true)).collect();
            // A window for every sign that has too few yet; rare signs come from few targets.
            let count = |m: &Match<'_>| seen.get(&m.name()).copied().unwrap_or_default();
            if matching.iter().any(|m| count(m) < wanted(m.sign.kind)) {
                // Deadly windows are slow: none for the sake of another sign.
                if matching.iter().any(|m| kills(m) && count(m) >= PER_CRASH) {
                    continue;
                }
                for m in matching {
                    *seen.entry(m.name()).or_default() += 1;
                }
                under.push(window);
            }
        }
        hold(&judge, target, &under);
    }
    for (name, sign) in &held {
        for case in sign.cases().unwrap().iter().filter(|case| case.padded) {
            let missing = wanted(sign.kind).saturating_sub(seen[name]);
            let signs = ledger.on(case.target, &judge.version());
            let under = varied(&signs, name, sign, case, missing);
            hold(&judge, case.target, &under);
            *seen.entry(name.clone()).or_default() += under.len();
        }
    }
    println!("{seen:#?}");
    for (name, sign) in &held {
        let count = seen[name];
        let enough = if UNPADDED.contains(&name.as_str()) { count == 0 } else { count >= wanted(sign.kind) };
        assert!(enough, "{name}: {count} windows");
    }
}
