//! Writes the games of a text again, with remarks (`--pgn`).
//!
//! The text is copied byte for byte, whatever its encoding, and remarks are inserted: so nothing can be lost, and what
//! follows a fault of a game is passed on as it was. Games come in the order in which they are done and are written in
//! the order of the text; games that wait for an earlier one are kept in memory.
//!
//! [`annotated`] does this for a text, `file` for a file.
//!
//! `remarks` makes the remarks on each move, `splice` finds their places in the text. `own` recognises earlier
//! remarks of Cassius, and `lines` breaks lines that get too long.

#[cfg(feature = "cli")]
mod file;
mod lines;
mod own;
mod remarks;
mod splice;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};

use anyhow::{Context as _, Result, ensure};

#[cfg(feature = "cli")]
pub(super) use self::file::AnnotatedPgn;
use self::lines::Lines;
use self::splice::{Edits, Part};
use super::record::{Game, Header, Record};
use super::run;
use crate::games::chess::notation::to_uci;
use crate::games::chess::pgn::{Games, PgnGame};

/// Approximate size of the blocks handed to `push`, in bytes.
const BLOCK_BYTES: usize = 1 << 20;
/// Bytes read before the end of the tags, to find tags, or else before the moves, to find comments; and after the
/// moves, to find blanks.
const NEAR: u64 = 1 << 16;
/// Error if a text has other games.
const CHANGED: &str =
    "the games are not those that were analysed; remarks go only with the games as they were";

/// Inserts remarks into a text of games, and hands the result to `push` block by block.
pub(super) struct Annotator<S> {
    /// The games in the text.
    games: Games<BufReader<S>>,
    /// The text, to be copied.
    lines: Lines<BufReader<S>>,
    /// The text, for reading around a game.
    text: S,
    /// Number of the next game.
    next: usize,
    /// End of the game before it.
    end: u64,
    /// Finished games that wait for an earlier one.
    waiting: BTreeMap<usize, Game>,
    /// Value of the tag `Annotator`.
    annotator: String,
}

/// The text of analysed games again, with remarks on their moves. Its encoding is kept.
///
/// # Errors
/// If the text has other games than those that were analysed.
pub fn annotated(pgn: &[u8], record: &Record) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut push = |part: &[u8]| {
        text.extend_from_slice(part);
        Ok(())
    };
    let mut annotator = Annotator::new([(); 3].map(|()| Cursor::new(pgn)), &record.header);
    for game in &record.games {
        annotator.add(game.clone(), &mut push)?;
    }
    annotator.finish(&mut push)?;
    Ok(text)
}

impl<S: Read + Seek> Annotator<S> {
    /// Annotates a text, given as three readers of it.
    pub(super) fn new([games, lines, text]: [S; 3], header: &Header) -> Annotator<S> {
        Annotator {
            games: Games::new(BufReader::new(games)),
            lines: Lines::new(BufReader::new(lines)),
            text,
            next: 1,
            end: 0,
            waiting: BTreeMap::new(),
            annotator: splice::annotator(header),
        }
    }

    /// Adds a finished game.
    pub(super) fn add(
        &mut self,
        game: Game,
        push: &mut impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.waiting.insert(game.info.game, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            let end = self.change(&game)?;
            self.copy(end, push)?;
        }
        Ok(())
    }

    /// Writes the rest of the text after the last game.
    pub(super) fn finish(&mut self, push: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.copy(u64::MAX, push)
    }

    /// Queues the changes to the next game of the text, and returns where that game ends.
    fn change(&mut self, game: &Game) -> Result<u64> {
        let pgn = self.games.next().transpose()?.context(CHANGED)?;
        let played = game.rows.iter().filter_map(|row| row.played.as_ref());
        let moves = pgn.moves.iter().map(|&m| to_uci(m, game.info.chess960));
        let is_same = played.map(|step| step.uci.clone()).eq(moves);
        let is_same = run::info(&pgn) == game.info && (is_same || game.rows.is_empty());
        ensure!(is_same, CHANGED);
        let edits = self.edits(&pgn, game)?;
        self.lines.change(edits);
        self.end = pgn.layout.end;
        Ok(self.end)
    }

    /// Changes to a game.
    fn edits(&mut self, pgn: &PgnGame, game: &Game) -> io::Result<Edits> {
        let (moves, tags_end) = (&pgn.layout.moves, pgn.layout.tags_end);
        let first = moves.first().map(|spot| spot.word.start);
        let Some(begin) = tags_end.or(first) else {
            return Ok(Edits::default());
        };
        let begin = begin.saturating_sub(NEAR).max(self.end);
        let end = moves.last().map(|spot| spot.end).or(tags_end);
        let end = (end.unwrap_or(begin) + NEAR).min(pgn.layout.end);
        let mut bytes = Vec::new();
        self.text.seek(SeekFrom::Start(begin))?;
        let mut part = self.text.by_ref().take(end.saturating_sub(begin));
        part.read_to_end(&mut bytes)?;
        let bytes = bytes.as_slice();
        let part = Part { begin, bytes };
        Ok(splice::edits(pgn, game, &self.annotator, part))
    }

    /// Copies whole lines of the text up to byte `to`, with their changes.
    fn copy(&mut self, to: u64, push: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut text = Vec::new();
        while let Some(line) = self.lines.next(to)? {
            text.extend(line);
            if text.len() > BLOCK_BYTES {
                push(&text)?;
                text.clear();
            }
        }
        push(&text)
    }
}
