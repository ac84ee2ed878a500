//! What the fuzz targets that ask LLVM have in common: the tools, the ledger and the mutator of windows.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use vop3p::campaign::Input;
use vop3p::isa::Target;
use vop3p::ledger::Ledger;
use vop3p::oracle::llvm::{Choice, Llvm, LlvmError};

use crate::shared::{Run, give_up, put};

/// A campaign that asks LLVM.
pub struct Asking<C> {
    /// The campaign.
    pub campaign: C,
    /// The version of LLVM.
    pub version: String,
}

/// Finds LLVM, loads the ledger, and begins a run.
pub fn start<C>(name: &'static str, campaign: impl FnOnce(&'static Llvm, &'static Ledger) -> C) -> Run<Asking<C>> {
    let llvm = Llvm::find(&Choice::or_environment(None)).unwrap_or_else(|error| give_up(&error.to_string()));
    let mut ledger = Ledger::builtin().unwrap_or_else(|error| give_up(&error.to_string()));
    if let Some(dir) = std::env::var_os("VOP3P_LEDGER") {
        ledger.add_dir(Path::new(&dir)).unwrap_or_else(|error| give_up(&error.to_string()));
    }
    let (llvm, ledger): (&'static Llvm, &'static Ledger) = (Box::leak(Box::new(llvm)), Box::leak(Box::new(ledger)));
    let version = llvm.version.to_string();
    eprintln!("vop3p: {name} against LLVM {version}, all {} targets", Target::DISTINCT);
    Run::new(name, Asking { campaign: campaign(llvm, ledger), version })
}

/// What came of a question to LLVM; nothing where this LLVM does not know the processor, so that there is nothing to
/// compare with.
pub fn answered<T>(answer: Result<T, LlvmError>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(LlvmError::UnknownCpu { .. }) => None,
        Err(error) => give_up(&error.to_string()),
    }
}

/// The mutator of windows: an input close to the one in `data`, of the next target. How long it is.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    static NEXT_TARGET: AtomicUsize = AtomicUsize::new(0);
    let target = Target::from_place(NEXT_TARGET.fetch_add(1, Ordering::Relaxed));
    put(&Input::from_any(&data[..size]).mutated(target, u64::from(seed)).write(), data, max_size)
}
