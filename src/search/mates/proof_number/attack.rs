//! What is known of one side's attack on the root.

use super::Question;
use super::horizon::Horizon;
use super::numbers::{Number, Numbers};

/// Farthest mate, in moves, looked for by a horizon.
pub(super) const FARTHEST: u32 = 500;

/// A win that has been proven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    /// The plies it takes at most.
    pub(super) plies: u16,
    /// What was asked.
    pub(super) question: Question,
}

/// What is known of one side's attack on the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    /// The nearest win proven.
    pub(super) won: Option<Win>,
    /// The plies of the nearest win whose line is known to its end: the one that is claimed.
    pub(super) shown: Option<u16>,
    /// The farthest horizon within which it is proven not to win.
    pub(super) not_within: Option<Horizon>,
    /// The numbers of the question asked last.
    pub(super) numbers: Numbers,
    /// The question asked last need not be asked again: it is answered, or its tree is full.
    pub(super) settled: bool,
}

impl Attack {
    pub(super) const NEW: Attack = Attack {
        won: None,
        shown: None,
        not_within: None,
        numbers: Numbers::new(Number::ONE, Number::ONE),
        settled: false,
    };

    /// Whether it is proven not to win in time.
    pub(super) fn is_ruled_out(&self, horizon: Horizon) -> bool {
        self.not_within.is_some_and(|within| within >= horizon)
    }

    /// Whether no win nearer than the one proven is left to look for.
    pub(super) fn is_nearest(&self) -> bool {
        self.won.is_some_and(|Win { plies, .. }| {
            plies <= 2 || self.is_ruled_out(Horizon::plies(plies - 2))
        })
    }

    /// The nearest win proven, unless its line is known to its end.
    pub(super) fn unshown(&self) -> Option<Win> {
        self.won.filter(|proof| self.shown != Some(proof.plies))
    }

    /// Whether it is known, and shown, to win in so many plies and no sooner.
    pub(super) fn is_exact(&self) -> bool {
        self.is_nearest() && self.unshown().is_none()
    }
}

/// The horizon for a win in so many moves, of the side to move (0) or its opponent.
pub(super) fn horizon_of(index: usize, moves: u32) -> Horizon {
    Horizon::plies((2 * moves.min(FARTHEST + 1)) as u16 - 1 + index as u16)
}
