//! A few conspiracy numbers in one machine word.

use crate::conspiracy::Count;

/// The numbers of a node for the `SPAN` values of a window, at most eight, in the window's direction: 0 where the
/// node's value is there already. One byte for each value, the lowest first; all are computed at once by operations on
/// a word that keep carries within bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts<const SPAN: usize>([u8; SPAN]);

/// The highest bit of each byte; the next constant has all others.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = !HIGH;
/// The lowest bit of each byte.
const ONES: u64 = HIGH >> 7;

/// Sets all bits of the bytes whose highest bit is set, and clears the others.
#[inline]
const fn spread(flags: u64) -> u64 {
    ((flags >> 7) & ONES) * 0xFF
}

impl<const SPAN: usize> Counts<SPAN> {
    /// 0 for every value.
    pub(super) const ZERO: Self = Self::all(Count::ZERO);

    /// The same number for every value.
    #[inline]
    pub(super) const fn all(count: Count) -> Self {
        Counts([count.byte(); SPAN])
    }

    /// The number in a lane, from 0.
    #[inline]
    pub(super) const fn get(self, lane: usize) -> Count {
        Count::from_byte(self.0[lane])
    }

    #[inline]
    fn word(self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..SPAN].copy_from_slice(&self.0);
        u64::from_le_bytes(bytes)
    }

    #[inline]
    fn of_word(word: u64) -> Self {
        let bytes = word.to_le_bytes();
        Counts(std::array::from_fn(|lane| bytes[lane]))
    }

    /// These numbers from lane `lane` on, 0 below.
    #[inline]
    pub(super) fn starting_at(self, lane: u32) -> Self {
        Counts::of_word(self.word() & u64::MAX.checked_shl(8 * lane).unwrap_or(0))
    }

    /// These numbers below lane `lane`, 0 from it on.
    #[inline]
    pub(super) fn ending_before(self, lane: u32) -> Self {
        Counts::of_word(self.word() & !u64::MAX.checked_shl(8 * lane).unwrap_or(0))
    }

    /// An OR node's numbers: the minima over its children.
    #[inline]
    pub(super) fn least(children: impl IntoIterator<Item = Self>) -> Self {
        let least = |a: u64, b: u64| {
            // The highest bit survives where the lower bits of a are no less than those of b.
            let difference = (a | HIGH) - (b & LOW);
            let a_is_no_less = spread((a & !b) | (!(a ^ b) & difference));
            (b & a_is_no_less) | (a & !a_is_no_less)
        };
        let words = children.into_iter().map(Counts::word);
        Counts::of_word(words.fold(u64::MAX, least))
    }

    /// An AND node's numbers: the sums over its children, added like [`Count`]s.
    #[inline]
    pub(super) fn sum(children: impl IntoIterator<Item = Self>) -> Self {
        let (mut sum, mut infinite) = (0, 0);
        for child in children.into_iter().map(Counts::word) {
            // A byte is 255 if adding 1 to its lower bits carries into its highest, which is set.
            infinite |= ((child & LOW) + ONES) & child;
            let wrapped = ((sum & LOW) + (child & LOW)) ^ ((sum ^ child) & HIGH);
            let carries = (sum & child) | ((sum | child) & !wrapped);
            sum = wrapped | spread(carries);
        }
        let infinite = spread(infinite);
        // A finite sum stays below infinity.
        let ends_at_255 = ((sum & LOW) + ONES) & sum;
        let too_large = spread(ends_at_255) & !infinite;
        Counts::of_word((sum & !(too_large & ONES)) | infinite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_combines_as_counts_do() {
        lanes_combine::<8>();
        lanes_combine::<2>();
    }

    fn lanes_combine<const SPAN: usize>() {
        let interesting: [u8; 12] = [0, 1, 2, 3, 100, 126, 127, 128, 129, 253, 254, 255];
        for a in interesting {
            for b in interesting {
                for c in interesting {
                    // Neighbouring lanes differ, so that a leaking carry shows.
                    let children = [[a, b], [b, c], [c, a]].map(|[even, odd]| {
                        Counts::<SPAN>(std::array::from_fn(
                            |lane| if lane % 2 == 0 { even } else { odd },
                        ))
                    });
                    let (least, sum) = (Counts::least(children), Counts::sum(children));
                    for lane in 0..SPAN {
                        let of_children = || children.iter().map(|child| child.get(lane));
                        assert_eq!(Some(least.get(lane)), of_children().min());
                        assert_eq!(sum.get(lane), of_children().sum(), "{children:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lanes_are_cut_off() {
        let counts = Counts([1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(counts.starting_at(3), Counts([0, 0, 0, 4, 5, 6, 7, 8]));
        assert_eq!(counts.ending_before(3), Counts([1, 2, 3, 0, 0, 0, 0, 0]));
        assert_eq!(
            (counts.starting_at(8), counts.ending_before(0)),
            (Counts::ZERO, Counts::ZERO)
        );
        assert_eq!(
            (counts.starting_at(0), counts.ending_before(30)),
            (counts, counts)
        );
    }
}
