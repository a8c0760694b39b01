//! The positions before the one being searched: the game's and the search's own.
//!
//! A search scores the first repetition on its path as a draw, since the whole cycle could be repeated. A position that
//! stood once in the game may come again without a draw ([`Root::repeatable`]): a side that goes back once need not do
//! so again.

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
    /// The position stood twice in the game before the root: a draw on every path. Roots with another past do not share
    /// it (see [`Forgetting`](crate::search::kit::forgetting::Forgetting)).
    InGame,
    /// The position stood on the path, at this ply from the root: a draw on this path only. Values that rest on it must
    /// not be stored.
    OnPath(usize),
}

impl Path {
    /// The path to a root: the game's positions. Those that stood only once never count as repeated.
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

    /// Steps back to the root, from wherever a search was broken off.
    pub(crate) fn return_to_root(&mut self) {
        self.keys.truncate(self.root);
        self.floor = 0;
    }

    /// Steps back to the parent.
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Steps over a null move in the position with `key`; returns the argument for [`Path::pop_null`].
    pub(crate) fn push_null(&mut self, key: u64) -> usize {
        self.keys.push(key);
        std::mem::replace(&mut self.floor, self.keys.len())
    }

    /// Steps back out of a null move.
    pub(crate) fn pop_null(&mut self, floor: usize) {
        self.floor = floor;
        self.keys.pop();
    }

    /// The latest earlier occurrence of `position` that makes it a draw, in the game or on the path.
    pub(crate) fn repetition<G: Game>(&self, position: &G) -> Option<Repetition> {
        let reversible = position.reversible_plies();
        if reversible < SHORTEST_REPETITION {
            return None;
        }
        let repeatable = self.keys.get(self.floor..)?;
        let index = last_repetition(repeatable, position.key(), reversible)?;
        Some(match (self.floor + index).checked_sub(self.root) {
            Some(ply) => Repetition::OnPath(ply),
            None => Repetition::InGame,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::{Position, notation::parse_fen};

    /// A position told from others by the rank of its kings, six plies after the last capture.
    fn kings(rank: usize) -> Position {
        let mut ranks = ["8"; 8];
        ranks[rank] = "K6k";
        parse_fen(&format!("{} w - - 6 9", ranks.join("/"))).unwrap()
    }

    fn key(rank: usize) -> u64 {
        kings(rank).key()
    }

    #[test]
    fn tells_the_game_from_the_path() {
        let mut path = Path::to_root(&Root {
            position: kings(3),
            history: [1, 2, 1].map(key).to_vec(),
        });
        assert_eq!(path.repetition(&kings(1)), Some(Repetition::InGame));
        assert_eq!(path.repetition(&kings(2)), None, "it stood but once");
        assert_eq!(path.repetition(&kings(3)), None);
        path.push(key(3));
        path.push(key(4));
        assert_eq!(path.repetition(&kings(3)), Some(Repetition::OnPath(0)));
        assert_eq!(path.repetition(&kings(4)), Some(Repetition::OnPath(1)));
        path.pop();
        assert_eq!(path.repetition(&kings(4)), None);
    }

    #[test]
    fn forgets_what_lies_too_far_back_or_beyond_a_null_move() {
        let mut path = Path::to_root(&Root::new(kings(1)));
        for rank in 1..=6 {
            path.push(key(rank));
        }
        assert_eq!(path.repetition(&kings(1)), Some(Repetition::OnPath(0)));
        let floor = path.push_null(key(7));
        assert_eq!(path.repetition(&kings(7)), None);
        path.push(key(0));
        path.push(key(1));
        assert_eq!(path.repetition(&kings(0)), Some(Repetition::OnPath(7)));
        path.pop();
        path.pop();
        path.pop_null(floor);
        assert_eq!(path.repetition(&kings(6)), Some(Repetition::OnPath(5)));
        path.push(key(7));
        assert_eq!(path.repetition(&kings(1)), None, "seven plies ago");
    }
}
