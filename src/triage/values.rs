//! Which values of a field show a finding, everything else being as it is.

use crate::codec::Field;

/// Fields of at most so many bits are tried out whole.
pub const NARROW: u32 = 9;

/// The values of a field that show a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Values {
    /// These and no others.
    All {
        /// The values that show it, ascending.
        shown: Vec<u32>,
        /// Values that show what the ledger knows in its place, so that nothing can be said about them; ascending.
        hidden: Vec<u32>,
    },
    /// Those with these bits: each of `mask` was turned over alone, and the finding went.
    Bits {
        /// The bits that matter.
        mask: u32,
        /// What they hold.
        value: u32,
    },
    /// Those that have another value than this in some bit of `mask`: each was turned over alone, and the finding was there.
    Other {
        /// The bits that matter.
        mask: u32,
        /// The plainest value.
        plain: u32,
    },
}

impl Values {
    /// Whether a value of the field is one of these.
    #[must_use]
    pub fn has(&self, value: u32) -> bool {
        match self {
            Self::All { shown, .. } => shown.binary_search(&value).is_ok(),
            Self::Bits { mask, value: wanted } => value & mask == wanted & mask,
            Self::Other { mask, plain } => (value ^ plain) & mask != 0,
        }
    }

    /// The bits of the field that matter, as a mask, and what they hold: `1`, `209-229`, `!0`.
    #[must_use]
    pub fn described(&self, field: Field) -> (u32, String) {
        match self {
            Self::All { shown, hidden } => described(shown, hidden, field.width()),
            Self::Bits { mask, value } => {
                let (low, hull) = hull(*mask);
                (hull << low, format!("{}", value >> low & hull))
            }
            Self::Other { mask, plain } => {
                let (low, hull) = hull(*mask);
                (hull << low, format!("!{}", plain >> low & hull))
            }
        }
    }

    /// These and those of another finding of the same cause.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::All { shown: a, hidden: c }, Self::All { shown: b, hidden: d }) => {
                let shown = merged(a, b);
                let mut hidden = merged(c, d);
                hidden.retain(|value| shown.binary_search(value).is_err());
                Self::All { shown, hidden }
            }
            (Self::Other { mask: a, plain }, Self::Other { mask: b, .. }) => Self::Other { mask: a | b, plain: *plain },
            (Self::Bits { mask: a, value: v }, Self::Bits { mask: b, value: w }) => {
                let mask = a & b & !(v ^ w);
                Self::Bits { mask, value: v & mask }
            }
            _ => self.clone(),
        }
    }

    /// Values at the edges of these: some that are in it, and their neighbours that are not.
    #[must_use]
    pub fn edges(&self, field: Field) -> Vec<u32> {
        let Self::All { shown: values, hidden } = self else { return Vec::new() };
        let most = u32::MAX >> (32 - field.width());
        let mut edges = Vec::new();
        for run in values.chunk_by(|a, b| a + 1 == *b) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            edges.extend([first.checked_sub(1), Some(*first), Some(*last), Some(last + 1)]);
        }
        let mut edges: Vec<u32> = edges.into_iter().flatten().filter(|value| *value <= most).collect();
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|value| hidden.binary_search(value).is_err());
        edges
    }
}

fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The lowest bit of a mask, and as many ones as it is wide from there on.
fn hull(mask: u32) -> (u32, u32) {
    if mask == 0 {
        return (0, 0);
    }
    let low = mask.trailing_zeros();
    (low, u32::MAX >> (mask.leading_zeros() + low))
}

fn described(shown: &[u32], hidden: &[u32], width: u32) -> (u32, String) {
    let may_have = |value: u32| shown.binary_search(&value).is_ok() || hidden.binary_search(&value).is_ok();
    let matters = |bit: &u32| shown.iter().any(|value| !may_have(value ^ 1 << bit));
    let mask = (0..width).filter(matters).fold(0, |mask, bit| mask | 1 << bit);
    let (low, hull) = hull(mask);
    let project = |values: &mut dyn Iterator<Item = u32>| {
        merged(&values.map(|value| value >> low & hull).collect::<Vec<_>>(), &[])
    };
    let held = project(&mut shown.iter().copied());
    let others = project(&mut (0..1 << width).filter(|value| !may_have(*value)));
    let text = match others[..] {
        [other] if held.len() > 1 => format!("!{other}"),
        _ => ranges(&held),
    };
    (hull << low, text)
}

/// `1-3,8`.
#[must_use]
pub fn ranges(values: &[u32]) -> String {
    let runs = values.chunk_by(|a, b| a + 1 == *b).filter_map(|run| Some((run.first()?, run.last()?)));
    let runs: Vec<String> =
        runs.map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") }).collect();
    runs.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(values: impl IntoIterator<Item = u32>) -> Values {
        Values::All { shown: values.into_iter().collect(), hidden: Vec::new() }
    }

    #[test]
    fn the_bits_that_matter_and_what_they_hold() {
        // Bit 1 alone decides.
        assert_eq!(all([2, 3, 6, 7]).described(Field::OpSel), (2, "1".to_owned()));
        assert_eq!(all([1]).described(Field::Clamp), (1, "1".to_owned()));
        // All but 0 of three bits.
        assert_eq!(all(1..8).described(Field::OpSel), (7, "!0".to_owned()));
        assert_eq!(all(209..230).described(Field::Src0), (0x1ff, "209-229".to_owned()));
        // Every VGPR: bit 8 of the selector.
        assert_eq!(all(256..512).described(Field::Src0), (0x100, "1".to_owned()));
        assert_eq!(all([1, 2, 3, 8]).described(Field::Vdst), (255, "1-3,8".to_owned()));
        // OP_SEL[2], or NEG[2], is known to be refused, whatever the others are.
        let beside = Values::All { shown: vec![2, 3], hidden: vec![4, 5, 6, 7] };
        assert_eq!(beside.described(Field::OpSel), (2, "1".to_owned()));
        let beside = Values::All { shown: vec![1, 2, 3], hidden: vec![4, 5, 6, 7] };
        assert_eq!(beside.described(Field::Neg), (3, "!0".to_owned()));
        let upper = Values::Other { mask: 0xffff_0000, plain: 0x1234 };
        assert_eq!(upper.described(Field::Literal), (0xffff_0000, "!0".to_owned()));
        assert!(upper.has(0x4000_1234) && !upper.has(0x4321));
        let bits = Values::Bits { mask: 0x14, value: 0x10 };
        assert_eq!(bits.described(Field::Literal), (0x1c, "4".to_owned()));
        assert!(bits.has(0x1b) && !bits.has(0x14));
    }

    #[test]
    fn edges_are_the_ends_of_runs_and_what_lies_behind_them() {
        assert_eq!(all([209, 210, 211, 300]).edges(Field::Src0), [208, 209, 211, 212, 299, 300, 301]);
        assert_eq!(all([0, 1]).edges(Field::Clamp), [0, 1]);
    }

    #[test]
    fn findings_of_one_cause_have_the_values_of_all() {
        assert_eq!(all([1, 3]).union(&all([2, 3])), all([1, 2, 3]));
        let bits = |mask, value| Values::Bits { mask, value };
        assert_eq!(bits(6, 2).union(&bits(3, 3)), bits(2, 2));
    }
}
