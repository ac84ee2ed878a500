//! A family of windows: a plain word, and what of it is varied.

use crate::codec::{Field, Window};
use crate::isa::{DPP8, DPP16, LITERAL, Target};
use crate::plain::{PLAIN_LITERAL, opcode_number};

/// What is varied: one value of each axis makes a window.
#[derive(Clone, Debug)]
pub(super) enum Axis {
    /// Every value of a field.
    All(Field),
    /// Every combination of these bits of the window.
    Bits(u128),
    /// These values of a field.
    Of(Field, Vec<u32>),
    /// One of these settings.
    One(Vec<(Field, u32)>),
    /// These windows in place of the plain one, as they are: without what a selector asks for behind the word.
    Windows(Vec<Window>),
}

impl Axis {
    fn len(&self) -> u64 {
        match self {
            Self::All(field) => 1 << field.width(),
            Self::Bits(mask) => 1 << mask.count_ones(),
            Self::Of(_, values) => values.len() as u64,
            Self::One(settings) => settings.len() as u64,
            Self::Windows(windows) => windows.len() as u64,
        }
    }

    fn apply(&self, window: Window, index: u64) -> Window {
        let place = index as usize;
        match self {
            Self::All(field) => field.set(window, index as u32),
            Self::Bits(mask) => scatter(window, *mask, index),
            Self::Of(field, values) => values.get(place).map_or(window, |value| field.set(window, *value)),
            Self::One(settings) => settings.get(place).map_or(window, |(field, value)| field.set(window, *value)),
            Self::Windows(windows) => windows.get(place).copied().unwrap_or(window),
        }
    }
}

/// The window with the bits of a mask, lowest first, set to those of a number.
fn scatter(window: Window, mask: u128, number: u64) -> Window {
    let mut window = window;
    let (mut mask, mut number) = (mask, number);
    while mask != 0 {
        let bit = mask.trailing_zeros();
        let place = bit as usize / 32;
        let dword = window.dword(place).unwrap_or(0) & !(1 << (bit % 32));
        window = window.with_dword(place, dword | ((number & 1) as u32) << (bit % 32));
        mask &= mask - 1;
        number >>= 1;
    }
    window
}

/// A family of windows.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// What is varied, for people.
    pub name: &'static str,
    /// AMD's name of the opcode; `#17` where the number is none.
    pub opcode: String,
    /// The plain word.
    pub base: Window,
    /// What is varied; the last axis changes fastest.
    pub axes: Vec<Axis>,
}

impl Space {
    /// How many windows it has.
    pub fn len(&self) -> u64 {
        self.axes.iter().map(Axis::len).product()
    }

    /// One of them.
    pub fn window(&self, target: Target, index: u64) -> Window {
        let mut rest = index;
        let mut window = self.base;
        let mut as_it_is = false;
        for axis in self.axes.iter().rev() {
            window = axis.apply(window, rest % axis.len());
            rest /= axis.len();
            as_it_is |= matches!(axis, Axis::Windows(_));
        }
        if as_it_is { window } else { followed(target, window) }
    }
}

/// The window with what its selectors ask for behind the word: a literal, a DPP dword that moves no lane.
fn followed(target: Target, window: Window) -> Window {
    if window.dwords().len() != 2 {
        return window;
    }
    let src0 = Field::Src0.get(&window);
    let is_dpp8 = DPP8.iter().any(|marker| u32::from(*marker) == src0);
    if is_dpp8 {
        return Field::Lanes.set(Field::Vsrc0.set(window, 2), 0o76543210);
    }
    if src0 == u32::from(DPP16) {
        let window = Field::DppCtrl.set(Field::Vsrc0.set(window, 2), 0b11_10_01_00);
        return Field::RowMask.set(Field::BankMask.set(window, 15), 15);
    }
    let names = |selector: u32| (0..3).any(|slot| Field::src(slot).get(&window) == selector);
    if names(u32::from(LITERAL)) {
        return Field::Literal.set(window, PLAIN_LITERAL);
    }
    // Selector 254 is a 64-bit literal in other encodings of CDNA5.
    if names(254) && target.rules().prefix.op_bits == 8 {
        return window.with_dword(2, PLAIN_LITERAL).with_dword(3, 0);
    }
    window
}

/// The name of the opcode in a word: AMD's, or its number.
pub(super) fn opcode_name(target: Target, window: &Window) -> String {
    let number = opcode_number(target, window);
    target.opcode(number).map_or_else(|| format!("#{number}"), |opcode| opcode.amd.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(base: &str, axes: Vec<Axis>) -> Space {
        Space { name: "test", opcode: String::new(), base: base.parse().unwrap(), axes }
    }

    #[test]
    fn every_combination_is_one_window() {
        let target = "gfx900".parse().unwrap();
        // v_pk_add_f16 v0, v2, v4: source 0 of two values, bits 15 and 61 of four.
        let space =
            space("d38f4000 18020902", vec![Axis::Of(Field::Src0, vec![256, 257]), Axis::Bits(1 << 15 | 1 << 61)]);
        let all: Vec<String> = (0..space.len()).map(|index| space.window(target, index).to_string()).collect();
        assert_eq!(
            all,
            [
                "d38f4000 18020900",
                "d38fc000 18020900",
                "d38f4000 38020900",
                "d38fc000 38020900",
                "d38f4000 18020901",
                "d38fc000 18020901",
                "d38f4000 38020901",
                "d38fc000 38020901",
            ]
        );
    }

    #[test]
    fn what_a_selector_asks_for_follows() {
        let at = |cpu: &str, values: Vec<u32>| {
            let space = space("cc0f4000 18020902", vec![Axis::Of(Field::Src0, values)]);
            space.window(cpu.parse().unwrap(), 0).to_string()
        };
        assert_eq!(at("gfx1100", vec![255]), "cc0f4000 180208ff 00001234");
        assert_eq!(at("gfx1100", vec![250]), "cc0f4000 180208fa ff00e402");
        assert_eq!(at("gfx1100", vec![233]), "cc0f4000 180208e9 fac68802");
        assert_eq!(at("gfx1250", vec![254]), "cc0f4000 180208fe 00001234 00000000");
        assert_eq!(at("gfx1100", vec![254]), "cc0f4000 180208fe");
    }
}
