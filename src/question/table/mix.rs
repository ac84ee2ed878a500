//! Questions of mixed precision.

use super::*;

pub(super) const MIX_FUSION: QuestionRow = ask(
    Q::MixFusion,
    "mix-fusion",
    "whether mix rounds the product",
    &[
        answer(
            R::MixFused,
            "fused",
            "no: one fused multiply-add",
            &[
                by(CDNA, Documented, "CDNA1 to CDNA4 manuals, V_MAD_MIX; an AMD engineer in llvm/llvm-project#109873"),
                by(RDNA.or(CDNA5), Documented, "opcode tables of the RDNA and CDNA5 manuals, V_FMA_MIX"),
                by(FUSED, Emulator, "LLVM FeatureFmaMixInsts; Mesa"),
            ],
        ),
        answer(
            R::MixUnfused,
            "unfused",
            "yes: the product is rounded to f32, then the sum",
            &[
                by(Set::named(&["gfx900"]), Documented, "Vega manual, V_MAD_MIX_F32; LLVM FeatureMadMixInsts"),
                by(UNFUSED, Emulator, "LLVM FeatureMadMixInsts; Mesa"),
                by(
                    Set::named(&["gfx904", "gfx906"]),
                    Inferred,
                    "Vega 7nm manual, \"single MAD\"; the formula a * b + c of V_MAD_MIX_F32",
                ),
            ],
        ),
    ],
);

pub(super) const MIX_ROUNDING: QuestionRow = ask(
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
                by(ALL, Emulator, "LLVM makes it of a rounded fma (llvm/llvm-project#219723, #224913)"),
            ],
        ),
        answer(
            R::MixSingle,
            "single",
            "once, from the exact value",
            &[by(EMULATED, Emulator, "rocjitsu, ROCm/rocm-systems#10913"), by(ALL, Inferred, NOT_EMULATED)],
        ),
    ],
);

pub(super) const MIX_SOURCE_DENORM: QuestionRow = ask(
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
);

pub(super) const MIX_RESULT_ROUND: QuestionRow = ask(
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
);

pub(super) const MIX_RESULT_DENORM: QuestionRow = ask(
    Q::MixResultDenorm,
    "mix-result-denorm",
    "which field of FP_DENORM says whether a 16-bit result is flushed",
    &[
        answer(R::MixDenormF16Field, "f16", "that of f16", &[by(ALL, Inferred, "from the rounding field")]),
        answer(R::MixDenormF32Field, "f32", "that of f32", &[by(ALL, Unknown, "the instruction computes in f32")]),
    ],
);

pub(super) const MIX_FLUSH: QuestionRow = ask(
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
                by(UNFUSED, Inferred, "MODE table of the Vega manual, which names no exception"),
            ],
        ),
        answer(
            R::MixFlushAlways,
            "always",
            "yes: operands and results, of 16 and 32 bits",
            &[by(UNFUSED, Emulator, "Mesa, of unfused v_mad_mix; the Vega manual says so of V_MAD_F32")],
        ),
        answer(
            R::MixFlushNarrow,
            "narrow",
            "yes, those of 16 bits",
            &[by(GFX9.without(MI200_MI350), Emulator, "older Mesa, of every gfx9")],
        ),
    ],
);

pub(super) const MAD_PRODUCT_ROUND: QuestionRow = ask(
    Q::MadProductRound,
    "mad-product-round",
    "how the product of an unfused mix is rounded",
    &[
        answer(R::MadProductByMode, "mode", "as FP_ROUND of f32 says", &[by(ALL, Inferred, "V_MAD_F32 follows MODE")]),
        answer(R::MadProductNearest, "nearest", "to nearest even", &[by(UNFUSED, Unknown, "nobody has published it")]),
    ],
);

pub(super) const MIX_INLINE: QuestionRow = ask(
    Q::MixInline,
    "mix-inline",
    "what op_sel = 1 picks of a float inline constant read as 16 bits",
    &[
        answer(
            R::MixInlineReplicated,
            "replicated",
            "the constant in 16 bits",
            &[by(EMULATED, Emulator, ROCJITSU), by(ALL, Inferred, NOT_EMULATED)],
        ),
        answer(
            R::MixInlineLow,
            "low",
            "the high half, which is 0: the constant is in the low half",
            &[by(ALL, Inferred, "from the rule for packed operands")],
        ),
    ],
);
