//! `vop3p triage`: from the findings of sweeps to causes.

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::common::{Common, Exit, Failure};
use super::out::{Out, remark, warn, write_json};
use super::sweep::file_failure;
use vop3p::oracle::llvm::Llvm;
use vop3p::report::cause::{block, head, row};
use vop3p::sweep::certificate::Certificate;
use vop3p::sweep::file::{Sweep as Findings, read};
use vop3p::sweep::record::{Shard, Tools};
use vop3p::triage::between::BetweenProbe;
use vop3p::triage::cluster::{Cluster, Triage};
use vop3p::triage::probe::{OursProbe, Probe};
use vop3p::triage::{Progress, Sweep, triage};

const EXAMPLES: &str = "\
Examples:
  vop3p triage sweep/22.1.8.jsonl
  vop3p triage --new sweep/22.1.8.jsonl         only what the ledger lacks
  vop3p triage sweep/*.jsonl --out all.json     several LLVMs
  vop3p triage sweep/23.0.0.jsonl --llvm /path/to/build/bin

Every finding is asked about again, on the LLVM of the sweep (--llvm says where it is) and with the
ledger at hand, made small, and put together with those of the same cause. Of what the ledger has
there is one cause an entry. The verdict of a new one is a proposal, shown with `?`. All goes to
FILE.triage.json, too. Next:
  vop3p ledger add FILE.triage.json ID --id NAME     a new cause as an entry of the ledger
  vop3p report ID --as llvm-issue --from FILE.triage.json";

/// Time between two remarks where no progress bar can be drawn.
const PAUSE: Duration = Duration::from_secs(30);

/// Put what sweeps found together by cause, each minimal, with a proposed verdict
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Findings files of complete sweeps
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Show only what the ledger lacks
    #[arg(long)]
    new: bool,

    /// Where the causes are written; without it FILE.triage.json beside the first file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let mut read_in: Vec<(Certificate, Findings)> = Vec::new();
    for path in &args.files {
        let findings = read(path).map_err(file_failure)?;
        let certificate = Certificate::of(&findings).ok_or_else(|| incomplete(path, &findings))?;
        read_in.push((certificate, findings));
    }
    let installed = args.common.candidates()?;
    let mut llvms: Vec<(Llvm, Option<Llvm>)> = Vec::new();
    for (certificate, _) in &read_in {
        let against = certificate.against.as_ref().map(|tools| llvm_of(tools, &installed)).transpose()?;
        llvms.push((llvm_of(&certificate.llvm, &installed)?, against));
    }
    let probes: Vec<Box<dyn Probe + '_>> = llvms
        .iter()
        .map(|(llvm, against)| -> Box<dyn Probe + '_> {
            match against {
                None => Box::new(OursProbe::new(llvm, &ledger)),
                Some(second) => Box::new(BetweenProbe { first: llvm, second }),
            }
        })
        .collect();
    let sweeps: Vec<Sweep<'_>> = read_in
        .into_iter()
        .zip(&probes)
        .map(|((certificate, findings), probe)| Sweep { certificate, seen: findings.seen, probe: probe.as_ref() })
        .collect();
    let mut bar = Bar::new();
    let outcome = triage(&sweeps, &ledger, &mut |progress| bar.show(progress))?;
    bar.bar.finish_and_clear();
    if outcome.lost > 0 {
        warn(&format!("{} findings are there no longer: another ledger, or another build of LLVM", outcome.lost));
    }
    let place = match (&args.out, args.files.first()) {
        (Some(place), _) => place.clone(),
        (None, first) => first.map_or_else(PathBuf::new, |first| first.with_extension("triage.json")),
    };
    write_json(&outcome.triage, &place)?;
    let shown: Vec<&Cluster> =
        outcome.triage.clusters.iter().filter(|cluster| !args.new || cluster.entry.is_none()).collect();
    if args.json {
        let clusters = shown.into_iter().cloned().collect();
        out.json(&Triage { clusters, ..outcome.triage.clone() })?;
    } else {
        print(&shown, out);
        out.named("causes", place.display());
        out.line(conclusion(&outcome.triage));
    }
    Ok(Exit::new_if(outcome.triage.clusters.iter().any(|cluster| cluster.entry.is_none())))
}

fn print(shown: &[&Cluster], out: &mut Out) {
    for cluster in shown.iter().filter(|cluster| cluster.entry.is_none()) {
        out.text(block(cluster));
        out.line("");
    }
    if !shown.is_empty() {
        let rows: Vec<Vec<String>> = std::iter::once(head()).chain(shown.iter().map(|cluster| row(cluster))).collect();
        out.table(&rows);
    }
}

fn conclusion(triage: &Triage) -> String {
    let new = triage.clusters.iter().filter(|cluster| cluster.entry.is_none()).count();
    let known = triage.clusters.len() - new;
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{new} new cause{}, {known} known", plural(new))
}

/// What is missing of a sweep that is not whole.
fn incomplete(path: &Path, findings: &Findings) -> Failure {
    let Shard { index, of } = findings.header.shard;
    let what = match findings.is_complete() {
        true => format!("is shard {index}/{of} of a sweep: `vop3p merge` joins all"),
        false => "is of a sweep that is not complete: the same `vop3p sweep` goes on".to_owned(),
    };
    Failure::input(format!("{} {what}", path.display()))
}

/// The LLVM that a sweep was made with.
fn llvm_of(tools: &Tools, installed: &[Llvm]) -> Result<Llvm, Failure> {
    let same: Vec<&Llvm> = installed.iter().filter(|llvm| llvm.version.to_string() == tools.version).collect();
    for llvm in &same {
        if llvm.fingerprint()? == tools.sha256 {
            return Ok((*llvm).clone());
        }
    }
    match same.first() {
        Some(llvm) => {
            warn(&format!(
                "{} is another build of LLVM {} than the sweep was made with; --llvm says where that is",
                llvm.mc.display(),
                tools.version
            ));
            Ok((*llvm).clone())
        }
        None => {
            let named: Vec<String> = installed.iter().map(|llvm| llvm.version.to_string()).collect();
            let named = if named.is_empty() { "none".to_owned() } else { named.join(", ") };
            Err(Failure::oracle(format!(
                "the sweep was made with LLVM {}, and there is {named}; --llvm says where it is",
                tools.version
            )))
        }
    }
}

/// How far the work is, on standard error.
struct Bar {
    bar: ProgressBar,
    said: Instant,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new(0);
        // The template is a constant; were it wrong, the default would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}% {pos} findings, {msg}") {
            bar.set_style(style);
        }
        Self { bar, said: Instant::now() }
    }

    fn show(&mut self, progress: Progress) {
        let Progress { done, of, forms } = progress;
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(format!("{forms} minimal forms"));
        if self.said.elapsed() >= PAUSE && !stderr().is_terminal() {
            remark(&format!("{done} of {of} findings explained, {forms} minimal forms"));
            self.said = Instant::now();
        }
    }
}
