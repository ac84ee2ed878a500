//! VOP3P, the packed-math and matrix encoding of AMD GPUs: what AMD specifies, held against LLVM.
//!
//! In reading order:
//!
//! * [`isa`]: what AMD defines. Processors, generations, opcodes, operands and legality rules, as tables.
//! * [`codec`]: a window of bytes to an [`Instruction`](codec::Instruction) and back.
//! * [`asm`]: the instruction as LLVM's text, LLVM's text as an instruction, and what people write as bytes.
//! * [`question`]: what is asked of whoever computes an instruction: its inputs, MODE, and the reading of the sources.
//! * [`exec`]: what an elementwise instruction computes, bit for bit, under any MODE and any reading of the sources.
//!
//! These five are the core: no dependency, no I/O, no panic. The rest needs the feature `oracle`:
//!
//! * `oracle`: what others say: LLVM's tools of a window or a text, as child processes; MPFR and published results of
//!   what an instruction computes.
//! * `compare`: our answer beside theirs, as findings.
//! * `case`, `text_case`, `value_case`, `plain`: a window, a text or a computation to judge, as a line; the plainest
//!   value of each field.
//! * `commands`: the commands that show a case again, ours and stock LLVM's.
//! * `ledger`: the causes of the known disagreements, each with a verdict and the signs that show it.
//! * `judge`, `assembling`: from windows and from texts to verdicts, a batch at a time.
//! * `campaign`: where windows come from, what becomes of them, and how a finding is made small; `campaign::values`: the
//!   same for what instructions compute.
//! * `text_laws`: what holds of every text.
//! * `compat`: which instruction is on which target, by AMD's tables and by LLVM as measured.
//! * `conform`: what LLVM's own tests say of its assembler and disassembler, as cases, and whether ours agrees.
//! * `prove`: the f16 arithmetic, proven by exhaustion.
//! * `spec`: AMD's machine-readable ISA (XML), held against our tables.
//! * `sweep`: every combination of what a word has, judged in order, and what was covered, as a certificate.
//! * `triage`: from what a sweep found to causes.
//! * `report`: findings as a block of text and as JSON; `report::html`: a triage as a page.
//!
//! The command-line tool is `src/cli`, one file a subcommand; the fuzz targets are in `fuzz/fuzz_targets`; the known
//! disagreements are `corpus/ledger`, the regression cases `corpus/decode`, `corpus/encode` and `corpus/fma`, sample
//! tests `corpus/conform`, small files in AMD's XML schema `corpus/spec`, published results `corpus/vectors`, and questions for those who have a chip `corpus/open`.

pub mod asm;
#[cfg(feature = "oracle")]
pub mod assembling;
#[cfg(feature = "oracle")]
pub mod campaign;
#[cfg(feature = "oracle")]
pub mod case;
#[cfg(feature = "oracle")]
mod case_line;
pub mod codec;
#[cfg(feature = "oracle")]
pub mod commands;
#[cfg(feature = "oracle")]
pub mod compare;
#[cfg(feature = "oracle")]
pub mod compat;
#[cfg(feature = "oracle")]
pub mod conform;
pub mod exec;
pub mod isa;
#[cfg(feature = "oracle")]
pub mod judge;
#[cfg(feature = "oracle")]
pub mod ledger;
#[cfg(feature = "oracle")]
pub mod oracle;
#[cfg(feature = "oracle")]
pub mod plain;
#[cfg(feature = "oracle")]
pub mod prove;
pub mod question;
#[cfg(feature = "oracle")]
pub mod report;
#[cfg(feature = "oracle")]
pub mod spec;
#[cfg(feature = "oracle")]
pub mod sweep;
#[cfg(feature = "oracle")]
pub mod text_case;
#[cfg(feature = "oracle")]
pub mod text_laws;
#[cfg(feature = "oracle")]
pub mod triage;
#[cfg(feature = "oracle")]
pub mod value_case;
