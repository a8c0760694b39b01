//! Searches of games with chance: expectiminimax and *-minimax.
//!
//! [`expectiminimax()`] (D. Michie, "Game-playing and game-learning automata", 1966) is minimax with a third
//! kind of node, whose value is the mean of its children' values weighted by their probabilities. `star`
//! is alpha-beta for such trees: [`Star::ONE`] and [`Star::TWO`] (B. W. Ballard, "The *-minimax search procedure
//! for trees containing chance nodes", Artificial Intelligence 21, 1983; T. Hauk, M. Buro and
//! J. Schaeffer, "Rediscovering *-minimax search", Computers and Games 2004).
//!
//! # The idea
//!
//! All values lie between some L and U. When some children of a chance node have been searched, each of the others is
//! worth at least L and at most U, which bounds the node's value. So the next child, of probability p, matters only
//! between
//!
//! - A = (α - s - q U) / p: at or below, the node is worth at most α, whatever follows, and
//! - B = (β - s - q L) / p: at or above, it is worth at least β,
//!
//! where s is the sum of value times probability so far, and q the probability left after this child. Star1 searches
//! the child with the window (A, B), clipped to [L, U].
//!
//! Star2 first probes: if a player is to move at a child, one of the moves bounds the child's value from one side.
//! That narrows [L, U] for this child, and with luck suffices for a cutoff before any child has been searched in full.
//! If not, the probed move is searched again with the child, unless a table keeps its result ([`Star::with_table`]).
//! Where players have few moves, these repeated searches are most of the work.
//!
//! # Repairs
//!
//! The widely printed pseudocode of the procedure (an encyclopedia's, of the fail-hard Star1 for equally likely
//! children) does not work as it stands. These are its faults, and what this module does instead:
//!
//! - There, a player's node "returns its minimax value" without the window, so that nothing below the first player's
//!   node is pruned, and chance nodes further down are not mentioned. Here the window is passed down through nodes of
//!   all kinds, and players' nodes cut off as in alpha-beta.
//! - There, the window of the next child is found by `A += U - v; B += L - v`, and no `v` exists: the child's `score`
//!   is meant.
//! - There, A and B are right only for equally likely children, since the formulas multiply by the number of children.
//!   Here they divide by each child's own probability.
//! - There, a cutoff returns α or β (fail-hard) while a leaf returns its value wherever that lies, so a caller cannot
//!   rely on either. Here all results are fail-soft: at or below α an upper bound of the value, at or above β a lower
//!   bound, between them the value.
//! - There, heuristic values outside [L, U] are not considered; they make cutoffs wrong. Here [`ChanceGame::range`]
//!   must hold for estimates, too, and may be narrower for some positions than for the whole game.
//! - There, a child that cannot matter any more (A at U, or B at L) is still searched, with an empty window. Here it is
//!   not: the result of such a search would bound nothing.
//! - There, numbers are exact. Ours are rounded, and α can come to lie within rounding of β, so that a child's window
//!   is inverted and its bound lies on the wrong side; that makes values wrong by far more than rounding. Here windows
//!   as narrow as that count as empty.
//!
//! So values agree with expectiminimax's to some 12 digits, not to the last bit.

mod expectiminimax;
mod star;
#[cfg(test)]
mod tests;

pub use expectiminimax::expectiminimax;
pub use star::Star;

#[cfg(doc)]
use crate::chance::game::ChanceGame;

/// Result of a search of a game with chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict<M> {
    /// The root's value for [`Side::First`](cassius::game::Side::First); only a bound on it if outside the window.
    pub value: f64,
    /// The move to play; `None` if the root is a chance node or terminal, or the depth is 0.
    pub best: Option<M>,
    /// Nodes visited, the root included.
    pub nodes: u64,
}
