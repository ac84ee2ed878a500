//! From minimal forms to causes.
//!
//! Forms of one [`Signature`] that differ in no more than the target, the opcode, or the values of one field have one
//! cause, and so do those that hang together by such steps.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::cluster::Need;
use super::form::{Form, Point, Proven, Signature};
use super::values::Values;
use crate::codec::Field;

/// A cause: places of its forms, the smallest point first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What its forms have in common.
    pub signature: Signature,
    /// Where they are.
    pub forms: Vec<usize>,
    /// Its name.
    pub id: String,
    /// What all its words need.
    pub needs: Vec<Need>,
}

/// The causes of these forms, by signature and smallest point.
#[must_use]
pub fn causes(all: &[Form], places: impl Iterator<Item = usize>) -> Vec<Cause> {
    let mut by_signature: BTreeMap<Signature, Vec<(Point, usize)>> = BTreeMap::new();
    for place in places {
        let form = &all[place];
        by_signature.entry(form.signature()).or_default().push((form.point(), place));
    }
    let mut causes = Vec::new();
    for (signature, mut points) in by_signature {
        points.sort();
        for group in components(&points) {
            let forms: Vec<usize> = group.iter().map(|at| points[*at].1).collect();
            let needs = needs(all, &forms);
            let Some(smallest) = forms.first().map(|place| &all[*place]) else { continue };
            let id = id(&signature, smallest, &needs);
            causes.push(Cause { signature: signature.clone(), forms, id, needs });
        }
    }
    causes
}

/// The places of points that hang together, each group in order.
fn components(points: &[(Point, usize)]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..points.len()).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    // Points that are equal but for one coordinate.
    let mut first: HashMap<(usize, Point), usize> = HashMap::new();
    for (at, (point, _)) in points.iter().enumerate() {
        for coordinate in 0..2 + point.values.len() {
            let mut rest = point.clone();
            match coordinate {
                0 => rest.target = usize::MAX,
                1 => rest.opcode.clear(),
                _ => rest.values[coordinate - 2] = Values::Bits { mask: 0, value: 0 },
            }
            let other = *first.entry((coordinate, rest)).or_insert(at);
            let (a, b) = (root(&mut parent, at), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..points.len() {
        groups.entry(root(&mut parent, at)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// What the words of all these forms need: the fields, and the values of each in any of them.
fn needs(all: &[Form], forms: &[usize]) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let members = || forms.iter().map(|place| &all[*place]);
    if members().all(|form| form.needs_opcode) {
        let mut names: Vec<&str> = members().map(|form| form.opcode.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let bits = u32::MAX >> (32 - Field::Op.width());
        needs.push(Need { field: Field::Op.name().to_owned(), bits, values: names.join(", ") });
    }
    let Some(first) = members().next() else { return needs };
    let names = |form: &Form| form.sorted().into_iter().map(Proven::name).collect::<Vec<_>>();
    // Where an entry or a rule is the cause, words may show it that have nothing else in common.
    if members().any(|form| names(form) != names(first)) {
        return needs;
    }
    for (at, need) in first.sorted().into_iter().enumerate() {
        let mut values = need.values.clone();
        let mut fields: Vec<Field> = vec![need.field];
        for other in members().skip(1) {
            if let Some(other) = other.sorted().get(at) {
                values = values.union(&other.values);
                fields.push(other.field);
            }
        }
        let (bits, values) = values.described(need.field);
        let is_one_slot = fields.iter().all(|field| *field == need.field);
        let field = if is_one_slot { need.field.name() } else { need.name() };
        needs.push(Need { field: field.to_owned(), bits, values });
    }
    needs
}

/// A name that says what it is, and is the same in every run.
fn id(signature: &Signature, smallest: &Form, needs: &[Need]) -> String {
    let mut parts = vec![signature.kind.name().to_owned()];
    if !matches!(signature.field.as_str(), "word" | "text") {
        parts.push(signature.field.clone());
    }
    parts.extend(needs.iter().map(|need| need.field.clone()).filter(|field| *field != signature.field));
    let Signature { direction, kind, field, needs: names, classes: (ours, theirs) } = signature;
    let values: Vec<(u32, String)> =
        smallest.sorted().into_iter().map(|need| need.values.described(need.field)).collect();
    let place = format!("{} {} {values:?}", smallest.target, smallest.opcode);
    let digest = Sha256::digest(format!("{direction:?} {kind} {field} {names:?} {ours} {theirs} {place}"));
    parts.push(digest.iter().take(3).map(|byte| format!("{byte:02x}")).collect());
    parts.join("-").replace(['_', '.'], "-").to_lowercase()
}
