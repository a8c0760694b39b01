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
    /// It stood twice in the game before the root: a draw on every path. Roots with another past do not share it (see
    /// [`Forgetting`](crate::search::kit::forgetting::Forgetting)).
    InGame,
    /// It stood on the path, at this ply from the root: a draw on this path only. Values that rest on it must not be
    /// stored.
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
    use crate::game::{Moves, Side};
    use crate::value::Value;

    /// A game that is only a key.
    #[derive(Clone)]
    struct Keyed(u64);

    impl Game for Keyed {
        type Move = u16;

        fn key(&self) -> u64 {
            self.0
        }

        fn side_to_move(&self) -> Side {
            Side::First
        }

        fn legal_moves(&self) -> Moves<u16> {
            Moves::new()
        }

        fn play(&mut self, m: u16) {
            self.0 = u64::from(m);
        }

        fn terminal_value(&self) -> Value {
            Value::DRAW
        }

        fn reversible_plies(&self) -> usize {
            6
        }

        fn move_code(m: u16) -> u16 {
            m
        }
    }

    #[test]
    fn tells_the_game_from_the_path() {
        let mut root = Root::new(Keyed(1));
        for key in [2, 1, 3] {
            root.play(key);
        }
        let mut path = Path::to_root(&root);
        assert_eq!(path.repetition(&Keyed(1)), Some(Repetition::InGame));
        assert_eq!(path.repetition(&Keyed(2)), None, "it stood but once");
        assert_eq!(path.repetition(&Keyed(3)), None);
        path.push(3);
        path.push(4);
        assert_eq!(path.repetition(&Keyed(3)), Some(Repetition::OnPath(0)));
        assert_eq!(path.repetition(&Keyed(4)), Some(Repetition::OnPath(1)));
        path.pop();
        assert_eq!(path.repetition(&Keyed(4)), None);
    }

    #[test]
    fn forgets_what_lies_too_far_back_or_beyond_a_null_move() {
        let mut path = Path::to_root(&Root::new(Keyed(1)));
        for key in 1..=6 {
            path.push(key);
        }
        assert_eq!(path.repetition(&Keyed(1)), Some(Repetition::OnPath(0)));
        let floor = path.push_null(7);
        assert_eq!(path.repetition(&Keyed(7)), None);
        path.push(8);
        path.push(9);
        assert_eq!(path.repetition(&Keyed(8)), Some(Repetition::OnPath(7)));
        path.pop();
        path.pop();
        path.pop_null(floor);
        assert_eq!(path.repetition(&Keyed(6)), Some(Repetition::OnPath(5)));
        path.push(7);
        assert_eq!(path.repetition(&Keyed(1)), None, "seven plies ago");
    }
}
