//! Which bytes a window becomes when a tool is asked about it.

use crate::codec::Window;

/// `s_nop 0x7777`: what follows a window that may reach past its own end. Taken as a literal it shows as 0xbf807777;
/// left alone it prints as an instruction of its own.
pub const PAD: u32 = 0xbf80_7777;

/// Dwords of a padded block: no instruction of any target is longer than 20 bytes.
const BLOCK_DWORDS: usize = 5;

/// Source selectors that mean "a dword more behind the word" on some target: DPP8 (two), SDWA, DPP16, and literals
/// of 64 and 32 bits.
const SELECTORS_THAT_TAKE_MORE: [u32; 6] = [233, 234, 249, 250, 254, 255];

/// The fixed padding behind a window, part of every case made of it.
///
/// A window whose word names a selector that takes another dword, or that is the first half of a pair, or that is
/// longer than 8 bytes, is padded with [`PAD`] to 20 bytes, so that nothing it can take lies past the end (reading
/// there kills LLVM 22) or in another window. Any other window decodes the same whatever follows and gets none. A
/// window cut short (4 bytes) stays cut short.
#[must_use]
pub fn padding(window: &Window) -> &'static [u32] {
    const PADS: [u32; BLOCK_DWORDS] = [PAD; BLOCK_DWORDS];
    let dwords = window.dwords();
    if dwords.len() < 2 || (dwords.len() == 2 && !takes_more(dwords) && !is_first_half(dwords)) {
        return &[];
    }
    &PADS[dwords.len().min(BLOCK_DWORDS)..]
}

fn takes_more(dwords: &[u32]) -> bool {
    let upper = dwords.get(1).copied().unwrap_or(0);
    [0, 9, 18].iter().any(|shift| SELECTORS_THAT_TAKE_MORE.contains(&(upper >> shift & 0x1ff)))
}

/// `v_mfma_ld_scale_b32` (gfx950), `v_wmma_ld_scale_paired_b32` and its 64-bit form (gfx1250).
fn is_first_half(dwords: &[u32]) -> bool {
    dwords.first().is_some_and(|lower| matches!(lower >> 16, 0xd3ac | 0xcc35 | 0xcc3a))
}

/// One window as the tools get it: its dwords, then its padding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    dwords: [u32; BLOCK_DWORDS],
    given: u8,
    len: u8,
    /// The caller is fairly sure that the tools accept it.
    pub probably_valid: bool,
}

impl Block {
    pub fn new(window: &Window, probably_valid: bool, padded: bool) -> Self {
        let mut dwords = [0; BLOCK_DWORDS];
        let given = window.dwords().len();
        let padding = if padded { padding(window) } else { &[] };
        let len = given + padding.len();
        for (slot, dword) in dwords.iter_mut().zip(window.dwords().iter().chain(padding)) {
            *slot = *dword;
        }
        Self { dwords, given: given as u8, len: len as u8, probably_valid }
    }

    /// `s_nop 1`, no instruction, `s_nop 2`: what a working tool tells apart on every target.
    pub const fn probe() -> [Self; 3] {
        const fn twice(dword: u32, probably_valid: bool) -> Block {
            Block { dwords: [dword, dword, 0, 0, 0], given: 2, len: 2, probably_valid }
        }
        [twice(0xbf80_0001, true), twice(0xffff_ffff, false), twice(0xbf80_0002, true)]
    }

    pub fn dwords(&self) -> &[u32] {
        &self.dwords[..usize::from(self.len)]
    }

    /// Bytes, padding included.
    pub fn byte_len(&self) -> usize {
        usize::from(self.len) * 4
    }

    pub fn pads(&self) -> usize {
        usize::from(self.len - self.given)
    }

    /// A window of 4 bytes: less than a VOP3P word.
    pub fn is_cut_short(&self) -> bool {
        self.given < 2
    }

    /// Bits 31:24 are 0xcc (gfx10 and later) or bits 31:23 are 110100111 (gfx9): if this decodes at all, then as an
    /// instruction of 8 bytes or more.
    pub fn has_vop3p_prefix(&self) -> bool {
        self.dwords[0] >> 24 == 0xcc || self.dwords[0] >> 23 == 0b1_1010_0111
    }

    /// Whether the first instruction is the word alone or nothing: no dword behind the word can belong to it.
    pub fn is_word_only(&self) -> bool {
        self.has_vop3p_prefix() && !takes_more(&self.dwords)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pads(dwords: &[u32]) -> usize {
        padding(&Window::from_dwords(dwords).unwrap()).len()
    }

    #[test]
    fn only_a_window_that_may_reach_past_its_end_is_padded() {
        assert_eq!(pads(&[0xcc0e_4000, 0x1c0e_0501]), 0, "three VGPRs");
        for selector in [233, 234, 249, 250, 254, 255] {
            for shift in [0, 9, 18] {
                assert_eq!(pads(&[0xcc0e_4000, selector << shift]), 3, "{selector} at {shift}");
            }
        }
        assert_eq!(pads(&[0xcc0e_4000, 0x1c0e_04fd]), 0, "253 is SCC");
        assert_eq!(pads(&[0xd3ac_0800, 0x1800_1103]), 3, "gfx950 scale");
        assert_eq!(pads(&[0xcc35_0000, 0x1800_1103]), 3, "gfx1250 scale");
        assert_eq!(pads(&[0xcc0e_4000, 0x1c0e_0501, 7]), 2);
        assert_eq!(pads(&[0xcc0e_4000, 0x1c0e_0501, 7, 8]), 1);
        assert_eq!(pads(&[0xcc0e_40ff]), 0, "cut short stays cut short");
    }

    #[test]
    fn a_block_is_the_window_and_its_padding() {
        let block = Block::new(&Window::from_dwords(&[0xcc0e_4000, 0x1c0e_04ff, 9]).unwrap(), false, true);
        assert_eq!(block.dwords(), [0xcc0e_4000, 0x1c0e_04ff, 9, PAD, PAD]);
        assert_eq!((block.byte_len(), block.pads()), (20, 2));
        assert!(block.has_vop3p_prefix() && !block.is_word_only());
        assert!(Block::new(&Window::from_word(0xd3a0_0005), false, true).has_vop3p_prefix());
        assert!(!Block::new(&Window::from_word(0xd320_0005), false, true).has_vop3p_prefix());
    }
}
