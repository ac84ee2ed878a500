//! What an instruction computes, what that rests on, and what other sources would have it be.

use std::fmt;

use serde::Serialize;

use super::steps::StepView;
use crate::asm;
use crate::codec::Instruction;
use crate::exec::registers::destination;
use crate::exec::watch::{Step, questions};
use crate::exec::{Register, execute};
use crate::isa::Target;
use crate::question::{Inputs, Mode, Provenance, QUESTIONS, Reading, Readings};
use crate::question::{QuestionRow, ReadingRow, Support};

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
        let ground = |question: crate::question::Question| {
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

/// A register and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegisterView {
    /// Its name.
    pub register: String,
    /// 8 hexadecimal digits behind `0x`.
    pub bits: String,
}

/// `v0=0x40004000`.
impl fmt::Display for RegisterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.register, self.bits)
    }
}

/// `v0=0x40004000 v1=0x00000000`.
#[must_use]
pub fn in_line(registers: &[RegisterView]) -> String {
    registers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl RegisterView {
    /// Of registers and what they hold.
    pub fn all(registers: impl IntoIterator<Item = (Register, u32)>) -> Vec<Self> {
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

impl GroundView {
    /// `mixlo=single`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}={}", self.question, self.reading)
    }
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

impl OtherView {
    /// `mixlo=single`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}={}", self.question, self.reading)
    }
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
    /// That one: `mixlo=single`.
    pub weakest: Option<String>,
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
            weakest: weakest(&grounds).map(|ground| format!("{}={}", ground.question.id, ground.reading.name)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::registers::Registers;

    fn evaluation(target: &str, text: &str, given: &[(&str, u32)], mode: &str, reading: Option<Reading>) -> Evaluation {
        let target: Target = target.parse().unwrap();
        let instruction = asm::parse(target, text).unwrap();
        let mut registers = Registers::new();
        for (name, bits) in given {
            registers.set(name.parse().unwrap(), *bits);
        }
        let inputs = registers.inputs(target, &instruction).unwrap();
        let readings = reading.into_iter().fold(Readings::of(target), Readings::with);
        Evaluation::new(target, &instruction, &inputs, mode.parse().unwrap(), readings).unwrap()
    }

    fn mixlo(reading: Option<Reading>) -> Evaluation {
        // 2^-15 · 2^-15 + 1.00000000001b: above half of an f16, a tie once it is an f32.
        let given = [("v0", 0xdead_0000), ("v1", 0x3800_0000), ("v2", 0x3f80_1000)];
        evaluation("gfx1100", "v_fma_mixlo_f16 v0, v1, v1, v2", &given, "", reading)
    }

    #[test]
    fn both_answers_of_mixlo_are_told() {
        let double = mixlo(None);
        assert_eq!(double.result, 0xdead_3c00);
        let others = double.others();
        assert_eq!((others.len(), others[0].reading.name, others[0].result), (1, "single", 0xdead_3c01));
        let single = mixlo(Some(Reading::MixSingle));
        assert_eq!((single.result, single.others()[0].reading.name), (0xdead_3c01, "double"));
    }

    #[test]
    fn what_no_source_supports_on_the_target_is_no_other_answer() {
        // Captured on gfx1100, where no other sign of the default NaN is supported; gfx1030 has no capture.
        let text = "v_pk_fma_f16 v0, v1, v2, v3";
        let given = [("v1", 0), ("v2", 0x7c00_7c00), ("v3", 0)];
        assert!(evaluation("gfx1100", text, &given, "", None).others().is_empty());
        let others = evaluation("gfx1030", text, &given, "", None).others();
        assert_eq!((others.len(), others[0].reading.name, others[0].result), (1, "positive", 0x7e00_7e00));
    }

    #[test]
    fn the_worst_known_ground_decides_and_no_source_is_worse_than_all() {
        let known = |evaluation: &Evaluation| {
            let grounds = evaluation.grounds(&evaluation.others());
            weakest(&grounds).map(|ground| (ground.question.id, ground.support.map(|support| support.provenance)))
        };
        assert_eq!(known(&mixlo(None)), Some(("mix-result-round", Some(Provenance::Emulator))));
        assert_eq!(known(&mixlo(Some(Reading::MixUnfused))), Some(("mix-fusion", None)));
    }

    #[test]
    fn mpfr_agrees_or_not() {
        let evaluation = mixlo(None);
        let view = |mpfr| EvaluationView::new(&evaluation, []).against(&evaluation, mpfr).mpfr.unwrap();
        assert!(view(0xdead_3c00).agrees);
        assert_eq!((view(0xdead_3c01).agrees, view(0xdead_3c01).result[0].bits.as_str()), (false, "0xdead3c01"));
    }
}
