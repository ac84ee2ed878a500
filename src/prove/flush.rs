//! Sums whose result may be flushed: those near the smallest normal number, exactly.

use super::interval::{Intervals, units};
use super::products::Product;
use super::{Tally, Wrong};
use crate::exec::arithmetic::{Env, Exact, Rounding, round};
use crate::exec::format::F16;

/// The smallest normal number, 2^-14, in units of 2^-48, of which every product and every addend is a whole number.
const NORMAL: i64 = 1 << 34;

/// The largest addend that is near a product below 2^14: that number itself. 2^62 units, so that sums stay in 64 bits.
const LARGEST: u16 = 0x7400;

/// The addends up to 2^14 in ascending order, with their value in units of 2^-48.
#[derive(Debug)]
pub(super) struct Ascending(Vec<(i64, u16)>);

impl Ascending {
    pub(super) fn new() -> Self {
        let finite = (0..=u16::MAX).filter(|bits| bits & 0x7fff <= LARGEST);
        let mut all: Vec<(i64, u16)> = finite.map(|bits| (units(bits) << 24, bits)).collect();
        all.sort_unstable();
        Self(all)
    }

    /// The addends whose sum with this is at most the smallest normal number. Beyond it the code does not look at the flush.
    fn near(&self, product: i64) -> &[(i64, u16)] {
        let from = self.0.partition_point(|(value, _)| *value < -NORMAL - product);
        let to = self.0.partition_point(|(value, _)| *value <= NORMAL - product);
        &self.0[from..to]
    }
}

/// Judges the sums of these products and all addends that are at most the smallest normal number.
#[must_use]
pub(super) fn judge(products: &[Product], rounding: Rounding, addends: &Ascending, intervals: &Intervals) -> Tally {
    let env = Env { rounding, flush_outputs: true, ..Env::DEFAULT };
    let mut tally = Tally::default();
    for product in products {
        let Some(value) = in_units(*product) else { continue };
        for (addend, bits) in addends.near(value) {
            let exact = product.exact().sum(Exact::of::<F16>(u32::from(*bits)), rounding);
            let result = round::<F16, ()>(exact, &env, &mut ()) as u16;
            tally.count(is_right(result, value + addend, rounding, intervals), || Wrong {
                case: format!("{value} · 2^-48 + {bits:04x} gives {result:04x} with results flushed"),
            });
        }
    }
    tally
}

/// A product in units of 2^-48, if it is below 2^14. A larger one has no bit below 2^-7, nor has an addend that it might
/// nearly cancel: their sum is zero or far above 2^-14.
fn in_units(product: Product) -> Option<i64> {
    let shift = product.exponent() - 21 + 48;
    match shift {
        ..0 => Some((product.significand() >> -shift) as i64),
        0..=40 => Some((product.significand() as i64) << shift),
        _ => None,
    }
}

/// Whether a result is right for a sum in units of 2^-48, where results below the smallest normal number after rounding
/// with 11 bits and exponents without end become zeros.
fn is_right(result: u16, sum: i64, rounding: Rounding, intervals: &Intervals) -> bool {
    // Just below 2^-14 the numbers of 11 bits are 2^-25 apart: 2^23 units.
    let ulp = 1 << 23;
    let is_normal = match (rounding, sum < 0) {
        // A tie goes to the even one, which is 2^-14.
        (Rounding::NearestEven, _) => sum.abs() >= NORMAL - ulp / 2,
        (Rounding::Up, false) | (Rounding::Down, true) => sum.abs() > NORMAL - ulp,
        _ => sum.abs() >= NORMAL,
    };
    if sum != 0 && !is_normal {
        return result == if sum < 0 { 0x8000 } else { 0 };
    }
    let between = sum & (ulp - 1) != 0;
    intervals.hold(result, 2 * (sum >> 23) + i64::from(between))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_normal_number_is_reached_by_rounding() {
        let right = |rounding, sum: i64| {
            let intervals = Intervals::new(rounding);
            (0..=u16::MAX).filter(|bits| is_right(*bits, sum, rounding, &intervals)).collect::<Vec<_>>()
        };
        // Half an ulp of 11 bits below 2^-14 is a tie, one unit less is not; a whole ulp below is a number of 11 bits.
        assert_eq!(right(Rounding::NearestEven, NORMAL - (1 << 22)), [0x0400]);
        assert_eq!(right(Rounding::NearestEven, NORMAL - (1 << 22) - 1), [0x0000]);
        assert_eq!(right(Rounding::Up, NORMAL - (1 << 23) + 1), [0x0400]);
        assert_eq!(right(Rounding::Up, NORMAL - (1 << 23)), [0x0000]);
        assert_eq!(right(Rounding::Up, -NORMAL + 1), [0x8000]);
        assert_eq!(right(Rounding::Down, -NORMAL + 1), [0x8400]);
        assert_eq!(right(Rounding::Zero, NORMAL), [0x0400]);
        assert_eq!(right(Rounding::Zero, NORMAL - 1), [0x0000]);
        assert_eq!(right(Rounding::Down, 0), [0x8000]);
    }

    #[test]
    fn addends_near_a_product() {
        let all = Ascending::new();
        // 1.0 is 2^48 units; the neighbours of −1.0 are 2^-11 and 2^-10 from it. Beside 2^-24, 2^24 units, −2^-14 and
        // −2^-14 − 2^-24 are the first whose sum is no further down than −2^-14, 2^-14 − 2^-24 is the last.
        let near: Vec<u16> = all.near(1 << 48).iter().map(|(_, bits)| *bits).collect();
        assert_eq!(near, [0xbc00]);
        let near: Vec<u16> = all.near(1 << 24).iter().map(|(_, bits)| *bits).collect();
        assert_eq!((near.first(), near.last(), near.len()), (Some(&0x8401), Some(&0x03ff), 2 * 1024 + 2));
        assert_eq!(all.0.last(), Some(&(1 << 62, 0x7400)));
        assert_eq!(in_units(Product::of(1, 1)), Some(1));
        assert_eq!(in_units(Product::of(0x3c00, 0x3c00)), Some(1 << 48));
        assert_eq!(in_units(Product::of(0x7bff, 0x7bff)), None);
    }
}
