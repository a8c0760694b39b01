//! Memory that the engine takes: within bounds, before the clock runs, and no more than there is.

use std::time::Duration;

use cassius::search::registry::Algorithm;

use super::engine::{Engine, MIDDLEGAME, best_move, count_moves};
use crate::common::Has as _;

/// An endless line is reported, and takes no memory.
#[test]
fn an_endless_line_takes_no_memory() {
    let mut engine = Engine::told("setoption name Hash value 1");
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..200 {
        engine.send_bytes(&piece);
    }
    engine.read_until("info string a line of more than");
    engine.send("");
    engine.sync();
    let megabytes = engine.megabytes("VmHWM");
    assert!(megabytes < 64, "{megabytes} MiB");
}

/// Commands that wait for a search are refused beyond a bound, with a message; others are still answered, and each `go`
/// gets its `bestmove`.
#[test]
fn a_flood_of_commands_during_a_search_takes_no_memory() {
    const SEARCHES: usize = 400;
    let mut engine = Engine::told("setoption name Hash value 1\ngo infinite");
    // Long to read, but quick to execute: its first move is illegal.
    let position = format!("position startpos moves e2e5{}", " e7e5".repeat(20_000));
    for number in 0..SEARCHES {
        engine.send(&format!("{position}\ngo depth {number}"));
    }
    engine.send("go depth 77");
    let mut lines = engine.sync();
    let refused = "info string too many commands wait for the search to end; refused: ";
    let last = lines.iter().rfind(|line| line.starts_with(refused));
    assert_eq!(last, Some(&format!("{refused}go depth 77")));
    let megabytes = engine.megabytes("VmHWM");
    assert!(megabytes < 64, "{megabytes} MiB");
    engine.send("stop");
    while count_moves(&lines) < 1 + SEARCHES + 1 {
        lines.extend(engine.read_until("bestmove"));
    }
    // All commands have been executed: there is room again.
    assert_eq!(engine.sync().len(), 1);
    engine.send("position startpos");
    assert_ne!(best_move(&engine.search("go depth 1")), "(none)");
}

/// Memory stays within the table and a little more, however long these searches.
fn stays_within_its_bounds(searches: &[Algorithm]) {
    const HASH: u64 = 16;
    const ELSE: u64 = 28;
    for algorithm in searches {
        let mut engine = Engine::told(&format!(
            "setoption name Search value {algorithm}\nsetoption name Hash value {HASH}\n\
             position fen {MIDDLEGAME}\ngo infinite"
        ));
        engine.read_for(Duration::from_millis(1_500));
        let megabytes = engine.megabytes("VmRSS");
        assert!(megabytes < HASH + ELSE, "{algorithm}: {megabytes} MiB");
        engine.search("stop");
    }
}

// There are two tests, so that two searches can run at a time.
#[test]
fn memory_stays_within_its_bounds_in_half_of_the_searches() {
    stays_within_its_bounds(&Algorithm::ALL[..7]);
}

#[test]
fn memory_stays_within_its_bounds_in_the_other_half() {
    stays_within_its_bounds(&Algorithm::ALL[7..]);
}

/// The table's memory is pre-faulted at `isready`: not at the start or with each option, which would take long, nor in
/// the first search, whose clock runs.
#[test]
fn memory_is_taken_before_the_clock_runs() {
    const HASH: u64 = 200;
    for algorithm in ["depth-first", "depth-first-unit", "alpha-beta"] {
        let mut engine = Engine::told(&format!("setoption name Search value {algorithm}\nuci"));
        for _ in 0..3 {
            engine.send(&format!("setoption name Hash value {HASH}\nucinewgame\nd"));
            engine.read_until("key");
        }
        let before = engine.megabytes("VmRSS");
        assert!(before < HASH / 2, "{algorithm}: {before} MiB");
        engine.sync();
        let after = engine.megabytes("VmRSS");
        assert!(after >= HASH, "{algorithm}: {after} MiB");
        engine.search("go nodes 1000");
        engine.sync();
        assert!(engine.megabytes("VmRSS") < HASH + 64);
    }
}

#[test]
fn memory_that_is_not_there_is_refused_and_the_engine_goes_on() {
    let mut engine = Engine::start_with_memory(1024);
    for (option, value, megabytes) in [("Hash", 65_536, 69_634), ("Threads", 1_024, 2_116)] {
        engine.send(&format!("setoption name {option} value {value}"));
        let begins = format!(
            "info string option {option}: this machine does not have the {megabytes} MiB of memory"
        );
        engine.sync().has_all([&begins, "; nothing changes"]);
    }
    // There is enough only if the old table is freed before the new one is allocated.
    for megabytes in [500, 700] {
        let position = "position startpos\ngo nodes 1000";
        let lines = engine.search(&format!(
            "setoption name Hash value {megabytes}\n{position}"
        ));
        assert_eq!(count_moves(&lines), 1, "{lines:#?}");
        let is_refused = lines.iter().any(|it| it.contains("nothing changes"));
        assert!(!is_refused, "{lines:#?}");
    }
}

/// Less memory than the default table takes is told, to the GUI too.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_to_begin_is_told() {
    let mut shell = std::process::Command::new("sh");
    let binary = env!("CARGO_BIN_EXE_cassius");
    shell.args(["-c", &format!("ulimit -v 60000; exec '{binary}'")]);
    let told = "this machine does not have the 70 MiB of memory that the search needs";
    let said = crate::common::Said::by_with_input(&mut shell, "isready\n").ended(1);
    said.tells(&format!("cassius: {told}"))
        .prints(&format!("info string {told}"));
}
