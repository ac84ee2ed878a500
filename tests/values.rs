//! The campaign of values without libFuzzer: what is drawn, and that exec and the oracles agree about it.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/corpus.rs"]
#[allow(dead_code, reason = "verdicts of case lines are for the tests of the other corpora")]
mod files;

use std::collections::BTreeSet;

use vop3p::campaign::Draw;
use vop3p::campaign::Generator as WindowGenerator;
use vop3p::campaign::values::{Case, Generator, ValueCampaign};
use vop3p::codec::{decode, encode};
use vop3p::exec::registers::consistent;
use vop3p::isa::Target;
use vop3p::oracle::mpfr::Oracle;
use vop3p::oracle::vectors::{Exec, Judgement, judge, read};

fn drawn(seed: u64, count: usize) -> Vec<Case> {
    Generator::new().batch(seed, count)
}

#[test]
fn what_is_drawn_has_an_encoding_and_registers_that_hold_it() {
    let mut legal = 0;
    let cases = drawn(1, 40_000);
    for case in &cases {
        let text = vop3p::asm::print(case.target, &case.instruction);
        let window = encode(case.target, &case.instruction).unwrap_or_else(|error| panic!("{text}: {error}"));
        let decoded = decode(case.target, &window).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(decoded.instruction, case.instruction, "{text}");
        legal += u32::from(decoded.notes.is_legal());
        assert_eq!(consistent(case.target, &case.instruction, case.inputs), case.inputs, "{} {text}", case.target);
        assert_eq!(case.mode, case.mode.on(case.target));
    }
    assert!(legal > 36_000, "{legal} of 40000 legal");
}

#[test]
fn every_elementwise_opcode_of_every_target_is_drawn() {
    let mut missing: BTreeSet<(usize, u8)> = Target::all()
        .flat_map(|target| target.opcodes().map(move |opcode| (target, opcode)))
        .filter(|(_, opcode)| opcode.operation.is_some())
        .map(|(target, opcode)| (target.index(), opcode.number))
        .collect();
    for case in drawn(2, 150_000) {
        missing.remove(&(case.target.index(), case.instruction.opcode.number));
    }
    let missing: Vec<String> = missing
        .into_iter()
        .map(|(target, number)| format!("{} {number}", Target::from_index(target).unwrap()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn exec_and_the_oracles_agree() {
    let mut campaign = ValueCampaign::default();
    for seed in 0..50 {
        let findings = campaign.judge_seed(seed, 4000);
        if let Some(finding) = findings.first() {
            let (small, difference) = campaign.smallest(finding);
            panic!("{} of this batch: {difference:?}\n{small:?}", findings.len());
        }
    }
    println!("{}", campaign.summary());
}

#[test]
fn what_the_windows_of_decode_compute_agrees_too() {
    let mut campaign = ValueCampaign::default();
    for target in Target::distinct() {
        let generator = WindowGenerator::new(target);
        let mut draw = Draw::new(target.place() as u64);
        let windows: Vec<_> = (0..1000).map(|_| generator.window(&mut draw)).collect();
        let findings = campaign.judge_windows(target, &windows, 3);
        assert_eq!(findings.first(), None, "{target}");
    }
    // Half of what is drawn is elementwise where matrix instructions are not many.
    assert!(campaign.stats().cases > 10_000, "{}", campaign.summary());
}

#[test]
fn what_was_found_once_holds_for_exec_and_for_mpfr() {
    let files = files::files("corpus/fma");
    let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let vectors = read(&named).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    let mut oracle = Oracle::new();
    let mut errors = Vec::new();
    for vector in &vectors {
        for (who, judged) in [("exec", judge(&vector.case, &mut Exec)), ("MPFR", judge(&vector.case, &mut oracle))] {
            if judged != Ok(Judgement::Holds) {
                errors.push(format!("{vector}: {who}: {judged:?}"));
            }
        }
    }
    files::check("lines", errors);
    assert!(!vectors.is_empty());
}
