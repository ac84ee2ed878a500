//! A cause as lines of the corpus.

use super::Subject;
use crate::asm::{self, AssembleError};
use crate::case::{Case, Expectation};
use crate::codec::{Style, decode};
use crate::compare::as_read;
use crate::sweep::record::Direction;
use crate::text_case::{TextCase, TextExpectation};

/// A line for each of its cases, with what is expected of our decoder or assembler, and the entry that explains what LLVM
/// does.
#[must_use]
pub fn case_lines(subject: &Subject) -> Vec<String> {
    let mut lines = Vec::new();
    let shots = subject.parts.iter().flat_map(|part| part.shots.iter().map(move |shot| (part.direction, shot)));
    for (direction, shot) in shots {
        // That LLVM does not take back what it prints is nothing that a case can expect.
        let is_expected = subject.is_known && direction != Direction::Reassemble;
        let known = is_expected.then(|| vec![subject.id.clone()]);
        let line = match (&shot.text, &shot.window) {
            (Some(text), _) => {
                let mut expectations = match asm::assemble(shot.target, text, Style::Llvm) {
                    Ok(assembled) => vec![TextExpectation::Word(assembled.window)],
                    Err(AssembleError::Illegal { rule, .. }) => vec![TextExpectation::Refused(Some(rule))],
                    Err(_) => vec![TextExpectation::Refused(None)],
                };
                expectations.extend(known.map(TextExpectation::Known));
                let source = subject.title.clone();
                TextCase { target: shot.target, text: text.clone(), expectations, source }.to_string()
            }
            (None, Some(window)) => {
                let mut expectations = match decode(shot.target, &as_read(window, shot.padded)) {
                    Ok(decoded) => vec![
                        Expectation::Text(asm::print(shot.target, &decoded.instruction)),
                        Expectation::Rules(decoded.notes.iter().collect()),
                    ],
                    Err(undefined) => vec![Expectation::Undefined(Some(undefined.id().to_owned()))],
                };
                expectations.extend(known.map(Expectation::Known));
                let (target, source) = (shot.target, subject.title.clone());
                Case { target, window: *window, padded: shot.padded, expectations, source }.to_string()
            }
            (None, None) => continue,
        };
        lines.push(line);
    }
    lines
}
