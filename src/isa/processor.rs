//! The 39 processors with VOP3P that LLVM 22 names, and sets of them.

use super::generation::{Generation, GenerationRow};

/// How we know that a processor follows its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// AMD's manual or XML of the generation names the chip.
    Documented,
    /// The chip has no document of its own; LLVM's processor features place it here.
    Inferred,
    /// A generic target: what all its members share.
    Generic,
}

/// One LLVM processor.
#[derive(Debug, PartialEq, Eq)]
pub struct Processor {
    /// LLVM's `-mcpu` name.
    pub name: &'static str,
    /// The generation whose rules it follows.
    pub generation: Generation,
    /// How we know.
    pub basis: Basis,
}

impl Processor {
    /// The rules of its generation.
    #[must_use]
    pub fn rules(&self) -> &'static GenerationRow {
        self.generation.row()
    }
}

const fn chip(name: &'static str, generation: Generation) -> Processor {
    Processor { name, generation, basis: Basis::Documented }
}

const fn inferred(name: &'static str, generation: Generation) -> Processor {
    Processor { name, generation, basis: Basis::Inferred }
}

const fn generic(name: &'static str, generation: Generation) -> Processor {
    Processor { name, generation, basis: Basis::Generic }
}

/// How many processors there are.
pub const PROCESSOR_COUNT: usize = 39;

/// Every processor. The order is part of the fuzz input format: new ones go to the end.
pub static PROCESSORS: [Processor; PROCESSOR_COUNT] = PROCESSOR_ROWS;

const PROCESSOR_ROWS: [Processor; PROCESSOR_COUNT] = [
    chip("gfx900", Generation::Vega),
    inferred("gfx902", Generation::Vega),
    inferred("gfx904", Generation::Vega),
    inferred("gfx909", Generation::Vega),
    inferred("gfx90c", Generation::Vega),
    generic("gfx9-generic", Generation::Vega),
    chip("gfx906", Generation::Vega7),
    chip("gfx908", Generation::Cdna1),
    chip("gfx90a", Generation::Cdna2),
    chip("gfx942", Generation::Cdna3),
    generic("gfx9-4-generic", Generation::Cdna3),
    chip("gfx950", Generation::Cdna4),
    chip("gfx1010", Generation::Rdna1),
    inferred("gfx1011", Generation::Rdna1),
    inferred("gfx1012", Generation::Rdna1),
    inferred("gfx1013", Generation::Rdna1),
    generic("gfx10-1-generic", Generation::Rdna1),
    chip("gfx1030", Generation::Rdna2),
    inferred("gfx1031", Generation::Rdna2),
    inferred("gfx1032", Generation::Rdna2),
    inferred("gfx1033", Generation::Rdna2),
    inferred("gfx1034", Generation::Rdna2),
    inferred("gfx1035", Generation::Rdna2),
    inferred("gfx1036", Generation::Rdna2),
    generic("gfx10-3-generic", Generation::Rdna2),
    chip("gfx1100", Generation::Rdna3),
    inferred("gfx1101", Generation::Rdna3),
    inferred("gfx1102", Generation::Rdna3),
    inferred("gfx1103", Generation::Rdna3),
    generic("gfx11-generic", Generation::Rdna3),
    chip("gfx1150", Generation::Rdna35),
    inferred("gfx1151", Generation::Rdna35),
    inferred("gfx1152", Generation::Rdna35),
    inferred("gfx1153", Generation::Rdna35),
    chip("gfx1200", Generation::Rdna4),
    inferred("gfx1201", Generation::Rdna4),
    generic("gfx12-generic", Generation::Rdna4),
    chip("gfx1250", Generation::Cdna5),
    inferred("gfx1251", Generation::Cdna5),
];

/// A set of processors, one bit each in the order of [`PROCESSORS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorSet(u64);

impl ProcessorSet {
    /// No processor.
    pub const NONE: Self = Self(0);
    /// Every processor.
    pub const ALL: Self = Self((1 << PROCESSOR_COUNT) - 1);

    /// All processors of these generations, generic ones included.
    #[must_use]
    pub const fn generations(generations: &[Generation]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < PROCESSOR_COUNT {
            let mut g = 0;
            while g < generations.len() {
                if PROCESSOR_ROWS[index].generation as u8 == generations[g] as u8 {
                    bits |= 1 << index;
                }
                g += 1;
            }
            index += 1;
        }
        Self(bits)
    }

    /// The processors of these names; a name that does not exist fails the build where the set is a constant.
    #[must_use]
    pub const fn named(names: &[&str]) -> Self {
        let mut bits = 0;
        let mut n = 0;
        while n < names.len() {
            let mut index = 0;
            while !same(PROCESSOR_ROWS[index].name, names[n]) {
                index += 1;
            }
            bits |= 1 << index;
            n += 1;
        }
        Self(bits)
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// This set and the processor at this place of [`PROCESSORS`].
    #[must_use]
    pub const fn with(self, index: usize) -> Self {
        Self(self.0 | 1 << (index % PROCESSOR_COUNT))
    }

    /// This set without the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the processor at this place of [`PROCESSORS`] is in the set.
    #[must_use]
    pub const fn contains(self, index: usize) -> bool {
        index < PROCESSOR_COUNT && self.0 >> index & 1 == 1
    }

    /// Whether no processor is in both sets.
    #[must_use]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// How many processors are in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no processor.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_the_processors_of_their_generations() {
        let vega = ProcessorSet::generations(&[Generation::Vega]);
        assert_eq!(vega.len(), 6);
        assert!(vega.contains(0) && vega.contains(5) && !vega.contains(6));
        assert_eq!(ProcessorSet::ALL.len(), 39);
        assert_eq!(ProcessorSet::named(&["gfx1011", "gfx1012"]).len(), 2);
        assert_eq!(ProcessorSet::ALL.without(vega).len(), 33);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = PROCESSORS.iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PROCESSOR_COUNT);
    }
}
