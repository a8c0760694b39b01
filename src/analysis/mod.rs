//! What Cassius can tell chess players about a position besides its value: how sure it is of it, and
//! what it would have to be wrong about.
//!
//! - [`position`]: the profile of a chess position under a limit, ready to be written.
//! - [`line`](mod@line): lines of moves as people and as programs read them.
//! - [`text`]: a profile in words.
//! - [`command`]: `cassius analyze`.

pub mod command;
pub mod line;
pub mod position;
pub mod text;

pub use line::WrittenLine;
pub use position::{AnalysisError, Analyst, PositionProfile};
