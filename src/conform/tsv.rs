//! A table of cases, one row a line, values separated by tabs:
//!
//! ```text
//! source_file  mcpu  mattr  kind  asm  encoding  notes
//! ```
//!
//! `kind` is `asm-ok`, `asm-err`, `disasm-ok` or `disasm-warn`; `encoding` is one run of hexadecimal digits. `notes`
//! are `line=N`, the line in the source file, then `printed=TEXT` (what the assembler prints for an `asm-ok`),
//! `reenc=DIGITS` (what a `disasm-ok` is encoded to again), or `col=N` and the message of an `asm-err`.

use super::select::{is_vop3p_bytes, is_vop3p_text};
use super::{Case, Expect, Features, Reading, cpu, expression};
use crate::codec::Window;

const COLUMNS: [&str; 7] = ["source_file", "mcpu", "mattr", "kind", "asm", "encoding", "notes"];

/// What is wrong, and in which column (characters from 1).
type Wrong = (usize, String);

pub(super) fn read(file: &str, text: &str, reading: &mut Reading) {
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> = lines.next().map_or(Vec::new(), |(_, line)| line.split('\t').collect());
    if header != COLUMNS {
        let message = format!("the header is not `{}`, separated by tabs", COLUMNS.join(" "));
        return reading.fail(file, Some((1, 1)), message);
    }
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match row(line) {
            Ok(Some(case)) if needs_expression(&case) => {
                reading.skip(&case.file, case.line.max(1), expression::REASON);
            }
            Ok(Some(case)) => reading.cases.push(Case { line: case.line.max(1), ..case }),
            Ok(None) => reading.other += 1,
            Err((column, message)) => reading.fail(file, Some((index + 1, column)), message),
        }
    }
}

fn needs_expression(case: &Case) -> bool {
    match (&case.expect, &case.target) {
        (Expect::Assembles { text, .. }, Ok(target)) => expression::is_needed(*target, text),
        _ => false,
    }
}

/// The case of a row; `None` if the instruction is not VOP3P.
fn row(line: &str) -> Result<Option<Case>, Wrong> {
    let mut at = 1;
    let cells: Vec<(usize, &str)> = line
        .split('\t')
        .map(|cell| {
            let start = at;
            at += cell.chars().count() + 1;
            (start, cell)
        })
        .collect();
    let &[source, mcpu, mattr, kind, asm, encoding, notes] = cells.as_slice() else {
        let message = format!("{} columns, where there are {}", cells.len(), COLUMNS.len());
        return Err((line.chars().count() + 1, message));
    };
    for ((column, cell), name) in [(source, "source_file"), (mcpu, "mcpu")] {
        if cell.is_empty() {
            return Err((column, format!("no {name}")));
        }
    }
    let (number, rest) = split_line(notes)?;
    let features = Features::parse(mattr.1);
    let target = cpu::target(mcpu.1, &features);
    let expect = match kind.1 {
        "asm-ok" | "asm-err" if asm.1.is_empty() => return Err((asm.0, format!("no text for `{}`", kind.1))),
        "asm-ok" | "asm-err" if !is_vop3p_text(asm.1) => return Ok(None),
        "asm-ok" => Expect::Assembles {
            text: asm.1.to_owned(),
            bytes: if encoding.1.is_empty() { None } else { Some(window(encoding)?.into()) },
            printed: note(rest, "printed="),
        },
        "asm-err" => Expect::Refuses { text: asm.1.to_owned(), message: message(rest) },
        "disasm-ok" | "disasm-warn" => {
            let bytes = window(encoding)?;
            if !is_vop3p_bytes(target.as_ref().ok().copied(), &bytes) {
                return Ok(None);
            }
            match kind.1 {
                "disasm-ok" if asm.1.is_empty() => return Err((asm.0, "no text for `disasm-ok`".to_owned())),
                "disasm-ok" => {
                    let again = match rest.1.find("reenc=").map(|at| at + 6) {
                        Some(at) => {
                            let digits = rest.1[at..].split(' ').next().unwrap_or_default();
                            Some(window((rest.0 + rest.1[..at].chars().count(), digits))?)
                        }
                        None => None,
                    };
                    Expect::Prints {
                        bytes,
                        text: asm.1.to_owned(),
                        again: again.filter(|again| *again != bytes).map(Into::into),
                    }
                }
                _ => Expect::Rejects { bytes },
            }
        }
        other => {
            let message = format!("`{other}` is no kind: asm-ok, asm-err, disasm-ok, disasm-warn");
            return Err((kind.0, message));
        }
    };
    let (file, cpu) = (source.1.to_owned(), mcpu.1.to_owned());
    Ok(Some(Case { file, line: number, cpu, features, target, expect }))
}

/// `line=N`, and what follows it.
fn split_line((column, notes): (usize, &str)) -> Result<(usize, (usize, &str)), Wrong> {
    let wrong = || (column, "the notes do not begin with `line=N`".to_owned());
    let digits = notes.strip_prefix("line=").ok_or_else(wrong)?;
    let end = digits.find(' ').unwrap_or(digits.len());
    let number = digits[..end].parse().map_err(|_| wrong())?;
    Ok((number, (column + 5 + digits[..end].chars().count(), &digits[end..])))
}

fn note((_, notes): (usize, &str), name: &str) -> Option<String> {
    notes.find(name).map(|at| notes[at + name.len()..].trim().to_owned()).filter(|value| !value.is_empty())
}

/// The message behind `col=N`, without a remark on the mnemonic.
fn message((_, notes): (usize, &str)) -> Option<String> {
    let notes = notes.trim_start();
    let text = match notes.strip_prefix("col=") {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => notes,
    };
    let text = text.find(" (mnemonic ").map_or(text, |at| &text[..at]).trim();
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

fn window((column, digits): (usize, &str)) -> Result<Window, Wrong> {
    if let Some(at) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        return Err((column + at, format!("`{digits}` is not hexadecimal")));
    }
    let dwords: Vec<u32> = digits
        .as_bytes()
        .chunks(8)
        .filter_map(|chunk| u32::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok())
        .map(u32::swap_bytes)
        .collect();
    Window::from_dwords(&dwords)
        .filter(|_| digits.len().is_multiple_of(8))
        .ok_or_else(|| (column, format!("{} digits; 4, 8, 12 or 16 bytes have 8, 16, 24 or 32", digits.len())))
}

#[cfg(test)]
mod tests {
    use super::super::{WhyNot, read_text};
    use super::*;

    const HEADER: &str = "source_file\tmcpu\tmattr\tkind\tasm\tencoding\tnotes\n";

    fn read(rows: &str) -> Reading {
        read_text("t.tsv", &format!("{HEADER}{rows}"))
    }

    #[test]
    fn a_row_of_every_kind() {
        let reading = read(
            "a.s\tgfx900\t\tasm-ok\tv_pk_add_u16 v0, 0.0, v1\t00408ad380020218\tline=7 printed=v_pk_add_u16 v0, 0, v1\r\n\
             a.s\ttonga\t\tasm-err\tv_pk_add_u16 v0, v1, v2\t\tline=9 col=1 not here (yet) (mnemonic unknown)\n\n\
             b.txt\tgfx1100\t+wavefrontsize64\tdisasm-ok\tv_pk_add_u16 v0, v1, v2\t00000acc01050218\tline=3 reenc=00400acc01050218\n\
             b.txt\tgfx1200\t\tdisasm-warn\t\t006024cc01050e1c\tline=5 invalid instruction encoding\n\
             b.txt\tgfx1200\t\tasm-ok\tv_add_f32 v0, v1, v2\t\tline=5\n\
             b.txt\tgfx1200\t\tdisasm-ok\tv_add_f32 v0, v1, v2\t02050006\tline=5\n",
        );
        assert_eq!((reading.errors, reading.other, reading.cases.len()), (Vec::new(), 2, 4));
        let [ok, refused, prints, rejects] = reading.cases.as_slice() else { panic!() };
        assert_eq!((ok.file.as_str(), ok.line, ok.cpu.as_str()), ("a.s", 7, "gfx900"));
        let expect = Expect::Assembles {
            text: "v_pk_add_u16 v0, 0.0, v1".to_owned(),
            bytes: "d38a4000 18020280".parse::<Window>().ok().map(Into::into),
            printed: Some("v_pk_add_u16 v0, 0, v1".to_owned()),
        };
        assert_eq!(ok.expect, expect);
        assert_eq!(refused.target, Err(WhyNot::NoVop3p));
        assert!(matches!(&refused.expect, Expect::Refuses { message: Some(m), .. } if m == "not here (yet)"));
        assert_eq!(prints.target.as_ref().map(ToString::to_string), Ok("gfx1100:w64".to_owned()));
        assert!(
            matches!(&prints.expect, Expect::Prints { again: Some(w), .. } if w.to_string() == "cc0a4000 18020501")
        );
        assert!(matches!(&rejects.expect, Expect::Rejects { bytes } if bytes.dwords()[0] == 0xcc24_6000));
    }

    #[test]
    fn what_is_wrong_and_where() {
        let error = |row: &str| read(row).errors[0].to_string();
        assert!(read_text("t.tsv", "a\tb\n").errors[0].to_string().starts_with("t.tsv:1:1: the header is not"));
        assert!(!read_text("t.tsv", "").errors.is_empty());
        assert_eq!(error("a.s\tgfx900"), "t.tsv:2:11: 2 columns, where there are 7");
        assert_eq!(error("\tgfx900\t\tasm-ok\tv_pk_x\t\tline=1"), "t.tsv:2:1: no source_file");
        assert_eq!(error("a.s\tgfx900\t\tasm-ok\t\t\tline=1"), "t.tsv:2:20: no text for `asm-ok`");
        assert!(error("a.s\tgfx900\t\tasm\tv_pk_x\t\tline=1").starts_with("t.tsv:2:13: `asm` is no kind"));
        assert_eq!(error("a.s\tgfx900\t\tasm-ok\tv_pk_x\t0x40\tline=1"), "t.tsv:2:28: `0x40` is not hexadecimal");
        assert!(error("a.s\tgfx900\t\tasm-ok\tv_pk_x\t0040\tline=1").starts_with("t.tsv:2:27: 4 digits"));
        assert!(error("a.s\tgfx900\t\tasm-ok\tv_pk_x\t\tcol=1").starts_with("t.tsv:2:28: the notes do not"));
        assert_eq!(
            error("a.s\tgfx900\t\tdisasm-ok\tv\t00408ad380020218\tline=17 reenc=zz"),
            "t.tsv:2:56: `zz` is not hexadecimal"
        );
    }
}
