//! Reading a line of [`ValueCase`].

use std::cell::RefCell;

use super::{Answer, Code, Kernel, KernelFormat, KernelOperation, Outcome, Subject, ValueCase};
use crate::case::CaseError;
use crate::case_line::{Line, unknown};
use crate::codec::WindowError;
use crate::exec::registers::RegisterError;
use crate::exec::{Register, Registers};
use crate::question::{Mode, Provenance, QUESTIONS, Reading};

fn by_name<T: Copy>(names: &[(&str, T)], name: &str) -> Option<T> {
    names.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// A word of a line, and the byte where it begins.
type Word<'a> = (usize, &'a str);

/// The words of a part of a line, from byte `start` on.
fn words(text: &str, start: usize) -> impl Iterator<Item = Word<'_>> {
    // A word is a slice of the text: their addresses differ by its place.
    let origin = text.as_ptr().addr();
    text[start..].split_whitespace().map(move |word| (word.as_ptr().addr() - origin, word))
}

impl ValueCase {
    /// Whether a line is one of this kind: an instruction's text or `kernel` stands second, or a value is given or
    /// expected.
    #[must_use]
    pub fn is_one(line: &str) -> bool {
        let Some(line) = Line::new(line) else { return false };
        let mut all = line.head.split_whitespace().skip(1);
        let is_value = |word: &str| word.contains('=') && !word.starts_with("pad=");
        line.head.split_whitespace().nth(1).is_some_and(|second| second == "kernel" || second.starts_with("v_"))
            || (all.next() != Some("asm:") && (all.any(is_value) || line.tail.is_some_and(|tail| tail.contains('='))))
    }

    /// Reads one line; `None` for a blank line or one that is only a comment.
    ///
    /// # Errors
    /// Says what is wrong and in which column.
    pub fn parse(line: &str) -> Result<Option<Self>, CaseError> {
        let Some(line) = Line::new(line) else { return Ok(None) };
        let (target, end) = line.target()?;
        let mut settings = Settings::default();
        let subject = match words(line.head, end).next() {
            Some((at, "kernel")) => Subject::Kernel(kernel(&line, at + "kernel".len(), &mut settings)?),
            _ => {
                let code = code(&line, end, &mut settings)?;
                Subject::Instruction(code, std::mem::take(&mut settings.given))
            }
        };
        let digits = match subject {
            Subject::Kernel(kernel) => Some(kernel.format.digits()),
            Subject::Instruction(..) => None,
        };
        let (mut answers, mut by) = (Vec::new(), None);
        let seen = RefCell::new(Vec::new());
        let expectations = line.expectations(|name, value| {
            let expectation = Expectation::parse(digits, name, value)?;
            let mut seen = seen.borrow_mut();
            let key = expectation.key();
            if seen.contains(&key) {
                return Err("the same is said twice".to_owned());
            }
            seen.push(key);
            Ok(expectation)
        })?;
        for expectation in expectations {
            match expectation {
                Expectation::Answer(answer) => answers.push(answer),
                Expectation::By(how) => by = Some(how),
            }
        }
        let Settings { mode, readings, .. } = settings;
        let mode = mode.unwrap_or_default();
        Ok(Some(Self { target, subject, mode, readings, answers, by, source: line.source.to_owned() }))
    }
}

/// What stands between the subject and `=>`.
#[derive(Default)]
struct Settings {
    mode: Option<Mode>,
    readings: Vec<Reading>,
    given: Registers,
}

impl Settings {
    /// Takes `mode=…` or `reading=…`; false if the word is neither.
    fn take(&mut self, line: &Line<'_>, (at, word): Word<'_>) -> Result<bool, CaseError> {
        if let Some(text) = word.strip_prefix("mode=") {
            let mode = text.parse().map_err(|error| line.fail(at + "mode=".len(), error))?;
            if self.mode.replace(mode).is_some() {
                return Err(line.fail(at, "MODE is given twice"));
            }
            return Ok(true);
        }
        let Some(text) = word.strip_prefix("reading=") else { return Ok(false) };
        let fail = |message| line.fail(at + "reading=".len(), message);
        self.readings.extend(readings(text).map_err(fail)?);
        check_once(&self.readings).map_err(fail)?;
        Ok(true)
    }
}

/// The instruction from byte `start` on, and the settings behind it.
fn code(line: &Line<'_>, start: usize, settings: &mut Settings) -> Result<Code, CaseError> {
    let first_setting = words(line.head, start).find(|(_, word)| word.contains('='));
    let end = first_setting.map_or(line.head.len(), |(at, _)| at);
    let text = line.head[start..end].trim();
    if text.is_empty() {
        return Err(line.fail(end, "an instruction is wanted here: its text or its dwords"));
    }
    let at = start + line.head[start..end].len() - line.head[start..end].trim_start().len();
    let code = if text.starts_with("v_") {
        Code::Text(text.to_owned())
    } else {
        Code::Window(text.parse().map_err(|error: WindowError| {
            let message = error.to_string();
            let message = message.split_once(": ").map_or(message.clone(), |(_, what)| what.to_owned());
            CaseError { column: line.column(at) + error.column - 1, message }
        })?)
    };
    for (at, word) in words(line.head, end) {
        if settings.take(line, (at, word))? {
            continue;
        }
        for (register, bits) in assignment(word).map_err(|message| line.fail(at, message))? {
            if settings.given.set(register, bits).is_some() {
                return Err(line.fail(at, format_args!("{register} is given twice")));
            }
        }
    }
    Ok(code)
}

/// What stands behind `kernel`.
fn kernel(line: &Line<'_>, start: usize, settings: &mut Settings) -> Result<Kernel, CaseError> {
    let mut rest = words(line.head, start).peekable();
    let end = line.head.trim_end().len();
    let (at, name) = rest.next().unwrap_or((end, ""));
    let operation = by_name(&KernelOperation::NAMES, name)
        .ok_or_else(|| line.fail(at, format_args!("`{name}` is no kernel: fma, add, mul")))?;
    let (at, name) = rest.next().unwrap_or((end, ""));
    let format = by_name(&KernelFormat::NAMES, name)
        .ok_or_else(|| line.fail(at, format_args!("`{name}` is no format of a kernel: f16, f32")))?;
    let clamp = rest.next_if(|(_, word)| *word == "clamp").is_some();
    let (mut operands, mut count) = ([0; 3], 0);
    for (at, word) in rest {
        if settings.take(line, (at, word))? {
            continue;
        }
        let bits = hex(word, format.digits()).map_err(|message| line.fail(at, message))?;
        if count == operation.operands() {
            return Err(line.fail(at, format_args!("`{operation}` takes {count} operands")));
        }
        operands[count] = bits;
        count += 1;
    }
    if count < operation.operands() {
        let wanted = operation.operands();
        return Err(line.fail(end, format_args!("`{operation}` takes {wanted} operands, here are {count}")));
    }
    Ok(Kernel { operation, format, clamp, operands })
}

/// Exactly so many hexadecimal digits, with or without 0x in front.
fn hex(text: &str, digits: usize) -> Result<u32, String> {
    let bare = text.strip_prefix("0x").unwrap_or(text);
    if bare.len() != digits || !bare.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!("`{text}` is not {digits} hexadecimal digits"));
    }
    u32::from_str_radix(bare, 16).map_err(|error| format!("`{text}`: {error}"))
}

/// Reads `v1=3c003c00`, `s3=0x40004000` or, high dword first, `v[2:3]=40000000_3f800000`.
///
/// # Errors
/// Says what is wrong.
pub fn assignment(text: &str) -> Result<Vec<(Register, u32)>, String> {
    let (name, bits) = text.split_once('=').ok_or_else(|| format!("`{text}`: a register is given as `v1=3c003c00`"))?;
    let Some((file, range)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        let register = name.parse().map_err(|error: RegisterError| error.to_string())?;
        let bits = hex(bits, 8).map_err(|error| format!("`{text}`: {error}"))?;
        return Ok(vec![(register, bits)]);
    };
    let pair = range.split_once(':').and_then(|(low, high)| {
        let register = |number: &str| format!("{file}{number}").parse::<Register>().ok();
        let (low, high) = (register(low)?, register(high)?);
        (low.next() == Some(high) && high > low).then_some((low, high))
    });
    let (low, high) = pair.ok_or_else(|| format!("`{name}` is no pair of registers: v[2:3], s[4:5]"))?;
    let digits = bits.strip_prefix("0x").unwrap_or(bits);
    let halves = digits.split_once('_').or_else(|| digits.split_at_checked(8));
    let (upper, lower) = halves.ok_or_else(|| format!("`{bits}` is not 16 hexadecimal digits"))?;
    let half = |half: &str| hex(half, 8).map_err(|_| format!("`{bits}` is not 16 hexadecimal digits"));
    Ok(vec![(low, half(lower)?), (high, half(upper)?)])
}

/// Reads `mixlo=single` or several, separated by commas.
///
/// # Errors
/// Says which is no reading, and what would be.
pub fn readings(text: &str) -> Result<Vec<Reading>, String> {
    let one = |item: &str| {
        let item = item.trim();
        let (id, name) = item.split_once('=').ok_or_else(|| format!("`{item}`: a reading is `question=answer`"))?;
        Reading::named(id, name).ok_or_else(|| match QUESTIONS.iter().find(|row| row.id == id) {
            Some(row) => {
                let names: Vec<_> = row.readings.iter().map(|reading| reading.name).collect();
                format!("`{name}` is no reading of {id}: {}", names.join(", "))
            }
            None => {
                format!("`{id}` is no question: {}", QUESTIONS.iter().map(|row| row.id).collect::<Vec<_>>().join(", "))
            }
        })
    };
    let readings = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
    check_once(&readings)?;
    Ok(readings)
}

/// One reading of a question.
fn check_once(readings: &[Reading]) -> Result<(), String> {
    let question = |reading: &Reading| reading.question();
    let is_second = |(at, reading): &(usize, &Reading)| {
        readings[..*at].iter().any(|before| question(before).question == question(reading).question)
    };
    match readings.iter().enumerate().find(is_second) {
        Some((_, twice)) => Err(format!("`{}` is answered twice", question(twice).id)),
        None => Ok(()),
    }
}

/// What stands between semicolons behind `=>`.
enum Expectation {
    Answer(Answer),
    By(Provenance),
}

const PROVENANCES: [Provenance; 5] = [
    Provenance::HardwareCaptured,
    Provenance::Documented,
    Provenance::Emulator,
    Provenance::Inferred,
    Provenance::Unknown,
];

impl Expectation {
    /// Reads one, taken apart at its first colon; of a kernel, an outcome is so many digits.
    fn parse(digits: Option<usize>, name: &str, value: Option<&str>) -> Result<Self, String> {
        let answer = |readings, text: &str| Ok(Self::Answer(Answer { readings, outcome: outcome(digits, text)? }));
        if name == "by"
            && let Some(how) = value
        {
            let known = PROVENANCES.iter().find(|known| known.name() == how);
            let names = || PROVENANCES.iter().map(|known| known.name()).collect::<Vec<_>>().join(", ");
            return known.map(|by| Self::By(*by)).ok_or_else(|| format!("`{how}` is no way of knowing: {}", names()));
        }
        match (name.strip_prefix("reading "), value) {
            (Some(names), Some(text)) => answer(readings(names)?, text),
            // The colon of a pair of registers.
            (None, Some(rest)) if name.contains('[') => answer(Vec::new(), &format!("{name}:{rest}")),
            (None, None) if name.contains('=') || (digits.is_some() && !name.is_empty()) => answer(Vec::new(), name),
            _ => Err(unknown(name, value, "`v0=…` (of a kernel its bits), `reading ID=NAME: v0=…`, `by: HOW`")),
        }
    }

    /// What may stand only once: the answer under the same readings, `by:`.
    fn key(&self) -> Option<Vec<Reading>> {
        match self {
            Self::Answer(answer) => Some(answer.readings.clone()),
            Self::By(_) => None,
        }
    }
}

fn outcome(digits: Option<usize>, text: &str) -> Result<Outcome, String> {
    if let Some(digits) = digits {
        return hex(text, digits).map(Outcome::Bits);
    }
    let mut registers = Registers::new();
    for word in text.split_whitespace() {
        for (register, bits) in assignment(word)? {
            if registers.set(register, bits).is_some() {
                return Err(format!("{register} is given twice"));
            }
        }
    }
    Ok(Outcome::Registers(registers))
}
