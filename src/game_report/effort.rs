//! What a game may take: so much for each position on average, or so much time for the whole.

use crate::engine::limit::Limit;

/// What a game may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// So much for a position on average.
    Position(Limit),
    /// So many seconds for the game, of all who work on games together.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "asked for on the command line")
    )]
    Game { seconds: u64 },
}

/// What judging takes of the time, where marked moves get evidence, and where all positions do. The rest is for the evidence.
const JUDGING: [f64; 2] = [0.85, 0.5];

/// An engine's part of the time where our own search judges beside it.
const ENGINE: f64 = 0.6;

/// Most that a search for evidence takes, in times its share: a single search need not take what all have left.
const MOST: f64 = 4.0;

impl Effort {
    /// What a position may take on average in a game of so many, if so many are at work.
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

/// Divides a position's limit between an engine and our own search beside it. They share time; each takes all the nodes.
pub(super) fn divided(limit: Limit) -> [Limit; 2] {
    [ENGINE, 1.0 - ENGINE].map(|part| limit.with_time(part))
}

/// Divides a position's limit between judging and evidence. They share time; each takes all the nodes.
pub(super) fn shared(limit: Limit, is_everywhere: bool) -> [Limit; 2] {
    let judging = JUDGING[usize::from(is_everywhere)];
    [judging, 1.0 - judging].map(|part| limit.with_time(part))
}

/// The limit of a search for evidence, if each of `positions` may take `limit` and `searches` share that.
pub(super) fn of_evidence(limit: Limit, positions: usize, searches: usize) -> Limit {
    let times = positions as f64 / searches.max(1) as f64;
    limit.with_time(times.min(MOST))
}
