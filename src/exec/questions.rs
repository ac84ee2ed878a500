//! The table of numeric questions: who says what, of which targets.

use super::profile::Provenance::{Documented, Emulator, HardwareCaptured, Inferred, Unknown};
use super::profile::{Provenance, Question, QuestionRow, Reading, ReadingRow, Support};
use crate::isa::Generation::{Cdna1, Cdna2, Cdna3, Cdna4, Cdna5, Rdna1, Rdna2, Rdna3, Rdna4, Rdna35, Vega, Vega7};
use crate::isa::ProcessorSet as Set;

use Question as Q;
use Reading as R;

const ALL: Set = Set::ALL;
/// The chips on which packed and scalar f16 and f32 arithmetic was captured.
const CAPTURED: Set = Set::named(&["gfx1100", "gfx1201"]);
const GFX1100: Set = Set::named(&["gfx1100"]);
const MI200_MI350: Set = Set::named(&["gfx90a", "gfx950"]);
const UNFUSED: Set = Set::named(&["gfx900", "gfx902", "gfx909", "gfx90c"]);
const FUSED: Set = ALL.without(UNFUSED);
const GFX9: Set = Set::generations(&[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4]);
const CDNA: Set = Set::generations(&[Cdna1, Cdna2, Cdna3, Cdna4]);
const CDNA2_UP: Set = Set::generations(&[Cdna2, Cdna3, Cdna4]);
const CDNA2: Set = Set::generations(&[Cdna2]);
const CDNA4: Set = Set::generations(&[Cdna4]);
const CDNA5: Set = Set::generations(&[Cdna5]);
const CDNA3_4: Set = Set::generations(&[Cdna3, Cdna4]);
const RDNA3: Set = Set::generations(&[Rdna3, Rdna35]);
const RDNA4: Set = Set::generations(&[Rdna4]);
const NEW: Set = RDNA4.or(CDNA5);
const OLD: Set = ALL.without(NEW);
const BEFORE_RDNA3: Set = Set::generations(&[Vega, Vega7, Cdna1, Cdna2, Cdna3, Cdna4, Rdna1, Rdna2]);

const fn by(on: Set, provenance: Provenance, source: &'static str) -> Support {
    Support { on, provenance, source }
}

const fn answer(reading: Reading, name: &'static str, says: &'static str, support: &'static [Support]) -> ReadingRow {
    ReadingRow { reading, name, says, support }
}

const fn ask(question: Question, id: &'static str, asks: &'static str, readings: &'static [ReadingRow]) -> QuestionRow {
    QuestionRow { question, id, asks, readings }
}

const ROCJITSU: &str = "ROCm/rocm-systems emulation/rocjitsu";
const CAPTURES: &str = "captures in ROCm/rocm-systems emulation/rocjitsu, valu_fp_mode_test.cpp";

/// Every question, in the order of [`Question`].
pub static QUESTIONS: [QuestionRow; 30] = [
    ask(
        Q::Arithmetic,
        "arithmetic",
        "what a sum, a product or a fused multiply-add of finite numbers is",
        &[answer(
            R::ArithmeticExact,
            "exact",
            "the exact value, rounded once as FP_ROUND says",
            &[by(ALL, Documented, "FMA, ADD and MUL opcodes and the MODE table of each manual")],
        )],
    ),
    ask(
        Q::Tininess,
        "tininess",
        "of which value it is asked whether a result is flushed",
        &[
            answer(
                R::TinyAfter,
                "after",
                "of the value rounded as if exponents had no end",
                &[
                    by(CAPTURED, HardwareCaptured, CAPTURES),
                    by(ALL, Inferred, "from the captures of gfx1100 and gfx1201"),
                ],
            ),
            answer(
                R::TinyBefore,
                "before",
                "of the exact value",
                &[by(
                    ALL.without(CAPTURED),
                    Unknown,
                    "IEEE 754-2019 7.5 allows it; nothing is published of these chips",
                )],
            ),
        ],
    ),
    ask(
        Q::Overflow,
        "overflow",
        "what stands for a result that is too large",
        &[answer(
            R::OverflowIeee,
            "ieee",
            "an infinity, or the largest number where the rounding is toward zero from there; always that in f16 and, from \
         RDNA4 on, bf16 with FP16_OVFL",
            &[by(ALL, Documented, "MODE tables, FP16_OVFL; CDNA5 manual, packed BF16")],
        )],
    ),
    ask(
        Q::NanOrder,
        "nan-order",
        "which of several NaN operands the result is",
        &[
            answer(
                R::NanSourceOrder,
                "source",
                "the first in the order of the sources",
                &[by(ALL, Emulator, ROCJITSU)],
            ),
            answer(
                R::NanSignallingFirst,
                "signalling",
                "the first signalling one, else the first",
                &[by(
                    ALL,
                    Inferred,
                    "from the formulas of minimum and maximum; no capture has a quiet NaN before a signalling one",
                )],
            ),
        ],
    ),
    ask(
        Q::InvalidProduct,
        "invalid-product",
        "what zero times infinity plus a NaN is",
        &[
            answer(
                R::InvalidProductFirst,
                "default",
                "the default NaN",
                &[by(CAPTURED, HardwareCaptured, CAPTURES), by(ALL, Emulator, ROCJITSU)],
            ),
            answer(
                R::AddendNanFirst,
                "addend",
                "the addend",
                &[by(
                    ALL.without(CAPTURED),
                    Unknown,
                    "IEEE 754-2019 7.2 allows it; nothing is published of these chips",
                )],
            ),
        ],
    ),
    ask(
        Q::DefaultNan,
        "default-nan",
        "the sign of the NaN of an invalid operation",
        &[
            answer(
                R::DefaultNanNegative,
                "negative",
                "negative",
                &[
                    by(CAPTURED, HardwareCaptured, CAPTURES),
                    by(Set::generations(&[Vega]), Documented, "Vega manual, examples of V_RSQ_F16 and V_LOG_F32"),
                    by(Set::generations(&[Rdna3, Rdna4]), Documented, "RDNA3 and RDNA4 manuals, -QNaN as the default"),
                    by(ALL, Emulator, ROCJITSU),
                ],
            ),
            answer(
                R::DefaultNanPositive,
                "positive",
                "positive",
                &[by(
                    ALL.without(CAPTURED).without(Set::generations(&[Vega, Rdna3, Rdna4])),
                    Unknown,
                    "IEEE 754-2019 6.3 leaves it open; nothing is published of these chips",
                )],
            ),
        ],
    ),
    ask(
        Q::NarrowNan,
        "narrow-nan",
        "what a signalling NaN is in a narrower result, where IEEE does not make it quiet",
        &[
            answer(
                R::NarrowNanQuiet,
                "quiet",
                "a quiet NaN with the high bits of the payload",
                &[by(ALL, Inferred, "from conversions, which give quiet NaNs")],
            ),
            answer(
                R::NarrowNanCut,
                "cut",
                "its high bits, even if they are those of an infinity",
                &[by(OLD, Unknown, "nobody has published it")],
            ),
            answer(
                R::NarrowNanKeep,
                "keep",
                "its high bits, the lowest set if the payload is lost",
                &[by(OLD, Unknown, "nobody has published it")],
            ),
        ],
    ),
    ask(
        Q::Clamp,
        "clamp",
        "what CLAMP makes of a float",
        &[answer(
            R::ClampAfterRounding,
            "after",
            "the rounded result held in 0 to 1, -0 as +0; a NaN +0 where DX10_CLAMP is set, from RDNA4 on always",
            &[
                by(CAPTURED, HardwareCaptured, CAPTURES),
                by(ALL, Documented, "CLAMP in the VOP3P field tables; DX10_CLAMP in the MODE tables"),
            ],
        )],
    ),
    ask(
        Q::MixFusion,
        "mix-fusion",
        "whether mix rounds the product",
        &[
            answer(
                R::MixFused,
                "fused",
                "no: one fused multiply-add",
                &[
                    by(
                        CDNA,
                        Documented,
                        "CDNA1 to CDNA4 manuals, V_MAD_MIX; an AMD engineer in llvm/llvm-project#109873",
                    ),
                    by(FUSED, Documented, "RDNA opcode tables; LLVM FeatureFmaMixInsts for gfx904 and gfx906"),
                ],
            ),
            answer(
                R::MixUnfused,
                "unfused",
                "yes: the product is rounded to f32, then the sum",
                &[
                    by(UNFUSED, Documented, "Vega manual, V_MAD_MIX_F32; LLVM FeatureMadMixInsts"),
                    by(
                        Set::named(&["gfx904", "gfx906"]),
                        Inferred,
                        "Vega 7nm manual, \"single MAD\"; the formula a * b + c of V_MAD_MIX_F32",
                    ),
                ],
            ),
        ],
    ),
    ask(
        Q::MixRounding,
        "mixlo",
        "how often a mix result of 16 bits is rounded",
        &[
            answer(
                R::MixDouble,
                "double",
                "twice: to f32, then to 16 bits",
                &[
                    by(
                        CDNA3_4.or(RDNA3).or(NEW),
                        Documented,
                        "formulas of V_FMA_MIXLO_F16 (RDNA3 on) and V_MAD_MIXLO_F16 (CDNA3, CDNA4)",
                    ),
                    by(ALL, Inferred, "from those formulas; LLVM folds fptrunc(fma) (llvm/llvm-project#219723)"),
                ],
            ),
            answer(R::MixSingle, "single", "once, from the exact value", &[by(ALL, Emulator, ROCJITSU)]),
        ],
    ),
    ask(
        Q::MixSourceDenorm,
        "mix-source-denorm",
        "which field of FP_DENORM says whether a 16-bit source is flushed",
        &[
            answer(
                R::MixSourceF16Field,
                "f16",
                "that of f16",
                &[by(ALL, Unknown, "fits the table in llvm/llvm-project#205101")],
            ),
            answer(
                R::MixSourceF32Field,
                "f32",
                "that of f32",
                &[by(ALL, Unknown, "fits the table in llvm/llvm-project#205101")],
            ),
        ],
    ),
    ask(
        Q::MixResultRound,
        "mix-result-round",
        "which field of FP_ROUND rounds to 16 bits",
        &[
            answer(
                R::MixRoundF16Field,
                "f16",
                "that of f16",
                &[by(ALL, Emulator, "rocjitsu, ROCm/rocm-systems#10913; LLVM")],
            ),
            answer(R::MixRoundF32Field, "f32", "that of f32", &[by(ALL, Unknown, "the instruction computes in f32")]),
        ],
    ),
    ask(
        Q::MixResultDenorm,
        "mix-result-denorm",
        "which field of FP_DENORM says whether a 16-bit result is flushed",
        &[
            answer(R::MixDenormF16Field, "f16", "that of f16", &[by(ALL, Inferred, "from the rounding field")]),
            answer(R::MixDenormF32Field, "f32", "that of f32", &[by(ALL, Unknown, "the instruction computes in f32")]),
        ],
    ),
    ask(
        Q::MixFlush,
        "mix-flush",
        "whether mix flushes whatever FP_DENORM says",
        &[
            answer(
                R::MixFlushByMode,
                "mode",
                "no: FP_DENORM decides",
                &[
                    by(MI200_MI350, HardwareCaptured, "table in llvm/llvm-project#205101"),
                    by(FUSED, Documented, "MODE table of each manual"),
                ],
            ),
            answer(
                R::MixFlushAlways,
                "always",
                "yes: operands and results, of 16 and 32 bits",
                &[by(UNFUSED, Documented, "Vega manual, V_MAD_F32: denormals are flushed; Mesa, of unfused v_mad_mix")],
            ),
            answer(
                R::MixFlushNarrow,
                "narrow",
                "yes, those of 16 bits",
                &[by(GFX9.without(MI200_MI350), Emulator, "older Mesa, of every gfx9")],
            ),
        ],
    ),
    ask(
        Q::MadProductRound,
        "mad-product-round",
        "how the product of an unfused mix is rounded",
        &[
            answer(
                R::MadProductByMode,
                "mode",
                "as FP_ROUND of f32 says",
                &[by(ALL, Inferred, "V_MAD_F32 follows MODE")],
            ),
            answer(
                R::MadProductNearest,
                "nearest",
                "to nearest even",
                &[by(UNFUSED, Unknown, "nobody has published it")],
            ),
        ],
    ),
    ask(
        Q::MixInline,
        "mix-inline",
        "what op_sel = 1 picks of a float inline constant read as 16 bits",
        &[
            answer(R::MixInlineReplicated, "replicated", "the constant in 16 bits", &[by(ALL, Emulator, ROCJITSU)]),
            answer(
                R::MixInlineLow,
                "low",
                "the high half, which is 0: the constant is in the low half",
                &[by(ALL, Inferred, "from the rule for packed operands")],
            ),
        ],
    ),
    ask(
        Q::BothNan,
        "both-nan",
        "what V_PK_MIN_F16 and V_PK_MAX_F16 make of two NaNs",
        &[
            answer(
                R::BothNanSecond,
                "second",
                "source 1",
                &[by(BEFORE_RDNA3, Documented, "formulas of the Vega, CDNA1 to CDNA4, RDNA1 and RDNA2 manuals")],
            ),
            answer(
                R::BothNanFirst,
                "first",
                "source 0",
                &[by(RDNA3, Documented, "formulas of the RDNA3 and RDNA3.5 manuals")],
            ),
        ],
    ),
    ask(
        Q::MinimumNan,
        "minimum-nan",
        "which of two NaNs minimum and maximum give",
        &[
            answer(
                R::MinimumSignallingFirst,
                "signalling",
                "the first signalling one, else the first",
                &[by(NEW.or(CDNA4), Documented, "formulas of V_MINIMUM_F16 and V_MAXIMUM_F16")],
            ),
            answer(
                R::MinimumSourceOrder,
                "source",
                "the first",
                &[
                    by(
                        NEW,
                        Documented,
                        "text of the RDNA4 and CDNA5 manuals on minimum and maximum; rocjitsu says so of gfx1201",
                    ),
                    by(CDNA4, Emulator, ROCJITSU),
                ],
            ),
        ],
    ),
    ask(
        Q::MinimumFlush,
        "minimum-flush",
        "whether minimum and maximum flush subnormal operands",
        &[
            answer(
                R::MinimumFlushesInputs,
                "input",
                "as FP_DENORM says",
                &[by(NEW.or(CDNA4), Documented, "MODE table")],
            ),
            answer(
                R::MinimumKeepsInputs,
                "none",
                "no: they do not read MODE",
                &[by(NEW.or(CDNA4), Emulator, "LLVM, ReadsModeReg of V_PK_MINIMUM and V_PK_MAXIMUM")],
            ),
        ],
    ),
    ask(
        Q::Bf16Round,
        "bf16-round",
        "how packed bf16 is rounded",
        &[
            answer(
                R::Bf16Nearest,
                "nearest",
                "to nearest even, whatever FP_ROUND says",
                &[by(CDNA5, Documented, "CDNA5 manual, packed BF16")],
            ),
            answer(
                R::Bf16Truncates,
                "zero",
                "toward zero",
                &[by(CDNA5, Emulator, "early rocjitsu (ROCm/rocm-systems#10806, #11378)")],
            ),
        ],
    ),
    ask(
        Q::InlineInteger,
        "inline-integer",
        "the high half of an integer inline constant",
        &[
            answer(
                R::InlineIntegerSignExtended,
                "sign",
                "the sign",
                &[by(CDNA5, Documented, "CDNA5 manual, inline constants"), by(ALL, Emulator, "LLVM, of the hardware")],
            ),
            answer(
                R::InlineIntegerLow,
                "zero",
                "zero",
                &[by(NEW, Inferred, "RDNA4 and CDNA5 manuals, {16'h0, const}")],
            ),
        ],
    ),
    ask(
        Q::InlineFloatInInteger,
        "inline-float",
        "what a float inline constant is in a packed integer operation",
        &[
            answer(
                R::InlineFloatIsF32,
                "f32",
                "the bits of the f32",
                &[by(GFX1100, HardwareCaptured, "tinygrad, test_vop3p.py"), by(ALL, Emulator, "LLVM, of the hardware")],
            ),
            answer(
                R::InlineFloatIsF16Low,
                "f16",
                "the bits of the f16 in the low half",
                &[by(ALL.without(GFX1100), Inferred, "manuals: a value in only the low 16 bits")],
            ),
        ],
    ),
    ask(
        Q::InlinePair,
        "inline-pair",
        "the high dword of an inline constant of 64 bits",
        &[
            answer(
                R::InlinePairReplicated,
                "replicated",
                "the constant again",
                &[
                    by(CDNA5, Documented, "CDNA5 manual, packed F32"),
                    by(CDNA2_UP, Emulator, "tinygrad"),
                    by(ALL, Inferred, "from CDNA5"),
                ],
            ),
            answer(R::InlinePairLow, "low", "zero", &[by(CDNA2_UP, Unknown, "nobody has published it")]),
        ],
    ),
    ask(
        Q::MoveSelect,
        "move-select",
        "whether OP_SEL picks the dwords of V_PK_MOV_B32",
        &[
            answer(
                R::MoveByOpSel,
                "op-sel",
                "yes",
                &[by(CDNA3_4, Documented, "formula of V_PK_MOV_B32"), by(ALL, Inferred, "from CDNA3")],
            ),
            answer(
                R::MoveIgnoresOpSel,
                "none",
                "no: the low dwords",
                &[by(CDNA2, Inferred, "CDNA2 manual, a formula without it")],
            ),
        ],
    ),
    ask(
        Q::SignedClamp,
        "signed-clamp",
        "the lower bound of signed saturation",
        &[
            answer(R::ClampToMinInt, "min-int", "-32768", &[by(ALL, Documented, "CLAMP in the VOP3P field tables")]),
            answer(
                R::ClampToMinusMaxInt,
                "minus-max-int",
                "-32767",
                &[by(RDNA3, Inferred, "RDNA3 and RDNA3.5 manuals 7.2.3, against their own field tables")],
            ),
        ],
    ),
    ask(
        Q::MadClamp,
        "mad-clamp",
        "whether V_PK_MAD saturates",
        &[
            answer(
                R::MadClampSaturates,
                "saturate",
                "yes, the exact sum",
                &[by(OLD.or(RDNA4), Documented, "CLAMP in the VOP3P field tables"), by(CDNA5, Emulator, ROCJITSU)],
            ),
            answer(
                R::MadClampIgnored,
                "ignored",
                "no",
                &[by(CDNA5, Documented, "CDNA5 manual, where CLAMP is ignored")],
            ),
        ],
    ),
    ask(
        Q::Relu,
        "relu",
        "what CLAMP does to three-source integer minima and maxima",
        &[
            answer(
                R::ReluClamps,
                "relu",
                "a negative result becomes 0",
                &[by(CDNA5, Documented, "CDNA5 manual, the opcodes' notes")],
            ),
            answer(
                R::ReluIgnored,
                "ignored",
                "nothing",
                &[by(CDNA5, Inferred, "CDNA5 manual, the list of integer operations that ignore CLAMP")],
            ),
        ],
    ),
    ask(
        Q::IntegerNeg,
        "integer-neg",
        "what NEG does to an integer",
        &[answer(R::IntegerNegIgnored, "ignored", "nothing", &[by(ALL, Unknown, "the manuals call it undefined")])],
    ),
    ask(
        Q::Integer,
        "integer",
        "what an integer operation or a move is",
        &[answer(
            R::IntegerExact,
            "exact",
            "the exact result, its low 16 bits or saturated",
            &[by(ALL, Documented, "the opcode's formula")],
        )],
    ),
    ask(
        Q::MinMax,
        "min-max",
        "what the minimum or maximum of two numbers, or of a number and a NaN, is",
        &[answer(
            R::MinMaxFormula,
            "formula",
            "-0 is below +0; minimum and maximum give the NaN, the others the number, or under IEEE of MODE, before \
             RDNA4, a signalling NaN made quiet",
            &[by(ALL, Documented, "the opcode's formula")],
        )],
    ),
];
