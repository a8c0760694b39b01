//! Ends a search that reports nothing meanwhile: by its clock, or because the call is to end.

use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use cassius::games::chess::Move;
use cassius::search::{Limits, Observer};

use crate::desk::State;

/// Ends searches, one or several, by one clock.
pub(crate) struct Watch<'a> {
    state: &'a State,
    clock: Stopwatch,
    depth: Option<u32>,
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    pub(crate) fn start(state: &'a State, limit: &Limit) -> Watch<'a> {
        Watch {
            state,
            clock: Stopwatch::start(limit),
            depth: limit.depth,
        }
    }

    /// Limits of a step of `nodes` positions.
    pub(crate) fn step(&self, nodes: u64) -> Limits<Move> {
        Limits {
            iterations: self.depth,
            ..Limits::nodes(nodes)
        }
    }

    /// Whether searching is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.state.is_to_end() || self.clock.is_over()
    }
}

impl Observer<Move> for Watch<'_> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.is_over()
    }
}
