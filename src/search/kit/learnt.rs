//! Statistics of moves and static values shared by all threads of a search.

use std::sync::OnceLock;

use crate::game::Game;
use crate::search::kit::correction::Corrections;
use crate::search::kit::history::History;
use crate::search::kit::team;

/// All statistics.
#[derive(Debug)]
pub(in crate::search) struct Learnt {
    /// About moves.
    pub(in crate::search) history: History,
    /// About static values.
    pub(in crate::search) corrections: Corrections,
}

impl Learnt {
    /// Empty statistics for a game with `slots` history slots.
    pub(in crate::search) fn new(slots: usize) -> Learnt {
        Learnt {
            history: History::new(slots),
            corrections: Corrections::new(slots),
        }
    }
}

/// The statistics of a team, allocated at first use: not all searches learn, and the number of history slots is not
/// known before.
#[derive(Debug, Default)]
pub(in crate::search) struct Lessons(OnceLock<Learnt>);

impl Lessons {
    /// The statistics, for a game `G`.
    pub(in crate::search) fn of<G: Game>(&self) -> &Learnt {
        self.0.get_or_init(|| Learnt::new(G::HISTORY_SLOTS))
    }
}

/// A team of threads with shared statistics.
pub(in crate::search) type Team<E> = team::Team<E, Lessons>;

/// A thread's task in such a team.
pub(in crate::search) type Task<'a, G, E> = team::Task<'a, G, E, Lessons>;
