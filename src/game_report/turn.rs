//! Finds the move with which a game turned.
//!
//! A game *turned* with a marked move of the loser if the winner was not well ahead before it and stood better in every
//! position after it. Of several such moves, the one that gained the winner the most counts.

use super::move_marks::{self, Judgement};
use super::record::{Game, Row};
use super::standing::BETTER;

/// Least expected points of a side that is well ahead; a side that is *winning* (`labels`) has more.
pub(super) const WELL_AHEAD: f64 = 0.75;
/// Expected points in an even game.
const LEVEL: f64 = 0.5;

/// Ply of the move with which a game turned for good; `None` if it turned with none.
pub(super) fn turn_of(game: &Game) -> Option<usize> {
    let winner_is_black = winner(game)?;
    let marked = turning(game, winner_is_black, last_open(game, winner_is_black)?);
    decisive(&marked, winner_is_black).map(|it| it.0.ply)
}

/// Index of the last position in which the winner was not well ahead; `None` if there is none.
pub(super) fn last_open(game: &Game, winner_is_black: bool) -> Option<usize> {
    let is_open = |row: &Row| points_of(row, winner_is_black).is_some_and(|it| it < WELL_AHEAD);
    game.rows.iter().rposition(is_open)
}

/// The loser's marked moves before which the winner was not well ahead and after which the winner always stood better.
/// `last` is the index of the last position in which the winner was not well ahead.
pub(super) fn turning(game: &Game, winner_is_black: bool, last: usize) -> Vec<(&Row, Judgement)> {
    let is_below =
        |row: &Row, least: f64| points_of(row, winner_is_black).is_some_and(|it| it < least);
    let mut until = game.rows[..=last].iter();
    let level = until.rposition(|row| is_below(row, BETTER));
    let window = game.rows[level.unwrap_or(0)..=last].iter();
    let losers = window.filter(|row| row.black != winner_is_black);
    marked(game, losers.filter(|row| is_below(row, WELL_AHEAD))).collect()
}

/// The moves of these rows that are marked, if the next position's own search bears the mark out: it shows at least half
/// of the cost.
pub(super) fn marked<'g>(
    game: &'g Game,
    rows: impl Iterator<Item = &'g Row>,
) -> impl Iterator<Item = (&'g Row, Judgement)> {
    rows.filter_map(|row| {
        let mark = move_marks::of(row)?;
        let after = game.after(row).and_then(|it| points_of(it, row.black));
        let fall = points_of(row, row.black)? - after.unwrap_or_default();
        (fall >= mark.cost / 2.0).then_some((row, mark))
    })
}

/// The one of these moves that gained the winner the most; only points above an even score count.
pub(super) fn decisive<'g>(
    marked: &[(&'g Row, Judgement)],
    winner_is_black: bool,
) -> Option<(&'g Row, Judgement)> {
    let gained = |&(row, mark): &(&Row, Judgement)| {
        let before = points_of(row, winner_is_black);
        before.map_or(0.0, |it| it + mark.cost - it.max(LEVEL))
    };
    let marked = marked.iter().copied();
    marked.max_by(|a, b| gained(a).total_cmp(&gained(b)))
}

/// Whether Black won: by the result, or by the last position if the result is unknown; `None` if nobody did.
pub(super) fn winner(game: &Game) -> Option<bool> {
    match game.info.result.as_str() {
        "1-0" => Some(false),
        "0-1" => Some(true),
        "*" => {
            let last = game.rows.last()?.verdict.points()?;
            let is_won = last >= WELL_AHEAD || last <= 1.0 - WELL_AHEAD;
            is_won.then_some(last < LEVEL)
        }
        _ => None,
    }
}

/// Expected points of a side; `None` if the position has no value.
pub(super) fn points_of(row: &Row, is_black: bool) -> Option<f64> {
    row.verdict
        .points()
        .map(|it| if is_black { 1.0 - it } else { it })
}
