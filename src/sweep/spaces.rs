//! What is varied of each opcode of a target: the families of windows that make up its sweep.

use super::space::{Axis, Space, opcode_name};
use crate::codec::{Field, Window};
use crate::isa::{DPP8, DPP16, DppRule, LITERAL, Opcode, PAIRS, Pair, Target};
use crate::plain::{plain_value, plain_word, with_plain};

/// Bits 15:8 and 63:59, all that a word has besides its opcode, destination and sources: NEG, NEG_HI, OP_SEL, OP_SEL_HI
/// and CLAMP, or what a matrix word has there.
const MODIFIERS: u128 = 0xf800_0000_0000_ff00;

/// The same of the second word of a pair.
const BODY_MODIFIERS: u128 = MODIFIERS << 64;

/// Operands of a source, one a class, behind the two that each slot has of its own: a VGPR and an SGPR.
///
/// An odd VGPR, the last one and the destination's; an SGPR that all slots share, odd, and the first behind s101; VCC,
/// EXEC, TTMP; 124 and 125, M0 and NULL by generation; an integer, a float and 1/(2π) as constants; nothing; an aperture;
/// 254, 250, 255: LDS_DIRECT, DPP16, a literal. Every other selector is among the values of a source field.
const CLASSES: [u32; 18] = [259, 511, 256, 33, 102, 106, 126, 110, 124, 125, 129, 242, 248, 209, 235, 254, 250, 255];

/// Literals that look like something else: constants of every format, small numbers, halves of numbers.
const LITERALS: [u32; 40] = [
    0,
    1,
    2,
    63,
    64,
    65,
    0x7f,
    0xff,
    0x100,
    0x1234,
    0x3118,
    0x3800,
    0x3c00,
    0x3e22,
    0x3f00,
    0x3f80,
    0x4000,
    0x4400,
    0x7fff,
    0x8000,
    0xb800,
    0xbc00,
    0xc400,
    0xfff0,
    0xffff,
    0x1_0000,
    0x3c00_0000,
    0x3c00_3c00,
    0x3e22_f983,
    0x3f00_0000,
    0x3f80_0000,
    0x3f80_3f80,
    0x3f80_1234,
    0x4080_0000,
    0xbf80_0000,
    0xc080_0000,
    0x8000_0000,
    0xffff_fff0,
    0xffff_ffff,
    0xbf80_7777,
];

/// The operands of a source, one a class; the first two are the slot's own.
fn classes(target: Target, base: &Window, slot: usize, field: Field) -> Vec<u32> {
    let own = [plain_value(target, base, field), 2 + 2 * slot as u32];
    own.into_iter().chain(CLASSES).collect()
}

/// What a family of windows is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// An opcode of the target.
    Opcode(&'static Opcode),
    /// A scaled pair.
    Pair(&'static Pair),
    /// The numbers that are none, and the words of other generations.
    NoOpcode,
}

impl Subject {
    /// Everything that a target's words may be. `opcodes` are AMD's names; empty: all, and what is no opcode.
    pub fn all(target: Target, opcodes: &[String]) -> Vec<Self> {
        let is_chosen = |name: &str| opcodes.is_empty() || opcodes.iter().any(|chosen| chosen == name);
        let has = |number| target.opcode(number).is_some();
        let words = target.opcodes().filter(|opcode| is_chosen(opcode.amd)).map(Self::Opcode);
        let pairs =
            PAIRS.iter().filter(|pair| has(pair.scale) && has(pair.body) && is_chosen(pair.amd)).map(Self::Pair);
        words.chain(pairs).chain(opcodes.is_empty().then_some(Self::NoOpcode)).collect()
    }

    /// Whether our tables say the same of its words on both targets.
    pub fn is_same_on(self, a: Target, b: Target) -> bool {
        let row = |target: Target, number| target.opcode(number).map(|opcode| opcode as *const Opcode);
        let same_row = |number| row(a, number) == row(b, number);
        a.generation() == b.generation()
            && match self {
                Self::Opcode(opcode) => {
                    let wave = a.wave() == b.wave() || !opcode.is_matrix();
                    wave && same_row(opcode.number) && opcode.takes_dpp(a) == opcode.takes_dpp(b)
                }
                Self::Pair(pair) => a.wave() == b.wave() && same_row(pair.scale) && same_row(pair.body),
                Self::NoOpcode => (0..=u8::MAX).all(|number| row(a, number).is_some() == row(b, number).is_some()),
            }
    }

    /// The families of windows that are judged with padding behind each window.
    pub fn spaces(self, target: Target) -> Vec<Space> {
        let mut spaces = Vec::new();
        match self {
            Self::Opcode(opcode) => of_opcode(target, opcode, &mut spaces),
            Self::Pair(pair) => of_pair(target, pair, &mut spaces),
            Self::NoOpcode => of_no_opcode(target, &mut spaces),
        }
        spaces
    }
}

/// The families that are judged without padding: each window gets runs of its own, so there are few of them, of one
/// opcode a form.
pub(super) fn unpadded(target: Target, subjects: &[Subject]) -> Vec<Space> {
    let mut forms = Vec::new();
    let mut spaces = Vec::new();
    for subject in subjects {
        let Subject::Opcode(opcode) = subject else { continue };
        if forms.contains(&opcode.form) {
            continue;
        }
        forms.push(opcode.form);
        let word = plain_word(target, opcode.number).truncated(2);
        let with = |field: Field, value: u16| field.set(word, u32::from(value));
        let mut windows = vec![word.truncated(1), word];
        windows.extend((0..opcode.sources()).map(|slot| with(Field::src(slot), LITERAL)));
        if target.rules().dpp != DppRule::None {
            windows.extend([with(Field::Src0, DPP16), with(Field::Src0, DPP8[0])]);
        }
        spaces.push(Space {
            name: "cut short",
            opcode: opcode_name(target, &word),
            base: word,
            axes: vec![Axis::Windows(windows)],
        });
    }
    spaces
}

fn of_opcode(target: Target, opcode: &'static Opcode, spaces: &mut Vec<Space>) {
    // A CDNA5 scale word alone is no instruction; its plain word is a pair.
    let plain = plain_word(target, opcode.number).truncated(2);
    let name = opcode_name(target, &plain);
    let mut add = |what, base: Window, axes| spaces.push(Space { name: what, opcode: name.clone(), base, axes });
    add("modifiers", plain, vec![Axis::Bits(MODIFIERS)]);
    add("vdst", plain, vec![Axis::All(Field::Vdst)]);
    for (slot, what) in ["src0", "src1", "src2"].into_iter().enumerate() {
        add(what, plain, vec![Axis::All(Field::src(slot))]);
    }
    let class = |slot| Axis::Of(Field::src(slot), classes(target, &plain, slot, Field::src(slot)));
    let mut combined: Vec<Axis> = (0..opcode.sources()).map(class).collect();
    if opcode.sources() < 3 {
        // What an unused source names.
        combined.push(Axis::Of(Field::Src2, vec![0, plain_value(target, &plain, Field::Src2), 255]));
    }
    add("operands", plain, combined);
    for (slot, what) in ["src0 and modifiers", "src1 and modifiers", "src2 and modifiers"].into_iter().enumerate() {
        if slot < opcode.sources() {
            add(what, plain, vec![class(slot), one_modifier(target, &plain)]);
        }
    }
    if opcode.is_matrix() {
        let edges = |first: u32| (0..4).chain(29..34).chain(248..256).map(move |n| first + n).collect::<Vec<u32>>();
        let files = Axis::Bits(1 << 15 | 3 << 59);
        add("tuples", plain, vec![Axis::Of(Field::Vdst, edges(0)), Axis::Of(Field::Src2, edges(256)), files.clone()]);
        // The formats of F8F6F4 decide how many registers A and B have.
        let formats = if opcode.amd.ends_with("F8F6F4") { 0xe000_0000_0000_3800 | 0x700 } else { 0 };
        let (src0, src1) = (Axis::Of(Field::Src0, edges(256)), Axis::Of(Field::Src1, vec![256 + 64, 256 + 250]));
        add("tuples of A and B", plain, vec![src0, src1, files, Axis::Bits(formats & !(3 << 59))]);
    }
    if target.rules().literal {
        let slots = (0..opcode.sources()).map(|slot| (Field::src(slot), u32::from(LITERAL))).collect();
        let literal = Axis::Of(Field::Literal, LITERALS.to_vec());
        let halves = Axis::Bits(7 << 11 | 1 << 14 | 3 << 59);
        add("literals", plain.with_dword(2, 0), vec![Axis::One(slots), literal, halves]);
    }
    if target.rules().dpp != DppRule::None {
        of_dpp(target, opcode, &plain, &mut add);
    }
    add("behind the word", plain, vec![Axis::Windows(longer(target, opcode, &plain))]);
}

/// One bit of the modifiers away from the plain word, or none.
fn one_modifier(target: Target, plain: &Window) -> Axis {
    let fields = [Field::OpSel, Field::OpSelHi, Field::Neg, Field::NegHi, Field::Clamp];
    let settings = fields.iter().flat_map(|field| {
        let value = plain_value(target, plain, *field);
        (0..field.width()).map(move |bit| (*field, value ^ 1 << bit)).chain([(*field, value)])
    });
    Axis::One(settings.collect())
}

fn of_dpp(target: Target, opcode: &Opcode, plain: &Window, add: &mut impl FnMut(&'static str, Window, Vec<Axis>)) {
    let dword = |marker: u16| {
        let mut window = Field::Src0.set(*plain, u32::from(marker)).with_dword(2, 0);
        let fields = if marker == DPP16 {
            vec![Field::Vsrc0, Field::DppCtrl, Field::BankMask, Field::RowMask]
        } else {
            vec![Field::Vsrc0, Field::Lanes]
        };
        for field in fields {
            window = with_plain(target, &window, field);
        }
        window
    };
    let (dpp16, dpp8) = (dword(DPP16), dword(DPP8[0]));
    let markers = Axis::Of(Field::Src0, DPP8.iter().map(|marker| u32::from(*marker)).collect());
    if !opcode.takes_dpp(target) {
        add("DPP where there is none", dpp16, vec![Axis::Of(Field::DppCtrl, vec![0xe4, 0x101, 0x1ff])]);
        add("DPP where there is none", dpp8, vec![markers]);
        return;
    }
    add("DPP control", dpp16, vec![Axis::All(Field::DppCtrl)]);
    add("DPP masks", dpp16, vec![Axis::All(Field::BankMask), Axis::All(Field::RowMask)]);
    // Bits 23:17 of the dword: reserved, FI, BOUND_CTRL, and four that VOP3P ignores.
    add("DPP bits", dpp16, vec![Axis::Bits(0x7f << (64 + 17)), Axis::Of(Field::DppCtrl, vec![0xe4, 0x111])]);
    add("DPP source", dpp16, vec![Axis::All(Field::Vsrc0)]);
    add("DPP modifiers", dpp16, vec![Axis::Bits(MODIFIERS)]);
    let class = |slot| Axis::Of(Field::src(slot), classes(target, plain, slot, Field::src(slot)));
    add("DPP operands", dpp16, vec![class(1), class(2)]);
    add("DPP8 operands", dpp8, vec![class(1), class(2)]);
    // Lane by lane, and nine bits that look like a source selector.
    for lane in 0..8 {
        add("DPP8 lanes", dpp8, vec![markers.clone(), Axis::Bits(7 << (72 + 3 * lane))]);
    }
    add("DPP8 lanes", dpp8.with_dword(2, 2), vec![Axis::Bits(0x1ff << 72)]);
}

/// Windows with more behind the word than it takes, or less.
fn longer(target: Target, opcode: &Opcode, plain: &Window) -> Vec<Window> {
    let junk = [0, 0xbf80_0000, 0xffff_ffff];
    let literal = Field::Src0.set(*plain, u32::from(LITERAL));
    let mut windows = vec![plain.truncated(1)];
    for word in [*plain, literal] {
        windows.push(word);
        windows.extend(junk.iter().map(|dword| word.with_dword(2, *dword)));
        windows.extend(junk.iter().map(|dword| word.with_dword(2, 0x1234).with_dword(3, *dword)));
    }
    // The same word once more: behind a scale word it is the second half.
    let again = plain_word(target, opcode.number).truncated(2);
    windows.push(plain.with_dword(2, again.dwords()[0]).with_dword(3, again.dword(1).unwrap_or(0)));
    windows
}

fn of_pair(target: Target, pair: &Pair, spaces: &mut Vec<Space>) {
    let (Some(scale), Some(body)) = (target.opcode(pair.scale), target.opcode(pair.body)) else { return };
    let layout = |opcode: &Opcode| opcode.matrix().map(|matrix| matrix.paired_layout());
    let fixed = |opcode: &Opcode| {
        let rows = layout(opcode).map_or(&[][..], |layout| layout.fixed);
        rows.iter().fold((0, 0), |(value, bits), row| (value | row.llvm, bits | row.bits))
    };
    let word = |opcode: &Opcode| {
        let (value, bits) = fixed(opcode);
        plain_word(target, opcode.number).truncated(2).word() & !bits | value
    };
    let join =
        |low: u64, high: u64| Window::from_word(low).with_dword(2, high as u32).with_dword(3, (high >> 32) as u32);
    let plain = join(word(scale), word(body));
    let mut add = |what, axes| spaces.push(Space { name: what, opcode: pair.amd.to_owned(), base: plain, axes });
    add("modifiers of the scale word", vec![Axis::Bits(MODIFIERS)]);
    add("modifiers of the matrix word", vec![Axis::Bits(BODY_MODIFIERS)]);
    add("vdst", vec![Axis::All(Field::Vdst)]);
    add("vdst", vec![Axis::All(Field::BodyVdst)]);
    for (scale, body, what) in [
        (Field::Src0, Field::BodySrc0, "src0"),
        (Field::Src1, Field::BodySrc1, "src1"),
        (Field::Src2, Field::BodySrc2, "src2"),
    ] {
        add(what, vec![Axis::All(scale)]);
        add(what, vec![Axis::All(body)]);
    }
    let class = |slot, field| Axis::Of(field, classes(target, &plain, slot, field));
    let (scales, bodies) = ([Field::Src0, Field::Src1], [Field::BodySrc0, Field::BodySrc1, Field::BodySrc2]);
    add("scales", scales.iter().enumerate().map(|(slot, field)| class(slot, *field)).collect());
    add("operands", bodies.iter().enumerate().map(|(slot, field)| class(slot, *field)).collect());
    for scale in scales {
        for body in bodies {
            add("scales and operands", vec![class(0, scale), class(1, body)]);
        }
    }
    let halves = (0..=u8::MAX).map(|number| join(word(scale), plain_word(target, number).truncated(2).word()));
    let cut = [plain.truncated(1), plain.truncated(2), plain.truncated(3)];
    let foreign = [0, 0xbf80_0000_bf80_0000, u64::MAX].map(|high| join(word(scale), high));
    add("halves of the pair", vec![Axis::Windows(halves.chain(cut).chain(foreign).collect())]);
}

/// Numbers that are no opcode, and the words of other generations.
fn of_no_opcode(target: Target, spaces: &mut Vec<Space>) {
    let numbers = 1_u32 << target.rules().prefix.op_bits;
    for number in (0..numbers).map(|number| number as u8).filter(|number| target.opcode(*number).is_none()) {
        let base = plain_word(target, number);
        // OP_SEL, OP_SEL_HI and CLAMP: some words are none unless these are right.
        let axes = vec![Axis::Bits(7 << 11 | 1 << 14 | 1 << 15 | 3 << 59)];
        spaces.push(Space { name: "no opcode", opcode: format!("#{number}"), base, axes });
    }
    // The prefixes of gfx9 and of gfx10 with bit 23 clear and set, and bits 31:25 of each with another bit 24.
    let prefixes = [0b1_1010_0111, 0b1_1001_1000, 0b1_1001_1001, 0b1_1010_0110, 0b1_1001_1010];
    let own = target.rules().prefix;
    let foreign = prefixes.iter().copied().filter(|prefix| (prefix << 23) & own.mask != own.value).collect();
    let base = plain_word(target, crate::plain::PLAIN_OP);
    let axes = vec![Axis::Of(Field::Prefix, foreign), Axis::All(Field::Op)];
    spaces.push(Space { name: "another prefix", opcode: "no VOP3P".to_owned(), base, axes });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_twenty_classes() {
        let target: Target = "gfx1100".parse().unwrap();
        let plain = plain_word(target, 14);
        let classes = classes(target, &plain, 1, Field::Src1);
        // v4 and s4 are the slot's own.
        assert_eq!((classes.len(), classes[0], classes[1]), (20, 260, 4));
        let mut once = classes.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), 20);
    }

    #[test]
    fn the_families_of_an_opcode_have_the_sizes_that_they_should() {
        let sizes = |cpu: &str, amd: &str| {
            let target: Target = cpu.parse().unwrap();
            let subjects = Subject::all(target, &[amd.to_owned()]);
            subjects[0].spaces(target).iter().map(|space| (space.name, space.len())).collect::<Vec<_>>()
        };
        // 13 modifier bits, 8 bits of destination, 9 of each source, 20 classes of three sources; of each source the 20
        // classes with each of the 13 bits and each of 5 fields untouched.
        assert_eq!(
            sizes("gfx900", "V_PK_FMA_F16"),
            [
                ("modifiers", 8192),
                ("vdst", 256),
                ("src0", 512),
                ("src1", 512),
                ("src2", 512),
                ("operands", 8000),
                ("src0 and modifiers", 360),
                ("src1 and modifiers", 360),
                ("src2 and modifiers", 360),
                ("behind the word", 16),
            ]
        );
        // Two sources and three values of the third field; 40 literals in each of two sources under 6 bits.
        let two = sizes("gfx1100", "V_PK_ADD_F16");
        assert!(two.contains(&("operands", 1200)) && two.contains(&("literals", 5120)), "{two:?}");
    }
}
