//! Movetext of a game being read: each word in its position, and the result.

use super::draft::Draft;
use super::start::meant;
use super::words::{self, Word};
use super::{PgnError, PgnFlaw, PgnPlace};
use crate::game::Game as _;
use crate::games::chess::Move;
use crate::games::chess::notation::written::{Misfit, Written};
use crate::games::chess::notation::{Castling, FenPosition, MoveError, read_fen};
use crate::value::Value;

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
            Word::Move(written) => self.play(&written, word, line),
        }
    }

    /// Plays a move, or ends the game there if it does not fit.
    fn play(&mut self, written: &Written, word: &str, line: usize) {
        self.follow(written);
        match self.legal(written) {
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
                self.cut(self.plies(), line, error.into());
                self.begin_anew();
            }
        }
    }

    /// Notes the first wrong move number, except in games from a position, which often count from 1.
    fn compare_number(&mut self, word: &str, line: usize) {
        self.follow_number(word);
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
        self.result_behind = Some(result);
        self.has_ended = true;
    }

    /// Decides between the result in the tag and the one behind the moves, and notes a contradiction.
    pub(super) fn settle_result(&mut self) {
        let (Some(game), Some(behind)) = (&mut self.game, self.result_behind) else {
            return;
        };
        let tag = game.result;
        if behind == "*" || behind == tag {
            return;
        }
        if tag == "*" {
            game.result = behind;
            return;
        }
        // What has happened on the board nobody can have noted otherwise.
        let last = game.flaw.is_none().then(|| self.position.outcome());
        let proven = match last.flatten() {
            Some(Value::LOSS) if self.position.is_black_to_move() => "1-0",
            Some(Value::LOSS) => "0-1",
            Some(_) => "1/2-1/2",
            None => tag,
        };
        let counts = if proven == behind { behind } else { tag };
        game.result = counts;
        let odd = PgnError {
            line: self.result_line,
            game: self.number,
            place: PgnPlace::Tags,
            reason: PgnFlaw::Results {
                tag,
                behind,
                counts,
            },
        };
        game.oddities.push(odd);
    }

    /// Whether `0-0` can be the result: the tags say so, or no move was played.
    fn is_lost_by_both(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|it| it.moves.is_empty() || it.result == words::BOTH_LOST)
    }

    /// The move that a word means here. Castling that only Chess960 allows makes the game one of Chess960, unless a tag
    /// says otherwise.
    fn legal(&mut self, written: &Written) -> Result<Move, Misfit> {
        let found = meant(written, &self.position);
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
}
