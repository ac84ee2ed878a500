//! `vop3p diff`: our answer beside LLVM's, window by window.

use serde::Serialize;

use super::common::{Common, windows};
use super::{Exit, Failure, Out};
use vop3p::codec::Window;
use vop3p::codec::decode;
use vop3p::compare::{Ours, as_read};
use vop3p::isa::Target;
use vop3p::judge::{Judge, Judged, Outcome};
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Llvm, LlvmError};
use vop3p::report::finding::answer_text;
use vop3p::report::names::{llvm_bytes, outcome_name};
use vop3p::report::view::{EntryView, JudgedView, OurView, SCHEMA, WindowView};

const EXAMPLES: &str = "\
Examples:
  vop3p diff -t gfx1100 'cc0f60e0 180207e0'
  vop3p diff -t gfx900 d3a00005 040e0480
  vop3p diff -t gfx950 'd38f4000 180202ff 00001234' 'd3a30000 040e0501' --llvm 19,22
  vop3p diff -t gfx1030 'cc0f4000 180202ff' --no-pad      nothing follows the window: LLVM dies
  vop3p diff -t gfx1250 'cc404000 1c0a0900' --llvm all --json

Exits with 1 if a difference is not in the ledger.";

/// Compare our decoding of windows with llvm-mc's and llvm-objdump's, and look differences up in the ledger
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The target, as `gfx1100` or `gfx1100:w64`
    #[arg(short, long)]
    target: Target,

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
    ours: OurView,
    llvm: Vec<JudgedView>,
}

/// One LLVM's answers; `None` if it does not know the processor.
struct Column {
    version: String,
    judged: Option<Vec<Judged>>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let windows = windows(&args.windows)?;
    let ledger = args.common.ledger()?;
    let llvms = args.common.llvms()?;
    let columns: Vec<Column> = llvms.iter().map(|llvm| ask(args, llvm, &ledger, &windows)).collect::<Result<_, _>>()?;
    if columns.iter().all(|column| column.judged.is_none()) {
        let versions: Vec<&str> = columns.iter().map(|column| column.version.as_str()).collect();
        let message =
            format!("LLVM {} does not know {}; name another with --llvm", versions.join(", "), args.target.cpu());
        return Err(Failure::oracle(message));
    }
    let all = columns.iter().filter_map(|column| column.judged.as_ref()).flatten();
    let exit = Exit::new_if(all.into_iter().any(|judged| judged.outcome == Outcome::New));

    let answers: Vec<(Window, Ours)> =
        windows.iter().map(|window| (*window, decode(args.target, &as_read(window, !args.no_pad)))).collect();
    if args.json {
        let results = answers.iter().enumerate().map(|(index, (window, ours))| WindowResult {
            window: window.into(),
            ours: OurView::of(args.target, ours),
            llvm: columns.iter().map(|column| JudgedView::of(&ledger, &column.version, column.at(index))).collect(),
        });
        let target = args.target.to_string();
        out.json(&View { schema: SCHEMA, target, padded: !args.no_pad, results: results.collect() })?;
        return Ok(exit);
    }
    for (index, (window, ours)) in answers.iter().enumerate() {
        if index > 0 {
            out.line("");
        }
        show_ours(args.target, window, ours, out);
        for column in &columns {
            show_theirs(column, column.at(index), &ledger, out);
        }
    }
    Ok(exit)
}

impl Column {
    fn at(&self, index: usize) -> Option<&Judged> {
        self.judged.as_ref()?.get(index)
    }
}

fn ask(args: &Args, llvm: &Llvm, ledger: &Ledger, windows: &[Window]) -> Result<Column, Failure> {
    let judge = Judge { padded: !args.no_pad, ..Judge::new(llvm, ledger) };
    let judged = match judge.judge(args.target, windows) {
        Ok(judged) => Some(judged),
        Err(LlvmError::UnknownCpu { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Column { version: judge.version(), judged })
}

fn show_ours(target: Target, window: &Window, ours: &Ours, out: &mut Out) {
    out.named("target", format_args!("{target} ({})", target.rules().name));
    out.named("window", window);
    out.named("bytes", llvm_bytes(window));
    match OurView::of(target, ours) {
        OurView::Decoded { text, notes, .. } => {
            out.named("ours", text);
            for note in notes {
                out.named("  note", format_args!("{} ({}): {}", note.rule, note.state, note.text));
            }
        }
        OurView::Undefined { id, reason } => out.named("ours", format_args!("undefined: {id} ({reason})")),
    }
}

fn show_theirs(column: &Column, judged: Option<&Judged>, ledger: &Ledger, out: &mut Out) {
    out.line(format_args!("LLVM {}", column.version));
    let Some(judged) = judged else {
        out.named("  outcome", "not judged: this LLVM does not know the processor");
        return;
    };
    if let Some(pair) = &judged.pair {
        out.named("  llvm-mc", answer_text(&pair.mc));
        out.named("  objdump", answer_text(&pair.objdump));
    }
    for explained in &judged.findings {
        out.named("  finding", &explained.finding);
        match &explained.entry {
            None => out.named("    new", "no entry of the ledger explains it"),
            Some(id) => show_entry("    known", &EntryView::of(ledger, id), out),
        }
    }
    // Where LLVM shows what we note, the ledger may say why.
    if judged.outcome == Outcome::Noted && judged.llvm_accepts {
        for id in &judged.matching {
            show_entry("  see", &EntryView::of(ledger, id), out);
        }
    }
    let remark = match judged.outcome {
        Outcome::LeftOut => ": a matrix opcode, which this version does not decode",
        Outcome::Noted => ": no finding, and our decoder notes a rule",
        _ => "",
    };
    out.named("  outcome", format_args!("{}{remark}", outcome_name(judged.outcome)));
}

fn show_entry(name: &str, entry: &EntryView, out: &mut Out) {
    out.named(name, format_args!("{} ({}): {}", entry.id, entry.verdict, entry.title));
}
