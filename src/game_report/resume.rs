//! Reads a file of analysed games, and checks whether it can be continued.

use std::path::Path;

use anyhow::{Error, Result, anyhow};

use super::gathering::Gathering;
use super::record::{Game, Header, Line, Record};
use crate::output::json_lines;

impl Header {
    /// Fails unless the analysis with this header, in the file at `path`, can be continued by one with the header
    /// `other`.
    pub(super) fn ensure_same(&self, path: &Path, other: &Header) -> Result<()> {
        match self.difference(other) {
            Some(what) => Err(different(path, what)),
            None => Ok(()),
        }
    }

    /// Name of the first difference between two analyses, provenance aside.
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

/// Error for a file with another analysis, or one of other games.
pub(super) fn different(path: &Path, what: &str) -> Error {
    let path = path.display();
    anyhow!(
        "{path}: made under different conditions ({what}); it cannot be continued: repeat them, or choose another file"
    )
}

/// Error for a file that does not begin with a header.
pub(super) fn no_analysis(path: &Path) -> Error {
    anyhow!(
        "{}: its first line is not the header of analysed games; give a file that analyze --json has written",
        path.display()
    )
}

impl Record {
    /// Reads a file, complete or not.
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
                // The header of a part (`--shard`) that was joined to this file.
                Line::Header(part) => {
                    part.ensure_same(path, &header)?;
                    None
                }
                Line::Game(info) => gathering.begin(info, number)?,
                Line::Position(row) => gathering.add(*row, number)?,
                // Computed again from the positions.
                Line::Summary(_) => None,
            };
            games.extend(done);
        }
        games.extend(gathering.open.into_values());
        games.sort_by_key(|game| game.info.game);
        Ok(Record { header, games })
    }
}
