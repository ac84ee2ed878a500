//! Registers by name: which ones an instruction reads, and its operands from what they hold.

use core::fmt;
use core::str::FromStr;
use std::collections::BTreeMap;

use crate::codec::Instruction;
use crate::isa::{Operation, Part, SPECIALS, Source, Special, Target};
use crate::question::Inputs;

/// A register of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Register {
    /// v0 to v255.
    Vgpr(u8),
    /// a0 to a255.
    Agpr(u8),
    /// s0 to s105.
    Sgpr(u8),
    /// ttmp0 to ttmp15.
    Ttmp(u8),
    /// Another scalar register or value.
    Special(Special),
}

impl Register {
    /// The register a source names, the first of a pair; `None` of a constant and of NULL, which hold nothing.
    #[must_use]
    pub const fn named(source: Source) -> Option<Self> {
        match source {
            Source::Vgpr(number) => Some(Self::Vgpr(number)),
            Source::Agpr(number) => Some(Self::Agpr(number)),
            Source::Sgpr(number) => Some(Self::Sgpr(number)),
            Source::Ttmp(number) => Some(Self::Ttmp(number)),
            Source::Special(Special::Null) | Source::Int(_) | Source::Float(_) | Source::Literal(_) => None,
            Source::Special(special) => Some(Self::Special(special)),
        }
    }

    /// The second register of a pair that starts here; `None` if no pair does: the high dword is then 0.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Vgpr(number) => Some(Self::Vgpr(number.wrapping_add(1))),
            Self::Agpr(number) => Some(Self::Agpr(number.wrapping_add(1))),
            Self::Sgpr(number @ 0..105) => Some(Self::Sgpr(number + 1)),
            Self::Ttmp(number @ 0..15) => Some(Self::Ttmp(number + 1)),
            Self::Sgpr(_) | Self::Ttmp(_) => None,
            Self::Special(special) => match special {
                Special::FlatScratchLo => Some(Self::Special(Special::FlatScratchHi)),
                Special::XnackMaskLo => Some(Self::Special(Special::XnackMaskHi)),
                Special::VccLo => Some(Self::Special(Special::VccHi)),
                Special::ExecLo => Some(Self::Special(Special::ExecHi)),
                Special::FlatScratchBaseLo => Some(Self::Special(Special::FlatScratchBaseHi)),
                _ => None,
            },
        }
    }
}

/// LLVM's spelling: `v1`, `a2`, `s3`, `ttmp4`, `vcc_lo`.
impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vgpr(number) => write!(f, "v{number}"),
            Self::Agpr(number) => write!(f, "a{number}"),
            Self::Sgpr(number) => write!(f, "s{number}"),
            Self::Ttmp(number) => write!(f, "ttmp{number}"),
            Self::Special(special) => f.write_str(special.row().name),
        }
    }
}

/// A text that names no register of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterError {
    text: String,
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no register of 32 bits: v0, a0, s0, ttmp0, vcc_lo, m0, ...", self.text)
    }
}

impl core::error::Error for RegisterError {}

impl FromStr for Register {
    type Err = RegisterError;

    fn from_str(text: &str) -> Result<Self, RegisterError> {
        let numbered = |prefix: &str| text.strip_prefix(prefix).and_then(|digits| digits.parse::<u8>().ok());
        let named = || SPECIALS.iter().find(|row| row.name == text).map(|row| Self::Special(row.special));
        numbered("ttmp")
            .filter(|number| *number < 16)
            .map(Self::Ttmp)
            .or_else(|| numbered("v").map(Self::Vgpr))
            .or_else(|| numbered("a").map(Self::Agpr))
            .or_else(|| numbered("s").filter(|number| *number < 106).map(Self::Sgpr))
            .or_else(named)
            // Neither `v01` nor `v+1`.
            .filter(|register| register.to_string() == text)
            .ok_or_else(|| RegisterError { text: text.to_owned() })
    }
}

/// What some registers hold, one dword each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    values: BTreeMap<Register, u32>,
}

/// `v1=3c003c00 s3=40004000`: vector registers first, 8 hexadecimal digits each.
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (register, bits)) in self.iter().enumerate() {
            write!(f, "{}{register}={bits:08x}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// The registers that an instruction reads and nobody gave, in the order of the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub Vec<Register>);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, register) in self.0.iter().enumerate() {
            write!(f, "{}{register}", if index == 0 { "" } else { ", " })?;
        }
        f.write_str(if self.0.len() == 1 { " is read but not given" } else { " are read but not given" })
    }
}

impl core::error::Error for Missing {}

impl Registers {
    /// No register.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a register; returns what it held.
    pub fn set(&mut self, register: Register, bits: u32) -> Option<u32> {
        self.values.insert(register, bits)
    }

    /// What a register holds, if that is known.
    #[must_use]
    pub fn get(&self, register: Register) -> Option<u32> {
        self.values.get(&register).copied()
    }

    /// Every register with its 32 bits, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Register, u32)> {
        self.values.iter().map(|(register, bits)| (*register, *bits))
    }

    /// What an elementwise instruction reads, gathered. Constants and NULL read as 0 here; the old destination is
    /// gathered only where the instruction keeps a half of it.
    ///
    /// # Errors
    ///
    /// Every register that is read but not given.
    pub fn inputs(&self, target: Target, instruction: &Instruction) -> Result<Inputs, Missing> {
        let needed = needed(target, instruction);
        let missing: Vec<Register> = needed.into_iter().filter(|register| self.get(*register).is_none()).collect();
        if !missing.is_empty() {
            return Err(Missing(missing));
        }
        let mut inputs = Inputs::default();
        for (register, place) in reads(target, instruction) {
            let bits = self.get(register).unwrap_or_default();
            match place {
                Place::Old => inputs.old = bits,
                Place::Source { slot, dword } => inputs.src[slot] |= u64::from(bits) << (32 * dword),
            }
        }
        Ok(inputs)
    }

    /// The registers that give an instruction these inputs. Where sources share a register the first one's value is
    /// taken.
    #[must_use]
    pub fn of(target: Target, instruction: &Instruction, inputs: &Inputs) -> Self {
        let mut registers = Self::new();
        for (register, place) in reads(target, instruction) {
            let bits = match place {
                Place::Old => inputs.old,
                Place::Source { slot, dword } => (inputs.src[slot] >> (32 * dword)) as u32,
            };
            registers.values.entry(register).or_insert(bits);
        }
        registers
    }
}

/// The inputs with sources that are the same register made equal to the first of them, and what is not read made 0.
#[must_use]
pub fn consistent(target: Target, instruction: &Instruction, inputs: Inputs) -> Inputs {
    Registers::of(target, instruction, &inputs).inputs(target, instruction).unwrap_or(inputs)
}

/// The registers an instruction reads, each once, in the order of the sources.
#[must_use]
pub fn needed(target: Target, instruction: &Instruction) -> Vec<Register> {
    let mut needed = Vec::new();
    for (register, _) in reads(target, instruction) {
        if !needed.contains(&register) {
            needed.push(register);
        }
    }
    needed
}

/// The registers an elementwise instruction writes, low dword first.
#[must_use]
pub fn destination(instruction: &Instruction) -> Vec<Register> {
    let first = if instruction.vdst_acc { Register::Agpr } else { Register::Vgpr };
    (0..instruction.opcode.vdst.dwords()).map(|dword| first(instruction.vdst.wrapping_add(dword))).collect()
}

/// Where in [`Inputs`] a register goes.
#[derive(Clone, Copy)]
enum Place {
    Source { slot: usize, dword: u32 },
    Old,
}

fn reads(target: Target, instruction: &Instruction) -> impl Iterator<Item = (Register, Place)> {
    let opcode = instruction.opcode;
    let sources = instruction.sources().iter().enumerate().filter_map(move |(slot, source)| {
        let first = Register::named(*source)?;
        let is_single = target.rules().pk_f32_single_sgpr && !matches!(source, Source::Vgpr(_));
        let second = if opcode.src[slot].dwords() > 1 && !is_single { first.next() } else { None };
        Some([Some((first, slot, 0)), second.map(|second| (second, slot, 1))])
    });
    let sources = sources.flatten().flatten().map(|(register, slot, dword)| (register, Place::Source { slot, dword }));
    let keeps_half = matches!(opcode.operation, Some(Operation::Mix(Part::Low | Part::High)));
    sources.chain(keeps_half.then_some((Register::Vgpr(instruction.vdst), Place::Old)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::given;
    use super::*;
    use crate::isa::InlineFloat;

    fn setup(target: &str, name: &str, src: [Source; 3]) -> (Target, Instruction) {
        let target: Target = target.parse().unwrap();
        let opcode = target.opcodes().find(|opcode| opcode.llvm == name).unwrap();
        (target, Instruction::plain(opcode, 7, src))
    }

    const VCC: Source = Source::Special(Special::VccLo);
    const NULL: Source = Source::Special(Special::Null);

    #[test]
    fn pairs_of_special_registers() {
        let next = |name: &str| name.parse::<Register>().unwrap().next().map(|register| register.to_string());
        assert_eq!(next("flat_scratch_lo").as_deref(), Some("flat_scratch_hi"));
        assert_eq!(next("xnack_mask_lo").as_deref(), Some("xnack_mask_hi"));
        assert_eq!(next("exec_lo").as_deref(), Some("exec_hi"));
        assert_eq!((next("exec_hi"), next("m0")), (None, None));
    }

    #[test]
    fn registers_read_as_they_print() {
        for text in ["v0", "v255", "a12", "s105", "ttmp15", "vcc_lo", "m0", "exec_hi", "src_scc", "null"] {
            assert_eq!(text.parse::<Register>().unwrap().to_string(), text);
        }
        for text in ["v256", "v01", "v+1", "s106", "ttmp16", "vcc", "b1", "v", "", "V1", "v1 "] {
            let message = text.parse::<Register>().unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{text}` is no register")), "{message}");
        }
    }

    #[test]
    fn registers_print_in_order() {
        let mut registers = given("vcc_lo=1 s3=40004000 v10=2 v9=3c003c00 a1=5");
        assert_eq!(registers.to_string(), "v9=3c003c00 v10=00000002 a1=00000005 s3=40004000 vcc_lo=00000001");
        assert_eq!(registers.set(Register::Sgpr(3), 6), Some(0x4000_4000));
        assert_eq!((registers.get(Register::Sgpr(3)), registers.get(Register::Sgpr(4))), (Some(6), None));
    }

    #[test]
    fn dwords_and_constants() {
        let (target, instruction) =
            setup("gfx1100", "v_pk_fma_f16", [Source::Vgpr(1), Source::Sgpr(3), Source::Float(InlineFloat::One)]);
        let inputs = given("v1=3c003c00 s3=40004000").inputs(target, &instruction).unwrap();
        assert_eq!(inputs, Inputs { src: [0x3c00_3c00, 0x4000_4000, 0], old: 0 });
        assert_eq!(given("v1=0").inputs(target, &instruction).unwrap_err().to_string(), "s3 is read but not given");
        assert_eq!(
            Registers::new().inputs(target, &instruction).unwrap_err().to_string(),
            "v1, s3 are read but not given"
        );
        let (target, instruction) = setup("gfx1100", "v_pk_add_u16", [NULL, NULL, Source::Int(0)]);
        assert_eq!(Registers::new().inputs(target, &instruction), Ok(Inputs::default()));
    }

    #[test]
    fn pairs_are_two_registers() {
        let (target, instruction) = setup("gfx90a", "v_pk_fma_f32", [Source::Vgpr(2), VCC, Source::Sgpr(4)]);
        let registers = given("v2=1 v3=2 vcc_lo=3 vcc_hi=4 s4=5 s5=6");
        let inputs = registers.inputs(target, &instruction).unwrap();
        assert_eq!(inputs.src, [0x2_0000_0001, 0x4_0000_0003, 0x6_0000_0005]);
        assert_eq!(Registers::of(target, &instruction, &inputs), registers);
        assert_eq!(destination(&instruction), [Register::Vgpr(7), Register::Vgpr(8)]);
        // A scalar without a second half.
        let m0 = Source::Special(Special::M0);
        let (target, instruction) = setup("gfx90a", "v_pk_mov_b32", [m0, Source::Vgpr(0), Source::Int(0)]);
        assert_eq!(needed(target, &instruction).len(), 3);
    }

    #[test]
    fn cdna5_reads_single_scalars_in_packed_f32() {
        let (target, instruction) = setup("gfx1250", "v_pk_mul_f32", [Source::Vgpr(2), Source::Sgpr(4), NULL]);
        let inputs = given("v2=1 v3=2 s4=5").inputs(target, &instruction).unwrap();
        assert_eq!(inputs.src, [0x2_0000_0001, 5, 0]);
    }

    #[test]
    fn the_old_destination_is_read_where_a_half_of_it_stays() {
        let src = [Source::Vgpr(1), Source::Vgpr(1), Source::Vgpr(7)];
        let (target, instruction) = setup("gfx1100", "v_fma_mixlo_f16", src);
        assert_eq!(needed(target, &instruction), [Register::Vgpr(1), Register::Vgpr(7)]);
        // Sources 0 and 1 are v1; source 2 and the destination are v7. The first wins.
        let inputs = Inputs { src: [1, 2, 0xf_0000_0003], old: 4 };
        let same = consistent(target, &instruction, inputs);
        assert_eq!(same, Inputs { src: [1, 1, 3], old: 3 });
        let (target, instruction) = setup("gfx1100", "v_fma_mix_f32", src);
        assert_eq!(consistent(target, &instruction, inputs), Inputs { src: [1, 1, 3], old: 0 });
    }
}
