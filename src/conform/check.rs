//! One check line of a lit test: what FileCheck looks for, as far as it can be read for sure.

use super::Encoding;
use crate::codec::Window;

/// How a check relates to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `PREFIX:`.
    Plain,
    /// `PREFIX-NEXT:`.
    Next,
    /// `PREFIX-SAME:`.
    Same,
    /// `PREFIX-NOT:`, `-EMPTY:` or `-LABEL:`: nothing about an instruction.
    Apart,
    /// Any other, such as `PREFIX-DAG:`.
    Strange,
}

/// The check of a comment: the prefix, the place and the pattern.
pub(super) fn check<'a>(comment: &'a str, prefixes: &[String]) -> Option<(String, Place, &'a str)> {
    let found = prefixes.iter().flat_map(|prefix| {
        comment.match_indices(prefix.as_str()).filter_map(move |(at, _)| {
            let is_start =
                comment[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
            let (place, pattern) = place(&comment[at + prefix.len()..])?;
            is_start.then_some((at, prefix, place, pattern))
        })
    });
    found.min_by_key(|(at, ..)| *at).map(|(_, prefix, place, pattern)| (prefix.clone(), place, pattern.trim()))
}

fn place(rest: &str) -> Option<(Place, &str)> {
    if let Some(pattern) = rest.strip_prefix(':') {
        return Some((Place::Plain, pattern));
    }
    let (name, pattern) = rest.strip_prefix('-')?.split_once(':')?;
    let place = match name {
        "NEXT" => Place::Next,
        "SAME" => Place::Same,
        "NOT" | "EMPTY" | "LABEL" => Place::Apart,
        "DAG" => Place::Strange,
        _ if name.starts_with("COUNT-") || name.ends_with("{LITERAL}") => Place::Strange,
        _ => return None,
    };
    Some((place, pattern))
}

/// What a pattern looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// An error, on this line if the pattern names one, with this message if it has one word for word.
    Error(Option<usize>, Option<String>),
    /// A warning, on this line if the pattern names one.
    Warning(Option<usize>),
    /// A line of assembly.
    Line {
        /// The text, blanks as single spaces.
        text: String,
        /// The encoding, if the pattern states one, or why it cannot be compared.
        bytes: Result<Option<Encoding>, &'static str>,
        /// Whether the line ends where the text does.
        whole: bool,
    },
    /// Nothing about an instruction: a directive, a note, the caret below an error.
    Nothing,
    /// It cannot be read for sure, for this reason.
    Unread(&'static str),
}

/// Reads the pattern of a check on this line; `generated` says that whole lines were copied into the checks.
pub(super) fn pattern(line: usize, text: &str, generated: bool) -> Pattern {
    let diagnostic = |kind: &str| text.find(kind).map(|at| (&text[..at], &text[at + kind.len()..]));
    let found = diagnostic("error:").map(|parts| (true, parts));
    if let Some((is_error, (before, message))) = found.or_else(|| diagnostic("warning:").map(|parts| (false, parts))) {
        let Ok(on) = line_of(line, before) else {
            return Pattern::Unread("the check names its line in a way that is not understood");
        };
        let message = literal(message).ok().map(|(message, _)| message).filter(|message| !message.is_empty());
        return if is_error { Pattern::Error(on, message) } else { Pattern::Warning(on) };
    }
    if text.contains("error") && (text.contains("{{") || text.contains("@LINE")) {
        return Pattern::Unread("the check looks for an error in a way that is not understood");
    }
    if text.contains("note: ") || text.contains("remark: ") {
        return Pattern::Nothing;
    }
    let (head, encoding) = split_encoding(text);
    let (text, ends) = match literal(head) {
        Ok(literal) => literal,
        Err(reason) => return Pattern::Unread(reason),
    };
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Pattern::Nothing;
    }
    let bytes = match encoding.map(literal) {
        None => Ok(None),
        Some(Ok((list, _))) => Encoding::parse(&list),
        Some(Err(reason)) => Err(reason),
    };
    Pattern::Line { text, bytes, whole: encoding.is_some() || ends || generated }
}

/// The line that `[[@LINE-1]]` or `[[#@LINE+2]]` names, of a check on this line.
fn line_of(line: usize, text: &str) -> Result<Option<usize>, ()> {
    let Some(at) = text.find("@LINE") else {
        // A line number as it is, or any, names no line.
        return Ok(None);
    };
    let end = text[at..].find("]]").ok_or(())?;
    let offset: String = text[at + 5..at + end].chars().filter(|c| !c.is_whitespace()).collect();
    let target = match (offset.split_at_checked(1), offset.is_empty()) {
        (_, true) => Some(line),
        (Some(("-", back)), _) => back.parse().ok().and_then(|back| line.checked_sub(back)),
        (Some(("+", on)), _) => on.parse().ok().and_then(|on: usize| line.checked_add(on)),
        _ => None,
    };
    target.filter(|target| *target > 0).map(Some).ok_or(())
}

/// The pattern before the comment with the encoding, and what follows `encoding:`.
fn split_encoding(text: &str) -> (&str, Option<&str>) {
    let Some(at) = text.find("encoding:") else { return (text, None) };
    let head = text[..at].trim_end();
    let head = head.strip_suffix("//").or_else(|| head.strip_suffix([';', '#'])).unwrap_or(head);
    (head.trim_end(), Some(&text[at + "encoding:".len()..]))
}

/// The window of bytes separated by commas: `0x05,0x40,…`.
pub(super) fn window(text: &str) -> Result<Window, &'static str> {
    let values: Option<Vec<u8>> = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|byte| !byte.is_empty())
        .map(|byte| u8::from_str_radix(byte.strip_prefix("0x").or_else(|| byte.strip_prefix("0X"))?, 16).ok())
        .collect();
    let values = values.ok_or("not only bytes such as 0x05")?;
    let dwords: Vec<u32> = values.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let window = Window::from_dwords(&dwords).filter(|_| values.len().is_multiple_of(4));
    window.ok_or("not 4, 8, 12 or 16 bytes")
}

/// The text that a pattern looks for, blanks as single spaces, and whether it ends with the line (`{{$}}`).
fn literal(pattern: &str) -> Result<(String, bool), &'static str> {
    let mut text = String::new();
    let mut ends = false;
    let mut rest = pattern;
    while let Some(at) = [rest.find("{{"), rest.find("[[")].into_iter().flatten().min() {
        text.push_str(&rest[..at]);
        if rest[at..].starts_with("[[") {
            return Err("the check has a variable");
        }
        let (regex, after) = regex(&rest[at + 2..]).ok_or("the check has a `{{` that is not closed")?;
        match regex {
            "^" => {}
            "$" if after.trim().is_empty() => ends = true,
            " *" | " +" | "[ ]*" | "[ ]+" | "[[:space:]]*" | "[[:space:]]+" | "\\s*" | "\\s+" => text.push(' '),
            _ => text.push_str(&unescape(regex).ok_or("the check has a regular expression")?),
        }
        rest = after;
    }
    text.push_str(rest);
    Ok((spaced(&text), ends))
}

/// What stands between `{{` and its `}}`, and what follows.
fn regex(text: &str) -> Option<(&str, &str)> {
    let mut end = text.find("}}")?;
    // In `{{a{2}}}` the last brace closes.
    while text[end + 2..].starts_with('}') {
        end += 1;
    }
    Some((&text[..end], &text[end + 2..]))
}

/// The only text that a regular expression without operators matches.
fn unescape(regex: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(chars.next().filter(char::is_ascii_punctuation)?),
            // `[[]` and `[|]` are sets of one.
            '[' => {
                let only = chars.next().filter(|c| !matches!(c, '^' | '\\'))?;
                chars.next().filter(|c| *c == ']')?;
                text.push(only);
            }
            '.' | '*' | '+' | '?' | '(' | ')' | '|' | '{' | '}' | '^' | '$' | ']' => return None,
            c => text.push(c),
        }
    }
    Some(text)
}

/// The text with single spaces for blanks.
pub(super) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, bytes: Option<&str>, whole: bool) -> Pattern {
        let bytes = Ok(bytes.map(|bytes| bytes.parse::<Window>().unwrap().into()));
        Pattern::Line { text: text.to_owned(), bytes, whole }
    }

    #[test]
    fn a_prefix_is_found_as_filecheck_finds_it() {
        let prefixes = ["GFX9".to_owned(), "GFX9-ERR".to_owned()];
        let found =
            |comment| check(comment, &prefixes).map(|(prefix, place, text)| format!("{prefix} {place:?} {text}"));
        assert_eq!(found(" GFX9: v_a").as_deref(), Some("GFX9 Plain v_a"));
        assert_eq!(found("GFX9-ERR: error:").as_deref(), Some("GFX9-ERR Plain error:"));
        assert_eq!(found("GFX9-ERR-NEXT:{{^}} ^").as_deref(), Some("GFX9-ERR Next {{^}} ^"));
        assert_eq!(found("see GFX9-SAME: x").as_deref(), Some("GFX9 Same x"));
        assert_eq!(found("GFX9-NOT: error").as_deref(), Some("GFX9 Apart error"));
        assert_eq!(found("GFX9-COUNT-2: x").as_deref(), Some("GFX9 Strange x"));
        for none in ["NOGFX9: x", "X-GFX9: x", "GFX90: x", "GFX9 : x", "GFX9-FOO: x"] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn a_line_is_read_with_its_encoding() {
        let word = Some("d38a4000 18020280");
        let full = "v_pk_add_u16 v0,  0, v1    ; encoding: [0x00,0x40,0x8a,0xd3,0x80,0x02,0x02,0x18]";
        assert_eq!(pattern(1, full, false), line("v_pk_add_u16 v0, 0, v1", word, true));
        let slashes = "v_x v0 // encoding: {{\\[}}0x00,0x40,0x8a,0xd3,0x80,0x02,0x02,0x18]";
        assert_eq!(pattern(1, slashes, false), line("v_x v0", word, true));
        let reason = |list: &str| match pattern(1, &format!("v_x v0 ; encoding: {list}"), false) {
            Pattern::Line { bytes, .. } => bytes.err(),
            _ => None,
        };
        let malformed = "the encoding in the check is not only bytes such as 0x05";
        assert_eq!(reason("[0x00,A,0x80,0xbf]"), Some(malformed));
        assert_eq!(reason("[0x00,{{.*}}]"), Some("the check has a regular expression"));
        assert_eq!(reason("[0x00,0x40"), None);
        assert_eq!(pattern(1, "v_x v{{\\[}}0:1]{{$}}", false), line("v_x v[0:1]", None, true));
        assert_eq!(pattern(1, "v_x v{{[[]}}0:1{{]}}", false), Pattern::Unread("the check has a regular expression"));
        assert_eq!(pattern(1, "v_x", false), line("v_x", None, false));
        assert_eq!(pattern(1, "v_x", true), line("v_x", None, true));
        assert_eq!(pattern(1, "v_x {{.*}}", false), Pattern::Unread("the check has a regular expression"));
        assert_eq!(pattern(1, "v_x [[A]]", false), Pattern::Unread("the check has a variable"));
        assert_eq!(pattern(1, ".text", false), Pattern::Nothing);
        assert_eq!(pattern(1, "{{^}}      ^", false), Pattern::Nothing);
    }

    #[test]
    fn an_error_is_read_with_its_line_and_message() {
        let error = |line, message: &str| Pattern::Error(line, Some(message.to_owned()));
        assert_eq!(pattern(9, ":[[@LINE-2]]:{{[0-9]+}}: error: not here.", false), error(Some(7), "not here."));
        assert_eq!(pattern(9, "{{.*}}:[[#@LINE + 1]]:12: error: no", false), error(Some(10), "no"));
        assert_eq!(pattern(9, "[[@LINE]]:1: error: no", false), error(Some(9), "no"));
        assert_eq!(pattern(9, "error: no", false), error(None, "no"));
        assert_eq!(pattern(9, "error:", false), Pattern::Error(None, None));
        assert_eq!(pattern(9, "error: {{a|b}}", false), Pattern::Error(None, None));
        assert_eq!(pattern(9, ":[[@LINE-1]]:2: warning: invalid", false), Pattern::Warning(Some(8)));
        assert!(matches!(pattern(9, "[[@LINE-10]]: error: no", false), Pattern::Unread(_)));
        assert!(matches!(pattern(9, "[[@LINE*2]]: error: no", false), Pattern::Unread(_)));
        assert!(matches!(pattern(9, "{{error|warning}}: no", false), Pattern::Unread(_)));
    }
}
