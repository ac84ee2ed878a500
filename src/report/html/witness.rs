//! A minimal case: its bits, both answers, and the commands that show it again.

use maud::{Markup, html};

use super::beside::beside;
use super::bits::bits;
use super::cause::{direction_name, sides, targets};
use super::index::Index;
use super::text::plain;
use crate::triage::cluster::{Cluster, Witness};

/// The case.
pub fn witness(index: &Index<'_>, cluster: &Cluster, witness: &Witness) -> Markup {
    let [ours, theirs] = sides(index, cluster, &witness.llvms);
    let Some(target) = witness.targets.first().copied() else { return html! {} };
    let others = targets(&witness.targets);
    html! {
        section .witness {
            h4 .find {
                (direction_name(witness.direction)) " " code { (witness.window) } " on " (target)
                @if others != target.to_string() { span .facts-line { " for " (others) } }
                @if !witness.llvms.is_empty() { span .facts-line { " · LLVM " (plain(&witness.llvms.join(", "))) } }
            }
            (bits(target, &witness.window, &cluster.needs))
            @if let Some(text) = &witness.text {
                dl .beside.find { dt { "assembled" } dd { code { (plain(text)) } } }
            }
            (beside(&ours, &witness.ours, &theirs, &witness.theirs))
            (command("with stock tools", &witness.stock))
            (command("with vop3p", &witness.replay))
        }
    }
}

/// A command with a button that copies it.
fn command(what: &str, text: &str) -> Markup {
    html! {
        div .command.find {
            span .what { (what) }
            code { (plain(text)) }
            button .copy.script-only type="button" aria-label={ "Copy the command " (what) } { "Copy" }
        }
    }
}
