//! A few conspiracy numbers at once.

use crate::conspiracy::Count;

/// Numbers of leaves that must change to push a node's value to the `SPAN` values of a window, in its direction, lowest
/// value first; 0 where the node's value has reached or passed it. Each has one byte, its *lane*: as with a
/// [`Vector`](crate::conspiracy::Vector), the loops below
/// compile to vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts<const SPAN: usize>([u8; SPAN]);

impl<const SPAN: usize> Counts<SPAN> {
    /// 0 for every value.
    pub(super) const ZERO: Self = Counts([Count::ZERO.byte(); SPAN]);

    /// The number in a lane, from 0.
    #[inline]
    pub(super) const fn get(self, lane: usize) -> Count {
        Count::from_byte(self.0[lane])
    }

    /// `count` in the lanes for which `has_it` is true, 0 in the others.
    #[inline]
    pub(super) fn in_lanes(count: Count, has_it: impl Fn(u8) -> bool) -> Self {
        Counts(std::array::from_fn(|lane| {
            if has_it(lane as u8) { count.byte() } else { 0 }
        }))
    }

    /// An OR node's numbers: the minima over its children.
    #[inline]
    pub(super) fn least(children: impl IntoIterator<Item = Self>) -> Self {
        let mut least = [Count::INFINITY.byte(); SPAN];
        for Counts(child) in children {
            least = std::array::from_fn(|lane| least[lane].min(child[lane]));
        }
        Counts(least)
    }

    /// An AND node's numbers: the sums over its children, added like [`Count`]s.
    #[inline]
    pub(super) fn sum(children: impl IntoIterator<Item = Self>) -> Self {
        let (mut sum, mut infinite) = ([0_u8; SPAN], [0; SPAN]);
        for Counts(child) in children {
            for (lane, &number) in child.iter().enumerate() {
                sum[lane] = sum[lane].saturating_add(number);
                infinite[lane] |= if number == 255 { 255 } else { 0 };
            }
        }
        let most = Count::MAX_FINITE.byte();
        Counts(std::array::from_fn(|lane| {
            sum[lane].min(most) | infinite[lane]
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
                    // Neighbouring lanes differ.
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
}
