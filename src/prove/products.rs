//! The distinct values that a product of two positive f16 numbers can have.

use super::interval::place_of;
use crate::exec::arithmetic::Exact;

/// Bits of the significand of a product: 11 and 11.
const WIDTH: u32 = 22;

/// The exponent of the smallest product, 2^-24 · 2^-24.
const LEAST: i32 = -48;

/// Exponents: from −48 to 31, below 65504².
const EXPONENTS: usize = 80;

/// A positive number as `integer · 2^exponent`, from its bits. Source: binary16 of IEEE 754-2019, 3.4.
#[must_use]
pub fn parts(bits: u16) -> (u32, i32) {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), u32::from(bits & 0x3ff));
    if exponent == 0 { (fraction, -24) } else { (fraction | 0x400, exponent - 25) }
}

/// A product in lowest terms of its own: exponent and 22-bit significand with the leading bit set, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product(u32);

impl Product {
    /// The product of two positive finite numbers.
    #[must_use]
    pub fn of(a: u16, b: u16) -> Self {
        let ((x, e), (y, f)) = (parts(a), parts(b));
        let integer = x * y;
        let length = 32 - integer.leading_zeros();
        let lead = e + f + length as i32 - 1;
        let significand = integer << (WIDTH - length);
        Self((((lead - LEAST) as u32) << (WIDTH - 1)) | (significand & ((1 << (WIDTH - 1)) - 1)))
    }

    /// The exponent of its leading bit.
    #[must_use]
    pub fn exponent(self) -> i32 {
        (self.0 >> (WIDTH - 1)) as i32 + LEAST
    }

    /// Its significand: 22 bits, the highest set.
    #[must_use]
    pub fn significand(self) -> u64 {
        u64::from(self.0 & ((1 << (WIDTH - 1)) - 1) | 1 << (WIDTH - 1))
    }

    /// As the arithmetic holds it; that it does so for every pair is checked on its own.
    #[must_use]
    pub fn exact(self) -> Exact {
        Exact { negative: false, exponent: self.exponent(), significand: self.significand() << (63 - WIDTH) }
    }

    /// Its place on the line of [`super::interval`].
    #[must_use]
    pub fn place(self) -> i64 {
        place_of(self.significand(), self.exponent() - (WIDTH as i32 - 1))
    }
}

/// Every product of two positive finite numbers once, in ascending order.
#[must_use]
pub fn distinct() -> Vec<Product> {
    let mut seen = vec![0_u64; EXPONENTS << (WIDTH - 1) >> 6];
    for a in 1..0x7c00 {
        for b in a..0x7c00 {
            let Product(index) = Product::of(a, b);
            seen[(index >> 6) as usize] |= 1 << (index & 63);
        }
    }
    let mut all = Vec::new();
    for (at, word) in seen.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            all.push(Product((at as u32) << 6 | left.trailing_zeros()));
            left &= left - 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_in_lowest_terms() {
        // 1.5 · 1.5 = 2.25, 10.01 in binary; 2^-24 · 2^-24 = 2^-48.
        let product = Product::of(0x3e00, 0x3e00);
        assert_eq!((product.exponent(), product.significand()), (1, 0b1001 << 18));
        assert_eq!(product.place(), 9 << 24);
        let least = Product::of(1, 1);
        assert_eq!((least.exponent(), least.place()), (-48, 1));
        // 65504² has 22 bits: (2^11 − 1)² = 4190209, and 4190209 · 2^10 is its value.
        let most = Product::of(0x7bff, 0x7bff);
        assert_eq!((most.exponent(), most.significand(), most.place()), (31, 4_190_209, 4_190_209 << 36));
    }

    #[test]
    fn equal_values_are_one_product() {
        // 1 · 3 = 1.5 · 2; 2^-24 · 2^10 = 2^-14 · 1.
        assert_eq!(Product::of(0x3c00, 0x4200), Product::of(0x3e00, 0x4000));
        assert_eq!(Product::of(0x0001, 0x6400), Product::of(0x0400, 0x3c00));
        assert_ne!(Product::of(0x0001, 0x6400), Product::of(0x0401, 0x3c00));
    }
}
