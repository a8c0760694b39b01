//! A few conspiracy numbers in one machine word.

use crate::conspiracy::Count;

/// How many values a window spans: as many as there are bytes in a machine word. The thesis's two, an
/// end and the value next to it outside, are the least that do; the others let the end move to and fro
/// for nothing.
pub(super) const SPAN: usize = 8;

/// The numbers of a node for the values of a window, for the way it pushes: 0 where the node's value
/// is there already. One byte a value, the lowest first, and all of them are computed at once by
/// operations on the word that keep carries within bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts([u8; SPAN]);

/// The highest bit of each byte, and all others.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = !HIGH;
/// The lowest bit of each byte.
const ONES: u64 = HIGH >> 7;

/// Bytes of all ones where the highest bit is set, of all zeros elsewhere.
#[inline]
const fn spread(flags: u64) -> u64 {
    ((flags >> 7) & ONES) * 0xFF
}

impl Counts {
    /// 0 for every value.
    pub(super) const ZERO: Counts = Counts::all(Count::ZERO);

    /// The same number for every value.
    #[inline]
    pub(super) const fn all(count: Count) -> Counts {
        Counts([count.byte(); SPAN])
    }

    /// The number in a lane.
    #[inline]
    pub(super) const fn get(self, lane: usize) -> Count {
        Count::from_byte(self.0[lane])
    }

    #[inline]
    const fn word(self) -> u64 {
        u64::from_le_bytes(self.0)
    }

    #[inline]
    const fn of_word(word: u64) -> Counts {
        Counts(word.to_le_bytes())
    }

    /// These from this lane on, 0 below.
    #[inline]
    pub(super) fn starting_at(self, lane: u32) -> Counts {
        Counts::of_word(self.word() & u64::MAX.checked_shl(8 * lane).unwrap_or(0))
    }

    /// These below this lane, 0 from it on.
    #[inline]
    pub(super) fn ending_before(self, lane: u32) -> Counts {
        Counts::of_word(self.word() & !u64::MAX.checked_shl(8 * lane).unwrap_or(0))
    }

    /// An OR node's numbers from its children': the least of them.
    #[inline]
    pub(super) fn least(children: impl IntoIterator<Item = Counts>) -> Counts {
        let least = |a: u64, b: u64| {
            // Where the lower bits of a are no less than those of b, the highest survives.
            let difference = (a | HIGH) - (b & LOW);
            let a_is_no_less = spread((a & !b) | (!(a ^ b) & difference));
            (b & a_is_no_less) | (a & !a_is_no_less)
        };
        let words = children.into_iter().map(Counts::word);
        Counts::of_word(words.fold(u64::MAX, least))
    }

    /// An AND node's numbers from its children': their sum, as [`Count`]s are added.
    #[inline]
    pub(super) fn sum(children: impl IntoIterator<Item = Counts>) -> Counts {
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
        let interesting: [u8; 12] = [0, 1, 2, 3, 100, 126, 127, 128, 129, 253, 254, 255];
        for a in interesting {
            for b in interesting {
                for c in interesting {
                    // Neighbouring lanes differ, so that a carry that leaks shows.
                    let children = [[a, b], [b, c], [c, a]].map(|[even, odd]| {
                        Counts(std::array::from_fn(
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
