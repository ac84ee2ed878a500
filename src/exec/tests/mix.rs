//! Mixed precision.

use super::check;

const MIX: &str = "v_fma_mix_f32 v0, v1, v2, v3";
const LOW: &str = "v_fma_mixlo_f16 v0, v1, v2, v3";
const HIGH: &str = "v_fma_mixhi_f16 v0, v1, v2, v3";

/// Checked on gfx1100. Source: tinygrad, test_vop3p.py.
#[test]
fn sources_results_and_modifiers_on_gfx1100() {
    let abs_low = "v_fma_mix_f32 v0, v1, v2, |v3| op_sel_hi:[0,0,1]";
    let abs_high = "v_fma_mix_f32 v0, v1, v2, |v3| op_sel:[0,0,1] op_sel_hi:[0,0,1]";
    let high = "v_fma_mix_f32 v0, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[0,0,1]";
    check(&[
        ("gfx1100", "denorm.f32=flush", MIX, "v1=40000000 v2=40400000 v3=3f800000", 0x40e0_0000),
        ("gfx1100", "denorm.f32=flush", high, "v1=3f800000 v2=40400000 v3=40000000", 0x40a0_0000),
        (
            "gfx1100",
            "denorm.f32=flush",
            "v_fma_mix_f32 v0, v1, v2, |v3|",
            "v1=40000000 v2=40400000 v3=bf800000",
            0x40e0_0000,
        ),
        ("gfx1100", "denorm.f32=flush", abs_low, "v1=0 v2=3f800000 v3=0000bc00", 0x3f80_0000),
        ("gfx1100", "denorm.f32=flush", abs_high, "v1=0 v2=3f800000 v3=bc000000", 0x3f80_0000),
        ("gfx1100", "denorm.f32=flush", LOW, "v0=dead0000 v1=40000000 v2=40400000 v3=3f800000", 0xdead_4700),
        ("gfx1100", "denorm.f32=flush", LOW, "v0=0 v1=3f800000 v2=40000000 v3=40400000", 0x0000_4500),
        ("gfx1100", "", HIGH, "v0=0000beef v1=40000000 v2=40400000 v3=3f800000", 0x4700_beef),
        // -|-2| · 3 + 1 = -5, of f32 and of f16.
        ("gfx1100", "", "v_fma_mix_f32 v0, -|v1|, v2, v3", "v1=c0000000 v2=40400000 v3=3f800000", 0xc0a0_0000),
        (
            "gfx1100",
            "",
            "v_fma_mix_f32 v0, -|v1|, v2, v3 op_sel_hi:[1,0,0]",
            "v1=4400c000 v2=40400000 v3=3f800000",
            0xc0a0_0000,
        ),
    ]);
}

#[test]
fn who_fuses() {
    // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which is lost if the product is rounded to f32.
    let registers = "v1=3f800800 v2=3f800800 v3=bf801000";
    let mad = "v_mad_mix_f32 v0, v1, v2, v3";
    let fused = "gfx904 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201 gfx1250";
    check(&[
        ("gfx900 gfx902 gfx909 gfx90c", "", mad, registers, 0),
        ("gfx900", "; mix-fusion=fused", mad, registers, 0x3380_0000),
        (fused, "", MIX, registers, 0x3380_0000),
        // The product 1 + 2^-11 + 2^-24 rounded up is 1 + 2^-11 + 2^-23; minus 1 + 2^-11.
        ("gfx900", "round.f32=+inf", mad, registers, 0x3400_0000),
        ("gfx900", "round.f32=+inf; mad-product-round=nearest", mad, registers, 0),
        // Infinite only after rounding: 2^127 · 2 - infinity has no value, 2^127 · 2 - 2^127 is infinite.
        ("gfx900", "", mad, "v1=7f000000 v2=40000000 v3=ff800000", 0xffc0_0000),
        ("gfx904", "", MIX, "v1=7f000000 v2=40000000 v3=ff800000", 0xff80_0000),
        ("gfx900", "", mad, "v1=7f000000 v2=40000000 v3=ff000000", 0x7f80_0000),
        ("gfx904", "", MIX, "v1=7f000000 v2=40000000 v3=ff000000", 0x7f00_0000),
        // The product is the default NaN before it meets that of the addend.
        ("gfx900", "; invalid-product=addend", mad, "v1=0 v2=7f800000 v3=7fc00001", 0xffc0_0000),
        ("gfx904", "; invalid-product=addend", MIX, "v1=0 v2=7f800000 v3=7fc00001", 0x7fc0_0001),
        ("gfx900", "", mad, "v1=3f800000 v2=7f800001 v3=7fc00002", 0x7fc0_0001),
    ]);
}

#[test]
fn how_often_mixlo_and_mixhi_are_rounded() {
    // 2^-30 + (1 + 2^-11): above halfway between 1 and 1 + 2^-10; in f32 exactly halfway.
    let above = "v0=dead0000 v1=38000000 v2=38000000 v3=3f801000";
    // -2^-30 + (1 + 3 · 2^-11): below halfway between 1 + 2^-10 and 1 + 2^-9.
    let below = "v0=dead0000 v1=b8000000 v2=38000000 v3=3f803000";
    // 2^-48 + (1 + 2^-8): the same for bf16.
    let bf16 = "v0=dead0000 v1=33800000 v2=33800000 v3=3f808000";
    check(&[
        ("gfx1100", "; mixlo=single", LOW, above, 0xdead_3c01),
        ("gfx1100", "; mixlo=double", LOW, above, 0xdead_3c00),
        ("gfx1100", "; mixlo=single", LOW, below, 0xdead_3c01),
        ("gfx1100", "; mixlo=double", LOW, below, 0xdead_3c02),
        ("gfx1250", "; mixlo=single", "v_fma_mixlo_bf16 v0, v1, v2, v3", bf16, 0xdead_3f81),
        ("gfx1250", "; mixlo=double", "v_fma_mixlo_bf16 v0, v1, v2, v3", bf16, 0xdead_3f80),
        ("gfx1250", "; mixlo=single", "v_fma_mixhi_bf16 v0, v1, v2, v3", bf16, 0x3f81_0000),
        // Unfused, the exact sum of the product 1 + 2^-11 (2^-24 lost) and 2^-40 is above halfway, as an f32 halfway.
        (
            "gfx900",
            "; mixlo=single",
            "v_mad_mixlo_f16 v0, v1, v2, v3",
            "v0=0 v1=3f800800 v2=3f800800 v3=2b800000",
            0x3c01,
        ),
        (
            "gfx900",
            "; mixlo=double",
            "v_mad_mixlo_f16 v0, v1, v2, v3",
            "v0=0 v1=3f800800 v2=3f800800 v3=2b800000",
            0x3c00,
        ),
    ]);
}

#[test]
fn exact_zeros_take_the_sign_of_the_last_rounding() {
    let zero = "v0=0 v1=3f800000 v2=3f800000 v3=bf800000";
    check(&[
        ("gfx1100", "round.f32=-inf", MIX, zero, 0x8000_0000),
        ("gfx1100", "round.f32=-inf; mixlo=double", LOW, zero, 0x8000),
        ("gfx1100", "round.f32=-inf; mixlo=single", LOW, zero, 0),
        ("gfx1100", "round.f16=-inf; mixlo=single", LOW, zero, 0x8000),
        ("gfx1100", "round.f16=-inf; mixlo=double", LOW, zero, 0),
    ]);
}

#[test]
fn fields_of_mode() {
    let f16_source = "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]";
    let factors = "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,1,0]";
    // 2^-24 as an f16 source.
    let tiny_source = "v1=00000001 v2=3f800000 v3=0";
    // 2^-20, a subnormal f16: 2^4 · 2^-24.
    let tiny_result = "v0=0 v1=35800000 v2=3f800000 v3=0";
    // 1 + 2^-12.
    let inexact = "v0=0 v1=3f800000 v2=3f800000 v3=39800000";
    const KEEP_F16: &str = "denorm.f32=flush,denorm.f16=keep";
    const KEEP_F32: &str = "denorm.f32=keep,denorm.f16=flush";
    check(&[
        ("gfx1100", KEEP_F16, f16_source, tiny_source, 0x3380_0000),
        ("gfx1100", "denorm.f32=flush; mix-source-denorm=f32", f16_source, tiny_source, 0),
        ("gfx1100", KEEP_F32, f16_source, tiny_source, 0),
        ("gfx1100", "denorm.f16=flush; mix-source-denorm=f32", f16_source, tiny_source, 0x3380_0000),
        ("gfx1100", KEEP_F32, LOW, tiny_result, 0),
        ("gfx1100", "denorm.f16=flush; mix-result-denorm=f32", LOW, tiny_result, 0x0000_0010),
        ("gfx1100", KEEP_F16, LOW, tiny_result, 0x0000_0010),
        ("gfx1100", "round.f16=+inf", LOW, inexact, 0x3c01),
        ("gfx1100", "round.f16=+inf; mix-result-round=f32", LOW, inexact, 0x3c00),
        ("gfx1100", "round.f32=+inf; mix-result-round=f32", LOW, inexact, 0x3c01),
        // llvm/llvm-project#205101: 8001 · 0400 on gfx90a and gfx950, subnormals kept and flushed.
        ("gfx950", "", factors, "v1=00008001 v2=00000400 v3=0", 0xac80_0000),
        ("gfx950", "ieee=0", factors, "v1=00008001 v2=00000400 v3=0", 0xac80_0000),
        ("gfx90a gfx950", "denorm.f32=flush,denorm.f16=flush", factors, "v1=00008001 v2=00000400 v3=0", 0),
        // Unfused chips flush always: sources, operands, results.
        ("gfx900", "", "v_mad_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]", tiny_source, 0),
        ("gfx900", "", "v_mad_mix_f32 v0, v1, v2, v3", "v1=00000001 v2=7f000000 v3=0", 0),
        ("gfx900", "", "v_mad_mix_f32 v0, v1, v2, v3", "v1=80800000 v2=3f000000 v3=80000000", 0x8000_0000),
        ("gfx900", "", "v_mad_mixlo_f16 v0, v1, v2, v3", tiny_result, 0),
        // The 2^-149 · 2^127 of the row above, kept; narrow flushing leaves f32 alone.
        ("gfx900", "; mix-flush=mode", "v_mad_mix_f32 v0, v1, v2, v3", "v1=00000001 v2=7f000000 v3=0", 0x3480_0000),
        ("gfx900", "; mix-flush=narrow", "v_mad_mix_f32 v0, v1, v2, v3", "v1=00000001 v2=7f000000 v3=0", 0x3480_0000),
        ("gfx900", "; mix-flush=narrow", "v_mad_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]", tiny_source, 0),
        ("gfx900", "; mix-flush=narrow", "v_mad_mixlo_f16 v0, v1, v2, v3", tiny_result, 0),
        // A subnormal bf16 is a subnormal f32, too, and follows both fields.
        ("gfx1250", KEEP_F16, "v_fma_mix_f32_bf16 v0, v1, v2, v3 op_sel_hi:[1,0,0]", "v1=00000001 v2=3f800000 v3=0", 0),
        ("gfx1250", "", "v_fma_mix_f32_bf16 v0, v1, v2, v3 op_sel_hi:[1,0,0]", "v1=1 v2=3f800000 v3=0", 0x0001_0000),
    ]);
}

#[test]
fn overflow_clamp_and_nans() {
    // 2^16, 2^127 · 2, and an infinity.
    let large = "v0=0 v1=47800000 v2=3f800000 v3=0";
    let huge = "v0=0 v1=7f000000 v2=c0000000 v3=0";
    let infinite = "v0=0 v1=7f800000 v2=3f800000 v3=0";
    // A signalling f32 whose payload is in the low 13 bits only, and one whose is not.
    let low_payload = "v0=0 v1=7f800001 v2=3f800000 v3=0";
    let payload = "v0=0 v1=7f812345 v2=3f800000 v3=0";
    check(&[
        ("gfx1100", "", LOW, large, 0x7c00),
        ("gfx1100", "fp16_ovfl=1", LOW, large, 0x7bff),
        ("gfx1100", "fp16_ovfl=1; mixlo=single", LOW, large, 0x7bff),
        ("gfx1100", "", LOW, huge, 0xfc00),
        ("gfx1100", "fp16_ovfl=1", LOW, huge, 0xfbff),
        ("gfx900", "fp16_ovfl=1; mixlo=single", "v_mad_mixlo_f16 v0, v1, v2, v3", huge, 0xfbff),
        ("gfx1250", "fp16_ovfl=1", "v_fma_mixlo_bf16 v0, v1, v2, v3", huge, 0xff7f),
        ("gfx1100", "fp16_ovfl=1", LOW, infinite, 0x7c00),
        ("gfx1100", "fp16_ovfl=1", MIX, "v1=7f000000 v2=40000000 v3=0", 0x7f80_0000),
        ("gfx1100", "", "v_fma_mixlo_f16 v0, v1, v2, v3 clamp", large, 0x3c00),
        ("gfx1100", "", "v_fma_mixhi_f16 v0, v1, v2, v3 clamp", huge, 0),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, v2, v3 clamp", "v1=40000000 v2=3f800000 v3=0", 0x3f80_0000),
        // 1 - 2^-12 narrowed to nearest is 1: CLAMP comes after that, so 1 it stays.
        ("gfx1100", "", "v_fma_mixlo_f16 v0, v1, v2, v3 clamp", "v0=0 v1=3f7ff000 v2=3f800000 v3=0", 0x3c00),
        ("gfx1100", "", "v_fma_mixlo_f16 v0, v1, v2, v3 clamp", payload, 0),
        ("gfx1100", "dx10_clamp=0", "v_fma_mixlo_f16 v0, v1, v2, v3 clamp", payload, 0x7e09),
        ("gfx1100", "", LOW, payload, 0x7e09),
        ("gfx1100", "; mixlo=single", LOW, payload, 0x7e09),
        ("gfx1100", "ieee=0; narrow-nan=quiet", LOW, low_payload, 0x7e00),
        ("gfx1100", "ieee=0; narrow-nan=keep", LOW, low_payload, 0x7c01),
        ("gfx1100", "ieee=0; narrow-nan=cut", LOW, low_payload, 0x7c00),
        // A signalling f16 keeps its payload in the high bits of the f32.
        (
            "gfx1100",
            "ieee=0",
            "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]",
            "v1=fc01 v2=3f800000 v3=0",
            0xff80_2000,
        ),
        (
            "gfx1100",
            "ieee=1",
            "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]",
            "v1=fc01 v2=3f800000 v3=0",
            0xffc0_2000,
        ),
    ]);
}

#[test]
fn signs_of_each_source() {
    // 2 · 3 + 1 with one sign turned or dropped: −2 · 3 + 1 = −5, 2 · 3 − 1 = 5.
    let plain = "v1=40000000 v2=40400000 v3=3f800000";
    check(&[
        ("gfx1100", "", "v_fma_mix_f32 v0, -v1, v2, v3", plain, 0xc0a0_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, -v2, v3", plain, 0xc0a0_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, v2, -v3", plain, 0x40a0_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, |v1|, v2, v3", "v1=c0000000 v2=40400000 v3=3f800000", 0x40e0_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, |v2|, v3", "v1=40000000 v2=c0400000 v3=3f800000", 0x40e0_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, v2, -|v3|", "v1=40000000 v2=40400000 v3=bf800000", 0x40a0_0000),
    ]);
}
