//! The property: of every elementwise instruction, on every target, under every MODE and every reading, exec and MPFR
//! compute the same bits, and rustc_apfloat too where its table says that it must.
//!
//! The input format is that of `vop3p::campaign::values::Input`. No LLVM is asked. The summary goes to standard error
//! every few seconds and to `fuzz/state/fma.txt` after every input.

#![no_main]

mod shared;
mod values;

use std::sync::{LazyLock, Mutex, OnceLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use shared::{Run, put};
use values::{keep_values, stop_at_value};
use vop3p::campaign::values::{Generator, Input, ValueCampaign};

static RUN: OnceLock<Mutex<Run<ValueCampaign>>> = OnceLock::new();

/// What mutation draws with.
static GENERATOR: LazyLock<Generator> = LazyLock::new(Generator::new);

fuzz_target!(
    init: {
        eprintln!("vop3p: fma against MPFR and apfloat, all targets");
        _ = RUN.set(Mutex::new(Run::new("fma", ValueCampaign::default())));
    },
    |data: &[u8]| {
        let Some(mut run) = RUN.get().and_then(|run| run.lock().ok()) else { return };
        if run.is_another(data) {
            step(&mut run, &Input::from_any(data));
        }
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    put(&Input::from_any(&data[..size]).mutated(u64::from(seed), &GENERATOR).write(), data, max_size)
});

fn step(run: &mut Run<ValueCampaign>, input: &Input) {
    let differing = run.campaign.judge_input(input);
    let summary = run.campaign.summary();
    run.show(&summary);
    keep_values(&mut run.campaign, &differing);
    stop_at_value(&mut run.campaign, &differing, "cases", &summary);
}
