//! Published results and open questions, as lines of our own: `corpus/vectors` and `corpus/open`, see
//! [`crate::value_case`].
//!
//! Whoever computes ([`Computes`]) is held against what the lines say.

use std::fmt;

use crate::asm::assemble;
use crate::codec::{Instruction, Style, decode};
use crate::exec::arithmetic::{Env, add, fma, mul};
use crate::exec::format::{F16, F32, Format};
use crate::exec::mode::ModeFields;
use crate::exec::registers::destination;
use crate::exec::{Registers, environment, execute};
use crate::isa::Target;
use crate::oracle::mpfr::{FormatOf, Oracle};
use crate::question::{Inputs, Mode, Reading, Readings};
use crate::value_case::{Answer, Code, Kernel, KernelFormat, KernelOperation, Outcome, Subject, ValueCase};

macro_rules! files {
    ($directory:literal: $($name:literal)*) => {
        &[$((
            concat!("corpus/", $directory, "/", $name),
            include_str!(concat!("../../corpus/", $directory, "/", $name)),
        )),*]
    };
}

/// The files of published results: name and text.
pub static PUBLISHED: &[(&str, &str)] = files! {
    "vectors": "denorm.txt" "mix.txt" "nan.txt" "operands.txt" "rounding.txt"
};

/// The files of questions whose answer nobody has published: name and text.
pub static OPEN: &[(&str, &str)] = files! {
    "open": "bf16.txt" "clamp.txt" "mix-denorm.txt" "mix-fusion.txt" "mix-rounding.txt" "nan.txt" "tininess.txt"
};

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The file's name.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The case.
    pub case: ValueCase,
}

/// `corpus/vectors/nan.txt:7: ` and the line.
impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.case)
    }
}

/// Reads files, given as name and text.
///
/// # Errors
/// What is wrong with each bad line, as `file:line:column: message`.
pub fn read(files: &[(&str, &str)]) -> Result<Vec<Vector>, Vec<String>> {
    let (mut vectors, mut errors) = (Vec::new(), Vec::new());
    for (file, text) in files {
        for (line, text) in (1..).zip(text.lines()) {
            match ValueCase::parse(text) {
                Ok(case) => vectors.extend(case.map(|case| Vector { file: (*file).to_owned(), line, case })),
                Err(error) => errors.push(format!("{file}:{line}:{}: {}", error.column, error.message)),
            }
        }
    }
    if errors.is_empty() { Ok(vectors) } else { Err(errors) }
}

/// Something that computes what an instruction or a kernel gives. MODE may have bits that the target lacks.
pub trait Computes {
    /// What [`execute`] gives; `None` of what it does not compute.
    fn instruction(
        &mut self,
        target: Target,
        instruction: &Instruction,
        inputs: &Inputs,
        mode: Mode,
        readings: Readings,
    ) -> Option<u64>;

    /// The result of a kernel, 16 or 32 bits.
    fn kernel(&mut self, target: Target, kernel: Kernel, mode: Mode, readings: Readings) -> u32;
}

/// [`crate::exec`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Exec;

impl Computes for Exec {
    fn instruction(
        &mut self,
        target: Target,
        instruction: &Instruction,
        inputs: &Inputs,
        mode: Mode,
        readings: Readings,
    ) -> Option<u64> {
        execute(target, instruction, inputs, mode, readings, &mut ())
    }

    fn kernel(&mut self, target: Target, kernel: Kernel, mode: Mode, readings: Readings) -> u32 {
        let mode = mode.on(target);
        match kernel.format {
            KernelFormat::F16 => arithmetic::<F16>(kernel, &environment::f16(mode, readings), mode),
            KernelFormat::F32 => arithmetic::<F32>(kernel, &environment::f32(mode, readings), mode),
        }
    }
}

fn arithmetic<F: Format>(kernel: Kernel, env: &Env, mode: Mode) -> u32 {
    let Kernel { operands, .. } = kernel;
    let [a, b, _] = operands;
    let bits = match kernel.operation {
        KernelOperation::Fma => fma::<F, F, _>(operands, env, &mut ()),
        KernelOperation::Add => add::<F, _>([a, b], env, &mut ()),
        KernelOperation::Mul => mul::<F, _>([a, b], env, &mut ()),
    };
    if kernel.clamp { environment::clamp::<F, _>(bits, mode.dx10_clamp(), &mut ()) } else { bits }
}

/// MPFR.
impl Computes for Oracle {
    fn instruction(
        &mut self,
        target: Target,
        instruction: &Instruction,
        inputs: &Inputs,
        mode: Mode,
        readings: Readings,
    ) -> Option<u64> {
        self.compute(target, instruction, inputs, mode, readings)
    }

    fn kernel(&mut self, target: Target, kernel: Kernel, mode: Mode, readings: Readings) -> u32 {
        let format = match kernel.format {
            KernelFormat::F16 => FormatOf::F16,
            KernelFormat::F32 => FormatOf::F32,
        };
        let rules = Self::rules(target, mode, readings, format);
        let operands @ [a, b, _] = kernel.operands;
        let bits = match kernel.operation {
            KernelOperation::Fma => self.fma(format, operands, &rules),
            KernelOperation::Add => self.add(format, [a, b], &rules),
            KernelOperation::Mul => self.mul(format, [a, b], &rules),
        };
        if kernel.clamp { Self::clamped(target, mode, readings, format, bits) } else { bits }
    }
}

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every answer is as expected.
    Holds,
    /// These are not.
    Differs(Vec<Difference>),
    /// It is not something that was computed.
    NotComputed,
}

/// An answer that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What the line says.
    pub expected: Answer,
    /// What came out.
    pub found: Outcome,
}

/// Holds someone who computes against what a case expects.
///
/// # Errors
/// If the case cannot be computed by anyone: its instruction is none of the target, or reads a register that is not
/// given.
pub fn judge(case: &ValueCase, by: &mut impl Computes) -> Result<Judgement, String> {
    let mut differences = Vec::new();
    for expected in &case.answers {
        let Some(found) = outcome(case, &expected.readings, by)? else { return Ok(Judgement::NotComputed) };
        if found != expected.outcome {
            differences.push(Difference { expected: expected.clone(), found });
        }
    }
    Ok(if differences.is_empty() { Judgement::Holds } else { Judgement::Differs(differences) })
}

/// The outcome of a case under readings that replace its own; `None` of what is not computed.
///
/// # Errors
/// As [`judge`].
pub fn outcome(case: &ValueCase, readings: &[Reading], by: &mut impl Computes) -> Result<Option<Outcome>, String> {
    let target = case.target;
    let mode = case.mode;
    let replaced = case.readings.iter().chain(readings);
    let readings = replaced.fold(Readings::of(target), |readings, reading| readings.with(*reading));
    match &case.subject {
        Subject::Kernel(kernel) => Ok(Some(Outcome::Bits(by.kernel(target, *kernel, mode, readings)))),
        Subject::Instruction(code, given) => {
            let instruction = instruction(target, code)?;
            let inputs = given.inputs(target, &instruction).map_err(|missing| missing.to_string())?;
            let bits = by.instruction(target, &instruction, &inputs, mode, readings);
            Ok(bits.map(|bits| written(&instruction, bits)))
        }
    }
}

/// The instruction of a line.
fn instruction(target: Target, code: &Code) -> Result<Instruction, String> {
    match code {
        Code::Text(text) => match assemble(target, text, Style::Llvm) {
            Ok(assembled) => Ok(assembled.instruction),
            Err(error) => Err(format!("{text}: {error}")),
        },
        Code::Window(window) => match decode(target, window) {
            Ok(decoded) => Ok(decoded.instruction),
            Err(undefined) => Err(format!("{window}: {}", undefined.id())),
        },
    }
}

/// The destination registers of an instruction that gives these bits.
fn written(instruction: &Instruction, bits: u64) -> Outcome {
    let mut registers = Registers::new();
    for (dword, register) in destination(instruction).into_iter().enumerate() {
        registers.set(register, (bits >> (32 * dword)) as u32);
    }
    Outcome::Registers(registers)
}
