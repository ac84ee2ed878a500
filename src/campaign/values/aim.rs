//! Float operands that aim at what can go wrong: ties and their neighbours, cancellation, the edges of the format, two
//! roundings instead of one, NaNs, zero times infinity.
//!
//! A target value is chosen and the addend is solved for it in host doubles. If that misses by a unit in the last
//! place, the case is still a good one.

use super::shape::{Shape, power};
use crate::campaign::Draw;

/// What the operands go into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// `a · b + c`.
    Fma,
    /// `a + c`; b is not used.
    Add,
    /// `a · b`; c is not used.
    Mul,
    /// A comparison.
    Compare,
}

/// Operands of these formats whose result is of format `to`.
pub(super) fn operands(draw: &mut Draw, aim: Aim, from: [Shape; 3], to: Shape) -> [u32; 3] {
    if aim == Aim::Compare {
        return compared(draw, from[0]);
    }
    match draw.below(32) {
        0..=2 => from.map(|shape| any(draw, shape)),
        3..=4 => near_exponents(draw, aim, from),
        5 => far_apart(draw, aim, from),
        6..=8 => cancelling(draw, aim, from),
        9..=19 => at_goal(draw, aim, from, to),
        20..=23 => tied_product(draw, aim, from, to),
        24..=26 => at_edge(draw, aim, from, to),
        27..=29 => from.map(|shape| if draw.chance(45) { special(draw, shape) } else { number(draw, shape) }),
        30 => invalid(draw, from),
        _ => from.map(|shape| plain(draw, shape)),
    }
}

/// Any bits.
fn any(draw: &mut Draw, shape: Shape) -> u32 {
    draw.bits() >> (32 - shape.width())
}

fn signed(draw: &mut Draw, shape: Shape, bits: u32) -> u32 {
    if draw.bits() & 1 == 0 { bits } else { bits | shape.sign() }
}

/// A finite number, mostly normal and of any exponent, its fraction random, short, or almost all ones.
fn number(draw: &mut Draw, shape: Shape) -> u32 {
    let fraction = shape.normal() - 1;
    let bits = any(draw, shape) & !(shape.infinity()) & (shape.sign() - 1);
    let bits = match draw.below(4) {
        0 => bits & (fraction << draw.below(shape.fraction + 1)) & fraction,
        1 => fraction & !(bits >> draw.below(shape.fraction + 1)),
        _ => bits,
    };
    let exponent = draw.below(shape.infinity() >> shape.fraction);
    signed(draw, shape, exponent << shape.fraction | bits)
}

/// A number whose exponent is around the middle of the range.
fn moderate(draw: &mut Draw, shape: Shape) -> u32 {
    let all = (shape.infinity() >> shape.fraction) as i32;
    let spread = draw.below(all as u32 / 2) as i32 - all / 4;
    let bits = number(draw, shape) & (shape.sign() | (shape.normal() - 1));
    bits | ((all / 2 + spread) as u32) << shape.fraction
}

/// A zero, a subnormal, an infinity or a NaN of some kind, or a number next to one of these.
fn special(draw: &mut Draw, shape: Shape) -> u32 {
    let payload = (any(draw, shape) & (shape.quiet() - 1)) >> draw.below(shape.fraction);
    let bits = match draw.below(14) {
        0..=1 => 0,
        2 => 1,
        3 => shape.normal() - 1,
        4 => shape.normal() + draw.below(2),
        5..=6 => any(draw, shape) & (shape.normal() - 1),
        7..=8 => shape.infinity(),
        9 => shape.infinity() - 1,
        10 => shape.infinity() | shape.quiet() | payload,
        // A signalling NaN: of low payload bits only, of the high one only, of any.
        11 => shape.infinity() | 1,
        12 => shape.infinity() | shape.quiet() >> 1,
        _ => shape.infinity() | payload.max(1),
    };
    signed(draw, shape, bits)
}

/// A number as people write them.
fn plain(draw: &mut Draw, shape: Shape) -> u32 {
    let two = shape.one() + shape.normal();
    let half = shape.one() - shape.normal();
    let bits = draw.one_of(&[0, half, shape.one(), two, two | shape.quiet(), shape.infinity() - 1, shape.normal(), 1]);
    signed(draw, shape, bits)
}

/// A product and an addend of about one size.
fn near_exponents(draw: &mut Draw, aim: Aim, from: [Shape; 3]) -> [u32; 3] {
    let a = number(draw, from[0]);
    let b = if aim == Aim::Fma { moderate(draw, from[1]) } else { from[1].one() };
    let places = from[2].fraction as i32 + 3;
    let product = from[0].value(a) * from[1].value(b);
    let near = from[2].bits(product * power(draw.below(2 * places as u32) as i32 - places));
    let c = near ^ any(draw, from[2]) & (from[2].sign() | (from[2].normal() - 1));
    [a, if aim == Aim::Mul { number(draw, from[1]) } else { b }, c]
}

/// The smallest products there are, beside any addend or a large one: what a wider format does not keep either.
fn far_apart(draw: &mut Draw, aim: Aim, from: [Shape; 3]) -> [u32; 3] {
    let small = |draw: &mut Draw, shape: Shape| {
        let bits = draw.below(4);
        signed(draw, shape, bits)
    };
    let a = small(draw, from[0]);
    let b = if aim == Aim::Add { from[1].one() } else { small(draw, from[1]) };
    let c = number(draw, from[2]);
    [
        a,
        b,
        if draw.bits() & 1 == 0 {
            c
        } else {
            c & from[2].sign() | (from[2].infinity() - 1 - draw.below(3) * from[2].normal())
        },
    ]
}

/// An addend that is almost the negated product.
fn cancelling(draw: &mut Draw, aim: Aim, from: [Shape; 3]) -> [u32; 3] {
    let a = number(draw, from[0]);
    let b = match aim {
        Aim::Add => from[1].one(),
        // Times a power of two the product is a number of the format, and cancels exactly.
        _ if draw.bits() & 1 == 0 => moderate(draw, from[1]) & !(from[1].normal() - 1),
        _ => moderate(draw, from[1]),
    };
    let c = from[2].bits(-(from[0].value(a) * from[1].value(b)));
    [a, b, from[2].moved(c, few(draw))]
}

fn few(draw: &mut Draw) -> i32 {
    if draw.bits() & 1 == 0 { 0 } else { draw.below(5) as i32 - 2 }
}

/// A result that rounding is about: a number of the destination, a tie between two, and what is next to these.
fn goal(draw: &mut Draw, to: Shape) -> f64 {
    let bits = match draw.below(16) {
        0..=5 => moderate(draw, to),
        6..=7 => number(draw, to),
        8..=9 => to.infinity() - 1 - draw.below(3),
        10..=11 => to.normal() - 2 + draw.below(4),
        12 => draw.below(4),
        13 => any(draw, to) & (to.normal() - 1),
        _ => to.one() - 2 + draw.below(4),
    };
    let bits = signed(draw, to, bits & (to.sign() - 1));
    let half = to.half_unit(bits);
    let value = to.value(bits);
    let part = draw.one_of(&[0.0, 1.0, 1.0, 1.0, -1.0, 0.5, 2.0]);
    value + if value < 0.0 { -half } else { half } * part
}

/// How much smaller than the goal the product is.
fn gap(draw: &mut Draw, to: Shape) -> f64 {
    let places = to.fraction;
    let by = match draw.below(4) {
        0 => draw.below(4),
        1 => places + draw.below(5),
        2 => draw.below(places + 4),
        // Below what a wider format keeps: the trap of two roundings.
        _ => draw.one_of(&[24, 25, 26, 28, 48, 52, 53, 54, 60, 90]),
    };
    let size = power(-(by as i32));
    if draw.bits() & 1 == 0 { size } else { -size }
}

/// The exponent of a normal double.
fn exponent_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

fn at_goal(draw: &mut Draw, aim: Aim, from: [Shape; 3], to: Shape) -> [u32; 3] {
    let goal = goal(draw, to);
    if aim == Aim::Mul {
        let a = moderate(draw, from[0]);
        let b = from[1].bits(goal / from[0].value(a));
        return [a, from[1].moved(b, few(draw)), 0];
    }
    let product = goal * gap(draw, to);
    let (a, b) = match aim {
        Aim::Add => (from[0].bits(product), from[1].one()),
        // A product of two powers of two is one exactly.
        _ if draw.bits() & 1 == 0 => {
            let exponent = exponent_of(product) / 2 + draw.below(15) as i32 - 7;
            let a = from[0].bits(power(exponent));
            (signed(draw, from[0], a), from[1].bits(product * power(-exponent)) & !(from[1].normal() - 1))
        }
        _ => {
            let a = moderate(draw, from[0]);
            (a, from[1].bits(product / from[0].value(a)))
        }
    };
    // The addend makes up for the product, or stands on the goal as if there were none.
    let rest = if draw.bits() & 1 == 0 { goal } else { goal - from[0].value(a) * from[1].value(b) };
    let c = from[2].bits(rest);
    [a, b, if draw.chance(25) { from[2].moved(c, few(draw)) } else { c }]
}

/// A product of odd significands that is a tie of the destination or one bit longer, and an addend far below it or
/// none.
fn tied_product(draw: &mut Draw, aim: Aim, from: [Shape; 3], to: Shape) -> [u32; 3] {
    let width = to.fraction + 2 + draw.below(2);
    let most = from[0].fraction + 1;
    let short = (1 + draw.below(width - 1)).min(most);
    let long = (width - short).clamp(1, from[1].fraction + 1);
    let odd = |draw: &mut Draw, bits: u32| f64::from(1 << (bits - 1) | draw.bits() & ((1 << bits) - 1) | 1);
    let (x, y) = (odd(draw, short), odd(draw, long));
    let range = (-to.emin()).min(-from[0].emin()) as u32;
    let scale = |draw: &mut Draw, bits: u32| power(draw.below(range) as i32 - range as i32 / 2 - bits as i32);
    let a = from[0].bits(x * scale(draw, short));
    let b = from[1].bits(y * scale(draw, long));
    let (a, b) = (signed(draw, from[0], a), signed(draw, from[1], b));
    if aim == Aim::Add {
        let places = to.fraction + 1 + draw.below(2);
        let c = from[2].bits(from[0].value(a) * power(places as i32));
        return [a, b, signed(draw, from[2], c)];
    }
    let product = from[0].value(a) * from[1].value(b);
    let c = match draw.below(4) {
        0 => 0,
        1 => 1,
        2 => from[2].bits(product * gap(draw, to) * power(-(to.fraction as i32))),
        _ => from[2].bits(product * gap(draw, to)),
    };
    [a, b, signed(draw, from[2], c)]
}

/// A result at the largest or the smallest number, with an addend that is one of these or a tiny one.
fn at_edge(draw: &mut Draw, aim: Aim, from: [Shape; 3], to: Shape) -> [u32; 3] {
    let is_large = draw.bits() & 1 == 0;
    let edge = if is_large { to.infinity() - 1 } else { to.normal() };
    let edge = to.moved(edge, few(draw));
    let edge = signed(draw, to, edge & (to.sign() - 1));
    let half = to.half_unit(edge);
    let tiny = half * draw.one_of(&[0.25, 0.5, 0.5, 1.0, 1.0, 2.0, 3.0]);
    let tiny = if draw.bits() & 1 == 0 { tiny } else { -tiny };
    // Which of the two is the product.
    let (product, addend) = if draw.bits() & 1 == 0 { (to.value(edge), tiny) } else { (tiny, to.value(edge)) };
    let a = match aim {
        Aim::Add => from[0].bits(product),
        // By a power of two the quotient is exact.
        _ if draw.bits() & 1 == 0 => moderate(draw, from[0]) & !(from[0].normal() - 1),
        _ => moderate(draw, from[0]),
    };
    let b = if aim == Aim::Add { from[1].one() } else { from[1].bits(product / from[0].value(a)) };
    [a, if draw.chance(30) { from[1].moved(b, few(draw)) } else { b }, from[2].bits(addend)]
}

/// Zero, or what is flushed to it, times infinity, plus anything special.
fn invalid(draw: &mut Draw, from: [Shape; 3]) -> [u32; 3] {
    let zero =
        |draw: &mut Draw, shape: Shape| if draw.bits() & 1 == 0 { 0 } else { any(draw, shape) & (shape.normal() - 1) };
    let (a, b) = if draw.bits() & 1 == 0 {
        (zero(draw, from[0]), from[1].infinity())
    } else {
        (from[0].infinity(), zero(draw, from[1]))
    };
    [signed(draw, from[0], a), signed(draw, from[1], b), special(draw, from[2])]
}

/// Operands of a comparison: neighbours, equal or opposite, zeros of both signs, NaNs.
fn compared(draw: &mut Draw, shape: Shape) -> [u32; 3] {
    let first = number(draw, shape);
    let next = |draw: &mut Draw| match draw.below(8) {
        0 => first,
        1 => first ^ shape.sign(),
        2 => shape.moved(first, few(draw)),
        3..=5 => special(draw, shape),
        _ => number(draw, shape),
    };
    let operands = [next(draw), next(draw), next(draw)];
    match draw.below(8) {
        0 => [first, operands[1], operands[2]],
        1 => operands.map(|_| signed(draw, shape, 0)),
        2 => operands.map(|_| shape.infinity() | signed(draw, shape, 0) | any(draw, shape) & (shape.normal() - 1)),
        _ => operands,
    }
}

/// A float operand on its own.
pub(super) fn float(draw: &mut Draw, shape: Shape) -> u32 {
    if draw.chance(30) { special(draw, shape) } else { number(draw, shape) }
}

/// An integer of 16 bits: an edge, next to one, small, or any.
pub(super) fn integer(draw: &mut Draw) -> u32 {
    match draw.below(8) {
        0..=2 => {
            let edge = draw.one_of(&[0, 1, 0x7fff, 0x8000, 0xffff, 0x4000, 0x00ff, 0x0100]);
            (edge + draw.below(3)).wrapping_sub(1) & 0xffff
        }
        3 => draw.below(32),
        4 => draw.below(32).wrapping_neg() & 0xffff,
        _ => draw.bits() & 0xffff,
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::{BF16, F16};
    use super::*;

    /// How many of 20,000 draws the test holds for.
    fn count(aim: Aim, from: [Shape; 3], to: Shape, holds: impl Fn([u32; 3]) -> bool) -> usize {
        let mut draw = Draw::new(5);
        (0..20_000).filter(|_| holds(operands(&mut draw, aim, from, to))).count()
    }

    #[test]
    fn bits_fit_their_formats() {
        for aim in [Aim::Fma, Aim::Add, Aim::Mul, Aim::Compare] {
            assert_eq!(count(aim, [F16; 3], F16, |bits| bits.iter().all(|bits| *bits < 0x1_0000)), 20_000, "{aim:?}");
            assert_eq!(count(aim, [BF16; 3], BF16, |bits| bits.iter().all(|bits| *bits < 0x1_0000)), 20_000);
        }
    }

    #[test]
    fn what_is_aimed_at_is_hit() {
        let finite = |bits: [u32; 3]| bits.iter().all(|bits| bits & F16.infinity() != F16.infinity());
        let exact = |bits: [u32; 3]| F16.value(bits[0]) * F16.value(bits[1]) + F16.value(bits[2]);
        let is_tie = |value: f64| {
            let down = F16.bits(value);
            value != 0.0 && value.abs() == F16.value(down).abs() + F16.half_unit(down) && value.abs() < 65504.0
        };
        let at_least = |least: usize, what: &str, aim: Aim, holds: &dyn Fn([u32; 3]) -> bool| {
            let hits = count(aim, [F16; 3], F16, |bits| finite(bits) && holds(bits));
            assert!(hits >= least, "{what}: {hits}");
        };
        // Products of f16 have 22 bits, so that a sum is exact in doubles unless the exponents are far apart.
        at_least(1000, "ties", Aim::Fma, &|bits| is_tie(exact(bits)));
        let is_tie_by_f32 = |value: f64| is_tie(f64::from(value as f32)) && !is_tie(value);
        at_least(100, "ties by way of f32", Aim::Fma, &|bits| is_tie_by_f32(exact(bits)));
        // A product so far below the addend that a double does not keep it: 2^-48 beside 2^15.
        let product = |bits: [u32; 3]| F16.value(bits[0]) * F16.value(bits[1]);
        let is_lost = |bits: [u32; 3]| product(bits) != 0.0 && exact(bits) == F16.value(bits[2]);
        at_least(20, "lost by doubles", Aim::Fma, &is_lost);
        at_least(200, "cancelled", Aim::Fma, &|bits| bits[2] & 0x7fff != 0 && exact(bits) == 0.0);
        // 2^-14 is the smallest normal f16, 65520 the first value that rounds to infinity.
        let tiny = |value: f64| value.abs() < power(-14) && value.abs() > power(-14) - power(-24);
        at_least(100, "just below the normal numbers", Aim::Fma, &|bits| tiny(exact(bits)));
        at_least(20, "just infinite", Aim::Fma, &|bits| exact(bits).abs() == 65520.0);
        at_least(1000, "products that are ties", Aim::Mul, &|bits| is_tie(product(bits)));
        for slot in 0..3 {
            let hits = count(Aim::Fma, [F16; 3], F16, |bits| bits[slot] & 0x7fff > 0x7c00);
            assert!(hits >= 250, "NaNs in slot {slot}: {hits}");
        }
    }
}
