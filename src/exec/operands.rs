//! Operands: what a source holds, constants as register bits, and the halves and dwords that are picked of it.
//!
//! Source: the inline constant, OP_SEL and literal rules of the manuals' VOP3P chapters; for what they leave open, the
//! questions of the profile.

use super::watch::{Step, Watch};
use crate::codec::Instruction;
use crate::isa::{Format, INLINE_FLOATS, InlineFloat, InlineFloatRow, Source, Special, Target};
use crate::question::Inputs;
use crate::question::{Question, Reading, Readings};

/// An instruction with what it reads.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub instruction: &'a Instruction,
    pub inputs: &'a Inputs,
    pub readings: Readings,
    /// Whether a scalar or a constant of 64 bits is one dword for both results.
    pub single: bool,
}

/// A 32-bit inline integer, sign-extended.
const fn extended(value: i8) -> u32 {
    value as i32 as u32
}

fn row(float: InlineFloat) -> &'static InlineFloatRow {
    &INLINE_FLOATS[float as usize]
}

impl<'a> Operands<'a> {
    pub fn new(target: Target, instruction: &'a Instruction, inputs: &'a Inputs, readings: Readings) -> Self {
        Self { instruction, inputs, readings, single: target.rules().pk_f32_single_sgpr }
    }

    /// The content of a source that is a register; NULL holds 0.
    #[inline]
    fn register(&self, slot: usize) -> u64 {
        match self.instruction.src[slot] {
            Source::Special(Special::Null) => 0,
            _ => self.inputs.src[slot],
        }
    }

    /// An inline integer where an operand is read in halves.
    #[inline]
    fn integer(&self, value: i8) -> u32 {
        if self.readings.has(Reading::InlineIntegerLow) { extended(value) & 0xffff } else { extended(value) }
    }

    /// A source as two halves.
    #[inline]
    fn halves(&self, slot: usize) -> u32 {
        match self.instruction.src[slot] {
            Source::Int(value) => self.integer(value),
            Source::Literal(bits) => bits,
            Source::Float(float) => {
                let row = row(float);
                match self.instruction.opcode.src[slot] {
                    Format::Pk2F16 => u32::from(row.f16),
                    Format::Pk2Bf16 => row.f32,
                    _ if self.readings.has(Reading::InlineFloatIsF16Low) => u32::from(row.f16),
                    _ => row.f32,
                }
            }
            _ => self.register(slot) as u32,
        }
    }

    /// A source as two dwords.
    #[inline]
    fn dwords(&self, slot: usize) -> u64 {
        let constant = match self.instruction.src[slot] {
            Source::Int(value) => extended(value),
            Source::Literal(bits) => bits,
            Source::Float(float) => row(float).f32,
            _ => return self.register(slot),
        };
        let high = if self.readings.has(Reading::InlinePairLow) { 0 } else { constant };
        u64::from(high) << 32 | u64::from(constant)
    }

    /// The half of a source that a result of a packed instruction reads: the low one by OP_SEL, the high by OP_SEL_HI.
    #[inline]
    pub fn half<W: Watch>(&self, slot: usize, lane: u32, watch: &mut W) -> u32 {
        let Instruction { op_sel, op_sel_hi, .. } = *self.instruction;
        let select = if lane == 0 { op_sel } else { op_sel_hi } >> slot & 1;
        let source = self.instruction.src[slot];
        if matches!(source, Source::Int(..0)) && select == 1 {
            watch.see(|| Step::Uses(Question::InlineInteger));
        }
        if matches!(source, Source::Float(_)) && self.instruction.opcode.src[slot].is_integer() {
            watch.see(|| Step::Uses(Question::InlineFloatInInteger));
        }
        self.halves(slot) >> (16 * select) & 0xffff
    }

    /// The dword of a source that a result of a packed f32 instruction reads, by OP_SEL or OP_SEL_HI. CDNA5 reads one
    /// dword of a scalar or a constant for both (CDNA5 manual, packed F32).
    #[inline]
    pub fn dword<W: Watch>(&self, slot: usize, lane: u32, watch: &mut W) -> u32 {
        let Instruction { op_sel, op_sel_hi, .. } = *self.instruction;
        let is_vector = matches!(self.instruction.src[slot], Source::Vgpr(_) | Source::Agpr(_));
        if self.single && !is_vector {
            return self.dwords(slot) as u32;
        }
        self.selected_dword(slot, u32::from(if lane == 0 { op_sel } else { op_sel_hi } >> slot & 1), watch)
    }

    /// This dword of a source.
    #[inline]
    pub fn selected_dword<W: Watch>(&self, slot: usize, select: u32, watch: &mut W) -> u32 {
        let is_constant = matches!(self.instruction.src[slot], Source::Int(_) | Source::Float(_) | Source::Literal(_));
        if is_constant && select == 1 {
            watch.see(|| Step::Uses(Question::InlinePair));
        }
        (self.dwords(slot) >> (32 * select)) as u32
    }

    /// A mix source read as f32.
    #[inline]
    pub fn mix_f32(&self, slot: usize) -> u32 {
        match self.instruction.src[slot] {
            Source::Int(value) => extended(value),
            Source::Literal(bits) => bits,
            Source::Float(float) => row(float).f32,
            _ => self.register(slot) as u32,
        }
    }

    /// The half of a mix source read as 16 bits that OP_SEL picks.
    #[inline]
    pub fn mix_half<W: Watch>(&self, slot: usize, is_bf16: bool, watch: &mut W) -> u32 {
        let select = self.instruction.op_sel >> slot & 1;
        let bits = match self.instruction.src[slot] {
            Source::Int(value) => {
                if value < 0 && select == 1 {
                    watch.see(|| Step::Uses(Question::InlineInteger));
                }
                self.integer(value)
            }
            Source::Float(float) if is_bf16 => row(float).f32,
            Source::Float(float) => {
                let low = u32::from(row(float).f16);
                if select == 1 {
                    watch.see(|| Step::Uses(Question::MixInline));
                }
                if self.readings.has(Reading::MixInlineLow) { low } else { low << 16 | low }
            }
            Source::Literal(bits) => bits,
            _ => self.register(slot) as u32,
        };
        bits >> (16 * select) & 0xffff
    }
}
