//! `llvm-objdump -d`: the object it is given and the listing it prints.
//!
//! The windows lie back to back in one section. A symbol at each makes the tool start decoding there whatever went
//! before, so that no window is swallowed by the garbage of the one before it; a second symbol, of type *object*,
//! behind its first dword says that the rest is data. The tool still reads an instruction past that symbol, but of
//! what it cannot decode it never tries the second dword as code: that would be slower, and may kill it. A window
//! cut short has a section of its own, so that it ends where it ends.

use super::block::Block;
use super::child::{self, Run};
use super::elf::{self, Kind, Object};
use super::language::{Reading, Tempo};
use super::{Answer, Cpu, LlvmError, Tool, Version};

/// How `llvm-objdump` is talked to about one processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objdump {
    machine: u32,
}

impl Objdump {
    /// Which tool this is.
    pub const TOOL: Tool = Tool::Objdump;

    pub fn new(cpu: Cpu<'_>, version: Version) -> Result<Self, LlvmError> {
        let unknown = || LlvmError::UnknownCpu { cpu: cpu.name.into(), version };
        Ok(Self { machine: elf::machine(cpu.name).ok_or_else(unknown)? })
    }

    /// The processor is in the object; `-z` keeps runs of zeros from becoming `...`.
    pub fn args(cpu: Cpu<'_>) -> Vec<String> {
        let mut args = vec!["-d".into(), "-z".into()];
        args.extend(cpu.mattr().map(|mattr| format!("--mattr={mattr}")));
        args.push("-".into());
        args
    }

    /// The object for these blocks. At [`Tempo::Fast`] a window that is probably valid goes without the data symbol.
    pub fn write(self, blocks: &[Block], tempo: Tempo, out: &mut Vec<u8>) {
        let mut object = Object::default();
        for (block, address) in blocks.iter().zip(addresses(blocks)) {
            if block.is_cut_short() {
                object.apart(address, block.dwords().first().copied().unwrap_or(0));
                continue;
            }
            object.symbol(address, Kind::Code);
            if tempo == Tempo::Careful || !block.probably_valid {
                object.symbol(address + 4, Kind::Data);
            }
            object.code(block.dwords());
        }
        object.write(self.machine, out);
    }

    /// Reads a listing: pushes the answers of the leading blocks that have a complete line at their address.
    pub fn read(self, blocks: &[Block], run: &Run, answers: &mut Vec<Answer>) -> Reading {
        let before = answers.len();
        let mut expected = blocks.iter().zip(addresses(blocks));
        let mut next = expected.next();
        for line in child::lines(&run.stdout).filter(|line| line.starts_with(b"\t")) {
            let Some((block, address)) = next else { break };
            // Not for us: padding, what follows an undefined first dword, a remark that goes on for another line.
            let Some(line) = Line::parse(line).filter(|line| line.address >= address) else { continue };
            if line.address > address || Some(&line.first_dword) != block.dwords().first() {
                break;
            }
            let Some(answer) = line.answer() else { break };
            answers.push(answer);
            next = expected.next();
        }
        let certain = answers.len() - before;
        // The tool flushes after each instruction: where its listing stops, there it died.
        Reading { complete: certain == blocks.len(), survived: certain, exact: true }
    }
}

/// Each block's address: those cut short lie behind the code of the others, 16 bytes apart.
fn addresses(blocks: &[Block]) -> impl Iterator<Item = u64> {
    let code: usize = blocks.iter().filter(|block| !block.is_cut_short()).map(Block::byte_len).sum();
    let mut in_code = 0;
    let mut apart = code.next_multiple_of(16) as u64;
    blocks.iter().map(move |block| {
        let (address, step) =
            if block.is_cut_short() { (&mut apart, 16) } else { (&mut in_code, block.byte_len() as u64) };
        let at = *address;
        *address += step;
        at
    })
}

/// `\tv_pk_add_f16 v0, v1, v2   // 000000000018: CC0F4000 18020501`, maybe with ` <.text+0x40>` behind, or with a
/// remark that `llvm-mc` does not print: ` ; Error: unknown operand encoding 234`.
struct Line<'a> {
    text: &'a [u8],
    address: u64,
    first_dword: u32,
    bytes: u8,
}

impl<'a> Line<'a> {
    fn parse(line: &'a [u8]) -> Option<Self> {
        // The last one: an operand's comment may end right before it, `*/// 000000000018:`.
        let comment = line.windows(3).rposition(|three| three == b"// ")?;
        let (text, comment) = (&line[..comment], &line[comment + 3..]);
        let colon = comment.iter().position(|byte| *byte == b':')?;
        let address = hex(&comment[..colon])?;
        let dwords = comment[colon + 1..].split(|byte| b"<;".contains(byte)).next()?;
        let mut dwords = dwords.split(|byte| *byte == b' ').filter(|dword| !dword.is_empty());
        let first = dwords.next().filter(|dword| dword.len() == 8)?;
        let mut bytes = 4;
        for dword in dwords {
            hex(dword).filter(|_| dword.len() == 8 && bytes < 32)?;
            bytes += 4;
        }
        Some(Self { text, address, first_dword: hex(first)? as u32, bytes })
    }

    fn answer(&self) -> Option<Answer> {
        if self.text.starts_with(b"\t.long ") {
            return Some(Answer::Invalid);
        }
        Answer::from_line(self.text, Some(self.bytes), false)
    }
}

fn hex(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits.iter().try_fold(0, |value, &digit| Some(value << 4 | u64::from(char::from(digit).to_digit(16)?)))
}

#[cfg(test)]
mod tests {
    use super::super::child::End;
    use super::*;
    use crate::codec::Window;

    fn blocks(windows: &[&[u32]]) -> Vec<Block> {
        windows.iter().map(|dwords| Block::new(&Window::from_dwords(dwords).unwrap(), false, true)).collect()
    }

    fn read(blocks: &[Block], listing: &str) -> (Vec<Answer>, Reading) {
        let run = Run { end: End::Code(0), stdout: listing.into(), stderr: Vec::new() };
        let mut answers = Vec::new();
        let reading = Objdump { machine: 0x41 }.read(blocks, &run, &mut answers);
        (answers, reading)
    }

    fn text(text: &str, bytes: u8) -> Answer {
        Answer::Text { text: text.into(), bytes: Some(bytes) }
    }

    const HEADER: &str =
        "\n<stdin>:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n0000000000000000 <w>:\n";
    const FIRST: &str = "\tv_a v0, v1                  // 000000000000: CC0E4000 1C0E0501\n\n0000000000000004 <w>:\n       4: 01 05 0e 1c                     ....\n";
    const SECOND: &str = "\tv_b v1, s84/*Invalid register*/// 000000000008: CC0E4001 1C0E0501\n";

    #[test]
    fn a_line_belongs_to_the_window_at_its_address() {
        let windows = blocks(&[
            &[0xcc0e_4000, 0x1c0e_0501],
            &[0xcc0e_4001, 0x1c0e_0501],
            &[0xccff_4000, 0xbf82_0005],
            &[0xcc0e_4002, 0x1c0e_04ff],
            &[0xcc0e_4003],
        ]);
        let rest = "\t.long 0xccff4000      // 000000000010: CCFF4000\n\
                    \ts_branch 5            // 000000000014: BF820005 <.text+0x2c>\n\
                    \tv_c v2, 0xbf807777    // 000000000018: CC0E4002 1C0E04FF BF807777 ; Warning: x\n\t; more\n\
                    \ts_nop 0x7777          // 000000000024: BF807777\n\
                    \t.long 0xcc0e4003      // 000000000030: CC0E4003\n";
        let (answers, reading) = read(&windows, &format!("{HEADER}{FIRST}{SECOND}{rest}"));
        assert_eq!(
            answers,
            [
                text("v_a v0, v1", 8),
                Answer::Annotated { text: "v_b v1, s84/*Invalid register*/".into(), bytes: Some(8) },
                Answer::Invalid,
                text("v_c v2, 0xbf807777", 12),
                Answer::Invalid,
            ]
        );
        assert!(reading.complete);
    }

    #[test]
    fn what_is_cut_off_or_does_not_fit_is_no_answer() {
        let windows = blocks(&[&[0xcc0e_4000, 0x1c0e_0501], &[0xcc0e_4001, 0x1c0e_0501]]);
        let certain = |second: &str| {
            let (answers, reading) = read(&windows, &format!("{HEADER}{FIRST}{second}"));
            assert_eq!(reading.complete, answers.len() == 2);
            assert_eq!(reading.survived, answers.len());
            answers.len()
        };
        assert_eq!(certain(SECOND), 2);
        assert_eq!(certain(SECOND.trim_end()), 1, "no newline");
        assert_eq!(certain(""), 1);
        assert_eq!(certain(&SECOND.replace("0008:", "000C:")), 1, "another address");
        assert_eq!(certain(&SECOND.replace("CC0E4001", "CC0E4000")), 1, "other bytes");
        assert_eq!(certain(&SECOND.replace("1C0E0501", "1C0E05")), 1, "half a dword");
        assert_eq!(certain("\t...\n"), 1);
    }

    #[test]
    fn a_window_cut_short_lies_apart_and_the_others_back_to_back() {
        let windows = blocks(&[&[1, 2], &[0xcc0e_4000, 0xff], &[3], &[4, 5], &[6]]);
        assert_eq!(addresses(&windows).collect::<Vec<_>>(), [0, 8, 48, 28, 64]);
    }
}
