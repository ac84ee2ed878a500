//! The regression cases, as far as they speak of this crate alone: decoder, printer, parser and encoder by what
//! `corpus/decode` and `corpus/encode` state. Their own tests hold LLVM against them, too.

use std::fs;
use std::path::Path;

use super::{EncodeError, Instruction, MAX_DWORDS, Style, Window, decode, encode};
use crate::asm::{AssembleError, assemble, print};
use crate::isa::{Notes, Target};

/// The padding that lines are written for.
const PAD: u32 = 0xbf80_7777;

/// One line: its target, what stands before `=>`, and what is expected, as names and values.
fn lines(dir: &str, mut judge: impl FnMut(&str, Target, &str, Vec<(&str, &str)>)) -> usize {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(dir);
    let mut count = 0;
    for file in fs::read_dir(dir).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let body = line.split('#').next().unwrap_or_default();
            let Some((head, tail)) = body.split_once("=>") else { continue };
            let (target, subject) = head.trim().split_once(' ').unwrap();
            let expected = tail.split(';').map(|item| {
                let (name, value) = item.split_once(':').unwrap_or((item, ""));
                (name.trim(), value.trim())
            });
            judge(line, target.parse().unwrap(), subject.trim(), expected.collect());
            count += 1;
        }
    }
    count
}

fn ids(notes: Notes) -> String {
    let ids: Vec<_> = notes.iter().map(|rule| rule.row().id).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

#[test]
fn windows_decode_as_the_corpus_says() {
    let count = lines("decode", |line, target, subject, expected| {
        let (window, is_padded) = subject.split_once("pad=none").map_or((subject, true), |(window, _)| (window, false));
        let mut window: Window = window.trim().parse().unwrap();
        let length = window.dwords().len();
        for index in (length..MAX_DWORDS).filter(|_| is_padded && length >= 2) {
            window = window.with_dword(index, PAD);
        }
        let decoded = decode(target, &window);
        for (name, value) in expected {
            match (name, &decoded) {
                ("undefined", Err(why)) => assert!(value.is_empty() || value == why.id(), "{line}: {}", why.id()),
                ("undefined", Ok(_)) => panic!("{line}: decodes"),
                ("text" | "size" | "rule", Err(why)) => panic!("{line}: {}", why.id()),
                ("text", Ok(decoded)) => assert_eq!(print(target, &decoded.instruction), value, "{line}"),
                ("size", Ok(decoded)) => assert_eq!(decoded.size.to_string(), value, "{line}"),
                ("rule", Ok(decoded)) => assert_eq!(ids(decoded.notes), value, "{line}"),
                _ => {}
            }
        }
        if let Ok(decoded) = decoded
            && decoded.notes.is_legal()
        {
            let again = encode(target, &decoded.instruction).unwrap();
            let back = decode(target, &again).map(|decoded| decoded.instruction);
            assert_eq!(back, Ok(decoded.instruction), "{line}");
            // Matrix words have bits of no meaning that are written in one way.
            if decoded.ignored == 0 && decoded.notes.is_empty() && !decoded.instruction.opcode.is_matrix() {
                assert_eq!(again, window.truncated(usize::from(decoded.size) / 4), "{line}");
            }
        }
    });
    assert!(count > 4000, "{count}");
}

#[test]
fn texts_assemble_as_the_corpus_says() {
    let count = lines("encode", |line, target, subject, expected| {
        let text = subject.strip_prefix("asm:").unwrap().trim();
        let assembled = assemble(target, text, Style::Llvm);
        for (name, value) in expected {
            match (name, &assembled) {
                ("refused", Err(AssembleError::Illegal { rule, .. })) => assert_eq!(rule.row().id, value, "{line}"),
                ("refused", Err(_)) => assert_eq!(value, "", "{line}"),
                ("refused", Ok(_)) => panic!("{line}: assembles"),
                ("word" | "rule", Err(error)) => panic!("{line}: {error}"),
                ("word", Ok(assembled)) => assert_eq!(assembled.window.to_string(), value, "{line}"),
                ("rule", Ok(assembled)) => assert_eq!(ids(assembled.notes), value, "{line}"),
                ("sp3", _) => {
                    let other = assemble(target, text, Style::Sp3).map(|assembled| assembled.window.to_string());
                    assert_eq!(other.as_deref(), Ok(value), "{line}");
                }
                _ => {}
            }
        }
    });
    assert!(count > 1500, "{count}");
}

#[test]
fn bits_of_a_source_that_is_not_there_are_ignored() {
    // SRC2 is 58:50, OP_SEL[2] 13, OP_SEL_HI[2] 14, NEG[2] 63, NEG_HI[2] 10: 0x1ff << 50 is 0x07fc << 48.
    let window: Window = "cc0f6400 87fe0501".parse().unwrap();
    let decoded = decode("gfx1100".parse().unwrap(), &window).unwrap();
    assert_eq!(decoded.ignored, 0x87fc_0000_0000_6400);
    assert_eq!((decoded.instruction.op_sel, decoded.instruction.op_sel_hi), (0, 0));
}

#[test]
fn an_instruction_that_no_word_holds_is_refused() {
    let target = "gfx1100".parse().unwrap();
    let plain = decode(target, &"cc0f4000 18020501".parse().unwrap()).unwrap().instruction;
    assert!(encode(target, &plain).is_ok());
    for broken in [
        Instruction { op_sel: 4, ..plain },
        Instruction { op_sel_hi: 7, ..plain },
        Instruction { neg_lo: 4, ..plain },
        Instruction { neg_hi: 4, ..plain },
    ] {
        assert_eq!(encode(target, &broken), Err(EncodeError::Modifier), "{broken:?}");
    }
    assert_eq!(encode(target, &Instruction { vdst_acc: true, ..plain }), Err(EncodeError::File { slot: 0 }));
}
