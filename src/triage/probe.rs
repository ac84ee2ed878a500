//! Whoever is asked about a window again: what it shows, one way.

use crate::asm;
use crate::assembling::{JudgedText, Printed, TextJudge};
use crate::codec::{Decoded, Window, decode};
use crate::compare::{Kind, Ours, as_read};
use crate::isa::Target;
use crate::judge::{Explained, Judge, Judged};
use crate::ledger::Ledger;
use crate::oracle::llvm::{Answer as Said, Assembled, Llvm, LlvmError};
use crate::sweep::record::Direction;

/// A way to ask: the two sides of a sweep.
pub trait Probe: Sync {
    /// What each of these windows of the target shows this way; nothing where the target is not known.
    ///
    /// # Errors
    /// If a tool cannot be run.
    fn ask(&self, target: Target, way: Way, windows: &[Window]) -> Result<Vec<Answer>, LlvmError>;
}

/// How a window is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Way {
    /// Which way.
    pub direction: Direction,
    /// Whether fixed padding follows the window.
    pub padded: bool,
}

/// What a window shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The differences.
    pub shown: Vec<Shown>,
    /// Our answer as a whole; of two LLVMs, the first one's.
    pub ours: String,
    /// Theirs.
    pub theirs: String,
    /// The text that was assembled.
    pub text: Option<String>,
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What kind.
    pub kind: Kind,
    /// The field.
    pub field: String,
    /// Our value; of two LLVMs, the first one's.
    pub ours: String,
    /// Theirs.
    pub theirs: String,
    /// The ledger entry that explains it.
    pub entry: Option<String>,
}

impl From<&Explained> for Shown {
    fn from(one: &Explained) -> Self {
        let finding = one.finding.clone();
        let entry = one.entry.clone();
        Self { kind: finding.kind, field: finding.field, ours: finding.ours, theirs: finding.theirs, entry }
    }
}

/// Us against one LLVM.
#[derive(Clone, Copy, Debug)]
pub struct OursProbe<'a> {
    judge: Judge<'a>,
    texts: TextJudge<'a>,
}

impl<'a> OursProbe<'a> {
    /// Us against this LLVM, with this ledger.
    #[must_use]
    pub fn new(llvm: &'a Llvm, ledger: &'a Ledger) -> Self {
        Self { judge: Judge::new(llvm, ledger), texts: TextJudge::new(llvm, ledger) }
    }

    fn decoded(&self, target: Target, padded: bool, windows: &[Window]) -> Result<Vec<Judged>, LlvmError> {
        Judge { padded, ..self.judge }.judge(target, windows)
    }

    fn assembled(&self, target: Target, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let texts: Vec<Option<String>> = windows.iter().map(|window| text_of(target, window)).collect();
        let known: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        let mut judged = self.texts.judge(target, &known)?.into_iter();
        let one = |text: Option<String>| match text.and_then(|_| judged.next()) {
            Some(judged) => Answer {
                shown: judged.findings.iter().map(Shown::from).collect(),
                ours: assembled_by_us(&judged),
                theirs: assembled_by_llvm(&judged.theirs),
                text: Some(judged.text),
            },
            None => Answer::default(),
        };
        Ok(texts.into_iter().map(one).collect())
    }

    /// Of the words that are legal to us and that both sides decode alike.
    fn reassembled(&self, target: Target, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let judged = self.decoded(target, true, windows)?;
        let mut printed: Vec<(usize, Printed<'_>)> = Vec::new();
        for (place, judged) in judged.iter().enumerate() {
            if let (Said::Text { text, .. }, Ok(decoded)) = (&judged.pair.mc, &judged.ours)
                && decoded.notes.is_legal()
                && judged.findings.is_empty()
            {
                printed.push((place, Printed { window: judged.window, instruction: &decoded.instruction, text }));
            }
        }
        let again: Vec<Printed<'_>> = printed.iter().map(|(_, printed)| printed.clone()).collect();
        let mut answers = vec![Answer::default(); windows.len()];
        for ((place, printed), found) in printed.iter().zip(self.texts.reassemble(target, &again)?) {
            let shown: Vec<Shown> = found.iter().map(Shown::from).collect();
            let theirs = shown.first().map_or("the same word".to_owned(), |shown| shown.theirs.clone());
            let (ours, text) = (printed.window.to_string(), Some(printed.text.to_owned()));
            answers[*place] = Answer { shown, ours, theirs, text };
        }
        Ok(answers)
    }
}

impl Probe for OursProbe<'_> {
    fn ask(&self, target: Target, way: Way, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let answers = match way.direction {
            Direction::Decode => self.decoded(target, way.padded, windows).map(|judged| {
                let one = |judged: Judged| Answer {
                    shown: judged.findings.iter().map(Shown::from).collect(),
                    ours: decoded_by_us(target, &judged.ours),
                    theirs: decoded_by_llvm(&judged.pair.mc),
                    text: None,
                };
                judged.into_iter().map(one).collect()
            }),
            Direction::Assemble => self.assembled(target, windows),
            Direction::Reassemble => self.reassembled(target, windows),
        };
        match answers {
            Err(LlvmError::UnknownCpu { .. }) => Ok(vec![Answer::default(); windows.len()]),
            answers => answers,
        }
    }
}

/// The text that we print for a window.
#[must_use]
pub fn text_of(target: Target, window: &Window) -> Option<String> {
    let Decoded { instruction, .. } = decode(target, &as_read(window, true)).ok()?;
    Some(asm::print(target, &instruction))
}

/// What our decoder says, in words.
#[must_use]
pub fn decoded_by_us(target: Target, ours: &Ours) -> String {
    match ours {
        Err(undefined) => format!("undefined ({})", undefined.id()),
        Ok(decoded) => {
            let text = asm::print(target, &decoded.instruction);
            let notes: Vec<_> = decoded.notes.iter().map(|rule| rule.id()).collect();
            if notes.is_empty() { text } else { format!("{text}  ({})", notes.join(", ")) }
        }
    }
}

/// What a disassembler said, in words.
#[must_use]
pub fn decoded_by_llvm(said: &Said) -> String {
    match said {
        Said::Text { text, .. } | Said::Annotated { text, .. } => text.clone(),
        Said::Invalid => "rejects the encoding".to_owned(),
        Said::Dead(death) => format!("dies ({death})"),
    }
}

fn assembled_by_us(judged: &JudgedText) -> String {
    match &judged.ours {
        Ok(assembled) => assembled.window.to_string(),
        Err(error) => format!("refuses: {error}"),
    }
}

/// What an assembler said, in words.
#[must_use]
pub fn assembled_by_llvm(said: &Assembled) -> String {
    match said {
        Assembled::Bytes { bytes, .. } => {
            said.window().map_or_else(|| format!("{} bytes", bytes.len()), |window| window.to_string())
        }
        Assembled::Unresolved { text } => format!("{text}, with a symbol"),
        Assembled::Refused { message, .. } => format!("refuses: {message}"),
        Assembled::Dead(death) => format!("dies ({death})"),
        Assembled::NotAsked(reason) => format!("not asked: {reason}"),
    }
}
