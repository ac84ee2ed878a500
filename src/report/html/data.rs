//! What the script knows of the causes, in few bytes.
//!
//! A cause has, for each sweep, a text of its opcodes `place:runs` with `;` between them; runs of targets that were
//! seen equally often are `first-last*count` or `place*count` with a space between them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::index::{Cause, Index};
use super::text::plain;

/// The data as JSON that can stand in a page.
pub fn json(index: &Index<'_>) -> String {
    let targets: Vec<Value> =
        index.columns.iter().map(|column| json!([column.target.to_string(), column.target.rules().name])).collect();
    let swept = |label: usize| -> Vec<u8> {
        index.columns.iter().map(|column| u8::from(index.sweeps[label].has(column.target))).collect()
    };
    let sweeps: Vec<Value> = index
        .sweeps
        .iter()
        .enumerate()
        .map(|(place, sweep)| json!({ "label": plain(&sweep.label), "swept": swept(place) }))
        .collect();
    let data = json!({
        "targets": targets,
        "opcodes": index.rows.iter().map(|row| plain(&row.name)).collect::<Vec<_>>(),
        "sweeps": sweeps,
        "main": index.main,
        "causes": index.causes.iter().map(|cause| of_cause(index, cause)).collect::<Vec<_>>(),
    });
    // In a page `</script>` would end the data, also within a text.
    data.to_string().replace('<', "\\u003c")
}

fn of_cause(index: &Index<'_>, cause: &Cause<'_>) -> Value {
    let cluster = cause.cluster;
    let needs: Vec<String> = cluster.needs.iter().map(|need| plain(&need.field)).collect();
    json!({
        "at": cause.anchor,
        "id": plain(&cluster.id),
        "title": plain(&cluster.title),
        "new": cause.is_new(),
        "kind": cluster.kind.name(),
        "field": plain(&cluster.field),
        "verdict": cluster.proposal.verdict.to_string(),
        "direction": super::cause::direction_name(cluster.direction),
        "needs": needs,
        "cells": (0..index.sweeps.len()).map(|sweep| cells(index, cause, sweep)).collect::<Vec<_>>(),
    })
}

fn cells(index: &Index<'_>, cause: &Cause<'_>, sweep: usize) -> String {
    let mut opcodes: BTreeMap<usize, Vec<(usize, u64)>> = BTreeMap::new();
    for ((row, column), causes) in &index.sweeps[sweep].seen {
        for (_, count) in causes.iter().filter(|(one, _)| one + 1 == cause.number) {
            opcodes.entry(*row).or_default().push((*column, *count));
        }
    }
    let texts: Vec<String> = opcodes.iter().map(|(row, columns)| format!("{row}:{}", runs(columns))).collect();
    texts.join(";")
}

fn runs(columns: &[(usize, u64)]) -> String {
    let same = |a: &(usize, u64), b: &(usize, u64)| a.0 + 1 == b.0 && a.1 == b.1;
    let text = |run: &[(usize, u64)]| match run {
        [] => String::new(),
        [(place, count)] => format!("{place}*{count}"),
        [(first, count), .., (last, _)] => format!("{first}-{last}*{count}"),
    };
    columns.chunk_by(same).map(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_the_same_count_are_one_run() {
        assert_eq!(runs(&[(0, 5), (1, 5), (2, 5), (4, 5), (5, 7), (6, 8)]), "0-2*5 4*5 5*7 6*8");
        assert_eq!(runs(&[]), "");
    }
}
