//! The page that `vop3p html` writes: its structure, read as a browser reads it; and, behind `make test-html`, what its
//! script does in Chromium.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser;
mod command;
mod hostile;
mod sample;
mod structure;

use scraper::{ElementRef, Html, Selector};
use vop3p::report::html::page;
use vop3p::triage::cluster::Triage;

/// A few causes on a few targets.
const SMALL: &str = include_str!("small.json");

fn small() -> Triage {
    serde_json::from_str(SMALL).unwrap()
}

/// A page, as a browser reads it.
struct Page(Html);

impl Page {
    fn of(triage: &Triage) -> Self {
        Self(Html::parse_document(&page(triage)))
    }

    fn all<'a>(&'a self, selector: &str) -> Vec<ElementRef<'a>> {
        self.0.select(&Selector::parse(selector).unwrap()).collect()
    }

    fn one<'a>(&'a self, selector: &str) -> ElementRef<'a> {
        let found = self.all(selector);
        assert_eq!(found.len(), 1, "{selector}");
        found[0]
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).into_iter().map(text).collect()
    }
}

/// The text of an element, spaces as a browser shows them.
fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cells of a row: the class and the text of each.
fn cells<'a>(row: ElementRef<'a>) -> Vec<(&'a str, String)> {
    let cells = Selector::parse("td").unwrap();
    row.select(&cells).map(|cell| (cell.value().attr("class").unwrap_or_default(), text(cell))).collect()
}
