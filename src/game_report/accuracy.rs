//! Accuracy of either side's play, in one number.
//!
//! A move *costs* the expected points that it loses, 1 for a win and 1/2 for a draw: see `marks`. A player's
//! accuracy is 100 if no move costs anything, and halves with each twentieth of a point of the mean cost:
//!
//! > accuracy = 100 · 2^(−20 L),  L = Σ wᵢ cᵢ / Σ wᵢ
//!
//! cᵢ are the costs of the player's moves. A move's weight is w = 4 p (1 − p), where p is the expected points: 1 in an
//! even game, 0 in a decided one. Of the weights before and after the move the larger one counts. So a long won ending
//! makes nobody more accurate, and a win thrown away counts in full. Forced moves are left out.

use super::record::{Game, Sides};
use super::verdict::PositionVerdict;

/// Mean cost of a move, in points, at which the accuracy is 50.
const HALF: f64 = 0.05;
/// Least sum of weights for an accuracy: two moves in an even game.
const LEAST_WEIGHT: f64 = 2.0;

/// Accuracy of both players, from 0 to 100; `None` if too few moves mattered or too few costs are known.
pub(super) fn of(game: &Game) -> Sides<Option<f64>> {
    moves(game).map(accuracy)
}

/// Points lost by each player, over all moves.
pub(super) fn lost(game: &Game) -> Sides<f64> {
    // The sum of no numbers is -0.0.
    moves(game).map(|own| own.fold(0.0, |sum, (_, cost)| sum + cost))
}

/// Each player's moves with a known cost, forced moves left out: weight in the average, from 0 to 1, and cost in points.
fn moves(game: &Game) -> Sides<impl Iterator<Item = (f64, f64)>> {
    let sides = Sides {
        white: false,
        black: true,
    };
    sides.map(|black| {
        game.rows.windows(2).filter_map(move |pair| {
            let [row, after] = pair else { return None };
            if row.black != black || row.facts.forced {
                return None;
            }
            let weights = [&row.verdict, &after.verdict].map(openness);
            let weight = weights.into_iter().flatten().fold(0.0, f64::max);
            Some((weight, row.facts.cost?))
        })
    })
}

/// Openness of the game: 1 if it is even, 0 if it is decided.
fn openness(verdict: &PositionVerdict) -> Option<f64> {
    let points = verdict.points()?;
    Some(4.0 * points * (1.0 - points))
}

/// The accuracy of moves by their weights and costs.
fn accuracy(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut weights, mut costs) = (0.0, 0.0);
    for (weight, cost) in moves {
        weights += weight;
        costs += weight * cost;
    }
    let known = weights >= LEAST_WEIGHT;
    known.then(|| 100.0 * (-costs / weights / HALF).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::game;

    fn rounded(values: &[i32]) -> [Option<i32>; 2] {
        let Sides { white, black } = of(&game(values));
        [white, black].map(|it| it.map(|it| it.round() as i32))
    }

    #[test]
    fn who_gives_nothing_away_is_wholly_accurate() {
        assert_eq!(rounded(&[0, 0, 0, 0, 0, 0, 0]), [Some(100), Some(100)]);
        // Black gives away a pawn once and a pawn again.
        let [white, black] = rounded(&[0, 0, 100, 100, 200, 200, 200]);
        assert_eq!(white, Some(100));
        assert!(black.is_some_and(|it| (20..40).contains(&it)), "{black:?}");
    }

    #[test]
    fn a_twentieth_of_a_point_a_move_is_half() {
        let moves = [(1.0, 0.05), (1.0, 0.05), (0.5, 0.05)];
        assert!((accuracy(moves.into_iter()).unwrap() - 50.0).abs() < 1e-9);
        let moves = [(1.0, 0.1), (1.0, 0.0)];
        assert!((accuracy(moves.into_iter()).unwrap() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_decided_counts_for_little() {
        let short = [0, 0, 60, 60, 60, 60, 2_000];
        let long = [&short[..], &[2_000; 80]].concat();
        let ([_, short], [_, long]) = (rounded(&short), rounded(&long));
        let difference = long.unwrap() - short.unwrap();
        assert!((0..=3).contains(&difference), "{short:?} {long:?}");
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let values = [0, 30, -50, 20, 90, -10, 0, 40, -200];
        let mirrored: Vec<i32> = [0].into_iter().chain(values.map(|it| -it)).collect();
        let [white, black] = rounded(&values);
        let [other_white, other_black] = rounded(&mirrored);
        // The first position comes once more, with a move of White's that costs nothing.
        assert!(other_black == white && other_white >= black);
    }

    #[test]
    fn of_too_little_nothing_is_said() {
        assert_eq!(rounded(&[]), [None, None]);
        assert_eq!(rounded(&[0, 0, 0]), [None, None]);
        assert_eq!(rounded(&[3_000; 60]), [None, None]);
    }

    #[test]
    fn forced_moves_count_for_nothing() {
        let mut game = game(&[0, -300, 0, -300]);
        for row in &mut game.rows {
            row.facts.forced = true;
        }
        let Sides { white, black } = moves(&game);
        assert_eq!(white.chain(black).count(), 0);
    }

    #[test]
    fn what_is_lost_adds_up() {
        let lost = lost(&game(&[0, -300, 0, -300]));
        assert!(lost.white > 0.5 && lost.black > 0.2, "{lost:?}");
    }
}
