//! What an evaluation shows of itself on the way: nothing, or every step, for `--explain` and for what a result rests
//! on.

use super::arithmetic::{Env, Exact};
use crate::question::Question;

/// Something that looks at the steps of an evaluation. `()` looks at none and costs nothing.
pub trait Watch {
    /// Takes a step; `step` need not be called.
    fn see(&mut self, step: impl FnOnce() -> Step);
}

impl Watch for () {
    #[inline(always)]
    fn see(&mut self, _: impl FnOnce() -> Step) {}
}

/// Every step, in order.
impl Watch for Vec<Step> {
    fn see(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }
}

/// One step of an evaluation. Bits are of the format of the operation, in its low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// What decides the arithmetic that comes next.
    Environment(Env),
    /// The result of this half (0: bits 15:0, 1: 31:16) or dword (0, 1) comes next.
    Lane(u8),
    /// A source after selection and modifiers.
    Operand {
        /// Which: 0 to 2.
        slot: u8,
        /// Its bits.
        bits: u32,
        /// Width of the format in bits.
        width: u8,
    },
    /// A narrow source as f32.
    Widened {
        /// Which: 0 to 2.
        slot: u8,
        /// The f32.
        bits: u32,
    },
    /// A subnormal operand became a zero.
    FlushedInput {
        /// Which: 0 to 2.
        slot: u8,
        /// What it was.
        bits: u32,
    },
    /// The exact product.
    Product(Exact),
    /// The exact sum; with a sticky bit.
    Sum(Exact),
    /// A sum or product that is exactly zero.
    ExactZero {
        /// Its sign.
        negative: bool,
    },
    /// The rounding.
    Rounded {
        /// What was rounded.
        exact: Exact,
        /// The exponent of the value.
        exponent: i32,
        /// The significand that is kept, before rounding up.
        kept: u64,
        /// What was dropped.
        rest: u64,
        /// Half a unit in the last place.
        half: u64,
        /// How far below the smallest normal exponent.
        below: u32,
        /// Whether the magnitude was rounded up.
        up: bool,
    },
    /// The result was too small and became a zero.
    FlushedOutput {
        /// Its sign.
        negative: bool,
        /// Whether it is the rounding before or after which tininess is asked that decided.
        reaches_normal: bool,
    },
    /// The result was too large.
    Overflow {
        /// An infinity, or the largest number.
        result: u32,
    },
    /// Zero times infinity.
    InvalidProduct {
        /// Whether the addend is a NaN.
        nan_addend: bool,
    },
    /// The operation has no value: the default NaN.
    Invalid,
    /// The result is the NaN of an operand.
    Nan {
        /// Which: 0 to 2.
        slot: u8,
        /// The result.
        bits: u32,
        /// Whether another operand is a NaN, too.
        several: bool,
    },
    /// A NaN lost the low bits of its payload.
    NarrowedNan {
        /// Whether it was signalling.
        signalling: bool,
        /// The result.
        result: u32,
    },
    /// The operand that a minimum or maximum gives.
    Chosen {
        /// Which of the two that are compared: 0 or 1.
        slot: u8,
        /// The result, quieted if it is a NaN and the operation does that.
        bits: u32,
    },
    /// An f32 on the way: the rounded product of an unfused mix, or the f32 that is rounded again to 16 bits.
    Intermediate(u32),
    /// The integer result before wrapping or saturation.
    Integer(i64),
    /// CLAMP was applied.
    Clamped {
        /// From.
        from: u32,
        /// To.
        to: u32,
    },
    /// The result of a lane.
    Result(u32),
    /// A question was answered on the way.
    Uses(Question),
}

/// What a step rests on, besides the question it names itself; `env` is that of the arithmetic it is a step of.
fn question_of(step: &Step, env: &Env) -> Option<Question> {
    match step {
        Step::Uses(question) => Some(*question),
        Step::Sum(_) | Step::Product(_) => Some(Question::Arithmetic),
        Step::Rounded { below: 1.., .. } if env.flush_outputs => Some(Question::Tininess),
        Step::Overflow { .. } => Some(Question::Overflow),
        Step::Nan { several: true, .. } => Some(Question::NanOrder),
        Step::InvalidProduct { nan_addend: true } => Some(Question::InvalidProduct),
        Step::Invalid => Some(Question::DefaultNan),
        Step::NarrowedNan { signalling: true, .. } => Some(Question::NarrowNan),
        _ => None,
    }
}

/// The questions that an evaluation rests on, each once, in the order they came up.
#[must_use]
pub fn questions(steps: &[Step]) -> Vec<Question> {
    let mut env = &Env::DEFAULT;
    let mut found = Vec::new();
    for step in steps {
        if let Step::Environment(next) = step {
            env = next;
        }
        if let Some(question) = question_of(step, env).filter(|question| !found.contains(question)) {
            found.push(question);
        }
    }
    found
}
