//! What needs LLVM, and `vop3p diff`.

use crate::{command, finish, private_ledger, version, vop3p};

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
fn versions_of_llvm_are_found_or_missed_in_words() {
    let version = version();
    let diff = |llvm: &str| vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480", "--llvm", llvm]);
    for llvm in [version.as_str(), "22", version.rsplit_once('.').unwrap().0] {
        let ran = diff(llvm);
        assert!(ran.code == 0 && ran.out.contains(&format!("LLVM {version}")), "{llvm}: {}{}", ran.out, ran.err);
    }
    for (llvm, said, advice) in [
        ("7", "LLVM 7 is not installed; installed: ", "; on Debian `apt-get install llvm-7`"),
        ("7.1", "LLVM 7.1 is not installed; installed: ", "; on Debian `apt-get install llvm-7`"),
        ("22.99", "LLVM 22.99 is not installed; installed: ", ""),
        ("newest", "`newest` is no path and no version of LLVM (`22` or `22.1.8`); installed: ", ""),
    ] {
        let ran = diff(llvm);
        assert_eq!(ran.code, 3, "{llvm}");
        assert!(ran.err.starts_with(&format!("error: {said}")) && ran.err.contains(&version), "{llvm}: {}", ran.err);
        assert_eq!(ran.err.contains("apt-get"), !advice.is_empty(), "{}", ran.err);
        assert!(ran.err.trim_end().ends_with(advice), "{llvm}: {}", ran.err);
        let by_variable = finish(command(&["diff", "-t", "gfx900", "d3a00005 040e0480"]).env("VOP3P_LLVM", llvm));
        assert_eq!((by_variable.code, by_variable.err), (3, ran.err));
    }
}

#[test]
fn diff_without_a_target_groups_those_with_the_same_answers() {
    let ran = vop3p(&["diff", "cc0f60e0 180207e0"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let llvm = version();
    assert_eq!(
        ran.out,
        format!(
            "\
window        cc0f60e0 180207e0
bytes         [0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]
v_pk_add_f16 v224, v224, v3
  targets     rdna1-4, cdna5
  note        unused-source (ignored)
  LLVM {llvm} rejects the encoding; known: unused-fields-refused
  stock       echo '[0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1010
undefined: not-vop3p (the prefix is not VOP3P's)
  targets     vega, vega7, cdna1-4
  LLVM {llvm} rejects the encoding; agreed
"
        )
    );
    let json = vop3p(&["diff", "-t", "gfx1100,gfx900,gfx1200:w64", "cc0f60e0 180207e0", "--json"]).json();
    let answers = json["results"][0]["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["targets"], serde_json::json!(["gfx1100", "gfx1200:w64"]));
    assert_eq!(answers[0]["llvm"][0]["findings"][0]["entry"]["id"], "unused-fields-refused");
    assert_eq!(answers[1]["ours"]["id"], "not-vop3p");
}

#[test]
fn diff_says_when_padding_was_read() {
    let ran = vop3p(&["diff", "-t", "gfx1030:w64", "cc0f4000 180202ff"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for line in [
        "padding       bf807777 follows the window and was read as its literal (--no-pad: the window alone)",
        "stock         echo '[0x00,0x40,0x0f,0xcc,0xff,0x02,0x02,0x18,0x77,0x77,0x80,0xbf,0x77,0x77,0x80,0xbf,0x77,0x77,\
         0x80,0xbf]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    let json = vop3p(&["diff", "-t", "gfx1030", "cc0f4000 180202ff", "--json"]).json();
    assert_eq!(json["results"][0]["read_padding"], true);
    let ran = vop3p(&["diff", "-t", "gfx1030", "cc0f4000 180202ff 00001234"]);
    assert!(!ran.out.contains("padding "), "{}", ran.out);
    let ran = vop3p(&["diff", "-t", "gfx1030", "cc0f4000 180202ff", "--no-pad"]);
    assert!(!ran.out.contains("padding ") && ran.out.contains("0x18]' | llvm-mc"), "{}", ran.out);
}

#[test]
fn findings_are_spelled_as_llvm_spells_operands() {
    let ran = vop3p(&["diff", "-t", "gfx1030", "cc204000 1c0e04ff 40490fdb"]);
    let line = "  finding     operand src0: ours 0x40490fdb, LLVM 0xfdb";
    assert!(ran.code == 0 && ran.out.lines().any(|found| found == line), "{}", ran.out);
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
    assert!(ran.out.contains("known     unused-fields-refused (llvm-wrong)"), "{}", ran.out);
    let json = vop3p(&["diff", "-t", "gfx1100", "cc0f60e0", "180207e0", "--json"]).json();
    let llvm = &json["results"][0]["llvm"][0];
    assert_eq!((json["schema"].as_u64(), llvm["outcome"].as_str()), (Some(1), Some("known")));
    assert_eq!(llvm["findings"][0]["entry"]["id"], "unused-fields-refused");
    assert_eq!(llvm["llvm_mc"]["answer"], "invalid");
}

#[test]
fn diff_reads_a_private_ledger_on_top_and_reports_what_is_new() {
    let dir = private_ledger(&version());
    let ledger = dir.path().to_str().unwrap();
    let ran = vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480", "d38f6000 18020501", "--ledger", ledger]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let said = format!(
        "  finding     ledger-silent gone: the entry expects a difference on {} and there is none: this LLVM has it fixed, \
         or our decoder has the same bug",
        version()
    );
    assert!(ran.out.lines().any(|line| line == said), "{}", ran.out);
    assert!(ran.out.contains("unused-fields-refused (llvm-wrong)"), "{}", ran.out);
    assert!(ran.out.contains("  outcome     new") && ran.out.contains("  outcome     known"), "{}", ran.out);
    assert_eq!(vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480"]).code, 0);
    let ran = vop3p(&["diff", "-t", "gfx900", "d3a00005 040e0480", "--ledger", "/nonexistent"]);
    assert!(ran.code == 2 && ran.err.contains("/nonexistent"), "{}", ran.err);
}

#[test]
fn diff_judges_matrix_words_and_pairs() {
    // The texts are LLVM 22's.
    for (cpu, window, text) in [
        (
            "gfx950",
            "d3ac1000 08028120 d3ad0c04 5c52190c",
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[4:7], a[12:15], a[12:17], v[20:23], v32, v64 op_sel:[0,1,0] \
             op_sel_hi:[1,0,0] cbsz:4 blgp:2",
        ),
        ("gfx1200", "cc504010 1c421100", "v_swmmac_f32_16x16x32_f16 v[16:23], v[0:3], v[8:15], v16"),
        ("gfx1200:w64", "cc504010 1c421100", "v_swmmac_f32_16x16x32_f16 v[16:19], v[0:1], v[8:11], v16"),
        ("gfx942", "d3d84000 18000101", "v_accvgpr_read_b32 v0, a1"),
    ] {
        let ran = vop3p(&["diff", "-t", cpu, window]);
        for line in [
            format!("ours          {text}"),
            format!("  llvm-mc     {text}"),
            format!("  objdump     {text}"),
            "  outcome     agreed".to_owned(),
        ] {
            assert!(ran.out.lines().any(|found| found == line), "{line}\n{}{}", ran.out, ran.err);
        }
        assert_eq!(ran.code, 0, "{cpu} {window}");
    }
    let ran = vop3p(&["diff", "-t", "gfx1250", "cc350000 04028120"]);
    for line in [
        "ours          undefined: scale-word-alone (opcode 53 is a scale word, and no matrix word that takes it follows)",
        "  llvm-mc     v_wmma_ld_scale_paired_b32 v32, v64",
        "    known     lone-scale-word (ambiguous): a CDNA5 scale word without its matrix word",
        "  outcome     known",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}{}", ran.out, ran.err);
    }
    let json = vop3p(&["diff", "-t", "gfx950", "d3ac1000 08028120 d3ad0c04 5c52190c", "--json"]).json();
    let ours = &json["results"][0]["ours"];
    let opcodes = (ours["scale_opcode"].as_u64(), ours["opcode"].as_u64(), ours["amd"].as_str());
    assert_eq!(opcodes, (Some(44), Some(45), Some("V_MFMA_SCALE_F32_16X16X128_F8F6F4")));
}

#[test]
fn diff_points_at_permissive_entries() {
    let ran = vop3p(&["diff", "-t", "gfx942", "d3cd8200 1e120902"]);
    let line = "  see         fields-shown (llvm-permissive): LLVM's disassembler shows fields whose values AMD reserves or forbids";
    assert!(ran.out.lines().any(|found| found == line), "{}", ran.out);
    assert!(ran.out.contains("  outcome     noted: no finding, and our decoder notes a rule"), "{}", ran.out);
    let ran = vop3p(&["diff", "-t", "gfx900", "d38e4000 1c0c0401"]);
    assert!(ran.out.contains("  see         operands-shown (llvm-permissive)"), "{}", ran.out);
}
