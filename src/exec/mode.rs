//! The fields of MODE, as the arithmetic reads them.
//!
//! Source: the MODE tables of the manuals, "Wave state". FP_ROUND 3:0 (f32 in 1:0, f16 and f64 in 3:2), FP_DENORM 7:4
//! likewise, DX10_CLAMP 8, IEEE 9, FP16_OVFL 23.

use super::arithmetic::Rounding;
use crate::question::Mode;

/// What happens to subnormal numbers: a field of FP_DENORM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Denorm {
    /// Whether subnormal operands count as zeros (bit 0 of the field clear).
    pub flush_inputs: bool,
    /// Whether subnormal results become zeros (bit 1 of the field clear).
    pub flush_outputs: bool,
}

impl Denorm {
    const fn of_field(field: u32) -> Self {
        Self { flush_inputs: field & 1 == 0, flush_outputs: field & 2 == 0 }
    }
}

/// A MODE that is as the target has it ([`Mode::on`]), field by field. A trait of `exec`, so that whoever else reads MODE
/// reads its bits on his own.
pub trait ModeFields {
    /// FP_ROUND for f32.
    fn round_f32(self) -> Rounding;
    /// FP_ROUND for f16 and f64.
    fn round_f16(self) -> Rounding;
    /// FP_DENORM for f32.
    fn denorm_f32(self) -> Denorm;
    /// FP_DENORM for f16 and f64.
    fn denorm_f16(self) -> Denorm;
    /// DX10_CLAMP: whether CLAMP makes a NaN +0.
    fn dx10_clamp(self) -> bool;
    /// IEEE: whether a signalling NaN becomes quiet, and minimum and maximum treat it as IEEE 754-2008 does.
    fn ieee(self) -> bool;
    /// FP16_OVFL: whether an f16 result of finite operands never is an infinity.
    fn fp16_ovfl(self) -> bool;
}

impl ModeFields for Mode {
    #[inline]
    fn round_f32(self) -> Rounding {
        Rounding::ALL[(self.raw & 3) as usize]
    }

    #[inline]
    fn round_f16(self) -> Rounding {
        Rounding::ALL[(self.raw >> 2 & 3) as usize]
    }

    #[inline]
    fn denorm_f32(self) -> Denorm {
        Denorm::of_field(self.raw >> 4)
    }

    #[inline]
    fn denorm_f16(self) -> Denorm {
        Denorm::of_field(self.raw >> 6)
    }

    #[inline]
    fn dx10_clamp(self) -> bool {
        self.raw >> 8 & 1 != 0
    }

    #[inline]
    fn ieee(self) -> bool {
        self.raw >> 9 & 1 != 0
    }

    #[inline]
    fn fp16_ovfl(self) -> bool {
        self.raw >> 23 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_nearest_even_with_subnormals_kept() {
        let mode = Mode::default();
        assert_eq!((mode.round_f32(), mode.round_f16()), (Rounding::NearestEven, Rounding::NearestEven));
        assert_eq!(mode.denorm_f32(), Denorm { flush_inputs: false, flush_outputs: false });
        assert_eq!((mode.ieee(), mode.dx10_clamp(), mode.fp16_ovfl()), (true, true, false));
    }

    #[test]
    fn each_field_has_its_bits() {
        // FP_ROUND 1 for f32 and 2 for f16; FP_DENORM 2 for f32 and 1 for f16; DX10_CLAMP alone; FP16_OVFL.
        let mode = Mode { raw: 0x80_0169 };
        assert_eq!((mode.round_f32(), mode.round_f16()), (Rounding::Up, Rounding::Down));
        assert_eq!(mode.denorm_f32(), Denorm { flush_inputs: true, flush_outputs: false });
        assert_eq!(mode.denorm_f16(), Denorm { flush_inputs: false, flush_outputs: true });
        assert_eq!((mode.dx10_clamp(), mode.ieee(), mode.fp16_ovfl()), (true, false, true));
    }
}
