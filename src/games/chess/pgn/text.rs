//! The text of games, line by line.

use super::PgnFlaw;

/// A line of the text.
#[derive(Debug)]
pub(super) struct Line {
    /// What stands in it; blanks at its end are left out, and blanks stand for NULs.
    pub(super) text: String,
    /// How much of it has been used.
    pub(super) at: usize,
    /// Its number, from 1.
    pub(super) number: usize,
    /// Where it begins, in bytes of the whole text.
    pub(super) begin: u64,
    /// Where what has not been used begins, likewise.
    pub(super) offset: u64,
    /// Whether a byte stands for each character.
    pub(super) is_single_byte: bool,
    /// What is wrong with it, if something is: it was too long to be kept, or had NULs.
    pub(super) flaw: Option<PgnFlaw>,
}

impl Line {
    /// So much more of the text has been used.
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

    /// What has not been used.
    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// All has been used.
    pub(super) fn finish(&mut self) {
        self.advance(self.rest().len());
    }
}
