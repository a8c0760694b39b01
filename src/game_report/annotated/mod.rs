//! `--pgn`: the games of a file again, with remarks.
//!
//! The text of the file is copied byte for byte, whatever its encoding, and remarks are put in between: so nothing of it
//! can be lost, and a game with a fault is passed on as it was. Games come in any order, as they are done; they
//! are written in that of the file. Memory is taken by those that wait for one before them.
//!
//! `remarks` says what there is to be said of each move, `splice` where in the text that stands.

mod remarks;
mod splice;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use self::splice::Style;
use super::command::ReportError;
use super::record::{Game, Header};
use super::run;
use crate::games::chess::notation::to_uci;
use crate::games::chess::pgn::Games;
use crate::report::output_file::{Existing, GrowingFile};

/// What is copied at a time.
const BLOCK_BYTES: u64 = 1 << 20;

/// The file of games with remarks.
pub(super) struct AnnotatedPgn {
    file: GrowingFile,
    /// The file of games without.
    source: PathBuf,
    /// The games in it.
    games: Games<BufReader<File>>,
    /// Its text.
    text: File,
    /// How much of it has been copied.
    copied: u64,
    /// The number of the game that is to be written next.
    next: usize,
    /// Games that are done and wait for one before them.
    waiting: BTreeMap<usize, Game>,
    style: Style,
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
        let mut text = File::open(source).map_err(at)?;
        if !text.metadata().map_err(at)?.is_file() {
            let path = source.to_owned();
            return Err(ReportError::Pipe { path });
        }
        let mut start = Vec::new();
        let mut some = text.by_ref().take(BLOCK_BYTES);
        some.read_to_end(&mut start).map_err(at)?;
        let games = Games::new(BufReader::new(File::open(source).map_err(at)?));
        Ok(AnnotatedPgn {
            file: GrowingFile::create(path, existing)?,
            source: source.to_owned(),
            games,
            text,
            copied: 0,
            next: 1,
            waiting: BTreeMap::new(),
            style: Style::new(&start, header),
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
        let mut text = Vec::new();
        self.copy(u64::MAX, &mut text)?;
        Ok(self.file.push(&text)?)
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
        let mut text = Vec::new();
        for edit in splice::edits(&pgn, game, &self.style) {
            self.copy(edit.at.start, &mut text)?;
            text.extend_from_slice(edit.text.as_bytes());
            self.copied = self.copied.max(edit.at.end);
        }
        self.copy(pgn.layout.end, &mut text)?;
        Ok(self.file.push(&text)?)
    }

    /// Copies the text up to somewhere, or to its end. What is a long way goes to the file at once.
    fn copy(&mut self, to: u64, text: &mut Vec<u8>) -> Result<(), ReportError> {
        let sought = self.text.seek(SeekFrom::Start(self.copied));
        sought.map_err(|reason| self.failed(reason))?;
        while self.copied < to {
            let block = (to - self.copied).min(BLOCK_BYTES);
            let read = self.text.by_ref().take(block).read_to_end(text);
            let read = read.map_err(|reason| self.failed(reason))?;
            if read == 0 {
                break;
            }
            self.copied += read as u64;
            if text.len() as u64 > BLOCK_BYTES {
                self.file.push(text)?;
                text.clear();
            }
        }
        Ok(())
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
