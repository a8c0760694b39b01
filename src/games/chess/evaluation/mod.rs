//! The positional evaluation: a sum of parameters that apply to a position, tapered from middlegame
//! to endgame, with knowledge of endings where material does not tell.
//!
//! | part | what it looks at |
//! |---|---|
//! | `piece_square` | material and places; carried along by [`Position`] |
//! | `pawns` | pawn structure and passed pawns, cached by the pawns |
//! | `pieces` | mobility, bishop pair, outposts, rooks on files |
//! | `passed` | passed pawns among the pieces |
//! | `king` | shelter, storm, attacks about the king |
//! | `threats` | what is attacked by less, or not guarded |
//! | `endgame` | mates to be driven, material that does not win |
//!
//! The numbers are in `weights`, their names in [`parameters`]. docs/evaluation.md tells how they were
//! tuned.

mod bits;
mod board;
mod cache;
mod endgame;
mod king;
pub mod parameters;
mod passed;
mod pawns;
pub mod phase;
pub(super) mod piece_square;
mod pieces;
mod score;
mod tally;
#[cfg(test)]
mod tests;
mod threats;
mod weights;

use std::ops::RangeInclusive;

use shakmaty::{Bitboard, Color, Role};

use super::{Move, Position};
use crate::value::Value;
use board::Board;
use endgame::FULL_SCALE;
use tally::{Counts, Sum, Tally};

pub(super) use cache::Cache;
pub use score::Score;
pub use weights::WEIGHTS;

/// Before endings are near, all that is not material and places counts for at most so many
/// centipawns: so material and places alone tell when the value is far outside a window.
const CAP: i32 = 500;

/// The positional evaluation, with what it remembers of positions seen lately.
#[derive(Clone, Debug)]
pub struct Positional {
    values: Cache,
    pawns: pawns::Cache,
}

impl Default for Positional {
    fn default() -> Positional {
        Positional {
            values: Cache::new(),
            pawns: pawns::Cache::new(),
        }
    }
}

impl Positional {
    /// The value for the side to move in centipawns, without any look ahead.
    pub fn value(&mut self, position: &Position) -> i32 {
        let key = position.zobrist_key();
        if let Some(value) = self.values.get(key) {
            return value.into();
        }
        let white = self.white_value(position);
        let limit = i32::from(Value::MAX_CENTIPAWNS);
        let value = position.turn().fold_wb(white, -white).clamp(-limit, limit);
        self.values.set(key, value as i16);
        value
    }

    /// Where the value for the side to move must lie, by what the position carries along; `None`
    /// where an ending may be near.
    #[inline]
    pub fn range(position: &Position) -> Option<RangeInclusive<i32>> {
        if endgame::is_near(position.phase()) {
            return None;
        }
        let white = carried(position.piece_square(), position.phase());
        let value = position.turn().fold_wb(white, -white);
        Some(value - CAP..=value + CAP)
    }

    /// The most that the value for the side to move can be once it has made this capture or
    /// promotion; `None` where an ending may be near.
    #[inline]
    pub fn most_after(position: &Position, m: Move) -> Option<i32> {
        let us = position.turn();
        let victim = m.capture();
        let phase = position.phase() + i32::from(m.promotion().map_or(0, phase::weight))
            - i32::from(victim.map_or(0, phase::weight));
        if endgame::is_near(phase) {
            return None;
        }
        let placed = m.promotion().unwrap_or(m.role());
        let mut score = position.piece_square() - piece_square::value(us, m.role(), m.from())
            + piece_square::value(us, placed, m.to());
        if let Some(role) = victim {
            let square = m.victim_square();
            score -= piece_square::value(!us, role, square);
        }
        let white = carried(score, phase);
        Some(us.fold_wb(white, -white) + CAP)
    }

    fn white_value(&mut self, position: &Position) -> i32 {
        let is_ending = endgame::is_near(position.phase());
        if is_ending && let Some(value) = endgame::drive_to_mate(position) {
            return value;
        }
        let structure = self.pawns.get(position);
        let mut sum = Sum::starting_from(structure.score);
        tally_pieces(position, structure.passed, &mut sum);
        combine(position, sum.balance())
    }
}

/// What material and places alone come to, for White.
#[inline]
fn carried(score: Score, phase: i32) -> i32 {
    score.tapered(phase.min(phase::FULL))
}

/// White's value: material and places, the rest up to [`CAP`], and how much of them is left in an
/// ending.
fn combine(position: &Position, rest: Score) -> i32 {
    let phase = position.phase();
    let rest = carried(rest, phase);
    let value = carried(position.piece_square(), phase);
    if endgame::is_near(phase) {
        let value = value + rest;
        value * scale(position, value) / FULL_SCALE
    } else {
        value + rest.clamp(-CAP, CAP)
    }
}

/// A value for the side to move that knows nothing of endings, in centipawns, with what is known of
/// them: a mate to be driven, material that does not win.
pub(super) fn adjusted_for_endings(position: &Position, value: i32) -> i32 {
    if !endgame::is_near(position.phase()) {
        return value;
    }
    let of_white = |value: i32| position.turn().fold_wb(value, -value);
    if let Some(mate) = endgame::drive_to_mate(position) {
        return of_white(mate);
    }
    value * scale(position, of_white(value)) / FULL_SCALE
}

/// Whether what is known of endings changes what a position is worth by its pieces and their places.
pub fn is_known_ending(position: &Position) -> bool {
    // Either side is taken for the one that is ahead.
    [FULL_SCALE, -FULL_SCALE]
        .iter()
        .any(|&value| adjusted_for_endings(position, value) != value)
}

/// How much of White's `value` counts in an ending: who is ahead before anything is scaled has to make
/// something of it.
fn scale(position: &Position, value: i32) -> i32 {
    let strong = Color::from_white(value > 0);
    endgame::scale(position, strong)
}

/// Everything beside material, places and pawn structure.
fn tally_pieces<T: Tally>(position: &Position, passed: Bitboard, t: &mut T) {
    t.add(position.turn(), T::parameters().tempo[0], 1);
    let mut board = Board::new(position);
    for us in Color::ALL {
        pieces::tally(&mut board, us, t);
    }
    for us in Color::ALL {
        king::tally(&board, us, t);
        threats::tally(&board, us, t);
    }
    if passed.any() {
        for us in Color::ALL {
            passed::tally(&board, passed, us, t);
        }
    }
}

/// A position as the tuner sees it: White's value is
/// `scale / 64 * sum of count * weight`, each weight tapered at `phase`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Parameters by place ([`parameters::Term`]) and how often they apply, White's count less Black's.
    pub counts: Vec<(u16, i16)>,
    /// From [`phase::FULL`] to 0.
    pub phase: i32,
    /// What an ending leaves of the value, in 64ths.
    pub scale: i32,
}

impl Trace {
    /// Which parameters apply to a position; `None` where its value is not their sum: where a mate is
    /// driven, or the sum is capped.
    pub fn new(position: &Position) -> Option<Trace> {
        let is_ending = endgame::is_near(position.phase());
        if is_ending && endgame::drive_to_mate(position).is_some() {
            return None;
        }
        let mut counts = Counts::default();
        let mut passed = Bitboard::EMPTY;
        let pawns = |color| position.by_piece(color, Role::Pawn);
        for us in Color::ALL {
            passed |= pawns::tally(pawns(us), pawns(!us), us, &mut counts);
        }
        tally_pieces(position, passed, &mut counts);
        let phase = position.phase();
        let rest = carried(counts.total(), phase);
        piece_square::tally(position, &mut counts);
        if !is_ending && rest.abs() > CAP {
            return None;
        }
        Some(Trace {
            scale: if is_ending {
                scale(position, carried(position.piece_square(), phase) + rest)
            } else {
                FULL_SCALE
            },
            counts: counts.applying(),
            phase: phase.min(phase::FULL),
        })
    }
}
