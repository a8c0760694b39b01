//! `cassius suite` as its users see it: tables, result files, resuming, shards, engines, exit codes.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// Six positions: four that a search of 3 000 nodes must solve, whichever search it is (mate in one,
/// twice; a queen for nothing; a move to avoid that loses a queen), and two where the right move is
/// declared wrong.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"mate.white\";
k3r3/8/8/8/8/8/5PPP/6K1 b - - bm Re1#; id \"mate.black\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Nxd5; id \"queen\";
6k1/5ppp/4p3/3p4/8/8/3Q1PPP/6K1 w - - am Qxd5; id \"poison\";
6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8#; id \"wrong.1\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Kf1; id \"wrong.2\";
";

/// A folder of its own for a test, empty.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("suite-{test}"));
    if path.exists() {
        fs::remove_dir_all(&path).expect("removable");
    }
    fs::create_dir_all(&path).expect("creatable");
    fs::write(path.join("six.epd"), SUITE).expect("writable");
    path
}

/// `cassius suite` in that folder.
fn suite(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("cassius").expect("the binary");
    command.current_dir(folder).arg("suite");
    command
}

/// The same with the options that most tests use.
fn six(folder: &Path) -> Command {
    let mut command = suite(folder);
    command.args(["six.epd", "--search", "minimax", "--nodes", "3000"]);
    command
}

/// Runs a command that must end with this exit code: standard output and standard error.
fn ends(command: &mut Command, code: i32) -> (String, String) {
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    (out, err)
}

/// Header and entries of a result file.
fn results(path: &Path) -> (Value, Vec<Value>) {
    let text = fs::read_to_string(path).expect("readable");
    let mut values = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    (values.next().expect("a header"), values.collect())
}

/// Entries without what no two runs share.
fn timeless(mut entries: Vec<Value>) -> Vec<Value> {
    for entry in &mut entries {
        entry["ms"] = Value::Null;
        if let Some(solution) = entry["solution"].as_object_mut() {
            solution.remove("ms");
        }
    }
    entries
}

#[test]
fn misses_and_a_summary_are_printed() {
    let folder = folder("summary");
    let (text, _) = ends(&mut six(&folder), 0);
    let missed: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("missed"))
        .collect();
    assert_eq!(missed.len(), 2, "{text}");
    assert!(missed[0].contains("wrong.1  minimax: Re8# (#1); wanted am Re8#"));
    assert!(missed[1].contains("wrong.2  minimax: Nxd5") && missed[1].ends_with("wanted bm Kf1"));
    let row = text.lines().find(|line| line.starts_with("minimax"));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(cells[..4], ["minimax", "4", "6", "66.7"], "{text}");
    assert!(!text.contains("\u{1b}"), "no escape sequences in a pipe");
}

#[test]
fn results_are_written_as_json_and_csv() {
    let folder = folder("files");
    ends(six(&folder).args(["--json", "r.json", "--csv", "r.csv"]), 0);
    let (header, entries) = results(&folder.join("r.json"));
    assert_eq!(header["files"], serde_json::json!(["six.epd"]));
    assert_eq!(header["limit"], serde_json::json!({"nodes": 3000}));
    assert_eq!(header["searches"], serde_json::json!(["minimax"]));
    assert_eq!(header["runs"][0]["commit"], cassius::version::COMMIT);
    assert_eq!(entries.len(), 6);
    let mate = &entries[0];
    assert_eq!(mate["position"], 1);
    assert_eq!(mate["id"], "mate.white");
    assert_eq!(mate["search"], "minimax");
    assert_eq!(mate["goal"], "bm Re8#");
    assert_eq!(mate["move"], "Re8#");
    assert_eq!(mate["solved"], true);
    assert_eq!(mate["mate"], 1);
    assert_eq!(mate["cp"], Value::Null);
    assert!(mate["solution"]["nodes"].as_u64().expect("a number") > 0);
    assert!(mate["solution"]["ms"].as_f64() <= mate["ms"].as_f64());
    let wrong = &entries[5];
    assert_eq!(
        (&wrong["solved"], &wrong["solution"]),
        (&Value::Bool(false), &Value::Null)
    );
    assert!(wrong["nodes"].as_u64().expect("a number") >= 3_000);

    let csv = fs::read_to_string(folder.join("r.csv")).expect("readable");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0][..5], ["position", "id", "search", "solved", "move"]);
    assert_eq!(rows[1][..5], ["1", "mate.white", "minimax", "true", "Re8#"]);
    assert_eq!(rows[6][..4], ["6", "wrong.2", "minimax", "false"]);
}

#[test]
fn the_same_nodes_give_the_same_results() {
    let folder = folder("same");
    ends(six(&folder).args(["--json", "a.json"]), 0);
    ends(six(&folder).args(["--json", "b.json", "--jobs", "2"]), 0);
    let (_, a) = results(&folder.join("a.json"));
    let (_, mut b) = results(&folder.join("b.json"));
    b.sort_by_key(|entry| entry["position"].as_u64());
    assert_eq!(timeless(a), timeless(b));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = folder("resume");
    let path = folder.join("r.json");
    ends(six(&folder).args(["--json", "r.json"]), 0);
    let whole = fs::read_to_string(&path).expect("readable");
    // Killed in the middle of writing the fourth entry.
    let lines: Vec<&str> = whole.lines().collect();
    let kept = lines[..4].join("\n") + "\n";
    fs::write(&path, format!("{kept}{}", &lines[4][..40])).expect("writable");

    let (_, error) = ends(six(&folder).args(["--json", "r.json"]), 1);
    assert!(error.contains("--resume"), "{error}");

    let resume = ["--json", "r.json", "--csv", "r.csv", "--resume"];
    let (text, _) = ends(six(&folder).args(resume), 0);
    let resumed = fs::read_to_string(&path).expect("readable");
    assert!(resumed.starts_with(&kept), "what was there stays as it was");
    let (_, entries) = results(&path);
    let positions: Vec<u64> = entries
        .iter()
        .filter_map(|entry| entry["position"].as_u64())
        .collect();
    assert_eq!(positions, [1, 2, 3, 4, 5, 6]);
    assert!(text.contains("minimax       4   6  66.7"), "{text}");
    let csv = fs::read_to_string(folder.join("r.csv")).expect("readable");
    assert_eq!(csv.lines().count(), 7);

    // Nothing is left to run: the results are shown, and nothing is added.
    let (again, _) = ends(six(&folder).args(resume), 0);
    assert!(again.contains("minimax       4   6  66.7"), "{again}");
    assert_eq!(fs::read_to_string(&path).expect("readable"), resumed);
}

#[test]
fn a_run_killed_at_any_time_can_go_on() {
    let folder = folder("kill");
    let path = folder.join("r.json");
    // Half a second each, so that there is time to kill it; solved mates end sooner.
    let arguments = [
        "suite",
        "six.epd",
        "--search",
        "minimax",
        "--movetime",
        "500",
    ];
    let files = ["--json", "r.json", "--resume"];
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("cassius"))
        .current_dir(&folder)
        .args(arguments)
        .args(files)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 4 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = results(&path).1.len();
    assert!((3..6).contains(&before), "{before}");

    let mut again = Command::cargo_bin("cassius").expect("the binary");
    again.current_dir(&folder).args(arguments).args(files);
    ends(&mut again, 0);
    let (_, entries) = results(&path);
    let positions: Vec<u64> = entries
        .iter()
        .filter_map(|entry| entry["position"].as_u64())
        .collect();
    assert_eq!(positions, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn files_that_are_there_are_left_alone_unless_told_otherwise() {
    let folder = folder("overwrite");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("readable");
    for (option, name) in [("--json", "r.json"), ("--csv", "r.csv")] {
        fs::write(folder.join(name), "mine\n").expect("writable");
        let (_, error) = ends(six(&folder).args([option, name]), 1);
        assert!(
            error.contains(name) && error.contains("--overwrite"),
            "{error}"
        );
        assert_eq!(read(name), "mine\n");
    }
    // There is no run to be continued, so the CSV file is not its.
    let fresh = ["--json", "new.json", "--csv", "r.csv", "--resume"];
    ends(six(&folder).args(fresh), 1);
    let empty = fs::metadata(folder.join("new.json")).expect("there").len() == 0;
    assert!(empty, "or the next run would take the CSV file for its own");
    let (_, error) = ends(six(&folder).args(["--json", "r.json", "--resume"]), 1);
    assert!(error.contains("cannot be continued"), "{error}");
    assert_eq!(
        (read("r.json"), read("r.csv")),
        ("mine\n".into(), "mine\n".into())
    );

    ends(
        six(&folder).args(["--json", "r.json", "--csv", "r.csv", "--overwrite"]),
        0,
    );
    assert_eq!(results(&folder.join("r.json")).1.len(), 6);
    assert_eq!(read("r.csv").lines().count(), 7);
    let merge = ["merge", "r.json", "--json", "m.json", "--csv", "r.csv"];
    ends(suite(&folder).args(merge), 1);
    ends(suite(&folder).args(merge).arg("--overwrite"), 0);
    let (_, error) = ends(
        suite(&folder).args(["merge", "r.json", "--csv", "r.json"]),
        1,
    );
    assert!(error.contains("given twice"), "{error}");
    let once = ["--json", "x", "--csv", "x", "--overwrite"];
    let (_, error) = ends(six(&folder).args(once), 1);
    assert!(error.contains("given twice"), "{error}");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = folder("lock");
    let slow = [
        "suite",
        "six.epd",
        "--search",
        "minimax",
        "--movetime",
        "2000",
        "--filter",
        "wrong.2",
        "--json",
        "r.json",
        "--resume",
    ];
    let mut first = std::process::Command::new(assert_cmd::cargo::cargo_bin("cassius"))
        .current_dir(&folder)
        .args(slow)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    while !fs::read_to_string(folder.join("r.json")).is_ok_and(|text| text.ends_with('\n')) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let mut second = Command::cargo_bin("cassius").expect("the binary");
    let (_, error) = ends(second.current_dir(&folder).args(slow), 1);
    assert!(
        error.contains("r.json: another run is writing to it"),
        "{error}"
    );
    assert!(first.wait().expect("it ends").success());
    assert_eq!(results(&folder.join("r.json")).1.len(), 1);
}

#[test]
fn an_entry_that_is_there_twice_is_refused() {
    let folder = folder("twice");
    ends(six(&folder).args(["--json", "r.json"]), 0);
    let text = fs::read_to_string(folder.join("r.json")).expect("readable");
    let last = text.lines().last().expect("an entry");
    fs::write(folder.join("r.json"), format!("{text}{last}\n")).expect("writable");
    let (_, error) = ends(six(&folder).args(["--json", "r.json", "--resume"]), 1);
    assert!(
        error.contains("r.json:8: wrong.2 by minimax is in the file already"),
        "{error}"
    );
    let (_, error) = ends(suite(&folder).args(["merge", "r.json"]), 1);
    assert!(error.contains("r.json:8: wrong.2"), "{error}");
}

#[test]
fn a_run_killed_before_its_first_line_was_whole_begins_again() {
    let folder = folder("header");
    ends(six(&folder).args(["--json", "r.json"]), 0);
    let whole = fs::read_to_string(folder.join("r.json")).expect("readable");
    for length in [0, 5, 100] {
        fs::write(folder.join("r.json"), &whole[..length]).expect("writable");
        ends(six(&folder).args(["--json", "r.json", "--resume"]), 0);
        assert_eq!(results(&folder.join("r.json")).1.len(), 6);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let folder = folder("full");
    for option in ["--json", "--csv"] {
        let (_, error) = ends(six(&folder).args([option, "/dev/full"]), 1);
        assert!(error.contains("/dev/full: No space left"), "{error}");
    }
    let (text, _) = ends(six(&folder).args(["--csv", "/dev/stdout"]), 0);
    assert!(text.contains("\n1,mate.white,minimax,true"), "{text}");
}

#[test]
fn another_run_is_not_continued() {
    let folder = folder("other");
    ends(six(&folder).args(["--json", "r.json"]), 0);
    let mut other = suite(&folder);
    other.args(["six.epd", "--search", "minimax", "--nodes", "2999"]);
    let (_, error) = ends(other.args(["--json", "r.json", "--resume"]), 1);
    assert!(error.contains("different conditions (limits)"), "{error}");

    // Another commit may find other results; one that is not known, as in old files, is let pass.
    let path = folder.join("r.json");
    let text = fs::read_to_string(&path).expect("readable");
    let own = format!(",\"commit\":\"{}\"", cassius::version::COMMIT);
    assert!(text.contains(&own), "{text}");
    let known = cassius::version::COMMIT != cassius::version::UNKNOWN;
    for (commit, code) in [
        ("", 0),
        (r#","commit":"unknown""#, 0),
        (r#","commit":"0123456789ab""#, i32::from(known)),
    ] {
        fs::write(&path, text.replacen(&own, commit, 1)).expect("writable");
        let (_, error) = ends(six(&folder).args(["--json", "r.json", "--resume"]), code);
        assert_eq!(
            error.contains("different conditions (commit of cassius)"),
            code == 1,
            "{error}"
        );
    }
    fs::write(&path, text).expect("writable");

    // Nor may the network be another one that has the same name.
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/default.net");
    let mut bytes = fs::read(network).expect("readable");
    let with_network = |code| {
        let mut command = suite(&folder);
        command.args(["six.epd", "--nodes", "100", "--json", "n.json", "--resume"]);
        ends(
            command.args(["--search", "depth-first:EvalFile=my.net"]),
            code,
        )
        .1
    };
    fs::write(folder.join("my.net"), &bytes).expect("writable");
    with_network(0);
    with_network(0);
    *bytes.last_mut().expect("a weight") ^= 1;
    fs::write(folder.join("my.net"), &bytes).expect("writable");
    let error = with_network(1);
    assert!(error.contains("different conditions (networks)"), "{error}");

    let changed = SUITE.replace("bm Kf1", "bm Kh1");
    fs::write(folder.join("six.epd"), changed).expect("writable");
    let (_, error) = ends(six(&folder).args(["--json", "r.json", "--resume"]), 1);
    assert!(error.contains("position 6"), "{error}");
}

#[test]
fn shards_put_together_are_the_whole() {
    let folder = folder("shards");
    ends(six(&folder).args(["--json", "whole.json"]), 0);
    for part in ["1", "2", "3", "4"] {
        let shard = format!("{part}/4");
        let json = format!("{part}.json");
        ends(six(&folder).args(["--shard", &shard, "--json", &json]), 0);
    }
    let parts = ["4.json", "2.json", "1.json", "3.json"];
    let (text, _) = ends(
        suite(&folder)
            .arg("merge")
            .args(parts)
            .args(["--json", "merged.json"]),
        0,
    );
    assert!(text.contains("minimax       4   6  66.7"), "{text}");
    let (mut whole_header, whole) = results(&folder.join("whole.json"));
    let (mut merged_header, merged) = results(&folder.join("merged.json"));
    let whole_runs = whole_header["runs"].take();
    let merged_runs = merged_header["runs"].take();
    assert_eq!(whole_header, merged_header);
    assert_eq!(whole_runs.as_array().map(Vec::len), Some(1));
    let commands: Vec<&str> = merged_runs
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|run| run["command"].as_str())
        .collect();
    assert_eq!(commands.len(), 4);
    for (command, part) in commands.into_iter().zip(parts) {
        assert!(command.starts_with("cassius suite six.epd"), "{command}");
        assert!(command.ends_with(part), "{command}");
    }
    assert_eq!(timeless(whole), timeless(merged));

    // The same part twice adds nothing; results of another run are refused.
    let mut twice = suite(&folder);
    let (text, _) = ends(twice.args(["merge", "1.json", "1.json"]), 0);
    assert!(text.contains("minimax       1   2  50.0"), "{text}");
    let mut other = suite(&folder);
    other.args([
        "six.epd", "--search", "minimax", "--nodes", "10", "--json", "o.json",
    ]);
    ends(&mut other, 0);
    let (_, error) = ends(suite(&folder).args(["merge", "1.json", "o.json"]), 1);
    assert!(
        error.contains("o.json") && error.contains("limits"),
        "{error}"
    );
}

#[test]
fn filters_choose_positions() {
    let folder = folder("filter");
    for (filter, expected) in [
        ("even", vec!["mate.black", "poison", "wrong.2"]),
        ("odd", vec!["mate.white", "queen", "wrong.1"]),
        ("mate", vec!["mate.white", "mate.black"]),
        ("*.2", vec!["wrong.2"]),
    ] {
        let json = format!("{}.json", filter.replace('*', "x"));
        ends(six(&folder).args(["--filter", filter, "--json", &json]), 0);
        let (_, entries) = results(&folder.join(&json));
        let ids: Vec<&str> = entries
            .iter()
            .filter_map(|entry| entry["id"].as_str())
            .collect();
        assert_eq!(ids, expected);
    }
    let (_, error) = ends(six(&folder).args(["--filter", "nothing"]), 1);
    assert!(error.contains("no positions"), "{error}");
}

#[test]
fn malformed_lines_are_named_and_the_rest_runs() {
    let folder = folder("malformed");
    let text = format!("{SUITE}rubbish\n6k1/8/8/8/8/8/8/K3R3 w - - bm Qa9;\n");
    fs::write(folder.join("six.epd"), text).expect("writable");
    let (out, err) = ends(six(&folder).args(["--json", "r.json"]), 1);
    assert!(err.contains("six.epd:7: expected four fields"), "{err}");
    assert!(err.contains("six.epd:8: bm: 'Qa9'"), "{err}");
    let count = "\n2 malformed items skipped, whole or in part\n";
    assert!(err.ends_with(count), "{err}");
    assert!(out.contains("minimax       4   6  66.7"), "{out}");
    assert_eq!(results(&folder.join("r.json")).1.len(), 6);
}

#[test]
fn a_file_without_positions_is_named() {
    let folder = folder("empty");
    for (name, text, count) in [("empty.epd", "", 1), ("bad.epd", "rubbish\n", 1)] {
        fs::write(folder.join(name), text).expect("writable");
        let nothing = format!("{name}: there are no positions in this file\n");
        let (_, err) = ends(suite(&folder).args([name, "--nodes", "10"]), 1);
        assert!(err.contains(&nothing), "{err}");
        assert!(
            err.ends_with("cassius: there are no positions to run\n"),
            "{err}"
        );
        let (out, err) = ends(six(&folder).arg(name), 1);
        assert!(err.contains(&nothing), "{err}");
        let count = format!("\n{count} malformed item skipped, whole or in part\n");
        assert!(err.ends_with(&count), "{err}");
        assert!(out.contains("minimax       4   6  66.7"), "{out}");
    }
}

#[test]
fn merging_tells_of_lines_cut_short() {
    let folder = folder("torn");
    ends(six(&folder).args(["--json", "r.json"]), 0);
    let whole = fs::read_to_string(folder.join("r.json")).expect("readable");
    fs::write(folder.join("torn.json"), whole.trim_end()).expect("writable");
    let merge = ["merge", "torn.json", "--json", "m.json"];
    let (out, err) = ends(suite(&folder).args(merge), 1);
    let told = "torn.json: the last line is cut short and left out\n\
        1 malformed item skipped, whole or in part\n";
    assert_eq!(err, told);
    assert!(out.contains("minimax"), "{out}");
    assert_eq!(results(&folder.join("m.json")).1.len(), 5);
    let header = whole.lines().next().expect("a header");
    fs::write(folder.join("header.json"), format!("{header}\n")).expect("writable");
    let (_, err) = ends(suite(&folder).args(["merge", "header.json"]), 1);
    assert_eq!(
        err,
        "cassius: header.json: there are no results in this file\n"
    );
}

#[test]
fn wrong_usage_is_told_apart_from_wrong_input() {
    let folder = folder("usage");
    for arguments in [
        &["six.epd"][..],
        &["--nodes", "10"],
        &["six.epd", "--nodes", "none"],
        &["six.epd", "--nodes", "0"],
        &["six.epd", "--nodes", "10", "--search", "nonesuch"],
        &["six.epd", "--nodes", "10", "--search", "minimax:Hash=much"],
        &["six.epd", "--nodes", "10", "--shard", "3/2"],
        &["six.epd", "--nodes", "10", "--resume"],
        &["six.epd", "--movetime", "10", "--jobs", "2"],
        &["merge"],
    ] {
        let (_, error) = ends(suite(&folder).args(arguments), 2);
        assert!(error.contains("--help"), "{arguments:?}: {error}");
    }
    let (_, error) = ends(suite(&folder).args(["missing.epd", "--nodes", "10"]), 1);
    assert!(error.contains("missing.epd"), "{error}");
    let twice = ["six.epd", "--nodes", "10", "--search", "minimax,minimax"];
    let (_, error) = ends(suite(&folder).args(twice), 1);
    assert!(error.contains("'minimax' is given twice"), "{error}");
}

#[test]
fn a_time_limit_is_kept() {
    let folder = folder("time");
    let mut timed = suite(&folder);
    timed.args(["six.epd", "--search", "minimax", "--movetime", "50"]);
    ends(timed.args(["--filter", "wrong.2", "--json", "r.json"]), 0);
    let (_, entries) = results(&folder.join("r.json"));
    let ms = entries[0]["ms"].as_f64().expect("a number");
    assert!((50.0..1_000.0).contains(&ms), "{ms}");
}

#[test]
fn an_engine_is_one_more_column() {
    let folder = folder("engine");
    let binary = assert_cmd::cargo::cargo_bin("cassius");
    let engine = binary.to_str().expect("a plain path");
    let mut command = suite(&folder);
    command.args([
        "six.epd", "--search", "minimax", "--depth", "2", "--engine", engine,
    ]);
    let (text, _) = ends(command.args(["--json", "r.json"]), 0);
    let (header, entries) = results(&folder.join("r.json"));
    let name = header["searches"][1].as_str().expect("its name");
    assert!(name.starts_with("Cassius"), "{name}");
    let searches: Vec<&str> = entries
        .iter()
        .filter_map(|e| e["search"].as_str())
        .collect();
    assert_eq!(
        searches,
        ["minimax", name].repeat(6),
        "both have every position in turn"
    );
    // The engine's claims arrive: the mates, a value, and when it knew.
    assert_eq!(entries[1]["mate"], 1);
    assert_eq!(entries[1]["move"], "Re8#");
    assert_eq!(entries[3]["solved"], true);
    assert!(entries[5]["cp"].as_i64().expect("a value") >= 300);
    assert!(entries[5]["nodes"].as_u64().expect("a count") > 0);
    assert!(entries[5]["solution"]["ms"].is_number());
    // The comparison stands below the summary.
    assert!(text.contains("only A  only B"), "{text}");

    let alone = [
        "six.epd",
        "--nodes",
        "1000",
        "--engines-only",
        "--engine",
        engine,
    ];
    let (text, _) = ends(suite(&folder).args(alone), 0);
    assert!(
        !text.contains("minimax") && !text.contains("only A"),
        "{text}"
    );
}

/// A UCI engine that does as told in a shell script.
#[cfg(unix)]
fn fake_engine(folder: &Path, on_go: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("engine.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
         uci) echo id name Fake; echo uciok;;\n\
         isready) echo readyok;;\n\
         go*) {on_go};;\n\
         quit) exit 0;;\nesac; done\n"
    );
    fs::write(&path, script).expect("writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path.to_str().expect("a plain path").to_owned()
}

#[cfg(unix)]
#[test]
fn another_engine_of_the_same_name_is_not_gone_on_with() {
    let folder = folder("namesake");
    let run = |moves: &str, code| {
        let engine = fake_engine(&folder, &format!("echo bestmove {moves}"));
        let mut command = suite(&folder);
        command.args(["six.epd", "--filter", "mate.white", "--nodes", "50"]);
        command.args(["--engines-only", "--engine", &engine]);
        ends(command.args(["--json", "r.json", "--resume"]), code).1
    };
    run("e1e8", 0);
    run("e1e8", 0);
    let error = run("a1b1", 1);
    assert!(error.contains("different conditions (engines)"), "{error}");
}

#[cfg(unix)]
#[test]
fn the_time_to_solution_is_when_the_answer_came_to_stay() {
    let folder = folder("solution");
    let engine = fake_engine(
        &folder,
        "echo info depth 1 nodes 10 pv e1e8; echo info depth 2 nodes 20 pv a1b1; sleep 0.2; \
         echo info depth 3 nodes 30 score mate 1 pv e1e8; \
         echo info depth 4 nodes 40 multipv 2 pv a1b1; echo bestmove e1e8",
    );
    let mut command = suite(&folder);
    command.args([
        "six.epd",
        "--nodes",
        "50",
        "--filter",
        "mate.white",
        "--engines-only",
    ]);
    ends(command.args(["--engine", &engine, "--json", "r.json"]), 0);
    let (_, entries) = results(&folder.join("r.json"));
    let solution = &entries[0]["solution"];
    assert_eq!(
        (&solution["nodes"], &solution["iteration"]),
        (&30.into(), &3.into())
    );
    assert!(
        solution["ms"].as_f64().expect("a number") >= 190.0,
        "{solution}"
    );
    assert_eq!(entries[0]["mate"], 1);
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_fails_there_and_is_started_again() {
    let folder = folder("crash");
    // Crashes at every other position: the file says whether it has just crashed.
    let engine = fake_engine(
        &folder,
        "if [ -e crashed ]; then rm crashed; echo bestmove e1e8; else touch crashed; exit 3; fi",
    );
    let command = |folder: &Path| {
        let mut command = suite(folder);
        command.args([
            "six.epd",
            "--nodes",
            "50",
            "--engines-only",
            "--engine",
            &engine,
        ]);
        command
    };
    let (out, _) = ends(command(&folder).args(["--json", "r.json"]), 1);
    assert!(out.contains("failed  mate.white  Fake: engine"), "{out}");
    let (_, entries) = results(&folder.join("r.json"));
    let failed: Vec<bool> = entries
        .iter()
        .map(|entry| {
            entry["failure"]
                .as_str()
                .is_some_and(|text| text.contains("crashed"))
        })
        .collect();
    assert_eq!(failed, [true, false].repeat(3));

    // One that always crashes is given up, and what was done is kept.
    fake_engine(&folder, "exit 3");
    let (_, error) = ends(command(&folder).args(["--json", "s.json"]), 1);
    assert!(error.contains("giving up"), "{error}");
    assert_eq!(results(&folder.join("s.json")).1.len(), 2);
}

#[cfg(unix)]
#[test]
fn an_engine_that_hangs_fails_there() {
    let folder = folder("hang");
    for (on_go, name) in [
        ("sleep 60", "asleep"),
        ("while :; do echo info string x; done", "busy"),
    ] {
        let engine = fake_engine(&folder, on_go);
        let mut command = suite(&folder);
        command.args([
            "six.epd",
            "--nodes",
            "50",
            "--engines-only",
            "--engine",
            &engine,
        ]);
        command.args(["--filter", "mate.white", "--engine-timeout", "1"]);
        let (out, _) = ends(&mut command, 1);
        assert!(
            out.contains("did not answer 'go' within 1 s"),
            "{name}: {out}"
        );
    }
}

/// An answer that cannot be played is no wrong answer: the engine is broken, or we talk past it.
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
        let engine = fake_engine(&folder, &format!("echo {answer}"));
        let mut command = suite(&folder);
        command.args(["six.epd", "--nodes", "50", "--engines-only"]);
        command.args(["--filter", "odd", "--engine", &engine]);
        let _ = fs::remove_file(folder.join("r.json"));
        let (out, _) = ends(command.args(["--json", "r.json"]), 1);
        assert!(out.contains("failed  mate.white  Fake"), "{out}");
        let (_, entries) = results(&folder.join("r.json"));
        assert_eq!(entries.len(), 3);
        let failure = entries[0]["failure"].as_str().expect("a reason");
        assert!(failure.contains(reason), "{failure}");
        assert_eq!(entries[0]["solved"], false);
    }
}

/// The line never ends; before, all of it was kept until the engine's time was over.
#[cfg(unix)]
#[test]
fn an_engine_with_an_endless_line_fails_there() {
    let folder = folder("endless");
    let engine = fake_engine(
        &folder,
        "if [ -e said ]; then echo bestmove e3d5; \
         else touch said; exec tr '\\0' x </dev/zero; fi",
    );
    let mut command = suite(&folder);
    command.args(["six.epd", "--nodes", "50", "--engines-only"]);
    command.args(["--filter", "odd", "--engine", &engine, "--json", "r.json"]);
    let (out, _) = ends(command.args(["--engine-timeout", "60"]), 1);
    assert!(
        out.contains("wrote a line of more than 65536 bytes"),
        "{out}"
    );
    let (_, entries) = results(&folder.join("r.json"));
    assert!(entries[0]["failure"].is_string());
    assert!(entries[1]["failure"].is_null(), "it was started again");
}

#[test]
fn an_engine_that_is_none_is_refused() {
    let folder = folder("none");
    let command = ["--engine", "./no-such-engine --uci"];
    let (_, error) = ends(six(&folder).args(command), 1);
    assert!(
        error.contains("'./no-such-engine --uci' cannot be started"),
        "{error}"
    );
}
