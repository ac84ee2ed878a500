//! Encoding is the inverse of decoding, on every target, over windows and instructions drawn from fixed seeds.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use vop3p::asm;
use vop3p::campaign::{Draw, Generator};
use vop3p::codec::{Dpp, EncodeError, Instruction, Scale, Window, decode, encode};
use vop3p::isa::{File, Matrix, Modifiers, Opcode, PAIRS, SPECIALS, Source, Target};

/// Windows and instructions of each target.
const PER_TARGET: usize = 20_000;

/// The bits of the window that the instruction takes, as a number.
fn bits(window: &Window, dwords: usize) -> u128 {
    window.dwords().iter().take(dwords).rev().fold(0, |bits, dword| bits << 32 | u128::from(*dword))
}

#[test]
fn what_decodes_encodes_to_the_same_bits_but_for_the_ignored_ones() {
    for target in Target::distinct() {
        let generator = Generator::new(target);
        let mut draw = Draw::new(target.place() as u64);
        let mut decoded_windows = 0;
        for _ in 0..PER_TARGET {
            let window = generator.window(&mut draw).with_dword(3, draw.bits());
            let Ok(decoded) = decode(target, &window) else { continue };
            decoded_windows += 1;
            let dwords = usize::from(decoded.size) / 4;
            let again =
                encode(target, &decoded.instruction).unwrap_or_else(|error| panic!("{target} {window}: {error}"));
            assert_eq!(again.dwords().len(), dwords, "{target} {window}");
            let differ = bits(&window, dwords) ^ bits(&again, dwords);
            assert_eq!(differ & !decoded.ignored, 0, "{target} {window} encodes as {again}");
            // What is named as ignored changes nothing.
            let flipped = (draw.wide() as u128 | u128::from(draw.wide()) << 64) & decoded.ignored;
            let other = (0..dwords).fold(window, |other, index| {
                let dword = window.dwords()[index] ^ (flipped >> (32 * index)) as u32;
                other.with_dword(index, dword)
            });
            assert_eq!(decode(target, &other).map(|d| d.instruction), Ok(decoded.instruction), "{target} {other}");
            // The canonical form is a fixed point, and has nothing left to ignore away.
            let canonical = decode(target, &again).unwrap();
            assert_eq!(canonical.instruction, decoded.instruction, "{target} {window}");
            assert_eq!(encode(target, &canonical.instruction), Ok(again), "{target} {window}");
        }
        assert!(decoded_windows > PER_TARGET / 2, "{target}: {decoded_windows}");
    }
}

#[test]
fn what_is_printed_reads_as_the_same_instruction() {
    for target in Target::distinct() {
        let generator = Generator::new(target);
        let mut draw = Draw::new(1000 + target.place() as u64);
        for _ in 0..PER_TARGET {
            let window = generator.window(&mut draw).with_dword(3, 0);
            let Ok(decoded) = decode(target, &window) else { continue };
            // A DPP_CTRL that names no lane pattern, or a scalar without a name of the operand's width, prints and does
            // not read.
            let reads =
                decoded.notes.iter().all(|rule| !matches!(rule.id(), "dpp-ctrl" | "wide-special" | "matrix-source"));
            let text = asm::print(target, &decoded.instruction);
            if reads {
                assert_eq!(asm::read(target, &text), Ok(decoded.instruction), "{target} {window} {text}");
            }
        }
    }
}

/// Any source, whether it exists or not.
fn any_source(draw: &mut Draw) -> Source {
    match draw.below(9) {
        0..=2 => Source::Vgpr(draw.bits() as u8),
        8 => Source::Agpr(draw.bits() as u8),
        3 => Source::Sgpr(draw.bits() as u8),
        4 => Source::Ttmp(draw.bits() as u8),
        5 => Source::Special(SPECIALS[draw.below(SPECIALS.len() as u32) as usize].special),
        6 => Source::Int(draw.bits() as i8),
        _ => Source::Literal(draw.bits()),
    }
}

/// Any instruction of an opcode, most of its fields nonsense now and then.
fn any_instruction(target: Target, opcode: &'static Opcode, draw: &mut Draw) -> Instruction {
    let wild = draw.chance(5);
    let mask =
        |draw: &mut Draw| if wild { draw.bits() as u8 } else { draw.bits() as u8 & ((1 << opcode.sources()) - 1) };
    let dpp = match draw.below(6) {
        0 => Some(Dpp::Dpp8 { lanes: draw.bits() >> if wild { 0 } else { 8 }, fetch_inactive: draw.chance(50) }),
        1 => Some(Dpp::Dpp16 {
            ctrl: (draw.bits() & if wild { 0xffff } else { 0x1ff }) as u16,
            fetch_inactive: draw.chance(50),
            bound_ctrl: draw.chance(50),
            bank_mask: draw.bits() as u8 & if wild { 0xff } else { 15 },
            row_mask: draw.bits() as u8 & 15,
        }),
        _ => None,
    };
    let instruction = Instruction {
        opcode,
        vdst: draw.bits() as u8,
        src: [any_source(draw), any_source(draw), any_source(draw)],
        op_sel: mask(draw),
        op_sel_hi: mask(draw),
        neg_lo: mask(draw),
        neg_hi: mask(draw),
        clamp: draw.chance(50),
        dpp,
        vdst_acc: wild && draw.chance(10),
        modifiers: Modifiers::NONE,
        scale: None,
    };
    match opcode.matrix() {
        Some(matrix) if !wild => any_matrix(target, instruction, matrix, draw),
        _ => instruction,
    }
}

/// A matrix instruction that mostly keeps within what its word can hold.
fn any_matrix(target: Target, start: Instruction, matrix: Matrix, draw: &mut Draw) -> Instruction {
    let pairs: Vec<_> = PAIRS.iter().filter(|pair| target.opcode(pair.scale).is_some()).collect();
    let mine: Vec<_> = pairs.iter().filter(|pair| pair.body == start.opcode.number).collect();
    let layout = if mine.is_empty() { matrix.layout(target.wave()) } else { matrix.paired_layout() };
    let mut all = start;
    all.dpp = None;
    all.vdst_acc = draw.chance(50);
    let mut layouts = vec![layout];
    if !mine.is_empty() && draw.chance(80) {
        let pair = **draw.one_of(&mine.iter().collect::<Vec<_>>());
        all.scale = Some(Scale { pair, src: [any_source(draw), any_source(draw)] });
        layouts.extend(target.opcode(pair.scale).and_then(Opcode::matrix).map(Matrix::paired_layout));
    }
    let kept = layouts.iter().fold(0, |kept, layout| kept | layout.kept);
    let bits = draw.wide() & kept;
    all.neg_hi = (bits >> 8 & 7) as u8;
    all.op_sel = (bits >> 11 & 7) as u8;
    all.op_sel_hi = (bits >> 59 & 3 | (bits >> 14 & 1) << 2) as u8;
    all.clamp = bits >> 15 & 1 != 0;
    all.neg_lo = (bits >> 61) as u8;
    for (modifier, parts) in layouts.iter().flat_map(|layout| layout.modifiers) {
        let width: u8 = parts.iter().map(|(_, width)| width).sum();
        all.modifiers = all.modifiers.with(*modifier, draw.bits() as u8 & ((1 << width) - 1));
    }
    for (slot, file) in layout.files[1..].iter().enumerate() {
        all.src[slot] = match (file, all.src[slot]) {
            (File::Acc, Source::Vgpr(number)) => Source::Agpr(number),
            (File::Vgpr, Source::Agpr(number)) => Source::Vgpr(number),
            (File::AccCd, Source::Vgpr(number) | Source::Agpr(number)) if all.vdst_acc => Source::Agpr(number),
            (File::AccCd, Source::Vgpr(number) | Source::Agpr(number)) => Source::Vgpr(number),
            (_, source) => source,
        };
    }
    all.vdst_acc = match layout.files[0] {
        File::Vgpr | File::Bit(_) => false,
        File::Acc => true,
        File::AccCd => all.vdst_acc,
    };
    all
}

#[test]
fn what_encodes_decodes_to_the_same_instruction() {
    let mut refusals = [0_u32; 8];
    for target in Target::distinct() {
        let mut draw = Draw::new(2000 + target.place() as u64);
        let opcodes: Vec<_> = vop3p::isa::rows().collect();
        let mut encoded = 0;
        for _ in 0..PER_TARGET {
            // Mostly of the target, sometimes of another one.
            let own: Vec<_> = target.opcodes().collect();
            let opcode = if draw.chance(95) { draw.one_of(&own) } else { draw.one_of(&opcodes) };
            let instruction = any_instruction(target, opcode, &mut draw);
            match encode(target, &instruction) {
                Ok(window) => {
                    let decoded = decode(target, &window).unwrap_or_else(|e| panic!("{target} {instruction:?}: {e}"));
                    assert_eq!(decoded.instruction, instruction, "{target} {window}");
                    assert_eq!(usize::from(decoded.size), window.byte_len(), "{target} {window}");
                    encoded += 1;
                }
                Err(error) => {
                    let kind = match error {
                        EncodeError::NoOpcode => 0,
                        EncodeError::ScaleAlone => 1,
                        EncodeError::NoSource { .. } => 2,
                        EncodeError::NoLiteral { .. } => 3,
                        EncodeError::TwoLiterals => 4,
                        EncodeError::NoDpp => 5,
                        EncodeError::Modifier => 6,
                        EncodeError::File { .. } => 7,
                    };
                    refusals[kind] += 1;
                }
            }
        }
        assert!(encoded > PER_TARGET / 20, "{target}: {encoded}");
    }
    assert!(refusals.iter().all(|count| *count > 0), "every refusal was met: {refusals:?}");
}

#[test]
fn no_window_of_any_bits_panics() {
    let mut draw = Draw::new(42);
    for target in Target::distinct() {
        for _ in 0..PER_TARGET {
            let count = 1 + draw.below(4) as usize;
            let mut dwords = [draw.bits(), draw.bits(), draw.bits(), draw.bits()];
            if draw.chance(80) {
                let prefix = target.rules().prefix;
                dwords[0] = dwords[0] & !prefix.mask | prefix.value;
            }
            let window = Window::from_dwords(&dwords[..count]).unwrap();
            if let Ok(decoded) = decode(target, &window) {
                assert!(usize::from(decoded.size) <= window.byte_len());
                assert!(!asm::print(target, &decoded.instruction).is_empty());
            }
        }
    }
}
