//! `vop3p readings`: the numeric questions, and who supports which answer.

use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::isa::{PROCESSOR_COUNT, Target};
use vop3p::question::QUESTIONS;
use vop3p::question::QuestionRow;
use vop3p::report::names::compact_targets;
use vop3p::report::readings::{QuestionView, ReadingView, SupportView, is_among, question};
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p readings                        every question and its answers
  vop3p readings -t gfx1100             what sources say of one target
  vop3p readings mixlo                  one question
  vop3p readings --json

A numeric question is what decides a bit of a result and AMD's documents, captures of hardware,
emulators or drivers answer differently, or nobody answers. `vop3p eval --reading mixlo=single`
takes another answer than the default, which is the best known one:
  hardware-captured  results captured on the chip and published
  documented         stated in AMD's manual of the generation, or by an AMD engineer
  emulator           what an emulator or a driver does, without a published capture
  inferred           concluded from another generation or another rule
  unknown            nobody has published it";

/// List the numeric questions, their answers, and who supports which on what targets
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only what sources say of this target
    #[arg(short, long)]
    target: Option<Target>,

    /// Ids of questions; without one all of them
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    target: Option<String>,
    questions: Vec<QuestionView>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let rows: Vec<&'static QuestionRow> = match &args.ids[..] {
        [] => QUESTIONS.iter().collect(),
        ids => ids.iter().map(|id| question(id)).collect::<Result<_, _>>().map_err(Failure::input)?,
    };
    let all = rows.iter().map(|row| QuestionView::of(row, args.target));
    let questions: Vec<QuestionView> = all.filter(|view| !view.readings.is_empty()).collect();
    if args.json {
        let target = args.target.map(|target| target.to_string());
        out.json(&View { schema: SCHEMA, target, questions })?;
        return Ok(Exit::Fine);
    }
    if let (Some(target), []) = (args.target, &questions[..]) {
        out.line(format_args!("no source speaks of {} on {target}", args.ids.join(", ")));
    }
    for (index, view) in questions.iter().enumerate() {
        if index > 0 {
            out.line("");
        }
        out.line(format_args!("{}: {}", view.question, view.asks));
        view.readings.iter().for_each(|reading| show(args, reading, out));
    }
    Ok(Exit::Fine)
}

fn show(args: &Args, view: &ReadingView, out: &mut Out) {
    let compact = |names: &[&str]| compact_targets(|place| is_among(names, place));
    let default = match view.default_on.len() {
        0 => String::new(),
        PROCESSOR_COUNT => " (default)".to_owned(),
        _ if args.target.is_some() => " (default)".to_owned(),
        _ => format!(" (default on {})", compact(&view.default_on)),
    };
    out.line(format_args!("  {:<11} {}{default}", view.reading, view.says));
    for SupportView { provenance, source, targets } in &view.support {
        let on = if args.target.is_some() { String::new() } else { format!("{}: ", compact(targets)) };
        out.line(format_args!("  {:<12}  {provenance:<19}{on}{source}", ""));
    }
}
