//! A search's own data for interior nodes, beside their tree.

use super::Moved;
use super::pool::{MemoryBudget, Pool};

/// One record for each interior node, at the index [`Node::record`](super::Node::record). The [`Arena`](super::Arena)
/// it stands beside counts its memory. Records of an earlier tree stay until their places are used again.
#[derive(Debug)]
pub(crate) struct Records<R>(Pool<R, 10>);

impl<R> Records<R> {
    /// Bytes to count for each record.
    pub(crate) const BYTES: usize = size_of::<R>().next_multiple_of(align_of::<u32>());
}

impl<R: Copy> Default for Records<R> {
    fn default() -> Records<R> {
        Records(Pool::new(0))
    }
}

impl<R: Copy> Records<R> {
    /// Returns the record at an index.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> &R {
        self.0.get(place)
    }

    /// Returns the record at an index, mutable.
    #[inline]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut R {
        self.0.get_mut(place)
    }

    /// Stores the first record of a node just expanded.
    pub(crate) fn begin(&mut self, place: u32, record: R) {
        if place as usize >= self.0.end() {
            self.0.push(&[record], &mut MemoryBudget::new(0));
        } else {
            *self.0.get_mut(place) = record;
        }
    }

    /// Overwrites a record; returns whether it has changed.
    pub(crate) fn set(&mut self, place: u32, record: R) -> bool
    where
        R: PartialEq,
    {
        let kept = self.0.get_mut(place);
        let has_changed = *kept != record;
        *kept = record;
        has_changed
    }

    /// Overwrites all records with this one.
    pub(crate) fn fill(&mut self, record: R) {
        self.0.iter_mut().for_each(|kept| *kept = record);
    }

    /// Moves records as the arena has moved its interiors.
    pub(crate) fn go_along(&mut self, moved: &Moved) {
        for &(from, to) in &moved.interiors {
            *self.0.get_mut(to) = *self.0.get(from);
        }
        self.0.truncate(moved.left);
        self.0.release(&mut MemoryBudget::new(0));
    }
}
