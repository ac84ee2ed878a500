//! A finding as a block of text, and as one line of JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::asm;
use crate::codec::{Window, fields_of};
use crate::commands::{llvm_bytes, replay_window, stock_command};
use crate::compare::Finding;
use crate::isa::Target;
use crate::judge::Judged;
use crate::oracle::llvm::Answer;
use crate::plain::plain_value;

use crate::report::view::{JudgedView, OurView, WindowView};

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
    line("mc", &answer_text(&judged.pair.mc));
    line("objdump", &answer_text(&judged.pair.objdump));
    line("differs", &format!("{}: {}", finding.field, finding.difference(&format!("on {version}"))));
    line("needs", &needs(target, &judged.window));
    line("LLVM", version);
    line("replay", &replay_window(target, &judged.window, true));
    line("stock", &stock_command(target, &judged.window, true));
    text
}

/// The fields of a window that are not at their plainest.
fn needs(target: Target, window: &Window) -> String {
    let away = fields_of(target, window).into_iter().filter(|f| f.get(window) != plain_value(target, window, *f));
    let away: Vec<String> = away.map(|field| format!("{} = {:#x}", field.name(), field.get(window))).collect();
    if away.is_empty() { "nothing but the plain word".to_owned() } else { away.join(", ") }
}

/// One line of a findings file; what `vop3p diff --json` has too has the same name and shape there.
#[derive(Serialize)]
struct LineView {
    schema: u32,
    target: String,
    #[serde(flatten)]
    window: WindowView,
    needs: String,
    replay: String,
    stock: String,
    ours: OurView,
    #[serde(flatten)]
    judged: JudgedView,
}

/// A window and its findings as one JSON object, without a line break.
#[must_use]
pub fn json_line(target: Target, judged: &Judged, version: &str) -> String {
    let line = LineView {
        schema: SCHEMA,
        target: target.to_string(),
        window: WindowView::from(&judged.window),
        needs: needs(target, &judged.window),
        replay: replay_window(target, &judged.window, true),
        stock: stock_command(target, &judged.window, true),
        ours: OurView::of(target, &judged.ours),
        judged: JudgedView::of(None, version, Some(judged)),
    };
    serde_json::to_string(&line).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
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
