//! A cache of values: searches ask for the same position again and again.

/// Binary logarithm of the number of entries.
const BITS: u32 = 15;

/// Values by key. An entry holds the upper 48 bits of the key, and the value in the lower 16. The lowest [`BITS`] bits
/// of the key are the entry's index.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Box<[u64]>,
}

impl Cache {
    pub(super) fn new() -> Cache {
        Cache {
            entries: vec![0; 1 << BITS].into_boxed_slice(),
        }
    }

    /// The value stored for `key`.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<i16> {
        let entry = self.entries[Cache::slot(key)];
        ((entry ^ key) >> 16 == 0).then_some(entry as i16)
    }

    /// Stores a value.
    #[inline]
    pub(super) fn set(&mut self, key: u64, value: i16) {
        self.entries[Cache::slot(key)] = key >> 16 << 16 | u64::from(value as u16);
    }

    #[inline]
    fn slot(key: u64) -> usize {
        key as usize & ((1 << BITS) - 1)
    }
}
