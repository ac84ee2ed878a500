//! `vop3p diff`: our answer beside LLVM's, window by window.

use serde::Serialize;

use super::common::{Common, windows};
use super::out::NAME_WIDTH;
use super::versions::{Row, legend, names, rows};
use super::{Exit, Failure, Out};
use vop3p::codec::{Window, decode};
use vop3p::compare::{Finding, Kind, Ours, as_read};
use vop3p::isa::{PROCESSORS, Target};
use vop3p::judge::{Judge, Judged, Outcome};
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Llvm, LlvmError, PAD};
use vop3p::report::finding::answer_text;
use vop3p::report::names::{compact_targets, llvm_bytes, outcome_name, stock_command};
use vop3p::report::view::{EntryView, JudgedView, OurView, SCHEMA, WindowView};

const EXAMPLES: &str = "\
Examples:
  vop3p diff -t gfx1100 'cc0f60e0 180207e0'
  vop3p diff -t gfx900 d3a00005 040e0480
  vop3p diff 'cc0f60e0 180207e0'                         every target, by answers
  vop3p diff -t gfx1100,gfx1200 'cc0f60e0 180207e0'      some
  vop3p diff -t gfx950 'd38f4000 180202ff 00001234' 'd3a30000 040e0501' --llvm 19,22
  vop3p diff -t gfx1030 'cc0f4000 180202ff' --no-pad      nothing follows the window: LLVM dies
  vop3p diff -t gfx1250 'cc404000 1c0a0900' --llvm all --json

With several versions (--llvm 14,19,22 or --llvm all) those that say the same are one row, under
ours; llvm-objdump is shown where it says something else than llvm-mc. In JSON every version is
an object of its own in `llvm`, lowest version first, as with one version.

A window that may take a dword more (a literal, a DPP dword) than it has is read with fixed
padding behind it, on both sides: bf807777, an s_nop. A line `padding` says when it was read.
`stock` is a command that asks a stock llvm-mc.

Exits with 1 if a difference is not in the ledger.";

/// Compare our decoding of windows with llvm-mc's and llvm-objdump's, and look differences up in the ledger
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The target, as `gfx1100` or `gfx1100:w64`, or several separated by commas; without it every target
    #[arg(short, long = "target", value_name = "TARGET", value_delimiter = ',')]
    targets: Vec<Target>,

    /// The windows, one shell argument each; dwords without quotes are one window
    #[arg(required = true, value_name = "WINDOW")]
    windows: Vec<String>,

    #[command(flatten)]
    common: Common,

    /// Give the tools the window alone, without the fixed padding behind it
    #[arg(long)]
    no_pad: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    target: String,
    padded: bool,
    results: Vec<WindowResult>,
}

#[derive(Serialize)]
struct WindowResult {
    #[serde(flatten)]
    window: WindowView,
    stock: String,
    /// Whether our decoder read the padding.
    read_padding: bool,
    ours: OurView,
    llvm: Vec<JudgedView>,
}

#[derive(Serialize)]
struct ManyView {
    schema: u32,
    padded: bool,
    results: Vec<ManyResult>,
}

#[derive(Serialize)]
struct ManyResult {
    #[serde(flatten)]
    window: WindowView,
    answers: Vec<GroupView>,
}

#[derive(Serialize)]
struct GroupView {
    targets: Vec<String>,
    stock: String,
    read_padding: bool,
    ours: OurView,
    llvm: Vec<JudgedView>,
}

/// One LLVM's answers; `None` if it does not know the processor.
struct Column {
    version: String,
    /// What it is called beside others.
    name: String,
    judged: Option<Vec<Judged>>,
}

/// Targets with the same answers to one window.
struct Group {
    targets: Vec<Target>,
    ours: Ours,
    view: OurView,
    llvm: Vec<JudgedView>,
}

impl Group {
    /// The LLVMs by what they say.
    fn rows(&self, names: &[String]) -> Vec<Row<&JudgedView>> {
        rows(names.iter().cloned().zip(&self.llvm), |one, other| one.is_same_as(other))
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let windows = windows(&args.windows)?;
    let ledger = args.common.ledger()?;
    let llvms = args.common.llvms()?;
    let targets: Vec<Target> = if args.targets.is_empty() { Target::all().collect() } else { args.targets.clone() };
    let names = names(&llvms);
    let mut columns: Vec<Vec<Column>> = Vec::new();
    for target in &targets {
        let ask = |(llvm, name): (&Llvm, &String)| ask(args, *target, llvm, name, &ledger, &windows);
        columns.push(llvms.iter().zip(&names).map(ask).collect::<Result<_, _>>()?);
    }
    if columns.iter().flatten().all(|column| column.judged.is_none()) {
        let versions: Vec<String> = llvms.iter().map(|llvm| llvm.version.to_string()).collect();
        let names: Vec<&str> = targets.iter().map(|target| target.cpu()).collect();
        let (versions, names) = (versions.join(", "), names.join(", "));
        return Err(Failure::oracle(format!("LLVM {versions} does not know {names}; name another with --llvm")));
    }
    let all = columns.iter().flatten().filter_map(|column| column.judged.as_ref()).flatten();
    let exit = Exit::new_if(all.into_iter().any(|judged| judged.outcome == Outcome::New));
    if llvms.len() > 1 && !args.json {
        out.line(format_args!("LLVM {}", legend(&llvms)));
        out.line("");
    }
    match (&targets[..], &columns[..]) {
        ([target], [columns]) => on_one(args, *target, &windows, columns, &ledger, out)?,
        _ => on_many(args, &targets, &windows, &columns, &ledger, out)?,
    }
    Ok(exit)
}

fn on_one(
    args: &Args,
    target: Target,
    windows: &[Window],
    columns: &[Column],
    ledger: &Ledger,
    out: &mut Out,
) -> Result<(), Failure> {
    let answers: Vec<(Window, Ours)> =
        windows.iter().map(|window| (*window, decode(target, &as_read(window, !args.no_pad)))).collect();
    if args.json {
        let results = answers.iter().enumerate().map(|(index, (window, ours))| WindowResult {
            window: window.into(),
            stock: stock_command(target, window, !args.no_pad),
            read_padding: padding_read(window, ours).is_some(),
            ours: OurView::of(target, ours),
            llvm: columns.iter().map(|column| column.view(ledger, index)).collect(),
        });
        let target = target.to_string();
        return out.json(&View { schema: SCHEMA, target, padded: !args.no_pad, results: results.collect() });
    }
    if let [column] = columns {
        for (index, (window, ours)) in answers.iter().enumerate() {
            if index > 0 {
                out.line("");
            }
            show_ours(args, target, window, ours, NAME_WIDTH, out);
            show_theirs(column, column.at(index), ledger, out);
        }
        return Ok(());
    }
    let rows_at = |index| {
        let judged = columns.iter().map(|column| (column.name.clone(), column.at(index)));
        rows(judged, |one, other| is_same(*one, *other))
    };
    let rows: Vec<Vec<Row<Option<&Judged>>>> = (0..answers.len()).map(rows_at).collect();
    let width = width_of(rows.iter().flatten().map(Row::title));
    for (index, ((window, ours), rows)) in answers.iter().zip(&rows).enumerate() {
        if index > 0 {
            out.line("");
        }
        show_ours(args, target, window, ours, width, out);
        rows.iter().for_each(|row| show_row(row, target, ledger, width, out));
    }
    Ok(())
}

fn on_many(
    args: &Args,
    targets: &[Target],
    windows: &[Window],
    columns: &[Vec<Column>],
    ledger: &Ledger,
    out: &mut Out,
) -> Result<(), Failure> {
    let mut results = Vec::new();
    for (index, window) in windows.iter().enumerate() {
        let mut groups: Vec<Group> = Vec::new();
        for (target, columns) in targets.iter().zip(columns) {
            let ours = decode(*target, &as_read(window, !args.no_pad));
            let view = OurView::of(*target, &ours);
            let llvm: Vec<JudgedView> = columns.iter().map(|column| column.view(ledger, index)).collect();
            match groups.iter_mut().find(|group| group.view == view && group.llvm == llvm) {
                Some(group) => group.targets.push(*target),
                None => groups.push(Group { targets: vec![*target], ours, view, llvm }),
            }
        }
        groups.sort_by_key(|group| match &group.view {
            OurView::Decoded { .. } => 0,
            OurView::Undefined { id: "not-vop3p", .. } => 2,
            OurView::Undefined { .. } => 1,
        });
        if args.json {
            let answers = groups.into_iter().map(|group| GroupView {
                targets: group.targets.iter().map(ToString::to_string).collect(),
                stock: stock_command(group.targets[0], window, !args.no_pad),
                read_padding: padding_read(window, &group.ours).is_some(),
                ours: group.view,
                llvm: group.llvm,
            });
            results.push(ManyResult { window: window.into(), answers: answers.collect() });
            continue;
        }
        if index > 0 {
            out.line("");
        }
        out.named("window", window);
        out.named("bytes", llvm_bytes(window));
        let names: Vec<String> = columns.first().into_iter().flatten().map(|column| column.name.clone()).collect();
        let rows: Vec<_> = groups.iter().map(|group| group.rows(&names)).collect();
        let width = width_of(rows.iter().flatten().map(|row| format!("  {}", row.title())));
        groups.iter().zip(&rows).for_each(|(group, rows)| show_group(args, group, rows, window, width, out));
    }
    if args.json { out.json(&ManyView { schema: SCHEMA, padded: !args.no_pad, results }) } else { Ok(()) }
}

/// Where values start behind these names.
fn width_of(names: impl Iterator<Item = String>) -> usize {
    names.map(|name| name.chars().count() + 1).max().unwrap_or(0).max(NAME_WIDTH)
}

fn show_group(args: &Args, group: &Group, rows: &[Row<&JudgedView>], window: &Window, width: usize, out: &mut Out) {
    match &group.view {
        OurView::Decoded { text, .. } => out.line(text),
        OurView::Undefined { id, reason, amd, .. } => {
            out.line(format_args!(
                "undefined: {id} ({})",
                amd.map_or(reason.clone(), |amd| format!("{reason}: {amd}"))
            ));
        }
    }
    let is_usual = group.targets.iter().all(|target| !target.has_unusual_wave());
    let names = match args.targets.is_empty() && is_usual {
        true => compact_targets(|p| group.targets.iter().any(|target| target.cpu() == PROCESSORS[p].name)),
        false => group.targets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    };
    out.aligned(width, "  targets", names);
    if let OurView::Decoded { notes, .. } = &group.view {
        notes.iter().for_each(|note| out.aligned(width, "  note", format_args!("{} ({})", note.rule, note.state)));
    }
    if let Some(padding) = padding_read(window, &group.ours) {
        out.aligned(width, "  padding", padding);
    }
    for row in rows {
        let judged = row.said;
        let outcome = match (judged.outcome, &group.targets[..]) {
            ("unknown-processor", [target]) => format!("does not know {}", target.cpu()),
            ("unknown-processor", _) => "does not know these processors".to_owned(),
            (outcome, _) => outcome.to_owned(),
        };
        let said = judged.llvm_mc.as_ref().map_or(String::new(), |answer| format!("{}; ", answer.in_words()));
        let mut why: Vec<String> = judged
            .findings
            .iter()
            .map(|finding| {
                finding.entry.as_ref().map_or(format!("{} {}", finding.kind, finding.field), |e| e.id.clone())
            })
            .collect();
        why.dedup();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(", ")) };
        out.aligned(width, &format!("  {}", row.title()), format_args!("{said}{outcome}{why}"));
    }
    if group.llvm.iter().any(|judged| !judged.findings.is_empty()) {
        out.aligned(width, "  stock", stock_command(group.targets[0], window, !args.no_pad));
    }
}

/// What our decoder took the padding for, if it read it.
fn padding_read(window: &Window, ours: &Ours) -> Option<String> {
    let decoded = ours.as_ref().ok().filter(|decoded| usize::from(decoded.size) > window.byte_len())?;
    let part = if decoded.instruction.dpp.is_some() { "DPP dword" } else { "literal" };
    Some(format!("{PAD:08x} follows the window and was read as its {part} (--no-pad: the window alone)"))
}

impl Column {
    fn view(&self, ledger: &Ledger, index: usize) -> JudgedView {
        JudgedView::of(Some(ledger), &self.version, self.at(index))
    }

    fn at(&self, index: usize) -> Option<&Judged> {
        self.judged.as_ref()?.get(index)
    }
}

/// Whether two LLVMs make the same of a window, as far as it is shown.
fn is_same(one: Option<&Judged>, other: Option<&Judged>) -> bool {
    let shown = |judged: &Judged| {
        let Judged { pair, findings, outcome, .. } = judged.clone();
        (pair, findings, outcome, see(judged).to_vec())
    };
    one.map(shown) == other.map(shown)
}

fn ask(
    args: &Args,
    target: Target,
    llvm: &Llvm,
    name: &str,
    ledger: &Ledger,
    windows: &[Window],
) -> Result<Column, Failure> {
    let judge = Judge { padded: !args.no_pad, ..Judge::new(llvm, ledger) };
    let judged = match judge.judge(target, windows) {
        Ok(judged) => Some(judged),
        Err(LlvmError::UnknownCpu { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Column { version: judge.version(), name: name.to_owned(), judged })
}

fn show_ours(args: &Args, target: Target, window: &Window, ours: &Ours, width: usize, out: &mut Out) {
    out.aligned(width, "target", format_args!("{target} ({})", target.rules().name));
    out.aligned(width, "window", window);
    out.aligned(width, "bytes", llvm_bytes(window));
    out.aligned(width, "stock", stock_command(target, window, !args.no_pad));
    if let Some(padding) = padding_read(window, ours) {
        out.aligned(width, "padding", padding);
    }
    match OurView::of(target, ours) {
        OurView::Decoded { text, notes, .. } => {
            out.aligned(width, "ours", text);
            for note in notes {
                out.aligned(width, "  note", format_args!("{} ({}): {}", note.rule, note.state, note.text));
            }
        }
        OurView::Undefined { id, reason, .. } => {
            out.aligned(width, "ours", format_args!("undefined: {id} ({reason})"));
        }
    }
}

/// One LLVM's answers, and what became of them.
fn show_theirs(column: &Column, judged: Option<&Judged>, ledger: &Ledger, out: &mut Out) {
    out.line(format_args!("LLVM {}", column.name));
    let Some(judged) = judged else {
        out.named("  outcome", "not judged: this LLVM does not know the processor");
        return;
    };
    out.named("  llvm-mc", answer_text(&judged.pair.mc));
    out.named("  objdump", answer_text(&judged.pair.objdump));
    let difference = |finding: &Finding| format!(": {}", finding.difference(&format!("on {}", column.name)));
    show_outcome(judged, difference, ledger, NAME_WIDTH, out);
}

/// The same of several that say the same, on fewer lines.
fn show_row(row: &Row<Option<&Judged>>, target: Target, ledger: &Ledger, width: usize, out: &mut Out) {
    let Some(judged) = row.said else {
        out.aligned(width, &row.title(), format_args!("does not know {}", target.cpu()));
        return;
    };
    let (mc, objdump) = (answer_text(&judged.pair.mc), answer_text(&judged.pair.objdump));
    out.aligned(width, &row.title(), &mc);
    if objdump != mc {
        out.aligned(width, "  objdump", objdump);
    }
    let difference = |finding: &Finding| match finding.kind {
        // The difference is the two texts above.
        Kind::Acceptance | Kind::Crash => String::new(),
        _ => format!(": {}", finding.difference(&format!("on {}", row.names.join(", ")))),
    };
    show_outcome(judged, difference, ledger, width, out);
}

fn show_outcome(
    judged: &Judged,
    difference: impl Fn(&Finding) -> String,
    ledger: &Ledger,
    width: usize,
    out: &mut Out,
) {
    for explained in &judged.findings {
        let finding = &explained.finding;
        out.aligned(width, "  finding", format_args!("{} {}{}", finding.kind, finding.field, difference(finding)));
        match &explained.entry {
            None => out.aligned(width, "    NEW", "no entry of the ledger explains it"),
            Some(id) => show_entry("    known", &EntryView::of(ledger, id), width, out),
        }
    }
    for id in see(judged) {
        show_entry("  see", &EntryView::of(ledger, id), width, out);
    }
    let remark = match judged.outcome {
        Outcome::Noted => ": no finding, and our decoder notes a rule",
        _ => "",
    };
    out.aligned(width, "  outcome", format_args!("{}{remark}", outcome_name(judged.outcome)));
}

/// Where LLVM shows what we note, the ledger may say why.
fn see(judged: &Judged) -> &[String] {
    if judged.outcome == Outcome::Noted && judged.llvm_accepts { &judged.matching } else { &[] }
}

fn show_entry(name: &str, entry: &EntryView, width: usize, out: &mut Out) {
    let (verdict, title) = (entry.verdict.as_deref().unwrap_or("unknown"), entry.title.as_deref().unwrap_or_default());
    out.aligned(width, name, format_args!("{} ({verdict}): {title}", entry.id));
}
