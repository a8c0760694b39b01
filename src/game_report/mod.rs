//! Games analysed move by move: how sure the value of each position is, and where the game turns.
//!
//! - Judging: `run` hands every part of a game to an `analyser`, where a search or an engine is the `judge`; the judge's
//!   [`verdict`] becomes a line of the [`record`]; `agreement` makes them agree about mates. `marks` puts a mark on the move played, by the
//!   [`chances`] that a stronger judge agrees; `evidence` says what the mark rests on, and
//!   [`criticality`](crate::profile::criticality) marks critical positions (Khalid et al. 2015).
//! - About the game as a whole: `opening`, `phase`, `clock`, `accuracy`, the `turn`, its `termination`, and the `moments` that decided the
//!   game, whose right answers `holding` finds. `summary` collects all this, `story` puts it into words, and `reply`
//!   says what the best reply to a bad move does.
//! - Output: a `text`, a `page` for the browser, the games with remarks (`annotated`). `measure` chooses the columns
//!   beside the values.
//!
//! [`from_text`] does all that for games in a text. `command` is `cassius analyze GAMES.pgn`, for files of any
//! length: memory holds the games under way, those on the page, and a digest of each other game.
//! `pgn_games` reads one game after the other, `outputs` writes JSON lines (which `gathering` reads again and joins into
//! games), CSV, and one page of all games or one page a game with an `index`. `foreign` asks a UCI engine; our own
//! search judges beside it, and `disagreement` finds where the two differ.

pub(crate) mod accuracy;
mod agreement;
mod analyser;
mod annotated;
pub mod chances;
mod clock;
mod columns;
#[cfg(feature = "cli")]
pub(crate) mod command;
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
pub(crate) mod holding;
#[cfg(feature = "cli")]
mod index;
mod judge;
mod moments;
mod move_marks;
pub(crate) mod opening;
#[cfg(feature = "cli")]
pub(crate) mod options;
pub(crate) mod page;
mod passes;
#[cfg(feature = "cli")]
mod pgn_games;
pub(crate) mod phase;
pub mod record;
mod reply;
mod run;
mod standing;
#[cfg(feature = "cli")]
mod store;
mod story;
pub(crate) mod summary;
mod termination;
mod text;
mod turn;
pub mod verdict;

pub use holding::is_expected;
pub use move_marks::grade;
pub use standing::Standing;
