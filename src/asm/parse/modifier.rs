//! Modifiers: the selects and signs, clamp, those of matrix instructions, and DPP.

use super::Line;
use super::error::{Fault, Place, Result, Span};
use super::number::{self, Value};
use crate::codec::Dpp;
use crate::isa::{Form, MODIFIERS, Matrix, MatrixLayout, Modifier, Spelling};

/// A modifier, by what it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::asm) enum Kind {
    OpSel,
    OpSelHi,
    NegLo,
    NegHi,
    Clamp,
    Pattern,
    RowMask,
    BankMask,
    BoundCtrl,
    Fi,
    Matrix(Modifier),
}

/// How many kinds there are.
pub(in crate::asm) const KINDS: usize = 10 + MODIFIERS.len();

impl Kind {
    /// Its place in tables of [`KINDS`].
    pub(in crate::asm) const fn index(self) -> usize {
        match self {
            Self::OpSel => 0,
            Self::OpSelHi => 1,
            Self::NegLo => 2,
            Self::NegHi => 3,
            Self::Clamp => 4,
            Self::Pattern => 5,
            Self::RowMask => 6,
            Self::BankMask => 7,
            Self::BoundCtrl => 8,
            Self::Fi => 9,
            Self::Matrix(modifier) => 10 + modifier as usize,
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "op_sel" => Self::OpSel,
            "op_sel_hi" => Self::OpSelHi,
            "neg_lo" | "neg" => Self::NegLo,
            "neg_hi" => Self::NegHi,
            "clamp" | "noclamp" => Self::Clamp,
            "row_mask" => Self::RowMask,
            "bank_mask" => Self::BankMask,
            "bound_ctrl" => Self::BoundCtrl,
            "fi" => Self::Fi,
            "quad_perm" | "dpp8" | "row_shl" | "row_shr" | "row_ror" | "row_share" | "row_xmask" | "row_mirror"
            | "row_half_mirror" => Self::Pattern,
            _ => Self::Matrix(Modifier::from_name(name)?),
        })
    }
}

/// The names of all modifiers, for suggestions.
const NAMES: [&str; 18] = [
    "op_sel",
    "op_sel_hi",
    "neg_lo",
    "neg_hi",
    "neg",
    "clamp",
    "row_mask",
    "bank_mask",
    "bound_ctrl",
    "fi",
    "quad_perm",
    "dpp8",
    "row_shl",
    "row_shr",
    "row_ror",
    "row_share",
    "row_xmask",
    "row_half_mirror",
];

/// DPP patterns of gfx8 to gfx90a, which VOP3P never had.
const OLD_PATTERNS: [&str; 9] =
    ["row_newbcast", "row_bcast", "wave_shl", "wave_shr", "wave_rol", "wave_ror", "mul", "div", "omod"];

/// What the DPP modifiers say, until all of them are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct DppParts {
    pub pattern: Option<Pattern>,
    pub row_mask: u8,
    pub bank_mask: u8,
    pub bound_ctrl: bool,
    pub fetch_inactive: bool,
    /// Whether anything but a pattern was said.
    pub has_controls: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Pattern {
    Lanes(u32),
    Ctrl(u16),
}

impl DppParts {
    pub(super) const NONE: Self = Self {
        pattern: None,
        row_mask: 15,
        bank_mask: 15,
        bound_ctrl: false,
        fetch_inactive: false,
        has_controls: false,
    };

    pub(super) fn whole(self) -> Option<Dpp> {
        let Self { pattern, row_mask, bank_mask, bound_ctrl, fetch_inactive, .. } = self;
        pattern.map(|pattern| match pattern {
            Pattern::Lanes(lanes) => Dpp::Dpp8 { lanes, fetch_inactive },
            Pattern::Ctrl(ctrl) => Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask },
        })
    }
}

impl Line<'_> {
    /// Reads one modifier.
    pub(super) fn modifier(&mut self) -> Result<()> {
        let start = self.cursor.at();
        let name = self.cursor.name();
        let Some(kind) = Kind::from_name(name).filter(|kind| self.printed || self.takes(*kind, name)) else {
            return Err(self.no_modifier(start, name));
        };
        if self.spans.modifiers[kind.index()] != 0 && !self.printed {
            return Err(self.fault(start, format!("`{name}` stands here for the second time")));
        }
        match kind {
            Kind::Clamp => self.instruction.clamp = name == "clamp",
            Kind::OpSel => self.instruction.op_sel = self.bits(kind, name, start)?,
            Kind::OpSelHi => self.instruction.op_sel_hi = self.bits(kind, name, start)?,
            Kind::NegLo => self.instruction.neg_lo = self.bits(kind, name, start)?,
            Kind::NegHi => self.instruction.neg_hi = self.bits(kind, name, start)?,
            Kind::Pattern => self.dpp.pattern = Some(self.pattern(name, start)?),
            Kind::RowMask => self.dpp.row_mask = self.value(name, 15, start)?,
            Kind::BankMask => self.dpp.bank_mask = self.value(name, 15, start)?,
            // LLVM 14 and 15 print the set bit as bound_ctrl:0, as gfx10 and older wrote it.
            Kind::BoundCtrl => self.dpp.bound_ctrl = self.value(name, 1, start)? == 1 || self.printed,
            Kind::Fi => self.dpp.fetch_inactive = self.value(name, 1, start)? == 1,
            Kind::Matrix(modifier) => self.matrix_modifier(modifier, start)?,
        }
        self.dpp.has_controls |= matches!(kind, Kind::RowMask | Kind::BankMask | Kind::BoundCtrl | Kind::Fi);
        self.spans.modifiers[kind.index()] = start as u32 + 1;
        Ok(())
    }

    /// Whether the opcode takes a modifier at all.
    fn takes(&self, kind: Kind, name: &str) -> bool {
        let is_f64 = self.opcode.matrix() == Some(Matrix::MfmaF64);
        match kind {
            Kind::NegLo if (name == "neg") != is_f64 => false,
            Kind::OpSel | Kind::OpSelHi | Kind::NegLo | Kind::NegHi => self.mask(kind) != 0,
            Kind::Clamp => self.layout.is_none_or(|layout| layout.kept >> 15 & 1 == 1),
            Kind::Matrix(modifier) => self.width(modifier) > 0,
            _ => self.opcode.takes_dpp(self.target),
        }
    }

    /// The bits of a select or sign that the instruction has.
    fn mask(&self, kind: Kind) -> u8 {
        let of = |layout: &MatrixLayout| match kind {
            Kind::OpSel => (layout.kept >> 11 & 7) as u8,
            Kind::OpSelHi => layout.default_op_sel_hi(),
            Kind::NegLo => (layout.kept >> 61) as u8,
            _ => (layout.kept >> 8 & 7) as u8,
        };
        let is_sign = matches!(kind, Kind::NegLo | Kind::NegHi);
        match (self.layout, self.scale_layout) {
            (Some(layout), None) => of(layout),
            (Some(layout), Some(_)) if is_sign => of(layout),
            (Some(_), Some(scale)) => of(scale),
            _ if is_sign && self.opcode.form == Form::Mix => 0,
            _ => (1 << self.opcode.sources()) - 1,
        }
    }

    /// How many bits a matrix modifier has here; none: the instruction does not take it.
    fn width(&self, modifier: Modifier) -> u8 {
        let places = [self.layout, self.scale_layout].into_iter().flatten().flat_map(|layout| layout.modifiers);
        let parts = places.filter(|(other, _)| *other == modifier).flat_map(|(_, parts)| parts.iter());
        parts.map(|(_, width)| width).sum()
    }

    fn fault(&self, start: usize, message: impl Into<String>) -> Box<Fault> {
        let end = self.cursor.word().end().max(self.cursor.at());
        Fault::new(Place::Modifier, Span::new(start, end), message)
    }

    fn no_modifier(&mut self, start: usize, name: &str) -> Box<Fault> {
        self.cursor.go_to(start);
        let (mnemonic, cpu) = (self.name, self.target.cpu());
        let word = self.cursor.word();
        let text = self.cursor.slice(word);
        let fail = |message: String| Fault::new(Place::Modifier, word, message);
        if let Some(kind) = Kind::from_name(name) {
            return match kind {
                Kind::NegLo if name == "neg_lo" && self.opcode.matrix() == Some(Matrix::MfmaF64) => {
                    fail(format!("{mnemonic} negates by `neg`")).suggest(Some("neg"))
                }
                Kind::NegLo if name == "neg" && self.mask(kind) != 0 => {
                    fail(format!("{mnemonic} negates by `neg_lo` and `neg_hi`")).suggest(Some("neg_lo"))
                }
                Kind::NegLo | Kind::NegHi if self.opcode.form == Form::Mix => {
                    fail(format!("{mnemonic} negates by `-` and takes the absolute value by `|…|`, not by `{name}`"))
                }
                Kind::Matrix(Modifier::Blgp) if self.opcode.matrix() == Some(Matrix::MfmaF64) => {
                    fail(format!("{mnemonic} on {cpu} has `neg` in place of `blgp`")).suggest(Some("neg"))
                }
                Kind::Pattern | Kind::RowMask | Kind::BankMask | Kind::BoundCtrl | Kind::Fi => {
                    fail(format!("{mnemonic} takes no DPP on {cpu}, so no `{name}`"))
                }
                _ => fail(format!("{mnemonic} takes no `{name}`")),
            };
        }
        if OLD_PATTERNS.contains(&name) {
            return fail(format!("no VOP3P instruction takes `{name}`"));
        }
        if name.is_empty() || self.cursor.peek_at(name.len()).is_some_and(|byte| byte == b'[') {
            return fail(format!("`{text}` is no modifier of {mnemonic}"));
        }
        let is_operand = !text.contains(':') && text.bytes().any(|byte| byte.is_ascii_digit());
        if is_operand {
            let count = self.opcode.sources();
            return fail(format!("`{text}` is one operand too many: {mnemonic} has {count} sources"));
        }
        let names = NAMES.into_iter().chain(MODIFIERS.iter().map(|row| row.name));
        let near = super::mnemonic::nearest(
            name,
            names.filter(|near| Kind::from_name(near).is_some_and(|kind| self.takes(kind, near))),
        );
        fail(format!("`{text}` is no modifier of {mnemonic}")).suggest(near)
    }

    /// `:[a,b,c]`, up to `most` numbers of `width` bits, the first one lowest. The bits and how many there are.
    fn list(&mut self, name: &str, most: u32, width: u32, start: usize) -> Result<(u32, u32)> {
        if !(self.cursor.eat(b':') && self.cursor.eat(b'[')) {
            return Err(self.fault(start, format!("`{name}` is followed by a list in brackets, `{name}:[…]`")));
        }
        let (mut bits, mut count) = (0, 0);
        loop {
            // Nearly always a digit and what ends it.
            let ahead = (self.cursor.peek(), self.cursor.peek_at(1));
            if let (Some(digit @ b'0'..=b'7'), Some(end @ (b',' | b']'))) = ahead
                && u32::from(digit - b'0') >> width == 0
                && count < most
            {
                bits |= u32::from(digit - b'0') << (count * width);
                count += 1;
                self.cursor.go_to(self.cursor.at() + 2);
                if end == b']' {
                    return Ok((bits, count));
                }
                continue;
            }
            self.cursor.skip_blanks();
            let at = self.cursor.at();
            match number::unsigned(&mut self.cursor).map(|number| number.value) {
                Some(Value::Int(value)) if (0..1 << width).contains(&value) && count < most => {
                    bits |= (value as u32) << (count * width);
                    count += 1;
                }
                _ if count == most => {
                    self.cursor.go_to(at);
                    return Err(self.fault(start, format!("`{name}` has at most {most} values")));
                }
                _ => {
                    self.cursor.go_to(at);
                    return Err(
                        self.fault(start, format!("a value of `{name}` is a number from 0 to {}", (1 << width) - 1))
                    );
                }
            }
            if self.cursor.eat(b']') {
                return Ok((bits, count));
            }
            if !self.cursor.eat(b',') {
                return Err(self.fault(start, format!("the list of `{name}` lacks a comma or its closing bracket")));
            }
        }
    }

    /// A bit for each source. LLVM takes up to four and fills short lists with zeros. It has no selects in dot products of
    /// bytes and nibbles, and what they mean there is disputed, so that a list of these is written in full.
    fn bits(&mut self, kind: Kind, name: &str, start: usize) -> Result<u8> {
        let (bits, count) = self.list(name, 4, 1, start)?;
        let bits = bits as u8;
        if self.printed {
            let wanted = if self.instruction.scale.is_some() { 3 } else { self.opcode.sources() };
            if count as usize != wanted {
                return Err(self.fault(start, format!("`{name}` with {count} values, where {wanted} are printed")));
            }
            return Ok(bits);
        }
        // LLVM 22 has no such modifier there and what it means is disputed (ledger entry dot-op-sel), so that no
        // shorthand is taken.
        let is_select = matches!(kind, Kind::OpSel | Kind::OpSelHi);
        if is_select && self.opcode.form == Form::Dot && count != 3 {
            return Err(self.fault(start, format!("`{name}` of {} takes 3 values", self.name)));
        }
        let (mask, mnemonic) = (self.mask(kind), self.name);
        let sources = self.opcode.sources();
        let is_select = matches!(kind, Kind::OpSel | Kind::OpSelHi);
        if is_select && self.opcode.form == Form::Dot && count as usize != sources {
            let message = format!("`{name}` of {mnemonic} takes {sources} values");
            return Err(Fault::new(Place::Modifier, self.cursor.since(start), message));
        }
        if bits & !mask != 0 && kind != Kind::OpSelHi {
            let source = (bits & !mask).trailing_zeros();
            let message = if (source as usize) < sources {
                format!("{mnemonic} takes no `{name}` for source {source}")
            } else {
                format!("`{name}` speaks of source {source}, which {mnemonic} does not have")
            };
            return Err(Fault::new(Place::Modifier, self.cursor.since(start), message));
        }
        Ok(bits & mask)
    }

    /// `:n` with n up to `max`.
    fn value(&mut self, name: &str, max: u8, start: usize) -> Result<u8> {
        let found = self.cursor.eat(b':').then(|| {
            self.cursor.skip_blanks();
            number::unsigned(&mut self.cursor).map(|number| number.value)
        });
        match found.flatten() {
            Some(Value::Int(value)) if (0..=i64::from(max)).contains(&value) => Ok(value as u8),
            _ => Err(self.fault(start, format!("`{name}` is followed by a number from 0 to {max}, `{name}:{max}`"))),
        }
    }

    fn pattern(&mut self, name: &str, start: usize) -> Result<Pattern> {
        let all = |wanted: u32, (bits, count): (u32, u32), line: &Self| match count == wanted {
            true => Ok(bits),
            false => Err(line.fault(start, format!("`{name}` has {wanted} values, here are {count}"))),
        };
        let base = match name {
            "dpp8" => {
                let found = self.list(name, 8, 3, start)?;
                return all(8, found, self).map(Pattern::Lanes);
            }
            "quad_perm" => {
                let found = self.list(name, 4, 2, start)?;
                return all(4, found, self).map(|bits| Pattern::Ctrl(bits as u16));
            }
            "row_mirror" => return Ok(Pattern::Ctrl(0x140)),
            "row_half_mirror" => return Ok(Pattern::Ctrl(0x141)),
            "row_shl" => 0x100,
            "row_shr" => 0x110,
            "row_ror" => 0x120,
            "row_share" => 0x150,
            _ => 0x160,
        };
        let lane = self.value(name, 15, start)?;
        if base < 0x150 && lane == 0 && !self.printed {
            return Err(self.fault(start, format!("`{name}` moves by 1 to 15 lanes")));
        }
        Ok(Pattern::Ctrl(base + u16::from(lane)))
    }

    fn matrix_modifier(&mut self, modifier: Modifier, start: usize) -> Result<()> {
        let row = modifier.row();
        let name = row.name;
        let max = if self.printed { 15 } else { (1_u8 << self.width(modifier).min(4)) - 1 };
        let value = match row.spelling {
            Spelling::Flag if !self.printed || self.cursor.peek() != Some(b':') => 1,
            Spelling::Names(names) => {
                let before = self.cursor.at();
                let is_named = self.cursor.eat(b':') && {
                    self.cursor.skip_blanks();
                    self.cursor.peek().is_some_and(|byte| byte.is_ascii_alphabetic())
                };
                let at = self.cursor.at();
                let word = self.cursor.name();
                match names.iter().position(|known| *known == word) {
                    Some(value) => value as u8,
                    None if is_named => {
                        self.cursor.go_to(at);
                        let near = super::mnemonic::nearest(word, names.iter().copied());
                        let message = format!("`{word}` is no value of `{name}`: those are {}", names.join(", "));
                        return Err(self.fault(start, message).suggest(near));
                    }
                    None => {
                        self.cursor.go_to(before);
                        self.value(name, max, start)?
                    }
                }
            }
            _ => self.value(name, max, start)?,
        };
        self.instruction.modifiers = self.instruction.modifiers.with(modifier, value);
        Ok(())
    }
}
