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
use shared::{Run, answered, give_up, keep, stop};
use vop3p::campaign::{Campaign, Input};
use vop3p::judge::Judge;
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
    let Some(judgement) = answered(run.campaign.judge_input(input)) else { return };
    let summary = run.campaign.summary();
    run.show(&summary);
    keep(judgement.new.iter().map(|judged| json_line(judgement.target, judged, &run.version)));
    let smallest = run.campaign.smallest(&judgement).unwrap_or_else(|error| give_up(&error.to_string()));
    if let Some((small, finding)) = smallest {
        let text = block(judgement.target, &small, &finding, &run.version);
        stop(&text, judgement.new.len(), "windows", &summary);
    }
}
