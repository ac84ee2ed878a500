//! Commands of stock tools, and what they print.

use crate::codec::Window;
use crate::commands::{stock_assembling, stock_command};
use crate::isa::Target;
use crate::oracle::llvm::{Cpu, Llvm, LlvmError, Raw, Tool, padding};
use crate::report::names::llvm_bytes;

/// A command, run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// As it is typed.
    pub command: String,
    /// What it did.
    pub raw: Raw,
}

/// The arguments that name the target.
fn target_args(target: Target) -> Vec<String> {
    let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
    let mut args = vec!["-triple=amdgcn".to_owned(), format!("-mcpu={}", cpu.name)];
    args.extend(cpu.mattr().map(|mattr| format!("-mattr={mattr}")));
    args
}

/// As one argument string of a RUN line.
#[must_use]
pub fn target_text(target: Target) -> String {
    target_args(target).join(" ")
}

/// The window as llvm-mc takes it, with its padding if it has any.
#[must_use]
pub fn block(window: &Window, padded: bool) -> String {
    let behind = if padded { padding(window) } else { &[] };
    let whole = llvm_bytes(window);
    let behind: Vec<String> =
        behind.iter().flat_map(|dword| dword.to_le_bytes()).map(|byte| format!(",{byte:#04x}")).collect();
    format!("{}{}]", whole.trim_end_matches(']'), behind.concat())
}

/// Has stock llvm-mc decode a window; without its padding where the first instruction is the same without.
///
/// # Errors
/// If it cannot be run.
pub fn decode(llvm: &Llvm, target: Target, window: &Window, padded: bool) -> Result<Ran, LlvmError> {
    let run = |padded: bool| -> Result<Ran, LlvmError> {
        let raw = decode_block(llvm, target, &block(window, padded))?;
        Ok(Ran { command: stock_command(target, window, padded), raw })
    };
    let whole = run(padded)?;
    if !padded || padding(window).is_empty() || whole.raw.end.is_err() {
        return Ok(whole);
    }
    let bare = run(false)?;
    let same = bare.raw.end.is_ok() && first_line(&bare.raw) == first_line(&whole.raw);
    Ok(if same { bare } else { whole })
}

/// Has stock llvm-mc decode a block of bytes as it takes them.
///
/// # Errors
/// If it cannot be run.
pub fn decode_block(llvm: &Llvm, target: Target, block: &str) -> Result<Raw, LlvmError> {
    let mut args = vec!["-disassemble".to_owned()];
    args.extend(target_args(target));
    llvm.raw(Tool::Mc, &args, &format!("{block}\n"))
}

/// The first instruction that was printed, and whether bytes were refused before it.
fn first_line(raw: &Raw) -> (Option<&str>, bool) {
    let line = raw.stdout.lines().find(|line| !line.trim().is_empty() && line.trim() != ".text");
    (line, raw.stdout.is_empty() && !raw.stderr.is_empty())
}

/// Has stock llvm-mc assemble a text.
///
/// # Errors
/// If it cannot be run.
pub fn assemble(llvm: &Llvm, target: Target, text: &str) -> Result<Ran, LlvmError> {
    let mut args = target_args(target);
    args.push("-show-encoding".to_owned());
    let raw = llvm.raw(Tool::Mc, &args, &format!("{text}\n"))?;
    Ok(Ran { command: stock_assembling(target, text), raw })
}

impl Ran {
    /// The command and all it printed, as a terminal shows it; of a tool that died nothing but how, as the rest has
    /// addresses in it.
    #[must_use]
    pub fn transcript(&self) -> String {
        let printed = match self.raw.end {
            Ok(_) => format!("{}{}", self.raw.stderr, self.raw.stdout),
            Err(_) => String::new(),
        };
        let death = match &self.raw.end {
            Ok(_) => String::new(),
            Err(death) => format!("It dies: {death}{}.\n", exit_code(*death)),
        };
        format!("```console\n$ {}\n{printed}```\n{death}", self.command)
    }
}

/// What a shell says of the death.
fn exit_code(death: crate::oracle::llvm::Death) -> String {
    match death {
        crate::oracle::llvm::Death::Signal(signal) => format!(", exit code {} in a shell", 128 + signal),
        _ => String::new(),
    }
}
