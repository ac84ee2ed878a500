//! LLVM's own tests as cases: what they say its assembler and disassembler do.
//!
//! Two kinds of file are read: LLVM's lit tests as they are (`llvm/test/MC/AMDGPU/*.s`,
//! `llvm/test/MC/Disassembler/AMDGPU/*.txt`), and a table of such cases with one row a line (`.tsv`). The reader never
//! guesses: what it cannot read for sure is in [`Reading::skipped`], with the reason. [`judge`](judge())
//! holds the cases against ours.

mod check;
mod cpu;
mod encoding;
mod expression;
mod judge;
mod lit;
mod run;
mod said;
mod select;
mod source;
mod tsv;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::codec::Window;
use crate::isa::Target;

pub use cpu::{Features, WhyNot};
pub use encoding::Encoding;
pub use judge::{AtHand, Judged, Verdict, judge};

/// What a test says of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The assembler takes the text.
    Assembles {
        /// The text.
        text: String,
        /// The encoding, if the test states it.
        bytes: Option<Encoding>,
        /// How it is printed again, if the test states it.
        printed: Option<String>,
    },
    /// The assembler refuses the text.
    Refuses {
        /// The text.
        text: String,
        /// The message, if the test states it word for word.
        message: Option<String>,
    },
    /// The disassembler prints the bytes.
    Prints {
        /// The bytes.
        bytes: Window,
        /// The text, comments such as `/*Invalid register, …*/` included.
        text: String,
        /// What it is encoded to again, if the test states other bytes than those read.
        again: Option<Encoding>,
    },
    /// The disassembler refuses the bytes or warns of them.
    Rejects {
        /// The bytes.
        bytes: Window,
    },
}

/// One instruction of a test, on one processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The test.
    pub file: String,
    /// The line of the instruction in it, from 1.
    pub line: usize,
    /// `-mcpu`, or `generic` if the test names none.
    pub cpu: String,
    /// `-mattr`.
    pub features: Features,
    /// The target that both make up.
    pub target: Result<Target, WhyNot>,
    /// What the test says.
    pub expect: Expect,
}

/// Something that was not read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub file: String,
    /// Its line, from 1: of the instruction, the check or the RUN line.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// A file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// Line and column, each from 1, where there is one.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ReadError {}

/// What was found in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How many files were read.
    pub files: usize,
    /// The cases, by file and line.
    pub cases: Vec<Case>,
    /// What concerns VOP3P, or may, and was not read.
    pub skipped: Vec<Skipped>,
    /// How many instructions are not VOP3P.
    pub other: usize,
    /// Files, and rows of tables, that could not be read.
    pub errors: Vec<ReadError>,
}

impl Reading {
    fn skip(&mut self, file: &str, line: usize, reason: impl Into<String>) {
        self.skipped.push(Skipped { file: file.to_owned(), line, reason: reason.into() });
    }

    fn fail(&mut self, file: &str, at: Option<(usize, usize)>, message: impl Into<String>) {
        self.errors.push(ReadError { file: file.to_owned(), at, message: message.into() });
    }
}

/// Reads files, and the `.s`, `.txt` and `.tsv` files of directories, in the order of their names.
#[must_use]
pub fn read(paths: &[PathBuf]) -> Reading {
    let mut reading = Reading::default();
    for path in paths {
        if path.is_dir() {
            read_dir(path, &mut reading);
        } else {
            read_file(path, &mut reading);
        }
    }
    reading
}

/// Reads the text of one file; its name says which kind it is.
#[must_use]
pub fn read_text(file: &str, text: &str) -> Reading {
    let mut reading = Reading::default();
    read_into(file, text, &mut reading);
    reading
}

fn read_dir(dir: &Path, reading: &mut Reading) {
    let entries = std::fs::read_dir(dir).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return reading.fail(&dir.display().to_string(), None, error.to_string()),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a directory may lead back here, so that only true ones are walked.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            read_dir(&path, reading);
        } else if has_kind(&path) && !path.is_dir() {
            match is_special(&path) {
                // To read a pipe is to wait for somebody who writes.
                true => reading.skip(&path.display().to_string(), 1, NOT_REGULAR),
                false => read_file(&path, reading),
            }
        }
    }
}

const NOT_REGULAR: &str = "not a regular file";

/// Whether it is a pipe, a socket or a device.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

fn has_kind(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "s" || extension == "txt" || extension == "tsv")
}

fn read_file(path: &Path, reading: &mut Reading) {
    let name = path.display().to_string();
    let said = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        _ => error.to_string(),
    };
    if let Err(error) = std::fs::metadata(path) {
        return reading.fail(&name, None, said(&error));
    }
    if !has_kind(path) {
        return reading.fail(&name, None, "not a test: the name ends with neither `.s` nor `.txt` nor `.tsv`");
    }
    if is_special(path) {
        return reading.fail(&name, None, NOT_REGULAR);
    }
    match std::fs::read(path) {
        Err(error) => reading.fail(&name, None, said(&error)),
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => read_into(&name, text, reading),
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
                let start = good.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
                reading.fail(&name, Some((line, column)), "not UTF-8");
            }
        },
    }
}

fn read_into(file: &str, text: &str, reading: &mut Reading) {
    reading.files += 1;
    // Some editors put a byte order mark in front.
    let text = text.trim_start_matches('\u{feff}');
    if file.ends_with(".tsv") { tsv::read(file, text, reading) } else { lit::read(file, text, reading) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_walked_in_order_and_a_bad_file_does_not_stop_it() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let test = b"// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\nv_pk_add_u16 v0, v1, v2\n";
        write("b/late.s", test);
        write("a/early.s", test);
        write("a/lit.local.cfg", b"config");
        write("c.txt", b"# ok\n# \xff\n");
        let reading = read(&[dir.path().to_owned(), dir.path().join("none.s"), dir.path().join("a/lit.local.cfg")]);
        let files: Vec<_> = reading.cases.iter().map(|case| case.file.rsplit('/').next().unwrap()).collect();
        assert_eq!(files, ["early.s", "late.s"]);
        assert_eq!(reading.files, 2);
        let errors: Vec<String> = reading.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 3);
        assert!(errors[0].ends_with("c.txt:2:3: not UTF-8"), "{}", errors[0]);
        assert!(errors[1].contains("none.s: "), "{}", errors[1]);
        assert!(errors[2].contains("lit.local.cfg: not a test"), "{}", errors[2]);
    }
}
