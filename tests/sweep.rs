//! The sweep, end to end: stopped and resumed, in shards, against one LLVM and between two. Needs LLVM 22
//! (`apt-get install llvm-22`).

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "fake-llvm/mod.rs"]
mod fake;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use fake::Fake;
use serde_json::Value;
use tempfile::TempDir;

/// What is swept here: some units of several targets, one of which another stands for, and words that kill LLVM.
const CHOICE: &[&str] =
    &["-t", "gfx900,gfx902,gfx1100", "--opcode", "V_PK_FMA_F16,V_FMA_MIX_F32,V_MAD_MIX_F32,V_PK_ADD_U16"];

/// How often the sweep is killed.
const KILLS: u32 = 50;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vop3p"));
    command.args(args).env("COLUMNS", "100").env("VOP3P_LLVM", "22");
    command
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(args: &[&str]) -> Ran {
    let output = command(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn sweep(dir: &Path, more: &[&str]) -> Ran {
    let out = dir.to_str().unwrap();
    run(&[&["sweep", "--out", out], CHOICE, more].concat())
}

/// The findings and the certificate that a sweep left in a directory.
fn files(dir: &Path) -> [String; 2] {
    let version = version();
    [format!("{version}.jsonl"), format!("{version}.certificate.json")]
        .map(|name| fs::read_to_string(dir.join(name)).unwrap())
}

fn version() -> String {
    fake::llvm22().version.to_string()
}

fn lines(findings: &str, kind: &str) -> Vec<Value> {
    let values = findings.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    values.filter_map(|line| line.get(kind).cloned()).collect()
}

#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_bytes() {
    let dirs = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let whole = sweep(dirs[0].path(), &[]);
    assert_eq!(whole.code, Some(0), "{}{}", whole.out, whole.err);
    let expected = files(dirs[0].path());

    let out = dirs[1].path().to_str().unwrap();
    let args = [&["sweep", "--out", out], CHOICE].concat();
    let (mut interrupted, mut seed) = (0, 12_345_u32);
    for _ in 0..KILLS {
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Up to a second: from before the file is opened to several units.
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sleep(Duration::from_millis(u64::from(seed >> 22)));
        // SIGKILL.
        child.kill().unwrap();
        interrupted += u32::from(child.wait().unwrap().code().is_none());
        if fs::exists(dirs[1].path().join(format!("{}.certificate.json", version()))).unwrap() {
            fs::remove_file(dirs[1].path().join(format!("{}.certificate.json", version()))).unwrap();
            fs::remove_file(dirs[1].path().join(format!("{}.jsonl", version()))).unwrap();
        }
    }
    assert!(interrupted > KILLS / 2, "{interrupted} of {KILLS} runs were killed");
    let last = sweep(dirs[1].path(), &[]);
    assert_eq!(last.code, Some(0), "{}{}", last.out, last.err);
    assert_eq!(files(dirs[1].path()), expected);
}

#[test]
fn eight_shards_join_to_the_same_bytes_and_none_may_be_missing() {
    let dirs = [TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap()];
    assert_eq!(sweep(dirs[0].path(), &["--jobs", "1"]).code, Some(0));
    let mut shards: Vec<String> = Vec::new();
    // In any order.
    for index in [3, 1, 8, 2, 7, 4, 6, 5] {
        let ran = sweep(dirs[1].path(), &["--shard", &format!("{index}/8")]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(ran.out.starts_with(&format!("shard {index}/8 is complete: ")), "{}", ran.out);
        let name = format!("{}.shard-{index}-of-8.jsonl", version());
        shards.push(dirs[1].path().join(name).to_str().unwrap().to_owned());
    }
    let target = dirs[2].path().join(format!("{}.jsonl", version()));
    let merge = |shards: &[&str]| run(&[&["merge", "--out", target.to_str().unwrap()], shards].concat());
    let all: Vec<&str> = shards.iter().map(String::as_str).collect();

    let missing = merge(&all[1..]);
    assert_eq!((missing.code, missing.err.as_str()), (Some(2), "error: shard 3/8 is missing\n"));
    let twice = merge(&[&all[..], &[all[0]]].concat());
    assert!(twice.code == Some(2) && twice.err.contains("are both shard 3/8"), "{}", twice.err);
    let text = fs::read_to_string(all[0]).unwrap();
    fs::write(all[0], &text[..text.len() - 5]).unwrap();
    let cut = merge(&all);
    assert!(cut.code == Some(2) && cut.err.contains("is not complete: "), "{}", cut.err);
    fs::write(all[0], &text).unwrap();
    let other = text.replacen("\"decode\":true", "\"decode\":false", 1);
    fs::write(all[0], &other).unwrap();
    let other = merge(&all);
    assert!(other.code == Some(2) && other.err.contains("is no shard of the same sweep as"), "{}", other.err);
    fs::write(all[0], &text).unwrap();
    assert!(!target.exists(), "nothing is written");

    let merged = merge(&all);
    assert_eq!(merged.code, Some(0), "{}{}", merged.out, merged.err);
    assert_eq!(files(dirs[2].path()), files(dirs[0].path()));
}

#[test]
fn the_certificate_says_what_was_covered() {
    let dir = TempDir::new().unwrap();
    let ran = sweep(dir.path(), &["--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let certificate: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(certificate["llvm"]["version"], version());
    let targets = certificate["targets"].as_array().unwrap();
    let names: Vec<&str> = targets.iter().map(|row| row["target"].as_str().unwrap()).collect();
    assert_eq!(names, ["gfx900", "gfx902", "gfx1100"]);
    // gfx900: of each of three opcodes, the mix one being V_MAD_MIX_F32 there, 13 modifier bits. gfx902 has a sample.
    assert_eq!(targets[0]["spaces"]["modifiers"], 3 * 8192);
    assert_eq!(targets[0].get("alike"), None);
    let alike = &targets[1]["alike"][0];
    assert_eq!((alike["like"].as_str(), alike["differ"].as_u64()), (Some("gfx900"), Some(0)));
    // A literal kills LLVM 22 on gfx900: of the words with one, most are left out, and it is said.
    assert!(targets[0]["counts"]["rationed"].as_u64().unwrap() > 1000);
    assert!(targets[0]["counts"]["deaths"].as_u64().unwrap() > 0);
    let counts = |row: &Value, name: &str| row["counts"][name].as_u64().unwrap();
    for row in targets {
        let outcomes: u64 = ["agreed", "noted", "known", "new"].iter().map(|name| counts(row, name)).sum();
        assert_eq!(outcomes, counts(row, "windows"));
        let spaces: u64 = row["spaces"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(counts(row, "windows"), spaces);
    }
}

/// An LLVM of the same version that is LLVM 22 but for what these sed scripts do to its output.
fn spoiled(out: &str) -> Fake {
    Fake::new(&format!("version={} out='{out}'\n", version()))
}

#[test]
fn between_two_builds_exactly_what_changed_is_found() {
    // llvm-mc and llvm-objdump of the patched build drop clamp of one instruction.
    let patched = spoiled("/v_pk_add_u16 /s/ clamp//");
    let dir = TempDir::new().unwrap();
    let path = patched.path().to_str().unwrap();
    let choice = ["-t", "gfx1100", "--opcode", "v_pk_add_u16,v_pk_fma_f16", "--direction", "decode"];
    let out = dir.path().to_str().unwrap();
    let ran = run(&[&["sweep", "--out", out, "--llvm", "22", "--against", path], &choice[..]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let name = format!("{0}-against-{0}.jsonl", version());
    let seen = lines(&fs::read_to_string(dir.path().join(name)).unwrap(), "seen");
    assert!(!seen.is_empty());
    for one in &seen {
        let text = |name: &str| one[name].as_str().unwrap();
        assert_eq!((text("opcode"), text("kind"), text("field")), ("V_PK_ADD_U16", "modifier", "clamp"));
        assert_eq!((text("ours"), text("theirs")), ("clamp", "no clamp"));
    }
    // Bit 15 in half of the 8192 words of modifiers that LLVM takes: OP_SEL[2], NEG[2] and NEG_HI[2] are 0.
    let modifiers = seen.iter().filter(|one| one["space"] == "modifiers");
    assert_eq!(modifiers.map(|one| one["count"].as_u64().unwrap()).sum::<u64>(), 8192 / 2 / 8);

    let same = run(&[&["sweep", "--out", out, "--llvm", "22", "--against", "22", "--restart"], &choice[..]].concat());
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    assert!(
        same.out.contains("\nno change; of the windows known to kill LLVM, 1 more were left out\n"),
        "{}",
        same.out
    );
}

#[test]
fn what_cannot_be_swept_is_said() {
    let dir = TempDir::new().unwrap();
    let fails = |args: &[&str]| {
        let ran = sweep(dir.path(), args);
        (ran.code, ran.err)
    };
    assert_eq!(
        fails(&["--opcode", "v_pk_nope"]),
        (Some(2), "error: `v_pk_nope` is no opcode (`vop3p isa` lists them)\n".to_owned())
    );
    let (code, err) = fails(&["--shard", "9/8"]);
    assert!(code == Some(2) && err.contains("a shard is I/N, part I of N: `2/8`"), "{err}");
    let (code, err) = fails(&["--llvm", "/nowhere"]);
    assert!(code == Some(3) && err.contains("/nowhere"), "{err}");

    assert_eq!(sweep(dir.path(), &["--direction", "decode"]).code, Some(0));
    let (code, err) = fails(&["--direction", "decode"]);
    assert!(code == Some(2) && err.contains("is complete already: --restart does it again"), "{err}");
    let (code, err) = fails(&[]);
    assert!(code == Some(2) && err.contains("was begun with other targets, opcodes or directions"), "{err}");
}

#[test]
fn how_much_it_would_be_is_said_beforehand() {
    let dir = TempDir::new().unwrap();
    // 13 modifier bits, 8 bits of destination, three times 9 of a source, 20^3 operands, three times 20 classes by 18
    // settings of modifiers, 16 windows with more or less behind the word; and without padding 5.
    let windows = 8192 + 256 + 3 * 512 + 8000 + 3 * 360 + 16 + 5;
    let args =
        ["sweep", "--dry-run", "--out", dir.path().to_str().unwrap(), "-t", "gfx900", "--opcode", "v_pk_fma_f16"];
    let ran = run(&args);
    assert_eq!(windows, 19_085);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "19,085 windows in 3 units of at most 16384, on 1 targets; 3 units in this shard\n")
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
