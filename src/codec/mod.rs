//! Bytes to [`Instruction`] and back.
//!
//! ```
//! use vop3p::codec::{Window, decode, encode};
//!
//! let target = "gfx900".parse()?;
//! let decoded = decode(target, &Window::from_word(0x040e_0480_d3a0_0005))?;
//! assert_eq!(vop3p::asm::print(target, &decoded.instruction), "v_mad_mix_f32 v5, 0, v2, v3");
//! assert_eq!(encode(target, &decoded.instruction)?, Window::from_word(0x040e_0480_d3a0_0005));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decode;
mod encode;
mod instruction;
mod layout;
mod matrix;
mod notation;
#[cfg(test)]
mod tests;
mod window;

pub use decode::{Decoded, SelectorFault, Undefined, decode};
pub use encode::{EncodeError, Style, encode, encode_like};
pub use instruction::{Dpp, Instruction, Scale};
pub use layout::{FIELDS, Field, FieldRow, fields_of};
pub use matrix::body_of;
pub use notation::WindowError;
pub use window::{MAX_DWORDS, Window};
