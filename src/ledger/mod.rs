//! The ledger: the known disagreements, each a cause with a predicate, a verdict and witnesses.

mod entry;
mod set;
mod when;

use std::path::{Path, PathBuf};

pub use entry::{Entry, EntryKind, OurAnswer, RESYNC, Shows, Status, TheirAnswer, Verdict};
pub use set::Set;
pub use when::{Clause, FieldIs, Half, OpcodeName, Spelled, TargetName};

use sha2::{Digest, Sha256};

use crate::codec::{Window, body_of};
use crate::isa::Target;
use crate::plain::opcode_number;

/// The ledger that ships with the crate: file name and text.
const BUILTIN: &[(&str, &str)] = &[
    ("assembler.toml", include_str!("../../corpus/ledger/assembler.toml")),
    ("documents.toml", include_str!("../../corpus/ledger/documents.toml")),
    ("fields.toml", include_str!("../../corpus/ledger/fields.toml")),
    ("matrix.toml", include_str!("../../corpus/ledger/matrix.toml")),
    ("permissive.toml", include_str!("../../corpus/ledger/permissive.toml")),
    ("refused.toml", include_str!("../../corpus/ledger/refused.toml")),
    ("selectors.toml", include_str!("../../corpus/ledger/selectors.toml")),
    ("versions.toml", include_str!("../../corpus/ledger/versions.toml")),
    ("words.toml", include_str!("../../corpus/ledger/words.toml")),
];

/// Known disagreements, in the order of their files.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: Vec<Entry>,
    /// SHA-256 of the texts, each with the hash of those before it in front.
    hash: [u8; 32],
}

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file or directory that cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not the TOML of a ledger; the message has line and column.
    #[error("{path}: {message}")]
    Toml {
        /// The file.
        path: PathBuf,
        /// The parser's message.
        message: String,
    },
    /// An entry that contradicts itself or lacks something.
    #[error("{path}: entry `{id}`: {message}")]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// A directory without a ledger.
    #[error("{path}: no *.toml file there")]
    Empty {
        /// The directory.
        path: PathBuf,
    },
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    entry: Vec<Entry>,
}

impl Ledger {
    /// The ledger that ships with the crate.
    ///
    /// # Errors
    /// Never for a released crate: its tests load it.
    pub fn builtin() -> Result<Self, LedgerError> {
        let mut ledger = Self::default();
        for (name, text) in BUILTIN {
            ledger.add_text(Path::new("corpus/ledger").join(name), text)?;
        }
        Ok(ledger)
    }

    /// Adds every `*.toml` of a directory, in the order of their names.
    ///
    /// # Errors
    /// If the directory has none, or one cannot be read.
    pub fn add_dir(&mut self, dir: &Path) -> Result<(), LedgerError> {
        let io = |source| LedgerError::Io { path: dir.to_owned(), source };
        let mut paths = Vec::new();
        for item in std::fs::read_dir(dir).map_err(io)? {
            let path = item.map_err(io)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(LedgerError::Empty { path: dir.to_owned() });
        }
        paths.sort();
        for path in paths {
            let text =
                std::fs::read_to_string(&path).map_err(|source| LedgerError::Io { path: path.clone(), source })?;
            self.add_text(path, &text)?;
        }
        Ok(())
    }

    fn add_text(&mut self, path: PathBuf, text: &str) -> Result<(), LedgerError> {
        let file: File = toml::from_str(text).map_err(|error| LedgerError::Toml {
            path: path.clone(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        for entry in file.entry {
            let fail = |message| LedgerError::Entry { path: path.clone(), id: entry.id.clone(), message };
            if let Some(flaw) = entry.flaw() {
                return Err(fail(flaw));
            }
            if self.get(&entry.id).is_some() {
                return Err(fail("the id is taken".to_owned()));
            }
            self.entries.push(entry);
        }
        self.hash = Sha256::new().chain_update(self.hash).chain_update(text).finalize().into();
        Ok(())
    }

    /// What tells this ledger from another one, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// This ledger with no entry silent anywhere, so that one which has begun to fire is seen.
    #[must_use]
    pub fn without_silence(&self) -> Self {
        let mut ledger = self.clone();
        ledger.entries.iter_mut().for_each(|entry| entry.silent.clear());
        ledger
    }

    /// The entries that may speak of decoding windows of this target under this version of LLVM, ready for matching.
    #[must_use]
    pub fn on(&self, target: Target, version: &str) -> Applicable<'_> {
        self.applicable(target, version, false)
    }

    /// The entries that may speak of assembling text for this target under this version of LLVM.
    #[must_use]
    pub fn on_assembling(&self, target: Target, version: &str) -> Applicable<'_> {
        self.applicable(target, version, true)
    }

    fn applicable(&self, target: Target, version: &str, of_assembler: bool) -> Applicable<'_> {
        let mut entries = Vec::new();
        // An entry about a wave size that there is not speaks of no window.
        let speaks = |entry: &&Entry| entry.kind.is_of_assembler() == of_assembler && entry.wave.is_none();
        for entry in self.entries.iter().filter(speaks) {
            let status = entry.status(version);
            let clauses: Vec<_> = entry
                .when
                .iter()
                .filter(|clause| clause.may_hold_on(target))
                .map(|clause| (clause, clause.numbers(target)))
                .collect();
            // The rule of an entry holds whatever LLVM does.
            if (status != Status::Silent || entry.rule.is_some()) && !clauses.is_empty() {
                entries.push(Armed { entry, status, clauses });
            }
        }
        Applicable { target, entries }
    }
}

/// The entries of a ledger that matter for one target and one LLVM.
#[derive(Debug)]
pub struct Applicable<'a> {
    target: Target,
    entries: Vec<Armed<'a>>,
}

#[derive(Debug)]
struct Armed<'a> {
    entry: &'a Entry,
    status: Status,
    clauses: Vec<(&'a Clause, [bool; 256])>,
}

/// An entry whose predicate holds for a window, with the clause that does.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// Whether it is known to fire on the LLVM at hand.
    pub status: Status,
    clause: &'a Clause,
    half: Half,
}

impl<'a> Applicable<'a> {
    /// The entries that speak of this window; of a scaled pair, those that speak of one of its words.
    pub fn matching(&self, window: &Window) -> impl Iterator<Item = Match<'a>> {
        self.matching_text(window, None)
    }

    /// The entries that speak of this window and the text that it is assembled from.
    pub fn matching_text(&self, window: &Window, text: Option<&str>) -> impl Iterator<Item = Match<'a>> {
        let words = words(self.target, window);
        let text = text.map(Spelled::new);
        self.entries.iter().filter_map(move |armed| {
            words.iter().flatten().find_map(|(half, word)| {
                let number = usize::from(opcode_number(self.target, word));
                let holds = |(clause, numbers): &&(&'a Clause, [bool; 256])| {
                    numbers[number] && clause.holds_of_text(text.as_ref()) && clause.holds(self.target, word, *half)
                };
                let (clause, _) = armed.clauses.iter().find(holds)?;
                Some(Match { entry: armed.entry, status: armed.status, clause, half: *half })
            })
        })
    }
}

/// The words of a window: itself, or the two halves of a pair.
fn words(target: Target, window: &Window) -> [Option<(Half, Window)>; 2] {
    let scale = target.opcode(opcode_number(target, window));
    let is_pair = window.dwords()[0] & target.rules().prefix.mask == target.rules().prefix.value
        && scale.is_some_and(|scale| body_of(target, scale, window).is_some());
    match (is_pair, Window::from_dwords(window.dwords().get(2..).unwrap_or_default())) {
        // Of the first word the second is in sight, as `body_…` fields.
        (true, Some(body)) => [Some((Half::Scale, *window)), Some((Half::Body, body))],
        _ => [Some((Half::Lone, *window)), None],
    }
}

impl Applicable<'_> {
    /// Whether the window is known to kill a tool.
    #[must_use]
    pub fn is_deadly(&self, window: &Window) -> bool {
        self.matching(window).any(|m| m.entry.kind == EntryKind::Crash && m.status == Status::Fires)
    }
}

impl Match<'_> {
    /// The window with everything the predicate names at its plainest.
    #[must_use]
    pub fn plain(&self, target: Target, window: &Window) -> Window {
        match self.half {
            Half::Lone | Half::Scale => self.clause.plain(target, window),
            Half::Body => {
                let body = Window::from_dwords(window.dwords().get(2..).unwrap_or_default()).unwrap_or(*window);
                let word = self.clause.plain(target, &body).word();
                window.with_dword(2, word as u32).with_dword(3, (word >> 32) as u32)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_ledger_loads_and_lists_every_file() {
        let ledger = Ledger::builtin().unwrap();
        assert!(!ledger.entries().is_empty());
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ledger");
        let mut files: Vec<_> =
            std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        assert_eq!(files, BUILTIN.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    }

    #[test]
    fn flaws_are_named_with_file_line_and_entry() {
        let fails = |text: &str| Ledger::default().add_text("x.toml".into(), text).unwrap_err().to_string();
        let head = "[[entry]]\nid = 'a'\nkind = 'acceptance'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n";
        assert!(fails("[[entry]]\nid = 1").contains("line 2, column 6"));
        assert_eq!(
            fails(&format!("{head}witnesses = []")),
            "x.toml: entry `a`: an entry of kind acceptance needs `[[entry.when]]`"
        );
        let when = "[[entry.when]]\nopcodes = ['@mix']";
        let sides = "ours = 'legal'\ntheirs = 'rejects'\n";
        let witness = "witnesses = ['gfx900 d3a00005 040e0480']\n";
        assert!(fails(&format!("{head}{witness}{when}")).ends_with("needs `ours` and `theirs`"));
        assert!(fails(&format!("{head}{sides}witnesses = ['gfx900 d3a0000']\n{when}")).contains("witness"));
        for text in ["lit(0x1), v2", "LIT("] {
            let when = format!("[[entry.when]]\ntext = ['{text}']");
            let flaw = fails(&format!("{head}{sides}{witness}{when}"));
            assert_eq!(flaw, "x.toml: entry `a`: `text` is looked for without white space and in lower case");
        }
        let wave = "wave = 64\nwitnesses = []\n";
        let document = head.replace("acceptance", "document");
        for (head, when) in [(head, "[[entry.when]]\ntargets = ['cdna5']"), (document.as_str(), when)] {
            let flaw = fails(&format!("{head}{wave}{when}"));
            assert_eq!(flaw, "x.toml: entry `a`: an entry with `wave` is of kind document, and names targets");
        }
        let twice = format!("{head}{sides}{witness}{when}\n{head}{sides}{witness}{when}");
        assert_eq!(fails(&twice), "x.toml: entry `a`: the id is taken");
    }
}
