//! The stand-ins for LLVM's tools, and the real ones.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use vop3p::oracle::llvm::{Choice, Llvm, LlvmError};

/// The real tools.
pub fn llvm22() -> Llvm {
    Llvm::find(&Choice::Version(22)).expect("these tests need LLVM 22: apt-get install llvm-22")
}

/// A directory of stand-ins that fail by a plan.
pub struct Fake(TempDir);

impl Fake {
    pub fn new(plan: &str) -> Self {
        let fake = Self(TempDir::new().unwrap());
        fake.tool("llvm-mc");
        fake.tool("llvm-objdump");
        fs::write(fake.path().join("plan"), plan).unwrap();
        fake
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn tool(&self, name: &str) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-llvm/tool.sh");
        symlink(script, self.path().join(name)).unwrap();
    }

    #[allow(dead_code, reason = "not every test needs it")]
    pub fn llvm(&self) -> Llvm {
        Llvm::find(&Choice::Dir(self.path().to_owned())).unwrap()
    }

    #[allow(dead_code, reason = "not every test needs it")]
    pub fn error(&self) -> LlvmError {
        Llvm::find(&Choice::Dir(self.path().to_owned())).unwrap_err()
    }
}
