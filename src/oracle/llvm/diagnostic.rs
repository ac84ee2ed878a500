//! `<stdin>:LINE:COLUMN: error: MESSAGE`: what `llvm-mc` says on stderr of a line of its input.

/// One such line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Diagnostic<'a> {
    /// From 1 on.
    pub line: usize,
    /// From 1 on, in bytes.
    pub column: usize,
    pub severity: Severity,
    pub message: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    Error,
    Warning,
}

impl<'a> Diagnostic<'a> {
    /// Reads a line of stderr; `None` if it is something else, such as the source line and the caret that follow.
    pub fn parse(line: &'a [u8]) -> Option<Self> {
        let (line, rest) = number(line.strip_prefix(b"<stdin>:")?)?;
        let (column, rest) = number(rest)?;
        let (severity, message) = match (rest.strip_prefix(b" error: "), rest.strip_prefix(b" warning: ")) {
            (Some(message), _) => (Severity::Error, message),
            (None, Some(message)) => (Severity::Warning, message),
            (None, None) => return None,
        };
        Some(Self { line, column, severity, message })
    }
}

/// The number at the start, and what is behind the colon that follows it.
fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(len);
    Some((str::from_utf8(digits).ok()?.parse().ok()?, rest.strip_prefix(b":")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stderr_is_a_diagnostic_or_something_else() {
        let error = Diagnostic { line: 12, column: 3, severity: Severity::Error, message: b"a: b" };
        assert_eq!(Diagnostic::parse(b"<stdin>:12:3: error: a: b"), Some(error));
        let warning = Diagnostic { severity: Severity::Warning, ..error };
        assert_eq!(Diagnostic::parse(b"<stdin>:12:3: warning: a: b"), Some(warning));
        for other in ["", "   ^", "<stdin>:12:3: note: a", "<stdin>:12: error: a", "<unknown>:0: error: a", "v_a v0"] {
            assert_eq!(Diagnostic::parse(other.as_bytes()), None, "{other}");
        }
    }
}
