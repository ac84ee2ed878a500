//! What an instruction computes, what that rests on, and what other sources would have it be.

use serde::Serialize;

use super::steps::StepView;
use crate::asm;
use crate::codec::Instruction;
use crate::exec::profile::{QuestionRow, ReadingRow, Support};
use crate::exec::registers::destination;
use crate::exec::watch::{Step, questions};
use crate::exec::{Inputs, Mode, Provenance, QUESTIONS, Reading, Readings, Register, execute};
use crate::isa::Target;

/// An instruction executed once.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The target.
    pub target: Target,
    /// The instruction.
    pub instruction: Instruction,
    /// What it read.
    pub inputs: Inputs,
    /// MODE as the target has it.
    pub mode: Mode,
    /// The chosen readings.
    pub readings: Readings,
    /// The destination: the dword, or two of them, the first register in bits 31:0.
    pub result: u64,
    /// How it came about.
    pub steps: Vec<Step>,
}

/// A question that a result rests on, and the answer that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// The question.
    pub question: &'static QuestionRow,
    /// The answer.
    pub reading: &'static ReadingRow,
    /// How that is known on the target; `None` if no source supports it there.
    pub support: Option<&'static Support>,
}

/// Another answer to one question that a source supports on the target, and what then comes out.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// The question.
    pub question: &'static QuestionRow,
    /// The answer.
    pub reading: &'static ReadingRow,
    /// How it is known.
    pub support: &'static Support,
    /// The destination, as in [`Evaluation::result`].
    pub result: u64,
}

impl Evaluation {
    /// Executes an instruction; `None` if it is not elementwise.
    #[must_use]
    pub fn new(
        target: Target,
        instruction: &Instruction,
        inputs: &Inputs,
        mode: Mode,
        readings: Readings,
    ) -> Option<Self> {
        let mut steps = Vec::new();
        let mode = mode.on(target);
        let result = execute(target, instruction, inputs, mode, readings, &mut steps)?;
        Some(Self { target, instruction: *instruction, inputs: *inputs, mode, readings, result, steps })
    }

    /// The result with one question answered in another way.
    #[must_use]
    pub fn under(&self, reading: Reading) -> u64 {
        let readings = self.readings.with(reading);
        execute(self.target, &self.instruction, &self.inputs, self.mode, readings, &mut ()).unwrap_or(self.result)
    }

    /// Every other answer to a question, one question at a time, that a source supports on the target and that changes
    /// the result.
    #[must_use]
    pub fn others(&self) -> Vec<Other> {
        let mut others = Vec::new();
        for question in &QUESTIONS {
            for reading in question.readings.iter().filter(|row| !self.readings.has(row.reading)) {
                let Some(support) = reading.support_on(self.target) else { continue };
                let result = self.under(reading.reading);
                if result != self.result {
                    others.push(Other { question, reading, support, result });
                }
            }
        }
        others
    }

    /// The questions that the result rests on, with the answers taken: those that came up on the way, and those that
    /// another supported answer to would change it.
    #[must_use]
    pub fn grounds(&self, others: &[Other]) -> Vec<Ground> {
        let mut found = questions(&self.steps);
        for other in others {
            if !found.contains(&other.question.question) {
                found.push(other.question.question);
            }
        }
        let ground = |question: crate::exec::Question| {
            let reading = self.readings.answer(question);
            Ground { question: question.row(), reading, support: reading.support_on(self.target) }
        };
        found.into_iter().map(ground).collect()
    }

    /// The destination registers and what they hold, low dword first.
    #[must_use]
    pub fn destination(&self, result: u64) -> Vec<(Register, u32)> {
        let registers = destination(&self.instruction);
        registers.into_iter().zip([result as u32, (result >> 32) as u32]).collect()
    }
}

/// The ground that is known worst; one without any support goes before all. `None` if there is no ground.
#[must_use]
pub fn weakest(grounds: &[Ground]) -> Option<&Ground> {
    let key = |ground: &&Ground| ground.support.map_or((1, Provenance::Unknown), |support| (0, support.provenance));
    // The first of equals.
    grounds.iter().rev().max_by_key(key)
}

/// `0x40004000`.
#[must_use]
pub fn dword(bits: u32) -> String {
    format!("0x{bits:08x}")
}

/// `v0=0x40004000 v1=0x00000000`.
#[must_use]
pub fn in_line(registers: &[(Register, u32)]) -> String {
    let one = |(register, bits): &(Register, u32)| format!("{register}={}", dword(*bits));
    registers.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// A register and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegisterView {
    /// Its name.
    pub register: String,
    /// 8 hexadecimal digits behind `0x`.
    pub bits: String,
}

impl RegisterView {
    fn all(registers: impl IntoIterator<Item = (Register, u32)>) -> Vec<Self> {
        let one = |(register, bits): (Register, u32)| Self { register: register.to_string(), bits: dword(bits) };
        registers.into_iter().map(one).collect()
    }
}

/// MODE, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModeView {
    /// The register as the target has it.
    pub raw: String,
    /// The fields that are not as by default.
    pub fields: String,
}

/// A [`Ground`], as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroundView {
    /// Id of the question.
    pub question: &'static str,
    /// What is asked.
    pub asks: &'static str,
    /// Name of the answer.
    pub reading: &'static str,
    /// What it says.
    pub says: &'static str,
    /// How it is known on the target; null if no source supports it there.
    pub provenance: Option<&'static str>,
    /// Who says so.
    pub source: Option<&'static str>,
}

impl From<&Ground> for GroundView {
    fn from(ground: &Ground) -> Self {
        Self {
            question: ground.question.id,
            asks: ground.question.asks,
            reading: ground.reading.name,
            says: ground.reading.says,
            provenance: ground.support.map(|support| support.provenance.name()),
            source: ground.support.map(|support| support.source),
        }
    }
}

/// An [`Other`], as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherView {
    /// Id of the question.
    pub question: &'static str,
    /// Name of the answer.
    pub reading: &'static str,
    /// What it says.
    pub says: &'static str,
    /// How it is known on the target.
    pub provenance: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// The destination.
    pub result: Vec<RegisterView>,
}

/// What MPFR says, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgainstView {
    /// The destination.
    pub result: Vec<RegisterView>,
    /// Whether that is ours.
    pub agrees: bool,
}

/// An [`Evaluation`], as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvaluationView {
    /// The target.
    pub target: String,
    /// LLVM's spelling.
    pub text: String,
    /// MODE.
    pub mode: ModeView,
    /// The registers it read.
    pub registers: Vec<RegisterView>,
    /// The destination, low dword first.
    pub result: Vec<RegisterView>,
    /// How the result is known: as the worst known of `grounds`; null if one of them has no source.
    pub provenance: Option<&'static str>,
    /// What it rests on.
    pub grounds: Vec<GroundView>,
    /// Other results that a source supports.
    pub others: Vec<OtherView>,
    /// MPFR's result, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mpfr: Option<AgainstView>,
    /// What is worth knowing besides.
    pub notes: Vec<String>,
    /// How the result came about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<StepView>>,
}

impl EvaluationView {
    /// Of an evaluation of what these registers held.
    #[must_use]
    pub fn new(evaluation: &Evaluation, registers: impl IntoIterator<Item = (Register, u32)>) -> Self {
        let others = evaluation.others();
        let grounds = evaluation.grounds(&others);
        let other = |other: &Other| OtherView {
            question: other.question.id,
            reading: other.reading.name,
            says: other.reading.says,
            provenance: other.support.provenance.name(),
            source: other.support.source,
            result: RegisterView::all(evaluation.destination(other.result)),
        };
        Self {
            target: evaluation.target.to_string(),
            text: asm::print(evaluation.target, &evaluation.instruction),
            mode: ModeView { raw: evaluation.mode.to_string(), fields: evaluation.mode.in_words() },
            registers: RegisterView::all(registers),
            result: RegisterView::all(evaluation.destination(evaluation.result)),
            provenance: weakest(&grounds).and_then(|ground| ground.support).map(|support| support.provenance.name()),
            grounds: grounds.iter().map(GroundView::from).collect(),
            others: others.iter().map(other).collect(),
            mpfr: None,
            notes: Vec::new(),
            steps: None,
        }
    }

    /// The same with what MPFR says.
    #[must_use]
    pub fn against(mut self, evaluation: &Evaluation, mpfr: u64) -> Self {
        let result = RegisterView::all(evaluation.destination(mpfr));
        self.mpfr = Some(AgainstView { result, agrees: mpfr == evaluation.result });
        self
    }
}
