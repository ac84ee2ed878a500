//! Value cases, replayed: what they expect, held against our arithmetic and MPFR. LLVM is not asked.

use super::replay::{Located, Verdict};
use crate::oracle::mpfr::Oracle;
use crate::oracle::vectors::{Computes, Exec, Judgement, judge, outcome};
use crate::question::Reading;
use crate::value_case::{Outcome, Subject, ValueCase};

/// One value case, replayed.
#[derive(Clone, Debug)]
pub struct ReplayedValue<'a> {
    /// The case.
    pub located: &'a Located<ValueCase>,
    /// How it came out.
    pub verdict: Verdict,
}

/// Replays value cases. One that expects nothing passes if MPFR agrees with us.
#[must_use]
pub fn replay_values(cases: &[Located<ValueCase>]) -> Vec<ReplayedValue<'_>> {
    let mut mpfr = Oracle::new();
    let one = |located| ReplayedValue { located, verdict: verdict(&located.case, &mut mpfr) };
    cases.iter().map(one).collect()
}

fn verdict(case: &ValueCase, mpfr: &mut Oracle) -> Verdict {
    let reasons = match case.answers[..] {
        [] => disagreement(case, mpfr).map(Vec::from_iter),
        _ => broken(case, "we compute", &mut Exec).and_then(|ours| {
            let mut reasons = ours.ok_or(NOT_COMPUTED)?;
            reasons.extend(broken(case, "MPFR computes", mpfr)?.ok_or(NOT_COMPUTED)?);
            Ok(reasons)
        }),
    };
    match reasons.unwrap_or_else(|message| vec![message]) {
        reasons if reasons.is_empty() => Verdict::Passed,
        reasons => Verdict::Failed(reasons),
    }
}

const NOT_COMPUTED: &str = "this instruction is not computed yet";

/// What a case expects and someone does not find; `None` if they do not compute it.
fn broken(case: &ValueCase, who: &str, by: &mut impl Computes) -> Result<Option<Vec<String>>, String> {
    let differences = match judge(case, by)? {
        Judgement::Holds => Vec::new(),
        Judgement::Differs(differences) => differences,
        Judgement::NotComputed => return Ok(None),
    };
    let reason = |found: &Outcome, expected: &Outcome, readings: &[Reading]| {
        let under: Vec<String> = readings.iter().map(ToString::to_string).collect();
        let under = if under.is_empty() { String::new() } else { format!(" under {}", under.join(",")) };
        format!("{who} {}{under}, not {}", bits(case, found), bits(case, expected))
    };
    let differences = differences.iter();
    Ok(Some(differences.map(|one| reason(&one.found, &one.expected.outcome, &one.expected.readings)).collect()))
}

/// That we and MPFR differ, if we do.
fn disagreement(case: &ValueCase, mpfr: &mut Oracle) -> Result<Option<String>, String> {
    let ours = outcome(case, &[], &mut Exec)?.ok_or(NOT_COMPUTED)?;
    let theirs = outcome(case, &[], mpfr)?.filter(|theirs| *theirs != ours);
    Ok(theirs.map(|theirs| format!("we compute {}, MPFR {}", bits(case, &ours), bits(case, &theirs))))
}

fn bits(case: &ValueCase, outcome: &Outcome) -> String {
    match (outcome, &case.subject) {
        (Outcome::Registers(registers), _) => registers.to_string(),
        (Outcome::Bits(bits), Subject::Kernel(kernel)) => format!("{bits:0width$x}", width = kernel.format.digits()),
        (Outcome::Bits(bits), Subject::Instruction(..)) => format!("{bits:x}"),
    }
}
