//! What judging costs beside the tools: CPU of ourselves and of the children, divided by the CPU of the tools alone on
//! the same batches.
//!
//! `cargo bench --bench differential`; reads CPU times from `/proc`, so Linux only.

use std::error::Error;
use std::fs;

use vop3p::campaign::{Campaign, Expander};
use vop3p::compare::as_read;
use vop3p::isa::Target;
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Cpu, Hint, Llvm, Options};

/// Windows of one batch, as in the fuzz target.
const BATCH: usize = 4000;

/// Rounds over all targets.
const ROUNDS: u64 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let llvm = Llvm::find(&Choice::or_environment(None))?;
    let ledger = Ledger::builtin()?;
    let judge = Judge::new(&llvm, &ledger);
    let version = judge.version();
    let mut batches = Vec::new();
    for round in 0..ROUNDS {
        for target in Target::distinct() {
            let mut windows = Expander::new(judge).batch(target, round * 100 + target.place() as u64, BATCH);
            // A death costs a run of its own, which the tools alone do not have.
            let entries = ledger.on(target, &version);
            windows.retain(|window| !entries.is_deadly(&as_read(window, true)));
            batches.push((target, windows));
        }
    }

    // Whole batches of the two in turn, so that a noisy machine is noisy for both.
    let mut campaign = Campaign::new(judge);
    let (mut ours, mut alone) = (0.0, 0.0);
    for (target, windows) in &batches {
        let before = cpu_seconds()?;
        campaign.judge_batch(*target, windows)?;
        let between = cpu_seconds()?;
        ours += between.all() - before.all();

        let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
        let hints = vec![Hint::Unsure; windows.len()];
        let prepared = llvm.prepare(cpu, windows, &hints, &Options::default())?;
        let before = cpu_seconds()?;
        prepared.run_tools_alone()?;
        alone += cpu_seconds()?.children - before.children;
    }
    let windows = campaign.stats().windows;
    println!("windows              {windows} in batches of {BATCH}, LLVM {version}");
    println!("judging, all CPU     {ours:.2} s, {:.2} us a window", ours * 1e6 / windows as f64);
    println!("tools alone, CPU     {alone:.2} s, {:.2} us a window", alone * 1e6 / windows as f64);
    println!("ratio                {:.3}", ours / alone);
    Ok(())
}

struct CpuTimes {
    own: f64,
    children: f64,
}

impl CpuTimes {
    fn all(&self) -> f64 {
        self.own + self.children
    }
}

/// User and system time of this process and of the children it has waited for; fields 14 to 17 of `stat`, in ticks of
/// 10 ms.
fn cpu_seconds() -> Result<CpuTimes, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: Vec<f64> = after_name.split_whitespace().skip(11).take(4).filter_map(|n| n.parse().ok()).collect();
    match ticks[..] {
        [user, system, child_user, child_system] => {
            Ok(CpuTimes { own: (user + system) / 100.0, children: (child_user + child_system) / 100.0 })
        }
        _ => Err("/proc/self/stat has not the fields it should have".into()),
    }
}
