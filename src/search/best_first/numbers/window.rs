//! The values around one end of the likely range, and a node's numbers for all of them at once.

use super::super::tree::{Node, State, Tree};
use super::Goal;
use crate::conspiracy::{Count, Kind, Push};

/// How many values a window spans: as many as there are bytes in a machine word. The thesis's two, an
/// end and the value next to it outside, are the least that do; the others let the end move to and fro
/// for nothing.
pub(super) const SPAN: usize = 8;

/// The numbers of a node for the values of a window, for the way it pushes: 0 where the node's value
/// is there already. One byte a value, the lowest first, in one machine word; what is done to each
/// byte alike compiles to one vector instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts([u8; SPAN]);

impl Counts {
    /// `count` for every value.
    const fn all(count: Count) -> Counts {
        Counts([count.byte(); SPAN])
    }

    /// The number in a lane.
    #[inline]
    pub(super) const fn get(self, lane: usize) -> Count {
        Count::from_byte(self.0[lane])
    }

    #[inline]
    fn zip(self, other: Counts, combine: impl Fn(u8, u8) -> u8) -> Counts {
        Counts(std::array::from_fn(|lane| {
            combine(self.0[lane], other.0[lane])
        }))
    }

    /// These where `mask` has all bits of a byte set, 0 where it has none.
    #[inline]
    fn masked(self, mask: u64) -> Counts {
        Counts((u64::from_le_bytes(self.0) & mask).to_le_bytes())
    }

    /// An OR node's numbers from its sons'.
    #[inline]
    fn least(sons: impl IntoIterator<Item = Counts>) -> Counts {
        let none = Counts::all(Count::INFINITY);
        sons.into_iter().fold(none, |a, b| a.zip(b, u8::min))
    }

    /// An AND node's numbers from its sons'.
    #[inline]
    fn sum(sons: impl IntoIterator<Item = Counts>) -> Counts {
        const INFINITY: u8 = Count::INFINITY.byte();
        let mut sum = Counts::all(Count::ZERO);
        let mut infinite = sum;
        for son in sons {
            infinite = infinite.zip(son, |a, b| a | if b == INFINITY { b } else { 0 });
            sum = sum.zip(son, u8::saturating_add);
        }
        sum.zip(infinite, |a, b| a.min(Count::MAX_FINITE.byte()) | b)
    }
}

/// The values around an end of the range that numbers are kept for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The way to push the root out of the range.
    push: Push,
    /// Index of the lowest value.
    base: u8,
    /// Which numbers are this window's: what it has moved away from is out of date for good.
    epoch: u16,
}

/// What an interior node keeps for a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Kept {
    counts: Counts,
    /// The window's epoch when they were computed.
    epoch: u16,
}

impl Kept {
    /// Of no window.
    pub(super) const OUTDATED: Kept = Kept {
        counts: Counts::all(Count::ZERO),
        epoch: 0,
    };
}

impl Window {
    /// A window that nothing has been computed for.
    pub(super) const fn new(push: Push) -> Window {
        Window {
            push,
            base: 0,
            epoch: 1,
        }
    }

    /// The way to push the root out of the range.
    pub(super) const fn push(&self) -> Push {
        self.push
    }

    /// The lane of a goal, if the window has it.
    #[inline]
    pub(super) fn lane(&self, goal: Goal) -> Option<usize> {
        let lane = usize::from(goal.target.checked_sub(self.base)?);
        (goal.push == self.push && lane < SPAN).then_some(lane)
    }

    /// Moves to around `target` on a grid of `len` values; says whether old epochs may come again.
    #[must_use]
    pub(super) fn center(&mut self, target: u8, len: u8) -> bool {
        let last = len.saturating_sub(SPAN as u8);
        self.base = target.saturating_sub(SPAN as u8 / 2).min(last);
        self.outdate()
    }

    /// Makes all numbers kept out of date; says whether old epochs may come again.
    #[must_use]
    pub(super) fn outdate(&mut self) -> bool {
        let is_last = self.epoch == u16::MAX;
        self.epoch = if is_last { 1 } else { self.epoch + 1 };
        is_last
    }

    /// Whether a node's value is where every goal of the window wants it, so that no node below is
    /// relevant to any.
    #[inline]
    pub(super) fn is_passed(&self, index: u8) -> bool {
        match self.push {
            Push::Raise => index >= self.base.saturating_add(SPAN as u8 - 1),
            Push::Lower => index <= self.base,
        }
    }

    /// `count` where the goal has not been reached.
    #[inline]
    fn unreached(&self, index: u8, count: Count) -> Counts {
        // One byte a lane, the first lane lowest. A raise has reached the lanes up to the node's
        // value, a lowering those from it on.
        let lanes = match self.push {
            Push::Raise if index < self.base => 0,
            Push::Raise => u32::from(index - self.base) + 1,
            Push::Lower => u32::from(index.saturating_sub(self.base)),
        };
        let above = u64::MAX.checked_shl(8 * lanes).unwrap_or(0);
        let mask = match self.push {
            Push::Raise => above,
            Push::Lower => !above,
        };
        Counts::all(count).masked(mask)
    }

    /// A node's numbers; `None` if those kept are out of date. A node that has lost its sons counts
    /// as a leaf again.
    #[inline]
    pub(super) fn known<M: Copy>(
        &self,
        tree: &Tree<M, [Kept; 2]>,
        node: &Node<M>,
    ) -> Option<Counts> {
        match node.state {
            State::Interior if tree.sons(node).is_empty() => {
                Some(self.unreached(node.index, Count::ONE))
            }
            State::Interior if self.is_passed(node.index) => Some(Counts::all(Count::ZERO)),
            State::Interior => {
                let kept = &tree.numbers(node)?[self.push as usize];
                self.is_current(kept).then_some(kept.counts)
            }
            State::Terminal => Some(self.unreached(node.index, Count::INFINITY)),
            State::Exact | State::AtMost | State::AtLeast => {
                Some(self.unreached(node.index, Count::ONE))
            }
        }
    }

    /// The numbers of a node of this kind from those of its sons.
    #[inline]
    pub(super) fn combined(&self, kind: Kind, sons: impl IntoIterator<Item = Counts>) -> Counts {
        if self.push.is_or_node(kind) {
            Counts::least(sons)
        } else {
            Counts::sum(sons)
        }
    }

    /// Numbers as they are kept.
    #[inline]
    pub(super) const fn kept(&self, counts: Counts) -> Kept {
        Kept {
            counts,
            epoch: self.epoch,
        }
    }

    /// Whether what is kept is not out of date.
    #[inline]
    pub(super) const fn is_current(&self, kept: &Kept) -> bool {
        kept.epoch == self.epoch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUSHES: [Push; 2] = [Push::Raise, Push::Lower];

    #[test]
    fn a_leaf_has_not_reached_the_values_beyond_its_own() {
        for push in PUSHES {
            let mut window = Window::new(push);
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
    fn lanes_combine_as_counts_do() {
        let bytes = [0, 1, 2, 100, 200, 253, 254, 255];
        let rotated = |by: usize| {
            let mut bytes = bytes;
            bytes.rotate_left(by);
            Counts(bytes)
        };
        let sons: Vec<Counts> = (0..4).map(rotated).collect();
        let (least, sum) = (Counts::least(sons.clone()), Counts::sum(sons.clone()));
        for lane in 0..SPAN {
            let of_sons = || sons.iter().map(|son| son.get(lane));
            assert_eq!(Some(least.get(lane)), of_sons().min());
            assert_eq!(sum.get(lane), of_sons().sum());
        }
    }

    #[test]
    fn old_epochs_come_again_only_with_a_warning() {
        let mut window = Window::new(Push::Raise);
        let first = window.kept(Counts::all(Count::ONE));
        let moves = (0..).take_while(|_| !window.outdate()).count();
        assert_eq!(moves, usize::from(u16::MAX) - 1);
        assert!(window.is_current(&first) && !window.is_current(&Kept::OUTDATED));
    }
}
