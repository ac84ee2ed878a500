//! Proofs by exhaustion: `a · b + c`, `a + b` and `a · b` in f16, and in a format of 8 bits, for every operand.
//!
//! The argument, and what it rests on, is in `proofs/README.md`. A *part* is a claim over finitely many cases, divided into
//! chunks that can be done in any order; a [`Record`] says which are done, and is the certificate once all are.

mod flush;
mod interval;
mod pairs;
mod products;
mod record;
mod small;
mod specials;
#[cfg(test)]
mod tests;
mod triples;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

pub use pairs::Operation;
pub use record::{Record, RecordError, source_hash};

use crate::exec::arithmetic::Rounding;
use interval::Intervals;
use products::Product;

/// How many distinct values a product of two positive f16 numbers has.
pub const DISTINCT_PRODUCTS: usize = 22_776_329;

/// How many finite f16 there are: 2 · 31 · 1024.
pub const FINITE: u64 = 63_488;

/// Products of a chunk.
const PRODUCTS: usize = 16_384;

/// Names of the roundings in the ids of parts, by their number in FP_ROUND.
const ROUNDINGS: [&str; 4] = ["rne", "up", "down", "zero"];

/// A claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The 8-bit format, every triple, every rounding and flush, against MPFR.
    Small,
    /// Every pair of f16.
    Pairs(Operation, Rounding),
    /// The exactness of every f16 product.
    Products,
    /// Every distinct product and every finite addend.
    Sums(Rounding),
    /// The sums whose result may be flushed.
    Flush(Rounding),
    /// Zeros, infinities, NaNs and flushed operands.
    Specials(Rounding),
}

impl Part {
    /// Every part, those that take longest last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let of = |part: fn(Rounding) -> Self| Rounding::ALL.map(part);
        let mut all = vec![Self::Small];
        all.extend(of(|rounding| Self::Pairs(Operation::Add, rounding)));
        all.extend(of(|rounding| Self::Pairs(Operation::Mul, rounding)));
        all.push(Self::Products);
        all.extend(of(Self::Specials));
        all.extend(of(Self::Flush));
        all.extend(of(Self::Sums));
        all
    }

    /// What it claims.
    #[must_use]
    pub fn claim(self) -> String {
        let rounded = |rounding: Rounding| match rounding {
            Rounding::NearestEven => "to nearest even",
            Rounding::Up => "toward +infinity",
            Rounding::Down => "toward -infinity",
            Rounding::Zero => "toward zero",
        };
        match self {
            Self::Small => {
                "fma in the 8-bit format gives MPFR's bits for every triple, in every rounding and with inputs \
                            and results flushed and kept"
                    .to_owned()
            }
            Self::Pairs(Operation::Add, how) => format!("f16 add is right for every pair, rounded {}", rounded(how)),
            Self::Pairs(Operation::Mul, how) => format!("f16 mul is right for every pair, rounded {}", rounded(how)),
            Self::Products => {
                "the product of every pair of finite f16 is held exactly, and equal values alike".to_owned()
            }
            Self::Sums(how) => {
                format!(
                    "every distinct positive product of two f16 plus every finite f16, rounded {}, is right",
                    rounded(how)
                )
            }
            Self::Flush(how) => {
                format!("the sums up to 2^-14 are flushed where they should be, rounded {}", rounded(how))
            }
            Self::Specials(how) => {
                format!("zeros, infinities, NaNs and flushed operands in every place, rounded {}", rounded(how))
            }
        }
    }

    /// How many chunks it has.
    #[must_use]
    pub fn chunks(self) -> usize {
        match self {
            Self::Small => small::CHUNKS,
            Self::Pairs(..) | Self::Products => (65536 / pairs::ROWS) as usize,
            Self::Sums(_) | Self::Flush(_) => DISTINCT_PRODUCTS.div_ceil(PRODUCTS),
            Self::Specials(_) => 1,
        }
    }

    /// How many cases all its chunks have together, where that follows from the claim.
    #[must_use]
    pub fn cases(self) -> Option<u64> {
        match self {
            Self::Small => Some(16 << 24),
            Self::Pairs(..) => Some(1 << 32),
            Self::Products => Some(FINITE * FINITE),
            Self::Sums(_) => Some(DISTINCT_PRODUCTS as u64 * FINITE),
            Self::Flush(_) | Self::Specials(_) => None,
        }
    }
}

/// `c-sums-rne`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |rounding: &Rounding| ROUNDINGS[*rounding as usize];
        match self {
            Self::Small => f.write_str("a-small"),
            Self::Pairs(Operation::Add, how) => write!(f, "b-add-{}", name(how)),
            Self::Pairs(Operation::Mul, how) => write!(f, "b-mul-{}", name(how)),
            Self::Products => f.write_str("c-products"),
            Self::Sums(how) => write!(f, "c-sums-{}", name(how)),
            Self::Flush(how) => write!(f, "c-flush-{}", name(how)),
            Self::Specials(how) => write!(f, "c-specials-{}", name(how)),
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Self::all();
        let names = || all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let found = all.iter().find(|part| part.to_string() == text);
        found.copied().ok_or_else(|| format!("`{text}` is no part of the proof: {}", names()))
    }
}

/// A case for which the arithmetic is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The operands, what the arithmetic gives, and what it should where that is one value.
    pub case: String,
}

/// What a chunk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases judged.
    pub cases: u64,
    /// Those that are wrong.
    pub wrong: u64,
    /// One of them.
    pub witness: Option<String>,
}

impl Tally {
    /// Counts a case.
    #[inline(always)]
    fn count(&mut self, is_right: bool, wrong: impl FnOnce() -> Wrong) {
        self.cases += 1;
        if !is_right {
            self.wrong += 1;
            self.witness.get_or_insert_with(|| wrong().case);
        }
    }

    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.wrong += other.wrong;
        self.witness = self.witness.take().or(other.witness);
    }
}

/// What the parts share, made when first needed.
#[derive(Debug, Default)]
pub struct Prover {
    products: OnceLock<Vec<Product>>,
    addends: OnceLock<triples::Addends>,
    ascending: OnceLock<flush::Ascending>,
    intervals: [OnceLock<Intervals>; 4],
}

impl Prover {
    /// The distinct positive products.
    pub fn products(&self) -> &[Product] {
        self.products.get_or_init(products::distinct)
    }

    fn intervals(&self, rounding: Rounding) -> &Intervals {
        self.intervals[rounding as usize].get_or_init(|| Intervals::new(rounding))
    }

    /// Judges a chunk; `sample` takes one product of so many, where there are products.
    #[must_use]
    pub fn judge(&self, part: Part, chunk: usize, sample: usize) -> Tally {
        match part {
            Part::Small => small::judge(chunk),
            Part::Pairs(operation, rounding) => pairs::judge(operation, rounding, chunk, self.intervals(rounding)),
            Part::Products => pairs::products(chunk),
            Part::Specials(rounding) => specials::judge(rounding),
            Part::Flush(rounding) => {
                let ascending = self.ascending.get_or_init(flush::Ascending::new);
                flush::judge(&self.chunk(chunk, sample), rounding, ascending, self.intervals(rounding))
            }
            Part::Sums(rounding) => {
                let addends = self.addends.get_or_init(triples::Addends::all);
                addends.judge(&self.chunk(chunk, sample), rounding, self.intervals(rounding))
            }
        }
    }

    fn chunk(&self, chunk: usize, sample: usize) -> Vec<Product> {
        let from = self.products().len().min(chunk * PRODUCTS);
        let to = self.products().len().min(from + PRODUCTS);
        self.products()[from..to].iter().step_by(sample.max(1)).copied().collect()
    }
}
