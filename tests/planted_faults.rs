//! Deliberate errors in the decoder, each of which the campaign must find within 150,000 windows and make small.
//!
//! The faults are wrapped around the decoder here; the product has no hook for them. They go in both directions: some
//! make our decoder refuse or change what it should not, others make it agree with an LLVM that is wrong or permissive,
//! where only the ledger can tell.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use vop3p::campaign::Campaign;
use vop3p::codec::{Decoded, Dpp, Field, SelectorFault, Undefined, Window, decode, fields_of};
use vop3p::compare::{Kind, Ours};
use vop3p::isa::{Generation, Matrix, Modifier, Opcode, Rule, Source, Special, Target};
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::Llvm;
use vop3p::plain::{opcode_number, plain_value};

/// Windows a fault may take to be found.
const BUDGET: usize = 150_000;

/// Windows of one target at a time.
const BATCH: usize = 1000;

struct Fault {
    name: &'static str,
    decode: fn(Target, &Window) -> Ours,
    /// What the finding must be, or one of these.
    kind: &'static [Kind],
    /// The field it must name, or one of these; for a ledger-silent finding the sign.
    field: &'static [&'static str],
    /// The fields that may be away from their plainest value in the minimised window.
    needs: &'static [&'static str],
}

/// Decodes and then spoils the result.
fn spoil(target: Target, window: &Window, with: impl FnOnce(&mut Decoded)) -> Ours {
    let mut decoded = decode(target, window)?;
    with(&mut decoded);
    Ok(decoded)
}

/// Decodes another window than asked.
fn instead(target: Target, window: &Window, field: Field, value: u32) -> Ours {
    decode(target, &field.set(*window, value))
}

/// Refuses what the condition holds for.
fn refuse(target: Target, window: &Window, when: impl FnOnce(&Decoded) -> bool, why: SelectorFault) -> Ours {
    let decoded = decode(target, window)?;
    if when(&decoded) { Err(Undefined::Selector { slot: 0, selector: 0, why }) } else { Ok(decoded) }
}

fn forget(target: Target, window: &Window, rule: Rule) -> Ours {
    spoil(target, window, |decoded| decoded.notes = decoded.notes.without(rule))
}

/// A window that is undefined because of a selector, decoded as if the selector were this one.
fn as_if(target: Target, window: &Window, selector: u16, taken: u32, then: Source) -> Ours {
    let original = decode(target, window);
    let Err(Undefined::Selector { slot, selector: found, .. }) = original else { return original };
    if found != selector {
        return original;
    }
    let mut decoded = decode(target, &Field::src(usize::from(slot)).set(*window, taken))?;
    decoded.instruction.src[usize::from(slot)] = then;
    Ok(decoded)
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "two opcodes swapped on RDNA4",
        decode: |target, window| match (target.generation(), Field::Op.get(window)) {
            (Generation::Rdna4, 27) => instead(target, window, Field::Op, 28),
            (Generation::Rdna4, 28) => instead(target, window, Field::Op, 27),
            _ => decode(target, window),
        },
        kind: &[Kind::Mnemonic],
        field: &["op"],
        needs: &["op"],
    },
    Fault {
        name: "OP_SEL_HI in the order the older manuals misprint: source 0 bit 14, source 2 bit 59",
        decode: |target, window| {
            let bits = Field::OpSelHi.get(window);
            instead(target, window, Field::OpSelHi, bits & 2 | bits >> 2 & 1 | (bits & 1) << 2)
        },
        kind: &[Kind::Modifier],
        field: &["op_sel_hi"],
        needs: &["op_sel_hi"],
    },
    Fault {
        name: "negative inline integers off by one",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                for source in &mut decoded.instruction.src {
                    if let Source::Int(value @ ..0) = source {
                        *value -= 1;
                    }
                }
            })
        },
        kind: &[Kind::Operand],
        field: &["src"],
        needs: &["src"],
    },
    Fault {
        name: "a literal on CDNA4, as LLVM reads it",
        decode: |target, window| {
            let is_matrix = target.opcode(opcode_number(target, window)).is_some_and(Opcode::is_matrix);
            if target.generation() != Generation::Cdna4 || is_matrix {
                return decode(target, window);
            }
            let mut ours = as_if(target, window, 255, 258, Source::Literal(window.dword(2).unwrap_or(0)));
            if let Ok(decoded) = &mut ours
                && decoded.instruction.literal().is_some()
            {
                decoded.size = 12;
            }
            ours
        },
        kind: &[Kind::LedgerSilent],
        // The faulty decoder also counts one scalar value too few.
        field: &["literal-where-none/gfx950", "operands-shown/scalar-limit"],
        needs: &["src"],
    },
    Fault {
        name: "no DPP form of V_DOT2_F32_BF16 on RDNA3",
        decode: |target, window| {
            let is_it = |decoded: &Decoded| {
                target.generation() == Generation::Rdna3
                    && decoded.instruction.dpp.is_some()
                    && decoded.instruction.opcode.amd == "V_DOT2_F32_BF16"
            };
            refuse(target, window, is_it, SelectorFault::DppMarker)
        },
        kind: &[Kind::Acceptance],
        field: &["word"],
        needs: &["op", "src0"],
    },
    Fault {
        name: "the scalar limit forgotten, so that we agree with LLVM",
        decode: |target, window| forget(target, window, Rule::ScalarLimit),
        kind: &[Kind::LedgerSilent],
        field: &["operands-shown/scalar-limit"],
        needs: &["src"],
    },
    Fault {
        name: "NULL and M0 where they were before gfx11",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                for source in &mut decoded.instruction.src {
                    *source = match *source {
                        Source::Special(Special::Null) if target.generation() >= Generation::Rdna3 => {
                            Source::Special(Special::M0)
                        }
                        other => other,
                    };
                }
            })
        },
        kind: &[Kind::Operand],
        field: &["src"],
        needs: &["src"],
    },
    Fault {
        name: "the absolute value of mix lost",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                if decoded.instruction.opcode.family() == "mix" {
                    decoded.instruction.neg_hi = 0;
                }
            })
        },
        kind: &[Kind::Modifier],
        field: &["neg_hi"],
        needs: &["op", "neg_hi"],
    },
    Fault {
        name: "CLAMP of V_PK_SUB_I16 lost",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                decoded.instruction.clamp &= decoded.instruction.opcode.amd != "V_PK_SUB_I16";
            })
        },
        kind: &[Kind::Modifier],
        field: &["clamp"],
        needs: &["op", "clamp"],
    },
    Fault {
        name: "VDST one bit too narrow on RDNA2",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                if target.generation() == Generation::Rdna2 {
                    decoded.instruction.vdst &= 0x7f;
                }
            })
        },
        kind: &[Kind::Operand],
        field: &["vdst"],
        needs: &["vdst"],
    },
    Fault {
        name: "OP_SEL[2] of a two-source instruction refused, as LLVM does",
        decode: |target, window| {
            let stray =
                |decoded: &Decoded| decoded.instruction.opcode.sources() == 2 && Field::OpSel.get(window) & 4 != 0;
            refuse(target, window, stray, SelectorFault::Reserved)
        },
        kind: &[Kind::LedgerSilent],
        field: &["unused-fields-refused/source-modifiers"],
        needs: &["op", "op_sel"],
    },
    Fault {
        name: "POPS_EXITING_WAVE_ID on CDNA3, as LLVM shows it",
        decode: |target, window| match target.generation() {
            Generation::Cdna3 => as_if(target, window, 239, 235, Source::Special(Special::PopsExitingWaveId)),
            _ => decode(target, window),
        },
        kind: &[Kind::LedgerSilent],
        field: &["special-selector-shown/other-generation", "reserved-scalar-taken/decoded"],
        needs: &["src"],
    },
    Fault {
        name: "a literal that takes no bytes",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                decoded.size = if decoded.instruction.literal().is_some() { 8 } else { decoded.size };
            })
        },
        kind: &[Kind::Length],
        field: &["size"],
        needs: &["src"],
    },
    Fault {
        name: "the upper half of a mix literal dropped, as LLVM does",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                if decoded.instruction.opcode.family() == "mix" {
                    for source in &mut decoded.instruction.src {
                        if let Source::Literal(value) = source {
                            *value &= 0xffff;
                        }
                    }
                }
            })
        },
        kind: &[Kind::LedgerSilent],
        field: &["mix-literal/low-half"],
        needs: &["op", "src", "literal"],
    },
    Fault {
        name: "DPP8 lanes read from the top",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                if let Some(Dpp::Dpp8 { lanes, .. }) = &mut decoded.instruction.dpp {
                    *lanes = (0..8).fold(0, |all, lane| all << 3 | *lanes >> (3 * lane) & 7);
                }
            })
        },
        kind: &[Kind::Modifier],
        field: &["dpp"],
        needs: &["op", "src0"],
    },
    Fault {
        name: "an odd SGPR pair rounded down, as LLVM does",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                for (source, format) in decoded.instruction.src.iter_mut().zip(decoded.instruction.opcode.src) {
                    if let Source::Sgpr(number) | Source::Ttmp(number) = source
                        && format.dwords() == 2
                    {
                        *number &= !1;
                    }
                }
            })
        },
        kind: &[Kind::LedgerSilent],
        field: &["odd-sgpr-pair-rounded"],
        needs: &["op", "src"],
    },
    Fault {
        name: "VGPR tuples of any alignment on CDNA2",
        decode: |target, window| match target.generation() {
            Generation::Cdna2 => forget(target, window, Rule::OddVgprPair),
            _ => decode(target, window),
        },
        kind: &[Kind::Acceptance, Kind::LedgerSilent],
        field: &["word", "operands-refused/odd-pair", "operands-refused/odd-tuple"],
        needs: &["op", "vdst", "src"],
    },
    Fault {
        name: "a note on every three-source word, which would switch the comparison off",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                decoded.notes.add_if(decoded.instruction.opcode.sources() == 3, Rule::VgprRange);
            })
        },
        kind: &[Kind::NoteUnexplained],
        field: &["vgpr-range"],
        needs: &[],
    },
    Fault {
        name: "negation of floats noted as if they were integers",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                decoded.notes.add_if(decoded.instruction.neg_lo != 0, Rule::NegOnInteger);
            })
        },
        kind: &[Kind::NoteUnexplained],
        field: &["neg-on-integer"],
        needs: &["op", "neg_lo"],
    },
    Fault {
        name: "M0 not counted as a scalar value",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let m0 = Source::Special(Special::M0);
                if decoded.instruction.sources().contains(&m0) {
                    decoded.notes = decoded.notes.without(Rule::ScalarLimit);
                }
            })
        },
        kind: &[Kind::LedgerSilent],
        field: &["operands-shown/scalar-limit"],
        needs: &["src"],
    },
    Fault {
        name: "row_share taken for a reserved DPP_CTRL",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let is_share = matches!(decoded.instruction.dpp, Some(Dpp::Dpp16 { ctrl: 0x150..=0x15f, .. }));
                decoded.notes.add_if(is_share, Rule::DppCtrl);
            })
        },
        kind: &[Kind::NoteUnexplained],
        field: &["dpp-ctrl"],
        needs: &["op", "src0", "dpp_ctrl"],
    },
    Fault {
        name: "a VGPR tuple past v255 never noted",
        decode: |target, window| forget(target, window, Rule::VgprRange),
        kind: &[Kind::LedgerSilent],
        field: &["operands-refused/pair-past-end", "operands-shown/tuple-past-end"],
        needs: &["op", "vdst", "src"],
    },
    Fault {
        name: "an odd TTMP pair not noted",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                if decoded.instruction.sources().iter().any(|source| matches!(source, Source::Ttmp(_))) {
                    decoded.notes = decoded.notes.without(Rule::OddSgprPair);
                }
            })
        },
        kind: &[Kind::LedgerSilent],
        field: &["odd-sgpr-pair-rounded"],
        needs: &["op", "src"],
    },
    Fault {
        name: "integer negation taken for legal",
        decode: |target, window| forget(target, window, Rule::NegOnInteger),
        kind: &[Kind::LedgerSilent],
        field: &["fields-shown/neg-on-integer"],
        needs: &["op", "neg_lo", "neg_hi"],
    },
    Fault {
        name: "CBSZ and BLGP exchanged",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let values = decoded.instruction.modifiers;
                let (cbsz, blgp) = (values.get(Modifier::Cbsz), values.get(Modifier::Blgp));
                decoded.instruction.modifiers = values.with(Modifier::Cbsz, blgp).with(Modifier::Blgp, cbsz);
            })
        },
        kind: &[Kind::Modifier],
        field: &["cbsz", "blgp"],
        needs: &["op", "cbsz", "blgp"],
    },
    Fault {
        name: "the ACC bits of A and B exchanged",
        decode: |target, window| {
            if !target.opcode(opcode_number(target, window)).is_some_and(|o| o.amd.starts_with("V_MFMA_F32_32X32X")) {
                return decode(target, window);
            }
            let acc = Field::Acc.get(window);
            instead(target, window, Field::Acc, acc >> 1 | (acc & 1) << 1)
        },
        kind: &[Kind::Operand],
        field: &["src0", "src1"],
        needs: &["op", "acc"],
    },
    Fault {
        name: "ACC_CD does not move the destination of SMFMAC",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                decoded.instruction.vdst_acc &= !decoded.instruction.opcode.amd.starts_with("V_SMFMAC");
            })
        },
        kind: &[Kind::Operand],
        field: &["vdst"],
        needs: &["op", "acc_cd"],
    },
    Fault {
        name: "NEG of an F64 MFMA read as BLGP",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let all = &mut decoded.instruction;
                if all.opcode.matrix() == Some(Matrix::MfmaF64) {
                    all.modifiers = all.modifiers.with(Modifier::Blgp, all.neg_lo);
                    all.neg_lo = 0;
                }
            })
        },
        kind: &[Kind::Modifier],
        field: &["blgp", "neg_lo"],
        needs: &["op", "neg_lo"],
    },
    Fault {
        name: "reuse flags of A and B exchanged",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let values = decoded.instruction.modifiers;
                let (a, b) = (values.get(Modifier::MatrixAReuse), values.get(Modifier::MatrixBReuse));
                decoded.instruction.modifiers = values.with(Modifier::MatrixAReuse, b).with(Modifier::MatrixBReuse, a);
            })
        },
        kind: &[Kind::Modifier],
        field: &["matrix_a_reuse", "matrix_b_reuse"],
        needs: &["op", "body_op"],
    },
    Fault {
        name: "the index key of gfx12 in wave64 without its second bit",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let values = decoded.instruction.modifiers;
                decoded.instruction.modifiers = values.with(Modifier::IndexKey, values.get(Modifier::IndexKey) & 1);
            })
        },
        kind: &[Kind::Modifier],
        field: &["index_key"],
        needs: &["op"],
    },
    Fault {
        name: "the third bit of B's format on CDNA5 dropped",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let values = decoded.instruction.modifiers;
                decoded.instruction.modifiers = values.with(Modifier::MatrixBFmt, values.get(Modifier::MatrixBFmt) & 3);
            })
        },
        kind: &[Kind::Modifier],
        field: &["matrix_b_fmt"],
        needs: &["op", "body_op"],
    },
    Fault {
        name: "a CDNA4 pair whatever ABID says",
        decode: |target, window| {
            if target.generation() == Generation::Cdna4 && window.dwords().len() == 4 {
                let abid = Field::BodyOpSel.set(*window, 1);
                return decode(target, &Field::BodyOpSelHi.set(abid, Field::BodyOpSelHi.get(&abid) & 3));
            }
            decode(target, window)
        },
        kind: &[Kind::Mnemonic],
        field: &["op"],
        needs: &["op", "body"],
    },
    Fault {
        name: "the byte selects of a CDNA4 pair exchanged",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let all = &mut decoded.instruction;
                if all.scale.is_some_and(|scale| scale.pair.picks_bytes) {
                    std::mem::swap(&mut all.op_sel, &mut all.op_sel_hi);
                }
            })
        },
        kind: &[Kind::Modifier],
        field: &["op_sel", "op_sel_hi"],
        needs: &["op", "body"],
    },
    Fault {
        name: "an overlap of C and D taken for legal",
        decode: |target, window| forget(target, window, Rule::MatrixOverlap),
        kind: &[Kind::LedgerSilent],
        field: &["operands-shown/mfma-overlap"],
        needs: &["op", "vdst", "src2", "body"],
    },
    Fault {
        name: "the largest CBSZ noted as too large",
        decode: |target, window| {
            spoil(target, window, |decoded| {
                let (blocks, cbsz) =
                    (decoded.instruction.opcode.blocks, decoded.instruction.modifiers.get(Modifier::Cbsz));
                decoded.notes.add_if(blocks > 1 && 1 << cbsz == u32::from(blocks), Rule::CbszRange);
            })
        },
        kind: &[Kind::NoteUnexplained],
        field: &["cbsz-range"],
        needs: &["op", "cbsz"],
    },
    Fault {
        name: "an SGPR taken for a matrix source",
        decode: |target, window| forget(target, window, Rule::MatrixSource),
        kind: &[Kind::LedgerSilent],
        field: &["operands-refused/matrix-register", "operands-refused/matrix-c", "scale-operand/shown"],
        needs: &["op", "src", "body"],
    },
];

/// Field names away from their plainest value.
fn away_from_plain(target: Target, window: &Window) -> Vec<&'static str> {
    fields_of(target, window)
        .into_iter()
        .filter(|field| field.get(window) != plain_value(target, window, *field))
        .map(Field::name)
        .collect()
}

fn find(fault: &Fault, llvm: &Llvm, ledger: &Ledger) -> Option<(usize, Target, Window, String)> {
    let judge = Judge { subject: &fault.decode, ..Judge::new(llvm, ledger) };
    let mut campaign = Campaign::new(judge);
    let mut windows = 0;
    for seed in 0.. {
        for target in Target::distinct() {
            if windows + BATCH > BUDGET {
                return None;
            }
            let judgement = campaign.judge_seed(target, seed * 1000 + target.place() as u64, BATCH).unwrap();
            windows += BATCH;
            if let Some((judged, finding)) = campaign.smallest(&judgement).unwrap() {
                assert!(fault.kind.contains(&finding.kind), "{}: {finding}", fault.name);
                return Some((windows, target, judged.window, finding.field));
            }
        }
    }
    None
}

#[test]
fn every_planted_fault_is_found_in_time_and_made_small() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    for fault in FAULTS {
        let found = find(fault, &llvm, &ledger);
        let (windows, target, window, field) =
            found.unwrap_or_else(|| panic!("{}: not found in {BUDGET} windows", fault.name));
        let away = away_from_plain(target, &window);
        println!("{}: {windows} windows, {target} {window}, {field}, away from plain: {away:?}", fault.name);
        assert!(fault.field.iter().any(|name| field.starts_with(name)), "{}: {field}", fault.name);
        for name in away {
            let needed = fault.needs.iter().any(|need| name.starts_with(need));
            assert!(needed, "{}: {name} need not be away from its plainest in {target} {window}", fault.name);
        }
    }
}

#[test]
fn the_decoder_without_a_fault_has_nothing_new_in_the_same_windows() {
    let llvm = common::llvm22();
    let ledger = Ledger::builtin().unwrap();
    let none = Fault { name: "none", decode, kind: &[Kind::Crash], field: &[], needs: &[] };
    assert_eq!(find(&none, &llvm, &ledger), None);
}
