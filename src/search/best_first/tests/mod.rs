//! The search compared with the definition, step by step.

mod reclaiming;
mod reuse;
mod siblings;
mod storages;

use proptest::prelude::*;

use super::numbered::Numbered;
use super::numbers::Goal;
use super::run::Run;
use super::tree::{Node, NodeState};
use super::{BestFirst, BranchRule, LeafWindow, Settings, Strategy as Choosing};
use crate::conspiracy::{Count, Grid, Kind, LikelyRange, Push, definition};
use crate::game::{Evaluated, Evaluator, Game, Root, Visits};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::OpenRows;
use crate::search::tests::references::{minimax, solves_tic_tac_toe, tic_tac_toe};
use crate::search::{Limits, Searcher, Unobserved};
use crate::value::{Value, Window};

/// Everything a [`Run`] borrows.
struct Bench<G: Game, E> {
    settings: Settings,
    limits: Limits<G::Move>,
    observer: Unobserved,
    evaluator: E,
    tree: Numbered<G::Move>,
}

impl<G: Game, E: Evaluator<G>> Bench<G, E> {
    fn new(settings: Settings, evaluator: E) -> Self {
        Bench::with_bytes(4 << 20, settings, evaluator)
    }

    /// A bench whose tree may take `bytes`.
    fn with_bytes(bytes: usize, settings: Settings, evaluator: E) -> Self {
        Bench {
            tree: Numbered::new(&settings, bytes),
            settings,
            limits: Limits::default(),
            observer: Unobserved,
            evaluator,
        }
    }

    fn run(&mut self, position: G) -> Run<'_, G, E> {
        self.go_on(&Root::new(position), None)
    }

    /// A search of `root` on the tree of an earlier search, if any.
    fn go_on(&mut self, root: &Root<G>, planted: Option<&Root<G>>) -> Run<'_, G, E> {
        Run::new(
            &self.settings,
            root,
            &self.limits,
            &mut self.observer,
            &mut self.evaluator,
            &mut self.tree,
            planted,
        )
        .expect("the game is not over")
    }
}

/// The tree of section 2.7: every node has two children, every value is 0. Nodes have letters, level by level.
#[test]
fn section_2_7_expansion_by_expansion() {
    let shape = Shape {
        branching: 2,
        limit: 0,
        ..Shape::default()
    };
    let settings = Settings {
        grid: Grid::integers(3),
        best_move_cutoff: false,
        ..Settings::default()
    };
    let mut bench = Bench::new(settings, ReadOff);
    let mut run = bench.run(RandomTree::new(shape, 1));
    run.set_threshold(2);
    let ends = |range: LikelyRange| (i32::from(range.min) - 3, i32::from(range.max) - 3);
    let mut ranges = vec![ends(run.range)];
    let mut expanded = String::new();
    while !run.has_converged() {
        let (_, ply) = run.step().unwrap();
        let line = run.line.nodes(ply).iter();
        let line = line.filter(|&&id| !run.tree.has_no_children(id)).skip(1);
        let number = line.fold(0, |number, &id| 2 * number + 1 + run.tree.node(id).m.0);
        expanded.push(char::from(b'A' + number as u8));
        ranges.push(ends(run.range));
    }
    assert_eq!(ranges, [(-3, 3), (0, 3), (0, 3), (0, 0)]);
    assert_eq!(expanded, "ABC");
    assert_eq!(run.tree.root().value, Value::DRAW);
}

/// A subtree in the definition's terms, values as indices.
fn defined<M: Copy>(tree: &Numbered<M>, node: &Node<M>, kind: Kind) -> definition::Tree {
    let value = i32::from(node.index);
    match node.state {
        NodeState::Terminal | NodeState::AtLimit => definition::Tree::Terminal(value),
        NodeState::Interior => {
            let children = tree.children(node).iter();
            let children = children.map(|child| defined(tree, child, kind.other()));
            definition::Tree::Interior(kind, children.collect())
        }
        _ => definition::Tree::Leaf(value),
    }
}

/// Compares every node's value and numbers with the definition.
fn check<M: Copy>(tree: &Numbered<M>, node: &Node<M>, kind: Kind) {
    if node.record().is_some() {
        let oracle = defined(tree, node, kind);
        assert_eq!(i32::from(node.index), oracle.value());
        for target in 0..tree.grid().len() {
            let push = if target > node.index {
                Push::Raise
            } else {
                Push::Lower
            };
            assert_eq!(
                tree.count(node, kind, Goal { push, target }),
                oracle.conspiracy_number(i32::from(target)),
                "CN({target}) of {oracle:?}"
            );
        }
        for child in tree.children(node) {
            check(tree, child, kind.other());
        }
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let values = prop_oneof![
        Just(StaticValues::Independent),
        (0u16..4).prop_map(|spread| StaticValues::Correlated { spread })
    ];
    (1u16..7, prop::option::of(2u16..6), 1u16..15, values).prop_map(
        |(branching, depth, limit, values)| Shape {
            branching,
            depth,
            limit,
            values,
        },
    )
}

fn settings() -> impl Strategy<Value = Settings> {
    (
        prop::sample::select(&BranchRule::ALL[..]),
        prop::sample::select(&Choosing::ALL[..]),
        prop::sample::select(&LeafWindow::ALL[..]),
        any::<bool>(),
        0u8..3,
        2u16..30,
    )
        .prop_map(
            |(branch_rule, strategy, leaf_window, best_move_cutoff, delta, depth_limit)| Settings {
                grid: Grid::integers(15),
                branch_rule,
                strategy,
                leaf_window,
                best_move_cutoff,
                delta,
                depth_limit,
                ..Settings::default()
            },
        )
}

/// Takes up to `steps` steps at the current threshold.
fn take_steps<G: Game, E: Evaluator<G>>(run: &mut Run<'_, G, E>, steps: usize) {
    for _ in 0..steps {
        if run.is_over() || run.has_converged() {
            break;
        }
        run.step().unwrap();
    }
}

/// An evaluator that, like a search with a window, returns any valid bound for a value outside it.
#[derive(Clone)]
struct Clipping {
    exact: ReadOff,
    /// Chooses the bounds.
    seed: u64,
}

impl Evaluator<RandomTree> for Clipping {
    fn evaluate<V: Visits>(
        &mut self,
        position: &RandomTree,
        window: Window,
        visits: &mut V,
    ) -> Result<Evaluated, V::Stop> {
        let value = self.exact.evaluate(position, window, visits)?.value;
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005) + 1;
        let share = |distance: i32| ((self.seed >> 33) % (distance as u64 + 1)) as i32;
        let distance = |bound: Value| i32::from(bound.get()) - i32::from(value.get());
        let clipped = if value <= window.alpha {
            value.offset(share(distance(window.alpha)))
        } else if value >= window.beta {
            value.offset(-share(-distance(window.beta)))
        } else {
            value
        };
        Ok(clipped.into())
    }

    fn static_value(&mut self, position: &RandomTree) -> Value {
        position.static_value()
    }
}

/// A subtree in the definition's terms, with all leaves evaluated exactly.
fn exact(
    tree: &Numbered<ChildIndex>,
    node: &Node<ChildIndex>,
    position: &RandomTree,
    kind: Kind,
) -> definition::Tree {
    if node.state == NodeState::Interior {
        let children = tree.children(node).iter();
        let children =
            children.map(|child| exact(tree, child, &position.after(child.m), kind.other()));
        return definition::Tree::Interior(kind, children.collect());
    }
    let value = i32::from(tree.index(kind, position.static_value()));
    if node.is_final() {
        definition::Tree::Terminal(value)
    } else {
        definition::Tree::Leaf(value)
    }
}

/// Converges at thresholds from 2 to 6 and checks each certificate with exact leaves.
fn converge_and_check<E: Evaluator<RandomTree>>(
    run: &mut Run<'_, RandomTree, E>,
    root: &RandomTree,
) -> Result<(), TestCaseError> {
    for threshold in 2..7 {
        run.set_threshold(threshold);
        if run.converge().is_err() {
            break;
        }
        let tree = exact(run.tree, run.tree.root(), root, Kind::Max);
        if run.range.width() == 0 || run.is_over() {
            prop_assert_eq!(tree.value(), i32::from(run.tree.root().index));
        }
        if run.is_over() {
            break;
        }
        let threshold = Count::new(threshold);
        let range = tree.likely_range(0, 30, threshold);
        prop_assert!(range.min >= run.range.min && range.max <= run.range.max);
        if run.range.width() > run.settings.delta {
            let definition::Tree::Interior(_, children) = tree else {
                unreachable!()
            };
            let exceeds = |child: &&definition::Tree| {
                let vmin = i32::from(run.range.min);
                child.value() > vmin || child.conspiracy_number(vmin + 1) < threshold
            };
            prop_assert!(
                children.iter().filter(exceeds).count() <= 1,
                "best move cutoff"
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn kept_numbers_equal_the_definition(
        shape in shapes(),
        seed: u64,
        settings in settings(),
        steps in 0usize..60,
    ) {
        let mut bench = Bench::new(settings, Clipping { exact: ReadOff, seed });
        let mut run = bench.run(RandomTree::new(shape, seed));
        run.set_threshold(4);
        take_steps(&mut run, steps);
        check(&bench.tree, bench.tree.root(), Kind::Max);
    }

    /// With nothing left to expand, the root has the minimax value whatever the settings.
    #[test]
    fn exhausted_trees_have_their_minimax_value(
        shape in shapes(),
        seed: u64,
        settings in settings(),
    ) {
        let depth = 4;
        let shape = Shape { depth: Some(depth), branching: shape.branching.min(4), ..shape };
        let settings = Settings { best_move_cutoff: false, delta: 0, ..settings };
        let root = RandomTree::new(shape, seed);
        let evaluator = Clipping { exact: ReadOff, seed };
        let mut search = BestFirst::new(settings, 1, evaluator);
        let report = search.search(&Root::new(root), &Limits::default(), &mut Unobserved);
        let plies = u32::from(depth.min(settings.depth_limit));
        prop_assert_eq!(report.value, minimax(&Root::new(root), plies, ReadOff));
    }
}

#[test]
fn tic_tac_toe_is_solved_like_minimax_does() {
    for branch_rule in BranchRule::ALL {
        for strategy in Choosing::ALL {
            let settings = Settings {
                grid: Grid::new(19, 1, 0),
                best_move_cutoff: false,
                branch_rule,
                strategy,
                ..Settings::default()
            };
            solves_tic_tac_toe(tic_tac_toe(), |root| {
                let mut search = BestFirst::new(settings, 32, OpenRows);
                let report = search.search(root, &Limits::default(), &mut Unobserved);
                let plies = report.value.plies_to_end().map(usize::from);
                assert!(plies.is_none_or(|plies| report.pv.len() == plies));
                report
            });
        }
    }
}
