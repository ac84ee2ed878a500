//! Deliberate errors in the printer and the assembler, each of which the campaign must find within 150,000 lines and make
//! small. The faults are wrapped around both here; the product has no hook for them.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use vop3p::asm::{self, AssembleError, Assembled};
use vop3p::assembling::{Ours, TextJudge};
use vop3p::campaign::TextCampaign;
use vop3p::codec::{Field, Instruction, Style, Window, encode_like, fields_of};
use vop3p::compare::Kind;
use vop3p::isa::{Generation, Matrix, Rule, Source, Target};
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::Llvm;
use vop3p::plain::plain_value;

/// Lines a fault may take to be found.
const BUDGET: u64 = 150_000;

/// Words of one target at a time.
const BATCH: usize = 1000;

struct Fault {
    name: &'static str,
    print: fn(Target, &Instruction) -> String,
    assemble: fn(Target, &str) -> Ours,
    /// What the finding must be, or one of these.
    kind: &'static [Kind],
    /// The field it must name, or one of these; for a ledger-silent finding the sign.
    field: &'static [&'static str],
    /// The fields that may be away from their plainest value in the minimised word.
    needs: &'static [&'static str],
}

fn assemble(target: Target, text: &str) -> Ours {
    asm::assemble(target, text, Style::Llvm)
}

/// Assembles and then spoils the word.
fn spoil(target: Target, text: &str, with: impl FnOnce(&Assembled) -> Window) -> Ours {
    let assembled = assemble(target, text)?;
    Ok(Assembled { window: with(&assembled), ..assembled })
}

/// The bits of two fields exchanged.
fn exchanged(window: &Window, a: Field, b: Field) -> Window {
    b.set(a.set(*window, b.get(window)), a.get(window))
}

/// Assembles what only this rule forbids.
fn allow(target: Target, text: &str, allowed: Rule) -> Ours {
    match assemble(target, text) {
        Err(AssembleError::Illegal { rule, .. }) if rule == allowed => {
            let instruction = asm::parse(target, text).unwrap();
            let window = encode_like(target, &instruction, Style::Llvm).unwrap();
            Ok(Assembled { instruction, window, notes: vop3p::isa::Notes::NONE })
        }
        other => other,
    }
}

fn is(assembled: &Assembled, matrix: Matrix) -> bool {
    assembled.instruction.opcode.matrix() == Some(matrix)
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "BLGP written with its bits in reverse",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let blgp = Field::Blgp.get(&a.window);
                let reversed = blgp >> 2 | blgp & 2 | (blgp & 1) << 2;
                if is(a, Matrix::Mfma) { Field::Blgp.set(a.window, reversed) } else { a.window }
            })
        },
        kind: &[Kind::Encoding],
        field: &["blgp"],
        needs: &["op", "blgp", "acc_cd"],
    },
    Fault {
        name: "the ACC bits of A and B exchanged",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let acc = Field::Acc.get(&a.window);
                if is(a, Matrix::Mfma) { Field::Acc.set(a.window, acc >> 1 | (acc & 1) << 1) } else { a.window }
            })
        },
        kind: &[Kind::Encoding],
        field: &["acc"],
        needs: &["op", "acc"],
    },
    Fault {
        name: "the tuple of A printed one register short",
        print: |target, instruction| {
            let text = asm::print(target, instruction);
            if instruction.opcode.matrix() != Some(Matrix::Wmma) {
                return text;
            }
            let Source::Vgpr(first) = instruction.src[0] else { return text };
            let last = u16::from(first) + u16::from(instruction.opcode.dwords(target, instruction.modifiers)[1]) - 1;
            text.replacen(&format!("v[{first}:{last}]"), &format!("v[{first}:{}]", last - 1), 1)
        },
        assemble: |target, text| match assemble(target, text) {
            // Our reader has the same error, or both sides would refuse the text.
            Err(AssembleError::Parse(_)) => {
                let longer = |tuple: &str| {
                    let (first, last) = tuple.trim_end_matches(']').split_once(':').unwrap();
                    format!("{first}:{}]", last.parse::<u16>().unwrap() + 1)
                };
                let mut parts: Vec<String> = text.split(", ").map(str::to_owned).collect();
                let Some(second) = parts.get_mut(1).filter(|part| part.contains(':')) else {
                    return assemble(target, text);
                };
                *second = longer(second);
                assemble(target, &parts.join(", "))
            }
            other => other,
        },
        kind: &[Kind::Assembling],
        field: &["text"],
        needs: &["op", "src0"],
    },
    Fault {
        name: "reuse flags in each other's bit",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let (op_sel, hi) = (Field::OpSel.get(&a.window), Field::OpSelHi.get(&a.window));
                let swapped = Field::OpSel.set(a.window, op_sel & 3 | hi & 4);
                let swapped = Field::OpSelHi.set(swapped, hi & 3 | op_sel & 4);
                if is(a, Matrix::Cdna5Wmma) { swapped } else { a.window }
            })
        },
        kind: &[Kind::Encoding],
        field: &["op_sel", "op_sel_hi"],
        needs: &["op"],
    },
    Fault {
        name: "NEG and NEG_HI of packed math exchanged",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| match a.instruction.opcode.family() {
                "packed" => exchanged(&a.window, Field::Neg, Field::NegHi),
                _ => a.window,
            })
        },
        kind: &[Kind::Encoding],
        field: &["neg_lo", "neg_hi"],
        needs: &["op", "neg"],
    },
    Fault {
        name: "the index key one bit too high",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let is_it = a.instruction.opcode.amd.starts_with("V_SWMMAC_F");
                let key = Field::OpSel.get(&a.window);
                if is_it { Field::OpSel.set(a.window, key << 1 & 6 | key & 4) } else { a.window }
            })
        },
        kind: &[Kind::Encoding],
        field: &["op_sel"],
        needs: &["op"],
    },
    Fault {
        name: "C of an MFMA left in the VGPRs on CDNA2",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let is_it = is(a, Matrix::Mfma) && target.generation() == Generation::Cdna2;
                if is_it { Field::AccCd.set(a.window, 0) } else { a.window }
            })
        },
        kind: &[Kind::Encoding],
        field: &["acc_cd"],
        needs: &["op", "acc_cd"],
    },
    Fault {
        name: "the format of B written two bits wide on CDNA5",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| {
                let hi = Field::OpSelHi.get(&a.window);
                if is(a, Matrix::Cdna5F8f6f4) && a.instruction.scale.is_none() {
                    return Field::OpSelHi.set(a.window, hi & 3);
                }
                a.window
            })
        },
        kind: &[Kind::Encoding],
        field: &["op_sel_hi"],
        needs: &["op"],
    },
    Fault {
        name: "ABID of a scaled pair left 0",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| match a.instruction.scale {
                Some(scale) if scale.pair.picks_bytes => Field::BodyOpSel.set(a.window, 0),
                _ => a.window,
            })
        },
        kind: &[Kind::Encoding],
        field: &["size", "word", "body_op_sel", "op"],
        needs: &["op", "body"],
    },
    Fault {
        name: "a literal rounded to an inline constant that it is not",
        print: asm::print,
        assemble: |target, text| {
            spoil(target, text, |a| match a.instruction.literal() {
                Some(value) if value & 1 == 1 => Field::Literal.set(a.window, value - 1),
                _ => a.window,
            })
        },
        kind: &[Kind::Encoding],
        field: &["literal", "src"],
        needs: &["op", "src", "literal"],
    },
    Fault {
        name: "two scalars taken on gfx9",
        print: asm::print,
        assemble: |target, text| allow(target, text, Rule::ScalarLimit),
        kind: &[Kind::Assembling],
        field: &["text"],
        needs: &["op", "src"],
    },
    Fault {
        name: "NEG on A of an FP8 WMMA taken, as LLVM takes that of F16 on CDNA5",
        print: asm::print,
        assemble: |target, text| allow(target, text, Rule::MatrixNeg),
        kind: &[Kind::Assembling, Kind::LedgerSilent, Kind::Encoding],
        field: &["text", "matrix-neg-cdna5/text-taken", "matrix-neg-cdna5/text-dropped", "neg_hi"],
        needs: &["op", "neg", "body"],
    },
    Fault {
        name: "OP_SEL_HI of a dot product dropped by the printer, as LLVM does",
        print: |target, instruction| {
            let mut plain = *instruction;
            if instruction.opcode.family() == "dot" {
                plain.op_sel_hi = instruction.opcode.default_op_sel_hi();
                plain.op_sel = 0;
            }
            asm::print(target, &plain)
        },
        assemble: |target, text| {
            spoil(target, text, |a| match a.instruction.opcode.family() {
                "dot" => Field::OpSelHi.set(a.window, 0),
                _ => a.window,
            })
        },
        kind: &[Kind::Encoding],
        field: &["op_sel_hi"],
        needs: &["op"],
    },
];

fn away_from_plain(target: Target, window: &Window) -> Vec<&'static str> {
    fields_of(target, window)
        .into_iter()
        .filter(|field| field.get(window) != plain_value(target, window, *field))
        .map(Field::name)
        .collect()
}

fn find(fault: &Fault, llvm: &Llvm, ledger: &Ledger) -> Option<(u64, Target, Window, String, String)> {
    let judge = TextJudge { subject: &fault.assemble, ..TextJudge::new(llvm, ledger) };
    let mut campaign = TextCampaign::new(judge, Judge::new(llvm, ledger)).with_printer(&fault.print);
    for seed in 0.. {
        for target in Target::distinct() {
            if campaign.stats().lines + BATCH as u64 > BUDGET {
                return None;
            }
            let judgement = campaign.judge_seed(target, seed * 1000 + target.place() as u64, BATCH).unwrap();
            if let Some((new, finding)) = campaign.smallest(&judgement).unwrap() {
                assert!(fault.kind.contains(&finding.kind), "{}: {finding} of `{}`", fault.name, new.text);
                return Some((campaign.stats().lines, target, new.window, new.text, finding.field));
            }
        }
    }
    None
}

#[test]
fn every_planted_fault_is_found_in_time_and_made_small() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    assert!(FAULTS.len() >= 12);
    for fault in FAULTS {
        let found = find(fault, &llvm, &ledger);
        let (lines, target, window, text, field) =
            found.unwrap_or_else(|| panic!("{}: not found in {BUDGET} lines", fault.name));
        let away = away_from_plain(target, &window);
        println!("{}: {lines} lines, {target} {window} `{text}`, {field}, away from plain: {away:?}", fault.name);
        assert!(fault.field.iter().any(|name| field.starts_with(name)), "{}: {field}", fault.name);
        for name in away {
            let needed = fault.needs.iter().any(|need| name.starts_with(need));
            assert!(needed, "{}: {name} need not be away from its plainest in {target} {window}", fault.name);
        }
    }
}

#[test]
fn printer_and_assembler_without_a_fault_have_nothing_new_in_the_same_lines() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    let none = Fault { name: "none", print: asm::print, assemble, kind: &[], field: &[], needs: &[] };
    assert_eq!(find(&none, &llvm, &ledger), None);
}
