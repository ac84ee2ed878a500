//! What tells two builds of the same version apart.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Llvm, LlvmError};

impl Llvm {
    /// SHA-256 over both programs and the libraries of LLVM in the `lib` directory beside theirs, in hexadecimal: the
    /// same for the same files wherever they are installed.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn fingerprint(&self) -> Result<String, LlvmError> {
        let mut hash = Sha256::new();
        for path in self.files() {
            let mut read = |path: &Path| io::copy(&mut File::open(path)?, &mut hash).map(drop);
            read(&path).map_err(LlvmError::io(format!("read {}", path.display())))?;
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The programs, links followed, and the libraries, each once, in the order of their paths.
    fn files(&self) -> Vec<PathBuf> {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let programs = [real(&self.mc), real(&self.objdump)];
        let mut libraries = BTreeSet::new();
        for dir in programs.iter().filter_map(|program| Some(program.parent()?.parent()?.join("lib"))) {
            for item in fs::read_dir(dir).into_iter().flatten().flatten() {
                let name = item.file_name();
                let name = name.to_string_lossy();
                if name.starts_with("libLLVM") && (name.contains(".so") || name.ends_with(".dylib")) {
                    libraries.insert(real(&item.path()));
                }
            }
        }
        programs.into_iter().chain(libraries).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::llvm::Version;

    #[test]
    fn another_library_is_another_build() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        for name in ["bin", "lib"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        write("bin/llvm-mc", "a");
        write("bin/llvm-objdump", "b");
        let version = Version { major: 22, minor: 1, patch: 8 };
        let llvm = Llvm { mc: dir.path().join("bin/llvm-mc"), objdump: dir.path().join("bin/llvm-objdump"), version };
        // SHA-256 of `ab`.
        let bare = "fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603";
        assert_eq!(llvm.fingerprint().unwrap(), bare);
        write("lib/libLLVM.so.22.1", "c");
        write("lib/libother.so", "d");
        // Of `abc`.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(llvm.fingerprint().unwrap(), abc);
        fs::remove_file(&llvm.objdump).unwrap();
        assert!(llvm.fingerprint().unwrap_err().to_string().starts_with("cannot read "));
    }
}
