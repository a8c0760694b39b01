//! Places of a game's tags and moves in the text, for inserting remarks without changing the rest.

use std::ops::Range;

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
    /// Beginning of the open comment's text.
    open: Option<u64>,
    /// Text of the open comment so far, lines joined by blanks: some writers break lines within `[%clk 0:10]`.
    said: String,
    /// Beginning of an evaluation that goes on in the next line.
    eval_begin: Option<u64>,
}

/// Places of a move and its annotations: glyphs, comments, variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The move itself, with a number joined to it.
    pub word: Range<u64>,
    /// Whether its number precedes it, joined or not.
    pub is_numbered: bool,
    /// Whether it has a mark for good or bad: `!?`, `$2`.
    pub is_marked: bool,
    /// End of the glyphs directly after the move.
    pub glyphs_end: u64,
    /// Text of the comment directly after these, without braces.
    pub comment: Option<Range<u64>>,
    /// Evaluations in its comments, as in `[%eval 0.35]`, with brackets.
    pub evals: Vec<Range<u64>>,
    /// The mover's clock after the move, from a comment `[%clk 0:09:58]`, in milliseconds.
    pub clock_ms: Option<u64>,
    /// The time that the move took, from a comment `[%emt 0:00:02]`, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// End of its last annotation.
    pub end: u64,
}

/// A piece of the movetext, outside variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// A move.
    Move,
    /// A word that is no move: a number, a glyph, a remark.
    Word,
    /// `{`.
    CommentBegin,
    /// A part of a comment.
    Comment,
    /// The last part, with `}`.
    CommentEnd,
    /// From `;` to the end of the line.
    LineComment,
    /// The `)` that closes an outermost variation.
    VariationEnd,
}

impl Layout {
    /// Adds the next piece with its text and place.
    pub(super) fn add(&mut self, piece: Piece, text: &str, at: Range<u64>) {
        if piece == Piece::Move {
            self.moves.push(Spot {
                is_numbered: self.is_numbered || words::is_numbered(text),
                is_marked: words::is_mark(text),
                glyphs_end: at.end,
                comment: None,
                evals: Vec::new(),
                clock_ms: None,
                elapsed_ms: None,
                end: at.end,
                word: at,
            });
            self.is_numbered = false;
            return;
        }
        if piece == Piece::Word && words::is_numbered(text) {
            self.is_numbered = true;
            return;
        }
        let Some(spot) = self.moves.last_mut() else {
            return;
        };
        let is_behind_glyphs = spot.end == spot.glyphs_end;
        match piece {
            Piece::Move => {}
            Piece::Word => {
                spot.is_marked |= words::is_mark(text);
                spot.end = at.end;
                if is_behind_glyphs {
                    spot.glyphs_end = at.end;
                }
            }
            Piece::CommentBegin => {
                self.open = Some(at.end);
                self.said.clear();
                self.eval_begin = None;
            }
            Piece::Comment | Piece::CommentEnd => {
                self.said.push(' ');
                self.said.push_str(text);
                let begun = self.eval_begin.take();
                let begun = begun.and_then(|begin| Some(begin..place(text, &at, closed(text)?)));
                spot.evals.extend(begun);
                spot.evals.extend(evals(text, &at));
                if text.ends_with(EVAL) {
                    self.eval_begin = Some(at.end - EVAL.len() as u64);
                }
                if piece == Piece::Comment {
                    return;
                }
                let said = std::mem::take(&mut self.said);
                spot.clock_ms = spot.clock_ms.or_else(|| words::time(&said, "clk"));
                spot.elapsed_ms = spot.elapsed_ms.or_else(|| words::time(&said, "emt"));
                let begin = self.open.take().filter(|_| is_behind_glyphs);
                spot.comment = begin.map(|it| it..at.end - 1).or(spot.comment.take());
                spot.end = at.end;
            }
            Piece::LineComment | Piece::VariationEnd => spot.end = at.end,
        }
    }
}

/// Beginning of an evaluation.
const EVAL: &str = "[%eval";

/// Places of the evaluations in a part of a comment, which stands at `at`.
fn evals(text: &str, at: &Range<u64>) -> Vec<Range<u64>> {
    let begins = text.match_indices("[%eval ");
    let evals = begins.filter_map(|(begin, _)| {
        let end = begin + 1 + closed(&text[begin + 1..])?;
        Some(place(text, at, begin)..place(text, at, end))
    });
    evals.collect()
}

/// Index after the `]` that closes a bracket opened before `text`; `None` if another opens first.
fn closed(text: &str) -> Option<usize> {
    let end = text.find(['[', ']'])?;
    text[end..].starts_with(']').then_some(end + 1)
}

/// Place in the file of a byte of `text`. A character of Windows-1252 is one byte in the file, up to three in `text`.
fn place(text: &str, at: &Range<u64>, byte: usize) -> u64 {
    let is_utf8 = text.len() as u64 == at.end - at.start;
    let before = if is_utf8 {
        byte
    } else {
        text[..byte].chars().count()
    };
    at.start + before as u64
}
