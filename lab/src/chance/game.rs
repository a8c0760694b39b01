//! The interface of a game with chance.
//!
//! Besides the two players of [`Game`](cassius::game::Game), chance makes moves: a throw of dice, or an opponent who may
//! or may not see the right reply. Values are expectations, hence real numbers. As turns need not alternate, values are
//! always for [`Side::First`], who maximises.

use std::fmt::Debug;

use cassius::game::{Moves, Side};

/// Turn of a player or of chance, if the game is not over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A player chooses among [`ChanceGame::legal_moves`].
    Player(Side),
    /// Chance chooses among [`ChanceGame::events`].
    Chance,
    /// The game is over.
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
    /// All numbers: as a window it asks for the exact value.
    pub const ALL: Interval = Interval {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// The numbers from `low` to `high`.
    pub const fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// The intersection with `other`.
    pub fn within(self, other: Interval) -> Interval {
        Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// A two-player zero-sum game with perfect information and chance; a value of this type is a position.
pub trait ChanceGame: Clone {
    /// A player's move or an event.
    type Move: Copy + Eq + Debug;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// The moves of the player to move, in a fixed order; at least one.
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// The events at chance's turn with their probabilities, which are positive and add up to 1; at least one.
    fn events(&self) -> Vec<(Self::Move, f64)>;

    /// Plays a legal move or an event.
    fn play(&mut self, m: Self::Move);

    /// The value for [`Side::First`]: the outcome if the game is over, else an estimate.
    fn value(&self) -> f64;

    /// Finite bounds on all values, estimates included, of this position and of all later ones. The narrower, the more
    /// a search can prune.
    fn range(&self) -> Interval;

    /// The position after a legal move or an event.
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }
}
