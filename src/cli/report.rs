//! `vop3p report`: a cause, ready to be filed.

use std::path::PathBuf;

use super::common::{Common, Exit, Failure};
use super::ledger::{cluster, read_triage};
use super::out::Out;
use vop3p::oracle::llvm::Llvm;
use vop3p::report::filing::{Form, Subject, case_lines, issue, lit_files};

const EXAMPLES: &str = "\
Examples:
  vop3p report unused-fields-refused --as llvm-issue
  vop3p report mix-literal/low-half --as lit              one sign of an entry
  vop3p report modifier-clamp-3fa9c1 --as lit --from sweep/22.1.8.triage.json
  vop3p report mix-literal --as lit --actual --llvm 19    as LLVM answers today
  vop3p report mix-literal --as case

An issue says what to type, what comes (run on the LLVM at hand, as it is), what should, and why.
The lit tests fail on that LLVM and pass on one that does what AMD specifies; with --actual they
pass on it. Several files are printed one behind the other, each under a line with its name.";

/// Write a cause as an issue for LLVM, as tests for its MC suite, or as lines of the corpus
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A ledger entry or a sign of it (`vop3p ledger`), or with --from a cause that triage found
    id: String,

    /// What to write
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: FormArg,

    /// What `vop3p triage` wrote, where the cause is
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// For lit: the answers that the LLVM at hand gives, in place of those of AMD's specification
    #[arg(long)]
    actual: bool,

    /// For lit: write the files to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FormArg {
    LlvmIssue,
    Lit,
    Case,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    if (args.actual || args.out.is_some()) && args.form != FormArg::Lit {
        return Err(Failure::input("--actual and --out go with `--as lit`"));
    }
    let llvm = args.common.one_llvm("`vop3p report`")?;
    let subject = subject(args, &llvm)?;
    if subject.parts.iter().all(|part| part.shots.is_empty()) {
        return Err(Failure::input(format!(
            "nothing of `{}` shows on LLVM {}; --llvm names another",
            args.id, llvm.version
        )));
    }
    match args.form {
        FormArg::LlvmIssue => out.text(issue(&subject, &llvm)?),
        FormArg::Case => case_lines(&subject).iter().for_each(|line| out.line(line)),
        FormArg::Lit => {
            let form = if args.actual { Form::Actual } else { Form::Wanted };
            let files = lit_files(&subject, form, &llvm)?;
            for file in &files {
                match &args.out {
                    Some(dir) => {
                        let place = dir.join(&file.name);
                        let fail = |error| Failure::input(format!("{}: {error}", place.display()));
                        std::fs::create_dir_all(dir).map_err(fail)?;
                        std::fs::write(&place, &file.text).map_err(fail)?;
                        out.line(place.display());
                    }
                    None => {
                        if files.len() > 1 {
                            out.line(format_args!("=== {}", file.name));
                        }
                        out.text(file.text.clone());
                    }
                }
            }
        }
    }
    Ok(Exit::Fine)
}

fn subject(args: &Args, llvm: &Llvm) -> Result<Subject, Failure> {
    if let Some(from) = &args.from {
        let triage = read_triage(from)?;
        return Ok(Subject::of_cluster(cluster(&triage, &args.id)?, &triage.sweeps));
    }
    let ledger = args.common.ledger()?;
    let (id, sign) = args.id.split_once('/').map_or((args.id.as_str(), None), |(id, _)| (id, Some(args.id.as_str())));
    let entry = ledger.get(id).ok_or_else(|| {
        Failure::input(format!("no ledger entry `{id}`; `vop3p ledger` lists them, and --from reads what triage found"))
    })?;
    Ok(Subject::of_entry(entry, sign, &llvm.version.to_string()))
}
