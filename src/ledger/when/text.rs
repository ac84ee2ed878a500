//! What a predicate can ask of the text that is assembled.

use super::Clause;

/// A text as predicates look at it: however it is spaced, whatever its case.
#[derive(Clone, Debug)]
pub struct Spelled {
    /// Without white space, in lower case.
    bare: String,
    is_reordered: bool,
}

impl Spelled {
    /// Looks at a text once, for all clauses.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        Self { bare: lower.split_whitespace().collect(), is_reordered: !modifiers(&lower).is_sorted() }
    }
}

impl Clause {
    /// Whether the text, if the clause looks at one, is as it says.
    #[must_use]
    pub fn holds_of_text(&self, text: Option<&Spelled>) -> bool {
        let has_part = |text: &Spelled| self.text.iter().any(|part| text.bare.contains(part));
        (self.text.is_empty() || text.is_some_and(has_part))
            && self.reordered.is_none_or(|wanted| text.is_some_and(|text| text.is_reordered == wanted))
    }
}

/// Modifiers in the order in which LLVM prints them, those of DPP's lanes being one.
const ORDER: [&str; 23] = [
    "op_sel",
    "op_sel_hi",
    "index_key",
    "cbsz",
    "abid",
    "blgp",
    "matrix_a_fmt",
    "matrix_b_fmt",
    "matrix_a_scale",
    "matrix_b_scale",
    "matrix_a_scale_fmt",
    "matrix_b_scale_fmt",
    "matrix_a_reuse",
    "matrix_b_reuse",
    "neg",
    "neg_lo",
    "neg_hi",
    "clamp",
    "dpp",
    "row_mask",
    "bank_mask",
    "bound_ctrl",
    "fi",
];

/// Those that have no value.
const FLAGS: [&str; 3] = ["matrix_a_reuse", "matrix_b_reuse", "clamp"];

/// The places in [`ORDER`] of the modifiers of a text, as they come.
fn modifiers(text: &str) -> Vec<usize> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut places = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_of_word) {
        let word = &rest[start..];
        let end = word.find(|c| !is_of_word(c)).unwrap_or(word.len());
        rest = &word[end..];
        let name = lanes(&word[..end]);
        if rest.trim_start().starts_with(':') || FLAGS.contains(&name) || name == "dpp" {
            places.extend(ORDER.iter().position(|known| *known == name));
        }
    }
    places
}

/// `dpp` for whatever names lanes: `row_shl`, `quad_perm`.
fn lanes(name: &str) -> &str {
    match name {
        "row_mask" => name,
        "quad_perm" | "dpp8" => "dpp",
        _ if name.starts_with("row_") || name.starts_with("wave_") => "dpp",
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(clause: &str, text: &str) -> bool {
        toml::from_str::<Clause>(clause).unwrap().holds_of_text(Some(&Spelled::new(text)))
    }

    #[test]
    fn spacing_and_case_do_not_matter() {
        for text in ["v_x v0, | lit(0x3C00) |", "v_x v0, |LIT(0x3c00)|", "v_x v0,|lit( 0x3c00)|"] {
            assert!(holds("text = ['|lit(']", text), "{text}");
        }
        assert!(holds("text = ['op_sel:[0,0,1]']", "v_x v0, v1 op_sel : [0, 0, 1]"));
        assert!(!holds("text = ['op_sel:[0,0,1]']", "v_x v0, v1 op_sel:[0,1,1]"));
        assert!(!toml::from_str::<Clause>("text = ['lit(']").unwrap().holds_of_text(None));
    }

    #[test]
    fn modifiers_in_another_order_than_llvm_prints_them() {
        for (text, reordered) in [
            ("v_x v0, neg(v1), v2 op_sel:[0,1] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[0,1] clamp", false),
            ("v_x v0, v1, v2 op_sel_hi:[0,1] op_sel:[0,1]", true),
            ("v_x v0, v1, v2 clamp op_sel_hi:[0,1]", true),
            ("v_x v0, v1, v2 cbsz:1 abid:2 blgp:3", false),
            ("v_x v0, v1, v2 abid:1 cbsz:2", true),
            ("v_x v0, v1, v2 neg:[1,0,0] cbsz:1", true),
            ("v_x v0, v1, v2 matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_reuse neg_lo:[0,0,1]", false),
            ("v_x v0, v1, v2 matrix_b_reuse matrix_a_reuse", true),
            ("v_x v0, v1, v2 clamp row_shl:1 row_mask:0x1 bank_mask:0x1 bound_ctrl:1 fi:1", false),
            ("v_x v0, v1, v2 row_mirror clamp", true),
            ("v_x v0, v1, v2 row_mask:1 quad_perm:[0,1,2,3]", true),
        ] {
            assert_eq!(holds("reordered = true", text), reordered, "{text}");
        }
    }
}
