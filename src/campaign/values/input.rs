//! The input of the fuzz target `fma`: bytes that stay meaningful when the generator changes.
//!
//! Format, version 1; all numbers little-endian:
//!
//! ```text
//! u8  version, 1
//! then records, each a tag and its data; an unknown tag or a record cut short ends the input
//!   0x01  u64 seed, u16 count      that many cases drawn by the generator (at most 8192)
//!   0x02  u8 target                one case: the place in `isa::Target::distinct`, modulo their number
//!         u8 n (2 to 4), n dwords  the window; what is no elementwise instruction is left out
//!         u32 MODE
//!         u8 k, k · (u8, u8)       readings that are no defaults: question and answer, by their places
//!         3 · u64, u32             what the sources and the old destination hold
//! ```
//!
//! Bytes without a record (libFuzzer starts with few) draw 8000 cases from their own hash.

use super::Case;
use super::generate::{Generator, inputs, instruction, mode, tidy};
use crate::campaign::bytes::{read_drawn, read_window, write_drawn, write_window};
use crate::campaign::{Draw, seed_of};
use crate::codec::{decode, encode};
use crate::isa::Target;
use crate::question::{Inputs, Mode, QUESTIONS, Readings};

/// The version this crate writes and reads.
pub const VERSION: u8 = 1;

/// Most cases one record may draw.
const MOST_DRAWN: u16 = 8192;

/// Cases a mutated input draws.
const DRAWN: u16 = 8000;

/// Most single cases that mutation lets an input keep.
const MOST_SINGLES: usize = 32;

const TAG_DRAW: u8 = 1;
const TAG_CASE: u8 = 2;

/// One input: cases drawn from seeds, and single cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The records.
    pub records: Vec<Record>,
}

/// One record of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum Record {
    /// Cases drawn by the generator.
    Drawn {
        /// The seed.
        seed: u64,
        /// How many.
        count: u16,
    },
    /// One case.
    Case(Case),
}

impl Input {
    /// Reads an input; `None` if the version is not this one.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let [VERSION, rest @ ..] = bytes else { return None };
        let mut records = Vec::new();
        let mut rest = rest;
        while let Some((record, after)) = read_record(rest) {
            records.extend(record);
            rest = after;
        }
        Some(Self { records })
    }

    /// Reads any bytes: an input without records, or of another version, draws cases from the hash of its bytes.
    #[must_use]
    pub fn from_any(bytes: &[u8]) -> Self {
        match Self::read(bytes) {
            Some(input) if !input.records.is_empty() => input,
            _ => Self { records: vec![Record::Drawn { seed: seed_of(bytes), count: DRAWN }] },
        }
    }

    /// The bytes. A case whose instruction has no encoding is left out.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        for record in &self.records {
            match record {
                Record::Drawn { seed, count } => {
                    bytes.push(TAG_DRAW);
                    write_drawn(*seed, *count, &mut bytes);
                }
                Record::Case(case) => write_case(case, &mut bytes),
            }
        }
        bytes
    }

    /// The cases.
    #[must_use]
    pub fn cases(&self, generator: &Generator) -> Vec<Case> {
        let mut cases = Vec::new();
        for record in &self.records {
            match record {
                Record::Case(case) => cases.push(*case),
                Record::Drawn { seed, count } => {
                    cases.extend(generator.batch(*seed, usize::from((*count).min(MOST_DRAWN))));
                }
            }
        }
        cases
    }

    /// Another input close to this one: with freshly drawn cases, and a single case or a few changed in one field.
    #[must_use]
    pub fn mutated(&self, random: u64, generator: &Generator) -> Self {
        let mut draw = Draw::new(random);
        let mut singles: Vec<Case> = self
            .records
            .iter()
            .filter_map(|record| match record {
                Record::Case(case) => Some(*case),
                Record::Drawn { .. } => None,
            })
            .collect();
        for _ in 0..1 + draw.below(4) {
            let changed = match singles.len() as u32 {
                0 => generator.case(&mut draw),
                count => {
                    let place = draw.below(count) as usize;
                    mutate(&singles[place], &mut draw, generator)
                }
            };
            singles.push(changed);
        }
        let surplus = singles.len().saturating_sub(MOST_SINGLES);
        let mut records = vec![Record::Drawn { seed: draw.wide(), count: DRAWN }];
        records.extend(singles.into_iter().skip(surplus).map(Record::Case));
        Self { records }
    }
}

/// The case with one field changed.
fn mutate(case: &Case, draw: &mut Draw, generator: &Generator) -> Case {
    let mut case = *case;
    let slot = draw.below(case.instruction.opcode.sources() as u32) as usize;
    let bit = 1_u8 << slot;
    match draw.below(12) {
        0 => case.inputs.src[slot] ^= 1 << draw.below(64),
        1 => case.inputs.src[slot] = case.inputs.src[slot].wrapping_add(1),
        2 => case.inputs.src[slot] = case.inputs.src[slot].wrapping_sub(0x1_0000),
        3 => case.inputs.src[slot] = case.inputs.src[(slot + 1) % 3],
        4 => case.inputs = inputs(draw, &case),
        5 => case.instruction = instruction(draw, case.target, case.instruction.opcode),
        6 => case.mode = mode(draw).on(case.target),
        7 => {
            let operation = case.instruction.opcode.operation;
            case.readings = generator.readings(draw, operation, Readings::of(case.target));
        }
        8 => case.instruction.clamp ^= true,
        9 => case.instruction.op_sel ^= bit,
        10 => case.instruction.op_sel_hi ^= bit,
        _ => case.instruction.neg_lo ^= bit,
    }
    case.inputs = tidy(case.target, &case.instruction, case.inputs);
    case
}

fn write_case(case: &Case, bytes: &mut Vec<u8>) {
    let Ok(window) = encode(case.target, &case.instruction) else { return };
    bytes.extend([TAG_CASE, case.target.place() as u8]);
    write_window(&window, bytes);
    bytes.extend(case.mode.raw.to_le_bytes());
    let start = bytes.len();
    bytes.push(0);
    for (question, row) in QUESTIONS.iter().enumerate() {
        let chosen = case.readings.answer(row.question).reading;
        if chosen != row.default_on(case.target).0.reading {
            let answer = row.readings.iter().position(|reading| reading.reading == chosen).unwrap_or(0);
            bytes.extend([question as u8, answer as u8]);
            bytes[start] += 1;
        }
    }
    bytes.extend(case.inputs.src.iter().flat_map(|bits| bits.to_le_bytes()));
    bytes.extend(case.inputs.old.to_le_bytes());
}

/// A record and what follows it; the record is `None` if its case is none.
fn read_record(bytes: &[u8]) -> Option<(Option<Record>, &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    match *tag {
        TAG_DRAW => read_drawn(rest).map(|(seed, count, rest)| (Some(Record::Drawn { seed, count }), rest)),
        TAG_CASE => {
            let (target, rest) = rest.split_first()?;
            let target = Target::from_place(usize::from(*target));
            let (window, rest) = read_window(rest)?;
            let (mode, rest) = rest.split_first_chunk::<4>()?;
            let (answers, rest) = rest.split_first()?;
            let (answers, rest) = rest.split_at_checked(usize::from(*answers) * 2)?;
            let (src, rest) = rest.split_first_chunk::<24>()?;
            let (old, rest) = rest.split_first_chunk::<4>()?;
            let mut inputs = Inputs { src: [0; 3], old: u32::from_le_bytes(*old) };
            for (held, bytes) in inputs.src.iter_mut().zip(src.as_chunks::<8>().0) {
                *held = u64::from_le_bytes(*bytes);
            }
            let mode = Mode { raw: u32::from_le_bytes(*mode) }.on(target);
            let mut readings = Readings::of(target);
            for [question, answer] in answers.as_chunks::<2>().0 {
                let row = QUESTIONS.get(usize::from(*question));
                if let Some(reading) = row.and_then(|row| row.readings.get(usize::from(*answer))) {
                    readings = readings.with(reading.reading);
                }
            }
            let decoded = decode(target, &window).ok();
            let case = decoded.filter(|decoded| decoded.instruction.opcode.operation.is_some()).map(|decoded| {
                let instruction = decoded.instruction;
                let inputs = tidy(target, &instruction, inputs);
                Record::Case(Case { target, instruction, inputs, mode, readings })
            });
            Some((case, rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Window;
    use crate::question::Reading;

    fn mixlo() -> Case {
        let target: Target = "gfx1100".parse().unwrap();
        // v_fma_mixlo_f16 v0, v2, v4, v6
        let window = Window::from_word(0x041a_0902_cc21_0000);
        let instruction = decode(target, &window).unwrap().instruction;
        let inputs = Inputs { src: [0x3800_0000, 0x3800_0000, 0x3f80_1000], old: 0xdead_beef };
        let readings = Readings::of(target).with(Reading::MixSingle);
        Case { target, instruction, inputs, mode: Mode { raw: 0x3f4 }, readings }
    }

    #[test]
    fn the_bytes_of_version_1() {
        let input = Input { records: vec![Record::Drawn { seed: 3, count: 8000 }, Record::Case(mixlo())] };
        let place = "gfx1100".parse::<Target>().unwrap().place() as u8;
        let bytes = [
            vec![1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x1f], // 8000 = 0x1f40
            vec![2, place, 2, 0x00, 0x00, 0x21, 0xcc, 0x02, 0x09, 0x1a, 0x04],
            vec![0xf4, 0x03, 0, 0],
            vec![1, 9, 1], // mixlo is question 9, single its answer 1
            vec![0, 0, 0, 0x38, 0, 0, 0, 0, 0, 0, 0, 0x38, 0, 0, 0, 0, 0, 0x10, 0x80, 0x3f, 0, 0, 0, 0],
            vec![0xef, 0xbe, 0xad, 0xde],
        ]
        .concat();
        assert_eq!(input.write(), bytes);
        assert_eq!(Input::read(&bytes), Some(input));
    }

    #[test]
    fn what_is_cut_short_ends_the_input_and_another_version_is_none() {
        assert_eq!(Input::read(&[]), None);
        assert_eq!(Input::read(&[2, 0]), None);
        assert_eq!(Input::read(&[1, 1, 2, 3]).unwrap().records, []);
        assert_eq!(Input::read(&[1, 2, 0, 5, 0, 0]).unwrap().records, []);
        let whole = Input { records: vec![Record::Case(mixlo())] }.write();
        for length in 1..whole.len() {
            assert_eq!(Input::read(&whole[..length]).unwrap().records, [], "{length}");
        }
        // FNV-1a of no byte is its offset basis.
        assert_eq!(Input::from_any(&[]).records, [Record::Drawn { seed: 0xcbf2_9ce4_8422_2325, count: 8000 }]);
    }

    #[test]
    fn mutation_keeps_the_format() {
        let generator = Generator::new();
        let mut input = Input { records: vec![Record::Case(mixlo())] };
        for random in 0..300 {
            input = input.mutated(random, &generator);
            assert!(input.records.len() <= MOST_SINGLES + 1);
            assert_eq!(Input::read(&input.write()), Some(input.clone()), "{random}");
        }
    }
}
