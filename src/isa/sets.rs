//! Sets of targets in few words.

use super::generation::{GENERATIONS, GenerationRow};
use super::processor::{PROCESSOR_COUNT, PROCESSORS};
use super::target::Target;

/// A set of processors in few words: whole generations by name (`rdna1-4` for a run of them), else the processors.
///
/// `has` says whether the processor at a place of [`PROCESSORS`] is in the set.
#[must_use]
pub fn compact_targets(has: impl Fn(usize) -> bool) -> String {
    if (0..PROCESSOR_COUNT).all(&has) {
        return "all targets".to_owned();
    }
    let mut items = Vec::new();
    let mut run: Vec<&GenerationRow> = Vec::new();
    for row in &GENERATIONS {
        let members: Vec<usize> =
            (0..PROCESSOR_COUNT).filter(|p| PROCESSORS[*p].generation == row.generation).collect();
        let (inside, outside): (Vec<usize>, Vec<usize>) = members.iter().partition(|p| has(**p));
        let names = |places: &[usize]| places.iter().map(|p| PROCESSORS[*p].name).collect::<Vec<_>>().join(", ");
        if outside.is_empty() {
            if run.first().is_some_and(|first| family(first) != family(row)) {
                close(&mut run, &mut items);
            }
            run.push(row);
            continue;
        }
        close(&mut run, &mut items);
        if outside.len() * 2 < inside.len() {
            items.push(format!("{} (not {})", row.name, names(&outside)));
        } else if !inside.is_empty() {
            items.push(names(&inside));
        }
    }
    close(&mut run, &mut items);
    items.join(", ")
}

/// `rdna` of `rdna3.5`.
fn family(row: &GenerationRow) -> &'static str {
    row.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// Ends a run of whole generations: three and more become a range.
fn close(run: &mut Vec<&GenerationRow>, items: &mut Vec<String>) {
    match run[..] {
        [first, _, .., last] => items.push(format!("{}-{}", first.name, &last.name[family(last).len()..])),
        _ => items.extend(run.iter().map(|row| row.name.to_owned())),
    }
    run.clear();
}

/// Targets in few words, those in another wave size than the default apart.
#[must_use]
pub fn target_names(targets: &[Target]) -> String {
    let set = |is_unusual: bool| {
        let of_wave = |target: &&Target| target.has_unusual_wave() == is_unusual;
        let places: Vec<usize> = targets.iter().filter(of_wave).map(|target| target.index()).collect();
        compact_targets(|place| places.contains(&place))
    };
    match (set(false), set(true)) {
        (usual, unusual) if unusual.is_empty() => usual,
        (usual, unusual) if usual.is_empty() => format!("{unusual} in wave64"),
        (usual, unusual) => format!("{usual}; in wave64 {unusual}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> String {
        compact_targets(|p| names.contains(&PROCESSORS[p].name) || names.contains(&PROCESSORS[p].rules().name))
    }

    #[test]
    fn sets_of_targets_are_short() {
        assert_eq!(compact_targets(|_| true), "all targets");
        assert_eq!(compact_targets(|_| false), "");
        assert_eq!(set(&["gfx900", "gfx902"]), "gfx900, gfx902");
        assert_eq!(set(&["vega7", "cdna1", "cdna2"]), "vega7, cdna1, cdna2");
        assert_eq!(set(&["cdna1", "cdna2", "cdna3", "cdna4", "cdna5"]), "cdna1-4, cdna5");
        assert_eq!(set(&["rdna3", "rdna3.5", "rdna4", "gfx1013"]), "gfx1013, rdna3-4");
        let most = ["gfx900", "gfx902", "gfx904", "gfx909", "gfx90c", "vega7"];
        assert_eq!(set(&most), "vega (not gfx9-generic), vega7");
    }

    #[test]
    fn targets_in_wave64_stand_apart() {
        let names = |targets: &[&str]| target_names(&targets.iter().map(|t| t.parse().unwrap()).collect::<Vec<_>>());
        assert_eq!(names(&["gfx900", "gfx906"]), "gfx900, vega7");
        assert_eq!(names(&["gfx1100:w64"]), "gfx1100 in wave64");
        assert_eq!(names(&["gfx900", "gfx1100", "gfx1100:w64"]), "gfx900, gfx1100; in wave64 gfx1100");
    }
}
