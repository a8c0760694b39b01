//! What ends a search where nobody stops it, as people ask for it and results record it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::games::chess::Move;
use crate::platform;
use crate::search::Limits;

/// Positions to visit where time alone is to end a search and there is no clock.
const NODES_WITHOUT_CLOCK: u64 = 100_000;

/// What ends each search; the first limit reached does. At least one is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limit {
    /// Time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Positions visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Iterations: depth, demand or conspiracy threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl fmt::Display for Limit {
    /// `250 ms, 100000 nodes, iteration 5`: those that are set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.movetime_ms.map(|ms| format!("{ms} ms")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("iteration {depth}")),
        ];
        let set: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&set.join(", "))
    }
}

impl Limit {
    /// The limits that a search keeps by itself; the time is for a
    /// [`Stopwatch`](super::stopwatch::Stopwatch) to keep.
    pub fn kept_by_search(&self) -> Limits<Move> {
        let is_endless = !platform::HAS_CLOCK_AND_THREADS && self.depth.is_none();
        let otherwise = is_endless.then_some(NODES_WITHOUT_CLOCK);
        Limits {
            nodes: self.nodes.or(otherwise),
            iterations: self.depth,
            ..Limits::default()
        }
    }
}
