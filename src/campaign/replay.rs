//! Case lines, replayed: what each expects, held against our decoder or assembler and LLVM.

use std::collections::{BTreeMap, BTreeSet};

use super::witnesses::{broken_expectations, judge_cases};
use crate::asm::{AssembleError, assemble};
use crate::assembling::{JudgedText, TextJudge};
use crate::case::{Case, CaseError, Expectation};
use crate::codec::{Style, Window, decode};
use crate::compare::as_read;
use crate::isa::Target;
use crate::judge::{Explained, Judge, Judged, RESYNC};
use crate::ledger::{Applicable, Ledger, Sign, Status};
use crate::oracle::llvm::{Answer, Assembled as Theirs, Llvm, LlvmError};
use crate::text_case::{TextCase, TextExpectation};
use crate::value_case::ValueCase;

/// A case and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<C = Case> {
    /// The file, or what stands for it.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The case.
    pub case: C,
}

/// Case lines of every kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Windows to decode.
    pub windows: Vec<Located>,
    /// Texts to assemble.
    pub texts: Vec<Located<TextCase>>,
    /// Instructions to execute.
    pub values: Vec<Located<ValueCase>>,
}

impl Cases {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty() && self.texts.is_empty() && self.values.is_empty()
    }

    /// Adds others.
    pub fn extend(&mut self, other: Self) {
        self.windows.extend(other.windows);
        self.texts.extend(other.texts);
        self.values.extend(other.values);
    }
}

/// Reads every case line of a text, each a window.
///
/// # Errors
/// What is wrong with each bad line, as `file:line:column: message`.
pub fn read_cases(file: &str, text: &str) -> Result<Vec<Located>, Vec<String>> {
    let mut cases = Vec::new();
    each_line(file, text, |line, source| {
        let case = Case::parse(source)?;
        cases.extend(case.map(|case| Located { file: file.to_owned(), line, case }));
        Ok(())
    })?;
    Ok(cases)
}

/// Reads every case line of a text: windows, texts and values.
///
/// # Errors
/// As [`read_cases`].
pub fn read_all(file: &str, text: &str) -> Result<Cases, Vec<String>> {
    let mut cases = Cases::default();
    each_line(file, text, |line, source| {
        let file = file.to_owned();
        if ValueCase::is_one(source) {
            let case = ValueCase::parse(source)?;
            cases.values.extend(case.map(|case| Located { file, line, case }));
        } else if TextCase::is_one(source) {
            let case = TextCase::parse(source)?;
            cases.texts.extend(case.map(|case| Located { file, line, case }));
        } else {
            let case = Case::parse(source)?;
            cases.windows.extend(case.map(|case| Located { file, line, case }));
        }
        Ok(())
    })?;
    Ok(cases)
}

fn each_line(
    file: &str,
    text: &str,
    mut read: impl FnMut(usize, &str) -> Result<(), CaseError>,
) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    // Some editors put a byte order mark in front.
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if let Err(error) = read(index + 1, line) {
            errors.push(format!("{file}:{}:{}: {}", index + 1, error.column, error.message));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
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
    let failures = broken_expectations(case, &ours);
    let of_llvm: Vec<&[String]> = (case.expectations.iter())
        .filter_map(|expectation| match expectation {
            Expectation::Agree => Some([].as_slice()),
            Expectation::Known(ids) => Some(ids.as_slice()),
            _ => None,
        })
        .collect();
    match (judge, judged) {
        (None, _) => not_asked(failures, of_llvm.len() == case.expectations.len()),
        (Some(judge), None) => unjudged(failures, does_not_know(judge.llvm, case.target)),
        (Some(judge), Some(judged)) => {
            let (version, window) = (judge.version(), Some(as_read(&case.window, case.padded)));
            let known = Known { ledger: judge.ledger, version, target: case.target, window, text: None };
            with_llvm(failures, &of_llvm, &judged.findings, &known)
        }
    }
}

/// The verdict without LLVM, of a case that expects something of LLVM alone or not.
fn not_asked(failures: Vec<String>, is_of_llvm_alone: bool) -> Verdict {
    match (failures.is_empty(), is_of_llvm_alone) {
        (true, true) => Verdict::NotJudged("LLVM was not asked".to_owned()),
        (true, false) => Verdict::Passed,
        (false, _) => Verdict::Failed(failures),
    }
}

/// The verdict where LLVM could not be asked.
fn unjudged(failures: Vec<String>, why: String) -> Verdict {
    if failures.is_empty() { Verdict::NotJudged(why) } else { Verdict::Failed(failures) }
}

fn does_not_know(llvm: &Llvm, target: Target) -> String {
    format!("LLVM {} does not know {}", llvm.version, target.cpu())
}

/// What the ledger says of one case on the LLVM at hand.
struct Known<'a> {
    ledger: &'a Ledger,
    version: String,
    target: Target,
    /// The window, or the word of the text if there is one.
    window: Option<Window>,
    text: Option<&'a str>,
}

impl Known<'_> {
    /// Whether the entry fires: of its signs, which may have begun and ended with different versions, by those that
    /// speak of the case.
    fn status(&self, id: &str) -> Option<Status> {
        let entry = self.ledger.get(id)?;
        let speaks = |sign: &Sign| {
            let is_of_kind = sign.kind.has_findings() && sign.kind.has_texts() == self.text.is_some();
            let own = Applicable::of_sign(self.target, entry, sign);
            is_of_kind && self.window.is_some_and(|window| own.matching_text(&window, self.text).next().is_some())
        };
        Some(entry.status(&self.version, speaks))
    }
}

/// The verdict with LLVM's answer; of what is expected of LLVM, `agree` is no id and `known` those of entries.
fn with_llvm(mut failures: Vec<String>, of_llvm: &[&[String]], findings: &[Explained], known: &Known<'_>) -> Verdict {
    failures.extend(of_llvm.iter().flat_map(|wanted| broken_by_llvm(wanted, findings, known)));
    if of_llvm.is_empty() {
        failures.extend(new(findings));
    }
    if failures.is_empty() { Verdict::Passed } else { Verdict::Failed(failures) }
}

/// The findings that the ledger lacks.
fn new(findings: &[Explained]) -> impl Iterator<Item = String> {
    findings.iter().filter(|explained| explained.entry.is_none()).map(|explained| format!("new: {}", explained.finding))
}

/// What is found and not expected, and the reverse; `wanted` is empty where LLVM is expected to agree.
fn broken_by_llvm(wanted: &[String], findings: &[Explained], known: &Known<'_>) -> Vec<String> {
    let found: BTreeSet<&str> = findings.iter().filter_map(|explained| explained.entry.as_deref()).collect();
    let list = |ids: &BTreeSet<&str>| ids.iter().copied().collect::<Vec<_>>().join(", ");
    let mut failures: Vec<String> = new(findings).collect();
    if wanted.is_empty() {
        if !found.is_empty() {
            failures.push(format!("expected `agree`, known disagreements are there: {}", list(&found)));
        }
        return failures;
    }
    let expectation = format!("known: {}", wanted.join(", "));
    let status = |id: &str| known.status(id);
    let unknown = |id: &&String| status(id).is_none() && *id != RESYNC;
    failures.extend(wanted.iter().filter(unknown).map(|id| format!("`{id}` is no entry of the ledger")));
    // What the ledger says does not fire on this version is not expected; what it does not know is optional.
    let wanted: BTreeSet<&str> =
        wanted.iter().map(String::as_str).filter(|id| !matches!(status(id), Some(Status::Silent))).collect();
    let optional = |id: &&&str| status(id) == Some(Status::Untested);
    let lacking: BTreeSet<&str> = wanted.difference(&found).filter(|id| !optional(id)).copied().collect();
    let surplus: BTreeSet<&str> = found.difference(&wanted).copied().collect();
    if !lacking.is_empty() {
        failures.push(format!("expected `{expectation}`, not found: {}", list(&lacking)));
    }
    if !surplus.is_empty() {
        failures.push(format!("expected `{expectation}`, found besides: {}", list(&surplus)));
    }
    failures
}

/// One text, replayed.
#[derive(Clone, Debug)]
pub struct ReplayedText<'a> {
    /// The case.
    pub located: &'a Located<TextCase>,
    /// Our answer beside LLVM's, where LLVM was asked and knows the processor.
    pub judged: Option<JudgedText>,
    /// How it came out.
    pub verdict: Verdict,
}

/// As [`replay`], of texts.
///
/// # Errors
/// If LLVM cannot be run.
pub fn replay_texts<'a>(
    cases: &'a [Located<TextCase>],
    judge: Option<&TextJudge<'_>>,
) -> Result<Vec<ReplayedText<'a>>, LlvmError> {
    let mut judged: Vec<Option<JudgedText>> = Vec::new();
    judged.resize_with(cases.len(), || None);
    let mut by_target: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, located) in cases.iter().enumerate() {
        by_target.entry(located.case.target.to_string()).or_default().push(place);
    }
    for places in by_target.into_values() {
        let (Some(judge), Some(first)) = (judge, places.first()) else { continue };
        let texts: Vec<&str> = places.iter().map(|place| cases[*place].case.text.as_str()).collect();
        match judge.judge(cases[*first].case.target, &texts) {
            Ok(answers) => places.iter().zip(answers).for_each(|(place, answer)| judged[*place] = Some(answer)),
            Err(LlvmError::UnknownCpu { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let replayed = cases.iter().zip(judged).map(|(located, judged)| {
        let verdict = text_verdict(&located.case, judge, judged.as_ref());
        ReplayedText { located, judged, verdict }
    });
    Ok(replayed.collect())
}

fn text_verdict(case: &TextCase, judge: Option<&TextJudge<'_>>, judged: Option<&JudgedText>) -> Verdict {
    let failures = broken_text_expectations(case, judge);
    let of_llvm: Vec<&[String]> = (case.expectations.iter())
        .filter_map(|expectation| match expectation {
            TextExpectation::Agree => Some([].as_slice()),
            TextExpectation::Known(ids) => Some(ids.as_slice()),
            _ => None,
        })
        .collect();
    match (judge, judged) {
        (None, _) => not_asked(failures, of_llvm.len() == case.expectations.len()),
        (Some(judge), None) => unjudged(failures, does_not_know(judge.llvm, case.target)),
        (Some(_), Some(JudgedText { theirs: Theirs::NotAsked(why), .. })) => {
            unjudged(failures, format!("LLVM was not asked: {why}"))
        }
        (Some(judge), Some(judged)) => {
            let (version, window, text) = (judge.llvm.version.to_string(), judged.window, Some(case.text.as_str()));
            let known = Known { ledger: judge.ledger, version, target: case.target, window, text };
            with_llvm(failures, &of_llvm, &judged.findings, &known)
        }
    }
}

/// What a case expects of our assembler and does not get.
fn broken_text_expectations(case: &TextCase, judge: Option<&TextJudge<'_>>) -> Vec<String> {
    let ours = match judge {
        Some(judge) => (judge.subject)(case.target, &case.text),
        None => assemble(case.target, &case.text, Style::Llvm),
    };
    let mut broken = Vec::new();
    for expectation in &case.expectations {
        let sp3;
        let answer = match expectation {
            TextExpectation::Sp3(_) => {
                sp3 = assemble(case.target, &case.text, Style::Sp3);
                &sp3
            }
            _ => &ours,
        };
        let is_met = match (expectation, answer) {
            (TextExpectation::Word(window) | TextExpectation::Sp3(window), Ok(assembled)) => {
                assembled.window == *window
            }
            (TextExpectation::Refused(None), Err(_)) => true,
            (TextExpectation::Refused(Some(wanted)), Err(AssembleError::Illegal { rule, .. })) => rule == wanted,
            (TextExpectation::Rules(rules), Ok(assembled)) => {
                let mut wanted = rules.clone();
                wanted.sort_unstable();
                wanted.dedup();
                wanted == assembled.notes.iter().collect::<Vec<_>>()
            }
            (TextExpectation::Agree | TextExpectation::Known(_), _) => true,
            _ => false,
        };
        if !is_met {
            let got = match (expectation, answer) {
                (TextExpectation::Rules(_), Ok(assembled)) => {
                    match assembled.notes.iter().map(|rule| rule.id()).collect::<Vec<_>>() {
                        ids if ids.is_empty() => "notes no rule".to_owned(),
                        ids => format!("notes {}", ids.join(", ")),
                    }
                }
                (_, Ok(assembled)) => format!("writes {}", assembled.window),
                (_, Err(error)) => format!("refuses it: {error}"),
            };
            broken.push(format!("expected `{expectation}`, our assembler {got}"));
        }
    }
    broken
}

/// The sum of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases.
    pub cases: usize,
    /// How many of them are texts.
    pub texts: usize,
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
    pub fn of(replayed: &[Replayed<'_>], texts: &[ReplayedText<'_>]) -> Self {
        let mut summary = Self { cases: replayed.len() + texts.len(), texts: texts.len(), ..Self::default() };
        for one in replayed {
            summary.add(&one.verdict, one.judged.as_ref().map_or(&[], |judged| &judged.findings));
            let Some(judged) = &one.judged else { continue };
            summary.mc_deaths += usize::from(matches!(judged.pair.mc, Answer::Dead(_)));
            summary.objdump_deaths += usize::from(matches!(judged.pair.objdump, Answer::Dead(_)));
        }
        for one in texts {
            summary.add(&one.verdict, one.judged.as_ref().map_or(&[], |judged| &judged.findings));
            let theirs = one.judged.as_ref().map(|judged| &judged.theirs);
            summary.mc_deaths += usize::from(matches!(theirs, Some(Theirs::Dead(_))));
        }
        summary
    }

    fn add(&mut self, verdict: &Verdict, findings: &[Explained]) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::NotJudged(_) => self.not_judged += 1,
        }
        let ids: BTreeSet<&String> = findings.iter().filter_map(|explained| explained.entry.as_ref()).collect();
        for id in ids {
            *self.known.entry(id.clone()).or_default() += 1;
        }
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
    fn our_assembler_alone_is_held_to_what_is_expected_of_it() {
        let lines = "gfx1030 asm: v_pk_add_f16 v0, v1, v2 => word: cc0f4000 18020501; sp3: cc0f0000 18020501; rule: none\n\
                     gfx900 d3a00005 040e0480\n\
                     gfx900 asm: v_pk_add_f16 v0, s1, s2 => refused: scalar-limit; agree\n\
                     gfx900 asm: v_pk_add_f16 v0, s1, s2 => word: d38f4000 18000401; rule: none; refused: iu-neg\n\
                     gfx900 asm: v_pk_add_f16 v0, s1, v2 => refused; sp3: d38f4000 18020402\n\
                     gfx900 asm: v_pk_add_f16 v0, s1, v2 => agree\n";
        let cases = read_all("cases", lines).unwrap();
        assert_eq!((cases.windows.len(), cases.windows[0].line, cases.texts[1].line), (1, 2, 3));
        let replayed = replay_texts(&cases.texts, None).unwrap();
        let verdicts: Vec<&Verdict> = replayed.iter().map(|one| &one.verdict).collect();
        let refuses = "our assembler refuses it: more different scalar values than one instruction may read (one before \
                       gfx10, two from gfx10 on) (scalar-limit)";
        let failed = |lines: &[String]| Verdict::Failed(lines.to_vec());
        assert_eq!(
            verdicts,
            [
                &Verdict::Passed,
                &Verdict::Passed,
                &failed(&[
                    format!("expected `word: d38f4000 18000401`, {refuses}"),
                    format!("expected `rule: none`, {refuses}"),
                    format!("expected `refused: iu-neg`, {refuses}"),
                ]),
                &failed(&[
                    "expected `refused`, our assembler writes d38f4000 18020401".to_owned(),
                    "expected `sp3: d38f4000 18020402`, our assembler writes d38f4000 18020401".to_owned(),
                ]),
                &Verdict::NotJudged("LLVM was not asked".to_owned()),
            ]
        );
        let summary = Summary::of(&[], &replayed);
        assert_eq!((summary.cases, summary.texts, summary.passed, summary.failed, summary.not_judged), (5, 5, 2, 2, 1));
        let errors = read_all("cases", "gfx900 asm: => agree\ngfx900 asm: v_x => frob\n").unwrap_err();
        assert_eq!(errors[0], "cases:1:7: `asm: TEXT` is wanted here");
        assert!(errors[1].starts_with("cases:2:20: `frob` is no expectation"), "{}", errors[1]);
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
