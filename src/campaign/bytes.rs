//! What the records of both kinds of fuzz inputs have in common; all numbers little-endian.

use crate::codec::Window;

/// Writes a seed, and how many things are drawn from it: 8 bytes and 2.
pub(super) fn write_drawn(seed: u64, count: u16, bytes: &mut Vec<u8>) {
    bytes.extend(seed.to_le_bytes());
    bytes.extend(count.to_le_bytes());
}

/// Reads what [`write_drawn`] wrote; what follows it comes third.
pub(super) fn read_drawn(bytes: &[u8]) -> Option<(u64, u16, &[u8])> {
    let (seed, rest) = bytes.split_first_chunk::<8>()?;
    let (count, rest) = rest.split_first_chunk::<2>()?;
    Some((u64::from_le_bytes(*seed), u16::from_le_bytes(*count), rest))
}

/// Writes a window: how many dwords, then they.
pub(super) fn write_window(window: &Window, bytes: &mut Vec<u8>) {
    bytes.push(window.dwords().len() as u8);
    bytes.extend(window.bytes());
}

/// Reads a window of 2 to 4 dwords; what follows it comes second.
pub(super) fn read_window(bytes: &[u8]) -> Option<(Window, &[u8])> {
    let (count, rest) = bytes.split_first()?;
    if !(2..=4).contains(count) {
        return None;
    }
    let (bytes, rest) = rest.split_at_checked(usize::from(*count) * 4)?;
    let dwords: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
    Some((Window::from_dwords(&dwords)?, rest))
}
