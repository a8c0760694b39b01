//! The rules of chess: counts of legal lines (perft) against published ones, and a second opinion
//! from the rules library on every position of many random games.
//!
//! Counts go through [`Game::legal_moves`] and [`Game::play`], as searches do. Each position is
//! counted to the deepest published depth whose count fits the budget of
//! `CASSIUS_PERFT_NODES` (default: see [`DEFAULT_BUDGET`]), or else to the shallowest.

use std::collections::BTreeSet;
use std::fs;

use cassius::game::{Game, Moves, Side};
use cassius::games::chess::notation::{
    Castling, parse_chess960_fen, parse_san, parse_uci, read_fen, to_fen, to_san, to_uci,
};
use cassius::games::chess::{Move, Position};
use cassius::random::Random;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup as _, Position as _, Setup};

use crate::common::shared;

/// Most lines counted from a position, unless the environment sets another number.
const DEFAULT_BUDGET: u64 = 2_000_000;

/// Positions that each exercise a corner of the rules: castling through and out of check, pins,
/// en passant that uncovers a check, double check, promotions, stalemate and mate near by.
const CORNERS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 4 9",
    "4k3/8/8/KPp4r/8/8/8/8 w - c6 0 2",
    "8/8/3k4/8/1rpP1K2/8/8/8 b - d3 0 3",
    "8/2k5/8/3Pp3/8/5K2/7b/8 w - e6 0 7",
    "3k4/1P4P1/8/8/8/8/1p4p1/R2K3R b - - 0 20",
    "2n2kn1/1P3P2/8/8/8/8/1p3p2/2N2KN1 w - - 0 1",
    "4k3/8/4r3/8/1b6/8/3NB3/R3K2R w KQ - 3 30",
    "k7/8/1QK5/8/8/8/8/8 b - - 99 140",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 90",
    "6k1/5ppp/8/8/8/8/8/K3R2R w - - 12 40",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
];

fn perft(position: &Position, depth: u32) -> u64 {
    let moves = position.legal_moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves
            .into_iter()
            .map(|m| perft(&position.after(m), depth - 1))
            .sum(),
    }
}

/// The published counts of one EPD line: its position, its name and pairs of depth and count.
fn published(line: &str) -> (String, String, Vec<(u32, u64)>) {
    let fields: Vec<&str> = line.splitn(5, ' ').collect();
    let [board, turn, castling, en_passant, operations] = fields[..] else {
        panic!("not a perft record: {line}");
    };
    let mut id = String::new();
    let mut counts = Vec::new();
    let count = |text: &str| {
        let (depth, count) = text.strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.parse().ok()?))
    };
    for operation in operations.split(';').map(str::trim) {
        match operation.strip_prefix("id ") {
            Some(text) => text.trim_matches('"').clone_into(&mut id),
            None => counts.extend(count(operation)),
        }
    }
    let fen = format!("{board} {turn} {castling} {en_passant} 0 1");
    (fen, id, counts)
}

/// Every position of a file has the published number of lines, as deep as the budget allows.
fn counts_match(file: &str, castling: Castling) {
    let Some(path) = shared(&format!("epd/{file}")) else {
        return;
    };
    let budget = std::env::var("CASSIUS_PERFT_NODES")
        .map_or(DEFAULT_BUDGET, |text| text.parse().expect("a number"));
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in fs::read_to_string(path).expect("readable").lines() {
        let (fen, id, counts) = published(line);
        let deepest = counts.iter().rfind(|&&(_, count)| count <= budget);
        let Some(&(depth, expected)) = deepest.or(counts.first()) else {
            panic!("{id}: nothing to count");
        };
        let counted = match read_fen(&fen, castling) {
            Ok(read) => perft(&read.position, depth),
            Err(error) => panic!("{id}: {error}"),
        };
        checked += 1;
        if counted != expected {
            wrong.push(format!(
                "{id}, depth {depth}: {counted}, not {expected}: {fen}"
            ));
        }
    }
    assert!(checked > 0, "{file} is empty");
    assert!(wrong.is_empty(), "{file}: {}", wrong.join("\n"));
}

#[test]
fn published_counts() {
    counts_match("perft_standard.epd", Castling::Standard);
    counts_match("perft_tricky.epd", Castling::Standard);
    counts_match("perft_960.epd", Castling::Chess960);
    counts_match("perft_tricky960.epd", Castling::Chess960);
}

#[test]
fn counts_agree_with_the_rules_library() {
    for fen in CORNERS {
        let position = parse_chess960_fen(fen).expect("a position");
        for depth in 0..=3 {
            let expected = shakmaty::perft(&position.to_shakmaty(), depth);
            assert_eq!(perft(&position, depth), expected, "depth {depth} of {fen}");
        }
    }
}

/// Well-known counts, so that not everything depends on one library.
#[test]
fn well_known_counts() {
    let initial = Position::initial();
    for (depth, count) in [(1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
        assert_eq!(perft(&initial, depth), count, "depth {depth}");
    }
}

/// Compares all properties of a position and its moves with the rules library, and with the position reread from its
/// FEN.
fn agrees(position: &Position, oracle: &Chess) {
    let fen = to_fen(position);
    assert_eq!(&position.to_shakmaty(), oracle, "{fen}");
    let reread = parse_chess960_fen(&fen).expect("what we write we can read");
    assert_eq!(position.key(), reread.key(), "incremental key of {fen}");
    assert_eq!(position.part_keys(), reread.part_keys(), "{fen}");
    assert_eq!(fen, to_fen(&reread));
    assert_eq!(position.in_check(), oracle.is_check(), "check in {fen}");
    let white = oracle.turn() == Color::White;
    assert_eq!(position.side_to_move() == Side::First, white, "{fen}");
    assert_eq!(position.reversible_plies(), oracle.halfmoves() as usize);
    let drawn = oracle.halfmoves() >= 100 || oracle.is_insufficient_material();
    assert_eq!(position.is_drawn_by_rule(), drawn, "{fen}");

    assert_eq!(position.material(), reread.material(), "{fen}");
    let insufficient = oracle.is_insufficient_material();
    assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");

    let moves = position.legal_moves();
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    parts_agree(position, &moves, &fen);
    let ours: BTreeSet<String> = moves.iter().map(|&m| to_uci(m, true)).collect();
    let theirs = oracle.legal_moves().into_iter().map(Move::from_shakmaty);
    let theirs: BTreeSet<String> = theirs.map(|m| to_uci(m, true)).collect();
    assert_eq!(ours, theirs, "legal moves of {fen}");
    assert_eq!(ours.len(), moves.len(), "a move twice in {fen}");
    if oracle.is_checkmate() {
        assert_eq!(position.terminal_value(), cassius::value::Value::LOSS);
    } else if oracle.is_stalemate() {
        assert_eq!(position.terminal_value(), cassius::value::Value::DRAW);
    }
}

/// Compares moves generated in parts, and the codes of moves, with all legal moves.
fn parts_agree(position: &Position, moves: &[Move], fen: &str) {
    fn codes(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut codes: Vec<u16> = moves.into_iter().map(Move::code).collect();
        codes.sort_unstable();
        codes
    }
    let (mut captures, mut quiets) = (Moves::new(), Moves::new());
    position.add_capture_moves(&mut captures);
    position.add_quiet_moves(&mut quiets);
    let (quiet, loud): (Vec<Move>, Vec<Move>) = moves.iter().copied().partition(|m| m.is_quiet());
    assert_eq!(codes(captures), codes(loud), "{fen}");
    assert_eq!(codes(quiets), codes(quiet.iter().copied()), "{fen}");
    if !position.in_check() {
        let mut checks = Moves::new();
        position.add_quiet_checks(&mut checks);
        let checking = quiet.into_iter().filter(|&m| position.is_checking(m));
        assert_eq!(codes(checks), codes(checking), "{fen}");
    }
    for code in (0..1 << 15).step_by(101) {
        let found = moves.iter().copied().find(|m| m.code() == code);
        assert_eq!(position.decode(code), found, "{fen} {code}");
    }
}

/// Checks the properties of a legal move, and the position after it, against each other and against the rules library,
/// whose position before the move is `before`.
fn move_agrees(position: &Position, m: Move, before: &Chess) {
    let fen = to_fen(position);
    let library = m.to_shakmaty();
    assert!(before.is_legal(library), "{m:?} in {fen}");
    assert_eq!(Move::from_shakmaty(library), m, "{fen}");
    let quiet = !library.is_capture() && !library.is_promotion();
    assert_eq!(position.is_quiet(m), quiet, "{m:?} in {fen}");
    assert_eq!(m.is_capture(), library.is_capture(), "{m:?} in {fen}");
    let child = position.after(m);
    let mut after = before.clone();
    after.play_unchecked(library);
    assert_eq!(child.to_shakmaty(), after, "{m:?} in {fen}");
    let reread = parse_chess960_fen(&to_fen(&child)).expect("what we write we can read");
    assert_eq!(child.key(), reread.key(), "key after {m:?} in {fen}");
    assert_eq!(child.part_keys(), reread.part_keys(), "{m:?} in {fen}");
    let checks = child.in_check();
    assert_eq!(position.gives_check(m), checks, "{m:?} in {fen}");
    assert_eq!((position.check_test())(m), checks, "{m:?} in {fen}");
    let keeps_castling = before.castles().castling_rights() == after.castles().castling_rights();
    if keeps_castling && after.legal_ep_square().is_none() {
        let key = position.likely_key_after(m);
        assert_eq!(key, child.key(), "{m:?} in {fen}");
    }
    assert_ne!(Position::move_code(m), 0);
    let back = position.move_from_code(Position::move_code(m));
    assert_eq!(back, Some(m), "{m:?} in {fen}");
    assert!(position.history_slot(m) < Position::HISTORY_SLOTS);
    assert_eq!(parse_uci(position, &to_uci(m, true)), Ok(m), "{fen}");
    assert_eq!(parse_san(position, &to_san(position, m)), Ok(m), "{fen}");
}

/// Plays a random game from a position and checks all children of every position on the way.
fn walk(fen: &str, plies: usize, seed: u64) {
    let mut position = parse_chess960_fen(fen).expect("a position");
    let mut oracle = position.to_shakmaty();
    let mut random = Random::new(seed);
    for _ in 0..plies {
        agrees(&position, &oracle);
        let moves = position.legal_moves();
        for &m in &moves {
            move_agrees(&position, m, &oracle);
        }
        if moves.is_empty() {
            return;
        }
        let m = random.one_of(&moves);
        position.play(m);
        oracle.play_unchecked(m.to_shakmaty());
    }
}

#[test]
fn random_games_agree_with_the_rules_library() {
    for fen in CORNERS {
        for seed in 0..6 {
            walk(fen, 120, seed);
        }
    }
}

#[test]
fn random_chess960_games_agree_with_the_rules_library() {
    for number in (0..960).step_by(13) {
        let mut setup = Setup::initial();
        setup.board = Board::chess960(number);
        setup.castling_rights = setup.board.rooks();
        let start = Chess::from_setup(setup, CastlingMode::Chess960).expect("a legal start");
        let fen = to_fen(&Position::from_shakmaty(&start));
        walk(&fen, 40, u64::from(number));
    }
}

#[test]
fn random_games_from_collected_positions_agree_with_the_rules_library() {
    for file in ["perft_tricky.epd", "perft_tricky960.epd", "perft_960.epd"] {
        let Some(path) = shared(&format!("epd/{file}")) else {
            return;
        };
        for line in fs::read_to_string(path).expect("readable").lines() {
            walk(&published(line).0, 30, 1);
        }
    }
}

#[test]
fn exchanges_are_counted_to_the_end() {
    let cases = [
        // A rook takes a pawn that nothing defends.
        ("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100),
        // The pawn is defended by a pawn.
        ("4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400),
        // A queen stands behind the rook: it wins a pawn, loses the rook, and wins a pawn.
        ("4k3/8/4p3/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", -300),
        // The king may not recapture into an attack.
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // En passant.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        // Promotion into a recapture.
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 1300),
        ("rr2k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 400),
        // A quiet move onto an attacked square.
        ("4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -500),
    ];
    for (fen, text, expected) in cases {
        let position = parse_chess960_fen(fen).unwrap();
        let m = parse_uci(&position, text).unwrap();
        let reached = [0, 1].map(|more| position.exchange_reaches(m, expected + more));
        assert_eq!(reached, [true, false], "{fen} {text} reaches {expected}");
    }
}
