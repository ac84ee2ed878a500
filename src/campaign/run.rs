//! A campaign: batches in, verdicts counted, new findings out.

use std::time::Instant;

use super::expand::Expander;
use super::input::Input;
use super::minimise::minimise;
use super::stats::Stats;
use crate::codec::Window;
use crate::compare::Finding;
use crate::isa::Target;
use crate::judge::{Judge, Judged, Outcome};
use crate::oracle::llvm::LlvmError;

/// Batches judged under one roof.
#[derive(Debug)]
pub struct Campaign<'a> {
    judge: Judge<'a>,
    expander: Expander<'a>,
    stats: Stats,
    started: Instant,
}

/// What came of one batch.
#[derive(Debug)]
pub struct Judgement {
    /// The target.
    pub target: Target,
    /// All windows of the batch.
    pub windows: Vec<Window>,
    /// The windows with something new, as they came.
    pub new: Vec<Judged>,
}

impl<'a> Campaign<'a> {
    /// A campaign that has judged nothing yet.
    #[must_use]
    pub fn new(judge: Judge<'a>) -> Self {
        Self { judge, expander: Expander::new(judge), stats: Stats::default(), started: Instant::now() }
    }

    /// The numbers so far.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The numbers so far, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.stats.summary(self.started.elapsed().as_secs_f64()).to_string()
    }

    /// Judges the windows of a fuzz input.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn judge_input(&mut self, input: &Input) -> Result<Judgement, LlvmError> {
        let windows = input.windows(&mut self.expander);
        self.judge_batch(input.target, &windows)
    }

    /// Judges `count` windows of the target, drawn from a seed.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn judge_seed(&mut self, target: Target, seed: u64, count: usize) -> Result<Judgement, LlvmError> {
        let windows = self.expander.batch(target, seed, count);
        self.judge_batch(target, &windows)
    }

    /// Judges windows of one target.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn judge_batch(&mut self, target: Target, windows: &[Window]) -> Result<Judgement, LlvmError> {
        let mut new = Vec::new();
        for judged in self.judge.judge(target, windows)? {
            self.stats.add(target, &judged);
            if judged.outcome == Outcome::New {
                new.push(judged);
            }
        }
        Ok(Judgement { target, windows: windows.to_vec(), new })
    }

    /// The first new finding of a batch, minimised.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn smallest(&self, judgement: &Judgement) -> Result<Option<(Judged, Finding)>, LlvmError> {
        let Some(first) = judgement.new.first() else { return Ok(None) };
        let Some(finding) = first.new_findings().next() else { return Ok(None) };
        let small = minimise(&self.judge, judgement.target, first.window, finding)?;
        let same = small.new_findings().find(|new| (new.kind, &new.field) == (finding.kind, &finding.field)).cloned();
        Ok(Some(match same {
            Some(finding) => (small, finding),
            None => (first.clone(), finding.clone()),
        }))
    }
}
