//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! `run` puts every position of a game of PGN to a search, and what it makes of it becomes a line of the
//! [`record`]; [`criticality`] marks the positions where the paper says that a game turns. [`command`]
//! is `cassius analyze GAME.pgn`: it keeps the record in JSON lines and CSV, shows it as text, and makes
//! the [`page`] that people look at in a browser.

pub mod command;
pub mod criticality;
pub mod page;
pub mod record;
mod run;
mod text;

pub use run::RunError;
