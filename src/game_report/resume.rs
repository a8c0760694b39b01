//! Reads a file of analysed games, and checks whether it can be continued.

use std::path::Path;

use anyhow::{Error, Result, anyhow, bail};

use super::gathering::Gathering;
use super::record::{Game, Header, Line, Record};
use crate::output::json_lines;

impl Header {
    /// Fails unless the analysis with this header, in the file at `path`, can be continued by one with the header
    /// `other`.
    pub(super) fn ensure_same(&self, path: &Path, other: &Header) -> Result<()> {
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
        match checks.into_iter().find(|(_, same)| !same) {
            Some((what, _)) => Err(different(path, what)),
            None => Ok(()),
        }
    }
}

/// Error for a file with another analysis, or one of other games.
pub(super) fn different(path: &Path, what: &str) -> Error {
    let path = path.display();
    anyhow!(
        "{path}: made under different conditions ({what}); it cannot be continued: repeat them, or choose another file"
    )
}

/// Reads the header in the first of the lines of a file.
pub(super) fn header(
    path: &Path,
    lines: &mut impl Iterator<Item = Result<(usize, String)>>,
) -> Result<Header> {
    if let Some((number, line)) = lines.next().transpose()?
        && let Line::Header(header) = json_lines::parse(path, number, &line)?
    {
        return Ok(header);
    }
    bail!(
        "{}: its first line is not the header of analysed games; give a file that analyze --json has written",
        path.display()
    )
}

impl Record {
    /// Reads a file, complete or not.
    pub fn read(path: &Path) -> Result<Record> {
        let mut lines = json_lines::read_lines(path)?;
        let header = header(path, &mut lines)?;
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
