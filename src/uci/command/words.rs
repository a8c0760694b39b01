//! Splits a line into words.

/// The unread rest of a line.
pub(super) struct Words<'a>(pub(super) &'a str);

impl<'a> Words<'a> {
    fn split(&self) -> Option<(&'a str, &'a str)> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        Some(rest.split_at(end))
    }

    /// The next word, without reading it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.split().map(|(word, _)| word)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.split()?;
        self.0 = rest;
        Some(word)
    }
}

/// A word quoted for error messages.
pub(super) fn quoted(found: &str) -> String {
    if found.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{found}'")
    }
}
