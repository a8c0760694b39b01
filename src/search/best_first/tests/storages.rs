//! All storages grow the same tree, with the definition's numbers.

use std::path::Path;

use proptest::prelude::*;

use super::super::numbered::Numbered;
use super::super::numbers::Goal;
use super::super::run::Run;
use super::super::tree::{Node, NodeId, NodeState};
use super::super::{BranchRule, Settings, StorageKind};
use super::{Bench, Clipping, settings, shapes};
use crate::conspiracy::{self, Count, Grid, Kind, LikelyRange, Push};
use crate::game::{Evaluator, Game};
use crate::games::chess::{self, Quiescence, notation};
use crate::games::random_tree::{RandomTree, ReadOff};
use crate::value::Value;

/// Whether the thorough version is requested: larger trees, compared with the definition after every step. It takes
/// minutes, in release.
fn is_thorough() -> bool {
    std::env::var_os("CASSIUS_ORACLE").is_some_and(|it| it == "full")
}

/// Steps after which the numbers of all relevant nodes are compared with the definition. The time for that grows with
/// the square of the steps. The trees of the storages are compared after every step.
#[derive(Clone, Copy)]
struct Checks {
    /// All steps before this one (counted from 0), then every `every`-th.
    first: usize,
    every: usize,
}

impl Checks {
    fn contain(self, step: usize) -> bool {
        is_thorough() || step < self.first || step % self.every == self.every - 1
    }
}

/// The visible data of a node.
pub(super) type Seen<M> = (M, Value, u8, u8);

/// The steps by which a tree grew, and the tree.
#[derive(PartialEq, Debug)]
struct Growth<M> {
    /// After each step the path of the expansion, the root's value and likely range.
    steps: Vec<(Vec<u32>, Value, LikelyRange)>,
    /// All nodes, children after their parents.
    nodes: Vec<Seen<M>>,
}

pub(super) fn all_nodes<M: Copy>(tree: &Numbered<M>, from: NodeId) -> Vec<Seen<M>> {
    let mut seen = Vec::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        seen.push((node.m, node.value, node.index, node.state as u8));
        open.extend(tree.child_ids(id));
    }
    seen
}

/// The goals a search with this range may ask for.
fn goals(range: LikelyRange, grid: &Grid) -> impl Iterator<Item = Goal> {
    // One below 0 wraps to 255, beyond the grid, where there are no goals either.
    let lower = [range.min.wrapping_sub(1), range.min].map(|target| (Push::Lower, target));
    let raise = [range.max, range.max + 1, range.min + 1].map(|target| (Push::Raise, target));
    let goals = lower.into_iter().chain(raise);
    let goals = goals.map(|(push, target)| Goal { push, target });
    let len = grid.len();
    goals.filter(move |goal| goal.target < len)
}

/// Compares every node's value, and its numbers wherever it is relevant, with the definition.
pub(super) fn check<G: Game, E: Evaluator<G>>(run: &Run<'_, G, E>) {
    for goal in goals(run.range, run.tree.grid()) {
        let root = run.tree.root();
        check_node(run, root, Kind::Max, goal);
        if goal.is_reached(root.index) {
            // The best move cutoff asks for the numbers of the root's children in any case.
            for child in run.tree.children(root) {
                check_node(run, child, Kind::Min, goal);
            }
        }
    }
}

/// Computes the definition bottom up, so that each number is computed once, and compares on the way; returns the node's
/// value and number.
fn check_node<G: Game, E: Evaluator<G>>(
    run: &Run<'_, G, E>,
    node: &Node<G::Move>,
    kind: Kind,
    goal: Goal,
) -> (u8, Count) {
    let kept = run.tree.count(node, kind, goal);
    if goal.is_reached(node.index) {
        assert_eq!(kept.get(), Some(0));
        return (node.index, kept);
    }
    let (own, target) = (node.index, goal.target);
    let children = run.tree.children(node);
    let defined = if children.is_empty() {
        match node.state {
            NodeState::Terminal | NodeState::AtLimit => conspiracy::terminal(&own, &target),
            _ => conspiracy::leaf(&own, &target),
        }
    } else {
        let children = children.iter();
        let children: Vec<_> = children
            .map(|child| check_node(run, child, kind.other(), goal))
            .collect();
        let values = children.iter().map(|&(value, _)| value);
        assert_eq!(Some(own), values.reduce(|a, b| kind.better(a, b)));
        conspiracy::interior(kind, &own, &target, children)
    };
    assert_eq!(kept, defined, "{goal:?}");
    (own, defined)
}

/// Grows a tree through the thresholds until nothing is left to do or a limit on expansions is reached.
fn grow<G: Game, E: Evaluator<G>>(
    settings: Settings,
    evaluator: E,
    root: &G,
    expansions: usize,
    checks: Checks,
) -> Growth<G::Move> {
    let mut bench = Bench::with_bytes(64 << 20, settings, evaluator);
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
        let (_, ply) = run.step().unwrap();
        if checks.contain(steps.len()) {
            check(&run);
        }
        let path = run.line.nodes(ply).iter().map(|id| id.0).collect();
        steps.push((path, run.tree.root().value, run.range));
    }
    let nodes = all_nodes(run.tree, NodeId::ROOT);
    Growth { steps, nodes }
}

/// Grows the tree with each storage; all must agree. Returns the number of steps.
fn grow_all<G: Game, E: Evaluator<G>>(
    settings: Settings,
    evaluator: impl Fn() -> E,
    root: &G,
    expansions: usize,
    checks: Checks,
) -> usize {
    let grown = StorageKind::ALL.map(|storage| {
        let settings = Settings {
            storage,
            ..settings
        };
        (
            storage,
            grow(settings, evaluator(), root, expansions, checks),
        )
    });
    let [_, (_, intensive), ..] = &grown;
    for (storage, growth) in &grown {
        assert!(growth == intensive, "{storage:?}: {growth:?} {intensive:?}");
    }
    intensive.steps.len()
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
        let clipping = || Clipping { exact: ReadOff, seed };
        let expansions = if is_thorough() { 500 } else { 60 };
        let checks = Checks { first: 20, every: 7 };
        grow_all(settings, clipping, &root, expansions, checks);
    }
}

/// Evaluates by material alone, so that large chess trees take little time.
struct Material(Quiescence);

impl Evaluator<chess::Position> for Material {
    fn static_value(&mut self, position: &chess::Position) -> Value {
        self.0.static_value(position)
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
        let checks = Checks {
            first: 0,
            every: 100,
        };
        let material = || Material(Quiescence::tactical());
        let expansions = 300;
        let steps = grow_all(settings, material, position, expansions, checks);
        complete += usize::from(steps == expansions);
    }
    assert!(complete >= 50, "only {complete} trees were large enough");
}
