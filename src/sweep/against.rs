//! Two builds of LLVM beside each other: what changed, whoever is right.

use std::collections::HashSet;

use super::plan::Part;
use super::unit::Sweeper;
use crate::asm;
use crate::codec::Window;
use crate::compare::{Finding, Kind, as_read, differences};
use crate::isa::Target;
use crate::oracle::llvm::{Answer, Assembled, Cpu, Llvm, LlvmError, Options, Pair};

/// What changed from one LLVM to the other.
#[derive(Debug, Default)]
pub struct Changed {
    /// The differences about each window.
    pub words: Vec<Vec<Finding>>,
    /// The same about the text of each window that has one to us, each text once.
    pub texts: Vec<ChangedText>,
    /// Windows on which a tool of either died.
    pub deaths: u64,
}

/// A text, and what changed.
#[derive(Debug)]
pub struct ChangedText {
    /// Which of the windows it is the text of.
    pub place: usize,
    /// The text.
    pub text: String,
    /// The differences.
    pub findings: Vec<Finding>,
}

/// What changed from the sweeper's LLVM to `against`, about these windows.
///
/// # Errors
/// If either cannot be run, or does not know the processor.
pub fn changes(sweeper: &Sweeper<'_>, part: &Part, against: &Llvm, windows: &[Window]) -> Result<Changed, LlvmError> {
    let mut changed = Changed::default();
    let (target, before) = (part.target, sweeper.judge.llvm);
    if sweeper.choice.decode {
        let options = Options { padded: part.padded, ..sweeper.judge.options };
        let pairs = decoded(before, target, windows, &options)?.into_iter();
        for (a, b) in pairs.zip(decoded(against, target, windows, &options)?) {
            changed.deaths += u64::from([&a, &b].iter().any(|pair| is_dead(pair)));
            changed.words.push(changed_word(target, &a, &b));
        }
    } else {
        changed.words.resize(windows.len(), Vec::new());
    }
    if sweeper.choice.assemble && part.padded {
        changed.texts = changed_texts(sweeper, target, against, windows)?;
    }
    Ok(changed)
}

/// What both tools of an LLVM say of windows.
fn decoded(llvm: &Llvm, target: Target, windows: &[Window], options: &Options) -> Result<Vec<Pair>, LlvmError> {
    Ok(llvm.disassemble(cpu(target), windows, &[], options)?.pairs)
}

fn cpu(target: Target) -> Cpu<'static> {
    Cpu { name: target.cpu(), wave64: target.has_unusual_wave() }
}

fn is_dead(pair: &Pair) -> bool {
    [&pair.mc, &pair.objdump].iter().any(|answer| matches!(answer, Answer::Dead(_)))
}

/// What changed about a window: of llvm-mc, or where that says the same, of llvm-objdump.
#[must_use]
pub fn changed_word(target: Target, before: &Pair, after: &Pair) -> Vec<Finding> {
    let found = differences(target, &before.mc, &after.mc);
    if found.is_empty() { differences(target, &before.objdump, &after.objdump) } else { found }
}

/// What changed about the texts of windows.
fn changed_texts(
    sweeper: &Sweeper<'_>,
    target: Target,
    against: &Llvm,
    windows: &[Window],
) -> Result<Vec<ChangedText>, LlvmError> {
    let mut once = HashSet::new();
    let mut texts: Vec<(usize, String)> = Vec::new();
    for (place, window) in windows.iter().enumerate() {
        let Ok(decoded) = (sweeper.judge.subject)(target, &as_read(window, true)) else { continue };
        let text = asm::print(target, &decoded.instruction);
        if once.insert(text.clone()) {
            texts.push((place, text));
        }
    }
    let lines: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let ask = |llvm: &Llvm| Ok::<_, LlvmError>(llvm.assemble(cpu(target), &lines, &sweeper.texts.options)?.lines);
    let (before, after) = (ask(sweeper.judge.llvm)?, ask(against)?);
    let changed = texts.into_iter().zip(before.iter().zip(&after)).map(|((place, text), (before, after))| {
        let findings = changed_text(before, after);
        ChangedText { place, text, findings }
    });
    Ok(changed.collect())
}

/// What changed about a text.
#[must_use]
pub fn changed_text(before: &Assembled, after: &Assembled) -> Vec<Finding> {
    let say = |kind, ours: String, theirs: String| vec![Finding { kind, field: "text".to_owned(), ours, theirs }];
    let shown = |answer: &Assembled| match answer {
        Assembled::Bytes { .. } => answer.window().map_or("no VOP3P word".to_owned(), |window| window.to_string()),
        Assembled::Unresolved { text } => format!("{text}, with a symbol"),
        Assembled::Refused { message, .. } => format!("refuses: {message}"),
        Assembled::Dead(death) => format!("dies: {death}"),
        Assembled::NotAsked(reason) => format!("not asked: {reason}"),
    };
    match (before, after) {
        (Assembled::Bytes { bytes: a, .. }, Assembled::Bytes { bytes: b, .. }) if a == b => Vec::new(),
        // Another message is no other answer.
        (Assembled::Refused { .. }, Assembled::Refused { .. }) => Vec::new(),
        (a, b) if a == b => Vec::new(),
        (Assembled::Dead(_), _) | (_, Assembled::Dead(_)) => say(Kind::Crash, shown(before), shown(after)),
        (Assembled::Bytes { .. }, Assembled::Bytes { .. }) => say(Kind::Encoding, shown(before), shown(after)),
        _ => say(Kind::Assembling, shown(before), shown(after)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(dwords: &[u32]) -> Assembled {
        Assembled::Bytes { bytes: dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect(), text: String::new() }
    }

    fn refused(message: &str) -> Assembled {
        Assembled::Refused { message: message.to_owned(), column: 1 }
    }

    #[test]
    fn a_text_changes_when_its_bytes_do_or_whether_it_assembles() {
        let kinds = |a: &Assembled, b: &Assembled| changed_text(a, b).iter().map(|f| f.kind).collect::<Vec<_>>();
        let (one, other) = (bytes(&[0xd38f_4000, 0x1802_0501]), bytes(&[0xd38f_4000, 0x1802_0502]));
        assert_eq!(kinds(&one, &one), []);
        assert_eq!(kinds(&one, &other), [Kind::Encoding]);
        assert_eq!(kinds(&one, &refused("no")), [Kind::Assembling]);
        assert_eq!(kinds(&refused("no"), &refused("not so")), []);
        let found = changed_text(&refused("no"), &one);
        assert_eq!((found[0].ours.as_str(), found[0].theirs.as_str()), ("refuses: no", "d38f4000 18020501"));
    }
}
