//! Twelve deliberate errors in LLVM, all at once: a stand-in for llvm-mc spoils what the real one says. A sweep finds them
//! by the ten thousands, and triage must make twelve causes of that, each minimal and rightly described.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use vop3p::triage::cluster::{Cluster, Triage};
use vop3p::triage::need_text;

const CHOICE: &[&str] = &[
    "-t",
    "gfx900,gfx942,gfx1030,gfx1100",
    "--opcode",
    "V_PK_FMA_F16,V_PK_MAD_I16,V_PK_SUB_U16,V_PK_MAX_I16,V_PK_MIN_I16,V_PK_MUL_F16,V_PK_LSHLREV_B16,V_DOT4_I32_IU8,\
     V_FMA_MIX_F32",
];

/// What triage must say of a fault.
struct Expected {
    id: &'static str,
    kind: &'static str,
    field: &'static str,
    needs: &'static str,
    opcodes: &'static str,
    targets: &'static str,
    title: &'static str,
    /// A minimal window, what we say of it and what LLVM does.
    witness: [&'static str; 3],
}

const FAULTS: [Expected; 12] = [
    Expected {
        id: "mnemonic-op-",
        kind: "mnemonic",
        field: "op",
        needs: "op = V_PK_MAX_I16, V_PK_MIN_I16",
        opcodes: "V_PK_MAX_I16 V_PK_MIN_I16",
        targets: "gfx900 gfx942 gfx1030 gfx1100",
        title: "LLVM exchanges v_pk_max_i16 and v_pk_min_i16 on gfx900, gfx942, gfx1030, gfx1100",
        witness: ["d3874000 1c1a0902", "v_pk_max_i16 v0, v2, v4  (unused-source)", "v_pk_min_i16 v0, v2, v4"],
    },
    Expected {
        id: "operand-src-",
        kind: "operand",
        field: "src",
        needs: "src = 255",
        // Of the exchanged ones no operand is compared.
        opcodes: "V_FMA_MIX_F32 V_PK_FMA_F16 V_PK_LSHLREV_B16 V_PK_MAD_I16 V_PK_MUL_F16 V_PK_SUB_U16",
        targets: "gfx1030",
        title: "LLVM shows another literal as a source of 6 opcodes with src = 255 on gfx1030",
        witness: ["cc0e4000 1c1a08ff 00001234", "v_pk_fma_f16 v0, 0x1234, v4, v6", "v_pk_fma_f16 v0, 0x234, v4, v6"],
    },
    Expected {
        id: "encoding-neg-hi-",
        kind: "encoding",
        field: "neg_hi",
        needs: "neg_hi = !0",
        opcodes: "V_PK_FMA_F16 V_PK_LSHLREV_B16 V_PK_MAD_I16 V_PK_MAX_I16 V_PK_MIN_I16 V_PK_MUL_F16 V_PK_SUB_U16",
        targets: "gfx942",
        title: "LLVM's assembler drops neg_hi of 7 opcodes on gfx942",
        witness: ["d38e4100 1c1a0902", "d38e4100 1c1a0902", "d38e4000 1c1a0902"],
    },
    Expected {
        id: "modifier-clamp-",
        kind: "modifier",
        field: "clamp",
        needs: "clamp = 1",
        opcodes: "V_FMA_MIX_F32 V_PK_FMA_F16 V_PK_LSHLREV_B16 V_PK_MAD_I16 V_PK_MUL_F16 V_PK_SUB_U16",
        targets: "gfx1030",
        title: "LLVM drops clamp of 6 opcodes on gfx1030",
        witness: ["cc0ec000 1c1a0902", "v_pk_fma_f16 v0, v2, v4, v6 clamp", "v_pk_fma_f16 v0, v2, v4, v6"],
    },
    Expected {
        id: "modifier-op-sel-",
        kind: "modifier",
        field: "op_sel",
        // [1,0,0], [1,1,0] and their reverses.
        needs: "op_sel = 1,3-4,6",
        opcodes: "V_MAD_MIX_F32 V_PK_FMA_F16 V_PK_MAD_I16",
        targets: "gfx900",
        title: "LLVM changes op_sel of V_MAD_MIX_F32, V_PK_FMA_F16, V_PK_MAD_I16 on gfx900",
        witness: [
            "d38e4800 1c1a0902",
            "v_pk_fma_f16 v0, v2, v4, v6 op_sel:[1,0,0]",
            "v_pk_fma_f16 v0, v2, v4, v6 op_sel:[0,0,1]",
        ],
    },
    Expected {
        id: "modifier-neg-lo-op-",
        kind: "modifier",
        field: "neg_lo",
        // With NEG[2], of the source that there is not, LLVM refuses the word, which is known.
        needs: "op = V_PK_MUL_F16, neg_lo[1:0] = !0",
        opcodes: "V_PK_MUL_F16",
        targets: "gfx900 gfx942 gfx1030 gfx1100",
        title: "LLVM drops neg_lo of V_PK_MUL_F16 on gfx900, gfx942, gfx1030, gfx1100",
        witness: [
            "d3904000 3c1a0902",
            "v_pk_mul_f16 v0, v2, v4 neg_lo:[1,0]  (unused-source)",
            "v_pk_mul_f16 v0, v2, v4",
        ],
    },
    Expected {
        id: "operand-src-op-",
        kind: "operand",
        field: "src",
        needs: "op = V_PK_SUB_U16",
        opcodes: "V_PK_SUB_U16",
        targets: "gfx942",
        title: "LLVM shows another VGPR as a source of V_PK_SUB_U16 on gfx942",
        witness: ["d38b4000 1c1a0902", "v_pk_sub_u16 v0, v2, v4  (unused-source)", "v_pk_sub_u16 v0, v12, v4"],
    },
    Expected {
        id: "acceptance-op-op-sel-",
        kind: "acceptance",
        field: "word",
        needs: "op = V_PK_LSHLREV_B16, op_sel[1] = 1",
        opcodes: "V_PK_LSHLREV_B16",
        targets: "gfx1100",
        title: "LLVM rejects V_PK_LSHLREV_B16 with op_sel[1] = 1 on gfx1100",
        witness: [
            "cc045000 1c1a0902",
            "v_pk_lshlrev_b16 v0, v2, v4 op_sel:[0,1]  (unused-source)",
            "rejects the encoding",
        ],
    },
    Expected {
        id: "modifier-dpp-op-dpp-ctrl-src0-",
        kind: "modifier",
        field: "dpp",
        needs: "op = V_FMA_MIX_F32, dpp_ctrl = 257-270, src0 = 250",
        opcodes: "V_FMA_MIX_F32",
        targets: "gfx1100",
        title: "LLVM changes dpp of V_FMA_MIX_F32 with dpp_ctrl = 257-270 and src0 = 250 on gfx1100",
        witness: [
            "cc200000 041a08fa ff010102",
            "v_fma_mix_f32_e64_dpp v0, v2, v4, v6 row_shl:1 row_mask:0xf bank_mask:0xf",
            "v_fma_mix_f32_e64_dpp v0, v2, v4, v6 row_shl:2 row_mask:0xf bank_mask:0xf",
        ],
    },
    Expected {
        id: "assembling-op-src0-src1-",
        kind: "assembling",
        field: "text",
        // Two SGPRs of s0 to s101 that differ.
        needs: "op = V_PK_MAD_I16, src0 = 0-3,5-101, src1 = 1-101",
        opcodes: "V_PK_MAD_I16",
        targets: "gfx900",
        title: "LLVM's assembler takes V_PK_MAD_I16 with src0 = 0-3,5-101 and src1 = 1-101, forbidden (scalar-limit) on gfx900",
        witness: [
            "d3804000 1c180200",
            "refuses: more different scalar values than one instruction may read (one before gfx10, two from gfx10 on) \
             (scalar-limit)",
            "d3804000 1c180000",
        ],
    },
    Expected {
        id: "acceptance-src0-",
        kind: "acceptance",
        field: "word",
        needs: "src0 = 213",
        opcodes: "V_DOT4_I32_IU8 V_FMA_MIX_F32 V_PK_FMA_F16 V_PK_LSHLREV_B16 V_PK_MAD_I16 V_PK_MAX_I16 V_PK_MIN_I16 \
                  V_PK_MUL_F16 V_PK_SUB_U16",
        targets: "gfx1100",
        title: "LLVM accepts 9 opcodes with src0 = 213, undefined (reserved-selector) on gfx1100",
        witness: ["cc0e4000 1c1a08d5", "undefined (reserved-selector)", "v_pk_fma_f16 v0, 0, v4, v6"],
    },
    Expected {
        id: "crash-op-vdst-",
        kind: "crash",
        field: "word",
        needs: "op = V_DOT4_I32_IU8, vdst = 251",
        opcodes: "V_DOT4_I32_IU8",
        targets: "gfx1100",
        title: "LLVM's disassembler dies on V_DOT4_I32_IU8 with vdst = 251 on gfx1100",
        witness: ["cc1640fb 1c1a0902", "v_dot4_i32_iu8 v251, v2, v4, v6", "dies (signal 11)"],
    },
];

/// The stand-in beside the real llvm-objdump, and what sweep and triage write.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted-llvm/llvm-mc");
        symlink(script, dir.path().join("llvm-mc")).unwrap();
        let objdump = fs::canonicalize(common::llvm22().objdump).unwrap();
        symlink(objdump, dir.path().join("llvm-objdump")).unwrap();
        Self { dir }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_str().unwrap().to_owned()
    }

    /// The exit code of a command, and what it printed.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vop3p"));
        let output = command.args(args).env("VOP3P_LLVM", self.dir.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn sweep(&self, out: &str, more: &[&str]) -> i32 {
        let (code, text, complaint) = self.run(&[&["sweep", "--out", &self.path(out)], CHOICE, more].concat());
        assert!(text.contains("certificate"), "{text}{complaint}");
        code
    }

    fn triage(&self, out: &str, more: &[&str]) -> (i32, Triage) {
        let version = common::llvm22().version;
        let findings = self.path(&format!("{out}/{version}.jsonl"));
        let (code, text, complaint) = self.run(&[&["triage", &findings, "--json"], more].concat());
        (code, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{complaint}")))
    }
}

#[test]
fn twelve_faults_are_twelve_causes() {
    let place = Place::new();
    assert_eq!(place.sweep("sweep", &[]), 1);
    let (code, triage) = place.triage("sweep", &["--new"]);
    assert_eq!(code, 1);
    let mut clusters: Vec<&Cluster> = triage.clusters.iter().collect();
    for expected in &FAULTS {
        let found = clusters.iter().position(|cluster| cluster.title == expected.title);
        let Some(found) = found else {
            let titles: Vec<&str> = clusters.iter().map(|cluster| cluster.title.as_str()).collect();
            panic!("`{}` is not among\n{}", expected.title, titles.join("\n"));
        };
        check(expected, clusters.remove(found));
    }
    assert!(clusters.is_empty(), "{clusters:?}");
    become_entries(&place, &triage);
}

/// Each becomes an entry of a ledger, which does not load before a person has written why; then the findings are known.
fn become_entries(place: &Place, triage: &Triage) {
    let dir = place.dir.path().join("ledger");
    fs::create_dir(&dir).unwrap();
    let (ledger, file) = (dir.to_str().unwrap(), dir.join("planted.toml"));
    let from = place.path(&format!("sweep/{}.triage.json", common::llvm22().version));
    for (number, cluster) in triage.clusters.iter().enumerate() {
        let id = format!("planted-{number}");
        let (code, text, complaint) =
            place.run(&["ledger", "add", &from, &cluster.id, "--id", &id, "--out", file.to_str().unwrap()]);
        assert_eq!((code, text.as_str()), (0, ""), "{complaint}");
    }
    let (code, _, complaint) = place.run(&["ledger", "--ledger", ledger]);
    assert_eq!(code, 2, "{complaint}");
    assert!(complaint.contains("entry `planted-0`: an entry needs a reason and a citation"), "{complaint}");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("reason = \"\"").count(), 12, "{text}");
    fs::write(&file, text.replace("reason = \"\"", "reason = \"It is planted.\"")).unwrap();
    let (code, known) = place.triage("sweep", &["--ledger", ledger]);
    let entries: Vec<&str> = known.clusters.iter().filter_map(|cluster| cluster.entry.as_deref()).collect();
    let planted = entries.iter().filter(|id| id.starts_with("planted-")).count();
    let new: Vec<&Cluster> = known.clusters.iter().filter(|one| one.entry.is_none()).collect();
    assert!(new.is_empty(), "{new:?}");
    assert_eq!((code, planted), (0, 12), "{text}");
}

fn check(expected: &Expected, cluster: &Cluster) {
    let title = expected.title;
    let hash = cluster.id.strip_prefix(expected.id).unwrap_or_else(|| panic!("{title}: {}", cluster.id));
    assert!(hash.len() == 6 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{title}: {}", cluster.id);
    assert_eq!((cluster.kind.name(), cluster.field.as_str()), (expected.kind, expected.field), "{title}");
    let needs: Vec<String> = cluster.needs.iter().map(need_text).collect();
    assert_eq!(needs.join(", "), expected.needs, "{title}");
    assert_eq!(cluster.opcodes().join(" "), expected.opcodes, "{title}");
    let targets: Vec<String> = cluster.targets().iter().map(ToString::to_string).collect();
    assert_eq!(targets.join(" "), expected.targets, "{title}");
    let [witness] = &cluster.witnesses[..] else { panic!("{title}: {:?}", cluster.witnesses) };
    let shown = [witness.window.to_string(), witness.ours.clone(), witness.theirs.clone()];
    assert_eq!(shown, expected.witness, "{title}");
    assert_eq!(witness.targets, cluster.targets(), "{title}");
    assert_eq!(
        (cluster.proposal.verdict.to_string().as_str(), cluster.proposal.decided),
        ("llvm-wrong", false),
        "{title}"
    );
    assert!(!cluster.proposal.reason.is_empty() && !cluster.proposal.citations.is_empty(), "{title}");
}
