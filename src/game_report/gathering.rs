//! Joins lines into games. Only unfinished games are kept; of finished ones a digest remains.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::record::{Game, GameInfo, Row};

/// Games by their numbers. They may come interleaved; the positions of one game come in order.
#[derive(Clone, Debug)]
pub(super) struct Gathering {
    /// The file of the lines, named in errors.
    path: PathBuf,
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
