//! The graded search: prices of leaves, plies and moves by how likely they are to matter.
//!
//! Plain sums treat all leaves as equally likely to be wrong and independent. Neither is true: a quiet move that comes
//! twentieth rarely overthrows anything, a leaf three pawns away from the question less often than one beside it, and
//! one threat refutes many supporters at once. So this search prices the cheapest line to an overthrow, and a second
//! supporter does not add its cost: the two together cost what was demanded. The result is a price and no number of
//! leaves; the [parent module](super) compares it with other searches.
//!
//! Each of these uses those below it only (`tests/architecture.rs` checks that):
//!
//! - `root`: questions about the root, the best move first.
//! - `node`: one position and one question.
//! - `trials`: the move loop: order, pruning, deferred moves.
//! - `sharing`: one question at the root searched by several threads.
//! - `leaf`: the leaves.
//! - `price`: the price of a move.
//! - `question`: a position's question, and its place in the tree.
//! - `costs`: statistics of moves for their prices.
//! - `constants`: the constants of all prices.

mod constants;
mod costs;
mod leaf;
mod node;
mod price;
mod question;
mod root;
mod sharing;
mod trials;

pub use constants::Graded;
pub(super) use costs::GradedCosts;
#[cfg(test)]
pub(super) use question::Place;
