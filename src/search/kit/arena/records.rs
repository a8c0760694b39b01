//! What a search keeps for interior nodes alone, beside their tree.

use super::Moved;
use super::pool::{MemoryBudget, Pool};

/// A record for each interior node, found by [`Node::record`](super::Node::record). Its memory is counted by the
/// [`Arena`](super::Arena) it stands beside.
#[derive(Debug)]
pub(crate) struct Records<R>(Pool<R, 10>);

impl<R> Records<R> {
    /// Bytes to count for each.
    pub(crate) const BYTES: usize = size_of::<R>().next_multiple_of(align_of::<u32>());
}

impl<R: Copy> Default for Records<R> {
    fn default() -> Records<R> {
        Records(Pool::new())
    }
}

impl<R: Copy> Records<R> {
    /// The record at a place.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> &R {
        self.0.get(place)
    }

    /// The record at a place, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut R {
        self.0.get_mut(place)
    }

    /// Begins the record of a node that has been expanded.
    pub(crate) fn begin(&mut self, place: u32, record: R) {
        if place as usize >= self.0.end() {
            // Room for it is taken from the arena's budget.
            self.0.push(&[record], &mut MemoryBudget::new(0), 0);
        } else {
            *self.0.get_mut(place) = record;
        }
    }

    /// Writes a record; says whether it is another one.
    pub(crate) fn set(&mut self, place: u32, record: R) -> bool
    where
        R: PartialEq,
    {
        let kept = self.0.get_mut(place);
        let has_changed = *kept != record;
        *kept = record;
        has_changed
    }

    /// Makes all records this one.
    pub(crate) fn fill(&mut self, record: R) {
        self.0.iter_mut().for_each(|kept| *kept = record);
    }

    /// Clears all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Goes along with an arena whose interiors have moved.
    pub(crate) fn go_along(&mut self, moved: &Moved) {
        for &(from, to) in &moved.interiors {
            *self.0.get_mut(to) = *self.0.get(from);
        }
        self.0.truncate(moved.left);
        self.0.release(&mut MemoryBudget::new(0), 0);
    }
}
