//! MODE, the target and the readings, as what each kind of operation asks.

use super::bits::FormatOf;
use super::rules::{Rounding, Rules};
use crate::isa::{Generation, Target};
use crate::question::{Mode, Reading, Readings};

/// What an instruction computes under.
#[derive(Clone, Copy, Debug)]
pub(super) struct Environment {
    mode: u32,
    readings: Readings,
    generation: Generation,
}

/// What mix flushes.
#[derive(Clone, Copy, Debug)]
pub(super) struct MixFlush {
    /// Subnormal sources of 16 bits.
    pub narrow_sources: bool,
    /// Subnormal results of 16 bits.
    pub narrow_results: bool,
    /// Subnormal f32 operands.
    pub wide_in: bool,
    /// Subnormal f32 results.
    pub wide_out: bool,
}

impl Environment {
    pub(super) fn new(target: Target, mode: Mode, readings: Readings) -> Self {
        Self { mode: mode.raw, readings, generation: target.generation() }
    }

    pub(super) const fn has(&self, reading: Reading) -> bool {
        self.readings.has(reading)
    }

    /// CDNA5: a packed f32 operand that is no VGPR gives its low dword to both results (its manual, packed F32).
    pub(super) fn is_cdna5(&self) -> bool {
        self.generation == Generation::Cdna5
    }

    /// CDNA4: minimum3 and maximum3 behave as with IEEE and DX10_CLAMP set (its manual).
    pub(super) fn is_cdna4(&self) -> bool {
        self.generation == Generation::Cdna4
    }

    const fn bit(&self, bit: u32) -> bool {
        self.mode >> bit & 1 != 0
    }

    /// RDNA4 and CDNA5 have neither IEEE nor DX10_CLAMP and behave as with both (MODE tables of their manuals).
    fn lacks_ieee(&self) -> bool {
        matches!(self.generation, Generation::Rdna4 | Generation::Cdna5)
    }

    /// IEEE, bit 9.
    pub(super) fn ieee(&self) -> bool {
        self.lacks_ieee() || self.bit(9)
    }

    /// DX10_CLAMP, bit 8.
    pub(super) fn dx10_clamp(&self) -> bool {
        self.lacks_ieee() || self.bit(8)
    }

    /// FP16_OVFL, bit 23.
    const fn fp16_ovfl(&self) -> bool {
        self.bit(23)
    }

    /// FP_ROUND 1:0.
    pub(super) const fn round_f32(&self) -> Rounding {
        Rounding::of_field(self.mode)
    }

    /// FP_ROUND 3:2.
    const fn round_f16(&self) -> Rounding {
        Rounding::of_field(self.mode >> 2)
    }

    /// FP_DENORM 4 and 6: whether operands are flushed.
    pub(super) const fn flush_in_f16(&self) -> bool {
        !self.bit(6)
    }

    const fn flush_in_f32(&self) -> bool {
        !self.bit(4)
    }

    /// FP_DENORM 5 and 7: whether results are flushed.
    const fn flush_out_f16(&self) -> bool {
        !self.bit(7)
    }

    const fn flush_out_f32(&self) -> bool {
        !self.bit(5)
    }

    /// What does not depend on the format.
    fn common(&self) -> Rules {
        Rules {
            tiny_before: self.has(Reading::TinyBefore),
            quiet: self.ieee(),
            signalling_first: self.has(Reading::NanSignallingFirst),
            addend_over_invalid: self.has(Reading::AddendNanFirst),
            positive_default: self.has(Reading::DefaultNanPositive),
            ..Rules::DEFAULT
        }
    }

    /// The rules of a packed operation.
    pub(super) fn packed(&self, format: FormatOf) -> Rules {
        let common = self.common();
        match format {
            FormatOf::F16 => Rules {
                rounding: self.round_f16(),
                flush_in: self.flush_in_f16(),
                flush_out: self.flush_out_f16(),
                overflow_to_max: self.fp16_ovfl(),
                ..common
            },
            // CDNA5 manual, packed BF16: nearest even, subnormals kept, FP16_OVFL.
            FormatOf::BF16 => Rules {
                rounding: if self.has(Reading::Bf16Truncates) { Rounding::Zero } else { Rounding::NearestEven },
                overflow_to_max: self.fp16_ovfl(),
                ..common
            },
            _ => Rules {
                rounding: self.round_f32(),
                flush_in: self.flush_in_f32(),
                flush_out: self.flush_out_f32(),
                ..common
            },
        }
    }

    /// What mix flushes.
    pub(super) fn mix_flush(&self) -> MixFlush {
        let always = self.has(Reading::MixFlushAlways);
        let narrow = always || self.has(Reading::MixFlushNarrow);
        let sources = if self.has(Reading::MixSourceF32Field) { self.flush_in_f32() } else { self.flush_in_f16() };
        let results = if self.has(Reading::MixDenormF32Field) { self.flush_out_f32() } else { self.flush_out_f16() };
        MixFlush {
            narrow_sources: narrow || sources,
            narrow_results: narrow || results,
            wide_in: always || self.flush_in_f32(),
            wide_out: always || self.flush_out_f32(),
        }
    }

    /// The rules of the f32 arithmetic of mix.
    pub(super) fn mix_f32(&self) -> Rules {
        let MixFlush { wide_in, wide_out, .. } = self.mix_flush();
        Rules { rounding: self.round_f32(), flush_in: wide_in, flush_out: wide_out, ..self.common() }
    }

    /// The rules by which mix rounds to 16 bits.
    pub(super) fn mix_narrow(&self) -> Rules {
        let rounding = if self.has(Reading::MixRoundF32Field) { self.round_f32() } else { self.round_f16() };
        Rules {
            rounding,
            flush_out: self.mix_flush().narrow_results,
            // The bf16 forms exist on CDNA5 only, where FP16_OVFL covers bf16.
            overflow_to_max: self.fp16_ovfl(),
            ..self.common()
        }
    }
}
