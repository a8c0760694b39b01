//! The engine's answers and their order.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::engine::{Engine, best_move, count_moves};
use crate::common::{Has, Said, cassius, timed};

#[test]
fn the_engine_introduces_itself_at_once_and_not_before_it_is_asked() {
    let mut engine = Engine::start();
    let unasked = engine.read_for(Duration::from_millis(300));
    assert!(unasked.is_empty(), "{unasked:#?}");
    let asked = Instant::now();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    assert!(asked.elapsed() < Duration::from_secs(1));
    // The name is without the commit: match runners tell engines apart by it, and tables must have room for it.
    let name = format!("id name Cassius {}", cassius::version::NUMBER);
    assert_eq!(lines[0], name);
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash type spin",
        "Threads type spin",
        "Clear Hash type button",
    ] {
        let declared = format!("option name {option}");
        let is_declared = lines.iter().any(|line| line.starts_with(&declared));
        assert!(is_declared, "{lines:#?}");
    }
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut engine = Engine::told("go infinite");
    engine.read_until("info");
    for _ in 0..5 {
        let asked = Instant::now();
        assert_eq!(count_moves(&engine.sync()), 0);
        assert!(asked.elapsed() < Duration::from_secs(1));
    }
    engine.send("uci");
    assert_eq!(count_moves(&engine.read_until("uciok")), 0);
    engine.search("stop");
}

#[test]
fn stop_gives_one_move_and_nothing_after_it() {
    let mut engine = Engine::start();
    for _ in 0..5 {
        engine.send("go infinite");
        engine.read_until("info");
        engine.search_within(1, "stop\nstop");
        assert_eq!(engine.sync(), ["readyok"]);
        engine.send("stop");
        assert_eq!(engine.sync(), ["readyok"]);
    }
}

#[test]
fn every_go_gets_its_move_even_if_stop_comes_in_the_same_breath() {
    let mut engine = Engine::start();
    for _ in 0..50 {
        engine.search("go infinite\nstop");
    }
    // One `stop` ends all searches asked for before it.
    engine.send("go infinite\ngo infinite\ngo depth 100\nstop\ngo nodes 50");
    for _ in 0..4 {
        engine.read_until("bestmove");
    }
    assert_eq!(engine.sync(), ["readyok"]);
}

#[test]
fn endless_searches_hold_their_move_until_told() {
    let mut engine = Engine::start();
    let decided = [
        // Mate in one, mated, stalemated, a single move.
        "position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1",
        "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1",
    ];
    for position in decided {
        for go in [
            "go infinite",
            "go",
            "go infinite depth 1",
            "go infinite movetime 1",
            "go ponder wtime 1 btime 1",
            "go ponder depth 1",
        ] {
            engine.send(&format!("{position}\n{go}"));
            let lines = engine.read_for(Duration::from_millis(60));
            assert_eq!(count_moves(&lines), 0, "{position} {go} {lines:#?}");
            engine.search("stop");
            assert_eq!(engine.sync(), ["readyok"]);
        }
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::told("go ponder wtime 200 btime 200");
    let lines = engine.read_for(Duration::from_millis(400));
    assert_eq!(count_moves(&lines), 0, "{lines:#?}");
    engine.search_within(1, "ponderhit");
    // If the search is over already, `ponderhit` brings the move at once.
    engine.send("go ponder depth 1");
    let lines = engine.read_for(Duration::from_millis(200));
    assert_eq!(count_moves(&lines), 0, "{lines:#?}");
    engine.search("ponderhit");
    // A `ponderhit` that comes before its search has begun.
    engine.search("go nodes 20000\ngo ponder wtime 100\nponderhit");
    engine.read_until("bestmove");
}

#[test]
fn what_would_change_a_search_waits_for_its_end() {
    let mut engine = Engine::told("go infinite");
    engine.read_until("info");
    engine.send(
        "setoption name Hash value 1\nsetoption name Hash value 0\n\
         position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1\nucinewgame\nd",
    );
    let lines = engine.sync();
    let changed = |line: &String| line.starts_with("fen") || line.contains("option Hash");
    assert!(!lines.iter().any(changed), "{lines:#?}");
    engine.search("stop");
    let lines = engine.sync();
    lines.has("option Hash");
    let is_set = lines.iter().any(|line| line.starts_with("fen 6k1/5ppp/"));
    assert!(is_set, "{lines:#?}");
    assert_eq!(best_move(&engine.search("go nodes 2000")), "b1b8");
}

#[test]
fn quit_ends_every_search() {
    for go in [
        "go infinite",
        "go ponder wtime 60000 btime 60000",
        "go depth 200",
    ] {
        let mut engine = Engine::told(go);
        engine.read_until("info");
        assert_eq!(count_moves(&engine.quit()), 1, "{go}");
    }
}

/// Starts the binary with this output and an open input.
fn begun(output: impl Into<Stdio>) -> Child {
    let mut command = cassius();
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    command.stdout(output).spawn().unwrap()
}

#[test]
fn a_closed_output_is_a_quiet_end() {
    let _timed = timed();
    for go in ["go infinite", "isready"] {
        let mut child = begun(Stdio::piped());
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, "{go}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        // The pipe to the engine closes as well once it has ended.
        while writeln!(stdin, "isready").is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Said::from(child.wait_with_output().unwrap())
            .ended(0)
            .tells_nothing();
    }
}

/// A full disk or device is an error, unlike a closed pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    let _timed = timed();
    for input in ["uci", "isready\ngo infinite", "go depth 200"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut child = begun(full.unwrap());
        // The input is kept open: the engine must end by itself. It may have done so before all is written.
        let mut stdin = child.stdin.take().unwrap();
        let _ = writeln!(stdin, "{input}");
        let said = Said::from(child.wait_with_output().unwrap()).ended(1).err;
        let told = "cassius: standard output cannot be written to: ";
        assert!(said.starts_with(told), "{input}: {said}");
    }
}

#[test]
fn castling_is_understood_both_ways_and_written_as_asked() {
    let mut engine = Engine::start();
    let standard = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, written) in [(false, "e1g1"), (true, "e1h1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for castling in ["e1g1", "e1h1"] {
            engine.send(&format!("{standard} moves {castling}\nd"));
            let lines = engine.sync();
            let castled = "fen 4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
            assert!(lines.iter().any(|line| line == castled), "{lines:#?}");
        }
        let lines = engine.search(&format!("{standard}\ngo nodes 100 searchmoves e1h1"));
        assert_eq!(best_move(&lines), written);
    }
    // Castling that is possible only in Chess960, also of a king that stays on its square.
    let only_there = |pieces: &str, castling: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/{pieces} w H - 0 1");
        format!("position fen {fen}\ngo nodes 100 searchmoves {castling}")
    };
    let go = only_there("1K5R", "b1h1");
    assert_eq!(best_move(&engine.search(&go)), "b1h1");
    let stays = engine.search(&only_there("6KR", "g1h1"));
    assert_eq!(best_move(&stays), "g1h1");
    // It is never written as a plain king move.
    engine.send("setoption name UCI_Chess960 value false");
    let lines = engine.search(&go);
    assert_ne!(best_move(&lines), "b1h1");
    let dropped = "info string position: the castling rights H do not fit the board; kept: none \
                   (UCI_Chess960 reads those of Chess960)";
    assert!(lines.contains(&dropped.to_owned()), "{lines:#?}");
}
