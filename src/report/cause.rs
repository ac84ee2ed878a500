//! Causes for people: a table of all, and a block each.

use std::fmt::Write as _;

use crate::isa::target_names;
use crate::sweep::record::Direction;
use crate::triage::cluster::{Cluster, Need, Witness};
use crate::triage::need_text;

/// More opcodes than this are counted in a row.
const MOST_NAMES: usize = 2;

/// The head of the table.
#[must_use]
pub fn head() -> Vec<String> {
    ["id", "verdict", "kind", "opcodes", "targets", "LLVM", "count", "title"].map(str::to_owned).to_vec()
}

/// A cause as a row of the table.
#[must_use]
pub fn row(cluster: &Cluster) -> Vec<String> {
    let opcodes = cluster.opcodes();
    let opcodes = if opcodes.len() <= MOST_NAMES { opcodes.join(", ") } else { opcodes.len().to_string() };
    let verdict = &cluster.proposal.verdict;
    let verdict = if cluster.proposal.decided { verdict.to_string() } else { format!("{verdict}?") };
    vec![
        cluster.id.clone(),
        verdict,
        cluster.kind.name().to_owned(),
        opcodes,
        target_names(&cluster.targets()),
        versions(cluster).join(", "),
        cluster.count().to_string(),
        cluster.title.clone(),
    ]
}

/// The sweeps that saw it, by label, each once.
#[must_use]
pub fn versions(cluster: &Cluster) -> Vec<&str> {
    let mut versions: Vec<&str> = Vec::new();
    for cell in &cluster.cells {
        if !versions.contains(&cell.llvm.as_str()) {
            versions.push(&cell.llvm);
        }
    }
    versions
}

/// What a word needs, in words.
#[must_use]
pub fn needs_text(needs: &[Need]) -> String {
    match needs {
        [] => "nothing but the plain word".to_owned(),
        needs => needs.iter().map(need_text).collect::<Vec<_>>().join(", "),
    }
}

/// Which way, in words.
#[must_use]
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Decode => "decoding",
        Direction::Assemble => "assembling",
        Direction::Reassemble => "assembling what LLVM prints",
    }
}

/// Everything about a cause, as one aligned block.
#[must_use]
pub fn block(cluster: &Cluster) -> String {
    let what = if cluster.entry.is_some() { "known cause" } else { "new cause" };
    let mut text = format!("{what}: {}\n", cluster.id);
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "  {name:<10}{value}");
    };
    line("title", &cluster.title);
    line("kind", &format!("{} {}, {}", cluster.kind, cluster.field, direction_name(cluster.direction)));
    line("needs", &needs_text(&cluster.needs));
    let opcodes = cluster.opcodes();
    line("opcodes", &format!("{}: {}", opcodes.len(), opcodes.join(", ")));
    line("targets", &target_names(&cluster.targets()));
    line("LLVM", &versions(cluster).join(", "));
    line("count", &cluster.count().to_string());
    let proposal = &cluster.proposal;
    let proposed = if proposal.decided { "" } else { "  (proposed)" };
    line("verdict", &format!("{}{proposed}", proposal.verdict));
    line("reason", &proposal.reason);
    for citation in &proposal.citations {
        line("rests on", citation);
    }
    let between = versions(cluster).first().and_then(|label| label.split_once(" against "));
    for witness in &cluster.witnesses {
        witness_lines(witness, between, &mut line);
    }
    text
}

fn witness_lines(witness: &Witness, between: Option<(&str, &str)>, line: &mut dyn FnMut(&str, &str)) {
    let Witness { targets, window, padded, text, ours, theirs, replay, stock, .. } = witness;
    let pad = if *padded { "" } else { ", nothing behind it" };
    line("witness", &format!("{window}{pad}, {}", target_names(targets)));
    if let Some(text) = text {
        line("text", text);
    }
    let (us, them) = between.unwrap_or(("ours", "LLVM"));
    line(us, ours);
    line(them, theirs);
    line("replay", replay);
    line("stock", stock);
}
