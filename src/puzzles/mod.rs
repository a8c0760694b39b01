//! Puzzles from games: positions with one move, or a few of equal worth, surely better than all others and not obvious.
//!
//! A position is a puzzle if all of this holds:
//!
//! 1. It has two legal moves or more, and its best move is not a mere recapture.
//! 2. The game is open: the best move leaves at least 0.1 points, and the best of the others at most 0.9 points.
//! 3. The moves that hold (`game_report::holding`, the rule of the moments of a game too) are better than all
//!    others by a gap in expected points: 1 for a win, 1/2 for a draw. At first three quarters of the gap suffice.
//! 4. It is confirmed: when the moves that hold and all others are searched apart, each ten times as long, the whole
//!    gap is there, all of the former still hold, and it is *sure* that no other does. The search that finds one of
//!    them completes one more iteration with it.
//! 5. It is not obvious: depth-first search finds it at a demand of 3 or more, and alpha-beta search over the same
//!    evaluation, with the same nodes, misses the move or has it for good only in the second half of the nodes.
//!
//! A puzzle's grade is the demand of depth-first conspiracy-number search at which it has the move for good.
//!
//! None of this proves that no other move wins. All values are of this program's evaluation and of searches within the
//! limit.
//!
//! [`finding`] has these rules, `run` applies them to many games, [`from_text`] to those in a text, `command` to those
//! in a file. `epd` writes puzzles as EPD lines, `page` makes the page to solve them on.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod epd;
pub mod finding;
pub mod from_text;
mod page;
mod run;
