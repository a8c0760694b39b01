//! Reads a file of analysed games, checks whether it can be continued, and joins its lines into games.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail, ensure};

use super::record::{Game, GameInfo, Header, Record, RecordLine, Row};
use crate::output::json_lines::{self, Lines};

/// Games by their numbers. They may come interleaved; the positions of one game come in order. Only unfinished games
/// are kept; of finished ones a digest remains.
#[derive(Clone, Debug)]
pub(super) struct Gathering {
    /// The file of the lines, named in errors.
    pub(super) path: PathBuf,
    /// Unfinished games.
    pub(super) open: BTreeMap<usize, Game>,
    /// Digests of finished games.
    pub(super) done: BTreeMap<usize, u64>,
}

/// Digest of a game's description and moves (UCI). It is stable within one process only.
pub(super) fn identity(info: &GameInfo, moves: impl Iterator<Item = String>) -> u64 {
    let mut hasher = DefaultHasher::new();
    info.hash(&mut hasher);
    for m in moves {
        m.hash(&mut hasher);
    }
    hasher.finish()
}

/// Moves played, in UCI notation.
pub(super) fn played(rows: &[Row]) -> impl Iterator<Item = String> {
    let played = rows.iter().filter_map(|row| row.played.as_ref());
    played.map(|step| step.uci.clone())
}

impl Gathering {
    /// No games yet.
    pub(super) fn new(path: &Path) -> Gathering {
        Gathering {
            path: path.to_owned(),
            open: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    /// Begins a game; returns it if it has no positions and so is done.
    pub(super) fn begin(&mut self, info: GameInfo, line: usize) -> Result<Option<Game>> {
        let number = info.game;
        ensure!(
            !self.done.contains_key(&number) && !self.open.contains_key(&number),
            "{}:{line}: game {number} is there twice; remove the line",
            self.path.display()
        );
        let rows = Vec::new();
        self.open.insert(number, Game { info, rows });
        Ok(self.take_if_done(number))
    }

    /// Adds a position; returns its game if that was the last one.
    pub(super) fn add(&mut self, row: Row, line: usize) -> Result<Option<Game>> {
        let (number, ply) = (row.game, row.ply);
        let path = self.path.display();
        match self.open.get_mut(&number) {
            Some(game) if game.rows.len() == ply => game.rows.push(row),
            None if !self.done.contains_key(&number) => {
                bail!(
                    "{path}:{line}: a position of game {number} comes before the game itself; remove the line"
                );
            }
            _ => bail!(
                "{path}:{line}: position {ply} of game {number} is there twice, or out of turn; remove the line"
            ),
        }
        Ok(self.take_if_done(number))
    }

    fn take_if_done(&mut self, number: usize) -> Option<Game> {
        let game = self.open.get(&number)?;
        if game.info.positions != game.rows.len() {
            return None;
        }
        self.done
            .insert(number, identity(&game.info, played(&game.rows)));
        self.open.remove(&number)
    }
}

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
        let differing = checks.into_iter().find(|(_, same)| !same);
        differing.map_or(Ok(()), |(what, _)| Err(different(path, what)))
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
pub(super) fn header(path: &Path, lines: &mut Lines<impl Read>) -> Result<Header> {
    if let Some((_, RecordLine::Header(header))) = lines.parse_next()? {
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
        while let Some((number, line)) = lines.parse_next::<RecordLine>()? {
            let done = match line {
                // The header of a part (`--shard`) that was joined to this file.
                RecordLine::Header(part) => {
                    part.ensure_same(path, &header)?;
                    None
                }
                RecordLine::Game(info) => gathering.begin(info, number)?,
                RecordLine::Position(row) => gathering.add(*row, number)?,
                // Computed again from the positions.
                RecordLine::Summary(_) => None,
            };
            games.extend(done);
        }
        games.extend(gathering.open.into_values());
        games.sort_by_key(|game| game.info.game);
        Ok(Record { header, games })
    }
}
