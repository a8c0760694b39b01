//! Reads a file of analysed games, and tells whether it can be continued.

use std::path::Path;

use anyhow::{Error, Result, anyhow};

use super::gathering::Gathering;
use super::record::{Game, Header, Line, Record};
use crate::output::json_lines;

impl Header {
    /// Fails if the analysis in a file, of which this is the header, cannot be one with another.
    pub(super) fn ensure_same(&self, path: &Path, other: &Header) -> Result<()> {
        match self.difference(other) {
            Some(what) => Err(different(path, what)),
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
            (
                "limits",
                (self.limit, self.seconds_a_game) == (other.limit, other.seconds_a_game),
            ),
            ("engine", self.engine == other.engine),
            ("hash size", self.hash_mb == other.hash_mb),
            ("second look", self.second_look == other.second_look),
            ("margin", self.margin == other.margin),
        ];
        let different = checks.into_iter().find(|(_, same)| !same);
        different.map(|(name, _)| name)
    }
}

/// The error where a file has an analysis of something else, or another one.
pub(super) fn different(path: &Path, what: &str) -> Error {
    let path = path.display();
    anyhow!("{path}: made under different conditions ({what}); it cannot be continued")
}

/// The error where a file does not begin with a header.
pub(super) fn no_analysis(path: &Path) -> Error {
    anyhow!("{}: there is no analysis in this file", path.display())
}

impl Record {
    /// Reads a file, finished or not.
    pub fn read(path: &Path) -> Result<Record> {
        let mut lines = json_lines::read_lines(path)?;
        let (number, first) = lines.next().ok_or_else(|| no_analysis(path))??;
        let Line::Header(header) = json_lines::parse(path, number, &first)? else {
            return Err(no_analysis(path));
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
