//! `vop3p isa`: the opcode table.

use serde::Serialize;

use super::common::LedgerOption;
use super::{Exit, Failure, Out};
use vop3p::isa::{Matrix, Opcode, PAIRS, Pair, Target, rows};
use vop3p::ledger::Ledger;
use vop3p::report::names::{compact_targets, modifier_names};
use vop3p::report::view::{OpcodeView, OperandView, SCHEMA, modifiers_of};

const EXAMPLES: &str = "\
Examples:
  vop3p isa
  vop3p isa -t gfx1100
  vop3p isa v_fma_mix_f32          by either name, upper or lower case
  vop3p isa 0x20                   by number
  vop3p isa dot4                   every name with that in it
  vop3p isa wmma_scale             scaled matrix instructions: pairs of words
  vop3p isa -t gfx1200:w64 swmmac  widths and modifiers in wave64
  vop3p isa -t gfx90a --json

* marks rows that AMD and LLVM name differently. Operands are format, and with -t format:kind
after AMD's XML. Those of matrix instructions are register tuples:
  x8         eight dwords; x8|x4 where wave64 has another width and -t does not say which
  x4-x8      by the format of A or B (F8F6F4)
  vgpr/accvgpr/inline/sgpr/scalar/0   the registers and constants that it may be
`modifiers` are those of matrix instructions, by LLVM's names.";

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

/// A scaled matrix instruction: two words.
#[derive(Serialize)]
struct PairView {
    /// Opcode of the first word.
    scale: u8,
    /// Opcode of the second.
    body: u8,
    amd: &'static str,
    llvm: &'static str,
    /// The destination and the sources; the last two are the scales of A and B.
    vdst: Option<OperandView>,
    src: Vec<OperandView>,
    modifiers: Vec<&'static str>,
    targets: Vec<&'static str>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let mut found: Vec<&Opcode> = rows().filter(|row| args.target.is_none_or(|t| row.on.contains(t.index()))).collect();
    let mut pairs: Vec<PairView> = PAIRS.iter().filter_map(|pair| pair_view(pair, args.target)).collect();
    if let Some(wanted) = &args.opcode {
        found = select(&found, wanted);
        let lower = wanted.to_lowercase();
        pairs.retain(|pair| {
            let has_word = |number: u8| found.iter().any(|row| row.number == number && is_on(row, &pair.targets));
            pair.llvm.contains(&lower) || has_word(pair.scale) || has_word(pair.body)
        });
        if found.is_empty() && pairs.is_empty() {
            return Err(nothing(args, wanted));
        }
    }
    // The table goes by groups; people look for numbers.
    found.sort_by_key(|row| row.number);
    if args.json {
        return out
            .json(&View {
                schema: SCHEMA,
                target: args.target.map(|target| target.to_string()),
                opcodes: found.iter().map(|row| OpcodeView::of(row, args.target, explanation(row, &ledger))).collect(),
                pairs,
            })
            .map(|()| Exit::Fine);
    }
    if !found.is_empty() {
        show(args.target, &found, &ledger, out);
    }
    if !pairs.is_empty() {
        if !found.is_empty() {
            out.line("");
        }
        show_pairs(args.target, &pairs, out);
    }
    Ok(Exit::Fine)
}

fn is_on(row: &Opcode, targets: &[&str]) -> bool {
    Target::all().any(|target| row.on.contains(target.index()) && targets.contains(&target.cpu()))
}

/// A pair, if the target has it; without one, if any has.
fn pair_view(pair: &Pair, target: Option<Target>) -> Option<PairView> {
    let words = |one: &Target| {
        let scale = one.opcode(pair.scale).filter(|row| row.matrix().is_some_and(Matrix::is_scale))?;
        Some((scale, one.opcode(pair.body)?))
    };
    let on: Vec<Target> =
        Target::all().filter(|one| target.is_none_or(|t| t.index() == one.index()) && words(one).is_some()).collect();
    let (scale, body) = on.first().and_then(words)?;
    let operands = |row, from| (from..4).filter_map(move |operand| OperandView::of(row, target, operand));
    let paired = |row: &Opcode| row.matrix().map_or_else(Vec::new, |matrix| modifier_names(matrix.paired_layout()));
    Some(PairView {
        scale: pair.scale,
        body: pair.body,
        amd: pair.amd,
        llvm: pair.llvm,
        vdst: OperandView::of(body, target, 0),
        src: operands(body, 1).chain(operands(scale, 1)).collect(),
        modifiers: [paired(body), paired(scale)].concat(),
        targets: on.into_iter().map(Target::cpu).collect(),
    })
}

fn show_pairs(target: Option<Target>, pairs: &[PairView], out: &mut Out) {
    let mut table =
        vec![["ops", "AMD", "LLVM", "vdst", "src0", "src1", "src2", "scale0", "scale1"].map(str::to_owned).to_vec()];
    if target.is_none() {
        table[0].push("targets".to_owned());
    }
    table[0].push("modifiers".to_owned());
    for pair in pairs {
        let mut cells = vec![format!("{}+{}", pair.scale, pair.body), pair.amd.to_owned(), pair.llvm.to_owned()];
        cells.extend(pair.vdst.iter().chain(&pair.src).map(OperandView::in_short));
        if target.is_none() {
            let has = |p: usize| pair.targets.contains(&vop3p::isa::PROCESSORS[p].name);
            cells.push(compact_targets(has));
        }
        cells.push(pair.modifiers.join(" "));
        table.push(cells);
    }
    out.line("scaled matrix instructions: a scale word and the matrix word behind it");
    out.table(&table);
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
    let has_matrix = found.iter().any(|row| row.is_matrix());
    if target.is_none() {
        head.push("targets".to_owned());
    }
    head.push("source".to_owned());
    if has_matrix {
        head.push("modifiers".to_owned());
    }
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
        let operand = |operand: usize| {
            OperandView::of(row, target, operand).map_or_else(|| "-".to_owned(), |view| view.in_short())
        };
        let or_none = |name: &str| if name.is_empty() { "-" } else { name }.to_owned();
        let mut cells = vec![
            row.number.to_string(),
            if names_differ(row) { "*" } else { "" }.to_owned(),
            or_none(row.amd),
            or_none(row.llvm),
            row.family().to_owned(),
        ];
        cells.extend((0..4).map(operand));
        cells.push(dpp);
        if target.is_none() {
            cells.push(compact_targets(|p| row.on.contains(p)));
        }
        cells.push(format!("[{}]", place + 1));
        if has_matrix {
            cells.push(modifiers_of(row, target).map_or_else(String::new, |names| or_none(&names.join(" "))));
        }
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
}
