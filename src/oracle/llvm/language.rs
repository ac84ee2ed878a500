//! How a tool is talked to: what every kind of question has to say for itself, so that `resume` can get it answered.

use super::Death;
use super::child::Run;

/// How a run is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tempo {
    /// As quick as can be.
    Fast,
    /// So that it shows which question it died on.
    Careful,
}

/// What an output was good for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Every question of the run has its answer.
    pub complete: bool,
    /// So many questions did not kill the tool.
    pub survived: usize,
    /// And the next one did.
    pub exact: bool,
}

/// How questions are put to a tool and what it says is read.
pub(super) trait Language {
    /// A window, a line of assembly.
    type Question;
    /// What the tool says of one.
    type Answer;

    /// Appends a run's input.
    fn write(&self, questions: &[Self::Question], tempo: Tempo, out: &mut Vec<u8>);

    /// Reads a run's output: pushes the answers of the leading questions that are certain.
    fn read(&self, questions: &[Self::Question], tempo: Tempo, run: &Run, answers: &mut Vec<Self::Answer>) -> Reading;

    /// Whether answers go with this exit code.
    fn is_success(&self, code: i32) -> bool;

    /// The answer to a question that kills the tool.
    fn dead(death: Death) -> Self::Answer;

    /// What a working tool tells apart on every target.
    fn probe() -> [Self::Question; 3];

    /// Whether these are a working tool's answers to the probe.
    fn is_right(answers: &[Self::Answer]) -> bool;
}
