//! `vop3p ledger add`: a new cause as an entry.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::common::LedgerOption;
use crate::cli::out::{remark, warn};
use crate::cli::{Exit, Failure, Out};
use vop3p::triage::cluster::{Cluster, SCHEMA, Triage};
use vop3p::triage::draft::draft;

const EXAMPLES: &str = "\
Examples:
  vop3p ledger add sweep/22.1.8.triage.json modifier-clamp-3fa9c1 --id mad-clamp-dropped
  vop3p ledger add all.json modifier-clamp-3fa9c1 --id mad-clamp-dropped --out my-ledger/new.toml

The entry has all but its reason, which a person writes; until then the ledger does not load. Look
at the predicate, too: it says what the witnesses need, everything else being plain. A sweep with
it (`vop3p sweep --ledger DIR`) shows where it says too much (ledger-silent) or too little (new).";

/// Make an entry of a new cause, for a person to write the reason
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct AddArgs {
    /// What `vop3p triage` wrote
    triage: PathBuf,

    /// The id of the cause there
    cluster: String,

    /// The id of the entry: words that say what it is, joined by `-`
    #[arg(long)]
    id: String,

    /// Append the entry to this file; without it, print it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    ledger: LedgerOption,
}

/// Runs the command.
pub fn run(args: &AddArgs, out: &mut Out) -> Result<Exit, Failure> {
    let triage = read_triage(&args.triage)?;
    let cluster = cluster(&triage, &args.cluster)?;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if args.id.is_empty() || !args.id.chars().all(is_name) {
        return Err(Failure::input(format!("`{}` is no id: lower case letters, digits and `-`", args.id)));
    }
    if args.ledger.load()?.get(&args.id).is_some() {
        return Err(Failure::input(format!("the ledger has an entry `{}` already", args.id)));
    }
    let draft = draft(cluster, &triage.sweeps, &args.id).map_err(|error| Failure::input(error.to_string()))?;
    for remark in &draft.remarks {
        warn(remark);
    }
    match &args.out {
        None => out.text(draft.text),
        Some(place) => {
            append(place, &draft.text)?;
            remark(&format!("entry `{}` is in {}; write its reason there", args.id, place.display()));
        }
    }
    Ok(Exit::Fine)
}

/// Reads what `vop3p triage` wrote.
pub fn read_triage(path: &Path) -> Result<Triage, Failure> {
    let fail = |what: String| Failure::input(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let triage: Triage = serde_json::from_str(&text).map_err(|error| fail(error.to_string()))?;
    match triage.schema {
        SCHEMA => Ok(triage),
        other => Err(fail(format!("schema {other} is not {SCHEMA}, which this version reads"))),
    }
}

/// The cause with this id, or the only one whose id begins so.
pub fn cluster<'a>(triage: &'a Triage, id: &str) -> Result<&'a Cluster, Failure> {
    if let Some(cluster) = triage.clusters.iter().find(|cluster| cluster.id == id) {
        return Ok(cluster);
    }
    let near: Vec<&Cluster> = triage.clusters.iter().filter(|cluster| cluster.id.starts_with(id)).collect();
    match near[..] {
        [one] => Ok(one),
        [] => Err(Failure::input(format!("no cause `{id}` there; `vop3p triage` lists them"))),
        _ => {
            let ids: Vec<&str> = near.iter().map(|cluster| cluster.id.as_str()).collect();
            Err(Failure::input(format!("`{id}` may be {}", ids.join(", "))))
        }
    }
}

fn append(place: &Path, text: &str) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::input(format!("{}: {error}", place.display()));
    let mut file = OpenOptions::new().create(true).append(true).open(place).map_err(fail)?;
    let is_empty = file.metadata().map_err(fail)?.len() == 0;
    let gap = if is_empty { "" } else { "\n" };
    file.write_all(format!("{gap}{text}").as_bytes()).map_err(fail)
}
