//! Star1 and Star2: alpha-beta through chance nodes. [The module](super) explains them.

use std::collections::HashMap;
use std::hash::Hash;

use super::Verdict;
use crate::chance::{ChanceGame, Interval, Turn};
use crate::game::Side;

/// The value of `position` by Star1, searched `depth` moves and events deep. Exact inside `window`, which must be wider
/// than rounding errors; outside it a bound on the right side.
pub fn star1<G>(position: &G, depth: u32, window: Interval) -> Verdict<G::Move>
where
    G: ChanceGame + Hash + Eq,
{
    Search::new(false, None).verdict(position, depth, window)
}

/// The value by Star2, which probes the children of chance nodes first; otherwise like [`star1`].
pub fn star2<G>(position: &G, depth: u32, window: Interval) -> Verdict<G::Move>
where
    G: ChanceGame + Hash + Eq,
{
    Search::new(true, None).verdict(position, depth, window)
}

/// Star1 with a table: a position whose entry for the same depth suffices is not searched again, and not counted as a
/// node. Entries are never dropped, so it suits only small searches.
pub fn star1_with_table<G>(position: &G, depth: u32, window: Interval) -> Verdict<G::Move>
where
    G: ChanceGame + Hash + Eq,
{
    Search::new(false, Some(HashMap::new())).verdict(position, depth, window)
}

/// Star2 with such a table, which stores probes too.
pub fn star2_with_table<G>(position: &G, depth: u32, window: Interval) -> Verdict<G::Move>
where
    G: ChanceGame + Hash + Eq,
{
    Search::new(true, Some(HashMap::new())).verdict(position, depth, window)
}

/// Windows and ranges no wider than this part of the game's largest value count as empty. It is far above the rounding
/// errors of sums: a window as narrow as those could be inverted, and a bound found in it lie on the wrong side.
const PRECISION: f64 = 1e-13;

struct Search<G> {
    probes: bool,
    /// Bounds on the values of positions by depth, if stored.
    table: Option<HashMap<(G, u32), Interval>>,
    nodes: u64,
    /// Width of an empty window.
    slack: f64,
}

/// A child of a chance node.
struct Child<G> {
    position: G,
    probability: f64,
    /// Known bounds on its value.
    range: Interval,
}

/// The bounds of a chance node that follow from those of its children.
struct Expectation {
    low: f64,
    high: f64,
}

impl Expectation {
    fn of<G>(children: &[Child<G>]) -> Expectation {
        let sum = |end: fn(&Interval) -> f64| {
            let terms = children
                .iter()
                .map(|child| child.probability * end(&child.range));
            terms.sum()
        };
        Expectation {
            low: sum(|range| range.low),
            high: sum(|range| range.high),
        }
    }

    /// These bounds without the share of `child`.
    fn without<G>(&self, child: &Child<G>) -> Expectation {
        Expectation {
            low: self.low - child.probability * child.range.low,
            high: self.high - child.probability * child.range.high,
        }
    }

    /// These bounds with another child's.
    fn with(&self, probability: f64, range: Interval) -> Expectation {
        Expectation {
            low: self.low + probability * range.low,
            high: self.high + probability * range.high,
        }
    }

    /// The window of a further child: outside it the node's value is outside `window`, whatever the values of the other
    /// children, whose bounds these are.
    fn window_of_child(&self, probability: f64, window: Interval) -> Interval {
        Interval {
            low: (window.low - self.high) / probability,
            high: (window.high - self.low) / probability,
        }
    }
}

impl<G: ChanceGame + Hash + Eq> Search<G> {
    fn new(probes: bool, table: Option<HashMap<(G, u32), Interval>>) -> Search<G> {
        Search {
            probes,
            table,
            nodes: 0,
            slack: 0.0,
        }
    }

    fn verdict(mut self, root: &G, depth: u32, window: Interval) -> Verdict<G::Move> {
        let range = root.range();
        self.slack = PRECISION * range.low.abs().max(range.high.abs());
        let (value, best) = match root.turn() {
            Turn::Player(side) if depth > 0 => {
                self.nodes += 1;
                self.player(root, side, depth, window)
            }
            _ => (self.value(root, depth, window), None),
        };
        Verdict {
            value,
            best,
            nodes: self.nodes,
        }
    }

    /// The value of a position, or a bound outside `window`.
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
        let value = match position.turn() {
            _ if depth == 0 => position.value(),
            Turn::Over => position.value(),
            Turn::Player(side) => self.player(position, side, depth, window).0,
            Turn::Chance => self.chance(position, depth, window),
        };
        let is_leaf = depth == 0 || position.turn() == Turn::Over;
        let window = if is_leaf { Interval::ALL } else { window };
        self.keep(position, depth, window, value);
        value
    }

    /// Stored bounds on the value of a position searched `depth` moves and events deep.
    fn known(&self, position: &G, depth: u32) -> Option<Interval> {
        let table = self.table.as_ref()?;
        table.get(&(position.clone(), depth)).copied()
    }

    /// Stores the result of a search through `window`.
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
                    // Though a hair's breadth inside the window, a cutoff is a bound: it must not look exact.
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
        // The likely children decide most.
        children.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut sum = Expectation::of(&children);
        if self.probes && depth >= 2 {
            for child in &mut children {
                let others = sum.without(child);
                self.probe(child, &others, depth, window);
                sum = others.with(child.probability, child.range);
                if sum.high <= window.low {
                    return sum.high;
                }
                if sum.low >= window.high {
                    return sum.low;
                }
            }
        }
        for child in &children {
            let others = sum.without(child);
            let needed = others.window_of_child(child.probability, window);
            let Interval { low, high } = child.range;
            // Whatever its value, the window is out of reach; bounds stay on their side of it despite rounding.
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
            sum = others.with(child.probability, Interval::new(value, value));
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
    /// there; `others` are the bounds without this child.
    fn probe(&mut self, child: &mut Child<G>, others: &Expectation, depth: u32, window: Interval) {
        let Turn::Player(side) = child.position.turn() else {
            return;
        };
        let needed = others.window_of_child(child.probability, window);
        // One move bounds the child from the mover's side only, so the other end stays open.
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
