//! Numbers: how they are written, and the inline constant or literal that one stands for in an operand.

use super::cursor::{Cursor, is_name_byte};
use crate::isa::{INLINE_FLOATS, InlineFloatRow, Source};

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub value: Value,
    /// `lit(…)`: a literal even where an inline constant would do.
    pub is_literal: bool,
    /// Written in hexadecimal, which LLVM prints only for literals.
    pub is_hex: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(super) fn negated(self) -> Self {
        let value = match self.value {
            Value::Int(value) => Value::Int(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
        };
        Self { value, ..self }
    }
}

/// What an operand makes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// 32 bits; a float is an f32. Packed integers, too, whose inline floats are f32 patterns.
    Bits32,
    /// The low half of 32 bits is an f16.
    F16,
    /// The low half of 32 bits is a bf16.
    Bf16,
    /// One 16-bit value: an f16 source of a mix instruction.
    OneF16,
    /// The same as bf16.
    OneBf16,
    /// 64 bits, f64. There are no literals of it.
    F64,
}

/// Reads an unsigned number that starts with a digit or a point. `None`: there is no such number.
pub(super) fn unsigned(cursor: &mut Cursor<'_>) -> Option<Number> {
    let start = cursor.at();
    let digits = |cursor: &mut Cursor<'_>, is_digit: fn(&u8) -> bool| {
        let from = cursor.at();
        while cursor.peek().as_ref().is_some_and(is_digit) {
            cursor.step();
        }
        cursor.since(from)
    };
    let number = |value, is_hex| Some(Number { value, is_literal: false, is_hex });
    let radix = match (cursor.peek(), cursor.peek_at(1)) {
        (Some(b'0'), Some(b'x' | b'X')) => 16,
        (Some(b'0'), Some(b'b')) => 2,
        _ => 10,
    };
    if radix != 10 {
        cursor.go_to(start + 2);
        let span = digits(cursor, if radix == 16 { u8::is_ascii_hexdigit } else { |byte| matches!(byte, b'0' | b'1') });
        if radix == 16 && matches!(cursor.peek(), Some(b'.' | b'p' | b'P')) {
            return number(Value::Float(hex_float(cursor, cursor.slice(span))?), true);
        }
        let value = u64::from_str_radix(cursor.slice(span), radix).ok()?;
        return number(Value::Int(value as i64), radix == 16).filter(|_| ends(cursor));
    }
    let whole = digits(cursor, u8::is_ascii_digit);
    let mut is_float = false;
    if cursor.peek() == Some(b'.') {
        is_float = true;
        cursor.step();
        digits(cursor, u8::is_ascii_digit);
    }
    if matches!(cursor.peek(), Some(b'e' | b'E')) {
        is_float = true;
        cursor.step();
        if matches!(cursor.peek(), Some(b'+' | b'-')) {
            cursor.step();
        }
        digits(cursor, u8::is_ascii_digit);
    }
    if !ends(cursor) {
        return None;
    }
    if is_float {
        return number(Value::Float(cursor.slice(cursor.since(start)).parse().ok()?), false);
    }
    // A leading zero makes it octal.
    let text = cursor.slice(whole);
    let value =
        if text.len() > 1 && text.starts_with('0') { u64::from_str_radix(text, 8).ok()? } else { text.parse().ok()? };
    number(Value::Int(value as i64), false)
}

fn ends(cursor: &Cursor<'_>) -> bool {
    !cursor.peek().is_some_and(|byte| is_name_byte(byte) || byte >= 0x80)
}

/// What follows the whole digits of `0x1.8p3`; the exponent must be there.
fn hex_float(cursor: &mut Cursor<'_>, whole: &str) -> Option<f64> {
    let mut mantissa = u64::from_str_radix(whole, 16).ok()?;
    let mut exponent = 0_i32;
    if cursor.peek() == Some(b'.') {
        cursor.step();
        while let Some(digit) = cursor.peek().and_then(|byte| char::from(byte).to_digit(16)) {
            mantissa = mantissa.checked_mul(16)?.checked_add(u64::from(digit))?;
            exponent -= 4;
            cursor.step();
        }
    }
    if !matches!(cursor.peek(), Some(b'p' | b'P')) {
        return None;
    }
    cursor.step();
    let start = cursor.at();
    if matches!(cursor.peek(), Some(b'+' | b'-')) {
        cursor.step();
    }
    while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        cursor.step();
    }
    let power: i32 = cursor.slice(cursor.since(start)).parse().ok()?;
    let exponent = exponent.checked_add(power)?;
    // Exact: 53 bits at most, scaled by a power of two that f64 has.
    let is_exact = mantissa >> 53 == 0 && (-1000..=900).contains(&exponent);
    (is_exact && ends(cursor)).then(|| mantissa as f64 * f64::from(exponent).exp2())
}

/// The source that a number is in an operand of this type, or why it is none.
pub(super) fn source(number: Number, typed: Typed) -> Result<Source, &'static str> {
    match number.value {
        Value::Int(value) if number.is_literal => {
            literal(value).map(|bits| Source::Literal(short(value, typed).unwrap_or(bits)))
        }
        Value::Int(value) => int(value, typed),
        Value::Float(value) => float(value, typed, number.is_literal),
    }
}

const TOO_WIDE: &str = "does not fit 32 bits";

/// 32 bits that hold the value, signed or unsigned.
fn literal(value: i64) -> Result<u32, &'static str> {
    if (-(1 << 31)..1 << 32).contains(&value) { Ok(value as u32) } else { Err(TOO_WIDE) }
}

fn inline_int(value: i64) -> Option<Source> {
    (-16..=64).contains(&value).then_some(Source::Int(value as i8))
}

fn inline_float(is_it: impl Fn(&InlineFloatRow) -> bool) -> Option<Source> {
    INLINE_FLOATS.iter().find(|row| is_it(row)).map(|row| Source::Float(row.float))
}

fn int(value: i64, typed: Typed) -> Result<Source, &'static str> {
    if let Some(source) = inline_int(value) {
        return Ok(source);
    }
    if typed == Typed::F64 {
        return inline_float(|row| f64_bits(row) == value as u64).ok_or("is no inline constant of an f64");
    }
    let bits = literal(value)?;
    let (bits, signed) = match short(value, typed) {
        Some(short) => (short, i64::from(short as i16)),
        None => (bits, i64::from(bits as i32)),
    };
    let inline = inline_int(signed).or_else(|| inline_bits(bits, typed));
    Ok(inline.unwrap_or(Source::Literal(bits)))
}

/// The 16 bits that a number is in a 16-bit operand, signed or unsigned; a wider one can only be a literal.
fn short(value: i64, typed: Typed) -> Option<u32> {
    let is_one = matches!(typed, Typed::OneF16 | Typed::OneBf16);
    (is_one && (-(1 << 15)..1 << 16).contains(&value)).then_some(value as u32 & 0xffff)
}

/// The inline float with these bits in an operand of the type.
fn inline_bits(bits: u32, typed: Typed) -> Option<Source> {
    inline_float(|row| match typed {
        Typed::F16 | Typed::OneF16 => u32::from(row.f16) == bits,
        Typed::Bf16 | Typed::OneBf16 => u32::from(row.bf16) == bits,
        Typed::Bits32 => row.f32 == bits,
        Typed::F64 => false,
    })
}

fn float(value: f64, typed: Typed, is_literal: bool) -> Result<Source, &'static str> {
    // 1/(2π) has one spelling whatever the type rounds it to: of bf16 the constant is cut, not rounded.
    let is_inv_2pi = value == 0.15915494 || value == INV_2PI;
    if is_inv_2pi && !is_literal && typed != Typed::Bits32 {
        return inline_float(|row| row.text == "0.15915494").ok_or(TOO_WIDE);
    }
    let bits = match typed {
        Typed::F64 => {
            let inline =
                inline_int(value.to_bits() as i64).or_else(|| inline_float(|row| f64_bits(row) == value.to_bits()));
            return inline.filter(|_| !is_literal).ok_or("is no inline constant of an f64");
        }
        Typed::Bits32 => rounded(value, 8, 23, true),
        Typed::F16 | Typed::OneF16 => rounded(value, 5, 10, true),
        Typed::Bf16 | Typed::OneBf16 => rounded(value, 8, 23, true).and_then(|_| rounded(value, 8, 7, false)),
    }
    .ok_or("is out of the range of the operand's float type")?;
    let inline = inline_int(i64::from(bits as i32)).or_else(|| inline_bits(bits, typed)).filter(|_| !is_literal);
    Ok(inline.unwrap_or(Source::Literal(bits)))
}

/// 1/(2π) as AMD's XML has it for 64-bit operands: one ulp below the nearest double.
const INV_2PI: f64 = f64::from_bits(0x3fc4_5f30_6dc9_c882);

fn f64_bits(row: &InlineFloatRow) -> u64 {
    if row.text == "0.15915494" { INV_2PI.to_bits() } else { f64::from(f32::from_bits(row.f32)).to_bits() }
}

/// A double as a float of fewer bits, rounded to nearest even. If `is_strict`, `None` where that overflows, or is denormal
/// and inexact.
fn rounded(value: f64, exponent_bits: u32, mantissa_bits: u32, is_strict: bool) -> Option<u32> {
    let bits = value.to_bits();
    let sign = (bits >> 63) as u32;
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let max = (1_i32 << exponent_bits) - 1;
    let pack = |magnitude: u32| sign << (exponent_bits + mantissa_bits) | magnitude;
    if exponent == 0x7ff {
        return Some(pack((max as u32) << mantissa_bits | u32::from(fraction != 0) << (mantissa_bits - 1)));
    }
    if exponent == 0 && fraction == 0 {
        return Some(pack(0));
    }
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let target = exponent.max(1) - 1023 + (max >> 1);
    // How many low bits fall away: more where the result is denormal.
    let drop = (52 - mantissa_bits as i32 + (1 - target).max(0)).min(63) as u32;
    let (kept, lost) = (significand >> drop, significand & ((1 << drop) - 1));
    let half = 1_u64 << (drop - 1);
    let up = lost > half || lost == half && kept & 1 == 1;
    let kept = (kept + u64::from(up)) as u32;
    let is_denormal = target < 1;
    let magnitude = if is_denormal { kept } else { ((target as u32 - 1) << mantissa_bits).wrapping_add(kept) };
    let overflows = target >= max || magnitude >= (max as u32) << mantissa_bits;
    if overflows {
        return (!is_strict).then_some(pack((max as u32) << mantissa_bits));
    }
    let underflows = is_denormal && lost != 0;
    (!(is_strict && underflows)).then_some(pack(magnitude))
}
