//! What is asked of an operation besides its operands.

use rug::float::Round;

/// The directions of FP_ROUND, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// 0: to nearest, ties to even.
    NearestEven,
    /// 1: toward +∞.
    Up,
    /// 2: toward −∞.
    Down,
    /// 3: toward zero.
    Zero,
}

impl Rounding {
    /// All, by their number.
    pub const ALL: [Self; 4] = [Self::NearestEven, Self::Up, Self::Down, Self::Zero];

    /// That of a field of FP_ROUND: the low two bits.
    #[must_use]
    pub const fn of_field(field: u32) -> Self {
        match field & 3 {
            0 => Self::NearestEven,
            1 => Self::Up,
            2 => Self::Down,
            _ => Self::Zero,
        }
    }

    /// MPFR's.
    pub(super) const fn of_mpfr(self) -> Round {
        match self {
            Self::NearestEven => Round::Nearest,
            Self::Up => Round::Up,
            Self::Down => Round::Down,
            Self::Zero => Round::Zero,
        }
    }
}

/// How a bare operation in one format computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// FP_ROUND.
    pub rounding: Rounding,
    /// Subnormal operands are zeros of their sign.
    pub flush_in: bool,
    /// Results that are too small to be normal are zeros of their sign.
    pub flush_out: bool,
    /// Too small is asked of the exact value, and not of the value rounded with an unbounded exponent.
    pub tiny_before: bool,
    /// A result of finite operands never is an infinity (FP16_OVFL).
    pub overflow_to_max: bool,
    /// A signalling NaN that is the result becomes quiet.
    pub quiet: bool,
    /// A signalling NaN goes before a quiet one; else the first in the order of the sources.
    pub signalling_first: bool,
    /// Zero times infinity plus a NaN is that NaN; else the default NaN.
    pub addend_over_invalid: bool,
    /// The default NaN is positive.
    pub positive_default: bool,
}

impl Rules {
    /// Nearest even, subnormals kept, NaNs as gfx1100 with IEEE set and gfx1201 were seen to have them.
    pub const DEFAULT: Self = Self {
        rounding: Rounding::NearestEven,
        flush_in: false,
        flush_out: false,
        tiny_before: false,
        overflow_to_max: false,
        quiet: true,
        signalling_first: false,
        addend_over_invalid: false,
        positive_default: false,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self::DEFAULT
    }
}
