//! `vop3p decode`: what our decoder makes of a window.

use serde::Serialize;

use super::common::{one_window, run_together};
use super::{Exit, Failure, Out};
use vop3p::asm;
use vop3p::codec::{Decoded, Undefined, Window, body_of, decode};
use vop3p::isa::{Opcode, PAIRS, PROCESSORS, Target};
use vop3p::plain::opcode_number;
use vop3p::report::diagram;
use vop3p::report::names::{bit_ranges, compact_targets, matrix_kind_name, operand_names};
use vop3p::report::view::{self, FieldView, OurView, SCHEMA, WindowView};

const EXAMPLES: &str = "\
Examples:
  vop3p decode -t gfx900 'd3a00005 040e0480'
  vop3p decode -t gfx900 d3a00005 040e0480 --fields
  vop3p decode 'd3a00005 040e0480'                  on every target, side by side
  vop3p decode -t gfx1100 --json '[0x05,0x00,0x0e,0xcc,0x01,0x05,0x0e,0x1c]'

Exits with 1 if the window is undefined (without -t: on every target).";

/// Decode a window by AMD's specification, on one target or on all of them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The target, as `gfx1100` or `gfx1100:w64`; without it every target
    #[arg(short, long)]
    target: Option<Target>,

    /// The window; dwords and bytes need not be quoted
    #[arg(required = true, value_name = "WINDOW")]
    window: Vec<String>,

    /// Draw the bits and say what each field holds; needs -t
    #[arg(long, requires = "target")]
    fields: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct OnOne {
    schema: u32,
    target: String,
    #[serde(flatten)]
    window: WindowView,
    ours: OurView,
    /// Where else the number is an opcode.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<Elsewhere>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<FieldView>>,
}

#[derive(Serialize)]
struct Elsewhere {
    amd: &'static str,
    targets: Vec<&'static str>,
}

#[derive(Serialize)]
struct OnAll {
    schema: u32,
    #[serde(flatten)]
    window: WindowView,
    answers: Vec<Group>,
}

#[derive(Serialize)]
struct Group {
    targets: Vec<&'static str>,
    ours: OurView,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let window = one_window(&args.window)?;
    match args.target {
        Some(target) => on_one(args, target, &window, out),
        None => on_all(args, &window, out),
    }
}

fn on_one(args: &Args, target: Target, window: &Window, out: &mut Out) -> Result<Exit, Failure> {
    let ours = decode(target, window);
    if args.json {
        out.json(&OnOne {
            schema: SCHEMA,
            target: target.to_string(),
            window: window.into(),
            ours: OurView::of(target, &ours),
            elsewhere: elsewhere(target, &ours),
            fields: args.fields.then(|| view::fields(target, window)),
        })?;
        return Ok(Exit::new_if(ours.is_err()));
    }
    match &ours {
        Ok(decoded) => show(target, window, decoded, out),
        Err(undefined) => {
            out.line(format_args!("undefined: {}", undefined.id()));
            out.named("why", undefined);
            if let Undefined::CutShort { .. } = undefined
                && window.dwords().len() > 1
            {
                out.named("", "`decode` reads the window alone; `vop3p diff` has fixed padding follow it");
            }
            out.named("target", format_args!("{target} ({})", target.rules().name));
            match undefined {
                Undefined::ScaleAlone { number } => {
                    let llvm = target.opcode(*number).map_or("", |opcode| opcode.llvm);
                    out.named("opcode", format_args!("{number}, {llvm} to LLVM, nameless to AMD"));
                    for (index, pair) in PAIRS.iter().filter(|pair| pair.scale == *number).enumerate() {
                        let body = target.opcode(pair.body).map_or("", |opcode| opcode.amd);
                        let name = if index == 0 { "goes before" } else { "" };
                        out.named(name, format_args!("{}, {body}, which makes it {}", pair.body, pair.amd));
                    }
                }
                Undefined::Selector { slot, .. } => {
                    if let Some(what) = matrix_operand(target, window, *slot) {
                        out.named("operand", what);
                    }
                }
                _ => {}
            }
            for Elsewhere { amd, targets } in elsewhere(target, &ours) {
                let targets = compact_targets(|p| targets.contains(&PROCESSORS[p].name));
                out.named("elsewhere", format_args!("{amd}: {targets}"));
            }
            if *undefined == Undefined::NotVop3p {
                hint_dwords(args, &[target], out);
            }
        }
    }
    if args.fields {
        out.line("");
        diagram::draw(target, window).iter().for_each(|line| out.line(line));
    }
    Ok(Exit::new_if(ours.is_err()))
}

fn show(target: Target, window: &Window, decoded: &Decoded, out: &mut Out) {
    let Decoded { instruction, size, notes, ignored } = decoded;
    out.line(asm::print(target, instruction));
    out.named("target", format_args!("{target} ({})", target.rules().name));
    match instruction.scale {
        Some(scale) => {
            out.named("opcodes", format_args!("{} + {}, {}", scale.pair.scale, scale.pair.body, scale.pair.amd))
        }
        None => out.named("opcode", format_args!("{}, {}", instruction.opcode.number, instruction.opcode.amd)),
    }
    out.named("size", format_args!("{size} bytes"));
    out.named("legality", if notes.is_legal() { "legal" } else { "decodable, but not to be used" });
    for row in notes.iter().map(|rule| rule.row()) {
        out.named("note", format_args!("{} ({}): {}", row.id, row.state.name(), row.text));
        out.named("", format_args!("source: {}", row.source));
    }
    // What the window does not have cannot be ignored in it.
    if *ignored != 0 {
        out.named("ignored bits", bit_ranges(*ignored));
    }
    let rest: Vec<String> = window.dwords().iter().skip(usize::from(size / 4)).map(|d| format!("{d:08x}")).collect();
    if !rest.is_empty() {
        out.named("behind it", format_args!("{}, not part of the instruction", rest.join(" ")));
    }
}

/// What a source of a matrix instruction may be; nothing of any other word.
fn matrix_operand(target: Target, window: &Window, slot: u8) -> Option<String> {
    let first = target.opcode(opcode_number(target, window))?;
    let word: &Opcode = if slot < 3 { body_of(target, first, window).unwrap_or(first) } else { first };
    let operand = usize::from(slot) % 3 + 1;
    let name = operand_names(word.matrix()?)[operand];
    let kind = matrix_kind_name(target, word.layout(target)?, operand);
    let instruction = if word.amd.is_empty() { word.llvm } else { word.amd };
    Some(format!("{name} of {instruction} may be {kind}"))
}

/// Where else the number is an opcode, if the target has none of that number: on targets of the same prefix.
fn elsewhere(target: Target, ours: &Result<Decoded, Undefined>) -> Vec<Elsewhere> {
    let Err(Undefined::NoOpcode { number }) = ours else { return Vec::new() };
    let same_prefix = |p: usize| PROCESSORS[p].rules().prefix.value == target.rules().prefix.value;
    let rows: Vec<_> = vop3p::isa::rows().filter(|row| row.number == *number).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row.amd).collect();
    names.sort_unstable();
    names.dedup();
    let on = |amd: &'static str| {
        let has = |p: &usize| same_prefix(*p) && rows.iter().any(|row| row.amd == amd && row.on.contains(*p));
        let targets = (0..PROCESSORS.len()).filter(has).map(|p| PROCESSORS[p].name).collect();
        Elsewhere { amd, targets }
    };
    names.into_iter().map(on).filter(|elsewhere| !elsewhere.targets.is_empty()).collect()
}

/// Says so if a run of digits, which is bytes, would be an instruction if it were dwords.
fn hint_dwords(args: &Args, targets: &[Target], out: &mut Out) {
    let Some(window) = run_together(&args.window) else { return };
    let first = targets.iter().find_map(|target| Some((target, decode(*target, &window).ok()?)));
    if let Some((target, decoded)) = first {
        out.named("hint", "a run of digits is bytes in memory order (05 00 a0 d3 ...)");
        let text = asm::print(*target, &decoded.instruction);
        out.named("", format_args!("as the dwords '{window}' it is {text} on {target}"));
    }
}

fn on_all(args: &Args, window: &Window, out: &mut Out) -> Result<Exit, Failure> {
    let mut groups: Vec<(OurView, Vec<Target>)> = Vec::new();
    for target in Target::all() {
        let view = OurView::of(target, &decode(target, window));
        match groups.iter_mut().find(|(known, _)| *known == view) {
            Some((_, targets)) => targets.push(target),
            None => groups.push((view, vec![target])),
        }
    }
    // Instructions first, each kind in the order of the targets.
    groups.sort_by_key(|(view, _)| matches!(view, OurView::Undefined { .. }));
    let exit = Exit::new_if(groups.iter().all(|(view, _)| matches!(view, OurView::Undefined { .. })));
    if args.json {
        let answers = groups
            .into_iter()
            .map(|(ours, targets)| Group { targets: targets.into_iter().map(Target::cpu).collect(), ours });
        out.json(&OnAll { schema: SCHEMA, window: window.into(), answers: answers.collect() })?;
        return Ok(exit);
    }
    let row = |(view, targets): &(OurView, Vec<Target>)| {
        let names = compact_targets(|p| targets.iter().any(|target| target.cpu() == PROCESSORS[p].name));
        match view {
            OurView::Decoded { text, size, notes, .. } => {
                let notes: Vec<&str> = notes.iter().map(|note| note.rule).collect();
                let notes = if notes.is_empty() { "legal".to_owned() } else { notes.join(", ") };
                vec![text.clone(), format!("{size} bytes"), notes, names]
            }
            OurView::Undefined { id, reason, amd, .. } => {
                let reason = amd.map_or(reason.clone(), |amd| format!("{reason} ({amd})"));
                vec![format!("undefined: {id}"), String::new(), reason, names]
            }
        }
    };
    out.table(&groups.iter().map(row).collect::<Vec<_>>());
    if groups.iter().all(|(view, _)| matches!(view, OurView::Undefined { id: "not-vop3p", .. })) {
        hint_dwords(args, &Target::all().collect::<Vec<_>>(), out);
    }
    Ok(exit)
}
