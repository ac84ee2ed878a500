//! Texts from outside, as markup.

use maud::{Markup, html};

/// Whether a character could hide or reorder what stands around it.
fn misleads(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reorders || (c.is_control() && c != '\n' && c != '\t')
}

/// The text with a sign in place of each character that nobody would see.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if misleads(c) { '\u{fffd}' } else { c }).collect()
}

/// The text, with issues (`owner/repo#123`) and addresses as links.
pub fn linked(text: &str) -> Markup {
    let text = plain(text);
    let mut parts: Vec<(String, Option<String>)> = Vec::new();
    let mut rest = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let word = word.trim_start_matches(OPENING).trim_end_matches(CLOSING);
        match address(word) {
            Some(address) => {
                let (before, after) = piece.split_once(word).unwrap_or((piece, ""));
                rest.push_str(before);
                parts.push((std::mem::take(&mut rest), None));
                parts.push((word.to_owned(), Some(address)));
                rest.push_str(after);
            }
            None => rest.push_str(piece),
        }
    }
    parts.push((rest, None));
    html! {
        @for (part, address) in &parts {
            @match address {
                Some(address) => a href=(address) rel="noreferrer" { (part) },
                None => (part),
            }
        }
    }
}

/// What may stand before an address without being part of it.
const OPENING: [char; 3] = ['(', '"', '<'];
/// What may stand behind it.
const CLOSING: [char; 8] = [')', '"', '>', ',', ';', ':', '.', '?'];

/// Where a word points to.
fn address(word: &str) -> Option<String> {
    if word.starts_with("https://") || word.starts_with("http://") {
        return Some(word.to_owned());
    }
    let (repository, number) = word.split_once('#')?;
    let (owner, name) = repository.split_once('/')?;
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    (is_name(owner) && is_name(name) && is_number).then(|| format!("https://github.com/{owner}/{name}/issues/{number}"))
}

/// An id as the name of a place in the page; never empty.
pub fn anchor(prefix: &str, id: &str) -> String {
    let name: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{prefix}-{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_and_addresses_become_links() {
        assert_eq!(
            linked("AMD's XML (llvm/llvm-project#44257), a/b#x").into_string(),
            "AMD's XML (<a href=\"https://github.com/llvm/llvm-project/issues/44257\" \
             rel=\"noreferrer\">llvm/llvm-project#44257</a>), a/b#x"
        );
        assert_eq!(
            linked("see https://a.example/?b=\"1&c.").into_string(),
            "see <a href=\"https://a.example/?b=&quot;1&amp;c\" \
             rel=\"noreferrer\">https://a.example/?b=&quot;1&amp;c</a>."
        );
        for no_link in ["#12", "a#12", "a/b#", "a/b/c#1", "javascript:alert(1)", "<b>a</b>"] {
            assert!(!linked(no_link).into_string().contains("<a"), "{no_link}");
        }
        assert_eq!(linked("<script>").into_string(), "&lt;script&gt;");
    }

    #[test]
    fn what_nobody_would_see_is_shown() {
        assert_eq!(plain("a\u{202e}b\u{0}c\nd"), "a\u{fffd}b\u{fffd}c\nd");
        assert_eq!(anchor("cause", "crash/op 17\""), "cause-crash-op-17-");
    }
}
