//! Effects of options: several lines, chances, threads, tables kept between moves, files.

use cassius::game::Game as _;
use cassius::games::chess::notation;
use cassius::search::registry::Algorithm;

use super::engine::{Engine, MIDDLEGAME, best_move, count_moves, field, full_lines, nodes};
use crate::common::{Folder, Has as _};

/// A score as one number, mates beyond all centipawns.
fn score(line: &str) -> i32 {
    let number: i32 = field(line, field(line, "score")).parse().unwrap();
    match field(line, "score") {
        "mate" if number > 0 => 100_000 - number,
        "mate" => -100_000 - number,
        _ => number,
    }
}

#[test]
fn several_lines_come_in_order_and_from_one_iteration() {
    let cases = [
        (MIDDLEGAME, 3),
        // Fewer legal moves than lines asked for.
        ("8/8/8/8/8/k1K5/8/1r6 w - - 0 1", 5),
        ("r6k/8/8/8/8/8/1r6/K7 w - - 0 1", 2),
    ];
    for algorithm in Algorithm::ALL {
        let mut engine = Engine::told(&format!("setoption name Search value {algorithm}"));
        let adds_up = matches!(
            algorithm,
            Algorithm::DepthFirstUnit
                | Algorithm::ControlledConspiracy
                | Algorithm::ControlledConspiracy2
        );
        if adds_up {
            // Plain sums of unit costs do not settle on values as fine as a centipawn.
            engine.send("setoption name Evaluation value tactical");
        }
        // One of its iterations takes as long as several of others.
        let is_slow = algorithm == Algorithm::AlphaBetaConspiracy;
        let iterations = if is_slow { 1 } else { 2 };
        for (fen, asked) in cases {
            let legal = notation::parse_fen(fen).unwrap().legal_moves().len();
            let expected = legal.min(asked);
            engine.send(&format!("ucinewgame\nsetoption name MultiPV value {asked}"));
            engine.send(&format!("position fen {fen}"));
            // Every move has a value of the first iteration, whatever the limits.
            let deep = format!("go depth {iterations}");
            for go in ["go nodes 1", "go movetime 0", "go nodes 10000", &deep] {
                check_lines(&engine.search(go), expected);
            }
        }
    }
}

/// Every group of lines is complete, in order, of one depth, and begins with different moves.
fn check_lines(lines: &[String], expected: usize) {
    let full = full_lines(lines);
    let groups = full.chunk_by(|_, next| field(next, "multipv") != "1");
    let groups: Vec<_> = groups.collect();
    for group in &groups {
        let number = |line: &&String| field(line, "multipv").parse::<usize>();
        let numbers = group.iter().map(number);
        assert!(numbers.eq((1..=expected).map(Ok)), "{lines:#?}");
        for pair in group.windows(2) {
            let [one, next] = [pair[0], pair[1]].map(|line| field(line, "depth"));
            assert_eq!(one, next, "{lines:#?}");
            assert!(score(pair[0]) >= score(pair[1]), "{lines:#?}");
        }
        let mut moves: Vec<&str> = group.iter().map(|line| field(line, "pv")).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), group.len(), "{lines:#?}");
    }
    let last = groups.last().unwrap();
    assert_eq!(field(last[0], "pv"), best_move(lines), "{lines:#?}");
}

#[test]
fn chances_are_told_when_asked_for() {
    let mut engine = Engine::told("position startpos");
    let without = engine.search("go nodes 3000");
    assert!(!without.iter().any(|line| line.contains(" wdl ")));
    engine.send("setoption name UCI_ShowWDL value true");
    let lines = engine.search("go nodes 3000");
    for line in full_lines(&lines) {
        let (_, chances) = line.split_once(" wdl ").expect(line);
        let chances = chances.split(' ').take(3);
        let sum: u32 = chances.map(|it| it.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1_000, "{line}");
    }
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1");
    let lines = engine.search("go nodes 3000");
    lines.has(" score mate 1 wdl 1000 0 0 ");
}

#[test]
fn what_was_found_out_is_of_use_a_move_later_and_forgotten_in_a_new_game() {
    let positions = [
        MIDDLEGAME,
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    ];
    // Deep enough for the table to matter: small trees differ by more than it saves.
    for (search, depth) in [("depth-first", 13), ("alpha-beta", 12)] {
        let mut engine = Engine::told(&format!("setoption name Search value {search}"));
        let (mut warm, mut cold) = (0, 0);
        for fen in positions {
            engine.send(&format!("ucinewgame\nposition fen {fen}"));
            let first = engine.search(&format!("go depth {depth}"));
            let line = full_lines(&first).last().unwrap().split_once(" pv ");
            let moves: Vec<&str> = line.unwrap().1.split(' ').take(2).collect();
            let next = format!("position fen {fen} moves {}", moves.join(" "));
            let go = format!("go depth {}", depth - 1);
            engine.send(&next);
            warm += nodes(&engine.search(&go));
            engine.send(&format!("ucinewgame\n{next}"));
            cold += nodes(&engine.search(&go));
        }
        assert!(warm * 10 < cold * 9, "{search}: {warm} warm, {cold} cold");
    }
}

const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// Most nodes by which each further thread may overrun a limit: it begins with the values after each move.
const LOOK_AT_ALL_MOVES: u64 = 8_000;

/// Threads share a table and count their nodes together: a limit is overrun by the nodes between two polls, and the
/// moves stay good.
#[test]
fn threads_search_side_by_side() {
    let mut engine = Engine::start();
    for search in ["depth-first", "alpha-beta"] {
        engine.send(&format!("setoption name Search value {search}"));
        for threads in [1, 2, 3, 8] {
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send(&format!("ucinewgame\nposition fen {MATE_IN_TWO}"));
            let lines = engine.search("go nodes 200000");
            let last = full_lines(&lines).pop().unwrap();
            assert!(last.contains("score mate 2 "), "{threads} {search}: {last}");
            engine.send(&format!("position fen {MIDDLEGAME}"));
            let lines = engine.search("go nodes 30000");
            let visited = nodes(&lines);
            let slack = 300 + LOOK_AT_ALL_MOVES * (threads - 1);
            let is_kept = (30_000..=30_000 + slack).contains(&visited);
            assert!(is_kept, "{threads} {search}: {visited}");
            assert_eq!(count_moves(&lines), 1);
        }
    }
}

/// Searches with one thread are the same whatever the option.
#[test]
fn any_number_of_threads_gives_the_same_search_to_those_that_use_one() {
    let mut engine = Engine::told(&format!(
        "setoption name Search value best-first\nposition fen {MIDDLEGAME}"
    ));
    let mut moves = Vec::new();
    for threads in [1, 2, 64, 1_024] {
        engine.send(&format!("setoption name Threads value {threads}"));
        let lines = engine.search("ucinewgame\ngo nodes 30000");
        moves.push((best_move(&lines).to_owned(), nodes(&lines)));
    }
    moves.dedup();
    assert_eq!(moves.len(), 1, "{moves:?}");
}

/// All threads end with the search: afterwards they are gone and the engine responds.
#[test]
fn threads_stop_when_told() {
    let mut engine = Engine::told("setoption name Threads value 4\nsetoption name MultiPV value 3");
    engine.send(&format!("position fen {MIDDLEGAME}"));
    for _ in 0..5 {
        engine.send("go infinite");
        let is_third = |line: &String| line.contains("multipv 3 ");
        while !engine.read_until("info depth").iter().any(is_third) {}
        engine.search_within(1, "stop");
    }
}

#[test]
fn what_guis_set_unasked_does_no_harm() {
    let mut engine = Engine::told(
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov\n\
         setoption name UCI_LimitStrength value true\nsetoption name NalimovPath value /tb",
    );
    let lines = engine.sync();
    let is_message = |line: &String| line.starts_with("info string") || line == "readyok";
    assert!(lines.iter().all(is_message), "{lines:#?}");
    assert_eq!(count_moves(&engine.search("go nodes 100")), 1);
}

#[test]
fn tablebases_that_are_not_there_are_named_and_the_engine_goes_on() {
    let tables = Folder::new("uci-tables");
    let folder = tables.path().to_str().unwrap();
    let mut engine = Engine::told("uci");
    let lines = engine.read_until("uciok");
    let declared = "option name SyzygyPath type string default <empty>";
    assert!(lines.iter().any(|line| line == declared), "{lines:#?}");
    engine.send(&format!(
        "setoption name SyzygyPath value /no such/folder\n\
         setoption name SyzygyPath value {folder}\nsetoption name SyzygyPath value <empty>\n\
         setoption name SyzygyPath value\nsetoption name SyzygyPath"
    ));
    let lines = engine.sync();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    lines[0].has_all(["info string option SyzygyPath: ", "'/no such/folder'"]);
    assert!(lines[1].contains(folder) && lines[1].ends_with("it stays <empty>"));
    // A damaged table does not count.
    tables.write("KQvK.rtbw", [0; 80]);
    engine.send(&format!("setoption name SyzygyPath value {folder}"));
    let lines = engine.sync();
    lines[0].has("1 Syzygy tables for up to 3 pieces");
    engine.send("position fen 7k/8/5K2/8/8/8/8/Q7 w - - 0 1");
    let lines = engine.search("go nodes 20000");
    lines.has(" score mate ");
    let mut full = full_lines(&lines).into_iter();
    assert!(full.all(|line| field(line, "tbhits") == "0"));
}

#[test]
fn a_network_from_a_file_takes_the_place_of_the_one_in_the_program() {
    let folder = Folder::new("uci-networks");
    let default = std::fs::read("networks/default.net").unwrap();
    let write = |name: &str, bytes: &[u8]| {
        folder.write(name, bytes);
        folder.join(name).to_str().expect("UTF-8").to_owned()
    };
    let same = write("same.net", &default);
    // The last number is the bias of the last bucket.
    let mut bytes = default.clone();
    let last = bytes.len() - 3;
    bytes[last] ^= 0x40;
    let other = write("other.net", &bytes);
    let truncated = write("truncated.net", &default[..default.len() / 2]);
    let foreign = write("foreign.net", b"\x7fELF, or whatever this may be");

    let mut engine = Engine::told("setoption name Evaluation value network");
    let value = |engine: &mut Engine| {
        engine.send("position startpos\neval");
        let lines = engine.sync();
        let value = lines.iter().find(|line| line.starts_with("static value "));
        value.expect("a value").clone()
    };
    let built_in = value(&mut engine);
    let none = folder.join("none.net");
    for (path, reason) in [
        (none.to_str().expect("UTF-8"), "none.net: "),
        (folder.path().to_str().expect("UTF-8"), "uci-networks"),
        (&truncated, "truncated.net: damaged: "),
        (&foreign, "foreign.net: not a network of Cassius"),
    ] {
        engine.send(&format!("setoption name EvalFile value {path}"));
        let lines = engine.sync();
        assert_eq!(lines.len(), 2, "{lines:#?}");
        assert!(lines[0].starts_with("info string option EvalFile: "));
        lines[0].has(reason);
        assert!(lines[0].ends_with("it stays <empty>"), "{lines:#?}");
        assert_eq!(value(&mut engine), built_in);
    }
    #[cfg(unix)]
    {
        // Nobody writes to the pipe: to open it would wait for ever.
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("a pipe").success());
        for path in [pipe.as_path(), std::path::Path::new("/dev/zero")] {
            let path = path.display();
            engine.send(&format!("setoption name EvalFile value {path}"));
            engine.sync()[0].has(": is no regular file");
        }
    }
    engine.send(&format!("setoption name EvalFile value {same}"));
    assert_eq!(engine.sync(), ["readyok"]);
    assert_eq!(value(&mut engine), built_in);
    engine.send(&format!("setoption name EvalFile value {other}"));
    assert_ne!(value(&mut engine), built_in);
    engine.send(&format!("setoption name EvalFile value {foreign}"));
    let stays = format!("it stays {other}");
    assert!(engine.sync()[0].ends_with(&stays));
    assert_ne!(value(&mut engine), built_in);
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(value(&mut engine), built_in);
}
