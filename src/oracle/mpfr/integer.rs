//! The integer operations on one pair of halves: exact values, then 16 bits of them.

use super::environment::Environment;
use crate::isa::Operation;
use crate::question::Reading;

/// One result of 16 bits.
pub(super) fn lane(
    environment: &Environment,
    operation: Operation,
    signed: bool,
    clamp: bool,
    halves: [u32; 3],
) -> u32 {
    let [a, b, c] = halves.map(|half| value(half, signed));
    let amount = halves[0] & 15;
    // Where CLAMP saturates, the lower bound is a question; a sum that always saturates has it as in two's complement.
    let lowest = if environment.has(Reading::ClampToMinusMaxInt) { -0x7fff } else { -0x8000 };
    let clamped = |exact: i64| if clamp { saturated(exact, signed, lowest) } else { exact };
    let relu = |exact: i64| if clamp && environment.has(Reading::ReluClamps) { exact.max(0) } else { exact };
    let result = match operation {
        Operation::MadInteger if environment.has(Reading::MadClampIgnored) => a * b + c,
        Operation::MadInteger => clamped(a * b + c),
        Operation::MulLow => a * b,
        Operation::AddInteger => clamped(a + b),
        Operation::SubInteger => clamped(a - b),
        Operation::ShiftLeft => b << amount,
        Operation::ShiftRight => b >> amount,
        Operation::MinInteger => a.min(b),
        Operation::MaxInteger => a.max(b),
        Operation::AddMin => relu(saturated(a + b, signed, -0x8000).min(c)),
        Operation::AddMax => relu(saturated(a + b, signed, -0x8000).max(c)),
        Operation::Min3 => relu(a.min(b).min(c)),
        Operation::Max3 => relu(a.max(b).max(c)),
        _ => 0,
    };
    (result & 0xffff) as u32
}

/// What 16 bits stand for.
fn value(half: u32, signed: bool) -> i64 {
    let value = i64::from(half & 0xffff);
    if signed && value >= 0x8000 { value - 0x1_0000 } else { value }
}

/// Held in the range of the type.
fn saturated(exact: i64, signed: bool, lowest: i64) -> i64 {
    if signed { exact.clamp(lowest, 0x7fff) } else { exact.clamp(0, 0xffff) }
}
