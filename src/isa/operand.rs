//! Source operands: the 9-bit selectors, what each names on a generation, and the kinds of AMD's XML.
//!
//! Source: the operand tables of the manuals (SSRC/VSRC encodings) and the operand types of AMD's XML.

use super::generation::Generation;

/// What a source field may name, as AMD's XML types it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// `OPR_SRC`: everything, literal and LDS_DIRECT included where the generation has them.
    Any,
    /// `OPR_SRC_NOLDS`: everything but LDS_DIRECT.
    NoLds,
    /// `OPR_SRC_NOLIT`: everything but a literal.
    NoLiteral,
    /// `OPR_SRC_SIMPLE`: neither a literal nor LDS_DIRECT.
    Simple,
}

impl SourceKind {
    /// Whether LDS_DIRECT (selector 254) may stand here.
    #[must_use]
    pub const fn takes_lds_direct(self) -> bool {
        matches!(self, Self::Any | Self::NoLiteral)
    }

    /// Whether a literal (selector 255) may stand here.
    #[must_use]
    pub const fn takes_literal(self) -> bool {
        matches!(self, Self::Any | Self::NoLds)
    }
}

/// A scalar that is no numbered SGPR and no constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Special {
    FlatScratchLo,
    FlatScratchHi,
    XnackMaskLo,
    XnackMaskHi,
    VccLo,
    VccHi,
    M0,
    Null,
    ExecLo,
    ExecHi,
    FlatScratchBaseLo,
    FlatScratchBaseHi,
    SharedBase,
    SharedLimit,
    PrivateBase,
    PrivateLimit,
    PopsExitingWaveId,
    Vccz,
    Execz,
    Scc,
    LdsDirect,
}

/// One row a special scalar.
#[derive(Debug)]
pub struct SpecialRow {
    /// The scalar.
    pub special: Special,
    /// LLVM's name for the 32-bit register.
    pub name: &'static str,
    /// LLVM's name where the operand is 64 bits wide; `None`: AMD does not allow it there.
    pub wide_name: Option<&'static str>,
}

use Special as S;

const fn special(special: Special, name: &'static str, wide_name: Option<&'static str>) -> SpecialRow {
    SpecialRow { special, name, wide_name }
}

/// Every special scalar, in the order of [`Special`]. The wide column follows the rule of AMD's XML that VCC_HI, M0
/// and EXEC_HI (and, in the same way, the high half of any pair) are not allowed for operands wider than 32 bits.
pub static SPECIALS: [SpecialRow; 21] = [
    special(S::FlatScratchLo, "flat_scratch_lo", Some("flat_scratch")),
    special(S::FlatScratchHi, "flat_scratch_hi", None),
    special(S::XnackMaskLo, "xnack_mask_lo", Some("xnack_mask")),
    special(S::XnackMaskHi, "xnack_mask_hi", None),
    special(S::VccLo, "vcc_lo", Some("vcc")),
    special(S::VccHi, "vcc_hi", None),
    special(S::M0, "m0", None),
    special(S::Null, "null", Some("null")),
    special(S::ExecLo, "exec_lo", Some("exec")),
    special(S::ExecHi, "exec_hi", None),
    special(S::FlatScratchBaseLo, "src_flat_scratch_base_lo", Some("src_flat_scratch_base_lo")),
    special(S::FlatScratchBaseHi, "src_flat_scratch_base_hi", None),
    special(S::SharedBase, "src_shared_base", Some("src_shared_base")),
    special(S::SharedLimit, "src_shared_limit", Some("src_shared_limit")),
    special(S::PrivateBase, "src_private_base", Some("src_private_base")),
    special(S::PrivateLimit, "src_private_limit", Some("src_private_limit")),
    special(S::PopsExitingWaveId, "src_pops_exiting_wave_id", Some("src_pops_exiting_wave_id")),
    special(S::Vccz, "src_vccz", Some("src_vccz")),
    special(S::Execz, "src_execz", Some("src_execz")),
    special(S::Scc, "src_scc", Some("src_scc")),
    special(S::LdsDirect, "src_lds_direct", None),
];

impl Special {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static SpecialRow {
        &SPECIALS[self as usize]
    }
}

/// A float inline constant; the operand's type decides which bits it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum InlineFloat {
    Half,
    MinusHalf,
    One,
    MinusOne,
    Two,
    MinusTwo,
    Four,
    MinusFour,
    /// 1/(2π)
    Inv2Pi,
}

/// One row a float inline constant.
#[derive(Debug)]
pub struct InlineFloatRow {
    /// The constant.
    pub float: InlineFloat,
    /// LLVM's spelling.
    pub text: &'static str,
    /// LLVM's spelling in an operand of 64-bit floats.
    pub text_f64: &'static str,
    /// Its f16 bits. Source for 1/(2π): AMD's CDNA5 XML, 0x3118.
    pub f16: u16,
    /// Its bf16 bits. Source for 1/(2π): AMD's CDNA5 XML, 0x3e22 (truncated).
    pub bf16: u16,
    /// Its f32 bits.
    pub f32: u32,
}

const fn float(float: InlineFloat, text: &'static str, f16: u16, bf16: u16, f32: u32) -> InlineFloatRow {
    let text_f64 = if matches!(float, InlineFloat::Inv2Pi) { "0.15915494309189532" } else { text };
    InlineFloatRow { float, text, text_f64, f16, bf16, f32 }
}

/// The float inline constants, selectors 240 to 248.
pub static INLINE_FLOATS: [InlineFloatRow; 9] = [
    float(InlineFloat::Half, "0.5", 0x3800, 0x3f00, 0x3f00_0000),
    float(InlineFloat::MinusHalf, "-0.5", 0xb800, 0xbf00, 0xbf00_0000),
    float(InlineFloat::One, "1.0", 0x3c00, 0x3f80, 0x3f80_0000),
    float(InlineFloat::MinusOne, "-1.0", 0xbc00, 0xbf80, 0xbf80_0000),
    float(InlineFloat::Two, "2.0", 0x4000, 0x4000, 0x4000_0000),
    float(InlineFloat::MinusTwo, "-2.0", 0xc000, 0xc000, 0xc000_0000),
    float(InlineFloat::Four, "4.0", 0x4400, 0x4080, 0x4080_0000),
    float(InlineFloat::MinusFour, "-4.0", 0xc400, 0xc080, 0xc080_0000),
    float(InlineFloat::Inv2Pi, "0.15915494", 0x3118, 0x3e22, 0x3e22_f983),
];

/// What a source field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// v0 to v255; the first of a tuple where the operand is wider than 32 bits.
    Vgpr(u8),
    /// a0 to a255, the AccVGPRs of CDNA1 to CDNA4, likewise.
    Agpr(u8),
    /// s0 to s105 (s101 on gfx9 and CDNA1–4); the first of a pair where the operand is 64 bits wide.
    Sgpr(u8),
    /// ttmp0 to ttmp15, likewise.
    Ttmp(u8),
    /// Another scalar register or value.
    Special(Special),
    /// −16 to 64.
    Int(i8),
    /// A float inline constant.
    Float(InlineFloat),
    /// The 32-bit literal behind the word.
    Literal(u32),
}

impl Source {
    /// Whether reading it counts against the limit of scalar values: SGPRs, TTMPs, VCC, M0, EXEC, the apertures and
    /// status bits, and a literal; not NULL, LDS_DIRECT, VGPRs and inline constants.
    #[must_use]
    pub const fn is_scalar_value(self) -> bool {
        match self {
            Self::Sgpr(_) | Self::Ttmp(_) | Self::Literal(_) => true,
            Self::Special(special) => !matches!(special, Special::Null | Special::LdsDirect),
            Self::Vgpr(_) | Self::Agpr(_) | Self::Int(_) | Self::Float(_) => false,
        }
    }
}

/// Selector of a literal.
pub const LITERAL: u16 = 255;
/// Selectors that stand for DPP8; the second also fetches inactive lanes.
pub const DPP8: [u16; 2] = [233, 234];
/// Selector that stands for DPP16.
pub const DPP16: u16 = 250;
/// Selector of the SDWA marker, never valid in VOP3P.
pub const SDWA: u16 = 249;

const GFX9: [Generation; 6] =
    [Generation::Vega, Generation::Vega7, Generation::Cdna1, Generation::Cdna2, Generation::Cdna3, Generation::Cdna4];

const fn is_one_of(generation: Generation, set: &[Generation]) -> bool {
    let mut index = 0;
    while index < set.len() {
        if set[index] as u8 == generation as u8 {
            return true;
        }
        index += 1;
    }
    false
}

/// Selectors that name a special scalar: selector, what it names, on which generations.
const NAMED: &[(u16, Special, &[Generation])] = {
    use Generation::{Cdna1, Cdna2, Cdna5, Rdna1, Rdna2, Rdna3, Rdna4, Rdna35, Vega, Vega7};
    const ALL: &[Generation] =
        &[Vega, Vega7, Cdna1, Cdna2, Generation::Cdna3, Generation::Cdna4, Rdna1, Rdna2, Rdna3, Rdna35, Rdna4, Cdna5];
    const GFX10: &[Generation] = &[Rdna1, Rdna2];
    const GFX11_UP: &[Generation] = &[Rdna3, Rdna35, Rdna4, Cdna5];
    const BEFORE_GFX11: &[Generation] =
        &[Vega, Vega7, Cdna1, Cdna2, Generation::Cdna3, Generation::Cdna4, Rdna1, Rdna2];
    const NOT_CDNA5: &[Generation] =
        &[Vega, Vega7, Cdna1, Cdna2, Generation::Cdna3, Generation::Cdna4, Rdna1, Rdna2, Rdna3, Rdna35, Rdna4];
    const WITH_POPS_AND_LDS: &[Generation] = &[Vega, Vega7, Cdna1, Cdna2, Rdna1, Rdna2];
    &[
        (102, S::FlatScratchLo, &GFX9),
        (103, S::FlatScratchHi, &GFX9),
        (104, S::XnackMaskLo, &GFX9),
        (105, S::XnackMaskHi, &GFX9),
        (106, S::VccLo, ALL),
        (107, S::VccHi, ALL),
        (124, S::M0, BEFORE_GFX11),
        (124, S::Null, GFX11_UP),
        (125, S::Null, GFX10),
        (125, S::M0, GFX11_UP),
        (126, S::ExecLo, ALL),
        (127, S::ExecHi, ALL),
        (230, S::FlatScratchBaseLo, &[Cdna5]),
        (231, S::FlatScratchBaseHi, &[Cdna5]),
        (235, S::SharedBase, ALL),
        (236, S::SharedLimit, ALL),
        (237, S::PrivateBase, NOT_CDNA5),
        (238, S::PrivateLimit, NOT_CDNA5),
        (239, S::PopsExitingWaveId, WITH_POPS_AND_LDS),
        (251, S::Vccz, BEFORE_GFX11),
        (252, S::Execz, BEFORE_GFX11),
        (253, S::Scc, ALL),
        (254, S::LdsDirect, WITH_POPS_AND_LDS),
    ]
};

/// What one selector of a generation is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected {
    /// What it names; only to be read if it names something.
    pub source: Source,
    /// Whether it names something that may stand in any source field: no marker, literal, LDS_DIRECT or reserved value.
    pub is_plain: bool,
    /// Whether that counts against the limit of scalar values.
    pub is_scalar: bool,
    is_named: bool,
}

const SELECTORS: usize = 512;

/// What each selector is, generation by generation.
static SELECTED: [[Selected; SELECTORS]; 12] = {
    let nothing = Selected { source: Source::Int(0), is_plain: false, is_scalar: false, is_named: false };
    let mut table = [[nothing; SELECTORS]; 12];
    let mut g = 0;
    while g < 12 {
        let generation = super::generation::GENERATIONS_IN_ORDER[g];
        let last_sgpr = if is_one_of(generation, &GFX9) { 101 } else { 105 };
        let mut selector = 0;
        while selector < SELECTORS {
            let named = match selector {
                0..=105 if selector <= last_sgpr => Some(Source::Sgpr(selector as u8)),
                108..=123 => Some(Source::Ttmp(selector as u8 - 108)),
                128..=192 => Some(Source::Int((selector - 128) as i8)),
                193..=208 => Some(Source::Int((192 - selector as i16) as i8)),
                240..=248 => Some(Source::Float(FLOATS_IN_ORDER[selector - 240])),
                256.. => Some(Source::Vgpr((selector - 256) as u8)),
                _ => None,
            };
            if let Some(source) = named {
                table[g][selector] = selected(source);
            }
            selector += 1;
        }
        let mut row = 0;
        while row < NAMED.len() {
            if is_one_of(generation, NAMED[row].2) {
                table[g][NAMED[row].0 as usize] = selected(Source::Special(NAMED[row].1));
            }
            row += 1;
        }
        g += 1;
    }
    table
};

const fn selected(source: Source) -> Selected {
    let is_plain = !matches!(source, Source::Special(Special::LdsDirect));
    Selected { source, is_plain, is_scalar: source.is_scalar_value(), is_named: true }
}

/// What a selector, of which the low 9 bits count, is on a generation.
#[inline]
pub(crate) fn selected_by(generation: Generation, selector: u16) -> &'static Selected {
    &SELECTED[generation as usize][usize::from(selector) % SELECTORS]
}

const FLOATS_IN_ORDER: [InlineFloat; 9] = [
    InlineFloat::Half,
    InlineFloat::MinusHalf,
    InlineFloat::One,
    InlineFloat::MinusOne,
    InlineFloat::Two,
    InlineFloat::MinusTwo,
    InlineFloat::Four,
    InlineFloat::MinusFour,
    InlineFloat::Inv2Pi,
];

/// What a selector (9 bits) names on a generation, or `None` where it names nothing by itself: reserved, a literal or
/// a marker.
#[must_use]
pub fn source(generation: Generation, selector: u16) -> Option<Source> {
    let selected = selected_by(generation, selector);
    (selected.is_named && usize::from(selector) < SELECTORS).then_some(selected.source)
}

/// The selector of a source on a generation, or `None` where the generation does not have it.
#[must_use]
pub fn selector(generation: Generation, source: Source) -> Option<u16> {
    let guess = match source {
        Source::Vgpr(number) | Source::Agpr(number) => return Some(256 + u16::from(number)),
        Source::Literal(_) => return Some(LITERAL),
        Source::Special(_) => (102..256).find(|selector| self::source(generation, *selector) == Some(source)),
        Source::Sgpr(number) => Some(u16::from(number)),
        Source::Ttmp(number) => Some(108 + u16::from(number)),
        Source::Int(value @ 0..) => Some(128 + value as u16),
        Source::Int(value) => Some(192 + u16::from(value.unsigned_abs())),
        Source::Float(float) => Some(240 + float as u16),
    };
    guess.filter(|selector| self::source(generation, *selector) == Some(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_that_move_between_generations() {
        let named = |generation, selector| source(generation, selector);
        assert_eq!(named(Generation::Vega, 102), Some(Source::Special(Special::FlatScratchLo)));
        assert_eq!(named(Generation::Rdna1, 102), Some(Source::Sgpr(102)));
        assert_eq!(named(Generation::Vega, 124), Some(Source::Special(Special::M0)));
        assert_eq!(named(Generation::Rdna2, 125), Some(Source::Special(Special::Null)));
        assert_eq!(named(Generation::Rdna3, 124), Some(Source::Special(Special::Null)));
        assert_eq!(named(Generation::Rdna3, 125), Some(Source::Special(Special::M0)));
        assert_eq!(named(Generation::Cdna3, 125), None);
        assert_eq!(named(Generation::Cdna3, 239), None);
        assert_eq!(named(Generation::Cdna5, 237), None);
        assert_eq!(named(Generation::Cdna5, 230), Some(Source::Special(Special::FlatScratchBaseLo)));
        assert_eq!(named(Generation::Rdna4, 251), None);
    }

    #[test]
    fn constants() {
        assert_eq!(source(Generation::Vega, 128), Some(Source::Int(0)));
        assert_eq!(source(Generation::Vega, 192), Some(Source::Int(64)));
        assert_eq!(source(Generation::Vega, 193), Some(Source::Int(-1)));
        assert_eq!(source(Generation::Vega, 208), Some(Source::Int(-16)));
        assert_eq!(source(Generation::Vega, 209), None);
        assert_eq!(source(Generation::Vega, 242), Some(Source::Float(InlineFloat::One)));
        assert_eq!(source(Generation::Vega, 248), Some(Source::Float(InlineFloat::Inv2Pi)));
        assert_eq!(source(Generation::Vega, 256), Some(Source::Vgpr(0)));
    }

    #[test]
    fn tables_stand_in_the_order_of_their_enums() {
        for (index, row) in SPECIALS.iter().enumerate() {
            assert_eq!(row.special as usize, index, "{}", row.name);
        }
        for (index, row) in INLINE_FLOATS.iter().enumerate() {
            assert_eq!((row.float as usize, row.float), (index, FLOATS_IN_ORDER[index]), "{}", row.text);
        }
    }

    #[test]
    fn every_source_has_its_selector() {
        for generation in super::super::generation::GENERATIONS_IN_ORDER {
            for number in 0..512 {
                if let Some(source) = source(generation, number) {
                    assert_eq!(selector(generation, source), Some(number), "{generation:?} {number}");
                }
            }
        }
    }
}
