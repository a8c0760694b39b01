//! `--pgn`: the games of a file again, with remarks.
//!
//! The text of the file is copied byte for byte, whatever its encoding, and remarks are put in between: so nothing of it
//! can be lost, and a game with a fault is passed on as it was. Games come in any order, as they are done; they
//! are written in that of the file. Memory is taken by those that wait for one before them.
//!
//! `remarks` says what there is to be said of each move, `splice` where in the text that stands. `own` knows what Cassius
//! has put there before, and `lines` breaks lines that get too long.

mod lines;
mod own;
mod remarks;
mod splice;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use self::lines::Lines;
use self::splice::{Edits, Part};
use super::command::ReportError;
use super::record::{Game, Header};
use super::run;
use crate::games::chess::notation::to_uci;
use crate::games::chess::pgn::{Games, PgnGame};
use crate::output::output_file::{Existing, GrowingFile};

/// What is written at a time, about.
const BLOCK_BYTES: usize = 1 << 20;
/// How far before the moves tags are looked for, and behind the last one blanks.
const NEAR: u64 = 1 << 16;

/// The file of games with remarks.
pub(super) struct AnnotatedPgn {
    file: GrowingFile,
    /// The file of games without.
    source: PathBuf,
    /// The games in it.
    games: Games<BufReader<File>>,
    /// Its text, as it is copied.
    lines: Lines<BufReader<File>>,
    /// Its text, to look something up.
    text: File,
    /// The number of the game that is to be written next.
    next: usize,
    /// Games that are done and wait for one before them.
    waiting: BTreeMap<usize, Game>,
    /// Who remarks, for the tag of that name.
    annotator: String,
}

impl AnnotatedPgn {
    /// Opens both files; nothing is written yet.
    pub(super) fn create(
        path: &Path,
        existing: Existing,
        source: &Path,
        header: &Header,
    ) -> Result<AnnotatedPgn, ReportError> {
        let at = |reason| ReportError::File {
            path: source.to_owned(),
            reason,
        };
        let text = File::open(source).map_err(at)?;
        if !text.metadata().map_err(at)?.is_file() {
            let path = source.to_owned();
            return Err(ReportError::Pipe { path });
        }
        let again = || File::open(source).map(BufReader::new).map_err(at);
        Ok(AnnotatedPgn {
            file: GrowingFile::create(path, existing)?,
            source: source.to_owned(),
            games: Games::new(again()?),
            lines: Lines::new(again()?),
            text,
            next: 1,
            waiting: BTreeMap::new(),
            annotator: splice::annotator(header),
        })
    }

    /// A game is done.
    pub(super) fn add(&mut self, game: Game) -> Result<(), ReportError> {
        self.waiting.insert(game.info.game, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(&game)?;
        }
        Ok(())
    }

    /// All games are done.
    pub(super) fn finish(&mut self) -> Result<(), ReportError> {
        self.copy(u64::MAX)
    }

    /// Writes a game, and what stands between it and the one before.
    fn write(&mut self, game: &Game) -> Result<(), ReportError> {
        let pgn = self.games.next().transpose();
        let pgn = pgn.map_err(|reason| self.failed(reason))?;
        let Some(pgn) = pgn else {
            return Err(self.changed());
        };
        let played = game.rows.iter().filter_map(|row| row.played.as_ref());
        let moves = pgn.moves.iter().map(|&m| to_uci(m, game.info.chess960));
        let is_same = played.map(|step| step.uci.clone()).eq(moves);
        if run::info(&pgn) != game.info || !(is_same || game.rows.is_empty()) {
            return Err(self.changed());
        }
        let edits = self.edits(&pgn, game);
        let edits = edits.map_err(|reason| self.failed(reason))?;
        self.lines.change(edits);
        self.copy(pgn.layout.end)
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
    fn copy(&mut self, to: u64) -> Result<(), ReportError> {
        let mut text = Vec::new();
        loop {
            let line = self.lines.next(to).map_err(|reason| self.failed(reason))?;
            let is_last = line.is_none();
            text.extend(line.unwrap_or_default());
            if is_last || text.len() > BLOCK_BYTES {
                self.file.push(&text)?;
                text.clear();
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn failed(&self, reason: io::Error) -> ReportError {
        ReportError::File {
            path: self.source.clone(),
            reason,
        }
    }

    /// The games are not those that were analysed.
    fn changed(&self) -> ReportError {
        ReportError::Changed {
            path: self.source.clone(),
        }
    }
}
