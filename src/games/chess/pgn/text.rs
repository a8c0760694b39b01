//! The text of games, line by line.

use super::PgnFlaw;

/// A line of the text.
#[derive(Debug)]
pub(super) struct Line {
    /// The text, without blanks at its end, and with blanks for NULs.
    pub(super) text: String,
    /// Bytes of the text already used.
    pub(super) at: usize,
    /// Its number, from 1.
    pub(super) number: usize,
    /// Place of its beginning, in bytes of the whole text.
    pub(super) begin: u64,
    /// Place of the first unused byte, in bytes of the whole text.
    pub(super) offset: u64,
    /// Whether the line is in Windows-1252, where each character is one byte.
    pub(super) is_single_byte: bool,
    /// Its flaw, if any: it was too long to be kept, or had NULs.
    pub(super) flaw: Option<PgnFlaw>,
}

impl Line {
    /// Uses `length` more bytes of the text.
    pub(super) fn advance(&mut self, length: usize) {
        let used = &self.text[self.at..self.at + length];
        let bytes = if self.is_single_byte {
            used.chars().count()
        } else {
            length
        };
        self.offset += bytes as u64;
        self.at += length;
    }

    /// The unused part.
    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Uses the rest.
    pub(super) fn finish(&mut self) {
        self.advance(self.rest().len());
    }
}
