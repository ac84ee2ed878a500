//! Whose fault a cause is, as far as tables can say: a proposal that rests on a rule, for a person to decide.

use super::cluster::Proposal;
use super::form::Form;
use super::probe::{decoded_by_us, text_of};
use crate::asm::{self, AssembleError};
use crate::codec::{Style, Window, decode};
use crate::compare::{Kind, as_read};
use crate::isa::{Basis, Opcode, Target};
use crate::ledger::{Entry, Ledger, Verdict};
use crate::plain::opcode_number;
use crate::sweep::record::Direction;

/// What is proposed about the cause of these forms: by the one of the best documented target and opcode.
#[must_use]
pub fn propose(forms: &[&Form], ledger: &Ledger, between: Option<[&str; 2]>) -> Proposal {
    let Some(form) = forms.iter().min_by_key(|form| doubt(form).is_some()) else {
        return proposal(Verdict::Unknown, String::new(), Vec::new());
    };
    let proposed = match between {
        Some(versions) => changed(form, versions),
        None => by_rule(form, ledger),
    };
    match doubt(form) {
        Some(doubt) if proposed.verdict == Verdict::LlvmWrong => {
            let reason = format!("{} But {doubt}.", proposed.reason);
            Proposal { verdict: Verdict::Unknown, reason, ..proposed }
        }
        _ => proposed,
    }
}

fn proposal(verdict: Verdict, reason: String, citations: Vec<String>) -> Proposal {
    Proposal { verdict, decided: false, reason, citations }
}

fn opcode_of(form: &Form) -> Option<&'static Opcode> {
    form.target.opcode(opcode_number(form.target, &form.subject.window))
}

/// Why AMD's documents may not speak of the form.
fn doubt(form: &Form) -> Option<String> {
    let processor = form.target.processor();
    match processor.basis {
        Basis::Documented => {}
        Basis::Inferred => {
            return Some(format!(
                "{} has no document of its own, and follows its generation by inference",
                processor.name
            ));
        }
        Basis::Generic => return Some(format!("{} is what its members share, as LLVM has it", processor.name)),
    }
    let opcode = opcode_of(form)?;
    let is_llvms = opcode.amd.is_empty() || opcode.source.starts_with("LLVM");
    is_llvms.then(|| format!("the opcode is known from LLVM ({})", opcode.source))
}

fn manual(target: Target, part: &str) -> String {
    format!("{}, {part}", target.rules().manual)
}

fn by_rule(form: &Form, ledger: &Ledger) -> Proposal {
    let target = form.target;
    let row = opcode_of(form).map_or_else(|| manual(target, "VOP3P opcode table"), |opcode| opcode.source.to_owned());
    let wrong = |reason: String, citations: &[String]| proposal(Verdict::LlvmWrong, reason, citations.to_vec());
    let shown = &form.shown;
    match form.key.kind {
        Kind::Acceptance => accepted(form, row),
        Kind::Assembling => assembled(form, row),
        Kind::Mnemonic => wrong(format!("The opcode is {}, and LLVM shows {}.", shown.ours, shown.theirs), &[row]),
        Kind::Operand | Kind::Modifier | Kind::Length => {
            let field = if shown.field == "size" { "length" } else { &shown.field };
            let reason = format!("{field}: the field tables say `{}`, and LLVM shows `{}`.", shown.ours, shown.theirs);
            wrong(reason, &[manual(target, "VOP3P field tables")])
        }
        Kind::Encoding => encoded(form),
        Kind::Reassembly => wrong(
            "LLVM's assembler must take what LLVM's disassembler prints, and make the same word of it.".to_owned(),
            &[row, manual(target, "VOP3P field tables")],
        ),
        Kind::Crash => {
            let what = if form.key.direction == Direction::Decode { "bytes" } else { "text" };
            let reason = format!("Whatever the {what}, the tool must answer and not die ({}).", shown.theirs);
            wrong(reason, &[manual(target, "VOP3P field tables"), row])
        }
        Kind::ToolsDiffer => wrong(
            "llvm-mc and llvm-objdump of one build have one disassembler: one of the two answers is wrong.".to_owned(),
            &[row],
        ),
        Kind::LedgerSilent => {
            let reason = format!(
                "The ledger lists {} for this version, and it is not there: this LLVM has it fixed, or our tables have the \
                 same error.",
                shown.field
            );
            let id = shown.field.split('/').next().unwrap_or_default();
            proposal(Verdict::Unknown, reason, ledger.get(id).map_or_else(Vec::new, Entry::all_citations))
        }
        Kind::NoteUnexplained => proposal(
            Verdict::Unknown,
            format!(
                "Our decoder notes {} where the raw bits, as the ledger states the rule, do not break it.",
                shown.field
            ),
            Vec::new(),
        ),
        Kind::Resync => proposal(Verdict::Unknown, "A tool died behind the word.".to_owned(), Vec::new()),
    }
}

fn accepted(form: &Form, row: String) -> Proposal {
    let target = form.target;
    match decode(target, &as_read(&form.subject.window, form.way().padded)) {
        Err(undefined) => {
            let part = match undefined.id() {
                "no-such-opcode" | "scale-word-alone" => "VOP3P opcode table",
                "not-vop3p" | "cut-short" => "VOP3P field tables",
                _ => "operand tables",
            };
            let reason = format!("To AMD the word is undefined ({}): {undefined}.", undefined.id());
            proposal(Verdict::LlvmWrong, reason, vec![manual(target, part)])
        }
        Ok(decoded) => {
            let text = asm::print(target, &decoded.instruction);
            let reason = format!("The word is a legal one, {text}: it breaks no rule.");
            proposal(Verdict::LlvmWrong, reason, vec![row, manual(target, "VOP3P field tables")])
        }
    }
}

fn assembled(form: &Form, row: String) -> Proposal {
    let target = form.target;
    let text = form.answer.text.clone().or_else(|| text_of(target, &form.subject.window)).unwrap_or_default();
    match asm::assemble(target, &text, Style::Llvm) {
        Err(AssembleError::Illegal { rule, .. }) => {
            let rule = rule.row();
            let reason = format!("It is forbidden ({}): {}.", rule.id, rule.text);
            proposal(Verdict::LlvmWrong, reason, vec![rule.source.to_owned()])
        }
        Err(error) => {
            let reason = format!("The text is no instruction of the target: {error}.");
            proposal(Verdict::LlvmWrong, reason, vec![manual(target, "VOP3P field tables"), row])
        }
        Ok(assembled) => {
            let reason = format!("The text is a legal instruction, the word {}.", assembled.window);
            proposal(Verdict::LlvmWrong, reason, vec![row, manual(target, "VOP3P field tables")])
        }
    }
}

/// Other bytes: of the same instruction, or of another one.
fn encoded(form: &Form) -> Proposal {
    let instruction = |text: &str| {
        let window: Window = text.parse().ok()?;
        decode(form.target, &window).ok().map(|decoded| decoded.instruction)
    };
    let (ours, theirs) = (&form.answer.ours, &form.answer.theirs);
    let citations = vec![manual(form.target, "VOP3P field tables")];
    match (instruction(ours), instruction(theirs)) {
        (Some(a), Some(b)) if a == b => {
            let reason = "Both words are the same instruction: they differ in bits that change nothing.".to_owned();
            proposal(Verdict::BothAllowed, reason, citations)
        }
        _ => {
            let reason = format!("By the field tables the word is {ours}, and LLVM writes {theirs}.");
            proposal(Verdict::LlvmWrong, reason, citations)
        }
    }
}

/// Of two LLVMs: which of them says what AMD's specification does.
fn changed(form: &Form, [first, second]: [&str; 2]) -> Proposal {
    let target = form.target;
    let agrees = |answer: &str| match form.key.direction {
        Direction::Decode => match decode(target, &as_read(&form.subject.window, form.way().padded)) {
            Ok(decoded) if decoded.notes.is_legal() => answer == asm::print(target, &decoded.instruction),
            _ => answer.starts_with("rejects") || answer.contains("/*"),
        },
        Direction::Assemble | Direction::Reassemble => {
            let text = form.answer.text.as_deref().unwrap_or_default();
            match asm::assemble(target, text, Style::Llvm) {
                Ok(assembled) => answer == assembled.window.to_string(),
                Err(_) => answer.starts_with("refuses"),
            }
        }
    };
    let ours = match form.key.direction {
        Direction::Decode => decoded_by_us(target, &decode(target, &as_read(&form.subject.window, form.way().padded))),
        _ => match asm::assemble(target, form.answer.text.as_deref().unwrap_or_default(), Style::Llvm) {
            Ok(assembled) => assembled.window.to_string(),
            Err(error) => format!("refuses: {error}"),
        },
    };
    let citations = vec![manual(target, "VOP3P field tables")];
    let say =
        |verdict, who: String| proposal(verdict, format!("{who} AMD's specification says {ours}."), citations.clone());
    match (agrees(&form.answer.ours), agrees(&form.answer.theirs)) {
        (true, false) => say(Verdict::LlvmWrong, format!("A regression: {first} agrees, {second} does not.")),
        (false, true) => say(Verdict::LlvmWrong, format!("A correction: {first} does not agree, {second} does.")),
        (true, true) => say(Verdict::BothAllowed, "Both agree.".to_owned()),
        (false, false) => say(Verdict::Unknown, "Neither agrees.".to_owned()),
    }
}
