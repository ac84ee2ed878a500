//! Operands that LLVM computes: `1+1`, `x` after `x=1`. We take no more than one line, without arithmetic.

use crate::asm::{AssembleError, Place, assemble};
use crate::codec::Style;
use crate::isa::{SPECIALS, Target};

/// Why such a text is skipped.
pub(super) const REASON: &str = "an expression or a symbol";

/// Scalars that LLVM names otherwise than it prints them, or that no VOP3P instruction reads.
const OTHER_REGISTERS: &[&str] = &[
    "scc",
    "vccz",
    "execz",
    "lds_direct",
    "shared_base",
    "shared_limit",
    "private_base",
    "private_limit",
    "pops_exiting_wave_id",
    "off",
    "flat_scratch",
    "flat_scratch_lo",
    "flat_scratch_hi",
    "xnack_mask",
    "xnack_mask_lo",
    "xnack_mask_hi",
    "tba",
    "tba_lo",
    "tba_hi",
    "tma",
    "tma_lo",
    "tma_hi",
];

/// Whether a text that LLVM takes is refused by us at an operand that has an expression or a symbol.
pub(super) fn is_needed(target: Target, text: &str) -> bool {
    let Err(AssembleError::Parse(error)) = assemble(target, text, Style::Llvm) else { return false };
    if error.place == Place::Mnemonic {
        return false;
    }
    let at = text.char_indices().nth(error.column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    // Of `1+1` we read the one as an operand, and fail behind it.
    let end = text[at..].find(',').map_or(text.len(), |comma| at + comma);
    let operands = text[..end].trim_start().split_once(char::is_whitespace).map_or("", |(_, operands)| operands);
    has_expression(operands)
}

/// What stands before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Sign,
    Number,
    Register,
}

/// Whether there is an operator between numbers, or a name that is no register, before the modifiers.
fn has_expression(operands: &str) -> bool {
    let (mut before, mut depth, mut in_bars) = (Before::Nothing, 0_usize, false);
    let mut rest = operands;
    while let Some(c) = rest.chars().next() {
        let is_behind = matches!(before, Before::Number | Before::Register);
        let len = token_len(rest, c);
        let (token, after) = rest.split_at(len);
        rest = after;
        before = match c {
            c if c.is_whitespace() => before,
            '0'..='9' | '.' if is_number(token) => Before::Number,
            c if is_name_char(c) => {
                // A modifier: behind an operand without a comma, or with a value.
                if depth == 0 && (is_behind || rest.starts_with(':')) {
                    return false;
                }
                if let (Some(inner), "neg" | "abs" | "sext" | "lit" | "lit64") = (rest.strip_prefix('('), token) {
                    rest = inner;
                    Before::Nothing
                } else if is_register(token, rest.starts_with('[')) {
                    Before::Register
                } else {
                    return true;
                }
            }
            ',' | ':' => Before::Nothing,
            '[' => {
                depth += 1;
                Before::Nothing
            }
            ']' => {
                depth = depth.saturating_sub(1);
                Before::Register
            }
            ')' => Before::Register,
            '|' if in_bars || !is_behind => {
                in_bars = !in_bars;
                if in_bars { Before::Nothing } else { Before::Register }
            }
            '(' => return !is_behind,
            '~' | '!' => return true,
            // Behind a register another operand may begin.
            '+' | '-' if matches!(before, Before::Nothing | Before::Register) => Before::Sign,
            '+' | '-' | '*' | '/' | '%' | '<' | '>' | '&' | '^' | '|' | '=' => return before != Before::Nothing,
            _ => return false,
        };
    }
    false
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

fn is_number(token: &str) -> bool {
    token.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit())
}

/// How long the token is that begins with this character; `1e-5` and `0x1p-3` are one.
fn token_len(text: &str, first: char) -> usize {
    if !is_name_char(first) {
        return first.len_utf8();
    }
    let word = |text: &str| text.find(|c| !is_name_char(c)).unwrap_or(text.len());
    let len = word(text);
    let token = &text[..len];
    let exponent = if token.starts_with("0x") { ['p', 'P'] } else { ['e', 'E'] };
    if is_number(token) && token.ends_with(exponent) && text[len..].starts_with(['+', '-']) {
        return len + 1 + word(&text[len + 1..]);
    }
    len
}

fn is_register(name: &str, has_bracket: bool) -> bool {
    let bank = name.strip_suffix(".l").or_else(|| name.strip_suffix(".h")).unwrap_or(name);
    let number = bank.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_bank = matches!(&bank[..bank.len() - number.len()], "v" | "s" | "a" | "acc" | "ttmp");
    (is_bank && if number.is_empty() { has_bracket } else { number.chars().all(|c| c.is_ascii_digit()) })
        || name.starts_with("src_")
        || OTHER_REGISTERS.contains(&name)
        || SPECIALS.iter().any(|row| row.name == name || row.wide_name == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_that_is_computed_is_told_from_one_that_is_wrong() {
        let target = "gfx1100".parse().unwrap();
        let needed = |operands: &str| is_needed(target, &format!("v_pk_add_f16 {operands}"));
        for operands in [
            "v0, 1+1, v2",
            "v0, 1 - 1, v2",
            "v0, v1, 1<<2 op_sel:[0,0]",
            "v0, v1, (1)",
            "v0, ~1, v2",
            "v0, - -1, v2",
            "v0, 0x10*2, v2",
            "v0, x, v2",
            "v0, -x, v2",
            "v0, v1, sym.x op_sel_hi:[0,0]",
            "v0, lit(x), v2",
            "v0, |x|, v2",
            "v0, 1|2, v2",
            "v[x], v1, v2",
            "v[1+1], v1, v2",
            "v0, v, v2",
        ] {
            assert!(needed(operands), "{operands}");
        }
        for operands in [
            "v0, 1, v2",
            "v0, v1",
            "v0, v1, v2 clump",
            "v0, v1, v2 op_sle:[0,0]",
            "v0, v1, v2 op_sel:[x,0]",
            "v0, v1, v2, op_sel:[1+1,0]",
            "v0, v999, v2",
            "v0, ttmp99, v2",
            "v0, src_unknown, v2",
            "v0, flat_scratch, v2",
            "v0, -1e-5x, v2",
            "v0, 0x1p-3, v2",
            "v0, |v1, v2",
            "v0, v1, é",
            "v0, \"é\", v2",
            "",
        ] {
            assert!(!needed(operands), "{operands}");
        }
        assert!(!is_needed(target, "v_pk_unknown v0, x, v2"));
    }
}
