//! Text to bytes: parse, encode, and hold the word against the legality rules.

use core::fmt;

use super::parse::{Kind, ParseError, Parsed, Span, Spans, parse_line};
use crate::codec::{EncodeError, Instruction, Style, Window, decode, encode_like};
use crate::isa::{MatrixSource, Modifier, Modifiers, Notes, Rule, Source, Special, State, Target};

/// What a line assembles to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The instruction.
    pub instruction: Instruction,
    /// Its bytes.
    pub window: Window,
    /// The rules it meets that are no ground to refuse it: reserved values, bits without effect.
    pub notes: Notes,
}

/// Why a line does not assemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssembleError {
    /// It is no instruction of the target.
    Parse(ParseError),
    /// The target has no encoding for it.
    Encode {
        /// First column, counted from 1, of the operand or modifier at fault, else of the mnemonic.
        column: usize,
        /// In characters.
        length: usize,
        /// Why.
        error: EncodeError,
    },
    /// It breaks a rule.
    Illegal {
        /// First column, counted from 1, of the operand or modifier at fault, else of the mnemonic.
        column: usize,
        /// In characters.
        length: usize,
        /// The rule.
        rule: Rule,
    },
}

impl AssembleError {
    /// First column and length, in characters of the text.
    #[must_use]
    pub fn columns(&self) -> (usize, usize) {
        match *self {
            Self::Parse(ParseError { column, length, .. })
            | Self::Encode { column, length, .. }
            | Self::Illegal { column, length, .. } => (column, length),
        }
    }
}

impl fmt::Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::Encode { error, .. } => error.fmt(f),
            Self::Illegal { rule, .. } => write!(f, "{} ({rule})", rule.row().text),
        }
    }
}

impl core::error::Error for AssembleError {}

/// Assembles one instruction.
///
/// # Errors
/// If the text is no instruction of the target, if that has no encoding, or if it breaks a rule.
pub fn assemble(target: Target, text: &str, style: Style) -> Result<Assembled, AssembleError> {
    let parsed = parse_line(target, text, false, None).map_err(|fault| AssembleError::Parse(fault.into_error(text)))?;
    let Parsed { instruction, spans } = parsed;
    let refuse = |error: EncodeError| {
        let (column, length) = spans.of_error(&instruction, error).columns(text);
        AssembleError::Encode { column, length, error }
    };
    // What AMD's own assembler would write breaks no rule by the bits that the text does not speak of.
    let judged = encode_like(target, &instruction, Style::Sp3).map_err(refuse)?;
    let notes = decode(target, &judged).map_or(Notes::NONE, |decoded| decoded.notes).without(Rule::UnusedSource);
    if let Some(rule) = notes.iter().find(|rule| rule.row().state == State::Illegal) {
        let (column, length) = spans.of_rule(target, text, &instruction, rule).columns(text);
        return Err(AssembleError::Illegal { column, length, rule });
    }
    let window = if style == Style::Sp3 { judged } else { encode_like(target, &instruction, style).map_err(refuse)? };
    Ok(Assembled { instruction, window, notes })
}

/// The operand or modifier that meets a rule, as first column, counted from 1, and length in characters; the mnemonic if
/// there is no such part, or the text is no instruction.
#[must_use]
pub fn place_of(target: Target, text: &str, rule: Rule) -> (usize, usize) {
    match parse_line(target, text, false, None) {
        Ok(Parsed { instruction, spans }) => spans.of_rule(target, text, &instruction, rule).columns(text),
        Err(fault) => fault.span.columns(text),
    }
}

impl Spans {
    fn of_error(&self, instruction: &Instruction, error: EncodeError) -> Span {
        let source = |slot: u8| self.operands[usize::from(slot).min(4) + 1];
        match error {
            EncodeError::NoOpcode | EncodeError::ScaleAlone | EncodeError::Modifier => self.mnemonic,
            EncodeError::File { slot } => self.operands[usize::from(slot).min(5)],
            EncodeError::NoSource { slot } | EncodeError::NoLiteral { slot } => source(slot),
            EncodeError::TwoLiterals => {
                let last = instruction.sources().iter().rposition(|source| matches!(source, Source::Literal(_)));
                source(last.unwrap_or(0) as u8)
            }
            EncodeError::NoDpp => source(0),
        }
    }

    /// The operand or modifier that meets a rule.
    fn of_rule(&self, target: Target, text: &str, instruction: &Instruction, rule: Rule) -> Span {
        let modifier = |kinds: &[Kind]| self.modifier(text, kinds).unwrap_or(self.mnemonic);
        let opcode = instruction.opcode;
        let sources = instruction.sources();
        let dwords = opcode.dwords(target, instruction.modifiers);
        let tuple = |is_it: &dyn Fn(Source, u8) -> bool| {
            let destination = if instruction.vdst_acc { Source::Agpr } else { Source::Vgpr }(instruction.vdst);
            let all = [destination].into_iter().chain(sources.iter().copied());
            let found = all.zip(dwords).position(|(first, dwords)| dwords > 1 && is_it(first, dwords));
            found.map_or(self.mnemonic, |slot| self.operands[slot])
        };
        let source = |is_it: &dyn Fn(usize, Source) -> bool| {
            let found = sources.iter().enumerate().position(|(slot, source)| is_it(slot, *source));
            found.map_or(self.mnemonic, |slot| self.operands[slot + 1])
        };
        match rule {
            Rule::ScalarLimit => {
                let last = sources
                    .iter()
                    .enumerate()
                    .rposition(|(slot, source)| source.is_scalar_value() && !sources[..slot].contains(source));
                last.map_or(self.mnemonic, |slot| self.operands[slot + 1])
            }
            Rule::OddSgprPair => tuple(&|first, _| matches!(first, Source::Sgpr(n) | Source::Ttmp(n) if n % 2 != 0)),
            Rule::OddVgprPair => {
                let is_odd = |first| matches!(first, Source::Vgpr(n) | Source::Agpr(n) if n % 2 != 0);
                match tuple(&|first, _| is_odd(first)) {
                    span if span == self.mnemonic => {
                        self.scale(target, instruction, |_, first, dwords| dwords > 1 && is_odd(first))
                    }
                    span => span,
                }
            }
            Rule::VgprRange => tuple(
                &|first, dwords| matches!(first, Source::Vgpr(n) | Source::Agpr(n) if u16::from(n) + u16::from(dwords) > 256),
            ),
            Rule::WideSpecial | Rule::PkF32Exec => source(&|_, source| matches!(source, Source::Special(_))),
            Rule::DppSrc1 => self.operands[2],
            Rule::MatrixOverlap => self.operands[3],
            Rule::MatrixSource => {
                let listed =
                    |slot: usize, source| opcode.layout(target).is_none_or(|layout| layout.kinds[slot].lists(source));
                match sources.iter().enumerate().position(|(slot, source)| !listed(slot, *source)) {
                    Some(slot) => self.operands[slot + 1],
                    None => self.scale(target, instruction, |kind, source, _| !kind.lists(source)),
                }
            }
            Rule::IuNeg | Rule::NegOnInteger | Rule::MatrixNeg
                if instruction.neg_lo != 0 || instruction.neg_hi == 0 =>
            {
                modifier(&[Kind::NegLo, Kind::NegHi])
            }
            Rule::IuNeg | Rule::NegOnInteger | Rule::MatrixNeg => modifier(&[Kind::NegHi]),
            Rule::DotOpSel | Rule::DotFp8Field => {
                modifier(&[Kind::OpSel, Kind::OpSelHi, Kind::Clamp, Kind::NegLo, Kind::NegHi])
            }
            Rule::LdsDirect => source(&|_, source| source == Source::Special(Special::LdsDirect)),
            Rule::MatrixFixed => modifier(&[Kind::Matrix(Modifier::Abid), Kind::NegLo, Kind::NegHi]),
            Rule::CbszRange => modifier(&[Kind::Matrix(Modifier::Cbsz)]),
            Rule::MatrixFormat => modifier(
                &[
                    Modifier::Cbsz,
                    Modifier::Blgp,
                    Modifier::MatrixAFmt,
                    Modifier::MatrixBFmt,
                    Modifier::MatrixAScaleFmt,
                    Modifier::MatrixBScaleFmt,
                ]
                .map(Kind::Matrix),
            ),
            Rule::WmmaUnusedField => modifier(&[Kind::OpSel, Kind::OpSelHi, Kind::Clamp]),
            Rule::DppCtrl | Rule::DppReservedBit => modifier(&[Kind::Pattern]),
            _ => self.mnemonic,
        }
    }

    /// The scale of a pair that is so, by what its operand lists and its dwords.
    fn scale(
        &self,
        target: Target,
        instruction: &Instruction,
        is_it: impl Fn(MatrixSource, Source, u8) -> bool,
    ) -> Span {
        let found = instruction.scale.and_then(|scale| {
            let opcode = target.opcode(scale.pair.scale)?;
            let (layout, dwords) = (opcode.layout(target)?, opcode.dwords(target, Modifiers::default()));
            (0..2).find(|which| is_it(layout.kinds[*which], scale.src[*which], dwords[which + 1]))
        });
        found.map_or(self.mnemonic, |which| self.operands[which + 4])
    }
}
