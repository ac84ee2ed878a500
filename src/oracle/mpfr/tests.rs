//! Literal results: published captures, what each reading says, and hand arithmetic.

mod bare;
mod integer;
mod mix;
mod packed;
mod published;
mod readings;

use super::Oracle;
use crate::asm::assemble;
use crate::codec::Style;
use crate::isa::Target;
use crate::question::{Inputs, Reading, Readings};

/// What an instruction gives: target, text, MODE in words, readings other than the defaults, sources, old destination.
fn result(target: &str, text: &str, mode: &str, readings: &[Reading], src: [u64; 3], old: u32) -> u64 {
    let target: Target = target.parse().unwrap();
    let instruction =
        assemble(target, text, Style::Llvm).unwrap_or_else(|error| panic!("{text}: {error:?}")).instruction;
    let readings = readings.iter().fold(Readings::of(target), |all, reading| all.with(*reading));
    let inputs = Inputs { src, old };
    Oracle::new().compute(target, &instruction, &inputs, mode.parse().unwrap(), readings).unwrap()
}

/// The same, held against what is expected.
#[track_caller]
fn expect(target: &str, text: &str, mode: &str, readings: &[Reading], src: [u64; 3], expected: u64) {
    let found = result(target, text, mode, readings, src, 0);
    assert_eq!(found, expected, "{target} {text} {mode} {readings:?} {src:x?}: {found:x}, not {expected:x}");
}

#[test]
fn an_opcode_that_is_not_elementwise_has_no_result() {
    let target = "gfx906".parse().unwrap();
    let dot = assemble(target, "v_dot2_f32_f16 v0, v1, v2, v3", Style::Llvm).unwrap().instruction;
    let readings = Readings::of(target);
    assert_eq!(Oracle::new().compute(target, &dot, &Inputs::default(), "".parse().unwrap(), readings), None);
}
