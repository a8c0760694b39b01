//! Static exchange evaluation: the result of all captures on one square, cheapest piece first, when each side may stop
//! at any time.

use shakmaty::{Bitboard, Role, attacks};

use super::material::{PAWN, material};
use super::moves::Move;
use super::position::{Position, en_passant_victim};

/// Value in exchanges, in centipawns. The king recaptures last and never into an attack, so it is worth most.
const fn exchange_value(role: Role) -> i32 {
    match role {
        Role::King => 100_000,
        role => material(role),
    }
}

/// Material gained by a capture or promotion before any recapture, in centipawns.
pub(super) fn gain(m: Move) -> i32 {
    m.capture().map_or(0, material) + m.promotion().map_or(0, |role| material(role) - PAWN)
}

impl Position {
    /// Whether a legal move and the exchanges on its target gain at least `threshold` centipawns. Pins are ignored.
    pub fn exchange_reaches(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let mover = m.promotion().unwrap_or(m.role());
        // Centipawns by which the side that moved last exceeds its goal if the exchange stops here.
        let mut balance = gain(m) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= exchange_value(mover);
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied().without(from).with(to);
        if m.is_en_passant() {
            occupied = occupied.without(en_passant_victim(from, to));
        }
        let queens = self.by_role(Role::Queen);
        let diagonal = self.by_role(Role::Bishop) | queens;
        let straight = self.by_role(Role::Rook) | queens;
        let mut attackers = self.attackers_of_both(to, occupied);
        let mut side = !self.turn;
        loop {
            attackers &= occupied;
            let own = attackers & self.by_color(side);
            let Some((role, piece)) = Role::ALL
                .into_iter()
                .find_map(|role| Some((role, (own & self.by_role(role)).first()?)))
            else {
                break;
            };
            if role == Role::King && (attackers & self.by_color(!side)).any() {
                break;
            }
            side = !side;
            balance = -balance - 1 - exchange_value(role);
            if balance >= 0 {
                break;
            }
            occupied &= !Bitboard::from_square(piece);
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & straight;
            }
        }
        // The side that cannot or will not go on has lost the exchange.
        side != self.turn
    }
}
