//! An instruction, typed: what the fields of a window mean.

use crate::isa::{Modifiers, Opcode, Pair, Source};

/// A DPP dword: how lanes of source 0 move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dpp {
    /// Any lane of eight, for each of eight.
    Dpp8 {
        /// The lane selectors, 3 bits each, that of lane 0 lowest.
        lanes: u32,
        /// Whether inactive lanes are fetched (selector 234 rather than 233).
        fetch_inactive: bool,
    },
    /// A pattern within a row of 16 lanes.
    Dpp16 {
        /// DPP_CTRL, 9 bits.
        ctrl: u16,
        /// FI: whether inactive lanes are fetched.
        fetch_inactive: bool,
        /// BOUND_CTRL: whether lanes out of bounds read zero.
        bound_ctrl: bool,
        /// BANK_MASK, 4 bits.
        bank_mask: u8,
        /// ROW_MASK, 4 bits.
        row_mask: u8,
    },
}

/// The first word of a scaled pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Both words together.
    pub pair: &'static Pair,
    /// The scales of A and B.
    pub src: [Source; 2],
}

/// A VOP3P instruction. The per-source modifiers are 3-bit masks, source 0 lowest; bits of sources that the opcode does
/// not have are zero.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The opcode.
    pub opcode: &'static Opcode,
    /// Destination VGPR; the first of a tuple.
    pub vdst: u8,
    /// The sources; those past [`Opcode::sources`] are `Source::Int(0)` and mean nothing. With DPP, source 0 is VSRC0.
    pub src: [Source; 3],
    /// OP_SEL.
    pub op_sel: u8,
    /// OP_SEL_HI.
    pub op_sel_hi: u8,
    /// NEG.
    pub neg_lo: u8,
    /// NEG_HI; on mix instructions the absolute value.
    pub neg_hi: u8,
    /// CLAMP.
    pub clamp: bool,
    /// DPP on source 0.
    pub dpp: Option<Dpp>,
    /// Whether the destination is an AccVGPR.
    pub vdst_acc: bool,
    /// The modifiers of a matrix instruction; of a pair those of both words.
    pub modifiers: Modifiers,
    /// The scale word in front of a matrix word; OP_SEL and OP_SEL_HI are then its own.
    pub scale: Option<Scale>,
}

impl Instruction {
    /// A plain instruction: sources as given, every modifier at its default.
    #[must_use]
    pub fn plain(opcode: &'static Opcode, vdst: u8, src: [Source; 3]) -> Self {
        Self {
            opcode,
            vdst,
            src,
            op_sel: 0,
            op_sel_hi: opcode.default_op_sel_hi(),
            neg_lo: 0,
            neg_hi: 0,
            clamp: false,
            dpp: None,
            vdst_acc: false,
            modifiers: Modifiers::NONE,
            scale: None,
        }
    }

    /// The sources the opcode has.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.src[..self.opcode.sources()]
    }

    /// The literal, if a source is one.
    #[must_use]
    pub fn literal(&self) -> Option<u32> {
        self.sources().iter().find_map(|source| match source {
            Source::Literal(value) => Some(*value),
            _ => None,
        })
    }
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.opcode, other.opcode)
            && self.vdst == other.vdst
            && self.sources() == other.sources()
            && (self.op_sel, self.op_sel_hi, self.neg_lo, self.neg_hi)
                == (other.op_sel, other.op_sel_hi, other.neg_lo, other.neg_hi)
            && self.clamp == other.clamp
            && self.dpp == other.dpp
            && self.vdst_acc == other.vdst_acc
            && self.modifiers == other.modifiers
            && self.scale == other.scale
    }
}

impl Eq for Instruction {}
