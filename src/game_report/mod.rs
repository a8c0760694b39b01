//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! `run` has every position of a game judged in `court`, by a search or an engine, and the [`verdict`] becomes a line of the
//! [`record`]; [`criticality`](crate::profile::criticality) marks the positions where the paper says that a game turns. From
//! the record come a `text`, the `page` that people look at in a browser, and with `annotated` the games again with remarks
//! on the moves that `judgement` takes for bad. `measure` says what stands beside the values. What a game says besides is told
//! by modules of its own: `opening`, `phase`, `clock`; `labels` are words for positions; `accuracy` and the `moments` that decided it, whose right answers
//! `holding` finds, make its `summary`.
//!
//! [`from_text`] does all that for games in a text. `command` is `cassius analyze GAMES.pgn`, for files of any length: `feed`
//! reads the games, one after the other, `gathering` puts the lines of games together, `store` keeps them in JSON lines and
//! CSV, which `reading` reads again, and makes a page of all or one for each game with an `index`; `foreign` asks UCI engines,
//! beside which our own search judges too: `disagreement` tells where the two differ.
//! Memory is taken by the games under way, and by those on the page.

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
