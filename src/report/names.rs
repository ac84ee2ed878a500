//! Short texts for things that have no `Display` of their own.

pub use crate::commands::{llvm_bytes, stock_assembling, stock_command};
use crate::isa::Target;
pub use crate::isa::compact_targets;
use crate::isa::{
    Basis, DppRule, File, Format, INLINE_FLOATS, Matrix, MatrixLayout, MatrixSource, ModeBits, Modifier, Modifiers,
    Opcode, Source, SourceKind, State,
};
use crate::judge::Outcome;
use crate::ledger::Status;

/// The bits of a mask, highest first: `63, 58:50, 14:13`.
#[must_use]
pub fn bit_ranges(mask: u128) -> String {
    let mut items = Vec::new();
    let mut hi = 128;
    while hi > 0 {
        hi -= 1;
        if mask >> hi & 1 == 0 {
            continue;
        }
        let mut lo = hi;
        while lo > 0 && mask >> (lo - 1) & 1 != 0 {
            lo -= 1;
        }
        items.push(if lo == hi { hi.to_string() } else { format!("{hi}:{lo}") });
        hi = lo;
    }
    items.join(", ")
}

/// A data format, after AMD's `FMT_NUM_…`; `x4` is a tuple of four dwords.
#[must_use]
pub fn format_name(format: Format) -> String {
    let name = match format {
        Format::None => "-",
        Format::F16 => "f16",
        Format::Bf16 => "bf16",
        Format::F32 => "f32",
        Format::I32 => "i32",
        Format::U32 => "u32",
        Format::B32 => "b32",
        Format::Pk2F16 => "pk2_f16",
        Format::Pk2Bf16 => "pk2_bf16",
        Format::Pk2I16 => "pk2_i16",
        Format::Pk2U16 => "pk2_u16",
        Format::Pk2F32 => "pk2_f32",
        Format::Pk2B32 => "pk2_b32",
        Format::Pk4I8 => "pk4_i8",
        Format::Pk4U8 => "pk4_u8",
        Format::Pk4Iu8 => "pk4_iu8",
        Format::Pk8I4 => "pk8_i4",
        Format::Pk8U4 => "pk8_u4",
        Format::Pk8Iu4 => "pk8_iu4",
        Format::Pk4Fp8 => "pk4_fp8",
        Format::Pk4Bf8 => "pk4_bf8",
        Format::Matrix(dwords) => return format!("x{dwords}"),
    };
    name.to_owned()
}

/// What a source may be, after AMD's `OPR_SRC…`.
#[must_use]
pub const fn kind_name(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Any => "src",
        SourceKind::NoLds => "src_nolds",
        SourceKind::NoLiteral => "src_nolit",
        SourceKind::Simple => "src_simple",
    }
}

/// How wide an operand of a matrix instruction is on this target: the destination (0) or a source (1 to 3). `x4-x8`
/// where a modifier decides.
#[must_use]
pub fn tuple_name(opcode: &Opcode, target: Target, operand: usize) -> String {
    const NARROWEST: u8 = 4;
    let narrow = [Modifier::Cbsz, Modifier::Blgp, Modifier::MatrixAFmt, Modifier::MatrixBFmt]
        .iter()
        .fold(Modifiers::NONE, |all, modifier| all.with(*modifier, NARROWEST));
    let [least, most] = [narrow, Modifiers::NONE].map(|modifiers| opcode.dwords(target, modifiers)[operand]);
    match most {
        0 => "-".to_owned(),
        _ if least < most => format!("x{least}-x{most}"),
        _ => format!("x{most}"),
    }
}

/// What an operand of a matrix instruction may be on this target: the destination (0) or a source (1 to 3).
#[must_use]
pub fn matrix_kind_name(target: Target, layout: &MatrixLayout, operand: usize) -> String {
    let registers = match layout.files[operand] {
        File::Vgpr => "vgpr",
        File::Acc => "accvgpr",
        File::AccCd if !target.rules().acc_cd => "accvgpr",
        File::AccCd | File::Bit(_) => "vgpr/accvgpr",
    };
    let rest = match operand.checked_sub(1).map(|slot| layout.kinds[slot]) {
        None | Some(MatrixSource::Register) => "",
        Some(MatrixSource::RegisterOrInline) => "/inline",
        Some(MatrixSource::Cdna5Scale) => "/sgpr/0",
        Some(MatrixSource::NoLiteral) => "/inline/scalar",
    };
    format!("{registers}{rest}")
}

/// The modifiers that mean something to a matrix word of this layout, by LLVM's names.
#[must_use]
pub fn modifier_names(layout: &MatrixLayout) -> Vec<&'static str> {
    const NEG_HI: u64 = 7 << 8;
    let kept = [
        ("op_sel", 7 << 11),
        ("op_sel_hi", 3 << 59 | 1 << 14),
        (if layout.kept & NEG_HI == 0 { "neg" } else { "neg_lo" }, 7 << 61),
        ("neg_hi", NEG_HI),
        ("clamp", 1 << 15),
    ];
    let fixed = layout.checks.iter().fold(0, |bits, row| bits | row.bits);
    let is_idle =
        |bits: u64| layout.checks.iter().any(|row| row.rule.row().state == State::Ignored && bits & !row.bits == 0);
    let place = |parts: &[(u8, u8)]| parts.iter().fold(0, |bits, (lo, width)| bits | ((1_u64 << width) - 1) << lo);
    let own = layout.modifiers.iter().filter(|(_, parts)| !is_idle(place(parts)));
    let mut names: Vec<&str> = own.map(|(modifier, _)| modifier.row().name).collect();
    names.extend(kept.iter().filter(|(_, bits)| layout.kept & bits & !fixed != 0).map(|(name, _)| *name));
    names
}

/// What the destination and the sources of a matrix instruction are to it.
#[must_use]
pub const fn operand_names(matrix: Matrix) -> [&'static str; 4] {
    match matrix {
        Matrix::AccRead | Matrix::AccWrite => ["destination", "source", "", ""],
        Matrix::ScaleCdna4 | Matrix::ScaleCdna5 => ["", "scale of A", "scale of B", ""],
        Matrix::Smfmac
        | Matrix::Swmmac
        | Matrix::SwmmacFp8
        | Matrix::SwmmacIu
        | Matrix::SwmmacIu4
        | Matrix::SwmmacIu4Wide
        | Matrix::Cdna5Swmmac
        | Matrix::Cdna5SwmmacIu => ["C and D", "A", "B", "index"],
        _ => ["D", "A", "B", "C"],
    }
}

/// A source as LLVM names it, in an operand of this many dwords.
#[must_use]
pub fn source_name(source: Source, dwords: u8) -> String {
    let register = |kind: &str, first: u8| match dwords {
        0 | 1 => format!("{kind}{first}"),
        _ => format!("{kind}[{first}:{}]", u16::from(first) + u16::from(dwords) - 1),
    };
    match source {
        Source::Vgpr(number) => register("v", number),
        Source::Agpr(number) => register("a", number),
        Source::Sgpr(number) => register("s", number),
        Source::Ttmp(number) => register("ttmp", number),
        Source::Special(special) => {
            let row = special.row();
            row.wide_name.filter(|_| dwords == 2).unwrap_or(row.name).to_owned()
        }
        Source::Int(value) => format!("constant {value}"),
        Source::Float(float) => format!("constant {}", INLINE_FLOATS[float as usize].text),
        Source::Literal(value) => format!("literal {value:#x}"),
    }
}

/// How we know that a processor follows its generation.
#[must_use]
pub const fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::Documented => "documented",
        Basis::Inferred => "inferred",
        Basis::Generic => "generic",
    }
}

/// Which DPP forms there are.
#[must_use]
pub const fn dpp_name(rule: DppRule) -> &'static str {
    match rule {
        DppRule::None => "no",
        DppRule::Src1Vgpr => "src1 VGPR",
        DppRule::Src1Any => "src1 any",
    }
}

/// The fields of the MODE register that a generation has.
#[must_use]
pub fn mode_names(mode: ModeBits) -> Vec<&'static str> {
    let mut names = vec!["round", "denorm"];
    if mode.dx10_clamp_ieee {
        names.extend(["dx10_clamp", "ieee"]);
    }
    if mode.fp16_ovfl {
        names.push("fp16_ovfl");
    }
    names
}

/// How a window came out.
#[must_use]
pub const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Agreed => "agreed",
        Outcome::Noted => "noted",
        Outcome::Known => "known",
        Outcome::New => "new",
    }
}

/// Whether a sign fires.
#[must_use]
pub const fn status_name(status: Status) -> &'static str {
    match status {
        Status::Fires => "fires",
        Status::Silent => "silent",
        Status::Untested => "untested",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_read_from_the_top() {
        assert_eq!(bit_ranges(0), "");
        assert_eq!(bit_ranges(1 << 127 | 1), "127, 0");
        assert_eq!(bit_ranges(0x1ff << 50 | 3 << 13 | 1 << 63), "63, 58:50, 14:13");
        assert_eq!(bit_ranges(u128::MAX), "127:0");
    }
}
