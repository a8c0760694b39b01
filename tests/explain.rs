//! Why a search does not play a move, as users are told.

use serde_json::Value;

use crate::common::{Has, Said, said};

/// Queen to g6 mates by force; with few positions no search sees it.
const SACRIFICE: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";

fn explain(line: &str, options: &str) -> Said {
    said(&format!(
        "explain --fen '{SACRIFICE}' --line '{line}' {options}"
    ))
}

fn json(line: &str, options: &str) -> Value {
    explain(line, &format!("{options} --json")).json()
}

/// Searches with too few positions to see the sacrifice, and the unit of their iterations.
const SEARCHES: [(&str, &str); 2] = [
    ("depth-first:Evaluation=tactical --nodes 3000", "demand"),
    ("alpha-beta:Evaluation=tactical --nodes 200", "depth"),
];

#[test]
fn the_text_says_where_a_line_was_given_up() {
    for (search, unit) in SEARCHES {
        let (name, _) = search.split_once(' ').expect("a name");
        let told = explain("Qg6", &format!("--search {search} --deeper 20000"));
        let told = told.ended(0).tells_nothing().out;
        told.has_all(["not 1. Qg6", "Why not 1. Qg6", unit, "\n1. Qg6"]);
        told.has("positions for it");
        let is_explained = told.contains("cut off") || told.contains("ends after");
        assert!(is_explained, "{told}");
        let until_found = format!("--search {name} --nodes 100000 --until-found");
        explain("Qg6", &until_found)
            .ended(0)
            .prints("It plays 1. Qg6, and has since")
            .prints("before that?");
    }
}

#[test]
fn the_record_has_what_the_text_says() {
    for (search, _) in SEARCHES {
        let record = json("Qg6", &format!("--search {search} --deeper 20000"));
        let stages = record["stages"].as_array().expect("stages");
        assert!(!stages.is_empty(), "{record:#}");
        assert!(record["found"].is_null(), "{record:#}");
        assert_eq!(stages[0]["after"], "1. Qg6");
        let down = |it: &Value| it["bound"] != "at-least";
        assert!(stages.iter().all(down), "{record:#}");
        let spent = |it: &Value| it["nodes"].as_u64().expect("a number");
        assert!(stages.iter().all(|it| spent(it) <= spent(&record)));
        let plies = record["line"]["uci"].as_array().expect("moves").len();
        assert!(stages.len() <= plies && record["given"] == 1);
        // All questions about the move together take no more than the search.
        let course = record["course"].as_array().expect("iterations");
        let spent: u64 = course.iter().filter_map(|it| it["spent"].as_u64()).sum();
        assert!(Some(spent) <= record["nodes"].as_u64());
    }
}

#[test]
fn a_line_is_read_in_either_notation() {
    let options = "--search depth-first:Evaluation=tactical --nodes 4000 --deeper 0";
    let san = json("1. Qg6 fxg6 2. Nxg6#", options);
    assert_eq!(san["line"]["san"], "1. Qg6 fxg6 2. Nxg6#");
    for line in ["g3g6 f7g6 e5g6", "Qg6 f7g6 2.Ng6"] {
        let same = json(line, options);
        assert_eq!(same["stages"], san["stages"], "{line}");
    }
}

#[test]
fn what_cannot_be_explained_has_its_reason() {
    let illegal = "'Kxg6' is not legal in 2rr3k/pp3pp1/1nnqbNQp/";
    let chosen = "choose depth-first, alpha-beta";
    for (line, options, reason) in [
        ("Qg6 Kxg6", "", illegal),
        ("Qg9", "", "'Qg9' is not a move"),
        ("1.", "", "--line has no move"),
        ("Qg6", "--search best-first", chosen),
    ] {
        let said = explain(line, options).ended(1);
        said.prints_nothing().tells(reason);
    }
    let said = said("explain --fen nonsense --line e4").failed();
    said.tells("nonsense");
}
