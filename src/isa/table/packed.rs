//! Packed math, mixed precision, dot products and `v_pk_mov_b32`.

use super::super::opcode::Form::{Dot, Dot2, DotFp8, Mix, Move, Packed};
use super::super::opcode::Format::{
    B32, Bf16, F16, F32, I32, None as No, Pk2B32, Pk2Bf16, Pk2F16, Pk2F32, Pk2I16, Pk2U16, Pk4Bf8, Pk4Fp8, Pk4I8,
    Pk4Iu8, Pk4U8, Pk8I4, Pk8Iu4, Pk8U4, U32,
};
use super::super::opcode::{Form, Format, Opcode};
use super::super::processor::ProcessorSet as Set;
use super::{
    BEFORE_RDNA4, CDNA1_TO_4, CDNA2, CDNA3, CDNA4, CDNA5, GFX9_GENERIC, RDNA1_DOT, RDNA2, RDNA3, RDNA4, VEGA, VEGA7,
    row,
};

const ALL: Set = Set::ALL;
const NEW: Set = RDNA4.or(CDNA5);
/// Chips whose V_MAD_MIX is unfused, which LLVM calls v_mad_mix: LLVM's FeatureMadMixInsts.
const MAD_MIX: Set = Set::named(&["gfx900", "gfx902", "gfx909", "gfx90c"]);
/// Chips that kept the name while the instruction became fused, which LLVM calls v_fma_mix (llvm/llvm-project#109873).
const MAD_MIX_FUSED: Set = VEGA.without(MAD_MIX).without(GFX9_GENERIC).or(VEGA7).or(CDNA1_TO_4);
const FMA_MIX: Set = ALL.without(VEGA).without(VEGA7).without(CDNA1_TO_4);
/// Dot products at 35 to 43.
const DOT_GFX9: Set = VEGA7.or(CDNA1_TO_4);
/// Dot products at 19 to 25.
const DOT_GFX10: Set = RDNA1_DOT.or(RDNA2);
const PK_F32: Set = CDNA2.or(CDNA3).or(CDNA4);
const DPP_DOT2: Set = RDNA3.or(RDNA4);
const DPP_MIX: Set = RDNA3.or(RDNA4).or(CDNA5);
/// Float dots ignore CLAMP by the manuals of RDNA3 (7.2.3), RDNA4 and CDNA5.
const FLOAT_DOT_CLAMP: Set = RDNA3.or(RDNA4);

const fn pk2(number: u8, amd: &'static str, llvm: &'static str, on: Set, format: Format) -> Opcode {
    row(number, amd, llvm, on, Packed).formats(format, [format, format, No])
}

const fn pk3(number: u8, amd: &'static str, llvm: &'static str, on: Set, format: Format) -> Opcode {
    row(number, amd, llvm, on, Packed).formats(format, [format; 3])
}

const fn mix(number: u8, amd: &'static str, llvm: &'static str, on: Set, vdst: Format) -> Opcode {
    row(number, amd, llvm, on, Mix).formats(vdst, [B32; 3]).dpp(DPP_MIX)
}

const fn dot(
    number: u8,
    amd: &'static str,
    llvm: &'static str,
    on: Set,
    form: Form,
    factors: Format,
    sum: Format,
) -> Opcode {
    row(number, amd, llvm, on, form).formats(sum, [factors, factors, sum])
}

const fn shift(number: u8, amd: &'static str, llvm: &'static str, format: Format) -> Opcode {
    row(number, amd, llvm, ALL, Packed).formats(format, [Pk2U16, format, No]).shift().clamp_ignored(ALL)
}

const fn dot_fp8(number: u8, amd: &'static str, llvm: &'static str, a: Format, b: Format) -> Opcode {
    row(number, amd, llvm, RDNA4, DotFp8).formats(F32, [a, b, F32])
}

/// The dot products of gfx1011 and gfx1012 stand in no table of AMD's.
const GFX10_DOTS: &str = "RDNA2 manual and XML; on gfx1011 and gfx1012 LLVM and AMD's emulator only";

/// By number; where a number means different things, older generations first.
pub(super) static ROWS: &[Opcode] = &[
    pk3(0, "V_PK_MAD_I16", "v_pk_mad_i16", ALL, Pk2I16).clamp_ignored(CDNA5),
    pk2(1, "V_PK_MUL_LO_U16", "v_pk_mul_lo_u16", ALL, Pk2U16).clamp_ignored(ALL),
    pk2(2, "V_PK_ADD_I16", "v_pk_add_i16", ALL, Pk2I16),
    pk2(3, "V_PK_SUB_I16", "v_pk_sub_i16", ALL, Pk2I16),
    shift(4, "V_PK_LSHLREV_B16", "v_pk_lshlrev_b16", Pk2U16),
    shift(5, "V_PK_LSHRREV_B16", "v_pk_lshrrev_b16", Pk2U16),
    shift(6, "V_PK_ASHRREV_I16", "v_pk_ashrrev_i16", Pk2I16),
    pk2(7, "V_PK_MAX_I16", "v_pk_max_i16", ALL, Pk2I16).clamp_ignored(ALL),
    pk2(8, "V_PK_MIN_I16", "v_pk_min_i16", ALL, Pk2I16).clamp_ignored(ALL),
    pk3(9, "V_PK_MAD_U16", "v_pk_mad_u16", ALL, Pk2U16).clamp_ignored(CDNA5),
    pk2(10, "V_PK_ADD_U16", "v_pk_add_u16", ALL, Pk2U16),
    pk2(11, "V_PK_SUB_U16", "v_pk_sub_u16", ALL, Pk2U16),
    pk2(12, "V_PK_MAX_U16", "v_pk_max_u16", ALL, Pk2U16).clamp_ignored(ALL),
    pk2(13, "V_PK_MIN_U16", "v_pk_min_u16", ALL, Pk2U16).clamp_ignored(ALL),
    pk3(14, "V_PK_FMA_F16", "v_pk_fma_f16", ALL, Pk2F16),
    pk2(15, "V_PK_ADD_F16", "v_pk_add_f16", ALL, Pk2F16),
    pk2(16, "V_PK_MUL_F16", "v_pk_mul_f16", ALL, Pk2F16),
    pk2(17, "V_PK_MIN_F16", "v_pk_min_f16", BEFORE_RDNA4, Pk2F16),
    pk3(17, "V_PK_FMA_BF16", "v_pk_fma_bf16", CDNA5, Pk2Bf16),
    pk2(18, "V_PK_MAX_F16", "v_pk_max_f16", BEFORE_RDNA4, Pk2F16),
    dot(19, "V_DOT2_F32_F16", "v_dot2_f32_f16", DOT_GFX10, Dot2, Pk2F16, F32).source(GFX10_DOTS),
    dot(19, "V_DOT2_F32_F16", "v_dot2_f32_f16", RDNA3.or(RDNA4), Dot2, Pk2F16, F32)
        .dpp(DPP_DOT2)
        .clamp_ignored(FLOAT_DOT_CLAMP),
    dot(20, "V_DOT2_I32_I16", "v_dot2_i32_i16", DOT_GFX10, Dot2, Pk2I16, I32).source(GFX10_DOTS),
    pk3(20, "V_PK_ADD_MAX_I16", "v_pk_add_max_i16", CDNA5, Pk2I16),
    dot(21, "V_DOT2_U32_U16", "v_dot2_u32_u16", DOT_GFX10, Dot2, Pk2U16, U32).source(GFX10_DOTS),
    pk3(21, "V_PK_ADD_MAX_U16", "v_pk_add_max_u16", CDNA5, Pk2U16),
    dot(22, "V_DOT4_I32_I8", "v_dot4_i32_i8", DOT_GFX10, Dot, Pk4I8, I32).source(GFX10_DOTS),
    dot(22, "V_DOT4_I32_IU8", "v_dot4_i32_iu8", RDNA3.or(NEW), Dot, Pk4Iu8, I32).clamp_ignored(NEW),
    dot(23, "V_DOT4_U32_U8", "v_dot4_u32_u8", DOT_GFX10, Dot, Pk4U8, U32).source(GFX10_DOTS),
    dot(23, "V_DOT4_U32_U8", "v_dot4_u32_u8", RDNA3.or(NEW), Dot, Pk4U8, U32).clamp_ignored(NEW),
    dot(24, "V_DOT8_I32_I4", "v_dot8_i32_i4", DOT_GFX10, Dot, Pk8I4, I32).source(GFX10_DOTS),
    dot(24, "V_DOT8_I32_IU4", "v_dot8_i32_iu4", RDNA3.or(NEW), Dot, Pk8Iu4, I32),
    dot(25, "V_DOT8_U32_U4", "v_dot8_u32_u4", DOT_GFX10, Dot, Pk8U4, U32).source(GFX10_DOTS),
    dot(25, "V_DOT8_U32_U4", "v_dot8_u32_u4", RDNA3.or(NEW), Dot, Pk8U4, U32),
    dot(26, "V_DOT2_F32_BF16", "v_dot2_f32_bf16", CDNA4, Dot2, Pk2Bf16, F32).neg2_ignored(CDNA4),
    dot(26, "V_DOT2_F32_BF16", "v_dot2_f32_bf16", RDNA3.or(RDNA4), Dot2, Pk2Bf16, F32)
        .dpp(DPP_DOT2)
        .clamp_ignored(FLOAT_DOT_CLAMP),
    pk3(27, "V_PK_MINIMUM3_F16", "v_pk_minimum3_f16", CDNA4, Pk2F16),
    pk2(27, "V_PK_MIN_NUM_F16", "v_pk_min_num_f16", NEW, Pk2F16),
    pk3(28, "V_PK_MAXIMUM3_F16", "v_pk_maximum3_f16", CDNA4, Pk2F16),
    pk2(28, "V_PK_MAX_NUM_F16", "v_pk_max_num_f16", NEW, Pk2F16),
    pk2(29, "V_PK_MINIMUM_F16", "v_pk_minimum_f16", NEW, Pk2F16),
    pk2(30, "V_PK_MAXIMUM_F16", "v_pk_maximum_f16", NEW, Pk2F16),
    pk3(31, "V_PK_FMA_F32", "v_pk_fma_f32", CDNA5, Pk2F32),
    mix(32, "V_MAD_MIX_F32", "v_mad_mix_f32", MAD_MIX, F32),
    mix(32, "V_MAD_MIX_F32", "v_fma_mix_f32", MAD_MIX_FUSED, F32),
    mix(32, "V_FMA_MIX_F32", "v_fma_mix_f32", FMA_MIX, F32),
    mix(33, "V_MAD_MIXLO_F16", "v_mad_mixlo_f16", MAD_MIX, F16),
    mix(33, "V_MAD_MIXLO_F16", "v_fma_mixlo_f16", MAD_MIX_FUSED, F16),
    mix(33, "V_FMA_MIXLO_F16", "v_fma_mixlo_f16", FMA_MIX, F16),
    mix(34, "V_MAD_MIXHI_F16", "v_mad_mixhi_f16", MAD_MIX, F16),
    mix(34, "V_MAD_MIXHI_F16", "v_fma_mixhi_f16", MAD_MIX_FUSED, F16),
    mix(34, "V_FMA_MIXHI_F16", "v_fma_mixhi_f16", FMA_MIX, F16),
    dot(35, "V_DOT2_F32_F16", "v_dot2_f32_f16", DOT_GFX9, Dot2, Pk2F16, F32),
    pk2(35, "V_PK_ADD_BF16", "v_pk_add_bf16", CDNA5, Pk2Bf16),
    dot_fp8(36, "V_DOT4_F32_FP8_BF8", "v_dot4_f32_fp8_bf8", Pk4Fp8, Pk4Bf8),
    dot_fp8(37, "V_DOT4_F32_BF8_FP8", "v_dot4_f32_bf8_fp8", Pk4Bf8, Pk4Fp8),
    dot(38, "V_DOT2_I32_I16", "v_dot2_i32_i16", DOT_GFX9, Dot2, Pk2I16, I32),
    dot_fp8(38, "V_DOT4_F32_FP8_FP8", "v_dot4_f32_fp8_fp8", Pk4Fp8, Pk4Fp8),
    dot(39, "V_DOT2_U32_U16", "v_dot2_u32_u16", DOT_GFX9, Dot2, Pk2U16, U32),
    dot_fp8(39, "V_DOT4_F32_BF8_BF8", "v_dot4_f32_bf8_bf8", Pk4Bf8, Pk4Bf8),
    dot(40, "V_DOT4_I32_I8", "v_dot4_i32_i8", DOT_GFX9, Dot, Pk4I8, I32),
    pk2(40, "V_PK_MUL_F32", "v_pk_mul_f32", CDNA5, Pk2F32),
    dot(41, "V_DOT4_U32_U8", "v_dot4_u32_u8", DOT_GFX9, Dot, Pk4U8, U32),
    pk2(41, "V_PK_ADD_F32", "v_pk_add_f32", CDNA5, Pk2F32),
    dot(42, "V_DOT8_I32_I4", "v_dot8_i32_i4", DOT_GFX9, Dot, Pk8I4, I32),
    pk2(42, "V_PK_MUL_BF16", "v_pk_mul_bf16", CDNA5, Pk2Bf16),
    dot(43, "V_DOT8_U32_U4", "v_dot8_u32_u4", DOT_GFX9, Dot, Pk8U4, U32),
    pk2(43, "V_PK_MIN_NUM_BF16", "v_pk_min_num_bf16", CDNA5, Pk2Bf16),
    pk2(44, "V_PK_MAX_NUM_BF16", "v_pk_max_num_bf16", CDNA5, Pk2Bf16),
    pk3(45, "V_PK_ADD_MIN_I16", "v_pk_add_min_i16", CDNA5, Pk2I16),
    pk3(46, "V_PK_ADD_MIN_U16", "v_pk_add_min_u16", CDNA5, Pk2U16),
    pk3(47, "V_PK_MAX3_I16", "v_pk_max3_i16", CDNA5, Pk2I16),
    pk3(48, "V_PK_MAX3_U16", "v_pk_max3_u16", CDNA5, Pk2U16).clamp_ignored(CDNA5),
    pk3(48, "V_PK_FMA_F32", "v_pk_fma_f32", PK_F32, Pk2F32),
    pk3(49, "V_PK_MIN3_I16", "v_pk_min3_i16", CDNA5, Pk2I16),
    pk2(49, "V_PK_MUL_F32", "v_pk_mul_f32", PK_F32, Pk2F32),
    pk3(50, "V_PK_MIN3_U16", "v_pk_min3_u16", CDNA5, Pk2U16).clamp_ignored(CDNA5),
    pk2(50, "V_PK_ADD_F32", "v_pk_add_f32", PK_F32, Pk2F32),
    row(51, "V_PK_MOV_B32", "v_pk_mov_b32", PK_F32, Move).formats(Pk2B32, [Pk2B32, Pk2B32, No]).clamp_ignored(PK_F32),
    pk3(54, "V_PK_MINIMUM3_F16", "v_pk_minimum3_f16", CDNA5, Pk2F16),
    pk3(55, "V_PK_MAXIMUM3_F16", "v_pk_maximum3_f16", CDNA5, Pk2F16),
    pk3(56, "V_PK_MIN3_NUM_F16", "v_pk_min3_num_f16", CDNA5, Pk2F16),
    pk3(57, "V_PK_MAX3_NUM_F16", "v_pk_max3_num_f16", CDNA5, Pk2F16),
    mix(61, "V_FMA_MIX_F32_BF16", "v_fma_mix_f32_bf16", CDNA5, F32),
    mix(62, "V_FMA_MIXLO_BF16", "v_fma_mixlo_bf16", CDNA5, Bf16),
    mix(63, "V_FMA_MIXHI_BF16", "v_fma_mixhi_bf16", CDNA5, Bf16),
];
