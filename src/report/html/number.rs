//! Numbers for people.

/// With a comma every three digits: `2,164,044`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// In at most four characters, rounded down: `999`, `1.2k`, `34k`, `5.6M`. The script has the same.
pub fn compact(number: u64) -> String {
    let tenths = |unit: u64, name: char| format!("{}.{}{name}", number / unit, number / (unit / 10) % 10);
    match number {
        0..1_000 => number.to_string(),
        1_000..10_000 => tenths(1_000, 'k'),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..10_000_000 => tenths(1_000_000, 'M'),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// `1 window`, `2 windows`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1_000, 2_164_044].map(grouped), ["0", "999", "1,000", "2,164,044"]);
        let numbers = [7, 999, 1_000, 1_299, 9_999, 10_000, 999_999, 1_000_000, 5_699_999, 14_000_000];
        let texts = ["7", "999", "1.0k", "1.2k", "9.9k", "10k", "999k", "1.0M", "5.6M", "14M"];
        assert_eq!(numbers.map(compact), texts);
        assert_eq!([count(1, "cause", "causes"), count(1_000, "cause", "causes")], ["1 cause", "1,000 causes"]);
    }
}
