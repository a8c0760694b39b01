//! Numbers of nodes in each branch of the tree, for studies of the search.

use super::BestFirst;
use super::numbered::Numbered;
use super::tree::Node;
use crate::game::{Evaluator, Game};

/// A branch: a child and its subtree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch<M> {
    /// The move that leads there.
    pub m: M,
    /// Nodes in the branch, the child included.
    pub nodes: u64,
    /// The branches into which it divides; none at the last ply asked for.
    pub children: Vec<Branch<M>>,
}

impl<G: Game, E: Evaluator<G>> BestFirst<G, E> {
    /// The branches of the last search's tree, with their own branches down to `plies` plies; best first by the
    /// children's first values. Empty before any search.
    pub fn branches(&self, plies: usize) -> Vec<Branch<G::Move>> {
        if self.tree.is_empty() {
            return Vec::new();
        }
        below(&self.tree, self.tree.root(), plies)
    }
}

fn below<M: Copy>(tree: &Numbered<M>, node: &Node<M>, plies: usize) -> Vec<Branch<M>> {
    let children = tree.children(node).iter();
    let branches = children.map(|child| Branch {
        m: child.m,
        nodes: count(tree, child),
        children: match plies {
            0 | 1 => Vec::new(),
            more => below(tree, child, more - 1),
        },
    });
    branches.collect()
}

/// Nodes of the subtree of this node.
fn count<M: Copy>(tree: &Numbered<M>, node: &Node<M>) -> u64 {
    let children = tree.children(node).iter();
    1 + children.map(|child| count(tree, child)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conspiracy::Grid;
    use crate::game::Root;
    use crate::games::random_tree::{RandomTree, ReadOff, Shape};
    use crate::search::papers::best_first::Settings;
    use crate::search::{Limits, Searcher, Unobserved};

    #[test]
    fn branches_hold_all_nodes_but_the_root() {
        let settings = Settings {
            grid: Grid::integers(15),
            ..Settings::default()
        };
        let mut search = BestFirst::<RandomTree, _>::new(settings, 1, ReadOff);
        assert_eq!(search.branches(2), []);
        let root = Root::new(RandomTree::new(Shape::default(), 7));
        let report = search.search(&root, &Limits::nodes(5_000), &mut Unobserved);
        let branches = search.branches(2);
        assert_eq!(branches.len(), usize::from(Shape::default().branching));
        let nodes: u64 = branches.iter().map(|branch| branch.nodes).sum();
        let tree_size = report.conspiracy.and_then(|it| it.tree).map(|it| it.nodes);
        assert_eq!(Some(nodes + 1), tree_size);
        for branch in &branches {
            let below: u64 = branch.children.iter().map(|child| child.nodes).sum();
            assert_eq!(below + 1, branch.nodes);
            assert!(
                branch
                    .children
                    .iter()
                    .all(|child| child.children.is_empty())
            );
        }
        let shallow = search.branches(1);
        assert!(shallow.iter().all(|branch| branch.children.is_empty()));
    }
}
