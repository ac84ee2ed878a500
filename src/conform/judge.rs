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

use super::{Case, Expect, WhyNot};
use crate::asm::{self, Assembled};
use crate::assembling;
use crate::codec::{Style, Window, decode, encode};
use crate::compare;
use crate::isa::Target;
use crate::judge::{self, Explained, Judge};
use crate::ledger::{Applicable, Entry, Ledger};
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
    let is_it = |entry: &&Entry| entry.wave == Some(*wave) && entry.may_hold_on(target);
    ledger.entries().iter().find(is_it).map(|entry| entry.id.clone())
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
                _ => {
                    let bytes = bytes.iter().flat_map(Window::bytes).collect();
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
                let theirs = Theirs::Bytes { bytes: again.bytes().collect(), text: text.clone() };
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
        (Expect::Assembles { bytes, .. }, Theirs::Bytes { .. }) => {
            same_or(bytes.is_none_or(|bytes| Some(bytes) == theirs.window()), said)
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
mod tests {
    use super::*;
    use crate::ledger::Ledger;
    use crate::oracle::llvm::Death;

    fn assembles(text: &str, bytes: Option<&str>, printed: Option<&str>) -> Expect {
        let bytes = bytes.map(|bytes| bytes.parse().unwrap());
        Expect::Assembles { text: text.to_owned(), bytes, printed: printed.map(str::to_owned) }
    }

    fn refuses(text: &str) -> Expect {
        Expect::Refuses { text: text.to_owned(), message: None }
    }

    fn prints(window: &str, text: &str, again: Option<&str>) -> Expect {
        let again = again.map(|window| window.parse().unwrap());
        Expect::Prints { bytes: window.parse().unwrap(), text: text.to_owned(), again }
    }

    fn rejects(window: &str) -> Expect {
        Expect::Rejects { bytes: window.parse().unwrap() }
    }

    /// `agrees`, `new`, or the ids of the entries.
    fn verdict(ledger: &Ledger, cpu: &str, expect: &Expect, version: &str) -> String {
        let target = cpu.parse().unwrap();
        let (_, verdict) = one(target, expect, &Entries::new(ledger, target, version));
        match &verdict {
            Verdict::Agrees => "agrees".to_owned(),
            Verdict::New(_) => "new".to_owned(),
            known => known.entries().join(", "),
        }
    }

    #[test]
    fn every_row_of_the_table() {
        let ledger = Ledger::builtin().unwrap();
        let plain = "v_pk_add_f16 v7, v8, v9";
        for (cpu, expect, expected) in [
            ("gfx1100", assembles(plain, Some("cc0f4007 18021308"), Some(plain)), "agrees"),
            ("gfx1100", assembles(plain, None, None), "agrees"),
            ("gfx1100", assembles(plain, Some("cc0f4007 18021508"), None), "new"),
            ("gfx1100", assembles(plain, Some("cc0f4007 18021308"), Some("v_pk_add_f16 v7, v8, v10")), "new"),
            ("gfx1100", assembles(plain, None, Some("v_pk_add_f16 v7, v8, v10")), "new"),
            ("gfx900", assembles("v_pk_add_f16 v7, s8, s9", None, None), "new"),
            ("gfx900", assembles("no instruction", None, None), "new"),
            (
                "gfx1100",
                assembles("v_dot4_i32_iu8 v7, v8, v9, v10 neg_hi:[1,0,0]", Some("cc164107 1c2a1308"), None),
                "asm-iu-neg",
            ),
            ("gfx1100", refuses("v_pk_add_f16 v7, v8"), "agrees"),
            ("gfx900", refuses("v_pk_add_f16 v7, s8, s9"), "agrees"),
            ("gfx1100", refuses(plain), "new"),
            // CBSZ is reserved there, which is noted.
            ("gfx908", refuses("v_mfma_f32_32x32x2bf16 a[0:31], v0, v1, a[0:31] cbsz:6"), "agrees"),
            ("gfx908", refuses("v_mfma_f32_32x32x1f32 a[0:31], v0, v1, 0"), "asm-mfma-constant-c-cdna1"),
            ("gfx1100", prints("cc0f4007 18021308", plain, None), "agrees"),
            ("gfx1100", prints("cc0f4007 18021308", "v_pk_add_f16 v7, v8, v10", None), "new"),
            // OP_SEL_HI of source 2, which is not there: LLVM writes 1.
            ("gfx1100", prints("cc0f0007 18021308", plain, Some("cc0f4007 18021308")), "agrees"),
            ("gfx1100", prints("cc0f0007 18021308", plain, Some("cc0f0007 18021308")), "new"),
            // The instruction is shorter than what was read.
            ("gfx1100", prints("cc0f4007 18021308 00000000", plain, None), "new"),
            ("gfx1100", prints("cc0f4007 18021308", "v_pk_add_f16 v7, 1/*Invalid immediate*/, v9", None), "new"),
            (
                "gfx1200",
                prints(
                    "cc404010 1c4210f2",
                    "v_wmma_f32_16x16x16_f16 v[16:23], 1.0/*Invalid immediate*/, v[8:11], v[16:23]",
                    Some("cc404010 1c421000"),
                ),
                "agrees",
            ),
            (
                "gfx1250",
                prints("cc350000 04028120", "v_wmma_ld_scale_paired_b32 v32, v64", None),
                "cdna5-lone-scale-word",
            ),
            ("gfx1100", rejects("cc0f4007 18021308"), "new"),
            ("gfx1100", rejects("cc0f40e0 180204d1"), "agrees"),
            // An ignored bit is noted.
            ("gfx1100", rejects("cc0f60e0 180207e0"), "agrees"),
        ] {
            assert_eq!(verdict(&ledger, cpu, &expect, "22.1.8"), expected, "{cpu} {expect:?}");
        }
        let target = "gfx900".parse().unwrap();
        let (ours, verdict) = one(target, &assembles("v_pk_mov v7", None, None), &Entries::new(&ledger, target, ""));
        let finding = &verdict.findings()[0].finding;
        assert_eq!((finding.ours.as_str(), finding.theirs.as_str()), (ours.as_str(), "assembles"));
    }

    #[test]
    fn what_there_is_no_target_for() {
        let judged_by = |ledger: &Ledger, cpu: &str, target: WhyNot, expect: Expect| {
            let case = Case {
                file: "t.s".to_owned(),
                line: 1,
                cpu: cpu.to_owned(),
                features: super::super::Features::default(),
                target: Err(target),
                expect,
            };
            judge(&[case], ledger, None, |_| {}).unwrap()[0].verdict.clone()
        };
        let judged = |cpu: &str, target, expect| judged_by(&Ledger::default(), cpu, target, expect);
        let text = "v_pk_add_f16 v7, v8, v9";
        assert_eq!(judged("tonga", WhyNot::NoVop3p, refuses(text)), Verdict::AgreesWithout(WhyNot::NoVop3p));
        let wave = WhyNot::Wave(64);
        assert_eq!(judged("gfx1250", wave.clone(), rejects("cc0f4007 18021308")), Verdict::AgreesWithout(wave.clone()));
        assert_eq!(judged("gfx1250", wave.clone(), assembles(text, None, None)), Verdict::Skipped(wave.clone()));
        let builtin = Ledger::builtin().unwrap();
        let known = judged_by(&builtin, "gfx1250", wave.clone(), assembles(text, None, None));
        assert_eq!(known, Verdict::KnownWithout(wave.clone(), "cdna5-wave64".to_owned()));
        assert_eq!(known.entries(), ["cdna5-wave64"]);
        let refused = judged_by(&builtin, "gfx1250", wave.clone(), rejects("cc0f4007 18021308"));
        assert_eq!(refused, Verdict::AgreesWithout(wave));
        assert_eq!(judged("gfx9999", WhyNot::Unknown, refuses(text)), Verdict::Skipped(WhyNot::Unknown));
    }

    #[test]
    fn an_entry_that_is_silent_explains_only_tests_of_an_llvm_that_is_not_named() {
        let dir = tempfile::tempdir().unwrap();
        let entry = "[[entry]]\nid = 'old'\nkind = 'assembling'\nours = 'legal'\ntheirs = 'rejects'\ntitle = 't'\n\
                     verdict = 'llvm-wrong'\nreason = 'r'\ncitations = ['c']\nfires = ['19.1.7']\nsilent = ['22.1.8']\n\
                     witnesses = ['gfx1100 asm: v_pk_add_f16 v7, v8, v9']\n[[entry.when]]\nopcodes = ['V_PK_ADD_F16']\n";
        std::fs::write(dir.path().join("old.toml"), entry).unwrap();
        let mut ledger = Ledger::default();
        ledger.add_dir(dir.path()).unwrap();
        let text = "v_pk_add_f16 v7, v8, v9";
        for (version, expected) in [("", "old"), ("19.1.7", "old"), ("22.1.8", "new")] {
            assert_eq!(verdict(&ledger, "gfx1100", &refuses(text), version), expected, "{version}");
        }
        // One that fires is missed where there is no difference.
        for (version, expected) in [("", "agrees"), ("19.1.7", "new")] {
            let expect = assembles(text, Some("cc0f4007 18021308"), None);
            assert_eq!(verdict(&ledger, "gfx1100", &expect, version), expected, "{version}");
        }
    }

    #[test]
    fn the_llvm_at_hand_beside_the_test() {
        let text = "v_pk_add_f16 v7, v8, v9";
        let taken = Theirs::Bytes { bytes: vec![7, 0x40, 0x0f, 0xcc, 8, 0x13, 2, 0x18], text: text.to_owned() };
        let refused = Theirs::Refused { message: "no".to_owned(), column: 1 };
        let differs = |said: &str| AtHand::Differs(said.to_owned());
        for (expect, theirs, expected) in [
            (assembles(text, None, None), &taken, AtHand::Same),
            (assembles(text, Some("cc0f4007 18021308"), None), &taken, AtHand::Same),
            (assembles(text, Some("cc0f4007 18021508"), None), &taken, differs("assembles to cc0f4007 18021308")),
            (assembles(text, None, None), &refused, differs("refuses: no")),
            (refuses(text), &refused, AtHand::Same),
            (refuses(text), &taken, differs("assembles to cc0f4007 18021308")),
            (refuses(text), &Theirs::Dead(Death::Signal(11)), differs("dies: signal 11")),
        ] {
            assert_eq!(assembled_at_hand(&expect, theirs), expected, "{expect:?} {theirs:?}");
        }
        let shows = |text: &str| Answer::Text { text: text.to_owned(), bytes: Some(8) };
        let remark =
            Answer::Annotated { text: "v_pk_add_f16 v7, s0/*Invalid register*/, v9".to_owned(), bytes: Some(8) };
        let word = "cc0f4007 18021308";
        for (expect, answer, expected) in [
            (prints(word, text, None), shows("v_pk_add_f16  v7, v8, v9"), AtHand::Same),
            (prints(word, text, None), shows("v_pk_mul_f16 v7, v8, v9"), differs("prints v_pk_mul_f16 v7, v8, v9")),
            (prints(word, text, None), Answer::Invalid, differs("rejects")),
            (rejects(word), Answer::Invalid, AtHand::Same),
            (rejects(word), remark, AtHand::Same),
            (rejects(word), shows(text), differs("prints v_pk_add_f16 v7, v8, v9")),
        ] {
            assert_eq!(disassembled_at_hand("gfx1100".parse().unwrap(), &expect, &answer), expected, "{expect:?}");
        }
    }
}
