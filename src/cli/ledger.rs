//! `vop3p ledger`: the known disagreements, and whether they still hold.

use serde::Serialize;

use super::common::{Common, LedgerOption};
use super::{Exit, Failure, Out};
use vop3p::campaign::witnesses::{Checked, Shown, check};
use vop3p::ledger::{Entry, EntryKind, Status};
use vop3p::report::names::{status_name, stock_assembling, stock_command};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p ledger
  vop3p ledger show unused-source-modifiers      or without `show`
  vop3p ledger check
  vop3p ledger check --llvm all --ledger corpus/ledger

`fires` and `silent` list the versions of LLVM on which the disagreement is there, and on which
it was looked for and is not; the list shows the major numbers.

`check` exits with 1 if an entry is stale: a witness no longer shows what the entry lists for
that version.";

const SHOW_HELP: &str = "\
Example:
  vop3p ledger show mix-literal-low-half

Each line `when` is a clause of the predicate; the entry speaks of a window if one clause holds,
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
`words` explains the names that the entry uses. Each witness is a case line for `vop3p replay`;
`stock` asks a stock llvm-mc for it.";

/// What a predicate may name, and what that is.
const LEGEND: [(&str, &str); 64] = [
    ("@any", "every opcode of the target"),
    ("@two-source", "opcodes with two sources: v_pk_add_f16, v_pk_mul_lo_u16, ..."),
    ("@packed", "opcodes that do the same to both halves: v_pk_add_f16, v_pk_mad_i16, ..."),
    ("@packed-f16", "packed opcodes on f16: v_pk_add_f16, ..."),
    ("@packed-f32", "packed opcodes on f32: v_pk_fma_f32, ..."),
    ("@mix", "v_mad_mix and v_fma_mix, whose sources are f32 or a half"),
    ("@mix-f16", "v_mad_mix and v_fma_mix with f16, not bf16"),
    ("@dot2", "dot products of two f16 or bf16: v_dot2_f32_f16, ..."),
    ("@dot", "integer dot products: v_dot2_i32_i16, v_dot4_u32_u8, v_dot8_i32_iu4, ..."),
    ("@dot-fp8", "dot products of FP8 and BF8: v_dot4_f32_fp8_bf8, ..."),
    ("@move", "v_pk_mov_b32"),
    ("@integer", "opcodes with integer sources whose signedness NEG does not give"),
    ("@packed-integer", "the packed ones among them: v_pk_add_i16, ..."),
    ("@three-source-integer", "those of them with three sources: v_pk_mad_i16, ..."),
    ("@iu", "opcodes whose NEG gives the signedness: v_dot4_i32_iu8, v_wmma_i32_16x16x16_iu8, ..."),
    ("@wide", "opcodes with 64-bit sources: v_pk_fma_f32, v_pk_mov_b32, ..."),
    ("@dpp", "opcodes that take DPP on the target"),
    ("@matrix", "matrix instructions, AccVGPR moves and scale words included"),
    ("@mfma", "v_mfma_f32_32x32x1_2b_f32, v_mfma_f64_16x16x4_f64, ..."),
    ("@mfma-f64", "those of them on f64"),
    ("@mfma-1-block", "those with one block whose CBSZ counts blocks (no F8F6F4, no F64 of CDNA3)"),
    ("@mfma-2-blocks", "the same with two blocks: v_mfma_f32_32x32x1_2b_f32, ..."),
    ("@mfma-4-blocks", "the same with four blocks: v_mfma_f32_16x16x1_4b_f32, ..."),
    ("@mfma-16-blocks", "the same with 16 blocks: v_mfma_f32_4x4x1_16b_f32, ..."),
    ("@f8f6f4", "MFMA and WMMA whose formats are fields: v_mfma_f32_16x16x128_f8f6f4, ..."),
    ("@f4", "v_wmma_f32_32x16x128_f4"),
    ("@smfmac", "sparse MFMA: v_smfmac_f32_16x16x32_f16, ..."),
    ("@wmma", "v_wmma_f32_16x16x16_f16, ..., without the sparse ones"),
    ("@wmma-no-format", "the same without F8F6F4 and F4"),
    ("@swmmac", "sparse WMMA: v_swmmac_f32_16x16x32_f16, ..."),
    ("@swmmac-float", "the same without integers"),
    ("@matrix-fp8", "matrix instructions with FP8 or BF8: v_wmma_f32_16x16x16_fp8_bf8, ..."),
    ("@matrix-float", "WMMA and sparse WMMA without integers"),
    ("@acc-read", "v_accvgpr_read_b32"),
    ("@acc-write", "v_accvgpr_write_b32 and V_ACCVGPR_WRFED"),
    ("@scale", "scale words, which go before F8F6F4 and F4: v_mfma_ld_scale_b32, ..."),
    ("@scale16", "v_wmma_ld_scale16_paired_b64"),
    ("#", "opcodes by number, whether the target has them or not"),
    ("(context)", "a setting in which the fault shows, no part of its cause"),
    ("!", "every value but these"),
    ("any source", "some source that the opcode has"),
    ("scalar values", "how many different SGPRs, special registers and literals the sources name"),
    ("a tuple", "the registers of an operand; v[4:7] starts at 4"),
    ("source 2 overlaps", "C and D of an MFMA share some registers and are not the same"),
    ("wave32", "in waves of 32 lanes"),
    ("wave64", "in waves of 64 lanes"),
    ("alone", "no scale word and matrix word that are one instruction"),
    ("a pair", "a scale word and the matrix word behind it, which are one instruction"),
    ("cbsz", "bits 10:8 of an MFMA word; the format of A in F8F6F4"),
    ("abid", "bits 14:11 of an MFMA word"),
    ("blgp", "bits 63:61 of an MFMA word; the format of B in F8F6F4"),
    ("acc", "bits 60:59 of an MFMA word: A, B is an AccVGPR"),
    ("acc_cd", "bit 15 of an MFMA word: C and D are AccVGPRs"),
    ("body_op", "OP of the second word of a pair, as seen from the first"),
    ("body_op_sel_hi", "OP_SEL_HI of it"),
    ("sgpr", "selectors 0-105"),
    ("ttmp", "selectors 108-123"),
    ("odd-scalar", "odd selectors of SGPRs and TTMPs"),
    ("odd-sgpr-gfx9", "the same where SGPRs end at s101"),
    ("odd-vgpr", "selectors of odd VGPRs"),
    ("inline", "selectors of constants: 128-208, 240-248"),
    ("literal", "selector 255: a dword behind the word; as a field, that dword"),
    ("dpp", "selectors 233, 234 (DPP8) and 250 (DPP16)"),
    ("vgpr", "selectors 256-511"),
];

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

/// Show everything about one entry
#[derive(clap::Args)]
#[command(after_help = SHOW_HELP)]
struct ShowArgs {
    /// Its id, as `vop3p ledger` lists it
    id: String,

    #[command(flatten)]
    list: ListArgs,
}

/// Replay every witness on LLVM
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  vop3p ledger check\n  vop3p ledger check --llvm 19,22\n  vop3p ledger check --llvm all --json\n\n\
                  Of a version that an entry does not list the result is what its witnesses do: shown (by all), partly, gone."
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
    let width = ledger.entries().iter().map(|entry| entry.id.len()).max().unwrap_or(0);
    let mut row = |cells: [&str; 5]| {
        let [id, kind, verdict, fires, silent] = cells;
        out.line(format!("{id:<width$}  {kind:<10}  {verdict:<15}  {fires:<16}  {silent}").trim_end());
    };
    row(["id", "kind", "verdict", "fires", "silent"]);
    for entry in ledger.entries() {
        let (verdict, fires, silent) = (entry.verdict.to_string(), majors(&entry.fires), majors(&entry.silent));
        row([&entry.id, entry.kind.name(), &verdict, &fires, &silent]);
        row([&format!("  {}", entry.title), "", "", "", ""]);
    }
    Ok(Exit::Fine)
}

/// The major numbers: `14 15 22`.
fn majors(versions: &[String]) -> String {
    let mut majors: Vec<&str> = versions.iter().filter_map(|version| version.split('.').next()).collect();
    majors.dedup();
    if majors.is_empty() { "-".to_owned() } else { majors.join(" ") }
}

fn versions(versions: &[String]) -> String {
    if versions.is_empty() { "-".to_owned() } else { versions.join(", ") }
}

fn show(id: &str, args: &ListArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let Some(entry) = ledger.get(id) else {
        let near: Vec<&str> =
            ledger.entries().iter().map(|entry| entry.id.as_str()).filter(|known| known.contains(id)).collect();
        let hint = if near.is_empty() {
            "`vop3p ledger` lists them".to_owned()
        } else {
            format!("there is {}", near.join(", "))
        };
        return Err(Failure::input(format!("no ledger entry `{id}`; {hint}")));
    };
    let when: Vec<String> = entry.when.iter().map(ToString::to_string).collect();
    // Either the one kind of witness or the other.
    let words = entry.cases().unwrap_or_default();
    let texts = entry.text_cases().unwrap_or_default();
    let stock = words
        .iter()
        .map(|case| stock_command(case.target, &case.window, case.padded))
        .chain(texts.iter().map(|case| stock_assembling(case.target, &case.text)));
    let witnesses: Vec<WitnessLine<'_>> =
        entry.witnesses.iter().zip(stock).map(|(case, stock)| WitnessLine { case, stock }).collect();
    if args.json {
        out.json(&ShowView {
            schema: SCHEMA,
            row: row(entry),
            reason: &entry.reason,
            citations: &entry.citations,
            when,
            witnesses,
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
    let all = when.join("; ");
    let words: Vec<String> = LEGEND
        .iter()
        .filter(|(word, _)| mentions(&all, word))
        .map(|(word, meaning)| format!("{word:<22}{meaning}"))
        .collect();
    block("words", &words, out);
    for (index, WitnessLine { case, stock }) in witnesses.iter().enumerate() {
        out.named(if index == 0 { "witnesses" } else { "" }, case);
        out.named("  stock", stock);
    }
    Ok(Exit::Fine)
}

/// Whether a predicate has this word, and not only a longer one.
fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts_apart = !word.starts_with(is_part);
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        (starts_apart || !before.is_some_and(|c| is_part(c) || c == '@'))
            && (!word.ends_with(is_part) || !after.is_some_and(is_part))
    })
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
    result: &'static str,
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
        case: witness.case.clone(),
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
        result: result_of(checked),
        shown: checked.count(Shown::Yes),
        not_shown: checked.count(Shown::No),
        unknown_processor: checked.count(Shown::NotThere),
        stale: checked.stale.clone(),
        witnesses: checked.witnesses.iter().map(witness).collect(),
    }
}

/// `ok` or `STALE` where the ledger says what to expect, else what the witnesses do.
fn result_of(checked: &Checked<'_>) -> &'static str {
    let (shown, there) = (checked.count(Shown::Yes), checked.witnesses.len() - checked.count(Shown::NotThere));
    match checked.status {
        _ if !checked.stale.is_empty() => "STALE",
        _ if checked.witnesses.is_empty() => "no witness",
        _ if there == 0 => "processors unknown to this LLVM",
        Status::Untested if shown == 0 => "gone",
        Status::Untested if shown < there => "partly",
        Status::Untested if checked.entry.kind == EntryKind::Document => "ok",
        Status::Untested => "shown",
        _ => "ok",
    }
}

fn show_check(version: &str, checked: &[Checked<'_>], out: &mut Out) {
    let mut table = vec![["entry", "listed", "shown by", "result"].map(str::to_owned).to_vec()];
    for one in checked {
        let there = one.witnesses.len() - one.count(Shown::NotThere);
        let shown = format!("{} of {there}", one.count(Shown::Yes));
        table.push(vec![one.entry.id.clone(), status_name(one.status).to_owned(), shown, result_of(one).to_owned()]);
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
