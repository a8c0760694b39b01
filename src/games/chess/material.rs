//! Values of pieces: the tactical values of the thesis (section 5.2.1), in centipawns.

use shakmaty::{Color, Role};

use super::Position;

/// Value of a pawn, in centipawns; the step of the tactical scale.
pub(crate) const PAWN: i32 = 100;

/// Value of a piece, in centipawns; 0 for the king, which is never exchanged.
#[inline]
pub(crate) const fn material(role: Role) -> i32 {
    match role {
        Role::Pawn => PAWN,
        Role::Knight | Role::Bishop => 3 * PAWN,
        Role::Rook => 5 * PAWN,
        Role::Queen => 9 * PAWN,
        Role::King => 0,
    }
}

/// Number of kinds of pieces besides the king.
pub(crate) const KINDS: usize = 5;

/// Numbers of a side's queens, rooks, bishops, knights and pawns.
pub(crate) fn men(position: &Position, is_black: bool) -> [i32; KINDS] {
    let color = Color::from_white(!is_black);
    let kinds = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    kinds.map(|role| position.by_piece(color, role).count() as i32)
}
