//! A cause as a short issue for LLVM.

use std::fmt::Write as _;

use super::stock::{Ran, assemble, decode};
use super::{Part, Shot, Subject};
use crate::asm;
use crate::codec::{Style, decode as our_decode, encode};
use crate::compare::as_read;
use crate::isa::{State, target_names};
use crate::oracle::llvm::{Llvm, LlvmError};
use crate::report::names::llvm_bytes;
use crate::sweep::record::Direction;

/// An issue in Markdown: what to type, what comes, what should, and why. What is typed is run on this LLVM.
///
/// # Errors
/// If that cannot be run.
pub fn issue(subject: &Subject, llvm: &Llvm) -> Result<String, LlvmError> {
    let mut text = format!("# [AMDGPU][MC] {}\n", subject.title);
    for part in &subject.parts {
        let Some(shot) = part.shots.first() else { continue };
        if let Some(note) = &part.note {
            text += &format!("\n{}\n", one_line(note));
        }
        example(shot, part.direction, llvm, &mut text)?;
    }
    // Writing to a string cannot fail.
    _ = writeln!(text, "\n## Why\n\n{}", one_line(&subject.reason));
    if !subject.citations.is_empty() {
        text += "\nIt rests on:\n";
        subject.citations.iter().for_each(|citation| _ = writeln!(text, "- {citation}"));
    }
    text += "\n## Where\n\n";
    where_lines(&subject.parts, &mut text);
    Ok(text)
}

/// What is typed, what comes, and what should.
fn example(shot: &Shot, direction: Direction, llvm: &Llvm, text: &mut String) -> Result<(), LlvmError> {
    let target = shot.target;
    let (ran, second) = match (direction, &shot.window) {
        (Direction::Assemble, _) | (_, None) => {
            let typed = shot.our_text().unwrap_or_default();
            let ran = assemble(llvm, target, &typed)?;
            let word = asm::assemble(target, &typed, Style::Llvm).ok().map(|assembled| assembled.window);
            let second = word.map(|word| decode(llvm, target, &word, true)).transpose()?;
            (ran, second.map(|ran| ("The word that it should be is decoded so:", ran)))
        }
        (_, Some(window)) => {
            let ran = decode(llvm, target, window, shot.padded)?;
            let printed = printed(&ran);
            let typed = match direction {
                Direction::Reassemble => printed,
                _ => shot.our_text().or(printed),
            };
            let second = typed.map(|typed| assemble(llvm, target, &typed)).transpose()?;
            let about = match direction {
                Direction::Reassemble => "It does not take that back as the same word:",
                _ => "Its assembler:",
            };
            (ran, second.map(|ran| (about, ran)))
        }
    };
    _ = write!(text, "\n{}", ran.transcript());
    _ = writeln!(text, "\nExpected: {}", expected(shot, direction));
    if let Some((about, ran)) = second {
        _ = write!(text, "\n{about}\n\n{}", ran.transcript());
    }
    Ok(())
}

/// The instruction that a disassembler printed first.
fn printed(ran: &Ran) -> Option<String> {
    let mut lines = ran.raw.stdout.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && *line != ".text").map(|line| line.replace('\t', " "))
}

/// What the tool should have said.
fn expected(shot: &Shot, direction: Direction) -> String {
    let target = shot.target;
    match (direction, &shot.window) {
        (Direction::Assemble, _) | (_, None) => {
            match asm::assemble(target, &shot.our_text().unwrap_or_default(), Style::Llvm) {
                Ok(assembled) => format!("`encoding: {}`", llvm_bytes(&assembled.window)),
                Err(error) => format!("an error: {error}"),
            }
        }
        (_, Some(window)) => match our_decode(target, &as_read(window, shot.padded)) {
            Err(undefined) => format!("an invalid encoding: {undefined}"),
            Ok(decoded) if direction == Direction::Reassemble => match encode(target, &decoded.instruction) {
                Ok(word) => format!("`encoding: {}`", llvm_bytes(&word)),
                Err(error) => format!("an error: {error}"),
            },
            Ok(decoded) => {
                let broken = decoded.notes.iter().filter(|rule| rule.row().state != State::Ignored);
                let broken: Vec<&str> = broken.map(|rule| rule.row().text).collect();
                let text = format!("`{}`, {} bytes", asm::print(target, &decoded.instruction), decoded.size);
                if broken.is_empty() {
                    text
                } else {
                    format!("{text}, or none, as it is not allowed: {}", broken.join("; "))
                }
            }
        },
    }
}

/// The targets and versions, once for all parts that have the same.
fn where_lines(parts: &[Part], text: &mut String) {
    let list = |versions: &[String]| if versions.is_empty() { "-".to_owned() } else { versions.join(", ") };
    let mut said: Vec<String> = Vec::new();
    for part in parts {
        let lines = format!(
            "- targets: {}\n- LLVM that shows it: {}\n- LLVM that does not: {}\n",
            target_names(&part.targets),
            list(&part.fires),
            list(&part.silent)
        );
        if !said.contains(&lines) {
            if !said.is_empty() {
                text.push('\n');
            }
            text.push_str(&lines);
            said.push(lines);
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
