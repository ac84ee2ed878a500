//! The binary formats as numbers, and their values as host doubles, which is near enough to aim with. No verdict
//! depends on this file.

/// A binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the fraction.
    pub(super) fraction: u32,
}

/// binary16.
pub(super) const F16: Shape = Shape { exponent: 5, fraction: 10 };
/// bfloat16.
pub(super) const BF16: Shape = Shape { exponent: 8, fraction: 7 };
/// binary32.
pub(super) const F32: Shape = Shape { exponent: 8, fraction: 23 };

impl Shape {
    /// Width in bits.
    pub(super) const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The sign bit.
    pub(super) const fn sign(self) -> u32 {
        1 << (self.exponent + self.fraction)
    }

    /// +infinity.
    pub(super) const fn infinity(self) -> u32 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The bit that makes a NaN quiet.
    pub(super) const fn quiet(self) -> u32 {
        1 << (self.fraction - 1)
    }

    /// 1.0.
    pub(super) const fn one(self) -> u32 {
        (self.bias() as u32) << self.fraction
    }

    /// The smallest normal number.
    pub(super) const fn normal(self) -> u32 {
        1 << self.fraction
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Exponent of the smallest normal number.
    pub(super) const fn emin(self) -> i32 {
        1 - self.bias()
    }

    /// The value of finite bits.
    pub(super) fn value(self, bits: u32) -> f64 {
        let magnitude = bits & (self.sign() - 1);
        let (biased, fraction) = (magnitude >> self.fraction, magnitude & (self.normal() - 1));
        let hidden = if biased == 0 { 0 } else { self.normal() };
        let unit = biased.max(1) as i32 - self.bias() - self.fraction as i32;
        let value = f64::from(fraction | hidden) * power(unit);
        if bits & self.sign() == 0 { value } else { -value }
    }

    /// The bits of the finite number next to a value, toward zero.
    pub(super) fn bits(self, value: f64) -> u32 {
        let host = value.to_bits();
        let sign = if host >> 63 == 0 { 0 } else { self.sign() };
        let exponent = (host >> 52 & 0x7ff) as i32 - 1023;
        let significand = host & ((1 << 52) - 1) | 1 << 52;
        if exponent > self.bias() {
            return sign | (self.infinity() - 1);
        }
        let below = (self.emin() - exponent).max(0) as u32;
        let kept = significand.checked_shr(52 - self.fraction + below).unwrap_or(0) as u32;
        let scale = (exponent - self.emin()).max(0) as u32;
        sign | ((scale << self.fraction) + kept)
    }

    /// Half a unit in the last place of the number.
    pub(super) fn half_unit(self, bits: u32) -> f64 {
        let biased = (bits & (self.sign() - 1)) >> self.fraction;
        power(biased.max(1) as i32 - self.bias() - self.fraction as i32 - 1)
    }

    /// So many units in the last place away from zero, over zero the other sign.
    pub(super) fn moved(self, bits: u32, by: i32) -> u32 {
        let (sign, magnitude) = (bits & self.sign(), (bits & (self.sign() - 1)) as i32);
        let moved = magnitude.wrapping_add(by);
        if moved < 0 { (sign ^ self.sign()) | moved.unsigned_abs() } else { sign | moved as u32 & (self.sign() - 1) }
    }
}

/// 2 to the power of an exponent of a normal double.
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bits() {
        // IEEE 754-2019, table 3.5.
        for (shape, bits, value) in [
            (F16, 0x3c00, 1.0),
            (F16, 0xc100, -2.5),
            (F16, 0x0001, power(-24)),
            (F16, 0x7bff, 65504.0),
            (F16, 0x0400, power(-14)),
            (BF16, 0x3f80, 1.0),
            (F32, 0x0000_0001, power(-149)),
            (F32, 0x3f80_0000, 1.0),
        ] {
            assert_eq!((shape.value(bits), shape.bits(value)), (value, bits), "{shape:?} {bits:x}");
        }
        // Toward zero, and what is too large or too small.
        assert_eq!((F16.bits(1.0 + power(-11)), F16.bits(1e9), F16.bits(-1e-30)), (0x3c00, 0x7bff, 0x8000));
        assert_eq!(F16.bits(0.0), 0);
        assert_eq!((F16.half_unit(0x3c00), F16.half_unit(0x0001)), (power(-11), power(-25)));
        assert_eq!((F16.moved(0x0001, -2), F16.moved(0x8000, 1), F16.moved(0x7bff, 1)), (0x8001, 0x8001, 0x7c00));
    }
}
