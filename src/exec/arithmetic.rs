//! Addition, multiplication and fused multiply-add in any binary format: exact value, one rounding, flush, pack.
//!
//! Everything is done in integers. `vop3p prove` certifies this file by exhaustion; a certificate holds its hash.
//!
//! Source of the rules: semantics in AMD's manuals (MODE register, FMA opcodes), IEEE 754-2019 for the exact value and its
//! rounding. What generations or sources answer differently is an [`Env`], which the profile fills.

use super::format::Format;
use super::watch::{Step, Watch};

/// How a result that the format cannot hold is rounded. Source: FP_ROUND in the MODE tables of the manuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even (0).
    NearestEven,
    /// Toward +∞ (1).
    Up,
    /// Toward −∞ (2).
    Down,
    /// Toward zero (3).
    Zero,
}

impl Rounding {
    /// All of them, by their number in FP_ROUND.
    pub const ALL: [Self; 4] = [Self::NearestEven, Self::Up, Self::Down, Self::Zero];
}

/// What decides a result besides the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Env {
    /// The rounding.
    pub rounding: Rounding,
    /// Whether a subnormal operand counts as a zero of its sign.
    pub flush_inputs: bool,
    /// Whether a result below the smallest normal number becomes a zero of its sign.
    pub flush_outputs: bool,
    /// Whether "below" is asked of the exact value, and not of the value rounded as if exponents had no end.
    pub tiny_before_rounding: bool,
    /// Whether finite operands never give an infinity: FP16_OVFL.
    pub overflow_to_max: bool,
    /// Whether a NaN result is made quiet: IEEE.
    pub quiet: bool,
    /// Whether a signalling NaN goes before a quiet one; else the first operand that is a NaN is taken.
    pub signalling_first: bool,
    /// Whether an addend that is a NaN goes before an invalid product.
    pub addend_over_invalid: bool,
    /// Whether the NaN that an invalid operation gives is positive.
    pub positive_default: bool,
    /// What becomes of a signalling NaN in a format with a shorter fraction, where NaNs are not made quiet anyway.
    pub narrow_nan: NarrowNan,
}

/// What becomes of a signalling NaN whose payload is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NarrowNan {
    /// It becomes quiet.
    Quiet,
    /// Its bits are cut, which makes an infinity of it if the payload stood in the bits that go.
    Cut,
    /// Its bits are cut, and the lowest bit is set if nothing else would be.
    KeepNan,
}

impl Env {
    /// Nearest even, subnormals kept, NaNs made quiet, and the NaN rules captured on gfx1100 and gfx1201.
    pub const DEFAULT: Self = Self {
        rounding: Rounding::NearestEven,
        flush_inputs: false,
        flush_outputs: false,
        tiny_before_rounding: false,
        overflow_to_max: false,
        quiet: true,
        signalling_first: false,
        addend_over_invalid: false,
        positive_default: false,
        narrow_nan: NarrowNan::Quiet,
    };
}

/// A finite value: `significand · 2^(exponent − 62)`. Normalised, bit 62 is the leading one, so that `exponent` is the
/// exponent of the value; a sum may lead anywhere. Bit 0 also stands for everything below it that is not zero (sticky).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The sign; zeros have one, too.
    pub negative: bool,
    /// The exponent of bit 62.
    pub exponent: i32,
    /// The significand.
    pub significand: u64,
}

/// Exponent of a normalised zero: far enough below all others that it is shifted out beside any of them.
const ZERO_EXPONENT: i32 = -100_000;

impl Exact {
    /// The value `integer · 2^exponent` of at most 63 bits, normalised.
    #[inline(always)]
    fn normalised(negative: bool, integer: u64, exponent: i32) -> Self {
        let zeros = integer.leading_zeros();
        let is_zero = integer == 0;
        Self {
            negative,
            exponent: if is_zero { ZERO_EXPONENT } else { exponent + 63 - zeros as i32 },
            significand: integer << (zeros & 63) >> 1,
        }
    }

    /// The value of the bits of a finite number.
    #[inline(always)]
    #[must_use]
    pub fn of<F: Format>(bits: u32) -> Self {
        let (integer, exponent) = integer_and_exponent::<F>(bits);
        Self::normalised(F::is_negative(bits), u64::from(integer), exponent)
    }

    /// The exact product of two finite numbers.
    #[inline(always)]
    #[must_use]
    pub fn product<F: Format>(a: u32, b: u32) -> Self {
        let (x, e) = integer_and_exponent::<F>(a);
        let (y, f) = integer_and_exponent::<F>(b);
        Self::normalised(F::is_negative(a) != F::is_negative(b), u64::from(x) * u64::from(y), e + f)
    }

    /// The sum of two normalised values of at most 48 bits, one of them of at most 24: exact, or with a sticky bit at
    /// least 35 places below the leading one. The sign of an exact zero depends on the rounding.
    #[inline(always)]
    #[must_use]
    pub fn sum(self, other: Self, rounding: Rounding) -> Self {
        let (big, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let shifted = shift_sticky(small.significand, (big.exponent - small.exponent) as u32) as i64;
        let is_difference = big.negative != small.negative;
        // A sum of two significands below 2^63 may look negative; a difference that does is.
        let total = (big.significand as i64).wrapping_add(if is_difference { -shifted } else { shifted });
        let is_turned = is_difference && total < 0;
        let significand = if is_turned { total.wrapping_neg() as u64 } else { total as u64 };
        let opposite_zero = rounding == Rounding::Down;
        let negative = if is_difference && total == 0 { opposite_zero } else { big.negative != is_turned };
        Self { negative, exponent: big.exponent, significand }
    }
}

/// The significand as an integer, the hidden bit included, and the exponent of its unit.
#[inline(always)]
fn integer_and_exponent<F: Format>(bits: u32) -> (u32, i32) {
    let fraction = bits & F::FRACTION;
    let biased = F::magnitude(bits) >> F::FRACTION_BITS;
    let hidden = if biased == 0 { 0 } else { 1 << F::FRACTION_BITS };
    let biased = if biased == 0 { 1 } else { biased };
    (fraction | hidden, biased as i32 - F::BIAS - F::FRACTION_BITS as i32)
}

/// Shifts right; what is shifted out and not zero is kept as a one in bit 0.
#[inline(always)]
fn shift_sticky(value: u64, by: u32) -> u64 {
    let by = if by > 63 { 63 } else { by };
    let shifted = value >> by;
    shifted | u64::from(shifted << by != value)
}

/// Whether the magnitude `kept` is rounded up; `rest` is what is dropped, below `2 · half`.
#[inline(always)]
fn rounds_up(rounding: Rounding, negative: bool, kept: u64, rest: u64, half: u64) -> bool {
    match rounding {
        Rounding::NearestEven => rest > half || (rest == half && kept & 1 != 0),
        Rounding::Up => rest != 0 && !negative,
        Rounding::Down => rest != 0 && negative,
        Rounding::Zero => false,
    }
}

/// Rounds an exact value to the format once, flushes, and packs.
#[inline(always)]
pub fn round<F: Format, W: Watch>(exact: Exact, env: &Env, watch: &mut W) -> u32 {
    let sign = if exact.negative { F::SIGN } else { 0 };
    if exact.significand == 0 {
        watch.see(|| Step::ExactZero { negative: exact.negative });
        return sign;
    }
    let zeros = exact.significand.leading_zeros();
    // The leading one goes to bit 63, which stands for 2^exponent.
    let leading = exact.significand << zeros;
    let exponent = exact.exponent + 1 - zeros as i32;
    let below = if exponent < F::EMIN { F::EMIN - exponent } else { 0 };
    let aligned = shift_sticky(leading, below as u32);
    let dropped = 64 - F::PRECISION;
    let (mask, half) = ((1 << dropped) - 1, 1 << (dropped - 1));
    let (kept, rest) = (aligned >> dropped, aligned & mask);
    let up = rounds_up(env.rounding, exact.negative, kept, rest, half);
    watch.see(|| Step::Rounded { exact, exponent, kept, rest, half, below: below as u32, up });
    if env.flush_outputs && below > 0 {
        let (full, rest) = (leading >> dropped, leading & mask);
        let reaches_normal = below == 1
            && full + u64::from(rounds_up(env.rounding, exact.negative, full, rest, half)) == 1 << F::PRECISION;
        if env.tiny_before_rounding || !reaches_normal {
            watch.see(|| Step::FlushedOutput { negative: exact.negative, reaches_normal });
            return sign;
        }
    }
    // The hidden bit of a normal number adds one to the biased exponent, as does a carry out of the fraction.
    let scale = if exponent < F::EMIN { 0 } else { (exponent - F::EMIN) as u64 };
    let magnitude = (scale << F::FRACTION_BITS) + kept + u64::from(up);
    if magnitude >= u64::from(F::INFINITY) {
        let away = match env.rounding {
            Rounding::NearestEven => true,
            Rounding::Up => !exact.negative,
            Rounding::Down => exact.negative,
            Rounding::Zero => false,
        };
        let result = sign | if away && !env.overflow_to_max { F::INFINITY } else { F::MAX };
        watch.see(|| Step::Overflow { result });
        return result;
    }
    sign | magnitude as u32
}

/// A subnormal operand as a zero of its sign, if inputs are flushed.
#[inline(always)]
pub fn flush_input<F: Format, W: Watch>(bits: u32, slot: u8, env: &Env, watch: &mut W) -> u32 {
    if env.flush_inputs && F::is_subnormal(bits) {
        watch.see(|| Step::FlushedInput { slot, bits });
        bits & F::SIGN
    } else {
        bits
    }
}

/// `a · b + c`, rounded once from format `F` to format `T`.
#[inline(always)]
pub fn fma<F: Format, T: Format, W: Watch>(operands: [u32; 3], env: &Env, watch: &mut W) -> u32 {
    let [a, b, c] = operands;
    let a = flush_input::<F, W>(a, 0, env, watch);
    let b = flush_input::<F, W>(b, 1, env, watch);
    let c = flush_input::<F, W>(c, 2, env, watch);
    if [a, b, c].iter().any(|bits| F::magnitude(*bits) >= F::INFINITY) {
        return special::<F, T, W>([a, b, c], env, watch);
    }
    let product = Exact::product::<F>(a, b);
    watch.see(|| Step::Product(product));
    let sum = product.sum(Exact::of::<F>(c), env.rounding);
    watch.see(|| Step::Sum(sum));
    round::<T, W>(sum, env, watch)
}

/// `a + b`, rounded once.
#[inline(always)]
pub fn add<F: Format, W: Watch>(operands: [u32; 2], env: &Env, watch: &mut W) -> u32 {
    let a = flush_input::<F, W>(operands[0], 0, env, watch);
    let b = flush_input::<F, W>(operands[1], 1, env, watch);
    if [a, b].iter().any(|bits| F::magnitude(*bits) >= F::INFINITY) {
        return special_sum::<F, W>(a, b, env, watch);
    }
    let sum = Exact::of::<F>(a).sum(Exact::of::<F>(b), env.rounding);
    watch.see(|| Step::Sum(sum));
    round::<F, W>(sum, env, watch)
}

/// `a · b`, rounded once. A zero product has the sign of the factors' signs.
#[inline(always)]
pub fn mul<F: Format, W: Watch>(operands: [u32; 2], env: &Env, watch: &mut W) -> u32 {
    let a = flush_input::<F, W>(operands[0], 0, env, watch);
    let b = flush_input::<F, W>(operands[1], 1, env, watch);
    if [a, b].iter().any(|bits| F::magnitude(*bits) >= F::INFINITY) {
        return special_product::<F, W>(a, b, env, watch);
    }
    let product = Exact::product::<F>(a, b);
    watch.see(|| Step::Product(product));
    round::<F, W>(product, env, watch)
}

/// Whether a product has no value: zero times infinity, in either order.
#[inline(always)]
fn is_invalid<F: Format>(a: u32, b: u32) -> bool {
    (F::is_zero(a) && F::is_infinite(b)) || (F::is_infinite(a) && F::is_zero(b))
}

/// The NaN of an invalid operation. Negative: hardware captures of gfx1100 and gfx1201, examples of the Vega manual.
#[inline(always)]
pub fn default_nan<F: Format>(env: &Env) -> u32 {
    F::INFINITY | F::QUIET | if env.positive_default { 0 } else { F::SIGN }
}

/// The operand whose NaN the result takes, and the result in its own format.
#[inline(always)]
fn chosen_nan<F: Format, W: Watch>(operands: &[u32], env: &Env, watch: &mut W) -> Option<u32> {
    let first = operands.iter().position(|bits| F::is_nan(*bits))?;
    let signalling = operands.iter().position(|bits| F::is_signalling(*bits));
    let slot = signalling.filter(|_| env.signalling_first).unwrap_or(first);
    let bits = operands[slot] | if env.quiet { F::QUIET } else { 0 };
    watch.see(|| Step::Nan { slot: slot as u8, bits, several: operands.iter().filter(|b| F::is_nan(**b)).count() > 1 });
    Some(bits)
}

fn invalid<F: Format, W: Watch>(env: &Env, watch: &mut W) -> u32 {
    watch.see(|| Step::Invalid);
    default_nan::<F>(env)
}

#[cold]
fn special<F: Format, T: Format, W: Watch>(operands: [u32; 3], env: &Env, watch: &mut W) -> u32 {
    let [a, b, c] = operands;
    if is_invalid::<F>(a, b) && !(env.addend_over_invalid && F::is_nan(c)) {
        watch.see(|| Step::InvalidProduct { nan_addend: F::is_nan(c) });
        return invalid::<T, W>(env, watch);
    }
    if is_invalid::<F>(a, b) {
        watch.see(|| Step::InvalidProduct { nan_addend: true });
    }
    if let Some(nan) = chosen_nan::<F, W>(&operands, env, watch) {
        return convert_nan::<F, T, W>(nan, env, watch);
    }
    let product_negative = F::is_negative(a) != F::is_negative(b);
    let product_infinite = F::is_infinite(a) || F::is_infinite(b);
    if product_infinite && F::is_infinite(c) && product_negative != F::is_negative(c) {
        return invalid::<T, W>(env, watch);
    }
    let negative = if product_infinite { product_negative } else { F::is_negative(c) };
    infinity::<T>(negative)
}

#[cold]
fn special_sum<F: Format, W: Watch>(a: u32, b: u32, env: &Env, watch: &mut W) -> u32 {
    if let Some(nan) = chosen_nan::<F, W>(&[a, b], env, watch) {
        return nan;
    }
    if F::is_infinite(a) && F::is_infinite(b) && a != b {
        return invalid::<F, W>(env, watch);
    }
    if F::is_infinite(a) { a } else { b }
}

#[cold]
fn special_product<F: Format, W: Watch>(a: u32, b: u32, env: &Env, watch: &mut W) -> u32 {
    if is_invalid::<F>(a, b) {
        return invalid::<F, W>(env, watch);
    }
    if let Some(nan) = chosen_nan::<F, W>(&[a, b], env, watch) {
        return nan;
    }
    infinity::<F>(F::is_negative(a) != F::is_negative(b))
}

#[inline(always)]
fn infinity<F: Format>(negative: bool) -> u32 {
    F::INFINITY | if negative { F::SIGN } else { 0 }
}

/// A number in another format, rounded once.
#[inline(always)]
pub fn convert<F: Format, T: Format, W: Watch>(bits: u32, env: &Env, watch: &mut W) -> u32 {
    if F::is_nan(bits) {
        return convert_nan::<F, T, W>(bits, env, watch);
    }
    if F::is_infinite(bits) {
        return infinity::<T>(F::is_negative(bits));
    }
    round::<T, W>(Exact::of::<F>(bits), env, watch)
}

/// A NaN in another format: sign and the high bits of the payload.
#[inline(always)]
fn convert_nan<F: Format, T: Format, W: Watch>(bits: u32, env: &Env, watch: &mut W) -> u32 {
    let sign = if F::is_negative(bits) { T::SIGN } else { 0 };
    let cut = F::FRACTION_BITS.saturating_sub(T::FRACTION_BITS);
    let grown = T::FRACTION_BITS.saturating_sub(F::FRACTION_BITS);
    let fraction = (bits & F::FRACTION) >> cut << grown;
    let fraction = match env.narrow_nan {
        _ if cut == 0 || !F::is_signalling(bits) => fraction,
        NarrowNan::Quiet => fraction | T::QUIET,
        NarrowNan::Cut => fraction,
        NarrowNan::KeepNan => fraction.max(1),
    };
    let result = sign | T::INFINITY | fraction;
    if cut > 0 {
        watch.see(|| Step::NarrowedNan { signalling: F::is_signalling(bits), result });
    }
    result
}
