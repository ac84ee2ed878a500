//! `vop3p targets`: the processors, and what each allows.

use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::isa::Target;
use vop3p::report::names::{basis_name, dpp_name, mode_names};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p targets
  vop3p targets --json

waves    lanes of a wave; the first is the default, the other is written gfx1100:w64
opcodes  VOP3P opcodes; matrix: how many of them are matrix instructions, scale words included
literal  whether a source may be a literal, selector 255
scalars  how many different scalar values (SGPRs, VCC, ..., a literal) one instruction may read
tuples   where a tuple of VGPRs may start: at any register, or only at an even one
DPP      whether there is DPP, and what source 1 may then be: only a VGPR, or any source
MODE     the fields of the MODE register that matter and that the generation has
basis    documented = AMD's manual or XML names the chip; inferred = it has no document of
         its own and follows its generation by what LLVM says of it; generic = what all
         members of an LLVM generic target share";

/// List the processors with VOP3P and the rules of each
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    targets: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    generation: &'static str,
    waves: &'static [u8],
    basis: &'static str,
    opcodes: usize,
    matrix_opcodes: usize,
    literal: bool,
    scalar_limit: u8,
    even_vgpr_tuples: bool,
    dpp: &'static str,
    mode: Vec<&'static str>,
    manual: &'static str,
}

fn row(target: Target) -> Row {
    let rules = target.rules();
    Row {
        name: target.cpu(),
        generation: rules.name,
        waves: rules.waves,
        basis: basis_name(target.processor().basis),
        opcodes: target.opcodes().count(),
        matrix_opcodes: target.opcodes().filter(|opcode| opcode.is_matrix()).count(),
        literal: rules.literal,
        scalar_limit: rules.scalar_limit,
        even_vgpr_tuples: rules.even_vgpr_tuples,
        dpp: dpp_name(rules.dpp),
        mode: mode_names(rules.mode),
        manual: rules.manual,
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let rows: Vec<Row> = Target::all().map(row).collect();
    if args.json {
        out.json(&View { schema: SCHEMA, targets: rows })?;
        return Ok(Exit::Fine);
    }
    let head =
        ["target", "generation", "waves", "basis", "opcodes", "matrix", "literal", "scalars", "tuples", "DPP", "MODE"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    table.extend(rows.iter().map(|row| {
        let waves: Vec<String> = row.waves.iter().map(ToString::to_string).collect();
        vec![
            row.name.to_owned(),
            row.generation.to_owned(),
            waves.join(", "),
            row.basis.to_owned(),
            row.opcodes.to_string(),
            row.matrix_opcodes.to_string(),
            if row.literal { "yes" } else { "no" }.to_owned(),
            row.scalar_limit.to_string(),
            if row.even_vgpr_tuples { "even" } else { "any" }.to_owned(),
            row.dpp.to_owned(),
            row.mode.join(" "),
        ]
    }));
    out.table(&table);
    Ok(Exit::Fine)
}
