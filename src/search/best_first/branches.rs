//! How the nodes of a tree are spread over its branches, for those who study the search.

use super::tree::{Node, Tree};
use super::{BestFirst, StoredTree};
use crate::game::{Evaluator, Game};

/// A branch of a tree: a son of the root or of another node, and all below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch<M> {
    /// The move that leads there.
    pub m: M,
    /// Nodes in it, the son itself among them.
    pub nodes: u64,
    /// The branches it consists of, down to the ply that was asked for.
    pub sons: Vec<Branch<M>>,
}

impl<G: Game, E: Evaluator<G>> BestFirst<G, E> {
    /// The branches of the tree that the last search left, best first by the values that the sons
    /// had when they were new; their own branches too, `plies` plies deep. None before any search.
    pub fn branches(&self, plies: usize) -> Vec<Branch<G::Move>> {
        match &self.tree {
            StoredTree::Basic(tree) => of_tree(tree, plies),
            StoredTree::Intensive32(tree) => of_tree(tree, plies),
            StoredTree::Intensive48(tree) => of_tree(tree, plies),
            StoredTree::Intensive64(tree) => of_tree(tree, plies),
            StoredTree::Intensive128(tree) => of_tree(tree, plies),
            StoredTree::Intensive256(tree) => of_tree(tree, plies),
            StoredTree::Compromise(tree) => of_tree(tree, plies),
        }
    }
}

fn of_tree<M: Copy, R: Copy>(tree: &Tree<M, R>, plies: usize) -> Vec<Branch<M>> {
    if tree.len() == 0 {
        return Vec::new();
    }
    below(tree, tree.root(), plies)
}

fn below<M: Copy, R: Copy>(tree: &Tree<M, R>, node: &Node<M>, plies: usize) -> Vec<Branch<M>> {
    let sons = tree.sons(node).iter();
    let branches = sons.map(|son| Branch {
        m: son.m,
        nodes: count(tree, son),
        sons: match plies {
            0 | 1 => Vec::new(),
            more => below(tree, son, more - 1),
        },
    });
    branches.collect()
}

/// Nodes of the branch that begins with this one.
fn count<M: Copy, R: Copy>(tree: &Tree<M, R>, node: &Node<M>) -> u64 {
    let sons = tree.sons(node).iter();
    1 + sons.map(|son| count(tree, son)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conspiracy::Grid;
    use crate::game::Root;
    use crate::games::random_tree::{RandomTree, ReadOff, Shape};
    use crate::search::best_first::Settings;
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
            let below: u64 = branch.sons.iter().map(|son| son.nodes).sum();
            assert_eq!(below + 1, branch.nodes);
            assert!(branch.sons.iter().all(|son| son.sons.is_empty()));
        }
        let shallow = search.branches(1);
        assert!(shallow.iter().all(|branch| branch.sons.is_empty()));
    }
}
