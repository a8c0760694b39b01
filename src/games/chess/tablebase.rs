//! Endgame tablebases: positions whose outcome is known without search.
//!
//! To a search such a position is terminal, like mate (thesis, section 2.1: a terminal is a node
//! whose value no expansion can change). Tables are asked right after a capture, a pawn move or a null move only,
//! where what they say takes the fifty-move rule into account in full; a position of theirs that is
//! reached by other moves lies below a root that is in the tables too (or has castling rights left), and there the
//! distances to the next capture or pawn move ([`Tables::root_moves`]) do better than any search.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;

use super::{Move, Position};
use crate::game::Game;
use crate::value::Value;

#[cfg(feature = "cli")]
mod syzygy;

/// Takes the place of what reads tables.
#[cfg(not(feature = "cli"))]
mod syzygy {
    use anyhow::{Result, bail};

    use super::Tablebase;

    /// Says that there is nothing to read them with.
    pub(super) fn open(_path: &str) -> Result<(Box<dyn Tablebase>, usize)> {
        bail!("this build of Cassius reads no Syzygy tables")
    }
}

/// What a win in the tables is worth: more than any evaluation that people would believe, less than a mate that is
/// counted.
pub const TABLE_WIN: Value = Value::centipawns(20_000);

/// The outcome of a position for the side to move with best play, the fifty-move rule included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Drawn, be it only by the fifty-move rule.
    Draw,
    /// Won.
    Win,
}

impl Verdict {
    /// The verdict as a value.
    pub fn value(self) -> Value {
        match self {
            Verdict::Loss => -TABLE_WIN,
            Verdict::Draw => Value::DRAW,
            Verdict::Win => TABLE_WIN,
        }
    }
}

/// Where verdicts come from.
pub trait Tablebase: Send + Sync {
    /// Most pieces of a position that may be in the tables, kings included.
    fn max_pieces(&self) -> usize;

    /// The verdict on a position that a capture or pawn move has led to; `None` where it is in no
    /// table that can be read.
    fn verdict(&self, position: &Position) -> Option<Verdict>;

    /// The same whatever has led there: the clock of the fifty-move rule counts, if the tables of distances are there. A
    /// result that they leave open by a ply is taken for decided.
    fn verdict_now(&self, position: &Position) -> Option<Verdict> {
        self.verdict(position)
    }

    /// The move that keeps a position's verdict and comes closest to the next capture or pawn move
    /// if that is a win, stays farthest from it if it is a loss; `None` as before.
    fn best_move(&self, position: &Position) -> Option<Move>;
}

/// Tables to ask, or none; cheap to clone, and the clones count together.
#[derive(Clone, Default)]
pub struct Tables {
    /// Where they are, as it was given; empty for none.
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
    /// Windows `;`). An empty path is no tables.
    pub fn open(path: &str) -> Result<Tables> {
        if path.is_empty() {
            return Ok(Tables::default());
        }
        let (source, files) = syzygy::open(path)?;
        Ok(Tables {
            shared: Some(Arc::new(Shared {
                source,
                files,
                hits: AtomicU64::new(0),
            })),
            path: path.to_owned(),
        })
    }

    /// Tables of another kind, under a name that stands for their path.
    pub fn new(name: &str, source: impl Tablebase + 'static) -> Tables {
        Tables {
            path: name.to_owned(),
            shared: Some(Arc::new(Shared {
                source: Box::new(source),
                files: 0,
                hits: AtomicU64::new(0),
            })),
        }
    }

    /// Where they are; empty for none.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How many files there are, and for up to how many pieces.
    pub fn size(&self) -> (usize, usize) {
        let shared = self.shared.as_ref();
        shared.map_or((0, 0), |it| (it.files, it.source.max_pieces()))
    }

    /// How many positions have been found in them so far.
    pub fn hits(&self) -> u64 {
        let shared = self.shared.as_ref();
        shared.map_or(0, |it| it.hits.load(Ordering::Relaxed))
    }

    /// The verdict on a position right after a capture or pawn move, if the tables have it.
    #[inline]
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let shared = self.shared.as_ref()?;
        let is_right = position.reversible_plies() == 0 && shared.may_know(position);
        // Mate is more than a win in the tables.
        if !is_right || !position.has_legal_move() {
            return None;
        }
        let verdict = shared.source.verdict(position)?;
        shared.hits.fetch_add(1, Ordering::Relaxed);
        Some(verdict)
    }

    /// The moves of a position in the tables that are worth a search, and its verdict: the one that
    /// makes progress where it is won or holds out longest where it is lost, all that hold the
    /// draw where it is drawn. `None` if the tables do not have the position, or it is drawn by its clock alone.
    pub fn root_moves(&self, position: &Position) -> Option<(Verdict, Vec<Move>)> {
        let shared = self.shared.as_ref()?;
        if !shared.may_know(position) {
            return None;
        }
        let verdict = shared.source.verdict_now(position)?;
        shared.hits.fetch_add(1, Ordering::Relaxed);
        if verdict != Verdict::Draw {
            return Some((verdict, vec![shared.source.best_move(position)?]));
        }
        // By the clock alone: the tables do not know which moves still make something of it.
        if shared.source.verdict(position)? != Verdict::Draw {
            return None;
        }
        let holds = |&m: &Move| {
            let child = position.after(m);
            match child.outcome() {
                Some(value) => value == Value::DRAW,
                None => shared.source.verdict(&child) == Some(Verdict::Draw),
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
    /// Tables are the same if they come from the same place.
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
