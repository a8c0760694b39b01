//! Settings of a search as one text: `default`, or words `name=value` separated by blanks. Each conspiracy-number
//! search has one UCI option of this form.

use std::fmt;

/// The text that changes nothing.
pub(crate) const DEFAULT: &str = "default";

/// Parses a text into pairs; none for `default`.
///
/// # Errors
/// The first word not of the form `name=value`; the whole text if it has no word.
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

/// Sets numbers by the pairs of a text; `names` are the known ones, for errors.
pub(in crate::search) fn set_numbers(
    text: &str,
    names: &str,
    mut set: impl FnMut(&str, i32) -> Result<(), String>,
) -> Result<(), String> {
    let malformed =
        |text: &str| format!("'{text}' is not of the form name=number; the names are {names}");
    for (name, value) in pairs(text).map_err(malformed)? {
        let number = value.parse();
        let number = number.map_err(|_| malformed(&format!("{name}={value}")))?;
        set(&name.to_ascii_lowercase(), number)?;
    }
    Ok(())
}

/// Writes pairs in the form that [`pairs`] reads.
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
