//! Moments that decided a game: the marked moves that cost the most.

use super::holding;
use super::move_marks::Judgement;
use super::record::{Game, Row};
use super::turn::marked;
use crate::games::chess::line::WrittenMove;

/// Most moments of a game.
const MOST: usize = 3;

/// A moment that decided a game: a position in which another move would have held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'g> {
    /// The position, with the move that was played.
    pub(super) row: &'g Row,
    /// The position after that move.
    pub(super) after: &'g Row,
    /// Mark of the move played.
    pub(super) mark: Judgement,
}

/// Moments of a game, in order of play: at most three of the marked moves, the one at ply `turn` and those that cost
/// the most. A marked move is left out if it was forced or turned out to hold, or if no move holds.
pub(super) fn of(game: &Game, turn: Option<usize>) -> Vec<Moment<'_>> {
    let rows = game.rows.iter().filter(|row| !row.facts.forced);
    let moments = marked(game, rows).filter_map(|(row, mark)| {
        let after = game.after(row)?;
        Some(Moment { row, after, mark })
    });
    let mut moments: Vec<Moment<'_>> = moments.filter(Moment::is_one).collect();
    let is_turn = |it: &Moment<'_>| Some(it.row.ply) == turn;
    moments.sort_by(|a, b| {
        let costs = b.mark.cost.total_cmp(&a.mark.cost);
        is_turn(b).cmp(&is_turn(a)).then(costs)
    });
    moments.truncate(MOST);
    moments.sort_by_key(|it| it.row.ply);
    moments
}

impl Moment<'_> {
    /// Whether another move holds, and the one played does not.
    fn is_one(&self) -> bool {
        let played = self.row.played.as_ref().map(|it| &it.san);
        let holds = |step: &WrittenMove| Some(&step.san) == played;
        let held = self.row.facts.held.as_ref();
        held.is_none_or(|held| !held.is_empty() && !held.iter().any(holds))
    }

    /// Whether it is a puzzle: the moves that hold are known, and surely no other does.
    pub(super) fn is_puzzle(&self) -> bool {
        let facts = &self.row.facts;
        facts.held.is_some() && holding::is_sure(facts.rest, facts.only)
    }

    /// The moves that solve it: those that hold, the verdict's best first; or that best alone if it is none of them.
    pub(super) fn solutions(&self) -> Vec<&WrittenMove> {
        let best = self.row.verdict.best.as_ref();
        match &self.row.facts.held {
            Some(held) if best.is_none_or(|it| held.contains(it)) => {
                let mut held: Vec<&WrittenMove> = held.iter().collect();
                held.sort_by_key(|&it| Some(it) != best);
                held
            }
            _ => best.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{game, step};

    fn moments(game: &Game) -> Vec<Moment<'_>> {
        of(game, None)
    }

    fn plies(game: &Game) -> Vec<usize> {
        moments(game).iter().map(|it| it.row.ply).collect()
    }

    #[test]
    fn the_three_worst_moves_are_told_in_their_order() {
        // Costs at plies 1, 3, 5, 7, 8: the last the smallest.
        let values = [0, 0, 200, 0, 300, 0, 400, 0, 500, 350];
        let mut game = game(&values);
        // In this fixture White's moves between Black's would be errors too; here they cost nothing.
        for row in game.rows.iter_mut().filter(|row| !row.black) {
            row.facts.cost = Some(0.0);
        }
        assert_eq!(plies(&game), [3, 5, 7]);
        assert_eq!(moments(&game)[0].solutions(), [&step("b")]);
        // The move with which the game turned is always among them.
        let with_turn = of(&game, Some(1));
        assert!(with_turn.iter().map(|it| it.row.ply).eq([1, 5, 7]));
    }

    #[test]
    fn what_holds_after_all_is_no_moment() {
        let mut game = game(&[0, -400, -400]);
        assert_eq!(plies(&game), [0]);
        let held = |names: &[&str]| Some(names.iter().map(|name| step(name)).collect());
        game.rows[0].facts.held = held(&["c", "b"]);
        assert_eq!(moments(&game)[0].solutions(), [&step("b"), &step("c")]);
        // A puzzle if surely no other move holds.
        assert!(!moments(&game)[0].is_puzzle());
        game.rows[0].facts.rest = Some(0.3);
        assert!(moments(&game)[0].is_puzzle());
        game.rows[0].facts.only = Some(0.8);
        assert!(!moments(&game)[0].is_puzzle());
        for names in [&["b", "a"][..], &[]] {
            game.rows[0].facts.held = held(names);
            assert_eq!(plies(&game), [0; 0], "{names:?}");
        }
    }

    #[test]
    fn a_quiet_game_has_none() {
        assert_eq!(plies(&game(&[0, 10, -10, 20, 30])), [0; 0]);
        assert_eq!(plies(&game(&[])), [0; 0]);
    }
}
