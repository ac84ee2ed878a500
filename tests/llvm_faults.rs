//! LLVM's tools as an oracle when they are missing, do not fit, or die: every window gets its answer all the same.
//!
//! Needs LLVM 22 (`apt-get install llvm-22`). Faults that the real tools do not have to order come from
//! `tests/fake-llvm/tool.sh`, which spoils the real ones' output.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "fake-llvm/mod.rs"]
mod fake_llvm;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fake_llvm::{Fake, llvm22};
use tempfile::TempDir;
use vop3p::codec::Window;
use vop3p::oracle::llvm::{Answer, Batch, Choice, Cpu, Death, Hint, Llvm, LlvmError, Options, Search};

const GFX942: Cpu<'_> = Cpu { name: "gfx942", wave64: false };
const GFX1100: Cpu<'_> = Cpu { name: "gfx1100", wave64: false };

/// `v_pk_fma_f16 vI, v1, v2, v3` of gfx11.
fn fma(index: usize) -> Window {
    Window::from_dwords(&[0xcc0e_4000 | index as u32 & 0xff, 0x1c0e_0501]).unwrap()
}

fn fma_answer(index: usize) -> Answer {
    Answer::Text { text: format!("v_pk_fma_f16 v{}, v1, v2, v3", index & 0xff), bytes: Some(8) }
}

/// No opcode of gfx11.
fn undefined(index: usize) -> Window {
    Window::from_dwords(&[0xcc7f_4000 | index as u32 & 0xff, 0xd3ff_ffff]).unwrap()
}

/// Every third window undefined, but the one at `killer` valid.
fn mixed(count: usize, killer: usize) -> Vec<Window> {
    (0..count).map(|i| if i % 3 == 1 && i != killer { undefined(i) } else { fma(i) }).collect()
}

fn assert_mixed(batch: &Batch, killer: usize, death: Option<Death>) {
    for (index, pair) in batch.pairs.iter().enumerate() {
        let expected = match death {
            Some(death) if index == killer => Answer::Dead(death),
            _ if index % 3 == 1 && index != killer => Answer::Invalid,
            _ => fma_answer(index),
        };
        assert_eq!((&pair.mc, &pair.objdump), (&expected, &expected), "window {index}");
    }
}

/// A plan by which both tools fail on `fma(200)`.
fn plan(how: &str, lost: usize) -> String {
    format!("how={how} killer_mc='[c8400ecc01050e1c]' killer_objdump='CC0E40C8 1C0E0501' lost={lost}\n")
}

fn brief() -> Options {
    Options { time_limit: Duration::from_secs(5), ..Options::default() }
}

// What the real tools do.

#[test]
fn a_word_that_kills_llvm_22_is_dead_and_its_neighbours_are_answered() {
    // In the long batch the killer takes 4 KiB of llvm-mc's output with it.
    for (count, killer) in [(20, 11), (3000, 2011)] {
        let mut windows: Vec<Window> =
            (0..count).map(|i| Window::from_word(0x1c0e_0501_d38e_4000 | i & 0xff)).collect();
        windows.insert(killer, Window::from_word(0x1802_02ff_d38f_4000));
        for (hint, most_deaths) in [(Hint::Unsure, 5), (Hint::Deadly, 2)] {
            let mut hints = vec![Hint::Valid; windows.len()];
            hints[killer] = hint;
            let batch = llvm22().disassemble(GFX942, &windows, &hints, &Options::default()).unwrap();
            for (index, pair) in batch.pairs.iter().enumerate() {
                let expected = if index == killer {
                    Answer::Dead(Death::Signal(11))
                } else {
                    fma_answer(index - usize::from(index > killer))
                };
                assert_eq!((&pair.mc, &pair.objdump), (&expected, &expected), "window {index}");
            }
            for stats in [batch.mc, batch.objdump] {
                assert_eq!((stats.dead_windows, stats.flaky_deaths, stats.hangs), (1, 0, 0));
                assert!(stats.deaths <= most_deaths && stats.runs <= 8, "{hint:?}: {stats:?}");
            }
        }
    }
}

#[test]
fn the_second_dword_of_an_undefined_word_kills_nothing() {
    // 0xbef850ff taken as code reads a literal past the end, which kills llvm-objdump 22.
    let windows = [Window::from_word(0xbef8_50ff_cc1e_8068)];
    let gfx1200 = Cpu { name: "gfx1200", wave64: false };
    for (hint, deaths) in [(Hint::Unsure, 0), (Hint::Valid, 1)] {
        let batch = llvm22().disassemble(gfx1200, &windows, &[hint], &Options::default()).unwrap();
        assert_eq!((&batch.pairs[0].mc, &batch.pairs[0].objdump), (&Answer::Invalid, &Answer::Invalid));
        assert_eq!((batch.objdump.deaths, batch.objdump.flaky_deaths), (deaths, deaths), "{hint:?}");
    }
}

#[test]
fn padding_keeps_a_literal_from_reading_past_the_end() {
    let windows = [Window::from_word(0x1802_02ff_cc0f_4000), Window::from_word(0x1802_0301_cc0f_4001)];
    let gfx1030 = Cpu { name: "gfx1030", wave64: false };
    let batch = llvm22().disassemble(gfx1030, &windows, &[], &Options::default()).unwrap();
    let literal = Answer::Text { text: "v_pk_add_f16 v0, 0xbf807777, v1".into(), bytes: Some(12) };
    let plain = Answer::Text { text: "v_pk_add_f16 v1, v1, v1".into(), bytes: Some(8) };
    for (pair, expected) in batch.pairs.iter().zip([literal, plain]) {
        assert_eq!((&pair.mc, &pair.objdump), (&expected, &expected));
    }
    assert_eq!((batch.mc.runs, batch.objdump.runs), (1, 1));
}

#[test]
fn a_window_is_answered_alike_in_any_company() {
    let windows: Vec<Window> = [
        &[0xcc7f_4000, 0xcc0e_4000][..], // undefined, and its second dword begins an instruction
        &[0xcc0e_4007, 0x1c0e_0501],     // which must not swallow this one
        &[0xcc0e_4008],                  // cut short
        &[0, 0],                         // zeros: 4 bytes each, and no `...`
        &[0, 0],
        &[0xcc0e_4009, 0x1c0e_0501, 0xcc0e_4000], // more than it takes
        &[0xbf80_0001, 0xbf80_0002],              // prints like a marker
        &[0xcc0e_400a, 0x1c0e_04ff, 0x1234, 0x1c0e_0501],
        &[0x7e00_0301], // cut short, too, and the only one for which 4 bytes do
        &[0xcc0e_4008],
    ]
    .iter()
    .map(|dwords| Window::from_dwords(dwords).unwrap())
    .collect();
    let text = |text: &str, bytes| Answer::Text { text: text.into(), bytes: Some(bytes) };
    let expected = [
        Answer::Invalid,
        fma_answer(7),
        Answer::Invalid,
        text("v_illegal", 4),
        text("v_illegal", 4),
        fma_answer(9),
        text("s_nop 1", 4),
        text("v_pk_fma_f16 v10, 0x1234, v2, v3", 12),
        text("v_mov_b32_e32 v0, v1", 4),
        Answer::Invalid,
    ];
    let llvm = llvm22();
    let batch = llvm.disassemble(GFX1100, &windows, &[], &Options::default()).unwrap();
    for (index, (pair, expected)) in batch.pairs.iter().zip(&expected).enumerate() {
        assert_eq!(&pair.objdump, expected, "llvm-objdump, window {index}");
        assert_eq!(pair.mc.text(), expected.text(), "llvm-mc, window {index}");
        assert!(pair.mc.bytes().is_none() || pair.mc.bytes() == expected.bytes(), "{pair:?}");
        let alone = llvm.disassemble(GFX1100, &windows[index..=index], &[], &Options::default()).unwrap();
        assert_eq!(&alone.pairs[0], pair, "window {index} alone");
    }
    assert_eq!((batch.mc.deaths, batch.objdump.deaths), (0, 0));
    for batch_size in [3, 4, 100] {
        let options = Options { batch: batch_size, ..Options::default() };
        let hinted = llvm.disassemble(GFX1100, &windows, &[Hint::Valid; 10], &options).unwrap();
        assert_eq!(hinted.pairs, batch.pairs, "in batches of {batch_size}");
        assert_eq!((hinted.mc.deaths, hinted.objdump.deaths), (0, 0), "in batches of {batch_size}");
    }
}

#[test]
fn no_windows_need_no_run() {
    let batch = llvm22().disassemble(GFX1100, &[], &[], &Options::default()).unwrap();
    assert_eq!((batch.pairs.len(), batch.mc.runs, batch.objdump.runs), (0, 0, 0));
}

#[test]
fn a_processor_this_version_does_not_know_is_an_error_of_its_own() {
    for name in ["gfx940", "gfx1299"] {
        let error = llvm22().disassemble(Cpu { name, wave64: false }, &[fma(0)], &[], &Options::default()).unwrap_err();
        assert!(matches!(&error, LlvmError::UnknownCpu { cpu, .. } if cpu == name), "{error}");
        assert!(error.to_string().starts_with("LLVM 22.1."), "{error}");
    }
}

// Tools that die to order.

#[test]
fn the_stand_in_answers_like_the_real_tools_when_nothing_is_wrong() {
    let batch = Fake::new("").llvm().disassemble(GFX1100, &mixed(40, 0), &[], &brief()).unwrap();
    assert_mixed(&batch, 0, None);
    assert_eq!((batch.mc.runs, batch.objdump.runs), (1, 1));
}

#[test]
fn every_way_to_die_is_told_and_costs_only_the_killer() {
    for (how, lost, death) in [
        ("segv", 0, Death::Signal(11)),
        ("segv", 4000, Death::Signal(11)),
        ("exit", 10, Death::Exit(70)),
        ("truncate", 5, Death::Garbled),
        ("garble", 0, Death::Garbled),
    ] {
        let llvm = Fake::new(&plan(how, lost));
        let batch = llvm.llvm().disassemble(GFX1100, &mixed(250, 200), &[], &brief()).unwrap();
        assert_mixed(&batch, 200, Some(death));
        for stats in [batch.mc, batch.objdump] {
            assert_eq!((stats.dead_windows, stats.flaky_deaths), (1, 0), "{how}");
            assert!(stats.runs <= 30, "{how}: {stats:?}");
        }
    }
}

#[test]
fn a_tool_that_hangs_is_killed_at_the_time_limit() {
    let fake = Fake::new(&plan("hang", 0));
    let options = Options { time_limit: Duration::from_secs(1), ..Options::default() };
    let start = Instant::now();
    let batch = fake.llvm().disassemble(GFX1100, &mixed(220, 200), &[], &options).unwrap();
    assert_mixed(&batch, 200, Some(Death::Hang));
    assert!(batch.mc.hangs >= 3 && batch.mc.hangs == batch.mc.deaths, "{:?}", batch.mc);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_tool_that_dies_anywhere_in_every_run_still_answers_every_window() {
    // 6 of 10 runs die when a batch is tried, 1 of 40 when a window is alone.
    let fake = Fake::new("how=segv span=120 lost=300\n");
    let llvm = fake.llvm();
    let (mut runs, mut deaths) = (0, 0);
    while runs < 200 {
        let batch = llvm.disassemble(GFX1100, &mixed(60, 0), &[], &brief()).unwrap();
        assert_mixed(&batch, 0, None);
        for stats in [batch.mc, batch.objdump] {
            assert_eq!((stats.dead_windows, stats.flaky_deaths), (0, stats.deaths));
            runs += stats.runs;
            deaths += stats.deaths;
        }
    }
    assert!(deaths >= 40, "{deaths} of {runs} runs died");
}

#[test]
fn a_tool_that_always_dies_is_an_error_and_no_thousand_findings() {
    let error = Fake::new("how=always\n").llvm().disassemble(GFX1100, &mixed(500, 0), &[], &brief()).unwrap_err();
    assert!(matches!(error, LlvmError::Unusable { death: Death::Signal(11), .. }), "{error:?}");
    assert!(error.to_string().ends_with("dies on a lone s_nop (signal 11): fake: cannot do anything"), "{error}");
}

// Tools that are missing or do not fit.

#[test]
fn both_tools_must_be_there() {
    let fake = Fake::new("");
    fs::remove_file(fake.path().join("llvm-objdump")).unwrap();
    // The link would lead to the script's own directory, which has none either.
    let error = fake.error();
    assert!(matches!(error, LlvmError::Missing { .. }), "{error:?}");
    assert!(error.to_string().starts_with("no llvm-objdump at "), "{error}");
    fs::remove_file(fake.path().join("llvm-mc")).unwrap();
    let error = fake.error().to_string();
    assert!(error.starts_with("no llvm-mc at ") && error.contains("apt-get install llvm-22"), "{error}");
}

#[test]
fn both_tools_must_be_of_one_version() {
    let error = Fake::new("[ $name = llvm-mc ] || version=19.1.7\n").error();
    let LlvmError::VersionsDiffer { mc_version, objdump_version, .. } = &error else { panic!("{error:?}") };
    assert_eq!((mc_version.to_string(), objdump_version.to_string()), ("22.1.8".into(), "19.1.7".into()));
    let text = error.to_string();
    assert!(text.contains("llvm-mc is LLVM 22.1.8") && text.contains("llvm-objdump beside it is 19.1.7"), "{text}");
}

#[test]
fn a_tool_without_amdgcn_or_a_version_is_refused() {
    let error = Fake::new("targets=x86-64\n").error();
    assert!(matches!(error, LlvmError::NoAmdgcn { .. }), "{error:?}");
    let error = Fake::new("version=unknown\n").error();
    assert!(matches!(error, LlvmError::Unversioned { .. }), "{error:?}");
    let error = Fake::new("exit 1\n").error();
    assert!(matches!(error, LlvmError::Unversioned { .. }), "{error:?}");
}

#[test]
fn a_list_where_one_is_needed_is_refused_in_words() {
    for text in ["14,22", "all"] {
        let error = Llvm::find(&text.parse().unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{text}` names several LLVMs, and this runs against one: a version (`22`) or a directory with its tools"
            )
        );
    }
}

/// Directories as on a machine with several LLVMs: each name is a tool pair on PATH.
fn search(fakes: &[&Fake]) -> Search {
    Search { path: fakes.iter().map(|fake| fake.path().to_owned()).collect(), installations: PathBuf::from("/nowhere") }
}

#[test]
fn the_highest_version_with_amdgcn_is_taken() {
    let low = Fake::new("version=14.0.6\n");
    let high = Fake::new("version=22.1.8\n");
    let best = Llvm::find_in(&Choice::Highest, &search(&[&low, &high])).unwrap();
    assert_eq!((best.version.to_string().as_str(), best.mc.parent()), ("22.1.8", Some(high.path())));

    let without = Fake::new("version=23.0.0 targets=x86-64\n");
    let best = Llvm::find_in(&Choice::Highest, &search(&[&without, &low])).unwrap();
    assert_eq!(best.version.to_string(), "14.0.6");
    let error = Llvm::find_in(&Choice::Highest, &search(&[&without])).unwrap_err();
    assert!(matches!(error, LlvmError::NoAmdgcn { .. }), "{error:?}");
    let error = Llvm::find_in(&Choice::Highest, &search(&[])).unwrap_err();
    assert!(error.to_string().starts_with("no llvm-mc on PATH or in /nowhere/llvm-*/bin;"), "{error}");

    let all = Llvm::find_all_in(&search(&[&high, &low, &without]));
    assert_eq!(all.iter().map(|llvm| llvm.version.major).collect::<Vec<_>>(), [14, 22]);
}

#[test]
fn a_version_is_found_by_name_or_by_asking() {
    let unnamed = Fake::new("version=17.0.1\n");
    let found = Llvm::find_in(&Choice::Version(17), &search(&[&unnamed])).unwrap();
    assert_eq!(found.version.major, 17);
    let error = Llvm::find_in(&Choice::Version(18), &search(&[&unnamed])).unwrap_err();
    assert!(error.to_string().starts_with("no llvm-mc of version 18 on PATH"), "{error}");

    let named = Fake::new("version=17.0.1\n");
    named.tool("llvm-mc-18");
    let error = Llvm::find_in(&Choice::Version(18), &search(&[&named])).unwrap_err();
    assert!(error.to_string().ends_with("llvm-mc-18 is LLVM 17.0.1, but 18 was asked for"), "{error}");
}

#[test]
fn a_word_cut_short_before_its_literal_kills_llvm_and_nothing_else() {
    // v_pk_add_f16 v0, <literal>, v1 of gfx10 without the literal; padding would stand in for it.
    let cut = Window::from_word(0x1802_02ff_cc0f_4000);
    let mut windows: Vec<Window> = (0..12).map(fma).collect();
    windows.insert(5, cut);
    let gfx1030 = Cpu { name: "gfx1030", wave64: false };
    let options = Options { padded: false, ..Options::default() };
    let batch = llvm22().disassemble(gfx1030, &windows, &[], &options).unwrap();
    for (index, pair) in batch.pairs.iter().enumerate() {
        let expected = match index {
            5 => Answer::Dead(Death::Signal(11)),
            _ => fma_answer(if index < 5 { index } else { index - 1 }),
        };
        assert_eq!((&pair.mc, &pair.objdump), (&expected, &expected), "window {index}");
    }

    let padded = llvm22().disassemble(gfx1030, &windows, &[], &Options::default()).unwrap();
    let text = Answer::Text { text: "v_pk_add_f16 v0, 0xbf807777, v1".into(), bytes: Some(12) };
    assert_eq!((&padded.pairs[5].mc, &padded.pairs[5].objdump), (&text, &text));
}

#[test]
fn a_tool_that_answers_out_of_order_is_unusable_and_no_finding() {
    let real = llvm22();
    let dir = TempDir::new().unwrap();
    for (name, program, filter) in [("llvm-mc", &real.mc, "| tac"), ("llvm-objdump", &real.objdump, "")] {
        let path = dir.path().join(name);
        let program = program.display();
        let script =
            format!("#!/bin/sh\ncase $1 in --version) exec {program} --version ;; esac\n{program} \"$@\" {filter}\n");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let llvm = Llvm::find(&Choice::Dir(dir.path().to_owned())).unwrap();
    let windows: Vec<Window> = (0..200).map(fma).collect();
    let error = llvm.disassemble(GFX1100, &windows, &[], &Options::default()).unwrap_err();
    assert!(matches!(error, LlvmError::Unusable { .. }), "{error}");
}
