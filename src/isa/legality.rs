//! The legality rules: what a word may break or leave without effect, each with a stable id.
//!
//! Decoder, generator, comparison and report all read the same rows.

use core::fmt;

/// What a rule says of the field values it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// The bits change nothing.
    Ignored,
    /// Defined as not to be used.
    Reserved,
    /// Not allowed.
    Illegal,
}

impl State {
    /// Its name in messages and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Reserved => "reserved",
            Self::Illegal => "illegal",
        }
    }
}

/// A legality rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rule {
    ScalarLimit,
    OddSgprPair,
    OddVgprPair,
    VgprRange,
    WideSpecial,
    PkF32Exec,
    LdsDirect,
    IuNeg,
    NegOnInteger,
    DotOpSel,
    DotFp8Field,
    DppSrc1,
    DppCtrl,
    DppReservedBit,
    MatrixSource,
    MatrixOverlap,
    MatrixNeg,
    MatrixFixed,
    MatrixFormat,
    CbszRange,
    WmmaUnusedField,
    AccCd,
    UnusedSource,
    DppIgnoredBits,
    ClampNoEffect,
    NegNoEffect,
    OpSelNoEffect,
    CbszNoEffect,
    MatrixUnused,
}

/// One row a rule.
#[derive(Debug)]
pub struct RuleRow {
    /// The rule.
    pub rule: Rule,
    /// Its id, stable for ever.
    pub id: &'static str,
    /// What a word that meets it is.
    pub state: State,
    /// One line for people.
    pub text: &'static str,
    /// Where AMD says so.
    pub source: &'static str,
}

const fn rule(rule: Rule, id: &'static str, state: State, text: &'static str, source: &'static str) -> RuleRow {
    RuleRow { rule, id, state, text, source }
}

use State::{Ignored, Illegal, Reserved};

/// Every rule, in the order of [`Rule`].
pub static RULES: [RuleRow; 29] = ROWS;

const ROWS: [RuleRow; 29] = [
    rule(
        Rule::ScalarLimit,
        "scalar-limit",
        Illegal,
        "more different scalar values than one instruction may read (one before gfx10, two from gfx10 on)",
        "VALU operand sections of the manuals (constant bus); a literal counts, NULL does not",
    ),
    rule(
        Rule::OddSgprPair,
        "odd-sgpr-pair",
        Illegal,
        "a 64-bit operand starts at an odd SGPR or TTMP",
        "SGPR alignment in the operand sections of the CDNA manuals; AMD's CDNA5 XML, notes of OPR_SRC",
    ),
    rule(
        Rule::OddVgprPair,
        "odd-vgpr-pair",
        Illegal,
        "a tuple of VGPRs or AccVGPRs starts at an odd register",
        "VGPR alignment in the CDNA2 to CDNA5 manuals",
    ),
    rule(
        Rule::VgprRange,
        "vgpr-range",
        Illegal,
        "a tuple of VGPRs or AccVGPRs runs past register 255",
        "VGPR field of the operand tables: 0 to 255",
    ),
    rule(
        Rule::WideSpecial,
        "wide-special",
        Illegal,
        "a scalar that has no 64-bit form (VCC_HI, M0, EXEC_HI, ...) in a 64-bit operand",
        "AMD's CDNA5 XML, notes of OPR_SRC",
    ),
    rule(Rule::PkF32Exec, "pk-f32-exec", Illegal, "EXEC as a source of a packed f32 instruction", "CDNA5 manual 7.7.1"),
    rule(
        Rule::LdsDirect,
        "lds-direct",
        Reserved,
        "LDS_DIRECT in a VOP3P word: the operand tables have it, the VOP3P field tables reserve it",
        "Vega manual, operand table against the VOP3P field table",
    ),
    rule(
        Rule::IuNeg,
        "iu-neg",
        Illegal,
        "NEG[2] or NEG_HI set where NEG gives the signedness of sources 0 and 1",
        "RDNA3 7.5.1, RDNA4 7.7.2, CDNA5 7.7.2",
    ),
    rule(
        Rule::NegOnInteger,
        "neg-on-integer",
        Reserved,
        "NEG or NEG_HI on an integer operand",
        "RDNA4 7.7: the effect on integers is undefined",
    ),
    rule(
        Rule::DotOpSel,
        "dot-op-sel",
        Illegal,
        "OP_SEL or OP_SEL_HI used in a dot product",
        "CDNA3 and CDNA4 manuals, dot product section",
    ),
    rule(
        Rule::DotFp8Field,
        "dot-fp8-field",
        Illegal,
        "a FP8 or BF8 dot product with OP_SEL, OP_SEL_HI, CLAMP, or NEG of source 0 or 1 away from its fixed value",
        "RDNA4 manual, V_DOT4_F32_FP8_FP8 and its siblings",
    ),
    rule(
        Rule::DppSrc1,
        "dpp-src1",
        Illegal,
        "source 1 of a DPP instruction is no VGPR",
        "RDNA3 XML, VOP3P_VOP_DPP8 and VOP3P_VOP_DPP16: OPR_SRC_VGPR",
    ),
    rule(
        Rule::DppCtrl,
        "dpp-ctrl",
        Reserved,
        "a DPP_CTRL value that names no lane pattern",
        "DPP_CTRL table of the RDNA manuals",
    ),
    rule(
        Rule::DppReservedBit,
        "dpp-reserved-bit",
        Reserved,
        "bit 17 of the DPP16 dword",
        "DPP16 field table of the RDNA manuals",
    ),
    rule(
        Rule::MatrixSource,
        "matrix-source",
        Illegal,
        "a source of a matrix instruction that its operand kind does not list: A and B are registers, C a register or an \
         inline constant, the scales of CDNA4 a VGPR or an inline constant, those of CDNA5 a VGPR, an SGPR or zero",
        "OPR_SRC_VGPR, OPR_SRC_VGPR_OR_ACCVGPR, OPR_SRC_VGPR_OR_INLINE and their kin in AMD's XML",
    ),
    rule(
        Rule::MatrixOverlap,
        "matrix-overlap",
        Illegal,
        "C of an MFMA with more than four registers overlaps its destination without being the same",
        "VGPR overlap rules of the CDNA manuals, matrix core section",
    ),
    rule(
        Rule::MatrixNeg,
        "matrix-neg",
        Illegal,
        "NEG or NEG_HI on A or B of an FP8 or BF8 matrix instruction, on CDNA5 of any",
        "RDNA4 7.12, CDNA5 7.12, WMMA modifier tables",
    ),
    rule(
        Rule::MatrixFixed,
        "matrix-fixed",
        Illegal,
        "a field that this form of matrix word must have at a fixed value: NEG of SMFMAC, ABID of a lone F8F6F4 word, \
         SRC2 of a CDNA5 scale word",
        "VOP3P-MAI field table of the CDNA3 and CDNA4 manuals; VOP3PX2 in AMD's CDNA5 XML",
    ),
    rule(
        Rule::MatrixFormat,
        "matrix-format",
        Reserved,
        "a matrix format 5 to 7 or a scale format 3",
        "F8F6F4 format tables of the CDNA4 and CDNA5 manuals",
    ),
    rule(
        Rule::CbszRange,
        "cbsz-range",
        Reserved,
        "CBSZ broadcasts more blocks of A than the MFMA has",
        "VOP3P-MAI field table of the CDNA manuals",
    ),
    rule(
        Rule::WmmaUnusedField,
        "wmma-unused-field",
        Reserved,
        "OP_SEL, OP_SEL_HI or CLAMP of a CDNA5 matrix word where the manual wants zero",
        "CDNA5 7.12, WMMA modifier tables",
    ),
    rule(
        Rule::AccCd,
        "acc-cd-reserved",
        Reserved,
        "bit 15 of an MFMA word of CDNA1, which is ACC_CD from CDNA2 on",
        "VOP3P-MAI field table of the CDNA1 manual",
    ),
    rule(
        Rule::UnusedSource,
        "unused-source",
        Ignored,
        "SRC2, OP_SEL[2], OP_SEL_HI[2], NEG[2], NEG_HI[2] of an instruction with two sources",
        "operand lists of the instructions in AMD's XML",
    ),
    rule(
        Rule::DppIgnoredBits,
        "dpp-ignored-bits",
        Ignored,
        "bits 23:20 of the DPP16 dword: VOP3P takes negation and absolute value from the word",
        "AMD's CDNA5 XML, VOP3P_VOP_DPP16: SRC0_NEG, SRC0_ABS",
    ),
    rule(
        Rule::ClampNoEffect,
        "clamp-no-effect",
        Ignored,
        "CLAMP on an instruction that ignores it",
        "RDNA3 7.2.3, RDNA4 7.2, CDNA5 7.2; for packed multiply-low, shifts and integer min/max AMD's emulator",
    ),
    rule(
        Rule::NegNoEffect,
        "neg-no-effect",
        Ignored,
        "NEG or NEG_HI of source 2 where it does not act",
        "CDNA4 manual, V_DOT2_F32_BF16",
    ),
    rule(
        Rule::OpSelNoEffect,
        "op-sel-no-effect",
        Ignored,
        "OP_SEL or OP_SEL_HI that picks nothing: v_pk_mov_b32's OP_SEL_HI, a scalar of a packed f32 on CDNA5, all but \
         OP_SEL[2] of a 16-bit WMMA on RDNA3",
        "CDNA3 V_PK_MOV_B32; CDNA5 7.7.1; for 16-bit WMMA results captures on gfx1100",
    ),
    rule(
        Rule::CbszNoEffect,
        "cbsz-no-effect",
        Ignored,
        "CBSZ or ABID of an F64 MFMA",
        "CDNA3 manual, matrix core section",
    ),
    rule(
        Rule::MatrixUnused,
        "matrix-unused",
        Ignored,
        "fields that a matrix word does not use",
        "operand lists in AMD's XML; for WMMA captures on gfx1100 and gfx1201",
    ),
];

impl Rule {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static RuleRow {
        &RULES[self as usize]
    }

    /// Its stable id.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The rule with this id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        RULES.iter().find(|row| row.id == id).map(|row| row.rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The rules that one word meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes(u64);

impl Notes {
    /// No rule.
    pub const NONE: Self = Self(0);

    /// Adds a rule.
    pub fn add(&mut self, rule: Rule) {
        self.0 |= 1 << rule as u8;
    }

    /// Adds a rule if `met`.
    pub fn add_if(&mut self, met: bool, rule: Rule) {
        self.0 |= u64::from(met) << rule as u8;
    }

    /// These rules and others.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These rules without one.
    #[must_use]
    pub fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u8))
    }

    /// Whether the rule is among them.
    #[must_use]
    pub fn contains(self, rule: Rule) -> bool {
        self.0 >> rule as u8 & 1 == 1
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        RULES.iter().map(|row| row.rule).filter(move |rule| self.contains(*rule))
    }

    /// Whether none of them is illegal or reserved.
    #[must_use]
    pub fn is_legal(self) -> bool {
        self.0 & ILLEGAL_OR_RESERVED == 0
    }
}

const ILLEGAL_OR_RESERVED: u64 = {
    let mut bits = 0;
    let mut index = 0;
    while index < ROWS.len() {
        if !matches!(ROWS[index].state, State::Ignored) {
            bits |= 1 << index;
        }
        index += 1;
    }
    bits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum_and_ids_are_unique() {
        for (index, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, index, "{}", row.id);
            assert_eq!(Rule::from_id(row.id), Some(row.rule));
        }
    }

    #[test]
    fn ignored_bits_leave_a_word_legal() {
        let mut notes = Notes::NONE;
        notes.add(Rule::UnusedSource);
        assert!(notes.is_legal() && !notes.is_empty());
        notes.add(Rule::ScalarLimit);
        assert!(!notes.is_legal());
        assert_eq!(notes.iter().collect::<Vec<_>>(), [Rule::ScalarLimit, Rule::UnusedSource]);
        assert!(notes.without(Rule::ScalarLimit).is_legal());
    }
}
