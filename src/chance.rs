//! What a search needs of a game with chance.
//!
//! Beside the two players of [`Game`](crate::game::Game) nature moves: a throw of dice, or an opponent
//! who may or may not see the right reply. Values are expectations, so they are real numbers, and as
//! neither the order of turns nor their alternation is fixed, they are always seen from
//! [`Side::First`], who maximises.

use std::fmt::Debug;

use crate::game::{Moves, Side};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A player's, who chooses among [`ChanceGame::legal_moves`].
    Player(Side),
    /// Nature's: one of [`ChanceGame::events`] will happen.
    Chance,
    /// Nobody's: the game is over.
    Over,
}

/// The numbers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// All numbers: as a window of a search it asks for the exact value.
    pub const ALL: Interval = Interval {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// The numbers from `low` to `high`.
    pub const fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// The numbers that are in `other`, too.
    pub fn within(self, other: Interval) -> Interval {
        Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// A two-player zero-sum game with perfect information in which nature moves too; the value itself is
/// one position of it.
pub trait ChanceGame: Clone {
    /// A player's move or an event.
    type Move: Copy + Eq + Debug;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// The moves of the player whose turn it is, in a fixed order; at least one.
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// What may happen where it is nature's turn, each event with its probability: at least one, none
    /// impossible, all together certain.
    fn events(&self) -> Vec<(Self::Move, f64)>;

    /// Plays a legal move, or lets an event happen.
    fn play(&mut self, m: Self::Move);

    /// What the position is worth to [`Side::First`]: the outcome where the game is over, an estimate
    /// where it is not.
    fn value(&self) -> f64;

    /// Finite bounds on all values, estimates included, of this position and of those that can come of
    /// it. The narrower, the more a search can prune.
    fn range(&self) -> Interval;

    /// The position after a legal move or an event.
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }
}
