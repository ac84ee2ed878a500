//! What an elementwise VOP3P instruction computes, bit for bit: an answer to what [`crate::question`] asks.
//!
//! In reading order:
//!
//! * [`mod@format`]: the binary formats, as widths.
//! * [`arithmetic`]: exact value, one rounding, flush, pack, in any format.
//! * [`mode`]: the fields of MODE as the arithmetic reads them.
//! * [`environment`]: MODE and readings as what the arithmetic of each format asks for.
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
pub mod registers;
pub mod slices;
#[cfg(test)]
mod tests;
pub mod watch;

use operands::Operands;
pub use registers::{Register, Registers};
use watch::Watch;

use crate::codec::Instruction;
use crate::isa::{Format, Operation, Target};
use crate::question::{Inputs, Mode, Readings};

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
