//! Conspiracy numbers for all values of a grid at once.
//!
//! A node's numbers are one byte for each value, and combine byte by byte with compare, add and minimum only, so the
//! loops below compile to vector instructions: 31 values are two SSE registers or one AVX2 register.

use super::{Count, Grid, Kind, LikelyRange};

/// The conspiracy numbers of one node for every value of a [`Grid`], in `N` lanes of which the grid
/// uses the first [`Grid::len`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector<const N: usize>([u8; N]);

impl<const N: usize> Vector<N> {
    /// All zero: a placeholder, as no node's numbers are.
    pub const ZERO: Vector<N> = Vector([0; N]);

    /// The numbers of a leaf whose value has this index.
    pub fn leaf(index: u8) -> Vector<N> {
        Vector::final_or_not(index, Count::ONE)
    }

    /// The numbers of a terminal whose value has this index.
    pub fn terminal(index: u8) -> Vector<N> {
        Vector::final_or_not(index, Count::INFINITY)
    }

    fn final_or_not(index: u8, elsewhere: Count) -> Vector<N> {
        let mut numbers = [elsewhere.byte(); N];
        if let Some(own) = numbers.get_mut(usize::from(index)) {
            *own = 0;
        }
        Vector(numbers)
    }

    /// CN of the value with this index; infinity beyond the lanes.
    pub fn get(&self, index: u8) -> Count {
        let byte = self.0.get(usize::from(index)).copied();
        Count::from_byte(byte.unwrap_or(Count::INFINITY.byte()))
    }

    /// The likely range, at this threshold, of a node whose value has index `own`.
    pub fn likely_range(&self, own: u8, grid: &Grid, threshold: Count) -> LikelyRange {
        let (mut min, mut max) = (own, own);
        while min > 0 && self.get(min - 1) < threshold {
            min -= 1;
        }
        while max + 1 < grid.len() && self.get(max + 1) < threshold {
            max += 1;
        }
        LikelyRange { min, max }
    }
}

/// Combines the numbers of a node's children into the node's own [`Vector`].
#[derive(Clone, Copy, Debug)]
pub struct Accumulator<const N: usize> {
    kind: Kind,
    sum: [u8; N],
    least: [u8; N],
    infinite: [u8; N],
}

impl<const N: usize> Accumulator<N> {
    /// An accumulator for a node of this kind, without children.
    pub fn new(kind: Kind) -> Accumulator<N> {
        Accumulator {
            kind,
            sum: [0; N],
            least: [Count::INFINITY.byte(); N],
            infinite: [0; N],
        }
    }

    /// Adds a child whose value has index `own`.
    #[inline]
    pub fn add(&mut self, own: u8, numbers: &Vector<N>) {
        match self.kind {
            Kind::Max => self.combine(|lane| lane < own, numbers),
            Kind::Min => self.combine(|lane| lane > own, numbers),
        }
    }

    /// Adds a leaf: its numbers are 1 except at its own value.
    #[inline]
    pub fn add_leaf(&mut self, own: u8) {
        self.add(own, &Vector([1; N]));
    }

    /// Adds a terminal.
    #[inline]
    pub fn add_terminal(&mut self, own: u8) {
        self.add(own, &Vector([Count::INFINITY.byte(); N]));
    }

    /// `in_the_way` tells for which targets the child counts in the sum. Its number at its own value never matters: its
    /// lane is in no sum, and [`finish`](Self::finish) takes the minimum only on the far side of the node's own value.
    #[inline]
    fn combine(&mut self, in_the_way: impl Fn(u8) -> bool, numbers: &Vector<N>) {
        for lane in 0..N {
            let number = numbers.0[lane];
            let counted = if in_the_way(lane as u8) { number } else { 0 };
            self.infinite[lane] |= if counted == 255 { 255 } else { 0 };
            self.sum[lane] = self.sum[lane].saturating_add(counted);
            self.least[lane] = self.least[lane].min(number);
        }
    }

    /// The numbers of the node; `own` is the index of its value, which is its best child's.
    pub fn finish(self, own: u8) -> Vector<N> {
        let mut numbers = [0; N];
        let sums_are_below = self.kind == Kind::Max;
        for (lane, number) in numbers.iter_mut().enumerate() {
            let sum = self.sum[lane].min(254) | self.infinite[lane];
            let below = (lane as u8) < own;
            *number = if below == sums_are_below {
                sum
            } else {
                self.least[lane]
            };
        }
        if let Some(number) = numbers.get_mut(usize::from(own)) {
            *number = 0;
        }
        Vector(numbers)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::definition::Tree;
    use super::super::{interior, leaf, terminal};
    use super::*;

    const LOW: i32 = -5;
    const HIGH: i32 = 5;

    fn trees() -> impl Strategy<Value = Tree> {
        let value = LOW..=HIGH;
        let ends = prop_oneof![
            4 => value.clone().prop_map(Tree::Leaf),
            1 => value.prop_map(Tree::Terminal)
        ];
        ends.prop_recursive(5, 200, 6, |inner| {
            (any::<bool>(), prop::collection::vec(inner, 1..6)).prop_map(|(max, children)| {
                Tree::Interior(if max { Kind::Max } else { Kind::Min }, children)
            })
        })
    }

    fn index(tree: &Tree) -> u8 {
        (tree.value() - LOW) as u8
    }

    fn vector(tree: &Tree) -> Vector<32> {
        match tree {
            Tree::Leaf(_) => Vector::leaf(index(tree)),
            Tree::Terminal(_) => Vector::terminal(index(tree)),
            Tree::Interior(kind, children) => {
                let mut numbers = Accumulator::new(*kind);
                for child in children {
                    match child {
                        Tree::Leaf(_) => numbers.add_leaf(index(child)),
                        Tree::Terminal(_) => numbers.add_terminal(index(child)),
                        Tree::Interior(..) => numbers.add(index(child), &vector(child)),
                    }
                }
                numbers.finish(index(tree))
            }
        }
    }

    fn by_rules(tree: &Tree, target: i32) -> Count {
        match tree {
            Tree::Leaf(value) => leaf(value, &target),
            Tree::Terminal(value) => terminal(value, &target),
            Tree::Interior(kind, children) => interior(
                *kind,
                &tree.value(),
                &target,
                children
                    .iter()
                    .map(|child| (child.value(), by_rules(child, target))),
            ),
        }
    }

    proptest! {
        #[test]
        fn vectors_and_rules_equal_the_definition(tree in trees()) {
            let numbers = vector(&tree);
            for target in LOW..=HIGH {
                let oracle = tree.conspiracy_number(target);
                prop_assert_eq!(numbers.get((target - LOW) as u8), oracle);
                prop_assert_eq!(by_rules(&tree, target), oracle);
            }
        }

        #[test]
        fn the_likely_range_equals_the_definition(tree in trees(), threshold in 1u32..6) {
            let grid = Grid::integers(HIGH as u8);
            let threshold = Count::new(threshold);
            prop_assert_eq!(
                vector(&tree).likely_range(index(&tree), &grid, threshold),
                tree.likely_range(LOW, HIGH, threshold)
            );
        }

        #[test]
        fn numbers_grow_with_the_distance(tree in trees()) {
            let numbers = vector(&tree);
            for lane in index(&tree)..(HIGH - LOW) as u8 {
                prop_assert!(numbers.get(lane) <= numbers.get(lane + 1));
            }
            for lane in 0..index(&tree) {
                prop_assert!(numbers.get(lane) >= numbers.get(lane + 1));
            }
        }
    }

    #[test]
    fn finite_sums_saturate_below_infinity() {
        let mut numbers = Accumulator::<32>::new(Kind::Max);
        for _ in 0..400 {
            numbers.add_leaf(7);
        }
        assert_eq!(numbers.finish(7).get(3), Count::MAX_FINITE);
        numbers.add_terminal(6);
        assert_eq!(numbers.finish(7).get(3), Count::INFINITY);
        assert_eq!(numbers.finish(7).get(6), Count::MAX_FINITE);
        assert_eq!(numbers.finish(7).get(9), Count::ONE);
    }
}
