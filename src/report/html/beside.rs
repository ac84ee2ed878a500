//! Two answers, one above the other, with what differs marked.

use maud::{Markup, html};

use super::text::plain;

/// Words: what stands between spaces and commas; what is in brackets stays together. The separators are words, too.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (place, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c.is_whitespace() || c == ',') {
            if start < place {
                words.push(&text[start..place]);
            }
            let end = place + c.len_utf8();
            words.push(&text[place..end]);
            start = end;
        }
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Longer answers are marked as a whole.
const MOST_WORDS: usize = 400;

/// For each word of both whether the other lacks it, by a longest common subsequence.
fn differing(ours: &[&str], theirs: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut a, mut b) = (vec![true; ours.len()], vec![true; theirs.len()]);
    if ours.len().max(theirs.len()) > MOST_WORDS {
        return (a, b);
    }
    let mut longest = vec![vec![0_u32; theirs.len() + 1]; ours.len() + 1];
    for i in (0..ours.len()).rev() {
        for j in (0..theirs.len()).rev() {
            longest[i][j] = match ours[i] == theirs[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < ours.len() && j < theirs.len() {
        if ours[i] == theirs[j] {
            (a[i], b[j]) = (false, false);
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (a, b)
}

/// Both answers, each behind the name of who gives it.
pub fn beside(our_name: &str, ours: &str, their_name: &str, theirs: &str) -> Markup {
    let (ours, theirs) = (plain(ours), plain(theirs));
    let (a, b) = (words(&ours), words(&theirs));
    let (mut a_differs, mut b_differs) = differing(&a, &b);
    // Where nothing is the same, marks say nothing.
    if a.iter().zip(&a_differs).all(|(word, differs)| *differs || is_gap(word)) {
        a_differs.fill(false);
        b_differs.fill(false);
    }
    html! {
        dl .beside.find {
            dt { (our_name) }
            dd { (marked(&a, &a_differs)) }
            dt { (their_name) }
            dd { (marked(&b, &b_differs)) }
        }
    }
}

/// Whether it stands between words.
fn is_gap(word: &str) -> bool {
    word.chars().all(|c| c.is_whitespace() || c == ',')
}

fn marked(words: &[&str], differs: &[bool]) -> Markup {
    html! {
        code {
            @for (word, differs) in words.iter().zip(differs) {
                @if *differs && !is_gap(word) { mark { (word) } } @else { (word) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_differ_are_marked() {
        let html = beside("a", "v_x v0, v1 op_sel:[0,1] clamp", "b", "v_x v0, v2 op_sel:[1,1]").into_string();
        assert_eq!(
            html,
            "<dl class=\"beside find\"><dt>a</dt><dd><code>v_x v0, <mark>v1</mark> <mark>op_sel:[0,1]</mark> \
             <mark>clamp</mark></code></dd><dt>b</dt><dd><code>v_x v0, <mark>v2</mark> <mark>op_sel:[1,1]</mark>\
             </code></dd></dl>"
        );
    }

    #[test]
    fn answers_that_share_nothing_are_not_marked() {
        assert!(!beside("a", "v_x v0, v1", "b", "rejects the encoding").into_string().contains("<mark>"));
        assert!(beside("a", "v_x v0", "b", "v_x v1").into_string().contains("<mark>v1</mark>"));
    }

    #[test]
    fn no_text_is_lost() {
        for text in ["", " a,,b ", "x[1, 2", "é, ü] (a b)", "a\nb"] {
            assert_eq!(words(text).concat(), text);
        }
        assert_eq!(words("a[1, 2] b"), ["a[1, 2]", " ", "b"]);
        let long = "a ".repeat(MOST_WORDS);
        let (a, _) = differing(&words(&long), &["a"]);
        assert!(a.iter().all(|differs| *differs), "not compared");
    }
}
