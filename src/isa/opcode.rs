//! What one row of the opcode table says.

use super::matrix::{self, MatrixLayout, Modifier, Modifiers};
use super::operand::SourceKind;
use super::operation::Operation;
use super::processor::ProcessorSet;
use super::target::Target;

/// The data format of an operand, as AMD's XML names it (`FMT_NUM_…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Format {
    /// No operand here.
    None,
    F16,
    Bf16,
    F32,
    I32,
    U32,
    /// 32 untyped bits: a mix source, an f32 or one half of the register by op_sel_hi.
    B32,
    Pk2F16,
    Pk2Bf16,
    Pk2I16,
    Pk2U16,
    /// Two f32 in 64 bits.
    Pk2F32,
    /// Two untyped dwords in 64 bits.
    Pk2B32,
    Pk4I8,
    Pk4U8,
    /// Four bytes, signed where NEG says so.
    Pk4Iu8,
    Pk8I4,
    Pk8U4,
    /// Eight nibbles, signed where NEG says so.
    Pk8Iu4,
    Pk4Fp8,
    Pk4Bf8,
    /// A tuple of a matrix instruction: this many dwords.
    Matrix(u8),
}

impl Format {
    /// Width in dwords.
    #[must_use]
    pub const fn dwords(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Pk2F32 | Self::Pk2B32 => 2,
            Self::Matrix(dwords) => dwords,
            _ => 1,
        }
    }

    /// Whether negation has no meaning for it.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(
            self,
            Self::I32
                | Self::U32
                | Self::Pk2I16
                | Self::Pk2U16
                | Self::Pk2B32
                | Self::Pk4I8
                | Self::Pk4U8
                | Self::Pk8I4
                | Self::Pk8U4
        )
    }
}

/// The instruction's family, which decides how the modifier fields are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Packed math: OP_SEL and OP_SEL_HI pick halves, NEG and NEG_HI negate for the low and the high result.
    Packed,
    /// Mixed precision: OP_SEL_HI picks f16 (1) or f32 (0), OP_SEL the half, NEG negates, NEG_HI is the absolute value.
    Mix,
    /// Dot product of two pairs.
    Dot2,
    /// Dot product of bytes or nibbles.
    Dot,
    /// Dot product of FP8 or BF8: OP_SEL 0, OP_SEL_HI 7, NEG and NEG_HI of source 2 only (RDNA4).
    DotFp8,
    /// `v_pk_mov_b32`: OP_SEL\[0\] and \[1\] pick the dwords, the other selects mean nothing.
    Move,
    /// A matrix instruction.
    Matrix(Matrix),
}

/// The forms of matrix words; each has a [`MatrixLayout`], two where the wave size matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Matrix {
    Mfma,
    /// F64 on CDNA3 and CDNA4.
    MfmaF64,
    /// CDNA4's formats of 8, 6 and 4 bits.
    MfmaF8f6f4,
    Smfmac,
    AccRead,
    /// `v_accvgpr_write` and `V_ACCVGPR_WRFED`.
    AccWrite,
    /// The scale word of CDNA4.
    ScaleCdna4,
    /// RDNA3's F32 results, RDNA4's float results.
    Wmma,
    /// RDNA3's 16-bit results.
    WmmaHalf,
    WmmaFp8,
    WmmaIu,
    Swmmac,
    SwmmacFp8,
    SwmmacIu,
    SwmmacIu4,
    /// 16×16×64.
    SwmmacIu4Wide,
    Cdna5Wmma,
    Cdna5WmmaIu,
    Cdna5F8f6f4,
    Cdna5F4,
    Cdna5Swmmac,
    Cdna5SwmmacIu,
    /// The scale words of CDNA5.
    ScaleCdna5,
}

impl Matrix {
    /// How the word reads its modifier bits in waves of 32 or 64 lanes.
    #[must_use]
    pub fn layout(self, wave: u8) -> &'static MatrixLayout {
        let is_wave64 = wave == 64;
        match self {
            Self::Mfma => &matrix::MFMA,
            Self::MfmaF64 => &matrix::MFMA_F64,
            Self::MfmaF8f6f4 => &matrix::MFMA_F8F6F4,
            Self::Smfmac => &matrix::SMFMAC,
            Self::AccRead => &matrix::ACC_READ,
            Self::AccWrite => &matrix::ACC_WRITE,
            Self::ScaleCdna4 => &matrix::SCALE_CDNA4,
            Self::Wmma => &matrix::WMMA,
            Self::WmmaHalf => &matrix::WMMA_HALF,
            Self::WmmaFp8 => &matrix::WMMA_FP8,
            Self::WmmaIu => &matrix::WMMA_IU,
            Self::Swmmac if is_wave64 => &matrix::SWMMAC_W64,
            Self::Swmmac => &matrix::SWMMAC,
            Self::SwmmacFp8 if is_wave64 => &matrix::SWMMAC_FP8_W64,
            Self::SwmmacFp8 => &matrix::SWMMAC_FP8,
            Self::SwmmacIu if is_wave64 => &matrix::SWMMAC_IU_W64,
            Self::SwmmacIu | Self::SwmmacIu4 => &matrix::SWMMAC_IU,
            Self::SwmmacIu4Wide if is_wave64 => &matrix::SWMMAC_IU,
            Self::SwmmacIu4Wide => &matrix::SWMMAC_IU_NO_KEY,
            Self::Cdna5Wmma => &matrix::CDNA5_WMMA,
            Self::Cdna5WmmaIu => &matrix::CDNA5_WMMA_IU,
            Self::Cdna5F8f6f4 => &matrix::CDNA5_F8F6F4,
            Self::Cdna5F4 => &matrix::CDNA5_F4,
            Self::Cdna5Swmmac => &matrix::CDNA5_SWMMAC,
            Self::Cdna5SwmmacIu => &matrix::CDNA5_SWMMAC_IU,
            Self::ScaleCdna5 => &matrix::SCALE_CDNA5,
        }
    }

    /// The layout of a word that is half of a scaled pair.
    #[must_use]
    pub fn paired_layout(self) -> &'static MatrixLayout {
        match self {
            Self::MfmaF8f6f4 => &matrix::MFMA_SCALED,
            Self::ScaleCdna4 => &matrix::SCALE_CDNA4_PAIRED,
            _ => self.layout(32),
        }
    }

    /// Whether the word is the first half of a scaled pair.
    #[must_use]
    pub const fn is_scale(self) -> bool {
        matches!(self, Self::ScaleCdna4 | Self::ScaleCdna5)
    }
}

/// Bits of an element by the format of F8F6F4: FP8, BF8, FP6, BF6, FP4; a reserved one takes the registers of the widest.
/// Source: format tables of the CDNA4 and CDNA5 manuals.
const ELEMENT_BITS: [u8; 8] = [8, 8, 6, 6, 4, 8, 8, 8];

/// One opcode on one set of processors.
#[derive(Debug, PartialEq, Eq)]
pub struct Opcode {
    /// The OP field: 7 bits, 8 on CDNA5.
    pub number: u8,
    /// AMD's name.
    pub amd: &'static str,
    /// LLVM 22's mnemonic, without `_e64` or `_dpp`. Empty where LLVM has none.
    pub llvm: &'static str,
    /// The processors that have it.
    pub on: ProcessorSet,
    /// Its family.
    pub form: Form,
    /// Format of the destination.
    pub vdst: Format,
    /// What it computes, if that is elementwise.
    pub operation: Option<Operation>,
    /// Formats of the sources; [`Format::None`] from the first unused one on.
    pub src: [Format; 3],
    /// How many sources it reads; follows from `src`.
    pub(super) count: u8,
    /// The sources on which negation has no meaning, as a mask; follows from `src`.
    pub(super) integers: u8,
    /// How many blocks of A an MFMA multiplies at once, which bounds CBSZ; zero for everything else.
    pub blocks: u8,
    /// The processors on which it takes DPP.
    pub dpp: ProcessorSet,
    /// The processors on which CLAMP changes nothing.
    pub clamp_ignored: ProcessorSet,
    /// The processors on which NEG and NEG_HI of source 2 change nothing.
    pub neg2_ignored: ProcessorSet,
    /// Whether it is a packed shift, whose source 0 is typed more narrowly.
    pub shift: bool,
    /// Where the row comes from.
    pub source: &'static str,
}

impl Opcode {
    /// How many sources it reads: 1 to 3.
    #[must_use]
    pub const fn sources(&self) -> usize {
        self.count as usize
    }

    /// The sources on which negation has no meaning, as a mask of slots. NEG gives the signedness of an IU dot product,
    /// so none there.
    #[must_use]
    pub const fn integer_sources(&self) -> u8 {
        self.integers
    }

    /// Whether NEG gives the signedness of sources 0 and 1.
    #[must_use]
    pub const fn is_iu(&self) -> bool {
        matches!(self.src[0], Format::Pk4Iu8 | Format::Pk8Iu4)
    }

    /// Whether an operand is 64 bits wide.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self.src[0], Format::Pk2F32 | Format::Pk2B32)
    }

    /// Whether it is of the matrix families.
    #[must_use]
    pub const fn is_matrix(&self) -> bool {
        matches!(self.form, Form::Matrix(_))
    }

    /// Whether it is one of the families, given as `packed`, `mix`, `dot2`, `dot`, `dotfp8`, `move`, `matrix`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self.form {
            Form::Packed => "packed",
            Form::Mix => "mix",
            Form::Dot2 => "dot2",
            Form::Dot => "dot",
            Form::DotFp8 => "dotfp8",
            Form::Move => "move",
            Form::Matrix(_) => "matrix",
        }
    }

    /// Its form among the matrix families.
    #[must_use]
    pub const fn matrix(&self) -> Option<Matrix> {
        match self.form {
            Form::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }

    /// How its word reads the modifier bits on this target, if it is a matrix instruction.
    #[must_use]
    pub fn layout(&self, target: Target) -> Option<&'static MatrixLayout> {
        self.matrix().map(|matrix| matrix.layout(target.wave()))
    }

    /// Dwords of the destination and of the three sources on this target, zero where there is no operand. Of a matrix
    /// instruction they depend on the wave size, and with F8F6F4 on the formats of A and B.
    #[must_use]
    pub fn dwords(&self, target: Target, modifiers: Modifiers) -> [u8; 4] {
        let mut dwords = [self.vdst.dwords(), self.src[0].dwords(), self.src[1].dwords(), self.src[2].dwords()];
        if !self.is_matrix() {
            return dwords;
        }
        if target.wave() == 64 {
            for (dwords, halves) in dwords.iter_mut().zip(target.rules().wave64_halves) {
                *dwords = if halves && *dwords > 1 { *dwords / 2 } else { *dwords };
            }
        }
        for (dwords, format) in dwords[1..].iter_mut().zip(self.format_modifiers().into_iter().flatten()) {
            *dwords = *dwords * ELEMENT_BITS[usize::from(modifiers.get(format) & 7)] / 8;
        }
        dwords
    }

    /// The modifiers that choose the formats of A and B, if it has such.
    #[must_use]
    pub const fn format_modifiers(&self) -> Option<[Modifier; 2]> {
        match self.matrix() {
            Some(Matrix::MfmaF8f6f4) => Some([Modifier::Cbsz, Modifier::Blgp]),
            Some(Matrix::Cdna5F8f6f4) => Some([Modifier::MatrixAFmt, Modifier::MatrixBFmt]),
            _ => None,
        }
    }

    /// What source `slot` may be on this target.
    #[must_use]
    pub fn source_kind(&self, target: Target, slot: usize) -> SourceKind {
        if slot == 0 && self.shift { target.rules().shift_source0 } else { target.rules().sources[slot.min(2)] }
    }

    /// Whether it takes DPP on this target.
    #[must_use]
    pub fn takes_dpp(&self, target: Target) -> bool {
        self.dpp.contains(target.index())
    }

    /// OP_SEL_HI as LLVM prints it when nothing is said: all ones, zero for mix.
    #[must_use]
    pub fn default_op_sel_hi(&self) -> u8 {
        match self.form {
            Form::Mix => 0,
            Form::Matrix(matrix) => matrix.layout(32).default_op_sel_hi(),
            _ => (1 << self.sources()) - 1,
        }
    }
}
