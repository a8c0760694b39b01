//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! [`command`] is `cassius analyze GAMES.pgn`. `feed` reads the games, one after the other. `run` puts every position
//! of a game to the `judge`, a search or an engine, and its [`verdict`] becomes a line of the [`record`]; [`criticality`](crate::profile::criticality) marks the positions
//! where the paper says that a game turns. `store` keeps the record in JSON lines and CSV, shows it as text, and makes
//! the [`page`] that people look at in a browser, or one for each game with an `index`; `annotated` writes the games again
//! with remarks on the moves that `judgement` takes for bad. `measure` says what stands beside the values. What a game says
//! besides is told by modules of its own: [`opening`], [`phase`], `clock`; [`accuracy`] and the `moments` that decided it,
//! whose right answers `holding` finds, make its [`summary`]. `gathering` puts the lines of games together. Memory is taken
//! by the games under way, and by those on the page.

pub mod accuracy;
mod annotated;
mod clock;
pub mod command;
mod feed;
mod gathering;
mod holding;
mod index;
mod judge;
mod judgement;
mod measure;
mod moments;
pub mod opening;
pub mod page;
pub mod phase;
pub mod record;
mod run;
mod store;
pub mod summary;
mod text;
pub mod verdict;

pub use run::RunError;
