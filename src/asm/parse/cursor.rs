//! A place in the text, and the tokens that every part of a line is made of.

use super::error::Span;

/// A place in the text. It only ever stands between characters: what it steps over byte by byte is ASCII.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(super) const fn text(&self) -> &'a str {
        self.text
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// From `start` to here.
    pub(super) const fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    #[inline]
    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    #[inline]
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Skips spaces, tabs and block comments; a comment without an end is no blank.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.step();
        }
        if self.peek() == Some(b'/') {
            self.skip_comments();
        }
    }

    fn skip_comments(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.step(),
                Some(b'/') if self.peek_at(1) == Some(b'*') => {
                    let rest = self.text.get(self.at + 2..).unwrap_or_default();
                    let Some(end) = rest.find("*/") else { return };
                    self.at += 2 + end + 2;
                }
                _ => return,
            }
        }
    }

    /// Whether the instruction ends here: at the end of the text or the line, or at a line comment.
    #[inline]
    pub(super) fn at_end(&self) -> bool {
        match self.peek() {
            None | Some(b'\n' | b'\r' | b';') => true,
            Some(b'/') => self.peek_at(1) == Some(b'/'),
            _ => false,
        }
    }

    /// Steps over blanks and one character, if that is the next one.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Letters, digits, `_`, `.` and `$` from here on; empty unless it starts with a letter or `_`.
    pub(super) fn name(&mut self) -> &'a str {
        let start = self.at;
        if self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
            let rest = self.text.as_bytes().get(start..).unwrap_or_default();
            self.at += rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        }
        self.slice(self.since(start))
    }

    /// Whether the text goes on so.
    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    /// What stands here up to a blank, a comma or the end: the whole of a token that cannot be read.
    pub(super) fn word(&self) -> Span {
        let mut ahead = Self { text: self.text, at: self.at };
        let mut depth = 0_usize;
        while !ahead.at_end() {
            match ahead.peek() {
                Some(b'[' | b'(') => depth += 1,
                Some(b']' | b')') => depth = depth.saturating_sub(1),
                Some(b',' | b' ' | b'\t') if depth == 0 => break,
                _ => {}
            }
            ahead.step();
        }
        ahead.since(self.at)
    }

    /// Skips the rest of the line, comments and empty lines. Whether the text ends there.
    pub(super) fn skip_to_end(&mut self) -> bool {
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return true,
                Some(b'\n' | b'\r') => self.step(),
                Some(_) if self.at_end() => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    self.at = rest.find('\n').map_or(self.text.len(), |end| self.at + end);
                }
                Some(_) => return false,
            }
        }
    }
}

#[inline]
pub(super) const fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[byte as usize]
}

static NAME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'.' | b'$');
        byte += 1;
    }
    bytes
};
