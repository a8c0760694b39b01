//! The position that a game begins with: the one of its tag `FEN`, unless the moves show that this is wrong.
//!
//! Some programs put the last position, or another one, into the tag, while the moves begin with the initial position.
//! So the moves of such a game are followed from both. Where they do not fit the tag's position, the game goes on from
//! the initial one; at its end this counts if all moves fitted, and if none fitted the tag's position or that position
//! was reached.

use super::draft::Draft;
use super::{PgnError, PgnFlaw, PgnPlace, castling_in};
use crate::games::chess::notation::written::{Misfit, Written};
use crate::games::chess::notation::{Castling, FenPosition, has_file_letters, read_fen, to_fen};
use crate::games::chess::{Move, Position};

/// The game from the tag's position, up to the move that does not fit.
#[derive(Debug)]
pub(super) struct FromTag {
    start: Position,
    moves: Vec<Move>,
    flaw: PgnError,
}

impl Draft {
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
                self.set_up(position);
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

    fn set_up(&mut self, position: Position) {
        let initial = Position::initial();
        if board(&position) != board(&initial) {
            self.from_initial = Some((initial, Vec::new()));
        }
        self.position = position.clone();
        if let Some(game) = &mut self.game {
            game.start = position;
        }
    }

    /// Compares a move number with the game from the initial position.
    pub(super) fn follow_number(&mut self, word: &str) {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let number: Option<u32> = word[..word.len() - digits.len()].parse().ok();
        let is_black = digits.starts_with("..") || digits.starts_with('…');
        self.from_initial.take_if(|(position, _)| {
            number.is_some_and(|it| it != position.fullmoves())
                || is_black && !position.is_black_to_move()
        });
    }

    /// Plays a move in the game from the initial position, as long as the moves fit it.
    pub(super) fn follow(&mut self, written: &Written) {
        self.from_initial.take_if(|(position, moves)| {
            let meant = meant(written, position);
            if let Ok(m) = meant {
                position.play_recorded(m);
                moves.push(m);
            }
            meant.is_err()
        });
    }

    /// Goes on from the initial position, if the moves fit that, in place of the flaw that was found.
    pub(super) fn begin_anew(&mut self) {
        if let Some((position, moves)) = self.from_initial.take()
            && let Some(game) = &mut self.game
            && let Some(flaw) = game.flaw.take()
        {
            self.position = position;
            self.may_be_chess960 = false;
            self.from_tag = Some(FromTag {
                start: std::mem::take(&mut game.start),
                moves: std::mem::replace(&mut game.moves, moves),
                flaw,
            });
        }
    }

    /// Decides at the end of a game with which position it begins.
    pub(super) fn settle_start(&mut self) {
        let Some(from_tag) = self.from_tag.take() else {
            return;
        };
        let (line, number) = (self.tag_line, self.number);
        let is_last = board(&self.position) == board(&from_tag.start);
        let Some(game) = &mut self.game else {
            return;
        };
        let flaw = game.flaw.as_ref().map(|it| &it.reason);
        let do_fit = !matches!(flaw, Some(PgnFlaw::Move(_) | PgnFlaw::Word(_)));
        if do_fit && (is_last || from_tag.moves.is_empty()) {
            let is_other = |it: &PgnError| !matches!(it.reason, PgnFlaw::Castling(_));
            game.oddities.retain(is_other);
            let reason = if is_last {
                PgnFlaw::FinalPosition
            } else {
                PgnFlaw::OtherPosition
            };
            let odd = PgnError {
                line,
                game: number,
                place: PgnPlace::Tags,
                reason,
            };
            game.oddities.insert(0, odd);
        } else {
            game.layout.moves.truncate(from_tag.moves.len());
            game.start = from_tag.start;
            game.moves = from_tag.moves;
            game.flaw = Some(from_tag.flaw);
        }
    }
}

/// The move that a word means in a position. A pass in check is illegal.
pub(super) fn meant(written: &Written, position: &Position) -> Result<Move, Misfit> {
    if written.is_pass() {
        let may_pass = position.checkers.is_empty();
        return may_pass.then_some(Move::PASS).ok_or(Misfit::Illegal);
    }
    written.in_position(position)
}

/// The pieces and the side to move, as in a FEN.
fn board(position: &Position) -> String {
    let fen = to_fen(position);
    fen.split(' ').take(2).collect::<Vec<&str>>().join(" ")
}
