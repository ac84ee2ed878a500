//! What the tests of both corpora share.

use std::fs;
use std::path::Path;

use vop3p::campaign::replay::Verdict;

/// The files of a directory of the repository that hold cases, by name: their names in it and their texts.
pub fn files(directory: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut paths: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = format!("{directory}/{}", path.file_name().unwrap().to_str().unwrap());
        (name, fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

/// Fails with all errors at once.
pub fn check(what: &str, errors: Vec<String>) {
    assert!(errors.is_empty(), "{} {what}:\n{}", errors.len(), errors.join("\n"));
}

/// Fails with the cases, each with its place, that did not come out as expected.
pub fn failures(verdicts: impl Iterator<Item = (String, Verdict)>, may_be_unjudged: bool) {
    let errors = verdicts.filter_map(|(place, verdict)| match verdict {
        Verdict::Failed(reasons) => Some(format!("{place}: {}", reasons.join("; "))),
        Verdict::NotJudged(why) if !may_be_unjudged => Some(format!("{place}: not judged: {why}")),
        Verdict::Passed | Verdict::NotJudged(_) => None,
    });
    check("lines", errors.collect());
}
