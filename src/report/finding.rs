//! A finding as a block of text, and as one line of JSON.

use std::fmt::Write as _;

use serde_json::json;

use crate::asm;
use crate::codec::{Window, fields_of};
use crate::compare::Finding;
use crate::isa::Target;
use crate::judge::Judged;
use crate::oracle::llvm::Answer;
use crate::plain::plain_value;
use crate::report::names::llvm_bytes;

/// Version of the JSON lines.
pub const SCHEMA: u32 = 1;

/// A window and its finding, as one aligned block.
#[must_use]
pub fn block(target: Target, judged: &Judged, finding: &Finding, version: &str) -> String {
    let mut text = format!("new finding: {} {}\n", finding.kind, finding.field);
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "  {name:<8} {value}");
    };
    line("target", &target.to_string());
    line("window", &judged.window.to_string());
    line("bytes", &llvm_bytes(&judged.window));
    line("ours", &our_text(target, judged));
    line("mc", &judged.pair.as_ref().map_or("-".to_owned(), |pair| answer_text(&pair.mc)));
    line("objdump", &judged.pair.as_ref().map_or("-".to_owned(), |pair| answer_text(&pair.objdump)));
    line("differs", &format!("{}: ours {}, LLVM {}", finding.field, finding.ours, finding.theirs));
    line("needs", &needs(target, &judged.window));
    line("LLVM", version);
    line("replay", &format!("vop3p diff -t {target} '{}'", judged.window));
    text
}

/// The fields of a window that are not at their plainest.
fn needs(target: Target, window: &Window) -> String {
    let away = fields_of(target, window).into_iter().filter(|f| f.get(window) != plain_value(target, window, *f));
    let away: Vec<String> = away.map(|field| format!("{} = {:#x}", field.name(), field.get(window))).collect();
    if away.is_empty() { "nothing but the plain word".to_owned() } else { away.join(", ") }
}

/// A window and its findings as one JSON object, without a line break.
#[must_use]
pub fn json_line(target: Target, judged: &Judged, version: &str) -> String {
    let findings: Vec<_> = judged
        .findings
        .iter()
        .map(|explained| {
            let Finding { kind, field, ours, theirs } = &explained.finding;
            json!({ "kind": kind, "field": field, "ours": ours, "theirs": theirs, "entry": explained.entry })
        })
        .collect();
    json!({
        "schema": SCHEMA,
        "target": target.to_string(),
        "window": judged.window.to_string(),
        "bytes": llvm_bytes(&judged.window),
        "ours": our_text(target, judged),
        "llvm-mc": judged.pair.as_ref().map(|pair| answer_text(&pair.mc)),
        "llvm-objdump": judged.pair.as_ref().map(|pair| answer_text(&pair.objdump)),
        "llvm": version,
        "findings": findings,
    })
    .to_string()
}

/// Our text with its notes, or why there is none.
#[must_use]
pub fn our_text(target: Target, judged: &Judged) -> String {
    match &judged.ours {
        Err(undefined) => format!("undefined ({}): {undefined}", undefined.id()),
        Ok(decoded) => {
            let text = asm::print(target, &decoded.instruction);
            let notes: Vec<_> = decoded.notes.iter().map(|rule| rule.id()).collect();
            if notes.is_empty() { text } else { format!("{text}  ({})", notes.join(", ")) }
        }
    }
}

/// What a tool said.
#[must_use]
pub fn answer_text(answer: &Answer) -> String {
    match answer {
        Answer::Text { text, .. } | Answer::Annotated { text, .. } => text.clone(),
        Answer::Invalid => "rejects the encoding".to_owned(),
        Answer::Dead(death) => format!("dies ({death})"),
    }
}
