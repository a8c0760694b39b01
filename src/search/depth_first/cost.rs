//! Costs: what it takes to be wrong about an answer.

/// A cost in sixteenths of a conspirator; the largest is infinite: a proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost(u16);

impl Cost {
    /// Nothing: an answer nobody stands behind.
    pub const ZERO: Cost = Cost(0);
    /// One conspirator.
    pub const ONE: Cost = Cost(16);
    /// The answer is proven.
    pub const INFINITE: Cost = Cost(u16::MAX);

    /// The largest finite cost.
    pub const MOST: Cost = Cost(u16::MAX - 1);

    /// So many whole conspirators.
    pub const fn whole(conspirators: u16) -> Cost {
        Cost(conspirators.saturating_mul(Cost::ONE.0))
    }

    /// So many sixteenths of a conspirator, staying finite and not below zero.
    pub fn sixteenths(sixteenths: i32) -> Cost {
        Cost(sixteenths.clamp(0, i32::from(u16::MAX) - 1) as u16)
    }

    /// The cost that [`Cost::get`] gave: the largest number is infinity.
    pub const fn from_raw(sixteenths: u16) -> Cost {
        Cost(sixteenths)
    }

    /// In sixteenths of a conspirator.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// In whole conspirators, rounded down; `None` is infinity.
    pub fn conspirators(self) -> Option<u32> {
        (!self.is_infinite()).then(|| u32::from(self.0 / Cost::ONE.0))
    }

    /// Whether no number of conspirators will do.
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
