//! Random game trees with chance nodes: a seed and the path determine each node, as with
//! [`random_tree`](cassius::games::random_tree).

use crate::chance::game::{ChanceGame, Interval, Turn};
use cassius::game::{MAX_MOVES, Moves, Side};
use cassius::random::mix;

/// Order of the kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layers {
    /// First, chance, Second, chance, and so on: the trees of Ballard's paper.
    Regular,
    /// Each node has a random kind and a random number of children, at most [`Shape::branching`]. At some nodes the
    /// game is over.
    Mixed,
}

/// Probabilities of a chance node's children.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Odds {
    /// All alike.
    Equal,
    /// Each child has a random weight from 1 to this.
    Weighted(u8),
}

/// Parameters of a family of random trees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Order of the kinds of nodes.
    pub layers: Layers,
    /// Children of a node, 1 to [`MAX_MOVES`]; with [`Layers::Mixed`] the most that a node has.
    pub branching: u16,
    /// Probabilities of chance nodes' children.
    pub odds: Odds,
    /// Values are whole numbers from `-limit` to `limit`.
    pub limit: u16,
    /// Largest difference between the value of a node and its parent's.
    pub spread: u16,
}

/// A node of a random tree with chance nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RandomChanceTree {
    shape: Shape,
    key: u64,
    ply: u16,
    value: i32,
}

/// In mixed trees the game is over at one node in this many, never at the root.
const ENDS: u64 = 10;

/// Purpose of a number drawn from a node's key.
#[derive(Clone, Copy)]
enum Draw {
    Value,
    Kind,
    Children,
    Weight,
}

impl RandomChanceTree {
    /// The root of the tree with this seed.
    pub fn new(shape: Shape, seed: u64) -> RandomChanceTree {
        let shape = Shape {
            branching: shape.branching.clamp(1, MAX_MOVES as u16),
            ..shape
        };
        RandomChanceTree {
            shape,
            key: mix(seed),
            ply: 0,
            value: 0,
        }
    }

    /// A number from 0 to `end` - 1; `end` is at least 1.
    fn draw(&self, what: Draw, end: u64) -> u64 {
        mix(self.key ^ (0xC0FF_EE00 + what as u64)) % end
    }

    fn children(&self) -> u16 {
        match self.shape.layers {
            Layers::Regular => self.shape.branching,
            Layers::Mixed => 1 + self.draw(Draw::Children, self.shape.branching.into()) as u16,
        }
    }
}

impl ChanceGame for RandomChanceTree {
    /// Index of a child, from 0.
    type Move = u16;

    fn turn(&self) -> Turn {
        let regular = [
            Turn::Player(Side::First),
            Turn::Chance,
            Turn::Player(Side::Second),
            Turn::Chance,
        ];
        match self.shape.layers {
            Layers::Regular => regular[usize::from(self.ply % 4)],
            Layers::Mixed => match self.draw(Draw::Kind, ENDS) {
                0 if self.ply > 0 => Turn::Over,
                kind => regular[(kind % 4) as usize],
            },
        }
    }

    fn legal_moves(&self) -> Moves<u16> {
        (0..self.children()).collect()
    }

    fn events(&self) -> Vec<(u16, f64)> {
        let weight = |m: u16| match self.shape.odds {
            Odds::Equal => 1.0,
            Odds::Weighted(most) => {
                1.0 + self.after(m).draw(Draw::Weight, u64::from(most.max(1))) as f64
            }
        };
        let events: Vec<(u16, f64)> = (0..self.children()).map(|m| (m, weight(m))).collect();
        let sum: f64 = events.iter().map(|(_, weight)| weight).sum();
        events.into_iter().map(|(m, it)| (m, it / sum)).collect()
    }

    fn play(&mut self, m: u16) {
        self.key = mix(self.key.wrapping_add(u64::from(m) + 1));
        self.ply = self.ply.saturating_add(1);
        let (limit, spread) = (i32::from(self.shape.limit), i32::from(self.shape.spread));
        let step = self.draw(Draw::Value, 2 * spread as u64 + 1) as i32 - spread;
        self.value = (self.value + step).clamp(-limit, limit);
    }

    fn value(&self) -> f64 {
        f64::from(self.value)
    }

    fn range(&self) -> Interval {
        let limit = f64::from(self.shape.limit);
        match self.turn() {
            Turn::Over => Interval::new(self.value(), self.value()),
            _ => Interval::new(-limit, limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        layers: Layers::Mixed,
        branching: 4,
        odds: Odds::Weighted(9),
        limit: 20,
        spread: 6,
    };

    /// All nodes to a depth.
    fn nodes(node: RandomChanceTree, depth: u32, found: &mut Vec<RandomChanceTree>) {
        found.push(node);
        if depth > 0 && node.turn() != Turn::Over {
            for m in node.legal_moves() {
                nodes(node.after(m), depth - 1, found);
            }
        }
    }

    #[test]
    fn mixed_trees_have_nodes_of_all_kinds_and_lawful_odds() {
        let mut found = Vec::new();
        nodes(RandomChanceTree::new(SHAPE, 3), 8, &mut found);
        let count = |turn| found.iter().filter(|node| node.turn() == turn).count();
        let kinds = [
            Turn::Over,
            Turn::Chance,
            Turn::Player(Side::First),
            Turn::Player(Side::Second),
        ];
        for turn in kinds {
            assert!(count(turn) > found.len() / 20, "{turn:?}");
        }
        for node in &found {
            let events = node.events();
            let sum: f64 = events.iter().map(|(_, odds)| odds).sum();
            assert!((sum - 1.0).abs() < 1e-12 && events.iter().all(|(_, odds)| *odds > 0.0));
            assert!(node.value().abs() <= 20.0);
        }
    }

    #[test]
    fn a_tree_follows_from_its_seed() {
        let node = |seed| RandomChanceTree::new(SHAPE, seed).after(0).after(0);
        assert_eq!(node(5), node(5));
        assert_ne!(node(5).key, node(6).key);
    }
}
