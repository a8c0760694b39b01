//! A few conspiracy numbers side by side.

use crate::conspiracy::Count;

/// The numbers of a node for the `SPAN` values of a window, the lowest first, for the way it pushes: 0 where
/// the node's value is there already. One byte a value, so that the loops below compile to vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts<const SPAN: usize>([u8; SPAN]);

impl<const SPAN: usize> Counts<SPAN> {
    /// 0 for every value.
    pub(super) const ZERO: Self = Self::all(Count::ZERO);

    /// The same number for every value.
    #[inline]
    pub(super) const fn all(count: Count) -> Self {
        Counts([count.byte(); SPAN])
    }

    /// The number in a lane.
    #[inline]
    pub(super) const fn get(self, lane: usize) -> Count {
        Count::from_byte(self.0[lane])
    }

    /// These from this lane on, 0 below.
    #[inline]
    pub(super) fn starting_at(self, first: usize) -> Self {
        Counts(std::array::from_fn(|lane| {
            if lane < first { 0 } else { self.0[lane] }
        }))
    }

    /// These below this lane, 0 from it on.
    #[inline]
    pub(super) fn ending_before(self, end: usize) -> Self {
        Counts(std::array::from_fn(|lane| {
            if lane < end { self.0[lane] } else { 0 }
        }))
    }

    /// An OR node's numbers from its children': the least of them.
    #[inline]
    pub(super) fn least(children: impl IntoIterator<Item = Self>) -> Self {
        children
            .into_iter()
            .fold(Self::all(Count::INFINITY), |a, b| {
                Counts(std::array::from_fn(|lane| a.0[lane].min(b.0[lane])))
            })
    }

    /// An AND node's numbers from its children': their sum, as [`Count`]s are added.
    #[inline]
    pub(super) fn sum(children: impl IntoIterator<Item = Self>) -> Self {
        let (mut sum, mut infinite) = ([0_u8; SPAN], [0; SPAN]);
        for Counts(child) in children {
            for lane in 0..SPAN {
                infinite[lane] |= if child[lane] == 255 { 255 } else { 0 };
                sum[lane] = sum[lane].saturating_add(child[lane]);
            }
        }
        // A finite sum stays below infinity.
        Counts(std::array::from_fn(|lane| {
            sum[lane].min(254) | infinite[lane]
        }))
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
                    // Neighbouring lanes differ, so that a carry that leaks shows.
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
