//! `cassius suite` from the user's side: tables, result files, resuming, shards, engines, exit codes.

mod engines;
mod files;
mod merging;

use std::sync::LazyLock;

use serde_json::Value;

use crate::common::{Folder, Said, timed};

/// Six positions: four that every search must solve in 3 000 nodes (mate in one, twice; a queen for nothing; a move to
/// avoid that loses a queen), and two whose right move is declared wrong.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"mate.white\";
k3r3/8/8/8/8/8/5PPP/6K1 b - - bm Re1#; id \"mate.black\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Nxd5; id \"queen\";
6k1/5ppp/4p3/3p4/8/8/3Q1PPP/6K1 w - - am Qxd5; id \"poison\";
6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8#; id \"wrong.1\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Kf1; id \"wrong.2\";
";

/// The command line of most tests, and its row of the table.
const SIX: &str = "suite six.epd --search minimax --nodes 3000";
const ROW: &str = "minimax       4   6  66.7";

/// The usual run with its files `r.json` and `r.csv`, and its output.
static WHOLE: LazyLock<(Folder, String)> = LazyLock::new(|| {
    let folder = folder("whole");
    let said = folder.six("--json r.json --csv r.csv", 0);
    (folder, said.out)
});

/// A test's own folder with the six positions.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("suite-{test}"));
    folder.write("six.epd", SUITE);
    folder
}

impl Folder {
    /// The output of the usual command with more options; it must end with this exit code.
    fn six(&self, options: &str, code: i32) -> Said {
        self.ends(&format!("{SIX} {options}"), code)
    }

    /// The output of a command; it must end with this exit code.
    fn ends(&self, line: &str, code: i32) -> Said {
        self.run(line).ended(code)
    }

    /// Runs a command that must fail with `part` on standard error.
    fn fails(&self, line: &str, part: &str) {
        self.ends(line, 1).tells(part);
    }

    /// Runs the usual command with more options; it must fail with `part` on standard error.
    fn six_fails(&self, options: &str, part: &str) {
        self.six(options, 1).tells(part);
    }

    /// Restores `r.json` of the usual run, and returns it.
    fn put_whole(&self) -> String {
        let text = WHOLE.0.read("r.json");
        self.write("r.json", &text);
        text
    }

    /// Header and entries of a result file.
    fn results(&self, file: &str) -> (Value, Vec<Value>) {
        let mut values = self.values(file);
        let entries = values.split_off(1);
        (values.remove(0), entries)
    }
}

/// One field of all entries, in order.
fn column<'a>(entries: &'a [Value], field: &str) -> Vec<&'a Value> {
    entries.iter().map(|entry| &entry[field]).collect()
}

#[test]
fn misses_and_a_summary_are_printed() {
    let (_, text) = &*WHOLE;
    let missed = text.lines().filter(|line| line.starts_with("missed"));
    let missed: Vec<&str> = missed.collect();
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
    let (folder, _) = &*WHOLE;
    let (header, entries) = folder.results("r.json");
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
    assert_eq!(wrong["solved"], false);
    assert_eq!(wrong["solution"], Value::Null);
    assert!(wrong["nodes"].as_u64().expect("a number") >= 3_000);

    let csv = folder.read("r.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0][..5], ["position", "id", "search", "solved", "move"]);
    assert_eq!(rows[1][..5], ["1", "mate.white", "minimax", "true", "Re8#"]);
    assert_eq!(rows[6][..4], ["6", "wrong.2", "minimax", "false"]);
}

#[test]
fn the_same_nodes_give_the_same_results() {
    let folder = folder("same");
    folder.six("--json b.json --jobs 2", 0);
    let a = WHOLE.0.timeless("r.json").split_off(1);
    let mut b = folder.timeless("b.json").split_off(1);
    b.sort_by_key(|entry| entry["position"].as_u64());
    assert_eq!(a, b);
}

#[test]
fn malformed_lines_are_named_and_the_rest_runs() {
    let folder = folder("malformed");
    let text = format!("{SUITE}rubbish\n6k1/8/8/8/8/8/8/K3R3 w - - bm Qa9;\n");
    folder.write("six.epd", text);
    let said = folder.six("--json r.json", 1).prints(ROW);
    let said = said.tells("six.epd:7: expected four fields");
    said.tells("six.epd:8: bm: 'Qa9'")
        .tells_at_the_end("\n2 malformed items skipped, whole or in part\n");
    assert_eq!(folder.results("r.json").1.len(), 6);
}

#[test]
fn a_file_without_positions_is_named() {
    let folder = folder("empty");
    for (name, text) in [("empty.epd", ""), ("bad.epd", "rubbish\n")] {
        folder.write(name, text);
        let nothing = format!("{name}: there are no positions in this file\n");
        let alone = folder.ends(&format!("suite {name} --nodes 10"), 1);
        alone
            .tells(&nothing)
            .tells_at_the_end("cassius: there are no positions to run\n");
        let beside = folder.six(name, 1).tells(&nothing).prints(ROW);
        beside.tells_at_the_end("\n1 malformed item skipped, whole or in part\n");
    }
    folder.six_fails("--filter nothing", "no positions");
}

#[test]
fn wrong_usage_is_told_apart_from_wrong_input() {
    let folder = folder("usage");
    for line in [
        "six.epd",
        "--nodes 10",
        "six.epd --nodes none",
        "six.epd --nodes 0",
        "six.epd --nodes 10 --search nonesuch",
        "six.epd --nodes 10 --search minimax:Hash=much",
        "six.epd --nodes 10 --shard 3/2",
        "six.epd --nodes 10 --resume",
        "six.epd --movetime 10 --jobs 2",
        "merge",
    ] {
        folder.ends(&format!("suite {line}"), 2).tells("--help");
    }
    folder.fails("suite missing.epd --nodes 10", "missing.epd");
    let twice = "suite six.epd --nodes 10 --search minimax,minimax";
    folder.fails(twice, "'minimax' is given twice");
}

#[test]
fn a_time_limit_is_kept() {
    let folder = folder("time");
    let _timed = timed();
    let line = "suite six.epd --search minimax --movetime 50 --filter wrong.2 --json r.json";
    folder.ends(line, 0);
    let (_, entries) = folder.results("r.json");
    let ms = entries[0]["ms"].as_f64().expect("a number");
    assert!((50.0..1_000.0).contains(&ms), "{ms}");
}
