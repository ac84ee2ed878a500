//! The campaign of values without libFuzzer: what is drawn, and that exec and the oracles agree about it.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use vop3p::campaign::values::{Case, Generator, ValueCampaign};
use vop3p::codec::{decode, encode};
use vop3p::exec::registers::consistent;
use vop3p::isa::Target;

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
