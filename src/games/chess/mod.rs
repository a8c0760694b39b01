//! Chess: the one place that knows the rules library.
//!
//! [`Position`] and [`Move`] are what the searches see; [`notation`] turns both into text and back,
//! [`packed`] into bytes, [`pgn`] whole games into moves, [`line`](mod@line) shows lines of moves;
//! [`Quiescence`] gives positions their static value, by a [`network`] or by material alone.

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
