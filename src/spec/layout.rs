//! The encodings of a generation as AMD's XML names them: their fields, and the bits that our decoder has for those.
//!
//! Source of the names: AMD's XML of CDNA3, CDNA4, RDNA3.5 and RDNA4 as public decoders built from it show them, and
//! the CDNA5 XML. The bits are those of [`crate::codec::Field`].

use super::layout::Bits::{Body, Both, Encoding, Field as Whole, Op, Part};
use crate::codec::Field;
use crate::isa::{DppRule, Generation};

/// An encoding as our tables have it.
#[derive(Debug)]
pub(super) struct ExpectedEncoding {
    /// AMD's name.
    pub name: &'static str,
    /// Bits of the whole.
    pub bits: u32,
    /// The bits of the first dword that are fixed, and their value.
    pub prefix: (u32, u32),
    /// Its fields.
    pub fields: Vec<ExpectedField>,
}

/// A field as our tables have it.
#[derive(Debug)]
pub(super) struct ExpectedField {
    /// How AMD spells it, the newest spelling first.
    pub names: &'static [&'static str],
    /// Lowest bit and width of each part, the low part of the value first.
    pub ranges: Vec<(u32, u32)>,
}

/// Which bits a field has.
enum Bits {
    Field(Field),
    /// Some bits of a field: how far up, and how many.
    Part(Field, u32, u32),
    /// Of the second word of a pair.
    Body(Field),
    /// Of the scale word of a pair: the opcode and the prefix.
    Both,
    /// The opcode of the word that begins at this bit.
    Op(u32),
    /// The prefix of that word.
    Encoding(u32),
}

type Row = (&'static [&'static str], Bits);

const WORD: &[Row] = &[
    (&["VDST"], Whole(Field::Vdst)),
    (&["NEG_HI"], Whole(Field::NegHi)),
    (&["OPSEL", "OP_SEL"], Whole(Field::OpSel)),
    (&["OPSEL_HI", "OP_SEL_HI"], Whole(Field::OpSelHi)),
    (&["CLAMP", "CLMP"], Whole(Field::Clamp)),
    (&["OP"], Op(0)),
    (&["ENCODING"], Encoding(0)),
    (&["SRC0"], Whole(Field::Src0)),
    (&["SRC1"], Whole(Field::Src1)),
    (&["SRC2"], Whole(Field::Src2)),
    (&["NEG"], Whole(Field::Neg)),
];

const MFMA: &[Row] = &[
    (&["VDST"], Whole(Field::Vdst)),
    (&["CBSZ"], Whole(Field::Cbsz)),
    (&["ABID"], Whole(Field::Abid)),
    (&["OP"], Op(0)),
    (&["ENCODING"], Encoding(0)),
    (&["SRC0"], Whole(Field::Src0)),
    (&["SRC1"], Whole(Field::Src1)),
    (&["SRC2"], Whole(Field::Src2)),
    (&["ACC"], Whole(Field::Acc)),
    (&["BLGP"], Whole(Field::Blgp)),
];

const ACC_CD: &[Row] = &[(&["ACC_CD"], Whole(Field::AccCd))];

const LITERAL: &[Row] = &[(&["LITERAL", "SIMM32"], Whole(Field::Literal))];

const DPP8: &[Row] = &[
    (&["VSRC0"], Whole(Field::Vsrc0)),
    (&["LANE_SEL_0"], Part(Field::Lanes, 0, 3)),
    (&["LANE_SEL_1"], Part(Field::Lanes, 3, 3)),
    (&["LANE_SEL_2"], Part(Field::Lanes, 6, 3)),
    (&["LANE_SEL_3"], Part(Field::Lanes, 9, 3)),
    (&["LANE_SEL_4"], Part(Field::Lanes, 12, 3)),
    (&["LANE_SEL_5"], Part(Field::Lanes, 15, 3)),
    (&["LANE_SEL_6"], Part(Field::Lanes, 18, 3)),
    (&["LANE_SEL_7"], Part(Field::Lanes, 21, 3)),
];

const DPP16: &[Row] = &[
    (&["VSRC0"], Whole(Field::Vsrc0)),
    (&["DPP_CTRL"], Whole(Field::DppCtrl)),
    (&["FI"], Whole(Field::Fi)),
    (&["BOUND_CTRL", "BC"], Whole(Field::BoundCtrl)),
    (&["SRC0_NEG"], Part(Field::DppIgnored, 0, 1)),
    (&["SRC0_ABS"], Part(Field::DppIgnored, 1, 1)),
    (&["SRC1_NEG"], Part(Field::DppIgnored, 2, 1)),
    (&["SRC1_ABS"], Part(Field::DppIgnored, 3, 1)),
    (&["BANK_MASK"], Whole(Field::BankMask)),
    (&["ROW_MASK"], Whole(Field::RowMask)),
];

/// The pair of CDNA4, where the fields of the scale word have no name of their own unless the other word has them, too.
const PAIR_CDNA4: &[Row] = &[
    (&["X2ENCODING"], Both),
    (&["NEG_HI"], Whole(Field::NegHi)),
    (&["OPSEL", "OP_SEL"], Whole(Field::OpSel)),
    (&["OPSEL_HI", "OP_SEL_HI"], Whole(Field::OpSelHi)),
    (&["NEG"], Whole(Field::Neg)),
    (&["SCALE_SRC0"], Whole(Field::Src0)),
    (&["SCALE_SRC1"], Whole(Field::Src1)),
    (&["VDST"], Body(Field::Vdst)),
    (&["CBSZ"], Body(Field::Cbsz)),
    (&["ABID"], Body(Field::Abid)),
    (&["ACC_CD"], Body(Field::AccCd)),
    (&["OP"], Op(64)),
    (&["ENCODING"], Encoding(64)),
    (&["SRC0"], Body(Field::Src0)),
    (&["SRC1"], Body(Field::Src1)),
    (&["SRC2"], Body(Field::Src2)),
    (&["ACC"], Body(Field::Acc)),
    (&["BLGP"], Body(Field::Blgp)),
];

const PAIR_CDNA5: &[Row] = &[
    (&["X2ENCODING", "X3ENCODING"], Both),
    (&["SCALE_NEG_HI"], Whole(Field::NegHi)),
    (&["SCALE_OPSEL"], Whole(Field::OpSel)),
    (&["SCALE_OPSEL_HI"], Whole(Field::OpSelHi)),
    (&["SCALE_CLAMP"], Whole(Field::Clamp)),
    (&["SCALE_SRC0"], Whole(Field::Src0)),
    (&["SCALE_SRC1"], Whole(Field::Src1)),
    (&["SCALE_SRC2"], Whole(Field::Src2)),
    (&["SCALE_NEG"], Whole(Field::Neg)),
    (&["VDST"], Body(Field::Vdst)),
    (&["NEG_HI"], Body(Field::NegHi)),
    (&["OPSEL", "OP_SEL"], Body(Field::OpSel)),
    (&["OPSEL_HI", "OP_SEL_HI"], Body(Field::OpSelHi)),
    (&["CLAMP", "CLMP"], Body(Field::Clamp)),
    (&["OP"], Op(64)),
    (&["ENCODING"], Encoding(64)),
    (&["SRC0"], Body(Field::Src0)),
    (&["SRC1"], Body(Field::Src1)),
    (&["SRC2"], Body(Field::Src2)),
    (&["NEG"], Body(Field::Neg)),
];

/// The plain word.
pub(super) const ENC_VOP3P: &str = "ENC_VOP3P";
/// An MFMA or SMFMAC.
pub(super) const VOP3P_MFMA: &str = "VOP3P_MFMA";
/// A word and a literal.
pub(super) const VOP3P_INST_LITERAL: &str = "VOP3P_INST_LITERAL";
/// A word and a DPP8 dword.
pub(super) const VOP3P_VOP_DPP8: &str = "VOP3P_VOP_DPP8";
/// A word and a DPP16 dword.
pub(super) const VOP3P_VOP_DPP16: &str = "VOP3P_VOP_DPP16";
/// A scaled pair: on CDNA5 that with a scale for each 32 elements.
pub(super) const ENC_VOP3PX2: &str = "ENC_VOP3PX2";
/// A scaled pair of CDNA5 with a scale for each 16 elements.
pub(super) const ENC_VOP3PX3: &str = "ENC_VOP3PX3";

/// The opcodes of the scale words.
const SCALE_CDNA4: u32 = 44;
const SCALE_CDNA5: u32 = 53;
const SCALE16_CDNA5: u32 = 58;

/// The encodings of VOP3P that a generation has.
pub(super) fn encodings(generation: Generation) -> Vec<ExpectedEncoding> {
    let rules = generation.row();
    let prefix = (rules.prefix.mask, rules.prefix.value);
    let encoding = |name, bits, rows: &[&[Row]]| ExpectedEncoding {
        name,
        bits,
        prefix,
        fields: rows.iter().flat_map(|rows| rows.iter()).map(|row| field(generation, row)).collect(),
    };
    let mut all = vec![encoding(ENC_VOP3P, 64, &[WORD])];
    if rules.literal {
        all.push(encoding(VOP3P_INST_LITERAL, 96, &[WORD, LITERAL]));
    }
    if rules.dpp != DppRule::None {
        all.push(encoding(VOP3P_VOP_DPP8, 96, &[WORD, DPP8]));
        all.push(encoding(VOP3P_VOP_DPP16, 96, &[WORD, DPP16]));
    }
    // All of a scale word's upper half is fixed.
    let paired = |name, rows: &[&[Row]], scale: u32| ExpectedEncoding {
        prefix: (0xffff_0000, prefix.1 | scale << 16),
        ..encoding(name, 128, rows)
    };
    match generation {
        Generation::Cdna1 => all.push(encoding(VOP3P_MFMA, 64, &[MFMA])),
        Generation::Cdna2 | Generation::Cdna3 => all.push(encoding(VOP3P_MFMA, 64, &[MFMA, ACC_CD])),
        Generation::Cdna4 => {
            all.push(encoding(VOP3P_MFMA, 64, &[MFMA, ACC_CD]));
            all.push(paired(ENC_VOP3PX2, &[PAIR_CDNA4], SCALE_CDNA4));
        }
        Generation::Cdna5 => {
            all.push(paired(ENC_VOP3PX2, &[PAIR_CDNA5], SCALE_CDNA5));
            all.push(paired(ENC_VOP3PX3, &[PAIR_CDNA5], SCALE16_CDNA5));
        }
        Generation::Vega
        | Generation::Vega7
        | Generation::Rdna1
        | Generation::Rdna2
        | Generation::Rdna3
        | Generation::Rdna35
        | Generation::Rdna4 => {}
    }
    all
}

fn field(generation: Generation, (names, bits): &Row) -> ExpectedField {
    let prefix = generation.row().prefix;
    let parts = |field: &Field, up: u32| {
        field.row().parts.iter().map(|(lo, width)| (u32::from(*lo) + up, u32::from(*width))).collect()
    };
    let ranges = match bits {
        Bits::Field(field) => parts(field, 0),
        Bits::Part(field, up, width) => {
            field.row().parts.first().map(|(lo, _)| (u32::from(*lo) + up, *width)).into_iter().collect()
        }
        Bits::Body(field) => parts(field, 64),
        Bits::Both => vec![(16, 16)],
        Bits::Op(word) => vec![(word + 16, prefix.op_bits)],
        // Where the prefix is the eight bits 11001100, bit 23 belongs to no field of AMD's.
        Bits::Encoding(word) => {
            let lowest = if prefix.value >> 24 == 0xcc { 24 } else { prefix.mask.trailing_zeros() };
            vec![(word + lowest, 32 - lowest)]
        }
    };
    ExpectedField { names, ranges }
}
