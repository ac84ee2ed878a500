//! The steps of an evaluation in words.

use serde::Serialize;

use super::evaluation::{Evaluation, RegisterView, dword, in_line};
use super::names::source_name;
use super::value::{Binary, Kind};
use crate::codec::Instruction;
use crate::exec::Register;
use crate::exec::arithmetic::{Env, Rounding};
use crate::exec::watch::Step;
use crate::isa::{Form, Format, Operation, Part, Source};
use crate::question::Reading;

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepView {
    /// Which result it belongs to: `low half`, `high half`, or the register; null of what comes after both.
    pub of: Option<String>,
    /// What is done.
    pub step: &'static str,
    /// How.
    pub text: String,
}

/// Every step of an evaluation worth a word, in order.
#[must_use]
pub fn in_words(evaluation: &Evaluation) -> Vec<StepView> {
    let mut teller = Teller::new(evaluation);
    for step in &evaluation.steps {
        teller.tell(step);
    }
    teller.pack();
    teller.told
}

/// What an instruction computes in.
struct Kinds {
    /// The sources of 16 bits, or all of them.
    narrow: Kind,
    result: Kind,
    is_mix: bool,
}

impl Kinds {
    fn of(instruction: &Instruction) -> Self {
        let opcode = instruction.opcode;
        let is_mix = opcode.form == Form::Mix;
        let is_bf16 = opcode.amd.ends_with("_BF16");
        let half = if is_bf16 { Kind::Bf16 } else { Kind::F16 };
        let result = match opcode.vdst {
            Format::F32 | Format::Pk2F32 => Kind::F32,
            Format::Pk2I16 => Kind::I16,
            Format::Pk2U16 => Kind::U16,
            Format::Pk2B32 => Kind::B32,
            _ => half,
        };
        Self { narrow: if is_mix { half } else { result }, result, is_mix }
    }
}

/// An operand as it goes into the arithmetic.
#[derive(Clone, Copy)]
struct Operand {
    name: &'static str,
    kind: Kind,
    bits: u32,
}

const SOURCES: [&str; 3] = ["S0", "S1", "S2"];

struct Teller<'a> {
    evaluation: &'a Evaluation,
    kinds: Kinds,
    told: Vec<StepView>,
    lane: u8,
    env: Env,
    /// What goes into the arithmetic next; of the sum of a rounded product and source 2 the slots are renamed.
    operands: [Option<Operand>; 3],
    /// The rounded product, or the f32 that is rounded again.
    intermediate: Option<Operand>,
    /// An exact product or sum that nothing has been done with.
    product: Option<Binary>,
    exact: Option<Binary>,
    /// Whether that is a sum.
    is_sum: bool,
    /// How many operands a minimum or maximum has chosen.
    chosen: usize,
    /// Whether a step has said where the result comes from.
    is_decided: bool,
}

impl<'a> Teller<'a> {
    fn new(evaluation: &'a Evaluation) -> Self {
        Self {
            evaluation,
            kinds: Kinds::of(&evaluation.instruction),
            told: Vec::new(),
            lane: 0,
            env: Env::DEFAULT,
            operands: [None; 3],
            intermediate: None,
            product: None,
            exact: None,
            is_sum: false,
            chosen: 0,
            is_decided: false,
        }
    }

    fn say(&mut self, step: &'static str, text: String) {
        let of = Some(self.lane_name());
        self.told.push(StepView { of, step, text });
    }

    fn lane_name(&self) -> String {
        let instruction = &self.evaluation.instruction;
        let dwords = instruction.opcode.vdst.dwords();
        let is_whole = matches!(instruction.opcode.operation, Some(Operation::Mix(Part::Whole)));
        let registers = self.evaluation.destination(0);
        match registers.get(usize::from(self.lane)) {
            Some((register, _)) if dwords == 2 || is_whole => register.to_string(),
            _ if self.lane == 0 => "low half".to_owned(),
            _ => "high half".to_owned(),
        }
    }

    fn tell(&mut self, step: &Step) {
        match *step {
            Step::Environment(env) => self.env = env,
            Step::Lane(lane) => {
                let fresh = Self::new(self.evaluation);
                *self = Self { lane, told: std::mem::take(&mut self.told), ..fresh };
            }
            Step::Operand { slot, bits, width } => self.operand(usize::from(slot), bits, width),
            Step::Widened { slot, bits } => {
                let slot = usize::from(slot);
                self.operands[slot] = Some(Operand { name: SOURCES[slot], kind: Kind::F32, bits });
                self.say(SOURCES[slot], format!("as f32 {}", shown(Kind::F32, bits)));
            }
            Step::FlushedInput { slot, bits } => self.flushed_input(usize::from(slot), bits),
            Step::Product(exact) => {
                let product = Binary::from(exact);
                // A rounded product is multiplied by one, to be added and rounded once.
                if self.intermediate.is_none() {
                    self.say("product", format!("{product}, exact"));
                }
                self.product = Some(product.clone());
                self.exact = Some(product);
                self.is_sum = false;
                self.is_decided = true;
            }
            Step::Sum(_) => {
                let sum = self.sum();
                let text = sum.as_ref().map_or_else(String::new, |sum| format!("{sum}, exact"));
                self.say("sum", text);
                self.exact = sum;
                self.is_sum = true;
                self.is_decided = true;
            }
            Step::ExactZero { negative } => {
                let why = match self.is_sum {
                    true => "a sum of opposites is +0, toward -inf -0",
                    false => "with the sign of the factors",
                };
                self.say("zero", format!("{}: {why}", if negative { "-0" } else { "+0" }));
                self.is_decided = true;
            }
            Step::Rounded { .. } => self.rounded(step),
            Step::FlushedOutput { negative, reaches_normal } => {
                let why = match reaches_normal {
                    true => "rounded it would not be, but the exact value is asked",
                    false => "rounded as if exponents had no end, too",
                };
                let smallest = self.rounds_to().emin();
                let zero = if negative { "-0" } else { "+0" };
                self.say("flush", format!("below the smallest normal number 2^{smallest} ({why}): {zero}"));
            }
            Step::Overflow { result } => {
                let kind = self.rounds_to();
                let why = if self.env.overflow_to_max { "FP16_OVFL" } else { rounding_name(self.env.rounding) };
                self.say("overflow", format!("too large for {}; {why}: {}", kind.name(), shown(kind, result)));
            }
            Step::InvalidProduct { nan_addend } => {
                let also = if nan_addend { "; the addend is a NaN" } else { "" };
                self.say("invalid", format!("zero times infinity{also}"));
            }
            Step::Invalid => {
                self.say("NaN", "the operation has no value: the default NaN".to_owned());
                self.is_decided = true;
            }
            Step::Nan { slot, bits, several } => {
                let name = self.slot(usize::from(slot)).map_or("", |operand| operand.name);
                let also = if several { "; another operand is a NaN, too" } else { "" };
                let kind = if self.kinds.is_mix { Kind::F32 } else { self.kinds.result };
                self.say("NaN", format!("that of {name}: {}{also}", shown(kind, bits)));
                self.is_decided = true;
            }
            Step::NarrowedNan { result, .. } => {
                let kind = self.kinds.narrow;
                self.say("NaN", format!("in {} {}, with the high bits of the payload", kind.name(), kind.hex(result)));
            }
            Step::Chosen { slot, bits } => self.chosen(slot, bits),
            Step::Intermediate(bits) => {
                let name = if self.is_unfused() && self.intermediate.is_none() { "the product" } else { "the f32" };
                self.intermediate = Some(Operand { name, kind: Kind::F32, bits });
                self.product = None;
                self.exact = None;
                self.say("in f32", shown(Kind::F32, bits));
            }
            Step::Integer(value) => {
                self.say("exact", value.to_string());
                self.is_decided = true;
            }
            Step::Clamped { from, to } => {
                let kind = self.kinds.result;
                let text = match from == to {
                    true => format!("{} stays", kind.hex(from)),
                    false => format!("{} becomes {}", kind.hex(from), shown(kind, to)),
                };
                self.say(if kind.is_float() { "clamp" } else { "saturate" }, text);
            }
            Step::Result(bits) => {
                if !self.is_decided && self.kinds.result != Kind::B32 {
                    self.say("infinity", "an operand is infinite, and so is the result".to_owned());
                }
                self.say("result", shown(self.kinds.result, bits));
            }
            Step::Uses(_) => {}
        }
    }

    fn is_unfused(&self) -> bool {
        self.kinds.is_mix && self.evaluation.readings.has(Reading::MixUnfused)
    }

    /// The format that is rounded to.
    fn rounds_to(&self) -> Kind {
        // Of a mix the first rounding is to f32, unless there is only one.
        let last = self.intermediate.is_some() && (!self.is_unfused() || self.intermediate_is_sum());
        let once =
            self.evaluation.readings.has(Reading::MixSingle) && (!self.is_unfused() || self.intermediate.is_some());
        if self.kinds.is_mix && !last && !once { Kind::F32 } else { self.kinds.result }
    }

    fn intermediate_is_sum(&self) -> bool {
        self.intermediate.is_some_and(|operand| operand.name == "the f32")
    }

    fn operand(&mut self, slot: usize, bits: u32, width: u8) {
        let kind = if self.kinds.is_mix && width == 32 { Kind::F32 } else { self.kinds.narrow };
        self.operands[slot] = Some(Operand { name: SOURCES[slot], kind, bits });
        let from = selected(self.evaluation, slot, self.lane);
        self.say(SOURCES[slot], format!("{}; {from}", shown(kind, bits)));
    }

    /// The operand in a slot of the arithmetic: after a rounded product that comes first and source 2 last.
    fn slot(&self, slot: usize) -> Option<Operand> {
        match (self.intermediate, slot) {
            (None, _) => self.operands[slot],
            (Some(_), 1 | 2) => self.operands[2],
            (Some(operand), _) => Some(operand),
        }
    }

    fn flushed_input(&mut self, slot: usize, bits: u32) {
        let Some(operand) = self.slot(slot) else { return };
        let Operand { name, kind, .. } = operand;
        let sign = bits & 1 << (kind.digits() * 4 - 1);
        let flushed = Operand { bits: sign, ..operand };
        match self.intermediate.is_some() {
            false => self.operands[slot] = Some(flushed),
            true if slot == 0 => self.intermediate = Some(flushed),
            true => self.operands[2] = Some(flushed),
        }
        self.say("flush", format!("{name} {} is subnormal: {}", kind.hex(bits), shown(kind, sign)));
    }

    /// The exact sum: of a product and an addend, or of two operands.
    fn sum(&self) -> Option<Binary> {
        let value = |operand: Option<Operand>| operand.and_then(|operand| operand.kind.binary(operand.bits));
        match &self.product {
            Some(product) => Some(product.plus(&value(self.operands[2])?)),
            None => Some(value(self.slot(0))?.plus(&value(self.slot(1))?)),
        }
    }

    fn rounded(&mut self, step: &Step) {
        let Step::Rounded { exponent, kept, rest, half, below, up, exact } = *step else { return };
        self.is_decided = true;
        let precision = 63 - half.trailing_zeros() as usize;
        let source = self.intermediate.and_then(|operand| operand.kind.binary(operand.bits));
        let Some(value) = self.exact.take().or(source) else { return };
        let digits = value.cut(exponent + below as i32, precision);
        let kind = self.rounds_to();
        let how = match rest.cmp(&half) {
            _ if rest == 0 => "nothing is dropped".to_owned(),
            order => {
                let part = match order {
                    std::cmp::Ordering::Less => "below half",
                    std::cmp::Ordering::Equal if kept & 1 == 0 => "a tie, the last digit kept is even",
                    std::cmp::Ordering::Equal => "a tie, the last digit kept is odd",
                    std::cmp::Ordering::Greater => "above half",
                };
                let direction = if up == exact.negative { "down" } else { "up" };
                format!("{part}; {}: {direction}", rounding_name(self.env.rounding))
            }
        };
        self.say("round", format!("to {} {digits}: {how}", kind.name()));
    }

    fn chosen(&mut self, slot: u8, bits: u32) {
        let name = match (self.chosen, slot) {
            (0, _) => SOURCES[usize::from(slot)],
            (_, 0) => "that",
            (..) => "S2",
        };
        self.chosen += 1;
        let kind = self.kinds.result;
        self.say("choose", format!("{name}: {}", shown(kind, bits)));
        self.is_decided = true;
    }

    fn pack(&mut self) {
        let Evaluation { instruction, inputs, result, .. } = self.evaluation;
        let registers = self.evaluation.destination(*result);
        let kept = match instruction.opcode.operation {
            Some(Operation::Mix(Part::Low)) => Some(("31:16", inputs.old >> 16)),
            Some(Operation::Mix(Part::High)) => Some(("15:0", inputs.old & 0xffff)),
            _ => None,
        };
        let text = match (kept, &registers[..]) {
            (Some((bits, old)), [(register, all)]) => {
                format!("{register}={}, of which bits {bits} stay {old:04x}", dword(*all))
            }
            _ => in_line(&RegisterView::all(registers)),
        };
        self.told.push(StepView { of: None, step: "pack", text });
    }
}

const fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "to nearest even",
        Rounding::Up => "toward +inf",
        Rounding::Down => "toward -inf",
        Rounding::Zero => "toward zero",
    }
}

/// `4100 = 2.5 = 1.01b × 2^1`.
fn shown(kind: Kind, bits: u32) -> String {
    let binary =
        kind.binary(bits).filter(|value| !value.is_zero()).map_or(String::new(), |value| format!(" = {value}"));
    format!("{} = {}{binary}", kind.hex(bits), kind.value(bits))
}

/// Where an operand comes from: `the low half of v1, negated`.
fn selected(evaluation: &Evaluation, slot: usize, lane: u8) -> String {
    let Evaluation { instruction, target, readings, .. } = evaluation;
    let opcode = instruction.opcode;
    let source = instruction.src[slot];
    let bit = |mask: u8| mask >> slot & 1 == 1;
    let is_low = lane == 0;
    let select = match opcode.form {
        Form::Move => bit(instruction.op_sel) && !readings.has(Reading::MoveIgnoresOpSel),
        Form::Mix => bit(instruction.op_sel),
        _ => bit(if is_low { instruction.op_sel } else { instruction.op_sel_hi }),
    };
    let is_constant = Register::named(source).is_none();
    let half = if select { "high half" } else { "low half" };
    let name = source_name(source, 1);
    let place = match opcode.form {
        Form::Mix if !bit(instruction.op_sel_hi) => format!("{name} as f32"),
        Form::Mix => format!("the {half} of {name}"),
        _ if opcode.is_wide() => {
            let is_single = target.rules().pk_f32_single_sgpr
                && opcode.form == Form::Packed
                && !matches!(source, Source::Vgpr(_) | Source::Agpr(_));
            let register = Register::named(source);
            let register = if select && !is_single { register.and_then(Register::next) } else { register };
            match register {
                Some(register) => register.to_string(),
                None if is_constant && select && !is_single => format!("the high dword of {name}"),
                None => name,
            }
        }
        _ => format!("the {half} of {name}"),
    };
    let (negated, absolute) = match opcode.form {
        Form::Mix => (bit(instruction.neg_lo), bit(instruction.neg_hi)),
        _ if opcode.vdst.is_integer() => (false, false),
        _ => (bit(if is_low { instruction.neg_lo } else { instruction.neg_hi }), false),
    };
    let modifiers = match (absolute, negated) {
        (false, false) => "",
        (false, true) => ", negated",
        (true, false) => ", its absolute value",
        (true, true) => ", its absolute value negated",
    };
    format!("{place}{modifiers}")
}
