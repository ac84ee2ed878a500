//! `vop3p replay`: case lines, and whether what they expect holds.

use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::changes::{self, Change};
use super::common::Common;
use super::{Exit, Failure, Out};
use vop3p::campaign::replay::{Located, Replayed, Summary, Verdict, read_cases, replay};
use vop3p::isa::Target;
use vop3p::judge::Judge;
use vop3p::report::view::{JudgedView, OurView, SCHEMA};

const EXAMPLES: &str = "\
Examples:
  vop3p replay corpus/decode/*.txt
  vop3p replay 'gfx1100 cc0f60e0 180207e0 => known: unused-source-modifiers'
  vop3p replay --no-llvm 'gfx900 d3a00005 040e0480 => text: v_mad_mix_f32 v5, 0, v2, v3'
  grep gfx950 cases.txt | vop3p replay - --llvm all
  vop3p replay corpus/decode/*.txt --llvm 19,22 --changes     what differs between the two

A case line: TARGET WINDOW [pad=none] [=> EXPECTATION[; EXPECTATION...]] [# source]
  text: INSTRUCTION   size: BYTES   undefined[: ID]   rule: ID, ... | none     of our decoder
  agree               known: ID, ...                                         of LLVM and the ledger
A line without `agree` and `known` passes if LLVM agrees or every difference is in the ledger:
if nothing is new. `known: ID, ...` is the full list of what is found. Not required of it are
entries that the ledger lists as silent on the version that is asked, or that are untested
there. Exits with 1 if a case fails.";

/// Replay case lines from files, arguments or standard input, and check what they expect
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files, case lines, or `-` for standard input
    #[arg(required = true, value_name = "FILE|LINE")]
    inputs: Vec<String>,

    #[command(flatten)]
    common: Common,

    /// Check only what lines expect of our decoder
    #[arg(long, conflicts_with = "llvm")]
    no_llvm: bool,

    /// Also list the cases that come out differently on the versions of --llvm, by ledger entry
    #[arg(long, conflicts_with = "no_llvm")]
    changes: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View {
    schema: u32,
    replays: Vec<ReplayView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
}

#[derive(Serialize)]
struct ReplayView {
    llvm: Option<String>,
    results: Vec<ResultView>,
    summary: SummaryView,
}

#[derive(Serialize)]
struct ResultView {
    file: String,
    line: usize,
    case: String,
    verdict: &'static str,
    reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<OurView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<JudgedView>,
}

#[derive(Serialize)]
struct SummaryView {
    cases: usize,
    passed: usize,
    failed: usize,
    not_judged: usize,
    known: std::collections::BTreeMap<String, usize>,
    llvm_mc_deaths: usize,
    llvm_objdump_deaths: usize,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let cases = read(&args.inputs)?;
    let ledger = args.common.ledger()?;
    let (mut failed, mut asked) = (false, args.no_llvm);
    let mut replays = Vec::new();
    let llvms = if args.no_llvm { Vec::new() } else { args.common.llvms()? };
    if args.changes && llvms.len() < 2 {
        return Err(Failure::input("--changes needs several versions: `--llvm 19,22` or `--llvm all`"));
    }
    let mut all = Vec::new();
    let judges: Vec<Option<Judge<'_>>> = match llvms[..] {
        [] => vec![None],
        _ => llvms.iter().map(|llvm| Some(Judge::new(llvm, &ledger))).collect(),
    };
    for judge in &judges {
        let version = judge.as_ref().map(Judge::version);
        let replayed = replay(&cases, judge.as_ref())?;
        let summary = Summary::of(&replayed);
        failed |= summary.failed > 0;
        asked |= replayed.iter().any(|one| one.judged.is_some());
        if args.json {
            let result = |one: &Replayed<'_>| ResultView {
                file: one.located.file.clone(),
                line: one.located.line,
                case: one.located.case.to_string(),
                verdict: verdict_name(&one.verdict),
                reasons: reasons(&one.verdict),
                ours: one.judged.as_ref().map(|judged| OurView::of(one.located.case.target, &judged.ours)),
                judged: version
                    .as_ref()
                    .filter(|_| one.judged.is_some())
                    .map(|version| JudgedView::of(Some(&ledger), version, one.judged.as_ref())),
            };
            let results = replayed.iter().map(result).collect();
            replays.push(ReplayView { llvm: version.clone(), results, summary: summary_view(summary) });
        } else {
            show(version.as_deref(), &replayed, &summary, out);
        }
        if args.changes {
            all.push((version.unwrap_or_default(), replayed));
        }
    }
    let changes = args.changes.then(|| changes::changes(&all));
    if args.json {
        out.json(&View { schema: SCHEMA, replays, changes })?;
    } else if let Some(changes) = changes {
        changes::show(&changes, out);
    }
    if !failed && !asked {
        return Err(Failure::oracle("LLVM knows none of these processors; name another version with --llvm"));
    }
    Ok(Exit::new_if(failed))
}

/// The cases of every argument.
fn read(inputs: &[String]) -> Result<Vec<Located>, Failure> {
    // `vop3p replay gfx900 d3a00005 040e0480`: a line that the shell has split.
    if inputs.len() > 1 && inputs[0].parse::<Target>().is_ok() && !Path::new(&inputs[0]).exists() {
        return read_text("argument", &inputs.join(" "));
    }
    let mut cases = Vec::new();
    for input in inputs {
        let located = match input.as_str() {
            "-" => {
                let mut text = String::new();
                let read = std::io::stdin().lock().read_to_string(&mut text);
                read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
                read_text("-", &text)?
            }
            text if !Path::new(text).exists() && text.contains(char::is_whitespace) => read_text("argument", text)?,
            path => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    Failure::input(format!("{path}: {error} (an argument is a file, a case line in quotes, or `-`)"))
                })?;
                read_text(path, &text)?
            }
        };
        cases.extend(located);
    }
    if cases.is_empty() { Err(Failure::input(format!("{}: no case line there", inputs.join(", ")))) } else { Ok(cases) }
}

fn read_text(name: &str, text: &str) -> Result<Vec<Located>, Failure> {
    read_cases(name, text).map_err(|errors| Failure::input(errors.join("\nerror: ")))
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed(_) => "failed",
        Verdict::NotJudged(_) => "not-judged",
    }
}

fn reasons(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Passed => Vec::new(),
        Verdict::Failed(reasons) => reasons.clone(),
        Verdict::NotJudged(reason) => vec![reason.clone()],
    }
}

fn summary_view(summary: Summary) -> SummaryView {
    let Summary { cases, passed, failed, not_judged, known, mc_deaths, objdump_deaths } = summary;
    SummaryView {
        cases,
        passed,
        failed,
        not_judged,
        known,
        llvm_mc_deaths: mc_deaths,
        llvm_objdump_deaths: objdump_deaths,
    }
}

fn show(version: Option<&str>, replayed: &[Replayed<'_>], summary: &Summary, out: &mut Out) {
    for one in replayed {
        if let Verdict::Failed(reasons) = &one.verdict {
            let Located { file, line, case } = one.located;
            out.line(format_args!("{file}:{line}: failed: {case}"));
            reasons.iter().for_each(|reason| out.line(format_args!("  {reason}")));
        }
    }
    let against = version.map_or("our decoder alone".to_owned(), |version| format!("LLVM {version}"));
    let Summary { cases, passed, failed, not_judged, mc_deaths, objdump_deaths, .. } = summary;
    let plural = if *cases == 1 { "" } else { "s" };
    out.line(format_args!(
        "{against}: {cases} case{plural}, {passed} passed, {failed} failed, {not_judged} not judged; deaths: llvm-mc {mc_deaths}, \
         llvm-objdump {objdump_deaths}"
    ));
    for (id, count) in &summary.known {
        out.line(format_args!("  known: {id} {count}"));
    }
    let mut why: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for one in replayed {
        if let Verdict::NotJudged(reason) = &one.verdict {
            *why.entry(reason).or_default() += 1;
        }
    }
    for (reason, count) in why {
        out.line(format_args!("  not judged: {reason}: {count}"));
    }
}
