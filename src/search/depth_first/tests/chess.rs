//! The search in chess: lines, limits, draws.

use super::*;
use crate::search::tests::playing::{MIDDLEGAME, TACTICAL, chess, replay};

fn with(constants: Constants, evaluator: Quiescence) -> DepthFirst<Quiescence> {
    DepthFirst::new(settings(constants), evaluator)
}

fn tactical() -> DepthFirst<Quiescence> {
    with(Constants::default(), Quiescence::tactical())
}

fn with_network(constants: Constants) -> DepthFirst<Quiescence> {
    with(constants, Quiescence::new(Evaluation::Network))
}

/// Mates in two to four, for either side.
const MATES: [&str; 4] = [
    TACTICAL,
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "8/8/8/8/8/2k5/1q6/K7 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
];

#[test]
fn lines_are_legal_and_every_mate_claimed_is_mate() {
    for fen in MATES {
        let root = chess(fen);
        let mut told = Vec::new();
        tactical().search(&root, &Limits::nodes(100_000), &mut told);
        for report in &told {
            let position = replay(&root, &report.pv);
            if let Some(plies) = report.value.plies_to_end() {
                let ends = position.in_check() && !position.has_legal_move();
                let (length, plies) = (report.pv.len(), usize::from(plies));
                let exact = report.bound == Bound::Exact;
                assert!(
                    ends && length <= plies && (!exact || length == plies),
                    "{fen}: {report:?}"
                );
            }
        }
    }
}

/// Where every move fails the table keeps one of them, however bad: in these positions lines led into mates.
#[test]
fn no_line_runs_into_mate_while_the_value_is_none() {
    for fen in [
        "8/r3B1N1/1b3p2/n3p3/2p1pPBp/6kP/8/3N3K b - - 0 1",
        "8/4p1pN/2p3p1/2p1p1P1/4P1P1/2P1P3/p7/k1K5 b - - 0 1",
        "r7/3pkp1p/p4q2/1ppQp3/B3P3/8/PPP2PrP/R4RK1 w - - 0 1",
        "5r1k/pp1n1p1p/1b1qpP2/8/1PrN4/P1N1Q1P1/7P/3R1R1K w - - 0 1",
    ] {
        let root = chess(fen);
        let mut told = Vec::new();
        with_network(Constants::default()).search(&root, &Limits::nodes(2_500), &mut told);
        for report in told.iter().filter(|it| !it.value.is_decided()) {
            let mut end = root.position.clone();
            report.pv.iter().for_each(|&m| end.play(m));
            assert!(end.has_legal_move(), "{fen}: {report:?}");
        }
    }
}

#[test]
fn a_move_that_settles_below_the_best_one_gives_way_again() {
    // Mated in five: a move that seemed to hold longer is settled as mated in four on the way.
    let root = chess("8/8/8/8/8/2BBNN2/3K1k2/8 b - - 0 1");
    let mut told = Vec::new();
    with_network(Constants::default()).search(&root, &Limits::nodes(50_000), &mut told);
    // Exact or upper bounds: a lower bound may be arbitrarily low.
    let claims = told.iter().filter(|r| r.bound != Bound::Lower);
    let plies: Vec<_> = claims.filter_map(|r| r.value.plies_to_end()).collect();
    assert!(
        !plies.is_empty() && plies.iter().all(|&p| p >= 10),
        "{plies:?}"
    );
}

/// The nodes that a search with these constants takes up to a demand. Pruning may raise them: a pruned move costs only the
/// demand, and is asked again.
fn nodes(fen: &str, constants: &str, demand: u32) -> u64 {
    with_network(constants.parse().unwrap())
        .search(&chess(fen), &Limits::iterations(demand), &mut Unobserved)
        .nodes
}

#[test]
fn prices_of_endgames_leave_the_middlegame_alone() {
    let without =
        "stale_endgame=0 late_check=0 losing_check=0 unseen_stale=0 unseen_number_stale=0";
    let both = |fen| (nodes(fen, "default", 7), nodes(fen, without, 7));
    let (with, without) = both(MIDDLEGAME);
    assert_eq!(with, without);
    let (with, without) = both("8/5pk1/6p1/7p/p3P2P/5PP1/1r4K1/R7 w - - 0 40");
    assert!(with < without, "{with} {without}");
}

#[test]
fn each_surcharge_of_late_moves_saves_nodes_or_spends_them() {
    let all = nodes(MIDDLEGAME, "default", 8);
    for without in [
        "stale=0",
        "after_capture=0",
        "losing_quiet=0",
        "losing=0",
        "unseen_losing=-64",
    ] {
        assert_ne!(nodes(MIDDLEGAME, without, 8), all, "{without}");
    }
}

#[test]
fn the_share_of_the_best_move_is_told_for_a_single_line() {
    let root = chess("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
    let share = |multipv| {
        let limits = Limits {
            multipv,
            ..Limits::iterations(8)
        };
        let report = with_network(Constants::default()).search(&root, &limits, &mut Unobserved);
        report.best_share
    };
    assert!(matches!(share(1), Some(1..=999)), "{:?}", share(1));
    assert_eq!(share(2), None);
}

#[test]
fn a_repetition_saves_the_weaker_side() {
    // Queen against everything: only perpetual check draws.
    let root = chess("6k1/5ppp/8/8/8/1q6/r7/4Q1K1 w - - 0 1");
    let report = tactical().search(&root, &Limits::nodes(100_000), &mut Unobserved);
    assert_eq!(notation::to_uci(report.best_move().unwrap(), false), "e1e8");
    assert!(report.value.is_win(), "a back rank mate: {}", report.value);
    let root = chess("5rk1/5ppp/8/8/6Q1/8/1r4PP/q5K1 w - - 0 1");
    let report = tactical().search(&root, &Limits::nodes(100_000), &mut Unobserved);
    assert!(report.value.is_loss() || report.value < Value::DRAW);
}

/// White is a rook and a pawn down and about to be mated; the queen gives perpetual check from e8 and h5. Only a search
/// that scores the repetition as a draw sees it.
#[test]
fn perpetual_check_is_a_draw() {
    let fen = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
    for evaluator in [Quiescence::tactical(), Quiescence::new(Evaluation::Network)] {
        let mut search = with(Constants::default(), evaluator);
        let report = search.search(&chess(fen), &Limits::nodes(50_000), &mut Unobserved);
        assert_eq!(report.value, Value::DRAW);
        assert_eq!(notation::to_uci(report.best_move().unwrap(), false), "h5e8");
        // The stronger side cannot escape either.
        let mut root = chess(fen);
        root.play(notation::parse_uci(&root.position, "h5e8").unwrap());
        let report = search.search(&root, &Limits::nodes(50_000), &mut Unobserved);
        assert_eq!(report.value, Value::DRAW);
    }
}

/// No side has won before moving, however certain the win.
#[test]
fn no_mate_in_no_moves_is_told() {
    let root = chess("1nr2Q2/1b6/2B1k3/4p2p/pPPq1P1P/2n5/P7/R1R4K w - - 2 52");
    let mut told = Vec::new();
    with_network(Constants::default()).search(&root, &Limits::nodes(10_000), &mut told);
    let won: Vec<_> = told.iter().filter(|r| r.value.is_win()).collect();
    assert!(!won.is_empty(), "the win is seen");
    for report in won {
        assert!(report.value <= Value::win_in(1), "{report:?}");
    }
}

/// The value of a position by the evaluation used in games.
fn network_value(fen: &str, nodes: u64) -> Value {
    with_network(Constants::default())
        .search(&chess(fen), &Limits::nodes(nodes), &mut Unobserved)
        .value
}

/// A bishop that does not command the corner where its pawn turns queen: drawn, however long White
/// manoeuvres. Answers from the table held each other up in a circle here and called it won.
#[test]
fn a_circle_of_answers_is_no_reason() {
    let value = network_value("8/6k1/8/8/4B2K/7P/8/8 b - - 20 79", 400_000);
    assert!(value > Value::centipawns(-100), "{value}");
}

#[test]
fn nobody_passes_close_to_the_draw_by_rule() {
    let may_pass = |clock: usize| {
        let fen = format!("r3k3/8/8/8/8/8/8/RR2K3 w - - {clock} 80");
        chess(&fen).position.pass().is_some()
    };
    assert_eq!([91, 92, 99].map(may_pass), [true, false, false]);
}

/// Black must move his knight or king: he loses by zugzwang.
#[test]
fn a_lone_piece_may_not_pass() {
    let fen = "8/4n1K1/2p1P3/2k3P1/4B3/2p5/8/8 w - - 0 57";
    assert!(chess(fen).position.pass().is_none());
    let value = network_value(fen, 200_000);
    assert!(value > Value::centipawns(230), "{value}");
}
