//! `cassius analyze GAMES.pgn` as its users see it: the page, the files, what is said of malformed games.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output};

use serde_json::Value;

mod browser;

use browser::chromium;

/// Anderssen – Dufresne, Berlin 1852.
const GAME: &str = r#"[Event "Berlin"]
[White "Adolf Anderssen"]
[Black "Jean <b>Dufresne</b>"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 6. d4 exd4 7. O-O d3
8. Qb3 Qf6 9. e5 Qg6 10. Re1 Nge7 11. Ba3 b5 12. Qxb5 Rb8 13. Qa4 Bb6
14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5 17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 Qxf3
20. Rxe7+ Nxe7 21. Qxd7+ Kxd7 22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7# 1-0
"#;

const MALFORMED: &str = r#"
[White "No such move"]

1. e4 e5 2. Ke4 d5 *

[White "Chess960"]
[Variant "Chess960"]
[FEN "nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1"]

1. O-O-O O-O-O 2. e4 *
"#;

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("game-report-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn analyze(folder: &Path, pgn: &str, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("games.pgn"), pgn).expect("a file");
    Process::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["analyze", "games.pgn", "--hash", "8"])
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .output()
        .expect("a run")
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect("a file")
}

/// The lines of one kind of a JSON file.
fn lines(json: &str, kind: &str) -> Vec<Value> {
    let values = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    values.filter(|it: &Value| it["kind"] == kind).collect()
}

/// The JSON without what differs from run to run: times and provenance.
fn timeless(json: &str) -> Vec<Value> {
    let values = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let timeless = values.map(|mut it: Value| {
        let fields = it.as_object_mut().expect("an object");
        for field in ["ms", "command", "commit", "date", "machine"] {
            fields.remove(field);
        }
        it
    });
    timeless.collect()
}

#[test]
fn a_game_becomes_a_page_json_and_csv_with_the_same_numbers() {
    let folder = folder("numbers");
    let files = ["--html", "g.html", "--json", "g.json", "--csv", "g.csv"];
    let output = analyze(&folder, GAME, &[&["--nodes", "1500"][..], &files].concat());
    assert!(output.status.success(), "{output:?}");
    let (page, json) = (read(&folder, "g.html"), read(&folder, "g.json"));
    let rows = lines(&json, "position");
    assert_eq!(rows.len(), 47, "all but the mate");
    let version = format!("Cassius {}, ", cassius::version::FULL);
    assert!(page.contains(&version), "{version}");
    assert_eq!(read(&folder, "g.csv").lines().count(), 48);
    let known: BTreeSet<String> = rows.iter().flat_map(told).collect();
    let cells = cells(&page);
    assert_eq!(cells.len(), 47 * 7, "besides what moves cost");
    for cell in cells
        .iter()
        .filter(|cell| cell.contains(|c: char| c.is_ascii_digit()))
    {
        assert!(known.contains(cell), "{cell} is not in the JSON");
    }
    assert!(rows.iter().any(|row| row["critical"] == true));
    let boards = page.matches("<article class=\"moment\"").count();
    let summary = &lines(&json, "summary")[0];
    assert_eq!(Some(boards), summary["moments"].as_array().map(Vec::len));
    assert!(page.len() < 200_000, "{} bytes", page.len());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("24. Bxe7#") && text.contains("Critical: "),
        "{text}"
    );
}

/// Two games with clocks, the first with a blunder on either side.
const TIMED: &str = r#"[White "A"]
[Black "B"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. Bc4 {[%clk 0:02:58.5]} Nc6 {[%clk 0:02:40]} 3. Qh5 {[%clk 0:02:50]}
Nf6 {[%clk 0:02:41]} 4. Qxf7# 1-0

[White "C"]

1. d4 {[%emt 0:00:07]} d5 *
"#;

#[test]
fn opening_phases_clocks_and_accuracy_are_told() {
    let folder = folder("summary");
    let files = ["--json", "g.json", "--csv", "g.csv"];
    let output = analyze(&folder, TIMED, &[&["--nodes", "3000"][..], &files].concat());
    let json = read(&folder, "g.json");
    let openings: Vec<Value> = lines(&json, "game")
        .iter()
        .map(|game| game["opening"]["eco"].clone())
        .collect();
    assert_eq!(openings, ["C23", "D00"]);
    let rows = lines(&json, "position");
    let spent: Vec<Option<f64>> = rows.iter().map(|row| row["spent_s"].as_f64()).collect();
    let expected = [0.0, 0.0, 3.5, 22.0, 10.5, 1.0].map(Some);
    assert_eq!(spent[..6], expected);
    assert_eq!(spent[7..], [Some(7.0), None, None]);
    assert_eq!(rows[2]["clock_s"], 178.5);
    assert!(rows.iter().all(|row| row["phase"] == "opening"));
    // Black lets himself be mated: that is what decides the game, and his accuracy shows it.
    let summaries = lines(&json, "summary");
    assert_eq!(summaries.len(), 2);
    let (accuracy, moments) = (&summaries[0]["accuracy"], &summaries[0]["moments"]);
    assert!(
        moments.as_array().is_some_and(|it| it.contains(&5.into())),
        "{moments}"
    );
    assert!(
        accuracy["black"].as_f64() < accuracy["white"].as_f64(),
        "{accuracy}"
    );
    let held = rows[6]["held"].as_array().expect("moves that hold");
    assert!(!held.is_empty() && held.iter().all(|it| it["san"] != "Nf6"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Opening: C23 Bishop's Opening"), "{text}");
    assert!(
        text.contains("Accuracy: White ") && text.contains("3... Nf6 costs "),
        "{text}"
    );
    assert!(read(&folder, "g.csv").contains(",opening,178.5,3.5,,\n"));

    // A run that was killed before it could sum up does so when it goes on.
    let cut = json.find("{\"kind\":\"summary\"").expect("a summary");
    std::fs::write(folder.join("g.json"), &json[..cut]).expect("a file");
    analyze(
        &folder,
        TIMED,
        &["--nodes", "3000", "--json", "g.json", "--resume"],
    );
    assert_eq!(timeless(&read(&folder, "g.json")), timeless(&json));
}

/// How far values may be wrong stands in every file, if the evaluation knows; a proven mate is not wrong.
#[test]
fn it_is_told_how_far_a_value_may_be_wrong() {
    let folder = folder("errors");
    let mate = "1. f3 e5 2. g4 *\n";
    let files = ["--html", "g.html", "--json", "g.json", "--csv", "g.csv"];
    for search in ["best-first", "depth-first", "alpha-beta"] {
        let asked = ["--nodes", "3000", "--overwrite", "--search", search];
        let output = analyze(&folder, mate, &[&asked[..], &files].concat());
        assert!(output.status.success(), "{output:?}");
        let rows = lines(&read(&folder, "g.json"), "position");
        let errors: Vec<Option<u64>> = rows.iter().map(|it| it["give_or_take"].as_u64()).collect();
        assert!(errors[..3].iter().all(|it| *it > Some(0)), "{errors:?}");
        assert_eq!((&rows[3]["mate"], errors[3]), (&Value::from(-1), None));
        let csv = read(&folder, "g.csv");
        let columns: Vec<&str> = csv.lines().flat_map(|it| it.split(',').nth(8)).collect();
        let first = errors[0].expect("a number");
        assert_eq!(columns[..2], ["give_or_take", &first.to_string()]);
        assert_eq!(columns[4], "");
        let first = format!("{:.2}", first as f64 / 100.0);
        let page = read(&folder, "g.html");
        assert!(page.contains(&format!("±\u{a0}{first}")), "{first}");
        assert!(page.contains(&format!("<td>{first}<td>")));
        assert_eq!(page.matches("class=\"band\"").count(), 1);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(&first) && text.contains('±'), "{text}");
    }
    let tactical = [
        "--nodes",
        "300",
        "--overwrite",
        "--search",
        "best-first:Evaluation=tactical",
    ];
    let output = analyze(&folder, mate, &[&tactical[..], &files].concat());
    assert!(!String::from_utf8_lossy(&output.stdout).contains('±'));
    for row in lines(&read(&folder, "g.json"), "position") {
        assert_eq!(row.get("give_or_take"), Some(&Value::Null), "{row}");
    }
    let page = read(&folder, "g.html");
    assert!(!page.contains("class=\"band\"") && !page.contains('±'));
}

/// A record from before values told how far they may be wrong goes on.
#[test]
fn an_older_record_without_errors_goes_on() {
    let folder = folder("older");
    let arguments = ["--nodes", "300", "--json", "g.json", "--html", "g.html"];
    analyze(&folder, GAME, &arguments);
    let whole = read(&folder, "g.json");
    let cut = whole.lines().take(20).map(|line| {
        let without = line.split_once("\"give_or_take\":").map(|(before, after)| {
            let (_, rest) = after.split_once(',').expect("another field");
            format!("{before}{rest}")
        });
        without.unwrap_or(line.to_owned()) + "\n"
    });
    let cut: String = cut.collect();
    assert!(!cut.contains("give_or_take"));
    std::fs::write(folder.join("g.json"), &cut).expect("a file");
    let output = analyze(&folder, GAME, &[&arguments[..], &["--resume"]].concat());
    assert!(output.status.success(), "{output:?}");
    let json = read(&folder, "g.json");
    assert!(json.starts_with(&cut));
    assert_eq!(lines(&json, "position").len(), 47);
}

/// By half a pawn, or by what is asked for, the numbers tell positions apart; to a step of a centipawn one leaf suffices nearly
/// always.
#[test]
fn numbers_by_a_margin_tell_positions_apart() {
    let folder = folder("margin");
    let files = ["--html", "g.html", "--json", "g.json", "--csv", "g.csv"];
    let run = |margin: &[&str]| {
        let asked = ["--nodes", "3000", "--overwrite"];
        let output = analyze(&folder, GAME, &[&asked[..], margin, &files].concat());
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let heading = text
            .lines()
            .find(|it| it.starts_with("move"))
            .expect("a heading");
        let columns: Vec<String> = heading.split_whitespace().map(str::to_owned).collect();
        assert_eq!(
            columns,
            [
                "move", "value", "±", "worse", "better", "other", "turn", "best"
            ]
        );
        let json = read(&folder, "g.json");
        (
            lines(&json, "header")[0]["margin"].clone(),
            lines(&json, "position"),
        )
    };
    let (margin, rows) = run(&[]);
    assert_eq!(margin, 50);
    // The commonest number of a column, and how often it stands there.
    let commonest = |name: &str| {
        let mut numbers: Vec<i64> = rows.iter().filter_map(|row| row[name].as_i64()).collect();
        numbers.sort_unstable();
        let often = numbers.chunk_by(i64::eq).map(<[i64]>::len).max();
        (often.unwrap_or(0), numbers.len())
    };
    for name in ["margin_lower", "margin_higher"] {
        let (often, known) = commonest(name);
        assert!(
            known > 40 && 3 * often < 2 * known,
            "{name}: {often} of {known}"
        );
    }
    for row in &rows {
        for (wide, near) in [("margin_lower", "lower"), ("margin_higher", "higher")] {
            let numbers = [row[wide].as_i64(), row[near].as_i64()];
            assert!(numbers[0].is_none() || numbers[0] >= numbers[1], "{row}");
        }
    }
    let csv = read(&folder, "g.csv");
    assert!(
        csv.starts_with("game,ply,") && csv.contains(",margin_lower,margin_higher,other_move,")
    );
    let page = read(&folder, "g.html");
    assert!(
        page.contains("by 0.50 pawns; each by 1.00 at most"),
        "the legend"
    );
    assert!(!page.contains("<th scope=\"col\">MinCN"));
    let (margin, wider) = run(&["--margin", "200"]);
    assert_eq!(margin, 200);
    assert!(read(&folder, "g.html").contains("by 2.00 pawns; each by 4.00 at most"));
    assert_ne!(wider[10]["margin_lower"], Value::Null);
    // Another margin is another analysis.
    let resumed = analyze(
        &folder,
        GAME,
        &["--nodes", "3000", "--json", "g.json", "--resume"],
    );
    let errors = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(errors.contains("different conditions (search)"), "{errors}");
}

/// The default search of games prices lines: no file and no text calls that leaves or conspirators.
#[test]
fn prices_are_told_apart_from_counts() {
    let folder = folder("prices");
    let files = ["--html", "g.html", "--json", "g.json", "--csv", "g.csv"];
    let search = ["--nodes", "3000", "--search", "depth-first"];
    let game = "1. e4 e5 2. Qh5 Ke7 *\n";
    let output = analyze(&folder, game, &[&search[..], &files].concat());
    assert!(output.status.success(), "{output:?}");
    let rows = lines(&read(&folder, "g.json"), "position");
    for row in &rows {
        for count in [
            "confidence",
            "lower",
            "higher",
            "max_cn",
            "min_cn",
            "margin_lower",
        ] {
            assert_eq!(row[count], Value::Null, "{row}");
        }
        assert!(row["demand"].as_u64() > Some(0), "{row}");
    }
    assert!(rows[0]["price_lower"].as_f64() > Some(0.0));
    assert!(rows[0]["price_higher"].as_f64() > Some(0.0));
    let csv = read(&folder, "g.csv");
    assert!(csv.contains(",demand,price_lower,price_higher,"), "{csv}");
    let value_stays = rows[0]["outlook"]["value_stays"].as_f64().unwrap();
    assert!((0.0..1.0).contains(&value_stays));
    let first = csv.lines().nth(1).unwrap();
    assert!(first.ends_with(&format!(",{value_stays}")), "{first}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for said in [read(&folder, "g.html"), text] {
        assert!(said.contains("demand") && said.contains("price-"));
        assert!(!said.contains("leaves"), "{said}");
    }
}

/// The numbers and moves of a position as the page writes them.
fn told(row: &Value) -> Vec<String> {
    let set_apart = |number: i64| {
        let digits = number.to_string();
        let thousands = digits.len().saturating_sub(3);
        match digits.split_at(thousands) {
            ("", rest) => rest.to_owned(),
            (thousands, rest) => format!("{thousands} {rest}"),
        }
    };
    let counts = [
        "confidence",
        "lower",
        "higher",
        "max_cn",
        "min_cn",
        "margin_lower",
        "margin_higher",
        "other_move",
    ];
    let mut told: Vec<String> = counts
        .iter()
        .filter_map(|name| row[name].as_i64().map(set_apart))
        .collect();
    told.extend(
        row["give_or_take"]
            .as_f64()
            .map(|cp| format!("{:.2}", cp / 100.0)),
    );
    told.extend(row["cp"].as_f64().map(|cp| format!("{:+.2}", cp / 100.0)));
    told.extend(row["mate"].as_i64().map(|moves| format!("#{moves}")));
    told.extend(row["best"]["san"].as_str().map(str::to_owned));
    told
}

/// What stands in the cells of the page's list of moves, but for what moves cost.
fn cells(page: &str) -> Vec<String> {
    let (_, list) = page.split_once("class=\"list\"").expect("a list");
    let rows = list
        .split("</tr>")
        .filter_map(|row| row.split_once("<td>"))
        .map(|(_, cells)| cells);
    // The second one is the cost.
    let told = |row: &str| -> Vec<String> {
        let cells = row.split("<td>").enumerate();
        let cells = cells.filter(|&(column, _)| column != 1);
        cells.map(|(_, cell)| cell.to_owned()).collect()
    };
    rows.flat_map(told).collect()
}

#[test]
fn malformed_games_are_named_and_the_others_reported() {
    let folder = folder("malformed");
    let pgn = format!("{MALFORMED}\n{GAME}");
    let files = ["--nodes", "300", "--html", "g.html", "--json", "g.json"];
    let output = analyze(&folder, &pgn, &files);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = "games.pgn: line 4, game 1, move 2 of White: 'Ke4' is not legal";
    assert!(errors.contains(expected), "{errors}");
    let count = "\n1 malformed item skipped, whole or in part\n";
    assert!(errors.ends_with(count), "{errors}");
    let (page, json) = (read(&folder, "g.html"), read(&folder, "g.json"));
    let rows = lines(&json, "position");
    let of = |game: u64| rows.iter().filter(|row| row["game"] == game).count();
    assert_eq!([of(1), of(2), of(3)], [3, 4, 47]);
    let games = lines(&json, "game");
    assert_eq!(games[1]["chess960"], true);
    let castled = &rows.iter().find(|row| row["game"] == 2).expect("a row")["played"];
    assert_eq!(castled["uci"], "c1b1");
    assert!(page.contains("move 2 of White: &#39;Ke4&#39;"));
    assert!(page.contains("Jean &lt;b&gt;Dufresne&lt;/b&gt;"));
    assert!(!page.contains("<b>"));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = folder("resume");
    let pgn = format!("{MALFORMED}\n{GAME}");
    let arguments = ["--nodes", "300", "--json", "g.json", "--html", "g.html"];
    analyze(&folder, &pgn, &arguments);
    let (whole, page) = (read(&folder, "g.json"), read(&folder, "g.html"));
    let again = analyze(&folder, &pgn, &arguments);
    let errors = String::from_utf8_lossy(&again.stderr);
    assert!(errors.contains("--resume"), "{errors}");

    // As a kill leaves it: some lines whole, one cut short.
    let cut: usize = whole.lines().take(20).map(|line| line.len() + 1).sum();
    std::fs::write(folder.join("g.json"), &whole[..cut + 30]).expect("a file");
    std::fs::remove_file(folder.join("g.html")).expect("no page");
    analyze(&folder, &pgn, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(timeless(&read(&folder, "g.json")), timeless(&whole));
    assert!(read(&folder, "g.json").starts_with(&whole[..cut]));
    assert_eq!(read(&folder, "g.html"), page);

    let other = ["--nodes", "400", "--json", "g.json", "--resume"];
    let errors = analyze(&folder, &pgn, &other).stderr;
    let errors = String::from_utf8_lossy(&errors).into_owned();
    assert!(errors.contains("different conditions (limits)"), "{errors}");
}

#[test]
fn a_run_on_several_games_at_a_time_goes_on_too() {
    let folder = folder("jobs");
    let pgn = format!("{MALFORMED}\n{GAME}\n{MALFORMED}\n{GAME}");
    let arguments = [
        "--nodes", "200", "--json", "g.json", "--csv", "g.csv", "--jobs", "2",
    ];
    analyze(&folder, &pgn, &arguments);
    let whole = read(&folder, "g.json");
    let sorted = |json: &str| {
        let mut values = timeless(json);
        values.sort_by_key(|it| (it["game"].as_u64(), it["ply"].as_u64()));
        values
    };
    let csv = read(&folder, "g.csv").lines().count();
    let lines: Vec<&str> = whole.lines().collect();
    for kept in [1, 2, 5, 30, 60, lines.len() - 1] {
        let part = lines[..kept].join("\n") + "\n{\"kind\":\"po";
        std::fs::write(folder.join("g.json"), part).expect("a file");
        let output = analyze(&folder, &pgn, &[&arguments[..], &["--resume"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.matches("Game ").count(), 6, "{text}");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.matches("Ke4").count(), 2, "{errors}");
        assert_eq!(sorted(&read(&folder, "g.json")), sorted(&whole), "{kept}");
        assert_eq!(read(&folder, "g.csv").lines().count(), csv);
    }
}

#[test]
fn parts_of_the_games_join_to_the_whole() {
    let folder = folder("shards");
    let pgn = format!("{GAME}\n{MALFORMED}\n{GAME}");
    let analyze = |json: &str, rest: &[&str]| {
        let arguments = ["--nodes", "50", "--json", json];
        analyze(&folder, &pgn, &[&arguments[..], rest].concat())
    };
    let whole = analyze("whole.json", &[]);
    assert_eq!(whole.status.code(), Some(1), "a malformed game: {whole:?}");
    let whole = timeless(&read(&folder, "whole.json"));
    let mut joined: Vec<String> = Vec::new();
    for part in 1..=3 {
        let json = format!("part-{part}.json");
        analyze(&json, &["--shard", &format!("{part}/3")]);
        let text = read(&folder, &json);
        let games = lines(&text, "game");
        assert!(!games.is_empty(), "{text}");
        for game in games {
            let number = game["game"].as_u64().expect("a number");
            assert_eq!((number - 1) % 3 + 1, part);
        }
        joined.extend(text.lines().map(str::to_owned));
    }
    std::fs::write(folder.join("joined.json"), joined.join("\n") + "\n").expect("a file");
    // A part of the whole may be asked for, too.
    let part = analyze("joined.json", &["--resume", "--shard", "2/2"]);
    assert_eq!(
        String::from_utf8_lossy(&part.stderr)
            .matches("different")
            .count(),
        0
    );
    analyze("joined.json", &["--resume"]);
    let joined = timeless(&read(&folder, "joined.json"));
    let headers = joined.iter().filter(|it| it["kind"] == "header").count();
    assert_eq!(joined.len() - headers, whole.len() - 1);
    for line in whole {
        assert!(joined.contains(&line), "{line}");
    }
    let wrong = analyze("wrong.json", &["--shard", "3/2"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

/// What cannot be taken back, and what is no draw yet.
#[test]
fn a_stalemate_costs_the_win_and_a_detour_nothing() {
    let folder = folder("draws");
    let stalemate = r#"[FEN "7k/8/6K1/8/8/8/1P6/5Q2 w - - 0 1"]

1. Qf7 1/2-1/2
"#;
    // There and back once: the third time would be a draw.
    let detour = r#"[FEN "r5k1/5ppp/8/8/8/8/3Q1PPP/5RK1 w - - 0 30"]

30. Kh1 Kh8 31. Kg1 Kg8 32. h3 h6 1-0
"#;
    let pgn = format!("{stalemate}\n{detour}");
    let arguments = ["--nodes", "2000", "--json", "d.json", "--pgn", "d.pgn"];
    let output = analyze(&folder, &pgn, &arguments);
    assert!(output.status.success(), "{output:?}");
    let json = read(&folder, "d.json");
    let positions = lines(&json, "position");
    let of = |game: u64| positions.iter().filter(move |it| it["game"] == game);
    let values: Vec<&Value> = of(1).map(|it| &it["cp"]).collect();
    assert_eq!(
        values,
        [&Value::Null, &Value::from(0)],
        "a mate, then nothing"
    );
    assert!(
        of(2).all(|it| it["cp"].as_i64().is_some_and(|cp| cp > 300)),
        "{json}"
    );
    let annotated = read(&folder, "d.pgn");
    assert!(
        annotated.contains("Qf7 $4") && annotated.contains("costs 0.50 points"),
        "{annotated}"
    );
}

#[test]
fn other_games_are_not_continued_and_more_of_them_are() {
    let folder = folder("games");
    let arguments = ["--nodes", "100", "--json", "g.json", "--resume"];
    let two = format!("{MALFORMED}\n{GAME}");
    analyze(&folder, &two, &arguments);
    let json = read(&folder, "g.json");
    let other = two.replace("2. e4 *", "2. d4 *");
    for pgn in [&other, MALFORMED, GAME] {
        let output = analyze(&folder, pgn, &arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            errors.contains("different conditions (list of games)"),
            "{errors}"
        );
        assert_eq!(read(&folder, "g.json"), json);
    }
    analyze(&folder, &format!("{two}\n{GAME}"), &arguments);
    let longer = read(&folder, "g.json");
    assert!(longer.starts_with(&json));
    assert_eq!(lines(&longer, "game").len(), 4);
}

/// There is no end of games: they must be read as they are wanted.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_begun_at_once() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::Stdio;

    let mut child = Process::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["analyze", "/dev/stdin", "--hash", "1", "--nodes", "10"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a run");
    let mut input = child.stdin.take().expect("an input");
    let writer = std::thread::spawn(move || while input.write_all(GAME.as_bytes()).is_ok() {});
    let output = BufReader::new(child.stdout.take().expect("an output"));
    let mut lines = output.lines().map(|line| line.expect("a line"));
    assert!(lines.any(|line| line.starts_with("Game 3: Adolf Anderssen")));
    child.kill().expect("killed");
    child.wait().expect("ended");
    writer.join().expect("a thread");
}

#[test]
fn files_that_are_there_are_left_alone_unless_told_otherwise() {
    let folder = folder("overwrite");
    let error_of = |arguments: &[&str]| {
        let output = analyze(&folder, GAME, &[&["--nodes", "100"], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (option, name) in [
        ("--json", "g.json"),
        ("--csv", "g.csv"),
        ("--html", "g.html"),
    ] {
        std::fs::write(folder.join(name), "mine\n").expect("a file");
        let error = error_of(&[option, name]);
        assert!(
            error.contains(name) && error.contains("--overwrite"),
            "{error}"
        );
        assert_eq!(read(&folder, name), "mine\n");
    }
    let files = ["--json", "g.json", "--csv", "g.csv", "--html", "g.html"];
    let overwrite = [&["--nodes", "100", "--overwrite"], &files[..]].concat();
    assert!(analyze(&folder, GAME, &overwrite).status.success());
    assert_eq!(lines(&read(&folder, "g.json"), "position").len(), 47);
    assert_eq!(read(&folder, "g.csv").lines().count(), 48);
    assert!(read(&folder, "g.html").contains("Dufresne"));

    let error = error_of(&["--html", "games.pgn", "--overwrite"]);
    assert!(error.contains("games.pgn: is given twice"), "{error}");
    let error = error_of(&["--json"]);
    assert!(error.contains("--json needs"), "{error}");
    let error = error_of(&["--html", "no/such/page.html"]);
    assert!(error.contains("no/such/page.html"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_leaves_its_neighbours_links_and_devices_alone() {
    let folder = folder("page");
    let arguments = |page: &'static str| ["--nodes", "100", "--html", page];
    std::fs::write(folder.join("g.html.part"), "neighbour").expect("a file");
    std::os::unix::fs::symlink("real.html", folder.join("g.html")).expect("a link");
    assert!(
        analyze(&folder, GAME, &arguments("g.html"))
            .status
            .success()
    );
    assert_eq!(read(&folder, "g.html.part"), "neighbour");
    assert!(folder.join("g.html").is_symlink());
    assert!(read(&folder, "real.html").contains("Dufresne"));

    let output = analyze(&folder, &GAME.repeat(2), &arguments("/dev/stdout"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("<main>").count(), 1, "one page, at the end");
    let output = analyze(&folder, GAME, &arguments("/dev/full"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("/dev/full: No space left"), "{error}");
    assert_eq!(output.status.code(), Some(1));

    let names = std::fs::read_dir(&folder).expect("a folder");
    let names: BTreeSet<String> = names
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    let expected = ["g.html", "g.html.part", "games.pgn", "real.html"];
    assert_eq!(names, expected.map(str::to_owned).into());
}

#[test]
fn a_position_that_is_there_twice_is_refused() {
    let folder = folder("twice");
    let arguments = ["--nodes", "100", "--json", "g.json"];
    analyze(&folder, GAME, &arguments);
    let text = read(&folder, "g.json");
    let last = text.lines().rfind(|line| line.contains("\"position\""));
    let last = last.expect("a position");
    std::fs::write(folder.join("g.json"), format!("{text}{last}\n")).expect("a file");
    let output = analyze(&folder, GAME, &[&arguments[..], &["--resume"]].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("position 46 of game 1 is there twice"),
        "{error}"
    );
}

#[test]
fn a_file_without_games_says_so() {
    let folder = folder("nothing");
    let output = analyze(&folder, "\n\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("no game"), "{errors}");
}

/// What the browser is asked to do with the page, and to note in its body.
const VISIT: &str = r#"<script>
const notes = [];
addEventListener("error", (event) => notes.push("error: " + event.message));
addEventListener("securitypolicyviolation", (event) => notes.push("violation: " + event.blockedURI));
addEventListener("load", () => {
  notes.push(document.querySelector(".caption").textContent);
  const now = () => document.querySelector("tr.now").id.replace("g1p", "");
  const shown = () => document.querySelector(".caption").textContent.split(" (")[0];
  const men = () => document.querySelectorAll(".viewer .men use").length;
  document.getElementById("g1p38").querySelector("a").click();
  notes.push(`row ${now()} ${shown()} ${men()}`);
  document.querySelector('[data-step="on"]').click();
  notes.push(`on ${now()} ${shown()}`);
  dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
  notes.push(`key ${now()}`);
  document.querySelector('[data-step="last"]').click();
  notes.push(`last ${now()} ${men()}`);
  const moment = document.querySelector(".moment");
  moment.querySelector("h4 a").click();
  notes.push(`moment ${now() === moment.dataset.ply}`);
  const chart = document.querySelector(".chart svg");
  const box = chart.getBoundingClientRect();
  chart.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.right, clientY: box.top + 5 }));
  const [x] = /[\d.]+/.exec(chart.querySelector(".now").getAttribute("transform"));
  notes.push(`chart ${now()} ${Math.round(x)}`);
  notes.push(`scrolls ${document.documentElement.scrollWidth > innerWidth}`);
  notes.push(`visits ${performance.getEntriesByType("resource").length}`);
  document.body.dataset.notes = notes.join("; ");
});
</script>"#;

#[test]
fn in_a_browser_list_board_and_curves_move_together() {
    let Some(chromium) = chromium() else { return };
    let folder = folder("browser");
    let output = analyze(&folder, GAME, &["--nodes", "1500", "--html", "g.html"]);
    assert!(output.status.success(), "{output:?}");
    let page = read(&folder, "g.html").replacen("<main>", &format!("{VISIT}<main>"), 1);
    // The script tells of a position what the page tells without it.
    let (_, caption) = page.split_once("aria-live=\"polite\">").expect("a caption");
    let (caption, _) = caption.split_once("</p>").expect("an end");
    assert!(caption.contains(" · leaves for White"), "{caption}");
    let expected = "row 38 20. Rxe7+ 25; on 39 20... Nxe7; key 38; last 46 21; \
                    moment true; chart 46 712; scrolls false; visits 0";
    let expected = format!("{caption}; {expected}").replace('\u{a0}', "&nbsp;");
    std::fs::write(folder.join("visit.html"), page).expect("a file");
    for width in ["390", "1280"] {
        let dom = Process::new(&chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
            .arg(format!("--window-size={width},900"))
            .arg(format!("file://{}", folder.join("visit.html").display()))
            .output()
            .expect("a browser");
        let dom = String::from_utf8_lossy(&dom.stdout).into_owned();
        let (_, notes) = dom.split_once("data-notes=\"").expect("notes");
        let (notes, _) = notes.split_once('"').expect("an end");
        assert_eq!(notes, expected, "{width} wide");
    }
}

/// No room even for the header of the JSON file, which comes first: the CSV file that was begun must not
/// stand in the way of the next run.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_could_not_write_its_header_begins_again() {
    let folder = folder("header");
    std::fs::write(folder.join("games.pgn"), GAME).expect("a file");
    let command = |json: &str| {
        let files = format!("--json {json} --csv g.csv --resume");
        let binary = env!("CARGO_BIN_EXE_cassius");
        format!("exec '{binary}' analyze games.pgn --hash 1 --nodes 50 {files}")
    };
    // Two kilobytes are too little for the header, which holds the command.
    let long = command(&format!("{}g.json", "./".repeat(1_200)));
    let limited = format!("trap '' XFSZ; ulimit -f 2; {long}");
    let run = |shell: &str| {
        Process::new("sh")
            .args(["-c", shell])
            .current_dir(&folder)
            .output()
            .expect("a run")
    };
    let output = run(&limited);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("g.json: File too large"), "{error}");
    let output = run(&command("g.json"));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(read(&folder, "g.csv").lines().count(), 48);
}
