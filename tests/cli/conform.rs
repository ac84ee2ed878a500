//! `vop3p conform`: tests as LLVM's are, small and written here.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::several::fake;
use crate::{Ran, command, finish, private_ledger, version, vop3p};

/// A directory with these files.
fn tests(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// `vop3p conform .` in a directory.
fn conform(dir: &Path, args: &[&str]) -> Ran {
    finish(command(&[&["conform", "."], args].concat()).current_dir(dir))
}

fn lines(ran: &Ran, wanted: &[&str]) {
    for line in wanted {
        assert!(ran.out.lines().any(|found| found == *line), "{line}\n{}{}", ran.out, ran.err);
    }
}

/// Our assembler writes other bytes, takes what the test refuses, reads another instruction and decodes what is rejected.
const PLANTED: &[(&str, &str)] = &[
    (
        "bytes.s",
        "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck %s\n\
         v_pk_add_f16 v7, v8, v9\n\
         // CHECK: v_pk_add_f16 v7, v8, v9 ; encoding: [0x07,0x40,0x0f,0xcc,0x08,0x15,0x02,0x18]\n",
    ),
    (
        "refused.s",
        "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx1100 %s 2>&1 | FileCheck %s\n\
         v_pk_add_f16 v7, v8, v9\n\
         // CHECK: :[[@LINE-1]]:14: error: not today\n",
    ),
    (
        "words.txt",
        "# RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -disassemble -show-encoding %s 2>&1 | FileCheck %s\n\
         # CHECK: v_pk_mul_f16 v7, v8, v9 ; encoding: [0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18]\n\
         0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18\n\n\
         # CHECK: warning: invalid instruction encoding\n\
         0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18\n\n\
         # CHECK: v_pk_add_f16 v7, v8, v9 ; encoding: [0x07,0x40,0x0f,0xcc,0x08,0x15,0x02,0x18]\n\
         0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18\n",
    ),
];

#[test]
fn the_samples_agree_save_one_that_the_ledger_knows() {
    let ran = conform(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conform"), &["--skipped"]);
    assert_eq!(
        ran.out,
        format!(
            "\
file         cases  agree  known  new  skipped  LLVM {} differs  ledger entries
./packed.s   9      9      0      0    0        0
./signs.s    2      1      1      0    1        0                    iu-neg 1
./words.txt  3      3      0      0    0        0
total        14     13     1      0    1        0
known: iu-neg 1
agree: 3 as the test refuses them, too: the processor has no VOP3P: it came with gfx900
skipped: 1: the instruction stands in a macro or a condition
  ./signs.s:11: the instruction stands in a macro or a condition
",
            version()
        )
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = conform(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conform"), &["--no-llvm"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    lines(
        &ran,
        &["file         cases  agree  known  new  skipped  ledger entries", "total        14     13     1      0    1"],
    );
}

#[test]
fn what_is_new_is_shown_in_full_and_exits_with_1() {
    let dir = tests(PLANTED);
    let ran = conform(dir.path(), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let llvm = format!("LLVM {}", version());
    let row = |name: &str, counts: &str| format!("{name:<11}  {counts}");
    let wanted = [
        row("./bytes.s", "1      0      0      1    0        1"),
        row("./refused.s", "1      0      0      1    0        1"),
        row("./words.txt", "3      0      0      3    0        2"),
        row("total", "5      0      0      5    0        4"),
    ];
    lines(&ran, &wanted.each_ref().map(String::as_str));
    let new = format!(
        "
new: ./bytes.s:2
  target        gfx1100
  text          v_pk_add_f16 v7, v8, v9
  the test      assembles to cc0f4007 18021508
  ours          assembles to cc0f4007 18021308
  {llvm}   assembles to cc0f4007 18021308
  finding       encoding src1: ours 0x109 in cc0f4007 18021308, LLVM 0x10a in cc0f4007 18021508
  stock         echo 'v_pk_add_f16 v7, v8, v9' | llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding

new: ./refused.s:2
  target        gfx1100
  text          v_pk_add_f16 v7, v8, v9
  the test      refuses: not today
  ours          assembles to cc0f4007 18021308
  {llvm}   assembles to cc0f4007 18021308
  finding       assembling text: ours cc0f4007 18021308, LLVM refuses: not today
  stock         echo 'v_pk_add_f16 v7, v8, v9' | llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding

new: ./words.txt:3
  target        gfx1100
  window        cc0f4007 18021308
  bytes         [0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18]
  the test      prints v_pk_mul_f16 v7, v8, v9
  ours          prints v_pk_add_f16 v7, v8, v9
  {llvm}   prints v_pk_add_f16 v7, v8, v9
  finding       mnemonic op: ours v_pk_add_f16, LLVM v_pk_mul_f16
"
    );
    assert!(ran.out.contains(&new), "{}\n{new}", ran.out);
    lines(
        &ran,
        &[
            "new: ./words.txt:6",
            "  the test      rejects",
            "  finding       acceptance word: ours v_pk_add_f16 v7, v8, v9, LLVM rejects",
            "new: ./words.txt:9",
            "  the test      prints v_pk_add_f16 v7, v8, v9, encodes it to cc0f4007 18021508 again",
            "  finding       encoding src1: ours 0x109 in cc0f4007 18021308, LLVM 0x10a in cc0f4007 18021508",
        ],
    );
}

#[test]
fn a_list_of_bytes_that_is_cut_short_is_held_against_ours_too() {
    let run = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck --check-prefix=P %s\n";
    let case = |list: &str| format!("v_pk_add_f16 v0, v1, v2\n// P: v_pk_add_f16 v0, v1, v2 ; encoding: {list}\n\n");
    let text = [
        "[0xff,0xff,0x0f",
        "[0x00,0x40,0x0f,0xcc,0x01",
        "[0x00,0x40,0x0f,0xcc,0x01,0x05,0x02,0x18,0x00,0x00]",
        "[0x00,A,0x0f,0xcc]",
    ]
    .map(case)
    .concat();
    let dir = tests(&[("cut.s", &format!("{run}{text}"))]);
    let ran = conform(dir.path(), &["--no-llvm", "--skipped"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    lines(
        &ran,
        &[
            "total    3      1      0      2    1",
            "new: ./cut.s:2",
            "  the test      assembles to [0xff,0xff,0x0f…",
            "  finding       encoding vdst: ours 0x0 in cc0f4000 18020501, LLVM 0xff in cc0fffff 18020501",
            "new: ./cut.s:8",
            "  finding       encoding size: ours cc0f4000 18020501, LLVM no VOP3P word",
            "  ./cut.s:11: the encoding in the check is not only bytes such as 0x05",
        ],
    );
}

#[test]
fn a_block_comment_is_white_space() {
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck %s\n\
                v_pk_add_f16 v0, v1, v2 /* x\n v_pk_add_f16 v0, v1\n*/\n/* y\n*/ v_pk_add_f16 v0, v1, v3\n\
                // CHECK: v_pk_add_f16 v0, v1, v3 ; encoding: [0x00,0x40,0x0f,0xcc,0x01,0x07,0x02,0x18]\n";
    let dir = tests(&[("block.s", text)]);
    let ran = conform(dir.path(), &[]);
    lines(&ran, &["total      2      2      0      0    0        0"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let dir = tests(&[("good.s", PLANTED[1].1)]);
    let pipe = dir.path().join("pipe.s");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("good.s", dir.path().join("linked.s")).unwrap();
    let ran = conform(dir.path(), &["--no-llvm", "--skipped"]);
    lines(&ran, &["total       2      0      0      2    1", "  ./pipe.s:1: not a regular file"]);
    let name = pipe.to_str().unwrap();
    let ran = vop3p(&["conform", "--no-llvm", name]);
    assert!(ran.code == 2 && ran.err.contains(&format!("{name}: not a regular file\n")), "{}", ran.err);
    let name = dir.path().join("none").display().to_string();
    let ran = vop3p(&["conform", "--no-llvm", &name]);
    assert_eq!((ran.code, ran.err), (2, format!("error: {name}: no such file or directory\n")));
}

#[test]
fn an_expression_or_a_symbol_is_skipped() {
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck %s\n\
                x=1\nv_pk_add_f16 v0, 1+1, v2\nv_pk_add_f16 v0, x, v2\nv_pk_add_f16 v0, v1, v2 clump\n";
    let table = "source_file\tmcpu\tmattr\tkind\tasm\tencoding\tnotes\n\
                 a.s\tgfx1100\t\tasm-ok\tv_pk_add_f16 v0, x, v2\t\tline=7\n\
                 a.s\tgfx1100\t\tasm-err\tv_pk_add_f16 v0, x, v2\t\tline=8\n";
    let dir = tests(&[("sym.s", text), ("t.tsv", table)]);
    let ran = conform(dir.path(), &["--skipped"]);
    lines(
        &ran,
        &[
            "total    2      1      0      1    3        1",
            "new: ./sym.s:5",
            "skipped: 3: an expression or a symbol",
            "  ./sym.s:3: an expression or a symbol",
            "  ./sym.s:4: an expression or a symbol",
            "  a.s:7: an expression or a symbol",
        ],
    );
}

#[test]
fn an_old_processor_refuses_and_what_it_should_take_is_skipped() {
    let header = "source_file\tmcpu\tmattr\tkind\tasm\tencoding\tnotes\n";
    let rows = "a.s\tgfx802\t\tasm-err\tv_pk_add_f16 v7, v8, v9\t\tline=3 col=1 no\n\
                a.s\tgfx802\t\tdisasm-warn\t\t07408fd308130218\tline=4\n\
                a.s\tgfx1250\t+wavefrontsize64\tasm-err\tv_pk_add_f16 v7, v8, v9\t\tline=5\n\
                a.s\tgfx1250\t+wavefrontsize64\tasm-ok\tv_pk_add_f16 v7, v8, v9\t07400fcc08130218\tline=6\n\
                a.s\tgfx9999\t\tasm-err\tv_pk_add_f16 v7, v8, v9\t\tline=7\n\
                a.s\tgfx908\t\tasm-err\tv_mfma_f32_32x32x1f32 a[32:63], v0, v1, 2\t\tline=8\n";
    let dir = tests(&[("t.tsv", &format!("{header}{rows}"))]);
    let ran = conform(dir.path(), &["--skipped", "--no-llvm"]);
    assert_eq!(
        ran.out,
        "\
file   cases  agree  known  new  skipped  ledger entries
a.s    5      3      2      0    1        cdna5-wave64 1, mfma-constant-c-cdna1 1
total  5      3      2      0    1
known: cdna5-wave64 1
known: mfma-constant-c-cdna1 1
agree: 2 as the test refuses them, too: the processor has no VOP3P: it came with gfx900
agree: 1 as the test refuses them, too: the processor has no wave64
skipped: 1: an unknown processor
  a.s:7: an unknown processor
"
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn bad_input_is_named_and_the_rest_goes_on() {
    let dir = tests(&[("good.s", PLANTED[1].1), ("table.tsv", "mcpu\n")]);
    fs::write(dir.path().join("bad.txt"), b"# RUN\n\xff").unwrap();
    let path = dir.path().to_str().unwrap();
    let ran = vop3p(&["conform", "--no-llvm", &format!("{path}/none.s"), path]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("good.s:2\n"), "{}", ran.out);
    for (line, part) in ran.err.lines().zip([
        "none.s: no such file or directory",
        "bad.txt:2:1: not UTF-8",
        "table.tsv:1:1: the header",
    ]) {
        assert!(line.starts_with("error: ") && line.contains(part), "{}", ran.err);
    }
    assert_eq!(ran.err.lines().count(), 3);

    // Nothing to judge is no success.
    let empty = tests(&[]);
    let path = empty.path().to_str().unwrap();
    let ran = vop3p(&["conform", "--no-llvm", path]);
    assert_eq!((ran.code, ran.err), (2, format!("error: {path}: no VOP3P case there (0 files)\n")));
    assert_eq!(vop3p(&["conform"]).code, 2);
    assert_eq!(vop3p(&["conform", path, "--llvm", "all,22", "--no-llvm"]).code, 2);
    let ran = vop3p(&["conform", path, "--llvm", "3"]);
    assert!(ran.code == 3 && ran.err.contains("LLVM 3 is not installed"), "{}", ran.err);
}

#[test]
fn the_llvm_at_hand_may_differ_from_the_test() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conform");
    let other = fake("version=99.0.0 unknown=gfx900 out='s/v_fma_mix_f32 v7/v_fma_mix_f32 v5/'");
    let llvm = other.path().to_str().unwrap();
    let ran = conform(&samples, &["--llvm", llvm, "--differs"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    lines(
        &ran,
        &[
            "file         cases  agree  known  new  skipped  LLVM 99.0.0 differs  ledger entries",
            "./packed.s   9      9      0      0    0        0",
            "./words.txt  3      3      0      0    0        1",
            "LLVM 99.0.0 was not asked about 3 cases: it does not know the processor or the text",
        ],
    );
    let differs = "
LLVM 99.0.0 differs: ./words.txt:5
  target        gfx1200
  window        cc200407 4c2a1308
  bytes         [0x07,0x04,0x20,0xcc,0x08,0x13,0x2a,0x4c]
  the test      prints v_fma_mix_f32 v7, v8, -v9, |v10| op_sel_hi:[1,0,0]
  ours          prints v_fma_mix_f32 v7, v8, -v9, |v10| op_sel_hi:[1,0,0]
  LLVM 99.0.0   prints v_fma_mix_f32 v5, v8, -v9, |v10| op_sel_hi:[1,0,0]
";
    assert!(ran.out.contains(differs), "{}", ran.out);
    // It is counted in any case, and listed if that is asked for.
    let ran = conform(&samples, &["--llvm", llvm]);
    assert!(!ran.out.contains("differs: "), "{}", ran.out);
}

#[test]
fn an_entry_that_should_fire_is_missed_where_the_llvm_at_hand_says_what_the_test_says() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conform");
    let ledger = private_ledger(&version());
    let ledger = ledger.path().to_str().unwrap();
    let ran = conform(&samples, &["--ledger", ledger]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("new: ./words.txt:5\n"), "{}", ran.out);
    assert!(ran.out.contains("  finding       ledger-silent gone: the entry expects a difference"), "{}", ran.out);
    // Whose test it is nobody says, and so nothing is expected.
    assert_eq!(conform(&samples, &["--ledger", ledger, "--no-llvm"]).code, 0);
}

#[test]
fn json_has_what_the_table_has() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conform");
    let json = conform(&samples, &["--json"]).json();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["llvm"], version());
    let signs = serde_json::json!({
        "file": "./signs.s", "cases": 2, "agree": 1, "known": 1, "new": 0, "skipped": 1, "llvm_differs": 0,
        "entries": {"iu-neg": 1},
    });
    assert_eq!(json["files"][1], signs);
    assert_eq!(json["known"], serde_json::json!({"iu-neg": 1}));
    assert_eq!(json["skipped"][0]["line"], 11);
    assert_eq!(json["without_target"]["the processor has no VOP3P: it came with gfx900"], 3);

    let dir = tests(PLANTED);
    let ran = conform(dir.path(), &["--json", "--no-llvm"]);
    let json = ran.json();
    assert_eq!((ran.code, json["llvm"].is_null(), json["total"]["new"].as_u64()), (1, true, Some(5)));
    let refused = serde_json::json!({
        "file": "./refused.s", "line": 2, "cpu": "gfx1100", "mattr": "", "target": "gfx1100",
        "text": "v_pk_add_f16 v7, v8, v9", "expected": "refuses: not today", "ours": "assembles to cc0f4007 18021308",
        "findings": [{
            "finding": "assembling text: ours cc0f4007 18021308, LLVM refuses: not today", "entry": null,
        }],
        "stock": "echo 'v_pk_add_f16 v7, v8, v9' | llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding",
    });
    assert_eq!(json["new"][1], refused);
    assert_eq!(json["new"][2]["window"], "cc0f4007 18021308");
}
