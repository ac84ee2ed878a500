//! Matrix words and scaled pairs to instructions and back, by the layouts of the table.

use super::decode::{Decoded, SelectorFault, Undefined, source_of};
use super::encode::{EncodeError, Style};
use super::instruction::{Instruction, Scale};
use super::window::Window;
use crate::isa::{
    File, Matrix, MatrixLayout, MatrixSource, Modifier, Modifiers, Notes, Opcode, Rule, Source, Special, Spelling,
    Target, pair_of, selector,
};

const ACC_CD: u64 = 1 << 15;
const ABID: u64 = 15 << 11;

/// Decodes a word whose opcode is a matrix one.
pub(super) fn decode_matrix(target: Target, opcode: &'static Opcode, window: &Window) -> Result<Decoded, Undefined> {
    let Some(matrix) = opcode.matrix() else { return Err(Undefined::NotVop3p) };
    if matrix.is_scale() {
        return decode_scale(target, opcode, matrix, window);
    }
    decode_word(target, opcode, matrix.layout(target.wave()), window.word())
}

/// The opcode of the matrix word that stands behind a scale word and forms one instruction with it, if `scale` is the
/// opcode of a scale word and there is one.
#[must_use]
pub fn body_of(target: Target, scale: &Opcode, window: &Window) -> Option<&'static Opcode> {
    let (&[_, _, low, _], prefix) = (window.dwords(), target.rules().prefix) else { return None };
    if !scale.matrix().is_some_and(Matrix::is_scale) || low & prefix.mask != prefix.value {
        return None;
    }
    let body = target.opcode((low >> 16 & ((1 << prefix.op_bits) - 1)) as u8)?;
    // On CDNA4 ABID says whether the scale word belongs to the word behind it.
    let is_claimed = body.matrix() != Some(Matrix::MfmaF8f6f4) || u64::from(low) & ABID == 1 << 11;
    (pair_of(scale.number, body.number).is_some() && is_claimed).then_some(body)
}

fn decode_scale(
    target: Target,
    opcode: &'static Opcode,
    matrix: Matrix,
    window: &Window,
) -> Result<Decoded, Undefined> {
    let number = opcode.number;
    let Some(body) = body_of(target, opcode, window) else {
        // AMD knows CDNA5's scale words only in pairs.
        return match matrix {
            Matrix::ScaleCdna5 => Err(Undefined::ScaleAlone { number }),
            _ => decode_word(target, opcode, matrix.layout(target.wave()), window.word()),
        };
    };
    let layouts = body.matrix().map(Matrix::paired_layout);
    let (Some(pair), Some(layout)) = (pair_of(number, body.number), layouts) else {
        return Err(Undefined::NoOpcode { number });
    };
    let scale =
        decode_word(target, opcode, matrix.paired_layout(), window.word()).map_err(|undefined| match undefined {
            Undefined::Selector { slot, selector, why } => Undefined::Selector { slot: slot + 3, selector, why },
            other => other,
        })?;
    let second = window.dwords().get(2..4).map_or(0, |d| u64::from(d[1]) << 32 | u64::from(d[0]));
    let word = decode_word(target, body, layout, second)?;
    // ABID makes the pair what it is.
    let claim = if body.matrix() == Some(Matrix::MfmaF8f6f4) { ABID } else { 0 };
    let mut instruction = word.instruction;
    let first = scale.instruction;
    instruction.op_sel = first.op_sel;
    instruction.op_sel_hi = first.op_sel_hi;
    instruction.modifiers = instruction.modifiers.union(first.modifiers);
    instruction.scale = Some(Scale { pair, src: [first.src[0], first.src[1]] });
    Ok(Decoded {
        instruction,
        size: 16,
        notes: word.notes.union(scale.notes),
        ignored: scale.ignored | (word.ignored & !u128::from(claim)) << 64,
    })
}

fn bits(word: u64, lo: u8, width: u8) -> u64 {
    word >> lo & ((1 << width) - 1)
}

fn decode_word(
    target: Target,
    opcode: &'static Opcode,
    layout: &MatrixLayout,
    word: u64,
) -> Result<Decoded, Undefined> {
    let mut notes = Notes::NONE;
    let mut ignored = 0;
    let mut modifiers = Modifiers::NONE;
    for (modifier, parts) in layout.modifiers {
        let mut value = 0;
        let mut at = 0;
        for (lo, width) in *parts {
            value |= bits(word, *lo, *width) << at;
            at += width;
        }
        modifiers = modifiers.with(*modifier, value as u8);
    }
    for row in layout.fixed {
        notes.add_if(word & row.bits != row.amd, row.rule);
        ignored |= row.bits;
    }
    for row in layout.checks {
        notes.add_if(word & row.bits != row.amd, row.rule);
    }
    let is_acc = |file| match file {
        File::Vgpr => false,
        File::Acc => true,
        File::Bit(bit) => word >> bit & 1 != 0,
        File::AccCd => !target.rules().acc_cd || word & ACC_CD != 0,
    };
    if layout.files[0] == File::AccCd && !target.rules().acc_cd {
        notes.add_if(word & ACC_CD != 0, Rule::AccCd);
        ignored |= ACC_CD;
    }
    let mut src = [Source::Int(0); 3];
    for (slot, source) in src.iter_mut().enumerate().take(opcode.sources()) {
        let selector = bits(word, 32 + 9 * slot as u8, 9) as u16;
        if let (File::Bit(bit), 0..256) = (layout.files[slot + 1], selector) {
            ignored |= 1 << bit;
        }
        *source = match (selector, is_acc(layout.files[slot + 1])) {
            (256.., true) => Source::Agpr(selector as u8),
            (256.., false) => Source::Vgpr(selector as u8),
            _ => read_source(target, layout.kinds[slot], slot, selector)?,
        };
    }
    let kept = word & layout.kept;
    let instruction = Instruction {
        opcode,
        vdst: if opcode.vdst.dwords() == 0 { 0 } else { word as u8 },
        src,
        op_sel: bits(kept, 11, 3) as u8,
        op_sel_hi: (bits(kept, 59, 2) | bits(kept, 14, 1) << 2) as u8,
        neg_lo: bits(kept, 61, 3) as u8,
        neg_hi: bits(kept, 8, 3) as u8,
        clamp: kept & ACC_CD != 0,
        dpp: None,
        vdst_acc: is_acc(layout.files[0]),
        modifiers,
        scale: None,
    };
    note_operands(target, layout, &instruction, &mut notes);
    note_values(&instruction, &mut notes);
    Ok(Decoded { instruction, size: 8, notes, ignored: u128::from(ignored) })
}

fn read_source(target: Target, kind: MatrixSource, slot: usize, selector: u16) -> Result<Source, Undefined> {
    let place = if target.rules().literal { SelectorFault::LiteralPlace } else { SelectorFault::LiteralBeforeGfx10 };
    let source = source_of(target, selector).map_err(|why| Undefined::Selector {
        slot: slot as u8,
        selector,
        why: if why == SelectorFault::LiteralBeforeGfx10 { place } else { why },
    })?;
    if source == Source::Special(Special::LdsDirect) && kind != MatrixSource::NoLiteral {
        return Err(Undefined::Selector { slot: slot as u8, selector, why: SelectorFault::LdsDirectPlace });
    }
    Ok(source)
}

/// The rules of register tuples and of what may be a source.
fn note_operands(target: Target, layout: &MatrixLayout, instruction: &Instruction, notes: &mut Notes) {
    let opcode = instruction.opcode;
    let dwords = opcode.dwords(target, instruction.modifiers);
    let vdst = if instruction.vdst_acc { Source::Agpr(instruction.vdst) } else { Source::Vgpr(instruction.vdst) };
    note_tuple(target, vdst, dwords[0], notes);
    let mut scalars = 0;
    for (slot, source) in instruction.sources().iter().enumerate() {
        scalars += u8::from(source.is_scalar_value() && !instruction.src[..slot].contains(source));
        let kind = layout.kinds[slot];
        notes.add_if(!kind.lists(*source), Rule::MatrixSource);
        note_tuple(target, *source, dwords[slot + 1], notes);
        // Elsewhere a scalar may not stand at all, or is one register.
        if let (MatrixSource::Cdna5Scale, Source::Sgpr(first) | Source::Ttmp(first)) = (kind, source) {
            notes.add_if(dwords[slot + 1] == 2 && first % 2 != 0, Rule::OddSgprPair);
        }
    }
    notes.add_if(scalars > target.rules().scalar_limit, Rule::ScalarLimit);
    let is_mfma = matches!(opcode.matrix(), Some(Matrix::Mfma | Matrix::MfmaF64 | Matrix::MfmaF8f6f4));
    if is_mfma && dwords[0] > 4 {
        let c = match (instruction.src[2], instruction.vdst_acc) {
            (Source::Vgpr(first), false) | (Source::Agpr(first), true) => Some(first),
            _ => None,
        };
        let overlaps = c.is_some_and(|c| c != instruction.vdst && c.abs_diff(instruction.vdst) < dwords[0]);
        notes.add_if(overlaps, Rule::MatrixOverlap);
    }
}

fn note_tuple(target: Target, first: Source, dwords: u8, notes: &mut Notes) {
    match first {
        Source::Vgpr(number) | Source::Agpr(number) if dwords > 1 => {
            notes.add_if(target.rules().even_vgpr_tuples && number % 2 != 0, Rule::OddVgprPair);
            notes.add_if(u16::from(number) + u16::from(dwords) > 256, Rule::VgprRange);
        }
        _ => {}
    }
}

/// The rules of modifier values.
fn note_values(instruction: &Instruction, notes: &mut Notes) {
    let Instruction { opcode, modifiers, .. } = *instruction;
    let is_f8f6f4 = opcode.matrix() == Some(Matrix::MfmaF8f6f4);
    for (modifier, last) in FORMATS {
        let is_format = is_f8f6f4 || matches!(modifier.row().spelling, Spelling::Names(_));
        notes.add_if(is_format && modifiers.get(modifier) > last, Rule::MatrixFormat);
    }
    let cbsz = modifiers.get(Modifier::Cbsz);
    notes.add_if(opcode.blocks > 0 && 1 << cbsz > u32::from(opcode.blocks), Rule::CbszRange);
}

/// The modifiers that may choose a format, and the last one there is.
const FORMATS: [(Modifier, u8); 6] = [
    (Modifier::Cbsz, 4),
    (Modifier::Blgp, 4),
    (Modifier::MatrixAFmt, 4),
    (Modifier::MatrixBFmt, 4),
    (Modifier::MatrixAScaleFmt, 2),
    (Modifier::MatrixBScaleFmt, 2),
];

/// Encodes an instruction whose opcode is a matrix one.
pub(super) fn encode_matrix(target: Target, instruction: &Instruction, style: Style) -> Result<Window, EncodeError> {
    let Some(matrix) = instruction.opcode.matrix() else { return Err(EncodeError::NoOpcode) };
    if instruction.dpp.is_some() {
        return Err(EncodeError::NoDpp);
    }
    let Some(scale) = instruction.scale else {
        if matrix == Matrix::ScaleCdna5 {
            return Err(EncodeError::ScaleAlone);
        }
        return encode_word(target, instruction, matrix.layout(target.wave()), style).map(Window::from_word);
    };
    let opcode = target.opcode(scale.pair.scale).ok_or(EncodeError::NoOpcode)?;
    let Some(first) = opcode.matrix() else { return Err(EncodeError::NoOpcode) };
    if pair_of(scale.pair.scale, instruction.opcode.number) != Some(scale.pair) || !first.is_scale() {
        return Err(EncodeError::NoOpcode);
    }
    let (layout, scale_layout) = (matrix.paired_layout(), first.paired_layout());
    let (mine, rest) = instruction.modifiers.split(scale_layout.modifiers);
    let Instruction { op_sel, op_sel_hi, .. } = *instruction;
    let [a, b] = scale.src;
    let scale_word =
        Instruction { op_sel, op_sel_hi, modifiers: mine, ..Instruction::plain(opcode, 0, [a, b, Source::Int(0)]) };
    let body = Instruction { op_sel: 0, op_sel_hi: 0, modifiers: rest, scale: None, ..*instruction };
    let low = encode_word(target, &scale_word, scale_layout, style).map_err(|error| match error {
        EncodeError::NoSource { slot } => EncodeError::NoSource { slot: slot + 3 },
        EncodeError::NoLiteral { slot } => EncodeError::NoLiteral { slot: slot + 3 },
        other => other,
    })?;
    let high = encode_word(target, &body, layout, style)?;
    Ok(Window::from_word(low).with_dword(2, high as u32).with_dword(3, (high >> 32) as u32))
}

fn encode_word(
    target: Target,
    instruction: &Instruction,
    layout: &MatrixLayout,
    style: Style,
) -> Result<u64, EncodeError> {
    let Instruction { opcode, op_sel, op_sel_hi, neg_lo, neg_hi, .. } = *instruction;
    if (op_sel | op_sel_hi | neg_lo | neg_hi) > 7 {
        return Err(EncodeError::Modifier);
    }
    let kept = u64::from(neg_hi) << 8
        | u64::from(op_sel) << 11
        | u64::from(op_sel_hi >> 2) << 14
        | u64::from(instruction.clamp) << 15
        | u64::from(op_sel_hi & 3) << 59
        | u64::from(neg_lo) << 61;
    if kept & !layout.kept != 0 {
        return Err(EncodeError::Modifier);
    }
    let mut word = kept | u64::from(opcode.number) << 16 | u64::from(target.rules().prefix.value);
    if opcode.vdst.dwords() > 0 {
        word |= u64::from(instruction.vdst);
    } else if instruction.vdst != 0 {
        return Err(EncodeError::Modifier);
    }
    for row in layout.fixed {
        word |= if style == Style::Llvm { row.llvm } else { row.amd };
    }
    let (mine, rest) = instruction.modifiers.split(layout.modifiers);
    if rest != Modifiers::NONE {
        return Err(EncodeError::Modifier);
    }
    for (modifier, parts) in layout.modifiers {
        let mut value = u64::from(mine.get(*modifier));
        for (lo, width) in *parts {
            word |= bits(value, 0, *width) << lo;
            value >>= width;
        }
        if value != 0 {
            return Err(EncodeError::Modifier);
        }
    }
    let vdst = if instruction.vdst_acc { Source::Agpr(0) } else { Source::Vgpr(0) };
    let c_is_free = !matches!(layout.files[3], File::AccCd);
    for (slot, source) in [vdst].iter().chain(instruction.sources()).enumerate() {
        let is_acc = matches!(source, Source::Agpr(_));
        let is_register = is_acc || matches!(source, Source::Vgpr(_));
        let is_wrong = match layout.files[slot] {
            File::Vgpr => is_acc,
            File::Acc => is_register && !is_acc,
            File::AccCd if !target.rules().acc_cd => is_register && !is_acc,
            // C is in the file of the destination.
            File::AccCd => slot == 3 && is_register && is_acc != instruction.vdst_acc && !c_is_free,
            File::Bit(_) => false,
        };
        if is_wrong {
            return Err(EncodeError::File { slot: slot as u8 });
        }
        match layout.files[slot] {
            File::Bit(bit) => word |= u64::from(is_acc) << bit,
            File::AccCd if slot == 0 && target.rules().acc_cd => word |= u64::from(is_acc) << 15,
            _ => {}
        }
        if slot > 0 {
            word |=
                u64::from(write_source(target, layout.kinds[slot - 1], slot - 1, *source)?) << (32 + 9 * (slot - 1));
        }
    }
    Ok(word)
}

fn write_source(target: Target, kind: MatrixSource, slot: usize, source: Source) -> Result<u16, EncodeError> {
    let slot = slot as u8;
    match source {
        Source::Literal(_) => Err(EncodeError::NoLiteral { slot }),
        Source::Special(Special::LdsDirect) if kind != MatrixSource::NoLiteral => Err(EncodeError::NoSource { slot }),
        _ => selector(target.generation(), source).ok_or(EncodeError::NoSource { slot }),
    }
}
