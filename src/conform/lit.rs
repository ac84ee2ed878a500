//! LLVM's lit tests: which check speaks of which instruction, and what that says.
//!
//! A check that names its line (`[[@LINE-1]]`) speaks of that line. Any other one speaks of the instruction of its
//! block, which ends at blank lines; in a block of several instructions each check follows its instruction if the block
//! begins with an instruction and ends with a check, and precedes it if the other way round. Where neither holds,
//! nothing is read.
//!
//! A test may say what happens to an instruction without a check: in a run that must succeed the assembler takes every
//! line, and where `--implicit-check-not=error:` holds, every line without an error.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{self, Pattern, Place, spaced};
use super::run::{Run, runs};
use super::said::{assembled, disassembled, merge};
use super::select::{is_vop3p_bytes, is_vop3p_text};
use super::source::Source;
use super::{Case, Expect, Reading, cpu, expression};

pub(super) fn read(file: &str, text: &str, reading: &mut Reading) {
    let found = runs(text);
    for (line, reason) in &found.skipped {
        reading.skip(file, *line, reason.clone());
    }
    if !found.any {
        return reading.skip(file, 1, "the file has no RUN line");
    }
    if let Some(index) = text.lines().position(|line| line.contains("XFAIL:")) {
        return reading.skip(file, index + 1, "the test is expected to fail");
    }
    let prefixes: BTreeSet<String> = found.runs.iter().flat_map(|run| run.prefixes.iter().cloned()).collect();
    let prefixes: Vec<String> = prefixes.into_iter().collect();
    let source = Source::read(text, &prefixes);

    let mut test = Test { file, source: &source, cases: Vec::new(), skipped: BTreeSet::new(), vop3p: BTreeSet::new() };
    let owned = test.owners();
    for run in &found.runs {
        test.run(run, &owned);
    }
    test.finish(reading);
}

/// A check that is known to speak of an input.
struct Owned<'a> {
    prefix: &'a str,
    line: usize,
    /// Place in the inputs; `None` if it cannot be told.
    input: Option<usize>,
    pattern: Pattern,
}

struct Test<'a> {
    file: &'a str,
    source: &'a Source,
    cases: Vec<Case>,
    skipped: BTreeSet<(usize, String)>,
    /// The inputs that are VOP3P in some run.
    vop3p: BTreeSet<usize>,
}

impl<'a> Test<'a> {
    fn skip(&mut self, line: usize, reason: impl Into<String>) {
        self.skipped.insert((line, reason.into()));
    }

    /// Every check with its input.
    fn owners(&mut self) -> Vec<Owned<'a>> {
        let mut all: Vec<Owned<'a>> = Vec::new();
        for check in &self.source.checks {
            match check.place {
                Place::Apart => continue,
                Place::Strange => {
                    self.skip(check.line, "the check is of a kind that is not read");
                    continue;
                }
                Place::Plain | Place::Next | Place::Same => {}
            }
            if check.place == Place::Next && self.echoes(&mut all, &check.prefix, &check.text) {
                continue;
            }
            let pattern = check::pattern(check.line, &check.text, self.source.generated);
            if pattern == Pattern::Nothing {
                continue;
            }
            let input = match &pattern {
                Pattern::Error(Some(line), _) | Pattern::Warning(Some(line)) => self.source.input_of_line(*line),
                _ => self.source.input_of_check(check),
            };
            all.push(Owned { prefix: &check.prefix, line: check.line, input, pattern });
        }
        for owned in &all {
            if owned.input.is_none() && self.may_concern(owned) {
                self.skip(owned.line, "which instruction the check speaks of cannot be told");
            }
        }
        all
    }

    /// Whether this `-NEXT` check is the line that LLVM shows again below an error, or the caret below that. It tells
    /// which input the error is of.
    fn echoes(&self, all: &mut [Owned<'a>], prefix: &str, text: &str) -> bool {
        let Some(last) = all.iter_mut().rfind(|owned| owned.prefix == prefix) else { return false };
        if !matches!(last.pattern, Pattern::Error(..) | Pattern::Warning(_)) {
            return false;
        }
        let shown = spaced(text.strip_prefix("{{^}}").unwrap_or(text));
        if shown.chars().all(|c| matches!(c, '^' | '~' | ' ')) {
            return true;
        }
        let is_shown = |input: usize| self.source.inputs.get(input).is_some_and(|input| input.text == shown);
        match last.input {
            Some(input) => is_shown(input),
            None => {
                let mut same = (0..self.source.inputs.len()).filter(|input| is_shown(*input));
                last.input = same.next().filter(|_| same.next().is_none());
                last.input.is_some()
            }
        }
    }

    fn may_concern(&self, owned: &Owned<'_>) -> bool {
        match &owned.pattern {
            Pattern::Line { text, .. } => is_vop3p_text(text),
            // An error that names a line names none of an instruction, but a directive or a label.
            Pattern::Error(on, _) | Pattern::Warning(on) => on.is_none() && self.source.near_vop3p(owned.line),
            Pattern::Unread(_) => self.source.near_vop3p(owned.line),
            Pattern::Nothing => false,
        }
    }

    fn run(&mut self, run: &Run, owned: &[Owned<'a>]) {
        let target = cpu::target(&run.mc.cpu, &run.mc.features);
        let active: Vec<&Owned<'a>> = owned.iter().filter(|o| run.prefixes.iter().any(|p| p == o.prefix)).collect();
        let mut checks: BTreeMap<usize, Vec<&Owned<'a>>> = BTreeMap::new();
        for owned in &active {
            if let Some(input) = owned.input {
                checks.entry(input).or_default().push(owned);
            }
        }
        // Whether there is an error exactly where a check says so.
        let is_complete = run.every_error
            && run.sees_errors
            && active.iter().all(|o| match o.pattern {
                Pattern::Error(on, _) => on.is_some() || o.input.is_some(),
                Pattern::Unread(_) => false,
                _ => true,
            });
        let inputs = self.source.inputs.iter().enumerate();
        for (index, input) in inputs.filter(|(_, input)| input.is_bytes == run.mc.disassembles) {
            let checks: Vec<&Pattern> = checks.get(&index).into_iter().flatten().map(|owned| &owned.pattern).collect();
            let said = if run.mc.disassembles {
                let bytes = match check::window(input.text.trim_matches(['[', ']'])) {
                    Ok(bytes) => bytes,
                    Err(reason) => {
                        if input.may_be_vop3p() {
                            self.vop3p.insert(index);
                            self.skip(input.line, format!("the bytes are {reason}"));
                        }
                        continue;
                    }
                };
                if !is_vop3p_bytes(target.as_ref().ok().copied(), &bytes) {
                    continue;
                }
                disassembled(bytes, &checks)
            } else {
                if !is_vop3p_text(&input.text) {
                    continue;
                }
                assembled(run, input, &checks, !run.mc.fails || is_complete)
            };
            self.vop3p.insert(index);
            let said = match (said, &target) {
                (Ok(Some(Expect::Assembles { text, .. })), Ok(target)) if expression::is_needed(*target, &text) => {
                    Err(expression::REASON)
                }
                (said, _) => said,
            };
            let said = if input.conditional { Err("the instruction stands in a macro or a condition") } else { said };
            match said {
                Ok(None) => {}
                Ok(Some(expect)) => self.cases.push(Case {
                    file: self.file.to_owned(),
                    line: input.line,
                    cpu: run.mc.cpu.clone(),
                    features: run.mc.features.clone(),
                    target: target.clone(),
                    expect,
                }),
                Err(reason) => self.skip(input.line, reason),
            }
        }
    }

    /// One case for each instruction and processor; what contradicts itself, and what no run speaks of, is skipped.
    fn finish(mut self, reading: &mut Reading) {
        let mut merged: BTreeMap<(usize, String, String), Option<Case>> = BTreeMap::new();
        for case in std::mem::take(&mut self.cases) {
            let key = (case.line, case.cpu.clone(), case.features.text.clone());
            let both = match merged.remove(&key) {
                None => Some(case),
                Some(None) => None,
                Some(Some(known)) => merge(&known.expect, &case.expect).map(|expect| Case { expect, ..case }),
            };
            merged.insert(key, both);
        }
        let contradictions: Vec<usize> =
            merged.iter().filter(|(_, case)| case.is_none()).map(|((line, ..), _)| *line).collect();
        for line in contradictions {
            self.skip(line, "two runs of the test contradict each other");
        }
        let cases: Vec<Case> = merged.into_values().flatten().collect();
        let mut spoken: BTreeSet<usize> = cases.iter().map(|case| case.line).collect();
        spoken.extend(self.skipped.iter().map(|(line, _)| *line));
        for (index, input) in self.source.inputs.iter().enumerate() {
            if !self.vop3p.contains(&index) && !(!input.is_bytes && is_vop3p_text(&input.text)) {
                reading.other += 1;
            } else if !spoken.contains(&input.line) {
                self.skipped.insert((input.line, "no run says what becomes of the instruction".to_owned()));
            }
        }
        reading.cases.extend(cases);
        for (line, reason) in self.skipped {
            reading.skip(self.file, line, reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, WhyNot, read_text};
    use super::*;

    /// A case as one line: `LINE TARGET what`.
    fn shown(case: &Case) -> String {
        let target = match &case.target {
            Ok(target) => target.to_string(),
            Err(why) => format!("{}({why:?})", case.cpu),
        };
        let or = |bytes: &Option<Encoding>| bytes.as_ref().map_or("?".to_owned(), |bytes| bytes.to_string());
        let what = match &case.expect {
            Expect::Assembles { text, bytes, printed } => {
                format!("{text} -> {} ({})", or(bytes), printed.as_deref().unwrap_or("?"))
            }
            Expect::Refuses { text, message } => format!("{text} refused ({})", message.as_deref().unwrap_or("?")),
            Expect::Prints { bytes, text, again } => format!("{bytes} = {text} ({})", or(again)),
            Expect::Rejects { bytes } => format!("{bytes} rejected"),
        };
        format!("{} {target} {what}", case.line)
    }

    fn cases(text: &str) -> (Vec<String>, Vec<String>, usize) {
        let reading = read_text("t.s", text);
        let skipped = reading.skipped.iter().map(|skipped| format!("{} {}", skipped.line, skipped.reason)).collect();
        (reading.cases.iter().map(shown).collect(), skipped, reading.other)
    }

    #[test]
    fn one_instruction_on_several_processors() {
        let (cases, skipped, other) = cases(
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1010 -show-encoding %s | FileCheck --check-prefix=GFX10 %s\r\n\
             // RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 -show-encoding %s | FileCheck --check-prefix=GFX9 %s\r\n\
             // RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s 2>&1 | FileCheck -check-prefix=ERR --implicit-check-not=error: %s\n\
             // RUN: not llvm-mc -triple=amdgcn -mcpu=tonga %s 2>&1 | FileCheck -check-prefix=VI %s\n\
             \n\
             v_pk_add_u16 v0, v1, 0x1234\n\
             // GFX10: v_pk_add_u16 v0, v1, 0x1234   ; encoding: [0x00,0x40,0x0a,0xcc,0x01,0xff,0x01,0x18,0x34,0x12,0x00,0x00]\n\
             // ERR: :[[@LINE-2]]:22: error: literal operands are not supported\n\
             // VI: :[[@LINE-3]]:{{[0-9]+}}: error: instruction not supported on this GPU\n\
             \n\
             v_pk_add_u16 v0, v1, 0.0\n\
             // GFX10: v_pk_add_u16 v0, v1, 0 ; encoding: [0x00,0x40,0x0a,0xcc,0x01,0x01,0x01,0x18]\n\
             // GFX9: v_pk_add_u16 v0, v1, 0 ; encoding: [0x00,0x40,0x8a,0xd3,0x01,0x01,0x01,0x18]\n\
             \n\
             v_add_u32 v0, v1, v2\n\
             // GFX9: v_add_u32_e32 v0, v1, v2\n",
        );
        assert_eq!(
            cases,
            [
                "6 gfx1010 v_pk_add_u16 v0, v1, 0x1234 -> cc0a4000 1801ff01 00001234 (v_pk_add_u16 v0, v1, 0x1234)",
                "6 gfx900 v_pk_add_u16 v0, v1, 0x1234 refused (literal operands are not supported)",
                "6 tonga(NoVop3p) v_pk_add_u16 v0, v1, 0x1234 refused (instruction not supported on this GPU)",
                "11 gfx1010 v_pk_add_u16 v0, v1, 0.0 -> cc0a4000 18010101 (v_pk_add_u16 v0, v1, 0)",
                "11 gfx900 v_pk_add_u16 v0, v1, 0.0 -> d38a4000 18010101 (v_pk_add_u16 v0, v1, 0)",
            ]
        );
        assert_eq!((skipped, other), (vec![], 1));
    }

    #[test]
    fn an_error_is_found_by_its_line_or_by_what_is_shown_below_it() {
        let (found, skipped, _) = cases(
            "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx1010 %s 2>&1 | FileCheck %s --implicit-check-not=error:\n\
             // CHECK: :[[@LINE+1]]:1: error: a\n\
             v_pk_add_u16 v1, v2\n\
             v_pk_add_u16 v1, v2, v3\n\
             \n\
             v_pk_sub_u16 v1, v2, v3 op_sel:[0 0]\n\
             \n\
             // CHECK: error: expected a comma\n\
             // CHECK-NEXT:{{^}}v_pk_sub_u16 v1, v2, v3 op_sel:[0 0]\n\
             // CHECK-NEXT:{{^}}                                  ^\n",
        );
        assert_eq!(
            found,
            [
                "3 gfx1010 v_pk_add_u16 v1, v2 refused (a)",
                "4 gfx1010 v_pk_add_u16 v1, v2, v3 -> ? (?)",
                "6 gfx1010 v_pk_sub_u16 v1, v2, v3 op_sel:[0 0] refused (expected a comma)",
            ]
        );
        assert_eq!(skipped, [""; 0]);

        // An error that may be of any line says nothing of the lines without one.
        let (found, skipped, _) = cases(
            "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx1010 %s 2>&1 | FileCheck %s --implicit-check-not=error:\n\
             v_pk_add_u16 v1, v2\n\
             v_pk_sub_u16 v1, v2\n\
             \n\
             // CHECK: error: a\n",
        );
        assert_eq!(found, [""; 0]);
        assert_eq!(
            skipped,
            ["2 no run says what becomes of the instruction", "3 no run says what becomes of the instruction"]
        );
    }

    #[test]
    fn bytes_are_printed_or_rejected() {
        let (found, skipped, other) = cases(
            "# RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -disassemble -show-encoding < %s 2>&1 | FileCheck -check-prefixes=A,W32 %s\n\
             # RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64 -disassemble -show-encoding %s 2>&1 | FileCheck --check-prefixes=A,W64 %s\n\
             \n\
             # W32: v_pk_add_u16 v0, v1, v2 ; encoding: [0x00,0x40,0x0a,0xcc,0x01,0x05,0x02,0x18]\n\
             # W64: :[[@LINE+1]]:1: warning: invalid instruction encoding\n\
             0x00,0x00,0x0a,0xcc,0x01,0x05,0x02,0x18  # op_sel_hi\n\
             \n\
             [0x00,0x40,0x0a,0xcc,0x01,0x05,0x02,0x18]\n\
             # A: v_pk_add_u16\n\
             \n\
             0x00,0x40,0x0a,0xcc,0x01\n\
             # A: v_pk_add_u16\n\
             \n\
             0x00,0x00,0x81,0xbf\n\
             # A: s_endpgm\n",
        );
        assert_eq!(
            found,
            [
                "6 gfx1100 cc0a0000 18020501 = v_pk_add_u16 v0, v1, v2 (cc0a4000 18020501)",
                "6 gfx1100:w64 cc0a0000 18020501 rejected",
            ]
        );
        assert_eq!(
            skipped,
            ["8 the check may be only a part of the line", "11 the bytes are not 4, 8, 12 or 16 bytes"]
        );
        assert_eq!(other, 1);
    }

    #[test]
    fn what_cannot_be_read_for_sure_is_skipped_with_a_reason() {
        let run = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 -show-encoding %s | FileCheck %s\n";
        let skipped = |text: &str| cases(&format!("{run}{text}")).1;
        assert_eq!(
            skipped("v_pk_add_u16 v0, v1, v2\n// CHECK: v_pk_add_u16 v0\nv_pk_add_u16 v0, v1, v3\n"),
            ["3 which instruction the check speaks of cannot be told"]
        );
        assert_eq!(
            skipped("v_pk_add_u16 v0, v1, v2\n// CHECK: v_pk_add_u16 v0\n// CHECK: v_pk_add_u16 v1\n"),
            ["2 several lines are printed for the instruction"]
        );
        assert_eq!(
            skipped(".if 1\nv_pk_add_u16 v0, v1, v2\n.endif\n"),
            ["3 the instruction stands in a macro or a condition"]
        );
        assert_eq!(
            skipped("v_pk_add_u16 v0, v1, v2\n// CHECK-DAG: v_pk_add_u16 v0\n"),
            ["3 the check is of a kind that is not read"]
        );
        assert_eq!(skipped("v_pk_add_u16 v0, v1, v2\n// CHECK: error: a\n"), ["2 an error in a run that must succeed"]);
        assert_eq!(skipped("v_pk_add_u16 v0, /* v1 */ v1, v2\n"), [""; 0]);
        assert_eq!(skipped("v_pk_add_u16 v0, v1, v2 /*\n"), ["2 a comment in the instruction is not closed"]);
        assert_eq!(cases("v_pk_add_u16 v0, v1, v2\n").1, ["1 the file has no RUN line"]);
        assert_eq!(skipped("// XFAIL: *\n"), ["2 the test is expected to fail"]);
        let contradiction = "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s 2>&1 | FileCheck --check-prefix=E %s\n\
                             v_pk_add_u16 v0, v1\n// E: [[@LINE-1]]:1: error: a\n";
        assert_eq!(skipped(contradiction), ["3 two runs of the test contradict each other"]);
        let unread =
            "// RUN: sed s/a/b/ %s | llvm-mc -triple=amdgcn -mcpu=gfx900 | FileCheck %s\nv_pk_add_u16 v0, v1, v2\n";
        assert_eq!(
            cases(unread).1,
            ["1 the run begins with `sed`, not with llvm-mc", "2 no run says what becomes of the instruction"]
        );
    }

    #[test]
    fn a_processor_that_we_do_not_know_is_no_target() {
        let reading = read_text(
            "t.s",
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx9999 %s\nv_pk_add_u16 v0, v1, v2\nv_dot2c_f32_f16 v0, v1, v2\n",
        );
        assert_eq!((reading.cases[0].target.clone(), reading.other), (Err(WhyNot::Unknown), 1));
    }
}
