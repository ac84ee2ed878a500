//! The MODE register: its bits, its notation, and which of them a target has. What they make of a result is for whoever
//! computes.
//!
//! Source: the MODE tables of the manuals, "Wave state". FP_ROUND 3:0 (f32 in 1:0, f16 and f64 in 3:2), FP_DENORM 7:4
//! likewise, DX10_CLAMP 8, IEEE 9, FP16_OVFL 23.

use core::fmt;
use core::str::FromStr;

use crate::isa::{ModeBits, Target};

/// The register. The default is 0x3f0: nearest even, subnormals kept, IEEE and DX10_CLAMP set, FP16_OVFL clear.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The raw bits.
    pub raw: u32,
}

const DX10_CLAMP: u32 = 1 << 8;
const IEEE: u32 = 1 << 9;
const FP16_OVFL: u32 = 1 << 23;

/// The bits that decide results.
const MEANINGFUL: u32 = 0xff | DX10_CLAMP | IEEE | FP16_OVFL;

impl Default for Mode {
    fn default() -> Self {
        Self { raw: 0x3f0 }
    }
}

impl Mode {
    /// The register as the target has it: bits that it lacks read as what its behaviour is.
    #[must_use]
    pub fn on(self, target: Target) -> Self {
        let ModeBits { dx10_clamp_ieee, fp16_ovfl } = target.rules().mode;
        let set = if dx10_clamp_ieee { 0 } else { DX10_CLAMP | IEEE };
        let clear = if fp16_ovfl { 0 } else { FP16_OVFL };
        Self { raw: (self.raw | set) & MEANINGFUL & !clear }
    }

    /// The bits of the register that decide nothing on the target.
    #[must_use]
    pub fn ignored_on(self, target: Target) -> u32 {
        let lacks = if target.rules().mode.dx10_clamp_ieee { 0 } else { DX10_CLAMP | IEEE };
        self.raw & (!MEANINGFUL | lacks)
    }
}

/// `0x3f0`.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.raw)
    }
}

impl fmt::Debug for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mode({self})")
    }
}

/// Why a text is no MODE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeError {
    message: String,
}

impl fmt::Display for ModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ModeError {}

const ROUNDINGS: [&str; 4] = ["rne", "+inf", "-inf", "zero"];
const DENORMS: [&str; 4] = ["flush", "flush-out", "flush-in", "keep"];
const BITS: [&str; 2] = ["0", "1"];

/// Name, lowest bit, names of the values.
const FIELDS: [(&str, u32, &[&str]); 7] = [
    ("round.f32", 0, &ROUNDINGS),
    ("round.f16", 2, &ROUNDINGS),
    ("denorm.f32", 4, &DENORMS),
    ("denorm.f16", 6, &DENORMS),
    ("dx10_clamp", 8, &BITS),
    ("ieee", 9, &BITS),
    ("fp16_ovfl", 23, &BITS),
];

impl Mode {
    /// The register in words, what is as by default left out: `round.f16=+inf,ieee=0`; empty for the default.
    #[must_use]
    pub fn in_words(self) -> String {
        let mut words = Vec::new();
        for (name, low, values) in FIELDS {
            let mask = values.len() as u32 - 1;
            let value = |mode: Self| mode.raw >> low & mask;
            if value(self) != value(Self::default()) {
                words.push(format!("{name}={}", values[value(self) as usize]));
            }
        }
        words.join(",")
    }
}

/// Reads `0x3f0`, or names and values separated by commas: `round.f16=+inf,denorm.f32=flush,ieee=0`. What is not named
/// is as by default.
impl FromStr for Mode {
    type Err = ModeError;

    fn from_str(text: &str) -> Result<Self, ModeError> {
        let fail = |message: String| ModeError { message };
        if let Some(digits) = text.strip_prefix("0x") {
            let raw = u32::from_str_radix(digits, 16);
            return raw.map(|raw| Self { raw }).map_err(|_| fail(format!("`{text}` is no 32-bit number")));
        }
        let mut mode = Self::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            let Some((_, low, values)) = FIELDS.iter().find(|field| field.0 == name.trim()) else {
                let names = FIELDS.map(|field| field.0).join(", ");
                return Err(fail(format!("`{name}` is no field of MODE: {names}; or the register, `0x3f0`")));
            };
            let Some(number) = values.iter().position(|known| *known == value.trim()) else {
                return Err(fail(format!("`{name}={value}`: the value is one of {}", values.join(", "))));
            };
            let mask = values.len() as u32 - 1;
            mode.raw = mode.raw & !(mask << low) | (number as u32) << low;
        }
        Ok(mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_said_in_no_words() {
        let mode = Mode::default();
        assert_eq!((mode.to_string().as_str(), mode.in_words().as_str()), ("0x3f0", ""));
    }

    #[test]
    fn fields_by_name_stand_where_the_manuals_put_them() {
        let raw = |text: &str| text.parse::<Mode>().unwrap().raw;
        assert_eq!(raw("round.f32=zero"), 0x3f3);
        assert_eq!(raw("round.f16=+inf"), 0x3f4);
        assert_eq!(raw("denorm.f32=flush"), 0x3c0);
        assert_eq!(raw("denorm.f16=flush-out"), 0x370);
        assert_eq!(raw("denorm.f16=flush-in, ieee=0, dx10_clamp=0"), 0x0b0);
        assert_eq!(raw("fp16_ovfl=1"), 0x80_03f0);
        assert_eq!(raw("0x2f1"), 0x2f1);
        for raw in [0x0, 0x3f0, 0x80_0000, 0x1a5, 0x80_03ff] {
            let words = Mode { raw }.in_words();
            assert_eq!(words.parse::<Mode>().unwrap().raw, raw, "{words}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_mode() {
        let message = |text: &str| text.parse::<Mode>().unwrap_err().to_string();
        assert!(message("rounding=rne").starts_with("`rounding` is no field of MODE: round.f32, round.f16,"));
        assert_eq!(message("round.f32=up"), "`round.f32=up`: the value is one of rne, +inf, -inf, zero");
        assert_eq!(message("0xg"), "`0xg` is no 32-bit number");
    }

    #[test]
    fn bits_that_a_generation_lacks() {
        // RDNA4 and CDNA5 have neither DX10_CLAMP nor IEEE, and behave as with both.
        let gfx1201: Target = "gfx1201".parse().unwrap();
        let gfx1100: Target = "gfx1100".parse().unwrap();
        assert_eq!(Mode { raw: 0x0f0 }.on(gfx1201).raw, 0x3f0);
        assert_eq!(Mode { raw: 0x0f0 }.on(gfx1100).raw, 0x0f0);
        assert_eq!(Mode { raw: 0x1_03f0 }.ignored_on(gfx1201), 0x1_0300);
        assert_eq!(Mode { raw: 0x1_03f0 }.ignored_on(gfx1100), 0x1_0000);
    }
}
