//! Constants, scalars and pairs.

use super::check;

#[test]
fn constants_of_packed_f16_are_in_the_low_half() {
    check(&[
        // Checked on gfx1100. Source: tinygrad, test_vop3p.py.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, 1.0", "v1=3c003c00", 0x3c00_4000),
        ("gfx1100", "", "v_pk_mul_f16 v0, v1, 2.0", "v1=44004200", 0x0000_4600),
        ("gfx1100", "", "v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]", "v1=3c003c00", 0x4000_4000),
        ("gfx1100", "", "v_pk_add_f16 v0, v1, 0.15915494 op_sel_hi:[1,0]", "v1=0", 0x3118_3118),
        // Integers are sign-extended to 32 bits: 0 + ffff is that NaN.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, -1", "v1=0", 0xffff_ffff),
        ("gfx1201", "; inline-integer=zero", "v_pk_add_f16 v0, v1, -1", "v1=0", 0x0000_ffff),
        ("gfx1100", "", "v_pk_add_f16 v0, v1, 1", "v1=0", 0x0000_0001),
        // A literal is 32 bits.
        ("gfx1100", "", "v_pk_add_f16 v0, v1, 0x40003c00", "v1=0", 0x4000_3c00),
        ("gfx1100", "", "v_pk_add_f16 v0, s3, null", "s3=40003c00", 0x4000_3c00),
    ]);
}

#[test]
fn constants_of_packed_integers_are_32_bits() {
    check(&[
        // Checked on gfx1100. Source: tinygrad, test_vop3p.py.
        ("gfx1100", "", "v_pk_add_u16 v0, v1, 2.0", "v1=00030005", 0x4003_0005),
        ("gfx1100", "", "v_pk_add_u16 v0, 0x2000, v1 op_sel_hi:[0,1]", "v1=1c001c00", 0x3c00_3c00),
        ("gfx1030", "; inline-float=f16", "v_pk_add_u16 v0, v1, 2.0", "v1=00030005", 0x0003_4005),
        ("gfx900", "", "v_pk_add_u16 v0, v1, 0.15915494", "v1=0", 0x3e22_f983),
        ("gfx900", "", "v_pk_add_u16 v0, v1, -16", "v1=00100010", 0x000f_0000),
        ("gfx1201", "; inline-integer=zero", "v_pk_add_u16 v0, v1, -16", "v1=00100010", 0x0010_0000),
        ("gfx900", "", "v_pk_lshlrev_b16 v0, 4, v1", "v1=00010001", 0x0001_0010),
    ]);
}

#[test]
fn constants_of_packed_bf16_are_f32() {
    check(&[
        ("gfx1250", "", "v_pk_add_bf16 v0, v1, 0.15915494", "v1=0", 0x3e22_f983),
        ("gfx1250", "", "v_pk_add_bf16 v0, v1, 1.0 op_sel:[0,1]", "v1=3f800000", 0x4000_3f80),
    ]);
}

#[test]
fn constants_of_mix() {
    check(&[
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 1.0, 2.0", "v1=40400000", 0x40a0_0000),
        // Read as f32, 1 is the smallest subnormal.
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 1.0, 1", "v1=0", 0x0000_0001),
        // Read as f16: 1.0 for either half.
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 1.0, 1.0 op_sel_hi:[0,1,0]", "v1=40400000", 0x4080_0000),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 1.0, 1.0 op_sel:[0,1,0] op_sel_hi:[0,1,0]", "v1=40400000", 0x4080_0000),
        (
            "gfx1100",
            "; mix-inline=low",
            "v_fma_mix_f32 v0, v1, 1.0, 1.0 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
            "v1=40400000",
            0x3f80_0000,
        ),
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 0x4000c000, 0 op_sel_hi:[0,1,0]", "v1=3f800000", 0xc000_0000),
        (
            "gfx1100",
            "",
            "v_fma_mix_f32 v0, v1, 0x4000c000, 0 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
            "v1=3f800000",
            0x4000_0000,
        ),
        // 64 as f16 bits: 64 · 2^-24 = 2^-18.
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, 64, 0 op_sel_hi:[0,1,0]", "v1=3f800000", 0x3680_0000),
        // The high half of -16, ffff, is a NaN of either sign reading; of 0 it is 0.
        ("gfx1100", "", "v_fma_mix_f32 v0, v1, -16, 0 op_sel:[0,1,0] op_sel_hi:[0,1,0]", "v1=3f800000", 0xffff_e000),
        (
            "gfx1201",
            "; inline-integer=zero",
            "v_fma_mix_f32 v0, v1, -16, 0 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
            "v1=3f800000",
            0,
        ),
        // bf16 reads the upper half of the f32.
        (
            "gfx1250",
            "",
            "v_fma_mix_f32_bf16 v0, v1, 1.0, 0 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
            "v1=40400000",
            0x4040_0000,
        ),
        ("gfx1250", "", "v_fma_mix_f32_bf16 v0, v1, 1.0, 0 op_sel_hi:[0,1,0]", "v1=40400000", 0),
    ]);
}

#[test]
fn constants_and_scalars_of_64_bits() {
    check(&[
        ("gfx90a", "", "v_pk_add_f32 v[0:1], v[2:3], 1.0", "v2=0 v3=0", 0x3f80_0000_3f80_0000),
        ("gfx90a", "; inline-pair=low", "v_pk_add_f32 v[0:1], v[2:3], 1.0", "v2=0 v3=0", 0x0000_0000_3f80_0000),
        (
            "gfx90a",
            "",
            "v_pk_add_f32 v[0:1], v[2:3], s[4:5]",
            "v2=0 v3=0 s4=3f800000 s5=40000000",
            0x4000_0000_3f80_0000,
        ),
        // CDNA5: one SGPR, one constant, whatever OP_SEL says.
        ("gfx1250", "", "v_pk_add_f32 v[0:1], v[2:3], s[4:5]", "v2=0 v3=0 s4=3f800000", 0x3f80_0000_3f80_0000),
        (
            "gfx1250",
            "; inline-pair=low",
            "v_pk_add_f32 v[0:1], v[2:3], 1.0 op_sel:[1,1]",
            "v2=0 v3=3f800000",
            0x4000_0000_4000_0000,
        ),
        (
            "gfx1250",
            "",
            "v_pk_add_f32 v[0:1], v[2:3], s[4:5] neg_lo:[0,1]",
            "v2=0 v3=0 s4=3f800000",
            0x3f80_0000_bf80_0000,
        ),
        ("gfx942", "", "v_pk_mov_b32 v[0:1], 1.0, -1", "", 0xffff_ffff_3f80_0000),
    ]);
}
