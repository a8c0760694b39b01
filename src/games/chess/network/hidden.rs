//! The hidden layer, carried from position to position.
//!
//! A search mostly looks at a position one move after another, or two moves away from a sibling. So the
//! sums of the last position with each number in the game are kept. A new position begins with the
//! nearer of two: its predecessor's sums, and those of the last position with the same number. If both are
//! far (another line, or a king that crossed the middle of the board, which mirrors all inputs), it begins
//! with the last sums whose king stood on the same side.

use arrayvec::ArrayVec;
use fearless_simd::Level;
use shakmaty::{Bitboard, Color, Role, Square};

use super::weights::{Network, Sums};
use crate::games::chess::Position;
use crate::games::chess::notation::MOST_PIECES;

/// Positions kept, by number in the game; a power of two.
const KEPT: usize = 64;
/// If more squares than this differ, the position belongs to another line.
const FEW: u32 = 8;

/// Inputs of the network, one for each piece at most.
type Inputs = ArrayVec<usize, { 2 * MOST_PIECES }>;

/// Which pieces stand where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pieces {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Pieces {
    const NONE: Pieces = Pieces {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    fn of(position: &Position) -> Pieces {
        Pieces {
            roles: Role::ALL.map(|role| position.by_role(role)),
            colors: [
                position.by_color(Color::Black),
                position.by_color(Color::White),
            ],
        }
    }

    /// Squares where something else stands.
    #[inline]
    fn changed(&self, other: &Pieces) -> Bitboard {
        let mut changed = (self.colors[0] ^ other.colors[0]) | (self.colors[1] ^ other.colors[1]);
        for (own, others) in self.roles.iter().zip(&other.roles) {
            changed |= *own ^ *others;
        }
        changed
    }

    /// The piece on a square, as color and kind, both from 0.
    #[inline]
    fn at(&self, square: Square) -> Option<(usize, usize)> {
        let color = self.colors.iter().position(|it| it.contains(square))?;
        let role = self.roles.iter().position(|it| it.contains(square))?;
        Some((color, role))
    }
}

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    /// The side: 0 for Black, 1 for White.
    color: usize,
    /// Whether its king stands on the files e to h, so that it sees the files mirrored.
    mirrored: bool,
}

impl View {
    fn of(position: &Position, color: Color) -> View {
        View {
            color: color as usize,
            mirrored: position.king_of(color).file() as u32 >= 4,
        }
    }

    /// The input of a piece.
    #[inline]
    fn input(self, (color, role): (usize, usize), square: Square) -> usize {
        let enemy = usize::from(color != self.color);
        let mut square = square as usize;
        if self.color == 0 {
            square ^= 56;
        }
        if self.mirrored {
            square ^= 7;
        }
        (enemy * 6 + role) * 64 + square
    }
}

/// What one side sees of a position, and the sums that come of it.
#[derive(Clone, Debug)]
struct Half {
    pieces: Pieces,
    mirrored: bool,
    sums: Sums,
}

impl Half {
    /// The empty board.
    fn new(network: &Network, mirrored: bool) -> Half {
        Half {
            pieces: Pieces::NONE,
            mirrored,
            sums: network.input_bias.clone(),
        }
    }

    /// Brings the sums up to date.
    #[inline(always)]
    fn update(&mut self, network: &Network, pieces: &Pieces, view: View) {
        let (mut added, mut removed) = (Inputs::new(), Inputs::new());
        for square in pieces.changed(&self.pieces) {
            if let Some(piece) = self.pieces.at(square) {
                removed.push(view.input(piece, square));
            }
            if let Some(piece) = pieces.at(square) {
                added.push(view.input(piece, square));
            }
        }
        // A move adds one and removes one: both in one go.
        let pairs = added.len().min(removed.len());
        for (&plus, &minus) in added.iter().zip(&removed) {
            let (plus, minus) = (&network.input[plus], &network.input[minus]);
            for ((sum, plus), minus) in self.sums.iter_mut().zip(plus.iter()).zip(minus.iter()) {
                *sum = sum.wrapping_add(*plus).wrapping_sub(*minus);
            }
        }
        for &plus in &added[pairs..] {
            for (sum, plus) in self.sums.iter_mut().zip(network.input[plus].iter()) {
                *sum = sum.wrapping_add(*plus);
            }
        }
        for &minus in &removed[pairs..] {
            for (sum, minus) in self.sums.iter_mut().zip(network.input[minus].iter()) {
                *sum = sum.wrapping_sub(*minus);
            }
        }
        self.pieces = *pieces;
    }
}

/// The hidden layers of positions seen lately.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// The vectors that the processor has.
    pub(super) level: Level,
    /// By number in the game; Black's view, then White's.
    kept: Vec<[Half; 2]>,
    /// By color and by whether the view is mirrored: what to begin with where nothing kept is near.
    starts: [[Half; 2]; 2],
}

impl Hidden {
    /// No positions yet.
    pub(super) fn new(network: &Network) -> Hidden {
        let half = |mirrored| Half::new(network, mirrored);
        Hidden {
            level: Level::new(),
            kept: vec![[half(false), half(false)]; KEPT],
            starts: [[half(false), half(true)], [half(false), half(true)]],
        }
    }

    /// The sums of a position: those of the side to move, then the opponent's.
    #[inline(always)]
    pub(super) fn of(&mut self, network: &Network, position: &Position) -> [&Sums; 2] {
        let black = usize::from(position.is_black_to_move());
        let number = (position.fullmoves() as usize)
            .wrapping_mul(2)
            .wrapping_add(black);
        let slot = number % KEPT;
        let before = number.wrapping_sub(1) % KEPT;
        let pieces = Pieces::of(position);
        for color in Color::ALL {
            self.bring_up_to_date(network, &pieces, View::of(position, color), slot, before);
        }
        let us = position.turn() as usize;
        [&self.kept[slot][us].sums, &self.kept[slot][1 - us].sums]
    }

    #[inline(always)]
    fn bring_up_to_date(
        &mut self,
        network: &Network,
        pieces: &Pieces,
        view: View,
        slot: usize,
        before: usize,
    ) {
        let distance = |half: &Half| {
            if half.mirrored == view.mirrored {
                pieces.changed(&half.pieces).count() as u32
            } else {
                u32::MAX
            }
        };
        let own = distance(&self.kept[slot][view.color]);
        if own == 0 {
            return;
        }
        let parents = distance(&self.kept[before][view.color]);
        if parents < own && parents <= FEW {
            self.kept[slot][view.color] = self.kept[before][view.color].clone();
        } else if own > FEW {
            let start = &mut self.starts[view.color][usize::from(view.mirrored)];
            start.update(network, pieces, view);
            self.kept[slot][view.color] = start.clone();
            return;
        }
        self.kept[slot][view.color].update(network, pieces, view);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Game;

    /// The sums from nothing.
    fn from_nothing(network: &Network, position: &Position) -> [Sums; 2] {
        [position.turn(), !position.turn()].map(|color| {
            let view = View::of(position, color);
            let mut half = Half::new(network, view.mirrored);
            half.update(network, &Pieces::of(position), view);
            half.sums
        })
    }

    proptest! {
        /// Whatever was looked at before, and in whatever order.
        #[test]
        fn sums_do_not_depend_on_what_was_seen_before(
            choices in prop::collection::vec((any::<u16>(), 0_u8..8), 1..200),
        ) {
            let network = Network::embedded();
            let mut hidden = Hidden::new(&network);
            let mut line = vec![Position::initial()];
            for (choice, back) in choices {
                // Now and then some moves back, as a search goes.
                if back < 3 {
                    line.truncate(line.len().saturating_sub(usize::from(back)).max(1));
                }
                let mut position = line[line.len() - 1].clone();
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[usize::from(choice) % moves.len()]);
                let expected = from_nothing(&network, &position);
                prop_assert_eq!(hidden.of(&network, &position), [&expected[0], &expected[1]]);
                line.push(position);
            }
        }
    }
}
