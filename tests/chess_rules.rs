//! Our positions compared with the rules library's, in random games of standard chess and Chess960.

use cassius::game::Game;
use cassius::games::chess::{Move, Position, notation};
use cassius::random::Random;
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Position as _, Setup};

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut codes: Vec<u16> = moves.into_iter().map(Position::move_code).collect();
    codes.sort_unstable();
    codes
}

/// Compares all properties of a position with the library's.
fn check(position: &Position, oracle: &Chess) {
    let fen = notation::to_fen(position);
    let moves = position.legal_moves();
    let expected = oracle.legal_moves();
    assert_eq!(
        sorted(moves.clone()),
        sorted(expected.iter().map(|&m| Move::from_shakmaty(m))),
        "{fen}"
    );
    assert_eq!(position.in_check(), oracle.is_check(), "{fen}");
    assert_eq!(position.has_legal_move(), !expected.is_empty(), "{fen}");
    assert_eq!(
        position.is_insufficient_material(),
        oracle.is_insufficient_material(),
        "{fen}"
    );
    let again = notation::parse_chess960_fen(&fen).expect("own FEN");
    assert_eq!(position.key(), again.key(), "{fen}");
    assert_eq!(position.material(), again.material(), "{fen}");
    let (captures, quiets) = (position.capture_moves(), position.quiet_moves());
    assert!(
        captures.iter().all(|m| !m.is_quiet()) && quiets.iter().all(|m| m.is_quiet()),
        "{fen}"
    );
    assert_eq!(
        sorted(captures.into_iter().chain(quiets)),
        sorted(moves.clone()),
        "{fen}"
    );
    for &m in &moves {
        assert_eq!(position.decode(m.code()), Some(m), "{fen} {m:?}");
        let checks = position.after(m).in_check();
        assert_eq!(position.is_checking(m), checks, "{fen} {m:?}");
        assert_eq!((position.check_test())(m), checks, "{fen} {m:?}");
    }
    if !position.in_check() {
        let checks = moves
            .iter()
            .copied()
            .filter(|&m| m.is_quiet() && position.is_checking(m));
        assert_eq!(sorted(position.quiet_checks()), sorted(checks), "{fen}");
    }
    for code in (0..1 << 15).step_by(101) {
        let found = moves.iter().copied().find(|m| m.code() == code);
        assert_eq!(position.decode(code), found, "{fen} {code}");
    }
}

fn play(start: &Chess, seed: u64, plies: usize) {
    let mut random = Random::new(seed);
    let mut oracle = start.clone();
    let mut position = Position::from_shakmaty(start);
    for _ in 0..plies {
        check(&position, &oracle);
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures less often than at random, so that games last.
        let m = moves[random.below(moves.len())];
        let m = if m.is_quiet() {
            m
        } else {
            moves[random.below(moves.len())]
        };
        position.play(m);
        oracle.play_unchecked(m.to_shakmaty());
    }
}

#[test]
fn random_games_agree_with_the_rules_library() {
    for seed in 0..60 {
        play(&Chess::default(), seed, 160);
    }
}

#[test]
fn random_chess960_games_agree_with_the_rules_library() {
    for number in (0..960).step_by(13) {
        let mut setup = Setup::initial();
        setup.board = Board::chess960(number);
        setup.castling_rights = setup.board.rooks();
        let start = Chess::from_setup(setup, CastlingMode::Chess960).expect("a legal start");
        play(&start, u64::from(number), 90);
    }
}

#[test]
fn exchanges_are_counted_to_the_end() {
    let cases = [
        // A rook takes a pawn that nothing defends.
        ("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100),
        // The pawn is defended by a pawn.
        ("4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400),
        // Behind the rook stands a queen: a pawn, a rook lost, a pawn.
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
        let position = notation::parse_fen(fen).unwrap();
        let m = notation::parse_uci(&position, text).unwrap();
        assert!(
            position.exchange_reaches(m, expected),
            "{fen} {text} reaches {expected}"
        );
        assert!(
            !position.exchange_reaches(m, expected + 1),
            "{fen} {text} is not more"
        );
    }
}
