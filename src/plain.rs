//! The plainest value of each field: what a minimised finding has wherever the value does not matter.

use crate::codec::{Field, Window};
use crate::isa::{Form, Matrix, MatrixLayout, Opcode, PAIRS, Pair, Target};

/// `V_PK_FMA_F16`, which every target has.
pub const PLAIN_OP: u8 = 14;

/// A literal that looks like no inline constant in any format and fits 16 bits.
pub const PLAIN_LITERAL: u32 = 0x1234;

/// The plainest value of a field in a window of this target: v0, v2, v4, v6 (of a matrix word v0, v32, v64, v128, so
/// that no tuple overlaps another); modifiers as an assembler leaves them; DPP that moves no lane.
#[must_use]
pub fn plain_value(target: Target, window: &Window, field: Field) -> u32 {
    let number = opcode_number(target, window);
    if field.bits() >> 64 == 0
        && field != Field::Op
        && let Some((opcode, layout)) = target.opcode(number).and_then(|opcode| Some((opcode, opcode.layout(target)?)))
    {
        return field.get(&Window::from_word(plain_matrix_word(target, opcode, layout)));
    }
    match field {
        Field::Vdst
        | Field::NegHi
        | Field::OpSel
        | Field::Clamp
        | Field::Neg
        | Field::Cbsz
        | Field::Abid
        | Field::Blgp
        | Field::Acc
        | Field::AccCd
        | Field::DppReserved
        | Field::Fi
        | Field::BoundCtrl
        | Field::DppIgnored => 0,
        Field::OpSelHi => match target.opcode(opcode_number(target, window)).map(|opcode| opcode.form) {
            Some(Form::Mix) => 0,
            _ => 7,
        },
        Field::Op => u32::from(PLAIN_OP),
        Field::Prefix => target.rules().prefix.value >> 23,
        Field::Src0 => 256 + 2,
        Field::Src1 => 256 + 4,
        Field::Src2 => 256 + 6,
        Field::Literal => PLAIN_LITERAL,
        Field::Vsrc0 => 2,
        // Each lane from itself.
        Field::Lanes => 0o76543210,
        Field::DppCtrl => 0b11_10_01_00,
        Field::BankMask | Field::RowMask => 15,
        Field::BodyVdst
        | Field::BodyNegHi
        | Field::BodyOpSel
        | Field::BodyOpSelHi
        | Field::BodyClamp
        | Field::BodyOp
        | Field::BodyPrefix
        | Field::BodySrc0
        | Field::BodySrc1
        | Field::BodySrc2
        | Field::BodyNeg => {
            let body = plain_body(target, window).unwrap_or(0);
            let window = Window::from_word(0).with_dword(2, body as u32).with_dword(3, (body >> 32) as u32);
            field.get(&window)
        }
    }
}

/// The window with a field at its plainest.
#[must_use]
pub fn with_plain(target: Target, window: &Window, field: Field) -> Window {
    field.set(*window, plain_value(target, window, field))
}

/// The number in the opcode field of the target: 7 bits, 8 on CDNA5.
#[must_use]
pub fn opcode_number(target: Target, window: &Window) -> u8 {
    let bits = target.rules().prefix.op_bits;
    (window.dwords()[0] >> 16 & ((1 << bits) - 1)) as u8
}

/// A matrix word without modifiers.
fn plain_matrix_word(target: Target, opcode: &Opcode, layout: &MatrixLayout) -> u64 {
    const REGISTERS: u64 = (256 + 32) << 32 | (256 + 64) << 41 | (256 + 128) << 50;
    let (fixed, bits) = layout.fixed.iter().fold((0, 0), |(value, bits), row| (value | row.llvm, bits | row.bits));
    let op_sel_hi = u64::from(layout.default_op_sel_hi());
    u64::from(target.rules().prefix.value)
        | u64::from(opcode.number) << 16
        | REGISTERS & !bits
        | fixed
        | (op_sel_hi & 3) << 59
        | (op_sel_hi >> 2) << 14
}

/// The matrix word of the first pair that the window's scale word begins, all plain.
fn plain_body(target: Target, window: &Window) -> Option<u64> {
    let scale = opcode_number(target, window);
    let pair = PAIRS.iter().find(|pair| pair.scale == scale)?;
    let body = target.opcode(pair.body)?;
    Some(plain_matrix_word(target, body, body.matrix()?.paired_layout()))
}

/// The all-plain word of an opcode: `OP v0, v2, v4, v6` without modifiers; of a matrix opcode `OP v0, v32, v64, v128`,
/// of a CDNA5 scale word the pair, which is the only instruction it is part of.
#[must_use]
pub fn plain_word(target: Target, number: u8) -> Window {
    if let Some((opcode, layout)) = target.opcode(number).and_then(|opcode| Some((opcode, opcode.layout(target)?))) {
        let window = Window::from_word(plain_matrix_word(target, opcode, layout));
        return match plain_body(target, &window) {
            Some(body) if opcode.matrix() == Some(Matrix::ScaleCdna5) => {
                window.with_dword(2, body as u32).with_dword(3, (body >> 32) as u32)
            }
            _ => window,
        };
    }
    let mut window = Window::from_word(u64::from(target.rules().prefix.value) | u64::from(number) << 16);
    for field in [Field::OpSelHi, Field::Src0, Field::Src1, Field::Src2] {
        window = with_plain(target, &window, field);
    }
    window
}

/// The all-plain words of a scaled pair, if the target has it.
#[must_use]
pub fn plain_pair(target: Target, pair: &Pair) -> Option<Window> {
    let scale = target.opcode(pair.scale).filter(|row| row.matrix().is_some_and(Matrix::is_scale))?;
    let body = target.opcode(pair.body)?;
    let first = plain_matrix_word(target, scale, scale.matrix()?.paired_layout());
    let second = plain_matrix_word(target, body, body.matrix()?.paired_layout());
    let window = Window::from_word(first).with_dword(2, second as u32).with_dword(3, (second >> 32) as u32);
    // Where they pick bytes, it is the first that nothing is said of.
    Some(if pair.picks_bytes { Field::OpSelHi.set(window, 0) } else { window })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{asm, codec::decode};

    #[test]
    fn plain_words_are_plain() {
        let text = |cpu: &str, number| {
            let target = cpu.parse().unwrap();
            asm::print(target, &decode(target, &plain_word(target, number)).unwrap().instruction)
        };
        assert_eq!(text("gfx900", PLAIN_OP), "v_pk_fma_f16 v0, v2, v4, v6");
        assert_eq!(text("gfx1250", 61), "v_fma_mix_f32_bf16 v0, v2, v4, v6");
        assert_eq!(text("gfx90a", 51), "v_pk_mov_b32 v[0:1], v[2:3], v[4:5]");
        assert_eq!(text("gfx908", 64), "v_mfma_f32_32x32x1f32 a[0:31], v32, v64, a[128:159]");
        assert_eq!(text("gfx950", 44), "v_mfma_ld_scale_b32 v32, v64");
        assert_eq!(text("gfx1200", 80), "v_swmmac_f32_16x16x32_f16 v[0:7], v[32:35], v[64:71], v128");
        assert_eq!(
            text("gfx1250", 58),
            "v_wmma_scale16_f32_16x16x128_f8f6f4 v[0:7], v[32:47], v[64:79], v[128:135], v[32:33], v[64:65]"
        );
    }

    #[test]
    fn plain_pairs_are_plain() {
        let text = |cpu: &str, llvm: &str| {
            let target = cpu.parse().unwrap();
            let pair = PAIRS.iter().find(|pair| pair.llvm == llvm).unwrap();
            plain_pair(target, pair)
                .map(|window| asm::print(target, &decode(target, &window).unwrap().instruction).to_string())
        };
        let mfma = "v_mfma_scale_f32_32x32x64_f8f6f4";
        let wanted = format!("{mfma} v[0:15], v[32:39], v[64:71], v[128:143], v32, v64 op_sel_hi:[0,0,0]");
        assert_eq!(text("gfx950", mfma), Some(wanted));
        assert_eq!(text("gfx1250", mfma), None);
        let f4 = "v_wmma_scale_f32_32x16x128_f4";
        let wanted = format!("{f4} v[0:15], v[32:47], v[64:71], v[128:143], v32, v64");
        assert_eq!(text("gfx1250", f4), Some(wanted));
    }
}
