//! Statistics of moves and static values shared by all threads of a search.

use std::sync::OnceLock;

use crate::game::Game;
use crate::search::kit::correction::Corrections;
use crate::search::kit::history::History;

/// The statistics of a team, allocated at first use: not all searches learn, and the number of history slots is not
/// known before.
pub(in crate::search) type LazyHistories = OnceLock<Histories>;

/// All statistics.
#[derive(Debug)]
pub(in crate::search) struct Histories {
    /// About moves.
    pub(in crate::search) history: History,
    /// About static values.
    pub(in crate::search) corrections: Corrections,
}

impl Histories {
    /// Empty statistics for a game `G`.
    pub(in crate::search) fn new<G: Game>() -> Histories {
        Histories {
            history: History::new(G::HISTORY_SLOTS),
            corrections: Corrections::new(G::HISTORY_SLOTS),
        }
    }
}
