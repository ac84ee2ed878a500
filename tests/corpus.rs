//! The regression corpus: every line of `corpus/decode` holds for our decoder and for LLVM, and together the lines
//! cover what the tables of the crate list.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "common/corpus.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};

use files::{check, failures, files};
use vop3p::campaign::replay::{Located, read_cases, replay};
use vop3p::case::Expectation;
use vop3p::codec::{Instruction, SelectorFault, Undefined, Window, decode, encode};
use vop3p::compare::as_read;
use vop3p::isa::{Generation, RULES, Target};
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;

/// Every case of every file, in the order of the files' names.
fn cases() -> Vec<Located> {
    let mut cases = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in files("corpus/decode") {
        match read_cases(&name, &text) {
            Ok(read) if read.is_empty() => errors.push(format!("{name}: no case")),
            Ok(read) => cases.extend(read),
            Err(lines) => errors.extend(lines),
        }
    }
    check("lines that cannot be read", errors);
    cases
}

fn place(located: &Located) -> String {
    format!("{}:{}: {} {}", located.file, located.line, located.case.target, located.case.window)
}

#[test]
fn every_line_holds_both_sides_to_something_and_says_where_it_comes_from() {
    let mut errors = Vec::new();
    let mut seen = BTreeMap::new();
    for located in &cases() {
        let case = &located.case;
        let count = |wanted: fn(&Expectation) -> bool| case.expectations.iter().filter(|e| wanted(e)).count();
        let texts = count(|e| matches!(e, Expectation::Text(_)));
        let rules = count(|e| matches!(e, Expectation::Rules(_)));
        let undefined = count(|e| matches!(e, Expectation::Undefined(Some(_))));
        if (texts, rules, undefined) != (1, 1, 0) && (texts, rules, undefined) != (0, 0, 1) {
            errors.push(format!("{}: says neither `text:` and `rule:` nor `undefined: id`", place(located)));
        }
        if count(|e| matches!(e, Expectation::Agree | Expectation::Known(_))) != 1 {
            errors.push(format!("{}: says neither `agree` nor `known:`", place(located)));
        }
        if case.source.is_empty() {
            errors.push(format!("{}: has no source", place(located)));
        }
        if let Some(first) = seen.insert((case.target.to_string(), case.window, case.padded), place(located)) {
            errors.push(format!("{}: the same case as {first}", place(located)));
        }
    }
    check("lines", errors);
}

#[test]
fn our_decoder_says_what_every_line_expects() {
    let cases = cases();
    let replayed = replay(&cases, None).unwrap();
    failures(replayed.into_iter().map(|one| (place(one.located), one.verdict)), true);
}

/// Bits 0 to 127 of a window, as far as an instruction of this size takes it.
fn bits(window: &Window, size: u8) -> u128 {
    window.dwords()[..usize::from(size) / 4].iter().rev().fold(0, |bits, dword| bits << 32 | u128::from(*dword))
}

#[test]
fn what_decodes_encodes_back_to_its_own_bits() {
    let mut errors = Vec::new();
    for located in &cases() {
        let case = &located.case;
        let window = as_read(&case.window, case.padded);
        let Ok(decoded) = decode(case.target, &window) else { continue };
        let back = match encode(case.target, &decoded.instruction) {
            Ok(back) => back,
            Err(error) => {
                errors.push(format!("{}: does not encode: {error}", place(located)));
                continue;
            }
        };
        if back.byte_len() != usize::from(decoded.size) {
            errors.push(format!("{}: {} bytes came back as {}", place(located), decoded.size, back.byte_len()));
        } else if (bits(&back, decoded.size) ^ bits(&window, decoded.size)) & !decoded.ignored != 0 {
            errors.push(format!("{}: came back as {back}", place(located)));
        }
    }
    check("lines", errors);
}

#[test]
fn llvm_agrees_or_differs_as_every_line_says() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    let cases = cases();
    let replayed = replay(&cases, Some(&Judge::new(&llvm, &ledger))).unwrap();
    failures(replayed.into_iter().map(|one| (place(one.located), one.verdict)), false);
}

/// The reasons for which a window is undefined.
fn reasons() -> Vec<&'static str> {
    use SelectorFault::{
        DppMarker, LdsDirectPlace, LiteralBeforeGfx10, LiteralPlace, LiteralWithDpp, Reserved, SdwaMarker,
    };
    let selector = |why| match why {
        // A new fault belongs into the list below.
        Reserved | LiteralBeforeGfx10 | LiteralWithDpp | LiteralPlace | DppMarker | SdwaMarker | LdsDirectPlace => {
            Undefined::Selector { slot: 0, selector: 0, why }
        }
    };
    let mut all = vec![
        Undefined::CutShort { needs: 8 },
        Undefined::NotVop3p,
        Undefined::NoOpcode { number: 0 },
        Undefined::ScaleAlone { number: 0 },
    ];
    let faults = [Reserved, LiteralBeforeGfx10, LiteralWithDpp, LiteralPlace, DppMarker, SdwaMarker, LdsDirectPlace];
    all.extend(faults.map(selector));
    all.into_iter().map(Undefined::id).collect()
}

#[test]
fn the_lines_cover_targets_opcodes_rules_and_reasons() {
    let mut targets = BTreeSet::new();
    let mut opcodes: BTreeMap<(Generation, u8), usize> = BTreeMap::new();
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut undefined: BTreeMap<String, usize> = BTreeMap::new();
    for Located { case, .. } in &cases() {
        targets.insert(case.target.cpu());
        if let Ok(decoded) = decode(case.target, &as_read(&case.window, case.padded)) {
            let Instruction { opcode, scale, .. } = decoded.instruction;
            // Of a pair both words count: CDNA5's scale words are nothing by themselves.
            for number in std::iter::once(opcode.number).chain(scale.map(|scale| scale.pair.scale)) {
                *opcodes.entry((case.target.generation(), number)).or_default() += 1;
            }
        }
        for expectation in &case.expectations {
            match expectation {
                Expectation::Rules(met) => met.iter().for_each(|rule| *rules.entry(rule.id()).or_default() += 1),
                Expectation::Undefined(Some(id)) => *undefined.entry(id.clone()).or_default() += 1,
                _ => {}
            }
        }
    }
    let mut missing = BTreeSet::new();
    for target in Target::all() {
        if !targets.contains(target.cpu()) {
            missing.insert(format!("target {target}"));
        }
        let generation = target.generation();
        for opcode in target.opcodes() {
            if opcodes.get(&(generation, opcode.number)).is_none_or(|count| *count < 2) {
                missing.insert(format!("opcode {} ({}) on {}", opcode.number, opcode.amd, target.rules().name));
            }
        }
    }
    missing.extend(
        RULES.iter().filter(|row| rules.get(row.id).is_none_or(|n| *n < 2)).map(|row| format!("rule {}", row.id)),
    );
    missing.extend(
        reasons()
            .into_iter()
            .filter(|id| undefined.get(*id).is_none_or(|n| *n < 2))
            .map(|id| format!("undefined: {id}")),
    );
    check("things that no two lines (of a target: no line) show", missing.into_iter().collect());
}
