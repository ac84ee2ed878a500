//! `vop3p merge`: shards of a sweep, joined.

use std::path::PathBuf;

use super::common::{Exit, Failure};
use super::out::Out;
use super::sweep::{file_failure, finish};
use vop3p::sweep::merge::{MergeError, merge};

const EXAMPLES: &str = "\
Example:
  vop3p merge sweep/22.1.8.shard-*.jsonl --out sweep/22.1.8.jsonl

The result is the file that one sweep without shards would have written. That a shard is missing,
unfinished or of another sweep is an error, and nothing is written.";

/// Join the shards of a sweep, and check that nothing is missing
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The findings files of all shards
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,

    /// The findings file to write; its certificate goes beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write it anew if it is there
    #[arg(long)]
    restart: bool,

    /// Print the certificate as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let sweep = merge(&args.shards, &args.out, args.restart).map_err(|error| match error {
        MergeError::File(error) => file_failure(error),
        error => Failure::input(error.to_string()),
    })?;
    finish(&sweep, &args.out, args.json, out)
}
