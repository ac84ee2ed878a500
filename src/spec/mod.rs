//! AMD's machine-readable ISA, held against this crate's tables.
//!
//! * `xml`, `read`: a file as what it says of VOP3P, each part with its place.
//! * `layout`, `format`, `expect`: what it would say if it agreed with our tables.
//! * `check`, `known`: the differences, and those that are known.

mod check;
mod difference;
mod expect;
mod format;
mod known;
mod layout;
mod read;
mod xml;

pub use check::{check, names};
pub use difference::{Aspect, Difference};
pub use known::Known;
pub use read::{At, Document, EncodedField, Encoding, Form, Instruction, Operand, read};
pub use xml::{Place, SpecError};

use crate::isa::{GENERATIONS, Generation, PROCESSORS};

/// The generation that AMD calls so: `AMD RDNA 3.5`, `AMD CDNA™ 3`; also one of its processors.
#[must_use]
pub fn generation_of(architecture: &str) -> Option<Generation> {
    let name: String = architecture
        .to_lowercase()
        .replace("(tm)", "")
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let name = name.strip_prefix("amd").unwrap_or(&name);
    let row = GENERATIONS.iter().find(|row| row.name == name).map(|row| row.generation);
    row.or_else(|| PROCESSORS.iter().find(|processor| processor.name == name).map(|processor| processor.generation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_generations() {
        for (name, generation) in [
            ("AMD RDNA 3.5", Some(Generation::Rdna35)),
            ("AMD RDNA\u{2122} 1", Some(Generation::Rdna1)),
            ("AMD CDNA(TM) 4", Some(Generation::Cdna4)),
            ("cdna5", Some(Generation::Cdna5)),
            ("gfx1250", Some(Generation::Cdna5)),
            ("AMD GCN 3", None),
            ("", None),
        ] {
            assert_eq!(generation_of(name), generation, "{name}");
        }
    }
}
