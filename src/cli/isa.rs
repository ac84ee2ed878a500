//! `vop3p isa`: the opcode table.

use serde::Serialize;

use super::common::LedgerOption;
use super::{Exit, Failure, Out};
use vop3p::isa::{Opcode, PAIRS, Target, rows};
use vop3p::ledger::Ledger;
use vop3p::report::names::{compact_targets, format_name, kind_name};
use vop3p::report::view::{OpcodeView, SCHEMA};

const EXAMPLES: &str = "\
Examples:
  vop3p isa
  vop3p isa -t gfx1100
  vop3p isa v_fma_mix_f32          by either name, upper or lower case
  vop3p isa 0x20                   by number
  vop3p isa dot4                   every name with that in it
  vop3p isa -t gfx90a --json

* marks rows that AMD and LLVM name differently; (m) matrix instructions, which this version
names and numbers but does not decode. Operands are format, and with -t format:kind after AMD's
XML; x4 is a tuple of four dwords.";

/// The ledger entry about V_MAD_MIX and v_fma_mix.
const MAD_MIX_ENTRY: &str = "mad-mix-is-fma-mix";

/// List opcodes: number, names, operands, targets and source
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only the opcodes of this target, with the kinds of their operands
    #[arg(short, long)]
    target: Option<Target>,

    /// A name, a part of one, or a number
    #[arg(value_name = "OPCODE")]
    opcode: Option<String>,

    #[command(flatten)]
    ledger: LedgerOption,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    target: Option<String>,
    opcodes: Vec<OpcodeView>,
    pairs: Vec<PairView>,
}

#[derive(Serialize)]
struct PairView {
    scale: u8,
    body: u8,
    amd: &'static str,
    llvm: &'static str,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let mut found: Vec<&Opcode> = rows().filter(|row| args.target.is_none_or(|t| row.on.contains(t.index()))).collect();
    if let Some(wanted) = &args.opcode {
        found = select(&found, wanted);
        if found.is_empty() {
            return Err(nothing(args, wanted));
        }
    }
    // The table goes by groups; people look for numbers.
    found.sort_by_key(|row| row.number);
    let has_body = |body: u8| found.iter().any(|row| row.number == body && row.amd.contains("WMMA"));
    let on_cdna5 = args.target.is_none_or(|target| target.rules().name == "cdna5");
    let pairs: Vec<_> = PAIRS.iter().filter(|pair| on_cdna5 && has_body(pair.body)).collect();
    if args.json {
        let pair =
            |pair: &&vop3p::isa::Pair| PairView { scale: pair.scale, body: pair.body, amd: pair.amd, llvm: pair.llvm };
        return out
            .json(&View {
                schema: SCHEMA,
                target: args.target.map(|target| target.to_string()),
                opcodes: found.iter().map(|row| OpcodeView::of(row, args.target, explanation(row, &ledger))).collect(),
                pairs: pairs.iter().map(pair).collect(),
            })
            .map(|()| Exit::Fine);
    }
    show(args.target, &found, &ledger, out);
    for pair in pairs {
        let line = format_args!(
            "{} + {}: {}, {} to LLVM: two words that are one instruction (m)",
            pair.scale, pair.body, pair.amd, pair.llvm
        );
        out.line(line);
    }
    Ok(Exit::Fine)
}

/// The rows of this name or number, else those with the text in their name.
fn select<'a>(rows: &[&'a Opcode], wanted: &str) -> Vec<&'a Opcode> {
    let lower = wanted.to_lowercase();
    let number: Option<u8> = match lower.strip_prefix("0x") {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => lower.parse().ok(),
    };
    if let Some(number) = number {
        return rows.iter().copied().filter(|row| row.number == number).collect();
    }
    let exact: Vec<_> =
        rows.iter().copied().filter(|row| row.amd.to_lowercase() == lower || row.llvm == lower).collect();
    if !exact.is_empty() {
        return exact;
    }
    rows.iter().copied().filter(|row| row.amd.to_lowercase().contains(&lower) || row.llvm.contains(&lower)).collect()
}

fn nothing(args: &Args, wanted: &str) -> Failure {
    let Some(target) = args.target else {
        return Failure::input(format!(
            "`{wanted}` is no name, part of a name or number of an opcode (`vop3p isa` lists them)"
        ));
    };
    let elsewhere = select(&rows().collect::<Vec<_>>(), wanted);
    if elsewhere.is_empty() {
        return Failure::input(format!("`{wanted}` is no opcode of {target} (`vop3p isa -t {target}` lists them)"));
    }
    let names: Vec<String> = elsewhere
        .iter()
        .take(3)
        .map(|row| format!("{} is on {}", row.amd, compact_targets(|p| row.on.contains(p))))
        .collect();
    Failure::input(format!("`{wanted}` is no opcode of {target}; {}", names.join("; ")))
}

fn names_differ(row: &Opcode) -> bool {
    row.amd.to_lowercase() != row.llvm
}

/// The ledger entry that says why the names of a row differ.
fn explanation(row: &Opcode, ledger: &Ledger) -> Option<&'static str> {
    let is_mad_mix = names_differ(row) && row.amd.starts_with("V_MAD_MIX");
    (is_mad_mix && ledger.get(MAD_MIX_ENTRY).is_some()).then_some(MAD_MIX_ENTRY)
}

fn show(target: Option<Target>, found: &[&Opcode], ledger: &Ledger, out: &mut Out) {
    let mut sources: Vec<&str> = Vec::new();
    let mut head: Vec<String> =
        ["op", "", "AMD", "LLVM", "family", "vdst", "src0", "src1", "src2", "DPP"].map(str::to_owned).to_vec();
    if target.is_none() {
        head.push("targets".to_owned());
    }
    head.push("source".to_owned());
    let mut table = vec![head];
    for row in found {
        let place = sources.iter().position(|source| *source == row.source).unwrap_or_else(|| {
            sources.push(row.source);
            sources.len() - 1
        });
        let dpp = match target {
            Some(target) => if row.takes_dpp(target) { "yes" } else { "no" }.to_owned(),
            None if row.dpp.is_disjoint(row.on) => "no".to_owned(),
            None if row.on.without(row.dpp).is_empty() => "yes".to_owned(),
            None => compact_targets(|p| row.on.contains(p) && row.dpp.contains(p)),
        };
        let operand = |slot: usize| match target {
            Some(target) if slot < row.sources() && !row.is_matrix() => {
                format!("{}:{}", format_name(row.src[slot]), kind_name(row.source_kind(target, slot)))
            }
            _ => format_name(row.src[slot]),
        };
        let mut cells = vec![
            row.number.to_string(),
            match (names_differ(row), row.is_matrix()) {
                (true, true) => "*(m)",
                (true, false) => "*",
                (false, true) => "(m)",
                (false, false) => "",
            }
            .to_owned(),
            row.amd.to_owned(),
            if row.llvm.is_empty() { "-" } else { row.llvm }.to_owned(),
            row.family().to_owned(),
            format_name(row.vdst),
            operand(0),
            operand(1),
            operand(2),
            dpp,
        ];
        if target.is_none() {
            cells.push(compact_targets(|p| row.on.contains(p)));
        }
        cells.push(format!("[{}]", place + 1));
        table.push(cells);
    }
    out.table(&table);
    out.line("");
    for (place, source) in sources.iter().enumerate() {
        out.line(format_args!("[{}] {source}", place + 1));
    }
    if let Some(entry) = found.iter().find_map(|row| explanation(row, ledger)).and_then(|id| ledger.get(id)) {
        out.line(format_args!("* of V_MAD_MIX: ledger entry {} ({}): {}", entry.id, entry.verdict, entry.title));
    }
    if found.iter().any(|row| names_differ(row)) {
        out.line("* AMD and LLVM have different names");
    }
    if found.iter().any(|row| row.is_matrix()) {
        out.line("(m) a matrix instruction: named and numbered, not decoded by this version");
    }
}
