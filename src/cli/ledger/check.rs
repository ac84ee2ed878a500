//! `vop3p ledger check`: whether every witness still shows what its sign says.

use serde::Serialize;

use super::SCHEMA;
use crate::cli::common::Common;
use crate::cli::{Exit, Failure, Out};
use vop3p::campaign::witnesses::{Checked, Shown, Witness, check};
use vop3p::ledger::{SignKind, Status};
use vop3p::report::names::status_name;

#[derive(Serialize)]
struct CheckView {
    schema: u32,
    checks: Vec<VersionView>,
}

#[derive(Serialize)]
struct VersionView {
    llvm: String,
    signs: Vec<CheckedView>,
}

#[derive(Serialize)]
struct CheckedView {
    name: String,
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

/// Replays every witness on every chosen LLVM.
pub fn run(common: &Common, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = common.ledger()?;
    let mut stale = false;
    let mut checks = Vec::new();
    for llvm in common.llvms()? {
        let checked = check(&ledger, &llvm)?;
        stale |= checked.iter().any(|one| !one.stale.is_empty());
        if json {
            checks.push(VersionView {
                llvm: llvm.version.to_string(),
                signs: checked.iter().map(checked_view).collect(),
            });
        } else {
            show_check(&llvm.version.to_string(), &checked, out);
        }
    }
    if json {
        out.json(&CheckView { schema: SCHEMA, checks })?;
    }
    Ok(Exit::new_if(stale))
}

fn checked_view(checked: &Checked<'_>) -> CheckedView {
    let witness = |witness: &Witness| WitnessView {
        case: witness.case.clone(),
        shown: match witness.shown {
            Shown::Yes => Some(true),
            Shown::No => Some(false),
            Shown::NotThere => None,
        },
        seen: witness.seen.clone(),
    };
    CheckedView {
        name: checked.name(),
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
        Status::Untested if checked.sign.kind == SignKind::Document => "ok",
        Status::Untested => "shown",
        _ => "ok",
    }
}

fn show_check(version: &str, checked: &[Checked<'_>], out: &mut Out) {
    let mut table = vec![["sign", "listed", "shown by", "result"].map(str::to_owned).to_vec()];
    for one in checked {
        let there = one.witnesses.len() - one.count(Shown::NotThere);
        let shown = format!("{} of {there}", one.count(Shown::Yes));
        table.push(vec![one.name(), status_name(one.status).to_owned(), shown, result_of(one).to_owned()]);
    }
    out.line(format_args!("LLVM {version}"));
    out.table(&table);
    for one in checked {
        for stale in &one.stale {
            out.line(format_args!("stale: {} on LLVM {version}: {stale}", one.name()));
        }
    }
    let stale = checked.iter().filter(|one| !one.stale.is_empty()).count();
    out.line(format_args!("{} signs checked on LLVM {version}, {stale} stale", checked.len()));
}
