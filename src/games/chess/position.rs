//! Chess positions.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Position as _};

use super::moves::Move;
use crate::game::{Game, Moves, Side};
use crate::value::Value;

/// A chess position: board, side to move, rights, clocks and key.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: u64,
}

impl Position {
    /// The initial position of standard chess.
    pub fn initial() -> Position {
        Position::from_shakmaty(Chess::default())
    }

    /// A position of the rules library.
    pub fn from_shakmaty(chess: Chess) -> Position {
        let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        Position { chess, key }
    }

    /// This position in the rules library's form.
    pub fn to_shakmaty(&self) -> Chess {
        self.chess.clone()
    }
}

impl Game for Position {
    type Move = Move;

    const HISTORY_SLOTS: usize = 2 * 6 * 64;

    fn key(&self) -> u64 {
        self.key
    }

    fn side_to_move(&self) -> Side {
        if self.chess.turn() == Color::White {
            Side::First
        } else {
            Side::Second
        }
    }

    fn legal_moves(&self) -> Moves<Move> {
        self.chess
            .legal_moves()
            .iter()
            .map(|&m| Move::from_shakmaty(m))
            .collect()
    }

    fn play(&mut self, m: Move) {
        self.chess.play_unchecked(m.to_shakmaty());
        self.key = self.chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
    }

    fn terminal_value(&self) -> Value {
        if self.in_check() {
            Value::LOSS
        } else {
            Value::DRAW
        }
    }

    fn is_drawn_by_rule(&self) -> bool {
        self.chess.halfmoves() >= 100 || self.chess.is_insufficient_material()
    }

    fn plies_to_rule_draw(&self) -> usize {
        100usize.saturating_sub(self.reversible_plies())
    }

    fn reversible_plies(&self) -> usize {
        self.chess.halfmoves() as usize
    }

    fn in_check(&self) -> bool {
        self.chess.is_check()
    }

    fn is_quiet(&self, m: Move) -> bool {
        m.is_quiet()
    }

    fn move_code(m: Move) -> u16 {
        m.code()
    }
}
