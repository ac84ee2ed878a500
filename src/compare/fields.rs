//! Two instructions, field by field, as typed values.

use super::{Finding, Kind, finding};
use crate::asm::{self, ReadError};
use crate::codec::{Decoded, Instruction};
use crate::isa::{MODIFIERS, Target};
use crate::oracle::llvm::Pair;

/// An instruction of ours beside what LLVM prints.
pub(super) fn compare_fields(
    target: Target,
    decoded: &Decoded,
    read: &Result<Instruction, ReadError>,
    pair: &Pair,
    findings: &mut Vec<Finding>,
) {
    let ours = &decoded.instruction;
    let theirs = match read {
        Ok(instruction) => instruction,
        Err(error) => {
            let (kind, field) = match error {
                ReadError::Mnemonic(_) => (Kind::Mnemonic, "op".to_owned()),
                ReadError::Operand { slot: 0, .. } => (Kind::Operand, "vdst".to_owned()),
                ReadError::Operand { slot, .. } => (Kind::Operand, format!("src{}", slot - 1)),
                ReadError::Modifier(text) => (Kind::Modifier, text.split(':').next().unwrap_or(text).to_owned()),
            };
            let theirs = pair.mc.text().unwrap_or_default().to_owned();
            findings.push(Finding { kind, field, ours: asm::print(target, ours), theirs });
            return;
        }
    };
    if !std::ptr::eq(ours.opcode, theirs.opcode) {
        findings.push(finding(Kind::Mnemonic, "op", ours.opcode.llvm, theirs.opcode.llvm));
        return;
    }
    // llvm-mc does not always show how long an instruction is, llvm-objdump does.
    let bytes = pair.mc.bytes().or(pair.objdump.bytes());
    if let Some(bytes) = bytes.filter(|bytes| *bytes != decoded.size) {
        findings.push(finding(Kind::Length, "size", bytes_text(Some(decoded.size)), &bytes_text(Some(bytes))));
    }
    compare_instructions(target, ours, theirs, findings);
}

/// Two instructions of one opcode, field by field.
pub(super) fn compare_instructions(
    target: Target,
    ours: &Instruction,
    theirs: &Instruction,
    findings: &mut Vec<Finding>,
) {
    if ours == theirs {
        return;
    }
    let text = |instruction| asm::Text { target, instruction };
    let (our_text, their_text) = (text(ours), text(theirs));
    if (ours.vdst, ours.vdst_acc) != (theirs.vdst, theirs.vdst_acc) {
        findings.push(finding(Kind::Operand, "vdst", our_text.vdst_text(), &their_text.vdst_text()));
    }
    let sources = ours.sources().iter().zip(theirs.sources()).enumerate();
    for (slot, _) in sources.filter(|(_, (a, b))| a != b) {
        let field = format!("src{slot}");
        findings.push(finding(Kind::Operand, &field, our_text.source_text(slot), &their_text.source_text(slot)));
    }
    match (ours.scale, theirs.scale) {
        (Some(a), Some(b)) if std::ptr::eq(a.pair, b.pair) => {
            for slot in (0..2).filter(|slot| a.src[*slot] != b.src[*slot]) {
                let (a, b) = (our_text.source_text(3 + slot), their_text.source_text(3 + slot));
                findings.push(finding(Kind::Operand, &format!("src{}", 3 + slot), a, &b));
            }
        }
        (None, None) => {}
        _ => {
            findings.push(finding(Kind::Mnemonic, "op", our_text.to_string(), &their_text.to_string()));
            return;
        }
    }
    for row in &MODIFIERS {
        let (a, b) = (ours.modifiers.get(row.modifier), theirs.modifiers.get(row.modifier));
        if a != b {
            findings.push(finding(Kind::Modifier, row.name, a.to_string(), &b.to_string()));
        }
    }
    for (name, a, b) in [
        ("op_sel", ours.op_sel, theirs.op_sel),
        ("op_sel_hi", ours.op_sel_hi, theirs.op_sel_hi),
        ("neg_lo", ours.neg_lo, theirs.neg_lo),
        ("neg_hi", ours.neg_hi, theirs.neg_hi),
    ] {
        if a != b {
            let count = ours.opcode.sources();
            findings.push(finding(Kind::Modifier, name, bits_text(a, count), &bits_text(b, count)));
        }
    }
    if ours.clamp != theirs.clamp {
        let show = |clamp| if clamp { "clamp" } else { "no clamp" };
        findings.push(finding(Kind::Modifier, "clamp", show(ours.clamp), show(theirs.clamp)));
    }
    if ours.dpp != theirs.dpp {
        let show = |text: asm::Text<'_>| Some(text.dpp_text()).filter(|t| !t.is_empty()).unwrap_or("no DPP".to_owned());
        findings.push(finding(Kind::Modifier, "dpp", show(our_text), &show(their_text)));
    }
}

/// A size in words.
pub(super) fn bytes_text(bytes: Option<u8>) -> String {
    bytes.map_or("unknown size".to_owned(), |bytes| format!("{bytes} bytes"))
}

/// One bit a source, that of source 0 first, as LLVM writes them: `[1,0,0]`.
fn bits_text(bits: u8, count: usize) -> String {
    let bits: Vec<String> = (0..count).map(|slot| (bits >> slot & 1).to_string()).collect();
    format!("[{}]", bits.join(","))
}
