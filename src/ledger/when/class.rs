//! Classes of opcodes that predicates may name.
//!
//! Most go by AMD's name alone, so that an entry does not inherit an error of the table's formats.

use std::collections::BTreeSet;

use crate::isa::{Form, Format, Opcode, Target};

/// A class of opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Class {
    Form(Form),
    TwoSource,
    /// Integer sources whose signedness is not given by NEG.
    Integer,
    /// The packed ones among them.
    PackedInteger,
    /// Those of them with three sources.
    ThreeSourceInteger,
    /// NEG gives the signedness.
    Iu,
    /// 64-bit sources.
    Wide,
    /// Any opcode the target has.
    Any,
    Dpp,
    PackedF32,
    PackedF16,
    Mix16,
    Matrix,
    Mfma,
    MfmaF64,
    /// How many blocks of A the MFMA has.
    MfmaBlocks(u8),
    F8f6f4,
    F4,
    Smfmac,
    Wmma,
    /// But for those whose OP_SEL fields are formats or nothing at all.
    WmmaNoFormat,
    Swmmac,
    SwmmacFloat,
    /// A and B, or one of them, is FP8 or BF8.
    MatrixFp8,
    /// WMMA and SWMMAC whose NEG gives no signedness.
    MatrixFloat,
    AccRead,
    AccWrite,
    /// The scale words.
    Scale,
    /// The one with 64-bit scales.
    Scale16,
}

pub(super) const CLASSES: &[(&str, Class)] = &[
    ("@packed", Class::Form(Form::Packed)),
    ("@mix", Class::Form(Form::Mix)),
    ("@dot2", Class::Form(Form::Dot2)),
    ("@dot", Class::Form(Form::Dot)),
    ("@dot-fp8", Class::Form(Form::DotFp8)),
    ("@move", Class::Form(Form::Move)),
    ("@any", Class::Any),
    ("@two-source", Class::TwoSource),
    ("@integer", Class::Integer),
    ("@packed-integer", Class::PackedInteger),
    ("@three-source-integer", Class::ThreeSourceInteger),
    ("@iu", Class::Iu),
    ("@wide", Class::Wide),
    ("@dpp", Class::Dpp),
    ("@packed-f32", Class::PackedF32),
    ("@packed-f16", Class::PackedF16),
    ("@mix-f16", Class::Mix16),
    ("@matrix", Class::Matrix),
    ("@mfma", Class::Mfma),
    ("@mfma-f64", Class::MfmaF64),
    ("@mfma-1-block", Class::MfmaBlocks(1)),
    ("@mfma-2-blocks", Class::MfmaBlocks(2)),
    ("@mfma-4-blocks", Class::MfmaBlocks(4)),
    ("@mfma-16-blocks", Class::MfmaBlocks(16)),
    ("@f8f6f4", Class::F8f6f4),
    ("@f4", Class::F4),
    ("@smfmac", Class::Smfmac),
    ("@wmma", Class::Wmma),
    ("@wmma-no-format", Class::WmmaNoFormat),
    ("@swmmac", Class::Swmmac),
    ("@swmmac-float", Class::SwmmacFloat),
    ("@matrix-fp8", Class::MatrixFp8),
    ("@matrix-float", Class::MatrixFloat),
    ("@acc-read", Class::AccRead),
    ("@acc-write", Class::AccWrite),
    ("@scale", Class::Scale),
    ("@scale16", Class::Scale16),
];

/// The class, as predicates name it, that has just these opcodes, by AMD's name, on each of these targets.
#[must_use]
pub fn class_of(targets: &[Target], names: &BTreeSet<&str>) -> Option<&'static str> {
    let is_it = |class: Class| {
        targets.iter().all(|target| {
            let covered = target.opcodes().filter(|opcode| class.covers(*target, opcode)).map(|opcode| opcode.amd);
            covered.collect::<BTreeSet<&str>>() == *names
        })
    };
    CLASSES.iter().find(|(_, class)| !targets.is_empty() && is_it(*class)).map(|(name, _)| *name)
}

impl Class {
    /// Whether the opcode is of the class on this target.
    #[must_use]
    pub fn covers(self, target: Target, opcode: &Opcode) -> bool {
        match self {
            Self::Form(form) => opcode.form == form,
            Self::TwoSource => !opcode.is_matrix() && opcode.sources() == 2,
            Self::Integer => !opcode.is_matrix() && is_integer(opcode.amd),
            Self::PackedInteger => opcode.form == Form::Packed && Self::Integer.covers(target, opcode),
            Self::ThreeSourceInteger => Self::Integer.covers(target, opcode) && opcode.sources() == 3,
            Self::Iu => opcode.amd.contains("_IU"),
            Self::Wide => opcode.is_wide(),
            Self::Any => true,
            Self::Dpp => opcode.takes_dpp(target),
            Self::PackedF32 => opcode.src[0] == Format::Pk2F32,
            Self::PackedF16 => opcode.form == Form::Packed && opcode.src[0] == Format::Pk2F16,
            Self::Mix16 => opcode.form == Form::Mix && !opcode.amd.contains("BF16"),
            Self::Matrix => opcode.is_matrix(),
            Self::Mfma => is_mfma(opcode.amd),
            Self::MfmaF64 => is_mfma(opcode.amd) && opcode.amd.contains("_F64_"),
            // CBSZ means something else, or nothing, to F8F6F4 and to the F64 forms of CDNA3 and CDNA4.
            Self::MfmaBlocks(blocks) => {
                let is_meant = is_mfma(opcode.amd) && !opcode.amd.ends_with("_F64") && !opcode.amd.ends_with("_F8F6F4");
                is_meant && mfma_blocks(opcode.amd) == blocks
            }
            Self::F8f6f4 => opcode.amd.ends_with("_F8F6F4"),
            Self::F4 => opcode.amd.ends_with("_F4"),
            Self::Smfmac => opcode.amd.starts_with("V_SMFMAC_"),
            Self::Wmma => opcode.amd.starts_with("V_WMMA_"),
            Self::WmmaNoFormat => opcode.amd.starts_with("V_WMMA_") && !opcode.amd.ends_with("F4"),
            Self::Swmmac => opcode.amd.starts_with("V_SWMMAC_"),
            Self::SwmmacFloat => opcode.amd.starts_with("V_SWMMAC_") && !opcode.amd.contains("_IU"),
            Self::MatrixFp8 => opcode.is_matrix() && opcode.amd.ends_with(['8']) && !opcode.amd.ends_with("IU8"),
            Self::MatrixFloat => {
                (opcode.amd.starts_with("V_WMMA_") || opcode.amd.starts_with("V_SWMMAC_"))
                    && !opcode.amd.contains("_IU")
            }
            Self::AccRead => opcode.amd == "V_ACCVGPR_READ",
            Self::AccWrite => opcode.amd.starts_with("V_ACCVGPR_WR"),
            Self::Scale16 => opcode.llvm.contains("_ld_scale16"),
            Self::Scale => opcode.llvm.contains("_ld_scale"),
        }
    }
}

/// Whether an opcode works on integers or bits, by AMD's name: the table's formats are not asked.
fn is_integer(amd: &str) -> bool {
    let kind = amd.rsplit('_').next().unwrap_or_default();
    kind.starts_with(['I', 'U', 'B']) && !kind.starts_with("IU") && !kind.starts_with("BF")
}

/// Whether an opcode is an MFMA, by AMD's name.
fn is_mfma(amd: &str) -> bool {
    amd.starts_with("V_MFMA_") && !amd.contains("_LD_SCALE")
}

/// How many blocks of A an MFMA has, by AMD's name: CDNA3 and CDNA4 write it down, CDNA1 and CDNA2 imply it by the
/// smallest depth of each shape.
fn mfma_blocks(amd: &str) -> u8 {
    for (part, blocks) in [("_2B_", 2), ("_4B_", 4), ("_16B_", 16)] {
        if amd.contains(part) {
            return blocks;
        }
    }
    let ends = |tails: &[&str]| tails.iter().any(|tail| amd.ends_with(tail));
    if ends(&["32X32X1F32", "32X32X4F16", "32X32X4I8", "32X32X2BF16", "32X32X4BF16_1K"]) {
        2
    } else if ends(&["16X16X1F32", "16X16X4F16", "16X16X4I8", "16X16X2BF16", "16X16X4BF16_1K", "4X4X4F64"]) {
        4
    } else if ends(&["4X4X1F32", "4X4X4F16", "4X4X4I8", "4X4X2BF16", "4X4X4BF16_1K"]) {
        16
    } else {
        1
    }
}
