//! Material and piece-square values: the part of the evaluation that a position carries along.

use shakmaty::{Color, Role, Square};

use super::bits;
use super::parameters::Parameters;
use super::score::Score;
use super::tally::Tally;
use super::weights::WEIGHTS;
use crate::games::chess::Position;

/// Values of the pieces of a kind by folded square (see [`Parameters`]).
const fn squares<W>(parameters: &Parameters<W>, role: Role) -> &[W; 32] {
    match role {
        Role::Pawn => &parameters.pawn_square,
        Role::Knight => &parameters.knight_square,
        Role::Bishop => &parameters.bishop_square,
        Role::Rook => &parameters.rook_square,
        Role::Queen => &parameters.queen_square,
        Role::King => &parameters.king_square,
    }
}

type Table = [[[Score; 64]; 6]; 2];

/// By color, kind and square: material and place, Black's negative.
static TABLE: Table = table(&WEIGHTS);

const fn table(weights: &Parameters<Score>) -> Table {
    let mut table = [[[Score::ZERO; 64]; 6]; 2];
    let mut kind = 0;
    while kind < 6 {
        let role = Role::ALL[kind];
        let material = if kind < 5 {
            weights.material[kind]
        } else {
            Score::ZERO
        };
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let folded = if file < 4 { file } else { 7 - file };
            let value = material.plus(squares(weights, role)[4 * rank + folded]);
            table[0][kind][square ^ 56] = Score::ZERO.minus(value);
            table[1][kind][square] = value;
            square += 1;
        }
        kind += 1;
    }
    table
}

/// What a piece on a square is worth, in White's favour.
#[inline]
pub(in crate::games::chess) fn value(color: Color, role: Role, square: Square) -> Score {
    TABLE[color as usize][role as usize - 1][square as usize]
}

/// The same from scratch, parameter by parameter.
pub(super) fn tally<T: Tally>(position: &Position, t: &mut T) {
    let parameters = T::parameters();
    for color in Color::ALL {
        for role in Role::ALL {
            for square in position.by_piece(color, role) {
                if let Some(&material) = parameters.material.get(role as usize - 1) {
                    t.add(color, material, 1);
                }
                let place = 4 * bits::rank(color, square) + bits::edge_distance(square);
                t.add(color, squares(parameters, role)[place], 1);
            }
        }
    }
}
