//! The search with unit costs against minimax and the definition of conspiracy numbers.

use proptest::prelude::*;

use super::UnitCosts;
use super::node::{Demands, Worker};
use crate::conspiracy::Count;
use crate::conspiracy::definition::Tree;
use crate::game::{Game, Root};
use crate::games::chess::{Evaluation, Quiescence};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
use crate::search::depth_first::HIGHEST_DEMAND;
use crate::search::depth_first::certificates::{Certificate, Certificates, Open};
use crate::search::tests::playing::chess;
use crate::search::tests::references::minimax;
use crate::search::{Cost, Limits, Report, Searcher, Unobserved};
use crate::value::Value;

/// Searches a tree until nothing is left to expand.
fn to_the_end(root: RandomTree) -> Report<ChildIndex> {
    let limits = Limits::iterations(HIGHEST_DEMAND);
    UnitCosts::new(8, ReadOff).search(&Root::new(root), &limits, &mut Unobserved)
}

fn shape(branching: u16, depth: u16, correlated: bool) -> Shape {
    Shape {
        branching,
        depth: Some(depth),
        limit: 20,
        values: if correlated {
            StaticValues::Correlated { spread: 6 }
        } else {
            StaticValues::Independent
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Once everything that matters is expanded the value is the game's.
    #[test]
    fn a_tree_searched_to_its_end_has_its_minimax_value(
        seed: u64, branching in 1u16..5, depth in 1u16..6, correlated: bool,
    ) {
        let root = RandomTree::new(shape(branching, depth, correlated), seed);
        let expected = minimax(&Root::new(root), depth.into(), ReadOff);
        prop_assert_eq!(to_the_end(root).value, expected);
    }

    /// At least as many leaves as the answer's cost must change to overthrow it in the tree searched.
    #[test]
    fn certificates_hold_by_the_recursive_definition(
        seed: u64, branching in 2u16..5, depth in 2u16..6, demand in 1u16..6, correlated: bool,
        theta in -10i32..=10,
    ) {
        let root = RandomTree::new(shape(branching, depth, correlated), seed);
        let theta = Value::centipawns(theta);
        let (answer, tree) = answer_and_tree(&root, theta, demand);
        let value = tree.value();
        prop_assert_eq!(value >= theta.get().into(), answer.value >= theta);
        let target = i32::from(theta.get()) - i32::from(answer.value >= theta);
        let claimed = answer.cost.whole_units().map_or(Count::INFINITY, Count::new);
        prop_assert!(claimed >= Count::new(demand.into()), "{:?} for {}", claimed, demand);
        let truth = tree.conspiracy_number(target);
        prop_assert!(truth >= claimed, "{:?} claimed, {:?} true", claimed, truth);
    }
}

/// Asks one question with unit costs, demand by demand; the answer and the tree it rests on.
fn answer_and_tree(root: &RandomTree, theta: Value, demand: u16) -> (Certificate, Tree) {
    let mut table = Certificates::new(1);
    let (limits, mut observer, mut evaluator) = (Limits::default(), Unobserved, ReadOff);
    let root_alone = Root::new(*root);
    let mut worker = Worker::new(
        &root_alone,
        table.open(),
        &mut evaluator,
        &limits,
        &mut observer,
    );
    let mut answer = None;
    for demand in 1..=demand {
        let moves = root.legal_moves();
        let answered =
            worker.answer_at_root(root, &moves, theta, Demands::both(Cost::whole(demand)));
        answer = Some(answered.expect("never stopped").0);
    }
    (
        answer.expect("a demand was met"),
        explored(table.open(), root, true),
    )
}

/// The tree behind the table: a position is interior if its children have been looked at.
fn explored(table: Open<'_>, position: &RandomTree, max: bool) -> Tree {
    let sign = |value: Value| {
        let value = i32::from(value.get());
        if max { value } else { -value }
    };
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Tree::Terminal(sign(position.terminal_value()));
    }
    let children: Vec<RandomTree> = moves.into_iter().map(|m| position.after(m)).collect();
    let looked_at =
        |child: &RandomTree| !child.has_legal_move() || table.probe(child.key()).is_some();
    // Terminals never enter the table, so a node above terminals only counts as interior if its entry has a move.
    let expanded = table
        .probe(position.key())
        .is_some_and(|entry| entry.code != 0);
    let root_like = table.probe(position.key()).is_none();
    if (expanded || root_like) && children.iter().all(looked_at) {
        let children: Vec<Tree> = children
            .iter()
            .map(|child| explored(table, child, !max))
            .collect();
        if max {
            Tree::max(children)
        } else {
            Tree::min(children)
        }
    } else {
        Tree::Leaf(sign(position.static_value()))
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let root = Root::new(TicTacToe::default());
    let limits = Limits::iterations(HIGHEST_DEMAND);
    let report = UnitCosts::new(8, OpenRows).search(&root, &limits, &mut Unobserved);
    assert_eq!(report.value, Value::DRAW);
}

/// The table may lose the move that held the value, as in 90 of 200 lines that followed the table move only.
#[test]
fn most_principal_variations_lead_to_the_value() {
    let leads = |seed: u64| {
        let root = RandomTree::new(shape(3, 5, seed.is_multiple_of(2)), seed);
        let report = to_the_end(root);
        let end = report
            .pv
            .iter()
            .fold(root, |position, &m| position.after(m));
        // Five plies on the other side is to move.
        report.pv.len() == 5 && -end.terminal_value() == report.value
    };
    assert!((0..200).filter(|&seed| leads(seed)).count() >= 175);
}

/// No side has won before moving, however certain the win.
#[test]
fn no_mate_in_no_moves_is_told() {
    let root = chess("1nr2Q2/1b6/2B1k3/4p2p/pPPq1P1P/2n5/P7/R1R4K w - - 2 52");
    let mut search = UnitCosts::new(8, Quiescence::new(Evaluation::Network));
    let mut told = Vec::new();
    search.search(&root, &Limits::nodes(10_000), &mut told);
    let won: Vec<_> = told.iter().filter(|r| r.value.is_win()).collect();
    assert!(!won.is_empty(), "the win is seen");
    for report in won {
        assert!(report.value <= Value::win_in(1), "{report:?}");
    }
}
