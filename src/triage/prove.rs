//! Which bits a minimal window needs: each field that is still away from plain, tried out.

use std::collections::{HashMap, HashSet};

use super::class::Key;
use super::form::Proven;
use super::lane::{Lane, Question, Subject};
use super::values::{NARROW, Values};
use crate::codec::{Field, Window, fields_of};
use crate::isa::Target;
use crate::oracle::llvm::LlvmError;
use crate::plain::plain_value;

/// So many sets that do not fit are looked at before all values of a field are tried.
const MOST_SETS: usize = 3;

/// Values that have been found, by what they show in which field: those of the next window of the kind are likely the
/// same, and a look at their edges is enough.
#[derive(Debug, Default)]
pub struct Found(HashMap<(Key, &'static str), Vec<Values>>);

/// A minimal window, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The window, each needed field at the lowest value that will do.
    pub subject: Subject,
    /// What it shows, in whatever slot.
    key: Key,
    /// The needed fields, the opcode aside.
    pub needs: Vec<Proven>,
    /// Whether it needs its opcode.
    pub opcode: bool,
}

/// A field of one of the windows whose values are not known yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The place of the window.
    of: usize,
    field: Field,
    /// How many known sets were looked at.
    looked_at: usize,
}

/// What each of these minimal windows needs.
///
/// # Errors
/// If a tool cannot be run.
pub fn prove(lane: &mut Lane<'_>, small: Vec<(Key, Subject)>, found: &mut Found) -> Result<Vec<Proof>, LlvmError> {
    let target = lane.target;
    let mut fields: Vec<Vec<Field>> = Vec::new();
    let mut proofs: Vec<Proof> = Vec::new();
    for (key, subject) in small {
        let mut away = away(target, &subject.window);
        let opcode = away.contains(&Field::Op);
        away.retain(|field| *field != Field::Op);
        fields.push(away);
        proofs.push(Proof { subject, key: key.without_slot(), needs: Vec::new(), opcode });
    }
    for round in 0..fields.iter().map(Vec::len).max().unwrap_or(0) {
        let nth = |(of, fields): (usize, &Vec<Field>)| Some(Open { of, field: *fields.get(round)?, looked_at: 0 });
        let open: Vec<Open> = fields.iter().enumerate().filter_map(nth).collect();
        let settled = settle(lane, &proofs, open, found)?;
        lower(lane, &mut proofs, settled)?;
    }
    Ok(proofs)
}

/// The fields that are not at their plainest.
fn away(target: Target, window: &Window) -> Vec<Field> {
    let is_away = |field: &Field| field.get(window) != plain_value(target, window, *field);
    fields_of(target, window).into_iter().filter(is_away).collect()
}

/// For each open field the values that show what its window shows.
fn settle(
    lane: &mut Lane<'_>,
    proofs: &[Proof],
    mut open: Vec<Open>,
    found: &mut Found,
) -> Result<Vec<(Open, Values)>, LlvmError> {
    let target = lane.target;
    let mut settled: Vec<(Open, Values)> = Vec::new();
    while !open.is_empty() {
        let (guesses, alone): (Vec<_>, Vec<_>) =
            open.iter().map(|one| (*one, found.next(&proofs[one.of], one))).partition(|(_, guess)| guess.is_some());
        let guesses: Vec<(Open, usize, Values)> =
            guesses.into_iter().filter_map(|(one, guess)| guess.map(|(index, values)| (one, index, values))).collect();
        let edges = guesses.iter().map(|(one, _, values)| (*one, values.edges(one.field))).collect();
        for ((mut one, index, values), shown) in guesses.into_iter().zip(try_out(lane, proofs, edges)?) {
            open.retain(|other| other.of != one.of);
            if shown.iter().all(|one| one.is_hidden || values.has(one.value) == one.shows) {
                settled.push((one, values));
            } else {
                one.looked_at = index + 1;
                open.push(one);
            }
        }
        // One of each kind tries all values; the others then look whether these are theirs, too.
        let mut kinds = HashSet::new();
        let lead: Vec<Open> = alone
            .into_iter()
            .map(|(one, _)| one)
            .filter(|one| kinds.insert(place(&proofs[one.of], one.field)) || !is_shared(&proofs[one.of], one))
            .collect();
        let values = lead.iter().map(|one| (*one, to_try(target, &proofs[one.of].subject, one.field))).collect();
        for (one, shown) in lead.into_iter().zip(try_out(lane, proofs, values)?) {
            open.retain(|other| other.of != one.of);
            let values = values_of(target, &proofs[one.of].subject, one.field, &shown);
            let sets = found.0.entry(place(&proofs[one.of], one.field)).or_default();
            if !sets.contains(&values) {
                sets.push(values.clone());
            }
            settled.push((one, values));
        }
    }
    settled.sort_by_key(|(one, _)| one.of);
    Ok(settled)
}

/// Whether the values of the field may be those of another window of the kind.
fn is_shared(proof: &Proof, one: &Open) -> bool {
    one.field.width() <= NARROW && !proof.subject.is_costly() && one.looked_at < MOST_SETS
}

impl Found {
    /// The next set to look at, and its number.
    fn next(&self, proof: &Proof, one: &Open) -> Option<(usize, Values)> {
        if !is_shared(proof, one) {
            return None;
        }
        let sets = self.0.get(&place(proof, one.field))?;
        let value = one.field.get(&proof.subject.window);
        let (index, values) = sets.iter().enumerate().skip(one.looked_at).find(|(_, values)| values.has(value))?;
        Some((index, values.clone()))
    }
}

fn place(proof: &Proof, field: Field) -> (Key, &'static str) {
    (proof.key.clone(), super::class::without_slot(field.name()))
}

/// A value, in place of the one that the window has.
#[derive(Clone, Copy, Debug)]
struct Tried {
    value: u32,
    /// Whether it shows the same.
    shows: bool,
    /// Whether it shows what the ledger knows in its place.
    is_hidden: bool,
}

fn try_out(lane: &mut Lane<'_>, proofs: &[Proof], values: Vec<(Open, Vec<u32>)>) -> Result<Vec<Vec<Tried>>, LlvmError> {
    let windows = values.iter().map(|(one, values)| {
        let subject = &proofs[one.of].subject;
        values.iter().map(|value| (subject.way, one.field.set(subject.window, *value))).collect::<Vec<Question>>()
    });
    let questions: Vec<Question> = windows.flatten().collect();
    let mut answers = lane.ask(&questions)?.into_iter();
    let shown = values.into_iter().map(|(one, values)| {
        let wanted = &proofs[one.of].subject.wanted;
        let of_value = |value| {
            let answer = answers.next().unwrap_or_default();
            let shows = wanted.find(&answer).is_some();
            Tried { value, shows, is_hidden: !shows && wanted.may_be_hidden_by(&answer) }
        };
        values.into_iter().map(of_value).collect()
    });
    Ok(shown.collect())
}

/// The values to try: all, or where these are too many or each costs a process, those that are one bit away.
fn to_try(target: Target, subject: &Subject, field: Field) -> Vec<u32> {
    let value = field.get(&subject.window);
    let turned = |from: u32| (0..field.width()).map(move |bit| from ^ 1 << bit);
    if subject.is_costly() {
        turned(value).collect()
    } else if field.width() <= NARROW {
        (0..1 << field.width()).collect()
    } else {
        turned(plain_value(target, &subject.window, field)).chain(turned(value)).collect()
    }
}

/// What the values that were tried say.
fn values_of(target: Target, subject: &Subject, field: Field, tried: &[Tried]) -> Values {
    let value = field.get(&subject.window);
    let width = field.width() as usize;
    let turned = |tried: &[Tried], shows: bool, from: u32| {
        tried.iter().filter(|one| one.shows == shows).fold(0, |mask, one| mask | (one.value ^ from))
    };
    // That no bit alone matters does not say that none does.
    let bits = |mask: u32| {
        let mask = if mask == 0 { u32::MAX >> (32 - field.width()) } else { mask };
        Values::Bits { mask, value: value & mask }
    };
    if subject.is_costly() {
        return bits(turned(tried, false, value));
    }
    if field.width() <= NARROW {
        let shows = |one: &&Tried| one.shows || one.value == value;
        let shown = tried.iter().filter(shows).map(|one| one.value).collect();
        let hidden = tried.iter().filter(|one| one.is_hidden && !shows(one)).map(|one| one.value).collect();
        return Values::All { shown, hidden };
    }
    let plain = plain_value(target, &subject.window, field);
    let (from_plain, from_value) = tried.split_at(width.min(tried.len()));
    match turned(from_plain, true, plain) {
        0 => bits(turned(from_value, false, value)),
        mask => Values::Other { mask, plain },
    }
}

/// Notes the needs, and makes each field as low as its values allow.
fn lower(lane: &mut Lane<'_>, proofs: &mut [Proof], settled: Vec<(Open, Values)>) -> Result<(), LlvmError> {
    let target = lane.target;
    let mut lowered: Vec<(usize, Subject)> = Vec::new();
    for (one, values) in settled {
        let subject = &proofs[one.of].subject;
        let plain = plain_value(target, &subject.window, one.field);
        let lowest = match &values {
            _ if values.has(plain) => plain,
            Values::All { shown, .. } => shown.first().copied().unwrap_or(plain),
            Values::Other { mask, .. } => plain ^ 1 << mask.trailing_zeros(),
            Values::Bits { .. } => one.field.get(&subject.window),
        };
        let lower = Subject { window: one.field.set(subject.window, lowest), ..subject.clone() };
        lowered.push((one.of, lower));
        if !values.has(plain) {
            proofs[one.of].needs.push(Proven { field: one.field, values });
        }
    }
    let shown = lane.show(&lowered.iter().map(|(_, subject)| subject.clone()).collect::<Vec<_>>())?;
    for ((of, subject), _) in lowered.into_iter().zip(shown).filter(|(_, shown)| *shown) {
        proofs[of].subject = subject;
    }
    Ok(())
}
