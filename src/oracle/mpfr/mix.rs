//! The mix instructions: sources of f32 or 16 bits, arithmetic in f32, a result of f32 or 16 bits.

use super::arithmetic::{Reals, Value};
use super::bits::{Datum, FormatOf};
use super::environment::Environment;
use super::extremum;
use super::operand::{Kind, register};
use super::rules::{Rounding, Rules};
use crate::codec::Instruction;
use crate::isa::{Format, Part};
use crate::question::{Inputs, Reading};

const F32: FormatOf = FormatOf::F32;

/// The destination dword.
pub(super) fn dword(
    reals: &mut Reals,
    environment: &Environment,
    instruction: &Instruction,
    inputs: &Inputs,
    part: Part,
) -> u32 {
    let is_brain = instruction.opcode.amd.ends_with("_BF16");
    let narrow = if is_brain { FormatOf::BF16 } else { FormatOf::F16 };
    let sources = [0, 1, 2].map(|slot| source(environment, instruction, inputs, narrow, slot));
    let is_wide = instruction.opcode.vdst == Format::F32;
    let format = if is_wide { F32 } else { narrow };
    let result = if is_wide { wide(reals, environment, sources) } else { short(reals, environment, narrow, sources) };
    let result = if instruction.clamp { extremum::clamp(format, result, environment.dx10_clamp()) } else { result };
    match part {
        Part::Whole => result,
        Part::Low => inputs.old & 0xffff_0000 | result,
        Part::High => inputs.old & 0x0000_ffff | result << 16,
    }
}

/// A source as f32: selected, absolute, negated, flushed, widened.
fn source(environment: &Environment, instruction: &Instruction, inputs: &Inputs, narrow: FormatOf, slot: usize) -> u32 {
    let of_slot = |mask: u8| mask >> slot & 1 != 0;
    let is_narrow = of_slot(instruction.op_sel_hi);
    let (format, kind) = match (is_narrow, narrow) {
        (false, _) => (F32, Kind::Single),
        (true, FormatOf::BF16) => (narrow, Kind::MixBrainHalf),
        (true, _) => (narrow, Kind::MixHalf),
    };
    let held = register(environment, instruction.src[slot], kind, inputs.src[slot]) as u32;
    let mut bits = match (is_narrow, of_slot(instruction.op_sel)) {
        (false, _) => held,
        (true, false) => held & 0xffff,
        (true, true) => held >> 16,
    };
    if of_slot(instruction.neg_hi) {
        bits &= !format.sign();
    }
    if of_slot(instruction.neg_lo) {
        bits ^= format.sign();
    }
    if !is_narrow {
        return bits;
    }
    let is_flushed = environment.mix_flush().narrow_sources && format.read(bits).is_subnormal(format);
    widened(format, if is_flushed { bits & format.sign() } else { bits })
}

/// The same value as f32. A NaN keeps sign and payload, the payload at the upper end.
fn widened(format: FormatOf, bits: u32) -> u32 {
    match format.read(bits) {
        Datum::Number { negative, significand, scale } => F32.write(negative, significand, scale),
        Datum::Infinity { negative } => F32.infinity(negative),
        Datum::Nan { .. } => {
            let fraction = (bits & ((1 << format.fraction_bits) - 1)) << (F32.fraction_bits - format.fraction_bits);
            F32.infinity(bits & format.sign() != 0) | fraction
        }
    }
}

/// The f32 result.
fn wide(reals: &mut Reals, environment: &Environment, sources: [u32; 3]) -> u32 {
    let rules = environment.mix_f32();
    let value = sum(reals, environment, sources, rules.rounding);
    reals.settle(F32, value, &rules).bits
}

/// The value before the last rounding, which decides the sign of an exact zero: the exact one, or the exact sum of the
/// rounded product.
fn sum(reals: &mut Reals, environment: &Environment, sources: [u32; 3], rounding: Rounding) -> Value {
    let rules = environment.mix_f32();
    let last = Rules { rounding, ..rules };
    if !environment.has(Reading::MixUnfused) {
        return reals.fma(F32, sources, &last);
    }
    let is_nearest = environment.has(Reading::MadProductNearest);
    let product_rules = if is_nearest { Rules { rounding: Rounding::NearestEven, ..rules } } else { rules };
    let [a, b, c] = sources;
    let product = reals.mul(F32, [a, b], &product_rules);
    let product = reals.settle(F32, product, &product_rules).bits;
    reals.add(F32, [product, c], &last)
}

/// The 16-bit result, rounded once or by way of f32.
fn short(reals: &mut Reals, environment: &Environment, narrow: FormatOf, sources: [u32; 3]) -> u32 {
    let rules = environment.mix_narrow();
    let value = if environment.has(Reading::MixDouble) {
        let first = wide(reals, environment, sources);
        reals.value(F32, first)
    } else {
        sum(reals, environment, sources, rules.rounding)
    };
    match value {
        Value::Nan { bits, .. } => narrowed_nan(environment, narrow, bits),
        // An infinity that arose in f32 is an overflow as well.
        Value::Infinite { negative }
            if rules.overflow_to_max && sources.iter().all(|bits| F32.read(*bits).is_finite()) =>
        {
            narrow.largest(negative)
        }
        _ => reals.settle(narrow, value, &rules).bits,
    }
}

/// An f32 NaN in 16 bits: sign and the upper payload. What a signalling one becomes is a question.
fn narrowed_nan(environment: &Environment, narrow: FormatOf, bits: u32) -> u32 {
    let fraction = (bits & 0x007f_ffff) >> (F32.fraction_bits - narrow.fraction_bits);
    let plain = narrow.infinity(bits & F32.sign() != 0) | fraction;
    let is_signalling = F32.read(bits).is_signalling();
    match is_signalling {
        true if environment.has(Reading::NarrowNanCut) => plain,
        true if environment.has(Reading::NarrowNanKeep) && fraction == 0 => plain | 1,
        true if environment.has(Reading::NarrowNanKeep) => plain,
        true => plain | narrow.quiet(),
        false => plain,
    }
}
