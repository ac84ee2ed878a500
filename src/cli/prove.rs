//! `vop3p prove`: the arithmetic, proven by exhaustion.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::prove::{Part, Prover, Record, RecordError, source_hash};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p prove                          every part, from where it was left; days on one core
  vop3p prove a-small c-sums-rne       some parts
  vop3p prove --sample                 the smallest part whole, a sample of the others; minutes
  vop3p prove --check                  what is proven of the arithmetic as it is

Ctrl-C loses at most the chunks at work. A build for this machine is several times as fast:
  RUSTFLAGS='-C target-cpu=native' cargo run --release -- prove";

/// Prove the f16 arithmetic by exhaustion, resumably
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Parts: a-small, b-add-rne, b-mul-up, c-products, c-sums-zero, ...; without any all of them
    #[arg(value_name = "PART")]
    parts: Vec<Part>,

    /// Where the records are
    #[arg(long, value_name = "DIR", default_value = "proofs")]
    dir: PathBuf,

    /// Threads; without it as many as the machine has cores
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Judge the smallest part and a sample of each of the others, and keep no record
    #[arg(long, conflicts_with = "check")]
    sample: bool,

    /// Say which parts the records prove of the arithmetic as it is; exits with 1 unless all named are
    #[arg(long)]
    check: bool,

    /// Start again where a record speaks of another source
    #[arg(long, conflicts_with_all = ["check", "sample"])]
    restart: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    schema: u32,
    arithmetic_sha256: String,
    parts: Vec<PartView>,
}

#[derive(Serialize)]
struct PartView {
    part: String,
    claim: String,
    cases: u64,
    wrong: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    flaw: Option<String>,
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::input(error.to_string())
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let parts = if args.parts.is_empty() { Part::all() } else { args.parts.clone() };
    let views = if args.check {
        parts.iter().map(|part| check(args, *part)).collect::<Result<Vec<_>, _>>()?
    } else {
        let prover = Prover::default();
        let prove =
            |part: &Part| if args.sample { Ok(sample(args, &prover, *part)) } else { prove(args, &prover, *part) };
        parts.iter().map(prove).collect::<Result<Vec<_>, _>>()?
    };
    let has_flaw = views.iter().any(|view| view.flaw.is_some());
    if args.json {
        out.json(&Answer { schema: SCHEMA, arithmetic_sha256: source_hash(), parts: views })?;
    } else {
        for view in &views {
            let state =
                view.flaw.as_deref().unwrap_or(if args.sample { "nothing wrong in the sample" } else { "proven" });
            out.line(format_args!("{:<16} {:>16} cases  {state}", view.part, view.cases));
        }
    }
    Ok(Exit::new_if(has_flaw))
}

fn view(part: Part, record: &Record, flaw: Option<String>) -> PartView {
    PartView { part: part.to_string(), claim: part.claim(), cases: record.cases, wrong: record.wrong, flaw }
}

fn check(args: &Args, part: Part) -> Result<PartView, Failure> {
    Ok(match Record::load(&args.dir, part)? {
        Some(record) => view(part, &record, record.flaw(part)),
        None => view(part, &Record::new(part), Some("there is no record".to_owned())),
    })
}

fn sample(args: &Args, prover: &Prover, part: Part) -> PartView {
    let mut record = Record::new(part);
    // Of each part but the smallest some chunks, and of those of products one in a thousand.
    let stride = match part {
        Part::Small | Part::Specials(_) => 1,
        Part::Pairs(..) | Part::Products => 61,
        Part::Sums(_) | Part::Flush(_) => 101,
    };
    let chunks: Vec<usize> = (0..part.chunks()).step_by(stride).collect();
    let mut keep = |record: &mut Record| _ = record;
    work(args, prover, part, &chunks, 1000, &mut record, &mut keep);
    let flaw = (record.wrong > 0).then(|| record.flaw(part)).flatten();
    view(part, &record, flaw)
}

fn prove(args: &Args, prover: &Prover, part: Part) -> Result<PartView, Failure> {
    let mut record = Record::load(&args.dir, part)?.unwrap_or_else(|| Record::new(part));
    if record.arithmetic_sha256 != source_hash() {
        if !args.restart {
            let path = Record::path(&args.dir, part);
            let message = "speaks of another source of the arithmetic; --restart begins again";
            return Err(Failure::input(format!("{}: {message}", path.display())));
        }
        record = Record::new(part);
    }
    let done = record.done().unwrap_or_default();
    let chunks: Vec<usize> = (0..part.chunks()).filter(|chunk| !done.get(*chunk).is_some_and(|done| *done)).collect();
    let mut failed = None;
    let mut saved = Instant::now();
    work(args, prover, part, &chunks, 1, &mut record, &mut |record| {
        if saved.elapsed() > Duration::from_secs(10) {
            failed = record.save(&args.dir).err();
            saved = Instant::now();
        }
    });
    record.save(&args.dir)?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(view(part, &record, record.flaw(part))),
    }
}

/// Judges chunks on several threads; `keep` sees the record after each. A wrong case ends it.
fn work(
    args: &Args,
    prover: &Prover,
    part: Part,
    chunks: &[usize],
    sample: usize,
    record: &mut Record,
    keep: &mut (dyn FnMut(&mut Record) + Send),
) {
    let threads = args.threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1).max(1);
    let bar = ProgressBar::new(chunks.len() as u64);
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} chunks, {elapsed} gone, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_prefix(part.to_string());
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let shared = Mutex::new((record, keep));
    thread::scope(|scope| {
        for _ in 0..threads.min(chunks.len()) {
            scope.spawn(|| {
                while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let start = Instant::now();
                    let tally = prover.judge(part, *chunk, sample);
                    is_over.fetch_or(tally.wrong > 0, Ordering::Relaxed);
                    if let Ok(mut shared) = shared.lock() {
                        let (record, keep) = &mut *shared;
                        record.add(*chunk, tally, start.elapsed().as_secs_f64());
                        keep(record);
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
}
