//! Why a text is no instruction, and where.

use core::fmt;

/// A part of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::asm) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(super) const fn start(self) -> usize {
        self.start as usize
    }

    pub(super) const fn end(self) -> usize {
        self.end as usize
    }

    pub(in crate::asm) fn of(self, text: &str) -> &str {
        text.get(self.start()..self.end()).unwrap_or_default()
    }

    /// First column, counted from 1, and length, both in characters of the text.
    pub(in crate::asm) fn columns(self, text: &str) -> (usize, usize) {
        let count = |to: usize| text.char_indices().take_while(|(at, _)| *at < to).count();
        (count(self.start()) + 1, count(self.end()).saturating_sub(count(self.start())))
    }
}

/// What part of an instruction an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The mnemonic.
    Mnemonic,
    /// An operand: 0 is the destination, then the sources; 4 and 5 are the scales of a pair.
    Operand(u8),
    /// A modifier.
    Modifier,
}

/// Why a text is no instruction of the target. It displays as one sentence, without the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where: the first column, counted from 1, in characters of the text.
    pub column: usize,
    /// How many characters it is about; 0 where something is missing.
    pub length: usize,
    /// What part of the instruction it is about.
    pub place: Place,
    /// What was found and what was expected.
    pub message: String,
    /// What to write instead.
    pub suggestion: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let words = || self.message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match &self.suggestion {
            // Where the sentence names it already, it is not said again.
            Some(suggestion) if !words().any(|word| word == suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for ParseError {}

/// An error whose place is still in bytes. In a box, so that what goes well stays small.
#[derive(Debug)]
pub(in crate::asm) struct Fault {
    pub span: Span,
    pub place: Place,
    pub message: String,
    pub suggestion: Option<String>,
}

pub(in crate::asm) type Result<T> = core::result::Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(place: Place, span: Span, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { span, place, message: message.into(), suggestion: None })
    }

    pub(super) fn suggest(mut self: Box<Self>, suggestion: Option<impl Into<String>>) -> Box<Self> {
        self.suggestion = suggestion.map(Into::into);
        self
    }

    pub(in crate::asm) fn into_error(self, text: &str) -> ParseError {
        let (column, length) = self.span.columns(text);
        let Self { place, message, suggestion, .. } = self;
        ParseError { column, length, place, message, suggestion }
    }
}
