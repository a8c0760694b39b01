//! Accumulators: the hidden layer before activation, updated from position to position.
//!
//! The accumulators of the last position seen at each ply of the game are kept. If a position's parent is among them,
//! its sums follow from the parent's and the move, in one pass. Otherwise they follow from the nearer of two boards:
//! the last one at the parent's ply, and the last one at its own. If both are far (another line, or a king that crossed
//! the middle of the board, which mirrors all inputs), they follow from the refresh table.

use std::cell::LazyCell;

use arrayvec::ArrayVec;
use fearless_simd::Level;
use shakmaty::{Bitboard, Color, Role, Square};

use super::weights::{HIDDEN, Network, Sums};
use crate::games::chess::notation::MOST_PIECES;
use crate::games::chess::position::{Pieces, castling_targets};
use crate::games::chess::{Move, Position};

/// Number of positions kept, by ply of the game; a power of two.
const KEPT: usize = 64;
/// Largest number of squares that may differ for one board to start from another's sums.
const FEW: usize = 8;
/// Most pieces added, or removed, between any two boards: all pieces of one board.
const ALL: usize = 2 * MOST_PIECES;

impl Pieces {
    /// Squares on which the boards differ.
    #[inline]
    fn changed(&self, other: &Pieces) -> Bitboard {
        let mut changed = (self.colors[0] ^ other.colors[0]) | (self.colors[1] ^ other.colors[1]);
        for (own, others) in self.roles.iter().zip(&other.roles) {
            changed |= *own ^ *others;
        }
        changed
    }
}

/// A piece on a square; color and kind as numbers from 0.
#[derive(Clone, Copy, Debug)]
struct Placed {
    color: u8,
    role: u8,
    square: Square,
}

/// The difference of two boards: at most `MOST` pieces added, and at most `MOST` removed.
#[derive(Default)]
struct Change<const MOST: usize> {
    added: ArrayVec<Placed, MOST>,
    removed: ArrayVec<Placed, MOST>,
}

impl<const MOST: usize> Change<MOST> {
    /// The change from one board to another.
    #[inline(always)]
    fn between(from: &Pieces, to: &Pieces) -> Change<MOST> {
        let mut change = Change::default();
        for role in 0..6 {
            for color in 0..2 {
                let old = from.roles[usize::from(role)] & from.colors[usize::from(color)];
                let new = to.roles[usize::from(role)] & to.colors[usize::from(color)];
                let placed = |square| Placed {
                    color,
                    role,
                    square,
                };
                for square in new & !old {
                    change.added.push(placed(square));
                }
                for square in old & !new {
                    change.removed.push(placed(square));
                }
            }
        }
        change
    }
}

/// Most pieces added, or removed, by a move.
const BY_MOVE: usize = 2;

impl Change<BY_MOVE> {
    /// The change by a move or pass of `color`.
    #[inline(always)]
    fn by(m: Move, color: Color) -> Change<BY_MOVE> {
        let mut change = Change::default();
        let placed = |color: Color, role: Role, square| Placed {
            color: color as u8,
            role: role as u8 - 1,
            square,
        };
        if m.is_castle() {
            let [king_to, rook_to] = castling_targets(m.from(), m.to());
            change.removed.push(placed(color, Role::King, m.from()));
            change.removed.push(placed(color, Role::Rook, m.to()));
            change.added.push(placed(color, Role::King, king_to));
            change.added.push(placed(color, Role::Rook, rook_to));
        } else if !m.is_pass() {
            let placed_role = m.promotion().unwrap_or(m.role());
            change.removed.push(placed(color, m.role(), m.from()));
            change.added.push(placed(color, placed_role, m.to()));
            if let Some(captured) = m.capture() {
                let square = m.victim_square();
                change.removed.push(placed(!color, captured, square));
            }
        }
        change
    }
}

/// A side's view of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    /// The side: 0 for Black, 1 for White.
    color: usize,
    /// Whether its king is on files e to h, which mirrors the files.
    mirrored: bool,
}

impl View {
    fn of(position: &Position, color: Color) -> View {
        View {
            color: color as usize,
            mirrored: position.king_of(color).file() as u32 >= 4,
        }
    }

    /// The input weights of a piece.
    #[inline(always)]
    fn row<'a>(self, network: &'a Network, piece: &Placed) -> &'a Sums {
        let enemy = usize::from(piece.color) ^ self.color;
        let flips = (56 * (1 - self.color)) ^ (7 * usize::from(self.mirrored));
        let input = (enemy * 6 + usize::from(piece.role)) * 64 + (piece.square as usize ^ flips);
        &network.input[input]
    }
}

/// The accumulator of one side.
#[derive(Clone, Debug)]
struct Perspective {
    mirrored: bool,
    sums: Sums,
}

impl Perspective {
    /// The empty board.
    fn new(network: &Network, mirrored: bool) -> Perspective {
        Perspective {
            mirrored,
            sums: network.input_bias.clone(),
        }
    }

    /// Adds and removes pieces.
    #[inline(always)]
    fn update<const MOST: usize>(&mut self, network: &Network, change: &Change<MOST>, view: View) {
        // Most moves add one piece and remove one: both in one pass.
        let pairs = change.added.len().min(change.removed.len());
        for (plus, minus) in change.added.iter().zip(&change.removed) {
            self.sums
                .exchange(view.row(network, plus), view.row(network, minus));
        }
        for plus in &change.added[pairs..] {
            self.sums.add(view.row(network, plus));
        }
        for minus in &change.removed[pairs..] {
            self.sums.subtract(view.row(network, minus));
        }
    }

    /// Computes the sums from those of the board `before` and the change since, in one pass for most moves.
    #[inline(always)]
    fn follow<const MOST: usize>(
        &mut self,
        network: &Network,
        before: &Perspective,
        change: &Change<MOST>,
        view: View,
    ) {
        let row = |piece| view.row(network, piece);
        self.mirrored = before.mirrored;
        match (change.added.as_slice(), change.removed.as_slice()) {
            ([plus], [minus]) => self.sums.exchanged(&before.sums, row(plus), row(minus)),
            ([plus], [minus, victim]) => {
                self.sums
                    .captured(&before.sums, row(plus), row(minus), row(victim));
            }
            _ => {
                self.sums = before.sums.clone();
                self.update(network, change, view);
            }
        }
    }
}

// Plain loops over arrays, which the compiler vectorizes.
impl Sums {
    #[inline(always)]
    fn add(&mut self, plus: &Sums) {
        for unit in 0..HIDDEN {
            self.0[unit] = self.0[unit].wrapping_add(plus.0[unit]);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, minus: &Sums) {
        for unit in 0..HIDDEN {
            self.0[unit] = self.0[unit].wrapping_sub(minus.0[unit]);
        }
    }

    #[inline(always)]
    fn exchange(&mut self, plus: &Sums, minus: &Sums) {
        for unit in 0..HIDDEN {
            let changed = plus.0[unit].wrapping_sub(minus.0[unit]);
            self.0[unit] = self.0[unit].wrapping_add(changed);
        }
    }

    #[inline(always)]
    fn exchanged(&mut self, old: &Sums, plus: &Sums, minus: &Sums) {
        for unit in 0..HIDDEN {
            let changed = plus.0[unit].wrapping_sub(minus.0[unit]);
            self.0[unit] = old.0[unit].wrapping_add(changed);
        }
    }

    #[inline(always)]
    fn captured(&mut self, old: &Sums, plus: &Sums, minus: &Sums, victim: &Sums) {
        for unit in 0..HIDDEN {
            let removed = minus.0[unit].wrapping_add(victim.0[unit]);
            self.0[unit] = old.0[unit].wrapping_add(plus.0[unit].wrapping_sub(removed));
        }
    }
}

/// The accumulators of a position.
#[derive(Clone, Debug)]
struct CachedAccumulators {
    /// The position's key; `None` at first.
    key: Option<u64>,
    pieces: Pieces,
    /// Black's, then White's.
    perspectives: [Perspective; 2],
}

/// Accumulators of recent positions, and the refresh table.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    /// The vector instructions that the processor has.
    pub(super) level: Level,
    /// By ply of the game.
    kept: Vec<CachedAccumulators>,
    /// The last board refreshed, and its accumulator, by color and whether the view is mirrored.
    refresh: [[(Pieces, Perspective); 2]; 2],
}

impl Accumulators {
    /// No positions, and empty boards in the refresh table.
    pub(super) fn new(network: &Network) -> Accumulators {
        let perspective = |mirrored| Perspective::new(network, mirrored);
        let refresh = |mirrored| (Pieces::NONE, perspective(mirrored));
        let kept = CachedAccumulators {
            key: None,
            pieces: Pieces::NONE,
            perspectives: [perspective(false), perspective(false)],
        };
        Accumulators {
            level: Level::new(),
            kept: vec![kept; KEPT],
            refresh: [(); 2].map(|()| [refresh(false), refresh(true)]),
        }
    }

    /// The accumulators of a position: the side to move's, then the opponent's.
    #[inline(always)]
    pub(super) fn of(&mut self, network: &Network, position: &Position) -> [&Sums; 2] {
        let black = usize::from(position.is_black_to_move());
        let number = (position.fullmoves() as usize)
            .wrapping_mul(2)
            .wrapping_add(black);
        let slot = number % KEPT;
        let key = position.zobrist_key();
        if self.kept[slot].key != Some(key) {
            self.bring_up_to_date(network, position, slot, number.wrapping_sub(1) % KEPT);
            self.kept[slot].key = Some(key);
        }
        let us = position.turn() as usize;
        let [black, white] = &self.kept[slot].perspectives;
        if us == 0 {
            [&black.sums, &white.sums]
        } else {
            [&white.sums, &black.sums]
        }
    }

    #[inline(always)]
    fn bring_up_to_date(
        &mut self,
        network: &Network,
        position: &Position,
        slot: usize,
        before: usize,
    ) {
        let Ok([own, before]) = self.kept.get_disjoint_mut([slot, before]) else {
            unreachable!("a position and its predecessor have different numbers");
        };
        let pieces = position.pieces;
        let views = [Color::Black, Color::White].map(|color| View::of(position, color));
        let (m, parent) = position.last;
        let change = (before.key == Some(parent)).then(|| Change::by(m, !position.turn()));
        let squares = LazyCell::new(|| [&own.pieces, &before.pieces].map(|it| pieces.changed(it)));
        for (color, view) in views.into_iter().enumerate() {
            let perspective = &mut own.perspectives[color];
            let parents = &before.perspectives[color];
            if let Some(change) = &change
                && parents.mirrored == view.mirrored
            {
                perspective.follow(network, parents, change, view);
                continue;
            }
            let distance = |perspective: &Perspective, squares: Bitboard| {
                if perspective.mirrored == view.mirrored {
                    squares.count()
                } else {
                    usize::MAX
                }
            };
            let own_distance = distance(perspective, squares[0]);
            let parents_distance = distance(parents, squares[1]);
            if parents_distance < own_distance && parents_distance <= FEW {
                let change = Change::<FEW>::between(&before.pieces, &pieces);
                perspective.follow(network, parents, &change, view);
            } else if own_distance <= FEW {
                let change = Change::<FEW>::between(&own.pieces, &pieces);
                perspective.update(network, &change, view);
            } else {
                let (board, refreshed) = &mut self.refresh[color][usize::from(view.mirrored)];
                let change = Change::<ALL>::between(board, &pieces);
                refreshed.update(network, &change, view);
                *board = pieces;
                *perspective = refreshed.clone();
            }
        }
        own.pieces = pieces;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Game;

    /// The sums computed from scratch.
    fn from_nothing(network: &Network, position: &Position) -> [Sums; 2] {
        [position.turn(), !position.turn()].map(|color| {
            let view = View::of(position, color);
            let mut perspective = Perspective::new(network, view.mirrored);
            let change = Change::<ALL>::between(&Pieces::NONE, &position.pieces);
            perspective.update(network, &change, view);
            perspective.sums
        })
    }

    proptest! {
        /// Whatever was evaluated before, in whatever order.
        #[test]
        fn sums_do_not_depend_on_what_was_seen_before(
            choices in prop::collection::vec((any::<u16>(), 0_u8..8), 1..200),
        ) {
            let network = Network::embedded();
            let mut accumulators = Accumulators::new(&network);
            let mut line = vec![Position::initial()];
            for (choice, back) in choices {
                // Sometimes goes some moves back, like a search.
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
                prop_assert_eq!(accumulators.of(&network, &position), [&expected[0], &expected[1]]);
                line.push(position);
            }
        }
    }
}
