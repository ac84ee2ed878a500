//! At which step two answers part: what MPFR would have to be asked instead, to give ours.
//!
//! The oracle shows no steps of its own, so it is asked again with one thing changed: a modifier, a field of MODE, a
//! reading. If it then gives our answer, that step is named. If nothing does, the two results are compared as numbers.

use super::Case;
use super::generate::{Element, element};
use super::judge::{ValueFinding, ValueJudge};
use super::shape::Shape;
use crate::isa::{Operation, Source};
use crate::question::{Mode, QUESTIONS};

/// Where two answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first part of the result that differs: `low`, `high` (halves or dwords), or `result`.
    pub lane: &'static str,
    /// Our bits of it; `None` if we have no answer.
    pub ours: Option<u32>,
    /// MPFR's.
    pub mpfr: Option<u32>,
    /// The step: `select`, `sign`, `rounding`, `flush`, `clamp`, `overflow`, `nan`, `old`, `reading` or `value`.
    pub step: &'static str,
    /// The difference in words.
    pub text: String,
}

/// The format of the result, its width, and how many there are.
pub(super) fn result_format(case: &Case) -> (Element, u32, usize) {
    let opcode = case.instruction.opcode;
    match (element(opcode.vdst), opcode.operation) {
        (element @ Element::Float(shape), Some(Operation::Mix(_))) => (element, shape.width(), 1),
        (element @ Element::Float(shape), _) => (element, shape.width(), 2),
        (Element::Integer, _) => (Element::Integer, 16, 2),
        (element, _) => (element, 32, 2),
    }
}

/// The half of the destination that mixlo and mixhi leave.
pub(crate) const OLD: &str = "old half";

/// The parts of a result, low first: where they begin and their names.
pub(crate) fn parts(case: &Case) -> Vec<(u32, &'static str)> {
    let (_, width, count) = result_format(case);
    match (case.instruction.opcode.operation, count) {
        (Some(Operation::Mix(crate::isa::Part::High)), _) => vec![(16, "result"), (0, OLD)],
        (Some(Operation::Mix(crate::isa::Part::Low)), _) => vec![(0, "result"), (16, OLD)],
        (_, 1) => vec![(0, "result")],
        _ => vec![(0, "low"), (width, "high")],
    }
}

/// The step at which the answers of a finding part.
pub fn diagnose(judge: &mut ValueJudge, finding: &ValueFinding) -> Difference {
    let case = &finding.case;
    let (element, width, _) = result_format(case);
    let mask = u64::MAX >> (64 - width);
    let (Some(ours), Some(mpfr)) = (finding.ours, finding.mpfr) else {
        let text = "only one of the two has an answer".to_owned();
        let of = |answer: Option<u64>| answer.map(|bits| bits as u32);
        return Difference { lane: "result", ours: of(finding.ours), mpfr: of(finding.mpfr), step: "value", text };
    };
    let differs = |(low, _): &(u32, &str)| (ours ^ mpfr) >> low & mask != 0;
    let Some((low, lane)) = parts(case).into_iter().find(differs) else {
        let text = match ours == mpfr {
            true => "apfloat has another answer than both".to_owned(),
            false => "bits outside the result".to_owned(),
        };
        return Difference { lane: "result", ours: Some(ours as u32), mpfr: Some(mpfr as u32), step: "value", text };
    };
    let part = |answer: u64| (answer >> low & mask) as u32;
    let (a, b) = (part(ours), part(mpfr));
    if lane == OLD {
        let text = "the half of the destination that stays".to_owned();
        return Difference { lane, ours: Some(a), mpfr: Some(b), step: "old", text };
    }
    let (by_value, distance) = compared(element, a, b);
    let as_if = variants(case).into_iter().find(|variant| judge.mpfr(&variant.case).map(part) == Some(a));
    let (step, text) = match as_if {
        Some(variant) => (variant.step, format!("{distance}; ours is what MPFR gives with {}", variant.with)),
        None => (by_value, distance),
    };
    Difference { lane, ours: Some(a), mpfr: Some(b), step, text }
}

/// Two results as numbers: the step that is likely, and the distance in words.
fn compared(element: Element, ours: u32, mpfr: u32) -> (&'static str, String) {
    let Element::Float(shape) = element else {
        return ("value", format!("{} apart as integers", i64::from(ours) - i64::from(mpfr)));
    };
    let magnitude = |bits: u32| bits & (shape.sign() - 1);
    let is_nan = |bits: u32| magnitude(bits) > shape.infinity();
    let is_infinite = |bits: u32| magnitude(bits) == shape.infinity();
    match (is_nan(ours), is_nan(mpfr)) {
        (true, true) => ("nan", nans(shape, ours, mpfr)),
        (true, false) => ("nan", "a NaN for a number".to_owned()),
        (false, true) => ("nan", "a number for a NaN".to_owned()),
        _ if ours ^ mpfr == shape.sign() => ("sign", "the other sign".to_owned()),
        _ if is_infinite(ours) || is_infinite(mpfr) => ("overflow", "an infinity and a number".to_owned()),
        _ if magnitude(ours) == 0 || magnitude(mpfr) == 0 => ("flush", "a zero and a number".to_owned()),
        _ => {
            let ordered =
                |bits: u32| if bits == magnitude(bits) { i64::from(bits) } else { -i64::from(magnitude(bits)) };
            let apart = ordered(ours) - ordered(mpfr);
            let step = if apart.abs() == 1 { "rounding" } else { "value" };
            (step, format!("{apart:+} units in the last place"))
        }
    }
}

fn nans(shape: Shape, ours: u32, mpfr: u32) -> String {
    let changed = ours ^ mpfr;
    let mut words = Vec::new();
    for (mask, name) in [(shape.sign(), "sign"), (shape.quiet(), "quiet bit"), (shape.quiet() - 1, "payload")] {
        if changed & mask != 0 {
            words.push(name);
        }
    }
    format!("NaNs with another {}", words.join(" and "))
}

fn mode_text(mode: Mode) -> String {
    let words = mode.in_words();
    if words.is_empty() { format!("--mode {mode}") } else { format!("--mode {words}") }
}

/// A case with one thing changed.
struct Variant {
    case: Case,
    step: &'static str,
    with: String,
}

/// The case with one thing changed, likely ones first.
fn variants(case: &Case) -> Vec<Variant> {
    let mut variants = Vec::new();
    let mut add = |step: &'static str, with: String, change: &dyn Fn(&mut Case)| {
        let mut changed = *case;
        change(&mut changed);
        if changed != *case {
            variants.push(Variant { case: changed, step, with });
        }
    };
    // Those of the questions that a case's readings answer.
    for row in QUESTIONS.iter().filter(|row| row.readings.len() > 1) {
        for reading in row.readings {
            let step = if row.id.contains("nan") { "nan" } else { "reading" };
            let with = format!("--reading {}={}", row.id, reading.name);
            add(step, with, &|case| case.readings = case.readings.with(reading.reading));
        }
    }
    for (low, count, step) in
        [(2, 4, "rounding"), (0, 4, "rounding"), (6, 4, "flush"), (4, 4, "flush"), (23, 2, "overflow"), (9, 2, "nan")]
    {
        for value in 0..count {
            let mode = Mode { raw: case.mode.raw & !((count - 1) << low) | value << low }.on(case.target);
            add(step, mode_text(mode), &|case| case.mode = mode);
        }
    }
    let dx10 = Mode { raw: case.mode.raw ^ 0x100 }.on(case.target);
    add("clamp", mode_text(dx10), &|case| case.mode = dx10);
    add("clamp", "no clamp".to_owned(), &|case| case.instruction.clamp = false);
    let used = (1_u8 << case.instruction.opcode.sources()) - 1;
    for slot in 0..case.instruction.opcode.sources() {
        let bit = 1_u8 << slot;
        add("select", format!("op_sel of source {slot} inverted"), &|case| case.instruction.op_sel ^= bit);
        add("select", format!("op_sel_hi of source {slot} inverted"), &|case| case.instruction.op_sel_hi ^= bit);
        add("sign", format!("neg_lo of source {slot} inverted"), &|case| case.instruction.neg_lo ^= bit);
        add("sign", format!("neg_hi of source {slot} inverted"), &|case| case.instruction.neg_hi ^= bit);
    }
    add("select", "op_sel 0".to_owned(), &|case| case.instruction.op_sel = 0);
    add("select", "op_sel_hi 0".to_owned(), &|case| case.instruction.op_sel_hi = 0);
    add("select", "op_sel_hi all ones".to_owned(), &|case| case.instruction.op_sel_hi = used);
    add("sign", "no neg_lo".to_owned(), &|case| case.instruction.neg_lo = 0);
    add("sign", "no neg_hi".to_owned(), &|case| case.instruction.neg_hi = 0);
    add("sign", "neg_lo and neg_hi exchanged".to_owned(), &|case| {
        let instruction = &mut case.instruction;
        (instruction.neg_lo, instruction.neg_hi) = (instruction.neg_hi, instruction.neg_lo);
    });
    for slot in 0..case.instruction.opcode.sources() {
        let is_vgpr = matches!(case.instruction.src[slot], Source::Vgpr(_));
        let high = case.inputs.src[slot] >> 32;
        add("select", format!("a zero as the high dword of source {slot}"), &|case| {
            case.inputs.src[slot] &= 0xffff_ffff
        });
        if !is_vgpr && high == 0 {
            add("select", format!("the low dword of source {slot} in a VGPR pair"), &|case| {
                case.instruction.src[slot] = Source::Vgpr(2 * slot as u8 + 2);
            });
        }
    }
    variants
}
