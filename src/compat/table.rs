//! The table: a row an instruction, AMD's side and what was measured of each LLVM, and where they differ.

use std::collections::BTreeMap;

use super::Number;
use super::measure::{Cell, Measured};
use crate::isa::{Matrix, PAIRS, ProcessorSet, Target, rows};

/// Where an instruction is.
#[derive(Debug)]
pub struct Table {
    /// By number; what only LLVM has comes last.
    pub rows: Vec<Row>,
    /// Where AMD's tables and an LLVM differ, those that are new first.
    pub differences: Vec<Difference>,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// AMD's name; empty if AMD has none.
    pub amd: String,
    /// LLVM's mnemonic; empty if LLVM has none.
    pub llvm: String,
    /// Its numbers, and the processors where it has each by AMD's tables or by an LLVM.
    pub numbers: BTreeMap<Number, ProcessorSet>,
    /// The processors that have it by AMD's tables.
    pub amd_on: ProcessorSet,
    /// Where AMD's side is from, and of which processors that is the source.
    pub sources: Vec<(&'static str, ProcessorSet)>,
    /// What was measured, an LLVM each.
    pub seen: Vec<Seen>,
}

/// Where one LLVM has an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its disassembler shows the word under this mnemonic.
    pub decodes: ProcessorSet,
    /// Its assembler takes the text.
    pub assembles: ProcessorSet,
    /// The processors that it does not know.
    pub unknown: ProcessorSet,
}

impl Seen {
    /// The processors where both tools have it.
    #[must_use]
    pub const fn both(&self) -> ProcessorSet {
        self.decodes.and(self.assembles)
    }
}

/// How an LLVM differs from AMD's tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It has an instruction that AMD's tables do not have there.
    More,
    /// It lacks one.
    Less,
    /// Its disassembler has one that its assembler does not take.
    OnlyDecodes,
    /// Its assembler takes one that its disassembler does not show.
    OnlyAssembles,
    /// Its disassembler shows the word under this name.
    Named(String),
}

/// One difference: of one instruction, the same on some targets and some LLVMs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Place of the row.
    pub row: usize,
    /// The difference.
    pub what: What,
    /// Where.
    pub on: ProcessorSet,
    /// Places of the LLVMs.
    pub llvms: Vec<usize>,
    /// The ledger's entries that explain it; none if it is new.
    pub entries: Vec<String>,
}

impl Difference {
    /// Whether no entry of the ledger explains it.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Table {
    /// The table of AMD's side and these LLVMs.
    #[must_use]
    pub fn of(measured: &[Measured]) -> Self {
        let mut table = Self { rows: ours(measured), differences: Vec::new() };
        for (llvm, one) in measured.iter().enumerate() {
            for ((processor, number), cell) in &one.cells {
                table.add(llvm, *processor, *number, cell, measured);
            }
        }
        table.merge_llvms();
        table.sort();
        table
    }

    /// Whether a difference is in no entry of the ledger.
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.differences.iter().any(Difference::is_new)
    }

    /// Adds what one LLVM makes of one number on one processor.
    fn add(&mut self, llvm: usize, processor: usize, number: Number, cell: &Cell, measured: &[Measured]) {
        let ours = self.rows.iter().position(|row| row.is_ours(processor, number));
        let Some(place) = ours.or_else(|| self.row_of(cell.decodes.as_deref()?, number, measured)) else { return };
        let Some(row) = self.rows.get_mut(place) else { return };
        let other_name = cell.decodes.as_ref().filter(|name| **name != row.llvm);
        let decodes = cell.decodes.is_some() && other_name.is_none();
        let on = row.numbers.entry(number).or_insert(ProcessorSet::NONE);
        *on = on.with(processor);
        if let Some(seen) = row.seen.get_mut(llvm) {
            seen.decodes = if decodes { seen.decodes.with(processor) } else { seen.decodes };
            seen.assembles = if cell.assembles { seen.assembles.with(processor) } else { seen.assembles };
        }
        let what = match (ours.is_some(), other_name, decodes, cell.assembles) {
            (true, None, true, true) => return,
            (true, Some(name), ..) => What::Named(name.clone()),
            (true, _, false, false) => What::Less,
            (false, _, true, true) => What::More,
            (_, _, true, false) => What::OnlyDecodes,
            _ => What::OnlyAssembles,
        };
        let (on, entries) = (ProcessorSet::NONE.with(processor), cell.entries());
        let is_same = |one: &&mut Difference| {
            (one.row, &one.what, &one.entries) == (place, &what, &entries) && one.llvms == [llvm]
        };
        match self.differences.iter_mut().find(is_same) {
            Some(one) => one.on = one.on.or(on),
            None => self.differences.push(Difference { row: place, what, on, llvms: vec![llvm], entries }),
        }
    }

    /// The row of an instruction that AMD's tables do not have there.
    fn row_of(&mut self, llvm: &str, number: Number, measured: &[Measured]) -> Option<usize> {
        let with = |is_it: &dyn Fn(&Row) -> bool| self.rows.iter().position(|row| row.llvm == llvm && is_it(row));
        // Of rows with one mnemonic, that with the number.
        let known = with(&|row| row.numbers.contains_key(&number)).or_else(|| with(&|_| true));
        if known.is_none() {
            self.rows.push(Row { llvm: llvm.to_owned(), ..Row::blank(measured) });
        }
        known.or(self.rows.len().checked_sub(1))
    }

    /// One difference of several LLVMs where they differ alike on the same targets.
    fn merge_llvms(&mut self) {
        let mut merged: Vec<Difference> = Vec::new();
        for new in std::mem::take(&mut self.differences) {
            let key = |one: &Difference| (one.row, one.what.clone(), one.entries.clone(), one.on);
            match merged.iter_mut().find(|one| key(one) == key(&new)) {
                Some(one) => one.llvms.extend(new.llvms),
                None => merged.push(new),
            }
        }
        self.differences = merged;
    }

    fn sort(&mut self) {
        let mut rows: Vec<(usize, Row)> = std::mem::take(&mut self.rows).into_iter().enumerate().collect();
        rows.sort_by_cached_key(|(_, row)| {
            let first = row.numbers.keys().next().copied();
            (row.amd.is_empty(), first, row.amd.clone(), row.llvm.clone())
        });
        for difference in &mut self.differences {
            difference.row = rows.iter().position(|(place, _)| *place == difference.row).unwrap_or_default();
        }
        self.differences.sort_by_cached_key(|one| {
            (!one.is_new(), one.what.clone(), one.entries.clone(), one.llvms.clone(), one.row)
        });
        self.rows = rows.into_iter().map(|(_, row)| row).collect();
    }
}

/// The chips of RDNA1 with dot products.
const RDNA1_DOT: ProcessorSet = ProcessorSet::named(&["gfx1011", "gfx1012"]);

impl Row {
    fn blank(measured: &[Measured]) -> Self {
        let none =
            |one: &Measured| Seen { decodes: ProcessorSet::NONE, assembles: ProcessorSet::NONE, unknown: one.unknown };
        Self {
            amd: String::new(),
            llvm: String::new(),
            numbers: BTreeMap::new(),
            amd_on: ProcessorSet::NONE,
            sources: Vec::new(),
            seen: measured.iter().map(none).collect(),
        }
    }

    /// Whether AMD's tables have it under this number on the processor.
    fn is_ours(&self, processor: usize, number: Number) -> bool {
        self.amd_on.contains(processor) && self.numbers.get(&number).is_some_and(|on| on.contains(processor))
    }

    /// The sources of what AMD's side says of a target; of all.
    pub fn sources(&self, target: Option<Target>) -> impl Iterator<Item = &'static str> {
        let is_of = move |on: ProcessorSet| target.is_none_or(|target| on.contains(target.index()));
        self.sources.iter().filter(move |(_, on)| is_of(*on)).map(|(source, _)| *source)
    }

    /// Whether AMD's name is not LLVM's mnemonic in capitals.
    #[must_use]
    pub fn has_two_names(&self) -> bool {
        !self.amd.is_empty() && !self.llvm.is_empty() && self.amd.to_lowercase() != self.llvm
    }

    /// The entry of the ledger that says more of AMD's side.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        if self.has_two_names() && self.amd.starts_with("V_MAD_MIX") {
            return Some("mad-mix-is-fma-mix");
        }
        // No document of AMD's lists these chips.
        (self.amd.starts_with("V_DOT") && !self.amd_on.is_disjoint(RDNA1_DOT)).then_some("rdna1-dot-products")
    }

    /// AMD's name, or LLVM's mnemonic where AMD has none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.amd.is_empty() { &self.llvm } else { &self.amd }
    }
}

impl Cell {
    /// The entries that explain every difference of the word and the text; none if one is in no entry.
    fn entries(&self) -> Vec<String> {
        let all: Option<Vec<String>> = self.of_word.iter().chain(&self.of_text).map(|one| one.entry.clone()).collect();
        let mut entries = all.unwrap_or_default();
        entries.sort();
        entries.dedup();
        entries
    }
}

/// AMD's side.
fn ours(measured: &[Measured]) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    let mut add = |amd: &str, llvm: &str, number, on: ProcessorSet, source| {
        let place = found.iter().position(|row| row.amd == amd && row.llvm == llvm);
        let place = place.unwrap_or_else(|| {
            found.push(Row { amd: amd.to_owned(), llvm: llvm.to_owned(), ..Row::blank(measured) });
            found.len() - 1
        });
        let Some(row) = found.get_mut(place) else { return };
        let of_number = row.numbers.entry(number).or_insert(ProcessorSet::NONE);
        *of_number = of_number.or(on);
        row.amd_on = row.amd_on.or(on);
        match row.sources.iter_mut().find(|(known, _)| *known == source) {
            Some((_, of)) => *of = of.or(on),
            None => row.sources.push((source, on)),
        }
    };
    // The scale words of CDNA5 alone are no instructions of AMD's.
    for row in rows().filter(|row| !row.amd.is_empty()) {
        add(row.amd, row.llvm, Number { op: row.number, body: None }, row.on, row.source);
    }
    for pair in &PAIRS {
        let has = |target: Target| {
            target.opcode(pair.scale).is_some_and(|row| row.matrix().is_some_and(Matrix::is_scale))
                && target.opcode(pair.body).is_some()
        };
        let on = Target::all().filter(|target| has(*target)).fold(ProcessorSet::NONE, |on, one| on.with(one.index()));
        let source = Target::all().find(|target| has(*target)).and_then(|target| target.opcode(pair.body));
        add(
            pair.amd,
            pair.llvm,
            Number { op: pair.scale, body: Some(pair.body) },
            on,
            source.map_or("", |row| row.source),
        );
    }
    found
}
