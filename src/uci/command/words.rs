//! Splits a line into words.

/// The unread rest of a line.
pub(super) struct Words<'a>(pub(super) &'a str);

impl<'a> Words<'a> {
    /// The next word, without reading it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.0 = &self.0.trim_start()[word.len()..];
        Some(word)
    }
}

/// A word quoted for error messages.
pub(super) fn quoted(found: Option<&str>) -> String {
    found.map_or_else(|| "nothing".to_owned(), |word| format!("'{word}'"))
}
