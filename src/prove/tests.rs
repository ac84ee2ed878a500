//! What the argument of the proof takes from the code, and the whole of `fma` on a sample.

use super::interval::{Intervals, place, place_of};
use super::products::parts;
use super::*;
use crate::campaign::Draw;
use crate::exec::arithmetic::{Env, fma};
use crate::exec::format::{F8, F16, Format};

/// The rounding of the mirrored value.
fn mirrored(rounding: Rounding) -> Rounding {
    match rounding {
        Rounding::Up => Rounding::Down,
        Rounding::Down => Rounding::Up,
        other => other,
    }
}

#[test]
fn a_mirrored_sum_has_the_mirrored_result() {
    for rounding in Rounding::ALL {
        let env = |rounding| Env { rounding, ..Env::DEFAULT };
        let (ours, other) = (env(rounding), env(mirrored(rounding)));
        for (a, b) in (0..0x80).flat_map(|a| (0..0x80).map(move |b| (a, b))) {
            for c in (0..0x100).step_by(3) {
                let result = fma::<F8, F8, ()>([a, b, c], &ours, &mut ());
                let opposite = fma::<F8, F8, ()>([a | 0x80, b, c ^ 0x80], &other, &mut ());
                // NaNs have rules of their own, and so has the sign of a zero.
                if !F8::is_nan(result) && F8::magnitude(result) != 0 {
                    assert_eq!(opposite, result ^ 0x80, "{rounding:?} {a:02x} {b:02x} {c:02x}");
                }
            }
        }
    }
}

#[test]
fn fma_as_a_whole_is_right_on_a_sample() {
    let mut draw = Draw::new(20_261_130);
    for rounding in Rounding::ALL {
        let intervals = Intervals::new(rounding);
        let env = Env { rounding, ..Env::DEFAULT };
        let mut judged = 0;
        for _ in 0..200_000 {
            let random = draw.wide();
            let [a, b, c] = [random as u16, (random >> 16) as u16, (random >> 32) as u16];
            let ((x, e), (y, f)) = (parts(a & 0x7fff), parts(b & 0x7fff));
            if [a, b, c].into_iter().any(|bits| bits & 0x7c00 == 0x7c00) || x * y == 0 {
                continue;
            }
            let product = place_of(u64::from(x * y), e + f);
            let sum = if (a ^ b) >> 15 == 0 { product } else { -product } + place(interval::units(c));
            let result = fma::<F16, F16, ()>([a, b, c].map(u32::from), &env, &mut ()) as u16;
            assert!(intervals.hold(result, sum), "{rounding:?} {a:04x} {b:04x} {c:04x} {result:04x}");
            judged += 1;
        }
        assert!(judged > 150_000);
    }
}

#[test]
fn parts_read_as_they_print() {
    let all = Part::all();
    assert_eq!(all.len(), 1 + 4 + 4 + 1 + 4 + 4 + 4);
    for part in all {
        assert_eq!(part.to_string().parse(), Ok(part));
        assert!(part.chunks() > 0 && !part.claim().is_empty());
    }
    assert!(
        "c-sums".parse::<Part>().unwrap_err().starts_with("`c-sums` is no part of the proof: a-small, b-add-rne, ")
    );
}

#[test]
fn the_special_cases_have_nothing_wrong() {
    let tally = Prover::default().judge(Part::Specials(Rounding::Down), 0, 1);
    assert!(tally.cases > 10_000_000 && tally.wrong == 0, "{tally:?}");
}

#[test]
fn certificates_speak_of_the_arithmetic_as_it_is() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
    let mut certified = Vec::new();
    for part in Part::all() {
        let Some(record) = Record::load(&dir, part).unwrap() else { continue };
        assert_eq!(record.arithmetic_sha256, source_hash(), "{part}: `make prove` must run again");
        assert_eq!(record.wrong, 0, "{part}");
        if record.is_complete() {
            assert_eq!(record.flaw(part), None, "{part}");
            certified.push(part.to_string());
        }
    }
    for part in ["a-small", "b-add-rne", "b-mul-zero", "c-products", "c-sums-rne", "c-specials-rne", "c-flush-rne"] {
        assert!(certified.iter().any(|done| done == part), "{part} is not certified");
    }
}
