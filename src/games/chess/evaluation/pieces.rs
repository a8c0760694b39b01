//! Knights, bishops, rooks and queens: how far they reach and how well they stand.

use shakmaty::{Bitboard, Color, Rank, Role, attacks};

use super::bits;
use super::board::Board;
use super::tally::Tally;

/// Points for a knight, bishop, rook, queen that attacks squares about the enemy king.
const PRESSURE: [usize; 4] = [2, 2, 3, 4];

/// Notes the attacks of `us`'s pieces on the board and tallies what is said of each.
pub(super) fn tally<T: Tally>(board: &mut Board<'_>, us: Color, t: &mut T) {
    let p = T::parameters();
    let area = mobility_area(board, us);
    for square in board.pieces(us, Role::Knight) {
        let reach = attacks::knight_attacks(square);
        note(board, us, Role::Knight, reach);
        t.add(us, p.knight_mobility[(reach & area).count()], 1);
    }
    let queens = board.pieces(us, Role::Queen);
    // Pieces that move alike stand behind one another without being in the way.
    let through = board.occupied & !queens;
    let bishops = board.pieces(us, Role::Bishop);
    for square in bishops {
        let reach = attacks::bishop_attacks(square, through);
        note(board, us, Role::Bishop, reach);
        t.add(us, p.bishop_mobility[(reach & area).count()], 1);
        let shade = if square.is_light() {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        let pawns = board.pieces(us, Role::Pawn) & shade;
        t.add_each(us, p.bishop_pawn[0], pawns);
    }
    if bishops.more_than_one() {
        t.add(us, p.bishop_pair[0], 1);
    }
    let through_rooks = through & !board.pieces(us, Role::Rook);
    for square in board.pieces(us, Role::Rook) {
        let reach = attacks::rook_attacks(square, through_rooks);
        note(board, us, Role::Rook, reach);
        t.add(us, p.rook_mobility[(reach & area).count()], 1);
        let file = Bitboard::from_file(square.file());
        if (file & board.pieces(us, Role::Pawn)).is_empty() {
            let open = (file & board.pieces(!us, Role::Pawn)).is_empty();
            t.add(us, p.rook_file[usize::from(open)], 1);
        }
    }
    for square in queens {
        let reach = attacks::queen_attacks(square, board.occupied);
        note(board, us, Role::Queen, reach);
        t.add(us, p.queen_mobility[(reach & area).count()], 1);
    }
    outposts(board, us, t);
}

/// Squares that count as mobility: not those guarded by enemy pawns, nor where the own king stands or
/// a pawn that is stopped or still at home.
fn mobility_area(board: &Board<'_>, us: Color) -> Bitboard {
    let pawns = board.pieces(us, Role::Pawn);
    let home = us.fold_wb(Rank::Second, Rank::Seventh);
    let stuck = pawns & (bits::up(!us, board.occupied) | Bitboard::from_rank(home));
    !(board.attacked_by(!us, Role::Pawn) | stuck | board.pieces(us, Role::King))
}

#[inline]
fn note(board: &mut Board<'_>, us: Color, role: Role, reach: Bitboard) {
    board.note(us, role, reach);
    let hits = reach & board.king_zone[!us as usize];
    if hits.any() {
        let ring = hits & board.attacked_by(!us, Role::King);
        let pressure = &mut board.pressure[us as usize];
        pressure.attackers += 1;
        pressure.points += PRESSURE[role as usize - 2] + ring.count();
    }
}

fn outposts<T: Tally>(board: &Board<'_>, us: Color, t: &mut T) {
    let p = T::parameters();
    let enemy = board.pieces(!us, Role::Pawn);
    let assailable = bits::pawn_attacks(!us, enemy | bits::ahead(!us, enemy));
    let beyond = us.fold_wb(
        Bitboard::from_rank(Rank::Fourth)
            | Bitboard::from_rank(Rank::Fifth)
            | Bitboard::from_rank(Rank::Sixth),
        Bitboard::from_rank(Rank::Fifth)
            | Bitboard::from_rank(Rank::Fourth)
            | Bitboard::from_rank(Rank::Third),
    );
    let squares = beyond & board.attacked_by(us, Role::Pawn) & !assailable;
    for (index, role) in [Role::Knight, Role::Bishop].into_iter().enumerate() {
        t.add_each(us, p.outpost[index], board.pieces(us, role) & squares);
    }
}
