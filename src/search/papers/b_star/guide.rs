//! Choice of the leaf to expand: the two strategies of B*, and two ways to choose between them.

use std::cmp::Reverse;

use super::Guide;
use super::belief::{Belief, INFINITE};
use crate::conspiracy::{Kind, Push};
use crate::search::kit::arena::{Arena, Node, NodeId};
use crate::search::kit::sorting::sort_by_key;
use crate::value::Value;

/// A tree of beliefs.
pub(super) type Tree<M> = Arena<M, Belief>;

/// The goal of work on one of the root's children: to raise the pessimistic bound for the root's side to the separator,
/// or to lower the optimistic one to it. `None`: to follow the child most promising to the side to move.
pub(super) type Aim = Option<Push>;

/// The other children of the root.
fn others<M: Copy>(tree: &Tree<M>, best: NodeId) -> impl Iterator<Item = (NodeId, &Belief)> {
    let beliefs = tree.children(tree.root()).iter().map(|child| &child.data);
    let children = tree.child_ids(NodeId::ROOT).zip(beliefs);
    children.filter(move |&(child, _)| child != best)
}

/// Whether the best move is proven at least as good as all others.
pub(super) fn is_separated<M: Copy>(tree: &Tree<M>, best: Option<NodeId>) -> bool {
    best.is_none_or(|best| {
        let (low, _) = tree.node(best).for_root();
        others(tree, best).all(|(_, other)| other.for_root().1 <= low)
    })
}

/// The range for the separator: from the greatest value of the other moves to the best move's value. `None` for a
/// single move.
pub(super) fn gap<M: Copy>(tree: &Tree<M>, best: NodeId) -> Option<(Value, Value)> {
    let second = others(tree, best).map(|(_, other)| other.value.from_child());
    Some((second.max()?, tree.node(best).value.from_child()))
}

/// The root's child to work on, and the goal; for use while no move is proven best.
pub(super) fn choose<M: Copy>(tree: &Tree<M>, best: NodeId, guide: Guide) -> (NodeId, Aim) {
    // Rivals with the best optimistic bound first.
    let mut rivals: Vec<NodeId> = others(tree, best).map(|(child, _)| child).collect();
    sort_by_key(&mut rivals, |&child| Reverse(tree.node(child).for_root().1));
    let by_count = match guide {
        Guide::Depths => None,
        Guide::Conspirators => by_conspirators(tree, best, &rivals),
    };
    by_count.unwrap_or_else(|| (by_depths(tree, best, &rivals), None))
}

/// Berliner's criterion of depths: DISPROVEREST if the squared depths of the rivals' optimistic bounds add up to less
/// than the squared depth of the best move's optimistic bound. All rivals that stand in the way count.
fn by_depths<M: Copy>(tree: &Tree<M>, best: NodeId, rivals: &[NodeId]) -> NodeId {
    let (low, _) = tree.node(best).for_root();
    let in_the_way = |&&rival: &&NodeId| tree.node(rival).for_root().1 > low;
    // The optimistic bound for the root's side is the pessimistic one for the opponent, who is to move.
    let square = |child: NodeId| u32::from(tree.node(child).low_ply).pow(2);
    let others: u32 = rivals.iter().filter(in_the_way).map(|&it| square(it)).sum();
    let disprove = others < square(best) || !tree.node(best).is_open();
    match rivals.first() {
        Some(&rival) if disprove && tree.node(rival).is_open() => rival,
        _ => best,
    }
}

/// The strategy that takes fewer leaves, PROVEBEST if equal; `None` if no leaf can help either.
fn by_conspirators<M: Copy>(
    tree: &Tree<M>,
    best: NodeId,
    rivals: &[NodeId],
) -> Option<(NodeId, Aim)> {
    let prove = tree.node(best).raise;
    let disprove = rivals.iter().fold(0_u32, |sum, &rival| {
        sum.saturating_add(tree.node(rival).lower)
    });
    let possible = |&rival: &NodeId| (1..INFINITE).contains(&tree.node(rival).lower);
    let possible = rivals.iter().copied().filter(possible);
    let cheapest = possible.min_by_key(|&rival| tree.node(rival).lower);
    let disproof = cheapest.map(|rival| (rival, Some(Push::Lower)));
    let proof = (1..INFINITE)
        .contains(&prove)
        .then_some((best, Some(Push::Raise)));
    // A strategy with nothing left to do leaves the choice to the other.
    if disprove > 0 && disprove < prove || prove == 0 {
        disproof.or(proof)
    } else {
        proof.or(disproof)
    }
}

/// The path from the node `from` down to the leaf to expand.
pub(super) fn descend<M: Copy>(tree: &Tree<M>, from: NodeId, aim: Aim) -> Vec<NodeId> {
    let mut way = vec![from];
    let mut id = from;
    while let Some(next) = next(tree, id, aim) {
        way.push(next);
        id = next;
    }
    way
}

fn next<M: Copy>(tree: &Tree<M>, id: NodeId, aim: Aim) -> Option<NodeId> {
    let node = tree.node(id);
    let mut children = tree.child_ids(id).zip(tree.children(node));
    let count = |(_, child): &(NodeId, &Node<M, Belief>)| match aim {
        Some(Push::Raise) => child.raise,
        _ => child.lower,
    };
    let next = match (aim, Kind::at_ply(usize::from(node.ply))) {
        (None, _) => {
            let open = children.filter(|(_, child)| child.is_open());
            // The child with the mover's best optimistic bound has the lowest pessimistic one; the first of equals.
            open.min_by_key(|(_, child)| child.low)
        }
        // One child suffices: the one that takes the fewest leaves.
        (Some(push), kind) if push.is_or_node(kind) => children.min_by_key(count),
        // All children are needed: the leftmost whose bound is not there yet.
        _ => children.find(|child| count(child) > 0),
    };
    next.map(|(child, _)| child)
}
