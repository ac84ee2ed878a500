//! From the findings of one target to their minimal forms: some are minimised, and explain the others.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::class::Key;
use super::form::{Form, opcode_name, translated};
use super::lane::{Lane, Subject, Wanted};
use super::probe::{Answer, Shown, Way};
use super::prove::{Found, Proof, prove};
use crate::codec::{Field, Window};
use crate::compare::Kind;
use crate::judge::RESYNC;
use crate::ledger::Ledger;
use crate::oracle::llvm::LlvmError;
use crate::plain::with_plain;
use crate::sweep::record::{Direction, Seen};

/// Findings of one target that are minimised at a time.
const BATCH: usize = 64;

/// Of those that cost processes.
const COSTLY: usize = 2;

/// A finding that the ledger lacks.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub subject: Subject,
    /// The same, to be compared.
    pub key: Key,
    /// The opcode's name in the sweep; of a scaled pair the pair's.
    pub opcode: String,
    /// The name of the opcode in the first word.
    pub first: String,
    /// What was varied.
    pub space: String,
    /// Windows or texts.
    pub count: u64,
    /// The form that explains it.
    pub form: usize,
}

/// What is known of a target.
#[derive(Debug, Default)]
pub struct Sorted {
    /// What the ledger lacks; forms are not chosen yet.
    pub new: Vec<Item>,
    /// What it has, by entry, opcode and direction.
    pub known: Vec<Known>,
    /// Findings that are there no longer.
    pub lost: u64,
}

/// What a ledger entry explains.
#[derive(Clone, Debug)]
pub struct Known {
    /// The entry.
    pub entry: String,
    /// What shows it.
    pub subject: Subject,
    /// The field.
    pub field: String,
    /// The opcode's name.
    pub opcode: String,
    /// Windows or texts.
    pub count: u64,
}

/// Differences that follow from another one of the same window.
fn is_consequence(kind: Kind) -> bool {
    matches!(kind, Kind::ToolsDiffer | Kind::LedgerSilent | Kind::NoteUnexplained)
}

/// Differences that others may follow from.
fn is_cause(kind: Kind) -> bool {
    !is_consequence(kind) && kind != Kind::Resync
}

fn shown_of(seen: &Seen) -> Shown {
    Shown {
        kind: seen.kind,
        field: seen.field.clone(),
        ours: seen.ours.clone(),
        theirs: seen.theirs.clone(),
        entry: seen.entry.clone(),
    }
}

/// Sorts what a sweep saw of a target: what it found new is asked about again, as the ledger may have changed, and what
/// follows from another finding of the same window, new or known, is left out: what is a cause of its own a sweep meets
/// in words that show nothing else, too.
///
/// What would cost processes is asked about only if the ledger `is_other` than the sweep's.
///
/// # Errors
/// If a tool cannot be run.
pub fn sort(lane: &mut Lane<'_>, seen: &[&Seen], ledger: &Ledger, is_other: bool) -> Result<Sorted, LlvmError> {
    let mut sorted = Sorted::default();
    let mut open: Vec<(&Seen, Subject)> = Vec::new();
    for seen in seen {
        let way = Way { direction: seen.direction, padded: seen.padded };
        let subject = |wanted| Subject { way, window: seen.window, wanted };
        match &seen.entry {
            Some(id) if id == RESYNC => {}
            Some(id) if ledger.get(id).is_some() => {
                sorted.known.push(known(lane, seen, id, subject(Wanted::Known(id.clone(), seen.kind))));
            }
            _ => {
                let shown = Shown { entry: None, ..shown_of(seen) };
                open.push((seen, subject(Wanted::New(Key::of(seen.direction, &shown)))));
            }
        }
    }
    let asked = open.iter().filter(|(_, subject)| is_other || !subject.is_costly());
    let asked: Vec<_> = asked.map(|(_, subject)| (subject.way, subject.window)).collect();
    let answers: HashMap<(Way, Window), std::rc::Rc<Answer>> = asked.iter().copied().zip(lane.ask(&asked)?).collect();
    // Of what is not asked about the file itself says what else the window shows.
    let causes = seen.iter().filter(|seen| is_cause(seen.kind));
    let beside: HashSet<(Way, Window)> =
        causes.map(|seen| (Way { direction: seen.direction, padded: seen.padded }, seen.window)).collect();
    for (seen, subject) in open {
        let place = (subject.way, subject.window);
        let found = match answers.get(&place) {
            None => Some((subject.clone(), None)),
            Some(answer) => now(answer, seen, &subject),
        };
        match found {
            None => sorted.lost += 1,
            Some((subject, Some(id))) if id != RESYNC => sorted.known.push(known(lane, seen, &id, subject)),
            Some((_, Some(_))) => {}
            Some((subject, None)) => {
                let has_cause = match answers.get(&place) {
                    Some(answer) => answer.shown.iter().any(|shown| is_cause(shown.kind)),
                    None => beside.contains(&place),
                };
                if !(is_consequence(seen.kind) && has_cause) {
                    sorted.new.extend(item(lane, seen, subject));
                }
            }
        }
    }
    Ok(sorted)
}

/// What the window shows now in place of what was seen, and the entry that explains it.
fn now(answer: &Answer, seen: &Seen, subject: &Subject) -> Option<(Subject, Option<String>)> {
    let is_same = |shown: &&Shown| (shown.kind, &shown.field) == (seen.kind, &seen.field);
    let shown = answer.shown.iter().find(is_same)?;
    let wanted = match &shown.entry {
        Some(id) => Wanted::Known(id.clone(), shown.kind),
        None => Wanted::New(Key::of(seen.direction, shown)),
    };
    Some((Subject { wanted, ..subject.clone() }, shown.entry.clone()))
}

fn name(lane: &Lane<'_>, seen: &Seen) -> String {
    if seen.opcode.is_empty() { opcode_name(lane.target, &seen.window) } else { seen.opcode.clone() }
}

fn known(lane: &Lane<'_>, seen: &Seen, id: &str, subject: Subject) -> Known {
    let (field, opcode) = (seen.field.clone(), name(lane, seen));
    Known { entry: id.to_owned(), subject, field, opcode, count: seen.count }
}

fn item(lane: &Lane<'_>, seen: &Seen, subject: Subject) -> Option<Item> {
    let Wanted::New(key) = subject.wanted.clone() else { return None };
    let (opcode, space) = (name(lane, seen), seen.space.clone());
    let first = opcode_name(lane.target, &seen.window);
    Some(Item { subject, key, opcode, first, space, count: seen.count, form: usize::MAX })
}

/// All forms found so far, of all targets and sweeps.
#[derive(Debug, Default)]
pub struct Forms {
    /// The forms.
    pub all: Vec<Form>,
    /// Of each that is a consequence, the form that it follows from; itself, if it follows from what the ledger has.
    pub folded: BTreeMap<usize, usize>,
    found: Found,
}

impl Forms {
    /// Finds a form for every item.
    ///
    /// # Errors
    /// If a tool cannot be run.
    pub fn collect(
        &mut self,
        lane: &mut Lane<'_>,
        sweep: usize,
        items: &mut [Item],
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), LlvmError> {
        let first = self.all.len();
        self.adopt(lane, sweep, items)?;
        self.attribute(first, items);
        loop {
            let open: Vec<usize> = (0..items.len()).filter(|place| items[*place].form == usize::MAX).collect();
            progress(items.len() - open.len());
            if open.is_empty() {
                break;
            }
            let chosen = choose(&open, items);
            let mut subjects: Vec<Subject> = chosen.iter().map(|place| items[*place].subject.clone()).collect();
            self.pad(lane, &mut subjects)?;
            let small = lane.shrink(&subjects)?;
            let keyed = chosen.iter().map(|place| items[*place].key.clone()).zip(small).collect();
            let proofs = prove(lane, keyed, &mut self.found)?;
            let questions: Vec<_> = proofs.iter().map(|proof| (proof.subject.way, proof.subject.window)).collect();
            let answers = lane.ask(&questions)?;
            for ((place, proof), answer) in chosen.into_iter().zip(proofs).zip(answers) {
                let item = &mut items[place];
                item.form = self.add(lane, sweep, item, proof, &answer, first);
            }
            self.attribute(first, items);
        }
        self.fold(lane, first)
    }

    /// What shows with padding, too, need not be asked about alone.
    fn pad(&self, lane: &mut Lane<'_>, subjects: &mut [Subject]) -> Result<(), LlvmError> {
        let padded = |one: &Subject| Subject { way: Way { padded: true, ..one.way }, ..one.clone() };
        let tries: Vec<Subject> = subjects.iter().map(padded).collect();
        let bare: Vec<usize> = (0..subjects.len()).filter(|place| !subjects[*place].way.padded).collect();
        let asked: Vec<Subject> = bare.iter().map(|place| tries[*place].clone()).collect();
        for (place, shown) in bare.into_iter().zip(lane.show(&asked)?) {
            if shown {
                subjects[place] = tries[place].clone();
            }
        }
        Ok(())
    }

    /// The place of this form among all; that of an equal one of the same target, which are those from `first` on.
    fn add(
        &mut self,
        lane: &Lane<'_>,
        sweep: usize,
        item: &Item,
        proof: Proof,
        answer: &Answer,
        first: usize,
    ) -> usize {
        let same = |form: &Form| form.key == item.key && form.subject == proof.subject;
        if let Some(place) = self.all[first..].iter().position(same) {
            return first + place;
        }
        let shown = proof.subject.wanted.find(answer).cloned().unwrap_or_else(|| Shown {
            kind: item.key.kind,
            field: item.key.field.clone(),
            ours: String::new(),
            theirs: String::new(),
            entry: None,
        });
        self.all.push(Form {
            sweep,
            target: lane.target,
            key: item.key.clone(),
            opcode: opcode_name(lane.target, &proof.subject.window),
            subject: proof.subject,
            needs: proof.needs,
            needs_opcode: proof.opcode,
            shown,
            answer: answer.clone(),
        });
        self.all.len() - 1
    }

    /// Gives items without a form the first one of the target that explains them.
    fn attribute(&self, first: usize, items: &mut [Item]) {
        for item in items.iter_mut().filter(|item| item.form == usize::MAX) {
            let explains = |form: &Form| form.covers(&item.key, item.subject.way, &item.first, &item.subject.window);
            if let Some(place) = self.all[first..].iter().position(explains) {
                item.form = first + place;
            }
        }
    }

    /// Takes over the forms of other targets and sweeps that show here, too, and need here what they need there.
    fn adopt(&mut self, lane: &mut Lane<'_>, sweep: usize, items: &[Item]) -> Result<(), LlvmError> {
        let mut once = HashSet::new();
        let mut candidates: Vec<Form> = Vec::new();
        let mut subjects: Vec<Subject> = Vec::new();
        let mut of: Vec<(usize, bool)> = Vec::new();
        for form in &self.all {
            let Some(window) = translated(&form.subject.window, form.target, lane.target) else { continue };
            let subject = Subject { window, ..form.subject.clone() };
            let explains = |item: &Item| form.covers(&item.key, item.subject.way, &item.first, &item.subject.window);
            if !items.iter().any(explains) || !once.insert((form.key.clone(), window, form.way())) {
                continue;
            }
            let plain = |field| Subject { window: with_plain(lane.target, &window, field), ..subject.clone() };
            of.push((candidates.len(), true));
            subjects.push(subject.clone());
            let opcode = (form.needs_opcode && form.key.kind != Kind::Mnemonic).then_some(Field::Op);
            for field in form.needs.iter().map(|need| need.field).chain(opcode) {
                of.push((candidates.len(), false));
                subjects.push(plain(field));
            }
            candidates.push(Form { sweep, target: lane.target, subject, ..form.clone() });
        }
        let shown = lane.show(&subjects)?;
        let mut fits = vec![true; candidates.len()];
        for ((place, wanted), shown) in of.into_iter().zip(shown) {
            fits[place] &= shown == wanted;
        }
        let questions: Vec<_> = candidates.iter().map(|form| (form.way(), form.subject.window)).collect();
        let answers = lane.ask(&questions)?;
        for ((mut form, answer), _) in candidates.into_iter().zip(answers).zip(fits).filter(|(_, fits)| *fits) {
            if let Some(shown) = form.subject.wanted.find(&answer) {
                form.shown = shown.clone();
                form.answer = (*answer).clone();
                self.all.push(form);
            }
        }
        Ok(())
    }

    /// Folds forms of a target, those from `first` on, that are consequences of others.
    fn fold(&mut self, lane: &mut Lane<'_>, first: usize) -> Result<(), LlvmError> {
        let places: Vec<usize> = (first..self.all.len()).collect();
        // Several fields that differ in one and the same minimal window differ for one reason.
        for place in &places {
            let form = &self.all[*place];
            let same = |other: &&usize| {
                let other = &self.all[**other];
                (other.way(), other.subject.window) == (form.way(), form.subject.window)
            };
            let principal = places.iter().filter(same).min_by_key(|other| &self.all[**other].key);
            if let Some(principal) = principal.filter(|principal| *principal != place) {
                self.folded.insert(*place, *principal);
            }
        }
        // What LLVM prints is assembled wrongly in the way in which what we print is.
        let is_reassembly = |place: &usize| self.all[*place].key.direction == Direction::Reassemble;
        let reassembled: Vec<usize> = places.iter().copied().filter(is_reassembly).collect();
        for direction in [Direction::Assemble, Direction::Decode] {
            let way = Way { direction, padded: true };
            let questions: Vec<_> = reassembled.iter().map(|place| (way, self.all[*place].subject.window)).collect();
            for (place, answer) in reassembled.iter().zip(lane.ask(&questions)?) {
                self.fold_into_cause(*place, way, &answer, &places);
            }
        }
        for place in &places {
            if is_consequence(self.all[*place].key.kind) {
                let (way, answer) = (self.all[*place].way(), self.all[*place].answer.clone());
                self.fold_into_cause(*place, way, &answer, &places);
                // Or it follows from what the ledger has.
                if answer.shown.iter().any(|shown| shown.entry.is_some() && is_cause(shown.kind)) {
                    self.folded.entry(*place).or_insert(*place);
                }
            }
        }
        Ok(())
    }

    /// Folds a form into the one that explains a cause which the answer shows.
    fn fold_into_cause(&mut self, place: usize, way: Way, answer: &Answer, places: &[usize]) {
        if self.folded.contains_key(&place) {
            return;
        }
        let form = &self.all[place];
        let cause =
            answer.shown.iter().filter(|shown| shown.entry.is_none() && is_cause(shown.kind)).find_map(|shown| {
                let key = Key::of(way.direction, shown);
                let covers = |other: &&usize| {
                    **other != place && self.all[**other].covers(&key, way, &form.opcode, &form.subject.window)
                };
                places.iter().find(covers).copied()
            });
        if let Some(cause) = cause {
            self.folded.insert(place, cause);
        }
    }
}

/// Which of the open items to minimise: one of every kind and opcode, then one of every space, too.
fn choose(open: &[usize], items: &[Item]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut costly = 0;
    let mut kinds = HashSet::new();
    let mut spaces = HashSet::new();
    for by_space in [false, true] {
        for &place in open {
            let item = &items[place];
            if chosen.len() == BATCH || chosen.contains(&place) || (item.subject.is_costly() && costly == COSTLY) {
                continue;
            }
            let is_spread = match by_space {
                false => kinds.insert((item.key.without_slot(), &item.opcode)),
                true => spaces.insert((&item.key, &item.opcode, &item.space)),
            };
            if is_spread {
                costly += usize::from(item.subject.is_costly());
                chosen.push(place);
            }
        }
    }
    chosen
}
