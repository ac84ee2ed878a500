//! A batch of windows on its way to both tools.

use std::thread;
use std::time::Duration;

use super::block::Block;
use super::child::{self, Feed, Run};
use super::language::{Language, Reading, Tempo};
use super::mc::Mc;
use super::objdump::Objdump;
use super::resume::{self, Asker, Stats};
use super::{Answer, Cpu, Death, Hint, Llvm, LlvmError, Options, Pair, Tool};
use crate::codec::Window;

/// More windows than this in one process would run out of marker numbers and section indices.
const LARGEST_BATCH: usize = 0x4000;

/// What both tools said of a batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// One pair a window, in the order the windows were given.
    pub pairs: Vec<Pair>,
    /// What `llvm-mc` took.
    pub mc: Stats,
    /// What `llvm-objdump` took.
    pub objdump: Stats,
}

/// A batch with its input files written, to be run once or, for a benchmark, often.
#[derive(Debug)]
pub struct Prepared<'a> {
    llvm: &'a Llvm,
    cpu: String,
    blocks: Vec<Block>,
    /// `order[i]` is where the caller's list has `blocks[i]`.
    order: Vec<usize>,
    /// The blocks from here on are expected to kill.
    expected_killers: usize,
    batch: usize,
    options: Options,
    mc: Line,
    objdump: Line,
}

/// One of the two disassemblers' languages.
#[derive(Clone, Copy, Debug)]
enum Protocol {
    Mc(Mc),
    Objdump(Objdump),
}

impl Protocol {
    fn tool(self) -> Tool {
        match self {
            Self::Mc(_) => Mc::TOOL,
            Self::Objdump(_) => Objdump::TOOL,
        }
    }
}

impl Language for Protocol {
    type Question = Block;
    type Answer = Answer;

    fn write(&self, blocks: &[Block], tempo: Tempo, out: &mut Vec<u8>) {
        match self {
            Self::Mc(mc) => mc.write(blocks, tempo, out),
            Self::Objdump(objdump) => objdump.write(blocks, tempo, out),
        }
    }

    fn read(&self, blocks: &[Block], tempo: Tempo, run: &Run, answers: &mut Vec<Answer>) -> Reading {
        match self {
            Self::Mc(mc) => mc.read(blocks, tempo, run, answers),
            Self::Objdump(objdump) => objdump.read(blocks, run, answers),
        }
    }

    /// llvm-mc's code is 1 if a block was invalid.
    fn is_success(&self, code: i32) -> bool {
        code == 0 || (code == 1 && matches!(self, Self::Mc(_)))
    }

    fn dead(death: Death) -> Answer {
        Answer::Dead(death)
    }

    fn probe() -> [Block; 3] {
        Block::probe()
    }

    fn is_right(answers: &[Answer]) -> bool {
        answers.iter().map(Answer::text).eq([Some("s_nop 1"), None, Some("s_nop 2")])
    }
}

/// All about one tool.
#[derive(Debug)]
struct Line {
    protocol: Protocol,
    args: Vec<String>,
    feeds: Vec<Feed>,
}

impl Llvm {
    /// Lays out a batch and writes the tools' input files.
    ///
    /// # Errors
    /// If the processor has no machine number, or a temporary file cannot be written.
    pub fn prepare(
        &self,
        cpu: Cpu<'_>,
        windows: &[Window],
        hints: &[Hint],
        options: &Options,
    ) -> Result<Prepared<'_>, LlvmError> {
        let hint = |index: usize| match options.padded {
            true => hints.get(index).copied().unwrap_or_default(),
            false => Hint::Deadly,
        };
        // Killers last, and before them the windows cut short: llvm-objdump shows those last.
        let mut order: Vec<usize> = (0..windows.len()).collect();
        order.sort_by_key(|&index| (hint(index) == Hint::Deadly, windows[index].byte_len() == 4));
        let blocks: Vec<Block> = order
            .iter()
            .map(|&index| Block::new(&windows[index], hint(index) == Hint::Valid, options.padded))
            .collect();
        let expected_killers = order.iter().take_while(|&&index| hint(index) != Hint::Deadly).count();
        let batch = options.batch.clamp(1, LARGEST_BATCH);

        let feeds = |protocol: Protocol| {
            blocks[..expected_killers].chunks(batch).map(|part| resume::feed(&protocol, part, Tempo::Fast)).collect()
        };
        let mc = Mc::new(self.version);
        let objdump = Protocol::Objdump(Objdump::new(cpu, self.version)?);
        let mc_feeds: Result<Vec<Feed>, LlvmError> = feeds(Protocol::Mc(mc));
        Ok(Prepared {
            llvm: self,
            cpu: cpu.name.into(),
            mc: Line { protocol: Protocol::Mc(mc), args: mc.args(cpu), feeds: mc_feeds? },
            objdump: Line { protocol: objdump, args: Objdump::args(cpu), feeds: feeds(objdump)? },
            blocks,
            order,
            expected_killers,
            batch,
            options: *options,
        })
    }
}

impl Prepared<'_> {
    /// Runs both tools side by side and reads what they say.
    ///
    /// # Errors
    /// As [`Llvm::disassemble`].
    pub fn run(&self) -> Result<Batch, LlvmError> {
        let (mc, objdump) = self.side_by_side(|line| self.ask(line));
        let (mc, mc_stats) = mc?;
        let (objdump, objdump_stats) = objdump?;
        let unanswered = Pair { mc: Answer::Dead(Death::Garbled), objdump: Answer::Dead(Death::Garbled) };
        let mut pairs = vec![unanswered; self.blocks.len()];
        for ((&index, mc), objdump) in self.order.iter().zip(mc).zip(objdump) {
            pairs[index] = Pair { mc, objdump };
        }
        Ok(Batch { pairs, mc: mc_stats, objdump: objdump_stats })
    }

    /// Runs both tools side by side on the same input files as [`Self::run`] does if nothing dies, and throws away
    /// what they print: the time that is theirs and not ours. Windows hinted [`Hint::Deadly`] are left out.
    ///
    /// # Errors
    /// If a tool cannot be started.
    pub fn run_tools_alone(&self) -> Result<(), LlvmError> {
        let (mc, objdump) = self.side_by_side(|line| {
            line.feeds.iter().try_for_each(|feed| {
                child::run_unread(self.llvm.program(line.protocol.tool()), &line.args, feed, self.options.time_limit)
                    .map(drop)
            })
        });
        mc.and(objdump)
    }

    fn side_by_side<T: Send>(&self, work: impl Fn(&Line) -> T + Sync) -> (T, T) {
        thread::scope(|scope| {
            let objdump = scope.spawn(|| work(&self.objdump));
            let mc = work(&self.mc);
            match objdump.join() {
                Ok(objdump) => (mc, objdump),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn ask(&self, line: &Line) -> Result<(Vec<Answer>, Stats), LlvmError> {
        let unknown_cpu = || LlvmError::UnknownCpu { cpu: self.cpu.clone(), version: self.llvm.version };
        let asker = Asker {
            language: line.protocol,
            program: self.llvm.program(line.protocol.tool()),
            args: &line.args,
            time_limit: self.options.time_limit,
            time_per_question: Duration::ZERO,
            unknown_cpu: &unknown_cpu,
        };
        asker.ask(&self.blocks, self.expected_killers, self.batch, &line.feeds)
    }
}
