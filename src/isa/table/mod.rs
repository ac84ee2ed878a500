//! The opcode table: one row an opcode, and the lookup by processor and number.

mod matrix_cdna;
mod matrix_wmma;
mod packed;

use super::generation::Generation::{
    Cdna1, Cdna2, Cdna3, Cdna4, Cdna5, Rdna1, Rdna2, Rdna3, Rdna4, Rdna35, Vega, Vega7,
};
use super::opcode::{Form, Format, Matrix, Opcode};
use super::operation::Operation;
use super::processor::{PROCESSOR_COUNT, ProcessorSet as Set};

/// Generic targets leave out what not all of their members share.
const GFX9_GENERIC: Set = Set::named(&["gfx9-generic"]);
const GFX9_4_GENERIC: Set = Set::named(&["gfx9-4-generic"]);
const VEGA: Set = Set::generations(&[Vega]);
const VEGA7: Set = Set::generations(&[Vega7]);
const CDNA1: Set = Set::generations(&[Cdna1]);
const CDNA2: Set = Set::generations(&[Cdna2]);
const CDNA3: Set = Set::generations(&[Cdna3]);
const CDNA4: Set = Set::generations(&[Cdna4]);
const CDNA5: Set = Set::generations(&[Cdna5]);
const RDNA2: Set = Set::generations(&[Rdna2]);
const RDNA3: Set = Set::generations(&[Rdna3, Rdna35]);
const RDNA4: Set = Set::generations(&[Rdna4]);
/// RDNA1 chips with dot products, which no table of AMD's lists; LLVM and AMD's emulator have them.
const RDNA1_DOT: Set = Set::named(&["gfx1011", "gfx1012"]);
const CDNA1_TO_4: Set = Set::generations(&[Cdna1, Cdna2, Cdna3, Cdna4]);
const BEFORE_RDNA4: Set = Set::generations(&[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4, Rdna1, Rdna2, Rdna3, Rdna35]);

/// A scaled matrix instruction: two words that are one.
#[derive(Debug, PartialEq, Eq)]
pub struct Pair {
    /// Opcode number of the scale word, which comes first.
    pub scale: u8,
    /// Opcode number of the matrix word behind it.
    pub body: u8,
    /// AMD's name of the whole.
    pub amd: &'static str,
    /// LLVM's mnemonic of the whole.
    pub llvm: &'static str,
    /// Dwords of each scale operand.
    pub scale_dwords: u8,
    /// Whether OP_SEL and OP_SEL_HI pick bytes of the scales (CDNA4).
    pub picks_bytes: bool,
}

const fn pair(scale: u8, body: u8, amd: &'static str, llvm: &'static str) -> Pair {
    Pair { scale, body, amd, llvm, scale_dwords: if scale == 58 { 2 } else { 1 }, picks_bytes: scale == 44 }
}

/// The scaled pairs. Source: AMD's CDNA5 XML, encodings VOP3PX2 (53) and VOP3PX3 (58); for CDNA4 (44) its manual's
/// V_MFMA_SCALE instructions.
pub static PAIRS: [Pair; 6] = [
    pair(44, 45, "V_MFMA_SCALE_F32_16X16X128_F8F6F4", "v_mfma_scale_f32_16x16x128_f8f6f4"),
    pair(44, 46, "V_MFMA_SCALE_F32_32X32X64_F8F6F4", "v_mfma_scale_f32_32x32x64_f8f6f4"),
    pair(53, 51, "V_WMMA_SCALE_F32_16X16X128_F8F6F4", "v_wmma_scale_f32_16x16x128_f8f6f4"),
    pair(58, 51, "V_WMMA_SCALE16_F32_16X16X128_F8F6F4", "v_wmma_scale16_f32_16x16x128_f8f6f4"),
    pair(53, 136, "V_WMMA_SCALE_F32_32X16X128_F4", "v_wmma_scale_f32_32x16x128_f4"),
    pair(58, 136, "V_WMMA_SCALE16_F32_32X16X128_F4", "v_wmma_scale16_f32_32x16x128_f4"),
];

/// The pair that a scale word and the matrix word behind it form.
#[must_use]
pub fn pair_of(scale: u8, body: u8) -> Option<&'static Pair> {
    PAIRS.iter().find(|pair| pair.scale == scale && pair.body == body)
}

/// Every row, in the order of the groups.
pub fn rows() -> impl Iterator<Item = &'static Opcode> {
    GROUPS.iter().flat_map(|group| group.iter())
}

static GROUPS: [&[Opcode]; 3] = [packed::ROWS, matrix_cdna::ROWS, matrix_wmma::ROWS];

/// The default source of a row.
const MANUAL: &str = "VOP3P opcode table of the generation's manual; AMD's XML from CDNA1 and RDNA1 on";

/// A row without DPP and with every modifier meaningful.
const fn row(number: u8, amd: &'static str, llvm: &'static str, on: Set, form: Form) -> Opcode {
    Opcode {
        number,
        amd,
        llvm,
        on,
        form,
        operation: Operation::named(amd),
        vdst: Format::None,
        src: [Format::None; 3],
        count: 0,
        integers: 0,
        blocks: 0,
        dpp: Set::NONE,
        clamp_ignored: Set::NONE,
        neg2_ignored: Set::NONE,
        shift: false,
        source: MANUAL,
    }
}

/// A matrix row; dwords of the destination and the sources as LLVM 22 has them, zero where there is no operand.
const fn matrix(number: u8, amd: &'static str, llvm: &'static str, on: Set, form: Matrix, dwords: [u8; 4]) -> Opcode {
    let mut formats = [Format::None; 4];
    let mut slot = 0;
    while slot < 4 {
        if dwords[slot] > 0 {
            formats[slot] = Format::Matrix(dwords[slot]);
        }
        slot += 1;
    }
    let mut row =
        row(number, amd, llvm, on, Form::Matrix(form)).formats(formats[0], [formats[1], formats[2], formats[3]]);
    row.blocks = match form {
        Matrix::Mfma => {
            // 64 lanes hold the M×N results of every block.
            let results = if contains(amd, "_F64_") { dwords[0] as u16 / 2 } else { dwords[0] as u16 };
            let block = if contains(amd, "_32X32X") { 1024 } else { 256 };
            let block = if contains(amd, "_4X4X") { 16 } else { block };
            (results * 64 / block) as u8
        }
        _ => 0,
    };
    row
}

const fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut at = 0;
    while at + part.len() <= text.len() {
        let mut same = 0;
        while same < part.len() && text[at + same] == part[same] {
            same += 1;
        }
        if same == part.len() {
            return true;
        }
        at += 1;
    }
    false
}

impl Opcode {
    const fn formats(mut self, vdst: Format, src: [Format; 3]) -> Self {
        self.vdst = vdst;
        self.src = src;
        let mut slot = 0;
        while slot < 3 && !matches!(src[slot], Format::None) {
            self.count = slot as u8 + 1;
            self.integers |= (src[slot].is_integer() as u8) << slot;
            slot += 1;
        }
        if self.is_iu() {
            self.integers = 0;
        }
        self
    }

    const fn dpp(mut self, on: Set) -> Self {
        self.dpp = on;
        self
    }

    const fn clamp_ignored(mut self, on: Set) -> Self {
        self.clamp_ignored = on;
        self
    }

    const fn neg2_ignored(mut self, on: Set) -> Self {
        self.neg2_ignored = on;
        self
    }

    const fn shift(mut self) -> Self {
        self.shift = true;
        self
    }

    const fn source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }
}

/// The row of each opcode number of each processor.
static BY_NUMBER: [[Option<&Opcode>; 256]; PROCESSOR_COUNT] = {
    let mut table = [[None; 256]; PROCESSOR_COUNT];
    let mut group = 0;
    while group < GROUPS.len() {
        let mut index = 0;
        while index < GROUPS[group].len() {
            let row = &GROUPS[group][index];
            let mut processor = 0;
            while processor < PROCESSOR_COUNT {
                if row.on.contains(processor) {
                    assert!(table[processor][row.number as usize].is_none(), "two rows for one number of a processor");
                    table[processor][row.number as usize] = Some(row);
                }
                processor += 1;
            }
            index += 1;
        }
        group += 1;
    }
    table
};

/// The opcode with this number on the processor at this place of [`super::PROCESSORS`].
#[must_use]
pub(super) fn lookup(processor: usize, number: u8) -> Option<&'static Opcode> {
    BY_NUMBER.get(processor)?[usize::from(number)]
}

#[cfg(test)]
mod tests {
    use super::super::target::Target;
    use super::*;

    #[test]
    fn how_many_opcodes_each_group_of_processors_has() {
        // LLVM 22's counts of decoded VOP3P opcodes (swept), corrected by what AMD has beside them: gfx908 lists
        // V_ACCVGPR_WRFED, which LLVM lacks; gfx1250 is 22 RDNA4 matrix opcodes fewer than LLVM's 114.
        for (cpu, count) in [
            ("gfx9-generic", 19),
            ("gfx900", 22),
            ("gfx904", 22),
            ("gfx906", 29),
            ("gfx908", 52),
            ("gfx90a", 62),
            ("gfx942", 81),
            ("gfx950", 105),
            ("gfx9-4-generic", 63),
            ("gfx1010", 22),
            ("gfx1011", 29),
            ("gfx1036", 29),
            ("gfx11-generic", 34),
            ("gfx1153", 34),
            ("gfx12-generic", 56),
            ("gfx1250", 92),
        ] {
            assert_eq!(cpu.parse::<Target>().unwrap().opcodes().count(), count, "{cpu}");
        }
    }

    #[test]
    fn names_at_their_numbers() {
        let name = |cpu: &str, number| cpu.parse::<Target>().unwrap().opcode(number).map(|op| (op.amd, op.llvm));
        assert_eq!(name("gfx900", 32), Some(("V_MAD_MIX_F32", "v_mad_mix_f32")));
        assert_eq!(name("gfx904", 32), Some(("V_MAD_MIX_F32", "v_fma_mix_f32")));
        assert_eq!(name("gfx950", 34), Some(("V_MAD_MIXHI_F16", "v_fma_mixhi_f16")));
        assert_eq!(name("gfx9-generic", 32), None);
        assert_eq!(name("gfx1010", 33), Some(("V_FMA_MIXLO_F16", "v_fma_mixlo_f16")));
        assert_eq!(name("gfx1030", 22), Some(("V_DOT4_I32_I8", "v_dot4_i32_i8")));
        assert_eq!(name("gfx1100", 22), Some(("V_DOT4_I32_IU8", "v_dot4_i32_iu8")));
        assert_eq!(name("gfx1200", 17), None);
        assert_eq!(name("gfx1250", 17), Some(("V_PK_FMA_BF16", "v_pk_fma_bf16")));
        assert_eq!(name("gfx1250", 64), None);
        assert_eq!(name("gfx1250", 136), Some(("V_WMMA_F32_32X16X128_F4", "v_wmma_f32_32x16x128_f4")));
        assert_eq!(name("gfx90a", 51), Some(("V_PK_MOV_B32", "v_pk_mov_b32")));
    }

    #[test]
    fn a_row_is_one_object_however_it_is_reached() {
        // Instructions compare their opcodes by address.
        for row in rows() {
            for target in Target::all().filter(|target| row.on.contains(target.index())) {
                assert!(
                    target.opcode(row.number).is_some_and(|found| std::ptr::eq(found, row)),
                    "{target} {}",
                    row.amd
                );
            }
        }
    }

    #[test]
    fn every_row_is_on_some_processor_and_names_are_spelt_alike() {
        for row in rows() {
            assert!(row.llvm.is_empty() || row.llvm.starts_with("v_"), "{}", row.amd);
            assert_eq!(row.llvm, row.llvm.to_lowercase());
            assert_eq!(row.amd, row.amd.to_uppercase());
            assert!(!row.on.is_empty(), "{}", row.amd);
            assert!(!row.source.is_empty(), "{}", row.amd);
        }
    }
}
