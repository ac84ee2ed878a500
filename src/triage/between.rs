//! Two LLVMs against each other, whoever is right.

use super::probe::{Answer, Probe, Shown, Way, assembled_by_llvm, decoded_by_llvm, text_of};
use crate::codec::Window;
use crate::compare::Finding;
use crate::isa::Target;
use crate::oracle::llvm::{Cpu, Llvm, LlvmError, Options, Pair};
use crate::sweep::against::{changed_text, changed_word};
use crate::sweep::record::Direction;

/// One LLVM against another.
#[derive(Clone, Copy, Debug)]
pub struct BetweenProbe<'a> {
    /// The first, in our place.
    pub first: &'a Llvm,
    /// The second.
    pub second: &'a Llvm,
}

impl BetweenProbe<'_> {
    fn decoded(&self, target: Target, padded: bool, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let options = Options { padded, ..Options::default() };
        let ask = |llvm: &Llvm| Ok::<_, LlvmError>(llvm.disassemble(cpu(target), windows, &[], &options)?.pairs);
        let (before, after) = (ask(self.first)?, ask(self.second)?);
        let one = |(a, b): (&Pair, &Pair)| {
            // Where llvm-mc says the same, llvm-objdump does not.
            let (ours, theirs) = if a.mc == b.mc { (&a.objdump, &b.objdump) } else { (&a.mc, &b.mc) };
            Answer {
                shown: changed_word(target, a, b).into_iter().map(shown).collect(),
                ours: decoded_by_llvm(ours),
                theirs: decoded_by_llvm(theirs),
                text: None,
            }
        };
        Ok(before.iter().zip(&after).map(one).collect())
    }

    fn assembled(&self, target: Target, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let texts: Vec<Option<String>> = windows.iter().map(|window| text_of(target, window)).collect();
        let lines: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        let options = Options { batch: 0x4000, ..Options::default() };
        let ask = |llvm: &Llvm| Ok::<_, LlvmError>(llvm.assemble(cpu(target), &lines, &options)?.lines);
        let (before, after) = (ask(self.first)?, ask(self.second)?);
        let mut both = before.iter().zip(&after);
        let one = |text: &Option<String>| match text.as_ref().and_then(|text| Some((text, both.next()?))) {
            Some((text, (a, b))) => Answer {
                shown: changed_text(a, b).into_iter().map(shown).collect(),
                ours: assembled_by_llvm(a),
                theirs: assembled_by_llvm(b),
                text: Some(text.clone()),
            },
            None => Answer::default(),
        };
        Ok(texts.iter().map(one).collect())
    }
}

impl Probe for BetweenProbe<'_> {
    fn ask(&self, target: Target, way: Way, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        let answers = match way.direction {
            Direction::Decode => self.decoded(target, way.padded, windows),
            Direction::Assemble => self.assembled(target, windows),
            // What each prints is assembled by none but itself.
            Direction::Reassemble => Ok(vec![Answer::default(); windows.len()]),
        };
        match answers {
            Err(LlvmError::UnknownCpu { .. }) => Ok(vec![Answer::default(); windows.len()]),
            answers => answers,
        }
    }
}

fn cpu(target: Target) -> Cpu<'static> {
    Cpu { name: target.cpu(), wave64: target.has_unusual_wave() }
}

fn shown(finding: Finding) -> Shown {
    let Finding { kind, field, ours, theirs } = finding;
    Shown { kind, field, ours, theirs, entry: None }
}
