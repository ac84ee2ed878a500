//! What was covered, target by target, so that "no difference" is a statement.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::head::short_hash;
use super::index::{Cause, Index, Sweep};
use super::number::{count, grouped};
use super::text::plain;
use crate::report::names::compact_targets;
use crate::sweep::certificate::{Certificate, TargetRow};
use crate::sweep::record::{Alike, Counts, Tools};

/// The section.
pub fn section(index: &Index<'_>) -> Markup {
    html! {
        section id="coverage" tabindex="-1" aria-labelledby="coverage-title" {
            h2 id="coverage-title" { "Coverage" }
            p {
                em { "whole" } ": every window of the sweep was judged. " em { "sampled" }
                ": a sample was, and LLVM was asked whether it answers like the target that stands for it. "
                em { "rationed" } ": left out, because words like them are known to kill LLVM."
            }
            @for (place, sweep) in index.sweeps.iter().enumerate() {
                @for certificate in &sweep.certificates { (one(index, sweep, certificate, place == index.main)) }
            }
            @if index.sweeps.iter().all(|sweep| sweep.certificates.is_empty()) {
                p .empty { "No certificate is given." }
            }
        }
    }
}

fn one(index: &Index<'_>, sweep: &Sweep<'_>, certificate: &Certificate, is_main: bool) -> Markup {
    let whole = certificate.targets.iter().filter(|row| row.alike.is_empty()).count() as u64;
    html! {
        details .sweep open[is_main] {
            summary {
                h3 { "LLVM " (plain(&sweep.label)) }
                " " span .facts-line {
                    (count(whole, "target whole", "targets whole")) ", "
                    (grouped(certificate.targets.len() as u64 - whole)) " sampled · "
                    (count(certificate.total.windows, "window", "windows"))
                }
            }
            (facts(certificate))
            (targets(certificate))
            (spaces(certificate))
            (entries(index, certificate))
        }
    }
}

fn facts(certificate: &Certificate) -> Markup {
    let choice = &certificate.choice;
    let mut directions = Vec::new();
    if choice.decode {
        directions.push("words are decoded");
    }
    if choice.assemble {
        directions.push("texts are assembled");
    }
    let unknown: Vec<String> = certificate.unknown.iter().map(ToString::to_string).collect();
    html! {
        dl .facts {
            dt { "LLVM" } dd { (tools(&certificate.llvm)) }
            @if let Some(against) = &certificate.against { dt { "against" } dd { (tools(against)) } }
            dt { "ledger" } dd { code { (short_hash(&certificate.ledger)) } }
            dt { "vop3p" } dd { (plain(&certificate.vop3p)) }
            dt { "opcodes" }
            dd {
                @if choice.opcodes.is_empty() { "all, and the numbers that are none" }
                @else { (plain(&choice.opcodes.join(", "))) }
            }
            dt { "directions" } dd { (directions.join(", ")) }
            dt { "units" } dd { (grouped(certificate.units)) }
            @if !unknown.is_empty() { dt { "targets it does not know" } dd { (unknown.join(", ")) } }
        }
    }
}

fn tools(tools: &Tools) -> Markup {
    html! { (plain(&tools.version)) " " code title=(plain(&tools.sha256)) { (short_hash(&tools.sha256)) } }
}

/// A column of the counts: its name, and its value.
type Column = (&'static str, fn(&Counts) -> u64);

const COLUMNS: [Column; 12] = [
    ("windows", |counts| counts.windows),
    ("agreed", |counts| counts.agreed),
    ("noted", |counts| counts.noted),
    ("known", |counts| counts.known),
    ("new", |counts| counts.new),
    ("texts", |counts| counts.texts),
    ("agreed", |counts| counts.texts_agreed),
    ("refused", |counts| counts.texts_refused),
    ("known", |counts| counts.texts_known),
    ("new", |counts| counts.texts_new),
    ("rationed", |counts| counts.rationed),
    ("deaths", |counts| counts.deaths),
];

fn targets(certificate: &Certificate) -> Markup {
    html! {
        div .box tabindex="0" role="region" aria-label="Counts by target" {
            table .counts {
                caption .unseen { "Counts by target" }
                thead {
                    tr {
                        th rowspan="2" scope="col" { "Target" }
                        th rowspan="2" scope="col" { "Swept" }
                        th colspan="5" scope="colgroup" { "decoding" }
                        th colspan="5" scope="colgroup" { "assembling" }
                        th colspan="2" scope="colgroup" { "LLVM's deaths" }
                    }
                    tr { @for (name, _) in COLUMNS { th .number scope="col" { (name) } } }
                }
                tbody { @for row in &certificate.targets { (target(row)) } }
                tfoot {
                    tr { th scope="row" colspan="2" { "all" } (numbers(&certificate.total)) }
                }
            }
        }
    }
}

fn target(row: &TargetRow) -> Markup {
    html! {
        tr .sampled[!row.alike.is_empty()] {
            th scope="row" { (row.target) " " small { (row.target.rules().name) } }
            td {
                @if row.alike.is_empty() { "whole" }
                @for (place, alike) in row.alike.iter().enumerate() {
                    @if place > 0 { br; }
                    (sampled(alike))
                }
            }
            (numbers(&row.counts))
        }
    }
}

fn sampled(alike: &Alike) -> Markup {
    html! {
        "sampled: "
        @if alike.differ == 0 {
            "like " (alike.like) " in " (count(alike.windows, "window", "windows"))
        } @else {
            strong { "unlike " (alike.like) } " in " (grouped(alike.differ)) " of "
            (count(alike.windows, "window", "windows"))
            @if let Some(first) = &alike.first { ", first " code { (plain(first)) } }
        }
    }
}

fn numbers(counts: &Counts) -> Markup {
    html! {
        @for (name, value) in COLUMNS {
            @let value = value(counts);
            td .number.zero[value == 0].alarm[value > 0 && name == "new"] { (grouped(value)) }
        }
    }
}

fn spaces(certificate: &Certificate) -> Markup {
    let names: BTreeSet<&String> = certificate.targets.iter().flat_map(|row| row.spaces.keys()).collect();
    if names.is_empty() {
        return html! {};
    }
    html! {
        details {
            summary { "Windows by what was varied" }
            div .box tabindex="0" role="region" aria-label="Windows by what was varied" {
                table .counts {
                    caption .unseen { "Windows by target and by what was varied" }
                    thead {
                        tr {
                            th scope="col" { "Target" }
                            @for name in &names { th .number scope="col" { (plain(name)) } }
                        }
                    }
                    tbody {
                        @for row in &certificate.targets {
                            tr .sampled[!row.alike.is_empty()] {
                                th scope="row" { (row.target) }
                                @for name in &names {
                                    @let value = row.spaces.get(*name).copied().unwrap_or(0);
                                    td .number.zero[value == 0] { (grouped(value)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn entries(index: &Index<'_>, certificate: &Certificate) -> Markup {
    if certificate.entries.is_empty() {
        return html! {};
    }
    html! {
        details {
            summary { "Entries of the ledger that explain something" }
            div .box tabindex="0" role="region" aria-label="Entries of the ledger" {
                table .counts {
                    caption .unseen { "Entries of the ledger" }
                    thead {
                        tr {
                            th scope="col" { "Entry" }
                            th .number scope="col" { "findings" }
                            th scope="col" { "targets" }
                        }
                    }
                    tbody {
                        @for entry in &certificate.entries {
                            @let is_its = |cause: &&Cause<'_>| cause.cluster.entry.as_ref() == Some(&entry.id);
                            @let cause = index.causes.iter().find(is_its);
                            tr {
                                th scope="row" {
                                    @match cause {
                                        Some(cause) => a href={ "#" (cause.anchor) } { (plain(&entry.id)) },
                                        None => (plain(&entry.id)),
                                    }
                                }
                                td .number { (grouped(entry.findings)) }
                                td { (compact_targets(|p| entry.targets.iter().any(|target| target.index() == p))) }
                            }
                        }
                    }
                }
            }
        }
    }
}
