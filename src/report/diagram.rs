//! A picture of a window: a box a field, dword by dword, and a line a field.

use super::fields::{FieldView, fields};
use crate::codec::Window;
use crate::isa::Target;

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
