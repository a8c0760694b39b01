//! Searches by several threads: in any order of threads they lose no move, and end when told.

use std::collections::BTreeSet;
use std::sync::{Arc, RwLockWriteGuard};

use cassius::engine::settings::ChessSearcher;
use cassius::game::{Game, Moves, OutcomesOnly, Root, Side};
use cassius::games::chess::{self, Evaluation, notation};
use cassius::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use cassius::search::alpha_beta::{self, AlphaBeta};
use cassius::search::depth_first::{self, DepthFirst, HIGHEST_DEMAND};
use cassius::search::kit::team::Threads;
use cassius::search::papers::minimax::Minimax;
use cassius::search::proof_number::{self, ProofNumber};
use cassius::search::registry::{Algorithm, Settings};
use cassius::search::{Bound, Limits, Observer, Report, Searcher, Unobserved};
use cassius::value::Value;
use proptest::prelude::*;

use crate::common::{busy, searcher};

/// Memory of the tables, in MiB.
const MEGABYTES: usize = 1;

/// A tactical middlegame.
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Takes the lock of [`busy`], unless the threads take turns: then one runs at a time.
fn busy_unless_in_turns(turn: Option<u64>) -> Option<RwLockWriteGuard<'static, ()>> {
    turn.is_none().then(busy)
}

/// A search of chess by these threads.
fn chess_search(algorithm: Algorithm, threads: Threads) -> ChessSearcher {
    let settings = Settings {
        threads,
        ..Settings::of(algorithm, MEGABYTES)
    };
    searcher(settings, Evaluation::Tactical)
}

fn shape(branching: u16, depth: u16) -> Shape {
    Shape {
        branching,
        depth: Some(depth),
        limit: 60,
        values: StaticValues::Correlated { spread: 15 },
    }
}

fn depth_first(threads: Threads) -> DepthFirst<ReadOff> {
    let settings = depth_first::Settings {
        threads,
        hash_megabytes: MEGABYTES,
        ..depth_first::Settings::default()
    };
    DepthFirst::new(settings, ReadOff)
}

fn alpha_beta(threads: Threads) -> AlphaBeta<ReadOff> {
    let settings = alpha_beta::Settings {
        threads,
        hash_megabytes: MEGABYTES,
        ..alpha_beta::Settings::exact()
    };
    AlphaBeta::new(settings, ReadOff)
}

fn minimax(root: &RandomTree, depth: u16) -> Value {
    let limits = Limits::iterations(depth.into());
    Minimax::new(ReadOff)
        .search(&Root::new(*root), &limits, &mut Unobserved)
        .value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Turns of different lengths give different orders of threads; without turns they run freely.
    #[test]
    fn threads_find_the_minimax_value(
        seed: u64, branching in 1u16..6, depth in 1u16..8, count in 1usize..=8,
        turn in prop::option::weighted(0.5, 1u64..40),
    ) {
        let _busy = busy_unless_in_turns(turn);
        let tree = RandomTree::new(shape(branching, depth), seed);
        let expected = minimax(&tree, depth);
        let root = Root::new(tree);
        let threads = Threads { count, turn };
        let limits = Limits::iterations(HIGHEST_DEMAND);
        let report = depth_first(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "depth-first");
        let limits = Limits::iterations(depth.into());
        let report = alpha_beta(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "alpha-beta");
    }
}

/// A game with repetitions: random places with ways between them. Where no way leads on the side to move has lost; in
/// some such places it is a draw.
#[derive(Clone, Debug)]
struct Maze {
    ways: Arc<Vec<Vec<u16>>>,
    place: u16,
    plies: usize,
}

impl Maze {
    fn new(places: u16, most_ways: u64, seed: u64) -> Maze {
        let mut state = seed | 1;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11);
            (state >> 33) % below
        };
        let mut ways_from = || {
            let ways = (0..draw(most_ways + 1)).map(|_| draw(places.into()) as u16);
            ways.collect::<BTreeSet<u16>>().into_iter().collect()
        };
        Maze {
            ways: Arc::new((0..places).map(|_| ways_from()).collect()),
            place: 0,
            plies: 0,
        }
    }

    /// Exact values for the side to move at each place, by retrograde analysis.
    fn values(&self) -> Vec<Value> {
        let places = 0..self.ways.len();
        let at = |place| Maze {
            place: place as u16,
            ..self.clone()
        };
        let is_end = |place: usize| self.ways[place].is_empty();
        let end = |place: usize| is_end(place).then(|| at(place).terminal_value());
        let mut values: Vec<Option<Value>> = places.clone().map(end).collect();
        for plies in 1..=values.len() as u16 {
            let before = values.clone();
            for place in places.clone().filter(|&place| before[place].is_none()) {
                let ways = &self.ways[place];
                let next = || ways.iter().map(|&next| before[usize::from(next)]);
                if next().flatten().any(Value::is_loss) {
                    values[place] = Some(Value::win_in(plies));
                } else if next().all(|value| value.is_some_and(Value::is_win)) {
                    values[place] = Some(Value::loss_in(plies));
                }
            }
        }
        let values = values.into_iter();
        values.map(|it| it.unwrap_or(Value::DRAW)).collect()
    }
}

impl Game for Maze {
    type Move = u16;

    fn key(&self) -> u64 {
        let side = self.plies as u64 % 2;
        (u64::from(self.place) * 2 + side + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn side_to_move(&self) -> Side {
        if self.plies.is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        }
    }

    fn legal_moves(&self) -> Moves<u16> {
        self.ways[usize::from(self.place)].iter().copied().collect()
    }

    fn play(&mut self, m: u16) {
        self.place = m;
        self.plies += 1;
    }

    fn terminal_value(&self) -> Value {
        match self.place % 4 {
            0 => Value::DRAW,
            _ => Value::LOSS,
        }
    }

    fn reversible_plies(&self) -> usize {
        self.plies
    }

    fn move_code(m: u16) -> u16 {
        m + 1
    }
}

/// Checks the claims of a search for wins against the exact values.
struct Sceptic {
    root: Maze,
    truth: Value,
    questions: u32,
}

impl Sceptic {
    fn hold(&self, report: &Report<u16>) {
        let Some(plies) = report.value.plies_to_end() else {
            return;
        };
        assert_eq!(report.value.is_win(), self.truth.is_win());
        assert_eq!(report.value.is_loss(), self.truth.is_loss());
        let nearest = self.truth.plies_to_end().expect("a win or a loss");
        assert!(nearest <= plies);
        assert!(report.bound != Bound::Exact || nearest == plies);
        assert_eq!(report.pv.len(), usize::from(plies));
        let mut end = self.root.clone();
        for &m in &report.pv {
            assert!(end.legal_moves().contains(&m));
            end.play(m);
        }
        assert!(!end.has_legal_move() && end.terminal_value().is_loss());
    }
}

impl Observer<u16> for Sceptic {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.questions = self.questions.saturating_sub(1);
        self.questions == 0
    }

    fn no_win_within(&mut self, moves: u32) {
        if let Some(plies) = self.truth.plies_to_end() {
            assert!(u32::from(plies).div_ceil(2) > moves);
        }
    }

    fn report(&mut self, report: &Report<u16>) {
        self.hold(report);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// With any order of threads, table size and time to stop. With repetitions a claim could wrongly rest on the path
    /// of one thread.
    #[test]
    fn threads_claim_no_win_that_is_none(
        seed: u64, places in 2u16..40, ways in 2u64..5, count in 1usize..=8,
        turn in prop::option::weighted(0.8, 1u64..80), megabytes in 0usize..2, questions in 1u32..2_000,
    ) {
        let _busy = busy_unless_in_turns(turn);
        let maze = Maze::new(places, ways, seed);
        let truth = maze.values()[0];
        prop_assume!(maze.has_legal_move());
        let settings = proof_number::Settings {
            threads: Threads { count, turn },
            hash_megabytes: megabytes,
            ..proof_number::Settings::default()
        };
        let mut search = ProofNumber::new(settings, OutcomesOnly);
        let root = Root::new(maze.clone());
        let mut sceptic = Sceptic { root: maze, truth, questions };
        let limits = Limits::nodes(20_000);
        // The second search uses the table of the first.
        for _ in 0..2 {
            let report = search.search(&root, &limits, &mut sceptic);
            sceptic.hold(&report);
            if megabytes > 0 && report.nodes < 20_000 && sceptic.questions > 0 {
                prop_assert_eq!(report.value, truth, "done, and nothing left to look for");
            }
            sceptic.questions = u32::MAX;
        }
    }
}

#[test]
fn threads_that_take_turns_do_the_same_every_time() {
    let root = Root::new(notation::parse_fen(MIDDLEGAME).expect("a FEN"));
    let (count, turn) = (5, Some(64));
    for algorithm in [
        Algorithm::DepthFirst,
        Algorithm::AlphaBeta,
        Algorithm::ProofNumber,
    ] {
        let run = || {
            let mut search = chess_search(algorithm, Threads { count, turn });
            let limits = Limits {
                // Mates within a number of moves may take any effort.
                nodes: (algorithm == Algorithm::ProofNumber).then_some(20_000),
                ..Limits::iterations(5)
            };
            let report = search.search(&root, &limits, &mut Unobserved);
            (report.nodes, report.value, report.pv)
        };
        let first = run();
        assert!(!first.2.is_empty());
        assert_eq!(first, run(), "{algorithm}");
    }
}

/// Stops at the n-th poll.
struct Impatient(u32);

impl<M> Observer<M> for Impatient {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }

    fn report(&mut self, report: &Report<M>) {
        assert!(!report.pv.is_empty());
    }
}

#[test]
fn threads_stop_at_any_time() {
    let root = Root::new(chess::Position::initial());
    for algorithm in Algorithm::ALL {
        for (count, turn) in [(2, None), (8, None), (3, Some(7)), (8, Some(64))] {
            let _busy = busy_unless_in_turns(turn);
            let mut search = chess_search(algorithm, Threads { count, turn });
            let limits = Limits::nodes(200_000);
            for questions in [1, 2, 5, 20, 50] {
                let report = search.search(&root, &limits, &mut Impatient(questions));
                let m = report.best_move().expect("a move");
                assert!(root.position.legal_moves().contains(&m), "{algorithm}");
            }
        }
    }
}

/// The reports of a search, without times.
fn told(algorithm: Algorithm, threads: usize, nodes: u64) -> Vec<String> {
    let mut search = chess_search(algorithm, Threads::of(threads));
    let mut root = Root::new(notation::parse_fen(MIDDLEGAME).expect("a FEN"));
    let mut told = Vec::new();
    // The second search reuses the tree of the first.
    for _ in 0..2 {
        let report = search.search(&root, &Limits::nodes(nodes), &mut told);
        root.play(report.best_move().expect("a move"));
    }
    told.iter().map(|report| format!("{report:?}")).collect()
}

#[test]
fn best_first_search_finds_the_same_with_any_number_of_threads() {
    let _busy = busy();
    for algorithm in [Algorithm::BestFirst, Algorithm::SiblingConspiracy] {
        for nodes in [1, 100, 3_000, 20_001] {
            let one = told(algorithm, 1, nodes);
            for threads in [2, 3, 8] {
                let many = told(algorithm, threads, nodes);
                assert_eq!(many, one, "{algorithm} {threads} {nodes}");
            }
        }
    }
}
