//! The mix instructions.

use super::{expect, result};
use crate::question::Reading as R;

const WIDE: &str = "v_fma_mix_f32 v0, v1, v2, v3";
const LOW: &str = "v_fma_mixlo_f16 v0, v1, v2, v3";
const HIGH: &str = "v_fma_mixhi_f16 v0, v1, v2, v3";
const ONE: u64 = 0x3f80_0000;

#[test]
fn sources_are_f32_or_halves() {
    // Halves 1 and 2, 3 and 4; the third source is f32 5.
    let src = [0x4000_3c00, 0x4400_4200, 0x40a0_0000];
    let mix = |modifiers: &str, expected| expect("gfx1100", &format!("{WIDE} {modifiers}"), "", &[], src, expected);
    // 1 · 3 + 5 = 8, 2 · 3 + 5 = 11, 2 · 4 + 5 = 13.
    mix("op_sel_hi:[1,1,0]", 0x4100_0000);
    mix("op_sel:[1,0,0] op_sel_hi:[1,1,0]", 0x4130_0000);
    mix("op_sel:[1,1,0] op_sel_hi:[1,1,0]", 0x4150_0000);
    // OP_SEL means nothing of an f32.
    mix("op_sel:[0,0,1] op_sel_hi:[1,1,0]", 0x4100_0000);
    // bf16: 4000 = 2 above, 3c00 = 2^-7 below; 2 · 2^-7 + 1.
    let brain = "v_fma_mix_f32_bf16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,0]";
    expect("gfx1250", brain, "", &[], [0x4000_3c00, 0x4000_3c00, ONE], 0x3f82_0000);
}

#[test]
fn signs() {
    // −2 · 3 + 1: absolute, then negative: −|−2| = −2.
    let src = [0xc000_0000, 0x4040_0000, ONE];
    for (source, expected) in [("v1", 0xc0a0_0000), ("-v1", 0x40e0_0000), ("|v1|", 0x40e0_0000), ("-|v1|", 0xc0a0_0000)]
    {
        expect("gfx1100", &format!("v_fma_mix_f32 v0, {source}, v2, v3"), "", &[], src, expected);
        let half = format!("v_fma_mix_f32 v0, {source}, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0]");
        expect("gfx1100", &half, "", &[], [0xc000_3c00, 0x4040_0000, ONE], expected);
    }
    // NaNs, too.
    expect("gfx1100", "v_fma_mix_f32 v0, -|v1|, v2, v3", "", &[], [0x7fc0_0001, ONE, 0], 0xffc0_0001);
}

#[test]
fn constants() {
    let low = "v_fma_mix_f32 v0, 1.0, v1, 0 op_sel_hi:[1,0,0]";
    let high = "v_fma_mix_f32 v0, 1.0, v1, 0 op_sel:[1,0,0] op_sel_hi:[1,0,0]";
    let src = [0, 0x4040_0000, 0];
    expect("gfx1100", "v_fma_mix_f32 v0, 1.0, v1, 0", "", &[], src, 0x4040_0000);
    for text in [low, high] {
        expect("gfx1100", text, "", &[R::MixInlineReplicated], src, 0x4040_0000);
    }
    expect("gfx1100", low, "", &[R::MixInlineLow], src, 0x4040_0000);
    expect("gfx1100", high, "", &[R::MixInlineLow], src, 0);
    let brain_low = "v_fma_mix_f32_bf16 v0, 1.0, v1, 0 op_sel_hi:[1,0,0]";
    let brain_high = "v_fma_mix_f32_bf16 v0, 1.0, v1, 0 op_sel:[1,0,0] op_sel_hi:[1,0,0]";
    expect("gfx1250", brain_low, "", &[], src, 0);
    expect("gfx1250", brain_high, "", &[R::MixInlineLow], src, 0x4040_0000);
    // The integer 1 is the f32 00000001 and the f16 0001.
    expect("gfx1100", "v_fma_mix_f32 v0, 1, v1, 0", "", &[], [0, ONE, 0], 1);
    expect("gfx1100", "v_fma_mix_f32 v0, 1, v1, 0 op_sel_hi:[1,0,0]", "", &[], [0, ONE, 0], 0x3380_0000);
    // A literal in halves.
    let literal = "v_fma_mix_f32 v0, 0x40003c00, v1, 0 op_sel:[1,0,0] op_sel_hi:[1,0,0]";
    expect("gfx1100", literal, "", &[], [0, ONE, 0], 0x4000_0000);
}

#[test]
fn the_other_half_stays() {
    let src = [0x4000_0000, 0x4040_0000, ONE];
    assert_eq!(result("gfx1100", LOW, "", &[], src, 0xdead_beef), 0xdead_4700);
    assert_eq!(result("gfx1100", HIGH, "", &[], src, 0xdead_beef), 0x4700_beef);
    assert_eq!(result("gfx1100", WIDE, "", &[], src, 0xdead_beef), 0x40e0_0000);
    let brain = "v_fma_mixhi_bf16 v0, v1, v2, v3";
    assert_eq!(result("gfx1250", brain, "", &[], src, 0xdead_beef), 0x40e0_beef);
}

#[test]
fn widening_is_exact() {
    let half = "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]";
    // 03ff = 1023 · 2^-24, 8001 = −2^-24, infinity, and NaNs with their payload at the upper end.
    expect("gfx1100", half, "", &[], [0x03ff, ONE, 0x8000_0000], 0x387f_c000);
    expect("gfx1100", half, "", &[], [0x8001, ONE, 0], 0xb380_0000);
    expect("gfx1100", half, "", &[], [0xfc00, ONE, 0], 0xff80_0000);
    expect("gfx1100", half, "ieee=0", &[], [0xfc01, ONE, 0], 0xff80_2000);
    expect("gfx1100", half, "ieee=1", &[], [0xfc01, ONE, 0], 0xffc0_2000);
    // A subnormal half is a normal f32: the f32 field does not flush it.
    expect("gfx1100", half, "denorm.f32=flush", &[], [0x0001, ONE, 0], 0x3380_0000);
    // A subnormal bf16 is a subnormal f32: both fields may.
    let brain = "v_fma_mix_f32_bf16 v0, v1, v2, v3 op_sel_hi:[1,0,0]";
    expect("gfx1250", brain, "", &[], [0xff85, ONE, 0], 0xffc5_0000);
    expect("gfx1250", brain, "", &[], [0x0001, ONE, 0], 0x0001_0000);
    expect("gfx1250", brain, "denorm.f32=flush-in", &[], [0x8001, ONE, 0x8000_0000], 0x8000_0000);
    expect("gfx1250", brain, "denorm.f16=flush-in", &[], [0x8001, ONE, 0x8000_0000], 0x8000_0000);
}

#[test]
fn flushes_and_rounding_of_f32() {
    // 00000001 · 1, 2^-126 · 0.5.
    expect("gfx1100", WIDE, "denorm.f32=flush-in", &[], [1, ONE, 0], 0);
    expect("gfx1100", WIDE, "denorm.f32=flush-out", &[], [0x0080_0000, 0xbf00_0000, 0], 0x8000_0000);
    expect("gfx1100", WIDE, "denorm.f16=flush", &[], [0x0080_0000, 0xbf00_0000, 0], 0x8040_0000);
    // 1 + 2^-24.
    for (round, expected) in [("rne", ONE), ("+inf", ONE + 1), ("-inf", ONE), ("zero", ONE)] {
        expect("gfx1100", WIDE, &format!("round.f32={round}"), &[], [ONE, ONE, 0x3380_0000], expected);
    }
}

#[test]
fn short_results() {
    // 1 + 2^-11 is a tie of 3c00 and 3c01; FP_ROUND of f16 decides.
    let tie = [ONE, ONE, 0x3a00_0000];
    for (round, expected) in [("rne", 0x3c00), ("+inf", 0x3c01), ("-inf", 0x3c00), ("zero", 0x3c00)] {
        for reading in [R::MixDouble, R::MixSingle] {
            expect("gfx1100", LOW, &format!("round.f16={round}"), &[reading], tie, expected);
        }
    }
    // 1 + 2^-24 toward +∞ in f32 alone: 3f800001, which f16 rounds to 1; in f16 alone f32 makes it 1 first.
    let hair = [ONE, ONE, 0x3380_0000];
    expect("gfx1100", LOW, "round.f16=+inf", &[R::MixDouble], hair, 0x3c00);
    expect("gfx1100", LOW, "round.f16=+inf", &[R::MixSingle], hair, 0x3c01);
    expect("gfx1100", LOW, "round.f16=+inf,round.f32=+inf", &[R::MixDouble], hair, 0x3c01);
    // 1 − 1 is −0 where the rounding that is the first to see it goes down.
    for (reading, f32_down, f16_down) in [(R::MixDouble, 0x8000, 0), (R::MixSingle, 0, 0x8000)] {
        let nought = [ONE, ONE, 0xbf80_0000];
        expect("gfx1100", LOW, "round.f32=-inf", &[reading], nought, f32_down);
        expect("gfx1100", LOW, "round.f16=-inf", &[reading], nought, f16_down);
    }
    // A subnormal f16: 2^-20 is 0010, a normal f32; 2^-14 (1 − 2^-12) rounds to 0400.
    expect("gfx1100", LOW, "denorm.f16=flush-out", &[], [0xb580_0000, ONE, 0], 0x8000);
    expect("gfx1100", LOW, "denorm.f32=flush", &[], [0xb580_0000, ONE, 0], 0x8010);
    let below = [0x387f_f000, ONE, 0];
    expect("gfx1100", LOW, "denorm.f16=flush-out", &[R::TinyAfter], below, 0x0400);
    expect("gfx1100", LOW, "denorm.f16=flush-out", &[R::TinyBefore], below, 0);
    // 2^-130 toward +∞: an f32 that is flushed before it is narrow, or never was when the exact value is rounded.
    let least = [0x0080_0000, 0x3d80_0000, 0];
    expect("gfx1100", LOW, "denorm.f32=flush-out,round.f16=+inf", &[R::MixDouble], least, 0);
    expect("gfx1100", LOW, "denorm.f32=flush-out,round.f16=+inf", &[R::MixSingle], least, 1);
    // CLAMP acts on the 16 bits.
    expect("gfx1100", &format!("{LOW} clamp"), "", &[], [0x4000_0000, ONE, 0], 0x3c00);
    expect("gfx1100", &format!("{HIGH} clamp"), "", &[], [0xc000_0000, ONE, 0], 0);
}

#[test]
fn short_overflow() {
    for reading in [R::MixDouble, R::MixSingle] {
        let mix = |text: &str, mode: &str, src, expected| expect("gfx1250", text, mode, &[reading], src, expected);
        let brain = "v_fma_mixlo_bf16 v0, v1, v2, v3";
        // 2^16; 2^127 · 2^127, which no f32 holds; infinity.
        for (src, plain, held) in [
            ([0x4780_0000, ONE, 0], 0x7c00, 0x7bff),
            ([0x7f00_0000, 0xff00_0000, 0], 0xfc00, 0xfbff),
            ([0x7f80_0000, ONE, 0], 0x7c00, 0x7c00),
            ([ONE, ONE, 0xff80_0000], 0xfc00, 0xfc00),
        ] {
            mix(LOW, "", src, plain);
            mix(LOW, "fp16_ovfl=1", src, held);
        }
        mix(brain, "", [0x7f00_0000, 0xff00_0000, 0], 0xff80);
        mix(brain, "fp16_ovfl=1", [0x7f00_0000, 0xff00_0000, 0], 0xff7f);
        // FLT_MAX is above the largest bf16 by nearly a unit.
        mix(brain, "", [0x7f7f_ffff, ONE, 0], 0x7f80);
        mix(brain, "fp16_ovfl=1", [0x7f7f_ffff, ONE, 0], 0x7f7f);
        mix(WIDE, "fp16_ovfl=1", [0x7f00_0000, 0x7f00_0000, 0], 0x7f80_0000);
    }
    // Toward zero f32 gives FLT_MAX, f16 its own MAX; toward +∞ f16 gives infinity of it.
    expect("gfx1100", LOW, "round.f32=zero,round.f16=zero", &[], [0x7f00_0000, 0x7f00_0000, 0], 0x7bff);
    expect("gfx1100", LOW, "round.f32=zero,round.f16=+inf", &[], [0x7f00_0000, 0x7f00_0000, 0], 0x7c00);
}

#[test]
fn unfused() {
    let mad = "v_mad_mix_f32 v0, v1, v2, v3";
    let keep = [R::MixFlushByMode];
    // The product is rounded, so an overflow is an infinity: 2^127 · 2 − 2^127 and − ∞.
    expect("gfx900", mad, "", &[], [0x7f00_0000, 0x4000_0000, 0xff00_0000], 0x7f80_0000);
    expect("gfx900", mad, "", &[], [0x7f00_0000, 0x4000_0000, 0xff80_0000], 0xffc0_0000);
    // An invalid product is a quiet NaN in front of the addend's.
    expect("gfx900", mad, "", &[], [0, 0x7f80_0000, 0x7fc0_0001], 0xffc0_0000);
    // A product that is flushed: 2^-126 · −0.5.
    expect("gfx900", mad, "denorm.f32=flush-out", &keep, [0x0080_0000, 0xbf00_0000, 0x8000_0000], 0x8000_0000);
    expect("gfx900", mad, "", &keep, [0x0080_0000, 0xbf00_0000, 0x8000_0000], 0x8040_0000);
    let short = "v_mad_mixlo_f16 v0, v1, v2, v3";
    for reading in [R::MixDouble, R::MixSingle] {
        expect("gfx900", short, "", &[reading], [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0);
        expect("gfx900", short, "fp16_ovfl=1", &[reading], [0x7f00_0000, 0x4000_0000, 0xff00_0000], 0x7bff);
    }
    // 1 + (2^-12 + 2^-35) with the sum rounded once or twice: 1 + 2^-11 + 2^-30 as in the fused case.
    let above = [0x3800_0000, 0x3800_0000, 0x3f80_1000];
    expect("gfx900", short, "", &[R::MixDouble], above, 0x3c00);
    expect("gfx900", short, "", &[R::MixSingle], above, 0x3c01);
}
