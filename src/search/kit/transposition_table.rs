//! The transposition table of the alpha-beta searches; the depth-first searches have `certificates`, proof-number
//! search a table of its own.
//!
//! Entries of 16 bytes stand in buckets of one cache line; [`Open::store`] chooses the entry to replace.

use crate::search::Bound;
use crate::search::kit::memory::{self, Slot, Table, Words};
use crate::value::Value;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Code of the best move (see [`Game::move_code`](crate::game::Game::move_code)); 0 is none.
    pub code: u16,
    /// The value found, seen from the position itself.
    pub value: Value,
    /// What `value` says about the true one.
    pub bound: Bound,
    /// The effort behind it: remaining depth, or the search's own unit.
    pub depth: u8,
    /// The evaluator's static value, kept so that a caller need not compute it again.
    pub static_value: Value,
}

impl Entry {
    /// An entry that says nothing about the value ("at least minus infinity"): a move worth trying
    /// first, from a search whose value holds on its own path only.
    pub(crate) const fn without_value(code: u16, static_value: Value) -> Entry {
        Entry {
            code,
            value: Value::from_raw(-Value::INFINITY.get()),
            bound: Bound::Lower,
            depth: 0,
            static_value,
        }
    }

    /// The win or loss that the entry proves.
    pub(crate) fn proven(&self) -> Option<Value> {
        self.bound.proves(self.value).then_some(self.value)
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

/// Plies of depth that an entry loses for each search of age when one must be replaced.
const AGE_IN_PLIES: i32 = 4;

/// An entry of the same search and position keeps its slot against a bound shallower by more than this, in plies.
const SHALLOWER: u8 = 3;

/// Bits of a slot's first word for the epoch: the number of the last clearing before it was written. They push out the
/// key's highest bits, which the bucket implies in a table of 256 buckets or more.
const EPOCH_BITS: u32 = 8;

/// The table. A slot's words are the key with the epoch, and the data.
pub(crate) type TranspositionTable = Table<Ages>;

/// The table as the threads of one search read and write it.
pub(crate) type Open<'a> = memory::Open<'a, Ages>;

/// The number of the present search, and of the table's last clearing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ages {
    generation: u8,
    /// Slots of another epoch are empty: clearing costs nothing.
    epoch: u8,
}

impl TranspositionTable {
    /// A table of at most `megabytes` MiB, but at least one bucket.
    pub(crate) fn new(megabytes: usize) -> TranspositionTable {
        let ages = Ages {
            generation: 0,
            epoch: 0,
        };
        Table::in_megabytes(megabytes, ages)
    }

    /// Begins another search: all entries age by one search.
    pub(crate) fn new_search(&mut self) {
        self.ages.generation = (self.ages.generation + 1) % GENERATIONS;
    }

    /// Clears everything.
    pub(crate) fn clear(&mut self) {
        self.ages.generation = 0;
        self.ages.epoch = self.ages.epoch.wrapping_add(1);
        // The numbers begin again: entries of earlier epochs with the same numbers would come back.
        if self.ages.epoch == 0 {
            self.zero();
        }
    }
}

impl<'a> Open<'a> {
    /// The first word of a slot with an entry for the position with `key`.
    #[inline]
    fn label(self, key: u64) -> u64 {
        key << EPOCH_BITS | u64::from(self.ages.epoch)
    }

    /// The entry in a slot with these words; `None` unless it was written since the last clearing.
    #[inline]
    fn entry(self, [label, data]: Words) -> Option<Entry> {
        if label as u8 == self.ages.epoch {
            Entry::unpack(data)
        } else {
            None
        }
    }

    /// What is known about the position with `key`.
    #[inline]
    pub(crate) fn probe(self, key: u64) -> Option<Entry> {
        let slots = self.slots(key);
        let mut words = slots.iter().map(Slot::read);
        let [_, data] = words.find(|&[label, _]| label == self.label(key))?;
        Entry::unpack(data)
    }

    /// Stores `entry` for the position with `key`, in place of the position's old entry, or else of the bucket's least
    /// valuable one.
    ///
    /// A move known before survives an entry without one; a bound does not replace a much deeper result of this search.
    pub(crate) fn store(self, key: u64, mut entry: Entry) {
        let generation = self.ages.generation;
        let mut victim: Option<(Slot<'a>, i32)> = None;
        for slot in self.slots(key) {
            let words = slot.read();
            let [label, data] = words;
            match self.entry(words) {
                Some(old) if label == self.label(key) => {
                    if entry.code == 0 {
                        entry.code = old.code;
                    }
                    if generation_of(data) == generation
                        && entry.bound != Bound::Exact
                        && entry.depth.saturating_add(SHALLOWER) < old.depth
                    {
                        return;
                    }
                    victim = Some((slot, i32::MIN));
                    break;
                }
                old => {
                    let worth = old.map_or(i32::MIN, |old| {
                        let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
                        i32::from(old.depth) - AGE_IN_PLIES * i32::from(age)
                    });
                    if victim.as_ref().is_none_or(|&(_, least)| worth < least) {
                        victim = Some((slot, worth));
                    }
                }
            }
        }
        if let Some((slot, _)) = victim {
            slot.write([self.label(key), entry.pack(generation)]);
        }
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub(crate) fn fullness(self) -> u32 {
        self.permille(|words| {
            self.entry(words).is_some() && generation_of(words[1]) == self.ages.generation
        })
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
            let mut table = TranspositionTable::new(1);
            prop_assert_eq!(table.open().probe(key), None);
            table.open().store(key, stored);
            prop_assert_eq!(table.open().probe(key), Some(stored));
            prop_assert_eq!(table.open().probe(key.wrapping_add(1)), None);
            table.clear();
            prop_assert_eq!(table.open().probe(key), None);
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        // One bucket: all keys meet.
        let mut table = TranspositionTable::new(0);
        for (key, depth) in [(1, 9), (2, 1), (3, 5), (4, 7)] {
            table.open().store(key, entry(1, depth, Bound::Exact));
        }
        table.open().store(5, entry(1, 2, Bound::Exact));
        assert_eq!(table.open().probe(2), None, "the shallowest went");
        table.new_search();
        table.new_search();
        for key in 6..9 {
            table.open().store(key, entry(1, 3, Bound::Exact));
        }
        assert!(table.open().probe(1).is_some(), "two searches old but deep");
        assert!((3..=5).all(|key| table.open().probe(key).is_none()));
    }

    #[test]
    fn a_move_and_a_deep_result_survive_a_shallow_bound() {
        let mut table = TranspositionTable::new(1);
        table.open().store(1, entry(7, 4, Bound::Exact));
        table.open().store(1, entry(0, 6, Bound::Upper));
        assert_eq!(table.open().probe(1), Some(entry(7, 6, Bound::Upper)));
        table.open().store(1, entry(9, 1, Bound::Lower));
        assert_eq!(table.open().probe(1), Some(entry(7, 6, Bound::Upper)));
        table.new_search();
        table.open().store(1, entry(9, 1, Bound::Lower));
        assert_eq!(table.open().probe(1), Some(entry(9, 1, Bound::Lower)));
    }

    #[test]
    fn what_was_cleared_does_not_come_back() {
        let mut table = TranspositionTable::new(0);
        table.open().store(1, entry(1, 1, Bound::Exact));
        for clearing in 1..=600 {
            table.clear();
            assert_eq!(table.open().probe(1), None, "cleared {clearing} times");
            assert_eq!(table.open().fullness(), 0);
            // Cleared slots are reused before those in use are replaced.
            for key in 2..6 {
                table.open().store(key, entry(1, 0, Bound::Upper));
            }
            assert!((2..6).all(|key| table.open().probe(key).is_some()));
            if clearing == 100 {
                table.open().store(1, entry(1, 200, Bound::Exact));
            }
        }
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let mut table = TranspositionTable::new(0);
        table.open().store(1, entry(1, 1, Bound::Exact));
        table.open().store(2, entry(1, 1, Bound::Exact));
        assert_eq!(table.open().fullness(), 500);
        table.new_search();
        assert_eq!(table.open().fullness(), 0);
    }
}
