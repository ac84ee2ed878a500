//! The property: on every target, our decoder and LLVM's two disassemblers agree about every VOP3P window, or the
//! ledger knows why not.
//!
//! The input format is that of `vop3p::campaign::Input`. `VOP3P_LLVM` chooses the LLVM (a version or a path),
//! `VOP3P_LEDGER` adds a directory of private ledger files. The summary goes to standard error every few seconds and to
//! `fuzz/state/decode.txt` after every input, since libFuzzer ends a process without ceremony.

#![no_main]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use vop3p::campaign::{Campaign, Input};
use vop3p::isa::{PROCESSOR_COUNT, Target};
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Llvm, LlvmError};
use vop3p::report::finding::{block, json_line};

/// Where the summary and the findings are left.
const STATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/state");

/// Seconds between two summaries on standard error.
const PAUSE: Duration = Duration::from_secs(5);

struct Run {
    campaign: Campaign<'static>,
    version: String,
    shown: Instant,
    /// libFuzzer repeats an input when it suspects a leak; a repetition is not judged again.
    last: Vec<u8>,
}

static RUN: OnceLock<Mutex<Run>> = OnceLock::new();
static NEXT_TARGET: AtomicUsize = AtomicUsize::new(0);

fuzz_target!(
    init: {
        _ = RUN.set(Mutex::new(start()));
    },
    |data: &[u8]| {
        let Some(mut run) = RUN.get().and_then(|run| run.lock().ok()) else { return };
        if run.last != data {
            run.last = data.to_vec();
            step(&mut run, &Input::from_any(data));
        }
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let next = NEXT_TARGET.fetch_add(1, Ordering::Relaxed) % PROCESSOR_COUNT;
    let Some(target) = Target::from_index(next) else { return size };
    let bytes = Input::from_any(&data[..size]).mutated(target, u64::from(seed)).write();
    let kept = bytes.len().min(max_size).min(data.len());
    data[..kept].copy_from_slice(&bytes[..kept]);
    kept
});

fn start() -> Run {
    let llvm = Llvm::find(&Choice::or_environment(None)).unwrap_or_else(|error| give_up(&error.to_string()));
    let mut ledger = Ledger::builtin().unwrap_or_else(|error| give_up(&error.to_string()));
    if let Some(dir) = std::env::var_os("VOP3P_LEDGER") {
        ledger.add_dir(Path::new(&dir)).unwrap_or_else(|error| give_up(&error.to_string()));
    }
    if let Err(error) = fs::create_dir_all(STATE) {
        give_up(&format!("{STATE}: {error}"));
    }
    // What an earlier run found is no finding of this one.
    for name in ["findings.jsonl", "finding.txt", "decode.txt"] {
        _ = fs::remove_file(Path::new(STATE).join(name));
    }
    let (llvm, ledger): (&'static Llvm, &'static Ledger) = (Box::leak(Box::new(llvm)), Box::leak(Box::new(ledger)));
    let version = llvm.version.to_string();
    eprintln!("vop3p: decode against LLVM {version}, all {PROCESSOR_COUNT} targets");
    Run { campaign: Campaign::new(Judge::new(llvm, ledger)), version, shown: Instant::now(), last: Vec::new() }
}

fn give_up(message: &str) -> ! {
    eprintln!("vop3p: {message}");
    std::process::exit(3)
}

fn step(run: &mut Run, input: &Input) {
    let judgement = match run.campaign.judge_input(input) {
        Ok(judgement) => judgement,
        // This LLVM does not know the processor: nothing to compare with.
        Err(LlvmError::UnknownCpu { .. }) => return,
        Err(error) => give_up(&error.to_string()),
    };
    let summary = run.campaign.summary();
    leave("decode.txt", &summary, false);
    if run.shown.elapsed() > PAUSE {
        eprintln!("vop3p: {summary}");
        run.shown = Instant::now();
    }
    // All findings of the batch are on disk before the first of them ends the process.
    for judged in &judgement.new {
        leave("findings.jsonl", &json_line(judgement.target, judged, &run.version), true);
    }
    match run.campaign.smallest(&judgement) {
        Ok(None) => {}
        Ok(Some((judged, finding))) => {
            let text = block(judgement.target, &judged, &finding, &run.version);
            leave("finding.txt", &text, false);
            let count = judgement.new.len();
            panic!("{text}{count} windows of this batch have something new: {STATE}/findings.jsonl\n{summary}");
        }
        Err(error) => give_up(&error.to_string()),
    }
}

/// Writes a line to a file of the state directory.
fn leave(name: &str, line: &str, append: bool) {
    let path = Path::new(STATE).join(name);
    let file = fs::OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(&path);
    if let Err(error) = file.and_then(|mut file| writeln!(file, "{line}")) {
        eprintln!("vop3p: {}: {error}", path.display());
    }
}
