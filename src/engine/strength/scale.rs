//! The scale from Elo to handicaps.
//!
//! [`MARKS`] are its measured points: levels near each of them played each other and engines of known rating
//! (lab/docs/trials.md). Changes to the default search or network move them: `cassius lab fit-levels` measures
//! them anew.

use super::marks::MARKS;

/// Handicaps of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Nodes for each move, quiescence included; a quarter more or less by chance.
    pub nodes: u64,
    /// Percentage of careless moves.
    pub careless: f64,
    /// Slack of careless moves, in centipawns: a move worse by this much is e times less likely than the best.
    pub slack: f64,
}

/// Elo of the weakest and the strongest level.
pub(crate) const RANGE: (u16, u16) = (1_200, 3_000);

/// A point of the scale: Elo and level.
pub(super) const fn mark(elo: u16, nodes: u64, careless: f64, slack: f64) -> (u16, Level) {
    let level = Level {
        nodes,
        careless,
        slack,
    };
    (elo, level)
}

impl Level {
    /// The measured points, weakest first: Elo and level.
    pub fn marks() -> impl Iterator<Item = (u16, Level)> {
        MARKS.iter().copied()
    }

    /// The level of an Elo, which is clamped to [`RANGE`].
    pub fn of(elo: u16) -> Level {
        Level::at(elo.clamp(RANGE.0, RANGE.1).into())
    }

    /// The level at a point of the scale, in Elo, or beyond its ends. The logarithms of all numbers are interpolated
    /// between two marks, and beyond an end extrapolated from the two marks there; `careless` stays at most 100.
    pub fn at(elo: f64) -> Level {
        let above = MARKS.iter().position(|mark| f64::from(mark.0) >= elo);
        let high = above.unwrap_or(MARKS.len() - 1).max(1);
        let [(low_elo, low), (high_elo, high)] = [MARKS[high - 1], MARKS[high]];
        let part = (elo - f64::from(low_elo)) / f64::from(high_elo - low_elo);
        let between = |low: f64, high: f64| low * (high / low).powf(part);
        Level {
            nodes: between(low.nodes as f64, high.nodes as f64).round() as u64,
            careless: between(low.careless, high.careless).min(100.0),
            slack: between(low.slack, high.slack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_in_order_and_reach_from_end_to_end() {
        assert_eq!(MARKS[0].0, RANGE.0);
        assert_eq!(MARKS[MARKS.len() - 1].0, RANGE.1);
        for pair in MARKS.windows(2) {
            assert!(pair[0].0 < pair[1].0);
        }
        for (elo, mark) in MARKS {
            let level = Level::of(elo);
            assert_eq!(level.nodes, mark.nodes, "{elo}");
            assert!((level.slack - mark.slack).abs() < 1e-9);
            assert!((level.careless - mark.careless).abs() < 1e-9);
        }
    }

    #[test]
    fn more_elo_is_never_held_back_more() {
        let levels: Vec<Level> = (RANGE.0..=RANGE.1).map(Level::of).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes, "{pair:?}");
            assert!(
                pair[0].careless >= pair[1].careless && pair[0].slack >= pair[1].slack,
                "{pair:?}"
            );
        }
    }

    #[test]
    fn beyond_the_ends_the_scale_goes_on() {
        let (elo, last) = MARKS[MARKS.len() - 1];
        assert_eq!(Level::at(elo.into()).nodes, last.nodes);
        let beyond = Level::at(f64::from(elo) + 300.0);
        assert!(beyond.nodes > last.nodes && beyond.slack < last.slack);
        assert_eq!(Level::at(1_100.0).careless, 100.0);
    }

    #[test]
    fn what_is_outside_counts_as_the_nearer_end() {
        assert_eq!(Level::of(0), Level::of(RANGE.0));
        assert_eq!(Level::of(u16::MAX), Level::of(RANGE.1));
    }

    /// From 2000 on no move loses a minor piece, as far as the search sees.
    #[test]
    fn strong_levels_give_nothing_away_on_purpose() {
        assert!(super::super::FARTHEST * Level::of(2_000).slack < 300.0);
    }
}
