//! Endgame tablebases: positions whose outcome is known without search.
//!
//! To a search such a position is terminal, like mate (thesis, section 2.1: a terminal is a node whose value no
//! expansion can change). Tables are probed only right after a capture, a pawn move or a null move, where their verdict
//! takes the fifty-move rule into account in full. If a line without such moves leads to a position of the tables, the root is in the
//! tables too (or has castling rights left); at such a root the distances to the next capture or pawn move
//! ([`Tables::root_moves`]) do better than any search.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;

use super::{Move, Position};
use crate::game::Game;
use crate::value::Value;

#[cfg(feature = "cli")]
mod syzygy;

/// Stands in where tables cannot be read.
#[cfg(not(feature = "cli"))]
mod syzygy {
    use anyhow::{Result, bail};

    use super::Tablebase;

    /// Always fails: this build reads no tables.
    pub(super) fn open(_path: &str) -> Result<(Box<dyn Tablebase>, usize)> {
        bail!("this build of Cassius reads no Syzygy tables")
    }
}

/// Value of a win in the tables: above every credible evaluation, below every proven mate.
pub const TABLE_WIN: Value = Value::centipawns(20_000);

/// The outcome of a position for the side to move with best play, the fifty-move rule included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Drawn, be it only by the fifty-move rule.
    Draw,
    /// Won.
    Win,
}

impl TablebaseResult {
    /// The verdict as a value.
    pub fn value(self) -> Value {
        match self {
            TablebaseResult::Loss => -TABLE_WIN,
            TablebaseResult::Draw => Value::DRAW,
            TablebaseResult::Win => TABLE_WIN,
        }
    }
}

/// A source of verdicts.
pub trait Tablebase: Send + Sync {
    /// Most pieces of a position in the tables, kings included.
    fn max_pieces(&self) -> usize;

    /// The verdict on a position right after a capture or pawn move; `None` if no readable table has it.
    fn verdict(&self, position: &Position) -> Option<TablebaseResult>;

    /// The verdict after any move: the fifty-move clock counts if the tables of distances (DTZ) are there. A win or
    /// loss that their rounding by a ply leaves open is taken for certain.
    fn verdict_now(&self, position: &Position) -> Option<TablebaseResult> {
        self.verdict(position)
    }

    /// The move that keeps a position's verdict and is nearest to the next capture or pawn move in a win, farthest from
    /// it in a loss; `None` if no readable table has it.
    fn best_move(&self, position: &Position) -> Option<Move>;
}

/// Endgame tables, or none; cheap to clone, and clones count hits together.
#[derive(Clone, Default)]
pub struct Tables {
    /// The path as given; empty without tables.
    path: String,
    shared: Option<Arc<Shared>>,
}

struct Shared {
    source: Box<dyn Tablebase>,
    files: usize,
    hits: AtomicU64,
}

impl Tables {
    /// The Syzygy tables in the folders of `path`, separated as the system separates them (`:`, on
    /// Windows `;`); no tables if the path is empty.
    pub fn open(path: &str) -> Result<Tables> {
        if path.is_empty() {
            return Ok(Tables::default());
        }
        let (source, files) = syzygy::open(path)?;
        Ok(Tables::from_source(path, source, files))
    }

    /// Tables from another source, under a name instead of a path.
    pub fn new(name: &str, source: impl Tablebase + 'static) -> Tables {
        Tables::from_source(name, Box::new(source), 0)
    }

    fn from_source(path: &str, source: Box<dyn Tablebase>, files: usize) -> Tables {
        let hits = AtomicU64::new(0);
        Tables {
            path: path.to_owned(),
            shared: Some(Arc::new(Shared {
                source,
                files,
                hits,
            })),
        }
    }

    /// Path of the tables; empty without tables.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Number of files, and most pieces of a position in them.
    pub fn size(&self) -> (usize, usize) {
        let shared = self.shared.as_ref();
        shared.map_or((0, 0), |it| (it.files, it.source.max_pieces()))
    }

    /// Number of positions found in them so far.
    pub fn hits(&self) -> u64 {
        let shared = self.shared.as_ref();
        shared.map_or(0, |it| it.hits.load(Ordering::Relaxed))
    }

    /// The verdict on a position right after a capture, a pawn move or a null move; otherwise, without legal moves, or if
    /// no table has it, `None`.
    #[inline]
    pub fn verdict(&self, position: &Position) -> Option<TablebaseResult> {
        let shared = self.shared.as_ref()?;
        let is_right = position.reversible_plies() == 0 && shared.may_know(position);
        // Mate is worth more than a win in the tables.
        if !is_right || !position.has_legal_move() {
            return None;
        }
        let verdict = shared.source.verdict(position)?;
        shared.hits.fetch_add(1, Ordering::Relaxed);
        Some(verdict)
    }

    /// The moves worth searching in a position of the tables, and its verdict: in a win the one that makes progress, in
    /// a loss the one that holds out longest, in a draw all that hold it. `None` if the tables do not have the
    /// position, or it is drawn by its clock alone.
    pub fn root_moves(&self, position: &Position) -> Option<(TablebaseResult, Vec<Move>)> {
        let shared = self.shared.as_ref()?;
        if !shared.may_know(position) {
            return None;
        }
        let verdict = shared.source.verdict_now(position)?;
        shared.hits.fetch_add(1, Ordering::Relaxed);
        if verdict != TablebaseResult::Draw {
            return Some((verdict, vec![shared.source.best_move(position)?]));
        }
        // Drawn by the clock alone: the tables cannot tell which moves still set problems.
        if shared.source.verdict(position)? != TablebaseResult::Draw {
            return None;
        }
        let holds = |&m: &Move| {
            let child = position.after(m);
            match child.outcome() {
                Some(value) => value == Value::DRAW,
                None => shared.source.verdict(&child) == Some(TablebaseResult::Draw),
            }
        };
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(holds).collect();
        (!moves.is_empty()).then_some((verdict, moves))
    }
}

impl Shared {
    fn may_know(&self, position: &Position) -> bool {
        position.occupied().count() <= self.source.max_pieces() && position.castling.is_empty()
    }
}

impl PartialEq for Tables {
    /// Tables are equal if their paths are.
    fn eq(&self, other: &Tables) -> bool {
        self.path == other.path
    }
}

impl Eq for Tables {}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("path", &self.path)
            .field("size", &self.size())
            .finish()
    }
}

#[cfg(test)]
mod tests;
