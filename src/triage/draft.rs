//! A new cause as an entry of the ledger: all but the reason, which a person writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use toml::Value;

use super::class::slot_of;
use super::cluster::{Cluster, Need, Witness, label};
use super::form::opcode_name;
use super::title::one as need_text;
use crate::asm;
use crate::case::Case;
use crate::codec::{Field, Window, decode};
use crate::compare::{Kind, Ours, Theirs, as_read};
use crate::isa::{GENERATIONS, PROCESSORS, Target, rows};
use crate::ledger::{Shows, class_of};
use crate::plain::plain_value;
use crate::sweep::certificate::Certificate;
use crate::sweep::record::Direction;
use crate::text_case::TextCase;

/// Witnesses of an entry at most.
const MOST_WITNESSES: usize = 6;

/// An entry, but for its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// TOML.
    pub text: String,
    /// What a person should look at.
    pub remarks: Vec<String>,
}

/// Why there is no entry for a cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// It is known.
    #[error("`{0}` is in the ledger already")]
    Known(String),
    /// The ledger is about AMD's specification.
    #[error("`{0}` is a difference between two LLVMs; the ledger is about AMD's specification and one of them")]
    Between(String),
    /// No sign explains such a finding.
    #[error("`{id}` is of kind {kind}: that is no disagreement for a ledger, but an error to be found")]
    Kind {
        /// The cause.
        id: String,
        /// Its kind.
        kind: Kind,
    },
}

/// The entry that explains a cause of these sweeps.
///
/// # Errors
/// If the cause is none for the ledger.
pub fn draft(cluster: &Cluster, sweeps: &[Certificate], id: &str) -> Result<Draft, DraftError> {
    if let Some(entry) = &cluster.entry {
        return Err(DraftError::Known(entry.clone()));
    }
    if cluster.cells.iter().any(|cell| cell.llvm.contains(" against ")) {
        return Err(DraftError::Between(cluster.id.clone()));
    }
    if matches!(cluster.kind, Kind::ToolsDiffer | Kind::Resync | Kind::LedgerSilent | Kind::NoteUnexplained) {
        return Err(DraftError::Kind { id: cluster.id.clone(), kind: cluster.kind });
    }
    let mut writer = Writer { text: String::new(), remarks: Vec::new() };
    writer.entry(cluster, id);
    writer.sign(cluster, sweeps);
    Ok(Draft { text: writer.text, remarks: writer.remarks })
}

struct Writer {
    text: String,
    remarks: Vec<String>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        _ = writeln!(self.text, "{line}");
    }

    fn string(&mut self, name: &str, value: &str) {
        self.line(&format!("{name} = {}", Value::String(value.to_owned())));
    }

    fn list(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let values: Vec<Value> = values.into_iter().map(Value::String).collect();
        if !values.is_empty() {
            self.line(&format!("{name} = {}", Value::Array(values)));
        }
    }

    fn entry(&mut self, cluster: &Cluster, id: &str) {
        self.line("[[entry]]");
        self.string("id", id);
        self.string("title", &cluster.title);
        self.string("verdict", &cluster.proposal.verdict.to_string());
        self.line(&format!("# Proposed: {}", cluster.proposal.reason.replace('\n', " ")));
        self.string("reason", "");
        self.list("citations", cluster.proposal.citations.iter().cloned());
    }

    fn sign(&mut self, cluster: &Cluster, sweeps: &[Certificate]) {
        self.line("");
        self.line("[[entry.sign]]");
        self.string("kind", cluster.kind.name());
        let first = cluster.witnesses.first();
        match cluster.kind {
            Kind::Acceptance | Kind::Assembling => {
                let (ours, theirs) = sides(cluster.kind, first);
                self.string("ours", ours);
                self.string("theirs", theirs);
            }
            Kind::Operand | Kind::Modifier => {
                self.list("fields", fields(cluster));
                self.string("shows", shows(cluster));
            }
            Kind::Encoding | Kind::Reassembly => self.list("fields", fields(cluster)),
            _ => {}
        }
        let (needs, text) = self.seen(cluster);
        let (fires, silent) = versions(cluster, sweeps);
        self.list("fires", fires);
        self.list("silent", silent);
        self.list("witnesses", cluster.witnesses.iter().take(MOST_WITNESSES).filter_map(|one| line_of(cluster, one)));
        for (targets, opcodes) in places(cluster) {
            self.clause(cluster, &needs, &text, &targets, &opcodes);
        }
    }

    /// The needs that hold of the word that the ledger looks at, which is LLVM's where it assembles a text to one; the
    /// others as parts of the text.
    fn seen(&mut self, cluster: &Cluster) -> (Vec<Need>, Vec<String>) {
        let word = cluster.witnesses.first().and_then(|one| {
            let is_assembled = matches!(cluster.kind, Kind::Assembling | Kind::Encoding);
            let theirs: Window = one.theirs.parse().ok().filter(|_| is_assembled)?;
            Some((one.window, theirs))
        });
        let (mut needs, mut text, mut dropped) = (Vec::new(), Vec::new(), false);
        for need in cluster.needs.iter().filter(|need| need.field != Field::Op.name()) {
            let field = Field::from_name(&need.field);
            let is_lost = word
                .zip(field)
                .is_some_and(|((ours, theirs), field)| field.get(&ours) & need.bits != field.get(&theirs) & need.bits);
            match field {
                _ if !is_lost => needs.push(need.clone()),
                Some(Field::OpSel | Field::OpSelHi | Field::Neg | Field::NegHi) if text.is_empty() => {
                    text.push(format!("{}:[", need.field));
                }
                Some(Field::Clamp) if text.is_empty() => text.push(need.field.clone()),
                _ => dropped = true,
            }
        }
        if dropped {
            self.line("one-sided = true");
            self.remarks.push(
                "the ledger looks at the word that LLVM makes of the text, which lacks some of what the text needs to show \
                 the fault: the predicate says too little"
                    .to_owned(),
            );
        }
        (needs, text)
    }

    fn clause(&mut self, cluster: &Cluster, needs: &[Need], text: &[String], targets: &[Target], opcodes: &Opcodes) {
        self.line("[[entry.sign.when]]");
        self.list("targets", target_list(targets));
        self.list("opcodes", opcodes.names.clone());
        if opcodes.is_pair {
            self.string("half", "scale");
        }
        let sources: Vec<&Need> = needs.iter().filter(|need| need.field == "src").collect();
        let mut fields: Vec<String> = needs.iter().filter(|need| need.field != "src").map(need_text).collect();
        match sources[..] {
            [] => {}
            [one] => {
                let whole = one.bits == u32::MAX >> (32 - Field::Src0.width());
                let values = if whole { one.values.clone() } else { selectors(one) };
                self.string("source", &values);
            }
            _ => {
                fields.extend(source_fields(cluster, &sources));
                self.remarks
                    .push("several sources are needed: other slots than the witness has may show it".to_owned());
            }
        }
        self.list("fields", fields);
        self.list("text", text.iter().cloned());
        if cluster.witnesses.first().is_some_and(|one| !one.padded) {
            self.line("cut-short = true");
        }
        if let Some(wave) = wave(cluster) {
            self.line(&format!("wave = {wave}"));
        }
    }
}

/// Our side and LLVM's.
fn sides(kind: Kind, witness: Option<&Witness>) -> (&'static str, &'static str) {
    let (ours, theirs) = witness.map_or(("", ""), |one| (one.ours.as_str(), one.theirs.as_str()));
    if kind == Kind::Assembling {
        return if ours.starts_with("refuses") { ("refused", "accepts") } else { ("legal", "rejects") };
    }
    match ours.starts_with("undefined") {
        true => ("undefined", "accepts"),
        false if theirs.starts_with("rejects") => ("legal", "rejects"),
        false => ("legal", "annotates"),
    }
}

/// Both answers about a witness, read again.
fn answers(witness: &Witness) -> Option<(Ours, Theirs)> {
    let target = *witness.targets.first()?;
    let ours = decode(target, &as_read(&witness.window, witness.padded));
    let expected = ours.as_ref().ok().map(|decoded| decoded.instruction.opcode);
    let theirs = Theirs::Accepts(asm::read_expecting(target, &witness.theirs, expected));
    Some((ours, theirs))
}

/// The fields that differ, with their slots.
fn fields(cluster: &Cluster) -> Vec<String> {
    if cluster.field != "src" {
        return vec![cluster.field.clone()];
    }
    if cluster.needs.iter().any(|need| need.field == "src") {
        return ["src0", "src1", "src2"].map(str::to_owned).to_vec();
    }
    let needed = cluster.needs.iter().map(|need| need.field.as_str()).filter(|field| slot_of(field).is_some());
    let mut fields: BTreeSet<String> = needed.map(str::to_owned).collect();
    for (ours, theirs) in cluster.witnesses.iter().filter_map(answers) {
        let (Ok(ours), Some(theirs)) = (&ours, theirs.instruction()) else { continue };
        let differ = (0..3).filter(|slot| ours.instruction.src[*slot] != theirs.src[*slot]);
        fields.extend(differ.map(|slot| format!("src{slot}")));
    }
    fields.into_iter().collect()
}

/// How LLVM's value relates to ours, if that is the same in all witnesses.
fn shows(cluster: &Cluster) -> &'static str {
    let fields = fields(cluster);
    let mut relations: Vec<Shows> = Vec::new();
    for (ours, theirs) in cluster.witnesses.iter().filter_map(answers) {
        let relation = fields.iter().map(|field| Shows::of(field, &ours, &theirs)).find(|one| *one != Shows::Anything);
        relations.push(relation.unwrap_or(Shows::Anything));
    }
    match relations[..] {
        [first, ..] if relations.iter().all(|one| *one == first) => first.name(),
        _ => Shows::Anything.name(),
    }
}

/// The versions that show it, and those that were looked at and do not.
fn versions(cluster: &Cluster, sweeps: &[Certificate]) -> (Vec<String>, Vec<String>) {
    let targets = cluster.targets();
    let looked_at =
        |sweep: &&Certificate| sweep.against.is_none() && targets.iter().any(|t| sweep.choice.targets.contains(t));
    let (fires, silent): (Vec<&Certificate>, Vec<&Certificate>) =
        sweeps.iter().filter(looked_at).partition(|sweep| cluster.count_on(&label(sweep)) > 0);
    let names = |sweeps: Vec<&Certificate>| sweeps.into_iter().map(|sweep| sweep.llvm.version.clone()).collect();
    (names(fires), names(silent))
}

/// A witness as a line of the corpus.
fn line_of(cluster: &Cluster, witness: &Witness) -> Option<String> {
    let target = *witness.targets.first()?;
    match (cluster.kind, &witness.text, witness.direction) {
        (Kind::Reassembly, ..) | (_, None, _) | (_, _, Direction::Decode) => {
            Some(Case { padded: witness.padded, ..Case::new(target, witness.window) }.to_string())
        }
        (_, Some(text), _) => Some(TextCase::new(target, text).to_string()),
    }
}

/// The opcodes of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Opcodes {
    names: Vec<String>,
    /// Whether they are the first words of scaled pairs.
    is_pair: bool,
}

/// The targets with the same opcodes, and these: as a class where one covers just them.
fn places(cluster: &Cluster) -> Vec<(Vec<Target>, Opcodes)> {
    let mut by_target: BTreeMap<usize, (Target, BTreeSet<&str>)> = BTreeMap::new();
    for cell in &cluster.cells {
        let place = by_target.entry(cell.target.place()).or_insert((cell.target, BTreeSet::new()));
        place.1.insert(&cell.opcode);
    }
    let mut groups: Vec<(BTreeSet<&str>, Vec<Target>)> = Vec::new();
    for (target, opcodes) in by_target.into_values() {
        match groups.iter_mut().find(|(other, _)| *other == opcodes) {
            Some((_, targets)) => targets.push(target),
            None => groups.push((opcodes, vec![target])),
        }
    }
    let mut places: Vec<(Vec<Target>, Opcodes)> = Vec::new();
    for (names, targets) in groups {
        let opcodes = opcodes(cluster, &names, &targets);
        match places.iter_mut().find(|(_, other)| *other == opcodes) {
            Some((others, _)) => others.extend(targets),
            None => places.push((targets, opcodes)),
        }
    }
    places
}

fn opcodes(cluster: &Cluster, names: &BTreeSet<&str>, targets: &[Target]) -> Opcodes {
    if let Some(class) = class_of(targets, names) {
        return Opcodes { names: vec![class.to_owned()], is_pair: false };
    }
    let is_known = |name: &&&str| name.starts_with('#') || rows().any(|row| row.amd == **name);
    let known: Vec<String> = names.iter().filter(is_known).map(|name| (*name).to_owned()).collect();
    if known.len() == names.len() {
        return Opcodes { names: known, is_pair: false };
    }
    // A pair goes by its first word; what is no VOP3P word has no opcode.
    let first = cluster.witnesses.iter().filter_map(|one| Some((*one.targets.first()?, one.window)));
    let pairs = first.filter(|(_, window)| window.dwords().len() == 4);
    let scale: BTreeSet<String> = pairs
        .map(|(target, window)| {
            let name = opcode_name(target, &window);
            let is_amds = rows().any(|row| row.amd == name);
            if is_amds { name } else { format!("#{}", crate::plain::opcode_number(target, &window)) }
        })
        .collect();
    let is_pair = !scale.is_empty();
    Opcodes { names: known.into_iter().chain(scale).collect(), is_pair }
}

/// Processors, whole generations by name.
fn target_list(targets: &[Target]) -> Vec<String> {
    let mut names = Vec::new();
    for row in &GENERATIONS {
        let members: Vec<&str> =
            PROCESSORS.iter().filter(|p| p.generation == row.generation).map(|processor| processor.name).collect();
        let named: Vec<&str> =
            members.iter().copied().filter(|name| targets.iter().any(|target| target.cpu() == *name)).collect();
        if named.len() == members.len() {
            names.push(row.name.to_owned());
        } else {
            names.extend(named.into_iter().map(str::to_owned));
        }
    }
    names
}

/// The wave size, if only one shows it of targets that differ in it.
fn wave(cluster: &Cluster) -> Option<u8> {
    let targets = cluster.targets();
    let unusual = targets.iter().filter(|target| target.has_unusual_wave()).count();
    (unusual > 0 && unusual == targets.len()).then_some(64)
}

/// A need on some bits of a selector as a set of selectors.
fn selectors(need: &Need) -> String {
    let low = need.bits.trailing_zeros();
    let hull = need.bits >> low;
    let holds = |selector: &u32| {
        let held = selector >> low & hull;
        match need.values.strip_prefix('!') {
            Some(not) => not.parse() != Ok(held),
            None => need.values.split(',').any(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                first.parse().is_ok_and(|first: u32| first <= held) && last.parse().is_ok_and(|last: u32| held <= last)
            }),
        }
    };
    super::values::ranges(&(0..512).filter(holds).collect::<Vec<u32>>())
}

/// Several needs of sources as conditions on the slots that the first witness has.
fn source_fields(cluster: &Cluster, sources: &[&Need]) -> Vec<String> {
    let Some(witness) = cluster.witnesses.first() else { return Vec::new() };
    let Some(target) = witness.targets.first() else { return Vec::new() };
    let away = (0..3)
        .map(Field::src)
        .filter(|field| field.get(&witness.window) != plain_value(*target, &witness.window, *field));
    away.zip(sources)
        .map(|(field, need)| need_text(&Need { field: field.name().to_owned(), ..(*need).clone() }))
        .collect()
}
