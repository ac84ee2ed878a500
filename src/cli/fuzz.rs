//! `vop3p fuzz`: the campaign of the fuzz target `decode`, without libFuzzer and with a fixed seed.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::common::{Common, Exit, Failure};
use super::out::{Out, remark};
use vop3p::campaign::{Campaign, Judgement};
use vop3p::isa::Target;
use vop3p::judge::Judge;
use vop3p::oracle::llvm::LlvmError;
use vop3p::report::finding::{block, json_line};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p fuzz --windows 1000000 --seed 7
  vop3p fuzz -t gfx1100 -t gfx1250 --keep-going --findings new.jsonl
  vop3p fuzz --windows 10000000 --seed 7 --from 1200    go on after an interruption

The same seed, targets and windows give the same cases in the same order, batch by batch
(--batch windows of one target each). Where standard error is no terminal the summary goes there
every 10 seconds. A new finding stops the run at the end of its batch, unless --keep-going is
given; every window of the batch with something new is written to the findings file first.";

/// Time between two summaries where no progress bar can be drawn.
const PAUSE: Duration = Duration::from_secs(10);

/// Fuzz the decoder against LLVM with a fixed seed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Windows to judge
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    windows: u64,

    /// Seed of the generator
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Windows of one batch
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=8192))]
    batch: u32,

    /// Number of the first batch
    #[arg(long, value_name = "BATCH", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 48))]
    from: u64,

    /// Targets, in turn; several separated by commas, or the option repeated; without it all
    #[arg(short, long = "target", value_name = "TARGET", value_delimiter = ',')]
    targets: Vec<Target>,

    /// Go on after a new finding
    #[arg(long)]
    keep_going: bool,

    /// Append windows with something new to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    findings: Option<PathBuf>,

    /// Print the summary as JSON, and the first new finding of a batch, minimised, as a JSON line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    common: Common,
}

/// Runs the campaign.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let llvm = args.common.one_llvm("`vop3p fuzz`")?;
    let targets: Vec<Target> =
        if args.targets.is_empty() { Target::distinct().collect() } else { args.targets.clone() };
    let mut file = args.findings.as_deref().map(FindingsFile::open).transpose()?;

    let judge = Judge::new(&llvm, &ledger);
    let version = judge.version();
    let mut campaign = Campaign::new(judge);
    let progress = progress_bar(args.windows);
    let mut said = Instant::now();
    let mut batch = args.from;
    let mut asked = 0;
    let mut unknown = Vec::new();
    while asked < args.windows {
        let target = targets[(batch % targets.len() as u64) as usize];
        let count = u64::from(args.batch).min(args.windows - asked);
        let seed = args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(batch);
        let done = match campaign.judge_seed(target, seed, count as usize) {
            Ok(judgement) => report(args, &campaign, batch, &judgement, &version, file.as_mut(), out)
                .map(|()| !judgement.new.is_empty() && !args.keep_going),
            Err(LlvmError::UnknownCpu { .. }) => {
                if !unknown.contains(&target) {
                    unknown.push(target);
                }
                Ok(false)
            }
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(false) => {}
            Ok(true) => break,
            Err(failure) => {
                out.line(campaign.summary());
                out.line(format_args!("stopped in batch {batch}; to go on: --seed {} --from {batch}", args.seed));
                return Err(failure);
            }
        }
        if unknown.len() == targets.len() {
            return Err(Failure::oracle(format!("LLVM {version} knows none of these targets")));
        }
        batch += 1;
        asked += count;
        progress.set_position(asked);
        progress.set_message(format!("batch {batch}, new {}", campaign.stats().new));
        if said.elapsed() >= PAUSE && !stderr().is_terminal() {
            remark(&format!("batch {batch}, {}", campaign.summary()));
            said = Instant::now();
        }
    }
    progress.finish_and_clear();
    summary(args, &campaign, &version, &unknown, out)?;
    Ok(Exit::new_if(campaign.stats().new > 0))
}

fn progress_bar(windows: u64) -> ProgressBar {
    let bar = ProgressBar::new(windows);
    // The template is a constant; were it wrong, the default would do.
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}% {human_pos} windows, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn report(
    args: &Args,
    campaign: &Campaign<'_>,
    batch: u64,
    judgement: &Judgement,
    version: &str,
    file: Option<&mut FindingsFile>,
    out: &mut Out,
) -> Result<(), Failure> {
    if judgement.new.is_empty() {
        return Ok(());
    }
    if let Some(file) = file {
        let mut lines = judgement.new.iter().map(|judged| json_line(judgement.target, judged, version));
        lines.try_for_each(|line| file.add(&line))?;
    }
    let Some((judged, finding)) = campaign.smallest(judgement)? else { return Ok(()) };
    if args.json {
        out.line(json_line(judgement.target, &judged, version));
    } else {
        out.line(block(judgement.target, &judged, &finding, version));
        let count = judgement.new.len();
        let windows = if count == 1 { "1 window has".to_owned() } else { format!("{count} windows have") };
        let place = match &args.findings {
            Some(path) => format!("all are in {}", path.display()),
            None => format!("to get them all: the same command with --from {batch} --findings FILE"),
        };
        out.line(format_args!("batch {batch}: {windows} something new; {place}"));
    }
    // Shown at once: the run may still be long.
    out.flush()
}

fn summary(
    args: &Args,
    campaign: &Campaign<'_>,
    version: &str,
    unknown: &[Target],
    out: &mut Out,
) -> Result<(), Failure> {
    let stats = campaign.stats();
    if args.json {
        let value = json!({
            "schema": SCHEMA,
            "llvm": version,
            "seed": args.seed,
            "windows": stats.windows,
            "distinct": stats.distinct(),
            "agreed": stats.agreed,
            "noted": stats.noted,
            "known": stats.known,
            "new": stats.new,
            "deaths": stats.deaths,
            "accepted": stats.accepted,
            "by_field": stats.by_field,
            "by_entry": stats.by_entry,
            "by_rule": stats.by_rule,
            "unknown_targets": unknown.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        out.line(value);
        return Ok(());
    }
    out.line(campaign.summary());
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(ToString::to_string).collect();
        out.line(format_args!("not known to LLVM {version}, left out: {}", names.join(", ")));
    }
    Ok(())
}

/// The file that findings are appended to; every line is on disk before the next batch starts.
struct FindingsFile {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl FindingsFile {
    fn open(path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        Ok(Self { path: path.to_owned(), writer: BufWriter::new(file) })
    }

    fn add(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.writer, "{line}")
            .and_then(|()| self.writer.flush())
            .map_err(|error| Failure::input(format!("{}: {error}", self.path.display())))
    }
}
