//! The other direction: texts to bytes. Our assembler beside LLVM's, and LLVM's beside its own disassembler.
//!
//! | ours | LLVM | finding |
//! |---|---|---|
//! | assembles | refuses | assembling |
//! | assembles, with a reserved value | refuses | none |
//! | refuses | assembles | assembling |
//! | assembles | assembles to other bytes | encoding |
//! | any | dies | crash |
//!
//! Assembling is strict on both sides: there is no policy that lets a tool write what it may only show.

use crate::asm::{self, AssembleError, Assembled};
use crate::codec::{Instruction, Style, Undefined, Window, decode, encode, fields_of};
use crate::compare::{Finding, Kind};
use crate::isa::{Notes, Target};
use crate::judge::Explained;
use crate::ledger::{Applicable, Ledger, Match, OurAnswer, Sign, SignKind, Status, TheirAnswer, entries_of, named};
use crate::oracle::llvm::{Assembled as Theirs, Cpu, Llvm, LlvmError, NotAsked, Options};

/// What our assembler says of a text.
pub type Ours = Result<Assembled, AssembleError>;

/// What is held against LLVM: this crate's assembler, or another one of the same kind.
pub type Subject<'a> = &'a (dyn Fn(Target, &str) -> Ours + Sync);

/// Judges texts against one LLVM and one ledger.
#[derive(Clone, Copy)]
pub struct TextJudge<'a> {
    /// The tools.
    pub llvm: &'a Llvm,
    /// The known disagreements.
    pub ledger: &'a Ledger,
    /// The assembler.
    pub subject: Subject<'a>,
    /// How the tool is run.
    pub options: Options,
}

impl std::fmt::Debug for TextJudge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextJudge").field("llvm", self.llvm).finish_non_exhaustive()
    }
}

/// One text, judged.
#[derive(Clone, Debug)]
pub struct JudgedText {
    /// The text.
    pub text: String,
    /// Our answer.
    pub ours: Ours,
    /// LLVM's.
    pub theirs: Theirs,
    /// The word that the ledger looks at: LLVM's where it assembles the text, else ours; `None` if neither has one.
    pub window: Option<Window>,
    /// The differences.
    pub findings: Vec<Explained>,
    /// The ledger entries that speak of the text, each once.
    pub matching: Vec<String>,
    /// The sum.
    pub outcome: TextOutcome,
}

/// How a text came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextOutcome {
    /// Both assemble it to the same bytes.
    Agreed,
    /// Both refuse it.
    BothRefuse,
    /// No finding, but our assembler notes a reserved value.
    Noted,
    /// Every finding is in the ledger.
    Known,
    /// A finding that the ledger lacks.
    New,
    /// LLVM was not asked: the text is not one instruction whatever stands around it.
    NotAsked(NotAsked),
}

impl std::fmt::Display for TextOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Agreed => f.write_str("agreed"),
            Self::BothRefuse => f.write_str("both refuse"),
            Self::Noted => f.write_str("noted"),
            Self::Known => f.write_str("known"),
            Self::New => f.write_str("new"),
            Self::NotAsked(reason) => write!(f, "not asked: {reason}"),
        }
    }
}

impl JudgedText {
    /// The findings that the ledger lacks.
    pub fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|explained| explained.entry.is_none()).map(|explained| &explained.finding)
    }
}

/// A text that LLVM's disassembler printed for a word, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Printed<'a> {
    /// The word.
    pub window: Window,
    /// What it is to us.
    pub instruction: &'a Instruction,
    /// LLVM's text.
    pub text: &'a str,
}

impl<'a> TextJudge<'a> {
    /// A judge of this crate's assembler, with the usual options.
    #[must_use]
    pub fn new(llvm: &'a Llvm, ledger: &'a Ledger) -> Self {
        Self {
            llvm,
            ledger,
            subject: &|target, text| asm::assemble(target, text, Style::Llvm),
            options: Options { batch: 0x4000, ..Options::default() },
        }
    }

    fn version(&self) -> String {
        self.llvm.version.to_string()
    }

    /// Judges texts for one target.
    ///
    /// # Errors
    /// If the tool cannot be run, or does not know the processor.
    pub fn judge<S: AsRef<str>>(&self, target: Target, texts: &[S]) -> Result<Vec<JudgedText>, LlvmError> {
        let entries = self.ledger.on_assembling(target, &self.version());
        let answers = self.ask(target, texts)?;
        let judged = texts.iter().zip(answers).map(|(text, theirs)| {
            let text = text.as_ref();
            judge_answers(target, text, (self.subject)(target, text), theirs, &entries)
        });
        Ok(judged.collect())
    }

    fn ask<S: AsRef<str>>(&self, target: Target, texts: &[S]) -> Result<Vec<Theirs>, LlvmError> {
        let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
        Ok(self.llvm.assemble(cpu, texts, &self.options)?.lines)
    }

    /// What LLVM's assembler makes of texts that its disassembler printed: the findings, one list a text.
    ///
    /// Only of words that are legal to us: of the others LLVM's disassembler shows by policy what its assembler
    /// refuses.
    ///
    /// # Errors
    /// As [`TextJudge::judge`].
    pub fn reassemble(&self, target: Target, printed: &[Printed<'_>]) -> Result<Vec<Vec<Explained>>, LlvmError> {
        let entries = self.ledger.on_assembling(target, &self.version());
        let texts: Vec<&str> = printed.iter().map(|one| one.text).collect();
        let answers = self.ask(target, &texts)?;
        let judged = printed.iter().zip(answers).map(|(one, theirs)| {
            let found = lost(target, one, &theirs);
            let matching: Vec<Match<'_>> = entries.matching_text(&one.window, Some(one.text)).collect();
            let speaks = |m: &&Match<'_>, finding: &Finding| {
                let is_it = m.sign.kind == SignKind::Reassembly && m.sign.fields.contains(&finding.field);
                is_it && m.status != Status::Silent
            };
            let mut explained: Vec<Explained> = found
                .into_iter()
                .map(|finding| {
                    let explaining = matching.iter().filter(|m| speaks(m, &finding));
                    let entry = named(explaining).map(|m| m.entry.id.clone());
                    Explained { finding, entry }
                })
                .collect();
            let fires =
                |m: &&Match<'_>| m.sign.kind == SignKind::Reassembly && m.status == Status::Fires && !m.sign.one_sided;
            if let Some(m) = matching.iter().find(fires)
                && explained.is_empty()
            {
                let theirs = format!("assembles {}", one.text);
                let finding = finding(Kind::LedgerSilent, &m.name(), "legal".to_owned(), theirs);
                explained.push(Explained { finding, entry: None });
            }
            explained
        });
        Ok(judged.collect())
    }
}

/// Our answer about a text beside theirs, whoever gave that, with the ledger entries that explain the differences.
#[must_use]
pub fn judge_answers(target: Target, text: &str, ours: Ours, theirs: Theirs, entries: &Applicable<'_>) -> JudgedText {
    let window = theirs.window().or_else(|| our_window(target, text, &ours));
    let findings = compare(target, &ours, &theirs);
    let matching: Vec<Match<'_>> = window.iter().flat_map(|window| entries.matching_text(window, Some(text))).collect();
    let mut explained: Vec<Explained> = findings
        .iter()
        .map(|finding| {
            let speaks = |m: &&Match<'_>| m.status != Status::Silent && explains(m.sign, finding, &ours, &theirs);
            let entry = named(matching.iter().filter(speaks)).map(|m| m.entry.id.clone());
            Explained { finding: finding.clone(), entry }
        })
        .collect();
    for m in matching.iter().filter(|m| m.status == Status::Fires) {
        let fired = findings.iter().any(|finding| explains(m.sign, finding, &ours, &theirs));
        // Another reason that is known may hide this one.
        let hidden = explained.iter().any(|one| one.entry.is_some());
        if !fired && !hidden && is_missed(m.sign, &ours, &theirs) {
            explained.push(Explained { finding: silent(&m.name(), &ours, &theirs), entry: None });
        }
    }
    let outcome = outcome(&explained, &ours, &theirs);
    let matching = entries_of(&matching);
    JudgedText { text: text.to_owned(), ours, theirs, window, findings: explained, matching, outcome }
}

/// The word of a text that our assembler does not take for legal, if there is one.
fn our_window(target: Target, text: &str, ours: &Ours) -> Option<Window> {
    match ours {
        Ok(assembled) => Some(assembled.window),
        Err(_) => asm::parse(target, text).ok().and_then(|instruction| encode(target, &instruction).ok()),
    }
}

fn finding(kind: Kind, field: &str, ours: String, theirs: String) -> Finding {
    Finding { kind, field: field.to_owned(), ours, theirs }
}

fn compare(target: Target, ours: &Ours, theirs: &Theirs) -> Vec<Finding> {
    let shown = |ours: &Ours| match ours {
        Ok(assembled) => assembled.window.to_string(),
        Err(error) => format!("refuses: {error}"),
    };
    match (ours, theirs) {
        (_, Theirs::Dead(death)) => vec![finding(Kind::Crash, "text", shown(ours), format!("dies: {death}"))],
        (Ok(assembled), Theirs::Refused { message, .. }) if assembled.notes.is_legal() => {
            vec![finding(Kind::Assembling, "text", shown(ours), format!("refuses: {message}"))]
        }
        // A test may say no more than that.
        (Err(_), Theirs::Bytes { bytes, .. }) if bytes.is_empty() => {
            vec![finding(Kind::Assembling, "text", shown(ours), "assembles".to_owned())]
        }
        (Err(_), Theirs::Bytes { .. }) => {
            let theirs = theirs.window().map_or("other than 4, 8, 12 or 16 bytes".to_owned(), |w| w.to_string());
            vec![finding(Kind::Assembling, "text", shown(ours), theirs)]
        }
        // A name that LLVM does not know is left to the linker: nothing is assembled yet.
        (Err(_), Theirs::Unresolved { .. }) => Vec::new(),
        (Ok(_), Theirs::Unresolved { text }) => {
            vec![finding(Kind::Assembling, "text", shown(ours), format!("{text}, with a symbol"))]
        }
        (Ok(assembled), Theirs::Bytes { .. }) => match theirs.window() {
            Some(window) if window == assembled.window => Vec::new(),
            Some(window) => differences(target, &assembled.window, &window),
            None => vec![finding(Kind::Encoding, "size", shown(ours), "no VOP3P word".to_owned())],
        },
        (Ok(_), Theirs::Refused { .. }) | (Err(_), Theirs::Refused { .. }) | (_, Theirs::NotAsked(_)) => Vec::new(),
    }
}

/// One finding a field that differs between two encodings of a text.
fn differences(target: Target, ours: &Window, theirs: &Window) -> Vec<Finding> {
    if ours.byte_len() != theirs.byte_len() {
        return vec![finding(Kind::Encoding, "size", ours.to_string(), theirs.to_string())];
    }
    let fields = fields_of(target, ours).into_iter().filter(|field| field.get(ours) != field.get(theirs));
    let mut found: Vec<Finding> = fields
        .map(|field| {
            let show = |window| format!("{:#x} in {window}", field.get(window));
            finding(Kind::Encoding, field.name(), show(ours), show(theirs))
        })
        .collect();
    if found.is_empty() {
        found.push(finding(Kind::Encoding, "word", ours.to_string(), theirs.to_string()));
    }
    found
}

/// What was lost when LLVM assembled the text it had printed.
fn lost(target: Target, printed: &Printed<'_>, theirs: &Theirs) -> Vec<Finding> {
    let ours = printed.window.to_string();
    let again = match theirs {
        Theirs::Dead(death) => return vec![finding(Kind::Crash, "text", ours, format!("dies: {death}"))],
        Theirs::Refused { message, .. } => {
            return vec![finding(Kind::Reassembly, "text", ours, format!("refuses {}: {message}", printed.text))];
        }
        Theirs::NotAsked(_) => return Vec::new(),
        Theirs::Unresolved { .. } => return vec![finding(Kind::Reassembly, "text", ours, "a symbol".to_owned())],
        Theirs::Bytes { .. } => theirs.window(),
    };
    let Some(again) = again else {
        return vec![finding(Kind::Reassembly, "size", ours, "no VOP3P word".to_owned())];
    };
    match decode(target, &again) {
        // Other bits that change nothing are LLVM's own choice.
        Ok(decoded) if decoded.instruction == *printed.instruction => Vec::new(),
        Ok(_) | Err(Undefined::CutShort { .. }) if again.byte_len() != usize::from(size(target, &printed.window)) => {
            vec![finding(Kind::Reassembly, "size", ours, again.to_string())]
        }
        _ => differences(target, &printed.window, &again)
            .into_iter()
            .map(|found| Finding { kind: Kind::Reassembly, ..found })
            .collect(),
    }
}

fn size(target: Target, window: &Window) -> u8 {
    decode(target, window).map_or(0, |decoded| decoded.size)
}

/// Whether the sign, whose predicate holds, explains the finding.
pub(crate) fn explains(sign: &Sign, finding: &Finding, ours: &Ours, theirs: &Theirs) -> bool {
    if !sign.kind.covers(finding.kind) {
        return false;
    }
    match sign.kind {
        SignKind::Assembling => sides_hold(sign, ours, theirs),
        _ => sign.fields.contains(&finding.field),
    }
}

/// Whether both sides answered as a sign about assembling says.
fn sides_hold(sign: &Sign, ours: &Ours, theirs: &Theirs) -> bool {
    let ours_hold = match sign.ours {
        Some(OurAnswer::Legal) => ours.is_ok(),
        Some(OurAnswer::Refused) => ours.is_err(),
        Some(OurAnswer::Undefined) | None => false,
    };
    let theirs_hold = match sign.theirs {
        Some(TheirAnswer::Accepts) => matches!(theirs, Theirs::Bytes { .. }),
        Some(TheirAnswer::Rejects) => matches!(theirs, Theirs::Refused { .. }),
        Some(TheirAnswer::Annotates) | None => false,
    };
    ours_hold && theirs_hold
}

/// Whether a sign, whose predicate holds and which explained no finding, should have: LLVM does what the sign says,
/// and we do the same.
fn is_missed(sign: &Sign, ours: &Ours, theirs: &Theirs) -> bool {
    let accepts = matches!(theirs, Theirs::Bytes { .. });
    match (sign.kind, sign.ours) {
        _ if sign.one_sided => false,
        (SignKind::Assembling, Some(OurAnswer::Legal)) => ours.is_ok() && accepts,
        (SignKind::Assembling, Some(OurAnswer::Refused)) => ours.is_ok() && accepts,
        (SignKind::Encoding, _) => ours.is_ok() && accepts,
        _ => false,
    }
}

fn silent(name: &str, ours: &Ours, theirs: &Theirs) -> Finding {
    let said = |accepts: bool| if accepts { "assembles" } else { "refuses" }.to_owned();
    finding(Kind::LedgerSilent, name, said(ours.is_ok()), said(theirs.bytes().is_some()))
}

fn outcome(findings: &[Explained], ours: &Ours, theirs: &Theirs) -> TextOutcome {
    let notes = ours.as_ref().map_or(Notes::NONE, |assembled| assembled.notes);
    match theirs {
        Theirs::NotAsked(reason) => TextOutcome::NotAsked(*reason),
        _ if findings.iter().any(|explained| explained.entry.is_none()) => TextOutcome::New,
        _ if !findings.is_empty() => TextOutcome::Known,
        _ if !notes.is_legal() => TextOutcome::Noted,
        _ if ours.is_ok() => TextOutcome::Agreed,
        _ => TextOutcome::BothRefuse,
    }
}
