//! Numeric questions that sources answer, how each answer is known on each target, and a choice among the answers.

use core::fmt;

use super::table::QUESTIONS;
use crate::isa::{ProcessorSet, Target};

/// How an answer is known, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provenance {
    /// Results captured on the chip and published.
    HardwareCaptured,
    /// Stated in AMD's manual of the generation, or by an AMD engineer.
    Documented,
    /// What an emulator or a driver does, without a published capture.
    Emulator,
    /// Concluded from another generation or another rule.
    Inferred,
    /// Nobody has published it.
    Unknown,
}

impl Provenance {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HardwareCaptured => "hardware-captured",
            Self::Documented => "documented",
            Self::Emulator => "emulator",
            Self::Inferred => "inferred",
            Self::Unknown => "unknown",
        }
    }
}

/// What decides a result bit. Each has one or several [`Reading`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Question {
    Arithmetic,
    Tininess,
    Overflow,
    NanOrder,
    InvalidProduct,
    DefaultNan,
    NarrowNan,
    Clamp,
    MixFusion,
    MixRounding,
    MixSourceDenorm,
    MixResultRound,
    MixResultDenorm,
    MixFlush,
    MadProductRound,
    MixInline,
    BothNan,
    MinimumNan,
    MinimumFlush,
    Bf16Round,
    InlineInteger,
    InlineFloatInInteger,
    InlinePair,
    MoveSelect,
    SignedClamp,
    MadClamp,
    Relu,
    IntegerNeg,
    Integer,
    MinMax,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Reading {
    ArithmeticExact,
    TinyAfter,
    TinyBefore,
    OverflowIeee,
    NanSourceOrder,
    NanSignallingFirst,
    InvalidProductFirst,
    AddendNanFirst,
    DefaultNanNegative,
    DefaultNanPositive,
    NarrowNanQuiet,
    NarrowNanCut,
    NarrowNanKeep,
    ClampAfterRounding,
    MixFused,
    MixUnfused,
    MixDouble,
    MixSingle,
    MixSourceF16Field,
    MixSourceF32Field,
    MixRoundF16Field,
    MixRoundF32Field,
    MixDenormF16Field,
    MixDenormF32Field,
    MixFlushByMode,
    MixFlushAlways,
    MixFlushNarrow,
    MadProductByMode,
    MadProductNearest,
    MixInlineReplicated,
    MixInlineLow,
    BothNanSecond,
    BothNanFirst,
    MinimumSignallingFirst,
    MinimumSourceOrder,
    MinimumFlushesInputs,
    MinimumKeepsInputs,
    Bf16Nearest,
    Bf16Truncates,
    InlineIntegerSignExtended,
    InlineIntegerLow,
    InlineFloatIsF32,
    InlineFloatIsF16Low,
    InlinePairReplicated,
    InlinePairLow,
    MoveByOpSel,
    MoveIgnoresOpSel,
    ClampToMinInt,
    ClampToMinusMaxInt,
    MadClampSaturates,
    MadClampIgnored,
    ReluClamps,
    ReluIgnored,
    IntegerNegIgnored,
    IntegerExact,
    MinMaxFormula,
}

/// A question, a row of [`QUESTIONS`].
#[derive(Debug)]
pub struct QuestionRow {
    /// The question.
    pub question: Question,
    /// Its stable id, as `--reading` takes it.
    pub id: &'static str,
    /// What is asked.
    pub asks: &'static str,
    /// The answers; the one that is better known on a target is its default, the first of equals.
    pub readings: &'static [ReadingRow],
}

/// An answer.
#[derive(Debug)]
pub struct ReadingRow {
    /// The reading.
    pub reading: Reading,
    /// Its stable name, as `--reading` takes it.
    pub name: &'static str,
    /// What it says.
    pub says: &'static str,
    /// Who says so, of which targets; the first that names a target counts there.
    pub support: &'static [Support],
}

/// How an answer is known on some targets.
#[derive(Debug)]
pub struct Support {
    /// The targets.
    pub on: ProcessorSet,
    /// How.
    pub provenance: Provenance,
    /// The source.
    pub source: &'static str,
}

impl Question {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static QuestionRow {
        &QUESTIONS[self as usize]
    }
}

impl ReadingRow {
    /// How it is known on a target; `None` if no source supports it there.
    #[must_use]
    pub fn support_on(&self, target: Target) -> Option<&'static Support> {
        self.support.iter().find(|support| support.on.contains(target.index()))
    }
}

impl QuestionRow {
    /// The reading that is best known on a target, with its support; a question that no source speaks of there has its
    /// first.
    #[must_use]
    pub fn default_on(&self, target: Target) -> (&'static ReadingRow, Option<&'static Support>) {
        let known = self.readings.iter().filter_map(|row| row.support_on(target).map(|support| (row, support)));
        match known.min_by_key(|(_, support)| support.provenance) {
            Some((row, support)) => (row, Some(support)),
            None => (&self.readings[0], None),
        }
    }
}

/// One reading for each question.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Readings(u64);

impl Readings {
    /// The defaults of a target.
    #[must_use]
    pub fn of(target: Target) -> Self {
        let bits = QUESTIONS.iter().map(|row| 1 << row.default_on(target).0.reading as u8);
        Self(bits.fold(0, |all: u64, bit: u64| all | bit))
    }

    /// Whether this is the reading of its question.
    #[inline]
    #[must_use]
    pub const fn has(self, reading: Reading) -> bool {
        self.0 >> reading as u8 & 1 != 0
    }

    /// The same with another reading of one question.
    #[must_use]
    pub fn with(self, reading: Reading) -> Self {
        let row = reading.question();
        let others = row.readings.iter().fold(0, |all, row| all | 1 << row.reading as u8);
        Self(self.0 & !others | 1 << reading as u8)
    }

    /// The reading of a question.
    #[must_use]
    pub fn answer(self, question: Question) -> &'static ReadingRow {
        let readings = question.row().readings;
        readings.iter().find(|row| self.has(row.reading)).unwrap_or(&readings[0])
    }
}

/// Ids and names of what is not the first answer: `mixlo=single`.
impl fmt::Debug for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen = QUESTIONS.iter().filter(|row| row.readings.len() > 1);
        f.debug_list().entries(chosen.map(|row| (row.id, self.answer(row.question).name))).finish()
    }
}

impl Reading {
    /// The question it answers.
    #[must_use]
    pub fn question(self) -> &'static QuestionRow {
        let answers = |row: &&QuestionRow| row.readings.iter().any(|reading| reading.reading == self);
        QUESTIONS.iter().find(answers).unwrap_or(&QUESTIONS[0])
    }

    /// The reading of this question id and name: `mixlo`, `single`. `None` if there is no such.
    #[must_use]
    pub fn named(question: &str, name: &str) -> Option<Self> {
        let row = QUESTIONS.iter().find(|row| row.id == question)?;
        row.readings.iter().find(|row| row.name == name).map(|row| row.reading)
    }
}

/// `mixlo=single`.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let question = self.question();
        let row = question.readings.iter().find(|row| row.reading == *self);
        write!(f, "{}={}", question.id, row.map_or("", |row| row.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default(target: &str, question: Question) -> &'static str {
        question.row().default_on(target.parse().unwrap()).0.name
    }

    #[test]
    fn rows_stand_in_the_order_of_their_enums_and_names_are_unique() {
        let mut reading = 0;
        for (index, row) in QUESTIONS.iter().enumerate() {
            assert_eq!(row.question as usize, index, "{}", row.id);
            for answer in row.readings {
                assert_eq!(answer.reading as u8, reading, "{} {}", row.id, answer.name);
                assert_eq!(Reading::named(row.id, answer.name), Some(answer.reading));
                assert!(!answer.support.iter().any(|support| support.source.is_empty()));
                reading += 1;
            }
        }
        assert!(reading <= 64);
    }

    #[test]
    fn defaults_follow_the_best_source() {
        // LLVM: FeatureMadMixInsts on gfx900, 902, 909, 90c, FeatureFmaMixInsts elsewhere.
        assert_eq!(default("gfx900", Question::MixFusion), "unfused");
        assert_eq!(default("gfx90c", Question::MixFusion), "unfused");
        assert_eq!(default("gfx906", Question::MixFusion), "fused");
        assert_eq!(default("gfx1250", Question::MixFusion), "fused");
        // Documented from CDNA3 and RDNA3 on; before, LLVM's word against rocjitsu's.
        for target in ["gfx900", "gfx906", "gfx90a", "gfx1030", "gfx1100", "gfx1250"] {
            assert_eq!(default(target, Question::MixRounding), "double", "{target}");
        }
        assert_eq!(default("gfx900", Question::MixFlush), "always");
        assert_eq!(default("gfx906", Question::MixFlush), "mode");
        // The formulas: S1 in the manuals of Vega, CDNA and RDNA1 and 2, S0 in those of RDNA3 and 3.5.
        assert_eq!(default("gfx942", Question::BothNan), "second");
        assert_eq!(default("gfx1030", Question::BothNan), "second");
        assert_eq!(default("gfx1150", Question::BothNan), "first");
        assert_eq!(default("gfx1250", Question::MadClamp), "ignored");
        assert_eq!(default("gfx1100", Question::MadClamp), "saturate");
    }

    /// What is captured is captured on one chip, and says nothing of another.
    #[test]
    fn provenance_is_that_of_the_target() {
        let provenance = |target: &str, question: Question| {
            question.row().default_on(target.parse().unwrap()).1.unwrap().provenance.name()
        };
        assert_eq!(provenance("gfx1100", Question::InvalidProduct), "hardware-captured");
        assert_eq!(provenance("gfx1201", Question::Tininess), "hardware-captured");
        assert_eq!(provenance("gfx1101", Question::InvalidProduct), "emulator");
        assert_eq!(provenance("gfx900", Question::InvalidProduct), "inferred");
        assert_eq!(provenance("gfx1200", Question::Tininess), "inferred");
        assert_eq!(provenance("gfx1150", Question::DefaultNan), "emulator");
        assert_eq!(provenance("gfx900", Question::DefaultNan), "documented");
        assert_eq!(provenance("gfx90a", Question::MixFlush), "hardware-captured");
        assert_eq!(provenance("gfx942", Question::MixFlush), "documented");
        assert_eq!(provenance("gfx904", Question::MixFusion), "emulator");
        assert_eq!(provenance("gfx1100", Question::NanOrder), "emulator");
    }

    #[test]
    fn one_reading_replaces_another_of_its_question() {
        let readings = Readings::of("gfx1100".parse().unwrap());
        assert!(readings.has(Reading::MixDouble) && !readings.has(Reading::MixSingle));
        let single = readings.with(Reading::MixSingle);
        assert!(single.has(Reading::MixSingle) && !single.has(Reading::MixDouble));
        assert_eq!(single.with(Reading::MixDouble), readings);
        assert_eq!(single.answer(Question::MixRounding).name, "single");
        assert_eq!(Reading::MixSingle.to_string(), "mixlo=single");
    }
}
