//! Packed operations: operands, modifiers, minima and maxima, CLAMP.

use super::expect;
use crate::question::Reading as R;

#[test]
fn halves_and_signs_are_chosen_for_each_result() {
    // 1 and 2 in source 0, 3 and 4 in source 1.
    let src = [0x4000_3c00, 0x4400_4200, 0];
    let add = |modifiers: &str, expected| {
        expect("gfx900", &format!("v_pk_add_f16 v0, v1, v2 {modifiers}"), "", &[], src, expected);
    };
    add("", 0x4600_4400);
    // Low: 2 + 3 = 5, high: 1 + 4 = 5.
    add("op_sel:[1,0] op_sel_hi:[0,1]", 0x4500_4500);
    // Low: −1 + 3, high: 2 − 4.
    add("neg_lo:[1,0] neg_hi:[0,1]", 0xc000_4000);
    // The same half in both results, negative in one: 1 + 4 and −1 + 4.
    add("op_sel:[0,1] op_sel_hi:[0,1] neg_hi:[1,0]", 0x4200_4500);
    // The sign of a NaN turns, too.
    expect("gfx900", "v_pk_add_f16 v0, v1, v2 neg_lo:[1,0]", "", &[], [0x7e01_7e01, 0, 0], 0x7e01_fe01);
    // Three sources: 1 · 3 + 5, 2 · 4 − 6.
    let fma = "v_pk_fma_f16 v0, v1, v2, v3 neg_hi:[0,0,1]";
    expect("gfx900", fma, "", &[], [0x4000_3c00, 0x4400_4200, 0x4600_4500], 0x4000_4800);
}

#[test]
fn constants() {
    let both = 0x4000_3c00;
    // A float constant is in the low half; op_sel_hi 0 takes it twice.
    expect("gfx1100", "v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]", "", &[], [both, 0, 0], 0x4200_4000);
    expect("gfx1100", "v_pk_add_f16 v0, v1, 0.15915494", "", &[], [0, 0, 0], 0x0000_3118);
    // −1 is ffffffff: a NaN in both halves, or in the low one.
    expect("gfx1100", "v_pk_add_f16 v0, v1, -1", "", &[], [both, 0, 0], 0xffff_ffff);
    expect("gfx1100", "v_pk_add_f16 v0, v1, -1", "", &[R::InlineIntegerLow], [both, 0, 0], 0x4000_ffff);
    // A literal is 32 bits.
    expect("gfx1100", "v_pk_add_f16 v0, v1, 0x40003c00", "", &[], [both, 0, 0], 0x4400_4000);
    // bf16 is the upper half of the f32; the lower one is 0, of 1/(2π) f983.
    expect("gfx1250", "v_pk_add_bf16 v0, v1, 1.0 op_sel:[0,1]", "", &[], [0x3f80_3f80, 0, 0], 0x4000_4000);
    expect("gfx1250", "v_pk_add_bf16 v0, v1, 1.0", "", &[], [0x3f80_3f80, 0, 0], 0x4000_3f80);
    expect("gfx1250", "v_pk_add_bf16 v0, v1, 0.15915494 op_sel:[0,1]", "", &[], [0, 0, 0], 0x3e22_3e22);
    // A float in integer operations is the f32, or the f16 in the low half.
    expect("gfx900", "v_pk_add_u16 v0, v1, 1.0", "", &[], [0x0001_0001, 0, 0], 0x3f81_0001);
    expect("gfx900", "v_pk_add_u16 v0, v1, 1.0", "", &[R::InlineFloatIsF16Low], [0x0001_0001, 0, 0], 0x0001_3c01);
    expect("gfx900", "v_pk_lshlrev_b16 v0, 4, v1 op_sel_hi:[0,1]", "", &[], [0, 0x0003_0005, 0], 0x0030_0050);
    expect("gfx1030", "v_pk_add_u16 v0, v1, null", "", &[], [0x0001_0001, u64::MAX, 0], 0x0001_0001);
}

#[test]
fn pairs_of_f32() {
    let two_one = 0x4000_0000_3f80_0000;
    let four_three = 0x4080_0000_4040_0000;
    let add = "v_pk_add_f32 v[0:1], v[2:3], v[4:5]";
    expect("gfx90a", add, "", &[], [two_one, four_three, 0], 0x40c0_0000_4080_0000);
    // 2 + 3, 1 + 4; then −1 + 3, 2 − 4.
    let crossed = format!("{add} op_sel:[1,0] op_sel_hi:[0,1]");
    expect("gfx90a", &crossed, "", &[], [two_one, four_three, 0], 0x40a0_0000_40a0_0000);
    let negated = format!("{add} neg_lo:[1,0] neg_hi:[0,1]");
    expect("gfx90a", &negated, "", &[], [two_one, four_three, 0], 0xc000_0000_4000_0000);
    // A constant in both dwords, or in the low one.
    let one = "v_pk_add_f32 v[0:1], v[2:3], 1.0";
    expect("gfx90a", one, "", &[], [two_one, 0, 0], 0x4040_0000_4000_0000);
    expect("gfx90a", one, "", &[R::InlinePairLow], [two_one, 0, 0], 0x4000_0000_4000_0000);
    // A pair of SGPRs; on CDNA5 one SGPR for both, whatever op_sel says.
    expect("gfx90a", "v_pk_add_f32 v[0:1], v[2:3], s[4:5]", "", &[], [0, two_one, 0], two_one);
    expect("gfx1250", "v_pk_add_f32 v[0:1], v[2:3], s[4:5]", "", &[], [0, two_one, 0], 0x3f80_0000_3f80_0000);
    expect("gfx1250", add, "", &[], [0, two_one, 0], two_one);
    expect("gfx1250", one, "", &[R::InlinePairLow], [two_one, 0, 0], 0x4040_0000_4000_0000);
    // FP_ROUND and FP_DENORM of f32: 1 + 2^-24, 00000001 · 1; CLAMP.
    let hair = 0x3380_0000_3380_0000;
    let ones = 0x3f80_0000_3f80_0000;
    expect("gfx90a", add, "round.f32=+inf", &[], [ones, hair, 0], 0x3f80_0001_3f80_0001);
    expect("gfx90a", add, "round.f16=+inf", &[], [ones, hair, 0], ones);
    let mul = "v_pk_mul_f32 v[0:1], v[2:3], v[4:5]";
    expect("gfx90a", mul, "denorm.f32=flush-in", &[], [0x0000_0001_8000_0001, ones, 0], 0x8000_0000);
    expect("gfx90a", mul, "denorm.f16=flush", &[], [0x0000_0001_8000_0001, ones, 0], 0x0000_0001_8000_0001);
    expect("gfx90a", &format!("{mul} clamp"), "", &[], [two_one, ones | 1 << 63, 0], 0x3f80_0000);
    // FP16_OVFL is none of f32's.
    expect("gfx90a", mul, "fp16_ovfl=1", &[], [0x7f00_0000_7f00_0000, 0x7f00_0000_7f00_0000, 0], 0x7f80_0000_7f80_0000);
}

#[test]
fn moves() {
    let (a, b) = (0x1111_2222_3333_4444, 0x5555_6666_7777_8888);
    let text = "v_pk_mov_b32 v[0:1], v[2:3], v[4:5]";
    expect("gfx90a", text, "", &[R::MoveByOpSel], [a, b, 0], 0x7777_8888_3333_4444);
    let crossed = format!("{text} op_sel:[1,1]");
    expect("gfx90a", &crossed, "", &[R::MoveByOpSel], [a, b, 0], 0x5555_6666_1111_2222);
    expect("gfx90a", &crossed, "", &[R::MoveIgnoresOpSel], [a, b, 0], 0x7777_8888_3333_4444);
    let one = "v_pk_mov_b32 v[0:1], v[2:3], 1.0 op_sel:[0,1]";
    expect("gfx90a", one, "", &[R::MoveByOpSel], [a, 0, 0], 0x3f80_0000_3333_4444);
    expect("gfx90a", one, "", &[R::MoveByOpSel, R::InlinePairLow], [a, 0, 0], 0x3333_4444);
}

#[test]
fn mode_of_f16() {
    // 1 + 2^-11.
    let (one, hair) = (0x3c00_3c00, 0x1000_1000);
    let add = "v_pk_add_f16 v0, v1, v2";
    for (round, expected) in [("rne", one), ("+inf", 0x3c01_3c01), ("-inf", one), ("zero", one)] {
        expect("gfx900", add, &format!("round.f16={round}"), &[], [one, hair, 0], expected);
        expect("gfx900", add, &format!("round.f32={round}"), &[], [one, hair, 0], one);
    }
    let mul = "v_pk_mul_f16 v0, v1, v2";
    // 0001 · 1 and −2^-14 · 0.5.
    let src = [0x8400_0001, 0x3800_3c00, 0];
    for (denorm, expected) in
        [("flush", 0x8000_0000), ("flush-out", 0x8000_0000), ("flush-in", 0x8200_0000), ("keep", 0x8200_0001)]
    {
        expect("gfx900", mul, &format!("denorm.f16={denorm}"), &[], src, expected);
        expect("gfx900", mul, &format!("denorm.f32={denorm}"), &[], src, 0x8200_0001);
    }
    let large = [0x7bff_7c00, 0xfbff_fbff, 0];
    expect("gfx900", mul, "", &[], large, 0xfc00_fc00);
    expect("gfx900", mul, "fp16_ovfl=1", &[], large, 0xfbff_fc00);
    let brain = "v_pk_mul_bf16 v0, v1, v2";
    expect("gfx1250", brain, "fp16_ovfl=1", &[], [0x7f7f_7f80, 0xff7f_ff7f, 0], 0xff7f_ff80);
    expect("gfx1250", brain, "denorm.f16=flush,denorm.f32=flush", &[], [0x8001_0001, 0x3f80_3f80, 0], 0x8001_0001);
}

#[test]
fn clamp_of_floats() {
    let text = "v_pk_mul_f16 v0, v1, v2 clamp";
    let ones = 0x3c00_3c00;
    expect("gfx900", text, "", &[], [0x4000_c000, ones, 0], 0x3c00_0000);
    expect("gfx900", text, "", &[], [0x8000_3800, ones, 0], 0x0000_3800);
    expect("gfx900", text, "", &[], [0x7c00_fc00, ones, 0], 0x3c00_0000);
    expect("gfx900", text, "", &[], [0x7e01_fe01, ones, 0], 0);
    expect("gfx900", text, "dx10_clamp=0", &[], [0x7e01_fe01, ones, 0], 0x7e01_fe01);
    expect("gfx900", text, "dx10_clamp=0,ieee=0", &[], [0x7c01_fe01, ones, 0], 0x7c01_fe01);
    expect("gfx1200", text, "dx10_clamp=0", &[], [0x7e01_fe01, ones, 0], 0);
    expect("gfx1250", "v_pk_mul_bf16 v0, v1, v2 clamp", "", &[], [0x4000_7fc1, 0x3f80_3f80, 0], 0x3f80_0000);
    expect("gfx900", "v_pk_max_f16 v0, v1, v2 clamp", "", &[], [0x4000_c000, 0xbc00_bc00, 0], 0x3c00_0000);
}

#[test]
fn minima_before_rdna4() {
    let min = |mode, src, expected| expect("gfx906", "v_pk_min_f16 v0, v1, v2", mode, &[], src, expected);
    let max = |mode, src, expected| expect("gfx906", "v_pk_max_f16 v0, v1, v2", mode, &[], src, expected);
    min("", [0xc000_3c00, 0x3c00_4000, 0], 0xc000_3c00);
    max("", [0xc000_3c00, 0x3c00_4000, 0], 0x3c00_4000);
    min("", [0xc000_fc00, 0xbc00_fbff, 0], 0xc000_fc00);
    max("", [0xc000_fc00, 0xbc00_fbff, 0], 0xbc00_fbff);
    // +0 is larger than −0.
    min("", [0x8000_0000, 0x0000_8000, 0], 0x8000_8000);
    max("", [0x8000_0000, 0x0000_8000, 0], 0);
    // A number goes before a quiet NaN; a signalling one is made quiet, of the first source first.
    min("", [0x7e01_3c00, 0x3c00_7e01, 0], 0x3c00_3c00);
    min("", [0x7c01_3c00, 0x3c00_7c02, 0], 0x7e01_7e02);
    min("", [0x7c01_7e01, 0x7c02_7c02, 0], 0x7e01_7e02);
    min("ieee=0", [0x7c01_3c00, 0x3c00_7c02, 0], 0x3c00_3c00);
    min("ieee=0", [0x7c01_7e01, 0x7c02_7c02, 0], 0x7c02_7c02);
    max("", [0x7e01_7e01, 0x7e02_7e02, 0], 0x7e02_7e02);
    // Subnormal operands, never results.
    max("denorm.f16=flush-in", [0x0001_8001, 0x8000_8002, 0], 0x0000_8000);
    max("denorm.f16=flush-out", [0x0001_8001, 0x8000_8002, 0], 0x0001_8001);
}

#[test]
fn minima_since_rdna4() {
    let ask = |name: &str, src, expected| {
        expect("gfx1250", &format!("v_pk_{name} v0, v1, v2"), "ieee=0", &[], src, expected);
    };
    ask("min_num_f16", [0x7c01_3c00, 0x3c00_7c02, 0], 0x3c00_3c00);
    ask("min_num_f16", [0x7c01_7e01, 0x7c02_7c02, 0], 0x7e01_7e01);
    ask("max_num_f16", [0x8000_4000, 0x0000_3c00, 0], 0x0000_4000);
    ask("min_num_f16", [0x8000_4000, 0x0000_3c00, 0], 0x8000_3c00);
    ask("max_num_bf16", [0x7f81_3f80, 0x3f80_4000, 0], 0x3f80_4000);
    ask("min_num_bf16", [0x7f81_ff80, 0x7f82_3f80, 0], 0x7fc1_ff80);
    ask("minimum_f16", [0x7c01_3c00, 0x3c00_fc02, 0], 0x7e01_fe02);
    ask("maximum_f16", [0x7c01_7c01, 0x7c02_7e02, 0], 0x7e01_7e01);
    ask("maximum_f16", [0xfc00_8000, 0x3c00_0000, 0], 0x3c00_0000);
    ask("minimum_f16", [0xfc00_0000, 0x3c00_8000, 0], 0xfc00_8000);
    // bf16 is never flushed, f16 is.
    expect("gfx1250", "v_pk_max_num_bf16 v0, v1, v2", "0x0", &[], [0x0001_0001, 0, 0], 0x0001_0001);
    expect("gfx1250", "v_pk_max_num_f16 v0, v1, v2", "0x0", &[], [0x0001_0001, 0, 0], 0);
}

#[test]
fn minima_of_three() {
    let ask = |target: &str, name: &str, mode: &str, readings: &[R], src, expected| {
        expect(target, &format!("v_pk_{name} v0, v1, v2, v3"), mode, readings, src, expected);
    };
    let numbers = [0x3c00_4400, 0x4000_3c00, 0xc000_4000];
    ask("gfx1250", "min3_num_f16", "", &[], numbers, 0xc000_3c00);
    ask("gfx1250", "max3_num_f16", "", &[], numbers, 0x4000_4400);
    ask("gfx1250", "minimum3_f16", "", &[], numbers, 0xc000_3c00);
    ask("gfx1250", "maximum3_f16", "", &[], numbers, 0x4000_4400);
    // Numbers go before NaNs, NaNs before numbers.
    let nans = [0x7c01_7c01, 0x7c02_3c00, 0x3c00_7c03];
    ask("gfx1250", "min3_num_f16", "", &[], nans, 0x3c00_3c00);
    // In the nested formula a NaN that came through is quiet, so a signalling third source goes before it.
    ask("gfx1250", "minimum3_f16", "", &[R::MinimumSignallingFirst], nans, 0x7e01_7e03);
    ask("gfx1250", "minimum3_f16", "", &[R::MinimumSourceOrder], nans, 0x7e01_7e01);
    // CDNA4: as if IEEE and DX10_CLAMP were set.
    ask("gfx950", "maximum3_f16", "ieee=0", &[R::MinimumSourceOrder], nans, 0x7e01_7e01);
    expect("gfx950", "v_pk_maximum3_f16 v0, v1, v2, v3 clamp", "dx10_clamp=0", &[], nans, 0);
    expect("gfx950", "v_pk_max_f16 v0, v1, v2 clamp", "dx10_clamp=0", &[], [0x7e01_7e01, 0x7e02_7e02, 0], 0x7e02_7e02);
}
