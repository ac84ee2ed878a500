//! Packed floats: the same operation on two halves, or on two dwords.

use super::arithmetic::{self, Env};
use super::environment::{self, clamp};
use super::format::{Bf16, F16, F32, Format};
use super::minmax::{self, Family};
use super::mode::ModeFields;
use super::operands::Operands;
use super::watch::{Step, Watch};
use crate::isa::{self, Operation};
use crate::question::Mode;
use crate::question::{Question, Reading};

/// A packed float operation; `None` if it is none, or if there are no such floats.
#[inline]
pub(super) fn execute<W: Watch>(operation: Operation, operands: &Operands, mode: Mode, watch: &mut W) -> Option<u64> {
    let readings = operands.readings;
    match operands.instruction.opcode.vdst {
        isa::Format::Pk2F16 => lanes::<F16, W>(operation, operands, &environment::f16(mode, readings), mode, watch),
        isa::Format::Pk2Bf16 => lanes::<Bf16, W>(operation, operands, &environment::bf16(mode, readings), mode, watch),
        isa::Format::Pk2F32 => lanes::<F32, W>(operation, operands, &environment::f32(mode, readings), mode, watch),
        _ => None,
    }
}

fn lanes<F: Format, W: Watch>(
    operation: Operation,
    operands: &Operands,
    env: &Env,
    mode: Mode,
    watch: &mut W,
) -> Option<u64> {
    let mut packed = 0;
    for lane in 0..2 {
        watch.see(|| Step::Lane(lane as u8));
        watch.see(|| Step::Environment(*env));
        let bits = gather::<F, W>(operands, lane, watch);
        let result = result::<F, W>(operation, bits, operands, env, mode, watch)?;
        // CDNA4's MINIMUM3 and MAXIMUM3 are as with DX10_CLAMP; elsewhere these exist only where it is always set.
        let propagates = matches!(operation, Operation::Minimum3 | Operation::Maximum3);
        let result = if operands.instruction.clamp {
            watch.see(|| Step::Uses(Question::Clamp));
            clamp::<F, W>(result, mode.dx10_clamp() || propagates, watch)
        } else {
            result
        };
        watch.see(|| Step::Result(result));
        packed |= u64::from(result) << (lane * F::WIDTH);
    }
    Some(packed)
}

/// The operands of a lane. NEG flips the sign for the low result, NEG_HI for the high one.
#[inline(always)]
fn gather<F: Format, W: Watch>(operands: &Operands, lane: u32, watch: &mut W) -> [u32; 3] {
    let instruction = operands.instruction;
    let neg = if lane == 0 { instruction.neg_lo } else { instruction.neg_hi };
    let mut bits = [0; 3];
    for (slot, bits) in bits.iter_mut().enumerate().take(instruction.opcode.sources()) {
        let selected =
            if F::WIDTH == 32 { operands.dword(slot, lane, watch) } else { operands.half(slot, lane, watch) };
        *bits = selected ^ if neg >> slot & 1 == 1 { F::SIGN } else { 0 };
        watch.see(|| Step::Operand { slot: slot as u8, bits: *bits, width: F::WIDTH as u8 });
    }
    bits
}

#[inline(always)]
fn result<F: Format, W: Watch>(
    operation: Operation,
    bits: [u32; 3],
    operands: &Operands,
    env: &Env,
    mode: Mode,
    watch: &mut W,
) -> Option<u32> {
    let [a, b, c] = bits;
    let is_arithmetic = matches!(operation, Operation::Fma | Operation::Add | Operation::Mul);
    if is_arithmetic && F::WIDTH == 16 && F::EXPONENT_BITS == Bf16::EXPONENT_BITS {
        watch.see(|| Step::Uses(Question::Bf16Round));
    }
    let legacy = Family::Legacy { ieee: mode.ieee() };
    let (family, is_max, is_nested) = match operation {
        Operation::Fma => return Some(arithmetic::fma::<F, F, W>(bits, env, watch)),
        Operation::Add => return Some(arithmetic::add::<F, W>([a, b], env, watch)),
        Operation::Mul => return Some(arithmetic::mul::<F, W>([a, b], env, watch)),
        Operation::Min => (legacy, false, false),
        Operation::Max => (legacy, true, false),
        Operation::MinNum => (Family::Number, false, false),
        Operation::MaxNum => (Family::Number, true, false),
        Operation::Min3Num => (Family::Number, false, true),
        Operation::Max3Num => (Family::Number, true, true),
        Operation::Minimum => (Family::Propagating, false, false),
        Operation::Maximum => (Family::Propagating, true, false),
        Operation::Minimum3 => (Family::Propagating, false, true),
        Operation::Maximum3 => (Family::Propagating, true, true),
        _ => return None,
    };
    let readings = operands.readings;
    let propagates = family == Family::Propagating;
    if propagates && env.flush_inputs && bits.iter().any(|bits| F::is_subnormal(*bits)) {
        watch.see(|| Step::Uses(Question::MinimumFlush));
    }
    let flushes = env.flush_inputs && !(propagates && readings.has(Reading::MinimumKeepsInputs));
    let env = Env { flush_inputs: flushes, ..*env };
    let a = arithmetic::flush_input::<F, W>(a, 0, &env, watch);
    let b = arithmetic::flush_input::<F, W>(b, 1, &env, watch);
    let of_two = minmax::select::<F, W>(family, is_max, [a, b], readings, watch);
    if !is_nested {
        return Some(of_two);
    }
    let c = arithmetic::flush_input::<F, W>(c, 2, &env, watch);
    Some(minmax::select::<F, W>(family, is_max, [of_two, c], readings, watch))
}
