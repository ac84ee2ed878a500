//! One way in which a cause shows: which cases, what each side says of them, and on which versions of LLVM.

use serde::{Deserialize, Serialize};

use super::shows::Shows;
use super::when::Clause;
use crate::case::Case;
use crate::compare::{Comparison, Finding, Kind, Ours, Theirs};
use crate::isa::{Rule, Target};
use crate::text_case::TextCase;

/// What a sign is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum SignKind {
    Crash,
    Acceptance,
    Length,
    Mnemonic,
    Operand,
    Modifier,
    /// A text that one side assembles and the other refuses.
    Assembling,
    /// A text that assembles to different bytes.
    Encoding,
    /// A printed text that LLVM does not assemble to the word it was printed for.
    Reassembly,
    /// We note a rule as broken, LLVM shows the word as if it were fine: no finding, but the note must be there.
    Permissive,
    /// We note a rule as broken, and LLVM refuses or annotates the word: both sides agree, and the note must be there.
    Refused,
    /// Documents against documents, or names only: nothing a window could show.
    Document,
}

impl SignKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Acceptance => "acceptance",
            Self::Length => "length",
            Self::Mnemonic => "mnemonic",
            Self::Operand => "operand",
            Self::Modifier => "modifier",
            Self::Assembling => "assembling",
            Self::Encoding => "encoding",
            Self::Reassembly => "reassembly",
            Self::Permissive => "permissive",
            Self::Refused => "refused",
            Self::Document => "document",
        }
    }

    /// Whether it is about assembling text, where the others are about decoding words.
    #[must_use]
    pub const fn is_of_assembler(self) -> bool {
        matches!(self, Self::Assembling | Self::Encoding | Self::Reassembly)
    }

    /// Whether it speaks of findings; of the others there is a note at most.
    #[must_use]
    pub const fn has_findings(self) -> bool {
        !matches!(self, Self::Permissive | Self::Refused | Self::Document)
    }

    /// Whether its witnesses are texts; of the others they are words.
    #[must_use]
    pub const fn has_texts(self) -> bool {
        matches!(self, Self::Assembling | Self::Encoding)
    }

    /// Whether a finding of this kind may be explained by such a sign.
    #[must_use]
    pub fn covers(self, kind: Kind) -> bool {
        self.name() == kind.name()
    }
}

/// Our side of an acceptance or assembling sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OurAnswer {
    /// The window is no instruction.
    Undefined,
    /// It is a legal one; a text assembles.
    Legal,
    /// A text is refused.
    Refused,
}

/// LLVM's side of an acceptance or assembling sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TheirAnswer {
    Accepts,
    Annotates,
    Rejects,
}

/// Whether a sign fires on one LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Tested: the disagreement is there.
    Fires,
    /// Tested: it is not.
    Silent,
    /// Not tested.
    Untested,
}

/// One way in which a cause shows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sign {
    /// Its name within the entry; a sign alone needs none.
    pub id: Option<String>,
    /// What it is about.
    pub kind: SignKind,
    /// Which cases: any of these clauses.
    #[serde(default)]
    pub when: Vec<Clause>,
    /// Our side (acceptance, assembling).
    pub ours: Option<OurAnswer>,
    /// LLVM's side (acceptance, assembling).
    pub theirs: Option<TheirAnswer>,
    /// The illegal or reserved rule that our decoder must note on every window under the sign (permissive, refused).
    #[serde(default, deserialize_with = "rule_by_id")]
    pub rule: Option<Rule>,
    /// The fields that may differ (operand, modifier, encoding, reassembly).
    #[serde(default)]
    pub fields: Vec<String>,
    /// How LLVM's value relates to ours (operand, modifier).
    pub shows: Option<Shows>,
    /// The wave size, in lanes, that LLVM takes where AMD has none (document).
    pub wave: Option<u8>,
    /// Whether its silence is not reported: for a sign whose cause also decides how the rest of the window reads, so
    /// that nothing can be said about the window without it.
    #[serde(default)]
    pub one_sided: bool,
    /// What is particular to it, beside the reason of the entry.
    pub note: Option<String>,
    /// Further manuals, XML fields and issues.
    #[serde(default)]
    pub citations: Vec<String>,
    /// LLVM versions it was seen on.
    #[serde(default)]
    pub fires: Vec<String>,
    /// LLVM versions it was looked for and not seen on.
    #[serde(default)]
    pub silent: Vec<String>,
    /// Case lines that show it.
    #[serde(default)]
    pub witnesses: Vec<String>,
}

fn rule_by_id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Rule>, D::Error> {
    let id = String::deserialize(deserializer)?;
    Rule::from_id(&id).map(Some).ok_or_else(|| serde::de::Error::custom(format!("`{id}` is no rule id")))
}

impl Sign {
    /// Whether it fires on this version of LLVM.
    #[must_use]
    pub fn status(&self, version: &str) -> Status {
        if self.fires.iter().any(|known| known == version) {
            Status::Fires
        } else if self.silent.iter().any(|known| known == version) {
            Status::Silent
        } else {
            Status::Untested
        }
    }

    /// Whether some window of this target may be under the sign.
    #[must_use]
    pub fn may_hold_on(&self, target: Target) -> bool {
        self.when.iter().any(|clause| clause.may_hold_on(target))
    }

    /// The witnesses that are texts, as cases.
    ///
    /// # Errors
    /// If a line is no case.
    pub fn text_cases(&self) -> Result<Vec<TextCase>, String> {
        let lines = self.witnesses.iter().filter(|_| self.kind.has_texts());
        lines
            .map(|line| match TextCase::parse(line) {
                Ok(Some(case)) => Ok(case),
                Ok(None) => Err(format!("witness `{line}` is empty")),
                Err(error) => Err(format!("witness `{line}`: {error}")),
            })
            .collect()
    }

    /// The witnesses that are words, as cases.
    ///
    /// # Errors
    /// If a line is no case.
    pub fn cases(&self) -> Result<Vec<Case>, String> {
        self.witnesses
            .iter()
            .filter(|_| !self.kind.has_texts())
            .map(|line| match Case::parse(line) {
                Ok(Some(case)) => Ok(case),
                Ok(None) => Err(format!("witness `{line}` is empty")),
                Err(error) => Err(format!("witness `{line}`: {error}")),
            })
            .collect()
    }

    /// What is missing or contradictory, if anything.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        let need =
            |present: bool, what: &str| (!present).then(|| format!("a sign of kind {} needs {what}", self.kind.name()));
        if self.id.as_ref().is_some_and(|id| id.is_empty() || id.contains('/')) {
            return Some("the id is empty, or has a `/`".to_owned());
        }
        if self.fires.iter().any(|version| self.silent.contains(version)) {
            return Some("a version stands under both `fires` and `silent`".to_owned());
        }
        let is_version =
            |text: &String| text.split('.').count() == 3 && text.split('.').all(|n| n.parse::<u32>().is_ok());
        if let Some(wrong) = self.fires.iter().chain(&self.silent).find(|text| !is_version(text)) {
            return Some(format!("`{wrong}` is no version: `22.1.8`"));
        }
        if self.wave.is_some() {
            let is_flaw = self.kind != SignKind::Document || self.when.iter().all(|clause| clause.targets.is_empty());
            return is_flaw.then(|| "a sign with `wave` is of kind document, and names targets".to_owned());
        }
        if let Some(flaw) = self.when.iter().find_map(Clause::flaw) {
            return Some(flaw.to_owned());
        }
        let windows = self.kind != SignKind::Document;
        let sides = self.ours.is_some() && self.theirs.is_some();
        let differs = !self.fields.is_empty() && self.shows.is_some();
        need(!windows || !self.when.is_empty(), "`[[entry.sign.when]]`")
            .or_else(|| need(!windows || !self.witnesses.is_empty(), "a witness"))
            .or_else(|| {
                need(!matches!(self.kind, SignKind::Acceptance | SignKind::Assembling) || sides, "`ours` and `theirs`")
            })
            .or_else(|| {
                need(!matches!(self.kind, SignKind::Permissive | SignKind::Refused) || self.rule.is_some(), "`rule`")
            })
            .or_else(|| {
                let fields = matches!(self.kind, SignKind::Operand | SignKind::Modifier);
                need(!fields || differs, "`fields` and `shows`")
            })
            .or_else(|| {
                let fields = matches!(self.kind, SignKind::Encoding | SignKind::Reassembly);
                need(!fields || !self.fields.is_empty(), "`fields`")
            })
            .or_else(|| self.cases().err())
            .or_else(|| self.text_cases().err())
    }

    /// Whether the sign, whose predicate holds, explains the finding.
    #[must_use]
    pub fn explains(&self, finding: &Finding, ours: &Ours, comparison: &Comparison) -> bool {
        if !self.kind.covers(finding.kind) {
            return false;
        }
        match self.kind {
            SignKind::Acceptance => self.our_side_holds(ours) && self.their_side_holds(&comparison.theirs),
            SignKind::Operand | SignKind::Modifier => {
                self.fields.contains(&finding.field)
                    && self.shows.is_none_or(|shows| shows.relates(&finding.field, ours, &comparison.theirs))
            }
            _ => true,
        }
    }

    fn our_side_holds(&self, ours: &Ours) -> bool {
        match self.ours {
            Some(OurAnswer::Undefined) => ours.is_err(),
            Some(OurAnswer::Legal) => ours.as_ref().is_ok_and(|decoded| decoded.notes.is_legal()),
            Some(OurAnswer::Refused) | None => false,
        }
    }

    fn their_side_holds(&self, theirs: &Theirs) -> bool {
        matches!(
            (self.theirs, theirs),
            (Some(TheirAnswer::Accepts), Theirs::Accepts(_))
                | (Some(TheirAnswer::Annotates), Theirs::Annotates)
                | (Some(TheirAnswer::Rejects), Theirs::Rejects)
        )
    }

    /// Whether the sign is one of LLVM refusing a legal word in the way it did.
    #[must_use]
    pub fn refuses(&self, theirs: &Theirs) -> bool {
        self.ours == Some(OurAnswer::Legal) && self.their_side_holds(theirs)
    }

    /// Whether our decoder, whose answer this is, should have noted the sign's rule and did not.
    #[must_use]
    pub fn lacks_note(&self, ours: &Ours) -> bool {
        match (self.rule, ours) {
            (Some(rule), Ok(decoded)) => !decoded.notes.contains(rule),
            _ => false,
        }
    }

    /// Whether the sign, whose predicate holds and which explained no finding, should have: `after` is our answer
    /// with everything its predicate names at its plainest.
    #[must_use]
    pub fn is_missed(&self, ours: &Ours, comparison: &Comparison, after: impl Fn() -> Ours) -> bool {
        let both = ours.is_ok() && comparison.theirs.instruction().is_some();
        match self.kind {
            _ if self.one_sided => false,
            // Of these the note alone is held, by `lacks_note`.
            SignKind::Document | SignKind::Permissive | SignKind::Refused => false,
            SignKind::Assembling | SignKind::Encoding | SignKind::Reassembly => false,
            // Something else may be wrong with the window, too, and stop the tool before it gets to dying.
            SignKind::Crash => after().is_ok_and(|decoded| decoded.notes.is_legal()),
            SignKind::Operand | SignKind::Modifier | SignKind::Length | SignKind::Mnemonic => {
                let masked = comparison.findings.iter().any(|finding| finding.kind == Kind::Mnemonic);
                both && !masked
            }
            SignKind::Acceptance => match (self.ours, self.theirs) {
                // LLVM may have a second reason to reject; that it accepts while we decode is the silence.
                (Some(OurAnswer::Undefined), _) => ours.is_ok() && self.their_side_holds(&comparison.theirs),
                // We may have a second reason to refuse: then the plain window is refused, too.
                (Some(OurAnswer::Legal), _) => match &comparison.theirs {
                    Theirs::Accepts(_) => ours.is_ok(),
                    Theirs::Dies(_) => false,
                    _ => !self.our_side_holds(ours) && after().is_ok_and(|decoded| decoded.notes.is_legal()),
                },
                (Some(OurAnswer::Refused) | None, _) => false,
            },
        }
    }
}
