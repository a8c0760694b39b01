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

/// What an engine takes of the time where our own search judges beside it.
const ENGINE: f64 = 0.6;

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

    /// What an engine and our own search beside it may take of a position's limit. They share time; of nodes each takes as many.
    pub(super) fn divided(self, limit: Limit) -> [Limit; 2] {
        [ENGINE, 1.0 - ENGINE].map(|part| Limit {
            movetime_ms: limit.scaled(part).movetime_ms,
            ..limit
        })
    }

    /// What judging a position may take of its limit, and what evidence may. They share time; of nodes evidence takes as many on top.
    pub(super) fn shared(self, limit: Limit, is_everywhere: bool) -> (Limit, Limit) {
        let judging = JUDGING[usize::from(is_everywhere)];
        let of_time = |part: f64| Limit {
            movetime_ms: limit.scaled(part).movetime_ms,
            ..limit
        };
        (of_time(judging), of_time(1.0 - judging))
    }

    /// What a search for evidence may take, if each of so many positions may take `limit` and so many searches share that.
    pub(super) fn of_evidence(self, limit: Limit, positions: usize, searches: usize) -> Limit {
        let times = positions as f64 / searches.max(1) as f64;
        // A single search need not take what all have left.
        let times = times.min(MOST);
        Limit {
            movetime_ms: limit.scaled(times).movetime_ms,
            ..limit
        }
    }
}

/// Times its share of the time that a search for evidence takes at the most.
const MOST: f64 = 4.0;
