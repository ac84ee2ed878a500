//! What an elementwise VOP3P instruction computes, bit for bit.
//!
//! In reading order:
//!
//! * [`format`]: the binary formats, as widths.
//! * [`arithmetic`]: exact value, one rounding, flush, pack, in any format.
//! * [`mode`]: the MODE register.
//! * [`profile`]: the numeric questions, their answers, and how each is known on a target.
//! * [`registers`]: registers by name, as what an instruction reads.
//! * [`watch`]: the steps of an evaluation, for those who want to see them.

pub mod arithmetic;
pub mod format;
pub mod mode;
pub mod profile;
mod questions;
pub mod registers;
pub mod watch;

pub use mode::{Mode, ModeError};
pub use profile::{Provenance, Question, Reading, Readings};
pub use questions::QUESTIONS;
pub use registers::{Register, Registers};
use watch::Watch;

use crate::codec::Instruction;
use crate::isa::Target;

/// What an instruction reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// What each source register holds: the dword, or of a 64-bit operand the first register in bits 31:0 and the next
    /// in 63:32. Where CDNA5 reads a single SGPR for a pair, only bits 31:0 count. Nothing is read here of a source that
    /// is a constant. With DPP, source 0 is what the lane receives.
    pub src: [u64; 3],
    /// What the destination held before, of which mixlo and mixhi keep a half.
    pub old: u32,
}

/// The result of an instruction on one lane: the destination dword, or of a 64-bit destination the first register in
/// bits 31:0 and the next in 63:32. `None` if the opcode is not elementwise.
pub fn execute<W: Watch>(
    target: Target,
    instruction: &Instruction,
    inputs: &Inputs,
    mode: Mode,
    readings: Readings,
    watch: &mut W,
) -> Option<u64> {
    _ = (target, instruction, inputs, mode, readings, watch);
    None
}
