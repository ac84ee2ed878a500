//! `llvm-mc -show-encoding`: its input and its output.
//!
//! (An object would be cheaper to write, but there is none if one line of all is wrong.) Each line has a label before it
//! and the tool echoes the labels, so that what stands between two of them on stdout is the line's own; stderr names the
//! line by number. A line has either one instruction on stdout or an error on stderr, and anything else is no answer.
//! Behind each line is an empty one: of a line that is wrong twice, the second time in its last number (`0x 0x`), every
//! version skips the end, too, and takes the next line for part of the mistake. The label costs 5 % of a good line and
//! less of a wrong one, and a wrong mapping is seen.

use std::collections::BTreeSet;
use std::io::Write;

use super::assemble::Assembled;
use super::child::{self, Run};
use super::diagnostic::{Diagnostic, Severity};
use super::language::{Language, Reading, Tempo};
use super::{Cpu, Death, Tool, printable};

/// An error on every version, and a cheap one: an unknown mnemonic takes 15 times as long.
const PROBE: &[u8] = b"s_nop\n";

/// The assembler's language. A question is one line of text that [`check`](super::askable::check) let through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assembler<'a>(core::marker::PhantomData<&'a str>);

impl Assembler<'_> {
    /// Which tool this is.
    pub const TOOL: Tool = Tool::Mc;

    pub const fn new() -> Self {
        Self(core::marker::PhantomData)
    }

    pub fn args(cpu: Cpu<'_>) -> Vec<String> {
        let mut args = vec!["-triple=amdgcn".into(), format!("-mcpu={}", cpu.name), "-show-encoding".into()];
        args.extend(cpu.mattr().map(|mattr| format!("-mattr={mattr}")));
        args
    }
}

/// Lines of the file that a question takes: its label, its text, an empty one, and a probe if careful.
const fn lines_each(tempo: Tempo) -> usize {
    match tempo {
        Tempo::Fast => 3,
        Tempo::Careful => 4,
    }
}

/// Which of them is the text.
const TEXT: usize = 1;
/// Which of them is the probe.
const PROBE_LINE: usize = 3;

/// The label before a line. It begins with `.`, and no text that refers to such a symbol is let through.
fn label(index: usize, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(out, ".L{index}:");
}

impl<'a> Language for Assembler<'a> {
    type Question = &'a str;
    type Answer = Assembled;

    /// At [`Tempo::Careful`] an error follows each line: stderr is not buffered and shows how far a run had got when it
    /// died. A last label says that the last line is done with.
    fn write(&self, texts: &[&'a str], tempo: Tempo, out: &mut Vec<u8>) {
        out.reserve(texts.iter().map(|text| text.len() + 16).sum());
        for (index, text) in texts.iter().enumerate() {
            label(index, out);
            out.push(b'\n');
            out.extend_from_slice(text.as_bytes());
            out.extend_from_slice(b"\n\n");
            if tempo == Tempo::Careful {
                out.extend_from_slice(PROBE);
            }
        }
        label(texts.len(), out);
        out.push(b'\n');
    }

    fn read(&self, texts: &[&'a str], tempo: Tempo, run: &Run, answers: &mut Vec<Assembled>) -> Reading {
        let errors = Errors::read(&run.stderr, texts.len(), tempo);
        let mut stdout = Stdout::new(&run.stdout);
        let before = answers.len();
        let has_begun = stdout.skip_to_first_label(0);
        for index in 0..texts.len() {
            if !has_begun {
                break;
            }
            let answer = match (stdout.instruction(), errors.of_line[index]) {
                (Printed::Nothing, Some(error)) => error.refusal(),
                (Printed::Instruction(text, Some(bytes)), None) => Some(Assembled::Bytes { bytes, text }),
                (Printed::Instruction(text, None), None) => Some(Assembled::Unresolved { text }),
                _ => None,
            };
            let Some(answer) = answer.filter(|_| !errors.is_astray(index) && stdout.skip_to_next_label(index + 1))
            else {
                break;
            };
            answers.push(answer);
        }
        let certain = answers.len() - before;
        let survived = certain.max(errors.probes_passed);
        // Where the output of a run that came to its end stops fitting, there is the line it does not fit.
        let exact = tempo == Tempo::Careful || run.end.is_code();
        Reading { complete: certain == texts.len(), survived, exact }
    }

    /// The code is 1 if a line was wrong.
    fn is_success(&self, code: i32) -> bool {
        code == 0 || code == 1
    }

    fn dead(death: Death) -> Assembled {
        Assembled::Dead(death)
    }

    fn probe() -> [&'a str; 3] {
        ["s_nop 1", "s_nop", "s_nop 2"]
    }

    fn is_right(answers: &[Assembled]) -> bool {
        let nop = |answer: &Assembled, value: u8| matches!(answer, Assembled::Bytes { bytes, .. } if *bytes == [value, 0, 0x80, 0xbf]);
        matches!(answers, [one, Assembled::Refused { column: 1, .. }, two] if nop(one, 1) && nop(two, 2))
    }
}

/// An error, in the text that it is about.
#[derive(Clone, Copy, Debug)]
struct Error<'a> {
    column: u32,
    message: &'a [u8],
}

impl Error<'_> {
    fn refusal(self) -> Option<Assembled> {
        Some(Assembled::Refused { message: printable(self.message)?, column: self.column })
    }
}

/// What stderr says.
#[derive(Debug)]
struct Errors<'a> {
    /// The first error of each text.
    of_line: Vec<Option<Error<'a>>>,
    /// Indices of texts with an error behind them where nothing is wrong: at the empty line, a label, or the end.
    astray: BTreeSet<usize>,
    /// So many probes have been refused, as they should be.
    probes_passed: usize,
}

impl<'a> Errors<'a> {
    fn read(stderr: &'a [u8], count: usize, tempo: Tempo) -> Self {
        let mut errors = Self { of_line: vec![None; count], astray: BTreeSet::new(), probes_passed: 0 };
        for Diagnostic { line, column, severity, message } in child::lines(stderr).filter_map(Diagnostic::parse) {
            if severity == Severity::Warning {
                continue;
            }
            let line = line.saturating_sub(1);
            let (index, part) = (line / lines_each(tempo), line % lines_each(tempo));
            match errors.of_line.get_mut(index) {
                Some(first) if part == TEXT => {
                    let column = u32::try_from(column).unwrap_or(u32::MAX);
                    first.get_or_insert(Error { column, message });
                }
                Some(_) if part == PROBE_LINE => errors.probes_passed = errors.probes_passed.max(index + 1),
                // A label is the text's before it, and the end of the file is the last one's.
                _ => {
                    errors.astray.insert(if part == 0 { index.min(count).saturating_sub(1) } else { index });
                }
            }
        }
        errors
    }

    fn is_astray(&self, index: usize) -> bool {
        self.astray.contains(&index)
    }
}

/// What a text printed.
#[derive(Debug)]
enum Printed {
    Nothing,
    /// The text echoed, and its bytes unless a linker has to complete them.
    Instruction(String, Option<Vec<u8>>),
    /// Something that does not fit.
    Misfit,
}

struct Stdout<'a> {
    /// What is left of it, from the start of a line.
    rest: &'a [u8],
    label: Vec<u8>,
}

impl<'a> Stdout<'a> {
    fn new(stdout: &'a [u8]) -> Self {
        Self { rest: stdout, label: Vec::new() }
    }

    /// The next complete line; it stays the next one.
    fn peek(&self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        Some(&self.rest[..end])
    }

    fn skip(&mut self, line: &[u8]) {
        self.rest = &self.rest[line.len() + 1..];
    }

    /// Skips the label of line `index`; false if that is not what comes next.
    fn skip_label(&mut self, index: usize) -> bool {
        self.label.clear();
        label(index, &mut self.label);
        let Some(line) = self.peek().filter(|line| *line == self.label) else { return false };
        self.skip(line);
        true
    }

    /// The same behind a line, where the empty line is echoed, too, unless it was taken for part of a mistake.
    fn skip_to_next_label(&mut self, index: usize) -> bool {
        if let Some(rest) = self.rest.strip_prefix(b"\n") {
            self.rest = rest;
        }
        self.skip_label(index)
    }

    /// The same at the start of the output, where 14 to 19 print `.text`.
    fn skip_to_first_label(&mut self, index: usize) -> bool {
        if let Some(rest) = self.rest.strip_prefix(b"\t.text\n") {
            self.rest = rest;
        }
        self.skip_label(index)
    }

    /// Reads up to the next label.
    fn instruction(&mut self) -> Printed {
        let Some(line) = self.peek() else { return Printed::Misfit };
        if !line.starts_with(b"\t") {
            // An empty line or a label, or whatever is there in place of one.
            return Printed::Nothing;
        }
        self.skip(line);
        let Some((text, encoding)) = split_at_encoding(line) else { return Printed::Misfit };
        let Some(text) = printable(text) else { return Printed::Misfit };
        let bytes = bytes(encoding);
        let mut fixups = 0;
        while let Some(line) = self.peek().filter(|line| line.trim_ascii_start().starts_with(b";   fixup ")) {
            self.skip(line);
            fixups += 1;
        }
        if bytes.is_some() == (fixups > 0) {
            return Printed::Misfit;
        }
        Printed::Instruction(text, bytes)
    }
}

/// `\tv_a v0, v1   ; encoding: [0x01,0x02]` as its text and what is in the brackets.
fn split_at_encoding(line: &[u8]) -> Option<(&[u8], &[u8])> {
    const BETWEEN: &[u8] = b"; encoding: [";
    // From the end: text is longer than the encoding is.
    let at = line.windows(BETWEEN.len()).rposition(|part| part == BETWEEN)?;
    Some((&line[..at], line[at + BETWEEN.len()..].strip_suffix(b"]")?))
}

/// `0x01,0x02`; `None` if a byte is something else, such as `A` where a linker fills in.
fn bytes(encoding: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    encoding
        .split(|byte| *byte == b',')
        .map(|byte| match byte {
            [b'0', b'x', high, low] => Some((digit(*high)? << 4 | digit(*low)?) as u8),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::child::End;
    use super::*;

    const TEXTS: [&str; 3] = ["v_a v0", "v_b v1", "v_c v2"];
    const A: &str = "\tv_a v0      ; encoding: [0x01,0x40,0x0e,0xcc]\n";
    const B: &str = "\tv_b_e32 v1\t; encoding: [0x02,0x40,0x0e,0xcc,0x00,0x00,0x00,0xff]\n";

    fn written(tempo: Tempo) -> String {
        let mut out = Vec::new();
        Assembler::new().write(&TEXTS[..2], tempo, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn read(tempo: Tempo, end: End, stdout: &str, stderr: &str) -> (Vec<Assembled>, Reading) {
        let run = Run { end, stdout: stdout.into(), stderr: stderr.into() };
        let mut answers = Vec::new();
        let reading = Assembler::new().read(&TEXTS, tempo, &run, &mut answers);
        (answers, reading)
    }

    fn certain(stdout: &str, stderr: &str) -> usize {
        let (answers, reading) = read(Tempo::Fast, End::Code(1), stdout, stderr);
        assert_eq!((reading.complete, reading.survived, reading.exact), (answers.len() == 3, answers.len(), true));
        answers.len()
    }

    #[test]
    fn wave64_is_an_attribute() {
        let args = |wave64| Assembler::args(Cpu { name: "gfx1100", wave64 }).join(" ");
        assert_eq!(args(false), "-triple=amdgcn -mcpu=gfx1100 -show-encoding");
        assert_eq!(args(true), "-triple=amdgcn -mcpu=gfx1100 -show-encoding -mattr=+wavefrontsize64");
    }

    #[test]
    fn a_text_has_a_label_before_it_and_an_empty_line_behind() {
        assert_eq!(written(Tempo::Fast), ".L0:\nv_a v0\n\n.L1:\nv_b v1\n\n.L2:\n");
        assert_eq!(written(Tempo::Careful), ".L0:\nv_a v0\n\ns_nop\n.L1:\nv_b v1\n\ns_nop\n.L2:\n");
        for (tempo, probe) in [(Tempo::Fast, None), (Tempo::Careful, Some("s_nop"))] {
            let written = written(tempo);
            let lines: Vec<&str> = written.lines().collect();
            assert_eq!(lines[lines_each(tempo) + TEXT], "v_b v1");
            assert_eq!(probe, lines.get(PROBE_LINE).copied().filter(|_| tempo == Tempo::Careful));
        }
    }

    #[test]
    fn instructions_and_errors_are_given_to_their_lines() {
        let fixup = "\tv_c x  ; encoding: [0x03,A,A,0xcc]\n       ;   fixup A - offset: 1, value: x, kind: y\n";
        for text in ["", "\t.text\n"] {
            let (answers, reading) = read(
                Tempo::Fast,
                End::Code(1),
                // The second text was wrong to its end and took the empty line with it.
                &format!("{text}.L0:\n{A}\n.L1:\n.L2:\n{fixup}\n.L3:\n"),
                "<stdin>:2:1: warning: odd\nv_a v0\n^\n<stdin>:5:7: error: bad\nv_b v1\n      ^\n<stdin>:5:9: error: worse\n",
            );
            assert_eq!(
                answers,
                [
                    Assembled::Bytes { bytes: vec![1, 0x40, 0x0e, 0xcc], text: "v_a v0".into() },
                    Assembled::Refused { message: "bad".into(), column: 7 },
                    Assembled::Unresolved { text: "v_c x".into() },
                ]
            );
            assert!(reading.complete);
        }
        assert_eq!(
            answers_to(B),
            Some(Assembled::Bytes { bytes: vec![2, 0x40, 0x0e, 0xcc, 0, 0, 0, 0xff], text: "v_b_e32 v1".into() })
        );
    }

    fn answers_to(line: &str) -> Option<Assembled> {
        read(Tempo::Fast, End::Code(0), &format!(".L0:\n{line}\n.L1:\n"), "").0.into_iter().next()
    }

    #[test]
    fn what_does_not_fit_is_no_answer() {
        let tail = ".L3:\n";
        let bad = "<stdin>:8:1: error: bad\n";
        assert_eq!(certain(&format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n\n{tail}"), bad), 3);
        for (stdout, stderr, expected) in [
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n\n{tail}"), "", 2),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n\n.L3:"), bad, 2),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n{A}\n{tail}"), bad, 2),
            (format!(".L0:\n{A}\n.L1:\n{B}{B}\n.L2:\n\n{tail}"), bad, 1),
            (format!(".L0:\n{A}\n.L1:\n{B}\n\n.L2:\n\n{tail}"), bad, 1),
            (format!(".L0:\n{A}\n.L1:\n\n.L2:\n\n{tail}"), bad, 1),
            (format!(".L0:\n{A}\n.L2:\n{B}\n.L2:\n\n{tail}"), bad, 0),
            (format!("{A}\n.L1:\n{B}\n.L2:\n\n{tail}"), bad, 0),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n\n{tail}"), "<stdin>:7:1: error: at a label\n", 1),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n\n{tail}"), "<stdin>:6:1: error: at an empty line\n", 1),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n{A}\n{tail}"), "<stdin>:10:1: error: at the end\n", 2),
            (format!(".L0:\n{A}\n.L1:\n{B}\n.L2:\n{A}\n{tail}"), "<stdin>:1000:1: error: far away\n", 2),
            (String::new(), bad, 0),
        ] {
            assert_eq!(certain(&stdout, stderr), expected, "{stdout}{stderr}");
        }
        for line in [
            "\tv_a v0\n",
            "\tv_a v0 ; encoding: []\n",
            "\tv_a v0 ; encoding: [0x01\n",
            "\tv_a v0 ; encoding: [0x1,0x02]\n",
            "\tv_a v0 ; encoding: [0x01,A]\n",
            "\tv_a v0 ; encoding: [0x01]\n  ;   fixup A - offset: 1\n",
            "\tv_a \u{1} ; encoding: [0x01]\n",
            "\t; encoding: [0x01]\n",
            "v_a v0 ; encoding: [0x01]\n",
        ] {
            assert_eq!(answers_to(line), None, "{line}");
        }
    }

    #[test]
    fn the_probes_of_a_careful_run_say_how_far_it_got() {
        let died = End::Died(Death::Signal(11));
        let probes = "<stdin>:4:1: error: few\n<stdin>:6:1: error: bad\n<stdin>:8:1: error: few\n";
        let (answers, reading) = read(Tempo::Careful, died, &format!(".L0:\n{A}\n.L1:\n"), probes);
        assert_eq!((answers.len(), reading.survived, reading.exact, reading.complete), (1, 2, true, false));
        let (_, reading) = read(Tempo::Fast, died, &format!(".L0:\n{A}\n.L1:\n"), "");
        assert_eq!((reading.survived, reading.exact), (1, false));
    }
}
