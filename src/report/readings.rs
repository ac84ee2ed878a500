//! The numeric questions, their answers, and who supports which of what targets.

use serde::Serialize;

use crate::isa::{PROCESSORS, Target, edits};
use crate::question::{QUESTIONS, Reading};
use crate::question::{QuestionRow, ReadingRow, Support};

/// Reads `mixlo=single`.
///
/// # Errors
/// Says what is wrong, and which questions or answers there are.
pub fn parse(text: &str) -> Result<Reading, String> {
    let Some((id, name)) = text.trim().split_once('=') else {
        return Err(format!(
            "`{text}`: a reading is `QUESTION=ANSWER`, as `mixlo=single`; `vop3p readings` lists them"
        ));
    };
    let row = question(id)?;
    Reading::named(id, name).ok_or_else(|| format!("`{name}` is no answer to `{id}`: {}", names(row).join(", ")))
}

/// The question of this id.
///
/// # Errors
/// Says which id is near.
pub fn question(id: &str) -> Result<&'static QuestionRow, String> {
    if let Some(row) = QUESTIONS.iter().find(|row| row.id == id) {
        return Ok(row);
    }
    let near = QUESTIONS.iter().map(|row| row.id).min_by_key(|known| edits(id, known)).unwrap_or_default();
    Err(format!("`{id}` is no numeric question; did you mean `{near}`? (`vop3p readings` lists them)"))
}

fn names(row: &QuestionRow) -> Vec<&'static str> {
    row.readings.iter().map(|reading| reading.name).collect()
}

/// A question, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionView {
    /// Its id.
    pub question: &'static str,
    /// What is asked.
    pub asks: &'static str,
    /// The answers.
    pub readings: Vec<ReadingView>,
}

/// An answer, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingView {
    /// Its name.
    pub reading: &'static str,
    /// What it says.
    pub says: &'static str,
    /// The targets where it is taken if nothing else is asked for.
    pub default_on: Vec<&'static str>,
    /// How it is known, and where; each target is in at most one.
    pub support: Vec<SupportView>,
}

/// How an answer is known on some targets, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupportView {
    /// How.
    pub provenance: &'static str,
    /// The source.
    pub source: &'static str,
    /// The targets.
    pub targets: Vec<&'static str>,
}

impl QuestionView {
    /// Of a question, on one target or on all: what no source says there is left out.
    #[must_use]
    pub fn of(row: &'static QuestionRow, target: Option<Target>) -> Self {
        let on = |reading| ReadingView::of(row, reading, target);
        let readings = row.readings.iter().map(on).filter(|reading| !reading.support.is_empty()).collect();
        Self { question: row.id, asks: row.asks, readings }
    }
}

impl ReadingView {
    fn of(question: &'static QuestionRow, row: &'static ReadingRow, target: Option<Target>) -> Self {
        let targets: Vec<Target> = match target {
            Some(target) => vec![target],
            None => Target::all().collect(),
        };
        let names = |is_one: &dyn Fn(Target) -> bool| -> Vec<&'static str> {
            targets.iter().filter(|target| is_one(**target)).map(|target| target.cpu()).collect()
        };
        let is_default = |target: Target| {
            let (reading, support) = question.default_on(target);
            reading.reading == row.reading && support.is_some()
        };
        let support = |support: &'static Support| SupportView {
            provenance: support.provenance.name(),
            source: support.source,
            targets: names(&|target| row.support_on(target).is_some_and(|found| std::ptr::eq(found, support))),
        };
        let support = row.support.iter().map(support).filter(|support| !support.targets.is_empty()).collect();
        Self { reading: row.name, says: row.says, default_on: names(&is_default), support }
    }
}

/// Whether a processor, by its place, is among these names.
#[must_use]
pub fn is_among(names: &[&str], place: usize) -> bool {
    names.contains(&PROCESSORS[place].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_named_by_question_and_answer() {
        assert_eq!(parse("mixlo=single"), Ok(Reading::MixSingle));
        assert_eq!(parse("mixlo=triple"), Err("`triple` is no answer to `mixlo`: double, single".to_owned()));
        let near = "`mixlow` is no numeric question; did you mean `mixlo`? (`vop3p readings` lists them)";
        assert_eq!(parse("mixlow=single"), Err(near.to_owned()));
        assert!(parse("single").unwrap_err().starts_with("`single`: a reading is `QUESTION=ANSWER`"));
    }

    #[test]
    fn each_target_is_in_one_row_of_an_answer() {
        // LLVM: FeatureMadMixInsts on gfx900, 902, 909 and 90c; the others fuse, CDNA by its manuals.
        let fusion = QuestionView::of(question("mix-fusion").unwrap(), None);
        let unfused = &fusion.readings[1];
        assert_eq!(unfused.default_on, ["gfx900", "gfx902", "gfx909", "gfx90c"]);
        let all: Vec<&str> = fusion.readings[0].support.iter().flat_map(|one| one.targets.clone()).collect();
        assert_eq!(all.len(), PROCESSORS.len() - 4);
        let on_one = QuestionView::of(question("mix-fusion").unwrap(), "gfx1100".parse().ok());
        assert_eq!((on_one.readings.len(), on_one.readings[0].default_on.as_slice()), (1, &["gfx1100"][..]));
    }
}
