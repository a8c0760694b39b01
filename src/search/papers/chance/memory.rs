//! What a *-minimax search remembers of positions that it has searched: nothing, or bounds in a table.

use std::collections::HashMap;
use std::hash::Hash;

use crate::chance::{ChanceGame, Interval};

/// Bounds on the values of positions searched to some depth.
pub(super) trait Memory<G> {
    /// Bounds on the value of a position, so many moves and events deep, if any are known.
    fn bounds(&self, position: &G, depth: u32) -> Option<Interval>;

    /// Remembers what a search through `window` returned.
    fn keep(&mut self, position: &G, depth: u32, window: Interval, value: f64);
}

/// Remembers nothing.
pub(super) struct Nothing;

impl<G> Memory<G> for Nothing {
    fn bounds(&self, _position: &G, _depth: u32) -> Option<Interval> {
        None
    }

    fn keep(&mut self, _position: &G, _depth: u32, _window: Interval, _value: f64) {}
}

/// Remembers everything: for searches that are not large.
pub(super) struct Table<G>(HashMap<(G, u32), Interval>);

impl<G> Default for Table<G> {
    fn default() -> Table<G> {
        Table(HashMap::new())
    }
}

impl<G: ChanceGame + Hash + Eq> Memory<G> for Table<G> {
    fn bounds(&self, position: &G, depth: u32) -> Option<Interval> {
        self.0.get(&(position.clone(), depth)).copied()
    }

    fn keep(&mut self, position: &G, depth: u32, window: Interval, value: f64) {
        let range = position.range();
        let bounds = if value <= window.low {
            Interval::new(range.low, value)
        } else if value >= window.high {
            Interval::new(value, range.high)
        } else {
            Interval::new(value, value)
        };
        let known = self.0.entry((position.clone(), depth)).or_insert(range);
        *known = known.within(bounds);
    }
}
