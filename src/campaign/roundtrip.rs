//! The properties that need no LLVM: what decodes encodes to its own bits, and what prints reads as itself.

use std::fmt;

use super::generate::{Draw, Generator};
use crate::asm;
use crate::codec::{Decoded, Window, decode, encode};
use crate::isa::Target;

/// What one word did not survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The target.
    pub target: Target,
    /// The word.
    pub window: Window,
    /// Its text.
    pub text: String,
    /// Which way, and what came back.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} `{}`: {}", self.target, self.window, self.text, self.what)
    }
}

/// Draws words of the target until `cases` of them were legal, and sends each there and back: `decode(encode(i)) = i`,
/// bits that are not ignored are kept, `parse(print(i)) = i`. How many words were drawn.
///
/// # Errors
/// The first word that comes back as another.
pub fn round_trips(target: Target, seed: u64, cases: u64) -> Result<u64, Box<Broken>> {
    let generator = Generator::new(target);
    let mut draw = Draw::new(seed);
    let (mut legal, mut drawn) = (0, 0);
    while legal < cases {
        let window = generator.window(&mut draw);
        drawn += 1;
        let Ok(decoded) = decode(target, &window) else { continue };
        if !decoded.notes.is_legal() {
            continue;
        }
        legal += 1;
        if let Some(what) = what_breaks(target, &window, &decoded) {
            let text = asm::print(target, &decoded.instruction);
            return Err(Box::new(Broken { target, window, text, what }));
        }
    }
    Ok(drawn)
}

fn what_breaks(target: Target, window: &Window, decoded: &Decoded) -> Option<String> {
    let Decoded { instruction, size, ignored, .. } = decoded;
    let again = match encode(target, instruction) {
        Ok(again) => again,
        Err(error) => return Some(format!("does not encode: {error}")),
    };
    let dwords = usize::from(*size) / 4;
    let bits = |window: &Window| {
        window.dwords().iter().take(dwords).rev().fold(0, |bits, dword| bits << 32 | u128::from(*dword))
    };
    if again.dwords().len() != dwords || (bits(&again) ^ bits(window)) & !ignored != 0 {
        return Some(format!("encodes as {again}"));
    }
    match decode(target, &again) {
        Ok(back) if back.instruction == *instruction => {}
        Ok(back) => return Some(format!("{again} decodes as {}", asm::print(target, &back.instruction))),
        Err(undefined) => return Some(format!("{again} does not decode: {undefined}")),
    }
    match asm::parse(target, &asm::print(target, instruction)) {
        Ok(back) if back == *instruction => None,
        Ok(back) => Some(format!("reads as {}", asm::print(target, &back))),
        Err(error) => Some(format!("does not read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_words_come_back_on_every_target() {
        for target in Target::distinct() {
            let drawn = round_trips(target, 77 + target.place() as u64, 4000);
            assert!(drawn.as_ref().is_ok_and(|drawn| *drawn < 40_000), "{drawn:?}");
        }
    }

    #[test]
    fn what_does_not_come_back_is_said() {
        // v_pk_add_f16 v0, v1, v2, held against an instruction with another destination.
        let target = "gfx900".parse().unwrap();
        let window: Window = "d38f4000 18020501".parse().unwrap();
        let mut decoded = decode(target, &window).unwrap();
        assert_eq!(what_breaks(target, &window, &decoded), None);
        decoded.instruction.vdst = 7;
        assert_eq!(what_breaks(target, &window, &decoded), Some("encodes as d38f4007 18020501".to_owned()));
    }
}
