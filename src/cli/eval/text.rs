//! An evaluation on one target, as text.

use super::Answer;
use crate::cli::Out;
use vop3p::report::evaluation::{EvaluationView, GroundView, OtherView, in_line};
use vop3p::report::steps::StepView;

/// An answer of one target.
pub fn show(answer: &Answer, out: &mut Out) {
    let Answer { target, view, .. } = answer;
    view.result.iter().for_each(|register| out.line(register));
    out.named("instruction", &view.text);
    out.named("target", format_args!("{target} ({})", target.rules().name));
    if !view.mode.fields.is_empty() {
        out.named("mode", format_args!("{} ({})", view.mode.raw, view.mode.fields));
    }
    show_grounds(view, out);
    show_others(view, out);
    view.notes.iter().for_each(|note| out.named("note", note));
    if let Some(mpfr) = &view.mpfr {
        let verdict = if mpfr.agrees { "the same" } else { "differs" };
        out.named("MPFR", format_args!("{}, {verdict}", in_line(&mpfr.result)));
    }
    if let Some(steps) = &view.steps {
        out.line("");
        show_steps(steps, out);
    }
}

/// How the result is known, in a line.
pub fn known(view: &EvaluationView) -> String {
    match (&view.weakest, view.provenance) {
        (None, _) => "as no numeric question came up, by the opcode's formula".to_owned(),
        (Some(weakest), None) => format!("by no source: none supports {weakest}"),
        (_, Some(provenance)) if view.grounds.iter().all(|ground| ground.provenance == Some(provenance)) => {
            provenance.to_owned()
        }
        (Some(weakest), Some(provenance)) => format!("{provenance}, the worst of these: {weakest}"),
    }
}

fn show_grounds(view: &EvaluationView, out: &mut Out) {
    out.named("known", known(view));
    let width = |of: &dyn Fn(&GroundView) -> usize| view.grounds.iter().map(of).max();
    let names = width(&|ground| ground.name().len()).unwrap_or(0);
    let hows = width(&|ground| ground.provenance.unwrap_or("no source").len()).unwrap_or(0);
    for ground in &view.grounds {
        let how = ground.provenance.unwrap_or("no source");
        out.line(format_args!("  {:<names$}  {how:<hows$}  {}", ground.name(), ground.says));
        if let Some(source) = ground.source {
            out.line(format_args!("  {:<names$}  {:<hows$}  source: {source}", "", ""));
        }
    }
}

fn show_others(view: &EvaluationView, out: &mut Out) {
    if view.others.is_empty() {
        out.named("others", "no source supports another result");
        return;
    }
    out.line("other results that a source supports");
    let row = |other: &OtherView| {
        let said = format!("{}: {}", other.provenance, other.source);
        vec![format!("  {}", in_line(&other.result)), other.name(), said]
    };
    out.table(&view.others.iter().map(row).collect::<Vec<_>>());
}

fn show_steps(steps: &[StepView], out: &mut Out) {
    let mut last = &None;
    for StepView { of, step, text } in steps {
        if of != last
            && let Some(of) = of
        {
            out.line(of);
        }
        last = of;
        let indent = if of.is_some() { "  " } else { "" };
        out.named(&format!("{indent}{step}"), text);
    }
}
