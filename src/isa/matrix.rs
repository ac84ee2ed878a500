//! How the matrix families read the modifier bits of the word: bits 15:8 and 63:59, one row a layout.
//!
//! Source: the VOP3P-MAI field tables of the CDNA manuals, the WMMA sections of the RDNA3, RDNA4 and CDNA5 manuals, and
//! the field list of AMD's CDNA5 XML; what hardware was seen to ignore is said so.

use super::legality::Rule;
use super::operand::Source;

/// A modifier that only matrix instructions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Modifier {
    /// Broadcast size of A; the format of A in F8F6F4 on CDNA4.
    Cbsz,
    /// Which block of A is broadcast; the index set of SMFMAC.
    Abid,
    /// Lane group pattern of B; the format of B in F8F6F4 on CDNA4.
    Blgp,
    /// The index set of SWMMAC.
    IndexKey,
    MatrixAFmt,
    MatrixBFmt,
    /// Which row of lanes holds the scales of A.
    MatrixAScale,
    MatrixBScale,
    MatrixAScaleFmt,
    MatrixBScaleFmt,
    MatrixAReuse,
    MatrixBReuse,
}

/// How a modifier's value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `name:3`.
    Number,
    /// `name` for 1, nothing for 0.
    Flag,
    /// `name:NAME`, one name a value; a value past them is written as a number.
    Names(&'static [&'static str]),
}

/// One row a modifier.
#[derive(Debug)]
pub struct ModifierRow {
    /// The modifier.
    pub modifier: Modifier,
    /// LLVM's name for it.
    pub name: &'static str,
    /// How its value is written.
    pub spelling: Spelling,
}

use Modifier as M;

const FORMATS: Spelling =
    Spelling::Names(&["MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"]);
const SCALES: Spelling = Spelling::Names(&["MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"]);
const SCALE_FORMATS: Spelling =
    Spelling::Names(&["MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"]);

const fn modifier(modifier: Modifier, name: &'static str, spelling: Spelling) -> ModifierRow {
    ModifierRow { modifier, name, spelling }
}

/// Every modifier, in the order of [`Modifier`], which is the order LLVM prints them in.
pub static MODIFIERS: [ModifierRow; 12] = [
    modifier(M::Cbsz, "cbsz", Spelling::Number),
    modifier(M::Abid, "abid", Spelling::Number),
    modifier(M::Blgp, "blgp", Spelling::Number),
    modifier(M::IndexKey, "index_key", Spelling::Number),
    modifier(M::MatrixAFmt, "matrix_a_fmt", FORMATS),
    modifier(M::MatrixBFmt, "matrix_b_fmt", FORMATS),
    modifier(M::MatrixAScale, "matrix_a_scale", SCALES),
    modifier(M::MatrixBScale, "matrix_b_scale", SCALES),
    modifier(M::MatrixAScaleFmt, "matrix_a_scale_fmt", SCALE_FORMATS),
    modifier(M::MatrixBScaleFmt, "matrix_b_scale_fmt", SCALE_FORMATS),
    modifier(M::MatrixAReuse, "matrix_a_reuse", Spelling::Flag),
    modifier(M::MatrixBReuse, "matrix_b_reuse", Spelling::Flag),
];

impl Modifier {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static ModifierRow {
        &MODIFIERS[self as usize]
    }

    /// The modifier with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        MODIFIERS.iter().find(|row| row.name == name).map(|row| row.modifier)
    }
}

/// The values of all matrix modifiers, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(u64);

impl Modifiers {
    /// All zero.
    pub const NONE: Self = Self(0);

    /// The value of one.
    #[must_use]
    pub const fn get(self, modifier: Modifier) -> u8 {
        (self.0 >> (4 * modifier as u32) & 15) as u8
    }

    /// These with the low four bits of a value set.
    #[must_use]
    pub const fn with(self, modifier: Modifier, value: u8) -> Self {
        let at = 4 * modifier as u32;
        Self(self.0 & !(15 << at) | (value as u64 & 15) << at)
    }
}

impl Modifiers {
    /// These and the ones of another word; where both have a value the bits are joined.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of these places, and the rest.
    #[must_use]
    pub fn split(self, places: &[Place]) -> (Self, Self) {
        let mask = places.iter().fold(0, |mask, (modifier, _)| mask | 15_u64 << (4 * *modifier as u32));
        (Self(self.0 & mask), Self(self.0 & !mask))
    }
}

/// Where a modifier lies in the word: lowest bit and width of each part, the low part first.
pub type Place = (Modifier, &'static [(u8, u8)]);

/// Which file of vector registers an operand is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// VGPRs.
    Vgpr,
    /// AccVGPRs.
    Acc,
    /// AccVGPRs where this bit of the word is 1.
    Bit(u8),
    /// By ACC_CD, bit 15; always AccVGPRs on CDNA1, which does not have the bit.
    AccCd,
}

/// Bits that AMD wants zero or that change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The bits of the word.
    pub bits: u64,
    /// What AMD wants there; of bits that change nothing, what LLVM writes.
    pub amd: u64,
    /// What LLVM's assembler writes there.
    pub llvm: u64,
    /// What a word with other bits than AMD's meets.
    pub rule: Rule,
}

/// How one form of matrix word reads its bits. Every bit of 15:8 and 63:59 is kept, a modifier, a register file or fixed.
#[derive(Debug)]
pub struct MatrixLayout {
    /// The bits of OP_SEL, OP_SEL_HI, NEG, NEG_HI and CLAMP that the instruction keeps.
    pub kept: u64,
    /// The modifiers.
    pub modifiers: &'static [Place],
    /// The files of the destination and the sources.
    pub files: [File; 4],
    /// The other bits.
    pub fixed: &'static [Fixed],
    /// Bits that are kept although AMD wants them at one value or they change nothing.
    pub checks: &'static [Fixed],
    /// What the sources may be, A, B and C.
    pub kinds: [MatrixSource; 3],
}

impl MatrixLayout {
    /// OP_SEL_HI where nothing is said of it, as LLVM prints it: ones where the instruction keeps the bits.
    #[must_use]
    pub const fn default_op_sel_hi(&self) -> u8 {
        ((self.kept >> 59 & 3) | (self.kept >> 14 & 1) << 2) as u8
    }
}

impl MatrixSource {
    /// Whether it lists the source.
    #[must_use]
    pub const fn lists(self, source: Source) -> bool {
        match source {
            Source::Vgpr(_) | Source::Agpr(_) => true,
            Source::Literal(_) => false,
            Source::Int(value) => match self {
                Self::Register => false,
                Self::RegisterOrInline | Self::NoLiteral => true,
                Self::Cdna5Scale => value == 0,
            },
            Source::Float(_) => matches!(self, Self::RegisterOrInline | Self::NoLiteral),
            Source::Sgpr(_) => matches!(self, Self::Cdna5Scale | Self::NoLiteral),
            Source::Ttmp(_) | Source::Special(_) => matches!(self, Self::NoLiteral),
        }
    }
}

/// What a matrix source may be, as AMD's XML types it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixSource {
    /// `OPR_SRC_VGPR`, `OPR_SRC_VGPR_OR_ACCVGPR`, `OPR_SRC_ACCVGPR`: a register.
    Register,
    /// `OPR_SRC_VGPR_OR_INLINE` and the `…_OR_CONST` kinds: a register or an inline constant.
    RegisterOrInline,
    /// A VGPR, an SGPR or inline zero: the scales of CDNA5.
    Cdna5Scale,
    /// `OPR_SRC_NOLIT`: everything but a literal.
    NoLiteral,
}

const VGPRS: [File; 4] = [File::Vgpr; 4];

const NEG_HI: u64 = 7 << 8;
const OP_SEL: u64 = 7 << 11;
const OP_SEL_HI_2: u64 = 1 << 14;
const CLAMP: u64 = 1 << 15;
const OP_SEL_HI_01: u64 = 3 << 59;
const OP_SEL_HI: u64 = OP_SEL_HI_01 | OP_SEL_HI_2;
const NEG: u64 = 7 << 61;
/// NEG and NEG_HI of A and B.
const NEG_AB: u64 = 3 << 8 | 3 << 61;
/// NEG\[2\] and NEG_HI: what has to be zero where NEG\[1:0\] gives signedness.
const NEG_IU: u64 = 7 << 8 | 1 << 63;
const NEG_C: u64 = 1 << 10 | 1 << 63;
const SRC1: u64 = 0x1ff << 41;
const SRC2: u64 = 0x1ff << 50;
const VDST: u64 = 0xff;

const fn fixed(bits: u64, value: u64, rule: Rule) -> Fixed {
    Fixed { bits, amd: value, llvm: value, rule }
}

/// Bits that hardware ignores.
const fn idle(bits: u64, llvm: u64) -> Fixed {
    fixed(bits, llvm, Rule::MatrixUnused)
}

const AB_C: [MatrixSource; 3] = [MatrixSource::Register, MatrixSource::Register, MatrixSource::RegisterOrInline];
const ALL_REGISTERS: [MatrixSource; 3] = [MatrixSource::Register; 3];
const MFMA_FILES: [File; 4] = [File::AccCd, File::Bit(59), File::Bit(60), File::AccCd];
const CBSZ: Place = (M::Cbsz, &[(8, 3)]);
const ABID: Place = (M::Abid, &[(11, 4)]);
const BLGP: Place = (M::Blgp, &[(61, 3)]);

const BASE: MatrixLayout = MatrixLayout { kept: 0, modifiers: &[], files: VGPRS, fixed: &[], checks: &[], kinds: AB_C };

pub(super) static MFMA: MatrixLayout = MatrixLayout { modifiers: &[CBSZ, ABID, BLGP], files: MFMA_FILES, ..BASE };

/// CDNA3 and CDNA4: BLGP is NEG; CBSZ and ABID are ignored.
pub(super) static MFMA_F64: MatrixLayout = MatrixLayout {
    kept: NEG,
    modifiers: &[CBSZ, ABID],
    files: MFMA_FILES,
    checks: &[fixed(NEG_HI | OP_SEL | OP_SEL_HI_2, 0, Rule::CbszNoEffect)],
    ..BASE
};

/// ABID says whether a scale word stands in front.
pub(super) static MFMA_F8F6F4: MatrixLayout = MatrixLayout {
    modifiers: &[CBSZ, BLGP],
    files: MFMA_FILES,
    fixed: &[fixed(OP_SEL | OP_SEL_HI_2, 0, Rule::MatrixFixed)],
    ..BASE
};

/// The same word behind its scale word, where ABID is 1.
pub(super) static MFMA_SCALED: MatrixLayout = MatrixLayout {
    fixed: &[fixed(OP_SEL | OP_SEL_HI_2, 1 << 11, Rule::MatrixFixed)],
    ..MatrixLayout { modifiers: &[CBSZ, BLGP], files: MFMA_FILES, ..BASE }
};

pub(super) static SMFMAC: MatrixLayout = MatrixLayout {
    modifiers: &[CBSZ, ABID],
    files: [File::AccCd, File::Bit(59), File::Bit(60), File::Vgpr],
    fixed: &[fixed(NEG, 0, Rule::MatrixFixed)],
    kinds: ALL_REGISTERS,
    ..BASE
};

const ACC_MOVE_UNUSED: [Fixed; 1] = [idle(SRC1 | SRC2 | NEG_HI | OP_SEL | OP_SEL_HI | CLAMP | NEG, OP_SEL_HI)];

pub(super) static ACC_READ: MatrixLayout = MatrixLayout {
    files: [File::Vgpr, File::Acc, File::Vgpr, File::Vgpr],
    fixed: &ACC_MOVE_UNUSED,
    kinds: ALL_REGISTERS,
    ..BASE
};

pub(super) static ACC_WRITE: MatrixLayout = MatrixLayout {
    files: [File::Acc, File::Vgpr, File::Vgpr, File::Vgpr],
    fixed: &ACC_MOVE_UNUSED,
    kinds: [MatrixSource::NoLiteral; 3],
    ..BASE
};

/// The scale word of CDNA4: OP_SEL and OP_SEL_HI of sources 0 and 1 pick the byte.
pub(super) static SCALE_CDNA4: MatrixLayout = MatrixLayout {
    kept: 3 << 11 | OP_SEL_HI_01,
    fixed: &[idle(VDST | SRC2 | NEG_HI | 1 << 13 | OP_SEL_HI_2 | CLAMP | NEG, OP_SEL_HI_2)],
    kinds: [MatrixSource::RegisterOrInline; 3],
    ..BASE
};

/// The same in front of its matrix word.
pub(super) static SCALE_CDNA4_PAIRED: MatrixLayout = MatrixLayout {
    kept: 3 << 11 | OP_SEL_HI_01,
    fixed: &[idle(VDST | SRC2 | NEG_HI | 1 << 13 | OP_SEL_HI_2 | CLAMP | NEG, 0)],
    kinds: [MatrixSource::RegisterOrInline; 3],
    ..BASE
};

/// F32 results of F16 and BF16 on RDNA3, every float result of F16 and BF16 on RDNA4. Hardware ignores OP_SEL, OP_SEL_HI
/// and CLAMP (captures on gfx1100 and gfx1201).
pub(super) static WMMA: MatrixLayout =
    MatrixLayout { kept: NEG | NEG_HI, fixed: &[idle(OP_SEL | OP_SEL_HI | CLAMP, OP_SEL_HI)], ..BASE };

/// 16-bit results on RDNA3: OP_SEL\[2\] picks the half of C and D.
pub(super) static WMMA_HALF: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI | OP_SEL | OP_SEL_HI,
    fixed: &[idle(CLAMP, 0)],
    checks: &[fixed(3 << 11 | OP_SEL_HI, OP_SEL_HI, Rule::OpSelNoEffect)],
    ..BASE
};

pub(super) static WMMA_IU: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI | CLAMP,
    fixed: &[idle(OP_SEL | OP_SEL_HI, OP_SEL_HI)],
    checks: &[fixed(NEG_IU, 0, Rule::IuNeg)],
    ..BASE
};

pub(super) static WMMA_FP8: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI,
    fixed: &[idle(OP_SEL | OP_SEL_HI | CLAMP, OP_SEL_HI)],
    checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)],
    ..BASE
};

const INDEX_1: &[Place] = &[(M::IndexKey, &[(11, 1)])];
const INDEX_2: &[Place] = &[(M::IndexKey, &[(11, 2)])];
const SWMMAC_1: [Fixed; 1] = [idle(6 << 11 | OP_SEL_HI | CLAMP | NEG_C, OP_SEL_HI)];
const SWMMAC_2: [Fixed; 1] = [idle(4 << 11 | OP_SEL_HI | CLAMP | NEG_C, OP_SEL_HI)];

const SWMMAC_BASE: MatrixLayout =
    MatrixLayout { kept: NEG_AB, modifiers: INDEX_1, fixed: &SWMMAC_1, kinds: ALL_REGISTERS, ..BASE };
pub(super) static SWMMAC: MatrixLayout = SWMMAC_BASE;
pub(super) static SWMMAC_W64: MatrixLayout = MatrixLayout { modifiers: INDEX_2, fixed: &SWMMAC_2, ..SWMMAC_BASE };

const SWMMAC_FP8_BASE: MatrixLayout = MatrixLayout { checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)], ..SWMMAC_BASE };
pub(super) static SWMMAC_FP8: MatrixLayout = SWMMAC_FP8_BASE;
pub(super) static SWMMAC_FP8_W64: MatrixLayout =
    MatrixLayout { modifiers: INDEX_2, fixed: &SWMMAC_2, ..SWMMAC_FP8_BASE };

const SWMMAC_IU_BASE: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI | CLAMP,
    fixed: &[idle(6 << 11 | OP_SEL_HI, OP_SEL_HI)],
    checks: &[fixed(NEG_IU, 0, Rule::IuNeg)],
    ..SWMMAC_BASE
};
pub(super) static SWMMAC_IU: MatrixLayout = SWMMAC_IU_BASE;
pub(super) static SWMMAC_IU_W64: MatrixLayout =
    MatrixLayout { modifiers: INDEX_2, fixed: &[idle(4 << 11 | OP_SEL_HI, OP_SEL_HI)], ..SWMMAC_IU_BASE };
/// One index set: no index key.
pub(super) static SWMMAC_IU_NO_KEY: MatrixLayout =
    MatrixLayout { modifiers: &[], fixed: &[idle(OP_SEL | OP_SEL_HI, OP_SEL_HI)], ..SWMMAC_IU_BASE };

const A_REUSE: Place = (M::MatrixAReuse, &[(13, 1)]);
const B_REUSE: Place = (M::MatrixBReuse, &[(14, 1)]);

/// Bits that the CDNA5 manual wants zero.
const fn zero(bits: u64, llvm: u64) -> Fixed {
    Fixed { bits, amd: 0, llvm, rule: Rule::WmmaUnusedField }
}

const CDNA5_UNUSED: [Fixed; 1] = [zero(3 << 11 | OP_SEL_HI_01 | CLAMP, OP_SEL_HI_01)];

pub(super) static CDNA5_WMMA: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI,
    modifiers: &[A_REUSE, B_REUSE],
    fixed: &CDNA5_UNUSED,
    checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)],
    ..BASE
};

pub(super) static CDNA5_WMMA_IU: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI | CLAMP,
    modifiers: &[A_REUSE, B_REUSE],
    fixed: &[zero(3 << 11 | OP_SEL_HI_01, OP_SEL_HI_01)],
    checks: &[fixed(NEG_IU, 0, Rule::IuNeg)],
    ..BASE
};

pub(super) static CDNA5_F8F6F4: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI,
    modifiers: &[(M::MatrixAFmt, &[(11, 3)]), (M::MatrixBFmt, &[(59, 2), (14, 1)])],
    fixed: &[zero(CLAMP, 0)],
    checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)],
    ..BASE
};

pub(super) static CDNA5_F4: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI,
    fixed: &[zero(OP_SEL | OP_SEL_HI | CLAMP, OP_SEL_HI)],
    checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)],
    ..BASE
};

const CDNA5_SWMMAC_MODIFIERS: &[Place] = &[(M::IndexKey, &[(11, 1)]), A_REUSE, B_REUSE];

pub(super) static CDNA5_SWMMAC: MatrixLayout = MatrixLayout {
    kept: NEG_AB,
    modifiers: CDNA5_SWMMAC_MODIFIERS,
    fixed: &[zero(1 << 12 | OP_SEL_HI_01 | CLAMP, OP_SEL_HI_01), idle(NEG_C, 0)],
    kinds: ALL_REGISTERS,
    checks: &[fixed(NEG_AB, 0, Rule::MatrixNeg)],
    ..BASE
};

pub(super) static CDNA5_SWMMAC_IU: MatrixLayout = MatrixLayout {
    kept: NEG | NEG_HI | CLAMP,
    modifiers: CDNA5_SWMMAC_MODIFIERS,
    fixed: &[zero(1 << 12 | OP_SEL_HI_01, OP_SEL_HI_01)],
    kinds: ALL_REGISTERS,
    checks: &[fixed(NEG_IU, 0, Rule::IuNeg)],
    ..BASE
};

/// The scale words of CDNA5, which stand only in front of their matrix word.
pub(super) static SCALE_CDNA5: MatrixLayout = MatrixLayout {
    modifiers: &[
        (M::MatrixAScale, &[(11, 1)]),
        (M::MatrixBScale, &[(59, 1)]),
        (M::MatrixAScaleFmt, &[(61, 2)]),
        (M::MatrixBScaleFmt, &[(8, 2)]),
        A_REUSE,
        B_REUSE,
    ],
    fixed: &[
        idle(VDST, 0),
        fixed(SRC2, 0x100 << 50, Rule::MatrixFixed),
        zero(1 << 10 | 1 << 12 | CLAMP | 1 << 60 | 1 << 63, 0),
    ],
    kinds: [MatrixSource::Cdna5Scale; 3],
    ..BASE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (index, row) in MODIFIERS.iter().enumerate() {
            assert_eq!(row.modifier as usize, index, "{}", row.name);
            assert_eq!(Modifier::from_name(row.name), Some(row.modifier));
        }
    }

    #[test]
    fn values_are_kept_apart() {
        let values = Modifiers::NONE.with(Modifier::Abid, 15).with(Modifier::MatrixBReuse, 1).with(Modifier::Abid, 9);
        assert_eq!(values.get(Modifier::Abid), 9);
        assert_eq!(values.get(Modifier::MatrixBReuse), 1);
        assert_eq!(values.get(Modifier::Cbsz), 0);
        assert_eq!(values.with(Modifier::Abid, 0).with(Modifier::MatrixBReuse, 0), Modifiers::NONE);
    }

    #[test]
    fn every_layout_says_what_each_modifier_bit_is() {
        for (name, layout) in [
            ("mfma", &MFMA),
            ("mfma_f64", &MFMA_F64),
            ("mfma_f8f6f4", &MFMA_F8F6F4),
            ("mfma_scaled", &MFMA_SCALED),
            ("smfmac", &SMFMAC),
            ("acc_read", &ACC_READ),
            ("acc_write", &ACC_WRITE),
            ("scale_cdna4", &SCALE_CDNA4),
            ("scale_cdna4_paired", &SCALE_CDNA4_PAIRED),
            ("wmma", &WMMA),
            ("wmma_half", &WMMA_HALF),
            ("wmma_iu", &WMMA_IU),
            ("wmma_fp8", &WMMA_FP8),
            ("swmmac", &SWMMAC),
            ("swmmac_w64", &SWMMAC_W64),
            ("swmmac_fp8", &SWMMAC_FP8),
            ("swmmac_fp8_w64", &SWMMAC_FP8_W64),
            ("swmmac_iu", &SWMMAC_IU),
            ("swmmac_iu_w64", &SWMMAC_IU_W64),
            ("swmmac_iu_no_key", &SWMMAC_IU_NO_KEY),
            ("cdna5_wmma", &CDNA5_WMMA),
            ("cdna5_wmma_iu", &CDNA5_WMMA_IU),
            ("cdna5_f8f6f4", &CDNA5_F8F6F4),
            ("cdna5_f4", &CDNA5_F4),
            ("cdna5_swmmac", &CDNA5_SWMMAC),
            ("cdna5_swmmac_iu", &CDNA5_SWMMAC_IU),
            ("scale_cdna5", &SCALE_CDNA5),
        ] {
            let mut seen = layout.kept;
            let mut add = |bits: u64| {
                assert_eq!(seen & bits, 0, "{name}: {bits:#x} twice");
                seen |= bits;
            };
            for (lo, width) in layout.modifiers.iter().flat_map(|(_, parts)| parts.iter()) {
                add(((1 << width) - 1) << lo);
            }
            for row in layout.fixed {
                add(row.bits);
                assert_eq!((row.llvm | row.amd) & !row.bits, 0, "{name}");
            }
            let mut acc_cd = 0;
            for file in layout.files {
                match file {
                    File::Bit(bit) => add(1 << bit),
                    File::AccCd => acc_cd = CLAMP,
                    File::Vgpr | File::Acc => {}
                }
            }
            add(acc_cd);
            let all = NEG_HI | OP_SEL | OP_SEL_HI | CLAMP | NEG;
            assert_eq!(seen & all, all, "{name}");
        }
    }
}
