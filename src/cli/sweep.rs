//! `vop3p sweep`: every systematic window, and a certificate of what was covered.

use std::io::{IsTerminal, stderr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::common::{Common, Exit, Failure};
use super::out::{Out, remark, write_json};
use vop3p::assembling::TextJudge;
use vop3p::isa::{PAIRS, Target, rows};
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Llvm, Options};
use vop3p::report::coverage::{certificate_lines, conclusion};
use vop3p::sweep::certificate::Certificate;
use vop3p::sweep::file::{FileError, Sweep, Writer, read, units_of};
use vop3p::sweep::plan::{Plan, UNIT};
use vop3p::sweep::record::{Choice, Header, Line, SCHEMA, Shard, Tools};
use vop3p::sweep::run::{SweepError, run as run_sweep};
use vop3p::sweep::unit::Sweeper;

const EXAMPLES: &str = "\
Examples:
  vop3p sweep                              everything, against the highest LLVM found
  vop3p sweep --dry-run                    how many windows that is
  vop3p sweep -t gfx950 --opcode V_PK_FMA_F16
  vop3p sweep --llvm 22 --against /path/to/build/bin    what a patch changed
  vop3p sweep --llvm all                   for the version matrix: vop3p matrix sweep/*.jsonl
  vop3p sweep --shard 2/8                  a part; vop3p merge joins them

Stopped at any moment, the same command goes on where it was. Findings go to DIR/VERSION.jsonl as
they are found, and DIR/VERSION.certificate.json says at the end what was covered. Next:
  vop3p triage sweep/22.1.8.jsonl          from findings to causes

Targets with the same tables count as one: the first is swept whole, of the others every 17th
window, and the certificate says whether LLVM answers alike about both. Words known to kill LLVM
are rationed, one an opcode and unit; the certificate says how many were left out.";

/// Time between two remarks where no progress bar can be drawn.
const PAUSE: Duration = Duration::from_secs(30);

/// A process that is still running after this long hangs: a unit takes a fraction of a second, but machines may be busy.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Judge every combination of what a word has against LLVM, and say what was covered
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Targets; several separated by commas, or the option repeated; without it all
    #[arg(short, long = "target", value_name = "TARGET", value_delimiter = ',')]
    targets: Vec<Target>,

    /// Opcodes, by AMD's or LLVM's name; without it all, and what is no opcode
    #[arg(long = "opcode", value_name = "NAME", value_delimiter = ',')]
    opcodes: Vec<String>,

    /// Only decode words, or only assemble texts
    #[arg(long, value_enum, default_value = "both")]
    direction: DirectionArg,

    /// Another LLVM to compare the first one with, in place of AMD's specification: what changed
    #[arg(long, value_name = "VER|PATH")]
    against: Option<String>,

    /// Directory for the findings and the certificate
    #[arg(long, value_name = "DIR", default_value = "sweep")]
    out: PathBuf,

    /// Only this part of the windows, of so many
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: ShardArg,

    /// Units judged at once; without it one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<u8>>,

    /// Sweep every target whole, also those whose tables are the same
    #[arg(long)]
    each: bool,

    /// Begin anew
    #[arg(long)]
    restart: bool,

    /// Only say how many windows it would be
    #[arg(long)]
    dry_run: bool,

    /// Print the certificate as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DirectionArg {
    Both,
    Decode,
    Assemble,
}

#[derive(Clone, Copy)]
struct ShardArg(Shard);

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self(Shard { index, of })),
            _ => Err("a shard is I/N, part I of N: `2/8`".to_owned()),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let opcodes = opcode_names(&args.opcodes)?;
    let against = args.against.as_deref().map(|text| args.common.one_of(text)).transpose()?;
    let llvms = if args.dry_run { Vec::new() } else { args.common.llvms()? };
    if args.dry_run {
        let choice = choice(args, &opcodes, wanted(args));
        let plan = Plan::new(&choice);
        let units = (args.shard.0.index - 1..plan.units()).step_by(args.shard.0.of as usize).count();
        out.line(format_args!(
            "{} windows in {} units of at most {UNIT}, on {} targets; {units} units in this shard",
            HumanCount(plan.windows()),
            plan.units(),
            choice.targets.len()
        ));
        return Ok(Exit::Fine);
    }
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::input(format!("{}: {error}", args.out.display())))?;
    let mut exit = Exit::Fine;
    for llvm in &llvms {
        exit = exit.max(one(args, &ledger, &opcodes, llvm, against.as_ref(), out)?);
        out.flush()?;
    }
    Ok(exit)
}

/// Sweeps against one LLVM.
fn one(
    args: &Args,
    ledger: &Ledger,
    opcodes: &[String],
    llvm: &Llvm,
    against: Option<&Llvm>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let (targets, unknown) = known_targets(args, llvm, against)?;
    let choice = choice(args, opcodes, targets);
    let plan = Plan::new(&choice);
    let header = Header {
        schema: SCHEMA,
        vop3p: env!("CARGO_PKG_VERSION").to_owned(),
        llvm: tools(llvm)?,
        against: against.map(tools).transpose()?,
        ledger: ledger.hash(),
        choice: choice.clone(),
        unknown,
        shard: args.shard.0,
        units: plan.units(),
        windows: plan.windows(),
    };
    let options = Options { time_limit: TIME_LIMIT, batch: UNIT as usize, padded: true };
    let sweeper = Sweeper {
        choice: &choice,
        plan: &plan,
        judge: Judge { options, ..Judge::new(llvm, ledger) },
        texts: TextJudge { options, ..TextJudge::new(llvm, ledger) },
        against,
    };
    let path = args.out.join(file_name(&header));
    let mut writer = Writer::open(&path, &header, args.restart).map_err(file_failure)?;
    sweep(args, &sweeper, &header, &mut writer, &path)?;
    drop(writer);
    let sweep = read(&path).map_err(file_failure)?;
    finish(&sweep, &path, args.json, out)
}

/// Says what a complete sweep came to, and writes its certificate.
pub fn finish(sweep: &Sweep, path: &Path, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    let Some(certificate) = Certificate::of(sweep) else {
        let Shard { index, of } = sweep.header.shard;
        out.line(format_args!("shard {index}/{of} is complete: {}", path.display()));
        out.line("`vop3p merge` joins the shards once all are");
        return Ok(Exit::new_if(sweep.seen.iter().any(|seen| seen.entry.is_none())));
    };
    let place = path.with_extension("certificate.json");
    write_json(&certificate, &place)?;
    if json {
        out.json(&certificate)?;
    } else {
        out.text(certificate_lines(&certificate));
        out.named("findings", path.display());
        out.named("certificate", place.display());
        out.line(conclusion(&certificate));
    }
    Ok(Exit::new_if(!certificate.is_clean()))
}

/// Judges what is missing, and shows how far it is.
fn sweep(args: &Args, sweeper: &Sweeper<'_>, header: &Header, writer: &mut Writer, path: &Path) -> Result<(), Failure> {
    let size = |unit: u64| sweeper.plan.part_of(unit).map_or(0, |part| part.unit_len(unit));
    let (mut before, mut all) = (0, 0);
    for (place, unit) in units_of(header).enumerate() {
        all += size(unit);
        before += if (place as u64) < writer.done() { size(unit) } else { 0 };
    }
    let on = if before > 0 { format!(", {} of them done before", HumanCount(before)) } else { String::new() };
    remark(&format!(
        "LLVM {}: {} windows on {} targets{on}; findings go to {}",
        label(header),
        HumanCount(all),
        header.choice.targets.len(),
        path.display()
    ));
    let bar = ProgressBar::new(all);
    // The template is a constant; were it wrong, the default would do.
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}% {human_pos} windows, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position(before);
    bar.reset_eta();
    let jobs = args.jobs.map(|jobs| usize::from(jobs.get()));
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    let (started, mut said, mut new, mut at) = (Instant::now(), Instant::now(), 0, before);
    let result = run_sweep(sweeper, header, writer, jobs, |lines| {
        for line in lines {
            if let Line::Unit(unit) = line {
                new += unit.counts.new + unit.counts.texts_new;
                at += size(unit.unit);
            }
        }
        bar.set_position(at);
        bar.set_message(format!("new {new}"));
        if said.elapsed() >= PAUSE && !stderr().is_terminal() {
            let rate = (at - before) as f64 / started.elapsed().as_secs_f64();
            let left = Duration::from_secs_f64((all - at) as f64 / rate.max(1.0));
            remark(&format!(
                "{} of {} windows, new {new}, {} left",
                HumanCount(at),
                HumanCount(all),
                HumanDuration(left)
            ));
            said = Instant::now();
        }
    });
    bar.finish_and_clear();
    result.map_err(|error| {
        let mut failure = match error {
            SweepError::Llvm(error) => Failure::from(error),
            SweepError::File(error) => file_failure(error),
        };
        failure.message += "\n  what was judged is kept; the same command goes on";
        failure
    })
}

/// A file that cannot be used is bad input.
pub fn file_failure(error: FileError) -> Failure {
    Failure::input(error.to_string())
}

/// `22.1.8`, `22.1.8-against-19.1.7`, with the shard.
fn file_name(header: &Header) -> String {
    let Shard { index, of } = header.shard;
    let shard = if of == 1 { String::new() } else { format!(".shard-{index}-of-{of}") };
    format!("{}{shard}.jsonl", label(header).replace(' ', "-"))
}

fn label(header: &Header) -> String {
    match &header.against {
        None => header.llvm.version.clone(),
        Some(against) => format!("{} against {}", header.llvm.version, against.version),
    }
}

fn tools(llvm: &Llvm) -> Result<Tools, Failure> {
    Ok(Tools { version: llvm.version.to_string(), sha256: llvm.fingerprint()? })
}

fn choice(args: &Args, opcodes: &[String], targets: Vec<Target>) -> Choice {
    Choice {
        targets,
        opcodes: opcodes.to_vec(),
        decode: args.direction != DirectionArg::Assemble,
        assemble: args.direction != DirectionArg::Decode,
        each: args.each,
    }
}

/// The targets that were asked for, each once, in one order whatever the order of asking.
fn wanted(args: &Args) -> Vec<Target> {
    let is_wanted = |target: &Target| args.targets.is_empty() || args.targets.contains(target);
    Target::distinct().filter(is_wanted).collect()
}

/// Those that every LLVM knows, and the others.
fn known_targets(args: &Args, llvm: &Llvm, against: Option<&Llvm>) -> Result<(Vec<Target>, Vec<Target>), Failure> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for target in wanted(args) {
        let is_known = llvm.knows(target.cpu())? && against.map_or(Ok(true), |other| other.knows(target.cpu()))?;
        if is_known { known.push(target) } else { unknown.push(target) }
    }
    match known.is_empty() {
        true => Err(Failure::oracle(format!("LLVM {} knows none of these targets", llvm.version))),
        false => Ok((known, unknown)),
    }
}

/// AMD's names of opcodes that may be written in AMD's or LLVM's way.
fn opcode_names(texts: &[String]) -> Result<Vec<String>, Failure> {
    let names = || {
        let pairs = PAIRS.iter().map(|pair| (pair.amd, pair.llvm));
        rows().map(|row| (row.amd, row.llvm)).chain(pairs)
    };
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        let is_meant = |(amd, llvm): &(&str, &str)| amd.eq_ignore_ascii_case(text) || llvm.eq_ignore_ascii_case(text);
        let meant: Vec<&str> = names().filter(is_meant).map(|(amd, _)| amd).collect();
        if meant.is_empty() {
            return Err(Failure::input(format!("`{text}` is no opcode (`vop3p isa` lists them)")));
        }
        found.extend(meant.into_iter().map(str::to_owned));
    }
    found.sort();
    found.dedup();
    Ok(found)
}
