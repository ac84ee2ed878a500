//! `vop3p ledger`: the known disagreements, and whether they still hold.

use serde::Serialize;

use super::common::{Common, LedgerOption};
use super::{Exit, Failure, Out};
use vop3p::campaign::witnesses::{Checked, Shown, check};
use vop3p::ledger::{Entry, Status};
use vop3p::report::names::status_name;
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p ledger
  vop3p ledger show unused-source-modifiers
  vop3p ledger check
  vop3p ledger check --llvm all --ledger corpus/ledger

`check` exits with 1 if an entry is stale: a witness no longer shows what the entry lists for that version.";

/// List the known disagreements, show one, or check that they still hold
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    list: ListArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    Show(ShowArgs),
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct ListArgs {
    #[command(flatten)]
    ledger: LedgerOption,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show everything about one entry
#[derive(clap::Args)]
#[command(after_help = "Example:\n  vop3p ledger show mix-literal-low-half")]
struct ShowArgs {
    /// Its id, as `vop3p ledger` lists it
    id: String,

    #[command(flatten)]
    list: ListArgs,
}

/// Replay every witness on LLVM
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  vop3p ledger check\n  vop3p ledger check --llvm 19,22\n  vop3p ledger check --llvm all --json"
)]
struct CheckArgs {
    #[command(flatten)]
    common: Common,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    match &args.command {
        None => list(&args.list, out),
        Some(Command::Show(args)) => show(args, out),
        Some(Command::Check(args)) => run_check(args, out),
    }
}

#[derive(Serialize)]
struct ListView<'a> {
    schema: u32,
    entries: Vec<EntryRow<'a>>,
}

#[derive(Serialize)]
struct EntryRow<'a> {
    id: &'a str,
    kind: &'static str,
    verdict: String,
    title: &'a str,
    fires: &'a [String],
    silent: &'a [String],
}

#[derive(Serialize)]
struct ShowView<'a> {
    schema: u32,
    #[serde(flatten)]
    row: EntryRow<'a>,
    reason: &'a str,
    citations: &'a [String],
    when: Vec<String>,
    witnesses: &'a [String],
}

fn row(entry: &Entry) -> EntryRow<'_> {
    EntryRow {
        id: &entry.id,
        kind: entry.kind.name(),
        verdict: entry.verdict.to_string(),
        title: &entry.title,
        fires: &entry.fires,
        silent: &entry.silent,
    }
}

fn list(args: &ListArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    if args.json {
        out.json(&ListView { schema: SCHEMA, entries: ledger.entries().iter().map(row).collect() })?;
        return Ok(Exit::Fine);
    }
    let mut table = vec![["id", "kind", "verdict", "fires on", "silent on", "title"].map(str::to_owned).to_vec()];
    table.extend(ledger.entries().iter().map(|entry| {
        vec![
            entry.id.clone(),
            entry.kind.name().to_owned(),
            entry.verdict.to_string(),
            versions(&entry.fires),
            versions(&entry.silent),
            entry.title.clone(),
        ]
    }));
    out.table(&table);
    Ok(Exit::Fine)
}

fn versions(versions: &[String]) -> String {
    if versions.is_empty() { "-".to_owned() } else { versions.join(", ") }
}

fn show(args: &ShowArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.list.ledger.load()?;
    let Some(entry) = ledger.get(&args.id) else {
        let near: Vec<&str> =
            ledger.entries().iter().map(|entry| entry.id.as_str()).filter(|id| id.contains(&args.id)).collect();
        let hint = if near.is_empty() {
            "`vop3p ledger` lists them".to_owned()
        } else {
            format!("there is {}", near.join(", "))
        };
        return Err(Failure::input(format!("no ledger entry `{}`; {hint}", args.id)));
    };
    let when: Vec<String> = entry.when.iter().map(ToString::to_string).collect();
    if args.list.json {
        out.json(&ShowView {
            schema: SCHEMA,
            row: row(entry),
            reason: &entry.reason,
            citations: &entry.citations,
            when,
            witnesses: &entry.witnesses,
        })?;
        return Ok(Exit::Fine);
    }
    out.line(format_args!("{}: {}", entry.id, entry.title));
    out.named("kind", entry.kind.name());
    out.named("verdict", entry.verdict);
    out.named("fires on", versions(&entry.fires));
    out.named("silent on", versions(&entry.silent));
    block("reason", &wrap(&entry.reason), out);
    block("citations", &entry.citations, out);
    for clause in &when {
        block("when", &wrap(clause), out);
    }
    block("witnesses", &entry.witnesses, out);
    Ok(Exit::Fine)
}

/// Lines under one name.
fn block(name: &str, lines: &[String], out: &mut Out) {
    for (index, line) in lines.iter().enumerate() {
        out.named(if index == 0 { name } else { "" }, line);
    }
}

/// Words in lines of at most 85 characters.
fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 85 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[derive(Serialize)]
struct CheckView {
    schema: u32,
    checks: Vec<VersionView>,
}

#[derive(Serialize)]
struct VersionView {
    llvm: String,
    entries: Vec<CheckedView>,
}

#[derive(Serialize)]
struct CheckedView {
    id: String,
    status: &'static str,
    shown: usize,
    not_shown: usize,
    unknown_processor: usize,
    stale: Vec<String>,
    witnesses: Vec<WitnessView>,
}

#[derive(Serialize)]
struct WitnessView {
    case: String,
    shown: Option<bool>,
    seen: String,
}

fn run_check(args: &CheckArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let mut stale = false;
    let mut checks = Vec::new();
    for llvm in args.common.llvms()? {
        let checked = check(&ledger, &llvm)?;
        stale |= checked.iter().any(|one| !one.stale.is_empty());
        if args.json {
            checks.push(VersionView {
                llvm: llvm.version.to_string(),
                entries: checked.iter().map(checked_view).collect(),
            });
        } else {
            show_check(&llvm.version.to_string(), &checked, out);
        }
    }
    if args.json {
        out.json(&CheckView { schema: SCHEMA, checks })?;
    }
    Ok(Exit::new_if(stale))
}

fn checked_view(checked: &Checked<'_>) -> CheckedView {
    let witness = |witness: &vop3p::campaign::witnesses::Witness| WitnessView {
        case: witness.case.to_string(),
        shown: match witness.shown {
            Shown::Yes => Some(true),
            Shown::No => Some(false),
            Shown::NotThere => None,
        },
        seen: witness.seen.clone(),
    };
    CheckedView {
        id: checked.entry.id.clone(),
        status: status_name(checked.status),
        shown: checked.count(Shown::Yes),
        not_shown: checked.count(Shown::No),
        unknown_processor: checked.count(Shown::NotThere),
        stale: checked.stale.clone(),
        witnesses: checked.witnesses.iter().map(witness).collect(),
    }
}

fn show_check(version: &str, checked: &[Checked<'_>], out: &mut Out) {
    let mut table = vec![["entry", "listed", "shown by", "result"].map(str::to_owned).to_vec()];
    for one in checked {
        let there = one.witnesses.len() - one.count(Shown::NotThere);
        let result = match one.status {
            _ if !one.stale.is_empty() => "STALE",
            _ if one.witnesses.is_empty() => "no witness",
            _ if there == 0 => "processors unknown to this LLVM",
            Status::Untested if one.entry.fires.is_empty() && one.entry.silent.is_empty() => "ok",
            Status::Untested => "only reported",
            _ => "ok",
        };
        let shown = format!("{} of {there}", one.count(Shown::Yes));
        table.push(vec![one.entry.id.clone(), status_name(one.status).to_owned(), shown, result.to_owned()]);
    }
    out.line(format_args!("LLVM {version}"));
    out.table(&table);
    for one in checked {
        for stale in &one.stale {
            out.line(format_args!("stale: {} on LLVM {version}: {stale}", one.entry.id));
        }
    }
    let stale = checked.iter().filter(|one| !one.stale.is_empty()).count();
    out.line(format_args!("{} entries checked on LLVM {version}, {stale} stale", checked.len()));
}
