//! Which instruction is on which target: by AMD's tables, and by LLVM as measured.
//!
//! * `measure`: what one LLVM has.
//! * `table`: AMD's side and what was measured, a row an instruction, and where they differ.
//! * `find`: rows by name.

mod find;
mod measure;
mod table;

use std::fmt;

pub use find::NameError;
pub use measure::{Measured, measure};
pub use table::{Difference, Row, Seen, Table, What};

/// The number of an instruction: of its opcode, or of the two words of a scaled pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    /// Of the word, or of the first one.
    pub op: u8,
    /// Of the second word of a pair.
    pub body: Option<u8>,
}

/// `14`, or `53+51`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.body {
            None => write!(f, "{}", self.op),
            Some(body) => write!(f, "{}+{body}", self.op),
        }
    }
}
