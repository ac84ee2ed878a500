//! The bytes that a test states: all of them, or how they begin.

use std::fmt;

use crate::codec::Window;

/// What a test says of an encoding. FileCheck looks for a part of a line, so that a list that is not closed states only
/// how the bytes begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// As LLVM prints it, without the brackets: `0x05,0x40`; the last byte may be cut short if it is not closed.
    text: String,
    /// Whether it ends there.
    closed: bool,
}

impl From<Window> for Encoding {
    fn from(window: Window) -> Self {
        Self { text: listed(window.bytes()), closed: true }
    }
}

impl Encoding {
    /// Reads `[0x05,0x40,…]`, or the start of that; `None` if nothing is stated.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let inner = text.strip_prefix('[').ok_or("the encoding in the check is no list of bytes")?;
        let (inner, closed) = inner.split_once(']').map_or((inner, false), |(inner, _)| (inner, true));
        let text: String = inner.to_ascii_lowercase().split_whitespace().collect();
        let is_list = text.chars().zip(LISTED.chars().cycle()).all(|(c, shape)| match shape {
            'h' => c.is_ascii_hexdigit(),
            shape => c == shape,
        });
        // Closed, it ends with a byte.
        let is_cut = closed && text.len() % LISTED.len() != LISTED.len() - 1;
        if !is_list || (is_cut && !text.is_empty()) {
            return Err("the encoding in the check is not only bytes such as 0x05");
        }
        Ok(Some(Self { text, closed }).filter(|encoding| encoding.closed || !encoding.text.is_empty()))
    }

    /// Whether these bytes are as it says.
    #[must_use]
    pub fn holds(&self, bytes: impl IntoIterator<Item = u8>) -> bool {
        let listed = listed(bytes);
        if self.closed { listed == self.text } else { listed.starts_with(&self.text) }
    }

    /// The bytes it states; what it leaves open is as in ours, and zeros where it goes on behind ours.
    pub(super) fn bytes_beside(&self, ours: &Window) -> Vec<u8> {
        let ours = listed(ours.bytes());
        let cut = self.text.len() % LISTED.len();
        let open = match ours.get(self.text.len()..) {
            _ if self.closed => "",
            Some(open) => open,
            None => "0x00".get(cut..).unwrap_or_default(),
        };
        bytes_of(&format!("{}{open}", self.text))
    }

    /// All bytes, if it states all.
    pub(super) fn all(&self) -> Option<Vec<u8>> {
        self.closed.then(|| bytes_of(&self.text))
    }

    /// What both say together; `None` if they contradict each other.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let (more, less) = if self.closed || (!other.closed && self.text.len() >= other.text.len()) {
            (self, other)
        } else {
            (other, self)
        };
        let is_same = if less.closed { more.text == less.text } else { more.text.starts_with(&less.text) };
        is_same.then(|| more.clone())
    }
}

/// A byte of a list: `h` is a digit.
const LISTED: &str = "0xhh,";

fn listed(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:#04x}")).collect::<Vec<_>>().join(",")
}

/// The bytes of a list; one that is cut short is left out.
fn bytes_of(text: &str) -> Vec<u8> {
    let whole = text.split(',').filter_map(|byte| byte.strip_prefix("0x")).filter(|digits| digits.len() == 2);
    whole.filter_map(|digits| u8::from_str_radix(digits, 16).ok()).collect()
}

/// As a window, if it is one; else as the test has it.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.all().unwrap_or_default();
        let dwords: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        match Window::from_dwords(&dwords).filter(|_| bytes.len().is_multiple_of(4)) {
            Some(window) => window.fmt(f),
            None => write!(f, "[{}{}", self.text, if self.closed { "]" } else { "…" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Encoding {
        Encoding::parse(text).unwrap().unwrap()
    }

    #[test]
    fn a_list_states_all_bytes_or_how_they_begin() {
        let window: Window = "cc0f4007 18021308".parse().unwrap();
        for (text, holds, shown) in [
            ("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18]", true, "cc0f4007 18021308"),
            ("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18", true, "[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18…"),
            ("[0x07,0x40,0x0F,", true, "[0x07,0x40,0x0f,…"),
            ("[0x07,0x4", true, "[0x07,0x4…"),
            ("[0x07,0x5", false, "[0x07,0x5…"),
            ("[0xff,0xff,0x0f", false, "[0xff,0xff,0x0f…"),
            ("[0x07,0x40,0x0f,0xcc]", false, "cc0f4007"),
            ("[0x07,0x40]", false, "[0x07,0x40]"),
            (
                "[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00]",
                false,
                "[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00]",
            ),
            ("[]", false, "[]"),
            (
                "[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00",
                false,
                "[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00…",
            ),
        ] {
            assert_eq!((read(text).holds(window.bytes()), read(text).to_string()), (holds, shown.to_owned()), "{text}");
        }
        assert_eq!((Encoding::parse(""), Encoding::parse(" [")), (Ok(None), Ok(None)));
        for text in ["[0x00,A,0x80]", "[0x00,0x4]", "[0x00,]", "0x00,0x40", "[0x00,,", "[0x+5", "[0xé"] {
            assert!(Encoding::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_open_is_as_in_ours() {
        let ours: Window = "cc0f4007 18021308".parse().unwrap();
        assert_eq!(read("[0xff,0x1").bytes_beside(&ours), [0xff, 0x10, 0x0f, 0xcc, 8, 0x13, 2, 0x18]);
        assert_eq!(read("[0xff]").bytes_beside(&ours), [0xff]);
        for longer in [",", ",0", ",0x", ",0x0"] {
            let text = format!("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18{longer}");
            assert_eq!(read(&text).bytes_beside(&ours), [7, 0x40, 0x0f, 0xcc, 8, 0x13, 2, 0x18, 0], "{text}");
        }
    }

    #[test]
    fn two_lists_together() {
        let and = |a: &str, b: &str| read(a).and(&read(b)).map(|both| both.to_string());
        assert_eq!(and("[0x07,0x4", "[0x07,0x40]").as_deref(), Some("[0x07,0x40]"));
        assert_eq!(and("[0x07,0x40]", "[0x07").as_deref(), Some("[0x07,0x40]"));
        assert_eq!(and("[0x07", "[0x07,0x4").as_deref(), Some("[0x07,0x4…"));
        assert_eq!(and("[0x07,0x40]", "[0x08"), None);
        assert_eq!(and("[0x07,0x40]", "[0x07]"), None);
    }
}
