//! Twelve deliberate errors in LLVM, all at once: a stand-in for llvm-mc spoils what the real one says. Triage must make
//! twelve causes of what is found, each minimal and rightly described.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use vop3p::codec::{Field, Window};
use vop3p::isa::Target;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Llvm};
use vop3p::plain::{opcode_number, plain_word, with_plain};
use vop3p::sweep::certificate::Certificate;
use vop3p::sweep::record::{Choice as Chosen, Counts, Direction, SCHEMA, Seen, Tools};
use vop3p::triage::probe::{OursProbe, Probe, Way};
use vop3p::triage::{Sweep, triage};

const TARGETS: [&str; 4] = ["gfx900", "gfx942", "gfx1030", "gfx1100"];

/// The stand-in beside the real llvm-objdump.
fn spoilt() -> (TempDir, Llvm) {
    let real = common::llvm22();
    let dir = TempDir::new().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted-llvm/llvm-mc");
    symlink(script, dir.path().join("llvm-mc")).unwrap();
    symlink(fs::canonicalize(real.objdump).unwrap(), dir.path().join("llvm-objdump")).unwrap();
    let llvm = Llvm::find(&Choice::Dir(dir.path().to_owned())).unwrap();
    (dir, llvm)
}

/// Words of an opcode: each bit of its modifiers alone and in pairs, each value of a source, pairs of scalars, literals,
/// and DPP.
fn windows(target: Target, number: u8) -> Vec<Window> {
    let plain = plain_word(target, number);
    let mut windows = vec![plain];
    let bits: Vec<(Field, u32)> = [Field::NegHi, Field::OpSel, Field::OpSelHi, Field::Clamp, Field::Neg]
        .into_iter()
        .flat_map(|field| (0..field.width()).map(move |bit| (field, bit)))
        .collect();
    let turned = |window: Window, (field, bit): (Field, u32)| field.set(window, field.get(&window) ^ 1 << bit);
    for (at, one) in bits.iter().enumerate() {
        windows.push(turned(plain, *one));
        windows.extend(bits[at + 1..].iter().map(|other| turned(turned(plain, *one), *other)));
    }
    for slot in 0..3 {
        windows.extend((0..512).map(|value| Field::src(slot).set(plain, value)));
        let literal = Field::src(slot).set(plain, 255);
        windows.extend([0x1234, 0x9abc, 0x1234_5678].map(|value| literal.with_dword(2, value)));
    }
    windows.extend((0..256).step_by(5).map(|value| Field::Vdst.set(plain, value)));
    windows.extend([3, 106, 128, 242].map(|value| Field::Src1.set(Field::Src0.set(plain, 2), value)));
    let dpp = Field::Src0.set(plain, 250).with_dword(2, 0);
    let dpp = [Field::Vsrc0, Field::DppCtrl, Field::BankMask, Field::RowMask]
        .into_iter()
        .fold(dpp, |window, field| with_plain(target, &window, field));
    windows.extend((0..512).map(|value| Field::DppCtrl.set(dpp, value)));
    windows
}

/// What the stand-in shows that the ledger lacks.
fn seen(probe: &dyn Probe, target: Target) -> Vec<Seen> {
    let numbers = (0..=127).filter(|number| target.opcode(*number).is_some_and(|opcode| !opcode.is_matrix()));
    let windows: Vec<Window> = numbers.flat_map(|number| windows(target, number)).collect();
    let mut seen = Vec::new();
    for direction in [Direction::Decode, Direction::Assemble, Direction::Reassemble] {
        let answers = probe.ask(target, Way { direction, padded: true }, &windows).unwrap();
        for (window, answer) in windows.iter().zip(answers) {
            let opcode = target.opcode(opcode_number(target, window)).map_or("#", |opcode| opcode.amd);
            for shown in answer.shown.iter().filter(|shown| shown.entry.is_none()) {
                seen.push(Seen {
                    unit: 0,
                    target,
                    opcode: opcode.to_owned(),
                    space: "test".to_owned(),
                    direction,
                    window: *window,
                    padded: true,
                    text: answer.text.clone(),
                    kind: shown.kind,
                    field: shown.field.clone(),
                    ours: shown.ours.clone(),
                    theirs: shown.theirs.clone(),
                    entry: None,
                    count: 1,
                });
            }
        }
    }
    seen
}

fn certificate(llvm: &Llvm, targets: &[Target]) -> Certificate {
    Certificate {
        schema: SCHEMA,
        vop3p: "0".to_owned(),
        llvm: Tools { version: llvm.version.to_string(), sha256: String::new() },
        against: None,
        ledger: String::new(),
        choice: Chosen { targets: targets.to_vec(), opcodes: Vec::new(), decode: true, assemble: true, each: false },
        units: 0,
        targets: Vec::new(),
        unknown: Vec::new(),
        total: Counts::default(),
        entries: Vec::new(),
    }
}

#[test]
fn twelve_faults_are_twelve_causes() {
    let (_dir, llvm) = spoilt();
    let ledger = Ledger::builtin().unwrap();
    let probe = OursProbe::new(&llvm, &ledger);
    let targets: Vec<Target> = TARGETS.iter().map(|name| name.parse().unwrap()).collect();
    let start = std::time::Instant::now();
    let seen: Vec<Seen> = targets.iter().flat_map(|target| seen(&probe, *target)).collect();
    eprintln!("{} findings, {:?}", seen.len(), start.elapsed());
    let sweep = Sweep { certificate: certificate(&llvm, &targets), seen, probe: &probe };
    let outcome = triage(&[sweep], &ledger, &mut |progress| eprintln!("{progress:?} {:?}", start.elapsed())).unwrap();
    for cluster in &outcome.triage.clusters {
        eprintln!(
            "{} {} {:?} {} needs {:?} count {} {:?}",
            cluster.id,
            cluster.title,
            cluster.kind,
            cluster.field,
            cluster.needs,
            cluster.count(),
            cluster.proposal.verdict
        );
        eprintln!("   {:?} {:?}", cluster.opcodes(), cluster.targets());
        for w in &cluster.witnesses {
            eprintln!("   {:?} {:?} {} | {} | {}", w.targets, w.llvms, w.window, w.ours, w.theirs);
        }
    }
    assert_eq!(outcome.triage.clusters.len(), 12);
}
