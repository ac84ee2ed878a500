//! The oracles of values share no part of an answer with the core: none of their files, and none of what they take the
//! question from, names a module that computes.

#![cfg(feature = "oracle")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below a path.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    fs::read_dir(path).unwrap().flat_map(|entry| sources(&entry.unwrap().path())).collect()
}

/// The lines of a text that name one of these modules.
fn naming<'a>(text: &'a str, modules: &[&str]) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names = |line: &&str| line.split(|c| !is_word(c)).any(|word| modules.contains(&word));
    text.lines().filter(|line| !line.trim_start().starts_with("//")).filter(names).collect()
}

#[test]
fn the_oracles_of_values_name_no_module_that_computes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut count = 0;
    // Tables of constants, too: the oracle states their values itself.
    let modules = ["exec", "value_case", "INLINE_FLOATS", "InlineFloatRow"];
    for place in ["oracle/mpfr", "oracle/apfloat.rs", "question"] {
        for file in sources(&root.join(place)) {
            let text = fs::read_to_string(&file).unwrap();
            found.extend(naming(&text, &modules).into_iter().map(|line| format!("{}: {line}", file.display())));
            count += 1;
        }
    }
    assert!(count > 15, "{count} files");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_line_that_names_one_is_seen() {
    let text = "// exec is not named here\nuse crate::exec::Mode;\nlet executed = 1;\nuse crate::{exec, isa};";
    assert_eq!(naming(text, &["exec"]), ["use crate::exec::Mode;", "use crate::{exec, isa};"]);
}
