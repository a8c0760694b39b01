//! Limits of every search, on boards that no game has: a node limit is reached exactly, and a stopped search ends
//! within a few hundred nodes.

use cassius::game::{Evaluator as _, Game, Root, Visits};
use cassius::games::chess::{Evaluation, Move, Position, Quiescence, notation};
use cassius::random::Random;
use cassius::search::registry::{Algorithm, Settings};
use cassius::search::{Bound, Limits, Observer, Report, Unobserved};
use cassius::value::{Value, Window};

use crate::common::searcher;

/// A position with up to nine queens a side, as promotion could give: pieces are placed one by one, as long as the
/// position is legal.
fn full_of_queens(random: &mut Random) -> Position {
    let turn = ["w", "b"][random.below(2)];
    let parse = |board: &[char; 64]| {
        let ranks = board.chunks(8).map(|rank| rank.iter().collect::<String>());
        let ranks: Vec<String> = ranks.map(|rank| rank.replace(' ', "1")).collect();
        notation::parse_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))).ok()
    };
    loop {
        let mut board = [' '; 64];
        board[random.below(64)] = 'K';
        board[random.below(64)] = 'k';
        for (piece, most) in [('q', 10), ('r', 3), ('b', 2), ('n', 3)] {
            for piece in [piece, piece.to_ascii_uppercase()] {
                for _ in 0..random.below(most) {
                    let mut fuller = board;
                    let square = random.below(64);
                    fuller[square] = piece;
                    if board[square] == ' ' && parse(&fuller).is_some() {
                        board = fuller;
                    }
                }
            }
        }
        if let Some(position) = parse(&board)
            && position.outcome().is_none()
        {
            return position;
        }
    }
}

/// Stops after a number of nodes.
struct StopAt(u64);

impl Observer<Move> for StopAt {
    fn should_stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
}

fn check_move(root: &Root<Position>, report: &Report<Move>, what: &str) {
    let fen = notation::to_fen(&root.position);
    let m = report.best_move();
    let m = m.unwrap_or_else(|| panic!("{what}: no move in {fen}"));
    assert!(root.position.legal_moves().contains(&m), "{what}: {fen}");
}

/// Most nodes of a search between two polls of its observer.
const BETWEEN_QUESTIONS: u64 = 256;

#[test]
fn limits_hold_on_a_thousand_boards_full_of_queens() {
    let mut random = Random::new(0x5eed);
    let mut searchers = Algorithm::ALL.map(|algorithm| {
        (
            algorithm,
            searcher(Settings::of(algorithm, 1), Evaluation::Network),
        )
    });
    for number in 0..1_000 {
        let root = Root::new(full_of_queens(&mut random));
        let fen = notation::to_fen(&root.position);
        // Every search has its turn; the default one has more.
        let (algorithm, search) = match number % 2 {
            0 => &mut searchers[0],
            _ => &mut searchers[number / 2 % Algorithm::ALL.len()],
        };
        let most = 1 + random.below(600) as u64;
        let report = search.search(&root, &Limits::nodes(most), &mut Unobserved);
        check_move(&root, &report, algorithm.name());
        let nodes = report.nodes;
        assert!(nodes <= most, "{algorithm}: {nodes} of {most} in {fen}");
        let report = search.search(&root, &Limits::default(), &mut StopAt(most));
        check_move(&root, &report, algorithm.name());
        let late = report.nodes.saturating_sub(most);
        let is_soon = late <= BETWEEN_QUESTIONS;
        assert!(is_soon, "{algorithm}: {late} after stop at {most} in {fen}");
    }
}

#[test]
fn a_node_limit_is_reached_exactly() {
    let fens = [
        "2k2br1/rp2p1pp/2N2N1n/p1pp1b2/2P3B1/4P2P/PP1P2Pq/1RBK2Q1 b - - 1 23",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "3Q4/n1r2Q2/3QqR2/2N1b1Kb/1r1q4/2QqB1k1/2N2RB1/3q1n2 w - - 0 1",
    ];
    for fen in fens {
        let root = Root::new(notation::parse_fen(fen).unwrap());
        for algorithm in Algorithm::ALL {
            for most in [1, 19, 20, 21, 50, 400, 1_000, 5_000, 12_345, 20_000] {
                let mut search = searcher(Settings::of(algorithm, 16), Evaluation::Network);
                let report = search.search(&root, &Limits::nodes(most), &mut Unobserved);
                check_move(&root, &report, algorithm.name());
                assert_eq!(report.nodes, most, "{algorithm}, {most}: {fen}");
                // The observer ends a search as deep in its tree, within one poll.
                search.clear();
                let report = search.search(&root, &Limits::default(), &mut StopAt(most));
                check_move(&root, &report, algorithm.name());
                let soon = most..=most + BETWEEN_QUESTIONS;
                let nodes = report.nodes;
                assert!(
                    soon.contains(&nodes),
                    "{algorithm}: {nodes} for {most} in {fen}"
                );
            }
        }
    }
}

#[test]
fn a_finished_game_has_a_value_but_no_move() {
    for (fen, value) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Value::LOSS),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Value::DRAW),
    ] {
        let root = Root::new(notation::parse_fen(fen).unwrap());
        for algorithm in Algorithm::ALL {
            let mut told = Vec::new();
            let mut search = searcher(Settings::of(algorithm, 16), Evaluation::Network);
            let report = search.search(&root, &Limits::default(), &mut told);
            let found = (report.value, report.best_move(), told.len());
            assert_eq!(found, (value, None, 1), "{algorithm} {fen}");
        }
    }
}

/// Counts nodes without a limit.
struct Counter(u64);

impl Visits for Counter {
    type Stop = std::convert::Infallible;

    fn visit(&mut self) -> Result<(), Self::Stop> {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn one_evaluation_is_bounded_on_any_board() {
    let mut random = Random::new(0x0b0e);
    let mut boards: Vec<Position> = (0..20).map(|_| full_of_queens(&mut random)).collect();
    let endless = "q1bq4/q3rRNR/1QBn2kr/2Q2qqq/QN1BqQbQ/1QnQ4/qQ1q4/4Q1K1 w - - 0 1";
    boards.push(notation::parse_fen(endless).unwrap());
    let mut most = 0;
    for evaluation in Evaluation::ALL {
        for board in &boards {
            let mut counter = Counter(0);
            let whole = Window::FULL;
            let Ok(found) = Quiescence::new(evaluation).evaluate(board, whole, &mut counter);
            let value = found.value;
            let fen = notation::to_fen(board);
            assert!(counter.0 < 200_000, "{} positions for {fen}", counter.0);
            assert!(whole.alpha < value && value < whole.beta, "{fen}");
            most = most.max(counter.0);
        }
    }
    assert!(most > 100_000, "a board that meets the bound: {most}");
}

/// Black is mated in six: a stopped search must not claim a shorter mate from the moves it has seen.
#[test]
fn moves_that_a_limit_leaves_unseen_are_not_taken_for_lost() {
    let fen = "3br3/2P5/1N1n1pQp/3p1np1/1PpP3q/Rp2kPNP/p5P1/1b1RBBK1 b - - 0 1";
    let root = Root::new(notation::parse_fen(fen).unwrap());
    for algorithm in Algorithm::ALL {
        for most in (1..1_500).step_by(37) {
            let limits = Limits::nodes(most);
            let report = searcher(Settings::of(algorithm, 1), Evaluation::Network).search(
                &root,
                &limits,
                &mut Unobserved,
            );
            check_move(&root, &report, algorithm.name());
            // "At least mated in one" is true of any move.
            if let Some(mate) = report.value.mate_in_moves()
                && report.bound != Bound::Lower
            {
                assert!(mate <= -6, "{algorithm}, {most} nodes: mate {mate}");
            }
        }
    }
}

/// Proof-number search looks for mates in that many moves for as long as it takes, in slices.
#[test]
fn no_iteration_is_beyond_the_limit() {
    let fen = "2r2b1r/p1Nk2pp/3p1p2/N2Qn3/4P3/q6P/P4PP1/1R3K1R w - - 0 1";
    let root = Root::new(notation::parse_fen(fen).expect("a position"));
    for algorithm in [Algorithm::ProofNumber, Algorithm::ProofNumberTree] {
        let mut search = searcher(Settings::of(algorithm, 16), Evaluation::Network);
        let limits = Limits {
            iterations: Some(4),
            ..Limits::nodes(60_000)
        };
        let mut reports: Vec<Report<Move>> = Vec::new();
        search.search(&root, &limits, &mut reports);
        let last = reports.iter().map(|it| it.iteration).max();
        assert_eq!(last, Some(4), "{algorithm}");
    }
}
