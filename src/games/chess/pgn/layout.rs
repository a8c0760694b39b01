//! Where the pieces of a game stand in the text: for those who put remarks in and leave all else as it is.

use std::ops::Range;

use super::words;

/// Where the pieces of a game stand, in bytes from the beginning of the whole text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Behind the last tag, if there is one.
    pub tags_end: Option<u64>,
    /// Its moves, each with what belongs to it.
    pub moves: Vec<Spot>,
    /// Where the game ends: what follows is the next one's.
    pub end: u64,
    /// Whether a number stands before what comes next.
    is_numbered: bool,
    /// Where the text of a comment that is open began.
    open: Option<u64>,
    /// What it says so far, its lines joined by blanks: some writers break lines within `[%clk 0:10]`.
    said: String,
    /// Where an evaluation begins that its last line has not finished.
    eval_begin: Option<u64>,
}

/// Where a move stands, with what belongs to it: glyphs, comments, variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The move itself; a number that is written together with it belongs to it.
    pub word: Range<u64>,
    /// Whether its number stands before it, or with it.
    pub is_numbered: bool,
    /// Whether it is said to be good or bad: `!?`, `$2`.
    pub is_marked: bool,
    /// Behind the glyphs that follow the move at once.
    pub glyphs_end: u64,
    /// The text of the comment that follows these at once, without its braces.
    pub comment: Option<Range<u64>>,
    /// The evaluations that comments on it give, as in `[%eval 0.35]`, with their brackets.
    pub evals: Vec<Range<u64>>,
    /// What a comment says of the mover's clock after the move, `[%clk 0:09:58]`, in milliseconds.
    pub clock_ms: Option<u64>,
    /// What a comment says of the time that the move took, `[%emt 0:00:02]`, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// Behind the last thing that belongs to it.
    pub end: u64,
}

/// A piece of the moves, outside of variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// A move.
    Move,
    /// A number, a glyph, or nothing.
    Word,
    /// `{`.
    CommentBegin,
    /// A part of a comment.
    Comment,
    /// The last part, with `}`.
    CommentEnd,
    /// From `;` to the end of the line.
    LineComment,
    /// The last `)`.
    VariationEnd,
}

impl Layout {
    /// Adds the next piece, its text and where it stands.
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
                let begun = begun.and_then(|begin| eval_end(text, &at).map(|end| begin..end));
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

/// How an evaluation begins.
const EVAL: &str = "[%eval";

/// Where the evaluations stand that a part of a comment gives; `at` is where the part does.
fn evals(text: &str, at: &Range<u64>) -> Vec<Range<u64>> {
    let begins = text.match_indices("[%eval ");
    let evals = begins.filter_map(|(begin, _)| {
        let end = begin + 1 + closed(&text[begin + 1..])?;
        Some(place(text, at, begin)..place(text, at, end))
    });
    evals.collect()
}

/// Where an evaluation ends that began in the line before.
fn eval_end(text: &str, at: &Range<u64>) -> Option<u64> {
    closed(text).map(|end| place(text, at, end))
}

/// Behind the bracket that closes one before a text, if no other opens before.
fn closed(text: &str) -> Option<usize> {
    let end = text.find(['[', ']'])?;
    text[end..].starts_with(']').then_some(end + 1)
}

/// Where a byte of a text stands in the file. In Windows-1252 a character takes one byte, which up to three stand for in the text.
fn place(text: &str, at: &Range<u64>, byte: usize) -> u64 {
    let is_utf8 = text.len() as u64 == at.end - at.start;
    let before = if is_utf8 {
        byte
    } else {
        text[..byte].chars().count()
    };
    at.start + before as u64
}
