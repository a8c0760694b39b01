//! Puzzles from games: positions in which one move is better than all others, which is not easily seen.
//!
//! A position becomes a puzzle if all of this holds:
//!
//! 1. It has two legal moves or more, and its best move does not take back what has just been taken.
//! 2. The game is open: the best move does not lose (0.1 points are left at the least), and the second best does not
//!    win all the same (0.9 points at the most).
//! 3. One move is better than all others by a gap, counted in points that the player can expect: 1 for a win, 1/2
//!    for a draw. At a first look three quarters of the gap will do: depth-first conspiracy-number search settles the values of the
//!    best move and the second best ([`Limits::multipv`]).
//! 4. There is evidence: the whole gap is there when the best move and all others are searched apart,
//!    each ten times as long; and the search that finds the move completes an iteration more with it.
//! 5. It is not easily seen: depth-first search finds it at a demand of 3 or more, and alpha-beta search over the same
//!    evaluation, with as many nodes as that took, misses the move or has it for good only in the second half of them.
//!
//! A puzzle's grade is the demand of depth-first conspiracy-number search at which it has the move for good.
//!
//! What this does not say: that no other move does it in truth. All values are of this program's evaluation and of searches
//! as long as the limit.
//!
//! [`finding`] has these rules, `run` takes them to many games, [`from_text`] to those in a text, `command` to those in a
//! file. `epd` makes a line of EPD for each puzzle, `page` the page to solve them on.
//!
//! [`Limits::multipv`]: crate::search::Limits::multipv

#[cfg(feature = "cli")]
pub(crate) mod command;
mod epd;
pub mod finding;
pub mod from_text;
mod page;
mod run;
