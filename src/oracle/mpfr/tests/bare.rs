//! The bare operations.

use core::cmp::Ordering;

use super::super::{FormatOf, How, Oracle, Outcome, Rounding, Rules};

const F16: FormatOf = FormatOf::F16;
const F32: FormatOf = FormatOf::F32;
const BF16: FormatOf = FormatOf::BF16;
const D: Rules = Rules::DEFAULT;

fn toward(rounding: Rounding) -> Rules {
    Rules { rounding, ..D }
}

fn flushing(rounding: Rounding) -> Rules {
    Rules { rounding, flush_out: true, ..D }
}

/// The result in each of the four directions, by their number.
fn each(format: FormatOf, operands: [u32; 3], rules: fn(Rounding) -> Rules) -> [u32; 4] {
    Rounding::ALL.map(|rounding| Oracle::new().fma(format, operands, &rules(rounding)))
}

#[test]
fn one_rounding_of_the_exact_value() {
    // 2^-48 + 2^15: too far apart for f64 (ROCm/rocm-systems#10854); the next f16 above 7800 is 7801.
    assert_eq!(each(F16, [0x0001, 0x0001, 0x7800], toward), [0x7800, 0x7801, 0x7800, 0x7800]);
    // 4100 = 2.5, 7522 = 1314 · 2^4 = 21024, 04ea = 1258 · 2^-24: 52560 + 7.5e-5. Units at 52560 are 32, and
    // 52560 = 1642.5 · 32 is a tie that the addend breaks: 1643 = 1024 + 619 = 0x26b, exponent field 1e: 7a6b.
    assert_eq!(each(F16, [0x4100, 0x7522, 0x04ea], toward), [0x7a6b, 0x7a6b, 0x7a6a, 0x7a6a]);
    // Without it the tie goes to 1642, which is even; with a negative one below.
    assert_eq!(each(F16, [0x4100, 0x7522, 0x0000], toward), [0x7a6a, 0x7a6b, 0x7a6a, 0x7a6a]);
    assert_eq!(each(F16, [0x4100, 0x7522, 0x84ea], toward), [0x7a6a, 0x7a6b, 0x7a6a, 0x7a6a]);
    // The mirror image: up and down trade places.
    assert_eq!(each(F16, [0xc100, 0x7522, 0x84ea], toward), [0xfa6b, 0xfa6a, 0xfa6b, 0xfa6a]);
    // (1 + 2^-12)^2 − (1 + 2^-11) = 2^-24 = 33800000 in f32 and nothing is lost (LLVM FeatureFmaMixInsts, fused).
    assert_eq!(each(F32, [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], toward), [0x3380_0000; 4]);
    // 2^-149 · 2^-149 + 1.
    assert_eq!(each(F32, [1, 1, 0x3f80_0000], toward), [0x3f80_0000, 0x3f80_0001, 0x3f80_0000, 0x3f80_0000]);
    assert_eq!(each(F32, [0x8000_0001, 1, 0x3f80_0000], toward), [0x3f80_0000, 0x3f80_0000, 0x3f7f_ffff, 0x3f7f_ffff]);
    // 1 + 3b81 = 129 · 2^-15 = 2^-8 · 1.0078125: above half a unit of 2^-7, so 3f81 to nearest (CDNA5, packed BF16).
    assert_eq!(each(BF16, [0x3f80, 0x3f80, 0x3b81], toward), [0x3f81, 0x3f81, 0x3f80, 0x3f80]);
    // MAX · MAX + 2^-149.
    assert_eq!(each(F32, [0x7f7f_ffff, 0x7f7f_ffff, 1], toward), [0x7f80_0000, 0x7f80_0000, 0x7f7f_ffff, 0x7f7f_ffff]);
    // The widest exact sum that counts: 2^-298 beside MAX.
    assert_eq!(each(F32, [1, 1, 0x7f7f_ffff], toward), [0x7f7f_ffff, 0x7f80_0000, 0x7f7f_ffff, 0x7f7f_ffff]);
    // f8, 4 + 3 bits: 38 = 1, 39 = 1.125, 01 = 2^-9. 1.125^2 = 1.265625 = 10.125 · 2^-3.
    assert_eq!(each(FormatOf::F8, [0x39, 0x39, 0x00], toward), [0x3a, 0x3b, 0x3a, 0x3a]);
}

#[test]
fn exact_sums_that_are_zero() {
    assert_eq!(each(F16, [0x3c00, 0x3c00, 0xbc00], toward), [0, 0, 0x8000, 0]);
    assert_eq!(each(F16, [0x0000, 0x3c00, 0x8000], toward), [0, 0, 0x8000, 0]);
    assert_eq!(each(F16, [0x8000, 0x3c00, 0x8000], toward), [0x8000; 4]);
    assert_eq!(each(F16, [0x8000, 0x8000, 0x0000], toward), [0; 4]);
    let mut oracle = Oracle::new();
    assert_eq!(oracle.mul(F16, [0x8000, 0x3c00], &toward(Rounding::Up)), 0x8000);
    // Operands that are flushed keep their sign: −0 · 1.
    let flushed = Rules { flush_in: true, ..D };
    assert_eq!(oracle.mul(F16, [0x83ff, 0x3c00], &flushed), 0x8000);
    assert_eq!(oracle.fma(F16, [0x0001, 0x0001, 0x7800], &Rules { rounding: Rounding::Up, ..flushed }), 0x7800);
    // The smallest normal number is not flushed.
    assert_eq!(oracle.mul(F16, [0x8400, 0x3c00], &flushed), 0x8400);
}

#[test]
fn subnormal_results_round_on_their_grid() {
    // 00800000 · 3f7fffff = 2^-126 (1 − 2^-24), half a unit of 2^-149 below 2^-126: a tie between 007fffff, odd, and
    // 00800000 (captures of v_mul_f32 on gfx1100 and gfx1201).
    let mut oracle = Oracle::new();
    let mut muls = |a: u32, rules: fn(Rounding) -> Rules| {
        Rounding::ALL.map(|rounding| oracle.mul(F32, [a, 0x3f7f_ffff], &rules(rounding)))
    };
    assert_eq!(muls(0x0080_0000, toward), [0x0080_0000, 0x0080_0000, 0x007f_ffff, 0x007f_ffff]);
    assert_eq!(muls(0x8080_0000, toward), [0x8080_0000, 0x807f_ffff, 0x8080_0000, 0x807f_ffff]);
    // It is 24 bits, so rounding with an unbounded exponent leaves it below 2^-126: flushed in each direction.
    assert_eq!(muls(0x0080_0000, flushing), [0; 4]);
    assert_eq!(muls(0x8080_0000, flushing), [0x8000_0000; 4]);
    // 1.5 units, a tie of 1 and 2.
    assert_eq!(oracle.fma(F16, [0x3e00, 0x0001, 0x0000], &D), 0x0002);
    // 2.5 units, a tie of 2 and 3; a hair more.
    assert_eq!(oracle.fma(F16, [0x4100, 0x0001, 0x0000], &D), 0x0002);
    assert_eq!(oracle.fma(F16, [0x4101, 0x0001, 0x0000], &D), 0x0003);
    // A quarter of a unit, both signs.
    assert_eq!(each(F16, [0x3400, 0x0001, 0x0000], toward), [0, 1, 0, 0]);
    assert_eq!(each(F16, [0xb400, 0x0001, 0x0000], toward), [0x8000, 0x8000, 0x8001, 0x8000]);
    // Far below: 2^-298.
    assert_eq!(each(F32, [1, 1, 0], toward), [0, 1, 0, 0]);
}

#[test]
fn tininess_is_asked_after_rounding_or_before() {
    // −2^-14 · 2^-12 + 2^-14 = 2^-14 (1 − 2^-12): 12 bits, a tie at 11 bits that goes up to 2^-14.
    let operands = [0x8400, 0x0c00, 0x0400];
    assert_eq!(each(F16, operands, flushing), [0x0400, 0x0400, 0, 0]);
    let before = |rounding| Rules { tiny_before: true, ..flushing(rounding) };
    assert_eq!(each(F16, operands, before), [0; 4]);
    // −2^-14 · 2^-11 + 2^-14 has 11 bits: tiny either way.
    assert_eq!(each(F16, [0x8400, 0x1000, 0x0400], flushing), [0; 4]);
    // Nothing is flushed if nothing is to be: the grid decides, in both ways.
    assert_eq!(each(F16, operands, toward), [0x0400, 0x0400, 0x03ff, 0x03ff]);
    assert_eq!(each(F16, operands, |rounding| Rules { tiny_before: true, ..toward(rounding) })[2], 0x03ff);
    // v_fma_f16(0001, 3400, 8400), captured on gfx1100 and gfx1201 with the output modifier div:2:
    // 2^-26 − 2^-14 = −2^-14 (1 − 2^-12).
    assert_eq!(each(F16, [0x0001, 0x3400, 0x8400], flushing), [0x8400, 0x8000, 0x8400, 0x8000]);
    // An exact subnormal result is flushed as well.
    assert_eq!(each(F16, [0x3c00, 0x8123, 0x0000], flushing), [0x8000; 4]);
    assert_eq!(each(F32, [0x8080_0000, 0x3300_0000, 0x0080_0000], flushing)[0], 0x0080_0000);
}

#[test]
fn overflow() {
    // 65504 + 16 is half a unit above MAX: to the even side, which is infinity.
    assert_eq!(each(F16, [0x3c00, 0x7bff, 0x4c00], toward), [0x7c00, 0x7c00, 0x7bff, 0x7bff]);
    // 65504 + 15.992 is below the tie.
    assert_eq!(each(F16, [0x3c00, 0x7bff, 0x4bff], toward), [0x7bff, 0x7c00, 0x7bff, 0x7bff]);
    assert_eq!(each(F16, [0x7bff, 0xfbff, 0x0000], toward), [0xfc00, 0xfbff, 0xfc00, 0xfbff]);
    // 2^-48 + MAX toward +∞ (captures on gfx1100 and gfx1201).
    assert_eq!(each(F16, [0x0001, 0x0001, 0x7bff], toward), [0x7bff, 0x7c00, 0x7bff, 0x7bff]);
    let held = |rounding| Rules { overflow_to_max: true, ..toward(rounding) };
    assert_eq!(each(F16, [0x7bff, 0x7bff, 0x0000], held), [0x7bff; 4]);
    assert_eq!(each(F16, [0x7bff, 0xfbff, 0x0000], held), [0xfbff; 4]);
    // A true infinity stays.
    assert_eq!(each(F16, [0x7c00, 0x3c00, 0x0000], held), [0x7c00; 4]);
    assert_eq!(each(F16, [0x3c00, 0x3c00, 0xfc00], held), [0xfc00; 4]);
    assert_eq!(each(BF16, [0x7f7f, 0x7f7f, 0x0000], held), [0x7f7f; 4]);
}

#[test]
fn nans_and_what_has_no_value() {
    let fma = |operands, rules: Rules| Oracle::new().fma(F16, operands, &rules);
    let loose = Rules { quiet: false, ..D };
    let signalling = Rules { signalling_first: true, ..D };
    let addend = Rules { addend_over_invalid: true, ..D };
    // Source order, payload and sign kept, made quiet or not.
    assert_eq!(fma([0x7fc1, 0xff80, 0xff80], D), 0x7fc1);
    assert_eq!((fma([0x3c00, 0xfc12, 0x7e01], D), fma([0x3c00, 0xfc12, 0x7e01], loose)), (0xfe12, 0xfc12));
    assert_eq!((fma([0x3c00, 0x3c00, 0x7c01], D), fma([0x3c00, 0x3c00, 0x7c01], loose)), (0x7e01, 0x7c01));
    assert_eq!((fma([0x7e01, 0x7e02, 0x7c03], D), fma([0x7e01, 0x7e02, 0x7c03], signalling)), (0x7e01, 0x7e03));
    assert_eq!(fma([0x7e01, 0xfc02, 0x7c03], Rules { quiet: false, ..signalling }), 0xfc02);
    assert_eq!(fma([0x7e01, 0x7e02, 0x7e03], signalling), 0x7e01);
    // Zero times infinity, also after a flush.
    assert_eq!((fma([0x0000, 0x7c00, 0x7e01], D), fma([0x0000, 0x7c00, 0x7e01], addend)), (0xfe00, 0x7e01));
    assert_eq!((fma([0x7c00, 0x8000, 0x3c00], D), fma([0x7c00, 0x8000, 0x3c00], addend)), (0xfe00, 0xfe00));
    assert_eq!(fma([0x0001, 0x7c00, 0x7e01], D), 0x7e01);
    assert_eq!(fma([0x0001, 0x7c00, 0x7e01], Rules { flush_in: true, ..D }), 0xfe00);
    // A NaN factor is no invalid product.
    assert_eq!(fma([0x7e05, 0x7c00, 0x7e01], D), 0x7e05);
    assert_eq!(fma([0x0000, 0x7e05, 0x7c00], D), 0x7e05);
    // A difference of infinities; the sign of the default NaN.
    assert_eq!(fma([0x7c00, 0x3c00, 0xfc00], D), 0xfe00);
    assert_eq!(fma([0x7c00, 0xbc00, 0x7c00], Rules { positive_default: true, ..D }), 0x7e00);
    assert_eq!(fma([0x7c00, 0xbc00, 0xfc00], D), 0xfc00);
    assert_eq!(fma([0x3c00, 0xbc00, 0x7c00], D), 0x7c00);
    let mut oracle = Oracle::new();
    assert_eq!(oracle.add(F32, [0x7f80_0000, 0xff80_0000], &D), 0xffc0_0000);
    assert_eq!(oracle.add(F32, [0x3f80_0000, 0xff80_0000], &D), 0xff80_0000);
    assert_eq!(oracle.add(F32, [0xff80_0000, 0x3f80_0000], &D), 0xff80_0000);
    assert_eq!(oracle.mul(F32, [0x7f80_0000, 0x8000_0000], &D), 0xffc0_0000);
    assert_eq!(oracle.mul(F32, [0x7f80_0000, 0x8000_0001], &D), 0xff80_0000);
    assert_eq!(oracle.mul(BF16, [0x7f80, 0x0000], &D), 0xffc0);
    assert_eq!(oracle.add(BF16, [0x7fc1, 0x7f81], &signalling), 0x7fc1);
}

#[test]
fn an_outcome_says_what_became_of_the_value() {
    let mut oracle = Oracle::new();
    let outcome = |bits, how| Outcome { bits, how };
    let up = toward(Rounding::Up);
    assert_eq!(
        oracle.fma_outcome(F16, [0x0001, 0x0001, 0x7800], &up),
        outcome(0x7801, How::Rounded(Ordering::Greater))
    );
    // 2^15 + 2^-48: 62 zeros between.
    assert_eq!(oracle.exact_in_binary(), format!("1.{}1p15", "0".repeat(62)));
    assert_eq!(oracle.add_outcome(F16, [0x3c00, 0x3c00], &D), outcome(0x4000, How::Rounded(Ordering::Equal)));
    assert_eq!(oracle.exact_in_binary(), "1p1");
    assert_eq!(oracle.mul_outcome(F16, [0xbe00, 0x0001], &D), outcome(0x8002, How::Rounded(Ordering::Less)));
    assert_eq!(oracle.exact_in_binary(), "-1.1p-24");
    assert_eq!(oracle.mul_outcome(F16, [0xb400, 0x0001], &D), outcome(0x8000, How::Rounded(Ordering::Greater)));
    assert_eq!(oracle.mul_outcome(F16, [0x8000, 0x0001], &D), outcome(0x8000, How::Zero));
    assert_eq!(oracle.exact_in_binary(), "-0");
    assert_eq!(oracle.mul_outcome(F16, [0x7bff, 0x7bff], &D), outcome(0x7c00, How::Overflow));
    assert_eq!(oracle.mul_outcome(F16, [0x0001, 0x3c00], &flushing(Rounding::Up)), outcome(0, How::Flushed));
    assert_eq!(oracle.mul_outcome(F16, [0x7c00, 0x3c00], &D), outcome(0x7c00, How::Infinite));
    assert_eq!(oracle.mul_outcome(F16, [0x7c00, 0x0000], &D), outcome(0xfe00, How::Invalid));
    assert_eq!(oracle.mul_outcome(F16, [0x7c00, 0x7c01], &D), outcome(0x7e01, How::Nan { slot: 1 }));
}
