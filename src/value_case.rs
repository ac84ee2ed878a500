//! What an instruction computes, as one line.
//!
//! ```text
//! TARGET TEXT|WINDOW [mode=MODE] [reading=ID=NAME,…] [REGISTER=BITS…] [=> ANSWER[; ANSWER…][; by: HOW]] [# source]
//! TARGET kernel fma|add|mul f16|f32 [clamp] [mode=MODE] [reading=…] A B [C] [=> …] [# source]
//!
//! gfx1100 v_pk_fma_f16 v0, v1, v2, v3 mode=ieee=0 v1=7c017c01 v2=3c003c00 v3=00000000 => v0=7c017c01
//! gfx90a v_pk_mul_f32 v[0:1], v[2:3], 1.0 v[2:3]=40000000_3f800000 => v[0:1]=400000003f800000; by: documented
//! gfx1030 v_pk_max_f16 v0, v1, v1 v1=00000001 => reading tininess=after: v0=00000001; by: inferred
//! gfx1100 kernel fma f16 mode=round.f16=+inf 0001 0001 7800 => 7801; by: emulator  # ROCm/rocm-systems#10854
//! ```
//!
//! The instruction is LLVM's text or a window in dwords, and ends before the first word with a `=`. Registers are given
//! by dword, 8 digits, or as a pair, high dword first, 16 digits with or without an underscore in the middle. MODE is
//! 0x3f0 where the line does not say; readings are the target's defaults. An answer names every destination register
//! and what it then holds; one under `reading ID=NAME,…:` holds where these readings replace the line's. `by:` says how
//! the answers are known, in the words of [`Provenance`].
//!
//! A kernel is the arithmetic alone, on bits of one format: what scalar instructions outside VOP3P share with it.
//!
//! What [`crate::case`] is to decoding.

use std::fmt;

mod read;

use crate::case_line::write_tail;
use crate::codec::Window;
use crate::exec::Registers;
use crate::isa::Target;
use crate::question::{Mode, Provenance, Reading};
pub use read::{assignment, readings};

/// A computation and what it is expected to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCase {
    /// The target.
    pub target: Target,
    /// What computes.
    pub subject: Subject,
    /// MODE as written: not yet as the target has it.
    pub mode: Mode,
    /// Readings that replace the target's defaults.
    pub readings: Vec<Reading>,
    /// What is expected.
    pub answers: Vec<Answer>,
    /// How the answers are known, if the line says so.
    pub by: Option<Provenance>,
    /// Where the case comes from; empty if the line does not say.
    pub source: String,
}

/// What computes, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An instruction and the registers that it is given.
    Instruction(Code, Registers),
    /// The arithmetic alone.
    Kernel(Kernel),
}

/// An instruction as the line writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// LLVM's text.
    Text(String),
    /// Its bits.
    Window(Window),
}

/// One operation on bits of one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The operation.
    pub operation: KernelOperation,
    /// The format of operands and result, which also says which fields of MODE apply.
    pub format: KernelFormat,
    /// Whether the result is clamped, as by CLAMP.
    pub clamp: bool,
    /// The operands, 16 or 32 bits each; what the operation does not have is 0.
    pub operands: [u32; 3],
}

/// What a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelOperation {
    /// `a · b + c`, rounded once.
    Fma,
    /// `a + b`.
    Add,
    /// `a · b`.
    Mul,
}

/// The format of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelFormat {
    /// binary16.
    F16,
    /// binary32.
    F32,
}

/// An expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The readings under which it is expected, besides those of the line.
    pub readings: Vec<Reading>,
    /// The result.
    pub outcome: Outcome,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What an instruction leaves in its destination.
    Registers(Registers),
    /// Of a kernel: 16 or 32 bits.
    Bits(u32),
}

impl KernelOperation {
    const NAMES: [(&str, Self); 3] = [("fma", Self::Fma), ("add", Self::Add), ("mul", Self::Mul)];

    /// How many operands it has.
    #[must_use]
    pub const fn operands(self) -> usize {
        if matches!(self, Self::Fma) { 3 } else { 2 }
    }
}

impl KernelFormat {
    const NAMES: [(&str, Self); 2] = [("f16", Self::F16), ("f32", Self::F32)];

    /// Hexadecimal digits of its bits.
    #[must_use]
    pub const fn digits(self) -> usize {
        if matches!(self, Self::F16) { 4 } else { 8 }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Window(window) => window.fmt(f),
        }
    }
}

impl fmt::Display for KernelOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].0)
    }
}

impl fmt::Display for KernelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].0)
    }
}

/// `mixlo=single,nan-order=source`.
fn show_readings(readings: &[Reading]) -> String {
    readings.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl Outcome {
    /// As a line writes it; a kernel's bits in the digits of its format.
    fn show(&self, subject: &Subject) -> String {
        match (self, subject) {
            (Self::Registers(registers), _) => registers.to_string(),
            (Self::Bits(bits), Subject::Kernel(kernel)) => format!("{bits:0width$x}", width = kernel.format.digits()),
            (Self::Bits(bits), Subject::Instruction(..)) => format!("{bits:x}"),
        }
    }
}

/// The line.
impl fmt::Display for ValueCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.target)?;
        match &self.subject {
            Subject::Instruction(code, _) => write!(f, " {code}")?,
            Subject::Kernel(Kernel { operation, format, clamp, .. }) => {
                write!(f, " kernel {operation} {format}{}", if *clamp { " clamp" } else { "" })?;
            }
        }
        let words = self.mode.in_words();
        if words.parse() != Ok(self.mode) {
            // Bits that have no name.
            write!(f, " mode={}", self.mode)?;
        } else if !words.is_empty() {
            write!(f, " mode={words}")?;
        }
        if !self.readings.is_empty() {
            write!(f, " reading={}", show_readings(&self.readings))?;
        }
        match &self.subject {
            Subject::Instruction(_, given) if given.iter().next().is_some() => write!(f, " {given}")?,
            Subject::Instruction(..) => {}
            Subject::Kernel(kernel) => {
                for bits in &kernel.operands[..kernel.operation.operands()] {
                    write!(f, " {bits:0width$x}", width = kernel.format.digits())?;
                }
            }
        }
        let answers = self.answers.iter().map(|answer| {
            let outcome = answer.outcome.show(&self.subject);
            match answer.readings[..] {
                [] => outcome,
                _ => format!("reading {}: {outcome}", show_readings(&answer.readings)),
            }
        });
        let by = self.by.map(|by| format!("by: {}", by.name()));
        write_tail(f, &answers.chain(by).collect::<Vec<_>>(), &self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Register;

    fn parse(line: &str) -> ValueCase {
        ValueCase::parse(line).unwrap().unwrap()
    }

    #[test]
    fn lines_read_as_they_print() {
        for line in [
            "gfx1100 v_pk_fma_f16 v0, v1, v2, v3",
            "gfx1100 v_pk_add_f16 v0, 1.0, v1 op_sel_hi:[0,1] v1=3c003c00 => v0=40004000; by: hardware-captured  # x: y",
            "gfx900 d3a00005 040e0480 mode=round.f32=zero,ieee=0 v2=00000001 s3=00000002 => v5=00000000",
            "gfx1100 v_pk_add_u16 v0, v1, v2 mode=0xf3f0 reading=mixlo=single,nan-order=signalling v1=00000001",
            "gfx1201:w64 v_fma_mixlo_f16 v0, v1, v1, v2 v0=dead0000 v1=38000000 v2=3f801000 => reading mixlo=double: \
             v0=dead3c00; reading mixlo=single: v0=dead3c01; by: unknown  # nobody",
            "gfx1250 v_pk_mov_b32 v[0:1], s[2:3], v[4:5] => v0=00000001 v1=00000002",
            "gfx1100 kernel fma f16 clamp mode=dx10_clamp=0 0000 7c00 3c00 => fe00",
            "gfx1100 kernel mul f32 80800000 3f7fffff => reading tininess=after,mixlo=single: 80000000; by: inferred",
        ] {
            assert!(ValueCase::is_one(line), "{line}");
            assert_eq!(parse(line).to_string(), line);
        }
        assert_eq!(ValueCase::parse("  # only = a comment"), Ok(None));
    }

    #[test]
    fn other_kinds_of_lines_are_none_of_these() {
        for line in [
            "gfx900 d3a00005 040e0480",
            "gfx1030 cc0f4000 180202ff pad=none => undefined: cut-short  # a = b",
            "gfx900 asm: v_pk_add_f16 v0, v1, v2 => refused",
            "# gfx900 v_pk_add_f16 v0, v1, v2 v1=0",
            "",
        ] {
            assert!(!ValueCase::is_one(line), "{line}");
        }
        assert!(ValueCase::is_one("gfx1100 cc0f4000 180202f2 => v0=00000000"));
    }

    #[test]
    fn pairs_are_given_high_dword_first() {
        let pair = [(Register::Vgpr(2), 0x3f80_0000), (Register::Vgpr(3), 0x4000_0000)];
        for text in ["v[2:3]=400000003f800000", "v[2:3]=40000000_3f800000", "v[2:3]=0x400000003f800000"] {
            assert_eq!(assignment(text), Ok(pair.to_vec()), "{text}");
        }
        assert_eq!(assignment("s3=0x40004000"), Ok(vec![(Register::Sgpr(3), 0x4000_4000)]));
        let line = "gfx90a v_pk_mul_f32 v[0:1], v[2:3], 1.0 v[2:3]=40000000_3f800000 => v[0:1]=40000000_3f800000";
        let dwords = "gfx90a v_pk_mul_f32 v[0:1], v[2:3], 1.0 v3=40000000 v2=3f800000 => v1=40000000 v0=3f800000";
        assert_eq!(parse(line), parse(dwords));
        let under = "gfx90a v_pk_mul_f32 v[0:1], v[2:3], 1.0 => reading tininess=after: v[0:1]=00000002_00000001";
        assert!(parse(under).to_string().ends_with("=> reading tininess=after: v0=00000001 v1=00000002"));
    }

    #[test]
    fn what_is_wrong_and_where() {
        let fails = |line: &str| ValueCase::parse(line).unwrap_err().to_string();
        assert!(fails("gfx803 v_x v1=0").starts_with("column 1: `gfx803` has no VOP3P"));
        assert_eq!(fails("gfx900"), "column 7: an instruction is wanted here: its text or its dwords");
        assert_eq!(fails("gfx900  v1=1"), "column 9: an instruction is wanted here: its text or its dwords");
        assert_eq!(fails("gfx900 d3a00005 040e048z v1=1"), "column 24: `040e048z` is not hexadecimal");
        assert_eq!(fails("gfx900 v_x v1 v1=1"), "column 15: `v1=1`: `1` is not 8 hexadecimal digits");
        assert_eq!(
            fails("gfx900 v_x v1=0x0000000g"),
            "column 12: `v1=0x0000000g`: `0x0000000g` is not 8 hexadecimal digits"
        );
        assert!(fails("gfx900 v_x v1=00000000 v256=00000000").starts_with("column 24: `v256` is no register"));
        assert_eq!(fails("gfx900 v_x v1=00000000 v1=00000000"), "column 24: v1 is given twice");
        assert_eq!(fails("gfx900 v_x v1=00000000 v2"), "column 24: `v2`: a register is given as `v1=3c003c00`");
        assert_eq!(fails("gfx900 v_x v[1:3]=0"), "column 12: `v[1:3]` is no pair of registers: v[2:3], s[4:5]");
        assert_eq!(fails("gfx900 v_x v[255:0]=0"), "column 12: `v[255:0]` is no pair of registers: v[2:3], s[4:5]");
        assert_eq!(fails("gfx900 v_x v[1:2]=00000000"), "column 12: `00000000` is not 16 hexadecimal digits");
        assert_eq!(fails("gfx900 v_x mode=ieee=2"), "column 17: `ieee=2`: the value is one of 0, 1");
        assert_eq!(fails("gfx900 v_x mode=0x0 mode=0x0"), "column 21: MODE is given twice");
        assert_eq!(fails("gfx900 v_x reading=mixlo=x"), "column 20: `x` is no reading of mixlo: double, single");
        assert!(
            fails("gfx900 v_x reading=mix=x").starts_with("column 20: `mix` is no question: arithmetic, tininess,")
        );
        assert_eq!(fails("gfx900 v_x reading=mixlo"), "column 20: `mixlo`: a reading is `question=answer`");
        let twice = "gfx900 v_x reading=mixlo=double reading=mixlo=single";
        assert_eq!(fails(twice), "column 41: `mixlo` is answered twice");
    }

    #[test]
    fn what_is_wrong_with_a_kernel() {
        let fails = |line: &str| ValueCase::parse(line).unwrap_err().to_string();
        assert_eq!(fails("gfx900 kernel"), "column 14: `` is no kernel: fma, add, mul");
        assert_eq!(fails("gfx900 kernel div f16"), "column 15: `div` is no kernel: fma, add, mul");
        assert_eq!(fails("gfx900 kernel fma f64"), "column 19: `f64` is no format of a kernel: f16, f32");
        assert_eq!(fails("gfx900 kernel fma f16 3c00 3c00"), "column 32: `fma` takes 3 operands, here are 2");
        assert_eq!(fails("gfx900 kernel add f16 3c00 3c00 3c00"), "column 33: `add` takes 2 operands");
        assert_eq!(fails("gfx900 kernel add f16 3c00 3c0"), "column 28: `3c0` is not 4 hexadecimal digits");
        assert_eq!(
            fails("gfx900 kernel add f16 3c00 v1=00000000"),
            "column 28: `v1=00000000` is not 4 hexadecimal digits"
        );
    }

    #[test]
    fn what_is_wrong_with_an_answer() {
        let fails =
            |tail: &str| ValueCase::parse(&format!("gfx900 v_x v1=00000000 => {tail}")).unwrap_err().to_string();
        assert_eq!(fails("v0=1"), "column 27: `v0=1`: `1` is not 8 hexadecimal digits");
        assert_eq!(fails("v0=00000000 v0=00000000"), "column 27: v0 is given twice");
        assert!(fails("v0=00000000; by: me").starts_with("column 40: `me` is no way of knowing: hardware-captured, "));
        assert!(fails("v0=00000000;").starts_with("column 39: `` is no expectation: "));
        assert!(fails("agree").starts_with("column 27: `agree` is no expectation: `v0=…`"));
        assert_eq!(fails("by: unknown; by: unknown"), "column 40: the same is said twice");
        assert_eq!(fails("v0=00000000; v0=00000001"), "column 40: the same is said twice");
        let twice = "reading mixlo=single: v0=00000000; reading mixlo=single: v0=00000000";
        assert_eq!(fails(twice), "column 62: the same is said twice");
        let both = "reading mixlo=single,mixlo=single: v0=00000000";
        assert_eq!(fails(both), "column 27: `mixlo` is answered twice");
        assert_eq!(fails("reading mixlo=x: v0=00000000"), "column 27: `x` is no reading of mixlo: double, single");
        let kernel = |tail: &str| ValueCase::parse(&format!("gfx900 kernel add f16 0000 0000 => {tail}")).unwrap_err();
        assert_eq!(kernel("00000000").to_string(), "column 36: `00000000` is not 4 hexadecimal digits");
        assert_eq!(kernel("reading mixlo=single: 1").to_string(), "column 36: `1` is not 4 hexadecimal digits");
    }
}
