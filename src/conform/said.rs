//! What the checks of an instruction say together.

use super::Expect;
use super::check::Pattern;
use super::run::Run;
use super::source::Input;
use crate::codec::Window;

/// What a run says of an instruction: nothing, something, or what cannot be read.
pub(super) type Said = Result<Option<Expect>, &'static str>;

/// What the checks say of a text; without any, whether the run says that it assembles.
pub(super) fn assembled(run: &Run, input: &Input, checks: &[&Pattern], must: bool) -> Said {
    let text = input.text.clone();
    if text.contains("/*") {
        return Err("a comment in the instruction is not closed");
    }
    let (mut errors, mut lines, mut unread) = (Vec::new(), Vec::new(), None);
    for check in checks {
        match check {
            Pattern::Error(_, message) => errors.push(message),
            Pattern::Line { text, bytes, whole } => lines.push((text, bytes, whole)),
            Pattern::Unread(reason) => unread = Some(*reason),
            Pattern::Warning(_) | Pattern::Nothing => {}
        }
    }
    if let (Some(reason), true) = (unread, errors.is_empty() && lines.is_empty()) {
        // That it assembles is known all the same.
        return if run.mc.fails {
            Err(reason)
        } else {
            Ok(Some(Expect::Assembles { text, bytes: None, printed: None }))
        };
    }
    match (errors.as_slice(), lines.as_slice()) {
        ([], []) => Ok(must.then_some(Expect::Assembles { text, bytes: None, printed: None })),
        (_, []) if !run.mc.fails => Err("an error in a run that must succeed"),
        ([message, ..], []) => Ok(Some(Expect::Refuses { text, message: (*message).clone() })),
        ([], [(shown, bytes, whole), rest @ ..]) => {
            if rest.iter().any(|(other, ..)| other != shown) {
                return Err("several lines are printed for the instruction");
            }
            let printed = whole.then(|| (*shown).clone());
            Ok(Some(Expect::Assembles { text, bytes: (*bytes).clone()?, printed }))
        }
        _ => Err("the instruction is both refused and printed"),
    }
}

/// What the checks say of bytes.
pub(super) fn disassembled(bytes: Window, checks: &[&Pattern]) -> Said {
    let mut lines = Vec::new();
    for check in checks {
        match check {
            // What it prints besides a warning counts for nothing.
            Pattern::Warning(_) | Pattern::Error(..) => return Ok(Some(Expect::Rejects { bytes })),
            Pattern::Line { text, bytes, whole } => lines.push((text, bytes, whole)),
            Pattern::Unread(reason) => return Err(reason),
            Pattern::Nothing => {}
        }
    }
    match lines.as_slice() {
        [] => Ok(None),
        [(text, again, true)] => {
            let again = (*again).clone()?.filter(|again| !again.holds(bytes.bytes()));
            Ok(Some(Expect::Prints { bytes, text: (*text).clone(), again }))
        }
        [_] => Err("the check may be only a part of the line"),
        _ => Err("several lines are printed for the instruction"),
    }
}

/// What two runs on the same processor say together; `None` if they contradict each other.
pub(super) fn merge(a: &Expect, b: &Expect) -> Option<Expect> {
    let Expect::Assembles { text, bytes, printed } = a else { return (a == b).then(|| a.clone()) };
    let Expect::Assembles { bytes: other_bytes, printed: other_printed, .. } = b else { return None };
    let bytes = match (bytes, other_bytes) {
        (Some(a), Some(b)) => Some(a.and(b)?),
        (a, b) => a.as_ref().or(b.as_ref()).cloned(),
    };
    let is_same = printed.as_ref().is_none_or(|a| other_printed.as_ref().is_none_or(|b| a == b));
    let printed = printed.as_ref().or(other_printed.as_ref()).cloned();
    is_same.then(|| Expect::Assembles { text: text.clone(), bytes, printed })
}
