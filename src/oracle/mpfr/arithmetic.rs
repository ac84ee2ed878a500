//! The bare operations in one format: MPFR adds, multiplies and rounds; what is no number is decided here.

use core::cmp::Ordering;

use rug::Assign;
use rug::Float;
use rug::float::Round;
use rug::ops::{AssignRound, NegAssign};

use super::bits::{Datum, FormatOf};
use super::rules::Rules;

/// Bits that hold every exact sum: an f32 product and an addend lie on multiples of 2^-298 and below 2^256, which is
/// 555 bits with a carry.
const EXACT: u32 = 640;
/// Bits of the widest exact product: two significands of 24 bits.
const PRODUCT: u32 = 64;

/// What became of a value on the way to its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The NaN of this operand.
    Nan {
        /// Which: 0 to 2.
        slot: u8,
    },
    /// The default NaN: zero times infinity, or a difference of infinities.
    Invalid,
    /// An infinity, because an operand is one.
    Infinite,
    /// Exactly zero.
    Zero,
    /// A number, rounded to the side that `Ordering` tells: `Less` is below the exact value.
    Rounded(Ordering),
    /// Too small, therefore zero.
    Flushed,
    /// Too large.
    Overflow,
}

/// The result of a bare operation and what became of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The result.
    pub bits: u32,
    /// The last step.
    pub how: How,
}

/// The value of an operation before it is rounded. A number is in [`Reals::exact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Nan {
        slot: u8,
        /// In the format of the operands.
        bits: u32,
    },
    Invalid,
    Infinite {
        negative: bool,
    },
    Number,
}

/// The numbers of MPFR that every operation uses again.
#[derive(Debug)]
pub(super) struct Reals {
    operands: [Float; 3],
    product: Float,
    exact: Float,
    rounded: Float,
}

impl Reals {
    pub(super) fn new() -> Self {
        let zero = |precision| Float::new(precision);
        Self { operands: [zero(32), zero(32), zero(32)], product: zero(PRODUCT), exact: zero(EXACT), rounded: zero(32) }
    }

    /// The exact value that was last rounded.
    pub(super) fn exact(&self) -> &Float {
        &self.exact
    }

    /// The exact value of `a · b + c`.
    pub(super) fn fma(&mut self, format: FormatOf, bits: [u32; 3], rules: &Rules) -> Value {
        let [a, b, c] = bits.map(|bits| operand(format, bits, rules));
        let factor_is_nan = a.is_nan() || b.is_nan();
        let is_invalid = a.is_zero() && b.is_infinite() || a.is_infinite() && b.is_zero();
        if is_invalid && (!c.is_nan() || !rules.addend_over_invalid) {
            return Value::Invalid;
        }
        if factor_is_nan || c.is_nan() {
            return first_nan(format, &bits, &[a, b, c], rules);
        }
        if a.is_infinite() || b.is_infinite() {
            let negative = a.is_negative() != b.is_negative();
            return match c {
                Datum::Infinity { negative: other } if other != negative => Value::Invalid,
                _ => Value::Infinite { negative },
            };
        }
        if c.is_infinite() {
            return Value::Infinite { negative: c.is_negative() };
        }
        let [x, y, z] = &mut self.operands;
        load(x, a);
        load(y, b);
        load(z, c);
        exactly(self.product.assign_round(&*x * &*y, Round::Nearest));
        // MPFR gives an exactly zero sum the sign that IEEE 754 does: −0 only when rounding down.
        exactly(self.exact.assign_round(&self.product + &*z, rules.rounding.of_mpfr()));
        Value::Number
    }

    /// The exact value of `a + b`.
    pub(super) fn add(&mut self, format: FormatOf, bits: [u32; 2], rules: &Rules) -> Value {
        let [a, b] = bits.map(|bits| operand(format, bits, rules));
        if a.is_nan() || b.is_nan() {
            return first_nan(format, &bits, &[a, b], rules);
        }
        match (a.is_infinite(), b.is_infinite()) {
            (true, true) if a.is_negative() != b.is_negative() => return Value::Invalid,
            (true, _) => return Value::Infinite { negative: a.is_negative() },
            (false, true) => return Value::Infinite { negative: b.is_negative() },
            (false, false) => {}
        }
        let [x, y, _] = &mut self.operands;
        load(x, a);
        load(y, b);
        exactly(self.exact.assign_round(&*x + &*y, rules.rounding.of_mpfr()));
        Value::Number
    }

    /// The exact value of `a · b`.
    pub(super) fn mul(&mut self, format: FormatOf, bits: [u32; 2], rules: &Rules) -> Value {
        let [a, b] = bits.map(|bits| operand(format, bits, rules));
        if a.is_nan() || b.is_nan() {
            return first_nan(format, &bits, &[a, b], rules);
        }
        if a.is_infinite() || b.is_infinite() {
            let is_invalid = a.is_zero() || b.is_zero();
            let negative = a.is_negative() != b.is_negative();
            return if is_invalid { Value::Invalid } else { Value::Infinite { negative } };
        }
        let [x, y, _] = &mut self.operands;
        load(x, a);
        load(y, b);
        exactly(self.exact.assign_round(&*x * &*y, Round::Nearest));
        Value::Number
    }

    /// The value of bits, for a conversion; a NaN as it is.
    pub(super) fn value(&mut self, format: FormatOf, bits: u32) -> Value {
        match format.read(bits) {
            Datum::Nan { .. } => Value::Nan { slot: 0, bits },
            Datum::Infinity { negative } => Value::Infinite { negative },
            number => {
                load(&mut self.exact, number);
                Value::Number
            }
        }
    }

    /// A value in a format; a NaN, which has its bits in the same format, as it is.
    pub(super) fn settle(&mut self, format: FormatOf, value: Value, rules: &Rules) -> Outcome {
        match value {
            Value::Nan { slot, bits } => Outcome { bits, how: How::Nan { slot } },
            Value::Invalid => Outcome { bits: format.default_nan(!rules.positive_default), how: How::Invalid },
            Value::Infinite { negative } => Outcome { bits: format.infinity(negative), how: How::Infinite },
            Value::Number => self.round(format, rules),
        }
    }

    /// The exact number in a format.
    fn round(&mut self, format: FormatOf, rules: &Rules) -> Outcome {
        let negative = self.exact.is_sign_negative();
        let (Some(exact_top), precision) = (self.exact.get_exp(), format.fraction_bits + 1) else {
            return Outcome { bits: format.zero(negative), how: How::Zero };
        };
        let round = rules.rounding.of_mpfr();
        if self.rounded.prec() != precision {
            self.rounded.set_prec(precision);
        }
        // As if exponents had no end.
        let side = self.rounded.assign_round(&self.exact, round);
        // MPFR's exponent is that of a significand below 1, one more than that of IEEE 754.
        let top = self.rounded.get_exp().unwrap_or(exact_top) - 1;
        let smallest = 1 - format.top();
        let is_tiny = if rules.tiny_before { exact_top - 1 < smallest } else { top < smallest };
        if is_tiny && rules.flush_out {
            return Outcome { bits: format.zero(negative), how: How::Flushed };
        }
        if top > format.top() {
            let inward = match round {
                Round::Zero => true,
                Round::Up => negative,
                Round::Down => !negative,
                _ => false,
            };
            let is_largest = rules.overflow_to_max || inward;
            let bits = if is_largest { format.largest(negative) } else { format.infinity(negative) };
            return Outcome { bits, how: How::Overflow };
        }
        if top < smallest {
            // Rounded again, from the exact value, to whole units of the grid.
            self.exact >>= format.grid();
            let units = self.exact.to_i32_saturating_round(round).unwrap_or(0);
            let side = self.exact.partial_cmp(&units).unwrap_or(Ordering::Equal).reverse();
            self.exact <<= format.grid();
            let bits = format.write(negative, units.unsigned_abs(), format.grid());
            return Outcome { bits, how: How::Rounded(side) };
        }
        let scale = top - format.fraction_bits as i32;
        self.rounded >>= scale;
        let significand = self.rounded.to_i32_saturating().unwrap_or(0).unsigned_abs();
        Outcome { bits: format.write(negative, significand, scale), how: How::Rounded(side) }
    }
}

/// A sum or product that had to be rounded would make the oracle worthless.
fn exactly(side: Ordering) {
    debug_assert!(side.is_eq(), "the precision is too low");
}

/// What an operand counts as: a subnormal one may be a zero.
fn operand(format: FormatOf, bits: u32, rules: &Rules) -> Datum {
    let datum = format.read(bits);
    match datum {
        Datum::Number { negative, scale, .. } if rules.flush_in && datum.is_subnormal(format) => {
            Datum::Number { negative, significand: 0, scale }
        }
        _ => datum,
    }
}

/// A number as MPFR's, with a signed zero; exact at 24 bits and more.
fn load(float: &mut Float, datum: Datum) {
    if let Datum::Number { negative, significand, scale } = datum {
        float.assign(significand);
        *float <<= scale;
        if negative {
            float.neg_assign();
        }
    }
}

/// The NaN that the result is: the first of the sources, or the first signalling one; its payload and sign stay.
fn first_nan(format: FormatOf, bits: &[u32], data: &[Datum], rules: &Rules) -> Value {
    let signalling = data.iter().position(|datum| rules.signalling_first && datum.is_signalling());
    let slot = signalling.or_else(|| data.iter().position(|datum| datum.is_nan())).unwrap_or(0);
    let quiet = if rules.quiet { format.quiet() } else { 0 };
    Value::Nan { slot: slot as u8, bits: bits[slot] | quiet }
}
