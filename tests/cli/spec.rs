//! `vop3p spec`: AMD's XML against our tables.

use super::*;

const RDNA3: &str = "corpus/spec/small-1.1.xml";
const OF_RDNA3: &str =
    "V_PK_FMA_F16,V_PK_LSHLREV_B16,V_DOT2_F32_BF16,V_FMA_MIXLO_F16,V_DOT4_I32_IU8,v_wmma_i32_16x16x16_iu8";

/// A file with these contents.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("isa.xml");
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (dir, path)
}

fn small() -> String {
    std::fs::read_to_string(RDNA3).unwrap()
}

#[test]
fn a_file_that_agrees_is_one_line() {
    let ran = vop3p(&["spec", "check", RDNA3, "--only", OF_RDNA3]);
    let line =
        format!("{RDNA3}: AMD RDNA 3 (rdna3), schema 1.1.1 of 2000-01-01, 6 instructions of VOP3P: no difference\n");
    assert_eq!((ran.code, ran.out, ran.err), (0, line, String::new()));
}

#[test]
fn a_difference_is_a_line_with_its_place_and_exit_code_1() {
    let text = small().replacen("OPR_SRC<", "OPR_SRC_NOLDS<", 1).replacen(">14</Opcode>", ">15</Opcode>", 1);
    let (_dir, path) = file(&text);
    let ran = vop3p(&["spec", "check", &path, "--only", OF_RDNA3]);
    let place = |marker: &str| {
        let line = text.lines().position(|line| line.contains(marker)).unwrap();
        (line + 1, text.lines().nth(line).unwrap().find('<').unwrap() + 1)
    };
    let (opcode, kind) = (place(">15</Opcode>"), place("OPR_SRC_NOLDS<"));
    // The kind is the third element of its operand.
    let operand = (kind.0 - 3, kind.1 - 2);
    let wanted = format!(
        "{path}: AMD RDNA 3 (rdna3), schema 1.1.1 of 2000-01-01, 6 instructions of VOP3P: 2 differences\n\
         opcodes\n  {path}:{}:{}: V_PK_FMA_F16: opcode 15 in the file, 14 in our table [ENC_VOP3P]\n\
         operands\n  {path}:{}:{}: V_PK_FMA_F16 (opcode 14), SRC0: kind OPR_SRC_NOLDS in the file, OPR_SRC in our \
         table [ENC_VOP3P]\n",
        opcode.0, opcode.1, operand.0, operand.1
    );
    assert_eq!((ran.code, ran.out), (1, wanted));
}

#[test]
fn known_differences_stand_apart_with_their_reason() {
    let names = "V_PK_FMA_F32,V_FMA_MIX_F32_BF16,V_WMMA_F32_16X16X4_F32,V_SWMMAC_F32_16X16X64_F16,\
                 V_WMMA_SCALE16_F32_32X16X128_F4";
    let args = ["spec", "check", "corpus/spec/small-1.2.xml", "--only", names];
    let ran = vop3p(&args);
    assert_eq!(ran.code, 0);
    assert!(ran.first().ends_with("5 instructions of VOP3P: no new difference, 3 known"), "{}", ran.out);
    let reasons: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("known: ")).collect();
    assert_eq!(
        reasons,
        [
            "known: the XML calls the destination an output; by the manual it is the accumulator, which is read, too",
            "known: the manual allows less: on CDNA4 a VGPR or an inline constant, on CDNA5 a VGPR, an SGPR or 0 \
             (vop3p ledger show scale-operand)",
        ]
    );
    let json = vop3p(&[&args[..], &["--json"]].concat()).json();
    let file = &json["files"][0];
    assert_eq!((file["generation"].as_str(), file["spec_schema"].as_str()), (Some("cdna5"), Some("1.2.0")));
    assert_eq!((file["new"].as_u64(), file["known"].as_u64()), (Some(0), Some(3)));
    let scale = &file["differences"][1];
    assert_eq!(scale["aspect"], "operand-kind");
    assert_eq!(
        (scale["of"].as_str(), scale["part"].as_str()),
        (Some("V_WMMA_SCALE16_F32_32X16X128_F4"), Some("SCALE_SRC0"))
    );
    assert_eq!((scale["file"].as_str(), scale["opcode"].as_u64()), (Some("OPR_SRC_SIMPLE"), Some(136)));
    assert_eq!(scale["known"]["entry"], "scale-operand");
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_place() {
    let fails = |text: &str| {
        let (_dir, path) = file(text);
        let ran = vop3p(&["spec", "check", &path]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{text}");
        ran.err.replace(&path, "FILE")
    };
    let no_isa = "no machine-readable ISA of AMD's";
    assert_eq!(fails(""), "error: FILE:1:1: there is no element: this is no XML\n");
    assert_eq!(fails("hello"), "error: FILE:1:1: text outside of the root element: this is no XML\n");
    assert_eq!(fails("<a>\n<b>"), format!("error: FILE:1:1: the root element is <a> and not <Spec>: {no_isa}\n"));
    assert_eq!(fails("<Spec>\n<ISA>"), "error: FILE:2:6: the file ends inside <ISA>, which begins at 2:1\n");
    assert_eq!(
        fails("<Spec>\n</ISA>"),
        "error: FILE:2:1: </ISA> where </Spec> is wanted, of the element that begins at 1:1\n"
    );
    assert_eq!(fails("<Spec>&amd;</Spec>"), "error: FILE:1:7: `&amd;` is no character that XML defines\n");
    assert_eq!(fails(&"<Spec>".repeat(300)), "error: FILE:1:1201: elements are nested deeper than 200\n");
    let other = small().replace("<SchemaVersion>1.1.1", "<SchemaVersion>2.0.0");
    assert_eq!(fails(&other), "error: FILE:8:5: schema version 2.0.0: this reads 1.1 and 1.2\n");
    let other = small().replace("AMD RDNA 3<", "AMD GCN 5<");
    assert_eq!(
        fails(&other),
        "error: FILE:12:7: `AMD GCN 5` is no architecture that this knows; --as names one: vega, vega7, cdna1, cdna2, \
         cdna3, cdna4, rdna1, rdna2, rdna3, rdna3.5, rdna4, cdna5\n"
    );
    let missing = vop3p(&["spec", "check", "no-such-file.xml"]);
    assert_eq!((missing.code, missing.err.starts_with("error: no-such-file.xml: ")), (2, true), "{}", missing.err);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let (_dir, path) = file("<Spec>");
    let ran = vop3p(&["spec", "check", &path, RDNA3, "--only", OF_RDNA3]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.starts_with(RDNA3) && ran.err.contains("the file ends inside <Spec>"), "{} {}", ran.out, ran.err);
}

#[test]
fn a_generation_can_be_named() {
    let other = small().replace("AMD RDNA 3<", "something else<");
    let (_dir, path) = file(&other);
    let ran = vop3p(&["spec", "check", &path, "--as", "rdna3", "--only", OF_RDNA3]);
    assert_eq!((ran.code, ran.first().contains("something else (rdna3)")), (0, true), "{}", ran.out);
    let wrong = vop3p(&["spec", "check", RDNA3, "--as", "rdna9"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("`rdna9` is none of vega, vega7"), "{}", wrong.err);
    let wrong = vop3p(&["spec", "check", RDNA3, "--only", "V_PK_FMA_F17"]);
    assert_eq!(wrong.err, "error: --only: `V_PK_FMA_F17` is no VOP3P instruction of rdna3\n");
}

#[test]
fn the_example_of_the_readme_is_true() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let command = "spec check corpus/spec/small-1.1.xml --as rdna4 --only V_WMMA_I32_16X16X16_IU8";
    let ran = vop3p(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, 1);
    assert!(readme.contains(&format!("`vop3p {command}`:\n\n```text\n{}```", ran.out)), "{}", ran.out);
}
