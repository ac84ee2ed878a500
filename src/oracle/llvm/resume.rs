//! Gets every question (a window, a line of assembly) its answer from a tool that may die on any of them.
//!
//! As long as nothing dies, a batch is one run. After a death the questions already answered keep their answers and
//! the rest is closed in on: a careful run of few questions tells which one killed it, the ones before that are run,
//! then the suspect alone. If that dies as often as it is tried, its answer is that death; if it lives, the death was
//! a whim and is counted as such. Either way every few runs answer one question more, so this ends.

use std::path::Path;
use std::time::Duration;

use super::child::{self, End, Feed, Run};
use super::language::{Language, Reading, Tempo};
use super::{Death, LlvmError};

/// Questions in a careful run.
const CAREFUL: usize = 256;

/// So many deaths in a row without one answer, and the first question is run alone.
const BARREN_DEATHS: u32 = 6;

/// How often a question must be died on alone, and nothing else happen, until it is declared deadly.
const ATTEMPTS: u32 = 3;
/// The same for a question the caller already takes for a killer.
const ATTEMPTS_IF_EXPECTED: u32 = 2;

/// Most bytes of stderr that an error quotes.
const QUOTED: usize = 300;

/// What running one tool over a batch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Processes started.
    pub runs: u32,
    /// Processes that did not end well.
    pub deaths: u32,
    /// Of those, the ones killed at the time limit.
    pub hangs: u32,
    /// Windows, or lines of assembly, whose answer is the tool's death.
    pub dead_windows: u32,
    /// Deaths that nothing could be blamed for: it did not happen again.
    pub flaky_deaths: u32,
}

impl core::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.deaths += other.deaths;
        self.hangs += other.hangs;
        self.dead_windows += other.dead_windows;
        self.flaky_deaths += other.flaky_deaths;
    }
}

/// A tool, ready to be asked about one processor.
pub(super) struct Asker<'a, L> {
    pub language: L,
    pub program: &'a Path,
    pub args: &'a [String],
    pub time_limit: Duration,
    /// What each question of a run adds to its time limit.
    pub time_per_question: Duration,
    /// For the error if it is not known.
    pub unknown_cpu: &'a dyn Fn() -> LlvmError,
}

/// What is run next, from the first question without an answer on.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// As much as a batch holds.
    Batch,
    /// So many, carefully.
    Careful(usize),
    /// Those before this one, which is then run alone.
    UpTo(usize),
    /// One.
    Alone,
}

struct Progress<A> {
    answers: Vec<A>,
    stats: Stats,
    next: Next,
    /// Deaths since the last answer.
    barren: u32,
    /// Times in a row the first question was died on alone.
    alone: u32,
    /// Deaths nothing has been blamed for yet.
    unexplained: u32,
    /// The tool has been seen to work.
    works: bool,
}

impl<L: Language> Asker<'_, L> {
    /// An answer for each question. `feeds` are inputs already written for the leading whole batches; the questions
    /// from `expected_killers` on are run one by one.
    pub fn ask(
        &self,
        questions: &[L::Question],
        expected_killers: usize,
        batch: usize,
        feeds: &[Feed],
    ) -> Result<(Vec<L::Answer>, Stats), LlvmError> {
        let mut progress = Progress {
            answers: Vec::with_capacity(questions.len()),
            stats: Stats::default(),
            next: Next::Batch,
            barren: 0,
            alone: 0,
            unexplained: 0,
            works: false,
        };
        while progress.answers.len() < questions.len() {
            let start = progress.answers.len();
            let section_end = if start < expected_killers { expected_killers } else { start + 1 };
            let end = match progress.next {
                Next::Batch => start + batch,
                Next::Careful(count) => start + count,
                Next::UpTo(end) => end,
                Next::Alone => start + 1,
            }
            .min(section_end);
            let fast = matches!(progress.next, Next::Batch) || end - start > CAREFUL;
            let tempo = if fast { Tempo::Fast } else { Tempo::Careful };
            let part = &questions[start..end];

            let ready = (start.is_multiple_of(batch) && end == (start + batch).min(expected_killers) && fast)
                .then(|| feeds.get(start / batch))
                .flatten();
            let run = match ready {
                Some(feed) => self.run(feed, part.len(), &mut progress.stats)?,
                None => self.run(&feed(&self.language, part, tempo)?, part.len(), &mut progress.stats)?,
            };
            let reading = self.language.read(part, tempo, &run, &mut progress.answers);
            match self.death(&run, reading) {
                None => progress.went_well(end - start),
                Some(death) => {
                    let dead_windows = progress.stats.dead_windows;
                    if progress.died(part.len(), start, reading, death, start >= expected_killers) {
                        progress.answers.push(L::dead(death));
                    }
                    // A full disk, too, looks like garbled answers.
                    let doubtful = dead_windows < progress.stats.dead_windows && !matches!(death, Death::Signal(_));
                    if doubtful || !progress.works {
                        self.check()?;
                        progress.works = true;
                    }
                }
            }
        }
        progress.stats.flaky_deaths += progress.unexplained;
        Ok((progress.answers, progress.stats))
    }

    fn run(&self, feed: &Feed, questions: usize, stats: &mut Stats) -> Result<Run, LlvmError> {
        stats.runs += 1;
        let questions = u32::try_from(questions).unwrap_or(u32::MAX);
        let limit = self.time_limit + self.time_per_question.saturating_mul(questions);
        let run = child::run(self.program, self.args, feed, limit)?;
        // The tool goes on with a processor of its own choice, so that this need not look like a death.
        let mut first_line =
            run.stderr.split(|byte| *byte == b'\n').next().unwrap_or_default().windows(UNKNOWN_CPU.len());
        if first_line.any(|part| part == UNKNOWN_CPU) {
            return Err((self.unknown_cpu)());
        }
        Ok(run)
    }

    fn death(&self, run: &Run, reading: Reading) -> Option<Death> {
        match run.end {
            End::Died(death) => Some(death),
            End::Code(code) if !self.language.is_success(code) => Some(Death::Exit(code)),
            End::Code(_) => (!reading.complete).then_some(Death::Garbled),
        }
    }

    /// Finds out whether the tool works at all.
    fn check(&self) -> Result<(), LlvmError> {
        let probe = L::probe();
        let feed = feed(&self.language, &probe, Tempo::Fast)?;
        let mut attempt = 0;
        loop {
            let run = self.run(&feed, probe.len(), &mut Stats::default())?;
            let mut answers = Vec::new();
            let reading = self.language.read(&probe, Tempo::Fast, &run, &mut answers);
            let is_right = L::is_right(&answers);
            let death = match self.death(&run, reading) {
                None if is_right => return Ok(()),
                None => Death::Garbled,
                Some(death) => death,
            };
            attempt += 1;
            if attempt == ATTEMPTS {
                let stderr = String::from_utf8_lossy(&run.stderr);
                let stderr = stderr.chars().take(QUOTED).collect::<String>().trim().to_owned();
                return Err(LlvmError::Unusable { path: self.program.to_owned(), death, stderr });
            }
        }
    }
}

/// The input of a run with these questions.
pub(super) fn feed<L: Language>(language: &L, questions: &[L::Question], tempo: Tempo) -> Result<Feed, LlvmError> {
    let mut bytes = Vec::new();
    language.write(questions, tempo, &mut bytes);
    Feed::new(&bytes)
}

/// What every version prints on stderr, first of all, about an `-mcpu` it does not have.
const UNKNOWN_CPU: &[u8] = b"is not a recognized processor";

impl<A> Progress<A> {
    /// The last run answered all of its `count` questions.
    fn went_well(&mut self, count: usize) {
        self.works = true;
        self.barren = 0;
        self.alone = 0;
        self.next = match self.next {
            Next::UpTo(_) => Next::Alone,
            Next::Alone => Next::Careful(8),
            Next::Careful(_) if count < CAREFUL => Next::Careful(8 * count),
            Next::Careful(_) | Next::Batch => {
                self.stats.flaky_deaths += core::mem::take(&mut self.unexplained);
                Next::Batch
            }
        };
    }

    /// The last run, of `count` questions from `start` on, died. Whether that is the answer to the first of them.
    fn died(&mut self, count: usize, start: usize, reading: Reading, death: Death, expected: bool) -> bool {
        self.stats.deaths += 1;
        self.stats.hangs += u32::from(death == Death::Hang);
        self.unexplained += 1;
        let certain = self.answers.len() - start;
        if certain > 0 {
            self.works = true;
            self.barren = 0;
            self.alone = 0;
        } else {
            self.barren += 1;
        }
        if certain == count {
            // It died after its work was done.
            self.next = Next::Batch;
        } else if count == 1 {
            self.alone += 1;
            self.next = Next::Alone;
            if self.alone >= if expected { ATTEMPTS_IF_EXPECTED } else { ATTEMPTS } {
                self.stats.dead_windows += 1;
                self.unexplained = 0;
                self.barren = 0;
                self.alone = 0;
                self.next = Next::Batch;
                return true;
            }
        } else if reading.exact || self.barren >= BARREN_DEATHS {
            // Always fewer than this time, so that it ends even if the reading is wrong.
            let survived = reading.survived.min(count - 1);
            let before_it = survived > certain && self.barren < BARREN_DEATHS;
            self.next = if before_it { Next::UpTo(start + survived) } else { Next::Alone };
        } else {
            self.next = Next::Careful(CAREFUL);
        }
        false
    }
}
