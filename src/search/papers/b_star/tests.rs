//! B* and its hybrid compared with minimax, and the hybrid's numbers with the definition.

use super::belief::{Belief, INFINITE};
use super::guide::Tree;
use super::run::BStarRun;
use super::*;
use crate::conspiracy::definition::Tree as Drawn;
use crate::conspiracy::{Count, Kind};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::OpenRows;
use crate::search::kit::arena::NodeId;
use crate::search::tests::references::{
    endless, solves, solves_tic_tac_toe, stays_within_memory, tic_tac_toe,
};
use crate::search::{Occasion, Unobserved};
use crate::value::Value;
use proptest::prelude::*;

const GUIDES: [Guide; 2] = [Guide::Depths, Guide::Conspirators];

/// Settings that require exact values.
fn exact(guide: Guide) -> Settings {
    Settings {
        guide,
        hash_megabytes: 8,
        width: 1,
    }
}

#[test]
fn tic_tac_toe_is_solved_like_minimax_does() {
    for guide in GUIDES {
        let mut search = BStar::new(exact(guide), OpenRows);
        solves_tic_tac_toe(tic_tac_toe(), |root| {
            search.search(root, &Limits::default(), &mut Unobserved)
        });
    }
}

fn shape(branching: u16, depth: u16, spread: u16) -> Shape {
    Shape {
        branching,
        depth: Some(depth),
        limit: 20,
        values: StaticValues::Correlated { spread },
    }
}

/// Beliefs as values: 1 above the separator (or at it, to raise), else 0; terminal if the separator is out of reach.
fn drawn(tree: &Tree<ChildIndex>, id: NodeId, raise: bool, at: Value) -> Drawn {
    if !tree.has_no_children(id) {
        let children = tree
            .child_ids(id)
            .map(|child| drawn(tree, child, raise, at));
        let children = children.collect();
        return Drawn::Interior(Kind::at_ply(usize::from(tree.node(id).ply)), children);
    }
    let (low, high) = tree.node(id).for_root();
    let (is_there, can_be) = if raise {
        (low >= at, high >= at)
    } else {
        (high > at, low <= at)
    };
    let value = i32::from(is_there);
    if can_be {
        Drawn::Leaf(value)
    } else {
        Drawn::Terminal(value)
    }
}

fn count(number: u32) -> Count {
    if number == INFINITE {
        Count::INFINITY
    } else {
        Count::new(number)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_trees_are_solved_like_minimax_does(
        seed in any::<u64>(), branching in 1..5_u16, depth in 1..6_u16, spread in 0..20_u16,
    ) {
        let root = Root::new(RandomTree::new(shape(branching, depth, spread), seed));
        for guide in GUIDES {
            let mut search = BStar::new(exact(guide), ReadOff);
            let report = search.search(&root, &Limits::default(), &mut Unobserved);
            solves(&root, depth, &report)?;
        }
    }

    /// At all times the hybrid's numbers are those of the definition.
    #[test]
    fn numbers_are_those_of_the_definition(
        seed in any::<u64>(), nodes in 1..400_u64, spread in 1..20_u16,
    ) {
        let root = Root::new(RandomTree::new(shape(3, 8, spread), seed));
        let limits = Limits::nodes(nodes);
        let settings = Settings { width: 7, ..exact(Guide::Conspirators) };
        let mut evaluator = ReadOff;
        let mut nobody = Unobserved;
        let run = BStarRun::new(settings, &root, &limits, &mut nobody, &mut evaluator);
        let mut run = run.ok().unwrap();
        let _ = run.deepen();
        let (tree, separator) = (run.planted.tree, run.doubt.separator);
        for (id, node) in tree.nodes() {
            let Belief { raise, lower, .. } = node.data;
            let kind = |raise| drawn(&tree, id, raise, separator);
            let expected = kind(true).conspiracy_number(1);
            prop_assert_eq!(count(raise), expected, "raise {:?}", id);
            let expected = kind(false).conspiracy_number(0);
            prop_assert_eq!(count(lower), expected, "lower {:?}", id);
        }
    }
}

#[test]
fn an_iteration_limit_ends_the_search_and_memory_stays_bounded() {
    for guide in GUIDES {
        let settings = Settings {
            guide,
            hash_megabytes: 1,
            ..Settings::default()
        };
        let mut told = Vec::new();
        let mut search = BStar::new(settings, ReadOff);
        let limits = Limits::iterations(3);
        let report = search.search(&endless(), &limits, &mut told);
        assert_eq!(report.iteration, 3);
        let iterations = told.iter().filter(|it| it.occasion == Occasion::Iteration);
        assert!(iterations.map(|it| it.iteration).eq(1..=3));
        stays_within_memory(&mut search);
    }
}

#[test]
fn a_proof_means_that_bounds_do_not_overlap() {
    let root = Root::new(RandomTree::new(shape(4, 6, 8), 11));
    for guide in GUIDES {
        let mut evaluator = ReadOff;
        let (limits, mut nobody) = (Limits::default(), Unobserved);
        let run = BStarRun::new(exact(guide), &root, &limits, &mut nobody, &mut evaluator);
        let mut run = run.ok().unwrap();
        let _ = run.deepen();
        let best = run.planted.best().unwrap();
        let tree = run.planted.tree;
        let (low, _) = tree.node(best).for_root();
        for child in tree.child_ids(NodeId::ROOT).filter(|&child| child != best) {
            assert!(tree.node(child).for_root().1 <= low);
        }
    }
}
