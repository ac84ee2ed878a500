//! An evaluation on every target that has the instruction.

use super::text::known;
use super::{Answer, Args, NoAnswer, OnAll, answer, differs, missing_failure};
use crate::cli::given::Given;
use crate::cli::out::warn;
use crate::cli::{Exit, Failure, Out};
use vop3p::exec::Register;
use vop3p::isa::{PROCESSORS, Target};
use vop3p::report::evaluation::{EvaluationView, RegisterView, in_line};
use vop3p::report::names::compact_targets;
use vop3p::report::view::SCHEMA;

/// Targets with the same result and the same others, whatever is known of these.
struct Group {
    answers: Vec<Answer>,
}

impl Group {
    fn is_like(&self, view: &EvaluationView) -> bool {
        let others = |view: &EvaluationView| -> Vec<(String, Vec<RegisterView>)> {
            view.others.iter().map(|other| (other.name(), other.result.clone())).collect()
        };
        self.answers.first().is_some_and(|first| {
            first.view.text == view.text
                && first.view.result == view.result
                && others(&first.view) == others(view)
                && first.view.mpfr == view.mpfr
        })
    }

    /// Targets by what is said of them, in the order of the first of each.
    fn by(&self, said: impl Fn(&EvaluationView) -> Option<String>) -> Vec<(String, String)> {
        let mut found: Vec<(String, Vec<&str>)> = Vec::new();
        for answer in &self.answers {
            let Some(said) = said(&answer.view) else { continue };
            match found.iter_mut().find(|(known, _)| *known == said) {
                Some((_, names)) => names.push(answer.target.cpu()),
                None => found.push((said, vec![answer.target.cpu()])),
            }
        }
        found.into_iter().map(|(said, names)| (said, compact(&names))).collect()
    }
}

fn compact(names: &[&str]) -> String {
    compact_targets(|place| names.contains(&PROCESSORS[place].name))
}

/// Every target's answer, those that are the same together.
pub fn on_all(args: &Args, given: &Given, out: &mut Out) -> Result<Exit, Failure> {
    let (mut answers, mut missing, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for target in Target::all() {
        match answer(args, given, target) {
            Ok(answer) => answers.push(answer),
            Err(NoAnswer::Missing(registers)) => missing.extend(registers),
            Err(NoAnswer::Refused(refusal)) => refusals.push((target, refusal)),
        }
    }
    if !missing.is_empty() {
        let mut once: Vec<Register> = Vec::new();
        missing.retain(|register| {
            !once.contains(register) && {
                once.push(*register);
                true
            }
        });
        return Err(missing_failure(args, given, &missing));
    }
    if answers.is_empty() {
        // The target that understood most of it says what is wrong.
        let nearest = refusals.into_iter().rev().max_by_key(|(_, refusal)| refusal.column);
        let message = nearest.map_or(String::new(), |(target, refusal)| format!("; on {target}: {}", refusal.message));
        return Err(Failure::input(format!("no target computes this{message}")));
    }
    let mut warnings: Vec<&String> = Vec::new();
    for warning in answers.iter().flat_map(|answer| &answer.warnings) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
            warn(warning);
        }
    }
    let exit = Exit::new_if(answers.iter().any(|answer| differs(&answer.view)));
    if args.json {
        let evaluations = answers.into_iter().map(|answer| answer.view).collect();
        out.json(&OnAll { schema: SCHEMA, evaluations })?;
        return Ok(exit);
    }
    let mut groups: Vec<Group> = Vec::new();
    for answer in answers {
        match groups.iter_mut().find(|group| group.is_like(&answer.view)) {
            Some(group) => group.answers.push(answer),
            None => groups.push(Group { answers: vec![answer] }),
        }
    }
    for group in &groups {
        show_group(group, out);
    }
    if !refusals.is_empty() {
        let names: Vec<&str> = refusals.iter().map(|(target, _)| target.cpu()).collect();
        out.named("not computed", format_args!("on {}", compact(&names)));
    }
    Ok(exit)
}

fn show_group(group: &Group, out: &mut Out) {
    let Some(first) = group.answers.first() else { return };
    out.line(in_line(&first.view.result));
    out.named("  instruction", &first.view.text);
    for (how, names) in group.by(|view| Some(view.provenance.map_or_else(|| known(view), str::to_owned))) {
        out.named("  known", format_args!("{how}: {names}"));
    }
    for other in &first.view.others {
        out.named("  other", format_args!("{}  {}", in_line(&other.result), other.name()));
    }
    for (note, names) in group.by(|view| (!view.notes.is_empty()).then(|| view.notes.join("; "))) {
        out.named("  note", format_args!("{note} ({names})"));
    }
    if let Some(mpfr) = &first.view.mpfr {
        let verdict = if mpfr.agrees { "the same" } else { "differs" };
        out.named("  MPFR", format_args!("{}, {verdict}", in_line(&mpfr.result)));
    }
}
