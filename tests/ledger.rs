//! The ledger, held against LLVM 22: a sign whose witness no longer shows it is stale.
//!
//! Needs LLVM 22 (`apt-get install llvm-22`); VOP3P_LLVM says where another one of that version is.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use vop3p::campaign::witnesses::{Shown, check};
use vop3p::ledger::{Ledger, Status};
use vop3p::oracle::llvm::{Choice, Llvm};

#[test]
fn every_sign_of_the_ledger_still_holds() {
    let (ledger, llvm) = (Ledger::builtin().unwrap(), common::llvm22());
    let checked = check(&ledger, &llvm).unwrap();
    assert_eq!(checked.len(), ledger.signs().count());
    let stale: Vec<String> = checked
        .iter()
        .flat_map(|one| one.stale.iter().map(move |stale| format!("{} on LLVM {}: {stale}", one.name(), llvm.version)))
        .collect();
    assert!(stale.is_empty(), "stale:\n{}", stale.join("\n"));
}

/// A ledger of one entry with one sign: LLVM accepts a word that we call undefined. `lists` is put in for its versions.
fn one_entry(lists: &str, witness: &str) -> Ledger {
    let text = format!(
        "[[entry]]\nid = 'one'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n\
         [[entry.sign]]\nkind = 'acceptance'\nours = 'undefined'\ntheirs = 'accepts'\n{lists}\n\
         witnesses = ['{witness}']\n[[entry.sign.when]]\ntargets = ['vega', 'cdna1', 'cdna5']\nopcodes = ['@any']\nsource = '125,254'\n"
    );
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("one.toml"), text).unwrap();
    let mut ledger = Ledger::default();
    ledger.add_dir(dir.path()).unwrap();
    ledger
}

/// Selector 125 is reserved on Vega, and every LLVM shows it as null.
const SHOWS: &str = "gfx900 d38f4000 1802047d";
/// Nothing is wrong with this one.
const DOES_NOT: &str = "gfx900 d38f4000 18020501";

#[test]
fn what_is_stale_is_named_with_its_witness_and_what_was_seen() {
    let llvm = common::llvm22();
    let version = llvm.version.to_string();
    let stale = |lists: &str, witness: &str| {
        let ledger = one_entry(lists, witness);
        let checked = check(&ledger, &llvm).unwrap();
        checked[0].stale.clone()
    };
    let fires = format!("fires = ['{version}']");
    let silent = format!("silent = ['{version}']");
    assert_eq!(stale(&fires, SHOWS), Vec::<String>::new());
    assert_eq!(
        stale(&fires, DOES_NOT),
        [
            "witness `gfx900 d38f4000 18020501` no longer shows it: the predicate does not hold; no finding, LLVM accepts"
        ]
    );
    assert_eq!(stale(&silent, DOES_NOT), Vec::<String>::new());
    let again = stale(&silent, SHOWS);
    assert!(again[0].starts_with("witness `gfx900 d38f4000 1802047d` shows it again: acceptance word"), "{again:?}");
    // What our decoder is expected to say counts, too.
    let wrong = stale(&fires, &format!("{SHOWS} => undefined: sdwa-marker"));
    assert!(
        wrong[0].contains("expected `undefined: sdwa-marker`, our decoder says undefined (reserved-selector"),
        "{wrong:?}"
    );
}

#[test]
fn of_an_untested_version_the_check_only_reports() {
    for (witness, shown) in [(SHOWS, Shown::Yes), (DOES_NOT, Shown::No)] {
        let ledger = one_entry("fires = ['1.2.3']", witness);
        let checked = check(&ledger, &common::llvm22()).unwrap();
        assert_eq!((checked[0].status, checked[0].witnesses[0].shown), (Status::Untested, shown));
        assert!(checked[0].stale.is_empty(), "{:?}", checked[0].stale);
    }
}

/// An LLVM that knows no processor: the real tools, llvm-mc being asked about one that does not exist.
fn llvm_without_processors(dir: &Path) -> Llvm {
    let real = common::llvm22();
    let script = |name: &str, line: String| {
        let path = dir.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let mc = real.mc.display();
    script(
        "llvm-mc",
        format!("case $1 in --version) exec {mc} --version ;; esac\nexec {mc} -disassemble -triple=amdgcn -mcpu=gfx0"),
    );
    script("llvm-objdump", format!("exec {} \"$@\"", real.objdump.display()));
    Llvm::find(&Choice::Dir(dir.to_owned())).unwrap()
}

#[test]
fn a_processor_that_llvm_lacks_is_stale_only_where_the_sign_says_it_fires() {
    let dir = tempfile::tempdir().unwrap();
    let llvm = llvm_without_processors(dir.path());
    let ledger = one_entry("", SHOWS);
    let checked = check(&ledger, &llvm).unwrap();
    assert_eq!(checked[0].witnesses[0].shown, Shown::NotThere);
    assert!(checked[0].stale.is_empty());
    let ledger = one_entry(&format!("fires = ['{}']", llvm.version), SHOWS);
    let checked = check(&ledger, &llvm).unwrap();
    assert_eq!(
        checked[0].stale,
        ["the version is listed under `fires`, but it knows none of the witnesses' processors"]
    );
}
