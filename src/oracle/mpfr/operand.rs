//! What an operand field reads: registers from the inputs, constants by the kind of the operand.
//!
//! Source: the tables of inline constants in the manuals (RDNA3 7.5.1; CDNA5 7.7.2), LLVM's comments where it says what
//! the hardware does.

use super::environment::Environment;
use crate::isa::{InlineFloat, Source, Special};
use crate::question::Reading;

/// How an operand field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Two f16.
    Halves,
    /// Two bf16.
    BrainHalves,
    /// Two integers of 16 bits.
    Integers,
    /// Two dwords.
    Dwords,
    /// One f32.
    Single,
    /// An f16 of a mix operand.
    MixHalf,
    /// A bf16 of a mix operand.
    MixBrainHalf,
}

/// The register that a source stands for, as one would have to fill it.
pub(super) fn register(environment: &Environment, source: Source, kind: Kind, held: u64) -> u64 {
    let low_only = environment.has(Reading::InlineIntegerLow);
    let dword = match source {
        Source::Special(Special::Null) => return 0,
        Source::Vgpr(_) | Source::Agpr(_) | Source::Sgpr(_) | Source::Ttmp(_) | Source::Special(_) => return held,
        Source::Literal(dword) => dword,
        Source::Int(number) => {
            let dword = i32::from(number) as u32;
            match kind {
                Kind::Dwords | Kind::Single => dword,
                _ if low_only => dword & 0xffff,
                _ => dword,
            }
        }
        Source::Float(float) => match kind {
            Kind::Halves => half(float),
            Kind::Integers if environment.has(Reading::InlineFloatIsF16Low) => half(float),
            Kind::MixHalf if environment.has(Reading::MixInlineLow) => half(float),
            Kind::MixHalf => half(float) << 16 | half(float),
            Kind::Integers | Kind::BrainHalves | Kind::MixBrainHalf | Kind::Dwords | Kind::Single => single(float),
        },
    };
    let low = u64::from(dword);
    if kind == Kind::Dwords && !environment.has(Reading::InlinePairLow) { low << 32 | low } else { low }
}

/// Sign, and the exponent of the power of two; 1/(2π) is none.
const fn power(float: InlineFloat) -> Option<(bool, i32)> {
    Some(match float {
        InlineFloat::Half => (false, -1),
        InlineFloat::MinusHalf => (true, -1),
        InlineFloat::One => (false, 0),
        InlineFloat::MinusOne => (true, 0),
        InlineFloat::Two => (false, 1),
        InlineFloat::MinusTwo => (true, 1),
        InlineFloat::Four => (false, 2),
        InlineFloat::MinusFour => (true, 2),
        InlineFloat::Inv2Pi => return None,
    })
}

/// An inline constant as f16.
const fn half(float: InlineFloat) -> u32 {
    match power(float) {
        Some((negative, exponent)) => (negative as u32) << 15 | ((15 + exponent) as u32) << 10,
        None => 0x3118,
    }
}

/// An inline constant as f32; its upper half is the bf16.
const fn single(float: InlineFloat) -> u32 {
    match power(float) {
        Some((negative, exponent)) => (negative as u32) << 31 | ((127 + exponent) as u32) << 23,
        None => 0x3e22_f983,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Mode, Readings};

    fn read(source: Source, kind: Kind, readings: &[Reading]) -> u64 {
        let target = "gfx1250".parse().unwrap();
        let readings = readings.iter().fold(Readings::of(target), |all, reading| all.with(*reading));
        register(&Environment::new(target, Mode::default(), readings), source, kind, 0x1111_2222_3333_4444)
    }

    #[test]
    fn constants_by_kind() {
        let two = Source::Float(InlineFloat::Two);
        assert_eq!(read(two, Kind::Halves, &[]), 0x4000);
        assert_eq!(read(two, Kind::BrainHalves, &[]), 0x4000_0000);
        assert_eq!(read(two, Kind::Integers, &[]), 0x4000_0000);
        assert_eq!(read(two, Kind::Integers, &[Reading::InlineFloatIsF16Low]), 0x4000);
        assert_eq!(read(two, Kind::Dwords, &[]), 0x4000_0000_4000_0000);
        assert_eq!(read(two, Kind::Dwords, &[Reading::InlinePairLow]), 0x4000_0000);
        assert_eq!(read(two, Kind::Single, &[]), 0x4000_0000);
        assert_eq!(read(two, Kind::MixHalf, &[]), 0x4000_4000);
        assert_eq!(read(two, Kind::MixHalf, &[Reading::MixInlineLow]), 0x4000);
        assert_eq!(read(two, Kind::MixBrainHalf, &[]), 0x4000_0000);
        let minus_half = Source::Float(InlineFloat::MinusHalf);
        assert_eq!((read(minus_half, Kind::Halves, &[]), read(minus_half, Kind::Single, &[])), (0xb800, 0xbf00_0000));
        let inverse = Source::Float(InlineFloat::Inv2Pi);
        assert_eq!((read(inverse, Kind::Halves, &[]), read(inverse, Kind::BrainHalves, &[])), (0x3118, 0x3e22_f983));
    }

    #[test]
    fn integers_carry_their_sign_or_not() {
        let minus_three = Source::Int(-3);
        for kind in [Kind::Halves, Kind::BrainHalves, Kind::Integers, Kind::MixHalf, Kind::MixBrainHalf] {
            assert_eq!(read(minus_three, kind, &[]), 0xffff_fffd, "{kind:?}");
            assert_eq!(read(minus_three, kind, &[Reading::InlineIntegerLow]), 0xfffd, "{kind:?}");
        }
        assert_eq!(read(minus_three, Kind::Single, &[Reading::InlineIntegerLow]), 0xffff_fffd);
        assert_eq!(read(minus_three, Kind::Dwords, &[Reading::InlineIntegerLow]), 0xffff_fffd_ffff_fffd);
    }

    #[test]
    fn registers_literals_and_null() {
        assert_eq!(read(Source::Sgpr(4), Kind::Dwords, &[]), 0x1111_2222_3333_4444);
        assert_eq!(read(Source::Special(Special::Null), Kind::Dwords, &[]), 0);
        assert_eq!(read(Source::Special(Special::VccLo), Kind::Halves, &[]), 0x1111_2222_3333_4444);
        assert_eq!(read(Source::Literal(0x1c00_2000), Kind::Halves, &[]), 0x1c00_2000);
        assert_eq!(read(Source::Literal(0x1c00_2000), Kind::Dwords, &[]), 0x1c00_2000_1c00_2000);
    }
}
