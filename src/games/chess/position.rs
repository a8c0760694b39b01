//! Chess positions: bitboards, rights, clocks and key, kept up to date move by move.
//!
//! The rules library supplies attack tables, text formats and validation. The position type is our own because a search
//! needs what the library's lacks: a cheap null move, generation in stages, and checkers, key and last move kept up to
//! date. `tests/chess_rules.rs` compares the two.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup,
    Position as _, Rank, Role, Setup, Square, attacks,
};

use super::material::material;
use super::moves::Move;
use super::zobrist;
use crate::game::{PARTS, Root};

/// The pieces on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    /// By kind, from pawn to king.
    pub(super) roles: [Bitboard; 6],
    /// Black's, then White's.
    pub(super) colors: [Bitboard; 2],
}

impl Pieces {
    /// The empty board.
    pub(super) const NONE: Pieces = Pieces {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };
}

/// A legal chess position.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) pieces: Pieces,
    /// Squares of the rooks that may still castle.
    pub(super) castling: Bitboard,
    /// Pieces that give check to the side to move.
    pub(super) checkers: Bitboard,
    /// Pieces of the side to move that alone stand between their king and a slider.
    pub(super) pinned: Bitboard,
    key: u64,
    /// The last move, and the key of the position before it; a pass and 0 if they are not known.
    pub(super) last: (Move, u64),
    /// Hashes of the pawns, of Black's other pieces and of White's.
    pub(super) part_keys: [u64; PARTS],
    fullmoves: u32,
    halfmoves: u16,
    pub(super) turn: Color,
    /// Target of en passant captures; set only if one is legal, so that equal keys mean equal moves.
    pub(super) en_passant: Option<Square>,
}

impl Position {
    /// The initial position of standard chess.
    pub fn initial() -> Position {
        Position::from_shakmaty(&Chess::default())
    }

    /// Converts a position of the rules library.
    pub fn from_shakmaty(chess: &Chess) -> Position {
        let (roles, colors) = chess.board().clone().into_bitboards();
        let mut position = Position {
            pieces: Pieces::NONE,
            castling: chess.castles().castling_rights(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            key: 0,
            last: (Move::PASS, 0),
            part_keys: [0; PARTS],
            fullmoves: chess.fullmoves().get(),
            halfmoves: u16::try_from(chess.halfmoves()).unwrap_or(u16::MAX),
            turn: chess.turn(),
            en_passant: chess.ep_square(EnPassantMode::Legal),
        };
        for color in Color::ALL {
            for role in Role::ALL {
                for square in *colors.get(color) & *roles.get(role) {
                    position.toggle(color, role, square);
                }
            }
        }
        for rook in position.castling {
            position.key ^= zobrist::castling(rook);
        }
        if let Some(square) = position.en_passant {
            position.key ^= zobrist::en_passant(square);
        }
        if position.turn == Color::Black {
            position.key ^= zobrist::turn();
        }
        position.find_checkers_and_pins();
        position
    }

    /// This position in the rules library's form.
    pub fn to_shakmaty(&self) -> Chess {
        let roles = ByRole::new_with(|role| self.by_role(role));
        let colors = ByColor::new_with(|color| self.by_color(color));
        let board = Board::try_from_bitboards(roles, colors)
            .unwrap_or_else(|_| unreachable!("bitboards of a position do not overlap"));
        let mut setup = Setup::empty();
        setup.board = board;
        setup.turn = self.turn;
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant;
        setup.halfmoves = u32::from(self.halfmoves);
        setup.fullmoves = self
            .fullmoves
            .try_into()
            .unwrap_or(std::num::NonZeroU32::MIN);
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .unwrap_or_else(|error| unreachable!("a legal position: {error}"))
    }

    /// Pieces of one kind, both colors.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.pieces.roles[role as usize - 1]
    }

    /// Pieces of one color.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.pieces.colors[color as usize]
    }

    /// Pieces of one kind and color.
    #[inline]
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.pieces.colors[0] | self.pieces.colors[1]
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Whether Black is to move.
    #[inline]
    pub fn is_black_to_move(&self) -> bool {
        self.turn == Color::Black
    }

    /// Material balance for the side to move, in centipawns.
    #[inline]
    pub fn material(&self) -> i32 {
        let (own, others) = (self.by_color(self.turn), self.by_color(!self.turn));
        let balance = |role| {
            let pieces = self.by_role(role);
            (own & pieces).count() as i32 - (others & pieces).count() as i32
        };
        let worth = |role| material(role) * balance(role);
        Role::ALL.into_iter().map(worth).sum()
    }

    /// Sum over the pieces of both sides, 1 for a knight or bishop, 2 for a rook, 4 for a queen: 24 in the initial
    /// position, 0 with kings and pawns alone.
    #[inline]
    pub(crate) fn phase(&self) -> u32 {
        let count = |role| self.by_role(role).count() as u32;
        let minors = self.by_role(Role::Knight) | self.by_role(Role::Bishop);
        minors.count() as u32 + 2 * count(Role::Rook) + 4 * count(Role::Queen)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Replaces the number of plies since the last capture or pawn move.
    #[must_use]
    pub fn with_halfmoves(self, halfmoves: u16) -> Position {
        Position { halfmoves, ..self }
    }

    /// The number of the next move, as in a FEN: it grows by one after each move of Black.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Zobrist key: a hash of the pieces, the side to move, castling rights and en passant square, without the clocks.
    #[inline]
    pub fn zobrist_key(&self) -> u64 {
        self.key
    }

    /// The king of one color.
    #[inline]
    pub fn king_of(&self, color: Color) -> Square {
        self.by_piece(color, Role::King)
            .first()
            .expect("each side has a king")
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        // Gathers six bits: the branches of a loop that looks for the piece would often be mispredicted.
        let bits = |(index, &role): (usize, &Bitboard)| (role.0 >> square as u32 & 1) << index;
        let found: u64 = self.pieces.roles.iter().enumerate().map(bits).sum();
        Role::ALL.get(found.trailing_zeros() as usize).copied()
    }

    /// Pieces of `color` that attack `square` if `occupied` were the pieces on the board.
    #[inline]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        self.attackers_of_both(square, occupied) & self.by_color(color)
    }

    /// Pieces of either color that attack `square` if `occupied` were the pieces on the board.
    #[inline]
    pub(super) fn attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns =
            |color: Color| attacks::pawn_attacks(!color, square) & self.by_piece(color, Role::Pawn);
        attacks::king_attacks(square) & self.by_role(Role::King)
            | attacks::knight_attacks(square) & self.by_role(Role::Knight)
            | pawns(Color::White)
            | pawns(Color::Black)
            | self.sliders_on(square, occupied)
    }

    /// Bishops, rooks and queens of either color that attack `square` if `occupied` were the pieces on the board.
    #[inline]
    pub(super) fn sliders_on(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        attacks::rook_attacks(square, occupied) & (self.by_role(Role::Rook) | queens)
            | attacks::bishop_attacks(square, occupied) & (self.by_role(Role::Bishop) | queens)
    }

    /// The other side's pieces that attack the king of `color`, and pieces of either side that alone stand between that
    /// king and a slider of the other side.
    #[inline]
    pub(super) fn around_king(&self, color: Color) -> (Bitboard, Bitboard) {
        let king = self.king_of(color);
        let (others, occupied) = (self.by_color(!color), self.occupied());
        let knights = attacks::knight_attacks(king) & self.by_role(Role::Knight);
        let pawns = attacks::pawn_attacks(color, king) & self.by_role(Role::Pawn);
        let mut checkers = (knights | pawns) & others;
        let mut between = Bitboard::EMPTY;
        for slider in self.sliders_on(king, Bitboard::EMPTY) & others {
            let pieces = attacks::between(king, slider) & occupied;
            if pieces.is_empty() {
                checkers |= Bitboard::from_square(slider);
            } else if !pieces.more_than_one() {
                between |= pieces;
            }
        }
        (checkers, between)
    }

    /// Sets the checkers and the pinned pieces.
    #[inline]
    fn find_checkers_and_pins(&mut self) {
        let (checkers, between) = self.around_king(self.turn);
        self.checkers = checkers;
        self.pinned = between & self.by_color(self.turn);
    }

    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        let bit = Bitboard::from_square(square);
        self.pieces.roles[role as usize - 1] ^= bit;
        self.pieces.colors[color as usize] ^= bit;
        let hash = zobrist::piece(color, role, square);
        self.key ^= hash;
        let part = if role == Role::Pawn {
            0
        } else {
            1 + color as usize
        };
        self.part_keys[part] ^= hash;
    }

    /// Plays a legal move.
    #[inline]
    pub fn play_legal(&mut self, m: Move) {
        let (us, them) = (self.turn, !self.turn);
        let (from, to, role) = (m.from(), m.to(), m.role());
        self.last = (m, self.key);
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
        self.halfmoves = if m.is_zeroing() {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        let mut touched = Bitboard::from_square(from) | Bitboard::from_square(to);
        if m.is_castle() {
            let [king_to, rook_to] = castling_targets(from, to);
            self.toggle(us, Role::King, from);
            self.toggle(us, Role::Rook, to);
            self.toggle(us, Role::King, king_to);
            self.toggle(us, Role::Rook, rook_to);
        } else {
            if let Some(victim) = m.capture() {
                self.toggle(them, victim, m.victim_square());
            }
            self.toggle(us, role, from);
            self.toggle(us, m.promotion().unwrap_or(role), to);
        }
        if role == Role::King {
            touched |= Bitboard::from_rank(us.fold_wb(Rank::First, Rank::Eighth));
        }
        for rook in self.castling & touched {
            self.key ^= zobrist::castling(rook);
            self.castling = self.castling.without(rook);
        }
        self.turn = them;
        self.key ^= zobrist::turn();
        self.fullmoves = self.fullmoves.saturating_add(u32::from(us == Color::Black));
        self.find_checkers_and_pins();
        if role == Role::Pawn && (to as i32 - from as i32).abs() == 16 {
            self.set_en_passant(Square::new((from as u32 + to as u32) / 2));
        }
    }

    /// Notes that a pawn has just stepped over `square`, if that allows a legal capture.
    fn set_en_passant(&mut self, square: Square) {
        let pawns = self.by_piece(self.turn, Role::Pawn);
        let mut capturers = (attacks::pawn_attacks(!self.turn, square) & pawns).into_iter();
        if capturers.any(|from| self.en_passant_is_legal(from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Whether capturing en passant leaves the own king safe. Two pawns leave one rank at once, so `pinned` does not
    /// suffice.
    pub(super) fn en_passant_is_legal(&self, from: Square, to: Square) -> bool {
        let victim = Bitboard::from_square(en_passant_victim(from, to));
        let occupied =
            (self.occupied() ^ Bitboard::from_square(from) ^ victim) | Bitboard::from_square(to);
        let king = self.king_of(self.turn);
        (self.attackers(king, !self.turn, occupied) & !victim).is_empty()
    }

    /// The position after a null move: the opponent is to move. The side to move must not be in check, which the caller
    /// ensures.
    #[inline]
    pub fn passed(&self) -> Position {
        let mut next = self.clone();
        next.last = (Move::PASS, self.key);
        if let Some(square) = next.en_passant.take() {
            next.key ^= zobrist::en_passant(square);
        }
        next.fullmoves = next
            .fullmoves
            .saturating_add(u32::from(next.turn == Color::Black));
        next.turn = !next.turn;
        next.key ^= zobrist::turn();
        // No position before a null move counts as repeated after it.
        next.halfmoves = 0;
        next.find_checkers_and_pins();
        next
    }

    /// Plays a move of a recorded game: a legal one, or a [pass](Move::PASS) where the side to move is not in check.
    pub fn play_recorded(&mut self, m: Move) {
        if m.is_pass() {
            *self = self.passed();
        } else {
            self.play_legal(m);
        }
    }

    /// Whether there is too little material for a mate of either side, even with the opponent's help.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.by_role(Role::Pawn) | self.by_role(Role::Rook) | self.by_role(Role::Queen);
        if heavy.any() {
            return false;
        }
        let knights = self.by_role(Role::Knight);
        let bishops = self.by_role(Role::Bishop);
        if knights.any() {
            return self.occupied().count() <= 3;
        }
        (bishops & Bitboard::DARK_SQUARES).is_empty()
            || (bishops & Bitboard::LIGHT_SQUARES).is_empty()
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::initial()
    }
}

impl Root<Position> {
    /// Plays as [`Position::play_recorded`] does, and adds the position before the move to the history.
    pub fn play_recorded(&mut self, m: Move) {
        self.history.push(self.position.zobrist_key());
        self.position.play_recorded(m);
    }
}

/// Targets of king and rook when castling with the rook on `rook`.
pub(super) fn castling_targets(king: Square, rook: Square) -> [Square; 2] {
    let files = if rook.file() > king.file() {
        [File::G, File::F]
    } else {
        [File::C, File::D]
    };
    files.map(|file| Square::from_coords(file, king.rank()))
}

/// Square of the pawn that an en passant capture takes.
pub(super) fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}
