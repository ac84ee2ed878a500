//! From windows to verdicts: our decoder, LLVM's tools, the comparison and the ledger, a batch at a time.

use crate::codec::{Window, decode};
use crate::compare::{Comparison, Finding, Kind, Ours, as_read, compare};
use crate::isa::{Notes, Rule, State, Target};
pub use crate::ledger::RESYNC;
use crate::ledger::{Applicable, Ledger, Match, Status, entries_of, named};
use crate::oracle::llvm::{Cpu, Hint, Llvm, LlvmError, Options, Pair};

/// What is held against LLVM: this crate's decoder, or another one of the same kind.
pub type Subject<'a> = &'a (dyn Fn(Target, &Window) -> Ours + Sync);

/// Judges windows against one LLVM and one ledger.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The tools.
    pub llvm: &'a Llvm,
    /// The known disagreements.
    pub ledger: &'a Ledger,
    /// The decoder.
    pub subject: Subject<'a>,
    /// How the tools are run.
    pub options: Options,
    /// Whether fixed padding follows each window.
    pub padded: bool,
}

/// How a window came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No finding, and our decoder has nothing to note.
    Agreed,
    /// No finding, but our decoder notes a rule.
    Noted,
    /// Every finding is in the ledger.
    Known,
    /// A finding that the ledger lacks.
    New,
}

/// A finding, and the cause that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The finding.
    pub finding: Finding,
    /// Id of the ledger entry; `None` for something new.
    pub entry: Option<String>,
}

/// One window, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The window.
    pub window: Window,
    /// Our answer.
    pub ours: Ours,
    /// The tools' answers.
    pub pair: Pair,
    /// Whether both sides accepted it and were compared field by field.
    pub by_field: bool,
    /// Whether LLVM accepted it without a remark.
    pub llvm_accepts: bool,
    /// The differences.
    pub findings: Vec<Explained>,
    /// The ledger entries that speak of the window, each once.
    pub matching: Vec<String>,
    /// The sum.
    pub outcome: Outcome,
}

impl Judged {
    /// The findings that the ledger lacks.
    pub fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|explained| explained.entry.is_none()).map(|explained| &explained.finding)
    }
}

impl std::fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge").field("llvm", self.llvm).field("padded", &self.padded).finish_non_exhaustive()
    }
}

impl<'a> Judge<'a> {
    /// A judge of this crate's decoder, with padding and the usual options.
    #[must_use]
    pub fn new(llvm: &'a Llvm, ledger: &'a Ledger) -> Self {
        Self { llvm, ledger, subject: &decode, options: Options::default(), padded: true }
    }

    /// The version of LLVM, as the ledger writes it.
    #[must_use]
    pub fn version(&self) -> String {
        self.llvm.version.to_string()
    }

    /// Judges windows of one target.
    ///
    /// # Errors
    /// If the tools cannot be run, or do not know the processor.
    pub fn judge(&self, target: Target, windows: &[Window]) -> Result<Vec<Judged>, LlvmError> {
        let entries = self.ledger.on(target, &self.version());
        let answers: Vec<Ours> =
            windows.iter().map(|window| (self.subject)(target, &as_read(window, self.padded))).collect();
        let read = |window| as_read(window, self.padded);
        let hints: Vec<Hint> =
            windows.iter().zip(&answers).map(|(window, ours)| hint(&entries, &read(window), ours)).collect();
        let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
        let options = Options { padded: self.padded, ..self.options };
        let pairs = self.llvm.disassemble(cpu, windows, &hints, &options)?.pairs;
        let judged = windows.iter().zip(answers).zip(pairs);
        let one = |((window, ours), pair): ((&Window, Ours), Pair)| {
            judge_answers(target, *window, ours, pair, &entries, self.subject, self.padded)
        };
        Ok(judged.map(one).collect())
    }
}

/// Our answer about a window beside theirs, whoever gave that, with the ledger entries that explain the differences.
/// `subject` is the decoder that gave ours, and `padded` whether padding follows the window.
#[must_use]
pub fn judge_answers(
    target: Target,
    window: Window,
    ours: Ours,
    pair: Pair,
    entries: &Applicable<'_>,
    subject: Subject<'_>,
    padded: bool,
) -> Judged {
    let comparison = compare(target, &window, &ours, &pair);
    let Comparison { findings, by_field, theirs } = &comparison;
    let matching: Vec<Match<'_>> = entries.matching(&as_read(&window, padded)).collect();
    let mut explained: Vec<Explained> = findings
        .iter()
        .map(|finding| {
            let speaks = |m: &&Match<'_>| m.status != Status::Silent && m.sign.explains(finding, &ours, &comparison);
            let entry = named(matching.iter().filter(speaks));
            let entry = match (finding.kind, entry) {
                (Kind::Resync, _) => Some(RESYNC.to_owned()),
                (_, entry) => entry.map(|m| m.entry.id.clone()),
            };
            Explained { finding: finding.clone(), entry }
        })
        .collect();
    for m in &matching {
        let fired = findings.iter().any(|finding| m.sign.explains(finding, &ours, &comparison));
        let after = || subject(target, &as_read(&m.plain(target, &window), padded));
        // LLVM refused the word for another reason that is known, and never came to this one.
        let refused = matching.iter().any(|other| !std::ptr::eq(other.sign, m.sign) && other.sign.refuses(theirs));
        let is_silent = m.status == Status::Fires && !fired && !refused;
        if m.sign.lacks_note(&ours) || (is_silent && m.sign.is_missed(&ours, &comparison, after)) {
            explained.push(Explained { finding: silent(m.name(), &ours, theirs.name()), entry: None });
        }
    }
    for rule in unexplained_notes(&ours, &matching) {
        explained.push(Explained { finding: unexplained(rule, theirs.name()), entry: None });
    }
    let noted = ours.as_ref().is_ok_and(|decoded| !decoded.notes.is_empty());
    let outcome = if explained.iter().any(|e| e.entry.is_none()) {
        Outcome::New
    } else if !explained.is_empty() {
        Outcome::Known
    } else if noted {
        Outcome::Noted
    } else {
        Outcome::Agreed
    };
    Judged {
        window,
        ours,
        by_field: *by_field,
        llvm_accepts: matches!(theirs, crate::compare::Theirs::Accepts(_)),
        pair,
        findings: explained,
        matching: entries_of(&matching),
        outcome,
    }
}

fn hint(entries: &Applicable<'_>, window: &Window, ours: &Ours) -> Hint {
    if entries.is_deadly(window) {
        Hint::Deadly
    } else if ours.as_ref().is_ok_and(|decoded| decoded.notes.is_legal()) {
        Hint::Valid
    } else {
        Hint::Unsure
    }
}

/// The illegal and reserved rules that our decoder notes although no sign, by the raw bits, says that they are met. A
/// note switches the comparison off where LLVM refuses the word, so a wrong one must not go unseen.
fn unexplained_notes(ours: &Ours, matching: &[Match<'_>]) -> Vec<Rule> {
    let notes = ours.as_ref().map_or(Notes::NONE, |decoded| decoded.notes);
    if notes.is_legal() {
        return Vec::new();
    }
    let is_met = |rule: Rule| matching.iter().any(|m| m.sign.rule == Some(rule));
    notes.iter().filter(|rule| rule.row().state != State::Ignored && !is_met(*rule)).collect()
}

fn unexplained(rule: Rule, theirs: &str) -> Finding {
    Finding {
        kind: Kind::NoteUnexplained,
        field: rule.id().to_owned(),
        ours: "noted".to_owned(),
        theirs: theirs.to_owned(),
    }
}

fn silent(name: String, ours: &Ours, theirs: &str) -> Finding {
    let ours = match ours {
        Ok(decoded) if decoded.notes.is_legal() => "legal".to_owned(),
        Ok(_) => "noted".to_owned(),
        Err(undefined) => format!("undefined ({})", undefined.id()),
    };
    Finding { kind: Kind::LedgerSilent, field: name, ours, theirs: theirs.to_owned() }
}
