//! All storages grow the same tree, and their numbers are those of the definition.

use std::path::Path;

use proptest::prelude::*;

use super::super::numbers::{Basic, Compromise, Goal, Intensive, Storage};
use super::super::run::Run;
use super::super::tree::{Node, NodeId, Tree};
use super::super::{BranchRule, Settings};
use super::{Bench, Clipping, defined, settings, shapes};
use crate::conspiracy::{Grid, Kind, LikelyRange, Push};
use crate::game::{Evaluator, Game};
use crate::games::chess::{self, Quiescence, notation};
use crate::games::random_tree::{RandomTree, ReadOff};
use crate::value::{Value, Window};

/// When the numbers on the path are held against the definition, which takes time that grows with
/// the square of the steps: at every one of the first few, then now and then. The tree itself is
/// compared after every step.
fn is_checked(step: usize) -> bool {
    step < 12 || step.is_multiple_of(13)
}

/// A node and what can be seen of it.
type Seen<M> = (M, Value, u8, u8);

/// How a tree came about and what it became.
#[derive(PartialEq, Debug)]
struct Growth<M> {
    /// After each step the path of the expansion, the root's value and likely range.
    steps: Vec<(Vec<u32>, Value, LikelyRange)>,
    /// All nodes, sons after their fathers.
    nodes: Vec<Seen<M>>,
}

fn all_nodes<M: Copy, R: Copy>(tree: &Tree<M, R>) -> Vec<Seen<M>> {
    let mut seen = Vec::new();
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        seen.push((node.m, node.value, node.index, node.state as u8));
        open.extend((0..tree.sons(node).len()).map(|number| tree.son(node, number)));
    }
    seen
}

/// The goals that a search at this range may ask for.
fn goals(range: LikelyRange, grid: &Grid) -> impl Iterator<Item = Goal> {
    let goal = |push, target| Goal { push, target };
    let lower = [range.min.checked_sub(1), Some(range.min)];
    let raise = [range.max, range.max + 1, range.min + 1].map(Some);
    let lower = lower
        .into_iter()
        .flatten()
        .map(move |it| goal(Push::Lower, it));
    let raise = raise
        .into_iter()
        .flatten()
        .map(move |it| goal(Push::Raise, it));
    let len = grid.len();
    lower.chain(raise).filter(move |goal| goal.target < len)
}

/// Holds the numbers of the nodes on the path, and of their sons, against the definition wherever
/// they are relevant.
fn check_path<G: Game, E: Evaluator<G>, S: Storage>(run: &Run<'_, G, E, S>) {
    for goal in goals(run.range, run.tree.grid()) {
        for (ply, &id) in run.line.nodes(run.line.len() - 1).iter().enumerate() {
            let node = run.tree.node(id);
            check_node(run, node, Kind::at_ply(ply), goal);
            if ply > 0 && goal.is_reached(node.index) {
                break;
            }
            for son in run.tree.sons(node) {
                check_node(run, son, Kind::at_ply(ply + 1), goal);
            }
        }
    }
}

fn check_node<G: Game, E: Evaluator<G>, S: Storage>(
    run: &Run<'_, G, E, S>,
    node: &Node<G::Move>,
    kind: Kind,
    goal: Goal,
) {
    let oracle = defined(run.tree, node, kind);
    assert_eq!(i32::from(node.index), oracle.value());
    let count = run.count(node, kind, goal);
    if goal.is_reached(node.index) {
        assert_eq!(count.get(), Some(0));
    } else {
        let expected = oracle.conspiracy_number(i32::from(goal.target));
        assert_eq!(count, expected, "{goal:?} at {oracle:?}");
    }
}

/// Grows a tree through the thresholds until nothing is left to do or so many expansions are made.
fn grow<G: Game, E: Evaluator<G>, S: Storage>(
    settings: Settings,
    evaluator: E,
    root: &G,
    expansions: usize,
    is_checked: fn(usize) -> bool,
) -> Growth<G::Move> {
    let mut bench = Bench::<G, E, S>::new(settings, evaluator);
    bench.tree = Tree::new(64 << 20);
    let mut run = bench.run(root.clone());
    let mut steps = Vec::new();
    let mut threshold = 2;
    run.set_threshold(threshold);
    while steps.len() < expansions && threshold < 250 && !run.is_over() {
        if run.has_converged() {
            threshold += 1;
            run.set_threshold(threshold);
            continue;
        }
        run.step().unwrap();
        if is_checked(steps.len()) {
            check_path(&run);
        }
        let path = run.line.nodes(run.line.len() - 1);
        let path = path.iter().map(|id| id.0).collect();
        steps.push((path, run.tree.root().value, run.range));
    }
    let nodes = all_nodes(run.tree);
    Growth { steps, nodes }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn all_storages_grow_the_same_random_tree(
        shape in shapes(),
        seed: u64,
        settings in settings(),
    ) {
        let root = RandomTree::new(shape, seed);
        let clipping = || Clipping { exact: ReadOff::default(), seed };
        let expansions = 60;
        let intensive =
            grow::<_, _, Intensive<32>>(settings, clipping(), &root, expansions, is_checked);
        let basic = grow::<_, _, Basic>(settings, clipping(), &root, expansions, is_checked);
        prop_assert_eq!(&basic, &intensive);
        let compromise =
            grow::<_, _, Compromise>(settings, clipping(), &root, expansions, is_checked);
        prop_assert_eq!(&compromise, &intensive);
    }
}

/// Counts material, to have a chess tree of any size in no time.
struct Material(Quiescence, u64);

impl Evaluator<chess::Position> for Material {
    fn evaluate(&mut self, position: &chess::Position, _: Window) -> Value {
        self.1 += 1;
        self.0.static_value(position)
    }

    fn static_value(&mut self, position: &chess::Position) -> Value {
        self.0.static_value(position)
    }

    fn nodes(&self) -> u64 {
        self.1
    }
}

/// The first positions of *Win at Chess*.
fn chess_positions() -> Vec<chess::Position> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd/wac.epd");
    let text = std::fs::read_to_string(path).unwrap();
    let fens = text.lines().map(|line| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        fields.join(" ") + " 0 1"
    });
    fens.take(60)
        .map(|fen| notation::parse_fen(&fen).expect(&fen))
        .collect()
}

#[test]
fn all_storages_grow_the_same_chess_tree() {
    let mut complete = 0;
    for (number, position) in chess_positions().iter().enumerate() {
        let settings = Settings {
            branch_rule: BranchRule::ALL[number % BranchRule::ALL.len()],
            best_move_cutoff: number % 3 > 0,
            ..Settings::default()
        };
        let seldom = |step| step == 250;
        let material = || Material(Quiescence::tactical(), 0);
        let expansions = 500;
        let intensive =
            grow::<_, _, Intensive<32>>(settings, material(), position, expansions, seldom);
        let basic = grow::<_, _, Basic>(settings, material(), position, expansions, seldom);
        let compromise =
            grow::<_, _, Compromise>(settings, material(), position, expansions, seldom);
        assert!(basic == intensive, "basic at {number}");
        assert!(compromise == intensive, "compromise at {number}");
        complete += usize::from(intensive.steps.len() == expansions);
    }
    assert!(complete >= 50, "only {complete} trees were large enough");
}
