//! Windows worth judging: each field drawn from its legality classes, near misses included.
//!
//! Uniformly random words are almost all undefined (96 % on gfx11 and gfx12). Here the opcode is nearly always one the
//! target has, sources are drawn class by class, and most modifiers stay at their default, so that most windows are
//! accepted and compared field by field.

use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::codec::{Field, Window};
use crate::isa::{DPP8, DPP16, DppRule, Form, LITERAL, Opcode, SDWA, Target};
use crate::plain::{plain_word, with_plain};

/// A stream of random numbers that is the same on every machine and in every version.
#[derive(Clone, Debug)]
pub struct Draw(Pcg64Mcg);

impl Draw {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// 64 random bits.
    pub fn wide(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }
}

/// Draws windows of one target.
#[derive(Debug)]
pub struct Generator {
    target: Target,
    opcodes: Vec<&'static Opcode>,
    /// Numbers that are no opcode of the target.
    holes: Vec<u8>,
}

impl Generator {
    /// The generator of a target.
    #[must_use]
    pub fn new(target: Target) -> Self {
        let last = ((1_u32 << target.rules().prefix.op_bits) - 1) as u8;
        Self {
            target,
            opcodes: target.opcodes().collect(),
            holes: (0..=last).filter(|number| target.opcode(*number).is_none()).collect(),
        }
    }

    /// Its target.
    pub(super) fn target(&self) -> Target {
        self.target
    }

    /// One of the target's opcodes.
    pub(super) fn any_opcode(&self, draw: &mut Draw) -> &'static Opcode {
        draw.one_of(&self.opcodes)
    }

    /// One window: a word, with a third dword where a selector asks for one.
    pub fn window(&self, draw: &mut Draw) -> Window {
        if draw.chance(3) {
            return self.hole(draw);
        }
        let opcode = draw.one_of(&self.opcodes);
        if let Some(matrix) = opcode.matrix() {
            let window = self.matrix(draw, opcode, matrix);
            let window = if draw.chance(1) { self.near_miss_of_prefix(draw, window) } else { window };
            return self.finish(draw, window);
        }
        let mut window = plain_word(self.target, opcode.number);
        window = Field::Vdst.set(window, self.vgpr(draw, opcode.vdst.dwords()));
        for slot in 0..3 {
            let selector = self.selector(draw, opcode, slot);
            window = Field::src(slot).set(window, selector);
        }
        // Now and then on an opcode without DPP, too.
        let percent = match (self.target.rules().dpp, opcode.takes_dpp(self.target), opcode.form) {
            (DppRule::None, ..) => 0,
            (_, true, _) | (_, _, Form::DotFp8) => 20,
            _ => 1,
        };
        let has_dpp = draw.chance(percent);
        if has_dpp {
            window = self.dpp(draw, window);
        }
        window = modifiers(draw, opcode, window);
        if draw.chance(1) {
            window = self.near_miss_of_prefix(draw, window);
        }
        self.finish(draw, window)
    }

    /// The prefix that VOP3P has on other targets, or bit 23 set where it must be 0. Any other change makes another
    /// encoding's word, of which nothing can be said here.
    fn near_miss_of_prefix(&self, draw: &mut Draw, window: Window) -> Window {
        let prefix = Field::Prefix.get(&window);
        let (gfx9, rdna) = (0b1_1010_0111, 0b1_1001_1000);
        let near = match self.target.rules().prefix.value >> 24 {
            0xcc if draw.chance(50) && self.target.rules().prefix.op_bits == 7 => prefix ^ 1,
            0xcc => gfx9,
            _ => rdna,
        };
        Field::Prefix.set(window, near)
    }

    /// A word whose number is no opcode.
    fn hole(&self, draw: &mut Draw) -> Window {
        let mut window = plain_word(self.target, draw.one_of(&self.holes));
        for field in [Field::Src0, Field::Src1, Field::Src2] {
            window = field.set(window, 256 + draw.below(256));
        }
        let window = Field::Vdst.set(window, draw.below(256));
        self.finish(draw, window)
    }

    /// The third dword, where the word asks for one and has none yet.
    fn finish(&self, draw: &mut Draw, window: Window) -> Window {
        let names = |selector: u32| [Field::Src0, Field::Src1, Field::Src2].iter().any(|f| f.get(&window) == selector);
        if window.dwords().len() > 2 || !(names(254) || names(255)) {
            return window;
        }
        let longer = Field::Literal.set(window, literal_value(draw));
        // Selector 254 is a 64-bit literal in other encodings of CDNA5.
        let is_wide = self.target.rules().prefix.op_bits == 8 && names(254);
        if is_wide { longer.with_dword(3, draw.bits()) } else { longer }
    }

    fn vgpr(&self, draw: &mut Draw, dwords: u8) -> u32 {
        let number = if draw.chance(10) { draw.one_of(&[0, 1, 2, 127, 128, 253, 254, 255]) } else { draw.below(256) };
        let align = dwords == 2 && self.target.rules().even_vgpr_tuples && !draw.chance(5);
        if align { number & !1 } else { number }
    }

    /// A source selector, class by class.
    fn selector(&self, draw: &mut Draw, opcode: &Opcode, slot: usize) -> u32 {
        let dwords = opcode.src[slot].dwords();
        let rules = self.target.rules();
        let even = |draw: &mut Draw, number: u32| if dwords == 2 && !draw.chance(5) { number & !1 } else { number };
        match draw.below(100) {
            0..=59 => 256 + self.vgpr(draw, dwords),
            60..=71 => {
                let number = draw.below(106);
                even(draw, number)
            }
            72..=79 => 128 + draw.below(81),
            80..=85 => 240 + draw.below(9),
            86..=88 => {
                let number = draw.below(16);
                108 + even(draw, number)
            }
            89..=94 => draw.one_of(&[102, 104, 106, 107, 124, 125, 126, 127, 235, 236, 253]),
            95..=97 if rules.literal => u32::from(LITERAL),
            // Reserved ones, ones of other generations, and markers.
            _ => match draw.below(24) {
                0..=13 => draw.one_of(&[103, 105, 125, 230, 231, 237, 238, 239, 251, 252, 254]),
                14..=17 => 209 + draw.below(24),
                18 => u32::from(SDWA),
                19 => u32::from(DPP16),
                20 => u32::from(draw.one_of(&DPP8)),
                21 => u32::from(LITERAL),
                _ => draw.below(512),
            },
        }
    }

    fn dpp(&self, draw: &mut Draw, window: Window) -> Window {
        let is_dpp8 = draw.chance(40);
        let marker = if is_dpp8 { draw.one_of(&DPP8) } else { DPP16 };
        let mut window = Field::Src0.set(window, u32::from(marker));
        if !draw.chance(15) {
            // The other sources as DPP mostly has them.
            let only_vgpr = self.target.rules().dpp == DppRule::Src1Vgpr || !draw.chance(20);
            for field in [Field::Src1, Field::Src2] {
                if only_vgpr && field.get(&window) < 256 {
                    window = field.set(window, 256 + draw.below(256));
                }
            }
        }
        window = Field::Vsrc0.set(window, draw.below(256));
        if is_dpp8 {
            // Now and then one that looks like a source selector.
            let lanes = if draw.chance(15) { draw.below(512) } else { draw.bits() & 0xff_ffff };
            return Field::Lanes.set(window, lanes);
        }
        let ctrl = match draw.below(10) {
            0..=3 => draw.below(256),
            4..=8 => {
                let base = draw.one_of(&[0x100, 0x110, 0x120, 0x150, 0x160]);
                base + draw.below(16)
            }
            _ => 0x100 + draw.below(256),
        };
        window = Field::DppCtrl.set(window, if draw.chance(8) { draw.one_of(&[0x140, 0x141]) } else { ctrl });
        for (field, percent) in
            [(Field::DppReserved, 3), (Field::Fi, 30), (Field::BoundCtrl, 30), (Field::DppIgnored, 10)]
        {
            let value = if draw.chance(percent) { 1 + draw.below((1 << field.width()) - 1).min(14) } else { 0 };
            window = field.set(window, value.min((1 << field.width()) - 1));
        }
        let masks = if draw.chance(50) { 0xff } else { draw.bits() };
        window = Field::BankMask.set(window, masks & 15);
        Field::RowMask.set(window, masks >> 4 & 15)
    }
}

/// A literal: one that looks like an inline constant, a small one, or any.
fn literal_value(draw: &mut Draw) -> u32 {
    match draw.below(8) {
        0 => draw.one_of(&[0x3800, 0xbc00, 0x3c00, 0x4400, 0x3118, 0x3f00, 0x3f80, 0x3e22]),
        1 => draw.one_of(&[0x3f80_0000, 0xbf00_0000, 0x4080_0000, 0x3e22_f983, 0x3c00_3c00, 0x3f80_3f80]),
        2 => draw.below(128).wrapping_sub(32),
        3 => draw.below(0x1_0000),
        4 => draw.below(0x1_0000) << 16,
        _ => draw.bits(),
    }
}

/// Each modifier at its default more often than not.
fn modifiers(draw: &mut Draw, opcode: &Opcode, window: Window) -> Window {
    // A dot product that uses OP_SEL is a known disagreement; it need not be every other word.
    let often = match opcode.form {
        Form::Dot | Form::DotFp8 => 6,
        _ => 45,
    };
    // Nor need every other integer operand be negated, which means nothing.
    let negated = if opcode.integer_sources() == 0 { 35 } else { 8 };
    let used = (1_u32 << opcode.sources()) - 1;
    let mut window = window;
    let fields = [(Field::OpSel, often), (Field::OpSelHi, often), (Field::Neg, negated), (Field::NegHi, negated)];
    for (field, percent) in fields {
        if draw.chance(percent) {
            let keep = Field::get(field, &window) & !used;
            window = field.set(window, draw.bits() & used | keep);
        }
    }
    window = Field::Clamp.set(window, u32::from(draw.chance(if often == 45 { 30 } else { 15 })));
    if opcode.sources() == 2 {
        // What an unused source leaves: usually canonical, sometimes not.
        if !draw.chance(25) {
            window = Field::Src2.set(window, 0);
        }
        if draw.chance(25) {
            window = Field::OpSelHi.set(window, Field::OpSelHi.get(&window) & 3);
        }
        for field in [Field::OpSel, Field::Neg, Field::NegHi] {
            if draw.chance(2) {
                window = field.set(window, field.get(&window) | 4);
            }
        }
    }
    window
}

/// The window with one field changed: to a near value, to its plainest, or as the generator draws it anew.
#[must_use]
pub fn mutate(target: Target, window: &Window, draw: &mut Draw) -> Window {
    let mut fields = crate::codec::fields_of(target, window);
    fields.retain(|field| *field != Field::Prefix);
    let field = draw.one_of(&fields);
    match draw.below(4) {
        0 => with_plain(target, window, field),
        1 => field.set(*window, field.get(window) ^ 1 << draw.below(field.width())),
        2 => {
            let donor = Generator::new(target).window(draw);
            field.set(*window, field.get(&donor))
        }
        _ => field.set(*window, draw.bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decode;

    #[test]
    fn a_seed_is_a_stream_for_ever() {
        // The fuzz input format stores seeds: the stream must not change. First words of PCG64-MCG for seed 1.
        let mut a = Draw::new(1);
        let mut b = Draw::new(1);
        assert_eq!((a.wide(), a.wide()), (b.wide(), b.wide()));
        assert_ne!(Draw::new(1).wide(), Draw::new(2).wide());
    }

    #[test]
    fn most_windows_are_legal_on_every_target_and_some_are_near_misses() {
        for target in Target::all() {
            let generator = Generator::new(target);
            let mut draw = Draw::new(7);
            let mut legal = 0;
            let mut undefined = 0;
            for _ in 0..2000 {
                match decode(target, &generator.window(&mut draw).with_dword(3, 0)) {
                    Ok(decoded) => legal += u32::from(decoded.notes.is_legal()),
                    Err(_) => undefined += 1,
                }
            }
            assert!(legal > 800, "{target}: {legal} of 2000 legal");
            assert!((60..700).contains(&undefined), "{target}: {undefined} of 2000 undefined");
        }
    }

    #[test]
    fn matrix_words_and_pairs_are_drawn() {
        for (cpu, pairs) in [("gfx908", false), ("gfx950", true), ("gfx1200:w64", false), ("gfx1250", true)] {
            let target: Target = cpu.parse().unwrap();
            let generator = Generator::new(target);
            let mut draw = Draw::new(3);
            let decoded: Vec<_> = (0..5000).filter_map(|_| decode(target, &generator.window(&mut draw)).ok()).collect();
            let count = |is: &dyn Fn(&crate::codec::Decoded) -> bool| decoded.iter().filter(|one| is(one)).count();
            let legal = count(&|one| one.instruction.opcode.is_matrix() && one.notes.is_legal());
            assert!(legal > 500, "{cpu}: {legal} legal matrix words");
            assert_eq!(count(&|one| one.instruction.scale.is_some() && one.notes.is_legal()) > 15, pairs, "{cpu}");
        }
    }
}
