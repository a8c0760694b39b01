//! Compromise (thesis, section 3.3 and appendix 3): interior nodes store numbers for a few values around Vmin and Vmax,
//! whatever the size of the grid.
//!
//! The search needs numbers near the ends of the likely range: at Vmin and Vmax to descend, at Vmin - 1 and Vmax + 1 to
//! find where the range ends. The thesis stores just these four. When an end moves by one value, every relevant node
//! (see [`Storage`]) keeps one of the end's two numbers and computes another: cheap if Vmin and Vmax rest, as in its
//! experiments, and ruinous where they do not. Here a node instead stores numbers for a [`NumberWindow`] of a few
//! values around either end. An end that moves within its window costs nothing; when it leaves, the window is centred
//! on it and its numbers are computed anew. Numbers outside are computed as [`Basic`](super::Basic) does. Windows of
//! two values are the thesis's four numbers: each step of an end is a walk through all relevant nodes. (That walk
//! computes both numbers; the thesis keeps one.)
//!
//! As in the thesis, numbers at irrelevant nodes become stale, and must be corrected when such a node becomes *newly
//! relevant*, since a node above it has lost a value that had reached the goal (section 3.3.4). The thesis finds these
//! nodes by comparing the values on the path before and after. Here each node's numbers bear the epoch of the window
//! that they were computed for, so stale ones are recognised, and recomputed on demand with those below them. A
//! moved window is the same case: all numbers are stale.

use super::super::tree::{Node, NodeId, Tree};
use super::basic::computed;
use super::counts::Counts;
use super::window::{NumberWindow, PUSHES, WindowCounts};
use super::{Goal, Storage, best_value};
use crate::conspiracy::{Count, Kind, Push};
use crate::search::kit::arena::{Moved, Records};

/// A node's numbers for the two windows, by [`Push`].
type Both<const SPAN: usize> = [WindowCounts<SPAN>; 2];

/// Stores numbers for the `SPAN` values around either end of the likely range.
#[derive(Debug)]
pub(super) struct Compromise<const SPAN: usize> {
    /// The windows at the two ends, by [`Push`].
    windows: [NumberWindow<SPAN>; 2],
    records: Records<Both<SPAN>>,
}

impl<const SPAN: usize> Default for Compromise<SPAN> {
    fn default() -> Self {
        Compromise {
            windows: PUSHES.map(NumberWindow::new),
            records: Records::default(),
        }
    }
}

/// Computes and stores an interior node's numbers for a window, from its children's; stale ones are computed first.
fn compute<M: Copy, const SPAN: usize>(
    window: &NumberWindow<SPAN>,
    records: &mut Records<Both<SPAN>>,
    tree: &Tree<M>,
    node: &Node<M>,
    kind: Kind,
) -> Counts<SPAN> {
    let children = tree.children(node).iter().map(|child| {
        let known = window.known(records, tree, child);
        known.unwrap_or_else(|| compute(window, records, tree, child, kind.other()))
    });
    let counts = window.combined(kind, children);
    if let Some(place) = node.record() {
        records.get_mut(place)[window.push as usize] = window.kept(counts);
    }
    counts
}

impl<const SPAN: usize> Compromise<SPAN> {
    /// Recomputes stale numbers at nodes relevant to a window.
    fn repair<M: Copy>(&mut self, tree: &Tree<M>, push: Push) {
        let window = &self.windows[push as usize];
        let is_outdated = |place| !window.is_current(&self.records.get(place)[push as usize]);
        if tree.root().record().is_some_and(is_outdated) {
            compute(window, &mut self.records, tree, tree.root(), Kind::Max);
        }
    }
}

impl<M: Copy, const SPAN: usize> Storage<M> for Compromise<SPAN> {
    fn record_bytes(&self) -> usize {
        Records::<Both<SPAN>>::BYTES
    }

    fn expanded(&mut self, place: u32) {
        self.records.begin(place, [WindowCounts::OUTDATED; 2]);
    }

    fn refresh(&mut self, tree: &mut Tree<M>, id: NodeId, ply: usize) -> bool {
        let kind = Kind::at_ply(ply);
        let place = tree.node(id).record();
        let children = tree.children(tree.node(id));
        let value = best_value(children);
        let index = tree.index(kind, value);
        let numbers = self.windows.map(|window| {
            if ply > 0 && window.is_passed(index) {
                return WindowCounts::OUTDATED;
            }
            let mut is_known = true;
            let counts = children.iter().map_while(|child| {
                let counts = window.known(&self.records, tree, child);
                is_known = counts.is_some();
                counts
            });
            let counts = window.combined(kind, counts);
            // Numbers that depend on stale ones are stale.
            if is_known {
                window.kept(counts)
            } else {
                WindowCounts::OUTDATED
            }
        });
        let has_new_value = tree.set_value(id, kind, value);
        let has_changed = place.is_some_and(|it| self.records.set(it, numbers)) || has_new_value;
        if has_changed && ply == 0 {
            PUSHES.iter().for_each(|&push| self.repair(tree, push));
        }
        has_changed
    }

    #[inline]
    fn count(&self, tree: &Tree<M>, node: &Node<M>, kind: Kind, goal: Goal) -> Count {
        let window = &self.windows[goal.push as usize];
        let known = window
            .lane(goal)
            .and_then(|lane| Some(window.known(&self.records, tree, node)?.get(lane)));
        known.unwrap_or_else(|| computed(tree, node, kind, goal))
    }

    /// Moves the goal's window, if needed, to hold it.
    fn prepare(&mut self, tree: &Tree<M>, goal: Goal) {
        let window = &mut self.windows[goal.push as usize];
        if window.lane(goal).is_none() && window.center(goal.target, tree.grid().len()) {
            self.records.fill([WindowCounts::OUTDATED; 2]);
        }
        self.repair(tree, goal.push);
    }

    fn go_along(&mut self, tree: &Tree<M>, moved: &Moved, _has_new_leaves: bool) {
        self.records.go_along(moved);
        // Nodes that have lost their children count as leaves again, which makes all numbers stale.
        for push in PUSHES {
            if self.windows[push as usize].outdate() {
                self.records.fill([WindowCounts::OUTDATED; 2]);
            }
            self.repair(tree, push);
        }
    }
}
