//! LLVM's printed text back to an instruction.

use core::fmt;

use super::parse::{Fault, Place, parse_line};
use crate::codec::Instruction;
use crate::isa::{Opcode, Target};

/// Why a text is no instruction of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// No opcode of this target is spelt so.
    Mnemonic(String),
    /// An operand that cannot be read, or is not as wide as the opcode wants; slot 0 is the destination.
    Operand {
        /// Place in the text, the destination being 0.
        slot: usize,
        /// As it stands there.
        text: String,
    },
    /// A modifier that cannot be read.
    Modifier(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mnemonic(name) => write!(f, "`{name}` is no VOP3P mnemonic of this target"),
            Self::Operand { slot: 0, text } => write!(f, "`{text}` is no destination of this opcode"),
            Self::Operand { slot, text } => write!(f, "`{text}` cannot be source {} of this opcode", slot - 1),
            Self::Modifier(text) => write!(f, "`{text}` is no modifier of this opcode"),
        }
    }
}

impl core::error::Error for ReadError {}

/// Reads one printed instruction: a hexadecimal number is a literal whatever its value, and what can be held is taken.
/// [`parse`](super::parse()) reads what people write.
///
/// # Errors
/// Says what cannot be read: the mnemonic, an operand, or a modifier.
pub fn read(target: Target, text: &str) -> Result<Instruction, ReadError> {
    read_expecting(target, text, None)
}

/// As [`read`]; looks at the opcode that is `expected` first, which spares the search.
///
/// # Errors
/// As [`read`].
pub fn read_expecting(target: Target, text: &str, expected: Option<&'static Opcode>) -> Result<Instruction, ReadError> {
    parse_line(target, text, true, expected).map(|parsed| parsed.instruction).map_err(|fault| read_error(&fault, text))
}

fn read_error(fault: &Fault, text: &str) -> ReadError {
    let found = fault.span.of(text).to_owned();
    match fault.place {
        Place::Mnemonic => ReadError::Mnemonic(found),
        Place::Operand(slot) => ReadError::Operand { slot: usize::from(slot), text: found },
        Place::Modifier => ReadError::Modifier(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(cpu: &str, text: &str) -> ReadError {
        read(cpu.parse().unwrap(), text).unwrap_err()
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(fails("gfx942", "v_mad_mix_f32 v0, v1, v2, v3"), ReadError::Mnemonic("v_mad_mix_f32".to_owned()));
        assert_eq!(
            fails("gfx900", "v_pk_add_f16 v0, v[1:2], v2"),
            ReadError::Operand { slot: 1, text: "v[1:2]".to_owned() }
        );
        assert_eq!(fails("gfx900", "v_pk_add_f16 s0, v1, v2"), ReadError::Operand { slot: 0, text: "s0".to_owned() });
        assert_eq!(
            fails("gfx900", "v_pk_add_f16 v0, v1, v2 op_sel:[1,0,0]"),
            ReadError::Modifier("op_sel:[1,0,0]".to_owned())
        );
        assert_eq!(fails("gfx900", "v_pk_add_f16 v0, v1"), ReadError::Operand { slot: 2, text: String::new() });
        assert_eq!(
            fails("gfx1100", "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3"),
            ReadError::Mnemonic("v_dot2_f32_f16_e64_dpp".to_owned())
        );
        assert_eq!(fails("gfx900", "s_nop 0"), ReadError::Mnemonic("s_nop".to_owned()));
    }

    #[test]
    fn no_text_panics() {
        for text in ["", " ", "v_pk_add_f16", "v_pk_add_f16 ", "v_pk_add_f16 v[", "v_pk_add_f16 v0, -, |", "é é"] {
            assert!(read("gfx900".parse().unwrap(), text).is_err(), "{text}");
        }
    }
}
