//! Code that the games on boards share.

use std::fmt;

use crate::game::Game;

/// The position after these moves in turn; `None` if one of them is not legal.
pub(super) fn after<G: Game>(start: G, moves: impl IntoIterator<Item = G::Move>) -> Option<G> {
    moves.into_iter().try_fold(start, |position, m| {
        let is_legal = position.legal_moves().contains(&m);
        is_legal.then(|| position.after(m))
    })
}

/// Writes a board: `X` for the first player's stones, `O` for the second's, `.` for empty cells, rows separated by
/// slashes. `cells` gives the bits of the cells in reading order, `columns` to a row.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    columns: usize,
    [first, second]: [u128; 2],
    cells: impl IntoIterator<Item = usize>,
) -> fmt::Result {
    for (place, cell) in cells.into_iter().enumerate() {
        let has_stone = |stones: u128| stones >> cell & 1 == 1;
        if place > 0 && place % columns == 0 {
            f.write_str("/")?;
        }
        f.write_str(match (has_stone(first), has_stone(second)) {
            (true, _) => "X",
            (false, true) => "O",
            (false, false) => ".",
        })?;
    }
    Ok(())
}
