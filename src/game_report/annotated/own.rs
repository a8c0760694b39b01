//! Recognises earlier remarks of Cassius among those of others.
//!
//! A remark stands between `[%cassius N]` and `[%cassius end]`; N is the glyph that came with it, 0 for none. A
//! better line ends with a comment that has only a value and `[%cassius line]`. Other programs keep such commands as
//! they keep `[%eval]`.

use std::ops::Range;

/// Command at the end of a remark.
pub(super) const END: &str = "[%cassius end]";
/// Command at the end of a better line.
pub(super) const LINE: &str = "[%cassius line]";

/// Command at the beginning of a remark with this glyph, 0 for none.
pub(super) fn begin(glyph: u8) -> String {
    format!("[%cassius {glyph}]")
}

/// Kind of a piece of text after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A glyph or a number.
    Word,
    /// `{...}`
    Comment,
    /// `(...)`
    Variation,
    /// From `;`, or `%` or `[` at the beginning of a line, to the end of the line.
    Rest,
}

/// A piece of text after a move, in bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) kind: TokenKind,
    pub(super) at: Range<usize>,
    /// Pieces within a variation, those of nested ones too. A nested variation itself is a piece of one byte, its
    /// first.
    inside: Vec<Piece>,
}

/// A remark of Cassius.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Remark {
    /// Its place in the text, commands included.
    pub(super) at: Range<usize>,
    /// The glyph in its command.
    pub(super) glyph: u8,
}

/// Divides the text between two moves into pieces. Every character of the text has one byte.
pub(super) fn pieces(text: &str, at: Range<usize>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Depth of nested variations; pieces go to the outermost one.
    let mut depth = 0_usize;
    let mut begin = at.start;
    while begin < at.end {
        let rest = &text[begin..at.end];
        let ends = ['\r', '\n'];
        let line = || rest.find(ends).unwrap_or(rest.len());
        let before = &text[..begin];
        let is_first = || before.trim_end_matches([' ', '\t']).ends_with(ends);
        let (kind, length) = match rest.as_bytes()[0] {
            byte if byte.is_ascii_whitespace() => (None, 1),
            b'{' => {
                let end = rest.find('}').map_or(rest.len(), |it| it + 1);
                (Some(TokenKind::Comment), end)
            }
            b';' => (Some(TokenKind::Rest), line()),
            b'%' if before.ends_with(ends) => (Some(TokenKind::Rest), line()),
            // The reader skips what stands in brackets among the moves.
            b'[' if is_first() => (Some(TokenKind::Rest), line()),
            b'(' => (Some(TokenKind::Variation), 1),
            b')' => {
                depth = depth.saturating_sub(1);
                if let Some(last) = pieces.last_mut().filter(|_| depth == 0) {
                    last.at.end = begin + 1;
                }
                (None, 1)
            }
            _ => {
                let end = rest.find(|c: char| c.is_ascii_whitespace() || "{}();".contains(c));
                (Some(TokenKind::Word), end.unwrap_or(rest.len()).max(1))
            }
        };
        if let Some(kind) = kind {
            let piece = Piece {
                kind,
                at: begin..begin + length,
                inside: Vec::new(),
            };
            match pieces.last_mut().filter(|_| depth > 0) {
                Some(variation) => variation.inside.push(piece),
                None => pieces.push(piece),
            }
            depth += usize::from(kind == TokenKind::Variation);
        }
        begin += length;
    }
    pieces
}

impl Piece {
    /// Comments to the end of a line, also those in variations.
    pub(super) fn rests(&self) -> Vec<Range<usize>> {
        let pieces = std::iter::once(self).chain(&self.inside);
        let rests = pieces.filter(|it| it.kind == TokenKind::Rest);
        rests.map(|it| it.at.clone()).collect()
    }

    /// Its text without braces or parentheses.
    pub(super) fn inner(&self) -> Range<usize> {
        self.at.start + 1..self.at.end.saturating_sub(1).max(self.at.start + 1)
    }

    /// Whether it is one of the glyphs of remarks.
    pub(super) fn is_own_glyph(&self, text: &str, glyphs: &[u8]) -> bool {
        // Blanks that are not ASCII are placeholders here.
        let word = text[self.at.clone()].trim_end_matches('~');
        let number = word.strip_prefix('$');
        let number = number.and_then(|it| it.parse::<u8>().ok());
        self.kind == TokenKind::Word && number.is_some_and(|it| it != 0 && glyphs.contains(&it))
    }

    /// Whether it is a better line of Cassius without additions.
    pub(super) fn is_own_line(&self, text: &str) -> bool {
        let Some((comment, words)) = self.inside.split_last() else {
            return false;
        };
        let is_move = |piece: &Piece| {
            piece.kind == TokenKind::Word && !text[piece.at.clone()].contains(['$', '!', '?'])
        };
        if comment.kind != TokenKind::Comment || !words.iter().all(is_move) {
            return false;
        }
        let said = comment.inner();
        let commands = commands(text, &said);
        let is_ours = |it: &CommentCommand<'_>| it.ends_line() || it.name == "eval";
        is_bare(text, &said)
            && commands.iter().any(CommentCommand::ends_line)
            && commands.iter().all(is_ours)
    }
}

/// A command in a comment, `[%name value]`.
#[derive(Clone, Debug)]
struct CommentCommand<'a> {
    at: Range<usize>,
    name: &'a str,
    value: &'a str,
}

impl CommentCommand<'_> {
    fn ends_line(&self) -> bool {
        self.name == "cassius" && self.value == "line"
    }
}

/// Commands of a comment.
fn commands<'a>(text: &'a str, comment: &Range<usize>) -> Vec<CommentCommand<'a>> {
    let text = &text[..comment.end];
    let mut end = comment.start;
    let found = std::iter::from_fn(|| {
        let begin = end + text[end..].find("[%")?;
        end = begin + text[begin..].find(']')? + 1;
        // An unclosed command ends where another begins.
        let begin = begin + text[begin..end].rfind("[%")?;
        let inner = &text[begin + 2..end - 1];
        let (name, value) = inner
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((inner, ""));
        Some(CommentCommand {
            at: begin..end,
            name,
            value: value.trim(),
        })
    });
    found.collect()
}

/// Whether a comment has commands only.
fn is_bare(text: &str, comment: &Range<usize>) -> bool {
    let mut end = comment.start;
    let are_together = commands(text, comment).iter().all(|it| {
        let between = text.get(end..it.at.start);
        end = it.at.end;
        between.is_some_and(|it| it.trim().is_empty())
    });
    are_together && text[end..comment.end].trim().is_empty()
}

/// Values in a comment: `[%eval 0.35]`.
pub(super) fn values(text: &str, comment: &Range<usize>) -> Vec<Range<usize>> {
    let values = commands(text, comment).into_iter();
    let values = values.filter(|it| it.name == "eval");
    values.map(|it| it.at).collect()
}

/// Whether a comment has a value only.
pub(super) fn is_value(text: &str, comment: &Range<usize>) -> bool {
    let commands = commands(text, comment);
    let is_value = |it: &CommentCommand<'_>| it.name == "eval";
    !commands.is_empty() && is_bare(text, comment) && commands.iter().all(is_value)
}

/// Cassius's remarks in a comment.
pub(super) fn remarks(text: &str, comment: &Range<usize>) -> Vec<Remark> {
    let commands = commands(text, comment);
    let mut remarks = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        let number = command.value.parse().ok();
        let Some(glyph) = number.filter(|_| command.name == "cassius") else {
            continue;
        };
        // Without its end command, a remark ends before the next command, or with the comment.
        let end = match commands.get(index + 1) {
            Some(next) if next.name == "cassius" && next.value == "end" => next.at.end,
            Some(next) => next.at.start,
            None => comment.end,
        };
        let end = text[..end].trim_end().len();
        remarks.push(Remark {
            at: command.at.start..end,
            glyph,
        });
    }
    remarks
}
