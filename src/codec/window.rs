//! A window: the bytes an instruction is decoded from.

use core::fmt;

/// Most dwords a window holds: a VOP3P word and the second half of a pair, or a word with what may follow it.
pub const MAX_DWORDS: usize = 4;

/// The 64-bit word with what may follow it (a literal, a DPP dword, the second half of a pair): 1 to 4 dwords in
/// memory order, dword 0 holding bits 31:0 of the word. One dword is a word cut short.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Window {
    dwords: [u32; MAX_DWORDS],
    len: u8,
}

impl Window {
    /// The window of these dwords, or `None` unless there are 1 to 4 of them.
    #[must_use]
    pub fn from_dwords(dwords: &[u32]) -> Option<Self> {
        if dwords.is_empty() || dwords.len() > MAX_DWORDS {
            return None;
        }
        let mut window = Self { dwords: [0; MAX_DWORDS], len: dwords.len() as u8 };
        window.dwords[..dwords.len()].copy_from_slice(dwords);
        Some(window)
    }

    /// The window that is only the 64-bit word.
    #[must_use]
    pub const fn from_word(word: u64) -> Self {
        Self { dwords: [word as u32, (word >> 32) as u32, 0, 0], len: 2 }
    }

    /// The dwords, in memory order.
    #[must_use]
    pub fn dwords(&self) -> &[u32] {
        &self.dwords[..usize::from(self.len)]
    }

    /// Dword `index`, or `None` past the end.
    #[must_use]
    pub fn dword(&self, index: usize) -> Option<u32> {
        self.dwords().get(index).copied()
    }

    /// Bits 63:0; a dword that is missing reads as zero.
    #[must_use]
    pub const fn word(&self) -> u64 {
        (self.dwords[1] as u64) << 32 | self.dwords[0] as u64
    }

    /// This window with other bits 63:0.
    #[must_use]
    pub fn with_word(mut self, word: u64) -> Self {
        self.dwords[0] = word as u32;
        self.dwords[1] = (word >> 32) as u32;
        self.len = self.len.max(2);
        self
    }

    /// This window with dword `index` (at most 3) set; shorter windows grow with zeros.
    #[must_use]
    pub fn with_dword(mut self, index: usize, value: u32) -> Self {
        if let Some(slot) = self.dwords.get_mut(index) {
            *slot = value;
            self.len = self.len.max(index as u8 + 1);
        }
        self
    }

    /// The first `count` dwords of this window (all of them if it has fewer; at least one).
    #[must_use]
    pub fn truncated(&self, count: usize) -> Self {
        let len = self.dwords().len().min(count.max(1));
        let mut window = Self { dwords: [0; MAX_DWORDS], len: len as u8 };
        window.dwords[..len].copy_from_slice(&self.dwords[..len]);
        window
    }

    /// Length in bytes: 4, 8, 12 or 16.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        usize::from(self.len) * 4
    }

    /// The bytes, little-endian, as they lie in memory.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.dwords().iter().flat_map(|dword| dword.to_le_bytes())
    }
}

/// Dwords in memory order, `d3a00005 040e0480`.
impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, dword) in self.dwords().iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{dword:08x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Window({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_dwords_in_memory_order_and_bytes_little_endian() {
        let window = Window::from_word(0x040e_0480_d3a0_0005);
        assert_eq!(window.to_string(), "d3a00005 040e0480");
        assert_eq!(format!("{window:?}"), "Window(d3a00005 040e0480)");
        assert_eq!(window.bytes().collect::<Vec<_>>(), [0x05, 0x00, 0xa0, 0xd3, 0x80, 0x04, 0x0e, 0x04]);
        assert_eq!(window.with_dword(2, 7).byte_len(), 12);
        assert_eq!(window.with_dword(2, 7).truncated(2), window);
    }

    #[test]
    fn a_window_has_one_to_four_dwords() {
        assert_eq!(Window::from_dwords(&[]), None);
        assert_eq!(Window::from_dwords(&[0; 5]), None);
        assert_eq!(Window::from_dwords(&[1]).map(|w| w.byte_len()), Some(4));
    }
}
