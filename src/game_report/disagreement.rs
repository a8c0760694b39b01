//! Where two judges disagree: the engine that judges, and Cassius's own search beside it.
//!
//! Two judges *disagree* about a move if its costs by the two differ by at least a tenth of a point, and about a
//! position if its values differ by at least a fifth of a point: for instance if one calls it level and the other won.
//! Of consecutive positions whose values differ in the same direction, the first counts.

use super::record::{Game, Opinion, Row};
use super::verdict::PositionVerdict;

/// Least difference of a move's costs, in points.
const ABOUT_A_MOVE: f64 = 0.1;
/// Least difference of a position's values, in points.
const ABOUT_A_POSITION: f64 = 0.2;
/// Least cost that a sentence gives in points; a smaller one is "nothing".
const SMALLEST: f64 = 0.005;
/// Tolerance: differences of points are multiples of a half thousandth, but not exactly so in floating point.
const ROUNDING: f64 = 1e-9;

/// A position that two judges disagree about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disagreement<'g> {
    /// The position, with the engine's verdict.
    pub(super) row: &'g Row,
    /// Cassius's opinion.
    pub(super) own: &'g Opinion,
    /// Subject of the disagreement.
    pub(super) about: About,
    /// Size of the disagreement, in points.
    pub(super) points: f64,
}

/// Subject of a disagreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum About {
    /// The cost of the move played.
    Move,
    /// The value of the position.
    Position,
}

/// Disagreements of a game, in the order of positions.
pub(super) fn of(game: &Game) -> Vec<Disagreement<'_>> {
    let mut found = Vec::new();
    // Whether the engine's value of the last position was higher than Cassius's; `None` if they agreed.
    let mut before = None;
    for row in &game.rows {
        let Some(own) = row.own.as_deref() else {
            continue;
        };
        let about_move = about_move(row, own);
        let apart = about_position(&row.verdict, &own.verdict);
        let sign = apart.map(|it| it > 0.0);
        let about_position = apart.filter(|_| sign != before);
        before = sign;
        let (about, points) = match (about_move, about_position) {
            (Some(points), _) => (About::Move, points),
            (None, Some(points)) => (About::Position, points),
            (None, None) => continue,
        };
        found.push(Disagreement {
            row,
            own,
            about,
            points: points.abs(),
        });
    }
    found
}

impl Disagreement<'_> {
    /// The disagreement as a sentence in ASCII, for a comment in PGN: on the move played if the disagreement is about
    /// that move, else on the move that led to the position.
    pub(super) fn sentence(&self) -> String {
        let Disagreement { row, own, .. } = self;
        let played = row.played.as_ref().map_or("", |it| &it.san);
        match (self.about, &own.verdict.best) {
            (About::Position, _) => format!(
                "The judges disagree about the position: {} by the engine, {} by Cassius.",
                row.verdict.ascii_value(),
                own.verdict.ascii_value()
            ),
            (About::Move, Some(best)) if best.san != played => format!(
                "Cassius disagrees: by its search {played} costs {}, and {} is worth {}.",
                points(own.cost.unwrap_or_default()),
                row.numbered(&best.san),
                own.verdict.ascii_value()
            ),
            (About::Move, _) => format!("Cassius disagrees: it takes {played} for the best move."),
        }
    }

    /// The disagreement as an entry of a list: `19. Rad1 costs 0.26, by Cassius 0.02`.
    pub(super) fn entry(&self) -> String {
        let Disagreement { row, own, .. } = self;
        match self.about {
            About::Move => format!(
                "{} costs {:.2}, by Cassius {:.2}",
                row.move_text(),
                row.facts.cost.unwrap_or_default(),
                own.cost.unwrap_or_default()
            ),
            About::Position => format!(
                "{} before {}, by Cassius {}",
                row.verdict.value(),
                row.move_text(),
                own.verdict.value()
            ),
        }
    }
}

/// A cost as part of a sentence.
pub(super) fn points(cost: f64) -> String {
    if cost < SMALLEST {
        "nothing".to_owned()
    } else {
        format!("{cost:.2} points")
    }
}

/// Cost of the move played, in points: the engine's figure less Cassius's; `None` unless they disagree about it.
fn about_move(row: &Row, own: &Opinion) -> Option<f64> {
    let apart = row.facts.cost? - own.cost?;
    (apart.abs() >= ABOUT_A_MOVE - ROUNDING).then_some(apart)
}

/// Expected points of White: the engine's figure less Cassius's; `None` unless they disagree about the position.
fn about_position(engine: &PositionVerdict, own: &PositionVerdict) -> Option<f64> {
    let apart = engine.points()? - own.points()?;
    (apart.abs() >= ABOUT_A_POSITION - ROUNDING).then_some(apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{game, opinion};

    /// A game by the engine's values and costs, and Cassius's.
    fn judged(positions: &[(i32, f64, i32, f64)]) -> Game {
        let values: Vec<i32> = positions.iter().map(|it| it.0).collect();
        let mut game = game(&values);
        for (row, &(_, cost, own, own_cost)) in game.rows.iter_mut().zip(positions) {
            row.facts.cost = Some(cost);
            row.own = Some(Box::new(opinion(own, Some(own_cost))));
        }
        game
    }

    fn found(positions: &[(i32, f64, i32, f64)]) -> Vec<(usize, About)> {
        let game = judged(positions);
        let found = of(&game).into_iter();
        found.map(|it| (it.row.ply, it.about)).collect()
    }

    #[test]
    fn a_tenth_of_a_point_about_a_move() {
        let costs = |engine, own| found(&[(0, engine, 0, own)]);
        assert_eq!(costs(0.3, 0.25), []);
        assert_eq!(costs(0.3, 0.2), [(0, About::Move)]);
        assert_eq!(costs(0.0, 0.1), [(0, About::Move)], "the other way round");
    }

    #[test]
    fn of_positions_alike_the_first_counts() {
        let values = [(0, 0), (200, 0), (250, 10), (0, 0), (0, 300), (300, 0)];
        let positions = values.map(|(engine, own)| (engine, 0.0, own, 0.0));
        let about = [1, 4, 5].map(|ply| (ply, About::Position));
        assert_eq!(found(&positions), about);
    }

    #[test]
    fn who_is_silent_does_not_disagree() {
        let mut game = judged(&[(500, 0.3, 0, 0.0)]);
        assert_eq!(of(&game).len(), 1);
        game.rows[0].facts.cost = None;
        game.rows[0].verdict.cp = None;
        assert!(of(&game).is_empty());
        game.rows[0].own = None;
        assert!(of(&game).is_empty());
    }
}
