//! The command-line tool, end to end. Tests that compare need LLVM 22 (`apt-get install llvm-22`).

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod compare;
mod compat;
mod conform;
mod encode;
mod entries;
mod eval;
mod runs;
mod several;
mod spec;

use std::io::Write;
use std::process::{Command, Stdio};

use vop3p::oracle::llvm::{Choice, Llvm};

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
fn llvm() -> Llvm {
    let choice = Choice::or_environment(None);
    let llvm = Llvm::find(&choice).expect("these tests need LLVM 22: apt-get install llvm-22");
    assert_eq!(llvm.version.major, 22, "these tests hold the ledger against LLVM 22, and this is {}", llvm.version);
    llvm
}

fn version() -> String {
    llvm().version.to_string()
}

fn vop3p(args: &[&str]) -> Ran {
    finish(&mut command(args))
}

fn with_input(args: &[&str], input: &str) -> Ran {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    match child.stdin.take().unwrap().write_all(input.as_bytes()) {
        // A command that refuses its arguments may be gone before it reads; what it says is checked all the same.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A private ledger of one entry, for a disagreement that is not there.
fn private_ledger(version: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let entry = "[[entry]]\nid = 'gone'\ntitle = 't'\nverdict = 'llvm-wrong'\nreason = 'r'\ncitations = ['c']\n\
                 [[entry.sign]]\nkind = 'crash'\nwitnesses = ['gfx900 d3a00005 040e0480']\n";
    let when = "[[entry.sign.when]]\nopcodes = ['@mix']\n";
    std::fs::write(dir.path().join("gone.toml"), format!("{entry}fires = ['{version}']\n{when}")).unwrap();
    dir
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
    let ran = vop3p(&["decode", "-t", "gfx1250", "cc350000 04028120"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            1,
            "\
undefined: scale-word-alone
why           opcode 53 is a scale word, and no matrix word that takes it follows
target        gfx1250 (cdna5)
opcode        53, v_wmma_ld_scale_paired_b32 to LLVM, nameless to AMD
goes before   51, V_WMMA_F32_16X16X128_F8F6F4, which makes it V_WMMA_SCALE_F32_16X16X128_F8F6F4
              136, V_WMMA_F32_32X16X128_F4, which makes it V_WMMA_SCALE_F32_32X16X128_F4
"
        )
    );
    let ours = &vop3p(&["decode", "-t", "gfx1250", "cc350000 04028120", "--json"]).json()["ours"];
    assert_eq!((ours["id"].as_str(), ours["opcode"].as_u64()), (Some("scale-word-alone"), Some(53)));
    assert_eq!(ours["amd"], serde_json::Value::Null);
    let ran = vop3p(&["decode", "-t", "gfx1100", "cc404000 1bfe2108 3f800000"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            1,
            "\
undefined: literal-place
why           selector 255 of source 2 is a literal, which does not go there
target        gfx1100 (rdna3)
operand       C of V_WMMA_F32_16X16X16_F16 may be vgpr/inline
"
        )
    );
    let ran = vop3p(&["decode", "-t", "gfx950", "d3ac0000 000280ff d3ad0800 04521904"]);
    for line in [
        "why           selector 255 of the scale of A is a literal, which VOP3P takes from gfx10 on",
        "operand       scale of A of V_MFMA_LD_SCALE_B32 may be vgpr/inline",
    ] {
        assert!(ran.code == 1 && ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    let json = vop3p(&["decode", "-t", "gfx1010", "cc134000 1c0e0501", "--json"]).json();
    assert_eq!(json["ours"]["opcode"], 19);
    assert_eq!(
        (json["elsewhere"][0]["amd"].as_str(), json["elsewhere"][0]["targets"][0].as_str()),
        (Some("V_DOT2_F32_F16"), Some("gfx1011"))
    );
    let ran = vop3p(&["decode", "-t", "gfx1030", "cc0f4000 180202ff"]);
    assert_eq!((ran.code, ran.first()), (1, "undefined: cut-short"));
    assert!(ran.out.contains("`vop3p diff` has fixed padding follow it"), "{}", ran.out);
    // Two dwords without a gap are a run of bytes.
    for args in [&["decode", "-t", "gfx900", "d3a00005040e0480"][..], &["decode", "d3a00005040e0480"]] {
        let ran = vop3p(args);
        let hint = "              as the dwords 'd3a00005 040e0480' it is v_mad_mix_f32 v5, 0, v2, v3 on gfx900";
        assert!(ran.code == 1 && ran.out.lines().any(|line| line == hint), "{}", ran.out);
    }
    assert!(!vop3p(&["decode", "-t", "gfx900", "0500a0d380040e04"]).out.contains("hint"));
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
fn decode_draws_both_words_of_a_pair() {
    let ran = vop3p(&["decode", "-t", "gfx950", "--fields", "d3ac1000 08028120 d3ad0c04 5c52190c"]);
    assert_eq!(
        ran.first(),
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[4:7], a[12:15], a[12:17], v[20:23], v32, v64 op_sel:[0,1,0] \
         op_sel_hi:[1,0,0] cbsz:4 blgp:2"
    );
    for line in [
        "opcodes       44 + 45, V_MFMA_SCALE_F32_16X16X128_F8F6F4",
        "size          16 bytes",
        " 127  125 124123 122                    114 113                    105 104                     96",
        "74:72       body_neg_hi          0b100  A is FP4",
        "104:96      body_src0            268    a[12:15], A",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.lines().skip(1).all(|line| line.len() <= 100), "{}", ran.out);
    let json = vop3p(&["decode", "-t", "gfx950", "--fields", "--json", "d3ac1000 08028120 d3ad0c04 5c52190c"]).json();
    let fields = json["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_eq!((field("body_src1")["bits"].as_str(), field("body_src1")["raw"].as_u64()), (Some("113:105"), Some(268)));
    assert_eq!(field("body_src1")["meaning"], "a[12:17], B");
    assert_eq!(fields.len(), 22);
    // Wave64 halves the tuples of RDNA4.
    for (target, vdst) in [("gfx1200", "v[16:23], C and D"), ("gfx1200:w64", "v[16:19], C and D")] {
        let json = vop3p(&["decode", "-t", target, "--fields", "--json", "cc504010 1c421100"]).json();
        assert_eq!(json["fields"][0]["meaning"], vdst);
    }
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
    let ran = vop3p(&["decode", "-t", "rdna4", "d3a00005 040e0480"]);
    let said = "`rdna4` is a generation: gfx1200, gfx1201, gfx12-generic";
    assert!(ran.code == 2 && ran.err.contains(said), "{}", ran.err);
    let ran = vop3p(&["decode", "-t", "gfx1100,gfx1030", "d3a00005 040e0480"]);
    let said = "`gfx1100,gfx1030` is several targets, where one is wanted";
    assert!(ran.code == 2 && ran.err.contains(said), "{}", ran.err);
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
fn rules_are_listed_with_the_reasons_for_undefined() {
    let ran = vop3p(&["rules"]);
    assert_eq!((ran.code, ran.first()), (0, "rules, noted of a word that is decoded"));
    for line in [
        "  vgpr-range        illegal   a tuple of VGPRs or AccVGPRs runs past register 255",
        "                              source: VGPR field of the operand tables: 0 to 255",
        "  literal-before-gfx10  selector 255, a literal, which VOP3P takes from gfx10 on",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    let json = vop3p(&["rules", "--json"]).json();
    assert_eq!(json["rules"].as_array().unwrap().len(), vop3p::isa::RULES.len());
    let ids: Vec<&str> = json["undefined"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        [
            "not-vop3p",
            "cut-short",
            "no-such-opcode",
            "scale-word-alone",
            "reserved-selector",
            "literal-before-gfx10",
            "literal-with-dpp",
            "literal-place",
            "dpp-marker",
            "sdwa-marker",
            "lds-direct-place",
        ]
    );
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
    assert_eq!(opcodes.iter().filter(|row| row["family"] == "matrix").count(), 69);
    assert_eq!(json["pairs"].as_array().unwrap().len(), 2);
    assert!(opcodes.iter().any(|row| row["names_differ"] == "mad-mix-is-fma-mix"));
}

#[test]
fn isa_shows_the_operands_of_matrix_instructions() {
    let row = |args: &[&str], llvm: &str| -> Vec<String> {
        let ran = vop3p(args);
        let line = ran.out.lines().find(|line| line.contains(&format!("  {llvm}  ")));
        let cells = line.unwrap_or_else(|| panic!("{llvm}: {}{}", ran.out, ran.err)).split("  ");
        cells.map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect()
    };
    // Wave32 and wave64 where they differ.
    assert_eq!(
        row(&["isa", "swmmac"], "v_swmmac_i32_16x16x32_iu8")[4..],
        ["x8|x4", "x2|x1", "x4|x2", "x1", "no", "rdna4", "[1]", "index_key neg_lo clamp"]
    );
    // The set of the index is picked in wave64 only.
    let name = "v_swmmac_i32_16x16x64_iu4";
    assert_eq!(
        row(&["isa", "-t", "gfx1200", "swmmac"], name)[4..],
        ["x8:vgpr", "x2:vgpr", "x4:vgpr", "x1:vgpr", "no", "[1]", "neg_lo clamp"]
    );
    assert_eq!(
        row(&["isa", "-t", "gfx1200:w64", "swmmac"], name)[4..],
        ["x4:vgpr", "x1:vgpr", "x2:vgpr", "x1:vgpr", "no", "[1]", "index_key neg_lo clamp"]
    );
    assert_eq!(
        row(&["isa", "-t", "gfx908", "accvgpr"], "v_accvgpr_write_b32")[5..],
        ["x1:accvgpr", "x1:vgpr/inline/scalar", "-", "-", "no", "[1]", "-"]
    );
    assert_eq!(
        row(&["isa", "-t", "gfx950", "f8f6f4"], "v_mfma_scale_f32_16x16x128_f8f6f4"),
        [
            "44+45",
            "V_MFMA_SCALE_F32_16X16X128_F8F6F4",
            "v_mfma_scale_f32_16x16x128_f8f6f4",
            "x4:vgpr/accvgpr",
            "x4-x8:vgpr/accvgpr",
            "x4-x8:vgpr/accvgpr",
            "x4:vgpr/accvgpr/inline",
            "x1:vgpr/inline",
            "x1:vgpr/inline",
            "cbsz blgp op_sel op_sel_hi",
        ]
    );
    let json = vop3p(&["isa", "v_wmma_scale16_f32_32x16x128_f4", "--json"]).json();
    assert_eq!(json["opcodes"], serde_json::json!([]));
    assert_eq!(json["pairs"][0]["src"][3]["format"], "x2");
    assert_eq!(json["pairs"][0]["targets"], serde_json::json!(["gfx1250", "gfx1251"]));
    let json = vop3p(&["isa", "84", "-t", "gfx1200", "--json"]).json();
    let row = &json["opcodes"][0];
    assert_eq!((&row["vdst"]["format"], &row["src"][0]["kind"]), (&"x8".into(), &"vgpr".into()));
    assert_eq!(row["modifiers"], serde_json::json!(["index_key", "neg_lo", "clamp"]));
    for command in ["isa", "targets", "rules"] {
        for args in [&[command][..], &[command, "--help"]] {
            assert!(!vop3p(args).out.contains("decoded by this version"), "{args:?}");
        }
    }
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
    for args in [
        &["decode"][..],
        &["diff"],
        &["targets"],
        &["isa"],
        &["rules"],
        &["ledger"],
        &["ledger", "list"],
        &["ledger", "show"],
        &["ledger", "check"],
        &["replay"],
        &["fuzz"],
        &["seeds"],
        &["seeds", "read"],
        &["seeds", "write"],
    ] {
        let mut args = args.to_vec();
        args.push("--help");
        let ran = vop3p(&args);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("Example"), "{args:?}: {}", ran.out);
        assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "{args:?}: {}", ran.out);
    }
}
