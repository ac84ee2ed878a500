//! VOP3P, the packed-math encoding of AMD GPUs: what AMD specifies, held against LLVM and against exact results.
//!
//! In reading order:
//!
//! * [`isa`]: what AMD defines. Processors, generations, opcodes, operands and legality rules, as tables.
//! * [`codec`]: a window of bytes to an [`Instruction`](codec::Instruction) and back.
//! * [`asm`]: the instruction as LLVM's text, and LLVM's text as an instruction.
//!
//! These three are the core: no dependency, no `unsafe`, no I/O, no panic.

pub mod asm;
pub mod codec;
pub mod isa;
