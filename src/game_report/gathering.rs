//! Games put together from what comes in line by line, however many there are: kept are those begun and not
//! yet done, and of the others only which they are.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::record::{Game, GameInfo, Row};

/// Games under way. Games and positions come in any order, but the positions of one game in theirs.
#[derive(Clone, Debug)]
pub(super) struct Gathering {
    /// The file they come from, or go to: for errors.
    path: PathBuf,
    open: BTreeMap<usize, Game>,
    done: Done,
}

/// Games that are done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Done {
    /// All up to this number are.
    pub(super) first: usize,
    /// What these were, in one number.
    pub(super) digest: u64,
    /// Others, and what they were.
    pub(super) others: BTreeMap<usize, u64>,
}

impl Done {
    /// Whether a game is.
    fn has(&self, number: usize) -> bool {
        number <= self.first || self.others.contains_key(&number)
    }

    fn add(&mut self, game: &Game) {
        self.others
            .insert(game.info.game, identity(&game.info, played(&game.rows)));
        while let Some(next) = self.others.remove(&(self.first + 1)) {
            self.first += 1;
            self.digest = combined(self.digest, next);
        }
    }
}

/// What a game is, as one number, by its moves too, as UCI writes them; the same only within one process.
pub(super) fn identity(info: &GameInfo, moves: impl Iterator<Item = String>) -> u64 {
    let mut hasher = DefaultHasher::new();
    info.hash(&mut hasher);
    for m in moves {
        m.hash(&mut hasher);
    }
    hasher.finish()
}

/// The moves played in positions, as UCI writes them.
pub(super) fn played(rows: &[Row]) -> impl Iterator<Item = String> {
    let played = rows.iter().filter_map(|row| row.played.as_ref());
    played.map(|step| step.uci.clone())
}

/// One number for games and the one behind them.
pub(super) fn combined(digest: u64, next: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (digest, next).hash(&mut hasher);
    hasher.finish()
}

impl Gathering {
    /// Nothing yet.
    pub(super) fn new(path: &Path) -> Gathering {
        Gathering {
            path: path.to_owned(),
            open: BTreeMap::new(),
            done: Done::default(),
        }
    }

    /// A game begins in a line; given back if it has no positions and is done thereby.
    pub(super) fn begin(&mut self, info: GameInfo, line: usize) -> Result<Option<Game>> {
        let number = info.game;
        ensure!(
            !self.done.has(number) && !self.open.contains_key(&number),
            "{}:{line}: game {number} is there twice; remove the line",
            self.path.display()
        );
        let rows = Vec::new();
        self.open.insert(number, Game { info, rows });
        Ok(self.take_if_done(number))
    }

    /// A position follows in a line; its game is given back if it is done thereby.
    pub(super) fn add(&mut self, row: Row, line: usize) -> Result<Option<Game>> {
        let (number, ply) = (row.game, row.ply);
        let path = self.path.display();
        match self.open.get_mut(&number) {
            Some(game) if game.rows.len() == ply => game.rows.push(row),
            None if !self.done.has(number) => {
                bail!("{path}:{line}: a position of game {number} comes before the game itself");
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
        self.done.add(game);
        self.open.remove(&number)
    }

    /// The games begun and not done, in their order.
    pub(super) fn open(&self) -> impl Iterator<Item = &Game> {
        self.open.values()
    }

    /// The game with that number, if it is one of these.
    pub(super) fn open_game(&self, number: usize) -> Option<&Game> {
        self.open.get(&number)
    }

    /// The games that are done.
    pub(super) fn done(&self) -> &Done {
        &self.done
    }
}
