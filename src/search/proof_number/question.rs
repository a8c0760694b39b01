//! Questions about a win, and the results so far for one side's attack on the root.

use super::numbers::{Number, Numbers};
use crate::game::Side;

/// Plies within which the attacker must win; each move takes one off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) struct Horizon(pub(super) u16);

impl Horizon {
    /// No limit.
    pub(super) const UNLIMITED: Horizon = Horizon(u16::MAX);

    /// A horizon of this many plies.
    pub(super) fn plies(plies: u16) -> Horizon {
        Horizon(plies.min(u16::MAX - 1))
    }

    /// The plies; `None` if there is no limit.
    pub(super) fn get(self) -> Option<u16> {
        (self != Horizon::UNLIMITED).then_some(self.0)
    }

    /// The horizon after one more move; `None` if no ply is left.
    pub(super) fn after_move(self) -> Option<Horizon> {
        match self.get() {
            Some(plies) => plies.checked_sub(1).map(Horizon),
            None => Some(self),
        }
    }

    /// Whether a win in `plies` lies within it.
    pub(super) fn reaches(self, plies: u16) -> bool {
        plies <= self.0
    }
}

/// The question whether one side wins within a horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofQuery {
    /// The side that tries to win.
    pub(super) attacker: Side,
    /// Plies from the root within which it must win.
    pub(super) horizon: Horizon,
    /// Whether a position met again on the path is searched like any other, so that a disproof is a
    /// fact; this needs a horizon. Otherwise such a position counts as not won on this path, which keeps
    /// the search from going round in circles.
    pub(super) strict: bool,
}

impl ProofQuery {
    /// Part of the keys, by which the two sides' attacks share no entries.
    pub(super) fn salt(self) -> u64 {
        match self.attacker {
            Side::First => 0,
            Side::Second => 0x5851_F42D_4C95_7F2D,
        }
    }
}

/// Farthest mate searched for with a horizon, in moves.
pub(super) const FARTHEST: u32 = 500;

/// A proven win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    /// Upper bound on the plies it takes.
    pub(super) plies: u16,
    /// The question whose answer it is.
    pub(super) question: ProofQuery,
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
}

impl Attack {
    pub(super) const NEW: Attack = Attack {
        won: None,
        shown: None,
        not_within: None,
        numbers: Numbers::new(Number::ONE, Number::ONE),
    };

    /// Records a win with a complete line; returns whether it is nearer than all before.
    pub(super) fn show(&mut self, win: Win) -> bool {
        let is_nearer = self.won.is_none_or(|known| win.plies < known.plies);
        if is_nearer || self.unshown().is_some_and(|known| known.plies == win.plies) {
            self.won = Some(win);
            self.shown = Some(win.plies);
        }
        is_nearer
    }

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
