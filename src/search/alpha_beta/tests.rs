//! Alpha-beta compared with minimax and with itself, and its claims checked by the rules.

mod repetition;

use proptest::prelude::*;

use super::{AlphaBeta, Settings};
use crate::game::{Evaluator, Game, Moves, Root, Side};
use crate::games::chess::{Move, Quiescence, notation};
use crate::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
use crate::search::kit::transposition_table::Entry;
use crate::search::tests::playing::{MIDDLEGAME, TACTICAL, alpha_beta, chess, replay};
use crate::search::tests::references::minimax;
use crate::search::{Bound, Limits, Occasion, Report, Searcher, Unobserved};
use crate::value::Value;

fn full() -> AlphaBeta<Quiescence> {
    alpha_beta(Settings::full(), Quiescence::tactical())
}

fn plain() -> AlphaBeta<Quiescence> {
    alpha_beta(Settings::plain(), Quiescence::tactical())
}

/// The values of `root` to `depth` by both searches.
fn alpha_beta_and_minimax<G: Game + Sync, E: Evaluator<G> + Default + Clone + Send>(
    settings: Settings,
    root: &Root<G>,
    depth: u32,
) -> (Value, Value) {
    let limits = Limits::iterations(depth);
    let alpha_beta = alpha_beta(settings, E::default()).search(root, &limits, &mut Unobserved);
    (alpha_beta.value, minimax(root, depth, E::default()))
}

proptest! {
    #[test]
    fn exact_search_is_minimax_on_random_trees(
        seed: u64, branching in 1u16..6, depth in 1u32..6, limit in 1u16..200, spread in 0u16..60,
        ends in 1u16..9,
    ) {
        let values = if spread == 0 {
            StaticValues::Independent
        } else {
            StaticValues::Correlated { spread }
        };
        let shape = Shape { branching, depth: Some(ends), limit, values };
        let root = Root::new(RandomTree::new(shape, seed));
        for table in [false, true] {
            let settings = Settings { table, ..Settings::exact() };
            let (found, expected) = alpha_beta_and_minimax::<_, ReadOff>(settings, &root, depth);
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn exact_search_is_minimax_on_tic_tac_toe() {
    for cells in [
        &[][..],
        &[4],
        &[0, 4],
        &[0, 1, 3],
        &[4, 0, 8, 2],
        &[1, 4, 3],
    ] {
        let root = Root::new(TicTacToe::after_cells(cells).unwrap());
        let most = 9 - cells.len() as u32;
        for depth in 1..=most {
            for table in [false, true] {
                let settings = Settings {
                    table,
                    ..Settings::exact()
                };
                let (found, expected) =
                    alpha_beta_and_minimax::<_, OpenRows>(settings, &root, depth);
                assert_eq!(found, expected, "{cells:?} to depth {depth}, table {table}");
            }
        }
    }
}

#[test]
fn full_and_plain_play_tic_tac_toe_perfectly() {
    for (cells, value) in [
        (&[][..], Value::DRAW),
        (&[0], Value::DRAW),
        (&[0, 1], Value::win_in(5)),
        (&[0, 1, 3], Value::loss_in(4)),
        (&[1, 3, 4], Value::loss_in(4)),
    ] {
        for settings in [Settings::full(), Settings::plain()] {
            let root = Root::new(TicTacToe::after_cells(cells).unwrap());
            let mut search = alpha_beta(settings, OpenRows);
            let report = search.search(&root, &Limits::iterations(9), &mut Unobserved);
            assert_eq!(report.value, value, "{cells:?}");
        }
    }
}

#[test]
fn exact_search_is_minimax_on_shallow_chess_trees() {
    for (fen, depth) in [
        (MIDDLEGAME, 2),
        (TACTICAL, 2),
        // In check; a repetition and the fifty-move rule within reach; promotions; mates.
        ("4k3/8/8/8/7q/8/3PP3/3RKB2 w - - 0 1", 4),
        ("8/8/4k3/8/8/3QK3/8/q7 w - - 97 80", 3),
        ("8/2P1k3/8/8/8/5K2/4p3/8 w - - 0 1", 4),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 4),
        ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", 4),
    ] {
        for depth in 1..=depth {
            let (found, expected) =
                alpha_beta_and_minimax::<_, Quiescence>(Settings::exact(), &chess(fen), depth);
            assert_eq!(found, expected, "{fen} to depth {depth}");
        }
    }
}

#[test]
fn mates_are_found_and_shown_to_the_end() {
    for (fen, moves) in [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1_i32),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("8/8/8/8/8/1k6/3r4/K7 w - - 0 1", -1),
    ] {
        for mut search in [full(), plain()] {
            let root = chess(fen);
            let report = search.search(&root, &Limits::nodes(400_000), &mut Unobserved);
            let found = report.value.mate_in_moves().unwrap_or(0);
            assert_eq!(found.signum(), moves.signum(), "{fen}: {}", report.value);
            assert!(found.abs() <= moves.abs() + 2, "{fen}: {}", report.value);
            let end = replay(&root, &report.pv);
            assert_eq!(
                report.pv.len(),
                usize::from(report.value.plies_to_end().unwrap())
            );
            assert_eq!(end.outcome(), Some(Value::LOSS), "{fen}: {:?}", report.pv);
        }
    }
}

#[test]
fn a_mate_that_a_limit_leaves_a_bound_is_shown_to_the_end() {
    let mut bounds = 0;
    for fen in [
        "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "2r3k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1",
    ] {
        let root = chess(fen);
        let mut reports = Vec::new();
        full().search(&root, &Limits::nodes(30_000), &mut reports);
        for report in reports.iter().filter(|it| it.value.is_win()) {
            bounds += usize::from(report.bound == Bound::Lower);
            let end = replay(&root, &report.pv);
            assert_eq!(end.outcome(), Some(Value::LOSS), "{report:?}");
        }
    }
    assert!(bounds > 0, "the positions must show what they are for");
}

#[test]
fn reports_iterations_in_order_and_the_final_one_last() {
    let mut told: Vec<Report<Move>> = Vec::new();
    let returned = full().search(&chess(MIDDLEGAME), &Limits::iterations(6), &mut told);
    let done: Vec<u32> = told
        .iter()
        .filter(|report| report.occasion == Occasion::Iteration)
        .map(|report| report.iteration)
        .collect();
    assert_eq!(done, [1, 2, 3, 4, 5, 6]);
    let last = told.last().unwrap();
    assert_eq!(last.occasion, Occasion::Final);
    assert_eq!((last.nodes, &last.pv), (returned.nodes, &returned.pv));
    assert!(told.windows(2).all(|two| two[0].nodes <= two[1].nodes));
    assert!(told.iter().all(|report| !report.pv.is_empty()));
    let exact = told.iter().filter(|r| r.occasion == Occasion::Iteration);
    assert!(exact.clone().all(|report| report.bound == Bound::Exact));
    assert!(
        exact
            .clone()
            .all(|report| report.seldepth >= report.iteration)
    );
}

#[test]
fn a_loss_is_not_exact_before_all_moves_have_been_searched() {
    // Mated in six at best; the first move searched is mated in three.
    let root = chess("3br3/2P5/1N1n1pQp/3p1np1/1PpP3q/Rp2kPNP/p5P1/1b1RBBK1 b - - 0 1");
    let mut searched_in_part = 0;
    for nodes in (1000..40_000).step_by(1000) {
        let mut told: Vec<Report<Move>> = Vec::new();
        full().search(&root, &Limits::nodes(nodes), &mut told);
        let mut whole = Value::INFINITY;
        for report in &told {
            match report.occasion {
                Occasion::Iteration => whole = report.value,
                _ if report.value.is_loss() && report.value != whole => {
                    assert_eq!(report.bound, Bound::Lower, "{report:?}");
                    searched_in_part += 1;
                }
                _ => {}
            }
        }
    }
    assert!(searched_in_part > 0);
}

#[test]
fn no_mate_is_promised_beyond_the_fifty_move_rule() {
    // Rook and king need some moves; the clock leaves four plies.
    let late = chess("8/8/8/3k4/8/8/8/R6K w - - 96 120");
    for mut search in [full(), plain()] {
        let early = chess("8/8/8/3k4/8/8/1R6/2R4K w - - 0 120");
        search.search(&early, &Limits::nodes(200_000), &mut Unobserved);
        let report = search.search(&late, &Limits::nodes(100_000), &mut Unobserved);
        assert!(!report.value.is_decided(), "{}", report.value);
    }
}

#[test]
fn a_mate_asked_for_ends_the_search() {
    let root = chess("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let limits = Limits {
        mate: Some(3),
        ..Limits::default()
    };
    let report = full().search(&root, &limits, &mut Unobserved);
    assert_eq!(report.value.mate_in_moves(), Some(3));
}
