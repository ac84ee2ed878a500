//! A second opinion on the bare operations, from `rustc_apfloat`, LLVM's APFloat in Rust.
//!
//! It knows IEEE 754 with gradual underflow and nothing of AMD: [`agrees_where`] tells for a case whether its answer
//! must be the right one, and if not, which of [`DIFFERENCES`] may show. All of them are of NaNs, flushes and FP16_OVFL:
//! no wrong finite result of version 0.2.3 is known. 60 million random cases and 120 million on a grid of edge values
//! in f16, bf16 and f32, in the four directions, agreed with MPFR but for the sign of the default NaN.

use rustc_apfloat::ieee::{BFloat, Half, Single};
use rustc_apfloat::{Float, Round};

use super::mpfr::{FormatOf, Rounding, Rules};

/// A bare operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a · b + c`.
    Fma([u32; 3]),
    /// `a + b`.
    Add([u32; 2]),
    /// `a · b`.
    Mul([u32; 2]),
}

/// What apfloat makes of an operation in f16, bf16 or f32; `None` in any other format.
#[must_use]
pub fn compute(format: FormatOf, operation: Operation, rounding: Rounding) -> Option<u32> {
    match format {
        FormatOf::F16 => Some(with::<Half>(operation, rounding)),
        FormatOf::BF16 => Some(with::<BFloat>(operation, rounding)),
        FormatOf::F32 => Some(with::<Single>(operation, rounding)),
        _ => None,
    }
}

fn with<F: Float>(operation: Operation, rounding: Rounding) -> u32 {
    let round = match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    };
    let number = |bits: u32| F::from_bits(u128::from(bits));
    let result = match operation {
        Operation::Fma([a, b, c]) => number(a).mul_add_r(number(b), number(c), round),
        Operation::Add([a, b]) => number(a).add_r(number(b), round),
        Operation::Mul([a, b]) => number(a).mul_r(number(b), round),
    };
    result.value.to_bits() as u32
}

/// A case and what apfloat makes of it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The format.
    pub format: FormatOf,
    /// The operation.
    pub operation: Operation,
    /// The rules that the right answer follows.
    pub rules: Rules,
    /// What apfloat makes of it.
    pub answer: u32,
}

/// Where apfloat's answer need not be the right one.
#[derive(Debug)]
pub struct Difference {
    /// A short name.
    pub id: &'static str,
    /// Why.
    pub reason: &'static str,
    /// Where the rule that it lacks is from.
    pub source: &'static str,
    applies: fn(&Case) -> bool,
}

/// All of them.
pub static DIFFERENCES: [Difference; 7] = [
    Difference {
        id: "default-nan",
        reason: "its default NaN is positive, AMD's negative",
        source: "captures on gfx1100 and gfx1201, ROCm/rocm-systems emulation/rocjitsu; RDNA3 manual, -QNaN",
        applies: |case| !case.rules.positive_default && case.is_nan(case.answer) && case.has_invalid_infinity(),
    },
    Difference {
        id: "quiet",
        reason: "it always makes a signalling NaN quiet, AMD with IEEE clear does not",
        source: "RDNA3 manual, IEEE in the MODE table; v_add_f32 on gfx1100",
        applies: |case| !case.rules.quiet && case.operands().iter().any(|bits| case.is_signalling(*bits)),
    },
    Difference {
        id: "nan-order",
        reason: "it takes the first NaN, the reading takes the first signalling one",
        source: "reading nan-order=signalling, from the formulas of V_MINIMUM_F16",
        applies: |case| case.rules.signalling_first && case.nans() > 1,
    },
    Difference {
        id: "addend-nan",
        reason: "zero times infinity plus a NaN is its default NaN, the reading takes the addend",
        source: "reading invalid-product=addend; IEEE 754-2019 7.2 allows both",
        applies: |case| {
            let is_fma = matches!(case.operation, Operation::Fma([_, _, c]) if case.is_nan(c));
            case.rules.addend_over_invalid && is_fma && case.has_invalid_infinity()
        },
    },
    Difference {
        id: "flush-in",
        reason: "it takes a subnormal operand as it is",
        source: "FP_DENORM in the MODE tables of the manuals",
        applies: |case| case.rules.flush_in && case.operands().iter().any(|bits| case.is_subnormal(*bits)),
    },
    Difference {
        id: "flush-out",
        reason: "it keeps a result that is too small, also one that only rounding to subnormals made normal",
        source: "FP_DENORM in the MODE tables; v_fma_dx9_zero_f32 on gfx1100 and gfx1201: tininess after rounding",
        applies: |case| case.rules.flush_out && case.is_small(case.answer),
    },
    Difference {
        id: "fp16-ovfl",
        reason: "a result of finite operands may be its infinity",
        source: "FP16_OVFL in the MODE tables of the manuals",
        applies: |case| {
            let operands_are_finite = case.operands().iter().all(|bits| !case.is_infinite(*bits));
            case.rules.overflow_to_max && case.is_infinite(case.answer) && operands_are_finite
        },
    },
];

/// Whether apfloat's answer must be the right one.
///
/// # Errors
/// The first of [`DIFFERENCES`] that may show. With flushed operands the others are asked of the operands as they are
/// given, so more than the first may.
pub fn agrees_where(case: &Case) -> Result<(), &'static Difference> {
    DIFFERENCES.iter().find(|difference| (difference.applies)(case)).map_or(Ok(()), Err)
}

impl Case {
    fn operands(&self) -> &[u32] {
        match &self.operation {
            Operation::Fma(operands) => operands,
            Operation::Add(operands) | Operation::Mul(operands) => operands,
        }
    }

    fn magnitude(&self, bits: u32) -> u32 {
        bits & ((1 << (self.format.width() - 1)) - 1)
    }

    fn least_normal(&self) -> u32 {
        1 << self.format.fraction_bits
    }

    fn infinity(&self) -> u32 {
        ((1 << self.format.exponent_bits) - 1) << self.format.fraction_bits
    }

    fn is_nan(&self, bits: u32) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    fn is_signalling(&self, bits: u32) -> bool {
        self.is_nan(bits) && bits >> (self.format.fraction_bits - 1) & 1 == 0
    }

    fn is_infinite(&self, bits: u32) -> bool {
        self.magnitude(bits) == self.infinity()
    }

    fn is_subnormal(&self, bits: u32) -> bool {
        (1..self.least_normal()).contains(&self.magnitude(bits))
    }

    /// Up to the smallest normal number, and not zero, which is the same flushed.
    fn is_small(&self, bits: u32) -> bool {
        (1..=self.least_normal()).contains(&self.magnitude(bits))
    }

    fn nans(&self) -> usize {
        self.operands().iter().filter(|bits| self.is_nan(**bits)).count()
    }

    /// An operation without a value has an infinite operand; a NaN among the factors, or the operands of a sum, is then
    /// the result.
    fn has_invalid_infinity(&self) -> bool {
        let first = &self.operands()[..2];
        self.operands().iter().any(|bits| self.is_infinite(*bits)) && !first.iter().any(|bits| self.is_nan(*bits))
    }
}

#[cfg(test)]
mod tests {
    use super::super::mpfr::Oracle;
    use super::*;

    const F16: FormatOf = FormatOf::F16;
    const F32: FormatOf = FormatOf::F32;
    const D: Rules = Rules::DEFAULT;

    fn case(format: FormatOf, operation: Operation, rules: Rules) -> Case {
        let answer = compute(format, operation, rules.rounding).unwrap();
        Case { format, operation, rules, answer }
    }

    #[test]
    fn plain_results() {
        let up = Rounding::Up;
        assert_eq!(compute(F16, Operation::Fma([0x0001, 0x0001, 0x7800]), up), Some(0x7801));
        assert_eq!(compute(F16, Operation::Fma([0x4100, 0x7522, 0x04ea]), Rounding::NearestEven), Some(0x7a6b));
        assert_eq!(compute(F32, Operation::Mul([0x0080_0000, 0x3f7f_ffff]), Rounding::Zero), Some(0x007f_ffff));
        assert_eq!(compute(F32, Operation::Add([0x8000_0000, 0]), Rounding::Down), Some(0x8000_0000));
        assert_eq!(compute(FormatOf::BF16, Operation::Fma([0x3f80, 0x3f80, 0x3b81]), up), Some(0x3f81));
        assert_eq!(compute(FormatOf::F8, Operation::Add([0, 0]), up), None);
    }

    /// One witness a row: the right answer by hand, and what apfloat says instead. A row whose witness no longer shows
    /// a difference is stale.
    #[test]
    fn every_difference_shows() {
        let loose = Rules { quiet: false, ..D };
        let rows = [
            ("default-nan", Operation::Fma([0x7c00, 0x0000, 0x3c00]), D, 0xfe00, 0x7e00),
            ("default-nan", Operation::Add([0x7c00, 0xfc00]), D, 0xfe00, 0x7e00),
            ("default-nan", Operation::Mul([0x8000, 0x7c00]), D, 0xfe00, 0x7e00),
            ("quiet", Operation::Fma([0x3c00, 0xfc12, 0x7e01]), loose, 0xfc12, 0xfe12),
            (
                "nan-order",
                Operation::Fma([0x7e01, 0x7e02, 0x7c03]),
                Rules { signalling_first: true, ..D },
                0x7e03,
                0x7e01,
            ),
            (
                "addend-nan",
                Operation::Fma([0x0000, 0x7c00, 0x7e01]),
                Rules { addend_over_invalid: true, positive_default: true, ..D },
                0x7e01,
                0x7e00,
            ),
            ("flush-in", Operation::Mul([0x0001, 0x3c00]), Rules { flush_in: true, ..D }, 0x0000, 0x0001),
            ("flush-out", Operation::Mul([0x8400, 0x3800]), Rules { flush_out: true, ..D }, 0x8000, 0x8200),
            // 2^-14 (1 − 2^-11): 11 bits, so tiny; on the grid of 2^-24 a tie that goes to 2^-14.
            ("flush-out", Operation::Fma([0x8400, 0x1000, 0x0400]), Rules { flush_out: true, ..D }, 0x0000, 0x0400),
            ("fp16-ovfl", Operation::Mul([0x7bff, 0xfbff]), Rules { overflow_to_max: true, ..D }, 0xfbff, 0xfc00),
        ];
        let mut oracle = Oracle::new();
        for (id, operation, rules, right, apfloat) in rows {
            let case = case(F16, operation, rules);
            assert_eq!(case.answer, apfloat, "{id} {operation:x?}");
            assert_eq!(agrees_where(&case).unwrap_err().id, id, "{operation:x?}");
            let ours = match operation {
                Operation::Fma(operands) => oracle.fma(F16, operands, &rules),
                Operation::Add(operands) => oracle.add(F16, operands, &rules),
                Operation::Mul(operands) => oracle.mul(F16, operands, &rules),
            };
            assert_eq!(ours, right, "{id} {operation:x?}");
        }
        for difference in &DIFFERENCES {
            assert!(rows.iter().any(|row| row.0 == difference.id), "{} has no witness", difference.id);
        }
    }

    #[test]
    fn no_difference_applies_where_the_answers_must_agree() {
        for (operation, rules) in [
            // Flushed to the same zero, overflow with an infinity among the operands, a NaN beside an infinity.
            (Operation::Mul([0x0001, 0x0001]), Rules { flush_out: true, ..D }),
            (Operation::Fma([0x7c00, 0x3c00, 0x3c00]), Rules { overflow_to_max: true, ..D }),
            (Operation::Fma([0x7e01, 0x7c00, 0x3c00]), D),
            (Operation::Add([0x7c00, 0xfc00]), Rules { positive_default: true, ..D }),
            (Operation::Mul([0x0400, 0x3c01]), Rules { flush_in: true, flush_out: true, ..D }),
        ] {
            assert!(agrees_where(&case(F16, operation, rules)).is_ok(), "{operation:x?}");
        }
    }

    /// Everywhere else both oracles agree: all combinations of edge values under all rules.
    #[test]
    fn both_oracles_agree_elsewhere() {
        let mut oracle = Oracle::new();
        let (mut compared, mut excused) = (0u32, 0u32);
        for format in [F16, FormatOf::BF16, F32] {
            let (fraction, one) = (format.fraction_bits, (1 << (format.exponent_bits - 1)) - 1);
            let all_ones = (1 << fraction) - 1;
            let top = 2 * one + 1;
            let values: Vec<u32> = [
                (0, 0),
                (0, 1),
                (0, all_ones),
                (1, 0),
                (1, all_ones),
                (one / 2, 1),
                (one - 1, all_ones),
                (one, 0),
                (one, 1),
                (one + 1, all_ones / 3),
                (top - 1, 0),
                (top - 1, all_ones),
                (top, 0),
                (top, 1),
                (top, all_ones),
            ]
            .into_iter()
            .flat_map(|(exponent, low): (u32, u32)| {
                [0, 1].map(|sign| sign << (format.width() - 1) | exponent << fraction | low)
            })
            .collect();
            let mut index = 0u32;
            for a in &values {
                for b in &values {
                    for c in &values {
                        index += 1;
                        // Every rule in turn, each with every other over the run.
                        let bit = |bit: u32| index.wrapping_mul(0x9e37_79b9) >> (8 + bit) & 1 != 0;
                        let rules = Rules {
                            rounding: Rounding::of_field(index),
                            flush_in: bit(0),
                            flush_out: bit(1),
                            tiny_before: bit(2),
                            overflow_to_max: bit(3),
                            quiet: bit(4),
                            signalling_first: bit(5),
                            addend_over_invalid: bit(6),
                            positive_default: bit(7),
                        };
                        let fma = oracle.fma(format, [*a, *b, *c], &rules);
                        let add = oracle.add(format, [*a, *c], &rules);
                        let mul = oracle.mul(format, [*a, *b], &rules);
                        for (operation, right) in [
                            (Operation::Fma([*a, *b, *c]), fma),
                            (Operation::Add([*a, *c]), add),
                            (Operation::Mul([*a, *b]), mul),
                        ] {
                            let case = case(format, operation, rules);
                            match agrees_where(&case) {
                                Ok(()) => assert_eq!(case.answer, right, "{format:?} {operation:x?} {rules:?}"),
                                Err(_) => excused += 1,
                            }
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(compared, 3 * 3 * 27_000);
        assert!(excused < compared / 3, "{excused} of {compared} are excused");
    }
}
