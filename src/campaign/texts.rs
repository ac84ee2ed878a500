//! A campaign of the other direction: words are drawn, printed, and assembled again by both sides.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use super::expand::Expander;
use super::input::Input;
use super::minimise::shrink;
use super::stats::{PerTarget, count_entries, counts};
use crate::asm;
use crate::assembling::{JudgedText, Printed, TextJudge, TextOutcome};
use crate::codec::{Decoded, Instruction, Window, decode};
use crate::compare::Finding;
use crate::isa::Target;
use crate::judge::{Explained, Judge};
use crate::oracle::llvm::{Answer, LlvmError};

/// How an instruction becomes a text: this crate's printer, or another one of the same kind.
pub type Printer<'a> = &'a (dyn Fn(Target, &Instruction) -> String + Sync);

/// Batches of texts judged under one roof.
pub struct TextCampaign<'a> {
    judge: TextJudge<'a>,
    disassembler: Judge<'a>,
    printer: Printer<'a>,
    expander: Expander<'a>,
    stats: TextStats,
    started: Instant,
}

impl fmt::Debug for TextCampaign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextCampaign").field("judge", &self.judge).field("stats", &self.stats).finish_non_exhaustive()
    }
}

/// One line with something new.
#[derive(Clone, Debug)]
pub struct NewText {
    /// The word that was printed.
    pub window: Window,
    /// The text.
    pub text: String,
    /// What was seen of it; `None` where LLVM's own text was assembled again.
    pub judged: Option<JudgedText>,
    /// The findings that the ledger lacks; at least one.
    pub findings: Vec<Finding>,
}

/// What came of one batch.
#[derive(Debug)]
pub struct TextJudgement {
    /// The target.
    pub target: Target,
    /// The lines with something new, as they came.
    pub new: Vec<NewText>,
}

/// What has been judged so far.
#[derive(Clone, Debug, Default)]
pub struct TextStats {
    /// Texts put to LLVM's assembler, its own included.
    pub lines: u64,
    /// Of those, texts that LLVM's disassembler printed in another way than we do.
    pub reassembled: u64,
    /// By outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Findings by ledger id.
    pub by_entry: BTreeMap<String, u64>,
    by_target: PerTarget,
}

impl<'a> TextCampaign<'a> {
    /// A campaign that has judged nothing yet. `disassembler` prints the words whose LLVM texts are assembled again.
    #[must_use]
    pub fn new(judge: TextJudge<'a>, disassembler: Judge<'a>) -> Self {
        Self {
            judge,
            disassembler,
            printer: &asm::print,
            expander: Expander::new(disassembler),
            stats: TextStats::default(),
            started: Instant::now(),
        }
    }

    /// This campaign with another printer.
    #[must_use]
    pub fn with_printer(mut self, printer: Printer<'a>) -> Self {
        self.printer = printer;
        self
    }

    /// The numbers so far.
    #[must_use]
    pub fn stats(&self) -> &TextStats {
        &self.stats
    }

    /// The numbers so far, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.stats.summary(self.started.elapsed().as_secs_f64())
    }

    /// Judges the words of a fuzz input.
    ///
    /// # Errors
    /// As [`TextJudge::judge`].
    pub fn judge_input(&mut self, input: &Input) -> Result<TextJudgement, LlvmError> {
        let windows = input.windows(&mut self.expander);
        self.judge_batch(input.target, &windows)
    }

    /// Judges `count` words of the target, drawn from a seed.
    ///
    /// # Errors
    /// As [`TextJudge::judge`].
    pub fn judge_seed(&mut self, target: Target, seed: u64, count: usize) -> Result<TextJudgement, LlvmError> {
        let windows = self.expander.batch(target, seed, count);
        self.judge_batch(target, &windows)
    }

    /// Judges the texts of words of one target; words that are no instruction have none.
    ///
    /// # Errors
    /// As [`TextJudge::judge`].
    pub fn judge_batch(&mut self, target: Target, windows: &[Window]) -> Result<TextJudgement, LlvmError> {
        let words: Vec<(Window, Decoded)> =
            windows.iter().filter_map(|window| Some((*window, decode(target, window).ok()?))).collect();
        let mut new = Vec::new();
        let judged = self.judge_words(target, &words)?;
        self.stats.lines += judged.len() as u64;
        self.stats.by_target.add(target, judged.len() as u64);
        for ((window, _), judged) in words.iter().zip(judged) {
            self.stats.count(outcome_name(judged.outcome), &judged.findings);
            let findings: Vec<Finding> = judged.new_findings().cloned().collect();
            if !findings.is_empty() {
                new.push(NewText { window: *window, text: judged.text.clone(), judged: Some(judged), findings });
            }
        }
        new.extend(self.reassemble(target, &words)?);
        Ok(TextJudgement { target, new })
    }

    fn judge_words(&self, target: Target, words: &[(Window, Decoded)]) -> Result<Vec<JudgedText>, LlvmError> {
        let texts: Vec<String> =
            words.iter().map(|(_, decoded)| (self.printer)(target, &decoded.instruction)).collect();
        self.judge.judge(target, &texts)
    }

    /// LLVM against itself: the texts that its disassembler prints for legal words, assembled by it. Where it prints
    /// what we print the text has been judged already.
    fn reassemble(&mut self, target: Target, words: &[(Window, Decoded)]) -> Result<Vec<NewText>, LlvmError> {
        let legal: Vec<&(Window, Decoded)> = words.iter().filter(|(_, decoded)| decoded.notes.is_legal()).collect();
        let windows: Vec<Window> = legal.iter().map(|(window, _)| *window).collect();
        let judged = self.disassembler.judge(target, &windows)?;
        let mut printed = Vec::new();
        for ((window, decoded), judged) in legal.iter().zip(&judged) {
            let Answer::Text { text, .. } = &judged.pair.mc else { continue };
            // What the two disassemble differently is the other campaign's business.
            if judged.findings.is_empty() && *text != asm::print(target, &decoded.instruction) {
                printed.push(Printed { window: *window, instruction: &decoded.instruction, text });
            }
        }
        if printed.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.judge.reassemble(target, &printed)?;
        self.stats.lines += printed.len() as u64;
        self.stats.reassembled += printed.len() as u64;
        let mut new = Vec::new();
        for (one, explained) in printed.iter().zip(found) {
            let is_new = explained.iter().any(|one| one.entry.is_none());
            let outcome = if is_new { "new" } else { "reassembled" };
            self.stats.count(if explained.is_empty() || is_new { outcome } else { "known" }, &explained);
            let findings: Vec<Finding> =
                explained.into_iter().filter(|one| one.entry.is_none()).map(|one| one.finding).collect();
            if !findings.is_empty() {
                new.push(NewText { window: one.window, text: one.text.to_owned(), judged: None, findings });
            }
        }
        Ok(new)
    }

    /// The first new finding of a batch, with every field of the word plain that it does not need.
    ///
    /// # Errors
    /// As [`TextJudge::judge`].
    pub fn smallest(&self, judgement: &TextJudgement) -> Result<Option<(NewText, Finding)>, LlvmError> {
        let target = judgement.target;
        let Some(first) = judgement.new.first() else { return Ok(None) };
        let Some(finding) = first.findings.first() else { return Ok(None) };
        if first.judged.is_none() {
            return Ok(Some((first.clone(), finding.clone())));
        }
        let key = (finding.kind, finding.field.as_str());
        let same =
            |judged: &JudgedText| judged.new_findings().find(|new| (new.kind, new.field.as_str()) == key).cloned();
        let small = shrink(target, first.window, finding.kind, |windows| {
            let words: Vec<Option<(Window, Decoded)>> =
                windows.iter().map(|window| Some((*window, decode(target, window).ok()?))).collect();
            let known: Vec<(Window, Decoded)> = words.iter().flatten().copied().collect();
            let mut judged = self.judge_words(target, &known)?.into_iter();
            let shown =
                words.iter().map(|word| word.is_some() && judged.next().is_some_and(|one| same(&one).is_some()));
            Ok::<_, LlvmError>(shown.collect())
        })?;
        let Ok(decoded) = decode(target, &small) else { return Ok(Some((first.clone(), finding.clone()))) };
        let judged = self.judge_words(target, &[(small, decoded)])?.swap_remove(0);
        Ok(Some(match same(&judged) {
            Some(found) => {
                let findings = judged.new_findings().cloned().collect();
                (NewText { window: small, text: judged.text.clone(), judged: Some(judged), findings }, found)
            }
            None => (first.clone(), finding.clone()),
        }))
    }
}

fn outcome_name(outcome: TextOutcome) -> &'static str {
    match outcome {
        TextOutcome::Agreed => "agreed",
        TextOutcome::BothRefuse => "both refuse",
        TextOutcome::Noted => "noted",
        TextOutcome::Known => "known",
        TextOutcome::New => "new",
        TextOutcome::NotAsked(_) => "not asked",
    }
}

impl TextStats {
    fn count(&mut self, outcome: &'static str, findings: &[Explained]) {
        *self.outcomes.entry(outcome).or_default() += 1;
        count_entries(&mut self.by_entry, findings);
    }

    /// How many lines came out so.
    #[must_use]
    pub fn outcome(&self, name: &str) -> u64 {
        self.outcomes.get(name).copied().unwrap_or(0)
    }

    /// The numbers of so many seconds of work, in one line.
    #[must_use]
    pub fn summary(&self, seconds: f64) -> String {
        let mut text = format!("lines {}", self.lines);
        for name in ["agreed", "both refuse", "noted", "reassembled", "not asked", "known", "new"] {
            text.push_str(&format!(", {name} {}", self.outcome(name)));
            if name == "known" {
                text.push_str(&counts(&self.by_entry));
            }
        }
        text.push_str(&self.by_target.least());
        text + &format!(", {:.0} lines/s", self.lines as f64 / seconds.max(0.001))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_came_of_the_lines() {
        let mut stats = TextStats { lines: 4, ..TextStats::default() };
        let known = |id: &str| {
            let finding = Finding {
                kind: crate::compare::Kind::Assembling,
                field: "text".to_owned(),
                ours: String::new(),
                theirs: String::new(),
            };
            Explained { finding, entry: Some(id.to_owned()) }
        };
        stats.count("agreed", &[]);
        stats.count("known", &[known("b")]);
        stats.count("known", &[known("b"), known("a")]);
        stats.count("both refuse", &[]);
        assert_eq!(
            stats.summary(2.0),
            "lines 4, agreed 1, both refuse 1, noted 0, reassembled 0, not asked 0, known 2 [b 2, a 1], new 0, 2 lines/s"
        );
    }
}
