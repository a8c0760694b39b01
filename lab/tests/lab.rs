//! `cassius lab` as its users see it: help, tables, JSON, exit codes, and the page of results.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

/// Three problems that any search solves at once, and one that declares the right move wrong.
const PROBLEMS: &str = "\
6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"mate.white\";
k3r3/8/8/8/8/8/5PPP/6K1 b - - bm Re1#; id \"mate.black\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Nxd5; id \"queen\";
6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8#; id \"wrong.1\";
";

/// A folder of its own for a test, empty but for the problems.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-{test}"));
    if path.exists() {
        fs::remove_dir_all(&path).expect("removable");
    }
    fs::create_dir_all(&path).expect("creatable");
    fs::write(path.join("four.epd"), PROBLEMS).expect("writable");
    path
}

fn lab(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("cassius-lab").expect("the binary");
    command.current_dir(folder).env_remove("RUST_LOG");
    command
}

#[test]
fn help_and_list_name_the_experiments_and_their_figures() {
    let folder = folder("help");
    for argument in ["--help", "list"] {
        let names = predicate::str::contains("effort").and(predicate::str::contains("5.2"));
        lab(&folder).arg(argument).assert().success().stdout(names);
    }
    let help = lab(&folder).assert().code(2);
    help.stderr(predicate::str::contains("Experiments:"));
}

#[test]
fn an_experiment_prints_tables_and_keeps_them_as_json() {
    let folder = folder("effort");
    lab(&folder)
        .args(["fig5.2", "four.epd", "--nodes", "2000", "--jobs", "2"])
        .args(["--json", "outcome.json"])
        .assert()
        .success()
        .stderr("")
        .stdout(predicate::str::contains("Figure 5.2: Problems solved"))
        .stdout(predicate::str::contains("thesis, figure 5.5"));
    let text = fs::read_to_string(folder.join("outcome.json")).expect("an outcome");
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(outcome["experiment"], "effort");
    assert_eq!(
        outcome["command"],
        "cassius lab fig5.2 four.epd --nodes 2000 --jobs 2 --json outcome.json"
    );
    assert_eq!(outcome["commit"], cassius::version::COMMIT);
    assert_eq!(outcome["inputs"][0]["positions"], 4);
    let solved = &outcome["tables"][0]["rows"][3];
    let expected = serde_json::json!([2000, 3, 3, 3, 3, 3]);
    assert_eq!(
        solved.as_array().map(|row| &row[..6]),
        expected.as_array().map(|row| &row[..])
    );
}

#[test]
fn every_experiment_on_problems_runs() {
    let folder = folder("all");
    for (name, title) in [
        ("fig5.6", "Figure 5.6: Distribution"),
        ("5.7", "Figure 5.7: Problems solved"),
        ("figure5.8", "Figure 5.8: Problems solved"),
    ] {
        let mut run = lab(&folder);
        run.args([name, "four.epd", "--nodes", "2000", "--jobs", "2"]);
        let run = run.assert().success();
        run.stdout(predicate::str::contains(title).and(predicate::str::contains("thesis")));
    }
    let mut by_time = lab(&folder);
    by_time.args(["fig5.8", "four.epd", "--movetime", "12"]);
    let solved = predicate::str::contains("conspire, 4 ms");
    by_time.assert().success().stdout(solved);
}

#[test]
fn a_run_goes_on_with_the_states_it_left() {
    let folder = folder("states");
    let effort = |extra: &[&str]| {
        let mut run = lab(&folder);
        run.args(["effort", "four.epd", "--nodes", "2000"])
            .args(extra);
        run.assert()
    };
    let tables = |printed: &[u8]| {
        let text = String::from_utf8_lossy(printed).into_owned();
        let start = text.find("Figure 5.2").expect("tables");
        text[start..].to_owned()
    };
    let whole = effort(&[]).success();
    let whole = tables(&whole.get_output().stdout);
    // Two of the four problems, as a run that was killed would leave them.
    effort(&["--states", "s.jsonl", "--filter", "odd"]).success();
    let half = fs::read_to_string(folder.join("s.jsonl")).expect("states");
    assert_eq!(half.lines().count(), 1 + 2 * 5);
    effort(&["--states", "s.jsonl"])
        .code(1)
        .stderr(predicate::str::contains("s.jsonl"));
    let resumed = effort(&["--states", "s.jsonl", "--resume"]).success();
    assert_eq!(tables(&resumed.get_output().stdout), whole);
    let all = fs::read_to_string(folder.join("s.jsonl")).expect("states");
    assert!(all.starts_with(&half) && all.lines().count() == 1 + 4 * 5);
    // Nothing is left to do: what is written is what is told.
    let again = effort(&["--states", "s.jsonl", "--resume"]).success();
    assert_eq!(tables(&again.get_output().stdout), whole);

    let mut other = lab(&folder);
    other.args([
        "effort", "four.epd", "--nodes", "1000", "--states", "s.jsonl", "--resume",
    ]);
    other
        .assert()
        .code(1)
        .stderr(predicate::str::contains("cannot be gone on with"));
    let mut useless = lab(&folder);
    useless.args(["memory", "--states", "s.jsonl", "--resume"]);
    useless
        .assert()
        .code(1)
        .stderr(predicate::str::contains("keeps no states"));
}

#[test]
fn what_cannot_be_run_is_explained() {
    let folder = folder("errors");
    let says = predicate::str::contains;
    let mut unknown = lab(&folder);
    unknown
        .arg("fig9.9")
        .assert()
        .code(2)
        .stderr(says("effort"));
    let mut missing = lab(&folder);
    missing
        .args(["effort", "none.epd"])
        .assert()
        .code(1)
        .stderr(says("none.epd"));
    let mut default = lab(&folder);
    default
        .arg("effort")
        .assert()
        .code(1)
        .stderr(says("epd/wac.epd"));
    let mut nothing = lab(&folder);
    nothing.args(["effort", "four.epd", "--filter", "nobody"]);
    nothing.assert().code(1).stderr(says("no positions"));
    let mut nowhere = lab(&folder);
    nowhere.args(["effort", "four.epd", "--json", "no/such/folder.json"]);
    nowhere.assert().code(1).stderr(says("no/such/folder.json"));

    fs::write(folder.join("bad.epd"), format!("nonsense\n{PROBLEMS}")).expect("writable");
    let mut malformed = lab(&folder);
    malformed.args(["effort", "bad.epd", "--nodes", "200"]);
    let count = "\n1 malformed item skipped, whole or in part\n";
    let told = says("bad.epd:1").and(predicate::str::ends_with(count));
    malformed.assert().code(1).stderr(told);
    fs::write(folder.join("empty.epd"), "").expect("writable");
    let mut empty = lab(&folder);
    empty.args(["effort", "empty.epd", "--nodes", "200"]);
    let told = says("empty.epd: there are no positions in this file");
    empty
        .assert()
        .code(1)
        .stderr(told.and(says("no positions to run")));
}

#[test]
fn the_page_of_results_is_what_its_sections_and_files_make() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let written = fs::read_to_string(docs.join("results.md")).expect("a page");
    let made = cassius_lab::page::generate(&docs.join("results")).expect("a page");
    assert!(
        written == made,
        "make it again: cassius lab page lab/docs/results --output lab/docs/results.md --overwrite"
    );
    let links = made.split("](results/").skip(1);
    for link in links.filter_map(|rest| rest.split(')').next()) {
        let picture = docs.join("results").join(link);
        assert!(picture.is_file(), "scripts/plot has not drawn {link}");
    }
}

#[test]
fn a_page_shows_sections_and_results() {
    let folder = folder("page");
    let results = folder.join("results");
    fs::create_dir_all(&results).expect("creatable");
    let mut run = lab(&folder);
    run.args([
        "effort",
        "four.epd",
        "--nodes",
        "500",
        "--json",
        "results/effort.json",
    ]);
    run.assert().success();
    let mut suite = Command::cargo_bin("cassius").expect("the binary");
    suite
        .current_dir(&folder)
        .args(["suite", "four.epd", "--nodes", "500"]);
    suite.args([
        "--search",
        "minimax,alpha-beta",
        "--json",
        "results/suite.json",
    ]);
    suite.assert().success();

    let section = "## Effort\n\n{{effort.json made}}\n\n{{effort.json fig5.2}}\n\n\
        At {{effort.json fig5.2; last; nodes}} nodes, Phoenix {{effort.json fig5.2; last; Phoenix}}.\n";
    fs::write(results.join("2.md"), section).expect("writable");
    let unused = lab(&folder).args(["page", "results"]).assert().code(1);
    unused.stderr(predicate::str::contains("suite.json"));

    fs::write(results.join("1.md"), "# Results\n\n{{suite.json}}\n").expect("writable");
    let mut page = lab(&folder);
    page.args(["page", "results", "--output", "results.md"]);
    page.assert().success().stdout("");
    let text = fs::read_to_string(folder.join("results.md")).expect("a page");
    let expected = [
        "# Results",
        "cassius suite four.epd --nodes 500",
        "500 nodes a position",
        "| alpha-beta | 3 | 4 |",
        "## Effort",
        "cassius lab effort four.epd",
        "*Conspire*",
        "](results/effort-fig5.2.svg)",
        "At 500 nodes, Phoenix 58.",
    ];
    let mut rest = text.as_str();
    for part in expected {
        let at = rest.find(part);
        assert!(at.is_some(), "{part} in order in\n{text}");
        rest = &rest[at.unwrap_or(0)..];
    }

    let quotes_nothing = "text\n\nIt is {{effort.json fig5.2; 7; nodes}} nodes.\n";
    fs::write(results.join("3.md"), quotes_nothing).expect("writable");
    let wrong = lab(&folder).args(["page", "results"]).assert().code(1);
    let reason = predicate::str::contains("no row '7'");
    wrong.stderr(predicate::str::contains("3.md:3").and(reason));
    fs::write(results.join("3.md"), "text\n{{effort.json fig9}}\n").expect("writable");
    let wrong = lab(&folder).args(["page", "results"]).assert().code(1);
    wrong.stderr(predicate::str::contains("3.md:2"));
    fs::write(
        results.join("3.md"),
        "{{suite.json against minimax}}\n\n{{suite.json against chance}}\n",
    )
    .expect("writable");
    let wrong = lab(&folder).args(["page", "results"]).assert().code(1);
    let reason = predicate::str::contains("suite.json compares nothing with 'chance'");
    wrong.stderr(predicate::str::contains("3.md:3").and(reason));
}

#[test]
fn games_that_nobody_could_make_again_are_refused_or_named() {
    let folder = folder("reproducible");
    let play = |search: &str| {
        let mut run = lab(&folder);
        run.args(["selfplay", "games", "--games", "1", "--nodes", "20"]);
        run.args(["--search", search]).assert()
    };
    play("depth-first:Threads=2")
        .code(1)
        .stderr(predicate::str::contains("2 threads").and(predicate::str::contains("--jobs")));
    assert!(!folder.join("games").exists());
    let is_dirty = cassius::version::is_dirty();
    let played = play("depth-first:Threads=1").success();
    let stderr = String::from_utf8_lossy(&played.get_output().stderr).into_owned();
    assert_eq!(stderr.contains("this binary only"), is_dirty, "{stderr}");
}

#[test]
fn games_are_played_and_read_again() {
    let folder = folder("selfplay");
    let play = |games: &str, shards: &str, nodes: &str| {
        let mut run = lab(&folder);
        run.args(["selfplay", games, "--shards", shards, "--games", "3"]);
        run.args(["--nodes", nodes, "--seed", "7"]);
        run.assert()
    };
    let shards = |games: &str| -> Vec<Vec<u8>> {
        let path = |shard| folder.join(games).join(format!("games-{shard:05}.viri"));
        let read = |shard| fs::read(path(shard)).expect("a shard");
        (0..4).map(read).collect()
    };
    play("games", "0..4", "100").success();
    let all = shards("games");
    // In any order, by several runs, and after one that was killed: a shard is complete or missing.
    play("again", "2..4", "100").success();
    let lost = folder.join("again").join("games-00002.viri");
    fs::remove_file(&lost).expect("a shard");
    play("again", "0..4", "100").success();
    assert_eq!(shards("again"), all);
    let manifest = |games: &str| -> Value {
        let text = fs::read_to_string(folder.join(games).join("manifest.json")).expect("text");
        serde_json::from_str(&text).expect("JSON")
    };
    assert_eq!(manifest("games"), manifest("again"));
    assert_eq!(manifest("games")["games"], 12);
    assert_eq!(manifest("games")["recipe"]["seed"], 7);
    play("again", "0..4", "99")
        .failure()
        .stderr(predicate::str::contains("--nodes 100 --seed 7"));
    assert_eq!(shards("again"), all);

    let train = |games: &[&str]| {
        let mut run = lab(&folder);
        run.arg("train").args(games).args(["--output", "none.net"]);
        run.assert().failure()
    };
    train(&["games", "games/games-00000.viri"])
        .stderr(predicate::str::contains("games-00000.viri: is given twice"));
    // A file that ends within a game, and one that holds none.
    let whole = &all[0];
    fs::write(folder.join("bad.viri"), &whole[..whole.len() - 5]).expect("writable");
    let cut =
        "bad.viri: the file is cut short: it ends inside game \\d+, which begins at byte \\d+\n";
    train(&["bad.viri"]).stderr(predicate::str::is_match(cut).expect("a pattern"));
    fs::write(folder.join("bad.viri"), [b'x'; 64]).expect("writable");
    train(&["bad.viri"]).stderr(predicate::str::contains("bad.viri: game 1: "));
    assert!(!folder.join("none.net").exists());
}

#[test]
fn searches_are_followed_to_the_end_and_learnt_from() {
    let folder = folder("outlook");
    let mut run = lab(&folder);
    run.args([
        "selfplay", "games", "--games", "6", "--nodes", "60", "--seed", "2",
    ]);
    run.assert().success();
    let sample = |file: &str, more: &[&str]| {
        let mut run = lab(&folder);
        run.args(["sample-outlook", "games", "--output", file, "--hash", "1"]);
        run.args([
            "--least-nodes",
            "16000",
            "--most-nodes",
            "32000",
            "--every",
            "60",
        ]);
        run.args(more).assert()
    };
    sample("whole.jsonl", &[]).success();
    let lines = |file: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(file)).expect("searches");
        text.lines().map(str::to_owned).collect()
    };
    let whole = lines("whole.jsonl");
    assert!(whole.len() > 6, "{}", whole.len());
    // A run that was killed in the middle of a line goes on behind the last whole one.
    let cut = format!("{}\n{}\n{}", whole[0], whole[1], &whole[2][..40]);
    fs::write(folder.join("cut.jsonl"), cut).expect("writable");
    sample("cut.jsonl", &[]).failure();
    sample("cut.jsonl", &["--resume"]).success();
    assert_eq!(lines("cut.jsonl"), whole);
    sample("cut.jsonl", &["--resume", "--seed", "9"])
        .failure()
        .stderr(predicate::str::contains("choose another file"));
    // Parts have what the whole has, and tell that they are parts. One does not go on with another.
    sample("1.jsonl", &["--shard", "1/2"]).success();
    sample("2.jsonl", &["--shard", "2/2"]).success();
    let [one, two] = ["1.jsonl", "2.jsonl"].map(lines);
    assert!(one[0].contains(r#""shard":{"part":1,"parts":2}"#));
    for (index, line) in whole[1..].iter().enumerate() {
        assert_eq!(line, &[&one, &two][index % 2][1 + index / 2]);
    }
    assert_eq!(one.len() + two.len(), whole.len() + 1);
    sample("1.jsonl", &["--shard", "2/2", "--resume"])
        .failure()
        .stderr(predicate::str::contains("choose another file"));
    sample("3.jsonl", &["--shard", "3/2"])
        .failure()
        .stderr(predicate::str::contains("expected PART/PARTS"));
    fs::create_dir(folder.join("none")).expect("writable");
    let mut none = lab(&folder);
    none.args(["sample-outlook", "none", "--output", "none.jsonl"]);
    none.assert()
        .failure()
        .stderr(predicate::str::contains("no positions to draw"));
    assert!(!folder.join("none.jsonl").exists());
    let mut other = lab(&folder);
    other.args([
        "selfplay", "games", "--games", "6", "--nodes", "60", "--seed", "2", "--shards", "1..2",
    ]);
    other.assert().success();
    fs::remove_file(folder.join("games").join("games-00000.viri")).expect("a shard");
    sample("cut.jsonl", &["--resume"])
        .failure()
        .stderr(predicate::str::contains("cut.jsonl: has another position"));
    assert_eq!(lines("cut.jsonl"), whole);
    let search: Value = serde_json::from_str(&whole[1]).expect("JSON");
    let course = search["course"].as_array().expect("reports");
    assert!(course.len() > 3 && course[0]["n"].as_u64() > Some(0));
    assert!(search["width"].as_f64() > Some(1.0));

    let fit = |more: &[&str]| {
        let mut run = lab(&folder);
        run.args(["fit-outlook", "whole.jsonl"]).args(more).assert()
    };
    fit(&["--output", "weights.rs", "--json", "outlook.json"])
        .success()
        .stdout(predicate::str::contains("the value stays"));
    let weights = fs::read_to_string(folder.join("weights.rs")).expect("weights");
    assert!(weights.contains("pub static MOVE_STAYS: [f64; TERMS] = [\n"));
    assert!(!weights.contains("NaN"));
    let text = fs::read_to_string(folder.join("whole.jsonl")).expect("samples");
    fs::write(folder.join("torn.jsonl"), text.trim_end()).expect("writable");
    let mut torn = lab(&folder);
    torn.args(["fit-outlook", "torn.jsonl"])
        .assert()
        .code(1)
        .stderr(
            "torn.jsonl: the last line is cut short and left out\n\
         1 malformed item skipped, whole or in part\n",
        );
    fit(&["whole.jsonl"])
        .failure()
        .stderr(predicate::str::contains("give each part once"));
    let text = fs::read_to_string(folder.join("outlook.json")).expect("an outcome");
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    let brier = outcome["tables"][0]["rows"][1][2].as_f64();
    assert!(brier > Some(0.0) && brier < Some(1.0));
    fit(&["--judge-only"])
        .success()
        .stdout(predicate::str::contains("Brier score"));
    lab(&folder)
        .args(["fit-outlook", "four.epd"])
        .assert()
        .failure()
        .stderr(predicate::str::contains(
            "four.epd is not a file that this command reads",
        ));
}

/// Nothing can be learnt with them, and the network or the weights would say so only in the end.
#[test]
fn what_is_no_number_is_refused() {
    let folder = folder("numbers");
    let options: [(&[&str], &[&str]); 3] = [
        (&["fit-outlook", "searches.jsonl"], &["--ridge"]),
        (
            &["train", "games", "--output", "n.net"],
            &["--epochs", "--rate", "--result-share"],
        ),
        (
            &["train-scale", "n.net", "games", "--output", "m.net"],
            &["--epochs", "--rate"],
        ),
    ];
    for (command, options) in options {
        for option in options {
            for number in ["NaN", "inf", "-inf", "-1", "1e300"] {
                let mut run = lab(&folder);
                run.args(command).arg(format!("{option}={number}"));
                let named = predicate::str::contains(*option);
                let explained = predicate::str::contains("expected a number from ");
                run.assert().code(2).stderr(named.and(explained));
            }
        }
    }
}

#[test]
fn random_trees_need_no_files() {
    let folder = folder("trees");
    lab(&folder)
        .args(["fig4.6", "--json", "outcome.json", "--seed", "7"])
        .assert()
        .success()
        .stdout(predicate::str::contains("thesis, figure 4.6"));
    let text = fs::read_to_string(folder.join("outcome.json")).expect("an outcome");
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(outcome["seed"], 7);
    let rows = outcome["tables"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for row in rows {
        let [basic, intensive, compromise] =
            [2, 3, 4].map(|column| row[column].as_f64().expect("bytes a node"));
        assert!(basic < compromise && compromise < intensive, "{row}");
    }
    lab(&folder).args(["fig4.6", "four.epd"]).assert().code(1);
}

#[test]
fn hex_is_played_from_both_sides_on_the_board_asked_for() {
    let folder = folder("hex");
    lab(&folder)
        .args(["hex", "--size", "5", "--games", "4", "--nodes", "100"])
        .args(["--hash", "1", "--json", "hex.json"])
        .assert()
        .success()
        .stdout(predicate::str::contains("sibling-conspiracy"));
    let text = fs::read_to_string(folder.join("hex.json")).expect("an outcome");
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    let score = &outcome["tables"][0]["rows"][0];
    assert_eq!(score[2], 4, "{score}");
    let games = outcome["tables"][1]["rows"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        assert_eq!(pair[0][0], pair[1][0], "the same opening");
        assert_ne!(pair[0][1], pair[1][1], "the other side");
    }
    for (arguments, reason) in [
        (&["hex", "--size", "4"][..], "5..=11"),
        (&["star1", "--size", "7"], "plays no games on a board"),
        (&["star1", "--games", "4"], "plays no games"),
        (&["levels", "--size", "7"], "plays no games on a board"),
        (&["hex", "four.epd"], "takes no files"),
    ] {
        let refused = lab(&folder).args(arguments).assert().failure();
        refused.stderr(predicate::str::contains(reason));
    }
}

#[test]
fn star1_gives_the_values_of_expectiminimax_for_fewer_nodes() {
    let folder = folder("star1");
    let mut run = lab(&folder);
    run.args(["star1", "--nodes", "2000", "--json", "outcome.json"]);
    run.assert().success();
    let text = fs::read_to_string(folder.join("outcome.json")).expect("an outcome");
    let outcome: Value = serde_json::from_str(&text).expect("JSON");
    let tables = outcome["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 4);
    for table in &tables[..3] {
        let rows = table["rows"].as_array().expect("rows");
        let deepest = rows.last().expect("a row");
        assert!(deepest[2].as_f64() < deepest[1].as_f64(), "{deepest}");
        // Probes that are kept are searched once only.
        assert!(deepest[4].as_f64() <= deepest[3].as_f64(), "{deepest}");
        for row in rows {
            let cells = row.as_array().expect("cells");
            let last = cells.last().and_then(Value::as_str).expect("text");
            let difference: f64 = last.parse().expect("a number");
            assert!(difference < 1e-9, "{row}");
        }
    }
}

#[test]
fn chapter_6_compares_versions() {
    let folder = folder("versions");
    lab(&folder)
        .args(["fig6.5", "four.epd", "--nodes", "1000"])
        .assert()
        .success()
        .stdout(predicate::str::contains("OR RR, Best Move Cutoff"))
        .stdout(predicate::str::contains("Figure 6.6"));
}

#[test]
fn levels_play_as_many_games_as_are_asked_for_and_the_same_ones_again() {
    let folder = folder("levels");
    let rows = |file: &str| {
        lab(&folder)
            .args(["levels", "--games", "2", "--json", file])
            .assert()
            .success()
            .stdout(predicate::str::contains("76.0"));
        let text = fs::read_to_string(folder.join(file)).expect("an outcome");
        let outcome: Value = serde_json::from_str(&text).expect("JSON");
        outcome["tables"][0]["rows"].clone()
    };
    let first = rows("first.json");
    let pairs = first.as_array().expect("rows");
    assert_eq!(pairs.len(), 4);
    for row in pairs {
        assert_eq!(row[2], 2, "{row}");
        let stronger = row[0].as_i64().expect("a level");
        assert_eq!(stronger - row[1].as_i64().expect("a level"), 200);
    }
    assert_eq!(rows("second.json"), first);
}

#[test]
fn threads_are_compared_with_one_and_always_the_same() {
    let folder = folder("threads");
    let run = |json: &str| {
        lab(&folder)
            .args(["threads", "four.epd", "--nodes", "400", "--hash", "1"])
            .args(["--json", json])
            .assert()
            .success()
            .stdout(predicate::str::contains("Threads of depth-first"));
        let text = fs::read_to_string(folder.join(json)).expect("an outcome");
        let outcome: Value = serde_json::from_str(&text).expect("JSON");
        outcome["tables"].clone()
    };
    let tables = run("one.json");
    let rows = tables[0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4);
    let columns = tables[0]["columns"].as_array().expect("columns");
    let overhead = columns.iter().position(|it| it["name"] == "overhead");
    let overhead = overhead.expect("the column");
    assert_eq!(
        rows[0][overhead], 1.0,
        "one thread is what others are held against"
    );
    for row in rows {
        assert!(row[overhead].as_f64().expect("a number") > 0.0);
    }
    assert_eq!(tables, run("two.json"), "threads that take turns");
    let by_time = ["threads", "four.epd", "--movetime", "50"];
    let refused = lab(&folder).args(by_time).assert().failure();
    refused.stderr(predicate::str::contains("give --nodes"));
    for limit in ["--nodes", "--movetime"] {
        let refused = lab(&folder).args(["storages", limit, "500"]).assert();
        refused
            .failure()
            .stderr(predicate::str::contains("leave out --nodes and --movetime"));
    }
}

#[test]
fn threads_look_for_mates_and_always_find_the_same() {
    let folder = folder("mate-threads");
    let mates = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - dm 4; id \"smothered\";\n\
        8/8/8/4k3/8/8/8/K7 w - - dm 1; id \"none\";\n";
    fs::write(folder.join("mates.epd"), mates).expect("writable");
    let run = |json: &str| {
        lab(&folder)
            .args([
                "mate-threads",
                "mates.epd",
                "--nodes",
                "3000",
                "--hash",
                "1",
            ])
            .args(["--json", json])
            .assert()
            .success()
            .stdout(predicate::str::contains("until a mate is proven"));
        let text = fs::read_to_string(folder.join(json)).expect("an outcome");
        let outcome: Value = serde_json::from_str(&text).expect("JSON");
        outcome["tables"].clone()
    };
    let tables = run("one.json");
    let rows = tables[0]["rows"].as_array().expect("rows");
    let mates: Vec<&Value> = rows.iter().map(|row| &row[1]).collect();
    assert_eq!(
        mates,
        [1, 1, 1, 1],
        "one is to be proven, by any number of threads"
    );
    assert_eq!(
        rows[0][2], 1.0,
        "one thread is what others are held against"
    );
    assert_eq!(tables, run("two.json"), "threads that take turns");
}

/// `cassius lab` starts the laboratory that lies beside it, and says how to get it where there is none.
#[test]
fn cassius_starts_its_laboratory() {
    let laboratory = Path::new(env!("CARGO_BIN_EXE_cassius-lab"));
    let cassius = laboratory.with_file_name(format!("cassius{}", std::env::consts::EXE_SUFFIX));
    if !cassius.is_file() {
        println!("skipped: no {}", cassius.display());
        return;
    }
    let tree = |program: &Path| {
        let mut command = Command::new(program);
        command.args(["lab", "tree", "MAX(1,2)"]);
        command.assert()
    };
    tree(&cassius)
        .code(0)
        .stdout(predicate::str::starts_with("A MAX 2"));
    let mut wrong = Command::new(&cassius);
    wrong.args(["lab", "tree", "MAX("]).assert().code(2);
    let alone = folder("alone").join("cassius");
    fs::copy(&cassius, &alone).expect("a copy");
    tree(&alone).code(1).stderr(predicate::str::contains(
        "cargo build --release --workspace",
    ));
}

#[test]
fn a_closed_pipe_is_success() {
    for line in [
        &["list"][..],
        &["tree", "MAX(1,2)"],
        &["completions", "bash"],
    ] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_cassius-lab"))
            .args(line)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("a process");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        let ended = (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert_eq!(ended, (Some(0), String::new()), "{line:?}");
    }
}
