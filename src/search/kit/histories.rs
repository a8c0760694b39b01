//! Statistics of moves and static values shared by all threads of a search.

use std::sync::OnceLock;

use crate::game::Game;
use crate::search::kit::correction::Corrections;
use crate::search::kit::history::History;

/// All statistics.
#[derive(Debug)]
pub(in crate::search) struct Histories {
    /// About moves.
    pub(in crate::search) history: History,
    /// About static values.
    pub(in crate::search) corrections: Corrections,
}

impl Histories {
    /// Empty statistics for a game with `slots` history slots.
    pub(in crate::search) fn new(slots: usize) -> Histories {
        Histories {
            history: History::new(slots),
            corrections: Corrections::new(slots),
        }
    }
}

/// The statistics of a team, allocated at first use: not all searches learn, and the number of history slots is not
/// known before.
#[derive(Debug, Default)]
pub(in crate::search) struct LazyHistories(OnceLock<Histories>);

impl LazyHistories {
    /// The statistics, for a game `G`.
    pub(in crate::search) fn of<G: Game>(&self) -> &Histories {
        self.0.get_or_init(|| Histories::new(G::HISTORY_SLOTS))
    }
}
