//! Whole instructions: text, registers, MODE and readings to the destination.

mod integer;
mod mix;
mod operands;
mod packed;
mod questions;

use super::execute;
use super::registers::Registers;
use crate::asm;
use crate::exec::watch::Step;
use crate::isa::Target;
use crate::question::{Mode, Reading, Readings};

/// Registers from `v1=3c003c00 s3=40004000`.
pub(super) fn given(text: &str) -> Registers {
    let mut registers = Registers::new();
    for (name, bits) in text.split_whitespace().map(|item| item.split_once('=').unwrap()) {
        registers.set(name.parse().unwrap(), u32::from_str_radix(bits, 16).unwrap());
    }
    registers
}

/// The readings of a target with others chosen: `mixlo=single mix-flush=always`.
fn readings(target: Target, chosen: &str) -> Readings {
    let choose = |readings: Readings, item: &str| {
        let (question, name) = item.split_once('=').unwrap();
        readings.with(Reading::named(question, name).unwrap())
    };
    chosen.split_whitespace().fold(Readings::of(target), choose)
}

/// What an instruction gives, with the steps; the same must come out of it unwatched.
fn watched(target: &str, setting: &str, text: &str, registers: &str) -> (u64, Vec<Step>) {
    let target: Target = target.parse().unwrap();
    let instruction = asm::parse(target, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let inputs = given(registers).inputs(target, &instruction).unwrap_or_else(|error| panic!("{text}: {error}"));
    let (mode, chosen) = setting.split_once(';').unwrap_or((setting, ""));
    let (mode, readings) = (mode.trim().parse::<Mode>().unwrap(), readings(target, chosen));
    let mut steps = Vec::new();
    let result = execute(target, &instruction, &inputs, mode, readings, &mut steps).unwrap();
    assert_eq!(execute(target, &instruction, &inputs, mode, readings, &mut ()), Some(result), "{text}");
    (result, steps)
}

/// Target, MODE and after a semicolon readings, instruction, registers, destination.
type Row = (&'static str, &'static str, &'static str, &'static str, u64);

fn check(rows: &[Row]) {
    for (targets, setting, text, registers, expected) in rows {
        for target in targets.split_whitespace() {
            let (result, _) = watched(target, setting, text, registers);
            assert_eq!(result, *expected, "{target} {setting:?} {text} {registers}: {result:08x} for {expected:08x}");
        }
    }
}
