//! Published results: captures on gfx1100 and gfx1201 in ROCm/rocm-systems emulation/rocjitsu, valu_fp_mode_test.cpp;
//! tinygrad's hardware tests, test_vop3p.py; the table in llvm/llvm-project#205101. Of scalar instructions the bare
//! operation is asked.

use super::super::{FormatOf, Oracle, Rounding, Rules};
use super::expect;

const FMA: &str = "v_pk_fma_f16 v0, v1, v2, v3";

fn both(halves: [u64; 3]) -> [u64; 3] {
    halves.map(|half| half << 16 | half)
}

#[test]
fn packed_f16_nans_on_gfx1100() {
    for denorm in ["flush", "flush-out", "flush-in", "keep"] {
        let loose = format!("ieee=0,dx10_clamp=0,denorm.f16={denorm}");
        for (operands, expected) in [
            ([0x3c00, 0xfc12, 0x7e01], 0xfc12_fc12),
            ([0x0000, 0x7c00, 0x7e01], 0xfe00_fe00),
            ([0x0000, 0x7c00, 0x3c00], 0xfe00_fe00),
            ([0x7c00, 0x3c00, 0xfc00], 0xfe00_fe00),
        ] {
            expect("gfx1100", FMA, &loose, &[], both(operands), expected);
        }
        let strict = format!("ieee=1,dx10_clamp=0,denorm.f16={denorm}");
        for (operands, expected) in [
            ([0x7fc1, 0xff80, 0xff80], 0x7fc1_7fc1),
            ([0x7c01, 0x3c00, 0x0000], 0x7e01_7e01),
            ([0x3c00, 0xfc12, 0x7e01], 0xfe12_fe12),
            ([0x3c00, 0x3c00, 0x7c01], 0x7e01_7e01),
            ([0x0000, 0x7c00, 0x3c00], 0xfe00_fe00),
            ([0x7c00, 0x3c00, 0xfc00], 0xfe00_fe00),
        ] {
            expect("gfx1100", FMA, &strict, &[], both(operands), expected);
        }
    }
    let subnormal = both([0x0001, 0x7c00, 0x7e01]);
    for ieee in ["0", "1"] {
        for (denorm, expected) in
            [("flush", 0xfe00_fe00), ("flush-out", 0x7e01_7e01), ("flush-in", 0xfe00_fe00), ("keep", 0x7e01_7e01)]
        {
            expect("gfx1100", FMA, &format!("ieee={ieee},denorm.f16={denorm}"), &[], subnormal, expected);
        }
    }
    let clamped = format!("{FMA} clamp");
    expect("gfx1100", &clamped, "dx10_clamp=0", &[], both([0x0000, 0x7c00, 0x3c00]), 0xfe00_fe00);
}

#[test]
fn packed_f16_nans_on_gfx1201() {
    // IEEE and DX10_CLAMP do not exist there.
    for mode in ["denorm.f16=flush", "denorm.f16=keep", "ieee=0,dx10_clamp=0"] {
        for (operands, expected) in [
            ([0x7fc1, 0xff80, 0xff80], 0x7fc1_7fc1),
            ([0x7c01, 0x3c00, 0x0000], 0x7e01_7e01),
            ([0x3c00, 0xfc12, 0x7e01], 0xfe12_fe12),
            ([0x0000, 0x7c00, 0x3c00], 0xfe00_fe00),
        ] {
            expect("gfx1201", FMA, mode, &[], both(operands), expected);
        }
        // CDNA5 has neither bit either.
        expect("gfx1250", FMA, mode, &[], both([0x3c00, 0xfc12, 0x7e01]), 0xfe12_fe12);
        let clamped = format!("{FMA} clamp");
        expect("gfx1201", &clamped, mode, &[], both([0x0000, 0x7c00, 0x3c00]), 0);
    }
    for (denorm, expected) in [("flush", 0xfe00_fe00), ("flush-in", 0xfe00_fe00), ("keep", 0x7e01_7e01)] {
        let mode = format!("denorm.f16={denorm}");
        expect("gfx1201", FMA, &mode, &[], both([0x0001, 0x7c00, 0x7e01]), expected);
    }
}

#[test]
fn packed_arithmetic() {
    // valu_fp_mode_test.cpp, kCases: MODE 0xf4.
    for target in ["gfx950", "gfx1250"] {
        expect(target, FMA, "0xf4", &[], both([0x3c00, 0x3c00, 0x1000]), 0x3c01_3c01);
    }
    // tinygrad.
    expect("gfx1100", "v_pk_add_f16 v0, v1, v2", "", &[], [0x4000_3c00, 0x4400_4200, 0], 0x4600_4400);
    expect("gfx1100", "v_pk_add_f16 v0, v1, 1.0", "", &[], [0x3c00_3c00, 0, 0], 0x3c00_4000);
    expect("gfx1100", "v_pk_mul_f16 v0, v1, 2.0", "", &[], [0x4400_4200, 0, 0], 0x0000_4600);
    expect("gfx1100", "v_pk_max_f16 v0, v1, v2", "", &[], [0x4200_3c00, 0x4000_4400, 0], 0x4200_4400);
    expect("gfx1100", "v_pk_add_u16 v0, v1, 2.0", "", &[], [0x0003_0005, 0, 0], 0x4003_0005);
    let literal = "v_pk_add_u16 v0, 0x2000, v1 op_sel_hi:[0,1]";
    expect("gfx1100", literal, "", &[], [0, 0x1c00_1c00, 0], 0x3c00_3c00);
}

#[test]
fn mixed_precision() {
    let f16 = "v_fma_mix_f32 v0, v1, v2, 0 op_sel_hi:[1,1,0]";
    for target in ["gfx90a", "gfx950"] {
        let factors = [0x8001, 0x0400, 0];
        expect(target, f16, "denorm.f16=flush,denorm.f32=flush", &[], factors, 0);
        // Kept, with IEEE and without: −2^-24 · 2^-14 = −2^-38.
        expect(target, f16, "ieee=0", &[], factors, 0xac80_0000);
        expect(target, f16, "ieee=1", &[], factors, 0xac80_0000);
    }
    let ftz = "denorm.f32=flush";
    let plain = "v_fma_mix_f32 v0, v1, v2, v3";
    expect("gfx1100", plain, ftz, &[], [0x4000_0000, 0x4040_0000, 0x3f80_0000], 0x40e0_0000);
    let high = "v_fma_mix_f32 v0, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[0,0,1]";
    expect("gfx1100", high, ftz, &[], [0x3f80_0000, 0x4040_0000, 0x4000_0000], 0x40a0_0000);
    let absolute = "v_fma_mix_f32 v0, v1, v2, |v3|";
    expect("gfx1100", absolute, ftz, &[], [0x4000_0000, 0x4040_0000, 0xbf80_0000], 0x40e0_0000);
    let absolute_low = "v_fma_mix_f32 v0, v1, v2, |v3| op_sel_hi:[0,0,1]";
    expect("gfx1100", absolute_low, ftz, &[], [0, 0x3f80_0000, 0x0000_bc00], 0x3f80_0000);
    let absolute_high = "v_fma_mix_f32 v0, v1, v2, |v3| op_sel:[0,0,1] op_sel_hi:[0,0,1]";
    expect("gfx1100", absolute_high, ftz, &[], [0, 0x3f80_0000, 0xbc00_0000], 0x3f80_0000);
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    let old = super::result("gfx1100", low, ftz, &[], [0x4000_0000, 0x4040_0000, 0x3f80_0000], 0xdead_0000);
    assert_eq!(old, 0xdead_4700);
    expect("gfx1100", low, ftz, &[], [0x3f80_0000, 0x4000_0000, 0x4040_0000], 0x0000_4500);
}

#[test]
fn scalar_f16() {
    let mut oracle = Oracle::new();
    let mut fma = |operands, rules: Rules| oracle.fma(FormatOf::F16, operands, &rules);
    let strict = Rules::DEFAULT;
    let loose = Rules { quiet: false, ..strict };
    for (operands, quiet, unquiet) in [
        ([0x7fc1, 0xff80, 0xff80], 0x7fc1, 0x7fc1),
        ([0x0000, 0x7c00, 0x7e01], 0xfe00, 0xfe00),
        ([0x0000, 0x7c00, 0x3c00], 0xfe00, 0xfe00),
        ([0x7c01, 0x3c00, 0x0000], 0x7e01, 0x7c01),
        ([0x3c00, 0x3c00, 0x7c01], 0x7e01, 0x7c01),
        ([0x7c00, 0x3c00, 0xfc00], 0xfe00, 0xfe00),
        ([0x3c00, 0xfc12, 0x7e01], 0xfe12, 0xfc12),
    ] {
        assert_eq!((fma(operands, strict), fma(operands, loose)), (quiet, unquiet), "{operands:x?}");
    }
    for rules in [strict, loose] {
        assert_eq!(fma([0x0001, 0x7c00, 0x7e01], rules), 0x7e01);
        assert_eq!(fma([0x0001, 0x7c00, 0x7e01], Rules { flush_in: true, ..rules }), 0xfe00);
    }
    let up = Rules { rounding: Rounding::Up, ..strict };
    assert_eq!(fma([0x0001, 0x0001, 0x7800], up), 0x7801);
    assert_eq!((fma([0x0001, 0x0001, 0x7bff], up), fma([0x0001, 0x0001, 0x7bff], strict)), (0x7c00, 0x7bff));
}

#[test]
fn scalar_f32() {
    let mut oracle = Oracle::new();
    let strict = Rules::DEFAULT;
    let loose = Rules { quiet: false, ..strict };
    for operands in [[0x7f80_1abc, 0xffc0_0222], [0x3f80_0000, 0x7f80_1abc]] {
        for (rules, expected) in [(strict, 0x7fc0_1abc), (loose, 0x7f80_1abc)] {
            assert_eq!(oracle.add(FormatOf::F32, operands, &rules), expected);
            assert_eq!(oracle.mul(FormatOf::F32, operands, &rules), expected);
        }
    }
    for (rounding, expected) in [(Rounding::Up, 0), (Rounding::Down, 0x8000_0000)] {
        let rules = Rules { rounding, ..strict };
        assert_eq!(oracle.add(FormatOf::F32, [0, 0x8000_0000], &rules), expected);
        assert_eq!(oracle.add(FormatOf::F32, [0x8000_0000, 0x8000_0000], &rules), 0x8000_0000);
    }
    // v_mul_f32(±00800000, 3f7fffff): FP_ROUND, results flushed or not, of + and of −.
    for (rounding, flush_out, plus, minus) in [
        (Rounding::NearestEven, true, 0x0000_0000, 0x8000_0000),
        (Rounding::NearestEven, false, 0x0080_0000, 0x8080_0000),
        (Rounding::Up, true, 0x0000_0000, 0x8000_0000),
        (Rounding::Up, false, 0x0080_0000, 0x807f_ffff),
        (Rounding::Down, true, 0x0000_0000, 0x8000_0000),
        (Rounding::Down, false, 0x007f_ffff, 0x8080_0000),
        (Rounding::Zero, true, 0x0000_0000, 0x8000_0000),
        (Rounding::Zero, false, 0x007f_ffff, 0x807f_ffff),
    ] {
        for flush_in in [false, true] {
            let rules = Rules { rounding, flush_in, flush_out, ..strict };
            assert_eq!(oracle.mul(FormatOf::F32, [0x0080_0000, 0x3f7f_ffff], &rules), plus, "{rules:?}");
            assert_eq!(oracle.mul(FormatOf::F32, [0x8080_0000, 0x3f7f_ffff], &rules), minus, "{rules:?}");
        }
    }
}
