//! A value finding made small: what it does not need at its default, operand bits towards 0 and 1.0.

use super::Case;
use super::generate::{Element, element, narrow, tidy};
use super::judge::{ValueFinding, ValueJudge};
use super::shape::F32;
use crate::codec::{Instruction, decode, encode};
use crate::exec::registers::consistent;
use crate::isa::{Operation, Source};
use crate::question::{Mode, QUESTIONS, Readings};

/// Rounds after which minimising gives up on getting smaller.
const MOST_ROUNDS: usize = 8;

/// The finding with everything plain that a difference between the answers does not need.
pub fn minimise(judge: &mut ValueJudge, finding: &ValueFinding) -> ValueFinding {
    let mut small = *finding;
    for _ in 0..MOST_ROUNDS {
        let before = small.case;
        for step in [frames, registers, operand_bits] {
            let start = small.case;
            step(&start, &mut |case| {
                let found = if is_sound(&case) { judge.finding(&case) } else { None };
                if let Some(found) = found {
                    small = found;
                }
                found.is_some()
            });
        }
        if small.case == before {
            break;
        }
    }
    small
}

/// Whether the case has a window that decodes to it, and registers that hold what it reads.
fn is_sound(case: &Case) -> bool {
    if consistent(case.target, &case.instruction, case.inputs) != case.inputs {
        return false;
    }
    let window = encode(case.target, &case.instruction);
    window.is_ok_and(|window| decode(case.target, &window).is_ok_and(|read| read.instruction == case.instruction))
}

/// Takes a case if the finding remains; says whether it did.
type Try<'a> = &'a mut dyn FnMut(Case) -> bool;

/// Modifiers, MODE and readings.
fn frames(start: &Case, take: Try<'_>) {
    let mut case = *start;
    let mut attempt = |case: &mut Case, change: &dyn Fn(&mut Case)| {
        let mut next = *case;
        change(&mut next);
        next.inputs = tidy(next.target, &next.instruction, next.inputs);
        if next != *case && take(next) {
            *case = next;
        }
    };
    let plain = Instruction::plain(case.instruction.opcode, 0, case.instruction.src);
    attempt(&mut case, &|case| case.mode = Mode::default().on(case.target));
    attempt(&mut case, &|case| case.readings = Readings::of(case.target));
    attempt(&mut case, &|case| case.instruction = plain);
    attempt(&mut case, &|case| case.instruction.dpp = None);
    attempt(&mut case, &|case| case.instruction.clamp = false);
    for (slot, bit) in [1, 2, 4_u8].into_iter().enumerate() {
        // A negated operand as one of the other sign.
        attempt(&mut case, &|case| {
            let instruction = &mut case.instruction;
            let is_mix = matches!(instruction.opcode.operation, Some(Operation::Mix(_)));
            let low = sign_place(instruction, slot, instruction.op_sel);
            let high = sign_place(instruction, slot, instruction.op_sel_hi);
            let flipped = if instruction.neg_lo & bit != 0 { low } else { 0 };
            let also = if instruction.neg_hi & bit != 0 && !is_mix { high } else { 0 };
            case.inputs.src[slot] ^= flipped ^ also;
            instruction.neg_lo &= !bit;
            instruction.neg_hi &= if is_mix { 7 } else { !bit };
        });
        // A selected half where it is read without selecting.
        attempt(&mut case, &|case| unselect(case, slot, plain.op_sel_hi));
        attempt(&mut case, &|case| case.instruction.neg_lo &= !bit);
        attempt(&mut case, &|case| case.instruction.neg_hi &= !bit);
        attempt(&mut case, &|case| case.instruction.op_sel &= !bit);
        attempt(&mut case, &|case| {
            case.instruction.op_sel_hi = case.instruction.op_sel_hi & !bit | plain.op_sel_hi & bit;
        });
    }
    // Each field of MODE.
    for mask in [0x3, 0xc, 0x30, 0xc0, 0x100, 0x200, 0x80_0000] {
        attempt(&mut case, &|case| {
            case.mode.raw = case.mode.raw & !mask | Mode::default().on(case.target).raw & mask;
        });
    }
    for row in &QUESTIONS {
        let default = row.default_on(case.target).0.reading;
        attempt(&mut case, &|case| case.readings = case.readings.with(default));
    }
    attempt(&mut case, &|case| case.instruction.vdst = 0);
    attempt(&mut case, &|case| case.inputs.old = 0);
}

/// A source with OP_SEL and OP_SEL_HI at their defaults whose register has been rearranged for it; of a mix a number of
/// 16 bits as f32.
fn unselect(case: &mut Case, slot: usize, plain: u8) {
    let instruction = &mut case.instruction;
    let (bit, held) = (1_u8 << slot, case.inputs.src[slot]);
    let (low_is_high, high_is_high) = (instruction.op_sel & bit != 0, instruction.op_sel_hi & bit != 0);
    let narrow = narrow(instruction.opcode);
    let at = |width: u32, is_high: bool| held >> (if is_high { width } else { 0 }) & (u64::MAX >> (64 - width));
    case.inputs.src[slot] = match element(instruction.opcode.src[slot]) {
        Element::Mixed if high_is_high => {
            let bits = at(16, low_is_high) as u32;
            let is_finite = bits & narrow.infinity() != narrow.infinity();
            u64::from(if is_finite { F32.bits(narrow.value(bits)) } else { bits << 16 })
        }
        Element::Mixed => held,
        Element::Float(shape) if shape.width() == 32 => at(32, high_is_high) << 32 | at(32, low_is_high),
        Element::Dword => at(32, low_is_high) << 32 | at(32, low_is_high),
        _ => at(16, high_is_high) << 16 | at(16, low_is_high),
    };
    instruction.op_sel &= !bit;
    instruction.op_sel_hi = instruction.op_sel_hi & !bit | plain & bit;
}

/// The sign bit of the half or dword of a source that a select mask picks, in its register.
fn sign_place(instruction: &Instruction, slot: usize, select: u8) -> u64 {
    let is_high = select >> slot & 1 == 1;
    let is_narrow = instruction.op_sel_hi >> slot & 1 == 1;
    match (element(instruction.opcode.src[slot]), is_high) {
        (Element::Float(shape), false) => u64::from(shape.sign()),
        (Element::Float(shape), true) => u64::from(shape.sign()) << shape.width(),
        (Element::Mixed, false) if is_narrow => 1 << 15,
        (Element::Mixed, _) => 1 << 31,
        _ => 0,
    }
}

/// Sources as v2, v4, v6, which hold what the constant or scalar stood for in none of the cases; a finding that needs
/// neither keeps none.
fn registers(start: &Case, take: Try<'_>) {
    let mut case = *start;
    for slot in 0..case.instruction.opcode.sources() {
        let mut next = case;
        next.instruction.src[slot] = Source::Vgpr(2 * slot as u8 + 2);
        let old = case.instruction.src[slot];
        if old == next.instruction.src[slot] {
            continue;
        }
        let is_constant = matches!(old, Source::Int(_) | Source::Float(_) | Source::Literal(_) | Source::Special(_));
        let bits = if is_constant { stand_ins(&next, slot) } else { vec![case.inputs.src[slot]] };
        for bits in bits {
            next.inputs.src[slot] = bits;
            let tidied = Case { inputs: tidy(next.target, &next.instruction, next.inputs), ..next };
            if take(tidied) {
                case = tidied;
                break;
            }
        }
    }
}

/// Register contents to try in place of a constant.
fn stand_ins(case: &Case, slot: usize) -> Vec<u64> {
    let ones = |(width, one): (u32, u64)| (0..64 / width).fold(0, |all, lane| all | one << (lane * width));
    vec![0, ones(lanes(case, slot)), u64::MAX, 1]
}

/// The width of a lane of a source, and 1 or 1.0 in it.
fn lanes(case: &Case, slot: usize) -> (u32, u64) {
    let opcode = case.instruction.opcode;
    match element(opcode.src[slot]) {
        Element::Float(shape) => (shape.width(), u64::from(shape.one())),
        Element::Integer => (16, 1),
        Element::Mixed if case.instruction.op_sel_hi >> slot & 1 == 1 => (16, u64::from(narrow(opcode).one())),
        Element::Mixed => (32, 0x3f80_0000),
        Element::Dword => (32, 1),
    }
}

/// Each lane of each source 0, 1 or 1.0, or with fewer bits set.
fn operand_bits(start: &Case, take: Try<'_>) {
    let mut case = *start;
    let mut attempt = |case: &mut Case, slot: usize, bits: u64| {
        let mut next = *case;
        next.inputs.src[slot] = bits;
        next.inputs = tidy(next.target, &next.instruction, next.inputs);
        if next != *case && take(next) {
            *case = next;
        }
    };
    for slot in 0..case.instruction.opcode.sources() {
        let (width, one) = lanes(&case, slot);
        attempt(&mut case, slot, 0);
        for lane in 0..64 / width {
            let mask = (u64::MAX >> (64 - width)) << (lane * width);
            let held = case.inputs.src[slot];
            let value = (held & mask) >> (lane * width);
            if value == 0 {
                continue;
            }
            attempt(&mut case, slot, held & !mask);
            if case.inputs.src[slot] != held || value == one {
                continue;
            }
            attempt(&mut case, slot, held & !mask | one << (lane * width));
            if case.inputs.src[slot] != held {
                continue;
            }
            // The sign, then the fraction from its low end.
            for bit in std::iter::once(width - 1).chain(0..width - 1) {
                let without = case.inputs.src[slot] & !(1 << (lane * width + bit));
                attempt(&mut case, slot, without);
            }
        }
    }
    if matches!(case.instruction.opcode.operation, Some(Operation::Mix(_))) {
        for bit in 0..32 {
            let mut next = case;
            next.inputs.old &= !(1 << bit);
            if next != case && take(next) {
                case = next;
            }
        }
    }
}
