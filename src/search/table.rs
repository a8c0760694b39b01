//! A transposition table: what a search found out about positions, in bounded memory.
//!
//! Entries of 16 bytes stand in buckets of one cache line. A slot is two atomic words, the key mixed
//! with the data: a slot torn by two writers matches no key, so that a table can be shared by
//! reference without a lock (R. Hyatt and T. Mann, "A lockless transposition table implementation
//! for parallel search", ICGA Journal 25(1), 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use prefetch_index::prefetch_index;

use super::Bound;
use crate::value::Value;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Code of the best move (see [`Game::move_code`](crate::game::Game::move_code)); 0 is none.
    pub code: u16,
    /// The value found, seen from the position itself.
    pub value: Value,
    /// What `value` says about the real one.
    pub bound: Bound,
    /// The effort behind it: remaining depth, or whatever a search counts in.
    pub depth: u8,
    /// The evaluator's static value, which a caller may not want to compute again.
    pub static_value: Value,
}

impl Entry {
    /// An entry that says nothing about the value ("at least minus infinity"): a move worth trying
    /// first, from a search whose value holds on its own path only.
    pub const fn without_value(code: u16, static_value: Value) -> Entry {
        Entry {
            code,
            value: Value::from_raw(-Value::INFINITY.get()),
            bound: Bound::Lower,
            depth: 0,
            static_value,
        }
    }

    const fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        self.code as u64
            | (self.value.get() as u16 as u64) << 16
            | (self.static_value.get() as u16 as u64) << 32
            | (self.depth as u64) << 48
            | bound << 56
            | (generation as u64) << 58
    }

    /// The inverse of [`Entry::pack`]; `None` for a slot never written.
    const fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 56 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry {
            code: data as u16,
            value: Value::from_raw((data >> 16) as i16),
            static_value: Value::from_raw((data >> 32) as i16),
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

const GENERATIONS: u8 = 64;

const fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// Key mixed with data, and data.
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const SLOTS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Bucket>() == 64);

/// The table. Reading and writing take `&self`.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

/// How many plies of depth one search's age outweighs when a slot must be given up.
const AGE_IN_PLIES: i32 = 4;

/// An entry of the same position keeps its place against a bound this much shallower.
const SHALLOWER: u8 = 3;

impl TranspositionTable {
    /// A table of at most so many MiB, and at least one bucket.
    pub fn new(megabytes: usize) -> TranspositionTable {
        let buckets = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        TranspositionTable {
            buckets: std::iter::repeat_with(Bucket::default)
                .take(buckets)
                .collect(),
            generation: AtomicU8::new(0),
        }
    }

    /// The bucket of a key: the key as a fraction of its range, so that any number of buckets does.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    fn bucket(&self, key: u64) -> &[Slot; SLOTS] {
        &self.buckets[self.index(key)].0
    }

    /// Fetches into the cache what a question about the position with `key` will need: the table
    /// is far larger than the caches, and whoever makes the move has other work to do meanwhile.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.index(key));
    }

    /// What is known about the position with `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                Entry::unpack(data)
            } else {
                None
            }
        })
    }

    /// Remembers `entry` for the position with `key`, in place of what it thinks worth least.
    ///
    /// A move known before survives an entry without one; a bound does not oust a result of this
    /// search that is exact or much deeper.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = None;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            let old = Entry::unpack(data);
            let current = generation_of(data) == generation;
            match old {
                Some(old) if slot.check.load(Ordering::Relaxed) ^ data == key => {
                    if entry.code == 0 {
                        entry.code = old.code;
                    }
                    if current
                        && entry.bound != Bound::Exact
                        && entry.depth.saturating_add(SHALLOWER) < old.depth
                    {
                        return;
                    }
                    victim = Some((slot, i32::MIN));
                    break;
                }
                _ => {
                    let worth = old.map_or(i32::MIN, |old| {
                        let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
                        i32::from(old.depth) - AGE_IN_PLIES * i32::from(age)
                    });
                    if victim.is_none_or(|(_, least)| worth < least) {
                        victim = Some((slot, worth));
                    }
                }
            }
        }
        if let Some((slot, _)) = victim {
            let data = entry.pack(generation);
            slot.check.store(key ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    /// Another search begins: entries of the ones before grow old.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub fn fullness(&self) -> u32 {
        const SAMPLE: usize = 250;
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(SAMPLE);
        let written = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| Entry::unpack(data).is_some() && generation_of(data) == generation)
            .count();
        (written * 1000 / (sample * SLOTS)) as u32
    }

    /// Memory it occupies, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(code: u16, depth: u8, bound: Bound) -> Entry {
        Entry {
            code,
            value: Value::centipawns(-125),
            bound,
            depth,
            static_value: Value::centipawns(40),
        }
    }

    proptest! {
        #[test]
        fn gives_back_what_was_stored(
            key: u64, code: u16, value: i16, depth: u8, static_value: i16, bound in 0..3,
        ) {
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound as usize];
            let stored = Entry {
                code,
                value: Value::from_raw(value),
                bound,
                depth,
                static_value: Value::from_raw(static_value),
            };
            let table = TranspositionTable::new(1);
            prop_assert_eq!(table.probe(key), None);
            table.store(key, stored);
            prop_assert_eq!(table.probe(key), Some(stored));
            prop_assert_eq!(table.probe(key.wrapping_add(1)), None);
            table.clear();
            prop_assert_eq!(table.probe(key), None);
        }
    }

    #[test]
    fn stays_within_its_memory() {
        for megabytes in [0, 1, 3, 7, 16] {
            let table = TranspositionTable::new(megabytes);
            assert!(table.bytes() <= (megabytes << 20).max(64));
            assert!(table.bytes() + 64 > megabytes << 20);
            table.store(u64::MAX, entry(1, 1, Bound::Exact));
            assert!(table.probe(u64::MAX).is_some());
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        // One bucket: all keys meet.
        let table = TranspositionTable::new(0);
        for (key, depth) in [(1, 9), (2, 1), (3, 5), (4, 7)] {
            table.store(key, entry(1, depth, Bound::Exact));
        }
        table.store(5, entry(1, 2, Bound::Exact));
        assert_eq!(table.probe(2), None, "the shallowest went");
        table.new_search();
        table.new_search();
        for key in 6..9 {
            table.store(key, entry(1, 3, Bound::Exact));
        }
        assert!(table.probe(1).is_some(), "two searches old but deep");
        assert!((3..=5).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn a_move_and_a_deep_result_survive_a_shallow_bound() {
        let table = TranspositionTable::new(1);
        table.store(1, entry(7, 4, Bound::Exact));
        table.store(1, entry(0, 6, Bound::Upper));
        assert_eq!(table.probe(1), Some(entry(7, 6, Bound::Upper)));
        table.store(1, entry(9, 1, Bound::Lower));
        assert_eq!(table.probe(1), Some(entry(7, 6, Bound::Upper)));
        table.new_search();
        table.store(1, entry(9, 1, Bound::Lower));
        assert_eq!(table.probe(1), Some(entry(9, 1, Bound::Lower)));
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let table = TranspositionTable::new(0);
        table.store(1, entry(1, 1, Bound::Exact));
        table.store(2, entry(1, 1, Bound::Exact));
        assert_eq!(table.fullness(), 500);
        table.new_search();
        assert_eq!(table.fullness(), 0);
    }
}
