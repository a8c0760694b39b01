//! Limits of a search, as users write them and as results record them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::games::chess::Move;
use crate::platform;
use crate::search::Limits;

/// Default limit on nodes; on a host without a clock it replaces a time limit.
pub(crate) const DEFAULT_NODES: u64 = 100_000;

/// The limits of one search; the first one reached ends it. At least one is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    group(required = true, multiple = true)
)]
pub struct Limit {
    /// Stop after MS milliseconds
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long = "movetime", value_name = "MS", value_parser = milliseconds))]
    pub movetime_ms: Option<u64>,
    /// Stop after N positions visited
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N",
               value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: Option<u64>,
    /// Stop after iteration N (the search's depth, demand or conspiracy threshold)
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N",
               value_parser = clap::value_parser!(u32).range(1..)))]
    pub depth: Option<u32>,
}

/// Reads a time in milliseconds, at most a day.
#[cfg(feature = "cli")]
pub(crate) fn milliseconds(text: &str) -> Result<u64, &'static str> {
    let ms = text.parse().ok().filter(|ms| (1..=86_400_000).contains(ms));
    ms.ok_or("expected a whole number of milliseconds, from 1 to 86400000")
}

impl fmt::Display for Limit {
    /// Writes the limits that are set: `250 ms, 100000 nodes, iteration 5`.
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
    /// The limit of an analysis: [`DEFAULT_NODES`] unless nodes or milliseconds are given.
    pub(crate) fn of_analysis(nodes: Option<u64>, movetime_ms: Option<u64>) -> Limit {
        let otherwise = movetime_ms.is_none().then_some(DEFAULT_NODES);
        Limit {
            movetime_ms,
            nodes: nodes.or(otherwise),
            depth: None,
        }
    }

    /// The limit with nodes and time multiplied by `times`, each at least 1; the iteration stays.
    pub(crate) fn scaled(&self, times: f64) -> Limit {
        let scaled = |it: u64| ((it as f64 * times) as u64).max(1);
        Limit {
            movetime_ms: self.movetime_ms.map(scaled),
            nodes: self.nodes.map(scaled),
            depth: self.depth,
        }
    }

    /// The limit with its time multiplied by `part`; nodes and iteration stay.
    pub(crate) fn with_time(&self, part: f64) -> Limit {
        Limit {
            movetime_ms: self.scaled(part).movetime_ms,
            ..*self
        }
    }

    /// The limit less the `nodes` and `ms` already spent; at least 1 of each is left, and the iteration stays.
    pub(crate) fn less(&self, nodes: u64, ms: f64) -> Limit {
        Limit {
            movetime_ms: (self.movetime_ms).map(|it| it.saturating_sub(ms as u64).max(1)),
            nodes: self.nodes.map(|it| it.saturating_sub(nodes).max(1)),
            depth: self.depth,
        }
    }

    /// The limits that a search enforces itself; a [`Stopwatch`](super::stopwatch::Stopwatch)
    /// enforces the time.
    pub fn kept_by_search(&self) -> Limits<Move> {
        let is_endless = !platform::has_clock() && self.depth.is_none();
        let otherwise = is_endless.then_some(DEFAULT_NODES);
        Limits {
            nodes: self.nodes.or(otherwise),
            iterations: self.depth,
            ..Limits::default()
        }
    }
}
