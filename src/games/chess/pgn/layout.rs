//! Places of a game's tags and moves in the text, for inserting remarks without changing the rest.

use std::ops::Range;

use super::times::{self, WrittenTime};
use super::words;

/// Places of a game's tags and moves, in bytes from the beginning of the whole text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// End of the last tag, if any.
    pub tags_end: Option<u64>,
    /// The moves with their annotations.
    pub moves: Vec<Spot>,
    /// End of the game; the next one follows.
    pub end: u64,
    /// Whether a move number precedes the next word.
    is_numbered: bool,
    /// Text of the open comment so far, lines joined by blanks: some writers break lines within `[%clk 0:10]`.
    said: String,
}

/// Places of a move and its annotations: glyphs, comments, variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The move itself, with a number joined to it.
    pub word: Range<u64>,
    /// Whether its number precedes it, joined or not.
    pub is_numbered: bool,
    /// The mover's clock after the move, from a comment.
    pub clock: Option<WrittenTime>,
    /// The time that the move took, from a comment.
    pub elapsed: Option<WrittenTime>,
    /// End of its last annotation.
    pub end: u64,
}

/// A piece of the movetext, outside variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// A move.
    Move,
    /// A part of a comment; the last one ends with `}`.
    Comment,
    /// A number, a glyph, a remark, a comment from `;` to the end of the line, or the `)` that closes an outermost
    /// variation.
    Other,
}

impl Layout {
    /// Adds the next piece with its text and place.
    pub(super) fn add(&mut self, piece: Piece, text: &str, at: Range<u64>) {
        if piece == Piece::Move {
            self.moves.push(Spot {
                is_numbered: self.is_numbered || words::is_numbered(text),
                clock: None,
                elapsed: None,
                end: at.end,
                word: at,
            });
            self.is_numbered = false;
            return;
        }
        if piece == Piece::Other && words::is_numbered(text) {
            self.is_numbered = true;
            return;
        }
        let Some(spot) = self.moves.last_mut() else {
            return;
        };
        if piece == Piece::Comment {
            self.said.push(' ');
            self.said.push_str(text);
            if !text.ends_with('}') {
                return;
            }
            let said = std::mem::take(&mut self.said);
            spot.clock = spot.clock.or_else(|| times::clock(&said));
            spot.elapsed = spot.elapsed.or_else(|| times::elapsed(&said));
        }
        spot.end = at.end;
    }
}
