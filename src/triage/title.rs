//! A cause in one line.

use super::class::{classes, slot_of};
use super::cluster::Need;
use super::form::Form;
use crate::compare::Kind;
use crate::isa::{Target, target_names};
use crate::sweep::record::Direction;

/// More opcodes than this are counted.
const MOST_NAMES: usize = 3;

/// Longer lists of values are cut.
const MOST_VALUES: usize = 24;

/// The line: what a tool does to which opcodes under which circumstances, and where.
#[must_use]
pub fn title(form: &Form, needs: &[Need], opcodes: &[&str], targets: &[Target], between: Option<[&str; 2]>) -> String {
    let what = match opcodes {
        [] => "VOP3P".to_owned(),
        few if few.len() <= MOST_NAMES => few.join(", "),
        many => format!("{} opcodes", many.len()),
    };
    let shown = &form.shown;
    let field = needs.iter().find(|need| slot_of(&shown.field).is_some() && slot_of(&need.field).is_some());
    let field = field.map_or(shown.field.as_str(), |need| need.field.as_str());
    let field = if slot_of(field).is_some() || field == "src" { "a source" } else { field };
    let (ours, theirs) = classes(shown);
    let change = form.change();
    let verb = if change == "dropped" { "drops" } else { "changes" };
    let mut with = with(needs, &shown.field);
    let what = match (between, form.key.kind, form.key.direction) {
        (Some([first, second]), ..) => {
            let (a, b) = (&form.answer.ours, &form.answer.theirs);
            with.clear();
            format!("{what}: {first} says {a}, {second} {b}")
        }
        (_, Kind::Acceptance, _) if theirs == "accepts" => format!("LLVM accepts {what}{with}, undefined ({ours})"),
        (_, Kind::Acceptance, _) => format!("LLVM {theirs} {what}{with}"),
        (_, Kind::Modifier, _) if change == "added" => format!("LLVM adds {field} to {what}{with}"),
        (_, Kind::Modifier, _) => format!("LLVM {verb} {field} of {what}{with}"),
        (_, Kind::Operand, _) if theirs == "unreadable" => format!("LLVM shows what is no {field} of {what}{with}"),
        (_, Kind::Operand, _) if ours == theirs => format!("LLVM shows another {ours} as {field} of {what}{with}"),
        (_, Kind::Operand, _) => format!("LLVM shows {theirs} for {ours} as {field} of {what}{with}"),
        (_, Kind::Mnemonic, _) if opcodes.len() > 1 => format!("LLVM exchanges {ours} and {theirs}{with}"),
        (_, Kind::Mnemonic, _) => format!("LLVM shows {} for {}{with}", shown.theirs, shown.ours),
        (_, Kind::Length, _) => format!("LLVM takes {} for {what}{with}, which has {}", shown.theirs, shown.ours),
        (_, Kind::Crash, Direction::Decode) => format!("LLVM's disassembler dies on {what}{with}"),
        (_, Kind::Crash, _) => format!("LLVM's assembler dies on {what}{with}"),
        (_, Kind::Assembling, _) if ours == "assembles" => format!("LLVM's assembler refuses {what}{with}"),
        (_, Kind::Assembling, _) if ours == "refuses" => format!("LLVM's assembler takes {what}{with}"),
        (_, Kind::Assembling, _) => format!("LLVM's assembler takes {what}{with}, forbidden ({ours})"),
        (_, Kind::Encoding, _) => format!("LLVM's assembler {verb} {field} of {what}{with}"),
        (_, Kind::Reassembly, _) if shown.field == "text" => {
            format!("LLVM's assembler refuses what its disassembler prints for {what}{with}")
        }
        (_, Kind::Reassembly, _) => {
            format!("LLVM's assembler {verb} {field} of what its disassembler prints for {what}{with}")
        }
        (_, Kind::ToolsDiffer, _) => format!("llvm-mc and llvm-objdump differ on {what}{with}"),
        (_, Kind::LedgerSilent, _) => return format!("{} is not there any more{}", shown.field, on(targets)),
        (_, Kind::NoteUnexplained, _) => return format!("we note {} for no reason{}", shown.field, on(targets)),
        (_, Kind::Resync, _) => format!("a tool dies behind {what}{with}"),
    };
    what + &on(targets)
}

/// ` with src = 209-229 and clamp = 1`, but for the opcode and for the field that the line names anyway.
fn with(needs: &[Need], field: &str) -> String {
    let is_named = |need: &&Need| need.field == "op" || need.field == field;
    let short = |need: &Need| match need.values.char_indices().nth(MOST_VALUES) {
        // It ends behind a whole value.
        Some((end, _)) => {
            let kept = need.values[..end].rsplit_once(',').map_or(&need.values[..end], |(kept, _)| kept);
            one(&Need { values: format!("{kept},..."), ..need.clone() })
        }
        None => one(need),
    };
    let parts: Vec<String> = needs.iter().filter(|need| !is_named(need)).map(short).collect();
    if parts.is_empty() { String::new() } else { format!(" with {}", parts.join(" and ")) }
}

/// `op_sel[1] = 1`.
#[must_use]
pub fn one(need: &Need) -> String {
    let whole = crate::codec::Field::from_name(&need.field).map_or(9, crate::codec::Field::width);
    let slice = match (need.bits.trailing_zeros(), 32 - need.bits.leading_zeros()) {
        _ if need.field == "op" || need.bits == 0 => String::new(),
        (0, end) if end == whole => String::new(),
        (low, end) if low + 1 == end => format!("[{low}]"),
        (low, end) => format!("[{}:{low}]", end - 1),
    };
    format!("{}{slice} = {}", need.field, need.values)
}

fn on(targets: &[Target]) -> String {
    format!(" on {}", target_names(targets))
}
