//! Exact values as text.

use rug::Float;

/// `-1.01p-14` is −1.25 · 2^-14; `0` and `-0`. Nothing of an infinity or a NaN.
pub(super) fn binary(value: &Float) -> Option<String> {
    let (integer, scale) = value.to_integer_exp()?;
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let digits = format!("{:b}", integer.as_abs());
    let last = digits.len() as i32 - 1;
    Some(match digits.trim_end_matches('0') {
        "" => format!("{sign}0"),
        "1" => format!("{sign}1p{}", scale + last),
        digits => format!("{sign}1.{}p{}", &digits[1..], scale + last),
    })
}
