//! A large triage: every opcode and target, five LLVMs, sixty causes. Ids, titles, reasons, verdicts and windows are
//! those of the ledger; how often what was seen is made up.

use std::collections::BTreeMap;

use vop3p::asm;
use vop3p::codec::{Window, decode, encode, fields_of};
use vop3p::compare::Kind;
use vop3p::isa::{Target, rows};
use vop3p::ledger::{Entry, Ledger, Sign, SignKind, Verdict};
use vop3p::plain::plain_value;
use vop3p::report::names::{stock_assembling, stock_command};
use vop3p::sweep::certificate::{Certificate, EntryRow, TargetRow};
use vop3p::sweep::record::{Alike, Choice, Counts, Direction, Tools};
use vop3p::triage::cluster::{Cell, Cluster, Need, Proposal, SCHEMA, Triage, Witness};

/// The versions, and the first target that each does not know, by place.
const LLVMS: [&str; 5] = ["14.0.6", "15.0.6", "16.0.6", "19.1.7", "22.1.8"];

/// Causes, witnesses a cause, and causes that the ledger lacks.
const CAUSES: usize = 60;
const WITNESSES: usize = 3;
const NEW: usize = 3;

/// Numbers without an opcode, so that there are three hundred rows.
const OPCODES: usize = 300;

/// Numbers that look like chance and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The triage.
pub fn large() -> Triage {
    let names = opcodes();
    let ledger = Ledger::builtin().unwrap();
    let signs: Vec<(&Entry, &Sign)> = ledger.signs().filter(|(_, sign)| kind(sign).is_some()).collect();
    let mut numbers = Numbers(7);
    let mut clusters: Vec<Cluster> = signs
        .iter()
        .cycle()
        .take(CAUSES)
        .enumerate()
        .map(|(place, (entry, sign))| cluster(place, entry, sign, &names, &mut numbers))
        .collect();
    clusters.sort_by_key(|cluster| (cluster.entry.is_some(), cluster.id.clone()));
    Triage { schema: SCHEMA, sweeps: LLVMS.iter().map(|llvm| certificate(llvm, &clusters)).collect(), clusters }
}

fn opcodes() -> Vec<String> {
    let mut names: Vec<String> = rows().filter(|row| !row.amd.is_empty()).map(|row| row.amd.to_owned()).collect();
    names.sort();
    names.dedup();
    let missing = OPCODES - names.len();
    names.extend((0..missing).map(|number| format!("#{}", 150 + number)));
    names
}

fn kind(sign: &Sign) -> Option<Kind> {
    Some(match sign.kind {
        SignKind::Crash => Kind::Crash,
        SignKind::Acceptance => Kind::Acceptance,
        SignKind::Length => Kind::Length,
        SignKind::Mnemonic => Kind::Mnemonic,
        SignKind::Operand => Kind::Operand,
        SignKind::Modifier => Kind::Modifier,
        SignKind::Assembling => Kind::Assembling,
        SignKind::Encoding => Kind::Encoding,
        SignKind::Reassembly => Kind::Reassembly,
        SignKind::Permissive | SignKind::Refused | SignKind::Document => return None,
    })
}

fn known(llvm: &str) -> impl Iterator<Item = Target> {
    let first = LLVMS.iter().position(|one| *one == llvm).unwrap();
    // Older versions know fewer processors.
    let unknown = [12, 8, 6, 2, 0][first];
    let processors = Target::all().count();
    Target::distinct().filter(move |target| target.index() < processors - unknown)
}

fn cluster(place: usize, entry: &Entry, sign: &Sign, names: &[String], numbers: &mut Numbers) -> Cluster {
    let is_new = place % (CAUSES / NEW) == 10;
    let kind = kind(sign).unwrap();
    let direction = match kind {
        Kind::Assembling | Kind::Encoding => Direction::Assemble,
        Kind::Reassembly => Direction::Reassemble,
        _ => Direction::Decode,
    };
    let mut holds: Vec<Target> = Target::distinct().filter(|target| sign.may_hold_on(*target)).collect();
    if holds.is_empty() {
        holds.extend(Target::distinct());
    }
    let (first, count) = (numbers.below(names.len()), 1 + numbers.below(150));
    let mut cells = Vec::new();
    for llvm in LLVMS {
        let is_there = if is_new { llvm == LLVMS[4] } else { sign.silent.iter().all(|version| version != llvm) };
        for target in known(llvm).filter(|target| is_there && holds.contains(target)) {
            for step in 0..count {
                let opcode = names[(first + step) % names.len()].clone();
                let has = rows().any(|row| row.amd == opcode && row.on.contains(target.index()));
                if has || opcode.starts_with('#') {
                    let count = 1 + (numbers.below(40) * numbers.below(40)) as u64;
                    cells.push(Cell { llvm: llvm.to_owned(), target, opcode, count });
                }
            }
        }
    }
    let shown: Vec<String> = LLVMS
        .iter()
        .filter(|llvm| cells.iter().any(|cell| cell.llvm == **llvm))
        .map(|llvm| (*llvm).to_owned())
        .collect();
    let cases = cases(sign);
    let witnesses: Vec<Witness> = cases
        .iter()
        .cycle()
        .take(WITNESSES)
        .map(|(target, window, text)| witness(direction, *target, window, text.clone(), &holds, &shown))
        .collect();
    let id = if is_new { format!("{}-{}-{place}", kind.name(), "1f3a2c") } else { format!("{}-{place}", entry.id) };
    let (target, window, _) = &cases[0];
    let field = sign.fields.first().cloned().unwrap_or_else(|| "word".to_owned());
    Cluster {
        entry: (!is_new).then(|| id.clone()),
        id,
        title: entry.title.clone(),
        direction,
        kind,
        field,
        needs: needs(*target, window),
        cells,
        witnesses,
        proposal: Proposal {
            verdict: if is_new { Verdict::LlvmWrong } else { entry.verdict },
            decided: !is_new,
            reason: entry.reason.clone(),
            citations: entry.citations.clone(),
        },
    }
}

fn cases(sign: &Sign) -> Vec<(Target, Window, Option<String>)> {
    let words = sign.cases().unwrap().into_iter().map(|case| (case.target, case.window, None));
    let mut cases: Vec<_> = words.collect();
    for case in sign.text_cases().unwrap() {
        let window = asm::parse(case.target, &case.text).ok().and_then(|parsed| encode(case.target, &parsed).ok());
        let plain = Window::from_word(u64::from(case.target.rules().prefix.value | 14 << 16));
        cases.push((case.target, window.unwrap_or(plain), Some(case.text)));
    }
    cases
}

fn needs(target: Target, window: &Window) -> Vec<Need> {
    let away = fields_of(target, window).into_iter().filter(|f| f.get(window) != plain_value(target, window, *f));
    away.map(|field| Need {
        field: field.name().to_owned(),
        bits: field.get(window) ^ plain_value(target, window, field),
        values: field.get(window).to_string(),
    })
    .collect()
}

fn witness(
    direction: Direction,
    target: Target,
    window: &Window,
    text: Option<String>,
    holds: &[Target],
    llvms: &[String],
) -> Witness {
    let ours = match decode(target, window) {
        Ok(decoded) => asm::print(target, &decoded.instruction),
        Err(undefined) => format!("undefined ({}): {undefined}", undefined.id()),
    };
    let theirs = match ours.rsplit_once(' ') {
        Some((most, _)) if !ours.starts_with("undefined") => most.trim_end_matches(',').to_owned(),
        _ => "rejects the encoding".to_owned(),
    };
    let like = |other: &&Target| other.generation() == target.generation() && **other != target;
    Witness {
        targets: std::iter::once(&target).chain(holds.iter().filter(like)).copied().collect(),
        llvms: llvms.to_vec(),
        direction,
        window: *window,
        padded: true,
        replay: match &text {
            Some(text) => format!("vop3p replay '{target} asm: {text}'"),
            None => format!("vop3p diff -t {target} '{window}'"),
        },
        stock: text
            .as_deref()
            .map_or_else(|| stock_command(target, window, true), |text| stock_assembling(target, text)),
        text,
        ours,
        theirs,
    }
}

fn certificate(llvm: &str, clusters: &[Cluster]) -> Certificate {
    let mut first: BTreeMap<usize, Target> = BTreeMap::new();
    let mut total = Counts::default();
    let targets: Vec<TargetRow> = known(llvm)
        .map(|target| {
            let like = *first
                .entry(target.generation() as usize * 2 + usize::from(target.has_unusual_wave()))
                .or_insert(target);
            let is_sample = like != target;
            let seen = clusters.iter().flat_map(|cluster| &cluster.cells);
            let known = seen.filter(|cell| cell.llvm == llvm && cell.target == target).map(|cell| cell.count).sum();
            let windows = if is_sample { 12_000 } else { 401_288 };
            let counts = Counts {
                windows: windows + known,
                agreed: windows * 6 / 10,
                noted: windows * 4 / 10,
                known,
                texts: windows / 4,
                texts_agreed: windows / 5,
                texts_refused: windows / 30,
                rationed: 42,
                deaths: 3,
                ..Counts::default()
            };
            total += counts;
            let alike = Alike { like, windows: 12_000, differ: 0, first: None };
            let spaces = ["modifiers", "src0", "src1", "src2", "vdst", "classes", "literals", "dpp", "boundary"];
            TargetRow {
                target,
                alike: is_sample.then_some(alike).into_iter().collect(),
                counts,
                spaces: spaces.iter().map(|name| ((*name).to_owned(), windows / 9)).collect(),
            }
        })
        .collect();
    let entries = clusters.iter().filter_map(|cluster| {
        Some(EntryRow { id: cluster.entry.clone()?, findings: cluster.count_on(llvm), targets: cluster.targets() })
    });
    Certificate {
        schema: 1,
        vop3p: "0.1.0".to_owned(),
        llvm: Tools {
            version: llvm.to_owned(),
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        },
        against: None,
        ledger: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752".to_owned(),
        choice: Choice {
            targets: known(llvm).collect(),
            opcodes: Vec::new(),
            decode: true,
            assemble: true,
            each: false,
        },
        units: 4_211,
        targets,
        unknown: Target::distinct().filter(|target| known(llvm).all(|one| one != *target)).collect(),
        total,
        entries: entries.collect(),
    }
}
