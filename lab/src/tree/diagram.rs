//! The contents of a drawing: nodes level by level, numbers, conspirators.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use cassius::conspiracy::definition::Tree;
use cassius::conspiracy::{Count, Kind, Push};

/// A run of values with the same property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span<T> {
    /// The values: `<=1`, `4..5`.
    pub values: Values,
    /// The property.
    pub what: T,
}

/// A run of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Values {
    /// The least; `None` if unbounded.
    pub low: Option<i32>,
    /// The greatest; `None` if unbounded.
    pub high: Option<i32>,
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => write!(f, "{low}"),
            (Some(low), Some(high)) => write!(f, "{low}..{high}"),
            (Some(low), None) => write!(f, ">={low}"),
            (None, Some(high)) => write!(f, "<={high}"),
            (None, None) => f.write_str("any"),
        }
    }
}

/// A node to draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<'a> {
    /// The node with its subtree.
    pub tree: &'a Tree,
    /// Its minimax value.
    pub value: i32,
    /// Its children's indices in [`Diagram::nodes`].
    pub children: Range<usize>,
}

impl Node<'_> {
    /// MAX or MIN; `None` for leaves and terminals.
    pub fn kind(&self) -> Option<Kind> {
        match self.tree {
            Tree::Interior(kind, _) => Some(*kind),
            Tree::Leaf(_) | Tree::Terminal(_) => None,
        }
    }
}

/// Leaves whose values would have to change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conspirators {
    /// No leaf: the node has the value already.
    None,
    /// Impossible.
    Impossible,
    /// The leaf at this index.
    Leaf(usize),
    /// All of these.
    All(Vec<Conspirators>),
    /// Any one of these.
    Any(Vec<Conspirators>),
}

impl Conspirators {
    /// One smallest conspiracy, the leftmost.
    pub fn leftmost(&self) -> Vec<usize> {
        match self {
            Conspirators::None | Conspirators::Impossible => Vec::new(),
            Conspirators::Leaf(index) => vec![*index],
            Conspirators::All(parts) => parts.iter().flat_map(Conspirators::leftmost).collect(),
            Conspirators::Any(parts) => parts.first().map_or_else(Vec::new, Conspirators::leftmost),
        }
    }

    fn of_parts(mut parts: Vec<Conspirators>, all: bool) -> Conspirators {
        match parts.len() {
            0 => Conspirators::None,
            1 => parts.remove(0),
            _ if all => Conspirators::All(parts),
            _ => Conspirators::Any(parts),
        }
    }
}

impl fmt::Display for Conspirators {
    /// `(D or E) and (F or G)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, between) = match self {
            Conspirators::None => return f.write_str("none"),
            Conspirators::Impossible => return f.write_str("nobody can"),
            Conspirators::Leaf(index) => return f.write_str(&name(*index)),
            Conspirators::All(parts) => (parts, " and "),
            Conspirators::Any(parts) => (parts, " or "),
        };
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                f.write_str(between)?;
            }
            match (self, part) {
                (Conspirators::All(_), Conspirators::Any(_))
                | (Conspirators::Any(_), Conspirators::All(_)) => write!(f, "({part})")?,
                _ => write!(f, "{part}")?,
            }
        }
        Ok(())
    }
}

/// A tree as a list of nodes: the root, its children from left to right, their children, and so on.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    nodes: Vec<Node<'a>>,
    /// The least and the greatest value.
    ends: (i32, i32),
    /// Whether the ends stand for all values beyond them.
    open: bool,
}

impl<'a> Diagram<'a> {
    /// A tree whose values lie in `range`, or are unbounded without one. The error is a value outside.
    pub fn new(tree: &'a Tree, range: Option<(i32, i32)>) -> Result<Diagram<'a>, i32> {
        let mut nodes = vec![tree];
        let mut children = Vec::new();
        while let Some(tree) = nodes.get(children.len()) {
            let first = nodes.len();
            if let Tree::Interior(_, below) = *tree {
                nodes.extend(below);
            }
            children.push(first..nodes.len());
        }
        let nodes = nodes.into_iter().zip(children);
        let nodes = nodes.map(|(tree, children)| Node {
            tree,
            value: tree.value(),
            children,
        });
        let nodes: Vec<Node<'a>> = nodes.collect();
        let least = nodes.iter().map(|node| node.value).min().unwrap_or(0);
        let greatest = nodes.iter().map(|node| node.value).max().unwrap_or(0);
        let (ends, open) = match range {
            Some((low, _)) if least < low => return Err(least),
            Some((_, high)) if greatest > high => return Err(greatest),
            Some(range) => (range, false),
            None => ((least - 1, greatest + 1), true),
        };
        Ok(Diagram { nodes, ends, open })
    }

    /// The nodes, level by level, the root first.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// The root.
    pub fn root(&self) -> &Node<'a> {
        &self.nodes[0]
    }

    /// The conspiracy numbers of a node, runs of values with the same number joined.
    pub fn numbers(&self, node: &Node<'_>) -> Vec<Span<Count>> {
        self.spans(|target| node.tree.conspiracy_number(target))
    }

    /// The numbers with the conspirators, runs of values joined if both are the same.
    pub fn conspiracies(&self, node: usize) -> Vec<Span<(Count, Conspirators)>> {
        let number = |target| self.nodes[node].tree.conspiracy_number(target);
        self.spans(|target| (number(target), self.conspirators(node, target)))
    }

    /// The values of the root with fewer than `threshold` conspirators. They are contiguous, as numbers grow with the
    /// distance.
    pub fn likely_range(&self, threshold: Count) -> Values {
        let likely = |span: &Span<bool>| span.what;
        let range = self.spans(|target| self.root().tree.conspiracy_number(target) < threshold);
        let root = Values {
            low: Some(self.root().value),
            high: Some(self.root().value),
        };
        range.into_iter().find(likely).map_or(root, |it| it.values)
    }

    /// All smallest conspiracies that move the node at `index` to `target`: at an OR node those of the children with
    /// the least number, at an AND node those of every child in the way.
    pub fn conspirators(&self, index: usize, target: i32) -> Conspirators {
        let node = &self.nodes[index];
        let number = node.tree.conspiracy_number(target);
        let push = match target.cmp(&node.value) {
            std::cmp::Ordering::Equal => return Conspirators::None,
            std::cmp::Ordering::Greater => Push::Raise,
            std::cmp::Ordering::Less => Push::Lower,
        };
        if number.is_infinite() {
            return Conspirators::Impossible;
        }
        let Some(kind) = node.kind() else {
            return Conspirators::Leaf(index);
        };
        let is_or_node = push.is_or_node(kind);
        let counts = |child: &usize| {
            let child = &self.nodes[*child];
            if is_or_node {
                child.tree.conspiracy_number(target) == number
            } else {
                !push.reached(child.value, target)
            }
        };
        let children = node.children.clone().filter(counts);
        let parts = children.map(|child| self.conspirators(child, target));
        Conspirators::of_parts(parts.collect(), !is_or_node)
    }

    /// Joins runs of values with the same property `tell`. Nothing changes between two neighbouring leaf values, so one
    /// target between them suffices.
    fn spans<T: PartialEq>(&self, tell: impl Fn(i32) -> T) -> Vec<Span<T>> {
        let ((low, high), open) = (self.ends, self.open);
        let values: BTreeSet<i32> = self.nodes.iter().map(|node| node.value).collect();
        let mut starts: BTreeSet<i32> = values.iter().flat_map(|v| [*v, *v + 1]).collect();
        starts.insert(low);
        let starts: Vec<i32> = starts.into_iter().filter(|v| *v <= high).collect();
        let mut spans: Vec<Span<T>> = Vec::new();
        for (number, &start) in starts.iter().enumerate() {
            let next = starts.get(number + 1);
            let values = Values {
                low: (!open || start > low).then_some(start),
                high: next.map_or((!open).then_some(high), |next| Some(next - 1)),
            };
            let what = tell(start);
            match spans.last_mut() {
                Some(last) if last.what == what => last.values.high = values.high,
                _ => spans.push(Span { values, what }),
            }
        }
        spans
    }
}

/// Name of the node at an index: A to Z, then A1 to Z1, and so on.
pub fn name(index: usize) -> String {
    let letter = char::from(b'A' + (index % 26) as u8);
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
