//! Passed pawns: what the pieces mean for their way.

use shakmaty::{Bitboard, Color, Role, Square};

use super::bits;
use super::board::Board;
use super::tally::Tally;

/// Tallies what helps and hinders `us`'s passed pawns.
pub(super) fn tally<T: Tally>(board: &Board<'_>, passed: Bitboard, us: Color, t: &mut T) {
    let p = T::parameters();
    let them = !us;
    let enemy_is_bare = (board.position.by_color(them)
        & !board.pieces(them, Role::Pawn)
        & !board.pieces(them, Role::King))
    .is_empty();
    for pawn in passed & board.position.by_color(us) {
        let rank = bits::rank(us, pawn);
        let path = bits::ahead(us, Bitboard::from_square(pawn));
        let stop = bits::up(us, Bitboard::from_square(pawn));
        let Some(stop_square) = stop.first() else {
            continue;
        };
        let attacked = board.attacked[them as usize];
        if (stop & board.occupied).any() {
            t.add(us, p.passed_blocked[rank], 1);
        } else if (path & (board.occupied | attacked)).is_empty() {
            t.add(us, p.passed_free[rank], 1);
        } else if (stop & attacked & !board.attacked[us as usize]).is_empty() {
            t.add(us, p.passed_safe[rank], 1);
        }
        let distance = |color: Color| board.kings[color as usize].distance(stop_square) as usize;
        t.add(us, p.passed_own_king[rank], distance(us));
        t.add(us, p.passed_enemy_king[rank], distance(them));
        let behind = bits::ahead(them, Bitboard::from_square(pawn));
        for (index, color) in [us, them].into_iter().enumerate() {
            if (behind & board.pieces(color, Role::Rook)).any() {
                t.add(us, p.passed_rook_behind[index], 1);
            }
        }
        if enemy_is_bare && outruns_king(board, pawn, path, us) {
            t.add(us, p.passed_unstoppable[0], 1);
        }
    }
}

/// The rule of the square: whether the enemy king comes too late, with nothing of ours in the way.
fn outruns_king(board: &Board<'_>, pawn: Square, path: Bitboard, us: Color) -> bool {
    let promotion = Square::from_coords(
        pawn.file(),
        us.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First),
    );
    // A pawn at home takes two steps at once.
    let steps = (7 - bits::rank(us, pawn)).min(5) as u32;
    let late = u32::from(board.position.turn() != us);
    let king = board.kings[!us as usize];
    (path & board.occupied).is_empty() && king.distance(promotion) > steps + late
}
