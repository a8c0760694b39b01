//! A game under construction, extended line by line.

use super::layout::Piece;
use super::reader::PgnLine;
use super::start::FromTag;
use super::words;
use super::{PgnError, PgnFlaw, PgnGame, PgnPlace};
use crate::games::chess::{Move, Position};
use crate::lines::printable;

/// Longest text of a game, in bytes. Games with a remark at every move have some ten thousand bytes.
pub(super) const LONGEST_TEXT: usize = 4 << 20;
/// Most oddities reported of a game.
const MOST_ODDITIES: usize = 20;

/// Place where a comment or variation was opened.
#[derive(Clone, Copy, Debug)]
struct Opened {
    line: usize,
    plies: usize,
}

/// A game under construction.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) number: usize,
    /// The game; `None` before its first tag or move.
    pub(super) game: Option<PgnGame>,
    /// The position after its moves.
    pub(super) position: Position,
    /// Whether only tags have been read.
    pub(super) in_tags: bool,
    /// The game as it would be from the initial position, as long as its moves fit that, too: the position so far, and the
    /// moves.
    pub(super) from_initial: Option<(Position, Vec<Move>)>,
    /// The game from the tag's position, once it goes on from the initial one.
    pub(super) from_tag: Option<FromTag>,
    /// Whether the game may still prove to be Chess960.
    pub(super) may_be_chess960: bool,
    /// Whether a blank line follows the tags.
    is_blank_behind: bool,
    /// Whether the line before was blank.
    is_last_blank: bool,
    /// An unclosed tag, wrapped at the end of its line.
    wrapped: Option<String>,
    /// Whether a wrong move number has been noted.
    pub(super) is_number_noted: bool,
    /// Line of the last tag `FEN` or `Variant`, else of the game's beginning.
    pub(super) tag_line: usize,
    /// Line of the tag `Result`.
    pub(super) result_line: usize,
    /// The result behind the moves.
    pub(super) result_behind: Option<&'static str>,
    /// The open comment.
    comment: Option<Opened>,
    /// The outermost open variation.
    variation: Option<Opened>,
    /// Number of open variations.
    pub(super) depth: usize,
    /// The last word inside the open variation if it is a result.
    pub(super) result_inside: Option<&'static str>,
    /// Whether a move number precedes the next word.
    pub(super) is_behind_number: bool,
    /// Bytes of the game so far.
    length: usize,
    pub(super) has_ended: bool,
}

impl Draft {
    pub(super) fn new(number: usize) -> Draft {
        Draft {
            number,
            in_tags: true,
            ..Draft::default()
        }
    }

    /// Whether the game ends before `line`, where the next one begins.
    pub(super) fn ends_before(&self, line: &str) -> bool {
        let Some(game) = &self.game else {
            return false;
        };
        if line.trim().is_empty() {
            // A result, then a blank line: a variation was left open.
            return self.depth > 0 && self.comment.is_none() && self.result_inside.is_some();
        }
        // Among the moves, brackets may hold remarks: `[Diagram "#"]`.
        let begins = |name: &str| self.is_last_blank || words::is_usual_tag(name);
        if !words::is_tag(line) {
            // The next game may begin with an odd tag.
            let is_outside = !self.in_tags && self.comment.is_none() && self.depth == 0;
            let odd = words::odd_tag(line).filter(|tag| is_outside && tag.is_closed);
            return odd.is_some_and(|tag| begins(&tag.name));
        }
        let name = words::tag_name(line).map_or("", |(name, _)| name);
        let repeats = || game.tags.iter().any(|(known, _)| known == name);
        match self.in_tags {
            _ if self.comment.is_some() => true,
            true => self.is_blank_behind && repeats(),
            false => begins(name),
        }
    }

    /// Reads the rest of a line, up to its end or the game's.
    pub(super) fn read(&mut self, line: &mut PgnLine) {
        let plies = self.plies();
        if line.flaw == Some(PgnFlaw::TooLong) {
            self.open(line.number);
        }
        self.flawed_by(line, plies);
        if line.at == 0 {
            self.length += line.text.len();
            if self.length > LONGEST_TEXT && self.game.is_some() {
                self.cut(plies, line.number, PgnFlaw::TooLong);
            }
            self.begin_line(line);
            self.is_last_blank = line.text.trim().is_empty();
        } else if self.game.is_none() && words::is_tag(line.rest()) {
            // Tags may follow the result of the previous game in its line.
            self.tags(line);
        }
        while !self.has_ended {
            let unread = line.rest();
            let blanks = unread.len() - unread.trim_start().len();
            line.advance(blanks);
            let rest = line.rest();
            if rest.is_empty() {
                break;
            }
            let (length, kind) = self.piece(rest, line.number);
            let (from, begin) = (line.at, line.offset);
            line.advance(length);
            if let Some(game) = &mut self.game
                && game.flaw.is_none()
                && self.depth == 0
                && !self.has_ended
            {
                let text = &line.text[from..line.at];
                game.layout.add(kind, text, begin..line.offset);
            }
        }
        // A game may have begun in this very line.
        self.flawed_by(line, plies);
    }

    /// Ends the game, if there is one, before a line with a flaw.
    fn flawed_by(&mut self, line: &PgnLine, plies: usize) {
        if let Some(flaw) = &line.flaw
            && self.game.is_some()
        {
            if !line.text.trim_start().starts_with('[') {
                self.leave_tags();
            }
            self.cut(plies, line.number, flaw.clone());
        }
    }

    /// Handles whole lines: blank lines, `%` lines for programs, tags.
    fn begin_line(&mut self, line: &mut PgnLine) {
        if line.text.trim().is_empty() {
            self.is_blank_behind = true;
            return;
        }
        if words::is_tag(&line.text) {
            // A comment between games that was left open.
            self.comment = None;
        }
        if self.comment.is_some() {
            return;
        }
        if let Some(begun) = self.wrapped.take() {
            self.end_tag(&begun, line);
        }
        if line.text.starts_with('%') {
            line.finish();
        } else if line.text.trim_start().starts_with('[') {
            self.tags(line);
        }
    }

    /// Reads the tags of a line.
    fn tags(&mut self, line: &mut PgnLine) {
        loop {
            let text = line.rest();
            if !text.trim_start().starts_with('[') {
                return;
            }
            let in_tags = self.in_tags;
            let tag = in_tags.then(|| self.tag(text, line.number)).flatten();
            let Some((name, value, rest)) = tag else {
                // Between games and among the moves, brackets may hold remarks.
                let is_remark = words::odd_tag(text).is_some_and(|tag| tag.is_closed);
                let reason = PgnFlaw::Tag(words::shortened(text.trim()));
                if self.in_tags && words::is_tag_begun(text) {
                    self.wrapped = Some(text.to_owned());
                } else if self.in_tags || is_remark {
                    self.note(line.number, reason);
                } else {
                    self.cut(self.plies(), line.number, reason);
                }
                line.finish();
                return;
            };
            let length = text.len() - rest.len();
            line.advance(length);
            self.add_tag(name, &value, line);
        }
    }

    /// Adds a tag that ends at the current place of the line.
    fn add_tag(&mut self, name: String, value: &str, line: &PgnLine) {
        let (has_room, end) = (self.length <= LONGEST_TEXT, line.offset);
        let game = self.open(line.number);
        game.layout.tags_end = Some(end);
        let is_named = |it: &str| name.eq_ignore_ascii_case(it);
        let (is_result, sets_up) = (is_named("Result"), is_named("FEN") || is_named("Variant"));
        if has_room {
            game.tags.push((name, printable(value)));
        }
        if is_result {
            let result = words::result_of_tag(value);
            game.result = result.unwrap_or("*");
            if result.is_none() {
                let result = words::shortened(value);
                self.note(line.number, PgnFlaw::Result(result));
            }
        }
        self.is_blank_behind = false;
        if sets_up {
            self.tag_line = line.number;
        }
        if is_result {
            self.result_line = line.number;
        }
    }

    /// Reads the end of a tag begun in the previous line.
    fn end_tag(&mut self, begun: &str, line: &mut PgnLine) {
        let length = line.text.find("\"]").map_or(0, |end| end + 2);
        let whole = format!("{begun} {}", &line.text[..length]);
        let text = words::shortened(begun.trim());
        let Some((name, value, _)) = words::tag(&whole) else {
            self.note(line.number, PgnFlaw::Tag(text));
            return;
        };
        line.advance(length);
        let reason = PgnFlaw::OddTag {
            text,
            name: words::shortened(&name),
            value: words::shortened(&value),
        };
        self.add_tag(name, &value, line);
        self.note(line.number, reason);
    }

    /// Reads the tag at the beginning of a text: its name, its value, the rest. An odd tag is noted; it begins a game
    /// only if it is closed or has a usual name.
    fn tag<'t>(&mut self, text: &'t str, line: usize) -> Option<(String, String, &'t str)> {
        if let Some(tag) = words::tag(text) {
            return Some(tag);
        }
        let odd = words::odd_tag(text)?;
        let is_usual = words::is_usual_tag(&odd.name);
        if self.game.is_none() && !odd.is_closed && !is_usual {
            return None;
        }
        self.open(line);
        let length = text.len() - odd.rest.len();
        let reason = PgnFlaw::OddTag {
            text: words::shortened(text[..length].trim()),
            name: words::shortened(&odd.name),
            value: words::shortened(&odd.value),
        };
        self.note(line, reason);
        Some((odd.name, odd.value, odd.rest))
    }

    /// Reads the next piece of the movetext `text`, which must not begin with a blank; returns its length and kind.
    fn piece(&mut self, text: &str, line: usize) -> (usize, Piece) {
        if self.comment.is_some() {
            let Some(end) = text.find('}') else {
                return (text.len(), Piece::Comment);
            };
            self.comment = None;
            return (end + 1, Piece::Comment);
        }
        let opened = Opened {
            line,
            plies: self.plies(),
        };
        if text.starts_with(['{', '(', ')', '}']) {
            self.leave_tags();
        }
        match text.as_bytes()[0] {
            b'{' => {
                self.comment = Some(opened);
                return (1, Piece::Comment);
            }
            b';' => return (text.len(), Piece::Other),
            b'(' if self.game.is_some() => {
                self.variation.get_or_insert(opened);
                self.depth += 1;
                self.result_inside = None;
            }
            b')' if self.depth > 0 => {
                self.depth -= 1;
                self.result_inside = None;
                if self.depth == 0 {
                    self.variation = None;
                }
            }
            sign @ (b'(' | b')' | b'}') => {
                if self.game.is_some() {
                    let sign = char::from(sign);
                    self.cut(opened.plies, line, PgnFlaw::Unopened(sign));
                }
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || "{}();".contains(c);
                let mut length = text.find(is_end).unwrap_or(text.len());
                // A result may follow the last move without a blank: `h6*`.
                if length > 1 && text[..length].ends_with('*') {
                    length -= 1;
                }
                self.word(&text[..length], line);
                let is_move = self.plies() > opened.plies;
                return (length, if is_move { Piece::Move } else { Piece::Other });
            }
        }
        (1, Piece::Other)
    }

    /// The game; begins it in this line if there is none.
    pub(super) fn open(&mut self, line: usize) -> &mut PgnGame {
        if self.game.is_none() {
            self.tag_line = line;
            self.length = 0;
        }
        self.game.get_or_insert_with(|| PgnGame::new(self.number))
    }

    pub(super) fn plies(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.moves.len())
    }

    pub(super) fn is_flawed(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.flaw.is_some())
    }

    /// Ends the game after `plies` plies because of a flaw. The first flaw counts.
    pub(super) fn cut(&mut self, plies: usize, line: usize, reason: PgnFlaw) {
        let error = self.error(plies, line, reason);
        if let Some(game) = &mut self.game
            && game.flaw.is_none()
        {
            game.moves.truncate(plies);
            game.layout.moves.truncate(plies);
            game.flaw = Some(error);
        }
    }

    /// Notes an oddity; the game goes on.
    pub(super) fn note(&mut self, line: usize, reason: PgnFlaw) {
        let error = self.error(self.plies(), line, reason);
        if let Some(game) = &mut self.game
            && game.flaw.is_none()
            && game.oddities.len() < MOST_ODDITIES
        {
            game.oddities.push(error);
        }
    }

    fn error(&self, plies: usize, line: usize, reason: PgnFlaw) -> PgnError {
        let place = match &self.game {
            Some(game) if !self.in_tags => game.place(plies),
            _ => PgnPlace::Tags,
        };
        PgnError {
            line,
            game: self.number,
            place,
            reason,
        }
    }

    /// The finished game, if there is one.
    pub(super) fn finished(mut self) -> Option<PgnGame> {
        self.leave_tags();
        // An open comment hides the end of a variation.
        if let Some(Opened { line, plies }) = self.comment {
            self.cut(plies, line, PgnFlaw::Unclosed("comment '{'"));
        } else if let Some(Opened { line, plies }) = self.variation {
            self.cut(plies, line, PgnFlaw::Unclosed("variation '('"));
        }
        self.settle_start();
        self.result_behind = self.result_inside.or(self.result_behind);
        self.settle_result();
        self.game
    }
}
