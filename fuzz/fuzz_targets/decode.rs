//! The property: on every target, our decoder and LLVM's two disassemblers agree about every VOP3P window, or the
//! ledger knows why not; and of what decodes to an elementwise instruction, exec and MPFR compute the same.
//!
//! Each is executed once, with operands, MODE and readings drawn from the bytes of the input.
//!
//! The input format is that of `vop3p::campaign::Input`. `VOP3P_LLVM` chooses the LLVM (a version or a path),
//! `VOP3P_LEDGER` adds a directory of private ledger files. The summary goes to standard error every few seconds and to
//! `fuzz/state/decode.txt` after every input, since libFuzzer ends a process without ceremony.

#![no_main]

mod shared;
mod values;
mod windows;

use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use shared::{Run, give_up, keep, stop};
use values::{keep_values, stop_at_value};
use vop3p::campaign::values::ValueCampaign;
use vop3p::campaign::{Campaign, Input, seed_of};
use vop3p::judge::Judge;
use vop3p::report::finding::{block, json_line};
use windows::{Asking, answered};

/// Both campaigns over the same windows.
struct Both {
    encoding: Campaign<'static>,
    values: ValueCampaign,
}

static RUN: OnceLock<Mutex<Run<Asking<Both>>>> = OnceLock::new();

fuzz_target!(
    init: {
        let run = windows::start("decode", |llvm, ledger| Both {
            encoding: Campaign::new(Judge::new(llvm, ledger)),
            values: ValueCampaign::default(),
        });
        _ = RUN.set(Mutex::new(run));
    },
    |data: &[u8]| {
        let Some(mut run) = RUN.get().and_then(|run| run.lock().ok()) else { return };
        if run.is_another(data) {
            step(&mut run, data);
        }
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    windows::mutate(data, size, max_size, seed)
});

fn step(run: &mut Run<Asking<Both>>, data: &[u8]) {
    let Asking { campaign: Both { encoding, values }, version } = &mut run.campaign;
    let Some(judgement) = answered(encoding.judge_input(&Input::from_any(data))) else { return };
    let differing = values.judge_windows(judgement.target, &judgement.windows, seed_of(data));
    let summary = format!("{}, {}", encoding.summary(), values.stats().in_short());
    keep(judgement.new.iter().map(|judged| json_line(judgement.target, judged, version)));
    keep_values(values, &differing);
    let smallest = encoding.smallest(&judgement).unwrap_or_else(|error| give_up(&error.to_string()));
    let text = smallest.map(|(small, finding)| block(judgement.target, &small, &finding, version));
    run.show(&summary);
    if let Some(text) = text {
        stop(&text, judgement.new.len(), "windows", &summary);
    }
    stop_at_value(&mut run.campaign.campaign.values, &differing, "values", &summary);
}
