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
    let of_one = |tries: &[Try]| shows(&tries.iter().map(|one| one.window).collect::<Vec<_>>());
    Ok(shrink_all(target, &[Large { window: start, kind }], of_one)?.pop().unwrap_or(start))
}

/// A window to make small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Large {
    /// The window.
    pub window: Window,
    /// What kind of difference it shows.
    pub kind: Kind,
}

/// A plainer window that may do in place of a large one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// The place of the large one in the list.
    pub of: usize,
    /// The window.
    pub window: Window,
}

/// Windows of one target, each with everything plain that it does not need to be one of those that `shows` picks for it.
/// All go in step, so that `shows` is asked twice a round, however many there are.
///
/// # Errors
/// Those of `shows`.
pub fn shrink_all<E>(
    target: Target,
    large: &[Large],
    mut shows: impl FnMut(&[Try]) -> Result<Vec<bool>, E>,
) -> Result<Vec<Window>, E> {
    let mut current: Vec<Window> = large.iter().map(|one| one.window).collect();
    let mut open: Vec<usize> = (0..large.len()).collect();
    for _ in 0..MOST_ROUNDS {
        let tries: Vec<(usize, Step)> = open
            .iter()
            .flat_map(|&of| steps(target, &current[of], large[of].kind).into_iter().map(move |step| (of, step)))
            .collect();
        let windows: Vec<Try> =
            tries.iter().map(|&(of, step)| Try { of, window: step.apply(target, &current[of]) }).collect();
        if windows.is_empty() {
            break;
        }
        let shown = shows(&windows)?;
        let good: Vec<(usize, Step)> =
            tries.into_iter().zip(shown).filter(|(_, shown)| *shown).map(|(t, _)| t).collect();
        // All at once if they go together, else the first, which may free others in the next round.
        let mut windows: Vec<Try> = Vec::new();
        for steps in good.chunk_by(|(a, _), (b, _)| a == b) {
            let Some(&(of, first)) = steps.first() else { continue };
            let together = steps.iter().fold(current[of], |window, (_, step)| step.apply(target, &window));
            windows.extend([together, first.apply(target, &current[of])].map(|window| Try { of, window }));
        }
        if windows.is_empty() {
            break;
        }
        open.clear();
        for (one, shown) in windows.iter().zip(shows(&windows)?) {
            if shown && one.window != current[one.of] && open.last() != Some(&one.of) {
                current[one.of] = one.window;
                open.push(one.of);
            }
        }
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
