//! Operands: registers, scalars and numbers with sign and absolute value around them, and the source each one is.

use super::Line;
use super::error::{Fault, Place, Result, Span};
use super::number::{self, Number, Typed};
use super::register::{Bank, Range, near_register};
use crate::isa::{Source, Special};

/// An operand as it is written, before its width and type are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub raw: Raw,
    pub negative: bool,
    pub absolute: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Raw {
    Registers(Bank, Range),
    /// A scalar by name, and whether the name stands for 32 and for 64 bits.
    Special(Special, [bool; 2]),
    Number(Number),
}

impl Line<'_> {
    /// Reads one operand that is no plain register. `slot` is its place: 0 the destination, then the sources, 4 and 5 the
    /// scales.
    pub(super) fn operand(&mut self, slot: usize) -> Result<Operand> {
        let start = self.cursor.at();
        let (mut negative, mut absolute) = (false, false);
        let mut raw = None;
        let mut parenthesis = false;
        if self.cursor.peek() == Some(b'-') {
            self.cursor.step();
            self.cursor.skip_blanks();
            if self.starts_number() {
                raw = Some(Raw::Number(self.number(slot, start)?.negated()));
            } else if matches!(self.cursor.peek(), Some(b'-' | b'+')) {
                return Err(self.no_operand(slot, start));
            } else {
                negative = true;
            }
        } else if self.function("neg") {
            negative = true;
            parenthesis = true;
        }
        let raw = match raw {
            Some(raw) => raw,
            None => {
                self.cursor.skip_blanks();
                let bar = self.cursor.peek() == Some(b'|');
                if bar {
                    self.cursor.step();
                    self.cursor.skip_blanks();
                    absolute = true;
                } else if self.function("abs") {
                    absolute = true;
                }
                let raw = self.bare(slot, start)?;
                if absolute && !self.cursor.eat(if bar { b'|' } else { b')' }) {
                    return Err(self.unclosed(slot, start, if bar { "|" } else { ")" }));
                }
                raw
            }
        };
        if parenthesis && !self.cursor.eat(b')') {
            return Err(self.unclosed(slot, start, ")"));
        }
        Ok(Operand { raw, negative, absolute, span: self.cursor.since(start) })
    }

    /// Steps over `name(`, if it stands here.
    fn function(&mut self, name: &str) -> bool {
        if !self.cursor.starts_with(name) {
            return false;
        }
        let start = self.cursor.at();
        let found = self.cursor.name() == name && self.cursor.eat(b'(');
        if found {
            self.cursor.skip_blanks();
        } else {
            self.cursor.go_to(start);
        }
        found
    }

    fn starts_number(&self) -> bool {
        match self.cursor.peek() {
            Some(b'.') => self.cursor.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()),
            Some(byte) => byte.is_ascii_digit(),
            None => false,
        }
    }

    /// An operand without sign and absolute value, but for the sign of a number.
    fn bare(&mut self, slot: usize, start: usize) -> Result<Raw> {
        let sign = match self.cursor.peek() {
            Some(byte @ (b'-' | b'+')) => {
                self.cursor.step();
                self.cursor.skip_blanks();
                Some(byte)
            }
            _ => None,
        };
        if self.starts_number() {
            let number = self.number(slot, start)?;
            return Ok(Raw::Number(if sign == Some(b'-') { number.negated() } else { number }));
        }
        if sign.is_some() {
            return Err(self.no_operand(slot, start));
        }
        if self.cursor.peek() == Some(b'[') {
            return self.list_of_registers(slot, start);
        }
        if self.function("lit") || self.function("lit64") {
            let is_negative = self.cursor.eat(b'-');
            self.cursor.skip_blanks();
            if !self.starts_number() {
                return Err(self.no_operand(slot, start));
            }
            let number = Number { is_literal: true, ..self.number(slot, start)? };
            if !self.cursor.eat(b')') {
                return Err(self.unclosed(slot, start, ")"));
            }
            return Ok(Raw::Number(if is_negative { number.negated() } else { number }));
        }
        self.register(slot, start)
    }

    fn number(&mut self, slot: usize, start: usize) -> Result<Number> {
        let from = self.cursor.at();
        number::unsigned(&mut self.cursor).ok_or_else(|| {
            self.cursor.go_to(from);
            let word = self.cursor.word();
            let message = format!("`{}` is no number", self.cursor.slice(word));
            Fault::new(Place::Operand(slot as u8), Span::new(start, word.end()), message)
        })
    }

    pub(super) fn unclosed(&self, slot: usize, start: usize, closing: &str) -> Box<Fault> {
        let message = format!("`{}` lacks its closing `{closing}`", self.cursor.slice(self.cursor.since(start)));
        Fault::new(Place::Operand(slot as u8), self.cursor.since(start), message)
    }

    /// What stands at `start` is nothing that an operand can be.
    pub(super) fn no_operand(&mut self, slot: usize, start: usize) -> Box<Fault> {
        self.cursor.go_to(start);
        let word = self.cursor.word();
        let (text, what) = (self.cursor.slice(word), self.operand_name(slot));
        let name = self.name;
        if text.is_empty() {
            let message = match self.cursor.peek() {
                Some(b',') => format!("a comma where {what} of {name} is expected"),
                _ => format!("the text ends where {what} of {name} is expected"),
            };
            return Fault::new(Place::Operand(slot as u8), word, message);
        }
        let suggestion = near_register(text);
        let message = format!("`{text}` is no register, scalar or number, where {what} of {name} is expected");
        Fault::new(Place::Operand(slot as u8), word, message).suggest(suggestion)
    }

    /// What an operand is called in messages.
    pub(super) fn operand_name(&self, slot: usize) -> &'static str {
        ["the destination", "source 0", "source 1", "source 2", "the scale of A", "the scale of B"][slot.min(5)]
    }

    /// The first register of the destination, and whether it is an AccVGPR.
    pub(super) fn destination(&self, operand: &Operand, dwords: u8) -> Result<(u8, bool)> {
        let Raw::Registers(bank @ (Bank::V | Bank::A), range) = operand.raw else {
            return Err(self.no_destination(operand));
        };
        let is_acc = bank == Bank::A;
        if operand.negative || operand.absolute || is_acc && !self.opcode.is_matrix() {
            return Err(self.no_destination(operand));
        }
        self.check_tuple(operand, 0, bank, range, dwords)?;
        Ok((range.first as u8, is_acc))
    }

    fn no_destination(&self, operand: &Operand) -> Box<Fault> {
        let file = if self.opcode.is_matrix() { "a VGPR or AccVGPR" } else { "a VGPR" };
        let text = self.cursor.slice(operand.span);
        let message = format!("the destination of {} is {file}, not `{text}`", self.name);
        Fault::new(Place::Operand(0), operand.span, message)
    }

    /// The source that an operand is in a slot of this width and type.
    pub(super) fn source(&self, operand: &Operand, slot: usize, dwords: u8, typed: Typed) -> Result<Source> {
        let fail = |message: String| Fault::new(Place::Operand(slot as u8), operand.span, message);
        match operand.raw {
            Raw::Registers(bank, range) => {
                self.check_tuple(operand, slot, bank, range, dwords)?;
                let first = range.first as u8;
                Ok(match bank {
                    Bank::V => Source::Vgpr(first),
                    Bank::A => Source::Agpr(first),
                    Bank::S => Source::Sgpr(first),
                    Bank::Ttmp => Source::Ttmp(first),
                })
            }
            Raw::Special(special, [narrow, wide]) => {
                if !self.printed && !self.target.has(Source::Special(special)) {
                    let text = self.cursor.slice(operand.span);
                    return Err(fail(format!("`{text}` is not on {}", self.target.cpu())));
                }
                let row = special.row();
                // A scalar without a 64-bit name is printed by its only one.
                let fits = if dwords == 2 { wide || self.printed && row.wide_name.is_none() } else { narrow };
                if fits {
                    return Ok(Source::Special(special));
                }
                let other = if dwords == 2 { row.wide_name } else { Some(row.name) };
                Err(fail(self.width_message(operand, slot, if wide { 2 } else { 1 }, dwords)).suggest(other))
            }
            // LLVM prints literals in hexadecimal and inline constants in decimal.
            Raw::Number(number) if self.printed => {
                let number = Number { is_literal: number.is_literal || number.is_hex, ..number };
                number::source(number, typed)
                    .ok()
                    .filter(|source| number.is_literal || !matches!(source, Source::Literal(_)))
                    .ok_or_else(|| fail(format!("`{}` is no inline constant", self.cursor.slice(operand.span))))
            }
            Raw::Number(number) => number::source(number, typed)
                .map_err(|why| fail(format!("`{}` {why}", self.cursor.slice(operand.span)))),
        }
    }

    /// Whether a tuple has the width of its operand, and registers that exist.
    fn check_tuple(&self, operand: &Operand, slot: usize, bank: Bank, range: Range, dwords: u8) -> Result<()> {
        if range.count() != u16::from(dwords) {
            return Err(Fault::new(
                Place::Operand(slot as u8),
                operand.span,
                self.width_message(operand, slot, range.count(), dwords),
            ));
        }
        let last = match bank {
            Bank::V | Bank::A => 255,
            Bank::Ttmp => 15,
            Bank::S if self.target.has(Source::Sgpr(105)) => 105,
            Bank::S => 101,
        };
        // LLVM prints tuples that run past the last register.
        if range.last <= last || self.printed && range.first < 256 {
            return Ok(());
        }
        let message = format!(
            "`{}` does not exist on {}: the last one is {}{last}",
            self.cursor.slice(operand.span),
            self.target.cpu(),
            bank.letter()
        );
        Err(Fault::new(Place::Operand(slot as u8), operand.span, message))
    }

    fn width_message(&self, operand: &Operand, slot: usize, found: u16, wanted: u8) -> String {
        let registers = |count: u16| if count == 1 { "1 register".to_owned() } else { format!("{count} registers") };
        let text = self.cursor.slice(operand.span);
        let (what, name) = (self.operand_name(slot), self.name);
        let mut message = format!("{what} of {name} is {}", registers(u16::from(wanted)));
        if let Some(other) = self.other_wave().filter(|_| slot < 4) {
            let widths = self.opcode.dwords(other, self.instruction.modifiers);
            if u16::from(widths[slot]) == found {
                message += &format!(" in wave{} and {found} in wave{}", self.target.wave(), other.wave());
            }
        }
        let formats = self.opcode.format_modifiers();
        if let Some(modifier) = formats.and_then(|formats| formats.get(slot.wrapping_sub(1)).copied()) {
            let (value, name) = (self.instruction.modifiers.get(modifier), modifier.row().name);
            message += &format!(" with {name}:{value}");
        }
        message += &format!(", and `{text}` is {}", registers(found));
        message
    }
}
