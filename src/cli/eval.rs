//! `vop3p eval`: what an instruction computes, how that is known, and what other sources make of it.

mod all;
mod text;

use std::str::FromStr;

use clap::ValueEnum;
use serde::Serialize;

use super::given::{Given, Refusal};
use super::out::warn;
use super::{Exit, Failure, Out};
use vop3p::asm;
use vop3p::codec::Instruction;
use vop3p::exec::registers::needed;
use vop3p::exec::{Register, Registers};
use vop3p::isa::{Form, Target};
use vop3p::oracle::mpfr::Oracle;
use vop3p::question::{Mode, Reading, Readings};
use vop3p::report::evaluation::{Evaluation, EvaluationView};
use vop3p::report::names::bit_ranges;
use vop3p::report::readings;
use vop3p::report::steps;
use vop3p::report::view::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  vop3p eval -t gfx1100 'v_pk_fma_f16 v0, v1, v2, v3' v1=00010001 v2=00010001 v3=78007800
  vop3p eval -t gfx1100 --mode round.f16=+inf --explain 'v_pk_fma_f16 v0, v1, v1, v2' v1=1 v2=7800
  vop3p eval -t gfx900 'd3a00005 040e0480' v2=3f800000 v3=3f800000
  vop3p eval -t gfx90a 'v_pk_mul_f32 v[0:1], v[2:3], s[4:5]' v[2:3]=40000000_3f800000 s4=1 s5=2
  vop3p eval -t gfx1201 --reading mixlo=single 'v_fma_mixlo_f16 v0, v1, v1, v2' \\
      v0=dead0000 v1=38000000 v2=3f801000
  vop3p eval 'v_pk_min_f16 v0, v1, v2' v1=7e017e01 v2=7e027e02      on every target, by answers

The first line is the destination, of a pair one line a register. Then what the result rests on:
each numeric question that came up, the answer taken, and how that is known on the target:
hardware-captured, documented, emulator, inferred or unknown; then every other result that a
source supports there, one question answered otherwise at a time (`vop3p readings` lists all).

Registers hold 1 to 8 hexadecimal digits; a pair is 16 of them, v[2:3]=HIGH_LOW, or two dwords.
With DPP, source 0 is what the lane receives. MODE is the register (0x3f0) or fields by name,
the others as by default: round.f32, round.f16 = rne, +inf, -inf, zero; denorm.f32, denorm.f16 =
flush, flush-out, flush-in, keep; ieee, dx10_clamp, fp16_ovfl = 0, 1.

--explain writes values in binary, exactly; 0{37} is a run of 37 zeros, | stands where a rounding
cuts.

Exits with 1 if --against differs.";

/// Compute an elementwise instruction bit for bit, and say how the result is known
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The target, as `gfx1100` or `gfx1100:w64`; without it every target that has the instruction
    #[arg(short, long)]
    target: Option<Target>,

    /// The instruction, its text or its window, then what registers hold
    #[arg(required = true, value_name = "TEXT|WINDOW|REGISTER=BITS")]
    given: Vec<String>,

    /// MODE: the register, or fields by name, as `round.f16=+inf,ieee=0`
    #[arg(long, default_value_t, hide_default_value = true)]
    mode: Mode,

    /// Answer a numeric question in this way, as `mixlo=single`; may be repeated
    #[arg(long = "reading", value_name = "QUESTION=ANSWER", value_delimiter = ',')]
    readings: Vec<Choice>,

    /// Show each step: operands, exact values, rounding, flush, clamp; needs -t
    #[arg(long, requires = "target")]
    explain: bool,

    /// Also ask this oracle, and compare
    #[arg(long, value_name = "ORACLE")]
    against: Option<Against>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A reading, as `--reading` takes it.
#[derive(Clone, Copy)]
struct Choice(Reading);

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        readings::parse(text).map(Self)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Against {
    /// The oracle on MPFR, written apart from our arithmetic
    Mpfr,
}

#[derive(Serialize)]
struct OnOne {
    schema: u32,
    #[serde(flatten)]
    evaluation: EvaluationView,
}

#[derive(Serialize)]
struct OnAll {
    schema: u32,
    evaluations: Vec<EvaluationView>,
}

/// What a target makes of the arguments.
struct Answer {
    target: Target,
    view: EvaluationView,
    warnings: Vec<String>,
}

/// Why a target makes nothing of them.
enum NoAnswer {
    /// It has no such instruction, or none that is computed.
    Refused(Refusal),
    /// Registers are missing.
    Missing(Vec<Register>),
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let given = Given::read(&args.given)?;
    check_readings(&args.readings)?;
    match args.target {
        Some(target) => on_one(args, &given, target, out),
        None => all::on_all(args, &given, out),
    }
}

fn check_readings(choices: &[Choice]) -> Result<(), Failure> {
    for (index, choice) in choices.iter().enumerate() {
        let id = choice.0.question().id;
        if choices[..index].iter().any(|other| other.0.question().id == id) {
            return Err(Failure::input(format!("--reading answers `{id}` twice")));
        }
    }
    Ok(())
}

fn on_one(args: &Args, given: &Given, target: Target, out: &mut Out) -> Result<Exit, Failure> {
    let answer = answer(args, given, target).map_err(|no| match no {
        NoAnswer::Refused(refusal) => Failure::input(refusal.message),
        NoAnswer::Missing(missing) => missing_failure(args, given, &missing),
    })?;
    answer.warnings.iter().for_each(|warning| warn(warning));
    let exit = Exit::new_if(differs(&answer.view));
    if args.json {
        out.json(&OnOne { schema: SCHEMA, evaluation: answer.view })?;
    } else {
        text::show(&answer, out);
    }
    Ok(exit)
}

fn differs(view: &EvaluationView) -> bool {
    view.mpfr.as_ref().is_some_and(|mpfr| !mpfr.agrees)
}

/// What one target makes of the arguments.
fn answer(args: &Args, given: &Given, target: Target) -> Result<Answer, NoAnswer> {
    let refused = |message| NoAnswer::Refused(Refusal { message, column: usize::MAX });
    let resolved = given.resolve(target).map_err(NoAnswer::Refused)?;
    let instruction = resolved.instruction;
    let mut warnings = resolved.warnings;
    if instruction.opcode.operation.is_none() {
        return Err(refused(not_computed(target, &instruction)));
    }
    let registers = &given.registers;
    let inputs = registers.inputs(target, &instruction).map_err(|missing| NoAnswer::Missing(missing.0))?;
    let chosen = args.readings.iter().fold(Readings::of(target), |readings, choice| readings.with(choice.0));
    let evaluation = Evaluation::new(target, &instruction, &inputs, args.mode, chosen)
        .ok_or_else(|| refused(not_computed(target, &instruction)))?;
    let read = needed(target, &instruction);
    let held = |register: Register| registers.get(register).map(|bits| (register, bits));
    let mut view = EvaluationView::new(&evaluation, read.iter().copied().filter_map(held));
    warnings.extend(unread(&read, registers));
    view.notes = notes(args, target, &instruction, &view);
    if args.explain {
        view.steps = Some(steps::in_words(&evaluation));
    }
    if args.against == Some(Against::Mpfr) {
        let mpfr = Oracle::new().compute(target, &instruction, &inputs, evaluation.mode, chosen);
        let mpfr = mpfr.ok_or_else(|| refused("MPFR does not compute this instruction".to_owned()))?;
        view = view.against(&evaluation, mpfr);
    }
    Ok(Answer { target, view, warnings })
}

fn not_computed(target: Target, instruction: &Instruction) -> String {
    let family = match instruction.opcode.form {
        Form::Matrix(_) => "a matrix instruction",
        _ => "a dot product",
    };
    let text = asm::print(target, instruction);
    let name = text.split_whitespace().next().unwrap_or(instruction.opcode.llvm);
    format!("{name} is {family}, which is not computed yet; packed math, mix and v_pk_mov_b32 are")
}

/// A warning if a register was given in vain.
fn unread(read: &[Register], registers: &Registers) -> Option<String> {
    let unread: Vec<String> = registers
        .iter()
        .filter(|(register, _)| !read.contains(register))
        .map(|(register, _)| register.to_string())
        .collect();
    let are = if unread.len() == 1 { "is" } else { "are" };
    (!unread.is_empty()).then(|| format!("{} {are} given but not read", unread.join(", ")))
}

/// The registers that are missing, and the command with zeros for them.
fn missing_failure(args: &Args, given: &Given, missing: &[Register]) -> Failure {
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    let mut command = "vop3p eval".to_owned();
    if let Some(target) = args.target {
        command += &format!(" -t {target}");
    }
    if args.mode != Mode::default() {
        let words = args.mode.in_words();
        let is_all = words.parse() == Ok(args.mode);
        command += &format!(" --mode {}", if is_all { words } else { args.mode.to_string() });
    }
    args.readings.iter().for_each(|choice| command += &format!(" --reading {}", choice.0));
    command += &format!(" '{}'", given.written);
    if given.registers.iter().next().is_some() {
        command += &format!(" {}", given.registers);
    }
    names.iter().for_each(|name| command += &format!(" {name}=00000000"));
    Failure::input(format!("{} {are} read but not given; with zeros:\n  {command}", names.join(", ")))
}

/// What is worth knowing besides: what of the arguments has no effect, or no source.
fn notes(args: &Args, target: Target, instruction: &Instruction, view: &EvaluationView) -> Vec<String> {
    let mut notes = Vec::new();
    let taken = args.mode.on(target);
    let changed = taken.raw ^ args.mode.raw;
    let lacking = changed & taken.raw;
    if changed != lacking {
        let bits = bit_ranges(u128::from(changed & !lacking));
        notes.push(format!("MODE bits {bits} decide nothing on {target}: ignored"));
    }
    if lacking != 0 {
        notes.push(format!("{target} has no DX10_CLAMP and no IEEE in MODE: it behaves as with both set"));
    }
    if instruction.dpp.is_some() {
        notes.push("with DPP, source 0 is taken as what the lane receives".to_owned());
    }
    for choice in &args.readings {
        let question = choice.0.question();
        let row = question.readings.iter().find(|row| row.reading == choice.0);
        if row.is_some_and(|row| row.support_on(target).is_none()) {
            notes.push(format!("no source supports {} on {target}", choice.0));
        } else if view.grounds.iter().all(|ground| ground.question != question.id) {
            notes.push(format!("nothing here rests on {}", question.id));
        }
    }
    notes
}
