//! Proof and disproof numbers: conspiracy numbers of a game with two values.

use std::fmt;

use crate::conspiracy::Kind;

/// A number of leaves; [`Number::INFINITE`] where no number of them will do.
///
/// Sums saturate: a finite one stays at [`Number::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(u32);

impl Number {
    /// It is done already.
    pub const ZERO: Number = Number(0);
    /// One leaf.
    pub const ONE: Number = Number(1);
    /// The largest finite number.
    pub const MOST: Number = Number(u32::MAX - 1);
    /// It cannot be done.
    pub const INFINITE: Number = Number(u32::MAX);

    /// So many leaves, staying finite.
    pub const fn new(leaves: u32) -> Number {
        if leaves < Number::MOST.0 {
            Number(leaves)
        } else {
            Number::MOST
        }
    }

    /// The leaves; `None` is infinity.
    pub const fn get(self) -> Option<u32> {
        if self.is_infinite() {
            None
        } else {
            Some(self.0)
        }
    }

    /// As it stands in the table; the inverse of [`Number::from_bits`].
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    pub(super) const fn from_bits(bits: u32) -> Number {
        Number(bits)
    }

    /// Whether no number of leaves will do.
    pub const fn is_infinite(self) -> bool {
        self.0 == Number::INFINITE.0
    }

    /// Both must be done.
    pub const fn plus(self, other: Number) -> Number {
        if self.is_infinite() || other.is_infinite() {
            Number::INFINITE
        } else {
            Number::new(self.0.saturating_add(other.0))
        }
    }

    /// What is left when `other`, which is finite and part of it, is done.
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
        self.plus(Number(if self.is_infinite() {
            0
        } else {
            self.0 / 4 + 1
        }))
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

/// The two numbers of a node. Whatever the rule of sums, a node with proof number 0 is proven, one
/// with disproof number 0 disproven, and then the other number is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Leaves that must be won by the attacker for the node to be.
    pub proof: Number,
    /// Leaves that must be shown not to be won by the attacker for the node not to be.
    pub disproof: Number,
}

impl Numbers {
    /// The attacker wins.
    pub const PROVEN: Numbers = Numbers::new(Number::ZERO, Number::INFINITE);
    /// The attacker does not win.
    pub const DISPROVEN: Numbers = Numbers::new(Number::INFINITE, Number::ZERO);

    /// Both numbers.
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

    /// Whether it is proven who wins.
    pub fn is_decided(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// What one child suffices for: the proof number where the attacker moves, else the disproof
    /// number.
    pub const fn one(self, kind: Kind) -> Number {
        match kind {
            Kind::Max => self.proof,
            Kind::Min => self.disproof,
        }
    }

    /// What every child is needed for: the disproof number where the attacker moves, else the proof
    /// number.
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

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Its numbers.
    pub numbers: Numbers,
    /// Where the attacker is proven to win: the plies it takes at most.
    pub plies: u16,
}

/// The numbers of an interior node: the least of the children where one suffices, the sum where every
/// child is needed.
pub(crate) fn interior(kind: Kind, children: impl IntoIterator<Item = Numbers>) -> Numbers {
    let (mut one, mut every) = (Number::INFINITE, Number::ZERO);
    for child in children {
        one = one.min(child.one(kind));
        every = every.plus(child.every(kind));
    }
    Numbers::of(kind, one, every)
}
