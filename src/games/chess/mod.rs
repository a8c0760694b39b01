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
pub mod material;
mod moves;
pub mod network;
pub mod notation;
pub mod packed;
pub mod pgn;
mod position;
mod quiescence;
pub mod tablebase;
mod zobrist;

pub use moves::Move;
pub use position::Position;
pub use quiescence::{Evaluation, Quiescence};
