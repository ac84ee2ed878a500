//! What the fuzz targets that sum up have in common: the state directory, the summary and the end with a finding.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Where the summary and the findings are left.
const STATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/state");

/// Seconds between two summaries on standard error.
const PAUSE: Duration = Duration::from_secs(5);

/// One fuzz target at work.
pub struct Run<C> {
    /// The campaign.
    pub campaign: C,
    name: &'static str,
    shown: Instant,
    /// libFuzzer repeats an input when it suspects a leak; a repetition is not judged again.
    last: Vec<u8>,
}

/// Ends the process: nothing can be judged.
pub fn give_up(message: &str) -> ! {
    eprintln!("vop3p: {message}");
    std::process::exit(3)
}

impl<C> Run<C> {
    /// A run that has judged nothing yet. Clears what an earlier run of the target left.
    pub fn new(name: &'static str, campaign: C) -> Self {
        if let Err(error) = fs::create_dir_all(STATE) {
            give_up(&format!("{STATE}: {error}"));
        }
        // What an earlier run found is no finding of this one. cargo-fuzz starts the target once more to describe the
        // input of a finding; that process must leave the finding alone.
        if std::env::var_os("RUST_LIBFUZZER_DEBUG_PATH").is_none() {
            for name in ["findings.jsonl", "finding.txt", &format!("{name}.txt")] {
                _ = fs::remove_file(Path::new(STATE).join(name));
            }
        }
        Self { campaign, name, shown: Instant::now(), last: Vec::new() }
    }

    /// Whether the input is another one than before.
    pub fn is_another(&mut self, data: &[u8]) -> bool {
        let is_another = self.last != data;
        self.last = data.to_vec();
        is_another
    }

    /// Leaves the summary, and shows it now and then.
    pub fn show(&mut self, summary: &str) {
        leave(&format!("{}.txt", self.name), summary, false);
        if self.shown.elapsed() > PAUSE {
            eprintln!("vop3p: {summary}");
            self.shown = Instant::now();
        }
    }
}

/// Puts all findings of a batch on disk, before the first of them ends the process.
pub fn keep(lines: impl Iterator<Item = String>) {
    lines.for_each(|line| leave("findings.jsonl", &line, true));
}

/// Ends the process with a finding, one of so many of `what`.
pub fn stop(finding: &str, count: usize, what: &str, summary: &str) -> ! {
    leave("finding.txt", finding, false);
    panic!("{finding}{count} {what} of this batch have something new: {STATE}/findings.jsonl\n{summary}");
}

/// Writes a line to a file of the state directory.
fn leave(name: &str, line: &str, append: bool) {
    let path = Path::new(STATE).join(name);
    let file = fs::OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(&path);
    if let Err(error) = file.and_then(|mut file| writeln!(file, "{line}")) {
        eprintln!("vop3p: {}: {error}", path.display());
    }
}

/// Writes an input where libFuzzer wants it. How long it is there.
pub fn put(bytes: &[u8], data: &mut [u8], max_size: usize) -> usize {
    let kept = bytes.len().min(max_size).min(data.len());
    data[..kept].copy_from_slice(&bytes[..kept]);
    kept
}
