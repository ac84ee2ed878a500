//! The regression cases, as far as they speak of this crate alone: decoder, printer, parser and encoder by what
//! `corpus/decode` and `corpus/encode` state. Their own tests hold LLVM against them, too.

use std::fs;
use std::path::Path;

use super::{MAX_DWORDS, Style, Window, decode, encode};
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
