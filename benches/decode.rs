//! Our decoder alone, in windows a second on one core, beside llvm-mc's batch time on the same windows.
//!
//! `cargo bench --bench decode`

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use vop3p::campaign::{Draw, Generator};
use vop3p::codec::{Window, decode};
use vop3p::compare::as_read;
use vop3p::isa::Target;
use vop3p::oracle::llvm::{Choice, Llvm};

/// Windows of each target.
const PER_TARGET: usize = 20_000;

/// How long our decoder is timed, and in how many rounds, of which the median counts.
const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_millis(400);

fn main() -> Result<(), Box<dyn Error>> {
    let batches: Vec<(Target, Vec<Window>)> = Target::distinct().map(|target| (target, windows(target))).collect();
    let mut rates: Vec<f64> = (0..ROUNDS).map(|_| our_rate(&batches)).collect();
    rates.sort_by(f64::total_cmp);
    let ours = rates[ROUNDS / 2];
    println!("ours     {:.1} million windows/s on one core (median of {ROUNDS} rounds)", ours / 1e6);

    let llvm = Llvm::find(&Choice::or_environment(None))?;
    let mut seconds = 0.0;
    let mut count = 0;
    for cpu in ["gfx906", "gfx90a", "gfx1030", "gfx1100", "gfx1200", "gfx1250"] {
        let target: Target = cpu.parse()?;
        let Some((_, windows)) = batches.iter().find(|(other, _)| *other == target) else { continue };
        seconds += time_of_llvm_mc(&llvm, target, windows)?;
        count += windows.len();
    }
    let theirs = count as f64 / seconds;
    println!("llvm-mc  {:.3} million windows/s, {} batches of {PER_TARGET} (LLVM {})", theirs / 1e6, 6, llvm.version);
    println!("ratio    ours / llvm-mc = {:.0}", ours / theirs);
    Ok(())
}

/// Windows as they are decoded, without those that name selector 255 where it kills LLVM.
fn windows(target: Target) -> Vec<Window> {
    let generator = Generator::new(target);
    let mut draw = Draw::new(target.place() as u64);
    let mut windows = Vec::with_capacity(PER_TARGET);
    while windows.len() < PER_TARGET {
        let window = as_read(&generator.window(&mut draw), true);
        let upper = window.dword(1).unwrap_or(0);
        let names_literal = [0, 9, 18].iter().any(|shift| upper >> shift & 0x1ff == 255);
        if target.rules().literal || !names_literal {
            windows.push(window);
        }
    }
    windows
}

fn our_rate(batches: &[(Target, Vec<Window>)]) -> f64 {
    let start = Instant::now();
    let mut decoded = 0_u64;
    while start.elapsed() < ROUND {
        for (target, windows) in batches {
            for window in windows {
                _ = black_box(decode(*target, black_box(window)));
            }
            decoded += windows.len() as u64;
        }
    }
    decoded as f64 / start.elapsed().as_secs_f64()
}

/// Wall time of one llvm-mc over all windows, input and output in files.
fn time_of_llvm_mc(llvm: &Llvm, target: Target, windows: &[Window]) -> Result<f64, Box<dyn Error>> {
    let mut input = tempfile::NamedTempFile::new()?;
    for window in windows {
        let bytes: Vec<String> = window.bytes().map(|byte| format!("0x{byte:02x}")).collect();
        writeln!(input, "[{}]", bytes.join(","))?;
    }
    input.flush()?;
    let start = Instant::now();
    Command::new(&llvm.mc)
        .args(["-disassemble", "-triple=amdgcn", &format!("-mcpu={}", target.cpu())])
        .stdin(fs::File::open(input.path())?)
        .stdout(Stdio::from(tempfile::tempfile()?))
        .stderr(Stdio::from(tempfile::tempfile()?))
        .status()?;
    Ok(start.elapsed().as_secs_f64())
}
