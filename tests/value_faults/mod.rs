//! The faults.

mod wrap;

use vop3p::campaign::values::{Case, ours};
use vop3p::exec::arithmetic::{Env, Rounding, convert, fma};
use vop3p::exec::format::{F16, F32, Format as _};
use vop3p::exec::mode::ModeFields;
use vop3p::exec::watch::Step;
use vop3p::isa::{Format, Generation, INLINE_FLOATS, Operation, Part, Source};
use vop3p::question::{Mode, Reading};
use wrap::{Lane, by_double, lanes_again, mixed_operands, on_results, with, with_env};

/// A fault.
pub struct Fault {
    /// What is wrong.
    pub name: &'static str,
    /// exec with the fault.
    pub exec: fn(&Case) -> Option<u64>,
    /// What may be away from its plainest in the minimised case.
    pub needs: &'static [&'static str],
}

fn operation(case: &Case) -> Operation {
    case.instruction.opcode.operation.unwrap()
}

fn is_f16(case: &Case) -> bool {
    case.instruction.opcode.vdst == Format::Pk2F16
}

fn is_mix(case: &Case) -> bool {
    matches!(operation(case), Operation::Mix(_))
}

fn is_legacy(case: &Case) -> bool {
    matches!(operation(case), Operation::Min | Operation::Max)
}

/// All faults.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "truncation for nearest even",
        exec: |case| {
            with_env(case, |env| {
                if env.rounding == Rounding::NearestEven {
                    env.rounding = Rounding::Zero;
                }
            })
        },
        needs: &[],
    },
    Fault {
        name: "ties to odd",
        exec: |case| {
            lanes_again(case, |lane| {
                let result = lane.computed();
                let tie = lane.steps().into_iter().find_map(|step| match step {
                    Step::Rounded { rest, half, up, .. } if rest == half => Some(up),
                    _ => None,
                });
                match tie {
                    Some(true) if lane.env.rounding == Rounding::NearestEven => Some(result - 1),
                    Some(false) if lane.env.rounding == Rounding::NearestEven => Some(result + 1),
                    _ => None,
                }
            })
        },
        needs: &[],
    },
    Fault {
        name: "flush before rounding",
        exec: |case| with_env(case, |env| env.tiny_before_rounding = true),
        needs: &["mode"],
    },
    Fault {
        name: "FP16_OVFL on a true infinity",
        exec: |case| {
            on_results(case, |format, bits| {
                let is_f16 = format == Format::F16 && bits & 0x7fff == F16::INFINITY;
                if is_f16 && case.mode.fp16_ovfl() { bits - 1 } else { bits }
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "an f32 on the way of an f16 fma",
        exec: |case| {
            lanes_again(case, |lane| {
                let Lane { format: Format::F16, operation: Operation::Fma, operands, env, .. } = lane else {
                    return None;
                };
                let flush =
                    |bits: u32| if env.flush_inputs && F16::is_subnormal(bits) { bits & F16::SIGN } else { bits };
                let wide = operands.map(|bits| convert::<F16, F32, ()>(flush(bits), &Env::DEFAULT, &mut ()));
                let is_finite = wide.iter().all(|bits| F32::magnitude(*bits) < F32::INFINITY);
                let plain = Env { rounding: env.rounding, ..Env::DEFAULT };
                let sum = fma::<F32, F32, ()>(wide, &plain, &mut ());
                is_finite.then(|| convert::<F32, F16, ()>(sum, env, &mut ()))
            })
        },
        needs: &[],
    },
    Fault {
        name: "an f64 on the way of an f16 fma under directed rounding",
        exec: |case| {
            lanes_again(case, |lane| match lane.env.rounding {
                Rounding::NearestEven => None,
                _ => by_double(lane),
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "a positive default NaN",
        exec: |case| with_env(case, |env| env.positive_default = true),
        needs: &[],
    },
    Fault {
        name: "the payload of a NaN dropped",
        exec: |case| {
            on_results(case, |format, bits| {
                let (sign, infinity, quiet) = match format {
                    Format::F16 => (F16::SIGN, F16::INFINITY, F16::QUIET),
                    Format::F32 => (F32::SIGN, F32::INFINITY, F32::QUIET),
                    _ => return bits,
                };
                if bits & !sign > infinity { bits & sign | infinity | quiet } else { bits }
            })
        },
        needs: &[],
    },
    Fault {
        name: "the absolute value after the negation",
        exec: |case| {
            with(case, |case| {
                if is_mix(case) {
                    case.instruction.neg_lo &= !case.instruction.neg_hi;
                }
            })
        },
        needs: &["neg_lo", "neg_hi"],
    },
    Fault {
        // Rounding is monotonic and 0 and 1 are numbers of every format, so that only a NaN can tell.
        name: "clamp before narrowing",
        exec: |case| {
            let Some(wide) = mixed_operands(case).filter(|_| case.instruction.clamp && case.mode.dx10_clamp()) else {
                return ours(case);
            };
            if wide.iter().any(|bits| F32::is_nan(*bits)) {
                return on_results(case, |_, _| 0);
            }
            ours(case)
        },
        needs: &["clamp", "mode", "readings"],
    },
    Fault {
        name: "an inline constant in both halves",
        exec: |case| {
            with(case, |case| {
                for slot in 0..case.instruction.opcode.sources() {
                    if let (Source::Float(float), true) = (case.instruction.src[slot], is_f16(case)) {
                        let bits = u64::from(INLINE_FLOATS[float as usize].f16);
                        case.instruction.src[slot] = Source::Vgpr(0);
                        case.inputs.src[slot] = bits << 16 | bits;
                    }
                }
            })
        },
        needs: &["src"],
    },
    Fault {
        name: "neg on the halves before op_sel exchanges them",
        exec: |case| {
            with(case, |case| {
                for slot in 0..case.instruction.opcode.sources() {
                    let is_vgpr = matches!(case.instruction.src[slot], Source::Vgpr(_));
                    if is_f16(case) && is_vgpr {
                        let bit = |mask: u8| u64::from(mask >> slot & 1);
                        let (low, high) = (bit(case.instruction.neg_lo), bit(case.instruction.neg_hi));
                        case.inputs.src[slot] ^= low << 15 | high << 31;
                        case.instruction.neg_lo &= !(1 << slot);
                        case.instruction.neg_hi &= !(1 << slot);
                    }
                }
            })
        },
        needs: &["neg_lo", "neg_hi", "op_sel", "op_sel_hi"],
    },
    Fault {
        name: "neg_lo for both results",
        exec: |case| {
            with(case, |case| {
                if !is_mix(case) {
                    case.instruction.neg_hi = case.instruction.neg_lo;
                }
            })
        },
        needs: &["neg_lo", "neg_hi"],
    },
    Fault {
        name: "op_sel_hi ignored",
        exec: |case| {
            with(case, |case| {
                if !is_mix(case) {
                    case.instruction.op_sel_hi = 7;
                }
            })
        },
        needs: &["op_sel_hi", "src"],
    },
    Fault {
        name: "the old half overwritten by mixlo",
        exec: |case| match operation(case) {
            Operation::Mix(Part::Low) => ours(case).map(|bits| bits & 0xffff),
            _ => ours(case),
        },
        needs: &["old"],
    },
    Fault {
        name: "an exact cancellation +0 toward -inf",
        exec: |case| {
            lanes_again(case, |lane| {
                let steps = lane.steps();
                let is_sum = steps.iter().any(|step| matches!(step, Step::Sum(_)));
                let is_zero = steps.iter().any(|step| matches!(step, Step::ExactZero { negative: true }));
                let is_cancelled = lane.operands.iter().any(|bits| bits << 1 != 0 && bits & 0x7fff != 0);
                (is_sum && is_zero && is_cancelled && lane.env.rounding == Rounding::Down).then_some(0)
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "a flushed result without its sign",
        exec: |case| {
            lanes_again(case, |lane| {
                let is_flushed = lane.steps().iter().any(|step| matches!(step, Step::FlushedOutput { .. }));
                is_flushed.then_some(0)
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "the last of several NaNs",
        exec: |case| {
            lanes_again(case, |lane| {
                let nan = lane.steps().into_iter().find_map(|step| match step {
                    Step::Nan { bits, several: true, .. } => Some(bits),
                    _ => None,
                });
                let last = lane.operands[..lane.sources].iter().rev().find(|bits| lane.is_nan(**bits))?;
                nan.map(|_| last | if lane.env.quiet { lane.quiet() } else { 0 })
            })
        },
        needs: &[],
    },
    Fault {
        name: "a NaN addend before an invalid product",
        exec: |case| with_env(case, |env| env.addend_over_invalid = true),
        needs: &[],
    },
    Fault {
        name: "a signalling NaN not made quiet under IEEE",
        exec: |case| with_env(case, |env| env.quiet = false),
        needs: &[],
    },
    Fault {
        name: "zeros of both signs equal for minimum and maximum",
        exec: |case| {
            let is_two = case.instruction.opcode.sources() == 2;
            lanes_again(case, |lane| {
                let [a, b, _] = lane.operands;
                let is_zero = |bits: u32| bits & 0x7fff == 0;
                let is_float = matches!(lane.format, Format::F16 | Format::Bf16);
                let is_extremum = !matches!(lane.operation, Operation::Add | Operation::Mul | Operation::Fma);
                (is_two && is_float && is_extremum && is_zero(a) && is_zero(b)).then_some(b)
            })
        },
        needs: &[],
    },
    Fault {
        name: "IEEE clear not seen by minimum and maximum",
        exec: |case| {
            with(case, |case| {
                if is_legacy(case) {
                    case.mode.raw |= 1 << 9;
                }
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "mad saturated after it wrapped",
        exec: |case| {
            with(case, |case| {
                if operation(case) == Operation::MadInteger {
                    case.instruction.clamp = false;
                }
            })
        },
        needs: &["clamp"],
    },
    Fault {
        name: "a shift by five bits of the amount",
        exec: |case| {
            lanes_again(case, |lane| {
                let is_shift = matches!(lane.operation, Operation::ShiftLeft | Operation::ShiftRight);
                (is_shift && lane.operands[0] & 16 != 0).then_some(0)
            })
        },
        needs: &[],
    },
    Fault {
        name: "16-bit sources of mix flushed by the f32 field",
        exec: |case| {
            with(case, |case| {
                let other = if case.readings.has(Reading::MixSourceF16Field) {
                    Reading::MixSourceF32Field
                } else {
                    Reading::MixSourceF16Field
                };
                case.readings = case.readings.with(other);
            })
        },
        needs: &["op_sel_hi", "mode"],
    },
    Fault {
        name: "f16 rounded as f32",
        exec: |case| {
            with(case, |case| {
                if is_f16(case) {
                    case.mode = Mode { raw: case.mode.raw & !0xc | (case.mode.raw & 3) << 2 };
                }
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "bf16 rounded as FP_ROUND says",
        exec: |case| {
            lanes_again(case, |lane| {
                let env = Env { rounding: case.mode.round_f16(), ..lane.env };
                (lane.format == Format::Bf16).then(|| lane.with(&env)).flatten()
            })
        },
        needs: &["mode"],
    },
    Fault {
        name: "two SGPRs read for a packed f32 of CDNA5",
        exec: |case| {
            with(case, |case| {
                let is_packed = case.instruction.opcode.vdst == Format::Pk2F32;
                for slot in 0..case.instruction.opcode.sources() {
                    let source = &mut case.instruction.src[slot];
                    if let (Source::Sgpr(_), true, Generation::Cdna5) = (*source, is_packed, case.target.generation()) {
                        *source = Source::Vgpr(0);
                    }
                }
            })
        },
        needs: &["src"],
    },
    Fault {
        name: "op_sel_hi for the second dword of pk_mov",
        exec: |case| {
            with(case, |case| {
                if operation(case) == Operation::Move {
                    let instruction = &mut case.instruction;
                    instruction.op_sel = instruction.op_sel & 1 | instruction.op_sel_hi & 2;
                }
            })
        },
        needs: &["op_sel", "op_sel_hi"],
    },
    Fault {
        name: "mix fused on gfx900",
        exec: |case| with(case, |case| case.readings = case.readings.with(Reading::MixFused)),
        needs: &[],
    },
    Fault {
        name: "mixlo rounded once",
        exec: |case| with(case, |case| case.readings = case.readings.with(Reading::MixSingle)),
        needs: &["mode"],
    },
    Fault {
        name: "CLAMP leaves -0",
        exec: |case| {
            let plain = with(case, |case| case.instruction.clamp = false)?;
            on_results(case, |format, bits| {
                let zero = if format == Format::F32 { 0x8000_0000 } else { 0x8000 };
                let is_float = matches!(format, Format::F16 | Format::Bf16 | Format::F32);
                let was_zero = plain == u64::from(zero) || plain == u64::from(zero) << 16;
                if is_float && case.instruction.clamp && was_zero && bits == 0 { zero } else { bits }
            })
        },
        needs: &["clamp", "neg_lo", "neg_hi"],
    },
    Fault {
        name: "the bits of FP_DENORM exchanged",
        exec: |case| {
            with_env(case, |env| (env.flush_inputs, env.flush_outputs) = (env.flush_outputs, env.flush_inputs))
        },
        needs: &["mode"],
    },
];
