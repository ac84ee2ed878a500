//! The property: of every instruction our printer writes, our assembler and LLVM's make the same bytes, and refuse the
//! same; and LLVM's assembler makes of what its disassembler prints the word it was printed for. Or the ledger knows why
//! not.
//!
//! Input, environment and state files are those of the target `decode`; the summary is in `fuzz/state/encode.txt`.

#![no_main]

mod shared;

use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use shared::{Run, STATE, give_up, leave};
use vop3p::assembling::TextJudge;
use vop3p::campaign::{Input, TextCampaign};
use vop3p::judge::Judge;
use vop3p::oracle::llvm::LlvmError;
use vop3p::report::text_finding::{text_block, text_json_line};

static RUN: OnceLock<Mutex<Run<TextCampaign<'static>>>> = OnceLock::new();

fuzz_target!(
    init: {
        let run = shared::start("encode", |llvm, ledger| {
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
    shared::mutate(data, size, max_size, seed)
});

fn step(run: &mut Run<TextCampaign<'_>>, input: &Input) {
    let judgement = match run.campaign.judge_input(input) {
        Ok(judgement) => judgement,
        // This LLVM does not know the processor: nothing to compare with.
        Err(LlvmError::UnknownCpu { .. }) => return,
        Err(error) => give_up(&error.to_string()),
    };
    let summary = run.campaign.summary();
    run.show(&summary);
    // All findings of the batch are on disk before the first of them ends the process.
    for new in &judgement.new {
        leave("findings.jsonl", &text_json_line(judgement.target, new, &run.version), true);
    }
    match run.campaign.smallest(&judgement) {
        Ok(None) => {}
        Ok(Some((new, finding))) => {
            let text = text_block(judgement.target, &new, &finding, &run.version);
            leave("finding.txt", &text, false);
            let count = judgement.new.len();
            panic!("{text}{count} lines of this batch have something new: {STATE}/findings.jsonl\n{summary}");
        }
        Err(error) => give_up(&error.to_string()),
    }
}
