//! `vop3p html`: a triage as a page.

use std::path::{Path, PathBuf};

use super::{Exit, Failure, Out};
use vop3p::report::html::page;
use vop3p::triage::cluster::{SCHEMA, Triage};

const EXAMPLES: &str = "\
Examples:
  vop3p html triage.json                   writes report.html
  vop3p html triage.json -o llvm-22.html
  vop3p html triage.json -o - | gzip       to standard output

TRIAGE.json is what `vop3p triage` writes. The page is one file: it opens from disk, asks the
network for nothing, and reads without its script, which searches and filters. The address of
the page keeps what is searched: report.html#search=kind:crash+target:gfx950";

/// Show a triage as a page for people
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What `vop3p triage` wrote
    #[arg(value_name = "TRIAGE.json")]
    triage: PathBuf,

    /// The page; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let page = page(&read(&args.triage)?);
    if args.output == Path::new("-") {
        out.text(page);
        return Ok(Exit::Fine);
    }
    std::fs::write(&args.output, page)
        .map_err(|error| Failure::input(format!("cannot write {}: {error}", args.output.display())))?;
    out.line(format_args!("wrote {}", args.output.display()));
    Ok(Exit::Fine)
}

/// The triage in a file.
fn read(path: &Path) -> Result<Triage, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    let wrong = |error: serde_json::Error| Failure::input(format!("{name}: no triage: {error}"));
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    // Another version may have other fields, and is not to be told that one is missing.
    let Version { schema } = serde_json::from_str(&text).map_err(wrong)?;
    if schema != SCHEMA {
        return Err(Failure::input(format!("{name}: a triage of schema {schema}; this vop3p reads {SCHEMA}")));
    }
    serde_json::from_str(&text).map_err(wrong)
}
