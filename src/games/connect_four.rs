//! Connect-four on boards of any size that fits 64 bits, with winning lines of any length: small boards can be searched
//! to the end, to test searches for proofs.

use std::fmt;

use super::board;
use crate::game::{Game, Moves, Side};
use crate::value::Value;

/// A position of connect-`ROW` on a board of `COLUMNS` by `ROWS` cells: stones fall to the lowest free cell of a
/// column, and `ROW` of them in line, in any direction, win. X begins.
///
/// A board has at most 64 cells, a spare row on top included that stays empty: `COLUMNS * (ROWS + 1) <= 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ConnectFour<const COLUMNS: usize, const ROWS: usize, const ROW: usize = 4> {
    /// Cells of the side to move: bit `column * (ROWS + 1) + height`.
    own: u64,
    /// Cells of both sides.
    taken: u64,
}

/// A column to drop a stone into, from 0 on the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub u8);

impl<const COLUMNS: usize, const ROWS: usize, const ROW: usize> ConnectFour<COLUMNS, ROWS, ROW> {
    /// Bits from one column to the next: one more than there are rows, so that lines do not run on
    /// from the top of a column to the bottom of the next.
    const STRIDE: usize = ROWS + 1;
    const FITS: () = assert!(COLUMNS * (ROWS + 1) <= 64 && COLUMNS > 0 && ROWS > 0 && ROW > 0);

    /// The empty board.
    pub fn new() -> Self {
        const { Self::FITS };
        Self::default()
    }

    /// The position after these columns have been played in turn, X first; `None` if a column does not exist or is
    /// full, or the game was over.
    #[cfg(test)]
    pub(crate) fn after_columns(columns: &[u8]) -> Option<Self> {
        board::after(Self::new(), columns.iter().copied().map(Column))
    }

    /// A static value for X: lines open to X less those open to O, plus 100 if X has won, minus 100 if O has.
    pub fn line_score(&self) -> i32 {
        let (crosses, noughts) = self.stones();
        let won = |cells| 100 * i32::from(Self::has_line(cells));
        Self::open_lines(noughts) - Self::open_lines(crosses) + won(crosses) - won(noughts)
    }

    /// Cells of X and of O.
    fn stones(&self) -> (u64, u64) {
        let other = self.taken ^ self.own;
        match self.side_to_move() {
            Side::First => (self.own, other),
            Side::Second => (other, self.own),
        }
    }

    const fn column(column: usize) -> u64 {
        ((1 << ROWS) - 1) << (column * Self::STRIDE)
    }

    /// First cells of the winning lines within `cells`, by direction.
    fn lines(cells: u64) -> impl Iterator<Item = u64> {
        let directions = [1, Self::STRIDE - 1, Self::STRIDE, Self::STRIDE + 1];
        directions.into_iter().map(move |step| {
            let mut ends = cells;
            for _ in 1..ROW {
                ends &= ends >> step;
            }
            ends
        })
    }

    /// Whether `cells` hold a winning line.
    fn has_line(cells: u64) -> bool {
        Self::lines(cells).any(|ends| ends != 0)
    }

    /// Number of lines a side can still complete, given the opponent's cells.
    fn open_lines(opponent: u64) -> i32 {
        let board = (0..COLUMNS).fold(0, |cells, column| cells | Self::column(column));
        let lines = Self::lines(board & !opponent);
        lines.map(|ends| ends.count_ones() as i32).sum()
    }
}

impl<const COLUMNS: usize, const ROWS: usize, const ROW: usize> Game
    for ConnectFour<COLUMNS, ROWS, ROW>
{
    type Move = Column;

    fn key(&self) -> u64 {
        let cells = self.own.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let key = (cells ^ self.taken).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        key ^ key >> 32
    }

    fn side_to_move(&self) -> Side {
        Side::at_ply(self.taken.count_ones())
    }

    fn legal_moves(&self) -> Moves<Column> {
        if Self::has_line(self.taken ^ self.own) {
            return Moves::new();
        }
        (0..COLUMNS)
            .filter(|&column| self.taken & Self::column(column) != Self::column(column))
            .map(|column| Column(column as u8))
            .collect()
    }

    fn play(&mut self, m: Column) {
        let column = Self::column(usize::from(m.0));
        let bottom = 1 << (usize::from(m.0) * Self::STRIDE);
        let stone = (self.taken + bottom) & column & !self.taken;
        self.own ^= self.taken;
        self.taken |= stone;
    }

    fn terminal_value(&self) -> Value {
        if Self::has_line(self.taken ^ self.own) {
            Value::LOSS
        } else {
            Value::DRAW
        }
    }

    fn may_win(&self, m: Column) -> bool {
        let next = self.after(m);
        Self::has_line(next.taken ^ next.own)
    }

    fn move_code(m: Column) -> u16 {
        u16::from(m.0) + 1
    }
}

impl<const COLUMNS: usize, const ROWS: usize, const ROW: usize> fmt::Debug
    for ConnectFour<COLUMNS, ROWS, ROW>
{
    /// The rows from the top, in `X`, `O` and `.`, separated by slashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (crosses, noughts) = self.stones();
        let row = |height| (0..COLUMNS).map(move |column| column * Self::STRIDE + height);
        let cells = (0..ROWS).rev().flat_map(row);
        board::write(f, COLUMNS, [crosses.into(), noughts.into()], cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Usual = ConnectFour<7, 6>;

    fn count<const C: usize, const R: usize, const N: usize>(
        position: ConnectFour<C, R, N>,
        depth: u32,
    ) -> u64 {
        let moves = position.legal_moves();
        if depth == 0 {
            return 1;
        }
        moves
            .into_iter()
            .map(|m| count(position.after(m), depth - 1))
            .sum()
    }

    #[test]
    fn lines_of_moves_are_counted_as_others_count_them() {
        // After six plies a column may be full, after seven the game may be over.
        assert_eq!(count(Usual::new(), 6), 7_u64.pow(6));
        assert_eq!(count(Usual::new(), 7), 7_u64.pow(7) - 7);
        assert_eq!(count(Usual::new(), 8), 5_673_234);
    }

    #[test]
    fn lines_win_in_every_direction() {
        let won = |columns: &[u8]| {
            let position = Usual::after_columns(columns).unwrap();
            (position.outcome(), format!("{position:?}"))
        };
        let across = won(&[0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(across.0, Some(Value::LOSS));
        assert!(across.1.ends_with("/OOO..../XXXX..."), "{}", across.1);
        assert_eq!(won(&[4, 5, 4, 5, 4, 5, 4]).0, Some(Value::LOSS));
        assert_eq!(won(&[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]).0, Some(Value::LOSS));
        assert_eq!(won(&[6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]).0, Some(Value::LOSS));
        assert_eq!(won(&[0, 0, 1, 1, 2, 2]).0, None);
        assert_eq!(Usual::after_columns(&[0, 0, 1, 1, 2, 2, 3, 3]), None);
        assert_eq!(Usual::after_columns(&[7]), None);
        assert_eq!(Usual::after_columns(&[0; 7]), None);
    }

    #[test]
    fn lines_do_not_run_over_the_edge() {
        // The top of one column and the bottom of the next are not neighbours.
        let position = ConnectFour::<4, 2, 2>::after_columns(&[0, 0]).unwrap();
        assert_eq!(position.outcome(), None);
        let full = ConnectFour::<2, 2, 3>::after_columns(&[0, 0, 1, 1]).unwrap();
        assert_eq!(full.outcome(), Some(Value::DRAW));
    }

    #[test]
    fn open_lines_are_counted() {
        assert_eq!(Usual::open_lines(0), 69);
        // A stone in the corner belongs to three lines.
        let position = Usual::after_columns(&[0]).unwrap();
        assert_eq!(position.line_score(), 3);
    }

    #[test]
    fn a_move_that_may_win_is_known() {
        let position = Usual::after_columns(&[0, 6, 1, 6, 2, 5]).unwrap();
        for m in position.legal_moves() {
            let wins = position.after(m).outcome() == Some(Value::LOSS);
            assert_eq!(position.may_win(m), wins);
        }
    }
}
