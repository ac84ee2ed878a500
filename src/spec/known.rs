//! Differences between AMD's XML and our tables that are known: why they are there, and where the ledger says more.
//!
//! Source: the XML of each generation against its manual, as far as public decoders built from it show it.

use super::difference::{Aspect, Difference};
use super::layout::{ENC_VOP3PX2, ENC_VOP3PX3};
use crate::isa::Generation;

/// A known difference.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    /// The generations of whose files it speaks.
    generations: &'static [Generation],
    /// What differs.
    aspects: &'static [Aspect],
    /// The instructions or encodings; a name that ends in `*` is the beginning of one.
    of: &'static [&'static str],
    /// The operands or fields; all of them if there is none.
    parts: &'static [&'static str],
    /// What the file says, where only that is known.
    file: Option<&'static str>,
    /// Why.
    pub why: &'static str,
    /// The entry of the ledger that says more.
    pub entry: Option<&'static str>,
}

use Aspect::{DataFormat, Direction, FieldBits, FieldExtra, OpcodeMissing, OperandKind, OperandSize, Prefix};
use Generation::{Cdna1, Cdna2, Cdna3, Cdna4, Cdna5, Rdna1, Rdna2, Rdna3, Rdna4, Rdna35, Vega, Vega7};

/// What every row has unless it says otherwise.
const ANY: Known = Known { generations: &[], aspects: &[], of: &[], parts: &[], file: None, why: "", entry: None };

const PAIRS_CDNA5: &[&str] = &[ENC_VOP3PX2, ENC_VOP3PX3];

/// Every known difference.
pub(super) static KNOWN: &[Known] = &[
    Known {
        generations: &[Rdna1],
        aspects: &[OpcodeMissing],
        of: &[
            "V_DOT2_F32_F16",
            "V_DOT2_I32_I16",
            "V_DOT2_U32_U16",
            "V_DOT4_I32_I8",
            "V_DOT4_U32_U8",
            "V_DOT8_I32_I4",
            "V_DOT8_U32_U4",
        ],
        why: "gfx1011 and gfx1012 have the dot products by LLVM and AMD's emulator; no document of AMD's lists them",
        entry: Some("rdna1-dot-products"),
        ..ANY
    },
    Known {
        generations: &[Cdna1],
        aspects: &[OpcodeMissing],
        of: &["V_ACCVGPR_WRFED"],
        why: "only the opcode table of the CDNA1 manual has it",
        entry: Some("accvgpr-wrfed"),
        ..ANY
    },
    Known {
        generations: &[Cdna4],
        aspects: &[OpcodeMissing],
        of: &["V_MFMA_LD_SCALE_B32"],
        why: "the scale word alone is an instruction to LLVM and to AMD's emulator; AMD's documents have the pairs only",
        ..ANY
    },
    Known {
        generations: &[Cdna2],
        aspects: &[OperandSize],
        of: &["V_PK_FMA_F32", "V_PK_MUL_F32", "V_PK_ADD_F32"],
        file: Some("32"),
        why: "the XML counts one dword of two; the manual has register pairs",
        ..ANY
    },
    Known {
        generations: &[Cdna3],
        aspects: &[OperandSize, DataFormat],
        of: &[
            "V_SMFMAC_F32_32X32X16_F16",
            "V_SMFMAC_F32_16X16X32_BF16",
            "V_SMFMAC_F32_32X32X16_BF16",
            "V_SMFMAC_I32_32X32X32_I8",
        ],
        why: "the XML has the operands of other, dense instructions here; the manual has twice as much of B as of A, and \
              one register of indices",
        ..ANY
    },
    Known {
        generations: &[Rdna4, Cdna5],
        aspects: &[Direction],
        of: &["V_SWMMAC_*"],
        parts: &["VDST"],
        file: Some("written"),
        why: "the XML calls the destination an output; by the manual it is the accumulator, which is read, too",
        ..ANY
    },
    Known {
        generations: &[Cdna4, Cdna5],
        aspects: &[OperandKind],
        of: &["V_MFMA_SCALE_*", "V_WMMA_SCALE_*", "V_WMMA_SCALE16_*"],
        parts: &["SCALE_SRC0", "SCALE_SRC1"],
        file: Some("OPR_SRC_SIMPLE"),
        why: "the manual allows less: on CDNA4 a VGPR or an inline constant, on CDNA5 a VGPR, an SGPR or 0",
        entry: Some("scale-operand"),
    },
    Known {
        generations: &[Cdna4],
        aspects: &[Prefix],
        of: &[ENC_VOP3PX2],
        file: Some(""),
        why: "the XML leaves out how the pair is told apart",
        ..ANY
    },
    Known {
        generations: &[Cdna4],
        aspects: &[FieldBits],
        of: &[ENC_VOP3PX2],
        parts: &["OPSEL_HI"],
        file: Some("60:59"),
        why: "a scale word has two sources, and nothing uses the third bit",
        ..ANY
    },
    Known {
        generations: &[Cdna5],
        aspects: &[Prefix],
        of: PAIRS_CDNA5,
        why: "the XML's identifiers are the prefix joined with an opcode by OR, which are other opcodes",
        ..ANY
    },
    Known {
        generations: &[Cdna5],
        aspects: &[FieldBits],
        of: PAIRS_CDNA5,
        parts: &["OPSEL_HI", "SCALE_OPSEL_HI"],
        why: "the XML gives bit 14 of the scale word to the OPSEL_HI of the matrix word",
        ..ANY
    },
    Known {
        generations: &[Cdna1],
        aspects: &[FieldExtra],
        parts: &["ACC_CD"],
        file: Some("15"),
        why: "the CDNA1 manual reserves the bit",
        entry: Some("fields-shown"),
        ..ANY
    },
    Known {
        generations: &[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4, Rdna1, Rdna2, Rdna3, Rdna35],
        aspects: &[FieldBits],
        parts: &["OPSEL_HI"],
        file: Some("14 and 60 and 59"),
        why: "the misprint of the manuals",
        entry: Some("op-sel-hi-misprint"),
        ..ANY
    },
];

/// What is known of a difference in a file of this generation.
pub(super) fn known(generation: Generation, difference: &Difference) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        let named = |of: &&str| match of.strip_suffix('*') {
            Some(beginning) => difference.of.starts_with(beginning),
            None => difference.of == *of,
        };
        known.generations.contains(&generation)
            && known.aspects.contains(&difference.aspect)
            && (known.of.is_empty() || known.of.iter().any(named))
            && (known.parts.is_empty() || known.parts.contains(&difference.part.as_str()))
            && known.file.is_none_or(|file| difference.file == file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;

    #[test]
    fn every_row_says_of_what_it_speaks_and_names_an_entry_that_there_is() {
        let ledger = Ledger::builtin().unwrap();
        for known in KNOWN {
            assert!(!known.generations.is_empty() && !known.aspects.is_empty() && !known.why.is_empty(), "{known:?}");
            assert!(!(known.of.is_empty() && known.parts.is_empty()), "{known:?}");
            if let Some(entry) = known.entry {
                assert!(ledger.get(entry).is_some(), "{entry}");
            }
        }
    }
}
