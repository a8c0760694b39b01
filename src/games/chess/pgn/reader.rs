//! Reads games one after the other, from a text of any length, with one game in memory.
//!
//! A game begins with its first tag or move. It ends with its result, or where the next one's tags begin: so an
//! unclosed comment spoils no other game. After a flaw the rest of a game is read only to find its end.

use std::io::{self, BufRead};

use super::draft::{Draft, LONGEST_TEXT};
use super::{PgnFlaw, PgnGame};
use crate::lines;

/// Iterator over the games of a text. A flawed game comes with its flaw. An error is one of the input itself, and no
/// item follows it.
#[derive(Debug)]
pub struct Games<R> {
    input: R,
    /// A line that the last game has left unused or used in part.
    line: Option<PgnLine>,
    /// Lines read.
    lines: usize,
    /// Bytes read.
    bytes: u64,
    /// Games found.
    games: usize,
    is_over: bool,
}

impl<R: BufRead> Games<R> {
    /// The games in `input`. A line that is not UTF-8 is read as Windows-1252, which most older programs wrote.
    pub fn new(input: R) -> Games<R> {
        Games {
            input,
            line: None,
            lines: 0,
            bytes: 0,
            games: 0,
            is_over: false,
        }
    }

    fn read_line(&mut self) -> io::Result<Option<PgnLine>> {
        let begin = self.bytes;
        if self.lines == 0 {
            lines::ensure_text(self.input.fill_buf()?)?;
        }
        let Some((read, length)) = lines::read_any_end(&mut self.input, LONGEST_TEXT)? else {
            return Ok(None);
        };
        let (bytes, mut flaw) = match read {
            Some(bytes) => (bytes, None),
            None => (Vec::new(), Some(PgnFlaw::TooLong)),
        };
        self.bytes += length;
        self.lines += 1;
        let (marks, bytes) = lines::without_marks(bytes);
        let (mut text, is_single_byte) = lines::decoded(bytes);
        if text.contains('\0') {
            text = text.replace('\0', " ");
            flaw = Some(PgnFlaw::Nul);
        }
        text.truncate(text.trim_end().len());
        Ok(Some(PgnLine {
            text,
            at: 0,
            number: self.lines,
            begin,
            offset: begin + marks as u64,
            is_single_byte,
            flaw,
        }))
    }

    fn read_game(&mut self) -> io::Result<Option<PgnGame>> {
        let mut draft = Draft::new(self.games + 1);
        let mut end = None;
        loop {
            let line = match self.line.take() {
                Some(line) => Some(line),
                None => self.read_line()?,
            };
            let Some(mut line) = line else { break };
            if line.at == 0 && draft.ends_before(&line.text) {
                end = Some(line.begin);
                self.line = Some(line);
                break;
            }
            draft.read(&mut line);
            if draft.has_ended {
                self.line = (line.at < line.text.len()).then_some(line);
                end = self.line.as_ref().map(|line| line.offset);
                break;
            }
        }
        let mut game = draft.finished();
        if let Some(game) = &mut game {
            game.layout.end = end.unwrap_or(self.bytes);
        }
        Ok(game)
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<PgnGame>;

    fn next(&mut self) -> Option<io::Result<PgnGame>> {
        if self.is_over {
            return None;
        }
        let game = self.read_game().transpose();
        match game {
            Some(Ok(_)) => self.games += 1,
            None | Some(Err(_)) => self.is_over = true,
        }
        game
    }
}

/// A line of the text.
#[derive(Debug)]
pub(super) struct PgnLine {
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

impl PgnLine {
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
