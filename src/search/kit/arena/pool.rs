//! Memory for a tree: pools of records in chunks, all drawing on one budget.

/// A limit on bytes, and the bytes taken.
#[derive(Debug)]
pub(super) struct MemoryBudget {
    pub(super) limit: usize,
    used: usize,
}

impl MemoryBudget {
    pub(super) fn new(limit: usize) -> MemoryBudget {
        MemoryBudget { limit, used: 0 }
    }

    /// Bytes that can still be taken.
    pub(super) fn left(&self) -> usize {
        self.limit - self.used
    }

    fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left();
        if fits {
            self.used += bytes;
        }
        fits
    }
}

/// A run of records in a [`Pool`], and its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Block {
    pub(super) first: u32,
    pub(super) len: u32,
    pub(super) owner: u32,
}

/// Records numbered from 0, in chunks of `2^BITS` that are allocated when they are first needed and
/// never move. Records come in blocks; a block never crosses the border of a chunk.
#[derive(Debug)]
pub(super) struct Pool<T, const BITS: u32> {
    chunks: Vec<Vec<T>>,
    /// The chunk to which blocks are appended.
    current: usize,
    /// Bytes that a chunk takes from the budget.
    pub(super) chunk_bytes: usize,
}

impl<T: Copy, const BITS: u32> Pool<T, BITS> {
    pub(super) const CHUNK_LEN: usize = 1 << BITS;
    /// Bytes of a chunk: its records, `scratch` bytes for each to reclaim memory with, and the allocator's overhead.
    pub(super) const fn chunk_bytes(scratch: usize) -> usize {
        Self::CHUNK_LEN * (size_of::<T>() + scratch) + 64
    }

    pub(super) const fn new(chunk_bytes: usize) -> Pool<T, BITS> {
        Pool {
            chunks: Vec::new(),
            current: 0,
            chunk_bytes,
        }
    }

    #[inline]
    const fn place(id: u32) -> (usize, usize) {
        ((id >> BITS) as usize, id as usize & (Self::CHUNK_LEN - 1))
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> &T {
        let (chunk, offset) = Self::place(id);
        &self.chunks[chunk][offset]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: u32) -> &mut T {
        let (chunk, offset) = Self::place(id);
        &mut self.chunks[chunk][offset]
    }

    #[inline]
    pub(super) fn block(&self, first: u32, len: usize) -> &[T] {
        let (chunk, offset) = Self::place(first);
        &self.chunks[chunk][offset..offset + len]
    }

    /// Whether a block of `len` fits into the current chunk or an empty one.
    pub(super) fn has_room(&self, len: usize) -> bool {
        let room = |chunk: &Vec<T>| chunk.len() + len <= Self::CHUNK_LEN;
        self.chunks.iter().skip(self.current).take(2).any(room)
    }

    /// Appends a block, allocating a chunk if the budget allows; `None` if not.
    pub(super) fn push(&mut self, items: &[T], budget: &mut MemoryBudget) -> Option<u32> {
        let fits = |chunk: &Vec<T>| chunk.len() + items.len() <= Self::CHUNK_LEN;
        if !self.chunks.get(self.current).is_some_and(fits) {
            let next = if self.chunks.is_empty() {
                0
            } else {
                self.current + 1
            };
            if next == self.chunks.len() {
                if !budget.take(self.chunk_bytes) {
                    return None;
                }
                self.chunks.push(Vec::with_capacity(Self::CHUNK_LEN));
            }
            self.current = next;
        }
        let chunk = &mut self.chunks[self.current];
        let id = (self.current << BITS) + chunk.len();
        chunk.extend(items.iter().copied());
        Some(id as u32)
    }

    /// Drops the records from index `len` on but keeps the chunks.
    pub(super) fn truncate(&mut self, len: usize) {
        for (number, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.truncate(len.saturating_sub(number * Self::CHUNK_LEN));
        }
        self.current = len.saturating_sub(1) / Self::CHUNK_LEN;
    }

    /// One more than the last record's index.
    pub(super) fn end(&self) -> usize {
        let chunk = self.chunks.get(self.current);
        (self.current << BITS) + chunk.map_or(0, Vec::len)
    }

    /// All records, with their indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.chunks).flat_map(|(number, chunk)| {
            let first: u32 = number << BITS;
            (first..).zip(chunk)
        })
    }

    /// All records, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.chunks.iter_mut().flatten()
    }

    /// Slides blocks, given in ascending order, together towards the beginning, as long as it `may_go_on`, and updates
    /// where each starts; returns how many have been moved. Records outside the blocks are lost.
    ///
    /// Blocks keep their order and never cross a chunk's border, so none is written over before it
    /// has been moved.
    pub(super) fn compact(
        &mut self,
        blocks: &mut [Block],
        mut may_go_on: impl FnMut() -> bool,
    ) -> usize {
        let (mut chunk, mut offset) = (0, 0);
        for (number, block) in blocks.iter_mut().enumerate() {
            if !may_go_on() {
                return number;
            }
            let len = block.len as usize;
            if offset + len > Self::CHUNK_LEN {
                self.chunks[chunk].truncate(offset);
                (chunk, offset) = (chunk + 1, 0);
            }
            let (from, at) = Self::place(block.first);
            if from == chunk {
                self.chunks[chunk].copy_within(at..at + len, offset);
            } else {
                let (before, after) = self.chunks.split_at_mut(from);
                before[chunk].truncate(offset);
                before[chunk].extend_from_slice(&after[0][at..at + len]);
            }
            block.first = ((chunk << BITS) + offset) as u32;
            offset += len;
        }
        self.truncate((chunk << BITS) + offset);
        blocks.len()
    }

    /// Frees empty chunks, all but one.
    pub(super) fn release(&mut self, budget: &mut MemoryBudget) {
        while self.chunks.len() > self.current + 2 {
            self.chunks.pop();
            budget.used -= self.chunk_bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Small = Pool<u32, 4>;
    const BYTES: usize = 16 * 4;

    #[test]
    fn blocks_stay_within_chunks_and_the_budget() {
        let mut budget = MemoryBudget::new(3 * BYTES + 10);
        let mut pool = Small::new(BYTES);
        let mut firsts = Vec::new();
        for round in 0.. {
            let Some(first) = pool.push(&[round; 7], &mut budget) else {
                break;
            };
            firsts.push(first);
        }
        assert_eq!(firsts, [0, 7, 16, 23, 32, 39]);
        assert_eq!(pool.block(23, 7), [3; 7]);
        assert!(!pool.has_room(3) && pool.has_room(2));
    }

    #[test]
    fn compacting_keeps_blocks_and_frees_the_rest() {
        let mut budget = MemoryBudget::new(100 * BYTES);
        let mut pool = Small::new(BYTES);
        let lengths = [5, 9, 3, 12, 1, 1, 8, 16, 2];
        let blocks: Vec<Block> = (0..)
            .zip(lengths)
            .map(|(owner, len)| {
                let block = vec![owner; len as usize];
                let first = pool.push(&block, &mut budget).unwrap();
                Block { first, len, owner }
            })
            .collect();
        let mut kept = [1, 3, 5, 6, 8].map(|number| blocks[number]);
        assert_eq!(pool.compact(&mut kept, || true), 5);
        assert_eq!(kept.map(|block| block.first), [0, 16, 28, 32, 40]);
        for block in kept {
            let expected = vec![block.owner; block.len as usize];
            assert_eq!(pool.block(block.first, expected.len()), expected);
        }
        let before = budget.used;
        pool.release(&mut budget);
        assert_eq!(before - budget.used, BYTES);
        assert_eq!(pool.push(&[9; 6], &mut budget), Some(42));
    }
}
