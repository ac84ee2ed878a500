//! What a campaign has judged so far, in numbers and in one line.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::isa::Target;
use crate::judge::{Explained, Judged, Outcome};
use crate::oracle::llvm::Answer;

/// Hashes kept to count distinct windows; past that the count stands still and is a lower bound.
const MOST_HASHES: usize = 40_000_000;

/// Numbers of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Windows judged, repeated ones included.
    pub windows: u64,
    /// Windows without a finding or a note.
    pub agreed: u64,
    /// Windows without a finding whose decoding has a note.
    pub noted: u64,
    /// Windows whose findings are all known.
    pub known: u64,
    /// Windows with a finding that is not known.
    pub new: u64,
    /// Windows that one side or the other accepts.
    pub accepted: u64,
    /// Windows that were compared field by field.
    pub by_field: u64,
    /// Answers that were the death of a tool.
    pub deaths: u64,
    /// Findings by ledger id.
    pub by_entry: BTreeMap<String, u64>,
    /// Noted windows by rule id.
    pub by_rule: BTreeMap<&'static str, u64>,
    by_target: PerTarget,
    seen: HashSet<u64>,
}

impl Stats {
    /// Counts a window.
    pub fn add(&mut self, target: Target, judged: &Judged) {
        self.windows += 1;
        let of_outcome = match judged.outcome {
            Outcome::Agreed => &mut self.agreed,
            Outcome::Noted => &mut self.noted,
            Outcome::Known => &mut self.known,
            Outcome::New => &mut self.new,
        };
        *of_outcome += 1;
        self.accepted += u64::from(judged.ours.is_ok() || judged.llvm_accepts);
        self.by_field += u64::from(judged.by_field);
        let dead = |answer: &Answer| u64::from(matches!(answer, Answer::Dead(_)));
        self.deaths += dead(&judged.pair.mc) + dead(&judged.pair.objdump);
        count_entries(&mut self.by_entry, &judged.findings);
        if let (Outcome::Noted, Ok(decoded)) = (judged.outcome, &judged.ours) {
            for rule in decoded.notes.iter() {
                *self.by_rule.entry(rule.id()).or_default() += 1;
            }
        }
        self.by_target.add(target, 1);
        if self.seen.len() < MOST_HASHES {
            let mut hasher = DefaultHasher::new();
            (target, judged.window).hash(&mut hasher);
            self.seen.insert(hasher.finish());
        }
    }

    /// Distinct windows, a target being part of a window.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The summary of so many seconds of work.
    #[must_use]
    pub fn summary(&self, seconds: f64) -> Summary<'_> {
        Summary { stats: self, seconds }
    }
}

/// A campaign in one line.
#[derive(Debug)]
pub struct Summary<'a> {
    stats: &'a Stats,
    seconds: f64,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { windows, agreed, noted, known, new, deaths, accepted, by_field, .. } = self.stats;
        write!(f, "windows {windows} (distinct {})", self.stats.distinct())?;
        write!(f, ", agreed {agreed}, noted {noted}")?;
        f.write_str(&counts(&self.stats.by_rule))?;
        write!(f, ", known {known}{}", counts(&self.stats.by_entry))?;
        write!(f, ", new {new}, LLVM deaths {deaths}")?;
        write!(f, ", accepted {:.1} %", percent(*accepted, *windows))?;
        write!(f, ", of those by field {:.1} %", percent(*by_field, *accepted))?;
        write!(f, "{}, {:.0} windows/s", self.stats.by_target.least(), *windows as f64 / self.seconds.max(0.001))
    }
}

/// Cases judged, by target.
#[derive(Clone, Debug, Default)]
pub(super) struct PerTarget(Vec<u64>);

impl PerTarget {
    /// Counts cases.
    pub(super) fn add(&mut self, target: Target, cases: u64) {
        self.0.resize(Target::DISTINCT, 0);
        self.0[target.place()] += cases;
    }

    /// Of the targets that had a case the one with the fewest: `, least of 51 targets gfx1030 1.50 %`; nothing of one
    /// target alone.
    pub(super) fn least(&self) -> String {
        let judged: Vec<(Target, u64)> =
            Target::distinct().zip(self.0.iter().copied()).filter(|(_, count)| *count > 0).collect();
        match judged.iter().min_by_key(|(_, count)| *count) {
            Some((target, count)) if judged.len() > 1 => {
                let share = percent(*count, self.0.iter().sum());
                format!(", least of {} targets {target} {share:.2} %", judged.len())
            }
            _ => String::new(),
        }
    }
}

fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Counts the entries that explain findings.
pub(super) fn count_entries(by_entry: &mut BTreeMap<String, u64>, findings: &[Explained]) {
    for entry in findings.iter().filter_map(|finding| finding.entry.as_ref()) {
        match by_entry.get_mut(entry) {
            Some(count) => *count += 1,
            None => _ = by_entry.insert(entry.clone(), 1),
        }
    }
}

/// ` [id count, …]`, the largest first; nothing where there is none.
pub(super) fn counts<K: Ord + fmt::Display>(by_id: &BTreeMap<K, u64>) -> String {
    let mut sorted: Vec<_> = by_id.iter().collect();
    sorted.sort_by_key(|(id, count)| (std::cmp::Reverse(**count), *id));
    let sorted: Vec<String> = sorted.iter().map(|(id, count)| format!("{id} {count}")).collect();
    if sorted.is_empty() { String::new() } else { format!(" [{}]", sorted.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scarcest_of_the_targets_that_had_a_case() {
        let mut targets = PerTarget::default();
        assert_eq!(targets.least(), "");
        targets.add("gfx900".parse().unwrap(), 3);
        assert_eq!(targets.least(), "");
        targets.add("gfx1100:w64".parse().unwrap(), 1);
        targets.add("gfx900".parse().unwrap(), 4);
        // 1 of 8.
        assert_eq!(targets.least(), ", least of 2 targets gfx1100:w64 12.50 %");
    }
}
