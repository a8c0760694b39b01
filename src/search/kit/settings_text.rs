//! The fine points of a search as one text: `default`, or `name=value` words with blanks between.
//! Both conspiracy-number searches write and read theirs like this, so that each is one UCI option.

use std::fmt;

/// What "nothing is changed" is called.
pub(crate) const DEFAULT: &str = "default";

/// The pairs of a text; none for `default`.
///
/// # Errors
/// The first word that is not of the form `name=value`; the whole text if there is no word at all.
pub(in crate::search) fn pairs(text: &str) -> Result<Vec<(&str, &str)>, &str> {
    if text.trim().eq_ignore_ascii_case(DEFAULT) {
        return Ok(Vec::new());
    }
    if text.trim().is_empty() {
        return Err(text);
    }
    let words = text.split_whitespace();
    words.map(|word| word.split_once('=').ok_or(word)).collect()
}

/// Writes pairs as [`pairs`] reads them.
pub(in crate::search) fn write(
    f: &mut fmt::Formatter<'_>,
    pairs: impl Iterator<Item = (&'static str, String)>,
) -> fmt::Result {
    let words: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if words.is_empty() {
        f.write_str(DEFAULT)
    } else {
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_default_or_pairs() {
        assert_eq!(pairs(" Default "), Ok(vec![]));
        assert_eq!(pairs("a=1  b=c=d"), Ok(vec![("a", "1"), ("b", "c=d")]));
        assert_eq!(pairs("a=1 default"), Err("default"));
        assert_eq!(pairs("a = 1"), Err("a"));
        assert_eq!(pairs(" "), Err(" "));
    }
}
