//! Limited searches used as a library, and the draw of a careless move.

use std::collections::BTreeSet;

use super::*;
use crate::games::chess::notation;
use crate::search::Unobserved;

const LEVEL: Level = Level {
    nodes: 400,
    careless: 100.0,
    slack: 100.0,
};

fn root(fen: &str) -> Root<Position> {
    Root::new(notation::parse_fen(fen).unwrap())
}

fn start() -> Root<Position> {
    Root::new(Position::initial())
}

fn best(searcher: &mut ChessSearcher, root: &Root<Position>, limits: &Limits<Move>) -> Move {
    let report = searcher.search(root, limits, &mut Unobserved);
    report.best_move().unwrap()
}

/// The first moves of a game against itself.
fn game(searcher: &mut ChessSearcher) -> Vec<Move> {
    let mut root = start();
    let mut moves = Vec::new();
    for _ in 0..12 {
        let m = best(searcher, &root, &Limits::default());
        assert!(root.position.legal_moves().contains(&m));
        root.play(m);
        moves.push(m);
    }
    moves
}

#[test]
fn the_seed_decides_the_game() {
    let play = |seed| game(&mut searcher(LEVEL, seed));
    assert_eq!(play(3), play(3));
    let games: BTreeSet<String> = (0..4).map(|seed| format!("{:?}", play(seed))).collect();
    assert_eq!(games.len(), 4);
}

#[test]
fn the_next_game_is_another_one() {
    let mut searcher = searcher(LEVEL, 3);
    let first = game(&mut searcher);
    searcher.clear();
    assert_ne!(game(&mut searcher), first);
    assert_ne!(any_seed(), any_seed());
}

#[test]
fn it_tells_of_the_move_it_plays_and_of_no_other() {
    for seed in 0..10 {
        let mut heard: Vec<Report<Move>> = Vec::new();
        let report = searcher(LEVEL, seed).search(&start(), &Limits::default(), &mut heard);
        let [told] = &heard[..] else {
            panic!("{} reports", heard.len());
        };
        assert_eq!((told.line, told.occasion), (1, Occasion::Final));
        assert_eq!(told.pv, report.pv);
        assert!(report.nodes <= LEVEL.nodes * 5 / 4, "{}", report.nodes);
    }
}

#[test]
fn limits_are_kept() {
    let mut searcher = searcher(LEVEL, 3);
    let report = searcher.search(&start(), &Limits::nodes(50), &mut Unobserved);
    assert!(report.nodes <= 50, "{}", report.nodes);
    let moves = start().position.legal_moves();
    let limits = Limits {
        search_moves: moves[3..5].to_vec(),
        ..Limits::default()
    };
    for _ in 0..10 {
        searcher.clear();
        let m = best(&mut searcher, &start(), &limits);
        assert!(limits.search_moves.contains(&m));
    }
}

#[test]
fn a_mate_that_is_seen_is_played() {
    let root = root("7k/5K2/8/8/8/8/8/R7 w - - 0 1");
    for seed in 0..10 {
        let m = best(&mut searcher(LEVEL, seed), &root, &Limits::default());
        assert_eq!(notation::to_uci(m, false), "a1h1");
    }
}

fn values(centipawns: &[i32]) -> Vec<Value> {
    centipawns.iter().map(|&it| Value::centipawns(it)).collect()
}

/// How often each is chosen in `draws` draws.
fn drawn(values: &[Value], slack: f64, draws: usize) -> Vec<usize> {
    let mut random = Random::new(1);
    let mut counts = vec![0; values.len()];
    for _ in 0..draws {
        counts[choose(values, slack, &mut random)] += 1;
    }
    counts
}

#[test]
fn a_loss_of_the_slack_is_e_times_less_likely() {
    let counts = drawn(&values(&[50, 0, -50]), 50.0, 100_000);
    for pair in counts.windows(2) {
        let ratio = pair[0] as f64 / pair[1] as f64;
        assert!((ratio - std::f64::consts::E).abs() < 0.15, "{counts:?}");
    }
}

#[test]
fn a_move_that_loses_too_much_is_never_played() {
    let counts = drawn(&values(&[0, -299, -301]), 50.0, 100_000);
    assert!(counts[1] > 0, "{counts:?}");
    assert_eq!(counts[2], 0);
}

#[test]
fn decided_values_leave_no_choice() {
    let mate = [Value::win_in(5), Value::centipawns(900), Value::win_in(9)];
    assert_eq!(drawn(&mate, 500.0, 1_000), [1_000, 0, 0]);
    let mated = [Value::centipawns(-900), Value::loss_in(4)];
    assert_eq!(drawn(&mated, 5_000.0, 1_000), [1_000, 0]);
    let lost = [Value::loss_in(8), Value::loss_in(4)];
    assert_eq!(drawn(&lost, 5_000.0, 1_000), [1_000, 0]);
    assert_eq!(choose(&[], 50.0, &mut Random::new(1)), 0);
}
