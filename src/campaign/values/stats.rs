//! What a campaign of values has judged so far, in numbers and in one line.

use std::fmt::Write as _;

use super::Case;
use super::diagnose::{parts, result_format};
use super::generate::Element;
use super::judge::JudgedValue;
use crate::exec;
use crate::exec::watch::{Step, Watch};
use crate::isa::Target;

/// One case in so many is looked at more closely: its class and whether it was inexact.
const SAMPLE: u64 = 16;

/// Numbers of a campaign of values.
#[derive(Clone, Debug, Default)]
pub struct ValueStats {
    /// Cases judged.
    pub cases: u64,
    /// Results judged: halves or dwords.
    pub results: u64,
    /// Cases that apfloat answered, too.
    pub apfloat: u64,
    /// Cases with a difference.
    pub new: u64,
    /// A bit for each place in `isa::PROCESSORS`.
    targets: u64,
    opcodes: Vec<&'static crate::isa::Opcode>,
    sample: Sample,
}

/// Of a sample of the results: how many are what.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    floats: u64,
    nan: u64,
    infinite: u64,
    zero: u64,
    subnormal: u64,
    inexact: u64,
}

/// Counts roundings that dropped something.
#[derive(Default)]
struct Inexact(u64);

impl Watch for Inexact {
    #[inline(always)]
    fn see(&mut self, step: impl FnOnce() -> Step) {
        let is_inexact = match step() {
            Step::Rounded { rest, .. } => rest != 0,
            Step::FlushedOutput { .. } | Step::Overflow { .. } => true,
            _ => false,
        };
        self.0 += u64::from(is_inexact);
    }
}

impl ValueStats {
    /// Whether apfloat should be asked of the next case: it is of every eighth.
    #[must_use]
    pub fn is_thorough(&self) -> bool {
        self.cases.is_multiple_of(8)
    }

    /// Counts a case.
    pub fn add(&mut self, case: &Case, judged: &JudgedValue) {
        let (_, _, count) = result_format(case);
        self.results += count as u64;
        self.apfloat += u64::from(judged.by_apfloat);
        self.new += u64::from(judged.finding.is_some());
        if self.cases.is_multiple_of(SAMPLE) {
            self.look_at(case, judged);
        }
        self.cases += 1;
    }

    fn look_at(&mut self, case: &Case, judged: &JudgedValue) {
        self.targets |= 1 << (case.target.index() % 64);
        let opcode = case.instruction.opcode;
        if !self.opcodes.iter().any(|known| std::ptr::eq(*known, opcode)) {
            self.opcodes.push(opcode);
        }
        let (Element::Float(shape), width, count) = result_format(case) else { return };
        let mut inexact = Inexact::default();
        let Case { target, instruction, inputs, mode, readings } = case;
        _ = exec::execute(*target, instruction, inputs, *mode, *readings, &mut inexact);
        let sample = &mut self.sample;
        sample.inexact += inexact.0.min(count as u64);
        for (low, _) in parts(case).into_iter().take(count) {
            let bits = (judged.ours.unwrap_or(0) >> low & (u64::MAX >> (64 - width))) as u32;
            let magnitude = bits & (shape.sign() - 1);
            sample.floats += 1;
            sample.nan += u64::from(magnitude > shape.infinity());
            sample.infinite += u64::from(magnitude == shape.infinity());
            sample.zero += u64::from(magnitude == 0);
            sample.subnormal += u64::from(magnitude != 0 && magnitude < shape.normal());
        }
    }

    /// As part of another campaign's summary: `values 4000 (results 7000, new 0)`.
    #[must_use]
    pub fn in_short(&self) -> String {
        format!("values {} (results {}, new {})", self.cases, self.results, self.new)
    }

    /// The numbers of so many seconds of work, in one line.
    #[must_use]
    pub fn summary(&self, seconds: f64) -> String {
        let Sample { floats, nan, infinite, zero, subnormal, inexact } = self.sample;
        let seconds = seconds.max(0.001);
        let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let finite = floats - nan - infinite;
        let mut text = format!("cases {}, results {}", self.cases, self.results);
        let targets = self.targets.count_ones();
        // Writing to a string cannot fail.
        _ = write!(text, ", opcodes {} on {targets} of {} targets", self.opcodes.len(), Target::all().count());
        _ = write!(text, ", of a sample of floats finite {:.1} %", percent(finite, floats));
        _ = write!(text, " (zero {:.1} %, subnormal {:.1} %", percent(zero, floats), percent(subnormal, floats));
        _ = write!(text, ", inexact {:.1} %)", percent(inexact, floats));
        _ = write!(text, ", infinite {:.1} %, NaN {:.1} %", percent(infinite, floats), percent(nan, floats));
        _ = write!(text, ", apfloat {:.1} %", percent(self.apfloat, self.cases));
        _ = write!(text, ", new {}, {:.0} cases/s", self.new, self.cases as f64 / seconds);
        _ = write!(text, ", {:.0} results/s", self.results as f64 / seconds);
        text
    }
}
