//! LLVM as an oracle: its two disassemblers, `llvm-mc -disassemble` and `llvm-objdump -d`, and its assembler, `llvm-mc`.
//!
//! A batch of windows goes to both tools at once, in files, and comes back as one [`Pair`] of answers a window.
//! Only the *first* instruction of a window is answered for. What a tool is given is fixed by the window alone
//! ([`padding`]), so that an answer does not depend on the batch it came in. When a tool dies the windows it had
//! answered keep their answers, the killer is closed in on and run alone, and the rest goes on behind it.
//!
//! The same for lines of assembly: they go to the assembler many at a time and come back as one [`Assembled`] a line.
//!
//! In reading order: `locate` finds the tools, `fingerprint` tells builds of one version apart; `block` says which bytes a window becomes; `language` is what a tool's way
//! of being asked has to be, `mc` and `objdump` are it for the disassemblers, `assembler` for the assembler; `child` runs
//! one process; `resume` gets every question its answer; `prepared` has both disassemblers do so side by side;
//! `raw` runs one as a person would; `askable` says which lines can be put to the assembler, and `assemble` has it done.

mod askable;
mod assemble;
mod assembler;
mod block;
mod child;
mod diagnostic;
mod elf;
mod error;
mod fingerprint;
mod language;
mod locate;
mod mc;
mod objdump;
mod prepared;
mod raw;
mod resume;

use core::fmt;
use core::time::Duration;

pub use askable::{MOST_TEXT, NotAsked};
pub use assemble::{Assembled, Assembly};
pub use block::{PAD, padding};
pub use error::LlvmError;
pub use locate::{Choice, Llvm, Search, VARIABLE, Version};
pub use prepared::{Batch, Prepared};
pub use raw::Raw;
pub use resume::Stats;

use crate::codec::Window;

/// A processor as LLVM names it, and its wave size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cpu<'a> {
    /// LLVM's name, `gfx1100` or `gfx11-generic`.
    pub name: &'a str,
    /// Waves of 64 lanes where 32 is the default (gfx10 and later); says nothing on gfx9, where 64 is all there is.
    pub wave64: bool,
}

impl Cpu<'_> {
    /// The value of `-mattr`, if one is needed.
    pub(crate) fn mattr(&self) -> Option<&'static str> {
        let wave32_is_default = ["gfx10", "gfx11", "gfx12"].iter().any(|prefix| self.name.starts_with(prefix));
        (self.wave64 && wave32_is_default).then_some("+wavefrontsize64")
    }
}

/// One of the two tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    /// `llvm-mc -disassemble`.
    Mc,
    /// `llvm-objdump -d`.
    Objdump,
}

impl Tool {
    /// The program's name without a version.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mc => "llvm-mc",
            Self::Objdump => "llvm-objdump",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one tool said of the first instruction of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It printed an instruction.
    Text {
        /// The instruction as printed, without the leading tab and padding.
        text: String,
        /// Bytes it took. `llvm-objdump` always shows them; `llvm-mc` does not for a few 16-byte windows.
        bytes: Option<u8>,
    },
    /// It printed an instruction with a remark: `/*Invalid register, ..*/` in the text, or the warning
    /// "potentially undefined instruction encoding". Neither a rejection nor an acceptance.
    Annotated {
        /// As in [`Answer::Text`], the remark included.
        text: String,
        /// As in [`Answer::Text`].
        bytes: Option<u8>,
    },
    /// It said that the bytes are no instruction.
    Invalid,
    /// It died on the window, every time it was given that window alone.
    Dead(Death),
}

impl Answer {
    /// The printed instruction, remark or not.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } | Self::Annotated { text, .. } => Some(text),
            Self::Invalid | Self::Dead(_) => None,
        }
    }

    /// Bytes the instruction took, where known.
    #[must_use]
    pub const fn bytes(&self) -> Option<u8> {
        match self {
            Self::Text { bytes, .. } | Self::Annotated { bytes, .. } => *bytes,
            Self::Invalid | Self::Dead(_) => None,
        }
    }

    /// The answer for a printed line, or `None` if it is no printable text.
    pub(crate) fn from_line(line: &[u8], bytes: Option<u8>, remarked: bool) -> Option<Self> {
        let text = printable(line)?;
        let remarked = remarked || text.contains("/*");
        Some(if remarked { Self::Annotated { text, bytes } } else { Self::Text { text, bytes } })
    }
}

/// What a tool printed, trimmed and with tabs as spaces, or `None` if that is no printable text.
fn printable(line: &[u8]) -> Option<String> {
    let text = line.trim_ascii();
    if text.is_empty() || !text.iter().all(|&byte| byte == b'\t' || (b' '..=b'~').contains(&byte)) {
        return None;
    }
    let text = String::from_utf8(text.to_vec()).ok()?;
    Some(if text.contains('\t') { text.replace('\t', " ") } else { text })
}

/// How a tool died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Death {
    /// By this signal (11 is a segmentation fault, 6 an abort).
    Signal(i32),
    /// With an exit code that no answer goes with.
    Exit(i32),
    /// Not at all: it was still running at the time limit and was killed.
    Hang,
    /// It ended well, but what it printed does not fit what it was given.
    Garbled,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Exit(code) => write!(f, "exit code {code}"),
            Self::Hang => f.write_str("time limit"),
            Self::Garbled => f.write_str("garbled output"),
        }
    }
}

/// Both tools' answers for one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What `llvm-mc` said.
    pub mc: Answer,
    /// What `llvm-objdump` said.
    pub objdump: Answer,
}

/// What the caller expects of a window. A hint changes how long an answer takes, never the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hint {
    /// Nothing is known.
    #[default]
    Unsure,
    /// The tools will probably accept it.
    Valid,
    /// It will probably kill a tool: it gets runs of its own, so that no batch dies of it.
    Deadly,
}

/// How the tools are run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A process still running after this long is killed: [`Death::Hang`]. The assembler gets 2 ms a line on top.
    pub time_limit: Duration,
    /// Most windows, or lines, given to one process.
    pub batch: usize,
    /// Whether [`padding`] follows each window (lines have none). Without it every window gets runs of its own, so that it ends where
    /// its bytes end.
    pub padded: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(10), batch: 8192, padded: true }
    }
}

impl Llvm {
    /// What both tools say of each window, in order. `hints[i]` is for `windows[i]`; missing ones are
    /// [`Hint::Unsure`].
    ///
    /// # Errors
    /// If this LLVM does not know the processor, or a tool cannot be run or dies whatever it is given. A tool that
    /// dies on a window is an answer and no error.
    pub fn disassemble(
        &self,
        cpu: Cpu<'_>,
        windows: &[Window],
        hints: &[Hint],
        options: &Options,
    ) -> Result<Batch, LlvmError> {
        self.prepare(cpu, windows, hints, options)?.run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wave64_is_an_attribute_only_where_wave32_is_the_default() {
        let mattr = |name, wave64| Cpu { name, wave64 }.mattr();
        assert_eq!(mattr("gfx1100", true), Some("+wavefrontsize64"));
        assert_eq!(mattr("gfx10-3-generic", true), Some("+wavefrontsize64"));
        assert_eq!(mattr("gfx1100", false), None);
        assert_eq!(mattr("gfx942", true), None);
    }

    #[test]
    fn a_line_is_trimmed_and_a_comment_in_it_is_a_remark() {
        assert_eq!(
            Answer::from_line(b"\tv_pk_add_f16 v0, v1, v2    ", Some(8), false),
            Some(Answer::Text { text: "v_pk_add_f16 v0, v1, v2".into(), bytes: Some(8) })
        );
        assert_eq!(
            Answer::from_line(b"\tv_x v4, s84/*Invalid register*/", Some(8), false),
            Some(Answer::Annotated { text: "v_x v4, s84/*Invalid register*/".into(), bytes: Some(8) })
        );
        assert_eq!(Answer::from_line(b"\tv_x\tv4", None, false).as_ref().and_then(Answer::text), Some("v_x v4"));
        assert_eq!(Answer::from_line(b"\tv_x \xff", None, false), None);
        assert_eq!(Answer::from_line(b"\t  ", None, false), None);
    }
}
