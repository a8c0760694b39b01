//! Limits of a search, alone and together, and clocks that have almost run out.

use std::time::{Duration, Instant};

use super::engine::{Engine, MIDDLEGAME, best_move, count_moves, full_lines};
use crate::common::Has as _;

/// Seconds for an answer "at once", on a busy machine too.
const AT_ONCE: u64 = 1;

#[test]
fn short_clocks_get_a_legal_move_at_once() {
    let mut engine = Engine::start();
    // White to move, and Black.
    for fen in [MIDDLEGAME, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        engine.send(&format!("position fen {fen}"));
        engine.sync();
        for go in [
            "go wtime 100",
            "go wtime 10",
            "go wtime 1",
            "go wtime 0",
            "go wtime -1",
            "go wtime -9223372036854775808 btime 5",
            "go wtime -500 winc 1000",
            "go wtime 1 movestogo 1",
            "go wtime 50 movestogo 0",
            "go btime 100",
            "go movetime 1",
            "go movetime 0",
            "go movetime -10",
            "go movetime 20",
            // In the order of match runners.
            "go wtime 100 btime 100",
            "go wtime 100 winc 100 btime 100 binc 100",
            "go btime 100 binc 100 wtime 100 winc 100",
            "go wtime 100 btime 100 movestogo 40",
            "go movestogo 1 wtime 100 btime 100",
            "go depth 3 btime 1000",
            "go nodes 1000 movetime 1000",
        ] {
            let lines = engine.search_within(AT_ONCE, go);
            assert_eq!(best_move(&lines).len(), 4, "{go} {lines:#?}");
            assert!(!full_lines(&lines).is_empty(), "{go}: {lines:#?}");
        }
    }
}

#[test]
fn a_fixed_time_is_used_and_not_overdrawn() {
    let mut engine = Engine::told(&format!("position fen {MIDDLEGAME}"));
    engine.sync();
    let asked = Instant::now();
    engine.search("go movetime 500");
    let ms = asked.elapsed().as_millis();
    assert!(300 < ms && ms < 1_500, "{ms}");
}

/// A middlegame without tactics.
const QUIET: &str = "r3k2r/ppp2ppp/2n5/3pp3/3PP3/2N5/PPP2PPP/R3K2R w KQkq - 0 1";

#[test]
fn the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::told(&format!("position fen {MIDDLEGAME}"));
    engine.sync();
    let far = "wtime 3600000 btime 3600000 nodes 18446744073709551615 depth 4000000000";
    for go in [
        format!("go {far} movetime 30"),
        "go nodes 500 depth 100 movetime 3600000".to_owned(),
        "go depth 1 nodes 100000000000 wtime 3600000".to_owned(),
        "go movetime 3600000 wtime 10".to_owned(),
        "go mate 1 nodes 500".to_owned(),
        "go mate -1 movetime 20".to_owned(),
    ] {
        // The other limits are hours away.
        let lines = engine.search_within(40, &go);
        assert_eq!(count_moves(&lines), 1);
    }
}

#[test]
fn search_moves_are_obeyed_wherever_they_stand() {
    let mut engine = Engine::told("position startpos");
    for go in [
        "go searchmoves a2a3 nodes 3000",
        "go nodes 3000 searchmoves a2a3",
        "go searchmoves a2a3 depth 2",
        "go searchmoves a2a3 movetime 10",
        "go searchmoves a2a3 e2e5 wtime 1",
    ] {
        assert_eq!(best_move(&engine.search(go)), "a2a3", "{go}");
    }
    let lines = engine.search("go nodes 3000 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best_move(&lines)));
}

#[test]
fn mates_are_looked_for_from_both_sides() {
    let mut engine = Engine::told("position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1");
    let lines = engine.search("go mate 1");
    assert_eq!(best_move(&lines), "b1b8");
    lines.has(" score mate 1 ");
    engine.send("position fen 6k1/5ppp/8/8/8/8/6PP/1R4K1 b - - 0 1 moves g8h8");
    let lines = engine.search("go mate 1 nodes 100000");
    lines.has(" score mate 1 ");
    engine.send("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1");
    engine.search("go mate -1").has(" score mate -1 ");
}

/// An analysis gives proof-number search a share, whichever search thinks; a search for a move to play does not.
#[test]
fn an_analysis_proves_mates() {
    for search in ["depth-first", "alpha-beta"] {
        let mut engine = Engine::told(&format!("setoption name Search value {search}"));
        engine.send("position fen 7k/n3pp1p/1p5K/1p3p2/8/8/8/6R1 w - - 0 1");
        let played = engine.search("go nodes 150000");
        assert!(!played.iter().any(|line| line.contains(" score mate ")));
        engine.send("setoption name UCI_AnalyseMode value true\nucinewgame");
        engine.search("go nodes 150000").has(" score mate ");
        engine.send("setoption name UCI_AnalyseMode value false\nucinewgame\ngo infinite");
        let is_mate = |line: &String| line.contains(" score mate ");
        while !engine.read_until("info depth").iter().any(is_mate) {}
        engine.send("stop");
        engine.read_until("bestmove");
    }
}

/// Mates are searched for by proof-number search, whichever search plays moves.
#[test]
fn a_mate_that_is_not_there_is_ruled_out() {
    let mut engine = Engine::start();
    for search in ["depth-first", "minimax", "proof-number-tree"] {
        engine.send(&format!("setoption name Search value {search}"));
        engine.send(&format!("position fen {QUIET}"));
        let lines = engine.search("go mate 2");
        let said = "info string proven: no mate within 2 moves, for either side";
        assert!(lines.iter().any(|line| line == said), "{search} {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(" score mate ")));
        // The playing search works afterwards as before.
        assert_eq!(count_moves(&engine.search("go nodes 500")), 1);
    }
}

#[test]
fn a_search_for_a_mate_stops_when_told() {
    let mut engine = Engine::told(&format!("position fen {QUIET}"));
    engine.send("go mate 30");
    engine.read_for(Duration::from_millis(300));
    assert_eq!(count_moves(&engine.search_within(AT_ONCE, "stop")), 1);
}

#[test]
fn an_only_move_is_played_quickly_on_a_clock_but_with_a_line() {
    let mut engine = Engine::start();
    // The king must take.
    engine.send("position fen r6k/8/8/8/8/8/1r6/K7 w - - 0 1");
    engine.sync();
    let lines = engine.search_within(AT_ONCE, "go wtime 600000 btime 600000");
    assert!(!full_lines(&lines).is_empty(), "{lines:#?}");
}
