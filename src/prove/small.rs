//! The 8-bit format: every triple, in every rounding and flush, against MPFR.

use super::{Tally, Wrong};
use crate::exec::arithmetic::{Env, Rounding, fma};
use crate::exec::format::F8;
use crate::oracle::mpfr::{FormatOf, Oracle, Rounding as Theirs, Rules};

/// A chunk is one setting of MODE and one first operand.
pub(super) const CHUNKS: usize = 16 * 256;

/// Judges a chunk: bits 7:0 are the first operand, 9:8 the rounding, 10 and 11 whether operands and results are flushed.
#[must_use]
pub(super) fn judge(chunk: usize) -> Tally {
    let a = chunk as u32 & 0xff;
    let rounding = Rounding::ALL[chunk >> 8 & 3];
    let (flush_inputs, flush_outputs) = (chunk >> 10 & 1 != 0, chunk >> 11 & 1 != 0);
    let env = Env { rounding, flush_inputs, flush_outputs, ..Env::DEFAULT };
    let rules = Rules {
        rounding: Theirs::of_field(chunk as u32 >> 8),
        flush_in: flush_inputs,
        flush_out: flush_outputs,
        ..Rules::default()
    };
    let mut oracle = Oracle::new();
    let mut tally = Tally::default();
    for (b, c) in (0..=0xff).flat_map(|b| (0..=0xff).map(move |c| (b, c))) {
        let result = fma::<F8, F8, ()>([a, b, c], &env, &mut ());
        let theirs = oracle.fma(FormatOf::F8, [a, b, c], &rules);
        tally.count(result == theirs, || Wrong {
            case: format!("{a:02x} · {b:02x} + {c:02x} gives {result:02x}, MPFR {theirs:02x}; {env:?}"),
        });
    }
    tally
}
