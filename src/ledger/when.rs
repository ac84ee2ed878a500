//! The predicate of a ledger entry, on the raw fields of a window.
//!
//! It looks at bits and at the opcode table only, never at what our decoder made of the window: an entry must see a
//! case for what it is even when the decoder is wrong about it.

mod class;
mod show;
mod text;
mod tuple;

use serde::Deserialize;

use class::CLASSES;
pub use class::{Class, class_of};
pub use text::Spelled;
pub use tuple::TupleIs;

use super::set::Set;
use crate::codec::{Field, Window};
use crate::isa::{self, Generation, Opcode, PROCESSORS, Target};
use crate::plain::{opcode_number, plain_value, with_plain};

/// One clause: all of its conditions must hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Clause {
    /// Processors or generations; empty: all.
    #[serde(default)]
    pub targets: Vec<TargetName>,
    /// Opcodes; empty: all.
    #[serde(default)]
    pub opcodes: Vec<OpcodeName>,
    /// Fields or slices of fields (`op_sel[2]`, `literal[31:16]`) and what they hold.
    #[serde(default)]
    pub fields: Vec<FieldIs>,
    /// Further conditions of the same form, which set the scene and are no part of the cause.
    #[serde(default)]
    pub context: Vec<FieldIs>,
    /// A source the opcode has whose selector is in this set.
    pub source: Option<Set>,
    /// The sources `source` looks at; empty: all that the opcode has.
    #[serde(default)]
    pub slots: Vec<u8>,
    /// How many different scalar values the sources name.
    pub scalars: Option<Set>,
    /// Whether the window ends where a literal should follow: right behind the word or its DPP dword. Only possible
    /// without padding.
    pub cut_short: Option<bool>,
    /// Parts of the text, without white space and in lower case, of which one must be in it (entries about assembling).
    #[serde(default)]
    pub text: Vec<String>,
    /// Whether the modifiers of the text stand in another order than LLVM prints them (entries about assembling).
    pub reordered: Option<bool>,
    /// What is wrong with a register tuple of a matrix word.
    pub tuple: Option<TupleIs>,
    /// The wave size; nothing: either.
    pub wave: Option<u8>,
    /// Whether the word stands alone or is half of a scaled pair; nothing: either.
    pub half: Option<Half>,
}

/// What a word is to a scaled pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// Nothing: it stands alone.
    Lone,
    /// Its first word.
    Scale,
    /// Its second word.
    Body,
}

/// A processor or generation that exists.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TargetName(String);

impl TryFrom<String> for TargetName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = PROCESSORS.iter().any(|p| p.name == name || p.rules().name == name);
        if known { Ok(Self(name)) } else { Err(format!("`{name}` is no processor and no generation")) }
    }
}

impl TargetName {
    /// Whether the target is meant.
    #[must_use]
    pub fn covers(&self, target: Target) -> bool {
        target.cpu() == self.0 || target.rules().name == self.0
    }
}

/// `V_PK_FMA_F16`, a class of opcodes (`@mix`), or opcode numbers (`#64-74`).
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum OpcodeName {
    /// By AMD's name.
    Named(String),
    /// By class.
    Class(Class),
    /// By number, whether the target has such an opcode or not.
    Number(Set),
}

impl TryFrom<String> for OpcodeName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if let Some(numbers) = name.strip_prefix('#') {
            return Set::try_from(numbers.to_owned()).map(Self::Number);
        }
        if let Some((_, class)) = CLASSES.iter().find(|(known, _)| *known == name) {
            return Ok(Self::Class(*class));
        }
        let known = isa::rows().any(|row| row.amd == name);
        if known { Ok(Self::Named(name)) } else { Err(format!("`{name}` is no opcode and no class of opcodes")) }
    }
}

impl OpcodeName {
    fn covers(&self, target: Target, number: u8, opcode: Option<&Opcode>) -> bool {
        match (self, opcode) {
            (Self::Number(set), _) => set.contains(u32::from(number)),
            (_, None) => false,
            (Self::Named(name), Some(opcode)) => opcode.amd == name,
            (Self::Class(class), Some(opcode)) => class.covers(target, opcode),
        }
    }
}

/// A field, or a slice of its bits, and the values it must have: `op_sel[2] = 1`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct FieldIs {
    /// The field.
    pub field: Field,
    low: u32,
    width: u32,
    set: Set,
}

impl TryFrom<String> for FieldIs {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (name, set) = text.split_once('=').ok_or_else(|| format!("`{text}` is not `field = values`"))?;
        let name = name.trim();
        let (base, slice) = match name.split_once('[') {
            Some((base, slice)) => {
                let slice = slice.strip_suffix(']').ok_or_else(|| format!("`{name}` lacks its `]`"))?;
                (base, Some(slice))
            }
            None => (name, None),
        };
        let field = Field::from_name(base).ok_or_else(|| format!("`{base}` is no field"))?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| format!("`{name}` is no slice of a field"));
        let (low, width) = match slice.map(|slice| slice.split_once(':').unwrap_or((slice, slice))) {
            None => (0, field.width()),
            Some((hi, lo)) => {
                let (hi, lo) = (number(hi)?, number(lo)?);
                if hi < lo || hi >= field.width() {
                    return Err(format!("`{name}`: the field has {} bits", field.width()));
                }
                (lo, hi - lo + 1)
            }
        };
        let set = Set::try_from(set.trim().to_owned())?;
        if set.largest() > u32::MAX >> (32 - width) {
            return Err(format!("`{text}`: {name} has {width} bits"));
        }
        Ok(Self { field, low, width, set })
    }
}

impl FieldIs {
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    fn holds(&self, window: &Window) -> bool {
        self.set.contains(self.field.get(window) >> self.low & self.mask())
    }

    /// The window with the slice at its plainest.
    fn plain(&self, target: Target, window: &Window) -> Window {
        let keep = !(self.mask() << self.low);
        let value = self.field.get(window) & keep | plain_value(target, window, self.field) & !keep;
        self.field.set(*window, value)
    }
}

impl Clause {
    /// What makes the clause match everything or nothing, if anything.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        let is_empty = self.opcodes.is_empty() && self.fields.is_empty() && self.source.is_none();
        if is_empty
            && self.text.is_empty()
            && self.reordered.is_none()
            && self.scalars.is_none()
            && self.cut_short.is_none()
            && self.tuple.is_none()
        {
            Some("a clause without a condition matches every window")
        } else if self.text.iter().any(|part| part.contains(|c: char| c.is_whitespace() || c.is_ascii_uppercase())) {
            Some("`text` is looked for without white space and in lower case")
        } else if self.slots.iter().any(|slot| *slot > 2) {
            Some("`slots` are 0 to 2")
        } else if self.scalars.as_ref().is_some_and(|set| set.largest() > 3) {
            Some("`scalars` are 0 to 3")
        } else {
            None
        }
    }

    /// Whether some window of this target may meet the clause.
    #[must_use]
    pub fn may_hold_on(&self, target: Target) -> bool {
        let is_named = self.targets.is_empty() || self.targets.iter().any(|name| name.covers(target));
        is_named && self.wave.is_none_or(|wave| wave == target.wave())
    }

    /// The opcode numbers of the target that the clause speaks of.
    #[must_use]
    pub fn numbers(&self, target: Target) -> [bool; 256] {
        std::array::from_fn(|number| {
            let number = number as u8;
            let opcode = target.opcode(number);
            self.opcodes.is_empty() || self.opcodes.iter().any(|name| name.covers(target, number, opcode))
        })
    }

    /// Whether the window, which is such a half of a pair or stands alone, meets the conditions other than target and
    /// opcode.
    #[must_use]
    pub fn holds(&self, target: Target, window: &Window, half: Half) -> bool {
        if self.half.is_some_and(|wanted| wanted != half)
            || self.tuple.is_some_and(|fault| !fault.holds(target, window))
        {
            return false;
        }
        if !self.fields.iter().chain(&self.context).all(|condition| condition.holds(window)) {
            return false;
        }
        if self.cut_short.is_some_and(|cut| cut != is_cut_short(window)) {
            return false;
        }
        if self.source.is_none() && self.scalars.is_none() {
            return true;
        }
        let opcode = target.opcode(opcode_number(target, window));
        let count = opcode.map_or(3, Opcode::sources);
        if let Some(set) = &self.source
            && !self.slots_of(count).any(|slot| set.contains(Field::src(slot).get(window)))
        {
            return false;
        }
        self.scalars.as_ref().is_none_or(|set| set.contains(scalar_values(target, window, opcode)))
    }

    fn slots_of(&self, count: usize) -> impl Iterator<Item = usize> {
        (0..count).filter(|slot| self.slots.is_empty() || self.slots.contains(&(*slot as u8)))
    }

    /// The window with everything the clause names at its plainest, so that the entry no longer speaks of it.
    #[must_use]
    pub fn plain(&self, target: Target, window: &Window) -> Window {
        let mut plain = *window;
        for condition in &self.fields {
            plain = condition.plain(target, &plain);
        }
        let count = target.opcode(opcode_number(target, window)).map_or(3, Opcode::sources);
        if let Some(set) = &self.source {
            for slot in self.slots_of(count).filter(|slot| set.contains(Field::src(*slot).get(window))) {
                plain = with_plain(target, &plain, Field::src(slot));
            }
        }
        if self.scalars.is_some() {
            for slot in (0..count).filter(|slot| Field::src(*slot).get(window) < 256) {
                plain = with_plain(target, &plain, Field::src(slot));
            }
        }
        if let Some(fault) = self.tuple {
            plain = fault.plain(target, &plain);
        }
        if self.opcodes.iter().any(|name| matches!(name, OpcodeName::Number(_))) {
            plain = with_plain(target, &plain, Field::Op);
        }
        plain
    }
}

/// Whether no dword is left for a literal.
fn is_cut_short(window: &Window) -> bool {
    let has_dpp = matches!(Field::Src0.get(window), 233 | 234 | 250);
    window.dwords().len() < 3 + usize::from(has_dpp)
}

/// How many different scalar values the sources of a window name, a literal being one. By selector alone: what the
/// decoder takes for scalar is not asked.
fn scalar_values(target: Target, window: &Window, opcode: Option<&Opcode>) -> u32 {
    let count = opcode.map_or(3, Opcode::sources);
    let m0 = if target.generation() >= Generation::Rdna3 { 125 } else { 124 };
    let has_dpp = matches!(Field::Src0.get(window), 233 | 234 | 250);
    let mut seen = Vec::with_capacity(3);
    for slot in usize::from(has_dpp)..count {
        let selector = Field::src(slot).get(window);
        let is_scalar =
            matches!(selector, 0..=123 | 126 | 127 | 230 | 231 | 235..=239 | 251..=253 | 255) || selector == m0;
        if is_scalar && !seen.contains(&selector) {
            seen.push(selector);
        }
    }
    seen.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(text: &str) -> Clause {
        toml::from_str(text).unwrap()
    }

    fn holds(text: &str, cpu: &str, window: &str) -> bool {
        let (clause, target): (Clause, Target) = (clause(text), cpu.parse().unwrap());
        let window = window.parse().unwrap();
        clause.may_hold_on(target)
            && clause.numbers(target)[usize::from(opcode_number(target, &window))]
            && clause.holds(target, &window, Half::Lone)
    }

    #[test]
    fn conditions_look_at_raw_fields() {
        // v_pk_add_f16 v224, v224, v3 with OP_SEL[2] set
        let unused = "opcodes = ['@two-source']\nfields = ['op_sel[2] = 1']";
        assert!(holds(unused, "gfx1100", "cc0f60e0 180207e0"));
        assert!(!holds(unused, "gfx1100", "cc0f40e0 180207e0"));
        assert!(!holds(unused, "gfx1100", "cc0e60e0 1c0e07e0"));
        assert!(holds("targets = ['vega']\nsource = 'literal'", "gfx900", "d38f4000 180202ff"));
        assert!(!holds("targets = ['vega']\nsource = 'literal'", "gfx906", "d38f4000 180202ff"));
        assert!(holds("scalars = '2-3'", "gfx900", "d38e4000 1c0c0401"));
        assert!(!holds("scalars = '2-3'", "gfx900", "d38e4000 1c0c0400".replace("1c0c0400", "1c0e0401").as_str()));
        assert!(holds("opcodes = ['#64-74']", "gfx1250", "cc404000 1c0e0501"));
        // The unused source 2 of a two-source opcode is no source.
        assert!(!holds("source = 'literal'", "gfx900", "d38f4000 1bfe0501"));
    }

    #[test]
    fn plain_removes_what_the_clause_names() {
        let target: Target = "gfx1100".parse().unwrap();
        let plain = |text: &str, window: &str| clause(text).plain(target, &window.parse().unwrap()).to_string();
        assert_eq!(plain("fields = ['op_sel[2] = 1']", "cc0f68e0 180207e0"), "cc0f48e0 180207e0");
        // Source 0 becomes v2.
        assert_eq!(plain("source = 'literal'", "cc0f40e0 180206ff"), "cc0f40e0 18020702");
    }

    #[test]
    fn what_is_no_clause() {
        let fails = |text: &str| toml::from_str::<Clause>(text).unwrap_err().to_string();
        assert!(fails("opcodes = ['V_NOPE']").contains("`V_NOPE` is no opcode"));
        assert!(fails("fields = ['nope = 1']").contains("`nope` is no field"));
        assert!(fails("fields = ['op_sel[3] = 1']").contains("the field has 3 bits"));
        assert!(fails("targets = ['gfx803']").contains("`gfx803` is no processor"));
        assert!(fails("frob = 1").contains("unknown field `frob`"));
    }
}
