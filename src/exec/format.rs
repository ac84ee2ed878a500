//! Binary floating-point formats, as their widths.

/// A binary format of IEEE 754: a sign, EXPONENT_BITS of biased exponent, FRACTION_BITS of fraction. Bits stand at the low
/// end of a `u32`.
///
/// The exact sum of a product and an addend is kept in 64 bits with a sticky bit below; that suffices for significands
/// of up to 24 bits, so for every format from 8 bits to f32.
pub trait Format: Copy {
    /// Width of the exponent.
    const EXPONENT_BITS: u32;
    /// Width of the fraction.
    const FRACTION_BITS: u32;

    /// Bits of the significand, the hidden one included.
    const PRECISION: u32 = Self::FRACTION_BITS + 1;
    /// Width in bits.
    const WIDTH: u32 = 1 + Self::EXPONENT_BITS + Self::FRACTION_BITS;
    /// What is added to an exponent.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS - 1)) - 1;
    /// Exponent of the smallest normal number.
    const EMIN: i32 = 1 - Self::BIAS;
    /// The sign bit.
    const SIGN: u32 = 1 << (Self::WIDTH - 1);
    /// +infinity.
    const INFINITY: u32 = ((1 << Self::EXPONENT_BITS) - 1) << Self::FRACTION_BITS;
    /// The largest finite number.
    const MAX: u32 = Self::INFINITY - 1;
    /// 1.0.
    const ONE: u32 = (Self::BIAS as u32) << Self::FRACTION_BITS;
    /// The bit that makes a NaN quiet: the highest of the fraction.
    const QUIET: u32 = 1 << (Self::FRACTION_BITS - 1);
    /// The fraction.
    const FRACTION: u32 = (1 << Self::FRACTION_BITS) - 1;

    /// The bits without the sign.
    #[inline(always)]
    fn magnitude(bits: u32) -> u32 {
        bits & (Self::SIGN - 1)
    }

    /// Whether the sign bit is set.
    #[inline(always)]
    fn is_negative(bits: u32) -> bool {
        bits & Self::SIGN != 0
    }

    /// Whether the bits are a NaN.
    #[inline(always)]
    fn is_nan(bits: u32) -> bool {
        Self::magnitude(bits) > Self::INFINITY
    }

    /// Whether the bits are a signalling NaN.
    #[inline(always)]
    fn is_signalling(bits: u32) -> bool {
        Self::is_nan(bits) && bits & Self::QUIET == 0
    }

    /// Whether the bits are an infinity.
    #[inline(always)]
    fn is_infinite(bits: u32) -> bool {
        Self::magnitude(bits) == Self::INFINITY
    }

    /// Whether the bits are +0 or −0.
    #[inline(always)]
    fn is_zero(bits: u32) -> bool {
        Self::magnitude(bits) == 0
    }

    /// Whether the bits are a subnormal number; zero is none.
    #[inline(always)]
    fn is_subnormal(bits: u32) -> bool {
        Self::magnitude(bits).wrapping_sub(1) < Self::FRACTION
    }
}

macro_rules! format {
    ($(#[$doc:meta])* $name:ident, $exponent:literal, $fraction:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Format for $name {
            const EXPONENT_BITS: u32 = $exponent;
            const FRACTION_BITS: u32 = $fraction;
        }
    };
}

format!(
    /// A format of 8 bits with 4 exponent bits, infinities and NaNs, small enough to try every triple. No instruction of
    /// VOP3P computes in it.
    F8, 4, 3
);
format!(
    /// binary16.
    F16, 5, 10
);
format!(
    /// bfloat16: binary32 without its lowest 16 bits.
    Bf16, 8, 7
);
format!(
    /// binary32.
    F32, 8, 23
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_formats() {
        // IEEE 754-2019, table 3.5: emin and the bits of 1, infinity and the largest number.
        assert_eq!((F16::EMIN, F16::ONE, F16::INFINITY, F16::MAX, F16::QUIET), (-14, 0x3c00, 0x7c00, 0x7bff, 0x200));
        assert_eq!((F32::EMIN, F32::ONE, F32::INFINITY), (-126, 0x3f80_0000, 0x7f80_0000));
        assert_eq!((Bf16::EMIN, Bf16::ONE, Bf16::MAX, Bf16::QUIET), (-126, 0x3f80, 0x7f7f, 0x40));
        // 1 sign, 4 exponent and 3 fraction bits: bias 7.
        assert_eq!((F8::EMIN, F8::ONE, F8::INFINITY, F8::SIGN), (-6, 0x38, 0x78, 0x80));
    }

    #[test]
    fn classes_of_f16() {
        let class = |bits| {
            [F16::is_zero(bits), F16::is_subnormal(bits), F16::is_infinite(bits), F16::is_nan(bits)].map(u8::from)
        };
        assert_eq!(class(0x8000), [1, 0, 0, 0]);
        assert_eq!(class(0x0001), [0, 1, 0, 0]);
        assert_eq!(class(0x83ff), [0, 1, 0, 0]);
        assert_eq!(class(0x0400), [0, 0, 0, 0]);
        assert_eq!(class(0xfc00), [0, 0, 1, 0]);
        assert_eq!(class(0x7c01), [0, 0, 0, 1]);
        assert!(F16::is_signalling(0x7c01) && !F16::is_signalling(0x7e00) && !F16::is_signalling(0x7c00));
    }
}
