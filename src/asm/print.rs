//! Instruction to text, in LLVM 22's syntax and spelling.

use core::fmt::{self, Write as _};

use crate::codec::{Dpp, Instruction};
use crate::isa::{Form, Format, INLINE_FLOATS, MODIFIERS, Matrix, Source, Spelling, Target};

/// The text of an instruction, as LLVM's disassembler prints it.
#[must_use]
pub fn print(target: Target, instruction: &Instruction) -> String {
    Text { target, instruction }.to_string()
}

/// An instruction that displays as its text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The target whose register names are used.
    pub target: Target,
    /// The instruction.
    pub instruction: &'a Instruction,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instruction.opcode.is_matrix() {
            return self.matrix(f);
        }
        let Instruction { opcode, op_sel, op_sel_hi, neg_lo, neg_hi, .. } = *self.instruction;
        f.write_str(opcode.llvm)?;
        if self.instruction.dpp.is_some() {
            f.write_str("_e64_dpp")?;
        }
        f.write_str(" ")?;
        self.vdst(f)?;
        let is_mix = opcode.form == Form::Mix;
        for (slot, source) in self.instruction.sources().iter().enumerate() {
            let negative = is_mix && neg_lo >> slot & 1 != 0;
            let absolute = is_mix && neg_hi >> slot & 1 != 0;
            let (before, after) = match (negative, absolute) {
                (false, false) => (", ", ""),
                (false, true) => (", |", "|"),
                (true, true) => (", -|", "|"),
                (true, false) if self.is_bare_number(*source, opcode.src[slot]) => (", neg(", ")"),
                (true, false) => (", -", ""),
            };
            f.write_str(before)?;
            self.source(f, *source, opcode.src[slot], opcode.src[slot].dwords())?;
            f.write_str(after)?;
        }
        let count = opcode.sources();
        list(f, "op_sel", op_sel, 0, count)?;
        list(f, "op_sel_hi", op_sel_hi, opcode.default_op_sel_hi(), count)?;
        if !is_mix {
            list(f, "neg_lo", neg_lo, 0, count)?;
            list(f, "neg_hi", neg_hi, 0, count)?;
        }
        if self.instruction.clamp {
            f.write_str(" clamp")?;
        }
        self.instruction.dpp.map_or(Ok(()), |dpp| self.dpp(f, dpp))
    }
}

impl Text<'_> {
    /// The destination alone.
    #[must_use]
    pub fn vdst_text(&self) -> String {
        With(|f: &mut fmt::Formatter<'_>| self.vdst(f)).to_string()
    }

    /// A source alone (0 to 2), without sign and absolute value; 3 and 4 are the scales of a pair.
    #[must_use]
    pub fn source_text(&self, slot: usize) -> String {
        With(|f: &mut fmt::Formatter<'_>| self.source_at(f, slot)).to_string()
    }

    /// DPP alone; nothing if there is none.
    #[must_use]
    pub fn dpp_text(&self) -> String {
        let text = With(|f: &mut fmt::Formatter<'_>| self.instruction.dpp.map_or(Ok(()), |dpp| self.dpp(f, dpp)));
        text.to_string().trim_start().to_owned()
    }

    /// A matrix instruction. LLVM prints the register tuples as wide as the formats and the wave size make them.
    fn matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Instruction { opcode, op_sel, op_sel_hi, neg_lo, neg_hi, modifiers, scale, .. } = *self.instruction;
        match scale {
            Some(scale) => f.write_str(scale.pair.llvm)?,
            None => self.mnemonic(f)?,
        }
        let slots = (0..opcode.sources()).chain(scale.iter().flat_map(|_| 3..5));
        if opcode.vdst.dwords() > 0 {
            f.write_str(" ")?;
            self.vdst(f)?;
        }
        for (place, slot) in slots.enumerate() {
            f.write_str(if place == 0 && opcode.vdst.dwords() == 0 { " " } else { ", " })?;
            self.source_at(f, slot)?;
        }
        // OP_SEL of a CDNA4 scale word picks bytes; LLVM prints it with three values in a pair, and two in the word alone.
        let count = if scale.is_some() { 3 } else { opcode.sources() };
        let default = if scale.is_some_and(|scale| scale.pair.picks_bytes) { 7 } else { opcode.default_op_sel_hi() };
        list(f, "op_sel", op_sel, 0, count)?;
        list(f, "op_sel_hi", op_sel_hi, default, count)?;
        for row in &MODIFIERS {
            let value = modifiers.get(row.modifier);
            match (value, row.spelling) {
                (0, _) => {}
                (1, Spelling::Flag) => write!(f, " {}", row.name)?,
                (_, Spelling::Names(names)) if usize::from(value) < names.len() => {
                    write!(f, " {}:{}", row.name, names[usize::from(value)])?;
                }
                _ => write!(f, " {}:{value}", row.name)?,
            }
        }
        let is_f64 = opcode.matrix() == Some(Matrix::MfmaF64);
        list(f, if is_f64 { "neg" } else { "neg_lo" }, neg_lo, 0, opcode.sources())?;
        list(f, "neg_hi", neg_hi, 0, opcode.sources())?;
        f.write_str(if self.instruction.clamp { " clamp" } else { "" })
    }

    /// LLVM's mnemonic, or AMD's name where LLVM has none.
    fn mnemonic(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opcode = self.instruction.opcode;
        if !opcode.llvm.is_empty() {
            return f.write_str(opcode.llvm);
        }
        opcode.amd.chars().try_for_each(|letter| f.write_char(letter.to_ascii_lowercase()))
    }

    fn vdst(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Instruction { opcode, vdst, vdst_acc, modifiers, .. } = *self.instruction;
        register(f, if vdst_acc { "a" } else { "v" }, vdst, opcode.dwords(self.target, modifiers)[0])
    }

    fn source_at(&self, f: &mut fmt::Formatter<'_>, slot: usize) -> fmt::Result {
        let Instruction { opcode, src, modifiers, scale, .. } = *self.instruction;
        match scale {
            Some(scale) if slot >= 3 => self.source(f, scale.src[slot - 3], Format::B32, scale.pair.scale_dwords),
            _ => self.source(f, src[slot], opcode.src[slot], opcode.dwords(self.target, modifiers)[slot + 1]),
        }
    }

    fn source(&self, f: &mut fmt::Formatter<'_>, source: Source, format: Format, dwords: u8) -> fmt::Result {
        match source {
            Source::Vgpr(number) => register(f, "v", number, dwords),
            Source::Agpr(number) => register(f, "a", number, dwords),
            Source::Sgpr(number) => register(f, "s", number, dwords),
            Source::Ttmp(number) => register(f, "ttmp", number, dwords),
            Source::Special(special) => {
                let row = special.row();
                f.write_str(row.wide_name.filter(|_| dwords == 2).unwrap_or(row.name))
            }
            Source::Int(value) => write!(f, "{value}"),
            Source::Float(float) => {
                let row = &INLINE_FLOATS[float as usize];
                f.write_str(if self.instruction.opcode.llvm.starts_with("v_mfma_f64") {
                    row.text_f64
                } else {
                    row.text
                })
            }
            Source::Literal(value) if self.looks_inline(value, format) => write!(f, "lit({value:#x})"),
            Source::Literal(value) => write!(f, "{value:#x}"),
        }
    }

    /// Whether it prints as a number, so that a minus in front would read as part of it.
    fn is_bare_number(&self, source: Source, format: Format) -> bool {
        match source {
            Source::Int(_) | Source::Float(_) => true,
            Source::Literal(value) => !self.looks_inline(value, format),
            _ => false,
        }
    }

    /// Whether an assembler could take the bare literal for an inline constant, so that LLVM writes `lit(…)`.
    fn looks_inline(&self, value: u32, format: Format) -> bool {
        // LLVM types every mix source as f16 or bf16 and looks at the low half alone.
        let is_mix = self.instruction.opcode.form == Form::Mix;
        let bits = if is_mix { i32::from(value as u16 as i16) } else { value as i32 };
        let is_bf16 = self.instruction.opcode.llvm.contains("bf16");
        (-16..=64).contains(&bits)
            || INLINE_FLOATS.iter().any(|row| match format {
                // Where OP_SEL_HI makes the source an f32 a bare 0x3e22f983 would read as 1/(2π); LLVM does not see that.
                Format::B32 if is_bf16 => row.bf16 == value as u16 || row.f32 == value,
                Format::B32 => row.f16 == value as u16 || row.f32 == value,
                Format::Pk2F16 => u32::from(row.f16) == value,
                Format::Pk2Bf16 => u32::from(row.bf16) == value,
                _ => row.f32 == value,
            })
    }

    fn dpp(&self, f: &mut fmt::Formatter<'_>, dpp: Dpp) -> fmt::Result {
        let lane = |value: u32, index: u32, width: u32| value >> (index * width) & ((1 << width) - 1);
        match dpp {
            Dpp::Dpp8 { lanes, fetch_inactive } => {
                for index in 0..8 {
                    write!(f, "{}{}", if index == 0 { " dpp8:[" } else { "," }, lane(lanes, index, 3))?;
                }
                f.write_str(if fetch_inactive { "] fi:1" } else { "]" })
            }
            Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask } => {
                let low = ctrl & 15;
                match ctrl {
                    0..=0xff => {
                        let c = u32::from(ctrl);
                        let (a, b) = (lane(c, 0, 2), lane(c, 1, 2));
                        write!(f, " quad_perm:[{a},{b},{},{}]", lane(c, 2, 2), lane(c, 3, 2))?;
                    }
                    0x101..=0x10f => write!(f, " row_shl:{low}")?,
                    0x111..=0x11f => write!(f, " row_shr:{low}")?,
                    0x121..=0x12f => write!(f, " row_ror:{low}")?,
                    0x140 => f.write_str(" row_mirror")?,
                    0x141 => f.write_str(" row_half_mirror")?,
                    0x150..=0x15f => write!(f, " row_share:{low}")?,
                    0x160..=0x16f => write!(f, " row_xmask:{low}")?,
                    _ => write!(f, " /* reserved dpp_ctrl {ctrl:#x} */")?,
                }
                write!(f, " row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}")?;
                f.write_str(if bound_ctrl { " bound_ctrl:1" } else { "" })?;
                f.write_str(if fetch_inactive { " fi:1" } else { "" })
            }
        }
    }
}

/// Displays by a closure.
struct With<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for With<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// `v5`, or `v[4:5]` for a tuple.
fn register(f: &mut fmt::Formatter<'_>, kind: &str, first: u8, dwords: u8) -> fmt::Result {
    if dwords > 1 {
        write!(f, "{kind}[{first}:{}]", u16::from(first) + u16::from(dwords) - 1)
    } else {
        write!(f, "{kind}{first}")
    }
}

/// ` name:[a,b,c]`, left out where the bits are the default.
fn list(f: &mut fmt::Formatter<'_>, name: &str, bits: u8, default: u8, count: usize) -> fmt::Result {
    if bits == default {
        return Ok(());
    }
    write!(f, " {name}:")?;
    for slot in 0..count {
        write!(f, "{}{}", if slot == 0 { '[' } else { ',' }, bits >> slot & 1)?;
    }
    f.write_str("]")
}

#[cfg(test)]
mod tests {
    use crate::codec::{Window, decode};

    /// What LLVM 22 prints for each window, from its MC tests and from running it.
    const PRINTED: &[(&str, &str, &str)] = &[
        ("gfx900", "d3a00005 040e0480", "v_mad_mix_f32 v5, 0, v2, v3"),
        ("gfx906", "d3a00005 040e0480", "v_fma_mix_f32 v5, 0, v2, v3"),
        ("gfx900", "d38e4005 180e0501", "v_pk_fma_f16 v5, v1, v2, s3"),
        ("gfx900", "d38f4000 18020466", "v_pk_add_f16 v0, flat_scratch_lo, v2"),
        ("gfx900", "d38f4000 1802047c", "v_pk_add_f16 v0, m0, v2"),
        ("gfx1100", "cc0f4000 1802047c", "v_pk_add_f16 v0, null, v2"),
        ("gfx1030", "cc0f4000 180204f8", "v_pk_add_f16 v0, 0.15915494, v2"),
        ("gfx1030", "cc0f4000 180204ff 00003c00", "v_pk_add_f16 v0, lit(0x3c00), v2"),
        ("gfx1030", "cc0f4000 180204ff 3c003c00", "v_pk_add_f16 v0, 0x3c003c00, v2"),
        ("gfx1030", "cc0f4000 180204ff fffffff0", "v_pk_add_f16 v0, lit(0xfffffff0), v2"),
        ("gfx1030", "cc0a4000 180204ff 3f800000", "v_pk_add_u16 v0, lit(0x3f800000), v2"),
        ("gfx1030", "cc0a4000 180204ff 00003c00", "v_pk_add_u16 v0, 0x3c00, v2"),
        ("gfx1030", "cc200000 040e04ff 3f800000", "v_fma_mix_f32 v0, lit(0x3f800000), v2, v3"),
        (
            "gfx1030",
            "cc204900 7c0e04ff 00001234",
            "v_fma_mix_f32 v0, -|0x1234|, -v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,1]",
        ),
        ("gfx1030", "cc200000 240e04ff 00001234", "v_fma_mix_f32 v0, neg(0x1234), v2, v3"),
        ("gfx1030", "cc200000 240e04ff 00000001", "v_fma_mix_f32 v0, -lit(0x1), v2, v3"),
        ("gfx1030", "cc200000 240e04c1", "v_fma_mix_f32 v0, neg(-1), v2, v3"),
        ("gfx1030", "cc200100 240e04f2", "v_fma_mix_f32 v0, -|1.0|, v2, v3"),
        ("gfx1030", "cc200700 e40e0501", "v_fma_mix_f32 v0, -|v1|, -|v2|, -|v3|"),
        ("gfx1030", "cc168000 1c0e04ff 0000ffff", "v_dot4_i32_i8 v0, 0xffff, v2, v3 op_sel_hi:[1,1,0] clamp"),
        ("gfx1250", "cc284000 180204ff 3f800000", "v_pk_mul_f32 v[0:1], lit(0x3f800000), v[2:3]"),
        ("gfx1250", "cc234000 180204ff 00003f80", "v_pk_add_bf16 v0, lit(0x3f80), v2"),
        ("gfx1250", "cc234000 180204ff 3f800000", "v_pk_add_bf16 v0, 0x3f800000, v2"),
        ("gfx1250", "cc3d4000 1c0e04ff 3f800000", "v_fma_mix_f32_bf16 v0, lit(0x3f800000), v2, v3 op_sel_hi:[1,1,1]"),
        ("gfx1250", "cc3d4000 1c0e04ff 12345678", "v_fma_mix_f32_bf16 v0, 0x12345678, v2, v3 op_sel_hi:[1,1,1]"),
        ("gfx90a", "d3b14000 1802086a", "v_pk_mul_f32 v[0:1], vcc, v[4:5]"),
        ("gfx90a", "d3b14000 180208eb", "v_pk_mul_f32 v[0:1], src_shared_base, v[4:5]"),
        ("gfx90a", "d3b340fe 18020902", "v_pk_mov_b32 v[254:255], v[2:3], v[4:5]"),
        ("gfx1200", "cc244400 9c0e0501", "v_dot4_f32_fp8_bf8 v0, v1, v2, v3 neg_lo:[0,0,1] neg_hi:[0,0,1]"),
        (
            "gfx1100",
            "cc134000 1c0e04fa ff08e401",
            "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:1",
        ),
        (
            "gfx1100",
            "cc134000 1c0e04fa ff06e401",
            "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf fi:1",
        ),
        (
            "gfx1100",
            "cc134000 1c0e04fa 12012f01",
            "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3 row_ror:15 row_mask:0x1 bank_mask:0x2",
        ),
        ("gfx1100", "cc134000 1c0e04ea 0539770a", "v_dot2_f32_f16_e64_dpp v0, v10, v2, v3 dpp8:[7,6,5,4,3,2,1,0] fi:1"),
        (
            "gfx1100",
            "cc208300 641204e9 0539770a",
            "v_fma_mix_f32_e64_dpp v0, -|v10|, -|v2|, v4 clamp dpp8:[7,6,5,4,3,2,1,0]",
        ),
    ];

    #[test]
    fn instructions_print_as_llvm_prints_them() {
        for (cpu, window, text) in PRINTED {
            let target = cpu.parse().unwrap();
            let decoded = decode(target, &window.parse::<Window>().unwrap()).unwrap();
            assert_eq!(super::print(target, &decoded.instruction), *text, "{cpu} {window}");
            assert_eq!(crate::asm::read(target, text), Ok(decoded.instruction), "{cpu} {text}");
        }
    }
}
