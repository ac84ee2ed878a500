//! LLVM's assembler as an oracle: what `llvm-mc` makes of lines of text.

use core::time::Duration;

use super::askable::{self, NotAsked};
use super::assembler::Assembler;
use super::resume::{Asker, Stats};
use super::{Cpu, Death, Llvm, LlvmError, Options};
use crate::codec::Window;

/// So many lines of [`MOST_TEXT`](super::MOST_TEXT) bytes, each with an error that quotes it, stay below the most output
/// that is read of a run.
const LARGEST_BATCH: usize = 0x4000;

/// What a line adds to a process's time limit. A good one takes 7 µs and a wrong one 15 to 30, but one with an unknown
/// mnemonic 450 µs; and machines may be busy.
const TIME_PER_LINE: Duration = Duration::from_millis(2);

/// What LLVM's assembler says of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assembled {
    /// It is this instruction. (With a name that is none of LLVM's in place of a number, `v_dot4_i32_i8 v0, v1, v2, x`,
    /// 14 to 16 give what happens to be in memory: other bytes each time.)
    Bytes {
        /// Its bytes, in memory order: 4 to 20 of them.
        bytes: Vec<u8>,
        /// The instruction as LLVM prints it, without leading tab and padding.
        text: String,
    },
    /// It is an instruction with a symbol that only a linker knows the value of.
    Unresolved {
        /// As in [`Assembled::Bytes`].
        text: String,
    },
    /// It is refused.
    Refused {
        /// The message of the first error, without file and line.
        message: String,
        /// Where in the text the error is, in bytes from 1 on; one more than there are if something is missing.
        column: u32,
    },
    /// The tool died on the line, every time it was given that line alone.
    Dead(Death),
    /// It was not put to the tool, as it is not one instruction whatever stands around it.
    NotAsked(NotAsked),
}

impl Assembled {
    /// The bytes, if that is what it gave.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// The bytes as a window, if they are one: 4, 8, 12 or 16.
    #[must_use]
    pub fn window(&self) -> Option<Window> {
        let (dwords, rest) = self.bytes()?.as_chunks::<4>();
        if !rest.is_empty() {
            return None;
        }
        let dwords: Vec<u32> = dwords.iter().map(|&dword| u32::from_le_bytes(dword)).collect();
        Window::from_dwords(&dwords)
    }

    /// The instruction as LLVM prints it.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Bytes { text, .. } | Self::Unresolved { text } => Some(text),
            Self::Refused { .. } | Self::Dead(_) | Self::NotAsked(_) => None,
        }
    }
}

/// What the assembler said of a batch of lines.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// One a line, in the order the lines were given.
    pub lines: Vec<Assembled>,
    /// What it took.
    pub stats: Stats,
}

impl Llvm {
    /// Whether this LLVM has a processor of this name.
    ///
    /// # Errors
    /// If `llvm-mc` cannot be run or does not work.
    pub fn knows(&self, cpu: &str) -> Result<bool, LlvmError> {
        match self.assemble(Cpu { name: cpu, wave64: false }, &["s_nop 0"], &Options::default()) {
            Ok(_) => Ok(true),
            Err(LlvmError::UnknownCpu { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What the assembler says of each line, in order. One text is one instruction, and what is said of it depends on
    /// nothing but it: text that could mean something to its neighbours is [`Assembled::NotAsked`].
    ///
    /// # Errors
    /// If this LLVM does not know the processor, or `llvm-mc` cannot be run or does not do its work whatever it is
    /// given. That it dies on a line is an answer and no error.
    pub fn assemble<S: AsRef<str>>(&self, cpu: Cpu<'_>, lines: &[S], options: &Options) -> Result<Assembly, LlvmError> {
        let unknown_cpu = || LlvmError::UnknownCpu { cpu: cpu.name.into(), version: self.version };
        let checked: Vec<Result<&str, NotAsked>> =
            lines.iter().map(|line| askable::check(line.as_ref()).map(|()| line.as_ref())).collect();
        let asked: Vec<&str> = checked.iter().filter_map(|text| text.ok()).collect();
        let asker = Asker {
            language: Assembler::new(),
            program: self.program(Assembler::TOOL),
            args: &Assembler::args(cpu),
            time_limit: options.time_limit,
            time_per_question: TIME_PER_LINE,
            unknown_cpu: &unknown_cpu,
        };
        let batch = options.batch.clamp(1, LARGEST_BATCH);
        let (answers, stats) = asker.ask(&asked, asked.len(), batch, &[])?;
        let mut answers = answers.into_iter();
        let lines = checked
            .into_iter()
            .map(|text| match text {
                Ok(_) => answers.next().unwrap_or(Assembled::Dead(Death::Garbled)),
                Err(reason) => Assembled::NotAsked(reason),
            })
            .collect();
        Ok(Assembly { lines, stats })
    }
}
