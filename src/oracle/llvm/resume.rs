//! Gets every window its answer from a tool that may die on any of them.
//!
//! As long as nothing dies, a batch is one run. After a death the windows already answered keep their answers and
//! the rest is closed in on: a careful run of few windows tells which one killed it, the ones before that are run,
//! then the suspect alone. If that dies as often as it is tried, it is [`Answer::Dead`]; if it lives, the death was
//! a whim and is counted as such. Either way every few runs answer one window more, so this ends.

use std::path::Path;
use std::time::Duration;

use super::block::Block;
use super::child::{self, End, Feed, Run};
use super::mc::Mc;
use super::objdump::Objdump;
use super::reading::{Reading, Tempo};
use super::{Answer, Death, LlvmError, Tool};

/// Windows in a careful run.
const CAREFUL: usize = 256;

/// So many deaths in a row without one answer, and the first window is run alone.
const BARREN_DEATHS: u32 = 6;

/// How often a window must die alone, and nothing else happen, until it is declared dead.
const ATTEMPTS: u32 = 3;
/// The same for a window the caller already takes for a killer.
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
    /// Windows that got [`Answer::Dead`].
    pub dead_windows: u32,
    /// Deaths that no window could be blamed for: it did not happen again.
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

/// One of the two tools' languages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Protocol {
    Mc(Mc),
    Objdump(Objdump),
}

impl Protocol {
    pub fn tool(self) -> Tool {
        match self {
            Self::Mc(_) => Mc::TOOL,
            Self::Objdump(_) => Objdump::TOOL,
        }
    }

    pub fn write(self, blocks: &[Block], tempo: Tempo) -> Result<Feed, LlvmError> {
        let mut bytes = Vec::new();
        match self {
            Self::Mc(mc) => mc.write(blocks, tempo, &mut bytes),
            Self::Objdump(objdump) => objdump.write(blocks, tempo, &mut bytes),
        }
        Feed::new(&bytes)
    }

    fn read(self, blocks: &[Block], tempo: Tempo, run: &Run, answers: &mut Vec<Answer>) -> Reading {
        match self {
            Self::Mc(mc) => mc.read(blocks, tempo, run, answers),
            Self::Objdump(objdump) => objdump.read(blocks, run, answers),
        }
    }

    /// Whether the exit code goes with answers: llvm-mc's is 1 if a block was invalid.
    fn is_success(self, code: i32) -> bool {
        code == 0 || (code == 1 && matches!(self, Self::Mc(_)))
    }
}

/// A tool, ready to be asked about one processor.
pub(super) struct Asker<'a> {
    pub protocol: Protocol,
    pub program: &'a Path,
    pub args: &'a [String],
    pub time_limit: Duration,
    /// For the error if it is not known.
    pub unknown_cpu: &'a dyn Fn() -> LlvmError,
}

/// What is run next, from the first window without an answer on.
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

struct Progress {
    answers: Vec<Answer>,
    stats: Stats,
    next: Next,
    /// Deaths since the last answer.
    barren: u32,
    /// Times in a row the first window died alone.
    alone: u32,
    /// Deaths nothing has been blamed for yet.
    unexplained: u32,
    /// The tool has been seen to work.
    works: bool,
}

impl Asker<'_> {
    /// An answer for each block. `feeds` are inputs already written for the leading whole batches; the blocks from
    /// `expected_killers` on are run one by one.
    pub fn ask(
        &self,
        blocks: &[Block],
        expected_killers: usize,
        batch: usize,
        feeds: &[Feed],
    ) -> Result<(Vec<Answer>, Stats), LlvmError> {
        let mut progress = Progress {
            answers: Vec::with_capacity(blocks.len()),
            stats: Stats::default(),
            next: Next::Batch,
            barren: 0,
            alone: 0,
            unexplained: 0,
            works: false,
        };
        while progress.answers.len() < blocks.len() {
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
            let part = &blocks[start..end];

            let ready = (start.is_multiple_of(batch) && end == (start + batch).min(expected_killers) && fast)
                .then(|| feeds.get(start / batch))
                .flatten();
            let run = match ready {
                Some(feed) => self.run(feed, &mut progress.stats)?,
                None => self.run(&self.protocol.write(part, tempo)?, &mut progress.stats)?,
            };
            let reading = self.protocol.read(part, tempo, &run, &mut progress.answers);
            match self.death(&run, reading) {
                None => progress.went_well(end - start),
                Some(death) => {
                    let dead_windows = progress.stats.dead_windows;
                    progress.died(part.len(), start, reading, death, start >= expected_killers);
                    // A full disk, too, looks like windows with garbled answers.
                    let doubtful = dead_windows < progress.stats.dead_windows && !matches!(death, Death::Signal(_));
                    if doubtful || !progress.works {
                        self.check(&run)?;
                        progress.works = true;
                    }
                }
            }
        }
        progress.stats.flaky_deaths += progress.unexplained;
        Ok((progress.answers, progress.stats))
    }

    fn run(&self, feed: &Feed, stats: &mut Stats) -> Result<Run, LlvmError> {
        stats.runs += 1;
        child::run(self.program, self.args, feed, self.time_limit)
    }

    fn death(&self, run: &Run, reading: Reading) -> Option<Death> {
        match run.end {
            End::Died(death) => Some(death),
            End::Code(code) if !self.protocol.is_success(code) => Some(Death::Exit(code)),
            End::Code(_) => (!reading.complete).then_some(Death::Garbled),
        }
    }

    /// Finds out whether the tool works at all.
    fn check(&self, died: &Run) -> Result<(), LlvmError> {
        if died.stderr.windows(UNKNOWN_CPU.len()).any(|part| part == UNKNOWN_CPU) {
            return Err((self.unknown_cpu)());
        }
        let probe = Block::probe();
        let feed = self.protocol.write(&probe, Tempo::Fast)?;
        let mut attempt = 0;
        loop {
            let run = self.run(&feed, &mut Stats::default())?;
            let mut answers = Vec::new();
            let reading = self.protocol.read(&probe, Tempo::Fast, &run, &mut answers);
            let texts: Vec<Option<&str>> = answers.iter().map(Answer::text).collect();
            let is_right = texts == [Some("s_nop 1"), None, Some("s_nop 2")];
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

/// What every version prints on stderr about an `-mcpu` it does not have.
const UNKNOWN_CPU: &[u8] = b"is not a recognized processor";

impl Progress {
    /// The last run answered all of its `count` windows.
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

    /// The last run, of `count` windows from `start` on, died.
    fn died(&mut self, count: usize, start: usize, reading: Reading, death: Death, expected: bool) {
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
                self.answers.push(Answer::Dead(death));
                self.stats.dead_windows += 1;
                self.unexplained = 0;
                self.barren = 0;
                self.alone = 0;
                self.next = Next::Batch;
            }
        } else if reading.exact || self.barren >= BARREN_DEATHS {
            // Always fewer than this time, so that it ends even if the reading is wrong.
            let survived = reading.survived.min(count - 1);
            let before_it = survived > certain && self.barren < BARREN_DEATHS;
            self.next = if before_it { Next::UpTo(start + survived) } else { Next::Alone };
        } else {
            self.next = Next::Careful(CAREFUL);
        }
    }
}
