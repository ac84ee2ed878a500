//! A finding at its smallest, and which windows must show it, too.

use super::class::{Classes, Key, classes, slot_of, without_slot};
use super::lane::Subject;
use super::probe::{Answer, Shown, Way};
use super::values::Values;
use crate::codec::{Field, Window};
use crate::compare::Kind;
use crate::isa::{Opcode, Target};
use crate::plain::{opcode_number, plain_value};
use crate::sweep::record::Direction;

/// A field that must be away from its plainest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The field.
    pub field: Field,
    /// The values of it that show the finding.
    pub values: Values,
}

impl Proven {
    /// Its name; `src` for a source.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if matches!(self.field, Field::Src0 | Field::Src1 | Field::Src2) { "src" } else { self.field.name() }
    }
}

/// A finding at its smallest.
#[derive(Clone, Debug)]
pub struct Form {
    /// The place of the sweep that shows it.
    pub sweep: usize,
    /// The target.
    pub target: Target,
    /// What it shows.
    pub key: Key,
    /// The window, and how it shows it.
    pub subject: Subject,
    /// What it needs, the opcode aside.
    pub needs: Vec<Proven>,
    /// The opcode's name.
    pub opcode: String,
    /// Whether it needs that opcode.
    pub needs_opcode: bool,
    /// The difference.
    pub shown: Shown,
    /// Both answers as a whole.
    pub answer: Answer,
}

/// What forms of one cause have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// Which way.
    pub direction: Direction,
    /// What kind.
    pub kind: Kind,
    /// The field, `src` for any source.
    pub field: String,
    /// The names of the fields that are needed, the opcode aside.
    pub needs: Vec<&'static str>,
    /// The sorts of both answers.
    pub classes: Classes,
}

/// Where in its signature a form is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Place of the target.
    pub target: usize,
    /// The opcode's name.
    pub opcode: String,
    /// The values of each need.
    pub values: Vec<Values>,
}

impl Form {
    /// How it shows.
    #[must_use]
    pub fn way(&self) -> Way {
        self.subject.way
    }

    /// Whether a finding with this key, of this window of the same target, is explained by what this one needs.
    #[must_use]
    pub fn covers(&self, key: &Key, way: Way, opcode: &str, window: &Window) -> bool {
        self.key.without_slot() == key.without_slot()
            && (self.way().padded || !way.padded)
            && (!self.needs_opcode || self.opcode == opcode)
            && self.holds(slot_of(&key.field), window)
    }

    /// Whether the window has all that is needed, sources in any slots: `slot` is that of the field that differs.
    fn holds(&self, slot: Option<usize>, window: &Window) -> bool {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]];
        ORDERS.iter().any(|order| {
            let same_slot = match (slot_of(&self.key.field), slot) {
                (Some(mine), Some(slot)) => order[mine] == slot,
                _ => true,
            };
            same_slot
                && self.needs.iter().all(|need| {
                    let field = slot_of(need.field.name()).map_or(need.field, |mine| Field::src(order[mine]));
                    need.values.has(field.get(window))
                })
        })
    }

    /// What it has in common with others of its cause.
    #[must_use]
    pub fn signature(&self) -> Signature {
        let classes = match self.shown.kind {
            Kind::Modifier | Kind::Encoding | Kind::Reassembly if self.shown.field != "text" => {
                (String::new(), self.change().to_owned())
            }
            _ => classes(&self.shown),
        };
        let field = without_slot(&self.key.field).to_owned();
        // The entry or the rule that it names is the cause, whatever the word.
        let (needs, classes) = match self.is_named() {
            true => (Vec::new(), Classes::default()),
            false => (self.sorted().into_iter().map(|need| need.name()).collect(), classes),
        };
        Signature { direction: self.key.direction, kind: self.key.kind, field, needs, classes }
    }

    fn is_named(&self) -> bool {
        matches!(self.key.kind, Kind::LedgerSilent | Kind::NoteUnexplained)
    }

    /// Where in the signature it is.
    #[must_use]
    pub fn point(&self) -> Point {
        if self.is_named() {
            return Point { target: 0, opcode: String::new(), values: Vec::new() };
        }
        Point {
            target: self.target.place(),
            opcode: self.opcode.clone(),
            values: self.sorted().into_iter().map(|need| need.values.clone()).collect(),
        }
    }

    /// What is needed, by name; sources by value, as their slots do not count.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Proven> {
        let mut needs: Vec<&Proven> = self.needs.iter().collect();
        needs.sort_by_key(|need| (need.name(), &need.values));
        needs
    }

    /// What became of a modifier or a field of the word.
    #[must_use]
    pub fn change(&self) -> &'static str {
        let plain = |text: &str| is_plain(self.target, &self.subject.window, &self.shown.field, text);
        match (plain(&self.shown.ours), plain(&self.shown.theirs)) {
            (_, true) => "dropped",
            (true, false) => "added",
            (false, false) => "changed",
        }
    }
}

/// Whether the value of a field, as findings spell it, is the plainest one.
fn is_plain(target: Target, window: &Window, name: &str, text: &str) -> bool {
    if text.starts_with("no ") {
        return true;
    }
    let plain = Field::from_name(name).map_or(0, |field| plain_value(target, window, field));
    // `0x1 in d38f4000 18020501` of an encoding.
    if let Some((value, _)) = text.split_once(" in ") {
        return value.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok()) == Some(plain);
    }
    // `[1,0]`, source 0 first.
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let bits: Vec<bool> = list.split(',').map(|bit| bit == "1").collect();
        return bits.iter().enumerate().all(|(slot, bit)| (plain >> slot & 1 == 1) == *bit);
    }
    text == "0"
}

/// AMD's name of the opcode of a window, LLVM's where AMD has none, or its number: `#17`.
#[must_use]
pub fn opcode_name(target: Target, window: &Window) -> String {
    let number = opcode_number(target, window);
    target.opcode(number).map_or_else(|| format!("#{number}"), |opcode| name_of(opcode).to_owned())
}

fn name_of(opcode: &Opcode) -> &'static str {
    if opcode.amd.is_empty() { opcode.llvm } else { opcode.amd }
}

/// The window on another target: its prefix, and the number of the opcode there. Nothing if it has none of the name.
#[must_use]
pub fn translated(window: &Window, from: Target, to: Target) -> Option<Window> {
    if from == to {
        return Some(*window);
    }
    let number = opcode_number(from, window);
    let number = match from.opcode(number) {
        Some(opcode) => to.opcodes().find(|other| name_of(other) == name_of(opcode))?.number,
        None if to.opcode(number).is_none() => number,
        None => return None,
    };
    let (old, new) = (from.rules().prefix, to.rules().prefix);
    let dword = window.dwords()[0];
    if dword & old.mask != old.value {
        return None;
    }
    Some(window.with_dword(0, new.value | u32::from(number) << 16 | dword & 0xffff))
}
