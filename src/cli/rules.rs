//! `vop3p rules`: what our decoder may note of a word, and why it may call one undefined.

use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::codec::{SelectorFault, Undefined};
use vop3p::isa::RULES;
use vop3p::report::view::{NoteView, SCHEMA};

const EXAMPLES: &str = "\
Examples:
  vop3p rules
  vop3p rules --json

ignored = bits that change nothing: the word is legal; reserved = defined as not to be used;
illegal = not allowed. A word with a note is decoded all the same. A word that is undefined is
not: there is no instruction in it.";

/// List the legality rules that a decoding may note, and the reasons for being undefined
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    rules: Vec<NoteView>,
    undefined: Vec<Reason>,
}

#[derive(Serialize)]
struct Reason {
    id: &'static str,
    text: &'static str,
}

/// One of each.
const UNDEFINED: [Undefined; 11] = [
    Undefined::NotVop3p,
    Undefined::CutShort { needs: 12 },
    Undefined::NoOpcode { number: 0 },
    Undefined::ScaleAlone { number: 0 },
    selector(SelectorFault::Reserved),
    selector(SelectorFault::LiteralBeforeGfx10),
    selector(SelectorFault::LiteralWithDpp),
    selector(SelectorFault::LiteralPlace),
    selector(SelectorFault::DppMarker),
    selector(SelectorFault::SdwaMarker),
    selector(SelectorFault::LdsDirectPlace),
];

const fn selector(why: SelectorFault) -> Undefined {
    Undefined::Selector { slot: 0, selector: 0, why }
}

const fn reason(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::NotVop3p => "the prefix is not VOP3P's",
        Undefined::CutShort { .. } => "the window ends before the instruction does",
        Undefined::NoOpcode { .. } => "the target has no opcode of this number",
        Undefined::ScaleAlone { .. } => "a scale word of CDNA5 without the matrix word it belongs to",
        Undefined::Selector { why, .. } => match why {
            SelectorFault::Reserved => "a source selector that is reserved on this target",
            SelectorFault::LiteralBeforeGfx10 => "selector 255, a literal, which VOP3P takes from gfx10 on",
            SelectorFault::LiteralPlace => "selector 255, a literal, in a matrix instruction, which takes none",
            SelectorFault::LiteralWithDpp => "selector 255, a literal, which does not go with DPP",
            SelectorFault::DppMarker => "a DPP marker (233, 234, 250) where it does not go",
            SelectorFault::SdwaMarker => "the SDWA marker (249), which VOP3P does not have",
            SelectorFault::LdsDirectPlace => "LDS_DIRECT (254) where it does not go",
        },
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let rules: Vec<NoteView> = RULES.iter().map(|row| NoteView::from(row.rule)).collect();
    let undefined: Vec<Reason> = UNDEFINED.iter().map(|one| Reason { id: one.id(), text: reason(*one) }).collect();
    if args.json {
        out.json(&View { schema: SCHEMA, rules, undefined })?;
        return Ok(Exit::Fine);
    }
    out.line("rules, noted of a word that is decoded");
    for NoteView { rule, state, text, source } in rules {
        out.line(format_args!("  {rule:<18}{state:<10}{text}"));
        out.line(format_args!("  {:<28}source: {source}", ""));
    }
    out.line("");
    out.line("reasons why a word is undefined");
    for Reason { id, text } in undefined {
        out.line(format_args!("  {id:<22}{text}"));
    }
    Ok(Exit::Fine)
}
