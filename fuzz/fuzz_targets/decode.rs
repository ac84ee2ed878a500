//! The property: on every target, our decoder and LLVM's two disassemblers agree about every VOP3P window, or the
//! ledger knows why not.
//!
//! The input format is that of `vop3p::campaign::Input`. `VOP3P_LLVM` chooses the LLVM (a version or a path),
//! `VOP3P_LEDGER` adds a directory of private ledger files. The summary goes to standard error every few seconds and to
//! `fuzz/state/decode.txt` after every input, since libFuzzer ends a process without ceremony.

#![no_main]

mod shared;

use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use shared::{Run, STATE, give_up, leave};
use vop3p::campaign::{Campaign, Input};
use vop3p::judge::Judge;
use vop3p::oracle::llvm::LlvmError;
use vop3p::report::finding::{block, json_line};

static RUN: OnceLock<Mutex<Run<Campaign<'static>>>> = OnceLock::new();

fuzz_target!(
    init: {
        _ = RUN.set(Mutex::new(shared::start("decode", |llvm, ledger| Campaign::new(Judge::new(llvm, ledger)))));
    },
    |data: &[u8]| {
        let Some(mut run) = RUN.get().and_then(|run| run.lock().ok()) else { return };
        if run.is_another(data) {
            step(&mut run, &Input::from_any(data));
        }
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    shared::mutate(data, size, max_size, seed)
});

fn step(run: &mut Run<Campaign<'_>>, input: &Input) {
    let judgement = match run.campaign.judge_input(input) {
        Ok(judgement) => judgement,
        // This LLVM does not know the processor: nothing to compare with.
        Err(LlvmError::UnknownCpu { .. }) => return,
        Err(error) => give_up(&error.to_string()),
    };
    let summary = run.campaign.summary();
    run.show(&summary);
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
