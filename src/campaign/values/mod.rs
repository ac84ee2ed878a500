//! Values: instructions with operands whose results exec and the oracles must agree about.

mod aim;
mod concern;
mod diagnose;
mod generate;
mod input;
mod judge;
mod minimise;
mod run;
mod second;
mod shape;
mod stats;

pub use diagnose::{Difference, diagnose};
pub(crate) use diagnose::{OLD, parts};
pub use generate::Generator;
pub use input::{Input, Record, VERSION};
pub use judge::{JudgedValue, Subject, ValueFinding, ValueJudge, ours};
pub use minimise::minimise;
pub use run::ValueCampaign;
pub use stats::ValueStats;

use crate::codec::Instruction;
use crate::isa::Target;
use crate::question::{Inputs, Mode, Readings};

/// An instruction with everything that decides its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The target.
    pub target: Target,
    /// The instruction.
    pub instruction: Instruction,
    /// What its registers hold.
    pub inputs: Inputs,
    /// The register MODE.
    pub mode: Mode,
    /// The answers to the numeric questions.
    pub readings: Readings,
}
