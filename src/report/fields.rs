//! The fields of a window: which bits, what they hold, what that means.

use super::matrix::MatrixWord;
use super::names::{format_name, source_name};
use crate::codec::{Decoded, Field, Undefined, Window, body_of, decode, fields_of};
use crate::isa::{self, DPP8, DPP16, Form, Format, LITERAL, Matrix, Opcode, Pair, Source, Target, pair_of};
use crate::plain::opcode_number;

/// One field of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldView {
    /// Its name.
    pub name: &'static str,
    /// Its bits, lowest part of the value first: lowest bit in the window and width.
    pub parts: Vec<(u8, u8)>,
    /// What it holds.
    pub raw: u32,
    /// What that means.
    pub meaning: String,
}

impl FieldView {
    /// Its bits, highest part of the value first: `14,60:59`.
    #[must_use]
    pub fn bits(&self) -> String {
        let part = |(lo, width): &(u8, u8)| match width {
            1 => lo.to_string(),
            _ => format!("{}:{lo}", lo + width - 1),
        };
        self.parts.iter().rev().map(part).collect::<Vec<_>>().join(",")
    }

    /// What it holds, in the base that suits it.
    #[must_use]
    pub fn raw_text(&self) -> String {
        match (self.own_name(), self.parts.iter().map(|(_, width)| width).sum::<u8>()) {
            ("op" | "vdst" | "src0" | "src1" | "src2" | "vsrc0" | "cbsz" | "abid" | "blgp", _) | (_, 1) => {
                self.raw.to_string()
            }
            (_, 2) => format!("{:#04b}", self.raw),
            (_, 3) => format!("{:#05b}", self.raw),
            _ => format!("{:#x}", self.raw),
        }
    }

    /// Its name within its word.
    pub(super) fn own_name(&self) -> &'static str {
        self.name.strip_prefix("body_").unwrap_or(self.name)
    }

    /// A name that fits into a box of so many characters.
    pub(super) fn label(&self, room: usize) -> &'static str {
        match self.own_name() {
            name if name.len() <= room => name,
            "op_sel_hi" => "hi",
            "clamp" => "cl",
            "acc_cd" => "cd",
            "bound_ctrl" => "bc",
            "dpp_reserved" => "re",
            "dpp_ignored" => "ignored",
            _ => "",
        }
    }
}

/// The fields of a window, from bit 0 on; dwords that are no part of the instruction have none.
#[must_use]
pub fn fields(target: Target, window: &Window) -> Vec<FieldView> {
    let decoded = decode(target, window);
    let opcode = match decoded {
        Err(Undefined::NotVop3p) => None,
        _ => target.opcode(opcode_number(target, window)),
    };
    let body = opcode.and_then(|opcode| body_of(target, opcode, window));
    let reader = Reader { target, window, opcode, body, decoded: &decoded };
    let behind = reader.has_third_dword();
    let mut views: Vec<FieldView> = fields_of(target, window)
        .into_iter()
        .filter(|field| behind || field.bits() >> 64 == 0)
        .filter(|field| field.row().parts.iter().all(|(lo, _)| usize::from(lo / 32) < window.dwords().len()))
        .map(|field| reader.view(field))
        .collect();
    views.sort_by_key(|view| view.parts[0].0);
    views
}

struct Reader<'a> {
    target: Target,
    window: &'a Window,
    opcode: Option<&'static Opcode>,
    /// The opcode of the matrix word, if the window starts with a scaled pair.
    body: Option<&'static Opcode>,
    decoded: &'a Result<Decoded, Undefined>,
}

impl<'a> Reader<'a> {
    fn has_third_dword(&self) -> bool {
        self.body.is_some() || self.decoded.as_ref().is_ok_and(|decoded| decoded.size > 8)
    }

    fn pair(&self) -> Option<&'static Pair> {
        pair_of(self.opcode?.number, self.body?.number)
    }

    fn view(&self, field: Field) -> FieldView {
        // Bit 23 belongs to the opcode on CDNA5.
        let op_bits = self.target.rules().prefix.op_bits as u8;
        let word = field.row().parts[0].0 & 64;
        let dword = self.window.dwords().get(usize::from(word / 32)).copied().unwrap_or(0);
        let (parts, raw) = match field {
            Field::Op | Field::BodyOp => (vec![(word + 16, op_bits)], dword >> 16 & ((1 << op_bits) - 1)),
            Field::Prefix | Field::BodyPrefix => (vec![(word + 16 + op_bits, 16 - op_bits)], dword >> (16 + op_bits)),
            _ => (field.row().parts.to_vec(), field.get(self.window)),
        };
        let opcode = if self.body.is_some() && word > 0 { self.body } else { self.opcode };
        let meaning = match opcode.and_then(|opcode| self.matrix_word(opcode, word > 0)) {
            Some(matrix) => self.matrix_meaning(&matrix, field),
            None => self.meaning(field, raw),
        };
        FieldView { name: field.name(), parts, raw, meaning }
    }

    /// The matrix word of the window, the first or the second.
    fn matrix_word(&self, opcode: &'static Opcode, is_second: bool) -> Option<MatrixWord<'a>> {
        let layout = match self.body {
            Some(_) => opcode.matrix().map(Matrix::paired_layout)?,
            None => opcode.layout(self.target)?,
        };
        let dword = |index: usize| u64::from(self.window.dwords().get(index).copied().unwrap_or(0));
        let first = if is_second { 2 } else { 0 };
        // The sources of the first word of a pair come after those of the second.
        let first_slot = if self.body.is_some() && !is_second { 3 } else { 0 };
        Some(MatrixWord {
            target: self.target,
            opcode,
            layout,
            word: dword(first) | dword(first + 1) << 32,
            undefined: self.decoded.as_ref().err().map(|undefined| (undefined, first_slot)),
        })
    }

    fn matrix_meaning(&self, matrix: &MatrixWord<'_>, field: Field) -> String {
        match field {
            Field::Prefix | Field::BodyPrefix => "VOP3P".to_owned(),
            Field::Op => match self.pair() {
                Some(pair) => format!("scale word of {}", pair.amd),
                None => self.opcode_meaning(matrix.opcode),
            },
            Field::BodyOp => self.opcode_meaning(matrix.opcode),
            Field::Vdst | Field::BodyVdst => matrix.operand(0),
            Field::Src0 | Field::BodySrc0 => matrix.operand(1),
            Field::Src1 | Field::BodySrc1 => matrix.operand(2),
            Field::Src2 | Field::BodySrc2 => matrix.operand(3),
            _ => matrix.field(&field.row().parts.iter().map(|(lo, width)| (lo % 64, *width)).collect::<Vec<_>>()),
        }
    }

    fn meaning(&self, field: Field, raw: u32) -> String {
        let target = self.target;
        let prefix = target.rules().prefix;
        match (field, self.opcode) {
            (Field::Prefix, _) if self.window.dwords()[0] & prefix.mask == prefix.value => "VOP3P".to_owned(),
            (Field::Prefix, _) => format!("not VOP3P, which has {:#x} here", prefix.value >> (16 + prefix.op_bits)),
            (Field::Op, Some(opcode)) => self.opcode_meaning(opcode),
            (Field::Op, None) if *self.decoded == Err(Undefined::NotVop3p) => String::new(),
            (Field::Op, None) => format!("no such opcode on {}", target.cpu()),
            (_, None) => String::new(),
            (Field::Vdst, Some(opcode)) => {
                let register = source_name(Source::Vgpr(raw as u8), opcode.vdst.dwords());
                format!("{register}, {}", format_name(opcode.vdst))
            }
            (Field::Src0, Some(opcode)) => self.source(opcode, 0, raw as u16),
            (Field::Src1, Some(opcode)) => self.source(opcode, 1, raw as u16),
            (Field::Src2, Some(opcode)) => self.source(opcode, 2, raw as u16),
            (Field::OpSel | Field::OpSelHi | Field::Neg | Field::NegHi, Some(opcode)) => {
                self.per_source(opcode, field, raw)
            }
            (Field::Clamp | Field::Fi | Field::BoundCtrl, _) => on_off(field, raw).to_owned(),
            (Field::Literal, _) => format!("literal {raw:#x}"),
            (Field::Vsrc0, Some(opcode)) => {
                format!("{}, {}: source 0", source_name(Source::Vgpr(raw as u8), 1), format_name(opcode.src[0]))
            }
            (Field::Lanes, _) => {
                let lanes: Vec<String> = (0..8).map(|lane| (raw >> (lane * 3) & 7).to_string()).collect();
                format!("lanes 0 to 7 read [{}]", lanes.join(","))
            }
            (Field::DppCtrl, _) => dpp_ctrl(raw),
            (Field::DppReserved, _) => if raw == 0 { "" } else { "reserved, to be 0" }.to_owned(),
            (Field::DppIgnored, _) => "changes nothing".to_owned(),
            (Field::BankMask | Field::RowMask, _) => match raw {
                15 => "all".to_owned(),
                _ => {
                    let which: Vec<String> = (0..4).filter(|b| raw >> b & 1 != 0).map(|b| b.to_string()).collect();
                    if which.is_empty() { "none".to_owned() } else { format!("only {}", which.join(", ")) }
                }
            },
            _ => String::new(),
        }
    }

    fn opcode_meaning(&self, opcode: &Opcode) -> String {
        if opcode.amd.is_empty() {
            return format!("{} to LLVM, nameless to AMD", opcode.llvm);
        }
        let llvm = match opcode.llvm {
            "" => ", unknown to LLVM".to_owned(),
            llvm if llvm == opcode.amd.to_lowercase() => String::new(),
            llvm => format!(", {llvm} to LLVM"),
        };
        format!("{}{llvm}", opcode.amd)
    }

    fn source(&self, opcode: &Opcode, slot: usize, selector: u16) -> String {
        if slot >= opcode.sources() {
            return "not used".to_owned();
        }
        if let Err(undefined @ Undefined::Selector { slot: at, .. }) = self.decoded
            && usize::from(*at) == slot
        {
            return format!("undefined: {}", undefined.id());
        }
        let format = format_name(opcode.src[slot]);
        match isa::source(self.target.generation(), selector) {
            Some(source) => format!("{}, {format}", source_name(source, opcode.src[slot].dwords())),
            None if selector == LITERAL => format!("literal, {format}"),
            None if DPP8.contains(&selector) => {
                let lanes = if selector == DPP8[1] { "inactive lanes too" } else { "active lanes" };
                format!("DPP8: source 0 is vsrc0, {lanes}")
            }
            None if selector == DPP16 => "DPP16: source 0 is vsrc0".to_owned(),
            None => "undefined".to_owned(),
        }
    }

    /// The modifiers with one bit a source.
    fn per_source(&self, opcode: &Opcode, field: Field, raw: u32) -> String {
        let count = opcode.sources();
        let bit = |slot: usize| raw >> slot & 1 != 0;
        let all = |show: &dyn Fn(usize) -> &'static str| (0..count).map(show).collect::<Vec<_>>().join(", ");
        let those = |what: &str| {
            let slots: Vec<String> =
                (0..count).filter(|slot| bit(*slot)).map(|slot| format!("source {slot}")).collect();
            if slots.is_empty() { format!("nothing {what}") } else { format!("{what}: {}", slots.join(", ")) }
        };
        let half = |slot: usize| if bit(slot) { "high" } else { "low" };
        // An operand that is one number has no halves to pick from.
        let halves = || all(&|slot| if format_name(opcode.src[slot]).starts_with("pk") { half(slot) } else { "whole" });
        let part = if opcode.form == Form::Packed { "result" } else { "half" };
        let mut text = match (opcode.form, field) {
            (Form::Mix, Field::OpSelHi) => {
                let narrow = if opcode.llvm.contains("bf16") { "bf16" } else { "f16" };
                format!("read as {}", all(&|slot| if bit(slot) { narrow } else { "f32" }))
            }
            (Form::Mix, Field::OpSel) => {
                let narrow = Field::OpSelHi.get(self.window);
                format!("half read: {}", all(&|slot| if narrow >> slot & 1 == 0 { "whole" } else { half(slot) }))
            }
            (Form::Mix, Field::NegHi) => those("absolute"),
            (Form::Mix, _) => those("negated"),
            (Form::Move, Field::OpSel) => format!("dwords {} of source 0 and {} of source 1", half(0), half(1)),
            (Form::Move, Field::OpSelHi) => "changes nothing".to_owned(),
            (Form::DotFp8, Field::OpSel | Field::OpSelHi) => "fixed".to_owned(),
            (Form::Dot, Field::Neg) if matches!(opcode.src[0], Format::Pk4Iu8 | Format::Pk8Iu4) => those("signed"),
            (_, Field::OpSel) => format!("low {part} reads {}", halves()),
            (_, Field::OpSelHi) => format!("high {part} reads {}", halves()),
            (Form::DotFp8, Field::Neg) => those("negated"),
            (Form::DotFp8, _) => those("absolute"),
            (_, Field::Neg) => those(&format!("negated for the low {part}")),
            _ => those(&format!("negated for the high {part}")),
        };
        if raw >> count != 0 {
            text.push_str("; the bit of the unused source is set");
        }
        text
    }
}

fn on_off(field: Field, raw: u32) -> &'static str {
    match (field, raw) {
        (Field::Clamp, 0) => "result not clamped",
        (Field::Clamp, _) => "result clamped",
        (Field::Fi, 0) => "inactive lanes are not fetched",
        (Field::Fi, _) => "inactive lanes are fetched",
        (_, 0) => "lanes out of bounds keep the destination",
        _ => "lanes out of bounds read 0",
    }
}

fn dpp_ctrl(ctrl: u32) -> String {
    let n = ctrl & 15;
    match ctrl {
        0..=0xff => {
            let lane = |index: u32| ctrl >> (index * 2) & 3;
            format!("quad_perm:[{},{},{},{}]", lane(0), lane(1), lane(2), lane(3))
        }
        0x101..=0x10f => format!("row_shl:{n}"),
        0x111..=0x11f => format!("row_shr:{n}"),
        0x121..=0x12f => format!("row_ror:{n}"),
        0x140 => "row_mirror".to_owned(),
        0x141 => "row_half_mirror".to_owned(),
        0x150..=0x15f => format!("row_share:{n}"),
        0x160..=0x16f => format!("row_xmask:{n}"),
        _ => "reserved".to_owned(),
    }
}
