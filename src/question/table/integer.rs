//! Questions of constants, integers and moves.

use super::*;

pub(super) const INLINE_INTEGER: QuestionRow = ask(
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
        answer(R::InlineIntegerLow, "zero", "zero", &[by(NEW, Inferred, "RDNA4 and CDNA5 manuals, {16'h0, const}")]),
    ],
);

pub(super) const INLINE_FLOAT_IN_INTEGER: QuestionRow = ask(
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
);

pub(super) const INLINE_PAIR: QuestionRow = ask(
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
);

pub(super) const MOVE_SELECT: QuestionRow = ask(
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
);

pub(super) const SIGNED_CLAMP: QuestionRow = ask(
    Q::SignedClamp,
    "signed-clamp",
    "the lower bound of signed saturation",
    &[
        answer(R::ClampToMinInt, "min-int", "-32768", &[by(ALL, Documented, "CLAMP in the VOP3P field tables")]),
        answer(
            R::ClampToMinusMaxInt,
            "minus-max-int",
            "-32767",
            &[by(RDNA3, Documented, "RDNA3 and RDNA3.5 manuals 7.2.3, against their own field tables")],
        ),
    ],
);

pub(super) const MAD_CLAMP: QuestionRow = ask(
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
        answer(R::MadClampIgnored, "ignored", "no", &[by(CDNA5, Documented, "CDNA5 manual, where CLAMP is ignored")]),
    ],
);

pub(super) const RELU: QuestionRow = ask(
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
);

pub(super) const INTEGER_NEG: QuestionRow = ask(
    Q::IntegerNeg,
    "integer-neg",
    "what NEG does to an integer",
    &[answer(R::IntegerNegIgnored, "ignored", "nothing", &[by(ALL, Unknown, "the manuals call it undefined")])],
);

pub(super) const INTEGER: QuestionRow = ask(
    Q::Integer,
    "integer",
    "what an integer operation or a move is",
    &[answer(
        R::IntegerExact,
        "exact",
        "the exact result, its low 16 bits or saturated",
        &[by(ALL, Documented, "the opcode's formula")],
    )],
);
