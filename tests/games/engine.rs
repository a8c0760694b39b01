//! Another engine that judges games: it may crash, hang, or answer nonsense.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::cut_short;
use crate::common::{Folder, Has, Said, timed};

/// Longest wait, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

/// The shortest game, with a comment.
const GAME: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 {a plan} e5 2. g4 Qh4# 0-1\n";
/// The engine's answers in the positions of that game, each by a part of the position's FEN.
const ANSWERS: [(&str, &str); 4] = [
    ("8/8/8/8/PPPPPPPP", "cp 30 pv e2e4 e7e5"),
    ("8/8/8/5P2/PPPPP1PP", "cp 80 pv e7e5 e2e4"),
    ("8/4p3/8/5P2/PPPPP1PP", "cp -60 pv d2d4 e5d4"),
    ("8/4p3/6P1/5P2/PPPPP2P", "mate 1 pv d8h4"),
];

/// Shell script for `go`: it gives the answers of the table, except in one position, where it does as in `other`.
fn script(other: Option<(usize, &str)>) -> String {
    let mut script = String::from("case \"$position\" in");
    for (place, (pieces, answer)) in ANSWERS.into_iter().enumerate() {
        let best = answer.split(' ').nth(3).expect("a move");
        let does = match other {
            Some((it, does)) if it == place => does.to_owned(),
            _ => format!("echo info depth 5 nodes 50 score {answer}; echo bestmove {best}"),
        };
        script += &format!(" *{pieces}*) {does};;");
    }
    script + " *) exit 9;; esac"
}

/// A folder of a test's own with the engine in it.
fn folder(name: &str, other: Option<(usize, &str)>) -> Folder {
    let folder = Folder::new(&format!("games-engine-{name}"));
    folder.put_engine("engine.sh", &script(other));
    folder
}

/// Options that name the engine and its limits.
const ENGINE: &str = "--engine ./engine.sh --engine-nodes 1000 --nodes 300 --jobs 1";

/// Analyses the game by the engine.
fn analyze(folder: &Folder, options: &str) -> Said {
    folder.analyze(GAME, &format!("{ENGINE} {options}"))
}

/// A field of all positions; `None` where it is no whole number.
fn numbers(rows: &[Value], field: &str) -> Vec<Option<i64>> {
    rows.iter().map(|row| row[field].as_i64()).collect()
}

#[test]
fn an_engine_judges_and_cassius_beside_it() {
    let folder = folder("judges", None);
    let files = "--json g.json --csv g.csv --pgn g.pgn --html g.html";
    let text = analyze(&folder, files).ended(0).out;
    let is_within_limits = !folder.join("refused").exists();
    assert!(is_within_limits, "told to value more moves than it can");
    let header = &folder.lines("g.json", "header")[0];
    assert_eq!(header["engine"]["name"], "Fake");
    assert_eq!(header["engine"]["limit"]["nodes"], 1_000);
    assert_eq!(header["limit"]["nodes"], 300);
    assert_eq!(header["search"], "depth-first");
    let rows = folder.lines("g.json", "position");
    // Values are for White; a mate in one after the move is one in one before it, too, since the other side makes it.
    assert_eq!(numbers(&rows, "cp"), [Some(30), Some(-80), Some(-60), None]);
    assert_eq!(numbers(&rows, "mate"), [None, None, None, Some(-1)]);
    let (cp, mate) = (numbers(&rows, "played_cp"), numbers(&rows, "played_mate"));
    assert_eq!(cp, [Some(-80), Some(-80), None, None]);
    assert_eq!(mate, [None, None, Some(-1), Some(-1)]);
    let best: Vec<&Value> = rows.iter().map(|row| &row["best"]["san"]).collect();
    assert_eq!(best, ["e4", "e5", "d4", "Qh4#"]);
    assert_eq!(rows[2]["line"], "2. d4 exd4");
    let costs = rows.iter().map(|it| it["cost"].as_f64().expect("a cost"));
    let costs: Vec<f64> = costs.collect();
    assert!(costs[0] > 0.05 && costs[2] > 0.2, "{costs:?}");
    assert_eq!((costs[1], costs[3]), (0.0, 0.0));
    for row in &rows {
        assert!(row["own"]["best"]["san"].is_string(), "{row}");
        assert!(row["own"]["cost"].is_number(), "{row}");
        // Chances are not known for another engine's marks.
        assert!(row["chances"].is_null(), "{row}");
    }
    assert!(rows[2]["doubt"].is_object(), "what the mark rests on");
    let csv = folder.read("g.csv");
    let heading: Vec<&str> = csv.lines().next().expect("a heading").split(',').collect();
    for (name, field) in [("own_best", "best"), ("own_cost", "cost")] {
        let column = heading.iter().position(|it| *it == name).expect("a column");
        let told = csv.lines().nth(1).and_then(|it| it.split(',').nth(column));
        let own = &rows[0]["own"][field];
        let san = own["san"].as_str().map(str::to_owned);
        let expected = san.unwrap_or_else(|| own.to_string());
        assert_eq!(told, Some(expected.as_str()), "{name}");
    }
    let pgn = folder.read("g.pgn").replace('\n', " ");
    pgn.has("2. g4 $4 {[%eval #-1]");
    pgn.has("(2. d4 exd4 {[%eval -0.60] [%cassius line]})");
    pgn.has("Fake, 1000 nodes a position, and depth-first, 300 nodes a position");
    // The page's foot.
    folder.read("g.html").has("Fake, 1000 nodes a position");
    text.has("Cassius");
}

/// If an engine, asked about the move played alone, gives it the better value, that move counts as the best one.
#[test]
fn a_move_played_that_is_better_is_best() {
    let worse = "echo info depth 5 nodes 50 score cp -100 pv d2d4; echo bestmove d2d4";
    let folder = folder("better", Some((0, worse)));
    analyze(&folder, "--json g.json").ended(0);
    let row = &folder.lines("g.json", "position")[0];
    assert_eq!(row["cp"], -80);
    assert_eq!(row["played_cp"], -80);
    assert_eq!(row["best"]["san"], "f3");
    assert_eq!(row["cost"], 0.0);
    assert_eq!(row["line"], "1. f3 e5 2. e4");
}

/// If only one of the judges takes a move for bad, all files and the page say so in words.
#[test]
fn disagreements_are_told() {
    // To this engine the first move was a blunder, and what let Black mate was fine.
    let good = "echo info depth 5 nodes 50 score cp 300 pv d2d4; echo bestmove d2d4";
    let mut script = script(Some((0, good)));
    script = script.replace("score mate 1 pv d8h4", "score cp 60 pv d8h4");
    let folder = Folder::new("games-engine-disagrees");
    folder.put_engine("engine.sh", &script);
    // A mate that was played would be a fact for both.
    let game = GAME.replace(" Qh4#", "");
    let said = folder.analyze(
        &game,
        &format!("{ENGINE} --json g.json --pgn g.pgn --html g.html"),
    );
    let summary = &folder.lines("g.json", "summary")[0];
    let plies = summary["disagreements"].as_array().expect("a list");
    for ply in [0, 2] {
        assert!(plies.contains(&json!(ply)), "{plies:?}");
    }
    said.ended(0).prints("The judges disagree: 1. f3 costs 0.");
    let pgn = folder.read("g.pgn").replace('\n', " ");
    pgn.has_all(["1. f3 $4", "Cassius disagrees: "]);
    // Cassius alone sees the mate: its disagreement is no mark, but has words and a line like one.
    let (_, after) = pgn.split_once("2. g4").expect("the move");
    let told = " {[%eval -0.60] [%cassius 0] Cassius disagrees: by its search g4 costs";
    assert!(after.starts_with(told), "{pgn}");
    assert!(after.contains("[%cassius line]"), "{pgn}");
    let page = folder.read("g.html");
    let articles = page.matches("<article class=\"judges\"").count();
    assert_eq!(articles, plies.len());
    page.has("Where the two judges disagree");
    // A second run replaces the remarks and does not repeat them.
    let first = folder.read("g.pgn");
    let again = folder.analyze(&first, &format!("{ENGINE} --pgn h.pgn"));
    again.ended(0);
    assert_eq!(folder.read("h.pgn"), first);
}

/// A failure of the engine at one position costs that position only; `suite::engines` has other failures.
#[test]
fn an_engine_that_fails_fails_there() {
    const NO_VALUE: &str = "a move without a value";
    let _timed = timed();
    let cases = [
        ("exit 3", "crashed"),
        ("sleep 60", "did not answer 'go' within 1 s"),
        ("echo bestmove d2d4", NO_VALUE),
        (
            "echo info score cp 99999999999 pv d2d4; echo bestmove d2d4",
            NO_VALUE,
        ),
        (
            "echo info score mate 0 pv d2d4; echo bestmove d2d4",
            NO_VALUE,
        ),
    ];
    for (place, (does, reason)) in cases.into_iter().enumerate() {
        let folder = folder(&format!("fails-{place}"), Some((2, does)));
        let options = "--engine-timeout 1 --json g.json --pgn g.pgn --html g.html";
        let said = analyze(&folder, options).ended(1);
        said.out.has("Failed: 2. g4: ");
        let rows = folder.lines("g.json", "position");
        let failures: Vec<Option<&str>> = rows.iter().map(|it| it["failure"].as_str()).collect();
        failures[2].expect(reason).has(reason);
        assert_eq!(failures.iter().flatten().count(), 1, "{failures:?}");
        assert!(rows[2]["cost"].is_null() && rows[2]["own"]["cost"].is_number());
        let values = numbers(&rows, "cp");
        assert_eq!(values, [Some(30), Some(-80), None, None], "{reason}");
    }
}

/// Values beyond the possible range are cut to it.
#[test]
fn absurd_values_are_cut() {
    let cases = [
        ("cp -2147483648", Some(-30_000), None),
        ("mate -2147483648", None, Some(-500)),
        ("mate 2147483647", None, Some(500)),
    ];
    for (place, (score, cp, mate)) in cases.into_iter().enumerate() {
        let does = format!("echo info depth 1 score {score} pv d2d4; echo bestmove d2d4");
        let folder = folder(&format!("absurd-{place}"), Some((2, &does)));
        analyze(&folder, "--json g.json --pgn g.pgn --html g.html").ended(0);
        let row = &folder.lines("g.json", "position")[2];
        assert_eq!((row["cp"].as_i64(), row["mate"].as_i64()), (cp, mate));
    }
}

/// Crashes, answers that are no moves, and moves without a value: then Cassius judges alone.
#[test]
fn an_engine_that_always_fails_is_given_up() {
    for (place, does) in ["exit 3", "echo bestmove e9e9", "echo bestmove a2a3"]
        .into_iter()
        .enumerate()
    {
        let folder = Folder::new(&format!("games-engine-given-up-{place}"));
        folder.put_engine("engine.sh", &format!("echo x >> asked; {does}"));
        let said = analyze(&folder, "--json g.json --html g.html").ended(1);
        let message = "engine './engine.sh' was given up after 3 failures in a row\n";
        let said = said.tells(message);
        said.out.has(&format!("Failed: 1. f3: {message}"));
        assert_eq!(folder.read("asked"), "x\n".repeat(3), "{does}");
        let rows = folder.lines("g.json", "position");
        assert_eq!(rows.len(), 4);
        let last = rows[1]["failure"].as_str().expect("a failure");
        assert!(
            last.ends_with("giving up after 3 failures in a row"),
            "{last}"
        );
        for row in &rows {
            assert!(row["failure"].is_string(), "{row}");
            assert!(row["own"]["cost"].is_number(), "{row}");
        }
    }
}

/// Whether a process runs; one that has ended counts as such though nobody has waited for it.
fn runs(process: &str) -> bool {
    let mut ps = Command::new("ps");
    let state = ps
        .args(["-o", "stat=", "-p", process])
        .output()
        .expect("ps");
    let state = String::from_utf8(state.stdout).expect("text");
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// An engine that does not read its input would go on alone, and so would what it has started.
#[test]
fn an_engine_does_not_outlive_a_signal_to_cassius() {
    let folder = Folder::new("games-engine-signal");
    let waits = "sleep 300 & echo $$ $! > part; mv part processes; wait";
    folder.put_engine("engine.sh", waits);
    folder.write("games.pgn", GAME);
    for (name, number) in [("TERM", 15), ("INT", 2), ("KILL", 9)] {
        let analyze = folder.command(&format!("analyze games.pgn {ENGINE}"));
        // Shells have what they start in the background ignore the signal, and so would whatever that starts.
        let mut run = Command::new("env");
        run.arg("--default-signal=INT").arg(analyze.get_program());
        run.args(analyze.get_args());
        run.current_dir(analyze.get_current_dir().expect("a folder"));
        let mut run = run.stderr(Stdio::null()).spawn().expect("a run");
        let deadline = Instant::now() + PATIENCE;
        let wait = || {
            assert!(Instant::now() < deadline, "{name}");
            std::thread::sleep(Duration::from_millis(5));
        };
        while !folder.join("processes").exists() {
            wait();
        }
        let processes = folder.read("processes");
        let mut kill = Command::new("kill");
        let sent = kill.args(["-s", name, &run.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        assert_eq!(run.wait().expect("its end").signal(), Some(number));
        while processes.split_whitespace().any(runs) {
            wait();
        }
        std::fs::remove_file(folder.join("processes")).expect("removed");
    }
}

#[test]
fn an_engine_that_is_none_is_refused() {
    let folder = Folder::new("games-engine-none");
    let said = folder.analyze(GAME, "--engine './no such engine'").ended(1);
    said.tells("'./no such engine' cannot be started");
    for line in [
        "--engine-nodes 1000",
        "--engine-movetime 10",
        "--engine ./engine.sh --engine-nodes 0",
        "--engine ./engine.sh --engine-nodes 10 --minutes 1",
    ] {
        folder.analyze(GAME, line).ended(2);
    }
}

#[test]
fn an_engine_may_lie_in_a_folder_with_blanks() {
    let folder = Folder::new("games-engine-blanks");
    std::fs::create_dir(folder.join("my engines")).expect("a folder");
    folder.put_engine("my engines/the best.sh", &script(None));
    let engine = "--engine './my engines/the best.sh' --nodes 200 --jobs 2";
    folder.analyze(GAME, engine).ended(0);
}

#[test]
fn a_killed_run_goes_on_with_the_same_engine_alone() {
    let folder = folder("resume", None);
    let run = |options: &str| {
        let engine = "--engine ./engine.sh --engine-nodes 1000 --nodes 200 --json g.json";
        folder.analyze(GAME.repeat(3), &format!("{engine} {options}"))
    };
    run("").ended(0);
    let (whole, values) = (folder.read("g.json"), folder.timeless("g.json"));
    for kept in [1, 4, 9, whole.lines().count() - 1] {
        folder.write("g.json", cut_short(&whole, kept));
        run("--resume").ended(0);
        assert_eq!(folder.timeless("g.json"), values, "{kept}");
    }
    let other = "echo info score cp 1 pv d2d4; echo bestmove d2d4";
    folder.put_engine("engine.sh", &script(Some((0, other))));
    let said = run("--resume").ended(1);
    said.tells("different conditions (engine)");
}

/// The engine and Cassius share the time of a game; an engine that answers at once uses none of its part.
#[test]
fn the_time_of_a_game_is_kept() {
    let folder = folder("minutes", None);
    let _timed = timed();
    let start = std::time::Instant::now();
    folder
        .analyze(GAME, "--engine ./engine.sh --minutes 0.05 --json g.json")
        .ended(0);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 8.0, "{seconds}");
    assert_eq!(folder.lines("g.json", "header")[0]["seconds_a_game"], 3);
}
