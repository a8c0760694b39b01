//! A position's question, and its place in the tree.

use crate::search::play::correction::Places;
use crate::search::play::history::Previous;
use crate::value::Value;

/// Place of a node in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Plies from the root.
    pub(super) ply: usize,
    /// The last two moves.
    pub(super) previous: Previous,
    /// Whether a null move is allowed: the move before was not one.
    pub(super) may_pass: bool,
}

impl Place {
    /// The root.
    pub(crate) const ROOT: Place = Place {
        ply: 0,
        previous: [None; 2],
        may_pass: true,
    };

    pub(crate) fn below(self, slot: Option<usize>) -> Place {
        Place {
            ply: self.ply + 1,
            previous: [slot, self.previous[0]],
            may_pass: slot.is_some(),
        }
    }
}

/// A position's question, and what is known before any child is searched.
#[derive(Clone, Copy)]
pub(super) struct Question<M> {
    pub(super) theta: Value,
    /// Demanded cost, in sixteenths of a unit.
    pub(super) demand: i32,
    pub(super) place: Place,
    pub(super) in_check: bool,
    pub(super) static_value: Value,
    /// Indices of the corrections of the static value.
    pub(super) corrections: Option<Places>,
    pub(super) endgame: bool,
    /// Whether the static value is not known to have risen since this side's last turn.
    pub(super) stale: bool,
    /// Whether the move to try first captures or promotes.
    pub(super) begins_with_capture: bool,
    /// The move to try first.
    pub(super) table_move: Option<M>,
}
