//! The lines of a findings file.
//!
//! The first is the [`Header`]. Then, for each unit in order, what it shows ([`Seen`], one line a kind of difference and
//! place) and what became of its windows ([`Unit`]): with that line the unit is complete. No time, path or address
//! stands in it: two runs of the same sweep are equal byte for byte.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::codec::Window;
use crate::compare::Kind;
use crate::isa::Target;

/// Version of the lines.
pub const SCHEMA: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The first.
    Header(Header),
    /// A difference.
    Seen(Seen),
    /// The end of a unit.
    Unit(Unit),
}

/// What is swept, with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Version of this crate.
    pub vop3p: String,
    /// The LLVM that is held against us.
    pub llvm: Tools,
    /// The LLVM that is held against that one, in our place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub against: Option<Tools>,
    /// SHA-256 of the ledger.
    pub ledger: String,
    /// What was chosen.
    pub choice: Choice,
    /// Targets that were chosen and that LLVM does not know; they are not swept.
    #[serde(with = "as_texts")]
    pub unknown: Vec<Target>,
    /// Which part of the units this file has.
    pub shard: Shard,
    /// Units of the whole sweep.
    pub units: u64,
    /// Windows of the whole sweep.
    pub windows: u64,
}

/// One build of LLVM's tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tools {
    /// As `llvm-mc --version` says it.
    pub version: String,
    /// SHA-256 of the two programs and of the libraries of LLVM beside them.
    pub sha256: String,
}

/// What is swept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The targets, in order; only those that LLVM knows.
    #[serde(with = "as_texts")]
    pub targets: Vec<Target>,
    /// AMD's names of the opcodes; empty: all, and the numbers that are none.
    pub opcodes: Vec<String>,
    /// Whether words are decoded.
    pub decode: bool,
    /// Whether texts are assembled.
    pub assemble: bool,
    /// Whether targets with the same tables are swept whole each, where otherwise one stands for all.
    pub each: bool,
}

/// A part of a sweep: of every `of` units the one with this number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1 to `of`.
    pub index: u64,
    /// How many parts there are.
    pub of: u64,
}

/// Which way a difference was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// A word was decoded.
    Decode,
    /// The text that we print for the word was assembled.
    Assemble,
    /// The text that LLVM prints for the word was assembled by LLVM.
    Reassemble,
}

/// A difference, and how often the unit shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The unit.
    pub unit: u64,
    /// The target.
    #[serde(with = "as_text")]
    pub target: Target,
    /// AMD's name of the opcode; `#17` where the number is none.
    pub opcode: String,
    /// What was varied: `modifiers`, `src0`, `classes`, ...
    pub space: String,
    /// Which way.
    pub direction: Direction,
    /// A window that shows it.
    #[serde(with = "as_text")]
    pub window: Window,
    /// Whether fixed padding followed the window.
    pub padded: bool,
    /// The text that was assembled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// What kind of difference.
    pub kind: Kind,
    /// The field responsible.
    pub field: String,
    /// Our value; of two LLVMs, the first one's.
    pub ours: String,
    /// LLVM's.
    pub theirs: String,
    /// The ledger entry that explains it; nothing: it is new.
    pub entry: Option<String>,
    /// Windows that show the same, this one included and those left out behind it.
    pub count: u64,
}

/// A unit, complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its number, from 0.
    pub unit: u64,
    /// The target.
    #[serde(with = "as_text")]
    pub target: Target,
    /// What became of its windows.
    pub counts: Counts,
    /// Windows by what was varied.
    pub spaces: BTreeMap<String, u64>,
    /// For a target that another one stands for: whether LLVM answers the same about both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alike: Option<Alike>,
}

/// What became of windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Windows judged.
    pub windows: u64,
    /// Of those: no difference and nothing to note.
    pub agreed: u64,
    /// No difference, and our decoder notes a rule.
    pub noted: u64,
    /// Every difference is in the ledger.
    pub known: u64,
    /// A difference that the ledger lacks.
    pub new: u64,
    /// Texts assembled, each once a unit: ours, and LLVM's where it prints another one.
    pub texts: u64,
    /// Of those: the same bytes.
    pub texts_agreed: u64,
    /// Both sides refuse the text.
    pub texts_refused: u64,
    /// Every difference is in the ledger.
    pub texts_known: u64,
    /// A difference that the ledger lacks.
    pub texts_new: u64,
    /// Windows left out because words like them are known to kill LLVM, and some of them have been judged.
    pub rationed: u64,
    /// Windows on which a tool died.
    pub deaths: u64,
}

/// How far LLVM's answers about two targets are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alike {
    /// The target that stands for this one.
    #[serde(with = "as_text")]
    pub like: Target,
    /// Windows put to LLVM for both.
    pub windows: u64,
    /// Windows on which its answers differ.
    pub differ: u64,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first: Option<String>,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.windows += other.windows;
        self.agreed += other.agreed;
        self.noted += other.noted;
        self.known += other.known;
        self.new += other.new;
        self.texts += other.texts;
        self.texts_agreed += other.texts_agreed;
        self.texts_refused += other.texts_refused;
        self.texts_known += other.texts_known;
        self.texts_new += other.texts_new;
        self.rationed += other.rationed;
        self.deaths += other.deaths;
    }
}

/// A value as the text that it reads from.
pub(crate) mod as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Values as the texts that they read from.
pub(crate) mod as_texts {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_is_written() {
        let text = r##"{"seen":{"unit":3,"target":"gfx1100:w64","opcode":"#17","space":"src0","direction":"decode","window":"cc0f60e0 180207e0","padded":true,"kind":"acceptance","field":"word","ours":"a","theirs":"b","entry":null,"count":7}}"##;
        let line: Line = serde_json::from_str(text).unwrap();
        let Line::Seen(seen) = &line else { panic!("{line:?}") };
        assert_eq!((seen.target.to_string().as_str(), seen.count), ("gfx1100:w64", 7));
        assert_eq!(serde_json::to_string(&line).unwrap(), text);
        let wrong = text.replace("gfx1100:w64", "gfx803");
        assert!(serde_json::from_str::<Line>(&wrong).unwrap_err().to_string().contains("has no VOP3P"));
    }
}
