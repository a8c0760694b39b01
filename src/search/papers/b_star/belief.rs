//! Data of a node: a value, a pessimistic and an optimistic bound, and the leaves it takes to bring the bounds to one
//! side of a separator.

use crate::search::kit::planted::PlantedData;
use crate::value::Value;

/// Ply from which on nothing is expanded.
pub(super) const MAX_PLY: usize = 200;

/// Halvings of a leaf's doubt at the first ply in the first iteration.
const HALVED: i32 = 4;

/// A doubt larger than any estimate.
const BOUNDLESS: i64 = 1_000_000;

/// Count that says that no number of leaves suffices.
pub(super) const INFINITE: u32 = u32::MAX;

/// Value and bounds of a node, for the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Belief {
    /// The minimax value of the leaves' values.
    pub(super) value: Value,
    /// The pessimistic bound.
    pub(super) low: Value,
    /// The optimistic bound.
    pub(super) high: Value,
    /// Possible error of the evaluator's value, in centipawns; 0 if the value is proven.
    pub(super) width: u16,
    /// Plies from the root.
    pub(super) ply: u8,
    /// Plies, from the root, of the leaves that the two bounds come from.
    pub(super) low_ply: u8,
    pub(super) high_ply: u8,
    /// Fewest leaves that must improve for the root's side until its pessimistic bound here reaches the separator.
    pub(super) raise: u32,
    /// Fewest leaves that must get worse for the root's side until its optimistic bound here is down to the separator.
    pub(super) lower: u32,
}

/// Parameters by which the bounds of a leaf follow from its value, width and ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Doubt {
    /// The iteration, from 1.
    pub(super) iteration: u32,
    /// The evaluator's grain, in centipawns.
    pub(super) grain: i32,
    /// A value between the best move's and the others', for the root's side.
    pub(super) separator: Value,
}

impl Doubt {
    /// Assumed error of a leaf at `ply`, in centipawns, rounded down to a multiple of the grain.
    fn at(self, width: u16, ply: u8) -> i32 {
        let shift = self.iteration as i32 - i32::from(ply) - HALVED;
        let width = i64::from(width);
        let doubt = if shift < 0 {
            width >> (-shift).min(62)
        } else {
            width << shift.min(40)
        };
        let grain = i64::from(self.grain.max(1));
        (doubt / grain * grain).min(BOUNDLESS) as i32
    }
}

impl PlantedData for Belief {
    fn value(&self) -> Value {
        self.value
    }

    /// The value, then the pessimistic and the optimistic bound.
    fn rank(&self) -> impl Ord {
        let (low, high) = self.for_root();
        (self.value.from_child(), low, high)
    }
}

impl Belief {
    /// A leaf. A width of 0 means that the value is proven.
    pub(super) fn leaf(value: Value, width: u16, ply: usize, doubt: Doubt) -> Belief {
        let ply = ply.min(MAX_PLY) as u8;
        let width = if value.is_decided() { 0 } else { width };
        let mut leaf = Belief {
            value,
            low: value,
            high: value,
            width,
            ply,
            low_ply: ply,
            high_ply: ply,
            raise: 0,
            lower: 0,
        };
        leaf.doubt(doubt);
        leaf
    }

    /// Whether the bounds differ.
    pub(super) fn is_open(&self) -> bool {
        self.low < self.high
    }

    /// Whether the opponent of the root's side is to move.
    fn is_opponents(&self) -> bool {
        self.ply % 2 == 1
    }

    /// The bounds for the root's side.
    pub(super) fn for_root(&self) -> (Value, Value) {
        if self.is_opponents() {
            (self.high.from_child(), self.low.from_child())
        } else {
            (self.low, self.high)
        }
    }

    /// Computes the bounds and counts of a leaf.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        let most = i32::from(Value::MAX_CENTIPAWNS);
        let raw = i32::from(self.value.get());
        let is_final = self.value.is_decided() || usize::from(self.ply) >= MAX_PLY;
        let by = if is_final {
            0
        } else {
            doubt.at(self.width, self.ply)
        };
        (self.low, self.high) = (self.value, self.value);
        if by > 0 {
            // A bound beyond all estimates is a win with the next move, or a loss to the reply to it.
            self.low = if raw - by < -most {
                Value::loss_in(2)
            } else {
                self.value.offset(-by)
            };
            self.high = if raw + by > most {
                Value::win_in(1)
            } else {
                self.value.offset(by)
            };
        }
        (self.low_ply, self.high_ply) = (self.ply, self.ply);
        let (low, high) = self.for_root();
        let count = |is_there: bool, is_possible: bool| match (is_there, is_possible) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => INFINITE,
        };
        self.raise = count(low >= doubt.separator, high >= doubt.separator);
        self.lower = count(high <= doubt.separator, low <= doubt.separator);
    }

    /// Computes value, bounds and counts from the children, of which there must be at least one.
    pub(super) fn back_up<'a>(&mut self, children: impl Iterator<Item = &'a Belief>) {
        let least = -Value::INFINITY;
        (self.value, self.low, self.high) = (least, least, least);
        let opponents = self.is_opponents();
        let (mut any, mut all) = (INFINITE, 0_u32);
        for child in children {
            self.value = self.value.max(child.value.from_child());
            let (low, high) = (child.high.from_child(), child.low.from_child());
            if low > self.low {
                (self.low, self.low_ply) = (low, child.high_ply);
            }
            if high > self.high {
                (self.high, self.high_ply) = (high, child.low_ply);
            }
            let (one, every) = if opponents {
                (child.lower, child.raise)
            } else {
                (child.raise, child.lower)
            };
            any = any.min(one);
            all = all.saturating_add(every);
        }
        (self.raise, self.lower) = if opponents { (all, any) } else { (any, all) };
    }
}
