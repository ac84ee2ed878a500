//! Data formats as AMD's XML names them (`FMT_…`).
//!
//! Those of matrix operands follow from the name of the instruction and the width of the tuple. Source: AMD's XML of
//! CDNA4, RDNA3.5, RDNA4 and CDNA5.

use crate::isa::{Format, Matrix, Opcode};

/// A format as our tables have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpectedFormat {
    /// AMD's name, or the first of several.
    pub name: String,
    /// Another name of the same.
    pub other: Option<String>,
}

impl ExpectedFormat {
    fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), other: None }
    }

    fn or(self, other: impl Into<String>) -> Self {
        Self { other: Some(other.into()), ..self }
    }

    /// Whether AMD's name is one of it.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.other.as_deref() == Some(name)
    }
}

/// The format of an operand that is no matrix.
pub(super) fn number(format: Format) -> Option<ExpectedFormat> {
    // Older releases have no count in the names of packed formats.
    let packed =
        |count: u8, of: &str| ExpectedFormat::new(format!("FMT_NUM_PK{count}_{of}")).or(format!("FMT_NUM_PK_{of}"));
    let one = |of: &str| ExpectedFormat::new(format!("FMT_NUM_{of}"));
    Some(match format {
        Format::None | Format::Matrix(_) => return None,
        Format::F16 => one("F16"),
        Format::Bf16 => one("BF16"),
        Format::F32 => one("F32"),
        Format::I32 => one("I32"),
        Format::U32 => one("U32"),
        Format::B32 => one("B32"),
        Format::Pk2F16 => packed(2, "F16"),
        Format::Pk2Bf16 => packed(2, "BF16"),
        Format::Pk2I16 => packed(2, "I16"),
        Format::Pk2U16 => packed(2, "U16"),
        Format::Pk2F32 => packed(2, "F32"),
        Format::Pk2B32 => packed(2, "B32"),
        Format::Pk4I8 => packed(4, "I8"),
        Format::Pk4U8 => packed(4, "U8"),
        Format::Pk4Iu8 => packed(4, "IU8"),
        Format::Pk8I4 => packed(8, "I4"),
        Format::Pk8U4 => packed(8, "U4"),
        Format::Pk8Iu4 => packed(8, "IU4"),
        Format::Pk4Fp8 => packed(4, "FP8"),
        Format::Pk4Bf8 => packed(4, "BF8"),
    })
}

/// Bits of a number, which in the destination of a mix instruction are fewer than a register's.
pub(super) fn number_bits(format: Format) -> u32 {
    match format {
        Format::F16 | Format::Bf16 => 16,
        other => 32 * u32::from(other.dwords()),
    }
}

/// What the name of a matrix instruction says: `V_WMMA_F32_16X16X32_FP8_BF8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape<'a> {
    /// The type of D and C; of `BF16F32` that of D.
    d: &'a str,
    /// The type of C.
    c: &'a str,
    m: u32,
    n: u32,
    k: u32,
    a: &'a str,
    b: &'a str,
}

impl<'a> Shape<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("V_")?.split_once('_')?.1;
        let rest = rest.strip_prefix("SCALE_").or_else(|| rest.strip_prefix("SCALE16_")).unwrap_or(rest);
        let (result, rest) = rest.split_once('_')?;
        let (size, types) = rest.split_once('_').unwrap_or((rest, ""));
        // The older names run the type into the size: 32X32X4BF16_1K.
        let k_ends = size.rfind('X')? + 1;
        let digits = size.get(k_ends..)?.chars().take_while(char::is_ascii_digit).count();
        let (size, run_in) = size.split_at_checked(k_ends + digits)?;
        let mut sizes = size.split('X').map(|size| size.parse::<u32>().ok());
        let (m, n, k) = (sizes.next()??, sizes.next()??, sizes.next()??);
        // The number of blocks, `2B`, is no type.
        let is_type = |part: &&str| part.starts_with(|c: char| c.is_ascii_uppercase());
        let mut types = std::iter::once(run_in).chain(types.split('_')).filter(is_type);
        let a = types.next()?;
        let b = types.next().unwrap_or(a);
        let (d, c) = if result == "BF16F32" { ("BF16", "F32") } else { (result, result) };
        Some(Self { d, c, m, n, k, a, b })
    }
}

/// Bits of an element.
fn element_bits(of: &str) -> Option<u32> {
    let digits = of.trim_start_matches(|c: char| c.is_ascii_uppercase());
    digits.parse().ok()
}

/// The formats of D, A, B and C of a matrix instruction whose operands have these widths; `None` where none is known.
pub(super) fn matrix(opcode: &Opcode, dwords: [u8; 4]) -> [Option<ExpectedFormat>; 4] {
    let unknown = [const { None }; 4];
    let b32 = || Some(ExpectedFormat::new("FMT_NUM_B32"));
    let Some(form) = opcode.matrix() else { return unknown };
    if matches!(form, Matrix::AccRead | Matrix::AccWrite) {
        return [b32(), b32(), None, None];
    }
    let Some(shape) = Shape::of(opcode.amd) else { return unknown };
    match form {
        Matrix::Mfma | Matrix::MfmaF64 | Matrix::MfmaF8f6f4 | Matrix::Smfmac => {
            let [d, a, b, c] = dwords;
            let is_mixed = form == Matrix::MfmaF8f6f4;
            let factor = |of, dwords| if is_mixed { tuple("B32", dwords) } else { tuple(of, dwords) };
            let last = if form == Matrix::Smfmac { b32() } else { tuple(shape.c, c) };
            [tuple(shape.d, d), factor(shape.a, a), factor(shape.b, b), last]
        }
        Matrix::Swmmac
        | Matrix::SwmmacFp8
        | Matrix::SwmmacIu
        | Matrix::SwmmacIu4
        | Matrix::SwmmacIu4Wide
        | Matrix::Cdna5Swmmac
        | Matrix::Cdna5SwmmacIu => {
            let index = if dwords[3] == 2 { "FMT_WMMA_INDEX_SET2" } else { "FMT_WMMA_INDEX_SET" };
            let d = if shape.d != shape.c && dwords[0] == 8 { shape.c } else { shape.d };
            // Of A only half is there.
            [
                result(shape, d),
                factors(shape.m, shape.k / 2, shape.a),
                factors(shape.n, shape.k, shape.b),
                Some(ExpectedFormat::new(index)),
            ]
        }
        _ => {
            let [a, b] = match form {
                Matrix::Cdna5F8f6f4 => ["B8", "B8"],
                Matrix::Cdna5F4 => ["FP4", "FP4"],
                _ => [shape.a, shape.b],
            };
            [result(shape, shape.d), factors(shape.m, shape.k, a), factors(shape.n, shape.k, b), result(shape, shape.c)]
        }
    }
}

/// The registers of one lane as a vector of elements.
fn tuple(of: &str, dwords: u8) -> Option<ExpectedFormat> {
    // XF32 is no format of the XML that is known here.
    let bits = element_bits(of).filter(|_| of != "XF32")?;
    let count = u32::from(dwords) * 32 / bits;
    Some(ExpectedFormat::new(if count == 1 { format!("FMT_NUM_{of}") } else { format!("FMT_NUM_PK{count}_{of}") }))
}

/// C and D of a WMMA. RDNA3.5's XML names the type alone.
fn result(shape: Shape<'_>, of: &str) -> Option<ExpectedFormat> {
    let name = format!("FMT_WMMA_DC_{}X{}_{of}", shape.m, shape.n);
    Some(ExpectedFormat::new(name).or(format!("FMT_WMMA_DC_{of}")))
}

/// A or B of a WMMA.
fn factors(rows: u32, k: u32, of: &str) -> Option<ExpectedFormat> {
    Some(ExpectedFormat::new(format!("FMT_WMMA_AB_{rows}X{k}_{of}")).or(format!("FMT_WMMA_AB_{of}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Modifiers, Target};

    #[test]
    fn names_of_matrix_instructions_say_their_shape() {
        let shape = |name| Shape::of(name).map(|s| (s.d, s.m, s.n, s.k, s.a, s.b));
        assert_eq!(shape("V_MFMA_F32_32X32X4BF16_1K"), Some(("F32", 32, 32, 4, "BF16", "BF16")));
        assert_eq!(shape("V_MFMA_F32_32X32X1_2B_F32"), Some(("F32", 32, 32, 1, "F32", "F32")));
        assert_eq!(shape("V_MFMA_I32_4X4X4I8"), Some(("I32", 4, 4, 4, "I8", "I8")));
        assert_eq!(shape("V_SMFMAC_F32_16X16X64_BF8_FP8"), Some(("F32", 16, 16, 64, "BF8", "FP8")));
        assert_eq!(shape("V_MFMA_SCALE_F32_16X16X128_F8F6F4"), Some(("F32", 16, 16, 128, "F8F6F4", "F8F6F4")));
        assert_eq!(shape("V_WMMA_BF16F32_16X16X32_BF16"), Some(("BF16", 16, 16, 32, "BF16", "BF16")));
        assert_eq!(shape("V_ACCVGPR_READ"), None);
        assert_eq!(shape("V_PK_FMA_F16"), None);
    }

    #[test]
    fn formats_are_those_of_amds_xml() {
        let formats = |cpu: &str, number: u8| {
            let target: Target = cpu.parse().unwrap();
            let opcode = target.opcode(number).unwrap();
            let formats = matrix(opcode, opcode.dwords(target, Modifiers::NONE));
            formats.map(|format| format.map_or_else(|| "-".to_owned(), |format| format.name)).join(" ")
        };
        // AMD's XML of CDNA4, RDNA4 and CDNA5.
        for (cpu, number, wanted) in [
            ("gfx950", 64, "FMT_NUM_PK32_F32 FMT_NUM_F32 FMT_NUM_F32 FMT_NUM_PK32_F32"),
            ("gfx950", 45, "FMT_NUM_PK4_F32 FMT_NUM_PK8_B32 FMT_NUM_PK8_B32 FMT_NUM_PK4_F32"),
            ("gfx950", 60, "FMT_NUM_PK4_F32 FMT_NUM_PK16_BF8 FMT_NUM_PK32_FP8 FMT_NUM_B32"),
            ("gfx950", 111, "FMT_NUM_F64 FMT_NUM_F64 FMT_NUM_F64 FMT_NUM_F64"),
            ("gfx950", 80, "FMT_NUM_PK32_I32 FMT_NUM_PK4_I8 FMT_NUM_PK4_I8 FMT_NUM_PK32_I32"),
            ("gfx950", 88, "FMT_NUM_B32 FMT_NUM_B32 - -"),
            ("gfx1200", 71, "FMT_WMMA_DC_16X16_F32 FMT_WMMA_AB_16X16_FP8 FMT_WMMA_AB_16X16_BF8 FMT_WMMA_DC_16X16_F32"),
            ("gfx1200", 86, "FMT_WMMA_DC_16X16_I32 FMT_WMMA_AB_16X32_IU4 FMT_WMMA_AB_16X64_IU4 FMT_WMMA_INDEX_SET"),
            (
                "gfx1250",
                100,
                "FMT_WMMA_DC_16X16_BF16 FMT_WMMA_AB_16X32_BF16 FMT_WMMA_AB_16X32_BF16 FMT_WMMA_DC_16X16_F32",
            ),
            ("gfx1250", 105, "FMT_WMMA_DC_16X16_F32 FMT_WMMA_AB_16X32_BF16 FMT_WMMA_AB_16X64_BF16 FMT_WMMA_INDEX_SET"),
            ("gfx1250", 51, "FMT_WMMA_DC_16X16_F32 FMT_WMMA_AB_16X128_B8 FMT_WMMA_AB_16X128_B8 FMT_WMMA_DC_16X16_F32"),
            (
                "gfx1250",
                136,
                "FMT_WMMA_DC_32X16_F32 FMT_WMMA_AB_32X128_FP4 FMT_WMMA_AB_16X128_FP4 FMT_WMMA_DC_32X16_F32",
            ),
            ("gfx1250", 123, "FMT_WMMA_DC_16X16_I32 FMT_WMMA_AB_16X64_IU8 FMT_WMMA_AB_16X128_IU8 FMT_WMMA_INDEX_SET2"),
        ] {
            assert_eq!(formats(cpu, number), wanted, "{cpu} {number}");
        }
    }
}
