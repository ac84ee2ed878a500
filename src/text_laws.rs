//! What holds of every text, whatever it is: the property of the fuzz target `asm` and, on a fixed seed, of the tests.
//!
//! An input is one byte, the place of the target ([`Target::from_place`]), and a text.

use crate::asm::{AssembleError, Assembled, assemble, parse, place_of, print, read};
use crate::campaign::{Draw, Generator};
use crate::codec::{Instruction, Style, decode};
use crate::isa::{MODIFIERS, Rule, SPECIALS, Target};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No instruction of the target.
    Refused,
    /// An instruction that has no encoding or breaks a rule.
    Illegal,
    /// An instruction with bytes.
    Assembled,
}

/// The target and the text of an input.
#[must_use]
pub fn input(data: &[u8]) -> (Target, String) {
    let (place, text) = data.split_first().map_or((0, data), |(place, text)| (usize::from(*place), text));
    (Target::from_place(place), String::from_utf8_lossy(text).into_owned())
}

/// The input of a target and a text.
#[must_use]
pub fn bytes(target: Target, text: &str) -> Vec<u8> {
    std::iter::once(target.place() as u8).chain(text.bytes()).collect()
}

/// Holds a text against every law.
///
/// # Errors
/// Says which one it breaks.
pub fn check(target: Target, text: &str) -> Result<Outcome, String> {
    let broken = |law: &str| Err(format!("{target} {text:?}: {law}"));
    let parsed = parse(target, text);
    // The other dialect need not take the text, but it must not panic.
    let _ = read(target, text);
    let answers = [Style::Llvm, Style::Sp3].map(|style| assemble(target, text, style));
    let instruction = match &parsed {
        Ok(instruction) => *instruction,
        Err(error) => {
            if answers.iter().any(|answer| *answer != Err(AssembleError::Parse(error.clone()))) {
                return broken("assembles, or is refused, otherwise than it parses");
            }
            if error.to_string().is_empty() || !is_place(text, (error.column, error.length)) {
                return broken(&format!("{error:?} is no place in the text"));
            }
            return Ok(Outcome::Refused);
        }
    };
    let printed = print(target, &instruction);
    if parse(target, &printed).as_ref() != Ok(&instruction) {
        return broken(&format!("prints as {printed:?}, which is another instruction"));
    }
    if read(target, &printed).as_ref() != Ok(&instruction) {
        return broken(&format!("prints as {printed:?}, which reads as another instruction"));
    }
    let mut outcome = Outcome::Illegal;
    for (style, answer) in [Style::Llvm, Style::Sp3].into_iter().zip(&answers) {
        match answer {
            Ok(assembled) => {
                outcome = Outcome::Assembled;
                if let Err(law) = check_assembled(target, text, &instruction, style, assembled) {
                    return broken(&format!("{style:?}: {law}"));
                }
            }
            Err(error) if !is_place(text, error.columns()) => return broken(&format!("{error:?} is no place in it")),
            Err(AssembleError::Parse(error)) => return broken(&format!("parses, and assembling says {error}")),
            Err(_) => {}
        }
        if assemble(target, &printed, style).map_err(drop) != answer.clone().map_err(drop) {
            return broken(&format!("{style:?}: {printed:?} assembles otherwise"));
        }
    }
    if answers[0].is_ok() != answers[1].is_ok() {
        return broken("assembles in one style only");
    }
    Ok(outcome)
}

fn check_assembled(
    target: Target,
    text: &str,
    instruction: &Instruction,
    style: Style,
    assembled: &Assembled,
) -> Result<(), String> {
    let Assembled { instruction: ours, window, notes } = assembled;
    if ours != instruction {
        return Err("assembles another instruction than it parses to".to_owned());
    }
    if !notes.iter().all(|rule| is_place(text, place_of(target, text, rule))) {
        return Err(format!("{notes:?} has no place in the text"));
    }
    let decoded = decode(target, window).map_err(|error| format!("{window} is undefined: {error}"))?;
    if decoded.instruction != *instruction || usize::from(decoded.size) != window.byte_len() {
        return Err(format!("{window} decodes as {}", print(target, &decoded.instruction)));
    }
    // What a style writes into bits that the text does not speak of is no note of the text: LLVM sets OP_SEL_HI of CDNA5's
    // matrix words, AMD clears OP_SEL_HI[2] of an instruction with two sources.
    let of_style = match style {
        Style::Llvm => Rule::WmmaUnusedField,
        Style::Sp3 => Rule::UnusedSource,
    };
    if decoded.notes.without(of_style) != *notes {
        return Err(format!("{window} has the notes {:?}, the text {notes:?}", decoded.notes));
    }
    Ok(())
}

/// Whether a column and a length are in the text.
fn is_place(text: &str, (column, length): (usize, usize)) -> bool {
    column >= 1 && column - 1 + length <= text.chars().count()
}

/// The text of a drawn word.
#[must_use]
pub fn fresh(target: Target, draw: &mut Draw) -> String {
    let generator = Generator::new(target);
    for _ in 0..8 {
        if let Ok(decoded) = decode(target, &generator.window(draw)) {
            return print(target, &decoded.instruction);
        }
    }
    "v_pk_add_f16 v0, v1, v2".to_owned()
}

/// Words that mean something somewhere.
const WORDS: [&str; 64] = [
    "v0",
    "v255",
    "v256",
    "v[0:1]",
    "v[2:3]",
    "v[4:7]",
    "v[254:255]",
    "v[0:15]",
    "a0",
    "a[0:3]",
    "acc1",
    "s0",
    "s1",
    "s[2:3]",
    "s[3:4]",
    "s105",
    "ttmp[2:3]",
    "[v1,v2]",
    "[s2, s3]",
    "vcc",
    "scc",
    "lds_direct",
    "exec",
    "null",
    "0",
    "1",
    "-1",
    "64",
    "65",
    "-17",
    "0x3c00",
    "0x3f800000",
    "0x3f80",
    "0xffff",
    "0x40490fdb",
    "0x12345678",
    "1.0",
    "-4.0",
    "0.15915494",
    "1.5",
    "1e39",
    "-0.0",
    "0x1p-3",
    "010",
    "lit(1)",
    "lit(1.0)",
    "-lit(0x40)",
    "lit64(2)",
    "neg(v1)",
    "abs(v2)",
    "-|v3|",
    "|1.0|",
    "clamp",
    "noclamp",
    "op_sel:[1,0,0]",
    "op_sel:[1]",
    "op_sel_hi:[0,1]",
    "neg_lo:[1,0,0]",
    "neg_hi:[0,0,1]",
    "neg:[1,0,1]",
    "row_shl:1",
    "quad_perm:[0,1,2,3]",
    "dpp8:[7,6,5,4,3,2,1,0]",
    "bound_ctrl:1 row_mask:0x3 fi:1",
];

/// Characters between and around words.
const MARKS: [char; 28] = [
    ' ', '\t', '\n', '\r', ',', '[', ']', '(', ')', ':', '|', '-', '+', '.', ';', '/', '*', '#', '_', '0', '9', 'x',
    'v', 's', 'e', 'é', '\u{0}', '€',
];

/// A text near this one, or a fresh one.
#[must_use]
pub fn mutated(target: Target, text: &str, draw: &mut Draw) -> String {
    if text.is_empty() || draw.chance(10) {
        return fresh(target, draw);
    }
    let mut words: Vec<String> = text.split_inclusive([' ', ',', '\t']).map(str::to_owned).collect();
    for _ in 0..=draw.below(3) {
        let at = draw.below(words.len() as u32) as usize;
        match draw.below(10) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words.swap(at, 0),
            3 => words[at] = format!("{}, ", draw.one_of(&WORDS)),
            4 => words.push(format!(" {}", draw.one_of(&WORDS))),
            5 => {
                let row = &MODIFIERS[draw.below(MODIFIERS.len() as u32) as usize];
                words.push(format!(" {}:{}", row.name, draw.below(9)));
            }
            6 => words[at] = format!("{}, ", SPECIALS[draw.below(SPECIALS.len() as u32) as usize].name),
            7 => {
                let opcodes: Vec<_> = target.opcodes().map(|opcode| opcode.llvm).collect();
                words[0] = format!("{} ", draw.one_of(&opcodes));
            }
            8 => {
                // Another number in place of one.
                let digits: Vec<usize> =
                    words[at].match_indices(|c: char| c.is_ascii_digit()).map(|(i, _)| i).collect();
                if !digits.is_empty() {
                    let place = draw.one_of(&digits);
                    words[at].replace_range(place..=place, &draw.below(20).to_string());
                }
            }
            _ => {
                let mut letters: Vec<char> = words[at].chars().collect();
                let place = draw.below(letters.len() as u32 + 1) as usize;
                match letters.get_mut(place) {
                    Some(letter) if draw.chance(50) => *letter = draw.one_of(&MARKS),
                    Some(_) if draw.chance(50) => drop(letters.remove(place)),
                    _ => letters.insert(place, draw.one_of(&MARKS)),
                }
                words[at] = letters.into_iter().collect();
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_hold_on_a_fixed_seed() {
        let mut draw = Draw::new(1);
        let mut seen = [0_usize; 3];
        for target in Target::distinct() {
            let mut text = fresh(target, &mut draw);
            for _ in 0..1500 {
                match check(target, &text) {
                    Ok(outcome) => seen[outcome as usize] += 1,
                    Err(law) => panic!("{law}"),
                }
                // From what was refused nothing good comes.
                let base = if parse(target, &text).is_ok() { text } else { fresh(target, &mut draw) };
                text = mutated(target, &base, &mut draw);
            }
        }
        let [refused, illegal, assembled] = seen;
        assert!(refused > 8000 && illegal > 1000 && assembled > 8000, "refused, illegal, assembled: {seen:?}");
    }

    #[test]
    fn an_input_is_a_target_and_a_text() {
        let target = "gfx1100:w64".parse().unwrap();
        assert_eq!(input(&bytes(target, "v_é")), (target, "v_é".to_owned()));
        assert_eq!(input(&[0, 0xff]), (Target::FIRST, "\u{fffd}".to_owned()));
        assert_eq!(input(&[]), (Target::FIRST, String::new()));
    }
}
