//! Questions of packed floats: arithmetic, NaNs, CLAMP, minima and maxima.

use super::*;

pub(super) const ARITHMETIC: QuestionRow = ask(
    Q::Arithmetic,
    "arithmetic",
    "what a sum, a product or a fused multiply-add of finite numbers is",
    &[answer(
        R::ArithmeticExact,
        "exact",
        "the exact value, rounded once as FP_ROUND says",
        &[by(ALL, Documented, "FMA, ADD and MUL opcodes and the MODE table of each manual")],
    )],
);

pub(super) const TININESS: QuestionRow = ask(
    Q::Tininess,
    "tininess",
    "of which value it is asked whether a result is flushed",
    &[
        answer(
            R::TinyAfter,
            "after",
            "of the value rounded as if exponents had no end",
            &[by(CAPTURED, HardwareCaptured, CAPTURES), by(ALL, Inferred, "from the captures of gfx1100 and gfx1201")],
        ),
        answer(
            R::TinyBefore,
            "before",
            "of the exact value",
            &[by(ALL.without(CAPTURED), Unknown, "IEEE 754-2019 7.5 allows it; nothing is published of these chips")],
        ),
    ],
);

pub(super) const OVERFLOW: QuestionRow = ask(
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
);

pub(super) const NAN_ORDER: QuestionRow = ask(
    Q::NanOrder,
    "nan-order",
    "which of several NaN operands the result is",
    &[
        answer(
            R::NanSourceOrder,
            "source",
            "the first in the order of the sources",
            &[by(EMULATED, Emulator, ROCJITSU), by(ALL, Inferred, NOT_EMULATED)],
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
);

pub(super) const INVALID_PRODUCT: QuestionRow = ask(
    Q::InvalidProduct,
    "invalid-product",
    "what zero times infinity plus a NaN is",
    &[
        answer(
            R::InvalidProductFirst,
            "default",
            "the default NaN",
            &[
                by(CAPTURED, HardwareCaptured, CAPTURES),
                by(EMULATED, Emulator, ROCJITSU),
                by(ALL, Inferred, NOT_EMULATED),
            ],
        ),
        answer(
            R::AddendNanFirst,
            "addend",
            "the addend",
            &[by(ALL.without(CAPTURED), Unknown, "IEEE 754-2019 7.2 allows it; nothing is published of these chips")],
        ),
    ],
);

pub(super) const DEFAULT_NAN: QuestionRow = ask(
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
                by(EMULATED, Emulator, ROCJITSU),
                by(ALL, Inferred, NOT_EMULATED),
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
);

pub(super) const NARROW_NAN: QuestionRow = ask(
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
);

pub(super) const CLAMP: QuestionRow = ask(
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
);

pub(super) const BF16_ROUND: QuestionRow = ask(
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
);

pub(super) const BOTH_NAN: QuestionRow = ask(
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
);

pub(super) const MINIMUM_NAN: QuestionRow = ask(
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
);

pub(super) const MINIMUM_FLUSH: QuestionRow = ask(
    Q::MinimumFlush,
    "minimum-flush",
    "whether minimum and maximum flush subnormal operands",
    &[
        answer(R::MinimumFlushesInputs, "input", "as FP_DENORM says", &[by(NEW.or(CDNA4), Documented, "MODE table")]),
        answer(
            R::MinimumKeepsInputs,
            "none",
            "no: they do not read MODE",
            &[by(NEW.or(CDNA4), Emulator, "LLVM, ReadsModeReg of V_PK_MINIMUM and V_PK_MAXIMUM")],
        ),
    ],
);

pub(super) const MIN_MAX: QuestionRow = ask(
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
);
