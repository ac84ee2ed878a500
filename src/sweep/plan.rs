//! A sweep cut into units.

use std::ops::Range;

use super::record::Choice;
use super::space::Space;
use super::spaces::{Subject, unpadded};
use crate::codec::Window;
use crate::isa::Target;

/// Windows of one unit: what one process of a tool takes at once.
pub const UNIT: u64 = 0x4000;

/// Of a target that another one stands for, every so many windows are judged. Odd, and no divisor of the sizes of the
/// families, so that the sample meets every value of every field.
pub const SAMPLE: u64 = 17;

/// The windows of a target that are judged in one way.
#[derive(Debug)]
pub struct Part {
    /// The target.
    pub target: Target,
    /// The target that stands for it, our tables being the same: only a sample of this one is judged.
    pub like: Option<Target>,
    /// Whether fixed padding follows each window.
    pub padded: bool,
    spaces: Vec<Space>,
    /// Where each family starts among the windows of the target; one more for the end.
    starts: Vec<u64>,
    /// Number of the first unit.
    first_unit: u64,
}

/// One window of a unit, and the family it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// The window.
    pub window: Window,
    /// What is varied.
    pub space: &'static str,
    /// AMD's name of the opcode, or its number.
    pub opcode: &'a str,
}

impl Part {
    fn new(target: Target, like: Option<Target>, padded: bool, spaces: Vec<Space>) -> Self {
        let mut starts = vec![0];
        for space in &spaces {
            starts.push(starts.last().copied().unwrap_or(0) + space.len());
        }
        Self { target, like, padded, spaces, starts, first_unit: 0 }
    }

    /// Windows that are judged.
    #[must_use]
    pub fn windows(&self) -> u64 {
        let all = self.starts.last().copied().unwrap_or(0);
        if self.like.is_some() { all / SAMPLE } else { all }
    }

    fn units(&self) -> u64 {
        self.windows().div_ceil(UNIT)
    }

    /// How many windows a unit of the sweep, which is one of this part, has.
    #[must_use]
    pub fn unit_len(&self, unit: u64) -> u64 {
        self.windows().saturating_sub((unit - self.first_unit) * UNIT).min(UNIT)
    }

    /// The windows of a unit of the sweep, which is one of this part.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = Planned<'_>> {
        let start = (unit - self.first_unit) * UNIT;
        let stride = if self.like.is_some() { SAMPLE } else { 1 };
        let range: Range<u64> = start..(start + UNIT).min(self.windows());
        let mut place = 0;
        range.filter_map(move |index| {
            let index = index * stride;
            while self.starts.get(place + 1).is_some_and(|end| *end <= index) {
                place += 1;
            }
            let space = self.spaces.get(place)?;
            let window = space.window(self.target, index - self.starts.get(place)?);
            Some(Planned { window, space: space.name, opcode: &space.opcode })
        })
    }
}

/// All that a sweep judges.
#[derive(Debug)]
pub struct Plan {
    parts: Vec<Part>,
}

impl Plan {
    /// The plan for a choice of targets, which are distinct.
    #[must_use]
    pub fn new(choice: &Choice) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for (place, target) in choice.targets.iter().enumerate() {
            let earlier = &choice.targets[..place];
            let like =
                |subject: &Subject| earlier.iter().find(|other| !choice.each && subject.is_same_on(**other, *target));
            let subjects = Subject::all(*target, &choice.opcodes);
            let mut groups: Vec<(Option<Target>, Vec<Subject>)> = vec![(None, Vec::new())];
            for subject in subjects {
                let like = like(&subject).copied();
                match groups.iter_mut().find(|(other, _)| *other == like) {
                    Some((_, subjects)) => subjects.push(subject),
                    None => groups.push((like, vec![subject])),
                }
            }
            for (like, subjects) in groups {
                let spaces = subjects.iter().flat_map(|subject| subject.spaces(*target)).collect();
                parts.push(Part::new(*target, like, true, spaces));
                if like.is_none() && choice.decode {
                    parts.push(Part::new(*target, None, false, unpadded(*target, &subjects)));
                }
            }
        }
        parts.retain(|part| part.windows() > 0);
        let mut units = 0;
        for part in &mut parts {
            part.first_unit = units;
            units += part.units();
        }
        Self { parts }
    }

    /// Its parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many units it has.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.parts.iter().map(Part::units).sum()
    }

    /// How many windows it has.
    #[must_use]
    pub fn windows(&self) -> u64 {
        self.parts.iter().map(Part::windows).sum()
    }

    /// The part that a unit belongs to, if there is such a unit.
    #[must_use]
    pub fn part_of(&self, unit: u64) -> Option<&Part> {
        self.parts.iter().find(|part| (part.first_unit..part.first_unit + part.units()).contains(&unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(targets: &[&str]) -> Choice {
        Choice {
            targets: targets.iter().map(|name| name.parse().unwrap()).collect(),
            opcodes: Vec::new(),
            decode: true,
            assemble: true,
            each: false,
        }
    }

    #[test]
    fn a_target_stands_for_those_with_its_tables() {
        let plan = Plan::new(&choice(&["gfx900", "gfx902", "gfx904", "gfx906", "gfx1100", "gfx1103", "gfx1100:w64"]));
        let parts = plan.parts().iter().filter(|part| part.padded);
        let like: Vec<String> = parts
            .map(|part| match part.like {
                None => part.target.to_string(),
                Some(like) => format!("{} like {like}", part.target),
            })
            .collect();
        // LLVM's names of mix differ between gfx900 and gfx904; of wave64 the matrix words are apart.
        assert_eq!(
            like,
            [
                "gfx900",
                "gfx902 like gfx900",
                "gfx904",
                "gfx904 like gfx900",
                "gfx906",
                "gfx1100",
                "gfx1103 like gfx1100",
                "gfx1100:w64",
                "gfx1100:w64 like gfx1100",
            ]
        );
    }

    #[test]
    fn units_have_every_window_once() {
        let mut choice = choice(&["gfx900", "gfx902"]);
        choice.opcodes = vec!["V_PK_FMA_F16".to_owned(), "V_PK_ADD_F16".to_owned()];
        let plan = Plan::new(&choice);
        let all: u64 =
            (0..plan.units()).map(|unit| plan.part_of(unit).map_or(0, |part| part.unit(unit).count() as u64)).sum();
        assert_eq!(all, plan.windows());
        assert!(plan.part_of(plan.units()).is_none());
        // The first window of the second unit of gfx900 follows the last one of the first.
        let part = &plan.parts()[0];
        let first: Vec<Window> = part.unit(0).map(|planned| planned.window).collect();
        let second: Vec<Window> = part.unit(1).map(|planned| planned.window).collect();
        assert_eq!((first.len() as u64, (first.len() + second.len()) as u64), (UNIT, part.windows()));
        assert!(!second.is_empty() && first.last() != second.first());
    }
}
