//! Tic-tac-toe, the test bed of Khalid et al.: small enough to search to the end.

use std::fmt;

use super::board;
use crate::game::{Evaluator, Game, Moves, Side};
use crate::value::Value;

/// The eight winning rows, columns and diagonals included, as sets of cells: bit 0 is top left, bit 8 bottom right.
const ROWS: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
const ALL_CELLS: u16 = 0b111_111_111;

/// A position: the cells marked by each side. X begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TicTacToe {
    /// Cells of the side to move.
    own: u16,
    /// Cells of the side that moved last.
    other: u16,
}

/// A cell to mark: 0 is the top left one, 8 the bottom right one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u8);

impl TicTacToe {
    /// The empty board.
    pub fn new() -> TicTacToe {
        TicTacToe::default()
    }

    /// The position after marks on these cells in turn, X first; `None` if a cell does not exist or is taken, or the
    /// game was over.
    pub fn after_cells(cells: &[u8]) -> Option<TicTacToe> {
        board::after(TicTacToe::new(), cells.iter().copied().map(Cell))
    }

    fn has_row(cells: u16) -> bool {
        ROWS.iter().any(|row| cells & row == *row)
    }

    /// The static value for X (Khalid et al. 2015, section 3.1), a sum over the rows: 10, 100 or 1000 for one, two or
    /// three marks of X alone, -10, -100 or -1000 for those of O alone, 1 for an empty row, 0 for a row with both.
    pub fn row_score(&self) -> i32 {
        let (crosses, noughts) = self.marks();
        let worth = |marks: u32| 10_i32.pow(marks);
        let score = |row: &u16| match ((crosses & row).count_ones(), (noughts & row).count_ones()) {
            (0, 0) => 1,
            (marks, 0) => worth(marks),
            (0, marks) => -worth(marks),
            _ => 0,
        };
        ROWS.iter().map(score).sum()
    }

    /// Cells of X and of O.
    fn marks(&self) -> (u16, u16) {
        match self.side_to_move() {
            Side::First => (self.own, self.other),
            Side::Second => (self.other, self.own),
        }
    }

    /// Number of rows a side can still complete, given the opponent's cells.
    fn open_rows(opponent: u16) -> i32 {
        ROWS.iter().filter(|&&row| row & opponent == 0).count() as i32
    }
}

impl Game for TicTacToe {
    type Move = Cell;

    fn key(&self) -> u64 {
        let cells = u64::from(self.own) << 9 | u64::from(self.other);
        (cells + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn side_to_move(&self) -> Side {
        Side::at_ply((self.own | self.other).count_ones())
    }

    fn legal_moves(&self) -> Moves<Cell> {
        if TicTacToe::has_row(self.other) {
            return Moves::new();
        }
        let taken = self.own | self.other;
        (0..9)
            .filter(|cell| taken & 1 << cell == 0)
            .map(Cell)
            .collect()
    }

    fn play(&mut self, m: Cell) {
        *self = TicTacToe {
            own: self.other,
            other: self.own | (1 << m.0 & ALL_CELLS),
        };
    }

    fn terminal_value(&self) -> Value {
        if TicTacToe::has_row(self.other) {
            Value::LOSS
        } else {
            Value::DRAW
        }
    }

    fn move_code(m: Cell) -> u16 {
        u16::from(m.0) + 1
    }
}

impl fmt::Debug for TicTacToe {
    /// Three rows in `X`, `O` and `.`, separated by slashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (crosses, noughts) = self.marks();
        board::write(f, 3, [crosses.into(), noughts.into()], 0..9)
    }
}

/// The usual static value: rows open to the side to move less those open to the opponent, one centipawn each; exact if
/// the game is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenRows;

impl Evaluator<TicTacToe> for OpenRows {
    fn static_value(&mut self, position: &TicTacToe) -> Value {
        position.outcome().unwrap_or_else(|| {
            Value::centipawns(
                TicTacToe::open_rows(position.other) - TicTacToe::open_rows(position.own),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(position: TicTacToe) -> u64 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return 1;
        }
        moves.into_iter().map(|m| count(position.after(m))).sum()
    }

    #[test]
    fn there_are_255168_games() {
        assert_eq!(count(TicTacToe::new()), 255_168);
    }

    #[test]
    fn a_completed_row_ends_the_game() {
        let won = TicTacToe::after_cells(&[0, 3, 1, 4, 2]).unwrap();
        assert_eq!(format!("{won:?}"), "XXX/OO./...");
        assert_eq!(won.outcome(), Some(Value::LOSS));
        assert_eq!(TicTacToe::after_cells(&[0, 3, 1, 4, 2, 5]), None);
        assert_eq!(TicTacToe::after_cells(&[0, 0]), None);
    }
}
