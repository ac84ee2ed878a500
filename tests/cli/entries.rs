//! `vop3p ledger`.

use crate::{private_ledger, version, vop3p};

#[test]
fn ledger_lists_and_shows_entries() {
    let ran = vop3p(&["ledger"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // A line for an entry, whatever the number of its signs: on which versions some sign fires, and the kinds of all.
    for line in [
        "id                              verdict          fires           kinds",
        "dot-op-sel                      ambiguous        22              acceptance, modifier, assembling",
        "  OP_SEL and OP_SEL_HI of V_DOT4 and V_DOT8",
        "unused-fields-refused           llvm-wrong       14 15 16 19 22  acceptance",
        "mad-mix-formula                 prose-wrong      -               document",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    assert_eq!(vop3p(&["ledger", "list"]).out, ran.out);
    let longest = ran.out.lines().filter(|line| !line.starts_with(' ')).map(str::len).max();
    assert!(longest <= Some(110), "{longest:?}");
    assert_eq!(
        vop3p(&["ledger", "unused-fields-refused"]).out,
        vop3p(&["ledger", "show", "unused-fields-refused"]).out
    );
    for near in ["unused-fields", "unused-fields-refused/nothing"] {
        let ran = vop3p(&["ledger", near]);
        let said = format!("no ledger entry `{near}`; there is unused-fields-refused");
        assert!(ran.code == 2 && ran.err.contains(&said), "{}", ran.err);
    }
    // One of its signs alone.
    let ran = vop3p(&["ledger", "show", "unused-fields-refused/source2"]);
    let signs: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("sign ")).collect();
    assert_eq!(signs, ["sign          unused-fields-refused/source2"], "{}", ran.out);
    let ran = vop3p(&["ledger", "show", "unused-fields-refused"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("sign ")).count(), 4, "{}", ran.out);
    assert!(ran.out.contains("when          opcodes @two-source; op_sel[2] = 1"), "{}", ran.out);
    assert!(ran.out.contains("llvm/llvm-project#57498"), "{}", ran.out);
    for line in [
        "words         @two-source           opcodes with two sources: v_pk_add_f16, v_pk_mul_lo_u16, ...",
        "  stock       echo '[0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1100",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    // Every class that the ledger uses is explained.
    for row in vop3p(&["ledger", "--json"]).json()["entries"].as_array().unwrap() {
        let out = vop3p(&["ledger", "show", row["id"].as_str().unwrap()]).out;
        let whens = out.lines().filter(|line| line.starts_with("when"));
        for class in whens.flat_map(|line| line.split([' ', ',', ';'])).filter(|word| word.starts_with('@')) {
            assert!(
                out.lines().any(|line| line.get(14..).is_some_and(|l| l.starts_with(&format!("{class} ")))),
                "{out}"
            );
        }
    }
    let ran = vop3p(&["ledger", "show", "literal-crash/pair"]);
    for line in [
        "when          targets cdna4; opcodes @scale; any source = literal; first word of a pair",
        "words         @f8f6f4               MFMA and WMMA whose formats are fields: v_mfma_f32_16x16x128_f8f6f4, ...",
        "              a pair                a scale word and the matrix word behind it, which are one instruction",
        "              body_op               OP of the second word of a pair, as seen from the first",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    let ran = vop3p(&["ledger", "show", "operands-shown/mfma-overlap"]);
    assert!(ran.out.contains("when          opcodes @mfma; source 2 overlaps the destination\n"), "{}", ran.out);
    let json = vop3p(&["ledger", "show", "mad-mix-is-fma-mix", "--json"]).json();
    let sign = &json["signs"][0];
    assert_eq!((json["schema"].as_u64(), json["verdict"].as_str()), (Some(2), Some("both-allowed")));
    assert_eq!((&json["kinds"], &sign["kind"]), (&serde_json::json!(["document"]), &serde_json::json!("document")));
    assert_eq!(sign["name"], "mad-mix-is-fma-mix");
    assert!(sign["witnesses"][0]["stock"].as_str().unwrap().contains("| llvm-mc -disassemble"), "{json}");
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
    let gone = json["checks"][0]["signs"].as_array().unwrap().last().unwrap();
    assert_eq!((&gone["name"], &gone["witnesses"][0]["shown"]), (&"gone".into(), &false.into()));
    // Of a version that a sign does not list it is only said what the witnesses do.
    let dir = private_ledger("1.2.3");
    let ran = vop3p(&["ledger", "check", "--ledger", dir.path().to_str().unwrap()]);
    let row: Vec<&str> = ran.out.lines().find(|line| line.starts_with("gone")).unwrap().split_whitespace().collect();
    assert_eq!((ran.code, &row[..]), (0, &["gone", "untested", "0", "of", "1", "gone"][..]), "{}", ran.out);
}
