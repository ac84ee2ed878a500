//! Packed integers and the move of dwords.

use super::check;
use crate::exec::watch::Step;

#[test]
fn integers_wrap() {
    check(&[
        // -3 · 5 + 7 = -8; 300 · 300 + 1 = 90001 = 1 · 65536 + 5f91.
        ("gfx900 gfx1250", "", "v_pk_mad_i16 v0, v1, v2, v3", "v1=012cfffd v2=012c0005 v3=00010007", 0x5f91_fff8),
        ("gfx900", "", "v_pk_mad_u16 v0, v1, v2, v3", "v1=ffffffff v2=ffff0002 v3=ffff0003", 0x0000_0001),
        ("gfx900", "", "v_pk_mul_lo_u16 v0, v1, v2", "v1=ffff0100 v2=00020101", 0xfffe_0100),
        ("gfx900", "", "v_pk_add_i16 v0, v1, v2", "v1=7fffffff v2=00010001", 0x8000_0000),
        ("gfx900", "", "v_pk_add_u16 v0, v1, v2", "v1=ffff0001 v2=00010002", 0x0000_0003),
        ("gfx900", "", "v_pk_sub_i16 v0, v1, v2", "v1=80000001 v2=00010002", 0x7fff_ffff),
        ("gfx900", "", "v_pk_sub_u16 v0, v1, v2", "v1=00000005 v2=00010002", 0xffff_0003),
        ("gfx900", "", "v_pk_min_i16 v0, v1, v2", "v1=80000001 v2=7fffffff", 0x8000_ffff),
        ("gfx900", "", "v_pk_min_u16 v0, v1, v2", "v1=80000001 v2=7fffffff", 0x7fff_0001),
        ("gfx900", "", "v_pk_max_i16 v0, v1, v2", "v1=80000001 v2=7fffffff", 0x7fff_0001),
        ("gfx900", "", "v_pk_max_u16 v0, v1, v2", "v1=80000001 v2=7fffffff", 0x8000_ffff),
    ]);
}

#[test]
fn shifts_take_four_bits_of_source_0() {
    check(&[
        // By 4 and by 17, which is 1.
        ("gfx900", "", "v_pk_lshlrev_b16 v0, v1, v2", "v1=00110004 v2=c0018421", 0x8002_4210),
        ("gfx900", "", "v_pk_lshrrev_b16 v0, v1, v2", "v1=00110004 v2=c0018421", 0x6000_0842),
        ("gfx900", "", "v_pk_ashrrev_i16 v0, v1, v2", "v1=00110004 v2=c0018421", 0xe000_f842),
        // op_sel picks the amount, too; CLAMP means nothing.
        ("gfx900", "", "v_pk_lshlrev_b16 v0, v1, v2 op_sel_hi:[0,1]", "v1=00000001 v2=80014001", 0x0002_8002),
        ("gfx900", "", "v_pk_lshlrev_b16 v0, v1, v2 clamp", "v1=000f000f v2=00030003", 0x8000_8000),
    ]);
}

#[test]
fn clamp_saturates_sums_and_differences() {
    check(&[
        ("gfx900", "", "v_pk_add_i16 v0, v1, v2 clamp", "v1=7fff8000 v2=0001ffff", 0x7fff_8000),
        (
            "gfx1100",
            "; signed-clamp=minus-max-int",
            "v_pk_add_i16 v0, v1, v2 clamp",
            "v1=7fff8000 v2=0001ffff",
            0x7fff_8001,
        ),
        // The bound of that reading also changes a result that is in range.
        (
            "gfx1100",
            "; signed-clamp=minus-max-int",
            "v_pk_add_i16 v0, v1, v2 clamp",
            "v1=80008000 v2=00010000",
            0x8001_8001,
        ),
        ("gfx900", "", "v_pk_sub_i16 v0, v1, v2 clamp", "v1=80007fff v2=0001ffff", 0x8000_7fff),
        ("gfx900", "", "v_pk_add_u16 v0, v1, v2 clamp", "v1=ffff0001 v2=00010002", 0xffff_0003),
        ("gfx900", "", "v_pk_sub_u16 v0, v1, v2 clamp", "v1=00000005 v2=00010002", 0x0000_0003),
        // 32767 · 2 + 1 and -32768 · 2 + 1.
        ("gfx900", "", "v_pk_mad_i16 v0, v1, v2, v3 clamp", "v1=80007fff v2=00020002 v3=00010001", 0x8000_7fff),
        // 256 · 256 - the sum is exact: 65536 + 0 saturates although its low 16 bits are 0.
        ("gfx900", "", "v_pk_mad_u16 v0, v1, v2, v3 clamp", "v1=01000002 v2=01000003 v3=00000001", 0xffff_0007),
        (
            "gfx1250",
            "; mad-clamp=ignored",
            "v_pk_mad_u16 v0, v1, v2, v3 clamp",
            "v1=01000002 v2=01000003 v3=1",
            0x0000_0007,
        ),
        (
            "gfx1250",
            "; mad-clamp=saturate",
            "v_pk_mad_u16 v0, v1, v2, v3 clamp",
            "v1=01000002 v2=01000003 v3=1",
            0xffff_0007,
        ),
        (
            "gfx1250",
            "; mad-clamp=ignored signed-clamp=minus-max-int",
            "v_pk_mad_i16 v0, v1, v2, v3 clamp",
            "v1=80008000 v2=00010001 v3=00000000",
            0x8000_8000,
        ),
        // Ignored by these.
        ("gfx900", "", "v_pk_mul_lo_u16 v0, v1, v2 clamp", "v1=01000002 v2=01000003", 0x0000_0006),
        ("gfx900", "", "v_pk_min_i16 v0, v1, v2 clamp", "v1=80000001 v2=7fffffff", 0x8000_ffff),
    ]);
}

/// V_PK_ADD_{MIN,MAX} and V_PK_{MIN3,MAX3}. Source: CDNA5 manual, their notes.
#[test]
fn three_source_minima_and_maxima() {
    // 32767 + 1 saturates to 32767, against -2; -1 - 1 = -2 against -5.
    let signed = "v1=7fffffff v2=0001ffff v3=fffefffb";
    // 65535 + 1 saturates to 65535, against 3; 1 + 1 against 5.
    let unsigned = "v1=ffff0001 v2=00010001 v3=00030005";
    let three = "v1=0001ffff v2=00020001 v3=fffd0002";
    check(&[
        ("gfx1250", "", "v_pk_add_max_i16 v0, v1, v2, v3", signed, 0x7fff_fffe),
        ("gfx1250", "", "v_pk_add_min_i16 v0, v1, v2, v3", signed, 0xfffe_fffb),
        ("gfx1250", "", "v_pk_add_max_u16 v0, v1, v2, v3", unsigned, 0xffff_0005),
        ("gfx1250", "", "v_pk_add_min_u16 v0, v1, v2, v3", unsigned, 0x0003_0002),
        ("gfx1250", "; signed-clamp=minus-max-int", "v_pk_add_max_i16 v0, v1, v1, v1", "v1=80008000", 0x8000_8000),
        ("gfx1250", "; relu=relu", "v_pk_add_min_i16 v0, v1, v2, v3 clamp", signed, 0),
        ("gfx1250", "; relu=relu", "v_pk_add_max_i16 v0, v1, v2, v3 clamp", signed, 0x7fff_0000),
        ("gfx1250", "; relu=ignored", "v_pk_add_min_i16 v0, v1, v2, v3 clamp", signed, 0xfffe_fffb),
        ("gfx1250", "", "v_pk_add_max_u16 v0, v1, v2, v3 clamp", unsigned, 0xffff_0005),
        ("gfx1250", "", "v_pk_min3_i16 v0, v1, v2, v3", three, 0xfffd_ffff),
        ("gfx1250", "", "v_pk_max3_i16 v0, v1, v2, v3", three, 0x0002_0002),
        ("gfx1250", "", "v_pk_min3_u16 v0, v1, v2, v3", three, 0x0001_0001),
        ("gfx1250", "", "v_pk_max3_u16 v0, v1, v2, v3", three, 0xfffd_ffff),
        ("gfx1250", "; relu=relu", "v_pk_min3_i16 v0, v1, v2, v3 clamp", three, 0),
        ("gfx1250", "; relu=ignored", "v_pk_min3_i16 v0, v1, v2, v3 clamp", three, 0xfffd_ffff),
        ("gfx1250", "", "v_pk_max3_u16 v0, v1, v2, v3 clamp", three, 0xfffd_ffff),
    ]);
}

#[test]
fn move_picks_dwords() {
    let registers = "v2=1 v3=2 v4=3 v5=4";
    let mov = "v_pk_mov_b32 v[0:1], v[2:3], v[4:5]";
    check(&[
        ("gfx942", "", mov, registers, 0x3_0000_0001),
        ("gfx942", "", "v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]", registers, 0x3_0000_0002),
        ("gfx942", "", "v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,1]", registers, 0x4_0000_0002),
        ("gfx90a", "; move-select=none", "v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,1]", registers, 0x3_0000_0001),
        // Signalling NaNs stay.
        ("gfx90a", "", mov, "v2=7f800001 v3=0 v4=00000001 v5=0", 0x0000_0001_7f80_0001),
    ]);
}

#[test]
fn the_sum_of_add_min_shows_before_and_after_it_saturates() {
    // 32767 + 1 = 32768, 0x8000 in 16 bits, saturates to 0x7fff.
    let (result, steps) = super::watched("gfx1250", "", "v_pk_add_min_i16 v0, v1, v2, v3", "v1=7fff v2=1 v3=7fff");
    assert_eq!(result, 0x7fff);
    assert!(steps.contains(&Step::Integer(0x8000)));
    assert!(steps.contains(&Step::Clamped { from: 0x8000, to: 0x7fff }));
}
