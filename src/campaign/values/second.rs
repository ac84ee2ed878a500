//! apfloat's opinion of a case: of each result that is one bare operation, where its table says that it must be right.

use super::Case;
use crate::exec::arithmetic::{Env, Rounding};
use crate::exec::execute;
use crate::exec::watch::{Step, Watch};
use crate::isa::{Format, Operation, Part};
use crate::oracle::apfloat::{self, agrees_where};
use crate::oracle::mpfr::{self, FormatOf, Rules};
use crate::question::Reading;

/// apfloat's bits of the low and of the high result, or of the only one; `None` where it has nothing to say.
pub(super) fn opinions(case: &Case) -> [Option<u32>; 2] {
    let opcode = case.instruction.opcode;
    let is_whole_mix = opcode.operation == Some(Operation::Mix(Part::Whole)) && case.readings.has(Reading::MixFused);
    let format = match opcode.vdst {
        _ if case.instruction.clamp => return [None; 2],
        Format::Pk2F16 => FormatOf::F16,
        Format::Pk2Bf16 => FormatOf::BF16,
        Format::Pk2F32 => FormatOf::F32,
        Format::F32 if is_whole_mix => FormatOf::F32,
        _ => return [None; 2],
    };
    let mut seen = Seen::default();
    let Case { target, instruction, inputs, mode, readings } = case;
    _ = execute(*target, instruction, inputs, *mode, *readings, &mut seen);
    seen.lanes.map(|lane| lane.and_then(|lane| opinion(opcode.operation?, format, &lane)))
}

fn opinion(operation: Operation, format: FormatOf, lane: &Lane) -> Option<u32> {
    let [a, b, c] = lane.operands;
    let operation = match operation {
        Operation::Fma | Operation::Mix(_) => apfloat::Operation::Fma([a, b, c]),
        Operation::Add => apfloat::Operation::Add([a, b]),
        Operation::Mul => apfloat::Operation::Mul([a, b]),
        _ => return None,
    };
    let rules = rules(&lane.env);
    let answer = apfloat::compute(format, operation, rules.rounding)?;
    let case = apfloat::Case { format, operation, rules, answer };
    agrees_where(&case).is_ok().then_some(answer)
}

fn rules(env: &Env) -> Rules {
    Rules {
        rounding: match env.rounding {
            Rounding::NearestEven => mpfr::Rounding::NearestEven,
            Rounding::Up => mpfr::Rounding::Up,
            Rounding::Down => mpfr::Rounding::Down,
            Rounding::Zero => mpfr::Rounding::Zero,
        },
        flush_in: env.flush_inputs,
        flush_out: env.flush_outputs,
        tiny_before: env.tiny_before_rounding,
        overflow_to_max: env.overflow_to_max,
        quiet: env.quiet,
        signalling_first: env.signalling_first,
        addend_over_invalid: env.addend_over_invalid,
        positive_default: env.positive_default,
    }
}

/// The operands of a result, as they go into the arithmetic, and its environment.
#[derive(Clone, Copy, Debug)]
struct Lane {
    operands: [u32; 3],
    env: Env,
}

/// The lanes of an evaluation, in order.
#[derive(Default)]
struct Seen {
    lanes: [Option<Lane>; 2],
    current: usize,
}

impl Watch for Seen {
    fn see(&mut self, step: impl FnOnce() -> Step) {
        match step() {
            Step::Lane(lane) => {
                self.current = usize::from(lane) & 1;
                self.lanes[self.current] = Some(Lane { operands: [0; 3], env: Env::DEFAULT });
            }
            Step::Environment(env) => {
                if let Some(lane) = &mut self.lanes[self.current] {
                    lane.env = env;
                }
            }
            Step::Operand { slot, bits, .. } | Step::Widened { slot, bits } => {
                if let Some(lane) = &mut self.lanes[self.current] {
                    lane.operands[usize::from(slot).min(2)] = bits;
                }
            }
            _ => {}
        }
    }
}
