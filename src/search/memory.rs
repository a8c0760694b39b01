//! Memory for the tables of searches: buckets of one cache line, zero at first, in the largest pages the
//! system gives.
//!
//! A table is far larger than what the processor remembers of where pages of 4 KiB are, and is read all
//! over, so most visits pay for finding the page before they pay for the cache line. With pages of
//! 2 MiB they do not.

use std::alloc::{Layout, handle_alloc_error};

use memmap2::MmapMut;
use prefetch_index::prefetch_index;

/// What a table keeps of one position: two words, laid out as it likes.
pub type Slot = [u64; 2];

/// Slots of a bucket.
pub const SLOTS: usize = 4;

/// A cache line.
type Bucket = [Slot; SLOTS];

/// Buckets of slots, zero unless written. What is never written takes no memory.
#[derive(Debug)]
pub struct Buckets(MmapMut);

impl Buckets {
    /// As many buckets as fit into so many MiB, and at least one.
    ///
    /// Like every allocation this ends the program if the system has no memory to give.
    pub fn in_megabytes(megabytes: usize) -> Buckets {
        let buckets = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let Ok(map) = MmapMut::map_anon(buckets * size_of::<Bucket>()) else {
            let layout = Layout::array::<Bucket>(buckets).unwrap_or(Layout::new::<Bucket>());
            handle_alloc_error(layout)
        };
        // A wish only: where it is not granted everything works the same, slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Buckets(map)
    }

    /// Memory they occupy, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn all(&self) -> &[Bucket] {
        bytemuck::cast_slice(&self.0)
    }

    #[inline]
    fn all_mut(&mut self) -> &mut [Bucket] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    /// The number of the bucket a key belongs to: the key as a fraction of its range, so that any
    /// number of buckets does.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.all().len() as u128) >> 64) as usize
    }

    /// The slots where what is known of the position with `key` may stand.
    #[inline]
    pub fn of_key(&self, key: u64) -> &[Slot; SLOTS] {
        &self.all()[self.index(key)]
    }

    /// The same, to write to.
    #[inline]
    pub fn of_key_mut(&mut self, key: u64) -> &mut [Slot; SLOTS] {
        let index = self.index(key);
        &mut self.all_mut()[index]
    }

    /// Fetches into the cache what a question about the position with `key` will need: a table
    /// is far larger than the caches, and whoever makes the move has other work to do meanwhile.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(self.all(), self.index(key));
    }

    /// Sets everything to zero.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Share of the slots that `counts`, in permille, from a sample.
    pub fn permille(&self, counts: impl Fn(&Slot) -> bool) -> u32 {
        const SAMPLE: usize = 250;
        let buckets = self.all();
        let sample = &buckets[..buckets.len().min(SAMPLE)];
        let counted = sample.iter().flatten().filter(|slot| counts(slot)).count();
        (counted * 1000 / (sample.len() * SLOTS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_zero_and_within_their_memory() {
        for megabytes in [0, 1, 3, 7] {
            let mut buckets = Buckets::in_megabytes(megabytes);
            assert_eq!(buckets.bytes(), (megabytes << 20).max(size_of::<Bucket>()));
            assert_eq!(size_of::<Bucket>(), 64);
            assert!(buckets.all().iter().flatten().all(|slot| *slot == [0; 2]));
            assert_eq!(buckets.all().as_ptr() as usize % size_of::<Bucket>(), 0);
            let last = buckets.index(u64::MAX);
            assert_eq!((buckets.index(0), last), (0, buckets.all().len() - 1));
            buckets.of_key_mut(u64::MAX)[3][1] = 1;
            assert_eq!(buckets.all()[last][3][1], 1);
            assert_eq!(buckets.of_key(u64::MAX)[3][1], 1);
        }
    }
}
