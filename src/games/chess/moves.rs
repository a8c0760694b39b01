//! Chess moves in four bytes.

use std::fmt;

use shakmaty::{Role, Square};

/// A chess move with all that is needed to play it: origin, target, the moving piece, the captured piece and the piece
/// promoted to. Castling is "king takes own rook", as in Chess960.
///
/// Layout, in bits from the lowest: origin 6, target 6, promotion 3, role 3, capture 3, kind 2. The low 15 bits
/// identify the move in its position and are its code in tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

const CODE_BITS: u32 = 15;
const KIND_NORMAL: u32 = 0;
const KIND_EN_PASSANT: u32 = 1;
const KIND_CASTLE: u32 = 2;
const KIND_PASS: u32 = 3;

const fn role_bits(role: Option<Role>) -> u32 {
    match role {
        None => 0,
        Some(role) => role as u32,
    }
}

const fn role_from_bits(bits: u32) -> Option<Role> {
    // A table: a `match` becomes a jump that is often mispredicted.
    const ROLES: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        Some(Role::King),
        None,
    ];
    ROLES[(bits & 7) as usize]
}

impl Move {
    /// The pass, `--` in PGN: a move of recorded games, and the last move of a position after a null move. Never legal.
    pub const PASS: Move = Move(KIND_PASS << 21);

    /// Whether it is [`Move::PASS`].
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    const fn pack(
        from: Square,
        to: Square,
        promotion: Option<Role>,
        role: Role,
        capture: Option<Role>,
        kind: u32,
    ) -> Move {
        Move(
            from as u32
                | (to as u32) << 6
                | role_bits(promotion) << 12
                | (role as u32) << 15
                | role_bits(capture) << 18
                | kind << 21,
        )
    }

    /// A move, capture or promotion of one piece.
    #[inline]
    pub const fn normal(
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> Move {
        Move::pack(from, to, promotion, role, capture, KIND_NORMAL)
    }

    /// A pawn capturing en passant.
    pub const fn en_passant(from: Square, to: Square) -> Move {
        let pawn = Role::Pawn;
        Move::pack(from, to, None, pawn, Some(pawn), KIND_EN_PASSANT)
    }

    /// Castling with the rook on `rook`.
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, None, Role::King, None, KIND_CASTLE)
    }

    /// Origin.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// Target; the rook's square when castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new(self.0 >> 6 & 63)
    }

    /// The piece that moves; a pawn for [`Move::PASS`].
    #[inline]
    pub const fn role(self) -> Role {
        match role_from_bits(self.0 >> 15) {
            Some(role) => role,
            None => Role::Pawn,
        }
    }

    /// [`Move::role`] as a number from 0, the pawn, to 5, the king; not for [`Move::PASS`].
    #[inline]
    pub(super) const fn role_index(self) -> usize {
        (self.0 >> 15 & 7) as usize - 1
    }

    /// The piece captured.
    #[inline]
    pub const fn capture(self) -> Option<Role> {
        role_from_bits(self.0 >> 18)
    }

    /// The piece promoted to.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        role_from_bits(self.0 >> 12)
    }

    /// Square of the captured piece, if any: the target, except for en passant.
    #[inline]
    pub(super) fn victim_square(self) -> Square {
        if self.is_en_passant() {
            super::position::en_passant_victim(self.from(), self.to())
        } else {
            self.to()
        }
    }

    /// Whether it captures, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0 >> 18 & 7 != 0
    }

    /// Whether it neither captures nor promotes.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        self.0 & (7 << 18 | 7 << 12) == 0
    }

    /// Whether it captures en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 21 == KIND_EN_PASSANT
    }

    /// Whether it castles.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 >> 21 == KIND_CASTLE
    }

    /// Whether it resets the fifty-move counter, as captures and pawn moves do.
    #[inline]
    pub const fn is_zeroing(self) -> bool {
        self.is_capture() || matches!(self.role(), Role::Pawn)
    }

    /// The 15 bits that identify the move in its position; 0 only for [`Move::PASS`], as origin and target differ.
    #[inline]
    pub const fn code(self) -> u16 {
        (self.0 & ((1 << CODE_BITS) - 1)) as u16
    }

    /// This move in the rules library's form.
    pub const fn to_shakmaty(self) -> shakmaty::Move {
        let (from, to) = (self.from(), self.to());
        if self.is_castle() {
            shakmaty::Move::Castle {
                king: from,
                rook: to,
            }
        } else if self.is_en_passant() {
            shakmaty::Move::EnPassant { from, to }
        } else {
            shakmaty::Move::Normal {
                role: self.role(),
                from,
                capture: self.capture(),
                to,
                promotion: self.promotion(),
            }
        }
    }

    /// The move from the rules library's form. Panics on drops, which chess does not have.
    pub fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => Move::normal(role, from, to, capture, promotion),
            shakmaty::Move::EnPassant { from, to } => Move::en_passant(from, to),
            shakmaty::Move::Castle { king, rook } => Move::castle(king, rook),
            shakmaty::Move::Put { .. } => unreachable!("no drops in chess"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("--");
        }
        write!(f, "{}", self.to_shakmaty())
    }
}
