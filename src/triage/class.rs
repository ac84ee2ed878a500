//! What sort of answer each side gave: what two findings of one cause have in common, beside the field.

use crate::compare::Kind;
use crate::sweep::record::Direction;

use super::probe::Shown;

/// The two sides' sorts.
pub type Classes = (String, String);

/// A difference, as minimising and clustering tell it from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Which way.
    pub direction: Direction,
    /// What kind.
    pub kind: Kind,
    /// The field, with its slot.
    pub field: String,
    /// The sorts of the answers, where another sort is another cause. Of an operand or a modifier the plainest word that
    /// shows a difference of the field may well show other values.
    pub fixed: Option<Classes>,
}

impl Key {
    /// Of a difference.
    #[must_use]
    pub fn of(direction: Direction, shown: &Shown) -> Self {
        let is_fixed = match shown.kind {
            Kind::Crash | Kind::Operand | Kind::Modifier | Kind::Encoding | Kind::Resync => false,
            Kind::Reassembly => shown.field == "text",
            Kind::Acceptance
            | Kind::Length
            | Kind::Mnemonic
            | Kind::ToolsDiffer
            | Kind::LedgerSilent
            | Kind::NoteUnexplained
            | Kind::Assembling => true,
        };
        let fixed = is_fixed.then(|| classes(shown));
        Self { direction, kind: shown.kind, field: shown.field.clone(), fixed }
    }

    /// Whether it is this difference, and the ledger lacks it.
    #[must_use]
    pub fn is_new(&self, shown: &Shown) -> bool {
        shown.entry.is_none() && *self == Self::of(self.direction, shown)
    }

    /// The key with any slot for the one it has.
    #[must_use]
    pub fn without_slot(&self) -> Self {
        Self { field: without_slot(&self.field).to_owned(), ..self.clone() }
    }
}

/// `src` for a source, whichever.
#[must_use]
pub fn without_slot(field: &str) -> &str {
    if slot_of(field).is_some() { "src" } else { field }
}

/// The slot of a source field.
#[must_use]
pub fn slot_of(field: &str) -> Option<usize> {
    match field {
        "src0" => Some(0),
        "src1" => Some(1),
        "src2" => Some(2),
        _ => None,
    }
}

/// The sorts of both answers.
#[must_use]
pub fn classes(shown: &Shown) -> Classes {
    let (ours, theirs) = (shown.ours.as_str(), shown.theirs.as_str());
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    match shown.kind {
        Kind::Acceptance => pair(accepted(ours), accepted(theirs)),
        Kind::Crash => pair(if ours.starts_with("dies") { "dies" } else { "lives" }, alive(theirs)),
        Kind::Operand => pair(operand(ours), operand(theirs)),
        Kind::Mnemonic => {
            let (a, b) = (mnemonic(ours), mnemonic(theirs));
            if a <= b { pair(a, b) } else { pair(b, a) }
        }
        Kind::Assembling => pair(assembled(ours), assembled(theirs)),
        Kind::Reassembly if shown.field == "text" => pair("word", assembled(theirs)),
        Kind::ToolsDiffer => pair(said(ours), said(theirs)),
        Kind::Length | Kind::LedgerSilent | Kind::NoteUnexplained => pair(ours, theirs),
        Kind::Modifier | Kind::Encoding | Kind::Reassembly | Kind::Resync => pair("", ""),
    }
}

/// `undefined (why)`, `rejects`, `annotates: text`, or an instruction.
fn accepted(answer: &str) -> &str {
    match answer.strip_prefix("undefined (").and_then(|rest| rest.split_once(')')) {
        Some((why, _)) => why,
        None if answer == "rejects" => "rejects",
        None if answer.starts_with("annotates") || answer.contains("/*") => "annotates",
        None => "accepts",
    }
}

fn alive(answer: &str) -> &str {
    if answer.starts_with("dies") { "dies" } else { "lives" }
}

fn mnemonic(answer: &str) -> &str {
    answer.split_whitespace().next().unwrap_or_default()
}

/// Dwords, `refuses: message (rule)` of ours, or `refuses: message` of LLVM's.
fn assembled(answer: &str) -> &str {
    let Some(message) = answer.strip_prefix("refuses") else {
        return if answer.ends_with("with a symbol") { "symbol" } else { "assembles" };
    };
    let id = message.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let is_id =
        |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    id.map(|(_, id)| id).filter(|id| is_id(id)).unwrap_or("refuses")
}

/// `llvm-mc: what it said`.
fn said(answer: &str) -> &str {
    let said = answer.split_once(": ").map_or(answer, |(_, said)| said);
    match accepted(said) {
        "accepts" if said.starts_with("dies") => "dies",
        sort => sort,
    }
}

/// What an operand is, by its spelling.
#[must_use]
pub fn operand(text: &str) -> &'static str {
    if text.contains(' ') {
        return "unreadable";
    }
    let is_register = |prefix: &str| {
        let rest = text.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with('[') || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let number = text.strip_prefix('-').unwrap_or(text);
    match number.parse::<u32>() {
        Ok(value) if value <= 64 => return "inline constant",
        Ok(_) => return "literal",
        Err(_) => {}
    }
    if is_register("v") {
        "VGPR"
    } else if is_register("a") {
        "AccVGPR"
    } else if is_register("s") {
        "SGPR"
    } else if is_register("ttmp") {
        "TTMP"
    } else if number.starts_with("0x") || number.starts_with("lit") {
        "literal"
    } else if number.starts_with(|c: char| c.is_ascii_digit()) {
        "inline constant"
    } else {
        "special register"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: Kind, ours: &str, theirs: &str) -> Shown {
        let entry = None;
        Shown { kind, field: "word".to_owned(), ours: ours.to_owned(), theirs: theirs.to_owned(), entry }
    }

    #[test]
    fn answers_of_one_sort_are_one_class() {
        let sorts = |kind, ours: &str, theirs: &str| classes(&shown(kind, ours, theirs));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            sorts(Kind::Acceptance, "undefined (reserved-selector)", "v_pk_add_f16 v0, 0, v2"),
            pair("reserved-selector", "accepts")
        );
        assert_eq!(sorts(Kind::Acceptance, "v_pk_add_f16 v0, v1, v2", "rejects"), pair("accepts", "rejects"));
        assert_eq!(sorts(Kind::Mnemonic, "v_pk_mul_f16", "v_pk_add_f16"), pair("v_pk_add_f16", "v_pk_mul_f16"));
        assert_eq!(
            sorts(Kind::Assembling, "refuses: more scalars (two at most) (scalar-limit)", "d38f4000 18020501"),
            pair("scalar-limit", "assembles")
        );
        assert_eq!(
            sorts(Kind::Assembling, "d38f4000 18020501", "refuses: invalid operand (violates constant bus)"),
            pair("assembles", "refuses")
        );
        assert_eq!(
            sorts(Kind::ToolsDiffer, "llvm-mc: rejects", "llvm-objdump: v_pk_add_f16 v0, v1, v2"),
            pair("rejects", "accepts")
        );
    }

    #[test]
    fn operands_are_told_apart_by_their_spelling() {
        for (text, sort) in [
            ("v7", "VGPR"),
            ("v[2:3]", "VGPR"),
            ("a[0:31]", "AccVGPR"),
            ("s5", "SGPR"),
            ("ttmp3", "TTMP"),
            ("vcc", "special register"),
            ("src_scc", "special register"),
            ("64", "inline constant"),
            ("-16", "inline constant"),
            ("65", "literal"),
            ("0x1234", "literal"),
            ("-4.0", "inline constant"),
            ("0.15915494", "inline constant"),
            ("v_pk_add_f16 v0, v1, v2", "unreadable"),
        ] {
            assert_eq!(operand(text), sort, "{text}");
        }
    }

    #[test]
    fn a_source_is_a_source_in_any_slot() {
        assert_eq!((without_slot("src2"), without_slot("src"), without_slot("vdst")), ("src", "src", "vdst"));
        let key = Key::of(Direction::Decode, &Shown { field: "src1".to_owned(), ..shown(Kind::Operand, "v1", "s1") });
        assert_eq!((key.without_slot().field.as_str(), key.fixed), ("src", None));
    }
}
