//! King safety: the pawns in front of the king, and the pieces that come for it.

use shakmaty::{Bitboard, Color, File, Role, attacks};

use super::bits;
use super::board::Board;
use super::tally::Tally;

/// Points for a safe square from which a knight, bishop, rook, queen could give check.
const CHECK: [usize; 4] = [3, 2, 4, 3];
/// Points for a square beside the king that is attacked and that only the king guards.
const WEAK_SQUARE: usize = 2;

/// Tallies the safety of `us`'s king.
pub(super) fn tally<T: Tally>(board: &Board<'_>, us: Color, t: &mut T) {
    shelter(board, us, t);
    danger(board, us, t);
}

/// Own and enemy pawns ahead of the king, on its file and those beside it.
fn shelter<T: Tally>(board: &Board<'_>, us: Color, t: &mut T) {
    let p = T::parameters();
    let king = board.kings[us as usize];
    let level = Bitboard::from_rank(king.rank());
    let ahead = level | bits::ahead(us, level);
    let own = board.pieces(us, Role::Pawn) & ahead;
    let enemy = board.pieces(!us, Role::Pawn) & ahead;
    let nearest = |pawns: Bitboard| us.fold_wb(pawns.first(), pawns.last());
    let centre = king.file().to_u32().clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let file = Bitboard::from_file(File::new(file));
        let guard = nearest(own & file).map_or(0, |pawn| bits::rank(us, pawn));
        let stormer = nearest(enemy & file).map_or(0, |pawn| bits::rank(us, pawn));
        t.add(us, p.king_shelter[guard], 1);
        if guard > 0 && stormer == guard + 1 {
            t.add(us, p.king_storm_blocked[stormer], 1);
        } else {
            t.add(us, p.king_storm[stormer], 1);
        }
    }
}

/// Points for everything that makes an attack dangerous; what they are worth together is tuned.
fn danger<T: Tally>(board: &Board<'_>, us: Color, t: &mut T) {
    let p = T::parameters();
    let them = !us;
    let pressure = board.pressure[them as usize];
    let queen = board.pieces(them, Role::Queen).any();
    if pressure.attackers + usize::from(queen) < 2 {
        return;
    }
    let ring = board.attacked_by(us, Role::King);
    let attacked = board.attacked[them as usize];
    let guarded_by_king_alone = ring & !board.attacked_twice[us as usize];
    let weak = guarded_by_king_alone & attacked;
    let mut points = pressure.points + WEAK_SQUARE * weak.count();

    let king = board.kings[us as usize];
    // Squares a piece could check from and not simply be taken.
    let safe = !board.position.by_color(them)
        & (!board.attacked[us as usize] | weak & board.attacked_twice[them as usize]);
    let straight = attacks::rook_attacks(king, board.occupied);
    let diagonal = attacks::bishop_attacks(king, board.occupied);
    let lines = [
        (Role::Knight, attacks::knight_attacks(king)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, straight | diagonal),
    ];
    for (role, line) in lines {
        if (line & safe & board.attacked_by(them, role)).any() {
            points += CHECK[role as usize - 2];
        }
    }
    if !queen {
        points /= 2;
    }
    t.add(us, p.king_danger[points.min(p.king_danger.len() - 1)], 1);
}
