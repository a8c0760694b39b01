//! Searches by several threads: whatever the order in which they come, no move is lost, and they end when
//! they are told to.

use cassius::game::{Game, Root};
use cassius::games::chess::{self, Quiescence, notation};
use cassius::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use cassius::games::tic_tac_toe::{OpenRows, TicTacToe};
use cassius::search::alpha_beta::{self, AlphaBeta};
use cassius::search::depth_first::{self, DepthFirst, HIGHEST_DEMAND};
use cassius::search::minimax::Minimax;
use cassius::search::registry::{self, Algorithm, Settings};
use cassius::search::team::Threads;
use cassius::search::{Limits, Observer, Report, Searcher, Unobserved};
use cassius::value::Value;
use proptest::prelude::*;

/// Memory of the searches' tables, in MiB.
const MEGABYTES: usize = 1;

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
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Turns of different lengths are different orders in which threads come.
    #[test]
    fn the_order_of_threads_loses_no_move(
        seed: u64, branching in 2u16..6, depth in 3u16..8, count in 1usize..=8, turn in 1u64..40,
    ) {
        let tree = RandomTree::new(shape(branching, depth), seed);
        let expected = minimax(&tree, depth);
        let root = Root::new(tree);
        let threads = Threads { count, turn: Some(turn) };
        let limits = Limits::iterations(HIGHEST_DEMAND);
        let report = depth_first(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "depth-first");
        let limits = Limits::iterations(depth.into());
        let report = alpha_beta(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "alpha-beta");
    }

    /// The same with threads that run as they can.
    #[test]
    fn threads_at_once_find_the_minimax_value(
        seed: u64, branching in 2u16..6, depth in 3u16..8, count in 1usize..=8,
    ) {
        let tree = RandomTree::new(shape(branching, depth), seed);
        let expected = minimax(&tree, depth);
        let root = Root::new(tree);
        let threads = Threads::of(count);
        let limits = Limits::iterations(HIGHEST_DEMAND);
        let report = depth_first(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "depth-first");
        let limits = Limits::iterations(depth.into());
        let report = alpha_beta(threads).search(&root, &limits, &mut Unobserved);
        prop_assert_eq!(report.value, expected, "alpha-beta");
    }
}

#[test]
fn threads_that_take_turns_do_the_same_every_time() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let root = Root::new(notation::parse_fen(fen).expect("a FEN"));
    for algorithm in [Algorithm::DepthFirst, Algorithm::AlphaBeta] {
        let run = || {
            let settings = Settings {
                algorithm,
                hash_megabytes: MEGABYTES,
                threads: Threads {
                    count: 5,
                    turn: Some(64),
                },
                ..Settings::default()
            };
            let mut search = registry::build(&settings, Quiescence::tactical());
            let report = search.search(&root, &Limits::iterations(5), &mut Unobserved);
            (report.nodes, report.value, report.pv)
        };
        let first = run();
        assert!(!first.2.is_empty());
        assert_eq!(first, run(), "{algorithm}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw_whoever_searches() {
    for algorithm in Algorithm::ALL {
        if matches!(
            algorithm,
            Algorithm::ProofNumber | Algorithm::ProofNumberTree
        ) {
            // They look for wins, and there is none.
            continue;
        }
        let settings = Settings {
            algorithm,
            hash_megabytes: MEGABYTES,
            threads: Threads::of(4),
            ..Settings::default()
        };
        let mut search = registry::build(&settings, OpenRows);
        let root = Root::new(TicTacToe::after_cells(&[4, 0]).unwrap());
        let limits = Limits {
            nodes: Some(300_000),
            iterations: Some(20),
            ..Limits::default()
        };
        let report = search.search(&root, &limits, &mut Unobserved);
        assert!(
            !report.value.is_decided(),
            "{algorithm}: {}",
            report.value.get()
        );
    }
}

/// Says stop when it is asked for the so-manieth time.
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
            let settings = Settings {
                algorithm,
                hash_megabytes: MEGABYTES,
                threads: Threads { count, turn },
                ..Settings::default()
            };
            let mut search = registry::build(&settings, Quiescence::tactical());
            for questions in [1, 2, 5, 20, 50] {
                let report =
                    search.search(&root, &Limits::nodes(200_000), &mut Impatient(questions));
                let m = report.best_move().expect("a move");
                assert!(root.position.legal_moves().contains(&m), "{algorithm}");
            }
        }
    }
}

/// What a search tells, but for the time.
fn told(algorithm: Algorithm, threads: usize, nodes: u64) -> Vec<String> {
    struct Listener(Vec<String>);
    impl Observer<chess::Move> for Listener {
        fn should_stop(&mut self, _nodes: u64) -> bool {
            false
        }

        fn report(&mut self, report: &Report<chess::Move>) {
            self.0.push(format!("{report:?}"));
        }
    }
    let settings = Settings {
        algorithm,
        hash_megabytes: MEGABYTES,
        threads: Threads::of(threads),
        ..Settings::default()
    };
    let mut search = registry::build(&settings, Quiescence::tactical());
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut root = Root::new(notation::parse_fen(fen).expect("a FEN"));
    let mut listener = Listener(Vec::new());
    // The second search goes on with the tree of the first.
    for _ in 0..2 {
        let report = search.search(&root, &Limits::nodes(nodes), &mut listener);
        root.play(report.best_move().expect("a move"));
    }
    listener.0
}

#[test]
fn best_first_search_finds_the_same_with_any_number_of_threads() {
    for algorithm in [Algorithm::BestFirst, Algorithm::SiblingConspiracy] {
        for nodes in [1, 100, 3_000, 20_001] {
            let one = told(algorithm, 1, nodes);
            for threads in [2, 3, 8] {
                assert_eq!(
                    told(algorithm, threads, nodes),
                    one,
                    "{algorithm} {threads} {nodes}"
                );
            }
        }
    }
}
