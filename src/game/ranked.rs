//! A list of moves given out best first, for whoever is often done after one or two.

use arrayvec::ArrayVec;

use super::{MAX_MOVES, Moves};

/// The rank of a move that is not to come: below all others.
const GIVEN: i32 = i32::MIN;

/// Bits of a rank that tell the move's place in the list.
const PLACE_BITS: u32 = 9;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);

/// The bits of a place.
const PLACES: i32 = (1 << PLACE_BITS) - 1;

/// Ratings farther from 0 count as this.
const MOST_RATING: i32 = i32::MAX >> PLACE_BITS;

/// A rating and a place in one number. Of equal ratings the first place has the greatest rank; the greatest rank of a list
/// tells its place.
#[inline]
fn rank(rating: i32, place: usize) -> i32 {
    rating.clamp(-MOST_RATING, MOST_RATING) << PLACE_BITS | !place as i32 & PLACES
}

/// The place in a [`rank`].
#[inline]
fn place(rank: i32) -> usize {
    (!rank & PLACES) as usize
}

/// Moves with their ratings: the greatest comes first, of equals the first in the list.
///
/// Most lists are given up after a few moves, so to find the best each time beats sorting.
#[derive(Clone, Debug)]
pub(crate) struct Ranked<M> {
    /// In the order they were generated.
    moves: Moves<M>,
    /// For each move its [`rank`], or [`GIVEN`].
    ranks: ArrayVec<i32, MAX_MOVES>,
    /// The greatest rank where it has been looked up already.
    best: Option<i32>,
}

impl<M: Copy + Eq> Ranked<M> {
    /// No moves.
    #[inline(always)]
    pub(crate) fn new() -> Ranked<M> {
        Ranked {
            moves: Moves::new(),
            ranks: ArrayVec::new(),
            best: None,
        }
    }

    /// Empties the list. The caller fills it and calls [`Ranked::rank`].
    pub(crate) fn refill(&mut self) -> &mut Moves<M> {
        self.ranks.clear();
        self.best = None;
        self.moves.clear();
        &mut self.moves
    }

    /// Rates the moves, but for `except`, which is not to come.
    pub(crate) fn rank(&mut self, except: Option<M>, rating: impl Fn(M) -> i32) {
        let ranks = self.moves.iter().enumerate().map(|(place, &m)| {
            if Some(m) == except {
                GIVEN
            } else {
                rank(rating(m), place)
            }
        });
        self.ranks.extend(ranks);
    }

    fn best(&mut self) -> i32 {
        let ranks = &self.ranks;
        *self
            .best
            .get_or_insert_with(|| ranks.iter().copied().fold(GIVEN, i32::max))
    }

    /// The best move that has not been given yet.
    pub(crate) fn peek(&mut self) -> Option<M> {
        let best = self.best();
        (best != GIVEN).then(|| self.moves[place(best)])
    }

    /// Gives the best move.
    pub(crate) fn take_best(&mut self) -> Option<M> {
        let best = self.best();
        self.best = None;
        if best == GIVEN {
            return None;
        }
        let place = place(best);
        self.ranks[place] = GIVEN;
        Some(self.moves[place])
    }

    /// The move that [`Ranked::take_last`] will give.
    pub(crate) fn last(&self) -> Option<M> {
        let place = self.ranks.iter().rposition(|&rank| rank != GIVEN)?;
        Some(self.moves[place])
    }

    /// Gives the last in the list, whatever its rating.
    pub(crate) fn take_last(&mut self) -> Option<M> {
        self.best = None;
        while let Some(rank) = self.ranks.pop() {
            if rank != GIVEN {
                return Some(self.moves[self.ranks.len()]);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn moves_come_as_a_stable_sort_has_them(ratings in prop::collection::vec(-9_i32..9, 0..60), sorted in 0_usize..60) {
            let mut list = Ranked::new();
            list.refill().extend(0..ratings.len());
            list.rank(Some(3), |m| ratings[m]);
            let mut expected: Vec<usize> = (0..ratings.len()).filter(|&m| m != 3).collect();
            expected.sort_by_key(|&m| -ratings[m]);
            let rest = expected.split_off(sorted.min(expected.len()));
            for m in expected {
                prop_assert_eq!(list.peek(), Some(m));
                prop_assert_eq!(list.take_best(), Some(m));
            }
            // What is left comes from the end of the list.
            let mut rest = rest;
            rest.sort_unstable();
            while let Some(m) = rest.pop() {
                prop_assert_eq!(list.last(), Some(m));
                prop_assert_eq!(list.take_last(), Some(m));
            }
            prop_assert_eq!(list.take_last(), None);
            prop_assert_eq!(list.take_best(), None);
        }
    }
}
