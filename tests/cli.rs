//! The command-line tool, end to end. Tests that compare need LLVM 22 (`apt-get install llvm-22`).

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run came to.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn first(&self) -> &str {
        self.out.lines().next().unwrap_or_default()
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vop3p"));
    command.args(args).env("COLUMNS", "100").env("VOP3P_LLVM", "22");
    command
}

fn finish(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// The version of LLVM 22 that is installed.
fn version() -> String {
    let choice = vop3p::oracle::llvm::Choice::Version(22);
    let llvm = vop3p::oracle::llvm::Llvm::find(&choice).expect("these tests need LLVM 22: apt-get install llvm-22");
    llvm.version.to_string()
}

fn vop3p(args: &[&str]) -> Ran {
    finish(&mut command(args))
}

fn with_input(args: &[&str], input: &str) -> Ran {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn decode_says_what_a_word_is_on_a_target() {
    for (cpu, text) in [("gfx900", "v_mad_mix_f32 v5, 0, v2, v3"), ("gfx906", "v_fma_mix_f32 v5, 0, v2, v3")] {
        let quoted = vop3p(&["decode", "-t", cpu, "d3a00005 040e0480"]);
        assert_eq!((quoted.code, quoted.first()), (0, text));
        let split = vop3p(&["decode", "-t", cpu, "d3a00005", "040e0480"]);
        assert_eq!((split.code, split.out), (0, quoted.out));
        let bytes = vop3p(&["decode", "-t", cpu, "[0x05,0x00,0xa0,0xd3,0x80,0x04,0x0e,0x04]"]);
        assert_eq!(bytes.first(), text);
    }
    let ran = vop3p(&["decode", "-t", "gfx1100", "cc0f60e0 180207e0 00000001"]);
    assert_eq!(
        ran.out,
        "\
v_pk_add_f16 v224, v224, v3
target        gfx1100 (rdna3)
opcode        15, V_PK_ADD_F16
size          8 bytes
legality      legal
note          unused-source (ignored): SRC2, OP_SEL[2], OP_SEL_HI[2], NEG[2], NEG_HI[2] of an instruction with two \
sources
              source: operand lists of the instructions in AMD's XML
ignored bits  63, 58:50, 14:13, 10
behind it     00000001, not part of the instruction
"
    );
}

#[test]
fn decode_says_why_a_word_is_undefined() {
    let ran = vop3p(&["decode", "-t", "gfx900", "d38f4000 180202ff"]);
    assert_eq!((ran.code, ran.first()), (1, "undefined: literal-before-gfx10"));
    assert!(ran.out.contains("selector 255 of source 0 is a literal, which VOP3P takes from gfx10 on"), "{}", ran.out);
    let ran = vop3p(&["decode", "-t", "gfx1010", "cc134000 1c0e0501"]);
    assert_eq!((ran.code, ran.first()), (1, "undefined: no-such-opcode"));
    assert!(ran.out.contains("V_DOT2_F32_F16: gfx1011, gfx1012, rdna2-4"), "{}", ran.out);
    let ran = vop3p(&["decode", "-t", "gfx1250", "cc884000 1c0e0501", "--json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["ours"]["id"], "matrix-not-decoded");
}

#[test]
fn decode_on_every_target_groups_those_with_the_same_answer() {
    let ran = vop3p(&["decode", "d3a00005 040e0480"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.out,
        "\
v_mad_mix_f32 v5, 0, v2, v3  8 bytes  legal                        gfx900, gfx902, gfx909, gfx90c
v_fma_mix_f32 v5, 0, v2, v3  8 bytes  legal                        gfx904, vega7, cdna1-4
undefined: no-such-opcode             no opcode 32 on this target  gfx9-generic
undefined: not-vop3p                  the prefix is not VOP3P's    rdna1-4, cdna5
"
    );
    let ran = vop3p(&["decode", "ffffffff ffffffff"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, "undefined: not-vop3p    the prefix is not VOP3P's  all targets\n"));
    let json = vop3p(&["decode", "d3a00005 040e0480", "--json"]).json();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["answers"][0]["targets"][3], "gfx90c");
    assert_eq!(json["answers"][1]["ours"]["text"], "v_fma_mix_f32 v5, 0, v2, v3");
}

#[test]
fn decode_draws_the_fields() {
    let ran = vop3p(&["decode", "-t", "gfx1030", "--fields", "cc204900 7c0e04ff 00001234"]);
    assert_eq!(ran.first(), "v_fma_mix_f32 v0, -|0x1234|, -v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,1]");
    for line in [
        "|          prefix          |         op         |cl|hi| op_sel | neg_hi |         vdst          |",
        "14,60:59  op_sel_hi (hi)  0b111   read as f16, f16, f16",
        "13:11     op_sel          0b001   half read: high, low, low",
        "10:8      neg_hi          0b001   absolute: source 0",
        "95:64     literal         0x1234  literal 0x1234",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.lines().skip(1).all(|line| line.len() <= 100), "{}", ran.out);
    let json = vop3p(&["decode", "-t", "gfx1030", "--fields", "--json", "cc204900 7c0e04ff 00001234"]).json();
    assert_eq!(json["fields"][4]["name"], "op");
    assert_eq!(json["fields"][4]["bits"], "22:16");
    assert_eq!(vop3p(&["decode", "--fields", "cc204900 7c0e04ff"]).code, 2);
}

#[test]
fn bad_input_is_explained_and_exits_with_2() {
    let ran = vop3p(&["decode", "-t", "gfx900", "d3a00005 040e048g"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(
        ran.err,
        "error: bad window, column 17: `040e048g` is not hexadecimal\n  d3a00005 040e048g\n                  ^\n"
    );
    let ran = vop3p(&["decode", "-t", "gfx1105", "d3a00005 040e0480"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `gfx1100`?"), "{}", ran.err);
    let ran = vop3p(&["decode", "-t", "gfx803", "d3a00005 040e0480"]);
    assert!(ran.code == 2 && ran.err.contains("has no VOP3P"), "{}", ran.err);
    let ran = vop3p(&["decode", "d3a00005 040e0480", "d3a00005 040e0481"]);
    assert!(ran.code == 2 && ran.err.contains("takes one"), "{}", ran.err);
    let ran = vop3p(&["diff", "-t", "gfx900", "d3a00005", "040e0480", "d3a00005", "040e0480", "d3a00005"]);
    assert!(ran.code == 2 && ran.err.contains("must each be quoted"), "{}", ran.err);
    assert_eq!(vop3p(&["decode"]).code, 2);
    assert_eq!(vop3p(&["frobnicate"]).code, 2);
    assert_eq!(vop3p(&["isa", "no_such_opcode"]).code, 2);
    assert_eq!(vop3p(&["ledger", "show", "no-such-entry"]).code, 2);
    assert_eq!(vop3p(&["ledger", "--ledger", "no/such/directory"]).code, 2);
}

#[test]
fn a_missing_llvm_exits_with_3_and_says_what_to_do() {
    for args in [
        &["diff", "-t", "gfx1100", "cc0f60e0 180207e0"][..],
        &["ledger", "check"],
        &["replay", "gfx1100 cc0f60e0 180207e0"],
    ] {
        let ran = finish(command(args).env("VOP3P_LLVM", "/nonexistent"));
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(ran.err.contains("/nonexistent") && ran.err.contains("apt-get install"), "{}", ran.err);
        let mut by_option = args.to_vec();
        by_option.extend(["--llvm", "/nonexistent"]);
        assert_eq!(vop3p(&by_option).code, 3);
    }
    // What needs no LLVM does not look for one.
    for args in [&["decode", "-t", "gfx900", "d3a00005 040e0480"][..], &["targets"], &["isa"], &["ledger"]] {
        assert_eq!(finish(command(args).env("VOP3P_LLVM", "/nonexistent")).code, 0, "{args:?}");
    }
    let ran = vop3p(&["decode", "-t", "gfx900", "d3a0\u{1b}0005"]);
    assert_eq!((ran.code, ran.err.contains('\u{1b}')), (2, false), "{}", ran.err);
    let ran = finish(command(&["replay", "--no-llvm", "gfx900 d3a00005 040e0480"]).env("VOP3P_LLVM", "/nonexistent"));
    assert_eq!(ran.code, 0);
}

#[test]
fn diff_shows_both_sides_and_names_the_ledger_entry() {
    let ran = vop3p(&["diff", "-t", "gfx1100", "cc0f60e0 180207e0"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for line in [
        "target        gfx1100 (rdna3)",
        "window        cc0f60e0 180207e0",
        "bytes         [0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]",
        "ours          v_pk_add_f16 v224, v224, v3",
        &format!("LLVM {}", version()),
        "  outcome     known",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.contains("known     unused-source-modifiers (llvm-wrong)"), "{}", ran.out);
    let json = vop3p(&["diff", "-t", "gfx1100", "cc0f60e0", "180207e0", "--json"]).json();
    let llvm = &json["results"][0]["llvm"][0];
    assert_eq!((json["schema"].as_u64(), llvm["outcome"].as_str()), (Some(1), Some("known")));
    assert_eq!(llvm["findings"][0]["entry"]["id"], "unused-source-modifiers");
    assert_eq!(llvm["llvm_mc"]["answer"], "invalid");
}

/// A private ledger of one entry, for a disagreement that is not there.
fn private_ledger(version: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let entry = "[[entry]]\nid = 'gone'\nkind = 'crash'\ntitle = 't'\nverdict = 'llvm-wrong'\nreason = 'r'\n\
                 citations = ['c']\nwitnesses = ['gfx900 d3a00005 040e0480']\n";
    let when = "[[entry.when]]\nopcodes = ['@mix']\n";
    std::fs::write(dir.path().join("gone.toml"), format!("{entry}fires = ['{version}']\n{when}")).unwrap();
    dir
}

#[test]
fn diff_reads_a_private_ledger_on_top_and_reports_what_is_new() {
    let dir = private_ledger(&version());
    let ledger = dir.path().to_str().unwrap();
    let ran = vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480", "d38f6000 18020501", "--ledger", ledger]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("ledger-silent gone"), "{}", ran.out);
    assert!(ran.out.contains("unused-source-modifiers (llvm-wrong)"), "{}", ran.out);
    assert!(ran.out.contains("  outcome     new") && ran.out.contains("  outcome     known"), "{}", ran.out);
    assert_eq!(vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480"]).code, 0);
    let ran = vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480", "--ledger", "/nonexistent"]);
    assert!(ran.code == 2 && ran.err.contains("/nonexistent"), "{}", ran.err);
}

#[test]
fn diff_leaves_matrix_opcodes_out_and_points_at_permissive_entries() {
    let ran = vop3p(&["diff", "-t", "gfx1250", "cc884000 1c0e0501"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("outcome     left-out: a matrix opcode"), "{}", ran.out);
    let ran = vop3p(&["diff", "-t", "gfx900", "d38e4000 1c0c0401"]);
    assert!(ran.out.contains("  see         scalar-limit-shown (llvm-permissive)"), "{}", ran.out);
}

#[test]
fn targets_are_39() {
    let ran = vop3p(&["targets"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 40));
    let row: Vec<&str> = ran.out.lines().find(|line| line.starts_with("gfx950 ")).unwrap().split_whitespace().collect();
    assert_eq!(row[..10], ["gfx950", "cdna4", "64", "documented", "105", "69", "no", "1", "even", "no"]);
    let json = vop3p(&["targets", "--json"]).json();
    assert_eq!(json["targets"].as_array().unwrap().len(), 39);
    assert_eq!(json["targets"][37]["name"], "gfx1250");
    assert_eq!(json["targets"][37]["waves"], serde_json::json!([32]));
}

#[test]
fn isa_marks_what_amd_and_llvm_name_differently() {
    let ran = vop3p(&["isa", "0x20"]);
    assert_eq!(ran.code, 0);
    let row: Vec<&str> = ran.out.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(row[..4], ["32", "*", "V_MAD_MIX_F32", "v_fma_mix_f32"]);
    assert!(ran.out.contains("ledger entry mad-mix-is-fma-mix (both-allowed)"), "{}", ran.out);
    let ran = vop3p(&["isa", "-t", "gfx1100", "v_dot2_f32_f16"]);
    assert!(ran.out.contains("pk2_f16:src"), "{}", ran.out);
    let ran = vop3p(&["isa", "-t", "gfx900", "v_dot2_f32_f16"]);
    assert!(ran.code == 2 && ran.err.contains("V_DOT2_F32_F16 is on"), "{}", ran.err);
    let json = vop3p(&["isa", "-t", "gfx950", "--json"]).json();
    let opcodes = json["opcodes"].as_array().unwrap();
    assert_eq!(opcodes.len(), 105);
    assert_eq!(opcodes.iter().filter(|row| row["decoded"] == false).count(), 69);
    assert!(opcodes.iter().any(|row| row["names_differ"] == "mad-mix-is-fma-mix"));
}

#[test]
fn ledger_lists_and_shows_entries() {
    let ran = vop3p(&["ledger"]);
    assert!(ran.code == 0 && ran.out.contains("unused-source-modifiers"), "{}", ran.out);
    let ran = vop3p(&["ledger", "show", "unused-source-modifiers"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("when          opcodes @two-source; op_sel[2] = 1"), "{}", ran.out);
    assert!(ran.out.contains("llvm/llvm-project#57498"), "{}", ran.out);
    let json = vop3p(&["ledger", "show", "mad-mix-is-fma-mix", "--json"]).json();
    assert_eq!((json["kind"].as_str(), json["verdict"].as_str()), (Some("document"), Some("both-allowed")));
}

#[test]
fn ledger_check_exits_with_1_for_a_stale_entry() {
    let version = version();
    let dir = private_ledger(&version);
    let ledger = dir.path().to_str().unwrap();
    let ran = vop3p(&["ledger", "check", "--ledger", ledger]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.out.contains(&format!(
            "stale: gone on LLVM {version}: witness `gfx900 d3a00005 040e0480` no longer shows it: no finding, LLVM accepts"
        )),
        "{}",
        ran.out
    );
    let json = vop3p(&["ledger", "check", "--ledger", ledger, "--json"]).json();
    let entries = json["checks"][0]["entries"].as_array().unwrap();
    assert_eq!(entries.last().unwrap()["witnesses"][0]["shown"], false);
}

#[test]
fn replay_checks_what_lines_expect() {
    let right = "gfx1100 cc0f60e0 180207e0 => rule: unused-source; known: unused-source-modifiers";
    let ran = vop3p(&["replay", right]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let sum = "1 case, 1 passed, 0 failed, 0 not judged; deaths: llvm-mc 0, llvm-objdump 0";
    assert_eq!(ran.first(), format!("LLVM {}: {sum}", version()));
    assert!(ran.out.contains("  known: unused-source-modifiers 1"), "{}", ran.out);
    for (expectation, said) in [
        ("agree", "expected `agree`, known disagreements are there: unused-source-modifiers"),
        ("known: dot-op-sel-refused", "found besides: unused-source-modifiers"),
        ("known: no-such-entry", "`no-such-entry` is no entry of the ledger"),
        ("text: v_pk_add_f16 v224, v224, v4", "our decoder says `v_pk_add_f16 v224, v224, v3`"),
        ("undefined", "our decoder says `v_pk_add_f16 v224, v224, v3`"),
        ("rule: none", "our decoder says rule unused-source"),
    ] {
        let ran = vop3p(&["replay", &format!("gfx1100 cc0f60e0 180207e0 => {expectation}")]);
        assert_eq!(ran.code, 1, "{expectation}: {}", ran.err);
        assert!(ran.out.contains(said), "{expectation}: {}", ran.out);
    }
    let ran = vop3p(&["replay", "gfx900", "d3a00005", "040e0480", "=>", "agree"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = vop3p(&["replay", "--no-llvm", "gfx900 d3a00005 040e0480 => size: 12"]);
    assert_eq!((ran.code, ran.first()), (1, "argument:1: failed: gfx900 d3a00005 040e0480 => size: 12"));
}

#[test]
fn replay_reads_files_and_standard_input() {
    let lines = "# two cases\ngfx900 d3a00005 040e0480 => agree\n\ngfx1100 cc0f40e0 180207e0  # nothing expected\n";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("cases.txt");
    std::fs::write(&file, lines).unwrap();
    let path = file.to_str().unwrap();
    let ran = vop3p(&["replay", path]);
    assert!(ran.code == 0 && ran.out.contains("2 cases, 2 passed"), "{}{}", ran.out, ran.err);
    let ran = with_input(&["replay", "-"], lines);
    assert!(ran.code == 0 && ran.out.contains("2 cases, 2 passed"), "{}{}", ran.out, ran.err);
    let json = vop3p(&["replay", path, "--json"]).json();
    assert_eq!(json["replays"][0]["summary"]["passed"], 2);
    assert_eq!(json["replays"][0]["results"][1]["line"], 4);

    std::fs::write(&file, format!("{lines}gfx1100 cc0f40e0 180207eg\ngfx900 d3a00005 040e0480 => frob\n")).unwrap();
    let ran = vop3p(&["replay", path]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains(&format!("{path}:5:25: `180207eg` is not hexadecimal")), "{}", ran.err);
    assert!(ran.err.contains(&format!("{path}:6:29: `frob` is no expectation")), "{}", ran.err);
    let ran = with_input(&["replay", "-"], "gfx900 nonsense");
    assert!(ran.code == 2 && ran.err.contains("-:1:8: "), "{}", ran.err);
    assert_eq!(vop3p(&["replay", "no/such/file"]).code, 2);
    assert_eq!(with_input(&["replay", "-"], "# nothing\n").code, 2);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command(&["isa", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_subcommand_has_examples() {
    for args in [&["decode"][..], &["diff"], &["targets"], &["isa"], &["ledger"], &["ledger", "check"], &["replay"]] {
        let mut args = args.to_vec();
        args.push("--help");
        let ran = vop3p(&args);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("Example"), "{args:?}: {}", ran.out);
        assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "{args:?}: {}", ran.out);
    }
}

#[test]
fn fuzz_repeats_itself_and_seeds_go_both_ways() {
    let args =
        ["fuzz", "--windows", "3000", "--seed", "5", "-t", "gfx1100", "-t", "gfx90a", "--batch", "1000", "--json"];
    let first = vop3p(&args);
    assert_eq!(first.code, 0, "{}", first.err);
    let json = first.json();
    assert_eq!((json["windows"].as_u64(), json["new"].as_u64()), (Some(3000), Some(0)));
    assert_eq!(vop3p(&args).out, first.out);

    let dir = private_ledger(&version());
    let findings = dir.path().join("findings.jsonl");
    let found = findings.to_str().unwrap();
    let ledger = dir.path().to_str().unwrap();
    let ran = vop3p(&["fuzz", "--windows", "8000", "-t", "gfx900", "--ledger", ledger, "--findings", found]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("new finding: ledger-silent gone"), "{}", ran.out);
    assert!(ran.out.contains("windows 4000 "), "a new finding ends the run with its batch: {}", ran.out);
    let line = std::fs::read_to_string(&findings).unwrap().lines().next().unwrap().to_owned();
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((line["schema"].as_u64(), line["target"].as_str()), (Some(1), Some("gfx900")));

    let cases = dir.path().join("cases.txt");
    std::fs::write(&cases, "gfx900 d3a00005 040e0480\ngfx1100 cc0f60e0 180207e0 # x\n").unwrap();
    let seeds = dir.path().join("seeds");
    let ran = vop3p(&["seeds", "write", "--out", seeds.to_str().unwrap(), cases.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = vop3p(&["seeds", "read", seeds.join("corpus-gfx1100").to_str().unwrap()]);
    assert_eq!(ran.out.lines().nth(1), Some("gfx1100 cc0f60e0 180207e0"));
}
