//! Numbers learnt by small steps: the entries of [history](crate::search::kit::history) and
//! [corrections](crate::search::kit::correction).
//!
//! All threads of a search learn in one table. Entries are read and written one by one; if two threads write at once,
//! one step is lost.

use std::sync::atomic::{AtomicI16, Ordering};

/// Bound on entries: they stay within ± this.
pub(super) const LIMIT: i32 = 16_384;

/// A table of entries, 2 bytes each.
#[derive(Debug)]
pub(super) struct Statistics(Vec<AtomicI16>);

impl Statistics {
    /// A table of `entries` zeros.
    pub(super) fn new(entries: usize) -> Statistics {
        Statistics((0..entries).map(|_| AtomicI16::new(0)).collect())
    }

    /// Reads an entry, within ± [`LIMIT`].
    #[inline]
    pub(super) fn get(&self, place: usize) -> i32 {
        i32::from(self.0[place].load(Ordering::Relaxed))
    }

    /// Moves an entry by `step`, scaled down the nearer it is to the limit on that side.
    #[inline]
    pub(super) fn update(&self, place: usize, step: i32) {
        let step = step.clamp(-LIMIT, LIMIT);
        let entry = &self.0[place];
        let old = i32::from(entry.load(Ordering::Relaxed));
        let new = old + step - old * step.abs() / LIMIT;
        entry.store(new as i16, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn statistics_stay_within_their_limit(steps in prop::collection::vec(-40_000..40_000, 0..99)) {
            let entries = Statistics::new(1);
            for step in steps {
                let before = entries.get(0);
                entries.update(0, step);
                let after = entries.get(0);
                prop_assert!(after.abs() <= LIMIT);
                let grew = after >= before;
                prop_assert!(grew == (step >= 0) || after == before);
            }
        }
    }
}
