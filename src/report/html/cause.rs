//! One cause: what it is, whose fault, where, and the cases that show it.

use maud::{Markup, html};

use super::index::{Cause, Index, Seen};
use super::number::{count, grouped};
use super::text::{linked, plain};
use super::{versions, witness};
use crate::codec::FIELDS;
use crate::isa::{PROCESSOR_COUNT, Target};
use crate::report::names::{bit_ranges, compact_targets};
use crate::sweep::record::Direction;
use crate::triage::cluster::{Cluster, Need, Proposal};

/// Opcodes that are named at once; more stand behind a click.
const FEW_OPCODES: usize = 12;

/// The section.
pub fn section(index: &Index<'_>) -> Markup {
    html! {
        section id="causes" tabindex="-1" aria-labelledby="causes-title" {
            h2 id="causes-title" { "Causes" }
            @if index.causes.is_empty() {
                p .empty { "There is no difference at all." }
            } @else {
                p .script-only {
                    button type="button" id="open-all" { "Open all" } " "
                    button type="button" id="close-all" { "Close all" }
                }
                p .script-only.empty hidden data-empty { "No cause matches." }
            }
            @for cause in &index.causes { (one(index, cause)) }
        }
    }
}

fn one(index: &Index<'_>, cause: &Cause<'_>) -> Markup {
    let cluster = cause.cluster;
    let seen: Vec<Seen> = index.sweeps.iter().map(|sweep| index.seen(cluster, sweep)).collect();
    let there = versions::there(&index.sweeps, &seen);
    let targets = targets(&cluster.targets());
    let opcodes = cluster.opcodes();
    html! {
        details .cause.fresh[cause.is_new()] id=(cause.anchor) open[cause.is_new()] {
            summary .find {
                span .ordinal { (cause.number) }
                h3 { (plain(&cluster.title)) }
                span .badges {
                    @if cause.is_new() { span .badge.new { "new" } } @else { span .badge { "known" } }
                    " " (verdict(&cluster.proposal)) " "
                    span .badge { (cluster.kind.name()) " " (plain(&cluster.field)) }
                }
                span .facts-line {
                    (targets) " · "
                    @match opcodes[..] {
                        [only] => (plain(only)),
                        _ => (count(opcodes.len() as u64, "opcode", "opcodes")),
                    }
                    @if !there.is_empty() { " · " (there) }
                }
            }
            div .body {
                p .reason.find { (linked(&cluster.proposal.reason)) }
                dl .facts.find {
                    dt { "verdict" }
                    dd {
                        strong { (cluster.proposal.verdict) } ", "
                        @if cluster.proposal.decided { "decided by a person" } @else { "proposed, not yet decided" }
                    }
                    @if !cluster.proposal.citations.is_empty() {
                        dt { "rests on" }
                        dd { ul { @for citation in &cluster.proposal.citations { li { (linked(citation)) } } } }
                    }
                    dt { "needs" }
                    dd { (needs(&cluster.needs)) }
                    dt { "targets" }
                    dd { (targets) }
                    dt { "opcodes" }
                    dd { (opcode_list(&opcodes)) }
                    dt { "seen" }
                    dd { (seen_on(index, &seen)) }
                    dt { @if cause.is_new() { "name" } @else { "ledger entry" } }
                    dd {
                        code { (plain(&cluster.id)) } " "
                        a .permalink href={ "#" (cause.anchor) } { "link to this cause" }
                    }
                }
                @for one in &cluster.witnesses { (witness::witness(index, cluster, one)) }
            }
        }
    }
}

/// The verdict, and whether a person has decided it.
pub fn verdict(proposal: &Proposal) -> Markup {
    html! {
        span class={ "badge verdict " (proposal.verdict) } {
            (proposal.verdict) @if !proposal.decided { span .proposed { " proposed" } }
        }
    }
}

/// Which way, by its name in JSON.
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Decode => "decode",
        Direction::Assemble => "assemble",
        Direction::Reassemble => "reassemble",
    }
}

fn needs(needs: &[Need]) -> Markup {
    html! {
        @if needs.is_empty() { "nothing but the plain word" }
        @for (place, need) in needs.iter().enumerate() {
            @if place > 0 { ", " }
            code { (need_text(need)) }
        }
    }
}

/// `clamp = 1`; of a part of a field `op_sel[1] = 1`.
pub fn need_text(need: &Need) -> String {
    let width = FIELDS
        .iter()
        .find(|row| row.name == need.field || (need.field == "src" && row.name == "src0"))
        .map_or(u32::BITS, |row| row.parts.iter().map(|(_, width)| u32::from(*width)).sum());
    let is_whole = need.bits.trailing_ones() >= width || need.bits == 0;
    let part = if is_whole { String::new() } else { format!("[{}]", bit_ranges(need.bits.into())) };
    plain(&format!("{}{part} = {}", need.field, need.values))
}

/// Targets in few words; those of which only the unusual wave size is meant come last.
pub fn targets(targets: &[Target]) -> String {
    let has = |p: usize, unusual: bool| {
        targets.iter().any(|target| target.index() == p && target.has_unusual_wave() == unusual)
    };
    let usual = compact_targets(|p| has(p, false));
    let only_unusual = |p: usize| has(p, true) && !has(p, false);
    match (0..PROCESSOR_COUNT).any(only_unusual) {
        false => usual,
        true => {
            let unusual = format!("wave64 of {}", compact_targets(only_unusual));
            if usual.is_empty() { unusual } else { format!("{usual}, {unusual}") }
        }
    }
}

fn opcode_list(opcodes: &[&str]) -> Markup {
    let text = |names: &[&str]| plain(&names.join(", "));
    match opcodes.split_at_checked(FEW_OPCODES) {
        Some((few, rest)) if !rest.is_empty() => html! {
            (text(few))
            details .more {
                summary { "and " (rest.len()) " more" }
                (text(rest))
            }
        },
        _ => html! { (text(opcodes)) },
    }
}

fn seen_on(index: &Index<'_>, seen: &[Seen]) -> Markup {
    html! {
        @for (place, (sweep, seen)) in index.sweeps.iter().zip(seen).enumerate() {
            @if place > 0 { " · " }
            span .once {
                (plain(&sweep.label)) ": "
                @match seen {
                    Seen::Times(times) => strong { (grouped(*times)) },
                    Seen::Never => "none",
                    Seen::UnknownTargets => "unknown targets",
                    Seen::NotSwept => "not swept",
                }
            }
        }
    }
}

/// What the two sides of a cluster's cases are called: of two LLVMs by their versions.
pub fn sides(index: &Index<'_>, cluster: &Cluster, llvms: &[String]) -> [String; 2] {
    let labels = || llvms.iter().chain(cluster.cells.iter().map(|cell| &cell.llvm));
    let certificate = labels().find_map(|label| {
        index.sweeps.iter().find(|sweep| sweep.label == *label).and_then(|sweep| sweep.certificates.first())
    });
    match certificate.and_then(|certificate| certificate.against.as_ref().map(|against| (certificate, against))) {
        Some((certificate, against)) => {
            [&certificate.llvm, against].map(|tools| format!("LLVM {}", plain(&tools.version)))
        }
        None => ["AMD's specification", "LLVM"].map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_names_the_bits_where_not_all_matter() {
        let text = |field: &str, bits: u32, values: &str| {
            need_text(&Need { field: field.to_owned(), bits, values: values.to_owned() })
        };
        assert_eq!(text("clamp", 1, "1"), "clamp = 1");
        assert_eq!(text("op_sel", 0b111, "5"), "op_sel = 5");
        assert_eq!(text("op_sel", 0b101, "5"), "op_sel[2, 0] = 5");
        assert_eq!(text("src", 0x1ff, "209-229"), "src = 209-229");
    }

    #[test]
    fn a_wave_size_is_named_where_it_is_the_only_one() {
        let said = |names: &[&str]| targets(&names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>());
        assert_eq!(said(&["gfx1100", "gfx1100:w64"]), "gfx1100");
        assert_eq!(said(&["gfx906", "gfx1200:w64"]), "vega7, wave64 of gfx1200");
        assert_eq!(said(&["gfx1200:w64"]), "wave64 of gfx1200");
    }
}
