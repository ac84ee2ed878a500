//! What is filed replays as written: for every entry of the ledger that says that LLVM is wrong, the commands of the issue
//! are typed and must print what it quotes, and the tests fail on this LLVM, where those with its own answers pass.
//! Needs LLVM 22 (`apt-get install llvm-22`).

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use vop3p::ledger::{Entry, Ledger, Status, Verdict};

/// A directory in which `llvm-mc` is that of LLVM 22.
fn stock() -> TempDir {
    let dir = TempDir::new().unwrap();
    let llvm = common::llvm22();
    symlink(fs::canonicalize(llvm.mc).unwrap(), dir.path().join("llvm-mc")).unwrap();
    dir
}

/// Types a command.
fn sh(stock: &Path, command: &str) -> Output {
    let path = format!("{}:/usr/bin:/bin", stock.display());
    Command::new("/bin/sh").args(["-c", command]).env("PATH", path).output().unwrap()
}

fn vop3p(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_vop3p")).args(args).env("VOP3P_LLVM", "22").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The entries that say that LLVM 22 is wrong, and in what.
fn wrong() -> Vec<Entry> {
    let version = common::llvm22().version.to_string();
    let shows = |entry: &&Entry| {
        let is_there =
            entry.signs.iter().any(|sign| sign.kind.has_findings() && sign.status(&version) == Status::Fires);
        entry.verdict == Verdict::LlvmWrong && is_there
    };
    Ledger::builtin().unwrap().entries().iter().filter(shows).cloned().collect()
}

/// The commands of an issue, each with what is quoted and the exit code it speaks of.
fn commands(issue: &str) -> Vec<(String, String, Option<i32>)> {
    let mut commands = Vec::new();
    let mut rest = issue;
    while let Some((_, behind)) = rest.split_once("```console\n$ ") {
        let (block, behind) = behind.split_once("```\n").unwrap();
        let (command, quoted) = block.split_once('\n').unwrap();
        let death = behind.lines().next().and_then(|line| line.strip_prefix("It dies: "));
        let code = death.map(|line| {
            let (_, code) = line.split_once("exit code ").unwrap();
            code.split_whitespace().next().unwrap().parse().unwrap()
        });
        commands.push((command.to_owned(), quoted.to_owned(), code));
        rest = behind;
    }
    commands
}

#[test]
fn the_commands_of_an_issue_print_what_it_quotes() {
    let stock = stock();
    let mut typed = 0;
    for entry in wrong() {
        let (code, issue, complaint) = vop3p(&["report", &entry.id, "--as", "llvm-issue"]);
        assert_eq!(code, 0, "{}: {complaint}", entry.id);
        for part in ["# [AMDGPU][MC] ", "\nExpected: ", "\n## Why\n", "\n## Where\n", "- targets: ", "22.1.8"] {
            assert!(issue.contains(part), "{}: no `{part}` in\n{issue}", entry.id);
        }
        let commands = commands(&issue);
        assert!(!commands.is_empty(), "{issue}");
        for (command, quoted, code) in commands {
            let output = sh(stock.path(), &format!("{{ {command}; }} 2>&1"));
            match code {
                Some(code) => assert_eq!(output.status.code(), Some(code), "{}: {command}", entry.id),
                None => {
                    let printed = String::from_utf8(output.stdout).unwrap();
                    assert_eq!(printed, quoted, "{}: {command}", entry.id);
                }
            }
            typed += 1;
        }
    }
    assert!(typed > 30, "{typed}");
}

/// Whether a lit test passes on this LLVM.
fn passes(stock: &Path, file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).unwrap();
    let (_, run) = text.lines().next().unwrap().split_once("RUN: ").unwrap();
    let (command, _) = run.split_once(" | FileCheck").unwrap();
    let command = command.replace("%s", file.to_str().unwrap());
    let (is_not, command) = match command.strip_prefix("not ") {
        Some(command) => (true, command),
        None => (false, command.as_str()),
    };
    let output = sh(stock, &format!("exec {command}"));
    if output.status.signal().is_some() || (output.status.code() == Some(0)) == is_not {
        return Err(format!("{command}: {}", output.status));
    }
    file_check(&text, &String::from_utf8(output.stdout).unwrap())
}

/// As FileCheck, as far as these tests need it: CHECK and CHECK-NEXT, `{{$}}`, `{{[0-9]+}}` and `[[@LINE-1]]`.
fn file_check(test: &str, output: &str) -> Result<(), String> {
    let lines: Vec<String> = output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut at = 0;
    for (number, line) in test.lines().enumerate() {
        let line = line.trim_start_matches(['/', '#', ' ']);
        let (is_next, pattern) = match (line.strip_prefix("CHECK: "), line.strip_prefix("CHECK-NEXT: ")) {
            (Some(pattern), _) => (false, pattern),
            (_, Some(pattern)) => (true, pattern),
            _ => continue,
        };
        let pattern = pattern.replace("[[@LINE-1]]", &number.to_string());
        let pattern = pattern.replace("[[@LINE+1]]", &(number + 2).to_string());
        let left = &lines[at.min(lines.len())..];
        let found = left.iter().take(if is_next { 1 } else { usize::MAX }).position(|line| matches(&pattern, line));
        at += 1 + found.ok_or_else(|| format!("`{pattern}` is not in\n{}", left.join("\n")))?;
    }
    Ok(())
}

fn matches(pattern: &str, line: &str) -> bool {
    let (pattern, is_end) = pattern.strip_suffix("{{$}}").map_or((pattern, false), |pattern| (pattern, true));
    let parts: Vec<&str> = pattern.split("{{[0-9]+}}").collect();
    assert!(parts.iter().all(|part| !part.contains("{{") && !part.contains("[[")), "{pattern}");
    line.char_indices().any(|(start, _)| {
        let mut rest = &line[start..];
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                if digits.len() == rest.len() {
                    return false;
                }
                rest = digits;
            }
            let Some(behind) = rest.strip_prefix(part) else { return false };
            rest = behind;
        }
        !is_end || rest.is_empty()
    })
}

#[test]
fn tests_fail_on_this_llvm_and_pass_with_its_own_answers() {
    let stock = stock();
    let dir = TempDir::new().unwrap();
    let mut files = 0;
    let mut wrong_ones = Vec::new();
    for entry in wrong() {
        for (name, more) in [("wanted", None), ("actual", Some("--actual"))] {
            let out = dir.path().join(name).join(&entry.id);
            let mut args = vec!["report", &entry.id, "--as", "lit", "--out", out.to_str().unwrap()];
            args.extend(more);
            let (code, written, complaint) = vop3p(&args);
            assert_eq!(code, 0, "{}: {complaint}", entry.id);
            for file in written.lines() {
                files += 1;
                match passes(stock.path(), Path::new(file)) {
                    Ok(()) if more.is_none() => {
                        wrong_ones.push(format!("passes: {file}\n{}", fs::read_to_string(file).unwrap()));
                    }
                    Err(why) if more.is_some() => {
                        wrong_ones.push(format!("fails: {file}\n{}\n{why}", fs::read_to_string(file).unwrap()));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong_ones.is_empty(), "{}", wrong_ones.join("\n\n"));
    assert!(files > 60, "{files}");
}

#[test]
fn a_check_is_met_by_what_it_says_and_nothing_else() {
    assert!(matches("v_x v0{{$}}", "v_x v0") && !matches("v_x v0{{$}}", "v_x v0 clamp"));
    assert!(
        matches(":3:{{[0-9]+}}: error:", "<stdin>:3:12: error: no") && !matches(":3:{{[0-9]+}}: error:", ":3:: error:")
    );
    let test = "# RUN: x\n\n# CHECK: a{{$}}\n[1]\n\n# CHECK: b\n# CHECK-NEXT: c\n[2]\n";
    assert_eq!(file_check(test, "\ta\n\tb\n\tc\n"), Ok(()));
    assert!(file_check(test, "\ta\n\tb\n\tx\n\tc\n").is_err());
    assert!(file_check(test, "\tb\n\ta\n\tc\n").is_err());
    assert!(file_check("\n# CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning\n", "a:3:1: warning").is_ok());
}

#[test]
fn lines_of_the_corpus_replay() {
    let dir = TempDir::new().unwrap();
    let mut lines = Vec::new();
    for entry in wrong() {
        let (code, text, complaint) = vop3p(&["report", &entry.id, "--as", "case"]);
        assert_eq!(code, 0, "{}: {complaint}", entry.id);
        lines.push(text);
    }
    let file = dir.path().join("cases.txt");
    fs::write(&file, lines.concat()).unwrap();
    let (code, text, complaint) = vop3p(&["replay", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{text}{complaint}");
}

#[test]
fn what_cannot_be_filed_is_said() {
    for (args, code, why) in [
        (&["report", "nothing-such", "--as", "lit"][..], 2, "no ledger entry `nothing-such`"),
        (&["report", "x", "--as", "case", "--actual"], 2, "--actual and --out go with `--as lit`"),
        (&["report", "x", "--as", "lit", "--from", "/nowhere"], 2, "/nowhere: "),
    ] {
        let (found, _, complaint) = vop3p(args);
        assert_eq!(found, code, "{complaint}");
        assert!(complaint.contains(why), "{complaint}");
    }
}
