//! From a seed to instructions with MODE, readings and operand bits.

use super::Case;
use super::aim::{Aim, float, integer, operands};
use super::concern::{Concern, choices};
use super::shape::{BF16, F16, F32, Shape};
use crate::campaign::Draw;
use crate::codec::Instruction;
use crate::isa::{Format, GENERATIONS, INLINE_FLOATS, Opcode, Operation, Part, Source, SourceKind, Special, Target};
use crate::question::{Inputs, Mode, Reading, Readings};

/// How many sets of operands one drawn instruction gets.
const OPERANDS: usize = 4;

/// Percent of the instructions with the default MODE, and with the default readings.
const DEFAULT_MODE: u32 = 35;
const DEFAULT_READINGS: u32 = 75;

/// A target with the elementwise opcodes it has, each as often as it is drawn, and its readings.
#[derive(Debug)]
struct Drawn {
    target: Target,
    opcodes: Vec<&'static Opcode>,
    readings: Readings,
}

/// Draws cases of all targets. Generations are drawn alike, whatever the number of their processors.
#[derive(Debug)]
pub struct Generator {
    generations: Vec<Vec<Drawn>>,
    /// The readings of questions with several, that concern packed floats, mix, and integers and moves.
    choices: [Vec<Reading>; 3],
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    /// The generator.
    #[must_use]
    pub fn new() -> Self {
        let drawn = |target: Target| {
            let opcodes = target.opcodes().filter_map(|opcode| Some((opcode, weight(opcode.operation?))));
            let opcodes = opcodes.flat_map(|(opcode, weight)| std::iter::repeat_n(opcode, weight)).collect();
            Drawn { target, opcodes, readings: Readings::of(target) }
        };
        let of = |generation| Target::all().filter(move |target| target.generation() == generation);
        let mut generations: Vec<Vec<Drawn>> =
            GENERATIONS.iter().map(|row| of(row.generation).map(drawn).collect()).collect();
        generations.retain(|targets| !targets.is_empty());
        // Half of all elementwise opcodes are CDNA5's alone.
        let cdna5 = of(crate::isa::Generation::Cdna5).map(drawn).collect();
        generations.push(cdna5);
        Self { generations, choices: Concern::ALL.map(choices) }
    }

    /// `count` cases drawn from a seed.
    #[must_use]
    pub fn batch(&self, seed: u64, count: usize) -> Vec<Case> {
        let mut draw = Draw::new(seed);
        let mut cases = Vec::with_capacity(count + OPERANDS);
        while cases.len() < count {
            let mut case = self.frame(&mut draw);
            for _ in 0..OPERANDS {
                case.inputs = inputs(&mut draw, &case);
                cases.push(case);
            }
        }
        cases.truncate(count);
        cases
    }

    /// A case.
    #[must_use]
    pub fn case(&self, draw: &mut Draw) -> Case {
        let mut case = self.frame(draw);
        case.inputs = inputs(draw, &case);
        case
    }

    /// A case whose operands are zero.
    fn frame(&self, draw: &mut Draw) -> Case {
        let targets = &self.generations[draw.below(self.generations.len() as u32) as usize];
        let Drawn { target, opcodes, readings } = &targets[draw.below(targets.len() as u32) as usize];
        let opcode = draw.one_of(opcodes);
        let mut instruction = instruction(draw, *target, opcode);
        let mut mode = mode(draw);
        let readings = self.readings(draw, opcode.operation, *readings);
        if is_cut(readings) && draw.chance(75) {
            // With IEEE set every NaN is quiet.
            mode.raw &= !0x200;
            instruction.clamp ^= draw.chance(25);
        }
        let mode = mode.on(*target);
        Case { target: *target, instruction, inputs: Inputs::default(), mode, readings }
    }

    /// Mostly the default ones, else others of a question or two.
    pub(super) fn readings(&self, draw: &mut Draw, operation: Option<Operation>, defaults: Readings) -> Readings {
        if draw.chance(DEFAULT_READINGS) {
            return defaults;
        }
        let choices = &self.choices[Concern::of(operation) as usize];
        let once = defaults.with(draw.one_of(choices));
        if draw.chance(40) { once.with(draw.one_of(choices)) } else { once }
    }
}

/// Whether a signalling NaN that is narrowed is not simply made quiet.
fn is_cut(readings: Readings) -> bool {
    !readings.has(Reading::NarrowNanQuiet)
}

/// How often an operation is drawn: by what there is to get wrong.
const fn weight(operation: Operation) -> usize {
    match operation {
        Operation::Fma | Operation::Mix(_) => 6,
        Operation::Add | Operation::Mul => 4,
        Operation::Min | Operation::Max | Operation::MinNum | Operation::MaxNum => 3,
        Operation::Minimum | Operation::Maximum | Operation::Minimum3 | Operation::Maximum3 => 3,
        Operation::MadInteger | Operation::Min3Num | Operation::Max3Num | Operation::Move => 2,
        _ => 1,
    }
}

/// The register: the default, one field of it changed, or any.
pub(super) fn mode(draw: &mut Draw) -> Mode {
    let default = Mode::default();
    if draw.chance(DEFAULT_MODE) {
        return default;
    }
    // FP_ROUND and FP_DENORM of each width, DX10_CLAMP, IEEE, FP16_OVFL.
    let fields = [0x3, 0xc, 0x30, 0xc0, 0x100, 0x200, 0x80_0000];
    let any = draw.bits();
    if draw.chance(40) {
        return Mode { raw: any & 0x80_03ff };
    }
    let mask = draw.one_of(&fields) | if draw.chance(50) { draw.one_of(&fields) } else { 0 };
    Mode { raw: default.raw & !mask | any & mask }
}

/// An instruction with sources and modifiers of all kinds, legal but for what the number of scalar values allows.
pub(super) fn instruction(draw: &mut Draw, target: Target, opcode: &'static Opcode) -> Instruction {
    let mut src = [Source::Int(0); 3];
    for (slot, source) in src.iter_mut().enumerate().take(opcode.sources()) {
        *source = vgpr(draw, slot);
    }
    let constants = match draw.below(10) {
        0..=4 => 0,
        5..=8 => 1,
        _ => 2,
    };
    for _ in 0..constants {
        let slot = draw.below(opcode.sources() as u32) as usize;
        src[slot] = other_source(draw, target, opcode, slot);
    }
    if draw.chance(3) {
        // The same register twice.
        src[1] = src[0];
    }
    let mut instruction = Instruction::plain(opcode, 240 + (draw.below(8) * 2) as u8, src);
    let used = (1_u32 << opcode.sources()) - 1;
    let is_mix = matches!(opcode.operation, Some(Operation::Mix(_)));
    let select = if is_mix { 70 } else { 35 };
    let negate = if opcode.integer_sources() == 0 { 35 } else { 8 };
    let mut mask = |percent: u32, plain: u8| {
        if draw.chance(percent) { (draw.bits() & used) as u8 } else { plain }
    };
    instruction.op_sel = mask(select, instruction.op_sel);
    instruction.op_sel_hi = mask(select, instruction.op_sel_hi);
    instruction.neg_lo = mask(negate, 0);
    instruction.neg_hi = mask(negate, 0);
    instruction.clamp = draw.chance(25);
    // Two literals are one only if they are equal.
    let literal = instruction.literal();
    for source in &mut instruction.src {
        if let (Source::Literal(value), Some(literal)) = (source, literal) {
            *value = literal;
        }
    }
    instruction
}

/// A VGPR, or the first of a pair, that no other slot draws.
fn vgpr(draw: &mut Draw, slot: usize) -> Source {
    Source::Vgpr((80 * slot as u32 + 2 * draw.below(39)) as u8)
}

/// A source that is no VGPR.
fn other_source(draw: &mut Draw, target: Target, opcode: &Opcode, slot: usize) -> Source {
    let is_wide = opcode.src[slot].dwords() > 1;
    match draw.below(20) {
        0..=5 => {
            let number = 2 * draw.below(50);
            Source::Sgpr((if is_wide { number } else { number + draw.below(2) }) as u8)
        }
        6..=9 => Source::Int(draw.one_of(&[0, 1, 2, 3, 15, 16, 17, 63, 64, -1, -2, -16])),
        10..=14 => Source::Float(INLINE_FLOATS[draw.below(INLINE_FLOATS.len() as u32) as usize].float),
        15..=17 if takes_literal(target, opcode, slot) => Source::Literal(literal(draw, opcode.src[slot])),
        18 => {
            let wide = [Special::VccLo, Special::ExecLo, Special::Null];
            let narrow = [Special::VccHi, Special::M0, Special::ExecHi, Special::Scc, Special::Null];
            let special = Source::Special(if is_wide { draw.one_of(&wide) } else { draw.one_of(&narrow) });
            if target.has(special) { special } else { Source::Ttmp(2) }
        }
        _ => vgpr(draw, slot),
    }
}

fn takes_literal(target: Target, opcode: &Opcode, slot: usize) -> bool {
    let kind: SourceKind = opcode.source_kind(target, slot);
    target.rules().literal && kind.takes_literal()
}

fn literal(draw: &mut Draw, format: Format) -> u32 {
    match element(format) {
        Element::Float(shape) if shape.width() == 16 => float(draw, shape) | float(draw, shape) << 16,
        Element::Float(shape) => float(draw, shape),
        Element::Integer => integer(draw) | integer(draw) << 16,
        Element::Mixed if draw.bits() & 1 == 0 => float(draw, F32),
        Element::Mixed => float(draw, F16) | float(draw, F16) << 16,
        Element::Dword => draw.bits(),
    }
}

/// What an operand is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Float(Shape),
    Integer,
    /// An f32, or 16 bits of a float.
    Mixed,
    Dword,
}

/// What an operand of this format is made of.
pub(super) const fn element(format: Format) -> Element {
    match format {
        Format::Pk2F16 | Format::F16 => Element::Float(F16),
        Format::Pk2Bf16 | Format::Bf16 => Element::Float(BF16),
        Format::Pk2F32 | Format::F32 => Element::Float(F32),
        Format::Pk2I16 | Format::Pk2U16 => Element::Integer,
        Format::B32 => Element::Mixed,
        _ => Element::Dword,
    }
}

/// The format of 16-bit sources of a mix instruction.
pub(super) fn narrow(opcode: &Opcode) -> Shape {
    if opcode.amd.ends_with("BF16") { BF16 } else { F16 }
}

/// Operands that aim at what the operation may get wrong.
pub(super) fn inputs(draw: &mut Draw, case: &Case) -> Inputs {
    let Case { target, instruction, .. } = case;
    let opcode = instruction.opcode;
    let mut inputs = Inputs { src: [0; 3], old: 0 };
    let aim = match opcode.operation {
        Some(Operation::Fma | Operation::Mix(_)) => Aim::Fma,
        Some(Operation::Add) => Aim::Add,
        Some(Operation::Mul) => Aim::Mul,
        _ => Aim::Compare,
    };
    match element(opcode.src[0]) {
        Element::Float(shape) => {
            let (low, high) = (aimed(draw, aim, shape), aimed(draw, aim, shape));
            let other = [0; 3].map(|_| float(draw, shape));
            inputs.src = packed(draw, instruction, shape.width(), shape.sign(), [low, high, other]);
        }
        Element::Integer => {
            let lanes = [[0; 3]; 3].map(|lane| lane.map(|_: u32| integer(draw)));
            inputs.src = packed(draw, instruction, 16, 0, lanes);
        }
        Element::Mixed => {
            inputs.src = mixed(draw, instruction, case.readings);
            inputs.old = draw.bits();
        }
        Element::Dword => inputs.src = [0; 3].map(|_: u64| draw.wide()),
    }
    tidy(*target, instruction, inputs)
}

/// Operands of one lane; a sum of two has the addend in slot 1.
fn aimed(draw: &mut Draw, aim: Aim, shape: Shape) -> [u32; 3] {
    let [a, b, c] = operands(draw, aim, [shape; 3], shape);
    if aim == Aim::Add { [a, c, b] } else { [a, b, c] }
}

/// Registers in which each lane finds its operands: those of the low and of the high result, and what stands in a half
/// that neither picks. A half that both pick has the operand of one of them.
fn packed(
    draw: &mut Draw,
    instruction: &Instruction,
    width: u32,
    sign: u32,
    [low, high, other]: [[u32; 3]; 3],
) -> [u64; 3] {
    let mut src = [0; 3];
    let low_last = draw.bits();
    for (slot, register) in src.iter_mut().enumerate() {
        let bit = |mask: u8| mask >> slot & 1;
        let negated = |bits: u32, mask: u8| if bit(mask) == 1 { bits ^ sign } else { bits };
        let mut halves = [other[slot]; 2];
        let lanes = [
            (bit(instruction.op_sel), negated(low[slot], instruction.neg_lo)),
            (bit(instruction.op_sel_hi), negated(high[slot], instruction.neg_hi)),
        ];
        halves[usize::from(lanes[0].0)] = lanes[0].1;
        halves[usize::from(lanes[1].0)] = lanes[1].1;
        if low_last & 1 == 0 {
            halves[usize::from(lanes[0].0)] = lanes[0].1;
        }
        *register = u64::from(halves[1]) << width | u64::from(halves[0]);
    }
    src
}

/// Registers of a mix instruction.
fn mixed(draw: &mut Draw, instruction: &Instruction, readings: Readings) -> [u64; 3] {
    let opcode = instruction.opcode;
    let narrow = narrow(opcode);
    let is_narrow = |slot: usize| instruction.op_sel_hi >> slot & 1 == 1;
    let from = [0, 1, 2].map(|slot| if is_narrow(slot) { narrow } else { F32 });
    let to = match opcode.operation {
        Some(Operation::Mix(Part::Whole)) => F32,
        _ => narrow,
    };
    let mut aimed = operands(draw, Aim::Fma, from, to);
    if to != F32 && draw.chance(if is_cut(readings) { 50 } else { 5 }) {
        // A signalling NaN whose payload the narrower format does not hold.
        let slot = draw.below(3) as usize;
        aimed[slot] = from[slot].infinity() | 1 << draw.below(from[slot].fraction - 1);
    }
    let mut src = [0; 3];
    for (slot, register) in src.iter_mut().enumerate() {
        let sign = if instruction.neg_lo >> slot & 1 == 1 { from[slot].sign() } else { 0 };
        let bits = aimed[slot] ^ sign;
        let other = if is_narrow(slot) { float(draw, narrow) } else { 0 };
        *register = u64::from(match (is_narrow(slot), instruction.op_sel >> slot & 1) {
            (false, _) => bits,
            (true, 0) => other << 16 | bits,
            (true, _) => bits << 16 | other,
        });
    }
    src
}

/// What is not read made zero, and a register that is read twice the same both times.
pub(super) fn tidy(target: Target, instruction: &Instruction, inputs: Inputs) -> Inputs {
    let opcode = instruction.opcode;
    let mut tidy = inputs;
    for slot in 0..3 {
        let source = instruction.src[slot];
        let is_vgpr = matches!(source, Source::Vgpr(_));
        let is_single = target.rules().pk_f32_single_sgpr && !is_vgpr;
        let is_read = slot < opcode.sources()
            && !matches!(
                source,
                Source::Int(_) | Source::Float(_) | Source::Literal(_) | Source::Special(Special::Null)
            );
        let mask = match opcode.src[slot].dwords() {
            _ if !is_read => 0,
            2 if !is_single => u64::MAX,
            _ => u64::from(u32::MAX),
        };
        let same = (0..slot).find(|earlier| is_read && instruction.src[*earlier] == source);
        tidy.src[slot] = same.map_or(inputs.src[slot], |earlier| tidy.src[earlier]) & mask;
    }
    if !matches!(opcode.operation, Some(Operation::Mix(Part::Low | Part::High))) {
        tidy.old = 0;
    }
    tidy
}
