//! What the bits of a binary interchange format stand for, and how a number is written in them (IEEE 754-2019 3.4).

/// A format of one sign bit, a biased exponent and a fraction, up to 32 bits in all. Exponents of up to 8 bits and
/// fractions of up to 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormatOf {
    /// Bits of the exponent, 2 to 8.
    pub exponent_bits: u32,
    /// Bits of the fraction, 1 to 23.
    pub fraction_bits: u32,
}

/// What bits stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Datum {
    Nan {
        signalling: bool,
    },
    Infinity {
        negative: bool,
    },
    /// ± `significand` · 2^`scale`; zero if the significand is.
    Number {
        negative: bool,
        significand: u32,
        scale: i32,
    },
}

impl FormatOf {
    /// 1 + 5 + 10 bits.
    pub const F16: Self = Self { exponent_bits: 5, fraction_bits: 10 };
    /// 1 + 8 + 7 bits.
    pub const BF16: Self = Self { exponent_bits: 8, fraction_bits: 7 };
    /// 1 + 8 + 23 bits.
    pub const F32: Self = Self { exponent_bits: 8, fraction_bits: 23 };
    /// 1 + 4 + 3 bits with infinities and NaNs: small enough to try everything.
    pub const F8: Self = Self { exponent_bits: 4, fraction_bits: 3 };

    /// Bits in all.
    #[must_use]
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// The sign bit.
    pub(super) const fn sign(self) -> u32 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// The bit that tells a quiet NaN from a signalling one.
    pub(super) const fn quiet(self) -> u32 {
        1 << (self.fraction_bits - 1)
    }

    /// The largest number is 2^`top` · (2 − one unit), the smallest normal one 2^(1 − `top`).
    pub(super) const fn top(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// All subnormal numbers are multiples of 2 to this power.
    pub(super) const fn grid(self) -> i32 {
        1 - self.top() - self.fraction_bits as i32
    }

    /// ±∞.
    pub(super) const fn infinity(self, negative: bool) -> u32 {
        let exponent = ((1u32 << self.exponent_bits) - 1) << self.fraction_bits;
        if negative { exponent | self.sign() } else { exponent }
    }

    /// The finite number of the largest magnitude.
    pub(super) const fn largest(self, negative: bool) -> u32 {
        self.infinity(negative) - 1
    }

    /// ±0.
    pub(super) const fn zero(self, negative: bool) -> u32 {
        if negative { self.sign() } else { 0 }
    }

    /// The NaN of an operation without a value: quiet, no other payload.
    pub(super) const fn default_nan(self, negative: bool) -> u32 {
        self.infinity(negative) | self.quiet()
    }

    /// What bits stand for.
    pub(super) const fn read(self, bits: u32) -> Datum {
        let negative = bits & self.sign() != 0;
        let field = bits >> self.fraction_bits & ((1 << self.exponent_bits) - 1);
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let all_ones = (1 << self.exponent_bits) - 1;
        if field == all_ones {
            return match fraction {
                0 => Datum::Infinity { negative },
                _ => Datum::Nan { signalling: fraction & self.quiet() == 0 },
            };
        }
        if field == 0 {
            return Datum::Number { negative, significand: fraction, scale: self.grid() };
        }
        let significand = fraction | 1 << self.fraction_bits;
        Datum::Number { negative, significand, scale: self.grid() + field as i32 - 1 }
    }

    /// The bits of ± `significand` · 2^`scale`, which must be a number of the format.
    pub(super) const fn write(self, negative: bool, significand: u32, scale: i32) -> u32 {
        if significand == 0 {
            return self.zero(negative);
        }
        let hidden = 1u32 << self.fraction_bits;
        // In units of the grid the number is significand · 2^above; with the hidden bit in its place the exponent
        // field is one more than what is left of that power.
        let lead = 31 - significand.leading_zeros() as i32;
        let above = scale - self.grid();
        let magnitude = if lead + above < self.fraction_bits as i32 {
            shifted(significand, above)
        } else {
            let up = self.fraction_bits as i32 - lead;
            let field = (above - up + 1) as u32;
            field << self.fraction_bits | shifted(significand, up) & (hidden - 1)
        };
        self.zero(negative) | magnitude
    }
}

/// Shifted left, right where `by` is negative.
const fn shifted(value: u32, by: i32) -> u32 {
    if by < 0 { value >> -by } else { value << by }
}

impl Datum {
    /// Whether it is a number below the normal range of a format of this description, and not zero.
    pub(super) const fn is_subnormal(self, format: FormatOf) -> bool {
        match self {
            Self::Number { significand, .. } => significand != 0 && significand >> format.fraction_bits == 0,
            _ => false,
        }
    }

    pub(super) const fn is_nan(self) -> bool {
        matches!(self, Self::Nan { .. })
    }

    pub(super) const fn is_signalling(self) -> bool {
        matches!(self, Self::Nan { signalling: true })
    }

    pub(super) const fn is_infinite(self) -> bool {
        matches!(self, Self::Infinity { .. })
    }

    pub(super) const fn is_finite(self) -> bool {
        matches!(self, Self::Number { .. })
    }

    pub(super) const fn is_zero(self) -> bool {
        matches!(self, Self::Number { significand: 0, .. })
    }

    /// Its sign; false of a NaN, which has none.
    pub(super) const fn is_negative(self) -> bool {
        match self {
            Self::Nan { .. } => false,
            Self::Infinity { negative } | Self::Number { negative, .. } => negative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(negative: bool, significand: u32, scale: i32) -> Datum {
        Datum::Number { negative, significand, scale }
    }

    #[test]
    fn bits_stand_for_these_values() {
        // IEEE 754-2019 table 3.5: binary16 has bias 15, so 3c00 is 1024 · 2^-10 and 0001 is 2^-24.
        assert_eq!(FormatOf::F16.read(0x3c00), number(false, 1024, -10));
        assert_eq!(FormatOf::F16.read(0x8001), number(true, 1, -24));
        assert_eq!(FormatOf::F16.read(0x7bff), number(false, 2047, 5));
        assert_eq!(FormatOf::F16.read(0x0400), number(false, 1024, -24));
        assert_eq!(FormatOf::F16.read(0xfc00), Datum::Infinity { negative: true });
        assert_eq!(FormatOf::F16.read(0x7c01), Datum::Nan { signalling: true });
        assert_eq!(FormatOf::F16.read(0xfe00), Datum::Nan { signalling: false });
        assert_eq!(FormatOf::F32.read(0x3f80_0000), number(false, 1 << 23, -23));
        assert_eq!(FormatOf::F32.read(0x0000_0001), number(false, 1, -149));
        assert_eq!(FormatOf::BF16.read(0x3f80), number(false, 128, -7));
        assert_eq!(FormatOf::F8.read(0x38), number(false, 8, -3));
    }

    #[test]
    fn particular_bits() {
        let f16 = FormatOf::F16;
        assert_eq!((f16.infinity(true), f16.largest(false), f16.default_nan(true)), (0xfc00, 0x7bff, 0xfe00));
        let f32 = FormatOf::F32;
        assert_eq!((f32.largest(true), f32.default_nan(true)), (0xff7f_ffff, 0xffc0_0000));
        let bf16 = FormatOf::BF16;
        assert_eq!((bf16.largest(false), bf16.default_nan(true)), (0x7f7f, 0xffc0));
    }

    #[test]
    fn numbers_written_are_those_read() {
        for format in [FormatOf::F8, FormatOf::F16, FormatOf::BF16] {
            for bits in 0..1 << format.width() {
                if let Datum::Number { negative, significand, scale } = format.read(bits) {
                    assert_eq!(format.write(negative, significand, scale), bits, "{format:?} {bits:x}");
                    // The same number with the significand as small as can be.
                    let zeros = if significand == 0 { 0 } else { significand.trailing_zeros() };
                    assert_eq!(format.write(negative, significand >> zeros, scale + zeros as i32), bits);
                }
            }
        }
        // 3 · 2^-25 = 1.5 · 2^-24 as f32: 67400000 has exponent field 0x67 = 103 = 127 - 24.
        assert_eq!(FormatOf::F32.write(false, 3, -25), 0x33c0_0000);
    }
}
