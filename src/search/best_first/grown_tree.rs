//! The tree of the last search, read as a [`Profile`] or copied as a [`Snapshot`].

use super::numbered::Numbered;
use super::tree::{Node, NodeId};
use crate::conspiracy::Kind;
use crate::profile::snapshot::{Judged, Snapshot};
use crate::profile::{self, GrownTree, Nature, Profile, Question};
use crate::value::Value;

/// The profile of the tree's root, with `choice` for the move to play unless the question names another; `None` before any
/// search.
///
/// Its numbers are exact for the tree if all leaves were evaluated in the whole window
/// ([`LeafWindow::Whole`](super::LeafWindow)) and memory did not run out. A clipped leaf counts with its bound as value, a
/// node that has lost its children as a leaf with its last value.
pub(super) fn profile<M: Copy + Eq>(
    tree: &Numbered<M>,
    choice: Option<M>,
    question: &Question,
) -> Option<Profile<Vec<M>>> {
    let children = (!tree.is_empty()).then(|| tree.children(tree.root()))?;
    let number = |m| children.iter().position(|child| child.m == m);
    let question = Question {
        choice: question.choice.or_else(|| choice.and_then(number)),
        ..*question
    };
    Some(profile::of_tree(&Stored(tree), &question))
}

/// A copy of the tree; `None` before any search. Its values are subject to the caveats of [`profile()`].
pub(super) fn snapshot<M: Copy>(tree: &Numbered<M>) -> Option<Snapshot<M, Judged>> {
    let stored = Stored(tree);
    let look = |&node: &(NodeId, u16)| {
        let judged = Judged {
            value: stored.value(node),
            nature: stored.nature(node),
            turn: tree.next_child(stored.node(node)),
        };
        (judged, stored.children(node).collect())
    };
    (!tree.is_empty()).then(|| Snapshot::of(stored.root(), look))
}

/// A stored tree whose nodes come with their ply, which tells the side to move.
struct Stored<'t, M>(&'t Numbered<M>);

impl<M: Copy> Stored<'_, M> {
    fn node(&self, (id, _): (NodeId, u16)) -> &Node<M> {
        self.0.node(id)
    }
}

impl<M: Copy> GrownTree for Stored<'_, M> {
    type Node = (NodeId, u16);
    type Move = M;

    fn root(&self) -> (NodeId, u16) {
        (NodeId::ROOT, 0)
    }

    fn value(&self, node: (NodeId, u16)) -> Value {
        (0..node.1).fold(self.node(node).value, |value, _| value.from_child())
    }

    fn nature(&self, node: (NodeId, u16)) -> Nature {
        match self.node(node) {
            it if it.is_final() => Nature::Terminal,
            it if self.0.children(it).is_empty() => Nature::Leaf,
            _ => Nature::Interior(Kind::at_ply(node.1.into())),
        }
    }

    fn children(&self, node: (NodeId, u16)) -> impl Iterator<Item = (M, (NodeId, u16))> {
        let parent = self.node(node);
        let children = self.0.children(parent).iter().enumerate();
        children.map(move |(number, child)| (child.m, (self.0.child(parent, number), node.1 + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conspiracy::{Count, Grid, Push};
    use crate::game::Root;
    use crate::games::random_tree::{RandomTree, ReadOff, Shape};
    use crate::search::best_first::{BestFirst, LeafWindow, Settings, StorageKind};
    use crate::search::{Limits, Searcher, Support, Unobserved};

    /// The search and the profile have the same numbers, and the same likely range.
    #[test]
    fn a_profile_says_what_the_search_says() {
        for storage in StorageKind::ALL {
            for seed in 0..6 {
                let settings = Settings {
                    grid: Grid::integers(20),
                    leaf_window: LeafWindow::Whole,
                    best_move_cutoff: false,
                    storage,
                    ..Settings::default()
                };
                let evaluator = ReadOff;
                let mut search = BestFirst::<RandomTree, _>::new(settings, 1, evaluator);
                let question = Question::default();
                assert!(search.profile(&question).is_none());
                assert!(search.snapshot().is_none());
                let root = Root::new(RandomTree::new(Shape::default(), seed));
                let limits = Limits::nodes(2_000);
                let report = search.search(&root, &limits, &mut Unobserved);
                let told = report.conspiracy.unwrap();
                let profile = search.profile(&question).unwrap();
                assert_eq!(profile.value, report.value);
                let copy = search.snapshot().unwrap();
                let (size, sizes) = (told.tree.map(|tree| tree.nodes), copy.sizes());
                assert_eq!(size, Some(sizes[0] as u64));
                let branching = usize::from(Shape::default().branching);
                assert_eq!(copy.children_of(0).len(), branching);
                for (node, size) in sizes.iter().enumerate() {
                    let below = &sizes[copy.children_of(node)];
                    assert_eq!(*size, 1 + below.iter().sum::<usize>());
                }
                assert_eq!(profile::of_tree(&copy, &question), profile);
                for (push, steps) in [
                    (Push::Raise, &profile.raised),
                    (Push::Lower, &profile.lowered),
                ] {
                    for step in steps {
                        let counts = copy.counts(push, step.to);
                        assert_eq!(counts[0], Some(step.conspirators));
                        let named = copy.conspirators(0, push, &counts);
                        let values: Vec<_> = step.names.iter().map(|it| it.value).collect();
                        let found = named.iter().map(|&leaf| copy.value(leaf));
                        assert!(values.is_empty() || values.iter().copied().eq(found));
                    }
                }
                let counted = Support::Leaves {
                    below: profile.below,
                    above: profile.above,
                };
                assert_eq!(counted, told.support);
                let threshold = Count::new(told.threshold);
                let below_threshold = profile.ranges.iter().rev();
                let range = below_threshold
                    .filter(|range| Count::new(range.conspirators) < threshold)
                    .map(|range| (range.min, range.max))
                    .next();
                let clamp =
                    |value: Value| value.clamp(Value::centipawns(-20), Value::centipawns(20));
                let range = range.map(|(min, max)| (clamp(min), clamp(max)));
                assert_eq!(range, Some(told.likely_range), "seed {seed}");
            }
        }
    }
}
