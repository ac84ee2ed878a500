//! What triage found, as one page for people: a file that opens from disk and asks the network for nothing.
//!
//! The page reads without its script. The script adds search, filters, the keyboard and the numbers of the other
//! sweeps. All that comes from outside is text: the template escapes it, and the page's policy runs no script but its
//! own.

mod beside;
mod bits;
mod cause;
mod coverage;
mod data;
mod filters;
mod head;
mod index;
mod number;
mod opcodes;
mod policy;
mod text;
mod versions;
mod witness;

use maud::{DOCTYPE, PreEscaped, html};

use crate::triage::cluster::Triage;
use index::Index;

const STYLE: &str = include_str!("style.css");

/// Runs before the page is drawn: dark or light as it was left.
const THEME: &str = include_str!("theme.js");

/// Search, filters, keyboard, the other sweeps.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("script/query.js"),
    include_str!("script/map.js"),
    include_str!("script/filter.js"),
    include_str!("script/page.js"),
    "})();\n"
);

/// The page. The same triage gives the same bytes.
#[must_use]
pub fn page(triage: &Triage) -> String {
    let index = Index::of(triage);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy::of(&[THEME, SCRIPT]));
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { "VOP3P: " (head::compared(&index)) }
                style { (PreEscaped(STYLE)) }
                script { (PreEscaped(THEME)) }
            }
            body {
                a .skip href="#causes" { "Skip to the causes" }
                (head::head(&index))
                (filters::bar(&index))
                main {
                    (filters::chips(&index))
                    (opcodes::section(&index))
                    (versions::section(&index))
                    (cause::section(&index))
                    (coverage::section(&index))
                }
                (head::foot(&index))
                script type="application/json" id="data" { (PreEscaped(data::json(&index))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}
