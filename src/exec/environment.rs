//! MODE and readings as what arithmetic asks for, format by format.
//!
//! Source: the MODE tables of the manuals. f16 follows the fields of f16 and f64, f32 those of f32; packed bf16 is
//! rounded to nearest and keeps subnormals (CDNA5 manual, packed BF16).

use super::arithmetic::{Env, NarrowNan, Rounding};
use super::format::Format;
use super::mode::{Denorm, ModeFields};
use super::watch::{Step, Watch};
use crate::question::Mode;
use crate::question::{Reading, Readings};

fn with(rounding: Rounding, denorm: Denorm, overflow_to_max: bool, mode: Mode, readings: Readings) -> Env {
    Env {
        rounding,
        flush_inputs: denorm.flush_inputs,
        flush_outputs: denorm.flush_outputs,
        tiny_before_rounding: readings.has(Reading::TinyBefore),
        overflow_to_max,
        quiet: mode.ieee(),
        signalling_first: readings.has(Reading::NanSignallingFirst),
        addend_over_invalid: readings.has(Reading::AddendNanFirst),
        positive_default: readings.has(Reading::DefaultNanPositive),
        narrow_nan: if readings.has(Reading::NarrowNanCut) {
            NarrowNan::Cut
        } else if readings.has(Reading::NarrowNanKeep) {
            NarrowNan::KeepNan
        } else {
            NarrowNan::Quiet
        },
    }
}

/// What decides f16 results under a MODE that is as the target has it ([`Mode::on`]).
#[must_use]
pub fn f16(mode: Mode, readings: Readings) -> Env {
    with(mode.round_f16(), mode.denorm_f16(), mode.fp16_ovfl(), mode, readings)
}

/// What decides f32 results. FP16_OVFL says nothing of them.
#[must_use]
pub fn f32(mode: Mode, readings: Readings) -> Env {
    with(mode.round_f32(), mode.denorm_f32(), false, mode, readings)
}

/// What decides results of packed bf16. Source: CDNA5 manual, packed BF16; FP16_OVFL covers it there.
#[must_use]
pub fn bf16(mode: Mode, readings: Readings) -> Env {
    let rounding = if readings.has(Reading::Bf16Truncates) { Rounding::Zero } else { Rounding::NearestEven };
    let kept = Denorm { flush_inputs: false, flush_outputs: false };
    with(rounding, kept, mode.fp16_ovfl(), mode, readings)
}

/// The environments of a mix instruction, stage by stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixEnv {
    /// Whether a subnormal source of 16 bits counts as zero.
    pub flush_sources: bool,
    /// The sum, or the fused multiply-add, in f32.
    pub sum: Env,
    /// The product in f32, where it is rounded.
    pub product: Env,
    /// The result of 16 bits, where it is rounded from an f32 or from the exact value.
    pub narrow: Env,
}

impl MixEnv {
    /// What decides mix results under a MODE that is as the target has it.
    #[must_use]
    pub fn new(mode: Mode, readings: Readings) -> Self {
        let (round_f16, round_f32) = (mode.round_f16(), mode.round_f32());
        let (denorm_f16, denorm_f32) = (mode.denorm_f16(), mode.denorm_f32());
        let is_f32_source = readings.has(Reading::MixSourceF32Field);
        let is_f32_rounding = readings.has(Reading::MixRoundF32Field);
        let is_f32_denorm = readings.has(Reading::MixDenormF32Field);
        let always = readings.has(Reading::MixFlushAlways);
        let narrow = always || readings.has(Reading::MixFlushNarrow);
        let both = |denorm: Denorm, or: bool| Denorm {
            flush_inputs: denorm.flush_inputs || or,
            flush_outputs: denorm.flush_outputs || or,
        };
        let sum = with(round_f32, both(denorm_f32, always), false, mode, readings);
        let nearest = readings.has(Reading::MadProductNearest);
        let product = Env { rounding: if nearest { Rounding::NearestEven } else { round_f32 }, ..sum };
        let result = both(if is_f32_denorm { denorm_f32 } else { denorm_f16 }, narrow);
        // Operands of the last rounding are f32, so that the f32 field says whether they are flushed.
        let result = Denorm { flush_inputs: sum.flush_inputs, ..result };
        let rounding = if is_f32_rounding { round_f32 } else { round_f16 };
        Self {
            flush_sources: narrow || if is_f32_source { denorm_f32 } else { denorm_f16 }.flush_inputs,
            sum,
            product,
            narrow: with(rounding, result, mode.fp16_ovfl(), mode, readings),
        }
    }
}

/// CLAMP of a float: into 0 to 1, −0 as +0; a NaN becomes +0 under DX10_CLAMP and else stays. Source: CLAMP in the
/// VOP3P field tables, DX10_CLAMP in the MODE tables.
#[inline(always)]
pub fn clamp<F: Format, W: Watch>(bits: u32, dx10_clamp: bool, watch: &mut W) -> u32 {
    let to = if F::is_nan(bits) {
        if dx10_clamp { 0 } else { bits }
    } else if F::is_negative(bits) {
        0
    } else {
        bits.min(F::ONE)
    };
    watch.see(|| Step::Clamped { from: bits, to });
    to
}

#[cfg(test)]
mod tests {
    use super::super::format::{Bf16, F16, F32};
    use super::*;

    fn mode(text: &str) -> Mode {
        text.parse().unwrap()
    }

    fn readings() -> Readings {
        Readings::of("gfx1100".parse().unwrap())
    }

    #[test]
    fn each_format_follows_its_own_fields() {
        let mode = mode("round.f16=+inf,round.f32=zero,denorm.f16=flush-in,denorm.f32=flush-out,ieee=0,fp16_ovfl=1");
        let f16 = f16(mode, readings());
        assert_eq!((f16.rounding, f16.flush_inputs, f16.flush_outputs), (Rounding::Up, true, false));
        assert_eq!((f16.overflow_to_max, f16.quiet), (true, false));
        let f32 = f32(mode, readings());
        assert_eq!((f32.rounding, f32.flush_inputs, f32.flush_outputs), (Rounding::Zero, false, true));
        assert!(!f32.overflow_to_max);
        let bf16 = bf16(mode, readings());
        assert_eq!((bf16.rounding, bf16.flush_inputs, bf16.flush_outputs), (Rounding::NearestEven, false, false));
        assert!(bf16.overflow_to_max);
        assert_eq!(super::bf16(mode, readings().with(Reading::Bf16Truncates)).rounding, Rounding::Zero);
        assert_eq!(super::f16(Mode::default(), readings()), Env::DEFAULT);
    }

    #[test]
    fn readings_of_nans_and_tininess() {
        let readings = readings()
            .with(Reading::TinyBefore)
            .with(Reading::NanSignallingFirst)
            .with(Reading::AddendNanFirst)
            .with(Reading::DefaultNanPositive)
            .with(Reading::NarrowNanKeep);
        let env = f32(Mode::default(), readings);
        assert!(env.tiny_before_rounding && env.signalling_first && env.addend_over_invalid && env.positive_default);
        assert_eq!(env.narrow_nan, NarrowNan::KeepNan);
        assert_eq!(f32(Mode::default(), readings.with(Reading::NarrowNanCut)).narrow_nan, NarrowNan::Cut);
    }

    #[test]
    fn mix_takes_the_fields_that_its_readings_name() {
        let flags = |env: MixEnv| {
            [env.flush_sources, env.sum.flush_inputs, env.sum.flush_outputs, env.narrow.flush_outputs].map(u8::from)
        };
        let kept = mode("denorm.f16=keep,denorm.f32=flush");
        assert_eq!(flags(MixEnv::new(kept, readings())), [0, 1, 1, 0]);
        assert_eq!(flags(MixEnv::new(kept, readings().with(Reading::MixSourceF32Field))), [1, 1, 1, 0]);
        assert_eq!(flags(MixEnv::new(kept, readings().with(Reading::MixDenormF32Field))), [0, 1, 1, 1]);
        assert_eq!(flags(MixEnv::new(Mode::default(), readings().with(Reading::MixFlushAlways))), [1, 1, 1, 1]);
        assert_eq!(flags(MixEnv::new(Mode::default(), readings().with(Reading::MixFlushNarrow))), [1, 0, 0, 1]);
        let rounded = mode("round.f16=+inf,round.f32=zero");
        let roundings = |env: MixEnv| [env.product.rounding, env.sum.rounding, env.narrow.rounding];
        use Rounding::{NearestEven, Up, Zero};
        assert_eq!(roundings(MixEnv::new(rounded, readings())), [Zero, Zero, Up]);
        assert_eq!(roundings(MixEnv::new(rounded, readings().with(Reading::MixRoundF32Field))), [Zero, Zero, Zero]);
        let nearest = MixEnv::new(rounded, readings().with(Reading::MadProductNearest));
        assert_eq!(roundings(nearest), [NearestEven, Zero, Up]);
    }

    #[test]
    fn clamp_holds_floats_in_0_to_1() {
        let f16 = |bits| clamp::<F16, ()>(bits, true, &mut ());
        // -0, -1, +0, the smallest, 1, the next, +inf, -inf.
        let values = [0x8000, 0xbc00, 0, 1, 0x3c00, 0x3c01, 0x7c00, 0xfc00];
        assert_eq!(values.map(f16), [0, 0, 0, 1, 0x3c00, 0x3c00, 0x3c00, 0]);
        assert_eq!([0x7e01, 0xfc01].map(f16), [0, 0]);
        // DX10_CLAMP = 0: fc01 stays (capture of v_log_f16 on gfx1100, ROCm/rocm-systems emulation/rocjitsu).
        assert_eq!(clamp::<F16, ()>(0xfc01, false, &mut ()), 0xfc01);
        assert_eq!(clamp::<F32, ()>(0x4000_0000, true, &mut ()), 0x3f80_0000);
        assert_eq!(clamp::<Bf16, ()>(0x4000, true, &mut ()), 0x3f80);
    }
}
