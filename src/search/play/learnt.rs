//! Knowledge of moves and static values that all threads of a search share.

use std::sync::OnceLock;

use crate::game::Game;
use crate::search::kit::team;
use crate::search::play::correction::Corrections;
use crate::search::play::history::History;

/// Knowledge gathered so far.
#[derive(Debug)]
pub(super) struct Learnt {
    /// About moves.
    pub(super) history: History,
    /// About static values.
    pub(super) corrections: Corrections,
}

impl Learnt {
    /// Nothing learnt, in a game with so many history slots.
    pub(super) fn new(slots: usize) -> Learnt {
        Learnt {
            history: History::new(slots),
            corrections: Corrections::new(slots),
        }
    }
}

/// Where what is learnt is kept: it takes memory once it is asked for, since not all searches learn, and only then the
/// number of history slots is known.
#[derive(Debug, Default)]
pub(super) struct Lessons(OnceLock<Learnt>);

impl Lessons {
    /// What has been learnt in a game.
    pub(super) fn of<G: Game>(&self) -> &Learnt {
        self.0.get_or_init(|| Learnt::new(G::HISTORY_SLOTS))
    }
}

/// Threads that learn from each other.
pub(super) type Team<E> = team::Team<E, Lessons>;

/// What one of them is given to search with.
pub(super) type Task<'a, G, E> = team::Task<'a, G, E, Lessons>;
