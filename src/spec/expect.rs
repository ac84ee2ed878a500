//! What AMD's XML of a generation would say if it agreed with this crate's tables.

use super::format::{self, ExpectedFormat};
use super::layout::{
    self, ENC_VOP3P, ENC_VOP3PX2, ENC_VOP3PX3, ExpectedEncoding, VOP3P_INST_LITERAL, VOP3P_MFMA, VOP3P_VOP_DPP8,
    VOP3P_VOP_DPP16,
};
use crate::isa::{
    DppRule, File, Generation, Matrix, MatrixLayout, MatrixSource, Modifiers, Opcode, PAIRS, Pair, SourceKind, Target,
};

/// All that our tables say of a generation.
#[derive(Debug)]
pub(super) struct Expected {
    pub encodings: Vec<ExpectedEncoding>,
    pub instructions: Vec<ExpectedInstruction>,
}

/// An instruction as our tables have it.
#[derive(Debug)]
pub(super) struct ExpectedInstruction {
    /// AMD's name.
    pub name: &'static str,
    /// The number of its opcode; of a pair that of its second word.
    pub number: u32,
    /// Its encodings, the plain one first.
    pub forms: Vec<ExpectedForm>,
}

/// An instruction in one encoding, as our tables have it.
#[derive(Debug)]
pub(super) struct ExpectedForm {
    pub encoding: &'static str,
    pub operands: Vec<ExpectedOperand>,
}

/// An operand as our tables have it.
#[derive(Clone, Debug)]
pub(super) struct ExpectedOperand {
    /// AMD's names of the field, the usual one first.
    pub fields: &'static [&'static str],
    /// `OPR_…`, or in words what no kind of AMD's is.
    pub kind: &'static str,
    /// `None` where none is known.
    pub format: Option<ExpectedFormat>,
    pub bits: u32,
    pub input: bool,
    pub output: bool,
}

const VDST: &[&str] = &["VDST"];
const SOURCES: [&[&str]; 3] = [&["SRC0"], &["SRC1"], &["SRC2"]];
/// RDNA3.5's XML gives the source of a DPP dword the name of the field that says that there is one.
const DPP_SOURCE: &[&str] = &["VSRC0", "SRC0"];
const SCALES: [&[&str]; 2] = [&["SCALE_SRC0"], &["SCALE_SRC1"]];

/// What our tables say of a generation.
pub(super) fn expected(generation: Generation) -> Expected {
    let targets: Vec<Target> = Target::all().filter(|target| target.generation() == generation).collect();
    let mut instructions = Vec::new();
    for number in 0..=u8::MAX {
        // Chips of one generation give a number one name of AMD's.
        let found = targets.iter().find_map(|target| Some((*target, target.opcode(number)?)));
        let named = found.filter(|(_, opcode)| !opcode.amd.is_empty());
        instructions.extend(named.map(|(target, opcode)| instruction(target, opcode)));
    }
    if let Some(target) = targets.first() {
        instructions.extend(PAIRS.iter().filter_map(|one| pair(*target, one)));
    }
    Expected { encodings: layout::encodings(generation), instructions }
}

fn instruction(target: Target, opcode: &'static Opcode) -> ExpectedInstruction {
    let plain = operands(target, opcode);
    let is_mfma = matches!(opcode.matrix(), Some(Matrix::Mfma | Matrix::MfmaF64 | Matrix::MfmaF8f6f4 | Matrix::Smfmac));
    let mut forms =
        vec![ExpectedForm { encoding: if is_mfma { VOP3P_MFMA } else { ENC_VOP3P }, operands: plain.clone() }];
    if target.rules().literal && !opcode.is_matrix() {
        forms.push(ExpectedForm { encoding: VOP3P_INST_LITERAL, operands: plain.clone() });
    }
    if opcode.takes_dpp(target) {
        let lanes = with_dpp(target, &plain);
        forms.push(ExpectedForm { encoding: VOP3P_VOP_DPP8, operands: lanes.clone() });
        forms.push(ExpectedForm { encoding: VOP3P_VOP_DPP16, operands: lanes });
    }
    ExpectedInstruction { name: opcode.amd, number: u32::from(opcode.number), forms }
}

/// The operands of the form without literal and DPP.
fn operands(target: Target, opcode: &'static Opcode) -> Vec<ExpectedOperand> {
    match opcode.layout(target) {
        Some(layout) => matrix_operands(target, opcode, layout),
        None => {
            let mut all = vec![ExpectedOperand {
                fields: VDST,
                kind: "OPR_VGPR",
                format: format::number(opcode.vdst),
                bits: format::number_bits(opcode.vdst),
                input: false,
                output: true,
            }];
            all.extend((0..opcode.sources()).map(|slot| ExpectedOperand {
                fields: SOURCES[slot],
                kind: source_kind(opcode.source_kind(target, slot)),
                format: format::number(opcode.src[slot]),
                bits: format::number_bits(opcode.src[slot]),
                input: true,
                output: false,
            }));
            all
        }
    }
}

const fn source_kind(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Any => "OPR_SRC",
        SourceKind::NoLds => "OPR_SRC_NOLDS",
        SourceKind::NoLiteral => "OPR_SRC_NOLIT",
        SourceKind::Simple => "OPR_SRC_SIMPLE",
    }
}

/// The operands where source 0 comes from other lanes.
fn with_dpp(target: Target, plain: &[ExpectedOperand]) -> Vec<ExpectedOperand> {
    let mut all = plain.to_vec();
    for operand in &mut all {
        if operand.fields == SOURCES[0] {
            (operand.fields, operand.kind) = (DPP_SOURCE, "OPR_VGPR");
        } else if operand.fields == SOURCES[1] && target.rules().dpp == DppRule::Src1Vgpr {
            operand.kind = "OPR_SRC_VGPR";
        }
    }
    all
}

fn matrix_operands(target: Target, opcode: &'static Opcode, layout: &MatrixLayout) -> Vec<ExpectedOperand> {
    // AMD's XML has the widths of waves of 32 lanes, and the widest of the formats that a modifier chooses.
    let dwords = opcode.dwords(target, Modifiers::NONE);
    let formats = format::matrix(opcode, dwords);
    let is_accumulator = is_accumulator(opcode);
    let mut all = Vec::new();
    for (slot, format) in formats.into_iter().enumerate() {
        if dwords[slot] == 0 {
            continue;
        }
        let source = slot.checked_sub(1);
        all.push(ExpectedOperand {
            fields: source.map_or(VDST, |source| SOURCES[source]),
            kind: matrix_kind(target, layout, slot),
            format,
            bits: 32 * u32::from(dwords[slot]),
            input: source.is_some() || is_accumulator,
            output: source.is_none(),
        });
    }
    all
}

/// Whether the destination is C as well.
fn is_accumulator(opcode: &Opcode) -> bool {
    opcode.amd.starts_with("V_SMFMAC_") || opcode.amd.starts_with("V_SWMMAC_")
}

fn matrix_kind(target: Target, layout: &MatrixLayout, slot: usize) -> &'static str {
    let either =
        matches!(layout.files[slot], File::Bit(_)) || (layout.files[slot] == File::AccCd && target.rules().acc_cd);
    let accumulators = !either && matches!(layout.files[slot], File::Acc | File::AccCd);
    let Some(source) = slot.checked_sub(1) else {
        return match (either, accumulators) {
            (true, _) => "OPR_VGPR_OR_ACCVGPR",
            (_, true) => "OPR_ACCVGPR",
            _ => "OPR_VGPR",
        };
    };
    match (layout.kinds[source], either, accumulators) {
        (MatrixSource::Register, true, _) => "OPR_SRC_VGPR_OR_ACCVGPR",
        (MatrixSource::Register, _, true) => "OPR_SRC_ACCVGPR",
        (MatrixSource::Register, ..) => "OPR_SRC_VGPR",
        (MatrixSource::RegisterOrInline, true, _) => "OPR_SRC_VGPR_OR_ACCVGPR_OR_CONST",
        (MatrixSource::RegisterOrInline, _, true) => "OPR_SRC_ACCVGPR_OR_CONST",
        (MatrixSource::RegisterOrInline, ..) => "OPR_SRC_VGPR_OR_INLINE",
        (MatrixSource::Cdna5Scale, ..) => "a VGPR, an SGPR or 0",
        (MatrixSource::NoLiteral, ..) => "OPR_SRC_NOLIT",
    }
}

/// A scaled pair, if the target has it.
fn pair(target: Target, pair: &'static Pair) -> Option<ExpectedInstruction> {
    let scale = target.opcode(pair.scale).filter(|row| row.matrix().is_some_and(Matrix::is_scale))?;
    let body = target.opcode(pair.body)?;
    let mut operands = matrix_operands(target, body, body.matrix()?.paired_layout());
    let scales = matrix_operands(target, scale, scale.matrix()?.paired_layout());
    operands.extend(scales.into_iter().zip(SCALES).map(|(operand, fields)| ExpectedOperand { fields, ..operand }));
    let is_wide = pair.scale_dwords == 2;
    let encoding = if is_wide { ENC_VOP3PX3 } else { ENC_VOP3PX2 };
    let forms = vec![ExpectedForm { encoding, operands }];
    Some(ExpectedInstruction { name: pair.amd, number: u32::from(pair.body), forms })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operands of a form, as `FIELD:KIND:FORMAT:BITS` with `+` where one is read and written.
    fn form(generation: Generation, name: &str, encoding: &str) -> String {
        let expected = expected(generation);
        let instruction = expected.instructions.iter().find(|one| one.name == name).unwrap();
        let form = instruction.forms.iter().find(|form| form.encoding == encoding).unwrap();
        let operand = |operand: &ExpectedOperand| {
            let format = operand.format.as_ref().map_or("-", |format| format.name.trim_start_matches("FMT_"));
            let both = if operand.input && operand.output { "+" } else { "" };
            let kind = operand.kind.trim_start_matches("OPR_");
            format!("{}{both}:{kind}:{format}:{}", operand.fields[0], operand.bits)
        };
        format!("{} {}", instruction.number, form.operands.iter().map(operand).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn operands_are_those_of_amds_xml() {
        use Generation::{Cdna1, Cdna3, Cdna4, Cdna5, Rdna1, Rdna3, Rdna4};
        // Facts of AMD's XML of each generation.
        for (generation, name, encoding, wanted) in [
            (
                Rdna1,
                "V_PK_FMA_F16",
                "VOP3P_INST_LITERAL",
                "14 VDST:VGPR:NUM_PK2_F16:32 SRC0:SRC:NUM_PK2_F16:32 SRC1:SRC_NOLDS:NUM_PK2_F16:32 \
                 SRC2:SRC_NOLDS:NUM_PK2_F16:32",
            ),
            (
                Rdna1,
                "V_PK_LSHLREV_B16",
                "ENC_VOP3P",
                "4 VDST:VGPR:NUM_PK2_U16:32 SRC0:SRC_NOLDS:NUM_PK2_U16:32 SRC1:SRC_NOLDS:NUM_PK2_U16:32",
            ),
            (
                Rdna3,
                "V_DOT2_F32_BF16",
                "VOP3P_VOP_DPP16",
                "26 VDST:VGPR:NUM_F32:32 VSRC0:VGPR:NUM_PK2_BF16:32 SRC1:SRC_VGPR:NUM_PK2_BF16:32 SRC2:SRC:NUM_F32:32",
            ),
            (
                Rdna4,
                "V_FMA_MIXLO_F16",
                "VOP3P_VOP_DPP8",
                "33 VDST:VGPR:NUM_F16:16 VSRC0:VGPR:NUM_B32:32 SRC1:SRC:NUM_B32:32 SRC2:SRC:NUM_B32:32",
            ),
            (Cdna4, "V_ACCVGPR_WRITE", "ENC_VOP3P", "89 VDST:ACCVGPR:NUM_B32:32 SRC0:SRC_NOLIT:NUM_B32:32"),
            (Cdna4, "V_ACCVGPR_READ", "ENC_VOP3P", "88 VDST:VGPR:NUM_B32:32 SRC0:SRC_ACCVGPR:NUM_B32:32"),
            (
                Cdna1,
                "V_MFMA_F32_32X32X4F16",
                "VOP3P_MFMA",
                "72 VDST:ACCVGPR:NUM_PK32_F32:1024 SRC0:SRC_VGPR_OR_ACCVGPR:NUM_PK4_F16:64 \
                 SRC1:SRC_VGPR_OR_ACCVGPR:NUM_PK4_F16:64 SRC2:SRC_ACCVGPR_OR_CONST:NUM_PK32_F32:1024",
            ),
            (
                Cdna3,
                "V_SMFMAC_F32_16X16X32_F16",
                "VOP3P_MFMA",
                "98 VDST+:VGPR_OR_ACCVGPR:NUM_PK4_F32:128 SRC0:SRC_VGPR_OR_ACCVGPR:NUM_PK4_F16:64 \
                 SRC1:SRC_VGPR_OR_ACCVGPR:NUM_PK8_F16:128 SRC2:SRC_VGPR:NUM_B32:32",
            ),
            (
                Cdna5,
                "V_PK_FMA_F32",
                "ENC_VOP3P",
                "31 VDST:VGPR:NUM_PK2_F32:64 SRC0:SRC:NUM_PK2_F32:64 SRC1:SRC:NUM_PK2_F32:64 SRC2:SRC:NUM_PK2_F32:64",
            ),
            (
                Cdna5,
                "V_WMMA_F32_16X16X4_F32",
                "ENC_VOP3P",
                "93 VDST:VGPR:WMMA_DC_16X16_F32:256 SRC0:SRC_VGPR:WMMA_AB_16X4_F32:64 SRC1:SRC_VGPR:WMMA_AB_16X4_F32:64 \
                 SRC2:SRC_VGPR_OR_INLINE:WMMA_DC_16X16_F32:256",
            ),
        ] {
            assert_eq!(form(generation, name, encoding), wanted, "{name}");
        }
    }

    #[test]
    fn scaled_pairs_are_instructions_of_their_own() {
        let scaled = form(Generation::Cdna5, "V_WMMA_SCALE16_F32_32X16X128_F4", "ENC_VOP3PX3");
        assert!(scaled.starts_with("136 VDST:VGPR:WMMA_DC_32X16_F32:512 "), "{scaled}");
        let scales = "SCALE_SRC0:a VGPR, an SGPR or 0:-:64 SCALE_SRC1:a VGPR, an SGPR or 0:-:64";
        assert!(scaled.ends_with(scales), "{scaled}");
        let scaled = form(Generation::Cdna4, "V_MFMA_SCALE_F32_32X32X64_F8F6F4", "ENC_VOP3PX2");
        assert!(scaled.starts_with("46 VDST:VGPR_OR_ACCVGPR:NUM_PK16_F32:512 "), "{scaled}");
    }

    #[test]
    fn encodings_by_generation() {
        let names = |generation| -> Vec<&str> { expected(generation).encodings.iter().map(|one| one.name).collect() };
        assert_eq!(names(Generation::Vega), ["ENC_VOP3P"]);
        assert_eq!(names(Generation::Cdna2), ["ENC_VOP3P", "VOP3P_MFMA"]);
        assert_eq!(names(Generation::Cdna4), ["ENC_VOP3P", "VOP3P_MFMA", "ENC_VOP3PX2"]);
        assert_eq!(names(Generation::Rdna2), ["ENC_VOP3P", "VOP3P_INST_LITERAL"]);
        let rdna4 = ["ENC_VOP3P", "VOP3P_INST_LITERAL", "VOP3P_VOP_DPP8", "VOP3P_VOP_DPP16"];
        assert_eq!(names(Generation::Rdna4), rdna4);
        assert_eq!(names(Generation::Cdna5), [&rdna4[..], &["ENC_VOP3PX2", "ENC_VOP3PX3"]].concat());
    }
}
