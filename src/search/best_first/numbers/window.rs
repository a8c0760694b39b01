//! Windows: the values around one end of the likely range for which numbers are stored.

use super::super::tree::{Node, Tree};
use super::Goal;
use super::counts::Counts;
use crate::conspiracy::{Count, Kind, Push};
use crate::search::kit::arena::Records;

/// Directions out of the range; `push as usize` is the place of each.
pub(super) const PUSHES: [Push; 2] = [Push::Raise, Push::Lower];

/// The `SPAN` values around an end of the range for which numbers are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberWindow<const SPAN: usize> {
    /// Direction that pushes the root out of the range.
    pub(super) push: Push,
    /// Index of the lowest value.
    base: u8,
    /// Epoch of the window's numbers: stored numbers of other epochs are stale.
    epoch: u16,
}

/// An interior node's numbers for a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WindowCounts<const SPAN: usize> {
    counts: Counts<SPAN>,
    /// Epoch of the window they were computed for.
    epoch: u16,
}

impl<const SPAN: usize> WindowCounts<SPAN> {
    /// Numbers that are stale in every window.
    pub(super) const OUTDATED: Self = WindowCounts {
        counts: Counts::ZERO,
        epoch: 0,
    };
}

impl<const SPAN: usize> NumberWindow<SPAN> {
    /// A window without numbers.
    pub(super) const fn new(push: Push) -> Self {
        NumberWindow {
            push,
            base: 0,
            epoch: 1,
        }
    }

    /// The lane of a goal, if it lies in the window.
    #[inline]
    pub(super) fn lane(&self, goal: Goal) -> Option<usize> {
        let lane = usize::from(goal.target.checked_sub(self.base)?);
        (goal.push == self.push && lane < SPAN).then_some(lane)
    }

    /// Moves around `target` on a grid of `len` values; returns whether old epochs may come again, so that all stored
    /// numbers must be overwritten. A window of two values moves only as far as it must.
    #[must_use]
    pub(super) fn center(&mut self, target: u8, len: u8) -> bool {
        let last = len.saturating_sub(SPAN as u8);
        let below = if target < self.base {
            (SPAN as u8 - 1) / 2
        } else {
            SPAN as u8 / 2
        };
        self.base = target.saturating_sub(below).min(last);
        self.outdate()
    }

    /// Makes all stored numbers stale by a new epoch; returns whether old epochs may come again.
    #[must_use]
    pub(super) fn outdate(&mut self) -> bool {
        let is_last = self.epoch == u16::MAX;
        self.epoch = if is_last { 1 } else { self.epoch + 1 };
        is_last
    }

    /// Whether a node's value has reached every goal of the window, so that no node below is relevant to any.
    #[inline]
    pub(super) fn is_passed(&self, index: u8) -> bool {
        match self.push {
            Push::Raise => index >= self.base.saturating_add(SPAN as u8 - 1),
            Push::Lower => index <= self.base,
        }
    }

    /// `count` in the lanes of goals not reached, 0 in the others.
    #[inline]
    fn unreached(&self, index: u8, count: Count) -> Counts<SPAN> {
        // The largest grid has fewer than 255 values, and the window begins in it: no sum here exceeds a byte.
        match self.push {
            Push::Raise => Counts::in_lanes(count, |lane| index < self.base + lane),
            Push::Lower => Counts::in_lanes(count, |lane| index > self.base + lane),
        }
    }

    /// A node's numbers; `None` if stale. A node that has lost its children counts as a leaf again.
    #[inline(always)]
    pub(super) fn known<M: Copy>(
        &self,
        records: &Records<[WindowCounts<SPAN>; 2]>,
        tree: &Tree<M>,
        node: &Node<M>,
    ) -> Option<Counts<SPAN>> {
        if self.is_passed(node.index) {
            return Some(Counts::ZERO);
        }
        if let Some(place) = node.record() {
            let kept = &records.get(place)[self.push as usize];
            if self.is_current(kept) {
                return Some(kept.counts);
            }
            // The stored numbers of a node are stale once it has lost its children.
            if !tree.children(node).is_empty() {
                return None;
            }
        }
        let count = if node.is_final() {
            Count::INFINITY
        } else {
            Count::ONE
        };
        Some(self.unreached(node.index, count))
    }

    /// The numbers of a node of this kind, from its children's.
    #[inline]
    pub(super) fn combined(
        &self,
        kind: Kind,
        children: impl IntoIterator<Item = Counts<SPAN>>,
    ) -> Counts<SPAN> {
        if self.push.is_or_node(kind) {
            Counts::least(children)
        } else {
            Counts::sum(children)
        }
    }

    /// Numbers with the current epoch, to be stored.
    #[inline]
    pub(super) const fn kept(&self, counts: Counts<SPAN>) -> WindowCounts<SPAN> {
        WindowCounts {
            counts,
            epoch: self.epoch,
        }
    }

    /// Whether stored numbers are of the current epoch.
    #[inline]
    pub(super) const fn is_current(&self, kept: &WindowCounts<SPAN>) -> bool {
        kept.epoch == self.epoch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_has_not_reached_the_values_beyond_its_own() {
        leaves_have_not_reached::<8>();
        leaves_have_not_reached::<2>();
    }

    fn leaves_have_not_reached<const SPAN: usize>() {
        for push in PUSHES {
            let mut window = NumberWindow::<SPAN>::new(push);
            for target in [0, 3, 12, 27, 30] {
                assert!(!window.center(target, 31));
                assert!(window.lane(Goal { push, target }).is_some());
                for index in 0..31 {
                    let counts = window.unreached(index, Count::ONE);
                    let mut all_reached = true;
                    for lane in 0..SPAN {
                        let target = window.base + lane as u8;
                        let is_reached = push.reached(index, target);
                        all_reached &= is_reached;
                        assert_eq!(counts.get(lane) == Count::ZERO, is_reached);
                        assert_eq!(window.lane(Goal { push, target }), Some(lane));
                    }
                    assert_eq!(window.is_passed(index), all_reached);
                }
            }
        }
    }

    #[test]
    fn old_epochs_come_again_only_with_a_warning() {
        let mut window = NumberWindow::<8>::new(Push::Raise);
        let first = window.kept(Counts::in_lanes(Count::ONE, |_| true));
        let moves = (0..).take_while(|_| !window.outdate()).count();
        assert_eq!(moves, usize::from(u16::MAX) - 1);
        assert!(window.is_current(&first) && !window.is_current(&WindowCounts::OUTDATED));
    }
}
