//! Which numeric questions are worth another reading for which operations.

use crate::isa::Operation;
use crate::question::{QUESTIONS, Question, Reading};

/// Which questions an operation may raise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Concern {
    Packed,
    Mix,
    Integer,
}

impl Concern {
    /// All of them, in order.
    pub(super) const ALL: [Self; 3] = [Self::Packed, Self::Mix, Self::Integer];

    /// That of an operation.
    pub(super) const fn of(operation: Option<Operation>) -> Self {
        use Operation as O;
        match operation {
            Some(O::Mix(_)) => Self::Mix,
            Some(O::Fma | O::Add | O::Mul | O::Min | O::Max | O::MinNum | O::MaxNum | O::Minimum | O::Maximum)
            | Some(O::Min3Num | O::Max3Num | O::Minimum3 | O::Maximum3) => Self::Packed,
            _ => Self::Integer,
        }
    }

    /// Whether an operation of this kind may raise a question.
    const fn asks(self, question: Question) -> bool {
        use Question as Q;
        match question {
            Q::InlineInteger => true,
            Q::MixFusion
            | Q::MixRounding
            | Q::MixSourceDenorm
            | Q::MixResultRound
            | Q::MixResultDenorm
            | Q::MixFlush
            | Q::MadProductRound
            | Q::MixInline
            | Q::NarrowNan => matches!(self, Self::Mix),
            Q::BothNan | Q::MinimumNan | Q::MinimumFlush | Q::Bf16Round => matches!(self, Self::Packed),
            Q::MoveSelect | Q::SignedClamp | Q::MadClamp | Q::Relu | Q::IntegerNeg => matches!(self, Self::Integer),
            Q::InlineFloatInInteger | Q::InlinePair => matches!(self, Self::Integer | Self::Packed),
            _ => matches!(self, Self::Mix | Self::Packed),
        }
    }
}

/// The readings of the questions with several that an operation may raise.
pub(super) fn choices(concern: Concern) -> Vec<Reading> {
    let rows = QUESTIONS.iter().filter(|row| row.readings.len() > 1 && concern.asks(row.question));
    rows.flat_map(|row| row.readings.iter().map(|reading| reading.reading)).collect()
}
