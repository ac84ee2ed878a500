//! LLVM's assembly text of an [`Instruction`](crate::codec::Instruction): printing, reading what LLVM prints, and
//! assembling what people write.

mod assemble;
mod parse;
mod print;
mod read;

pub use assemble::{AssembleError, Assembled, assemble, place_of};
pub use parse::{ParseError, Place, parse};
pub use print::{Text, print};
pub use read::{ReadError, read, read_expecting};
