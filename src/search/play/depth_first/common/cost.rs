//! Costs: what it takes to be wrong about an answer.

use std::fmt;

/// A cost, in sixteenths of a unit; the largest is infinite: a proof.
///
/// What the unit is, the cost model says. Under unit costs it is a conspirator: a leaf that must be
/// wrong. Under graded costs it is the price of an ordinary ply, and no leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost(u16);

impl Cost {
    /// Nothing: an answer nobody stands behind.
    pub const ZERO: Cost = Cost(0);
    /// One unit: fine enough to tell moves apart by price, and the largest cost is still thousands of them.
    pub const ONE: Cost = Cost(16);
    /// The answer is proven.
    pub const INFINITE: Cost = Cost(u16::MAX);

    /// The largest finite cost.
    pub const MOST: Cost = Cost(u16::MAX - 1);

    /// So many whole units.
    pub const fn whole(units: u16) -> Cost {
        Cost(units.saturating_mul(Cost::ONE.0))
    }

    /// So many sixteenths of a unit, staying finite and not below zero.
    pub fn sixteenths(sixteenths: i32) -> Cost {
        Cost(sixteenths.clamp(0, i32::from(u16::MAX) - 1) as u16)
    }

    /// The cost that [`Cost::get`] gave: the largest number is infinity.
    pub const fn from_raw(sixteenths: u16) -> Cost {
        Cost(sixteenths)
    }

    /// In sixteenths of a unit.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// In whole units, rounded down; `None` is infinity.
    pub fn whole_units(self) -> Option<u32> {
        (!self.is_infinite()).then(|| u32::from(self.0 / Cost::ONE.0))
    }

    /// In units; `None` is infinity.
    pub fn units(self) -> Option<f64> {
        (!self.is_infinite()).then(|| f64::from(self.0) / f64::from(Cost::ONE.0))
    }

    /// Whether the answer is proven: nothing can overthrow it.
    pub const fn is_infinite(self) -> bool {
        self.0 == u16::MAX
    }

    /// So much dearer, unless infinite already.
    pub fn plus(self, sixteenths: i32) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost::sixteenths(i32::from(self.0) + sixteenths)
        }
    }

    /// Both must be overthrown: the costs add up.
    pub fn and(self, other: Cost) -> Cost {
        if self.is_infinite() || other.is_infinite() {
            Cost::INFINITE
        } else {
            Cost(self.0.saturating_add(other.0).min(Cost::MOST.0))
        }
    }

    /// What is left of this cost when `other` has been paid.
    pub fn minus(self, other: Cost) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost(self.0.saturating_sub(other.0))
        }
    }
}

impl fmt::Display for Cost {
    /// In units with one decimal; `∞` for a proof.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.units() {
            Some(units) => write!(f, "{units:.1}"),
            None => f.write_str("∞"),
        }
    }
}
