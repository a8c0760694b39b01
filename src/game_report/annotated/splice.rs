//! Finds the places of remarks in the text of a game.
//!
//! A value goes to the front of the comment that follows its move, or into a new comment. A glyph follows the move
//! unless it has one; a sentence follows the first comment; the better line follows the variations that are there,
//! unless one begins with the same moves. Values in comments on the move are replaced, since two would contradict each
//! other, and so are those in comments before the first move. Earlier remarks of Cassius are replaced in place, and left alone if they say the same. Black's moves get
//! their numbers after an insertion.

use std::ops::Range;

use super::super::record::{Game, Header, Row};
use super::own::{self, Piece, TokenKind};
use super::remarks::{self, Remark};
use crate::games::chess::Move;
use crate::games::chess::pgn::{Games, PgnGame, Spot, is_numbered};

/// A replacement in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// Bytes of the whole text to replace; often none, between two bytes.
    pub(super) at: Range<u64>,
    /// New text.
    pub(super) text: String,
}

/// Changes to the text of a game.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Replacements, in the order of the text.
    pub(super) list: Vec<Edit>,
    /// Comments that extend to the end of their line.
    pub(super) rests: Vec<Range<u64>>,
    /// End of the last tag; 0 if there is none.
    pub(super) tags_end: u64,
    /// Moves with their comments and variations.
    pub(super) moves: Range<u64>,
}

/// A part of the text of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// First byte in the whole text.
    pub(super) begin: u64,
    pub(super) bytes: &'a [u8],
}

/// Value of the tag `Annotator`.
pub(super) fn annotator(header: &Header) -> String {
    let annotator = format!("Cassius {}, {}", header.cassius, header.judged());
    let annotator = annotator.replace(['"', '\\'], "'");
    annotator.replace(|c: char| !c.is_ascii() || c.is_ascii_control(), " ")
}

/// Whether an annotator is Cassius, as written by [`annotator`].
fn is_cassius(annotator: &str) -> bool {
    let version = annotator.strip_prefix("Cassius ");
    version.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
        && [" a position", " a game"]
            .iter()
            .any(|it| annotator.ends_with(it))
}

/// Lists the changes to the text of a game. The part has the nearby tags, and the moves with comments and variations.
pub(super) fn edits(pgn: &PgnGame, game: &Game, annotator: &str, part: Part<'_>) -> Edits {
    // One ASCII character for each byte, so that places are the same in every encoding.
    let one = |&byte: &u8| char::from(if byte.is_ascii() { byte } else { b'~' });
    let tags_end = pgn.layout.tags_end.unwrap_or(0);
    let moves = &pgn.layout.moves;
    let moves = moves.first().zip(moves.last());
    let mut writer = Writer {
        edits: Edits {
            tags_end,
            moves: moves.map_or(tags_end..tags_end, |(first, last)| {
                first.word.start..last.end
            }),
            ..Edits::default()
        },
        part,
        text: part.bytes.iter().map(one).collect(),
    };
    if let Some(first) = game.rows.first() {
        writer.annotator(pgn, annotator);
        writer.before(pgn, remarks::eval(&first.verdict));
    }
    let moves = pgn.layout.moves.iter().zip(&game.rows);
    let mut is_interrupted = false;
    for ((spot, row), remark) in moves.zip(remarks::of(game)) {
        if is_interrupted && row.black && !spot.is_numbered {
            let begin = writer.within(spot.word.start);
            writer.put(begin, format!("{}... ", row.number));
        }
        is_interrupted = remark != Remark::default();
        writer.remark(spot, row, remark);
    }
    writer.edits.list.sort_by_key(|edit| edit.at.start);
    writer.edits
}

struct Writer<'a> {
    edits: Edits,
    part: Part<'a>,
    /// The part, with a placeholder for each byte that is not ASCII.
    text: String,
}

/// A piece of text before or after a move.
struct Behind {
    piece: Piece,
    /// Whether it is removed.
    is_gone: bool,
    /// Cassius's remarks in it, in bytes of the part.
    remarks: Vec<own::Remark>,
    /// Values in it, in bytes of the part.
    values: Vec<Range<usize>>,
}

impl Writer<'_> {
    /// Inserts text before byte `at` of the part.
    fn put(&mut self, at: usize, text: String) {
        let at = self.places(&(at..at));
        self.edits.list.push(Edit { at, text });
    }

    /// Replaces text of the part, unless the old text says the same.
    fn replace(&mut self, at: Range<usize>, text: String) {
        let old = self.text[at.clone()].split_ascii_whitespace();
        if !old.eq(text.split_ascii_whitespace()) {
            let at = self.places(&at);
            self.edits.list.push(Edit { at, text });
        }
    }

    /// Places in the whole text of bytes of the part.
    fn places(&self, bytes: &Range<usize>) -> Range<u64> {
        let [start, end] = [bytes.start, bytes.end].map(|it| self.part.begin + it as u64);
        start..end
    }

    /// Place in the part of a byte of the whole text.
    fn within(&self, place: u64) -> usize {
        let byte = place.saturating_sub(self.part.begin);
        usize::try_from(byte).map_or(self.text.len(), |it| it.min(self.text.len()))
    }

    fn annotator(&mut self, pgn: &PgnGame, annotator: &str) {
        let Some(end) = pgn.layout.tags_end.map(|it| self.within(it)) else {
            return;
        };
        // A blank tag of somebody else may stand before Cassius's own.
        let own = pgn.tags.iter().find_map(|(name, value)| {
            let is_own = name.eq_ignore_ascii_case("Annotator") && is_cassius(value.trim());
            is_own.then(|| value.trim())
        });
        let Some(there) = own.or_else(|| pgn.tag("Annotator")) else {
            self.put(end, format!("\n[Annotator \"{annotator}\"]"));
            return;
        };
        let old = format!("[Annotator \"{there}\"]");
        let tags = &self.text[..end];
        if let Some(begin) = tags.rfind(&old).filter(|_| is_cassius(there)) {
            let new = format!("[Annotator \"{annotator}\"]");
            self.replace(begin..begin + old.len(), new);
        }
    }

    /// Replaces the values in comments before the first move by the one of the first position.
    fn before(&mut self, pgn: &PgnGame, mut eval: Option<String>) {
        let first = pgn.layout.moves.first();
        let end = self.within(first.map_or(pgn.layout.end, |spot| spot.word.start));
        let begin = match pgn.layout.tags_end {
            Some(end) => self.within(end),
            // Without tags, what stands in the last line of another game belongs to that.
            None if pgn.number == 1 => 0,
            None => self.text[..end].find(['\r', '\n']).unwrap_or(end),
        };
        let pieces = self.pieces(begin..end);
        self.rests(&pieces);
        if eval.is_some() {
            for old in pieces.iter().flat_map(|it| &it.values) {
                self.replace(old.clone(), eval.take().unwrap_or_default());
            }
        }
    }

    /// Notes the comments that extend to the end of their line.
    fn rests(&mut self, pieces: &[Behind]) {
        let rests = pieces.iter().flat_map(|it| it.piece.rests());
        let rests: Vec<Range<u64>> = rests.map(|it| self.places(&it)).collect();
        self.edits.rests.extend(rests);
    }

    fn behind(&self, spot: &Spot) -> Vec<Behind> {
        self.pieces(self.within(spot.word.end)..self.within(spot.end))
    }

    /// The pieces of a part of the text.
    fn pieces(&self, at: Range<usize>) -> Vec<Behind> {
        let pieces = own::pieces(&self.text, at).into_iter();
        let behind = pieces.map(|piece| {
            let comment = match piece.kind {
                TokenKind::Comment => piece.inner(),
                _ => 0..0,
            };
            Behind {
                piece,
                is_gone: false,
                remarks: own::remarks(&self.text, &comment),
                values: own::values(&self.text, &comment),
            }
        });
        behind.collect()
    }

    /// End of the glyphs directly after a move, and the text of the comment directly after these.
    fn front(&self, spot: &Spot, behind: &[Behind]) -> (usize, Option<Range<usize>>) {
        let mut end = self.within(spot.word.end);
        for Behind { piece, .. } in behind {
            let text = &self.text[piece.at.clone()];
            match piece.kind {
                TokenKind::Word if is_numbered(text) => {}
                TokenKind::Word => end = piece.at.end,
                TokenKind::Comment => return (end, Some(piece.inner())),
                // The reader skips such lines.
                TokenKind::Rest if !text.starts_with(';') => {}
                TokenKind::Rest | TokenKind::Variation => break,
            }
        }
        (end, None)
    }

    fn remark(&mut self, spot: &Spot, row: &Row, remark: Remark) {
        let mut behind = self.behind(spot);
        self.rests(&behind);
        let glyph = own::begin(self.glyph(spot, &mut behind, remark.glyph));
        let words = remark.sentences.join(" ");
        let words = (!words.is_empty()).then(|| format!("{glyph} {words} {}", own::END));
        self.comments(spot, &mut behind, remark.eval, words);
        self.line(spot, row, &mut behind, remark.line);
        self.remove(spot, &behind);
    }

    /// Adds the glyph unless the move has another mark. Returns the glyph that is now Cassius's, 0 for none.
    fn glyph(&mut self, spot: &Spot, behind: &mut [Behind], glyph: Option<u8>) -> u8 {
        let glyphs = behind.iter().flat_map(|it| &it.remarks);
        let glyphs: Vec<u8> = glyphs.map(|it| it.glyph).collect();
        let mut pieces = behind.iter().map(|it| &it.piece);
        let own = pieces.position(|it| it.is_own_glyph(&self.text, &glyphs));
        let word = self.within(spot.word.start)..self.within(spot.word.end);
        let words = behind.iter().map(|it| &it.piece).enumerate();
        let words = words.filter(|(index, it)| it.kind == TokenKind::Word && Some(*index) != own);
        let words = words.map(|(_, it)| it.at.clone());
        let is_marked = words.chain([word]).any(|it| is_mark(&self.text[it]));
        let glyph = glyph.filter(|_| !is_marked);
        match (own.map(|it| &mut behind[it]), glyph) {
            (Some(old), Some(new)) => self.replace(old.piece.at.clone(), format!("${new}")),
            (Some(old), None) => old.is_gone = true,
            (None, Some(new)) => self.put(self.within(spot.word.end), format!(" ${new}")),
            (None, None) => {}
        }
        glyph.unwrap_or(0)
    }

    /// Inserts value and sentence into comments.
    fn comments(
        &mut self,
        spot: &Spot,
        behind: &mut [Behind],
        mut eval: Option<String>,
        mut sentence: Option<String>,
    ) {
        let (glyphs_end, comment) = self.front(spot, behind);
        if eval.is_some() {
            for old in behind.iter().flat_map(|it| &it.values) {
                self.replace(old.clone(), eval.take().unwrap_or_default());
            }
        }
        for behind in behind {
            let (inner, remarks) = (behind.piece.inner(), &behind.remarks);
            let mut end = inner.start;
            let mut others = remarks.iter().map(|it| {
                let before = end..it.at.start;
                end = it.at.end;
                before
            });
            let mut is_ours = others.all(|it| self.is_blank(it));
            is_ours &= !remarks.is_empty() && self.is_blank(end..inner.end);
            if is_ours && sentence.is_none() {
                match eval.take_if(|_| comment.as_ref() == Some(&inner)) {
                    Some(eval) => self.replace(inner, eval),
                    None => behind.is_gone = true,
                }
                continue;
            }
            for remark in remarks {
                let at = remark.at.clone();
                match sentence.take() {
                    Some(sentence) => self.replace(at, sentence),
                    None => self.replace(self.with_blanks(at, &inner), String::new()),
                }
            }
        }
        match comment {
            Some(comment) => {
                let said = &self.text[comment.clone()];
                let is_value = own::is_value(&self.text, &comment);
                let end = comment.start + said.trim_end().len();
                let is_apart = said.is_empty() || said.starts_with(char::is_whitespace);
                if let Some(eval) = eval {
                    let blank = if is_apart { "" } else { " " };
                    self.put(comment.start, eval + blank);
                }
                match sentence {
                    Some(sentence) if is_value => self.put(end, format!(" {sentence}")),
                    Some(sentence) => self.put(comment.end + 1, format!("\n{{{sentence}}}")),
                    None => {}
                }
            }
            None => {
                let parts: Vec<String> = eval.into_iter().chain(sentence).collect();
                if !parts.is_empty() {
                    self.put(glyphs_end, format!(" {{{}}}", parts.join(" ")));
                }
            }
        }
    }

    fn is_blank(&self, at: Range<usize>) -> bool {
        self.text.get(at).is_none_or(|it| it.trim().is_empty())
    }

    /// A place in a comment with the blanks before it, or at the comment's beginning with those after it.
    fn with_blanks(&self, at: Range<usize>, comment: &Range<usize>) -> Range<usize> {
        let before = self.text[comment.start..at.start].trim_end().len();
        let behind = &self.text[at.end..comment.end];
        if before == 0 {
            at.start..at.end + behind.len() - behind.trim_start().len()
        } else {
            comment.start + before..at.end
        }
    }

    /// Inserts the better line after the variations.
    fn line(&mut self, spot: &Spot, row: &Row, behind: &mut [Behind], line: Option<String>) {
        let is_own = |it: &&mut Behind| it.piece.is_own_line(&self.text);
        let (own, others): (Vec<_>, Vec<_>) = behind.iter_mut().partition(is_own);
        let others = others.iter().map(|it| &it.piece);
        let others = others.filter(|it| it.kind == TokenKind::Variation);
        let mut others = others.map(|it| moves(&row.fen, &self.part.bytes[it.inner()]));
        let mut line = line.filter(|line| {
            let ours = moves(&row.fen, line.as_bytes());
            ours.is_empty() || !others.any(|it| it.starts_with(&ours))
        });
        for old in own {
            match line.take() {
                Some(line) => self.replace(old.piece.at.clone(), format!("({line})")),
                None => old.is_gone = true,
            }
        }
        if let Some(line) = line {
            // On a line of its own, since a comment before it may extend to the end of the line.
            self.put(self.within(spot.end), format!("\n({line})"));
        }
    }

    /// Removes pieces with the blanks before them, or, after a comment to the end of the line, with those after them.
    fn remove(&mut self, spot: &Spot, behind: &[Behind]) {
        let mut end = self.within(spot.word.end);
        let mut is_behind_rest = false;
        for Behind { piece, is_gone, .. } in behind {
            if !is_gone {
                is_behind_rest = piece.kind == TokenKind::Rest;
            } else if is_behind_rest {
                let after = &self.text[piece.at.end..];
                let blanks = after.len() - after.trim_start().len();
                self.replace(piece.at.start..piece.at.end + blanks, String::new());
            } else {
                self.replace(end..piece.at.end, String::new());
            }
            end = piece.at.end;
        }
    }
}

/// Whether a word marks a move (`?!`), alone or as its suffix.
fn is_mark(word: &str) -> bool {
    // Blanks that are not ASCII are placeholders here.
    let glyph = word.trim_end_matches('~').split_once('$');
    let glyph = glyph.map(|(_, glyph)| glyph);
    word.contains(['!', '?']) || matches!(glyph, Some("1" | "2" | "3" | "4" | "5" | "6"))
}

/// Moves of a variation from a position, up to the first illegal one.
fn moves(fen: &str, variation: &[u8]) -> Vec<Move> {
    let tags = format!("[FEN \"{fen}\"]\n\n");
    let text = [tags.as_bytes(), variation, b" *"].concat();
    let game = Games::new(text.as_slice()).next().and_then(Result::ok);
    game.map_or_else(Vec::new, |game| game.moves)
}
