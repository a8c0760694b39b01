//! A bounded table of proof and disproof numbers.
//!
//! An entry belongs to a position and a horizon. Numbers are worth something at their own horizon
//! only; what is proven or disproven for good is worth something at others too: a win within so many
//! plies is one at any horizon as far or farther, and what is not won within a horizon is not won
//! within a nearer one. So all entries of a position stand in one bucket and are looked at together.

use super::horizon::Horizon;
use super::numbers::Numbers;
use crate::search::memory::bytes;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// Where the attacker is proven to win: the plies it takes at most.
    pub(super) plies: u16,
}

/// The children of a position, by their places among its moves, that are worth a look each time: the
/// others were as any leaf is when they were last looked at. Places beyond the last always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen(u64);

impl Seen {
    /// No child yet.
    pub(super) const NONE: Seen = Seen(0);

    /// With the child at that place.
    pub(super) fn with(self, index: usize) -> Seen {
        if index < 64 {
            Seen(self.0 | 1 << index)
        } else {
            self
        }
    }

    /// Whether the child at that place is worth a look.
    pub(super) fn has(self, index: usize) -> bool {
        index >= 64 || self.0 >> index & 1 == 1
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    seen: Seen,
    numbers: Numbers,
    /// Positions visited below, the worth of the entry; 0 marks an empty slot.
    effort: u32,
    horizon: Horizon,
    plies: u16,
}

const EMPTY: Slot = Slot {
    key: 0,
    seen: Seen::NONE,
    numbers: Numbers::PROVEN,
    effort: 0,
    horizon: Horizon::UNLIMITED,
    plies: 0,
};

const SLOTS: usize = 4;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    used: usize,
}

impl Table {
    /// A table of at most so many MiB, and at least one bucket.
    pub(super) fn new(megabytes: usize) -> Table {
        let bucket = size_of::<Slot>() * SLOTS;
        let buckets = (bytes(megabytes) / bucket).max(1);
        Table {
            slots: vec![EMPTY; buckets * SLOTS],
            used: 0,
        }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / SLOTS) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * SLOTS
    }

    /// What is known about the position with `key` when the win must come within `horizon`.
    pub(super) fn probe(&self, key: u64, horizon: Horizon) -> Option<Known> {
        let from = self.bucket(key);
        let mut known = None;
        for slot in &self.slots[from..from + SLOTS] {
            if slot.key != key || slot.effort == 0 {
                continue;
            }
            let plies = slot.plies;
            if slot.numbers.is_proven() {
                if horizon.reaches(plies) {
                    let numbers = Numbers::PROVEN;
                    return Some(Known { numbers, plies });
                }
            } else if slot.horizon == horizon
                || slot.numbers.is_disproven() && slot.horizon >= horizon
            {
                known = Some(Known {
                    numbers: slot.numbers,
                    plies,
                });
            }
        }
        known
    }

    /// The children worth a look, if the position has been worked on at that horizon.
    pub(super) fn seen(&self, key: u64, horizon: Horizon) -> Option<Seen> {
        let from = self.bucket(key);
        let mut slots = self.slots[from..from + SLOTS].iter();
        let same = |slot: &&Slot| slot.key == key && slot.horizon == horizon && slot.effort > 1;
        slots.find(same).map(|slot| slot.seen)
    }

    /// Within how many plies the attacker is known to win the position with `key`: the fewest.
    pub(super) fn win(&self, key: u64) -> Option<u16> {
        let from = self.bucket(key);
        let slots = self.slots[from..from + SLOTS].iter();
        let proven =
            slots.filter(|slot| slot.key == key && slot.effort > 0 && slot.numbers.is_proven());
        proven.map(|slot| slot.plies).min()
    }

    /// Remembers what is known after `effort` positions, in place of what took least.
    pub(super) fn store(&mut self, key: u64, horizon: Horizon, known: Known, effort: u64) {
        self.store_with(key, horizon, known, effort, Seen::NONE);
    }

    /// The same with the children worth a look; the effort is more than 1.
    pub(super) fn store_with(
        &mut self,
        key: u64,
        horizon: Horizon,
        known: Known,
        effort: u64,
        seen: Seen,
    ) {
        let effort = u32::try_from(effort).unwrap_or(u32::MAX).max(1);
        let new = Slot {
            key,
            seen,
            numbers: known.numbers,
            effort,
            horizon,
            plies: known.plies,
        };
        let from = self.bucket(key);
        let bucket = &mut self.slots[from..from + SLOTS];
        let same = |slot: &Slot| {
            let supersedes =
                slot.horizon == horizon || known.numbers.is_proven() && slot.numbers.is_proven();
            slot.key == key && slot.effort > 0 && supersedes
        };
        if let Some(slot) = bucket.iter_mut().find(|slot| same(slot)) {
            if slot.numbers.is_proven() && (!known.numbers.is_proven() || slot.plies <= known.plies)
            {
                return;
            }
            let effort = slot.effort.saturating_add(effort);
            *slot = Slot { effort, ..new };
            return;
        }
        if let Some(slot) = bucket.iter_mut().min_by_key(|slot| slot.effort) {
            self.used += usize::from(slot.effort == 0);
            *slot = new;
        }
    }

    /// Clears everything.
    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.used = 0;
    }

    /// Share of the slots in use, in permille.
    pub(super) fn fullness(&self) -> u32 {
        (self.used as u64 * 1000 / self.slots.len() as u64) as u32
    }

    /// Memory it occupies, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::proof_number::numbers::Number;

    fn known(numbers: Numbers, plies: u16) -> Known {
        Known { numbers, plies }
    }

    #[test]
    fn facts_hold_at_other_horizons_and_numbers_do_not() {
        let mut table = Table::new(1);
        let open = known(Numbers::new(Number::new(7), Number::new(9)), 0);
        table.store(1, Horizon::plies(5), open, 10);
        assert_eq!(table.probe(1, Horizon::plies(5)), Some(open));
        assert_eq!(table.probe(1, Horizon::plies(7)), None);
        assert_eq!(table.probe(2, Horizon::plies(5)), None);

        table.store(1, Horizon::plies(5), known(Numbers::DISPROVEN, 0), 10);
        let disproven = |table: &Table, plies| {
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
        table.clear();
        assert_eq!(table.win(1), None);
        assert_eq!(table.used, 0);
    }

    #[test]
    fn memory_is_bounded_and_dear_entries_stay() {
        for megabytes in [0, 1, 3] {
            let table = Table::new(megabytes);
            assert!(table.bytes() <= (megabytes << 20).max(SLOTS * size_of::<Slot>()));
        }
        // One bucket: all keys meet.
        let mut table = Table::new(0);
        let open = known(Numbers::new(Number::ONE, Number::ONE), 0);
        for (key, effort) in [(1, 50), (2, 3), (3, 70), (4, 90), (5, 10)] {
            table.store(key, Horizon::UNLIMITED, open, effort);
        }
        assert_eq!(table.probe(2, Horizon::UNLIMITED), None);
        assert!(
            [1, 3, 4, 5]
                .iter()
                .all(|&key| table.probe(key, Horizon::UNLIMITED).is_some())
        );
        assert_eq!(table.fullness(), 1000);
    }
}
