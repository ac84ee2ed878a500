//! Every pair of f16 numbers: sums and products, and the exactness of products.

use super::interval::{Intervals, place, place_of, units};
use super::products::parts;
use super::specials::{DEFAULT_NAN, is_nan, is_special, quiet};
use super::{Tally, Wrong};
use crate::exec::arithmetic::{Env, Exact, Rounding, add, mul};
use crate::exec::format::F16;

/// First operands of a chunk.
pub(super) const ROWS: u32 = 256;

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `v_pk_add_f16`.
    Add,
    /// `v_pk_mul_f16`.
    Mul,
}

/// Judges all pairs with a first operand of this chunk of 256.
#[must_use]
pub(super) fn judge(operation: Operation, rounding: Rounding, chunk: usize, intervals: &Intervals) -> Tally {
    let env = Env { rounding, ..Env::DEFAULT };
    let mut tally = Tally::default();
    for a in rows(chunk) {
        for b in 0..=u16::MAX {
            let operands = [u32::from(a), u32::from(b)];
            let result = match operation {
                Operation::Add => add::<F16, ()>(operands, &env, &mut ()),
                Operation::Mul => mul::<F16, ()>(operands, &env, &mut ()),
            } as u16;
            let is_right = match operation {
                _ if is_special(a) || is_special(b) => result == special(operation, a, b),
                Operation::Add => is_right_sum(result, a, b, rounding, intervals),
                Operation::Mul => is_right_product(result, a, b, intervals),
            };
            tally.count(is_right, || Wrong { case: format!("{operation:?} {a:04x} {b:04x} gives {result:04x}") });
        }
    }
    tally
}

fn rows(chunk: usize) -> std::ops::RangeInclusive<u16> {
    let first = (chunk as u32 * ROWS) as u16;
    first..=first + (ROWS - 1) as u16
}

fn is_right_sum(result: u16, a: u16, b: u16, rounding: Rounding, intervals: &Intervals) -> bool {
    let sum = units(a) + units(b);
    if sum == 0 {
        // Zeros of one sign keep it; other sums that vanish are +0, and −0 when rounding down.
        let negative = if a == b { a >> 15 != 0 } else { rounding == Rounding::Down };
        return result == u16::from(negative) << 15;
    }
    intervals.hold(result, place(sum))
}

fn is_right_product(result: u16, a: u16, b: u16, intervals: &Intervals) -> bool {
    let ((x, e), (y, f)) = (parts(a & 0x7fff), parts(b & 0x7fff));
    let negative = (a ^ b) >> 15 != 0;
    if x * y == 0 {
        return result == u16::from(negative) << 15;
    }
    let place = place_of(u64::from(x * y), e + f);
    intervals.hold(result, if negative { -place } else { place })
}

/// The result where an operand is an infinity or a NaN: the first NaN, made quiet; the default NaN for opposite infinities
/// and for zero times infinity; else an infinity.
fn special(operation: Operation, a: u16, b: u16) -> u16 {
    let (x, y) = (a & 0x7fff, b & 0x7fff);
    if is_nan(a) || is_nan(b) {
        return quiet(if is_nan(a) { a } else { b });
    }
    match operation {
        Operation::Add if x == y && a != b => DEFAULT_NAN,
        Operation::Add => {
            if x == 0x7c00 {
                a
            } else {
                b
            }
        }
        Operation::Mul if x == 0 || y == 0 => DEFAULT_NAN,
        Operation::Mul => 0x7c00 | (a ^ b) & 0x8000,
    }
}

/// Judges whether the arithmetic holds the product of each pair of this chunk exactly and in one way: the sign of the
/// signs, bit 62 the leading one, and `significand · 2^(exponent − 62)` the product of the integers. A zero has no bits and
/// an exponent below that of everything else.
#[must_use]
pub(super) fn products(chunk: usize) -> Tally {
    let mut tally = Tally::default();
    for a in rows(chunk).filter(|a| !is_special(*a)) {
        for b in (0..=u16::MAX).filter(|b| !is_special(*b)) {
            let exact = Exact::product::<F16>(u32::from(a), u32::from(b));
            tally.count(is_exact(&exact, a, b), || Wrong { case: format!("product {a:04x} {b:04x} is {exact:?}") });
        }
    }
    tally
}

fn is_exact(exact: &Exact, a: u16, b: u16) -> bool {
    let ((x, e), (y, f)) = (parts(a & 0x7fff), parts(b & 0x7fff));
    let integer = u64::from(x * y);
    if exact.negative != ((a ^ b) >> 15 != 0) {
        return false;
    }
    if integer == 0 {
        return exact.significand == 0 && exact.exponent < -1000;
    }
    // significand · 2^(exponent − 62) = integer · 2^(e + f): the shift between them must leave nothing out.
    let shift = e + f - (exact.exponent - 62);
    (0..63).contains(&shift) && exact.significand == integer << shift && exact.significand >> 62 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specials_of_pairs() {
        assert_eq!(special(Operation::Add, 0x7c00, 0xfc00), 0xfe00);
        assert_eq!(special(Operation::Add, 0x3c00, 0xfc00), 0xfc00);
        assert_eq!(special(Operation::Add, 0x7c01, 0xfe02), 0x7e01);
        assert_eq!(special(Operation::Mul, 0x8000, 0x7c00), 0xfe00);
        assert_eq!(special(Operation::Mul, 0xbc00, 0x7c00), 0xfc00);
    }

    #[test]
    fn a_wrong_result_is_seen() {
        let nearest = Intervals::new(Rounding::NearestEven);
        // 1 + 2^-11 is a tie: 1.0 is right, its neighbours are not. 2049 = 1025 + 1024 lies between 2048 and 2050.
        assert!(is_right_sum(0x3c00, 0x3c00, 0x1000, Rounding::NearestEven, &nearest));
        assert!(!is_right_sum(0x3c01, 0x3c00, 0x1000, Rounding::NearestEven, &nearest));
        assert!(!is_right_sum(0x8000, 0x3c00, 0xbc00, Rounding::NearestEven, &nearest));
        // 1.5 · 1.5 = 2.25 is exact.
        assert!(is_right_product(0x4080, 0x3e00, 0x3e00, &nearest));
        assert!(!is_right_product(0x4081, 0x3e00, 0x3e00, &nearest));
        assert!(!is_right_product(0xc080, 0x3e00, 0x3e00, &nearest));
        let exact = Exact::product::<F16>(0x3e00, 0x3e00);
        assert!(is_exact(&exact, 0x3e00, 0x3e00) && !is_exact(&exact, 0x3e00, 0xbe00));
        assert!(!is_exact(&Exact { exponent: exact.exponent + 1, ..exact }, 0x3e00, 0x3e00));
    }
}
