//! Triage of what made-up LLVMs say: a difference wherever a closure sees one.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::cluster::Cluster;
use super::probe::{Answer, Probe, Shown, Way};
use super::*;
use crate::codec::{Field, Window};
use crate::compare::Kind;
use crate::plain::{opcode_number, plain_word};
use crate::sweep::record::{Choice, Counts, Direction, Tools};

/// What a made-up LLVM shows of a window.
type Says<'a> = dyn Fn(Target, Way, &Window) -> Vec<Shown> + Sync + 'a;

struct Fake<'a> {
    says: &'a Says<'a>,
    asked: AtomicUsize,
}

impl Probe for Fake<'_> {
    fn ask(&self, target: Target, way: Way, windows: &[Window]) -> Result<Vec<Answer>, LlvmError> {
        self.asked.fetch_add(windows.len(), Relaxed);
        let answer = |window: &Window| {
            let shown = (self.says)(target, way, window);
            let theirs = shown.iter().map(|one| format!("{} {}", one.kind, one.field)).collect::<Vec<_>>().join(", ");
            Answer { shown, ours: "ours".to_owned(), theirs, text: None }
        };
        Ok(windows.iter().map(answer).collect())
    }
}

fn shown(kind: Kind, field: &str) -> Shown {
    let (ours, theirs) = ("clamp".to_owned(), "no clamp".to_owned());
    Shown { kind, field: field.to_owned(), ours, theirs, entry: None }
}

fn certificate(version: &str) -> Certificate {
    let choice = Choice { targets: Vec::new(), opcodes: Vec::new(), decode: true, assemble: true, each: false };
    Certificate {
        schema: 1,
        vop3p: "0".to_owned(),
        llvm: Tools { version: version.to_owned(), sha256: String::new() },
        against: None,
        ledger: String::new(),
        choice,
        units: 0,
        targets: Vec::new(),
        unknown: Vec::new(),
        total: Counts::default(),
        entries: Vec::new(),
    }
}

fn target(name: &str) -> Target {
    name.parse().unwrap()
}

/// Words of some opcodes with each modifier bit turned, and with each selector.
fn windows(target: Target, opcodes: &[&str]) -> Vec<Window> {
    let mut windows = Vec::new();
    for opcode in target.opcodes().filter(|opcode| opcodes.contains(&opcode.amd)) {
        let plain = plain_word(target, opcode.number);
        for field in [Field::Clamp, Field::OpSel, Field::Neg, Field::NegHi] {
            windows.extend((0..field.width()).map(|bit| field.set(plain, field.get(&plain) ^ 1 << bit)));
        }
        windows.extend((0..512).flat_map(|value| (0..3).map(move |slot| Field::src(slot).set(plain, value))));
        windows.push(Field::Clamp.set(Field::NegHi.set(Field::Vdst.set(plain, 9), 5), 1));
    }
    windows
}

const OPCODES: [&str; 3] = ["V_PK_FMA_F16", "V_PK_ADD_F16", "V_PK_MUL_F16"];

/// What a sweep of these targets sees.
fn seen(says: &Says<'_>, targets: &[&str]) -> Vec<Seen> {
    let mut seen = Vec::new();
    for target in targets.iter().map(|name| target(name)) {
        for direction in [Direction::Decode, Direction::Assemble, Direction::Reassemble] {
            let way = Way { direction, padded: true };
            for window in windows(target, &OPCODES) {
                let opcode = target.opcode(opcode_number(target, &window)).unwrap().amd.to_owned();
                seen.extend(says(target, way, &window).into_iter().map(|one| Seen {
                    unit: 0,
                    target,
                    opcode: opcode.clone(),
                    space: "test".to_owned(),
                    direction,
                    window,
                    padded: true,
                    text: None,
                    kind: one.kind,
                    field: one.field,
                    ours: one.ours,
                    theirs: one.theirs,
                    entry: one.entry,
                    count: 1,
                }));
            }
        }
    }
    seen
}

fn of(says: &[(&str, &Says<'_>)], targets: &[&str]) -> (Vec<Cluster>, u64, usize) {
    let fakes: Vec<Fake<'_>> = says.iter().map(|(_, says)| Fake { says, asked: AtomicUsize::default() }).collect();
    let sweeps: Vec<Sweep<'_>> = says
        .iter()
        .zip(&fakes)
        .map(|((version, says), probe)| Sweep { certificate: certificate(version), seen: seen(says, targets), probe })
        .collect();
    let outcome = triage(&sweeps, &Ledger::builtin().unwrap(), &mut |_| {}).unwrap();
    let asked = fakes.iter().map(|fake| fake.asked.load(Relaxed)).sum();
    (outcome.triage.clusters, outcome.lost, asked)
}

fn is_decoded(way: Way) -> bool {
    way.direction == Direction::Decode
}

fn needs(cluster: &Cluster) -> String {
    cluster.needs.iter().map(need_text).collect::<Vec<_>>().join(", ")
}

fn opcode(target: Target, window: &Window) -> &'static str {
    target.opcode(opcode_number(target, window)).map_or("", |opcode| opcode.amd)
}

#[test]
fn a_fault_of_many_opcodes_and_targets_is_one_cause() {
    let says = |_: Target, way: Way, window: &Window| match is_decoded(way) && Field::Clamp.get(window) == 1 {
        true => vec![shown(Kind::Modifier, "clamp")],
        false => Vec::new(),
    };
    let (clusters, lost, _) = of(&[("22.1.8", &says)], &["gfx900", "gfx1030", "gfx1100"]);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    assert_eq!((needs(one).as_str(), one.opcodes().len(), one.targets().len(), lost), ("clamp = 1", 3, 3, 0));
    // Two words an opcode.
    assert_eq!(one.count(), 18);
    assert_eq!(one.witnesses.len(), 1);
    assert_eq!(one.witnesses[0].window, Field::Clamp.set(plain_word(target("gfx900"), 14), 1));
    assert_eq!(one.title, "LLVM drops clamp of V_PK_ADD_F16, V_PK_FMA_F16, V_PK_MUL_F16 on gfx900, gfx1030, gfx1100");
    assert!(one.id.starts_with("modifier-clamp-"), "{}", one.id);
    let again = of(&[("22.1.8", &says)], &["gfx900", "gfx1030", "gfx1100"]).0;
    assert_eq!(again, clusters);
}

#[test]
fn faults_that_differ_in_opcode_and_target_are_two() {
    let says = |target: Target, way: Way, window: &Window| {
        let place = (target.cpu(), opcode(target, window));
        let is_fault = matches!(place, ("gfx900", "V_PK_ADD_F16") | ("gfx1100", "V_PK_MUL_F16"));
        match is_decoded(way) && is_fault && Field::Clamp.get(window) == 1 {
            true => vec![shown(Kind::Modifier, "clamp")],
            false => Vec::new(),
        }
    };
    let (clusters, ..) = of(&[("22.1.8", &says)], &["gfx900", "gfx1100"]);
    let mut needs: Vec<String> = clusters.iter().map(needs).collect();
    needs.sort();
    assert_eq!(needs, ["op = V_PK_ADD_F16, clamp = 1", "op = V_PK_MUL_F16, clamp = 1"]);
}

#[test]
fn a_source_fault_is_one_whatever_the_slot_and_the_selector() {
    let says = |_: Target, way: Way, window: &Window| {
        let is_reserved = |slot| (209..230).contains(&Field::src(slot).get(window));
        match is_decoded(way) && (0..3).any(is_reserved) {
            true => {
                let (ours, theirs) = ("undefined (reserved-selector)".to_owned(), "v_pk_fma_f16 v0".to_owned());
                vec![Shown { ours, theirs, ..shown(Kind::Acceptance, "word") }]
            }
            false => Vec::new(),
        }
    };
    let (clusters, _, asked) = of(&[("22.1.8", &says)], &["gfx900", "gfx1100"]);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    assert_eq!(needs(one), "src = 209-229");
    // 21 selectors, three slots, three opcodes, two targets.
    assert_eq!(one.count(), 378);
    // Far less than all values of a field for each of them.
    assert!(asked < 8000, "{asked}");
    assert_eq!(one.proposal.verdict, crate::ledger::Verdict::LlvmWrong);
    assert!(one.proposal.reason.contains("reserved-selector"), "{}", one.proposal.reason);
}

#[test]
fn what_follows_from_another_finding_is_no_cause() {
    let says = |_: Target, way: Way, window: &Window| {
        if Field::Clamp.get(window) == 0 {
            return Vec::new();
        }
        match way.direction {
            Direction::Decode => vec![
                shown(Kind::Modifier, "clamp"),
                // In the same words, and no other.
                shown(Kind::Modifier, "op_sel"),
                shown(Kind::ToolsDiffer, "word"),
                shown(Kind::LedgerSilent, "some-entry"),
            ],
            Direction::Assemble => vec![shown(Kind::Encoding, "clamp")],
            Direction::Reassemble => vec![shown(Kind::Reassembly, "clamp")],
        }
    };
    let (clusters, ..) = of(&[("22.1.8", &says)], &["gfx900"]);
    let kinds: Vec<_> = clusters.iter().map(|one| (one.direction, one.kind, one.field.as_str())).collect();
    assert_eq!(kinds, [(Direction::Assemble, Kind::Encoding, "clamp"), (Direction::Decode, Kind::Modifier, "clamp")]);
    let alone = |_: Target, way: Way, window: &Window| match is_decoded(way) && Field::Clamp.get(window) == 1 {
        true => vec![shown(Kind::LedgerSilent, "some-entry")],
        false => Vec::new(),
    };
    let (clusters, ..) = of(&[("22.1.8", &alone)], &["gfx900", "gfx1100"]);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    assert_eq!((one.kind, one.proposal.verdict), (Kind::LedgerSilent, crate::ledger::Verdict::Unknown));
    assert_eq!(one.title, "some-entry is not there any more on gfx900, gfx1100");
}

#[test]
fn what_the_ledger_has_is_one_cause_an_entry() {
    let id = Ledger::builtin().unwrap().entries()[0].id.clone();
    let entry = id.clone();
    let says = move |_: Target, way: Way, window: &Window| match is_decoded(way) && Field::OpSel.get(window) != 0 {
        true => vec![Shown { entry: Some(entry.clone()), ..shown(Kind::Acceptance, "word") }],
        false => Vec::new(),
    };
    let (clusters, ..) = of(&[("19.1.7", &says), ("22.1.8", &says)], &["gfx900", "gfx1100"]);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    assert_eq!((&one.id, one.entry.as_ref(), one.proposal.decided), (&id, Some(&id), true));
    // Three words, three opcodes, two targets.
    assert_eq!((one.count_on("19.1.7"), one.count_on("22.1.8")), (18, 18));
    assert_eq!(one.witnesses.len(), 1, "{:?}", one.witnesses);
    assert_eq!(one.witnesses[0].llvms, ["19.1.7", "22.1.8"]);
    assert_eq!(Field::OpSel.get(&one.witnesses[0].window), 1);
}

#[test]
fn a_witness_stands_for_targets_and_llvms_that_answer_alike() {
    let says = |theirs: &'static str| {
        move |target: Target, way: Way, window: &Window| {
            let is_fault = is_decoded(way) && Field::Clamp.get(window) == 1;
            let field = if target.cpu() == "gfx1100" { theirs } else { "clamp" };
            if is_fault { vec![shown(Kind::Modifier, "clamp"), shown(Kind::Resync, field)] } else { Vec::new() }
        }
    };
    let (old, new) = (says("clamp"), says("other"));
    let only_new = |target: Target, way: Way, window: &Window| match target.cpu() {
        "gfx1030" => Vec::new(),
        _ => old(target, way, window),
    };
    let targets = ["gfx900", "gfx1030", "gfx1100"];
    let (clusters, ..) = of(&[("22.1.8", &new)], &targets);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    let stands_for: Vec<usize> = one.witnesses.iter().map(|one| one.targets.len()).collect();
    assert_eq!(stands_for, [2, 1], "{:?}", one.witnesses);
    let (clusters, ..) = of(&[("19.1.7", &only_new), ("22.1.8", &new)], &targets);
    let [one] = &clusters[..] else { panic!("{clusters:?}") };
    let shown: Vec<(usize, usize)> = one.witnesses.iter().map(|one| (one.targets.len(), one.llvms.len())).collect();
    assert_eq!(shown, [(3, 2)], "{:?}", one.witnesses);
    assert_eq!((one.count_on("19.1.7"), one.count_on("22.1.8")), (12, 18));
}

#[test]
fn what_is_there_no_longer_is_counted() {
    let says = |_: Target, way: Way, window: &Window| match is_decoded(way) && Field::Clamp.get(window) == 1 {
        true => vec![shown(Kind::Modifier, "clamp")],
        false => Vec::new(),
    };
    let nothing = |_: Target, _: Way, _: &Window| Vec::new();
    let probe = Fake { says: &nothing, asked: AtomicUsize::default() };
    let sweep = Sweep { certificate: certificate("22.1.8"), seen: seen(&says, &["gfx900"]), probe: &probe };
    let outcome = triage(&[sweep], &Ledger::builtin().unwrap(), &mut |_| {}).unwrap();
    assert_eq!((outcome.triage.clusters.len(), outcome.lost), (0, 6));
}

#[test]
fn what_the_ledger_has_learnt_since_is_known() {
    let id = Ledger::builtin().unwrap().entries()[0].id.clone();
    let says = |entry: Option<String>| {
        move |_: Target, way: Way, window: &Window| {
            let dies = Shown { entry: entry.clone(), ..shown(Kind::Crash, "word") };
            let drops = Shown { entry: entry.clone(), ..shown(Kind::Modifier, "clamp") };
            match (is_decoded(way), Field::Clamp.get(window), Field::OpSel.get(window)) {
                (true, 0, 1) => vec![dies],
                (true, 1, _) => vec![drops, shown(Kind::ToolsDiffer, "word")],
                _ => Vec::new(),
            }
        }
    };
    let (before, now) = (says(None), says(Some(id.clone())));
    let probe = Fake { says: &now, asked: AtomicUsize::default() };
    let sweep = Sweep { certificate: certificate("22.1.8"), seen: seen(&before, &["gfx900"]), probe: &probe };
    let outcome = triage(&[sweep], &Ledger::builtin().unwrap(), &mut |_| {}).unwrap();
    let [one] = &outcome.triage.clusters[..] else { panic!("{:?}", outcome.triage.clusters) };
    // Three opcodes: one word of each that kills, two without clamp.
    assert_eq!((one.entry.as_ref(), one.count(), outcome.lost), (Some(&id), 9, 0));
}
