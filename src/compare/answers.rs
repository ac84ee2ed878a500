//! The answers of two builds of LLVM about one window, whoever is right.

use super::fields::{bytes_text, compare_instructions};
use super::{Finding, Kind, finding};
use crate::asm;
use crate::isa::Target;
use crate::oracle::llvm::Answer;

/// How a tool's answer differs from that of another build of it; where both print an instruction that can be read, field
/// by field. `ours` of a finding is the first answer's side, `theirs` the second's.
#[must_use]
pub fn differences(target: Target, before: &Answer, after: &Answer) -> Vec<Finding> {
    let shown = |answer: &Answer| match answer {
        Answer::Text { text, .. } | Answer::Annotated { text, .. } => text.clone(),
        Answer::Invalid => "rejects".to_owned(),
        Answer::Dead(death) => format!("dies: {death}"),
    };
    let whole = |kind, field| vec![finding(kind, field, shown(before), &shown(after))];
    match (before, after) {
        (Answer::Dead(_), Answer::Dead(_)) | (Answer::Invalid, Answer::Invalid) => Vec::new(),
        (Answer::Dead(_), _) | (_, Answer::Dead(_)) => whole(Kind::Crash, "word"),
        (Answer::Text { text: a, bytes: size_a }, Answer::Text { text: b, bytes: size_b })
        | (Answer::Annotated { text: a, bytes: size_a }, Answer::Annotated { text: b, bytes: size_b }) => {
            let mut findings = Vec::new();
            if let (Some(size_a), Some(size_b)) = (size_a, size_b)
                && size_a != size_b
            {
                let sizes = (bytes_text(Some(*size_a)), bytes_text(Some(*size_b)));
                findings.push(finding(Kind::Length, "size", sizes.0, &sizes.1));
            }
            if a == b {
                return findings;
            }
            match (asm::read(target, a), asm::read(target, b)) {
                (Ok(a), Ok(b)) if std::ptr::eq(a.opcode, b.opcode) => {
                    compare_instructions(target, &a, &b, &mut findings);
                }
                (Ok(a), Ok(b)) => findings.push(finding(Kind::Mnemonic, "op", a.opcode.llvm, b.opcode.llvm)),
                _ => {}
            }
            // What cannot be read, or reads as the same instruction, is another text all the same.
            if findings.is_empty() { whole(Kind::Operand, "text") } else { findings }
        }
        _ => whole(Kind::Acceptance, "word"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::llvm::Death;

    #[test]
    fn every_way_to_differ() {
        let target = "gfx900".parse().unwrap();
        let text = |text: &str, bytes| Answer::Text { text: text.to_owned(), bytes: Some(bytes) };
        let plain = text("v_pk_add_f16 v0, v1, v2", 8);
        let found = |after: &Answer| {
            let found = differences(target, &plain, after);
            found
                .iter()
                .map(|one| format!("{} {} {} {}", one.kind, one.field, one.ours, one.theirs))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&plain), Vec::<String>::new());
        assert_eq!(found(&text("v_pk_add_f16 v0, v1, v2 clamp", 8)), ["modifier clamp no clamp clamp"]);
        assert_eq!(found(&text("v_pk_add_f16 v0, v1, v3", 8)), ["operand src1 v2 v3"]);
        assert_eq!(found(&text("v_pk_mul_f16 v0, v1, v2", 8)), ["mnemonic op v_pk_add_f16 v_pk_mul_f16"]);
        assert_eq!(found(&text("v_pk_add_f16 v0, v1, v2", 12)), ["length size 8 bytes 12 bytes"]);
        assert_eq!(found(&Answer::Invalid), ["acceptance word v_pk_add_f16 v0, v1, v2 rejects"]);
        assert_eq!(found(&Answer::Dead(Death::Signal(11))), ["crash word v_pk_add_f16 v0, v1, v2 dies: signal 11"]);
        let annotated = Answer::Annotated { text: "v_pk_add_f16 v0, v1, v2".to_owned(), bytes: Some(8) };
        assert_eq!(found(&annotated), ["acceptance word v_pk_add_f16 v0, v1, v2 v_pk_add_f16 v0, v1, v2"]);
        assert_eq!(
            found(&text("v_pk_add_f16 v0, v1, v2 frob:1", 8)),
            ["operand text v_pk_add_f16 v0, v1, v2 v_pk_add_f16 v0, v1, v2 frob:1"]
        );
    }
}
