//! The fields of a window: which bits, what they hold, what that means; and a picture of them.

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
    fn own_name(&self) -> &'static str {
        self.name.strip_prefix("body_").unwrap_or(self.name)
    }

    /// A name that fits into a box of so many characters.
    fn label(&self, room: usize) -> &'static str {
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

/// Characters a bit takes in the picture, its border included.
const BIT: usize = 3;

/// Columns of a line at most.
const WIDTH: usize = 100;

/// The picture: a box a field, dword by dword, at most 97 columns wide; then a line a field, or more where its meaning is
/// long.
#[must_use]
pub fn draw(target: Target, window: &Window) -> Vec<String> {
    let fields = fields(target, window);
    let mut lines = Vec::new();
    for (index, dword) in window.dwords().iter().enumerate() {
        let boxes = boxes_of(&fields, index);
        lines.push(match (index, boxes.is_empty()) {
            (_, true) => format!("dword {index}: {dword:08x}, not part of the instruction"),
            _ => format!("dword {index}: {dword:08x}"),
        });
        if !boxes.is_empty() {
            draw_boxes(&boxes, *dword, &mut lines);
        }
        lines.push(String::new());
    }
    let width = |column: &dyn Fn(&FieldView) -> usize| fields.iter().map(column).max().unwrap_or(0);
    let (bits, name) = (width(&|f| f.bits().len()), width(&|f| full_name(f).len()));
    let raw = width(&|f| f.raw_text().len());
    for field in &fields {
        let mut line = format!("{:<bits$}  {:<name$}  {:<raw$} ", field.bits(), full_name(field), field.raw_text());
        for word in field.meaning.split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(line.trim_end().to_owned());
                line = " ".repeat(bits + name + raw + 5);
            }
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// With the label of the picture where that is another.
fn full_name(field: &FieldView) -> String {
    let narrow = field.parts.iter().map(|(_, width)| usize::from(*width) * BIT - 1).min().unwrap_or(0);
    match field.label(narrow) {
        label if label == field.own_name() => field.name.to_owned(),
        label => format!("{} ({label})", field.name),
    }
}

/// One box: highest bit, width, label.
type Cell = (u8, u8, &'static str);

/// The boxes of a dword, highest bit first; none unless they cover it.
fn boxes_of(fields: &[FieldView], index: usize) -> Vec<Cell> {
    let mut boxes: Vec<Cell> = Vec::new();
    for field in fields {
        for (lo, width) in field.parts.iter().filter(|(lo, _)| usize::from(lo / 32) == index) {
            boxes.push((lo + width - 1, *width, field.label(usize::from(*width) * BIT - 1)));
        }
    }
    boxes.sort_by_key(|(hi, ..)| core::cmp::Reverse(*hi));
    // A word cut short lacks the field that lies across both dwords.
    if boxes.iter().map(|(_, width, _)| u32::from(*width)).sum::<u32>() < 32 && !boxes.is_empty() {
        fill(&mut boxes, index as u8 * 32 + 31);
    }
    boxes
}

/// Puts empty boxes where bits below `top` are in none.
fn fill(boxes: &mut Vec<Cell>, top: u8) {
    let mut filled = Vec::new();
    let mut next = i16::from(top);
    let bottom = i16::from(top) - 31;
    for cell in boxes.iter().copied().chain([((bottom - 1).max(0) as u8, 0, "")]) {
        let hi = if cell.1 == 0 { bottom - 1 } else { i16::from(cell.0) };
        if hi < next {
            filled.push((next as u8, (next - hi) as u8, ""));
        }
        if cell.1 > 0 {
            filled.push(cell);
            next = hi - i16::from(cell.1);
        }
    }
    *boxes = filled;
}

fn draw_boxes(boxes: &[Cell], dword: u32, lines: &mut Vec<String>) {
    let (mut ends, mut edge, mut bits, mut labels) =
        (String::from(" "), String::from("+"), String::from("|"), String::from("|"));
    for (hi, width, label) in boxes {
        let room = usize::from(*width) * BIT - 1;
        let lo = hi + 1 - width;
        let numbers = match width {
            1 => format!("{hi:>room$}"),
            _ => format!("{hi}{lo:>rest$}", rest = room - hi.to_string().len()),
        };
        ends.push_str(&numbers);
        ends.push(' ');
        edge.push_str(&"-".repeat(room));
        edge.push('+');
        let digits: Vec<String> = (lo..=*hi).rev().map(|bit| format!(" {}", dword >> (bit % 32) & 1)).collect();
        bits.push_str(&digits.join(" "));
        bits.push('|');
        labels.push_str(&format!("{label:^room$}"));
        labels.push('|');
    }
    lines.extend([ends.trim_end().to_owned(), edge.clone(), bits, labels, edge]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::PAIRS;

    fn drawn(cpu: &str, window: &str) -> String {
        draw(cpu.parse().unwrap(), &window.parse().unwrap()).join("\n")
    }

    #[test]
    fn a_word_is_drawn_with_every_field() {
        assert_eq!(
            drawn("gfx900", "d3a00005 040e0480"),
            "\
dword 0: d3a00005
 31                      23 22                16 15 14 13    11 10     8 7                     0
+--------------------------+--------------------+--+--+--------+--------+-----------------------+
| 1  1  0  1  0  0  1  1  1| 0  1  0  0  0  0  0| 0| 0| 0  0  0| 0  0  0| 0  0  0  0  0  1  0  1|
|          prefix          |         op         |cl|hi| op_sel | neg_hi |         vdst          |
+--------------------------+--------------------+--+--+--------+--------+-----------------------+

dword 1: 040e0480
 63    61 60 59 58                      50 49                      41 40                      32
+--------+-----+--------------------------+--------------------------+--------------------------+
| 0  0  0| 0  0| 1  0  0  0  0  0  0  1  1| 1  0  0  0  0  0  0  1  0| 0  1  0  0  0  0  0  0  0|
| neg_lo | hi  |           src2           |           src1           |           src0           |
+--------+-----+--------------------------+--------------------------+--------------------------+

7:0       vdst            5      v5, f32
10:8      neg_hi          0b000  nothing absolute
13:11     op_sel          0b000  half read: whole, whole, whole
15        clamp (cl)      0      result not clamped
22:16     op              32     V_MAD_MIX_F32
31:23     prefix          0x1a7  VOP3P
40:32     src0            128    constant 0, b32
49:41     src1            258    v2, b32
58:50     src2            259    v3, b32
14,60:59  op_sel_hi (hi)  0b000  read as f32, f32, f32
63:61     neg_lo          0b000  nothing negated"
        );
    }

    #[test]
    fn no_line_is_wider_than_100_columns_and_no_window_panics() {
        let windows = [
            "d38f4000",
            "cc0f40e0 180207e0 00000000",
            "cc134000 1c0e04fa ff06e401",
            "ffffffff ffffffff ffffffff ffffffff",
        ];
        let check = |target: Target, window: Window| {
            let text = draw(target, &window);
            assert!(text.iter().all(|line| line.chars().count() <= 100), "{target} {window}: {text:#?}");
        };
        for target in Target::all() {
            windows.iter().for_each(|window| check(target, window.parse().unwrap()));
            let waves = target.rules().waves.iter().filter_map(|wave| target.with_wave(*wave));
            for (wave, opcode) in waves.flat_map(|wave| wave.opcodes().map(move |opcode| (wave, opcode))) {
                let word = target.rules().prefix.value | u32::from(opcode.number) << 16;
                for (low, high) in [(0, 0), (0xffff, u32::MAX), (0xf7ff, 0xfc02_05f0), (0xf7ff, 0x1000_05e9)] {
                    for pair in PAIRS.iter().filter(|pair| pair.scale == opcode.number) {
                        let body = target.rules().prefix.value | u32::from(pair.body) << 16;
                        let window = Window::from_word(u64::from(word | low) | u64::from(high) << 32);
                        check(wave, window.with_dword(2, body | 1 << 11 | low & 0x87ff).with_dword(3, high));
                    }
                    check(wave, Window::from_word(u64::from(word | low) | u64::from(high) << 32));
                }
            }
        }
    }

    /// The lines of the fields only.
    fn listed(cpu: &str, window: &str) -> String {
        drawn(cpu, window)
            .lines()
            .rev()
            .take_while(|line| !line.is_empty())
            .fold(String::new(), |text, line| if text.is_empty() { line.to_owned() } else { format!("{line}\n{text}") })
    }

    #[test]
    fn an_mfma_word_is_drawn_with_its_own_fields() {
        assert_eq!(
            drawn("gfx942", "d3cd8a3c 9e120902"),
            "\
dword 0: d3cd8a3c
 31                      23 22                16 15 14       11 10     8 7                     0
+--------------------------+--------------------+--+-----------+--------+-----------------------+
| 1  1  0  1  0  0  1  1  1| 1  0  0  1  1  0  1| 1| 0  0  0  1| 0  1  0| 0  0  1  1  1  1  0  0|
|          prefix          |         op         |cd|   abid    |  cbsz  |         vdst          |
+--------------------------+--------------------+--+-----------+--------+-----------------------+

dword 1: 9e120902
 63    61 60 59 58                      50 49                      41 40                      32
+--------+-----+--------------------------+--------------------------+--------------------------+
| 1  0  0| 1  1| 1  1  0  0  0  0  1  0  0| 1  0  0  0  0  0  1  0  0| 1  0  0  0  0  0  0  1  0|
|  blgp  | acc |           src2           |           src1           |           src0           |
+--------+-----+--------------------------+--------------------------+--------------------------+

7:0    vdst         60     a[60:63], D
10:8   cbsz         2      one block of A broadcast to 4, breaks cbsz-range
14:11  abid         1      block 1 of A broadcast
15     acc_cd (cd)  1      D and C in AccVGPRs
22:16  op           77     V_MFMA_F32_16X16X16_F16
31:23  prefix       0x1a7  VOP3P
40:32  src0         258    a[2:3], A
49:41  src1         260    a[4:5], B
58:50  src2         388    a[132:135], C
60:59  acc          0b11   [0] A in AccVGPRs; [1] B in AccVGPRs
63:61  blgp         4      lane group pattern 4 of B"
        );
        // F64 on CDNA3: BLGP is NEG; CBSZ and ABID are ignored.
        let text = listed("gfx942", "d3ee0b04 bc120902");
        for line in [
            "7:0    vdst         4      v[4:11], D",
            "10:8   cbsz         3      changes nothing",
            "14:11  abid         1      changes nothing",
            "63:61  neg_lo       0b101  negated: A, C",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        // SMFMAC: source 2 is the index, ACC_CD moves the destination only, bits 63:61 are zero.
        let text = listed("gfx942", "d3e28b00 2c0a0902");
        for line in [
            "7:0    vdst         0      a[0:3], C and D",
            "10:8   cbsz         3      picks the set of indices, with abid",
            "15     acc_cd (cd)  1      C and D in AccVGPRs",
            "58:50  src2         258    v2, index",
            "60:59  acc          0b01   [0] A in AccVGPRs; [1] B in VGPRs",
            "63:61  neg_lo       0b001  must be 0, breaks matrix-fixed",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let text = listed("gfx908", "d3c08000 04020501");
        let line = "15     acc_cd (cd)  1      reserved, to be 0, breaks acc-cd-reserved: D and C in AccVGPRs";
        assert!(text.lines().any(|found| found == line), "{text}");
    }

    #[test]
    fn wmma_words_say_signs_halves_and_indices() {
        assert_eq!(
            listed("gfx1100", "cc42e110 bc421100"),
            "\
7:0       vdst            16     v[16:23], D
10:8      neg_hi          0b001  [1:0] negated: high half of A; [2] C not absolute
13:11     op_sel          0b100  [1:0] changes nothing; [2] C and D in the high halves
15        clamp (cl)      1      changes nothing
22:16     op              66     V_WMMA_F16_16X16X16_F16
31:23     prefix          0x198  VOP3P
40:32     src0            256    v[0:7], A
49:41     src1            264    v[8:15], B
58:50     src2            272    v[16:23], C
14,60:59  op_sel_hi (hi)  0b111  changes nothing
63:61     neg_lo          0b101  negated: low half of A, C"
        );
        assert_eq!(
            listed("gfx1200:w64", "cc541910 3c421100"),
            "\
7:0       vdst            16     v[16:19], C and D
10:8      neg_hi          0b001  must be 0, breaks iu-neg
13:11     op_sel          0b011  [1:0] set 3 of the indices; [2] changes nothing
15        clamp (cl)      0      result not clamped
22:16     op              84     V_SWMMAC_I32_16X16X32_IU8
31:23     prefix          0x198  VOP3P
40:32     src0            256    v0, A
49:41     src1            264    v[8:9], B
58:50     src2            272    v16, index
14,60:59  op_sel_hi (hi)  0b011  changes nothing
63:61     neg_lo          0b001  [1:0] A signed, B unsigned; [2] must be 0"
        );
        let text = listed("gfx1250", "cc606000 18622108");
        for line in [
            "13:11     op_sel          0b100  [1:0] reserved, to be 0; [2] A reused",
            "14,60:59  op_sel_hi (hi)  0b111  [1:0] reserved, to be 0, breaks wmma-unused-field; [2] B reused",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn both_words_of_a_pair_are_drawn() {
        let text = drawn("gfx950", "d3ac1000 08028120 d3ad0c04 5c52190c");
        assert!(text.contains("\n 127  125 124123 122                    114 113 "), "{text}");
        assert_eq!(
            listed("gfx950", "d3ac1000 08028120 d3ad0c04 5c52190c"),
            "\
7:0         vdst                 0      changes nothing
10:8        neg_hi               0b000  changes nothing
13:11       op_sel               0b010  [1:0] low bits of byte 2 of A, 1 of B; [2] changes nothing
15          clamp (cl)           0      changes nothing
22:16       op                   44     scale word of V_MFMA_SCALE_F32_16X16X128_F8F6F4
31:23       prefix               0x1a7  VOP3P
40:32       src0                 288    v32, scale of A
49:41       src1                 320    v64, scale of B
58:50       src2                 0      changes nothing
14,60:59    op_sel_hi (hi)       0b001  [1:0] high bits of byte 2 of A, 1 of B; [2] changes nothing
63:61       neg_lo               0b000  changes nothing
71:64       body_vdst            4      v[4:7], D
74:72       body_neg_hi          0b100  A is FP4
77:75       body_op_sel          0b001  must be 1
79          body_clamp (cl)      0      D and C in VGPRs
86:80       body_op              45     V_MFMA_F32_16X16X128_F8F6F4
95:87       body_prefix          0x1a7  VOP3P
104:96      body_src0            268    a[12:15], A
113:105     body_src1            268    a[12:17], B
122:114     body_src2            276    v[20:23], C
78,124:123  body_op_sel_hi (hi)  0b011  [0] A in AccVGPRs; [1] B in AccVGPRs; [2] must be 0
127:125     body_neg_lo          0b010  B is FP6"
        );
        assert_eq!(
            listed("gfx1250", "cc352800 44028120 cc330810 84428120"),
            "\
7:0         vdst                 0      changes nothing
10:8        neg_hi               0b000  [1:0] scales of B are E8; [2] reserved, to be 0
13:11       op_sel               0b101  [0] row 1 scales A; [1] reserved, to be 0; [2] A reused
15          clamp (cl)           0      reserved, to be 0
23:16       op                   53     scale word of V_WMMA_SCALE_F32_16X16X128_F8F6F4
31:24       prefix               0xcc   VOP3P
40:32       src0                 288    v32, scale of A
49:41       src1                 320    v64, scale of B
58:50       src2                 256    must be 256
14,60:59    op_sel_hi (hi)       0b000  [0] row 0 scales B; [1] reserved, to be 0; [2] B not reused
63:61       neg_lo               0b010  [1:0] scales of A are E4M3; [2] reserved, to be 0
71:64       body_vdst            16     v[16:23], D
74:72       body_neg_hi          0b000  [1:0] must be 0; [2] C not absolute
77:75       body_op_sel          0b001  A is BF8
79          body_clamp (cl)      0      reserved, to be 0
87:80       body_op              51     V_WMMA_F32_16X16X128_F8F6F4
95:88       body_prefix          0xcc   VOP3P
104:96      body_src0            288    v[32:47], A
113:105     body_src1            320    v[64:79], B
122:114     body_src2            272    v[16:23], C
78,124:123  body_op_sel_hi (hi)  0b000  B is FP8
127:125     body_neg_lo          0b100  [1:0] must be 0; [2] C negated"
        );
        // Long meanings go on in the next line.
        let text = listed("gfx1250", "cc352c00 e4028120 cc330810 84428120");
        let lines = "\
10:8        neg_hi               0b100  [1:0] scales of B are E8; [2] reserved, to be 0, breaks
                                        wmma-unused-field
";
        assert!(text.contains(lines), "{text}");
        // The fields are there, too, where the pair is undefined.
        let text = listed("gfx950", "d3ac0000 000280ff d3ad0800 045218ff");
        assert!(text.contains("40:32       src0                 255    undefined: literal-before-gfx10"), "{text}");
        assert!(text.contains("104:96      body_src0            255    literal, A"), "{text}");
    }

    #[test]
    fn what_lies_behind_the_instruction_is_said() {
        let text = drawn("gfx1100", "cc0f40e0 180207e0 00001234");
        assert!(text.contains("dword 2: 00001234, not part of the instruction"), "{text}");
        let text = drawn("gfx1100", "cc134000 1c0e04fa ff06e401");
        assert!(text.contains("80:72     dpp_ctrl"), "{text}");
        assert!(text.contains("quad_perm:[0,1,2,3]"), "{text}");
        let text = drawn("gfx1250", "cc884000 1c0e0501");
        assert!(text.contains("23:16     op              136    V_WMMA_F32_32X16X128_F4"), "{text}");
        assert!(drawn("gfx1100", "cc0f40e0").contains("22:16  op"), "a word cut short still shows its opcode");
    }
}
