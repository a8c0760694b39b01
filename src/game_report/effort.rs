//! Limits of effort: for each position on average, or for a game as a whole.

use crate::engine::limit::Limit;

/// Effort for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// A limit for each position, on average.
    Position(Limit),
    /// Seconds by the clock for the game, with all threads at work on it.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "asked for on the command line")
    )]
    Game { seconds: u64 },
}

/// Judging's share of the time if marked moves get evidence, and if all positions do. The rest is for evidence.
pub(super) const JUDGING: [f64; 2] = [0.85, 0.5];

/// An engine's share of the time if our own search judges beside it.
pub(super) const ENGINE: f64 = 0.6;

/// Most effort of one search for evidence, as a multiple of the limit of a position.
const MOST: f64 = 4.0;

impl Effort {
    /// The limit of each position, empty if there is none, and the seconds for a game, as a record states them.
    pub(super) fn stated(self) -> (Limit, Option<u64>) {
        match self {
            Effort::Position(limit) => (limit, None),
            Effort::Game { seconds } => (Limit::default(), Some(seconds)),
        }
    }

    /// Limit for a position, on average, of a game with `positions` that `jobs` threads work on.
    pub(super) fn of_position(self, positions: usize, jobs: usize) -> Limit {
        match self {
            Effort::Position(limit) => limit,
            Effort::Game { seconds } => {
                let all = seconds.saturating_mul(1_000).saturating_mul(jobs as u64);
                Limit {
                    movetime_ms: Some((all / positions.max(1) as u64).max(1)),
                    ..Limit::default()
                }
            }
        }
    }
}

/// Divides a position's limit in two: the first gets the part `first` of the time and the second the rest, and each may
/// visit all the nodes.
pub(super) fn divided(limit: Limit, first: f64) -> [Limit; 2] {
    [first, 1.0 - first].map(|part| limit.with_time(part))
}

/// Limit of one search for evidence, if `searches` share the limits of all `positions`.
pub(super) fn of_evidence(limit: Limit, positions: usize, searches: usize) -> Limit {
    let times = positions as f64 / searches.max(1) as f64;
    limit.with_time(times.min(MOST))
}
