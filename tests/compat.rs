//! Which instruction is on which target: AMD's side from its manuals and XML, LLVM 22's as measured, and tools that lack
//! or add one.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::OnceLock;

use vop3p::compat::{Difference, Measured, Row, Table, What, measure};
use vop3p::isa::{ProcessorSet, Target};
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Llvm};
use vop3p::report::names::compact_targets;

/// AMD's side alone.
fn amd() -> Table {
    Table::of(&[])
}

/// With what LLVM 22 has.
fn llvm22() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::of(&[measured(&common::llvm22(), &Target::all().collect::<Vec<_>>())]))
}

fn measured(llvm: &Llvm, targets: &[Target]) -> Measured {
    measure(llvm, &Ledger::builtin().unwrap(), targets).unwrap()
}

fn row<'a>(table: &'a Table, amd: &str, llvm: &str) -> &'a Row {
    table.rows.iter().find(|row| row.amd == amd && row.llvm == llvm).unwrap_or_else(|| panic!("{amd} {llvm}"))
}

fn text(on: ProcessorSet) -> String {
    compact_targets(|place| on.contains(place))
}

fn cpus(on: ProcessorSet) -> Vec<&'static str> {
    Target::all().filter(|target| on.contains(target.index())).map(Target::cpu).collect()
}

#[test]
fn where_amds_documents_have_an_instruction() {
    let table = amd();
    // VOP3P opcode tables of the manuals; AMD's XML from CDNA1 and RDNA1 on.
    for (amd, llvm, on) in [
        ("V_PK_FMA_F16", "v_pk_fma_f16", "all targets"),
        ("V_DOT2_F32_BF16", "v_dot2_f32_bf16", "cdna4, rdna3-4"),
        ("V_PK_FMA_F32", "v_pk_fma_f32", "cdna2-4, cdna5"),
        ("V_PK_MOV_B32", "v_pk_mov_b32", "cdna2-4"),
        ("V_PK_MIN_F16", "v_pk_min_f16", "vega, vega7, cdna1-4, rdna1-3.5"),
        ("V_PK_MIN_NUM_F16", "v_pk_min_num_f16", "rdna4, cdna5"),
        ("V_PK_MINIMUM3_F16", "v_pk_minimum3_f16", "cdna4, cdna5"),
        ("V_DOT4_F32_FP8_BF8", "v_dot4_f32_fp8_bf8", "rdna4"),
        ("V_FMA_MIX_F32", "v_fma_mix_f32", "rdna1-4, cdna5"),
        // LLVM calls the same bits by two names.
        ("V_MAD_MIX_F32", "v_mad_mix_f32", "gfx900, gfx902, gfx909, gfx90c"),
        ("V_MAD_MIX_F32", "v_fma_mix_f32", "gfx904, vega7, cdna1-4"),
        // No document of AMD's has these on gfx1011 and gfx1012, which is said beside them.
        ("V_DOT2_I32_I16", "v_dot2_i32_i16", "vega7, cdna1-4, gfx1011, gfx1012, rdna2"),
        ("V_WMMA_F32_16X16X16_F16", "v_wmma_f32_16x16x16_f16", "rdna3-4"),
        ("V_MFMA_F32_16X16X8_XF32", "v_mfma_f32_16x16x8_xf32", "gfx942"),
        ("V_ACCVGPR_WRFED", "", "cdna1"),
        ("V_MFMA_SCALE_F32_16X16X128_F8F6F4", "v_mfma_scale_f32_16x16x128_f8f6f4", "cdna4"),
        ("V_WMMA_SCALE16_F32_32X16X128_F4", "v_wmma_scale16_f32_32x16x128_f4", "cdna5"),
    ] {
        assert_eq!(text(row(&table, amd, llvm).amd_on), on, "{amd}");
    }
    let bf16 = cpus(row(&table, "V_DOT2_F32_BF16", "v_dot2_f32_bf16").amd_on);
    for (cpu, has) in [
        ("gfx950", true),
        ("gfx1100", true),
        ("gfx1150", true),
        ("gfx1201", true),
        ("gfx1250", false),
        ("gfx942", false),
    ] {
        assert_eq!(bf16.contains(&cpu), has, "{cpu}");
    }
    assert_eq!(row(&table, "V_DOT2_I32_I16", "v_dot2_i32_i16").remark(), Some("rdna1-dot-products"));
    assert_eq!(row(&table, "V_MAD_MIX_F32", "v_fma_mix_f32").remark(), Some("mad-mix-is-fma-mix"));
    assert_eq!(row(&table, "V_DOT2_F32_BF16", "v_dot2_f32_bf16").remark(), None);
    assert!(table.differences.is_empty() && !table.has_new());
}

#[test]
fn numbers_are_those_of_each_target() {
    let table = amd();
    let numbers = |amd: &str, llvm: &str| -> Vec<String> {
        let numbers = row(&table, amd, llvm).numbers.iter();
        numbers.map(|(number, on)| format!("{number} on {}", text(*on))).collect()
    };
    assert_eq!(numbers("V_PK_FMA_F32", "v_pk_fma_f32"), ["31 on cdna5", "48 on cdna2-4"]);
    let dot = numbers("V_DOT2_F32_F16", "v_dot2_f32_f16");
    assert_eq!(dot, ["19 on gfx1011, gfx1012, rdna2-4", "35 on vega7, cdna1-4"]);
    let scaled = numbers("V_WMMA_SCALE_F32_32X16X128_F4", "v_wmma_scale_f32_32x16x128_f4");
    assert_eq!(scaled, ["53+136 on cdna5"]);
}

#[test]
fn names_in_any_spelling_find_their_rows() {
    let table = amd();
    let found = |text: &str| -> Vec<String> {
        let places = table.find(text).unwrap();
        places.into_iter().map(|place| format!("{} {}", table.rows[place].amd, table.rows[place].llvm)).collect()
    };
    for text in ["V_DOT2_F32_BF16", "v_dot2_f32_bf16", "dot2_f32_bf16", " V_Dot2_F32_Bf16 ", "v_dot2_f32_bf16_e64_dpp"]
    {
        assert_eq!(found(text), ["V_DOT2_F32_BF16 v_dot2_f32_bf16"], "{text}");
    }
    assert_eq!(found("v_accvgpr_read_b32"), ["V_ACCVGPR_READ v_accvgpr_read_b32"]);
    assert_eq!(found("v_mad_mix_f32"), ["V_MAD_MIX_F32 v_fma_mix_f32", "V_MAD_MIX_F32 v_mad_mix_f32"]);
    assert_eq!(found("v_fma_mix_f32"), ["V_FMA_MIX_F32 v_fma_mix_f32", "V_MAD_MIX_F32 v_fma_mix_f32"]);
    assert_eq!(found("v_dot4_i32*").len(), 2);
    assert_eq!(found("*").len(), table.rows.len());
    let fails = |text: &str| table.find(text).unwrap_err().to_string();
    let is_none = "is no VOP3P instruction of AMD's or LLVM's";
    assert_eq!(fails("v_dot2_f32_bf61"), format!("`v_dot2_f32_bf61` {is_none}; did you mean v_dot2_f32_bf16?"));
    assert_eq!(
        fails("v_pk_min4_u16"),
        format!("`v_pk_min4_u16` {is_none}; did you mean v_pk_min3_u16 or v_pk_min_u16?")
    );
    assert_eq!(fails("s_endpgm_and_more"), format!("`s_endpgm_and_more` {is_none} (`vop3p compat` lists them)"));
    assert!(table.find("v_nothing*").is_err());
}

/// The RDNA4 matrix instructions, which AMD's CDNA5 manual and XML do not have.
const OF_RDNA4: [&str; 22] = [
    "v_wmma_f32_16x16x16_f16",
    "v_wmma_f32_16x16x16_bf16",
    "v_wmma_f16_16x16x16_f16",
    "v_wmma_bf16_16x16x16_bf16",
    "v_wmma_i32_16x16x16_iu8",
    "v_wmma_i32_16x16x16_iu4",
    "v_wmma_f32_16x16x16_fp8_fp8",
    "v_wmma_f32_16x16x16_fp8_bf8",
    "v_wmma_f32_16x16x16_bf8_fp8",
    "v_wmma_f32_16x16x16_bf8_bf8",
    "v_wmma_i32_16x16x32_iu4",
    "v_swmmac_f32_16x16x32_f16",
    "v_swmmac_f32_16x16x32_bf16",
    "v_swmmac_f16_16x16x32_f16",
    "v_swmmac_bf16_16x16x32_bf16",
    "v_swmmac_i32_16x16x32_iu8",
    "v_swmmac_i32_16x16x32_iu4",
    "v_swmmac_i32_16x16x64_iu4",
    "v_swmmac_f32_16x16x32_fp8_fp8",
    "v_swmmac_f32_16x16x32_fp8_bf8",
    "v_swmmac_f32_16x16x32_bf8_fp8",
    "v_swmmac_f32_16x16x32_bf8_bf8",
];

#[test]
fn where_llvm_22_differs_is_in_the_ledger() {
    let table = llvm22();
    assert!(!table.has_new(), "{:?}", table.differences.iter().filter(|one| one.is_new()).collect::<Vec<_>>());
    let of = |what: What| -> Vec<&Difference> { table.differences.iter().filter(|one| one.what == what).collect() };
    // Its own names of the first words of pairs, and the instructions of RDNA4.
    let more: Vec<&str> = of(What::More).iter().map(|one| table.rows[one.row].llvm.as_str()).collect();
    let mut wanted = vec!["v_wmma_ld_scale_paired_b32", "v_wmma_ld_scale16_paired_b64"];
    wanted.extend(OF_RDNA4);
    assert_eq!(more.len(), 24);
    assert!(wanted.iter().all(|name| more.contains(name)), "{more:?}");
    for one in of(What::More) {
        assert_eq!(text(one.on), "cdna5");
        let entry = if table.rows[one.row].amd.is_empty() { "lone-scale-word" } else { "rdna4-matrix-on-gfx1250" };
        assert!(one.entries.iter().any(|id| id == entry), "{:?}", one.entries);
    }
    let less: Vec<(&str, String)> =
        of(What::Less).iter().map(|one| (table.rows[one.row].amd.as_str(), text(one.on))).collect();
    assert_eq!(less, [("V_ACCVGPR_WRFED", "cdna1".to_owned())]);
    assert_eq!(table.differences.len(), 25);
}

#[test]
fn what_llvm_22_has_is_what_amds_tables_have_but_for_the_differences() {
    let table = llvm22();
    for row in &table.rows {
        let seen = row.seen[0];
        assert_eq!(seen.decodes, seen.assembles, "{}", row.name());
        if OF_RDNA4.contains(&row.llvm.as_str()) {
            let cdna5 = ProcessorSet::named(&["gfx1250", "gfx1251"]);
            assert_eq!(seen.both(), row.amd_on.or(cdna5), "{}", row.name());
        } else if row.llvm.is_empty() {
            assert!(seen.decodes.is_empty(), "{}", row.name());
        } else if !row.amd.is_empty() {
            assert_eq!(seen.both(), row.amd_on, "{}", row.name());
        }
    }
    // LLVM's own counts, swept: the opcodes of AMD's tables and 24 that only LLVM has on gfx1250.
    let count = |cpu: &str| {
        let target: Target = cpu.parse().unwrap();
        table.rows.iter().filter(|row| row.seen[0].decodes.contains(target.index())).count()
    };
    // On gfx1250 the 22 of RDNA4, the two scale words and the four pairs besides 90 opcodes; on gfx950 two pairs.
    assert_eq!((count("gfx900"), count("gfx908"), count("gfx950"), count("gfx1250")), (22, 51, 107, 118));
}

/// Stand-ins for LLVM 22 whose scripts do this before they run the real tool.
fn stand_ins(script: impl Fn(&str) -> String) -> (tempfile::TempDir, Llvm) {
    let dir = tempfile::tempdir().unwrap();
    for tool in ["llvm-mc", "llvm-objdump"] {
        let path = dir.path().join(tool);
        fs::write(&path, format!("#!/bin/sh\n{}\n", script(tool))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let llvm = Llvm::find(&Choice::Dir(dir.path().to_owned())).unwrap();
    (dir, llvm)
}

/// gfx1200 by an LLVM 22 that reads something else than it is given: opcodes of words exchanged, `FROM` for `TO` in turn,
/// and a name.
fn of_spoiled(opcodes: &[(u8, u8)], name: Option<(&str, &str)>) -> Table {
    let edits: Vec<String> = opcodes
        .iter()
        .map(|(from, to)| format!("s/40{from:02x}cc/40{to:02x}cc/;s/\\x40\\x{from:02x}\\xcc/\\x40\\x{to:02x}\\xcc/g"))
        .chain(name.map(|(from, to)| format!("s/{from}/{to}/")))
        .collect();
    let edits = edits.join(";");
    let (_dir, llvm) = stand_ins(|tool| {
        format!("[ \"$1\" != --version ] || exec {tool}-22 \"$@\"\nLC_ALL=C sed '{edits}' | {tool}-22 \"$@\"")
    });
    Table::of(&[measured(&llvm, &["gfx1200".parse().unwrap()])])
}

/// The differences, as `ROW WHAT TARGETS`.
fn differences(table: &Table) -> Vec<String> {
    let one = |one: &Difference| format!("{} {:?} {}", table.rows[one.row].name(), one.what, text(one.on));
    table.differences.iter().filter(|one| one.is_new()).map(one).collect()
}

#[test]
fn an_llvm_that_lacks_an_opcode_is_found_out() {
    // The word of V_PK_FMA_F16 is read as opcode 17, which gfx1200 does not have, and the name as one that there is not.
    let table = of_spoiled(&[(14, 17)], Some(("v_pk_fma_f16", "v_pk_nothing")));
    assert_eq!(differences(&table), ["V_PK_FMA_F16 Less gfx1200"]);
    let seen = row(&table, "V_PK_FMA_F16", "v_pk_fma_f16").seen[0];
    assert!(seen.decodes.is_empty() && seen.assembles.is_empty());
}

#[test]
fn an_llvm_of_which_one_tool_lacks_an_opcode_is_found_out() {
    let no_name = of_spoiled(&[], Some(("v_pk_fma_f16", "v_pk_nothing")));
    assert_eq!(differences(&no_name), ["V_PK_FMA_F16 OnlyDecodes gfx1200"]);
    let no_word = of_spoiled(&[(14, 17)], None);
    assert_eq!(differences(&no_word), ["V_PK_FMA_F16 OnlyAssembles gfx1200"]);
}

#[test]
fn an_llvm_that_adds_an_opcode_is_found_out() {
    // The word of opcode 17 is read as V_PK_FMA_F16.
    let table = of_spoiled(&[(17, 14)], None);
    assert_eq!(differences(&table), ["V_PK_FMA_F16 More gfx1200"]);
    let numbers = &row(&table, "V_PK_FMA_F16", "v_pk_fma_f16").numbers;
    assert_eq!(numbers.keys().map(ToString::to_string).collect::<Vec<_>>(), ["14", "17"]);
}

#[test]
fn an_llvm_that_exchanges_two_opcodes_is_found_out() {
    let table = of_spoiled(&[(15, 0xfe), (16, 15), (0xfe, 16)], None);
    assert_eq!(
        differences(&table),
        ["V_PK_MUL_F16 Named(\"v_pk_add_f16\") gfx1200", "V_PK_ADD_F16 Named(\"v_pk_mul_f16\") gfx1200"]
    );
}

#[test]
fn a_target_that_an_llvm_does_not_know_is_unknown_and_not_absent() {
    let (_dir, llvm) = stand_ins(|tool| {
        let says = "'gfx1250' is not a recognized processor for this target (ignoring processor)";
        format!("case \" $* \" in *gfx1250*) echo \"{says}\" >&2; exit 1 ;; esac\nexec {tool}-22 \"$@\"")
    });
    let targets = ["gfx1250", "gfx1100"].map(|cpu| cpu.parse().unwrap());
    let table = Table::of(&[measured(&llvm, &targets)]);
    assert_eq!(differences(&table), Vec::<String>::new());
    let seen = row(&table, "V_PK_FMA_BF16", "v_pk_fma_bf16").seen[0];
    assert_eq!((cpus(seen.unknown), seen.decodes.is_empty()), (vec!["gfx1250"], true));
}
