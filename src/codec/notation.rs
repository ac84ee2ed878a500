//! How people write a window: dwords, bytes, or the word as a number.

use core::fmt;
use core::str::FromStr;

use super::window::{MAX_DWORDS, Window};

/// Why a text is no window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowError {
    /// Where, in characters from 1.
    pub column: usize,
    message: String,
}

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl core::error::Error for WindowError {}

const FORMS: &str = "a window is dwords (`d3a00005 040e0480`), bytes (`[0x05,0x00,...]`, `05 00 a0 d3 ...` or one run of \
                     16, 24 or 32 digits) or a 64-bit number (`0x040e0480d3a00005`)";

/// Reads dwords in memory order `d3a00005 040e0480`, bytes `[0x05,0x00,0xa0,0xd3,…]`, `05 00 a0 d3 …` or one run of 16,
/// 24 or 32 digits, and the word as a number `0x040e0480d3a00005` (bits 63:0).
impl FromStr for Window {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Self, WindowError> {
        let tokens = tokens(text);
        let Some(first) = tokens.first() else { return Err(error(1, format!("nothing here; {FORMS}"))) };
        if let [Token { text: only, column }] = tokens[..] {
            let digits = only.strip_prefix("0x").or_else(|| only.strip_prefix("0X"));
            if let Some(digits) = digits.filter(|digits| digits.len() > 2) {
                return number(digits, column);
            }
            if digits.is_none() && matches!(only.len(), 16 | 24 | 32) {
                return from_bytes(&run_of_bytes(only, column)?);
            }
        }
        let width = first.text.trim_start_matches("0x").len();
        let values = tokens.iter().map(|token| token.hex(width)).collect::<Result<Vec<_>, _>>()?;
        match width {
            8 => Window::from_dwords(&values)
                .ok_or_else(|| error(1, format!("{} dwords; a window has 1 to {MAX_DWORDS}", values.len()))),
            2 => from_bytes(&values.iter().map(|value| *value as u8).collect::<Vec<_>>()),
            _ => Err(error(first.column, format!("`{}` has {width} digits; {FORMS}", first.text))),
        }
    }
}

struct Token<'a> {
    text: &'a str,
    column: usize,
}

impl Token<'_> {
    fn hex(&self, width: usize) -> Result<u32, WindowError> {
        let digits = self.text.strip_prefix("0x").unwrap_or(self.text);
        if digits.len() != width {
            return Err(error(self.column, format!("`{}` is not as long as what stands before it", self.text)));
        }
        parse_hex(digits, self.column)
    }
}

fn parse_hex(digits: &str, column: usize) -> Result<u32, WindowError> {
    if digits.is_empty() {
        return Err(error(column, format!("no digits; {FORMS}")));
    }
    match digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        Some(at) => Err(error(column + at, format!("`{digits}` is not hexadecimal"))),
        None => u32::from_str_radix(digits, 16).map_err(|_| error(column, format!("`{digits}` is too long"))),
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']');
    let mut tokens = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_gap(c)) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                tokens.push(Token { text: &text[from..at], column: text[..from].chars().count() + 1 });
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

fn number(digits: &str, column: usize) -> Result<Window, WindowError> {
    if digits.len() != 16 {
        let message = format!("0x{digits} has {} digits; the word as a number has 16", digits.len());
        return Err(error(column, message));
    }
    if let Some(at) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        return Err(error(column + 2 + at, format!("`0x{digits}` is not hexadecimal")));
    }
    u64::from_str_radix(digits, 16).map(Window::from_word).map_err(|_| error(column, FORMS.to_owned()))
}

fn run_of_bytes(digits: &str, column: usize) -> Result<Vec<u8>, WindowError> {
    if let Some(at) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        return Err(error(column + at, format!("`{digits}` is not hexadecimal")));
    }
    (0..digits.len()).step_by(2).map(|at| parse_hex(&digits[at..at + 2], column + at).map(|v| v as u8)).collect()
}

fn from_bytes(bytes: &[u8]) -> Result<Window, WindowError> {
    let dwords: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    match Window::from_dwords(&dwords) {
        Some(window) if bytes.len().is_multiple_of(4) => Ok(window),
        _ => Err(error(1, format!("{} bytes; a window has 4, 8, 12 or 16", bytes.len()))),
    }
}

fn error(column: usize, message: String) -> WindowError {
    WindowError { column, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_of_one_window() {
        let window = Window::from_word(0x040e_0480_d3a0_0005);
        for text in [
            "d3a00005 040e0480",
            "0xd3a00005 0x040e0480",
            "[0x05,0x00,0xa0,0xd3,0x80,0x04,0x0e,0x04]",
            "05 00 a0 d3 80 04 0e 04",
            "0500a0d380040e04",
            "0x040e0480d3a00005",
        ] {
            assert_eq!(text.parse(), Ok(window), "{text}");
        }
        assert_eq!("05004fcc ff040018 77770000".parse::<Window>().map(|w| w.byte_len()), Ok(12));
        assert_eq!("d3a00005".parse::<Window>().map(|w| w.byte_len()), Ok(4));
        assert_eq!("0500a0d380040e0405000000".parse(), Ok(window.with_dword(2, 5)));
    }

    #[test]
    fn what_is_wrong_and_where() {
        let message = |text: &str| text.parse::<Window>().unwrap_err().to_string();
        assert!(message("").starts_with("column 1: nothing here"));
        assert_eq!(message("d3a00005 040e048g"), "column 17: `040e048g` is not hexadecimal");
        assert_eq!(message("d3a00005 040e04"), "column 10: `040e04` is not as long as what stands before it");
        assert_eq!(message("05 00 a0"), "column 1: 3 bytes; a window has 4, 8, 12 or 16");
        assert_eq!(
            message("0x040e0480d3a0000"),
            "column 1: 0x040e0480d3a0000 has 15 digits; the word as a number has 16"
        );
        assert!(message("d3a 040").starts_with("column 1: `d3a` has 3 digits"));
        assert!(message("1 2 3 4 5").starts_with("column 1: `1` has 1 digits"));
        assert!(message("0x").starts_with("column 1: no digits"));
        assert_eq!(message("zzzzzzzzzzzzzzzz"), "column 1: `zzzzzzzzzzzzzzzz` is not hexadecimal");
        assert_eq!(message("ääääääää"), "column 1: `ääääääää` is not hexadecimal");
    }
}
