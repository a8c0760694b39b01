//! The table of certificates: for each position, what its value is known to be at least and at most
//! and what it costs to be wrong about it, in bounded memory.
//!
//! An answer to "is the value at least θ?" answers every smaller θ too when it is yes and every
//! larger one when it is no. So one entry keeps the two answers nearest to the value, and questions
//! about neighbouring θ share them.

use prefetch_index::prefetch_index;

use super::cost::Cost;
use crate::value::Value;

/// A bound on a value and what it costs to overthrow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The bound, seen from the side to move.
    pub value: Value,
    /// What it takes to be wrong.
    pub cost: Cost,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this.
    pub lower: Certificate,
    /// The value is at most this.
    pub upper: Certificate,
    /// Code of the move to try first; 0 is none.
    pub code: u16,
}

impl Entry {
    const NOTHING: Entry = Entry {
        lower: Certificate {
            value: Value::from_raw(-Value::INFINITY.get()),
            cost: Cost::ZERO,
        },
        upper: Certificate {
            value: Value::INFINITY,
            cost: Cost::ZERO,
        },
        code: 0,
    };

    /// The certificate that answers "at least `theta`?", if there is one.
    pub fn answer(&self, theta: Value) -> Option<Certificate> {
        if self.lower.value >= theta {
            Some(self.lower)
        } else if self.upper.value < theta {
            Some(self.upper)
        } else {
            None
        }
    }

    /// Takes in the newest answer to "at least `theta`?". It stands in place of what was known
    /// before on its side, and of what it contradicts: a tree that has grown knows better.
    fn take(&mut self, theta: Value, answer: Certificate) {
        if answer.value >= theta {
            self.lower = answer;
            if self.upper.value < theta {
                self.upper = Entry::NOTHING.upper;
            }
        } else {
            self.upper = answer;
            if self.lower.value >= theta {
                self.lower = Entry::NOTHING.lower;
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    check: u32,
    lower_value: Value,
    upper_value: Value,
    lower_cost: Cost,
    upper_cost: Cost,
    code: u16,
    /// The search that wrote it; 0 is none.
    generation: u16,
}

impl Slot {
    fn entry(&self) -> Entry {
        Entry {
            lower: Certificate {
                value: self.lower_value,
                cost: self.lower_cost,
            },
            upper: Certificate {
                value: self.upper_value,
                cost: self.upper_cost,
            },
            code: self.code,
        }
    }
}

const EMPTY: Slot = Slot {
    check: 0,
    lower_value: Value::DRAW,
    upper_value: Value::DRAW,
    lower_cost: Cost::ZERO,
    upper_cost: Cost::ZERO,
    code: 0,
    generation: 0,
};

const WAYS: usize = 4;

/// A cache line of slots.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Bucket>() == 64);

/// What one search of age is worth against cost when a slot must be given up.
const AGE_WORTH: i32 = 4 * Cost::ONE.get() as i32;

/// The table.
#[derive(Debug)]
pub struct Certificates {
    buckets: Vec<Bucket>,
    generation: u16,
    /// Slots older than this are empty: forgetting costs nothing.
    oldest: u16,
}

impl Certificates {
    /// A table of at most so many MiB, and at least one bucket.
    pub fn new(megabytes: usize) -> Certificates {
        let buckets = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        Certificates {
            buckets: vec![Bucket([EMPTY; WAYS]); buckets],
            generation: 1,
            oldest: 1,
        }
    }

    /// The bucket of a key: the key as a fraction of its range, so that any number of buckets does.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
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
        let slot = self.buckets[self.index(key)]
            .0
            .iter()
            .find(|slot| slot.generation >= self.oldest && slot.check == key as u32)?;
        Some(slot.entry())
    }

    /// Keeps the answer to "at least `theta`?" for the position with `key`, in place of what the
    /// table thinks worth least. A `code` of 0 leaves the move known before.
    #[inline]
    pub fn store(&mut self, key: u64, theta: Value, answer: Certificate, code: u16) {
        let (generation, oldest) = (self.generation, self.oldest);
        let index = self.index(key);
        let worth = |slot: &Slot| {
            if slot.generation < oldest {
                return i32::MIN;
            }
            if slot.check == key as u32 {
                return i32::MIN + 1;
            }
            let cost = slot.lower_cost.max(slot.upper_cost).min(Cost::whole(255));
            i32::from(cost.get()) - AGE_WORTH * i32::from(generation - slot.generation)
        };
        let bucket = &mut self.buckets[index].0;
        let own = bucket
            .iter()
            .position(|slot| slot.generation >= oldest && slot.check == key as u32);
        let way = own.unwrap_or_else(|| {
            (0..WAYS)
                .min_by_key(|&way| worth(&bucket[way]))
                .unwrap_or_default()
        });
        let slot = &mut bucket[way];
        let mut entry = if own.is_some() {
            slot.entry()
        } else {
            Entry::NOTHING
        };
        entry.take(theta, answer);
        if code != 0 {
            entry.code = code;
        }
        *slot = Slot {
            check: key as u32,
            lower_value: entry.lower.value,
            upper_value: entry.upper.value,
            lower_cost: entry.lower.cost,
            upper_cost: entry.upper.cost,
            code: entry.code,
            generation,
        };
    }

    /// Another search begins: entries of the ones before grow old.
    pub fn new_search(&mut self) {
        if self.generation == u16::MAX {
            self.buckets.fill(Bucket([EMPTY; WAYS]));
            (self.generation, self.oldest) = (0, 1);
        }
        self.generation += 1;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.new_search();
        self.oldest = self.generation;
    }

    /// Memory it occupies, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let written = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| slot.generation == self.generation)
            .count();
        (written * 1000 / (sample * WAYS)) as u32
    }
}
