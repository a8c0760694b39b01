//! Searches of games with chance: expectiminimax and *-minimax.
//!
//! [`expectiminimax()`] (D. Michie, "Game-playing and game-learning automata", 1966) is minimax with a third
//! kind of node, whose value is the mean of its children' values weighted by their probabilities. `star`
//! is alpha-beta for such trees: [`star1`] and [`star2`] (B. W. Ballard, "The *-minimax search procedure
//! for trees containing chance nodes", Artificial Intelligence 21, 1983; T. Hauk, M. Buro and
//! J. Schaeffer, "Rediscovering *-minimax search", Computers and Games 2004).
//!
//! # The idea
//!
//! All values lie between some L and U. When some children of a chance node have been searched, the others are
//! worth at least L and at most U each, which bounds the node's value. So the next child, of
//! probability p, matters only between
//!
//! - A = (α - s - q U) / p: at or below, the node cannot come to more than α, whatever follows, and
//! - B = (β - s - q L) / p: at or above, it cannot come to less than β,
//!
//! where s is the sum so far, each value times its probability, and q the probability that is left after
//! this child. Star1 searches the child with the window (A, B), clipped to [L, U].
//!
//! Star2 first probes: where a child is a player's choice, a single move of his bounds what the child is
//! worth from one side. That narrows [L, U] for this child, and with luck suffices for a cutoff before
//! any child has been searched in full. Where it does not suffice, the probe is searched again with the child, unless a table
//! keeps what it has found ([`star2_with_table`]): with few moves to choose from that is most of the work.
//!
//! # Repairs
//!
//! The procedure is widely printed in pseudocode (an encyclopedia's, of the fail-hard Star1 for equally
//! likely children) that cannot be taken as it stands. Ours differs in this:
//!
//! - There, a player's node "returns its minimax value" without the window, so that nothing below the
//!   first player's node is pruned, and without a word on chance nodes further down. Here the window
//!   is handed down through nodes of all kinds, and players' nodes cut off as in alpha-beta.
//! - There, the window for the next child is found by `A += U - v; B += L - v`, and no `v` exists: the
//!   child's `score` is meant.
//! - There, A and B are right for equally likely children only, since they multiply by the number of children.
//!   Here they divide by each child's own probability.
//! - There, a cutoff returns α or β (fail-hard) while a leaf returns its value wherever that lies, so a
//!   caller cannot rely on either. Here all results are fail-soft: at or below α an upper bound of the
//!   value, at or above β a lower bound, between them the value.
//! - There, nothing is said of heuristic values outside [L, U], which make cutoffs wrong. Here
//!   [`ChanceGame::range`] must hold for estimates, too, and may be narrower for some positions than for the
//!   whole game.
//! - There, a child that cannot matter any more (A at U, or B at L) is still searched, with an empty window.
//!   Here it is not: what such a search returned would bound nothing.
//!
//! - There, numbers are exact. Ours are rounded, and α can come to lie within rounding of β, so that a
//!   window for a child turns inside out and its bound lies on the wrong side; that made values wrong by far
//!   more than rounding. Here windows as narrow as that are empty.
//!
//! So values agree with expectiminimax's to some 12 digits, not to the last bit.

mod expectiminimax;
mod star;
#[cfg(test)]
mod tests;

pub use expectiminimax::expectiminimax;
pub use star::{star1, star1_with_table, star2, star2_with_table};

#[cfg(doc)]
use crate::chance::ChanceGame;

/// What a search of a game with chance has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict<M> {
    /// The root's value for [`Side::First`](crate::game::Side::First), or a bound on it outside the
    /// window.
    pub value: f64,
    /// The move to play; none where the root is nature's, over, or not searched at all.
    pub best: Option<M>,
    /// Positions visited, the root included.
    pub nodes: u64,
}
