//! A bounded table of proof and disproof numbers.
//!
//! An entry belongs to a position and a horizon. Finite numbers hold at their own horizon only. Proofs
//! and disproofs hold at others too: a win in n plies at any horizon of n or more, a
//! disproof at any nearer horizon. So all entries of a position stand in one bucket and are read
//! together.
//!
//! Several threads may read and write it at the same time. If two write to one slot, one entry
//! is lost. A mixture of both is taken for an entry only with a chance like that of two positions with the
//! same key.

use super::numbers::{Number, Numbers, Proof};
use super::question::Horizon;
use prefetch_index::prefetch_index;

use crate::search::kit::memory::{bytes, part_of};
use crate::search::kit::sync::{AtomicU64, Ordering};

/// Children to look up at each visit, by their move numbers: the others were unexpanded leaves at the last
/// visit. Numbers of 64 and more are always looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PendingChildren(u64);

impl PendingChildren {
    /// No child yet.
    pub(super) const NONE: PendingChildren = PendingChildren(0);

    /// Adds the child with that number.
    pub(super) fn with(self, index: usize) -> PendingChildren {
        if index < 64 {
            PendingChildren(self.0 | 1 << index)
        } else {
            self
        }
    }

    /// The children of either.
    pub(super) fn and(self, other: PendingChildren) -> PendingChildren {
        PendingChildren(self.0 | other.0)
    }

    /// Whether to look up the child with that number.
    pub(super) fn has(self, index: usize) -> bool {
        index >= 64 || self.0 >> index & 1 == 1
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    key: u64,
    seen: PendingChildren,
    numbers: Numbers,
    /// Positions visited below, the worth of the entry, at most [`MOST_EFFORT`]; 0 marks an empty slot.
    effort: u32,
    /// Number of the search that wrote it, modulo 256.
    generation: u8,
    horizon: Horizon,
    plies: u16,
}

/// Efforts are capped here to fit into a slot.
const MOST_EFFORT: u32 = (1 << 24) - 1;

/// A slot in memory, all zero at first. Each word is read and written by itself. The first is the key plus a
/// checksum of the others, so that after a torn write the key hardly ever matches.
type Place = [AtomicU64; 4];

/// Checksum of the other words, added to the key. The factors are random, so that a difference in one word is
/// not cancelled by one in another, as it could be with XOR.
fn seal(seen: u64, numbers: u64, rest: u64) -> u64 {
    let seen = seen.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let numbers = numbers.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let rest = rest.wrapping_mul(0xa076_1d64_78bd_642f);
    seen.wrapping_add(numbers).wrapping_add(rest)
}

impl Slot {
    fn read(place: &Place) -> Slot {
        let [key, seen, numbers, rest] = place.each_ref().map(|it| it.load(Ordering::Relaxed));
        Slot {
            key: key.wrapping_sub(seal(seen, numbers, rest)),
            seen: PendingChildren(seen),
            numbers: Numbers::new(Number(numbers as u32), Number((numbers >> 32) as u32)),
            effort: rest as u32 & MOST_EFFORT,
            generation: (rest >> 24) as u8,
            horizon: Horizon((rest >> 32) as u16),
            plies: (rest >> 48) as u16,
        }
    }

    fn write(self, place: &Place) {
        let Numbers { proof, disproof } = self.numbers;
        let seen = self.seen.0;
        let numbers = u64::from(proof.0) | u64::from(disproof.0) << 32;
        let rest = u64::from(self.effort)
            | u64::from(self.generation) << 24
            | u64::from(self.horizon.0) << 32
            | u64::from(self.plies) << 48;
        let key = self.key.wrapping_add(seal(seen, numbers, rest));
        for (place, word) in place.iter().zip([key, seen, numbers, rest]) {
            place.store(word, Ordering::Relaxed);
        }
    }
}

const SLOTS: usize = 4;

/// The places for entries of one position: two cache lines, which are fetched together.
#[derive(Debug)]
#[repr(align(128))]
struct Bucket([Place; SLOTS]);

/// The table.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<Bucket>,
    generation: u8,
}

impl ProofTable {
    /// A table of at most `megabytes` MiB, but at least one bucket.
    pub(super) fn new(megabytes: usize) -> ProofTable {
        let buckets = (bytes(megabytes) / size_of::<Bucket>()).max(1);
        let empty = || Bucket([(); SLOTS].map(|()| [(); 4].map(|()| AtomicU64::new(0))));
        ProofTable {
            buckets: (0..buckets).map(|_| empty()).collect(),
            generation: 0,
        }
    }

    /// Begins another search: the worth of older entries is halved. Roots with different pasts have different
    /// keys.
    pub(super) fn new_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Replacement value: the effort, halved for each search since.
    fn worth(&self, slot: &Slot) -> u32 {
        let age = self.generation.wrapping_sub(slot.generation);
        slot.effort.unbounded_shr(age.into())
    }

    /// The places for entries of the position with `key`.
    fn bucket(&self, key: u64) -> &[Place] {
        &self.buckets[part_of(self.buckets.len(), key)].0
    }

    /// Fetches the entries of the position with `key`, which will be read soon.
    pub(super) fn prefetch(&self, key: u64) {
        // As in `kit::memory`.
        if cfg!(not(target_family = "wasm")) {
            prefetch_index(self.buckets.as_slice(), part_of(self.buckets.len(), key));
        }
    }

    /// The entries of the position with `key`.
    fn entries(&self, key: u64) -> impl Iterator<Item = Slot> {
        let slots = self.bucket(key).iter().map(Slot::read);
        slots.filter(move |slot| slot.key == key && slot.effort > 0)
    }

    /// The numbers of the position with `key` for the question of a win within `horizon`.
    pub(super) fn probe(&self, key: u64, horizon: Horizon) -> Option<Proof> {
        let mut known = None;
        for slot in self.entries(key) {
            let Slot { numbers, plies, .. } = slot;
            let proof = Proof { numbers, plies };
            if numbers.is_proven() {
                if horizon.reaches(plies) {
                    return Some(proof);
                }
            } else if numbers.is_disproven() && slot.horizon >= horizon {
                return Some(proof);
            } else if slot.horizon == horizon {
                known = Some(proof);
            }
        }
        known
    }

    /// The children to look up, if the position has been searched at that horizon.
    pub(super) fn seen(&self, key: u64, horizon: Horizon) -> Option<PendingChildren> {
        let mut entries = self.entries(key);
        let same = |slot: &Slot| slot.horizon == horizon && slot.effort > 1;
        entries.find(same).map(|slot| slot.seen)
    }

    /// Fewest plies of a proven win in the position with `key`.
    pub(super) fn win(&self, key: u64) -> Option<u16> {
        let proven = self.entries(key).filter(|slot| slot.numbers.is_proven());
        proven.map(|slot| slot.plies).min()
    }

    /// Stores the result of visiting `effort` positions, in place of the position's own entry or that of least worth.
    pub(super) fn store(&self, key: u64, horizon: Horizon, known: Proof, effort: u64) {
        self.store_with(key, horizon, known, effort, PendingChildren::NONE);
    }

    /// Stores a result like `store`, with the children to look up; `effort` is more than 1.
    pub(super) fn store_with(
        &self,
        key: u64,
        horizon: Horizon,
        known: Proof,
        effort: u64,
        seen: PendingChildren,
    ) {
        let effort = u32::try_from(effort).unwrap_or(u32::MAX);
        let effort = effort.clamp(1, MOST_EFFORT);
        let new = Slot {
            key,
            seen,
            numbers: known.numbers,
            effort,
            generation: self.generation,
            horizon,
            plies: known.plies,
        };
        let bucket = self.bucket(key);
        let slots = bucket.iter().map(|place| (place, Slot::read(place)));
        let same = |slot: &Slot| {
            let supersedes =
                slot.horizon == horizon || known.numbers.is_proven() && slot.numbers.is_proven();
            slot.key == key && slot.effort > 0 && supersedes
        };
        if let Some((place, slot)) = slots.clone().find(|(_, slot)| same(slot)) {
            if slot.numbers.is_proven() && (!known.numbers.is_proven() || slot.plies <= known.plies)
            {
                return;
            }
            // Another thread may have disproven it meanwhile: numbers do not replace a fact.
            if slot.numbers.is_disproven() && !known.numbers.is_decided() {
                return;
            }
            let effort = (slot.effort + effort).min(MOST_EFFORT);
            Slot { effort, ..new }.write(place);
            return;
        }
        if let Some((place, _)) = slots.min_by_key(|(_, slot)| self.worth(slot)) {
            new.write(place);
        }
    }

    /// Clears everything.
    pub(super) fn clear(&mut self) {
        for word in self.buckets.iter().flat_map(|it| it.0.iter().flatten()) {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Share of the slots written by the current search, in permille, from a sample.
    pub(super) fn fullness(&self) -> u32 {
        const SAMPLE: usize = 250;
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let slots = sample.iter().flat_map(|it| it.0.iter().map(Slot::read));
        let used = slots.filter(|slot| slot.effort > 0 && slot.generation == self.generation);
        (used.count() * 1000 / (sample.len() * SLOTS)) as u32
    }

    /// Memory it occupies, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{self, ScopedJoinHandle};

    use super::*;

    fn known(numbers: Numbers, plies: u16) -> Proof {
        Proof { numbers, plies }
    }

    /// Neither proven nor disproven.
    const OPEN: Proof = Proof {
        numbers: Numbers::new(Number::new(7), Number::new(9)),
        plies: 0,
    };

    fn keeps(table: &ProofTable, key: u64) -> bool {
        table.probe(key, Horizon::UNLIMITED).is_some()
    }

    #[test]
    fn facts_hold_at_other_horizons_and_numbers_do_not() {
        let mut table = ProofTable::new(1);
        table.store(1, Horizon::plies(5), OPEN, 10);
        assert_eq!(table.probe(1, Horizon::plies(5)), Some(OPEN));
        assert_eq!(table.probe(1, Horizon::plies(7)), None);
        assert_eq!(table.probe(2, Horizon::plies(5)), None);

        table.store(1, Horizon::plies(5), known(Numbers::DISPROVEN, 0), 10);
        let disproven = |table: &ProofTable, plies| {
            let known = table.probe(1, Horizon::plies(plies));
            known.is_some_and(|known| known.numbers.is_disproven())
        };
        assert!(disproven(&table, 5) && disproven(&table, 3) && !disproven(&table, 7));

        table.store(1, Horizon::UNLIMITED, known(Numbers::PROVEN, 9), 10);
        table.store(1, Horizon::plies(13), known(Numbers::PROVEN, 11), 10);
        assert_eq!(table.win(1), Some(9), "the nearer win stays");
        for horizon in [Horizon::plies(9), Horizon::plies(11), Horizon::UNLIMITED] {
            let found = table.probe(1, horizon);
            assert_eq!(found, Some(known(Numbers::PROVEN, 9)), "{horizon:?}");
        }
        assert_eq!(table.probe(1, Horizon::plies(7)), None);
        assert!(disproven(&table, 5));
        table.store(1, Horizon::plies(5), OPEN, 10);
        assert!(disproven(&table, 5), "numbers do not replace a fact");
        table.clear();
        assert_eq!(table.win(1), None);
        assert_eq!(table.fullness(), 0);
    }

    #[test]
    fn memory_is_bounded_and_dear_entries_stay() {
        for megabytes in [0, 1, 3] {
            let table = ProofTable::new(megabytes);
            assert!(table.bytes() <= (megabytes << 20).max(SLOTS * size_of::<Place>()));
        }
        // One bucket: all keys meet.
        let table = ProofTable::new(0);
        for (key, effort) in [(1, 50), (2, 3), (3, 70), (4, 90), (5, 10)] {
            table.store(key, Horizon::UNLIMITED, OPEN, effort);
        }
        assert!(!keeps(&table, 2));
        assert!([1, 3, 4, 5].iter().all(|&key| keeps(&table, key)));
        assert_eq!(table.fullness(), 1000);
    }

    #[test]
    fn entries_of_old_searches_give_way() {
        let mut table = ProofTable::new(0);
        for (key, effort) in [(1, u64::MAX), (2, 500), (3, 90), (4, 70)] {
            table.store(key, Horizon::UNLIMITED, OPEN, effort);
        }
        for _ in 0..4 {
            table.new_search();
        }
        assert_eq!(table.fullness(), 0);
        table.store(5, Horizon::UNLIMITED, OPEN, 6);
        assert!(!keeps(&table, 4) && keeps(&table, 3));
        table.store(6, Horizon::UNLIMITED, OPEN, 40);
        assert!(!keeps(&table, 3) && keeps(&table, 5), "worth five by now");
        assert_eq!(table.fullness(), 500);
        for _ in 0..10 {
            table.new_search();
        }
        table.store(7, Horizon::UNLIMITED, OPEN, 1);
        table.store(8, Horizon::UNLIMITED, OPEN, 1);
        assert!(
            keeps(&table, 1) && keeps(&table, 8),
            "the dearest stays longest"
        );
    }

    #[test]
    fn a_fact_of_a_farther_horizon_comes_before_numbers() {
        let disproven = known(Numbers::DISPROVEN, 0);
        let entries = [(Horizon::plies(5), OPEN), (Horizon::plies(9), disproven)];
        for order in [[0, 1], [1, 0]] {
            let table = ProofTable::new(0);
            for index in order {
                let (horizon, known) = entries[index];
                table.store(1, horizon, known, 10);
            }
            let found = table.probe(1, Horizon::plies(5));
            assert!(found.is_some_and(|it| it.numbers.is_disproven()));
        }
    }

    #[test]
    fn what_two_threads_write_is_not_mixed() {
        let table = &ProofTable::new(0);
        let rounds = if cfg!(miri) { 50 } else { 20_000 };
        let read_all = || {
            let entries: Vec<Slot> = table.entries(7).collect();
            for slot in &entries {
                let plies = slot.plies;
                let number = Number::new(plies.into());
                assert_eq!(slot.numbers, Numbers::new(number, number));
                assert_eq!(
                    slot.seen,
                    PendingChildren::NONE.with(usize::from(plies) % 64)
                );
                assert_eq!(slot.horizon, Horizon::UNLIMITED);
            }
            entries.len()
        };
        thread::scope(|scope| {
            let writers = [0, 1].map(|writer| {
                scope.spawn(move || {
                    for n in (1 + writer..rounds).step_by(2) {
                        let number = Number::new(n);
                        let known = known(Numbers::new(number, number), n as u16);
                        let seen = PendingChildren::NONE.with(n as usize % 64);
                        table.store_with(7, Horizon::UNLIMITED, known, 2, seen);
                    }
                })
            });
            while !writers.iter().all(ScopedJoinHandle::is_finished) {
                read_all();
            }
        });
        assert!(read_all() > 0);
    }

    #[cfg(loom)]
    mod in_any_order {
        use loom::sync::Arc;
        use loom::thread;

        use super::super::*;

        /// An entry all of whose fields but the key depend on `told`.
        fn slot(key: u64, told: u64) -> Slot {
            let number = Number(told as u32);
            Slot {
                key,
                seen: PendingChildren(told * 3),
                numbers: Numbers::new(number, number),
                effort: told as u32,
                generation: told as u8,
                horizon: Horizon(told as u16),
                plies: told as u16,
            }
        }

        /// An entry found by its key is complete, whatever other threads write meanwhile.
        #[test]
        fn entries_are_whole() {
            for keys in [[5, 9], [5, 5]] {
                let written = [slot(keys[0], 11), slot(keys[1], 17)];
                loom::model(move || {
                    let place: Arc<Place> = Arc::new([(); 4].map(|()| AtomicU64::new(0)));
                    let writers = written.map(|slot| {
                        let place = Arc::clone(&place);
                        thread::spawn(move || slot.write(&place))
                    });
                    let read = Slot::read(&place);
                    if keys.contains(&read.key) {
                        assert!(written.contains(&read), "{read:?}");
                    }
                    for writer in writers {
                        writer.join().unwrap();
                    }
                });
            }
        }
    }
}
