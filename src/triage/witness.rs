//! Witnesses: for each cause as few minimal cases as there are groups of targets that answer the same.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster::Witness;
use super::form::translated;
use super::lane::{Lane, Question, Subject};
use super::probe::{Answer, Probe, Way};
use crate::commands::{replay_text, replay_window, stock_assembling, stock_command};
use crate::isa::Target;
use crate::oracle::llvm::LlvmError;

/// Cases that are tried on all open targets of a cause at once.
const AT_ONCE: usize = 4;

/// A sweep, as witnesses are asked for.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// What clusters call it.
    pub label: &'a str,
    /// Whoever answers.
    pub probe: &'a dyn Probe,
    /// The versions of two LLVMs that are held against each other.
    pub between: Option<[&'a str; 2]>,
}

/// A case that shows a cause.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The target.
    pub target: Target,
    /// The window, and what it shows.
    pub subject: Subject,
}

/// A cause for which witnesses are wanted.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The targets that show it, by place, each with the sweeps that do.
    pub targets: BTreeMap<usize, (Target, BTreeSet<usize>)>,
    /// Cases of those targets, the best first.
    pub candidates: Vec<Candidate>,
}

impl Request {
    /// Notes that a target shows it on a sweep.
    pub fn shows(&mut self, target: Target, sweep: usize) {
        self.targets.entry(target.place()).or_insert((target, BTreeSet::new())).1.insert(sweep);
    }
}

/// A group of targets, on the way to a witness.
struct Group {
    targets: Vec<Target>,
    sweeps: BTreeSet<usize>,
    subject: Subject,
    answer: Answer,
}

/// The witnesses of each cause, in the order of the targets.
///
/// # Errors
/// If a tool cannot be run.
pub fn witnesses(sweeps: &[Asked<'_>], requests: &[Request]) -> Result<Vec<Vec<Witness>>, LlvmError> {
    let mut open: Vec<BTreeMap<usize, (Target, BTreeSet<usize>)>> =
        requests.iter().map(|request| request.targets.clone()).collect();
    let mut left: Vec<Vec<&Candidate>> = requests.iter().map(|request| request.candidates.iter().collect()).collect();
    let mut groups: Vec<Vec<Group>> = requests.iter().map(|_| Vec::new()).collect();
    loop {
        let mut asks = Asks::default();
        for ((of, targets), left) in open.iter().enumerate().zip(&mut left) {
            left.retain(|candidate| targets.contains_key(&candidate.target.place()));
            let chosen = first_of_each_generation(left);
            for candidate in &chosen {
                for (target, on) in targets.values() {
                    let window = translated(&candidate.subject.window, candidate.target, *target);
                    if let (Some(window), Some(sweep)) = (window, on.first()) {
                        asks.add(*sweep, *target, of, Subject { window, ..candidate.subject.clone() });
                    }
                }
            }
            // Each has one chance: it was seen to show it, and if it does so no longer there is nothing to be done.
            left.retain(|candidate| !chosen.iter().any(|chosen| std::ptr::eq(*chosen, *candidate)));
        }
        if asks.0.is_empty() {
            break;
        }
        for (target, of, subject, answer) in asks.ask(sweeps)? {
            if subject.wanted.find(&answer).is_none() {
                continue;
            }
            let Some((_, on)) = open[of].remove(&target.place()) else { continue };
            let same = |group: &&mut Group| {
                let is = (&group.answer.ours, &group.answer.theirs, &group.answer.text);
                is == (&answer.ours, &answer.theirs, &answer.text) && group.subject.way == subject.way
            };
            match groups[of].iter_mut().find(same) {
                Some(group) => {
                    group.targets.push(target);
                    group.sweeps.extend(on);
                }
                None => groups[of].push(Group { targets: vec![target], sweeps: on, subject, answer }),
            }
        }
    }
    finish(sweeps, groups)
}

/// Of the candidates that are left the first of each generation, but not too many.
fn first_of_each_generation<'a>(left: &[&'a Candidate]) -> Vec<&'a Candidate> {
    let mut seen = Vec::new();
    let is_first = |candidate: &&&Candidate| {
        let place = (candidate.target.generation(), candidate.subject.way.direction);
        let is_first = !seen.contains(&place);
        seen.push(place);
        is_first
    };
    let most = if left.first().is_some_and(|first| first.subject.is_costly()) { 1 } else { AT_ONCE };
    left.iter().filter(is_first).take(most).copied().collect()
}

/// What is asked, by sweep and place of the target: of which cause, and what.
#[derive(Default)]
struct Asks(BTreeMap<(usize, usize), Vec<(usize, Subject)>>);

impl Asks {
    fn add(&mut self, sweep: usize, target: Target, of: usize, subject: Subject) {
        self.0.entry((sweep, target.place())).or_default().push((of, subject));
    }

    /// The answers, target by target in the order in which they were asked for.
    fn ask(self, sweeps: &[Asked<'_>]) -> Result<Vec<(Target, usize, Subject, Answer)>, LlvmError> {
        let mut answered = Vec::new();
        for ((sweep, place), asks) in self.0 {
            let target = Target::from_place(place);
            let mut lane = Lane::new(sweeps[sweep].probe, target);
            let questions: Vec<Question> = asks.iter().map(|(_, subject)| (subject.way, subject.window)).collect();
            for ((of, subject), answer) in asks.into_iter().zip(lane.ask(&questions)?) {
                answered.push((target, of, subject, (*answer).clone()));
            }
        }
        Ok(answered)
    }
}

/// Asks the other sweeps of each group, too, whether they show its case.
fn finish(sweeps: &[Asked<'_>], groups: Vec<Vec<Group>>) -> Result<Vec<Vec<Witness>>, LlvmError> {
    let mut shown: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (number, asked) in sweeps.iter().enumerate() {
        let mut asks = Asks::default();
        for (place, group) in groups.iter().flatten().enumerate() {
            if let Some(target) = group.targets.first().filter(|_| group.sweeps.contains(&number)) {
                asks.add(number, *target, place, group.subject.clone());
            }
        }
        for (_, place, subject, answer) in asks.ask(sweeps)? {
            if subject.wanted.find(&answer).is_some() {
                shown.entry(place).or_default().push(asked.label);
            }
        }
    }
    let mut place = 0;
    let mut finished = Vec::new();
    for groups in groups {
        let mut witnesses: Vec<Witness> = Vec::new();
        for group in groups {
            let between = group.sweeps.first().and_then(|sweep| sweeps[*sweep].between);
            let llvms = shown.remove(&place).unwrap_or_default().into_iter().map(str::to_owned).collect();
            witnesses.extend(witness(group, llvms, between));
            place += 1;
        }
        witnesses.sort_by_key(|witness| witness.targets.first().map(|target| target.place()));
        finished.push(witnesses);
    }
    Ok(finished)
}

fn witness(group: Group, llvms: Vec<String>, between: Option<[&str; 2]>) -> Option<Witness> {
    let Group { mut targets, subject: Subject { way, window, .. }, answer, .. } = group;
    let asked = *targets.first()?;
    targets.sort_by_key(|target| target.place());
    let target = *targets.first()?;
    let window = translated(&window, asked, target)?;
    let Way { direction, padded } = way;
    let (replay, stock) = match &answer.text {
        None => (replay_window(target, &window, padded), stock_command(target, &window, padded)),
        Some(text) => (replay_text(target, text), stock_assembling(target, text)),
    };
    let replay = match between {
        Some([first, second]) => format!("{replay} --llvm {first},{second}"),
        None => replay,
    };
    let Answer { ours, theirs, text, .. } = answer;
    Some(Witness { targets, llvms, direction, window, padded, text, ours, theirs, replay, stock })
}
