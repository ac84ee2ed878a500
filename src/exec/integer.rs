//! Packed integers of 16 bits, and the move of two dwords.
//!
//! Source: the opcodes' formulas; CLAMP in the VOP3P field tables, and in the notes of CDNA5's three-source opcodes.

use super::operands::Operands;
use super::watch::{Step, Watch};
use crate::isa::{Format, Operation};
use crate::question::{Question, Reading};

/// A packed integer operation; `None` if it is none.
#[inline]
pub(super) fn execute<W: Watch>(operation: Operation, operands: &Operands, watch: &mut W) -> Option<u64> {
    note_neg(operands, watch);
    let is_signed = operands.instruction.opcode.vdst == Format::Pk2I16;
    let mut packed = 0;
    for lane in 0..2 {
        watch.see(|| Step::Lane(lane as u8));
        let mut values = [0; 3];
        for (slot, value) in values.iter_mut().enumerate().take(operands.instruction.opcode.sources()) {
            let bits = operands.half(slot, lane, watch);
            watch.see(|| Step::Operand { slot: slot as u8, bits, width: 16 });
            *value = if is_signed { i64::from(bits as u16 as i16) } else { i64::from(bits) };
        }
        let result = result(operation, values, is_signed, operands, watch)?;
        watch.see(|| Step::Result(result));
        packed |= u64::from(result) << (16 * lane);
    }
    Some(packed)
}

fn note_neg<W: Watch>(operands: &Operands, watch: &mut W) {
    watch.see(|| Step::Uses(Question::Integer));
    if operands.instruction.neg_lo | operands.instruction.neg_hi != 0 {
        watch.see(|| Step::Uses(Question::IntegerNeg));
    }
}

/// The range of a 16-bit element.
const fn range(is_signed: bool) -> (i64, i64) {
    if is_signed { (-0x8000, 0x7fff) } else { (0, 0xffff) }
}

#[inline(always)]
fn result<W: Watch>(
    operation: Operation,
    [a, b, c]: [i64; 3],
    is_signed: bool,
    operands: &Operands,
    watch: &mut W,
) -> Option<u32> {
    let (min, max) = range(is_signed);
    let sum = (a + b).clamp(min, max);
    let amount = a & 15;
    let value = match operation {
        Operation::MadInteger => a * b + c,
        Operation::MulLow => a * b,
        Operation::AddInteger => a + b,
        Operation::SubInteger => a - b,
        Operation::ShiftLeft => b << amount,
        Operation::ShiftRight => b >> amount,
        Operation::MinInteger => a.min(b),
        Operation::MaxInteger => a.max(b),
        Operation::Min3 => a.min(b).min(c),
        Operation::Max3 => a.max(b).max(c),
        Operation::AddMin => sum.min(c),
        Operation::AddMax => sum.max(c),
        _ => return None,
    };
    if matches!(operation, Operation::AddMin | Operation::AddMax) && sum != a + b {
        watch.see(|| Step::Integer(a + b));
        watch.see(|| Step::Clamped { from: (a + b) as u32 & 0xffff, to: sum as u32 & 0xffff });
    }
    watch.see(|| Step::Integer(value));
    let wrapped = value as u32 & 0xffff;
    if !operands.instruction.clamp {
        return Some(wrapped);
    }
    let clamped = clamp(operation, value, is_signed, operands, watch) as u32 & 0xffff;
    watch.see(|| Step::Clamped { from: wrapped, to: clamped });
    Some(clamped)
}

/// What CLAMP makes of the exact result: add, sub and mad saturate, the signed three-source minima and maxima become
/// max(0, result), all others ignore it.
#[inline]
fn clamp<W: Watch>(operation: Operation, value: i64, is_signed: bool, operands: &Operands, watch: &mut W) -> i64 {
    let readings = operands.readings;
    let (min, max) = range(is_signed);
    match operation {
        Operation::AddInteger | Operation::SubInteger | Operation::MadInteger => {
            if operation == Operation::MadInteger {
                if value < min || value > max {
                    watch.see(|| Step::Uses(Question::MadClamp));
                }
                if readings.has(Reading::MadClampIgnored) {
                    return value;
                }
            }
            if is_signed && value <= min {
                watch.see(|| Step::Uses(Question::SignedClamp));
            }
            let minus_max = is_signed && readings.has(Reading::ClampToMinusMaxInt);
            value.clamp(if minus_max { -max } else { min }, max)
        }
        Operation::Min3 | Operation::Max3 | Operation::AddMin | Operation::AddMax if is_signed && value < 0 => {
            watch.see(|| Step::Uses(Question::Relu));
            if readings.has(Reading::ReluIgnored) { value } else { 0 }
        }
        _ => value,
    }
}

/// V_PK_MOV_B32: dword OP_SEL\[0\] of source 0, and dword OP_SEL\[1\] of source 1.
pub(super) fn move_dwords<W: Watch>(operands: &Operands, watch: &mut W) -> u64 {
    note_neg(operands, watch);
    let op_sel = operands.instruction.op_sel & 3;
    if op_sel != 0 {
        watch.see(|| Step::Uses(Question::MoveSelect));
    }
    let op_sel = if operands.readings.has(Reading::MoveIgnoresOpSel) { 0 } else { op_sel };
    let mut packed = 0;
    for lane in 0..2 {
        watch.see(|| Step::Lane(lane as u8));
        let bits = operands.selected_dword(lane, u32::from(op_sel >> lane & 1), watch);
        watch.see(|| Step::Operand { slot: lane as u8, bits, width: 32 });
        watch.see(|| Step::Result(bits));
        packed |= u64::from(bits) << (32 * lane);
    }
    packed
}
