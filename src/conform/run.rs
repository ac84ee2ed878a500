//! The RUN lines of a lit test: which tool reads the file, as which processor, and which checks hold for what it says.

use std::collections::HashMap;

use super::Features;

/// One run of `llvm-mc` over the file, and the checks of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The RUN line.
    pub line: usize,
    /// The tool.
    pub mc: Mc,
    /// The prefixes of the checks; none if nothing is checked but the exit code.
    pub prefixes: Vec<String>,
    /// Whether the checks see what goes to standard error.
    pub sees_errors: bool,
    /// `--implicit-check-not=error`: there is no error without a check.
    pub every_error: bool,
}

/// `llvm-mc` with its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mc {
    /// Whether it must fail: `not`.
    pub fails: bool,
    /// `-disassemble`.
    pub disassembles: bool,
    /// `-mcpu`, or what a triple names.
    pub cpu: String,
    /// `-mattr`.
    pub features: Features,
}

/// What the RUN lines of a file say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    /// The runs that were understood.
    pub runs: Vec<Run>,
    /// The lines that were not, and why.
    pub skipped: Vec<(usize, String)>,
    /// Whether there is any RUN line.
    pub any: bool,
}

/// A tool's streams that a file holds.
#[derive(Clone)]
struct Held {
    mc: Mc,
    errors: bool,
}

/// Reads the RUN lines of a file.
pub(super) fn runs(text: &str) -> Runs {
    let mut found = Runs::default();
    let mut held = HashMap::new();
    let mut pending: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        let Some(script) = run_line(line) else { continue };
        found.any = true;
        let (number, mut whole) = pending.take().unwrap_or((index + 1, String::new()));
        match script.strip_suffix('\\') {
            Some(start) => {
                whole.push_str(start);
                whole.push(' ');
                pending = Some((number, whole));
            }
            None => {
                whole.push_str(script);
                script_of(number, &whole, &mut held, &mut found);
            }
        }
    }
    if let Some((number, _)) = pending {
        found.skipped.push((number, "the RUN line ends with `\\` and does not go on".to_owned()));
    }
    found
}

/// The script of a RUN line.
pub(super) fn run_line(line: &str) -> Option<&str> {
    let start = line.trim_start().trim_start_matches(['/', '#', ';', '*']).trim_start();
    start.strip_prefix("RUN:").map(str::trim)
}

fn script_of(line: usize, script: &str, held: &mut HashMap<String, Held>, found: &mut Runs) {
    if script.contains("%if") {
        return found.skipped.push((line, "the RUN line depends on a condition (`%if`)".to_owned()));
    }
    match pipelines(script) {
        Err(reason) => found.skipped.push((line, reason)),
        Ok(pipelines) => {
            for pipeline in &pipelines {
                match pipeline_run(line, pipeline, held) {
                    Ok(runs) => found.runs.extend(runs),
                    Err(reason) => found.skipped.push((line, reason)),
                }
            }
        }
    }
}

/// One command with its redirections.
#[derive(Clone, Debug, Default)]
struct Command {
    words: Vec<String>,
    input: Option<String>,
    output: Option<String>,
    errors: Option<String>,
    errors_to_output: bool,
}

/// Splits a script into pipelines of commands, as a shell does.
fn pipelines(script: &str) -> Result<Vec<Vec<Command>>, String> {
    let mut all = vec![vec![Command::default()]];
    let mut tokens = tokens(script)?.into_iter();
    while let Some(token) = tokens.next() {
        let Some(command) = all.last_mut().and_then(|pipeline| pipeline.last_mut()) else { break };
        let mut file = || match tokens.next() {
            Some(Token::Word(name)) => Ok(name),
            _ => Err("a redirection without a file".to_owned()),
        };
        match token {
            Token::Word(word) => command.words.push(word),
            Token::Operator("|") => {
                if let Some(pipeline) = all.last_mut() {
                    pipeline.push(Command::default());
                }
            }
            Token::Operator("&&" | ";") => all.push(vec![Command::default()]),
            Token::Operator("2>&1") => command.errors_to_output = true,
            Token::Operator(">" | "1>") => command.output = Some(file()?),
            Token::Operator("2>") => command.errors = Some(file()?),
            Token::Operator("<") => command.input = Some(file()?),
            Token::Operator("&>") => {
                command.output = Some(file()?);
                command.errors_to_output = true;
            }
            Token::Operator(other) => return Err(format!("the RUN line uses `{other}`")),
        }
    }
    all.retain(|pipeline| pipeline.iter().any(|command| !command.words.is_empty()));
    Ok(all)
}

enum Token {
    Word(String),
    Operator(&'static str),
}

const OPERATORS: [&str; 13] = ["2>&1", "1>&2", "2>>", "&&", "||", "|&", "&>", ">>", "2>", "1>", "|", ";", "<"];

fn tokens(script: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let operator = OPERATORS.iter().chain(&[">"]).find(|operator| rest.starts_with(**operator));
        match (c, operator) {
            // `2>` begins a redirection only at the start of a word.
            (_, Some(operator)) if word.is_none() || !c.is_ascii_digit() => {
                tokens.extend(word.take().map(Token::Word));
                tokens.push(Token::Operator(operator));
                rest = &rest[operator.len()..];
                continue;
            }
            ('\'' | '"', _) => {
                let end = after.find(c).ok_or("a quote in the RUN line is not closed")?;
                word.get_or_insert_default().push_str(&after[..end]);
                rest = &after[end + 1..];
                continue;
            }
            (c, _) if c.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            _ => word.get_or_insert_default().push(c),
        }
        rest = after;
    }
    tokens.extend(word.map(Token::Word));
    Ok(tokens)
}

fn pipeline_run(line: usize, pipeline: &[Command], held: &mut HashMap<String, Held>) -> Result<Vec<Run>, String> {
    let [first, rest @ ..] = pipeline else { return Ok(Vec::new()) };
    let mut words = first.words.as_slice();
    let fails = words.first().is_some_and(|word| word == "not");
    if fails {
        words = &words[1..];
    }
    let name = words.first().map_or("", String::as_str);
    match (name.rsplit('/').next().unwrap_or(name), rest) {
        ("llvm-mc", [] | [_]) => {}
        ("llvm-mc", _) => return Err("what llvm-mc prints goes through another tool".to_owned()),
        ("FileCheck", []) if !fails => {
            let check = FileCheck::parse(first)?;
            let file = check.input.as_ref().ok_or("FileCheck reads no file that llvm-mc wrote")?;
            let Held { mc, errors } =
                held.get(file).cloned().ok_or("FileCheck reads a file that llvm-mc did not write")?;
            return Ok(vec![check.run(line, mc, errors)]);
        }
        (other, _) => return Err(format!("the run begins with `{other}`, not with llvm-mc")),
    }
    let (mut mc, output) = mc_of(&words[1..], first.input.as_deref())?;
    mc.fails = fails;
    for (file, errors) in [(&output, false), (&first.output, first.errors_to_output), (&first.errors, true)] {
        if let Some(file) = file {
            held.insert(file.clone(), Held { mc: mc.clone(), errors });
        }
    }
    let [check] = rest else {
        return Ok(vec![Run { line, mc, prefixes: Vec::new(), sees_errors: false, every_error: false }]);
    };
    if check.words.first().is_none_or(|name| name != "FileCheck") {
        return Err("what llvm-mc prints goes through another tool".to_owned());
    }
    Ok(vec![FileCheck::parse(check)?.run(line, mc, first.errors_to_output)])
}

/// The options of an `llvm-mc` that reads the test itself, and the file of `-o`.
fn mc_of(words: &[String], input: Option<&str>) -> Result<(Mc, Option<String>), String> {
    let mut mc = Mc::default();
    let (mut output, mut attributes) = (None, Vec::new());
    let mut reads = input.map(str::to_owned);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|o| !o.is_empty()) else {
            if word != "-" {
                reads = Some(word.clone());
            }
            continue;
        };
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let mut value = || value.or_else(|| words.next().map(String::as_str)).unwrap_or_default();
        match name {
            "triple" => triple(value(), &mut mc)?,
            "arch" if matches!(value(), "amdgcn" | "amdgpu") => {}
            "mcpu" => mc.cpu = value().to_owned(),
            "mattr" => attributes.push(value().to_owned()),
            "o" => output = Some(value().to_owned()),
            "filetype" | "defsym" => _ = value(),
            "disassemble" => mc.disassembles = true,
            "show-encoding" | "assemble" | "no-warn" | "fatal-warnings" | "show-inst" => {}
            _ => return Err(format!("llvm-mc has the option `{word}`")),
        }
    }
    if reads.as_deref() != Some("%s") {
        return Err("llvm-mc does not read the test itself".to_owned());
    }
    if mc.cpu.is_empty() {
        "generic".clone_into(&mut mc.cpu);
    }
    mc.features = Features::parse(&attributes.join(","));
    Ok((mc, output))
}

/// `amdgcn-amd-amdhsa`; and `amdgpu9.0a`, which names gfx90a.
fn triple(triple: &str, mc: &mut Mc) -> Result<(), String> {
    let wrong = || format!("the triple `{triple}`");
    let arch = triple.split('-').next().unwrap_or_default();
    match arch.strip_prefix("amdgpu") {
        _ if arch == "amdgcn" => Ok(()),
        Some("") => Ok(()),
        Some(version) => {
            let (major, rest) = version.split_once('.').ok_or_else(wrong)?;
            let is_number = !major.is_empty() && major.chars().all(|c| c.is_ascii_digit());
            if !is_number || rest.len() != 2 || !rest.chars().all(|c| c.is_ascii_hexdigit()) {
                return Err(wrong());
            }
            if mc.cpu.is_empty() {
                mc.cpu = format!("gfx{major}{rest}");
            }
            Ok(())
        }
        None => Err(wrong()),
    }
}

struct FileCheck {
    prefixes: Vec<String>,
    every_error: bool,
    input: Option<String>,
}

impl FileCheck {
    fn parse(command: &Command) -> Result<Self, String> {
        let mut check = Self { prefixes: Vec::new(), every_error: false, input: command.input.clone() };
        let mut test = None;
        let mut words = command.words.iter().skip(1);
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
                test = Some(word.as_str());
                continue;
            };
            let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let mut value = || value.or_else(|| words.next().map(String::as_str)).unwrap_or_default();
            match name {
                "check-prefix" | "check-prefixes" => {
                    check.prefixes.extend(value().split(',').map(|prefix| prefix.trim().to_owned()));
                }
                "implicit-check-not" => check.every_error |= "error:".starts_with(value().trim()),
                "input-file" => check.input = Some(value().to_owned()),
                "dump-input" | "dump-input-context" | "dump-input-filter" | "comment-prefixes" => _ = value(),
                "strict-whitespace" | "match-full-lines" | "allow-empty" | "allow-unused-prefixes" | "v" | "vv" => {}
                "enable-var-scope" | "dump-input-on-failure" => {}
                _ if name.starts_with('D') => {}
                _ => return Err(format!("FileCheck has the option `{word}`")),
            }
        }
        if test != Some("%s") {
            return Err("the checks stand in another file".to_owned());
        }
        check.prefixes.retain(|prefix| !prefix.is_empty());
        if check.prefixes.is_empty() {
            check.prefixes.push("CHECK".to_owned());
        }
        Ok(check)
    }

    fn run(self, line: usize, mc: Mc, sees_errors: bool) -> Run {
        Run { line, mc, prefixes: self.prefixes, sees_errors, every_error: self.every_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Run {
        let found = runs(text);
        assert_eq!((found.skipped, found.runs.len()), (Vec::new(), 1), "{text}");
        found.runs[0].clone()
    }

    #[test]
    fn a_run_has_a_processor_prefixes_and_streams() {
        let run = one("// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 -show-encoding %s | FileCheck %s");
        assert_eq!((run.mc.cpu.as_str(), run.mc.fails, run.mc.disassembles), ("gfx900", false, false));
        assert_eq!((run.prefixes.as_slice(), run.sees_errors), (["CHECK".to_owned()].as_slice(), false));

        let run = one("# RUN: not llvm-mc --disassemble -triple amdgcn -mcpu gfx1100 -mattr=-WavefrontSize32 \\\n\
             # RUN:   -mattr=+WavefrontSize64 < %s 2>&1 | FileCheck --check-prefixes=A,B \\\n\
             # RUN:   -check-prefix C --implicit-check-not=error: --strict-whitespace %s");
        assert_eq!((run.line, run.mc.fails, run.mc.disassembles), (1, true, true));
        assert_eq!(run.prefixes, ["A", "B", "C"]);
        assert_eq!((run.sees_errors, run.every_error, run.mc.features.wave), (true, true, Some(64)));

        let run = one("; RUN: llvm-mc -arch=amdgcn -triple=amdgcn-amd-amdhsa --defsym X=1 %s -filetype=null");
        assert_eq!((run.mc.cpu.as_str(), run.prefixes.len()), ("generic", 0));
        for (triple, cpu) in [("amdgpu9.0a", "gfx90a"), ("amdgpu10.10-amd-amdhsa", "gfx1010"), ("amdgpu", "generic")] {
            assert_eq!(one(&format!("// RUN: llvm-mc -triple={triple} %s | FileCheck %s")).mc.cpu, cpu);
        }
    }

    #[test]
    fn a_file_may_stand_between_the_tools() {
        let found = runs(
            "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s 2>%t.err | FileCheck --check-prefix=OK %s\n\
             // RUN: FileCheck --check-prefix=ERR %s < %t.err\n\
             // RUN: llvm-mc -triple=amdgcn -mcpu=gfx908 %s -o %t && FileCheck --input-file=%t %s\n",
        );
        let seen: Vec<_> =
            found.runs.iter().map(|run| (run.mc.cpu.as_str(), run.sees_errors, run.prefixes.len())).collect();
        assert_eq!(seen, [("gfx900", false, 1), ("gfx900", true, 1), ("gfx908", false, 0), ("gfx908", false, 1)]);
        assert!(found.skipped.is_empty());
    }

    #[test]
    fn a_run_that_is_not_understood_says_why() {
        for (script, reason) in [
            ("sed 's/a/b/' %s | llvm-mc -triple=amdgcn | FileCheck %s", "begins with `sed`"),
            ("llvm-mc -triple=amdgcn -filetype=obj %s | llvm-objdump -d - | FileCheck %s", "another tool"),
            ("llvm-mc -triple=amdgcn %s | llvm-objdump -d -", "another tool"),
            ("llvm-mc -triple=r600 %s", "the triple `r600`"),
            ("llvm-mc -triple=amdgpu9 %s", "the triple `amdgpu9`"),
            ("llvm-mc -triple=amdgcn -print-imm-hex %s | FileCheck %s", "option `-print-imm-hex`"),
            ("llvm-mc -triple=amdgcn %t | FileCheck %s", "does not read the test"),
            ("llvm-mc -triple=amdgcn %s | FileCheck %S/other.s", "in another file"),
            ("llvm-mc -triple=amdgcn %s | FileCheck --ignore-case %s", "option `--ignore-case`"),
            ("%if x %{ llvm-mc %s %}", "a condition"),
            ("FileCheck %s < %t", "did not write"),
            ("not FileCheck %s < %t", "begins with `FileCheck`"),
            ("llvm-mc 'x", "not closed"),
            ("llvm-mc -triple=amdgcn %s \\", "does not go on"),
            ("llvm-mc -triple=amdgcn %s || true", "uses `||`"),
        ] {
            let found = runs(&format!("// RUN: {script}"));
            assert!(found.runs.is_empty() && found.skipped[0].1.contains(reason), "{script}: {:?}", found.skipped);
        }
        assert!(!runs("// run it\n").any);
    }
}
