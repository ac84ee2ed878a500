//! One difference between a file of AMD's and our tables.

use std::fmt;

use serde::Serialize;

use super::known::Known;
use super::xml::Place;

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Aspect {
    OpcodeMissing,
    OpcodeExtra,
    OpcodeNumber,
    Name,
    /// An encoding that an opcode lacks in the file.
    FormMissing,
    /// An encoding that an opcode has in the file alone.
    FormExtra,
    OperandMissing,
    OperandExtra,
    OperandKind,
    OperandSize,
    DataFormat,
    /// Read or written.
    Direction,
    EncodingMissing,
    EncodingExtra,
    EncodingSize,
    /// The fixed bits of an encoding's identifiers.
    Prefix,
    /// The opcodes of an encoding's identifiers.
    Identifier,
    FieldMissing,
    FieldExtra,
    FieldBits,
    FormatSize,
}

impl Aspect {
    /// The heading under which it is listed.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::OpcodeMissing | Self::OpcodeExtra | Self::OpcodeNumber | Self::Name => "opcodes",
            Self::FormMissing | Self::FormExtra => "encodings of opcodes",
            Self::OperandMissing
            | Self::OperandExtra
            | Self::OperandKind
            | Self::OperandSize
            | Self::DataFormat
            | Self::Direction => "operands",
            Self::EncodingMissing | Self::EncodingExtra | Self::EncodingSize | Self::Prefix | Self::Identifier => {
                "encodings"
            }
            Self::FieldMissing | Self::FieldExtra | Self::FieldBits => "fields",
            Self::FormatSize => "data formats",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub aspect: Aspect,
    /// The element that says so; of what is missing, the one that should have it.
    pub place: Place,
    /// The instruction, the encoding or the data format.
    pub of: String,
    /// The number of the opcode, where one has two sides.
    pub opcode: Option<u32>,
    /// The operand, the field or the encoding of an opcode; empty where the whole differs.
    pub part: String,
    /// The encodings in which an instruction differs so.
    pub encodings: Vec<String>,
    /// What the file says.
    pub file: String,
    /// What our table says.
    pub ours: String,
    /// Why it is so, where that is known.
    pub known: Option<&'static Known>,
}

/// The difference without its place.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, part, file, ours, .. } = self;
        f.write_str(of)?;
        if let Some(opcode) = self.opcode {
            write!(f, " (opcode {opcode})")?;
        }
        let lacks_part = matches!(self.aspect, Aspect::FormMissing | Aspect::FormExtra);
        if !part.is_empty() && !lacks_part {
            write!(f, ", {part}")?;
        }
        let both = |f: &mut fmt::Formatter<'_>, what: &str, unit: &str| {
            write!(f, ": {what}{file}{unit} in the file, {ours} in our table")
        };
        match self.aspect {
            Aspect::OpcodeMissing => f.write_str(": not in the file"),
            Aspect::OpcodeExtra => f.write_str(": not in our table"),
            Aspect::OpcodeNumber => both(f, "opcode ", ""),
            Aspect::Name => both(f, "name ", ""),
            Aspect::FormMissing => write!(f, ": no {part} in the file"),
            Aspect::FormExtra => write!(f, ": {part} in the file, not in our table"),
            Aspect::OperandMissing => f.write_str(": no such operand in the file"),
            Aspect::OperandExtra => f.write_str(": no such operand in our table"),
            Aspect::OperandKind => both(f, "kind ", ""),
            Aspect::DataFormat => both(f, "format ", ""),
            Aspect::Direction => both(f, "", ""),
            Aspect::OperandSize | Aspect::EncodingSize | Aspect::FormatSize => both(f, "", " bits"),
            Aspect::EncodingMissing => f.write_str(": no such encoding in the file"),
            Aspect::EncodingExtra => f.write_str(": no such encoding in our table"),
            Aspect::Prefix if file.is_empty() => f.write_str(": no identifiers in the file"),
            Aspect::Prefix => both(f, "identifiers begin with ", ""),
            Aspect::Identifier if file.is_empty() => write!(f, ": no identifier of opcode {ours}"),
            Aspect::Identifier => write!(f, ": an identifier of opcode {file}, which no instruction has"),
            Aspect::FieldMissing => f.write_str(": no such field in the file"),
            Aspect::FieldExtra => write!(f, ": no such field in our table, bits {file}"),
            Aspect::FieldBits => both(f, "bits ", ""),
        }?;
        match &self.encodings[..] {
            [] => Ok(()),
            names => write!(f, " [{}]", names.join(", ")),
        }
    }
}

/// The bits of a field, the low part of the value first: `60:59 and 14`.
pub(super) fn bits_text(ranges: &[(u32, u32)]) -> String {
    let range = |(lo, width): &(u32, u32)| match width {
        0 => "none".to_owned(),
        1 => lo.to_string(),
        _ => format!("{}:{lo}", u64::from(*lo) + u64::from(*width) - 1),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(" and ")
}
