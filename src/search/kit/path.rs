//! The positions before the one being searched: the game's and the search's own.
//!
//! A search calls the first repetition on its path a draw: it stands for the whole cycle (see [`last_repetition`]).
//! Positions of the game may come again as often as the rules allow ([`Root::repeatable`]): a side that could go back
//! once need not do so again.

use crate::game::{Game, Root, last_repetition};

/// Fewest reversible plies before a position can come again, in any game (in chess 4). Most positions have fewer and
/// need no look-up.
const SHORTEST_REPETITION: usize = 2;

/// Keys of the positions before the current one, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// Keys below this index cannot be repeated: a null move lies between.
    floor: usize,
    /// Index of the root's own key.
    root: usize,
}

/// A position met again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// It stood twice in the game before the root: a fact about the game, whatever the path. Searches of roots with
    /// another past do not share it ([`Forgetting`](crate::search::kit::forgetting::Forgetting)).
    InGame,
    /// It stood on the path, at this ply from the root: a draw on this path only. Values that rest on it must not be
    /// stored.
    OnPath(usize),
}

impl Path {
    /// The path to a root: positions of the game that may come again.
    pub(crate) fn to_root<G: Game>(root: &Root<G>) -> Path {
        Path {
            keys: root.repeatable(),
            floor: 0,
            root: root.history.len(),
        }
    }

    /// Steps into a child of the position with `key`.
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Number of positions before the current one, those of the game included.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Steps back to a path of `len` positions; no null move may lie between.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    /// Steps back.
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Steps into the position after a null move; returns the argument for [`Path::pop_null`].
    pub(crate) fn push_null(&mut self, key: u64) -> usize {
        self.keys.push(key);
        std::mem::replace(&mut self.floor, self.keys.len())
    }

    /// Steps back out of a null move.
    pub(crate) fn pop_null(&mut self, floor: usize) {
        self.floor = floor;
        self.keys.pop();
    }

    /// The latest earlier occurrence of `position` on the path.
    pub(crate) fn repetition<G: Game>(&self, position: &G) -> Option<Repetition> {
        let reversible = position.reversible_plies();
        if reversible < SHORTEST_REPETITION {
            return None;
        }
        self.latest(position.key(), reversible)
    }

    /// The latest occurrence of `key` among the last `reversible` positions.
    #[inline]
    fn latest(&self, key: u64, reversible: usize) -> Option<Repetition> {
        let repeatable = self.keys.get(self.floor..)?;
        let index = last_repetition(repeatable, key, reversible)?;
        Some(match (self.floor + index).checked_sub(self.root) {
            Some(ply) => Repetition::OnPath(ply),
            None => Repetition::InGame,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;

    /// The path to a root after a game of positions with these keys.
    fn path(history: &[u64]) -> Path {
        Path::to_root(&Root {
            position: TicTacToe::new(),
            history: history.to_vec(),
        })
    }

    #[test]
    fn tells_the_game_from_the_path() {
        let mut path = path(&[1, 2, 1]);
        assert_eq!(path.latest(1, 6), Some(Repetition::InGame));
        assert_eq!(path.latest(2, 6), None, "it stood but once");
        assert_eq!(path.latest(3, 6), None);
        path.push(3);
        path.push(4);
        assert_eq!(path.latest(3, 6), Some(Repetition::OnPath(0)));
        assert_eq!(path.latest(4, 6), Some(Repetition::OnPath(1)));
        path.pop();
        assert_eq!(path.latest(4, 6), None);
    }

    #[test]
    fn forgets_what_lies_too_far_back_or_beyond_a_null_move() {
        let mut path = path(&[]);
        for key in 1..=6 {
            path.push(key);
        }
        assert_eq!(path.latest(1, 6), Some(Repetition::OnPath(0)));
        let floor = path.push_null(7);
        assert_eq!(path.latest(7, 6), None);
        path.push(8);
        path.push(9);
        assert_eq!(path.latest(8, 6), Some(Repetition::OnPath(7)));
        path.pop();
        path.pop();
        path.pop_null(floor);
        assert_eq!(path.latest(6, 6), Some(Repetition::OnPath(5)));
        path.push(7);
        assert_eq!(path.latest(1, 6), None, "seven plies ago");
    }
}
