//! A finding made small: every field that it does not need at its plainest value.

use crate::codec::{Field, Window, fields_of};
use crate::compare::{Finding, Kind};
use crate::isa::Target;
use crate::judge::{Judge, Judged};
use crate::oracle::llvm::LlvmError;
use crate::plain::{plain_value, with_plain};

/// Rounds after which minimising gives up on getting smaller.
const MOST_ROUNDS: usize = 12;

/// The window with everything plain that the finding does not need, judged.
///
/// A smaller window counts only if it still has a new finding of the same kind and field.
///
/// # Errors
/// As [`Judge::judge`].
pub fn minimise(judge: &Judge<'_>, target: Target, start: Window, finding: &Finding) -> Result<Judged, LlvmError> {
    let key = (finding.kind, finding.field.as_str());
    let shows = |judged: &Judged| judged.new_findings().any(|new| (new.kind, new.field.as_str()) == key);
    let small =
        shrink(target, start, finding.kind, |windows| Ok(judge.judge(target, windows)?.iter().map(&shows).collect()))?;
    Ok(judge.judge(target, &[small])?.swap_remove(0))
}

/// The window with everything plain that it does not need to be one of those that `shows` picks.
pub(super) fn shrink<E>(
    target: Target,
    start: Window,
    kind: Kind,
    shows: impl Fn(&[Window]) -> Result<Vec<bool>, E>,
) -> Result<Window, E> {
    let mut current = start;
    for _ in 0..MOST_ROUNDS {
        let steps = steps(target, &current, kind);
        let candidates: Vec<Window> = steps.iter().map(|step| step.apply(target, &current)).collect();
        let shown = shows(&candidates)?;
        let good: Vec<Step> = steps.iter().zip(shown).filter(|(_, shown)| *shown).map(|(step, _)| *step).collect();
        if good.is_empty() {
            break;
        }
        // All at once if they go together, else the first, which may free others in the next round.
        let together = good.iter().fold(current, |window, step| step.apply(target, &window));
        let first = good[0].apply(target, &current);
        let found = shows(&[together, first])?;
        let smaller = [together, first].into_iter().zip(found).find(|(window, shown)| *shown && *window != current);
        let Some((window, _)) = smaller else { break };
        current = window;
    }
    Ok(current)
}

/// One way to make a window plainer.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Keep so many dwords.
    Cut(usize),
    /// Set a field to its plainest.
    Plain(Field),
    /// Set one bit of a modifier as in the plainest value.
    Bit(Field, u32),
}

impl Step {
    fn apply(self, target: Target, window: &Window) -> Window {
        match self {
            Self::Cut(dwords) => window.truncated(dwords),
            Self::Plain(field) => with_plain(target, window, field),
            Self::Bit(field, bit) => {
                let plain = plain_value(target, window, field) & 1 << bit;
                field.set(*window, field.get(window) & !(1 << bit) | plain)
            }
        }
    }
}

/// The steps that change the window.
fn steps(target: Target, window: &Window, kind: Kind) -> Vec<Step> {
    let mut steps = Vec::new();
    let fields = fields_of(target, window);
    let needed = if fields.iter().any(|field| field.bits() >> 64 != 0) { 3 } else { 2 };
    if window.dwords().len() > needed {
        steps.push(Step::Cut(needed));
    }
    for field in fields {
        let (value, plain) = (field.get(window), plain_value(target, window, field));
        // Another opcode would be another mnemonic finding.
        if value == plain || (field == Field::Op && kind == Kind::Mnemonic) {
            continue;
        }
        steps.push(Step::Plain(field));
        if matches!(field, Field::OpSel | Field::OpSelHi | Field::Neg | Field::NegHi) {
            steps.extend((0..3).filter(|bit| (value ^ plain) >> bit & 1 == 1).map(|bit| Step::Bit(field, bit)));
        }
    }
    steps
}
