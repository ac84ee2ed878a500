//! Our answer beside LLVM's: the differences, as findings.
//!
//! What counts as a difference depends on our decoder's answer (undefined, decodable with an illegal or reserved note,
//! legal) and on LLVM's (accepts, annotates, rejects, dies):
//!
//! | ours | LLVM | finding |
//! |---|---|---|
//! | undefined | accepts | acceptance |
//! | legal | rejects or annotates | acceptance |
//! | legal or noted | accepts, but fields or the length differ | mnemonic, operand, modifier, length |
//! | any | dies | crash |
//!
//! Everything else is no finding. Fields are compared as typed values, not as text.

mod answers;
mod fields;

use std::fmt;

use serde::Serialize;

pub use answers::differences;
use fields::{bytes_text, compare_fields};

use crate::asm::{self, ReadError};
use crate::codec::{Decoded, Instruction, Undefined, Window};
use crate::isa::{self, Target};
use crate::oracle::llvm::{Answer, Death, PAD, Pair, padding};

/// What kind of difference a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A tool died or hung on the window alone.
    Crash,
    /// One side takes the word for an instruction and the other does not.
    Acceptance,
    /// Both take it, with different lengths.
    Length,
    /// Both take it, for different opcodes.
    Mnemonic,
    /// An operand differs.
    Operand,
    /// A modifier differs.
    Modifier,
    /// `llvm-mc` and `llvm-objdump` of one version differ.
    ToolsDiffer,
    /// A death that is not the VOP3P word's: `llvm-objdump` died behind it, or the word is another encoding's.
    Resync,
    /// A ledger entry should have fired and did not.
    LedgerSilent,
    /// Our decoder notes an illegal or reserved rule that the raw bits do not break, as the ledger states it.
    NoteUnexplained,
    /// One side assembles a text and the other refuses it.
    Assembling,
    /// Both assemble a text, to different bytes.
    Encoding,
    /// LLVM's assembler makes something else of the text that its disassembler printed, or refuses it.
    Reassembly,
}

impl Kind {
    /// Its name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Acceptance => "acceptance",
            Self::Length => "length",
            Self::Mnemonic => "mnemonic",
            Self::Operand => "operand",
            Self::Modifier => "modifier",
            Self::ToolsDiffer => "tools-differ",
            Self::Resync => "resync",
            Self::LedgerSilent => "ledger-silent",
            Self::NoteUnexplained => "note-unexplained",
            Self::Assembling => "assembling",
            Self::Encoding => "encoding",
            Self::Reassembly => "reassembly",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind.
    pub kind: Kind,
    /// The field responsible: a field's name, `size`, or `word` where it is the whole. For a ledger-silent finding the
    /// id of the entry.
    pub field: String,
    /// Our value.
    pub ours: String,
    /// Theirs.
    pub theirs: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.kind, self.field, self.difference("here"))
    }
}

impl Finding {
    /// The difference in words; `place` (`on 22.1.8`) says where a silent entry was expected to fire.
    #[must_use]
    pub fn difference(&self, place: &str) -> String {
        match self.kind {
            Kind::LedgerSilent => format!(
                "the entry expects a difference {place} and there is none: this LLVM has it fixed, or our decoder has \
                 the same bug"
            ),
            Kind::ToolsDiffer => format!("{}, {}", self.ours, self.theirs),
            _ => format!("ours {}, LLVM {}", self.ours, self.theirs),
        }
    }
}

/// What our decoder says of a window.
pub type Ours = Result<Decoded, Undefined>;

/// What LLVM says of a window, `llvm-mc` speaking for both tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Theirs {
    /// It prints an instruction, which reads as this.
    Accepts(Result<Instruction, ReadError>),
    /// It prints an instruction with a remark.
    Annotates,
    /// It finds no instruction.
    Rejects,
    /// It died.
    Dies(Death),
}

impl Theirs {
    /// The instruction, if LLVM accepts the window and prints one that can be read.
    #[must_use]
    pub fn instruction(&self) -> Option<&Instruction> {
        match self {
            Self::Accepts(Ok(instruction)) => Some(instruction),
            _ => None,
        }
    }

    /// In one word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Accepts(_) => "accepts",
            Self::Annotates => "annotates",
            Self::Rejects => "rejects",
            Self::Dies(_) => "dies",
        }
    }
}

/// The outcome of one comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// LLVM's answer.
    pub theirs: Theirs,
    /// The differences; empty where both sides agree.
    pub findings: Vec<Finding>,
    /// Whether both sides accepted the window and their fields were compared one by one.
    pub by_field: bool,
}

/// The window as it is decoded: with its fixed padding, as far as an instruction can reach.
#[must_use]
pub fn as_read(window: &Window, padded: bool) -> Window {
    let mut whole = *window;
    if padded && !padding(window).is_empty() {
        for index in window.dwords().len()..crate::codec::MAX_DWORDS {
            whole = whole.with_dword(index, PAD);
        }
    }
    whole
}

/// Whether llvm-mc died on what stands behind the first instruction of the window: llvm-objdump shows that instruction,
/// and it leaves bytes of the window over.
fn died_behind(window: &Window, pair: &Pair) -> bool {
    let left_over = pair.objdump.bytes().is_some_and(|bytes| usize::from(bytes) < window.byte_len());
    matches!(pair.mc, Answer::Dead(_)) && left_over
}

/// Compares our answer about a window with the tools'.
#[must_use]
pub fn compare(target: Target, window: &Window, ours: &Ours, pair: &Pair) -> Comparison {
    let opcode = ours.as_ref().ok().map(|decoded| decoded.instruction.opcode);
    let mut findings = Vec::new();
    let behind = died_behind(window, pair);
    let survivor = behind.then(|| Pair { mc: pair.objdump.clone(), objdump: pair.objdump.clone() });
    let pair = survivor.as_ref().unwrap_or(pair);
    if behind {
        findings.push(finding(Kind::Resync, "word", "-", "dies in llvm-mc behind the first instruction"));
    }
    let theirs = match &pair.mc {
        Answer::Text { text, .. } => Theirs::Accepts(asm::read_expecting(target, text, opcode)),
        Answer::Annotated { .. } => Theirs::Annotates,
        Answer::Invalid => Theirs::Rejects,
        Answer::Dead(death) => Theirs::Dies(*death),
    };
    compare_tools(pair, ours, &mut findings);
    let mut by_field = false;
    match (ours, &theirs) {
        // Another encoding's word, and LLVM says so.
        (Err(Undefined::NotVop3p), Theirs::Accepts(Err(error))) if !names_vop3p(error) => {}
        (Err(undefined), Theirs::Accepts(_)) => {
            let text = pair.mc.text().unwrap_or_default();
            findings.push(finding(Kind::Acceptance, "word", format!("undefined ({})", undefined.id()), text));
        }
        (Ok(decoded), Theirs::Rejects | Theirs::Annotates) if decoded.notes.is_legal() => {
            let theirs = match pair.mc.text() {
                Some(text) => format!("annotates: {text}"),
                None => "rejects".to_owned(),
            };
            findings.push(finding(Kind::Acceptance, "word", asm::print(target, &decoded.instruction), &theirs));
        }
        (Ok(decoded), Theirs::Accepts(read)) => {
            by_field = true;
            compare_fields(target, decoded, read, pair, &mut findings);
        }
        _ => {}
    }
    Comparison { theirs, findings, by_field }
}

/// Whether the mnemonic that could not be read is VOP3P's, if only on another target.
fn names_vop3p(error: &ReadError) -> bool {
    match error {
        ReadError::Mnemonic(name) => {
            let bare = name.trim_end_matches("_dpp").trim_end_matches("_e64");
            isa::rows().any(|row| row.llvm == bare)
        }
        _ => true,
    }
}

fn finding(kind: Kind, field: &str, ours: impl Into<String>, theirs: &str) -> Finding {
    Finding { kind, field: field.to_owned(), ours: ours.into(), theirs: theirs.to_owned() }
}

/// Deaths, and differences between the two tools.
fn compare_tools(pair: &Pair, ours: &Ours, findings: &mut Vec<Finding>) {
    let show = |answer: &Answer| match answer {
        Answer::Text { text, .. } | Answer::Annotated { text, .. } => text.clone(),
        Answer::Invalid => "rejects".to_owned(),
        Answer::Dead(death) => format!("dies: {death}"),
    };
    match (&pair.mc, &pair.objdump) {
        (Answer::Dead(death), _) if matches!(ours, Err(Undefined::NotVop3p)) => {
            findings.push(finding(Kind::Resync, "word", "not VOP3P", &format!("dies: {death}")));
        }
        (Answer::Dead(death), _) => {
            let ours = match ours {
                Ok(decoded) => decoded.instruction.opcode.llvm.to_owned(),
                Err(undefined) => format!("undefined ({})", undefined.id()),
            };
            findings.push(finding(Kind::Crash, "word", ours, &format!("dies: {death}")));
        }
        (_, Answer::Dead(death)) => {
            findings.push(finding(Kind::Resync, "word", "-", &format!("dies in llvm-objdump: {death}")));
        }
        (Answer::Invalid, Answer::Invalid) => {}
        // Another encoding's word may be longer than a VOP3P window, and then each tool sees other bytes behind it.
        _ if matches!(ours, Err(Undefined::NotVop3p)) => {}
        (mc, objdump) => {
            let sizes_differ = match (mc.bytes(), objdump.bytes()) {
                (Some(a), Some(b)) => a != b,
                _ => false,
            };
            if mc.text() != objdump.text() {
                findings.push(Finding {
                    kind: Kind::ToolsDiffer,
                    field: "word".to_owned(),
                    ours: format!("llvm-mc: {}", show(mc)),
                    theirs: format!("llvm-objdump: {}", show(objdump)),
                });
            } else if sizes_differ {
                findings.push(Finding {
                    kind: Kind::ToolsDiffer,
                    field: "size".to_owned(),
                    ours: format!("llvm-mc: {}", bytes_text(mc.bytes())),
                    theirs: format!("llvm-objdump: {}", bytes_text(objdump.bytes())),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decode;

    fn text(text: &str) -> Answer {
        Answer::Text { text: text.to_owned(), bytes: Some(8) }
    }

    fn findings(cpu: &str, window: &str, mc: Answer, objdump: Answer) -> Vec<(Kind, String)> {
        let target = cpu.parse().unwrap();
        let ours = decode(target, &window.parse().unwrap());
        let comparison = compare(target, &window.parse().unwrap(), &ours, &Pair { mc, objdump });
        comparison.findings.into_iter().map(|f| (f.kind, f.field)).collect()
    }

    fn same(cpu: &str, window: &str, answer: Answer) -> Vec<(Kind, String)> {
        findings(cpu, window, answer.clone(), answer)
    }

    /// v_pk_add_f16 v0, v1, v2
    const PLAIN: &str = "d38f4000 18020501";
    /// v_pk_add_f16 v0, s1, s2: more scalar values than gfx9 may read.
    const NOTED: &str = "d38f4000 18000401";
    /// Selector 209 is reserved.
    const UNDEFINED: &str = "d38f4000 180204d1";

    /// A VOP3 word.
    const FOREIGN: &str = "d1ff0000 040e0501";

    #[test]
    fn every_row_of_the_table() {
        let one = |kind: Kind, field: &str| vec![(kind, field.to_owned())];
        let none = Vec::new();
        let annotated = |text: &str| Answer::Annotated { text: text.to_owned(), bytes: Some(8) };
        let wrong = "v_pk_add_f16 v0, v1, v3";
        for (window, answer, expected) in [
            (UNDEFINED, text(wrong), one(Kind::Acceptance, "word")),
            (UNDEFINED, annotated(wrong), none.clone()),
            (UNDEFINED, Answer::Invalid, none.clone()),
            (PLAIN, Answer::Invalid, one(Kind::Acceptance, "word")),
            (PLAIN, annotated(wrong), one(Kind::Acceptance, "word")),
            (PLAIN, text("v_pk_add_f16 v0, v1, v2"), none.clone()),
            (PLAIN, text(wrong), one(Kind::Operand, "src1")),
            (PLAIN, text("v_pk_add_f16 v7, v1, v2"), one(Kind::Operand, "vdst")),
            (PLAIN, text("v_pk_mul_f16 v0, v1, v2"), one(Kind::Mnemonic, "op")),
            (PLAIN, text("v_pk_add_f16 v0, v1, v2 clamp"), one(Kind::Modifier, "clamp")),
            (PLAIN, text("v_pk_add_f16 v0, v1, v2 op_sel:[1,0]"), one(Kind::Modifier, "op_sel")),
            (PLAIN, text("v_pk_add_f16 v0, v1, v2 frob:1"), one(Kind::Modifier, "frob")),
            (NOTED, Answer::Invalid, none.clone()),
            (NOTED, annotated(wrong), none.clone()),
            (NOTED, text("v_pk_add_f16 v0, s1, s2"), none.clone()),
            (NOTED, text("v_pk_add_f16 v0, s1, s3"), one(Kind::Operand, "src1")),
            (PLAIN, Answer::Dead(Death::Signal(11)), one(Kind::Crash, "word")),
            (UNDEFINED, Answer::Dead(Death::Hang), one(Kind::Crash, "word")),
            (FOREIGN, text("v_add3_u32 v0, v1, v2, v3"), none.clone()),
            (FOREIGN, text("v_pk_add_f16 v0, v1, v2"), one(Kind::Acceptance, "word")),
            (FOREIGN, Answer::Dead(Death::Hang), one(Kind::Resync, "word")),
        ] {
            assert_eq!(same("gfx900", window, answer.clone()), expected, "{window} {answer:?}");
        }
    }

    #[test]
    fn lengths_and_the_two_tools() {
        let long = Answer::Text { text: "v_pk_add_f16 v0, v1, v2".to_owned(), bytes: Some(12) };
        assert_eq!(same("gfx900", PLAIN, long.clone()), [(Kind::Length, "size".to_owned())]);
        let plain = text("v_pk_add_f16 v0, v1, v2");
        assert_eq!(findings("gfx900", PLAIN, plain.clone(), Answer::Invalid), [(Kind::ToolsDiffer, "word".to_owned())]);
        assert_eq!(findings("gfx900", PLAIN, plain.clone(), long), [(Kind::ToolsDiffer, "size".to_owned())]);
        assert_eq!(findings("gfx900", FOREIGN, text("v_add3_u32 v0, v1, v2, v3"), Answer::Invalid), []);
        let dead = Answer::Dead(Death::Signal(11));
        assert_eq!(findings("gfx900", PLAIN, plain.clone(), dead.clone()), [(Kind::Resync, "word".to_owned())]);
        // llvm-mc reads on behind the first instruction, where the window has more to read.
        let longer = format!("{PLAIN} cb499eff");
        assert_eq!(findings("gfx900", &longer, dead.clone(), plain.clone()), [(Kind::Resync, "word".to_owned())]);
        assert_eq!(findings("gfx900", PLAIN, dead, plain), [(Kind::Crash, "word".to_owned())]);
    }

    #[test]
    fn findings_read_as_llvm_writes() {
        let said = |cpu: &str, window: &str, answer: &str| {
            let (target, window): (Target, Window) = (cpu.parse().unwrap(), window.parse().unwrap());
            let pair = Pair { mc: text(answer), objdump: text(answer) };
            let findings = compare(target, &window, &decode(target, &window), &pair).findings;
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            said("gfx1030", "cc204000 1c0e04ff 40490fdb", "v_fma_mix_f32 v0, 0xfdb, v2, v3 op_sel:[1,0,0] clamp")
                .last(),
            Some(&"modifier clamp: ours no clamp, LLVM clamp".to_owned())
        );
        assert_eq!(
            said("gfx1030", "cc204000 1c0e04ff 40490fdb", "v_fma_mix_f32 v0, 0xfdb, v2, v3 op_sel_hi:[0,1,1]"),
            [
                "length size: ours 12 bytes, LLVM 8 bytes",
                "operand src0: ours 0x40490fdb, LLVM 0xfdb",
                "modifier op_sel_hi: ours [1,1,1], LLVM [0,1,1]",
            ]
        );
        assert_eq!(
            said("gfx90a", "d3b14000 18020802", "v_pk_mul_f32 v[2:3], s[4:5], v[4:5]"),
            ["operand vdst: ours v[0:1], LLVM v[2:3]", "operand src0: ours s[2:3], LLVM s[4:5]"]
        );
        assert_eq!(
            said(
                "gfx1100",
                "cc134000 1c0e04fa ff08e401",
                "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3 row_ror:15 row_mask:0xf bank_mask:0xf"
            )[1],
            "modifier dpp: ours quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:1, LLVM row_ror:15 \
             row_mask:0xf bank_mask:0xf"
        );
    }

    #[test]
    fn padding_is_part_of_what_is_decoded() {
        let cut: Window = "cc0f4000 180202ff".parse().unwrap();
        assert_eq!(as_read(&cut, true).dword(2), Some(PAD));
        assert_eq!(as_read(&cut, false), cut);
        let plain: Window = PLAIN.parse().unwrap();
        assert_eq!(as_read(&plain, true), plain);
    }
}
