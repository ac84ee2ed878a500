//! One unit, judged: from its windows to its lines.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::against::{Changed, changes};
use super::plan::{Part, Plan, Planned};
use super::record::{Alike, Choice, Counts, Direction, Line, Seen, Unit};
use crate::asm;
use crate::assembling::{Printed, TextJudge, TextOutcome};
use crate::codec::{Field, Window};
use crate::compare::{Finding, as_read};
use crate::isa::Target;
use crate::judge::{Explained, Judge, Judged, Outcome};
use crate::oracle::llvm::{Answer, Cpu, Llvm, LlvmError, Options};

/// Windows with the same new difference that a unit writes down; the others it counts.
const KEPT: usize = 8;

/// The same where their sources are of different classes.
const KEPT_BY_CLASS: usize = 64;

/// What judges units.
#[derive(Clone, Copy, Debug)]
pub struct Sweeper<'a> {
    /// What is swept.
    pub choice: &'a Choice,
    /// The units.
    pub plan: &'a Plan,
    /// For words.
    pub judge: Judge<'a>,
    /// For texts.
    pub texts: TextJudge<'a>,
    /// The LLVM that is held against the judge's, in our place.
    pub against: Option<&'a Llvm>,
}

impl Sweeper<'_> {
    /// The lines of a unit, its end last; none if the plan has no such unit.
    ///
    /// # Errors
    /// If LLVM cannot be run, or does not know the processor.
    pub fn unit(&self, unit: u64) -> Result<Vec<Line>, LlvmError> {
        let Some(part) = self.plan.part_of(unit) else { return Ok(Vec::new()) };
        let mut tally = Tally::new(unit, part);
        let planned = self.rationed(part, unit, &mut tally);
        for one in &planned {
            *tally.spaces.entry(one.space.to_owned()).or_default() += 1;
        }
        let windows: Vec<Window> = planned.iter().map(|one| one.window).collect();
        tally.counts.windows = windows.len() as u64;
        match self.against {
            Some(against) => self.both(part, against, &planned, &windows, &mut tally)?,
            None => self.ours(part, &planned, &windows, &mut tally)?,
        }
        Ok(tally.lines())
    }

    /// The windows of a unit, but of those that are known to kill LLVM only the first of each opcode.
    fn rationed<'p>(&self, part: &'p Part, unit: u64, tally: &mut Tally) -> Vec<Planned<'p>> {
        let versions = [Some(self.judge.llvm), self.against];
        let ledgers: Vec<_> = versions
            .into_iter()
            .flatten()
            .map(|llvm| self.judge.ledger.on(part.target, &llvm.version.to_string()))
            .collect();
        let mut met: HashSet<&str> = HashSet::new();
        let mut planned = Vec::new();
        for one in part.unit(unit) {
            let read = as_read(&one.window, part.padded);
            if ledgers.iter().any(|entries| entries.is_deadly(&read)) && !met.insert(one.opcode) {
                tally.counts.rationed += 1;
            } else {
                planned.push(one);
            }
        }
        planned
    }

    /// Us beside LLVM.
    fn ours(
        &self,
        part: &Part,
        planned: &[Planned<'_>],
        windows: &[Window],
        tally: &mut Tally,
    ) -> Result<(), LlvmError> {
        let judge = Judge { padded: part.padded, ..self.judge };
        let judged = if self.choice.decode { judge.judge(part.target, windows)? } else { Vec::new() };
        for (one, judged) in planned.iter().zip(&judged) {
            tally.decoded(one, judged);
        }
        if let Some(like) = part.like.filter(|_| self.choice.decode) {
            tally.alike = Some(self.alike(like, &judged)?);
        }
        // What follows a window is no matter of texts.
        if self.choice.assemble && part.padded {
            self.assembled(part.target, planned, &judged, tally)?;
        }
        Ok(())
    }

    /// Whether LLVM answers the same about the target that stands for this one.
    fn alike(&self, like: Target, judged: &[Judged]) -> Result<Alike, LlvmError> {
        let alive: Vec<&Judged> = judged.iter().filter(|one| !is_dead(one)).collect();
        let windows: Vec<Window> = alive.iter().map(|one| one.window).collect();
        let cpu = Cpu { name: like.cpu(), wave64: like.has_unusual_wave() };
        let options = Options { padded: true, ..self.judge.options };
        let pairs = self.judge.llvm.disassemble(cpu, &windows, &[], &options)?.pairs;
        let unlike: Vec<&&Judged> = alive.iter().zip(&pairs).filter(|(a, b)| a.pair != **b).map(|(a, _)| a).collect();
        let first = unlike.first().map(|one| one.window.to_string());
        Ok(Alike { like, windows: windows.len() as u64, differ: unlike.len() as u64, first })
    }

    /// The texts of words: ours, and LLVM's where it prints another one.
    fn assembled(
        &self,
        target: Target,
        planned: &[Planned<'_>],
        judged: &[Judged],
        tally: &mut Tally,
    ) -> Result<(), LlvmError> {
        let mut texts: Vec<String> = Vec::new();
        let mut words: Vec<&Planned<'_>> = Vec::new();
        let mut once: HashSet<String> = HashSet::new();
        let mut printed: Vec<(&Planned<'_>, Printed<'_>)> = Vec::new();
        let mut printed_once: HashSet<&str> = HashSet::new();
        for (place, one) in planned.iter().enumerate() {
            let answer = match judged.get(place) {
                Some(judged) => judged.ours,
                None => (self.judge.subject)(target, &as_read(&one.window, true)),
            };
            let Ok(decoded) = answer else { continue };
            let text = asm::print(target, &decoded.instruction);
            if let Some(judged) = judged.get(place)
                && let (Answer::Text { text: theirs, .. }, Ok(ours)) = (&judged.pair.mc, &judged.ours)
                && ours.notes.is_legal()
                && judged.findings.is_empty()
                && *theirs != text
                && printed_once.insert(theirs)
            {
                let instruction = &ours.instruction;
                printed.push((one, Printed { window: one.window, instruction, text: theirs }));
            }
            if once.insert(text.clone()) {
                texts.push(text);
                words.push(one);
            }
        }
        for (one, judged) in words.iter().zip(self.texts.judge(target, &texts)?) {
            tally.counts.texts += 1;
            match judged.outcome {
                TextOutcome::Agreed | TextOutcome::Noted => tally.counts.texts_agreed += 1,
                TextOutcome::BothRefuse => tally.counts.texts_refused += 1,
                TextOutcome::Known => tally.counts.texts_known += 1,
                TextOutcome::New => tally.counts.texts_new += 1,
                TextOutcome::NotAsked(_) => {}
            }
            tally.all_seen(one, Direction::Assemble, Some(&judged.text), &judged.findings);
        }
        if printed.is_empty() {
            return Ok(());
        }
        let again: Vec<Printed<'_>> = printed.iter().map(|(_, printed)| printed.clone()).collect();
        for ((one, printed), found) in printed.iter().zip(self.texts.reassemble(target, &again)?) {
            tally.counts.texts += 1;
            match found.iter().any(|one| one.entry.is_none()) {
                true => tally.counts.texts_new += 1,
                false if found.is_empty() => tally.counts.texts_agreed += 1,
                false => tally.counts.texts_known += 1,
            }
            tally.all_seen(one, Direction::Reassemble, Some(printed.text), &found);
        }
        Ok(())
    }

    /// One LLVM beside another.
    fn both(
        &self,
        part: &Part,
        against: &Llvm,
        planned: &[Planned<'_>],
        windows: &[Window],
        tally: &mut Tally,
    ) -> Result<(), LlvmError> {
        let Changed { words, texts, deaths } = changes(self, part, against, windows)?;
        tally.counts.deaths = deaths;
        let explained = |findings: &[Finding]| -> Vec<Explained> {
            findings.iter().map(|finding| Explained { finding: finding.clone(), entry: None }).collect()
        };
        for (one, findings) in planned.iter().zip(&words) {
            match findings.is_empty() {
                true => tally.counts.agreed += 1,
                false => tally.counts.new += 1,
            }
            tally.all_seen(one, Direction::Decode, None, &explained(findings));
        }
        for text in &texts {
            tally.counts.texts += 1;
            match text.findings.is_empty() {
                true => tally.counts.texts_agreed += 1,
                false => tally.counts.texts_new += 1,
            }
            if let Some(one) = planned.get(text.place) {
                tally.all_seen(one, Direction::Assemble, Some(&text.text), &explained(&text.findings));
            }
        }
        Ok(())
    }
}

fn is_dead(judged: &Judged) -> bool {
    [&judged.pair.mc, &judged.pair.objdump].iter().any(|answer| matches!(answer, Answer::Dead(_)))
}

/// What a unit shows, as it comes.
struct Tally {
    unit: u64,
    target: Target,
    padded: bool,
    counts: Counts,
    spaces: BTreeMap<String, u64>,
    alike: Option<Alike>,
    seen: Vec<Seen>,
    /// Of each kind of difference and place, where in `seen` the last one is, how many there are, and the classes of
    /// their sources.
    kinds: HashMap<Key, (usize, usize, BTreeSet<[u32; 3]>)>,
}

/// A difference, without the window.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    opcode: String,
    space: &'static str,
    direction: Direction,
    kind: &'static str,
    field: String,
    entry: Option<String>,
}

impl Tally {
    fn new(unit: u64, part: &Part) -> Self {
        Self {
            unit,
            target: part.target,
            padded: part.padded,
            counts: Counts::default(),
            spaces: BTreeMap::new(),
            alike: None,
            seen: Vec::new(),
            kinds: HashMap::new(),
        }
    }

    fn decoded(&mut self, one: &Planned<'_>, judged: &Judged) {
        match judged.outcome {
            Outcome::Agreed => self.counts.agreed += 1,
            Outcome::Noted => self.counts.noted += 1,
            Outcome::Known => self.counts.known += 1,
            Outcome::New => self.counts.new += 1,
        }
        self.counts.deaths += u64::from(is_dead(judged));
        self.all_seen(one, Direction::Decode, None, &judged.findings);
    }

    fn all_seen(&mut self, one: &Planned<'_>, direction: Direction, text: Option<&str>, findings: &[Explained]) {
        for explained in findings {
            self.one_seen(one, direction, text, explained);
        }
    }

    fn one_seen(&mut self, one: &Planned<'_>, direction: Direction, text: Option<&str>, explained: &Explained) {
        let Explained { finding, entry } = explained;
        let key = Key {
            opcode: one.opcode.to_owned(),
            // Of what is known one window an opcode will do.
            space: if entry.is_some() { "" } else { one.space },
            direction,
            kind: finding.kind.name(),
            field: finding.field.clone(),
            entry: entry.clone(),
        };
        let (last, kept, classes) = self.kinds.entry(key).or_default();
        let is_known = entry.is_some();
        let class = [Field::Src0, Field::Src1, Field::Src2].map(|field| selector_class(field.get(&one.window)));
        let is_kept = match (*kept, is_known) {
            (0, _) => true,
            (_, true) => false,
            (kept, false) => kept < KEPT || (kept < KEPT_BY_CLASS && !classes.contains(&class)),
        };
        if !is_kept {
            if let Some(seen) = self.seen.get_mut(*last) {
                seen.count += 1;
            }
            return;
        }
        *kept += 1;
        *last = self.seen.len();
        classes.insert(class);
        self.seen.push(Seen {
            unit: self.unit,
            target: self.target,
            opcode: one.opcode.to_owned(),
            space: one.space.to_owned(),
            direction,
            window: one.window,
            padded: self.padded,
            text: text.map(str::to_owned),
            kind: finding.kind,
            field: finding.field.clone(),
            ours: finding.ours.clone(),
            theirs: finding.theirs.clone(),
            entry: entry.clone(),
            count: 1,
        });
    }

    fn lines(self) -> Vec<Line> {
        let Self { unit, target, counts, spaces, alike, seen, .. } = self;
        let end = Line::Unit(Unit { unit, target, counts, spaces, alike });
        seen.into_iter().map(Line::Seen).chain([end]).collect()
    }
}

/// A number that selectors of one class share: SGPRs, TTMPs, constants and VGPRs; every other is a class of its own.
const fn selector_class(selector: u32) -> u32 {
    match selector {
        0..=101 => 0,
        108..=123 => 108,
        128..=208 => 128,
        240..=247 => 240,
        256.. => 256 + selector % 2,
        _ => selector,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_one_class_are_one() {
        assert_eq!([0, 5, 101].map(selector_class), [0; 3]);
        assert_eq!([102, 106, 209, 255].map(selector_class), [102, 106, 209, 255]);
        assert_eq!([256, 257, 511].map(selector_class), [256, 257, 257]);
    }
}
