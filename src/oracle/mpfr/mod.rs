//! An oracle on MPFR: what an elementwise instruction computes, found apart from the core's own arithmetic.
//!
//! Nothing is shared with that but the question ([`crate::question`]): what is read, MODE's raw bits, the chosen readings;
//! and the instruction. `tests/independence.rs` looks after it. Every sum and product is exact at the precision MPFR is given, and MPFR rounds it; NaNs,
//! infinities, flushes and overflow are decided here, never by MPFR or the host.
//!
//! In reading order: `bits` (what bits stand for), `rules` (what is asked besides operands), `arithmetic` (the bare
//! operations), `environment` (MODE, target and readings as rules), `operand`, then by kind of instruction `extremum`,
//! `mix`, `integer`.

mod arithmetic;
mod bits;
mod environment;
mod extremum;
mod integer;
mod mix;
mod operand;
mod rules;
#[cfg(test)]
mod tests;
mod text;

pub use arithmetic::{How, Outcome};
pub use bits::FormatOf;
pub use rules::{Rounding, Rules};

use crate::codec::Instruction;
use crate::isa::{Form, Format, Operation, Source, Target};
use crate::question::{Inputs, Mode, Reading, Readings};
use arithmetic::Reals;
use environment::Environment;
use operand::Kind;

/// The oracle. It keeps its MPFR numbers from case to case, so that none allocates.
#[derive(Debug)]
pub struct Oracle {
    reals: Reals,
}

impl Default for Oracle {
    fn default() -> Self {
        Self::new()
    }
}

impl Oracle {
    /// An oracle with its numbers.
    #[must_use]
    pub fn new() -> Self {
        Self { reals: Reals::new() }
    }

    /// The result of an instruction on one lane: the destination dword, or of a 64-bit destination the first register
    /// in bits 31:0 and the next in 63:32. `None` if the opcode is not elementwise.
    pub fn compute(
        &mut self,
        target: Target,
        instruction: &Instruction,
        inputs: &Inputs,
        mode: Mode,
        readings: Readings,
    ) -> Option<u64> {
        let operation = instruction.opcode.operation?;
        let environment = Environment::new(target, mode, readings);
        Some(match (instruction.opcode.form, operation) {
            (_, Operation::Mix(part)) => {
                u64::from(mix::dword(&mut self.reals, &environment, instruction, inputs, part))
            }
            (Form::Move, _) => moved(&environment, instruction, inputs),
            _ => self.packed(&environment, instruction, inputs, operation),
        })
    }

    /// Both results of a packed operation.
    fn packed(
        &mut self,
        environment: &Environment,
        instruction: &Instruction,
        inputs: &Inputs,
        operation: Operation,
    ) -> u64 {
        let opcode = instruction.opcode;
        let (kind, float) = match opcode.vdst {
            Format::Pk2F16 => (Kind::Halves, Some(FormatOf::F16)),
            Format::Pk2Bf16 => (Kind::BrainHalves, Some(FormatOf::BF16)),
            Format::Pk2F32 => (Kind::Dwords, Some(FormatOf::F32)),
            _ => (Kind::Integers, None),
        };
        let width = if kind == Kind::Dwords { 32 } else { 16 };
        let mut registers = [0; 3];
        for (slot, source) in instruction.sources().iter().enumerate() {
            let held = operand::register(environment, *source, kind, inputs.src[slot]);
            let is_vgpr = matches!(source, Source::Vgpr(_) | Source::Agpr(_));
            let is_single = kind == Kind::Dwords && environment.is_cdna5() && !is_vgpr;
            registers[slot] = if is_single { held & 0xffff_ffff | held << 32 } else { held };
        }
        let rules = float.map(|format| environment.packed(format));
        let lane = |oracle: &mut Self, select: u8, negate: u8| {
            let mut bits = [0; 3];
            for (slot, register) in registers.iter().enumerate() {
                let half = register >> (width * u32::from(select >> slot & 1));
                bits[slot] = (half & ((1 << width) - 1)) as u32;
            }
            let (Some(format), Some(rules)) = (float, &rules) else {
                let signed = opcode.vdst == Format::Pk2I16;
                return integer::lane(environment, operation, signed, instruction.clamp, bits);
            };
            for (slot, bits) in bits.iter_mut().enumerate() {
                *bits ^= if negate >> slot & 1 != 0 { format.sign() } else { 0 };
            }
            let result = oracle.float(environment, operation, format, bits, rules);
            let is_minimum3 = matches!(operation, Operation::Minimum3 | Operation::Maximum3);
            let nan_to_zero = environment.dx10_clamp() || environment.is_cdna4() && is_minimum3;
            if instruction.clamp { extremum::clamp(format, result, nan_to_zero) } else { result }
        };
        let low = lane(self, instruction.op_sel, instruction.neg_lo);
        let high = lane(self, instruction.op_sel_hi, instruction.neg_hi);
        u64::from(high) << width | u64::from(low)
    }

    /// One float result.
    fn float(
        &mut self,
        environment: &Environment,
        operation: Operation,
        format: FormatOf,
        bits: [u32; 3],
        rules: &Rules,
    ) -> u32 {
        match operation {
            Operation::Fma => self.fma(format, bits, rules),
            Operation::Add => self.add(format, [bits[0], bits[1]], rules),
            Operation::Mul => self.mul(format, [bits[0], bits[1]], rules),
            _ => extremum::lane(environment, operation, format, bits),
        }
    }

    /// The rules of a bare operation in a format under a MODE; f16 and f32 as packed instructions have them.
    #[must_use]
    pub fn rules(target: Target, mode: Mode, readings: Readings, format: FormatOf) -> Rules {
        Environment::new(target, mode, readings).packed(format)
    }

    /// What CLAMP makes of a float result under a MODE.
    #[must_use]
    pub fn clamped(target: Target, mode: Mode, readings: Readings, format: FormatOf, bits: u32) -> u32 {
        extremum::clamp(format, bits, Environment::new(target, mode, readings).dx10_clamp())
    }

    /// `a · b + c`, rounded once.
    pub fn fma(&mut self, format: FormatOf, operands: [u32; 3], rules: &Rules) -> u32 {
        self.fma_outcome(format, operands, rules).bits
    }

    /// `a + b`.
    pub fn add(&mut self, format: FormatOf, operands: [u32; 2], rules: &Rules) -> u32 {
        self.add_outcome(format, operands, rules).bits
    }

    /// `a · b`.
    pub fn mul(&mut self, format: FormatOf, operands: [u32; 2], rules: &Rules) -> u32 {
        self.mul_outcome(format, operands, rules).bits
    }

    /// [`fma`](Self::fma), and what became of the value.
    pub fn fma_outcome(&mut self, format: FormatOf, operands: [u32; 3], rules: &Rules) -> Outcome {
        let value = self.reals.fma(format, operands, rules);
        self.reals.settle(format, value, rules)
    }

    /// [`add`](Self::add), and what became of the value.
    pub fn add_outcome(&mut self, format: FormatOf, operands: [u32; 2], rules: &Rules) -> Outcome {
        let value = self.reals.add(format, operands, rules);
        self.reals.settle(format, value, rules)
    }

    /// [`mul`](Self::mul), and what became of the value.
    pub fn mul_outcome(&mut self, format: FormatOf, operands: [u32; 2], rules: &Rules) -> Outcome {
        let value = self.reals.mul(format, operands, rules);
        self.reals.settle(format, value, rules)
    }

    /// The exact value that was last rounded, in binary: `-1.01p-14` is −1.25 · 2^-14. Of an outcome that is no number
    /// ([`How::Nan`], [`How::Invalid`], [`How::Infinite`]) it says nothing.
    #[must_use]
    pub fn exact_in_binary(&self) -> String {
        text::binary(self.reals.exact()).unwrap_or_default()
    }
}

/// `v_pk_mov_b32`: a dword of source 0 and one of source 1.
fn moved(environment: &Environment, instruction: &Instruction, inputs: &Inputs) -> u64 {
    let select = if environment.has(Reading::MoveIgnoresOpSel) { 0 } else { instruction.op_sel };
    let dword = |slot: usize| {
        let held = operand::register(environment, instruction.src[slot], Kind::Dwords, inputs.src[slot]);
        held >> (32 * u32::from(select >> slot & 1)) & 0xffff_ffff
    };
    dword(1) << 32 | dword(0)
}
