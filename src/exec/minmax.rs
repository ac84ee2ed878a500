//! Minimum and maximum of floats: the three families of AMD's formulas.
//!
//! Source: the formulas of V_PK_MIN_F16 and V_PK_MAX_F16 up to RDNA3.5, and from RDNA4 on (CDNA4 for three operands) of
//! V_MIN_NUM_F16, V_MINIMUM_F16 and their like.

use super::format::Format;
use super::watch::{Step, Watch};
use crate::question::{Question, Reading, Readings};

/// Which rules for NaNs hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// V_PK_MIN_F16 and V_PK_MAX_F16, with IEEE of MODE.
    Legacy {
        /// Whether the NaN of a signalling operand is the result, made quiet.
        ieee: bool,
    },
    /// A number goes before a NaN.
    Number,
    /// A NaN goes before a number.
    Propagating,
}

/// Which of two operands is the result, and whether its NaN is made quiet.
#[inline]
fn choose<F: Format, W: Watch>(
    family: Family,
    is_max: bool,
    [a, b]: [u32; 2],
    readings: Readings,
    watch: &mut W,
) -> (usize, bool) {
    let both = F::is_nan(a) && F::is_nan(b);
    match family {
        _ if !F::is_nan(a) && !F::is_nan(b) => {
            watch.see(|| Step::Uses(Question::MinMax));
            let a_is_larger = order::<F>(a) > order::<F>(b);
            (usize::from(a_is_larger != is_max), false)
        }
        Family::Legacy { ieee: true } if F::is_signalling(a) || F::is_signalling(b) => {
            watch.see(|| Step::Uses(Question::MinMax));
            (usize::from(!F::is_signalling(a)), true)
        }
        Family::Legacy { .. } if both => {
            watch.see(|| Step::Uses(Question::BothNan));
            (usize::from(readings.has(Reading::BothNanSecond)), false)
        }
        Family::Number if both => {
            watch.see(|| Step::Uses(Question::MinMax));
            (0, true)
        }
        Family::Propagating if both => {
            watch.see(|| Step::Uses(Question::MinimumNan));
            let source_order = readings.has(Reading::MinimumSourceOrder);
            (usize::from(!source_order && !F::is_signalling(a) && F::is_signalling(b)), true)
        }
        Family::Propagating => {
            watch.see(|| Step::Uses(Question::MinMax));
            (usize::from(F::is_nan(b)), true)
        }
        Family::Legacy { .. } | Family::Number => {
            watch.see(|| Step::Uses(Question::MinMax));
            (usize::from(F::is_nan(a)), false)
        }
    }
}

/// A number's place in the order of numbers, in which −0 stands below +0.
#[inline]
fn order<F: Format>(bits: u32) -> i64 {
    let magnitude = i64::from(F::magnitude(bits));
    if F::is_negative(bits) { -1 - magnitude } else { magnitude }
}

/// The smaller or larger of two operands that are flushed already.
#[inline]
pub(super) fn select<F: Format, W: Watch>(
    family: Family,
    is_max: bool,
    operands: [u32; 2],
    readings: Readings,
    watch: &mut W,
) -> u32 {
    let (slot, quiet) = choose::<F, W>(family, is_max, operands, readings, watch);
    let bits = operands[slot] | if quiet { F::QUIET } else { 0 };
    watch.see(|| Step::Chosen { slot: slot as u8, bits });
    bits
}

#[cfg(test)]
mod tests {
    use super::super::format::F16;
    use super::*;

    const NUMBER: u32 = 0x3c00;
    const QUIET: [u32; 2] = [0x7e01, 0xfe02];
    const SIGNALLING: [u32; 2] = [0x7c03, 0xfc04];

    fn readings() -> Readings {
        Readings::of("gfx1030".parse().unwrap())
    }

    fn min(family: Family, a: u32, b: u32) -> u32 {
        select::<F16, ()>(family, false, [a, b], readings(), &mut ())
    }

    fn max(family: Family, a: u32, b: u32) -> u32 {
        select::<F16, ()>(family, true, [a, b], readings(), &mut ())
    }

    const IEEE: Family = Family::Legacy { ieee: true };
    const DX10: Family = Family::Legacy { ieee: false };

    #[test]
    fn numbers_are_ordered_and_so_are_zeros() {
        // -inf < -1 < -2^-24 < -0 < +0 < 2^-24 < 1 < +inf.
        let ascending = [0xfc00, 0xbc00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3c00, 0x7c00];
        for family in [IEEE, DX10, Family::Number, Family::Propagating] {
            for (i, a) in ascending.into_iter().enumerate() {
                for (j, b) in ascending.into_iter().enumerate() {
                    assert_eq!(min(family, a, b), ascending[i.min(j)], "{family:?} {a:04x} {b:04x}");
                    assert_eq!(max(family, a, b), ascending[i.max(j)], "{family:?} {a:04x} {b:04x}");
                }
            }
        }
    }

    #[test]
    fn legacy_gives_the_number_unless_ieee_sees_a_signalling_nan() {
        assert_eq!((min(IEEE, QUIET[0], NUMBER), max(IEEE, NUMBER, QUIET[1])), (NUMBER, NUMBER));
        // IEEE: S0 signalling, quieted; else S1 signalling, quieted, even beside a quiet S0.
        assert_eq!(min(IEEE, SIGNALLING[0], SIGNALLING[1]), 0x7e03);
        assert_eq!(max(IEEE, QUIET[0], SIGNALLING[1]), 0xfe04);
        assert_eq!(max(IEEE, NUMBER, SIGNALLING[1]), 0xfe04);
        assert_eq!((min(DX10, SIGNALLING[0], NUMBER), min(DX10, NUMBER, SIGNALLING[1])), (NUMBER, NUMBER));
        // Two NaNs: S1 up to RDNA2, S0 on RDNA3; unchanged.
        assert_eq!((min(DX10, SIGNALLING[0], SIGNALLING[1]), max(IEEE, QUIET[0], QUIET[1])), (0xfc04, 0xfe02));
        let first = readings().with(Reading::BothNanFirst);
        assert_eq!(select::<F16, ()>(DX10, true, SIGNALLING, first, &mut ()), 0x7c03);
    }

    #[test]
    fn number_forms_give_the_number_and_of_two_nans_the_first_made_quiet() {
        assert_eq!(
            (min(Family::Number, SIGNALLING[0], NUMBER), max(Family::Number, NUMBER, QUIET[1])),
            (NUMBER, NUMBER)
        );
        assert_eq!(min(Family::Number, SIGNALLING[0], SIGNALLING[1]), 0x7e03);
        assert_eq!(max(Family::Number, QUIET[0], SIGNALLING[1]), 0x7e01);
    }

    #[test]
    fn minimum_and_maximum_give_a_nan_made_quiet() {
        assert_eq!(min(Family::Propagating, SIGNALLING[0], NUMBER), 0x7e03);
        assert_eq!(max(Family::Propagating, NUMBER, QUIET[1]), 0xfe02);
        let order = |reading, operands| {
            select::<F16, ()>(Family::Propagating, false, operands, readings().with(reading), &mut ())
        };
        let quiet_first = [QUIET[0], SIGNALLING[1]];
        assert_eq!(order(Reading::MinimumSignallingFirst, quiet_first), 0xfe04);
        assert_eq!(order(Reading::MinimumSourceOrder, quiet_first), 0x7e01);
        for reading in [Reading::MinimumSignallingFirst, Reading::MinimumSourceOrder] {
            assert_eq!(order(reading, QUIET), 0x7e01);
            assert_eq!(order(reading, SIGNALLING), 0x7e03);
        }
    }
}
