//! The head of the page: what was compared, what came of it, in numbers.

use maud::{Markup, html};

use super::index::Index;
use super::number::{compact, count, grouped};
use super::text::plain;
use crate::sweep::certificate::Certificate;
use crate::sweep::record::Counts;

/// Digits of a hash that are shown.
pub const SHORT_HASH: usize = 12;

/// What was compared with what, in a line.
pub fn compared(index: &Index<'_>) -> String {
    let names = |is_of_two: bool| {
        let of = index.sweeps.iter().filter(|sweep| sweep.is_of_two() == is_of_two);
        of.map(|sweep| plain(&sweep.label)).collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    let against_us = names(false);
    if !against_us.is_empty() {
        parts.push(format!("AMD's specification against LLVM {}", listed(&against_us)));
    }
    parts.extend(names(true).into_iter().map(|label| format!("LLVM {label}")));
    if parts.is_empty() { "nothing was compared".to_owned() } else { parts.join("; ") }
}

/// `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What came of it, in a sentence.
fn outcome(index: &Index<'_>) -> String {
    match index.new_causes().count() {
        0 => "No difference that the ledger does not know.".to_owned(),
        new => format!("{}.", count(new as u64, "new cause", "new causes")),
    }
}

/// What must be said beside it.
fn remarks(index: &Index<'_>, total: &Counts) -> Vec<String> {
    let mut remarks = Vec::new();
    let known = index.causes.iter().filter(|cause| !cause.is_new()).count();
    if known > 0 {
        let all = if index.new_causes().count() == 0 { "every difference" } else { "every other difference" };
        let explain = if known == 1 { "explains" } else { "explain" };
        remarks
            .push(format!("{} {explain} {all}.", count(known as u64, "cause of the ledger", "causes of the ledger")));
    }
    if total.new + total.texts_new > 0 && index.new_causes().next().is_none() {
        remarks.push(format!(
            "The sweeps count {}, though, and no cause stands here for them.",
            count(total.new + total.texts_new, "new difference", "new differences")
        ));
    }
    if total.rationed > 0 {
        remarks.push(format!(
            "{} left out: words like them are known to kill LLVM, and some of those were judged.",
            count(total.rationed, "window was", "windows were")
        ));
    }
    let rows = || certificates(index).flat_map(|certificate| &certificate.targets);
    let differ = rows().filter(|row| row.alike.iter().any(|alike| alike.differ > 0)).count();
    if differ > 0 {
        let (verb, them) = if differ == 1 { ("does", "it") } else { ("do", "them") };
        remarks.push(format!(
            "{} of which a sample was judged {verb} not answer like the one that stands for {them}: see the coverage.",
            count(differ as u64, "target", "targets")
        ));
    }
    remarks
}

/// All certificates, by sweep.
pub fn certificates<'a>(index: &'a Index<'_>) -> impl Iterator<Item = &'a Certificate> {
    index.sweeps.iter().flat_map(|sweep| sweep.certificates.iter().copied())
}

/// The head.
pub fn head(index: &Index<'_>) -> Markup {
    let mut total = Counts::default();
    certificates(index).for_each(|certificate| total += certificate.total);
    let is_new = index.new_causes().next().is_some();
    html! {
        header .head {
            p .eyebrow { "vop3p " (versions_of_tool(index)) " · ledger " code { (ledgers(index)) } }
            h1 { (compared(index)) }
            div .outcome.bad[is_new].good[!is_new] {
                p .sentence { span aria-hidden="true" { @if is_new { "▲ " } @else { "✓ " } } (outcome(index)) }
                @if is_new {
                    ul .fresh {
                        @for cause in index.new_causes() {
                            li { a href={ "#" (cause.anchor) } { (plain(&cause.cluster.title)) } }
                        }
                    }
                }
                @for remark in remarks(index, &total) { p { (remark) } }
            }
            (tiles(index, &total))
        }
    }
}

fn tiles(index: &Index<'_>, total: &Counts) -> Markup {
    let sweeps = certificates(index).count() as u64;
    let targets =
        index.columns.iter().filter(|column| index.sweeps.iter().any(|sweep| sweep.has(column.target))).count();
    let known = index.causes.iter().filter(|cause| !cause.is_new()).count() as u64;
    let new = index.causes.len() as u64 - known;
    let share = |part: u64, of: u64| match of {
        0 => String::new(),
        _ => {
            let tenths = u128::from(part) * 1_000 / u128::from(of);
            format!("{}.{} % of the windows", tenths / 10, tenths % 10)
        }
    };
    let items = [
        ("causes", grouped(new + known), format!("{} new, {} known", grouped(new), grouped(known))),
        (
            "windows",
            compact(total.windows),
            format!("{} in {}", grouped(total.windows), count(sweeps, "sweep", "sweeps")),
        ),
        ("agreed", compact(total.agreed + total.noted), {
            format!("{}; {} of them noted", share(total.agreed + total.noted, total.windows), grouped(total.noted))
        }),
        ("differ", compact(total.known + total.new), {
            let share = share(total.known + total.new, total.windows);
            format!("{share}: {} known, {} new", grouped(total.known), grouped(total.new))
        }),
        ("texts", compact(total.texts), {
            format!(
                "{} agreed, {} refused by both, {} known, {} new",
                compact(total.texts_agreed),
                compact(total.texts_refused),
                compact(total.texts_known),
                compact(total.texts_new)
            )
        }),
        ("targets", grouped(targets as u64), format!("{} opcodes", index.rows.len())),
        ("deaths", grouped(total.deaths), "windows on which a tool of LLVM's died".to_owned()),
    ];
    html! {
        dl .tiles {
            @for (name, value, detail) in &items {
                div { dt { (name) } dd { strong { (value) } span { (detail) } } }
            }
        }
    }
}

fn versions_of_tool(index: &Index<'_>) -> String {
    let mut versions: Vec<String> = certificates(index).map(|certificate| plain(&certificate.vop3p)).collect();
    versions.sort();
    versions.dedup();
    versions.join(", ")
}

fn ledgers(index: &Index<'_>) -> String {
    let mut hashes: Vec<String> = certificates(index).map(|certificate| short_hash(&certificate.ledger)).collect();
    hashes.sort();
    hashes.dedup();
    if hashes.is_empty() { "none".to_owned() } else { hashes.join(", ") }
}

/// The first digits of a hash.
pub fn short_hash(hash: &str) -> String {
    plain(hash).chars().take(SHORT_HASH).collect()
}

/// The end of the page.
pub fn foot(index: &Index<'_>) -> Markup {
    html! {
        footer {
            p {
                "Written by " code { "vop3p html" } " of vop3p " (versions_of_tool(index))
                ". This file asks the network for nothing. Every case can be shown again with the commands below it."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_people_do() {
        let names = ["14", "19", "22"].map(str::to_owned);
        assert_eq!(listed(&names), "14, 19 and 22");
        assert_eq!(listed(&names[..1]), "14");
        assert_eq!(short_hash("0123456789abcdef"), "0123456789ab");
    }
}
