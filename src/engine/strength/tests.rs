//! Limited searches used as a library.

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

/// Collects reports.
#[derive(Default)]
struct Heard(Vec<Report<Move>>);

impl Observer<Move> for Heard {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<Move>) {
        self.0.push(report.clone());
    }
}

#[test]
fn it_tells_of_the_move_it_plays_and_of_no_other() {
    for seed in 0..10 {
        let mut heard = Heard::default();
        let report = searcher(LEVEL, seed).search(&start(), &Limits::default(), &mut heard);
        assert_eq!(heard.0.len(), 1);
        let told = &heard.0[0];
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
