//! A position with what all parts of the evaluation need to know about it: who attacks what.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::bits;
use crate::games::chess::Position;

/// How hard one side presses on the enemy king.
#[derive(Clone, Copy, Default)]
pub(super) struct Pressure {
    /// Pieces that attack a square about the king.
    pub(super) attackers: usize,
    /// Points for them, more for the stronger pieces and for every square.
    pub(super) points: usize,
}

/// A position and its attacks. Those of pawns and kings are there from the start, pieces
/// [note](Board::note) theirs.
pub(super) struct Board<'a> {
    pub(super) position: &'a Position,
    pub(super) occupied: Bitboard,
    pub(super) kings: [Square; 2],
    /// Squares about each king, its own included.
    pub(super) king_zone: [Bitboard; 2],
    /// Attacked by color and kind.
    attacked_by: [[Bitboard; 6]; 2],
    /// Attacked by anything of a color.
    pub(super) attacked: [Bitboard; 2],
    /// Attacked twice or more by a color.
    pub(super) attacked_twice: [Bitboard; 2],
    /// Pressure of each color on the other's king.
    pub(super) pressure: [Pressure; 2],
}

impl<'a> Board<'a> {
    pub(super) fn new(position: &'a Position) -> Board<'a> {
        let kings = [
            position.king_of(Color::Black),
            position.king_of(Color::White),
        ];
        let mut board = Board {
            position,
            occupied: position.occupied(),
            kings,
            king_zone: [Bitboard::EMPTY; 2],
            attacked_by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            attacked_twice: [Bitboard::EMPTY; 2],
            pressure: [Pressure::default(); 2],
        };
        for color in Color::ALL {
            let pawns = board.pieces(color, Role::Pawn);
            board.note(color, Role::Pawn, bits::pawn_attacks(color, pawns));
            let king = board.kings[color as usize];
            let ring = attacks::king_attacks(king);
            board.note(color, Role::King, ring);
            board.king_zone[color as usize] = ring | bits::up(color, ring) | king;
        }
        board
    }

    /// Pieces of one kind and color.
    #[inline]
    pub(super) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.position.by_piece(color, role)
    }

    /// A piece of this kind attacks these squares.
    #[inline]
    pub(super) fn note(&mut self, color: Color, role: Role, squares: Bitboard) {
        let color = color as usize;
        self.attacked_by[color][role as usize - 1] |= squares;
        self.attacked_twice[color] |= self.attacked[color] & squares;
        self.attacked[color] |= squares;
    }

    /// What pieces of one kind and color attack.
    #[inline]
    pub(super) fn attacked_by(&self, color: Color, role: Role) -> Bitboard {
        self.attacked_by[color as usize][role as usize - 1]
    }
}
