//! What the parts of the page share: the sweeps, targets, opcodes and causes in order, and how often each was seen
//! where.

use std::collections::{BTreeMap, BTreeSet};

use super::text::anchor;
use crate::isa::{Form, Matrix, Opcode, PAIRS, Target, rows};
use crate::sweep::certificate::{Certificate, TargetRow};
use crate::sweep::record::Direction;
use crate::triage::cluster::{Cluster, Triage, label};

/// All that the page shows, by place.
pub struct Index<'a> {
    /// The sweeps, lowest version first, those of two LLVMs behind the others.
    pub sweeps: Vec<Sweep<'a>>,
    /// The place of the sweep that the page opens with: the highest version.
    pub main: usize,
    /// The targets, by generation.
    pub columns: Vec<Column>,
    /// The opcodes, by family.
    pub rows: Vec<Row>,
    /// The causes, in the order of the triage.
    pub causes: Vec<Cause<'a>>,
}

/// What has one label: a certificate, or several of the same LLVM.
pub struct Sweep<'a> {
    /// What clusters call it.
    pub label: String,
    /// What was covered.
    pub certificates: Vec<&'a Certificate>,
    /// How often which cause was seen, by place of row and column.
    pub seen: BTreeMap<(usize, usize), Vec<(usize, u64)>>,
}

/// A target.
pub struct Column {
    /// The target.
    pub target: Target,
    /// The target that stands for it, where it shows nothing that this one does not.
    pub alike: Option<Target>,
}

/// An opcode.
pub struct Row {
    /// AMD's name, or `#17`.
    pub name: String,
    /// Its family.
    pub family: &'static str,
    /// By place of column, whether the target has it.
    pub on: Vec<bool>,
}

/// A cause.
pub struct Cause<'a> {
    /// From 1.
    pub number: usize,
    /// The name of its place in the page.
    pub anchor: String,
    /// What triage says of it.
    pub cluster: &'a Cluster,
}

impl Cause<'_> {
    /// Whether the ledger lacks it.
    pub fn is_new(&self) -> bool {
        self.cluster.entry.is_none()
    }
}

/// Whether a cause was to be seen in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// So often.
    Times(u64),
    /// The sweep had its targets and opcodes, and it was not there.
    Never,
    /// LLVM did not know any of its targets.
    UnknownTargets,
    /// The sweep left out its targets, its opcodes or its direction.
    NotSwept,
}

impl Sweep<'_> {
    /// Whether the target was swept.
    pub fn has(&self, target: Target) -> bool {
        self.certificates.iter().any(|certificate| certificate.choice.targets.contains(&target))
    }

    /// Whether two LLVMs were compared.
    pub fn is_of_two(&self) -> bool {
        self.certificates.iter().any(|certificate| certificate.against.is_some())
    }
}

impl<'a> Index<'a> {
    /// Puts everything in its place.
    pub fn of(triage: &'a Triage) -> Self {
        let mut sweeps = sweeps(triage);
        let cells = || triage.clusters.iter().flat_map(|cluster| &cluster.cells);
        let swept = triage.sweeps.iter().flat_map(|certificate| &certificate.choice.targets).copied();
        let mut targets: Vec<Target> = swept.chain(cells().map(|cell| cell.target)).collect();
        targets.sort_by_key(|target| (target.generation(), target.index(), target.place()));
        targets.dedup_by_key(|target| target.place());
        let rows = opcode_rows(triage, &targets);

        let column_of: BTreeMap<usize, usize> =
            targets.iter().enumerate().map(|(place, target)| (target.place(), place)).collect();
        let row_of: BTreeMap<&str, usize> =
            rows.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
        let sweep_of: BTreeMap<String, usize> =
            sweeps.iter().enumerate().map(|(place, sweep)| (sweep.label.clone(), place)).collect();
        for (cause, cluster) in triage.clusters.iter().enumerate() {
            for cell in cluster.cells.iter().filter(|cell| cell.count > 0) {
                let place = (row_of.get(cell.opcode.as_str()), column_of.get(&cell.target.place()));
                if let (Some(sweep), (Some(row), Some(column))) = (sweep_of.get(&cell.llvm), place) {
                    let causes = sweeps[*sweep].seen.entry((*row, *column)).or_default();
                    match causes.last_mut() {
                        Some((last, count)) if *last == cause => *count += cell.count,
                        _ => causes.push((cause, cell.count)),
                    }
                }
            }
        }
        let columns = targets
            .iter()
            .map(|target| {
                let alike = alike(triage, *target).filter(|like| {
                    let places = (column_of.get(&target.place()), column_of.get(&like.place()));
                    let (Some(place), Some(like)) = places else { return false };
                    shows_nothing_more(&sweeps, *place, *like)
                });
                Column { target: *target, alike }
            })
            .collect();
        Self { main: main_of(&sweeps), sweeps, columns, rows, causes: causes(triage) }
    }

    /// The causes that the ledger lacks.
    pub fn new_causes(&self) -> impl Iterator<Item = &Cause<'a>> {
        self.causes.iter().filter(|cause| cause.is_new())
    }

    /// Whether a cause was seen in a sweep.
    pub fn seen(&self, cluster: &Cluster, sweep: &Sweep<'_>) -> Seen {
        let count = cluster.count_on(&sweep.label);
        if count > 0 {
            return Seen::Times(count);
        }
        let (targets, opcodes) = (cluster.targets(), cluster.opcodes());
        let is_swept = sweep.certificates.iter().any(|certificate| {
            let choice = &certificate.choice;
            let has_opcode =
                choice.opcodes.is_empty() || opcodes.iter().any(|name| choice.opcodes.iter().any(|one| one == name));
            let has_direction = match cluster.direction {
                Direction::Decode => choice.decode,
                _ => choice.assemble,
            };
            has_opcode && has_direction && targets.iter().any(|target| choice.targets.contains(target))
        });
        let is_unknown =
            |target: &Target| sweep.certificates.iter().any(|certificate| certificate.unknown.contains(target));
        match is_swept {
            true => Seen::Never,
            false if !targets.is_empty() && targets.iter().all(is_unknown) => Seen::UnknownTargets,
            false => Seen::NotSwept,
        }
    }
}

/// The sweeps, and what clusters name without a certificate.
fn sweeps(triage: &Triage) -> Vec<Sweep<'_>> {
    let mut sweeps: Vec<Sweep<'_>> = Vec::new();
    let add = |sweeps: &mut Vec<Sweep<'_>>, label: String| match sweeps.iter().position(|sweep| sweep.label == label) {
        Some(place) => place,
        None => {
            sweeps.push(Sweep { label, certificates: Vec::new(), seen: BTreeMap::new() });
            sweeps.len() - 1
        }
    };
    for certificate in &triage.sweeps {
        let place = add(&mut sweeps, label(certificate));
        sweeps[place].certificates.push(certificate);
    }
    let named: BTreeSet<&String> =
        triage.clusters.iter().flat_map(|cluster| cluster.cells.iter().map(|cell| &cell.llvm)).collect();
    for label in named {
        add(&mut sweeps, label.clone());
    }
    sweeps.sort_by_key(|sweep| (sweep.is_of_two(), version(&sweep.label), sweep.label.clone()));
    sweeps
}

/// The numbers of a version, to compare it by.
fn version(label: &str) -> Vec<u64> {
    let numbers = label.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    numbers.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

/// The highest version that was held against us, else the last.
fn main_of(sweeps: &[Sweep<'_>]) -> usize {
    sweeps.iter().rposition(|sweep| !sweep.is_of_two()).unwrap_or(sweeps.len().saturating_sub(1))
}

/// The target that stands for this one in every sweep that has it, with the same answers throughout; of several the last,
/// which is the nearest.
fn alike(triage: &Triage, target: Target) -> Option<Target> {
    let like = |row: &TargetRow| {
        let last = row.alike.last()?;
        row.alike.iter().all(|alike| alike.differ == 0).then_some(last.like)
    };
    let mut rows = triage.sweeps.iter().flat_map(|certificate| &certificate.targets).filter(|row| row.target == target);
    let first = like(rows.next()?)?;
    rows.all(|row| like(row) == Some(first)).then_some(first)
}

/// Whether each cause in a column is in the other one, too.
fn shows_nothing_more(sweeps: &[Sweep<'_>], column: usize, like: usize) -> bool {
    sweeps.iter().all(|sweep| {
        sweep.seen.iter().filter(|((_, at), _)| *at == column).all(|((row, _), causes)| {
            let others = sweep.seen.get(&(*row, like));
            causes.iter().all(|(cause, _)| {
                others.is_some_and(|others| others.iter().any(|(other, count)| other == cause && *count > 0))
            })
        })
    })
}

/// The causes; a place of each own, even where ids look the same as names.
fn causes(triage: &Triage) -> Vec<Cause<'_>> {
    let mut taken = BTreeSet::new();
    let cause = |(place, cluster): (usize, &'_ Cluster)| {
        let mut name = anchor("cause", &cluster.id);
        if !taken.insert(name.clone()) {
            name = format!("{name}-{}", place + 1);
            taken.insert(name.clone());
        }
        name
    };
    let names: Vec<String> = triage.clusters.iter().enumerate().map(cause).collect();
    let numbered = triage.clusters.iter().zip(names).enumerate();
    numbered.map(|(place, (cluster, anchor))| Cause { number: place + 1, anchor, cluster }).collect()
}

/// The families, in the order of the table.
const FAMILIES: [&str; 10] = [
    "Packed math",
    "Mixed precision",
    "Dot products",
    "AccVGPR moves",
    "MFMA",
    "SMFMAC",
    "WMMA",
    "SWMMAC",
    "Scale words and pairs",
    NO_FAMILY,
];

/// Of what is in no table.
const NO_FAMILY: &str = "Numbers without an opcode";

fn family(opcode: &Opcode) -> &'static str {
    match opcode.form {
        Form::Packed | Form::Move => FAMILIES[0],
        Form::Mix => FAMILIES[1],
        Form::Dot2 | Form::Dot | Form::DotFp8 => FAMILIES[2],
        Form::Matrix(matrix) => match matrix {
            Matrix::AccRead | Matrix::AccWrite => FAMILIES[3],
            Matrix::Mfma | Matrix::MfmaF64 | Matrix::MfmaF8f6f4 => FAMILIES[4],
            Matrix::Smfmac => FAMILIES[5],
            Matrix::Wmma
            | Matrix::WmmaHalf
            | Matrix::WmmaFp8
            | Matrix::WmmaIu
            | Matrix::Cdna5Wmma
            | Matrix::Cdna5WmmaIu
            | Matrix::Cdna5F8f6f4
            | Matrix::Cdna5F4 => FAMILIES[6],
            Matrix::Swmmac
            | Matrix::SwmmacFp8
            | Matrix::SwmmacIu
            | Matrix::SwmmacIu4
            | Matrix::SwmmacIu4Wide
            | Matrix::Cdna5Swmmac
            | Matrix::Cdna5SwmmacIu => FAMILIES[7],
            Matrix::ScaleCdna4 | Matrix::ScaleCdna5 => FAMILIES[8],
        },
    }
}

/// The name of a row of the opcode table, as sweeps have it.
fn name_of(opcode: &Opcode) -> String {
    if opcode.amd.is_empty() { format!("#{}", opcode.number) } else { opcode.amd.to_owned() }
}

/// The opcodes that were swept, and what else clusters name.
fn opcode_rows(triage: &Triage, targets: &[Target]) -> Vec<Row> {
    let named: BTreeSet<&str> =
        triage.clusters.iter().flat_map(|cluster| cluster.cells.iter().map(|cell| cell.opcode.as_str())).collect();
    let is_swept = |name: &str| {
        let has = |certificate: &Certificate| {
            certificate.choice.opcodes.is_empty() || certificate.choice.opcodes.iter().any(|one| one == name)
        };
        named.contains(name) || triage.sweeps.iter().any(has)
    };
    let mut found: Vec<Row> = Vec::new();
    for opcode in rows() {
        let name = name_of(opcode);
        let on = targets.iter().map(|target| opcode.on.contains(target.index()));
        match found.iter_mut().find(|row| row.name == name) {
            Some(row) => row.on.iter_mut().zip(on).for_each(|(one, other)| *one |= other),
            None if is_swept(&name) => found.push(Row { family: family(opcode), on: on.collect(), name }),
            None => {}
        }
    }
    found.retain(|row| named.contains(row.name.as_str()) || row.on.contains(&true));
    let known: BTreeSet<String> = found.iter().map(|row| row.name.clone()).collect();
    for name in named.into_iter().filter(|name| !known.contains(*name)) {
        let pair = PAIRS.iter().find(|pair| pair.amd == name);
        let has = |target: &Target| {
            pair.is_some_and(|pair| target.opcode(pair.scale).is_some() && target.opcode(pair.body).is_some())
        };
        let family = if pair.is_some() { FAMILIES[8] } else { NO_FAMILY };
        found.push(Row { name: name.to_owned(), family, on: targets.iter().map(has).collect() });
    }
    let place = |row: &Row| FAMILIES.iter().position(|family| *family == row.family);
    let number = |row: &Row| row.name.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok());
    found.sort_by_key(|row| (place(row), number(row), row.name.clone()));
    found
}
