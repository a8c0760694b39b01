//! The table of certificates: for each position a lower and an upper bound on its value, each with its cost, in bounded
//! memory.
//!
//! An answer to "is the value at least θ?" answers every smaller θ too if it is yes and every larger one if it is no.
//! So one entry stores the latest yes and the latest no, and questions about neighbouring θ share them.
//!
//! A cost is stored as found. It may be more than the demand at that time, or less (`unknown_rebate`, the depth limit,
//! leaves under unit costs). So readers of an answer must compare its cost with the present demand.

use crate::search::kit::memory::{self, SLOTS, Slot, Table, Words};
use crate::search::{Bound, Cost};
use crate::value::Value;

/// A bound on a value and the cost of overthrowing it, by the search's cost model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Certificate {
    /// The bound, for the side to move.
    pub value: Value,
    /// The cost of overthrowing it: leaves under unit costs, else a price.
    pub cost: Cost,
}

impl Certificate {
    /// A bound and its cost.
    #[inline]
    pub(crate) const fn new(value: Value, cost: Cost) -> Certificate {
        Certificate { value, cost }
    }

    /// The upper bound over no moves, before any has been searched.
    pub(crate) const OF_NO_MOVE: Certificate =
        Certificate::new(Value::from_raw(-Value::INFINITY.get()), Cost::INFINITE);

    /// Whether it answers "at least `theta`?" with yes.
    #[inline]
    pub(crate) fn holds(self, theta: Value) -> bool {
        self.value >= theta
    }

    /// The upper bound over two moves: the larger value, and the lower cost.
    pub(crate) fn either(self, other: Certificate) -> Certificate {
        Certificate::new(self.value.max(other.value), self.cost.min(other.cost))
    }
}

/// Whether a bound on a value is a proof that answers "at least `theta`?": a win that holds, a loss that fails.
#[inline]
pub(crate) fn is_proof(value: Value, theta: Value) -> bool {
    let bound = if value >= theta {
        Bound::Lower
    } else {
        Bound::Upper
    };
    bound.proves(value)
}

/// The stored bounds of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CertificateEntry {
    /// Lower bound on the value.
    pub lower: Certificate,
    /// Upper bound on the value.
    pub upper: Certificate,
    /// Code of the move to try first; 0 is none.
    pub code: u16,
}

impl CertificateEntry {
    const NOTHING: CertificateEntry = CertificateEntry {
        lower: Certificate::new(Value::from_raw(-Value::INFINITY.get()), Cost::ZERO),
        upper: Certificate::new(Value::INFINITY, Cost::ZERO),
        code: 0,
    };

    /// The certificate that answers "at least `theta`?", if there is one, at any cost.
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

    /// The entry without its proofs.
    #[cold]
    fn without_proofs(self) -> CertificateEntry {
        let keep = |known: Certificate, nothing: Certificate| {
            if known.cost.is_infinite() {
                nothing
            } else {
                known
            }
        };
        CertificateEntry {
            lower: keep(self.lower, CertificateEntry::NOTHING.lower),
            upper: keep(self.upper, CertificateEntry::NOTHING.upper),
            code: self.code,
        }
    }

    /// Stores the newest answer to "at least `theta`?". It replaces the bound on its side, and clears the other if they
    /// contradict.
    fn take(&mut self, theta: Value, answer: Certificate) {
        if answer.holds(theta) {
            self.lower = answer;
            if self.upper.value < theta {
                self.upper = CertificateEntry::NOTHING.upper;
            }
        } else {
            self.upper = answer;
            if self.lower.value >= theta {
                self.lower = CertificateEntry::NOTHING.lower;
            }
        }
    }
}

/// The cost of a value from tablebases: infinite for a draw or a mate, `finite` for other wins and losses, which the
/// fifty-move rule may still prevent.
pub(crate) fn of_known_value(value: Value, finite: Cost) -> Cost {
    if value == Value::DRAW || value.is_decided() {
        Cost::INFINITE
    } else {
        finite
    }
}

/// Key bits stored for verification, the lowest, as the highest choose the bucket; more bits, fewer collisions.
const CHECK_BITS: u32 = 36;

/// Largest number of a search, in the bits that are left.
const LAST_GENERATION: u16 = (1 << (64 - CHECK_BITS - u16::BITS)) - 1;

impl CertificateEntry {
    /// The words of a slot, 16 bytes, for the position with `key`, written by the search with this number.
    #[inline]
    fn pack(self, key: u64, generation: u16) -> Words {
        let CertificateEntry { lower, upper, code } = self;
        let bits = |value: Value| u64::from(value.get() as u16);
        let cost = |cost: Cost| u64::from(cost.get());
        [
            check(key) << (64 - CHECK_BITS) | u64::from(generation) << 16 | u64::from(code),
            bits(lower.value)
                | bits(upper.value) << 16
                | cost(lower.cost) << 32
                | cost(upper.cost) << 48,
        ]
    }

    /// The inverse of [`CertificateEntry::pack`].
    #[inline]
    fn unpack([first, second]: Words) -> CertificateEntry {
        let certificate = |value: u64, cost: u64| {
            Certificate::new(Value::from_raw(value as i16), Cost::from_raw(cost as u16))
        };
        CertificateEntry {
            lower: certificate(second, second >> 32),
            upper: certificate(second >> 16, second >> 48),
            code: first as u16,
        }
    }
}

/// The key bits for verification.
fn check(key: u64) -> u64 {
    key & ((1 << CHECK_BITS) - 1)
}

/// The number of the search that wrote a slot's words; 0 is none.
fn generation_of([first, _]: Words) -> u16 {
    (first >> 16) as u16 & LAST_GENERATION
}

/// Answers cheaper than the stored one by more than this are not stored, except by [`Open::store`].
const CHEAPER: Cost = Cost::whole(3);

/// Costs above this count alike in replacement, so that old proofs are evicted too.
const DEAREST_WORTH: Cost = Cost::whole(255);

/// Sixteenths of cost subtracted from an entry's value in replacement, for each search of its age.
const AGE_WORTH: i32 = 4 * Cost::ONE.get() as i32;

/// The table.
pub(crate) type Certificates = Table<Ages>;

/// The table for the threads of one search.
pub(crate) type Open<'a> = memory::Open<'a, Ages>;

/// Numbers of searches: of the present one, and of those whose entries are valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ages {
    generation: u16,
    /// Slots older than this count as empty, so that clearing costs nothing.
    oldest: u16,
    /// Proofs in slots older than this are invalid.
    proofs_since: u16,
}

impl Ages {
    /// The numbers of an empty table, with `generation` for the present search.
    const fn begun(generation: u16) -> Ages {
        Ages {
            generation,
            oldest: 1,
            proofs_since: 1,
        }
    }
}

impl Certificates {
    /// A table of at most `megabytes` MiB, and at least one bucket.
    pub(crate) fn new(megabytes: usize) -> Certificates {
        Table::in_megabytes(megabytes, Ages::begun(1))
    }

    /// Starts another search: entries of earlier ones age.
    pub(crate) fn new_search(&mut self) {
        if self.ages.generation == LAST_GENERATION {
            self.begin_again();
        }
        self.ages.generation += 1;
    }

    /// Clears the table.
    pub(crate) fn clear(&mut self) {
        // Early: the next `new_search`, which may be on the clock, should not have to.
        if self.ages.generation > LAST_GENERATION / 2 {
            self.begin_again();
        }
        self.new_search();
        self.ages.oldest = self.ages.generation;
    }

    /// Clears proofs and keeps the rest.
    pub(crate) fn forget_proofs(&mut self) {
        self.new_search();
        self.ages.proofs_since = self.ages.generation;
    }

    /// Clears the memory, so that the numbers of searches can restart.
    fn begin_again(&mut self) {
        self.zero();
        self.ages = Ages::begun(0);
    }
}

impl Open<'_> {
    /// The entry of the position with `key`.
    #[inline]
    pub(crate) fn probe(self, key: u64) -> Option<CertificateEntry> {
        let slots = self.slots(key);
        let mut words = slots.iter().map(Slot::read);
        let words = words.find(|&words| self.is_of(words, key))?;
        Some(self.entry(words))
    }

    /// The valid part of the entry in a slot's words.
    #[inline]
    fn entry(self, words: Words) -> CertificateEntry {
        let entry = CertificateEntry::unpack(words);
        if generation_of(words) < self.ages.proofs_since {
            entry.without_proofs()
        } else {
            entry
        }
    }

    /// Whether a slot's words belong to the position with `key`.
    #[inline]
    fn is_of(self, words: Words, key: u64) -> bool {
        words[0] >> (64 - CHECK_BITS) == check(key) && generation_of(words) >= self.ages.oldest
    }

    /// Stores the answer to "at least `theta`?" for the position with `key`, replacing the least valuable entry. A
    /// `code` of 0 keeps the stored move.
    #[inline]
    pub(crate) fn store(self, key: u64, theta: Value, answer: Certificate, code: u16) {
        self.put(key, theta, answer, code, Cost::INFINITE);
    }

    /// Like `store`, but keeps a much dearer bound found by this search: cheap answers come from questions at another
    /// θ, which is asked less often.
    #[inline]
    pub(crate) fn store_unless_cheap(self, key: u64, theta: Value, answer: Certificate, code: u16) {
        self.put(key, theta, answer, code, CHEAPER);
    }

    /// Stores the answer unless this search has stored a bound on its side that costs over `cheaper` more.
    #[inline]
    fn put(self, key: u64, theta: Value, answer: Certificate, code: u16, cheaper: Cost) {
        let slots = self.slots(key);
        let known = slots.each_ref().map(Slot::read);
        let own = known.iter().position(|&words| self.is_of(words, key));
        let (way, mut entry) = match own {
            Some(way) => (way, self.entry(known[way])),
            None => {
                let least = (0..SLOTS).min_by_key(|&way| self.worth(known[way]));
                (least.unwrap_or_default(), CertificateEntry::NOTHING)
            }
        };
        let replaced = if answer.holds(theta) {
            entry.lower
        } else {
            entry.upper
        };
        let is_of_this_search = generation_of(known[way]) == self.ages.generation;
        if is_of_this_search && replaced.cost > answer.cost.and(cheaper) {
            return;
        }
        entry.take(theta, answer);
        if code != 0 {
            entry.code = code;
        }
        slots[way].write(entry.pack(key, self.ages.generation));
    }

    /// Value of a slot's words in replacement.
    #[inline]
    fn worth(self, words: Words) -> i32 {
        let generation = generation_of(words);
        if generation < self.ages.oldest {
            return i32::MIN;
        }
        let CertificateEntry { lower, upper, .. } = CertificateEntry::unpack(words);
        let cost = lower.cost.max(upper.cost).min(DEAREST_WORTH);
        // Racing writers may leave the number of a later search.
        i32::from(cost.get())
            - AGE_WORTH * i32::from(self.ages.generation.saturating_sub(generation))
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub(crate) fn fullness(self) -> u32 {
        self.permille(|words| generation_of(words) == self.ages.generation)
    }
}
