//! A findings file, read and written.
//!
//! A unit counts once its last line is there, newline included; whatever stands behind the last such unit was cut off
//! when a sweep was stopped, and is written anew.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::{Header, Line, SCHEMA, Seen, Shard, Unit};

/// What is wrong with a findings file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that is none of a findings file.
    #[error("{path}:{line}:{column}: {message}")]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It was begun with something else: another LLVM, other targets, another ledger.
    #[error(
        "{path} was begun with {what}: --restart does it again, another --out begins another one, and with what it was \
         begun with the sweep goes on"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What is not the same.
        what: String,
    },
    /// All of it is there.
    #[error("{path} is complete already: --restart does it again")]
    Complete {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("{path}: another sweep is writing it")]
    Locked {
        /// The file.
        path: PathBuf,
    },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> FileError {
    let path = path.to_owned();
    move |source| FileError::Io { path, source }
}

/// A findings file, as far as it is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// What was swept.
    pub header: Header,
    /// What was seen.
    pub seen: Vec<Seen>,
    /// The units, in order.
    pub units: Vec<Unit>,
}

impl Sweep {
    /// Whether every unit of its shard is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.units.len() as u64 == units_of(&self.header).count() as u64
    }
}

/// The units that a file with this header has, in order.
pub fn units_of(header: &Header) -> impl Iterator<Item = u64> + use<> {
    let Shard { index, of } = header.shard;
    (index.saturating_sub(1)..header.units).step_by(usize::try_from(of.max(1)).unwrap_or(usize::MAX))
}

/// Reads a findings file, whole or not.
///
/// # Errors
/// If it cannot be read, or a line before its last whole unit is none.
pub fn read(path: &Path) -> Result<Sweep, FileError> {
    let file = File::open(path).map_err(io(path))?;
    let (mut seen, mut units) = (Vec::new(), Vec::new());
    let (header, _) = scan(path, file, |mut unit_seen, unit| {
        seen.append(&mut unit_seen);
        units.push(unit);
    })?;
    Ok(Sweep { header, seen, units })
}

/// Reads the lines of a file, unit by unit; its header, and where the last whole unit ends.
fn scan(path: &Path, file: File, mut each: impl FnMut(Vec<Seen>, Unit)) -> Result<(Header, u64), FileError> {
    let fail =
        |line: usize, column: usize, message: String| FileError::Line { path: path.to_owned(), line, column, message };
    let mut reader = BufReader::new(file);
    let (mut text, mut end, mut whole, mut number) = (Vec::new(), 0_u64, 0_u64, 0_usize);
    let mut header: Option<(Header, Box<dyn Iterator<Item = u64>>)> = None;
    let mut seen = Vec::new();
    loop {
        text.clear();
        let read = reader.read_until(b'\n', &mut text).map_err(io(path))?;
        number += 1;
        end += read as u64;
        // Without its newline a line was cut off.
        if text.last() != Some(&b'\n') {
            break;
        }
        let line: Line =
            serde_json::from_slice(&text).map_err(|error| fail(number, error.column(), error.to_string()))?;
        match (line, &mut header) {
            (Line::Header(first), None) if first.schema == SCHEMA => {
                let units = Box::new(units_of(&first));
                header = Some((first, units));
                whole = end;
            }
            (Line::Header(first), None) => {
                return Err(fail(
                    number,
                    1,
                    format!("schema {} is not {SCHEMA}, which this version reads", first.schema),
                ));
            }
            (Line::Seen(one), Some(_)) => seen.push(one),
            (Line::Unit(unit), Some((_, units))) => {
                if units.next() != Some(unit.unit) {
                    return Err(fail(number, 1, format!("unit {} is not the next one", unit.unit)));
                }
                whole = end;
                each(std::mem::take(&mut seen), unit);
            }
            _ => return Err(fail(number, 1, "the first line is the header, and no other".to_owned())),
        }
    }
    match header {
        Some((header, _)) => Ok((header, whole)),
        None => Err(fail(1, 1, "no findings file: its first line, a header, is missing".to_owned())),
    }
}

/// A findings file that is being written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Units that it has.
    done: u64,
}

impl Writer {
    /// Opens a file to begin it, or to go on with it behind its last whole unit.
    ///
    /// # Errors
    /// If it cannot be written, was begun with another header, is complete, or is being written.
    pub fn open(path: &Path, header: &Header, restart: bool) -> Result<Self, FileError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FileError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io(path)(error)),
        }
        let mut first = Vec::new();
        BufReader::new(&file).read_until(b'\n', &mut first).map_err(io(path))?;
        file.rewind().map_err(io(path))?;
        let mut writer = Self { path: path.to_owned(), file, done: 0 };
        if restart || first.last() != Some(&b'\n') {
            // Nothing but a part of a header, at most.
            const START: &[u8] = br#"{"header":"#;
            let is_ours = restart || START.starts_with(&first) || first.starts_with(START);
            if !is_ours {
                let message = "no findings file: its first line, a header, is missing".to_owned();
                return Err(FileError::Line { path: path.to_owned(), line: 1, column: 1, message });
            }
            writer.cut(0)?;
            writer.append(&[Line::Header(header.clone())])?;
            return Ok(writer);
        }
        let reading = writer.file.try_clone().map_err(io(path))?;
        let mut done = 0;
        let (old, whole) = scan(path, reading, |_, _| done += 1)?;
        if let Some(what) = difference(&old, header) {
            return Err(FileError::Other { path: path.to_owned(), what });
        }
        if done == units_of(header).count() as u64 {
            return Err(FileError::Complete { path: path.to_owned() });
        }
        writer.cut(whole)?;
        writer.done = done;
        Ok(writer)
    }

    fn cut(&mut self, len: u64) -> Result<(), FileError> {
        let cut = self.file.set_len(len).and_then(|()| self.file.seek(SeekFrom::Start(len)));
        cut.map(drop).map_err(io(&self.path))
    }

    /// How many units of its shard the file has.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Adds the lines of the next unit, and sees to it that they are on the disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn unit(&mut self, lines: &[Line]) -> Result<(), FileError> {
        self.append(lines)?;
        self.done += 1;
        Ok(())
    }

    fn append(&mut self, lines: &[Line]) -> Result<(), FileError> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line).map_err(|error| io(&self.path)(error.into()))?;
            text.push(b'\n');
        }
        self.file.write_all(&text).and_then(|()| self.file.sync_data()).map_err(io(&self.path))
    }
}

/// What is not the same in two headers, in words.
#[must_use]
pub fn difference(old: &Header, new: &Header) -> Option<String> {
    let tools = |header: &Header| (header.llvm.version.clone(), header.against.as_ref().map(|a| a.version.clone()));
    if old == new {
        None
    } else if tools(old) != tools(new) {
        Some(format!("LLVM {}", old.llvm.version))
    } else if (&old.llvm, &old.against) != (&new.llvm, &new.against) {
        Some(format!("another build of LLVM {}", old.llvm.version))
    } else if old.vop3p != new.vop3p {
        Some(format!("vop3p {}", old.vop3p))
    } else if old.ledger != new.ledger {
        Some("another ledger".to_owned())
    } else if old.shard != new.shard {
        Some(format!("--shard {}/{}", old.shard.index, old.shard.of))
    } else if old.choice != new.choice || old.unknown != new.unknown {
        Some("other targets, opcodes or directions".to_owned())
    } else {
        Some("other tables".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::record::{Choice, Counts, Tools};

    fn header(units: u64, index: u64, of: u64) -> Header {
        Header {
            schema: SCHEMA,
            vop3p: "0".to_owned(),
            llvm: Tools { version: "22.1.8".to_owned(), sha256: "ab".to_owned() },
            against: None,
            ledger: "cd".to_owned(),
            choice: Choice {
                targets: vec!["gfx900".parse().unwrap()],
                opcodes: Vec::new(),
                decode: true,
                assemble: true,
                each: false,
            },
            unknown: Vec::new(),
            shard: Shard { index, of },
            units,
            windows: 9,
        }
    }

    fn unit(number: u64) -> Line {
        let counts = Counts { windows: number, ..Counts::default() };
        let (target, spaces) = ("gfx900".parse().unwrap(), std::collections::BTreeMap::new());
        Line::Unit(Unit { unit: number, target, counts, spaces, alike: None })
    }

    #[test]
    fn the_units_of_a_shard_are_every_so_many() {
        assert_eq!(units_of(&header(10, 1, 1)).count(), 10);
        assert_eq!(units_of(&header(10, 2, 4)).collect::<Vec<_>>(), [1, 5, 9]);
        assert_eq!(units_of(&header(2, 3, 4)).count(), 0);
    }

    #[test]
    fn a_file_cut_off_anywhere_goes_on_to_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let mut writer = Writer::open(&path, &header(4, 1, 1), false).unwrap();
        for number in 0..4 {
            writer.unit(&[unit(number)]).unwrap();
        }
        drop(writer);
        let whole = std::fs::read(&path).unwrap();
        for len in 0..whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let mut writer = Writer::open(&path, &header(4, 1, 1), false).unwrap();
            for number in writer.done()..4 {
                writer.unit(&[unit(number)]).unwrap();
            }
            drop(writer);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {len}");
        }
        let sweep = read(&path).unwrap();
        assert!(sweep.is_complete());
        assert_eq!(sweep.units.iter().map(|unit| unit.counts.windows).collect::<Vec<_>>(), [0, 1, 2, 3]);
        let again = Writer::open(&path, &header(4, 1, 1), false).unwrap_err();
        assert!(again.to_string().ends_with("is complete already: --restart does it again"));
        assert_eq!(Writer::open(&path, &header(4, 1, 1), true).unwrap().done(), 0);
    }

    #[test]
    fn what_is_not_the_same_sweep_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let fails = |header: &Header| Writer::open(&path, header, false).unwrap_err().to_string();
        let writer = Writer::open(&path, &header(4, 1, 1), false).unwrap();
        assert!(fails(&header(4, 1, 1)).ends_with("another sweep is writing it"));
        drop(writer);
        let before = std::fs::read(&path).unwrap();
        assert!(fails(&header(4, 1, 2)).contains("was begun with --shard 1/1"));
        let other = |change: &dyn Fn(&mut Header)| {
            let mut header = header(4, 1, 1);
            change(&mut header);
            fails(&header)
        };
        assert!(other(&|h| h.llvm.version = "23.1.0".to_owned()).contains("was begun with LLVM 22.1.8"));
        assert!(other(&|h| h.llvm.sha256 = "ff".to_owned()).contains("another build of LLVM 22.1.8"));
        assert!(other(&|h| h.ledger = "ff".to_owned()).contains("another ledger"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::write(&path, "my notes, without end").unwrap();
        assert!(fails(&header(4, 1, 1)).contains(":1:1: no findings file"));
        std::fs::write(&path, "my notes\n").unwrap();
        assert!(fails(&header(4, 1, 1)).contains(":1:1: "));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let mut writer = Writer::open(&path, &header(4, 1, 1), false).unwrap();
        writer.unit(&[unit(0)]).unwrap();
        // Unit 1 is missing.
        writer.unit(&[unit(2)]).unwrap();
        drop(writer);
        let error = read(&path).unwrap_err().to_string();
        assert!(error.ends_with("a.jsonl:3:1: unit 2 is not the next one"), "{error}");
    }
}
