//! What the fuzz targets that sum up have in common: the tools, the ledger, the state directory and the mutator.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use vop3p::campaign::Input;
use vop3p::campaign::values::{ValueCampaign, ValueFinding};
use vop3p::isa::Target;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Llvm, LlvmError};
use vop3p::report::value_finding::value_block;

/// Where the summary and the findings are left.
const STATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/state");

/// Seconds between two summaries on standard error.
const PAUSE: Duration = Duration::from_secs(5);

/// One fuzz target at work.
pub struct Run<C> {
    /// The campaign.
    pub campaign: C,
    /// The version of LLVM.
    pub version: String,
    name: &'static str,
    shown: Instant,
    /// libFuzzer repeats an input when it suspects a leak; a repetition is not judged again.
    last: Vec<u8>,
}

/// Finds LLVM, loads the ledger, and begins a run.
pub fn start<C>(name: &'static str, campaign: impl FnOnce(&'static Llvm, &'static Ledger) -> C) -> Run<C> {
    let llvm = Llvm::find(&Choice::or_environment(None)).unwrap_or_else(|error| give_up(&error.to_string()));
    let mut ledger = Ledger::builtin().unwrap_or_else(|error| give_up(&error.to_string()));
    if let Some(dir) = std::env::var_os("VOP3P_LEDGER") {
        ledger.add_dir(Path::new(&dir)).unwrap_or_else(|error| give_up(&error.to_string()));
    }
    let (llvm, ledger): (&'static Llvm, &'static Ledger) = (Box::leak(Box::new(llvm)), Box::leak(Box::new(ledger)));
    let version = llvm.version.to_string();
    eprintln!("vop3p: {name} against LLVM {version}, all {} targets", Target::DISTINCT);
    Run::new(name, version, campaign(llvm, ledger))
}

/// Ends the process: LLVM cannot be asked.
pub fn give_up(message: &str) -> ! {
    eprintln!("vop3p: {message}");
    std::process::exit(3)
}

impl<C> Run<C> {
    /// A run that has judged nothing yet. Clears what an earlier run of the target left.
    pub fn new(name: &'static str, version: String, campaign: C) -> Self {
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
        Self { campaign, version, name, shown: Instant::now(), last: Vec::new() }
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

/// What came of a question to LLVM; nothing where this LLVM does not know the processor, so that there is nothing to
/// compare with.
pub fn answered<T>(answer: Result<T, LlvmError>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(LlvmError::UnknownCpu { .. }) => None,
        Err(error) => give_up(&error.to_string()),
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

/// Ends the process with the first of some differences between values, made small, if there is one.
pub fn stop_at_value(campaign: &mut ValueCampaign, findings: &[ValueFinding], what: &str, summary: &str) {
    let Some(first) = findings.first() else { return };
    let lines: Vec<String> = findings.iter().map(|finding| campaign.json_line(finding)).collect();
    keep(lines.into_iter());
    let (small, difference) = campaign.smallest(first);
    stop(&value_block(&small, &difference), findings.len(), what, summary);
}

/// The mutator of windows: an input close to the one in `data`, of the next target. How long it is.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    static NEXT_TARGET: AtomicUsize = AtomicUsize::new(0);
    let target = Target::from_place(NEXT_TARGET.fetch_add(1, Ordering::Relaxed));
    put(&Input::from_any(&data[..size]).mutated(target, u64::from(seed)).write(), data, max_size)
}

/// Writes an input where libFuzzer wants it. How long it is there.
pub fn put(bytes: &[u8], data: &mut [u8], max_size: usize) -> usize {
    let kept = bytes.len().min(max_size).min(data.len());
    data[..kept].copy_from_slice(&bytes[..kept]);
    kept
}
