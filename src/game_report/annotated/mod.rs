//! The games of a text again, with remarks; `--pgn` writes them to a file.
//!
//! The text is copied byte for byte, whatever its encoding, and remarks are put in between: so nothing of it
//! can be lost, and a game with a fault is passed on as it was. Games come in any order, as they are done; they
//! are written in that of the text. Memory is taken by those that wait for one before them.
//!
//! A text is put together by [`annotated`], a file by `file`.
//!
//! `remarks` says what there is to be said of each move, `splice` where in the text that stands. `own` knows what Cassius
//! has put there before, and `lines` breaks lines that get too long.

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

/// Approximate size of a piece of text that is handed over, in bytes.
const BLOCK_BYTES: usize = 1 << 20;
/// How far before the moves tags are looked for, and behind the last one blanks.
const NEAR: u64 = 1 << 16;
/// Error where a text has other games.
const CHANGED: &str =
    "the games are not those that were analysed; remarks go only with the games as they were";

/// A text of games that gets remarks. What has come of it is handed over to `push` part by part.
pub(super) struct Annotator<S> {
    /// The games in it.
    games: Games<BufReader<S>>,
    /// The text, as it is copied.
    lines: Lines<BufReader<S>>,
    /// The text, to look something up.
    text: S,
    /// The number of the game that comes next.
    next: usize,
    /// Games that are done and wait for one before them.
    waiting: BTreeMap<usize, Game>,
    /// Who remarks, for the tag of that name.
    annotator: String,
}

/// The text of some games with remarks on them.
pub(super) fn annotated(pgn: &[u8], record: &Record) -> Result<Vec<u8>> {
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
    /// Remarks on the games in a text, which is opened three times.
    pub(super) fn new([games, lines, text]: [S; 3], header: &Header) -> Annotator<S> {
        Annotator {
            games: Games::new(BufReader::new(games)),
            lines: Lines::new(BufReader::new(lines)),
            text,
            next: 1,
            waiting: BTreeMap::new(),
            annotator: splice::annotator(header),
        }
    }

    /// A game is done.
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

    /// All games are done.
    pub(super) fn finish(&mut self, push: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.copy(u64::MAX, push)
    }

    /// Notes what changes in the next game of the text, and tells where that game ends.
    fn change(&mut self, game: &Game) -> Result<u64> {
        let pgn = self.games.next().transpose()?.context(CHANGED)?;
        let played = game.rows.iter().filter_map(|row| row.played.as_ref());
        let moves = pgn.moves.iter().map(|&m| to_uci(m, game.info.chess960));
        let is_same = played.map(|step| step.uci.clone()).eq(moves);
        let is_same = run::info(&pgn) == game.info && (is_same || game.rows.is_empty());
        ensure!(is_same, CHANGED);
        let edits = self.edits(&pgn, game)?;
        self.lines.change(edits);
        Ok(pgn.layout.end)
    }

    /// What changes in a game.
    fn edits(&mut self, pgn: &PgnGame, game: &Game) -> io::Result<Edits> {
        let (moves, tags_end) = (&pgn.layout.moves, pgn.layout.tags_end);
        let first = moves.first().map(|spot| spot.word.start);
        let Some(begin) = tags_end.map(|it| it.saturating_sub(NEAR)).or(first) else {
            return Ok(Edits::default());
        };
        let end = moves.last().map(|spot| spot.end).or(tags_end);
        let end = (end.unwrap_or(begin) + NEAR).min(pgn.layout.end);
        let mut bytes = Vec::new();
        self.text.seek(SeekFrom::Start(begin))?;
        let mut part = self.text.by_ref().take(end.saturating_sub(begin));
        part.read_to_end(&mut bytes)?;
        let bytes = bytes.as_slice();
        Ok(splice::edits(
            pgn,
            game,
            &self.annotator,
            Part { begin, bytes },
        ))
    }

    /// Copies the whole lines of the text up to somewhere, with what changes in them.
    fn copy(&mut self, to: u64, push: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut text = Vec::new();
        loop {
            let line = self.lines.next(to)?;
            let is_last = line.is_none();
            text.extend(line.unwrap_or_default());
            if is_last || text.len() > BLOCK_BYTES {
                push(&text)?;
                text.clear();
            }
            if is_last {
                return Ok(());
            }
        }
    }
}
