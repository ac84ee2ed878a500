//! Matrix words and scaled pairs worth judging.

use super::generate::{Draw, Generator};
use crate::codec::{Field, Window};
use crate::isa::{LITERAL, Matrix, MatrixLayout, MatrixSource, Modifiers, Opcode, PAIRS, Pair};
use crate::plain::plain_word;

impl Generator {
    /// A matrix word, or a pair where the opcode is half of one.
    pub(super) fn matrix(&self, draw: &mut Draw, opcode: &Opcode, matrix: Matrix) -> Window {
        let target = self.target();
        let has_scale = |pair: &&Pair| target.opcode(pair.scale).is_some();
        if matrix.is_scale() {
            let bodies: Vec<&Pair> = PAIRS.iter().filter(|pair| pair.scale == opcode.number).collect();
            let pair = draw_one(draw, &bodies);
            return if draw.chance(90) {
                self.pair(draw, pair)
            } else {
                self.word(draw, opcode, matrix.layout(target.wave()))
            };
        }
        let mine: Vec<&Pair> = PAIRS.iter().filter(has_scale).filter(|pair| pair.body == opcode.number).collect();
        if !mine.is_empty() && draw.chance(50) {
            let pair = draw_one(draw, &mine);
            return self.pair(draw, pair);
        }
        self.word(draw, opcode, matrix.layout(target.wave()))
    }

    fn pair(&self, draw: &mut Draw, pair: &Pair) -> Window {
        let target = self.target();
        let (Some(scale), Some(mut body)) = (target.opcode(pair.scale), target.opcode(pair.body)) else {
            return plain_word(target, pair.scale);
        };
        // Now and then something else stands behind the scale word.
        if draw.chance(4) {
            body = self.any_opcode(draw);
        }
        let layout = |opcode: &Opcode| opcode.matrix().map(Matrix::paired_layout);
        let (Some(scale_layout), body_layout) = (layout(scale), layout(body)) else {
            return plain_word(target, pair.scale);
        };
        let low = self.word(draw, scale, scale_layout);
        let high = match body_layout {
            Some(layout) => self.word(draw, body, layout),
            None => plain_word(target, body.number),
        };
        low.truncated(2).with_dword(2, high.word() as u32).with_dword(3, (high.word() >> 32) as u32)
    }

    fn word(&self, draw: &mut Draw, opcode: &Opcode, layout: &MatrixLayout) -> Window {
        let target = self.target();
        let plain = plain_word(target, opcode.number).truncated(2);
        let mut word = plain.word();
        let mut set = |bits: u64, value: u64| word = word & !bits | value & bits;
        // What is fixed mostly stays as LLVM writes it; now and then one bit of it, or AMD's value.
        for row in layout.fixed {
            let value = match draw.below(20) {
                0 => row.llvm ^ one_bit(draw, row.bits),
                1..=9 => row.amd,
                10 if row.bits & (0x1ff << 50 | 0xff) != 0 => draw.wide(),
                _ => row.llvm,
            };
            set(row.bits, value);
        }
        for (_, parts) in layout.modifiers {
            let often = draw.chance(40);
            let bits = parts.iter().fold(0, |bits, (lo, width)| bits | ((1 << width) - 1) << lo);
            set(bits, if often { draw.wide() } else { 0 });
        }
        let illegal = layout.checks.iter().fold(0, |bits, row| bits | row.bits);
        for row in layout.checks {
            set(row.bits, if draw.chance(8) { draw.wide() } else { row.llvm });
        }
        if draw.chance(35) {
            set(layout.kept & !illegal, draw.wide());
        }
        for file in [59_u64, 60, 15].map(|bit| 1 << bit) {
            if layout.files.iter().any(|f| file_bit(*f) == Some(file)) {
                set(file, draw.wide());
            }
        }
        let window = Window::from_word(word);
        let modifiers = formats(opcode, &window);
        let dwords = opcode.dwords(target, modifiers);
        let mut window = window;
        if dwords[0] > 0 {
            window = Field::Vdst.set(window, self.register(draw, dwords[0]));
        }
        for slot in 0..opcode.sources() {
            let selector = self.matrix_source(draw, layout.kinds[slot], dwords[slot + 1], slot, &window);
            window = Field::src(slot).set(window, selector);
        }
        window
    }

    /// The first register of a tuple: mostly aligned and within the file.
    fn register(&self, draw: &mut Draw, dwords: u8) -> u32 {
        if draw.chance(4) {
            return draw.below(256);
        }
        let number = draw.below(257 - u32::from(dwords));
        if dwords > 1 && self.target().rules().even_vgpr_tuples { number & !1 } else { number }
    }

    fn matrix_source(&self, draw: &mut Draw, kind: MatrixSource, dwords: u8, slot: usize, window: &Window) -> u32 {
        match draw.below(100) {
            // C is most often D; where it is not, it must not overlap it.
            0..=49 if slot == 2 && dwords > 1 => 256 + Field::Vdst.get(window),
            0..=87 => 256 + self.register(draw, dwords),
            88..=95 => match kind {
                MatrixSource::Register if draw.chance(50) => 256 + self.register(draw, dwords),
                MatrixSource::Cdna5Scale => draw.one_of(&[128, 0, 2, 4, 33, 100]),
                MatrixSource::NoLiteral => draw.one_of(&[0, 5, 106, 124, 126, 129, 193, 242, 248, 253]),
                _ => 128 + draw.below(81),
            },
            96 => 240 + draw.below(9),
            97 => draw.below(128),
            98 => draw.one_of(&[102, 106, 124, 125, 126, 209, 230, 233, 235, 239, 249, 250, 251, 253, 254]),
            _ if draw.chance(30) => u32::from(LITERAL),
            _ => draw.below(512),
        }
    }
}

fn draw_one<'a, T>(draw: &mut Draw, items: &[&'a T]) -> &'a T {
    items[draw.below(items.len() as u32) as usize]
}

/// One of the bits.
fn one_bit(draw: &mut Draw, bits: u64) -> u64 {
    let nth = draw.below(bits.count_ones());
    let rest = (0..nth).fold(bits, |bits, _| bits & (bits - 1));
    rest & rest.wrapping_neg()
}

const fn file_bit(file: crate::isa::File) -> Option<u64> {
    match file {
        crate::isa::File::Bit(bit) => Some(1 << bit),
        crate::isa::File::AccCd => Some(1 << 15),
        crate::isa::File::Vgpr | crate::isa::File::Acc => None,
    }
}

/// The formats of A and B that the word chooses, which decide the width of their tuples.
fn formats(opcode: &Opcode, window: &Window) -> Modifiers {
    use crate::isa::Modifier::{Blgp, Cbsz, MatrixAFmt, MatrixBFmt};
    let value = |field: Field| field.get(window) as u8;
    match opcode.matrix() {
        Some(Matrix::MfmaF8f6f4) => Modifiers::NONE.with(Cbsz, value(Field::Cbsz)).with(Blgp, value(Field::Blgp)),
        Some(Matrix::Cdna5F8f6f4) => {
            Modifiers::NONE.with(MatrixAFmt, value(Field::OpSel)).with(MatrixBFmt, value(Field::OpSelHi))
        }
        _ => Modifiers::NONE,
    }
}
