//! The input of the fuzz target `decode`: bytes that stay meaningful when the generator changes.
//!
//! Format, version 2; all numbers little-endian:
//!
//! ```text
//! u8  version, 2
//! u8  target: place in `isa::Target::distinct`, modulo their number
//! then records, each a tag and its data; an unknown tag or a record cut short ends the input
//!   0x01  u64 seed, u16 count     that many windows drawn by the generator (at most 4096)
//!   0x02  u8 n (2 to 4), n dwords  one window
//! ```
//!
//! Bytes without a record (libFuzzer starts with few) draw 4000 windows from their own hash.

use super::bytes::{read_drawn, read_window, write_drawn, write_window};
use super::expand::Expander;
use super::generate::{Draw, Generator, mutate};
use crate::codec::Window;
use crate::isa::Target;

/// The version this crate writes and reads.
pub const VERSION: u8 = 2;

/// Most windows one record may draw.
const MOST_DRAWN: u16 = 4096;

/// Windows a mutated input draws: enough that the tools' start-up does not matter.
const DRAWN: u16 = 4000;

/// Most single windows that mutation lets an input keep.
const MOST_SINGLES: usize = 64;

const TAG_DRAW: u8 = 1;
const TAG_WINDOW: u8 = 2;

/// One input: a target, windows drawn from seeds, and single windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The target.
    pub target: Target,
    /// The records.
    pub records: Vec<Record>,
}

/// One record of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Windows drawn by the generator.
    Drawn {
        /// The seed.
        seed: u64,
        /// How many.
        count: u16,
    },
    /// One window.
    Window(Window),
}

impl Input {
    /// Reads an input; `None` if the version is not this one or the target is missing.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let [VERSION, target, rest @ ..] = bytes else { return None };
        let target = Target::from_place(usize::from(*target));
        let mut records = Vec::new();
        let mut rest = rest;
        while let Some((record, after)) = read_record(rest) {
            records.push(record);
            rest = after;
        }
        Some(Self { target, records })
    }

    /// Reads any bytes: an input without records, or of another version, draws windows from the hash of its bytes.
    #[must_use]
    pub fn from_any(bytes: &[u8]) -> Self {
        let seed = seed_of(bytes);
        let records = vec![Record::Drawn { seed, count: DRAWN }];
        match Self::read(bytes) {
            Some(input) if !input.records.is_empty() => input,
            Some(input) => Self { records, ..input },
            None => {
                let place = (seed % Target::DISTINCT as u64) as usize;
                Self { target: Target::from_place(place), records }
            }
        }
    }

    /// The bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, self.target.place() as u8];
        for record in &self.records {
            match record {
                Record::Drawn { seed, count } => {
                    bytes.push(TAG_DRAW);
                    write_drawn(*seed, *count, &mut bytes);
                }
                Record::Window(window) => {
                    bytes.push(TAG_WINDOW);
                    write_window(window, &mut bytes);
                }
            }
        }
        bytes
    }

    /// The windows.
    #[must_use]
    pub fn windows(&self, expander: &mut Expander<'_>) -> Vec<Window> {
        let mut windows = Vec::new();
        for record in &self.records {
            match record {
                Record::Window(window) => windows.push(*window),
                Record::Drawn { seed, count } => {
                    let count = usize::from((*count).min(MOST_DRAWN));
                    windows.extend(expander.batch(self.target, *seed, count));
                }
            }
        }
        windows
    }

    /// Another input close to this one: of the given target, with freshly drawn windows, and now and then a single
    /// window changed in one field.
    #[must_use]
    pub fn mutated(&self, target: Target, random: u64) -> Self {
        let mut draw = Draw::new(random);
        let mut singles: Vec<Window> = self
            .records
            .iter()
            .filter_map(|record| match record {
                Record::Window(window) => Some(*window),
                Record::Drawn { .. } => None,
            })
            .collect();
        for _ in 0..1 + draw.below(4) {
            let changed = match singles.len() as u32 {
                0 => Generator::new(target).window(&mut draw),
                count => mutate(target, &singles[draw.below(count) as usize], &mut draw),
            };
            singles.push(changed);
        }
        let surplus = singles.len().saturating_sub(MOST_SINGLES);
        let mut records = vec![Record::Drawn { seed: draw.wide(), count: DRAWN }];
        records.extend(singles.into_iter().skip(surplus).map(Record::Window));
        Self { target, records }
    }
}

/// A seed from any bytes, their FNV-1a hash: it must be the same on every machine.
#[must_use]
pub fn seed_of(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn read_record(bytes: &[u8]) -> Option<(Record, &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    match *tag {
        TAG_DRAW => read_drawn(rest).map(|(seed, count, rest)| (Record::Drawn { seed, count }, rest)),
        TAG_WINDOW => read_window(rest).map(|(window, rest)| (Record::Window(window), rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_version_2() {
        let window = Window::from_word(0x040e_0480_d3a0_0005);
        let target = Target::from_index(2).unwrap();
        let input = Input { target, records: vec![Record::Drawn { seed: 3, count: 4000 }, Record::Window(window)] };
        let bytes = [
            2, 2, // version, target
            1, 3, 0, 0, 0, 0, 0, 0, 0, 0xa0, 0x0f, // 4000 = 0x0fa0
            2, 2, 0x05, 0x00, 0xa0, 0xd3, 0x80, 0x04, 0x0e, 0x04,
        ];
        assert_eq!(input.write(), bytes);
        assert_eq!(Input::read(&bytes), Some(input));
    }

    #[test]
    fn what_is_cut_short_ends_the_input_and_another_version_is_none() {
        assert_eq!(Input::read(&[]), None);
        assert_eq!(Input::read(&[1, 0]), None);
        assert_eq!(Input::read(&[2, 0, 1, 2, 3]).unwrap().records, []);
        assert_eq!(Input::read(&[2, 0, 2, 5, 0, 0, 0, 0]).unwrap().records, []);
        assert_eq!(Input::read(&[2, 53]).unwrap().target, Target::from_index(2).unwrap());
        assert_eq!(Input::read(&[2, 39]).unwrap().target, "gfx1100:w64".parse().unwrap());
    }

    #[test]
    fn any_bytes_are_an_input() {
        // FNV-1a of no byte is its offset basis.
        let drawn = Record::Drawn { seed: 0xcbf2_9ce4_8422_2325, count: 4000 };
        assert_eq!(Input::from_any(&[]).records, [drawn]);
        assert_eq!(Input::from_any(&[2, 7]).target, Target::from_index(7).unwrap());
        assert_eq!(Input::from_any(&[2, 7]).records.len(), 1);
        assert_ne!(Input::from_any(&[9]).records, Input::from_any(&[8]).records);
    }

    #[test]
    fn mutation_keeps_the_format_and_takes_the_target() {
        let target = Target::from_index(30).unwrap();
        let mut input = Input::read(&[2, 0]).unwrap();
        for random in 0..200 {
            input = input.mutated(target, random);
            assert_eq!(input.target, target);
            assert!(input.records.len() <= MOST_SINGLES + 1);
            assert_eq!(Input::read(&input.write()), Some(input.clone()));
        }
    }
}
