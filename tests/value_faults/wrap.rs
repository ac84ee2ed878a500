//! exec from outside: with another case, other results, or lanes computed again.

use vop3p::campaign::values::{Case, ours};
use vop3p::exec::arithmetic::{Env, Exact, add, fma, mul, round};
use vop3p::exec::environment::clamp;
use vop3p::exec::execute;
use vop3p::exec::format::{self, F16, Format as _};
use vop3p::exec::mode::ModeFields;
use vop3p::exec::watch::{Step, Watch};
use vop3p::isa::{Format, Operation, Part};

/// exec of a changed case.
pub fn with(case: &Case, change: impl FnOnce(&mut Case)) -> Option<u64> {
    let mut changed = *case;
    change(&mut changed);
    ours(&changed)
}

/// The format of a result.
fn result_format(case: &Case) -> Format {
    match case.instruction.opcode.vdst {
        Format::Pk2F16 => Format::F16,
        Format::Pk2Bf16 => Format::Bf16,
        Format::Pk2F32 => Format::F32,
        other => other,
    }
}

/// exec, each result changed.
pub fn on_results(case: &Case, change: impl Fn(Format, u32) -> u32) -> Option<u64> {
    let all = ours(case)?;
    let format = result_format(case);
    let at = |low: u32, width: u32| {
        let mask = u64::MAX >> (64 - width) << low;
        let bits = u64::from(change(format, ((all & mask) >> low) as u32));
        (mask, bits << low)
    };
    let changed = match case.instruction.opcode.operation? {
        Operation::Mix(Part::Whole) => vec![at(0, 32)],
        Operation::Mix(Part::Low) => vec![at(0, 16)],
        Operation::Mix(Part::High) => vec![at(16, 16)],
        _ if case.instruction.opcode.vdst.dwords() == 2 => vec![at(0, 32), at(32, 32)],
        _ => vec![at(0, 16), at(16, 16)],
    };
    Some(changed.into_iter().fold(all, |all, (mask, bits)| all & !mask | bits))
}

/// One result of a packed instruction.
#[derive(Clone, Debug)]
pub struct Lane {
    pub format: Format,
    pub operation: Operation,
    pub operands: [u32; 3],
    pub sources: usize,
    pub env: Env,
}

fn compute<F: format::Format, W: Watch>(lane: &Lane, env: &Env, watch: &mut W) -> Option<u32> {
    let [a, b, _] = lane.operands;
    match lane.operation {
        Operation::Fma => Some(fma::<F, F, W>(lane.operands, env, watch)),
        Operation::Add => Some(add::<F, W>([a, b], env, watch)),
        Operation::Mul => Some(mul::<F, W>([a, b], env, watch)),
        _ => None,
    }
}

impl Lane {
    fn watched<W: Watch>(&self, env: &Env, watch: &mut W) -> Option<u32> {
        match self.format {
            Format::F16 => compute::<F16, W>(self, env, watch),
            Format::Bf16 => compute::<format::Bf16, W>(self, env, watch),
            Format::F32 => compute::<format::F32, W>(self, env, watch),
            _ => None,
        }
    }

    /// The result of the arithmetic under another environment; `None` of what is no sum or product.
    pub fn with(&self, env: &Env) -> Option<u32> {
        self.watched(env, &mut ())
    }

    /// The result of the arithmetic; zero of what is no sum or product.
    pub fn computed(&self) -> u32 {
        self.with(&self.env).unwrap_or(0)
    }

    /// The steps of the arithmetic.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        _ = self.watched(&self.env, &mut steps);
        steps
    }

    pub fn is_nan(&self, bits: u32) -> bool {
        match self.format {
            Format::F16 => F16::is_nan(bits),
            Format::Bf16 => format::Bf16::is_nan(bits),
            _ => format::F32::is_nan(bits),
        }
    }

    pub fn quiet(&self) -> u32 {
        match self.format {
            Format::F16 => F16::QUIET,
            Format::Bf16 => format::Bf16::QUIET,
            _ => format::F32::QUIET,
        }
    }
}

/// The steps of exec.
pub fn steps_of(case: &Case) -> Vec<Step> {
    let Case { target, instruction, inputs, mode, readings } = case;
    let mut steps = Vec::new();
    _ = execute(*target, instruction, inputs, *mode, *readings, &mut steps);
    steps
}

/// exec with lanes for which there is another result before CLAMP; not of mix and of moves.
pub fn lanes_again(case: &Case, again: impl Fn(&Lane) -> Option<u32>) -> Option<u64> {
    let all = ours(case)?;
    let opcode = case.instruction.opcode;
    let operation = opcode.operation?;
    if matches!(operation, Operation::Mix(_) | Operation::Move) {
        return Some(all);
    }
    let format = result_format(case);
    let mut lanes: Vec<Lane> = Vec::new();
    for step in steps_of(case) {
        match step {
            Step::Lane(_) => {
                let (operands, sources) = ([0; 3], opcode.sources());
                lanes.push(Lane { format, operation, operands, sources, env: Env::DEFAULT });
            }
            Step::Environment(env) => lanes.last_mut()?.env = env,
            Step::Operand { slot, bits, .. } => lanes.last_mut()?.operands[usize::from(slot)] = bits,
            _ => {}
        }
    }
    let width = if format == Format::F32 { 32 } else { 16 };
    let mut changed = all;
    for (index, lane) in lanes.iter().enumerate() {
        let Some(bits) = again(lane) else { continue };
        let dx10 = case.mode.dx10_clamp();
        let bits = match format {
            _ if !case.instruction.clamp => bits,
            Format::F16 => clamp::<F16, ()>(bits, dx10, &mut ()),
            Format::Bf16 => clamp::<format::Bf16, ()>(bits, dx10, &mut ()),
            Format::F32 => clamp::<format::F32, ()>(bits, dx10, &mut ()),
            _ => bits,
        };
        let low = width * index as u32;
        let mask = u64::MAX >> (64 - width) << low;
        changed = changed & !mask | u64::from(bits) << low;
    }
    Some(changed)
}

/// exec with sums and products computed under a changed environment.
pub fn with_env(case: &Case, change: impl Fn(&mut Env)) -> Option<u64> {
    lanes_again(case, |lane| {
        let mut env = lane.env;
        change(&mut env);
        lane.with(&env)
    })
}

/// An f16 fma of finite operands computed in a double of the host and rounded again.
pub fn by_double(lane: &Lane) -> Option<u32> {
    let Lane { format: Format::F16, operation: Operation::Fma, operands, env, .. } = lane else { return None };
    let value = |bits: u32| {
        let bits = if env.flush_inputs && F16::is_subnormal(bits) { bits & F16::SIGN } else { bits };
        let (exponent, fraction) = (bits >> 10 & 31, f64::from(bits & 1023));
        let magnitude = match exponent {
            0 => fraction * 2_f64.powi(-24),
            _ => (1024.0 + fraction) * 2_f64.powi(exponent as i32 - 25),
        };
        if bits & F16::SIGN == 0 { magnitude } else { -magnitude }
    };
    if operands.iter().any(|bits| F16::magnitude(*bits) >= F16::INFINITY) {
        return None;
    }
    let [a, b, c] = operands.map(value);
    let sum = (a * b + c).to_bits();
    if sum << 1 == 0 {
        return None;
    }
    let exact = Exact {
        negative: sum >> 63 == 1,
        exponent: (sum >> 52 & 0x7ff) as i32 - 1023,
        significand: (sum & ((1 << 52) - 1) | 1 << 52) << 10,
    };
    Some(round::<F16, ()>(exact, env, &mut ()))
}

/// The operands of a mix to 16 bits, as f32.
pub fn mixed_operands(case: &Case) -> Option<[u32; 3]> {
    if !matches!(case.instruction.opcode.operation?, Operation::Mix(Part::Low | Part::High)) {
        return None;
    }
    let mut operands = [0; 3];
    for step in steps_of(case) {
        if let Step::Operand { slot, bits, width: 32 } | Step::Widened { slot, bits } = step {
            operands[usize::from(slot)] = bits;
        }
    }
    Some(operands)
}
