//! `vop3p seeds`: case lines to inputs of the fuzz target `decode`, and back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::common::{Common, Exit, Failure};
use super::out::Out;
use vop3p::campaign::replay::read_cases;
use vop3p::campaign::{Expander, Input, Record};
use vop3p::case::Case;
use vop3p::isa::Target;
use vop3p::judge::Judge;

const EXAMPLES: &str = "\
Examples:
  vop3p seeds write --out fuzz/corpus/decode corpus/decode/*.txt
  vop3p seeds read fuzz/artifacts/decode/crash-*
  vop3p seeds read --drawn fuzz/artifacts/decode/crash-*    also what its seeds draw";

const WRITE_EXAMPLES: &str = "\
Examples:
  vop3p seeds write --out fuzz/corpus/decode corpus/decode/*.txt
  vop3p seeds write --out seeds cases.txt      one case a line: gfx1100 cc0f60e0 180207e0";

const READ_EXAMPLES: &str = "\
Examples:
  vop3p seeds read fuzz/artifacts/decode/crash-*
  vop3p seeds read --drawn fuzz/artifacts/decode/crash-* --llvm 22
  vop3p seeds read fuzz/corpus/decode/* | vop3p replay -";

/// Turn case lines into fuzz inputs, and fuzz inputs into case lines
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Write one input a target, with the windows of these case files
    #[command(after_help = WRITE_EXAMPLES)]
    Write {
        /// Directory for the inputs; made if it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,

        /// Files of case lines
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the windows of these inputs as case lines
    #[command(after_help = READ_EXAMPLES)]
    Read {
        /// Also draw what the generator draws; needs LLVM's version, since words known to kill it are rationed
        #[arg(long)]
        drawn: bool,

        /// Fuzz inputs
        #[arg(required = true, value_name = "INPUT")]
        inputs: Vec<PathBuf>,

        #[command(flatten)]
        common: Common,
    },
}

/// Runs the conversion.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    match &args.what {
        What::Write { out: dir, files } => write(dir, files, out),
        What::Read { drawn, inputs, common } => read(*drawn, inputs, common, out),
    }
    .map(|()| Exit::Fine)
}

fn write(dir: &Path, files: &[PathBuf], out: &mut Out) -> Result<(), Failure> {
    let mut by_target: BTreeMap<usize, Input> = BTreeMap::new();
    for path in files {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| failure(path, &error))?;
        for located in read_cases(&name, &text).map_err(|errors| Failure::input(errors.join("\n")))? {
            let Case { target, window, .. } = located.case;
            let input = by_target.entry(target.place()).or_insert_with(|| Input { target, records: Vec::new() });
            // A window cut short is no window of the fuzz target.
            if window.dwords().len() > 1 && !input.records.contains(&Record::Window(window)) {
                input.records.push(Record::Window(window));
            }
        }
    }
    fs::create_dir_all(dir).map_err(|error| failure(dir, &error))?;
    for input in by_target.values() {
        let path = dir.join(format!("corpus-{}", input.target.cpu()));
        fs::write(&path, input.write()).map_err(|error| failure(&path, &error))?;
    }
    let windows: usize = by_target.values().map(|input| input.records.len()).sum();
    out.line(format_args!("{} inputs with {windows} windows in {}", by_target.len(), dir.display()));
    Ok(())
}

fn read(drawn: bool, inputs: &[PathBuf], common: &Common, out: &mut Out) -> Result<(), Failure> {
    let mut parsed = Vec::new();
    for path in inputs {
        let bytes = fs::read(path).map_err(|error| failure(path, &error))?;
        parsed.push((path, Input::from_any(&bytes)));
    }
    if drawn {
        let ledger = common.ledger()?;
        let llvm = common.one_llvm("`vop3p seeds read --drawn`")?;
        let judge = Judge::new(&llvm, &ledger);
        for (path, input) in parsed {
            let windows = input.windows(&mut Expander::new(judge));
            show(path, input.target, windows.into_iter().map(Record::Window), out);
        }
    } else {
        for (path, input) in parsed {
            show(path, input.target, input.records.into_iter(), out);
        }
    }
    Ok(())
}

fn show(path: &Path, target: Target, records: impl Iterator<Item = Record>, out: &mut Out) {
    out.line(format_args!("# {}", path.display()));
    for record in records {
        match record {
            Record::Window(window) => out.line(Case::new(target, window)),
            Record::Drawn { seed, count } => {
                out.line(format_args!("# {target}: {count} windows drawn from seed {seed}"))
            }
        }
    }
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}
