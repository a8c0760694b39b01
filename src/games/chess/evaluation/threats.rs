//! Threats: pieces attacked by lesser ones, or attacked and not guarded.

use shakmaty::{Bitboard, Color, Rank, Role};

use super::bits;
use super::board::Board;
use super::tally::Tally;

/// Kinds of pieces from pawn to queen.
const KINDS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Tallies what `us` threatens.
pub(super) fn tally<T: Tally>(board: &Board<'_>, us: Color, t: &mut T) {
    let p = T::parameters();
    let them = !us;
    let enemy = board.position.by_color(them);
    let pawn_attacks = board.attacked_by(us, Role::Pawn);
    for (index, role) in KINDS[1..].iter().enumerate() {
        let attacked = pawn_attacks & board.pieces(them, *role);
        t.add_each(us, p.threat_by_pawn[index], attacked);
    }
    let weak = enemy & !board.attacked_by(them, Role::Pawn);
    let minors = board.attacked_by(us, Role::Knight) | board.attacked_by(us, Role::Bishop);
    let rooks = board.attacked_by(us, Role::Rook);
    for (index, role) in KINDS.into_iter().enumerate() {
        let pieces = board.pieces(them, role) & weak;
        t.add_each(us, p.threat_by_minor[index], minors & pieces);
        t.add_each(us, p.threat_by_rook[index], rooks & pieces);
    }
    let unguarded = enemy & !board.attacked[them as usize];
    let hanging = unguarded & board.attacked[us as usize];
    t.add_each(us, p.hanging[0], hanging);
    let by_king = enemy & board.attacked_by(us, Role::King) & !board.attacked_twice[them as usize];
    let only_their_king = by_king & !board.attacked_by(them, Role::Pawn);
    if (only_their_king & unguarded).any() {
        t.add(us, p.threat_by_king[0], 1);
    }
    t.add_each(us, p.threat_by_push[0], pushes(board, us));
}

/// Enemy pieces that a safe pawn move would attack.
fn pushes(board: &Board<'_>, us: Color) -> Bitboard {
    let them = !us;
    let empty = !board.occupied;
    let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
    let once = bits::up(us, board.pieces(us, Role::Pawn)) & empty;
    let targets = once | bits::up(us, once & third) & empty;
    let safe = targets
        & !board.attacked_by(them, Role::Pawn)
        & (board.attacked[us as usize] | !board.attacked[them as usize]);
    bits::pawn_attacks(us, safe)
        & board.position.by_color(them)
        & !board.pieces(them, Role::Pawn)
        & !board.attacked_by(us, Role::Pawn)
}
