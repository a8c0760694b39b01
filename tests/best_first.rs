//! Best-first conspiracy-number search from outside: games it must get right, and its limits.

use cassius::conspiracy::Grid;
use cassius::engine::settings::ChessSearcher;
use cassius::game::{Game, Root};
use cassius::games::chess::{self, Evaluation, notation};
use cassius::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape};
use cassius::games::tic_tac_toe::{Cell, OpenRows, TicTacToe};
use cassius::search::best_first::{BestFirst, LeafWindow, Settings};
use cassius::search::registry::{self, Algorithm};
use cassius::search::{Limits, Observer, Occasion, Report, Searcher, Support, Unobserved};
use cassius::value::Value;

use crate::common::searcher;

#[test]
fn a_forced_win_is_played_at_once() {
    // X at 0 and 1, O at 3 and 4: X completes the top row.
    let root = Root::new(TicTacToe::after_cells(&[0, 3, 1, 4]).unwrap());
    let mut search = BestFirst::new(Settings::default(), 1, OpenRows);
    let report = search.search(&root, &Limits::default(), &mut Unobserved);
    assert_eq!(report.best_move(), Some(Cell(2)));
    assert_eq!(report.value, Value::win_in(1));
}

/// Collects reports; stops when told.
#[derive(Default)]
struct Witness {
    reports: Vec<Report<ChildIndex>>,
    stop_at: Option<u64>,
    most_iterations: Option<u32>,
}

impl Observer<ChildIndex> for Witness {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.stop_at.is_some_and(|most| nodes >= most)
    }

    fn wants_another_iteration(&mut self, done: &Report<ChildIndex>) -> bool {
        self.most_iterations
            .is_none_or(|most| done.iteration < most)
    }

    fn report(&mut self, report: &Report<ChildIndex>) {
        self.reports.push(report.clone());
    }
}

/// The numbers of the iterations that were reported.
fn iterations(reports: &[Report<ChildIndex>]) -> Vec<u32> {
    let iterations = reports
        .iter()
        .filter(|it| it.occasion == Occasion::Iteration);
    iterations.map(|it| it.iteration).collect()
}

fn random_tree(seed: u64) -> Root<RandomTree> {
    let shape = Shape {
        branching: 20,
        limit: 14,
        ..Shape::default()
    };
    Root::new(RandomTree::new(shape, seed))
}

/// A new search's report on a random tree.
fn searched(
    seed: u64,
    limits: &Limits<ChildIndex>,
    observer: &mut dyn Observer<ChildIndex>,
) -> Report<ChildIndex> {
    let settings = Settings {
        grid: Grid::integers(15),
        ..Settings::default()
    };
    BestFirst::new(settings, 16, ReadOff).search(&random_tree(seed), limits, observer)
}

#[test]
fn no_time_at_all_still_gives_a_move() {
    let report = searched(3, &Limits::nodes(0), &mut Unobserved);
    assert!(report.best_move().is_some());
    let mut stopped = Witness {
        stop_at: Some(0),
        ..Witness::default()
    };
    let report = searched(3, &Limits::default(), &mut stopped);
    assert!(report.best_move().is_some());
    assert_eq!(stopped.reports.last().unwrap().occasion, Occasion::Final);
}

#[test]
fn the_last_threshold_ends_the_search() {
    let settings = Settings {
        grid: Grid::integers(15),
        best_move_cutoff: false,
        ..Settings::default()
    };
    for last in 1..5 {
        let mut told = Vec::new();
        let mut search = BestFirst::new(settings, 16, ReadOff);
        let report = search.search(&random_tree(1), &Limits::iterations(last), &mut told);
        assert_eq!(report.iteration, last);
        let conspiracy = report.conspiracy.unwrap();
        assert_eq!(conspiracy.threshold, last);
        let Support::Leaves { below, .. } = conspiracy.support else {
            panic!("{conspiracy:?}");
        };
        assert!(below.is_none_or(|n| n >= last));
        let iterations = iterations(&told);
        assert!(iterations.is_sorted() && iterations.last() == Some(&last));
    }
}

#[test]
fn the_observer_can_stop_between_thresholds() {
    let mut told = Witness {
        most_iterations: Some(2),
        ..Witness::default()
    };
    let report = searched(1, &Limits::default(), &mut told);
    assert!(report.iteration >= 2);
    let late = iterations(&told.reports).into_iter().filter(|it| *it >= 2);
    assert_eq!(late.count(), 1);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let wanted = random_tree(4).position.legal_moves()[13];
    let limits = Limits {
        search_moves: vec![wanted],
        ..Limits::nodes(5_000)
    };
    let report = searched(4, &limits, &mut Unobserved);
    assert_eq!(report.best_move(), Some(wanted));
}

fn chess_search(megabytes: usize, settings: Settings) -> ChessSearcher {
    let settings = registry::Settings {
        best_first: settings,
        ..registry::Settings::of(Algorithm::BestFirst, megabytes)
    };
    searcher(settings, Evaluation::Tactical)
}

fn chess_root(fen: &str) -> Root<chess::Position> {
    Root::new(notation::parse_fen(fen).expect(fen))
}

const WAC_1: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";

#[test]
fn the_same_search_twice_is_the_same_search() {
    let run = |search: &mut ChessSearcher| {
        let mut told = Vec::new();
        search.search(&chess_root(WAC_1), &Limits::nodes(200_000), &mut told);
        format!("{told:?}")
    };
    let mut search = chess_search(1, Settings::default());
    let first = run(&mut search);
    search.clear();
    assert_eq!(run(&mut search), first);
    assert_eq!(run(&mut chess_search(1, Settings::default())), first);
}

#[test]
fn a_mate_is_shown_to_the_last_move() {
    // WAC 1: 1. Qg6! mates in two.
    for leaf_window in LeafWindow::ALL {
        let settings = Settings {
            leaf_window,
            ..Settings::default()
        };
        let limits = Limits {
            mate: Some(2),
            ..Limits::nodes(3_000_000)
        };
        let root = chess_root(WAC_1);
        let report = chess_search(16, settings).search(&root, &limits, &mut Unobserved);
        assert_eq!(report.value, Value::win_in(3));
        let mut position = root.position;
        for &m in &report.pv {
            position.play(m);
        }
        assert_eq!(report.pv.len(), 3);
        assert_eq!(position.outcome(), Some(Value::LOSS));
    }
}

#[test]
fn a_position_that_stood_twice_in_the_game_is_a_draw() {
    // White is a rook down and must lose, but may repeat.
    let mut root = chess_root("k7/8/8/8/8/r7/7P/6K1 w - - 0 1");
    let limits = Limits::nodes(20_000);
    let search =
        |root: &_| chess_search(4, Settings::default()).search(root, &limits, &mut Unobserved);
    for _ in 0..2 {
        let lost = search(&root).value;
        assert!(lost < Value::centipawns(-100), "{lost}");
        for text in ["g1g2", "a8b8", "g2g1", "b8a8"] {
            root.play(notation::parse_uci(&root.position, text).unwrap());
        }
    }
    let report = search(&root);
    assert_eq!(report.value, Value::DRAW);
    let played = notation::to_uci(report.best_move().unwrap(), false);
    assert_eq!(played, "g1g2");
    assert_eq!(report.pv.len(), 1, "the line ends where the game is drawn");
}

#[test]
fn a_tiny_memory_is_enough_for_a_long_search() {
    let root = chess_root("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9");
    let settings = Settings {
        depth_limit: 40,
        ..Settings::default()
    };
    let limits = Limits::nodes(3_000_000);
    let report = chess_search(1, settings).search(&root, &limits, &mut Unobserved);
    assert!(report.nodes >= 3_000_000);
    assert!(report.fullness <= 1000);
    let mut position = root.position;
    for &m in &report.pv {
        assert!(position.legal_moves().contains(&m));
        position.play(m);
    }
}
