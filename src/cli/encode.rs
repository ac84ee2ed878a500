//! `vop3p encode`: assembly to bytes.

use std::fmt::Write as _;
use std::io::{IsTerminal, Read, Write as _};
use std::thread;

use clap::ValueEnum;
use serde::Serialize;

use super::{Exit, Failure, Out};
use vop3p::asm::{AssembleError, Assembled, ParseError, Place, Text, assemble, place_of};
use vop3p::codec::{Style, Window};
use vop3p::isa::{Rule, State, Target};
use vop3p::report::view::{NoteView, SCHEMA, WindowView};

const EXAMPLES: &str = "\
Examples:
  vop3p encode -t gfx900 'v_pk_fma_f16 v0, v1, v2, v3'
  vop3p encode -t gfx1100 -f kernel.s                     a file; -f may be repeated
  vop3p encode -t gfx1100 < kernel.s > kernel.txt         standard input, also as -f -
  vop3p encode -t gfx1030 --like sp3 --format dwords 'v_pk_add_f16 v0, v1, v2'
  vop3p encode -t gfx90a --json -f kernel.s               one JSON object a line of assembly

Each line is one instruction of VOP3P; labels, directives and other instructions are errors.
Blank lines and comments (`; ...`, `// ...`, `/* ... */`, a line that starts with `#`) are
skipped; a block comment joins the lines it spans. What is wrong goes to standard error, with file, line and
column; the other lines are assembled all the same.

  --format asm      as `llvm-mc -show-encoding` writes it: text ; encoding: [0x00,...]
  --format bytes    [0x00,0x40,0x8e,0xd3,...]
  --format dwords   d38e4000 1c0e0501, as `vop3p decode` and `vop3p diff` take it

Exits with 2 if a line does not assemble.";

/// Assemble instructions by AMD's specification, one a line
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The target, as `gfx1100` or `gfx1100:w64`
    #[arg(short, long)]
    target: Target,

    /// The instructions, each in quotes; without them and without -f, standard input
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    text: Vec<String>,

    /// Read this file, `-` for standard input; may be repeated
    #[arg(short, long, value_name = "FILE")]
    file: Vec<String>,

    /// Whose choice to follow for bits that mean nothing
    #[arg(long, value_name = "ASSEMBLER", default_value = "llvm")]
    like: Like,

    /// How to write the bytes
    #[arg(long, value_name = "FORMAT", default_value = "asm", conflicts_with = "json")]
    format: Format,

    /// Print JSON, one object a line of assembly
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Like {
    /// LLVM's assembler
    Llvm,
    /// SP3, AMD's own
    Sp3,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As `llvm-mc -show-encoding` writes it
    Asm,
    /// Bytes in memory order
    Bytes,
    /// Dwords in memory order
    Dwords,
}

/// A line of assembly that says something, with those that a block comment joins to it.
#[derive(Clone, Copy)]
struct Line<'a> {
    file: &'a str,
    number: usize,
    /// The whole line.
    source: &'a str,
    /// Where in it the text starts, in bytes: behind a block comment that an earlier line has begun.
    start: usize,
    /// Where in it a block comment begins that has no end.
    open: Option<usize>,
}

/// What some lines came to.
#[derive(Default)]
struct Part {
    out: String,
    err: String,
    wrong: usize,
}

#[derive(Serialize)]
struct View<'a> {
    schema: u32,
    target: &'a str,
    file: &'a str,
    line: usize,
    source: &'a str,
    #[serde(flatten)]
    answer: AnswerView,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnswerView {
    Assembled {
        text: String,
        #[serde(flatten)]
        window: WindowView,
        notes: Vec<NoteView>,
    },
    Refused {
        error: ErrorView,
    },
}

#[derive(Serialize)]
struct ErrorView {
    column: usize,
    length: usize,
    message: String,
    rule: Option<NoteView>,
    suggestion: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let inputs = read(args)?;
    let lines: Vec<Line<'_>> = inputs.iter().flat_map(|(name, text)| lines_of(name, text)).collect();
    if lines.is_empty() {
        return Err(Failure::input("there is no instruction to assemble"));
    }
    // Below some thousand lines threads cost more than they gain.
    let threads = thread::available_parallelism().map_or(1, usize::from).min(lines.len().div_ceil(2000));
    let parts: Vec<Part> = if threads == 1 {
        vec![encode(args, &lines)]
    } else {
        let chunks = lines.chunks(lines.len().div_ceil(threads));
        thread::scope(|scope| {
            let running: Vec<_> = chunks.map(|chunk| scope.spawn(move || encode(args, chunk))).collect();
            running.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    };
    let wrong: usize = parts.iter().map(|part| part.wrong).sum();
    let mut err = String::new();
    for part in parts {
        out.text(part.out);
        err += &part.err;
    }
    if wrong > 0 && (lines.len() > 1 || args.json) {
        let plural = if lines.len() == 1 { "line does" } else { "lines do" };
        _ = writeln!(err, "error: {wrong} of {} {plural} not assemble", lines.len());
    }
    // There is nobody left to tell if this fails.
    _ = std::io::stderr().lock().write_all(err.as_bytes());
    Ok(if wrong > 0 { Exit::Refused } else { Exit::Fine })
}

/// The texts to assemble, with their names.
fn read(args: &Args) -> Result<Vec<(String, String)>, Failure> {
    match &args.text[..] {
        [] => {}
        // `vop3p encode -t gfx900 v_pk_add_f16 v0, v1, v2`: a line that the shell has split.
        [first, _, ..] if args.text.iter().all(|text| !text.contains(char::is_whitespace)) && !first.is_empty() => {
            return Ok(vec![("argument".to_owned(), args.text.join(" "))]);
        }
        texts => return Ok(vec![("argument".to_owned(), texts.join("\n"))]),
    }
    if args.file.is_empty() && std::io::stdin().is_terminal() {
        return Err(Failure::input("nothing to assemble: name a TEXT in quotes, a file with -f, or pipe one in"));
    }
    let stdin = ["-".to_owned()];
    let files = if args.file.is_empty() { &stdin[..] } else { &args.file[..] };
    let mut texts = Vec::new();
    for file in files {
        let (name, bytes) = if file == "-" {
            let mut bytes = Vec::new();
            ("<stdin>", std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        } else {
            (file.as_str(), std::fs::read(file))
        };
        let bytes = bytes.map_err(|error| Failure::input(format!("{name}: {error}")))?;
        // What is no UTF-8 can only be a comment, or wrong.
        let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into());
        texts.push((name.to_owned(), text));
    }
    Ok(texts)
}

/// The instructions of a text, a line each: a block comment is white space, so that one within an instruction joins the
/// lines it spans. The last one may be a comment without an end.
fn lines_of<'a>(file: &'a str, text: &'a str) -> Vec<Line<'a>> {
    // Some editors put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut open = None;
    let (mut at, mut begins, mut goes_on) = (0, 0, false);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let source = without_end(line);
        let start = start_of_code(source, at, &mut open);
        match (goes_on, lines.last_mut(), start) {
            (true, Some(last), _) => last.source = &text[begins..at + source.len()],
            (_, _, Some(start)) => {
                begins = at;
                lines.push(Line { file, number: index + 1, source, start, open: None });
            }
            _ => {}
        }
        goes_on = open.is_some() && (goes_on || start.is_some());
        at += line.len();
    }
    match (open, lines.last_mut()) {
        (Some(open), Some(last)) if goes_on => last.open = Some(open - begins),
        (Some(open), _) => {
            let number = text[..open].matches('\n').count() + 1;
            let begins = text[..open].rfind('\n').map_or(0, |end| end + 1);
            lines.push(Line { file, number, source: &text[begins..], start: 0, open: Some(open - begins) });
        }
        (None, _) => {}
    }
    lines
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// Where the code of a line starts, if it has any; where in the text, in which the line begins at `begins`, the block
/// comment stands that is open behind the line.
fn start_of_code(line: &str, begins: usize, open: &mut Option<usize>) -> Option<usize> {
    let mut at = 0;
    let mut start = None;
    loop {
        let rest = line.get(at..)?;
        if open.is_some() {
            let Some(end) = rest.find("*/") else { return start };
            at += end + 2;
            *open = None;
            continue;
        }
        if start.is_none() {
            let code = rest.trim_start();
            if !code.starts_with("/*") {
                let is_comment = code.is_empty() || code.starts_with([';', '#']) || code.starts_with("//");
                if is_comment {
                    return None;
                }
                start = Some(at);
            }
        }
        // The first comment of the rest of the line: only a block can end before the line does.
        let Some(comment) = rest.find(['/', ';']) else { return start };
        if !rest[comment..].starts_with("/*") {
            if rest[comment..].starts_with("//") || rest[comment..].starts_with(';') {
                return start;
            }
            at += comment + 1;
            continue;
        }
        *open = Some(begins + at + comment);
        at += comment + 2;
    }
}

/// Assembles a line whose comments end.
fn answer(args: &Args, line: &Line<'_>, style: Style) -> Result<Assembled, AssembleError> {
    match line.open {
        None => assemble(args.target, &line.source[line.start..], style),
        Some(open) => Err(AssembleError::Parse(ParseError {
            column: line.source[line.start..open].chars().count() + 1,
            length: 2,
            place: Place::Modifier,
            message: "this comment has no end: `*/` is missing".to_owned(),
            suggestion: None,
        })),
    }
}

fn encode(args: &Args, lines: &[Line<'_>]) -> Part {
    let style = match args.like {
        Like::Llvm => Style::Llvm,
        Like::Sp3 => Style::Sp3,
    };
    let name = args.target.to_string();
    let mut part = Part { out: String::with_capacity(lines.len() * 96), ..Part::default() };
    for line in lines {
        let answer = answer(args, line, style);
        match &answer {
            Ok(assembled) if !args.json => {
                write_text(args, assembled, &mut part.out);
                // Bits that mean nothing are not worth a word.
                for rule in assembled.notes.iter().filter(|rule| rule.row().state != State::Ignored) {
                    let place = place_of(args.target, &line.source[line.start..], rule);
                    let message = format_args!("{} ({rule}, {})", rule.row().text, rule.row().state.name());
                    complain(line, place, "warning", message, &mut part.err);
                }
            }
            Err(error) if !args.json => {
                complain(line, error.columns(), "error", format_args!("{error}"), &mut part.err);
            }
            _ => write_json(args, line, &name, &answer, &mut part.out),
        }
        part.wrong += usize::from(answer.is_err());
    }
    part
}

/// Column of the comment in the output of `llvm-mc`, which does not count the tab.
const COMMENT: usize = 40;

fn write_text(args: &Args, assembled: &Assembled, out: &mut String) {
    let start = out.len();
    // Writing to a string cannot fail.
    match args.format {
        Format::Asm => {
            _ = write!(out, "\t{}", Text { target: args.target, instruction: &assembled.instruction });
            let width = out.len() - start - 1;
            out.extend(std::iter::repeat_n(' ', COMMENT.saturating_sub(width).max(1)));
            out.push_str("; encoding: ");
            write_bytes(&assembled.window, out);
        }
        Format::Bytes => write_bytes(&assembled.window, out),
        Format::Dwords => _ = write!(out, "{}", assembled.window),
    }
    out.push('\n');
}

fn write_bytes(window: &Window, out: &mut String) {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value & 15)]);
    for (index, byte) in window.bytes().enumerate() {
        out.push_str(if index == 0 { "[0x" } else { ",0x" });
        out.push(digit(byte >> 4));
        out.push(digit(byte));
    }
    out.push(']');
}

fn write_json(args: &Args, line: &Line<'_>, target: &str, answer: &Result<Assembled, AssembleError>, out: &mut String) {
    let Line { file, mut number, mut source, .. } = *line;
    let answer = match answer {
        Ok(assembled) => AnswerView::Assembled {
            text: vop3p::asm::print(args.target, &assembled.instruction),
            window: (&assembled.window).into(),
            notes: assembled.notes.iter().map(NoteView::from).collect(),
        },
        Err(error) => {
            let spot = Spot::of(line, error.columns());
            (number, source) = (spot.number, spot.source);
            let (message, rule, suggestion) = match error {
                AssembleError::Parse(error) => (error.message.clone(), None, error.suggestion.clone()),
                AssembleError::Encode { error, .. } => (error.to_string(), None, None),
                AssembleError::Illegal { rule, .. } => (rule.row().text.to_owned(), Some(*rule), None),
            };
            let rule = rule.map(<NoteView as From<Rule>>::from);
            AnswerView::Refused {
                error: ErrorView { column: spot.column, length: spot.length, message, rule, suggestion },
            }
        }
    };
    let view = View { schema: SCHEMA, target, file, line: number, source, answer };
    // Numbers and strings always can be written as JSON.
    out.push_str(&serde_json::to_string(&view).unwrap_or_default());
    out.push('\n');
}

/// A place in one of the lines that belong together.
struct Spot<'a> {
    number: usize,
    source: &'a str,
    column: usize,
    length: usize,
}

impl<'a> Spot<'a> {
    /// Of a column and length, in characters of the text of a line.
    fn of(line: &Line<'a>, (column, length): (usize, usize)) -> Self {
        let text = &line.source[line.start..];
        let at = line.start + text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        let (before, behind) = line.source.split_at(at);
        let begins = before.rfind('\n').map_or(0, |end| end + 1);
        let ends = behind.find('\n').map_or(line.source.len(), |end| at + end + 1);
        let source = without_end(&line.source[begins..ends]);
        let before_it = before[begins..].chars().count();
        let length = length.min(source.chars().count().saturating_sub(before_it));
        Self { number: line.number + before.matches('\n').count(), source, column: before_it + 1, length }
    }
}

/// `file:line:col: error: message`, the line, and a caret under the part at fault.
fn complain(line: &Line<'_>, columns: (usize, usize), kind: &str, message: std::fmt::Arguments<'_>, err: &mut String) {
    let Spot { number, source, column, length } = Spot::of(line, columns);
    // What is quoted must not steer the terminal.
    let plain = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    let text = format!("{}:{number}:{column}: {kind}: {message}", line.file);
    err.extend(text.chars().map(plain));
    err.push('\n');
    err.extend(source.chars().map(plain));
    err.push('\n');
    let mut before = source.chars();
    err.extend(before.by_ref().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }));
    err.push('^');
    err.extend(std::iter::repeat_n('~', length.saturating_sub(1)));
    err.push('\n');
}
