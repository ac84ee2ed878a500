//! The bit fields of a window: the word, the literal and the DPP dwords.
//!
//! Source: VOP3P, DPP8 and DPP16 field tables of the RDNA4 and CDNA5 manuals. Ten older manuals misprint the order of
//! OP_SEL_HI\[1:0\]; source 0 has bit 59 and source 1 bit 60.

use super::matrix::body_of;
use super::window::Window;
use crate::isa::{DPP8, DPP16, LITERAL, Matrix, Opcode, Target};

/// A field of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Field {
    Vdst,
    NegHi,
    OpSel,
    OpSelHi,
    Clamp,
    /// Bits 22:16; bit 23 belongs to the prefix, or on CDNA5 to the opcode.
    Op,
    /// Bits 31:23.
    Prefix,
    Src0,
    Src1,
    Src2,
    /// NEG: `neg_lo`.
    Neg,
    Literal,
    /// VSRC0 of a DPP dword.
    Vsrc0,
    /// The eight lane selectors of DPP8, 3 bits each.
    Lanes,
    DppCtrl,
    /// Bit 17 of the DPP16 dword.
    DppReserved,
    Fi,
    BoundCtrl,
    /// Bits 23:20 of the DPP16 dword.
    DppIgnored,
    BankMask,
    RowMask,
    /// CBSZ of an MFMA word.
    Cbsz,
    /// ABID of an MFMA word.
    Abid,
    /// BLGP of an MFMA word.
    Blgp,
    /// ACC of an MFMA word: bit 0 for source 0, bit 1 for source 1.
    Acc,
    /// ACC_CD of an MFMA word.
    AccCd,
    // The matrix word behind a scale word.
    BodyVdst,
    BodyNegHi,
    BodyOpSel,
    BodyOpSelHi,
    BodyClamp,
    BodyOp,
    BodyPrefix,
    BodySrc0,
    BodySrc1,
    BodySrc2,
    BodyNeg,
}

/// One row a field.
#[derive(Debug)]
pub struct FieldRow {
    /// The field.
    pub field: Field,
    /// Its name in messages, findings and predicates.
    pub name: &'static str,
    /// Its bits, lowest part of the value first: lowest bit in the window and width.
    pub parts: &'static [(u8, u8)],
}

const fn field(field: Field, name: &'static str, parts: &'static [(u8, u8)]) -> FieldRow {
    FieldRow { field, name, parts }
}

/// Every field, in the order of [`Field`].
pub static FIELDS: [FieldRow; 37] = [
    field(Field::Vdst, "vdst", &[(0, 8)]),
    field(Field::NegHi, "neg_hi", &[(8, 3)]),
    field(Field::OpSel, "op_sel", &[(11, 3)]),
    field(Field::OpSelHi, "op_sel_hi", &[(59, 2), (14, 1)]),
    field(Field::Clamp, "clamp", &[(15, 1)]),
    field(Field::Op, "op", &[(16, 7)]),
    field(Field::Prefix, "prefix", &[(23, 9)]),
    field(Field::Src0, "src0", &[(32, 9)]),
    field(Field::Src1, "src1", &[(41, 9)]),
    field(Field::Src2, "src2", &[(50, 9)]),
    field(Field::Neg, "neg_lo", &[(61, 3)]),
    field(Field::Literal, "literal", &[(64, 32)]),
    field(Field::Vsrc0, "vsrc0", &[(64, 8)]),
    field(Field::Lanes, "dpp8", &[(72, 24)]),
    field(Field::DppCtrl, "dpp_ctrl", &[(72, 9)]),
    field(Field::DppReserved, "dpp_reserved", &[(81, 1)]),
    field(Field::Fi, "fi", &[(82, 1)]),
    field(Field::BoundCtrl, "bound_ctrl", &[(83, 1)]),
    field(Field::DppIgnored, "dpp_ignored", &[(84, 4)]),
    field(Field::BankMask, "bank_mask", &[(88, 4)]),
    field(Field::RowMask, "row_mask", &[(92, 4)]),
    field(Field::Cbsz, "cbsz", &[(8, 3)]),
    field(Field::Abid, "abid", &[(11, 4)]),
    field(Field::Blgp, "blgp", &[(61, 3)]),
    field(Field::Acc, "acc", &[(59, 2)]),
    field(Field::AccCd, "acc_cd", &[(15, 1)]),
    field(Field::BodyVdst, "body_vdst", &[(64, 8)]),
    field(Field::BodyNegHi, "body_neg_hi", &[(72, 3)]),
    field(Field::BodyOpSel, "body_op_sel", &[(75, 3)]),
    field(Field::BodyOpSelHi, "body_op_sel_hi", &[(123, 2), (78, 1)]),
    field(Field::BodyClamp, "body_clamp", &[(79, 1)]),
    field(Field::BodyOp, "body_op", &[(80, 7)]),
    field(Field::BodyPrefix, "body_prefix", &[(87, 9)]),
    field(Field::BodySrc0, "body_src0", &[(96, 9)]),
    field(Field::BodySrc1, "body_src1", &[(105, 9)]),
    field(Field::BodySrc2, "body_src2", &[(114, 9)]),
    field(Field::BodyNeg, "body_neg_lo", &[(125, 3)]),
];

const WORD: [Field; 11] = [
    Field::Vdst,
    Field::NegHi,
    Field::OpSel,
    Field::OpSelHi,
    Field::Clamp,
    Field::Op,
    Field::Prefix,
    Field::Src0,
    Field::Src1,
    Field::Src2,
    Field::Neg,
];

/// The word of an MFMA or SMFMAC.
const MFMA: [Field; 10] = [
    Field::Vdst,
    Field::Cbsz,
    Field::Abid,
    Field::AccCd,
    Field::Op,
    Field::Prefix,
    Field::Src0,
    Field::Src1,
    Field::Src2,
    Field::Acc,
];

/// The second word of a pair, in the order of [`WORD`].
const BODY: [Field; 11] = [
    Field::BodyVdst,
    Field::BodyNegHi,
    Field::BodyOpSel,
    Field::BodyOpSelHi,
    Field::BodyClamp,
    Field::BodyOp,
    Field::BodyPrefix,
    Field::BodySrc0,
    Field::BodySrc1,
    Field::BodySrc2,
    Field::BodyNeg,
];

const DPP16_FIELDS: [Field; 8] = [
    Field::Vsrc0,
    Field::DppCtrl,
    Field::DppReserved,
    Field::Fi,
    Field::BoundCtrl,
    Field::DppIgnored,
    Field::BankMask,
    Field::RowMask,
];

impl Field {
    /// The source field of a slot (0 to 2).
    #[must_use]
    pub const fn src(slot: usize) -> Self {
        match slot {
            0 => Self::Src0,
            1 => Self::Src1,
            _ => Self::Src2,
        }
    }

    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static FieldRow {
        &FIELDS[self as usize]
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The field with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        FIELDS.iter().find(|row| row.name == name).map(|row| row.field)
    }

    /// Width in bits.
    #[must_use]
    pub fn width(self) -> u32 {
        self.row().parts.iter().map(|(_, width)| u32::from(*width)).sum()
    }

    /// Its value in a window; bits past the end read as zero.
    #[must_use]
    pub fn get(self, window: &Window) -> u32 {
        let mut value = 0;
        let mut at = 0;
        for (lo, width) in self.row().parts {
            let dword = window.dword(usize::from(lo / 32)).unwrap_or(0);
            value |= (dword >> (lo % 32) & mask(*width)) << at;
            at += width;
        }
        value
    }

    /// The window with the field set to the low bits of `value`.
    #[must_use]
    pub fn set(self, mut window: Window, value: u32) -> Window {
        let mut rest = value;
        for (lo, width) in self.row().parts {
            let index = usize::from(lo / 32);
            let old = window.dword(index).unwrap_or(0);
            let cleared = old & !(mask(*width) << (lo % 32));
            window = window.with_dword(index, cleared | (rest & mask(*width)) << (lo % 32));
            rest = rest.checked_shr(u32::from(*width)).unwrap_or(0);
        }
        window
    }

    /// Its bits as a mask over the 128 bits of a window.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.row().parts.iter().fold(0, |bits, (lo, width)| bits | u128::from(mask(*width)) << lo)
    }
}

const fn mask(width: u8) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

/// The fields that a window has on a target: those of the word, and those of what belongs to it: of the dword behind it
/// if SRC0 is a DPP marker or any source a literal, of the matrix word behind a scale word.
#[must_use]
pub fn fields_of(target: Target, window: &Window) -> Vec<Field> {
    let number = (window.dwords()[0] >> 16 & ((1 << target.rules().prefix.op_bits) - 1)) as u8;
    let is_vop3p = window.dwords()[0] & target.rules().prefix.mask == target.rules().prefix.value;
    let opcode = target.opcode(number).filter(|_| is_vop3p);
    let mut fields = WORD.to_vec();
    match opcode.and_then(Opcode::matrix) {
        Some(Matrix::Mfma | Matrix::MfmaF8f6f4) => {
            fields = MFMA.to_vec();
            fields.push(Field::Blgp);
        }
        Some(Matrix::MfmaF64 | Matrix::Smfmac) => {
            fields = MFMA.to_vec();
            fields.push(Field::Neg);
        }
        _ => {}
    }
    if let Some(opcode) = opcode
        && body_of(target, opcode, window).is_some()
    {
        fields.extend(BODY);
        return fields;
    }
    let src0 = Field::Src0.get(window) as u16;
    let has_dpp = target.rules().dpp != crate::isa::DppRule::None;
    if has_dpp && DPP8.contains(&src0) {
        fields.extend([Field::Vsrc0, Field::Lanes]);
    } else if has_dpp && src0 == DPP16 {
        fields.extend(DPP16_FIELDS);
    } else if [Field::Src0, Field::Src1, Field::Src2].iter().any(|f| f.get(window) == u32::from(LITERAL)) {
        fields.push(Field::Literal);
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (index, row) in FIELDS.iter().enumerate() {
            assert_eq!(row.field as usize, index, "{}", row.name);
        }
    }

    #[test]
    fn names_and_widths() {
        assert_eq!((Field::Src1.name(), Field::Src1.width()), ("src1", 9));
        // OP_SEL_HI is two bits and one elsewhere.
        assert_eq!((Field::OpSelHi.name(), Field::OpSelHi.width()), ("op_sel_hi", 3));
    }

    #[test]
    fn a_literal_is_a_field_of_its_window() {
        let fields = |text: &str| fields_of("gfx1100".parse().unwrap(), &text.parse().unwrap());
        assert_eq!(fields("cc0f4000 180202ff 12345678").last(), Some(&Field::Literal));
        assert!(!fields("cc0f4000 18020501").contains(&Field::Literal));
    }

    #[test]
    fn the_fields_of_the_word_cover_it_once() {
        let mut seen = 0_u128;
        for field in WORD {
            assert_eq!(seen & field.bits(), 0, "{}", field.name());
            seen |= field.bits();
        }
        assert_eq!(seen, u128::from(u64::MAX));
        let mut seen = 0_u128;
        for field in BODY {
            assert_eq!(seen & field.bits(), 0, "{}", field.name());
            seen |= field.bits();
        }
        assert_eq!(seen, u128::from(u64::MAX) << 64);
        let mfma = MFMA.iter().chain([&Field::Blgp]).fold(0, |bits, field| bits | field.bits());
        assert_eq!(mfma, u128::from(u64::MAX));
        let dpp = DPP16_FIELDS.iter().fold(0, |bits, field| bits | field.bits());
        assert_eq!(dpp, u128::from(u32::MAX) << 64);
    }

    #[test]
    fn op_sel_hi_lies_apart() {
        // Source 0 = bit 59, source 1 = bit 60, source 2 = bit 14.
        let zero = Window::from_word(0);
        assert_eq!(Field::OpSelHi.set(zero, 1).word(), 1 << 59);
        assert_eq!(Field::OpSelHi.set(zero, 2).word(), 1 << 60);
        assert_eq!(Field::OpSelHi.set(zero, 4).word(), 1 << 14);
        assert_eq!(Field::OpSelHi.get(&Window::from_word(1 << 14 | 1 << 59)), 5);
    }

    #[test]
    fn what_is_set_is_read_back() {
        for row in &FIELDS {
            let all = u32::MAX >> (32 - row.field.width());
            for value in [0, 1, all / 2 + 1, all] {
                let ones = Window::from_word(u64::MAX).with_dword(2, u32::MAX).with_dword(3, u32::MAX);
                let window = row.field.set(ones, value);
                assert_eq!(row.field.get(&window), value, "{}", row.name);
            }
        }
    }
}
