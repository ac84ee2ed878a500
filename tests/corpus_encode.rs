//! The regression corpus of assembling: every line of `corpus/encode` holds for our assembler and for LLVM's, and
//! together the lines cover what the tables of the crate list.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "common/corpus.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};

use files::{check, files};
use vop3p::asm::{assemble, parse, print};
use vop3p::assembling::TextJudge;
use vop3p::campaign::replay::{Located, read_all, replay_texts};
use vop3p::codec::{Style, decode};
use vop3p::isa::{Generation, RULES, Rule, State, Target};
use vop3p::ledger::{Ledger, Status};
use vop3p::text_case::{TextCase, TextExpectation};

type Line = Located<TextCase>;

/// Every case of every file, in the order of the files' names.
fn cases() -> Vec<Line> {
    let mut cases = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in files("corpus/encode") {
        match read_all(&name, &text) {
            Ok(read) if read.texts.is_empty() => errors.push(format!("{name}: no case")),
            Ok(read) if !read.windows.is_empty() => errors.push(format!("{name}: a window, where texts are expected")),
            Ok(read) => cases.extend(read.texts),
            Err(lines) => errors.extend(lines),
        }
    }
    check("lines that cannot be read", errors);
    cases
}

fn place(located: &Line) -> String {
    format!("{}:{}: {} {}", located.file, located.line, located.case.target, located.case.text)
}

fn failures(judge: Option<&TextJudge<'_>>) {
    let cases = cases();
    let replayed = replay_texts(&cases, judge).unwrap();
    files::failures(replayed.into_iter().map(|one| (place(one.located), one.verdict)), judge.is_none());
}

#[test]
fn every_line_holds_both_sides_to_something_and_says_where_it_comes_from() {
    let mut errors = Vec::new();
    let mut seen = BTreeMap::new();
    for located in &cases() {
        let case = &located.case;
        let count = |wanted: fn(&TextExpectation) -> bool| case.expectations.iter().filter(|e| wanted(e)).count();
        let words = count(|e| matches!(e, TextExpectation::Word(_)));
        let rules = count(|e| matches!(e, TextExpectation::Rules(_)));
        let refused = count(|e| matches!(e, TextExpectation::Refused(_)));
        if (words, rules, refused) != (1, 1, 0) && (words, rules, refused) != (0, 0, 1) {
            errors.push(format!("{}: says neither `word:` and `rule:` nor `refused`", place(located)));
        }
        if count(|e| matches!(e, TextExpectation::Agree | TextExpectation::Known(_))) != 1 {
            errors.push(format!("{}: says neither `agree` nor `known:`", place(located)));
        }
        if case.source.is_empty() {
            errors.push(format!("{}: has no source", place(located)));
        }
        if let Some(first) = seen.insert((case.target.to_string(), case.text.clone()), place(located)) {
            errors.push(format!("{}: the same case as {first}", place(located)));
        }
    }
    check("lines", errors);
}

#[test]
fn our_assembler_says_what_every_line_expects() {
    failures(None);
}

#[test]
fn llvm_agrees_or_differs_as_every_line_says() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    failures(Some(&TextJudge::new(&llvm, &ledger)));
}

#[test]
fn what_assembles_decodes_to_a_text_that_assembles_to_the_same() {
    let mut errors = Vec::new();
    for located in &cases() {
        let TextCase { target, text, .. } = &located.case;
        for style in [Style::Llvm, Style::Sp3] {
            let Ok(assembled) = assemble(*target, text, style) else { continue };
            let decoded = decode(*target, &assembled.window).map(|decoded| decoded.instruction);
            let printed = print(*target, &assembled.instruction);
            let again = assemble(*target, &printed, style).map(|again| again.window);
            if decoded.as_ref() != Ok(&assembled.instruction) || again != Ok(assembled.window) {
                errors.push(format!("{}: {} is {printed}", place(located), assembled.window));
            }
        }
    }
    check("lines", errors);
}

/// Rules that no text meets: there is no word for it (a register past the last one, a reserved DPP_CTRL, a bit that the
/// text does not speak of), or the parser refuses it.
const OF_WORDS_ONLY: [Rule; 10] = [
    Rule::VgprRange,
    Rule::WideSpecial,
    Rule::MatrixFixed,
    Rule::DppCtrl,
    Rule::DppReservedBit,
    Rule::WmmaUnusedField,
    Rule::AccCd,
    Rule::UnusedSource,
    Rule::DppIgnoredBits,
    Rule::MatrixUnused,
];

/// The signs that speak of a line on which a difference of their kind is explained by their entry.
fn signs_shown(judge: &TextJudge<'_>) -> BTreeSet<String> {
    let cases = cases();
    let mut shown = BTreeSet::new();
    for one in replay_texts(&cases, Some(judge)).unwrap() {
        let Some(judged) = one.judged else { continue };
        let Some(window) = judged.window else { continue };
        let target = one.located.case.target;
        let signs = judge.ledger.on_assembling(target, &judge.llvm.version.to_string());
        for m in signs.matching_text(&window, Some(&judged.text)) {
            let explains = |id: Option<&String>, kind| id == Some(&m.entry.id) && m.sign.kind.covers(kind);
            if judged.findings.iter().any(|found| explains(found.entry.as_ref(), found.finding.kind)) {
                shown.insert(m.name());
            }
        }
    }
    shown
}

#[test]
fn the_lines_cover_targets_opcodes_rules_and_signs() {
    let mut targets = BTreeSet::new();
    let mut opcodes: BTreeSet<(Generation, u8)> = BTreeSet::new();
    let mut rules = BTreeSet::new();
    let mut sp3 = 0;
    for Located { case, .. } in &cases() {
        targets.insert(case.target.cpu());
        let assembles = case.expectations.iter().any(|e| matches!(e, TextExpectation::Word(_)));
        if let Some(instruction) = parse(case.target, &case.text).ok().filter(|_| assembles) {
            // Of a pair both words count: CDNA5's scale words are nothing by themselves.
            let scale = instruction.scale.map(|scale| scale.pair.scale);
            let numbers = std::iter::once(instruction.opcode.number).chain(scale);
            opcodes.extend(numbers.map(|number| (case.target.generation(), number)));
        }
        for expectation in &case.expectations {
            match expectation {
                TextExpectation::Refused(Some(rule)) => drop(rules.insert(*rule)),
                TextExpectation::Rules(met) => rules.extend(met),
                TextExpectation::Sp3(_) => sp3 += 1,
                _ => {}
            }
        }
    }
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    let signs = signs_shown(&TextJudge::new(&llvm, &ledger));
    let mut missing = BTreeSet::new();
    for target in Target::all() {
        if !targets.contains(target.cpu()) {
            missing.insert(format!("target {target}"));
        }
        for opcode in target.opcodes().filter(|opcode| !opcodes.contains(&(target.generation(), opcode.number))) {
            missing.insert(format!("opcode {} ({}) on {}", opcode.number, opcode.amd, target.rules().name));
        }
    }
    for row in RULES.iter().filter(|row| !rules.contains(&row.rule) && !OF_WORDS_ONLY.contains(&row.rule)) {
        missing.insert(format!("rule {}{}", row.id, if row.state == State::Illegal { ", refused" } else { "" }));
    }
    // What only an older LLVM does is held by the sign's witnesses.
    let version = llvm.version.to_string();
    let of_texts = ledger.signs().filter(|(_, sign)| sign.kind.has_texts() && sign.status(&version) != Status::Silent);
    missing.extend(
        of_texts
            .map(|(entry, sign)| entry.name_of(sign))
            .filter(|name| !signs.contains(name))
            .map(|name| format!("sign {name}")),
    );
    if sp3 < 5 {
        missing.insert(format!("AMD's style: only {sp3} lines"));
    }
    check("things that no line shows", missing.into_iter().collect());
}
