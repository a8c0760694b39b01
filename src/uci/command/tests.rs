//! Tests of the parser: examples, and lines of any kind.

use proptest::prelude::*;

use super::go::KEYWORDS;
use super::*;

fn go(line: &str) -> Go {
    match Command::parse(line) {
        Command::Go(go) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn leading_words_that_mean_nothing_are_skipped() {
    assert_eq!(Command::parse("joho debug on"), Command::Debug(true));
    assert_eq!(Command::parse("\t  isready \r\n"), Command::IsReady);
    assert_eq!(Command::parse("what  now   quit"), Command::Quit);
    assert_eq!(Command::parse("  \t \r"), Command::Empty);
    // Words that are not UCI's count only in front.
    for line in ["xboard", "plan d"] {
        assert_eq!(Command::parse(line), Command::Unknown(line.to_owned()));
    }
}

#[test]
fn numbers_may_be_negative_large_or_absurd() {
    let asked = go("go wtime -50 btime 0 winc +7 nodes 18446744073709551615 mate -3");
    assert_eq!(asked.white_time, Some(0));
    assert_eq!(asked.black_time, Some(0));
    assert_eq!(asked.white_increment, Some(7));
    assert_eq!(asked.nodes, Some(u64::MAX));
    assert_eq!(asked.mate, Some(3));
    let nines = "9".repeat(500);
    let asked = go(&format!(
        "go depth {nines} nodes {nines} wtime -{nines} movetime 00000000000000000000000000000000012"
    ));
    assert_eq!(asked.depth, Some(u32::MAX));
    assert_eq!(asked.nodes, Some(u64::MAX));
    assert_eq!(asked.white_time, Some(0));
    assert_eq!(asked.movetime, Some(12));
    assert!(asked.ignored.is_empty());
}

#[test]
fn search_moves_may_stand_anywhere() {
    for line in [
        "go searchmoves e2e4 E7E8Q depth 5",
        "go depth 5 searchmoves e2e4 E7E8Q",
        "go searchmoves e2e4 depth 5 searchmoves E7E8Q",
    ] {
        let asked = go(line);
        assert_eq!(asked.search_moves, ["e2e4", "E7E8Q"], "{line}");
        assert_eq!(asked.depth, Some(5), "{line}");
        assert!(asked.ignored.is_empty(), "{line}");
    }
}

#[test]
fn what_go_does_not_understand_is_noted_and_the_rest_kept() {
    let asked = go("go depth x nodes movetime 30 e2e4 searchmoves e2e9 d2d4");
    assert_eq!((asked.depth, asked.nodes), (None, None));
    assert_eq!(asked.movetime, Some(30));
    assert_eq!(asked.search_moves, ["d2d4"]);
    assert_eq!(asked.ignored.len(), 4, "{:?}", asked.ignored);
    assert!(asked.lost_limit);
    assert!(!go("go joho").lost_limit);
    assert!(asked.ignored[0].contains("'depth'") && asked.ignored[0].contains("'x'"));
}

#[test]
fn positions_come_in_two_forms() {
    assert_eq!(
        Command::parse("position startpos moves e2e4  e7e5"),
        Command::Position {
            fen: None,
            moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        }
    );
    assert_eq!(
        Command::parse("position fen 8/8/8/8/8/8/8/K1k5   w - moves"),
        Command::Position {
            fen: Some("8/8/8/8/8/8/8/K1k5 w -".to_owned()),
            moves: Vec::new(),
        }
    );
    for (line, named) in [
        ("position", "nothing"),
        ("position e2e4", "'e2e4'"),
        ("position fen", "nothing"),
        ("position fen moves e2e4", "nothing"),
        ("position startpos e2e4", "'e2e4'"),
    ] {
        match Command::parse(line) {
            Command::Malformed(error) => assert!(error.contains(named), "{error}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn option_names_and_values_may_hold_blanks() {
    assert_eq!(
        Command::parse("setoption name  Clear   Hash"),
        Command::SetOption {
            name: "Clear Hash".to_owned(),
            value: None,
        }
    );
    assert_eq!(
        Command::parse("setoption name Path value  /a  b/value c "),
        Command::SetOption {
            name: "Path".to_owned(),
            value: Some("/a  b/value c".to_owned()),
        }
    );
    for line in ["setoption", "setoption Hash 3", "setoption name value 3"] {
        let is_malformed = matches!(Command::parse(line), Command::Malformed(_));
        assert!(is_malformed, "{line}");
    }
}

#[test]
fn only_a_real_limit_makes_a_search_limited() {
    for line in [
        "go",
        "go infinite",
        "go infinite depth 3",
        "go searchmoves e2e4",
        "go winc 5",
    ] {
        assert!(go(line).is_unlimited(), "{line}");
    }
    for limit in ["depth", "nodes", "movetime", "wtime", "btime", "mate"] {
        assert!(!go(&format!("go {limit} 1")).is_unlimited(), "{limit}");
    }
}

fn a_move() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?"
}

/// Lines of the protocol's own words in any order, which get farther than noise.
fn a_jumble() -> impl Strategy<Value = String> {
    let one_of = |words: &'static str| {
        let words: Vec<&str> = words.split(' ').collect();
        prop::sample::select(words).prop_map(str::to_owned)
    };
    let word = prop_oneof![
        one_of(KEYWORDS),
        one_of("go position fen startpos moves setoption name value debug"),
        any::<i64>().prop_map(|n| n.to_string()),
        a_move(),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn no_line_makes_the_parser_panic(line in any::<String>()) {
        let _ = Command::parse(&line);
    }

    #[test]
    fn no_jumble_makes_the_parser_panic(line in a_jumble()) {
        let _ = Command::parse(&line);
    }
}
