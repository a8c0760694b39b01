//! How far a game has come, by the pieces left.

use shakmaty::Role;

/// All pieces of the initial position; more, after promotions, count as this.
pub const FULL: i32 = 24;

/// The largest phase of an endgame, as far as searches ask: two rooks and two minor pieces a side.
pub const ENDGAME: i32 = FULL / 2;

/// What a piece adds to the phase.
#[inline]
pub const fn weight(role: Role) -> i16 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}
