//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! - Judging: `run` hands every position to a `court`, where a search or an engine is the `judge`; its [`verdict`]
//!   becomes a line of the [`record`]. `grades` grades the move played, `evidence` says what the grade rests on,
//!   and [`criticality`](crate::profile::criticality) marks critical positions (Khalid et al. 2015).
//! - About the game as a whole: `opening`, `phase`, `clock`, `accuracy`, and the `moments` that decided it, whose
//!   right answers `holding` finds; `summary` collects them, `story` puts them into words, and `reply` says what came of
//!   a bad move.
//! - Output: a `text`, a `page` for the browser, the games with remarks (`annotated`). `measure` chooses the columns
//!   beside the values.
//!
//! [`from_text`] does all that for games in a text. `command` is `cassius analyze GAMES.pgn`, for files of any
//! length, in memory for the games under way and those on the page, and a digest of each other:
//! `pgn_games` reads one game after the other, `gathering` joins the lines of a game, `outputs` writes JSON lines and CSV
//! (`resume` reads them again) and a page of all games or one of each with an `index`. `foreign` asks a UCI engine;
//! our own search judges beside it, and `disagreement` finds where the two differ.

pub(crate) mod accuracy;
mod annotated;
mod clock;
#[cfg(feature = "cli")]
pub(crate) mod command;
mod court;
mod disagreement;
mod effort;
mod evidence;
#[cfg(test)]
mod fixtures;
#[cfg(feature = "cli")]
mod foreign;
pub mod from_text;
#[cfg(feature = "cli")]
mod gathering;
mod grades;
pub(crate) mod holding;
#[cfg(feature = "cli")]
mod index;
mod judge;
mod labels;
pub mod marks;
mod measure;
mod moments;
pub(crate) mod opening;
#[cfg(feature = "cli")]
pub(crate) mod options;
#[cfg(feature = "cli")]
mod outputs;
pub(crate) mod page;
mod passes;
#[cfg(feature = "cli")]
mod pgn_games;
pub(crate) mod phase;
pub mod record;
mod reply;
#[cfg(feature = "cli")]
pub(crate) mod resume;
mod run;
mod story;
pub(crate) mod summary;
mod text;
mod turn;
pub mod verdict;

pub use grades::grade;
pub use labels::standing;
