//! Inputs that tell readings apart: what each says. No result of any chip is published.

use super::{expect, result};
use crate::question::Reading as R;

#[test]
fn fusion_of_mix() {
    // (1 + 2^-12)^2 − (1 + 2^-11): 2^-24 if the product keeps its last bit.
    let operands = [0x3f80_0800, 0x3f80_0800, 0xbf80_1000];
    for (target, text) in [("gfx900", "v_mad_mix_f32 v0, v1, v2, v3"), ("gfx906", "v_fma_mix_f32 v0, v1, v2, v3")] {
        expect(target, text, "", &[R::MixFused], operands, 0x3380_0000);
        expect(target, text, "", &[R::MixUnfused], operands, 0);
    }
    expect("gfx900", "v_mad_mix_f32 v0, v1, v2, v3", "", &[], operands, 0);
    expect("gfx906", "v_fma_mix_f32 v0, v1, v2, v3", "", &[], operands, 0x3380_0000);
}

#[test]
fn roundings_of_a_short_mix() {
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    let kept = |readings: &[R], operands| result("gfx1100", low, "", readings, operands, 0xdead_0000);
    // 2^-30 + 1 + 2^-11: just above the tie of 3c00 and 3c01; as f32 exactly the tie.
    let above = [0x3800_0000, 0x3800_0000, 0x3f80_1000];
    assert_eq!((kept(&[], above), kept(&[R::MixSingle], above)), (0xdead_3c00, 0xdead_3c01));
    // −2^-30 + 1 + 3 · 2^-11: just below the tie of 3c01 and 3c02.
    let below = [0xb800_0000, 0x3800_0000, 0x3f80_3000];
    assert_eq!((kept(&[], below), kept(&[R::MixSingle], below)), (0xdead_3c02, 0xdead_3c01));
    // 2^-48 + 1 + 2^-8: bf16.
    let brain = |readings: &[R]| {
        let text = "v_fma_mixlo_bf16 v0, v1, v2, v3";
        result("gfx1250", text, "", readings, [0x3380_0000, 0x3380_0000, 0x3f80_8000], 0xdead_0000)
    };
    assert_eq!((brain(&[]), brain(&[R::MixSingle])), (0xdead_3f80, 0xdead_3f81));
}

#[test]
fn fields_that_govern_a_mix() {
    let source = "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]";
    let least = [0x0001, 0x3f80_0000, 0];
    let (keeps_f16, keeps_f32) = ("denorm.f32=flush", "denorm.f16=flush");
    expect("gfx1100", source, keeps_f16, &[R::MixSourceF16Field], least, 0x3380_0000);
    expect("gfx1100", source, keeps_f16, &[R::MixSourceF32Field], least, 0);
    expect("gfx1100", source, keeps_f32, &[R::MixSourceF16Field], least, 0);
    expect("gfx1100", source, keeps_f32, &[R::MixSourceF32Field], least, 0x3380_0000);
    // 35800000 = 2^-20 = 0010.
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    let small = [0x3580_0000, 0x3f80_0000, 0];
    expect("gfx1100", low, keeps_f32, &[R::MixDenormF16Field], small, 0);
    expect("gfx1100", low, keeps_f32, &[R::MixDenormF32Field], small, 0x0010);
    expect("gfx1100", low, keeps_f16, &[R::MixDenormF32Field], small, 0);
    // 1 + 2^-12.
    let hair = [0x3f80_0000, 0x3f80_0000, 0x3980_0000];
    expect("gfx1100", low, "round.f16=+inf", &[R::MixRoundF16Field], hair, 0x3c01);
    expect("gfx1100", low, "round.f16=+inf", &[R::MixRoundF32Field], hair, 0x3c00);
    for readings in [[R::MixRoundF16Field, R::MixSingle], [R::MixRoundF16Field, R::MixDouble]] {
        expect("gfx1100", low, "round.f32=+inf", &readings, hair, 0x3c00);
    }
}

#[test]
fn what_a_mix_always_flushes() {
    let source = "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]";
    let least = [0x0001, 0x3f80_0000, 0];
    expect("gfx906", source, "", &[R::MixFlushByMode], least, 0x3380_0000);
    expect("gfx906", source, "", &[R::MixFlushNarrow], least, 0);
    expect("gfx906", source, "", &[R::MixFlushAlways], least, 0);
    expect("gfx900", "v_mad_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]", "", &[], least, 0);
    // An f32 operand and an f32 result: 00000001 · 1.
    let wide = "v_fma_mix_f32 v0, v1, v2, v3";
    for (reading, expected) in [(R::MixFlushByMode, 1), (R::MixFlushNarrow, 1), (R::MixFlushAlways, 0)] {
        expect("gfx906", wide, "", &[reading], [0x0000_0001, 0x3f80_0000, 0], expected);
        // 2^-149 · 2^23 is normal.
        let raised = if expected == 1 { 0x0080_0000 } else { 0 };
        expect("gfx906", wide, "", &[reading], [0x0000_0001, 0x4b00_0000, 0], raised);
        // 2^-126 · 0.5.
        let half = if expected == 1 { 0x0040_0000 } else { 0 };
        expect("gfx906", wide, "", &[reading], [0x0080_0000, 0x3f00_0000, 0], half);
    }
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    expect("gfx906", low, "", &[R::MixFlushNarrow], [0xb580_0000, 0x3f80_0000, 0], 0x8000);
    expect("gfx906", low, "", &[R::MixFlushByMode], [0xb580_0000, 0x3f80_0000, 0], 0x8010);
}

#[test]
fn product_of_an_unfused_mix() {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie of 3f801000 and 3f801001; less 1 that is 2^-11 or 2^-11 + 2^-23.
    let text = "v_mad_mix_f32 v0, v1, v2, v3";
    let operands = [0x3f80_0800, 0x3f80_0800, 0xbf80_0000];
    expect("gfx900", text, "round.f32=+inf", &[R::MadProductByMode], operands, 0x3a00_0800);
    expect("gfx900", text, "round.f32=+inf", &[R::MadProductNearest], operands, 0x3a00_0000);
}

#[test]
fn a_nan_that_loses_its_payload() {
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    let lost = [0x7f80_0001, 0x3f80_0000, 0];
    for (reading, expected) in [(R::NarrowNanQuiet, 0x7e00), (R::NarrowNanCut, 0x7c00), (R::NarrowNanKeep, 0x7c01)] {
        expect("gfx1100", low, "ieee=0", &[reading], lost, expected);
        expect("gfx1100", low, "ieee=0", &[reading, R::MixSingle], lost, expected);
        // Quiet before it is narrow.
        expect("gfx1100", low, "ieee=1", &[reading], [0x7f81_2345, 0x3f80_0000, 0], 0x7e09);
    }
    // 7f812345 >> 13 has payload 9, 7f814000 >> 13 a.
    for (reading, odd, even) in
        [(R::NarrowNanQuiet, 0xfe09, 0x7e0a), (R::NarrowNanCut, 0xfc09, 0x7c0a), (R::NarrowNanKeep, 0xfc09, 0x7c0a)]
    {
        expect("gfx1100", low, "ieee=0", &[reading], [0xff81_2345, 0x3f80_0000, 0], odd);
        expect("gfx1100", low, "ieee=0", &[reading], [0x7f81_4000, 0x3f80_0000, 0], even);
    }
}

#[test]
fn tininess() {
    let f16 = "v_pk_fma_f16 v0, v1, v2, v3";
    let operands = [0x8400_8400, 0x0c00_0c00, 0x0400_0400];
    expect("gfx906", f16, "denorm.f16=flush-out", &[R::TinyAfter], operands, 0x0400_0400);
    expect("gfx906", f16, "denorm.f16=flush-out", &[R::TinyBefore], operands, 0);
    let control = [0x8400_8400, 0x1000_1000, 0x0400_0400];
    expect("gfx906", f16, "denorm.f16=flush-out", &[R::TinyAfter], control, 0);
    expect("gfx906", f16, "denorm.f16=flush-out", &[R::TinyBefore], control, 0);
    let f32 = "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]";
    let pairs = [0x8080_0000_8080_0000, 0x3300_0000_3300_0000, 0x0080_0000_0080_0000];
    expect("gfx90a", f32, "denorm.f32=flush-out", &[R::TinyAfter], pairs, 0x0080_0000_0080_0000);
    expect("gfx90a", f32, "denorm.f32=flush-out", &[R::TinyBefore], pairs, 0);
}

#[test]
fn nans() {
    let fma = "v_pk_fma_f16 v0, v1, v2, v3";
    let order = [0x7e01_7e01, 0x7e02_7e02, 0x7c03_7c03];
    expect("gfx906", fma, "", &[R::NanSourceOrder], order, 0x7e01_7e01);
    expect("gfx906", fma, "", &[R::NanSignallingFirst], order, 0x7e03_7e03);
    let invalid = [0, 0x7c00_7c00, 0x7e01_7e01];
    expect("gfx906", fma, "", &[R::InvalidProductFirst], invalid, 0xfe00_fe00);
    expect("gfx906", fma, "", &[R::InvalidProductFirst, R::DefaultNanPositive], invalid, 0x7e00_7e00);
    expect("gfx906", fma, "", &[R::AddendNanFirst], invalid, 0x7e01_7e01);
    let max = "v_pk_max_f16 v0, v1, v2";
    expect("gfx906", max, "ieee=0", &[R::BothNanSecond], [0x7e01_7e01, 0x7e02_7e02, 0], 0x7e02_7e02);
    expect("gfx906", max, "ieee=0", &[R::BothNanFirst], [0x7e01_7e01, 0x7e02_7e02, 0], 0x7e01_7e01);
    let maximum = "v_pk_maximum_f16 v0, v1, v2";
    expect("gfx1201", maximum, "", &[R::MinimumSignallingFirst], [0x7e01_7e01, 0x7c02_7c02, 0], 0x7e02_7e02);
    expect("gfx1201", maximum, "", &[R::MinimumSourceOrder], [0x7e01_7e01, 0x7c02_7c02, 0], 0x7e01_7e01);
}

#[test]
fn bf16_and_the_rest() {
    let fma = "v_pk_fma_bf16 v0, v1, v2, v3";
    let operands = [0x3f80_3f80, 0x3f80_3f80, 0x3b81_3b81];
    for round in ["rne", "+inf", "-inf", "zero"] {
        let mode = format!("round.f16={round},round.f32={round}");
        expect("gfx1250", fma, &mode, &[], operands, 0x3f81_3f81);
        expect("gfx1250", fma, &mode, &[R::Bf16Truncates], operands, 0x3f80_3f80);
    }
    let add = "v_pk_add_i16 v0, v1, v2 clamp";
    expect("gfx1100", add, "", &[R::ClampToMinInt], [0x8000_8000, 0xffff_ffff, 0], 0x8000_8000);
    expect("gfx1100", add, "", &[R::ClampToMinusMaxInt], [0x8000_8000, 0xffff_ffff, 0], 0x8001_8001);
    let keep = "v_pk_minimum_f16 v0, v1, v2";
    let subnormal = [0x0001_8001, 0x3c00_3c00, 0];
    expect("gfx1201", keep, "denorm.f16=flush", &[R::MinimumFlushesInputs], subnormal, 0x0000_8000);
    expect("gfx1201", keep, "denorm.f16=flush", &[R::MinimumKeepsInputs], subnormal, 0x0001_8001);
}
