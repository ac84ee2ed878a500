//! Minima and maxima of floats, and CLAMP.

use super::bits::FormatOf;
use super::environment::Environment;
use crate::isa::Operation;
use crate::question::Reading;

/// Which rule decides about NaNs.
#[derive(Clone, Copy)]
enum Rule {
    /// Before RDNA4: a number goes before a quiet NaN.
    Legacy,
    /// minimumNumber of IEEE 754-2019 9.6, but that a signalling NaN loses, too.
    Number,
    /// minimum of IEEE 754-2019 9.6.
    Propagating,
}

/// One result of any of these operations.
pub(super) fn lane(environment: &Environment, operation: Operation, format: FormatOf, bits: [u32; 3]) -> u32 {
    let (rule, larger, three) = match operation {
        Operation::Min => (Rule::Legacy, false, false),
        Operation::Max => (Rule::Legacy, true, false),
        Operation::MinNum => (Rule::Number, false, false),
        Operation::MaxNum => (Rule::Number, true, false),
        Operation::Min3Num => (Rule::Number, false, true),
        Operation::Max3Num => (Rule::Number, true, true),
        Operation::Minimum => (Rule::Propagating, false, false),
        Operation::Maximum => (Rule::Propagating, true, false),
        Operation::Minimum3 => (Rule::Propagating, false, true),
        _ => (Rule::Propagating, true, true),
    };
    // Only f16 has a field of FP_DENORM; packed bf16 keeps subnormals.
    let reads_mode = !(matches!(rule, Rule::Propagating) && environment.has(Reading::MinimumKeepsInputs));
    let flushes = format == FormatOf::F16 && environment.flush_in_f16() && reads_mode;
    let [a, b, c] = bits.map(|bits| match format.read(bits).is_subnormal(format) && flushes {
        true => bits & format.sign(),
        false => bits,
    });
    let first = of_two(environment, format, rule, larger, a, b);
    if three { of_two(environment, format, rule, larger, first, c) } else { first }
}

fn of_two(environment: &Environment, format: FormatOf, rule: Rule, larger: bool, a: u32, b: u32) -> u32 {
    let (x, y) = (format.read(a), format.read(b));
    let (quiet_a, quiet_b) = (a | format.quiet(), b | format.quiet());
    if x.is_nan() || y.is_nan() {
        return match rule {
            Rule::Legacy if environment.ieee() && x.is_signalling() => quiet_a,
            Rule::Legacy if environment.ieee() && y.is_signalling() => quiet_b,
            Rule::Legacy if x.is_nan() && y.is_nan() => {
                if environment.has(Reading::BothNanFirst) {
                    a
                } else {
                    b
                }
            }
            Rule::Number if x.is_nan() && y.is_nan() => quiet_a,
            Rule::Legacy | Rule::Number => {
                if x.is_nan() {
                    b
                } else {
                    a
                }
            }
            Rule::Propagating => {
                let signalling_first = environment.has(Reading::MinimumSignallingFirst);
                match (x.is_nan(), y.is_nan()) {
                    (true, false) => quiet_a,
                    (false, _) => quiet_b,
                    (true, true) if signalling_first && !x.is_signalling() && y.is_signalling() => quiet_b,
                    (true, true) => quiet_a,
                }
            }
        };
    }
    // The bits of numbers and infinities in the order of their values, −0 below +0.
    let place = |bits: u32| {
        let magnitude = i64::from(bits & (format.sign() - 1));
        if bits & format.sign() == 0 { magnitude } else { -1 - magnitude }
    };
    if (place(a) < place(b)) == larger { b } else { a }
}

/// CLAMP on a float result: held in 0 to 1, −0 as +0, a NaN +0 if `nan_to_zero`.
pub(super) fn clamp(format: FormatOf, bits: u32, nan_to_zero: bool) -> u32 {
    let one = (format.top() as u32) << format.fraction_bits;
    if format.read(bits).is_nan() {
        return if nan_to_zero { 0 } else { bits };
    }
    if bits & format.sign() != 0 { 0 } else { bits.min(one) }
}
