//! Movetext of a game being read: each word in its position, and the initial position from the tags.

use super::draft::Draft;
use super::words::{self, Word};
use super::{PgnError, PgnFlaw, castling_in};
use crate::games::chess::Move;
use crate::games::chess::notation::written::{Misfit, Written};
use crate::games::chess::notation::{Castling, FenPosition, MoveError, has_file_letters, read_fen};

/// Longest game, in plies. The seventy-five-move rule limits games to 17,697.
const MOST_PLIES: usize = 20_000;

impl Draft {
    /// Handles a word of the movetext.
    pub(super) fn word(&mut self, word: &str, line: usize) {
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
            // Text between games.
            return;
        }
        self.open(line);
        self.leave_tags();
        if is_numbered && !matches!(read, Word::Result(_)) {
            self.compare_number(word, line);
        }
        let plies = self.plies();
        match read {
            Word::Nothing => {}
            Word::Result(result) => self.end(result),
            Word::Stray => {
                let word = words::shortened(word);
                self.cut(plies, line, PgnFlaw::Word(word));
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

    /// Notes the first wrong move number, except in games from a position, which often count from 1.
    fn compare_number(&mut self, word: &str, line: usize) {
        let digits = word
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(word.len());
        let due = self.position.fullmoves();
        if let Some(game) = &self.game
            && !self.is_number_noted
            && game.tag("FEN").is_none()
            && let Ok(found) = word[..digits].parse()
            && found != due
        {
            self.is_number_noted = true;
            self.note(line, PgnFlaw::Number { found, due });
        }
    }

    /// Ends the game with a result.
    fn end(&mut self, result: &'static str) {
        if let Some(game) = &mut self.game {
            game.result = result;
        }
        self.has_ended = true;
    }

    /// Whether `0-0` can be the result: the tags say so, or no move was played.
    fn is_lost_by_both(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|it| it.moves.is_empty() || it.result == words::BOTH_LOST)
    }

    /// The move that a word means here. A pass in check is illegal. Castling that only Chess960 allows makes the game
    /// one of Chess960, unless a tag says otherwise.
    fn legal(&mut self, written: &Written) -> Result<Move, Misfit> {
        if written.is_pass() {
            let may_pass = self.position.checkers.is_empty();
            return may_pass.then_some(Move::PASS).ok_or(Misfit::Illegal);
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

    /// Ends the tags and sets up their initial position.
    pub(super) fn leave_tags(&mut self) {
        let Some(game) = self.game.as_ref().filter(|_| self.in_tags) else {
            return;
        };
        let fen = game.tag("FEN");
        let has_letters = fen.is_some_and(has_file_letters);
        let named = game.tag("Variant").map_or(Ok(None), castling_in);
        let set_up = named.and_then(|named| {
            let castling = named.unwrap_or(Castling::of(has_letters));
            let read = fen.map(|fen| read_fen(fen, castling)).transpose()?;
            Ok((read, named))
        });
        match set_up {
            Ok((Some(FenPosition { position, dropped }), named)) => {
                self.may_be_chess960 = named.is_none() && !has_letters;
                self.position = position.clone();
                if let Some(game) = &mut self.game {
                    game.start = position;
                }
                if let Some(dropped) = dropped {
                    self.note(self.tag_line, PgnFlaw::Castling(dropped));
                }
            }
            Ok((None, _)) => {}
            // In a wrong position no move makes sense.
            Err(flaw) => self.cut(0, self.tag_line, flaw),
        }
        self.in_tags = false;
    }
}
