//! Conspiracy numbers: how many leaves must be wrong for a node to have another value.
//!
//! The conspiracy number CN(n, v) of a node n for a target v is the fewest leaves under n that must
//! change their value for n's minimax value to become v (McAllester 1988). ↑CN(v) is the number for
//! raising the value to at least v, ↓CN(v) for lowering it to at most v; each is 0 if the value
//! meets v already. As at least one of the two is 0 at every v, one list of counts holds both.
//!
//! This module knows no search. It has the rules for one target as pure functions ([`leaf`], [`terminal`],
//! [`interior`]), for all targets at once as a [`Vector`], the [`Grid`] of targets, the [`LikelyRange`] at a threshold,
//! and in [`definition`] the recursive definition, the oracle for the tests.
//!
//! Targets are values for the root's side to move, so MAX nodes are those where that side moves, at any depth.

pub mod definition;
mod grid;
mod vector;

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

pub use grid::Grid;
pub use vector::{Accumulator, Vector};

/// A number of conspirators: 0 to 254, or infinity if no conspiracy suffices.
///
/// A finite sum saturates at [`Count::MAX_FINITE`]; a sum with an infinite term is infinite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u8);

impl Count {
    /// No leaf need change: the value meets the target already.
    pub const ZERO: Count = Count(0);
    /// One leaf suffices.
    pub const ONE: Count = Count(1);
    /// The largest finite count: this many leaves, or more.
    pub const MAX_FINITE: Count = Count(254);
    /// Impossible: the values in the way are final.
    pub const INFINITY: Count = Count(255);

    /// A finite count, saturating.
    pub const fn new(leaves: u32) -> Count {
        if leaves > 254 {
            Count::MAX_FINITE
        } else {
            Count(leaves as u8)
        }
    }

    /// The number of leaves; `None` for infinity.
    pub const fn get(self) -> Option<u32> {
        if self.is_infinite() {
            None
        } else {
            Some(self.0 as u32)
        }
    }

    /// Whether no number of leaves suffices.
    pub const fn is_infinite(self) -> bool {
        self.0 == Count::INFINITY.0
    }

    /// The byte a [`Vector`] holds; 255 is infinity.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The inverse of [`Count::byte`].
    pub const fn from_byte(byte: u8) -> Count {
        Count(byte)
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        if self.is_infinite() || other.is_infinite() {
            Count::INFINITY
        } else {
            Count::new(u32::from(self.0) + u32::from(other.0))
        }
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::ZERO, Add::add)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(leaves) => fmt::Display::fmt(&leaves, f),
            None => f.pad("∞"),
        }
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The side that moves at a node, relative to the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// The root's side to move: the node is worth its best child.
    Max,
    /// The opponent to move: the node is worth the child that is worst for the root's side.
    Min,
}

impl Kind {
    /// The kind of the nodes one ply below.
    #[must_use]
    pub const fn other(self) -> Kind {
        match self {
            Kind::Max => Kind::Min,
            Kind::Min => Kind::Max,
        }
    }

    /// The kind of the nodes `ply` plies below a MAX root.
    pub const fn at_ply(ply: usize) -> Kind {
        if ply.is_multiple_of(2) {
            Kind::Max
        } else {
            Kind::Min
        }
    }

    /// The better of two values for the side that moves here.
    pub fn better<V: Ord>(self, a: V, b: V) -> V {
        match self {
            Kind::Max => a.max(b),
            Kind::Min => a.min(b),
        }
    }
}

/// Direction in which a conspiracy moves a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Push {
    /// To at least the target.
    Raise,
    /// To at most the target.
    Lower,
}

impl Push {
    /// Whether `value` has reached `target`.
    pub fn reached<V: Ord + Copy>(self, value: V, target: V) -> bool {
        match self {
            Push::Raise => value >= target,
            Push::Lower => value <= target,
        }
    }

    /// The next index in this direction on a grid of `len` values; `None` at its end.
    pub fn farther(self, index: u8, len: u8) -> Option<u8> {
        match self {
            Push::Raise => index.checked_add(1).filter(|&next| next < len),
            Push::Lower => index.checked_sub(1),
        }
    }

    /// The previous index in this direction.
    pub fn nearer(self, index: u8) -> u8 {
        match self {
            Push::Raise => index - 1,
            Push::Lower => index + 1,
        }
    }

    /// Whether one child suffices to move a node of `kind` in this direction (an OR node, whose count is the least of
    /// its children's) rather than all children in the way (an AND node, whose count is the sum of theirs).
    pub fn is_or_node(self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Push::Raise, Kind::Max) | (Push::Lower, Kind::Min)
        )
    }
}

/// CN of a leaf with static value `value`. The search may still expand it, so the value may change.
pub fn leaf<V: Ord>(value: &V, target: &V) -> Count {
    if value == target {
        Count::ZERO
    } else {
        Count::ONE
    }
}

/// CN of a node whose value is final: mate, stalemate, repetition, depth limit.
pub fn terminal<V: Ord>(value: &V, target: &V) -> Count {
    if value == target {
        Count::ZERO
    } else {
        Count::INFINITY
    }
}

/// CN of a node with children, given as pairs of their value and their CN for the same target.
///
/// At a MAX node one child suffices to raise the value, so the least of their numbers counts; to lower it every child
/// above the target must come down, so the sum of their numbers counts. At a MIN node it is the other way round.
pub fn interior<V: Ord + Copy>(
    kind: Kind,
    value: &V,
    target: &V,
    children: impl IntoIterator<Item = (V, Count)>,
) -> Count {
    let push = match target.cmp(value) {
        std::cmp::Ordering::Equal => return Count::ZERO,
        std::cmp::Ordering::Greater => Push::Raise,
        std::cmp::Ordering::Less => Push::Lower,
    };
    let children = children.into_iter();
    if push.is_or_node(kind) {
        children
            .map(|(_, count)| count)
            .min()
            .unwrap_or(Count::INFINITY)
    } else {
        children
            .filter(|(child, _)| !push.reached(*child, *target))
            .map(|(_, count)| count)
            .sum()
    }
}

/// The likely values of a node at a conspiracy threshold CT, as indices into a [`Grid`]: those with fewer than CT
/// conspirators. Includes both ends and the node's own value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LikelyRange {
    /// Vmin: the lowest index with ↓CN below CT.
    pub min: u8,
    /// Vmax: the highest index with ↑CN below CT.
    pub max: u8,
}

impl LikelyRange {
    /// Vmax - Vmin in steps of the grid; 0 when a single value is left.
    pub const fn width(self) -> u8 {
        self.max - self.min
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_sums_never_become_infinite() {
        let many: Count = std::iter::repeat_n(Count::new(100), 9).sum();
        assert_eq!(many, Count::MAX_FINITE);
        assert_eq!(many + Count::INFINITY, Count::INFINITY);
        assert_eq!(Count::new(2) + Count::ONE, Count::new(3));
        assert!(Count::MAX_FINITE < Count::INFINITY);
        assert_eq!(Count::INFINITY.get(), None);
    }

    #[test]
    fn or_nodes_need_one_child_and_nodes_all_in_the_way() {
        let children = [
            (1, Count::new(4)),
            (3, Count::new(2)),
            (3, Count::INFINITY),
            (2, Count::ONE),
        ];
        assert_eq!(interior(Kind::Max, &3, &4, children), Count::ONE);
        assert_eq!(interior(Kind::Max, &3, &3, children), Count::ZERO);
        assert_eq!(interior(Kind::Max, &3, &2, children), Count::INFINITY);
        assert_eq!(interior(Kind::Min, &1, &0, children), Count::ONE);
        assert_eq!(interior(Kind::Min, &1, &2, children), Count::new(4));
        assert_eq!(interior(Kind::Min, &1, &3, children), Count::new(5));
    }
}
