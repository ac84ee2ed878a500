//! Every sum of a distinct product and an addend, judged by membership.

use std::ops::Range;

use super::Tally;
use super::interval::{Intervals, place, units};
use super::products::Product;
use crate::exec::arithmetic::{Env, Exact, Rounding, round};
use crate::exec::format::F16;

/// The finite addends, each as the arithmetic holds it, column by column so that loops over them vectorise.
#[derive(Debug)]
pub struct Addends {
    bits: Vec<u16>,
    negative: Vec<u64>,
    exponent: Vec<i64>,
    significand: Vec<u64>,
    place: Vec<i64>,
}

/// Addends looked at with every product of a batch before the next: they stay in the cache.
const TILE: usize = 2048;

/// Products of a batch.
const BATCH: usize = 128;

impl Addends {
    /// All 63,488 of them: ±0, subnormal and normal.
    #[must_use]
    pub fn all() -> Self {
        let bits: Vec<u16> = (0..=u16::MAX).filter(|bits| bits & 0x7fff < 0x7c00).collect();
        let exact: Vec<Exact> = bits.iter().map(|bits| Exact::of::<F16>(u32::from(*bits))).collect();
        Self {
            negative: exact.iter().map(|value| u64::from(value.negative)).collect(),
            exponent: exact.iter().map(|value| i64::from(value.exponent)).collect(),
            significand: exact.iter().map(|value| value.significand).collect(),
            place: bits.iter().map(|bits| place(units(*bits))).collect(),
            bits,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bits.len()
    }

    /// Judges the sums of these products and all addends.
    #[must_use]
    pub(super) fn judge(&self, products: &[Product], rounding: Rounding, intervals: &Intervals) -> Tally {
        let judge = match rounding {
            Rounding::NearestEven => tile::<0>,
            Rounding::Up => tile::<1>,
            Rounding::Down => tile::<2>,
            Rounding::Zero => tile::<3>,
        };
        let mut tally = Tally::default();
        for batch in products.chunks(BATCH) {
            for from in (0..self.count()).step_by(TILE) {
                let range = from..(from + TILE).min(self.count());
                for product in batch {
                    let wrong = judge(self, range.clone(), *product, intervals);
                    if wrong > 0 && tally.witness.is_none() {
                        tally.witness = self.find(range.clone(), *product, rounding, intervals);
                    }
                    tally.wrong += wrong;
                    tally.cases += range.len() as u64;
                }
            }
        }
        tally
    }

    /// The first sum that is wrong, in words.
    fn find(&self, range: Range<usize>, product: Product, rounding: Rounding, intervals: &Intervals) -> Option<String> {
        let env = Env { rounding, ..Env::DEFAULT };
        let result = |at: usize| round::<F16, ()>(product.exact().sum(self.exact(at), rounding), &env, &mut ()) as u16;
        let at = range.into_iter().find(|at| !intervals.hold(result(*at), product.place() + self.place[*at]))?;
        let (significand, exponent) = (product.significand(), product.exponent() - 21);
        Some(format!("{significand} · 2^{exponent} + {:04x} gives {:04x}", self.bits[at], result(at)))
    }

    fn exact(&self, at: usize) -> Exact {
        Exact {
            negative: self.negative[at] != 0,
            exponent: self.exponent[at] as i32,
            significand: self.significand[at],
        }
    }
}

/// How many sums of a product and some addends are wrong. The rounding is a constant, so that the loop has no branch.
#[inline(never)]
fn tile<const ROUNDING: usize>(addends: &Addends, range: Range<usize>, product: Product, intervals: &Intervals) -> u64 {
    let env = Env { rounding: Rounding::ALL[ROUNDING], ..Env::DEFAULT };
    let (exact, at) = (product.exact(), product.place());
    let negative = &addends.negative[range.clone()];
    let count = negative.len();
    let exponent = &addends.exponent[range.clone()][..count];
    let significand = &addends.significand[range.clone()][..count];
    let place = &addends.place[range][..count];
    let mut wrong = 0;
    for index in 0..count {
        let addend =
            Exact { negative: negative[index] != 0, exponent: exponent[index] as i32, significand: significand[index] };
        let result = usize::from(round::<F16, ()>(exact.sum(addend, env.rounding), &env, &mut ()) as u16);
        let sum = at + place[index];
        wrong += u64::from(!((intervals.low[result] <= sum) & (sum <= intervals.high[result])));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_table_is_seen_and_a_right_one_is_not() {
        let addends = Addends::all();
        assert_eq!(addends.count(), 63_488);
        let products = [Product::of(0x3c00, 0x3c00), Product::of(0x0001, 0x3555), Product::of(0x7bff, 0x7bff)];
        for rounding in Rounding::ALL {
            let intervals = Intervals::new(rounding);
            let tally = addends.judge(&products, rounding, &intervals);
            assert_eq!((tally.cases, tally.wrong), (3 * 63_488, 0), "{rounding:?} {:?}", tally.witness);
            let other = if rounding == Rounding::Zero { Rounding::NearestEven } else { Rounding::Zero };
            assert!(addends.judge(&products, rounding, &Intervals::new(other)).wrong > 0);
        }
        // 1.0 and 1.0 give 2.0, 0x4000; so does, toward zero, 1.0 + 2^-10 beside 1.0. 2.0 has no other addend.
        let mut intervals = Intervals::new(Rounding::Zero);
        intervals.high[0x4000] = -1;
        let tally = addends.judge(&products[..1], Rounding::Zero, &intervals);
        assert_eq!((tally.wrong, tally.witness.as_deref()), (2, Some("2097152 · 2^-21 + 3c00 gives 4000")));
    }
}
