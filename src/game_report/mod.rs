//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! `run` has every position of a game judged in `court`, by a search or an engine, and the [`verdict`] becomes a line of the
//! [`record`]; [`criticality`](crate::profile::criticality) marks the positions where the paper says that a game turns. From
//! the record come a `text`, the `page` that people look at in a browser, and with `annotated` the games again with remarks
//! on the moves that `judgement` takes for bad. `measure` says what stands beside the values. What a game says besides is told
//! by modules of its own: `opening`, `phase`, `clock`; `labels` are words for positions; `accuracy` and the `moments` that decided it, whose right answers
//! `holding` finds, make its `summary`.
//!
//! - Judging: `run` hands every position to a `court`, where a search or an engine is the `judge`; its [`verdict`]
//!   becomes a line of the [`record`]. `judgement` grades the move played, `evidence` says what the grade rests on,
//!   and [`criticality`](crate::profile::criticality) marks critical positions (Khalid et al. 2015).
//! - About the game as a whole: `opening`, `phase`, `clock`, `accuracy`, and the `moments` that decided it, whose
//!   right answers `holding` finds; `summary` collects them, `story` puts them into words.
//! - Output: a `text`, a `page` for the browser, the games with remarks (`annotated`). `measure` chooses the columns
//!   beside the values.
//!
//! [`from_text`] does all that for games in a text. `command` is `cassius analyze GAMES.pgn`, for files of any
//! length, in memory for the games under way and those on the page:
//! `feed` reads one game after the other, `gathering` joins the lines of a game, `store` writes JSON lines and CSV
//! (`reading` reads them again) and a page of all games or one of each with an `index`. `foreign` asks a UCI engine;
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
#[cfg(feature = "cli")]
mod feed;
#[cfg(test)]
mod fixtures;
#[cfg(feature = "cli")]
mod foreign;
pub mod from_text;
#[cfg(feature = "cli")]
mod gathering;
pub(crate) mod holding;
#[cfg(feature = "cli")]
mod index;
mod judge;
mod judgement;
mod labels;
pub mod marks;
mod measure;
mod moments;
pub(crate) mod opening;
#[cfg(feature = "cli")]
pub(crate) mod options;
pub(crate) mod page;
mod passes;
pub(crate) mod phase;
#[cfg(feature = "cli")]
pub(crate) mod reading;
pub mod record;
mod run;
#[cfg(feature = "cli")]
mod store;
mod story;
pub(crate) mod summary;
mod text;
pub mod verdict;

pub use judgement::grade;
