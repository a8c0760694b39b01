//! Random game trees (thesis, chapter 4): a seed and the path determine each node, so a tree of any size takes no
//! memory and is the same for every search.

use crate::game::{Evaluator, Game, MAX_MOVES, Moves, Side};
use crate::random::mix;
use crate::value::Value;

/// Rules for static values (thesis, section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticValues {
    /// Every node's value is drawn from the whole range: children tell nothing about parents.
    Independent,
    /// A node's value differs from its parent's by at most `spread`, as in most real games.
    Correlated {
        /// Largest difference between a node and its parent, for the same side, in centipawns.
        spread: u16,
    },
    /// The best move hardly changes the value and most moves lose something, so that a node's value hardly changes when its children
    /// are searched: every move costs its side -1 (it gains 1) to `loss` centipawns, each amount equally likely.
    Settled {
        /// Largest loss by a move, in centipawns.
        loss: u16,
    },
}

/// Parameters of a family of random trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Children of every interior node, 1 to [`MAX_MOVES`].
    pub branching: u16,
    /// Ply at which the game is over, or `None` for endless trees.
    pub depth: Option<u16>,
    /// Values are integers from `-limit` to `limit`, one centipawn each.
    pub limit: u16,
    /// Relation of a node's value to its parent's.
    pub values: StaticValues,
}

impl Default for Shape {
    /// The trees of the thesis's figure 4.1: five children, values from -20 to 20.
    fn default() -> Shape {
        Shape {
            branching: 5,
            depth: None,
            limit: 20,
            values: StaticValues::Independent,
        }
    }
}

/// A node of a random tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomTree {
    shape: Shape,
    key: u64,
    ply: u16,
    /// Static value for the side to move.
    value: i16,
}

/// Index of a child, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChildIndex(pub u16);

/// A number from `-limit` to `limit`, every one equally likely but for one part in 2^47.
fn draw(key: u64, limit: u16) -> i32 {
    let range = 2 * u64::from(limit) + 1;
    (mix(key ^ 0xC0FF_EE00) % range) as i32 - i32::from(limit)
}

impl RandomTree {
    /// The root of the tree with this seed.
    pub fn new(shape: Shape, seed: u64) -> RandomTree {
        let shape = Shape {
            branching: shape.branching.clamp(1, MAX_MOVES as u16),
            limit: shape.limit.min(Value::MAX_CENTIPAWNS as u16),
            ..shape
        };
        let key = mix(seed);
        RandomTree {
            shape,
            key,
            ply: 0,
            value: draw(key, shape.limit) as i16,
        }
    }

    /// The node's static value for the side to move.
    pub fn static_value(&self) -> Value {
        Value::centipawns(i32::from(self.value))
    }
}

impl Game for RandomTree {
    type Move = ChildIndex;

    fn key(&self) -> u64 {
        self.key
    }

    fn side_to_move(&self) -> Side {
        Side::at_ply(self.ply.into())
    }

    fn legal_moves(&self) -> Moves<ChildIndex> {
        if self.shape.depth.is_some_and(|depth| self.ply >= depth) {
            return Moves::new();
        }
        (0..self.shape.branching).map(ChildIndex).collect()
    }

    fn play(&mut self, m: ChildIndex) {
        self.key = mix(self.key.wrapping_add(u64::from(m.0) + 1));
        self.ply = self.ply.saturating_add(1);
        let limit = i32::from(self.shape.limit);
        let value = match self.shape.values {
            StaticValues::Independent => draw(self.key, self.shape.limit),
            StaticValues::Correlated { spread } => -i32::from(self.value) + draw(self.key, spread),
            StaticValues::Settled { loss } => {
                let lost = mix(self.key ^ 0xC0FF_EE00) % (u64::from(loss) + 2);
                -i32::from(self.value) + lost as i32 - 1
            }
        };
        self.value = value.clamp(-limit, limit) as i16;
    }

    fn terminal_value(&self) -> Value {
        self.static_value()
    }

    fn move_code(m: ChildIndex) -> u16 {
        m.0 + 1
    }
}

/// Evaluates a random tree's node by its own static value.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOff;

impl Evaluator<RandomTree> for ReadOff {
    fn static_value(&mut self, position: &RandomTree) -> Value {
        position.static_value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(parent: RandomTree) -> Vec<RandomTree> {
        let moves = parent.legal_moves();
        moves.into_iter().map(|m| parent.after(m)).collect()
    }

    #[test]
    fn a_tree_follows_from_its_seed() {
        let shape = Shape {
            depth: Some(3),
            ..Shape::default()
        };
        let (a, b) = (RandomTree::new(shape, 7), RandomTree::new(shape, 7));
        assert_eq!(children(a), children(b));
        assert_ne!(children(a), children(RandomTree::new(shape, 8)));
        assert_eq!(children(children(children(a)[0])[4])[1].outcome(), {
            let leaf = children(children(children(b)[0])[4])[1];
            Some(leaf.static_value())
        });
    }

    #[test]
    fn independent_values_fill_the_range_evenly() {
        let root = RandomTree::new(
            Shape {
                branching: 256,
                ..Shape::default()
            },
            1,
        );
        let mut seen = [0; 41];
        for child in children(root) {
            for grandchild in children(child) {
                seen[usize::try_from(grandchild.static_value().get() + 20).unwrap()] += 1;
            }
        }
        let expected = 256 * 256 / 41;
        assert!(
            seen.iter().all(|&n: &i32| (n - expected).abs() < 200),
            "{seen:?}"
        );
    }

    #[test]
    fn correlated_values_stay_near_the_parent_s() {
        let shape = Shape {
            values: StaticValues::Correlated { spread: 2 },
            ..Shape::default()
        };
        let mut node = RandomTree::new(shape, 5);
        for _ in 0..100 {
            for child in children(node) {
                let difference = child.static_value().get() + node.static_value().get();
                assert!(difference.abs() <= 2);
                assert!(child.static_value().get().abs() <= 20);
            }
            node = node.after(ChildIndex(3));
        }
    }

    #[test]
    fn settled_values_hardly_move_when_children_come() {
        let shape = Shape {
            branching: 30,
            limit: 100,
            values: StaticValues::Settled { loss: 6 },
            ..Shape::default()
        };
        let mut node = RandomTree::new(shape, 5);
        for _ in 0..50 {
            let gains = children(node)
                .into_iter()
                .map(|child| -child.static_value().get() - node.static_value().get());
            let gains: Vec<i16> = gains.collect();
            assert!(gains.iter().all(|gain| (-6..=1).contains(gain)));
            assert!(gains.iter().max() >= Some(&0) && gains.iter().min() < Some(&-3));
            node = node.after(ChildIndex(3));
        }
    }
}
