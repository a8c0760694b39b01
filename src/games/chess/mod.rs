//! Chess: the only module that uses the rules library, shakmaty.
//!
//! [`Position`] and [`Move`] are what the searches use; [`notation`] converts both to text and back, [`packed`] to
//! bytes, [`pgn`] reads games, [`line`](mod@line) writes lines of moves; [`Quiescence`] gives positions their static
//! value, by a [`network`] or by material alone.

mod checks;
mod endings;
mod exchange;
mod game;
mod generate;
pub mod line;
pub(crate) mod material;
#[warn(missing_docs)]
mod moves;
pub mod network;
#[warn(missing_docs)]
pub mod notation;
pub mod packed;
pub mod pgn;
#[warn(missing_docs)]
mod position;
#[warn(missing_docs)]
mod quiescence;
pub mod tablebase;
mod zobrist;

pub use moves::Move;
pub use position::Position;
pub use quiescence::{Evaluation, Quiescence};
