//! The ledger: the causes of the known disagreements. Each has a verdict, and a predicate and witnesses for every way in
//! which it shows.

mod entry;
mod set;
mod shows;
mod sign;
mod when;

use std::path::{Path, PathBuf};

pub use entry::{Entry, RESYNC, Verdict};
pub use set::Set;
pub use shows::Shows;
pub use sign::{OurAnswer, Sign, SignKind, Status, TheirAnswer};
pub use when::{Clause, FieldIs, Half, OpcodeName, Spelled, TargetName, class_of};

use sha2::{Digest, Sha256};

use crate::codec::{Window, body_of};
use crate::isa::Target;
use crate::plain::opcode_number;

/// The ledger that ships with the crate: file name and text.
const BUILTIN: &[(&str, &str)] = &[
    ("documents.toml", include_str!("../../corpus/ledger/documents.toml")),
    ("dpp.toml", include_str!("../../corpus/ledger/dpp.toml")),
    ("fields.toml", include_str!("../../corpus/ledger/fields.toml")),
    ("literals.toml", include_str!("../../corpus/ledger/literals.toml")),
    ("matrix.toml", include_str!("../../corpus/ledger/matrix.toml")),
    ("operands.toml", include_str!("../../corpus/ledger/operands.toml")),
    ("policy.toml", include_str!("../../corpus/ledger/policy.toml")),
    ("spelling.toml", include_str!("../../corpus/ledger/spelling.toml")),
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
    /// An entry or a sign of it that contradicts itself or lacks something.
    #[error("{path}: entry `{id}`: {message}")]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry, or the full name of the sign.
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
            let fail = |(id, message)| LedgerError::Entry { path: path.clone(), id, message };
            if let Some(flaw) = entry.flaw() {
                return Err(fail(flaw));
            }
            if self.get(&entry.id).is_some() {
                return Err(fail((entry.id, "the id is taken".to_owned())));
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

    /// All signs, each with its entry.
    pub fn signs(&self) -> impl Iterator<Item = (&Entry, &Sign)> {
        self.entries.iter().flat_map(|entry| entry.signs.iter().map(move |sign| (entry, sign)))
    }

    /// This ledger with no sign silent anywhere, so that one which has begun to fire is seen.
    #[must_use]
    pub fn without_silence(&self) -> Self {
        let mut ledger = self.clone();
        let signs = ledger.entries.iter_mut().flat_map(|entry| &mut entry.signs);
        signs.for_each(|sign| sign.silent.clear());
        ledger
    }

    /// The signs that may speak of decoding windows of this target under this version of LLVM, ready for matching.
    #[must_use]
    pub fn on(&self, target: Target, version: &str) -> Applicable<'_> {
        self.applicable(target, version, false)
    }

    /// The signs that may speak of assembling text for this target under this version of LLVM.
    #[must_use]
    pub fn on_assembling(&self, target: Target, version: &str) -> Applicable<'_> {
        self.applicable(target, version, true)
    }

    fn applicable(&self, target: Target, version: &str, of_assembler: bool) -> Applicable<'_> {
        let speaks = |sign: &Sign| {
            // A sign about a wave size that there is not speaks of no window. The rule of a sign holds whatever LLVM
            // does.
            let is_heard = sign.status(version) != Status::Silent || sign.rule.is_some();
            sign.kind.is_of_assembler() == of_assembler && sign.wave.is_none() && is_heard
        };
        let signs = self.signs().filter(|(_, sign)| speaks(sign));
        Applicable {
            target,
            signs: signs.filter_map(|(entry, sign)| Armed::new(target, version, entry, sign)).collect(),
        }
    }
}

/// The signs of a ledger that matter for one target and one LLVM.
#[derive(Debug)]
pub struct Applicable<'a> {
    target: Target,
    signs: Vec<Armed<'a>>,
}

#[derive(Debug)]
struct Armed<'a> {
    entry: &'a Entry,
    sign: &'a Sign,
    status: Status,
    clauses: Vec<(&'a Clause, [bool; 256])>,
}

impl<'a> Armed<'a> {
    /// The sign made ready for the target; `None` if it speaks of no window of it.
    fn new(target: Target, version: &str, entry: &'a Entry, sign: &'a Sign) -> Option<Self> {
        let clauses: Vec<_> = sign
            .when
            .iter()
            .filter(|clause| clause.may_hold_on(target))
            .map(|clause| (clause, clause.numbers(target)))
            .collect();
        (!clauses.is_empty()).then(|| Self { entry, sign, status: sign.status(version), clauses })
    }
}

/// A sign whose predicate holds for a window, with the clause that does.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// The sign.
    pub sign: &'a Sign,
    /// Whether it is known to fire on the LLVM at hand.
    pub status: Status,
    clause: &'a Clause,
    half: Half,
}

impl<'a> Applicable<'a> {
    /// One sign alone, whatever versions it lists.
    #[must_use]
    pub fn of_sign(target: Target, entry: &'a Entry, sign: &'a Sign) -> Self {
        Self { target, signs: Armed::new(target, "", entry, sign).into_iter().collect() }
    }

    /// The signs that speak of this window; of a scaled pair, those that speak of one of its words.
    pub fn matching(&self, window: &Window) -> impl Iterator<Item = Match<'a>> {
        self.matching_text(window, None)
    }

    /// The signs that speak of this window and the text that it is assembled from.
    pub fn matching_text(&self, window: &Window, text: Option<&str>) -> impl Iterator<Item = Match<'a>> {
        let words = words(self.target, window);
        let text = text.map(Spelled::new);
        self.signs.iter().filter_map(move |armed| {
            words.iter().flatten().find_map(|(half, word)| {
                let number = usize::from(opcode_number(self.target, word));
                let holds = |(clause, numbers): &&(&'a Clause, [bool; 256])| {
                    numbers[number] && clause.holds_of_text(text.as_ref()) && clause.holds(self.target, word, *half)
                };
                let (clause, _) = armed.clauses.iter().find(holds)?;
                Some(Match { entry: armed.entry, sign: armed.sign, status: armed.status, clause, half: *half })
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
        self.matching(window).any(|m| m.sign.kind == SignKind::Crash && m.status == Status::Fires)
    }
}

/// Of the signs that explain a finding, the one that is named: the first that is known to fire, else the first.
pub(crate) fn named<'a, 'b>(explaining: impl Iterator<Item = &'b Match<'a>>) -> Option<&'b Match<'a>>
where
    'a: 'b,
{
    let mut first = None;
    for m in explaining {
        if m.status == Status::Fires {
            return Some(m);
        }
        first = first.or(Some(m));
    }
    first
}

/// The ids of the entries whose signs these are, each once.
pub(crate) fn entries_of(matching: &[Match<'_>]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for m in matching {
        if !ids.contains(&m.entry.id) {
            ids.push(m.entry.id.clone());
        }
    }
    ids
}

impl Match<'_> {
    /// The full name of the sign.
    #[must_use]
    pub fn name(&self) -> String {
        self.entry.name_of(self.sign)
    }

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
        let entry = "[[entry]]\nid = 'a'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n";
        let sign = |id: &str, kind: &str| format!("[[entry.sign]]\n{id}kind = '{kind}'\n");
        let head = format!("{entry}{}", sign("", "acceptance"));
        assert!(fails("[[entry]]\nid = 1").contains("line 2, column 6"));
        assert!(fails(&format!("{head}frob = 1")).contains("line 9, column 1"));
        assert_eq!(fails(&head), "x.toml: entry `a`: a sign of kind acceptance needs `[[entry.sign.when]]`");
        let when = "[[entry.sign.when]]\nopcodes = ['@mix']";
        let sides = "ours = 'legal'\ntheirs = 'rejects'\n";
        let witness = "witnesses = ['gfx900 d3a00005 040e0480']\n";
        assert!(fails(&format!("{head}{witness}{when}")).ends_with("needs `ours` and `theirs`"));
        assert!(fails(&format!("{head}{sides}witnesses = ['gfx900 d3a0000']\n{when}")).contains("witness"));
        for text in ["lit(0x1), v2", "LIT("] {
            let when = format!("[[entry.sign.when]]\ntext = ['{text}']");
            let flaw = fails(&format!("{head}{sides}{witness}{when}"));
            assert_eq!(flaw, "x.toml: entry `a`: `text` is looked for without white space and in lower case");
        }
        let document = format!("{entry}{}", sign("", "document"));
        for (head, when) in [(&head, "[[entry.sign.when]]\ntargets = ['cdna5']"), (&document, when)] {
            let flaw = fails(&format!("{head}wave = 64\n{when}"));
            assert_eq!(flaw, "x.toml: entry `a`: a sign with `wave` is of kind document, and names targets");
        }
        let whole = format!("{head}{sides}{witness}{when}\n");
        assert_eq!(fails(&format!("{whole}{whole}")), "x.toml: entry `a`: the id is taken");
    }

    #[test]
    fn flaws_of_an_entry_and_its_signs() {
        let fails = |text: &str| Ledger::default().add_text("x.toml".into(), text).unwrap_err().to_string();
        let entry = "[[entry]]\nid = 'a'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\n";
        let sign = |id: &str, more: &str| format!("[[entry.sign]]\n{id}kind = 'document'\n{more}");
        let cited = "citations = ['c']\n";
        assert_eq!(fails(&format!("{entry}{cited}")), "x.toml: entry `a`: an entry needs `[[entry.sign]]`");
        // A citation of its own, or one of each of its signs.
        let needs = "x.toml: entry `a`: an entry needs a reason and a citation";
        assert_eq!(fails(&format!("{entry}{}", sign("", ""))), needs);
        assert_eq!(fails(&format!("{entry}{}{}", sign("id = 'b'\n", cited), sign("id = 'c'\n", ""))), needs);
        let both = format!("{entry}{}{}", sign("id = 'b'\n", cited), sign("id = 'c'\n", cited));
        let mut ledger = Ledger::default();
        ledger.add_text("x.toml".into(), &both).unwrap();
        let names: Vec<String> = ledger.signs().map(|(entry, sign)| entry.name_of(sign)).collect();
        assert_eq!(names, ["a/b", "a/c"]);
        let nameless = format!("{entry}{cited}{}{}", sign("id = 'b'\n", ""), sign("", ""));
        assert_eq!(fails(&nameless), "x.toml: entry `a`: of several signs each needs an `id`");
        let twice = format!("{entry}{cited}{0}{0}", sign("id = 'b'\n", ""));
        assert_eq!(fails(&twice), "x.toml: entry `a/b`: the id is taken");
        let versions = sign("id = 'b'\n", "fires = ['22']\n");
        assert_eq!(fails(&format!("{entry}{cited}{versions}")), "x.toml: entry `a/b`: `22` is no version: `22.1.8`");
        for id in ["", "resync", "a/b"] {
            let flaw = fails(&format!("{}{cited}{}", entry.replace("'a'", &format!("'{id}'")), sign("", "")));
            assert!(flaw.ends_with(": the id is empty or taken, or has a `/`"), "{flaw}");
        }
        let flaw = fails(&format!("{entry}{cited}{}", sign("id = 'b/c'\n", "")));
        assert!(flaw.ends_with("the id is empty, or has a `/`"), "{flaw}");
    }

    /// A list that nobody reads is none: causes that are the same are one entry.
    #[test]
    fn the_builtin_ledger_has_at_most_60_causes() {
        let ledger = Ledger::builtin().unwrap();
        assert!(ledger.entries().len() <= 60, "{} entries", ledger.entries().len());
    }

    #[test]
    fn what_is_known_of_an_entry_where_some_of_its_signs_speak() {
        let sign = |id: &str, versions: &str| format!("[[entry.sign]]\nid = '{id}'\nkind = 'document'\n{versions}\n");
        let text = [
            "[[entry]]\nid = 'a'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n".to_owned(),
            sign("new", "fires = ['22.1.8']\nsilent = ['16.0.6']"),
            sign("old", "fires = ['16.0.6', '19.1.7']\nsilent = ['22.1.8']"),
        ];
        let mut ledger = Ledger::default();
        ledger.add_text("x.toml".into(), &text.concat()).unwrap();
        let entry = ledger.get("a").unwrap();
        let status = |version: &str, names: &[&str]| {
            entry.status(version, |sign| sign.id.as_deref().is_some_and(|id| names.contains(&id)))
        };
        assert_eq!(status("22.1.8", &["new"]), Status::Fires);
        assert_eq!(status("22.1.8", &["old"]), Status::Silent);
        assert_eq!(status("19.1.7", &["new"]), Status::Untested);
        assert_eq!(status("16.0.6", &["new", "old"]), Status::Fires);
        assert_eq!(status("15.0.6", &["new", "old"]), Status::Untested);
        // Where none speaks all do.
        assert_eq!(status("22.1.8", &[]), Status::Fires);
    }

    #[test]
    fn a_sign_that_fires_is_named_before_one_that_is_untested() {
        let sign = |id: &str, fires: &str| {
            format!(
                "[[entry]]\nid = '{id}'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n\
                 [[entry.sign]]\nkind = 'crash'\nfires = [{fires}]\nwitnesses = ['gfx900 d3a00005 040e0480']\n\
                 [[entry.sign.when]]\nopcodes = ['@mix']\n"
            )
        };
        let mut ledger = Ledger::default();
        let text = [sign("a", "'19.1.7'"), sign("b", "'22.1.8'"), sign("c", "'22.1.8'")].concat();
        ledger.add_text("x.toml".into(), &text).unwrap();
        let target: Target = "gfx900".parse().unwrap();
        let window = "d3a00005 040e0480".parse().unwrap();
        for (version, expected) in [("19.1.7", "a"), ("22.1.8", "b"), ("16.0.6", "a")] {
            let matching: Vec<Match<'_>> = ledger.on(target, version).matching(&window).collect();
            assert_eq!(entries_of(&matching), ["a", "b", "c"]);
            assert_eq!(named(matching.iter()).unwrap().name(), expected, "{version}");
        }
    }
}
