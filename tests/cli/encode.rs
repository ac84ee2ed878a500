//! `vop3p encode`, and `vop3p replay` of texts.

use std::io::Read;
use std::process::Stdio;

use crate::{command, vop3p, with_input};

#[test]
fn encode_writes_what_llvm_mc_writes() {
    let ran = vop3p(&["encode", "-t", "gfx900", "v_pk_fma_f16 v0, v1, v2, v3"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let line = "\tv_pk_fma_f16 v0, v1, v2, v3             ; encoding: [0x00,0x40,0x8e,0xd3,0x01,0x05,0x0e,0x1c]\n";
    assert_eq!(ran.out, line);
    // As the shell splits it.
    assert_eq!(vop3p(&["encode", "-t", "gfx900", "V_PK_FMA_F16", "v0,", "v1,", "v2,", "v3"]).out, line);
    let long = "v_fma_mix_f32 v0, -|v1|, -v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,1] clamp";
    let ran = vop3p(&["encode", "-t", "gfx1100", long]);
    assert_eq!(ran.out, format!("\t{long} ; encoding: [0x00,0xc9,0x20,0xcc,0x01,0x05,0x0e,0x7c]\n"));
    let bytes = vop3p(&["encode", "-t", "gfx1030", "--format", "bytes", "v_pk_add_f16 v0, 0x1234, v2"]);
    assert_eq!(bytes.out, "[0x00,0x40,0x0f,0xcc,0xff,0x04,0x02,0x18,0x34,0x12,0x00,0x00]\n");
}

#[test]
fn encode_writes_dwords_that_decode_and_amd_s_choice_of_bits() {
    let text = "v_pk_add_f16 v224, v224, v3";
    for (like, dwords) in [("llvm", "cc0f40e0 180207e0\n"), ("sp3", "cc0f00e0 180207e0\n")] {
        let ran = vop3p(&["encode", "-t", "gfx1100", "--like", like, "--format", "dwords", text]);
        assert_eq!((ran.code, ran.out.as_str()), (0, dwords));
        assert_eq!(vop3p(&["decode", "-t", "gfx1100", dwords.trim()]).first(), text);
    }
    assert_eq!(vop3p(&["encode", "-t", "gfx1100", "--like", "gcc", text]).code, 2);
}

#[test]
fn encode_gathers_errors_with_their_places() {
    let lines = "# preprocessed\n; comment\n\n/* a\n b */ v_pk_add_f16 v0, v1\n// c\n\tv_pk_fam_f16 v0, v1, v2, v3\n\
                 v_pk_add_f16 v0, v1, v2 /* d\n e */\r\nv_pk_fma_f16 v0, s1, s2, v3\r\n/* é */ v_pk_add_f16 v0, é\n";
    let ran = with_input(&["encode", "-t", "gfx900", "--format", "dwords"], lines);
    assert_eq!((ran.code, ran.out.as_str()), (2, "d38f4000 18020501\n"));
    let expected = "\
<stdin>:5:26: error: source 1 is missing: v_pk_add_f16 has 3 operands
 b */ v_pk_add_f16 v0, v1
                         ^
<stdin>:7:2: error: `v_pk_fam_f16` is no VOP3P instruction; did you mean `v_pk_fma_f16`?
\tv_pk_fam_f16 v0, v1, v2, v3
\t^~~~~~~~~~~~
<stdin>:10:22: error: more different scalar values than one instruction may read (one before gfx10, two from gfx10 on) \
                    (scalar-limit)
v_pk_fma_f16 v0, s1, s2, v3
                     ^~
<stdin>:11:26: error: `é` is no register, scalar or number, where source 0 of v_pk_add_f16 is expected
/* é */ v_pk_add_f16 v0, é
                         ^
error: 4 of 5 lines do not assemble
";
    assert_eq!(ran.err, expected);
    let one = vop3p(&["encode", "-t", "gfx900", "v_pk_add_f16 v0, v1, \u{1b}[0m"]);
    assert_eq!(one.code, 2);
    assert!(!one.err.contains('\u{1b}') && one.err.starts_with("argument:1:22: error: "), "{}", one.err);
    assert!(!one.err.contains("do not assemble"), "{}", one.err);
}

#[test]
fn encode_takes_a_block_comment_for_white_space() {
    let lines = "v_pk_add_f16 v0, /* a\r\n b */ v1, v2\nv_pk_add_f16 v0, /* c\n\n é */ v1, zz\nv_pk_add_f16 v0, v1, v2 /* x\n \
                 y */ v_pk_add_f16 v3, v1, v2\nv_pk_add_f16 v3, v1, v2\n";
    let ran = with_input(&["encode", "-t", "gfx900", "--format", "dwords"], lines);
    assert_eq!((ran.code, ran.out.as_str()), (2, "d38f4000 18020501\nd38f4003 18020501\n"));
    let expected = "\
<stdin>:5:11: error: `zz` is no register, scalar or number, where source 1 of v_pk_add_f16 is expected
 é */ v1, zz
          ^~
<stdin>:7:7: error: `v_pk_add_f16` is one operand too many: v_pk_add_f16 has 2 sources
 y */ v_pk_add_f16 v3, v1, v2
      ^~~~~~~~~~~~
error: 2 of 4 lines do not assemble
";
    assert_eq!(ran.err, expected);
    let json = with_input(&["encode", "-t", "gfx900", "--json"], lines);
    let objects: Vec<serde_json::Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&objects[0]["line"], &objects[0]["window"]), (&1.into(), &"d38f4000 18020501".into()));
    assert_eq!(objects[0]["source"], "v_pk_add_f16 v0, /* a\r\n b */ v1, v2");
    assert_eq!((&objects[1]["line"], &objects[1]["error"]["column"]), (&5.into(), &11.into()));
    assert_eq!(objects[1]["source"], " é */ v1, zz");
}

#[test]
fn encode_refuses_a_comment_without_an_end() {
    let ran = with_input(&["encode", "-t", "gfx900"], "v_pk_add_f16 v0, v1, v2\n\n  /* x\nv_pk_add_f16 v3, v1, v2\n");
    assert_eq!((ran.code, ran.out.lines().count()), (2, 1));
    let expected = "\
<stdin>:3:3: error: this comment has no end: `*/` is missing
  /* x
  ^~
error: 1 of 2 lines do not assemble
";
    assert_eq!(ran.err, expected);
    let within = "/* a\n */ v_pk_add_f16 v0, v1, v2 /* b\n c */ /* é\nv_pk_add_f16 v3, v1, v2\n";
    let ran = with_input(&["encode", "-t", "gfx900"], within);
    let expected = "<stdin>:3:7: error: this comment has no end: `*/` is missing\n c */ /* é\n      ^~\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", expected));
}

#[test]
fn encode_reads_files_and_names_them() {
    let dir = tempfile::tempdir().unwrap();
    let (good, bad) = (dir.path().join("good.s"), dir.path().join("bad.s"));
    std::fs::write(&good, "\u{feff}v_pk_add_f16 v0, v1, v2\n").unwrap();
    std::fs::write(&bad, b"v_pk_add_f16 v0, v1, v2 // \xff\nv_pk_add_f16 v0, v1, v999").unwrap();
    let (good, bad) = (good.to_str().unwrap(), bad.to_str().unwrap());
    let ran = vop3p(&["encode", "-t", "gfx900", "--format", "dwords", "-f", good, "-f", bad]);
    assert_eq!((ran.code, ran.out.lines().count()), (2, 2));
    assert!(ran.err.starts_with(&format!("{bad}:2:22: error: `v999` does not exist on gfx900")), "{}", ran.err);
    assert!(ran.err.ends_with("error: 1 of 3 lines do not assemble\n"), "{}", ran.err);
    let ran = vop3p(&["encode", "-t", "gfx900", "-f", "no/such/file"]);
    assert!(ran.code == 2 && ran.err.starts_with("error: no/such/file: "), "{}", ran.err);
    let ran = with_input(&["encode", "-t", "gfx900", "-f", "-"], "// nothing\n");
    assert!(ran.code == 2 && ran.err.contains("no instruction to assemble"), "{}", ran.err);
    assert_eq!(with_input(&["encode", "-t", "gfx9000"], "v_pk_add_f16 v0, v1, v2").code, 2);
}

#[test]
fn encode_warns_of_what_is_reserved() {
    let text = "v_pk_add_u16 v0, v1, v2 neg_lo:[1,0]";
    let ran = vop3p(&["encode", "-t", "gfx1030", text]);
    assert_eq!(ran.code, 0);
    let expected = format!(
        "argument:1:25: warning: NEG or NEG_HI on an integer operand (neg-on-integer, reserved)\n{text}\n{:>25}{:~<11}\n",
        "^", ""
    );
    assert_eq!(ran.err, expected);
    // What has no effect is worth no word.
    assert_eq!(vop3p(&["encode", "-t", "gfx900", "v_pk_mul_lo_u16 v0, v1, v2 clamp"]).err, "");
}

#[test]
fn encode_writes_json_lines() {
    let lines = "v_pk_add_u16 v0, v1, v2 neg_lo:[1,0]\n\nv_pk_fma_f16 v0, s1, s2, s3\nv_pk_fam_f16 v0\n";
    let ran = with_input(&["encode", "-t", "gfx1030", "--json"], lines);
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: 2 of 3 lines do not assemble\n"));
    let objects: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    assert!(objects.iter().all(|object| object["schema"] == 1 && object["target"] == "gfx1030"));
    assert_eq!(objects[0]["window"], "cc0a4000 38020501");
    assert_eq!(objects[0]["bytes"], "[0x00,0x40,0x0a,0xcc,0x01,0x05,0x02,0x38]");
    assert_eq!(objects[0]["notes"][0]["rule"], "neg-on-integer");
    assert_eq!((&objects[1]["line"], &objects[1]["error"]["column"]), (&3.into(), &26.into()));
    assert_eq!(objects[1]["error"]["rule"]["rule"], "scalar-limit");
    assert_eq!(objects[2]["error"]["suggestion"], "v_pk_fma_f16");
}

#[test]
fn encode_keeps_the_order_of_many_lines_and_survives_a_reader_who_leaves() {
    let lines: String = (0..30_000).map(|n| format!("v_pk_fma_f16 v{}, v1, v2, v{}\n", n % 256, n / 256)).collect();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("many.s");
    std::fs::write(&file, &lines).unwrap();
    let args = ["encode", "-t", "gfx1100", "-f", file.to_str().unwrap()];
    let ran = vop3p(&args);
    let texts: String = ran.out.lines().map(|line| line.split(';').next().unwrap().trim().to_owned() + "\n").collect();
    assert!(ran.code == 0 && texts == lines);
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn replay_takes_texts_too() {
    let lines = "gfx1030 asm: v_pk_add_f16 v0, v1, v2 => word: cc0f4000 18020501; sp3: cc0f0000 18020501; rule: none; agree\n\
                 gfx900 d3a00005 040e0480 => agree\n\
                 gfx1030 asm: v_dot4_i32_i8 v0, v1, v2, v3 op_sel:[1,0,0] => known: dot-op-sel\n\
                 gfx900 asm: v_pk_fma_f16 v0, s1, s2, v3 => refused: scalar-limit; agree\n";
    let ran = with_input(&["replay", "-"], lines);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.first().contains(": 4 cases (3 of assembling), 4 passed, 0 failed"), "{}", ran.out);
    assert!(ran.out.contains("  known: dot-op-sel 1\n"), "{}", ran.out);
    let wrong = "gfx1030 asm: v_dot4_i32_i8 v0, v1, v2, v3 op_sel:[1,0,0] => word: cc164000 1c0e0501; agree";
    let ran = vop3p(&["replay", wrong]);
    assert_eq!((ran.code, ran.first()), (1, format!("argument:1: failed: {wrong}").as_str()));
    assert!(ran.out.contains("our assembler writes cc164800 1c0e0501"), "{}", ran.out);
    assert!(ran.out.contains("known disagreements are there: dot-op-sel"), "{}", ran.out);
    let commented = "gfx900 asm: v_pk_add_f16 v0, v1, v2 /* x */ => word: d38f4000 18020501; agree";
    let ran = with_input(&["replay", "-"], &format!("gfx900 d3a00005 040e0480 => agree\n{commented}\n"));
    assert!(ran.code == 0 && ran.first().contains(", 1 passed, 0 failed, 1 not judged"), "{}", ran.out);
    assert!(ran.out.contains("  not judged: LLVM was not asked: it contains a comment: 1\n"), "{}", ran.out);
    let wrong = commented.replace("18020501", "18020502");
    assert_eq!(vop3p(&["replay", &wrong]).code, 1, "our side is looked at all the same");
    let ran = vop3p(&["replay", "--no-llvm", "gfx900 asm: v_pk_fma_f16 v0, s1, s2, v3 => refused"]);
    assert!(ran.code == 0 && ran.first().starts_with("ours alone: 1 case of assembling, 1 passed"), "{}", ran.out);
    let json = with_input(&["replay", "-", "--json"], lines).json();
    let replay = &json["replays"][0];
    assert_eq!((&replay["summary"]["cases"], &replay["summary"]["texts"]), (&4.into(), &3.into()));
    let text = &replay["texts"][1];
    assert_eq!((&text["line"], &text["verdict"]), (&3.into(), &"passed".into()));
    assert_eq!(text["judged"]["ours"]["window"], "cc164800 1c0e0501");
    assert_eq!(text["judged"]["llvm_mc"]["answer"], "refused");
    assert_eq!(text["judged"]["findings"][0]["entry"]["id"], "dot-op-sel");
}
