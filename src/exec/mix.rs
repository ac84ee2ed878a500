//! Mixed precision: `a · b + c` of sources that are f32 or 16 bits wide, in f32, to f32 or 16 bits.
//!
//! Source: V_MAD_MIX and V_FMA_MIX in the manuals. Whether the product is rounded and how often a result of 16 bits is
//! are questions of the profile.

use super::arithmetic::{self, Env};
use super::environment::{MixEnv, clamp};
use super::format::{Bf16, F16, F32, Format};
use super::mode::ModeFields;
use super::operands::Operands;
use super::watch::{Step, Watch};
use crate::isa::{self, Part};
use crate::question::Mode;
use crate::question::{Question, Reading};

/// A mix instruction.
#[inline]
pub(super) fn execute<W: Watch>(part: Part, operands: &Operands, mode: Mode, watch: &mut W) -> u64 {
    if operands.instruction.opcode.amd.ends_with("_BF16") {
        mix::<Bf16, W>(part, operands, mode, watch)
    } else {
        mix::<F16, W>(part, operands, mode, watch)
    }
}

fn mix<N: Format, W: Watch>(part: Part, operands: &Operands, mode: Mode, watch: &mut W) -> u64 {
    let instruction = operands.instruction;
    let env = MixEnv::new(mode, operands.readings);
    watch.see(|| Step::Lane(u8::from(part == Part::High)));
    let bits = [0, 1, 2].map(|slot| source::<N, W>(operands, slot, &env, watch));
    let is_finite = bits.iter().all(|bits| F32::magnitude(*bits) < F32::INFINITY);
    if is_product_finite(bits) && !F32::is_nan(bits[2]) {
        watch.see(|| Step::Uses(Question::MixFusion));
    }
    let result = if instruction.opcode.vdst == isa::Format::F32 {
        let result = sum::<W>(bits, &env, operands, watch);
        clamped::<F32, W>(result, operands, mode, watch)
    } else {
        let result = narrow::<N, W>(bits, is_finite, &env, operands, watch);
        clamped::<N, W>(result, operands, mode, watch)
    };
    watch.see(|| Step::Result(result));
    u64::from(match part {
        Part::Whole => result,
        Part::Low => operands.inputs.old & 0xffff_0000 | result,
        Part::High => operands.inputs.old & 0xffff | result << 16,
    })
}

fn clamped<F: Format, W: Watch>(bits: u32, operands: &Operands, mode: Mode, watch: &mut W) -> u32 {
    if !operands.instruction.clamp {
        return bits;
    }
    watch.see(|| Step::Uses(Question::Clamp));
    clamp::<F, W>(bits, mode.dx10_clamp(), watch)
}

/// A source as f32: selected, NEG_HI as absolute value, then NEG, then flushed and widened if it is of 16 bits.
#[inline]
fn source<N: Format, W: Watch>(operands: &Operands, slot: usize, env: &MixEnv, watch: &mut W) -> u32 {
    let instruction = operands.instruction;
    let is_narrow = instruction.op_sel_hi >> slot & 1 == 1;
    let is_bf16 = N::EXPONENT_BITS == Bf16::EXPONENT_BITS;
    let bits = if is_narrow { operands.mix_half(slot, is_bf16, watch) } else { operands.mix_f32(slot) };
    let sign = if is_narrow { N::SIGN } else { F32::SIGN };
    let bits = if instruction.neg_hi >> slot & 1 == 1 { bits & !sign } else { bits };
    let bits = if instruction.neg_lo >> slot & 1 == 1 { bits ^ sign } else { bits };
    watch.see(|| Step::Operand { slot: slot as u8, bits, width: if is_narrow { 16 } else { 32 } });
    if !is_narrow {
        if F32::is_subnormal(bits) {
            watch.see(|| Step::Uses(Question::MixFlush));
        }
        return bits;
    }
    if N::is_subnormal(bits) {
        watch.see(|| Step::Uses(Question::MixFlush));
        watch.see(|| Step::Uses(Question::MixSourceDenorm));
    }
    let flush = Env { flush_inputs: env.flush_sources, ..Env::DEFAULT };
    let bits = arithmetic::flush_input::<N, W>(bits, slot as u8, &flush, watch);
    // Every number of 16 bits is an f32, so nothing is rounded; a NaN keeps its payload, in the high bits.
    let bits = arithmetic::convert::<N, F32, ()>(bits, &Env::DEFAULT, &mut ());
    watch.see(|| Step::Widened { slot: slot as u8, bits });
    bits
}

/// Whether the exact product is a finite number.
#[inline]
fn is_product_finite([a, b, _]: [u32; 3]) -> bool {
    F32::magnitude(a) < F32::INFINITY && F32::magnitude(b) < F32::INFINITY
}

/// `a · b + c` in f32.
#[inline]
fn sum<W: Watch>(bits: [u32; 3], env: &MixEnv, operands: &Operands, watch: &mut W) -> u32 {
    let product = unfused_product(bits, env, operands, watch);
    watch.see(|| Step::Environment(env.sum));
    let result = match product {
        Some(product) => arithmetic::add::<F32, W>([product, bits[2]], &env.sum, watch),
        None => arithmetic::fma::<F32, F32, W>(bits, &env.sum, watch),
    };
    if F32::magnitude(result) <= F32::FRACTION + 1 && bits[..2].iter().all(|bits| !F32::is_zero(*bits)) {
        watch.see(|| Step::Uses(Question::MixFlush));
    }
    result
}

/// The rounded product, where mix is unfused: a multiplication and an addition, each with its own choice of NaNs.
#[inline]
fn unfused_product<W: Watch>(bits: [u32; 3], env: &MixEnv, operands: &Operands, watch: &mut W) -> Option<u32> {
    if !operands.readings.has(Reading::MixUnfused) {
        return None;
    }
    if is_product_finite(bits) {
        watch.see(|| Step::Uses(Question::MadProductRound));
    }
    watch.see(|| Step::Environment(env.product));
    let product = arithmetic::mul::<F32, W>([bits[0], bits[1]], &env.product, watch);
    watch.see(|| Step::Intermediate(product));
    Some(product)
}

/// `a · b + c` in 16 bits.
#[inline]
fn narrow<N: Format, W: Watch>(
    bits: [u32; 3],
    is_finite: bool,
    env: &MixEnv,
    operands: &Operands,
    watch: &mut W,
) -> u32 {
    if is_finite {
        watch.see(|| Step::Uses(Question::MixRounding));
        watch.see(|| Step::Uses(Question::MixResultRound));
    }
    let result = if operands.readings.has(Reading::MixSingle) {
        // Times one, a rounded product is itself: its sum with the addend is rounded once.
        let product = unfused_product(bits, env, operands, watch);
        let terms = product.map_or(bits, |product| [product, F32::ONE, bits[2]]);
        watch.see(|| Step::Environment(env.narrow));
        arithmetic::fma::<F32, N, W>(terms, &env.narrow, watch)
    } else {
        let wide = sum::<W>(bits, env, operands, watch);
        watch.see(|| Step::Intermediate(wide));
        watch.see(|| Step::Environment(env.narrow));
        arithmetic::convert::<F32, N, W>(wide, &env.narrow, watch)
    };
    // Already f32 was too small for what finite operands give.
    let result = if is_finite && env.narrow.overflow_to_max && N::is_infinite(result) {
        let result = result - 1;
        watch.see(|| Step::Overflow { result });
        result
    } else {
        result
    };
    if N::magnitude(result) <= N::FRACTION + 1 && bits.iter().any(|bits| !F32::is_zero(*bits)) {
        watch.see(|| Step::Uses(Question::MixFlush));
        watch.see(|| Step::Uses(Question::MixResultDenorm));
    }
    result
}
