//! Deliberate errors in exec, each of which the campaign of values must find within 150,000 cases and make small.
//!
//! The faults are wrapped around exec here; the product has no hook for them. Each spoils what goes in or what comes
//! out, or computes a lane again with an environment that is wrong.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod value_faults;

use value_faults::{FAULTS, Fault};
use vop3p::campaign::values::{Case, ValueCampaign, ValueFinding, ValueJudge, ours};
use vop3p::codec::{Instruction, decode, encode};
use vop3p::exec::Registers;
use vop3p::exec::registers::consistent;
use vop3p::isa::Source;
use vop3p::question::{Mode, QUESTIONS};

/// Cases a fault may take to be found.
const BUDGET: usize = 150_000;

/// Cases of one seed.
const BATCH: usize = 500;

/// What of a case is away from its plainest.
fn away_from_plain(case: &Case) -> Vec<&'static str> {
    let instruction = &case.instruction;
    let plain = Instruction::plain(instruction.opcode, 0, instruction.src);
    let sources = instruction.sources().iter().enumerate();
    let readings =
        QUESTIONS.iter().any(|row| case.readings.answer(row.question).reading != row.default_on(case.target).0.reading);
    let checks = [
        ("op_sel", instruction.op_sel != plain.op_sel),
        ("op_sel_hi", instruction.op_sel_hi != plain.op_sel_hi),
        ("neg_lo", instruction.neg_lo != 0),
        ("neg_hi", instruction.neg_hi != 0),
        ("clamp", instruction.clamp),
        ("src", sources.into_iter().any(|(slot, source)| *source != Source::Vgpr(2 * slot as u8 + 2))),
        ("mode", case.mode != Mode::default().on(case.target)),
        ("readings", readings),
        ("old", case.inputs.old != 0),
    ];
    checks.into_iter().filter(|(_, is_away)| *is_away).map(|(name, _)| name).collect()
}

struct Found {
    cases: usize,
    small: ValueFinding,
    step: &'static str,
    text: String,
}

fn find(fault: fn(&Case) -> Option<u64>) -> Option<Found> {
    let mut campaign = ValueCampaign::new(fault);
    for batch in 0..BUDGET / BATCH {
        let findings = campaign.judge_seed(batch as u64, BATCH);
        if let Some(first) = findings.first() {
            let (small, difference) = campaign.smallest(first);
            return Some(Found { cases: (batch + 1) * BATCH, small, step: difference.step, text: difference.text });
        }
    }
    None
}

/// The case of a finding as its replay line gives it: decoded from the window, with what the registers hold.
fn replayed(case: &Case) -> Case {
    let window = encode(case.target, &case.instruction).unwrap();
    let instruction = decode(case.target, &window).unwrap().instruction;
    let inputs = Registers::of(case.target, &instruction, &case.inputs).inputs(case.target, &instruction).unwrap();
    Case { instruction, inputs, ..*case }
}

fn check(Fault { name, exec, needs }: &Fault) {
    let Found { cases, small, step, text } =
        find(*exec).unwrap_or_else(|| panic!("{name}: not found in {BUDGET} cases"));
    let case = &small.case;
    let away = away_from_plain(case);
    println!(
        "{name}: {cases} cases; {} {} [{}] {}: {:x?} for {:x?}, away from plain {away:?}, {step}: {text}",
        case.target,
        vop3p::asm::print(case.target, &case.instruction),
        case.mode.in_words(),
        Registers::of(case.target, &case.instruction, &case.inputs),
        small.ours.unwrap_or_default(),
        small.mpfr.unwrap_or_default(),
    );
    for part in away {
        assert!(needs.contains(&part), "{name}: {part} need not be away from its plainest: {case:?}");
    }
    // The witness shows the fault again, and only the fault.
    let again = replayed(case);
    assert_eq!(again, *case, "{name}");
    assert_eq!(consistent(case.target, &case.instruction, case.inputs), case.inputs, "{name}");
    assert!(ValueJudge::new(*exec).finding(&again).is_some(), "{name}: the witness does not replay");
    assert_eq!(ValueJudge::new(ours).finding(&again), None, "{name}");
}

#[test]
fn every_planted_fault_is_found_in_time_and_made_small() {
    assert!(FAULTS.len() >= 20);
    FAULTS.iter().for_each(check);
}

#[test]
fn exec_without_a_fault_has_nothing_new_in_the_same_cases() {
    assert!(find(ours).is_none());
}
