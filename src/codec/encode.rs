//! An instruction to bytes.

use core::fmt;

use super::instruction::{Dpp, Instruction};
use super::matrix::encode_matrix;
use super::window::Window;
use crate::isa::{DPP8, DPP16, LITERAL, Modifiers, Source, Special, Target, selector};

/// Why an instruction has no encoding on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The opcode is not on this target.
    NoOpcode,
    /// A scale word of CDNA5 without its matrix word.
    ScaleAlone,
    /// A register of the wrong file: AccVGPR for VGPR or the reverse, or C and D in different files.
    File {
        /// The operand: 0 is the destination, then the sources.
        slot: u8,
    },
    /// The target has no such source in this slot.
    NoSource {
        /// The source: 0 to 2.
        slot: u8,
    },
    /// A literal where the target or the slot takes none, or beside DPP.
    NoLiteral {
        /// The source: 0 to 2.
        slot: u8,
    },
    /// Two sources are different literals.
    TwoLiterals,
    /// DPP on an opcode without it, or a source 0 that is no VGPR under DPP.
    NoDpp,
    /// A modifier names a source that the opcode does not have, or is wider than its field.
    Modifier,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOpcode => write!(f, "the target does not have this opcode"),
            Self::ScaleAlone => write!(f, "a scale word needs its matrix word behind it"),
            Self::File { slot: 0 } => write!(f, "the destination cannot be in this register file"),
            Self::File { slot } => write!(f, "source {} cannot be in this register file", slot - 1),
            Self::NoSource { slot } => write!(f, "source {slot} does not exist on this target"),
            Self::NoLiteral { slot } => write!(f, "source {slot} takes no literal here"),
            Self::TwoLiterals => write!(f, "an instruction holds one literal"),
            Self::NoDpp => write!(f, "DPP needs an opcode that has it and a VGPR as source 0"),
            Self::Modifier => write!(f, "a modifier does not fit its field or names a source that is not there"),
        }
    }
}

impl core::error::Error for EncodeError {}

/// Whose assembler decides the bits that change nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// LLVM's.
    #[default]
    Llvm,
    /// AMD's own: OP_SEL_HI\[2\] of an instruction with two sources is 0 on gfx10 and gfx11
    /// (llvm/llvm-project#57498), OP_SEL_HI\[1:0\] of a CDNA5 WMMA is 0 (CDNA5 manual).
    Sp3,
}

/// Encodes an instruction; bits that decoding ignores get the value LLVM's assembler writes.
///
/// # Errors
/// If the target has no encoding for it. Legality rules are no errors: what decodes also encodes.
pub fn encode(target: Target, instruction: &Instruction) -> Result<Window, EncodeError> {
    encode_like(target, instruction, Style::Llvm)
}

/// Encodes an instruction in one of the two styles.
///
/// # Errors
/// As [`encode`].
pub fn encode_like(target: Target, instruction: &Instruction, style: Style) -> Result<Window, EncodeError> {
    let opcode = instruction.opcode;
    if !opcode.on.contains(target.index()) {
        return Err(EncodeError::NoOpcode);
    }
    if opcode.is_matrix() {
        return encode_matrix(target, instruction, style);
    }
    let used = (1_u8 << opcode.sources()) - 1;
    let Instruction { op_sel, op_sel_hi, neg_lo, neg_hi, .. } = *instruction;
    if (op_sel | op_sel_hi | neg_lo | neg_hi) & !used != 0 || instruction.modifiers != Modifiers::NONE {
        return Err(EncodeError::Modifier);
    }
    if instruction.vdst_acc || instruction.scale.is_some() {
        return Err(EncodeError::File { slot: 0 });
    }
    let mut extra = None;
    let mut selectors = [0; 3];
    for (slot, source) in instruction.sources().iter().enumerate() {
        selectors[slot] = match (slot, instruction.dpp) {
            (0, Some(dpp)) => {
                let (marker, dword) = write_dpp(target, instruction, dpp)?;
                extra = Some(dword);
                marker
            }
            _ => write_source(target, instruction, slot, *source, &mut extra)?,
        };
    }
    let unused = if style == Style::Sp3 && target.rules().sp3_op_sel_hi_2_zero { 0 } else { !used & 7 };
    let op_sel_hi = u64::from(op_sel_hi | unused);
    let word = u64::from(instruction.vdst)
        | u64::from(neg_hi) << 8
        | u64::from(op_sel) << 11
        | (op_sel_hi >> 2) << 14
        | u64::from(instruction.clamp) << 15
        | u64::from(opcode.number) << 16
        | u64::from(target.rules().prefix.value)
        | u64::from(selectors[0]) << 32
        | u64::from(selectors[1]) << 41
        | u64::from(selectors[2]) << 50
        | (op_sel_hi & 3) << 59
        | u64::from(neg_lo) << 61;
    let window = Window::from_word(word);
    Ok(extra.map_or(window, |dword| window.with_dword(2, dword)))
}

fn write_source(
    target: Target,
    instruction: &Instruction,
    slot: usize,
    source: Source,
    extra: &mut Option<u32>,
) -> Result<u16, EncodeError> {
    let kind = instruction.opcode.source_kind(target, slot);
    let slot = slot as u8;
    match source {
        Source::Literal(value) => {
            if !target.rules().literal || !kind.takes_literal() || instruction.dpp.is_some() {
                return Err(EncodeError::NoLiteral { slot });
            }
            if extra.is_some_and(|other| other != value) {
                return Err(EncodeError::TwoLiterals);
            }
            *extra = Some(value);
            Ok(LITERAL)
        }
        Source::Special(Special::LdsDirect) if !kind.takes_lds_direct() => Err(EncodeError::NoSource { slot }),
        Source::Agpr(_) => Err(EncodeError::File { slot: slot + 1 }),
        _ => selector(target.generation(), source).ok_or(EncodeError::NoSource { slot }),
    }
}

/// The marker in SRC0 and the dword behind the word.
fn write_dpp(target: Target, instruction: &Instruction, dpp: Dpp) -> Result<(u16, u32), EncodeError> {
    let Source::Vgpr(vsrc0) = instruction.src[0] else { return Err(EncodeError::NoDpp) };
    if !instruction.opcode.takes_dpp(target) {
        return Err(EncodeError::NoDpp);
    }
    match dpp {
        Dpp::Dpp8 { lanes, fetch_inactive } => {
            if lanes >> 24 != 0 {
                return Err(EncodeError::Modifier);
            }
            Ok((DPP8[usize::from(fetch_inactive)], u32::from(vsrc0) | lanes << 8))
        }
        Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask } => {
            if ctrl >> 9 != 0 || (bank_mask | row_mask) >> 4 != 0 {
                return Err(EncodeError::Modifier);
            }
            let dword = u32::from(vsrc0)
                | u32::from(ctrl) << 8
                | u32::from(fetch_inactive) << 18
                | u32::from(bound_ctrl) << 19
                | u32::from(bank_mask) << 24
                | u32::from(row_mask) << 28;
            Ok((DPP16, dword))
        }
    }
}
