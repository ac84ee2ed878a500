//! The peers, each at a fused multiply-add to nearest even.

use rug::float::Round;
use rug::{Assign, Float};
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee::{Half, Single};
use softfloat_sys::{f16_mulAdd, f32_mulAdd, float16_t, float32_t};

/// Berkeley SoftFloat. It is C: a function of three numbers that has no conditions.
pub fn softfloat_f16(a: u16, b: u16, c: u16) -> u16 {
    unsafe { f16_mulAdd(float16_t { v: a }, float16_t { v: b }, float16_t { v: c }).v }
}

/// Berkeley SoftFloat.
pub fn softfloat_f32(a: u32, b: u32, c: u32) -> u32 {
    unsafe { f32_mulAdd(float32_t { v: a }, float32_t { v: b }, float32_t { v: c }).v }
}

/// rustc_apfloat.
pub fn apfloat_f16(a: u16, b: u16, c: u16) -> u16 {
    let [a, b, c] = [a, b, c].map(|bits| Half::from_bits(bits.into()));
    a.mul_add(b, c).value.to_bits() as u16
}

/// rustc_apfloat.
pub fn apfloat_f32(a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(|bits| Single::from_bits(bits.into()));
    a.mul_add(b, c).value.to_bits() as u32
}

/// MPFR, from bits to bits, its numbers kept from one result to the next.
pub struct Mpfr {
    product: Float,
    factor: Float,
    addend: Float,
}

impl Mpfr {
    /// With results of so many bits.
    pub fn new(precision: u32) -> Self {
        Self { product: Float::new(precision), factor: Float::new(precision), addend: Float::new(precision) }
    }

    /// binary16.
    pub fn fma_f16(&mut self, a: u16, b: u16, c: u16) -> u16 {
        narrow(self.fma([a, b, c].map(widen), -13))
    }

    /// binary32.
    pub fn fma_f32(&mut self, a: u32, b: u32, c: u32) -> u32 {
        (self.fma([a, b, c].map(|bits| f64::from(f32::from_bits(bits))), -125) as f32).to_bits()
    }

    /// `least` is the exponent of the smallest normal number, as MPFR counts: of a significand below 1.
    fn fma(&mut self, [a, b, c]: [f64; 3], least: i32) -> f64 {
        self.product.assign(a);
        self.factor.assign(b);
        self.addend.assign(c);
        let before = self.product.mul_add_round(&self.factor, &self.addend, Round::Nearest);
        self.product.subnormalize_round(least, before, Round::Nearest);
        self.product.to_f64()
    }
}

/// The value of an f16.
fn widen(bits: u16) -> f64 {
    let (exponent, fraction) = (u64::from(bits >> 10 & 31), u64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction as f64 / f64::from(1 << 24),
        31 => f64::from_bits(0x7ff << 52 | fraction << 42),
        _ => f64::from_bits((exponent + 1008) << 52 | fraction << 42),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// The f16 of a value that is one, or above the largest.
fn narrow(value: f64) -> u16 {
    let sign = (value.to_bits() >> 48) as u16 & 0x8000;
    let magnitude = value.abs();
    let bits = if magnitude.is_nan() {
        0x7e00
    } else if magnitude >= 65520.0 {
        0x7c00
    } else if magnitude < 1.0 / 16384.0 {
        (magnitude * f64::from(1 << 24)) as u16
    } else {
        ((magnitude.to_bits() - (1008 << 52)) >> 42) as u16
    };
    sign | bits
}
