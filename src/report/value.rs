//! The bits of a float as people read them: its value in decimal, and exact values in binary.

use std::fmt;

use rug::Integer;

use crate::exec::arithmetic::{Env, Exact, convert};
use crate::exec::format::{Bf16, F16, F32, Format};

/// A format that instructions compute in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// binary32.
    F32,
    /// A signed integer of 16 bits.
    I16,
    /// An unsigned integer of 16 bits.
    U16,
    /// 32 bits that are moved.
    B32,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::B32 => "b32",
        }
    }

    /// Whether values of it are floats.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32)
    }

    /// Hexadecimal digits of its bits.
    #[must_use]
    pub const fn digits(self) -> usize {
        if matches!(self, Self::F32 | Self::B32) { 8 } else { 4 }
    }

    /// Bits in its digits: `3c00`.
    #[must_use]
    pub fn hex(self, bits: u32) -> String {
        format!("{bits:0width$x}", width = self.digits())
    }

    /// The smallest normal exponent of a float format; 0 of others.
    #[must_use]
    pub const fn emin(self) -> i32 {
        match self {
            Self::F16 => F16::EMIN,
            Self::Bf16 => Bf16::EMIN,
            Self::F32 => F32::EMIN,
            Self::I16 | Self::U16 | Self::B32 => 0,
        }
    }

    /// What bits stand for, in decimal: `2.5`, `-inf`, `quiet NaN`. A decimal of a float is the shortest that names it
    /// among the numbers of f32.
    #[must_use]
    pub fn value(self, bits: u32) -> String {
        match self {
            Self::F16 => float::<F16>(bits),
            Self::Bf16 => float::<Bf16>(bits),
            Self::F32 => float::<F32>(bits),
            Self::I16 => (bits as u16 as i16).to_string(),
            Self::U16 | Self::B32 => bits.to_string(),
        }
    }

    /// The exact value of a finite float.
    #[must_use]
    pub fn binary(self, bits: u32) -> Option<Binary> {
        match self {
            Self::F16 => finite::<F16>(bits),
            Self::Bf16 => finite::<Bf16>(bits),
            Self::F32 => finite::<F32>(bits),
            Self::I16 | Self::U16 | Self::B32 => None,
        }
    }
}

fn float<F: Format>(bits: u32) -> String {
    let sign = if F::is_negative(bits) { "-" } else { "" };
    if F::is_nan(bits) {
        let kind = if F::is_signalling(bits) { "signalling" } else { "quiet" };
        return format!("{sign}NaN, {kind}");
    }
    if F::is_infinite(bits) {
        return format!("{sign}inf");
    }
    // Every number of these formats is an f32, so that nothing is rounded.
    let wide = f32::from_bits(convert::<F, F32, ()>(bits, &Env::DEFAULT, &mut ()));
    let subnormal = if F::is_subnormal(bits) { ", subnormal" } else { "" };
    format!("{wide:?}{subnormal}")
}

fn finite<F: Format>(bits: u32) -> Option<Binary> {
    (F::magnitude(bits) < F::INFINITY).then(|| Binary::from(Exact::of::<F>(bits)))
}

/// An exact value: `± magnitude · 2^unit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    negative: bool,
    magnitude: Integer,
    unit: i32,
}

impl From<Exact> for Binary {
    /// Right where nothing is sticky: of an operand or a product.
    fn from(exact: Exact) -> Self {
        let Exact { negative, exponent, significand } = exact;
        if significand == 0 {
            return Self { negative, magnitude: Integer::new(), unit: 0 };
        }
        let zeros = significand.trailing_zeros();
        Self { negative, magnitude: Integer::from(significand >> zeros), unit: exponent - 62 + zeros as i32 }
    }
}

impl Binary {
    /// The exact sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let unit = match (self.magnitude.is_zero(), other.magnitude.is_zero()) {
            (true, _) => other.unit,
            (_, true) => self.unit,
            _ => self.unit.min(other.unit),
        };
        let at_unit = |one: &Self| {
            let shifted = Integer::from(&one.magnitude << (one.unit - unit).max(0).unsigned_abs());
            if one.negative { -shifted } else { shifted }
        };
        let sum = at_unit(self) + at_unit(other);
        Self { negative: sum.is_negative(), magnitude: sum.abs(), unit }
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }

    /// Binary digits, the first of them not zero, and the exponent of that.
    fn digits(&self) -> (String, i32) {
        let digits = format!("{:b}", self.magnitude);
        let exponent = self.unit + digits.len() as i32 - 1;
        (digits.trim_end_matches('0').to_owned(), exponent)
    }

    /// The value with a bar behind this many digits, the first of which stands for `2^exponent`: what a rounding keeps
    /// and what it drops.
    #[must_use]
    pub fn cut(&self, exponent: i32, kept: usize) -> String {
        let (digits, leading) = self.digits();
        let ahead = (exponent - leading).max(0) as usize;
        let digits = format!("{}{digits}{}", "0".repeat(ahead), "0".repeat(kept.saturating_sub(ahead + digits.len())));
        let (kept, dropped) = digits.split_at(kept);
        let (first, rest) = kept.split_at(1);
        let sign = if self.negative { "-" } else { "" };
        let dropped = if dropped.is_empty() { "0".to_owned() } else { short(dropped) };
        format!("{sign}{first}.{rest}|{dropped}b × 2^{exponent}")
    }
}

/// `-1.0101b × 2^-3`; a run of more than 12 equal digits as `0{37}`.
impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str(if self.negative { "-0" } else { "+0" });
        }
        let (digits, exponent) = self.digits();
        let sign = if self.negative { "-" } else { "" };
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        write!(f, "{sign}{first}{point}{}b × 2^{exponent}", short(rest))
    }
}

/// The longest run of equal digits that is written out.
const LONGEST_RUN: usize = 12;

fn short(digits: &str) -> String {
    let mut text = String::new();
    let mut rest = digits;
    while let Some(digit) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(digit).len();
        if run > LONGEST_RUN {
            text += &format!("{digit}{{{run}}}");
        } else {
            text += &rest[..run];
        }
        rest = &rest[run..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f16(bits: u32) -> Binary {
        Kind::F16.binary(bits).unwrap()
    }

    #[test]
    fn floats_in_decimal() {
        let values = [0x3c00, 0xc100, 0x8000, 0x7bff, 0xfc00, 0x7e00, 0xfc01].map(|bits| Kind::F16.value(bits));
        assert_eq!(values, ["1.0", "-2.5", "-0.0", "65504.0", "-inf", "NaN, quiet", "-NaN, signalling"]);
        // 2^-24 = 5.9604644775390625e-8.
        assert_eq!(Kind::F16.value(1), "5.9604645e-8, subnormal");
        assert_eq!((Kind::Bf16.value(0x3fc0), Kind::F32.value(0x3f80_0001)), ("1.5".into(), "1.0000001".into()));
        assert_eq!((Kind::I16.value(0xffff), Kind::U16.value(0xffff)), ("-1".into(), "65535".into()));
    }

    #[test]
    fn values_in_binary() {
        // 4100 = 2.5 = 101b; 0001 = 2^-24.
        assert_eq!((f16(0x4100).to_string(), f16(0xc100).to_string()), ("1.01b × 2^1".into(), "-1.01b × 2^1".into()));
        assert_eq!((f16(1).to_string(), f16(0x8000).to_string()), ("1b × 2^-24".into(), "-0".into()));
        assert_eq!(Kind::F16.binary(0x7c00), None);
    }

    #[test]
    fn sums_are_exact_however_far_apart() {
        // 32768 + 2^-48: 62 zeros stand between 2^15 and 2^-48.
        let far = Binary::from(Exact::product::<F16>(1, 1));
        assert_eq!(f16(0x7800).plus(&far).to_string(), "1.0{62}1b × 2^15");
        assert_eq!(f16(0x3c00).plus(&f16(0xbc00)).to_string(), "+0");
        assert_eq!(f16(0x3c00).plus(&f16(0xc100)).to_string(), "-1.1b × 2^0");
        assert_eq!(f16(0).plus(&far).to_string(), "1b × 2^-48");
    }

    #[test]
    fn a_bar_stands_where_a_rounding_cuts() {
        let far = Binary::from(Exact::product::<F16>(1, 1));
        assert_eq!(f16(0x7800).plus(&far).cut(15, 11), "1.0000000000|0{52}1b × 2^15");
        assert_eq!(f16(0x3c00).cut(0, 11), "1.0000000000|0b × 2^0");
        // 2^-48 on the grid of subnormals, whose last place is 2^-24.
        assert_eq!(far.cut(-14, 11), "0.0000000000|0{23}1b × 2^-14");
    }
}
