//! What comes from outside is text, whatever it looks like.

use scraper::Node;

use super::{Page, page, small};
use vop3p::sweep::record::Tools;
use vop3p::triage::cluster::{Need, Triage};

/// Ends a tag, an attribute, a comment, a script; steers the eye.
const HOSTILE: &str =
    "</script></style></title>--><script>alert(1)</script><img src=x onerror=alert(2)>\"' &lt; \u{202e}\u{0}";

/// The same as a reader sees it.
const SEEN: &str =
    "</script></style></title>--><script>alert(1)</script><img src=x onerror=alert(2)>\"' &lt; \u{fffd}\u{fffd}";

/// A triage with it in every text that there is.
fn hostile() -> Triage {
    let mut triage = small();
    let text = || HOSTILE.to_owned();
    let version = format!("22{HOSTILE}");
    for cluster in &mut triage.clusters {
        cluster.id.push_str(HOSTILE);
        cluster.title.push_str(HOSTILE);
        cluster.field = text();
        cluster.entry = cluster.entry.as_ref().map(|_| text());
        cluster.needs.push(Need { field: text(), bits: 2, values: text() });
        for cell in &mut cluster.cells {
            cell.opcode = text();
            cell.llvm = version.clone();
        }
        for witness in &mut cluster.witnesses {
            witness.llvms.push(text());
            witness.text = Some(text());
            (witness.ours, witness.theirs) = (text(), format!("other {HOSTILE}"));
            (witness.replay, witness.stock) = (text(), text());
        }
        cluster.proposal.reason = format!("https://a.example/{HOSTILE} {HOSTILE}");
        cluster.proposal.citations = vec![text(), format!("a/b#1{HOSTILE}"), format!("javascript:alert(3) {HOSTILE}")];
    }
    for sweep in &mut triage.sweeps {
        sweep.llvm = Tools { version: version.clone(), sha256: text() };
        sweep.against = sweep.against.as_ref().map(|_| Tools { version: text(), sha256: text() });
        (sweep.vop3p, sweep.ledger) = (text(), text());
        sweep.choice.opcodes.push(text());
        for row in &mut sweep.targets {
            row.spaces.insert(text(), 1);
            for alike in &mut row.alike {
                (alike.differ, alike.first) = (1, Some(text()));
            }
        }
        for entry in &mut sweep.entries {
            entry.id = text();
        }
    }
    triage
}

#[test]
fn no_text_becomes_markup() {
    let (page, tame) = (Page::of(&hostile()), Page::of(&small()));
    assert!(page.0.errors.is_empty(), "{:?}", page.0.errors);
    assert_eq!(page.all("script").len(), 3, "the theme, the data, the script");
    assert!(page.all("img").is_empty());
    let handlers = |page: &Page| {
        let elements = page.0.tree.nodes().filter_map(|node| node.value().as_element());
        elements
            .flat_map(|element| element.attrs().map(|(name, _)| name.to_owned()))
            .filter(|name| name.starts_with("on"))
            .count()
    };
    assert_eq!(handlers(&page), 0);
    // The scripts and styles are the same as without.
    for part in ["style", "script:not([type])"] {
        let code = |page: &Page| page.all(part).iter().map(|one| one.text().collect::<String>()).collect::<Vec<_>>();
        assert_eq!(code(&page), code(&tame), "{part}");
    }
    for link in page.all("a[href]") {
        let href = link.value().attr("href").unwrap();
        assert!(href.starts_with('#') || href.starts_with("https://"), "{href}");
    }
    let comments = page.0.tree.nodes().filter(|node| matches!(node.value(), Node::Comment(_))).count();
    assert_eq!(comments, 0);
}

#[test]
fn every_text_is_shown_as_it_is() {
    let page = Page::of(&hostile());
    let whole =
        |selector: &str| page.all(selector).iter().map(|one| one.text().collect::<String>()).collect::<Vec<_>>();
    assert_eq!(whole("#causes h3")[0], format!("a scalar kills the printer{SEEN}"));
    for selector in
        [".command code", ".beside dd", ".citations, .facts li", "#map th[scope=row]", ".reason", "option", "h1"]
    {
        assert!(whole(selector).iter().any(|text| text.contains(SEEN)), "{selector}: {:?}", whole(selector));
    }
    // The script reads the same.
    let data: serde_json::Value = serde_json::from_str(&whole("#data")[0]).unwrap();
    assert_eq!(data["causes"][0]["title"], format!("a scalar kills the printer{SEEN}"));
    assert_eq!(data["causes"][0]["id"], format!("crash-src-1f3a2c{SEEN}"));
}

#[test]
fn without_escaping_these_tests_would_fail() {
    // What the page would be if one text were not escaped.
    let text = page(&small()).replace("a scalar kills the printer", HOSTILE);
    let page = Page(scraper::Html::parse_document(&text));
    assert!(page.all("script").len() > 3 && !page.all("img").is_empty());
}
