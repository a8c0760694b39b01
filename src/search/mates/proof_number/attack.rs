//! Results so far for one side's attack on the root.

use super::Question;
use super::horizon::Horizon;
use super::numbers::{Number, Numbers};

/// Farthest mate searched for with a horizon, in moves.
pub(super) const FARTHEST: u32 = 500;

/// A proven win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    /// Upper bound on the plies it takes.
    pub(super) plies: u16,
    /// The question whose answer it is.
    pub(super) question: Question,
}

/// Results so far for one attacker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    /// The nearest win proven.
    pub(super) won: Option<Win>,
    /// Plies of the nearest win with a complete line: the one that is claimed.
    pub(super) shown: Option<u16>,
    /// The largest horizon within which the attacker is proven not to win.
    pub(super) not_within: Option<Horizon>,
    /// Proof and disproof numbers of the last question.
    pub(super) numbers: Numbers,
    /// Whether the last question needs no more search: it is answered, or its tree is full.
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

    /// Whether a win within `horizon` is disproven.
    pub(super) fn is_ruled_out(&self, horizon: Horizon) -> bool {
        self.not_within.is_some_and(|within| within >= horizon)
    }

    /// Whether every win nearer than the proven one is disproven.
    pub(super) fn is_nearest(&self) -> bool {
        self.won.is_some_and(|Win { plies, .. }| {
            plies <= 2 || self.is_ruled_out(Horizon::plies(plies - 2))
        })
    }

    /// The nearest proven win, unless it has a complete line.
    pub(super) fn unshown(&self) -> Option<Win> {
        self.won.filter(|proof| self.shown != Some(proof.plies))
    }

    /// Whether the distance of the win is exact and its line complete.
    pub(super) fn is_exact(&self) -> bool {
        self.is_nearest() && self.unshown().is_none()
    }
}

/// The horizon of a win in `moves` moves by the side to move (index 0) or its opponent (1).
pub(super) fn horizon_of(index: usize, moves: u32) -> Horizon {
    Horizon::plies((2 * moves.min(FARTHEST + 1)) as u16 - 1 + index as u16)
}
