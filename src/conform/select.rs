//! Which instructions are VOP3P.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::codec::Window;
use crate::isa::Target;

/// The mnemonics of every opcode of every target.
static MNEMONICS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| Target::all().flat_map(Target::opcodes).map(|opcode| opcode.llvm).collect());

/// Mnemonics that begin like VOP3P ones and are VOP2 or VOP3.
const NOT: &[&str] = &["v_pk_fmac_f16", "v_dot2_f16_f16", "v_dot2_bf16_bf16", "v_accvgpr_mov"];

const FAMILIES: &[&str] = &[
    "v_pk_",
    "v_mfma_",
    "v_smfmac_",
    "v_wmma_",
    "v_swmmac_",
    "v_fma_mix",
    "v_mad_mix",
    "v_accvgpr_read",
    "v_accvgpr_write",
];

/// Whether the instruction of this text is VOP3P, on whatever processor.
pub(super) fn is_vop3p_text(text: &str) -> bool {
    let Some(name) = text.split_whitespace().next() else { return false };
    let plain = ["_e64_dpp", "_e64", "_dpp"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    if NOT.iter().any(|other| name.starts_with(other)) {
        return false;
    }
    // `v_dot2c_f32_f16` and its like are VOP2.
    let is_dot = name.strip_prefix("v_dot").is_some_and(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with('_')
    });
    is_dot || FAMILIES.iter().any(|family| name.starts_with(family)) || MNEMONICS.contains(plain)
}

/// Whether the bytes have VOP3P's prefix on this target; without one, on any.
pub(super) fn is_vop3p_bytes(target: Option<Target>, bytes: &Window) -> bool {
    let word = bytes.word() as u32;
    let is_on = |target: Target| word & target.rules().prefix.mask == target.rules().prefix.value;
    target.map_or_else(|| Target::all().any(is_on), is_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_of_ours_is_vop3p() {
        for opcode in Target::all().flat_map(Target::opcodes).filter(|opcode| !opcode.llvm.is_empty()) {
            assert!(is_vop3p_text(opcode.llvm), "{}", opcode.llvm);
            assert!(is_vop3p_text(&format!("{}_e64_dpp v0", opcode.llvm)), "{}", opcode.llvm);
        }
    }

    #[test]
    fn what_only_looks_like_vop3p_is_not() {
        for text in [
            "v_dot2c_f32_f16 v5, v1, v2",
            "v_dot4c_i32_i8 v5, v1, v2",
            "v_dot8c_i32_i4 v5, v1, v2",
            "v_dot2_f16_f16 v0, v1, v2, v3",
            "v_pk_fmac_f16 v0, v1, v2",
            "v_pk_fmac_f16_e32 v0, v1, v2",
            "v_accvgpr_mov_b32 a1, a2",
            "v_add_f32 v0, v1, v2",
            "v_cvt_pk_u16_u32 v0, v1, v2",
            "",
        ] {
            assert!(!is_vop3p_text(text), "{text}");
        }
        assert!(is_vop3p_text("v_dot_f32_f16 v0, v1, v2"), "on no processor, and refused");
        assert!(is_vop3p_text("v_mfma_f32_16x16x8xf32 a[0:3], v[2:3], v[4:5], a[2:5]"), "an older name");
        assert!(is_vop3p_text("v_dot2_f32_bf16_e64_dpp v0, v1, v2, v3"));
    }

    #[test]
    fn bytes_are_vop3p_by_the_prefix_of_the_target() {
        let vega = Window::from_dwords(&[0xd3a0_0005, 0x040e_0480]).unwrap();
        assert!(is_vop3p_bytes("gfx900".parse().ok(), &vega));
        assert!(!is_vop3p_bytes("gfx1100".parse().ok(), &vega));
        assert!(is_vop3p_bytes(None, &vega));
        assert!(!is_vop3p_bytes(None, &Window::from_dwords(&[0x0200_00df]).unwrap()));
    }
}
