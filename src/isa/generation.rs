//! The twelve generations with VOP3P and what each allows, one row a generation.
//!
//! Sources are named as in the row's `manual`; "field tables" are the VOP3P and operand tables of that manual.

use super::operand::SourceKind;

/// One family of AMD chips that share a VOP3P encoding and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Generation {
    Vega,
    Vega7,
    Cdna1,
    Cdna2,
    Cdna3,
    Cdna4,
    Rdna1,
    Rdna2,
    Rdna3,
    Rdna35,
    Rdna4,
    Cdna5,
}

/// Which DPP dwords a generation takes behind a VOP3P word, and what source 1 may be then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DppRule {
    /// No VOP3P instruction takes DPP.
    None,
    /// DPP8 and DPP16; source 1 is a VGPR (RDNA3's XML: `OPR_SRC_VGPR`).
    Src1Vgpr,
    /// DPP8 and DPP16; source 1 is any source (XML of RDNA3.5, RDNA4 and CDNA5: `OPR_SRC`).
    Src1Any,
}

/// The prefix of the word and the place of its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The bits of dword 0 that are fixed.
    pub mask: u32,
    /// Their values.
    pub value: u32,
    /// Width of the opcode field, which starts at bit 16: 7 or 8.
    pub op_bits: u32,
}

/// The MODE bits a generation has besides FP_ROUND and FP_DENORM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeBits {
    /// DX10_CLAMP (bit 8) and IEEE (bit 9). RDNA4 and CDNA5 have neither and behave as if both were set.
    pub dx10_clamp_ieee: bool,
    /// FP16_OVFL (bit 23).
    pub fp16_ovfl: bool,
}

/// What a generation allows in a VOP3P word.
#[derive(Debug, PartialEq, Eq)]
pub struct GenerationRow {
    /// The generation.
    pub generation: Generation,
    /// Its name in every table and message.
    pub name: &'static str,
    /// The AMD document the row is taken from.
    pub manual: &'static str,
    /// Fixed bits and width of the opcode.
    pub prefix: Prefix,
    /// Whether a source may be a 32-bit literal.
    pub literal: bool,
    /// How many different scalar values one instruction may read.
    pub scalar_limit: u8,
    /// Whether a VGPR tuple must start at an even register.
    pub even_vgpr_tuples: bool,
    /// DPP forms.
    pub dpp: DppRule,
    /// Wave sizes, the default first.
    pub waves: &'static [u8],
    /// Bits of the MODE register.
    pub mode: ModeBits,
    /// What sources 0, 1 and 2 may be.
    pub sources: [SourceKind; 3],
    /// What source 0 of a packed shift may be.
    pub shift_source0: SourceKind,
    /// Whether `sources` comes from AMD's XML (else it is inferred from the next generation that has one).
    pub has_xml: bool,
    /// Whether dot products may use OP_SEL and OP_SEL_HI (the CDNA3 and CDNA4 manuals forbid it).
    pub dot_op_sel: bool,
    /// Whether a packed f32 instruction reads one SGPR for both halves, and not a pair.
    pub pk_f32_single_sgpr: bool,
    /// Whether ACC_CD (bit 15) chooses the register file of C and D of an MFMA; else they are AccVGPRs.
    pub acc_cd: bool,
    /// Whether AMD's assembler leaves OP_SEL_HI\[2\] of an instruction with two sources 0, where LLVM's writes 1. Source:
    /// llvm/llvm-project#57498, gfx10 and gfx11.
    pub sp3_op_sel_hi_2_zero: bool,
    /// Which operands of a matrix instruction (D, A, B, C) have half the registers in wave64.
    pub wave64_halves: [bool; 4],
}

const GFX9: Prefix = Prefix { mask: 0xff80_0000, value: 0xd380_0000, op_bits: 7 };
const RDNA: Prefix = Prefix { mask: 0xff80_0000, value: 0xcc00_0000, op_bits: 7 };
const CDNA5: Prefix = Prefix { mask: 0xff00_0000, value: 0xcc00_0000, op_bits: 8 };

const OLD_MODE: ModeBits = ModeBits { dx10_clamp_ieee: true, fp16_ovfl: true };
const NEW_MODE: ModeBits = ModeBits { dx10_clamp_ieee: false, fp16_ovfl: true };

const NOLIT_SIMPLE: [SourceKind; 3] = [SourceKind::NoLiteral, SourceKind::Simple, SourceKind::Simple];
const SRC_NOLDS: [SourceKind; 3] = [SourceKind::Any, SourceKind::NoLds, SourceKind::NoLds];
const SRC_SRC: [SourceKind; 3] = [SourceKind::Any; 3];

const VEGA_ROW: GenerationRow = GenerationRow {
    generation: Generation::Vega,
    name: "vega",
    manual: "\"Vega\" Instruction Set Architecture",
    prefix: GFX9,
    literal: false,
    scalar_limit: 1,
    even_vgpr_tuples: false,
    dpp: DppRule::None,
    waves: &[64],
    mode: OLD_MODE,
    sources: NOLIT_SIMPLE,
    shift_source0: SourceKind::Simple,
    has_xml: false,
    dot_op_sel: true,
    pk_f32_single_sgpr: false,
    acc_cd: true,
    sp3_op_sel_hi_2_zero: false,
    wave64_halves: [false; 4],
};

const RDNA1_ROW: GenerationRow = GenerationRow {
    generation: Generation::Rdna1,
    name: "rdna1",
    manual: "\"RDNA 1.0\" Instruction Set Architecture",
    prefix: RDNA,
    literal: true,
    scalar_limit: 2,
    waves: &[32, 64],
    sources: SRC_NOLDS,
    shift_source0: SourceKind::NoLds,
    sp3_op_sel_hi_2_zero: true,
    has_xml: true,
    ..VEGA_ROW
};

const RDNA3_ROW: GenerationRow = GenerationRow {
    generation: Generation::Rdna3,
    name: "rdna3",
    manual: "\"RDNA3\" Instruction Set Architecture",
    dpp: DppRule::Src1Vgpr,
    sources: SRC_SRC,
    shift_source0: SourceKind::Any,
    wave64_halves: [true, false, false, true],
    ..RDNA1_ROW
};

/// One row a generation, in the order of [`Generation`].
pub static GENERATIONS: [GenerationRow; 12] = [
    VEGA_ROW,
    GenerationRow {
        generation: Generation::Vega7,
        name: "vega7",
        manual: "\"Vega\" 7nm Instruction Set Architecture",
        ..VEGA_ROW
    },
    GenerationRow {
        generation: Generation::Cdna1,
        name: "cdna1",
        manual: "\"AMD Instinct MI100\" Instruction Set Architecture",
        has_xml: true,
        acc_cd: false,
        ..VEGA_ROW
    },
    GenerationRow {
        generation: Generation::Cdna2,
        name: "cdna2",
        manual: "\"AMD Instinct MI200\" Instruction Set Architecture",
        even_vgpr_tuples: true,
        has_xml: true,
        ..VEGA_ROW
    },
    GenerationRow {
        generation: Generation::Cdna3,
        name: "cdna3",
        manual: "\"AMD Instinct MI300\" Instruction Set Architecture",
        even_vgpr_tuples: true,
        has_xml: true,
        dot_op_sel: false,
        ..VEGA_ROW
    },
    GenerationRow {
        generation: Generation::Cdna4,
        name: "cdna4",
        manual: "\"AMD Instinct CDNA4\" Instruction Set Architecture",
        even_vgpr_tuples: true,
        has_xml: true,
        dot_op_sel: false,
        ..VEGA_ROW
    },
    RDNA1_ROW,
    GenerationRow {
        generation: Generation::Rdna2,
        name: "rdna2",
        manual: "\"RDNA 2\" Instruction Set Architecture",
        ..RDNA1_ROW
    },
    RDNA3_ROW,
    GenerationRow {
        generation: Generation::Rdna35,
        name: "rdna3.5",
        manual: "\"RDNA3.5\" Instruction Set Architecture",
        dpp: DppRule::Src1Any,
        ..RDNA3_ROW
    },
    GenerationRow {
        generation: Generation::Rdna4,
        name: "rdna4",
        manual: "\"RDNA4\" Instruction Set Architecture",
        dpp: DppRule::Src1Any,
        mode: NEW_MODE,
        sp3_op_sel_hi_2_zero: false,
        wave64_halves: [true; 4],
        ..RDNA3_ROW
    },
    GenerationRow {
        generation: Generation::Cdna5,
        name: "cdna5",
        manual: "\"CDNA5\" Instruction Set Architecture",
        prefix: CDNA5,
        even_vgpr_tuples: true,
        dpp: DppRule::Src1Any,
        waves: &[32],
        mode: NEW_MODE,
        sp3_op_sel_hi_2_zero: false,
        wave64_halves: [false; 4],
        pk_f32_single_sgpr: true,
        ..RDNA3_ROW
    },
];

/// The generations in the order of the enum, for tables built at compile time.
pub(super) const GENERATIONS_IN_ORDER: [Generation; 12] = [
    Generation::Vega,
    Generation::Vega7,
    Generation::Cdna1,
    Generation::Cdna2,
    Generation::Cdna3,
    Generation::Cdna4,
    Generation::Rdna1,
    Generation::Rdna2,
    Generation::Rdna3,
    Generation::Rdna35,
    Generation::Rdna4,
    Generation::Cdna5,
];

impl Generation {
    /// What this generation allows.
    #[must_use]
    pub fn row(self) -> &'static GenerationRow {
        &GENERATIONS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (index, row) in GENERATIONS.iter().enumerate() {
            assert_eq!(row.generation as usize, index, "{}", row.name);
        }
    }

    #[test]
    fn what_the_manuals_say_of_each_generation() {
        // Literal, scalar values, even VGPR tuples: RDNA1+ and CDNA5 take literals; one scalar before gfx10; CDNA2-5 align.
        let facts = |g: Generation| (g.row().literal, g.row().scalar_limit, g.row().even_vgpr_tuples);
        assert_eq!(facts(Generation::Vega), (false, 1, false));
        assert_eq!(facts(Generation::Cdna1), (false, 1, false));
        assert_eq!(facts(Generation::Cdna4), (false, 1, true));
        assert_eq!(facts(Generation::Rdna2), (true, 2, false));
        assert_eq!(facts(Generation::Rdna4), (true, 2, false));
        assert_eq!(facts(Generation::Cdna5), (true, 2, true));
        assert_eq!(Generation::Cdna5.row().prefix.op_bits, 8);
    }
}
