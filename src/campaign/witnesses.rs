//! Whether the signs of a ledger still hold: every witness, replayed on one LLVM.

use std::collections::BTreeMap;

use crate::asm;
use crate::assembling::{self, JudgedText, Printed, TextJudge};
use crate::case::{Case, Expectation};
use crate::compare::{Ours, as_read, compare};
use crate::judge::{Explained, Judge, Judged};
use crate::ledger::{Applicable, Entry, Ledger, Sign, SignKind, Status};
use crate::oracle::llvm::{Llvm, LlvmError};
use crate::text_case::TextCase;

/// What a witness did on one LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It shows what its sign says.
    Yes,
    /// It does not.
    No,
    /// This LLVM does not know the processor.
    NotThere,
}

/// One witness, replayed.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The case, as its line.
    pub case: String,
    /// What it did.
    pub shown: Shown,
    /// What was seen, for people.
    pub seen: String,
}

/// One sign, checked on one LLVM.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// The sign.
    pub sign: &'a Sign,
    /// What it says of this LLVM.
    pub status: Status,
    /// Its witnesses.
    pub witnesses: Vec<Witness>,
    /// What does not hold any more; empty if the sign is fine.
    pub stale: Vec<String>,
}

impl Checked<'_> {
    /// The full name of the sign.
    #[must_use]
    pub fn name(&self) -> String {
        self.entry.name_of(self.sign)
    }

    /// How many witnesses did this.
    #[must_use]
    pub fn count(&self, shown: Shown) -> usize {
        self.witnesses.iter().filter(|witness| witness.shown == shown).count()
    }
}

/// Replays every witness of the ledger, sign by sign.
///
/// A sign that lists this version under `fires` must be shown by each of its witnesses, one that lists it under
/// `silent` by none; of an untested version this only reports. A processor that this LLVM lacks is no failure, unless
/// it leaves a sign that fires without any witness. Signs of kind document have no versions: what their witnesses
/// expect must hold wherever the ledger has been tested at all.
///
/// # Errors
/// If LLVM cannot be run.
pub fn check<'a>(ledger: &'a Ledger, llvm: &Llvm) -> Result<Vec<Checked<'a>>, LlvmError> {
    let armed = ledger.without_silence();
    let judge = Judge::new(llvm, &armed);
    let version = judge.version();
    let signs: Vec<(&Entry, &Sign)> = ledger.signs().collect();
    let tested = signs.iter().any(|(_, sign)| sign.status(&version) != Status::Untested);

    // A ledger that loaded has witnesses that parse.
    let cases: Vec<(usize, Case)> = signs
        .iter()
        .enumerate()
        .flat_map(|(place, (_, sign))| sign.cases().unwrap_or_default().into_iter().map(move |case| (place, case)))
        .collect();
    let judged = judge_cases(&judge, &cases.iter().map(|(_, case)| case).collect::<Vec<_>>())?;

    let mut witnesses: BTreeMap<usize, Vec<Witness>> = BTreeMap::new();
    for ((place, case), judged) in cases.into_iter().zip(judged) {
        let (entry, sign) = signs[place];
        let witness = match judged {
            Some(judged) if sign.kind == SignKind::Reassembly => {
                look_at_printed(entry, sign, &armed, llvm, &case, &judged)?
            }
            None => Witness {
                seen: format!("LLVM {version} does not know {}", case.target.cpu()),
                case: case.to_string(),
                shown: Shown::NotThere,
            },
            Some(judged) => look(entry, sign, case, &judged),
        };
        witnesses.entry(place).or_default().push(witness);
    }
    for (place, witness) in look_at_texts(&signs, &armed, llvm)? {
        witnesses.entry(place).or_default().push(witness);
    }
    let checked = signs.into_iter().enumerate().map(|(place, (entry, sign))| {
        let witnesses = witnesses.remove(&place).unwrap_or_default();
        let status = sign.status(&version);
        let stale = staleness(sign, status, tested, &witnesses);
        Checked { entry, sign, status, witnesses, stale }
    });
    Ok(checked.collect())
}

/// Judges cases in as few batches as there are targets and ways to pad; `None` where LLVM lacks the processor.
///
/// # Errors
/// If LLVM cannot be run.
pub fn judge_cases(judge: &Judge<'_>, cases: &[&Case]) -> Result<Vec<Option<Judged>>, LlvmError> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        let same = |batch: &&mut Vec<usize>| {
            batch
                .first()
                .is_some_and(|first| cases[*first].target == case.target && cases[*first].padded == case.padded)
        };
        match batches.iter_mut().find(same) {
            Some(batch) => batch.push(place),
            None => batches.push(vec![place]),
        }
    }
    let mut all: Vec<Option<Judged>> = Vec::new();
    all.resize_with(cases.len(), || None);
    for batch in batches {
        let Some(first) = batch.first().map(|place| cases[*place]) else { continue };
        let windows: Vec<_> = batch.iter().map(|place| cases[*place].window).collect();
        match (Judge { padded: first.padded, ..*judge }).judge(first.target, &windows) {
            Ok(judged) => batch.iter().zip(judged).for_each(|(place, judged)| all[*place] = Some(judged)),
            Err(LlvmError::UnknownCpu { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// What a case expects of our decoder and does not get.
#[must_use]
pub fn broken_expectations(case: &Case, ours: &Ours) -> Vec<String> {
    let answer = || match ours {
        Ok(decoded) => format!("`{}`", asm::print(case.target, &decoded.instruction)),
        Err(undefined) => format!("undefined ({}: {undefined})", undefined.id()),
    };
    let mut broken = Vec::new();
    for expectation in &case.expectations {
        let is_met = match (expectation, ours) {
            (Expectation::Text(text), Ok(decoded)) => *text == asm::print(case.target, &decoded.instruction),
            (Expectation::Size(size), Ok(decoded)) => *size == decoded.size,
            (Expectation::Undefined(id), Err(undefined)) => id.as_ref().is_none_or(|id| id == undefined.id()),
            (Expectation::Rules(rules), Ok(decoded)) => {
                let mut wanted = rules.clone();
                wanted.sort_unstable();
                wanted.dedup();
                wanted == decoded.notes.iter().collect::<Vec<_>>()
            }
            (Expectation::Agree | Expectation::Known(_), _) => true,
            _ => false,
        };
        if !is_met {
            let got = match (expectation, ours) {
                (Expectation::Size(_), Ok(decoded)) => format!("{} bytes", decoded.size),
                (Expectation::Rules(_), Ok(decoded)) => {
                    match decoded.notes.iter().map(|rule| rule.id()).collect::<Vec<_>>() {
                        ids if ids.is_empty() => "no rule".to_owned(),
                        ids => format!("rule {}", ids.join(", ")),
                    }
                }
                _ => answer(),
            };
            broken.push(format!("expected `{expectation}`, our decoder says {got}"));
        }
    }
    broken
}

/// Whether the case, as it was judged, shows what the sign says.
fn look(entry: &Entry, sign: &Sign, case: Case, judged: &Judged) -> Witness {
    let ours = &judged.ours;
    let mut seen = broken_expectations(&case, ours);
    let core_holds = seen.is_empty();
    let comparison = compare(case.target, &case.window, ours, &judged.pair);
    let findings = &comparison.findings;
    let window = as_read(&case.window, case.padded);
    let speaks = Applicable::of_sign(case.target, entry, sign).matching(&window).next().is_some();
    let shows = match sign.kind {
        SignKind::Document => findings.is_empty() || !case.expectations.contains(&Expectation::Agree),
        SignKind::Permissive | SignKind::Refused => {
            let noted = |rule| ours.as_ref().is_ok_and(|decoded| decoded.notes.contains(rule));
            let accepted = sign.kind == SignKind::Permissive;
            speaks && judged.llvm_accepts == accepted && sign.rule.is_some_and(noted)
        }
        _ => speaks && findings.iter().any(|finding| sign.explains(finding, ours, &comparison)),
    };
    if !speaks && sign.kind != SignKind::Document {
        seen.push(NO_PREDICATE.to_owned());
    }
    if findings.is_empty() {
        seen.push(format!("no finding, LLVM {}", comparison.theirs.name()));
    }
    seen.extend(findings.iter().map(ToString::to_string));
    let shown = if core_holds && shows { Shown::Yes } else { Shown::No };
    Witness { case: case.to_string(), shown, seen: seen.join("; ") }
}

/// What is said of a witness that its own sign does not speak of.
const NO_PREDICATE: &str = "the predicate does not hold";

/// Whether LLVM's assembler makes of the text that was printed for the word what the sign says.
fn look_at_printed(
    entry: &Entry,
    sign: &Sign,
    armed: &Ledger,
    llvm: &Llvm,
    case: &Case,
    judged: &Judged,
) -> Result<Witness, LlvmError> {
    let witness = |shown, seen| Witness { case: case.to_string(), shown, seen };
    let (Ok(decoded), Some(text)) = (&judged.ours, judged.pair.mc.text()) else {
        return Ok(witness(Shown::No, "no text to assemble".to_owned()));
    };
    let printed = Printed { window: case.window, instruction: &decoded.instruction, text };
    let found = TextJudge::new(llvm, armed).reassemble(case.target, &[printed])?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    let speaks = Applicable::of_sign(case.target, entry, sign).matching_text(&case.window, Some(text)).next().is_some();
    let shows = |one: &Explained| one.entry.as_ref() == Some(&entry.id) && sign.fields.contains(&one.finding.field);
    let shown = if speaks && found.iter().any(shows) { Shown::Yes } else { Shown::No };
    let seen: Vec<String> = found.iter().map(|one| one.finding.to_string()).collect();
    Ok(witness(shown, seen.join("; ")))
}

/// The witnesses of the signs about assembling, with the places of their signs.
fn look_at_texts(signs: &[(&Entry, &Sign)], armed: &Ledger, llvm: &Llvm) -> Result<Vec<(usize, Witness)>, LlvmError> {
    let judge = TextJudge::new(llvm, armed);
    let mut by_target: BTreeMap<usize, Vec<(usize, TextCase)>> = BTreeMap::new();
    for (place, (_, sign)) in signs.iter().enumerate() {
        for case in sign.text_cases().unwrap_or_default() {
            by_target.entry(case.target.place()).or_default().push((place, case));
        }
    }
    let mut seen = Vec::new();
    for cases in by_target.into_values() {
        let Some(target) = cases.first().map(|(_, case)| case.target) else { continue };
        let texts: Vec<&str> = cases.iter().map(|(_, case)| case.text.as_str()).collect();
        let judged = match judge.judge(target, &texts) {
            Ok(judged) => judged,
            Err(LlvmError::UnknownCpu { .. }) => {
                let what = format!("LLVM {} does not know {}", llvm.version, target.cpu());
                seen.extend(cases.iter().map(|(place, case)| {
                    (*place, Witness { case: case.to_string(), shown: Shown::NotThere, seen: what.clone() })
                }));
                continue;
            }
            Err(error) => return Err(error),
        };
        for ((place, case), judged) in cases.into_iter().zip(judged) {
            let (entry, sign) = signs[place];
            seen.push((place, look_at_text(entry, sign, &case, &judged)));
        }
    }
    Ok(seen)
}

/// Whether the text, as it was judged, shows what the sign says.
fn look_at_text(entry: &Entry, sign: &Sign, case: &TextCase, judged: &JudgedText) -> Witness {
    let own = Applicable::of_sign(case.target, entry, sign);
    let speaks = judged.window.is_some_and(|window| own.matching_text(&window, Some(&judged.text)).next().is_some());
    let shows = |one: &Explained| {
        let explains = assembling::explains(sign, &one.finding, &judged.ours, &judged.theirs);
        one.entry.as_ref() == Some(&entry.id) && explains
    };
    let mut seen: Vec<String> = judged.findings.iter().map(|one| one.finding.to_string()).collect();
    if !speaks {
        seen.push(NO_PREDICATE.to_owned());
    }
    if judged.findings.is_empty() {
        seen.push(format!("no finding: {}", judged.outcome));
    }
    let shown = if speaks && judged.findings.iter().any(shows) { Shown::Yes } else { Shown::No };
    Witness { case: case.to_string(), shown, seen: seen.join("; ") }
}

fn staleness(sign: &Sign, status: Status, tested: bool, witnesses: &[Witness]) -> Vec<String> {
    let is_document = sign.kind == SignKind::Document;
    let wrong = match status {
        Status::Fires => Some(Shown::No),
        Status::Silent => Some(Shown::Yes),
        Status::Untested if is_document && tested => Some(Shown::No),
        Status::Untested => None,
    };
    let verb = match (is_document, status) {
        (true, _) => "does not hold",
        (false, Status::Silent) => "shows it again",
        (false, _) => "no longer shows it",
    };
    let mut stale: Vec<String> = witnesses
        .iter()
        .filter(|witness| Some(witness.shown) == wrong)
        .map(|witness| format!("witness `{}` {verb}: {}", witness.case, witness.seen))
        .collect();
    if status == Status::Fires && !witnesses.is_empty() && witnesses.iter().all(|w| w.shown == Shown::NotThere) {
        stale.push("the version is listed under `fires`, but it knows none of the witnesses' processors".to_owned());
    }
    stale
}
