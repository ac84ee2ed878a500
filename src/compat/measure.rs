//! What one LLVM has: the plain word and the plain text of every opcode, put to its disassembler and its assembler.
//!
//! Of a number that our table does not have on a target, a few words are tried, so that what only LLVM has shows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Number;
use crate::asm;
use crate::assembling::{JudgedText, TextJudge};
use crate::codec::{Field, Style, Window, decode, encode_like};
use crate::isa::{Matrix, PAIRS, ProcessorSet, Target};
use crate::judge::{Explained, Judge, Judged};
use crate::ledger::Ledger;
use crate::oracle::llvm::{Answer, Assembled, Llvm, LlvmError};
use crate::plain::{plain_pair, plain_word};

/// What one LLVM has on the targets that it was measured on.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The version, as the ledger writes it.
    pub version: String,
    /// The processors that it does not know.
    pub unknown: ProcessorSet,
    /// By processor and number.
    pub(super) cells: BTreeMap<(usize, Number), Cell>,
}

/// What one LLVM makes of one opcode on one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The mnemonic that its disassembler prints for the word; `None` if it does not take it for an instruction.
    pub decodes: Option<String>,
    /// Whether its assembler takes the text.
    pub assembles: bool,
    /// The differences from our decoder.
    pub of_word: Vec<Explained>,
    /// The differences from our assembler.
    pub of_text: Vec<Explained>,
}

/// The words that stand for one opcode.
struct Asked {
    number: Number,
    /// The first one that LLVM takes for an instruction counts.
    words: Vec<Window>,
    /// The text; of what our table lacks it is what LLVM prints.
    text: Option<String>,
}

/// Measures one LLVM on these targets.
///
/// # Errors
/// If the tools cannot be run. That they do not know a processor is an answer and no error.
pub fn measure(llvm: &Llvm, ledger: &Ledger, targets: &[Target]) -> Result<Measured, LlvmError> {
    let measured =
        Mutex::new(Measured { version: llvm.version.to_string(), unknown: ProcessorSet::NONE, cells: BTreeMap::new() });
    let failure = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let cells = measure_target(llvm, ledger, *target);
            let mut all = measured.lock().unwrap_or_else(PoisonError::into_inner);
            match cells {
                Ok(cells) => all.cells.extend(cells.into_iter().map(|(number, cell)| ((target.index(), number), cell))),
                Err(LlvmError::UnknownCpu { .. }) => all.unknown = all.unknown.with(target.index()),
                Err(error) => {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    next.store(targets.len(), Ordering::Relaxed);
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(targets.len());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(measured.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn measure_target(llvm: &Llvm, ledger: &Ledger, target: Target) -> Result<Vec<(Number, Cell)>, LlvmError> {
    let asked = asked(target);
    let words: Vec<Window> = asked.iter().flat_map(|one| one.words.iter().copied()).collect();
    let mut judged = Judge::new(llvm, ledger).judge(target, &words)?.into_iter();
    let mut cells: Vec<(Number, Cell)> = Vec::new();
    let mut texts: Vec<(usize, String)> = Vec::new();
    for one in asked {
        let answers: Vec<Judged> = judged.by_ref().take(one.words.len()).collect();
        let Some(answer) = answers.iter().find(|answer| answer.llvm_accepts).or(answers.first()) else { continue };
        let printed = match &answer.pair.mc {
            Answer::Text { text, .. } if answer.llvm_accepts => Some(text.clone()),
            _ => None,
        };
        if let Some(text) = one.text.or_else(|| printed.clone()) {
            texts.push((cells.len(), text));
        }
        let decodes = printed.as_deref().map(mnemonic);
        cells.push((one.number, Cell { decodes, of_word: answer.findings.clone(), ..Cell::default() }));
    }
    let lines: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let assembled: Vec<JudgedText> = TextJudge::new(llvm, ledger).judge(target, &lines)?;
    for ((place, _), answer) in texts.iter().zip(assembled) {
        if let Some((_, cell)) = cells.get_mut(*place) {
            cell.assembles = matches!(answer.theirs, Assembled::Bytes { .. });
            cell.of_text = answer.findings;
        }
    }
    Ok(cells)
}

/// Every opcode number of the target, and every pair that it has.
fn asked(target: Target) -> Vec<Asked> {
    let numbers = 0..1_u16 << target.rules().prefix.op_bits;
    let mut all: Vec<Asked> = numbers.filter_map(|op| u8::try_from(op).ok()).map(|op| one(target, op)).collect();
    for pair in &PAIRS {
        let number = Number { op: pair.scale, body: Some(pair.body) };
        all.extend(plain_pair(target, pair).map(|window| of_ours(target, number, window)));
    }
    all
}

fn one(target: Target, op: u8) -> Asked {
    let number = Number { op, body: None };
    match target.opcode(op) {
        // Alone it is no instruction of AMD's.
        Some(opcode) if opcode.matrix() == Some(Matrix::ScaleCdna5) => {
            let words = vec![Window::from_word(plain_word(target, op).word())];
            Asked { number, words, text: None }
        }
        Some(_) => of_ours(target, number, plain_word(target, op)),
        None => {
            let plain = plain_word(target, op);
            let two_sources = Field::Src2.set(plain, 0);
            let tuples = [(Field::Src0, 256 + 32), (Field::Src1, 256 + 64), (Field::Src2, 256 + 128)];
            let tuples = tuples.into_iter().fold(plain, |window, (field, value)| field.set(window, value));
            Asked { number, words: vec![plain, tuples, two_sources], text: None }
        }
    }
}

/// The word and the text of an instruction of ours, as LLVM writes them.
fn of_ours(target: Target, number: Number, plain: Window) -> Asked {
    let Ok(decoded) = decode(target, &plain) else { return Asked { number, words: vec![plain], text: None } };
    let word = encode_like(target, &decoded.instruction, Style::Llvm).unwrap_or(plain);
    Asked { number, words: vec![word], text: Some(asm::print(target, &decoded.instruction).to_string()) }
}

/// The mnemonic of a text, without the suffixes that LLVM may add.
fn mnemonic(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let suffixes = ["_e64_dpp", "_dpp", "_e64"];
    suffixes.iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word).to_owned()
}
