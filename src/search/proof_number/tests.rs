mod rules;

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::numbers::{Number, Numbers, interior};
use super::{Form, ProofNumber, Settings};
use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree;
use crate::game::{Game, OutcomesOnly, Root};
use crate::games::chess::{Move, Position, Quiescence, notation};
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::search::kit::mate_line;
use crate::search::kit::team::Threads;
use crate::search::{Bound, Limits, Observer, Occasion, Report, Searcher, Unobserved};
use crate::value::Value;

const FORMS: [Form; 2] = [Form::DepthFirst, Form::Tree];

fn settings(form: Form) -> Settings {
    Settings {
        form,
        hash_megabytes: 1,
        ..Settings::default()
    }
}

/// Not won, unknown, won: as values of a game tree.
const NOT_WON: i32 = -1;
const WON: i32 = 1;

fn numbers_of(tree: &Tree) -> Numbers {
    match tree {
        Tree::Terminal(WON) => Numbers::PROVEN,
        Tree::Terminal(_) => Numbers::DISPROVEN,
        Tree::Leaf(_) => Numbers::new(Number::ONE, Number::ONE),
        Tree::Interior(kind, children) => interior(*kind, children.iter().map(numbers_of)),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => Just(Tree::Leaf(0)),
        1 => Just(Tree::Terminal(WON)),
        1 => Just(Tree::Terminal(NOT_WON)),
    ];
    leaf.prop_recursive(4, 100, 4, |inner| {
        let kind = prop_oneof![Just(Kind::Max), Just(Kind::Min)];
        (kind, prop::collection::vec(inner, 1..4))
            .prop_map(|(kind, children)| Tree::Interior(kind, children))
    })
}

proptest! {
    #[test]
    fn proof_numbers_are_conspiracy_numbers(tree in trees()) {
        let numbers = numbers_of(&tree);
        prop_assert_eq!(numbers.proof.get(), tree.conspiracy_number(WON).get());
        prop_assert_eq!(numbers.disproof.get(), tree.conspiracy_number(NOT_WON).get());
    }
}

/// The exact value of a game by full search, with the distance of wins and losses.
fn brute_force<G: Game>(position: &G, known: &mut HashMap<u64, Value>) -> Value {
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let value = position.outcome().unwrap_or_else(|| {
        let children = position.legal_moves().into_iter();
        let values = children.map(|m| brute_force(&position.after(m), known).from_child());
        values.max().unwrap()
    });
    known.insert(position.key(), value);
    value
}

/// All positions at most `plies` away, each once.
fn positions<G: Game>(root: &G, plies: usize) -> Vec<G> {
    let mut seen = HashMap::new();
    let mut layer = vec![root.clone()];
    let mut all = Vec::new();
    for _ in 0..=plies {
        layer.retain(|position| seen.insert(position.key(), ()).is_none());
        all.extend(layer.iter().cloned());
        let children = |position: &G| {
            let moves = position.legal_moves().into_iter();
            moves.map(|m| position.after(m)).collect::<Vec<G>>()
        };
        layer = layer.iter().flat_map(children).collect();
    }
    all
}

/// Compares searches with brute force on every position within some plies of `root`: value, distance, line.
fn solve<G: Game + Sync>(searches: impl IntoIterator<Item = Settings>, root: &G, plies: usize) {
    let mut known = HashMap::new();
    for settings in searches {
        let form = (settings.form, settings.threads);
        let mut search = ProofNumber::new(settings, OutcomesOnly);
        let search: &mut dyn Searcher<G> = &mut search;
        for position in positions(root, plies) {
            let expected = brute_force(&position, &mut known);
            search.clear();
            let limits = Limits::default();
            let report = search.search(&Root::new(position.clone()), &limits, &mut Unobserved);
            assert_eq!(report.value, expected, "{form:?}");
            assert_eq!(report.bound, Bound::Exact, "{form:?}");
            if let Some(plies) = expected.plies_to_end() {
                assert_eq!(report.pv.len(), usize::from(plies), "{form:?}");
                let mut end = position;
                for &m in &report.pv {
                    assert!(end.legal_moves().contains(&m));
                    end.play(m);
                }
                assert!(end.legal_moves().is_empty() && end.terminal_value().is_loss());
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_solved() {
    solve(FORMS.map(settings), &TicTacToe::new(), 9);
}

#[test]
fn connect_four_is_solved_on_small_boards() {
    let both = || FORMS.map(settings);
    solve(both(), &ConnectFour::<4, 3, 3>::new(), 4);
    solve(both(), &ConnectFour::<3, 5, 3>::new(), 4);
    // Half full: a tree without transpositions has no room for the empty board.
    let half_full = ConnectFour::<4, 4>::after_columns(&[0, 0, 1, 1, 2, 3, 2, 0]);
    solve(both(), &half_full.unwrap(), 3);
    solve([settings(Form::DepthFirst)], &ConnectFour::<4, 4>::new(), 0);
}

#[test]
fn several_threads_solve_what_one_does() {
    let several = |(count, turn)| Settings {
        threads: Threads { count, turn },
        ..settings(Form::DepthFirst)
    };
    // Turns of few nodes take long: they play the smallest game alone.
    let half_full = ConnectFour::<4, 4>::after_columns(&[0, 0, 1, 1, 2, 3, 2, 0]);
    solve(
        [(2, Some(1)), (3, Some(7))].map(several),
        &half_full.unwrap(),
        2,
    );
    let searches = || [(5, Some(64)), (4, None)].map(several);
    solve(searches(), &TicTacToe::new(), 3);
    solve(searches(), &ConnectFour::<4, 3, 3>::new(), 2);
}

fn position(fen: &str) -> Position {
    notation::parse_fen(fen).unwrap()
}

/// Records the moves within which there is no win.
#[derive(Default)]
struct Listener {
    none_within: u32,
}

impl Observer<Move> for Listener {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn no_win_within(&mut self, moves: u32) {
        self.none_within = moves;
    }
}

fn chess_search(settings: Settings) -> ProofNumber<Quiescence> {
    ProofNumber::new(settings, Quiescence::tactical())
}

/// Searches for a mate within `moves` moves; also returns the number of moves within which there is none.
fn mate(settings: Settings, fen: &str, moves: u32) -> (Report<Move>, u32) {
    let mut listener = Listener::default();
    let limits = Limits {
        mate: Some(moves),
        ..Limits::nodes(300_000)
    };
    let root = Root::new(position(fen));
    let report = chess_search(settings).search(&root, &limits, &mut listener);
    (report, listener.none_within)
}

/// Asserts that the line of a report leads to the mate that it claims, in as many plies as claimed.
fn shows_its_mate(form: Form, fen: &str, report: &Report<Move>) {
    let plies = report.value.plies_to_end().map(usize::from);
    assert_eq!(plies, Some(report.pv.len()), "{form:?} {fen}");
    let mut end = position(fen);
    report.pv.iter().for_each(|&m| end.play(m));
    assert!(end.in_check() && !end.has_legal_move(), "{form:?} {fen}");
}

#[test]
fn mates_are_found_for_either_side_with_their_lines() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1", 1),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
        // Smothered.
        ("r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", 4),
        // A quiet first move.
        ("k7/8/2K5/8/8/8/7Q/8 w - - 0 1", 2),
        // Promotion to a queen, rook or bishop is stalemate or slower.
        ("8/5P1k/8/7K/8/8/8/6R1 w - - 0 1", 3),
    ];
    for form in FORMS {
        for (fen, moves) in cases {
            let (report, none) = mate(settings(form), fen, 5);
            assert_eq!(report.value.mate_in_moves(), Some(moves), "{form:?} {fen}");
            // A tree without transpositions may lack room to disprove nearer mates.
            if form == Form::DepthFirst {
                assert_eq!(report.bound, Bound::Exact, "{fen}");
                assert_eq!(none, moves.unsigned_abs() - 1, "{fen}");
            }
            shows_its_mate(form, fen, &report);
        }
    }
}

#[test]
fn a_search_without_mate_ends_and_says_so() {
    for form in FORMS {
        let fen = "r3k2r/ppp2ppp/2n5/3pp3/3PP3/2N5/PPP2PPP/R3K2R w KQkq - 0 1";
        let (report, none) = mate(settings(form), fen, 2);
        assert_eq!(none, 2, "{form:?}");
        assert!(!report.value.is_decided(), "{form:?}");
        assert_eq!(report.pv.len(), 1, "{form:?}");
    }
}

#[test]
fn every_move_that_mates_is_shown_as_one() {
    let root = Root::new(position("7k/8/6K1/8/8/8/8/1RQ5 w - - 0 1"));
    let limits = Limits {
        multipv: 2,
        ..Limits::nodes(1_000)
    };
    for form in FORMS {
        let mut reports = Vec::new();
        chess_search(settings(form)).search(&root, &limits, &mut reports);
        let mates = reports.iter().filter(|it| it.value == Value::win_in(1));
        let moves: HashSet<Option<Move>> = mates.map(Report::best_move).collect();
        assert_eq!(moves.len(), 2, "{reports:?}");
    }
}

#[test]
fn every_move_that_is_mated_is_shown_to_the_end() {
    let root = Root::new(position("1k6/8/2K5/8/8/8/7Q/8 b - - 3 2"));
    let limits = Limits {
        multipv: 3,
        ..Limits::nodes(2_000)
    };
    for form in FORMS {
        let mut reports = Vec::new();
        chess_search(settings(form)).search(&root, &limits, &mut reports);
        let mut lines = HashSet::new();
        for report in reports.iter().filter(|it| it.value.is_loss()) {
            lines.insert(report.line);
            assert!(
                mate_line::ends_in_loss(&root.position, &report.pv),
                "{report:?}"
            );
            assert!(report.pv.len() <= usize::from(report.value.plies_to_end().unwrap()));
        }
        assert_eq!(lines.len(), 3, "{reports:?}");
    }
}

#[test]
fn nothing_is_ruled_out_by_some_of_the_moves() {
    let root = Root::new(position("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1"));
    let legal = root.position.legal_moves();
    let is_slow = |m: &&Move| notation::to_uci(**m, false) != "b1b8";
    for form in FORMS {
        let mut listener = Listener::default();
        let limits = Limits {
            mate: Some(2),
            search_moves: legal.iter().filter(is_slow).copied().collect(),
            ..Limits::nodes(300_000)
        };
        chess_search(settings(form)).search(&root, &limits, &mut listener);
        assert_eq!(listener.none_within, 0, "{form:?}");
    }
}

#[test]
fn every_mate_claimed_is_shown_however_small_the_table() {
    // Queen against king: the proof is far larger than the smaller table.
    let fen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
    for (hash_megabytes, nodes) in [(0, 30_000), (1, 300_000)] {
        let settings = Settings {
            hash_megabytes,
            ..settings(Form::DepthFirst)
        };
        let mut reports = Vec::new();
        let root = Root::new(position(fen));
        let report = chess_search(settings).search(&root, &Limits::nodes(nodes), &mut reports);
        assert!(report.nodes <= nodes, "{}", report.nodes);
        assert_eq!(report.value.is_win(), hash_megabytes > 0, "{report:?}");
        reports.retain(|report| report.value.plies_to_end().is_some());
        reports
            .iter()
            .for_each(|report| shows_its_mate(Form::DepthFirst, fen, report));
    }
}

#[test]
fn a_win_that_cannot_be_shown_within_the_limits_is_a_bound() {
    let fen = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1";
    let root = Root::new(position(fen));
    let report_of = |nodes, reports: &mut Vec<_>| {
        let mut search = chess_search(settings(Form::DepthFirst));
        search.search(&root, &Limits::nodes(nodes), reports)
    };
    let mut reports = Vec::new();
    report_of(100_000, &mut reports);
    let shown = reports.iter().find(|report| report.value.is_win());
    let needed = shown.unwrap().nodes;
    let mut won_unshown = 0;
    for nodes in needed - 20..=needed {
        let report = report_of(nodes, &mut Vec::new());
        assert_eq!(report.value.is_win(), nodes == needed, "{nodes}");
        if report.bound == Bound::Lower && nodes < needed {
            let most = Value::centipawns(i32::from(Value::MAX_CENTIPAWNS));
            assert_eq!(report.value, most, "{nodes}");
            assert_eq!(notation::to_uci(report.pv[0], false), "g5f7", "{nodes}");
            won_unshown += 1;
        }
    }
    assert!((1..20).contains(&won_unshown), "{won_unshown}");
}

#[test]
fn a_mate_that_only_the_evaluator_has_seen_is_a_bound() {
    for (fen, bound) in [
        ("6k1/3r1ppp/8/8/8/8/8/KR6 w - - 0 1", Bound::Lower),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", Bound::Upper),
    ] {
        let mut search = chess_search(settings(Form::DepthFirst));
        let mut limits = Limits::nodes(150);
        limits.multipv = 20;
        let mut reports = Vec::new();
        search.search(&Root::new(position(fen)), &limits, &mut reports);
        reports.retain(|it| it.value.get().abs() == Value::MAX_CENTIPAWNS);
        assert!(reports.iter().any(|it| it.bound == bound), "{reports:?}");
        assert!(
            reports.iter().all(|it| it.bound != Bound::Exact),
            "{reports:?}"
        );
    }
}

#[test]
fn a_full_tree_rules_nothing_out() {
    let settings = |hash_megabytes| Settings {
        hash_megabytes,
        ..settings(Form::Tree)
    };
    let fen = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1";
    // Room for the root only.
    let (report, none) = mate(settings(0), fen, 4);
    assert_eq!((none, report.value.is_decided()), (0, false));
    // Room for some mate, but not for the disproof of nearer ones.
    let root = Root::new(position(fen));
    let mut reports = Vec::new();
    let report = chess_search(settings(1)).search(&root, &Limits::nodes(500_000), &mut reports);
    assert!(
        report.value.is_win() && report.bound == Bound::Lower,
        "{report:?}"
    );
    reports.retain(|it| it.occasion == Occasion::Iteration);
    assert!(reports.len() < 100, "{}", reports.len());
}
