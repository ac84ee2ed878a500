//! Case lines, replayed: what each expects, held against our decoder and LLVM.

use std::collections::{BTreeMap, BTreeSet};

use super::witnesses::{broken_expectations, judge_cases};
use crate::case::{Case, Expectation};
use crate::codec::decode;
use crate::compare::as_read;
use crate::judge::{Judge, Judged, RESYNC};
use crate::ledger::Status;
use crate::oracle::llvm::{Answer, LlvmError};

/// A case and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The file, or what stands for it.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The case.
    pub case: Case,
}

/// Reads every case line of a text.
///
/// # Errors
/// What is wrong with each bad line, as `file:line:column: message`.
pub fn read_cases(file: &str, text: &str) -> Result<Vec<Located>, Vec<String>> {
    let mut cases = Vec::new();
    let mut errors = Vec::new();
    // Some editors put a byte order mark in front.
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        match Case::parse(line) {
            Ok(Some(case)) => cases.push(Located { file: file.to_owned(), line: index + 1, case }),
            Ok(None) => {}
            Err(error) => errors.push(format!("{file}:{}:{}: {}", index + 1, error.column, error.message)),
        }
    }
    if errors.is_empty() { Ok(cases) } else { Err(errors) }
}

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as expected.
    Passed,
    /// These things are not.
    Failed(Vec<String>),
    /// What it expects of LLVM could not be looked at, for this reason; the rest is as expected.
    NotJudged(String),
}

/// One case, replayed.
#[derive(Clone, Debug)]
pub struct Replayed<'a> {
    /// The case.
    pub located: &'a Located,
    /// Our answer beside LLVM's, where LLVM was asked and knows the processor.
    pub judged: Option<Judged>,
    /// How it came out.
    pub verdict: Verdict,
}

/// Replays cases in batches; without a judge only what they expect of our decoder, and a case that expects nothing of
/// it is not judged.
///
/// # Errors
/// If LLVM cannot be run.
pub fn replay<'a>(cases: &'a [Located], judge: Option<&Judge<'_>>) -> Result<Vec<Replayed<'a>>, LlvmError> {
    let judged = match judge {
        Some(judge) => judge_cases(judge, &cases.iter().map(|located| &located.case).collect::<Vec<_>>())?,
        None => Vec::new(),
    };
    let judged = judged.into_iter().chain(std::iter::repeat_with(|| None));
    let replayed = cases.iter().zip(judged).map(|(located, judged)| {
        let verdict = verdict(&located.case, judge, judged.as_ref());
        Replayed { located, judged, verdict }
    });
    Ok(replayed.collect())
}

fn verdict(case: &Case, judge: Option<&Judge<'_>>, judged: Option<&Judged>) -> Verdict {
    let ours = match judged {
        Some(judged) => judged.ours,
        None => match judge {
            Some(judge) => (judge.subject)(case.target, &as_read(&case.window, case.padded)),
            None => decode(case.target, &as_read(&case.window, case.padded)),
        },
    };
    let mut failures = broken_expectations(case, &ours);
    let of_llvm: Vec<_> =
        case.expectations.iter().filter(|e| matches!(e, Expectation::Agree | Expectation::Known(_))).collect();
    let missing = match (judge, judged) {
        (None, _) => (of_llvm.len() == case.expectations.len()).then(|| "LLVM was not asked".to_owned()),
        (Some(judge), None) => Some(format!("LLVM {} does not know {}", judge.version(), case.target.cpu())),
        (Some(judge), Some(judged)) => {
            failures.extend(of_llvm.iter().flat_map(|expectation| broken_by_llvm(expectation, judge, judged)));
            if of_llvm.is_empty() {
                failures.extend(judged.new_findings().map(|finding| format!("new: {finding}")));
            }
            None
        }
    };
    match (failures.is_empty(), missing) {
        (false, _) => Verdict::Failed(failures),
        (true, Some(why)) => Verdict::NotJudged(why),
        (true, None) => Verdict::Passed,
    }
}

fn broken_by_llvm(expectation: &Expectation, judge: &Judge<'_>, judged: &Judged) -> Vec<String> {
    let found: BTreeSet<&str> = judged.findings.iter().filter_map(|explained| explained.entry.as_deref()).collect();
    let list = |ids: &BTreeSet<&str>| ids.iter().copied().collect::<Vec<_>>().join(", ");
    let mut failures: Vec<String> = judged.new_findings().map(|finding| format!("new: {finding}")).collect();
    match expectation {
        Expectation::Agree if !found.is_empty() => {
            failures.push(format!("expected `agree`, known disagreements are there: {}", list(&found)));
        }
        Expectation::Known(ids) => {
            let version = judge.version();
            let status = |id: &str| judge.ledger.get(id).map(|entry| entry.status(&version));
            let unknown = |id: &&String| status(id).is_none() && *id != RESYNC;
            failures.extend(ids.iter().filter(unknown).map(|id| format!("`{id}` is no entry of the ledger")));
            // What the ledger says does not fire on this version is not expected; what it does not know is optional.
            let wanted: BTreeSet<&str> =
                ids.iter().map(String::as_str).filter(|id| !matches!(status(id), Some(Status::Silent))).collect();
            let optional = |id: &&&str| status(id) == Some(Status::Untested);
            let lacking: BTreeSet<&str> = wanted.difference(&found).filter(|id| !optional(id)).copied().collect();
            let surplus: BTreeSet<&str> = found.difference(&wanted).copied().collect();
            if !lacking.is_empty() {
                failures.push(format!("expected `{expectation}`, not found: {}", list(&lacking)));
            }
            if !surplus.is_empty() {
                failures.push(format!("expected `{expectation}`, found besides: {}", list(&surplus)));
            }
        }
        _ => {}
    }
    failures
}

/// The sum of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases.
    pub cases: usize,
    /// As expected.
    pub passed: usize,
    /// Not as expected.
    pub failed: usize,
    /// As expected of our decoder, with LLVM's side not looked at.
    pub not_judged: usize,
    /// How many cases showed each ledger entry.
    pub known: BTreeMap<String, usize>,
    /// Windows on which `llvm-mc` died.
    pub mc_deaths: usize,
    /// Windows on which `llvm-objdump` died.
    pub objdump_deaths: usize,
}

impl Summary {
    /// Of these cases.
    #[must_use]
    pub fn of(replayed: &[Replayed<'_>]) -> Self {
        let mut summary = Self { cases: replayed.len(), ..Self::default() };
        for one in replayed {
            match one.verdict {
                Verdict::Passed => summary.passed += 1,
                Verdict::Failed(_) => summary.failed += 1,
                Verdict::NotJudged(_) => summary.not_judged += 1,
            }
            let Some(judged) = &one.judged else { continue };
            let ids: BTreeSet<&String> = judged.findings.iter().filter_map(|e| e.entry.as_ref()).collect();
            for id in ids {
                *summary.known.entry(id.clone()).or_default() += 1;
            }
            summary.mc_deaths += usize::from(matches!(judged.pair.mc, Answer::Dead(_)));
            summary.objdump_deaths += usize::from(matches!(judged.pair.objdump, Answer::Dead(_)));
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bad_line_is_named_with_its_column() {
        let text = "# a comment\ngfx900 d3a00005 040e0480 => agree\n\ngfx900 d3a00005 040e048z\ngfx803 1\n";
        let errors = read_cases("cases", text).unwrap_err();
        assert_eq!(errors[0], "cases:4:24: `040e048z` is not hexadecimal");
        assert!(errors[1].starts_with("cases:5:1: `gfx803` has no VOP3P"), "{}", errors[1]);
        let cases = read_cases("cases", "\n gfx900 d3a00005 040e0480").unwrap();
        assert_eq!((cases.len(), cases[0].line), (1, 2));
    }

    #[test]
    fn our_decoder_alone_is_held_to_what_is_expected_of_it() {
        let verdicts = |text: &str| {
            let cases = read_cases("cases", text).unwrap();
            replay(&cases, None).unwrap().into_iter().map(|one| one.verdict).collect::<Vec<_>>()
        };
        let word = "gfx900 d3a00005 040e0480";
        assert_eq!(
            verdicts(&format!("{word} => text: v_mad_mix_f32 v5, 0, v2, v3; size: 8; rule: none")),
            [Verdict::Passed]
        );
        assert_eq!(
            verdicts(&format!("{word} => undefined; size: 12; rule: iu-neg, dot-op-sel")),
            [Verdict::Failed(vec![
                "expected `undefined`, our decoder says `v_mad_mix_f32 v5, 0, v2, v3`".to_owned(),
                "expected `size: 12`, our decoder says 8 bytes".to_owned(),
                "expected `rule: iu-neg, dot-op-sel`, our decoder says no rule".to_owned(),
            ])]
        );
        let not_asked = Verdict::NotJudged("LLVM was not asked".to_owned());
        assert_eq!(verdicts(&format!("{word}\n{word} => agree")), [not_asked.clone(), not_asked]);
        // A word that takes a literal is read with its padding.
        assert_eq!(verdicts("gfx1030 cc0f4000 180202ff => size: 12"), [Verdict::Passed]);
        assert_eq!(verdicts("gfx1030 cc0f4000 180202ff pad=none => undefined: cut-short"), [Verdict::Passed]);
    }
}
