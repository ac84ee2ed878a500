//! A case whose result is in doubt, as a block for people and as a JSON line.

use std::fmt::Write as _;

use serde::Serialize;

use super::evaluation::Evaluation;
use super::finding::SCHEMA;
use super::steps::in_words;
use super::value::Kind;
use crate::asm;
use crate::campaign::values::{Case, Difference, OLD, ValueFinding, parts};
use crate::codec::encode;
use crate::exec::Registers;
use crate::exec::watch::Step;
use crate::isa::{Format, Operation};
use crate::question::{Mode, QUESTIONS};

/// A case and the difference between the answers, as one aligned block.
#[must_use]
pub fn value_block(finding: &ValueFinding, difference: &Difference) -> String {
    let case = &finding.case;
    let mut text = format!("new finding: value {}\n", difference.step);
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "  {name:<8} {value}");
    };
    line("target", &case.target.to_string());
    line("text", &asm::print(case.target, &case.instruction));
    line("window", &window(case));
    line("mode", &mode_in_words(case.mode));
    let readings = readings(case);
    if !readings.is_empty() {
        line("readings", &readings.join(" "));
    }
    line("operands", &registers(case));
    for lane in lanes(finding) {
        line(lane.name, &lane.expression);
        line("", &format!("= {}", lane.values));
        line("", &lane.answers);
    }
    line("ours", &answer(finding.ours));
    line("MPFR", &answer(finding.mpfr));
    line("differs", &format!("{}: {}: {}", difference.lane, difference.step, difference.text));
    for step in our_steps(finding) {
        line("step", &step);
    }
    line("replay", &replay_command(case));
    text
}

#[derive(Serialize)]
struct LineView {
    schema: u32,
    kind: &'static str,
    target: String,
    text: String,
    window: String,
    mode: String,
    mode_fields: String,
    readings: Vec<String>,
    operands: String,
    lanes: Vec<LaneView>,
    ours: Option<String>,
    mpfr: Option<String>,
    lane: &'static str,
    step: &'static str,
    differs: String,
    steps: Vec<String>,
    replay: String,
}

/// One result of the instruction.
#[derive(Serialize)]
struct LaneView {
    name: &'static str,
    expression: String,
    values: String,
    #[serde(skip)]
    answers: String,
    ours: Option<String>,
    mpfr: Option<String>,
    apfloat: Option<String>,
}

/// A case and the difference as one JSON object, without a line break.
#[must_use]
pub fn value_json_line(finding: &ValueFinding, difference: &Difference) -> String {
    let case = &finding.case;
    let line = LineView {
        schema: SCHEMA,
        kind: "value",
        target: case.target.to_string(),
        text: asm::print(case.target, &case.instruction),
        window: window(case),
        mode: case.mode.to_string(),
        mode_fields: case.mode.in_words(),
        readings: readings(case),
        operands: registers(case),
        lanes: lanes(finding),
        ours: finding.ours.map(|bits| answer(Some(bits))),
        mpfr: finding.mpfr.map(|bits| answer(Some(bits))),
        lane: difference.lane,
        step: difference.step,
        differs: difference.text.clone(),
        steps: our_steps(finding),
        replay: replay_command(case),
    };
    serde_json::to_string(&line).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
}

/// The command that shows the case again.
#[must_use]
pub fn replay_command(case: &Case) -> String {
    let mut command = format!("vop3p eval -t {} --mode {}", case.target, case.mode);
    for reading in readings(case) {
        _ = write!(command, " --reading {reading}");
    }
    _ = write!(command, " '{}'", window(case));
    let registers = registers(case);
    if !registers.is_empty() {
        _ = write!(command, " {registers}");
    }
    command + " --against mpfr"
}

fn window(case: &Case) -> String {
    encode(case.target, &case.instruction).map_or_else(|error| error.to_string(), |window| window.to_string())
}

fn registers(case: &Case) -> String {
    Registers::of(case.target, &case.instruction, &case.inputs).to_string()
}

fn mode_in_words(mode: Mode) -> String {
    let words = mode.in_words();
    if words.is_empty() { format!("{mode} (the default)") } else { format!("{mode} ({words})") }
}

/// What is no default, as `--reading` takes it.
fn readings(case: &Case) -> Vec<String> {
    let chosen = |row: &'static crate::question::QuestionRow| {
        let answer = case.readings.answer(row.question);
        let is_default = answer.reading == row.default_on(case.target).0.reading;
        (!is_default).then(|| format!("{}={}", row.id, answer.name))
    };
    QUESTIONS.iter().filter_map(chosen).collect()
}

fn answer(answer: Option<u64>) -> String {
    answer.map_or_else(
        || "none".to_owned(),
        |bits| {
            if bits >> 32 == 0 { format!("{bits:#010x}") } else { format!("{bits:#018x}") }
        },
    )
}

/// Our own steps to the result, unless it was another exec than this one that gave it.
fn our_steps(finding: &ValueFinding) -> Vec<String> {
    let Case { target, instruction, inputs, mode, readings } = &finding.case;
    let evaluation = Evaluation::new(*target, instruction, inputs, *mode, *readings);
    match evaluation.filter(|evaluation| Some(evaluation.result) == finding.ours) {
        None => Vec::new(),
        Some(evaluation) => in_words(&evaluation)
            .into_iter()
            .map(|step| {
                format!("{}{}: {}", step.of.map_or(String::new(), |of| format!("{of}, ")), step.step, step.text)
            })
            .collect(),
    }
}

/// Each result: the operation on its operands, and everybody's answer.
fn lanes(finding: &ValueFinding) -> Vec<LaneView> {
    let case = &finding.case;
    let Case { target, instruction, inputs, mode, readings } = case;
    let kind = result_kind(case);
    let Some(evaluation) = Evaluation::new(*target, instruction, inputs, *mode, *readings) else { return Vec::new() };
    let operands = operands(case, &evaluation.steps);
    let results = parts(case).into_iter().filter(|(_, name)| *name != OLD).zip(operands).zip(finding.apfloat);
    let bits = |answer: Option<u64>, low: u32| answer.map(|bits| (bits >> low) as u32 & mask(kind));
    results
        .map(|(((low, name), operands), apfloat)| {
            let (ours, mpfr) = (bits(finding.ours, low), bits(finding.mpfr, low));
            let shown = |bits: Option<u32>| bits.map_or_else(|| "none".to_owned(), |bits| both(kind, bits));
            let second = apfloat.map_or(String::new(), |bits| format!(", apfloat {}", both(kind, bits)));
            LaneView {
                name,
                expression: expression(case, kind, &operands, |operand| operand.hex()),
                values: expression(case, kind, &operands, |operand| operand.value()),
                answers: format!("ours {}, MPFR {}{second}", shown(ours), shown(mpfr)),
                ours: ours.map(|bits| kind.hex(bits)),
                mpfr: mpfr.map(|bits| kind.hex(bits)),
                apfloat: apfloat.map(|bits| kind.hex(bits)),
            }
        })
        .collect()
}

fn both(kind: Kind, bits: u32) -> String {
    format!("{} ({})", kind.hex(bits), kind.value(bits))
}

const fn mask(kind: Kind) -> u32 {
    if kind.digits() == 8 { u32::MAX } else { 0xffff }
}

/// An operand after selection and modifiers.
struct Operand {
    kind: Kind,
    bits: u32,
    /// Whether the format stands in front of the bits: where the operands have several.
    is_mixed: bool,
}

impl Operand {
    fn hex(&self) -> String {
        let bits = self.kind.hex(self.bits);
        if self.is_mixed { format!("{}:{bits}", self.kind.name()) } else { bits }
    }

    /// `5.9604645e-8 subnormal`.
    fn value(&self) -> String {
        self.kind.value(self.bits).replace(", ", " ")
    }
}

/// The operands of each result, as exec selects them.
fn operands(case: &Case, steps: &[Step]) -> Vec<Vec<Operand>> {
    let is_mixed = matches!(case.instruction.opcode.operation, Some(Operation::Mix(_)));
    let result = result_kind(case);
    let narrow = if case.instruction.opcode.amd.ends_with("BF16") { Kind::Bf16 } else { Kind::F16 };
    let mut lanes: Vec<Vec<Operand>> = Vec::new();
    for step in steps {
        match *step {
            Step::Lane(_) => lanes.push(Vec::new()),
            Step::Operand { bits, width, .. } => {
                let kind = match (is_mixed, width) {
                    (true, 16) => narrow,
                    (true, _) => Kind::F32,
                    _ => result,
                };
                if let Some(lane) = lanes.last_mut() {
                    lane.push(Operand { kind, bits, is_mixed });
                }
            }
            _ => {}
        }
    }
    lanes
}

fn result_kind(case: &Case) -> Kind {
    match case.instruction.opcode.vdst {
        Format::F32 | Format::Pk2F32 => Kind::F32,
        Format::Bf16 | Format::Pk2Bf16 => Kind::Bf16,
        Format::Pk2I16 => Kind::I16,
        Format::Pk2U16 => Kind::U16,
        Format::Pk2B32 => Kind::B32,
        _ => Kind::F16,
    }
}

/// `f16.fma(3c00, 4100, 0001)`; with `.clamp` behind it.
fn expression(case: &Case, kind: Kind, operands: &[Operand], show: impl Fn(&Operand) -> String) -> String {
    let operands: Vec<String> = operands.iter().map(show).collect();
    let clamp = if case.instruction.clamp { ".clamp" } else { "" };
    let name = case.instruction.opcode.operation.map_or("?", operation_name);
    format!("{}.{name}({}){clamp}", kind.name(), operands.join(", "))
}

const fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Fma | Operation::Mix(_) => "fma",
        Operation::Add | Operation::AddInteger => "add",
        Operation::Mul => "mul",
        Operation::Min | Operation::MinInteger => "min",
        Operation::Max | Operation::MaxInteger => "max",
        Operation::MinNum => "min_num",
        Operation::MaxNum => "max_num",
        Operation::Minimum => "minimum",
        Operation::Maximum => "maximum",
        Operation::Min3Num => "min3_num",
        Operation::Max3Num => "max3_num",
        Operation::Minimum3 => "minimum3",
        Operation::Maximum3 => "maximum3",
        Operation::MadInteger => "mad",
        Operation::MulLow => "mul_lo",
        Operation::SubInteger => "sub",
        Operation::ShiftLeft => "shift_left",
        Operation::ShiftRight => "shift_right",
        Operation::AddMin => "add_min",
        Operation::AddMax => "add_max",
        Operation::Min3 => "min3",
        Operation::Max3 => "max3",
        Operation::Move => "move",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::values::{ValueJudge, diagnose};
    use crate::codec::{Window, decode};
    use crate::isa::Target;
    use crate::question::{Inputs, Readings};

    /// `0001 * 0001 + 7800` toward +inf is 7801 (ROCm/rocm-systems#10854); 7800 by way of a double.
    fn found() -> (ValueFinding, Difference) {
        let target: Target = "gfx1100".parse().unwrap();
        // v_pk_fma_f16 v0, v2, v4, v6
        let instruction = decode(target, &Window::from_word(0x1c1a_0902_cc0e_4000)).unwrap().instruction;
        let inputs = Inputs { src: [1, 1, 0x7800], old: 0 };
        let mode = "round.f16=+inf".parse::<Mode>().unwrap();
        let case = Case { target, instruction, inputs, mode, readings: Readings::of(target) };
        let mut judge = ValueJudge::new(|case| {
            let truncated = Case { mode: Mode::default(), ..*case };
            crate::campaign::values::ours(&truncated)
        });
        let finding = judge.finding(&case).unwrap();
        let difference = diagnose(&mut judge, &finding);
        (finding, difference)
    }

    #[test]
    fn a_finding_as_a_block() {
        let (finding, difference) = found();
        let expected = "\
new finding: value rounding
  target   gfx1100
  text     v_pk_fma_f16 v0, v2, v4, v6
  window   cc0e4000 1c1a0902
  mode     0x3f4 (round.f16=+inf)
  operands v2=00000001 v4=00000001 v6=00007800
  low      f16.fma(0001, 0001, 7800)
           = f16.fma(5.9604645e-8 subnormal, 5.9604645e-8 subnormal, 32768.0)
           ours 7800 (32768.0), MPFR 7801 (32800.0), apfloat 7801 (32800.0)
  high     f16.fma(0000, 0000, 0000)
           = f16.fma(0.0, 0.0, 0.0)
           ours 0000 (0.0), MPFR 0000 (0.0), apfloat 0000 (0.0)
  ours     0x00007800
  MPFR     0x00007801
  differs  low: rounding: -1 units in the last place; ours is what MPFR gives with --mode 0x3f0
  replay   vop3p eval -t gfx1100 --mode 0x3f4 'cc0e4000 1c1a0902' v2=00000001 v4=00000001 v6=00007800 --against mpfr
";
        assert_eq!(value_block(&finding, &difference), expected);
    }

    #[test]
    fn a_finding_as_a_line_of_json() {
        let (finding, difference) = found();
        let line: serde_json::Value = serde_json::from_str(&value_json_line(&finding, &difference)).unwrap();
        assert_eq!(line["kind"], "value");
        assert_eq!(line["mode"], "0x3f4");
        assert_eq!(line["lanes"][0]["expression"], "f16.fma(0001, 0001, 7800)");
        assert_eq!((&line["lanes"][0]["ours"], &line["lanes"][0]["mpfr"]), (&"7800".into(), &"7801".into()));
        assert_eq!((&line["lane"], &line["step"]), (&"low".into(), &"rounding".into()));
    }

    #[test]
    fn a_mix_names_the_format_of_each_operand() {
        let (mut finding, _) = found();
        let case = &mut finding.case;
        // v_fma_mixlo_f16 v0, v2, v4, v6 op_sel_hi:[1,0,0]
        let window = Window::from_word(0x0c1a_0902_cc21_0000);
        case.instruction = decode(case.target, &window).unwrap().instruction;
        case.inputs.old = 0xdead_0000;
        let lanes = lanes(&finding);
        assert_eq!(lanes.len(), 1);
        assert_eq!(lanes[0].expression, "f16.fma(f16:0001, f32:00000001, f32:00007800)");
        assert!(replay_command(&finding.case).contains("v0=dead0000"), "{}", replay_command(&finding.case));
    }
}
