//! Registers: tuples, lists, and scalars by name.

use super::Line;
use super::cursor::is_name_byte;
use super::error::{Fault, Place, Result, Span};
use super::number;
use super::operand::{Operand, Raw};
use crate::isa::{SPECIALS, Special};

/// The registers of a tuple, the last one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub first: u16,
    pub last: u16,
}

impl Range {
    pub(super) const fn count(self) -> u16 {
        (self.last - self.first).saturating_add(1)
    }
}

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bank {
    V,
    A,
    S,
    Ttmp,
}

impl Bank {
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Self::V => "v",
            Self::A => "a",
            Self::S => "s",
            Self::Ttmp => "ttmp",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        match name {
            "v" => Some(Self::V),
            "a" | "acc" => Some(Self::A),
            "s" => Some(Self::S),
            "ttmp" => Some(Self::Ttmp),
            _ => None,
        }
    }
}

/// Names that LLVM takes beside the ones it prints.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("scc", "src_scc"),
    ("vccz", "src_vccz"),
    ("execz", "src_execz"),
    ("lds_direct", "src_lds_direct"),
    ("shared_base", "src_shared_base"),
    ("shared_limit", "src_shared_limit"),
    ("private_base", "src_private_base"),
    ("private_limit", "src_private_limit"),
    ("pops_exiting_wave_id", "src_pops_exiting_wave_id"),
];

/// A scalar by name, and the widths the name stands for.
fn special(name: &str) -> Option<(Special, [bool; 2])> {
    let find = |name: &str| {
        let row = SPECIALS.iter().find(|row| row.name == name || row.wide_name == Some(name))?;
        Some((row.special, [row.name == name, row.wide_name == Some(name)]))
    };
    find(name).or_else(|| {
        let (_, printed) = OTHER_NAMES.iter().find(|(other, _)| *other == name)?;
        find(printed)
    })
}

impl Line<'_> {
    /// `v5` or `v[4:5]`, spelt as LLVM prints it: nearly every operand.
    #[inline]
    pub(super) fn plain_register(&mut self) -> Option<Operand> {
        let bank = match self.cursor.peek()? {
            b'v' => Bank::V,
            b's' => Bank::S,
            b'a' => Bank::A,
            _ => return None,
        };
        let start = self.cursor.at();
        self.cursor.step();
        let is_range = self.cursor.peek() == Some(b'[');
        self.cursor.go_to(start + 1 + usize::from(is_range));
        let mut range = self.digits().map(|first| Range { first, last: first });
        if is_range {
            let colon = self.cursor.peek() == Some(b':');
            self.cursor.step();
            let last = self.digits().filter(|_| colon && self.cursor.peek() == Some(b']'));
            self.cursor.step();
            range = range.zip(last).map(|(range, last)| Range { last, ..range });
        }
        let range = range.filter(|range| range.first <= range.last && !self.cursor.peek().is_some_and(is_name_byte));
        if range.is_none() {
            self.cursor.go_to(start);
        }
        let range = range?;
        let span = self.cursor.since(start);
        Some(Operand { raw: Raw::Registers(bank, range), negative: false, absolute: false, span })
    }

    /// One to three decimal digits.
    #[inline]
    fn digits(&mut self) -> Option<u16> {
        let start = self.cursor.at();
        let mut value = 0;
        while let Some(digit @ b'0'..=b'9') = self.cursor.peek() {
            value = value * 10 + u16::from(digit - b'0');
            self.cursor.step();
            if self.cursor.at() - start > 3 {
                return None;
            }
        }
        (self.cursor.at() > start).then_some(value)
    }

    /// A register, a tuple or a scalar by name.
    pub(super) fn register(&mut self, slot: usize, start: usize) -> Result<Raw> {
        let from = self.cursor.at();
        let name = self.cursor.name();
        if let Some((special, widths)) = special(name) {
            return Ok(Raw::Special(special, widths));
        }
        let place = Place::Operand(slot as u8);
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let Some(bank) = Bank::from_name(letters) else {
            self.cursor.go_to(from);
            return Err(self.no_operand(slot, start));
        };
        if letters.len() < name.len() {
            let number = name[letters.len()..].parse::<u16>().unwrap_or(u16::MAX);
            return Ok(Raw::Registers(bank, Range { first: number, last: number }));
        }
        if !self.cursor.eat(b'[') {
            self.cursor.go_to(from);
            return Err(self.no_operand(slot, start));
        }
        let first = self.index();
        let last = if self.cursor.eat(b':') { self.index() } else { first };
        let closed = self.cursor.eat(b']');
        let (Some(first), Some(last), true) = (first, last, closed) else {
            self.cursor.go_to(from);
            let word = self.cursor.word();
            let text = self.cursor.slice(word);
            let message = format!("`{text}` is no register tuple: one is written `{0}[4:5]`", bank.letter());
            return Err(Fault::new(place, Span::new(start, word.end()), message));
        };
        if first > last {
            let message = format!("the first register of a tuple comes first, and {first} is past {last}");
            return Err(Fault::new(place, self.cursor.since(start), message));
        }
        Ok(Raw::Registers(bank, Range { first, last }))
    }

    /// A register number in brackets.
    fn index(&mut self) -> Option<u16> {
        self.cursor.skip_blanks();
        match number::unsigned(&mut self.cursor)?.value {
            number::Value::Int(value) => value.try_into().ok(),
            number::Value::Float(_) => None,
        }
    }

    /// `[v4,v5]`: registers one after another, as a tuple.
    pub(super) fn list_of_registers(&mut self, slot: usize, start: usize) -> Result<Raw> {
        let place = Place::Operand(slot as u8);
        self.cursor.step();
        let mut all: Option<Raw> = None;
        loop {
            self.cursor.skip_blanks();
            let from = self.cursor.at();
            let next = self.register(slot, from)?;
            let span = self.cursor.since(from);
            let fail = |message: &str| Fault::new(place, span, message);
            all = Some(match (all, next) {
                (_, Raw::Registers(_, range)) if range.count() > 1 => {
                    return Err(fail("a list holds single registers"));
                }
                (None, next) => next,
                (Some(Raw::Registers(bank, range)), Raw::Registers(other, next)) => {
                    if bank != other {
                        return Err(fail("the registers of a list are of one kind"));
                    }
                    if next.first != range.last.saturating_add(1) {
                        return Err(fail("the registers of a list follow one another"));
                    }
                    Raw::Registers(bank, Range { last: next.first, ..range })
                }
                (Some(Raw::Special(low, [true, _])), Raw::Special(high, [true, _])) => {
                    let wide = low.row().wide_name.and_then(special);
                    let is_pair = SPECIALS.get(low as usize + 1).is_some_and(|row| row.special == high);
                    let halves = low.row().name.ends_with("_lo") && high.row().name.ends_with("_hi");
                    match wide.filter(|_| is_pair && halves) {
                        Some((wide, widths)) => Raw::Special(wide, widths),
                        None => return Err(fail("the registers of a list follow one another")),
                    }
                }
                _ => return Err(fail("the registers of a list are of one kind")),
            });
            if self.cursor.eat(b']') {
                break;
            }
            if !self.cursor.eat(b',') {
                return Err(self.unclosed(slot, start, "]"));
            }
        }
        all.ok_or_else(|| self.no_operand(slot, start))
    }
}

/// The register that a slip of the pen meant: another case, or a half of a register.
pub(super) fn near_register(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let bare = lower.trim_end_matches(".l").trim_end_matches(".h");
    let letters = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_register = Bank::from_name(letters).is_some() && letters.len() < bare.len();
    let named = SPECIALS.iter().find(|row| row.name == format!("src_{bare}") || row.name == bare);
    if is_register && bare != text {
        return Some(bare.to_owned());
    }
    named.map(|row| row.name.to_owned()).filter(|name| name != text)
}
