//! The property: of every instruction our printer writes, our assembler and LLVM's make the same bytes, and refuse the
//! same; and LLVM's assembler makes of what its disassembler prints the word it was printed for. Or the ledger knows why
//! not.
//!
//! Input, environment and state files are those of the target `decode`; the summary is in `fuzz/state/encode.txt`.

#![no_main]

mod shared;
mod windows;

use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use shared::{Run, give_up, keep, stop};
use vop3p::assembling::TextJudge;
use vop3p::campaign::{Input, TextCampaign};
use vop3p::judge::Judge;
use vop3p::report::text_finding::{text_block, text_json_line};
use windows::{Asking, answered};

static RUN: OnceLock<Mutex<Run<Asking<TextCampaign<'static>>>>> = OnceLock::new();

fuzz_target!(
    init: {
        let run = windows::start("encode", |llvm, ledger| {
            TextCampaign::new(TextJudge::new(llvm, ledger), Judge::new(llvm, ledger))
        });
        _ = RUN.set(Mutex::new(run));
    },
    |data: &[u8]| {
        let Some(mut run) = RUN.get().and_then(|run| run.lock().ok()) else { return };
        if run.is_another(data) {
            step(&mut run, &Input::from_any(data));
        }
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    windows::mutate(data, size, max_size, seed)
});

fn step(run: &mut Run<Asking<TextCampaign<'static>>>, input: &Input) {
    let Some(judgement) = answered(run.campaign.campaign.judge_input(input)) else { return };
    let summary = run.campaign.campaign.summary();
    run.show(&summary);
    let Asking { campaign, version } = &run.campaign;
    keep(judgement.new.iter().map(|new| text_json_line(judgement.target, new, version)));
    let smallest = campaign.smallest(&judgement).unwrap_or_else(|error| give_up(&error.to_string()));
    if let Some((small, finding)) = smallest {
        let text = text_block(judgement.target, &small, &finding, version);
        stop(&text, judgement.new.len(), "lines", &summary);
    }
}
