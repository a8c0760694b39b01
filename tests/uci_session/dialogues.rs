//! Whole conversations piped in, with required and forbidden output.

use super::engine::{converse, count_moves};

/// Conversations piped in as a whole: the input, the number of `bestmove` lines, and the parts that lines of the output
/// must have or, behind `!`, must not have, separated by bars.
const CASES: &[(&str, usize, &str)] = &[
    (
        "uci\r\n\tisready  \r\nquit\r",
        0,
        "id name Cassius | id author | uciok | readyok | !info | !bestmove",
    ),
    ("\u{feff}uci\nisready", 0, "uciok | readyok"),
    // Unknown lines and leading words are skipped.
    (
        "xboard\nprotover 2\njoho debug on\njoho   go depth 1",
        1,
        "info depth 1 | !unknown",
    ),
    ("debug on\nxboard", 0, "info string unknown command: xboard"),
    (
        "register later\nregister name A code 1\ndebug off\nponderhit\nstop\nisready",
        0,
        "readyok | !info",
    ),
    // Plain commands before `uci`; a second `stop`, or one with no search, gives nothing.
    (
        "stop\nposition startpos moves e2e4 e7e5\ngo nodes 100\nstop\nstop",
        1,
        "info depth",
    ),
    // End of input: searches with a limit run to that limit, one after the other; others are stopped.
    (
        "go depth 2\nposition startpos moves g1f3\ngo nodes 200\ngo movetime 5",
        3,
        "",
    ),
    ("go infinite", 1, "info depth"),
    ("go ponder wtime 1000 btime 1000", 1, "info depth"),
    ("go", 1, "info depth"),
    // `quit` ends the current search; those not begun are dropped.
    ("go infinite\ngo infinite\nquit", 1, "info depth"),
    // Mated and stalemated roots.
    (
        "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3",
        1,
        "info depth 0 score mate 0 | bestmove (none)",
    ),
    (
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - -\ngo wtime 100",
        1,
        "info depth 0 score cp 0 | bestmove (none)",
    ),
    // Bad positions are named, and the last good one stays.
    (
        "position fen 6k1/5ppp/8/8/8/8/8/K6R w - - 0 1\n\
                position fen nonsense\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\n\
                position fen 4k3/8/8/8/8/8/8/4K2R b - - 0 1 moves e8e9\n\
                position startpos moves e2e4 e2e4\nposition e2e4\nposition\nposition fen\n\
                position startpos e2e4\nd",
        0,
        "info string position: 'nonsense' is not a FEN | info string position: '8/8/8/8/8/8/8/8 w - - 0 1' is not a legal position | info string position: 'e8e9' is not a move | info string position: 'e2e4' is not legal in rnbqkbnr/pppppppp/8/8/4P3 | info string position: expected 'startpos' or 'fen', found 'e2e4' | info string position: expected 'startpos' or 'fen', found nothing | info string position: expected a FEN after 'fen', found nothing | info string position: expected 'moves', found 'e2e4' | fen 6k1/5ppp/8/8/8/8/8/K6R w - - 0 1",
    ),
    // The side not to move in check, a king too many, a pawn on the last rank.
    (
        "position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1\nposition fen k3k3/8/8/8/8/8/8/4K3 w - -\n\
                position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1\nd",
        0,
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | !fen 4k3 | !fen k3k3 | !fen P3k3",
    ),
    // More pieces than a game can have.
    (
        "position fen QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1\ngo nodes 100",
        1,
        "info string position: | White has 27 pieces, and 16 are the most",
    ),
    // Promotions in either case; en passant; fewer fields than six.
    (
        "position fen 7k/P7/8/8/8/8/8/K7 w - - moves a7a8Q h8h7\nd\n\
                position fen 7k/P7/8/8/8/8/8/K7 w moves a7a8n\nd\n\
                position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6\nd",
        0,
        "fen Q7/7k/ | fen N6k/ | /p2P4/8/8/8/PPPP1PPP/ | !info string",
    ),
    // Options: any case, blanks in names, a button, errors that name what is wrong.
    (
        "setoption name hash value 8\nsetoption name CLEAR   hash\n\
                setoption name Move Overhead value 50\nsetoption name uci_chess960 value True\n\
                go nodes 50",
        1,
        "info depth | !info string option | !info string there is",
    ),
    (
        "setoption name Hash value 0\nsetoption name Hash value many\nsetoption name Hash\n\
                setoption name Hash value 99999999999999999999\nsetoption name Threads value -1\n\
                setoption name UCI_Chess960 value maybe\nsetoption name Search value best\n\
                setoption name Hsah value 3\nsetoption Hash value 3\nsetoption",
        0,
        "info string option Hash: expected a whole number from 1 to 65536, found '0'; it stays 64 | found 'many' | found '' | found '99999999999999999999' | info string option Threads:  | info string option UCI_Chess960: expected true or false, found 'maybe' | info string option Search: expected one of  | info string there is no option 'Hsah'; the options are Hash,  | info string setoption: expected 'name <option> [value <value>]', found 'Hash' | found nothing | !bestmove",
    ),
    // Unreadable words after `go` are reported; if no limit is left, the answer comes soon.
    (
        "go depth three\nposition startpos moves e2e4\ngo depth\n\
                go infinite depth x\nstop",
        3,
        "info string go: expected a whole number after 'depth', found 'three' | info string go: no valid limit, so the search ends after 10000 nodes | bestmove | info string go: expected a whole number after 'depth', found nothing | info string go: no valid limit | bestmove | found 'x' | bestmove",
    ),
    (
        "go joho depth nodes 100 searchmoves e2e4 e2e5 e9e4",
        1,
        "info string go: unknown word 'joho' | info string go: expected a whole number after 'depth', found 'nodes' | info string go searchmoves: 'e2e5' is not legal | bestmove e2e4",
    ),
    // Commands for people at a terminal.
    (
        "d\neval\nhelp",
        0,
        "8 r n b q k b n r | key  | static value +0. | ucinewgame | !bestmove",
    ),
];

#[test]
fn conversations_go_as_expected() {
    let to_nothing = converse("\n  \n\t\r\n");
    assert!(to_nothing.is_empty(), "{to_nothing:#?}");
    for &(input, moves, parts) in CASES {
        let lines = converse(input);
        assert_eq!(count_moves(&lines), moves, "{input}\n{lines:#?}");
        for part in parts.split(" | ").filter(|part| !part.is_empty()) {
            let (part, is_wanted) = match part.strip_prefix('!') {
                Some(unwanted) => (unwanted, false),
                None => (part, true),
            };
            let is_there = lines.iter().any(|line| line.contains(part));
            assert_eq!(is_there, is_wanted, "{input}\n'{part}' in {lines:#?}");
        }
    }
}
