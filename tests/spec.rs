//! AMD's machine-readable ISA against our tables: small files of our own in AMD's schema agree, each of the differences
//! planted in them is found and no other, and whatever else a file holds is an error and no panic.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use vop3p::isa::Generation;
use vop3p::spec::{Difference, check, generation_of, read};

const RDNA3: &str = include_str!("../corpus/spec/small-1.1.xml");
const CDNA3: &str = include_str!("../corpus/spec/small-mfma-1.1.xml");
const CDNA5: &str = include_str!("../corpus/spec/small-1.2.xml");

/// The instructions of each file.
const OF_RDNA3: &[&str] = &[
    "V_PK_FMA_F16",
    "V_PK_LSHLREV_B16",
    "V_DOT2_F32_BF16",
    "V_FMA_MIXLO_F16",
    "V_DOT4_I32_IU8",
    "V_WMMA_I32_16X16X16_IU8",
];
const OF_CDNA3: &[&str] =
    &["V_MAD_MIX_F32", "V_ACCVGPR_READ", "V_MFMA_F32_32X32X1_2B_F32", "V_SMFMAC_F32_16X16X32_F16"];
const OF_CDNA5: &[&str] = &[
    "V_PK_FMA_F32",
    "V_FMA_MIX_F32_BF16",
    "V_WMMA_F32_16X16X4_F32",
    "V_SWMMAC_F32_16X16X64_F16",
    "V_WMMA_SCALE16_F32_32X16X128_F4",
];

fn differences(text: &str, only: &[&str]) -> Vec<Difference> {
    let document = read(text.as_bytes()).unwrap();
    check(&document, generation_of(&document.architecture.value).unwrap(), only)
}

/// The differences that are not known.
fn new(text: &str, only: &[&str]) -> Vec<Difference> {
    differences(text, only).into_iter().filter(|difference| difference.known.is_none()).collect()
}

#[test]
fn what_agrees_has_no_difference() {
    assert_eq!(differences(RDNA3, OF_RDNA3), []);
    assert_eq!(differences(CDNA3, OF_CDNA3), []);
    // AMD's file has these as well, and the reasons are known.
    let known: Vec<String> = differences(CDNA5, OF_CDNA5)
        .iter()
        .map(|one| format!("{one}: {}", one.known.expect("every difference is known").entry.unwrap_or("-")))
        .collect();
    assert_eq!(
        known,
        [
            "V_SWMMAC_F32_16X16X64_F16 (opcode 101), VDST: written in the file, read and written in our table \
             [ENC_VOP3P]: -",
            "V_WMMA_SCALE16_F32_32X16X128_F4 (opcode 136), SCALE_SRC0: kind OPR_SRC_SIMPLE in the file, a VGPR, an \
             SGPR or 0 in our table [ENC_VOP3PX3]: scale-operand",
            "V_WMMA_SCALE16_F32_32X16X128_F4 (opcode 136), SCALE_SRC1: kind OPR_SRC_SIMPLE in the file, a VGPR, an \
             SGPR or 0 in our table [ENC_VOP3PX3]: scale-operand",
        ]
    );
}

#[test]
fn a_file_of_another_generation_differs() {
    let document = read(RDNA3.as_bytes()).unwrap();
    // RDNA4 has WMMA of other widths and any source 1 under DPP; the rest of these is the same.
    let texts: Vec<String> =
        check(&document, Generation::Rdna4, OF_RDNA3).iter().map(|difference| difference.to_string()).collect();
    assert_eq!(
        texts,
        [
            "V_DOT2_F32_BF16 (opcode 26), SRC1: kind OPR_SRC_VGPR in the file, OPR_SRC in our table [VOP3P_VOP_DPP8, \
             VOP3P_VOP_DPP16]",
            "V_FMA_MIXLO_F16 (opcode 33), SRC1: kind OPR_SRC_VGPR in the file, OPR_SRC in our table [VOP3P_VOP_DPP8, \
             VOP3P_VOP_DPP16]",
            "V_WMMA_I32_16X16X16_IU8 (opcode 68), SRC0: 128 bits in the file, 64 in our table [ENC_VOP3P]",
            "V_WMMA_I32_16X16X16_IU8 (opcode 68), SRC1: 128 bits in the file, 64 in our table [ENC_VOP3P]",
            "FMT_WMMA_AB_16X16_IU8: 128 bits in the file, 64 in our table",
        ]
    );
}

#[test]
fn what_a_whole_file_lacks_is_missing() {
    // RDNA3 has 34 opcodes of VOP3P, and the file six.
    let missing = new(RDNA3, &[]);
    assert_eq!(missing.len(), 28);
    assert_eq!(missing[0].to_string(), "V_PK_MAD_I16 (opcode 0): not in the file");
    // What CDNA3 lacks is listed; what nobody but our tables has is known: on RDNA1 the dot products.
    let rdna1 = RDNA3.replace("AMD RDNA 3<", "AMD RDNA 1<");
    let is_dot = |one: &&Difference| one.of.starts_with("V_DOT") && one.to_string().ends_with("not in the file");
    let all = differences(&rdna1, &[]);
    let dots: Vec<_> = all.iter().filter(is_dot).collect();
    assert!(dots.iter().all(|one| one.known.unwrap().entry == Some("rdna1-dot-products")), "{dots:?}");
    // Of the seven, V_DOT4_I32_I8 is there: under the name that RDNA3 has as an alias.
    assert_eq!(dots.len(), 6);
}

/// A part of a file: an encoding or an instruction, and where it begins.
fn part<'a>(text: &'a str, name: &str) -> (usize, &'a str) {
    let (tag, open, close) = if name.starts_with("V_") {
        ("InstructionName", "<Instruction>", "</Instruction>")
    } else {
        ("EncodingName", "<Encoding ", "</Encoding>")
    };
    let named = text.find(&format!("<{tag}>{name}</{tag}>")).unwrap_or_else(|| panic!("{name}"));
    let begin = text[..named].rfind(open).unwrap();
    let end = named + text[named..].find(close).unwrap() + close.len();
    (begin, &text[begin..end])
}

/// The file with the first `from` behind `after` in the part of this name changed.
fn plant(text: &str, name: &str, after: &str, from: &str, to: &str) -> String {
    let (begin, inside) = part(text, name);
    let behind = inside.find(after).unwrap_or_else(|| panic!("{name}: {after}"));
    let at = begin + behind + inside[behind..].find(from).unwrap_or_else(|| panic!("{name}: {from}"));
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

/// The first element behind `after` in the part of this name, from `<TAG` to its end tag.
fn element<'a>(text: &'a str, name: &str, tag: &str, after: &str) -> &'a str {
    let (_, inside) = part(text, name);
    let behind = inside.find(after).unwrap_or_else(|| panic!("{name}: {after}"));
    let begin =
        inside[..behind].rfind(&format!("<{tag} ")).or_else(|| inside[..behind].rfind(&format!("<{tag}>"))).unwrap();
    let close = format!("</{tag}>");
    &inside[begin..begin + inside[begin..].find(&close).unwrap() + close.len()]
}

/// A file with something planted, what is found, and what stands in the line that is named.
struct Planted {
    text: String,
    only: &'static [&'static str],
    says: &'static str,
    at: &'static str,
}

fn rdna3(text: String, says: &'static str, at: &'static str) -> Planted {
    Planted { text, only: OF_RDNA3, says, at }
}

fn cdna3(text: String, says: &'static str, at: &'static str) -> Planted {
    Planted { text, only: OF_CDNA3, says, at }
}

fn cdna5(text: String, says: &'static str, at: &'static str) -> Planted {
    Planted { text, only: OF_CDNA5, says, at }
}

fn of_opcodes() -> Vec<Planted> {
    let dpp16 = element(RDNA3, "V_DOT2_F32_BF16", "InstructionEncoding", "VOP3P_VOP_DPP16");
    let literal = element(RDNA3, "V_PK_LSHLREV_B16", "InstructionEncoding", "VOP3P_INST_LITERAL");
    let (_, mix) = part(RDNA3, "V_FMA_MIXLO_F16");
    let another =
        part(RDNA3, "V_PK_LSHLREV_B16").1.replace("V_PK_LSHLREV_B16", "V_PK_TWIST_B16").replace(">4<", ">100<");
    let wmma_literal = {
        let plain = element(RDNA3, "V_WMMA_I32_16X16X16_IU8", "InstructionEncoding", "ENC_VOP3P");
        let both = format!("{plain}\n{}", plain.replace("ENC_VOP3P", "VOP3P_INST_LITERAL"));
        RDNA3.replace(plain, &both)
    };
    vec![
        rdna3(
            plant(RDNA3, "V_PK_FMA_F16", "", ">14</Opcode>", ">15</Opcode>"),
            "V_PK_FMA_F16: opcode 15 in the file, 14 in our table [ENC_VOP3P]",
            "<Opcode Radix=\"10\">15</Opcode>",
        ),
        rdna3(
            RDNA3.replace("Radix=\"10\">33</Opcode>", "Radix=\"10\">35</Opcode>"),
            "V_FMA_MIXLO_F16: opcode 35 in the file, 33 in our table [ENC_VOP3P, VOP3P_INST_LITERAL, VOP3P_VOP_DPP8, \
             VOP3P_VOP_DPP16]",
            "<Opcode Radix=\"10\">35</Opcode>",
        ),
        rdna3(
            plant(RDNA3, "V_PK_FMA_F16", "", "V_PK_FMA_F16", "V_PK_FMA_H16"),
            "V_PK_FMA_F16 (opcode 14): name V_PK_FMA_H16 in the file, V_PK_FMA_F16 in our table",
            "<InstructionName>V_PK_FMA_H16</InstructionName>",
        ),
        rdna3(RDNA3.replace(mix, ""), "V_FMA_MIXLO_F16 (opcode 33): not in the file", "<Instructions>"),
        rdna3(
            RDNA3.replace("<Instructions>", &format!("<Instructions>\n{another}")),
            "V_PK_TWIST_B16 (opcode 100): not in our table",
            "<Instruction>",
        ),
        rdna3(RDNA3.replace(dpp16, ""), "V_DOT2_F32_BF16 (opcode 26): no VOP3P_VOP_DPP16 in the file", "<Instruction>"),
        rdna3(
            RDNA3.replace(literal, ""),
            "V_PK_LSHLREV_B16 (opcode 4): no VOP3P_INST_LITERAL in the file",
            "<Instruction>",
        ),
        rdna3(
            wmma_literal,
            "V_WMMA_I32_16X16X16_IU8 (opcode 68): VOP3P_INST_LITERAL in the file, not in our table",
            "<InstructionEncoding>",
        ),
    ]
}

fn of_operands() -> Vec<Planted> {
    let source2 = element(RDNA3, "V_DOT4_I32_IU8", "Operand", "<FieldName>SRC2");
    let (_, shift) = part(RDNA3, "V_PK_LSHLREV_B16");
    let third = element(RDNA3, "V_PK_FMA_F16", "Operand", "<FieldName>SRC2").replace("PK2_F16", "PK2_U16");
    let one_more = shift.replacen("</Operands>", &format!("{third}\n</Operands>"), 1);
    vec![
        rdna3(
            plant(RDNA3, "V_PK_FMA_F16", "<FieldName>SRC1", "OPR_SRC<", "OPR_SRC_NOLDS<"),
            "V_PK_FMA_F16 (opcode 14), SRC1: kind OPR_SRC_NOLDS in the file, OPR_SRC in our table [ENC_VOP3P]",
            "<Operand ",
        ),
        rdna3(
            plant(RDNA3, "V_DOT2_F32_BF16", "VOP3P_VOP_DPP8", "OPR_SRC_VGPR<", "OPR_SRC<"),
            "V_DOT2_F32_BF16 (opcode 26), SRC1: kind OPR_SRC in the file, OPR_SRC_VGPR in our table [VOP3P_VOP_DPP8]",
            "<Operand ",
        ),
        rdna3(
            plant(RDNA3, "V_WMMA_I32_16X16X16_IU8", "<FieldName>SRC0", ">128<", ">64<"),
            "V_WMMA_I32_16X16X16_IU8 (opcode 68), SRC0: 64 bits in the file, 128 in our table [ENC_VOP3P]",
            "<Operand ",
        ),
        rdna3(
            plant(RDNA3, "V_DOT4_I32_IU8", "<FieldName>SRC0", "FMT_NUM_PK4_IU8", "FMT_NUM_PK4_I8"),
            "V_DOT4_I32_IU8 (opcode 22), SRC0: format FMT_NUM_PK4_I8 in the file, FMT_NUM_PK4_IU8 in our table \
             [ENC_VOP3P]",
            "<Operand ",
        ),
        rdna3(
            RDNA3.replacen(source2, "", 1),
            "V_DOT4_I32_IU8 (opcode 22), SRC2: no such operand in the file [ENC_VOP3P]",
            "<InstructionEncoding>",
        ),
        rdna3(
            RDNA3.replace(shift, &one_more),
            "V_PK_LSHLREV_B16 (opcode 4), SRC2: no such operand in our table [ENC_VOP3P]",
            "<Operand ",
        ),
        rdna3(
            plant(RDNA3, "V_FMA_MIXLO_F16", "<Operands>", "Input=\"false\"", "Input=\"true\""),
            "V_FMA_MIXLO_F16 (opcode 33), VDST: read and written in the file, written in our table [ENC_VOP3P]",
            "<Operand ",
        ),
        cdna3(
            plant(CDNA3, "V_SMFMAC_F32_16X16X32_F16", "<Operands>", "Input=\"true\"", "Input=\"false\""),
            "V_SMFMAC_F32_16X16X32_F16 (opcode 98), VDST: written in the file, read and written in our table \
             [VOP3P_MFMA]",
            "<Operand ",
        ),
        cdna5(
            plant(CDNA5, "V_WMMA_SCALE16_F32_32X16X128_F4", "<FieldName>SRC1", ">256<", ">512<"),
            "V_WMMA_SCALE16_F32_32X16X128_F4 (opcode 136), SRC1: 512 bits in the file, 256 in our table [ENC_VOP3PX3]",
            "<Operand ",
        ),
        rdna3(
            RDNA3.replacen(
                "<BitCount>16</BitCount>\n      </DataFormat>",
                "<BitCount>32</BitCount>\n      </DataFormat>",
                1,
            ),
            "FMT_NUM_F16: 32 bits in the file, 16 in our table",
            "<BitCount>32</BitCount>",
        ),
    ]
}

fn of_encodings() -> Vec<Planted> {
    let clamp = element(RDNA3, "ENC_VOP3P", "Field", "<FieldName>CLAMP");
    let literal = part(RDNA3, "VOP3P_VOP_DPP8").1;
    let second = literal.replace("VOP3P_VOP_DPP8", "VOP3P_VOP_SDWA");
    let extra = clamp.replace("CLAMP", "OMOD").replace(">15<", ">23<");
    let identifier = format!("{:032b}", 0xcc0e_0000_u32);
    let wrong = format!("{:032b}", 0xcd0e_0000_u32);
    let fma = format!("<EncodingIdentifier Radix=\"2\">{identifier}</EncodingIdentifier>");
    let other = fma.replace(&identifier, &format!("{:032b}", 0xcc7f_0000_u32));
    vec![
        rdna3(
            plant(RDNA3, "ENC_VOP3P", "<FieldName>NEG_HI", "<BitOffset>8<", "<BitOffset>9<"),
            "ENC_VOP3P, NEG_HI: bits 11:9 in the file, 10:8 in our table",
            "<Field ",
        ),
        rdna3(
            plant(RDNA3, "VOP3P_VOP_DPP16", "<FieldName>DPP_CTRL", "<BitCount>9<", "<BitCount>8<"),
            "VOP3P_VOP_DPP16, DPP_CTRL: bits 79:72 in the file, 80:72 in our table",
            "<Field ",
        ),
        rdna3(
            plant(RDNA3, "ENC_VOP3P", "<FieldName>OP_SEL_HI", "<BitOffset>14<", "<BitOffset>13<"),
            "ENC_VOP3P, OPSEL_HI: bits 60:59 and 13 in the file, 60:59 and 14 in our table",
            "<Field ",
        ),
        cdna5(
            plant(CDNA5, "ENC_VOP3P", "<FieldName>OP<", "<BitCount>8<", "<BitCount>7<"),
            "ENC_VOP3P, OP: bits 22:16 in the file, 23:16 in our table",
            "<Field ",
        ),
        rdna3(RDNA3.replacen(clamp, "", 1), "ENC_VOP3P, CLAMP: no such field in the file", "<Encoding Order=\"1\">"),
        rdna3(
            RDNA3.replacen(clamp, &format!("{clamp}\n{extra}"), 1),
            "ENC_VOP3P, OMOD: no such field in our table, bits 23",
            "<Field ",
        ),
        rdna3(
            RDNA3.replacen(&identifier, &wrong, 1),
            "ENC_VOP3P: identifiers begin with cd000000 in the file, cc000000 in our table",
            "<EncodingIdentifier ",
        ),
        rdna3(RDNA3.replacen(&fma, "", 1), "ENC_VOP3P: no identifier of opcode 14", "<Encoding Order=\"1\">"),
        rdna3(
            RDNA3.replacen(&fma, &format!("{fma}\n{other}"), 1),
            "ENC_VOP3P: an identifier of opcode 127, which no instruction has",
            "<EncodingIdentifier ",
        ),
        rdna3(
            plant(RDNA3, "VOP3P_INST_LITERAL", "", "<BitCount>96<", "<BitCount>64<"),
            "VOP3P_INST_LITERAL: 64 bits in the file, 96 in our table",
            "<BitCount>64</BitCount>",
        ),
        rdna3(RDNA3.replace(literal, ""), "VOP3P_VOP_DPP8: no such encoding in the file", "<Encodings>"),
        rdna3(
            RDNA3.replace(literal, &format!("{literal}\n{second}")),
            "VOP3P_VOP_SDWA: no such encoding in our table",
            "<Encoding Order=\"3\">",
        ),
    ]
}

#[test]
fn every_planted_difference_is_found_and_no_other() {
    let all: Vec<Planted> = [of_opcodes(), of_operands(), of_encodings()].into_iter().flatten().collect();
    assert_eq!(all.len(), 30);
    for planted in &all {
        assert!(![RDNA3, CDNA3, CDNA5].contains(&planted.text.as_str()), "nothing is planted: {}", planted.says);
        let differences = new(&planted.text, planted.only);
        let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
        assert_eq!(texts, [planted.says]);
        let place = differences[0].place;
        let line = planted.text.lines().nth(place.line as usize - 1).unwrap();
        let rest: String = line.chars().skip(place.column as usize - 1).collect();
        assert!(rest.starts_with(planted.at), "{}: {place} is `{rest}`", planted.says);
    }
}

#[test]
fn what_is_known_of_amds_files_is_not_new() {
    let known = |text: &str, only: &[&str]| {
        let all = differences(text, only);
        assert!(all.iter().all(|one| one.known.is_some()), "{all:?}");
        all.iter().map(|one| format!("{one}: {}", one.known.unwrap().entry.unwrap_or("-"))).collect::<Vec<_>>()
    };
    // The misprint of ten manuals.
    let place = |order: usize, bits: u32, at: u32| {
        format!("<Range Order=\"{order}\"><BitCount>{bits}</BitCount><BitOffset>{at}</BitOffset></Range>")
    };
    let right = format!("{}\n                {}", place(0, 2, 59), place(1, 1, 14));
    let misprint = [place(0, 1, 14), place(1, 1, 60), place(2, 1, 59)].concat();
    assert!(RDNA3.contains(&right));
    assert_eq!(
        known(&RDNA3.replacen(&right, &misprint, 1), OF_RDNA3),
        ["ENC_VOP3P, OPSEL_HI: bits 14 and 60 and 59 in the file, 60:59 and 14 in our table: op-sel-hi-misprint"]
    );
    // AMD's own identifiers of the pairs of CDNA5 are others than the scale word.
    let [scale16, joined] = [0xcc3a_0000_u32, 0xccba_0000].map(|word| format!("{word:032b}"));
    let pairs = known(&CDNA5.replace(&scale16, &joined), OF_CDNA5);
    assert_eq!(pairs[0], "ENC_VOP3PX3: identifiers begin with ccba0000 in the file, cc3a0000 in our table: -");
    // An MFMA word of CDNA1.
    let cdna1 = CDNA3.replace("AMD CDNA 3<", "AMD CDNA 1<");
    let all = differences(&cdna1, &["V_MAD_MIX_F32", "V_ACCVGPR_READ"]);
    let acc_cd: Vec<_> = all.iter().filter(|one| one.part == "ACC_CD").collect();
    assert_eq!(acc_cd[0].known.unwrap().entry, Some("fields-shown"));
    // Seen of another generation the same is new.
    let document = read(CDNA5.as_bytes()).unwrap();
    let as_rdna3 = check(&document, Generation::Rdna3, &["V_FMA_MIX_F32"]);
    assert!(as_rdna3.iter().all(|one| one.known.is_none()));
}

#[test]
fn spellings_of_other_releases_are_no_difference() {
    let respelt = RDNA3
        .replace("<FieldName>OP_SEL<", "<FieldName>OPSEL<")
        .replace("<FieldName>OP_SEL_HI<", "<FieldName>OPSEL_HI<")
        .replace("<FieldName>CLAMP<", "<FieldName>CLMP<")
        .replace("<FieldName>SIMM32<", "<FieldName>LITERAL<")
        .replace("FMT_NUM_PK2_F16", "FMT_NUM_PK_F16")
        .replace("FMT_WMMA_AB_16X16_IU8", "FMT_WMMA_AB_IU8")
        .replace("AMD RDNA 3<", "AMD RDNA\u{2122} 3.5<")
        // RDNA3.5 takes any source 1 under DPP, and its XML calls the other SRC0.
        .replace("OPR_SRC_VGPR<", "OPR_SRC<")
        .replace(
            "<FieldName>VSRC0</FieldName>\n                <Data",
            "<FieldName>SRC0</FieldName>\n                <Data",
        );
    assert_ne!(respelt, RDNA3);
    // The factors of WMMA are VGPRs on every generation.
    let texts: Vec<String> = differences(&respelt, OF_RDNA3).iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "V_WMMA_I32_16X16X16_IU8 (opcode 68), SRC0: kind OPR_SRC in the file, OPR_SRC_VGPR in our table [ENC_VOP3P]",
            "V_WMMA_I32_16X16X16_IU8 (opcode 68), SRC1: kind OPR_SRC in the file, OPR_SRC_VGPR in our table [ENC_VOP3P]",
        ]
    );
    // A third bit with a name of its own, and a reserved field.
    let apart = "<Range Order=\"1\"><BitCount>1</BitCount><BitOffset>14</BitOffset></Range>";
    let field = "</BitLayout></Field><Field><FieldName>OP_SEL_HI_2</FieldName><BitLayout>\
                 <Range><BitCount>1</BitCount><BitOffset>14</BitOffset></Range></BitLayout></Field>\
                 <Field><FieldName>RESERVED_23</FieldName><BitLayout><Range><BitCount>1</BitCount>\
                 <BitOffset>23</BitOffset></Range>";
    assert_eq!(differences(&RDNA3.replace(apart, field), OF_RDNA3), []);
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    for text in [RDNA3, CDNA5] {
        for end in (0..text.len() - 10).step_by(97) {
            let error = read(&text.as_bytes()[..end]).expect_err("a part of a file is no file");
            assert!(error.place.line >= 1 && !error.message.is_empty());
        }
    }
}

#[test]
fn no_file_panics() {
    // Bytes changed at places all over the file: an answer or an error.
    for (step, byte) in [(211, b'<'), (223, b'>'), (227, b'&'), (229, b'"'), (233, b'9'), (239, 0xff), (241, b'/')] {
        for at in (0..RDNA3.len()).step_by(step) {
            let mut bytes = RDNA3.as_bytes().to_vec();
            bytes[at] = byte;
            if let Ok(document) = read(&bytes) {
                let all = check(&document, Generation::Rdna3, OF_RDNA3);
                all.iter().for_each(|one| assert!(!one.to_string().is_empty()));
            }
        }
    }
    let huge = "99999999999999999999999999999999999999";
    for (from, to) in [(">32<", huge), ("<BitOffset>59<", "<BitOffset>4294967295<"), ("<BitCount>9<", "<BitCount>0<")] {
        let changed = RDNA3.replace(from, &to.replace(huge, &format!(">{huge}<")));
        if let Ok(document) = read(changed.as_bytes()) {
            assert!(!check(&document, Generation::Rdna3, OF_RDNA3).is_empty());
        }
    }
}
