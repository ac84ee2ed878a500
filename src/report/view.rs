//! What the tool prints as JSON. Field order is the order of the output; `schema` goes up when a field changes.

use serde::Serialize;

use super::fields;
use super::names::{
    bit_ranges, format_name, kind_name, llvm_bytes, matrix_kind_name, modifier_names, outcome_name, tuple_name,
};
use crate::asm;
use crate::codec::{Decoded, Undefined, Window};
use crate::compare::Ours;
use crate::isa::{Opcode, Rule, Target};
use crate::judge::{Explained, Judged, RESYNC};
use crate::ledger::{Entry, Ledger};
use crate::oracle::llvm::{Answer, Pair};

/// Version of every JSON object of the tool.
pub const SCHEMA: u32 = super::finding::SCHEMA;

/// A note of our decoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    /// Id of the rule.
    pub rule: &'static str,
    /// `ignored`, `reserved` or `illegal`.
    pub state: &'static str,
    /// What it says.
    pub text: &'static str,
    /// Where AMD says so.
    pub source: &'static str,
}

impl From<Rule> for NoteView {
    fn from(rule: Rule) -> Self {
        let row = rule.row();
        Self { rule: row.id, state: row.state.name(), text: row.text, source: row.source }
    }
}

/// What our decoder says of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum OurView {
    /// An instruction.
    Decoded {
        /// LLVM's spelling.
        text: String,
        /// Bytes.
        size: u8,
        /// Number of the opcode; of a scaled pair that of its second word.
        opcode: u8,
        /// Number of the opcode of the first word of a scaled pair.
        #[serde(skip_serializing_if = "Option::is_none")]
        scale_opcode: Option<u8>,
        /// AMD's name of the instruction.
        amd: &'static str,
        /// Whether no note is of an illegal or a reserved value.
        legal: bool,
        /// The rules it meets.
        notes: Vec<NoteView>,
        /// The bits that change nothing: `63, 58:50`.
        ignored_bits: String,
    },
    /// None.
    Undefined {
        /// Id of the reason.
        id: &'static str,
        /// The reason.
        reason: String,
        /// Number of the opcode, where that is the reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        opcode: Option<u8>,
        /// AMD's name of it, where the target has it.
        #[serde(skip_serializing_if = "Option::is_none")]
        amd: Option<&'static str>,
    },
}

impl OurView {
    /// Of an answer of our decoder.
    #[must_use]
    pub fn of(target: Target, ours: &Ours) -> Self {
        match ours {
            Ok(Decoded { instruction, size, notes, ignored }) => Self::Decoded {
                text: asm::print(target, instruction),
                size: *size,
                opcode: instruction.opcode.number,
                scale_opcode: instruction.scale.map(|scale| scale.pair.scale),
                amd: instruction.scale.map_or(instruction.opcode.amd, |scale| scale.pair.amd),
                legal: notes.is_legal(),
                notes: notes.iter().map(NoteView::from).collect(),
                ignored_bits: bit_ranges(*ignored),
            },
            Err(undefined) => {
                let opcode = match undefined {
                    Undefined::NoOpcode { number } | Undefined::ScaleAlone { number } => Some(*number),
                    _ => None,
                };
                let amd = opcode.and_then(|number| target.opcode(number)).map(|row| row.amd);
                let amd = amd.filter(|amd| !amd.is_empty());
                Self::Undefined { id: undefined.id(), reason: undefined.to_string(), opcode, amd }
            }
        }
    }
}

/// One field of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldView {
    /// Its name.
    pub name: &'static str,
    /// Its bits, highest part of the value first.
    pub bits: String,
    /// What it holds.
    pub raw: u32,
    /// What that means.
    pub meaning: String,
}

/// The fields of a window.
#[must_use]
pub fn fields(target: Target, window: &Window) -> Vec<FieldView> {
    let view = |field: fields::FieldView| FieldView {
        name: field.name,
        bits: field.bits(),
        raw: field.raw,
        meaning: field.meaning,
    };
    fields::fields(target, window).into_iter().map(view).collect()
}

/// What a tool says of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerView {
    /// `text`, `annotated`, `invalid` or `dead`.
    pub answer: &'static str,
    /// The text, or how it died.
    pub text: Option<String>,
    /// Bytes it took.
    pub size: Option<u8>,
}

impl AnswerView {
    /// In words.
    #[must_use]
    pub fn in_words(&self) -> String {
        match (self.answer, &self.text) {
            ("dead", Some(how)) => format!("dies ({how})"),
            (_, Some(text)) => text.clone(),
            (_, None) => "rejects the encoding".to_owned(),
        }
    }
}

impl From<&Answer> for AnswerView {
    fn from(answer: &Answer) -> Self {
        let (name, text) = match answer {
            Answer::Text { text, .. } => ("text", Some(text.clone())),
            Answer::Annotated { text, .. } => ("annotated", Some(text.clone())),
            Answer::Invalid => ("invalid", None),
            Answer::Dead(death) => ("dead", Some(death.to_string())),
        };
        Self { answer: name, text, size: answer.bytes() }
    }
}

/// A finding, with what the ledger says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingView {
    /// Its kind.
    pub kind: &'static str,
    /// The field responsible.
    pub field: String,
    /// Our value.
    pub ours: String,
    /// Theirs.
    pub theirs: String,
    /// The ledger entry that explains it; null for something new.
    pub entry: Option<EntryView>,
}

/// A ledger entry, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryView {
    /// Its id.
    pub id: String,
    /// Whose fault; only where the ledger is at hand, as the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// One line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl EntryView {
    /// The entry of this id; deaths behind the first instruction have none of their own.
    #[must_use]
    pub fn of(ledger: &Ledger, id: &str) -> Self {
        match ledger.get(id) {
            Some(entry) => Self::from(entry),
            None if id == RESYNC => Self {
                id: id.to_owned(),
                verdict: Some("not judged".to_owned()),
                title: Some("a tool died behind the first instruction, or on another encoding's word".to_owned()),
            },
            None => Self::named(id),
        }
    }

    /// The id alone.
    #[must_use]
    pub fn named(id: &str) -> Self {
        Self { id: id.to_owned(), verdict: None, title: None }
    }
}

impl From<&Entry> for EntryView {
    fn from(entry: &Entry) -> Self {
        Self { id: entry.id.clone(), verdict: Some(entry.verdict.to_string()), title: Some(entry.title.clone()) }
    }
}

/// What one LLVM makes of a window, beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedView {
    /// The version.
    pub llvm: String,
    /// `agreed`, `noted`, `known`, `new`; `unknown-processor` where this LLVM lacks it.
    pub outcome: &'static str,
    /// `llvm-mc`'s answer; null if it was not asked.
    pub llvm_mc: Option<AnswerView>,
    /// `llvm-objdump`'s answer.
    pub llvm_objdump: Option<AnswerView>,
    /// The differences.
    pub findings: Vec<FindingView>,
}

impl JudgedView {
    /// Of a judged window; `None`: this LLVM does not know the processor. Without a ledger entries have their ids only.
    #[must_use]
    pub fn of(ledger: Option<&Ledger>, version: &str, judged: Option<&Judged>) -> Self {
        let answer = |which: fn(&Pair) -> &Answer| Some(AnswerView::from(which(&judged?.pair)));
        let findings = judged.map_or(&[][..], |judged| &judged.findings);
        Self {
            llvm: version.to_owned(),
            outcome: judged.map_or("unknown-processor", |judged| outcome_name(judged.outcome)),
            llvm_mc: answer(|pair| &pair.mc),
            llvm_objdump: answer(|pair| &pair.objdump),
            findings: finding_views(ledger, findings),
        }
    }

    /// Whether another LLVM makes the same of the window.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        Self { llvm: self.llvm.clone(), ..other.clone() } == *self
    }
}

/// Findings; without a ledger entries have their ids only.
#[must_use]
pub fn finding_views(ledger: Option<&Ledger>, findings: &[Explained]) -> Vec<FindingView> {
    let view = |Explained { finding, entry }: &Explained| FindingView {
        kind: finding.kind.name(),
        field: finding.field.clone(),
        ours: finding.ours.clone(),
        theirs: finding.theirs.clone(),
        entry: entry.as_ref().map(|id| match ledger {
            Some(ledger) => EntryView::of(ledger, id),
            None => EntryView::named(id),
        }),
    };
    findings.iter().map(view).collect()
}

/// A window in its three spellings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowView {
    /// Dwords in memory order.
    pub window: String,
    /// Bytes as `llvm-mc` takes them.
    pub bytes: String,
}

impl From<&Window> for WindowView {
    fn from(window: &Window) -> Self {
        Self { window: window.to_string(), bytes: llvm_bytes(window) }
    }
}

/// A row of the opcode table.
#[derive(Clone, Debug, Serialize)]
pub struct OpcodeView {
    /// The number in OP.
    pub number: u8,
    /// AMD's name; null where it has none.
    pub amd: Option<&'static str>,
    /// LLVM's name; null where it has none.
    pub llvm: Option<&'static str>,
    /// The ledger entry that says why the names differ.
    pub names_differ: Option<&'static str>,
    /// The family.
    pub family: &'static str,
    /// The destination.
    pub vdst: Option<OperandView>,
    /// The sources.
    pub src: Vec<OperandView>,
    /// The modifiers of a matrix instruction, by LLVM's names; null for other instructions.
    pub modifiers: Option<Vec<&'static str>>,
    /// The processors that have it.
    pub targets: Vec<&'static str>,
    /// The processors on which it takes DPP.
    pub dpp: Vec<&'static str>,
    /// Where the row comes from.
    pub source: &'static str,
}

/// An operand of the opcode table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperandView {
    /// Its format, or how many dwords a tuple has: `x4`, or `x4-x8` where a modifier decides.
    pub format: String,
    /// The same in wave64, where that is another and no wave size was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave64: Option<String>,
    /// What it may be on the target that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl OperandView {
    /// The destination (0) or a source (1 to 3), on one target or in general; `None` if the opcode does not have it.
    #[must_use]
    pub fn of(opcode: &Opcode, target: Option<Target>, operand: usize) -> Option<Self> {
        let format = [opcode.vdst, opcode.src[0], opcode.src[1], opcode.src[2]][operand];
        if format.dwords() == 0 {
            return None;
        }
        if !opcode.is_matrix() {
            let kind = operand.checked_sub(1).zip(target).map(|(slot, target)| opcode.source_kind(target, slot));
            let kind = kind.map(|kind| kind_name(kind).to_owned());
            return Some(Self { format: format_name(format), wave64: None, kind });
        }
        // The processors of a matrix row agree on widths.
        let first = target.or_else(|| Target::all().find(|one| opcode.on.contains(one.index())))?;
        let format = tuple_name(opcode, first, operand);
        let wave64 = first.with_wave(64).filter(|_| target.is_none()).map(|other| tuple_name(opcode, other, operand));
        Some(Self {
            wave64: wave64.filter(|wave64| *wave64 != format),
            format,
            kind: target.and_then(|target| Some(matrix_kind_name(target, opcode.layout(target)?, operand))),
        })
    }

    /// `x8|x4:vgpr`.
    #[must_use]
    pub fn in_short(&self) -> String {
        let wave64 = self.wave64.as_ref().map_or(String::new(), |wave64| format!("|{wave64}"));
        let kind = self.kind.as_ref().map_or(String::new(), |kind| format!(":{kind}"));
        format!("{}{wave64}{kind}", self.format)
    }
}

/// The modifiers of a matrix instruction by LLVM's names, in either wave size if none is given; `None` for others.
#[must_use]
pub fn modifiers_of(opcode: &Opcode, target: Option<Target>) -> Option<Vec<&'static str>> {
    let matrix = opcode.matrix()?;
    let mut names = modifier_names(matrix.layout(target.map_or(32, Target::wave)));
    if target.is_none() {
        let more = modifier_names(matrix.layout(64));
        let more: Vec<&str> = more.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(more);
    }
    Some(names)
}

impl OpcodeView {
    /// Of a row, on one target or in general.
    #[must_use]
    pub fn of(opcode: &Opcode, target: Option<Target>, names_differ: Option<&'static str>) -> Self {
        let names = |has: &dyn Fn(usize) -> bool| -> Vec<&'static str> {
            let places = Target::all().filter(|one| target.is_none_or(|target| target.index() == one.index()));
            places.filter(|one| has(one.index())).map(Target::cpu).collect()
        };
        Self {
            number: opcode.number,
            amd: Some(opcode.amd).filter(|amd| !amd.is_empty()),
            llvm: Some(opcode.llvm).filter(|llvm| !llvm.is_empty()),
            names_differ,
            family: opcode.family(),
            vdst: OperandView::of(opcode, target, 0),
            src: (1..=opcode.sources()).filter_map(|operand| OperandView::of(opcode, target, operand)).collect(),
            modifiers: modifiers_of(opcode, target),
            targets: names(&|p| opcode.on.contains(p)),
            dpp: names(&|p| opcode.on.contains(p) && opcode.dpp.contains(p)),
            source: opcode.source,
        }
    }
}
