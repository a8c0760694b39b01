//! Experiments at small efforts, whose tables are known.

use std::path::Path;

use super::{folder, json, lab, read, said, tables};
use predicates::str::contains;
use serde_json::Value;

/// The rows of a table.
fn rows(table: &Value) -> &[Value] {
    table["rows"].as_array().expect("rows")
}

#[test]
fn an_experiment_prints_tables_and_keeps_them_as_json() {
    let folder = folder("effort");
    let line = "fig5.2 four.epd --nodes 2000 --jobs 2 --json outcome.json";
    lab(&folder, line)
        .success()
        .stderr("")
        .stdout(contains("Figure 5.2: Problems solved"))
        .stdout(contains("thesis, figure 5.5"));
    let outcome = json(&folder, "outcome.json");
    assert_eq!(outcome["experiment"], "effort");
    assert_eq!(outcome["command"], format!("cassius lab {line}"));
    assert_eq!(outcome["commit"], cassius::version::COMMIT);
    assert_eq!(outcome["inputs"][0]["positions"], 4);
    let solved = rows(&outcome["tables"][0])[3].as_array().expect("cells");
    assert_eq!(solved[..6], [2000, 3, 3, 3, 3, 3]);
    // The thesis's columns follow those of two depths.
    assert_eq!(solved[8..11], [60, 38, 58]);
    assert_eq!(solved[11..], [20.8, 7.8]);
}

/// Recorded results are reproduced, as far as they do not depend on the machine.
#[test]
fn recorded_results_come_out_again() {
    let folder = folder("recorded");
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results");
    for name in [
        "memory",
        "tic-tac-toe-games",
        "tic-tac-toe-resignation",
        "tic-tac-toe-speculation",
    ] {
        let recorded = json(&records, &format!("{name}.json"));
        assert_eq!(tables(&folder, name), recorded["tables"], "{name}");
    }
}

/// Section 4.2 and figure 4.7: trees converge the sooner, the lower the threshold.
#[test]
fn thresholds_converge_as_the_thesis_says() {
    let tables = tables(&folder("convergence"), "fig4.7 --nodes 8000");
    let steps = rows(&tables[1]);
    assert_eq!(steps.len(), 16);
    let settled = |values: u32, threshold: u32| {
        let case = format!("settled, loss 8, {values} values, CT {threshold}");
        let row = steps.iter().find(|row| row[0] == case).expect(&case);
        row[1].as_f64().unwrap_or(f64::INFINITY)
    };
    // With settled values their number makes no difference.
    assert_eq!(settled(41, 2), settled(201, 2));
    assert!(settled(41, 2) < settled(41, 3));
    let printed: Vec<&Value> = rows(&tables[0]).iter().map(|row| &row[10]).collect();
    assert_eq!(printed, [1265, 2289, 3804, 6330, 2569, 9145]);
}

/// Chapters 5 and 6: mates in one and a queen to be taken are solved by every version at once.
#[test]
fn every_version_solves_what_is_easy() {
    let folder = folder("versions");
    for figure in ["5.7", "figure5.8"] {
        let tables = tables(&folder, &format!("{figure} four.epd --nodes 2000 --jobs 2"));
        for row in rows(&tables[0]) {
            for column in [1, 2, 3, 5, 6, 7] {
                assert_eq!(row[column], 3, "{figure}: {row}");
            }
        }
    }
    for (name, versions) in [("fig6.5", 11), ("further-versions", 9)] {
        let tables = tables(&folder, &format!("{name} four.epd --nodes 1000"));
        let tables = tables.as_array().expect("tables");
        let compared = rows(tables.last().expect("a table"));
        assert_eq!(compared.len(), versions);
        for row in compared {
            let row = row.as_array().expect("cells");
            assert_eq!(row[2..6], [3, 0, 0, 1]);
            assert_eq!(row[6], 1.0);
        }
        for table in &tables[..tables.len() - 1] {
            let last = rows(table).last().and_then(Value::as_array).expect("cells");
            let own = table["columns"].as_array().expect("columns");
            let own = own.iter().filter(|it| it["published"] == false).count();
            assert!(last[1..own].iter().all(|solved| *solved == 3), "{table}");
        }
    }
    let by_time = lab(&folder, "fig5.8 four.epd --movetime 12").success();
    by_time.stdout(contains("conspire, 4 ms"));
}

/// Figure 5.6: shares of the nodes add up to 100 %.
#[test]
fn nodes_are_distributed_among_all_children() {
    let line = "fig5.6 four.epd --nodes 2000 --jobs 2";
    let tables = tables(&folder("distribution"), line);
    for column in [1, 3] {
        let share = |row: &Value| row[column].as_f64().expect("a share");
        let shares = rows(&tables[0]).iter().map(share);
        assert!((shares.sum::<f64>() - 100.0).abs() < 1e-9);
    }
    // The problem without a best move counts nowhere.
    let count = |row: &Value| row[1].as_u64().expect("a count");
    let counts = rows(&tables[1]).iter().map(count);
    assert_eq!(counts.sum::<u64>(), 3);
}

#[test]
fn a_run_goes_on_with_the_states_it_left() {
    let folder = folder("states");
    let effort = |extra: &str| lab(&folder, &format!("effort four.epd --nodes 2000 {extra}"));
    let told = |extra: &str| {
        let text = said(&effort(extra).success());
        let start = text.find("Figure 5.2").expect("tables");
        text[start..].to_owned()
    };
    let whole = told("");
    // Two of the four problems, as a killed run would leave them.
    effort("--states s.jsonl --filter odd").success();
    let half = read(&folder, "s.jsonl");
    assert_eq!(half.lines().count(), 1 + 2 * 5);
    let refused = effort("--states s.jsonl").code(1);
    refused.stderr(contains("s.jsonl"));
    assert_eq!(told("--states s.jsonl --resume"), whole);
    let all = read(&folder, "s.jsonl");
    assert!(all.starts_with(&half) && all.lines().count() == 1 + 4 * 5);
    // Nothing is left to search: the tables come from the file alone.
    assert_eq!(told("--states s.jsonl --resume"), whole);
    let other = "effort four.epd --nodes 1000 --states s.jsonl --resume";
    let other = lab(&folder, other);
    other.code(1).stderr(contains("cannot be gone on with"));
}

#[test]
fn hex_is_played_from_both_sides_on_the_board_asked_for() {
    let line = "hex --size 5 --games 4 --nodes 100 --hash 1";
    let tables = tables(&folder("hex"), line);
    let score = &rows(&tables[0])[0];
    assert_eq!(score[0], "sibling-conspiracy");
    assert_eq!(score[2], 4);
    let games = rows(&tables[1]);
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        assert_eq!(pair[0][0], pair[1][0], "the same opening");
        assert_ne!(pair[0][1], pair[1][1], "the other side");
    }
}

#[test]
fn star1_gives_the_values_of_expectiminimax_for_fewer_nodes() {
    let tables = tables(&folder("star1"), "star1 --nodes 2000");
    let tables = tables.as_array().expect("tables");
    assert_eq!(tables.len(), 4);
    for table in &tables[..3] {
        let deepest = rows(table).last().expect("a row");
        assert!(deepest[2].as_f64() < deepest[1].as_f64(), "{deepest}");
        // Stored probes are searched only once.
        assert!(deepest[4].as_f64() <= deepest[3].as_f64(), "{deepest}");
        for row in rows(table) {
            let cells = row.as_array().expect("cells");
            let last = cells.last().and_then(Value::as_str).expect("text");
            let difference: f64 = last.parse().expect("a number");
            assert!(difference < 1e-9, "{row}");
        }
    }
}

#[test]
fn threads_are_compared_with_one_and_always_the_same() {
    let folder = folder("threads");
    let line = "threads four.epd --nodes 400 --hash 1";
    let first = tables(&folder, line);
    let title = "Threads of depth-first until the same demand";
    assert_eq!(first[0]["title"], title);
    assert_eq!(first[0]["columns"][2]["name"], "overhead");
    assert_eq!(rows(&first[0]).len(), 4);
    // The overhead of one thread is the unit.
    assert_eq!(first[0]["rows"][0][2], 1.0);
    for row in rows(&first[0]) {
        assert!(row[2].as_f64() > Some(0.0), "{row}");
    }
    assert_eq!(tables(&folder, line), first, "threads that take turns");
}
