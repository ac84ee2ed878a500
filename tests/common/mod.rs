//! What the tests that need LLVM share.

use vop3p::oracle::llvm::{Choice, Llvm};

/// The LLVM that the ledger is held against: 22, found as the tool finds it, or named by `VOP3P_LLVM`.
pub fn llvm22() -> Llvm {
    let llvm = Llvm::find(&Choice::or_environment(None)).expect("these tests need LLVM 22: apt-get install llvm-22");
    assert_eq!(llvm.version.major, 22, "these tests hold the ledger against LLVM 22, and this is {}", llvm.version);
    llvm
}
