//! Several LLVMs in one run: LLVM 22 beside stand-ins for others (`tests/fake-llvm/tool.sh`).

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::Llvm;

use crate::{Ran, command, finish, llvm, version, vop3p, with_input};

/// A directory with an LLVM by this plan.
pub fn fake(plan: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-llvm/tool.sh");
    for name in ["llvm-mc", "llvm-objdump"] {
        symlink(&script, dir.path().join(name)).unwrap();
    }
    std::fs::write(dir.path().join("plan"), plan).unwrap();
    dir
}

/// `vop3p` against LLVM 22 and one by this plan, named first.
fn beside(plan: &str, args: &[&str]) -> Ran {
    let other = fake(plan);
    let llvms = format!("{},22", other.path().display());
    vop3p(&[args, &["--llvm", &llvms]].concat())
}

const ADD: &str = "d38f4000 18020501";
const ADD_HEAD: &str = "\
target        gfx900 (vega)
window        d38f4000 18020501
bytes         [0x00,0x40,0x8f,0xd3,0x01,0x05,0x02,0x18]
stock         echo '[0x00,0x40,0x8f,0xd3,0x01,0x05,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx900
ours          v_pk_add_f16 v0, v1, v2
";

#[test]
fn diff_shows_a_version_that_answers_otherwise_in_a_row_of_its_own() {
    let plan = "version=99.0.0 out=s/v_pk_add_f16/v_pk_mul_f16/";
    let ran = beside(plan, &["diff", "-t", "gfx900", ADD]);
    let rows = "\
LLVM 22       v_pk_add_f16 v0, v1, v2
  outcome     agreed
LLVM 99       v_pk_mul_f16 v0, v1, v2
  finding     mnemonic op: ours v_pk_add_f16, LLVM v_pk_mul_f16
    NEW       no entry of the ledger explains it
  outcome     new
";
    assert_eq!(ran.out, format!("LLVM {}, 99.0.0\n\n{ADD_HEAD}{rows}", version()));
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));

    // Two that have something new, but not the same.
    let (mul, max) = (fake(plan), fake("version=98.0.0 out=s/v_pk_add_f16/v_pk_max_f16/"));
    let llvms = format!("{},{}", mul.path().display(), max.path().display());
    let ran = vop3p(&["diff", "-t", "gfx900", ADD, "--llvm", &llvms]);
    let row = |version, mnemonic| {
        format!(
            "\
LLVM {version}       {mnemonic} v0, v1, v2
  finding     mnemonic op: ours v_pk_add_f16, LLVM {mnemonic}
    NEW       no entry of the ledger explains it
  outcome     new
"
        )
    };
    let rows = row(98, "v_pk_max_f16") + &row(99, "v_pk_mul_f16");
    assert_eq!((ran.code, ran.out), (1, format!("LLVM 98.0.0, 99.0.0\n\n{ADD_HEAD}{rows}")));

    let ran = beside(plan, &["diff", "-t", "gfx900,gfx902", ADD]);
    assert_eq!(
        ran.out,
        format!(
            "\
LLVM {}, 99.0.0

window        d38f4000 18020501
bytes         [0x00,0x40,0x8f,0xd3,0x01,0x05,0x02,0x18]
v_pk_add_f16 v0, v1, v2
  targets     gfx900, gfx902
  LLVM 22     v_pk_add_f16 v0, v1, v2; agreed
  LLVM 99     v_pk_mul_f16 v0, v1, v2; new: mnemonic op
  stock       echo '[0x00,0x40,0x8f,0xd3,0x01,0x05,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx900
",
            version()
        )
    );
    assert_eq!(ran.code, 1);

    // In JSON a version more is an object more, and nothing else.
    let json = beside(plan, &["diff", "-t", "gfx900", ADD, "--json"]).json();
    let alone = vop3p(&["diff", "-t", "gfx900", ADD, "--json", "--llvm", "22"]).json();
    let llvms = json["results"][0]["llvm"].as_array().unwrap();
    assert_eq!(llvms.len(), 2);
    assert_eq!(llvms[0], alone["results"][0]["llvm"][0]);
    assert_eq!((llvms[1]["llvm"].as_str(), llvms[1]["outcome"].as_str()), (Some("99.0.0"), Some("new")));
    assert_eq!(llvms[1]["findings"][0]["entry"], serde_json::Value::Null);
    let mut first_only = json.clone();
    first_only["results"][0]["llvm"].as_array_mut().unwrap().pop();
    assert_eq!(first_only, alone);
}

#[test]
fn diff_folds_versions_that_say_the_same() {
    let ledger = Ledger::builtin().unwrap();
    let title = &ledger.get("unused-fields-refused").unwrap().title;
    let ran = beside("version=99.0.0", &["diff", "-t", "gfx900", ADD, "d38f6000 18020501"]);
    assert_eq!(
        ran.out,
        format!(
            "\
LLVM {}, 99.0.0

{ADD_HEAD}LLVM 22, 99   v_pk_add_f16 v0, v1, v2
  outcome     agreed

target        gfx900 (vega)
window        d38f6000 18020501
bytes         [0x00,0x60,0x8f,0xd3,0x01,0x05,0x02,0x18]
stock         echo '[0x00,0x60,0x8f,0xd3,0x01,0x05,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx900
ours          v_pk_add_f16 v0, v1, v2
  note        unused-source (ignored): SRC2, OP_SEL[2], OP_SEL_HI[2], NEG[2], NEG_HI[2] of an instruction with two \
sources
LLVM 22, 99   rejects the encoding
  finding     acceptance word
    known     unused-fields-refused (llvm-wrong): {title}
  outcome     known
",
            version()
        )
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn diff_shows_objdump_where_it_says_something_else() {
    let plan = "version=99.0.0\n[ $name = llvm-mc ] || out=s/v_pk_add_f16/v_pk_mul_f16/";
    let ran = beside(plan, &["diff", "-t", "gfx900", ADD]);
    let rows = "\
LLVM 22       v_pk_add_f16 v0, v1, v2
  outcome     agreed
LLVM 99       v_pk_add_f16 v0, v1, v2
  objdump     v_pk_mul_f16 v0, v1, v2
  finding     tools-differ word: llvm-mc: v_pk_add_f16 v0, v1, v2, llvm-objdump: v_pk_mul_f16 v0, v1, v2
    NEW       no entry of the ledger explains it
  outcome     new
";
    assert_eq!(ran.out, format!("LLVM {}, 99.0.0\n\n{ADD_HEAD}{rows}", version()));
    assert_eq!(ran.code, 1);
}

#[test]
fn diff_shows_that_a_version_does_not_know_a_processor() {
    let plan = "version=99.0.0 unknown=gfx1250";
    let ran = beside(plan, &["diff", "-t", "gfx1250", "cc0f4000 18020501"]);
    let rows = "\nours          v_pk_add_f16 v0, v1, v2\nLLVM 22       v_pk_add_f16 v0, v1, v2\n  outcome     agreed\n\
                LLVM 99       does not know gfx1250\n";
    assert!(ran.code == 0 && ran.out.ends_with(rows), "{}{}", ran.out, ran.err);
    let ran = beside(plan, &["diff", "-t", "gfx1250,gfx1251", "cc0f4000 18020501"]);
    let groups = "\
v_pk_add_f16 v0, v1, v2
  targets     gfx1250
  LLVM 22     v_pk_add_f16 v0, v1, v2; agreed
  LLVM 99     does not know gfx1250
v_pk_add_f16 v0, v1, v2
  targets     gfx1251
  LLVM 22, 99 v_pk_add_f16 v0, v1, v2; agreed
";
    assert!(ran.code == 0 && ran.out.ends_with(groups), "{}{}", ran.out, ran.err);
    let json = beside(plan, &["diff", "-t", "gfx1250", "cc0f4000 18020501", "--json"]).json();
    assert_eq!(json["results"][0]["llvm"][1]["outcome"], "unknown-processor");
    assert_eq!(json["results"][0]["llvm"][1]["llvm_mc"], serde_json::Value::Null);

    // None knows it: nothing was compared.
    let (one, other) = (fake(plan), fake("version=98.0.0 unknown=gfx1250"));
    let llvms = format!("{},{}", one.path().display(), other.path().display());
    let ran = vop3p(&["diff", "-t", "gfx1250", "cc0f4000 18020501", "--llvm", &llvms]);
    let said = "error: LLVM 98.0.0, 99.0.0 does not know gfx1250; name another with --llvm\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (3, "", said));
}

#[test]
fn llvms_are_asked_once_each_in_ascending_order() {
    let other = fake("version=99.0.0");
    let (dir, version) = (other.path().display(), version());
    let versions = |llvms: &str| {
        let json = vop3p(&["diff", "-t", "gfx900", ADD, "--json", "--llvm", llvms]).json();
        let versions = json["results"][0]["llvm"].as_array().unwrap().iter();
        versions.map(|llvm| llvm["llvm"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(versions(&format!("{dir},22,{version},{dir}/,{dir}/llvm-mc")), [version.as_str(), "99.0.0"]);
    // A link to a directory, and links to the tools of LLVM 22, are no other LLVM.
    let links = TempDir::new().unwrap();
    symlink(other.path(), links.path().join("dir")).unwrap();
    symlink(llvm().mc, links.path().join("llvm-mc")).unwrap();
    symlink(llvm().objdump, links.path().join("llvm-objdump")).unwrap();
    let linked = links.path().display();
    assert_eq!(versions(&format!("{linked},{dir},22,{linked}/dir")), [version.as_str(), "99.0.0"]);
    // Two builds of one version are two, and are told apart.
    let build = fake(&format!("version={version}"));
    let both = format!("{},22", build.path().display());
    assert_eq!(versions(&both), [version.as_str(), version.as_str()]);
    let ran = vop3p(&["diff", "-t", "gfx900", ADD, "--llvm", &both]);
    let head = format!("LLVM {version} (1) {}/llvm-mc, {version} (2) /", build.path().display());
    assert!(ran.out.starts_with(&head), "{}", ran.out);
    let row = format!("\nLLVM {version} (1), {version} (2) v_pk_add_f16 v0, v1, v2\n");
    assert!(ran.out.contains(&row), "{}", ran.out);

    // By the variable, and in the other commands.
    let ran = finish(command(&["diff", "-t", "gfx900", ADD]).env("VOP3P_LLVM", format!("{dir},22")));
    assert!(ran.out.starts_with(&format!("LLVM {version}, 99.0.0\n")), "{}{}", ran.out, ran.err);
    let ran = with_input(&["replay", "-", "--llvm", &format!("{dir},22")], &format!("gfx900 {ADD} => agree"));
    let sum = "1 case, 1 passed, 0 failed, 0 not judged; deaths: llvm-mc 0, llvm-objdump 0";
    assert_eq!((ran.code, ran.out), (0, format!("LLVM {version}: {sum}\nLLVM 99.0.0: {sum}\n")));
}

#[test]
fn all_is_every_llvm_that_is_found() {
    let other = fake("version=99.0.0");
    let installed: Vec<String> = Llvm::find_all().iter().map(|llvm| llvm.version.to_string()).collect();
    let found = format!("{}, 99.0.0", installed.join(", "));
    let path = std::env::var("PATH").unwrap();
    let diff = |llvm: &str| {
        let mut command = command(&["diff", "-t", "gfx900", ADD, "--llvm", llvm]);
        finish(command.env("PATH", format!("{}:{path}", other.path().display())))
    };
    for llvm in ["all", "all,22,99"] {
        let ran = diff(llvm);
        assert_eq!((ran.code, ran.out.lines().next()), (0, Some(format!("LLVM {found}").as_str())), "{}", ran.err);
    }
    let ran = diff("22,98,7.1,99");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    let missing = |version: &str, major: &str| {
        let advice = format!("on Debian `apt-get install llvm-{major}`");
        format!("error: LLVM {version} is not installed; installed: {found}; {advice}\n")
    };
    assert_eq!(ran.err, missing("98", "98") + &missing("7.1", "7"));
}

#[test]
fn what_runs_against_one_llvm_says_so() {
    let other = fake("version=99.0.0");
    let both = format!("{},22", other.path().display());
    for (args, name) in [
        (&["fuzz", "--windows", "10"][..], "`vop3p fuzz`"),
        (&["seeds", "read", "--drawn", "Cargo.toml"], "`vop3p seeds read --drawn`"),
    ] {
        let ran = vop3p(&[args, &["--llvm", &both]].concat());
        let said = format!("error: {name} runs against one LLVM; --llvm or VOP3P_LLVM names {}, 99.0.0\n", version());
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (2, "", said));
    }
}

#[test]
fn the_llvms_that_make_installs_are_those_of_the_ledger() {
    let script = include_str!("../../scripts/tools");
    let line = script.lines().find_map(|line| line.strip_prefix("LLVMS=")).unwrap();
    let installed: BTreeSet<&str> = line.trim_matches('"').split(' ').collect();
    let ledger = Ledger::builtin().unwrap();
    let listed = ledger.signs().flat_map(|(_, sign)| sign.fires.iter().chain(&sign.silent));
    let listed: BTreeSet<&str> = listed.filter_map(|version| version.split('.').next()).collect();
    assert_eq!(installed, listed);
}
