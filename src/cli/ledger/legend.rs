//! The words of predicates, explained.

/// What a predicate may name, and what that is.
const LEGEND: [(&str, &str); 64] = [
    ("@any", "every opcode of the target"),
    ("@two-source", "opcodes with two sources: v_pk_add_f16, v_pk_mul_lo_u16, ..."),
    ("@packed", "opcodes that do the same to both halves: v_pk_add_f16, v_pk_mad_i16, ..."),
    ("@packed-f16", "packed opcodes on f16: v_pk_add_f16, ..."),
    ("@packed-f32", "packed opcodes on f32: v_pk_fma_f32, ..."),
    ("@mix", "v_mad_mix and v_fma_mix, whose sources are f32 or a half"),
    ("@mix-f16", "v_mad_mix and v_fma_mix with f16, not bf16"),
    ("@dot2", "dot products of two f16 or bf16: v_dot2_f32_f16, ..."),
    ("@dot", "integer dot products: v_dot2_i32_i16, v_dot4_u32_u8, v_dot8_i32_iu4, ..."),
    ("@dot-fp8", "dot products of FP8 and BF8: v_dot4_f32_fp8_bf8, ..."),
    ("@move", "v_pk_mov_b32"),
    ("@integer", "opcodes with integer sources whose signedness NEG does not give"),
    ("@packed-integer", "the packed ones among them: v_pk_add_i16, ..."),
    ("@three-source-integer", "those of them with three sources: v_pk_mad_i16, ..."),
    ("@iu", "opcodes whose NEG gives the signedness: v_dot4_i32_iu8, v_wmma_i32_16x16x16_iu8, ..."),
    ("@wide", "opcodes with 64-bit sources: v_pk_fma_f32, v_pk_mov_b32, ..."),
    ("@dpp", "opcodes that take DPP on the target"),
    ("@matrix", "matrix instructions, AccVGPR moves and scale words included"),
    ("@mfma", "v_mfma_f32_32x32x1_2b_f32, v_mfma_f64_16x16x4_f64, ..."),
    ("@mfma-f64", "those of them on f64"),
    ("@mfma-1-block", "those with one block whose CBSZ counts blocks (no F8F6F4, no F64 of CDNA3)"),
    ("@mfma-2-blocks", "the same with two blocks: v_mfma_f32_32x32x1_2b_f32, ..."),
    ("@mfma-4-blocks", "the same with four blocks: v_mfma_f32_16x16x1_4b_f32, ..."),
    ("@mfma-16-blocks", "the same with 16 blocks: v_mfma_f32_4x4x1_16b_f32, ..."),
    ("@f8f6f4", "MFMA and WMMA whose formats are fields: v_mfma_f32_16x16x128_f8f6f4, ..."),
    ("@f4", "v_wmma_f32_32x16x128_f4"),
    ("@smfmac", "sparse MFMA: v_smfmac_f32_16x16x32_f16, ..."),
    ("@wmma", "v_wmma_f32_16x16x16_f16, ..., without the sparse ones"),
    ("@wmma-no-format", "the same without F8F6F4 and F4"),
    ("@swmmac", "sparse WMMA: v_swmmac_f32_16x16x32_f16, ..."),
    ("@swmmac-float", "the same without integers"),
    ("@matrix-fp8", "matrix instructions with FP8 or BF8: v_wmma_f32_16x16x16_fp8_bf8, ..."),
    ("@matrix-float", "WMMA and sparse WMMA without integers"),
    ("@acc-read", "v_accvgpr_read_b32"),
    ("@acc-write", "v_accvgpr_write_b32 and V_ACCVGPR_WRFED"),
    ("@scale", "scale words, which go before F8F6F4 and F4: v_mfma_ld_scale_b32, ..."),
    ("@scale16", "v_wmma_ld_scale16_paired_b64"),
    ("#", "opcodes by number, whether the target has them or not"),
    ("(context)", "a setting in which the fault shows, no part of its cause"),
    ("!", "every value but these"),
    ("any source", "some source that the opcode has"),
    ("scalar values", "how many different SGPRs, special registers and literals the sources name"),
    ("a tuple", "the registers of an operand; v[4:7] starts at 4"),
    ("source 2 overlaps", "C and D of an MFMA share some registers and are not the same"),
    ("wave32", "in waves of 32 lanes"),
    ("wave64", "in waves of 64 lanes"),
    ("alone", "no scale word and matrix word that are one instruction"),
    ("a pair", "a scale word and the matrix word behind it, which are one instruction"),
    ("cbsz", "bits 10:8 of an MFMA word; the format of A in F8F6F4"),
    ("abid", "bits 14:11 of an MFMA word"),
    ("blgp", "bits 63:61 of an MFMA word; the format of B in F8F6F4"),
    ("acc", "bits 60:59 of an MFMA word: A, B is an AccVGPR"),
    ("acc_cd", "bit 15 of an MFMA word: C and D are AccVGPRs"),
    ("body_op", "OP of the second word of a pair, as seen from the first"),
    ("body_op_sel_hi", "OP_SEL_HI of it"),
    ("sgpr", "selectors 0-105"),
    ("ttmp", "selectors 108-123"),
    ("odd-scalar", "odd selectors of SGPRs and TTMPs"),
    ("odd-sgpr-gfx9", "the same where SGPRs end at s101"),
    ("odd-vgpr", "selectors of odd VGPRs"),
    ("inline", "selectors of constants: 128-208, 240-248"),
    ("literal", "selector 255: a dword behind the word; as a field, that dword"),
    ("dpp", "selectors 233, 234 (DPP8) and 250 (DPP16)"),
    ("vgpr", "selectors 256-511"),
];

/// The words that these predicates use, each with what it means.
pub fn words(predicates: &str) -> Vec<String> {
    let used = LEGEND.iter().filter(|(word, _)| mentions(predicates, word));
    used.map(|(word, meaning)| format!("{word:<22}{meaning}")).collect()
}

/// Whether a predicate has this word, and not only a longer one.
fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts_apart = !word.starts_with(is_part);
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        (starts_apart || !before.is_some_and(|c| is_part(c) || c == '@'))
            && (!word.ends_with(is_part) || !after.is_some_and(is_part))
    })
}
