//! What others say of a case: each oracle answers for a window, or a line of text, without knowing anything of this
//! crate's core.
//!
//! [`llvm`] runs LLVM's own disassemblers, `llvm-mc` and `llvm-objdump`, and its assembler, as child processes over
//! whole batches. [`vectors`] is what others published that instructions compute.

pub mod llvm;
pub mod vectors;
