//! `vop3p compat`: which instruction is on which target.

use super::*;

#[test]
fn one_command_says_which_targets_have_an_instruction() {
    let version = version();
    let wanted = format!(
        "V_DOT2_F32_BF16\n  AMD's tables  cdna4, rdna3-4\n  LLVM {version}   same\n  targets       gfx950 gfx1100 \
         gfx1101 gfx1102 gfx1103 gfx11-generic gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 gfx12-generic\n  \
         opcode        26\n  source        VOP3P opcode table of the generation's manual; AMD's XML from CDNA1 and \
         RDNA1 on\n\n"
    );
    let ran = vop3p(&["compat", "v_dot2_f32_bf16"]);
    assert_eq!((ran.code, ran.out, ran.err), (0, wanted, String::new()));
}

#[test]
fn the_example_of_the_readme_is_true() {
    let readme = std::fs::read_to_string("README.md").unwrap().replace("22.1.8", &version());
    let ran = vop3p(&["compat", "v_wmma_f16_16x16x16_f16"]);
    assert_eq!(ran.code, 0);
    let example = format!("`vop3p compat v_wmma_f16_16x16x16_f16`:\n\n```text\n{}\n```", ran.out.trim_end());
    assert!(readme.contains(&example), "{}", ran.out);
}

#[test]
fn amds_side_needs_no_llvm() {
    let ran = finish(command(&["compat", "v_mad_mix_f32", "--llvm", "none"]).env("PATH", "/nowhere"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let tables: Vec<&str> = ran.out.lines().filter(|line| line.contains("AMD's tables")).collect();
    assert_eq!(tables, ["  AMD's tables  gfx904, vega7, cdna1-4", "  AMD's tables  gfx900, gfx902, gfx909, gfx90c"]);
    assert!(ran.out.contains("  see           mad-mix-is-fma-mix (both-allowed): "), "{}", ran.out);
    let all = vop3p(&["compat", "--llvm", "none"]);
    let lines: Vec<&str> = all.out.lines().collect();
    let head: Vec<&str> = lines[0].split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect();
    assert_eq!(head, ["opcode", "AMD", "LLVM", "AMD's tables", "source"]);
    assert!(!all.out.contains("differences"));
    let scale = lines.iter().find(|line| line.contains("V_MFMA_LD_SCALE_B32")).unwrap();
    assert!(scale.ends_with("cdna4                                             [3]"), "{scale}");
    assert_eq!(lines[lines.len() - 2], "[3] LLVM 22 and AMD's emulator; in no table of AMD's");
}

#[test]
fn a_target_has_what_its_table_and_llvm_have() {
    let ran = vop3p(&["compat", "-t", "gfx1250"]);
    assert_eq!(ran.code, 0);
    let row = |name: &str| {
        let line = ran.out.lines().find(|line| line.split_whitespace().any(|word| word == name));
        line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(row("V_PK_FMA_BF16"), Some("17 V_PK_FMA_BF16 v_pk_fma_bf16 yes yes [1]".into()));
    assert_eq!(
        row("V_SWMMAC_I32_16X16X64_IU4"),
        Some("86 V_SWMMAC_I32_16X16X64_IU4 v_swmmac_i32_16x16x64_iu4 no yes".into())
    );
    let scaled = "V_WMMA_SCALE_F32_32X16X128_F4";
    assert_eq!(row(scaled), Some(format!("53+136 {scaled} {} yes yes [1]", scaled.to_lowercase())));
    assert_eq!(row("V_DOT4_U32_U8"), Some("23 V_DOT4_U32_U8 v_dot4_u32_u8 yes yes [1]".into()));
    assert_eq!(row("V_DOT2_F32_BF16"), None);
    assert!(ran.out.contains("\ndifferences: 0 new, 24 known\n"), "{}", ran.out);
    let has = "known: rdna4-matrix-on-gfx1250 (llvm-wrong): 22 RDNA4 matrix opcodes that CDNA5 does not have\n  \
               on gfx1250 in LLVM 22.1.8 and not in AMD's tables: V_WMMA_F32_16X16X16_F16, ";
    assert!(ran.out.replace(&version(), "22.1.8").contains(has), "{}", ran.out);
}

#[test]
fn several_llvms_are_a_column_each() {
    let versions = ["19", "22"].map(|version| Llvm::find(&Choice::Version(version.parse().unwrap())));
    let [Ok(_), Ok(_)] = versions else { panic!("this test needs LLVM 19 and 22: make llvm-all") };
    let ran = vop3p(&["compat", "v_pk_minimum3_f16", "v_dot2_f32_bf16", "--llvm", "19,22", "--markdown"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "| opcode | AMD | LLVM | AMD's tables | LLVM 19 | LLVM 22 | source |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            "| 26 | V_DOT2_F32_BF16 | v_dot2_f32_bf16 | cdna4, rdna3-4 | same | same | [1] |",
            "| 27, 54 | V_PK_MINIMUM3_F16 | v_pk_minimum3_f16 | cdna4, cdna5 | no target known | same | [1] |",
        ]
    );
    let source = "- [1] VOP3P opcode table of the generation's manual; AMD's XML from CDNA1 and RDNA1 on";
    assert_eq!(lines[5], source);
    assert_eq!(lines[6], "- LLVM 19 does not know gfx9-4-generic, cdna4, gfx1153, cdna5");
    assert_eq!((ran.code, lines[8]), (0, "## differences: 0 new, 0 known"));
}

#[test]
fn json_has_the_targets_one_by_one() {
    let json = vop3p(&["compat", "-t", "gfx908", "v_accvgpr_wrfed", "--json"]).json();
    assert_eq!(json["llvms"][0]["version"], version().as_str());
    let row = &json["instructions"][0];
    assert_eq!((row["amd"].as_str(), row["llvm"].as_str()), (Some("V_ACCVGPR_WRFED"), Some("")));
    assert_eq!(row["opcodes"][0]["opcode"], "92");
    assert_eq!(
        row["sources"],
        serde_json::json!([{ "source": "CDNA1 manual, opcode table only", "targets": ["gfx908"] }])
    );
    assert_eq!(row["amd_targets"], serde_json::json!(["gfx908"]));
    assert_eq!(row["measured"], serde_json::json!([{ "decodes": [], "assembles": [] }]));
    let difference = &json["differences"][0];
    assert_eq!((difference["what"].as_str(), difference["new"].as_bool()), (Some("less"), Some(false)));
    assert_eq!(difference["targets"], serde_json::json!(["gfx908"]));
    let entries = difference["entries"].as_array().unwrap();
    assert!(entries.iter().any(|entry| entry["id"] == "accvgpr-wrfed"), "{entries:?}");
}

#[test]
fn a_name_that_there_is_not_is_bad_input() {
    let ran = vop3p(&["compat", "v_dot2_f32_bf61", "--llvm", "none"]);
    let said = "error: `v_dot2_f32_bf61` is no VOP3P instruction of AMD's or LLVM's; did you mean v_dot2_f32_bf16?\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", said));
}

#[test]
fn a_difference_that_the_ledger_lacks_is_exit_code_1() {
    let dir = tempfile::tempdir().unwrap();
    for tool in ["llvm-mc", "llvm-objdump"] {
        use std::os::unix::fs::PermissionsExt;
        let path = dir.path().join(tool);
        let script = "#!/bin/sh\n[ \"$1\" != --version ] || exec TOOL-22 \"$@\"\n\
                      LC_ALL=C sed 's/v_pk_fma_f16/v_pk_nothing/' | TOOL-22 \"$@\"\n";
        std::fs::write(&path, script.replace("TOOL", tool)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = dir.path().display().to_string();
    let ran = vop3p(&["compat", "-t", "gfx1100", "v_pk_fma_f16", "--llvm", &path]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let version = version();
    let wanted = format!(
        "V_PK_FMA_F16\n  AMD's tables  yes\n  LLVM {version}   only decodes\n  opcode        14\n  source        VOP3P \
         opcode table of the generation's manual; AMD's XML from CDNA1 and RDNA1 on\n  difference    on gfx1100 decoded \
         and not assembled by LLVM {version}\n                new: no entry of the ledger explains it\n\n"
    );
    assert_eq!(ran.out, wanted);
}
