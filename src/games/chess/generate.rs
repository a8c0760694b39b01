//! Legal move generation in stages: captures and promotions, quiet moves, quiet checks.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::checks::Checks;
use super::moves::Move;
use super::position::{Position, castling_targets};
use crate::game::Moves;

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// A position, with data that the generation of all its moves shares.
struct Generator<'a> {
    position: &'a Position,
    king: Square,
    /// Targets that answer the check, for pieces other than the king; all squares without a check.
    evasions: Bitboard,
}

impl Generator<'_> {
    /// Whether a piece other than the king may leave `from` for `to` without exposing the king.
    #[inline]
    fn is_safe(&self, from: Square, to: Square) -> bool {
        !self.position.pinned.contains(from) || attacks::ray(self.king, from).contains(to)
    }

    /// The piece captured on a target; none where only quiet moves are generated.
    #[inline]
    fn victim<const CAPTURES: bool>(&self, to: Square) -> Option<Role> {
        if CAPTURES {
            self.position.role_at(to)
        } else {
            None
        }
    }

    fn king_moves<const CAPTURES: bool>(&self, targets: Bitboard, moves: &mut Moves<Move>) {
        for to in attacks::king_attacks(self.king) & targets {
            if self.position.king_is_safe_on(to) {
                let capture = self.victim::<CAPTURES>(to);
                moves.push(Move::normal(Role::King, self.king, to, capture, None));
            }
        }
    }

    fn piece_moves<const CAPTURES: bool>(&self, targets: Bitboard, moves: &mut Moves<Move>) {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.position.by_piece(self.position.turn, role) {
                let mut reach = self.position.reach(role, from) & targets;
                if self.position.pinned.contains(from) {
                    reach &= attacks::ray(self.king, from);
                }
                for to in reach {
                    let capture = self.victim::<CAPTURES>(to);
                    moves.push(Move::normal(role, from, to, capture, None));
                }
            }
        }
    }

    fn push_pawn(&self, from: Square, to: Square, capture: Option<Role>, moves: &mut Moves<Move>) {
        if !self.is_safe(from, to) {
            return;
        }
        if matches!(to.rank(), Rank::First | Rank::Eighth) {
            for role in PROMOTIONS {
                moves.push(Move::normal(Role::Pawn, from, to, capture, Some(role)));
            }
        } else {
            moves.push(Move::normal(Role::Pawn, from, to, capture, None));
        }
    }

    fn pawn_captures(&self, moves: &mut Moves<Move>) {
        let us = self.position.turn;
        let targets = self.position.by_color(!us) & self.evasions;
        for from in self.position.by_piece(us, Role::Pawn) {
            for to in attacks::pawn_attacks(us, from) & targets {
                self.push_pawn(from, to, self.position.role_at(to), moves);
            }
        }
        if let Some(to) = self.position.en_passant {
            for from in attacks::pawn_attacks(!us, to) & self.position.by_piece(us, Role::Pawn) {
                if self.position.en_passant_is_legal(from, to) {
                    moves.push(Move::en_passant(from, to));
                }
            }
        }
    }

    /// Adds the single and double steps of pawns to `targets`.
    fn pawn_pushes(&self, targets: Bitboard, moves: &mut Moves<Move>) {
        let us = self.position.turn;
        let pawns = self.position.by_piece(us, Role::Pawn);
        let empty = !self.position.occupied();
        let single = forward(us, pawns) & empty;
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
        let double = forward(us, single & third) & empty;
        for to in single & targets {
            self.push_pawn(behind(us, to, 1), to, None, moves);
        }
        for to in double & targets {
            self.push_pawn(behind(us, to, 2), to, None, moves);
        }
    }

    fn castling_moves(&self, moves: &mut Moves<Move>) {
        let position = self.position;
        for rook in position.castling & position.by_color(position.turn) {
            if position.castling_is_legal(self.king, rook) {
                moves.push(Move::castle(self.king, rook));
            }
        }
    }

    /// Captures and promotions.
    fn captures(&self, moves: &mut Moves<Move>) {
        let theirs = self.position.by_color(!self.position.turn);
        self.pawn_captures(moves);
        self.pawn_pushes(self.evasions & Bitboard::BACKRANKS, moves);
        self.piece_moves::<true>(theirs & self.evasions, moves);
        self.king_moves::<true>(theirs, moves);
    }

    /// All other moves.
    fn quiets(&self, moves: &mut Moves<Move>) {
        let empty = !self.position.occupied();
        if self.position.checkers.is_empty() {
            self.castling_moves(moves);
        }
        self.piece_moves::<false>(empty & self.evasions, moves);
        self.pawn_pushes(self.evasions & !Bitboard::BACKRANKS, moves);
        self.king_moves::<false>(empty, moves);
    }
}

impl Position {
    fn generator(&self) -> Generator<'_> {
        let king = self.king_of(self.turn);
        let evasions = match self.checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker),
            // Against two checkers only the king can move.
            None if self.checkers.any() => Bitboard::EMPTY,
            None => Bitboard::FULL,
        };
        Generator {
            position: self,
            king,
            evasions,
        }
    }

    /// All legal moves: captures and promotions first, then quiet moves.
    pub fn all_moves(&self) -> Moves<Move> {
        let generator = self.generator();
        let mut moves = Moves::new();
        generator.captures(&mut moves);
        generator.quiets(&mut moves);
        moves
    }

    /// Appends legal captures and promotions.
    pub fn add_capture_moves(&self, moves: &mut Moves<Move>) {
        self.generator().captures(moves);
    }

    /// Appends legal moves that neither capture nor promote.
    pub fn add_quiet_moves(&self, moves: &mut Moves<Move>) {
        self.generator().quiets(moves);
    }

    /// Appends legal quiet moves that give check; the side to move must not be in check itself.
    pub fn add_quiet_checks(&self, moves: &mut Moves<Move>) {
        let us = self.turn;
        let empty = !self.occupied();
        let generator = self.generator();
        let checks = Checks::new(self);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let direct = checks.squares(role);
            for from in self.by_piece(us, role) {
                let targets = direct | checks.discovered(from);
                for to in self.reach(role, from) & targets & empty {
                    if generator.is_safe(from, to) {
                        moves.push(Move::normal(role, from, to, None, None));
                    }
                }
            }
        }
        let mut rest = Moves::new();
        generator.pawn_pushes(!Bitboard::BACKRANKS, &mut rest);
        generator.king_moves::<false>(empty & checks.discovered(generator.king), &mut rest);
        generator.castling_moves(&mut rest);
        moves.extend(rest.iter().copied().filter(|&m| checks.given_by(self, m)));
    }

    /// Whether there is a legal move at all.
    pub fn any_legal_move(&self) -> bool {
        let generator = self.generator();
        // Most positions have a pawn that can step ahead.
        let pawns = self.by_piece(self.turn, Role::Pawn) & !self.pinned;
        if (forward(self.turn, pawns) & !self.occupied() & generator.evasions).any() {
            return true;
        }
        let mut moves = Moves::new();
        generator.pawn_pushes(generator.evasions, &mut moves);
        // Only whether there is a move matters, so captured pieces are not looked up.
        let targets = !self.by_color(self.turn);
        generator.king_moves::<false>(targets, &mut moves);
        generator.piece_moves::<false>(targets & generator.evasions, &mut moves);
        generator.pawn_captures(&mut moves);
        if self.checkers.is_empty() {
            generator.castling_moves(&mut moves);
        }
        !moves.is_empty()
    }

    /// Squares a piece (not a pawn) attacks from a square.
    #[inline]
    pub(super) fn reach(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => Bitboard::EMPTY,
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, self.occupied()),
            Role::Rook => attacks::rook_attacks(from, self.occupied()),
            Role::Queen => attacks::queen_attacks(from, self.occupied()),
            Role::King => attacks::king_attacks(from),
        }
    }

    /// Whether the king of the side to move would be safe on `square`.
    #[inline]
    fn king_is_safe_on(&self, square: Square) -> bool {
        let without_king = self.occupied() & !self.by_piece(self.turn, Role::King);
        self.attackers(square, !self.turn, without_king).is_empty()
    }

    /// Whether castling is legal for a side that has the right to and is not in check.
    fn castling_is_legal(&self, king: Square, rook: Square) -> bool {
        let [king_to, rook_to] = castling_targets(king, rook);
        let movers = Bitboard::from_square(king).with(rook);
        let path = attacks::between(king, king_to).with(king_to)
            | attacks::between(rook, rook_to).with(rook_to);
        if (path & self.occupied() & !movers).any() {
            return false;
        }
        let occupied = self.occupied() & !movers;
        let crossed = attacks::between(king, king_to);
        let attacked = |square, occupied| self.attackers(square, !self.turn, occupied).any();
        // The rook has moved by the time the king stands on its target, not before.
        !attacked(king_to, occupied.with(rook_to))
            && !crossed
                .into_iter()
                .any(|square| attacked(square, occupied.with(rook)))
    }

    /// The legal move with a [`Move::code`], if any, without generating all moves.
    pub fn decode(&self, code: u16) -> Option<Move> {
        let from = Square::new(u32::from(code) & 63);
        let to = Square::new(u32::from(code) >> 6 & 63);
        let us = self.turn;
        let ours = self.by_color(us);
        if from == to || !ours.contains(from) {
            return None;
        }
        let role = self.role_at(from)?;
        let generator = self.generator();
        let promotes = code >> 12 != 0;
        if ours.contains(to) {
            let legal = role == Role::King
                && !promotes
                && self.checkers.is_empty()
                && self.castling.contains(to)
                && self.castling_is_legal(from, to);
            return legal.then(|| Move::castle(from, to));
        }
        if role == Role::Pawn {
            let mut moves = Moves::new();
            if to.file() == from.file() {
                generator.pawn_pushes(generator.evasions & Bitboard::from_square(to), &mut moves);
            } else {
                generator.pawn_captures(&mut moves);
            }
            return moves.into_iter().find(|m| m.code() == code);
        }
        let m = Move::normal(role, from, to, self.role_at(to), None);
        let legal = !promotes
            && self.reach(role, from).contains(to)
            && if role == Role::King {
                self.king_is_safe_on(to)
            } else {
                generator.evasions.contains(to) && generator.is_safe(from, to)
            };
        legal.then_some(m)
    }
}

/// The squares one step ahead of `squares` as `color` sees them.
#[inline]
fn forward(color: Color, squares: Bitboard) -> Bitboard {
    color.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8))
}

/// The square `steps` behind `square` as `color` sees it.
#[inline]
fn behind(color: Color, square: Square, steps: u32) -> Square {
    let index = square as u32;
    Square::new(if color == Color::White {
        index - 8 * steps
    } else {
        index + 8 * steps
    })
}
