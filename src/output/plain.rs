//! Output for people, whose terminals take nothing in it for a command.
//!
//! Names of files, players and engines come from strangers, and so do parts of errors: what is not to be printed is written
//! as an escape, `\\u{1b}`, wherever it comes from.

use std::io::{self, Write};

use crate::lines::is_unprintable;

/// A stream that shows characters that are not to be printed, but line ends and tabs, as escapes.
#[derive(Debug)]
pub(crate) struct Plain<W> {
    inner: W,
    /// The beginning of a character whose other bytes are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Plain<W> {
    /// Writes to `inner`.
    pub(crate) fn new(inner: W) -> Plain<W> {
        Plain {
            inner,
            begun: Vec::new(),
        }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut whole = std::mem::take(&mut self.begun);
        whole.extend_from_slice(bytes);
        let mut shown = String::with_capacity(whole.len());
        let mut chunks = whole.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            chunk.valid().chars().for_each(|c| show(c, &mut shown));
            let is_last = chunks.peek().is_none();
            match chunk.invalid() {
                [] => {}
                begun if is_last && is_beginning(begun) => self.begun = begun.to_vec(),
                _ => shown.push(char::REPLACEMENT_CHARACTER),
            }
        }
        self.inner.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn show(c: char, shown: &mut String) {
    if is_unprintable(c) && !matches!(c, '\n' | '\t') {
        shown.extend(c.escape_unicode());
    } else {
        shown.push(c);
    }
}

/// Whether more bytes could make a character of these.
fn is_beginning(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_command_to_a_terminal() {
        let text = "a\u{1b}[31m\tb\u{9b}\u{202e}½\r\u{2028}\n";
        let expected = "a\\u{1b}[31m\tb\\u{9b}\\u{202e}½\\u{d}\\u{2028}\n";
        // In pieces that cut characters too.
        for length in 1..=text.len() {
            let mut plain = Plain::new(Vec::new());
            for piece in text.as_bytes().chunks(length) {
                plain.write_all(piece).unwrap();
            }
            assert_eq!(String::from_utf8_lossy(&plain.inner), expected);
        }
        let mut plain = Plain::new(Vec::new());
        plain.write_all(b"\xe2\x80x\xff\xc2").unwrap();
        plain.write_all(b"y").unwrap();
        assert_eq!(
            String::from_utf8_lossy(&plain.inner),
            "\u{fffd}x\u{fffd}\u{fffd}y"
        );
    }
}
