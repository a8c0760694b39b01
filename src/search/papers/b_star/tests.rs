//! B* and its hybrid held against minimax, and the hybrid's numbers against the definition.

use super::belief::{Belief, INFINITE};
use super::guide::Tree;
use super::run::Run;
use super::*;
use crate::conspiracy::definition::Tree as Drawn;
use crate::conspiracy::{Count, Kind};
use crate::games::random_tree::{Child, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
use crate::search::kit::arena::NodeId;
use crate::search::papers::minimax::Minimax;
use crate::search::papers::planted;
use crate::search::{Occasion, Unobserved};
use crate::value::Value;
use proptest::prelude::*;

const GUIDES: [Guide; 2] = [Guide::Depths, Guide::Conspirators];

/// Settings under which values must be known exactly.
fn exact(guide: Guide) -> Settings {
    Settings {
        guide,
        hash_megabytes: 8,
        width: 1,
    }
}

fn minimax<G: Game, E: Evaluator<G>>(root: &Root<G>, depth: u32, evaluator: E) -> Report<G::Move> {
    Minimax::new(evaluator).search(root, &Limits::iterations(depth), &mut Unobserved)
}

#[test]
fn tic_tac_toe_is_solved_like_minimax_does() {
    let openings: [&[u8]; 6] = [&[], &[4], &[0, 1], &[0, 4], &[4, 1], &[0, 8, 2]];
    for cells in openings {
        let root = Root::new(TicTacToe::after_cells(cells).unwrap());
        let yardstick = minimax(&root, 9, OpenRows);
        for guide in GUIDES {
            let mut search = BStar::new(exact(guide), OpenRows);
            let report = search.search(&root, &Limits::default(), &mut Unobserved);
            let sign = |value: Value| (value.is_win(), value.is_loss());
            assert_eq!(
                sign(report.value),
                sign(yardstick.value),
                "{cells:?} {guide:?}"
            );
            let mut position = root.position;
            for &m in &report.pv {
                assert!(position.legal_moves().contains(&m));
                position.play(m);
            }
            if report.value.is_decided() {
                assert!(position.legal_moves().is_empty());
            } else {
                assert_eq!(report.value, Value::DRAW);
            }
        }
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

/// A tree of beliefs as the definition sees it: whether bounds are at the separator already, and
/// whether they could be.
fn drawn(tree: &Tree<Child>, id: NodeId, raise: bool, at: Value) -> Drawn {
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
        let yardstick = minimax(&root, u32::from(depth), ReadOff);
        for guide in GUIDES {
            let mut search = BStar::new(exact(guide), ReadOff);
            let report = search.search(&root, &Limits::default(), &mut Unobserved);
            prop_assert_eq!(report.value, yardstick.value, "{:?}", guide);
            // The move is as good as the best one.
            let m = report.best_move().unwrap();
            let after = Root::new(root.position.after(m));
            let reply = minimax(&after, u32::from(depth), ReadOff).value;
            prop_assert_eq!(reply.from_child(), yardstick.value, "{:?}", guide);
        }
    }

    /// The hybrid's numbers are those of the definition, whenever the search is looked at.
    #[test]
    fn numbers_are_those_of_the_definition(
        seed in any::<u64>(), nodes in 1..400_u64, spread in 1..20_u16,
    ) {
        let root = Root::new(RandomTree::new(shape(3, 8, spread), seed));
        let limits = Limits::nodes(nodes);
        let settings = Settings { width: 7, ..exact(Guide::Conspirators) };
        let mut evaluator = ReadOff;
        let mut nobody = Unobserved;
        let run = Run::new(settings, &root, &limits, &mut nobody, &mut evaluator);
        let (tree, separator) = run.ok().unwrap().grown();
        for id in tree.ids() {
            let Belief { raise, lower, .. } = tree.node(id).data;
            let kind = |raise| drawn(&tree, id, raise, separator);
            let expected = kind(true).conspiracy_number(1);
            prop_assert_eq!(count(raise), expected, "raise {:?}", id);
            let expected = kind(false).conspiracy_number(0);
            prop_assert_eq!(count(lower), expected, "lower {:?}", id);
        }
    }
}

/// Keeps the bounds' order at every report.
#[derive(Default)]
struct Iterations(Vec<u32>);

impl<M> Observer<M> for Iterations {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<M>) {
        if report.occasion == Occasion::Iteration {
            self.0.push(report.iteration);
        }
    }
}

#[test]
fn an_iteration_limit_ends_the_search_and_memory_stays_bounded() {
    let endless = Shape {
        branching: 20,
        limit: 400,
        values: StaticValues::Correlated { spread: 60 },
        ..Shape::default()
    };
    let root = Root::new(RandomTree::new(endless, 3));
    for guide in GUIDES {
        let settings = Settings {
            guide,
            hash_megabytes: 1,
            ..Settings::default()
        };
        let mut told = Iterations::default();
        let mut search = BStar::new(settings, ReadOff);
        let limits = Limits::iterations(3);
        let report = search.search(&root, &limits, &mut told);
        assert_eq!(report.iteration, 3);
        assert_eq!(told.0, [1, 2, 3]);
        let limits = Limits::nodes(150_000);
        let report = search.search(&root, &limits, &mut Unobserved);
        assert_eq!(report.nodes, 150_000, "{guide:?}");
        assert!(report.fullness <= 1000);
    }
}

#[test]
fn a_proof_means_that_bounds_do_not_overlap() {
    let root = Root::new(RandomTree::new(shape(4, 6, 8), 11));
    for guide in GUIDES {
        let mut evaluator = ReadOff;
        let (limits, mut nobody) = (Limits::default(), Unobserved);
        let run = Run::new(exact(guide), &root, &limits, &mut nobody, &mut evaluator);
        let (tree, _) = run.ok().unwrap().grown();
        let best = planted::best(&tree).unwrap();
        let (low, _) = tree.node(best).for_root();
        for child in tree.child_ids(NodeId::ROOT).filter(|&child| child != best) {
            assert!(tree.node(child).for_root().1 <= low);
        }
    }
}
