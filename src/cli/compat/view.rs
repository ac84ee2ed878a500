//! The table as JSON.

use serde::Serialize;

use super::{Shown, cpus};
use vop3p::compat::{Difference, Row, What};
use vop3p::report::view::{EntryView, SCHEMA};

#[derive(Serialize)]
pub struct View<'a> {
    schema: u32,
    target: Option<String>,
    llvms: Vec<LlvmView<'a>>,
    instructions: Vec<RowView<'a>>,
    differences: Vec<DifferenceView<'a>>,
}

#[derive(Serialize)]
struct LlvmView<'a> {
    name: &'a str,
    version: &'a str,
    /// The processors that it does not know.
    unknown: Vec<&'static str>,
}

#[derive(Serialize)]
struct RowView<'a> {
    /// Empty where AMD has none.
    amd: &'a str,
    /// Empty where LLVM has none.
    llvm: &'a str,
    opcodes: Vec<NumberView>,
    /// Where AMD's tables have it.
    amd_targets: Vec<&'static str>,
    sources: Vec<SourceView>,
    /// An entry of the ledger about AMD's side.
    see: Option<&'static str>,
    /// In the order of `llvms`, of the targets that were asked for.
    measured: Vec<SeenView>,
}

#[derive(Serialize)]
struct NumberView {
    /// `14`, or `53+51` of a pair.
    opcode: String,
    targets: Vec<&'static str>,
}

#[derive(Serialize)]
struct SourceView {
    source: &'static str,
    /// Of these targets it is the source.
    targets: Vec<&'static str>,
}

#[derive(Serialize)]
struct SeenView {
    /// Its disassembler shows the word by this name.
    decodes: Vec<&'static str>,
    /// Its assembler takes the text.
    assembles: Vec<&'static str>,
}

#[derive(Serialize)]
struct DifferenceView<'a> {
    instruction: &'a str,
    /// `more`, `less`, `only-decodes`, `only-assembles`, `named`.
    what: &'static str,
    /// What the LLVM calls it, where that is the difference.
    name: Option<&'a str>,
    llvms: Vec<&'a str>,
    targets: Vec<&'static str>,
    new: bool,
    entries: Vec<EntryView>,
}

impl<'a> View<'a> {
    pub(super) fn of(shown: &'a Shown<'_>, differences: &'a [Difference]) -> Self {
        let llvms = shown.measured.iter().zip(&shown.llvms);
        Self {
            schema: SCHEMA,
            target: shown.target.map(|target| target.to_string()),
            llvms: llvms
                .map(|(one, name)| LlvmView { name, version: &one.version, unknown: cpus(one.unknown) })
                .collect(),
            instructions: shown.rows().map(row).collect(),
            differences: differences.iter().filter_map(|one| difference(shown, one)).collect(),
        }
    }
}

fn row(row: &Row) -> RowView<'_> {
    let number = |(number, on): (&_, &_)| NumberView { opcode: format!("{number}"), targets: cpus(*on) };
    let source = |(source, on): &(&'static str, _)| SourceView { source, targets: cpus(*on) };
    RowView {
        amd: &row.amd,
        llvm: &row.llvm,
        opcodes: row.numbers.iter().map(number).collect(),
        amd_targets: cpus(row.amd_on),
        sources: row.sources.iter().map(source).collect(),
        see: row.remark(),
        measured: row
            .seen
            .iter()
            .map(|seen| SeenView { decodes: cpus(seen.decodes), assembles: cpus(seen.assembles) })
            .collect(),
    }
}

fn difference<'a>(shown: &'a Shown<'_>, one: &'a Difference) -> Option<DifferenceView<'a>> {
    let (what, name) = match &one.what {
        What::More => ("more", None),
        What::Less => ("less", None),
        What::OnlyDecodes => ("only-decodes", None),
        What::OnlyAssembles => ("only-assembles", None),
        What::Named(name) => ("named", Some(name.as_str())),
    };
    Some(DifferenceView {
        instruction: shown.table.rows.get(one.row)?.name(),
        what,
        name,
        llvms: one.llvms.iter().filter_map(|place| shown.llvms.get(*place)).map(String::as_str).collect(),
        targets: cpus(one.on),
        new: one.is_new(),
        entries: one.entries.iter().map(|id| EntryView::of(shown.ledger, id)).collect(),
    })
}
