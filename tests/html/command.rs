//! `vop3p html` on the command line.

use std::fs;
use std::process::{Command, Output};

use super::{SMALL, page, small};

fn html(args: &[&str], dir: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vop3p")).arg("html").args(args).current_dir(dir).output().unwrap()
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_page_goes_where_it_is_told_to() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("triage.json"), SMALL).unwrap();
    let run = html(&["triage.json"], dir.path());
    assert_eq!((run.status.code(), said(&run.stdout).as_str()), (Some(0), "wrote report.html\n"));
    let wanted = page(&small());
    assert_eq!(fs::read_to_string(dir.path().join("report.html")).unwrap(), wanted);
    let run = html(&["triage.json", "-o", "other.html"], dir.path());
    assert_eq!(said(&run.stdout), "wrote other.html\n");
    assert_eq!(fs::read_to_string(dir.path().join("other.html")).unwrap(), wanted);
    let run = html(&["triage.json", "-o", "-"], dir.path());
    assert_eq!((run.status.code(), said(&run.stdout)), (Some(0), wanted));
    let run = html(&["triage.json", "-o", "none/report.html"], dir.path());
    assert_eq!(run.status.code(), Some(2));
    assert!(said(&run.stderr).starts_with("error: cannot write none/report.html: "), "{}", said(&run.stderr));
}

#[test]
fn what_is_wrong_with_the_input_is_said_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |name: &str, text: &str| {
        fs::write(dir.path().join(name), text).unwrap();
        let run = html(&[name], dir.path());
        assert_eq!(run.status.code(), Some(2), "{name}");
        assert!(!dir.path().join("report.html").exists(), "{name}");
        said(&run.stderr)
    };
    assert_eq!(
        fails("cut.json", "{\n  \"schema\": 1,"),
        "error: cut.json: no triage: EOF while parsing a value at line 2 column 14\n"
    );
    assert_eq!(
        fails("later.json", "{\"schema\": 2, \"what\": []}"),
        "error: later.json: a triage of schema 2; this vop3p reads 1\n"
    );
    assert_eq!(fails("none.json", "{}"), "error: none.json: no triage: missing field `schema` at line 1 column 2\n");
    let bad = SMALL.replacen("\"target\": \"gfx902\"", "\"target\": \"gfx803\"", 1);
    let line = SMALL[..SMALL.find("\"target\": \"gfx902\"").unwrap()].matches('\n').count() + 1;
    let error = fails("target.json", &bad);
    assert!(error.starts_with("error: target.json: no triage: `gfx803` has no VOP3P"), "{error}");
    assert!(error.contains(&format!("at line {line} column ")), "{error}");
    let run = html(&["missing.json"], dir.path());
    assert_eq!(run.status.code(), Some(2));
    assert!(said(&run.stderr).starts_with("error: cannot read missing.json: "), "{}", said(&run.stderr));
}
