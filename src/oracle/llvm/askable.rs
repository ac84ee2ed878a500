//! Which text is put to the assembler: only such as can be no more and no less than one instruction.
//!
//! A file of assembly is more than its lines: an open quote or comment goes on in the next one, `.macro`, `.if`, `.set`
//! and labels change what the others mean, `.rept` and `.include` are work without end. So text is let through that has
//! only characters an instruction may need and begins with a mnemonic; what it says then concerns nobody else.

use core::fmt;

/// Longer text than this is not put to the assembler: that it copes with size is another question.
pub const MOST_TEXT: usize = 1000;

/// Why a text was not put to the assembler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotAsked {
    /// It does not begin with a mnemonic: letters, digits, `_` and `.`, no digit or `.` first, a blank or nothing behind.
    NoMnemonic,
    /// What looks like the mnemonic is a label: a `:` follows.
    Label,
    /// A character that no instruction needs and that may mean something to the lines around it.
    Character(char),
    /// `//` or `/*`.
    Comment,
    /// A symbol that begins with `.` (the current address, the labels this oracle sets, counters that LLVM keeps), or a
    /// label such as `1f`, of which LLVM says at the end of the file whether there is one.
    Symbol,
    /// Longer than [`MOST_TEXT`].
    TooLong,
}

impl fmt::Display for NotAsked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMnemonic => f.write_str("it does not begin with a mnemonic"),
            Self::Label => f.write_str("it begins with a label"),
            Self::Character(character) => write!(f, "it contains {character:?}"),
            Self::Comment => f.write_str("it contains a comment"),
            Self::Symbol => f.write_str("it names a symbol that may be another line's"),
            Self::TooLong => write!(f, "it is longer than {MOST_TEXT} bytes"),
        }
    }
}

/// Finds what keeps a text from being put to the assembler.
pub(super) fn check(text: &str) -> Result<(), NotAsked> {
    if text.len() > MOST_TEXT {
        return Err(NotAsked::TooLong);
    }
    if let Some(other) = text.chars().find(|&character| !is_harmless(character)) {
        return Err(NotAsked::Character(other));
    }
    if text.contains("//") || text.contains("/*") {
        return Err(NotAsked::Comment);
    }
    let statement = text.trim_start_matches(BLANKS);
    let mnemonic_len = statement.find(|character| !is_of_name(character)).unwrap_or(statement.len());
    let (mnemonic, rest) = statement.split_at(mnemonic_len);
    if !mnemonic.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
        || !(rest.is_empty() || rest.starts_with(BLANKS))
    {
        return Err(NotAsked::NoMnemonic);
    }
    if rest.trim_start_matches(BLANKS).starts_with(':') {
        return Err(NotAsked::Label);
    }
    if rest.split(|character| !is_of_name(character)).any(|run| has_dot_symbol(run) || is_local_label(run)) {
        return Err(NotAsked::Symbol);
    }
    Ok(())
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Without quotes, `\`, `;`, `#`, `=`, `@`, `$`, `?`, braces, and whatever ends a line.
fn is_harmless(character: char) -> bool {
    character.is_ascii_alphanumeric() || "\t _.,:[]()|+-*/%&^~!<>".contains(character)
}

/// Letters, digits, `_` and `.`: what LLVM's names and numbers are made of.
fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '.'
}

/// Whether LLVM may see a symbol that begins with `.` in this run of [`is_of_name`]. It reads a run as one name if it
/// begins like one, and otherwise as a number and maybe a name behind: there a dot may only be a point with a digit
/// behind. (`1.` is a number, too, but of `01.`, `0x1p0.` and `0x1p-2.` the dot is the current address.)
fn has_dot_symbol(run: &str) -> bool {
    if run.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) {
        return false;
    }
    let Some((_, behind)) = run.split_once('.') else { return false };
    !behind.starts_with(|next: char| next.is_ascii_digit()) || behind.contains('.')
}

/// Whether LLVM may see a local label in this run, `1f` or `1b`; with a blank in it the letter is a run of its own.
fn is_local_label(run: &str) -> bool {
    let is_number = run.starts_with(|first: char| first.is_ascii_digit()) && !run.starts_with("0x");
    matches!(run, "b" | "f") || (is_number && run.ends_with(['b', 'f']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instruction_is_let_through() {
        for text in [
            "s_nop 1",
            "s_endpgm",
            "\t v_pk_fma_f16 v0, -v[1:2], |s3|, 0.5 op_sel:[1,0,1] neg_lo:[0,0,1] clamp ",
            "v_mov_b16 v0.l, v1.h",
            "v_pk_fma_f16 v0, v1, v2, .5",
            "v_pk_fma_f16 v0, v1, .5, 10.25",
            "v_pk_fma_f16 v0, v1, v2, 0x1.8p3",
            "v_pk_fma_f16 v[8/2], ~5, 1<<3, (3 % 2), 0xf, 0x1b, 0b1",
            "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3",
            "v_pk_fma_f16",
            "_ x",
            "v_pk.add v0",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        assert_eq!(check(&"v".repeat(MOST_TEXT)), Ok(()));
    }

    #[test]
    fn what_may_touch_another_line_is_not() {
        for (text, reason) in [
            ("", NotAsked::NoMnemonic),
            ("  \t", NotAsked::NoMnemonic),
            ("17", NotAsked::NoMnemonic),
            (".macro x", NotAsked::NoMnemonic),
            (" .if 0", NotAsked::NoMnemonic),
            (".rept 1000000", NotAsked::NoMnemonic),
            (".end", NotAsked::NoMnemonic),
            (".", NotAsked::NoMnemonic),
            ("1: s_nop 1", NotAsked::NoMnemonic),
            ("s_nop, 1", NotAsked::NoMnemonic),
            ("x: s_nop 1", NotAsked::NoMnemonic),
            ("x : s_nop 1", NotAsked::Label),
            ("x \t :", NotAsked::Label),
            ("x = 5", NotAsked::Character('=')),
            ("# 7 x", NotAsked::Character('#')),
            (".include \"/etc/passwd\"", NotAsked::Character('"')),
            ("s_nop 'a", NotAsked::Character('\'')),
            ("s_nop 1; s_nop 2", NotAsked::Character(';')),
            ("s_nop 1\ns_nop 2", NotAsked::Character('\n')),
            ("s_nop 1\r", NotAsked::Character('\r')),
            ("s_nop \0", NotAsked::Character('\0')),
            ("s_nop \\", NotAsked::Character('\\')),
            ("s_nop x@y", NotAsked::Character('@')),
            ("s_nop \u{e9}", NotAsked::Character('\u{e9}')),
            ("s_nop \u{2028}", NotAsked::Character('\u{2028}')),
            ("s_nop 1 /* open", NotAsked::Comment),
            ("s_nop 1 // x", NotAsked::Comment),
            ("v_mov_b32 v0, .", NotAsked::Symbol),
            ("v_mov_b32 v0, .-4", NotAsked::Symbol),
            ("v_mov_b32 v0, .L0", NotAsked::Symbol),
            ("v_mov_b32 v[.amdgcn.next_free_vgpr], v0", NotAsked::Symbol),
            ("v_mov_b32 v0, 5.L0", NotAsked::Symbol),
            ("v_mov_b32 v0, 1.5.L0", NotAsked::Symbol),
            ("v_mov_b32 v0, ..", NotAsked::Symbol),
            ("v_mov_b32 v0, 0x1p0.", NotAsked::Symbol),
            ("v_mov_b32 v0, 1.", NotAsked::Symbol),
            ("v_mov_b32 v0, 0x1p-2.", NotAsked::Symbol),
            ("v_mov_b32 v0, 01.", NotAsked::Symbol),
            ("s_branch 1f", NotAsked::Symbol),
            ("s_branch 12b", NotAsked::Symbol),
            ("s_branch 0b1f", NotAsked::Symbol),
            ("s_branch 0b", NotAsked::Symbol),
            ("s_branch 0x1 f", NotAsked::Symbol),
            ("v_mov_b32 v0, 1.L0", NotAsked::Symbol),
        ] {
            assert_eq!(check(text), Err(reason), "{text:?}");
        }
        assert_eq!(check(&"v".repeat(MOST_TEXT + 1)), Err(NotAsked::TooLong));
    }
}
