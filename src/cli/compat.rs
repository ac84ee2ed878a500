//! `vop3p compat`: which instruction is on which target, by AMD's tables and by LLVM.

mod view;

use super::common::Common;
use super::versions::names;
use super::{Exit, Failure, Out};
use vop3p::compat::{Difference, Measured, Number, Row, Seen, Table, What, measure};
use vop3p::isa::{ProcessorSet, Target};
use vop3p::ledger::Ledger;
use vop3p::report::names::compact_targets;
use vop3p::report::view::EntryView;

const EXAMPLES: &str = "\
Examples:
  vop3p compat v_dot2_f32_bf16        which targets have it: by AMD's tables, by LLVM
  vop3p compat V_MAD_MIX_F32          by AMD's name or LLVM's, upper or lower case
  vop3p compat 'v_dot4*'              every name that begins so
  vop3p compat -t gfx950              every instruction of a target
  vop3p compat                        the whole table, the differences last
  vop3p compat --llvm all             with every LLVM that is found
  vop3p compat --llvm none            AMD's tables alone
  vop3p compat --markdown > compat.md

By LLVM means measured: llvm-mc and llvm-objdump are given the plain word of every opcode number
on every target, and llvm-mc the plain text. `same` is: where AMD's tables have it, and nowhere
else, on the targets that this LLVM knows. Exit code 1: a difference that the ledger lacks.";

/// List which instruction is on which target: by AMD's tables, by each LLVM, and where they differ
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Names of instructions, AMD's or LLVM's; one that ends in `*` is the beginning of some
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Only the instructions of this target
    #[arg(short, long)]
    target: Option<Target>,

    #[command(flatten)]
    common: Common,

    /// Print a table in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The column of the values behind names.
const WIDTH: usize = 16;

/// So many instructions are shown at length; more are a table.
const FEW: usize = 6;

/// A difference, and the names of the instructions that differ so.
type Alike<'a> = (&'a Difference, Vec<&'a str>);

/// The table, and what of it is shown.
struct Shown<'a> {
    table: &'a Table,
    ledger: &'a Ledger,
    measured: &'a [Measured],
    /// What each LLVM is called.
    llvms: Vec<String>,
    target: Option<Target>,
    /// Places of the rows.
    rows: Vec<usize>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let ledger = args.common.ledger()?;
    let llvms = args.common.llvms_or_none()?;
    let targets: Vec<Target> = args.target.map_or_else(|| Target::all().collect(), |target| vec![target]);
    let measured: Vec<Measured> =
        llvms.iter().map(|llvm| measure(llvm, &ledger, &targets)).collect::<Result<_, _>>()?;
    let table = Table::of(&measured);
    let shown = Shown {
        table: &table,
        ledger: &ledger,
        measured: &measured,
        llvms: names(&llvms),
        target: args.target,
        rows: selected(&table, args)?,
    };
    let differences = shown.differences();
    if args.json {
        out.json(&view::View::of(&shown, &differences))?;
    } else if args.names.is_empty() || args.markdown || shown.rows.len() > FEW {
        shown.table(args.markdown, out);
        shown.list_differences(&differences, args.markdown, out);
    } else {
        for place in &shown.rows {
            shown.one(*place, &differences, out);
        }
    }
    Ok(Exit::new_if(differences.iter().any(|one| one.is_new())))
}

fn selected(table: &Table, args: &Args) -> Result<Vec<usize>, Failure> {
    let mut rows: Vec<usize> = if args.names.is_empty() { (0..table.rows.len()).collect() } else { Vec::new() };
    for name in &args.names {
        rows.extend(table.find(name).map_err(|error| Failure::input(error.to_string()))?);
    }
    rows.sort_unstable();
    rows.dedup();
    if args.names.is_empty() {
        let is_on =
            |row: &Row| args.target.is_none_or(|target| row.numbers.values().any(|on| on.contains(target.index())));
        rows.retain(|place| table.rows.get(*place).is_some_and(is_on));
    }
    Ok(rows)
}

fn targets(on: ProcessorSet) -> String {
    if on.is_empty() { "none".to_owned() } else { compact_targets(|place| on.contains(place)) }
}

fn cpus(on: ProcessorSet) -> Vec<&'static str> {
    Target::all().filter(|target| on.contains(target.index())).map(Target::cpu).collect()
}

/// An entry of the ledger in one line.
fn view_of(ledger: &Ledger, id: &str) -> String {
    let view = EntryView::of(ledger, id);
    format!("{id} ({}): {}", view.verdict.unwrap_or_default(), view.title.unwrap_or_default())
}

/// The numbers of these sources, which are added to those that have one.
fn numbered<'a>(of_row: impl Iterator<Item = &'a str>, sources: &mut Vec<&'a str>) -> String {
    let number = |source: &'a str| {
        let place = sources.iter().position(|known| *known == source).unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        });
        format!("[{}]", place + 1)
    };
    of_row.map(number).collect()
}

/// Where one LLVM has an instruction, beside AMD's side.
fn beside(row: &Row, seen: &Seen) -> String {
    let amd = row.amd_on.without(seen.unknown);
    if amd.is_empty() && !row.amd_on.is_empty() && seen.decodes.or(seen.assembles).is_empty() {
        return "no target known".to_owned();
    }
    let both = seen.both();
    let parts = [
        ("also ", both.without(amd)),
        ("not ", amd.without(seen.decodes.or(seen.assembles))),
        ("only decodes on ", seen.decodes.without(seen.assembles)),
        ("only assembles on ", seen.assembles.without(seen.decodes)),
    ];
    let said: Vec<String> =
        parts.iter().filter(|(_, on)| !on.is_empty()).map(|(what, on)| format!("{what}{}", targets(*on))).collect();
    if said.is_empty() { "same".to_owned() } else { said.join("; ") }
}

/// The same on one target.
fn on_target(seen: &Seen, target: Target) -> &'static str {
    let place = target.index();
    match (seen.unknown.contains(place), seen.decodes.contains(place), seen.assembles.contains(place)) {
        (true, ..) => "unknown",
        (_, true, true) => "yes",
        (_, true, false) => "only decodes",
        (_, false, true) => "only assembles",
        (_, false, false) => "no",
    }
}

impl<'a> Shown<'a> {
    /// The rows that are shown.
    fn rows(&self) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter_map(|place| self.table.rows.get(*place))
    }

    /// The differences of what is shown.
    fn differences(&self) -> Vec<Difference> {
        let all = self.table.differences.iter().filter(|one| self.rows.contains(&one.row)).cloned();
        all.filter_map(|one| match self.target {
            Some(target) if !one.on.contains(target.index()) => None,
            Some(target) => Some(Difference { on: ProcessorSet::NONE.with(target.index()), ..one }),
            None => Some(one),
        })
        .collect()
    }

    fn numbers(&self, row: &Row) -> String {
        let is_there = |on: &ProcessorSet| self.target.is_none_or(|target| on.contains(target.index()));
        let numbers: Vec<String> =
            row.numbers.iter().filter(|(_, on)| is_there(on)).map(|(n, _)| n.to_string()).collect();
        numbers.join(", ")
    }

    fn table(&self, markdown: bool, out: &mut Out) {
        let mut head = vec!["opcode", "AMD", "LLVM", "AMD's tables"].into_iter().map(str::to_owned).collect::<Vec<_>>();
        head.extend(self.llvms.iter().map(|name| format!("LLVM {name}")));
        head.push("source".to_owned());
        let mut sources: Vec<&str> = Vec::new();
        let mut lines = vec![head];
        for row in self.rows() {
            let or_none = |name: &str| if name.is_empty() { "-".to_owned() } else { name.to_owned() };
            let mut line = vec![self.numbers(row), or_none(&row.amd), or_none(&row.llvm)];
            match self.target {
                Some(target) => {
                    line.push(if row.amd_on.contains(target.index()) { "yes" } else { "no" }.to_owned());
                    line.extend(row.seen.iter().map(|seen| on_target(seen, target).to_owned()));
                }
                None => {
                    line.push(targets(row.amd_on));
                    line.extend(row.seen.iter().map(|seen| beside(row, seen)));
                }
            }
            line.push(numbered(row.sources(self.target), &mut sources));
            lines.push(line);
        }
        if markdown {
            if let Some(columns) = lines.first().map(Vec::len) {
                lines.insert(1, vec!["---".to_owned(); columns]);
            }
            lines.iter().for_each(|line| out.line(format_args!("| {} |", line.join(" | "))));
        } else {
            out.table(&lines);
        }
        out.line("");
        let item = if markdown { "- " } else { "" };
        for (place, source) in sources.iter().enumerate() {
            out.line(format_args!("{item}[{}] {source}", place + 1));
        }
        let unknown = self.measured.iter().zip(&self.llvms).filter(|(one, _)| !one.unknown.is_empty());
        let unknown: Vec<String> =
            unknown.map(|(one, name)| format!("LLVM {name} does not know {}", targets(one.unknown))).collect();
        if self.target.is_none() && !unknown.is_empty() {
            unknown.iter().for_each(|line| out.line(format_args!("{item}{line}")));
        }
    }

    /// What differs, of all rows that differ alike.
    fn list_differences(&self, differences: &[Difference], markdown: bool, out: &mut Out) {
        if self.measured.is_empty() {
            return;
        }
        let new = differences.iter().filter(|one| one.is_new()).count();
        out.line("");
        let (title, item, inner) = if markdown { ("## ", "- ", "  - ") } else { ("", "", "  ") };
        out.line(format_args!("{title}differences: {new} new, {} known", differences.len() - new));
        if markdown {
            out.line("");
        }
        // By explanation, and below that all rows that differ alike.
        let mut groups: Vec<(&[String], Vec<Alike>)> = Vec::new();
        for one in differences {
            let name = self.table.rows.get(one.row).map_or("", Row::name);
            let place = groups.iter().position(|(entries, _)| *entries == one.entries).unwrap_or_else(|| {
                groups.push((&one.entries, Vec::new()));
                groups.len() - 1
            });
            let Some((_, alike)) = groups.get_mut(place) else { continue };
            let key = |one: &Difference| (one.what.clone(), one.llvms.clone(), one.on);
            match alike.iter_mut().find(|(first, _)| key(first) == key(one)) {
                Some((_, names)) => names.push(name),
                None => alike.push((one, vec![name])),
            }
        }
        for (entries, alike) in groups {
            self.show_entries(entries).iter().for_each(|line| out.line(format_args!("{item}{line}")));
            for (first, names) in alike {
                out.line(format_args!("{inner}{}: {}", self.in_words(first), names.join(", ")));
            }
        }
    }

    /// The entries that explain a difference; that there is none.
    fn show_entries(&self, entries: &[String]) -> Vec<String> {
        if entries.is_empty() {
            return vec!["new: no entry of the ledger explains it".to_owned()];
        }
        entries.iter().map(|id| format!("known: {}", view_of(self.ledger, id))).collect()
    }

    fn in_words(&self, one: &Difference) -> String {
        let llvms: Vec<&str> =
            one.llvms.iter().filter_map(|place| self.llvms.get(*place)).map(String::as_str).collect();
        let (llvm, on) = (format!("LLVM {}", llvms.join(", ")), targets(one.on));
        match &one.what {
            What::More => format!("on {on} in {llvm} and not in AMD's tables"),
            What::Less => format!("on {on} in AMD's tables and not in {llvm}"),
            What::OnlyDecodes => format!("on {on} decoded and not assembled by {llvm}"),
            What::OnlyAssembles => format!("on {on} assembled and not decoded by {llvm}"),
            What::Named(name) => format!("on {on} called {name} by {llvm}"),
        }
    }

    /// One instruction, at length.
    fn one(&self, place: usize, differences: &[Difference], out: &mut Out) {
        let Some(row) = self.table.rows.get(place) else { return };
        out.line(row.name());
        let mut say = |name: &str, value: String| out.aligned(WIDTH, &format!("  {name}"), value);
        if row.has_two_names() {
            say("LLVM's name", row.llvm.clone());
        }
        if let Some(target) = self.target {
            say("AMD's tables", if row.amd_on.contains(target.index()) { "yes" } else { "no" }.to_owned());
            for (seen, name) in row.seen.iter().zip(&self.llvms) {
                say(&format!("LLVM {name}"), on_target(seen, target).to_owned());
            }
        } else {
            say("AMD's tables", targets(row.amd_on));
            for (seen, name) in row.seen.iter().zip(&self.llvms) {
                say(&format!("LLVM {name}"), beside(row, seen));
            }
            let by_llvm = row.seen.iter().fold(ProcessorSet::NONE, |all, seen| all.or(seen.both()));
            say("targets", cpus(if row.amd.is_empty() { by_llvm } else { row.amd_on }).join(" "));
        }
        let number = |(number, on): (&Number, &ProcessorSet)| match row.numbers.len() {
            1 => number.to_string(),
            _ => format!("{number} on {}", targets(*on)),
        };
        say("opcode", row.numbers.iter().map(number).collect::<Vec<_>>().join("; "));
        for source in row.sources(self.target) {
            say("source", source.to_owned());
        }
        if let Some(entry) = row.remark() {
            say("see", view_of(self.ledger, entry));
        }
        for one in differences.iter().filter(|one| one.row == place) {
            say("difference", self.in_words(one));
            self.show_entries(&one.entries).into_iter().for_each(|line| say("", line));
        }
        out.line("");
    }
}
