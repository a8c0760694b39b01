//! Sibling conspiracy number search: best-first with values relative to siblings.

use super::*;
use crate::games::hex::{Hex, TwoDistance};
use crate::games::tic_tac_toe::OpenRows;
use crate::search::best_first::LeafScores;
use crate::search::tests::references::{minimax, solves_tic_tac_toe, tic_tac_toe, winner};

fn hex_search<const SIZE: usize>(megabytes: usize) -> BestFirst<Hex<SIZE>, TwoDistance> {
    let settings = sibling_settings(Grid::new(63, 25, 0));
    BestFirst::new(settings, megabytes, TwoDistance)
}

fn sibling_settings(grid: Grid) -> Settings {
    Settings {
        grid,
        best_move_cutoff: false,
        depth_limit: 100,
        leaf_scores: LeafScores::Sibling,
        ..Settings::default()
    }
}

#[test]
fn tic_tac_toe_and_small_hex_are_solved_like_minimax_does() {
    let grid = Grid::new(19, 1, 0);
    solves_tic_tac_toe(tic_tac_toe().skip(1), |root| {
        let mut search = BestFirst::new(sibling_settings(grid), 32, OpenRows);
        search.search(root, &Limits::default(), &mut Unobserved)
    });
    for cell in 0..9 {
        let root = Root::new(Hex::<3>::after_cells(&[cell]).unwrap());
        let report = hex_search(32).search(&root, &Limits::default(), &mut Unobserved);
        let yardstick = minimax(&root, 9, TwoDistance);
        assert_eq!(winner(report.value), winner(yardstick), "{cell}");
    }
}

/// As long as no rule decides, the root keeps its first value, and the children of every node differ by the evaluator's
/// differences.
#[test]
fn the_best_child_keeps_its_parent_s_value() {
    let root = Root::new(Hex::<5>::after_cells(&[7, 12]).unwrap());
    let report = hex_search(4).search(&root, &Limits::nodes(300), &mut Unobserved);
    assert_eq!(report.value, TwoDistance.static_value(&root.position));
    let static_value = |m| TwoDistance.static_value(&root.position.after(m));
    let scores = |m| static_value(m).from_child();
    let moves = root.position.legal_moves();
    let best = moves.iter().map(|&m| scores(m)).max().unwrap();
    let mut reports = Vec::new();
    // Only the root is expanded.
    let limits = Limits::nodes(moves.len() as u64);
    hex_search(4).search(&root, &limits, &mut reports);
    let first = reports.last().unwrap();
    assert_eq!(scores(first.best_move().unwrap()), best);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Terminal values are absolute; when all is expanded only they are left.
    #[test]
    fn random_trees_are_solved_like_minimax_does(
        seed in any::<u64>(), branching in 1..5_u16, depth in 1..5_u16,
    ) {
        let shape = Shape { branching, depth: Some(depth), limit: 10, ..Shape::default() };
        let root = Root::new(RandomTree::new(shape, seed));
        let mut search = BestFirst::new(sibling_settings(Grid::integers(126)), 8, ReadOff);
        let report = search.search(&root, &Limits::default(), &mut Unobserved);
        let expected = minimax(&root, u32::from(depth), ReadOff);
        // Subtrees that cannot change the value any more are not searched.
        prop_assert_eq!(report.value, expected);
    }
}
