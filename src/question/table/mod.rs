//! The table of numeric questions: who says what, of which targets.

mod float;
mod integer;
mod mix;

use super::profile::Provenance::{Documented, Emulator, HardwareCaptured, Inferred, Unknown};
use super::profile::{Provenance, Question, QuestionRow, Reading, ReadingRow, Support};
use crate::isa::Generation::{Cdna1, Cdna2, Cdna3, Cdna4, Cdna5, Rdna1, Rdna2, Rdna3, Rdna4, Rdna35, Vega, Vega7};
use crate::isa::ProcessorSet as Set;

use Question as Q;
use Reading as R;

const ALL: Set = Set::ALL;
/// The chips on which packed and scalar f16 and f32 arithmetic was captured.
const CAPTURED: Set = Set::named(&["gfx1100", "gfx1201"]);
const GFX1100: Set = Set::named(&["gfx1100"]);
const MI200_MI350: Set = Set::named(&["gfx90a", "gfx950"]);
const UNFUSED: Set = Set::named(&["gfx900", "gfx902", "gfx909", "gfx90c"]);
const FUSED: Set = ALL.without(UNFUSED);
const GFX9: Set = Set::generations(&[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4]);
const CDNA: Set = Set::generations(&[Cdna1, Cdna2, Cdna3, Cdna4]);
const RDNA: Set = Set::generations(&[Rdna1, Rdna2, Rdna3, Rdna35, Rdna4]);
const CDNA2_UP: Set = Set::generations(&[Cdna2, Cdna3, Cdna4]);
const CDNA2: Set = Set::generations(&[Cdna2]);
const CDNA4: Set = Set::generations(&[Cdna4]);
const CDNA5: Set = Set::generations(&[Cdna5]);
const CDNA3_4: Set = Set::generations(&[Cdna3, Cdna4]);
const RDNA3: Set = Set::generations(&[Rdna3, Rdna35]);
const RDNA4: Set = Set::generations(&[Rdna4]);
const NEW: Set = RDNA4.or(CDNA5);
const OLD: Set = ALL.without(NEW);
const BEFORE_RDNA3: Set = Set::generations(&[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4, Rdna1, Rdna2]);

const fn by(on: Set, provenance: Provenance, source: &'static str) -> Support {
    Support { on, provenance, source }
}

const fn answer(reading: Reading, name: &'static str, says: &'static str, support: &'static [Support]) -> ReadingRow {
    ReadingRow { reading, name, says, support }
}

const fn ask(question: Question, id: &'static str, asks: &'static str, readings: &'static [ReadingRow]) -> QuestionRow {
    QuestionRow { question, id, asks, readings }
}

/// The chips that AMD's emulator models: neither Vega.
const EMULATED: Set = ALL.without(Set::generations(&[Vega, Vega7]));
const ROCJITSU: &str = "ROCm/rocm-systems emulation/rocjitsu";
const NOT_EMULATED: &str = "from what ROCm/rocm-systems emulation/rocjitsu does for other chips";
const CAPTURES: &str = "captures in ROCm/rocm-systems emulation/rocjitsu, valu_fp_mode_test.cpp";

/// Every question, in the order of [`Question`].
pub static QUESTIONS: [QuestionRow; 30] = [
    float::ARITHMETIC,
    float::TININESS,
    float::OVERFLOW,
    float::NAN_ORDER,
    float::INVALID_PRODUCT,
    float::DEFAULT_NAN,
    float::NARROW_NAN,
    float::CLAMP,
    mix::MIX_FUSION,
    mix::MIX_ROUNDING,
    mix::MIX_SOURCE_DENORM,
    mix::MIX_RESULT_ROUND,
    mix::MIX_RESULT_DENORM,
    mix::MIX_FLUSH,
    mix::MAD_PRODUCT_ROUND,
    mix::MIX_INLINE,
    float::BOTH_NAN,
    float::MINIMUM_NAN,
    float::MINIMUM_FLUSH,
    float::BF16_ROUND,
    integer::INLINE_INTEGER,
    integer::INLINE_FLOAT_IN_INTEGER,
    integer::INLINE_PAIR,
    integer::MOVE_SELECT,
    integer::SIGNED_CLAMP,
    integer::MAD_CLAMP,
    integer::RELU,
    integer::INTEGER_NEG,
    integer::INTEGER,
    float::MIN_MAX,
];
