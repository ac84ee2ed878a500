//! What an elementwise VOP3P instruction computes, bit for bit.
//!
//! In reading order:
//!
//! * [`mod@format`]: the binary formats, as widths.
//! * [`arithmetic`]: exact value, one rounding, flush, pack, in any format.
//! * [`mode`]: the MODE register.
//! * [`environment`]: MODE and readings as what the arithmetic of each format asks for.
//! * [`profile`]: the numeric questions, their answers, and how each is known on a target.
//! * `operands`, `packed`, `minmax`, `mix`, `integer`: what is read, and what each family of operations makes of it.
//! * [`registers`]: registers by name, as what an instruction reads.
//! * [`slices`]: fused multiply-add of whole slices in the default mode, fast.
//! * [`watch`]: the steps of an evaluation, for those who want to see them.

pub mod arithmetic;
pub mod environment;
pub mod format;
mod integer;
mod minmax;
mod mix;
pub mod mode;
mod operands;
mod packed;
pub mod profile;
mod questions;
pub mod registers;
pub mod slices;
#[cfg(test)]
mod tests;
pub mod watch;

pub use mode::{Mode, ModeError};
use operands::Operands;
pub use profile::{Provenance, Question, Reading, Readings};
pub use questions::QUESTIONS;
pub use registers::{Register, Registers};
use watch::Watch;

use crate::codec::Instruction;
use crate::isa::{Format, Operation, Target};

/// What an instruction reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// What each source register holds: the dword, or of a 64-bit operand the first register in bits 31:0 and the next
    /// in 63:32. Where CDNA5 reads a single SGPR for a pair, only bits 31:0 count. Nothing is read here of a source
    /// that is a constant. With DPP, source 0 is what the lane receives.
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
    let operation = instruction.opcode.operation?;
    let mode = mode.on(target);
    let operands = Operands::new(target, instruction, inputs, readings);
    match (operation, instruction.opcode.vdst) {
        (Operation::Mix(part), _) => Some(mix::execute(part, &operands, mode, watch)),
        (Operation::Move, _) => Some(integer::move_dwords(&operands, watch)),
        (_, Format::Pk2I16 | Format::Pk2U16) => integer::execute(operation, &operands, watch),
        _ => packed::execute(operation, &operands, mode, watch),
    }
}
