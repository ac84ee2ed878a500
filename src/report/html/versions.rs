//! Which cause was seen on which LLVM, and where it began and ended.

use maud::{Markup, html};

use super::cause::verdict;
use super::index::{Index, Seen, Sweep};
use super::number::grouped;
use super::text::plain;

/// The section.
pub fn section(index: &Index<'_>) -> Markup {
    if index.causes.is_empty() {
        return html! {};
    }
    html! {
        section id="versions" tabindex="-1" aria-labelledby="versions-title" {
            h2 id="versions-title" { "Causes × LLVM" }
            p {
                "How often each cause was seen. " em { "none" } ": swept, and not there. " em { "unknown" }
                ": that LLVM does not know the targets. " em { "not swept" } ": left out of that sweep."
            }
            div .box tabindex="0" role="region" aria-label="Causes by LLVM" {
                table .versions id="by-version" {
                    caption .unseen { "Causes by LLVM" }
                    thead {
                        tr {
                            th scope="col" { "Cause" }
                            th scope="col" { "Verdict" }
                            @for sweep in &index.sweeps { th .number scope="col" { (plain(&sweep.label)) } }
                            th scope="col" { "Seen" }
                        }
                    }
                    tbody {
                        @for cause in &index.causes {
                            @let seen: Vec<Seen> =
                                index.sweeps.iter().map(|sweep| index.seen(cause.cluster, sweep)).collect();
                            tr data-cause=(cause.number) {
                                th scope="row" {
                                    span .ordinal { (cause.number) } " "
                                    a href={ "#" (cause.anchor) } { (plain(&cause.cluster.title)) }
                                    @if cause.is_new() { " " span .badge.new { "new" } }
                                }
                                td { (verdict(&cause.cluster.proposal)) }
                                @for seen in &seen { (cell(*seen)) }
                                td { (there(&index.sweeps, &seen)) }
                            }
                        }
                    }
                }
            }
            p .script-only.empty hidden data-empty { "No cause matches." }
        }
    }
}

fn cell(seen: Seen) -> Markup {
    match seen {
        Seen::Times(count) => html! { td .number.there { (grouped(count)) } },
        Seen::Never => html! { td .number.none { "none" } },
        Seen::UnknownTargets => html! { td .number.none { "unknown" } },
        Seen::NotSwept => html! { td .number.none { "not swept" } },
    }
}

/// In words: from which version to which one, among those that were held against us.
pub fn there(sweeps: &[Sweep<'_>], seen: &[Seen]) -> String {
    let versions: Vec<(&str, bool)> = sweeps
        .iter()
        .zip(seen)
        .filter(|(sweep, seen)| !sweep.is_of_two() && matches!(seen, Seen::Times(_) | Seen::Never))
        .map(|(sweep, seen)| (sweep.label.as_str(), matches!(seen, Seen::Times(_))))
        .collect();
    let runs: Vec<&[(&str, bool)]> =
        versions.chunk_by(|a, b| a.1 == b.1).filter(|run| run.iter().all(|(_, is_there)| *is_there)).collect();
    let text = match (&runs[..], &versions[..]) {
        ([], _) => String::new(),
        ([run], all) if run.len() == all.len() => match run {
            [(only, _)] => format!("on {only}"),
            _ if all.len() < sweeps.iter().filter(|sweep| !sweep.is_of_two()).count() => {
                format!("on all {} that were asked", all.len())
            }
            _ => format!("on all {}", all.len()),
        },
        (runs, all) => {
            let last = all.last().map_or("", |(version, _)| version);
            let first = all.first().map_or("", |(version, _)| version);
            let span = |run: &&[(&str, bool)]| match (run.first(), run.last()) {
                (Some((from, _)), Some((to, _))) if from == to && *from != last => format!("on {from} only"),
                (Some((from, _)), Some((to, _))) if *to == last => format!("since {from}"),
                (Some((from, _)), Some((to, _))) if *from == first => format!("until {to}"),
                (Some((from, _)), Some((to, _))) => format!("from {from} to {to}"),
                _ => String::new(),
            };
            runs.iter().map(span).collect::<Vec<_>>().join(", ")
        }
    };
    plain(&text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn said(seen: [Seen; 5]) -> String {
        let sweep = |label: &str| Sweep { label: label.to_owned(), certificates: Vec::new(), seen: BTreeMap::new() };
        there(&["14", "15", "16", "19", "22"].map(sweep), &seen)
    }

    #[test]
    fn where_a_cause_began_and_ended() {
        const T: Seen = Seen::Times(1);
        const N: Seen = Seen::Never;
        const U: Seen = Seen::UnknownTargets;
        assert_eq!(said([T, T, T, T, T]), "on all 5");
        assert_eq!(said([U, U, T, T, T]), "on all 3 that were asked");
        assert_eq!(said([N, N, T, T, T]), "since 16");
        assert_eq!(said([N, N, N, N, T]), "since 22");
        assert_eq!(said([T, T, N, N, N]), "until 15");
        assert_eq!(said([T, N, N, N, N]), "on 14 only");
        assert_eq!(said([N, T, T, N, N]), "from 15 to 16");
        assert_eq!(said([T, N, T, N, T]), "on 14 only, on 16 only, since 22");
        assert_eq!(said([U, U, U, U, T]), "on 22");
        assert_eq!(said([N, N, U, N, N]), "");
    }
}
