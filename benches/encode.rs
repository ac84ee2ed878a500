//! Assembling files: `vop3p encode` beside `llvm-mc -show-encoding` on the same files, both as whole processes that write
//! a file.
//!
//! `cargo bench --bench encode`

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use vop3p::asm::{assemble, print};
use vop3p::campaign::{Draw, Generator};
use vop3p::codec::{Style, decode};
use vop3p::isa::Target;
use vop3p::oracle::llvm::{Choice, Llvm};

/// Lines of all files together.
const LINES: usize = 100_000;

/// One file each.
const CPUS: [&str; 8] = ["gfx900", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250"];

/// Of which the median counts.
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let llvm = Llvm::find(&Choice::or_environment(None))?;
    let dir = tempfile::tempdir()?;
    let mut files = Vec::new();
    for cpu in CPUS {
        let target: Target = cpu.parse()?;
        let path = dir.path().join(format!("{cpu}.s"));
        fs::write(&path, lines(&llvm, target, LINES / CPUS.len())?)?;
        files.push((cpu, path));
    }
    let triple = "-triple=amdgcn".to_owned();
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut our_time, mut their_time) = (0.0, 0.0);
        for (cpu, path) in &files {
            our_time += time(Path::new(env!("CARGO_BIN_EXE_vop3p")), &["encode", "-t", cpu, "-f"], path)?;
            let cpu = format!("-mcpu={cpu}");
            their_time += time(&llvm.mc, &[&triple, &cpu, "-show-encoding"], path)?;
        }
        ours.push(our_time);
        theirs.push(their_time);
        ratios.push(their_time / our_time);
    }
    println!("files    {} with {LINES} lines together, LLVM {}", files.len(), llvm.version);
    println!("ours     {:.0} ms (median of {ROUNDS} rounds)", median(&mut ours) * 1e3);
    println!("llvm-mc  {:.0} ms", median(&mut theirs) * 1e3);
    println!("ratio    llvm-mc / ours = {:.1}", median(&mut ratios));
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Lines that both assemble, drawn from all families of the target.
fn lines(llvm: &Llvm, target: Target, count: usize) -> Result<String, Box<dyn Error>> {
    let generator = Generator::new(target);
    let mut draw = Draw::new(target.place() as u64);
    let mut text = String::new();
    let mut left = count;
    while left > 0 {
        let mut drawn = Vec::new();
        while drawn.len() < 2 * left {
            let Ok(decoded) = decode(target, &generator.window(&mut draw)) else { continue };
            let line = print(target, &decoded.instruction);
            if decoded.notes.is_legal() && assemble(target, &line, Style::Llvm).is_ok() {
                drawn.push(line);
            }
        }
        let cpu = vop3p::oracle::llvm::Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
        let answers = llvm.assemble(cpu, &drawn, &Default::default())?.lines;
        let both = drawn.iter().zip(&answers).filter(|(_, answer)| answer.bytes().is_some());
        for (line, _) in both.take(left) {
            writeln!(text, "{line}")?;
            left -= 1;
        }
    }
    Ok(text)
}

/// Wall time of one process, its output in a file.
fn time(program: &Path, args: &[&str], file: &Path) -> Result<f64, Box<dyn Error>> {
    let (output, errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let start = Instant::now();
    let mut command = Command::new(program);
    let status = command
        .args(args)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::from(output))
        .stderr(Stdio::from(errors))
        .status()?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() { Ok(seconds) } else { Err(format!("{}: {status}", program.display()).into()) }
}
