//! `vop3p ledger`: the causes of the known disagreements, and whether they still hold.

mod add;
mod check;
mod legend;

pub use add::{cluster, read_triage};
use serde::Serialize;

use super::common::{Common, LedgerOption};
use super::{Exit, Failure, Out};
use vop3p::ledger::{Entry, Ledger, Sign, SignKind};
use vop3p::report::names::{stock_assembling, stock_command};

const EXAMPLES: &str = "\
Examples:
  vop3p ledger
  vop3p ledger show unused-fields-refused        or without `show`
  vop3p ledger check
  vop3p ledger check --llvm all --ledger corpus/ledger

An entry is a cause, which may show in several ways: its signs, each with a kind, a predicate and
witnesses. `fires` and `silent` list the versions of LLVM on which a sign is there, and on which it
was looked for and is not; the list shows the major numbers of those on which some sign fires.

`check` exits with 1 if a sign is stale: a witness no longer shows what the sign lists for that
version.";

const SHOW_HELP: &str = "\
Example:
  vop3p ledger show mix-literal
  vop3p ledger show mix-literal/low-half

Each line `when` is a clause of the predicate; the sign speaks of a window if one clause holds,
and a clause holds if all its parts do, which `;` separates:
  targets vega, gfx942        processors or generations
  opcodes @mix, V_PK_ADD_F16  classes of opcodes, AMD's names, or numbers (#64-74)
  op_sel[2] = 1               a field or bits of it, as in the word, and the set of its values
  src0 = !dpp (context)       the same, as the setting of the fault and not its cause
  any source = literal        the selector of some source of the opcode; `source 1` for that one
  scalar values = 2-3         how many different SGPRs, special registers and literals
  cut short                   the window ends behind the word, and nothing follows (pad=none)
  a tuple runs past ...       what is wrong with the registers of a matrix word
  wave64                      the wave size of the target
  alone                       no half of a scaled pair; `first word of a pair`, `second ...`
A set is numbers, ranges (0-3,8) and names; `!` in front means every value that is not in it.
`words` explains the names that the predicates use. Each witness is a case line for `vop3p replay`;
`stock` asks a stock llvm-mc for it.";

/// Version of this command's JSON.
const SCHEMA: u32 = 2;

/// List the known disagreements, show one, or check that they still hold
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Show this entry, as `show` does
    #[arg(value_name = "ID")]
    id: Option<String>,

    #[command(flatten)]
    list: ListArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArgs),
    Show(ShowArgs),
    Check(CheckArgs),
    Add(add::AddArgs),
}

/// List the known disagreements (what `vop3p ledger` alone does, too)
#[derive(clap::Args)]
#[command(after_help = "Example:\n  vop3p ledger list --json")]
struct ListArgs {
    #[command(flatten)]
    ledger: LedgerOption,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show everything about one entry, or one sign of it
#[derive(clap::Args)]
#[command(after_help = SHOW_HELP)]
struct ShowArgs {
    /// Its id, as `vop3p ledger` lists it, or the full name of a sign: `dot-op-sel/refused`
    id: String,

    #[command(flatten)]
    list: ListArgs,
}

/// Replay every witness on LLVM
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  vop3p ledger check\n  vop3p ledger check --llvm 19,22\n  vop3p ledger check --llvm all --json\n\n\
                  Of a version that a sign does not list the result is what its witnesses do: shown (by all), partly, gone."
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
        None => match &args.id {
            None => list(&args.list, out),
            Some(id) => show(id, &args.list, out),
        },
        Some(Command::List(args)) => list(args, out),
        Some(Command::Show(args)) => show(&args.id, &args.list, out),
        Some(Command::Check(args)) => check::run(&args.common, args.json, out),
        Some(Command::Add(args)) => add::run(args, out),
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
    kinds: Vec<&'static str>,
    verdict: String,
    title: &'a str,
    /// The versions on which some sign fires.
    fires: Vec<&'a str>,
}

#[derive(Serialize)]
struct ShowView<'a> {
    schema: u32,
    #[serde(flatten)]
    row: EntryRow<'a>,
    reason: &'a str,
    citations: &'a [String],
    signs: Vec<SignView<'a>>,
}

#[derive(Serialize)]
struct SignView<'a> {
    name: String,
    kind: &'static str,
    note: Option<&'a str>,
    citations: &'a [String],
    fires: &'a [String],
    silent: &'a [String],
    when: Vec<String>,
    witnesses: Vec<WitnessLine<'a>>,
}

#[derive(Serialize)]
struct WitnessLine<'a> {
    case: &'a str,
    stock: String,
}

fn row(entry: &Entry) -> EntryRow<'_> {
    EntryRow {
        id: &entry.id,
        kinds: entry.kinds().into_iter().map(SignKind::name).collect(),
        verdict: entry.verdict.to_string(),
        title: &entry.title,
        fires: fires(entry),
    }
}

/// The versions on which some sign of the entry fires, lowest first.
fn fires(entry: &Entry) -> Vec<&str> {
    let mut versions: Vec<&str> = entry.signs.iter().flat_map(|sign| &sign.fires).map(String::as_str).collect();
    versions.sort_by_cached_key(|version| version.split('.').filter_map(|n| n.parse().ok()).collect::<Vec<u32>>());
    versions.dedup();
    versions
}

fn list(args: &ListArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let rows: Vec<EntryRow<'_>> = ledger.entries().iter().map(row).collect();
    if args.json {
        out.json(&ListView { schema: SCHEMA, entries: rows })?;
        return Ok(Exit::Fine);
    }
    let width = rows.iter().map(|row| row.id.len()).max().unwrap_or(0);
    let mut line = |cells: [&str; 4]| {
        let [id, verdict, fires, kinds] = cells;
        out.line(format!("{id:<width$}  {verdict:<15}  {fires:<14}  {kinds}").trim_end());
    };
    line(["id", "verdict", "fires", "kinds"]);
    for row in &rows {
        line([row.id, &row.verdict, &majors(&row.fires), &row.kinds.join(", ")]);
        line([&format!("  {}", row.title), "", "", ""]);
    }
    Ok(Exit::Fine)
}

/// The major numbers: `14 15 22`.
fn majors(versions: &[&str]) -> String {
    let mut majors: Vec<&str> = versions.iter().filter_map(|version| version.split('.').next()).collect();
    majors.dedup();
    if majors.is_empty() { "-".to_owned() } else { majors.join(" ") }
}

fn versions(versions: &[String]) -> String {
    if versions.is_empty() { "-".to_owned() } else { versions.join(", ") }
}

/// The entry of this id, with all its signs, or with the one whose full name it is.
fn find<'a>(ledger: &'a Ledger, name: &str) -> Option<(&'a Entry, Vec<&'a Sign>)> {
    if let Some(entry) = ledger.get(name) {
        return Some((entry, entry.signs.iter().collect()));
    }
    let (entry, sign) = ledger.signs().find(|(entry, sign)| entry.name_of(sign) == name)?;
    Some((entry, vec![sign]))
}

fn show(name: &str, args: &ListArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let Some((entry, signs)) = find(&ledger, name) else {
        let is_near = |known: &&str| known.contains(name) || name.split('/').next() == Some(known);
        let near: Vec<&str> = ledger.entries().iter().map(|entry| entry.id.as_str()).filter(is_near).collect();
        let hint = if near.is_empty() {
            "`vop3p ledger` lists them".to_owned()
        } else {
            format!("there is {}", near.join(", "))
        };
        return Err(Failure::input(format!("no ledger entry `{name}`; {hint}")));
    };
    let views: Vec<SignView<'_>> = signs.into_iter().map(|sign| sign_view(entry, sign)).collect();
    if args.json {
        let (reason, citations) = (&entry.reason, &entry.citations);
        out.json(&ShowView { schema: SCHEMA, row: row(entry), reason, citations, signs: views })?;
        return Ok(Exit::Fine);
    }
    out.line(format_args!("{}: {}", entry.id, entry.title));
    out.named("verdict", entry.verdict);
    block("reason", &wrap(&entry.reason), out);
    block("citations", &entry.citations, out);
    for view in &views {
        out.line("");
        show_sign(view, out);
    }
    let whens: Vec<&str> = views.iter().flat_map(|view| &view.when).map(String::as_str).collect();
    let words = legend::words(&whens.join("; "));
    if !words.is_empty() {
        out.line("");
        block("words", &words, out);
    }
    Ok(Exit::Fine)
}

fn sign_view<'a>(entry: &'a Entry, sign: &'a Sign) -> SignView<'a> {
    // Either the one kind of witness or the other.
    let words = sign.cases().unwrap_or_default();
    let texts = sign.text_cases().unwrap_or_default();
    let stock = words
        .iter()
        .map(|case| stock_command(case.target, &case.window, case.padded))
        .chain(texts.iter().map(|case| stock_assembling(case.target, &case.text)));
    SignView {
        name: entry.name_of(sign),
        kind: sign.kind.name(),
        note: sign.note.as_deref(),
        citations: &sign.citations,
        fires: &sign.fires,
        silent: &sign.silent,
        when: sign.when.iter().map(ToString::to_string).collect(),
        witnesses: sign.witnesses.iter().zip(stock).map(|(case, stock)| WitnessLine { case, stock }).collect(),
    }
}

fn show_sign(view: &SignView<'_>, out: &mut Out) {
    out.named("sign", &view.name);
    out.named("kind", view.kind);
    block("note", &wrap(view.note.unwrap_or_default()), out);
    block("citations", view.citations, out);
    out.named("fires on", versions(view.fires));
    out.named("silent on", versions(view.silent));
    for clause in &view.when {
        block("when", &wrap(clause), out);
    }
    for (index, WitnessLine { case, stock }) in view.witnesses.iter().enumerate() {
        out.named(if index == 0 { "witnesses" } else { "" }, case);
        out.named("  stock", stock);
    }
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
