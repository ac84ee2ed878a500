//! `llvm-mc -disassemble`: its input and its output.
//!
//! Input is one `[..]` block a line. The tool decodes a block from its start, prints one line an instruction on
//! stdout, and on the first bytes that are none writes `<stdin>:LINE:COLUMN: warning:` to stderr, skips the rest of
//! the block and goes on with the next. stdout does not say which block a line belongs to. So blocks are put in
//! groups, and behind each stands a marker, an `s_nop` that counts the groups: an 8-byte VOP3P word prints one line
//! (and its padding's), or it is in the warnings; any other window has a group of its own. If a group's lines do not
//! come out even, what was printed is no answer.

use super::block::{Block, PAD};
use super::child::{self, Run};
use super::diagnostic::{Diagnostic, Severity};
use super::language::{Reading, Tempo};
use super::{Answer, Cpu, Tool, Version};

/// Windows between two markers. A marker costs the tool as much as a window.
const GROUP: usize = 32;

/// The padding as the tool prints it.
const PAD_LINE: &[u8] = b"\ts_nop 0x7777";

/// `-hex` (bytes without 0x and comma) is read 10 % faster. 19 does not have it, 22 does.
const FIRST_VERSION_WITH_HEX: u32 = 22;

/// How this `llvm-mc` is talked to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mc {
    hex: bool,
}

impl Mc {
    /// Which tool this is.
    pub const TOOL: Tool = Tool::Mc;

    pub fn new(version: Version) -> Self {
        Self { hex: version.major >= FIRST_VERSION_WITH_HEX }
    }

    pub fn args(self, cpu: Cpu<'_>) -> Vec<String> {
        let mut args = vec!["-disassemble".into(), "-triple=amdgcn".into(), format!("-mcpu={}", cpu.name)];
        args.extend(cpu.mattr().map(|mattr| format!("-mattr={mattr}")));
        args.extend(self.hex.then(|| "-hex".into()));
        args
    }

    /// The input for these blocks. At [`Tempo::Careful`] every block has a marker, and behind it a line that is
    /// never an instruction: its warning, unbuffered, shows how far a run had got when it died.
    pub fn write(self, blocks: &[Block], tempo: Tempo, out: &mut Vec<u8>) {
        out.reserve(blocks.len() * 24);
        for (index, group) in groups(blocks, tempo).enumerate() {
            for block in group {
                self.line(block.dwords(), out);
            }
            self.line(&[marker(index)], out);
            if tempo == Tempo::Careful {
                self.line(&[u32::MAX], out);
            }
        }
    }

    fn line(self, dwords: &[u32], out: &mut Vec<u8>) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        out.push(b'[');
        for byte in dwords.iter().flat_map(|dword| dword.to_le_bytes()) {
            let digits = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
            if self.hex {
                out.extend_from_slice(&digits);
            } else {
                out.extend_from_slice(&[b'0', b'x', digits[0], digits[1], b',']);
            }
        }
        if !self.hex {
            out.pop();
        }
        out.extend_from_slice(b"]\n");
    }

    /// The byte of its block that a column of a line points at.
    fn byte_at(self, column: usize) -> usize {
        column.saturating_sub(2) / if self.hex { 2 } else { 5 }
    }

    /// Reads a run's output: pushes the answers of the leading blocks that are certain.
    pub fn read(self, blocks: &[Block], tempo: Tempo, run: &Run, answers: &mut Vec<Answer>) -> Reading {
        let warnings = warnings(&run.stderr);
        let mut reader = Reader { protocol: self, stdout: &run.stdout, warnings: &warnings, line: 1 };
        reader.skip_directive();
        let before = answers.len();
        let mut complete = true;
        for (index, group) in groups(blocks, tempo).enumerate() {
            let certain = answers.len();
            let last = certain - before + group.len() == blocks.len();
            if !reader.group(group, index, last, answers) {
                answers.truncate(certain);
                complete = false;
                break;
            }
            reader.line += usize::from(tempo == Tempo::Careful);
        }
        let survived = match tempo {
            // Each block has three lines, and the third one's warning says that the block is behind us.
            Tempo::Careful => warnings.last().map_or(0, |warning| warning.line / 3),
            Tempo::Fast => 0,
        };
        Reading { complete, survived: survived.max(answers.len() - before), exact: tempo == Tempo::Careful }
    }
}

/// The blocks between two markers, in order.
fn groups(blocks: &[Block], tempo: Tempo) -> impl Iterator<Item = &[Block]> {
    let most = if tempo == Tempo::Fast { GROUP } else { 1 };
    let mut rest = blocks;
    core::iter::from_fn(move || {
        let countable = rest.iter().take(most).take_while(|block| is_countable(block)).count();
        let (group, behind) = rest.split_at_checked(countable.max(1))?;
        rest = behind;
        Some(group)
    })
}

/// Whether the lines the block prints can be told from the next block's: its own one, then padding.
fn is_countable(block: &Block) -> bool {
    block.has_vop3p_prefix() && block.dwords().len() - block.pads() == 2
}

/// `s_nop index`.
fn marker(index: usize) -> u32 {
    0xbf80_0000 | (index as u32 & 0x3fff)
}

/// A marker as the tool prints it.
fn is_marker(line: &[u8], index: usize) -> bool {
    let Some(number) = line.strip_prefix(b"\ts_nop ") else { return false };
    let number = str::from_utf8(number).unwrap_or_default();
    let value = match number.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    value.is_ok_and(|value| value == marker(index) & 0xffff)
}

/// A warning on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Warning {
    line: usize,
    column: usize,
    /// "invalid instruction encoding"; otherwise "potentially undefined".
    invalid: bool,
}

fn warnings(stderr: &[u8]) -> Vec<Warning> {
    child::lines(stderr).filter_map(warning).collect()
}

fn warning(line: &[u8]) -> Option<Warning> {
    let Diagnostic { line, column, severity, message } = Diagnostic::parse(line)?;
    (severity == Severity::Warning).then_some(Warning { line, column, invalid: message.starts_with(b"invalid") })
}

struct Reader<'a> {
    protocol: Mc,
    /// What is left of it, from the start of a line.
    stdout: &'a [u8],
    warnings: &'a [Warning],
    /// The input line being looked at.
    line: usize,
}

impl<'a> Reader<'a> {
    /// 14 to 19 begin with `.text`.
    fn skip_directive(&mut self) {
        if let Some(rest) = self.stdout.strip_prefix(b"\t.text\n") {
            self.stdout = rest;
        }
    }

    /// The next complete line; it stays the next one.
    fn peek(&self) -> Option<&'a [u8]> {
        let end = self.stdout.iter().position(|byte| *byte == b'\n')?;
        Some(&self.stdout[..end])
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.stdout = &self.stdout[line.len() + 1..];
        Some(line)
    }

    /// The first byte the tool could not decode in the current line, and whether it had doubts about another.
    fn take_warnings(&mut self) -> (Option<usize>, bool) {
        let mut invalid_at = None;
        let mut doubtful = false;
        while let Some((warning, rest)) = self.warnings.split_first()
            && warning.line <= self.line
        {
            self.warnings = rest;
            if warning.line == self.line && warning.invalid {
                invalid_at = Some(self.protocol.byte_at(warning.column));
            } else if warning.line == self.line {
                doubtful |= warning.column == 2;
            }
        }
        (invalid_at, doubtful)
    }

    /// Reads a group and its marker; false if what is there does not fit.
    fn group(&mut self, group: &[Block], index: usize, last: bool, answers: &mut Vec<Answer>) -> bool {
        for block in group {
            let alone = group.len() == 1;
            let Some(answer) = self.block(block, alone, index, last) else { return false };
            answers.push(answer);
            self.line += 1;
        }
        self.line += 1;
        self.next().is_some_and(|line| is_marker(line, index))
    }

    fn block(&mut self, block: &Block, alone: bool, index: usize, last: bool) -> Option<Answer> {
        let (invalid_at, doubtful) = self.take_warnings();
        if invalid_at == Some(0) {
            return Some(Answer::Invalid);
        }
        let first = self.next()?;
        if !first.starts_with(b"\t") || (block.has_vop3p_prefix() && first.starts_with(b"\ts_nop ")) {
            return None;
        }
        let decoded = invalid_at.unwrap_or(block.byte_len());
        let (others, pads) =
            if alone { self.tail_before_marker(index, last)? } else { (0, self.padding(block.pads())) };
        Answer::from_line(first, first_instruction(block, decoded, others, pads), doubtful)
    }

    /// Skips up to `most` lines of padding; how many there were.
    fn padding(&mut self, most: usize) -> usize {
        let mut pads = 0;
        while pads < most && self.peek() == Some(PAD_LINE) {
            let _ = self.next();
            pads += 1;
        }
        pads
    }

    /// Skips the lines of a block behind its first, up to the marker: how many instructions, and how many of
    /// padding behind those.
    fn tail_before_marker(&mut self, index: usize, last: bool) -> Option<(usize, usize)> {
        let (mut others, mut pads) = (0, 0);
        loop {
            let line = self.peek()?;
            // In the last group only the very last line is the marker: the window itself may print a like one.
            if is_marker(line, index) && (!last || self.stdout.len() == line.len() + 1) {
                return Some((others, pads));
            }
            let _ = self.next();
            if line == PAD_LINE {
                pads += 1;
            } else {
                others += 1 + pads;
                pads = 0;
            }
        }
    }
}

/// Bytes of a block's first instruction, if they can be told: of the `decoded` bytes, `others` instructions and
/// `pads` dwords of padding are behind it.
fn first_instruction(block: &Block, decoded: usize, others: usize, pads: usize) -> Option<u8> {
    let before_padding = decoded.checked_sub(4 * pads)?;
    if others == 0 {
        return u8::try_from(before_padding).ok();
    }
    let at_most = before_padding.checked_sub(4 * others)?;
    (block.has_vop3p_prefix() && (at_most == 8 || block.is_word_only())).then_some(8)
}

const _: () = assert!(PAD == 0xbf80_7777 && PAD & 0xffff > 0x3fff, "markers and padding print differently");

#[cfg(test)]
mod tests {
    use super::super::child::End;
    use super::super::{Cpu, Death};
    use super::*;
    use crate::codec::Window;

    const HEX: Mc = Mc { hex: true };
    const LIST: Mc = Mc { hex: false };
    const FMA: [u32; 2] = [0xcc0e_4000, 0x1c0e_0501];
    const LITERAL: [u32; 2] = [0xcc0e_4000, 0x1c0e_04ff];

    fn blocks(windows: &[&[u32]]) -> Vec<Block> {
        windows.iter().map(|dwords| Block::new(&Window::from_dwords(dwords).unwrap(), false, true)).collect()
    }

    fn written(mc: Mc, blocks: &[Block], tempo: Tempo) -> String {
        let mut out = Vec::new();
        mc.write(blocks, tempo, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn read(blocks: &[Block], tempo: Tempo, stdout: &str, stderr: &str) -> (Vec<Answer>, Reading) {
        let run = Run { end: End::Died(Death::Signal(11)), stdout: stdout.into(), stderr: stderr.into() };
        let mut answers = Vec::new();
        let reading = HEX.read(blocks, tempo, &run, &mut answers);
        (answers, reading)
    }

    fn text(text: &str, bytes: u8) -> Answer {
        Answer::Text { text: text.into(), bytes: Some(bytes) }
    }

    #[test]
    fn hex_is_used_from_22_on_and_wave64_is_an_attribute() {
        let args = |major, wave64| {
            Mc::new(Version { major, minor: 0, patch: 0 }).args(Cpu { name: "gfx1100", wave64 }).join(" ")
        };
        assert_eq!(args(22, false), "-disassemble -triple=amdgcn -mcpu=gfx1100 -hex");
        assert_eq!(args(19, true), "-disassemble -triple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64");
    }

    #[test]
    fn a_block_is_a_line_and_a_group_ends_with_a_marker() {
        let windows = blocks(&[&FMA, &LITERAL, &[FMA[0], FMA[1], 9], &FMA]);
        assert_eq!(
            written(HEX, &windows, Tempo::Fast),
            "[00400ecc01050e1c]\n[00400eccff040e1c777780bf777780bf777780bf]\n[000080bf]\n\
             [00400ecc01050e1c09000000777780bf777780bf]\n[010080bf]\n[00400ecc01050e1c]\n[020080bf]\n"
        );
        assert_eq!(
            written(LIST, &windows[..1], Tempo::Careful),
            "[0x00,0x40,0x0e,0xcc,0x01,0x05,0x0e,0x1c]\n[0x00,0x00,0x80,0xbf]\n[0xff,0xff,0xff,0xff]\n"
        );
        let many = vec![windows[0]; 65];
        assert_eq!(written(HEX, &many, Tempo::Fast).lines().count(), 65 + 3);
    }

    #[test]
    fn lines_and_warnings_are_given_to_their_windows() {
        let windows = blocks(&[&FMA, &[0xccff_4000, 0], &LITERAL, &FMA]);
        let (answers, reading) = read(
            &windows,
            Tempo::Fast,
            "\t.text\n\tv_a v0, v1\n\tv_b v0, 0xbf807777\n\ts_nop 0x7777\n\ts_nop 0x7777\n\tv_c v0, s84/*Invalid register*/\n\ts_nop 0\n",
            "<stdin>:2:2: warning: invalid instruction encoding\n[0040ffcc00000000]\n ^\n\
             <stdin>:4:2: warning: potentially undefined instruction encoding\n",
        );
        assert_eq!(
            answers,
            [
                text("v_a v0, v1", 8),
                Answer::Invalid,
                text("v_b v0, 0xbf807777", 12),
                Answer::Annotated { text: "v_c v0, s84/*Invalid register*/".into(), bytes: Some(8) },
            ]
        );
        assert!(reading.complete);
    }

    #[test]
    fn a_doubt_about_the_first_instruction_is_a_remark() {
        let (answers, _) = read(
            &blocks(&[&FMA]),
            Tempo::Fast,
            "\tv_a v0\n\ts_nop 0\n",
            "<stdin>:1:2: warning: potentially undefined instruction encoding\n",
        );
        assert_eq!(answers, [Answer::Annotated { text: "v_a v0".into(), bytes: Some(8) }]);
    }

    #[test]
    fn only_windows_with_a_marker_behind_them_are_certain() {
        let windows = vec![blocks(&[&FMA])[0]; 64];
        let full: String = (0..32).map(|i| format!("\tv_a v{i}\n")).collect();
        for (tail, certain) in [
            ("\ts_nop 0\n\tv_b v0\n", 32),
            ("\ts_nop 0\n", 32),
            ("\ts_nop 0", 0),
            ("\ts_nop 1\n", 0),
            ("\tv_a v1\n\ts_nop 0\n", 0),
            ("", 0),
        ] {
            let (answers, reading) = read(&windows, Tempo::Fast, &format!("{full}{tail}"), "");
            assert_eq!((answers.len(), reading.complete), (certain, false), "{tail:?}");
        }
        let (answers, _) = read(&windows, Tempo::Fast, &full.replace("v_a v7", "\u{1b}[31m"), "");
        assert_eq!(answers, []);
    }

    #[test]
    fn the_warnings_of_a_careful_run_say_how_far_it_got() {
        let windows = vec![blocks(&[&FMA])[0]; 5];
        let probes: String = (1..4).map(|i| format!("<stdin>:{}:2: warning: invalid\n", 3 * i)).collect();
        let (answers, reading) = read(&windows, Tempo::Careful, "\tv_a v0\n\ts_nop 0\n\tv_a v1\n", &probes);
        assert_eq!(answers, [text("v_a v0", 8)]);
        assert_eq!((reading.survived, reading.exact), (3, true));
    }

    #[test]
    fn the_size_of_a_longer_window_is_told_by_what_is_left() {
        let twelve = [LITERAL[0], LITERAL[1], 9];
        let sixteen = [LITERAL[0], LITERAL[1], 9, 9];
        let plain = [FMA[0], FMA[1], FMA[0], FMA[1]];
        let size = |window: &[u32], stdout: &str, stderr: &str| {
            let (answers, reading) = read(&blocks(&[window]), Tempo::Fast, stdout, stderr);
            assert!(reading.complete);
            answers[0].bytes()
        };
        let pad = "\ts_nop 0x7777\n";
        assert_eq!(size(&twelve, &format!("\tv_a\n{pad}{pad}\ts_nop 0\n"), ""), Some(12));
        assert_eq!(size(&twelve, &format!("\tv_a\n\tv_b\n{pad}{pad}\ts_nop 0\n"), ""), Some(8));
        assert_eq!(size(&twelve, &format!("\tv_a\n\tv_b\n{pad}\ts_nop 0\n"), ""), None);
        assert_eq!(size(&twelve, "\tv_a\n\ts_nop 0\n", "<stdin>:1:26: warning: invalid\n"), Some(12));
        assert_eq!(size(&twelve, "\tv_a\n\ts_nop 0\n", "<stdin>:1:18: warning: invalid\n"), Some(8));
        assert_eq!(size(&sixteen, &format!("\tv_a\n{pad}\ts_nop 0\n"), ""), Some(16));
        assert_eq!(size(&sixteen, &format!("\tv_a\n\tv_b\n{pad}\ts_nop 0\n"), ""), None, "8 + 8 or 12 + 4");
        assert_eq!(size(&plain, &format!("\tv_a\n\tv_a\n{pad}\ts_nop 0\n"), ""), Some(8));
        assert_eq!(size(&[0xbf80_0000], "\ts_nop 0\n\ts_nop 0\n", ""), Some(4), "the last line is the marker");
    }
}
