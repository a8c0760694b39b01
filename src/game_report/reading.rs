//! Reads a file of analysed games, and tells whether it can be continued.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::gathering::Gathering;
use super::record::{Game, Header, Line, Record};
use crate::output::json_lines::{self, ReadError};

impl Header {
    /// Fails if the analysis in a file, of which this is the header, cannot be one with another.
    pub(super) fn ensure_same(&self, path: &Path, other: &Header) -> Result<(), RecordError> {
        match self.difference(other) {
            Some(what) => {
                let path = path.to_owned();
                Err(RecordError::Different { path, what })
            }
            None => Ok(()),
        }
    }

    /// The first thing in which two analyses differ, by name; where and when they were made may differ.
    fn difference(&self, other: &Header) -> Option<&'static str> {
        let same_network =
            self.network.is_none() || other.network.is_none() || self.network == other.network;
        let checks = [
            ("version of cassius", self.cassius == other.cassius),
            (
                "commit of cassius",
                self.provenance.may_be_of_one_commit(&other.provenance),
            ),
            ("PGN file", self.file == other.file),
            ("search", self.search == other.search),
            ("network", same_network),
            ("limits", self.limit == other.limit),
            ("hash size", self.hash_mb == other.hash_mb),
            ("use of --pgn", self.second_look == other.second_look),
            ("margin", self.margin == other.margin),
        ];
        let different = checks.into_iter().find(|(_, same)| !same);
        different.map(|(name, _)| name)
    }
}

/// Why a file cannot be read or continued.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file that is not JSON lines of ours.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file that does not begin with a header.
    #[error("{}: there is no analysis in this file", path.display())]
    Empty {
        /// Which.
        path: PathBuf,
    },
    /// A position of a game that the file does not tell of.
    #[error("{}:{line}: a position of game {game} comes before the game itself", path.display())]
    Orphan {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
    },
    /// A game that is there already, as when two runs have written to the file.
    #[error("{}:{line}: game {game} is there twice; remove the line", path.display())]
    GameTwice {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
    },
    /// A position that is there already, as when two runs have written to the file, or one that comes too
    /// early.
    #[error(
        "{}:{line}: position {ply} of game {game} is there twice, or out of turn; remove the line",
        path.display()
    )]
    OutOfTurn {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
        /// Moves played before the position.
        ply: usize,
    },
    /// An analysis of something else, or another one.
    #[error("{}: made under different conditions ({what}); it cannot be continued", path.display())]
    Different {
        /// Which.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
}

impl Record {
    /// Reads a file, finished or not.
    pub fn read(path: &Path) -> Result<Record, RecordError> {
        let empty = || RecordError::Empty {
            path: path.to_owned(),
        };
        let mut lines = json_lines::read_lines(path)?;
        let (number, first) = lines.next().ok_or_else(empty)??;
        let Line::Header(header) = json_lines::parse(path, number, &first)? else {
            return Err(empty());
        };
        let mut gathering = Gathering::new(path);
        let mut games: Vec<Game> = Vec::new();
        for line in lines {
            let (number, line) = line?;
            let done = match json_lines::parse(path, number, &line)? {
                // Of a part that was joined to this one.
                Line::Header(part) => {
                    part.ensure_same(path, &header)?;
                    None
                }
                Line::Game(info) => gathering.begin(info, number)?,
                Line::Position(row) => gathering.add(*row, number)?,
                // It is made of the positions.
                Line::Summary(_) => None,
            };
            games.extend(done);
        }
        games.extend(gathering.open().cloned());
        games.sort_by_key(|game| game.info.game);
        Ok(Record { header, games })
    }
}
