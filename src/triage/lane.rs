//! One target of one sweep: what is asked about it, each window once, and findings of it made small.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::class::Key;
use super::probe::{Answer, Probe, Shown, Way};
use crate::campaign::{Large, shrink_all};
use crate::codec::Window;
use crate::compare::Kind;
use crate::isa::Target;
use crate::oracle::llvm::LlvmError;

/// A question.
pub type Question = (Way, Window);

/// What is asked about one target.
pub struct Lane<'a> {
    probe: &'a dyn Probe,
    /// The target.
    pub target: Target,
    answers: HashMap<Question, Rc<Answer>>,
}

impl std::fmt::Debug for Lane<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("target", &self.target).field("answers", &self.answers.len()).finish()
    }
}

/// A difference that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One that the ledger lacks.
    New(Key),
    /// One of this kind that this entry explains.
    Known(String, Kind),
}

impl Wanted {
    /// Whether this is it.
    #[must_use]
    pub fn is(&self, shown: &Shown) -> bool {
        match self {
            Self::New(key) => key.is_new(shown),
            Self::Known(id, kind) => shown.kind == *kind && shown.entry.as_ref() == Some(id),
        }
    }

    /// The difference among those of an answer.
    #[must_use]
    pub fn find<'a>(&self, answer: &'a Answer) -> Option<&'a Shown> {
        answer.shown.iter().find(|shown| self.is(shown))
    }

    /// Whether the answer has a known difference behind which it may be: one of the kind, or LLVM's refusal of what is
    /// an instruction to us, of which nothing more can be compared.
    #[must_use]
    pub fn may_be_hidden_by(&self, answer: &Answer) -> bool {
        let refuses = |shown: &Shown| shown.kind == Kind::Acceptance && shown.theirs == "rejects";
        answer.shown.iter().any(|shown| shown.entry.is_some() && (shown.kind == self.kind() || refuses(shown)))
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::New(key) => key.kind,
            Self::Known(_, kind) => *kind,
        }
    }
}

/// A window that shows a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// How it shows it.
    pub way: Way,
    /// The window.
    pub window: Window,
    /// What it shows.
    pub wanted: Wanted,
}

impl Subject {
    /// Whether each question about it may cost a process or two: a tool dies of it, or it must stand alone.
    #[must_use]
    pub fn is_costly(&self) -> bool {
        self.wanted.kind() == Kind::Crash || !self.way.padded
    }
}

impl<'a> Lane<'a> {
    /// Nothing has been asked yet.
    #[must_use]
    pub fn new(probe: &'a dyn Probe, target: Target) -> Self {
        Self { probe, target, answers: HashMap::new() }
    }

    /// What these windows show, in order.
    ///
    /// # Errors
    /// If a tool cannot be run.
    pub fn ask(&mut self, questions: &[Question]) -> Result<Vec<Rc<Answer>>, LlvmError> {
        let mut ways: Vec<Way> = questions.iter().map(|(way, _)| *way).collect();
        ways.sort_unstable();
        ways.dedup();
        for way in ways {
            let mut once = HashSet::new();
            let open: Vec<Window> = questions
                .iter()
                .filter(|question| question.0 == way && !self.answers.contains_key(question))
                .map(|(_, window)| *window)
                .filter(|window| once.insert(*window))
                .collect();
            if open.is_empty() {
                continue;
            }
            let answers = self.probe.ask(self.target, way, &open)?;
            self.answers.extend(open.into_iter().zip(answers).map(|(window, answer)| ((way, window), Rc::new(answer))));
        }
        let nothing = Rc::new(Answer::default());
        Ok(questions.iter().map(|question| Rc::clone(self.answers.get(question).unwrap_or(&nothing))).collect())
    }

    /// Whether each of these shows what is looked for.
    ///
    /// # Errors
    /// As [`Lane::ask`].
    pub fn show(&mut self, subjects: &[Subject]) -> Result<Vec<bool>, LlvmError> {
        let questions: Vec<Question> = subjects.iter().map(|one| (one.way, one.window)).collect();
        let answers = self.ask(&questions)?;
        Ok(subjects.iter().zip(answers).map(|(one, answer)| one.wanted.find(&answer).is_some()).collect())
    }

    /// The subjects with every field plain that they do not need.
    ///
    /// # Errors
    /// As [`Lane::ask`].
    pub fn shrink(&mut self, subjects: &[Subject]) -> Result<Vec<Subject>, LlvmError> {
        let large: Vec<Large> =
            subjects.iter().map(|one| Large { window: one.window, kind: one.wanted.kind() }).collect();
        let small = shrink_all(self.target, &large, |tries| {
            let tried = |of: usize, window: Window| Subject { window, ..subjects[of].clone() };
            self.show(&tries.iter().map(|one| tried(one.of, one.window)).collect::<Vec<_>>())
        })?;
        Ok(subjects.iter().zip(small).map(|(one, window)| Subject { window, ..one.clone() }).collect())
    }
}
