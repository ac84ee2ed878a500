//! What is no finite product and addend: zeros, infinities, NaNs, and operands that are flushed.
//!
//! The code takes these cases apart by class before it computes, and what it does then depends on the classes, the signs
//! and, of a NaN, on the bits it passes on. So every class is tried against every other, and every NaN in every place.

use super::{Tally, Wrong};
use crate::exec::arithmetic::{Env, Rounding, fma};
use crate::exec::format::F16;

/// The NaN of an invalid operation.
pub(super) const DEFAULT_NAN: u16 = 0xfe00;

const INFINITY: u16 = 0x7c00;
const MAGNITUDE: u16 = 0x7fff;

pub(super) fn is_special(bits: u16) -> bool {
    bits & MAGNITUDE >= INFINITY
}

pub(super) fn is_nan(bits: u16) -> bool {
    bits & MAGNITUDE > INFINITY
}

/// A NaN made quiet: the highest bit of the fraction set.
pub(super) fn quiet(bits: u16) -> u16 {
    bits | 0x200
}

/// Magnitudes of every class: zero, subnormal, normal, infinity, signalling and quiet NaN.
const CLASSES: [u16; 19] = [
    0x0000, 0x0001, 0x0200, 0x03ff, 0x0400, 0x0401, 0x2e66, 0x3bff, 0x3c00, 0x3c01, 0x7800, 0x7bff, 0x7c00, 0x7c01,
    0x7d55, 0x7dff, 0x7e00, 0x7e01, 0x7fff,
];

/// All of these with both signs.
fn classes() -> impl Iterator<Item = u16> + Clone {
    CLASSES.into_iter().flat_map(|bits| [bits, bits | 0x8000])
}

/// The triples tried: every class against every other, every value in each place beside some of each class, and every
/// addend beside a zero product of either sign.
fn triples() -> impl Iterator<Item = [u16; 3]> {
    let of_classes = classes().flat_map(|a| classes().flat_map(move |b| classes().map(move |c| [a, b, c])));
    let one_of_all = (0..=u16::MAX).flat_map(|x| {
        let others = [0x0000, 0x8000, 0x0001, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7c01, 0xfe02];
        let with = move |y: u16| others.map(move |z| [[x, y, z], [y, x, z], [y, z, x]]).into_iter().flatten();
        others.into_iter().flat_map(with)
    });
    of_classes.chain(one_of_all)
}

/// Judges them in one rounding with inputs kept and flushed, and with NaNs made quiet and not. A triple is judged where a
/// product is zero or an operand special; `fma` of the others is what the sums are about.
#[must_use]
pub(super) fn judge(rounding: Rounding) -> Tally {
    let mut tally = Tally::default();
    for (flush_inputs, is_quieting) in [(false, true), (false, false), (true, true), (true, false)] {
        let env = Env { rounding, flush_inputs, quiet: is_quieting, ..Env::DEFAULT };
        for operands in triples() {
            let read = operands.map(|bits| if flush_inputs { flushed(bits) } else { bits });
            let Some(expected) = expected(read, rounding, is_quieting) else { continue };
            let result = fma::<F16, F16, ()>(operands.map(u32::from), &env, &mut ()) as u16;
            let [a, b, c] = operands;
            tally.count(result == expected, || Wrong {
                case: format!("{a:04x} · {b:04x} + {c:04x} gives {result:04x}, not {expected:04x}; {env:?}"),
            });
        }
    }
    tally
}

/// A subnormal number as the zero of its sign.
fn flushed(bits: u16) -> u16 {
    if (1..0x400).contains(&(bits & MAGNITUDE)) { bits & 0x8000 } else { bits }
}

/// The result, unless the product is a finite number that is not zero and so is the rest finite.
fn expected([a, b, c]: [u16; 3], rounding: Rounding, is_quieting: bool) -> Option<u16> {
    let (x, y) = (a & MAGNITUDE, b & MAGNITUDE);
    let sign = (a ^ b) & 0x8000;
    if (x == 0 && y == INFINITY) || (x == INFINITY && y == 0) {
        return Some(DEFAULT_NAN);
    }
    if let Some(nan) = [a, b, c].into_iter().find(|bits| is_nan(*bits)) {
        return Some(if is_quieting { quiet(nan) } else { nan });
    }
    let is_infinite = x == INFINITY || y == INFINITY;
    match c & MAGNITUDE == INFINITY {
        true if is_infinite && sign != c & 0x8000 => Some(DEFAULT_NAN),
        true => Some(c),
        false if is_infinite => Some(sign | INFINITY),
        false if x != 0 && y != 0 => None,
        // A zero product: the addend, but for zeros of different signs.
        false if c & MAGNITUDE == 0 && c != sign => Some(if rounding == Rounding::Down { 0x8000 } else { 0 }),
        false => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected() {
        let of = |operands| expected(operands, Rounding::NearestEven, true);
        // The captures of gfx1100 and gfx1201: 0·∞ + NaN and ∞ − ∞ are fe00, the first NaN is taken and made quiet.
        assert_eq!(of([0x0000, 0x7c00, 0x7e01]), Some(0xfe00));
        assert_eq!(of([0x7c00, 0x3c00, 0xfc00]), Some(0xfe00));
        assert_eq!(of([0x3c00, 0xfc12, 0x7e01]), Some(0xfe12));
        assert_eq!(expected([0x3c00, 0xfc12, 0x7e01], Rounding::Up, false), Some(0xfc12));
        assert_eq!(of([0x8000, 0x3c00, 0x0000]), Some(0x0000));
        assert_eq!(expected([0x8000, 0x3c00, 0x0000], Rounding::Down, true), Some(0x8000));
        assert_eq!(of([0x8000, 0x3c00, 0x8000]), Some(0x8000));
        assert_eq!(of([0x8000, 0x3c00, 0x4321]), Some(0x4321));
        assert_eq!(of([0x3c00, 0x3c00, 0x4321]), None);
        assert_eq!((flushed(0x8001), flushed(0x0400), flushed(0x7c01)), (0x8000, 0x0400, 0x7c01));
    }
}
