//! Input that no GUI would send.

use std::time::{Duration, Instant};

use cassius::random::Random;
use cassius::search::registry::Algorithm;

use super::engine::{Engine, count_moves};

/// Words of the protocol and similar ones. Not `quit`, which would end the test, and no memory sizes beyond a small
/// machine's.
const WORDS: &str = "\
    uci debug on off isready setoption name value register later ucinewgame position startpos \
    fen moves go depth nodes movetime wtime btime winc binc movestogo mate infinite ponder \
    searchmoves stop ponderhit d eval help Threads Move Overhead Clear UCI_Chess960 \
    UCI_AnalyseMode Search true false 0 -0 1 -1 +7 40 1e9 0x10 99999999999 -9223372036854775808 \
    18446744073709551616 e2e4 e7e5 e7e8q a7a8Q e1h1 0000 e2e4e5 P@e4 @@@@ \u{0} \u{1b}[31m é2é4 \
    日本語 w b - KQkq HAha 8/8/8/8/8/8/8/8 4k3/8/8/8/8/8/8/4K2R \
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k1K5 4294967295 \
    65535 9999";

/// Lines with an effect, so that noise meets a working engine.
const LINES: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 99 4294967295",
    "position fen 8/8/8/8/8/k7/p7/K7 b - - 4294967295 1",
    "go nodes 200",
    "go depth 2 nodes 500",
    "go movetime 1",
    "go wtime 10 btime 10",
    "go wtime -10",
    "go mate 1 nodes 300",
    "go nodes 100 searchmoves e2e4",
    "go infinite",
    "go ponder wtime 5 btime 5",
    "ponderhit",
    "stop",
    "ucinewgame",
    "isready",
    "setoption name Clear Hash",
    "setoption name Hash value 2",
    "setoption name Hash value 99999999",
    "setoption name Threads value 2",
    "setoption name UCI_Chess960 value true",
    "setoption name Move Overhead value 0",
    "setoption name Search value nonsense",
];

fn noise(random: &mut Random) -> Vec<u8> {
    let length = random.below(60);
    let bytes = (0..length).map(|_| u8::try_from(random.below(256)).unwrap());
    bytes.filter(|&b| b != b'\n').collect()
}

fn jumble(random: &mut Random) -> Vec<u8> {
    let length = 1 + random.below(10);
    let known: Vec<&str> = WORDS.split_whitespace().collect();
    let words: Vec<&str> = (0..length).map(|_| random.one_of(&known)).collect();
    let blank = random.one_of(&[" ", "  ", "\t", " \u{a0}"]);
    words.join(blank).into_bytes()
}

/// A good line with some of its bytes changed, doubled or dropped.
fn damaged(random: &mut Random) -> Vec<u8> {
    let mut line = random.one_of(LINES).as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        if line.is_empty() {
            break;
        }
        let at = random.below(line.len());
        match random.below(3) {
            0 => line[at] = u8::try_from(random.below(128)).unwrap(),
            1 => line.insert(at, line[at]),
            _ => drop(line.remove(at)),
        }
    }
    line.retain(|&b| b != b'\n');
    line
}

fn a_line(random: &mut Random) -> Vec<u8> {
    match random.below(20) {
        0..6 => jumble(random),
        6..10 => damaged(random),
        10..13 => noise(random),
        13 => {
            let algorithm = Algorithm::ALL[random.below(Algorithm::ALL.len())];
            format!("setoption name Search value {algorithm}").into_bytes()
        }
        _ => random.one_of(LINES).as_bytes().to_vec(),
    }
}

#[test]
fn anything_in_twenty_thousand_lines_does_no_harm() {
    let mut random = Random::new(0x0043_6173_7369_7573);
    let mut engine = Engine::told("setoption name Hash value 2");
    let begun = Instant::now();
    for i in 0..20_000 {
        let mut line = a_line(&mut random);
        line.push(b'\n');
        // Whatever the jumble, it must not contain `quit`.
        if line.windows(4).any(|word| word == b"quit") {
            continue;
        }
        engine.send_bytes(&line);
        if i % 25 == 0 {
            // An endless search would block everything else.
            engine.send("stop");
        }
        if i % 1_000 == 0 {
            engine.sync();
        }
    }
    engine.send("stop");
    engine.sync();
    // It still works.
    engine.send("setoption name UCI_Chess960 value false\nucinewgame");
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1\ngo nodes 2000");
    let lines = engine.read_until("bestmove b1b8");
    assert!(!lines.iter().any(|line| line.contains("internal error")));
    engine.quit();
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(120), "{took:?}");
}

#[test]
fn absurd_lines_are_survived() {
    let mut engine = Engine::told(&"x".repeat(3 << 20));
    for moves in ["e2e4 ".repeat(10_000), "g1f3 g8f6 f3g1 f6g8 ".repeat(5_000)] {
        engine.send(&format!("position startpos moves {moves}"));
    }
    engine.send_bytes(b"\xff\xfe\x00\n\n\r\n\x00\n");
    let lines = engine.sync();
    let ignored = "info string a line of more than 262144 bytes is ignored";
    assert_eq!(lines[0], ignored);
    let lines = engine.search("go nodes 500");
    assert_eq!(count_moves(&lines), 1);
}

#[test]
fn positions_with_more_moves_than_any_game_has_are_survived() {
    let mut engine = Engine::start();
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/PPPPPPPP/k1K5 w - - 0 1",
        "4Q1QQ/Q2Q1Q1Q/Q1Q2Q1Q/1QQ1Q1Q1/Q2Q2QQ/QQ1Q1Q1Q/Q2Q2Q1/kBK2Q1Q w - - 0 1",
        "QQQQQQQ1/Q5Q1/Q5Q1/Q5Q1/Q5Q1/Q6Q/pP5Q/kBK2QQQ w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}\nd\ngo nodes 500"));
        let lines = engine.read_until("bestmove");
        let is_fault = |line: &String| line.contains("internal error");
        assert!(!lines.iter().any(is_fault), "{fen}");
        engine.sync();
    }
}

/// Quiescence alone would visit millions of nodes here.
#[test]
fn boards_full_of_queens_do_not_hold_up_the_engine() {
    for fen in [
        "3Q4/n1r2Q2/3QqR2/2N1b1Kb/1r1q4/2QqB1k1/2N2RB1/3q1n2 w - - 0 1",
        "q1bq4/q3rRNR/1QBn2kr/2Q2qqq/QN1BqQbQ/1QnQ4/qQ1q4/4Q1K1 w - - 0 1",
    ] {
        let mut engine = Engine::told(&format!("position fen {fen}\neval"));
        engine.sync();
        for go in ["go movetime 100", "go wtime 500 btime 500", "go nodes 3000"] {
            let lines = engine.search(go);
            assert_eq!(count_moves(&lines), 1, "{go}: {lines:#?}");
        }
        engine.send("go infinite");
        engine.sync();
        let lines = engine.search("stop");
        assert_eq!(count_moves(&lines), 1, "{lines:#?}");
    }
}
