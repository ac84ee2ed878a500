//! What several subcommands share: options, failures, and how windows are given.

use std::error::Error;
use std::path::{Path, PathBuf};

use vop3p::codec::{Window, WindowError};
use vop3p::ledger::{Ledger, LedgerError};
use vop3p::oracle::llvm::{Choice, Llvm, LlvmError, Tool, VARIABLE};

/// How a command that did its work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// All agree, or differ as known.
    Fine = 0,
    /// Something new, something stale, or an undefined window.
    New = 1,
    /// A line that does not assemble; what is wrong with it has been said.
    Refused = 2,
}

impl Exit {
    /// `New` if `condition` holds.
    pub fn new_if(condition: bool) -> Self {
        if condition { Self::New } else { Self::Fine }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    /// The exit code: 2 for bad input, 3 for an oracle.
    pub code: u8,
    /// What is wrong, where, and what to do.
    pub message: String,
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>) -> Self {
        Self { code: 2, message: message.into() }
    }

    /// An oracle that is missing or cannot be used.
    pub fn oracle(message: impl Into<String>) -> Self {
        Self { code: 3, message: message.into() }
    }
}

impl From<LlvmError> for Failure {
    fn from(error: LlvmError) -> Self {
        let mut message = error.to_string();
        if let Some(source) = error.source() {
            message = format!("{message}: {source}");
        }
        Self::oracle(message)
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        Self::input(format!("ledger: {error}"))
    }
}

/// `--ledger`.
#[derive(clap::Args)]
pub struct LedgerOption {
    /// Add the TOML files of this directory, a private ledger, on top of the built-in one; may be repeated
    #[arg(long, value_name = "DIR")]
    ledger: Vec<PathBuf>,
}

impl LedgerOption {
    /// The built-in ledger, and what was asked for on top.
    pub fn load(&self) -> Result<Ledger, Failure> {
        let mut ledger = Ledger::builtin()?;
        for dir in &self.ledger {
            ledger.add_dir(dir)?;
        }
        Ok(ledger)
    }
}

/// `--llvm` and `--ledger`.
#[derive(clap::Args)]
pub struct Common {
    /// LLVM to compare with: a version (`22`, `22.1.8`), a directory with its tools, several of these separated by
    /// commas, or `all`; without it VOP3P_LLVM, else the highest version found
    #[arg(long, value_name = "VER|PATH", value_delimiter = ',')]
    llvm: Vec<String>,

    #[command(flatten)]
    ledger: LedgerOption,
}

impl Common {
    /// The ledger that was asked for.
    pub fn ledger(&self) -> Result<Ledger, Failure> {
        self.ledger.load()
    }

    /// Every LLVM that was asked for, each once, lowest version first; at least one.
    pub fn llvms(&self) -> Result<Vec<Llvm>, Failure> {
        let variable = std::env::var_os(VARIABLE).unwrap_or_default();
        let texts: Vec<&str> = match variable.to_str() {
            _ if !self.llvm.is_empty() => self.llvm.iter().map(String::as_str).collect(),
            Some(text) if Path::new(text).exists() => vec![text],
            Some(text) => text.split(',').collect(),
            None => return Ok(vec![Llvm::find(&Choice::or_environment(None))?]),
        };
        let mut once: Vec<Llvm> = Vec::new();
        let mut failures: Vec<Failure> = Vec::new();
        for text in texts {
            match find_llvm(text) {
                Ok(found) => {
                    for llvm in found {
                        if once.iter().all(|known| !known.is_same_as(&llvm)) {
                            once.push(llvm);
                        }
                    }
                }
                Err(failure) => failures.push(failure),
            }
        }
        // All that is missing is said at once.
        let messages: Vec<String> = failures.into_iter().map(|failure| failure.message).collect();
        if !messages.is_empty() {
            return Err(Failure::oracle(messages.join("\nerror: ")));
        }
        once.sort_by_key(|llvm| llvm.version);
        Ok(once)
    }

    /// The LLVMs among which one is looked for: those that were asked for, or all that can be found.
    pub fn candidates(&self) -> Result<Vec<Llvm>, Failure> {
        if !self.llvm.is_empty() {
            return self.llvms();
        }
        let mut all = if std::env::var_os(VARIABLE).is_some() { self.llvms()? } else { Vec::new() };
        for llvm in Llvm::find_all() {
            if all.iter().all(|known| !known.is_same_as(&llvm)) {
                all.push(llvm);
            }
        }
        Ok(all)
    }

    /// The one LLVM of this text, as `--llvm` takes it.
    pub fn one_of(&self, text: &str) -> Result<Llvm, Failure> {
        match find_llvm(text)?.as_slice() {
            [one] => Ok(one.clone()),
            several => Err(Failure::input(format!("`{text}` names {}; one is wanted", names_of(several)))),
        }
    }

    /// The same, but none at all for `--llvm none`.
    pub fn llvms_or_none(&self) -> Result<Vec<Llvm>, Failure> {
        if self.llvm.len() == 1 && self.llvm.iter().all(|text| text == "none") { Ok(Vec::new()) } else { self.llvms() }
    }

    /// The LLVM that was asked for, where only one will do.
    pub fn one_llvm(&self, command: &str) -> Result<Llvm, Failure> {
        let mut llvms = self.llvms()?;
        match (llvms.pop(), &llvms[..]) {
            (Some(llvm), []) => Ok(llvm),
            (last, _) => {
                llvms.extend(last);
                let named = names_of(&llvms);
                Err(Failure::input(format!("{command} runs against one LLVM; --llvm or {VARIABLE} names {named}")))
            }
        }
    }
}

/// The LLVM of this text: `22`, `22.1`, `22.1.8`, a path, `all`, or the highest.
fn find_llvm(text: &str) -> Result<Vec<Llvm>, Failure> {
    let text = text.trim();
    if text == "all" {
        let all = Llvm::find_all();
        // Without any the search for the highest says what is missing and how to install it.
        return if all.is_empty() { Ok(vec![Llvm::find(&Choice::Highest)?]) } else { Ok(all) };
    }
    let is_path = text.contains('/') || Path::new(text).exists();
    let Ok(choice) = text.parse::<Choice>();
    match choice {
        Choice::Version(_) => {}
        Choice::Dir(_) if !is_path && text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.') => {
            // A full version: every number that is given must be that of the installed one.
            let wanted: Vec<&str> = text.split('.').collect();
            let is_meant = |llvm: &Llvm| {
                let version = llvm.version.to_string();
                version.split('.').collect::<Vec<_>>().starts_with(&wanted)
            };
            let installed = Llvm::find_all();
            return match installed.iter().rfind(|llvm| is_meant(llvm)) {
                Some(llvm) => Ok(vec![llvm.clone()]),
                None => Err(not_installed(text, &installed)),
            };
        }
        Choice::Dir(_) if !is_path => {
            let installed = names_of(&Llvm::find_all());
            return Err(Failure::oracle(format!(
                "`{text}` is no path and no version of LLVM (`22` or `22.1.8`); installed: {installed}"
            )));
        }
        _ => {}
    }
    match Llvm::find(&choice) {
        Err(LlvmError::Missing { tool: Tool::Mc, .. }) if matches!(choice, Choice::Version(_)) => {
            Err(not_installed(text, &Llvm::find_all()))
        }
        found => Ok(vec![found?]),
    }
}

fn not_installed(text: &str, installed: &[Llvm]) -> Failure {
    let major = text.split('.').next().unwrap_or(text);
    let has_major = installed.iter().any(|llvm| llvm.version.major.to_string() == major);
    let advice = if has_major { String::new() } else { format!("; on Debian `apt-get install llvm-{major}`") };
    Failure::oracle(format!("LLVM {text} is not installed; installed: {}{advice}", names_of(installed)))
}

fn names_of(installed: &[Llvm]) -> String {
    let names: Vec<String> = installed.iter().map(|llvm| llvm.version.to_string()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The one window that these arguments make up: one argument, or dwords or bytes as the shell split them.
pub fn one_window(args: &[String]) -> Result<Window, Failure> {
    if args.iter().filter(|arg| arg.split_whitespace().nth(1).is_some()).count() > 1 {
        let message = "several windows; this command takes one (`vop3p diff` takes several)";
        return Err(Failure::input(message));
    }
    parse_window(&args.join(" "))
}

/// The windows that these arguments are: one each, unless all are single dwords, which then make up one window.
pub fn windows(args: &[String]) -> Result<Vec<Window>, Failure> {
    let is_dword = |arg: &String| {
        let digits = arg.strip_prefix("0x").unwrap_or(arg);
        digits.len() == 8 && digits.chars().all(|c| c.is_ascii_hexdigit())
    };
    if args.len() > 1 && args.iter().all(is_dword) {
        return one_window(args).map(|window| vec![window]).map_err(|failure| {
            Failure::input(format!("{}\n  several windows must each be quoted: 'd3a00005 040e0480'", failure.message))
        });
    }
    args.iter().map(|arg| parse_window(arg)).collect()
}

/// The window of digits that stand without a gap, read as dwords and not as the bytes they are.
pub fn run_together(args: &[String]) -> Option<Window> {
    let [digits] = args else { return None };
    if !matches!(digits.len(), 16 | 24 | 32) || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let dwords = (0..digits.len()).step_by(8).map(|at| digits.get(at..at + 8)).collect::<Option<Vec<_>>>()?;
    dwords.join(" ").parse().ok()
}

/// The window of this text.
pub fn parse_window(text: &str) -> Result<Window, Failure> {
    text.parse().map_err(|error: WindowError| {
        let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let place = format!("\n  {shown}\n  {:>column$}", "^", column = error.column);
        Failure::input(format!("bad window, {error}{}", if shown.trim().is_empty() { "" } else { &place }))
    })
}
