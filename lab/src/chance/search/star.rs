//! Star1 and Star2: alpha-beta through chance nodes. [The module](super) explains them.

use std::collections::HashMap;
use std::hash::Hash;

use super::Verdict;
use crate::chance::game::{ChanceGame, Interval, Turn};
use cassius::game::Side;

/// Star1 or Star2, with or without a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Star {
    /// Whether it is Star2, which probes the children of chance nodes first.
    probes: bool,
    /// Whether it has a table.
    keeps: bool,
}

impl Star {
    /// Star1.
    pub const ONE: Star = Star {
        probes: false,
        keeps: false,
    };
    /// Star2.
    pub const TWO: Star = Star {
        probes: true,
        ..Star::ONE
    };

    /// This search with a table of positions. One whose entry for the same depth suffices is neither searched again
    /// nor counted as a node. Entries are never dropped during a search, so a table suits only small searches.
    #[must_use]
    pub const fn with_table(self) -> Star {
        Star {
            keeps: true,
            ..self
        }
    }

    /// The value of `root`, searched `depth` moves and events deep. Exact inside `window`, which must be wider than
    /// rounding errors; outside it a bound on the right side.
    pub fn search<G>(self, root: &G, depth: u32, window: Interval) -> Verdict<G::Move>
    where
        G: ChanceGame + Hash + Eq,
    {
        let range = root.range();
        let mut search = Search {
            probes: self.probes,
            table: self.keeps.then(HashMap::new),
            nodes: 0,
            slack: PRECISION * range.low.abs().max(range.high.abs()),
        };
        let (value, best) = match root.turn() {
            Turn::Player(side) if depth > 0 => {
                search.nodes += 1;
                search.player(root, side, depth, window)
            }
            _ => (search.value(root, depth, window), None),
        };
        Verdict {
            value,
            best,
            nodes: search.nodes,
        }
    }
}

/// Windows no wider than this share of the game's largest value count as empty, and ranges as a single value. It is far
/// above the rounding errors of sums: a window as narrow as those errors could be inverted, and give a wrong bound.
const PRECISION: f64 = 1e-13;

struct Search<G> {
    probes: bool,
    /// Bounds on the values of positions by depth; `None` without a table.
    table: Option<HashMap<(G, u32), Interval>>,
    nodes: u64,
    /// Width up to which a window counts as empty.
    slack: f64,
}

/// A child of a chance node.
struct Child<G> {
    position: G,
    probability: f64,
    /// Known bounds on its value.
    range: Interval,
}

impl<G> Child<G> {
    /// The child's part of the node's bounds if its own bounds are `range`.
    fn share(&self, range: Interval) -> Interval {
        Interval::new(self.probability * range.low, self.probability * range.high)
    }

    /// The window to search this child with: if its value is outside, the node's value is outside `window`, whatever
    /// the other children are worth. `others` is their part of the node's bounds.
    fn window(&self, others: Interval, window: Interval) -> Interval {
        Interval {
            low: (window.low - others.high) / self.probability,
            high: (window.high - others.low) / self.probability,
        }
    }
}

/// The bounds of a chance node, by those of its children.
fn expectation<G>(children: &[Child<G>]) -> Interval {
    let shares = || children.iter().map(|child| child.share(child.range));
    let lows = shares().map(|share| share.low);
    let highs = shares().map(|share| share.high);
    Interval::new(lows.sum(), highs.sum())
}

fn plus(a: Interval, b: Interval) -> Interval {
    Interval::new(a.low + b.low, a.high + b.high)
}

fn minus(a: Interval, b: Interval) -> Interval {
    Interval::new(a.low - b.low, a.high - b.high)
}

impl<G: ChanceGame + Hash + Eq> Search<G> {
    /// The value of a position if it is inside `window`, otherwise a bound.
    fn value(&mut self, position: &G, depth: u32, window: Interval) -> f64 {
        debug_assert!(window.low < window.high, "{window:?}");
        if let Some(known) = self.known(position, depth) {
            if known.low >= window.high || known.low >= known.high - self.slack {
                return known.low;
            }
            if known.high <= window.low {
                return known.high;
            }
        }
        self.nodes += 1;
        let (value, window) = match position.turn() {
            Turn::Player(side) if depth > 0 => {
                (self.player(position, side, depth, window).0, window)
            }
            Turn::Chance if depth > 0 => (self.chance(position, depth, window), window),
            _ => (position.value(), Interval::ALL),
        };
        self.keep(position, depth, window, value);
        value
    }

    /// Stored bounds on the value of a position searched `depth` moves and events deep.
    fn known(&self, position: &G, depth: u32) -> Option<Interval> {
        let table = self.table.as_ref()?;
        table.get(&(position.clone(), depth)).copied()
    }

    /// Stores the result of a search with `window`.
    fn keep(&mut self, position: &G, depth: u32, window: Interval, value: f64) {
        let Some(table) = &mut self.table else { return };
        let range = position.range();
        let bounds = if value <= window.low {
            Interval::new(range.low, value)
        } else if value >= window.high {
            Interval::new(value, range.high)
        } else {
            Interval::new(value, value)
        };
        let known = table.entry((position.clone(), depth)).or_insert(range);
        *known = known.within(bounds);
    }

    /// Searches a player's node by alpha-beta.
    fn player(
        &mut self,
        position: &G,
        side: Side,
        depth: u32,
        mut window: Interval,
    ) -> (f64, Option<G::Move>) {
        let mut best = (
            match side {
                Side::First => f64::NEG_INFINITY,
                Side::Second => f64::INFINITY,
            },
            None,
        );
        for (m, child) in ordered(position, side, depth) {
            let value = self.value(&child, depth - 1, window);
            let is_better = match side {
                Side::First => value > best.0,
                Side::Second => value < best.0,
            };
            if is_better {
                best = (value, Some(m));
                match side {
                    Side::First => window.low = window.low.max(value),
                    Side::Second => window.high = window.high.min(value),
                }
                if window.low >= window.high - self.slack {
                    // A cutoff gives a bound. Within `slack` of the window's end, it must not look exact.
                    best.0 = match side {
                        Side::First => value.max(window.high),
                        Side::Second => value.min(window.low),
                    };
                    break;
                }
            }
        }
        best
    }

    /// Searches a chance node.
    fn chance(&mut self, position: &G, depth: u32, window: Interval) -> f64 {
        let events = position.events().into_iter();
        let mut children: Vec<Child<G>> = events
            .map(|(m, probability)| {
                let position = position.after(m);
                let range = position.range();
                Child {
                    position,
                    probability,
                    range,
                }
            })
            .collect();
        // The likeliest children first: they decide most.
        children.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut sum = expectation(&children);
        if self.probes && depth >= 2 {
            for child in &mut children {
                let others = minus(sum, child.share(child.range));
                self.probe(child, others, depth, window);
                sum = plus(others, child.share(child.range));
                if sum.high <= window.low {
                    return sum.high;
                }
                if sum.low >= window.high {
                    return sum.low;
                }
            }
        }
        for child in &children {
            let others = minus(sum, child.share(child.range));
            let needed = child.window(others, window);
            let Interval { low, high } = child.range;
            // Whatever the child's value, the window is out of reach; bounds stay on their side of it despite rounding.
            if needed.low >= high - self.slack {
                return sum.high.min(window.low);
            }
            if needed.high <= low + self.slack {
                return sum.low.max(window.high);
            }
            let value = if low >= high - self.slack {
                high
            } else {
                self.value(&child.position, depth - 1, needed.within(child.range))
            };
            sum = plus(others, child.share(Interval::new(value, value)));
            if value <= needed.low {
                return sum.high.min(window.low);
            }
            if value >= needed.high {
                return sum.low.max(window.high);
            }
        }
        sum.low
    }

    /// Narrows the bounds of a child of a chance node at `depth` by the most promising move of the player to move
    /// there; `others` is the other children's part of the node's bounds.
    fn probe(&mut self, child: &mut Child<G>, others: Interval, depth: u32, window: Interval) {
        let Turn::Player(side) = child.position.turn() else {
            return;
        };
        let needed = child.window(others, window);
        // One move bounds the child from below (`First`) or above (`Second`); the window's end there stays open.
        let asked = match side {
            Side::First => Interval::new(child.range.low, needed.high.min(child.range.high)),
            Side::Second => Interval::new(needed.low.max(child.range.low), child.range.high),
        };
        let moves = ordered(&child.position, side, depth - 1);
        let Some((_, grandchild)) = moves
            .first()
            .filter(|_| asked.low < asked.high - self.slack)
        else {
            return;
        };
        let value = self.value(grandchild, depth - 2, asked);
        match side {
            Side::First => child.range.low = value.max(child.range.low).min(child.range.high),
            Side::Second => child.range.high = value.min(child.range.high).max(child.range.low),
        }
    }
}

/// A player's moves and the positions after them, most promising first. At depth 1 sorting does not pay.
fn ordered<G: ChanceGame>(position: &G, side: Side, depth: u32) -> Vec<(G::Move, G)> {
    let moves = position.legal_moves().into_iter();
    let mut children: Vec<(G::Move, G)> = moves.map(|m| (m, position.after(m))).collect();
    if depth >= 2 {
        children.sort_by(|(_, a), (_, b)| {
            let rising = a.value().total_cmp(&b.value());
            match side {
                Side::First => rising.reverse(),
                Side::Second => rising,
            }
        });
    }
    children
}
