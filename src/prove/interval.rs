//! Which exact values an f16 result is right for, as intervals of integers.
//!
//! Nothing here rounds. A finite f16 is an integer number of units of 2^-24, and the midpoint of two neighbours one of units
//! of 2^-25. A value `s` is placed on a line of half such units: `T = 2·floor(s·2^25)`, plus 1 if `s·2^25` is no integer. So
//! an even `T` is a value on the grid of 2^-25, and an odd one stands for everything strictly between two of its points.
//! That is enough to say whether `s` is a value, a midpoint, or between them, and no more is needed to judge a rounding.

use crate::exec::arithmetic::Rounding;

/// The bits of +infinity.
const INFINITY: u16 = 0x7c00;

/// The sign bit.
const SIGN: u16 = 0x8000;

/// Far beyond any sum: the product of the two largest numbers is below 2^32, so below 2^58 on the line.
const FAR: i64 = 1 << 60;

/// A finite f16 in units of 2^-24. Source: binary16 of IEEE 754-2019, 3.4.
#[must_use]
pub fn units(bits: u16) -> i64 {
    let (exponent, fraction) = (bits >> 10 & 31, i64::from(bits & 0x3ff));
    let magnitude = if exponent == 0 { fraction } else { (fraction + 1024) << (exponent - 1) };
    if bits & SIGN == 0 { magnitude } else { -magnitude }
}

/// The place on the line of a number of units of 2^-24.
#[must_use]
pub const fn place(units: i64) -> i64 {
    4 * units
}

/// The place on the line of `integer · 2^exponent`, which is positive and below 2^32.
#[must_use]
pub fn place_of(integer: u64, exponent: i32) -> i64 {
    let shift = exponent + 25;
    if shift >= 0 {
        return (2 * integer as i64) << shift;
    }
    let cut = (-shift).min(63) as u32;
    let rest = integer & ((1 << cut) - 1);
    2 * (integer >> cut) as i64 + i64::from(rest != 0)
}

/// The places for which each of the 65,536 results is right, in one rounding: from `low` to `high`, both included. A NaN is
/// right for none.
#[derive(Debug)]
pub struct Intervals {
    /// The lowest place, by the bits of the result.
    pub low: Box<[i64; 65536]>,
    /// The highest.
    pub high: Box<[i64; 65536]>,
}

impl Intervals {
    /// Of a rounding.
    ///
    /// An exact zero is the sum of two values of opposite signs here: +0, but −0 when rounding down.
    #[must_use]
    pub fn new(rounding: Rounding) -> Self {
        let (mut low, mut high) = (Box::new([FAR; 65536]), Box::new([-FAR; 65536]));
        for magnitude in 0..=INFINITY {
            let (positive, negative) = match rounding {
                Rounding::NearestEven => (nearest(magnitude), mirrored(nearest(magnitude))),
                Rounding::Zero => (inward(magnitude), mirrored(inward(magnitude))),
                Rounding::Up => (outward(magnitude), mirrored(inward(magnitude))),
                Rounding::Down => (inward(magnitude), mirrored(outward(magnitude))),
            };
            for (bits, (from, to)) in [(magnitude, positive), (magnitude | SIGN, negative)] {
                low[usize::from(bits)] = from;
                high[usize::from(bits)] = to;
            }
        }
        // Either zero takes what underflows on its side; the exact one belongs to one of them.
        if rounding == Rounding::Down {
            low[0] = 1
        } else {
            high[usize::from(SIGN)] = -1
        }
        Self { low, high }
    }

    /// Whether a result is right for a place.
    #[inline(always)]
    #[must_use]
    pub fn hold(&self, result: u16, place: i64) -> bool {
        self.low[usize::from(result)] <= place && place <= self.high[usize::from(result)]
    }
}

/// The place of a magnitude; infinity stands where the next number would.
fn at(magnitude: u16) -> i64 {
    place(if magnitude == INFINITY { 65536 << 24 } else { units(magnitude) })
}

fn mirrored((low, high): (i64, i64)) -> (i64, i64) {
    (-high, -low)
}

/// To nearest: from one midpoint to the next; the midpoints belong to the even number.
fn nearest(magnitude: u16) -> (i64, i64) {
    let odd = i64::from(magnitude & 1);
    let low = if magnitude == 0 { 0 } else { (at(magnitude - 1) + at(magnitude)) / 2 + odd };
    let high = if magnitude == INFINITY { FAR } else { (at(magnitude) + at(magnitude + 1)) / 2 - odd };
    (low, high)
}

/// Toward zero: from the number to the next, which is left out. Nothing is rounded to infinity.
fn inward(magnitude: u16) -> (i64, i64) {
    match magnitude {
        INFINITY => (FAR, -FAR),
        _ if magnitude + 1 == INFINITY => (at(magnitude), FAR),
        _ => (at(magnitude), at(magnitude + 1) - 1),
    }
}

/// Away from zero: from the number before, which is left out, to the number.
fn outward(magnitude: u16) -> (i64, i64) {
    match magnitude {
        0 => (0, 0),
        INFINITY => (at(magnitude - 1) + 1, FAR),
        _ => (at(magnitude - 1) + 1, at(magnitude)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i64 = 1 << 26;

    #[test]
    fn places_on_the_line() {
        // 1.0 is 2^24 units, so 2^26 halves of 2^-25; 2^-48 lies between 0 and the first point.
        assert_eq!((units(0x3c00), units(0x8001), units(0x7bff)), (1 << 24, -1, 65504 << 24));
        assert_eq!(place_of(1, 0), ONE);
        assert_eq!(place_of(3, -1), ONE + ONE / 2);
        assert_eq!(place_of(1, -48), 1);
        assert_eq!(place_of(1, -25), 2);
        assert_eq!(place_of(3, -26), 3);
    }

    #[test]
    fn the_intervals_of_one() {
        // Below 1.0 an ulp is 2^-11, above 2^-10; half of them are 2^14 and 2^15 on the line.
        let one = |rounding| {
            let all = Intervals::new(rounding);
            (all.low[0x3c00] - ONE, all.high[0x3c00] - ONE)
        };
        assert_eq!(one(Rounding::NearestEven), (-(1 << 14), 1 << 15));
        assert_eq!(one(Rounding::Zero), (0, (1 << 16) - 1));
        assert_eq!(one(Rounding::Down), (0, (1 << 16) - 1));
        assert_eq!(one(Rounding::Up), (-(1 << 15) + 1, 0));
    }

    #[test]
    fn zeros_and_the_ends() {
        let nearest = Intervals::new(Rounding::NearestEven);
        // Half of the smallest number, 2^-25, is a tie and goes to zero.
        assert!(nearest.hold(0x0000, 0) && nearest.hold(0x0000, 2) && !nearest.hold(0x0000, 3));
        assert!(nearest.hold(0x8000, -1) && !nearest.hold(0x8000, 0));
        // 65520 is halfway between the largest number and 65536.
        let tie = place(65520 << 24);
        assert!(nearest.hold(0x7c00, tie) && !nearest.hold(0x7bff, tie) && nearest.hold(0x7bff, tie - 1));
        let down = Intervals::new(Rounding::Down);
        assert!(down.hold(0x8000, 0) && !down.hold(0x0000, 0) && down.hold(0x0000, 1));
        assert!(down.hold(0x7bff, FAR) && down.hold(0xfc00, -FAR) && down.hold(0x8001, -1));
        let up = Intervals::new(Rounding::Up);
        assert!(up.hold(0x7c00, place(65504 << 24) + 1) && up.hold(0xfbff, -FAR) && up.hold(0x0001, 1));
        assert!(!Intervals::new(Rounding::Zero).hold(0x7c00, FAR));
    }

    #[test]
    fn every_place_near_zero_has_one_result() {
        for rounding in Rounding::ALL {
            let all = Intervals::new(rounding);
            for place in -40..=40 {
                let right = (0..=u16::MAX).filter(|bits| all.hold(*bits, place)).count();
                assert_eq!(right, 1, "{rounding:?} {place}");
            }
        }
    }
}
