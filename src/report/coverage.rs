//! A certificate as a table for people.

use std::fmt::Write as _;

use crate::sweep::certificate::{Certificate, TargetRow};
use crate::sweep::record::Counts;

/// The certificate: a row a target, and the sum.
#[must_use]
pub fn certificate_lines(certificate: &Certificate) -> String {
    let Certificate { llvm, against, targets, total, unknown, .. } = certificate;
    let tools = match against {
        None => format!("LLVM {}", llvm.version),
        Some(against) => format!("LLVM {} against {}", llvm.version, against.version),
    };
    let head = ["target", "windows", "agreed", "noted", "known", "new", "rationed", "texts", "agreed", "refused"];
    let mut rows: Vec<Vec<String>> =
        vec![head.into_iter().chain(["known", "new", "swept"]).map(str::to_owned).collect()];
    rows.extend(targets.iter().map(|row| cells(&row.target.to_string(), &row.counts, &how(row))));
    rows.push(cells("total", total, ""));
    let mut text = format!("{tools}, {} units\n", certificate.units);
    let widths: Vec<usize> =
        (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(place, (cell, width))| match place {
            0 | 12 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        // Writing to a string cannot fail.
        _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(ToString::to_string).collect();
        _ = writeln!(text, "not known to {tools}, left out: {}", names.join(", "));
    }
    text
}

fn cells(name: &str, counts: &Counts, how: &str) -> Vec<String> {
    let Counts { windows, agreed, noted, known, new, texts, rationed, .. } = counts;
    let numbers = [windows, agreed, noted, known, new, rationed, texts];
    let of_texts = [counts.texts_agreed, counts.texts_refused, counts.texts_known, counts.texts_new];
    let numbers = numbers.into_iter().copied().chain(of_texts).map(|number| number.to_string());
    [name.to_owned()].into_iter().chain(numbers).chain([how.to_owned()]).collect()
}

/// How much of the target was judged.
fn how(row: &TargetRow) -> String {
    // What kills LLVM is not put to it for both.
    let sampled = row.alike.iter().map(|alike| alike.windows).sum::<u64>() + row.counts.deaths;
    let all = row.counts.windows;
    let mut parts = Vec::new();
    if sampled < all && !row.alike.is_empty() {
        parts.push("its own opcodes whole".to_owned());
    } else if row.alike.is_empty() {
        parts.push("whole".to_owned());
    }
    for alike in &row.alike {
        parts.push(match (&alike.first, alike.differ) {
            (Some(first), differ) => format!("unlike {}: {differ} of {}, such as {first}", alike.like, alike.windows),
            (None, _) => format!("{} as {}", alike.windows, alike.like),
        });
    }
    parts.join("; ")
}

/// What the sweep says, in a sentence.
#[must_use]
pub fn conclusion(certificate: &Certificate) -> String {
    let total = &certificate.total;
    let new = total.new + total.texts_new;
    let unlike: u64 = certificate.targets.iter().flat_map(|row| &row.alike).map(|alike| alike.differ).sum();
    let rationed = match total.rationed {
        0 => String::new(),
        count => format!("; of the windows known to kill LLVM, {count} more were left out"),
    };
    let what = match (&certificate.against, new) {
        (Some(_), 0) => "no change".to_owned(),
        (Some(_), new) => format!("{new} windows and texts changed"),
        (None, 0) => {
            let entries = certificate.entries.len();
            format!("no difference that the ledger does not know; {entries} of its entries explain all there are")
        }
        (None, new) => format!("{new} windows and texts with a difference that the ledger lacks: `vop3p triage` them"),
    };
    let alike = match unlike {
        0 => String::new(),
        count => format!("; {count} windows that LLVM does not answer alike: sweep those targets with --each"),
    };
    format!("{what}{alike}{rationed}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::record::Alike;

    fn row(windows: u64, deaths: u64, alike: &[(&str, u64, u64)]) -> String {
        let alike = alike.iter().map(|(like, windows, differ)| Alike {
            like: like.parse().unwrap(),
            windows: *windows,
            differ: *differ,
            first: (*differ > 0).then(|| "cc0f4000 18020902".to_owned()),
        });
        how(&TargetRow {
            target: "gfx1103".parse().unwrap(),
            alike: alike.collect(),
            counts: Counts { windows, deaths, ..Counts::default() },
            spaces: std::collections::BTreeMap::new(),
        })
    }

    #[test]
    fn how_much_of_a_target_was_judged_is_said() {
        assert_eq!(row(100, 3, &[]), "whole");
        assert_eq!(row(100, 0, &[("gfx1100", 100, 0)]), "100 as gfx1100");
        assert_eq!(row(100, 3, &[("gfx1100", 97, 0)]), "97 as gfx1100");
        assert_eq!(
            row(100, 0, &[("gfx1100", 40, 0), ("gfx1101", 20, 7)]),
            "its own opcodes whole; 40 as gfx1100; unlike gfx1101: 7 of 20, such as cc0f4000 18020902"
        );
    }
}
