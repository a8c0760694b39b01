//! The EPD parser: valid input, errors, and no panics.

use std::path::Path;

use cassius::games::chess::notation::{Castling, is_chess960, parse_san, to_fen, to_uci};
use cassius::suite::epd::{EpdFile, Record, parse, parse_line, read_file};
use proptest::prelude::*;

use crate::common::{Folder, shared};

const WAC_1: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";

fn read(line: &str) -> Record {
    parse_line(line, "line").unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The moves wanted, and those to avoid.
fn uci(record: &Record) -> [String; 2] {
    [&record.best, &record.avoid].map(|moves| {
        let moves: Vec<String> = moves.iter().map(|&m| to_uci(m, false)).collect();
        moves.join(" ")
    })
}

#[test]
fn what_people_write_is_read() {
    let both = "g3g6 f6h5";
    let commented = "acd 8; c0 \"bm Nh5; not this\"; bm Qg6; noop;;";
    // Operations, and their meaning: name, best moves and moves to avoid, mate.
    for (operations, id, moves, mate) in [
        ("bm Qg6; id \"WAC.001\";", "WAC.001", ["g3g6", ""], None),
        ("bm Qg6", "line", ["g3g6", ""], None),
        ("bm Qg6+! Nh5?!; am Nxf7;", "line", [both, "e5f7"], None),
        ("bm Qg6,Nh5;", "line", [both, ""], None),
        ("bm g3g6;", "line", ["g3g6", ""], None),
        ("  bm   Qg6  ;id x;  ", "x", ["g3g6", ""], None),
        ("am Qg6;id \"two words\";", "two words", ["", "g3g6"], None),
        ("dm 4; id \"a;b\";", "a;b", ["", ""], Some(4)),
        ("dm 4; id \"red\u{1b}[31m\";", "red [31m", ["", ""], Some(4)),
        ("dm -2;", "line", ["", ""], Some(-2)),
        ("0 1 bm Qg6;", "line", ["g3g6", ""], None),
        (commented, "line", ["g3g6", ""], None),
        ("bm Qg6; bm Nh5;", "line", [both, ""], None),
        (
            "bm #2; 02:50; 00'40\" (by whom);",
            "line",
            ["", ""],
            Some(2),
        ),
    ] {
        let record = read(&format!("{WAC_1} {operations}"));
        assert_eq!(record.id, id, "{operations}");
        assert_eq!(uci(&record), moves, "{operations}");
        assert_eq!(record.mate, mate, "{operations}");
    }
}

#[test]
fn clocks_are_heeded_wherever_they_stand() {
    let king = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for line in [
        format!("{king} 12 34 bm e4;"),
        format!("{king} hmvc 12; bm e4; fmvn 34;"),
    ] {
        assert_eq!(to_fen(&read(&line).position), format!("{king} 12 34"));
    }
    let record = read(&format!("{king} bm e4;"));
    assert_eq!(to_fen(&record.position), format!("{king} 0 1"));
}

#[test]
fn castling_is_understood_in_both_kinds_of_chess() {
    let record = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; am O-O-O;");
    assert!(!is_chess960(&record.position));
    assert_eq!(uci(&record), ["e1g1", "e1c1"]);
    let line = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O;";
    let (record, dropped) = parse(line, "line", Castling::Chess960).expect(line);
    assert_eq!(dropped, None);
    assert!(is_chess960(&record.position));
    assert_eq!(to_uci(record.best[0], true), "e1g1");
}

#[test]
fn errors_name_what_is_wrong() {
    let crowded = "White has 27 pieces, and 16 are the most";
    let cases = [
        ("8/8/8 w", "expected four fields"),
        ("rubbish w - - bm e4;", "not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - bm e4;", "not a legal position"),
        (
            "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - bm Qb2;",
            crowded,
        ),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", "'e5' is not legal"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - am zz;", "am: 'zz'"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", "nothing to solve"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";", "nothing to solve"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm;", "nothing to solve"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x;", "not closed"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - dm many;", "found 'many'"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - dm;", "dm: expected a number"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x; bm e4;", "hmvc"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - dm -1;", "the game is over"),
    ];
    for (line, expected) in cases {
        let error = parse_line(line, "line").expect_err(line).to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn a_position_always_has_a_name() {
    for (name, expected) in [("\"\"", "file:7"), ("\" \"", "file:7"), ("\"a b\"", "a b")] {
        let line = format!("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id {name};");
        let record = parse_line(&line, "file:7").expect("a position");
        assert_eq!(record.id, expected, "{line}");
    }
}

#[test]
fn an_answer_is_right_if_it_is_wanted_and_not_to_be_avoided() {
    let solved = |operations: &str, m: &str, mate: Option<i32>| {
        let record = read(&format!("{WAC_1} {operations}"));
        record.is_solved_by(Some(parse_san(&record.position, m).unwrap()), mate)
    };
    assert!(solved("bm Qg6;", "Qg6", None));
    assert!(!solved("bm Qg6;", "Nh5", Some(1)));
    assert!(solved("bm Qg6 Nh5;", "Nh5", None));
    assert!(!solved("am Qg6;", "Qg6", None));
    assert!(solved("am Qg6;", "Nh5", None));
    assert!(!solved("bm Qg6; am Qg6;", "Qg6", None));
    // A claimed mate counts only if no move is asked for.
    assert!(solved("bm Qg6; dm 3;", "Qg6", None));
    for (known, claimed, right) in [
        (3, Some(3), true),
        (3, Some(2), true),
        (3, Some(4), false),
        (3, Some(-3), false),
        (3, None, false),
        (-2, Some(-2), true),
        (-2, Some(-3), false),
        (-2, Some(2), false),
        (i32::MIN, Some(-7), true),
    ] {
        let found = solved(&format!("dm {known};"), "Qg6", claimed);
        assert_eq!(found, right, "{known} {claimed:?}");
    }
    let record = read(&format!("{WAC_1} am Qg6;"));
    assert!(!record.is_solved_by(None, None), "no move is no answer");
}

#[test]
fn goals_are_told_as_the_file_tells_them() {
    let record = read(&format!("{WAC_1} bm g3g6 Nh5; am Nxf7; dm 5;"));
    assert_eq!(record.goal(), "bm Qg6 Nh5; am Nxf7+; dm 5");
}

#[test]
fn malformed_lines_are_named_and_the_rest_is_read() {
    let folder = Folder::new("epd");
    let text = format!(
        "\u{feff}# comment\r\n{WAC_1} bm Qg6; id \"first\";\r\n\r\nrubbish\r\n{WAC_1} bm Qa8;\r\n{WAC_1} am Qg6;"
    );
    folder.write("malformed.epd", text);
    let path = folder.join("malformed.epd");
    let EpdFile {
        records, malformed, ..
    } = read_file(&path, Castling::Standard).unwrap();
    let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["first", "malformed:6"]);
    assert_eq!(malformed.len(), 2);
    for (told, beginning) in malformed.iter().zip(["4: ", "5: bm:"]) {
        let beginning = format!("{}:{beginning}", path.display());
        assert!(told.starts_with(&beginning), "{told}");
    }
}

#[test]
fn suites_are_read_whole() {
    let ours = |file: &str| Some(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    for (path, count) in [
        (ours("epd/wac.epd"), 300),
        (ours("epd/bk.epd"), 24),
        (shared("epd/ecm98.epd"), 768),
        (shared("epd/lct2.epd"), 35),
        (shared("epd/mates500.epd"), 500),
    ] {
        let Some(path) = path else { continue };
        let file = read_file(&path, Castling::Standard).unwrap();
        assert!(file.malformed.is_empty(), "{}", file.malformed[0]);
        assert_eq!(file.records.len(), count, "{}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(line in "\\PC*") {
        let _ = parse_line(&line, "line");
    }

    #[test]
    fn any_operations_are_read_or_refused(
        operations in "([bad]m|id|hmvc|fmvn|[\"; ,+#=-]|[KQRBN]?[a-h]?[1-9x]?[a-h][1-8]| ){0,12}",
    ) {
        let _ = parse_line(&format!("{WAC_1} {operations}"), "line");
    }

    #[test]
    fn damaged_lines_are_read_or_refused(at in 0usize..90, with in "\\PC{0,3}") {
        let line = format!("{WAC_1} bm Qg6; am Nxf7; dm 3; id \"WAC.001\";");
        let at = at.min(line.len());
        let damaged = format!("{}{with}{}", &line[..at], &line[(at + 1).min(line.len())..]);
        let _ = parse_line(&damaged, "line");
    }
}
