//! `vop3p roundtrip`.

use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use vop3p::campaign::{Broken, round_trips};
use vop3p::isa::Target;
use vop3p::report::finding::SCHEMA;

use super::out::Out;
use super::{Exit, Failure};

const EXAMPLES: &str = "\
Examples:
  vop3p roundtrip
  vop3p roundtrip --cases 100000000
  vop3p roundtrip -t gfx950,gfx1200:w64 --seed 7";

/// Legal words of one piece of work.
const PIECE: u64 = 20_000;

/// Send legal words there and back: to bytes and to text, without LLVM
///
/// Each word decodes to an instruction that must encode to the same bits (but for the ignored ones), decode again to
/// itself, and read again from its own text. Exit code 1 if one does not.
#[derive(ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Targets, several separated by commas, or the option repeated; without it all, in every wave size that matters
    #[arg(short, long = "target", value_name = "TARGET", value_delimiter = ',')]
    targets: Vec<Target>,

    /// How many legal words, over all targets
    #[arg(long, default_value_t = 1_000_000)]
    cases: u64,

    /// Seed of the words
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let targets: Vec<Target> =
        if args.targets.is_empty() { Target::distinct().collect() } else { args.targets.clone() };
    let pieces = args.cases.div_ceil(PIECE);
    let bar = ProgressBar::with_draw_target(Some(args.cases), ProgressDrawTarget::stderr_with_hz(4));
    if !stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // The template is a constant; were it wrong, the default would do.
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}% {human_pos} words, {eta} left") {
        bar.set_style(style);
    }
    let started = Instant::now();
    let (next, drawn) = (AtomicU64::new(0), AtomicU64::new(0));
    let (sender, broken) = mpsc::channel::<Box<Broken>>();
    let work = |sender: mpsc::Sender<Box<Broken>>| {
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return;
            }
            let target = targets[(piece % targets.len() as u64) as usize];
            let cases = PIECE.min(args.cases - piece * PIECE);
            match round_trips(target, args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(piece), cases) {
                Ok(words) => _ = drawn.fetch_add(words, Ordering::Relaxed),
                // One is enough: the others stop at their next piece.
                Err(broken) => {
                    next.store(pieces, Ordering::Relaxed);
                    _ = sender.send(broken);
                }
            }
            bar.inc(cases);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| _ = scope.spawn(|| work(sender.clone()))));
    drop(sender);
    bar.finish_and_clear();
    let broken: Vec<String> = broken.iter().map(|broken| broken.to_string()).collect();
    let (drawn, seconds) = (drawn.into_inner(), started.elapsed());
    if args.json {
        out.line(json!({
            "schema": SCHEMA,
            "seed": args.seed,
            "cases": args.cases,
            "drawn": drawn,
            "targets": targets.len(),
            "broken": broken,
        }));
    } else if broken.is_empty() {
        out.line(format_args!(
            "{} legal words of {drawn} drawn on {} targets came back, in {}",
            args.cases,
            targets.len(),
            in_seconds(seconds)
        ));
    } else {
        broken.iter().for_each(|line| out.line(line));
    }
    Ok(Exit::new_if(!broken.is_empty()))
}

fn in_seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
