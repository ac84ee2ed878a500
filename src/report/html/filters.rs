//! The bar that searches and the buttons that filter. Without the script neither is shown.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::index::Index;
use super::text::plain;

/// What can be typed, said where it is typed.
const HELP: &[(&str, &str)] = &[
    ("words", "in titles, reasons, texts and commands; \"two words\" together"),
    ("target:gfx950", "a target, or the start of several"),
    ("opcode:dot2", "an opcode, or a part of several"),
    ("generation:cdna3", "also gen:"),
    ("llvm:19", "seen on that version"),
    ("kind:crash", "also field:, needs:, direction:, id:"),
    ("verdict:llvm-wrong", "also new: and known:"),
    ("-kind:crash", "all but those"),
];

/// The bar, which stays in sight.
pub fn bar(index: &Index<'_>) -> Markup {
    html! {
        div .bar {
            nav aria-label="Parts of the report" {
                a href="#opcodes" { "Opcodes" }
                @if !index.causes.is_empty() { a href="#versions" { "Versions" } }
                a href="#causes" { "Causes" }
                a href="#coverage" { "Coverage" }
            }
            div .search.script-only role="search" {
                label .unseen for="search" { "Search the causes" }
                input type="search" id="search" placeholder="Search: words, target:gfx950, kind:crash …"
                    autocomplete="off" spellcheck="false" aria-describedby="count" aria-keyshortcuts="/";
                span id="count" role="status" { (index.causes.len()) " of " (index.causes.len()) }
                button type="button" id="clear" hidden { "Clear" }
            }
            button .script-only.theme type="button" id="theme" aria-label="Theme: as the system" {
                "◐" span { " as the system" }
            }
        }
    }
}

/// The buttons.
pub fn chips(index: &Index<'_>) -> Markup {
    let causes = || index.causes.iter().map(|cause| cause.cluster);
    let sorted = |names: Vec<String>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        counts.into_keys().collect::<Vec<String>>()
    };
    let state = |is_new: bool| index.causes.iter().any(|cause| cause.is_new() == is_new);
    let states = [("new", state(true)), ("known", state(false))];
    let mut generations: Vec<String> = Vec::new();
    for column in &index.columns {
        let name = column.target.rules().name;
        if causes().any(|cluster| cluster.cells.iter().any(|cell| cell.target.rules().name == name))
            && generations.last().is_none_or(|last| last != name)
        {
            generations.push(name.to_owned());
        }
    }
    let groups = [
        ("state", "State", states.iter().filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()).collect()),
        ("verdict", "Verdict", sorted(causes().map(|cluster| cluster.proposal.verdict.to_string()).collect())),
        ("kind", "Kind", sorted(causes().map(|cluster| cluster.kind.name().to_owned()).collect())),
        ("generation", "Generation", generations),
        ("llvm", "LLVM", index.sweeps.iter().map(|sweep| plain(&sweep.label)).collect()),
    ];
    html! {
        details .filters.script-only open id="filters" {
            summary { "Filters" }
            @for (key, name, values) in &groups {
                @if values.len() > 1 {
                    div .group role="group" aria-label=(name) {
                        span .name aria-hidden="true" { (name) }
                        @for value in values {
                            button .chip type="button" aria-pressed="false" data-key=(key) data-value=(value) {
                                (value) " " span .of { }
                            }
                        }
                    }
                }
            }
            details .help {
                summary { "What can be searched for" }
                dl {
                    @for (term, meaning) in HELP { dt { code { (term) } } dd { (meaning) } }
                }
                p {
                    kbd { "/" } " searches, " kbd { "Esc" } " clears, " kbd { "j" } " and " kbd { "k" }
                    " go from cause to cause. The address of the page keeps search and filters: copy it to share what \
                     you see."
                }
            }
        }
    }
}
