//! Puzzles from games: positions in which one move is better than all others and not obvious.
//!
//! A position is a puzzle if all of this holds:
//!
//! 1. It has two legal moves or more, and its best move is not a mere recapture.
//! 2. The game is open: with the best move at least 0.1 points are left, and the second best leaves at most 0.9 points.
//!    win all the same (0.9 points at the most).
//! 3. One move is better than all others by a gap in expected points: 1 for a win, 1/2 for a draw. At first three
//!    quarters of the gap suffice: depth-first conspiracy-number search settles the values of the best move and the
//!    second best ([`Limits::multipv`]).
//! 4. It is confirmed: the whole gap is there when the best move and all others are searched apart, each ten times as
//!    long; and the search that finds the move completes one more iteration with it.
//! 5. It is not obvious: depth-first search finds it at a demand of 3 or more, and alpha-beta search over the same
//!    evaluation, with the same nodes, misses the move or has it for good only in their second half.
//!
//! A puzzle's grade is the demand of depth-first conspiracy-number search at which it has the move for good.
//!
//! None of this proves that no other move wins. All values are of this program's evaluation and of searches within the
//! limit.
//!
//! [`finding`] has these rules, `run` applies them to many games, [`from_text`] to those in a text, `command` to those
//! in a file. `epd` writes puzzles as EPD lines, `page` makes the page to solve them on.
//!
//! [`Limits::multipv`]: crate::search::Limits::multipv

#[cfg(feature = "cli")]
pub(crate) mod command;
mod epd;
pub mod finding;
pub mod from_text;
mod page;
mod run;
