//! The page's script, in Chromium. These tests fail without one; `make test-html` installs it and runs them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use scraper::Html;
use serde_json::{Value, json};

use super::{Page, page, sample, small, text};
use vop3p::triage::cluster::Triage;

/// Drives the page and writes down what it saw.
const PROBE: &str = include_str!("probe.js");

/// Names a browser; else the first of [`NAMES`] that starts.
const VARIABLE: &str = "VOP3P_CHROMIUM";

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// More than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The Chromium of this machine.
fn chromium() -> String {
    let runs = |name: &String| {
        let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    let names = std::env::var(VARIABLE).map_or_else(|_| NAMES.map(str::to_owned).to_vec(), |name| vec![name]);
    names.into_iter().find(runs).expect("these tests need Chromium: apt-get install chromium")
}

/// A page after its script has run, as text, and what the browser had to complain about.
fn opened(dir: &Path, file: &str, hash: &str) -> (String, Vec<String>) {
    let address = format!("file://{}/{file}{hash}", dir.display());
    let profile = tempfile::tempdir().unwrap();
    let (out, err) = (dir.join("dom"), dir.join("log"));
    let mut child = Command::new(chromium())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"])
        .args(["--enable-logging=stderr", "--window-size=1400,1000", "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(address)
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out).unwrap())
        .stderr(fs::File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{file}{hash}: Chromium did not end within {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let log = fs::read_to_string(&err).unwrap();
    assert!(status.success(), "{log}");
    let complaints = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (fs::read_to_string(out).unwrap(), complaints)
}

/// The page as it is written, opened at an address.
fn at(page: &str, hash: &str) -> Page {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("report.html"), page).unwrap();
    let (dom, complaints) = opened(dir.path(), "report.html", hash);
    assert!(complaints.is_empty(), "{complaints:?}");
    Page(Html::parse_document(&dom))
}

/// What the probe saw of a page, with a policy that lets the probe run.
fn probed(page: &str, task: &str, given: &Value, width: Option<u32>) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    let probe = format!("<script>const TASK = {};\n{PROBE}</script></body>", json!([task, given]));
    let page = format!("{before}{after}").replace("</body>", &probe);
    fs::write(dir.path().join("report.html"), page).unwrap();
    let file = match width {
        None => "report.html",
        // A window cannot be as narrow as a frame.
        Some(width) => {
            let frame = format!(
                "<!DOCTYPE html><body><iframe src=report.html width={width} height=800 style='border:0'></iframe>\
                 <script>addEventListener('message', (event) => {{ const place = document.createElement('pre'); \
                 place.id = 'probe'; place.textContent = event.data; document.body.append(place); }});</script></body>"
            );
            fs::write(dir.path().join("frame.html"), frame).unwrap();
            "frame.html"
        }
    };
    let (dom, complaints) = opened(dir.path(), file, "");
    assert!(complaints.is_empty(), "{complaints:?}");
    let text = Page(Html::parse_document(&dom)).one("#probe").text().collect::<String>();
    let seen: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(seen["error"], Value::Null, "{seen}");
    seen
}

/// The causes of the small triage.
const CRASH: &str = "cause-crash-src-1f3a2c";
const CLAMP: &str = "cause-modifier-clamp-77aa00";
const ASM: &str = "cause-asm-of-gfx1250";
const KNOWN: &str = "cause-pk-fma-known";
const OLD: &str = "cause-src1-old";

#[test]
#[ignore = "needs Chromium: make test-html"]
fn an_address_leaves_exactly_the_causes_it_asks_for() {
    let page = page(&small());
    let left = |hash: &str| -> Vec<String> {
        let page = at(&page, hash);
        let visible = page.all("#causes > details:not([hidden])");
        assert_eq!(page.texts("#by-version tbody tr:not([hidden]) a").len(), visible.len(), "the version matrix");
        visible.iter().filter_map(|one| one.value().id().map(str::to_owned)).collect()
    };
    assert_eq!(left(""), [CRASH, CLAMP, ASM, KNOWN, OLD]);
    assert_eq!(left("#search=kind:crash"), [CRASH]);
    assert_eq!(left("#search=target%3Agfx900+opcode%3AV_PK_FMA_F16&verdict=llvm-wrong"), [KNOWN]);
    assert_eq!(left("#search=nothing-like-this"), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn each_word_of_the_search_means_what_the_help_says() {
    let all = [CRASH, CLAMP, ASM, KNOWN, OLD];
    let known = [ASM, KNOWN, OLD];
    let cases: &[(&str, &[&str])] = &[
        ("search=new:", &[CRASH, CLAMP]),
        ("search=known:", &known),
        ("search=-new:", &known),
        ("search=KIND:Crash", &[CRASH]),
        ("search=-kind:crash", &[CLAMP, ASM, KNOWN, OLD]),
        ("search=-kind:", &all),
        ("search=kind:", &all),
        ("search=verdict:llvm-wrong", &[CRASH, KNOWN, OLD]),
        ("search=field:clamp", &[CLAMP]),
        ("search=needs:op_sel", &[CRASH]),
        ("search=direction:assemble", &[ASM]),
        ("search=id:old", &[OLD]),
        // A target by name is that one, the start of a name all that begin so.
        ("search=target:gfx1100:w64", &[CRASH]),
        ("search=target:gfx11", &[CRASH, OLD]),
        ("search=target:gfx9", &[CLAMP, KNOWN]),
        ("search=target:gfx902", &[KNOWN]),
        ("search=-target:gfx9", &[CRASH, ASM, OLD]),
        ("search=target:gfx8", &[]),
        ("search=gen:rdna3", &[CRASH, OLD]),
        ("search=generation:cdna5", &[ASM]),
        ("search=opcode:v_pk_add_f16", &[CRASH, OLD]),
        ("search=op:pk_fma", &[CLAMP, ASM, KNOWN]),
        ("search=opcode:%2399", &[ASM]),
        ("search=llvm:19", &[KNOWN, OLD]),
        ("search=llvm:%2222.1.8+against%22", &[CLAMP]),
        // One cell must fulfil all: the crash is on gfx1100, but not on LLVM 19.
        ("search=target:gfx1100+llvm:19.1.7", &[OLD]),
        ("search=target:gfx1250+opcode:add", &[]),
        // Words: of titles, reasons, citations, texts and commands; not of the list of fields.
        ("search=printer", &[CRASH]),
        ("search=PRINTER+scalar", &[CRASH]),
        ("search=%22a+scalar+kills%22", &[CRASH]),
        ("search=%22kills+scalar%22", &[]),
        ("search=signal+6", &[CRASH]),
        ("search=44257", &[KNOWN]),
        ("search=quad_perm", &[]),
        ("search=-printer+new:", &[CLAMP]),
        ("search=foo:bar", &[]),
        // Buttons: any of a group, all of the groups.
        ("verdict=ambiguous,unknown", &[CLAMP, ASM]),
        ("state=new&kind=modifier,operand", &[CLAMP]),
        ("generation=vega", &[CLAMP, KNOWN]),
        ("generation=rdna3&llvm=19.1.7", &[OLD]),
        ("llvm=22.1.8%20against%2019.1.7", &[CLAMP]),
        ("search=scalar&state=known", &[]),
        ("search=%E0%A4%A&state=new", &[]),
        ("cause-src1-old", &all),
        ("nonsense", &all),
    ];
    let addresses: Vec<&str> = cases.iter().map(|(address, _)| *address).collect();
    let seen = probed(&page(&small()), "addresses", &json!(addresses), None);
    for (address, left) in cases {
        assert_eq!(seen[address], json!(left), "{address}");
    }
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn a_reader_finds_the_way_by_mouse_and_by_keys() {
    let seen = probed(&page(&small()), "tour", &Value::Null, None);
    assert_eq!(seen["chip"], json!({ "causes": [CRASH, KNOWN, OLD], "hash": "#verdict=llvm-wrong" }));
    assert_eq!(seen["pressed"], json!(["llvm-wrong"]));
    let counts = |name: &str| seen["counts"][name].as_str().unwrap().to_owned();
    // Of its own group a button counts what it would leave instead, of the others what it would leave beside.
    assert_eq!(
        ["ambiguous", "llvm-wrong", "new", "crash", "assembling", "vega"].map(counts),
        ["1", "3", "1", "1", "0", "1"]
    );
    assert_eq!(seen["mapUnderFilter"], json!(["1.3k", "·"]), "the ambiguous cause is left out");
    assert_eq!(seen["two"], json!({ "causes": [CRASH], "hash": "#verdict=llvm-wrong&kind=crash" }));
    assert_eq!(seen["cleared"], json!({ "causes": [CRASH, CLAMP, ASM, KNOWN, OLD], "hash": "" }));
    assert_eq!(seen["search"], "target:gfx900 opcode:V_PK_FMA_F16");
    assert_eq!(seen["cell"], json!({ "causes": [CLAMP, KNOWN], "hash": "#search=target:gfx900+opcode:V_PK_FMA_F16" }));
    assert_eq!(seen["hits"], 1);
    assert_eq!(seen["emptyCell"], seen["cleared"], "nothing is behind it");
    assert_eq!(seen["other"], json!(["g s|·", "h1 g s|7", "|·", "u g s|–"]), "LLVM 19");
    assert_eq!(
        seen["right"],
        "V_PK_ADD_F16 on gfx1100 (rdna3): 12 differences: 12 of cause 1, a scalar kills the printer (new)"
    );
    assert_eq!(seen["down"], "V_PK_FMA_F16 on gfx1100 (rdna3): no difference");
    assert_eq!(seen["enter"]["causes"], json!([CRASH, OLD]));
    assert_eq!(seen["slash"], "search");
    assert_eq!([&seen["j"], &seen["jjk"]], [CRASH, CLAMP]);
    assert_eq!(seen["closed"], 0);
    assert_eq!(seen["link"], json!({ "open": true, "hash": "#cause-src1-old" }));
    assert_eq!(seen["hiddenPlace"]["causes"], json!([CRASH, CLAMP, ASM, KNOWN, OLD]), "a place that is named is shown");
    assert_eq!(seen["theme"], "dark");
    assert_eq!(seen["copy"], "Copied");
    assert_eq!(
        seen["copied"],
        "echo '[0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1100"
    );
    assert_eq!(seen["printed"], true);
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn the_script_draws_the_map_as_it_was_written() {
    for triage in [small(), sample::large()] {
        let written: Vec<String> = Page::of(&triage)
            .all("#map td")
            .into_iter()
            .map(|cell| {
                let value = |name| cell.value().attr(name).unwrap_or_default();
                format!("{}|{}|{}", value("class"), text(cell), value("title"))
            })
            .collect();
        let seen = probed(&page(&triage), "redrawn", &Value::Null, None);
        assert_eq!(seen["empty"], 0);
        assert_eq!(seen["filtered"], json!(written));
        assert_eq!(seen["swept"], json!(written));
    }
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn every_text_has_contrast_in_light_and_dark() {
    let seen = probed(&page(&small()), "contrast", &Value::Null, None);
    for theme in ["light", "dark"] {
        assert_eq!(seen[theme]["found"], json!([]), "{theme}");
        assert!(seen[theme]["count"].as_u64().unwrap() > 500, "{theme}: {} texts", seen[theme]["count"]);
    }
    // The probe sees a text without contrast.
    let faint =
        page(&small()).replace("--soft: light-dark(#525a66, #a6aebb);", "--soft: light-dark(#909090, #707070);");
    let seen = probed(&faint, "contrast", &Value::Null, None);
    assert!(
        !seen["light"]["found"].as_array().unwrap().is_empty() && !seen["dark"]["found"].as_array().unwrap().is_empty()
    );
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn nothing_sticks_out_of_a_phone() {
    for width in [360, 390, 768, 1400] {
        let seen = probed(&page(&small()), "width", &Value::Null, Some(width));
        assert_eq!((&seen["page"], &seen["found"]), (&seen["width"], &json!([])), "{width} pixels");
        // Less a bar to scroll with.
        assert!((width - 20..=width).contains(&(seen["width"].as_u64().unwrap() as u32)), "{seen}");
    }
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn filtering_a_large_report_is_instant_and_right() {
    let triage = sample::large();
    let queries = [
        "",
        "d",
        "dot",
        "target:gfx950",
        "target:gfx950 kind:crash",
        "opcode:V_DOT2_F32_F16 target:gfx1100",
        "llvm:14",
    ];
    let seen = probed(&page(&triage), "speed", &json!(queries), None);
    let left = |query: &str| seen[query]["left"].as_u64().unwrap() as usize;
    let of = |is: &dyn Fn(&vop3p::triage::cluster::Cluster) -> bool| {
        triage.clusters.iter().filter(|cluster| is(cluster)).count()
    };
    assert_eq!(left(""), 60);
    let on = |target: &'static str, opcode: &'static str| {
        move |cluster: &vop3p::triage::cluster::Cluster| {
            cluster
                .cells
                .iter()
                .any(|cell| cell.target.to_string() == target && (opcode.is_empty() || cell.opcode == opcode))
        }
    };
    assert_eq!(left("target:gfx950"), of(&on("gfx950", "")));
    assert_eq!(left("opcode:V_DOT2_F32_F16 target:gfx1100"), of(&on("gfx1100", "V_DOT2_F32_F16")));
    assert_eq!(left("llvm:14"), of(&|cluster| cluster.count_on("14.0.6") > 0));
    let is_crash = |cluster: &vop3p::triage::cluster::Cluster| cluster.kind == vop3p::compare::Kind::Crash;
    assert_eq!(left("target:gfx950 kind:crash"), of(&|cluster| is_crash(cluster) && on("gfx950", "")(cluster)));
    let mut times: Vec<f64> = queries.iter().map(|query| seen[query]["ms"].as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    // Some tens of milliseconds; a busy machine takes longer.
    eprintln!("milliseconds from a key to the next frame: {times:.1?}");
    assert!(times[times.len() / 2] < 1_000.0, "{times:?}");
}

#[test]
#[ignore = "needs Chromium: make test-html"]
fn the_policy_runs_no_script_but_the_pages_own() {
    let title = |page: &str| {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("report.html"), page).unwrap();
        let (dom, complaints) = opened(dir.path(), "report.html", "");
        (text(Page(Html::parse_document(&dom)).one("title")), complaints)
    };
    let triage: Triage = small();
    let bad = page(&triage).replace("</body>", "<script>document.title = 'taken over'</script></body>");
    let (title_of_bad, complaints) = title(&bad);
    assert!(title_of_bad.starts_with("VOP3P: "), "{title_of_bad}");
    assert!(complaints.iter().any(|line| line.contains("Content Security Policy")), "{complaints:?}");
    let open = bad.replace("http-equiv=\"Content-Security-Policy\"", "name=\"nothing\"");
    assert_eq!(title(&open).0, "taken over", "without the policy it runs");
}
