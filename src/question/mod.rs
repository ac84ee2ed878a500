//! What is asked of whoever computes an instruction: what it reads, MODE, and which answer is taken where sources differ.
//!
//! [`crate::exec`] and the oracle on MPFR both answer it. Nothing here computes, decodes a float or rounds, so that they
//! share the question and no part of an answer.
//!
//! * [`Inputs`]: what an instruction reads.
//! * [`Mode`]: the MODE register, its notation, and which of its bits a target has.
//! * [`Question`], [`Reading`], [`Readings`]: the numeric questions, their answers, and a choice among them;
//!   [`QUESTIONS`] says how each answer is known on a target.

mod mode;
mod profile;
mod table;

pub use mode::{Mode, ModeError};
pub use profile::{Provenance, Question, QuestionRow, Reading, ReadingRow, Readings, Support};
pub use table::QUESTIONS;

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
