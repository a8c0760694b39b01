//! The two credits of a node, and the cost of a move.

/// Credit for one doubling: a threshold of 2ⁿ conspirators is n units.
const UNIT: i32 = 16;

/// Cost of a move without alternative.
const FORCED: i32 = UNIT / 2;

/// The two credits left at a node: binary logarithms of thresholds, in sixteenths ([`UNIT`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Credits {
    /// Credit for the strategy of the side to move, which shows that the position is worth at least its value.
    pub(super) own: i32,
    /// Credit for the opponent's strategy, which shows that the position is worth at most its value.
    pub(super) others: i32,
}

impl Credits {
    /// Both credits at the root, for a threshold of 2 to the power of half the `iteration`.
    pub(super) fn at_root(iteration: u32) -> Credits {
        let credit = iteration.min(1_000) as i32 * UNIT / 2;
        Credits {
            own: credit,
            others: credit,
        }
    }

    /// The credits after a move, as the opponent sees them; `alternatives` counts the move itself, too.
    pub(super) fn after_move(self, alternatives: usize) -> Credits {
        Credits {
            own: self.others,
            others: self.own.max(0) - cost(alternatives),
        }
    }

    /// Upper bound on the plies left.
    pub(super) fn plies(self) -> usize {
        let credit = self.own.max(0) + self.others.max(0);
        (credit / FORCED) as usize + 2
    }

    /// Both credits as one number, for tables.
    pub(super) fn code(self) -> u64 {
        (self.own.max(0) as u64) << 32 | self.others.max(0) as u64
    }
}

/// Cost of a move among that many alternatives: their binary logarithm, in sixteenths, but at least [`FORCED`].
fn cost(alternatives: usize) -> i32 {
    let cost = (alternatives.max(1) as f64).log2() * f64::from(UNIT);
    (cost.round() as i32).max(FORCED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_mover_pays_and_forced_moves_are_cheap() {
        let credits = |own, others| Credits { own, others };
        let root = Credits::at_root(6);
        let after = root.after_move(4);
        assert_eq!(after, credits(48, 16));
        assert_eq!(after.after_move(1), credits(16, 40));
        assert_eq!(root.after_move(0), root.after_move(1));
        assert_eq!(cost(2), UNIT);
        assert_eq!(cost(8), 3 * UNIT);
    }

    #[test]
    fn what_is_overdrawn_counts_as_used_up() {
        let overdrawn = Credits { own: -5, others: 0 };
        assert_eq!(overdrawn.code(), 0);
        assert_eq!(overdrawn.after_move(2).others, -UNIT);
    }
}
