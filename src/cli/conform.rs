//! `vop3p conform`: LLVM's own tests, held against ours.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::common::Common;
use super::{Exit, Failure, Out};
use vop3p::conform::{AtHand, Judged, Reading, Verdict, judge, read};
use vop3p::judge::Explained;
use vop3p::report::names::{llvm_bytes, stock_assembling, stock_command};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p conform llvm-project/llvm/test/MC/AMDGPU llvm-project/llvm/test/MC/Disassembler/AMDGPU
  vop3p conform gfx1250_asm_vop3p.s --llvm /path/to/build/bin     and a build of your own beside it
  vop3p conform corpus/conform --no-llvm
  vop3p conform tests.tsv --json

A test says what LLVM does. What it says of a VOP3P instruction is held against our assembler,
decoder and legality rules:
  agree    ours is the same: the same bytes, the same instruction, or a refusal (on a target without
           VOP3P or without that wave size, too)
  known    ours differs as the ledger says; the entries are listed
  new      ours differs in another way; shown in full
  skipped  concerns VOP3P and was not judged; counted by reason, listed by --skipped
The LLVM at hand is asked the same: where it does something else than the test says, that has a
column of its own and is listed by --differs. It makes nothing new.

A table has the columns source_file, mcpu, mattr, kind, asm, encoding and notes, separated by tabs;
kind is asm-ok, asm-err, disasm-ok or disasm-warn. Exits with 1 if something is new.";

/// Hold LLVM's own tests against our assembler and decoder, and against the LLVM at hand
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// LLVM's MC tests (`.s`, `.txt`), a table of such tests (`.tsv`), or directories with them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// Hold only ours against the tests
    #[arg(long, conflicts_with = "llvm")]
    no_llvm: bool,

    /// List what was skipped
    #[arg(long)]
    skipped: bool,

    /// List the cases where the LLVM at hand does something else than the test says
    #[arg(long, conflicts_with = "no_llvm")]
    differs: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    cases: usize,
    agree: usize,
    known: usize,
    new: usize,
    skipped: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    llvm_differs: Option<usize>,
}

#[derive(Default, Serialize)]
struct FileView {
    file: String,
    #[serde(flatten)]
    counts: Counts,
    entries: BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    llvm: Option<String>,
    files: Vec<FileView>,
    total: Counts,
    /// Cases under each ledger entry.
    known: BTreeMap<String, usize>,
    /// Cases that agree because there is no such target, by reason.
    without_target: BTreeMap<String, usize>,
    /// Cases that the LLVM at hand was not asked about.
    llvm_not_asked: usize,
    new: Vec<CaseView>,
    differs: Vec<CaseView>,
    skipped: Vec<SkippedView>,
    /// Instructions that are not VOP3P.
    other: usize,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct SkippedView {
    file: String,
    line: usize,
    reason: String,
}

#[derive(Serialize)]
struct CaseView {
    file: String,
    line: usize,
    cpu: String,
    mattr: String,
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<String>,
    expected: String,
    ours: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    llvm: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<FindingView>,
    #[serde(skip)]
    bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stock: Option<String>,
}

#[derive(Serialize)]
struct FindingView {
    finding: String,
    entry: Option<String>,
}

impl CaseView {
    fn of(judged: &Judged<'_>) -> Self {
        let case = judged.case;
        let (text, window) = (case.expect.text(), case.expect.window());
        let target = case.target.as_ref().ok();
        let finding = |one: &Explained| FindingView { finding: one.finding.to_string(), entry: one.entry.clone() };
        Self {
            file: case.file.clone(),
            line: case.line,
            cpu: case.cpu.clone(),
            mattr: case.features.text.clone(),
            target: target.map(ToString::to_string),
            text: text.map(str::to_owned),
            window: window.map(ToString::to_string),
            expected: case.expect.to_string(),
            ours: judged.ours.clone(),
            llvm: match &judged.at_hand {
                AtHand::NotAsked => None,
                AtHand::Same => Some("as the test".to_owned()),
                AtHand::Differs(said) => Some(said.clone()),
            },
            findings: judged.verdict.findings().iter().map(finding).collect(),
            bytes: window.map(llvm_bytes),
            stock: target.and_then(|target| match (text, window) {
                (Some(text), _) => Some(stock_assembling(*target, text)),
                (_, window) => window.map(|window| stock_command(*target, window, false)),
            }),
        }
    }

    fn show(&self, llvm: Option<&str>, out: &mut Out) {
        let mut line = |name: &str, value: &dyn Display| out.aligned(16, &format!("  {name}"), value);
        let target = match &self.target {
            Some(target) => target.clone(),
            None => format!("{} {}", self.cpu, self.mattr),
        };
        line("target", &target);
        for (name, value) in [("text", &self.text), ("window", &self.window), ("bytes", &self.bytes)] {
            if let Some(value) = value {
                line(name, value);
            }
        }
        line("the test", &self.expected);
        line("ours", &self.ours);
        if let (Some(version), Some(said)) = (llvm, &self.llvm) {
            line(&format!("LLVM {version}"), said);
        }
        for one in &self.findings {
            line("finding", &one.finding);
            if let Some(entry) = &one.entry {
                line("  known", entry);
            }
        }
        if let Some(stock) = &self.stock {
            line("stock", stock);
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let llvm = if args.no_llvm { None } else { Some(args.common.one_llvm("`vop3p conform`")?) };
    let reading = read(&args.paths);
    let bar = progress_bar(reading.cases.len());
    let judged = judge(&reading.cases, &ledger, llvm.as_ref(), |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    let view = view(&reading, &judged, llvm.map(|llvm| llvm.version.to_string()));
    if args.json {
        out.json(&view)?;
    } else {
        show(args, &view, out);
    }
    if !view.errors.is_empty() {
        return Err(Failure::input(view.errors.join("\nerror: ")));
    }
    if view.total.cases == 0 {
        let paths: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
        let files = counted(reading.files, "file");
        return Err(Failure::input(format!("{}: no VOP3P case there ({files})", paths.join(", "))));
    }
    Ok(Exit::new_if(view.total.new > 0))
}

/// Only on a terminal, and where there is time to look at it.
fn progress_bar(cases: usize) -> ProgressBar {
    if cases < 5000 || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cases as u64);
    // The template is a constant; were it wrong, the default would do.
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}% {human_pos} cases, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn view(reading: &Reading, judged: &[Judged<'_>], llvm: Option<String>) -> View {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files: Vec<FileView> = Vec::new();
    let none = Counts { llvm_differs: llvm.as_ref().map(|_| 0), ..Counts::default() };
    let mut place_of = |files: &mut Vec<FileView>, file| {
        *places.entry(file).or_insert_with(|| {
            files.push(FileView { file: file.to_owned(), counts: none, ..FileView::default() });
            files.len() - 1
        })
    };
    let (mut known, mut without_target) = (BTreeMap::new(), BTreeMap::new());
    let mut skipped = Vec::new();
    for one in judged {
        let place = place_of(&mut files, one.case.file.as_str());
        let file = &mut files[place];
        let counts = &mut file.counts;
        if let Verdict::Skipped(why) = &one.verdict {
            counts.skipped += 1;
            let reason = why.to_string();
            skipped.push(SkippedView { file: one.case.file.clone(), line: one.case.line, reason });
            continue;
        }
        counts.cases += 1;
        if let (Some(differs), AtHand::Differs(_)) = (&mut counts.llvm_differs, &one.at_hand) {
            *differs += 1;
        }
        match &one.verdict {
            Verdict::AgreesWithout(why) => {
                counts.agree += 1;
                *without_target.entry(why.to_string()).or_default() += 1;
            }
            Verdict::Known(_) | Verdict::KnownWithout(..) => {
                counts.known += 1;
                for id in one.verdict.entries() {
                    *file.entries.entry(id.to_owned()).or_default() += 1;
                    *known.entry(id.to_owned()).or_default() += 1;
                }
            }
            Verdict::New(_) => counts.new += 1,
            Verdict::Agrees | Verdict::Skipped(_) => counts.agree += 1,
        }
    }
    for one in &reading.skipped {
        let place = place_of(&mut files, one.file.as_str());
        files[place].counts.skipped += 1;
        skipped.push(SkippedView { file: one.file.clone(), line: one.line, reason: one.reason.clone() });
    }
    let total = files.iter().fold(none, |mut sum, file| {
        sum.cases += file.counts.cases;
        sum.agree += file.counts.agree;
        sum.known += file.counts.known;
        sum.new += file.counts.new;
        sum.skipped += file.counts.skipped;
        sum.llvm_differs = sum.llvm_differs.zip(file.counts.llvm_differs).map(|(a, b)| a + b);
        sum
    });
    let list = |is_one: &dyn Fn(&&Judged<'_>) -> bool| judged.iter().filter(is_one).map(CaseView::of).collect();
    let is_asked = |one: &&Judged<'_>| one.case.target.is_ok() && one.at_hand == AtHand::NotAsked;
    View {
        schema: SCHEMA,
        files,
        total,
        known,
        without_target,
        llvm_not_asked: if llvm.is_some() { judged.iter().filter(is_asked).count() } else { 0 },
        llvm,
        new: list(&|one| matches!(one.verdict, Verdict::New(_))),
        differs: list(&|one| matches!(one.at_hand, AtHand::Differs(_))),
        skipped,
        other: reading.other,
        errors: reading.errors.iter().map(ToString::to_string).collect(),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn show(args: &Args, view: &View, out: &mut Out) {
    let llvm = view.llvm.as_deref();
    table(view, out);
    for (id, count) in &view.known {
        out.line(format_args!("known: {id} {count}"));
    }
    for (reason, count) in &view.without_target {
        out.line(format_args!("agree: {count} as the test refuses them, too: {reason}"));
    }
    if let (Some(version), 1..) = (llvm, view.llvm_not_asked) {
        let cases = counted(view.llvm_not_asked, "case");
        out.line(format_args!(
            "LLVM {version} was not asked about {cases}: it does not know the processor or the text"
        ));
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &view.skipped {
        *reasons.entry(&one.reason).or_default() += 1;
    }
    for (reason, count) in reasons {
        out.line(format_args!("skipped: {count}: {reason}"));
    }
    if args.skipped {
        for SkippedView { file, line, reason } in &view.skipped {
            out.line(format_args!("  {file}:{line}: {reason}"));
        }
    }
    for one in &view.new {
        out.line(format_args!("\nnew: {}:{}", one.file, one.line));
        one.show(llvm, out);
    }
    if args.differs {
        for one in &view.differs {
            out.line(format_args!("\nLLVM {} differs: {}:{}", llvm.unwrap_or_default(), one.file, one.line));
            one.show(llvm, out);
        }
    }
}

fn table(view: &View, out: &mut Out) {
    let mut header: Vec<String> =
        ["file", "cases", "agree", "known", "new", "skipped"].into_iter().map(str::to_owned).collect();
    header.extend(view.llvm.as_ref().map(|version| format!("LLVM {version} differs")));
    header.push(if view.known.is_empty() { String::new() } else { "ledger entries".to_owned() });
    let row = |file: &str, counts: &Counts, entries: String| {
        let Counts { cases, agree, known, new, skipped, llvm_differs } = counts;
        let mut row = vec![file.to_owned()];
        row.extend([cases, agree, known, new, skipped].map(ToString::to_string));
        row.extend(llvm_differs.map(|count| count.to_string()));
        row.push(entries);
        row
    };
    let entries = |file: &FileView| {
        let entries = file.entries.iter().map(|(id, count)| format!("{id} {count}"));
        entries.collect::<Vec<_>>().join(", ")
    };
    let mut rows = vec![header];
    rows.extend(view.files.iter().map(|file| row(&file.file, &file.counts, entries(file))));
    rows.push(row("total", &view.total, String::new()));
    out.table(&rows);
}
