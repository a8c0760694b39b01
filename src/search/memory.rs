//! Memory for the tables of searches: cache lines, zero at first, in the largest pages the system gives.
//!
//! A table is far larger than what the processor remembers of where pages of 4 KiB are, and is read all
//! over, so most visits pay for finding the page before they pay for the cache line. With pages of
//! 2 MiB they do not.

use std::alloc::{Layout, handle_alloc_error};
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// A cache line as words.
pub type Line = [u64; WORDS];

/// Words of a cache line.
pub const WORDS: usize = 8;

/// Cache lines, zero unless written. What is never written takes no memory.
#[derive(Debug)]
pub struct Lines(MmapMut);

impl Lines {
    /// As many lines as fit into so many MiB, and at least one.
    ///
    /// Like every allocation this ends the program if the system has no memory to give.
    pub fn in_megabytes(megabytes: usize) -> Lines {
        let lines = (megabytes.saturating_mul(1 << 20) / size_of::<Line>()).max(1);
        let bytes = lines * size_of::<Line>();
        match MmapMut::map_anon(bytes) {
            Ok(map) => {
                // A wish only: where it is not granted everything works the same, slower.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Lines(map)
            }
            Err(_) => match Layout::array::<Line>(lines) {
                Ok(layout) => handle_alloc_error(layout),
                Err(_) => handle_alloc_error(Layout::new::<Line>()),
            },
        }
    }

    /// Memory they occupy, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The number of the line a key belongs to: the key as a fraction of its range, so that any number of
    /// lines does.
    #[inline]
    pub fn of_key(&self, key: u64) -> usize {
        ((u128::from(key) * self.len() as u128) >> 64) as usize
    }
}

impl Deref for Lines {
    type Target = [Line];

    #[inline]
    fn deref(&self) -> &[Line] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for Lines {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Line] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_zero_and_within_their_memory() {
        for megabytes in [0, 1, 3, 7] {
            let mut lines = Lines::in_megabytes(megabytes);
            assert_eq!(lines.bytes(), (megabytes << 20).max(size_of::<Line>()));
            assert!(lines.iter().all(|line| *line == [0; WORDS]));
            assert_eq!(lines[0].as_ptr() as usize % size_of::<Line>(), 0);
            let last = lines.of_key(u64::MAX);
            assert_eq!((lines.of_key(0), last), (0, lines.len() - 1));
            lines[last][7] = 1;
            assert_eq!(lines[last][7], 1);
        }
    }
}
