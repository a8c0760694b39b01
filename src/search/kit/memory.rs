//! Memory for the tables of searches: buckets of one cache line, zero at first, in the largest pages the
//! system gives.
//!
//! A table has far more pages of 4 KiB than the TLB has entries, and accesses are random: most would pay for
//! a TLB miss besides the cache miss. Pages of 2 MiB avoid that.

use std::alloc::{Layout, handle_alloc_error};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prefetch_index::prefetch_index;
use zerocopy::FromBytes;

use self::zeros::Zeros;
use crate::platform::Instant;

/// A table's entry for one position: two words in a layout of the table's own.
pub(crate) type Words = [u64; 2];

/// A place for an entry. Threads read and write it concurrently, each word by itself, so the first word is
/// stored as its XOR with the second: after a torn write the key does not match, and the entry is
/// ignored (R. Hyatt's lockless hashing).
#[derive(Debug)]
pub(crate) struct Slot<'a>(&'a [AtomicU64; 2]);

impl Slot<'_> {
    /// The entry written last; zeros at first.
    #[inline]
    pub(crate) fn read(&self) -> Words {
        let [first, second] = self.0;
        let second = second.load(Ordering::Relaxed);
        [first.load(Ordering::Relaxed) ^ second, second]
    }

    /// Writes.
    #[inline]
    pub(crate) fn write(&self, [first, second]: Words) {
        self.0[0].store(first ^ second, Ordering::Relaxed);
        self.0[1].store(second, Ordering::Relaxed);
    }
}

/// Slots of a bucket.
pub(crate) const SLOTS: usize = 4;

/// MiB in bytes, saturating.
pub(crate) const fn bytes(megabytes: usize) -> usize {
    megabytes.saturating_mul(1 << 20)
}

/// A cache line.
type Bucket = [[AtomicU64; 2]; SLOTS];

/// Smallest page of the system, in bytes.
const PAGE: usize = 1 << 12;
/// Pages between two checks of the clock.
const TOUCHED_AT_ONCE: usize = 1 << 10;

/// A table in memory that is zero at first. Pages become resident when first written or touched.
#[derive(Debug)]
pub(crate) struct Table<A> {
    map: Zeros,
    /// Number of bytes touched so far, from the start.
    touched: usize,
    /// The numbers that tell which entries are old.
    pub(crate) ages: A,
}

impl<A: Copy> Table<A> {
    /// As many buckets as fit into `megabytes` MiB, but at least one.
    ///
    /// Like every allocation this ends the program if the system has no memory to give.
    pub(crate) fn in_megabytes(megabytes: usize, ages: A) -> Table<A> {
        let buckets = (bytes(megabytes) / size_of::<Bucket>()).max(1);
        let Some(map) = zeros::allocated(buckets) else {
            let layout = Layout::array::<Bucket>(buckets).unwrap_or(Layout::new::<Bucket>());
            handle_alloc_error(layout)
        };
        Table {
            map,
            touched: 0,
            ages,
        }
    }

    /// Size in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.map.len()
    }

    /// Sets the memory to zero.
    pub(crate) fn zero(&mut self) {
        self.map.fill(0);
        self.touched = self.map.len();
    }

    /// Pre-faults the memory: otherwise page faults cost tens to hundreds of milliseconds during the first timed
    /// search. Stops after `longest` and continues at the next call; returns whether all is resident. Keeps the
    /// contents.
    pub(crate) fn touch(&mut self, longest: Duration) -> bool {
        // One thread only: a second one was no faster.
        let begun = Instant::now();
        let rest = &mut self.map[self.touched..];
        for pages in rest.chunks_mut(PAGE * TOUCHED_AT_ONCE) {
            for page in pages.chunks_mut(PAGE) {
                page[0] = black_box(page[0]);
            }
            self.touched += pages.len();
            if begun.elapsed() >= longest {
                break;
            }
        }
        self.touched == self.map.len()
    }

    /// The table for the threads of one search.
    pub(crate) fn open(&mut self) -> Open<'_, A> {
        let buckets = <[Bucket]>::mut_from_bytes(&mut self.map);
        Open {
            buckets: buckets.expect("a map begins on a page and is a whole number of buckets"),
            ages: self.ages,
        }
    }
}

/// Zeroed memory from the system, as bytes.
#[cfg(feature = "cli")]
mod zeros {
    use memmap2::MmapMut;

    use crate::search::kit::memory::Bucket;

    /// Zeroed memory that begins on a page.
    pub(super) type Zeros = MmapMut;

    /// Memory for `buckets`; `None` if the system refuses.
    pub(super) fn allocated(buckets: usize) -> Option<Zeros> {
        let map = MmapMut::map_anon(buckets * size_of::<Bucket>()).ok()?;
        // Advice only: without huge pages the table works the same, but slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(map)
    }
}

/// Zeroed memory where nothing can be mapped.
#[cfg(not(feature = "cli"))]
mod zeros {
    use std::ops::{Deref, DerefMut};

    use zerocopy::{FromZeros, IntoBytes};

    use crate::search::kit::memory::{Bucket, SLOTS};

    /// Zeroed memory that begins with a cache line, so that no bucket lies on two.
    #[derive(Debug)]
    pub(super) struct Zeros {
        /// One bucket more than are used.
        words: Vec<Words>,
        /// Bytes before the first cache line.
        before: usize,
    }

    /// A bucket, without the means to share it among threads.
    type Words = [[u64; 2]; SLOTS];

    /// Memory for `buckets`; `None` if the system refuses.
    pub(super) fn allocated(buckets: usize) -> Option<Zeros> {
        const LINE: usize = size_of::<Bucket>();
        const { assert!(size_of::<Words>() == LINE) };
        let words = Words::new_vec_zeroed(buckets.checked_add(1)?).ok()?;
        let before = words.as_ptr().addr().wrapping_neg() % LINE;
        Some(Zeros { words, before })
    }

    impl Zeros {
        /// Bytes of the buckets that are used.
        fn length(&self) -> usize {
            size_of::<Bucket>() * (self.words.len() - 1)
        }
    }

    impl Deref for Zeros {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            &self.words.as_bytes()[self.before..][..self.length()]
        }
    }

    impl DerefMut for Zeros {
        fn deref_mut(&mut self) -> &mut [u8] {
            let length = self.length();
            &mut self.words.as_mut_bytes()[self.before..][..length]
        }
    }
}

/// `whole` times `key` as a fraction of its range, rounded down.
#[inline]
pub(crate) fn part_of(whole: usize, key: u64) -> usize {
    #[cfg(not(target_pointer_width = "32"))]
    return ((u128::from(key) * whole as u128) >> 64) as usize;
    // The same without a product of 128 bits, which WebAssembly has none of.
    #[cfg(target_pointer_width = "32")]
    return part_by_halves(whole as u32, key) as usize;
}

/// [`part_of`] by products of 64 bits. They do not overflow: a product of halves leaves room for one half more.
#[cfg(any(target_pointer_width = "32", test))]
fn part_by_halves(whole: u32, key: u64) -> u32 {
    let (high, low) = (key >> 32, key & u64::from(u32::MAX));
    let whole = u64::from(whole);
    ((high * whole + ((low * whole) >> 32)) >> 32) as u32
}

/// A table for the threads of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open<'a, A> {
    buckets: &'a [Bucket],
    pub(crate) ages: A,
}

impl<'a, A: Copy> Open<'a, A> {
    /// Bucket number of a key: the key as a fraction of its range, so that any number of
    /// buckets works.
    #[inline]
    fn index(self, key: u64) -> usize {
        part_of(self.buckets.len(), key)
    }

    /// The slots that may hold an entry of the position with `key`.
    #[inline]
    pub(crate) fn slots(self, key: u64) -> [Slot<'a>; SLOTS] {
        self.buckets[self.index(key)].each_ref().map(Slot)
    }

    /// Prefetches the bucket of the position with `key`: it is hardly ever in the cache, and making
    /// the move leaves time to load it.
    #[inline]
    pub(crate) fn prefetch(self, key: u64) {
        // WebAssembly has no prefetch, and an early read made it slower.
        if cfg!(not(target_family = "wasm")) {
            prefetch_index(self.buckets, self.index(key));
        }
    }

    /// Share of the slots for which `counts` is true, in permille, from a sample.
    pub(crate) fn permille(self, counts: impl Fn(Words) -> bool) -> u32 {
        const SAMPLE: usize = 250;
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let words = sample.iter().flatten().map(|slot| Slot(slot).read());
        let counted = words.filter(|&words| counts(words)).count();
        (counted * 1000 / (sample.len() * SLOTS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_zero_and_within_their_memory() {
        for megabytes in [0, 1, 3, 7] {
            let mut table = Table::in_megabytes(megabytes, ());
            assert_eq!(table.bytes(), (megabytes << 20).max(size_of::<Bucket>()));
            assert_eq!(size_of::<Bucket>(), 64);
            let open = table.open();
            let all = || open.buckets.iter().flatten().map(|slot| Slot(slot).read());
            assert!(all().all(|words| words == [0; 2]));
            assert_eq!(open.buckets.as_ptr() as usize % size_of::<Bucket>(), 0);
            let last = open.index(u64::MAX);
            assert_eq!((open.index(0), last), (0, open.buckets.len() - 1));
            open.slots(u64::MAX)[3].write([5, 7]);
            assert_eq!(open.slots(u64::MAX)[3].read(), [5, 7]);
            assert_eq!(all().last(), Some([5, 7]));
            table.zero();
            assert_eq!(table.open().slots(u64::MAX)[3].read(), [0; 2]);
        }
    }

    #[test]
    fn a_part_is_the_same_by_halves() {
        let keys = [0, 1, 1 << 32, u64::MAX / 3, u64::MAX - 1, u64::MAX];
        for whole in [1, 2, 7, 1 << 20, u32::MAX] {
            for key in keys.into_iter().flat_map(|key| [key, key.rotate_left(17)]) {
                assert_eq!(
                    part_by_halves(whole, key) as usize,
                    part_of(whole as usize, key)
                );
            }
        }
    }

    #[test]
    fn touching_changes_nothing() {
        for megabytes in [0, 1, 200] {
            let mut table = Table::in_megabytes(megabytes, ());
            // Part after part, and past the end.
            let mut parts = 1;
            while !table.touch(Duration::ZERO) {
                parts += 1;
            }
            assert_eq!(parts, (megabytes / 4).max(1));
            assert!(table.touch(Duration::ZERO));
            assert!(table.map.iter().all(|&byte| byte == 0));
            table.open().slots(0)[0].write([5, 7]);
            table.touch(Duration::MAX);
            assert_eq!(table.open().slots(0)[0].read(), [5, 7]);
            table.zero();
            assert_eq!(table.open().slots(0)[0].read(), [0; 2]);
        }
        let mut table = Table::in_megabytes(1, ());
        table.open().slots(9)[1].write([5, 7]);
        table.touch(Duration::MAX);
        assert_eq!(table.open().slots(9)[1].read(), [5, 7]);
        table.zero();
        assert_eq!(table.open().slots(9)[1].read(), [0; 2]);
    }

    /// Two threads write to one slot; a reader gets the entry of one of them, or a first word of
    /// neither.
    #[test]
    fn words_of_two_writers_do_not_pass_for_one() {
        const WRITERS: [u64; 2] = [0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321];
        let mut table = Table::in_megabytes(0, ());
        let open = table.open();
        std::thread::scope(|scope| {
            for key in WRITERS {
                scope.spawn(move || {
                    for n in 0..200_000 {
                        open.slots(0)[0].write([key, key.wrapping_mul(n)]);
                    }
                });
            }
            for _ in 0..200_000 {
                let [first, second] = open.slots(0)[0].read();
                if WRITERS.contains(&first) {
                    // A multiple of the writer's key has at least as many zeros at its end.
                    assert!(second.trailing_zeros() >= first.trailing_zeros());
                }
            }
        });
    }
}
