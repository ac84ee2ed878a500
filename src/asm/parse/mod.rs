//! Text to an instruction: what people write and LLVM's assembler takes.
//!
//! One engine reads two dialects. *Written* text is assembly: numbers become inline constants or literals by the type of
//! their operand, and what the opcode does not have is refused. *Printed* text is what LLVM's disassemblers print: a
//! hexadecimal number is a literal whatever its value, and whatever can be held is taken, so that nothing LLVM printed is
//! lost.

mod cursor;
mod error;
mod mnemonic;
mod modifier;
mod number;
mod operand;
mod register;
#[cfg(test)]
mod tests;

use self::cursor::Cursor;
pub(super) use self::error::{Fault, Result, Span};
pub use self::error::{ParseError, Place};
use self::mnemonic::{Mnemonic, Named};
use self::modifier::DppParts;
pub(super) use self::modifier::{KINDS, Kind};
use self::number::Typed;
use crate::codec::{Instruction, Scale};
use crate::isa::{Form, Format, MatrixLayout, Opcode, Source, Target};

/// Reads one instruction in LLVM's assembly syntax. It says nothing of legality beyond what an [`Instruction`] can hold:
/// [`assemble`](super::assemble()) does.
///
/// # Errors
/// Says what was found, where, and what was expected.
pub fn parse(target: Target, text: &str) -> core::result::Result<Instruction, ParseError> {
    match parse_line(target, text, false, None) {
        Ok(parsed) => Ok(parsed.instruction),
        Err(fault) => Err(fault.into_error(text)),
    }
}

/// Where the parts of an instruction stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    pub mnemonic: Span,
    /// The destination, the sources, the scales of a pair.
    pub operands: [Span; 6],
    /// One more than where each modifier starts, by [`Kind::index`]; zero where there is none.
    modifiers: [u32; KINDS],
}

impl Spans {
    /// The first of these modifiers that stands in the text.
    pub(super) fn modifier(&self, text: &str, kinds: &[Kind]) -> Option<Span> {
        let start = kinds.iter().find_map(|kind| self.modifiers[kind.index()].checked_sub(1))?;
        Some(Cursor::new(text, start as usize).word())
    }
}

/// An instruction and where its parts stand.
#[derive(Debug)]
pub(super) struct Parsed {
    pub instruction: Instruction,
    pub spans: Spans,
}

/// A line that is being read.
struct Line<'a> {
    target: Target,
    cursor: Cursor<'a>,
    printed: bool,
    /// The mnemonic without suffix.
    name: &'static str,
    opcode: &'static Opcode,
    /// How a matrix word reads its modifiers.
    layout: Option<&'static MatrixLayout>,
    /// The same of the scale word in front of it.
    scale_layout: Option<&'static MatrixLayout>,
    instruction: Instruction,
    dpp: DppParts,
    spans: Spans,
}

/// Reads one instruction, written or printed. If it is printed, the opcode that is `expected` spares the search.
pub(super) fn parse_line(
    target: Target,
    text: &str,
    printed: bool,
    expected: Option<&'static Opcode>,
) -> Result<Parsed> {
    read_line(target, text, printed, expected).map_err(|mut fault| {
        // The cursor stops before a comment without an end, whatever was expected there.
        if text.get(fault.span.start()..).is_some_and(|rest| rest.starts_with("/*") && !has_end(rest)) {
            fault.span = Span::new(fault.span.start(), fault.span.start() + 2);
            fault.message = "this comment has no end: `*/` is missing".to_owned();
            fault.suggestion = None;
        }
        fault
    })
}

fn has_end(comment: &str) -> bool {
    comment.get(2..).is_some_and(|inside| inside.contains("*/"))
}

fn read_line(target: Target, text: &str, printed: bool, expected: Option<&'static Opcode>) -> Result<Parsed> {
    let mut cursor = Cursor::new(text, 0);
    cursor.skip_blanks();
    let start = cursor.at();
    let word = cursor.name();
    let span = cursor.since(start);
    if word.is_empty() {
        let word = cursor.word();
        let message = match cursor.slice(word) {
            "" => "there is no instruction in this line".to_owned(),
            text => format!("`{text}` stands where a mnemonic is expected"),
        };
        return Err(Fault::new(Place::Mnemonic, word, message));
    }
    let spared = expected.filter(|opcode| opcode.llvm == word && !word.is_empty());
    let Mnemonic { named, name, has_dpp, has_e64 } = match spared {
        Some(opcode) => Mnemonic { named: Named::Opcode(opcode), name: opcode.llvm, has_dpp: false, has_e64: false },
        None => mnemonic::mnemonic(target, word, span, printed)?,
    };
    let (opcode, pair) = match named {
        Named::Opcode(opcode) => (opcode, None),
        Named::Pair(pair) => match target.opcode(pair.body) {
            Some(body) => (body, Some(pair)),
            None => return Err(Fault::new(Place::Mnemonic, span, format!("{name} is not on {}", target.cpu()))),
        },
    };
    let mut instruction = Instruction::plain(opcode, 0, [Source::Int(0); 3]);
    instruction.scale = pair.map(|pair| Scale { pair, src: [Source::Int(0); 2] });
    let scale_matrix = pair.and_then(|pair| target.opcode(pair.scale)).and_then(Opcode::matrix);
    let layout = opcode.matrix().map(|matrix| match pair {
        Some(_) => matrix.paired_layout(),
        None => matrix.layout(target.wave()),
    });
    let mut line = Line {
        target,
        cursor,
        printed,
        name,
        opcode,
        layout,
        scale_layout: scale_matrix.map(|matrix| matrix.paired_layout()),
        instruction,
        dpp: DppParts::NONE,
        spans: Spans { mnemonic: span, operands: [Span::default(); 6], modifiers: [0; KINDS] },
    };
    line.read(has_dpp, has_e64)?;
    Ok(Parsed { instruction: line.instruction, spans: line.spans })
}

impl Line<'_> {
    fn read(&mut self, has_dpp: bool, has_e64: bool) -> Result<()> {
        let sources = self.opcode.sources();
        let first = usize::from(self.opcode.vdst.dwords() == 0);
        let scales = if self.instruction.scale.is_some() { 4..6 } else { 4..4 };
        let mut operands = [None; 6];
        for slot in (first..=sources).chain(scales) {
            self.cursor.skip_blanks();
            operands[slot] = Some(self.next_operand(slot)?);
            // LLVM takes operands without commas between them, too.
            self.cursor.eat(b',');
        }
        loop {
            self.cursor.skip_blanks();
            if self.cursor.at_end() {
                break;
            }
            self.modifier()?;
            self.cursor.eat(b',');
        }
        if !self.cursor.skip_to_end() {
            let word = self.cursor.word();
            let message = format!("`{}` begins another line: one instruction is expected", self.cursor.slice(word));
            return Err(Fault::new(Place::Mnemonic, word, message));
        }
        self.check_dpp(has_dpp, has_e64)?;
        // The widths of tuples and the types of numbers may depend on modifiers.
        let widths = self.opcode.dwords(self.target, self.instruction.modifiers);
        for (slot, operand) in operands.iter().enumerate() {
            let Some(operand) = operand else { continue };
            self.spans.operands[slot] = operand.span;
            if slot == 0 {
                (self.instruction.vdst, self.instruction.vdst_acc) = self.destination(operand, widths[0])?;
                continue;
            }
            let width = self.instruction.scale.map_or(1, |scale| scale.pair.scale_dwords);
            let width = if slot > 3 { width } else { widths[slot] };
            let source = self.source(operand, slot, width, self.typed(slot))?;
            if slot <= 3 {
                self.instruction.src[slot - 1] = source;
            } else if let Some(scale) = &mut self.instruction.scale {
                scale.src[slot - 4] = source;
            }
            self.sign(operand, slot)?;
        }
        Ok(())
    }

    /// An operand, or what is missing where a modifier or the end stands in its place.
    fn next_operand(&mut self, slot: usize) -> Result<operand::Operand> {
        if let Some(operand) = self.plain_register() {
            return Ok(operand);
        }
        let start = self.cursor.at();
        if !self.cursor.at_end() {
            let name = self.cursor.name();
            self.cursor.go_to(start);
            if modifier::Kind::from_name(name).is_none() || self.cursor.peek_at(name.len()) == Some(b'(') {
                return self.operand(slot);
            }
        }
        let mut found = self.cursor.slice(self.cursor.word());
        if self.cursor.at_end() {
            found = "";
        }
        let what = self.operand_name(slot);
        let count = self.opcode.sources() + usize::from(self.opcode.vdst.dwords() > 0);
        let count = count + if self.instruction.scale.is_some() { 2 } else { 0 };
        let message = match found {
            "" => format!("{what} is missing: {} has {count} operands", self.name),
            _ => format!("`{found}` stands where {what} is expected: {} has {count} operands", self.name),
        };
        Err(Fault::new(Place::Operand(slot as u8), Span::new(start, start + found.len()), message))
    }

    fn check_dpp(&mut self, has_dpp: bool, has_e64: bool) -> Result<()> {
        let span = self.spans.mnemonic;
        self.instruction.dpp = self.dpp.whole();
        if self.instruction.dpp.is_none() && !has_dpp && !self.dpp.has_controls {
            return Ok(());
        }
        let of_16 = [Kind::RowMask, Kind::BankMask, Kind::BoundCtrl, Kind::Fi];
        let orphan = self.spans.modifier(self.cursor.text(), &of_16);
        let is_8 = matches!(self.dpp.pattern, Some(modifier::Pattern::Lanes(_)));
        let for_16 = self.spans.modifier(self.cursor.text(), &of_16[..3]);
        match (self.instruction.dpp, orphan) {
            (None, _) if has_dpp => {
                let message = format!("{}_e64_dpp needs a lane pattern: quad_perm, row_shl, dpp8, …", self.name);
                Err(Fault::new(Place::Mnemonic, span, message))
            }
            (None, Some(span)) => {
                let message = format!("`{}` needs a lane pattern: quad_perm, row_shl, …", self.cursor.slice(span));
                Err(Fault::new(Place::Modifier, span, message))
            }
            (Some(_), _) if self.printed && !has_dpp => {
                Err(Fault::new(Place::Mnemonic, span, format!("{} without _dpp has DPP", self.name)))
            }
            (Some(_), _) if has_e64 => {
                let message = format!("{}_e64 has no DPP", self.name);
                let name = format!("{}_e64_dpp", self.name);
                Err(Fault::new(Place::Mnemonic, span, message).suggest(Some(name)))
            }
            (Some(_), _) if is_8 && !self.printed => for_16.map_or(Ok(()), |span| {
                let message = format!("`{}` does not go with dpp8", self.cursor.slice(span));
                Err(Fault::new(Place::Modifier, span, message))
            }),
            _ => Ok(()),
        }
    }

    /// Sign and absolute value around an operand: NEG and NEG_HI of a mix instruction, and of no other.
    fn sign(&mut self, operand: &operand::Operand, slot: usize) -> Result<()> {
        if !operand.negative && !operand.absolute {
            return Ok(());
        }
        if slot > 3 || self.opcode.form != Form::Mix && !self.printed {
            let text = self.cursor.slice(operand.span);
            let message = format!("`{text}`: {} takes no sign or absolute value on an operand", self.name);
            let instead = if self.opcode.form == Form::Packed { "; negation is `neg_lo` and `neg_hi`" } else { "" };
            return Err(Fault::new(Place::Operand(slot as u8), operand.span, message + instead));
        }
        self.instruction.neg_lo |= u8::from(operand.negative) << (slot - 1);
        self.instruction.neg_hi |= u8::from(operand.absolute) << (slot - 1);
        Ok(())
    }

    /// What a number is in a source.
    fn typed(&self, slot: usize) -> Typed {
        let format = if slot > 3 { Format::B32 } else { self.opcode.src[slot - 1] };
        match format {
            Format::Pk2F16 => Typed::F16,
            Format::Pk2Bf16 => Typed::Bf16,
            // AMD: f32 or, where op_sel_hi says so, a 16-bit float. LLVM takes every one for 16 bits.
            Format::B32 if self.opcode.form == Form::Mix && self.instruction.op_sel_hi >> (slot - 1) & 1 == 1 => {
                if self.opcode.llvm.contains("bf16") { Typed::OneBf16 } else { Typed::OneF16 }
            }
            // The type of C is that of the result, which the name says first.
            Format::Matrix(_) => match self.opcode.llvm.split('_').nth(2) {
                Some("f64") => Typed::F64,
                Some("f16") => Typed::OneF16,
                Some("bf16") => Typed::OneBf16,
                _ => Typed::Bits32,
            },
            _ => Typed::Bits32,
        }
    }

    /// The target with the wave size that this one does not have, if there is one.
    fn other_wave(&self) -> Option<Target> {
        self.target
            .rules()
            .waves
            .iter()
            .find(|wave| **wave != self.target.wave())
            .and_then(|wave| format!("{}:w{wave}", self.target.cpu()).parse().ok())
    }
}
