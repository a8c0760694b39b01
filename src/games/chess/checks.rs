//! Tests whether moves give check: a single move, or many moves of a position with the common work done once.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::position::{castling_targets, en_passant_victim};
use super::{Move, Position};

/// Squares and pieces with which the side to move can give check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks {
    us: Color,
    /// The king to be checked.
    king: Square,
    /// Squares from which a rook attacks it as the position is.
    rook: Bitboard,
    /// Squares from which a bishop does.
    bishop: Bitboard,
    /// Pieces of the side to move, each alone between a slider of the same side and the king: one that leaves that
    /// line discovers a check.
    discoverers: Bitboard,
}

impl Checks {
    pub(super) fn new(position: &Position) -> Checks {
        let us = position.turn();
        let king = position.king_of(!us);
        let occupied = position.occupied();
        Checks {
            us,
            king,
            rook: attacks::rook_attacks(king, occupied),
            bishop: attacks::bishop_attacks(king, occupied),
            discoverers: position.around_king(!us).1 & position.by_color(us),
        }
    }

    /// Squares from which a piece of this kind attacks the king. The square that the piece leaves counts
    /// as occupied. That does no harm: it could matter only to a slider that moves along its line to the king, and that
    /// one stays blocked or captures the blocker.
    #[inline]
    pub(super) fn squares(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(!self.us, self.king),
            Role::Knight => attacks::knight_attacks(self.king),
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.rook | self.bishop,
            Role::King => Bitboard::EMPTY,
        }
    }

    /// Targets to which a move from this square gives a discovered check.
    #[inline]
    pub(super) fn discovered(&self, from: Square) -> Bitboard {
        if self.discoverers.contains(from) {
            !attacks::ray(self.king, from)
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    pub(super) fn given_by(&self, position: &Position, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() || m.promotion().is_some() {
            return position.is_checking(m);
        }
        (self.squares(m.role()) | self.discovered(m.from())).contains(m.to())
    }
}

impl Position {
    /// Whether a legal move gives check.
    #[inline]
    pub fn is_checking(&self, m: Move) -> bool {
        let us = self.turn;
        let king = self.king_of(!us);
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let [king_to, rook_to] = castling_targets(from, to);
            let occupied = (self.occupied().without(from).without(to))
                .with(king_to)
                .with(rook_to);
            return attacks::rook_attacks(rook_to, occupied).contains(king);
        }
        let mut occupied = self.occupied().without(from).with(to);
        if m.is_en_passant() {
            occupied = occupied.without(en_passant_victim(from, to));
        }
        let direct = match m.promotion().unwrap_or(m.role()) {
            Role::Pawn => attacks::pawn_attacks(us, to),
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Queen => attacks::queen_attacks(to, occupied),
            Role::King => Bitboard::EMPTY,
        };
        let uncovered = self.by_color(us).without(from).without(to);
        direct.contains(king)
            || (m.is_en_passant() || attacks::queen_attacks(king, Bitboard::EMPTY).contains(from))
                && (self.sliders_on(king, occupied) & uncovered).any()
    }
}
