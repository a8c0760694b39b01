//! References for tests of several searches: minimax, on small games.

use proptest::prelude::*;

use crate::game::{Evaluator, Game, Root};
use crate::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
use crate::search::papers::minimax::Minimax;
use crate::search::{Limits, Report, Searcher, Unobserved};
use crate::value::Value;

/// The minimax value at a depth.
pub(in crate::search) fn minimax<G: Game, E: Evaluator<G>>(
    root: &Root<G>,
    depth: u32,
    evaluator: E,
) -> Value {
    let limits = Limits::iterations(depth);
    let report = Minimax::new(evaluator).search(root, &limits, &mut Unobserved);
    report.value
}

/// The minimax value of a move at a depth, for the side that makes it.
pub(in crate::search) fn of_move<G: Game, E: Evaluator<G>>(
    root: &Root<G>,
    m: G::Move,
    depth: u32,
    evaluator: E,
) -> Value {
    let after = Root::new(root.position.after(m));
    minimax(&after, depth, evaluator).from_child()
}

/// Whether the side to move wins, and whether it loses.
pub(in crate::search) fn winner(value: Value) -> (bool, bool) {
    (value.is_win(), value.is_loss())
}

/// Positions of tic-tac-toe.
pub(in crate::search) fn tic_tac_toe() -> impl Iterator<Item = Root<TicTacToe>> {
    let openings: [&[u8]; 6] = [&[], &[4], &[0, 1], &[0, 4], &[4, 1], &[0, 8, 2]];
    let positions = openings.map(|cells| TicTacToe::after_cells(cells).unwrap());
    positions.into_iter().map(Root::new)
}

/// Compares a search with minimax on positions that both solve; the search's line must reach the end it claims.
pub(in crate::search) fn solves_tic_tac_toe(
    roots: impl Iterator<Item = Root<TicTacToe>>,
    mut search: impl FnMut(&Root<TicTacToe>) -> Report<<TicTacToe as Game>::Move>,
) {
    for root in roots {
        let report = search(&root);
        let yardstick = minimax(&root, 9, OpenRows);
        assert_eq!(winner(report.value), winner(yardstick), "{root:?}");
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

/// Compares a search of a whole tree with minimax: its value, and its move, which must be one of the best.
pub(in crate::search) fn solves(
    root: &Root<RandomTree>,
    depth: u16,
    report: &Report<<RandomTree as Game>::Move>,
) -> Result<(), TestCaseError> {
    let yardstick = minimax(root, depth.into(), ReadOff);
    prop_assert_eq!(report.value, yardstick);
    let m = report.best_move().unwrap();
    prop_assert_eq!(of_move(root, m, depth.into(), ReadOff), yardstick);
    Ok(())
}

/// A tree too large for any memory.
pub(in crate::search) fn endless() -> Root<RandomTree> {
    let shape = Shape {
        branching: 20,
        limit: 400,
        values: StaticValues::Correlated { spread: 60 },
        ..Shape::default()
    };
    Root::new(RandomTree::new(shape, 3))
}

/// Searches a tree far larger than 1 MiB with a search limited to 1 MiB.
pub(in crate::search) fn stays_within_memory(search: &mut impl Searcher<RandomTree>) {
    let report = search.search(&endless(), &Limits::nodes(150_000), &mut Unobserved);
    assert_eq!(report.nodes, 150_000);
    assert!(report.fullness <= 1000);
}
