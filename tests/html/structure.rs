//! What stands in the page.

use std::collections::{BTreeMap, BTreeSet};

use super::{Page, cells, page, sample, small, text};

#[test]
fn every_cause_has_a_section_and_every_link_leads_somewhere() {
    for triage in [small(), sample::large()] {
        let page = Page::of(&triage);
        assert!(page.0.errors.is_empty(), "{:?}", page.0.errors);
        assert_eq!(page.texts("#causes > details > summary h3"), titles(&triage));
        let ids: Vec<&str> = page.all("[id]").iter().filter_map(|one| one.value().id()).collect();
        let once: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), once.len(), "an id stands twice");
        let links: Vec<&str> = page.all("a[href]").iter().filter_map(|one| one.value().attr("href")).collect();
        assert!(links.len() > triage.clusters.len(), "{} links", links.len());
        for link in links {
            match link.strip_prefix('#') {
                Some(id) => assert!(once.contains(id), "{link} leads nowhere"),
                None => assert!(link.starts_with("https://"), "{link}"),
            }
        }
        for label in page.all("[aria-labelledby], [aria-describedby], label[for]") {
            for name in ["aria-labelledby", "aria-describedby", "for"] {
                let id = label.value().attr(name);
                assert!(id.is_none_or(|id| once.contains(id)), "{id:?} names nothing");
            }
        }
    }
}

fn titles(triage: &vop3p::triage::cluster::Triage) -> Vec<String> {
    triage.clusters.iter().map(|cluster| cluster.title.clone()).collect()
}

#[test]
fn nothing_is_loaded() {
    let html = Page::of(&small());
    let loaders =
        "[src], [srcset], [data-src], link, img, iframe, object, embed, video, audio, source, form, base, svg";
    assert!(html.all(loaders).is_empty());
    for part in html.all("style") {
        let style = part.text().collect::<String>();
        assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("@font-face"));
    }
    let policy = html.one("meta[http-equiv=Content-Security-Policy]").value().attr("content").unwrap();
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(!policy.contains("http") && !policy.contains("script-src 'unsafe"), "{policy}");
    for page in [page(&small()), page(&sample::large())] {
        let addresses = page.split("http").skip(1).filter(|part| part.starts_with("://") || part.starts_with("s://"));
        for address in addresses {
            let is_link = address.starts_with("s://github.com/") || address.starts_with("s://example.org/table");
            assert!(is_link, "{}", &address[..40]);
        }
    }
}

#[test]
fn the_head_says_what_was_compared_and_what_came_of_it() {
    let page = Page::of(&small());
    assert_eq!(text(page.one("h1")), "AMD's specification against LLVM 19.1.7 and 22.1.8; LLVM 22.1.8 against 19.1.7");
    assert_eq!(text(page.one(".eyebrow")), "vop3p 0.1.0 · ledger 60303ae22b99");
    assert_eq!(text(page.one(".outcome .sentence")), "▲ 2 new causes.");
    assert_eq!(page.texts(".outcome li"), ["a scalar kills the printer", "clamp is no longer printed"]);
    assert_eq!(
        page.texts(".outcome > p:not(.sentence)"),
        [
            "3 causes of the ledger explain every other difference.",
            "42 windows were left out: words like them are known to kill LLVM, and some of those were judged.",
            "1 target of which a sample was judged does not answer like the one that stands for it: see the coverage.",
        ]
    );
    let tiles = page.texts(".tiles div");
    // The windows of the three certificates, 1,525,288 and 925,288 and 5,000.
    assert!(tiles.contains(&"windows2.4M2,455,576 in 3 sweeps".to_owned()), "{tiles:?}");
    assert!(tiles.contains(&"causes52 new, 3 known".to_owned()), "{tiles:?}");
    let quiet = {
        let mut triage = small();
        triage.clusters.retain(|cluster| cluster.entry.is_some());
        Page::of(&triage)
    };
    assert_eq!(text(quiet.one(".outcome .sentence")), "✓ No difference that the ledger does not know.");
    // Two of the sweeps count 12 + 12 + 5 new differences.
    let remarks = quiet.texts(".outcome > p:not(.sentence)");
    assert_eq!(remarks[1], "The sweeps count 29 new differences, though, and no cause stands here for them.");
}

#[test]
fn the_map_says_how_often_what_differs_where() {
    let page = Page::of(&small());
    let columns = ["gfx900", "gfx902", "gfx1100", "gfx1100:w64", "gfx1250"];
    assert_eq!(page.texts("#map thead tr:nth-child(2) th"), columns);
    let row = |name: &str| {
        let rows = page.all("#map tr[data-row]");
        let row = rows.into_iter().find(|row| head(*row) == name).unwrap();
        cells(row).into_iter().map(|(class, text)| format!("{class}|{text}")).collect::<Vec<_>>()
    };
    // gfx902 shows nothing that gfx900, which stands for it, does not; gfx1100:w64 has answers of its own.
    assert_eq!(row("V_PK_FMA_F16"), ["h4 g s|1.3k", "h2 a|40", "g s|·", "|·", "h3 g s|100"]);
    assert_eq!(row("V_PK_ADD_F16"), ["g s|·", "a|·", "h2 n g s|12", "h2 n|12", "g s|·"]);
    assert_eq!(row("#99"), ["x g s|", "x a|", "x g s|", "x|", "h1 g s|3"]);
    // Only gfx1250 has it.
    assert_eq!(row("V_PK_ADD_MAX_I16"), ["x g s|", "x a|", "x g s|", "x|", "g s|·"]);
    let titles: Vec<&str> = page.all("#map td[title]").iter().filter_map(|one| one.value().attr("title")).collect();
    assert_eq!(titles.len(), 6, "{titles:?}");
    assert!(titles.contains(&"cause 4: 1,300") && titles.contains(&"cause 1: 12"), "{titles:?}");
    let generations = page.texts("#map .generation:not(.few)");
    assert_eq!(generations, ["vega", "rdna3", "cdna5"]);
    assert_eq!(page.texts("#map .generation.few"), ["vega"], "with one target of two");
    let families: Vec<String> = page.texts("#map .family");
    assert_eq!(families.first().unwrap(), "Packed math 43");
    assert_eq!(families.last().unwrap(), "Numbers without an opcode 1");
}

#[test]
fn a_target_that_shows_something_of_its_own_keeps_its_column() {
    let classes = |triage: &vop3p::triage::cluster::Triage| -> Vec<String> {
        let page = Page::of(triage);
        page.all("#map thead tr:nth-child(2) th")
            .iter()
            .map(|th| th.value().attr("class").unwrap_or("").to_owned())
            .collect()
    };
    let mut triage = small();
    assert_eq!(classes(&triage), ["g s", "a", "g s", "", "g s"]);
    // Seen on gfx902 alone.
    triage.clusters[3].cells.retain(|cell| cell.target.to_string() != "gfx900" || cell.llvm == "22.1.8");
    assert_eq!(classes(&triage), ["g s", "", "g s", "", "g s"]);
    let mut triage = small();
    triage.sweeps[0].targets[1].alike[0].differ = 1;
    assert_eq!(classes(&triage), ["g s", "", "g s", "", "g s"]);
}

#[test]
fn a_target_that_was_not_swept_is_not_said_to_agree() {
    let mut triage = small();
    triage.sweeps[0].choice.targets.retain(|target| target.to_string() != "gfx1250");
    triage.clusters.retain(|cluster| cluster.id != "asm-of-gfx1250");
    triage.clusters[0].cells[0].target = "gfx1250".parse().unwrap();
    let page = Page::of(&triage);
    let row = page.all("#map tr[data-row]").into_iter().find(|row| head(*row) == "V_PK_FMA_F16").unwrap();
    assert_eq!(cells(row)[4], ("u g s", "–".to_owned()));
}

#[test]
fn the_version_matrix_says_what_began_and_ended_where() {
    let page = Page::of(&small());
    let rows: Vec<Vec<String>> = page
        .all("#by-version tbody tr")
        .into_iter()
        .map(|row| cells(row).into_iter().map(|(_, text)| text).collect())
        .collect();
    assert_eq!(page.texts("#by-version thead th")[2..5], ["19.1.7", "22.1.8", "22.1.8 against 19.1.7"]);
    assert_eq!(
        rows[0],
        ["llvm-wrong proposed", "none", "12", "not swept", "since 22.1.8"].map(|cell| match cell {
            // Twelve on each of two targets.
            "12" => "24".to_owned(),
            other => other.to_owned(),
        })
    );
    assert_eq!(rows[1], ["unknown proposed", "none", "none", "5", ""]);
    assert_eq!(rows[2], ["ambiguous", "unknown", "103", "not swept", "on 22.1.8"]);
    assert_eq!(rows[3], ["llvm-wrong", "1,340", "1,340", "none", "on all 2"]);
    assert_eq!(rows[4], ["llvm-wrong", "7", "none", "not swept", "on 19.1.7 only"]);
}

#[test]
fn a_cause_says_whose_fault_it_is_and_how_to_see_it() {
    let page = Page::of(&small());
    let fact = |cause: &str| page.texts(&format!("#{cause} .body > .facts dd"));
    assert_eq!(
        fact("cause-crash-src-1f3a2c"),
        [
            "llvm-wrong, proposed, not yet decided",
            "llvm/llvm-project#12345",
            "src = 480, op_sel[2, 0] = 4",
            "gfx1100",
            "V_PK_ADD_F16",
            "19.1.7: none · 22.1.8: 24 · 22.1.8 against 19.1.7: not swept",
            "crash-src-1f3a2c link to this cause",
        ]
    );
    assert_eq!(fact("cause-pk-fma-known")[0], "llvm-wrong, decided by a person");
    let link = page.one("#cause-pk-fma-known li a");
    assert_eq!(link.value().attr("href"), Some("https://github.com/llvm/llvm-project/issues/44257"));
    let witness = |part: &str| page.texts(&format!("#cause-modifier-clamp-77aa00 .witness {part}"));
    assert_eq!(witness(".beside dt"), ["LLVM 22.1.8", "LLVM 19.1.7"]);
    assert_eq!(witness(".beside dd"), ["v_pk_fma_f16 v0, v1, v2, v3 clamp", "v_pk_fma_f16 v0, v1, v2, v3"]);
    assert_eq!(witness("mark"), ["clamp"]);
    assert_eq!(witness(".needed"), ["needs clamp = 1 result clamped"]);
    assert_eq!(witness(".f.need .digits"), ["1"]);
    assert_eq!(
        witness(".command code"),
        [
            "echo '[0x00,0xc0,0x8e,0xd3,0x01,0x05,0x0e,0x1c]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx900",
            "vop3p diff -t gfx900 'd38ec000 1c0e0501' --llvm 22,19",
        ]
    );
    let open: Vec<&str> = page.all("#causes > details[open]").iter().filter_map(|one| one.value().id()).collect();
    assert_eq!(open, ["cause-crash-src-1f3a2c", "cause-modifier-clamp-77aa00"], "new ones can be read at once");
    let names = page.texts("#cause-asm-of-gfx1250 .beside dt");
    assert_eq!(names, ["assembled", "AMD's specification", "LLVM"]);
}

#[test]
fn the_coverage_says_what_was_judged_and_what_was_not() {
    let page = Page::of(&small());
    let sweeps = page.texts("#coverage .sweep > summary");
    assert_eq!(sweeps[1], "LLVM 22.1.8 3 targets whole, 2 sampled · 1,525,288 windows");
    let swept: Vec<String> =
        page.all("#coverage .sweep[open] > .box tbody tr").into_iter().map(|row| cells(row)[0].1.clone()).collect();
    assert_eq!(
        swept,
        [
            "whole",
            "sampled: like gfx900 in 12,000 windows",
            "whole",
            "sampled: unlike gfx1100 in 2 of 12,000 windows, first cc0f60e0 180207e0",
            "whole",
        ]
    );
    let totals: Vec<String> =
        cells(page.one("#coverage .sweep[open] tfoot tr")).into_iter().map(|cell| cell.1).collect();
    assert_eq!(totals, ["1,525,288", "1,423,833", "99,988", "1,443", "24", "1,000", "900", "100", "0", "0", "42", "3"]);
    let facts = page.texts("#coverage .sweep:first-of-type .facts dd");
    assert_eq!(facts.last().unwrap(), "gfx1250", "which LLVM 19 does not know");
    let entry = page.one("#coverage .sweep[open] a[href='#cause-pk-fma-known']");
    assert_eq!(text(entry), "pk-fma-known");
    assert_eq!(page.texts("#coverage .sweep[open] > details:first-of-type thead th"), ["Target", "modifiers", "src0"]);
}

#[test]
fn the_same_triage_gives_the_same_page_and_an_empty_one_a_page_too() {
    assert_eq!(page(&small()), page(&small()));
    let empty = vop3p::triage::cluster::Triage { schema: 1, sweeps: Vec::new(), clusters: Vec::new() };
    let page = Page::of(&empty);
    assert!(page.0.errors.is_empty(), "{:?}", page.0.errors);
    assert_eq!(text(page.one(".outcome .sentence")), "✓ No difference that the ledger does not know.");
    assert_eq!(text(page.one("h1")), "nothing was compared");
}

#[test]
fn a_large_triage_makes_a_page_of_a_few_megabytes() {
    let triage = sample::large();
    let text = page(&triage);
    let page = Page::of(&triage);
    assert!(text.len() < 5_000_000, "{} bytes", text.len());
    assert!(page.all("#map tr[data-row]").len() >= 300);
    assert_eq!(page.all("#map thead tr:nth-child(2) th").len(), 51);
    assert_eq!(page.all("#causes > details").len(), 60);
    assert_eq!(page.all("#causes .witness").len(), 180);
    assert_eq!(page.all("#by-version thead .number").len(), 5);
    // Every cell of the map is that of the triage.
    let mut counts: BTreeMap<(String, &str), u64> = BTreeMap::new();
    for cell in triage.clusters.iter().flat_map(|cluster| &cluster.cells).filter(|cell| cell.llvm == "22.1.8") {
        *counts.entry((cell.target.to_string(), &cell.opcode)).or_default() += cell.count;
    }
    let seen = |target: &str, opcode: &str| counts.get(&(target.to_owned(), opcode)).copied().unwrap_or(0);
    let names = page.texts("#map thead tr:nth-child(2) th");
    let mut differ = 0;
    for row in page.all("#map tr[data-row]") {
        let opcode = head(row);
        for ((_, shown), target) in cells(row).iter().zip(&names) {
            let (shown, seen) = (shown.as_str(), seen(target, &opcode));
            let Some(digits) = shown.strip_suffix('k').or(shown.parse::<u64>().ok().map(|_| shown)) else {
                assert_eq!(seen, 0, "{opcode} {target}: {shown}");
                continue;
            };
            // `1.2k` is 1,200 to 1,299.
            let is_short = digits.len() < shown.len();
            let (least, step) = match digits.split_once('.') {
                Some((whole, tenth)) => (format!("{whole}{tenth}00").parse::<u64>().unwrap(), 100),
                None => (
                    digits.parse::<u64>().unwrap() * if is_short { 1_000 } else { 1 },
                    if is_short { 1_000 } else { 1 },
                ),
            };
            assert!((least..least + step).contains(&seen), "{opcode} {target}: {shown}, not {seen}");
            differ += 1;
        }
    }
    assert!(differ > 5_000, "{differ} cells");
}

fn head(row: scraper::ElementRef<'_>) -> String {
    let head = scraper::Selector::parse("th").unwrap();
    row.select(&head).map(text).collect()
}
