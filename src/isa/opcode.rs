//! What one row of the opcode table says.

use super::operand::SourceKind;
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

/// The families of matrix instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Matrix {
    Mfma,
    Smfmac,
    Wmma,
    Swmmac,
    /// `v_accvgpr_read`, `v_accvgpr_write` and `V_ACCVGPR_WRFED`.
    AccMove,
    /// The first half of a scaled pair.
    ScaleWord,
}

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
    /// Formats of the sources; [`Format::None`] from the first unused one on.
    pub src: [Format; 3],
    /// How many sources it reads; follows from `src`.
    pub(super) count: u8,
    /// The sources on which negation has no meaning, as a mask; follows from `src`.
    pub(super) integers: u8,
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

    /// Whether it is of the matrix families, which this version names and does not decode.
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
    pub const fn default_op_sel_hi(&self) -> u8 {
        match self.form {
            Form::Mix => 0,
            _ => (1 << self.sources()) - 1,
        }
    }
}
