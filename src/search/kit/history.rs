//! Statistics of moves elsewhere in the tree, by which quiet moves are ordered.
//!
//! - History: how often a move caused a cutoff, wherever it stood (J. Schaeffer, "The history heuristic", ICCA Journal
//!   6(3), 1983), with a malus for the moves tried before.
//! - Continuation history: the same given the move one or two plies earlier.
//! - Killers: the last refutations at a ply (S. Akl and M. Newborn, "The principal continuation and the killer
//!   heuristic", ACM Annual Conference, 1977).
//! - Countermove: the last refutation of a move (J. Uiterwijk, "The countermove heuristic", ICCA Journal 15(1), 1992).
//!
//! Moves are indexed by [`Game::history_slot`].

use std::sync::atomic::{AtomicU16, Ordering};

use crate::game::Game;
use crate::search::kit::statistics::{self, Statistics};

/// Bound on all statistics: they stay within ± this.
pub(crate) const HISTORY_LIMIT: i32 = statistics::LIMIT;

/// The moves played one and two plies before a position, as history slots; `None` for a null move
/// and before the root.
pub(crate) type Previous = [Option<usize>; 2];

/// A move that was tried, as statistics distinguish moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried {
    /// Its history slot.
    pub slot: usize,
    /// Whether it is neither a capture nor a promotion.
    pub quiet: bool,
}

impl Tried {
    /// A legal move of `position`.
    #[inline]
    pub(crate) fn new<G: Game>(position: &G, m: G::Move) -> Tried {
        Tried {
            slot: position.history_slot(m),
            quiet: position.is_quiet(m),
        }
    }
}

/// The last two quiet refutations at one ply, as move codes; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Killers([u16; 2]);

impl Killers {
    /// No refutation yet.
    pub(crate) const NONE: Killers = Killers([0; 2]);

    /// Remembers the move with `code` as a refutation.
    pub(crate) fn remember(&mut self, code: u16) {
        if self.0[0] != code {
            self.0 = [code, self.0[0]];
        }
    }
}

/// Killers and countermove for one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuters {
    /// The killers of this ply.
    pub killers: Killers,
    /// The countermove of the previous move, as a code; 0 is none.
    pub counter: u16,
}

/// Rating of refuters, above all statistics.
const REFUTER: i32 = 1 << 20;

impl Refuters {
    /// Whether the move with `code` is one of them.
    pub(crate) fn contain(&self, code: u16) -> bool {
        self.rating(code).is_some()
    }

    /// Rating in the order of moves, above all statistics; `None` for other moves.
    pub(crate) fn rating(&self, code: u16) -> Option<i32> {
        let [first, second] = self.killers.0;
        let order = [self.counter, second, first];
        let place = order.iter().rposition(|&refuter| refuter == code)?;
        Some(REFUTER + place as i32)
    }
}

/// All tables, shared by any number of threads. Memory: 4 bytes for each pair of slots (chess: 2.4 MB).
#[derive(Debug)]
pub(crate) struct History {
    slots: usize,
    quiet: Statistics,
    capture: Statistics,
    /// `[distance][previous slot][slot]`, flattened.
    continuation: [Statistics; 2],
    counter: Vec<AtomicU16>,
}

impl History {
    /// Empty statistics for a game with `slots` history slots.
    pub(crate) fn new(slots: usize) -> History {
        History {
            slots,
            quiet: Statistics::new(slots),
            capture: Statistics::new(slots),
            continuation: [(); 2].map(|()| Statistics::new(slots * slots)),
            counter: (0..slots).map(|_| AtomicU16::new(0)).collect(),
        }
    }

    /// History of a capture, within ± [`HISTORY_LIMIT`].
    #[inline]
    pub(crate) fn capture(&self, slot: usize) -> i32 {
        self.capture.get(slot)
    }

    /// Continuation histories of a quiet move after each of the previous moves, summed.
    #[inline]
    fn continuation(&self, previous: Previous, slot: usize) -> i32 {
        // Unrolled: it runs for every quiet move of every node.
        let [one, two] = &self.continuation;
        let after = |table: &Statistics, before: Option<usize>| {
            before.map_or(0, |before| table.get(before * self.slots + slot))
        };
        after(one, previous[0]) + after(two, previous[1])
    }

    /// The refuters for a node whose ply has these `killers`, after these moves.
    pub(crate) fn refuters(&self, killers: Killers, previous: Previous) -> Refuters {
        Refuters {
            killers,
            counter: previous[0].map_or(0, |before| self.counter[before].load(Ordering::Relaxed)),
        }
    }

    /// History and continuation histories of a quiet move, summed.
    #[inline]
    pub(crate) fn of_quiet(&self, slot: usize, previous: Previous) -> i32 {
        self.quiet.get(slot) + self.continuation(previous, slot)
    }

    /// Rewards `m`, which caused a cutoff, with `bonus`, debits the moves `tried` before it as much, and makes `m`, if
    /// quiet, the countermove of the previous move. Captures do not debit quiet moves, which come after them.
    pub(crate) fn credit<G: Game>(
        &self,
        position: &G,
        m: G::Move,
        previous: Previous,
        bonus: i32,
        tried: impl Iterator<Item = Tried>,
    ) {
        let credited = Tried::new(position, m);
        self.update(credited, previous, bonus);
        if credited.quiet
            && let Some(before) = previous[0]
        {
            self.counter[before].store(G::move_code(m), Ordering::Relaxed);
        }
        for other in tried.filter(|other| credited.quiet || !other.quiet) {
            self.update(other, previous, -bonus);
        }
    }

    fn update(&self, of: Tried, previous: Previous, bonus: i32) {
        if !of.quiet {
            self.capture.update(of.slot, bonus);
            return;
        }
        self.quiet.update(of.slot, bonus);
        for (table, before) in self.continuation.iter().zip(previous) {
            if let Some(before) = before {
                table.update(before * self.slots + of.slot, bonus);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;

    #[test]
    fn what_is_tried_in_vain_is_debited() {
        let root = TicTacToe::new();
        let m = root.legal_moves()[0];
        // This game has a single slot; tried moves get others here.
        let credited = root.history_slot(m);
        let [quiet, capture] = [credited + 1, credited + 2];
        let tried = [(quiet, true), (capture, false)].map(|(slot, quiet)| Tried { slot, quiet });
        let history = History::new(capture + 1);
        history.credit(&root, m, [Some(capture), None], 100, tried.into_iter());
        assert_eq!(history.of_quiet(credited, [Some(capture), None]), 200);
        assert_eq!(history.of_quiet(quiet, [Some(capture), None]), -200);
        assert_eq!(history.capture(capture), -100);
        let refuters = history.refuters(Killers::NONE, [Some(capture), None]);
        assert_eq!(refuters.counter, TicTacToe::move_code(m));
        // Without previous moves there is no continuation to learn.
        let alone = History::new(capture + 1);
        alone.credit(&root, m, [None; 2], 100, tried.into_iter());
        assert_eq!(alone.of_quiet(credited, [Some(capture), None]), 100);
        assert_eq!(alone.of_quiet(quiet, [None; 2]), -100);
    }

    #[test]
    fn continuation_needs_a_previous_move() {
        let history = History::new(4);
        let tried = Tried {
            slot: 2,
            quiet: true,
        };
        history.update(tried, [Some(1), None], 100);
        assert_eq!(history.continuation([Some(1), Some(3)], 2), 100);
        assert_eq!(history.continuation([None, Some(1)], 2), 0);
        let root = TicTacToe::new();
        let m = root.legal_moves()[0];
        let credit = |previous| history.credit(&root, m, previous, 100, [].into_iter());
        credit([None, Some(1)]);
        let counter = |history: &History| history.refuters(Killers::NONE, [Some(1), None]).counter;
        assert_eq!(counter(&history), 0);
        credit([Some(1), None]);
        assert_eq!(counter(&history), TicTacToe::move_code(m));
        assert_eq!(history.refuters(Killers::NONE, [None, None]).counter, 0);
    }
}
