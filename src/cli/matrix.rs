//! `vop3p matrix`: which disagreement began and ended with which LLVM.

use std::path::PathBuf;

use super::common::{Exit, Failure, LedgerOption};
use super::out::Out;
use super::sweep::file_failure;
use vop3p::sweep::file::read;
use vop3p::sweep::matrix::VersionMatrix;

const EXAMPLES: &str = "\
Example:
  vop3p sweep --llvm all
  vop3p matrix sweep/*.jsonl

A number is how many windows and texts show the disagreement, a dot that none does. An entry that
is seen where the ledger calls it silent is marked, and the exit code is 1.";

/// Show which disagreement began and ended with which LLVM, from the sweeps of several
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Findings files of `vop3p sweep`, one an LLVM
    #[arg(value_name = "SWEEP", required = true)]
    sweeps: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    ledger: LedgerOption,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.ledger.load()?;
    let mut sweeps = Vec::new();
    for path in &args.sweeps {
        let sweep = read(path).map_err(file_failure)?;
        if !sweep.is_complete() || sweep.header.shard.of != 1 {
            let message = format!("{}: not a whole sweep; `vop3p sweep` goes on with it", path.display());
            return Err(Failure::input(message));
        }
        sweeps.push(sweep);
    }
    let key = |text: &str| text.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
    sweeps.sort_by_key(|sweep| key(&sweep.header.llvm.version));
    let matrix = VersionMatrix::of(&sweeps, &ledger);
    if args.json {
        out.json(&matrix)?;
        return Ok(Exit::new_if(!matrix.is_clean()));
    }
    let head = ["disagreement".to_owned()].into_iter().chain(matrix.llvms.iter().cloned());
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for row in &matrix.rows {
        let id = if row.new { format!("new: {}", row.id) } else { row.id.clone() };
        let counts = row.counts.iter().map(|count| if *count == 0 { ".".to_owned() } else { count.to_string() });
        let remark = row.unexpected.join("; ");
        rows.push([id].into_iter().chain(counts).chain([remark]).collect());
    }
    out.table(&rows);
    Ok(Exit::new_if(!matrix.is_clean()))
}
