//! From cases to findings: our answer beside MPFR's, and beside apfloat's where it speaks of the instruction.

use super::Case;
use super::diagnose::{parts, result_format};
use super::second::opinions;
use crate::exec;
use crate::oracle::mpfr::Oracle;

/// What is held against the oracles: this crate's exec, or another one of the same kind.
pub type Subject = fn(&Case) -> Option<u64>;

/// This crate's exec.
#[must_use]
pub fn ours(case: &Case) -> Option<u64> {
    let Case { target, instruction, inputs, mode, readings } = case;
    exec::execute(*target, instruction, inputs, *mode, *readings, &mut ())
}

/// Judges cases.
#[derive(Debug)]
pub struct ValueJudge {
    subject: Subject,
    oracle: Oracle,
}

/// A case on which the answers differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueFinding {
    /// The case.
    pub case: Case,
    /// Our answer; `None` if there is none.
    pub ours: Option<u64>,
    /// MPFR's.
    pub mpfr: Option<u64>,
    /// rustc_apfloat's of the low and of the high result, or of the only one, where its table says that it must be
    /// right.
    pub apfloat: [Option<u32>; 2],
}

/// What came of one case.
#[derive(Clone, Copy, Debug)]
pub struct JudgedValue {
    /// Our answer.
    pub ours: Option<u64>,
    /// Whether apfloat was asked, too.
    pub by_apfloat: bool,
    /// The difference.
    pub finding: Option<ValueFinding>,
}

impl Default for ValueJudge {
    fn default() -> Self {
        Self::new(ours)
    }
}

impl ValueJudge {
    /// A judge of this exec.
    #[must_use]
    pub fn new(subject: Subject) -> Self {
        Self { subject, oracle: Oracle::new() }
    }

    /// Judges a case; apfloat is asked if `thoroughly`, or if there is a difference anyway.
    pub fn judge(&mut self, case: &Case, thoroughly: bool) -> JudgedValue {
        let ours = (self.subject)(case);
        let mpfr = self.mpfr(case);
        let apfloat = if thoroughly || ours != mpfr { opinions(case) } else { [None; 2] };
        let by_apfloat = apfloat != [None; 2];
        let differs = ours != mpfr || by_apfloat && apfloat_differs(case, ours, apfloat);
        let finding = differs.then_some(ValueFinding { case: *case, ours, mpfr, apfloat });
        JudgedValue { ours, by_apfloat, finding }
    }

    /// MPFR's answer alone.
    pub fn mpfr(&mut self, case: &Case) -> Option<u64> {
        let Case { target, instruction, inputs, mode, readings } = case;
        self.oracle.compute(*target, instruction, inputs, *mode, *readings)
    }

    /// The finding of a case, if there is one.
    pub fn finding(&mut self, case: &Case) -> Option<ValueFinding> {
        self.judge(case, true).finding
    }
}

fn apfloat_differs(case: &Case, ours: Option<u64>, apfloat: [Option<u32>; 2]) -> bool {
    let (_, width, _) = result_format(case);
    let part = |low: u32| ours.map(|bits| (bits >> low & (u64::MAX >> (64 - width))) as u32);
    parts(case).into_iter().zip(apfloat).any(|((low, _), answer)| answer.is_some() && answer != part(low))
}
