//! Horizons: limits on the distance of a win.

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
