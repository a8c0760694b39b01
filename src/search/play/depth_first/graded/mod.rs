//! The graded search: what leaves, plies and moves cost by how likely they are to matter.
//!
//! Plain sums take every leaf for equally likely to be wrong and independent of the others. Neither
//! is so: a quiet move that comes twentieth rarely overthrows anything, a leaf three pawns away
//! from the question less often than one beside it, and one threat refutes many supporters at once.
//! So this search prices what stands in the way of an overthrow along its cheapest line, and lets a
//! second supporter count for a fixed bonus instead of its whole cost. What comes out is a price and no
//! number of leaves; the [module above](super) says what it is akin to.
//!
//! Each of these uses those below it only (`tests/architecture.rs` holds that):
//!
//! - `root`: how the root is asked: the best move settled first.
//! - `node`: one position and one question.
//! - `trials`: its moves as they come up.
//! - `leaf`: where the tree ends.
//! - `price`: what a move costs.
//! - `correcting`: static values corrected.
//! - `question`: a position's question, and where it stands in the tree.
//! - `costs`: what the search learns about moves to price them.
//! - `constants`: the constants of all prices.

mod constants;
mod correcting;
mod costs;
mod leaf;
mod node;
mod price;
mod question;
mod root;
mod trials;

pub use constants::{Constant, Graded};
pub(super) use costs::GradedCosts;
#[cfg(test)]
pub(super) use question::Place;
