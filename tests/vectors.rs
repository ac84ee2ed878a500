//! Published results and open questions: every line of `corpus/vectors` holds for what computes here, and every line of
//! `corpus/open` states what each supported reading gives.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/corpus.rs"]
#[allow(dead_code, reason = "verdicts of case lines are for the tests of the other corpora")]
mod files;

use std::collections::BTreeMap;

use files::{check, files};
use vop3p::isa::{Generation, Target};
use vop3p::oracle::mpfr::Oracle;
use vop3p::oracle::vectors::{Computes, Exec, Judgement, OPEN, PUBLISHED, Vector, judge, outcome, read};
use vop3p::question::{Provenance, QUESTIONS, Reading};
use vop3p::value_case::{Outcome, ValueCase};

fn published() -> Vec<Vector> {
    read(PUBLISHED).unwrap_or_else(|errors| panic!("{}", errors.join("\n")))
}

fn open() -> Vec<Vector> {
    read(OPEN).unwrap_or_else(|errors| panic!("{}", errors.join("\n")))
}

#[test]
fn every_file_of_both_directories_is_read() {
    let listed = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    assert!(listed(PUBLISHED) == files("corpus/vectors"), "oracle::vectors::PUBLISHED is not corpus/vectors");
    assert!(listed(OPEN) == files("corpus/open"), "oracle::vectors::OPEN is not corpus/open");
}

#[test]
fn every_line_is_written_in_one_way_and_says_where_it_comes_from() {
    let mut errors = Vec::new();
    let mut seen = BTreeMap::new();
    let texts: BTreeMap<&str, Vec<&str>> =
        PUBLISHED.iter().chain(OPEN).map(|(name, text)| (*name, text.lines().collect())).collect();
    for vector in published().into_iter().chain(open()) {
        let case = &vector.case;
        let text = texts[vector.file.as_str()][vector.line - 1];
        let mut fail = |what: &str| errors.push(format!("{vector}: {what}"));
        if case.to_string() != text {
            fail("is written otherwise");
        }
        if !ValueCase::is_one(text) {
            fail("looks like another kind of line");
        }
        if case.source.is_empty() || case.by.is_none() || case.answers.is_empty() {
            fail("lacks an answer, `by:` or a source");
        }
        let question = ValueCase { answers: Vec::new(), by: None, source: String::new(), ..case.clone() };
        if let Some(first) = seen.insert(question.to_string(), vector.line) {
            fail(&format!("asks what line {first} asks"));
        }
    }
    check("lines", errors);
}

/// Holds every published line against someone who computes.
fn holds(by: &mut impl Computes) {
    let mut errors = Vec::new();
    for vector in published() {
        match judge(&vector.case, by) {
            Ok(Judgement::Holds) => {}
            other => errors.push(format!("{vector}: {other:?}")),
        }
    }
    check("lines", errors);
}

#[test]
fn exec_gives_every_published_result() {
    holds(&mut Exec);
}

#[test]
fn mpfr_gives_every_published_result() {
    holds(&mut Oracle::new());
}

#[test]
fn a_wrong_expectation_is_found() {
    let lines = [
        // One unit too much, the sign of the default NaN, a register that is not written, the other half.
        "gfx1100 v_pk_fma_f16 v0, v1, v2, v3 v1=3c003c00 v2=3c003c00 v3=3c003c00 => v0=40004001",
        "gfx1100 v_pk_fma_f16 v0, v1, v2, v3 v1=00000000 v2=7c007c00 v3=7e017e01 => v0=7e007e00",
        "gfx1100 v_pk_fma_f16 v0, v1, v2, v3 v1=3c003c00 v2=3c003c00 v3=3c003c00 => v1=40004000",
        "gfx90a v_pk_mul_f32 v[0:1], v[2:3], 1.0 v2=3f800000 v3=40000000 => v0=3f800000",
        "gfx1100 v_fma_mixlo_f16 v0, 1.0, 1.0, 1.0 v0=dead0000 => reading mixlo=single: v0=4000dead",
        "gfx1100 kernel fma f16 0001 0001 7800 => 7801",
    ];
    for line in lines {
        let case = ValueCase::parse(line).unwrap().unwrap();
        assert!(matches!(judge(&case, &mut Exec), Ok(Judgement::Differs(found)) if found.len() == 1), "{line}");
    }
}

#[test]
fn every_expectation_counts() {
    for mut vector in published() {
        let [answer] = &mut vector.case.answers[..] else { panic!("{vector}: several answers") };
        answer.outcome = match &answer.outcome {
            Outcome::Bits(bits) => Outcome::Bits(bits ^ 1),
            Outcome::Registers(registers) => {
                let mut changed = registers.clone();
                registers.iter().for_each(|(register, bits)| _ = changed.set(register, bits ^ 1 << 16));
                Outcome::Registers(changed)
            }
        };
        assert!(matches!(judge(&vector.case, &mut Exec), Ok(Judgement::Differs(_))), "{vector}");
    }
}

#[test]
fn what_cannot_be_computed() {
    let fails = |line: &str| judge(&ValueCase::parse(line).unwrap().unwrap(), &mut Exec).unwrap_err();
    assert_eq!(fails("gfx1100 v_pk_add_f16 v0, v1, v2 v1=00000000 => v0=00000000"), "v2 is read but not given");
    assert!(fails("gfx900 v_pk_maximum_f16 v0, v1, v1 v1=00000000 => v0=00000000").starts_with("v_pk_maximum_f16 v0,"));
    assert_eq!(fails("gfx900 00000000 00000000 => v0=00000000"), "00000000 00000000: not-vop3p");
    let dot = "gfx1100 v_dot2_f32_f16 v0, v1, v1, v1 v1=00000000 => v0=00000000";
    let case = ValueCase::parse(dot).unwrap().unwrap();
    assert_eq!(judge(&case, &mut Exec), Ok(Judgement::NotComputed));
}

/// The readings of a question that a source supports on a target.
fn supported(question: usize, target: Target) -> Vec<Reading> {
    let readings = QUESTIONS[question].readings.iter().filter(|row| row.support_on(target).is_some());
    readings.map(|row| row.reading).collect()
}

/// One supported reading of each of these questions, in every combination.
fn combinations(questions: &[usize], target: Target) -> Vec<Vec<Reading>> {
    questions.iter().fold(vec![Vec::new()], |all, question| {
        let supported = supported(*question, target);
        all.iter().flat_map(|one| supported.iter().map(|reading| [&one[..], &[*reading]].concat())).collect()
    })
}

/// What is wrong with a line of an open question: it states what every supported reading gives, and no other.
fn faults(case: &ValueCase, by: &mut impl Computes) -> Vec<String> {
    let mut faults = Vec::new();
    let target = case.target;
    let stated = || case.answers.iter().flat_map(|answer| answer.readings.iter().copied());
    for reading in stated() {
        if !supported(reading.question().question as usize, target).contains(&reading) {
            faults.push(format!("no source supports {reading:?} on {target}"));
        }
    }
    let mut questions: Vec<usize> = stated().map(|reading| reading.question().question as usize).collect();
    questions.sort_unstable();
    questions.dedup();
    let mut give = |readings: &[Reading]| outcome(case, readings, by).unwrap().unwrap();
    for combination in combinations(&questions, target) {
        let found = give(&combination);
        let mut answers = case.answers.iter().filter(|answer| answer.readings.iter().all(|r| combination.contains(r)));
        let said: Vec<&Outcome> = answers.by_ref().map(|answer| &answer.outcome).collect();
        if said.is_empty() || said.iter().any(|outcome| **outcome != found) {
            faults.push(format!("{combination:?} gives {found:?}"));
        }
        // Nothing else decides the answer, or it would be asked, too.
        for other in (0..QUESTIONS.len()).filter(|other| !questions.contains(other)) {
            for reading in supported(other, target) {
                if give(&[&combination[..], &[reading]].concat()) != found {
                    faults.push(format!("{combination:?} with {reading:?} gives something else"));
                }
            }
        }
    }
    faults
}

/// Holds every open question to what a source supports and to someone who computes.
fn states_every_answer(by: &mut impl Computes) {
    let mut errors = Vec::new();
    for vector in open() {
        if vector.case.by != Some(Provenance::Unknown) {
            errors.push(format!("{vector}: an open question is known to nobody"));
        }
        errors.extend(faults(&vector.case, by).into_iter().map(|fault| format!("{vector}: {fault}")));
    }
    check("lines", errors);
}

#[test]
fn open_questions_state_what_each_supported_reading_gives() {
    states_every_answer(&mut Exec);
}

#[test]
fn mpfr_gives_the_same_answers_to_open_questions() {
    states_every_answer(&mut Oracle::new());
}

#[test]
fn an_open_question_that_leaves_something_out_is_found() {
    let faults = |line: &str| faults(&ValueCase::parse(line).unwrap().unwrap(), &mut Exec);
    let head = "gfx1100 v_fma_mixlo_f16 v0, v1, v1, v2 v0=dead0000 v1=38000000 v2=3f801000 =>";
    let double = "reading mixlo=double: v0=dead3c00";
    assert_eq!(faults(&format!("{head} {double}; reading mixlo=single: v0=dead3c01")), [""; 0]);
    assert_eq!(faults(&format!("{head} {double}")).len(), 1);
    assert_eq!(faults(&format!("{head} {double}; reading mixlo=single: v0=dead3c02")).len(), 1);
    // A question that another reading decides, too; a reading that nobody supports.
    let other =
        faults(&format!("{head} reading nan-order=source: v0=dead3c00; reading nan-order=signalling: v0=dead3c00"));
    assert!(other.iter().all(|fault| fault.contains("MixSingle")), "{other:?}");
    let unsupported = "gfx1100 v_pk_fma_f16 v0, v1, v1, v1 v1=3c003c00 => reading tininess=after: v0=40004000; \
                       reading tininess=before: v0=40004000";
    assert_eq!(faults(unsupported), ["no source supports TinyBefore on gfx1100"]);
}

#[test]
fn open_questions_are_asked_of_every_generation() {
    let asked: Vec<Generation> = open().iter().map(|vector| vector.case.target.generation()).collect();
    let missing = Target::all().filter(|target| !asked.contains(&target.generation()));
    check("targets without an open question", missing.map(|target| target.to_string()).collect());
}
