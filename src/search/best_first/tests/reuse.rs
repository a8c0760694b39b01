//! Reuse of a tree after moves of the game.

use proptest::prelude::*;

use super::super::numbered::Numbered;
use super::super::tree::{NodeId, NodeState};
use super::super::{LeafWindow, Settings, StorageKind};
use super::reclaiming::{count_linked, wide_tree};
use super::storages::{Seen, all_nodes, check};
use super::{Bench, Clipping, converge_and_check, settings, shapes, take_steps};
use crate::conspiracy::Grid;
use crate::game::{Evaluator, Root};
use crate::games::chess::{Quiescence, notation};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape};
use crate::search::best_first::BestFirst;
use crate::search::tests::references::minimax;
use crate::search::{Limits, Observer, Searcher, Unobserved};

type Searching = BestFirst<RandomTree, ReadOff>;
type Game = Root<RandomTree>;

/// The grandchildren of the root that have children, with the moves to them.
fn expanded_grandchildren<M: Copy>(tree: &Numbered<M>) -> Vec<([M; 2], NodeId)> {
    let mut found = Vec::new();
    for (number, child) in tree.children(tree.root()).iter().enumerate() {
        let parent = tree.node(tree.child(tree.root(), number));
        for (number, grandchild) in tree.children(parent).iter().enumerate() {
            if !tree.children(grandchild).is_empty() {
                found.push(([child.m, grandchild.m], tree.child(parent, number)));
            }
        }
    }
    found
}

/// Grows a tree, plays two moves and grows it further, again and again; compares the numbers with the definition.
fn play_on(shape: Shape, seed: u64, settings: Settings, turns: usize) {
    let evaluator = Clipping {
        exact: ReadOff,
        seed,
    };
    let mut bench = Bench::new(settings, evaluator);
    let mut root = Root::new(RandomTree::new(shape, seed));
    let mut planted = None;
    for turn in 0..turns {
        let mut run = bench.go_on(&root, planted.as_ref());
        run.set_threshold(4);
        take_steps(&mut run, 40);
        check(&run);
        let grandchildren = expanded_grandchildren(run.tree);
        if grandchildren.is_empty() {
            return;
        }
        let grandchild = grandchildren[seed as usize % grandchildren.len()];
        let left = go_on_from(&mut bench, &mut root, grandchild);
        assert_eq!(bench.tree.len(), left, "turn {turn}");
        planted = Some(root.clone());
    }
}

/// Makes a grandchild of the root the root; returns the number of nodes left. Nothing in its subtree may have
/// changed.
fn go_on_from<E: Evaluator<RandomTree>>(
    bench: &mut Bench<RandomTree, E>,
    root: &mut Game,
    (moves, id): ([ChildIndex; 2], NodeId),
) -> usize {
    let before = below(&bench.tree, id);
    let planted = root.clone();
    moves.into_iter().for_each(|m| root.play(m));
    let run = bench.go_on(root, Some(&planted));
    assert_eq!(below(run.tree, NodeId::ROOT), before);
    before.len() + 1
}

/// All nodes below this one; those at the depth limit as the leaves they become under a later root.
fn below<M: Copy>(tree: &Numbered<M>, id: NodeId) -> Vec<Seen<M>> {
    let mut seen = all_nodes(tree, id).split_off(1);
    for (_, _, _, state) in &mut seen {
        if *state == NodeState::AtLimit as u8 {
            *state = NodeState::Exact as u8;
        }
    }
    seen
}

/// Notes the counts of nodes at which it is asked.
#[derive(Default)]
struct Asked(Vec<u64>);

impl<M> Observer<M> for Asked {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.0.push(nodes);
        false
    }
}

/// Cutting back a tree of a gigabyte may take longer than the time for a move.
#[test]
fn the_observer_is_asked_while_the_tree_is_cut_back() {
    let settings = Settings {
        grid: Grid::integers(15),
        depth_limit: 200,
        ..Settings::default()
    };
    let mut search = Searching::new(settings, 4, ReadOff);
    let mut root = Root::new(wide_tree());
    let report = search.search(&root, &Limits::nodes(150_000), &mut Unobserved);
    report.pv[..2].iter().for_each(|&m| root.play(m));
    let mut asked = Asked::default();
    search.search(&root, &Limits::nodes(1_000), &mut asked);
    let at_once = asked.0.iter().filter(|&&nodes| nodes == 0).count();
    assert!(at_once > 2, "{at_once}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn numbers_of_a_kept_branch_are_those_of_the_definition(
        shape in shapes(),
        seed: u64,
        settings in settings(),
    ) {
        for storage in StorageKind::ALL {
            let turns = if storage == StorageKind::Basic { 3 } else { 4 };
            play_on(shape, seed, Settings { storage, ..settings }, turns);
        }
    }

    /// Certificates with clipped leaves hold for exact ones, as the module `leaf` promises: those of a new tree, and
    /// those won on a kept branch.
    #[test]
    fn clipped_certificates_hold_for_exact_leaves(
        shape in shapes(),
        seed: u64,
        settings in settings(),
    ) {
        let evaluator = Clipping { exact: ReadOff, seed };
        let mut bench = Bench::new(settings, evaluator);
        bench.limits.nodes = Some(3_000);
        let planted = Root::new(RandomTree::new(shape, seed));
        let mut run = bench.go_on(&planted, None);
        converge_and_check(&mut run, &planted.position)?;
        let grandchildren = expanded_grandchildren(run.tree);
        prop_assume!(!grandchildren.is_empty());
        let mut root = planted.clone();
        let (moves, _) = grandchildren[seed as usize % grandchildren.len()];
        moves.into_iter().for_each(|m| root.play(m));
        let mut run = bench.go_on(&root, Some(&planted));
        count_linked(run.tree);
        converge_and_check(&mut run, &root.position)?;
    }

    /// The depth limit counts from the new root.
    #[test]
    fn an_exhausted_kept_branch_has_its_minimax_value(
        shape in shapes(),
        seed: u64,
        settings in settings(),
    ) {
        let settings = Settings {
            best_move_cutoff: false,
            delta: 0,
            depth_limit: 3 + settings.depth_limit % 2,
            ..settings
        };
        let shape = Shape { depth: None, branching: shape.branching.min(4), ..shape };
        let evaluator = Clipping { exact: ReadOff, seed };
        let mut search = BestFirst::new(settings, 1, evaluator);
        let mut root = Root::new(RandomTree::new(shape, seed));
        for _ in 0..3 {
            let report = search.search(&root, &Limits::default(), &mut Unobserved);
            let yardstick = minimax(&root, settings.depth_limit.into(), ReadOff);
            prop_assert_eq!(report.value, yardstick);
            report.pv.iter().take(2).for_each(|&m| root.play(m));
        }
    }
}

/// Reuses a tree some of whose nodes have lost their children.
fn play_on_with_little_memory(storage: StorageKind) {
    let settings = Settings {
        grid: Grid::integers(15),
        depth_limit: 6,
        storage,
        ..Settings::default()
    };
    let mut bench = Bench::with_bytes(1 << 20, settings, ReadOff);
    let mut root = Root::new(wide_tree());
    let mut planted = None;
    for _ in 0..3 {
        let mut run = bench.go_on(&root, planted.as_ref());
        run.set_threshold(40);
        let mut reclaimed = 0;
        while reclaimed < 3 && !run.is_over() && !run.has_converged() {
            reclaimed += usize::from(!run.tree.has_room());
            run.step().unwrap();
        }
        assert!(reclaimed > 0, "too easy a tree for this test");
        let grandchild = expanded_grandchildren(run.tree)[0];
        go_on_from(&mut bench, &mut root, grandchild);
        assert_eq!(count_linked(&bench.tree), bench.tree.len());
        assert!(bench.tree.allocated() <= 1 << 20);
        planted = Some(root.clone());
    }
}

#[test]
fn a_tree_that_has_been_full_is_kept() {
    for storage in [
        StorageKind::Intensive,
        StorageKind::Compromise,
        StorageKind::FourNumbers,
    ] {
        play_on_with_little_memory(storage);
    }
}

/// A search and the root of its first tree.
fn searched() -> (Searching, Game) {
    let shape = Shape {
        branching: 4,
        ..Shape::default()
    };
    let root = Root::new(RandomTree::new(shape, 3));
    let settings = Settings {
        grid: Grid::integers(15),
        ..Settings::default()
    };
    let mut search = BestFirst::new(settings, 4, ReadOff);
    search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
    (search, root)
}

/// Nodes of the tree after a search of one node.
fn tree_size(search: &mut Searching, root: &Game, search_moves: Vec<ChildIndex>) -> u64 {
    let limits = Limits {
        search_moves,
        ..Limits::nodes(1)
    };
    let report = search.search(root, &limits, &mut Unobserved);
    report.conspiracy.unwrap().tree.unwrap().nodes
}

#[test]
fn a_tree_is_kept_where_the_game_goes_on_and_only_there() {
    let reply = |root: &mut Game, moves: &[u16]| {
        for &m in moves {
            root.play(ChildIndex(m));
        }
    };
    let (mut search, root) = searched();
    let size = tree_size(&mut search, &root, vec![]);
    assert!(size > 4_000, "the same position: {size}");
    let tree = search.snapshot().unwrap();
    let child = tree.children_of(0).start;
    let grandchild = tree.children_of(child).start;
    let branch = tree.sizes()[grandchild] as u64;
    let mut later = root.clone();
    let moves = [child, grandchild].map(|node| tree.nodes()[node].m.unwrap().0);
    reply(&mut later, &moves);
    assert!(tree_size(&mut search, &later, vec![]) >= branch);
    assert!(
        tree_size(&mut search, &root, vec![]) < 10,
        "a move taken back"
    );

    let fresh = |change: &dyn Fn(&mut Searching, &mut Game)| {
        let (mut search, mut root) = searched();
        change(&mut search, &mut root);
        tree_size(&mut search, &root, vec![])
    };
    assert!(fresh(&|_, root| reply(root, &[1])) < 10, "the other side");
    assert!(fresh(&|search, _| search.clear()) < 10, "a new game");
    assert!(fresh(&|_, root| root.history.push(7)) < 10, "another past");

    let (mut search, root) = searched();
    let two = vec![ChildIndex(0), ChildIndex(1)];
    assert!(tree_size(&mut search, &root, two) < 10, "fewer moves");
}

/// The clock of the fifty-move rule is no part of a position's key.
#[test]
fn a_tree_is_not_kept_if_the_draw_by_rule_has_come_nearer() {
    let at = |clock: u32| {
        let fen = format!("8/8/4k3/8/8/4K3/4R3/8 w - - {clock} 80");
        Root::new(notation::parse_fen(&fen).unwrap())
    };
    let settings = Settings {
        leaf_window: LeafWindow::Whole,
        ..Settings::default()
    };
    let mut search = BestFirst::new(settings, 4, Quiescence::tactical());
    let size = |search: &mut BestFirst<_, _>, root: &Root<_>| {
        let report = search.search(root, &Limits::nodes(1), &mut Unobserved);
        report.conspiracy.unwrap().tree.unwrap().nodes
    };
    search.search(&at(10), &Limits::nodes(20_000), &mut Unobserved);
    assert!(size(&mut search, &at(10)) > 1_000);
    assert!(size(&mut search, &at(90)) < 40);
}
