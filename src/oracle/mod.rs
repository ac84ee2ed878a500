//! What others say of a case: each oracle answers for a window, or a line of text, without sharing any work with this
//! crate's core.
//!
//! [`llvm`] runs LLVM's own disassemblers, `llvm-mc` and `llvm-objdump`, and its assembler, as child processes over
//! whole batches. [`mpfr`] computes what an elementwise instruction gives, exactly and once more; [`apfloat`] is a
//! second opinion on the bare operations. [`vectors`] is what others published that instructions compute.

pub mod apfloat;
pub mod llvm;
pub mod mpfr;
pub mod vectors;
