//! A target as people write it: a processor, and a wave size where it matters.

use core::fmt;
use core::str::FromStr;

use super::generation::{Generation, GenerationRow};
use super::opcode::Opcode;
use super::operand::{self, Source};
use super::processor::{PROCESSORS, Processor};
use super::table;

/// A processor and the wave size its code runs in (32 or 64 lanes).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    index: u8,
    wave: u8,
}

/// The processors with matrix shapes of their own in wave64, by place in [`PROCESSORS`].
static WAVE64: [u8; WAVE64_COUNT] = {
    let mut places = [0; WAVE64_COUNT];
    let (mut found, mut index) = (0, 0);
    while index < PROCESSORS.len() {
        if has_wave64_shapes(index) {
            places[found] = index as u8;
            found += 1;
        }
        index += 1;
    }
    places
};

const WAVE64_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < PROCESSORS.len() {
        count += has_wave64_shapes(index) as usize;
        index += 1;
    }
    count
};

/// RDNA3 and RDNA4: their WMMA exists in both wave sizes.
const fn has_wave64_shapes(index: usize) -> bool {
    matches!(PROCESSORS[index].generation, Generation::Rdna3 | Generation::Rdna35 | Generation::Rdna4)
}

impl Target {
    /// The first of [`PROCESSORS`], gfx900.
    pub const FIRST: Self = Self { index: 0, wave: 64 };

    /// Every processor at its default wave size, in the order of [`PROCESSORS`].
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..PROCESSORS.len()).filter_map(Self::from_index)
    }

    /// Every target that reads some word in a way of its own: every processor at its default wave size, then those whose
    /// matrix shapes differ in wave64, in wave64. The order is part of the format of fuzz inputs.
    pub fn distinct() -> impl Iterator<Item = Self> + Clone {
        (0..Self::DISTINCT).map(Self::from_place)
    }

    /// How many [`Target::distinct`] has.
    pub const DISTINCT: usize = PROCESSORS.len() + WAVE64.len();

    /// The target at this place of [`Target::distinct`], modulo their number.
    #[must_use]
    pub fn from_place(place: usize) -> Self {
        let place = place % Self::DISTINCT;
        match place.checked_sub(PROCESSORS.len()) {
            None => Self::from_index(place).unwrap_or(Self::FIRST),
            Some(place) => Self { index: WAVE64[place], wave: 64 },
        }
    }

    /// Its place among [`Target::distinct`]; a wave size that makes no difference counts as the default one.
    #[must_use]
    pub fn place(self) -> usize {
        let wave64 = WAVE64.iter().position(|index| *index == self.index).filter(|_| self.has_unusual_wave());
        wave64.map_or(self.index(), |place| PROCESSORS.len() + place)
    }

    /// The processor at this place of [`PROCESSORS`], at its default wave size.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        let processor = PROCESSORS.get(index)?;
        Some(Self { index: index as u8, wave: processor.rules().waves[0] })
    }

    /// Place in [`PROCESSORS`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.index)
    }

    /// The processor.
    #[must_use]
    pub fn processor(self) -> &'static Processor {
        &PROCESSORS[self.index()]
    }

    /// LLVM's `-mcpu` name.
    #[must_use]
    pub fn cpu(self) -> &'static str {
        self.processor().name
    }

    /// The generation.
    #[must_use]
    pub fn generation(self) -> Generation {
        self.processor().generation
    }

    /// The rules of the generation.
    #[must_use]
    pub fn rules(self) -> &'static GenerationRow {
        self.processor().rules()
    }

    /// Lanes of a wave: 32 or 64.
    #[must_use]
    pub fn wave(self) -> u8 {
        self.wave
    }

    /// The same processor in waves of this size, if it has them.
    #[must_use]
    pub fn with_wave(self, wave: u8) -> Option<Self> {
        self.rules().waves.contains(&wave).then_some(Self { wave, ..self })
    }

    /// Whether the wave size is not the processor's default.
    #[must_use]
    pub fn has_unusual_wave(self) -> bool {
        self.wave != self.rules().waves[0]
    }

    /// The opcode with this number (7 bits; 8 on CDNA5) on this processor.
    #[must_use]
    pub fn opcode(self, number: u8) -> Option<&'static Opcode> {
        table::lookup(self.index(), number)
    }

    /// Whether this processor has a source in its operand table.
    #[must_use]
    pub fn has(self, source: Source) -> bool {
        operand::selector(self.generation(), source).is_some()
    }

    /// Every opcode of this processor, by number.
    pub fn opcodes(self) -> impl Iterator<Item = &'static Opcode> {
        (0..=u8::MAX).filter_map(move |number| self.opcode(number))
    }
}

/// `gfx1100`, or `gfx1100:w64` where the wave size is not the default.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cpu())?;
        if self.has_unusual_wave() { write!(f, ":w{}", self.wave) } else { Ok(()) }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text names no target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetError {
    text: String,
    kind: TargetErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TargetErrorKind {
    NoVop3p,
    Generation,
    Several,
    Unknown { near: &'static str },
    NoSuchWave { waves: &'static [u8] },
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.kind {
            TargetErrorKind::NoVop3p => write!(f, "`{text}` has no VOP3P: it came with gfx900"),
            TargetErrorKind::Generation => {
                write!(f, "`{text}` is a generation")?;
                for (index, processor) in PROCESSORS.iter().filter(|p| p.rules().name == text).enumerate() {
                    write!(f, "{} {}", if index == 0 { ":" } else { "," }, processor.name)?;
                }
                Ok(())
            }
            TargetErrorKind::Several => write!(f, "`{text}` is several targets, where one is wanted"),
            TargetErrorKind::Unknown { near } => {
                write!(f, "`{text}` is no target with VOP3P; did you mean `{near}`? (`vop3p targets` lists them)")
            }
            TargetErrorKind::NoSuchWave { waves } => {
                write!(f, "`{text}`: the wave size there is ")?;
                for (index, wave) in waves.iter().enumerate() {
                    write!(f, "{}w{wave}", if index == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for TargetError {}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let fail = |kind| TargetError { text: text.to_owned(), kind };
        if text.contains(',') {
            return Err(fail(TargetErrorKind::Several));
        }
        let (name, wave) = text.split_once(':').map_or((text, None), |(name, wave)| (name, Some(wave)));
        let Some(index) = PROCESSORS.iter().position(|p| p.name == name) else {
            let old = name.strip_prefix("gfx").is_some_and(|n| n.len() == 3 && matches!(n.as_bytes()[0], b'6'..=b'8'));
            return Err(fail(if old {
                TargetErrorKind::NoVop3p
            } else if PROCESSORS.iter().any(|p| p.rules().name == text) {
                TargetErrorKind::Generation
            } else {
                TargetErrorKind::Unknown { near: nearest_name(name) }
            }));
        };
        let waves = PROCESSORS[index].rules().waves;
        let wave = match wave {
            None => waves[0],
            Some(text) => match text.strip_prefix('w').and_then(|n| n.parse().ok()) {
                Some(wave) if waves.contains(&wave) => wave,
                _ => return Err(fail(TargetErrorKind::NoSuchWave { waves })),
            },
        };
        Ok(Self { index: index as u8, wave })
    }
}

/// The processor whose name takes the fewest edits to reach.
fn nearest_name(name: &str) -> &'static str {
    PROCESSORS.iter().map(|p| p.name).min_by_key(|known| edits(name, known)).unwrap_or("gfx900")
}

/// Levenshtein distance of two short ASCII names.
pub(crate) fn edits(a: &str, b: &str) -> usize {
    let b = b.as_bytes();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_targets_are_the_processors_and_the_wave64_shapes() {
        // 39 processors, of which gfx1100 to 1103, 1150 to 1153, 1200, 1201 and two generic ones have WMMA in both waves.
        assert_eq!(Target::DISTINCT, 39 + 12);
        for (place, target) in Target::distinct().enumerate() {
            assert_eq!(target.place(), place, "{target}");
        }
        let wave64: Vec<String> = Target::distinct().skip(39).map(|target| target.to_string()).collect();
        assert_eq!((wave64.len(), wave64[0].as_str(), wave64[11].as_str()), (12, "gfx1100:w64", "gfx12-generic:w64"));
        // Where the wave size makes no difference there is one place.
        assert_eq!("gfx1030:w64".parse::<Target>().unwrap().place(), "gfx1030".parse::<Target>().unwrap().place());
    }

    #[test]
    fn targets_read_as_they_print() {
        for target in Target::all() {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        let wave64: Target = "gfx1100:w64".parse().unwrap();
        assert_eq!((wave64.cpu(), wave64.wave(), wave64.to_string().as_str()), ("gfx1100", 64, "gfx1100:w64"));
        assert_eq!("gfx1100:w32".parse::<Target>().unwrap().to_string(), "gfx1100");
    }

    #[test]
    fn a_wrong_target_is_explained() {
        let message = |text: &str| text.parse::<Target>().unwrap_err().to_string();
        assert_eq!(message("gfx803"), "`gfx803` has no VOP3P: it came with gfx900");
        assert!(message("gfx1105").contains("did you mean `gfx110"), "{}", message("gfx1105"));
        assert_eq!(message("rdna1"), "`rdna1` is a generation: gfx1010, gfx1011, gfx1012, gfx1013, gfx10-1-generic");
        assert_eq!(message("gfx1100,gfx1030"), "`gfx1100,gfx1030` is several targets, where one is wanted");
        assert_eq!(message("gfx900:w32"), "`gfx900:w32`: the wave size there is w64");
        assert_eq!(message("gfx1200:x"), "`gfx1200:x`: the wave size there is w32 or w64");
    }
}
