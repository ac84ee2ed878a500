//! One entry of the ledger: a known disagreement, its cause, and whose fault it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::when::Clause;
use crate::asm::ReadError;
use crate::case::Case;
use crate::codec::Dpp;
use crate::compare::{Comparison, Finding, Kind, Ours, Theirs};
use crate::isa::{self, Generation, INLINE_FLOATS, Rule, Source, Target};
use crate::text_case::TextCase;

/// The id under which deaths that are not a VOP3P word's are counted; no entry may have it.
pub const RESYNC: &str = "resync";

/// Whose fault a disagreement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Verdict {
    LlvmWrong,
    /// Its disassembler shows what its assembler refuses: policy, not a bug to file.
    LlvmPermissive,
    /// AMD's XML is wrong.
    SpecWrong,
    /// AMD's manual is wrong.
    ProseWrong,
    BothAllowed,
    Ambiguous,
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LlvmWrong => "llvm-wrong",
            Self::LlvmPermissive => "llvm-permissive",
            Self::SpecWrong => "spec-wrong",
            Self::ProseWrong => "prose-wrong",
            Self::BothAllowed => "both-allowed",
            Self::Ambiguous => "ambiguous",
            Self::Unknown => "unknown",
        })
    }
}

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum EntryKind {
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

impl EntryKind {
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

    /// Whether its witnesses are texts; of the others they are words.
    #[must_use]
    pub const fn has_texts(self) -> bool {
        matches!(self, Self::Assembling | Self::Encoding)
    }

    /// Whether a finding of this kind may be explained by such an entry.
    #[must_use]
    pub fn covers(self, kind: Kind) -> bool {
        self.name() == kind.name()
    }
}

/// Our side of an acceptance entry.
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

/// LLVM's side of an acceptance entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TheirAnswer {
    Accepts,
    Annotates,
    Rejects,
}

/// How LLVM's value of the field relates to ours, in an operand or modifier entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// The modifier is shown as if it were at its default.
    Default,
    /// Of a literal, bits 15:0 only.
    LowHalf,
    /// An even register instead of the odd one above it.
    EvenRegister,
    /// Of DPP, the constant that DPP_CTRL or the lane selectors of DPP8 would be as a source selector.
    ConstantForDpp,
    /// A literal where the word has an inline constant.
    LiteralForInline,
    /// A VGPR where the word has a scalar or a constant.
    VgprForScalar,
    /// An inline constant where the word has a literal of the same look.
    InlineForLiteral,
    /// A register tuple of another width.
    OtherWidth,
    /// Whatever it may be: the operand is one that no tool should take.
    Anything,
}

/// Whether an entry fires on one LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Tested: the disagreement is there.
    Fires,
    /// Tested: it is not.
    Silent,
    /// Not tested.
    Untested,
}

/// A known disagreement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    /// Its stable id.
    pub id: String,
    /// What it is about.
    pub kind: EntryKind,
    /// One line for people.
    pub title: String,
    /// Which cases: any of these clauses.
    #[serde(default)]
    pub when: Vec<Clause>,
    /// Our side (acceptance, assembling).
    pub ours: Option<OurAnswer>,
    /// LLVM's side (acceptance, assembling).
    pub theirs: Option<TheirAnswer>,
    /// The illegal or reserved rule that our decoder must note on every window under the entry (permissive, refused).
    #[serde(default, deserialize_with = "rule_by_id")]
    pub rule: Option<Rule>,
    /// The fields that may differ (operand, modifier, encoding, reassembly).
    #[serde(default)]
    pub fields: Vec<String>,
    /// How LLVM's value relates to ours (operand, modifier).
    pub shows: Option<Shows>,
    /// The wave size, in lanes, that LLVM takes where AMD has none (document).
    pub wave: Option<u8>,
    /// Whether its silence is not reported: for an entry whose cause also decides how the rest of the window reads, so
    /// that nothing can be said about the window without it.
    #[serde(default)]
    pub one_sided: bool,
    /// Whose fault.
    pub verdict: Verdict,
    /// Why that is the verdict.
    pub reason: String,
    /// Manual and section, XML field, issue.
    pub citations: Vec<String>,
    /// LLVM versions it was seen on.
    #[serde(default)]
    pub fires: Vec<String>,
    /// LLVM versions it was looked for and not seen on.
    #[serde(default)]
    pub silent: Vec<String>,
    /// Case lines that show it.
    pub witnesses: Vec<String>,
}

fn rule_by_id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Rule>, D::Error> {
    let id = String::deserialize(deserializer)?;
    Rule::from_id(&id).map(Some).ok_or_else(|| serde::de::Error::custom(format!("`{id}` is no rule id")))
}

impl Entry {
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

    /// Whether some window of this target may be under the entry.
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
        let need = |present: bool, what: &str| {
            (!present).then(|| format!("an entry of kind {} needs {what}", self.kind.name()))
        };
        if self.reason.trim().is_empty() || self.citations.is_empty() {
            return Some("an entry needs a reason and a citation".to_owned());
        }
        if self.fires.iter().any(|version| self.silent.contains(version)) {
            return Some("a version stands under both `fires` and `silent`".to_owned());
        }
        if self.id.is_empty() || self.id == RESYNC {
            return Some("the id is empty or taken".to_owned());
        }
        let is_version =
            |text: &String| text.split('.').count() == 3 && text.split('.').all(|n| n.parse::<u32>().is_ok());
        if let Some(wrong) = self.fires.iter().chain(&self.silent).find(|text| !is_version(text)) {
            return Some(format!("`{wrong}` is no version: `22.1.8`"));
        }
        if self.wave.is_some() {
            let is_flaw = self.kind != EntryKind::Document || self.when.iter().all(|clause| clause.targets.is_empty());
            return is_flaw.then(|| "an entry with `wave` is of kind document, and names targets".to_owned());
        }
        if let Some(flaw) = self.when.iter().find_map(Clause::flaw) {
            return Some(flaw.to_owned());
        }
        let windows = self.kind != EntryKind::Document;
        let sides = self.ours.is_some() && self.theirs.is_some();
        let differs = !self.fields.is_empty() && self.shows.is_some();
        need(!windows || !self.when.is_empty(), "`[[entry.when]]`")
            .or_else(|| need(!windows || !self.witnesses.is_empty(), "a witness"))
            .or_else(|| {
                need(
                    !matches!(self.kind, EntryKind::Acceptance | EntryKind::Assembling) || sides,
                    "`ours` and `theirs`",
                )
            })
            .or_else(|| {
                need(!matches!(self.kind, EntryKind::Permissive | EntryKind::Refused) || self.rule.is_some(), "`rule`")
            })
            .or_else(|| {
                let fields = matches!(self.kind, EntryKind::Operand | EntryKind::Modifier);
                need(!fields || differs, "`fields` and `shows`")
            })
            .or_else(|| {
                let fields = matches!(self.kind, EntryKind::Encoding | EntryKind::Reassembly);
                need(!fields || !self.fields.is_empty(), "`fields`")
            })
            .or_else(|| self.cases().err())
            .or_else(|| self.text_cases().err())
    }

    /// Whether the entry, whose predicate holds, explains the finding.
    #[must_use]
    pub fn explains(&self, finding: &Finding, ours: &Ours, comparison: &Comparison) -> bool {
        if !self.kind.covers(finding.kind) {
            return false;
        }
        match self.kind {
            EntryKind::Acceptance => self.our_side_holds(ours) && self.their_side_holds(&comparison.theirs),
            EntryKind::Operand | EntryKind::Modifier => {
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

    /// Whether the entry is one of LLVM refusing a legal word in the way it did.
    #[must_use]
    pub fn refuses(&self, theirs: &Theirs) -> bool {
        self.ours == Some(OurAnswer::Legal) && self.their_side_holds(theirs)
    }

    /// Whether our decoder, whose answer this is, should have noted the entry's rule and did not.
    #[must_use]
    pub fn lacks_note(&self, ours: &Ours) -> bool {
        match (self.rule, ours) {
            (Some(rule), Ok(decoded)) => !decoded.notes.contains(rule),
            _ => false,
        }
    }

    /// Whether the entry, whose predicate holds and which explained no finding, should have: `after` is our answer
    /// with everything its predicate names at its plainest.
    #[must_use]
    pub fn is_missed(&self, ours: &Ours, comparison: &Comparison, after: impl Fn() -> Ours) -> bool {
        let both = ours.is_ok() && comparison.theirs.instruction().is_some();
        match self.kind {
            _ if self.one_sided => false,
            // Of these the note alone is held, by `lacks_note`.
            EntryKind::Document | EntryKind::Permissive | EntryKind::Refused => false,
            EntryKind::Assembling | EntryKind::Encoding | EntryKind::Reassembly => false,
            // Something else may be wrong with the window, too, and stop the tool before it gets to dying.
            EntryKind::Crash => after().is_ok_and(|decoded| decoded.notes.is_legal()),
            EntryKind::Operand | EntryKind::Modifier | EntryKind::Length | EntryKind::Mnemonic => {
                let masked = comparison.findings.iter().any(|finding| finding.kind == Kind::Mnemonic);
                both && !masked
            }
            EntryKind::Acceptance => match (self.ours, self.theirs) {
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

impl Shows {
    fn relates(self, field: &str, ours: &Ours, theirs: &Theirs) -> bool {
        if self == Self::Anything {
            return true;
        }
        if self == Self::OtherWidth {
            return matches!(theirs, Theirs::Accepts(Err(ReadError::Operand { .. })));
        }
        let (Ok(ours), Some(theirs)) = (ours, theirs.instruction()) else { return false };
        let ours = &ours.instruction;
        let sources = match field {
            "src0" => Some((ours.src[0], theirs.src[0])),
            "src1" => Some((ours.src[1], theirs.src[1])),
            "src2" => Some((ours.src[2], theirs.src[2])),
            "src3" => ours.scale.zip(theirs.scale).map(|(a, b)| (a.src[0], b.src[0])),
            "src4" => ours.scale.zip(theirs.scale).map(|(a, b)| (a.src[1], b.src[1])),
            _ => None,
        };
        match (self, sources) {
            (Self::LowHalf, Some((Source::Literal(a), Source::Literal(b)))) => a & 0xffff == b,
            (Self::EvenRegister, Some((Source::Sgpr(a), Source::Sgpr(b)) | (Source::Ttmp(a), Source::Ttmp(b)))) => {
                a % 2 == 1 && b == a - 1
            }
            (Self::LiteralForInline, Some((Source::Float(_), b))) => matches!(b, Source::Literal(_)),
            (Self::VgprForScalar, Some((a, Source::Vgpr(_)))) => !matches!(a, Source::Vgpr(_)),
            (Self::InlineForLiteral, Some((Source::Literal(_), b))) => matches!(b, Source::Int(_) | Source::Float(_)),
            (Self::ConstantForDpp, None) => match (ours.dpp, theirs.dpp) {
                (Some(ours), Some(theirs)) => is_constant_for(ours, theirs),
                _ => false,
            },
            (Self::Default, None) => match field {
                "op_sel" => theirs.op_sel == 0,
                "op_sel_hi" => theirs.op_sel_hi == theirs.opcode.default_op_sel_hi(),
                "neg_lo" => theirs.neg_lo == 0,
                "neg_hi" => theirs.neg_hi == 0,
                "clamp" => !theirs.clamp,
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether `theirs` is `ours` with its pattern read as a source selector that names a constant.
fn is_constant_for(ours: Dpp, theirs: Dpp) -> bool {
    let constant = |pattern: u32| match isa::source(
        Generation::Vega,
        u16::try_from(pattern).ok().filter(|selector| *selector < 256)?,
    )? {
        Source::Int(value) => Some(i32::from(value) as u32),
        Source::Float(float) => Some(INLINE_FLOATS[float as usize].f32),
        _ => None,
    };
    match (ours, theirs) {
        (Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask }, _) => {
            let shown = constant(u32::from(ctrl)).and_then(|value| u16::try_from(value).ok());
            shown.is_some_and(|ctrl| theirs == Dpp::Dpp16 { ctrl, fetch_inactive, bound_ctrl, bank_mask, row_mask })
        }
        // Selector 255 is a literal: whatever dword follows.
        (Dpp::Dpp8 { lanes: 255, fetch_inactive: a }, Dpp::Dpp8 { fetch_inactive: b, .. }) => a == b,
        (Dpp::Dpp8 { lanes, fetch_inactive }, _) => {
            constant(lanes).is_some_and(|value| theirs == Dpp::Dpp8 { lanes: value & 0xff_ffff, fetch_inactive })
        }
    }
}
