//! A cause as tests for LLVM's MC suite, in its style: they fail on an LLVM that has the fault and pass on one that has
//! not. Or, with the answers that an LLVM gives today, the other way round.

use super::stock::{assemble, block, decode_block, target_text};
use super::{Part, Shot, Subject};
use crate::asm;
use crate::codec::{Style, Window, decode, encode};
use crate::compare::as_read;
use crate::isa::Target;
use crate::oracle::llvm::{Answer, Assembled, Cpu, Llvm, LlvmError, Options};
use crate::report::names::llvm_bytes;
use crate::sweep::record::Direction;

/// Which answers a test wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Those of AMD's specification.
    Wanted,
    /// Those that the LLVM gives.
    Actual,
}

/// A file of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What one line of a test wants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Want {
    /// This instruction; `behind` says that so many dwords of padding follow it.
    Text { text: String, behind: usize },
    /// These bytes.
    Bytes(Window),
    /// A refusal.
    Error,
}

/// A line of a test.
#[derive(Clone, Debug)]
struct Case {
    input: String,
    want: Want,
}

/// What the lines of a file have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    target: Target,
    assembles: bool,
    /// All lines are refused; else none is.
    refuses: bool,
    /// Whether the tool ends with an error: of the lines, or of what follows the instruction that was asked about.
    fails: bool,
    /// Whether each line has a file of its own: what follows it would change the answer.
    is_alone: bool,
}

/// The files, one for each target and tool, and of what is refused one apart.
///
/// # Errors
/// If the LLVM cannot be run.
pub fn lit_files(subject: &Subject, form: Form, llvm: &Llvm) -> Result<Vec<LitFile>, LlvmError> {
    let mut files: Vec<(Kind, Vec<Case>)> = Vec::new();
    for part in &subject.parts {
        for shot in &part.shots {
            let Some((assembles, case)) = case(part, shot, form, llvm)? else { continue };
            let refuses = case.want == Want::Error;
            let fails = match form {
                Form::Wanted => refuses,
                Form::Actual => fails(llvm, shot.target, assembles, &case.input)?,
            };
            let kind = Kind { target: shot.target, assembles, refuses, fails, is_alone: !shot.padded };
            match files.iter_mut().find(|(other, _)| *other == kind && !kind.is_alone) {
                Some((_, cases)) => cases.push(case),
                None => files.push((kind, vec![case])),
            }
        }
    }
    let numbered = files.iter().enumerate();
    Ok(numbered.map(|(number, (kind, cases))| file(&subject.id, number, *kind, cases)).collect())
}

/// Whether the tool ends with an error on this input.
fn fails(llvm: &Llvm, target: Target, assembles: bool, input: &str) -> Result<bool, LlvmError> {
    let raw = if assembles { assemble(llvm, target, input)?.raw } else { decode_block(llvm, target, input)? };
    Ok(raw.end != Ok(0))
}

/// What is put to the tool, and what is wanted; nothing if there is no telling.
fn case(part: &Part, shot: &Shot, form: Form, llvm: &Llvm) -> Result<Option<(bool, Case)>, LlvmError> {
    let target = shot.target;
    Ok(match (part.direction, &shot.window) {
        (Direction::Assemble, _) | (_, None) => {
            let Some(input) = shot.our_text() else { return Ok(None) };
            let want = match form {
                Form::Wanted => match asm::assemble(target, &input, Style::Llvm) {
                    Ok(assembled) => Some(Want::Bytes(assembled.window)),
                    Err(_) => Some(Want::Error),
                },
                Form::Actual => assembled(llvm, target, &input)?,
            };
            want.map(|want| (true, Case { input, want }))
        }
        (Direction::Reassemble, Some(window)) => {
            let Answer::Text { text: input, .. } = decoded(llvm, target, window, shot.padded)? else { return Ok(None) };
            let want = match form {
                Form::Wanted => decode(target, &as_read(window, shot.padded))
                    .ok()
                    .and_then(|decoded| encode(target, &decoded.instruction).ok())
                    .map(Want::Bytes),
                Form::Actual => assembled(llvm, target, &input)?,
            };
            want.map(|want| (true, Case { input, want }))
        }
        (Direction::Decode, Some(window)) => {
            let whole = as_read(window, shot.padded);
            // What lies behind the instruction is another one, or none.
            let given = match decode(target, &whole) {
                Ok(decoded) if form == Form::Wanted => window.truncated(usize::from(decoded.size) / 4),
                _ => *window,
            };
            let window = &given;
            let want = match form {
                Form::Wanted => Some(match decode(target, &whole) {
                    Ok(decoded) => {
                        let taken = usize::from(decoded.size) / 4;
                        let text = asm::print(target, &decoded.instruction);
                        Want::Text { text, behind: behind(part, shot, window, taken) }
                    }
                    Err(_) => Want::Error,
                }),
                Form::Actual => match decoded(llvm, target, window, shot.padded)? {
                    Answer::Text { text, bytes } | Answer::Annotated { text, bytes } => {
                        let taken = bytes.map_or(usize::MAX, |bytes| usize::from(bytes) / 4);
                        Some(Want::Text { text, behind: behind(part, shot, window, taken) })
                    }
                    Answer::Invalid => Some(Want::Error),
                    Answer::Dead(_) => None,
                },
            };
            want.map(|want| (false, Case { input: block(window, shot.padded), want }))
        }
    })
}

/// How many dwords of padding are left behind an instruction, where its length is what differs.
fn behind(part: &Part, shot: &Shot, window: &Window, taken: usize) -> usize {
    let given = block(window, shot.padded).split(',').count() / 4;
    let is_certain = part.is_of_length && taken >= window.dwords().len();
    if is_certain { given.saturating_sub(taken) } else { 0 }
}

fn cpu(target: Target) -> Cpu<'static> {
    Cpu { name: target.cpu(), wave64: target.has_unusual_wave() }
}

fn decoded(llvm: &Llvm, target: Target, window: &Window, padded: bool) -> Result<Answer, LlvmError> {
    let options = Options { padded, ..Options::default() };
    let pairs = llvm.disassemble(cpu(target), &[*window], &[], &options)?.pairs;
    Ok(pairs.into_iter().next().map_or(Answer::Invalid, |pair| pair.mc))
}

fn assembled(llvm: &Llvm, target: Target, text: &str) -> Result<Option<Want>, LlvmError> {
    let lines = llvm.assemble(cpu(target), &[text], &Options::default())?.lines;
    Ok(match lines.into_iter().next() {
        Some(Assembled::Refused { .. }) => Some(Want::Error),
        Some(line) => line.window().map(Want::Bytes),
        None => None,
    })
}

fn file(id: &str, number: usize, kind: Kind, cases: &[Case]) -> LitFile {
    let Kind { target, assembles, refuses, fails, .. } = kind;
    let (comment, suffix) = if assembles { ("//", "s") } else { ("#", "txt") };
    let command = match assembles {
        true => format!("llvm-mc {} -show-encoding %s", target_text(target)),
        false => format!("llvm-mc {} -disassemble %s", target_text(target)),
    };
    let run = match fails {
        true => format!("{comment} RUN: not {command} 2>&1 | FileCheck %s"),
        false => format!("{comment} RUN: {command} | FileCheck %s"),
    };
    let mut text = format!("{run}\n");
    for Case { input, want } in cases {
        text += "\n";
        // A disassembler's input is checked before it, an assembler's behind it, as is the custom.
        let checks = match want {
            Want::Text { text, behind } => {
                let mut checks = vec![format!("{comment} CHECK: {text}{{{{$}}}}")];
                checks.extend((0..*behind).map(|_| format!("{comment} CHECK-NEXT: s_nop 0x7777{{{{$}}}}")));
                checks
            }
            Want::Bytes(window) => vec![format!("{comment} CHECK: encoding: {}", llvm_bytes(window))],
            Want::Error if assembles => vec![format!("{comment} CHECK: :[[@LINE-1]]:{{{{[0-9]+}}}}: error:")],
            // At the first byte of the block, and not behind a first instruction.
            Want::Error => {
                vec![format!("{comment} CHECK: :[[@LINE+1]]:2: warning: invalid instruction encoding")]
            }
        };
        let lines =
            if assembles { [vec![input.clone()], checks].concat() } else { [checks, vec![input.clone()]].concat() };
        text += &format!("{}\n", lines.join("\n"));
    }
    let target = target.to_string().replace(':', "-");
    let what = if refuses { "-err" } else { "" };
    LitFile { name: format!("{id}-{target}{what}-{number}.{suffix}"), text }
}
