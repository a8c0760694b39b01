//! The table of certificates: for each position, what its value is known to be at least and at most
//! and what it costs to be wrong about it, in bounded memory.
//!
//! An answer to "is the value at least θ?" answers every smaller θ too when it is yes and every
//! larger one when it is no. So one entry keeps the two answers nearest to the value, and questions
//! about neighbouring θ share them.
//!
//! A cost is kept as it was found. It may be more than what was demanded when the answer was sought, and
//! under graded costs less (`unknown_rebate`, the depth limit). So whoever reads an answer has to hold its
//! cost against the demand of the day.

use std::time::Duration;

use crate::search::kit::memory::{Buckets, Memory, SLOTS, Slot, Words};
use crate::search::{Bound, Cost};
use crate::value::Value;

/// A bound on a value and what it costs to overthrow it, by the cost model of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Certificate {
    /// The bound, seen from the side to move.
    pub value: Value,
    /// What it takes to be wrong: leaves under unit costs, a price under graded ones.
    pub cost: Cost,
}

impl Certificate {
    /// The bound of a position without moves, before any has been looked at.
    pub(crate) const OF_NO_MOVE: Certificate = Certificate {
        value: Value::from_raw(-Value::INFINITY.get()),
        cost: Cost::INFINITE,
    };

    /// Whether it answers "at least `theta`?" with yes.
    #[inline]
    pub(crate) fn holds(self, theta: Value) -> bool {
        self.value >= theta
    }

    /// Whether it is true of a position so many plies before the draw by rule, whatever the clock was where it was found:
    /// no proof outlives that draw.
    #[inline]
    pub(crate) fn is_in_time(self, plies_to_rule_draw: usize) -> bool {
        self.value.ends_within(plies_to_rule_draw)
    }

    /// Of two moves' upper bounds, that of having both: the larger value, and whichever is overthrown
    /// sooner.
    pub(crate) fn either(self, other: Certificate) -> Certificate {
        Certificate {
            value: self.value.max(other.value),
            cost: self.cost.min(other.cost),
        }
    }
}

/// Whether a bound on a value answers "at least `theta`?" for good: a win that holds, a loss that fails.
#[inline]
pub(in super::super) fn is_proof(value: Value, theta: Value) -> bool {
    let bound = if value >= theta {
        Bound::Lower
    } else {
        Bound::Upper
    };
    bound.proves(value)
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
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

    /// The certificate that answers "at least `theta`?", if there is one, whatever it costs.
    pub(crate) fn answer(&self, theta: Value) -> Option<Certificate> {
        if self.lower.value >= theta {
            Some(self.lower)
        } else if self.upper.value < theta {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The win or loss that the entry proves.
    pub(crate) fn proven(&self) -> Option<Value> {
        let of = |bound: Bound, known: Certificate| {
            let proves = known.cost.is_infinite() && bound.proves(known.value);
            proves.then_some(known.value)
        };
        of(Bound::Lower, self.lower).or_else(|| of(Bound::Upper, self.upper))
    }

    /// What it says without proving it.
    #[cold]
    fn without_proofs(self) -> Entry {
        let keep = |known: Certificate, nothing: Certificate| {
            if known.cost.is_infinite() {
                nothing
            } else {
                known
            }
        };
        Entry {
            lower: keep(self.lower, Entry::NOTHING.lower),
            upper: keep(self.upper, Entry::NOTHING.upper),
            code: self.code,
        }
    }

    /// What is known on the side on which an answer to "at least `theta`?" lies.
    fn on_the_side_of(&self, theta: Value, answer: Certificate) -> Certificate {
        if answer.holds(theta) {
            self.lower
        } else {
            self.upper
        }
    }

    /// Takes in the newest answer to "at least `theta`?". It stands in place of what was known
    /// before on its side, and of what it contradicts: a tree that has grown knows better.
    fn take(&mut self, theta: Value, answer: Certificate) {
        if answer.holds(theta) {
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

/// What a value costs that tables know: it is beyond doubt here. But a win is none for the positions before this one, where
/// it comes too late for the rule of fifty moves; for them it is as good as `finite`.
pub(crate) fn of_known_value(value: Value, finite: Cost) -> Cost {
    if value == Value::DRAW || value.is_decided() {
        Cost::INFINITE
    } else {
        finite
    }
}

/// An entry as it stands in a slot of the table: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Packed {
    /// The lowest bits of the key; the highest say in which bucket it is.
    check: u64,
    entry: Entry,
    /// The search that wrote it; 0 is none.
    generation: u16,
}

/// Bits of the key that are compared: the more, the more seldom another position is taken for the one that is asked for.
const CHECK_BITS: u32 = 36;

/// The last search that can be told from the others, in the bits that are left.
const LAST_GENERATION: u16 = (1 << (64 - CHECK_BITS - u16::BITS)) - 1;

impl Packed {
    #[inline]
    fn pack(self) -> Words {
        let Entry { lower, upper, code } = self.entry;
        let bits = |value: Value| u64::from(value.get() as u16);
        let cost = |cost: Cost| u64::from(cost.get());
        [
            self.check << (64 - CHECK_BITS) | u64::from(self.generation) << 16 | u64::from(code),
            bits(lower.value)
                | bits(upper.value) << 16
                | cost(lower.cost) << 32
                | cost(upper.cost) << 48,
        ]
    }

    #[inline]
    fn unpack([first, second]: Words) -> Packed {
        let certificate = |value: u64, cost: u64| Certificate {
            value: Value::from_raw(value as i16),
            cost: Cost::from_raw(cost as u16),
        };
        Packed {
            check: check_of(first),
            entry: Entry {
                lower: certificate(second, second >> 32),
                upper: certificate(second >> 16, second >> 48),
                code: first as u16,
            },
            generation: generation_of(first),
        }
    }
}

fn check_of(first: u64) -> u64 {
    first >> (64 - CHECK_BITS)
}

/// What of a key is compared.
fn check(key: u64) -> u64 {
    key & ((1 << CHECK_BITS) - 1)
}

fn generation_of(first: u64) -> u16 {
    (first >> 16) as u16 & LAST_GENERATION
}

/// What "much less" is when a cheap answer is not kept.
const CHEAPER: Cost = Cost::whole(3);

/// What is dearer is worth no more to keep: a proof of an old search gives way in time too.
const DEAREST_WORTH: Cost = Cost::whole(255);

/// What one search of age is worth against cost when a slot must be given up.
const AGE_WORTH: i32 = 4 * Cost::ONE.get() as i32;

/// The table.
#[derive(Debug)]
pub(crate) struct Certificates {
    memory: Memory,
    generation: u16,
    /// Slots older than this are empty: forgetting costs nothing.
    oldest: u16,
    /// Slots older than this prove nothing.
    proofs_since: u16,
}

impl Certificates {
    /// A table of at most so many MiB, and at least one bucket.
    pub(crate) fn new(megabytes: usize) -> Certificates {
        Certificates {
            memory: Memory::in_megabytes(megabytes),
            generation: 1,
            oldest: 1,
            proofs_since: 1,
        }
    }

    /// The table for the threads of one search.
    pub(crate) fn open(&mut self) -> Open<'_> {
        Open {
            buckets: self.memory.buckets(),
            generation: self.generation,
            oldest: self.oldest,
            proofs_since: self.proofs_since,
        }
    }

    /// Another search begins: entries of the ones before grow old.
    pub(crate) fn new_search(&mut self) {
        if self.generation == LAST_GENERATION {
            self.begin_again();
        }
        self.generation += 1;
    }

    /// Clears everything.
    pub(crate) fn clear(&mut self) {
        // In time: a search that has a clock is not to wait for it.
        if self.generation > LAST_GENERATION / 2 {
            self.begin_again();
        }
        self.new_search();
        self.oldest = self.generation;
    }

    /// Forgets what is proven and keeps the rest.
    pub(crate) fn forget_proofs(&mut self) {
        self.new_search();
        self.proofs_since = self.generation;
    }

    /// Clears the memory, so that searches can be counted from the first on.
    fn begin_again(&mut self) {
        self.memory.clear();
        (self.generation, self.oldest, self.proofs_since) = (0, 1, 1);
    }

    /// Takes its memory now (see [`Memory::touch`]).
    pub(crate) fn touch(&mut self, longest: Duration) -> bool {
        self.memory.touch(longest)
    }

    /// Memory it occupies, in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.memory.bytes()
    }
}

/// The table as the threads of one search read and write it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open<'a> {
    buckets: Buckets<'a>,
    generation: u16,
    oldest: u16,
    proofs_since: u16,
}

impl Open<'_> {
    /// Fetches what a question about the position with `key` will need (see [`Buckets::prefetch`]).
    #[inline]
    pub(crate) fn prefetch(self, key: u64) {
        self.buckets.prefetch(key);
    }

    /// What is known about the position with `key`.
    #[inline]
    pub(crate) fn probe(self, key: u64) -> Option<Entry> {
        let slots = self.buckets.of_key(key);
        let mut words = slots.iter().map(Slot::read);
        let packed = words.find(|&words| self.is_of(words, key))?;
        Some(self.entry(packed))
    }

    /// What a slot's words say, as far as it still holds.
    #[inline]
    fn entry(self, words: Words) -> Entry {
        let Packed {
            entry, generation, ..
        } = Packed::unpack(words);
        if generation < self.proofs_since {
            entry.without_proofs()
        } else {
            entry
        }
    }

    /// Whether a slot's words speak of the position with `key`.
    #[inline]
    fn is_of(self, [first, _]: Words, key: u64) -> bool {
        check_of(first) == check(key) && generation_of(first) >= self.oldest
    }

    /// Keeps the answer to "at least `theta`?" for the position with `key`, in place of what the
    /// table thinks worth least. A `code` of 0 leaves the move known before.
    #[inline]
    pub(crate) fn store(self, key: u64, theta: Value, answer: Certificate, code: u16) {
        self.put(key, theta, answer, code, Cost::INFINITE);
    }

    /// The same, unless it costs much less than what the same search knows already on its side: such an
    /// answer was asked on the way to something else, at a θ that is asked less.
    #[inline]
    pub(crate) fn store_unless_cheap(self, key: u64, theta: Value, answer: Certificate, code: u16) {
        self.put(key, theta, answer, code, CHEAPER);
    }

    /// Keeps the answer unless it costs less than what this search knows by more than `cheaper`.
    #[inline]
    fn put(self, key: u64, theta: Value, answer: Certificate, code: u16, cheaper: Cost) {
        let slots = self.buckets.of_key(key);
        let known = slots.each_ref().map(Slot::read);
        let own = known.iter().position(|&words| self.is_of(words, key));
        let (way, mut entry) = match own {
            Some(way) => (way, self.entry(known[way])),
            None => {
                let least = (0..SLOTS).min_by_key(|&way| self.worth(known[way]));
                (least.unwrap_or_default(), Entry::NOTHING)
            }
        };
        let is_of_this_search = generation_of(known[way][0]) == self.generation;
        if is_of_this_search && entry.on_the_side_of(theta, answer).cost > answer.cost.and(cheaper)
        {
            return;
        }
        entry.take(theta, answer);
        if code != 0 {
            entry.code = code;
        }
        let packed = Packed {
            check: check(key),
            entry,
            generation: self.generation,
        };
        slots[way].write(packed.pack());
    }

    /// What the words of a slot are worth keeping.
    #[inline]
    fn worth(self, words: Words) -> i32 {
        let Packed {
            entry, generation, ..
        } = Packed::unpack(words);
        if generation < self.oldest {
            return i32::MIN;
        }
        let cost = entry.lower.cost.max(entry.upper.cost).min(DEAREST_WORTH);
        // Words of two writers may make a search that is still to come.
        i32::from(cost.get()) - AGE_WORTH * i32::from(self.generation.saturating_sub(generation))
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub(crate) fn fullness(self) -> u32 {
        self.buckets
            .permille(|[first, _]| generation_of(first) == self.generation)
    }
}
