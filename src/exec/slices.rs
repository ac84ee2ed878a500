//! Fused multiply-add of whole slices in the default mode, with the host's floats.
//!
//! Results are bit for bit those of [`arithmetic::fma`] under [`Env::DEFAULT`]. The host computes only with numbers
//! that are normal in its format or zero, so that no operation takes the slow path for subnormals; NaNs never reach
//! it.

use core::fmt;

use super::arithmetic::{self, Env};
use super::format::{F16, F32};

/// Elements computed at once.
const CHUNK: usize = 64;

/// Slices of different lengths, where as many results as triples are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnequalLengths {
    /// Of the two factors, the addend and the results.
    pub lengths: [usize; 4],
}

impl fmt::Display for UnequalLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, out] = self.lengths;
        write!(f, "slices of {a}, {b} and {c} elements for {out} results")
    }
}

impl core::error::Error for UnequalLengths {}

/// `out[i] = a[i] · b[i] + c[i]` in f16, rounded once to nearest even: the default mode, NaNs as captured on gfx1100
/// and gfx1201.
///
/// # Errors
/// The slices are not all of one length. Nothing is written then.
pub fn fma_f16(a: &[u16], b: &[u16], c: &[u16], out: &mut [u16]) -> Result<(), UnequalLengths> {
    by_chunks(a, b, c, out, chunk_f16)
}

/// `out[i] = a[i] · b[i] + c[i]` in f32, likewise.
///
/// # Errors
/// The slices are not all of one length. Nothing is written then.
pub fn fma_f32(a: &[u32], b: &[u32], c: &[u32], out: &mut [u32]) -> Result<(), UnequalLengths> {
    by_chunks(a, b, c, out, chunk_f32)
}

type Chunk<T> = [T; CHUNK];

#[inline(always)]
fn by_chunks<T: Copy + Default>(
    a: &[T],
    b: &[T],
    c: &[T],
    out: &mut [T],
    chunk: impl Fn(&Chunk<T>, &Chunk<T>, &Chunk<T>, &mut Chunk<T>),
) -> Result<(), UnequalLengths> {
    if a.len() != out.len() || b.len() != out.len() || c.len() != out.len() {
        return Err(UnequalLengths { lengths: [a.len(), b.len(), c.len(), out.len()] });
    }
    let ((a, rest_a), (b, rest_b), (c, rest_c)) = (a.as_chunks(), b.as_chunks(), c.as_chunks());
    let (out, rest) = out.as_chunks_mut();
    for (((a, b), c), out) in a.iter().zip(b).zip(c).zip(out) {
        chunk(a, b, c, out);
    }
    if !rest.is_empty() {
        let padded = |rest: &[T]| {
            let mut chunk = [T::default(); CHUNK];
            chunk[..rest.len()].copy_from_slice(rest);
            chunk
        };
        let mut results = [T::default(); CHUNK];
        chunk(&padded(rest_a), &padded(rest_b), &padded(rest_c), &mut results);
        rest.copy_from_slice(&results[..rest.len()]);
    }
    Ok(())
}

/// A power of two as f64.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Rounds to a multiple of 2^(max(e, `emin`) − `fraction`), ties to even, where e is the exponent of the value: what a
/// format with this smallest exponent and fraction holds, infinities apart.
///
/// Beside 1.5 · 2^(52 + n) a smaller number keeps no bit below 2^n, and that sum is rounded to nearest even.
#[inline(always)]
fn rounded(value: f64, emin: i32, fraction: i32) -> f64 {
    let unit = f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000);
    let unit = if unit > power(emin) { unit } else { power(emin) };
    let shift = unit * (1.5 * power(52 - fraction));
    (value + shift) - shift
}

/// An f16 as f32. Exponents of all ones give finite numbers, too; their elements are overwritten.
#[inline(always)]
fn f32_of_f16(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff);
    let normal = (magnitude << 13) + (112 << 23);
    let subnormal = (magnitude as i32 as f32 * power(-24) as f32).to_bits();
    let is_normal = magnitude >= 0x400;
    f32::from_bits(if is_normal { normal } else { subnormal } | u32::from(bits & 0x8000) << 16)
}

/// Whether the exponent is all ones, as the sign bit.
#[inline(always)]
fn special_f16(bits: u16) -> u16 {
    ((bits & 0x7fff) + 0x400) & 0x8000
}

/// One chunk of f16.
///
/// A product of two significands of 11 bits is an f32. Its sum with the addend is rounded to f64 and then to f16, which
/// gives the f16 next to the exact sum:
///
/// * If the f64 is exact, it is rounded once.
/// * If it is not and the product is the larger term, bits of the addend are lost. Those stand at 2^−24 or above, so
///   the sum is 2^29 or more, and the result is infinite either way.
/// * If it is not and the addend, with exponent e, is the larger term, bits of the product below 2^(e − 51) are lost.
///   The product has 22 bits, so that it is below 2^(e − 29). The halfway points next to the addend are at least
///   2^(e − 12) from it: neither the product nor the error leads past one.
///
/// The sign is that of the f64: it is a zero only if the exact sum is.
#[inline(always)]
fn chunk_f16(a: &Chunk<u16>, b: &Chunk<u16>, c: &Chunk<u16>, out: &mut Chunk<u16>) {
    let mut special = 0;
    for i in 0..CHUNK {
        let product = f32_of_f16(a[i]) * f32_of_f16(b[i]);
        let sum = f64::from(product) + f64::from(f32_of_f16(c[i]));
        let result = rounded(sum.abs(), -14, 10);
        // With the exponent of an infinity.
        let result = if result < power(16) { result } else { power(16) };
        let result = result.copysign(sum) as f32;
        let magnitude = result.abs();
        let normal = (magnitude.to_bits() >> 13).wrapping_sub(112 << 10);
        // Beside 1/2 the unit of an f32 is 2^−24, that of a subnormal f16.
        let subnormal = (magnitude + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
        let packed = if magnitude < power(-14) as f32 { subnormal } else { normal };
        out[i] = (packed | result.to_bits() >> 16 & 0x8000) as u16;
        special |= special_f16(a[i]) | special_f16(b[i]) | special_f16(c[i]);
    }
    if special == 0 {
        return;
    }
    for i in 0..CHUNK {
        if special_f16(a[i]) | special_f16(b[i]) | special_f16(c[i]) != 0 {
            let bits = [a[i], b[i], c[i]].map(u32::from);
            out[i] = arithmetic::fma::<F16, F16, ()>(bits, &Env::DEFAULT, &mut ()) as u16;
        }
    }
}

/// An f32 as f64. Exponents of all ones give finite numbers, too; their elements are overwritten.
#[inline(always)]
fn f64_of_f32(bits: u32) -> f64 {
    let magnitude = bits & 0x7fff_ffff;
    let normal = (u64::from(magnitude) << 29) + (896 << 52);
    let subnormal = (f64::from(magnitude as i32) * power(-149)).to_bits();
    let is_normal = magnitude >= 0x80_0000;
    f64::from_bits(if is_normal { normal } else { subnormal } | u64::from(bits & 0x8000_0000) << 32)
}

/// `a + b` in f64, rounded to odd: an inexact sum becomes that neighbour whose lowest bit is one. A second rounding, to
/// 51 bits or fewer, then gives what one rounding of the exact sum gives (Boldo and Melquiond, "Emulation of FMA and
/// correctly rounded sums", 2008). The error of the sum is exact (Knuth's two-sum): nothing over- or underflows.
#[inline(always)]
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    let step = if error != 0.0 { !bits & 1 } else { 0 };
    let is_toward_zero = (bits ^ error.to_bits()) >> 63;
    f64::from_bits(bits.wrapping_add(step).wrapping_sub((step & is_toward_zero) << 1))
}

/// Whether the exponent is all ones, as the sign bit.
#[inline(always)]
fn special_f32(bits: u32) -> u32 {
    ((bits & 0x7fff_ffff) + 0x80_0000) & 0x8000_0000
}

/// One chunk of f32.
///
/// A product of two significands of 24 bits is an f64. Its sum with the addend is rounded to odd, so that rounding to
/// the 24 bits or fewer of an f32 gives the f32 next to the exact sum.
#[inline(always)]
fn chunk_f32(a: &Chunk<u32>, b: &Chunk<u32>, c: &Chunk<u32>, out: &mut Chunk<u32>) {
    let mut special = 0;
    for i in 0..CHUNK {
        let sum = sum_to_odd(f64_of_f32(a[i]) * f64_of_f32(b[i]), f64_of_f32(c[i]));
        let result = rounded(sum.abs(), -126, 23);
        // With the exponent of an infinity.
        let result = if result < power(128) { result } else { power(128) };
        let normal = (result.to_bits() >> 29).wrapping_sub(896 << 23);
        // Beside 2^−97 the unit of an f64 is 2^−149, that of a subnormal f32.
        let subnormal = (result + power(-97)).to_bits().wrapping_sub(power(-97).to_bits());
        let packed = if result < power(-126) { subnormal } else { normal };
        out[i] = (packed | sum.to_bits() >> 32 & 0x8000_0000) as u32;
        special |= special_f32(a[i]) | special_f32(b[i]) | special_f32(c[i]);
    }
    if special == 0 {
        return;
    }
    for i in 0..CHUNK {
        if special_f32(a[i]) | special_f32(b[i]) | special_f32(c[i]) != 0 {
            out[i] = arithmetic::fma::<F32, F32, ()>([a[i], b[i], c[i]], &Env::DEFAULT, &mut ());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;

    /// Marsaglia's xorshift.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 32) as u32
        }

        fn below(&mut self, bound: u32) -> u32 {
            self.next() % bound
        }

        /// A fraction with few ones, few zeros, or any.
        fn fraction<F: Format>(&mut self) -> u32 {
            let bit = |random: &mut Self| 1 << random.below(F::FRACTION_BITS);
            match self.below(6) {
                0 => 0,
                1 => F::FRACTION,
                2 => bit(self),
                3 => bit(self) | bit(self) | 1,
                4 => F::FRACTION ^ bit(self),
                _ => self.next() & F::FRACTION,
            }
        }

        fn with_exponent<F: Format>(&mut self, biased: i32) -> u32 {
            let biased = biased.clamp(0, (1 << F::EXPONENT_BITS) - 1) as u32;
            let sign = if self.below(2) == 1 { F::SIGN } else { 0 };
            sign | biased << F::FRACTION_BITS | self.fraction::<F>()
        }

        /// Two factors, and an addend whose exponent is near that of their product, or anything.
        fn triple<F: Format>(&mut self) -> [u32; 3] {
            let exponents = 1 << F::EXPONENT_BITS;
            let middle = |random: &mut Self| F::BIAS + random.below(9) as i32 - 4;
            let (e, f) = match self.below(4) {
                0 => (middle(self), middle(self)),
                1 => (0, self.below(exponents) as i32),
                2 => (self.below(exponents) as i32, self.below(exponents) as i32),
                // A product around the smallest numbers.
                _ => (self.below(exponents / 2) as i32, F::BIAS - self.below(exponents / 4) as i32),
            };
            let near = F::PRECISION as i32 + 3;
            let g = match self.below(4) {
                0 => self.below(exponents) as i32,
                _ => e + f - F::BIAS + self.below(2 * near as u32) as i32 - near,
            };
            [e, f, g].map(|exponent| self.with_exponent::<F>(exponent))
        }
    }

    const TRIPLES: usize = 1 << 20;

    #[test]
    fn f16_slices_give_what_the_general_path_gives() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let triples: Vec<[u32; 3]> = (0..TRIPLES).map(|_| random.triple::<F16>()).collect();
        let [a, b, c] = [0, 1, 2].map(|slot| triples.iter().map(|t| t[slot] as u16).collect::<Vec<_>>());
        let mut out = vec![0; TRIPLES];
        fma_f16(&a, &b, &c, &mut out).unwrap();
        for (triple, out) in triples.iter().zip(out) {
            let expected = arithmetic::fma::<F16, F16, ()>(*triple, &Env::DEFAULT, &mut ());
            assert_eq!(u32::from(out), expected, "{triple:04x?}: {out:04x} for {expected:04x}");
        }
    }

    #[test]
    fn f32_slices_give_what_the_general_path_gives() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let triples: Vec<[u32; 3]> = (0..TRIPLES).map(|_| random.triple::<F32>()).collect();
        let [a, b, c] = [0, 1, 2].map(|slot| triples.iter().map(|t| t[slot]).collect::<Vec<_>>());
        let mut out = vec![0; TRIPLES];
        fma_f32(&a, &b, &c, &mut out).unwrap();
        for (triple, out) in triples.iter().zip(out) {
            let expected = arithmetic::fma::<F32, F32, ()>(*triple, &Env::DEFAULT, &mut ());
            assert_eq!(out, expected, "{triple:08x?}: {out:08x} for {expected:08x}");
        }
    }

    #[test]
    fn triples_of_the_tests_cover_what_is_hard() {
        let mut random = Random(1);
        let (mut nan, mut subnormal, mut halfway) = (0, 0, 0);
        for _ in 0..10_000 {
            let mut steps = Vec::new();
            let result = arithmetic::fma::<F32, F32, _>(random.triple::<F32>(), &Env::DEFAULT, &mut steps);
            nan += u32::from(F32::is_nan(result));
            subnormal += u32::from(F32::is_subnormal(result));
            use super::super::watch::Step;
            halfway += steps.iter().any(|s| matches!(s, Step::Rounded { rest, half, .. } if rest == half)) as u32;
        }
        assert!(nan > 50 && subnormal > 500 && halfway > 100, "{nan} {subnormal} {halfway}");
    }

    #[test]
    fn known_results() {
        // 2.5 · 21024 + 04ea: just above halfway; 2^-25 ties to 0, 3 · 2^-25 to 2^-23; 65504 + 16 is halfway to 65536;
        // -0 + 0 = +0 and -0 - 0 = -0; 0 · inf + NaN has no value.
        let a = [0x4100, 0x0001, 0x0001, 0x3c00, 0xbc00, 0xbc00, 0x0000];
        let b = [0x7522, 0x3800, 0x3800, 0x7bff, 0x0000, 0x0000, 0x7c00];
        let c = [0x04ea, 0x0000, 0x0001, 0x4c00, 0x0000, 0x8000, 0x7e01];
        let mut out = [0; 7];
        fma_f16(&a, &b, &c, &mut out).unwrap();
        assert_eq!(out, [0x7a6b, 0x0000, 0x0002, 0x7c00, 0x0000, 0x8000, 0xfe00]);
        // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24; -2^-150 ties to -0; the largest number and half its unit.
        let a = [0x3f80_0800, 0x8000_0001, 0x3f80_0000];
        let b = [0x3f80_0800, 0x3f00_0000, 0x7f7f_ffff];
        let c = [0xbf80_1000, 0x8000_0000, 0x7300_0000];
        let mut out = [0; 3];
        fma_f32(&a, &b, &c, &mut out).unwrap();
        assert_eq!(out, [0x3380_0000, 0x8000_0000, 0x7f80_0000]);
    }

    #[test]
    fn any_length_and_only_one() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5] {
            let ones = vec![0x3c00; length];
            let mut out = vec![0; length];
            fma_f16(&ones, &ones, &ones, &mut out).unwrap();
            assert_eq!(out, vec![0x4000; length]);
        }
        let mut out = [7; 2];
        let error = fma_f32(&[0; 2], &[0; 3], &[0; 2], &mut out).unwrap_err();
        assert_eq!((error.to_string().as_str(), out), ("slices of 2, 3 and 2 elements for 2 results", [7; 2]));
    }
}
