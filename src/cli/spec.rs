//! `vop3p spec`: AMD's machine-readable ISA against our tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::isa::{GENERATIONS, Generation};
use vop3p::report::view::SCHEMA;
use vop3p::spec::{self, Aspect, Difference, Document};

const EXAMPLES: &str = "\
Examples:
  vop3p spec check amdgpu_isa_rdna3.xml
  vop3p spec check isa/*.xml --json
  vop3p spec check amdgpu_isa_cdna4.xml --only V_DOT2_F32_BF16,V_PK_FMA_F16
  vop3p spec check draft.xml --as cdna5       whatever architecture the file names

AMD publishes the files on gpuopen.com as \"machine-readable ISA\"; schemas 1.1 and 1.2 are read.
Each difference is a line: file, line and column of the element, what the file says and what our
table says. Those that are known, such as a misprint of the file, stand at the end with the reason.

Exit code 1: a difference that is not known; 2: a file that cannot be read.";

/// Hold AMD's machine-readable ISA against our tables
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(CheckArgs),
}

/// List every difference of AMD's XML from our tables: opcodes, operands, fields, encodings
#[derive(ClapArgs)]
#[command(after_help = EXAMPLES)]
struct CheckArgs {
    /// Files of AMD's machine-readable ISA
    #[arg(value_name = "FILE.xml", required = true)]
    files: Vec<PathBuf>,

    /// The generation to compare with; without it the one that the file names
    #[arg(long = "as", value_name = "GENERATION", value_parser = parse_generation)]
    generation: Option<Generation>,

    /// Only these instructions, by AMD's names, separated by commas; others may be missing
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_generation(text: &str) -> Result<Generation, String> {
    spec::generation_of(text).ok_or_else(|| {
        let names: Vec<&str> = GENERATIONS.iter().map(|row| row.name).collect();
        format!("`{text}` is none of {}", names.join(", "))
    })
}

#[derive(Serialize)]
struct View {
    schema: u32,
    files: Vec<FileView>,
}

#[derive(Serialize)]
struct FileView {
    file: String,
    /// As the file writes it.
    architecture: String,
    generation: &'static str,
    /// The version of AMD's schema.
    spec_schema: String,
    released: String,
    /// How many instructions of VOP3P the file has.
    instructions: usize,
    new: usize,
    known: usize,
    differences: Vec<DifferenceView>,
}

#[derive(Serialize)]
struct DifferenceView {
    aspect: Aspect,
    line: u32,
    column: u32,
    /// The instruction, the encoding or the data format.
    of: String,
    opcode: Option<u32>,
    /// The operand, the field or the encoding of an opcode.
    part: String,
    encodings: Vec<String>,
    /// What the file says, and what our table says.
    file: String,
    ours: String,
    text: String,
    known: Option<KnownView>,
}

#[derive(Serialize)]
struct KnownView {
    why: &'static str,
    entry: Option<&'static str>,
}

impl DifferenceView {
    fn of(difference: Difference) -> Self {
        Self {
            text: difference.to_string(),
            aspect: difference.aspect,
            line: difference.place.line,
            column: difference.place.column,
            of: difference.of,
            opcode: difference.opcode,
            part: difference.part,
            encodings: difference.encodings,
            file: difference.file,
            ours: difference.ours,
            known: difference.known.map(|known| KnownView { why: known.why, entry: known.entry }),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let Command::Check(args) = &args.command;
    let (mut views, mut failures) = (Vec::new(), Vec::new());
    for path in &args.files {
        match check(path, args) {
            Ok(view) => views.push(view),
            Err(message) => failures.push(message),
        }
    }
    let has_new = views.iter().any(|view| view.new > 0);
    if args.json {
        out.json(&View { schema: SCHEMA, files: views })?;
    } else {
        views.iter().for_each(|view| show(view, out));
    }
    if failures.is_empty() { Ok(Exit::new_if(has_new)) } else { Err(Failure::input(failures.join("\nerror: "))) }
}

fn check(path: &Path, args: &CheckArgs) -> Result<FileView, String> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{file}: {error}"))?;
    let document = spec::read(&bytes).map_err(|error| format!("{file}:{error}"))?;
    let generation = match args.generation {
        Some(generation) => generation,
        None => named_generation(&file, &document)?,
    };
    let only = selected(generation, &args.only)?;
    let differences = spec::check(&document, generation, &only);
    let known = differences.iter().filter(|difference| difference.known.is_some()).count();
    Ok(FileView {
        file,
        architecture: document.architecture.value,
        generation: generation.row().name,
        spec_schema: document.schema,
        released: document.released,
        instructions: document.instructions.len(),
        new: differences.len() - known,
        known,
        differences: differences.into_iter().map(DifferenceView::of).collect(),
    })
}

fn named_generation(file: &str, document: &Document) -> Result<Generation, String> {
    let architecture = &document.architecture;
    spec::generation_of(&architecture.value).ok_or_else(|| {
        let names: Vec<&str> = GENERATIONS.iter().map(|row| row.name).collect();
        let place = architecture.place;
        format!(
            "{file}:{place}: `{}` is no architecture that this knows; --as names one: {}",
            architecture.value,
            names.join(", ")
        )
    })
}

/// The instructions of these names.
fn selected(generation: Generation, only: &[String]) -> Result<Vec<&'static str>, String> {
    let names = spec::names(generation);
    let find = |name: &String| {
        let name = name.trim().to_uppercase();
        let found = names.iter().copied().find(|known| *known == name);
        found.ok_or_else(|| format!("--only: `{name}` is no VOP3P instruction of {}", generation.row().name))
    };
    only.iter().map(find).collect()
}

fn show(view: &FileView, out: &mut Out) {
    let differences = |count: usize, what: &str| match count {
        0 => format!("no {what}difference"),
        1 => format!("1 {what}difference"),
        _ => format!("{count} {what}differences"),
    };
    let known = if view.known > 0 { format!(", {} known", view.known) } else { String::new() };
    let released = if view.released.is_empty() { String::new() } else { format!(" of {}", view.released) };
    out.line(format_args!(
        "{}: {} ({}), schema {}{released}, {} instructions of VOP3P: {}{known}",
        view.file,
        view.architecture,
        view.generation,
        view.spec_schema,
        view.instructions,
        differences(view.new, if view.known > 0 { "new " } else { "" }),
    ));
    let line = |one: &DifferenceView| format!("  {}:{}:{}: {}", view.file, one.line, one.column, one.text);
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for one in view.differences.iter().filter(|one| one.known.is_none()) {
        let group = one.aspect.group();
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, lines)) => lines.push(line(one)),
            None => groups.push((group, vec![line(one)])),
        }
    }
    let mut reasons: BTreeMap<(&str, Option<&str>), Vec<String>> = BTreeMap::new();
    for one in &view.differences {
        if let Some(known) = &one.known {
            reasons.entry((known.why, known.entry)).or_default().push(line(one));
        }
    }
    for (name, lines) in groups {
        out.line(name);
        lines.iter().for_each(|line| out.line(line));
    }
    for ((why, entry), lines) in reasons {
        let entry = entry.map_or(String::new(), |entry| format!(" (vop3p ledger show {entry})"));
        out.line(format_args!("known: {why}{entry}"));
        lines.iter().for_each(|line| out.line(line));
    }
}
