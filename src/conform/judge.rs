//! What the tests say, held against ours, and against the LLVM at hand.
//!
//! | the test | ours | |
//! |---|---|---|
//! | assembles | the same bytes | agrees |
//! | refuses | refuses, or notes an illegal or reserved value | agrees |
//! | prints | reads as the same instruction, and encodes to the same bytes again | agrees |
//! | prints with an `/*Invalid …*/` | undefined, or notes an illegal or reserved value | agrees |
//! | rejects | undefined, or notes anything, ignored bits included | agrees |
//!
//! Whatever else there is stands in the ledger, or is new. A ledger entry speaks by the versions it lists where the LLVM
//! at hand says what the test says. Elsewhere the test's LLVM is one that nobody names, and every entry may explain.

use std::fmt;

use super::{Case, Encoding, Expect, WhyNot};
use crate::asm::{self, Assembled};
use crate::assembling;
use crate::codec::{Style, Window, decode, encode};
use crate::compare;
use crate::isa::Target;
use crate::judge::{self, Explained, Judge};
use crate::ledger::{Applicable, Ledger, Sign};
use crate::oracle::llvm::{Answer, Assembled as Theirs, Cpu, Llvm, LlvmError, Options, Pair};

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is what the test says.
    Agrees,
    /// The test refuses, and so do we: there is no such target.
    AgreesWithout(WhyNot),
    /// Every difference is in the ledger.
    Known(Vec<Explained>),
    /// The test's target is none of ours, and the ledger says why LLVM has it: the id of the entry.
    KnownWithout(WhyNot, String),
    /// A difference that the ledger lacks.
    New(Vec<Explained>),
    /// We have no such target, so that nothing can be said.
    Skipped(WhyNot),
}

impl Verdict {
    /// The differences.
    #[must_use]
    pub fn findings(&self) -> &[Explained] {
        match self {
            Self::Known(findings) | Self::New(findings) => findings,
            _ => &[],
        }
    }

    /// The ledger entries that explain differences, each once, in the order of their ids.
    #[must_use]
    pub fn entries(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = match self {
            Self::KnownWithout(_, id) => vec![id],
            _ => self.findings().iter().filter_map(|one| one.entry.as_deref()).collect(),
        };
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn of(findings: Vec<Explained>) -> Self {
        match findings.as_slice() {
            [] => Self::Agrees,
            _ if findings.iter().all(|one| one.entry.is_some()) => Self::Known(findings),
            _ => Self::New(findings),
        }
    }
}

/// What the LLVM at hand says of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtHand {
    /// It was not asked: there is none, it does not know the processor, or the text cannot be put to it.
    NotAsked,
    /// What the test says.
    Same,
    /// Something else.
    Differs(String),
}

/// A case, judged.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The case.
    pub case: &'a Case,
    /// Our answer, in words.
    pub ours: String,
    /// How it came out.
    pub verdict: Verdict,
    /// And the LLVM at hand.
    pub at_hand: AtHand,
}

/// What the test expects, in words.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assembles { bytes: None, .. } => f.write_str("assembles"),
            Self::Assembles { bytes: Some(bytes), .. } => write!(f, "assembles to {bytes}"),
            Self::Refuses { message: None, .. } => f.write_str("refuses"),
            Self::Refuses { message: Some(message), .. } => write!(f, "refuses: {message}"),
            Self::Prints { text, again: None, .. } => write!(f, "prints {text}"),
            Self::Prints { text, again: Some(again), .. } => write!(f, "prints {text}, encodes it to {again} again"),
            Self::Rejects { .. } => f.write_str("rejects"),
        }
    }
}

impl Expect {
    /// The text that is assembled.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Assembles { text, .. } | Self::Refuses { text, .. } => Some(text),
            Self::Prints { .. } | Self::Rejects { .. } => None,
        }
    }

    /// The bytes that are decoded.
    #[must_use]
    pub fn window(&self) -> Option<&Window> {
        match self {
            Self::Prints { bytes, .. } | Self::Rejects { bytes } => Some(bytes),
            Self::Assembles { .. } | Self::Refuses { .. } => None,
        }
    }

    /// Whether LLVM refuses.
    #[must_use]
    pub const fn refuses(&self) -> bool {
        matches!(self, Self::Refuses { .. } | Self::Rejects { .. })
    }
}

/// Judges cases, in their order; `progress` is told how many are done.
///
/// # Errors
/// If the LLVM at hand cannot be run. That it does not know a processor is no error.
pub fn judge<'a>(
    cases: &'a [Case],
    ledger: &Ledger,
    llvm: Option<&Llvm>,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Judged<'a>>, LlvmError> {
    let mut all: Vec<Option<Judged<'a>>> = Vec::new();
    all.resize_with(cases.len(), || None);
    let mut done = 0;
    let mut by_target: Vec<(Target, Vec<usize>)> = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        match &case.target {
            Err(why) => {
                all[place] = Some(without_target(case, why, ledger));
                done += 1;
            }
            Ok(target) => match by_target.iter_mut().find(|(known, _)| known == target) {
                Some((_, places)) => places.push(place),
                None => by_target.push((*target, vec![place])),
            },
        }
    }
    progress(done);
    for (target, places) in by_target {
        let group: Vec<&'a Case> = places.iter().map(|place| &cases[*place]).collect();
        let at_hand = match llvm {
            Some(llvm) => ask(llvm, ledger, target, &group)?,
            None => vec![AtHand::NotAsked; group.len()],
        };
        let version = llvm.map(|llvm| llvm.version.to_string()).unwrap_or_default();
        let [named, unnamed] = [version.as_str(), ""].map(|version| Entries::new(ledger, target, version));
        for ((place, case), at_hand) in places.iter().zip(group).zip(at_hand) {
            let entries = if at_hand == AtHand::Same { &named } else { &unnamed };
            let (ours, verdict) = one(target, &case.expect, entries);
            all[*place] = Some(Judged { case, ours, verdict, at_hand });
        }
        done += places.len();
        progress(done);
    }
    Ok(all.into_iter().flatten().collect())
}

/// The ledger entries of one target.
struct Entries<'a> {
    of_words: Applicable<'a>,
    of_texts: Applicable<'a>,
}

impl<'a> Entries<'a> {
    fn new(ledger: &'a Ledger, target: Target, version: &str) -> Self {
        Self { of_words: ledger.on(target, version), of_texts: ledger.on_assembling(target, version) }
    }
}

fn without_target<'a>(case: &'a Case, why: &WhyNot, ledger: &Ledger) -> Judged<'a> {
    let is_refused = matches!(why, WhyNot::NoVop3p | WhyNot::Wave(_));
    let verdict = match entry_without(case, why, ledger) {
        _ if case.expect.refuses() && is_refused => Verdict::AgreesWithout(why.clone()),
        Some(id) => Verdict::KnownWithout(why.clone(), id),
        None => Verdict::Skipped(why.clone()),
    };
    Judged { case, ours: format!("no target: {why}"), verdict, at_hand: AtHand::NotAsked }
}

/// The ledger entry that says that LLVM takes this wave size where AMD has none.
fn entry_without(case: &Case, why: &WhyNot, ledger: &Ledger) -> Option<String> {
    let (WhyNot::Wave(wave), Ok(target)) = (why, case.cpu.parse::<Target>()) else { return None };
    let is_it = |sign: &Sign| sign.wave == Some(*wave) && sign.may_hold_on(target);
    ledger.signs().find(|(_, sign)| is_it(sign)).map(|(entry, _)| entry.id.clone())
}

/// Our answer in words, and the verdict.
fn one(target: Target, expect: &Expect, entries: &Entries<'_>) -> (String, Verdict) {
    match expect {
        Expect::Assembles { text, bytes, printed } => {
            let ours = asm::assemble(target, text, Style::Llvm);
            let said = shown(&ours);
            let again = printed.as_deref().zip(ours.as_ref().ok().map(|assembled| assembled.window));
            let mut findings = match bytes {
                None if ours.is_ok() => Vec::new(),
                // How it goes on is not stated, so that there is nothing to hold a ledger entry against.
                Some(bytes) if bytes.all().is_none() && is_as_stated(bytes, &ours) => Vec::new(),
                _ => {
                    let bytes = bytes.as_ref().and_then(|bytes| stated(bytes, &ours)).unwrap_or_default();
                    let theirs = Theirs::Bytes { bytes, text: printed.clone().unwrap_or_default() };
                    assembling::judge_answers(target, text, ours, theirs, &entries.of_texts).findings
                }
            };
            // How LLVM prints what it read; where the bytes differ that is another difference already.
            if let (Some((printed, window)), true) = (again, findings.is_empty()) {
                findings = words(target, &window, decode(target, &window), printed, entries);
            }
            (said, Verdict::of(findings))
        }
        Expect::Refuses { text, message } => {
            let ours = asm::assemble(target, text, Style::Llvm);
            let said = shown(&ours);
            let theirs = Theirs::Refused { message: message.clone().unwrap_or_default(), column: 1 };
            let judged = assembling::judge_answers(target, text, ours, theirs, &entries.of_texts);
            (said, Verdict::of(judged.findings))
        }
        Expect::Prints { bytes, text, again } => {
            let ours = decode(target, bytes);
            let mut findings = words(target, bytes, ours, text, entries);
            // What it could not read as an instruction it encodes to anything.
            if let (Ok(decoded), Some(again), false) = (&ours, again, is_annotated(text))
                && let Ok(window) = encode(target, &decoded.instruction)
            {
                let ours = Ok(Assembled { instruction: decoded.instruction, window, notes: decoded.notes });
                let theirs = Theirs::Bytes { bytes: again.bytes_beside(&window), text: text.clone() };
                findings.extend(assembling::judge_answers(target, text, ours, theirs, &entries.of_texts).findings);
            }
            (decoded_shown(target, &ours), Verdict::of(findings))
        }
        Expect::Rejects { bytes } => {
            let ours = decode(target, bytes);
            let said = decoded_shown(target, &ours);
            if ours.as_ref().map_or(true, |decoded| !decoded.notes.is_empty()) {
                return (said, Verdict::Agrees);
            }
            let pair = Pair { mc: Answer::Invalid, objdump: Answer::Invalid };
            let judged = judge::judge_answers(target, *bytes, ours, pair, &entries.of_words, &decode, false);
            (said, Verdict::of(judged.findings))
        }
    }
}

/// Whether our bytes are as the test states them.
fn is_as_stated(stated: &Encoding, ours: &assembling::Ours) -> bool {
    ours.as_ref().is_ok_and(|ours| stated.holds(ours.window.bytes()))
}

/// The bytes that a test states; without ours, only if it states all.
fn stated(stated: &Encoding, ours: &assembling::Ours) -> Option<Vec<u8>> {
    match ours {
        Ok(ours) => Some(stated.bytes_beside(&ours.window)),
        Err(_) => stated.all(),
    }
}

/// The differences between our reading of a word and the text that LLVM prints for it.
fn words(target: Target, window: &Window, ours: compare::Ours, text: &str, entries: &Entries<'_>) -> Vec<Explained> {
    let (text, bytes) = (text.to_owned(), u8::try_from(window.byte_len()).ok());
    let answer = if is_annotated(&text) { Answer::Annotated { text, bytes } } else { Answer::Text { text, bytes } };
    let pair = Pair { mc: answer.clone(), objdump: answer };
    judge::judge_answers(target, *window, ours, pair, &entries.of_words, &decode, false).findings
}

/// Whether LLVM says in the text that an operand is none: `1.0/*Invalid immediate*/`.
fn is_annotated(text: &str) -> bool {
    text.contains("/*")
}

fn noted(notes: crate::isa::Notes) -> String {
    let ids: Vec<&str> = notes.iter().map(|rule| rule.id()).collect();
    if ids.is_empty() { String::new() } else { format!(" (noted: {})", ids.join(", ")) }
}

fn shown(ours: &assembling::Ours) -> String {
    match ours {
        Ok(assembled) => format!("assembles to {}{}", assembled.window, noted(assembled.notes)),
        Err(error) => format!("refuses: {error}"),
    }
}

fn decoded_shown(target: Target, ours: &compare::Ours) -> String {
    match ours {
        Ok(decoded) => {
            format!("prints {}{}", asm::print(target, &decoded.instruction), noted(decoded.notes))
        }
        Err(undefined) => format!("undefined: {} ({undefined})", undefined.id()),
    }
}

/// What the LLVM at hand says of the cases of one target.
fn ask(llvm: &Llvm, ledger: &Ledger, target: Target, cases: &[&Case]) -> Result<Vec<AtHand>, LlvmError> {
    let texts: Vec<&str> = cases.iter().filter_map(|case| case.expect.text()).collect();
    let windows: Vec<Window> = cases.iter().filter_map(|case| case.expect.window().copied()).collect();
    let asked = || -> Result<_, LlvmError> {
        let assembled = if texts.is_empty() {
            Vec::new()
        } else {
            let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
            llvm.assemble(cpu, &texts, &Options { batch: 0x4000, ..Options::default() })?.lines
        };
        let disassembled =
            if windows.is_empty() { Vec::new() } else { Judge::new(llvm, ledger).judge(target, &windows)? };
        Ok((assembled, disassembled))
    };
    let (assembled, disassembled) = match asked() {
        Ok(answers) => answers,
        Err(LlvmError::UnknownCpu { .. }) => return Ok(vec![AtHand::NotAsked; cases.len()]),
        Err(error) => return Err(error),
    };
    let (mut assembled, mut disassembled) = (assembled.into_iter(), disassembled.into_iter());
    let at_hand = cases.iter().map(|case| {
        let answer = match case.expect.window() {
            None => assembled.next().map(|theirs| assembled_at_hand(&case.expect, &theirs)),
            Some(_) => disassembled.next().map(|judged| disassembled_at_hand(target, &case.expect, &judged.pair.mc)),
        };
        answer.unwrap_or(AtHand::NotAsked)
    });
    Ok(at_hand.collect())
}

fn same_or(is_same: bool, said: impl FnOnce() -> String) -> AtHand {
    if is_same { AtHand::Same } else { AtHand::Differs(said()) }
}

fn assembled_at_hand(expect: &Expect, theirs: &Theirs) -> AtHand {
    let said = || match theirs {
        Theirs::Bytes { bytes, .. } => match theirs.window() {
            Some(window) => format!("assembles to {window}"),
            None => format!("assembles to {} bytes", bytes.len()),
        },
        Theirs::Unresolved { text } => format!("assembles with a symbol: {text}"),
        Theirs::Refused { message, .. } => format!("refuses: {message}"),
        Theirs::Dead(death) => format!("dies: {death}"),
        Theirs::NotAsked(why) => why.to_string(),
    };
    match (expect, theirs) {
        (_, Theirs::NotAsked(_)) => AtHand::NotAsked,
        (Expect::Assembles { bytes, .. }, Theirs::Bytes { bytes: bytes_at_hand, .. }) => {
            same_or(bytes.as_ref().is_none_or(|stated| stated.holds(bytes_at_hand.iter().copied())), said)
        }
        (Expect::Refuses { .. }, Theirs::Refused { .. }) => AtHand::Same,
        _ => AtHand::Differs(said()),
    }
}

fn disassembled_at_hand(target: Target, expect: &Expect, answer: &Answer) -> AtHand {
    let said = || match answer {
        Answer::Text { text, .. } => format!("prints {text}"),
        Answer::Annotated { text, .. } => format!("annotates {text}"),
        Answer::Invalid => "rejects".to_owned(),
        Answer::Dead(death) => format!("dies: {death}"),
    };
    match (expect, answer) {
        (Expect::Prints { text, .. }, Answer::Text { text: other, .. } | Answer::Annotated { text: other, .. }) => {
            same_or(is_same_text(target, text, other), said)
        }
        (Expect::Rejects { .. }, Answer::Invalid | Answer::Annotated { .. }) => AtHand::Same,
        _ => AtHand::Differs(said()),
    }
}

/// Whether two printed texts are the same instruction, or the same words.
fn is_same_text(target: Target, one: &str, other: &str) -> bool {
    match (asm::read(target, one), asm::read(target, other)) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), Err(_)) => one.split_whitespace().eq(other.split_whitespace()),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
