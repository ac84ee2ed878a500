//! All units that are missing, on several threads, written in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::file::{FileError, Writer, units_of};
use super::record::{Header, Line};
use super::unit::Sweeper;
use crate::oracle::llvm::LlvmError;

/// Why a sweep ended early. What it had is in its file.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// LLVM cannot be run.
    #[error(transparent)]
    Llvm(#[from] LlvmError),
    /// The findings file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Judges every unit of the header's shard that the writer does not have yet. `done` is called with the lines of each
/// unit once they are written.
///
/// # Errors
/// If LLVM cannot be run, or the file cannot be written; all units before the one that failed are written.
pub fn run(
    sweeper: &Sweeper<'_>,
    header: &Header,
    writer: &mut Writer,
    jobs: usize,
    mut done: impl FnMut(&[Line]),
) -> Result<(), SweepError> {
    let units: Vec<u64> = units_of(header).skip(usize::try_from(writer.done()).unwrap_or(usize::MAX)).collect();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, units.len().max(1)) {
            let (sender, units, next, stop) = (sender.clone(), &units, &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = units.get(place) else { break };
                    if sender.send((place, sweeper.unit(*unit))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut written = 0;
        let mut write = |place, lines| -> Result<(), SweepError> {
            waiting.insert(place, lines);
            while let Some(lines) = waiting.remove(&written) {
                let lines: Vec<Line> = lines?;
                writer.unit(&lines)?;
                done(&lines);
                written += 1;
            }
            Ok(())
        };
        let result = receiver.iter().try_for_each(|(place, lines)| write(place, lines));
        stop.store(true, Ordering::Relaxed);
        result
    })
}
