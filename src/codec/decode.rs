//! A window to an instruction, the bytes it takes, and the legality rules it meets.

use core::fmt;

use super::instruction::{Dpp, Instruction};
use super::layout::Field;
use super::matrix::decode_matrix;
use super::window::Window;
use crate::isa::{
    self, DPP8, DPP16, DppRule, Form, Format, LITERAL, Modifiers, Notes, Opcode, Rule, SDWA, Source, Special, Target,
};

/// What a window decodes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The instruction.
    pub instruction: Instruction,
    /// Bytes it takes: 8, 12 with a literal or a DPP dword, 16 as a scaled pair.
    pub size: u8,
    /// The legality rules it meets.
    pub notes: Notes,
    /// The bits of the window that change nothing and are not kept in the instruction; encoding gives them their
    /// canonical value.
    pub ignored: u128,
}

/// Why a window is no VOP3P instruction of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// The window ends before the instruction does.
    CutShort {
        /// Bytes needed.
        needs: u8,
    },
    /// The prefix is not VOP3P's.
    NotVop3p,
    /// No such opcode on this target.
    NoOpcode {
        /// The number in OP.
        number: u8,
    },
    /// A scale word of CDNA5 that its matrix word does not follow.
    ScaleAlone {
        /// The number in OP.
        number: u8,
    },
    /// A selector that names nothing in that place.
    Selector {
        /// The source: 0 to 2; 3 and 4 are the scales of a pair.
        slot: u8,
        /// The selector, 9 bits.
        selector: u16,
        /// Why it names nothing.
        why: SelectorFault,
    },
}

/// Why a selector names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SelectorFault {
    Reserved,
    LiteralBeforeGfx10,
    LiteralWithDpp,
    LiteralPlace,
    DppMarker,
    SdwaMarker,
    LdsDirectPlace,
}

impl Undefined {
    /// Its stable id.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::CutShort { .. } => "cut-short",
            Self::NotVop3p => "not-vop3p",
            Self::NoOpcode { .. } => "no-such-opcode",
            Self::ScaleAlone { .. } => "scale-word-alone",
            Self::Selector { why, .. } => match why {
                SelectorFault::Reserved => "reserved-selector",
                SelectorFault::LiteralBeforeGfx10 => "literal-before-gfx10",
                SelectorFault::LiteralWithDpp => "literal-with-dpp",
                SelectorFault::LiteralPlace => "literal-place",
                SelectorFault::DppMarker => "dpp-marker",
                SelectorFault::SdwaMarker => "sdwa-marker",
                SelectorFault::LdsDirectPlace => "lds-direct-place",
            },
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutShort { needs } => write!(f, "the window ends before the instruction's {needs} bytes"),
            Self::NotVop3p => write!(f, "the prefix is not VOP3P's"),
            Self::NoOpcode { number } => write!(f, "no opcode {number} on this target"),
            Self::ScaleAlone { number } => {
                write!(f, "opcode {number} is a scale word, and no matrix word that takes it follows")
            }
            Self::Selector { slot, selector, why } => {
                match slot {
                    3 => write!(f, "selector {selector} of the scale of A ")?,
                    4 => write!(f, "selector {selector} of the scale of B ")?,
                    _ => write!(f, "selector {selector} of source {slot} ")?,
                }
                f.write_str(match why {
                    SelectorFault::Reserved => "is reserved on this target",
                    SelectorFault::LiteralBeforeGfx10 => "is a literal, which VOP3P takes from gfx10 on",
                    SelectorFault::LiteralWithDpp => "is a literal, which does not go with DPP",
                    SelectorFault::LiteralPlace => "is a literal, which does not go there",
                    SelectorFault::DppMarker => "is a DPP marker, which does not go there",
                    SelectorFault::SdwaMarker => "is the SDWA marker, which VOP3P does not have",
                    SelectorFault::LdsDirectPlace => "is LDS_DIRECT, which does not go there",
                })
            }
        }
    }
}

impl core::error::Error for Undefined {}

/// Decodes the first instruction of a window.
///
/// # Errors
/// Says why the window holds no VOP3P instruction of this target.
pub fn decode(target: Target, window: &Window) -> Result<Decoded, Undefined> {
    let rules = target.rules();
    let dwords = window.dwords();
    let prefix = rules.prefix;
    if dwords[0] & prefix.mask != prefix.value {
        return Err(Undefined::NotVop3p);
    }
    if dwords.len() < 2 {
        return Err(Undefined::CutShort { needs: 8 });
    }
    let number = (dwords[0] >> 16 & ((1 << prefix.op_bits) - 1)) as u8;
    let opcode = target.opcode(number).ok_or(Undefined::NoOpcode { number })?;
    if opcode.is_matrix() {
        return decode_matrix(target, opcode, window);
    }

    let word = window.word();
    let bits = |lo: u32, width: u32| (word >> lo & ((1 << width) - 1)) as u16;
    let selectors = [bits(32, 9), bits(41, 9), bits(50, 9)];
    let operands = match plain_operands(target, opcode, selectors) {
        Some(operands) => operands,
        None => other_operands(target, opcode, selectors, dwords)?,
    };
    let Operands { src, size, dpp, mut notes, mut ignored } = operands;

    let used = (1 << opcode.sources()) - 1;
    let unused = !used & 7;
    let fields = Selects {
        op_sel: bits(11, 3) as u8,
        op_sel_hi: (bits(59, 2) | bits(14, 1) << 2) as u8,
        neg_lo: bits(61, 3) as u8,
        neg_hi: bits(8, 3) as u8,
    };
    if unused != 0 {
        ignored |= UNUSED_SOURCE_2;
        // Canonical is what LLVM's assembler writes: source 2 and its selects and signs 0, OP_SEL_HI[2] 1.
        let canonical = selectors[2] == 0 && fields.op_sel_hi & unused == unused;
        let clear = (fields.op_sel | fields.neg_lo | fields.neg_hi) & unused == 0;
        notes.add_if(!(canonical && clear), Rule::UnusedSource);
    }
    let instruction = Instruction {
        opcode,
        vdst: word as u8,
        src,
        op_sel: fields.op_sel & used,
        op_sel_hi: fields.op_sel_hi & used,
        neg_lo: fields.neg_lo & used,
        neg_hi: fields.neg_hi & used,
        clamp: bits(15, 1) != 0,
        dpp,
        vdst_acc: false,
        modifiers: Modifiers::NONE,
        scale: None,
    };
    if opcode.is_wide() {
        note_pairs(target, &instruction, &mut notes);
    }
    note_modifiers(target, &instruction, &mut notes);
    Ok(Decoded { instruction, size, notes, ignored })
}

struct Selects {
    op_sel: u8,
    op_sel_hi: u8,
    neg_lo: u8,
    neg_hi: u8,
}

/// SRC2, OP_SEL\[2\], OP_SEL_HI\[2\], NEG\[2\] and NEG_HI\[2\].
const UNUSED_SOURCE_2: u128 = 0x1ff << 50 | 1 << 13 | 1 << 14 | 1 << 63 | 1 << 10;

/// The sources, and what may follow the word.
struct Operands {
    src: [Source; 3],
    size: u8,
    dpp: Option<Dpp>,
    notes: Notes,
    ignored: u128,
}

/// The operands of a word whose selectors are all plain: nearly every word, so no branch depends on a selector.
#[inline]
fn plain_operands(target: Target, opcode: &Opcode, selectors: [u16; 3]) -> Option<Operands> {
    const ZERO: u16 = 128;
    let generation = target.generation();
    let third = if opcode.sources() == 3 { selectors[2] } else { ZERO };
    let [a, b, c] = [selectors[0], selectors[1], third].map(|selector| isa::selected_by(generation, selector));
    if !(a.is_plain & b.is_plain & c.is_plain) {
        return None;
    }
    let again_b = selectors[1] == selectors[0];
    let again_c = (third == selectors[0]) | (third == selectors[1]);
    let scalars = u8::from(a.is_scalar) + u8::from(b.is_scalar & !again_b) + u8::from(c.is_scalar & !again_c);
    let mut notes = Notes::NONE;
    notes.add_if(scalars > target.rules().scalar_limit, Rule::ScalarLimit);
    Some(Operands { src: [a.source, b.source, c.source], size: 8, dpp: None, notes, ignored: 0 })
}

/// The operands of any word: literals, DPP, and selectors that name nothing.
fn other_operands(target: Target, opcode: &Opcode, selectors: [u16; 3], dwords: &[u32]) -> Result<Operands, Undefined> {
    let rules = target.rules();
    let has_dpp = opcode.takes_dpp(target) && (DPP8.contains(&selectors[0]) || selectors[0] == DPP16);
    let mut operands = Operands { src: [Source::Int(0); 3], size: 8, dpp: None, notes: Notes::NONE, ignored: 0 };
    let Operands { src, size, dpp, notes, ignored } = &mut operands;
    for slot in usize::from(has_dpp)..opcode.sources() {
        src[slot] = read_source(target, opcode, slot, selectors[slot], has_dpp)?;
        if let Source::Literal(value) = &mut src[slot] {
            *value = *dwords.get(2).ok_or(Undefined::CutShort { needs: 12 })?;
            *size = 12;
        }
    }
    if has_dpp {
        let dword = *dwords.get(2).ok_or(Undefined::CutShort { needs: 12 })?;
        *size = 12;
        src[0] = Source::Vgpr(dword as u8);
        *dpp = Some(read_dpp(selectors[0], dword, notes, ignored));
        notes.add_if(rules.dpp == DppRule::Src1Vgpr && !matches!(src[1], Source::Vgpr(_)), Rule::DppSrc1);
    }
    let mut scalars = 0;
    for (slot, source) in src.iter().enumerate() {
        scalars += u8::from(source.is_scalar_value() && !src[..slot].contains(source));
        let is_lds = *source == Source::Special(Special::LdsDirect);
        notes.add_if(is_lds && !rules.has_xml, Rule::LdsDirect);
    }
    notes.add_if(scalars > rules.scalar_limit, Rule::ScalarLimit);
    Ok(operands)
}

fn read_source(
    target: Target,
    opcode: &Opcode,
    slot: usize,
    selector: u16,
    has_dpp: bool,
) -> Result<Source, Undefined> {
    let kind = opcode.source_kind(target, slot);
    let why = match selector {
        LITERAL if has_dpp => SelectorFault::LiteralWithDpp,
        LITERAL if target.rules().literal && kind.takes_literal() => return Ok(Source::Literal(0)),
        _ => match source_of(target, selector) {
            Ok(Source::Special(Special::LdsDirect)) if !kind.takes_lds_direct() => SelectorFault::LdsDirectPlace,
            Ok(source) => return Ok(source),
            Err(why) => why,
        },
    };
    Err(Undefined::Selector { slot: slot as u8, selector, why })
}

/// What a selector names by itself on this target.
pub(super) fn source_of(target: Target, selector: u16) -> Result<Source, SelectorFault> {
    match selector {
        LITERAL => Err(SelectorFault::LiteralBeforeGfx10),
        SDWA => Err(SelectorFault::SdwaMarker),
        DPP16 => Err(SelectorFault::DppMarker),
        _ if DPP8.contains(&selector) => Err(SelectorFault::DppMarker),
        _ => isa::source(target.generation(), selector).ok_or(SelectorFault::Reserved),
    }
}

fn read_dpp(selector: u16, dword: u32, notes: &mut Notes, ignored: &mut u128) -> Dpp {
    if selector != DPP16 {
        return Dpp::Dpp8 { lanes: dword >> 8, fetch_inactive: selector == DPP8[1] };
    }
    let ctrl = (dword >> 8 & 0x1ff) as u16;
    notes.add_if(!is_lane_pattern(ctrl), Rule::DppCtrl);
    notes.add_if(dword >> 17 & 1 != 0, Rule::DppReservedBit);
    notes.add_if(dword >> 20 & 15 != 0, Rule::DppIgnoredBits);
    *ignored |= Field::DppReserved.bits() | Field::DppIgnored.bits();
    Dpp::Dpp16 {
        ctrl,
        fetch_inactive: dword >> 18 & 1 != 0,
        bound_ctrl: dword >> 19 & 1 != 0,
        bank_mask: (dword >> 24 & 15) as u8,
        row_mask: (dword >> 28) as u8,
    }
}

/// Whether DPP_CTRL names a lane pattern: quad_perm, row_shl, row_shr, row_ror by 1 to 15, row_mirror,
/// row_half_mirror, row_share, row_xmask. Source: DPP_CTRL table of the RDNA3 manual.
const fn is_lane_pattern(ctrl: u16) -> bool {
    matches!(ctrl, 0..=0xff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x140 | 0x141 | 0x150..=0x16f)
}

/// The rules of an instruction with 64-bit operands.
fn note_pairs(target: Target, instruction: &Instruction, notes: &mut Notes) {
    let opcode = instruction.opcode;
    for source in instruction.sources() {
        note_pair(target, *source, notes);
        let is_exec = matches!(source, Source::Special(Special::ExecLo | Special::ExecHi));
        let is_pk_f32 = target.rules().pk_f32_single_sgpr && opcode.src[0] == Format::Pk2F32;
        notes.add_if(is_exec && is_pk_f32, Rule::PkF32Exec);
    }
    note_pair(target, Source::Vgpr(instruction.vdst), notes);
}

/// The rules of a 64-bit operand.
fn note_pair(target: Target, first: Source, notes: &mut Notes) {
    match first {
        Source::Vgpr(number) => {
            notes.add_if(target.rules().even_vgpr_tuples && number % 2 != 0, Rule::OddVgprPair);
            notes.add_if(number == u8::MAX, Rule::VgprRange);
        }
        Source::Sgpr(number) | Source::Ttmp(number) => notes.add_if(number % 2 != 0, Rule::OddSgprPair),
        Source::Special(special) => notes.add_if(special.row().wide_name.is_none(), Rule::WideSpecial),
        Source::Agpr(_) | Source::Int(_) | Source::Float(_) | Source::Literal(_) => {}
    }
}

fn note_modifiers(target: Target, instruction: &Instruction, notes: &mut Notes) {
    let Instruction { opcode, op_sel, op_sel_hi, neg_lo, neg_hi, clamp, .. } = *instruction;
    let rules = target.rules();
    let default_hi = opcode.default_op_sel_hi();
    let neg = neg_lo | neg_hi;
    notes.add_if(opcode.is_iu() && (neg_hi != 0 || neg_lo & 4 != 0), Rule::IuNeg);
    notes.add_if(opcode.integer_sources() & neg != 0, Rule::NegOnInteger);
    let picks = op_sel != 0 || op_sel_hi != default_hi;
    match opcode.form {
        Form::Dot | Form::Dot2 => notes.add_if(picks && !rules.dot_op_sel, Rule::DotOpSel),
        Form::DotFp8 => notes.add_if(picks || clamp || neg & 3 != 0, Rule::DotFp8Field),
        Form::Move => notes.add_if(op_sel_hi != default_hi, Rule::OpSelNoEffect),
        Form::Packed if rules.pk_f32_single_sgpr && opcode.is_wide() => {
            let idle = instruction.sources().iter().enumerate().any(|(slot, source)| match source {
                Source::Vgpr(_) => false,
                Source::Int(_) | Source::Float(_) | Source::Literal(_) => op_sel >> slot & 1 != 0,
                _ => (op_sel | op_sel_hi) >> slot & 1 != 0,
            });
            notes.add_if(idle, Rule::OpSelNoEffect);
        }
        _ => {}
    }
    notes.add_if(clamp && opcode.clamp_ignored.contains(target.index()), Rule::ClampNoEffect);
    notes.add_if(neg & 4 != 0 && opcode.neg2_ignored.contains(target.index()), Rule::NegNoEffect);
}
