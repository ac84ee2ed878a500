//! LLVM's assembler as an oracle: every line gets its own answer, whatever stands around it and whatever the tool does.
//!
//! Needs LLVM 22 (`apt-get install llvm-22`). Faults come from `tests/fake-llvm/tool.sh`.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "fake-llvm/mod.rs"]
mod fake_llvm;

use std::fs;
use std::time::{Duration, Instant};

use fake_llvm::{Fake, llvm22};
use vop3p::oracle::llvm::{Assembled, Cpu, Death, LlvmError, NotAsked, Options, Stats};

const GFX1100: Cpu<'_> = Cpu { name: "gfx1100", wave64: false };

fn brief() -> Options {
    Options { time_limit: Duration::from_secs(5), ..Options::default() }
}

fn dwords(answer: &Assembled) -> Vec<u32> {
    answer.window().unwrap_or_else(|| panic!("{answer:?}")).dwords().to_vec()
}

/// `v_pk_fma_f16` whose destination and source 2 are the line's number.
fn good(index: usize) -> String {
    format!("v_pk_fma_f16 v{}, v1, v2, v{}", index & 0xff, index >> 8)
}

fn good_answer(index: usize) -> Assembled {
    let lower = 0xcc0e_4000 | index as u32 & 0xff;
    let upper = 0x1802_0501 | (index as u32 >> 8 | 0x100) << 18;
    let bytes = [lower, upper].iter().flat_map(|dword| dword.to_le_bytes()).collect();
    Assembled::Bytes { bytes, text: good(index) }
}

fn refused(message: &str, column: u32) -> Assembled {
    Assembled::Refused { message: message.into(), column }
}

/// Lines of many kinds: what comes of a good one, or where a wrong one is wrong, depends on its number.
fn mixed(index: usize) -> (String, Assembled) {
    let width = index % 61;
    let after = |text: &str| format!("{}{text}", " ".repeat(width));
    let at = |column: u32| column + width as u32;
    match index * 7919 % 10 {
        0 => (after("v_pk_fma_f16 v0, v1, v2"), refused("too few operands for instruction", at(1))),
        1 => (
            after("v_pk_fma_f16 v0, s1, s2, s3"),
            refused("invalid operand (violates constant bus restrictions)", at(26)),
        ),
        // A line that is wrong up to its end, where LLVM takes the next one's start for its own.
        2 => (after("v_pk_fma_f16 v0, 0x 0x"), refused("failed parsing operand.", at(18))),
        3 => (format!("s_nop {index} ; s_nop 2"), Assembled::NotAsked(NotAsked::Character(';'))),
        4 => (format!("x{index}:"), Assembled::NotAsked(NotAsked::NoMnemonic)),
        _ => (good(index), good_answer(index)),
    }
}

/// A fixed shuffle.
fn shuffle<T>(items: &mut [T]) {
    let mut state = 1_u64;
    for index in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(index, (state >> 33) as usize % (index + 1));
    }
}

// What the real assembler says.

#[test]
fn a_good_line_gives_its_bytes_and_its_text() {
    for (name, wave64, line, expected) in [
        ("gfx1100", false, "v_pk_fma_f16 v0, v1, v2, v3", &[0xcc0e_4000, 0x1c0e_0501][..]),
        ("gfx1100", false, "v_pk_fma_f16 v0, v1, v2, 0x12345678", &[0xcc0e_4000, 0x1bfe_0501, 0x1234_5678]),
        ("gfx900", false, "v_pk_fma_f16 v0, v1, v2, v3", &[0xd38e_4000, 0x1c0e_0501]),
        (
            "gfx942",
            false,
            "v_mfma_f64_4x4x4_4b_f64 a[0:1], v[0:1], v[2:3], a[0:1] neg:[1,0,1]",
            &[0xd3ef_8000, 0xa402_0500],
        ),
        (
            "gfx950",
            false,
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23], v24, v25 op_sel_hi:[0,0,0]",
            &[0xd3ac_0000, 0x0002_3318, 0xd3ad_0800, 0x0452_1904],
        ),
        (
            "gfx1250",
            false,
            "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], s0, s1",
            &[0xcc35_0000, 0x0400_0200, 0xcc33_0000, 0x04a2_3108],
        ),
        ("gfx1100", true, "v_wmma_f32_16x16x16_f16 v[0:3], v[4:11], v[12:19], v[0:3]", &[0xcc40_4000, 0x1c02_1904]),
        ("gfx1100", false, "s_nop 1", &[0xbf80_0001]),
    ] {
        let assembly = llvm22().assemble(Cpu { name, wave64 }, &[line], &Options::default()).unwrap();
        assert_eq!(dwords(&assembly.lines[0]), expected, "{line}");
        assert_eq!(assembly.lines[0].text(), Some(line));
    }
    let lines = ["\t v_pk_fma_f16   v0 ,v[1] , |v2|,-v3 "];
    let gfx1250 = Cpu { name: "gfx1250", wave64: false };
    let assembly = llvm22().assemble(gfx1250, &["v_mov_b32 v0, 1"], &Options::default()).unwrap();
    assert_eq!(assembly.lines[0].text(), Some("v_mov_b32_e32 v0, 1"), "LLVM's own spelling");
    let assembly = llvm22().assemble(GFX1100, &lines, &Options::default()).unwrap();
    assert!(matches!(assembly.lines[0], Assembled::Refused { .. }), "{:?}", assembly.lines[0]);
}

#[test]
fn a_wrong_line_gives_the_first_message_and_its_place_in_the_text() {
    for (name, line, expected) in [
        ("gfx900", "v_pk_fma_f16 v0, s1, s2, v3", refused("invalid operand (violates constant bus restrictions)", 22)),
        ("gfx1100", "v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0", refused("expected a comma", 40)),
        ("gfx1100", "  v_pk_fma_f16 v0, v1, v2", refused("too few operands for instruction", 3)),
        ("gfx1100", "v_pk_fmx_f16 v0", refused("invalid instruction", 1)),
        (
            "gfx1100",
            "v_wmma_f32_16x16x16_f16 v[0:3], v[4:11], v[12:19], v[0:3]",
            refused("operands are not valid for this GPU or mode", 1),
        ),
        ("gfx1100", "v_pk_fma_f16 v0, 0x 0x", refused("failed parsing operand.", 18)),
    ] {
        let cpu = Cpu { name, wave64: false };
        let assembly = llvm22().assemble(cpu, &[line], &Options::default()).unwrap();
        assert_eq!(assembly.lines, [expected], "{line}");
        assert_eq!((assembly.stats.runs, assembly.stats.deaths), (1, 0));
    }
}

#[test]
fn a_symbol_leaves_bytes_to_the_linker() {
    let assembly = llvm22().assemble(GFX1100, &["s_mov_b32 s0, x", "s_nop 1"], &Options::default()).unwrap();
    assert_eq!(assembly.lines[0], Assembled::Unresolved { text: "s_mov_b32 s0, x".into() });
    assert_eq!(dwords(&assembly.lines[1]), [0xbf80_0001]);
}

#[test]
fn two_thousand_lines_in_any_order_all_get_their_own_answer() {
    let mut lines: Vec<(String, Assembled)> = (0..2000).map(mixed).collect();
    shuffle(&mut lines);
    let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
    for batch in [1_000_000, 700, 33] {
        let options = Options { batch, ..Options::default() };
        let assembly = llvm22().assemble(GFX1100, &texts, &options).unwrap();
        assert_eq!(assembly.lines.len(), 2000);
        for ((text, expected), answer) in lines.iter().zip(&assembly.lines) {
            assert_eq!(answer, expected, "{text}");
        }
        let asked: usize = lines.iter().filter(|(_, answer)| !matches!(answer, Assembled::NotAsked(_))).count();
        let runs = asked.div_ceil(batch) as u32;
        assert_eq!(assembly.stats, Stats { runs, ..Stats::default() });
    }
}

#[test]
fn no_text_touches_its_neighbours() {
    let hostile = [
        "/*",
        "\"",
        "'",
        "\\",
        "#if 0",
        ".if 0",
        ".macro s_nop",
        ".rept 1000000",
        ".include \"x\"",
        ".end",
        ".set v1, v2",
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"",
        "v1 = 5",
        "s_nop:",
        ".L0:",
        ".L3:",
        "s_nop 1\ns_nop 1",
        "s_nop 1\r\n",
        "s_nop 1\0",
        "\u{feff}s_nop 1",
        "s_nop 1 \u{2028}",
        "",
        " ",
        ";",
        "//",
        "s_nop 1 \\",
        "s_nop .L1",
        "s_mov_b32 s0, 1f",
        "s_mov_b32 s0, .",
        "v_pk_fma_f16 v0, 0x 0x",
        "v_foo (((((",
        "v_foo [0x1p",
        "v_pk_fma_f16 v0, v1, v2,",
        "s_mov_b32 s0, x",
        "<stdin>:2:1: error: x",
        "v_pk_fma_f16 v0, 99999999999999999999999999",
        "endm",
        "else",
        "endif",
        "include x",
        "end",
    ];
    let long = "(".repeat(2000);
    let mut lines: Vec<String> = Vec::new();
    for (index, text) in hostile.iter().copied().chain([long.as_str()]).enumerate() {
        lines.extend([good(index), text.to_owned()]);
    }
    let assembly = llvm22().assemble(GFX1100, &lines, &Options::default()).unwrap();
    assert_eq!((assembly.lines.len(), assembly.stats.runs, assembly.stats.deaths), (lines.len(), 1, 0));
    for (index, pair) in assembly.lines.chunks(2).enumerate() {
        assert_eq!(pair[0], good_answer(index), "before {:?}", lines[2 * index + 1]);
        assert!(pair[1].bytes().is_none(), "{:?}: {:?}", lines[2 * index + 1], pair[1]);
    }
}

#[test]
fn no_lines_need_no_run() {
    let assembly = llvm22().assemble(GFX1100, &[] as &[&str], &Options::default()).unwrap();
    assert_eq!((assembly.lines.len(), assembly.stats.runs), (0, 0));
    let assembly = llvm22().assemble(GFX1100, &[".end"], &Options::default()).unwrap();
    assert_eq!((assembly.lines.len(), assembly.stats.runs), (1, 0));
}

#[test]
fn a_processor_this_version_does_not_know_is_an_error_of_its_own() {
    // The tool itself goes on with another and answers every line.
    for name in ["gfx940", "gfx1299"] {
        let error = llvm22().assemble(Cpu { name, wave64: false }, &["s_nop 1"], &Options::default()).unwrap_err();
        assert!(matches!(&error, LlvmError::UnknownCpu { cpu, .. } if cpu == name), "{error}");
    }
}

// A tool that fails to order.

fn assert_faulty(fake: &Fake, count: usize, killer: Option<(usize, Death)>, options: &Options) -> Stats {
    let lines: Vec<(String, Assembled)> = (0..count).map(mixed).collect();
    let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
    let assembly = fake.llvm().assemble(GFX1100, &texts, options).unwrap();
    assert_eq!(assembly.lines.len(), count);
    for (index, ((text, expected), answer)) in lines.iter().zip(&assembly.lines).enumerate() {
        match killer {
            Some((killer, death)) if killer == index => assert_eq!(answer, &Assembled::Dead(death), "{text}"),
            _ => assert_eq!(answer, expected, "line {index}, {text}"),
        }
    }
    assembly.stats
}

/// A plan by which the tool fails on `good(195)`.
fn plan(how: &str, lost: usize) -> String {
    format!("how={how} killer_mc='{}' lost={lost}\n", good(195))
}

#[test]
fn the_stand_in_answers_like_the_real_tool_when_nothing_is_wrong() {
    assert_eq!(assert_faulty(&Fake::new(""), 250, None, &brief()), Stats { runs: 1, ..Stats::default() });
}

#[test]
fn every_way_to_die_is_told_and_costs_only_the_killer() {
    assert_eq!(mixed(195).0, good(195));
    for (how, lost, death) in [
        ("segv", 0, Death::Signal(11)),
        ("segv", 4000, Death::Signal(11)),
        ("exit", 10, Death::Exit(70)),
        ("truncate", 5, Death::Garbled),
        ("garble", 0, Death::Garbled),
    ] {
        let stats = assert_faulty(&Fake::new(&plan(how, lost)), 250, Some((195, death)), &brief());
        assert_eq!((stats.dead_windows, stats.flaky_deaths), (1, 0), "{how}");
        assert!(stats.runs <= 12, "{how}: {stats:?}");
    }
}

#[test]
fn a_tool_that_hangs_is_killed_at_the_time_limit() {
    let options = Options { time_limit: Duration::from_secs(1), ..Options::default() };
    let start = Instant::now();
    let stats = assert_faulty(&Fake::new(&plan("hang", 0)), 220, Some((195, Death::Hang)), &options);
    assert!(stats.hangs >= 3 && stats.hangs == stats.deaths, "{stats:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_tool_that_dies_anywhere_in_every_run_still_answers_every_line() {
    let fake = Fake::new("how=segv span=400 lost=300\n");
    let (mut runs, mut deaths) = (0, 0);
    while runs < 60 {
        let stats = assert_faulty(&fake, 90, None, &brief());
        assert_eq!((stats.dead_windows, stats.flaky_deaths), (0, stats.deaths));
        runs += stats.runs;
        deaths += stats.deaths;
    }
    assert!(deaths >= 12, "{deaths} of {runs} runs died");
}

#[test]
fn what_is_missing_from_the_output_of_one_line_is_that_line_s_death_and_shifts_no_other() {
    let (line, label) = (good(195), ".L150:");
    for (what, spoilt) in [
        ("its line is missing", format!("out='/{line} /d'")),
        ("its line is there twice", format!("out='/{line} /p'")),
        ("its line is cut", format!("out='/{line} /s/; enc.*//'")),
        ("a byte is cut", format!("out='/{line} /s/,0x0e/,0x/'")),
        ("its line is another", format!("out='/{line} /s/.*/garbled/'")),
    ] {
        let stats = assert_faulty(&Fake::new(&spoilt), 250, Some((195, Death::Garbled)), &brief());
        assert_eq!((stats.dead_windows, stats.flaky_deaths), (1, 0), "{what}");
    }
    // In a run alone there is no such label, so that this is no line's fault.
    let stats = assert_faulty(&Fake::new(&format!("out='/^{label}/d'")), 250, None, &brief());
    assert!(stats.dead_windows == 0 && stats.flaky_deaths > 0, "{stats:?}");
}

#[test]
fn a_tool_whose_output_never_fits_is_an_error_and_no_thousand_answers() {
    for (what, spoilt) in [
        ("dies at once", "how=always"),
        ("one line too few", "out='2d'"),
        ("one line too many", "out='2p'"),
        ("the last line cut off", "out='$d'"),
        ("no labels", "out='/^.L/d'"),
        ("labels off by one", "out='s/^.L0:/.L1:/'"),
        ("no errors", "err='/error:/d'"),
        ("errors of the line before", "err='s/stdin>:5:/stdin>:2:/'"),
        ("errors of no line", "err='s/stdin>:5:/stdin>:4:/'"),
        ("garbled", "out='s/.*/\\x01/'"),
        ("no output", "out=d err=d"),
    ] {
        let fake = Fake::new(&format!("{spoilt}\n"));
        let lines = ["s_nop 3", "s_nop", "s_nop 4", "s_nop 5"];
        let error = fake.llvm().assemble(GFX1100, &lines, &brief()).map(|assembly| assembly.lines).expect_err(what);
        assert!(matches!(error, LlvmError::Unusable { .. }), "{what}: {error:?}");
    }
}

#[test]
fn a_warning_is_no_error() {
    // LLVM warns of no VOP3P line; the stand-in adds one on the second text.
    let fake = Fake::new("err='1i <stdin>:5:1: warning: this is odd'\n");
    let texts = [good(1), good(2), "s_nop".to_owned()];
    let assembly = fake.llvm().assemble(GFX1100, &texts, &brief()).unwrap();
    assert_eq!(assembly.lines[..2], [good_answer(1), good_answer(2)]);
    assert!(matches!(assembly.lines[2], Assembled::Refused { .. }));
    assert_eq!(assembly.stats.deaths, 0);
}

#[test]
fn a_tool_that_is_gone_is_an_error_that_names_it() {
    let fake = Fake::new("");
    let llvm = fake.llvm();
    fs::remove_file(fake.path().join("llvm-mc")).unwrap();
    let error = llvm.assemble(GFX1100, &["s_nop 1"], &brief()).unwrap_err();
    assert!(matches!(error, LlvmError::Io { .. }), "{error:?}");
    assert!(error.to_string().ends_with("/llvm-mc"), "{error}");
}
