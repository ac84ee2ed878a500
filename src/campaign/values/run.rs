//! A campaign of values: batches in, differences out.

use std::time::Instant;

use super::diagnose::{Difference, diagnose};
use super::generate::{Generator, inputs};
use super::input::Input;
use super::judge::{Subject, ValueFinding, ValueJudge, ours};
use super::minimise::minimise;
use super::stats::ValueStats;
use super::{Case, generate};
use crate::campaign::Draw;
use crate::codec::{Window, decode};
use crate::exec::registers::consistent;
use crate::isa::Target;
use crate::question::{Inputs, Readings};
use crate::report::value_finding::value_json_line;

/// Batches judged under one roof.
#[derive(Debug)]
pub struct ValueCampaign {
    generator: Generator,
    judge: ValueJudge,
    stats: ValueStats,
    started: Instant,
}

impl Default for ValueCampaign {
    fn default() -> Self {
        Self::new(ours)
    }
}

impl ValueCampaign {
    /// A campaign that has judged nothing yet.
    #[must_use]
    pub fn new(subject: Subject) -> Self {
        Self {
            generator: Generator::new(),
            judge: ValueJudge::new(subject),
            stats: ValueStats::default(),
            started: Instant::now(),
        }
    }

    /// The numbers so far.
    #[must_use]
    pub fn stats(&self) -> &ValueStats {
        &self.stats
    }

    /// The numbers so far, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.stats.summary(self.started.elapsed().as_secs_f64())
    }

    /// Judges the cases of a fuzz input; what differs.
    pub fn judge_input(&mut self, input: &Input) -> Vec<ValueFinding> {
        let cases = input.cases(&self.generator);
        self.judge_batch(&cases)
    }

    /// Judges `count` cases drawn from a seed; what differs.
    pub fn judge_seed(&mut self, seed: u64, count: usize) -> Vec<ValueFinding> {
        let cases = self.generator.batch(seed, count);
        self.judge_batch(&cases)
    }

    /// Judges cases; what differs.
    pub fn judge_batch(&mut self, cases: &[Case]) -> Vec<ValueFinding> {
        let mut findings = Vec::new();
        for case in cases {
            let judged = self.judge.judge(case, self.stats.is_thorough());
            self.stats.add(case, &judged);
            findings.extend(judged.finding);
        }
        findings
    }

    /// Executes the windows that are elementwise instructions, legal or not, with operands, MODE and readings drawn
    /// from the seed; what differs.
    pub fn judge_windows(&mut self, target: Target, windows: &[Window], seed: u64) -> Vec<ValueFinding> {
        let mut draw = Draw::new(seed);
        let defaults = Readings::of(target);
        let mut cases = Vec::with_capacity(windows.len());
        for window in windows {
            let Ok(decoded) = decode(target, window) else { continue };
            let instruction = decoded.instruction;
            if instruction.opcode.operation.is_none() {
                continue;
            }
            let mode = generate::mode(&mut draw).on(target);
            let readings = self.generator.readings(&mut draw, instruction.opcode.operation, defaults);
            let mut case = Case { target, instruction, inputs: Inputs::default(), mode, readings };
            case.inputs = consistent(target, &instruction, inputs(&mut draw, &case));
            cases.push(case);
        }
        self.judge_batch(&cases)
    }

    /// The finding as it came, as a line of JSON.
    pub fn json_line(&mut self, finding: &ValueFinding) -> String {
        value_json_line(finding, &diagnose(&mut self.judge, finding))
    }

    /// The finding minimised, and the step at which the answers part.
    pub fn smallest(&mut self, finding: &ValueFinding) -> (ValueFinding, Difference) {
        let small = minimise(&mut self.judge, finding);
        let difference = diagnose(&mut self.judge, &small);
        (small, difference)
    }
}
