//! Promises of all searches that play: limits, lines and reports.

use std::collections::HashSet;

use crate::game::{Game, Root};
use crate::games::chess::{Move, Position, Quiescence, notation};
use crate::search::alpha_beta::{self, AlphaBeta};
use crate::search::depth_first::{self, DepthFirst};
use crate::search::{Limits, Occasion, Report, Searcher, Unobserved};
use crate::value::Value;

pub(in crate::search) const MIDDLEGAME: &str =
    "r2q1rk1/pp1bbppp/2n1pn2/8/2BP4/2N2N2/PP3PPP/R1BQR1K1 w - - 0 11";
pub(in crate::search) const TACTICAL: &str =
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";

pub(in crate::search) fn chess(fen: &str) -> Root<Position> {
    Root::new(notation::parse_fen(fen).unwrap())
}

/// Alpha-beta with a small table.
pub(in crate::search) fn alpha_beta<E: Clone>(
    settings: alpha_beta::Settings,
    evaluator: E,
) -> AlphaBeta<E> {
    let settings = alpha_beta::Settings {
        hash_megabytes: 4,
        ..settings
    };
    AlphaBeta::new(settings, evaluator)
}

/// All searches with their names, by the tactical evaluation.
fn searches() -> [(&'static str, Box<dyn Searcher<Position>>); 3] {
    let settings = depth_first::Settings {
        hash_megabytes: 8,
        ..depth_first::Settings::default()
    };
    let evaluator = Quiescence::tactical();
    let [full, plain] = [alpha_beta::Settings::full(), alpha_beta::Settings::plain()];
    [
        (
            "depth-first",
            Box::new(DepthFirst::new(settings, evaluator.clone())),
        ),
        ("alpha-beta", Box::new(alpha_beta(full, evaluator.clone()))),
        ("plain alpha-beta", Box::new(alpha_beta(plain, evaluator))),
    ]
}

/// Plays a line; panics if it is illegal or goes on after the end.
pub(in crate::search) fn replay(root: &Root<Position>, line: &[Move]) -> Position {
    let mut game = root.clone();
    for &m in line {
        assert!(
            game.position.legal_moves().contains(&m),
            "{m:?} in {line:?}"
        );
        assert!(!game.position.is_drawn_by_rule(), "goes on after a draw");
        game.play(m);
    }
    game.position
}

#[test]
fn searches_played_twice_are_the_same() {
    for (name, mut search) in searches() {
        let mut twice = || {
            search.clear();
            // A second search of the same game uses the table of the first.
            [(MIDDLEGAME, 30_000), (TACTICAL, 50_000)].map(|(fen, nodes)| {
                let mut told = Vec::new();
                search.search(&chess(fen), &Limits::nodes(nodes), &mut told);
                let heard = told.into_iter().map(|r| (r.nodes, r.value, r.pv));
                heard.collect::<Vec<_>>()
            })
        };
        assert_eq!(twice(), twice(), "{name}");
    }
}

#[test]
fn node_limits_are_kept_and_always_leave_a_move() {
    let root = chess(MIDDLEGAME);
    for most in (0..60).chain([100, 1_000, 2_000, 10_000, 12_345]) {
        for (name, mut search) in searches() {
            let report = search.search(&root, &Limits::nodes(most), &mut Unobserved);
            assert_eq!(report.nodes, most, "{name}");
            assert!(report.best_move().is_some(), "{name} {most}");
            replay(&root, &report.pv);
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    for (fen, wanted) in [(TACTICAL, "a2a4"), (MIDDLEGAME, "h2h4")] {
        let root = chess(fen);
        let wanted = notation::parse_uci(&root.position, wanted).unwrap();
        for (name, mut search) in searches() {
            for iterations in [3, 5] {
                let limits = Limits {
                    search_moves: vec![wanted],
                    ..Limits::iterations(iterations)
                };
                let report = search.search(&root, &limits, &mut Unobserved);
                assert_eq!(report.best_move(), Some(wanted), "{name} {fen}");
                assert_eq!(report.iteration, iterations, "{name} {fen}");
            }
        }
    }
}

#[test]
fn several_lines_are_different_and_ordered() {
    let few = "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1";
    for (fen, multipv, lines) in [(MIDDLEGAME, 4, 4), (TACTICAL, 3, 3), (few, 4, 1)] {
        for (name, mut search) in searches() {
            let limits = Limits {
                multipv,
                ..Limits::iterations(5)
            };
            let mut told: Vec<Report<Move>> = Vec::new();
            let last = search.search(&chess(fen), &limits, &mut told).iteration;
            assert!(told.iter().all(|it| it.line <= lines), "{name} {fen}");
            if lines == 1 {
                continue;
            }
            // Alpha-beta may find the mate in the second position sooner.
            let may_end = fen == TACTICAL && name != "depth-first";
            assert!(last == 5 || may_end, "{name} {fen}");
            told.retain(|it| it.occasion == Occasion::Iteration && it.iteration == last);
            let numbers: Vec<usize> = told.iter().map(|report| report.line).collect();
            assert_eq!(numbers, (1..=lines).collect::<Vec<_>>(), "{name} {fen}");
            let is_ordered = told.windows(2).all(|two| two[0].value >= two[1].value);
            assert!(is_ordered, "{name} {fen}");
            let first: HashSet<u16> = told.iter().map(|report| report.pv[0].code()).collect();
            assert_eq!(first.len(), lines, "{name} {fen}");
        }
    }
}

/// Near the end of the count all quiet moves draw, but for a late one that few searches would look at.
#[test]
fn a_pawn_move_that_puts_off_the_draw_by_rule_is_neither_pruned_nor_late() {
    for fen in [
        "8/6k1/8/3N4/8/8/3P1K2/6B1 b - - 97 103",
        "8/8/4k3/8/8/2B5/3P4/1N2K3 b - - 97 90",
        "6k1/8/8/8/8/8/5PPP/3R2K1 b - - 97 90",
    ] {
        for (name, mut search) in searches() {
            for nodes in [100, 200, 400, 800] {
                search.clear();
                let report = search.search(&chess(fen), &Limits::nodes(nodes), &mut Unobserved);
                assert!(
                    report.value < Value::centipawns(-200),
                    "{name} {fen} {nodes}: {:?}",
                    report.value
                );
            }
        }
    }
}
