//! Reads games one after the other, from a text of any length, in the memory that one game takes.
//!
//! A game begins with its first tag or move. It ends with its result, or where the next one's tags begin: so
//! a comment that is never closed takes no other game with it. Once something is wrong with a game, the
//! rest of it is looked at only to find its end.

use std::io::{self, BufRead};

use super::layout::Piece;
use super::words::{self, Word};
use super::{PgnError, PgnFlaw, PgnGame, Place, Variant};
use crate::games::chess::notation::written::{Misfit, Written};
use crate::games::chess::notation::{Castling, FenPosition, MoveError, has_file_letters, read_fen};
use crate::games::chess::{Move, Position};
use crate::lines::{self, printable};

/// Longest text of a game, in bytes. Games with a remark at every move take some ten thousand.
const LONGEST_TEXT: usize = 4 << 20;
/// Most oddities of a game that are told.
const MOST_ODDITIES: usize = 20;
/// Longest game, in plies. By the rule of seventy-five moves none has more than 17,697.
const MOST_PLIES: usize = 20_000;

/// The games of a text. A game in which something is wrong comes with its flaw. An error is one of the
/// input itself; nothing follows it.
#[derive(Debug)]
pub struct Games<R> {
    input: R,
    /// A line that has been read, and not all of it used.
    line: Option<Line>,
    /// Lines read.
    lines: usize,
    /// Bytes read.
    bytes: u64,
    /// Games found.
    games: usize,
    is_over: bool,
}

/// A line of the text.
#[derive(Debug)]
struct Line {
    /// What stands in it; blanks at its end are left out, and blanks stand for NULs.
    text: String,
    /// How much of it has been used.
    at: usize,
    /// Its number, from 1.
    number: usize,
    /// Where it begins, in bytes of the whole text.
    begin: u64,
    /// Where what has not been used begins, likewise.
    offset: u64,
    /// Whether a byte stands for each character.
    is_single_byte: bool,
    /// What is wrong with it, if something is: it was too long to be kept, or had NULs.
    flaw: Option<PgnFlaw>,
}

impl Line {
    /// So much more of the text has been used.
    fn advance(&mut self, length: usize) {
        let used = &self.text[self.at..self.at + length];
        let bytes = if self.is_single_byte {
            used.chars().count()
        } else {
            length
        };
        self.offset += bytes as u64;
        self.at += length;
    }

    /// What has not been used.
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// All has been used.
    fn finish(&mut self) {
        self.advance(self.rest().len());
    }
}

impl<R: BufRead> Games<R> {
    /// The games in `input`. A line that is not UTF-8 is taken for Windows-1252, which most programs of its time wrote.
    pub fn new(input: R) -> Games<R> {
        Games {
            input,
            line: None,
            lines: 0,
            bytes: 0,
            games: 0,
            is_over: false,
        }
    }

    /// Where the last game ended, in bytes from the beginning of the text.
    pub fn bytes(&self) -> u64 {
        let unused = self.line.as_ref().filter(|line| line.at == 0);
        unused.map_or(self.bytes, |line| line.begin)
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        let begin = self.bytes;
        if self.lines == 0 {
            lines::refuse_utf16(self.input.fill_buf()?)?;
        }
        let Some((read, length)) = lines::read_any_end(&mut self.input, LONGEST_TEXT)? else {
            return Ok(None);
        };
        let (bytes, mut flaw) = match read {
            lines::Bytes::Line(bytes) => (bytes, None),
            lines::Bytes::TooLong => (Vec::new(), Some(PgnFlaw::TooLong)),
        };
        self.bytes += length;
        self.lines += 1;
        let mut offset = begin;
        let (mut text, is_single_byte) = lines::decoded(bytes);
        if text.contains('\0') {
            text = text.replace('\0', " ");
            flaw = Some(PgnFlaw::Nul);
        }
        // Files joined to one have their marks inside.
        if text.starts_with('\u{feff}') {
            offset += text.remove(0).len_utf8() as u64;
        }
        text.truncate(text.trim_end().len());
        Ok(Some(Line {
            text,
            at: 0,
            number: self.lines,
            begin,
            offset,
            is_single_byte,
            flaw,
        }))
    }

    fn read_game(&mut self) -> io::Result<Option<PgnGame>> {
        let mut draft = Draft::new(self.games + 1);
        let mut end = None;
        loop {
            let line = match self.line.take() {
                Some(line) => Some(line),
                None => self.read_line()?,
            };
            let Some(mut line) = line else { break };
            if line.at == 0 && draft.ends_before(&line.text) {
                end = Some(line.begin);
                self.line = Some(line);
                break;
            }
            draft.read(&mut line);
            if draft.has_ended {
                self.line = (line.at < line.text.len()).then_some(line);
                end = self.line.as_ref().map(|line| line.offset);
                break;
            }
        }
        let mut game = draft.finished();
        if let Some(game) = &mut game {
            game.layout.end = end.unwrap_or(self.bytes);
        }
        Ok(game)
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<PgnGame>;

    fn next(&mut self) -> Option<io::Result<PgnGame>> {
        if self.is_over {
            return None;
        }
        let game = self.read_game().transpose();
        match game {
            Some(Ok(_)) => self.games += 1,
            None | Some(Err(_)) => self.is_over = true,
        }
        game
    }
}

/// Where a comment or a variation was opened.
#[derive(Clone, Copy, Debug)]
struct Opened {
    line: usize,
    plies: usize,
}

/// A game as far as it has been read.
struct Draft {
    number: usize,
    /// The game; `None` before its first tag or move.
    game: Option<PgnGame>,
    /// The position after its moves.
    position: Position,
    /// Whether only tags have been read.
    in_tags: bool,
    /// Whether the game may turn out to be one of Chess960.
    may_be_chess960: bool,
    /// Whether a blank line stands behind them.
    is_blank_behind: bool,
    /// Line of the tag that says what the game begins with, or of the first one.
    tag_line: usize,
    /// The comment that is open.
    comment: Option<Opened>,
    /// The outermost variation that is open.
    variation: Option<Opened>,
    /// How many are.
    depth: usize,
    /// The result that stands last in a variation.
    result_inside: Option<&'static str>,
    /// Whether a number stands before what comes next.
    is_behind_number: bool,
    /// Bytes of the game.
    length: usize,
    has_ended: bool,
}

impl Draft {
    fn new(number: usize) -> Draft {
        Draft {
            number,
            game: None,
            position: Position::initial(),
            in_tags: true,
            may_be_chess960: false,
            is_blank_behind: false,
            tag_line: 0,
            comment: None,
            variation: None,
            depth: 0,
            result_inside: None,
            is_behind_number: false,
            length: 0,
            has_ended: false,
        }
    }

    /// Whether the game is over before a line, because the next one begins there.
    fn ends_before(&self, line: &str) -> bool {
        let Some(game) = &self.game else {
            return false;
        };
        if line.trim().is_empty() {
            // The result, then a blank line: a variation was not closed.
            return self.depth > 0 && self.comment.is_none() && self.result_inside.is_some();
        }
        if !words::is_tag(line) {
            // The next game may begin with an odd tag.
            let is_outside = !self.in_tags && self.comment.is_none() && self.depth == 0;
            return is_outside && words::odd_tag(line).is_some_and(|tag| tag.is_closed);
        }
        let is_known = |name: &str| game.tags.iter().any(|(known, _)| known == name);
        let repeats = || words::tag_name(line).is_some_and(|(name, _)| is_known(name));
        !self.in_tags || self.comment.is_some() || (self.is_blank_behind && repeats())
    }

    /// Reads a line from where it was left, up to its end or that of the game.
    fn read(&mut self, line: &mut Line) {
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
        } else if self.game.is_none() && words::is_tag(line.rest()) {
            // Behind the result of the game before.
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

    /// Cuts the game, if there is one, where a line begins with which something is wrong.
    fn flawed_by(&mut self, line: &Line, plies: usize) {
        if let Some(flaw) = &line.flaw
            && self.game.is_some()
        {
            self.cut(plies, line.number, flaw.clone());
        }
    }

    /// What only a whole line can be: blank, for programs, tags.
    fn begin_line(&mut self, line: &mut Line) {
        if line.text.trim().is_empty() {
            self.is_blank_behind = true;
            return;
        }
        if words::is_tag(&line.text) {
            // One between games that was not closed.
            self.comment = None;
        }
        if self.comment.is_some() {
            return;
        }
        if line.text.starts_with('%') {
            line.finish();
        } else if line.text.trim_start().starts_with('[') {
            self.tags(line);
        }
    }

    /// Reads the tags of a line.
    fn tags(&mut self, line: &mut Line) {
        loop {
            let text = line.rest();
            if !text.trim_start().starts_with('[') {
                return;
            }
            let tag = if self.in_tags {
                self.tag(text, line.number)
            } else {
                None
            };
            let Some((name, value, rest)) = tag else {
                // Between games, brackets hold remarks.
                if self.game.is_some() {
                    let text = words::shortened(text.trim());
                    let reason = PgnFlaw::Tag { text };
                    if self.in_tags {
                        self.note(line.number, reason);
                    } else {
                        self.cut(self.plies(), line.number, reason);
                    }
                }
                line.finish();
                return;
            };
            let length = text.len() - rest.len();
            line.advance(length);
            let end = line.offset;
            let has_room = self.length <= LONGEST_TEXT;
            let game = self.open(line.number);
            if name.eq_ignore_ascii_case("Result") {
                game.result = match value.trim() {
                    words::BOTH_LOST => words::BOTH_LOST,
                    value => words::known_result(value).unwrap_or("*"),
                };
            }
            game.layout.tags_end = Some(end);
            let sets_up = ["FEN", "Variant"]
                .iter()
                .any(|it| name.eq_ignore_ascii_case(it));
            if has_room {
                game.tags.push((name, printable(&value)));
            }
            self.is_blank_behind = false;
            if sets_up {
                self.tag_line = line.number;
            }
        }
    }

    /// Reads the tag at the beginning of a text, its name and value, and what follows it. An odd one is noted. It begins a
    /// game only if it is surely one.
    fn tag<'t>(&mut self, text: &'t str, line: usize) -> Option<(String, String, &'t str)> {
        if let Some(tag) = words::tag(text) {
            return Some(tag);
        }
        let odd = words::odd_tag(text)?;
        let is_usual = ["Event", "Site", "Date", "White", "Black", "FEN"].contains(&&*odd.name);
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

    /// Reads the next piece of the moves, which begins with no blank; tells how long it is, and what.
    fn piece(&mut self, text: &str, line: usize) -> (usize, Piece) {
        if self.comment.is_some() {
            let end = text.find('}');
            if end.is_some() {
                self.comment = None;
            }
            return match end {
                Some(end) => (end + 1, Piece::CommentEnd),
                None => (text.len(), Piece::Comment),
            };
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
                return (1, Piece::CommentBegin);
            }
            b';' => return (text.len(), Piece::LineComment),
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
                return (1, Piece::VariationEnd);
            }
            sign @ (b'(' | b')' | b'}') => {
                if self.game.is_some() {
                    let sign = char::from(sign);
                    self.cut(opened.plies, line, PgnFlaw::Unopened { sign });
                }
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || "{}();".contains(c);
                let mut length = text.find(is_end).unwrap_or(text.len());
                // The result may be glued to the last move: `h6*`.
                if length > 1 && text[..length].ends_with('*') {
                    length -= 1;
                }
                let plies = self.plies();
                self.word(&text[..length], line);
                let piece = if self.plies() > plies {
                    Piece::Move
                } else {
                    Piece::Word
                };
                return (length, piece);
            }
        }
        (1, Piece::Word)
    }

    fn word(&mut self, word: &str, line: usize) {
        let read = words::read(word);
        if self.depth > 0 {
            self.result_inside = match read {
                Word::Result(result) => Some(result),
                _ => None,
            };
            return;
        }
        let is_numbered = words::is_numbered(word);
        let is_behind_number = std::mem::replace(&mut self.is_behind_number, is_numbered);
        let begins = match read {
            Word::Move(_) => word.contains(|c: char| ('1'..='8').contains(&c)),
            Word::Stray => (is_behind_number || is_numbered) && words::resembles_move(word),
            Word::Nothing | Word::Result(_) => false,
        };
        if self.game.is_none() && !begins {
            // What stands between games.
            return;
        }
        self.open(line);
        self.leave_tags();
        let plies = self.plies();
        match read {
            Word::Nothing => {}
            Word::Result(result) => self.end(result),
            Word::Stray => {
                let word = words::shortened(word);
                self.cut(plies, line, PgnFlaw::Word { word });
            }
            Word::Move(_) if self.is_flawed() => {}
            Word::Move(_) if plies == MOST_PLIES => self.cut(plies, line, PgnFlaw::TooManyMoves),
            Word::Move(written) => match self.legal(&written) {
                Ok(m) => {
                    self.position.play_recorded(m);
                    if let Some(game) = &mut self.game {
                        game.moves.push(m);
                    }
                }
                Err(_) if word == words::BOTH_LOST && self.is_lost_by_both() => {
                    self.end(words::BOTH_LOST);
                }
                Err(misfit) => {
                    let word = words::shortened(word);
                    let error = MoveError::misfit(misfit, &word, &self.position);
                    self.cut(plies, line, error.into());
                }
            },
        }
    }

    /// The game is over, with a result.
    fn end(&mut self, result: &'static str) {
        if let Some(game) = &mut self.game {
            game.result = result;
        }
        self.has_ended = true;
    }

    /// Whether `0-0` may be the result: the tags say so, or nobody has moved.
    fn is_lost_by_both(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|it| it.moves.is_empty() || it.result == words::BOTH_LOST)
    }

    /// The move that a word means here. A pass is refused in check. Castling as only Chess960 knows it makes the game one of
    /// Chess960, unless a tag says otherwise.
    fn legal(&mut self, written: &Written) -> Result<Move, Misfit> {
        if written.is_pass() {
            let may_pass = self.position.checkers.is_empty();
            return if may_pass {
                Ok(Move::PASS)
            } else {
                Err(Misfit::Illegal)
            };
        }
        let found = written.in_position(&self.position);
        if let (Err(_), Some(game)) = (found, &mut self.game)
            && self.may_be_chess960
            && let Some(fen) = game.tag("FEN")
            && let Ok(FenPosition {
                position: start, ..
            }) = read_fen(fen, Castling::Chess960)
        {
            let mut position = start.clone();
            game.moves.iter().for_each(|&m| position.play_recorded(m));
            if let Ok(m) = written.in_position(&position)
                && m.is_castle()
            {
                self.may_be_chess960 = false;
                self.position = position;
                game.start = start;
                let is_other = |it: &PgnError| !matches!(it.reason, PgnFlaw::Castling(_));
                game.oddities.retain(is_other);
                return Ok(m);
            }
        }
        found
    }

    /// The game, begun in this line if it has not yet.
    fn open(&mut self, line: usize) -> &mut PgnGame {
        if self.game.is_none() {
            self.tag_line = line;
            self.length = 0;
        }
        self.game.get_or_insert_with(|| PgnGame::new(self.number))
    }

    fn plies(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.moves.len())
    }

    fn is_flawed(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.flaw.is_some())
    }

    /// The game ends after so many plies, because something is wrong there. What is wrong first counts.
    fn cut(&mut self, plies: usize, line: usize, reason: PgnFlaw) {
        let error = self.error(plies, line, reason);
        if let Some(game) = &mut self.game
            && game.flaw.is_none()
        {
            game.moves.truncate(plies);
            game.layout.moves.truncate(plies);
            game.flaw = Some(error);
        }
    }

    /// Something is odd, and the game goes on.
    fn note(&mut self, line: usize, reason: PgnFlaw) {
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
            _ => Place::Tags,
        };
        PgnError {
            line,
            game: self.number,
            place,
            reason,
        }
    }

    /// The tags are over: sets up the position that they tell of.
    fn leave_tags(&mut self) {
        let Some(game) = self.game.as_ref().filter(|_| self.in_tags) else {
            return;
        };
        let fen = game.tag("FEN");
        let has_letters = fen.is_some_and(has_file_letters);
        let variant = game.tag("Variant");
        let set_up = match variant.map_or(Variant::Unnamed, Variant::named) {
            Variant::Other => Err(PgnFlaw::Variant {
                name: words::shortened(variant.unwrap_or_default()),
            }),
            Variant::Chess(castling) => Ok((castling, false)),
            Variant::Unnamed => Ok((Castling::of(has_letters), !has_letters)),
        };
        let set_up = set_up.and_then(|(castling, may_be_chess960)| {
            let read = fen.map(|fen| read_fen(fen, castling)).transpose()?;
            Ok((read, may_be_chess960))
        });
        match set_up {
            Ok((Some(FenPosition { position, dropped }), may_be_chess960)) => {
                self.may_be_chess960 = may_be_chess960;
                self.position = position.clone();
                if let Some(game) = &mut self.game {
                    game.start = position;
                }
                if let Some(dropped) = dropped {
                    self.note(self.tag_line, PgnFlaw::Castling(dropped));
                }
            }
            Ok((None, _)) => {}
            // The position is a wrong one: no move makes sense.
            Err(flaw) => self.cut(0, self.tag_line, flaw),
        }
        self.in_tags = false;
    }

    /// The game, if there was one.
    fn finished(mut self) -> Option<PgnGame> {
        self.leave_tags();
        // A comment that is open hides the end of a variation.
        if let Some(Opened { line, plies }) = self.comment {
            self.cut(
                plies,
                line,
                PgnFlaw::Unclosed {
                    what: "comment '{'",
                },
            );
        } else if let Some(Opened { line, plies }) = self.variation {
            self.cut(
                plies,
                line,
                PgnFlaw::Unclosed {
                    what: "variation '('",
                },
            );
        }
        let mut game = self.game?;
        if let Some(result) = self.result_inside {
            game.result = result;
        }
        Some(game)
    }
}
