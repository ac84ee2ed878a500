//! What a campaign has judged so far, in numbers and in one line.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::isa::Target;
use crate::judge::{Judged, Outcome};
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
    by_target: Vec<u64>,
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
        for entry in judged.findings.iter().filter_map(|finding| finding.entry.as_ref()) {
            match self.by_entry.get_mut(entry) {
                Some(count) => *count += 1,
                None => _ = self.by_entry.insert(entry.clone(), 1),
            }
        }
        if let (Outcome::Noted, Ok(decoded)) = (judged.outcome, &judged.ours) {
            for rule in decoded.notes.iter() {
                *self.by_rule.entry(rule.id()).or_default() += 1;
            }
        }
        self.by_target.resize(Target::DISTINCT, 0);
        self.by_target[target.place()] += 1;
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

    /// Of the targets that had a window the one with the fewest, and how many; and how many targets those are.
    #[must_use]
    pub fn scarcest(&self) -> Option<(Target, u64, usize)> {
        let judged = || Target::distinct().zip(self.by_target.iter().copied()).filter(|(_, count)| *count > 0);
        let (target, count) = judged().min_by_key(|(_, count)| *count)?;
        Some((target, count, judged().count()))
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
        counts(f, &self.stats.by_rule)?;
        write!(f, ", known {known}")?;
        counts(f, &self.stats.by_entry)?;
        write!(f, ", new {new}, LLVM deaths {deaths}")?;
        let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        write!(f, ", accepted {:.1} %", percent(*accepted, *windows))?;
        write!(f, ", of those by field {:.1} %", percent(*by_field, *accepted))?;
        if let Some((target, count, targets)) = self.stats.scarcest().filter(|(.., targets)| *targets > 1) {
            write!(f, ", least of {targets} targets {target} {:.2} %", percent(count, *windows))?;
        }
        write!(f, ", {:.0} windows/s", *windows as f64 / self.seconds.max(0.001))
    }
}

/// ` [id count, …]`, the largest first; nothing where there is none.
fn counts<K: Ord + fmt::Display>(f: &mut fmt::Formatter<'_>, by_id: &BTreeMap<K, u64>) -> fmt::Result {
    let mut sorted: Vec<_> = by_id.iter().collect();
    sorted.sort_by_key(|(id, count)| (std::cmp::Reverse(**count), *id));
    for (index, (id, count)) in sorted.iter().enumerate() {
        write!(f, "{}{id} {count}", if index == 0 { " [" } else { ", " })?;
    }
    f.write_str(if sorted.is_empty() { "" } else { "]" })
}
