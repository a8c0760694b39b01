//! Proof and disproof numbers: conspiracy numbers of a game with two values.

use std::fmt;

use crate::conspiracy::Kind;

/// A number of leaves; [`Number::INFINITE`] where no number of leaves suffices.
///
/// Finite sums saturate at [`Number::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(pub(super) u32);

impl Number {
    /// Nothing is left to show.
    pub const ZERO: Number = Number(0);
    /// One leaf.
    pub const ONE: Number = Number(1);
    /// The largest finite number.
    pub const MOST: Number = Number(u32::MAX - 1);
    /// Impossible to show.
    pub const INFINITE: Number = Number(u32::MAX);

    /// This many leaves, kept finite.
    pub const fn new(leaves: u32) -> Number {
        if leaves < Number::MOST.0 {
            Number(leaves)
        } else {
            Number::MOST
        }
    }

    /// The number of leaves; `None` if infinite.
    pub fn get(self) -> Option<u32> {
        (!self.is_infinite()).then_some(self.0)
    }

    /// Whether no number of leaves suffices.
    pub const fn is_infinite(self) -> bool {
        self.0 == Number::INFINITE.0
    }

    /// The sum, for leaves that are all needed; infinite if either is.
    pub const fn plus(self, other: Number) -> Number {
        if self.is_infinite() || other.is_infinite() {
            Number::INFINITE
        } else {
            Number::new(self.0.saturating_add(other.0))
        }
    }

    /// The rest without `other`, which is finite and part of it.
    pub const fn minus(self, other: Number) -> Number {
        if self.is_infinite() {
            self
        } else {
            Number(self.0.saturating_sub(other.0))
        }
    }

    /// A little more than this: the factor 1 + ε of J. Pawlewicz and Ł. Lew ("Improving depth-first
    /// PN-search: 1 + ε trick", Computers and Games 2006), with ε = 1/4, and at least one more.
    pub const fn and_a_quarter(self) -> Number {
        self.plus(Number(self.0 / 4 + 1))
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(leaves) => fmt::Display::fmt(&leaves, f),
            None => f.pad("∞"),
        }
    }
}

/// The numbers of a node. A node with proof number 0 is proven, one with disproof number 0 disproven; the other number
/// is then infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Fewest leaves that must be won for the node to be won by the attacker.
    pub proof: Number,
    /// Fewest leaves that must be not won for the node to be not won.
    pub disproof: Number,
}

impl Numbers {
    /// The attacker wins.
    pub const PROVEN: Numbers = Numbers::new(Number::ZERO, Number::INFINITE);
    /// The attacker does not win.
    pub const DISPROVEN: Numbers = Numbers::new(Number::INFINITE, Number::ZERO);

    /// Numbers of a node.
    pub const fn new(proof: Number, disproof: Number) -> Numbers {
        Numbers { proof, disproof }
    }

    /// Whether the attacker is proven to win.
    pub fn is_proven(self) -> bool {
        self.proof == Number::ZERO
    }

    /// Whether the attacker is proven not to win.
    pub fn is_disproven(self) -> bool {
        self.disproof == Number::ZERO
    }

    /// Whether it is proven or disproven.
    pub fn is_decided(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// Whether one of them is as large as its limit.
    pub fn reach(self, limit: Numbers) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// The number for which one child suffices: proof where the attacker moves, else disproof.
    pub const fn one(self, kind: Kind) -> Number {
        match kind {
            Kind::Max => self.proof,
            Kind::Min => self.disproof,
        }
    }

    /// The number for which every child is needed: disproof where the attacker moves, else proof.
    pub const fn every(self, kind: Kind) -> Number {
        match kind {
            Kind::Max => self.disproof,
            Kind::Min => self.proof,
        }
    }

    /// The inverse of [`Numbers::one`] and [`Numbers::every`].
    pub const fn of(kind: Kind, one: Number, every: Number) -> Numbers {
        match kind {
            Kind::Max => Numbers::new(one, every),
            Kind::Min => Numbers::new(every, one),
        }
    }
}

/// State of the proof of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Proof and disproof number.
    pub numbers: Numbers,
    /// Upper bound on the plies to the attacker's win, if proven.
    pub plies: u16,
}

/// The numbers of an interior node: the minimum over the children where one suffices, the sum where all are needed.
pub(crate) fn interior(kind: Kind, children: impl IntoIterator<Item = Numbers>) -> Numbers {
    let (mut one, mut every) = (Number::INFINITE, Number::ZERO);
    for child in children {
        one = one.min(child.one(kind));
        every = every.plus(child.every(kind));
    }
    Numbers::of(kind, one, every)
}
