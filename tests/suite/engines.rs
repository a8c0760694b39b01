//! Other engines as columns of a suite: they may crash, hang, or answer nonsense.

use super::folder;
use crate::common::{Has, timed};

#[test]
fn an_engine_is_one_more_column() {
    let folder = folder("engine");
    let engine = format!("--engine '{}'", env!("CARGO_BIN_EXE_cassius"));
    let beside = format!("suite six.epd --search minimax --depth 2 {engine} --json r.json");
    // The comparison stands below the summary.
    folder.ends(&beside, 0).prints("only A  only B");
    let (header, entries) = folder.results("r.json");
    let name = header["searches"][1].as_str().expect("its name");
    assert!(name.starts_with("Cassius"), "{name}");
    let searches = super::column(&entries, "search");
    let expected = ["minimax", name].repeat(6);
    assert_eq!(searches, expected, "both have every position in turn");
    // The engine's claims arrive: the mates, a value, and when it knew.
    assert_eq!(entries[1]["mate"], 1);
    assert_eq!(entries[1]["move"], "Re8#");
    assert_eq!(entries[3]["solved"], true);
    assert!(entries[5]["cp"].as_i64().expect("a value") >= 300);
    assert!(entries[5]["nodes"].as_u64().expect("a count") > 0);
    assert!(entries[5]["solution"]["ms"].is_number());

    let alone = format!("suite six.epd --nodes 1000 --engines-only {engine}");
    let text = folder.ends(&alone, 0).out;
    let has_more = text.contains("minimax") || text.contains("only A");
    assert!(!has_more, "{text}");
}

/// The suite by the engine alone.
#[cfg(unix)]
const FAKE: &str = "suite six.epd --nodes 50 --engines-only --engine ./engine.sh";

#[cfg(unix)]
#[test]
fn another_engine_of_the_same_name_is_not_gone_on_with() {
    let folder = folder("namesake");
    let run = |moves: &str, code| {
        folder.put_engine("engine.sh", &format!("echo bestmove {moves}"));
        let line = format!("{FAKE} --filter mate.white --json r.json --resume");
        folder.ends(&line, code)
    };
    run("e1e8", 0);
    run("e1e8", 0);
    run("a1b1", 1).tells("different conditions (engines)");
}

#[cfg(unix)]
#[test]
fn the_time_to_solution_is_when_the_answer_came_to_stay() {
    let folder = folder("solution");
    folder.put_engine(
        "engine.sh",
        "echo info depth 1 nodes 10 pv e1e8; echo info depth 2 nodes 20 pv a1b1; sleep 0.2; \
         echo info depth 3 nodes 30 score mate 1 pv e1e8; \
         echo info depth 4 nodes 40 multipv 2 pv a1b1; echo bestmove e1e8",
    );
    folder.ends(&format!("{FAKE} --filter mate.white --json r.json"), 0);
    let (_, entries) = folder.results("r.json");
    let solution = &entries[0]["solution"];
    assert_eq!(solution["nodes"], 30);
    assert_eq!(solution["iteration"], 3);
    assert!(solution["ms"].as_f64() >= Some(190.0), "{solution}");
    assert_eq!(entries[0]["mate"], 1);
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_fails_there_and_is_started_again() {
    let folder = folder("crash");
    // Crashes at every other position: the file says whether it has just crashed.
    let on_go =
        "if [ -e crashed ]; then rm crashed; echo bestmove e1e8; else touch crashed; exit 3; fi";
    folder.put_engine("engine.sh", on_go);
    let said = folder.ends(&format!("{FAKE} --json r.json"), 1);
    said.prints("failed  mate.white  Fake: engine");
    let (_, entries) = folder.results("r.json");
    let failures = super::column(&entries, "failure").into_iter();
    let crashed = failures.map(|it| it.as_str().is_some_and(|it| it.contains("crashed")));
    assert!(crashed.eq([true, false].repeat(3)), "{entries:?}");

    // One that always crashes is given up, and what was done is kept.
    folder.put_engine("engine.sh", "exit 3");
    folder.fails(&format!("{FAKE} --json s.json"), "giving up");
    assert_eq!(folder.results("s.json").1.len(), 2);
}

#[cfg(unix)]
#[test]
fn an_engine_that_hangs_fails_there() {
    let folder = folder("hang");
    let _timed = timed();
    folder.put_engine("engine.sh", "while :; do echo info string x; done");
    let said = folder.ends(&format!("{FAKE} --filter mate.white --engine-timeout 1"), 1);
    said.prints("did not answer 'go' within 1 s");
}

/// An illegal move is a failure, not a wrong answer: the engine is broken, or it was asked wrongly.
#[cfg(unix)]
#[test]
fn an_engine_without_a_legal_move_fails_there() {
    let folder = folder("illegal");
    for (answer, reason) in [
        ("bestmove e1e9", "'e1e9' is not a move"),
        ("bestmove e8e1", "'e8e1' is not legal"),
        ("'bestmove (none)'", "'(none)' is not a move"),
        ("bestmove 0000", "'0000' is not legal"),
        ("bestmove", "nothing behind it"),
    ] {
        folder.put_engine("engine.sh", &format!("echo {answer}"));
        let line = format!("{FAKE} --filter odd --json r.json --overwrite");
        folder.ends(&line, 1).prints("failed  mate.white  Fake");
        let (_, entries) = folder.results("r.json");
        assert_eq!(entries.len(), 3);
        let failure = entries[0]["failure"].as_str();
        failure.expect("a reason").has(reason);
        assert_eq!(entries[0]["solved"], false);
    }
}

/// A line that never ends must not be kept in memory until the engine's time is over.
#[cfg(unix)]
#[test]
fn an_engine_with_an_endless_line_fails_there() {
    let folder = folder("endless");
    let on_go = "if [ -e said ]; then echo bestmove e3d5; \
         else touch said; exec tr '\\0' x </dev/zero; fi";
    folder.put_engine("engine.sh", on_go);
    let line = format!("{FAKE} --filter odd --json r.json --engine-timeout 60");
    let said = folder.ends(&line, 1);
    said.prints("wrote a line of more than 65536 bytes");
    let (_, entries) = folder.results("r.json");
    assert!(entries[0]["failure"].is_string());
    assert!(entries[1]["failure"].is_null(), "it was started again");
}

#[test]
fn an_engine_that_is_none_is_refused() {
    let folder = folder("none");
    let engine = "'./no-such-engine --uci'";
    folder.six_fails(
        &format!("--engine {engine}"),
        &format!("{engine} cannot be started"),
    );
}
