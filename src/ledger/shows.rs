//! How LLVM's value of a field relates to ours, where a sign says more than that they differ.

use serde::{Deserialize, Serialize};

use crate::asm::ReadError;
use crate::codec::Dpp;
use crate::compare::{Ours, Theirs};
use crate::isa::{self, Generation, INLINE_FLOATS, Source};

/// How LLVM's value of the field relates to ours, in an operand or modifier entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// The modifier is shown as if it were at its default.
    Default,
    /// Of a literal, bits 15:0 only.
    LowHalf,
    /// An even register instead of the odd one above it.
    EvenRegister,
    /// Of DPP, the constant that DPP_CTRL or the lane selectors of DPP8 would be as a source selector.
    ConstantForDpp,
    /// A literal where the word has an inline constant.
    LiteralForInline,
    /// A VGPR where the word has a scalar or a constant.
    VgprForScalar,
    /// An inline constant where the word has a literal of the same look.
    InlineForLiteral,
    /// A register tuple of another width.
    OtherWidth,
    /// Whatever it may be: the operand is one that no tool should take.
    Anything,
}

impl Shows {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::LowHalf => "low-half",
            Self::EvenRegister => "even-register",
            Self::ConstantForDpp => "constant-for-dpp",
            Self::LiteralForInline => "literal-for-inline",
            Self::VgprForScalar => "vgpr-for-scalar",
            Self::InlineForLiteral => "inline-for-literal",
            Self::OtherWidth => "other-width",
            Self::Anything => "anything",
        }
    }

    /// The relation between two answers that differ in this field that says most.
    #[must_use]
    pub fn of(field: &str, ours: &Ours, theirs: &Theirs) -> Self {
        let relations = [
            Self::Default,
            Self::LowHalf,
            Self::EvenRegister,
            Self::ConstantForDpp,
            Self::LiteralForInline,
            Self::VgprForScalar,
            Self::InlineForLiteral,
            Self::OtherWidth,
        ];
        relations.into_iter().find(|one| one.relates(field, ours, theirs)).unwrap_or(Self::Anything)
    }

    pub(super) fn relates(self, field: &str, ours: &Ours, theirs: &Theirs) -> bool {
        if self == Self::Anything {
            return true;
        }
        if self == Self::OtherWidth {
            return matches!(theirs, Theirs::Accepts(Err(ReadError::Operand { .. })));
        }
        let (Ok(ours), Some(theirs)) = (ours, theirs.instruction()) else { return false };
        let ours = &ours.instruction;
        let sources = match field {
            "src0" => Some((ours.src[0], theirs.src[0])),
            "src1" => Some((ours.src[1], theirs.src[1])),
            "src2" => Some((ours.src[2], theirs.src[2])),
            "src3" => ours.scale.zip(theirs.scale).map(|(a, b)| (a.src[0], b.src[0])),
            "src4" => ours.scale.zip(theirs.scale).map(|(a, b)| (a.src[1], b.src[1])),
            _ => None,
        };
        match (self, sources) {
            (Self::LowHalf, Some((Source::Literal(a), Source::Literal(b)))) => a & 0xffff == b,
            (Self::EvenRegister, Some((Source::Sgpr(a), Source::Sgpr(b)) | (Source::Ttmp(a), Source::Ttmp(b)))) => {
                a % 2 == 1 && b == a - 1
            }
            (Self::LiteralForInline, Some((Source::Float(_), b))) => matches!(b, Source::Literal(_)),
            (Self::VgprForScalar, Some((a, Source::Vgpr(_)))) => !matches!(a, Source::Vgpr(_)),
            (Self::InlineForLiteral, Some((Source::Literal(_), b))) => matches!(b, Source::Int(_) | Source::Float(_)),
            (Self::ConstantForDpp, None) => match (ours.dpp, theirs.dpp) {
                (Some(ours), Some(theirs)) => is_constant_for(ours, theirs),
                _ => false,
            },
            (Self::Default, None) => match field {
                "op_sel" => theirs.op_sel == 0,
                "op_sel_hi" => theirs.op_sel_hi == theirs.opcode.default_op_sel_hi(),
                "neg_lo" => theirs.neg_lo == 0,
                "neg_hi" => theirs.neg_hi == 0,
                "clamp" => !theirs.clamp,
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether `theirs` is `ours` with its pattern read as a source selector that names a constant.
fn is_constant_for(ours: Dpp, theirs: Dpp) -> bool {
    let constant = |pattern: u32| match isa::source(
        Generation::Vega,
        u16::try_from(pattern).ok().filter(|selector| *selector < 256)?,
    )? {
        Source::Int(value) => Some(i32::from(value) as u32),
        Source::Float(float) => Some(INLINE_FLOATS[float as usize].f32),
        _ => None,
    };
    match (ours, theirs) {
        (Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask }, _) => {
            let shown = constant(u32::from(ctrl)).and_then(|value| u16::try_from(value).ok());
            shown.is_some_and(|ctrl| theirs == Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask })
        }
        // Selector 255 is a literal: whatever dword follows.
        (Dpp::Dpp8 { lanes: 255, fetch_inactive: a }, Dpp::Dpp8 { fetch_inactive: b, .. }) => a == b,
        (Dpp::Dpp8 { lanes, fetch_inactive }, _) => {
            constant(lanes).is_some_and(|value| theirs == Dpp::Dpp8 { lanes: value & 0xff_ffff, fetch_inactive })
        }
    }
}
