//! What can go wrong with LLVM itself, as opposed to what LLVM says of a window.

use std::io;
use std::path::PathBuf;

use super::{Death, Tool, Version};

/// LLVM is missing, unusable, or does not know what it was asked about.
#[derive(Debug, thiserror::Error)]
pub enum LlvmError {
    /// No such tool where it was looked for.
    #[error("no {tool} {place}; on Debian `apt-get install llvm-22` has it, and --llvm or VOP3P_LLVM name another")]
    Missing {
        /// The tool that was looked for.
        tool: Tool,
        /// Where, as words that go behind "no llvm-mc".
        place: String,
    },
    /// A list was given where there can be only one.
    #[error("`{text}` names several LLVMs, and this runs against one: a version (`22`) or a directory with its tools")]
    Several {
        /// What was given.
        text: String,
    },
    /// `--version` says nothing that can be read.
    #[error("{} is no LLVM tool: its --version has no `LLVM version`, only {output:?}", .path.display())]
    Unversioned {
        /// The program.
        path: PathBuf,
        /// The start of what it printed.
        output: String,
    },
    /// A version was asked for and another was found under its name.
    #[error("{} is LLVM {found}, but {wanted} was asked for", .path.display())]
    OtherVersion {
        /// The program.
        path: PathBuf,
        /// The major version asked for.
        wanted: u32,
        /// What it is.
        found: Version,
    },
    /// The two tools are of different versions, so that a difference between them would mean nothing.
    #[error("{} is LLVM {mc_version}, but {} beside it is {objdump_version}; both must be of one version",
        .mc.display(), .objdump.display())]
    VersionsDiffer {
        /// The `llvm-mc`.
        mc: PathBuf,
        /// Its version.
        mc_version: Version,
        /// The `llvm-objdump`.
        objdump: PathBuf,
        /// Its version.
        objdump_version: Version,
    },
    /// This LLVM was built without AMD's GPUs.
    #[error("{} (LLVM {version}) was built without the amdgcn target", .path.display())]
    NoAmdgcn {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// This version does not know the processor: nothing can be said of it.
    #[error("LLVM {version} does not know {cpu}")]
    UnknownCpu {
        /// The processor.
        cpu: String,
        /// The LLVM that was asked.
        version: Version,
    },
    /// A tool dies even on nothing but an `s_nop`.
    #[error("{} cannot be used: it dies on a lone s_nop ({death}){}{stderr}", .path.display(), if .stderr.is_empty() { "" } else { ": " })]
    Unusable {
        /// The program.
        path: PathBuf,
        /// How it died.
        death: Death,
        /// The start of what it printed on stderr.
        stderr: String,
    },
    /// The operating system would not run a tool, or its files could not be written or read.
    #[error("cannot {what}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl LlvmError {
    /// For `map_err`: an I/O error in what was tried.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
