//! Hex on boards of up to 11 by 11 cells: two sides take turns placing stones, and the side that connects its two edges
//! wins. There are no draws. The swap rule is left out.
//!
//! [`TwoDistance`] is the evaluation of Queenbee (J. van Rijswijck, "Are bees better than fruitflies?", AI 2000): the
//! stones a side still needs if its opponent blocks the better way at each step.

use std::fmt;

use super::board;
use crate::game::{Evaluator, Game, Moves, Side};
use crate::random::mix;
use crate::value::Value;

/// Cells as a set: bit `row * SIZE + column`.
type Cells = u128;

/// A position on a board of `SIZE` by `SIZE` cells, at most 11. The first player connects the top row with
/// the bottom row, the second the left column with the right one; each row is shifted half a cell to the
/// right of the one above it, so that a cell touches two cells above and two below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hex<const SIZE: usize> {
    /// Stones of the first player.
    first: Cells,
    /// Stones of the second player.
    second: Cells,
}

/// A cell to place a stone on: row times size plus column, from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u8);

impl<const SIZE: usize> Hex<SIZE> {
    const FITS: () = assert!(SIZE > 0 && SIZE <= 11);
    const CELLS: usize = SIZE * SIZE;
    const BOARD: Cells = (1 << Self::CELLS) - 1;
    const TOP: Cells = (1 << SIZE) - 1;
    const BOTTOM: Cells = Self::TOP << (SIZE * (SIZE - 1));
    const LEFT: Cells = {
        let (mut cells, mut row) = (0, 0);
        while row < SIZE {
            cells |= 1 << (row * SIZE);
            row += 1;
        }
        cells
    };
    const RIGHT: Cells = Self::LEFT << (SIZE - 1);

    /// The empty board.
    pub fn new() -> Self {
        const { Self::FITS };
        Self::default()
    }

    /// The position after stones on these cells in turn, the first player's first; `None` if a cell does not exist or
    /// is taken, or the game was over.
    pub fn after_cells(cells: &[u8]) -> Option<Self> {
        board::after(Self::new(), cells.iter().copied().map(Cell))
    }

    /// The name of a cell: the column as a letter, then the row from 1 at the top.
    pub fn name(cell: Cell) -> String {
        let (row, column) = (usize::from(cell.0) / SIZE, usize::from(cell.0) % SIZE);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// A side's stones, and its two edges.
    fn of(&self, side: Side) -> (Cells, [Cells; 2]) {
        match side {
            Side::First => (self.first, [Self::TOP, Self::BOTTOM]),
            Side::Second => (self.second, [Self::LEFT, Self::RIGHT]),
        }
    }

    /// The given cells and their neighbours.
    fn spread(cells: Cells) -> Cells {
        let (inner_left, inner_right) = (cells & !Self::LEFT, cells & !Self::RIGHT);
        let rows = cells << SIZE | cells >> SIZE;
        let columns = inner_left >> 1 | inner_right << 1;
        let slanted = inner_left << (SIZE - 1) | inner_right >> (SIZE - 1);
        (cells | rows | columns | slanted) & Self::BOARD
    }

    /// The stones connected with `start`.
    fn flood(start: Cells, stones: Cells) -> Cells {
        let mut reached = start & stones;
        loop {
            let next = Self::spread(reached) & stones;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Whether a side has connected its edges.
    fn has_connected(&self, side: Side) -> bool {
        let (stones, [near, far]) = self.of(side);
        Self::flood(near, stones) & far != 0
    }

    fn empty(&self) -> Cells {
        Self::BOARD & !(self.first | self.second)
    }

    /// Sets of empty cells by distance from one of a side's edges: the set with index n is at distance n + 1. A cell at
    /// the edge, or next to stones of the side connected with it, is at distance 1; any other is one farther than the
    /// second nearest of its neighbours, since the opponent takes the nearest away.
    fn two_distances(&self, side: Side, edge: Cells) -> Vec<Cells> {
        let (stones, _) = self.of(side);
        let empty = self.empty();
        // The neighbours of these cells, across the side's stones too.
        let next_to = |cells: Cells| {
            let near = Self::spread(cells);
            (near | Self::spread(Self::flood(near, stones))) & empty & !cells
        };
        let mut level = (edge | Self::spread(Self::flood(edge, stones))) & empty;
        let (mut reached, mut once) = (0, 0);
        let mut levels = Vec::new();
        while level != 0 {
            reached |= level;
            levels.push(level);
            let mut next = 0;
            for cell in each(level) {
                let touched = next_to(1 << cell) & !reached;
                next |= touched & once;
                once |= touched;
            }
            level = next & !reached;
        }
        levels
    }

    /// Stones a side needs by two-distance, less one (the least sum of a cell's distances from both edges, less two),
    /// and the number of cells with that sum. `None` if by this measure the side cannot win.
    fn potential(&self, side: Side) -> Option<(usize, u32)> {
        let (_, edges) = self.of(side);
        let [near, far] = edges.map(|edge| self.two_distances(side, edge));
        let mut best: Option<(usize, u32)> = None;
        for (a, from_near) in near.iter().enumerate() {
            for (b, from_far) in far.iter().enumerate() {
                let cells = (from_near & from_far).count_ones();
                if cells == 0 {
                    continue;
                }
                best = match best {
                    Some((least, _)) if least < a + b => best,
                    Some((least, count)) if least == a + b => Some((least, count + cells)),
                    _ => Some((a + b, cells)),
                };
            }
        }
        best
    }

    /// The static value for the first player, in centipawns, while the game is not over: [`STONE`] for each stone that
    /// the second player needs more than the first, [`CELL`] for each cell with the least sum that the first has more.
    fn score(&self) -> i32 {
        let needs = |side| {
            let (stones, cells) = self.potential(side).unwrap_or((2 * SIZE, 0));
            STONE * stones as i32 - CELL * cells.min(MOST_CELLS) as i32
        };
        needs(Side::Second) - needs(Side::First)
    }
}

/// Value of each stone that the opponent needs more, in centipawns.
const STONE: i32 = 100;
/// Value of each cell with the least sum, in centipawns; at most [`MOST_CELLS`] count.
const CELL: i32 = 4;
const MOST_CELLS: u32 = 20;

/// The indices of the cells of a set.
fn each(mut cells: Cells) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros());
        cells &= cells.wrapping_sub(1);
        cell
    })
}

impl<const SIZE: usize> Game for Hex<SIZE> {
    type Move = Cell;

    const HISTORY_SLOTS: usize = 256;

    fn key(&self) -> u64 {
        let half = |cells: Cells| mix(cells as u64 ^ mix((cells >> 64) as u64));
        mix(half(self.first) ^ half(!self.second).rotate_left(17))
    }

    fn side_to_move(&self) -> Side {
        Side::at_ply((self.first | self.second).count_ones())
    }

    fn legal_moves(&self) -> Moves<Cell> {
        if !self.has_legal_move() {
            return Moves::new();
        }
        each(self.empty()).map(|cell| Cell(cell as u8)).collect()
    }

    fn has_legal_move(&self) -> bool {
        // A full board always has a winner.
        !self.has_connected(self.side_to_move().other())
    }

    fn play(&mut self, m: Cell) {
        let cell = 1 << m.0 & Self::BOARD;
        match self.side_to_move() {
            Side::First => self.first |= cell,
            Side::Second => self.second |= cell,
        }
    }

    fn terminal_value(&self) -> Value {
        Value::LOSS
    }

    fn history_slot(&self, m: Cell) -> usize {
        let side = match self.side_to_move() {
            Side::First => 0,
            Side::Second => 128,
        };
        side + usize::from(m.0)
    }

    fn move_code(m: Cell) -> u16 {
        u16::from(m.0) + 1
    }
}

impl<const SIZE: usize> fmt::Debug for Hex<SIZE> {
    /// The rows from the top, in `X` for the first player, `O` and `.`, separated by slashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        board::write(f, SIZE, [self.first, self.second], 0..Self::CELLS)
    }
}

/// Evaluates by two-distance how many stones fewer the side to move needs than its opponent; exact if the game is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoDistance;

impl<const SIZE: usize> Evaluator<Hex<SIZE>> for TwoDistance {
    fn static_value(&mut self, position: &Hex<SIZE>) -> Value {
        position.outcome().unwrap_or_else(|| {
            let score = position.score();
            Value::centipawns(match position.side_to_move() {
                Side::First => score,
                Side::Second => -score,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Root;
    use crate::random::Random;
    use crate::search::papers::minimax::Minimax;
    use crate::search::{Limits, Searcher, Unobserved};

    /// The neighbours of a cell.
    fn neighbours(cell: usize, size: usize) -> Vec<usize> {
        let (row, column) = ((cell / size) as i32, (cell % size) as i32);
        let around = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];
        let cells = around.map(|(r, c)| (row + r, column + c));
        let inside = |n: i32| (0..size as i32).contains(&n);
        let cells = cells.into_iter().filter(|&(r, c)| inside(r) && inside(c));
        cells.map(|(r, c)| r as usize * size + c as usize).collect()
    }

    #[test]
    fn cells_touch_up_to_six_others() {
        cells_touch_others::<7>();
        cells_touch_others::<11>();
    }

    fn cells_touch_others<const SIZE: usize>() {
        for cell in 0..SIZE * SIZE {
            let expected = neighbours(cell, SIZE);
            let expected = expected.iter().fold(1 << cell, |set, &it| set | 1 << it);
            assert_eq!(Hex::<SIZE>::spread(1 << cell), expected, "{cell}");
        }
    }

    /// A full board is connected for exactly one side.
    #[test]
    fn somebody_always_wins() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let mut position = Hex::<6>::new();
            while position.has_legal_move() {
                let moves = position.legal_moves();
                position.play(random.one_of(&moves));
                let won = [Side::First, Side::Second].map(|side| position.has_connected(side));
                assert!(won != [true, true]);
                assert_eq!(position.legal_moves().is_empty(), won.contains(&true));
            }
            assert_eq!(position.outcome(), Some(Value::LOSS));
        }
    }

    #[test]
    fn edges_belong_to_their_sides() {
        let won = Hex::<3>::after_cells(&[0, 1, 3, 4, 6]).unwrap();
        assert_eq!(format!("{won:?}"), "XO./XO./X..");
        assert_eq!(won.outcome(), Some(Value::LOSS));
        assert_eq!(Hex::<3>::after_cells(&[0, 1, 3, 4, 6, 7]), None);
        let not_yet = Hex::<3>::after_cells(&[0, 3, 1, 4, 2]).unwrap();
        assert_eq!(
            not_yet.outcome(),
            None,
            "a row of the first player's own edge"
        );
        assert_eq!(Hex::<3>::name(Cell(5)), "c2");
    }

    /// The first player wins small boards, from the middle of 3 by 3 in five plies.
    #[test]
    fn small_boards_are_solved() {
        let middle = Root::new(Hex::<3>::after_cells(&[4]).unwrap());
        let mut search = Minimax::new(TwoDistance);
        let report = search.search(&middle, &Limits::iterations(9), &mut Unobserved);
        assert_eq!(report.value, Value::loss_in(4));
    }

    /// The distances computed cell by cell from the definition.
    fn slow_two_distance<const SIZE: usize>(
        position: &Hex<SIZE>,
        side: Side,
        edge: Cells,
    ) -> Vec<Option<usize>> {
        let (stones, _) = position.of(side);
        let empty = position.empty();
        let connected = |a: usize, b: usize| {
            let near = Hex::<SIZE>::spread(1 << a);
            (near | Hex::<SIZE>::spread(Hex::<SIZE>::flood(near, stones))) >> b & 1 == 1
        };
        let at_edge = edge | Hex::<SIZE>::spread(Hex::<SIZE>::flood(edge, stones));
        let cells: Vec<usize> = each(empty).map(|cell| cell as usize).collect();
        let mut distance = vec![None; SIZE * SIZE];
        // Each round fixes the cells at the next distance.
        for round in 1..=SIZE * SIZE {
            let before = distance.clone();
            for &cell in &cells {
                let nearer = |other: &&usize| {
                    **other != cell && connected(cell, **other) && before[**other].is_some()
                };
                let is_there = if round == 1 {
                    at_edge >> cell & 1 == 1
                } else {
                    cells.iter().filter(nearer).count() >= 2
                };
                if is_there && before[cell].is_none() {
                    distance[cell] = Some(round);
                }
            }
        }
        distance
    }

    #[test]
    fn two_distances_are_those_of_the_definition() {
        let mut random = Random::new(9);
        for _ in 0..40 {
            let mut position = Hex::<5>::new();
            for _ in 0..random.below(12) {
                if position.has_legal_move() {
                    let moves = position.legal_moves();
                    position.play(random.one_of(&moves));
                }
            }
            for side in [Side::First, Side::Second] {
                for edge in position.of(side).1 {
                    let levels = position.two_distances(side, edge);
                    let slow = slow_two_distance(&position, side, edge);
                    for cell in each(position.empty()) {
                        let fast = levels.iter().position(|it| it >> cell & 1 == 1);
                        let fast = fast.map(|level| level + 1);
                        assert_eq!(fast, slow[cell as usize], "{position:?} {cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn both_sides_are_valued_alike() {
        // The sides exchanged. Both cells are on the diagonal, so exchanging rows and columns leaves them in place.
        let position = Hex::<5>::after_cells(&[12, 6]).unwrap();
        let turned = Hex::<5>::after_cells(&[6, 12]).unwrap();
        assert_eq!(position.score(), -turned.score());
        let mut evaluator = TwoDistance;
        let empty = Hex::<5>::new();
        assert_eq!(evaluator.static_value(&empty), Value::DRAW);
        let middle = empty.after(Cell(12));
        assert!(evaluator.static_value(&middle) < Value::DRAW);
    }
}
