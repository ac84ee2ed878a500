//! Sets of numbers as the ledger writes them: `1`, `0-3,8`, `!0`.

use std::fmt;

use serde::Deserialize;

/// A set of 32-bit numbers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Set {
    ranges: Vec<(u32, u32)>,
    complement: bool,
    text: String,
}

impl Set {
    /// The largest number that is written down.
    #[must_use]
    pub fn largest(&self) -> u32 {
        self.ranges.iter().map(|(_, hi)| *hi).max().unwrap_or(0)
    }

    /// Whether the number is in the set.
    #[must_use]
    pub fn contains(&self, value: u32) -> bool {
        self.ranges.iter().any(|(lo, hi)| (*lo..=*hi).contains(&value)) != self.complement
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Names for selectors that sets may use: (name, ranges).
const NAMES: &[(&str, &[(u32, u32)])] = &[
    ("sgpr", &[(0, 105)]),
    ("ttmp", &[(108, 123)]),
    ("inline", &[(128, 208), (240, 248)]),
    ("literal", &[(255, 255)]),
    ("dpp", &[(233, 234), (250, 250)]),
    ("vgpr", &[(256, 511)]),
];

/// Names for the odd ones among selectors: an odd VGPR has an odd selector, since v0 is 256.
const ODD: &[(&str, &[(u32, u32)])] =
    &[("odd-sgpr-gfx9", &[(0, 101), (108, 123)]), ("odd-scalar", &[(0, 105), (108, 123)]), ("odd-vgpr", &[(256, 511)])];

impl TryFrom<String> for Set {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (complement, items) = text.strip_prefix('!').map_or((false, text.as_str()), |rest| (true, rest));
        let mut ranges = Vec::new();
        for item in items.split(',') {
            let item = item.trim();
            if let Some((_, named)) = NAMES.iter().find(|(name, _)| *name == item) {
                ranges.extend_from_slice(named);
            } else if let Some((_, from)) = ODD.iter().find(|(name, _)| *name == item) {
                ranges.extend(from.iter().flat_map(|(lo, hi)| (*lo..=*hi).filter(|n| n % 2 == 1).map(|n| (n, n))));
            } else {
                let (lo, hi) = item.split_once('-').unwrap_or((item, item));
                let (lo, hi) = (number(lo)?, number(hi)?);
                if lo > hi {
                    return Err(format!("`{item}` runs backwards"));
                }
                ranges.push((lo, hi));
            }
        }
        Ok(Self { ranges, complement, text })
    }
}

fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed
        .map_err(|_| format!("`{text}` is no number and no name of a set (sgpr, odd-scalar, literal, dpp, vgpr, ...)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Set {
        Set::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn sets_hold_what_they_say() {
        assert!(set("1").contains(1) && !set("1").contains(2));
        assert!(set("0-3,8").contains(3) && set("0-3,8").contains(8) && !set("0-3,8").contains(4));
        assert!(!set("!0").contains(0) && set("!0").contains(7));
        assert!(set("0xff").contains(255) && set("literal").contains(255));
        let odd: Vec<u32> = (0..512).filter(|n| set("odd-scalar").contains(*n)).collect();
        assert_eq!((odd.len(), odd[0], odd[52], odd[53], odd[60]), (61, 1, 105, 109, 123));
    }

    #[test]
    fn what_is_no_set() {
        assert!(Set::try_from("x".to_owned()).unwrap_err().starts_with("`x` is no number"));
        assert_eq!(Set::try_from("3-1".to_owned()).unwrap_err(), "`3-1` runs backwards");
    }
}
