//! The plainest value of each field: what a minimised finding has wherever the value does not matter.

use crate::codec::{Field, Window};
use crate::isa::{Form, Target};

/// `V_PK_FMA_F16`, which every target has.
pub const PLAIN_OP: u8 = 14;

/// A literal that looks like no inline constant in any format and fits 16 bits.
pub const PLAIN_LITERAL: u32 = 0x1234;

/// The plainest value of a field in a window of this target: v0, v2, v4, v6; modifiers as an assembler leaves them;
/// DPP that moves no lane.
#[must_use]
pub fn plain_value(target: Target, window: &Window, field: Field) -> u32 {
    match field {
        Field::Vdst
        | Field::NegHi
        | Field::OpSel
        | Field::Clamp
        | Field::Neg
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

/// The all-plain word of an opcode: `OP v0, v2, v4, v6` without modifiers.
#[must_use]
pub fn plain_word(target: Target, number: u8) -> Window {
    let mut window = Window::from_word(u64::from(target.rules().prefix.value) | u64::from(number) << 16);
    for field in [Field::OpSelHi, Field::Src0, Field::Src1, Field::Src2] {
        window = with_plain(target, &window, field);
    }
    window
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
    }
}
