//! Shards, joined to the sweep that they are parts of.

use std::path::{Path, PathBuf};

use super::file::{FileError, Sweep, Writer, difference, read};
use super::record::{Header, Line, Seen, Shard};

/// Why shards do not join.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One cannot be read, or what they make cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Two are not of the same sweep.
    #[error("{path} is no shard of the same sweep as {first}: it was made with {what}")]
    Other {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
        /// What is not the same.
        what: String,
    },
    /// One was not finished.
    #[error("{path} is not complete: {have} of {units} units; `vop3p sweep` with the same options goes on with it")]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// Units that it has.
        have: usize,
        /// Units that it should have.
        units: usize,
    },
    /// One is missing.
    #[error("shard {index}/{of} is missing")]
    Missing {
        /// From 1.
        index: u64,
        /// How many there are.
        of: u64,
    },
    /// One is given twice.
    #[error("{path} and {other} are both shard {index}/{of}")]
    Twice {
        /// The file.
        path: PathBuf,
        /// The other one.
        other: PathBuf,
        /// From 1.
        index: u64,
        /// How many there are.
        of: u64,
    },
    /// None is given.
    #[error("no shard is given")]
    None,
}

/// Joins the shards of a sweep into one file, which is the one that the whole sweep would have written.
///
/// # Errors
/// If a file cannot be read, is not complete, is no shard of the same sweep, or if one is missing or given twice; then
/// nothing is written.
pub fn merge(paths: &[PathBuf], out: &Path, restart: bool) -> Result<Sweep, MergeError> {
    let mut shards: Vec<(&PathBuf, Sweep)> = Vec::new();
    for path in paths {
        let sweep = read(path)?;
        let Shard { index, of } = sweep.header.shard;
        if let Some((first, other)) = shards.first() {
            let same = Header { shard: other.header.shard, ..sweep.header.clone() };
            let what = difference(&same, &other.header)
                .or_else(|| (of != other.header.shard.of).then(|| format!("--shard {index}/{of}")));
            if let Some(what) = what {
                return Err(MergeError::Other { path: path.clone(), first: (*first).clone(), what });
            }
        }
        if let Some((other, _)) = shards.iter().find(|(_, other)| other.header.shard.index == index) {
            return Err(MergeError::Twice { path: path.clone(), other: (*other).clone(), index, of });
        }
        if !sweep.is_complete() {
            let units = super::file::units_of(&sweep.header).count();
            return Err(MergeError::Incomplete { path: path.clone(), have: sweep.units.len(), units });
        }
        shards.push((path, sweep));
    }
    let Some((_, first)) = shards.first() else { return Err(MergeError::None) };
    let of = first.header.shard.of;
    let has = |index: u64| shards.iter().any(|(_, sweep)| sweep.header.shard.index == index);
    if let Some(index) = (1..=of).find(|index| !has(*index)) {
        return Err(MergeError::Missing { index, of });
    }
    let header = Header { shard: Shard { index: 1, of: 1 }, ..first.header.clone() };
    let mut units = Vec::new();
    let mut seen: Vec<Seen> = Vec::new();
    for (_, sweep) in shards {
        units.extend(sweep.units);
        seen.extend(sweep.seen);
    }
    units.sort_by_key(|unit| unit.unit);
    // Stable: what one unit shows stays in its order.
    seen.sort_by_key(|seen| seen.unit);
    let merged = Sweep { header, seen, units };
    write(&merged, out, restart)?;
    Ok(merged)
}

fn write(sweep: &Sweep, out: &Path, restart: bool) -> Result<(), FileError> {
    let mut writer = Writer::open(out, &sweep.header, restart)?;
    let mut rest = &sweep.seen[..];
    for unit in &sweep.units {
        let count = rest.iter().take_while(|seen| seen.unit == unit.unit).count();
        let (own, behind) = rest.split_at(count);
        rest = behind;
        if unit.unit < writer.done() {
            continue;
        }
        let lines: Vec<Line> = own.iter().cloned().map(Line::Seen).chain([Line::Unit(unit.clone())]).collect();
        writer.unit(&lines)?;
    }
    Ok(())
}
