//! A full tree goes on without some of its nodes' children.

use super::super::Settings;
use super::super::numbered::Numbered;
use super::super::numbers::Goal;
use super::super::run::Run;
use super::super::tree::NodeId;
use super::Bench;
use crate::conspiracy::{Grid, Kind, Push};
use crate::games::random_tree::{RandomTree, ReadOff, Shape};

/// Counts the nodes by following every link; links must match and blocks must not overlap.
pub(super) fn count_linked<M: Copy>(tree: &Numbered<M>) -> usize {
    let mut seen = std::collections::HashSet::from([0]);
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        for child in tree.child_ids(id) {
            assert!(seen.insert(child.0), "a node has one parent");
            open.push(child);
        }
        let children = tree.children(node).iter();
        if let Some(best) = children.map(|child| child.value.from_child()).max() {
            assert_eq!(node.value, best);
        }
    }
    assert_eq!(seen.len(), tree.len());
    seen.len()
}

/// A game whose tree soon exceeds a megabyte.
pub(super) fn wide_tree() -> RandomTree {
    let shape = Shape {
        branching: 30,
        limit: 14,
        ..Shape::default()
    };
    RandomTree::new(shape, 5)
}

#[test]
fn a_full_tree_gives_up_children_but_no_results() {
    let settings = Settings {
        grid: Grid::integers(15),
        depth_limit: 200,
        ..Settings::default()
    };
    let mut bench = Bench::with_bytes(1 << 20, settings, ReadOff);
    let mut run = bench.run(wide_tree());
    run.expand_first_plies().unwrap();
    run.set_threshold(40);
    let mut reclaimed = 0;
    while reclaimed < 20 {
        if run.tree.has_room() {
            run.step().unwrap();
            assert!(!run.has_converged(), "too easy a tree for this test");
            continue;
        }
        reclaimed += 1;
        let verdict = |run: &Run<'_, _, _>| {
            let root = run.tree.root();
            let goal = |push, target| Goal { push, target };
            let count = |goal| run.tree.count(root, Kind::Max, goal);
            let counts = |push| (0..31).map(move |target| count(goal(push, target)));
            let counts = [Push::Raise, Push::Lower].into_iter().flat_map(counts);
            (root.value, counts.collect::<Vec<_>>())
        };
        let before = verdict(&run);
        assert_eq!(count_linked(run.tree), run.tree.len());
        let line = run.line_through(run.best_child()).pv;
        run.make_room();
        count_linked(run.tree);
        assert_eq!(verdict(&run), before);
        assert!(run.tree.has_room());
        assert!(run.tree.fullness() < 700);
        if reclaimed == 1 {
            assert_eq!(run.line_through(run.best_child()).pv, line);
        }
    }
    assert!(bench.tree.allocated() <= 1 << 20);
}

#[test]
fn reclaiming_copes_with_narrow_trees() {
    let settings = Settings {
        grid: Grid::integers(15),
        depth_limit: u16::MAX,
        ..Settings::default()
    };
    for branching in [2, 3] {
        let shape = Shape {
            branching,
            limit: 14,
            ..Shape::default()
        };
        let mut bench = Bench::with_bytes(1 << 20, settings, ReadOff);
        let mut run = bench.run(RandomTree::new(shape, 1));
        run.set_threshold(200);
        for _ in 0..100_000 {
            if run.has_converged() {
                break;
            }
            run.step().unwrap();
        }
        count_linked(run.tree);
        assert!(bench.tree.allocated() <= 1 << 20);
    }
}
