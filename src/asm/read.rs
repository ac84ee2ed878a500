//! LLVM's printed text back to an instruction.
//!
//! Reads what LLVM's disassemblers print, in their order and spelling; it is no assembler.

use core::fmt;

use crate::codec::{Dpp, Instruction, Scale};
use crate::isa::{INLINE_FLOATS, Modifier, Opcode, PAIRS, SPECIALS, Source, Spelling, Target};

/// Why a text is no instruction of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// No opcode of this target is spelt so.
    Mnemonic(String),
    /// An operand that cannot be read, or is not as wide as the opcode wants; slot 0 is the destination.
    Operand {
        /// Place in the text, the destination being 0.
        slot: usize,
        /// As it stands there.
        text: String,
    },
    /// A modifier that cannot be read.
    Modifier(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mnemonic(name) => write!(f, "`{name}` is no VOP3P mnemonic of this target"),
            Self::Operand { slot: 0, text } => write!(f, "`{text}` is no destination of this opcode"),
            Self::Operand { slot, text } => write!(f, "`{text}` cannot be source {} of this opcode", slot - 1),
            Self::Modifier(text) => write!(f, "`{text}` is no modifier of this opcode"),
        }
    }
}

impl core::error::Error for ReadError {}

/// Reads one printed instruction.
///
/// # Errors
/// Says what cannot be read: the mnemonic, an operand, or a modifier.
pub fn read(target: Target, text: &str) -> Result<Instruction, ReadError> {
    read_expecting(target, text, None)
}

/// As [`read`]; looks at the opcode that is `expected` first, which spares the search.
///
/// # Errors
/// As [`read`].
pub fn read_expecting(target: Target, text: &str, expected: Option<&'static Opcode>) -> Result<Instruction, ReadError> {
    let (mnemonic, rest) = text.split_once(' ').unwrap_or((text, ""));
    let bare = mnemonic.strip_suffix("_dpp").unwrap_or(mnemonic);
    let name = bare.strip_suffix("_e64").unwrap_or(bare);
    let pair = PAIRS.iter().find(|pair| pair.llvm == name && target.opcode(pair.scale).is_some());
    let opcode = match pair {
        Some(pair) => target.opcode(pair.body),
        None => expected
            .filter(|opcode| opcode.llvm == name)
            .or_else(|| target.opcodes().find(|opcode| opcode.llvm == name))
            .or_else(|| target.opcodes().find(|o| o.llvm.is_empty() && o.amd.eq_ignore_ascii_case(name))),
    }
    .ok_or_else(|| ReadError::Mnemonic(mnemonic.to_owned()))?;

    let mut instruction = Instruction::plain(opcode, 0, [Source::Int(0); 3]);
    instruction.scale = pair.map(|pair| Scale { pair, src: [Source::Int(0); 2] });
    let mut rest = rest.trim_start();
    // The width of a tuple may depend on a modifier, so those are read first.
    let operands = usize::from(opcode.vdst.dwords() > 0) + opcode.sources() + if pair.is_some() { 2 } else { 0 };
    let modifiers = modifiers_start(rest, operands);
    for modifier in rest[modifiers..].split_ascii_whitespace() {
        read_modifier(&mut instruction, modifier).ok_or_else(|| ReadError::Modifier(modifier.to_owned()))?;
    }
    rest = rest[..modifiers].trim_end();
    let widths = opcode.dwords(target, instruction.modifiers);
    let first = usize::from(opcode.vdst.dwords() == 0);
    let slots = (first..=opcode.sources()).chain(pair.iter().flat_map(|_| 4..6));
    let mut left = operands;
    for slot in slots {
        left -= 1;
        let (operand, after) = rest.split_at(operand_end(rest));
        let fail = || ReadError::Operand { slot, text: operand.to_owned() };
        match (slot, &mut instruction.scale) {
            (0, _) => {
                instruction.vdst_acc = opcode.is_matrix() && operand.starts_with('a');
                let file = if instruction.vdst_acc { "a" } else { "v" };
                instruction.vdst = tuple(operand, file, widths[0]).ok_or_else(fail)?;
            }
            (4.., Some(scale)) => scale.src[slot - 4] = source(operand, scale.pair.scale_dwords).ok_or_else(fail)?,
            _ => read_source(&mut instruction, slot - 1, operand, widths[slot]).ok_or_else(fail)?,
        }
        rest = match after.strip_prefix(',') {
            Some(more) if left > 0 => more.trim_start(),
            None if left == 0 => after,
            _ => return Err(ReadError::Operand { slot: slot + 1, text: after.trim_start().to_owned() }),
        };
    }
    if mnemonic.ends_with("_dpp") != instruction.dpp.is_some() {
        return Err(ReadError::Mnemonic(mnemonic.to_owned()));
    }
    Ok(instruction)
}

/// Where the modifiers begin: behind the first space after as many operands.
fn modifiers_start(text: &str, operands: usize) -> usize {
    let mut at = 0;
    for operand in 1..=operands {
        at += operand_end(&text[at..]);
        if operand < operands && text[at..].starts_with(',') {
            at += 1;
            at += text[at..].bytes().take_while(|byte| *byte == b' ').count();
        }
    }
    at
}

/// Where the first operand of a list ends: at a comma or a space.
fn operand_end(text: &str) -> usize {
    text.bytes().position(|byte| matches!(byte, b',' | b' ')).unwrap_or(text.len())
}

/// The first register of `v5` or `v[4:5]`, if the width is right.
fn tuple(text: &str, kind: &str, dwords: u8) -> Option<u8> {
    let rest = text.strip_prefix(kind)?;
    let Some(range) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return if dwords == 1 { number(rest) } else { None };
    };
    let (first, last) = range.split_once(':')?;
    let (first, last): (u8, u16) = (number(first)?, last.parse().ok()?);
    (dwords > 1 && u16::from(first) + u16::from(dwords) - 1 == last).then_some(first)
}

/// A register number: decimal digits and nothing else.
fn number(text: &str) -> Option<u8> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn read_source(instruction: &mut Instruction, slot: usize, text: &str, dwords: u8) -> Option<()> {
    let mut text = text;
    let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    if let Some(inner) = text.strip_prefix("neg(").and_then(|rest| rest.strip_suffix(')')) {
        instruction.neg_lo |= 1 << slot;
        text = inner;
    } else if let Some(rest) = text.strip_prefix('-').filter(|rest| !is_number(rest)) {
        instruction.neg_lo |= 1 << slot;
        text = rest;
    }
    if let Some(inner) = text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
        instruction.neg_hi |= 1 << slot;
        text = inner;
    }
    instruction.src[slot] = source(text, dwords)?;
    Some(())
}

fn source(text: &str, dwords: u8) -> Option<Source> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok().map(Source::Literal);
    }
    match text.bytes().next()? {
        b'v' if dwords_follow(text, 1) => tuple(text, "v", dwords).map(Source::Vgpr),
        b'a' if dwords_follow(text, 1) => tuple(text, "a", dwords).map(Source::Agpr),
        b's' if dwords_follow(text, 1) => tuple(text, "s", dwords).map(Source::Sgpr),
        b't' if dwords_follow(text, 4) => tuple(text, "ttmp", dwords).map(Source::Ttmp),
        b'l' if text.starts_with("lit(0x") => {
            u32::from_str_radix(text.strip_prefix("lit(0x")?.strip_suffix(')')?, 16).ok().map(Source::Literal)
        }
        b'0'..=b'9' | b'-' if text.contains('.') => INLINE_FLOATS
            .iter()
            .find(|row| row.text == text || row.text_f64 == text)
            .map(|row| Source::Float(row.float)),
        b'0'..=b'9' | b'-' => text.parse().ok().filter(|value| (-16..=64).contains(value)).map(Source::Int),
        _ => {
            let row =
                SPECIALS.iter().find(|row| if dwords == 2 { row.wide_name == Some(text) } else { row.name == text })?;
            Some(Source::Special(row.special))
        }
    }
}

/// Whether a register number or range stands at `at`.
fn dwords_follow(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at), Some(b'0'..=b'9' | b'['))
}

fn read_modifier(instruction: &mut Instruction, text: &str) -> Option<()> {
    let Some((name, value)) = text.split_once(':') else {
        match text {
            "clamp" => instruction.clamp = true,
            "matrix_a_reuse" | "matrix_b_reuse" => set_modifier(instruction, text, "1")?,
            "row_mirror" => instruction.dpp = Some(dpp16(0x140)),
            "row_half_mirror" => instruction.dpp = Some(dpp16(0x141)),
            _ => return None,
        }
        return Some(());
    };
    let count = if instruction.scale.is_some() { 3 } else { instruction.opcode.sources() };
    let bits = || list(value, count, 1).map(|bits| bits as u8);
    match name {
        "op_sel" => instruction.op_sel = bits()?,
        "op_sel_hi" => instruction.op_sel_hi = bits()?,
        "neg_lo" | "neg" => instruction.neg_lo = bits()?,
        "neg_hi" => instruction.neg_hi = bits()?,
        "dpp8" => instruction.dpp = Some(Dpp::Dpp8 { lanes: list(value, 8, 3)?, fetch_inactive: false }),
        "quad_perm" => instruction.dpp = Some(dpp16(list(value, 4, 2)? as u16)),
        "row_shl" => instruction.dpp = Some(dpp16(0x100 + lane(value)?)),
        "row_shr" => instruction.dpp = Some(dpp16(0x110 + lane(value)?)),
        "row_ror" => instruction.dpp = Some(dpp16(0x120 + lane(value)?)),
        "row_share" => instruction.dpp = Some(dpp16(0x150 + lane(value)?)),
        "row_xmask" => instruction.dpp = Some(dpp16(0x160 + lane(value)?)),
        _ if instruction.opcode.is_matrix() => set_modifier(instruction, name, value)?,
        _ => return read_dpp_control(instruction.dpp.as_mut()?, name, value),
    }
    Some(())
}

fn set_modifier(instruction: &mut Instruction, name: &str, value: &str) -> Option<()> {
    let row = Modifier::from_name(name)?.row();
    let named = match row.spelling {
        Spelling::Names(names) => names.iter().position(|name| *name == value).map(|index| index as u8),
        Spelling::Number | Spelling::Flag => None,
    };
    let value = named.or_else(|| number(value))?;
    instruction.modifiers = instruction.modifiers.with(row.modifier, value);
    Some(())
}

fn read_dpp_control(dpp: &mut Dpp, name: &str, value: &str) -> Option<()> {
    let mask = || value.strip_prefix("0x").and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|mask| *mask < 16);
    match (dpp, name, value) {
        (Dpp::Dpp8 { fetch_inactive, .. } | Dpp::Dpp16 { fetch_inactive, .. }, "fi", "1") => *fetch_inactive = true,
        (Dpp::Dpp16 { row_mask, .. }, "row_mask", _) => *row_mask = mask()?,
        (Dpp::Dpp16 { bank_mask, .. }, "bank_mask", _) => *bank_mask = mask()?,
        // LLVM 14 and 15 print the bit as bound_ctrl:0, AMD's older spelling.
        (Dpp::Dpp16 { bound_ctrl, .. }, "bound_ctrl", "0" | "1") => *bound_ctrl = true,
        _ => return None,
    }
    Some(())
}

const fn dpp16(ctrl: u16) -> Dpp {
    Dpp::Dpp16 { ctrl, fetch_inactive: false, bound_ctrl: false, bank_mask: 15, row_mask: 15 }
}

fn lane(value: &str) -> Option<u16> {
    number(value).filter(|lane| *lane < 16).map(u16::from)
}

/// `[a,b,c]`: `count` numbers of `width` bits, the first lowest.
fn list(text: &str, count: usize, width: u32) -> Option<u32> {
    let mut bits = 0;
    let mut seen = 0;
    for item in text.strip_prefix('[')?.strip_suffix(']')?.split(',') {
        let value = number(item).map(u32::from).filter(|value| value >> width == 0)?;
        bits |= value.checked_shl(seen * width)?;
        seen += 1;
    }
    (seen as usize == count).then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(cpu: &str, text: &str) -> ReadError {
        read(cpu.parse().unwrap(), text).unwrap_err()
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(fails("gfx942", "v_mad_mix_f32 v0, v1, v2, v3"), ReadError::Mnemonic("v_mad_mix_f32".to_owned()));
        assert_eq!(
            fails("gfx900", "v_pk_add_f16 v0, v[1:2], v2"),
            ReadError::Operand { slot: 1, text: "v[1:2]".to_owned() }
        );
        assert_eq!(fails("gfx900", "v_pk_add_f16 s0, v1, v2"), ReadError::Operand { slot: 0, text: "s0".to_owned() });
        assert_eq!(
            fails("gfx900", "v_pk_add_f16 v0, v1, v2 op_sel:[1,0,0]"),
            ReadError::Modifier("op_sel:[1,0,0]".to_owned())
        );
        assert_eq!(fails("gfx900", "v_pk_add_f16 v0, v1"), ReadError::Operand { slot: 2, text: String::new() });
        assert_eq!(
            fails("gfx1100", "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3"),
            ReadError::Mnemonic("v_dot2_f32_f16_e64_dpp".to_owned())
        );
        assert_eq!(fails("gfx900", "s_nop 0"), ReadError::Mnemonic("s_nop".to_owned()));
    }

    #[test]
    fn no_text_panics() {
        for text in ["", " ", "v_pk_add_f16", "v_pk_add_f16 ", "v_pk_add_f16 v[", "v_pk_add_f16 v0, -, |", "é é"] {
            assert!(read("gfx900".parse().unwrap(), text).is_err(), "{text}");
        }
    }
}
