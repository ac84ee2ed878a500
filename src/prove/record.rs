//! What of a part is done: the state of a proof, and its certificate.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Part, Tally};

/// The sources that a proof speaks of.
const SOURCES: [&str; 2] = [include_str!("../exec/arithmetic.rs"), include_str!("../exec/format.rs")];

/// The hash of the arithmetic's source: SHA-256 of `src/exec/arithmetic.rs` and `src/exec/format.rs`, one after the other.
#[must_use]
pub fn source_hash() -> String {
    let mut hash = Sha256::new();
    for source in SOURCES {
        hash.update(source);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The state of a part, `proofs/PART.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Id of the part.
    pub part: String,
    /// What it claims.
    pub claim: String,
    /// The hash of the source it was done with.
    pub arithmetic_sha256: String,
    /// Chunks in all.
    pub chunks: usize,
    /// The chunks that are done: `0-17, 20`.
    pub done: String,
    /// Cases judged.
    pub cases: u64,
    /// Those that were wrong.
    pub wrong: u64,
    /// One of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// Seconds that threads were at it, with whatever else the machine had to do.
    pub thread_seconds: f64,
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no record.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// It is a record of something else.
    #[error("{}: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What.
        reason: String,
    },
}

impl Record {
    /// An empty one.
    #[must_use]
    pub fn new(part: Part) -> Self {
        Self {
            part: part.to_string(),
            claim: part.claim(),
            arithmetic_sha256: source_hash(),
            chunks: part.chunks(),
            done: String::new(),
            cases: 0,
            wrong: 0,
            witness: None,
            thread_seconds: 0.0,
        }
    }

    /// The file of a part.
    #[must_use]
    pub fn path(dir: &Path, part: Part) -> PathBuf {
        dir.join(format!("{part}.toml"))
    }

    /// The record of a part; `None` if there is none yet.
    ///
    /// # Errors
    /// If the file cannot be read, is no record, or one of another part.
    pub fn load(dir: &Path, part: Part) -> Result<Option<Self>, RecordError> {
        let path = Self::path(dir, part);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RecordError::Io { path, source }),
        };
        let record: Self = match toml::from_str(&text) {
            Ok(record) => record,
            Err(source) => return Err(RecordError::Format { path, source: Box::new(source) }),
        };
        let other = |reason: String| Err(RecordError::Other { path: path.clone(), reason });
        if record.part != part.to_string() || record.chunks != part.chunks() {
            return other(format!("a record of {} in {} chunks", record.part, record.chunks));
        }
        if record.done().is_none() {
            return other(format!("`{}` is no list of chunks below {}", record.done, record.chunks));
        }
        Ok(Some(record))
    }

    /// Writes it, at once or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, dir: &Path) -> Result<(), RecordError> {
        let path = dir.join(format!("{}.toml", self.part));
        let write = || {
            fs::create_dir_all(dir)?;
            let mut file = tempfile::NamedTempFile::new_in(dir)?;
            file.write_all(toml::to_string(self).map_err(std::io::Error::other)?.as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|source| RecordError::Io { path: path.clone(), source })
    }

    /// Which chunks are done; `None` if the list cannot be read.
    #[must_use]
    pub fn done(&self) -> Option<Vec<bool>> {
        let mut done = vec![false; self.chunks];
        for range in self.done.split(',').map(str::trim).filter(|range| !range.is_empty()) {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
            done.get_mut(from..=to)?.fill(true);
        }
        Some(done)
    }

    /// Adds a chunk.
    pub fn add(&mut self, chunk: usize, tally: Tally, thread_seconds: f64) {
        let mut done = self.done().unwrap_or_else(|| vec![false; self.chunks]);
        if let Some(one) = done.get_mut(chunk) {
            *one = true;
        }
        self.done = ranges(&done);
        self.cases += tally.cases;
        self.wrong += tally.wrong;
        self.witness = self.witness.take().or(tally.witness);
        self.thread_seconds = ((self.thread_seconds + thread_seconds) * 10.0).round() / 10.0;
    }

    /// Whether every chunk is done.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.done().is_some_and(|done| done.iter().all(|one| *one))
    }

    /// What keeps it from being a certificate of this source; `None` if it is one.
    #[must_use]
    pub fn flaw(&self, part: Part) -> Option<String> {
        if self.arithmetic_sha256 != source_hash() {
            return Some("it speaks of another source of the arithmetic".to_owned());
        }
        if self.claim != part.claim() {
            return Some("its claim is not that of the part".to_owned());
        }
        if self.wrong > 0 {
            return Some(format!("{} cases are wrong: {}", self.wrong, self.witness.as_deref().unwrap_or("?")));
        }
        if !self.is_complete() {
            return Some(format!("{} of {} chunks are done", self.chunks_done(), self.chunks));
        }
        let expected = part.cases().filter(|cases| *cases != self.cases)?;
        Some(format!("it counts {} cases, not {expected}", self.cases))
    }

    /// How many chunks are done.
    #[must_use]
    pub fn chunks_done(&self) -> usize {
        self.done().map_or(0, |done| done.iter().filter(|one| **one).count())
    }
}

/// `0-17, 20`.
fn ranges(done: &[bool]) -> String {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for at in (0..done.len()).filter(|at| done[*at]) {
        match all.last_mut() {
            Some((_, to)) if *to + 1 == at => *to = at,
            _ => all.push((at, at)),
        }
    }
    let one = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::arithmetic::Rounding;

    const PART: Part = Part::Flush(Rounding::Up);

    #[test]
    fn chunks_come_in_any_order_and_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Record::load(dir.path(), PART).unwrap(), None);
        let mut record = Record::new(PART);
        for chunk in [3, 1, 2, 7] {
            record.add(chunk, Tally { cases: 10, ..Tally::default() }, 0.25);
        }
        assert_eq!((record.done.as_str(), record.cases, record.chunks_done()), ("1-3, 7", 40, 4));
        record.save(dir.path()).unwrap();
        assert_eq!(Record::load(dir.path(), PART).unwrap().as_ref(), Some(&record));
        assert_eq!(record.flaw(PART), Some(format!("4 of {} chunks are done", PART.chunks())));
    }

    #[test]
    fn what_is_no_certificate() {
        let mut record = Record::new(Part::Products);
        for chunk in 0..Part::Products.chunks() {
            record.add(chunk, Tally { cases: 63_488 * 248, ..Tally::default() }, 0.0);
        }
        // 256 · 248 = 63,488.
        assert_eq!(record.flaw(Part::Products), None);
        assert_eq!(
            Record { cases: 5, ..record.clone() }.flaw(Part::Products),
            Some("it counts 5 cases, not 4030726144".to_owned())
        );
        let other = Record { arithmetic_sha256: "0".repeat(64), ..record.clone() };
        assert_eq!(other.flaw(Part::Products), Some("it speaks of another source of the arithmetic".to_owned()));
        let another = Record { claim: "all is well".to_owned(), ..record.clone() };
        assert_eq!(another.flaw(Part::Products), Some("its claim is not that of the part".to_owned()));
        let wrong = Record { wrong: 2, witness: Some("x".to_owned()), ..record };
        assert_eq!(wrong.flaw(Part::Products), Some("2 cases are wrong: x".to_owned()));
    }

    #[test]
    fn a_file_that_is_none_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let message = |text: &str| {
            fs::write(Record::path(dir.path(), PART), text).unwrap();
            Record::load(dir.path(), PART).unwrap_err().to_string()
        };
        assert!(message("nonsense").contains("c-flush-up.toml: TOML parse error"));
        let record = Record { done: "5-3".to_owned(), ..Record::new(PART) };
        assert!(message(&toml::to_string(&record).unwrap()).ends_with("`5-3` is no list of chunks below 1391"));
        let record = Record { chunks: 9, ..Record::new(PART) };
        assert!(message(&toml::to_string(&record).unwrap()).ends_with("a record of c-flush-up in 9 chunks"));
    }
}
