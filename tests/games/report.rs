//! The report on games: the same numbers on the page, in JSON, in CSV and in the terminal.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use cassius::output::table::thousands;
use serde_json::Value;

use super::{FILES, GAME, MALFORMED};
use crate::common::browser::check_notes;
use crate::common::{Folder, Has, Said};

/// The game with all files about it, and what was printed.
static ANALYZED: LazyLock<(Folder, Said)> = LazyLock::new(|| {
    let folder = Folder::new("games-analyzed");
    let said = folder.analyze(GAME, &format!("--nodes 3000 --search best-first {FILES}"));
    (folder, said.ended(0))
});

#[test]
fn a_game_becomes_a_page_json_and_csv_with_the_same_numbers() {
    let (folder, said) = &*ANALYZED;
    let page = folder.read("g.html");
    let rows = folder.lines("g.json", "position");
    assert_eq!(rows.len(), 47, "all but the mate");
    let version = format!("Cassius {}, ", cassius::version::FULL);
    assert!(page.contains(&version), "{version}");
    assert_eq!(folder.read("g.csv").lines().count(), 48);
    let known: BTreeSet<String> = rows.iter().flat_map(told).collect();
    let cells = cells(&page);
    assert_eq!(cells.len(), 47 * 7, "besides what moves cost");
    let is_number = |cell: &&String| cell.contains(|c: char| c.is_ascii_digit());
    for cell in cells.iter().filter(is_number) {
        let mut numbers = cell.split(" → ");
        assert!(
            numbers.all(|it| known.contains(it)),
            "{cell} is not in the JSON"
        );
    }
    assert!(rows.iter().any(|row| row["critical"] == true));
    let boards = page.matches("<article class=\"moment\"").count();
    let summary = &folder.lines("g.json", "summary")[0];
    assert_eq!(Some(boards), summary["moments"].as_array().map(Vec::len));
    assert!(page.len() < 200_000, "{} bytes", page.len());
    let text = &said.out;
    text.has_all(["24. Bxe7#", "Critical: "]);
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
    let folder = Folder::new("games-summary");
    let said = folder.analyze(TIMED, "--nodes 3000 --json g.json --csv g.csv");
    let games = folder.lines("g.json", "game");
    let openings = games.iter().map(|game| &game["opening"]["eco"]);
    assert!(openings.eq(["C23", "D00"]));
    let rows = folder.lines("g.json", "position");
    let spent: Vec<Option<f64>> = rows.iter().map(|row| row["spent_s"].as_f64()).collect();
    let expected = [0.0, 0.0, 3.5, 22.0, 10.5, 1.0].map(Some);
    assert_eq!(spent[..6], expected);
    assert_eq!(spent[7..], [Some(7.0), None, None]);
    assert_eq!(rows[2]["clock_s"], 178.5);
    assert!(rows.iter().all(|row| row["phase"] == "opening"));
    // Black lets himself be mated: that is what decides the game, and his accuracy shows it.
    let summaries = folder.lines("g.json", "summary");
    assert_eq!(summaries.len(), 2);
    let (accuracy, moments) = (&summaries[0]["accuracy"], &summaries[0]["moments"]);
    let moments = moments.as_array().expect("moments");
    assert!(moments.contains(&5.into()), "{moments:?}");
    let [white, black] = ["white", "black"].map(|side| accuracy[side].as_f64());
    assert!(black < white, "{accuracy}");
    let held = rows[5]["held"].as_array().expect("moves that hold");
    assert!(!held.is_empty() && held.iter().all(|it| it["san"] != "Nf6"));
    let text = said.out;
    text.has("Opening: C23 Bishop's Opening");
    text.has_all(["Accuracy: White ", "3... Nf6 costs "]);
    assert!(folder.read("g.csv").contains(",opening,178.5,3.5,"));

    // A run that was killed before it could sum up does so when it goes on.
    let (json, values) = (folder.read("g.json"), folder.timeless("g.json"));
    let cut = json.find("{\"kind\":\"summary\"").expect("a summary");
    folder.write("g.json", &json[..cut]);
    folder.analyze(TIMED, "--nodes 3000 --json g.json --resume");
    assert_eq!(folder.timeless("g.json"), values);
}

/// Every file has how far values may be wrong, if the evaluation knows it; a proven mate has no such error.
#[test]
fn it_is_told_how_far_a_value_may_be_wrong() {
    let folder = Folder::new("games-errors");
    let analyze = |nodes: u64, search: &str| {
        let options = format!("--nodes {nodes} --overwrite --search {search} {FILES}");
        folder.analyze("1. f3 e5 2. g4 *\n", &options).ended(0).out
    };
    for search in ["best-first", "depth-first", "alpha-beta"] {
        let text = analyze(3000, search);
        let rows = folder.lines("g.json", "position");
        let errors: Vec<Option<u64>> = rows.iter().map(|it| it["give_or_take"].as_u64()).collect();
        assert!(errors[..3].iter().all(|it| *it > Some(0)), "{errors:?}");
        assert_eq!((&rows[3]["mate"], errors[3]), (&Value::from(-1), None));
        let csv = folder.read("g.csv");
        let columns: Vec<&str> = csv.lines().flat_map(|it| it.split(',').nth(8)).collect();
        let first = errors[0].expect("a number");
        assert_eq!(columns[..2], ["give_or_take", &first.to_string()]);
        assert_eq!(columns[4], "");
        let first = format!("{:.2}", first as f64 / 100.0);
        let page = folder.read("g.html");
        assert!(page.contains(&format!("±\u{a0}{first}")), "{first}");
        assert!(page.contains(&format!("<td>{first}<")));
        assert_eq!(page.matches("class=\"band\"").count(), 1);
        assert!(text.contains(&first) && text.contains('±'), "{text}");
    }
    let text = analyze(300, "best-first:Evaluation=tactical");
    assert!(!text.contains('±'), "{text}");
    for row in folder.lines("g.json", "position") {
        assert_eq!(row.get("give_or_take"), Some(&Value::Null), "{row}");
    }
    let page = folder.read("g.html");
    assert!(!page.contains("class=\"band\"") && !page.contains('±'));
}

/// Numbers by a margin, half a pawn or another one asked for, tell positions apart; for a change by a step of a
/// centipawn one leaf nearly always suffices.
#[test]
fn numbers_by_a_margin_tell_positions_apart() {
    let check = |folder: &Folder, said: &Said, margin: u32, pawns: &str| {
        let mut lines = said.out.lines();
        let heading = lines.find(|it| it.starts_with("move")).expect("a heading");
        let columns = "move value ± worse better other turn best";
        let is_heading = heading.split_whitespace().eq(columns.split(' '));
        assert!(is_heading, "{heading}");
        assert_eq!(folder.lines("g.json", "header")[0]["margin"], margin);
        assert!(folder.read("g.html").contains(pawns), "the legend");
        folder.lines("g.json", "position")
    };
    let (folder, said) = &*ANALYZED;
    let pawns = "each by 1.00 pawns at most, for White to stand worse, or better, by 0.50";
    let rows = check(folder, said, 50, pawns);
    // The commonest number of a column, and how often it stands there.
    let commonest = |name: &str| {
        let mut numbers: Vec<i64> = rows.iter().filter_map(|row| row[name].as_i64()).collect();
        numbers.sort_unstable();
        let often = numbers.chunk_by(i64::eq).map(<[i64]>::len).max();
        (often.unwrap_or(0), numbers.len())
    };
    for name in ["margin_lower", "margin_higher"] {
        let (often, known) = commonest(name);
        let tells = known > 40 && 3 * often < 2 * known;
        assert!(tells, "{name}: {often} of {known}");
    }
    for row in &rows {
        for (wide, near) in [("margin_lower", "lower"), ("margin_higher", "higher")] {
            let numbers = [row[wide].as_i64(), row[near].as_i64()];
            assert!(numbers[0].is_none() || numbers[0] >= numbers[1], "{row}");
        }
    }
    let csv = folder.read("g.csv");
    assert!(csv.starts_with("game,ply,"));
    csv.has(",margin_lower,margin_higher,other_move,");
    assert!(!folder.read("g.html").contains("<th scope=\"col\">MinCN"));

    let folder = Folder::new("games-margin");
    let search = "--nodes 3000 --search best-first";
    let said = folder.analyze(GAME, &format!("{search} --margin 200 {FILES}"));
    let pawns = "each by 4.00 pawns at most, for White to stand worse, or better, by 2.00";
    let wider = check(&folder, &said.ended(0), 200, pawns);
    assert_ne!(wider[10]["margin_lower"], Value::Null);
    // Another margin is another analysis.
    folder
        .analyze(GAME, &format!("{search} --json g.json --resume"))
        .tells("different conditions (search)");
}

/// The default search of games prices lines: unless a move is marked, no file or text speaks of leaves or conspirators.
#[test]
fn prices_are_told_apart_from_counts() {
    let folder = Folder::new("games-prices");
    let options = format!("--nodes 3000 --search depth-first {FILES}");
    let said = folder.analyze("1. e4 e5 2. Nf3 Nc6 *\n", &options);
    let text = said.ended(0).out;
    let rows = folder.lines("g.json", "position");
    assert!(rows.iter().all(|row| row["doubt"].is_null()), "no marks");
    for row in &rows {
        for count in COUNTS.iter().filter(|&&it| it != "other_move") {
            assert_eq!(row[count], Value::Null, "{row}");
        }
        assert!(row["demand"].as_u64() > Some(0), "{row}");
    }
    assert!(rows[0]["price_lower"].as_f64() > Some(0.0));
    assert!(rows[0]["price_higher"].as_f64() > Some(0.0));
    let csv = folder.read("g.csv");
    csv.has(",demand,price_lower,price_higher,");
    let value_stays = rows[0]["outlook"]["value_stays"].as_f64().unwrap();
    assert!((0.0..1.0).contains(&value_stays));
    csv.lines().nth(1).unwrap().has(&format!(",{value_stays},"));
    for said in [folder.read("g.html"), text] {
        assert!(said.contains("demand") && said.contains("price-"));
        assert!(!said.contains("leaves"), "{said}");
    }
}

/// Every file has the cost of a marked move, the chances of its mark and the evidence.
#[test]
fn a_blunder_is_marked_with_its_chance_and_evidence() {
    let folder = Folder::new("games-marks");
    let options = format!("--nodes 5000 --pgn g.pgn {FILES}");
    let said = folder.analyze("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n", &options);
    let text = said.ended(0).out;
    let rows = folder.lines("g.json", "position");
    for row in &rows {
        let is_marked = row["chances"]["dubious"].as_f64() >= Some(0.5);
        assert_eq!(row["doubt"].is_null(), !is_marked, "{row}");
    }
    let blunder = &rows[3];
    assert!(!blunder["margin_lower"].is_null());
    let chance = blunder["chances"]["blunder"].as_f64();
    assert!(chance > Some(0.85), "{blunder}");
    let csv = folder.read("g.csv");
    let heading = csv.lines().next().expect("a heading");
    assert!(heading.ends_with(
        ",cost,chance_dubious,chance_mistake,chance_blunder,mark,band,band_chance,words,rest,only,found,mate_at_most,played_mate_at_most"
    ));
    let line = csv.lines().nth(4).expect("the blunder");
    line.has(&format!(",{},??,", chance.expect("a chance")));
    let remarked = folder.read("g.pgn").replace('\n', " ");
    remarked.has("Ke7 $4");
    for told in [remarked, text] {
        told.has("surely a blunder");
    }
    let page = folder.read("g.html");
    // The list, and the moment.
    page.has("Ke7??</a> <small>surely</small>");
    page.has("played, surely a blunder. It costs");
}

/// Counts of leaves in the record of a position.
const COUNTS: [&str; 8] = [
    "confidence",
    "lower",
    "higher",
    "max_cn",
    "min_cn",
    "margin_lower",
    "margin_higher",
    "other_move",
];

/// The numbers and moves of a position as the page writes them.
fn told(row: &Value) -> Vec<String> {
    let counts = COUNTS.iter().filter_map(|name| row[name].as_u64());
    let mut told: Vec<String> = counts.map(thousands).collect();
    // Elsewhere no error is true.
    let cp = row["cp"].as_i64().unwrap_or_default();
    let is_open = row["phase"] != "endgame" && cp != 0 && cp.abs() <= 1_000;
    let error = row["give_or_take"].as_f64().filter(|_| is_open);
    told.extend(error.map(|cp| format!("{:.2}", cp / 100.0)));
    for (value, mate) in [("cp", "mate"), ("played_cp", "played_mate")] {
        let (value, moves) = (row[value].as_f64(), row[mate].as_i64());
        told.extend(value.map(|cp| format!("{:+.2}", cp / 100.0)));
        let at_most = row[format!("{mate}_at_most")] == true;
        told.extend(moves.map(|moves| match (at_most, moves) {
            (false, moves) => format!("#{moves}"),
            (true, 1..) => format!("#≤{moves}"),
            (true, _) => format!("#-≤{}", -moves),
        }));
    }
    told.extend(row["best"]["san"].as_str().map(str::to_owned));
    told
}

/// The chance that no other move holds is reported, and a mate that was missed is a puzzle.
#[test]
fn how_sure_an_only_move_is_is_told() {
    let folder = Folder::new("games-only");
    let games = "[FEN \"rnbqk2r/pp1p1ppp/2p5/4P3/1bP1n3/2N5/PP2QPPP/R1B1KBNR b KQkq - 0 6\"]\n\n\
        6... Nxc3 7. bxc3 *\n\n\
        [FEN \"6k1/5ppp/8/8/8/7q/5P1P/1R4K1 w - - 4 30\"]\n\n30. f4 Qe6 *\n";
    let said = folder.analyze(games, "--nodes 5000 --json o.json --csv o.csv");
    let text = said.ended(0).out;
    let rows = folder.lines("o.json", "position");
    assert_eq!(rows[0]["played"], rows[0]["best"]);
    let [only, rest] = ["only", "rest"].map(|it| rows[0][it].as_f64());
    assert!(only > Some(0.5) && rest > Some(0.05), "{}", rows[0]);
    folder.read("o.csv").has("only move missed, surely");
    let missed = &rows[3];
    assert_eq!(missed["held"][0]["san"], "Rb8+");
    assert!(missed["only"].as_f64() >= Some(0.85), "{missed}");
    text.has("surely only Rb8+ holds");
}

/// Contents of the cells of the page's list of moves, without the columns of costs and of words.
fn cells(page: &str) -> Vec<String> {
    let (_, list) = page.split_once("class=\"list\"").expect("a list");
    let rows = list
        .split("<tr")
        .filter_map(|row| row.lines().next()?.split_once("<td>"))
        .map(|(_, cells)| cells);
    // The second one is the cost, the fourth words.
    let told = |row: &str| -> Vec<String> {
        let cells = row.split("<td>").enumerate();
        let cells = cells.filter(|&(column, _)| column != 1 && column != 3);
        cells.map(|(_, cell)| cell.to_owned()).collect()
    };
    rows.flat_map(told).collect()
}

#[test]
fn malformed_games_are_named_and_the_others_reported() {
    let folder = Folder::new("games-malformed");
    let pgn = format!("{MALFORMED}\n{GAME}");
    let said = folder.analyze(&pgn, "--nodes 300 --html g.html --json g.json");
    said.ended(1)
        .tells("games.pgn: line 4, game 1, move 2 of White: 'Ke4' is not legal")
        .tells_at_the_end("\n1 malformed item skipped, whole or in part\n");
    let page = folder.read("g.html");
    let rows = folder.lines("g.json", "position");
    let of = |game: u64| rows.iter().filter(|row| row["game"] == game).count();
    assert_eq!([of(1), of(2), of(3)], [3, 4, 47]);
    assert_eq!(folder.lines("g.json", "game")[1]["chess960"], true);
    let castled = &rows.iter().find(|row| row["game"] == 2).expect("a row")["played"];
    assert_eq!(castled["uci"], "c1b1");
    assert!(page.contains("move 2 of White: &#39;Ke4&#39;"));
    assert!(page.contains("Jean &lt;b&gt;Dufresne&lt;/b&gt;"));
    assert!(!page.contains("<b>"));
}

/// A stalemate is final; a position that stands a second time is no draw yet.
#[test]
fn a_stalemate_costs_the_win_and_a_detour_nothing() {
    let folder = Folder::new("games-draws");
    let stalemate = "[FEN \"7k/8/6K1/8/8/8/1P6/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2\n";
    // There and back once: the third time would be a draw.
    let detour = "[FEN \"r5k1/5ppp/8/8/8/8/3Q1PPP/5RK1 w - - 0 30\"]\n\n\
        30. Kh1 Kh8 31. Kg1 Kg8 32. h3 h6 1-0\n";
    let pgn = format!("{stalemate}\n{detour}");
    let said = folder.analyze(&pgn, "--nodes 2000 --json d.json --pgn d.pgn");
    said.ended(0);
    let positions = folder.lines("d.json", "position");
    let of = |game: u64| positions.iter().filter(move |it| it["game"] == game);
    let values: Vec<&Value> = of(1).map(|it| &it["cp"]).collect();
    let expected = [&Value::Null, &Value::from(0)];
    assert_eq!(values, expected, "a mate, then nothing");
    let is_won = of(2).all(|it| it["cp"].as_i64() > Some(300));
    assert!(is_won, "{positions:?}");
    let annotated = folder.read("d.pgn");
    annotated.has_all(["Qf7 $4", "costs 0.50 points"]);
}

/// Script for the browser: actions on the page, and what to note.
const VISIT: &str = r#"
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
[...document.querySelectorAll(".list tbody tr:not(.costly)")].find((row) => row.cells[3].textContent).querySelector("a").click();
const told = () => `${/leaves to misjudge for White/.test(document.querySelector(".caption").textContent)} ${document.querySelectorAll(".viewer .best").length}`;
notes.push(`few ${told()}`);
document.querySelector(".more input").click();
notes.push(`all ${told()}`);
"#;

#[test]
fn in_a_browser_list_board_and_curves_move_together() {
    let (folder, _) = &*ANALYZED;
    // The script tells of a position what the page tells without it.
    let page = folder.read("g.html");
    let (_, caption) = page.split_once("aria-live=\"polite\">").expect("a caption");
    let (caption, _) = caption.split_once("</p>").expect("an end");
    let expected = "row 38 20. Rxe7+ 25; on 39 20... Nxe7; key 38; last 46 21; moment true; chart 46 712; few false 0; all true 1";
    let expected = format!("{caption}; {expected}").replace('\u{a0}', "&nbsp;");
    check_notes(&folder.join("g.html"), VISIT, &[390, 1280], &expected);
}
