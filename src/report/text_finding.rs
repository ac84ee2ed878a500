//! A text and its findings, as a block for people and as a JSON line.

use std::fmt::Write as _;

use serde::Serialize;

use crate::campaign::NewText;
use crate::commands::{replay_text, stock_assembling};
use crate::compare::Finding;
use crate::isa::Target;
use crate::oracle::llvm::Assembled;
use crate::report::finding::SCHEMA;

/// A text and its finding, as one aligned block.
#[must_use]
pub fn text_block(target: Target, new: &NewText, finding: &Finding, version: &str) -> String {
    let mut text = format!("new finding: {} {}\n", finding.kind, finding.field);
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "  {name:<8} {value}");
    };
    line("target", &target.to_string());
    line("text", &new.text);
    line("word", &new.window.to_string());
    if let Some(judged) = &new.judged {
        line("ours", &ours(judged));
        line("llvm-mc", &theirs(&judged.theirs));
    }
    line("differs", &format!("{}: {}", finding.field, finding.difference(&format!("on {version}"))));
    line("LLVM", version);
    line("replay", &replay_text(target, &new.text));
    line("stock", &stock_assembling(target, &new.text));
    text
}

fn ours(judged: &crate::assembling::JudgedText) -> String {
    match &judged.ours {
        Ok(assembled) => assembled.window.to_string(),
        Err(error) => format!("refuses: {error}"),
    }
}

/// What LLVM's assembler said, in words.
#[must_use]
pub fn theirs(answer: &Assembled) -> String {
    match answer {
        Assembled::Bytes { bytes, .. } => match answer.window() {
            Some(window) => window.to_string(),
            None => format!("{} bytes", bytes.len()),
        },
        Assembled::Unresolved { text } => format!("{text}, with a symbol"),
        Assembled::Refused { message, column } => format!("refuses at column {column}: {message}"),
        Assembled::Dead(death) => format!("dies ({death})"),
        Assembled::NotAsked(reason) => format!("not asked: {reason}"),
    }
}

#[derive(Serialize)]
struct LineView<'a> {
    schema: u32,
    target: String,
    text: &'a str,
    word: String,
    ours: Option<String>,
    llvm_mc: Option<String>,
    llvm: &'a str,
    findings: Vec<FindingView<'a>>,
    replay: String,
    stock: String,
}

#[derive(Serialize)]
struct FindingView<'a> {
    kind: &'static str,
    field: &'a str,
    ours: &'a str,
    theirs: &'a str,
}

/// A text and its findings as one JSON object, without a line break.
#[must_use]
pub fn text_json_line(target: Target, new: &NewText, version: &str) -> String {
    let findings = new.findings.iter().map(|finding| FindingView {
        kind: finding.kind.name(),
        field: &finding.field,
        ours: &finding.ours,
        theirs: &finding.theirs,
    });
    let line = LineView {
        schema: SCHEMA,
        target: target.to_string(),
        text: &new.text,
        word: new.window.to_string(),
        ours: new.judged.as_ref().map(ours),
        llvm_mc: new.judged.as_ref().map(|judged| theirs(&judged.theirs)),
        llvm: version,
        findings: findings.collect(),
        replay: replay_text(target, &new.text),
        stock: stock_assembling(target, &new.text),
    };
    serde_json::to_string(&line).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
}
