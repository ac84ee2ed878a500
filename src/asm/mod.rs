//! LLVM's assembly text of an [`Instruction`](crate::codec::Instruction).

mod print;
mod read;

pub use print::{Text, print};
pub use read::{ReadError, read, read_expecting};
