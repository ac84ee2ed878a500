//! What an evaluation says it rests on.

use super::watched;
use crate::exec::watch::{Step, questions};

/// Target, MODE and readings, instruction, registers, ids of the questions in the order they come up.
fn check(rows: &[(&str, &str, &str, &str, &str)]) {
    for (target, setting, text, registers, expected) in rows {
        let (_, steps) = watched(target, setting, text, registers);
        let ids: Vec<&str> = questions(&steps).into_iter().map(|question| question.row().id).collect();
        assert_eq!(ids.join(" "), *expected, "{target} {setting} {text} {registers}");
    }
}

#[test]
fn a_question_comes_up_only_where_it_decides() {
    let fma = "v_pk_fma_f16 v0, v1, v2, v3";
    let add = "v_pk_add_f16 v0, v1, v2";
    check(&[
        ("gfx1100", "", fma, "v1=3c003c00 v2=3c003c00 v3=0", "arithmetic"),
        ("gfx1100", "", fma, "v1=7e013c00 v2=3c003c00 v3=0", "arithmetic"),
        ("gfx1100", "", fma, "v1=7e017e01 v2=7e023c00 v3=0", "nan-order"),
        ("gfx1100", "", fma, "v1=7c007c00 v2=0 v3=0", "default-nan"),
        ("gfx1100", "", fma, "v1=7c007c00 v2=0 v3=7e007e00", "invalid-product default-nan"),
        ("gfx1100", "", fma, "v1=7bff7bff v2=7bff7bff v3=0", "arithmetic overflow"),
        // Subnormal sums: flushed, and not.
        ("gfx1100", "denorm.f16=flush-out", add, "v1=00010001 v2=0", "arithmetic tininess"),
        ("gfx1100", "denorm.f16=keep", add, "v1=00010001 v2=0", "arithmetic"),
        ("gfx1100", "", "v_pk_add_f16 v0, v1, v2 clamp", "v1=0 v2=0", "arithmetic clamp"),
        ("gfx1250", "", "v_pk_add_bf16 v0, v1, v2", "v1=0 v2=0", "bf16-round arithmetic"),
    ]);
}

#[test]
fn questions_of_minima_and_maxima() {
    check(&[
        ("gfx1100", "", "v_pk_min_f16 v0, v1, v2", "v1=7e013c00 v2=0", "min-max"),
        ("gfx1100", "", "v_pk_min_f16 v0, v1, v2", "v1=7e017e01 v2=7e027e02", "both-nan"),
        ("gfx900", "", "v_pk_min_f16 v0, v1, v2", "v1=7c017c01 v2=3c003c00", "min-max"),
        ("gfx1201", "", "v_pk_min_num_f16 v0, v1, v2", "v1=7e017e01 v2=7e027e02", "min-max"),
        ("gfx1201", "", "v_pk_minimum_f16 v0, v1, v2", "v1=7e017e01 v2=7e027e02", "minimum-nan"),
        ("gfx1201", "denorm.f16=flush", "v_pk_minimum_f16 v0, v1, v2", "v1=1 v2=0", "minimum-flush min-max"),
        ("gfx1201", "", "v_pk_minimum_f16 v0, v1, v2", "v1=1 v2=0", "min-max"),
    ]);
}

#[test]
fn questions_of_mix() {
    let mix = "v_fma_mix_f32 v0, v1, v2, v3";
    let low = "v_fma_mixlo_f16 v0, v1, v2, v3";
    let ones = "v0=0 v1=3f800000 v2=3f800000 v3=3f800000";
    check(&[
        ("gfx1100", "", mix, ones, "mix-fusion arithmetic"),
        ("gfx900", "", "v_mad_mix_f32 v0, v1, v2, v3", ones, "mix-fusion mad-product-round arithmetic"),
        ("gfx1100", "", low, ones, "mix-fusion mixlo mix-result-round arithmetic"),
        ("gfx1100", "", mix, "v1=3f800000 v2=00800000 v3=0", "mix-fusion arithmetic mix-flush"),
        ("gfx1100", "", mix, "v1=3f800000 v2=00800001 v3=0", "mix-fusion arithmetic"),
        (
            "gfx1100",
            "",
            "v_fma_mix_f32 v0, v1, v2, 0 op_sel:[0,0,1] op_sel_hi:[0,0,1]",
            "v1=3f800000 v2=3f800000",
            "mix-fusion arithmetic",
        ),
        ("gfx1100", "", low, "v0=0 v1=7f800000 v2=3f800000 v3=0", ""),
        ("gfx1100", "", low, "v0=0 v1=ff800001 v2=3f800000 v3=0", ""),
        ("gfx1100", "ieee=0", low, "v0=0 v1=ff800001 v2=3f800000 v3=0", "narrow-nan"),
        (
            "gfx1100",
            "",
            low,
            "v0=0 v1=35800000 v2=3f800000 v3=0",
            "mix-fusion mixlo mix-result-round arithmetic mix-flush mix-result-denorm",
        ),
        (
            "gfx1100",
            "",
            "v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]",
            "v1=1 v2=3f800000 v3=3f800000",
            "mix-flush mix-source-denorm mix-fusion arithmetic",
        ),
        (
            "gfx1100",
            "",
            "v_fma_mix_f32 v0, v1, 1.0, v2 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
            "v1=3f800000 v2=3f800000",
            "mix-inline mix-fusion arithmetic",
        ),
    ]);
}

#[test]
fn questions_of_constants_integers_and_moves() {
    check(&[
        ("gfx900", "", "v_pk_add_i16 v0, v1, v2", "v1=1 v2=2", "integer"),
        ("gfx900", "", "v_pk_add_i16 v0, v1, v2 clamp", "v1=7fff7fff v2=2", "integer"),
        ("gfx900", "", "v_pk_add_i16 v0, v1, v2 clamp", "v1=8000 v2=ffff", "integer signed-clamp"),
        ("gfx1250", "", "v_pk_mad_u16 v0, v1, v1, v1 clamp", "v1=ffff", "integer mad-clamp"),
        ("gfx1250", "", "v_pk_mad_u16 v0, v1, v1, v1 clamp", "v1=1", "integer"),
        ("gfx1250", "", "v_pk_max3_i16 v0, v1, v1, v1 clamp", "v1=8000", "integer relu"),
        ("gfx900", "", "v_pk_add_u16 v0, v1, 1.0", "v1=1", "integer inline-float"),
        ("gfx900", "", "v_pk_add_u16 v0, v1, -1", "v1=1", "integer inline-integer"),
        ("gfx900", "", "v_pk_add_u16 v0, v1, 1", "v1=1", "integer"),
        ("gfx900", "", "v_pk_add_u16 v0, v1, -1 op_sel_hi:[1,0]", "v1=1", "integer"),
        (
            "gfx942",
            "",
            "v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]",
            "v2=0 v3=0 v4=0 v5=0",
            "integer move-select",
        ),
        ("gfx942", "", "v_pk_mov_b32 v[0:1], v[2:3], v[4:5]", "v2=0 v3=0 v4=0 v5=0", "integer"),
        ("gfx942", "", "v_pk_mul_f32 v[0:1], v[2:3], 1.0", "v2=0 v3=0", "arithmetic inline-pair"),
    ]);
}

#[test]
fn steps_come_in_order() {
    let (_, steps) = watched("gfx900", "", "v_pk_add_i16 v0, v1, v2 clamp", "v1=00017fff v2=00020001");
    let low = [
        Step::Lane(0),
        Step::Operand { slot: 0, bits: 0x7fff, width: 16 },
        Step::Operand { slot: 1, bits: 1, width: 16 },
        Step::Integer(32768),
        Step::Clamped { from: 0x8000, to: 0x7fff },
        Step::Result(0x7fff),
        Step::Lane(1),
    ];
    assert_eq!(steps[1..8], low);
    let (_, steps) = watched("gfx1100", "", "v_fma_mixhi_f16 v0, v1, v2, v3", "v0=0 v1=3f800000 v2=3f800000 v3=0");
    let shown = |step: &Step| steps.contains(step);
    assert!(shown(&Step::Lane(1)) && shown(&Step::Intermediate(0x3f80_0000)) && shown(&Step::Result(0x3c00)));
}
