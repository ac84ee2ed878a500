//! `vop3p replay`: case lines, windows, texts and values, and whether what they expect holds.

use std::fmt::Display;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::changes::{self, Change};
use super::common::Common;
use super::{Exit, Failure, Out};
use vop3p::asm;
use vop3p::assembling::TextJudge;
use vop3p::campaign::replay::{
    Cases, Located, Replayed, ReplayedText, Summary, Verdict, read_all, replay, replay_texts,
};
use vop3p::campaign::replay_values::{ReplayedValue, replay_values};
use vop3p::isa::Target;
use vop3p::judge::Judge;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::Assembled as Theirs;
use vop3p::report::view::{FindingView, JudgedView, OurView, SCHEMA, WindowView, finding_views};

const EXAMPLES: &str = "\
Examples:
  vop3p replay corpus/decode/*.txt corpus/encode/*.txt
  vop3p replay 'gfx1100 cc0f60e0 180207e0 => known: unused-fields-refused'
  vop3p replay --no-llvm 'gfx900 d3a00005 040e0480 => text: v_mad_mix_f32 v5, 0, v2, v3'
  vop3p replay corpus/vectors/*.txt corpus/open/*.txt         results; LLVM is not needed
  vop3p replay 'gfx1100 kernel fma f16 mode=round.f16=+inf 0001 0001 7800 => 7801'
  grep gfx950 cases.txt | vop3p replay - --llvm all
  vop3p replay corpus/decode/*.txt --llvm 19,22 --changes     what differs between the two

A case line of a word to decode: TARGET WINDOW [pad=none] [=> EXPECTATION[; EXPECTATION...]] [# source]
  text: INSTRUCTION   size: BYTES   undefined[: ID]   rule: ID, ... | none     of our decoder
  agree               known: ID, ...                                         of LLVM and the ledger
A case line of a text to assemble: TARGET asm: TEXT [=> EXPECTATION[; EXPECTATION...]] [# source]
  word: DWORDS   sp3: DWORDS   refused[: RULE]   rule: ID, ... | none        of our assembler
  agree          known: ID, ...                                              of LLVM and the ledger
A case line of a result: TARGET TEXT|WINDOW [mode=MODE] [reading=ID=NAME,...] REGISTER=BITS...
[=> ANSWER[; ANSWER...][; by: HOW]] [# source], or TARGET kernel fma|add|mul f16|f32 A B [C]
  v0=DWORD   reading ID=NAME: v0=DWORD                   of our arithmetic and of MPFR; without
                                                         either, that the two agree
A line to decode or assemble without `agree` and `known` passes if LLVM agrees or every difference is
in the ledger: if nothing is new. `known: ID, ...` is the full list of what is found. Not required of it are
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

    /// Check only what lines expect of our decoder and our assembler
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<CaseView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
}

#[derive(Serialize)]
struct ReplayView {
    llvm: Option<String>,
    results: Vec<ResultView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<TextView>,
    summary: SummaryView,
}

/// A case and how it came out.
#[derive(Serialize)]
struct CaseView {
    file: String,
    line: usize,
    case: String,
    verdict: &'static str,
    reasons: Vec<String>,
}

impl CaseView {
    fn new<C: Display>(located: &Located<C>, verdict: &Verdict) -> Self {
        Self {
            file: located.file.clone(),
            line: located.line,
            case: located.case.to_string(),
            verdict: verdict_name(verdict),
            reasons: reasons(verdict),
        }
    }
}

#[derive(Serialize)]
struct ResultView {
    #[serde(flatten)]
    case: CaseView,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<OurView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<JudgedView>,
}

#[derive(Serialize)]
struct TextView {
    #[serde(flatten)]
    case: CaseView,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<JudgedTextView>,
}

#[derive(Serialize)]
struct JudgedTextView {
    ours: TextAnswer,
    llvm_mc: TextAnswer,
    outcome: String,
    findings: Vec<FindingView>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
enum TextAnswer {
    Assembled {
        text: String,
        #[serde(flatten)]
        window: Option<WindowView>,
    },
    Refused {
        message: String,
    },
    Other {
        what: String,
    },
}

#[derive(Serialize)]
struct SummaryView {
    cases: usize,
    texts: usize,
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
    let values = replay_values(&cases.values);
    let is_failure = |value: &ReplayedValue<'_>| matches!(value.verdict, Verdict::Failed(_));
    let needs_llvm = !(args.no_llvm || cases.windows.is_empty() && cases.texts.is_empty());
    let (mut failed, mut asked) = (values.iter().any(is_failure), !needs_llvm);
    let mut replays = Vec::new();
    let llvms = if needs_llvm { args.common.llvms()? } else { Vec::new() };
    if args.changes && llvms.len() < 2 {
        return Err(Failure::input("--changes needs several versions: `--llvm 19,22` or `--llvm all`"));
    }
    let mut all = Vec::new();
    let judges: Vec<Option<(Judge<'_>, TextJudge<'_>)>> = match llvms[..] {
        [] if cases.windows.is_empty() && cases.texts.is_empty() => Vec::new(),
        [] => vec![None],
        _ => llvms.iter().map(|llvm| Some((Judge::new(llvm, &ledger), TextJudge::new(llvm, &ledger)))).collect(),
    };
    for judges in &judges {
        let judge = judges.as_ref().map(|(judge, _)| judge);
        let version = judge.map(Judge::version);
        let replayed = replay(&cases.windows, judge)?;
        let texts = replay_texts(&cases.texts, judges.as_ref().map(|(_, judge)| judge))?;
        let summary = Summary::of(&replayed, &texts);
        failed |= summary.failed > 0;
        asked |= replayed.iter().any(|one| one.judged.is_some()) || texts.iter().any(|one| one.judged.is_some());
        if args.json {
            let result = |one: &Replayed<'_>| ResultView {
                case: CaseView::new(one.located, &one.verdict),
                ours: one.judged.as_ref().map(|judged| OurView::of(one.located.case.target, &judged.ours)),
                judged: version
                    .as_ref()
                    .filter(|_| one.judged.is_some())
                    .map(|version| JudgedView::of(Some(&ledger), version, one.judged.as_ref())),
            };
            let results = replayed.iter().map(result).collect();
            let texts = texts.iter().map(|one| text_view(&ledger, one)).collect();
            replays.push(ReplayView { llvm: version.clone(), results, texts, summary: summary_view(summary) });
        } else {
            show(version.as_deref(), &replayed, &texts, &summary, out);
        }
        if args.changes {
            all.push((version.unwrap_or_default(), replayed, texts));
        }
    }
    if !args.json {
        show_values(&values, out);
    }
    let changes = args.changes.then(|| changes::changes(&all));
    if args.json {
        let values = values.iter().map(|one| CaseView::new(one.located, &one.verdict)).collect();
        out.json(&View { schema: SCHEMA, replays, values, changes })?;
    } else if let Some(changes) = changes {
        changes::show(&changes, out);
    }
    if !failed && !asked {
        return Err(Failure::oracle("LLVM knows none of these processors; name another version with --llvm"));
    }
    Ok(Exit::new_if(failed))
}

/// The cases of every argument.
fn read(inputs: &[String]) -> Result<Cases, Failure> {
    // `vop3p replay gfx900 d3a00005 040e0480`: a line that the shell has split.
    if inputs.len() > 1 && inputs[0].parse::<Target>().is_ok() && !Path::new(&inputs[0]).exists() {
        return read_text("argument", &inputs.join(" "));
    }
    let mut cases = Cases::default();
    for (index, input) in inputs.iter().enumerate() {
        let located = match input.as_str() {
            "-" => {
                let mut text = String::new();
                let read = std::io::stdin().lock().read_to_string(&mut text);
                read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
                read_text("-", &text)?
            }
            // The arguments are the lines of one text, so that a place names the argument.
            text if !Path::new(text).exists() && text.contains(char::is_whitespace) => {
                read_text("argument", &format!("{}{text}", "\n".repeat(index)))?
            }
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

fn read_text(name: &str, text: &str) -> Result<Cases, Failure> {
    read_all(name, text).map_err(|errors| Failure::input(errors.join("\nerror: ")))
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

fn text_view(ledger: &Ledger, one: &ReplayedText<'_>) -> TextView {
    let case = &one.located.case;
    let judged = one.judged.as_ref().map(|judged| JudgedTextView {
        ours: match &judged.ours {
            Ok(assembled) => TextAnswer::Assembled {
                text: asm::print(case.target, &assembled.instruction),
                window: Some((&assembled.window).into()),
            },
            Err(error) => TextAnswer::Refused { message: error.to_string() },
        },
        llvm_mc: match &judged.theirs {
            Theirs::Bytes { text, .. } => TextAnswer::Assembled {
                text: text.clone(),
                window: judged.theirs.window().as_ref().map(WindowView::from),
            },
            Theirs::Refused { message, .. } => TextAnswer::Refused { message: message.clone() },
            other => TextAnswer::Other { what: changes::text_answer(other) },
        },
        outcome: judged.outcome.to_string(),
        findings: finding_views(Some(ledger), &judged.findings),
    });
    TextView { case: CaseView::new(one.located, &one.verdict), judged }
}

fn summary_view(summary: Summary) -> SummaryView {
    let Summary { cases, texts, passed, failed, not_judged, known, mc_deaths, objdump_deaths } = summary;
    SummaryView {
        cases,
        texts,
        passed,
        failed,
        not_judged,
        known,
        llvm_mc_deaths: mc_deaths,
        llvm_objdump_deaths: objdump_deaths,
    }
}

fn show(
    version: Option<&str>,
    replayed: &[Replayed<'_>],
    texts: &[ReplayedText<'_>],
    summary: &Summary,
    out: &mut Out,
) {
    let windows = replayed.iter().map(|one| {
        let Located { file, line, case } = one.located;
        (file, line, case.to_string(), &one.verdict)
    });
    let texts = texts.iter().map(|one| {
        let Located { file, line, case } = one.located;
        (file, line, case.to_string(), &one.verdict)
    });
    let mut why: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (file, line, case, verdict) in windows.chain(texts) {
        match verdict {
            Verdict::Passed => {}
            Verdict::Failed(reasons) => {
                out.line(format_args!("{file}:{line}: failed: {case}"));
                reasons.iter().for_each(|reason| out.line(format_args!("  {reason}")));
            }
            Verdict::NotJudged(reason) => *why.entry(reason).or_default() += 1,
        }
    }
    let against = version.map_or("ours alone".to_owned(), |version| format!("LLVM {version}"));
    let Summary { cases, texts, passed, failed, not_judged, mc_deaths, objdump_deaths, .. } = summary;
    let plural = if *cases == 1 { "" } else { "s" };
    let texts = match texts {
        0 => String::new(),
        _ if texts == cases => " of assembling".to_owned(),
        _ => format!(" ({texts} of assembling)"),
    };
    out.line(format_args!(
        "{against}: {cases} case{plural}{texts}, {passed} passed, {failed} failed, {not_judged} not judged; deaths: llvm-mc \
         {mc_deaths}, llvm-objdump {objdump_deaths}"
    ));
    for (id, count) in &summary.known {
        out.line(format_args!("  known: {id} {count}"));
    }
    for (reason, count) in why {
        out.line(format_args!("  not judged: {reason}: {count}"));
    }
}

fn show_values(values: &[ReplayedValue<'_>], out: &mut Out) {
    if values.is_empty() {
        return;
    }
    let mut failed = 0;
    for ReplayedValue { located: Located { file, line, case }, verdict } in values {
        let reasons = reasons(verdict);
        if !reasons.is_empty() {
            failed += 1;
            out.line(format_args!("{file}:{line}: failed: {case}"));
            reasons.iter().for_each(|reason| out.line(format_args!("  {reason}")));
        }
    }
    let plural = if values.len() == 1 { "" } else { "s" };
    let (count, passed) = (values.len(), values.len() - failed);
    out.line(format_args!("our arithmetic and MPFR: {count} result{plural}, {passed} passed, {failed} failed"));
}
