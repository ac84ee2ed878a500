//! Packed floats.

use super::check;

const FMA: &str = "v_pk_fma_f16 v0, v1, v2, v3";

/// Captured on the chips. Source: f16_fma_nan_cases of ROCm/rocm-systems emulation/rocjitsu, valu_fp_mode_test.cpp.
#[test]
fn nans_of_fma_captured_on_gfx1100_and_gfx1201() {
    const OFF: &str = "ieee=0,dx10_clamp=0";
    const ON: &str = "ieee=1,dx10_clamp=0";
    check(&[
        ("gfx1100", OFF, FMA, "v1=3c003c00 v2=fc12fc12 v3=7e017e01", 0xfc12_fc12),
        ("gfx1100", OFF, FMA, "v1=00000000 v2=7c007c00 v3=7e017e01", 0xfe00_fe00),
        ("gfx1100", OFF, FMA, "v1=00000000 v2=7c007c00 v3=3c003c00", 0xfe00_fe00),
        ("gfx1100", OFF, FMA, "v1=7c007c00 v2=3c003c00 v3=fc00fc00", 0xfe00_fe00),
        ("gfx1100", "ieee=0,denorm.f16=flush", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0xfe00_fe00),
        ("gfx1100", "ieee=0,denorm.f16=flush-out", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0x7e01_7e01),
        ("gfx1100", "ieee=0,denorm.f16=flush-in", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0xfe00_fe00),
        ("gfx1100", "ieee=0,denorm.f16=keep", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0x7e01_7e01),
        ("gfx1100 gfx1201", ON, FMA, "v1=7fc17fc1 v2=ff80ff80 v3=ff80ff80", 0x7fc1_7fc1),
        ("gfx1100 gfx1201", ON, FMA, "v1=7c017c01 v2=3c003c00 v3=00000000", 0x7e01_7e01),
        ("gfx1100 gfx1201", ON, FMA, "v1=3c003c00 v2=fc12fc12 v3=7e017e01", 0xfe12_fe12),
        ("gfx1100", ON, FMA, "v1=3c003c00 v2=3c003c00 v3=7c017c01", 0x7e01_7e01),
        ("gfx1100 gfx1201", ON, FMA, "v1=00000000 v2=7c007c00 v3=3c003c00", 0xfe00_fe00),
        ("gfx1100", ON, FMA, "v1=7c007c00 v2=3c003c00 v3=fc00fc00", 0xfe00_fe00),
        ("gfx1201", "denorm.f16=flush", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0xfe00_fe00),
        ("gfx1201", "denorm.f16=flush-in", FMA, "v1=00010001 v2=7c007c00 v3=7e017e01", 0xfe00_fe00),
        ("gfx1100", ON, "v_pk_fma_f16 v0, v1, v2, v3 clamp", "v1=0 v2=7c007c00 v3=3c003c00", 0xfe00_fe00),
        ("gfx1201", ON, "v_pk_fma_f16 v0, v1, v2, v3 clamp", "v1=0 v2=7c007c00 v3=3c003c00", 0),
    ]);
}

/// What readings give where nothing is captured; the operands are made so that the readings differ.
#[test]
fn nans_of_fma_by_reading() {
    let quiet_first = "v1=7e017e01 v2=7e027e02 v3=7c037c03";
    let invalid = "v1=00000000 v2=7c007c00 v3=7e017e01";
    let no_value = "v1=00000000 v2=7c007c00 v3=3c003c00";
    check(&[
        ("gfx1100", "ieee=1; nan-order=source", FMA, quiet_first, 0x7e01_7e01),
        ("gfx1100", "ieee=1; nan-order=signalling", FMA, quiet_first, 0x7e03_7e03),
        ("gfx1030", "ieee=1; invalid-product=default", FMA, invalid, 0xfe00_fe00),
        ("gfx1030", "ieee=1; invalid-product=addend", FMA, invalid, 0x7e01_7e01),
        ("gfx1030", "ieee=1; default-nan=positive", FMA, no_value, 0x7e00_7e00),
    ]);
}

#[test]
fn f16_is_rounded_once_by_its_own_field() {
    check(&[
        // 2^-48 + 2^15 (ROCm/rocm-systems#10854): hidden from a sum in f64.
        ("gfx1100", "round.f16=+inf", FMA, "v1=00010001 v2=00010001 v3=78007800", 0x7801_7801),
        ("gfx1100", "round.f16=+inf,denorm.f16=flush-in", FMA, "v1=00010001 v2=00010001 v3=78007800", 0x7800_7800),
        // Captured on gfx1100 and gfx1201: 2^-48 + 65504 is too large only toward +inf.
        ("gfx1100 gfx1201", "round.f16=+inf", FMA, "v1=00010001 v2=00010001 v3=7bff7bff", 0x7c00_7c00),
        (
            "gfx1100 gfx1201",
            "round.f16=+inf,denorm.f16=flush-in",
            FMA,
            "v1=00010001 v2=00010001 v3=7bff7bff",
            0x7bff_7bff,
        ),
        ("gfx1100 gfx1201", "round.f16=+inf,fp16_ovfl=1", FMA, "v1=00010001 v2=00010001 v3=7bff7bff", 0x7bff_7bff),
        ("gfx1100 gfx1201", "round.f16=rne", FMA, "v1=00010001 v2=00010001 v3=7bff7bff", 0x7bff_7bff),
        // 2.5 · 21024 = 52560, where the unit is 32: halfway between 52544 (7a6a) and 52576 (7a6b); the subnormal-sized
        // addend 04ea decides.
        ("gfx1100", "", FMA, "v1=41004100 v2=75227522 v3=04ea04ea", 0x7a6b_7a6b),
        // 1 + 2^-11: halfway between 1 and 1 + 2^-10. ROCm/rocm-systems emulation/rocjitsu has the first.
        ("gfx950 gfx1250", "round.f16=+inf", FMA, "v1=3c003c00 v2=3c003c00 v3=10001000", 0x3c01_3c01),
        ("gfx950", "round.f32=+inf", FMA, "v1=3c003c00 v2=3c003c00 v3=10001000", 0x3c00_3c00),
        ("gfx950", "round.f16=zero", FMA, "v1=3c003c00 v2=3c003c00 v3=10001000", 0x3c00_3c00),
        ("gfx950", "round.f16=-inf", FMA, "v1=bc00bc00 v2=3c003c00 v3=90009000", 0xbc01_bc01),
        // Exact zeros: -0 only toward -inf, and of two -0.
        ("gfx900", "", "v_pk_add_f16 v0, v1, v2", "v1=3c008000 v2=bc008000", 0x0000_8000),
        ("gfx900", "round.f16=-inf", "v_pk_add_f16 v0, v1, v2", "v1=3c008000 v2=bc000000", 0x8000_8000),
        ("gfx900", "", "v_pk_mul_f16 v0, v1, v2", "v1=00008000 v2=3c003c00", 0x0000_8000),
        // FP16_OVFL and true infinities; 2 · 65504.
        ("gfx900", "fp16_ovfl=1", "v_pk_mul_f16 v0, v1, v2", "v1=7bff7c00 v2=c0004000", 0xfbff_7c00),
        ("gfx900", "", "v_pk_mul_f16 v0, v1, v2", "v1=7bff7c00 v2=c0004000", 0xfc00_7c00),
        ("gfx900", "round.f16=zero", "v_pk_mul_f16 v0, v1, v2", "v1=7bff7c00 v2=c0004000", 0xfbff_7c00),
    ]);
}

#[test]
fn flushing() {
    // -2^-26 + 2^-14 is 2^-14(1 - 2^-12): rounded to 11 bits it is 2^-14, a normal number.
    let tiny = "v1=84008400 v2=0c000c00 v3=04000400";
    // -2^-25 + 2^-14 = 2^-14(1 - 2^-11): 11 bits hold it, and it is below 2^-14.
    let control = "v1=84008400 v2=10001000 v3=04000400";
    let f32 = "v2=80800000 v3=80800000 v4=33000000 v5=33000000 v6=00800000 v7=00800000";
    let fma_f32 = "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]";
    check(&[
        ("gfx1100", "denorm.f16=flush-out; tininess=after", FMA, tiny, 0x0400_0400),
        ("gfx1030", "denorm.f16=flush-out; tininess=before", FMA, tiny, 0),
        ("gfx1100", "denorm.f16=flush-out; tininess=after", FMA, control, 0),
        ("gfx1100", "denorm.f16=keep", FMA, control, 0x0400_0400),
        ("gfx90a gfx942 gfx950", "denorm.f32=flush-out", fma_f32, f32, 0x0080_0000_0080_0000),
        ("gfx90a", "denorm.f32=flush-out; tininess=before", fma_f32, f32, 0),
        // f16 does not look at the field of f32, nor f32 at that of f16.
        ("gfx90a", "denorm.f32=flush", "v_pk_add_f16 v0, v1, v2", "v1=00018001 v2=0", 0x0001_8001),
        ("gfx90a", "denorm.f16=flush", "v_pk_add_f16 v0, v1, v2", "v1=00018001 v2=80008000", 0x0000_8000),
        ("gfx90a", "denorm.f16=flush", "v_pk_add_f32 v[0:1], v[2:3], 0", "v2=1 v3=80000001", 0x8000_0001_0000_0001),
        ("gfx90a", "denorm.f32=flush", "v_pk_mul_f32 v[0:1], v[2:3], 1.0", "v2=1 v3=80000001", 0x8000_0000_0000_0000),
    ]);
}

#[test]
fn op_sel_and_neg_pick_and_negate_for_each_result() {
    // v1: 1 and 2, v2: 3 and 4.
    let registers = "v1=40003c00 v2=44004200";
    check(&[
        ("gfx900 gfx1100 gfx1250", "", "v_pk_add_f16 v0, v1, v2", registers, 0x4600_4400),
        ("gfx1100", "", "v_pk_add_f16 v0, v1, v2 op_sel:[1,1] op_sel_hi:[0,0]", registers, 0x4400_4600),
        // 2 + 3 and 2 + 4.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[1,1]", registers, 0x4600_4500),
        // -1 · 3 and 2 · -4.
        ("gfx1100", "", "v_pk_mul_f16 v0, v1, v2 neg_lo:[1,0] neg_hi:[0,1]", registers, 0xc800_c200),
        // NEG flips the sign of a NaN, too.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, v2 neg_lo:[1,0]", "v1=7e017e01 v2=0", 0x7e01_fe01),
        // 1 + 1 and -1 - 1 under CLAMP.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, v1 clamp", "v1=bc003c00", 0x0000_3c00),
        // Dwords 1 and 2, 3 and 4: 2 + 3 and 1 + 4.
        (
            "gfx90a",
            "",
            "v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]",
            "v2=3f800000 v3=40000000 v4=40400000 v5=40800000",
            0x40a0_0000_40a0_0000,
        ),
        (
            "gfx90a",
            "",
            "v_pk_mul_f32 v[0:1], v[2:3], v[4:5] neg_lo:[1,0] clamp",
            "v2=3f800000 v3=40000000 v4=40400000 v5=40800000",
            0x3f80_0000_0000_0000,
        ),
    ]);
}

/// V_PK_{FMA,ADD,MUL,MIN_NUM,MAX_NUM}_BF16. Source: CDNA5 manual, packed BF16.
#[test]
fn bf16_is_rounded_to_nearest_whatever_mode_says() {
    let fma = "v_pk_fma_bf16 v0, v1, v2, v3";
    // 1 + 2^-8 · 1.0078125: above halfway between 1 and 1 + 2^-7.
    let registers = "v1=3f803f80 v2=3f803f80 v3=3b813b81";
    check(&[
        ("gfx1250", "", fma, registers, 0x3f81_3f81),
        ("gfx1250", "round.f16=zero,round.f32=zero", fma, registers, 0x3f81_3f81),
        ("gfx1250", "; bf16-round=zero", fma, registers, 0x3f80_3f80),
        // Subnormals stay.
        ("gfx1250", "0x0", "v_pk_add_bf16 v0, v1, v2", "v1=00018001 v2=00018001", 0x0002_8002),
        // 2 · (2 - 2^-7) · 2^127.
        ("gfx1250", "", "v_pk_mul_bf16 v0, v1, v2", "v1=7f7fff7f v2=40004000", 0x7f80_ff80),
        ("gfx1250", "fp16_ovfl=1", "v_pk_mul_bf16 v0, v1, v2", "v1=7f7fff7f v2=40004000", 0x7f7f_ff7f),
        ("gfx1250", "", "v_pk_mul_bf16 v0, v1, v2", "v1=00007f81 v2=7f803f80", 0xffc0_7fc1),
        ("gfx1250", "", "v_pk_add_bf16 v0, v1, v1 clamp", "v1=bf803f80", 0x0000_3f80),
        ("gfx1250", "0x0", "v_pk_min_num_bf16 v0, v1, v2", "v1=00018001 v2=7f81ffc1", 0x0001_8001),
        ("gfx1250", "0x0", "v_pk_max_num_bf16 v0, v1, v2", "v1=00018000 v2=00020000", 0x0002_0000),
    ]);
}

#[test]
fn minima_and_maxima() {
    let nans = "v1=7e017e01 v2=7e027e02";
    check(&[
        // tinygrad, test_vop3p.py: 1 and 3 against 4 and 2.
        ("gfx1100", "", "v_pk_max_f16 v0, v1, v2", "v1=42003c00 v2=40004400", 0x4200_4400),
        ("gfx1100", "", "v_pk_min_f16 v0, v1, v2", "v1=42003c00 v2=40004400", 0x4000_3c00),
        ("gfx900 gfx942 gfx1030", "ieee=0", "v_pk_max_f16 v0, v1, v2", nans, 0x7e02_7e02),
        ("gfx1100 gfx1150", "ieee=0", "v_pk_max_f16 v0, v1, v2", nans, 0x7e01_7e01),
        ("gfx1030", "; both-nan=first", "v_pk_min_f16 v0, v1, v2", nans, 0x7e01_7e01),
        ("gfx900", "ieee=1", "v_pk_max_f16 v0, v1, v2", "v1=7c013c00 v2=3c007c02", 0x7e01_7e02),
        ("gfx900", "ieee=0", "v_pk_max_f16 v0, v1, v2", "v1=7c013c00 v2=3c007c02", 0x3c00_3c00),
        ("gfx900", "denorm.f16=flush-in", "v_pk_max_f16 v0, v1, v2", "v1=00018001 v2=80008000", 0x0000_8000),
        ("gfx900", "denorm.f16=flush-out", "v_pk_max_f16 v0, v1, v2", "v1=00018001 v2=80008000", 0x0001_8000),
        // RDNA4: MODE.IEEE is no longer asked.
        ("gfx1201 gfx1250", "ieee=0", "v_pk_max_num_f16 v0, v1, v2", "v1=7c013c00 v2=3c007c02", 0x3c00_3c00),
        ("gfx1201", "", "v_pk_min_num_f16 v0, v1, v2", "v1=7c018000 v2=7c020000", 0x7e01_8000),
        ("gfx1201", "; minimum-nan=signalling", "v_pk_maximum_f16 v0, v1, v2", "v1=7e017e01 v2=7c027c02", 0x7e02_7e02),
        ("gfx1201", "; minimum-nan=source", "v_pk_maximum_f16 v0, v1, v2", "v1=7e017e01 v2=7c027c02", 0x7e01_7e01),
        ("gfx1201", "", "v_pk_minimum_f16 v0, v1, v2", "v1=7c013c00 v2=3c00bc00", 0x7e01_bc00),
        (
            "gfx1201",
            "denorm.f16=flush; minimum-flush=input",
            "v_pk_minimum_f16 v0, v1, v2",
            "v1=00018001 v2=0",
            0x0000_8000,
        ),
        (
            "gfx1201",
            "denorm.f16=flush; minimum-flush=none",
            "v_pk_maximum_f16 v0, v1, v2",
            "v1=00018001 v2=0",
            0x0001_0000,
        ),
        ("gfx1201", "; minimum-flush=input", "v_pk_maximum_f16 v0, v1, v2", "v1=00018001 v2=0", 0x0001_0000),
        ("gfx1201", "denorm.f16=flush", "v_pk_max_num_f16 v0, v1, v2", "v1=00018001 v2=0", 0),
        ("gfx1201", "", "v_pk_max_num_f16 v0, v1, v2 clamp", "v1=40008001 v2=80008000", 0x3c00_0000),
    ]);
}

#[test]
fn three_operand_minima_and_maxima_are_nested() {
    // 1, 2, 3 in the low halves; -1, -3, -2 in the high ones.
    let numbers = "v1=bc003c00 v2=c2004000 v3=c0004200";
    let third = "v1=3c003c00 v2=40004000 v3=7c017c01";
    let first = "v1=7c017c01 v2=40004000 v3=3c003c00";
    check(&[
        ("gfx950 gfx1250", "", "v_pk_minimum3_f16 v0, v1, v2, v3", numbers, 0xc200_3c00),
        ("gfx950 gfx1250", "", "v_pk_maximum3_f16 v0, v1, v2, v3", numbers, 0xbc00_4200),
        ("gfx1250", "", "v_pk_min3_num_f16 v0, v1, v2, v3", numbers, 0xc200_3c00),
        ("gfx1250", "", "v_pk_max3_num_f16 v0, v1, v2, v3", numbers, 0xbc00_4200),
        ("gfx1250", "", "v_pk_min3_num_f16 v0, v1, v2, v3", third, 0x3c00_3c00),
        ("gfx1250", "", "v_pk_max3_num_f16 v0, v1, v2, v3", first, 0x4000_4000),
        // CDNA4's are as with IEEE and DX10_CLAMP set.
        ("gfx950 gfx1250", "0xf0", "v_pk_minimum3_f16 v0, v1, v2, v3", third, 0x7e01_7e01),
        ("gfx950 gfx1250", "0xf0", "v_pk_maximum3_f16 v0, v1, v2, v3", first, 0x7e01_7e01),
        ("gfx950 gfx1250", "0xf0", "v_pk_maximum3_f16 v0, v1, v2, v3 clamp", third, 0),
        ("gfx950", "denorm.f16=flush", "v_pk_maximum3_f16 v0, v1, v2, v3", "v1=0 v2=0 v3=00018001", 0),
        ("gfx950", "denorm.f16=keep", "v_pk_maximum3_f16 v0, v1, v2, v3", "v1=0 v2=0 v3=00018001", 0x0001_0000),
    ]);
}
