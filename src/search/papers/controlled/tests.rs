//! Controlled conspiracy-number search: moves compared with minimax, demands with the definition.

use super::run::{ControlledRun, EnvelopeNode};
use super::*;
use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree;
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::OpenRows;
use crate::search::Unobserved;
use crate::search::kit::arena::{Arena, NodeId};
use crate::search::tests::references::{
    minimax, of_move, stays_within_memory, tic_tac_toe, winner,
};
use proptest::prelude::*;

const TARGETS: [Target; 2] = [Target::Growing, Target::Two];

fn settings(target: Target) -> Settings {
    Settings {
        target,
        hash_megabytes: 8,
        margin: 0,
    }
}

#[test]
fn tic_tac_toe_is_played_like_minimax_does() {
    for root in tic_tac_toe() {
        for target in TARGETS {
            let mut search = Controlled::new(settings(target), OpenRows);
            let limits = Limits::iterations(if target == Target::Two { 10 } else { 250 });
            let report = search.search(&root, &limits, &mut Unobserved);
            let reply = of_move(&root, report.best_move().unwrap(), 9, OpenRows);
            let best = winner(minimax(&root, 9, OpenRows));
            assert_eq!(winner(reply), best, "{root:?} {target:?}");
            if report.value.is_decided() {
                assert_eq!(winner(report.value), best, "{root:?} {target:?}");
            }
        }
    }
}

fn shape(branching: u16, depth: Option<u16>) -> Shape {
    Shape {
        branching,
        depth,
        limit: 20,
        values: StaticValues::Correlated { spread: 9 },
    }
}

/// The tree in the definition's terms.
fn drawn(tree: &Arena<ChildIndex, EnvelopeNode>, id: NodeId) -> Tree {
    let EnvelopeNode {
        ply,
        value,
        is_final,
        ..
    } = tree.node(id).data;
    let kind = Kind::at_ply(usize::from(ply));
    if !tree.has_no_children(id) {
        let children = tree.child_ids(id).map(|child| drawn(tree, child));
        return Tree::Interior(kind, children.collect());
    }
    let value = i32::from(value.get());
    let value = if kind == Kind::Max { value } else { -value };
    if is_final {
        Tree::Terminal(value)
    } else {
        Tree::Leaf(value)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// In a fully expanded tree the move is one of the best, and a single move has its minimax value.
    #[test]
    fn random_trees_are_decided_like_minimax_does(
        seed in any::<u64>(), branching in 1..5_u16, depth in 1..5_u16,
    ) {
        let root = Root::new(RandomTree::new(shape(branching, Some(depth)), seed));
        let expected = minimax(&root, u32::from(depth), ReadOff);
        for target in TARGETS {
            let mut search = Controlled::new(settings(target), ReadOff);
            // More conspirators than any claim can have, or leaves searched deeper than the tree.
            let limits = Limits::iterations(if target == Target::Two { 8 } else { 250 });
            let report = search.search(&root, &limits, &mut Unobserved);
            let m = report.best_move().unwrap();
            let reply = of_move(&root, m, depth.into(), ReadOff);
            prop_assert_eq!(reply, expected, "{:?}", target);
            let limits = Limits { search_moves: vec![m], ..limits };
            let report = search.search(&root, &limits, &mut Unobserved);
            prop_assert_eq!(report.value, expected, "{:?}", target);
        }
    }

    /// After an iteration it takes as many conspirators as demanded to bring the best move below the separator, or any
    /// other move above it.
    #[test]
    fn what_is_demanded_is_there_by_the_definition(seed in any::<u64>(), demand in 1..5_u32) {
        let root = Root::new(RandomTree::new(shape(3, None), seed));
        let limits = Limits { nodes: Some(20_000), ..Limits::iterations(demand) };
        let (mut evaluator, mut nobody) = (ReadOff, Unobserved);
        let run = ControlledRun::new(settings(Target::Growing), &root, &limits, &mut nobody, &mut evaluator);
        let mut run = run.ok().unwrap();
        let _ = run.deepen();
        prop_assume!(run.planted.completed == demand);
        let (tree, separator) = (run.planted.tree, run.separator);
        let value = |child: NodeId| -i32::from(tree.node(child).value.get());
        let mut children: Vec<NodeId> = tree.child_ids(NodeId::ROOT).collect();
        children.sort_by_key(|&child| (-value(child), child));
        let best = drawn(&tree, children[0]).conspiracy_number(separator - 1);
        prop_assert!(best.get().is_none_or(|count| count >= demand));
        for &child in &children[1..] {
            let other = drawn(&tree, child).conspiracy_number(separator + 1);
            prop_assert!(other.get().is_none_or(|count| count >= demand));
        }
    }
}

#[test]
fn memory_stays_bounded_and_limits_hold() {
    for target in TARGETS {
        let small = Settings {
            hash_megabytes: 1,
            ..settings(target)
        };
        stays_within_memory(&mut Controlled::new(small, ReadOff));
    }
}
