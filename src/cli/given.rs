//! What `vop3p eval` is given: an instruction, as text or as a window, and registers.

use vop3p::asm::{self, AssembleError, assemble, place_of};
use vop3p::codec::{Instruction, Style, Undefined, Window, decode, encode_like};
use vop3p::exec::{Register, Registers};
use vop3p::isa::{Notes, Rule, State, Target};

use super::Failure;
use super::common::{parse_window, run_together};

/// An instruction as it was given.
pub enum Code {
    /// LLVM's text.
    Text(String),
    /// Its bits.
    Window(Window),
}

/// What the arguments say.
pub struct Given {
    /// The instruction.
    pub code: Code,
    /// The same as one argument.
    pub written: String,
    /// What registers hold.
    pub registers: Registers,
}

/// An instruction of a target.
pub struct Resolved {
    /// The instruction.
    pub instruction: Instruction,
    /// What is wrong with it although it can be executed.
    pub warnings: Vec<String>,
}

/// Why there is no instruction.
pub struct Refusal {
    /// What is wrong, with the place.
    pub message: String,
    /// How far the text was understood, in characters.
    pub column: usize,
}

impl Given {
    /// Reads the arguments: what has a `=` is a register, what stands before the first of them the instruction.
    pub fn read(args: &[String]) -> Result<Self, Failure> {
        let mut code: Vec<&str> = Vec::new();
        let mut registers = Registers::new();
        for arg in args {
            let mut rest = arg.as_str();
            if !rest.contains('=') && registers.iter().next().is_none() {
                code.push(rest);
                continue;
            }
            if let Some(at) = rest.find('=') {
                let start = rest[..at].rfind(char::is_whitespace).map_or(0, |space| space + 1);
                if !rest[..start].trim().is_empty() {
                    code.push(rest[..start].trim_end());
                }
                rest = &rest[start..];
            }
            for item in rest.split_whitespace() {
                for (register, bits) in assignment(item).map_err(Failure::input)? {
                    if registers.set(register, bits).is_some() {
                        return Err(Failure::input(format!("{register} is given twice")));
                    }
                }
            }
        }
        let written = code.join(" ");
        Ok(Self { code: read_code(&written)?, written, registers })
    }

    /// The instruction on a target.
    pub fn resolve(&self, target: Target) -> Result<Resolved, Refusal> {
        match &self.code {
            Code::Text(text) => from_text(target, text),
            Code::Window(window) => from_window(target, window, &self.written),
        }
    }
}

fn read_code(text: &str) -> Result<Code, Failure> {
    if text.trim().is_empty() {
        return Err(Failure::input("there is no instruction: give its text or its window, `v_pk_add_f16 v0, v1, v2`"));
    }
    // No mnemonic is made of these alone.
    let is_window = text.chars().all(|c| c.is_ascii_hexdigit() || c.is_whitespace() || "[],xX".contains(c));
    if is_window { parse_window(text).map(Code::Window) } else { Ok(Code::Text(text.to_owned())) }
}

fn from_text(target: Target, text: &str) -> Result<Resolved, Refusal> {
    let (instruction, notes) = match assemble(target, text, Style::Llvm) {
        Ok(assembled) => (assembled.instruction, assembled.notes),
        Err(error) => match (&error, asm::parse(target, text)) {
            (AssembleError::Illegal { .. }, Ok(instruction)) => (instruction, notes_of(target, &instruction)),
            _ => {
                let (column, length) = error.columns();
                let message = format!("column {column}: {error}{}", pointed(text, column, length));
                return Err(Refusal { message, column });
            }
        },
    };
    let warning = |rule: Rule| {
        let (column, length) = place_of(target, text, rule);
        format!("{}{}", in_words(rule), pointed(text, column, length))
    };
    Ok(Resolved { instruction, warnings: worth_a_word(notes).map(warning).collect() })
}

fn notes_of(target: Target, instruction: &Instruction) -> Notes {
    let window = encode_like(target, instruction, Style::Sp3);
    window.ok().and_then(|window| decode(target, &window).ok()).map_or(Notes::NONE, |decoded| decoded.notes)
}

fn from_window(target: Target, window: &Window, written: &str) -> Result<Resolved, Refusal> {
    let decoded = decode(target, window).map_err(|undefined| {
        let mut message = format!("'{window}' is no instruction of {target}: {undefined} ({})", undefined.id());
        if undefined == Undefined::NotVop3p
            && let Some(dwords) = run_together(&[written.to_owned()])
            && let Ok(decoded) = decode(target, &dwords)
        {
            let text = asm::print(target, &decoded.instruction);
            message += &format!("\n  a run of digits is bytes in memory order; as the dwords '{dwords}' it is {text}");
        }
        Refusal { message, column: 0 }
    })?;
    let mut warnings: Vec<String> = worth_a_word(decoded.notes).map(in_words).collect();
    let rest: Vec<String> =
        window.dwords().iter().skip(usize::from(decoded.size / 4)).map(|dword| format!("{dword:08x}")).collect();
    if !rest.is_empty() {
        warnings.push(format!("{} behind the instruction is not part of it", rest.join(" ")));
    }
    Ok(Resolved { instruction: decoded.instruction, warnings })
}

/// Bits that mean nothing are not worth a word.
fn worth_a_word(notes: Notes) -> impl Iterator<Item = Rule> {
    let rules: Vec<Rule> = notes.iter().filter(|rule| rule.row().state != State::Ignored).collect();
    rules.into_iter()
}

fn in_words(rule: Rule) -> String {
    format!("{} ({rule}, {})", rule.row().text, rule.row().state.name())
}

/// The text, and a caret under the part at fault.
fn pointed(text: &str, column: usize, length: usize) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let length = length.min(shown.chars().count().saturating_sub(column - 1)).max(1);
    format!("\n  {shown}\n  {:>column$}{}", "^", "~".repeat(length - 1))
}

/// A register, or two of them, high dword first.
fn assignment(item: &str) -> Result<Vec<(Register, u32)>, String> {
    let Some((name, value)) = item.split_once('=') else {
        return Err(format!("`{item}`: registers are given as `v1=3c003c00`, behind the instruction"));
    };
    let digits = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")).unwrap_or(value);
    if let Some((low, high)) = pair(name)? {
        let bare = match digits.split_once('_') {
            Some((high, low)) if high.len() == 8 => format!("{high}{low}"),
            _ => digits.to_owned(),
        };
        let is_pair = bare.len() == 16 && bare.chars().all(|c| c.is_ascii_hexdigit());
        let bits = u64::from_str_radix(&bare, 16).ok().filter(|_| is_pair).ok_or_else(|| {
            format!("`{item}`: {name} is two dwords, 16 hexadecimal digits, the high dword first: `3f800000_40000000`")
        })?;
        return Ok(vec![(low, bits as u32), (high, (bits >> 32) as u32)]);
    }
    let register: Register = name.parse().map_err(|error| format!("{error}"))?;
    let is_dword = (1..=8).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_hexdigit());
    let bits = u32::from_str_radix(digits, 16).ok().filter(|_| is_dword);
    bits.map(|bits| vec![(register, bits)])
        .ok_or_else(|| format!("`{item}`: a register holds 1 to 8 hexadecimal digits"))
}

/// The registers of `v[2:3]` and `vcc`; `None` of a name that has no form of a pair.
fn pair(name: &str) -> Result<Option<(Register, Register)>, String> {
    let both = |low: &str, high: &str| Some((low.parse().ok()?, high.parse().ok()?));
    if let Some((file, range)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        let numbers = range.split_once(':');
        let pair = numbers.and_then(|(low, high)| both(&format!("{file}{low}"), &format!("{file}{high}")));
        let pair = pair.filter(|(low, high): &(Register, Register)| low.next() == Some(*high) && low < high);
        return pair.map(Some).ok_or_else(|| format!("`{name}` is no pair of registers: v[2:3], s[4:5], vcc"));
    }
    let is_wide = matches!(name, "vcc" | "exec" | "flat_scratch" | "xnack_mask");
    Ok(both(&format!("{name}_lo"), &format!("{name}_hi")).filter(|_| is_wide))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_given_by_dword_or_as_pairs() {
        assert_eq!(assignment("v1=1"), Ok(vec![(Register::Vgpr(1), 1)]));
        assert_eq!(assignment("s3=0x4000ABCD"), Ok(vec![(Register::Sgpr(3), 0x4000_abcd)]));
        let pair = vec![(Register::Vgpr(2), 0x3f80_0000), (Register::Vgpr(3), 0x4000_0000)];
        for text in ["v[2:3]=40000000_3f800000", "v[2:3]=0x400000003f800000"] {
            assert_eq!(assignment(text), Ok(pair.clone()), "{text}");
        }
        let vcc = assignment("vcc=00000001_00000002").unwrap();
        assert_eq!(
            (vcc[0].0.to_string(), vcc[0].1, vcc[1].0.to_string(), vcc[1].1),
            ("vcc_lo".into(), 2, "vcc_hi".into(), 1)
        );
    }

    #[test]
    fn what_is_wrong_with_a_register() {
        let message = |text: &str| assignment(text).unwrap_err();
        for text in ["v1=", "v1=0x", "v1=123456789", "v1=1.0", "v1=+1", "v1=0x-1"] {
            assert_eq!(message(text), format!("`{text}`: a register holds 1 to 8 hexadecimal digits"));
        }
        assert_eq!(message("v256=0"), "`v256` is no register of 32 bits: v0, a0, s0, ttmp0, vcc_lo, m0, ...");
        assert_eq!(message("v[2:4]=0"), "`v[2:4]` is no pair of registers: v[2:3], s[4:5], vcc");
        assert_eq!(message("v[255:0]=0"), "`v[255:0]` is no pair of registers: v[2:3], s[4:5], vcc");
        let wide = "is two dwords, 16 hexadecimal digits, the high dword first: `3f800000_40000000`";
        assert_eq!(message("v[2:3]=1"), format!("`v[2:3]=1`: v[2:3] {wide}"));
        assert_eq!(message("vcc=4000_00003f800000"), format!("`vcc=4000_00003f800000`: vcc {wide}"));
        assert_eq!(message("v1"), "`v1`: registers are given as `v1=3c003c00`, behind the instruction");
    }

    #[test]
    fn arguments_are_an_instruction_and_registers() {
        let read = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            Given::read(&args)
                .map(|given| (given.written, given.registers.to_string()))
                .map_err(|failure| failure.message)
        };
        let both = Ok(("v_pk_add_f16 v0, v1, v2".to_owned(), "v1=00000001 v2=00000002".to_owned()));
        assert_eq!(read(&["v_pk_add_f16 v0, v1, v2", "v1=1", "v2=2"]), both);
        assert_eq!(read(&["v_pk_add_f16", "v0,", "v1,", "v2", "v1=1", "v2=2"]), both);
        assert_eq!(read(&["v_pk_add_f16 v0, v1, v2 v1=1 v2=2"]), both);
        assert_eq!(read(&["v_pk_add_f16 v0, v1, v2", "v1=1", "v1=2"]), Err("v1 is given twice".to_owned()));
        assert!(read(&["v1=1"]).unwrap_err().starts_with("there is no instruction"));
        assert!(read(&["d3a00005 040e048"]).unwrap_err().starts_with("bad window, column 10: "));
    }
}
