//! The recursive definition of conspiracy numbers on an explicit tree: slow and obvious, the oracle for all faster
//! methods.
//!
//! After M. van der Meulen, *Conspiracy-Number Search*, ICCA Journal 13(1), 1990, who distinguishes leaves that may
//! still grow from game-theoretic terminals, as N. Klingbeil and J. Schaeffer do.

use super::{Count, Kind, LikelyRange};

/// A small game tree with its values written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A leaf with its static value.
    Leaf(i32),
    /// A node whose value is final.
    Terminal(i32),
    /// A node with at least one child.
    Interior(Kind, Vec<Tree>),
}

impl Tree {
    /// A MAX node.
    pub fn max(children: impl Into<Vec<Tree>>) -> Tree {
        Tree::Interior(Kind::Max, children.into())
    }

    /// A MIN node.
    pub fn min(children: impl Into<Vec<Tree>>) -> Tree {
        Tree::Interior(Kind::Min, children.into())
    }

    /// The minimax value.
    ///
    /// # Panics
    /// If an interior node has no children.
    pub fn value(&self) -> i32 {
        match self {
            Tree::Leaf(value) | Tree::Terminal(value) => *value,
            Tree::Interior(kind, children) => children
                .iter()
                .map(Tree::value)
                .reduce(|a, b| kind.better(a, b))
                .expect("an interior node has children"),
        }
    }

    /// CN(`target`) of this node.
    pub fn conspiracy_number(&self, target: i32) -> Count {
        let value = self.value();
        if value == target {
            return Count::ZERO;
        }
        let (kind, children) = match self {
            Tree::Terminal(_) => return Count::INFINITY,
            Tree::Leaf(_) => return Count::ONE,
            Tree::Interior(kind, children) => (*kind, children),
        };
        // Whether a child of this value stands in the way of the target.
        let is_in_the_way = |value: i32| match kind {
            Kind::Max => target < value,
            Kind::Min => target > value,
        };
        let number = |child: &Tree| child.conspiracy_number(target);
        let children = children.iter();
        if is_in_the_way(value) {
            let in_the_way = children.filter(|child| is_in_the_way(child.value()));
            in_the_way.map(number).sum()
        } else {
            children.map(number).min().unwrap_or(Count::INFINITY)
        }
    }

    /// The likely range at a threshold among the values `low..=high`, as indices from `low`.
    pub fn likely_range(&self, low: i32, high: i32, threshold: Count) -> LikelyRange {
        let value = self.value();
        let likely = |target: &i32| self.conspiracy_number(*target) < threshold;
        let max = (value..=high).take_while(likely).last().unwrap_or(value);
        let lower = (low..=value).rev();
        let min = lower.take_while(likely).last().unwrap_or(value);
        LikelyRange {
            min: (min - low) as u8,
            max: (max - low) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tree::Leaf;
    use super::*;

    fn row(tree: &Tree, targets: impl Iterator<Item = i32>) -> Vec<Option<u32>> {
        targets.map(|v| tree.conspiracy_number(v).get()).collect()
    }

    /// The sample of the encyclopedia's page on conspiracy numbers, after Schaeffer 1989.
    fn sample() -> (Tree, Tree, Tree) {
        let (b, c) = (Tree::min([Leaf(5), Leaf(2)]), Tree::min([Leaf(3), Leaf(4)]));
        (Tree::max([b.clone(), c.clone()]), b, c)
    }

    #[test]
    fn the_reference_tables_come_out() {
        let (a, b, c) = sample();
        assert_eq!(a.value(), 3);
        // v =                           -1 0  1  2  3  4  5  6  7
        assert_eq!(row(&a, -1..=7), [2, 2, 2, 1, 0, 1, 1, 2, 2].map(Some));
        assert_eq!(row(&b, -1..=7), [1, 1, 1, 0, 1, 1, 1, 2, 2].map(Some));
        assert_eq!(row(&c, -1..=7), [1, 1, 1, 1, 0, 1, 2, 2, 2].map(Some));
    }

    #[test]
    fn the_likely_range_grows_with_the_threshold() {
        let (a, ..) = sample();
        let range = |threshold| {
            let range = a.likely_range(-1, 7, Count::new(threshold));
            (i32::from(range.min) - 1, i32::from(range.max) - 1)
        };
        assert_eq!(range(1), (3, 3));
        assert_eq!(range(2), (2, 5));
        assert_eq!(range(3), (-1, 7));
    }

    /// The thesis's figure 2.2, whose drawing the scan has lost, rebuilt from figure 2.3 and the
    /// text. Every set of conspirators is made of E, F, G, J, K, so those are the leaves, and with
    /// the letters given row by row the rest follows: A = MAX(B, C), B = MIN(D, E), C = MIN(F, G),
    /// D = MAX(H, I), H = MIN(J), I = MIN(K).
    ///
    /// Values: A is 1. Raising it to 3 takes E besides J or K while 2 does not, so E = 2. Lowering
    /// it to 0 can be done by J alone, to -1 no longer, so J = 1 and K = 0. F or G is needed at -1
    /// but not at 0, both are needed to raise C to 2: the smaller is 0 and the other 0 or 1.
    fn figure_2_2() -> [Tree; 6] {
        let h = Tree::min([Leaf(1)]);
        let i = Tree::min([Leaf(0)]);
        let d = Tree::max([h.clone(), i]);
        let b = Tree::min([d.clone(), Leaf(2)]);
        let c = Tree::min([Leaf(0), Leaf(1)]);
        [Tree::max([b.clone(), c.clone()]), b, c, d, h, Leaf(2)]
    }

    #[test]
    fn figures_2_3_and_2_4_come_out() {
        let [a, b, c, d, h, e] = figure_2_2();
        assert_eq!(a.value(), 1);
        assert_eq!(row(&a, -3..=3), [2, 2, 2, 1, 0, 1, 2].map(Some));
        assert_eq!(row(&b, -3..=3), [1, 1, 1, 1, 0, 1, 2].map(Some));
        assert_eq!(row(&c, -3..=3), [1, 1, 1, 0, 1, 2, 2].map(Some));
        assert_eq!(row(&d, -3..=3), [2, 2, 2, 1, 0, 1, 1].map(Some));
        assert_eq!(row(&h, -3..=3), [1, 1, 1, 1, 0, 1, 1].map(Some));
        assert_eq!(row(&e, -3..=3), [1, 1, 1, 1, 1, 0, 1].map(Some));
    }

    #[test]
    fn terminals_do_not_conspire() {
        let tree = Tree::max([
            Tree::min([Tree::Terminal(1), Leaf(2)]),
            Tree::min([Leaf(0), Leaf(0)]),
        ]);
        assert_eq!(row(&tree, -1..=3), [2, 1, 0, 2, 2].map(Some));
        let lost = Tree::max([Tree::Terminal(-3), Tree::Terminal(-3)]);
        assert_eq!(
            row(&lost, -3..=-1),
            [Some(0), None, None],
            "nothing raises a lost game"
        );
    }
}
