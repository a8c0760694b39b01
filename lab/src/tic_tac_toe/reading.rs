//! Readings of the paper's rules for its numbers, all tried.
//!
//! The paper gives the rules of conspiracy numbers and says that the largest and the smallest number of the root are
//! recorded at each move. It leaves open the tree (before the current move or after it, and its depth), whether a sum
//! is over "all children", as in the formulas, or over those in the way, as in the text, the count of a node that
//! already has the value, and the values that are asked for. As the formulas for MIN nodes are printed with an error,
//! any rule may stand for any case.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use super::play::{self, Game, Wins};
use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;

/// The tree whose root has the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// The position after X's move, one ply less: the rest of X's search.
    After,
    /// The position before X's move, searched to X's depth.
    Before,
    /// The position after X's move, searched to X's depth.
    AfterAsDeep,
}

/// The rule for a node's number from its children's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The least of all children's.
    Least,
    /// The sum of all children's.
    Sum,
    /// The sum over the children that stand in the way.
    SumInTheWay,
    /// The largest of all children's.
    Largest,
}

/// The count of a node that already has the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// 0, by the definition; under the other rules a leaf that has the value counts 1.
    Nothing,
    /// Its count as if the target were lower.
    AsIfLower,
    /// Its count as if the target were higher.
    AsIfHigher,
}

/// The root's numbers that are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Numbers for all whole numbers but the root's own value.
    All,
    /// Numbers for all values of leaves but the root's own value.
    OfLeaves,
    /// Numbers for all whole numbers, the root's own value among them.
    AllAndOwn,
}

/// One reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The tree.
    pub root: Root,
    /// The rules at MAX nodes for lower and for higher values, then at MIN nodes.
    pub rules: [Rule; 4],
    /// The count of a node that already has the value.
    pub equal: Equal,
    /// The values considered.
    pub values: Values,
}

const ROOTS: [Root; 3] = [Root::After, Root::Before, Root::AfterAsDeep];
const RULES: [Rule; 4] = [Rule::Least, Rule::Sum, Rule::SumInTheWay, Rule::Largest];
const EQUALS: [Equal; 3] = [Equal::Nothing, Equal::AsIfLower, Equal::AsIfHigher];
pub(super) const VALUES: [Values; 3] = [Values::All, Values::OfLeaves, Values::AllAndOwn];

/// All readings, with [`Values::All`] only. For the other roots, whose trees are larger than those of [`Root::After`],
/// [`Equal::Nothing`] alone is tried.
pub fn family() -> Vec<Reading> {
    let mut family = Vec::new();
    for root in ROOTS {
        let equals = match root {
            Root::After => &EQUALS[..],
            _ => &EQUALS[..1],
        };
        for &equal in equals {
            for code in 0..RULES.len().pow(4) {
                let rule = |place: u32| RULES[code / RULES.len().pow(place) % RULES.len()];
                family.push(Reading {
                    root,
                    rules: [rule(0), rule(1), rule(2), rule(3)],
                    equal,
                    values: Values::All,
                });
            }
        }
    }
    family
}

/// The tree at each of X's moves, game by game.
pub(super) fn all_trees(games: &[&Game], root: Root) -> Vec<Rooted> {
    let (played, less) = match root {
        Root::After => (1, 1),
        Root::Before => (0, 0),
        Root::AfterAsDeep => (1, 0),
    };
    let trees = play::trees(games, played, less, Wins::ByRows);
    trees.iter().map(Rooted::new).collect()
}

/// A node with its value.
struct Node {
    value: i32,
    kind: Kind,
    children: Vec<Node>,
}

/// A tree, and the values at which a number of its root may change.
pub(super) struct Rooted {
    root: Node,
    values: Vec<i32>,
    leaves: BTreeSet<i32>,
}

impl Node {
    fn new(tree: &Tree, leaves: &mut BTreeSet<i32>) -> Node {
        match tree {
            Tree::Leaf(value) | Tree::Terminal(value) => {
                leaves.insert(*value);
                Node {
                    value: *value,
                    kind: Kind::Max,
                    children: Vec::new(),
                }
            }
            Tree::Interior(kind, children) => {
                let children = children.iter().map(|child| Node::new(child, leaves));
                let children: Vec<Node> = children.collect();
                let values = children.iter().map(|child| child.value);
                let value = values.reduce(|a, b| kind.better(a, b)).unwrap_or_default();
                Node {
                    value,
                    kind: *kind,
                    children,
                }
            }
        }
    }

    /// The node's number for each of `values`.
    fn numbers(&self, values: &[i32], reading: &Reading) -> Vec<u32> {
        if self.children.is_empty() {
            let counts = |&value: &i32| reading.equal != Equal::Nothing || value != self.value;
            return values.iter().map(|it| counts(it).into()).collect();
        }
        // The values are sorted: those below the node's own, its own, those above.
        let own = values.partition_point(|&value| value < self.value);
        let above = values.partition_point(|&value| value <= self.value);
        let (lower_end, higher_start) = match reading.equal {
            Equal::Nothing => (own, above),
            Equal::AsIfLower => (above, above),
            Equal::AsIfHigher => (own, own),
        };
        let [lower, higher] = match self.kind {
            Kind::Max => [reading.rules[0], reading.rules[1]],
            Kind::Min => [reading.rules[2], reading.rules[3]],
        };
        let mut numbers = vec![0; values.len()];
        numbers[..lower_end].fill(lower.start());
        numbers[higher_start..].fill(higher.start());
        for child in &self.children {
            let of_child = child.numbers(values, reading);
            // A lower value has the children above it in its way, a higher value those below it.
            let way = 0..values
                .partition_point(|&it| it < child.value)
                .min(lower_end);
            lower.take(&mut numbers[..lower_end], &of_child[..lower_end], way);
            let higher_way = values
                .partition_point(|&it| it <= child.value)
                .max(higher_start);
            let way = higher_way - higher_start..values.len() - higher_start;
            higher.take(&mut numbers[higher_start..], &of_child[higher_start..], way);
        }
        numbers
    }
}

impl Rooted {
    fn new(tree: &Tree) -> Rooted {
        let mut leaves = BTreeSet::new();
        let root = Node::new(tree, &mut leaves);
        let mut values: BTreeSet<i32> = leaves.iter().flat_map(|&leaf| [leaf, leaf + 1]).collect();
        values.extend(leaves.first().map(|least| least - 1));
        Rooted {
            root,
            values: values.into_iter().collect(),
            leaves,
        }
    }

    /// The root's number for each value at which it may change.
    pub(super) fn numbers(&self, reading: &Reading) -> Vec<u32> {
        self.root.numbers(&self.values, reading)
    }

    /// The root's numbers that are considered.
    pub(super) fn looked_at(&self, values: Values, numbers: &[u32]) -> Vec<u32> {
        let is_looked_at = |value: &i32| match values {
            Values::AllAndOwn => true,
            Values::All => *value != self.root.value,
            Values::OfLeaves => *value != self.root.value && self.leaves.contains(value),
        };
        let pairs = self.values.iter().zip(numbers);
        let looked_at = pairs.filter(|(value, _)| is_looked_at(value));
        looked_at.map(|(_, &number)| number).collect()
    }
}

impl Rule {
    /// The neutral element, the number of a node without children.
    fn start(self) -> u32 {
        match self {
            Rule::Least => u32::MAX,
            Rule::Sum | Rule::SumInTheWay | Rule::Largest => 0,
        }
    }

    /// Adds a child that is in the way of the values in `way`.
    fn take(self, numbers: &mut [u32], of_child: &[u32], way: Range<usize>) {
        let pairs = numbers.iter_mut().zip(of_child);
        match self {
            Rule::Least => pairs.for_each(|(number, &child)| *number = (*number).min(child)),
            Rule::Largest => pairs.for_each(|(number, &child)| *number = (*number).max(child)),
            Rule::Sum => pairs.for_each(|(number, &child)| *number += child),
            Rule::SumInTheWay => {
                let pairs = numbers[way.clone()].iter_mut().zip(&of_child[way]);
                pairs.for_each(|(number, &child)| *number += child);
            }
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.root {
            Root::After => "the tree after the move, one ply less deep than X looks",
            Root::Before => "the tree before the move, as deep as X looks",
            Root::AfterAsDeep => "the tree after the move, as deep as X looks",
        })?;
        let names = ["lower", "raise"];
        for (kind, rules) in ["MAX", "MIN"].iter().zip(self.rules.chunks(2)) {
            for (name, rule) in names.iter().zip(rules) {
                write!(f, "; to {name} a {kind} node {rule}")?;
            }
        }
        f.write_str(match self.equal {
            Equal::Nothing => "; a node worth the value counts nothing",
            Equal::AsIfLower => "; a node worth the value counts as if to be lowered",
            Equal::AsIfHigher => "; a node worth the value counts as if to be raised",
        })?;
        f.write_str(match self.values {
            Values::All => "; over all values but the root's",
            Values::OfLeaves => "; over all values of leaves but the root's",
            Values::AllAndOwn => "; over all values with the root's",
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Least => "the least of its children' numbers",
            Rule::Sum => "the sum of all",
            Rule::SumInTheWay => "the sum of those in the way",
            Rule::Largest => "the largest",
        })
    }
}
